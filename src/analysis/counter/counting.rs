//! A pass on one thread or on several.

use super::Counter;
use crate::base::Problem;
#[cfg(not(target_arch = "wasm32"))]
use crate::base::workers::{InOrder, Workers};
use crate::records::{HashedRow, Records};
use crate::summary::Summary;
use std::sync::Arc;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::Mutex;

/// Counts portions of records: any threads in any order give the same summary.
pub struct ParallelCounter {
    /// Counts made here, with those of the threads when they were last waited for.
    pass: Counter,
    /// A pass that has seen no records.
    #[cfg(not(target_arch = "wasm32"))]
    empty: Arc<Counter>,
    #[cfg(not(target_arch = "wasm32"))]
    threads: Option<CountingThreads>,
}

/// Threads that count.
#[cfg(not(target_arch = "wasm32"))]
struct CountingThreads {
    workers: Arc<Workers>,
    /// Passes that no thread is at work on.
    idle: Arc<Mutex<Vec<Counter>>>,
    under_way: InOrder<()>,
    /// Records since the threads were last waited for.
    rows: u64,
}

impl ParallelCounter {
    /// By a pass that has seen no records.
    pub fn new(pass: Counter) -> Self {
        Self {
            #[cfg(not(target_arch = "wasm32"))]
            empty: Arc::new(pass.clone()),
            #[cfg(not(target_arch = "wasm32"))]
            threads: None,
            pass,
        }
    }

    /// Counts on these threads from now on.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn count_on(&mut self, workers: &Arc<Workers>) {
        self.threads.get_or_insert_with(|| CountingThreads {
            workers: Arc::clone(workers),
            idle: Arc::default(),
            under_way: InOrder::of(workers),
            rows: 0,
        });
    }

    /// Counts a portion of the records. `hashed` may give the positions that hash lowest: all those not above the bound of the
    /// sample, or more.
    pub fn add(&mut self, records: &Arc<Records>, hashed: Option<&[HashedRow]>) {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(threads) = &mut self.threads {
            return threads.add(records, &self.empty);
        }
        match hashed {
            Some(hashed) => self.pass.add_hashed(records, hashed),
            None => self.pass.add(records),
        }
    }

    /// Waits for the threads, and takes in their counts.
    pub fn settle(&mut self) {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(threads) = &mut self.threads {
            for pass in threads.settled() {
                let merged = self.pass.merge(pass.summary());
                debug_assert!(merged.is_ok(), "counts of one pass are of one study");
            }
        }
    }

    /// Adds what was counted elsewhere.
    ///
    /// # Errors
    /// `summary.different-studies`.
    pub fn merge(&mut self, other: Summary) -> Result<(), Problem> {
        self.pass.merge(other)
    }

    /// The counts, without those of threads since they were last waited for.
    pub fn so_far(&self) -> &Summary {
        self.pass.so_far()
    }

    /// The counts.
    pub fn summary(mut self) -> Summary {
        self.settle();
        self.pass.summary()
    }

    /// The bound of the sample, or one above it.
    pub fn bound(&self) -> u64 {
        self.pass.so_far().sample.bound()
    }

    /// Number of records so far.
    pub fn rows(&self) -> u64 {
        #[cfg(not(target_arch = "wasm32"))]
        let under_way = self.threads.as_ref().map_or(0, |threads| threads.rows);
        #[cfg(target_arch = "wasm32")]
        let under_way = 0;
        self.pass.so_far().rows + under_way
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl CountingThreads {
    fn add(&mut self, records: &Arc<Records>, empty: &Arc<Counter>) {
        while self.under_way.is_full() {
            self.under_way.wait_next();
        }
        self.rows += records.rows as u64;
        let (records, empty, idle) = (Arc::clone(records), Arc::clone(empty), Arc::clone(&self.idle));
        self.under_way.push(self.workers.run(move || {
            let known = idle.lock().ok().and_then(|mut idle| idle.pop());
            let mut pass = known.unwrap_or_else(|| Counter::clone(&empty));
            pass.add(&records);
            drop(records);
            if let Ok(mut idle) = idle.lock() {
                idle.push(pass);
            }
        }));
    }

    /// All passes, once no thread is at work on them.
    fn settled(&mut self) -> Vec<Counter> {
        while self.under_way.wait_next().is_some() {}
        self.rows = 0;
        self.idle.lock().map(|mut idle| std::mem::take(&mut *idle)).unwrap_or_default()
    }
}
