//! Versions of a cell that a family keeps.

use crate::base::units::SECOND;
use crate::design::Family;

/// How many versions of a cell a family keeps, and how long.
///
/// Source: `ScanWildcardColumnTracker.checkVersion` of HBase 2.6.4, which major compactions and reads use alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionRule {
    most: usize,
    least: usize,
    /// Milliseconds that a cell lives.
    ttl: Option<i64>,
}

impl From<&Family> for VersionRule {
    fn from(family: &Family) -> Self {
        Self {
            most: family.versions.max(1) as usize,
            least: family.min_versions.unwrap_or(0) as usize,
            ttl: family.ttl.map(|seconds| i64::from(seconds) * SECOND),
        }
    }
}

impl VersionRule {
    /// How many of the versions with these timestamps, in milliseconds, are left at `now`. Writes with one timestamp are one version:
    /// the last one hides the others.
    pub fn left(&self, times: &mut Vec<i64>, now: i64) -> usize {
        crate::bytes::sort::sort_distinct(times);
        let expired = |time: i64| self.ttl.is_some_and(|ttl| time < now.saturating_sub(ttl));
        let newest = times.iter().rev().take(self.most).enumerate();
        newest.take_while(|&(place, &time)| place < self.least || !expired(time)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(family: Family, times: &[i64], now: i64) -> usize {
        VersionRule::from(&family).left(&mut times.to_vec(), now)
    }

    #[test]
    fn versions_are_kept_by_number_age_and_least_number() {
        let family = || Family::named("d");
        assert_eq!(left(family(), &[1, 2, 3], 9), 1);
        assert_eq!(left(Family { versions: 2, ..family() }, &[1, 3, 2, 3], 9), 2);
        let aging = Family { versions: 5, ttl: Some(1), ..family() };
        // A version as old as the TTL still lives.
        assert_eq!(left(aging.clone(), &[1000, 999, 2000], 2000), 2);
        assert_eq!(left(aging.clone(), &[1000, 999, 2000], 9000), 0);
        assert_eq!(left(Family { min_versions: Some(2), ..aging }, &[1000, 999, 2000], 9000), 2);
    }
}
