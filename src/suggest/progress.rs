//! Progress of a search, and the way to stop it.

use super::scores::FrontDesign;
use crate::base::Problem;

/// The work that a search is at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchPhase<'s> {
    /// Fields are described.
    Profile,
    /// Orders of fields are looked for, and what makes them unique.
    Orders,
    /// Many keys are measured on few records.
    Sample,
    /// The first round is done: the best of its designs, with the scores of a sample. Told once.
    Shortlist(&'s [FrontDesign]),
    /// The best keys are measured on more records.
    Measure,
    /// Keys next to the best are measured.
    Near,
    /// Tables are put together.
    Tables,
    /// Suggestions are measured on all records.
    Final,
}

impl SearchPhase<'_> {
    /// Its name in messages.
    pub const fn name(self) -> &'static str {
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
    const fn span(self) -> [f64; 2] {
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
pub type SearchProgress<'p> = &'p mut dyn FnMut(SearchPhase<'_>, f64) -> bool;

/// Reports a step of work whose place is known to the caller.
pub(super) type Step<'s> = &'s mut dyn FnMut() -> Result<(), Problem>;

/// Reports steps of a search.
pub(super) struct Steps<'p> {
    told: SearchProgress<'p>,
    /// The share that was told last: it never falls.
    reached: f64,
}

impl<'p> Steps<'p> {
    /// Steps that are told to `told`.
    pub fn new(told: SearchProgress<'p>) -> Self {
        Self { told, reached: 0.0 }
    }

    /// Reports the share of a phase that is done.
    ///
    /// # Errors
    /// `suggest.cancelled` if the search is to stop.
    pub fn at(&mut self, phase: SearchPhase<'_>, done: f64) -> Result<(), Problem> {
        let [from, to] = phase.span();
        self.reached = self.reached.max(from + (to - from) * done.clamp(0.0, 1.0));
        if (self.told)(phase, self.reached) {
            return Ok(());
        }
        Err(Problem::new("suggest.cancelled"))
    }

    /// Reports that `done` of `all` steps of a phase are done.
    ///
    /// # Errors
    /// `suggest.cancelled` if the search is to stop.
    pub fn of(&mut self, phase: SearchPhase<'_>, done: usize, all: usize) -> Result<(), Problem> {
        self.at(phase, done as f64 / all.max(1) as f64)
    }
}
