//! Splits into equal shares of the keys, each at the shortest key that still divides.

use crate::bytes::strings::ByteStrings;

/// Keys in HBase's order that can be asked for by rank.
pub trait RankedKeys {
    /// Number of keys, duplicates counted.
    fn count(&self) -> usize;

    /// The key at `rank`.
    fn at(&self, rank: usize) -> &[u8];

    /// How many keys sort below `key`.
    fn below(&self, key: &[u8]) -> usize;
}

impl RankedKeys for Vec<Vec<u8>> {
    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, rank: usize) -> &[u8] {
        self.get(rank).map_or(&[], Vec::as_slice)
    }

    fn below(&self, key: &[u8]) -> usize {
        self.partition_point(|other| other.as_slice() < key)
    }
}

/// Points that cut the keys into `regions` shares as equal as they can be: equal keys stay together, so a key that is
/// most of the records leaves fewer points.
pub fn equal_shares(keys: &impl RankedKeys, regions: u32) -> ByteStrings {
    let count = keys.count();
    let mut points = ByteStrings::default();
    let mut last = 0;
    for share in 1..u64::from(regions) {
        let ideal = (u128::from(share) * count as u128 / u128::from(regions.max(1))) as usize;
        let key = keys.at(ideal);
        let before = keys.below(key);
        // The first key above: no key lies between `key` and `key` with a zero byte behind.
        let mut above = key.to_vec();
        above.push(0);
        let after = keys.below(&above);
        let rank = if ideal - before.min(ideal) <= after.saturating_sub(ideal) { before } else { after };
        if rank > last && rank < count {
            points.push(separator(keys.at(rank - 1), keys.at(rank)));
            last = rank;
        }
    }
    points
}

/// The shortest beginning of `high` that sorts above `low`; `low < high`.
fn separator<'a>(low: &[u8], high: &'a [u8]) -> &'a [u8] {
    let common = low.iter().zip(high).take_while(|(low, high)| low == high).count();
    high.get(..=common).unwrap_or(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn points_divide_between_neighbouring_keys_and_no_shorter_key_would(
            mut keys in prop::collection::vec(prop::collection::vec(0u8..3, 1..6), 0..60), regions in 1u32..20,
        ) {
            keys.sort();
            let points = equal_shares(&keys, regions);
            prop_assert!(points.len() < regions as usize);
            for (index, point) in points.iter().enumerate() {
                prop_assert!(index == 0 || points.get(index - 1) < point);
                let rank = keys.below(point);
                prop_assert!(rank > 0 && rank < keys.len());
                let shorter = &point[..point.len() - 1];
                prop_assert!(keys[rank - 1].as_slice() >= shorter);
            }
        }

        #[test]
        fn distinct_keys_come_in_shares_that_differ_by_one(count in 1usize..2000, regions in 1u32..40) {
            let keys: Vec<Vec<u8>> = (0..count as u32).map(|key| key.to_be_bytes().to_vec()).collect();
            let points = equal_shares(&keys, regions);
            let mut ranks: Vec<usize> = points.iter().map(|point| keys.below(point)).collect();
            ranks.insert(0, 0);
            ranks.push(count);
            let shares: Vec<usize> = ranks.windows(2).map(|pair| pair[1] - pair[0]).collect();
            prop_assert_eq!(shares.len(), (regions as usize).min(count));
            prop_assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn one_value_too_frequent_leaves_fewer_points() {
        let mut keys = vec![b"a".to_vec()];
        keys.extend(vec![b"busy".to_vec(); 97]);
        keys.extend([b"c".to_vec(), b"d".to_vec()]);
        let points: Vec<Vec<u8>> = equal_shares(&keys, 4).iter().map(<[u8]>::to_vec).collect();
        assert_eq!(points, [b"b".to_vec(), b"c".to_vec()]);
    }
}
