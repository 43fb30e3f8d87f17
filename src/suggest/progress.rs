//! Progress of a search: it rests wherever it tells how far it is, until it is let go on.

use super::scores::FrontDesign;
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The work that a search is at.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchPhase {
    /// Fields are described.
    Profile,
    /// Orders of fields are looked for, and what makes them unique.
    Orders,
    /// Many keys are measured on few records.
    Sample,
    /// The first round is done: the best of its designs, with the scores of a sample. Reported once.
    Shortlist(Rc<[FrontDesign]>),
    /// The best keys are measured on more records.
    Measure,
    /// Keys next to the best are measured.
    Near,
    /// Tables are put together.
    Tables,
    /// Suggestions are measured on all records.
    Final,
}

impl SearchPhase {
    /// Its name in messages.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Orders => "orders",
            Self::Sample => "sample",
            Self::Shortlist(_) => "shortlist",
            Self::Measure => "measure",
            Self::Near => "near",
            Self::Tables => "tables",
            Self::Final => "final",
        }
    }

    /// The part of the whole search that it is: where it begins, and where it ends.
    const fn span(&self) -> [f64; 2] {
        match self {
            Self::Profile => [0.0, 0.05],
            Self::Orders => [0.05, 0.1],
            Self::Sample => [0.1, 0.35],
            Self::Shortlist(_) => [0.35, 0.35],
            Self::Measure => [0.35, 0.5],
            Self::Near => [0.5, 0.6],
            Self::Tables => [0.6, 0.65],
            Self::Final => [0.65, 1.0],
        }
    }
}

/// Called with the phase and the share of the whole search that is done, 0 to 1; false stops the search. Less than 50 ms of work
/// lie between two calls.
pub type SearchProgress<'p> = &'p mut dyn FnMut(&SearchPhase, f64) -> bool;

/// Reports steps of a search, and rests at each.
#[derive(Clone)]
pub(super) struct Steps {
    /// The phase and the share that were reported last; the share never falls.
    last: Rc<RefCell<(SearchPhase, f64)>>,
}

impl Steps {
    /// At the beginning.
    pub fn new() -> Self {
        Self { last: Rc::new(RefCell::new((SearchPhase::Profile, 0.0))) }
    }

    /// The phase and the share that were reported last.
    pub fn reached(&self) -> (SearchPhase, f64) {
        self.last.borrow().clone()
    }

    /// Reports the share of a phase that is done.
    pub async fn at(&self, phase: SearchPhase, done: f64) {
        let [from, to] = phase.span();
        self.last
            .replace_with(|(_, reached)| (phase, reached.max(from + (to - from) * done.clamp(0.0, 1.0))));
        let mut rested = false;
        poll_fn(|_| if std::mem::replace(&mut rested, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    /// Steps of a part that does not know where in the search it is.
    pub fn step(&self, phase: SearchPhase, done: f64) -> Step {
        Step { steps: self.clone(), phase, done }
    }

    /// Reports that `done` of `all` steps of a phase are done.
    pub async fn of(&self, phase: SearchPhase, done: usize, all: usize) {
        self.at(phase, done as f64 / all.max(1) as f64).await;
    }
}

/// A step of work whose place in the search is known to the caller.
pub(super) struct Step {
    steps: Steps,
    phase: SearchPhase,
    done: f64,
}

impl Step {
    /// Reports the step.
    pub async fn rest(&self) {
        self.steps.at(self.phase.clone(), self.done).await;
    }
}

/// Goes on to the next rest.
pub(super) fn polled<F: Future>(work: Pin<&mut F>) -> Option<F::Output> {
    match work.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}

/// The result of work that nobody stops.
pub(super) fn at_once<T>(work: impl AsyncFnOnce(&mut Steps) -> T) -> T {
    let mut steps = Steps::new();
    let mut work = std::pin::pin!(work(&mut steps));
    loop {
        if let Some(result) = polled(work.as_mut()) {
            return result;
        }
    }
}
