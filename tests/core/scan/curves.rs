//! Boxes in two fields that a key puts into one number.

use super::study::{plan, query, records, study};
use crate::common::random::Random;
use rowscape::encode::Encoder;
use rowscape::scan::{self, PlanKind, QueryMatcher};
use serde_json::{Value, json};

fn places() -> Value {
    json!([
        { "name": "lat", "type": "float" }, { "name": "lon", "type": "decimal" }, { "name": "x", "type": "integer" },
        { "name": "y", "type": "integer" }, { "name": "id", "type": "text" },
    ])
}

fn keys(rowkey: &str, lines: &[String]) -> Vec<Vec<u8>> {
    let study = study(places(), rowkey);
    let records = records(&study, lines);
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(&records, &names, &[&study.tables[0].typed]).encode().remove(0).keys;
    keys.iter().map(<[u8]>::to_vec).collect()
}

#[test]
fn a_geohash_is_that_of_its_inventor() {
    // https://en.wikipedia.org/wiki/Geohash and geohash.org.
    for (lat, lon, hash) in [
        ("57.64911", "10.40744", "u4pruydqqvj"),
        ("42.6", "-5.6", "ezs42"),
        ("40.689247", "-74.044502", "dr5r7p62n13s"),
        ("-25.382708", "-49.265506", "6gkzwgjzn820"),
        ("0", "0", "s00000000000"),
        ("90", "180", "zzzzzzzzzzzz"),
        ("-90", "-180", "000000000000"),
        // By pygeohash 3.
        ("22.122305", "87.043316", "tgvvueppb289"),
        ("79.641051", "86.363487", "vyjmj4pyx"),
        ("-84.779059", "-12.375844", "58zj"),
        ("26.81542", "144.324177", "xh"),
        ("-23.077196", "132.640365", "qgykdqc"),
        ("7.876955", "26.618828", "s"),
        ("47.146577", "-154.104575", "b86kjqb2xn"),
        ("82.822878", "-120.291681", "cqd"),
    ] {
        let key = keys(&format!("geohash(lat, lon, {})", hash.len()), &[format!("{lat},{lon},0,0,a")]);
        assert_eq!(String::from_utf8_lossy(&key[0]), hash, "{lat} {lon}");
    }
    // Degrees beyond the map make no key.
    for line in ["90.1,0,0,0,a", "0,180.5,0,0,a", "NaN,0,0,0,a"] {
        assert_eq!(keys("geohash(lat, lon, 5)", &[line.to_owned()]), [Vec::<u8>::new()], "{line}");
    }
}

#[test]
fn bits_of_two_numbers_take_turns() {
    for (x, y, bits, key) in [
        (0b11, 0b00, 2, vec![0b1010]),
        (0b00, 0b11, 2, vec![0b0101]),
        (5, 3, 3, vec![0b10_0111]),
        (0xffff_ffffu64, 0, 32, vec![0xaa; 8]),
        (1, 1, 32, vec![0, 0, 0, 0, 0, 0, 0, 3]),
    ] {
        assert_eq!(keys(&format!("zOrder(x, y, {bits})"), &[format!("0,0,{x},{y},a")]), [key], "{x} {y}");
    }
    assert_eq!(keys("zOrder(x, y, 3)", &["0,0,8,0,a".to_owned()]), [Vec::<u8>::new()]);
    assert_eq!(keys("zOrder(x, y, 3)", &["0,0,-1,0,a".to_owned()]), [Vec::<u8>::new()]);
}

/// Rows read for those wanted, of boxes of random size; all that match lie in the ranges.
fn read_for_wanted(rowkey: &str, boxes: usize, seed: u64) -> (u64, u64, u64) {
    let mut random = Random(seed);
    let study = study(places(), rowkey);
    let lines: Vec<String> = (0..20_000)
        .map(|id| {
            // A city among the rest of the world.
            let near = id % 2 == 0;
            let mut degrees = |middle: f64, end: f64| {
                let part = random.below(1 << 30) as f64 / f64::from(1 << 30) * 2.0 - 1.0;
                if near { middle + part * 0.2 } else { part * end }
            };
            let (lat, lon) = (degrees(52.5, 90.0), degrees(13.4, 180.0));
            format!("{lat:.6},{lon:.6},{},{},p{id}", random.below(1 << 16), random.below(1 << 16))
        })
        .collect();
    let records = records(&study, &lines);
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(&records, &names, &[&study.tables[0].typed]).encode().remove(0).keys;
    let (mut read, mut wanted, mut ranges) = (0, 0, 0);
    for _ in 0..boxes {
        let mut part = |of: f64| random.below(1 << 20) as f64 / f64::from(1 << 20) * of;
        let (lat, lon, high, wide) =
            (52.2 + part(0.5), 13.1 + part(0.5), 0.001 + part(0.2), 0.001 + part(0.2));
        let (x, y, w, h) =
            (part(60_000.0) as i64, part(60_000.0) as i64, part(5_000.0) as i64, part(5_000.0) as i64);
        let asked = match rowkey.contains("zOrder") {
            true => json!({ "x": { "from": x, "to": x + w + 1 }, "y": { "from": y, "to": y + h + 1 } }),
            false => {
                json!({ "lat": { "from": lat, "to": lat + high }, "lon": { "from": lon, "to": lon + wide } })
            }
        };
        let members = json!({ "where": asked });
        let plan = plan(&study, members.clone());
        assert!(matches!(plan.kind, PlanKind::Scan) && plan.ranges.len() <= scan::LIMIT, "{asked}");
        assert!(!plan.exact);
        let domains = scan::read(&query(&study, members), &study.fields, "queries[0]").expect("conditions");
        let matching = QueryMatcher::new(&records, &study.fields, &domains);
        for (row, line) in lines.iter().enumerate() {
            let key = keys.get(row);
            let is_read = plan.ranges.iter().any(|range| {
                range.start.as_slice() <= key && (range.stop.is_empty() || key < range.stop.as_slice())
            });
            let matches = matching.matches(row);
            assert!(is_read || !matches, "{asked} {line}");
            read += u64::from(is_read);
            wanted += u64::from(matches);
        }
        ranges += plan.ranges.len() as u64;
    }
    (read, wanted, ranges / boxes as u64)
}

#[test]
fn a_box_reads_few_rows_beside_those_it_wants_and_misses_none() {
    for (rowkey, most) in [
        ("geohash(lat, lon, 9) + '_' + id", 1.15),
        ("zOrder(x, y, 16) + id", 1.15),
        ("bucket(id, 4).uint8() + geohash(lat, lon, 7) + id", 1.3),
        ("zOrder(x.plus(7), y, 17) + id", 1.15),
    ] {
        let (read, wanted, ranges) = read_for_wanted(rowkey, 40, 1);
        println!("{rowkey}: {read} rows read for {wanted} wanted, {ranges} ranges");
        assert!(
            wanted > 100 && (read as f64) < most * wanted as f64,
            "{rowkey}: {read} for {wanted}, {ranges} ranges"
        );
    }
}

#[test]
fn values_that_are_in_two_parts_are_each_written_as_they_are_there() {
    let lines = ["0,0,1,2,a", "0,0,30,40,b"].map(str::to_owned);
    let parts =
        ["zOrder(x.plus(7), y, 8)", "geohash(x, y, 3)", "zOrder(x, y, 9)", "x.plus(7).int32()", "y.int64()"];
    for (one, other) in parts.iter().flat_map(|one| parts.map(|other| (one, other))) {
        let [first, second] = [keys(one, &lines), keys(other, &lines)];
        let together: Vec<Vec<u8>> =
            first.iter().zip(&second).map(|(one, other)| [one.as_slice(), other].concat()).collect();
        assert_eq!(keys(&format!("{one} + {other}"), &lines), together, "{one} + {other}");
    }
}

#[test]
fn steps_that_keep_no_order_leave_an_axis_whole() {
    let study = study(places(), "zOrder(lon.string().number().mod(8), x, 8) + id");
    let plan = plan(&study, json!({ "where": { "lon": { "from": "7", "to": "9" } } }));
    assert_eq!(plan.kind, PlanKind::FullScan);
}

#[test]
fn a_box_is_not_asked_cell_by_cell_of_the_world() {
    let study = study(places(), "geohash(lat, lon, 2) + id");
    let asked = json!({ "where": { "lat": { "from": 40.0, "to": 40.1 }, "lon": { "from": -74.0, "to": -73.9 }, "id": "x" } });
    assert_eq!(plan(&study, asked).ranges.len(), 1);
}

#[test]
fn one_field_of_two_narrows_the_ranges_too() {
    let study = study(places(), "geohash(lat, lon, 6) + id");
    let strip = plan(&study, json!({ "where": { "lat": { "from": 52.0, "to": 52.1 } } }));
    assert!(strip.kind == PlanKind::Scan && strip.ranges.len() <= 64, "{}", strip.ranges.len());
    let of_numbers = self::study(places(), "zOrder(x, y, 10) + id");
    // Open to below, where no key has a number.
    let corner = plan(&of_numbers, json!({ "where": { "x": { "to": 512 }, "y": { "to": 512 } } }));
    assert_eq!(corner.ranges.len(), 1);
    assert_eq!((corner.ranges[0].start.as_slice(), corner.ranges[0].stop.as_slice()), (&b""[..], &[4][..]));
    let nothing = plan(&study, json!({ "where": { "id": "a" } }));
    assert_eq!(nothing.kind, PlanKind::FullScan);
    let point = plan(&study, json!({ "where": { "lat": 57.64911, "lon": 10.40744, "id": "a" } }));
    assert_eq!((point.kind, point.ranges[0].start.as_slice()), (PlanKind::Get, &b"u4pruya"[..]));
}
