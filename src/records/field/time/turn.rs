//! Where the texts of a pattern that leaves out the year begin anew.

use super::civil;
use super::items::Unit;
use super::pattern::Pattern;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};

/// A leap year: every day of the calendar is in it.
const LEAP_YEAR: i64 = 2000;

/// Milliseconds at which a date begins.
fn begin((year, month, day): (i64, i64, i64)) -> i64 {
    civil::days_of(year, month, day).saturating_mul(DAY)
}

impl Pattern {
    /// The first local time above `local` at which texts begin anew, for a pattern that goes from one unit to finer
    /// ones: New Year when it begins with the month, a century when it begins with a year of two digits.
    pub fn turn(&self, local: i64) -> Option<i64> {
        let (unit, width) = self.numbers().next()?;
        let (year, month, _) = civil::date_of(local.div_euclid(DAY));
        let next = |period: i64| local.div_euclid(period).checked_add(1)?.checked_mul(period);
        match unit {
            Unit::Year if width == 2 => Some(begin((year.div_euclid(100) * 100 + 100, 1, 1))),
            Unit::Year => None,
            Unit::Month => Some(begin((year + 1, 1, 1))),
            Unit::Day if month == 12 => Some(begin((year + 1, 1, 1))),
            Unit::Day => Some(begin((year, month + 1, 1))),
            Unit::Hour => next(DAY),
            Unit::Minute => next(HOUR),
            Unit::Second => next(MINUTE),
            Unit::Fraction => next(SECOND),
        }
    }

    /// Local times, the first and the last, among which every text occurs; `None` when it tells the years apart.
    pub fn cycle(&self) -> Option<(i64, i64)> {
        let first = begin((LEAP_YEAR, 1, 1));
        let numbers: Vec<(Unit, usize)> = self.numbers().collect();
        let length = match numbers.iter().map(|&(unit, _)| unit).min()? {
            Unit::Year if numbers.contains(&(Unit::Year, 4)) => return None,
            Unit::Year => return Some((first, begin((LEAP_YEAR + 100, 1, 1)) - 1)),
            Unit::Month => 366 * DAY,
            Unit::Day => 31 * DAY,
            Unit::Hour => DAY,
            Unit::Minute => HOUR,
            Unit::Second => MINUTE,
            Unit::Fraction => SECOND,
        };
        Some((first, first + length - 1))
    }
}
