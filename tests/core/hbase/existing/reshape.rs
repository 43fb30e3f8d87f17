//! Splits and merges from the regions there are to those that are wanted.

use proptest::prelude::*;
use rowscape::bytes::strings::ByteStrings;
use rowscape::existing::{ReshapeAction, ReshapeStep, reshape};
use rowscape::row::from_string_binary;
use rowscape::split::SplitPoints;
use std::collections::BTreeSet;

type Key = Vec<u8>;

fn points(keys: &BTreeSet<Key>) -> SplitPoints {
    let mut strings = ByteStrings::default();
    keys.iter().for_each(|key| strings.push(key));
    SplitPoints::new(strings).expect("points")
}

fn key(text: &str) -> Key {
    from_string_binary(text).expect(text)
}

/// Boundaries within a range of rows.
fn within(all: &BTreeSet<Key>, start: &Key, stop: &Key) -> Vec<Key> {
    all.iter().filter(|key| *key > start && (stop.is_empty() || *key < stop)).cloned().collect()
}

/// Does what a step says, as HBase would: a region is cut within, neighbours are merged whole.
fn apply(step: &ReshapeStep, all: &mut BTreeSet<Key>) {
    let (start, stop) = (key(&step.start), key(&step.stop));
    assert!(start.is_empty() || all.contains(&start), "{step:?}: no region begins so");
    assert!(stop.is_empty() || all.contains(&stop), "{step:?}: no region ends so");
    let at: Vec<Key> = step.at.iter().map(|text| key(text)).collect();
    match step.action {
        ReshapeAction::Split => {
            assert_eq!(
                (at.len(), within(all, &start, &stop).len()),
                (1, 0),
                "{step:?}: one region, cut once"
            );
            assert!(at[0] > start && (stop.is_empty() || at[0] < stop), "{step:?}");
            all.extend(at);
        }
        ReshapeAction::Merge => {
            assert_eq!(within(all, &start, &stop), at, "{step:?}: the neighbours in between");
            all.retain(|key| !at.contains(key));
        }
    }
}

fn keys() -> impl Strategy<Value = BTreeSet<Key>> {
    prop::collection::btree_set(
        prop::collection::vec(prop_oneof![Just(0u8), Just(b'a'), Just(0xff)], 1..4),
        0..20,
    )
}

proptest! {
    #[test]
    fn the_plan_gives_exactly_the_wanted_boundaries_and_takes_no_step_too_many(from in keys(), to in keys()) {
        let steps = reshape(&points(&from), &points(&to));
        let mut all = from.clone();
        let mut round = 0;
        for step in &steps {
            prop_assert!(step.round >= round);
            round = step.round;
            apply(step, &mut all);
        }
        prop_assert_eq!(&all, &to);
        let splits = steps.iter().filter(|step| step.action == ReshapeAction::Split).count();
        let merged: usize = steps.iter().filter(|step| step.action == ReshapeAction::Merge).map(|step| step.at.len()).sum();
        prop_assert_eq!(splits, to.difference(&from).count());
        prop_assert_eq!(merged, from.difference(&to).count());
    }

    #[test]
    fn no_region_is_cut_in_the_round_it_came_from(from in keys(), to in keys()) {
        let steps = reshape(&points(&from), &points(&to));
        for round in steps.iter().map(|step| step.round) {
            let cut: Vec<&ReshapeStep> = steps.iter().filter(|step| step.round == round).collect();
            for (index, a) in cut.iter().enumerate() {
                for b in &cut[..index] {
                    let apart = |a: &ReshapeStep, b: &ReshapeStep| !a.stop.is_empty() && key(&a.stop) <= key(&b.start);
                    prop_assert!(apart(a, b) || apart(b, a), "{a:?} {b:?}");
                }
            }
        }
        // A region to be cut k times takes no more than the rounds of halving.
        let most = steps.iter().filter(|step| step.action == ReshapeAction::Split).map(|step| step.round).max().unwrap_or(0);
        prop_assert!(most <= 5);
    }
}

#[test]
fn a_table_that_is_as_wanted_is_left_alone() {
    let same: BTreeSet<Key> = [b"a".to_vec(), b"b".to_vec()].into();
    assert_eq!(reshape(&points(&same), &points(&same)), []);
}

#[test]
fn one_region_in_eight_takes_three_rounds_and_back_one() {
    let none = BTreeSet::new();
    let eight: BTreeSet<Key> = (1..8).map(|digit: u8| vec![b'0' + digit]).collect();
    let there = reshape(&points(&none), &points(&eight));
    assert_eq!(there.iter().map(|step| step.round).collect::<Vec<_>>(), [1, 2, 2, 3, 3, 3, 3]);
    assert_eq!((there[0].at.as_slice(), there[0].start.as_str()), (&["4".to_owned()][..], ""));
    let back = reshape(&points(&eight), &points(&none));
    assert_eq!((back.len(), back[0].at.len(), back[0].round), (1, 7, 1));
}
