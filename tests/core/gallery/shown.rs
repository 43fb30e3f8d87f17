//! Entries as they open: the records of their own documents show what their stories say.

use super::opened::{generated, study};
use rowscape::base::units::GB;
use rowscape::findings::of_design;
use rowscape::sizing::{RuleAnswer, Sizing, SizingNeed, sizing};

/// Regions that hold rows.
fn written(slug: &str, table: &str) -> usize {
    generated(slug, None).regions(table).iter().filter(|&&rows| rows > 0).count()
}

/// Sizing of an entry, as its panel shows it.
fn sized(slug: &str) -> Sizing {
    let study = study(slug);
    let growth = study.growth.expect("growth");
    let servers = study.tables[0].servers.unwrap_or(3);
    sizing(&SizingNeed {
        bytes: growth.after(growth.days()),
        servers,
        cluster: study.cluster.unwrap_or_default(),
    })
}

fn answer<'s>(sizing: &'s Sizing, rule: &str) -> &'s RuleAnswer {
    &sizing.rules.iter().find(|known| known.name == rule).expect("a rule").answer
}

#[test]
fn every_entry_opens_with_records_enough_to_show_something() {
    for entry in super::opened::index() {
        let slug = entry["slug"].as_str().expect("slug");
        let spec = study(slug).generate.unwrap_or_else(|| panic!("{slug} opens with its few records"));
        // The table that gives out 43 numbers has no more.
        assert!(spec["rows"].as_u64().expect("rows") >= 1_000 || slug == "i5-log-types", "{slug}");
    }
}

#[test]
fn a1_nine_of_ten_regions_stay_empty_and_with_the_day_nine_of_a_day() {
    assert_eq!(written("a1-bucket-of-the-id", "by_id"), 1);
    assert_eq!(written("a1-bucket-of-the-id", "by_id_and_day"), 10);
    let opened = generated("a1-bucket-of-the-id", None);
    // The first 1,500 of the 2,000 records of the first day, far from its end.
    let of_first_day = &opened.keys("by_id_and_day")[..1_500];
    assert!(of_first_day.iter().all(|key| key[0] == of_first_day[0][0]));
}

#[test]
fn a10_a_row_of_versions_or_a_row_each() {
    let opened = generated("a10-versions-kept", None);
    assert_eq!(opened.rows("hundred").len(), 200);
    assert!(opened.rows("rows").len() > 19_900, "{}", opened.rows("rows").len());
}

#[test]
fn a2_events_of_a_second_hide_each_other_and_those_of_a_millisecond_do_not() {
    let opened = generated("a2-one-key-for-two-records", None);
    let all = opened.keys("seconds").len();
    assert!(opened.rows("seconds").len() < all - 500, "{}", opened.rows("seconds").len());
    assert!(opened.rows("millis").len() > all - 10, "{}", opened.rows("millis").len());
}

#[test]
fn a4_in_seconds_events_of_a_second_share_a_row() {
    let opened = generated("a4-newest-first", None);
    assert!(opened.rows("of_seconds").len() < 18_000, "{}", opened.rows("of_seconds").len());
    assert!(opened.rows("millis").len() > 19_900, "{}", opened.rows("millis").len());
    assert_ne!(opened.rows("of_seconds"), opened.rows("then_divided"));
}

#[test]
fn a5_the_largest_country_takes_half_of_the_rows() {
    let opened = generated("a5-few-values-first", None);
    let countries = opened.regions("country_first");
    assert!(countries.len() == 5 && countries[4].abs_diff(10_000) < 300, "{countries:?}");
    let devices = opened.regions("device_first");
    assert!(devices.len() == 5 && devices.iter().all(|&rows| rows.abs_diff(4_000) < 300), "{devices:?}");
}

#[test]
fn a8_few_rows_lie_in_every_region_of_the_many() {
    let found = |table: usize| {
        let findings = of_design(&study("a8-families-of-unlike-size"), table).expect("findings");
        findings.into_iter().find(|finding| finding.name == "unlike-families").map(|finding| finding.args)
    };
    let together = found(0).expect("a finding");
    assert_eq!((together["few"].as_str(), together["times"].as_str()), ("audit", "1095"));
    assert_eq!(found(1), None);
    assert_eq!(written("a8-families-of-unlike-size", "together"), 8);
}

#[test]
fn d1_writes_of_a_day_go_to_one_region_and_those_of_pages_to_all() {
    let opened = generated("d1-day-and-url-twice", None);
    let points = opened.points("day_url");
    let regions = |day: &[u8]| {
        let keys = opened.keys("day_url").into_iter().filter(|key| key.starts_with(day));
        keys.map(|key| points.region_of(&key)).collect::<std::collections::BTreeSet<usize>>().len()
    };
    assert_eq!([b"2024-03-01", b"2024-03-17", b"2024-03-31"].map(|day| regions(day)), [1, 1, 1]);
    assert_eq!(written("d1-day-and-url-twice", "day_url"), points.regions());
    assert_eq!(written("d1-day-and-url-twice", "url_day"), 8);
    assert!(opened.texts("url_day").iter().filter(|key| key.starts_with("example.org/a-")).count() > 1);
}

#[test]
fn d2_a_second_year_comes_back_to_the_regions_of_the_first() {
    let opened = generated("d2-loop-key", None);
    for (table, regions) in [("dated", 1), ("loop", 2)] {
        let points = opened.points(table);
        let keys = opened.keys(table);
        let first = points.region_of(&keys[0]);
        let months: std::collections::BTreeSet<usize> = (0..keys.len())
            .filter(|&row| points.region_of(&keys[row]) == first)
            .map(|row| row / 5_000)
            .collect();
        // January of the first year alone, or of both.
        assert_eq!(months.len(), regions, "{table}: {months:?}");
    }
}

#[test]
fn i2_times_that_all_end_in_900_fill_one_of_a_hundred_buckets_and_all_of_97() {
    assert_eq!(written("i2-bucket-of-time", "log"), 1);
    assert_eq!(written("i2-coprime-buckets", "log"), 97);
}

#[test]
fn g6_a_hundred_regions_for_1000_gib_and_no_rule_says_otherwise() {
    let sized = sized("g6-large-table");
    assert!(sized.bytes.abs_diff(1_000 * GB) < 1 << 20);
    assert_eq!(*answer(&sized, "by-table-size"), RuleAnswer::Regions { least: 100, most: Some(100) });
    let RuleAnswer::Regions { least, .. } = answer(&sized, "no-split") else { panic!("{sized:?}") };
    assert!((90..=100).contains(least) && (90..=100).contains(&sized.suggested), "{sized:?}");
}

#[test]
fn g6b_at_10_tib_the_rule_of_120_contradicts_the_limit() {
    let sized = sized("g6b-capped-at-120");
    let contradicts = answer(&sized, "by-table-size");
    assert!(matches!(contradicts, RuleAnswer::Contradiction { regions: 120, .. }), "{contradicts:?}");
}

#[test]
fn a_few_bytes_do_not_turn_the_answer_of_a_rule_round() {
    let rule = |bytes| {
        let need = SizingNeed { bytes, servers: 10, cluster: rowscape::design::Cluster::default() };
        *answer(&sizing(&need), "by-table-size")
    };
    assert_eq!(rule(1_000 * GB + 30), rule(1_000 * GB));
    assert_eq!(rule(10 * 1024 * GB + 4_080), rule(10 * 1024 * GB));
}
