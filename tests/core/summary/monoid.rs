//! The laws of the summary: counts of the whole equal the merged counts of its parts, however they were cut.

use crate::common;

use proptest::prelude::*;
use rowscape::base::estimate::Estimate;
use rowscape::split::{SplitPoints, Splits};
use rowscape::summary::cells::{CellLoad, MAX_CELLS};
use rowscape::summary::sample::SAMPLE_SIZE;
use rowscape::summary::{DesignScope, RowRefusal, SampledDetail, SampledKey, Summary};
use std::collections::BTreeMap;

const STUDY: [u8; 16] = [7; 16];

#[derive(Clone, Debug)]
struct Row {
    position: (u32, u64),
    time: Option<i64>,
    keys: [Option<Vec<u8>>; 2],
    value: String,
}

fn designs() -> Vec<SplitPoints> {
    let text = Splits::Points(vec![vec![1], vec![1, 2], vec![2]]);
    [text, common::algorithm("UniformSplit", 5)]
        .iter()
        .map(|splits| splits.points().expect("points"))
        .collect()
}

fn scopes() -> Vec<DesignScope> {
    let scope =
        |points| DesignScope { points, leading: 1, queries: vec![false, true], ..DesignScope::default() };
    designs().into_iter().map(scope).collect()
}

fn summarize(rows: &[Row]) -> Summary {
    let mut summary = Summary::new(STUDY, &scopes(), &["value"]);
    for row in rows {
        let why = RowRefusal { code: "row.empty", field: "id", value: &row.value };
        let keys = row.keys.each_ref().map(|key| key.as_deref().ok_or(why));
        let known = |key: &Option<Vec<u8>>| key.as_ref().map(|_| vec![1]).unwrap_or_default();
        let values = vec![Some(SampledKey::new(row.value.as_bytes()))];
        let detail =
            || SampledDetail { ends: row.keys.each_ref().map(known).to_vec(), values: values.clone() };
        summary.add_row(row.position, (row.time, false), &keys, &detail);
        summary.fields[0].values.add(row.value.as_bytes(), 1);
        for (design, key) in summary.designs.iter_mut().zip(&row.keys) {
            let Some(key) = key else { continue };
            design.leading[0].add(&key[..1], 1);
            if let Some(counted) = &mut design.queries[1] {
                counted.read += 1;
                counted.returned += u64::from(key.len() > 2);
            }
        }
    }
    summary
}

fn rows(max: usize) -> impl Strategy<Value = Vec<Row>> {
    let key = || prop::option::weighted(0.9, prop::collection::vec(0u8..4, 1..5));
    let time = prop::option::of(prop_oneof![0i64..10_000, any::<i64>()]);
    let row = (time, key(), key(), ".{0,3}");
    prop::collection::vec(row, 0..max).prop_map(|rows| {
        let number = |(offset, (time, a, b, value))| Row { position: (0, offset), time, keys: [a, b], value };
        (0..).zip(rows).map(number).collect()
    })
}

/// Merges parts in an order that `choices` decide.
fn merge_tree(mut parts: Vec<Summary>, mut choices: impl Iterator<Item = usize>) -> Summary {
    while parts.len() > 1 {
        let mut take = || parts.swap_remove(choices.next().unwrap_or(0) % parts.len());
        let merged = take().merge(take()).expect("one study");
        parts.push(merged);
    }
    parts.pop().unwrap_or_else(|| summarize(&[]))
}

fn bytes(summary: &Summary) -> Vec<u8> {
    summary.to_bytes()
}

proptest! {
    #[test]
    fn any_cut_and_any_merge_tree_give_the_summary_of_the_whole(
        rows in rows(150),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        choices in prop::collection::vec(any::<usize>(), 20),
    ) {
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(rows.len() + 1)).collect();
        ends.extend([0, rows.len()]);
        ends.sort_unstable();
        let parts = ends.windows(2).map(|cut| summarize(&rows[cut[0]..cut[1]])).collect();
        let merged = merge_tree(parts, choices.into_iter());
        let whole = summarize(&rows);
        prop_assert_eq!(&merged, &whole);
        prop_assert_eq!(bytes(&merged), bytes(&whole));
        prop_assert_eq!(Summary::from_bytes(&bytes(&whole)), Ok(whole));
    }

    #[test]
    fn merging_is_associative_and_commutative_with_the_empty_summary_as_neutral(rows in rows(90), a: u8, b: u8) {
        let mut cuts = [usize::from(a) % (rows.len() + 1), usize::from(b) % (rows.len() + 1)];
        cuts.sort_unstable();
        let [x, y, z] = [&rows[..cuts[0]], &rows[cuts[0]..cuts[1]], &rows[cuts[1]..]].map(summarize);
        let merge = |a: &Summary, b: &Summary| a.clone().merge(b.clone()).expect("one study");
        prop_assert_eq!(merge(&merge(&x, &y), &z), merge(&x, &merge(&y, &z)));
        prop_assert_eq!(merge(&x, &y), merge(&y, &x));
        prop_assert_eq!(merge(&x, &summarize(&[])), x.clone());
        let written = |summary: &Summary| Summary::from_bytes(&bytes(summary)).expect("read back");
        prop_assert_eq!(bytes(&merge(&written(&x), &written(&y))), bytes(&merge(&x, &y)));
    }

    #[test]
    fn counts_are_those_of_looking_at_every_row(rows in rows(120)) {
        let summary = summarize(&rows);
        prop_assert_eq!(summary.rows, rows.len() as u64);
        let regions: Vec<[Option<usize>; 2]> = rows.iter().map(|row| {
            [0, 1].map(|design| row.keys[design].as_ref().map(|key| designs()[design].region_of(key)))
        }).collect();
        for (design, counted) in summary.designs.iter().enumerate() {
            for (region, &count) in counted.rows.iter().enumerate() {
                prop_assert_eq!(count, regions.iter().filter(|of| of[design] == Some(region)).count() as u64);
            }
            let step = counted.cells.step().expect("a step");
            let mut cells = BTreeMap::new();
            for (row, region) in rows.iter().zip(&regions) {
                if let (Some(time), Some(region)) = (row.time, region[design]) {
                    let start = (i128::from(time.div_euclid(step)) * i128::from(step)).max(i128::from(i64::MIN)) as i64;
                    let cell: &mut CellLoad = cells.entry((start, region as u32)).or_default();
                    cell.rows += 1;
                    cell.bytes += row.keys[design].as_ref().map_or(0, Vec::len) as u64;
                }
            }
            let counted_cells: Vec<_> = counted.cells.iter().map(|(time, region, load)| ((time, region), load)).collect();
            prop_assert_eq!(counted_cells, cells.into_iter().collect::<Vec<_>>());
            let mut keys = BTreeMap::new();
            rows.iter().filter_map(|row| row.keys[design].clone()).for_each(|key| *keys.entry(key).or_insert(0) += 1);
            let sampled: BTreeMap<Vec<u8>, u64> =
                counted.keys.iter().map(|(key, rows)| (key.start.to_vec(), *rows)).collect();
            prop_assert_eq!(counted.keys.distinct(), Estimate::exact(keys.len() as f64));
            prop_assert_eq!(sampled, keys);
            let refused: u64 = counted.refused.iter().map(|(_, _, refused)| refused.count).sum();
            prop_assert_eq!(refused + counted.lengths.count, rows.len() as u64);
        }
        let mut of_value: BTreeMap<&str, u64> = BTreeMap::new();
        rows.iter().for_each(|row| *of_value.entry(row.value.as_str()).or_default() += 1);
        let mut busiest: Vec<_> = of_value.iter().map(|(value, &rows)| (value.as_bytes(), Estimate::exact(rows as f64))).collect();
        busiest.sort_by(|a, b| b.1.value.total_cmp(&a.1.value).then(a.0.cmp(b.0)));
        busiest.truncate(5);
        prop_assert_eq!(summary.busiest_of_field(0, 5), busiest);
        prop_assert_eq!(summary.fields[0].values.distinct(), Estimate::exact(of_value.len() as f64));
        let joint = &summary.joint[0];
        let both = |pair: usize| regions.iter().filter(|of| **of == [Some(pair / 5), Some(pair % 5)]).count() as u64;
        prop_assert_eq!(joint.rows.clone(), (0..20).map(both).collect::<Vec<_>>());
    }
}

/// Rows past every bound: more cells and more keys than are held.
fn many(count: u64) -> Vec<Row> {
    let row = |offset: u64| {
        let mixed = rowscape::bytes::position::mix(offset);
        let key = (mixed % 30_000).to_be_bytes().map(|byte| byte.rotate_left(1)).to_vec();
        let time = if offset == 77 { 0 } else { 1_700_000_000_000 + (offset * 37) as i64 };
        Row {
            position: (1, offset),
            time: Some(time),
            keys: [Some(key[6..].to_vec()), Some(mixed.to_be_bytes().to_vec())],
            // One row of ten has the same value, the others have one of many.
            value: if mixed.is_multiple_of(10) { "often".to_owned() } else { (mixed % 7_000).to_string() },
        }
    };
    (0..count).map(row).collect()
}

#[test]
fn the_laws_hold_past_every_bound() {
    let rows = many(60_000);
    let whole = summarize(&rows);
    for (size, stride) in [(1_000, 1), (7_777, 3), (40_000, 2)] {
        let parts = rows.chunks(size).map(summarize).collect();
        let merged = merge_tree(parts, (0..).map(|choice| choice * stride));
        assert!(merged == whole, "parts of {size}");
        assert_eq!(bytes(&merged), bytes(&whole));
    }
    assert!(Summary::from_bytes(&bytes(&whole)).as_ref() == Ok(&whole));
    for design in &whole.designs {
        assert!(design.cells.iter().count() <= MAX_CELLS);
        assert_eq!(design.cells.iter().map(|cell| cell.2.rows).sum::<u64>(), 60_000);
        assert_eq!(design.keys.len(), SAMPLE_SIZE);
        // An hour of rows and a stray of 1970: the stray costs a cell, not the resolution.
        assert!(design.cells.step() <= Some(5_000), "{:?}", design.cells.step());
    }
    let distinct = whole.designs[1].keys.distinct();
    assert!(distinct.low < 60_000.0 && 60_000.0 < distinct.high, "{distinct:?}");
    assert_eq!(whole.sample.len(), SAMPLE_SIZE);
    let often = rows.iter().filter(|row| row.value == "often").count() as f64;
    let (value, counted) = whole.busiest_of_field(0, 3)[0];
    assert_eq!(value, b"often");
    assert!(counted.low <= often && often <= counted.high && counted.high - often < 100.0, "{counted:?}");
    let values: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.value.as_str()).collect();
    let distinct = whole.fields[0].values.distinct();
    assert!(distinct.low < values.len() as f64 && (values.len() as f64) < distinct.high, "{distinct:?}");
}

#[test]
fn a_table_of_very_many_regions_keeps_its_totals() {
    let points = common::algorithm("UniformSplit", 200_000).points().expect("points");
    let mut summary = Summary::new(STUDY, &[points.clone().into(), points.into()], &[]);
    for row in 0..150_000u64 {
        let key = rowscape::bytes::position::mix(row).to_be_bytes();
        summary.add_row((0, row), (Some(row as i64), false), &[Ok(&key), Ok(&key)], &SampledDetail::default);
    }
    assert_eq!(summary.designs[0].rows.iter().sum::<u64>(), 150_000);
    assert_eq!((summary.designs[0].cells.step(), summary.joint.len()), (None, 0));
}

#[test]
fn summaries_of_different_studies_do_not_add_up() {
    let other_study = Summary::new([8; 16], &scopes(), &["value"]);
    let other_splits = Summary::new(STUDY, &scopes()[..1], &["value"]);
    let other_fields = Summary::new(STUDY, &scopes(), &["id"]);
    for other in [other_study, other_splits, other_fields] {
        let problem = summarize(&[]).merge(other).expect_err("refused");
        assert_eq!(problem.code, "summary.different-studies");
        assert_ne!(problem.sentence(), problem.code);
    }
}

#[test]
fn the_first_refused_rows_are_kept_by_position() {
    let row = |offset: u64| Row {
        position: (0, offset),
        time: None,
        keys: [None, None],
        value: "é".repeat(offset as usize),
    };
    let rows: Vec<Row> = (0..300).rev().map(row).collect();
    let summary = summarize(&rows);
    let (code, field, refused) = summary.designs[0].refused.iter().next().expect("a reason");
    assert_eq!((code, field, refused.count), ("row.empty", "id", 300));
    assert_eq!(refused.first.iter().map(|(position, _)| position.1).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    let long = summarize(&rows[..100]);
    let (.., refused) = long.designs[0].refused.iter().next().expect("a reason");
    assert_eq!(refused.first[0].1, "é".repeat(100));
}
