//! A region for each day, week, month or year: for keys that begin with a date.

use crate::base::Problem;
use crate::base::units::DAY;
use crate::bytes::strings::ByteStrings;
use crate::records::field::time::TimePattern;
use crate::records::field::time::civil::{date_of, days_in_month, days_of};

/// How long a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionPeriod {
    /// How many.
    pub count: u32,
    /// The unit: `d`, `w`, `M` or `y`.
    pub unit: CalendarUnit,
}

/// A length of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalendarUnit {
    /// `d`
    Day,
    /// `w`
    Week,
    /// `M`
    Month,
    /// `y`
    Year,
}

const UNITS: [(&str, CalendarUnit); 4] = [
    ("d", CalendarUnit::Day),
    ("w", CalendarUnit::Week),
    ("M", CalendarUnit::Month),
    ("y", CalendarUnit::Year),
];

impl RegionPeriod {
    /// Reads `1d`, `2w`, `1M`, `1y`.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, unit) = UNITS.iter().find(|(name, _)| text.ends_with(name))?;
        let count = text.strip_suffix(name)?.parse().ok().filter(|&count| (1..=10_000).contains(&count))?;
        Some(Self { count, unit: *unit })
    }

    /// As [`RegionPeriod::parse`] reads it.
    pub fn print(self) -> String {
        let name = UNITS.iter().find(|(_, unit)| *unit == self.unit).map_or("d", |(name, _)| name);
        format!("{}{name}", self.count)
    }
}

/// Dates from `from` up to `to`, a region each.
#[derive(Clone, Debug, PartialEq)]
pub struct DateSplits {
    /// First date, where the second region begins: days since 1970-01-01.
    pub from: i64,
    /// Date before which they end.
    pub to: i64,
    /// How long a region is.
    pub every: RegionPeriod,
    /// How the key writes the date: a Java pattern.
    pub format: String,
}

/// Reads `2021-09-01` as days since 1970-01-01.
pub fn read_date(text: &str) -> Option<i64> {
    Some(TimePattern::parse("yyyy-MM-dd").ok()?.read(text.as_bytes())?.div_euclid(DAY))
}

/// Prints days since 1970-01-01 as [`read_date`] reads them.
pub fn print_date(days: i64) -> String {
    let (year, month, day) = date_of(days);
    format!("{year:04}-{month:02}-{day:02}")
}

impl DateSplits {
    /// The dates as they are written in the keys.
    ///
    /// # Errors
    /// A pattern that is not understood or writes two of the dates alike; dates turned around; too many.
    pub fn keys(&self) -> Result<ByteStrings, Problem> {
        let pattern = TimePattern::parse(&self.format)?;
        if self.from >= self.to {
            return Err(super::limits::reversed(
                print_date(self.from).as_bytes(),
                print_date(self.to).as_bytes(),
            ));
        }
        let mut keys = ByteStrings::default();
        for step in 0.. {
            let day = self.day(step);
            if day >= self.to {
                break;
            }
            super::limits::check_size(step.unsigned_abs() + 1, keys.bytes.len() as u64)?;
            let written = day.checked_mul(DAY).and_then(|time| pattern.write(time, &mut keys.bytes));
            if written.is_none() {
                return Err(Problem::new("split.date-unwritable").with("date", print_date(day)));
            }
            keys.end();
        }
        Ok(keys)
    }

    /// Date of the region after `step` others.
    fn day(&self, step: i64) -> i64 {
        let steps = step.saturating_mul(i64::from(self.every.count));
        let months = match self.every.unit {
            CalendarUnit::Day => return self.from.saturating_add(steps),
            CalendarUnit::Week => return self.from.saturating_add(steps.saturating_mul(7)),
            CalendarUnit::Month => steps,
            CalendarUnit::Year => steps.saturating_mul(12),
        };
        let (year, month, day) = date_of(self.from);
        let months = (month - 1).saturating_add(months);
        let (year, month) = (year.saturating_add(months.div_euclid(12)), months.rem_euclid(12) + 1);
        // The 31st of a month becomes the last day of a shorter one.
        days_of(year, month, day.min(days_in_month(year, month)))
    }
}
