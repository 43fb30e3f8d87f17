//! Bytes of row keys by region and time bucket, laid out as the heat of rows. What a cell of the picture holds in bytes follows
//! from both: rows × what a row takes besides its key, and key bytes × cells of a row.

use super::SortedKeys;
use crate::split::SplitPoints;

/// Adds up the lengths of `keys`. `buckets` holds, a run each in key order, bucket numbers below `width`; other numbers are in
/// no bucket. `together` regions share a row of the picture.
pub fn key_bytes(
    keys: &impl SortedKeys,
    points: &SplitPoints,
    buckets: &[Vec<u16>],
    width: usize,
    together: usize,
) -> Vec<u64> {
    let together = together.max(1);
    let mut heat = vec![0; points.regions().div_ceil(together) * width];
    for (run, buckets) in buckets.iter().enumerate() {
        let mut region = 0;
        for (place, &bucket) in buckets.iter().enumerate() {
            let key = keys.key(run, place);
            // Keys ascend, and their regions with them.
            while region < points.len() && points.keys().get(region) <= key {
                region += 1;
            }
            let cell = usize::from(bucket) + region / together * width;
            if let Some(bytes) = heat.get_mut(cell).filter(|_| usize::from(bucket) < width) {
                *bytes += key.len() as u64;
            }
        }
    }
    heat
}
