//! Where the texts of a pattern that leaves out the year begin anew.

use super::civil;
use super::items::TimeUnit;
use super::pattern::TimePattern;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};

/// A leap year: every day of the calendar is in it.
const LEAP_YEAR: i64 = 2000;

/// Milliseconds at which a date begins.
fn begin((year, month, day): (i64, i64, i64)) -> i64 {
    civil::days_of(year, month, day).saturating_mul(DAY)
}

impl TimePattern {
    /// The first local time above `local` at which texts begin anew, for a pattern that goes from one unit to finer
    /// ones: New Year when it begins with the month, a century when it begins with a year of two digits.
    pub fn turn(&self, local: i64) -> Option<i64> {
        let (unit, width) = self.numbers().next()?;
        let (year, month, _) = civil::date_of(local.div_euclid(DAY));
        let next = |period: i64| local.div_euclid(period).checked_add(1)?.checked_mul(period);
        match unit {
            TimeUnit::Year if width == 2 => Some(begin((year.div_euclid(100) * 100 + 100, 1, 1))),
            TimeUnit::Year => None,
            TimeUnit::Month => Some(begin((year + 1, 1, 1))),
            TimeUnit::Day if month == 12 => Some(begin((year + 1, 1, 1))),
            TimeUnit::Day => Some(begin((year, month + 1, 1))),
            TimeUnit::Hour => next(DAY),
            TimeUnit::Minute => next(HOUR),
            TimeUnit::Second => next(MINUTE),
            TimeUnit::Fraction => next(SECOND),
        }
    }

    /// Local times, the first and the last, among which every text occurs; `None` when it tells the years apart.
    pub fn cycle(&self) -> Option<(i64, i64)> {
        let first = begin((LEAP_YEAR, 1, 1));
        let numbers: Vec<(TimeUnit, usize)> = self.numbers().collect();
        let length = match numbers.iter().map(|&(unit, _)| unit).min()? {
            TimeUnit::Year if numbers.contains(&(TimeUnit::Year, 4)) => return None,
            TimeUnit::Year => return Some((first, begin((LEAP_YEAR + 100, 1, 1)) - 1)),
            TimeUnit::Month => 366 * DAY,
            TimeUnit::Day => 31 * DAY,
            TimeUnit::Hour => DAY,
            TimeUnit::Minute => HOUR,
            TimeUnit::Second => MINUTE,
            TimeUnit::Fraction => SECOND,
        };
        Some((first, first + length - 1))
    }
}
