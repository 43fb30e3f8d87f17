//! Call records: buckets, layouts, split points, and the scans of a day and of months.

use super::opened::{Opened, generated, java_hash, open, scan, study};
use rowscape::storage::key_value::{CellParts, size};
use std::collections::{BTreeMap, BTreeSet};

const PHONE: &str = "13412341234";

/// `Math.floorMod((phone + period).hashCode(), buckets)`.
fn bucket(phone: &str, period: &str, buckets: i32) -> i32 {
    java_hash(&format!("{phone}{period}")).rem_euclid(buckets)
}

/// The records of this phone whose time begins so.
fn of(opened: &Opened, phone: &str, time: &str) -> Vec<usize> {
    let wanted = |&row: &usize| {
        let fields = opened.records.row_text(row);
        fields[0] == phone && fields[1].starts_with(time)
    };
    (0..opened.records.rows).filter(wanted).collect()
}

#[test]
fn c1_a_bucket_of_the_phone_or_of_its_sum_with_a_date() {
    // 2021-09-07 is the number 20210907 as a day, 202109 as a month, 2021 as a year.
    let number = 13_412_341_234i64;
    for (slug, table, added) in [
        ("c1-bucket-of-the-phone", "cdr", 0),
        ("c1-bucket-of-phone-and-day", "cdr", 20_210_907),
        ("c1-bucket-of-phone-and-month", "by_month", 202_109),
        ("c1-bucket-of-phone-and-month", "by_year", 2021),
    ] {
        let expected = format!("{:02}_{PHONE}_20210907000000", (number + added) % 6);
        assert_eq!(open(slug).texts(table)[0], expected, "{slug}");
    }
}

#[test]
fn c1_the_phone_alone_stays_in_its_bucket_and_the_day_moves_it() {
    let buckets = |slug, table| -> BTreeSet<String> {
        let keys = generated(slug, Some(20_000)).texts(table);
        let mut calls = BTreeMap::<&str, usize>::new();
        keys.iter().for_each(|key| *calls.entry(&key[3..14]).or_default() += 1);
        let (&busiest, _) = calls.iter().max_by_key(|(_, count)| **count).expect("a phone");
        keys.iter().filter(|key| &key[3..14] == busiest).map(|key| key[..2].to_owned()).collect()
    };
    assert_eq!(buckets("c1-bucket-of-the-phone", "cdr").len(), 1);
    assert_eq!(buckets("c1-bucket-of-phone-and-day", "cdr").len(), 6);
    // Three months of one year.
    assert!(buckets("c1-bucket-of-phone-and-month", "by_month").len() <= 3);
    assert_eq!(buckets("c1-bucket-of-phone-and-month", "by_year").len(), 1);
}

#[test]
fn c2_layouts_of_call_records() {
    let opened = open("c2-layouts-of-call-records");
    let xx = format!("{:02}", bucket(PHONE, "202109", 6));
    // Midnight of 2021-09-07 at +08:00 is 2021-09-06T16:00:00Z.
    for (table, expected) in [
        ("phone_millis", format!("{xx}_13412341234_1630944000000")),
        ("phone_time", format!("{xx}_13412341234_20210907000000")),
        ("millis_phone", format!("{xx}_1630944000000_13412341234")),
        ("time_phone", format!("{xx}_20210907000000_13412341234")),
        ("phone_peer_millis", format!("{xx}_13412341234_13512345678_1630944000000")),
        ("daily", format!("{xx}_20210907_13412341234_13512345678_1630944000000")),
    ] {
        assert_eq!(opened.texts(table)[0], expected);
    }
}

#[test]
fn c2b_dates_with_hyphens_do_not_find_dates_without() {
    let opened = open("c2b-two-date-forms");
    let xx = format!("{:02}", bucket(PHONE, "202109", 6));
    let (start, stop) = (format!("{xx}_13412341234_2021-09-07"), format!("{xx}_13412341234_2021-09-08"));
    assert!(start < format!("{xx}_13412341234_20210"), "2021- sorts before 20210");
    assert!(scan(&opened.keys("compact"), &start, &stop).is_empty());
    assert_eq!(scan(&opened.keys("dashed"), &start, &stop), of(&opened, PHONE, "2021-09-07"));
    let (start, stop) = (start.replace("-", ""), stop.replace("-", ""));
    assert_eq!(scan(&opened.keys("compact"), &start, &stop), of(&opened, PHONE, "2021-09-07"));
}

#[test]
fn c3_every_bucket_ends_before_its_point() {
    let opened = generated("c3-points-with-a-bar", None);
    let points = opened.points("cdr");
    assert_eq!(points.iter().collect::<Vec<_>>(), ["00|", "01|", "02|", "03|", "04|"].map(str::as_bytes));
    assert_eq!(points.boundaries(0), (&b""[..], &b"00|"[..]));
    for key in opened.keys("cdr") {
        assert_eq!(points.region_of(&key), usize::from(key[1] - b'0'), "bucket and region are one");
    }
    assert!(opened.regions("cdr").iter().all(|&rows| rows > 0));
}

#[test]
fn c4_one_day_of_one_phone() {
    let opened = open("c4-one-day-of-one-phone");
    let keys = opened.texts("cdr");
    let xx = format!("{:02}", bucket(PHONE, "2021-09", 6));
    assert_eq!(keys[0], format!("{xx}_13412341234_2021-09-07 00:00:00"));
    let start = format!("{xx}_13412341234_2021-09-07");
    for stop in [format!("{xx}_13412341234_2021-09-08"), format!("{xx}_13412341234_2021-09-07|")] {
        assert_eq!(scan(&keys, &start, &stop), of(&opened, PHONE, "2021-09-07"), "{stop}");
    }
}

#[test]
fn c4_with_the_time_first_the_scan_reads_every_phone_of_the_bucket() {
    let opened = open("c4-one-day-time-first");
    let keys = opened.texts("cdr");
    let own = bucket(PHONE, "2021-09", 6);
    let start = format!("{own:02}_2021-09-07 00:00:00_13412341234");
    assert_eq!(keys[0], start);
    let read = scan(&keys, &start, &format!("{own:02}_2021-09-08 00:00:00_13412341234"));
    let phones = (13_412_341_234u64..13_412_341_250).map(|phone| phone.to_string());
    let of_bucket = phones.filter(|phone| bucket(phone, "2021-09", 6) == own);
    let mut expected: Vec<usize> = of_bucket.flat_map(|phone| of(&opened, &phone, "2021-09-07")).collect();
    expected.sort_unstable();
    assert_eq!(read, expected);
    assert!(read.len() > of(&opened, PHONE, "2021-09-07").len(), "others are read too");
}

#[test]
fn c5_three_months_are_three_scans_each_in_its_own_bucket() {
    let opened = open("c5-three-months-three-buckets");
    let keys = opened.texts("cdr");
    let mut found = Vec::new();
    for (month, next) in [("2021-09", "2021-10"), ("2021-10", "2021-11"), ("2021-11", "2021-12")] {
        let row = format!("{:02}_13412341234_", bucket(PHONE, month, 6));
        let read = scan(&keys, &format!("{row}{month}"), &format!("{row}{next}"));
        assert_eq!(read, scan(&keys, &format!("{row}{month}"), &format!("{row}{month}|")), "{month}");
        assert_eq!(read, of(&opened, PHONE, month));
        found.extend(read);
    }
    // Eight calls of the quarter; the first of December is not among them.
    assert_eq!(found, [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn c6_a_year_of_growth_fits_the_regions_of_the_design() {
    let study = study("c6-room-for-a-year");
    let table = &study.tables[0];
    // 2 digits, 11, 14 and two separators; a cell has 20 bytes besides its parts.
    let row = 29;
    assert_eq!(table.typed.shape.width.min, 18, "the phone is a text");
    let mut call = 0;
    for (qualifier, value) in [("dur", 4), ("cell", 8), ("peer", 11)] {
        let cell = table.families[0]
            .cells
            .iter()
            .find(|cell| cell.qualifier.text() == Some(qualifier))
            .expect(qualifier);
        assert_eq!(u64::from(cell.value.each().expect("size")), value);
        let length = qualifier.len() as u64;
        let bytes =
            size(CellParts { row, family: 1, qualifier: length, value, tag: None }).expect("size").length;
        assert_eq!(bytes, 20 + row + 1 + length + value);
        call += bytes;
    }
    let growth = study.growth.expect("growth");
    assert_eq!((growth.per_day, growth.days()), (5_000_000, 365));
    let year = growth.after(365) * call;
    let regions = table.splits.points().expect("points").regions() as u64;
    assert_eq!(regions, 48);
    let limit = 10 << 30;
    assert!(year / regions < limit, "{}", year / regions);
    assert!(year / 24 > limit, "half as many regions would split by themselves");
}
