//! Times: how their text is read and written, and the zone they are written in.

pub mod civil;
mod epoch;
mod items;
mod known;
mod layout;
mod named;
pub mod pattern;
mod runs;
mod text;
mod turn;
mod writer;

use epoch::Epoch;
use named::NamedPattern;
pub use pattern::TimePattern;
pub use text::read_integer;
pub use writer::TimeWriter;

use crate::base::Problem;
use crate::base::units::{DAY, HOUR};

/// The years 1 to 9999 in UTC: beyond them a number is no time, and a year has no four digits.
const YEARS: (i64, i64) = (-719_162 * DAY, 2_932_897 * DAY - 1);

fn within_years(millis: i64) -> Option<i64> {
    (YEARS.0..=YEARS.1).contains(&millis).then_some(millis)
}

/// How the times of a field are written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Notation {
    Pattern(TimePattern),
    Named(NamedPattern),
    Iso8601,
    Epoch(Epoch),
}

/// Reads and writes the times of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeFormat {
    notation: Notation,
    /// Milliseconds that local time is ahead of UTC.
    offset: i64,
}

impl TimeFormat {
    /// The notation named or patterned by `format` (`iso8601`; a number since 1970: `epoch-seconds`, `epoch-seconds.SSS`,
    /// `epoch-millis`, `epoch-micros`, `epoch-nanos`; or a Java pattern such as `yyyy-MM-dd HH:mm:ss`), in a zone such as `Z`
    /// or `+08:00`; without one, UTC. Beside the letters of [`TimePattern`] `MMM`, `MMMM`
    /// and `EEE` are the English names of a month and a day of the week, `h` with `a` the hour of half a day (`5 PM`), and `Z` or, at
    /// the end, `XXX` is an offset, `-0700` or `-07:00`.
    ///
    /// # Errors
    /// A pattern letter that is not known, with its column; numbers that run into each other; a zone that is not an offset.
    pub fn parse(format: &str, zone: Option<&str>) -> Result<Self, Problem> {
        let notation = match format {
            "iso8601" => Notation::Iso8601,
            format => match Epoch::named(format) {
                Some(epoch) => Notation::Epoch(epoch),
                None => patterned(format)?,
            },
        };
        Ok(Self { notation, offset: zone_offset(zone)? })
    }

    /// Reads a time: milliseconds since the epoch, `None` when the text is not one.
    pub fn read(&self, text: &[u8]) -> Option<i64> {
        match &self.notation {
            Notation::Pattern(pattern) => pattern.read(text)?.checked_sub(self.offset),
            Notation::Named(named) => named.read(text, self.offset),
            Notation::Iso8601 => text::read_iso8601(text, self.offset),
            Notation::Epoch(epoch) => within_years(epoch.read(text)?),
        }
    }

    /// As [`read`](Self::read), blanks around it allowed. Errors are message codes.
    pub fn time(&self, text: &[u8]) -> Result<i64, &'static str> {
        let time = self.read(text).or_else(|| self.read(text.trim_ascii()));
        let empty = || text.trim_ascii().is_empty();
        time.ok_or_else(|| if empty() { "field.empty" } else { "field.not-a-time" })
    }

    /// Least and greatest time that can be read.
    pub fn range(&self) -> (i64, i64) {
        match &self.notation {
            Notation::Pattern(pattern) => {
                let (first, last) = pattern.range();
                (first.saturating_sub(self.offset), last.saturating_sub(self.offset))
            }
            // A text with a zone of its own can be up to 18 hours away.
            Notation::Named(named) => {
                let (first, last) = named.plain.range();
                (first.saturating_sub(DAY), last.saturating_add(DAY))
            }
            Notation::Iso8601 => (YEARS.0 - DAY, YEARS.1 + DAY),
            Notation::Epoch(_) => YEARS,
        }
    }

    /// The time as this field would write it; `None` when its year has no four digits.
    pub fn print(&self, millis: i64) -> Option<String> {
        let mut bytes = Vec::new();
        match &self.notation {
            Notation::Pattern(pattern) => pattern.write(millis.checked_add(self.offset)?, &mut bytes)?,
            Notation::Named(named) => {
                named.write(millis.checked_add(self.offset)?, self.offset, &mut bytes)?;
            }
            Notation::Iso8601 => text::iso8601_pattern().write(millis, &mut bytes)?,
            Notation::Epoch(epoch) => return Some(epoch.print(millis)),
        }
        String::from_utf8(bytes).ok()
    }

    /// Milliseconds that one written time stands for: 1000 when whole seconds are written.
    pub fn resolution(&self) -> i64 {
        match &self.notation {
            Notation::Pattern(pattern) => pattern.resolution(),
            Notation::Named(named) => named.plain.resolution(),
            Notation::Epoch(epoch) => epoch.resolution(),
            Notation::Iso8601 => 1,
        }
    }

    /// Milliseconds that local time is ahead of UTC.
    pub fn offset(&self) -> i64 {
        self.offset
    }
}

fn patterned(format: &str) -> Result<Notation, Problem> {
    if let Some(named) = NamedPattern::parse(format)? {
        return Ok(Notation::Named(named));
    }
    let pattern = TimePattern::parse(format)?;
    pattern.check_readable()?;
    Ok(Notation::Pattern(pattern))
}

/// Milliseconds that the zone is ahead of UTC: `Z`, `UTC`, or an offset `±hh:mm` up to 18 hours as in Java.
///
/// # Errors
/// Named zones change their offset and need a table of rules: refused, with what to write.
pub fn zone_offset(zone: Option<&str>) -> Result<i64, Problem> {
    let zone = zone.unwrap_or("Z");
    if matches!(zone, "Z" | "UTC") {
        return Ok(0);
    }
    text::read_offset(zone.as_bytes())
        .filter(|offset| offset.abs() <= 18 * HOUR)
        .ok_or_else(|| Problem::new("time.unknown-zone").with("zone", zone))
}
