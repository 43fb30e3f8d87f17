//! Figures as a person reads them, the same as on the page.

use crate::base::figures;
use crate::base::units::KB;
pub use crate::records::field::time::civil::moment;

/// Bytes in the binary unit that suits, the only ones HBase has: its settings of sizes, its region sizes, its memory.
pub fn bytes(size: f64) -> String {
    let (mut value, mut units) = (size, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"].iter());
    let mut unit = units.next();
    // A figure that would be printed as 1024 is one of the next unit.
    while value >= KB as f64 - 0.5
        && let Some(larger) = units.next()
    {
        value /= KB as f64;
        unit = Some(larger);
    }
    let digits = usize::from(unit != Some(&"B") && value < 100.0);
    format!("{value:.digits$} {}", unit.unwrap_or(&""))
}

/// A count, its thousands set apart.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A difference of two shares, in percentage points.
pub fn points(part: f64) -> String {
    percent(part).trim_end_matches('%').to_owned()
}

/// A share in percent.
pub fn percent(part: f64) -> String {
    match part {
        _ if !part.is_finite() => "–".to_owned(),
        _ => figures::percent(part),
    }
}

/// A figure with at most two decimals.
pub fn decimal(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value == value.trunc() && value.abs() < 1e15 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", count(value.abs() as u64));
    }
    format!("{value:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_as_on_the_page() {
        assert_eq!([0, 999, 1000, 1234567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0, 0.0004, 0.5, 0.1234, 1.0].map(percent), ["0%", "<0.1%", "50%", "12.3%", "100%"]);
        assert_eq!([2.0, 1234.0, 0.125, f64::NAN].map(decimal), ["2", "1,234", "0.12", "–"]);
        assert_eq!(moment(1_714_521_600_000.0, 3_600_000.0), "2024-05-01 00:00");
        assert_eq!(moment(-1.0, 1.0), "1969-12-31 23:59:59.999");
    }

    #[test]
    fn sizes_are_binary_and_their_unit_says_so() {
        assert_eq!(
            [17.0, 1023.0, 1024.0, 1536.0, 250_000.0, 1_048_575.0, (10u64 << 30) as f64].map(bytes),
            ["17 B", "1023 B", "1.0 KiB", "1.5 KiB", "244 KiB", "1.0 MiB", "10.0 GiB"]
        );
    }
}
