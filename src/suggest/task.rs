//! A search step by step, so that a worker of the page reads its messages meanwhile.

use super::answer::Suggestions;
use super::progress::{SearchPhase, Steps, polled};
use super::{SuggestOptions, found};
use crate::base::Problem;
use crate::design::SuggestRequest;
use crate::records::Records;
use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

/// Inputs of a search.
struct Begun {
    asked: SuggestRequest,
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
    /// Begins with a document and its records; nothing is done before the first poll.
    pub fn new(asked: SuggestRequest, records: Rc<Records>, options: SuggestOptions) -> Self {
        let steps = Steps::new();
        let begun = Begun { asked, records, options, steps: steps.clone() };
        Self { work: Some(Box::new(Box::pin(work(begun)))), steps }
    }

    /// Goes on to the next rest, at most 50 ms later; the answer once it is found. A search that has answered is cancelled from
    /// then on.
    pub fn poll(&mut self) -> Option<Result<Suggestions, Problem>> {
        let found = match &mut self.work {
            Some(left) => resumed(work, left.as_mut())?,
            None => Err(Problem::new("suggest.cancelled")),
        };
        self.work = None;
        Some(found)
    }

    /// Its phase, and the share of the whole that is done, from 0 to 1.
    pub fn progress(&self) -> (SearchPhase, f64) {
        self.steps.reached()
    }
}

/// Goes on with a future that this function made: its type has no name.
fn resumed<F: Future + 'static>(_: fn(Begun) -> F, work: &mut dyn Any) -> Option<F::Output> {
    polled(work.downcast_mut::<Pin<Box<F>>>()?.as_mut())
}
