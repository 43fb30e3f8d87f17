//! Pages of a web log: two tables for two questions, keys that come round, regions written at once.

use super::opened::{generated, open};

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
