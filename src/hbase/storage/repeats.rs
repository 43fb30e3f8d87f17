//! Rows of more records than were measured, where records repeat row keys: an estimate.

use super::lengths::KeyLengths;
use crate::base::figures::share;
use crate::keys::quarters::QuarterRecords;
use serde::Serialize;

/// Shares of new rows differ if their numbers lie so many standard deviations apart.
const DEVIATIONS: u64 = 2;

/// How many records bring a new row, and whether fewer and fewer do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewRows {
    /// Records measured, and rows of them.
    measured: [u64; 2],
    /// The last quarter of them but one, and the last.
    quarters: [QuarterRecords; 2],
    /// True if the share of new rows falls from quarter to quarter; else it stays as in the last one.
    pub falling: bool,
}

/// Rows of the records to come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowsAhead {
    /// Records written by then.
    pub records: u64,
    /// Rows of them: an estimate.
    pub rows: u64,
    /// Share of new rows in the last quarter of the measured records but one, and in the last.
    pub shares: [f64; 2],
    /// True if the share is taken to fall on at the same rate, else to stay.
    pub falling: bool,
}

impl NewRows {
    /// From measured keys; `None` where no key repeats or the order of records is not known.
    pub fn of(keys: &KeyLengths) -> Option<Self> {
        let repeated = &keys.duplicates;
        let [_, _, third, last] = repeated.quarters.filter(|_| repeated.rows > 0)?;
        let [[more, before], [records, new]] = [third, last];
        if more == 0 || records == 0 {
            return None;
        }
        // As many as in the quarter before would be, had both as many records.
        let expected = share(before, records, more);
        let fewer = expected.saturating_sub(new);
        let noise = (DEVIATIONS * DEVIATIONS).saturating_mul(expected.saturating_add(new));
        let falling = fewer.saturating_mul(fewer) > noise;
        let measured = [keys.count, repeated.kept(keys.count, 1)];
        Some(Self { measured, quarters: [third, last], falling })
    }

    /// Rows of so many records, those that were measured first.
    pub fn rows(&self, records: u64) -> u64 {
        let [measured, rows] = self.measured;
        let [_, [of, new]] = self.quarters;
        let Some(more) = records.checked_sub(measured) else { return share(records, rows, measured) };
        if !self.falling {
            return rows.saturating_add(share(more, new, of));
        }
        // Each further quarter has this part of the new rows of the one before.
        let [earlier, later] = self.shares();
        let part = later / earlier;
        let (whole, rest) = (more / of, (more % of) as f64 / of as f64);
        let after = power(part, whole);
        let sum = part * (1.0 - after) / (1.0 - part) + after * part * rest;
        rows.saturating_add((new as f64 * sum).round() as u64).min(records)
    }

    /// Shares of new rows in the last quarter but one, and in the last.
    fn shares(&self) -> [f64; 2] {
        self.quarters.map(|[records, new]| new as f64 / records.max(1) as f64)
    }

    /// Rows of so many records, with what is assumed.
    pub fn ahead(&self, records: u64) -> RowsAhead {
        RowsAhead { records, rows: self.rows(records), shares: self.shares(), falling: self.falling }
    }
}

/// A power by squaring: the same on every machine, which `powi` does not promise.
fn power(base: f64, exponent: u64) -> f64 {
    let (mut result, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result *= square;
        }
        square *= square;
        left /= 2;
    }
    result
}
