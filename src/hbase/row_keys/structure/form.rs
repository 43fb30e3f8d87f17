//! The forms that a part of keys can have, and the values that it then stands for.

use super::bits;
use crate::base::units::DAY;
use crate::records::field::time::TimeFormat;

/// First and last moment that a time of a table is expected to be, in seconds: 2000 and 2035.
const TIMES: (i128, i128) = (946_684_800, 2_051_222_400);
/// 2030, in seconds.
const NEAR: i128 = 1_893_456_000;
/// Formats of times that are written as text of one width.
pub(in super::super) const FORMATS: [&str; 13] = [
    "yyyyMMddHHmmssSSS",
    "yyyyMMddHHmmss",
    "yyyyMMddHHmm",
    "yyyyMMddHH",
    "yyyyMMdd",
    "yyyyMM",
    "yyyy-MM-dd'T'HH:mm:ss.SSS",
    "yyyy-MM-dd'T'HH:mm:ss",
    "yyyy-MM-dd HH:mm:ss",
    "yyyy-MM-dd HH:mm",
    "yyyy-MM-dd",
    "yyyy-MM",
    "yyyy/MM/dd",
];

/// The kind of a part of keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// The same bytes in all keys.
    Literal(Vec<u8>),
    /// Text.
    Text,
    /// Text of which every byte is inverted, as Phoenix writes in descending order.
    InvertedText,
    /// A time written as text in this format.
    TimeText(&'static str),
    /// `Long.MAX_VALUE` less the milliseconds of a time, in 19 digits.
    ReversedMillis,
    /// A number in bytes, big-endian.
    Number(Sign),
    /// A time in bytes.
    Time(Sign, Unit),
    /// The 16 bytes of a UUID.
    Uuid,
    /// Text with zero bytes behind it up to one width.
    PaddedText,
    /// A `double` in 8 bytes.
    Float,
    /// `\xFF` for true, `\x00` for false.
    Boolean,
    /// A number that `OrderedBytes` wrote behind a byte that says its width, ascending or descending.
    OrderedNumber(bool),
    /// Milliseconds of a time, likewise.
    OrderedTime(bool),
    /// A text that `OrderedBytes` wrote, ascending or descending.
    OrderedText(bool),
    /// Bytes that show no form.
    Bytes,
}

/// How the bytes of a number say its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Two's complement; never negative here, or written without a sign.
    Plain,
    /// Two's complement, with numbers below zero.
    Signed,
    /// The first bit inverted, so that negative numbers come first.
    Flipped,
    /// The greatest number of that width less the number.
    Reversed,
    /// Every bit inverted.
    Inverted,
}

/// The unit that a time is counted in since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
    /// Nanoseconds.
    Nanos,
}

impl Unit {
    /// All of them, the coarsest first.
    pub const ALL: [Self; 4] = [Self::Seconds, Self::Millis, Self::Micros, Self::Nanos];

    /// Its name as the format of a field.
    pub fn format(self) -> &'static str {
        match self {
            Self::Seconds => "epoch-seconds",
            Self::Millis => "epoch-millis",
            Self::Micros => "epoch-micros",
            Self::Nanos => "epoch-nanos",
        }
    }

    /// How many are in a second.
    fn of_second(self) -> i128 {
        match self {
            Self::Seconds => 1,
            Self::Millis => 1_000,
            Self::Micros => 1_000_000,
            Self::Nanos => 1_000_000_000,
        }
    }
}

impl Sign {
    /// All but `Signed`, whose bytes are also plain ones.
    const OTHERS: [Self; 4] = [Self::Plain, Self::Reversed, Self::Flipped, Self::Inverted];

    /// The number whose bytes are these.
    pub fn value(self, raw: u64, width: usize) -> i128 {
        let (raw, half) = (i128::from(raw), 1i128 << (8 * width - 1));
        match self {
            Self::Plain => raw,
            Self::Signed => {
                if raw < half {
                    raw
                } else {
                    raw - 2 * half
                }
            }
            Self::Flipped => raw - half,
            Self::Reversed => half - 1 - raw,
            Self::Inverted => 2 * half - 1 - raw,
        }
    }
}

/// The number in big-endian bytes.
pub fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The form of bytes that are numbers of this width, and how many bits they take.
pub fn number(values: &[&[u8]], width: usize) -> (Form, f64) {
    let raw: Vec<u64> = values.iter().map(|bytes| big_endian(bytes)).collect();
    let (least, most) =
        (raw.iter().min().copied().unwrap_or_default(), raw.iter().max().copied().unwrap_or_default());
    let letters = of_letters(values);
    let differ = raw.iter().fold(0, |bits, raw| bits | (raw ^ least));
    // A number that begins with a separator is two parts, more so if another begins behind it.
    let byte = |place: usize| {
        (width > place).then(|| width - 1 - place).filter(|at| differ >> (8 * at) == 0 && differ > 0)
    };
    let byte = |place: usize| byte(place).map(|at| (least >> (8 * at)) as u8);
    let begins_apart = match (byte(0), byte(1)) {
        (Some(b'_' | b'|' | b'#' | b';' | b',' | b'/' | b':' | b'-' | b'.'), second) => {
            if matches!(second, Some(0 | 0x7f | 0x80 | 0xff)) { 60.0 } else { 12.0 }
        }
        _ => 0.0,
    };
    // The last bytes of a number differ before the first do.
    let still = if differ == 0 { 0.0 } else { f64::from(differ.trailing_zeros() / 8) * 40.0 };
    // Letters read as a reversed time in nanoseconds are of these years, too; the last bytes of a time are not all letters.
    let is_shown = |bytes: &[u8]| bytes.iter().all(|byte| matches!(byte, 0 | b' '..=b'~'));
    let is_text = width == 8 && values.iter().all(|bytes| is_shown(bytes));
    if let Some((sign, unit)) = time(least, most, width).filter(|_| (differ > 0 || width == 8) && !is_text) {
        // Few numbers of eight bytes are times of these years by accident, of four bytes a third.
        let prior = if width == 8 { -30.0 } else { -2.0 } + begins_apart;
        let still = if width == 8 { (still - 40.0).max(0.0) * 10.0 } else { still };
        return (Form::Time(sign, unit), bits::of_numbers(raw) + prior + letters + still);
    }
    let reach = |sign: Sign| {
        let of = |raw: u64| sign.value(raw, width);
        let (a, b) = (of(least), of(most));
        let log = a.unsigned_abs().max(b.unsigned_abs()).checked_ilog2().map_or(0, |log| log + 1);
        log + u32::from(a.min(b) < 0)
    };
    let signed_reach =
        raw.iter().map(|&raw| Sign::Signed.value(raw, width).unsigned_abs()).max().unwrap_or_default();
    let plain = (Sign::Plain, reach(Sign::Plain));
    // Only text and hashes come in bytes of three.
    let others = Sign::OTHERS.into_iter().skip(1).filter(|_| width != 3).map(|sign| (sign, reach(sign)));
    let signed = (Sign::Signed, signed_reach.checked_ilog2().map_or(0, |log| log + 1));
    let nearer = std::iter::once(signed)
        .filter(|_| width != 3)
        .chain(others)
        .filter(|&(_, reach)| reach + 2 < plain.1);
    let (sign, _) = nearer.min_by_key(|&(_, reach)| reach).unwrap_or(plain);
    // Random bytes have exponents of all kinds.
    let float = |raw: &u64| {
        let value = f64::from_bits(*raw).abs();
        *raw == 0 || (1e-9..1e15).contains(&value)
    };
    if width == 8 && plain.1.min(signed.1) > 60 && raw.iter().all(float) {
        return (Form::Float, bits::of_numbers(raw) + 10.0);
    }
    if width == 1 && least == 0 && most == 0xff && raw.iter().all(|raw| matches!(raw, 0 | 0xff)) {
        return (Form::Boolean, bits::of_numbers(raw) + 4.0);
    }
    let moved = |raw: u64| raw ^ (1 << (8 * width - 1));
    let bits = match sign {
        Sign::Signed => bits::of_numbers(raw.into_iter().map(moved).collect()),
        _ => bits::of_numbers(raw),
    };
    let prior = match (width, sign) {
        (3, _) => 16.0,
        (1, _) => 12.0,
        (2, Sign::Plain) => 12.0,
        (_, Sign::Plain) => 8.0,
        _ => 12.0,
    };
    let apart = still + if begins_apart > 0.0 { 60.0 } else { 0.0 };
    (Form::Number(sign), bits + prior + letters + apart)
}

/// A number of `OrderedBytes` at the front, with its bytes in all, and the bits that it takes.
pub fn ordered_number(rests: &[&[u8]]) -> Option<(Form, usize, f64)> {
    let first = *rests.first()?.first()?;
    let descending = first > 0x7f;
    let width = match if descending { !first } else { first } {
        0x29 => 1,
        0x2a => 2,
        0x2b => 4,
        0x2c => 8,
        _ => return None,
    };
    let value = |rest: &&[u8]| {
        let raw = big_endian(rest.get(1..=width).filter(|_| rest.first() == Some(&first))?);
        Some(if descending { !raw << (64 - 8 * width as u32) >> (64 - 8 * width as u32) } else { raw })
    };
    let raw: Vec<u64> = rests.iter().map(value).collect::<Option<_>>()?;
    let bounds = (raw.iter().min().copied()?, raw.iter().max().copied()?);
    let is_time = time(bounds.0, bounds.1, width) == Some((Sign::Flipped, Unit::Millis));
    // Numbers that are near zero have the sign bit and then zeros, or none and then ones.
    let half = 1u64 << (8 * width - 1);
    let near = width == 1 || (bounds.0 > half / 2 && bounds.1 < half + half / 2);
    let form = if is_time { Form::OrderedTime(descending) } else { Form::OrderedNumber(descending) };
    near.then(|| (form, width + 1, bits::of_numbers(raw) - if width > 2 { 20.0 } else { 0.0 }))
}

/// Bits for taking what may be letters for something else.
pub fn of_letters(values: &[&[u8]]) -> f64 {
    let is_text = values.iter().all(|bytes| {
        let letters = bytes.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        letters + bytes.len() / 4 >= bytes.len() && bytes.iter().all(|byte| (b' '..0x7f).contains(byte))
    });
    if is_text { 320.0 } else { 0.0 }
}

/// The times that numbers between these bounds are.
fn time(least: u64, most: u64, width: usize) -> Option<(Sign, Unit)> {
    let units = match width {
        8 => &Unit::ALL[..],
        4 => &Unit::ALL[..1],
        _ => return None,
    };
    let signs = if width == 8 { &Sign::OTHERS[..] } else { &Sign::OTHERS[..2] };
    signs.iter().find_map(|&sign| {
        let (a, b) = (sign.value(least, width), sign.value(most, width));
        let (first, last) = (a.min(b), a.max(b));
        // A third of all four bytes are some time of these years; later ones come reversed from small numbers.
        let end = if width == 4 && sign == Sign::Reversed { NEAR } else { TIMES.1 };
        let fits = |unit: &&Unit| TIMES.0 * unit.of_second() <= first && last <= end * unit.of_second();
        units.iter().find(fits).map(|&unit| (sign, unit))
    })
}

/// The unit of texts that count the time since 1970 in digits.
fn counted(values: &[&[u8]], width: usize) -> Option<(&'static str, Unit)> {
    let (format, unit) = match width {
        10 => ("epoch-seconds", Unit::Seconds),
        13 => ("epoch-millis", Unit::Millis),
        16 => ("epoch-micros", Unit::Micros),
        19 => ("epoch-nanos", Unit::Nanos),
        _ => return None,
    };
    let window = TIMES.0 * unit.of_second()..=TIMES.1 * unit.of_second();
    values
        .iter()
        .all(|value| digits(value).is_some_and(|number| window.contains(&number)))
        .then_some((format, unit))
}

/// The number that is written in digits.
fn digits(text: &[u8]) -> Option<i128> {
    text.iter()
        .all(u8::is_ascii_digit)
        .then(|| text.iter().fold(0, |number, digit| number * 10 + i128::from(digit - b'0')))
}

/// The form of texts of one width that are times, and how many bits they take.
pub fn time_text(values: &[&[u8]]) -> Option<(Form, f64)> {
    let width = values.first()?.len();
    if values.iter().any(|value| value.len() != width || !value.first().is_some_and(u8::is_ascii_digit)) {
        return None;
    }
    let count = values.len() as f64;
    let numbers = |values: &[&[u8]]| {
        let numbers = values.iter().filter_map(|value| u64::try_from(digits(value)?).ok());
        bits::of_numbers(numbers.collect())
    };
    if let Some((format, _)) = counted(values, width) {
        return Some((Form::TimeText(format), numbers(values) - 10.0));
    }
    if width == 19 {
        let window = TIMES.0 * 1_000..=TIMES.1 * 1_000;
        let reversed = |value: &&[u8]| Some(i128::from(i64::MAX) - digits(value)?);
        let all = values.iter().all(|value| reversed(value).is_some_and(|millis| window.contains(&millis)));
        if all {
            return Some((Form::ReversedMillis, numbers(values) - 30.0));
        }
    }
    FORMATS.iter().find_map(|&format| {
        if format.replace('\'', "").len() != width {
            return None;
        }
        let read = TimeFormat::parse(format, Some("Z")).ok()?;
        let window = TIMES.0 * 1_000..=TIMES.1 * 1_000;
        let times =
            values.iter().map(|value| read.read(value).filter(|&time| window.contains(&i128::from(time))));
        let times: Vec<i64> = times.collect::<Option<_>>()?;
        let unit = read.resolution().clamp(1, DAY);
        let units = times.into_iter().map(|time| (time / unit) as u64).collect();
        // Six digits are a month of these years by accident now and then, a date with a time of day is none.
        let prior = match width {
            ..=7 => 12.0,
            8..=10 => -20.0,
            _ => -12.0 * count,
        };
        Some((Form::TimeText(format), bits::of_numbers(units) + prior))
    })
}

/// True if all are the bytes of UUIDs of one version.
pub fn are_uuids(values: &[&[u8]]) -> bool {
    let version = |value: &&[u8]| value.get(6).map(|byte| byte >> 4);
    let first = values.first().and_then(version);
    let is_one =
        |value: &&[u8]| version(value) == first && value.get(8).is_some_and(|byte| byte >> 6 == 0b10);
    matches!(first, Some(1..=8)) && values.len() > 3 && values.iter().all(is_one)
}
