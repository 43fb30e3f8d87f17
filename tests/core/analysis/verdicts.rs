//! The verdict follows from the counts.

use crate::common::{PlainKeys, algorithm};
use proptest::prelude::*;
use rowscape::report::*;
use rowscape::split::{SplitPoints, Splits};

/// A well-mixed number, so that rows spread as by chance.
fn mixed(row: u64) -> u64 {
    let z = row.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z ^ z >> 31).wrapping_mul(0x94D0_49BB_1331_11EB) ^ z >> 29
}

fn uniform(rows: u64, regions: i64, key: impl Fn(u64) -> u64) -> Report {
    let rows = (0..rows).map(|row| (key(row).to_be_bytes().to_vec(), Some(row as i64 * 1_000)));
    PlainKeys::new(rows).report(&algorithm("UniformSplit", regions))
}

#[test]
fn keys_spread_by_chance_are_never_called_bad() {
    for regions in [2, 3, 16, 100, 1_000] {
        for rows in [200, 1_000, 5_000, 50_000] {
            let report = uniform(rows, regions, mixed);
            assert!(
                matches!(report.verdict.code, "verdict.good" | "verdict.too-few-rows" | "verdict.too-sparse"),
                "{rows} rows, {regions} regions: {}",
                report.verdict.message
            );
        }
    }
}

#[test]
fn each_kind_of_trouble_is_named() {
    let spread = |row| mixed(row);
    let heavy = |row| if row % 3 == 0 { mixed(7) } else { mixed(row) };
    // Seven of ten rows in the first region, at all times: skew, though moments look like one region too.
    let steady = |row: u64| if row % 10 < 7 { mixed(row) >> 4 } else { mixed(row) };
    let salted = |row: u64| mixed(row % 4) + row;
    for (report, code) in [
        (uniform(0, 16, spread), "verdict.no-rows"),
        (uniform(1_000, 16, spread), "verdict.good"),
        (uniform(19, 16, spread), "verdict.too-few-rows"),
        (uniform(100, 16, spread), "verdict.too-few-rows"),
        (uniform(1_000, 16, |row| row), "verdict.all-in-one"),
        (uniform(20_000, 16, |row| row << 50), "verdict.sequential"),
        (uniform(10_000, 16, heavy), "verdict.skewed"),
        (uniform(10_000, 16, steady), "verdict.skewed"),
        (uniform(10_000, 16, |row| mixed(row) / 16 * 15), "verdict.dead-regions"),
        // Four writers, each rising over a quarter of the table.
        (uniform(16_384, 16, |row| ((row % 4) << 62) | (row << 48)), "verdict.narrow"),
        (uniform(10_000, 16, salted), "verdict.dead-regions"),
        (uniform(10_000, 16, |row| mixed(row / 2 * 2)), "verdict.overwritten"),
    ] {
        assert_eq!(report.verdict.code, code, "{}", report.verdict.message);
        assert!(!report.verdict.message.contains("  ") && report.verdict.message != code);
    }
    let one = PlainKeys::new([(b"a".to_vec(), None)]).report(&Splits::default());
    assert_eq!(one.verdict.code, "verdict.one-region");
}

#[test]
fn a_million_regions_are_counted() {
    let report = uniform(100_000, 1_000_000, mixed);
    assert_eq!((report.region_count, report.regions.len()), (1_000_000, LISTED_REGIONS));
    assert!(report.regions_per_heat_row > 1 && report.heat.len() <= 4 << 20);
    assert_eq!(report.heat.iter().sum::<u32>(), 100_000);
    assert_eq!(report.verdict.code, "verdict.too-few-rows");
}

proptest! {
    #[test]
    fn counts_agree_with_looking_at_every_row(
        rows in prop::collection::vec((prop::collection::vec(0u8..3, 1..4), prop::option::of(0i64..5_000)), 1..200),
        points in prop::collection::btree_set(prop::collection::vec(0u8..3, 1..4), 0..20),
    ) {
        let splits = Splits::Points(points.into_iter().collect());
        let points: SplitPoints = splits.points().expect("points");
        let report = PlainKeys::new(rows.clone()).report(&splits);
        let axis = report.time.as_ref().map(|time| TimeAxis {
            start: time.start,
            span: (time.step * f64::from(time.buckets)) as u64,
            buckets: time.buckets,
        });
        let width = axis.map_or(0, |axis| usize::from(axis.buckets));
        let mut heat = vec![0; points.regions() * width];
        for (key, time) in &rows {
            let region = points.region_of(key);
            if let Some(cell) = axis.map(|axis| axis.bucket(*time)).filter(|&bucket| bucket != NO_BUCKET) {
                heat[region * width + usize::from(cell)] += 1;
            }
        }
        prop_assert_eq!(&report.heat, &heat);
        for region in &report.regions {
            let inside: Vec<_> = rows.iter().filter(|row| points.region_of(&row.0) == region.index).collect();
            prop_assert_eq!(region.rows as usize, inside.len());
            prop_assert_eq!(region.bytes, inside.iter().map(|row| row.0.len() as u64).sum::<u64>());
        }
        for bucket in 0..width {
            let column: Vec<f64> = heat.iter().skip(bucket).step_by(width).map(|&rows| f64::from(rows)).collect();
            let total: f64 = column.iter().sum();
            prop_assert_eq!(f64::from(report.moment_rows[bucket]), total);
            if total > 0.0 {
                let share = column.iter().copied().fold(0.0, f64::max) / total;
                let effective = 1.0 / column.iter().map(|rows| (rows / total).powi(2)).sum::<f64>();
                prop_assert!((report.moment_largest_share[bucket] - share).abs() < 1e-12);
                prop_assert!((report.moment_effective[bucket] - effective).abs() < 1e-9);
            }
        }
        let mut counted = std::collections::BTreeMap::new();
        rows.iter().for_each(|row| *counted.entry(&row.0).or_insert(0) += 1);
        let repeated: Vec<usize> = counted.into_values().filter(|&rows| rows > 1).collect();
        prop_assert_eq!(report.keys.duplicates.keys, repeated.len());
        prop_assert_eq!(report.keys.duplicates.rows, repeated.iter().sum::<usize>());
    }
}
