//! Numbers as a histogram whose edges are round, so that none of them is a value but by accident.

use crate::records::generate::ValueSource;

/// Greatest bound written: more is rounded where JSON is read as doubles.
const GREATEST: i64 = 9_200_000_000_000_000_000;
/// The greatest whole number that a double holds with all below it.
const EXACT: i64 = 1 << 53;

/// The common step of these ascending numbers, and the remainder.
pub fn stride(numbers: &[i64]) -> (i64, i64) {
    let mut stride: u64 = 0;
    for pair in numbers.windows(2) {
        let [low, high] = pair else { continue };
        stride = gcd(stride, high.abs_diff(*low));
        if stride == 1 {
            break;
        }
    }
    let stride = i64::try_from(stride.max(1)).unwrap_or(1).min(1 << 40);
    (stride, numbers.first().map_or(0, |first| first.rem_euclid(stride)))
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A round step of which a span has at least `parts`; 10 for short ones, so that no edge tells a value to its last digit.
pub fn round_step(span: u64, parts: u64) -> i64 {
    let mut step: i64 = 10;
    while u64::try_from(step).is_ok_and(|step| span / parts / 10 >= step) && step < 1 << 55 {
        step *= 10;
    }
    step
}

/// Ascending numbers with their counts as at most `most` ranges: those with most records are the finest.
pub fn histogram(numbers: &[(i64, u32)], (stride, rest): (i64, i64), most: usize) -> Vec<(ValueSource, u32)> {
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return Vec::new() };
    let step = round_step(last.0.abs_diff(first.0), 100);
    let low = first.0.div_euclid(step).saturating_mul(step);
    let high = (last.0.div_euclid(step).saturating_add(1)).saturating_mul(step);
    let rows: u64 = numbers.iter().map(|(_, count)| u64::from(*count)).sum();
    let count = |low: i64, high: i64| -> u64 {
        let from = numbers.partition_point(|(number, _)| *number < low);
        let to = numbers.partition_point(|(number, _)| *number < high);
        numbers.get(from..to).unwrap_or_default().iter().map(|(_, count)| u64::from(*count)).sum()
    };
    let mut ranges = vec![(low, high, rows)];
    while ranges.len() < most {
        let wide = ranges.iter().enumerate().filter(|(_, (low, high, rows))| {
            *rows > 0 && high.abs_diff(*low) >= step.saturating_mul(2).unsigned_abs()
        });
        let Some((place, &(low, high, rows))) = wide.max_by_key(|(_, (.., rows))| *rows) else { break };
        let half = (high.abs_diff(low) / 2) as i64;
        let middle = (low + half).div_euclid(step) * step;
        let middle = if middle <= low { low + step } else { middle };
        let below = count(low, middle);
        ranges.splice(place..=place, [(low, middle, below), (middle, high, rows - below)]);
    }
    let exact = |bound: i64| {
        let bound = bound.clamp(-GREATEST, GREATEST);
        if (-EXACT..=EXACT).contains(&bound) { bound } else { bound.div_euclid(4096) * 4096 }
    };
    let source = |(low, high, rows): (i64, i64, u64)| {
        let min = exact(low.saturating_add((rest - low.rem_euclid(stride)).rem_euclid(stride)));
        let max = exact(high.saturating_sub(1)).max(min);
        (ValueSource::Number { min, max, step: stride }, rows)
    };
    let filled = ranges.into_iter().filter(|(.., rows)| *rows > 0);
    filled.map(source).map(|(source, rows)| (source, u32::try_from(rows).unwrap_or(u32::MAX))).collect()
}
