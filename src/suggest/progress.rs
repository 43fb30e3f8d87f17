//! Progress of a search, and the turns that it is done in: it rests wherever it tells how far it is, until it is let go on. A worker
//! of the page reads its messages meanwhile.

use super::scores::FrontDesign;
use super::told::Suggestions;
use super::{SuggestOptions, found};
use crate::base::Problem;
use crate::design::AskedDocument;
use crate::records::Records;
use std::any::Any;
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
    /// The first round is done: the best of its designs, with the scores of a sample. Told once.
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
    /// The phase and the share that were told last; the share never falls.
    told: Rc<RefCell<(SearchPhase, f64)>>,
}

impl Steps {
    fn new() -> Self {
        Self { told: Rc::new(RefCell::new((SearchPhase::Profile, 0.0))) }
    }

    /// Reports the share of a phase that is done.
    pub async fn at(&self, phase: SearchPhase, done: f64) {
        let [from, to] = phase.span();
        self.told
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

/// Inputs of a search.
struct Begun {
    asked: AskedDocument,
    records: Rc<Records>,
    options: SuggestOptions,
    steps: Steps,
}

/// The work of a search, as one future that owns all it needs.
async fn work(mut begun: Begun) -> Result<Suggestions, Problem> {
    found(&begun.asked, &begun.records, &begun.options, &mut begun.steps).await
}

/// A search under way. Dropping it stops it.
pub struct SuggestSearch {
    /// The future of [`work`]; none once it has answered. A `dyn Future` would put the whole search into the function table, and so
    /// into each wasm module, also those that never search.
    work: Option<Box<dyn Any>>,
    steps: Steps,
}

impl SuggestSearch {
    /// Begins with a document and its records; nothing is done before the first turn.
    pub fn new(asked: AskedDocument, records: Rc<Records>, options: SuggestOptions) -> Self {
        let steps = Steps::new();
        let begun = Begun { asked, records, options, steps: steps.clone() };
        Self { work: Some(Box::new(Box::pin(work(begun)))), steps }
    }

    /// Goes on to the next rest, at most 50 ms later; the answer once it is found. A search that has answered is cancelled from
    /// then on.
    pub fn turn(&mut self) -> Option<Result<Suggestions, Problem>> {
        let found = match &mut self.work {
            Some(left) => turned(work, left.as_mut())?,
            None => Err(Problem::new("suggest.cancelled")),
        };
        self.work = None;
        Some(found)
    }

    /// Its phase, and the share of the whole that is done, from 0 to 1.
    pub fn progress(&self) -> (SearchPhase, f64) {
        self.steps.told.borrow().clone()
    }
}

/// Goes on with a future that this function made: its type has no name.
fn turned<F: Future + 'static>(_: fn(Begun) -> F, work: &mut dyn Any) -> Option<F::Output> {
    polled(work.downcast_mut::<Pin<Box<F>>>()?.as_mut())
}

/// Goes on to the next rest.
fn polled<F: Future>(work: Pin<&mut F>) -> Option<F::Output> {
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
