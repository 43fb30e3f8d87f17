//! Times as logs and people write them: months and days of the week by their English names, hours of half a day, an offset
//! of their own at the end.
//!
//! Fields are read so, row keys are not written so: none of these has an order worth a key.

use super::pattern::TimePattern;
use super::{civil, text};
use crate::base::Problem;
use crate::base::units::{DAY, HOUR, MINUTE};
use std::borrow::Cow;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WHOLE_MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const HALVES: [&str; 2] = ["AM", "PM"];
/// Letters of the short name of a month or a day.
const LETTERS: usize = 3;
/// Bytes of an offset such as `-0700`.
const OFFSET: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq)]
enum NamedPiece {
    Plain(TimePattern),
    /// `MMM`
    Month,
    /// `MMMM`
    WholeMonth,
    /// `EEE`
    Weekday,
    /// `a`, which makes `h` the hour of that half of a day
    Half,
    /// `Z` or `XXX`: with a colon.
    Offset {
        colon: bool,
    },
}

impl NamedPiece {
    /// The names it is read from.
    fn names(&self) -> Option<&'static [&'static str]> {
        match self {
            Self::Month => Some(&MONTHS),
            Self::WholeMonth => Some(&WHOLE_MONTHS),
            Self::Weekday => Some(&WEEKDAYS),
            Self::Half => Some(&HALVES),
            Self::Plain(_) | Self::Offset { .. } => None,
        }
    }

    fn is_offset(&self) -> bool {
        matches!(self, Self::Offset { .. })
    }
}

/// A pattern with names or an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPattern {
    pieces: Vec<NamedPiece>,
    /// The same with numbers for months, and without days of the week, halves of a day and offset.
    pub(super) plain: TimePattern,
}

impl NamedPattern {
    /// Compiles a pattern that holds `MMM`, `MMMM`, `EEE`, `a` beside `h`, `Z` or, at its end, `XXX`; `None` of others.
    ///
    /// # Errors
    /// As [`TimePattern::parse`], in what is between.
    pub fn parse(source: &str) -> Result<Option<Self>, Problem> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut between = String::new();
        let mut quoted = false;
        let chars: Vec<char> = source.chars().collect();
        let halved = is_halved(source);
        let mut at = 0;
        while let Some(&char) = chars.get(at) {
            quoted ^= char == '\'';
            let run = chars[at..].iter().take_while(|&&other| other == char).count();
            let piece = match (char, run) {
                _ if quoted => None,
                ('M', LETTERS) => Some(NamedPiece::Month),
                ('M', 4) => Some(NamedPiece::WholeMonth),
                ('E', LETTERS) => Some(NamedPiece::Weekday),
                ('a', 1) if halved => Some(NamedPiece::Half),
                ('Z', 1) if !pieces.iter().any(NamedPiece::is_offset) => {
                    Some(NamedPiece::Offset { colon: false })
                }
                ('X', 3) if at + run == chars.len() && !pieces.iter().any(NamedPiece::is_offset) => {
                    Some(NamedPiece::Offset { colon: true })
                }
                _ => None,
            };
            let Some(piece) = piece else {
                // A quote by itself, since each of two turns the state.
                let taken = if char == '\'' { 1 } else { run };
                let hour = halved && !quoted && char == 'h';
                between.extend(chars[at..at + taken].iter().map(|&char| if hour { 'H' } else { char }));
                at += taken;
                continue;
            };
            end_piece(&mut between, at, &mut pieces, &mut plain)?;
            if matches!(piece, NamedPiece::Month | NamedPiece::WholeMonth) {
                plain.push_str("MM");
            }
            pieces.push(piece);
            at += run;
        }
        if pieces.is_empty() {
            return Ok(None);
        }
        end_piece(&mut between, at, &mut pieces, &mut plain)?;
        let plain = TimePattern::parse(&plain)?;
        plain.check_readable()?;
        Ok(Some(Self { pieces, plain }))
    }

    /// Reads a time: milliseconds since the epoch. Local time is `offset` ahead of UTC unless the text says otherwise.
    /// A day of the week has to be that of the date, as in Java; names are those of any case.
    pub fn read(&self, text: &[u8], offset: i64) -> Option<i64> {
        let (text, offset) = match self.pieces.iter().position(NamedPiece::is_offset) {
            Some(place) if place + 1 == self.pieces.len() => {
                own_offset(text).map(|(before, offset)| (Cow::Borrowed(before), offset))?
            }
            Some(_) => offset_within(text).map(|(others, offset)| (Cow::Owned(others), offset))?,
            None => (Cow::Borrowed(text), offset),
        };
        let mut rest: &[u8] = &text;
        let mut numbers = Vec::with_capacity(text.len());
        let (mut weekday, mut half) = (None, None);
        for piece in &self.pieces {
            let Some(names) = piece.names() else { continue };
            let (place, index, after) = name_of(rest, names)?;
            numbers.extend_from_slice(rest.get(..place)?);
            rest = after;
            match piece {
                NamedPiece::Month | NamedPiece::WholeMonth => {
                    numbers.extend_from_slice(format!("{:02}", index + 1).as_bytes())
                }
                NamedPiece::Half => half = Some(index),
                _ => weekday = Some(index),
            }
        }
        numbers.extend_from_slice(rest);
        let mut local = self.plain.read(&numbers)?;
        if let Some(half) = half {
            local = of_half(local, half)?;
        }
        if weekday.is_some_and(|weekday| weekday != weekday_of(local)) {
            return None;
        }
        local.checked_sub(offset)
    }

    /// Appends a local time, `offset` milliseconds ahead of UTC; `None` when its year has no four digits.
    pub fn write(&self, local: i64, offset: i64, out: &mut Vec<u8>) -> Option<()> {
        let hour = local.rem_euclid(DAY) / HOUR;
        let shown = if self.pieces.contains(&NamedPiece::Half) { (hour + 11) % 12 + 1 } else { hour };
        for piece in &self.pieces {
            match piece {
                NamedPiece::Plain(pattern) => pattern.write(local + (shown - hour) * HOUR, out)?,
                NamedPiece::Half => out.extend_from_slice(HALVES.get(usize::from(hour >= 12))?.as_bytes()),
                NamedPiece::Month | NamedPiece::WholeMonth => {
                    let (_, month, _) = civil::date_of(local.div_euclid(DAY));
                    out.extend_from_slice(piece.names()?.get(usize::try_from(month - 1).ok()?)?.as_bytes());
                }
                NamedPiece::Weekday => out.extend_from_slice(WEEKDAYS.get(weekday_of(local))?.as_bytes()),
                NamedPiece::Offset { colon: true } if offset == 0 => out.push(b'Z'),
                NamedPiece::Offset { colon } => {
                    let sign = if offset < 0 { '-' } else { '+' };
                    let (hours, minutes) = (offset.abs() / HOUR, offset.abs() % HOUR / MINUTE);
                    let colon = if *colon { ":" } else { "" };
                    out.extend_from_slice(format!("{sign}{hours:02}{colon}{minutes:02}").as_bytes());
                }
            }
        }
        Some(())
    }
}

/// Makes a piece of what stands before the column `end`, if anything does.
fn end_piece(
    between: &mut String,
    end: usize,
    pieces: &mut Vec<NamedPiece>,
    plain: &mut String,
) -> Result<(), Problem> {
    if between.is_empty() {
        return Ok(());
    }
    let before = end - between.chars().count();
    let pattern = TimePattern::parse(between).map_err(|mut problem| {
        problem.place.column = problem.place.column.map(|column| column + before);
        problem.place.end = problem.place.end.map(|column| column + before);
        problem
    })?;
    pieces.push(NamedPiece::Plain(pattern));
    plain.push_str(between);
    between.clear();
    Ok(())
}

/// Splits an offset off the end of a text.
fn own_offset(text: &[u8]) -> Option<(&[u8], i64)> {
    if let Some(before) = text.strip_suffix(b"Z") {
        return Some((before, 0));
    }
    let sign = text.iter().rposition(|byte| matches!(byte, b'+' | b'-'))?;
    let (before, offset) = text.split_at(sign);
    Some((before, text::read_offset(offset).filter(|offset| offset.abs() <= 18 * HOUR)?))
}

/// Splits a text around an offset such as `-0700`.
fn offset_within(text: &[u8]) -> Option<(Vec<u8>, i64)> {
    let is_offset = |bytes: &[u8]| {
        matches!(bytes.first(), Some(b'+' | b'-')) && bytes[1..].iter().all(u8::is_ascii_digit)
    };
    let place = text.windows(OFFSET).rposition(is_offset)?;
    let (before, rest) = text.split_at(place);
    let (offset, after) = rest.split_at(OFFSET);
    let offset = text::read_offset(offset).filter(|offset| offset.abs() <= 18 * HOUR)?;
    Some(([before, after].concat(), offset))
}

/// True if a pattern has hours of half a day, `h`, and the half, `a`: neither is read without the other.
fn is_halved(source: &str) -> bool {
    let letters: String = source.split('\'').step_by(2).collect();
    letters.contains('h') && letters.contains('a') && !letters.contains('H')
}

/// The time of a local one whose hour, 1 to 12, is that of the first or second half of its day.
fn of_half(local: i64, half: usize) -> Option<i64> {
    let hour = local.rem_euclid(DAY) / HOUR;
    let of_day = hour % 12 + 12 * half as i64;
    (1..=12).contains(&hour).then(|| local + (of_day - hour) * HOUR)
}

/// Where the first name of a list stands, which it is, and what follows it.
fn name_of<'a>(text: &'a [u8], list: &[&str]) -> Option<(usize, usize, &'a [u8])> {
    (0..text.len()).find_map(|place| {
        let here = text.get(place..)?;
        let is_here = |name: &&str| {
            here.get(..name.len()).is_some_and(|letters| letters.eq_ignore_ascii_case(name.as_bytes()))
        };
        let index = list.iter().position(is_here)?;
        Some((place, index, here.get(list.get(index)?.len()..)?))
    })
}

/// From 0 for Monday: 1970 began on a Thursday.
fn weekday_of(local: i64) -> usize {
    (local.div_euclid(DAY) + 3).rem_euclid(7) as usize
}

#[cfg(test)]
mod tests {
    use super::super::TimeFormat;
    use proptest::prelude::*;

    /// 10 October 2000, 13:55:36 at seven hours behind UTC: the time in the documentation of Apache's access log.
    const LOGGED: i64 = 971_211_336_000;

    #[test]
    fn times_of_logs_are_read_and_printed() {
        for (pattern, zone, written) in [
            ("dd/MMM/yyyy:HH:mm:ss Z", None, "10/Oct/2000:20:55:36 +0000"),
            ("dd/MMM/yyyy:HH:mm:ss Z", Some("-07:00"), "10/Oct/2000:13:55:36 -0700"),
            ("'['dd/MMM/yyyy:HH:mm:ss", Some("-07:00"), "[10/Oct/2000:13:55:36"),
            ("EEE MMM dd HH:mm:ss yyyy", Some("-07:00"), "Tue Oct 10 13:55:36 2000"),
            ("dMMMyyyy HHmmss", None, "10Oct2000 205536"),
            ("EEE MMM dd HH:mm:ss Z yyyy", Some("-07:00"), "Tue Oct 10 13:55:36 -0700 2000"),
            ("EEE MMM dd HH:mm:ss Z yyyy", None, "Tue Oct 10 20:55:36 +0000 2000"),
            ("MMMM d, yyyy HH:mm:ss", None, "October 10, 2000 20:55:36"),
            ("EEE, d MMM yyyy HH:mm:ss 'GMT'", None, "Tue, 10 Oct 2000 20:55:36 GMT"),
            ("yyyy-MM-dd'T'HH:mm:ssXXX", Some("-07:00"), "2000-10-10T13:55:36-07:00"),
            ("yyyy-MM-dd'T'HH:mm:ssXXX", None, "2000-10-10T20:55:36Z"),
            ("M/d/yyyy h:mm:ss a", None, "10/10/2000 8:55:36 PM"),
            ("MMM d, yyyy hh:mm:ss a", Some("-13:00"), "Oct 10, 2000 07:55:36 AM"),
        ] {
            let format = TimeFormat::parse(pattern, zone).expect(pattern);
            assert_eq!(format.read(written.as_bytes()), Some(LOGGED), "{pattern}");
            assert_eq!(format.print(LOGGED).as_deref(), Some(written), "{pattern}");
        }
        let format = TimeFormat::parse("dd/MMM/yyyy:HH:mm:ss Z", None).expect("pattern");
        assert_eq!(format.read(b"10/OCT/2000:13:55:36 -0700"), Some(LOGGED), "its own offset, any case");
    }

    #[test]
    fn hours_of_half_a_day_begin_with_twelve() {
        let format = TimeFormat::parse("h:mm a", None).expect("pattern");
        for (written, minutes) in [
            ("12:00 AM", 0),
            ("12:59 AM", 59),
            ("1:00 AM", 60),
            ("11:59 AM", 719),
            ("12:00 PM", 720),
            ("1:00 PM", 780),
            ("11:59 PM", 1439),
        ] {
            assert_eq!(format.read(written.as_bytes()), Some(minutes * 60_000), "{written}");
            assert_eq!(format.print(minutes * 60_000).as_deref(), Some(written));
        }
        for text in ["0:10 AM", "13:00 PM", "1:00", "1:00 XM", "AM 1:00"] {
            assert_eq!(format.read(text.as_bytes()), None, "{text}");
        }
        for pattern in ["H:mm a", "h:mm", "h:mm 'a'"] {
            assert_eq!(TimeFormat::parse(pattern, None).expect_err(pattern).code, "time.unknown-letter");
        }
    }

    #[test]
    fn what_is_no_such_time_is_not_read() {
        let format = TimeFormat::parse("EEE MMM dd yyyy", None).expect("pattern");
        assert!(format.read(b"Tue Oct 10 2000").is_some());
        for text in [
            "Wed Oct 10 2000",
            "Tue Okt 10 2000",
            "Oct Tue 10 2000",
            "Tue Oct 32 2000",
            "Tue Oct 10",
            "TueOct",
        ] {
            assert_eq!(format.read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn letters_between_names_are_refused_at_their_columns() {
        let problem = TimeFormat::parse("dd MMM yyyy hh", None).expect_err("h");
        assert_eq!((problem.code, problem.place.column), ("time.unknown-letter", Some(13)));
        for (pattern, code) in [
            ("MMMMM", "time.letter-count"),
            ("Z HH Z", "time.unknown-letter"),
            ("XXX HH", "time.unknown-letter"),
            ("EEE", "time.empty-pattern"),
        ] {
            assert_eq!(TimeFormat::parse(pattern, None).expect_err(pattern).code, code, "{pattern}");
        }
        assert!(TimeFormat::parse("yyyy'MMM EEE'", None).is_ok(), "quoted letters are no names");
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(seconds in -30_000_000_000i64..200_000_000_000, hours in -12i64..=14) {
            let zone = format!("{}{:02}:30", if hours < 0 { '-' } else { '+' }, hours.abs());
            for pattern in ["EEE, dd MMM yyyy HH:mm:ss Z", "d-MMM-yyyy H:m:s XXX", "EEE MMM dd HH:mm:ss yyyy", "EEE MMM dd HH:mm:ss Z yyyy", "d MMMM yyyy HH:mm:ssZ", "M/d/yyyy hh:mm:ssa"] {
                let format = TimeFormat::parse(pattern, Some(&zone)).expect(pattern);
                let printed = format.print(seconds * 1000).expect("year");
                prop_assert_eq!(format.read(printed.as_bytes()), Some(seconds * 1000), "{}", printed);
            }
        }

        #[test]
        fn junk_is_no_time(junk in prop::collection::vec(any::<u8>(), 0..40), source in "[yMdHhaEZX:' -]{0,14}") {
            if let Ok(format) = TimeFormat::parse(&source, None) {
                let _ = format.read(&junk);
            }
        }
    }
}
