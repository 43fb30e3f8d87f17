//! Makes the values of one field.

use super::random::{Random, zipf};
use super::spec::{Entities, ValueSource};
use crate::base::Problem;
use std::io::Write;

/// Most entities of one field: their weights are held in memory.
const MOST_ENTITIES: u64 = 10_000_000;
/// Most digits of a number: those of the greatest 64-bit number, less one.
const MOST_DIGITS: u32 = 18;

/// Greatest exponent, in hundredths: beyond it the first takes all.
const MOST_ZIPF: u32 = 1000;

/// What a maker made.
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
    /// Of the record's time.
    Arrival,
    /// Of one of many things: cumulative weights (empty when all are alike) and where the numbers begin.
    Entity(Entities, Vec<u64>, u64),
    /// Of the row number.
    Sequence { start: i64, step: i64, digits: usize, prefix: String },
    /// Of a range: least, and how many there are.
    Number(i64, u64),
    /// Of a list.
    Choice(Vec<String>),
    /// Of a pattern.
    Text(String),
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
                let most = MOST_ENTITIES.min(10u64.pow(digits));
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
            ValueSource::Sequence { start, step, digits, prefix } => Self::Sequence {
                start: *start,
                step: *step,
                digits: (*digits).min(MOST_DIGITS) as usize,
                prefix: prefix.clone(),
            },
            ValueSource::Number { min, max } => {
                if max < min {
                    return Err(Problem::new("generate.empty-range").with("min", min).with("max", max));
                }
                Self::Number(*min, max.abs_diff(*min).saturating_add(1))
            }
            ValueSource::Choice(values) if values.is_empty() => {
                return Err(Problem::new("generate.no-choice"));
            }
            ValueSource::Choice(values) => Self::Choice(values.clone()),
            ValueSource::Text(pattern) => Self::Text(pattern.clone()),
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
                let room = 10u64.pow(entities.digits);
                let number = if entities.scattered { scatter(rank, *base, room) } else { rank };
                text.extend_from_slice(entities.prefix.as_bytes());
                digits(text, number, entities.digits as usize);
            }
            Self::Sequence { start, step, digits: width, prefix } => {
                let number = start.wrapping_add(step.wrapping_mul(row as i64));
                if *width == 0 && prefix.is_empty() {
                    return MadeValue::Number(number);
                }
                text.extend_from_slice(prefix.as_bytes());
                if number < 0 {
                    text.push(b'-');
                }
                digits(text, number.unsigned_abs(), (*width).max(1));
            }
            Self::Number(min, count) => {
                return MadeValue::Number(min.wrapping_add(random.below(*count) as i64));
            }
            Self::Choice(values) => {
                let chosen = values.get(random.below(values.len() as u64) as usize);
                text.extend_from_slice(chosen.map(String::as_bytes).unwrap_or_default());
            }
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
