//! Writing many times by one pattern.

use super::civil;
use super::items::TimeUnit;
use super::pattern::TimePattern;
use crate::base::units::{DAY, MINUTE, SECOND};

/// Writes many times: the text of a day is kept, and only its clock is written anew.
#[derive(Clone, Debug)]
pub struct TimeWriter {
    pattern: TimePattern,
    /// Place and width of the hours, minutes, seconds and fractions; `None` when places vary.
    clock: Option<Vec<(usize, TimeUnit, usize)>>,
    text: Vec<u8>,
    day: Option<i64>,
}

impl TimePattern {
    /// A writer of many times.
    pub fn writer(&self) -> TimeWriter {
        TimeWriter::new(self.clone())
    }
}

impl TimeWriter {
    fn new(pattern: TimePattern) -> Self {
        let clock = pattern.layout().map(|layout| {
            let finer =
                layout.numbers.iter().chain(&layout.repeated).filter(|(unit, ..)| *unit >= TimeUnit::Hour);
            finer.map(|&(unit, place, width)| (place, unit, width)).collect()
        });
        Self { pattern, clock, text: Vec::new(), day: None }
    }

    /// As [`TimePattern::write`].
    #[inline(always)]
    pub fn write(&mut self, millis: i64, out: &mut Vec<u8>) -> Option<()> {
        let Some(clock) = &self.clock else { return self.pattern.write(millis, out) };
        let (day, time) = (millis.div_euclid(DAY), millis.rem_euclid(DAY) as u32);
        if self.day != Some(day) {
            self.day = None;
            self.text.clear();
            self.pattern.write_parts(civil::date_of(day), 0, &mut self.text)?;
            self.day = Some(day);
        }
        let (minutes, seconds) = (time / MINUTE as u32, time / SECOND as u32);
        for &(place, unit, width) in clock {
            let number = match unit {
                TimeUnit::Hour => minutes / 60,
                TimeUnit::Minute => minutes % 60,
                TimeUnit::Second => seconds % 60,
                _ => {
                    let digits = self.text.get_mut(place..place + width)?;
                    let millis = time % SECOND as u32;
                    let first = [millis / 100, millis / 10 % 10, millis % 10].map(|digit| b'0' + digit as u8);
                    digits.iter_mut().zip(first).for_each(|(digit, new)| *digit = new);
                    continue;
                }
            };
            if let Some([tens, ones]) = self.text.get_mut(place..place + 2) {
                (*tens, *ones) = (b'0' + (number / 10) as u8, b'0' + (number % 10) as u8);
            }
        }
        out.extend_from_slice(&self.text);
        Some(())
    }
}
