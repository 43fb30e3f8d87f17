//! Salts, hashes and reversal in front of rising ids; messages under a digest.

use super::opened::{bytes_hash, generated, hex, java_hash, md5, open, scan, with};
use std::collections::BTreeSet;

const IDS: [&str; 4] = ["foo0001", "foo0002", "foo0003", "foo0004"];

#[test]
fn e1_a_random_letter_spreads_rows_over_four_regions() {
    let opened = open("e1-random-salt");
    let points = opened.points("t");
    // The draw that the advice shows.
    let shown = ["a-foo0003", "b-foo0001", "c-foo0004", "d-foo0002"];
    assert_eq!(shown.map(|key| points.region_of(key.as_bytes())), [0, 1, 2, 3]);
    for (key, id) in opened.texts("t").iter().zip(IDS) {
        assert!(["a-", "b-", "c-", "d-"].iter().any(|salt| *key == format!("{salt}{id}")), "{key}");
    }
    let spread = generated("e1-random-salt", Some(4_000)).regions("t");
    assert!(spread.iter().all(|&rows| (850..1150).contains(&rows)), "{spread:?}");
}

#[test]
fn e1_one_row_written_often_gets_every_salt() {
    let csv = format!("id,ts\n{}", "foo0003,1709251200000\n".repeat(100));
    let written: BTreeSet<String> = with("e1-random-salt", &csv).texts("t").into_iter().collect();
    assert_eq!(written, ["a-foo0003", "b-foo0003", "c-foo0003", "d-foo0003"].map(str::to_owned).into());
}

#[test]
fn e2_one_row_always_gets_the_same_prefix() {
    let expected = IDS.map(|id| format!("{}-{id}", &hex(&md5(id))[..2]));
    assert_eq!(open("e2-hash-prefix").texts("t"), expected);
    assert!(!expected.is_sorted(), "order is lost");
    let csv = format!("id,ts\n{}", "foo0003,1709251200000\n".repeat(100));
    assert_eq!(with("e2-hash-prefix", &csv).rows("t").len(), 1);
}

#[test]
fn e3_reversed_order_ids_and_the_newest_first() {
    let orders = [
        ("1010101010101202", 1_609_434_061_000i64),
        ("20202020201202", 1_612_202_522_000),
        ("30303030301202", 1_614_711_783_000),
    ];
    let text = open("e3-reversed-order-id-as-text").texts("orders");
    assert_eq!(text, orders.map(|(id, ts)| format!("{id}{}", i64::MAX - ts)));
    let opened = open("e3-reversed-order-id-binary");
    let keys = opened.keys("orders");
    assert_eq!(keys, orders.map(|(id, ts)| [id.as_bytes(), &(i64::MAX - ts).to_be_bytes()].concat()));
    assert_eq!(opened.told("orders", &keys[1], "order_id").as_deref(), Some("20210202020202"));
    assert_eq!((text[0].len(), keys[0].len()), (16 + 19, 16 + 8));
}

#[test]
fn e4_a_bucket_of_time_and_order() {
    let opened = open("e4-hash-bucket-text");
    let ids = ["364758", "585775", "385748"];
    let hash = |id: &str| java_hash(&format!("20200101010101{id}"));
    let expected = ids.map(|id| format!("{:02}_20200101010101_{id}", hash(id).rem_euclid(3)));
    assert_eq!(opened.texts("orders"), expected);
    assert!(ids.iter().any(|id| hash(id) % 3 < 0), "Java's remainder is no partition");
    let points = opened.points("orders");
    for key in expected {
        assert_eq!(points.region_of(key.as_bytes()), usize::from(key.as_bytes()[1] - b'0'));
    }
}

#[test]
fn e5_a_salt_byte_computed_from_the_key() {
    let opened = open("e5-salt-byte");
    let hash = |id: &str| bytes_hash(id.as_bytes());
    let salted = |salt: i32, id: &str| [&[salt as u8], id.as_bytes()].concat();
    assert_eq!(opened.keys("phoenix"), IDS.map(|id| salted((hash(id) % 4).abs(), id)));
    assert_eq!(opened.keys("distributor"), IDS.map(|id| salted(hash(id).abs() % 4, id)));
    assert_eq!(opened.texts("floor_mod"), IDS.map(|id| format!("{}{id}", hash(id).rem_euclid(4))));
}

#[test]
fn e5_a_signed_remainder_makes_buckets_that_a_scan_does_not_ask() {
    let shown = open("e5-signed-remainder").keys("t");
    let ids = ["foo0001", "row0001", "row0002", "row0003"];
    let salted = |id: &str| [&[(bytes_hash(id.as_bytes()) % 4) as u8], id.as_bytes()].concat();
    assert_eq!(shown, ids.map(salted));
    assert!(shown[1][0] >= 0xfd, "the hash of row0001 is negative");
    let opened = generated("e5-signed-remainder", None);
    let salts: BTreeSet<u8> = opened.keys("t").iter().map(|key| key[0]).collect();
    assert_eq!(salts, [0, 1, 2, 3, 0xfd, 0xfe, 0xff].into(), "seven buckets where four were meant");
    let regions = opened.regions("t");
    let rows: usize = regions.iter().sum();
    // 3, −1, −2 and −3: an eighth each.
    assert!((regions[3] * 2).abs_diff(rows) < rows / 20, "{regions:?}");
}

#[test]
fn e6_a_range_survives_neither_salt_nor_reversal_but_a_salt_keeps_it_in_each_bucket() {
    let opened = generated("e6-salt-or-reverse", Some(2_000));
    let wanted = |key: &[u8], reversed: bool| {
        let mut id = key.to_vec();
        if reversed {
            id.reverse();
        }
        ("foo0100".."foo0200").contains(&std::str::from_utf8(&id).expect("text"))
    };
    // Rows between the first and the last one wanted, and those wanted.
    let read = |keys: &[Vec<u8>], from: usize, reversed: bool| {
        let hits: Vec<usize> =
            (0..keys.len()).filter(|&index| wanted(&keys[index][from..], reversed)).collect();
        (hits.last().map_or(0, |last| last - hits[0] + 1), hits.len())
    };
    assert_eq!(read(&opened.rows("plain"), 0, false), (100, 100));
    let (span, hits) = read(&opened.rows("reversed"), 0, true);
    assert!(hits == 100 && span > 1_900, "{span}: the whole table");
    let salted = opened.rows("salted");
    let mut total = 0;
    for salt in 0..4 {
        let bucket: Vec<Vec<u8>> = salted.iter().filter(|key| key[0] == salt).cloned().collect();
        let (span, hits) = read(&bucket, 1, false);
        assert_eq!(span, hits, "one range a bucket");
        total += hits;
    }
    assert_eq!(total, 100);
}

#[test]
fn e7_the_new_design_spreads_what_the_old_one_piles_up() {
    let opened = open("e7-migration");
    assert_eq!(opened.texts("before")[0], "1709251200000-dev-00042");
    let bucket = java_hash("dev-00042").rem_euclid(8);
    assert_eq!(opened.texts("after")[0], format!("{bucket}-dev-00042-1709251200000"));
    let opened = generated("e7-migration", None);
    let (before, after) = (opened.points("before"), opened.points("after"));
    assert_eq!((before.regions(), after.regions()), (10, 8));
    let (old, new) = (opened.keys("before"), opened.keys("after"));
    let last_hour = (0..old.len()).filter(|&row| old[row].as_slice() >= b"1710111600000".as_slice());
    let regions = last_hour.map(|row| (before.region_of(&old[row]), after.region_of(&new[row])));
    let (old, new): (BTreeSet<usize>, BTreeSet<usize>) = regions.unzip();
    assert_eq!((old, new), ([9].into(), (0..8).collect()));
}

#[test]
fn e8_twice_the_buckets_give_half_of_the_rows_another_key() {
    let opened = generated("e8-bucket-count", Some(5_000));
    let (old, new) = (opened.texts("buckets_8"), opened.texts("buckets_16"));
    let mut moved = 0;
    for (old, new) in old.iter().zip(&new) {
        let hash = java_hash(&old[3..12]);
        assert_eq!(
            (&old[..2], &new[..2]),
            (format!("{:02}", hash.rem_euclid(8)).as_str(), format!("{:02}", hash.rem_euclid(16)).as_str(),)
        );
        assert_eq!(old[2..], new[2..]);
        moved += usize::from(old != new);
    }
    assert!((2_000..3_000).contains(&moved), "{moved}");
}

const MESSAGES: [(&str, &str, &str); 5] = [
    ("063031", "1231231", "8D4646EB2D7067126EB08ADB0672F7BB"),
    ("063032", "1231232", "715782C59C0561E9B6CE0F3D522C32F1"),
    ("063032", "1231233", "57F962C03EF3526EC6E95CEB50785C4C"),
    ("063033", "1231234", "8B353D5CC07E13577608711F4602FCB7"),
    ("063033", "1231235", "430EDB0C535BF08174E122EFECFA711D"),
];

#[test]
fn f1_both_plain_orders_rise_with_time() {
    let opened = open("f1-message-store-in-order");
    assert_eq!(opened.texts("by_time"), MESSAGES.map(|(clock, id, _)| format!("230611:{clock}:{id}")));
    assert_eq!(opened.texts("by_id"), MESSAGES.map(|(clock, id, _)| format!("{id}:230611:{clock}")));
    let opened = generated("f1-message-store-in-order", None);
    for table in ["by_time", "by_id"] {
        let (keys, points) = (opened.keys(table), opened.points(table));
        assert!(keys.is_sorted(), "{table}");
        // A hundred consecutive rows nearly always share a region, though over the day every region fills.
        let alone = keys
            .chunks(100)
            .filter(|rows| points.region_of(&rows[0]) == points.region_of(&rows[rows.len() - 1]));
        assert!(alone.count() >= keys.len() / 100 - points.len(), "{table}");
        assert!(opened.regions(table).iter().all(|&rows| rows > 0), "{table}");
    }
}

#[test]
fn f2_messages_under_the_digest_of_their_number() {
    let key = |(clock, id, digest): (&str, &str, &str)| format!("{digest}:230611:{clock}:{id}");
    let upper = open("f2-upper-case-digest");
    assert_eq!(upper.texts("messages"), MESSAGES.map(key));
    let lower = open("f2-lower-case-digest").texts("messages");
    assert_eq!(lower, MESSAGES.map(|(clock, id, digest)| key((clock, id, &digest.to_lowercase()))));
    for (_, id, digest) in MESSAGES {
        assert_eq!(digest, hex(&md5(id)).to_uppercase());
    }
    // A minute lies all over the table.
    assert_eq!(scan(&lower, "230611:0630", "230611:0631").len(), 0);
}

#[test]
fn f2_upper_case_leaves_six_of_sixteen_regions_dead() {
    let upper = generated("f2-upper-case-digest", None).regions("messages");
    let empty: Vec<usize> = (0..16).filter(|&region| upper[region] == 0).collect();
    assert_eq!(empty, [10, 11, 12, 13, 14, 15]);
    let rows: usize = upper.iter().sum();
    // 9 and A to F: seven sixteenths.
    assert!((upper[9] * 16).abs_diff(rows * 7) < rows / 4, "{upper:?}");
    let lower = generated("f2-lower-case-digest", None).regions("messages");
    assert!(lower.iter().all(|&region| (region * 16).abs_diff(rows) < rows / 5), "{lower:?}");
}
