//! The type of a field, from its name and its values.

use crate::field::Kind;
use crate::field::read::{boolean, float, integer};
use crate::field::time::{DAY, SECOND, TimeFormat};
use std::ops::Range;

/// Patterns tried, in this order, on all values.
const PATTERNS: [&str; 76] = [
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
    // The time of an access log, cut from its offset by the blank between them.
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
/// Numbers that are times, and how many of them are a second.
const EPOCHS: [(&str, i64); 4] = [
    ("epoch-seconds", 1),
    ("epoch-millis", 1_000),
    ("epoch-micros", 1_000_000),
    ("epoch-nanos", 1_000_000_000),
];
/// Digits beyond which a number is an identifier; no measure has so many.
const MOST_DIGITS: usize = 15;
/// Seconds that have a fraction.
const FRACTION: &str = "epoch-seconds.SSS";
/// What stands among numbers where there is none.
const GAPS: [&str; 9] = ["NA", "N/A", "NULL", "null", "None", "nan", "-", "?", "\\N"];
/// Words in the names of fields that hold identifiers.
const IDENTIFIERS: [&str; 16] = [
    "id", "phone", "zip", "postcode", "code", "tel", "mobile", "imei", "imsi", "msisdn", "number", "key",
    "account", "card", "vin", "serial",
];
/// Words in the names of fields that hold times.
const TIMES: [&str; 10] =
    ["time", "ts", "date", "epoch", "when", "at", "timestamp", "day", "created", "updated"];

/// The type, the format of a time, and why: a message code.
pub fn guess(name: &str, values: &[&str]) -> (Kind, Option<&'static str>, &'static str) {
    let filled: Vec<&str> =
        values.iter().map(|value| value.trim()).filter(|value| !value.is_empty()).collect();
    let (Some(first), false) = (filled.first(), filled.len() * 2 < values.len()) else {
        return (Kind::Text, None, "guess.mostly-empty");
    };
    let numbers: Option<Vec<i64>> = filled.iter().map(|value| integer(value.as_bytes()).ok()).collect();
    if let Some(numbers) = numbers {
        return number(name, &filled, &numbers);
    }
    let every = |reads: fn(&[u8]) -> bool| filled.iter().all(|value| reads(value.as_bytes()));
    if every(|value| boolean(value).is_ok()) {
        return (Kind::Boolean, None, "guess.boolean");
    }
    let is_number = |value: &&str| float(value.as_bytes()).is_ok();
    let (numbers, others): (Vec<&str>, Vec<&str>) = filled.iter().copied().partition(is_number);
    if numbers.len() > others.len() && !others.is_empty() && others.iter().all(|other| GAPS.contains(other)) {
        return (Kind::Text, None, "guess.numbers-with-gaps");
    }
    if !first.bytes().any(|byte| byte.is_ascii_digit()) {
        return (Kind::Text, None, "guess.text");
    }
    let fits = |pattern: &str| fits(pattern, &filled);
    let Some(&pattern) = PATTERNS.iter().find(|pattern| fits(pattern)) else {
        return match () {
            () if !every(|value| float(value).is_ok()) => (Kind::Text, None, "guess.text"),
            () if is_named(name, &IDENTIFIERS) => (Kind::Text, None, "guess.identifier"),
            () if is_named(name, &TIMES) && within(PLAUSIBLE, FRACTION, &filled) => {
                (Kind::Time, Some(FRACTION), "guess.epoch")
            }
            () if every(|value| !value.iter().any(u8::is_ascii_alphabetic)) => {
                (Kind::Decimal, None, "guess.decimal")
            }
            () => (Kind::Float, None, "guess.float"),
        };
    };
    let swapped = swap_day_and_month(pattern);
    let ambiguous = PATTERNS.iter().any(|other| *other == swapped && *other != pattern && fits(other));
    (Kind::Time, Some(pattern), if ambiguous { "guess.day-or-month" } else { "guess.time" })
}

fn number(name: &str, values: &[&str], numbers: &[i64]) -> (Kind, Option<&'static str>, &'static str) {
    let digits = |value: &&str| value.trim_start_matches(['-', '+']).len();
    let named = |list: &[&str]| is_named(name, list);
    let width = digits(&values[0]);
    let same_width = values.iter().all(|value| digits(value) == width);
    let leading_zero =
        |value: &&str| digits(value) > 1 && value.trim_start_matches(['-', '+']).starts_with('0');
    let digital = DIGITAL.iter().find(|pattern| {
        let as_wide = same_width && width == pattern.len();
        as_wide && (width > 8 || !named(&IDENTIFIERS)) && fits(pattern, values)
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

/// Whether every value is a time of this format, none before 1900 or after 2200.
fn fits(format: &str, values: &[&str]) -> bool {
    const DAYS: i64 = DAY / SECOND;
    within(-70 * 366 * DAYS..230 * 366 * DAYS, format, values)
}

/// Whether every value is a time of this format, within these seconds.
fn within(seconds: Range<i64>, format: &str, values: &[&str]) -> bool {
    let Ok(format) = TimeFormat::parse(format, None) else { return false };
    let time = |value: &&str| format.read(value.as_bytes());
    values.iter().all(|value| time(value).is_some_and(|time| seconds.contains(&time.div_euclid(SECOND))))
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

/// Whether one of these words is in the name of a field.
fn is_named(name: &str, list: &[&str]) -> bool {
    words(name).iter().any(|word| list.contains(&word.as_str()))
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
