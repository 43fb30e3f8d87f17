//! Times written as a number since the beginning of 1970 in UTC.

use super::text;
use crate::base::units::SECOND;

/// The unit that the number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epoch {
    /// Whole seconds.
    Seconds,
    /// Seconds with a fraction: `1700000000.123456`.
    Fraction,
    /// Thousandths of a second.
    Millis,
    /// Millionths of a second.
    Micros,
    /// Billionths of a second.
    Nanos,
}

/// The name of each unit as a format.
const NAMES: [(&str, Epoch); 5] = [
    ("epoch-seconds", Epoch::Seconds),
    ("epoch-seconds.SSS", Epoch::Fraction),
    ("epoch-millis", Epoch::Millis),
    ("epoch-micros", Epoch::Micros),
    ("epoch-nanos", Epoch::Nanos),
];

impl Epoch {
    /// The one of this name.
    pub fn named(format: &str) -> Option<Self> {
        NAMES.into_iter().find(|(name, _)| *name == format).map(|(_, epoch)| epoch)
    }

    /// Reads a number as milliseconds; what is finer is dropped, towards the past.
    pub fn read(self, text: &[u8]) -> Option<i64> {
        let whole = || text::read_integer(text);
        match self {
            Self::Seconds => whole()?.checked_mul(SECOND),
            Self::Fraction => seconds(text),
            Self::Millis => whole(),
            Self::Micros => Some(whole()?.div_euclid(1_000)),
            Self::Nanos => Some(whole()?.div_euclid(1_000_000)),
        }
    }

    /// A time as such a number.
    pub fn print(self, millis: i64) -> String {
        match self {
            Self::Seconds => millis.div_euclid(SECOND).to_string(),
            Self::Fraction => {
                let (sign, size) = (if millis < 0 { "-" } else { "" }, millis.unsigned_abs());
                format!("{sign}{}.{:03}", size / 1_000, size % 1_000)
            }
            Self::Millis => millis.to_string(),
            Self::Micros => (i128::from(millis) * 1_000).to_string(),
            Self::Nanos => (i128::from(millis) * 1_000_000).to_string(),
        }
    }

    /// Milliseconds that one written time stands for.
    pub fn resolution(self) -> i64 {
        if self == Self::Seconds { SECOND } else { 1 }
    }
}

/// Seconds, with any digits after a point, in milliseconds.
fn seconds(text: &[u8]) -> Option<i64> {
    let Some(point) = text.iter().position(|&byte| byte == b'.') else {
        return text::read_integer(text)?.checked_mul(SECOND);
    };
    let (whole, fraction) = (&text[..point], &text[point + 1..]);
    if fraction.is_empty() || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let millis =
        (0..3).fold(0, |all, at| all * 10 + fraction.get(at).map_or(0, |byte| i64::from(byte - b'0')));
    let whole_millis = text::read_integer(whole)?.checked_mul(SECOND)?;
    if whole.first() != Some(&b'-') {
        return whole_millis.checked_add(millis);
    }
    let finer = fraction.iter().skip(3).any(|&byte| byte != b'0');
    whole_millis.checked_sub(millis + i64::from(finer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_moment_in_every_unit() {
        let written = [
            ("epoch-seconds", "1331901000", 1_331_901_000_000),
            ("epoch-seconds.SSS", "1331901000.730000", 1_331_901_000_730),
            ("epoch-seconds.SSS", "1331901000.7", 1_331_901_000_700),
            ("epoch-seconds.SSS", "1331901000", 1_331_901_000_000),
            ("epoch-seconds.SSS", "-0.5", -500),
            ("epoch-seconds.SSS", "-1.0001", -1_001),
            ("epoch-millis", "1331901000730", 1_331_901_000_730),
            ("epoch-micros", "1331901000730999", 1_331_901_000_730),
            ("epoch-nanos", "1331901000730999999", 1_331_901_000_730),
            ("epoch-nanos", "-1", -1),
        ];
        for (format, text, millis) in written {
            let epoch = Epoch::named(format).expect(format);
            assert_eq!(epoch.read(text.as_bytes()), Some(millis), "{format} {text}");
        }
        for text in ["", ".", "1.", "1.x", "1.2.3", "x.5", "1,5", "1e9"] {
            assert_eq!(Epoch::Fraction.read(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_as_the_same_time(millis in -9_000_000_000_000i64..9_000_000_000_000) {
            for (name, epoch) in NAMES {
                let kept = millis.div_euclid(epoch.resolution()) * epoch.resolution();
                prop_assert_eq!(epoch.read(epoch.print(millis).as_bytes()), Some(kept), "{}", name);
            }
        }
    }
}
