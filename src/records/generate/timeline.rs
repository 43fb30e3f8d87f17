//! When records arrive.

use super::random::Random;
use super::spec::{GeneratorSpec, Rhythm};
use crate::base::units::{DAY, HOUR};
use crate::base::{Problem, limits};
use crate::records::field::time::TimeFormat;

/// Longest span: 100 years.
const LONGEST: i64 = 100 * 365 * DAY;
/// Greatest weight of an hour: with more, sums over the longest span would not fit.
const GREATEST_WEIGHT: u32 = 1_000_000;
/// Most weights of a curve.
const LONGEST_CURVE: usize = limits::CURVE.most as usize;
/// Arrivals by the hour of a day in a telephone network.
const DAILY: [u32; 24] =
    [2, 1, 1, 1, 1, 2, 4, 8, 12, 14, 14, 13, 12, 11, 12, 13, 13, 14, 15, 16, 14, 10, 6, 3];

/// Spreads records over a span of time.
#[derive(Debug)]
pub struct Timeline {
    rows: u64,
    /// Ascending: sum of weights up to, and time at, the beginning of each stretch of even arrivals; the end is last.
    stretches: Vec<(u128, i64)>,
    /// Times are so many milliseconds after the first, or multiples of it.
    tick: (i64, i64),
    late_percent: u64,
    late_by: u64,
}

impl Timeline {
    /// As described. Errors: a start that is not ISO 8601, a span that cannot be read or is over 100 years, weights that are not 24 or all 0.
    pub fn new(spec: &GeneratorSpec) -> Result<Self, Problem> {
        let start = TimeFormat::parse("iso8601", None)?
            .read(spec.start.as_bytes())
            .ok_or_else(|| Problem::new("generate.bad-start").with("found", &spec.start))?;
        let span = match spec.rate {
            Some(rate) => (i128::from(spec.rows) * 1000 / i128::from(rate.max(1))) as i64,
            None => duration(&spec.span)?,
        };
        if !(0..=LONGEST).contains(&span) {
            return Err(Problem::new("generate.bad-span").with("found", &spec.span));
        }
        let weights: &[u32] = match &spec.rhythm {
            Rhythm::Flat => &[1; 24],
            Rhythm::Daily => &DAILY,
            Rhythm::Weights(weights) | Rhythm::Curve(weights) => weights,
        };
        let curve = matches!(spec.rhythm, Rhythm::Curve(_));
        let fits = if curve { (1..=LONGEST_CURVE).contains(&weights.len()) } else { weights.len() == 24 };
        if !fits
            || weights.iter().all(|&weight| weight == 0)
            || weights.iter().any(|&weight| weight > GREATEST_WEIGHT)
        {
            let code = if curve { "generate.bad-curve" } else { "generate.bad-rhythm" };
            return Err(Problem::new(code).with("found", weights.len()).with("most", LONGEST_CURVE));
        }
        let end = start.saturating_add(span);
        let (mut time, mut sum) = (start, 0);
        let mut stretches = vec![(0, start)];
        if curve {
            let parts = weights.len() as i128;
            for (weight, part) in weights.iter().zip(1..) {
                let next = start.saturating_add((i128::from(span) * part / parts) as i64);
                sum += u128::from(*weight) * time.abs_diff(next) as u128;
                stretches.push((sum, next));
                time = next;
            }
        }
        while time < end {
            let next = (time.div_euclid(HOUR) + 1).saturating_mul(HOUR).min(end);
            let hour = time.div_euclid(HOUR).rem_euclid(24) as usize;
            sum += weights.get(hour).map_or(0, |&weight| u128::from(weight) * time.abs_diff(next) as u128);
            stretches.push((sum, next));
            time = next;
        }
        let late = spec.late.as_ref();
        let late_by = late.map(|late| duration(&late.by)).transpose()?.unwrap_or(0).max(0) as u64;
        let late_percent = late.map_or(0, |late| u64::from(late.percent));
        let tick = (start, i64::from(spec.tick.unwrap_or(1).max(1)));
        Ok(Self { rows: spec.rows.max(1), stretches, tick, late_percent, late_by })
    }

    /// The time of record `row`, in milliseconds: a little after the one before it unless it is late.
    pub fn arrival(&self, row: u64, random: &mut Random) -> i64 {
        let total = self.stretches.last().map_or(0, |&(sum, _)| sum);
        let place = u128::from(row) << 32 | u128::from(random.next() >> 32);
        let target = (place * total / u128::from(self.rows)) >> 32;
        let after = self.stretches.partition_point(|&(sum, _)| sum <= target);
        let begin =
            after.checked_sub(1).and_then(|index| self.stretches.get(index)).copied().unwrap_or_default();
        let time = match self.stretches.get(after) {
            Some(&(sum, end)) if sum > begin.0 => {
                let share = (target - begin.0) * u128::from(begin.1.abs_diff(end)) / (sum - begin.0);
                begin.1 + share as i64
            }
            _ => begin.1,
        };
        let time = time - time.saturating_sub(self.tick.0).rem_euclid(self.tick.1);
        let late = random.next();
        if late % 100 < self.late_percent {
            time.saturating_sub_unsigned(random.below(self.late_by))
        } else {
            time
        }
    }
}

/// A length of time such as `90s`, `15m`, `12h`, `7d`, in milliseconds.
fn duration(text: &str) -> Result<i64, Problem> {
    let unit = |unit: &str| match unit {
        "ms" => Some(1),
        "s" => Some(1000),
        "m" => Some(60_000),
        "h" => Some(HOUR),
        "d" => Some(24 * HOUR),
        _ => None,
    };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, name) = text.split_at_checked(digits).unwrap_or((text, ""));
    let millis =
        number.parse::<i64>().ok().zip(unit(name)).and_then(|(number, unit)| number.checked_mul(unit));
    millis.ok_or_else(|| Problem::new("generate.bad-span").with("found", text))
}
