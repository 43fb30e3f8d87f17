//! Salts against the records of Phoenix, HBaseWD and OpenTSDB.

use crate::common::{records, unhex, unhex_all};
use rowscape::Problem;
use rowscape::salt;
use serde_json::Value;

fn buckets(record: &Value) -> i32 {
    record["buckets"].as_i64().and_then(|buckets| buckets.try_into().ok()).expect("buckets")
}

/// The result equals the recorded one, or both are rejected.
fn agrees(place: &str, record: &Value, found: Result<Vec<u8>, Problem>) {
    match found {
        Ok(bytes) => assert_eq!(bytes, unhex(&record["out"]), "{place}: {record}"),
        Err(problem) => assert!(record["error"].is_string(), "{place}: {record}: {problem}"),
    }
}

#[test]
fn phoenix_salts_and_splits_as_salting_util_does() {
    for (line, record) in records("phoenix_salt") {
        let place = format!("phoenix_salt.jsonl:{line}");
        let buckets = buckets(&record);
        let op = record["op"].as_str().expect("op");
        if op == "getSalteByteSplitPoints" {
            match salt::phoenix_split_points(buckets) {
                Ok(points) => {
                    let points: Vec<_> = points.iter().map(|point| point.to_vec()).collect();
                    assert_eq!(points, unhex_all(&record["out"]), "{place}: {record}");
                }
                Err(problem) => assert!(record["error"].is_string(), "{place}: {record}: {problem}"),
            }
            continue;
        }
        let key = unhex(&record["key"]);
        let salted = salt::phoenix(&key, buckets).map(|salt| match op {
            "getSaltingByte" => vec![salt],
            "getSaltedKey" => [&[salt], &key[..]].concat(),
            other => panic!("{other}"),
        });
        agrees(&place, &record, salted);
    }
}

#[test]
fn hbasewd_distributes_as_its_one_byte_simple_hash() {
    for (line, record) in records("hbasewd_hash") {
        let key = unhex(&record["key"]);
        let salted = salt::hbasewd(&key, buckets(&record)).map(|prefix| [&[prefix], &key[..]].concat());
        agrees(&format!("hbasewd_hash.jsonl:{line}"), &record, salted);
    }
}

#[test]
fn opentsdb_salts_metric_and_tags_without_the_time() {
    for (line, record) in records("opentsdb_salt") {
        let (metric, tags) = (unhex(&record["metric"]), unhex(&record["tags"]));
        let width = record["saltWidth"].as_u64().expect("width") as usize;
        let time = record["timestamp"].as_i64().expect("time") as i32;
        let row = salt::opentsdb_bucket(&[&metric[..], &tags[..]].concat(), buckets(&record)).map(|bucket| {
            let salt: Vec<u8> = salt::opentsdb(bucket, width).collect();
            [&salt[..], &metric[..], &time.to_be_bytes()[..], &tags[..]].concat()
        });
        agrees(&format!("opentsdb_salt.jsonl:{line}"), &record, row);
    }
}

#[test]
fn limits_of_java_that_no_record_shows() {
    // Division by zero and a negative array length throw.
    assert!(salt::phoenix(b"a", 0).is_err());
    assert!(salt::phoenix_split_points(0).is_err());
    assert!(salt::opentsdb_bucket(b"abc", 0).is_err());
    assert_eq!(salt::phoenix_split_points(1).expect("one bucket"), Vec::<[u8; 1]>::new());
    // Arrays.hashCode of this key is Integer.MIN_VALUE.
    let key = [0x66, 0x00, 0x53, 0x9e, 0x80, 0x2d, 0xd3];
    assert_eq!(salt::phoenix(&key, 100).expect("salt"), 48);
    assert_eq!(salt::phoenix(&key, -1).expect("salt"), 0);
    assert_eq!(salt::hbasewd(&key, 100).expect("prefix"), 0xd0);
    // The row of global annotations stays at salt 0.
    assert_eq!(salt::opentsdb_bucket(&[0, 0, 0, 1], 20).expect("bucket"), 0);
    assert_eq!(salt::opentsdb_bucket(&[1, 2], 20).expect("bucket"), 0);
}

#[test]
fn random_salts_are_the_same_on_every_machine() {
    // By splitmix64 in integers of any length.
    for (file, offset, seed, buckets, salt) in [
        (0, 0, 0, 4, 3),
        (0, 19, 0, 4, 1),
        (1, 19, 0, 4, 3),
        (3, (1 << 40) + 7, 5, 1000, 269),
        (3, (1 << 40) + 7, -5, 1000, 635),
        (u32::MAX, u64::MAX, 0, i64::MAX, 5_829_243_102_568_261_068),
    ] {
        assert_eq!(salt::random((file, offset), seed, buckets), salt, "{file} {offset} {seed}");
    }
}
