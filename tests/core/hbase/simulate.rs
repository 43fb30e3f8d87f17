//! Months of a table's life, against what can be worked out by hand.

use proptest::prelude::*;
use rowscape::base::units::{DAY_SECONDS as DAY, GB, MB};
use rowscape::design::{Arrivals, SplitPolicy};
use rowscape::simulate::{SimulatedDay, SimulationSpec, simulate};
use rowscape::sizing::{latest_compaction, longest_ttl};

fn run(spec: &SimulationSpec) -> Vec<SimulatedDay> {
    let life = simulate(spec).expect("a life");
    assert_eq!(life.stopped, None);
    life.days
}

fn last(spec: &SimulationSpec) -> SimulatedDay {
    *run(spec).last().expect("a day")
}

/// A loop of 365 days over two years and a half, a region for each two weeks.
fn yearly(ttl: u32, compaction: u32, jitter: u32) -> SimulationSpec {
    SimulationSpec {
        ttl_days: Some(ttl),
        compaction_days: compaction,
        compaction_jitter: jitter,
        regions: 26,
        ..SimulationSpec::new(900, GB / 8, Arrivals::Loop(365))
    }
}

#[test]
fn d2_a_year_that_comes_round_allows_363_351_or_344_days_of_life() {
    let year = 365 * DAY;
    assert_eq!(longest_ttl(year, DAY), Some(363 * DAY));
    assert_eq!(longest_ttl(year, 7 * DAY), Some(351 * DAY));
    assert_eq!(longest_ttl(year, latest_compaction(7)), Some(344 * DAY));
    assert_eq!(longest_ttl(14 * DAY, 7 * DAY), None);
}

#[test]
fn d2_within_the_rule_the_next_round_finds_its_place_empty() {
    for (ttl, compaction, jitter) in [(363, 1, 0), (351, 7, 0), (344, 7, 50)] {
        let met: u64 =
            run(&yearly(ttl, compaction, jitter)).iter().map(|day| day.over_live + day.over_stale).sum();
        assert_eq!(met, 0, "{ttl} {compaction} {jitter}");
    }
}

#[test]
fn d2_a_year_of_life_meets_rows_not_yet_compacted_away_and_more_meets_living_ones() {
    let days = run(&yearly(364, 7, 50));
    assert!(days.iter().any(|day| day.over_stale > 0) && days.iter().all(|day| day.over_live == 0));
    assert!(run(&yearly(400, 7, 50)).iter().any(|day| day.over_live > 0));
}

#[test]
fn d2_dated_keys_leave_empty_regions_behind_where_a_loop_and_tables_per_period_do_not() {
    let spec = |arrivals| SimulationSpec { ttl_days: Some(60), ..SimulationSpec::new(720, 2 * GB, arrivals) };
    let (dated, looped, tables) = (
        last(&spec(Arrivals::Rising)),
        last(&spec(Arrivals::Loop(90))),
        last(&spec(Arrivals::TablePerPeriod(30))),
    );
    // 60 days live of 720: eleven twelfths of the regions hold nothing.
    assert!(dated.empty * 12 > dated.regions * 10, "{dated:?}");
    assert!(looped.regions * 4 < dated.regions, "{looped:?} {dated:?}");
    assert!(tables.regions * 4 < dated.regions, "{tables:?} {dated:?}");
    for day in [dated, looped, tables] {
        assert_eq!(day.live, 120 * GB);
    }
    // Regions of a dropped table go with it; those of the three that hold the last 60 days are left.
    assert_eq!(tables.empty, 0);
}

#[test]
fn policies_split_where_hbase_does() {
    let above = |policy: SplitPolicy, regions| policy.splits_above(128 * MB, 10 * GB, regions);
    let increasing = SplitPolicy::IncreasingToUpperBound;
    // 2 × 128 MiB × R³, at most 10 GiB.
    let steps = [1, 2, 3, 4, 100, 101].map(|regions| above(increasing, regions));
    assert_eq!(steps, [256 * MB, 2048 * MB, 6912 * MB, 10_240 * MB, 10_240 * MB, 10_240 * MB].map(Some));
    assert_eq!([1, 2].map(|regions| above(SplitPolicy::Stepping, regions)), [Some(256 * MB), Some(10 * GB)]);
    assert_eq!(above(SplitPolicy::ConstantSize, 1), Some(10 * GB));
    assert_eq!(above(SplitPolicy::Disabled, 1), None);
}

#[test]
fn rising_keys_leave_regions_half_full() {
    let spec = SimulationSpec {
        policy: SplitPolicy::ConstantSize,
        split_jitter: 0,
        ..SimulationSpec::new(100, GB, Arrivals::Rising)
    };
    let day = last(&spec);
    // Each split leaves 5 GiB behind for good, and the last region holds 5 to 10 of the 100.
    assert!((18..=20).contains(&day.regions), "{day:?}");
    assert!(day.largest <= 10 * GB && day.empty == 0);
    assert_eq!((day.live, day.stale), (100 * GB, 0));
}

#[test]
fn spread_keys_split_all_regions_in_the_same_days() {
    // A little under a GiB, that 24 hours and 8 regions share without a rest.
    let bytes = GB / 192 * 192;
    let spec = SimulationSpec {
        policy: SplitPolicy::ConstantSize,
        split_jitter: 0,
        regions: 8,
        ..SimulationSpec::new(100, bytes, Arrivals::Spread)
    };
    let days = run(&spec);
    // 8 regions take an eighth of a GiB a day each: all pass 10 GiB on the 81st day.
    assert!(days[..80].iter().all(|day| day.splits == 0));
    assert_eq!(days[80].splits, 8);
    assert_eq!(days[99].regions, 16);
}

#[test]
fn without_splits_one_region_takes_all() {
    let spec = SimulationSpec {
        policy: SplitPolicy::Disabled,
        ..SimulationSpec::new(365, 3 * GB, Arrivals::Spread)
    };
    let day = last(&spec);
    assert_eq!((day.regions, day.largest, day.splits), (1, 365 * 3 * GB, 0));
}

#[test]
fn too_many_regions_end_the_run_with_the_days_so_far() {
    let spec =
        SimulationSpec { max_region: MB, flush: MB, ..SimulationSpec::new(365, 500 * GB, Arrivals::Rising) };
    let life = simulate(&spec).expect("a life");
    assert_eq!(life.stopped.map(|problem| problem.code), Some("simulate.too-many-regions"));
    assert!(!life.days.is_empty() && life.days.len() < 365);
}

#[test]
fn impossible_figures_are_refused_by_name() {
    let spec =
        SimulationSpec { regions: 0, ttl_days: Some(0), ..SimulationSpec::new(0, 1, Arrivals::Loop(0)) };
    let problems = simulate(&spec).expect_err("impossible");
    let names: Vec<_> = problems.iter().map(|problem| problem.place.path.as_str()).collect();
    assert_eq!(names, ["days", "arrivals", "ttlDays", "regions"]);
}

fn arrivals() -> impl Strategy<Value = Arrivals> {
    prop_oneof![
        Just(Arrivals::Rising),
        Just(Arrivals::Spread),
        (1u32..40).prop_map(Arrivals::Loop),
        (1u32..40).prop_map(Arrivals::TablePerPeriod),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn every_byte_is_somewhere_and_every_split_makes_a_region(
        arrivals in arrivals(), days in 1u32..80, bytes in 0u64..(4 * GB), regions in 1u32..6, max in MB * 64..GB * 20,
    ) {
        let spec = SimulationSpec { regions, max_region: max, ..SimulationSpec::new(days, bytes, arrivals) };
        let mut splits = 0;
        for (day, found) in run(&spec).iter().enumerate() {
            splits += found.splits;
            let made = match arrivals {
                Arrivals::TablePerPeriod(period) => (day as u64 / u64::from(period) + 1) * u64::from(regions),
                _ => u64::from(regions),
            };
            prop_assert_eq!((found.live, found.stale), (bytes * (day as u64 + 1), 0));
            prop_assert_eq!(found.regions, made + splits);
        }
    }

    #[test]
    fn extremes_are_answered_or_refused(
        arrivals in arrivals(), figures in prop::collection::vec(prop::sample::select(vec![0u64, 1, 3, 1 << 20, (1 << 53) - 1, u64::MAX]), 3),
        small in prop::collection::vec(prop::sample::select(vec![0u32, 1, 2, 100, u32::MAX]), 5),
    ) {
        let spec = SimulationSpec {
            max_region: figures[0], flush: figures[1], ttl_days: Some(small[0]), compaction_days: small[1],
            compaction_jitter: small[2], split_jitter: small[3], servers: small[4], ..SimulationSpec::new(12, figures[2], arrivals)
        };
        if let Ok(life) = simulate(&spec) {
            prop_assert!(life.days.len() <= 12);
        }
    }
}
