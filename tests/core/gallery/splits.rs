//! Split points of each way to cut a table, and what fills.

use super::opened::{Opened, generated, hex, md5, open, study};
use rowscape::base::units::GB;
use rowscape::design::Cluster;
use rowscape::emit::{EmitSubject, emit};
use rowscape::sizing::{RuleAnswer, SizingNeed, sizing};

fn empty(opened: &Opened, table: &str) -> usize {
    opened.regions(table).iter().filter(|&&rows| rows == 0).count()
}

#[test]
fn g1_each_alphabet_has_its_algorithm() {
    let opened = open("g1-algorithm-by-alphabet");
    assert_eq!(opened.texts("hex_text")[0], hex(&md5("s-0001"))[..16]);
    assert_eq!(opened.texts("decimal_text"), ["14000000", "24000000"]);
    assert_eq!(opened.keys("raw_bytes")[0], md5("s-0001"));
    let opened = generated("g1-algorithm-by-alphabet", None);
    for (table, dead) in [("hex_text", 0), ("decimal_text", 0), ("raw_bytes", 0), ("hex_text_as_bytes", 14)] {
        assert_eq!(empty(&opened, table), dead, "{table}");
    }
}

#[test]
fn g2_bytes_between_hexadecimal_texts() {
    let opened = generated("g2-hex-keys-under-bytes-split", None);
    let run = |first: i8, middle: i8, last: i8| {
        [vec![first as u8], vec![middle as u8; 14], vec![last as u8]].concat()
    };
    let expected = [
        run(48, 48, 48),
        run(54, -10, -10),
        run(61, -67, -68),
        run(68, -124, -126),
        run(75, 75, 72),
        run(82, 18, 14),
        run(88, -40, -44),
        run(95, -97, -102),
        run(102, 102, 102),
    ];
    let points = opened.points("t");
    assert_eq!(points.iter().collect::<Vec<_>>(), expected);
    let first: String = points.iter().map(|point| char::from(point[0])).collect();
    assert_eq!(first, "06=DKRX_f");
    let regions = opened.regions("t");
    let rows: usize = regions.iter().sum();
    // Digits 0 to 6, 7 to 9, letters a to f: 43.75, 18.75 and 37.5 of a hundred; the case's 37.3 is of one sample.
    for (region, sixteenths) in [(1, 7), (2, 3), (8, 6)] {
        assert!((regions[region] * 16).abs_diff(rows * sixteenths) < rows / 5, "{regions:?}");
    }
    assert_eq!(regions[1] + regions[2] + regions[8], rows);
    assert_eq!(points.region_of(b"ffffffffffffffff"), 9, "only keys from sixteen f up");
}

#[test]
fn g3_hexadecimal_texts_at_even_distances() {
    let opened = generated("g3-hex-splits", None);
    // ffffffffffffffff by ten is 1999999999999999.6: the whole number once to nine times.
    let expected = [
        "1999999999999999",
        "3333333333333332",
        "4ccccccccccccccb",
        "6666666666666664",
        "7ffffffffffffffd",
        "9999999999999996",
        "b33333333333332f",
        "ccccccccccccccc8",
        "e666666666666661",
    ];
    let points = opened.points("t");
    assert_eq!(points.iter().collect::<Vec<_>>(), expected.map(str::as_bytes));
    let regions = opened.regions("t");
    let rows: usize = regions.iter().sum();
    assert!(regions.iter().all(|&region| (region * 10).abs_diff(rows) < rows / 5), "{regions:?}");
}

#[test]
fn g4_two_bytes_from_one_share_to_one_below_the_last() {
    let opened = generated("g4-short-range", None);
    // createTable gives the first region all below start, 3276, the last all from end on, 29491, and divides the rest by
    // eight: 3276 each.
    let expected = [3276u16, 6552, 9828, 13_104, 16_380, 19_656, 22_932, 26_208, 29_491];
    assert_eq!(opened.points("t").iter().collect::<Vec<_>>(), expected.map(u16::to_be_bytes));
    let regions = opened.regions("t");
    let rows: usize = regions.iter().sum();
    assert!(regions.iter().all(|&region| (region * 10).abs_diff(rows) < rows / 4), "{regions:?}");
}

#[test]
fn g5_boundaries_of_buckets_days_salts_and_shares() {
    let opened = generated("g5-own-boundaries", None);
    let points = |table| opened.points(table).iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
    assert_eq!(points("buckets"), ["00|", "01|", "02|"].map(Vec::from));
    let days: Vec<Vec<u8>> = (20_240_301..20_240_308).map(|day| day.to_string().into_bytes()).collect();
    assert_eq!(points("days"), days);
    assert_eq!(points("salts"), (1..16u8).map(|salt| vec![salt]).collect::<Vec<_>>(), r"\x01 to \x0F");
    let shares = opened.regions("shares");
    let rows: usize = shares.iter().sum();
    assert_eq!(shares.len(), 8);
    assert!(shares.iter().all(|&share| (share * 8).abs_diff(rows) < rows / 2), "{shares:?}");
}

/// Regions that a design begins with, and whole gigabytes of each after the growth it tells of.
fn sized(slug: &str) -> (u64, u64) {
    let study = study(slug);
    let growth = study.growth.expect("growth");
    let regions = study.tables[0].splits.points().expect("points").regions() as u64;
    (regions, growth.after(growth.days()) / GB / regions)
}

#[test]
fn g6_regions_that_the_size_asks_for() {
    // 48 GiB in five to ten regions of 6 to 8 GiB; 1 TiB by 10 GiB.
    assert_eq!(sized("g6-small-table"), (8, 6));
    assert_eq!(sized("g6-large-table"), (100, 10));
    let need = SizingNeed { bytes: 48 * GB, servers: 3, cluster: Cluster::default() };
    let rule = sizing(&need).rules.into_iter().find(|rule| rule.name == "region-of-6-to-8-gb");
    // 48 by 8, and by 6.
    assert_eq!(rule.expect("a rule").answer, RuleAnswer::Regions { least: 6, most: Some(8) });
}

#[test]
fn g6b_capped_at_120_a_region_of_ten_terabytes_is_over_the_limit() {
    assert_eq!(sized("g6b-capped-at-120"), (120, 85));
    let limit = Cluster::default().max_region_gb;
    assert_eq!((limit, 120 * limit), (10, 1_200), "up to 1.2 TiB every region stays within the limit");
}

#[test]
fn g7_namespace_families_versions_compression_and_split_keys() {
    let opened = open("g7-table-made-in-code");
    let table = opened.table("web:sessions");
    let families: Vec<_> = table
        .families
        .iter()
        .map(|family| (family.name.as_str(), family.versions, family.compression.as_str()))
        .collect();
    assert_eq!(families, [("d", 1, "GZ"), ("m", 1, "GZ")]);
    let expected = ["20", "40", "60", "80", "a0", "c0", "e0"].map(str::as_bytes);
    assert_eq!(opened.points("web:sessions").iter().collect::<Vec<_>>(), expected);
    // One version is what a family has that says nothing of them.
    let made = table.splits.points();
    let create = emit("shell", &EmitSubject::new(&opened.study, table, &made)).expect("a command").text;
    for said in [
        "# create_namespace 'web'\ncreate 'web:sessions',\n",
        "{NAME => 'd', COMPRESSION => 'GZ'",
        "{NAME => 'm', COMPRESSION => 'GZ'",
        "{SPLITS => ['20', '40', '60', '80', 'a0', 'c0', 'e0']}",
    ] {
        assert!(create.contains(said), "{create}");
    }
    assert!(!create.contains("VERSIONS"), "{create}");
    assert_eq!(opened.texts("web:sessions")[1], format!("{}_s-0002", &hex(&md5("s-0002"))[..8]));
}
