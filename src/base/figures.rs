//! Figures as sentences have them, rounded as the page rounds: halves of the decimal text go up.

use crate::base::units::DAY_SECONDS;

/// With one decimal unless that is zero.
pub(crate) fn one_decimal(value: f64) -> String {
    let text = tenths(value);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A share in percent, with one decimal unless that is zero.
pub(crate) fn percent(share: f64) -> String {
    format!("{}%", one_decimal((share * 1000.0).round() / 10.0))
}

/// Days that so many seconds come to, with one decimal unless that is zero.
pub(crate) fn in_days(seconds: u64) -> String {
    one_decimal(seconds as f64 / DAY_SECONDS as f64)
}

/// With one decimal. Printing alone would take 65.85 for what its bits are, which is a little less.
pub(crate) fn tenths(value: f64) -> String {
    format!("{:.1}", (value * 10.0).round() / 10.0)
}

/// `a × b ÷ c` without overflow on the way, rounded down; the largest number when it does not fit.
pub fn share(a: u64, b: u64, c: u64) -> u64 {
    u64::try_from(u128::from(a) * u128::from(b) / u128::from(c.max(1))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_up_as_in_the_figures_of_the_page() {
        assert_eq!(percent(1317.0 / 2000.0), "65.9%");
        assert_eq!(percent(1857.0 / 2000.0), "92.9%");
        assert_eq!(percent(143.0 / 2000.0), "7.2%");
        assert_eq!(percent(0.93), "93%");
        assert_eq!(one_decimal(0.05), "0.1");
        assert_eq!(tenths(2.0), "2.0");
    }
}
