//! The items of a pattern: literals and numbers.

use super::civil;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};

/// The unit that a run of letters writes, from the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TimeUnit {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
    Fraction,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PatternItem {
    Literal(Vec<u8>),
    /// At least `min` digits, at most `max`.
    Number {
        unit: TimeUnit,
        min: usize,
        max: usize,
        /// How many digits follow it before the next byte that is none.
        after: usize,
        /// True if its unit is read from another number.
        again: bool,
    },
}

impl TimeUnit {
    /// The number that is written for a date and the milliseconds of its day, in up to `width` digits.
    #[inline]
    pub(super) fn number(self, (year, month, day): (i64, i64, i64), time: i64, width: usize) -> i64 {
        match self {
            Self::Year if width == 2 => year % 100,
            Self::Year => year,
            Self::Month => month,
            Self::Day => day,
            Self::Hour => time / HOUR,
            Self::Minute => time / MINUTE % 60,
            Self::Second => time / SECOND % 60,
            Self::Fraction if width < 3 => time % SECOND / 10i64.pow(3 - width as u32),
            Self::Fraction => time % SECOND * 10i64.pow(width as u32 - 3),
        }
    }

    /// As [`TimeUnit::number`] of a local time in milliseconds.
    pub(super) fn of(self, millis: i64, width: usize) -> i64 {
        self.number(civil::date_of(millis.div_euclid(DAY)), millis.rem_euclid(DAY), width)
    }
}

pub(super) const DIGITS: &[u8] = b"0123456789";
