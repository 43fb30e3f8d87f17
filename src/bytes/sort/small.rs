//! Sorting of what is no column of rows. In wasm it is small in code rather than quick: the standard sort, compiled once for all types.

use std::cmp::Ordering;

/// Sorts by a comparison; equal items keep their order.
pub fn sort_by<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    if cfg!(target_arch = "wasm32") {
        sort_small(items, compare);
    } else {
        items.sort_by(compare);
    }
}

fn sort_small<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = order(items.len(), &mut |a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    arrange(order, &mut |a, b| items.swap(a, b));
}

/// Sorts.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts by a key.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts and keeps one of each.
pub fn sort_distinct<T: Ord>(items: &mut Vec<T>) {
    sort(items);
    items.dedup();
}

/// The indices below `len` in ascending order of what they stand for.
fn order(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Brings to each place what stands at `order[place]`, cycle by cycle.
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        while let Some(from) = order.get_mut(place).map(|from| std::mem::replace(from, place))
            && from != start
            && from != place
        {
            swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_standard_stable_sort(items in prop::collection::vec((0u8..20, any::<u8>()), 0..300)) {
            let (mut ours, mut standard) = (items.clone(), items);
            sort_small(&mut ours, |a, b| a.0.cmp(&b.0));
            standard.sort_by_key(|item| item.0);
            prop_assert_eq!(ours, standard);
        }

        #[test]
        fn keeps_one_of_each(mut items in prop::collection::vec(0u8..40, 0..100)) {
            let all: std::collections::BTreeSet<u8> = items.iter().copied().collect();
            sort_distinct(&mut items);
            prop_assert_eq!(items, Vec::from_iter(all));
        }
    }
}
