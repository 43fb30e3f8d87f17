//! Random numbers that are the same everywhere.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// A number below `bound`; 0 when that is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

/// Cumulative weights of ranks 1 to `count` where rank k weighs k^(-hundredths/100), in units of 2^-31.
pub fn zipf(count: usize, hundredths: u32) -> Vec<u64> {
    let roots = roots_of_half();
    let mut sum = 0;
    (1..=count as u64)
        .map(|rank| {
            let exponent = log2(rank) * u64::from(hundredths) / 100;
            sum += power_of_half(exponent, &roots).max(1);
            sum
        })
        .collect()
}

/// log2(number) in units of 2^-32, rounded down; a bit for each squaring.
fn log2(number: u64) -> u64 {
    let whole = u64::from(number.max(1).ilog2());
    // The number as 1.x in units of 2^-31.
    let mut value = (u128::from(number.max(1)) << 31 >> whole) as u64;
    let mut log = whole;
    for _ in 0..32 {
        value = ((u128::from(value) * u128::from(value)) >> 31) as u64;
        let bit = value >> 32 & 1;
        value >>= bit;
        log = log << 1 | bit;
    }
    log
}

/// (1/2)^(2^-i) for i = 1 to 32, in units of 2^-31.
fn roots_of_half() -> [u64; 32] {
    let mut root = 1u128 << 30;
    std::array::from_fn(|_| {
        root = (root << 31).isqrt();
        root as u64
    })
}

/// (1/2)^exponent in units of 2^-31, the exponent in units of 2^-32.
fn power_of_half(exponent: u64, roots: &[u64; 32]) -> u64 {
    let whole = exponent >> 32;
    let mut power = 1u64 << 31;
    for (index, root) in roots.iter().enumerate() {
        if exponent >> (31 - index) & 1 == 1 {
            power = (power * root) >> 31;
        }
    }
    power.checked_shr(whole as u32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zipf_weights_follow_the_power_law() {
        for hundredths in [0, 50, 90, 100, 150] {
            let sums = zipf(1000, hundredths);
            for rank in [1usize, 2, 3, 10, 137, 1000] {
                let weight = sums[rank - 1] - if rank > 1 { sums[rank - 2] } else { 0 };
                let expected = (rank as f64).powf(-f64::from(hundredths) / 100.0) * f64::from(1u32 << 31);
                assert!(
                    (weight as f64 - expected).abs() < expected * 1e-4 + 4.0,
                    "{hundredths} {rank} {weight} {expected}"
                );
            }
        }
    }

    #[test]
    fn numbers_below_a_bound_fill_it() {
        let mut random = Random::new(7);
        let mut counts = [0; 10];
        (0..10_000).for_each(|_| counts[random.below(10) as usize] += 1);
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(random.below(0), 0);
    }
}
