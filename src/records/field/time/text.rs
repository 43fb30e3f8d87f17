//! Reading the notations that are not patterns.

use super::civil;
use super::pattern::TimePattern;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};
use std::sync::OnceLock;

/// A decimal number with an optional sign; `None` when it is none or does not fit.
pub fn read_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text.split_first()? {
        (b'-', digits) => (true, digits),
        (b'+', digits) => (false, digits),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0i64, |number, byte| {
        let digit = i64::from(byte.wrapping_sub(b'0'));
        let number = number.checked_mul(10)?;
        if digit > 9 {
            None
        } else if negative {
            number.checked_sub(digit)
        } else {
            number.checked_add(digit)
        }
    })
}

/// How a time is written for people, in UTC.
pub(super) fn iso8601_pattern() -> &'static TimePattern {
    static PATTERN: OnceLock<TimePattern> = OnceLock::new();
    PATTERN.get_or_init(|| TimePattern::parse("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").unwrap_or_default())
}

/// `±hh`, `±hhmm` or `±hh:mm` in milliseconds.
pub(super) fn read_offset(text: &[u8]) -> Option<i64> {
    let (sign, rest) = text.split_first()?;
    let sign = match sign {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, rest) = digits(rest, 2)?;
    let minutes = match rest {
        [] => 0,
        [b':', rest @ ..] | rest => match digits(rest, 2)? {
            (minutes @ 0..=59, []) => minutes,
            _ => return None,
        },
    };
    Some(sign * (hours * HOUR + minutes * MINUTE))
}

/// `yyyy-MM-dd`, then optionally `T` or a space and `HH:mm[:ss[.fraction]]`, then optionally a zone; milliseconds.
/// Without a zone it is local time, `offset` ahead of UTC.
pub(super) fn read_iso8601(text: &[u8], offset: i64) -> Option<i64> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix(b"-")?, 2)?;
    let (day, rest) = digits(rest.strip_prefix(b"-")?, 2)?;
    if year == 0 || !(1..=12).contains(&month) || !(1..=civil::days_in_month(year, month)).contains(&day) {
        return None;
    }
    let date = civil::days_of(year, month, day) * DAY - offset;
    let [b'T' | b't' | b' ', rest @ ..] = rest else { return rest.is_empty().then_some(date) };
    let (hour, rest) = digits(rest, 2)?;
    let (minute, mut rest) = digits(rest.strip_prefix(b":")?, 2)?;
    let (mut second, mut millis) = (0, 0);
    if let Some(seconds) = rest.strip_prefix(b":") {
        (second, rest) = digits(seconds, 2)?;
        if let [b'.' | b',', fraction @ ..] = rest {
            let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (written, after) = fraction.split_at(length);
            if written.is_empty() {
                return None;
            }
            millis =
                (0..3).fold(0, |all, i| all * 10 + written.get(i).map_or(0, |byte| i64::from(byte - b'0')));
            rest = after;
        }
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let local = date + hour * HOUR + minute * MINUTE + second * SECOND + millis;
    match rest {
        [] => Some(local),
        b"Z" | b"z" => Some(local + offset),
        zone => Some(local + offset - read_offset(zone)?),
    }
}

/// Exactly `count` digits, and what follows them.
fn digits(text: &[u8], count: usize) -> Option<(i64, &[u8])> {
    let (digits, rest) = text.split_at_checked(count)?;
    let number = digits
        .iter()
        .try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0')))?;
    Some((number, rest))
}
