//! Chance: how unevenly rows fall that are as likely everywhere.

use super::thresholds::BY_CHANCE;

/// True when an even spread of so many rows over so many places puts as many on some place in one interval of a hundred: the
/// tail of the binomial distribution for one place, and Boole's bound for all.
pub(in crate::analysis) fn may_be_chance(largest: u32, rows: u32, places: usize) -> bool {
    let (share, even) = (f64::from(largest) / f64::from(rows.max(1)), 1.0 / places.max(1) as f64);
    if share <= even {
        return true;
    }
    let rest = if share < 1.0 { (1.0 - share) * ((1.0 - share) / (1.0 - even)).ln() } else { 0.0 };
    let divergence = share * (share / even).ln() + rest;
    // Chernoff's bound is quick, and is never below the tail.
    let least = (places as f64 / BY_CHANCE).ln();
    f64::from(rows) * divergence < least
        && tail_of_even_spread(largest, rows, even) * places as f64 > BY_CHANCE
}

/// How likely at least `largest` of so many rows fall on a place that each falls on with probability `even`.
fn tail_of_even_spread(largest: u32, rows: u32, even: f64) -> f64 {
    let odds = even / (1.0 - even);
    // The ratio of each term to the one before, whose sum beside the first term is the tail.
    let ratio = |count: u32| f64::from(rows - count) / f64::from(count + 1) * odds;
    let to_largest: f64 = (0..largest).map(|count| ratio(count).ln()).sum();
    let first = (to_largest + f64::from(rows) * (1.0 - even).ln()).exp();
    let (mut term, mut sum) = (first, first);
    for count in largest..rows {
        term *= ratio(count);
        sum += term;
        if term < sum * 1e-9 {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_that_of_the_binomial_distribution() {
        // 3 heads of 4: (4 + 1) of 16.
        assert!((tail_of_even_spread(3, 4, 0.5) - 5.0 / 16.0).abs() < 1e-12);
        assert!((tail_of_even_spread(20, 20, 0.5) - 0.5f64.powi(20)).abs() < 1e-12);
        // 17 of 20 on one of three places: 2.8 in a million for one, more by Chernoff's bound.
        assert!(!may_be_chance(17, 20, 3));
        assert!(may_be_chance(11, 20, 3) && may_be_chance(1, 20, 16));
    }
}
