//! When records arrive: a round period and a curve over it.

use super::numbers::stride;
use crate::base::units::{DAY, HOUR};
use crate::records::field::time::TimeFormat;
use crate::records::generate::{GeneratorSpec, Rhythm};

/// Units of the period, the longest first, with their names in a span of time.
const UNITS: [(i64, &str); 5] = [(DAY, "d"), (HOUR, "h"), (60_000, "m"), (1000, "s"), (1, "ms")];
/// Greatest weight of a curve.
const GREATEST: u64 = 999;

/// Describes ascending times by a curve of at most `parts` weights.
pub fn describe(times: &[i64], parts: usize, spec: &mut GeneratorSpec) {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return };
    let fits = |unit: i64| last.abs_diff(first) / unit.unsigned_abs() >= 50;
    let (unit, name) = UNITS.into_iter().find(|(unit, _)| fits(*unit)).unwrap_or((1, "ms"));
    let (tick, rest) = stride(times);
    let is_even = tick > 1 && unit % tick == 0;
    spec.tick = u32::try_from(tick).ok().filter(|_| is_even);
    let start = first.div_euclid(unit) * unit + if is_even { rest } else { 0 };
    let units = (last - start).div_euclid(unit).max(0) + 1;
    let Some(text) = TimeFormat::parse("iso8601", None).ok().and_then(|format| format.print(start)) else {
        return;
    };
    spec.start = text;
    spec.span = format!("{units}{name}");
    let parts = usize::try_from(units).unwrap_or(parts).clamp(1, parts);
    let span = i128::from(units * unit);
    let mut rows = vec![0u64; parts];
    for time in times {
        let place = i128::from(time - start) * parts as i128 / span;
        if let Some(rows) = rows.get_mut(place as usize) {
            *rows += 1;
        }
    }
    let most = rows.iter().copied().max().unwrap_or(1).max(1);
    let mean = times.len() as f64 / parts as f64;
    let is_flat = rows.iter().all(|&rows| (rows as f64 - mean).abs() <= 4.0 * mean.sqrt());
    spec.rhythm = if is_flat {
        Rhythm::Flat
    } else {
        let scaled =
            |rows: &u64| if *rows == 0 { 0 } else { (rows * GREATEST / most.max(GREATEST)).max(1) as u32 };
        Rhythm::Curve(rows.iter().map(scaled).collect())
    };
}
