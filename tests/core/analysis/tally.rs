//! How often something was said, beside how often it was true.

use std::collections::BTreeMap;

/// Counts of one thing that is said.
#[derive(Clone, Default)]
pub struct Tally {
    pub right: usize,
    pub wrong: usize,
    pub missed: usize,
    pub close: usize,
    pub none: usize,
}

impl Tally {
    fn count(&mut self, said: bool, truth: Option<bool>) -> bool {
        match (said, truth) {
            (_, None) => self.close += 1,
            (true, Some(true)) => self.right += 1,
            (true, Some(false)) => self.wrong += 1,
            (false, Some(true)) => self.missed += 1,
            (false, Some(false)) => self.none += 1,
        }
        truth.is_none_or(|truth| truth == said)
    }

    pub fn precision(&self) -> f64 {
        if self.right + self.wrong == 0 { 1.0 } else { self.right as f64 / (self.right + self.wrong) as f64 }
    }

    pub fn recall(&self) -> f64 {
        if self.right + self.missed == 0 {
            1.0
        } else {
            self.right as f64 / (self.right + self.missed) as f64
        }
    }

    fn all(&self) -> usize {
        self.right + self.wrong + self.missed + self.close + self.none
    }

    pub fn neither(&self) -> f64 {
        self.close as f64 / self.all().max(1) as f64
    }
}

/// Counts of all that is said, with the cases in which it was not true.
#[derive(Default)]
pub struct Tallies {
    pub all: BTreeMap<String, Tally>,
    pub trouble: Vec<String>,
}

impl Tallies {
    pub fn count(&mut self, name: &str, said: bool, truth: Option<bool>, told: impl Fn() -> String) {
        if !self.all.entry(name.to_owned()).or_default().count(said, truth) {
            self.trouble.push(format!("{name}: said {said}: {}", told()));
        }
    }

    pub fn add(&mut self, other: Self) {
        for (name, tally) in other.all {
            let all = self.all.entry(name).or_default();
            all.right += tally.right;
            all.wrong += tally.wrong;
            all.missed += tally.missed;
            all.close += tally.close;
            all.none += tally.none;
        }
        self.trouble.extend(other.trouble);
    }

    /// The lines of the table in `docs/judgement.md`.
    pub fn print(&self) {
        for (name, tally) in &self.all {
            let percent = |share: f64| format!("{:.1}%", 100.0 * share);
            let Tally { right, wrong, missed, none, .. } = tally;
            println!(
                "| {name} | {} ({right} of {}) | {} | {} | {} | {} |",
                percent(tally.precision()),
                right + wrong,
                percent(tally.recall()),
                right + missed,
                wrong + none,
                percent(tally.neither()),
            );
        }
    }
}
