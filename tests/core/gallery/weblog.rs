//! Pages of a web log: two tables for two questions, keys that come round, regions written at once.

use super::opened::{generated, open};
use rowscape::emit::{EmitSubject, emit};
use rowscape::findings::of_design;

#[test]
fn d1_a_day_lies_together_in_one_table_and_a_page_in_the_other() {
    let opened = open("d1-day-and-url-twice");
    assert_eq!(opened.texts("day_url")[1], "2024-03-01-example.org/a");
    assert_eq!(opened.texts("url_day")[1], "example.org/a-2024-03-01");
    // All three pages of a day fall into one region, whatever the pages are.
    let points = opened.points("day_url");
    for day in opened.keys("day_url").chunks(3) {
        let regions: Vec<usize> = day.iter().map(|key| points.region_of(key)).collect();
        assert!(regions.iter().all(|&region| region == regions[0]), "{regions:?}");
    }
}

#[test]
fn d2_without_the_year_a_day_comes_back_to_its_place() {
    let opened = open("d2-loop-key");
    let (dated, looped) = (opened.texts("dated"), opened.texts("loop"));
    assert_eq!((&dated[0][..], &looped[0][..]), ("23-12-31-example.org/", "12-31-example.org/"));
    // The last day of the one year and of the next are the same rows.
    assert_eq!(looped[..3], looped[6..]);
    assert_eq!(opened.rows("dated").len(), 9);
    assert_eq!(opened.rows("loop").len(), 6);
}

#[test]
fn d2_the_command_has_the_ttl_of_the_design_and_beside_it_what_is_advised() {
    let opened = open("d2-loop-key");
    let design = opened.study.tables.iter().find(|table| table.name == "loop").expect("the table");
    let points = design.splits.points();
    let emitted = emit("shell", &EmitSubject::new(&opened.study, design, &points)).expect("a command");
    let (advice, command): (Vec<&str>, Vec<&str>) =
        emitted.text.lines().filter(|line| !line.is_empty()).partition(|line| line.starts_with('#'));
    assert!(command.concat().contains("TTL => 31536000"), "{}", emitted.text);
    assert!(!command.concat().contains("29721600"), "{}", emitted.text);
    assert!(advice.contains(&"# alter 'loop', {NAME => 'd', TTL => 29721600}"), "{}", emitted.text);
    assert!(advice.iter().any(|line| line.contains("344 days")), "{}", emitted.text);
}

#[test]
fn d2_a_scan_of_days_without_their_year_is_given_its_time_range() {
    let findings = of_design(&open("d2-loop-key").study, 1).expect("findings");
    let ranges: Vec<_> = findings.iter().filter(|finding| finding.code == "RS511").collect();
    let over = ranges.iter().find(|finding| finding.args["query"] == "over New Year").expect("a finding");
    // 2023-12-31 and 2024-01-02, midnight in UTC.
    assert!(over.remedy.contains("TIMERANGE => [1703980800000, 1704153600000]"), "{}", over.remedy);
    let dated = of_design(&open("d2-loop-key").study, 0).expect("findings");
    assert!(dated.iter().all(|finding| finding.code != "RS511"));
}

#[test]
fn d3_a_rising_key_writes_one_region_at_a_time_and_a_digest_all() {
    let opened = generated("d3-regions-written-at-once", Some(4000));
    let points = opened.points("rising");
    let mut keys = opened.texts("rising");
    keys.sort();
    // In order of arrival the region only ever goes up.
    assert!(keys.iter().map(|key| points.region_of(key.as_bytes())).is_sorted());
    let spread = opened.regions("spread");
    assert!(spread.len() == 24 && spread.iter().all(|&rows| rows > 50), "{spread:?}");
}
