//! Reading times by pattern.

use super::civil;
use super::items::{PatternItem, TimeUnit};
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};

/// The places of a pattern whose texts are all as long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatternLayout {
    length: usize,
    literals: Vec<(usize, u8)>,
    /// Unit, place and digits of each number.
    pub(super) numbers: Vec<(TimeUnit, usize, usize)>,
    /// For units that are written twice: the values that must agree.
    pub(super) repeated: Vec<(TimeUnit, usize, usize)>,
}

impl PatternLayout {
    pub(super) fn of(items: &[PatternItem]) -> Option<Self> {
        let mut layout = Self::default();
        for item in items {
            match item {
                PatternItem::Literal(literal) => {
                    layout.literals.extend((layout.length..).zip(literal.iter().copied()));
                    layout.length += literal.len();
                }
                PatternItem::Number { min, max, .. } if min != max => return None,
                PatternItem::Number { unit, max, again, .. } => {
                    let numbers = if *again { &mut layout.repeated } else { &mut layout.numbers };
                    numbers.push((*unit, layout.length, *max));
                    layout.length += max;
                }
            }
        }
        Some(layout)
    }

    /// Reads a text of just this length; a year of two digits is one of the century that begins `century` years after 2000.
    #[inline]
    pub fn read(&self, text: &[u8], century: i64) -> Option<i64> {
        if text.len() != self.length || self.literals.iter().any(|&(place, byte)| text[place] != byte) {
            return None;
        }
        let mut time = TimeParts::of_century(century);
        for &(unit, place, width) in &self.numbers {
            let digit = |place: usize| i64::from(text[place].wrapping_sub(b'0'));
            let number = if width == 2 {
                let (tens, ones) = (digit(place), digit(place + 1));
                if tens > 9 || ones > 9 {
                    return None;
                }
                tens * 10 + ones
            } else {
                read_digits(text.get(place..)?, width, width)?.0
            };
            time.set(unit, number, width)?;
        }
        let millis = time.millis()?;
        let agrees = |&(unit, place, width): &(TimeUnit, usize, usize)| {
            let number = read_digits(text.get(place..)?, width, width)?.0;
            (unit.of(millis, width) == number).then_some(())
        };
        self.repeated.iter().try_for_each(agrees)?;
        Some(millis)
    }
}

/// A time being read; what is not said is that of 1970-01-01 00:00:00.
pub(super) struct TimeParts {
    year: i64,
    month: i64,
    day: i64,
    time: i64,
    /// The year that is written 00.
    century: i64,
}

impl TimeParts {
    /// Nothing said; years of two digits are those of the century that begins `century` years after 2000.
    pub(super) fn of_century(century: i64) -> Self {
        Self { year: 1970, month: 1, day: 1, time: 0, century: 2000 + century }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, unit: TimeUnit, number: i64, width: usize) -> Option<()> {
        match unit {
            TimeUnit::Year if width == 2 => self.year = self.century + number,
            TimeUnit::Year => self.year = number,
            TimeUnit::Month => self.month = number,
            TimeUnit::Day => self.day = number,
            TimeUnit::Hour if number < 24 => self.time += number * HOUR,
            TimeUnit::Minute if number < 60 => self.time += number * MINUTE,
            TimeUnit::Second if number < 60 => self.time += number * SECOND,
            TimeUnit::Fraction => self.time += scale(number, width),
            _ => return None,
        }
        Some(())
    }

    #[inline]
    pub(super) fn millis(self) -> Option<i64> {
        let month = (1..=12).contains(&self.month) && self.year > 0;
        let date = month && (1..=civil::days_in_month(self.year, self.month)).contains(&self.day);
        date.then(|| civil::days_of(self.year, self.month, self.day) * DAY + self.time)
    }
}

/// From `min` to `max` digits, as many as there are, and what follows them.
#[inline]
pub(super) fn read_digits(text: &[u8], min: usize, max: usize) -> Option<(i64, &[u8])> {
    let mut number = 0;
    let mut count = 0;
    for byte in text.iter().take(max) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        number = number * 10 + i64::from(digit);
        count += 1;
    }
    (count >= min).then(|| (number, text.get(count..).unwrap_or(&[])))
}

/// A fraction of `width` digits in milliseconds; finer digits are dropped.
fn scale(number: i64, width: usize) -> i64 {
    match width {
        0..=3 => number * 10i64.pow(3 - width as u32),
        _ => number / 10i64.pow(width as u32 - 3),
    }
}
