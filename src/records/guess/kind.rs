//! The type of a field, from its name and its values.

use crate::base::units::{DAY, SECOND};
use crate::records::field::Kind;
use crate::records::field::read::{boolean, float, integer};
use crate::records::field::time::TimeFormat;
use std::ops::Range;
use std::sync::OnceLock;

/// Patterns tried, in this order, on all values.
const PATTERNS: [&str; 77] = [
    "yyyy-MM-dd HH:mm:ss",
    "yyyy-MM-dd HH:mm:ss.SSS",
    "yyyy-MM-dd HH:mm",
    "yyyy-MM-dd'T'HH:mm:ss",
    "yyyy-MM-dd'T'HH:mm:ss'Z'",
    "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'",
    "yyyy-MM-dd'T'HH:mm",
    "yyyy-MM-dd",
    "iso8601",
    "yyyy/MM/dd HH:mm:ss",
    "yyyy/MM/dd HH:mm",
    "yyyy/MM/dd",
    "dd.MM.yyyy HH:mm:ss",
    "dd.MM.yyyy HH:mm",
    "dd.MM.yyyy",
    "d.M.yyyy",
    "dd-MM-yyyy HH:mm:ss",
    "dd-MM-yyyy",
    "dd/MM/yyyy HH:mm:ss",
    "MM/dd/yyyy HH:mm:ss",
    "dd/MM/yyyy HH:mm",
    "MM/dd/yyyy HH:mm",
    "dd/MM/yyyy",
    "MM/dd/yyyy",
    "d/M/yyyy H:mm",
    "M/d/yyyy H:mm",
    "d/M/yyyy",
    "M/d/yyyy",
    "yyMMdd:HHmmss",
    "dd/MMM/yyyy:HH:mm:ss Z",
    "dd/MMM/yyyy:HH:mm:ss",
    // The time of an access log, with its offset and cut from it by the blank between them.
    "'['dd/MMM/yyyy:HH:mm:ss Z']'",
    "'['dd/MMM/yyyy:HH:mm:ss",
    "EEE MMM dd HH:mm:ss yyyy",
    "EEE, dd MMM yyyy HH:mm:ss 'GMT'",
    "dd-MMM-yyyy HH:mm:ss",
    "yyyy.MM.dd",
    "yyyy-MM-dd-HH.mm.ss.SSSSSS",
    // Half of the day is told where the month comes first.
    "MM/dd/yyyy hh:mm:ss a",
    "dd/MM/yyyy hh:mm:ss a",
    "M/d/yyyy h:mm:ss a",
    "d/M/yyyy h:mm:ss a",
    "M/d/yyyy h:mm a",
    "d/M/yyyy h:mm a",
    "d/M/yyyy H:mm:ss",
    "M/d/yyyy H:mm:ss",
    "d/M/yy H:mm",
    "M/d/yy H:mm",
    "d/M/yy",
    "M/d/yy",
    "d.M.yyyy H:mm",
    "yyyy/M/d H:mm:ss",
    "yyyy/M/d H:mm",
    "yyyy/M/d",
    "MMM d yyyy",
    "MMM d, yyyy",
    "d MMM yyyy",
    "d-MMM-yyyy",
    "d-MMM-yy",
    "EEE, d MMM yyyy HH:mm:ss Z",
    "yyyy-MM-dd HH:mm:ss Z",
    "yyyy-MM-dd HH:mm:ss 'UTC'",
    "yyyyMMdd'T'HHmmss'Z'",
    "yyyyMMdd HH:mm:ss",
    "yyyyMMdd HHmmss",
    "yyMMdd HHmmss",
    "yyyy-M-d H:mm:ss",
    "yyyy-M-d H:mm",
    "yyyy-M-d",
    "yyyy/MM/dd HH:mm:ss.SSS",
    "MM/dd/yy HH:mm:ss",
    "dd.MM.yy",
    "EEE MMM dd HH:mm:ss Z yyyy",
    "EEE MMM d HH:mm:ss yyyy",
    "MMMM d yyyy",
    "MMMM d, yyyy",
    "d MMMM yyyy",
];
/// Patterns of nothing but digits.
const DIGITAL: [&str; 3] = ["yyyyMMddHHmmssSSS", "yyyyMMddHHmmss", "yyyyMMdd"];
/// Plausible times: 1990 to 2100, in seconds.
const PLAUSIBLE: Range<i64> = 631_152_000..4_102_444_800;
/// Possible times: 1900 to 2200, in seconds.
const POSSIBLE: Range<i64> = -70 * 366 * (DAY / SECOND)..230 * 366 * (DAY / SECOND);
/// Numbers that are times, and how many of them are a second.
const EPOCHS: [(&str, i64); 4] =
    [("epoch-seconds", 1), ("epoch-millis", 1_000), ("epoch-micros", 1_000_000), (NANOS, 1_000_000_000)];
/// Nanoseconds since 1970: ids of as many digits look like them.
pub const NANOS: &str = "epoch-nanos";
/// Digits beyond which a number is an identifier; no measure has so many.
const MOST_DIGITS: usize = 15;
/// Seconds that have a fraction.
const FRACTION: &str = "epoch-seconds.SSS";
/// Texts that stand for a missing value, in any case.
const GAPS: [&str; 8] = ["na", "n/a", "null", "none", "nan", "-", "?", "\\n"];
/// Among so many values, one may differ in type from the others.
const ONE_ODD_IN: usize = 10;
/// Words in the names of fields that hold identifiers.
const IDENTIFIERS: [&str; 16] = [
    "id", "phone", "zip", "postcode", "code", "tel", "mobile", "imei", "imsi", "msisdn", "number", "key",
    "account", "card", "vin", "serial",
];
/// Words in the names of fields that hold times.
const TIMES: [&str; 10] =
    ["time", "ts", "date", "epoch", "when", "at", "timestamp", "day", "created", "updated"];

/// A type, the format of a time, and why: a message code.
type KindGuess = (Kind, Option<&'static str>, &'static str);

/// The type that a column is taken for.
pub struct GuessedKind {
    /// Its type.
    pub kind: Kind,
    /// The format of a time.
    pub format: Option<&'static str>,
    /// Why: a message code.
    pub code: &'static str,
    /// The first value that is not of the type of nearly all, by its place among all.
    pub odd: Option<usize>,
}

/// The type of a column of this name and these values.
pub fn guess(name: &str, values: &[&str]) -> GuessedKind {
    let filled = values.iter().map(|value| value.trim()).enumerate().filter(|(_, value)| !value.is_empty());
    let (places, filled): (Vec<usize>, Vec<&str>) = filled.unzip();
    let taken = |(kind, format, code): KindGuess, odd| GuessedKind { kind, format, code, odd };
    if filled.is_empty() || filled.len() * 2 < values.len() {
        return taken((Kind::Text, None, "guess.mostly-empty"), None);
    }
    let whole = kind_of(name, &filled);
    if whole.2 != "guess.text" {
        return taken(whole, None);
    }
    match nearly(name, &filled) {
        Some((nearly, odd)) => taken(nearly, places.get(odd).copied()),
        None => taken(whole, None),
    }
}

/// The type of all values.
fn kind_of(name: &str, values: &[&str]) -> KindGuess {
    let numbers: Option<Vec<i64>> = values.iter().map(|value| integer(value.as_bytes()).ok()).collect();
    if let Some(numbers) = numbers {
        return number(name, values, &numbers);
    }
    let every = |reads: fn(&[u8]) -> bool| values.iter().all(|value| reads(value.as_bytes()));
    if every(|value| boolean(value).is_ok()) {
        return (Kind::Boolean, None, "guess.boolean");
    }
    let fits = |format: &TimeFormat| values.iter().all(|value| is_time(format, value));
    let Some((pattern, _)) = patterns().iter().find(|(_, format)| fits(format)) else {
        return match () {
            () if !every(|value| float(value).is_ok()) => (Kind::Text, None, "guess.text"),
            () if is_named(name, &IDENTIFIERS) => (Kind::Text, None, "guess.identifier"),
            () if is_named(name, &TIMES) && within(PLAUSIBLE, FRACTION, values) => {
                (Kind::Time, Some(FRACTION), "guess.epoch")
            }
            () if every(|value| !value.iter().any(u8::is_ascii_alphabetic)) => {
                (Kind::Decimal, None, "guess.decimal")
            }
            () => (Kind::Float, None, "guess.float"),
        };
    };
    let swapped = swap_day_and_month(pattern);
    let other = patterns().iter().find(|(other, _)| *other == swapped && other != pattern);
    let ambiguous = other.is_some_and(|(_, format)| fits(format));
    (Kind::Time, Some(pattern), if ambiguous { "guess.day-or-month" } else { "guess.time" })
}

/// The type of nearly all values, and the place of the first that differs. A column of nearly times is one of times, for a text in
/// the pattern of a time is nothing else; numbers beside other texts may all be names, and stay texts.
fn nearly(name: &str, values: &[&str]) -> Option<(KindGuess, usize)> {
    let by_kind =
        [integer, boolean, float].map(|read| odd_ones(values, &|value| read(value.as_bytes()).is_ok()));
    let by_pattern = patterns().iter().map(|(_, format)| odd_ones(values, &|value| is_time(format, value)));
    let odd = by_kind.into_iter().chain(by_pattern).flatten().min_by_key(Vec::len)?;
    let first = *odd.first()?;
    let rest = values.iter().enumerate().filter(|(at, _)| odd.binary_search(at).is_err());
    let rest: Vec<&str> = rest.map(|(_, &value)| value).collect();
    let gaps = odd.iter().all(|&at| values.get(at).is_some_and(|value| is_gap(value)));
    let taken = match kind_of(name, &rest) {
        (Kind::Time, format, "guess.day-or-month") => (Kind::Time, format, "guess.nearly-day-or-month"),
        (Kind::Time, format, _) => (Kind::Time, format, "guess.nearly-time"),
        (Kind::Boolean, ..) => (Kind::Text, None, "guess.nearly-boolean"),
        (Kind::Integer | Kind::Decimal | Kind::Float, ..) if gaps => {
            (Kind::Text, None, "guess.numbers-with-gaps")
        }
        (Kind::Integer | Kind::Decimal | Kind::Float, ..) => (Kind::Text, None, "guess.nearly-numbers"),
        (Kind::Text | Kind::Bytes, ..) => return None,
    };
    Some((taken, first))
}

/// The places of the values that are not read, when they are few: one in [`ONE_ODD_IN`], and of gaps fewer than half.
fn odd_ones(values: &[&str], reads: &dyn Fn(&str) -> bool) -> Option<Vec<usize>> {
    let (mut odd, mut strays) = (Vec::new(), 0);
    for (at, value) in values.iter().enumerate().filter(|(_, value)| !reads(value)) {
        odd.push(at);
        strays += usize::from(!is_gap(value));
        if strays * ONE_ODD_IN > values.len() {
            return None;
        }
    }
    (odd.len() * 2 < values.len()).then_some(odd)
}

fn is_gap(value: &str) -> bool {
    GAPS.iter().any(|gap| gap.eq_ignore_ascii_case(value))
}

fn number(name: &str, values: &[&str], numbers: &[i64]) -> KindGuess {
    let digits = |value: &&str| value.trim_start_matches(['-', '+']).len();
    let named = |list: &[&str]| is_named(name, list);
    let width = digits(&values[0]);
    let same_width = values.iter().all(|value| digits(value) == width);
    let leading_zero =
        |value: &&str| digits(value) > 1 && value.trim_start_matches(['-', '+']).starts_with('0');
    let digital = DIGITAL.iter().find(|pattern| {
        let as_wide = same_width && width == pattern.len();
        as_wide && (width > 8 || !named(&IDENTIFIERS)) && within(POSSIBLE, pattern, values)
    });
    if let Some(pattern) = digital {
        return (Kind::Time, Some(pattern), "guess.time");
    }
    let rising = numbers.len() > 2 && numbers.is_sorted() && numbers.first() != numbers.last();
    if named(&TIMES) || (rising && !named(&IDENTIFIERS)) {
        let plausible = |units: i64| numbers.iter().all(|at| PLAUSIBLE.contains(&at.div_euclid(units)));
        if let Some((format, _)) = EPOCHS.into_iter().find(|&(_, units)| plausible(units)) {
            return (Kind::Time, Some(format), "guess.epoch");
        }
    }
    if values.iter().any(leading_zero) {
        (Kind::Text, None, "guess.leading-zero")
    } else if values.iter().any(|value| digits(value) > MOST_DIGITS) {
        (Kind::Text, None, "guess.many-digits")
    } else if named(&IDENTIFIERS) {
        (Kind::Text, None, "guess.identifier")
    } else {
        (Kind::Integer, None, "guess.integer")
    }
}

/// The patterns, each ready to read.
fn patterns() -> &'static [(&'static str, TimeFormat)] {
    static READY: OnceLock<Vec<(&str, TimeFormat)>> = OnceLock::new();
    let ready = |pattern: &'static str| Some((pattern, TimeFormat::parse(pattern, None).ok()?));
    READY.get_or_init(|| PATTERNS.iter().copied().filter_map(ready).collect())
}

/// True if this is a time of this format, not before 1900 or after 2200.
fn is_time(format: &TimeFormat, value: &str) -> bool {
    is_within(POSSIBLE, format, value)
}

/// True if every value is a time of this format, within these seconds.
fn within(seconds: Range<i64>, format: &str, values: &[&str]) -> bool {
    TimeFormat::parse(format, None)
        .is_ok_and(|format| values.iter().all(|value| is_within(seconds.clone(), &format, value)))
}

fn is_within(seconds: Range<i64>, format: &TimeFormat, value: &str) -> bool {
    format.read(value.as_bytes()).is_some_and(|time| seconds.contains(&time.div_euclid(SECOND)))
}

fn swap_day_and_month(pattern: &str) -> String {
    // Minutes are `m`, so `M` and `d` stand for nothing else.
    pattern
        .chars()
        .map(|char| match char {
            'd' => 'M',
            'M' => 'd',
            other => other,
        })
        .collect()
}

/// True if one of these words is in the name of a field.
fn is_named(name: &str, list: &[&str]) -> bool {
    words(name).iter().any(|word| list.contains(&word.as_str()))
}

/// True if the name of a field says that it holds times.
pub fn is_named_time(name: &str) -> bool {
    is_named(name, &TIMES)
}

/// The words of `callTime`, `call_time` or `CALL-TIME`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for char in name.chars() {
        let begins = !char.is_alphanumeric() || (char.is_ascii_uppercase() && after_lower);
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| char.is_alphanumeric()) {
            word.push(char.to_ascii_lowercase());
        }
        after_lower = char.is_ascii_lowercase();
    }
    words
}
