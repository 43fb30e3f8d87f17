//! The problems of one input: the first are kept, all are counted.

use super::Problem;
use super::limits::PROBLEMS;

/// Problems as they are met. A person can use a few dozen; keeping a million would exhaust memory.
#[derive(Debug, Default)]
pub struct Problems {
    told: Vec<Problem>,
    count: u64,
}

impl Problems {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.note(|| problem);
    }

    /// Adds a problem that takes work to describe, which is done only where it is told.
    pub fn note(&mut self, problem: impl FnOnce() -> Problem) {
        self.count += 1;
        if self.count <= PROBLEMS.most {
            self.told.push(problem());
        }
    }

    /// Adds problems.
    pub fn extend(&mut self, problems: impl IntoIterator<Item = Problem>) {
        problems.into_iter().for_each(|problem| self.push(problem));
    }

    /// How many there are, told or not.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// True if further problems are only counted.
    pub fn is_full(&self) -> bool {
        self.count >= PROBLEMS.most
    }

    /// The first of them, and how many more there are.
    pub fn into_told(mut self) -> Vec<Problem> {
        let more = self.count - self.told.len() as u64;
        self.told.extend((more > 0).then(|| Problem::new("limit.more-problems").with("count", more)));
        self.told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_beyond_the_limit_are_counted_in_one_that_says_so() {
        for (count, told) in [(0, 0), (49, 49), (50, 50), (51, 51), (1000, 51)] {
            let mut problems = Problems::new();
            problems.extend((0..count).map(|_| Problem::new("json.missing")));
            assert_eq!(problems.len(), count);
            let all = problems.into_told();
            assert_eq!(all.len(), told, "{count}");
            if count > 50 {
                assert_eq!(all[50].args["count"], (count - 50).to_string());
            }
        }
    }
}
