//! Java's date patterns (`java.time.format.DateTimeFormatter`): letters y M d H m s S and quoted text.

use super::civil;
use super::items::{PatternItem, TimeUnit};
use super::layout::{PatternLayout, TimeParts, read_digits};
use super::runs::settle;
use crate::base::Problem;
use crate::base::units::{DAY, SECOND};

const LETTERS: [(char, TimeUnit); 7] = [
    ('y', TimeUnit::Year),
    ('M', TimeUnit::Month),
    ('d', TimeUnit::Day),
    ('H', TimeUnit::Hour),
    ('m', TimeUnit::Minute),
    ('s', TimeUnit::Second),
    ('S', TimeUnit::Fraction),
];

/// A compiled pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimePattern {
    pub(super) items: Vec<PatternItem>,
    source: String,
    /// Where everything stands, when nothing varies in width.
    layout: Option<PatternLayout>,
    /// The unit of a number whose end cannot be told.
    unclear: Option<TimeUnit>,
}

impl TimePattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// A letter other than y M d H m s S, a letter repeated too often, an open quote: each with its columns.
    pub fn parse(source: &str) -> Result<Self, Problem> {
        let mut items: Vec<PatternItem> = Vec::new();
        let chars: Vec<char> = source.chars().collect();
        let mut at = 0;
        while let Some(&char) = chars.get(at) {
            let run = chars[at..].iter().take_while(|&&other| other == char).count();
            let problem = |code| {
                Problem::new(code)
                    .at_columns(at + 1, at + run + 1)
                    .with("letters", char.to_string().repeat(run))
            };
            if char == '\'' {
                at = quoted(&chars, at, &mut items)?;
                continue;
            }
            if char.is_ascii_alphabetic() {
                let Some(&(_, unit)) = LETTERS.iter().find(|(letter, _)| *letter == char) else {
                    return Err(problem("time.unknown-letter"));
                };
                let (min, max) = match (unit, run) {
                    (TimeUnit::Year, 1) => (1, 4),
                    (TimeUnit::Year, 4) => (4, 4),
                    (TimeUnit::Year, 2) => (2, 2),
                    (TimeUnit::Fraction, 1..=9) => (run, run),
                    (TimeUnit::Year | TimeUnit::Fraction, _) => return Err(problem("time.letter-count")),
                    (_, 1) => (1, 2),
                    (_, 2) => (2, 2),
                    _ => return Err(problem("time.letter-count")),
                };
                items.push(PatternItem::Number { unit, min, max, after: 0, again: false });
                at += run;
                continue;
            }
            if matches!(char, '[' | ']' | '{' | '}' | '#') {
                return Err(problem("time.reserved-character"));
            }
            literal(&mut items, char);
            at += 1;
        }
        if items.is_empty() {
            return Err(Problem::new("time.empty-pattern"));
        }
        let unclear = settle(&mut items);
        Ok(Self { layout: PatternLayout::of(&items), items, source: source.to_owned(), unclear })
    }

    /// True if it can be told where each number ends: else what is written is not read.
    ///
    /// # Errors
    /// A number of varying width runs into another.
    pub fn check_readable(&self) -> Result<(), Problem> {
        let Some(unit) = self.unclear else { return Ok(()) };
        let letter = LETTERS.iter().find(|(_, known)| *known == unit).map_or(' ', |(letter, _)| *letter);
        let problem = Problem::new("time.numbers-run-together").with("pattern", &self.source);
        Err(problem.with("letter", letter))
    }

    /// True if it can be told where each number ends.
    pub(super) fn is_clear(&self) -> bool {
        self.unclear.is_none()
    }

    /// The pattern as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Reads a local time in milliseconds; what the pattern leaves out is that of 1970-01-01 00:00:00.
    #[inline]
    pub fn read(&self, text: &[u8]) -> Option<i64> {
        self.read_of_century(text, 0)
    }

    /// As [`TimePattern::read`]; a year of two digits is one of the century that begins `century` years after 2000.
    #[inline]
    pub fn read_of_century(&self, text: &[u8], century: i64) -> Option<i64> {
        match &self.layout {
            Some(layout) => layout.read(text, century),
            None => self.read_varying(text, century),
        }
    }

    fn read_varying(&self, text: &[u8], century: i64) -> Option<i64> {
        let mut time = TimeParts::of_century(century);
        let mut repeated = Vec::new();
        let mut rest = text;
        for item in &self.items {
            match item {
                PatternItem::Literal(literal) => rest = rest.strip_prefix(literal.as_slice())?,
                PatternItem::Number { unit, min, max, after, again } => {
                    let digits = || rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let width = if min == max { Some(*max) } else { digits().checked_sub(*after) };
                    let width = width.filter(|width| (min..=max).contains(&width))?;
                    let (number, following) = read_digits(rest, width, width)?;
                    rest = following;
                    if *again {
                        repeated.push((*unit, number, *max));
                    } else {
                        time.set(*unit, number, *max)?;
                    }
                }
            }
        }
        let millis = rest.is_empty().then(|| time.millis())??;
        let agrees = |(unit, number, width): (TimeUnit, i64, usize)| unit.of(millis, width) == number;
        repeated.into_iter().all(agrees).then_some(millis)
    }

    /// Years from 2000 to the century of the local time `first`.
    pub fn century(&self, first: Option<i64>) -> i64 {
        let year = first.map_or(2000, |first| civil::date_of(first.div_euclid(DAY)).0);
        year.clamp(0, 9999) / 100 * 100 - 2000
    }

    /// Appends a local time in milliseconds; `None`, with nothing appended, when its year is not 1 to 9999.
    #[inline]
    pub fn write(&self, millis: i64, out: &mut Vec<u8>) -> Option<()> {
        let days = millis.div_euclid(DAY);
        let date = civil::date_of(days);
        self.write_parts(date, millis.rem_euclid(DAY), out)
    }

    /// As [`TimePattern::write`] for a date and the milliseconds of its day.
    #[inline]
    pub fn write_parts(
        &self,
        (year, month, day): (i64, i64, i64),
        time: i64,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        // Java writes year 0 as 1: there is none in an era.
        if !(1..=9999).contains(&year) {
            return None;
        }
        for item in &self.items {
            match item {
                PatternItem::Literal(literal) => out.extend_from_slice(literal),
                PatternItem::Number { unit: TimeUnit::Fraction, max, .. } => {
                    write_fraction(time % SECOND, *max, out)
                }
                PatternItem::Number { unit, min, max, .. } => {
                    write_digits(unit.number((year, month, day), time, *max) as u32, *min, out);
                }
            }
        }
        Some(())
    }

    pub(super) fn layout(&self) -> Option<&PatternLayout> {
        self.layout.as_ref()
    }

    /// Unit and greatest width of each number, in order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (TimeUnit, usize)> {
        self.items.iter().filter_map(|item| match item {
            PatternItem::Number { unit, max, .. } => Some((*unit, *max)),
            PatternItem::Literal(_) => None,
        })
    }

    /// As [`TimePattern::numbers`], of each unit the widest only.
    pub(super) fn units(&self) -> impl Iterator<Item = (TimeUnit, usize)> {
        self.items.iter().filter_map(|item| match item {
            PatternItem::Number { unit, max, again: false, .. } => Some((*unit, *max)),
            _ => None,
        })
    }
}

fn literal(items: &mut Vec<PatternItem>, char: char) {
    let mut buffer = [0; 4];
    let bytes = char.encode_utf8(&mut buffer).as_bytes();
    match items.last_mut() {
        Some(PatternItem::Literal(before)) => before.extend_from_slice(bytes),
        _ => items.push(PatternItem::Literal(bytes.to_vec())),
    }
}

/// Reads quoted text from the quote at `at`; `''` is a quote. Gives the place after it.
fn quoted(chars: &[char], at: usize, items: &mut Vec<PatternItem>) -> Result<usize, Problem> {
    let mut next = at + 1;
    if chars.get(next) == Some(&'\'') {
        literal(items, '\'');
        return Ok(next + 1);
    }
    loop {
        match (chars.get(next), chars.get(next + 1)) {
            (Some('\''), Some('\'')) => {
                literal(items, '\'');
                next += 2;
            }
            (Some('\''), _) => return Ok(next + 1),
            (Some(&char), _) => {
                literal(items, char);
                next += 1;
            }
            (None, _) => return Err(Problem::new("time.open-quote").at_columns(at + 1, chars.len() + 1)),
        }
    }
}

fn write_fraction(millis: i64, width: usize, out: &mut Vec<u8>) {
    let digits = [millis / 100, millis / 10 % 10, millis % 10].map(|digit| b'0' + digit as u8);
    (0..width).for_each(|i| out.push(digits.get(i).copied().unwrap_or(b'0')));
}

/// A number of at least `min` digits, 1, 2 or 4, zeros in front; below 10,000.
#[inline]
fn write_digits(number: u32, min: usize, out: &mut Vec<u8>) {
    let digit = |place: u32| b'0' + (number / place % 10) as u8;
    if min <= 2 && number < 100 {
        if min == 2 || number >= 10 {
            out.extend_from_slice(&[digit(10), digit(1)]);
        } else {
            out.push(digit(1));
        }
    } else {
        let digits = [digit(1000), digit(100), digit(10), digit(1)];
        out.extend_from_slice(digits.get(usize::from(min < 4 && number < 1000)..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::units::{HOUR, MINUTE};
    use crate::records::field::shape::Order;
    use proptest::prelude::*;

    fn text(pattern: &str, millis: i64) -> String {
        let mut out = Vec::new();
        TimePattern::parse(pattern).expect(pattern).write(millis, &mut out).expect("year");
        String::from_utf8(out).expect("utf-8")
    }

    #[test]
    fn writes_as_java_does() {
        // DateTimeFormatter.ofPattern(…).format(LocalDateTime.of(2021, 9, 7, 8, 5, 3, 42_000_000))
        let millis = (civil::days_of(2021, 9, 7) * 24 + 8) * HOUR + 5 * MINUTE + 3 * SECOND + 42;
        for (pattern, expected) in [
            ("yyyyMMddHHmmss", "20210907080503"),
            ("yyyy-MM-dd HH:mm:ss.SSS", "2021-09-07 08:05:03.042"),
            ("d/M/yy H:m:s", "7/9/21 8:5:3"),
            ("yyyy'year' ''HH''", "2021year '08'"),
            ("yyyy-MM-dd'T'HH:mm:ss.SSSSSS", "2021-09-07T08:05:03.042000"),
            ("ss.S", "03.0"),
            ("y yyyyMMddHm", "2021 2021090785"),
        ] {
            assert_eq!(text(pattern, millis), expected, "{pattern}");
        }
    }

    #[test]
    fn unknown_letters_are_refused_with_their_columns() {
        let problem = TimePattern::parse("yyyy-MM-dd hh").expect_err("h is the hour of half a day");
        assert_eq!(
            (problem.code, problem.place.column, problem.place.end),
            ("time.unknown-letter", Some(12), Some(14))
        );
        assert_eq!(TimePattern::parse("yyyy MMM").expect_err("names").code, "time.letter-count");
        assert_eq!(TimePattern::parse("yyyy 'x").expect_err("quote").code, "time.open-quote");
    }

    #[test]
    fn dates_that_do_not_exist_are_not_read() {
        let pattern = TimePattern::parse("yyyy-MM-dd").expect("pattern");
        for text in ["2021-02-29", "2021-13-01", "2021-00-10", "2021-1-01", "2021-01-01 ", "", "2021-01-0x"] {
            assert_eq!(pattern.read(text.as_bytes()), None, "{text}");
        }
        assert_eq!(pattern.read(b"2020-02-29"), Some(18_321 * DAY));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(millis in -60_000_000_000_000i64..250_000_000_000_000, which in 0usize..4) {
            let source = ["yyyy-MM-dd HH:mm:ss", "yyyyMMddHHmmssSSS", "d.M.yyyy H:m:s.S", "yyyy-MM-dd"][which];
            let pattern = TimePattern::parse(source).expect("pattern");
            let mut out = Vec::new();
            pattern.write(millis, &mut out).expect("year");
            let mut again = Vec::new();
            let mut writer = pattern.writer();
            for other in [millis, millis - 1, millis + 3_600_000, millis] {
                again.clear();
                writer.write(other, &mut again).expect("year");
            }
            prop_assert_eq!(&again, &out);
            prop_assert_eq!(pattern.read(&out), Some(millis.div_euclid(pattern.resolution()) * pattern.resolution()));
            let width = pattern.width();
            prop_assert!(out.len() as u64 >= width.min && Some(out.len() as u64) <= width.max);
            prop_assert!(out.iter().all(|&byte| pattern.alphabet().contains(byte)));
            prop_assert!(out.iter().zip(pattern.by_position()).all(|(&byte, set)| set.contains(byte)));
        }

        #[test]
        fn order_is_kept_as_said(a in 0i64..4_000_000_000_000, b in 0i64..4_000_000_000_000) {
            for source in ["yyyyMMddHHmmssSSS", "yyyyMMdd", "yyyy-MM"] {
                let pattern = TimePattern::parse(source).expect("pattern");
                let (low, high) = (text(source, a.min(b)), text(source, a.max(b)));
                prop_assert!(low <= high);
                prop_assert!(pattern.order(None, 1) != Order::Strict || a == b || low < high);
            }
        }

        #[test]
        fn junk_is_no_time(junk in prop::collection::vec(any::<u8>(), 0..40), source in "[yMdHmsS:' -]{0,12}") {
            if let Ok(pattern) = TimePattern::parse(&source) {
                let _ = pattern.read(&junk);
            }
        }
    }
}
