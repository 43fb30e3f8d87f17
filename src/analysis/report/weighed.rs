//! What the keys add up to by region and time bucket, laid out as the heat of rows. What a cell of the picture holds in bytes
//! follows from the lengths of row keys: rows × what a row takes besides its key, and key bytes × cells of a row.

use super::NO_BUCKET;
use crate::design::split::SplitPoints;
use crate::keys::table::SortedKeys;

/// Adds up what each key weighs, by its run and place: by cell of the picture, then by region. `buckets` holds, a run each in
/// key order, bucket numbers below `width`; other numbers are in no bucket. `together` regions share a row of the picture.
pub fn weighed(
    keys: &impl SortedKeys,
    points: &SplitPoints,
    (buckets, width): (&[Vec<u16>], usize),
    together: usize,
    weight: &dyn Fn(usize, usize) -> u64,
) -> (Vec<u64>, Vec<u64>) {
    let together = together.max(1);
    let mut heat = vec![0; points.regions().div_ceil(together) * width];
    let mut regions = vec![0; points.regions()];
    for run in 0..keys.runs() {
        let mut region = 0;
        for place in 0..keys.run_len(run) {
            let key = keys.key(run, place);
            // Keys ascend, and their regions with them.
            while region < points.len() && points.keys().get(region) <= key {
                region += 1;
            }
            let more = weight(run, place);
            let bucket = buckets.get(run).and_then(|run| run.get(place)).copied().unwrap_or(NO_BUCKET);
            let cell = usize::from(bucket) + region / together * width;
            if let Some(sum) = heat.get_mut(cell).filter(|_| usize::from(bucket) < width) {
                *sum += more;
            }
            if let Some(sum) = regions.get_mut(region) {
                *sum += more;
            }
        }
    }
    (heat, regions)
}
