//! Makes the values of one field.

use super::random::{Random, zipf};
use super::shape;
use super::spec::{Entities, Shares, ValueSource};
use crate::base::{Problem, limits};
use std::io::Write;

/// Most entities of one field.
const MOST_ENTITIES: u64 = limits::ENTITIES.most;
/// Most digits of a number: those of the greatest 64-bit number, less one.
const MOST_DIGITS: u32 = 18;

/// Greatest exponent, in hundredths: beyond it the first takes all.
const MOST_ZIPF: u32 = 1000;

/// Most values that shares name, most sources of the rest, and most characters of a shape.
const MOST_SHARES: usize = limits::SHARES.most as usize;

/// The value that a source made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeValue {
    /// It wrote text.
    Text,
    /// A number, or a time in milliseconds.
    Number(i64),
}

/// Makes the values of one field.
#[derive(Debug)]
pub enum ValueMaker {
    /// Derived from the record's time.
    Arrival,
    /// One of many things: cumulative weights (empty when all are alike) and where the numbers begin.
    Entity(Entities, Vec<u64>, u64),
    /// Derived from the row number.
    Sequence { start: i64, step: i64, digits: usize, prefix: String, every: u64 },
    /// A number of a range: least, how many there are, and from one to the next.
    Number(i64, u64, i64),
    /// An entry of a list.
    Choice(Vec<String>),
    /// A text of a pattern.
    Text(String),
    /// By shares.
    Shares(SharesMaker),
}

/// Makes values by their shares.
#[derive(Debug)]
pub struct SharesMaker {
    /// Ascending sums of the weights of the values, then of the makers.
    sums: Vec<u64>,
    values: Vec<String>,
    rest: Vec<ValueMaker>,
    repeat: u64,
    /// The value made last.
    last: Option<(MadeValue, Vec<u8>)>,
}

impl SharesMaker {
    fn new(shares: &Shares, random: &mut Random) -> Result<Self, Problem> {
        let count = shares.values.len() + shares.rest.len();
        let weights = shares.values.iter().map(|(_, weight)| weight);
        let mut sum = 0;
        let sums: Vec<u64> = weights
            .chain(shares.rest.iter().map(|(_, weight)| weight))
            .map(|&weight| {
                sum += u64::from(weight);
                sum
            })
            .collect();
        let nested = shares.rest.iter().any(|(source, _)| matches!(source, ValueSource::Shares(_)));
        let things = shares.rest.iter().map(|(source, _)| match source {
            ValueSource::Entity(entities) => entities.count,
            _ => 0,
        });
        let things = things.fold(0, u64::saturating_add);
        if count > MOST_SHARES || sum == 0 || nested || things > MOST_ENTITIES {
            return Err(Problem::new("generate.bad-shares").with("count", count).with("most", MOST_SHARES));
        }
        let rest = shares.rest.iter().map(|(source, _)| ValueMaker::new(source, random));
        Ok(Self {
            sums,
            values: shares.values.iter().map(|(value, _)| value.clone()).collect(),
            rest: rest.collect::<Result<_, Problem>>()?,
            repeat: shares.repeat.into(),
            last: None,
        })
    }

    fn make(&mut self, row: u64, arrival: i64, random: &mut Random, text: &mut Vec<u8>) -> MadeValue {
        let repeats = self.repeat > 0 && random.below(10_000) < self.repeat;
        if let Some((made, last)) = self.last.as_ref().filter(|_| repeats) {
            text.extend_from_slice(last);
            return *made;
        }
        let target = random.below(self.sums.last().copied().unwrap_or_default());
        let chosen = self.sums.partition_point(|&sum| sum <= target);
        let begin = text.len();
        let mut made = MadeValue::Text;
        if let Some(value) = self.values.get(chosen) {
            text.extend_from_slice(value.as_bytes());
        } else if let Some(maker) = self.rest.get_mut(chosen.saturating_sub(self.values.len())) {
            made = maker.make(row, arrival, random, text);
        }
        if self.repeat > 0 {
            self.last = Some((made, text.get(begin..).unwrap_or_default().to_vec()));
        }
        made
    }
}

impl ValueMaker {
    /// For values from this source.
    pub fn new(source: &ValueSource, random: &mut Random) -> Result<Self, Problem> {
        Ok(match source {
            ValueSource::Arrival => Self::Arrival,
            ValueSource::Entity(entities) => {
                let digits = entities.digits;
                if digits > MOST_DIGITS {
                    return Err(Problem::new("generate.too-many-digits")
                        .with("digits", digits)
                        .with("most", MOST_DIGITS));
                }
                let shaped = !entities.shape.is_empty();
                if entities.shape.len() > MOST_SHARES {
                    return Err(Problem::new("generate.bad-shares")
                        .with("count", entities.shape.len())
                        .with("most", MOST_SHARES));
                }
                let most = if shaped { MOST_ENTITIES } else { MOST_ENTITIES.min(10u64.pow(digits)) };
                if !(1..=most).contains(&entities.count) {
                    return Err(Problem::new("generate.entity-count")
                        .with("count", entities.count)
                        .with("most", most));
                }
                if entities.zipf > MOST_ZIPF {
                    return Err(Problem::new("generate.zipf")
                        .with("zipf", entities.zipf)
                        .with("most", MOST_ZIPF));
                }
                let uniform = entities.zipf == 0;
                let weights = if uniform { Vec::new() } else { zipf(entities.count as usize, entities.zipf) };
                Self::Entity(entities.clone(), weights, random.next())
            }
            ValueSource::Sequence { start, step, digits, prefix, every } => Self::Sequence {
                start: *start,
                step: *step,
                digits: (*digits).min(MOST_DIGITS) as usize,
                prefix: prefix.clone(),
                every: (*every).max(1),
            },
            ValueSource::Number { min, max, step } => {
                if max < min || *step < 1 {
                    return Err(Problem::new("generate.empty-range").with("min", min).with("max", max));
                }
                let step = *step;
                Self::Number(*min, (max.abs_diff(*min) / step.unsigned_abs()).saturating_add(1), step)
            }
            ValueSource::Choice(values) if values.is_empty() => {
                return Err(Problem::new("generate.no-choice"));
            }
            ValueSource::Choice(values) => Self::Choice(values.clone()),
            ValueSource::Text(pattern) => Self::Text(pattern.clone()),
            ValueSource::Shares(shares) => Self::Shares(SharesMaker::new(shares, random)?),
        })
    }

    /// The value in row `row`, whose time is `arrival`. Text is appended to `text`.
    pub fn make(&mut self, row: u64, arrival: i64, random: &mut Random, text: &mut Vec<u8>) -> MadeValue {
        match self {
            Self::Arrival => return MadeValue::Number(arrival),
            Self::Entity(entities, weights, base) => {
                let rank = match weights.last() {
                    None => random.below(entities.count),
                    Some(&total) => {
                        let target = random.below(total);
                        weights.partition_point(|&sum| sum <= target) as u64
                    }
                };
                if let Some(name) = entities.known.get(rank as usize) {
                    text.extend_from_slice(name.as_bytes());
                    return MadeValue::Text;
                }
                text.extend_from_slice(entities.prefix.as_bytes());
                if !entities.shape.is_empty() {
                    shape::fill(&entities.shape, &mut Random::new(base.wrapping_add(rank)), text);
                    return MadeValue::Text;
                }
                let room = 10u64.pow(entities.digits);
                let number = if entities.scattered { scatter(rank, *base, room) } else { rank };
                digits(text, number, entities.digits as usize);
            }
            Self::Sequence { start, step, digits: width, prefix, every } => {
                let number = start.wrapping_add(step.wrapping_mul((row / *every) as i64));
                if *width == 0 && prefix.is_empty() {
                    return MadeValue::Number(number);
                }
                text.extend_from_slice(prefix.as_bytes());
                if number < 0 {
                    text.push(b'-');
                }
                digits(text, number.unsigned_abs(), (*width).max(1));
            }
            Self::Number(min, count, step) => {
                let steps = random.below(*count) as i64;
                return MadeValue::Number(min.wrapping_add(steps.wrapping_mul(*step)));
            }
            Self::Choice(values) => {
                let chosen = values.get(random.below(values.len() as u64) as usize);
                text.extend_from_slice(chosen.map(String::as_bytes).unwrap_or_default());
            }
            Self::Shares(shares) => return shares.make(row, arrival, random, text),
            Self::Text(pattern) => {
                for &byte in pattern.as_bytes() {
                    text.push(match byte {
                        b'#' => b'0' + random.below(10) as u8,
                        b'?' => b'A' + random.below(26) as u8,
                        b'*' => {
                            let digit = random.below(16) as u8;
                            if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }
                        }
                        byte => byte,
                    });
                }
            }
        }
        MadeValue::Text
    }
}

/// A number below `room`, a power of ten, for each rank: different ones for different ranks.
fn scatter(rank: u64, base: u64, room: u64) -> u64 {
    // No factor of ten, near the golden ratio of 10^18, so that the first ranks lie far apart.
    const FACTOR: u128 = 618_033_988_749_894_843;
    ((u128::from(rank) * FACTOR + u128::from(base)) % u128::from(room.max(1))) as u64
}

fn digits(text: &mut Vec<u8>, number: u64, width: usize) {
    // Writing to a vector cannot fail.
    let _ = if width == 0 { Ok(()) } else { write!(text, "{number:0width$}") };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn scattered_numbers_are_all_different() {
        for room in [10, 1000, 100_000] {
            let numbers: HashSet<u64> = (0..room).map(|rank| scatter(rank, 77, room)).collect();
            assert_eq!(numbers.len() as u64, room);
        }
    }
}
