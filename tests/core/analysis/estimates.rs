//! Kept honest: over 200 seeded runs the 95% interval of each estimate holds the truth at least 180 times.

use rowscape::base::estimate::Estimate;
use rowscape::bytes::position::mix;
use rowscape::report::Report;
use rowscape::split::Splits;
use rowscape::summary::{SampledDetail, SampledKey, Summary, ValueSummary};
use std::collections::BTreeMap;

const RUNS: u64 = 200;

/// Numbers that a seed decides; another generator than the one whose finaliser is the samples' hash.
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1)
    }

    /// xorshift64*.
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A number below `bound`, the lower the more often, as busy people are.
    fn skewed(&mut self, bound: u64) -> u64 {
        let share = self.below(1 << 20) as f64 / f64::from(1 << 20);
        ((bound as f64).powf(share) - 1.0) as u64
    }
}

/// Runs a trial under each seed; it gives estimates, each with the truth.
fn honest(trial: impl Fn(&mut Chance) -> Vec<(&'static str, Estimate, f64)>) {
    let mut held: BTreeMap<&str, (u64, f64)> = BTreeMap::new();
    for seed in 1..=RUNS {
        for (name, estimate, truth) in trial(&mut Chance::new(seed)) {
            assert!(!estimate.is_exact(), "{name} was counted, seed {seed}");
            let (count, width) = held.entry(name).or_default();
            *count += u64::from(estimate.low <= truth && truth <= estimate.high);
            *width += (estimate.high - estimate.low) / truth.max(1.0);
        }
    }
    assert!(!held.is_empty());
    for (name, (count, width)) in held {
        let width = width / RUNS as f64;
        println!("{name}: {count} of {RUNS}, interval {:.1}% wide", 100.0 * width);
        assert!(count >= 180, "{name}: {count} of {RUNS}");
        // Holding the truth is easy for an interval that says nothing.
        assert!(width < 0.5, "{name}: {width}");
    }
}

#[test]
fn distinct_values_and_the_rows_of_busy_ones() {
    honest(|chance| {
        // Other values in each run, or all runs would draw from the same hashes.
        let first = chance.next() << 16;
        let range = 5_000 + chance.below(20_000);
        let mut values = ValueSummary::default();
        let mut rows: BTreeMap<u64, u64> = BTreeMap::new();
        for _ in 0..20_000 {
            let value = first + chance.skewed(range);
            values.add(&value.to_be_bytes(), 1);
            *rows.entry(value).or_default() += 1;
        }
        let mut found = vec![("distinct values", values.distinct(), rows.len() as f64)];
        // The busiest value that is not counted one by one.
        let estimated = |value: &&u64| !values.rows_of(&value.to_be_bytes()).is_exact();
        if let Some(value) = rows.keys().find(estimated) {
            found.push(("rows of a value", values.rows_of(&value.to_be_bytes()), rows[value] as f64));
        }
        found
    });
}

#[test]
fn distinct_keys_repeated_keys_and_shares_of_rows() {
    let points = Splits::Points(vec![vec![0x40], vec![0x80]]).points().expect("points");
    honest(|chance| {
        let mut summary = Summary::new([0; 16], &[points.clone().into()], &[]);
        let first = chance.next() << 16;
        let range = 15_000 + chance.below(30_000);
        let mut rows: BTreeMap<u64, u64> = BTreeMap::new();
        let mut evening = 0;
        for row in 0..20_000u64 {
            let number = first + chance.below(range);
            let key = mix(number).to_be_bytes();
            *rows.entry(number).or_default() += 1;
            let hour = chance.below(24);
            evening += u64::from(hour >= 18);
            summary.add_row(
                (0, first + row * 37),
                (Some(hour as i64), false),
                &[Ok(&key)],
                &SampledDetail::default,
            );
        }
        let design = &summary.designs[0];
        let (keys, of_keys) = design.repeated();
        let twice = || rows.values().filter(|&&rows| rows > 1);
        let sampled = |row: &&rowscape::summary::SampledRow| row.time >= Some(18);
        let in_evening = summary.sample.iter().map(|(_, row)| row).filter(sampled).count() as u64;
        vec![
            ("distinct keys", design.keys.distinct(), rows.len() as f64),
            ("keys written more than once", keys, twice().count() as f64),
            ("rows of such keys", of_keys, twice().sum::<u64>() as f64),
            (
                "share of rows",
                Estimate::share(in_evening, summary.sample.len() as u64).times(Estimate::exact(20_000.0)),
                evening as f64,
            ),
        ]
    });
}

/// One device in a hundred sends a third of all rows.
fn devices(chance: &mut Chance, rows: u64) -> (Summary, BTreeMap<u64, u64>) {
    let points = Splits::Points(vec![]).points().expect("points");
    let mut summary = Summary::new([0; 16], &[points.into()], &["device"]);
    let mut rows_of: BTreeMap<u64, u64> = BTreeMap::new();
    for row in 0..rows {
        let device = if chance.below(3) == 0 { 7 } else { 1_000 + chance.below(9_000) };
        let key = [mix(device).to_be_bytes(), row.to_be_bytes()].concat();
        *rows_of.entry(device).or_default() += 1;
        let value = device.to_be_bytes();
        summary.fields[0].values.add(&value, 1);
        let detail = || SampledDetail { ends: vec![vec![8]], values: vec![Some(SampledKey::new(&value))] };
        summary.add_row((0, row), (Some(row as i64), false), &[Ok(&key)], &detail);
    }
    (summary, rows_of)
}

#[test]
fn the_busiest_of_very_many_values_is_found_and_its_rows_are_known_closely() {
    let (summary, rows) = devices(&mut Chance::new(5), 60_000);
    let busiest = summary.busiest_of_field(0, 2);
    assert_eq!(busiest[0].0, 7u64.to_be_bytes());
    let (truth, found) = (rows[&7] as f64, busiest[0].1);
    assert!(found.low <= truth && truth <= found.high, "{found:?} {truth}");
    assert!(found.value - truth < 0.0014 * 60_000.0);
    assert!(busiest[1].1.value < 0.0014 * 60_000.0 + 30.0, "{busiest:?}");
}

#[test]
fn a_report_says_between_which_figures_an_estimate_lies() {
    let points = Splits::Points(vec![]).points().expect("points");
    let mut summary = Summary::new([0; 16], &[points.into()], &[]);
    for row in 0..20_000u64 {
        summary.add_row((0, row), (None, false), &[Ok(&(row / 2).to_be_bytes())], &SampledDetail::default);
    }
    let found =
        Report::of_summary(&summary.designs[0], None, Default::default()).expect("report").keys.duplicates;
    let [keys, rows] = found.between.expect("an estimate");
    assert!(keys[0] <= 10_000 && 10_000 <= keys[1] && found.estimated, "{keys:?}");
    assert!(rows[0] <= 20_000 && 20_000 <= rows[1], "{rows:?}");
}
