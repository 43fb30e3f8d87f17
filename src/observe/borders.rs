//! Where regions begin and end.

use crate::bytes::sort::sort_by;
use crate::records::formats::hbase::regions::RegionBorders;

/// A range of keys: its first row, and the first one behind it; empty at the ends of all keys.
pub type KeyRange = (Vec<u8>, Vec<u8>);

/// The regions of now: of those that overlap the ones that were made last.
pub fn live(mut regions: Vec<RegionBorders>) -> Vec<RegionBorders> {
    sort_by(&mut regions, |a, b| b.id.cmp(&a.id).then_with(|| a.start.cmp(&b.start)));
    // By their starts.
    let mut found: Vec<RegionBorders> = Vec::new();
    for region in regions.into_iter().filter(|region| !region.is_split) {
        let at = found.partition_point(|other| other.start < region.start);
        let before = at.checked_sub(1).and_then(|before| found.get(before));
        let is_free = before.is_none_or(|other| !other.end.is_empty() && other.end <= region.start)
            && found.get(at).is_none_or(|other| !region.end.is_empty() && region.end <= other.start);
        if is_free {
            found.insert(at, region);
        }
    }
    found
}

/// Regions and servers that are listed.
const LISTED: usize = 20_000;

/// Leaves out those of the least shares, where there are more than are listed; the others keep their order.
pub fn keep_most<T>(all: &mut Vec<T>, share: impl Fn(&T) -> f64) {
    if all.len() <= LISTED {
        return;
    }
    let mut shares: Vec<f64> = all.iter().map(&share).collect();
    sort_by(&mut shares, |a, b| b.total_cmp(a));
    let least = shares.get(LISTED - 1).copied().unwrap_or_default();
    // So many of those that share the least one.
    let mut alike = LISTED - shares.partition_point(|&other| other > least);
    all.retain(|one| {
        let own = share(one);
        let is_kept = own > least || own >= least && alike > 0;
        alike -= usize::from(is_kept && own <= least);
        is_kept
    });
}

/// Ranges of keys without gaps: each ends where the next begins. `open`: only their starts are known.
pub fn closed(mut ranges: Vec<KeyRange>, open: bool) -> Vec<KeyRange> {
    if ranges.first().is_none_or(|(start, _)| !start.is_empty()) {
        ranges.insert(0, (Vec::new(), Vec::new()));
    }
    let starts: Vec<Vec<u8>> = ranges.iter().map(|(start, _)| start.clone()).collect();
    for ((_, end), next) in ranges.iter_mut().zip(starts.iter().skip(1)) {
        if open || end.is_empty() || end.as_slice() > next.as_slice() {
            end.clone_from(next);
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_shares_are_kept_in_their_order() {
        let mut all: Vec<(usize, f64)> =
            (0..LISTED + 5).map(|at| (at, f64::from(u8::from(at % 2 == 0)))).collect();
        all.push((usize::MAX, 2.0));
        keep_most(&mut all, |one| one.1);
        assert_eq!(all.len(), LISTED);
        assert_eq!(all.last().map(|one| one.0), Some(usize::MAX));
        assert!(all.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(all.iter().filter(|one| one.1 > 0.5).count(), LISTED / 2 + 4);
    }
}
