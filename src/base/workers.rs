//! Threads that take up pieces of work in the order in which they are handed out.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder};

/// A piece of work.
type Job = Box<dyn FnOnce() + Send>;

/// Threads that wait for work, and end once nobody can hand out more.
pub struct Workers {
    jobs: Sender<Job>,
    count: usize,
}

/// The result of work that was handed out. What holds it can be shared between threads, as classes of Python are.
pub struct Pending<T>(Mutex<Receiver<thread::Result<T>>>);

impl<T> Pending<T> {
    /// Waits for the result. A panic of the work goes on here.
    pub fn wait(self) -> T {
        let result = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        match result.recv() {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => resume_unwind(panic),
            // All work that is handed out is done, or panics.
            Err(gone) => resume_unwind(Box::new(gone)),
        }
    }
}

impl Workers {
    /// So many threads, or as many of them as the system gives; `None` if it gives none.
    pub fn new(count: usize) -> Option<Self> {
        let (jobs, waiting) = channel::<Job>();
        let waiting = Arc::new(Mutex::new(waiting));
        let begun = (0..count).filter(|_| {
            let waiting = Arc::clone(&waiting);
            let work = move || {
                while let Some(job) = waiting.lock().ok().and_then(|waiting| waiting.recv().ok()) {
                    job();
                }
            };
            Builder::new().spawn(work).is_ok()
        });
        let count = begun.count();
        (count > 0).then_some(Self { jobs, count })
    }

    /// Number of threads.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Hands out work.
    pub fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Pending<T> {
        let (result, waiting) = channel();
        let job = move || {
            // Nobody waits for work that was given up.
            let _ = result.send(catch_unwind(AssertUnwindSafe(work)));
        };
        // Threads that are gone leave their work to who hands it out.
        if let Err(SendError(job)) = self.jobs.send(Box::new(job)) {
            job();
        }
        Pending(Mutex::new(waiting))
    }
}

/// Results in the order in which their work was handed out, a limited number of them under way.
pub struct InOrder<T> {
    under_way: VecDeque<Pending<T>>,
    most: usize,
}

impl<T> InOrder<T> {
    /// With a piece of work for each of these threads.
    pub fn of(workers: &Workers) -> Self {
        Self { under_way: VecDeque::new(), most: workers.count() }
    }

    /// Adds work.
    pub fn push(&mut self, work: Pending<T>) {
        self.under_way.push_back(work);
    }

    /// True while there is more under way than threads can do.
    pub fn is_full(&self) -> bool {
        self.under_way.len() >= self.most
    }

    /// Waits for the first result; `None` when none is left.
    pub fn wait_next(&mut self) -> Option<T> {
        self.under_way.pop_front().map(Pending::wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_work() {
        let workers = Workers::new(3).expect("threads");
        let mut results = InOrder::of(&workers);
        let mut seen = Vec::new();
        for number in 0..100u64 {
            if results.is_full() {
                seen.extend(results.wait_next());
            }
            results.push(workers.run(move || {
                thread::sleep(std::time::Duration::from_micros(number * 7919 % 300));
                number
            }));
        }
        while let Some(number) = results.wait_next() {
            seen.push(number);
        }
        assert_eq!(seen, (0..100).collect::<Vec<u64>>());
    }

    #[test]
    fn a_panic_is_that_of_who_waits() {
        let workers = Workers::new(1).expect("threads");
        let failed: Pending<()> = workers.run(|| panic!("on purpose"));
        assert!(catch_unwind(AssertUnwindSafe(|| failed.wait())).is_err());
        assert_eq!(workers.run(|| 7).wait(), 7);
    }
}
