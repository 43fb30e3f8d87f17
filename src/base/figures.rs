//! Figures as sentences have them, rounded as the page rounds: halves of the decimal text go up.

use crate::base::units::{DAY, DAY_SECONDS, HOUR, MINUTE, SECOND};

/// With one decimal unless that is zero.
pub(crate) fn one_decimal(value: f64) -> String {
    let text = tenths(value);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A share in percent, with one decimal unless that is zero. What is not quite nothing, or all, does not read as that.
pub(crate) fn percent(share: f64) -> String {
    match share {
        _ if share > 0.0 && share < 0.001 => "<0.1%".to_owned(),
        _ if (0.9995..1.0).contains(&share) => ">99.9%".to_owned(),
        _ => format!("{}%", one_decimal((share * 1000.0).round() / 10.0)),
    }
}

/// A share in percent of which a sample tells no more than the bounds.
pub(crate) fn percent_between(low: f64, high: f64) -> String {
    let (low, high) = (percent(low), percent(high));
    if low == high {
        low
    } else {
        format!("{}–{}", low.trim_matches(['<', '%']), high.trim_start_matches('>'))
    }
}

/// Bounds of a share that `part` of `whole` sampled rows have, each `deviations` standard deviations off, after Wilson (1927).
pub(crate) fn share_bounds(part: f64, whole: f64, deviations: f64) -> (f64, f64) {
    let (share, squared) = (part / whole.max(1.0), deviations * deviations / whole.max(1.0));
    let middle = (share + squared / 2.0) / (1.0 + squared);
    let off = (share * (1.0 - share) * squared + squared * squared / 4.0).sqrt() / (1.0 + squared);
    ((middle - off).max(0.0), (middle + off).min(1.0))
}

/// Days that so many seconds come to, with one decimal unless that is zero.
pub(crate) fn in_days(seconds: u64) -> String {
    one_decimal(seconds as f64 / DAY_SECONDS as f64)
}

/// Milliseconds in the largest unit that they are whole in: `10 min`. The signs of the units are the same in all languages.
pub(crate) fn in_one_unit(milliseconds: i64) -> String {
    let units = [(DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s")];
    let fits = units.into_iter().find(|(unit, _)| milliseconds % unit == 0);
    let (unit, sign) = fits.unwrap_or((1, "ms"));
    format!("{} {sign}", milliseconds / unit)
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
    fn bounds_of_a_share_hold_the_truth_19_times_of_20() {
        let mut held = 0;
        for seed in 0..1000u64 {
            let row = |row: u64| crate::bytes::position::mix(seed << 32 | row) % 1000 < 401;
            let part = (0..500).filter(|&number| row(number)).count();
            let (low, high) = share_bounds(part as f64, 500.0, 1.96);
            held += usize::from(low <= 0.401 && 0.401 <= high);
        }
        assert!((940..=965).contains(&held), "{held} of 1000");
        assert_eq!(percent_between(0.392, 0.398), "39.2–39.8%");
        assert_eq!(percent_between(0.3921, 0.3922), "39.2%");
    }

    #[test]
    fn halves_go_up_as_in_the_figures_of_the_page() {
        assert_eq!(percent(1317.0 / 2000.0), "65.9%");
        assert_eq!(percent(1857.0 / 2000.0), "92.9%");
        assert_eq!(percent(143.0 / 2000.0), "7.2%");
        assert_eq!(percent(0.93), "93%");
        assert_eq!([0.0, 4.0 / 20_000.0, 0.9996, 1.0].map(percent), ["0%", "<0.1%", ">99.9%", "100%"]);
        assert_eq!(one_decimal(0.05), "0.1");
        assert_eq!(tenths(2.0), "2.0");
    }
}
