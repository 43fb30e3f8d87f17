//! Counts of files against what HBase's own reader found in them.

use super::folders::{Given, observed};
use rowscape::observe::{Depth, ObserveOptions, ObservedDesign, ObservedTable};
use rowscape::row::from_string_binary;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

pub fn store() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store")
}

pub fn file(name: &str) -> Given {
    Given { path: name.to_owned(), bytes: fs::read(store().join(name)).expect("a file"), changed: None }
}

pub const ALL: ObserveOptions = ObserveOptions {
    depth: Depth::All,
    table: None,
    times: None,
    metric: None,
    regions: None,
    memory: 64 << 20,
};

/// A cell of the list beside a file.
struct Listed {
    row: Vec<u8>,
    time: i64,
    write: i64,
    is_delete: bool,
    bytes: u64,
    table: String,
}

fn listed(name: &str) -> Vec<Listed> {
    let text = fs::read_to_string(store().join(name)).expect("a list");
    let cell = |line: &str| {
        let fields: Vec<&str> = line.split(' ').collect();
        let time = fields[3].parse().expect("a time");
        Listed {
            row: from_string_binary(fields[0]).expect("a row"),
            time,
            write: fields.get(6).map_or(time, |write| write.parse().expect("a time")),
            is_delete: fields[4] != "Put",
            bytes: fields[5].parse().expect("bytes"),
            table: fields.get(7).map(|table| (*table).to_owned()).unwrap_or_default(),
        }
    };
    text.lines().map(cell).collect()
}

/// Compares what was counted with the list.
fn check(table: &ObservedTable, cells: &[&Listed]) {
    let total = &table.counts;
    assert_eq!(total.cells, cells.len() as u64);
    assert_eq!(total.bytes, cells.iter().map(|cell| cell.bytes).sum::<u64>());
    assert_eq!(total.deletes, cells.iter().filter(|cell| cell.is_delete).count() as u64);
    let clock = |cell: &&&Listed| (631_152_000_000..4_102_444_800_000).contains(&cell.write);
    let timed: Vec<_> = cells.iter().filter(clock).collect();
    assert_eq!(table.untimed, (cells.len() - timed.len()) as u64);
    let heat = table.heat.as_ref().expect("a picture");
    let starts: Vec<Vec<u8>> =
        heat.starts.iter().map(|start| from_string_binary(start).expect("a key")).collect();
    let mut expected = vec![vec![0u64; heat.times.len()]; starts.len()];
    for cell in timed {
        let range = starts.partition_point(|start| *start <= cell.row) - 1;
        expected[range][((cell.write - heat.times[0]) / heat.step) as usize] += 1;
    }
    assert_eq!(heat.counts, expected);
    let mut rows: BTreeMap<&[u8], u64> = BTreeMap::new();
    cells.iter().for_each(|cell| *rows.entry(&cell.row).or_default() += 1);
    for hot in &table.hot_rows {
        let row = from_string_binary(&hot.key).expect("a key");
        assert_eq!(
            (hot.cells.is_exact(), hot.cells.value as u64),
            (true, rows[row.as_slice()]),
            "{}",
            hot.key
        );
    }
    assert_eq!(table.hot_rows.first().map(|row| row.cells.value as u64), rows.values().max().copied());
    for region in &table.regions {
        let [start, end] = [&region.start, &region.end].map(|key| from_string_binary(key).expect("a key"));
        let within = |cell: &&&Listed| cell.row >= start && (end.is_empty() || cell.row < end);
        assert_eq!(region.counts.cells, cells.iter().filter(within).count() as u64, "{}", region.start);
    }
    for prefix in &table.prefixes {
        let key = from_string_binary(&prefix.key).expect("a key");
        let count = cells.iter().filter(|cell| cell.row.starts_with(&key)).count();
        assert_eq!(prefix.cells.value as usize, count, "{}", prefix.key);
    }
}

#[test]
fn cells_of_an_hfile_are_counted_by_key_and_time() {
    for name in ["plain-NONE", "tags-FAST_DIFF", "deep-DIFF", "large-ZSTD", "index-128"] {
        let found = observed(vec![file(&format!("{name}.hfile"))], ALL);
        let [table] = found.tables.as_slice() else { panic!("{found:?}") };
        assert_eq!((table.source, table.borders), ("hfile", "keys"));
        let cells = listed(&format!("{name}.cells"));
        check(table, &cells.iter().collect::<Vec<_>>());
        let rows: BTreeSet<&[u8]> = cells.iter().map(|cell| cell.row.as_slice()).collect();
        assert_eq!(table.counts.rows, rows.len() as u64);
        assert_eq!(table.families.len(), 1);
        let family = &table.families[0];
        assert_eq!((family.family.as_str(), family.files, family.cells), ("d", 1, cells.len() as u64));
        assert!(cells.iter().all(|cell| cell.time == cell.write));
    }
}

#[test]
fn logs_are_counted_by_table_and_time_of_write() {
    for name in ["wal-plain", "wal-compressed", "wal-values"] {
        let found = observed(vec![file(&format!("{name}.wal"))], ALL);
        assert_eq!(found.tables.len(), 2);
        let cells = listed(&format!("{name}.cells"));
        for table in &found.tables {
            assert_eq!(table.source, "wal");
            let of: Vec<&Listed> = cells.iter().filter(|cell| cell.table == table.table).collect();
            check(table, &of);
        }
        // Twice the same log: each entry once.
        let again = Given { path: "copy.wal".to_owned(), ..file(&format!("{name}.wal")) };
        let twice = observed(vec![file(&format!("{name}.wal")), again], ALL);
        assert_eq!(twice.tables[0].counts, found.tables[0].counts);
        let only = ObserveOptions { table: Some("many:two".to_owned()), ..ALL };
        let found = observed(vec![file(&format!("{name}.wal"))], only);
        assert_eq!(found.tables.iter().map(|table| table.table.as_str()).collect::<Vec<_>>(), ["many:two"]);
        let from = cells.iter().map(|cell| cell.write).min().expect("a cell") + 10_000;
        let later = ObserveOptions { times: Some((from, i64::MAX)), ..ALL };
        let found = observed(vec![file(&format!("{name}.wal"))], later);
        let count = cells.iter().filter(|cell| cell.write >= from).count() as u64;
        assert_eq!(found.tables.iter().map(|table| table.counts.cells).sum::<u64>(), count);
    }
}

#[test]
fn the_index_gives_bytes_by_key_without_the_cells() {
    for name in ["index-1024", "index-512", "index-256", "index-128", "deep-PREFIX", "plain-GZ"] {
        let given = file(&format!("{name}.hfile"));
        let size = given.bytes.len() as u64;
        let found = observed(vec![given], ObserveOptions { depth: Depth::Index, ..ALL });
        let [table] = found.tables.as_slice() else { panic!("{found:?}") };
        assert_eq!(table.source, "index");
        assert_eq!(table.counts.cells, listed(&format!("{name}.cells")).len() as u64);
        // The data blocks, without the leaves of the index and Bloom filters between them.
        assert!(table.counts.bytes > size / 8 && table.counts.bytes <= found.unread && found.unread < size);
        let starts: Vec<&str> = table.regions.iter().map(|region| region.start.as_str()).collect();
        assert!(starts.is_sorted() && table.heat.is_none(), "{starts:?}");
        assert!((table.regions.iter().map(|region| region.share).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn damaged_files_are_named_and_cannot_do_harm() {
    let names =
        ["plain-NONE.hfile", "tags-DIFF.hfile", "large-LZ4.hfile", "index-128.hfile", "wal-values.wal"];
    for name in names {
        let whole = file(name);
        let length = whole.bytes.len();
        for cut in [0, 1, 7, 20, 33, 60, length / 2, length - 4097, length - 4096, length - 9, length - 1] {
            let given = Given { path: name.to_owned(), bytes: whole.bytes[..cut].to_vec(), changed: None };
            for depth in [Depth::All, Depth::Index] {
                let found = observed(vec![given.clone()], ObserveOptions { depth, ..ALL });
                let is_log = name.ends_with(".wal");
                let is_named = found.files[0].problem.is_some() || found.kinds[0].0 != "hfile";
                assert!(is_log || is_named, "{name} {cut}: {found:?}");
            }
        }
        let mut state = 7u64;
        for _ in 0..400 {
            let mut bytes = whole.bytes.clone();
            for _ in 0..3 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let at = (state >> 33) as usize % length;
                bytes[at] = [0, 0xff, 0x80, (state >> 20) as u8][(state >> 12) as usize % 4];
            }
            for depth in [Depth::All, Depth::Index] {
                observed(
                    vec![Given { path: name.to_owned(), bytes: bytes.clone(), changed: None }],
                    ObserveOptions { depth, ..ALL },
                );
            }
        }
    }
}

#[test]
fn a_design_decodes_the_keys_and_names_those_it_cannot_have_made() {
    let document = |rowkey: &str| {
        let text = format!(
            r#"{{"rowscape": 1, "name": "one", "fields": [{{"name": "device", "type": "text"}},
            {{"name": "tail", "type": "bytes", "format": "escaped"}}], "rowkey": "{rowkey}", "splits": {{"points": ["dev-020"]}}}}"#
        );
        rowscape::design::parse(&text).unwrap_or_else(|problems| panic!("{problems:?}"))
    };
    let judged = |rowkey: &str| {
        let study = document(rowkey);
        let files = vec![file("plain-DIFF.hfile")];
        let found = super::folders::observed_by(files, ALL, Some(ObservedDesign { study: &study, table: 0 }));
        found.tables[0].clone()
    };
    let cells = listed("plain-DIFF.cells");
    let table = judged("device + '|' + tail");
    let design = table.design.as_ref().expect("keys by the design");
    assert_eq!((table.borders, table.regions.len()), ("design", 2));
    assert_eq!((design.other_rows, design.cells), (0, cells.len() as u64));
    assert_eq!(design.hot_rows.len(), table.hot_rows.len());
    let fields = design.hot_rows[0].as_ref().expect("fields");
    assert_eq!(fields[0].1.as_deref(), table.hot_rows[0].key.split('|').next());
    for value in &design.values {
        let of = cells.iter().filter(|cell| cell.row.starts_with(format!("{}|", value.value).as_bytes()));
        assert_eq!((value.field.as_str(), value.cells), ("device", of.count() as u64));
    }
    let table = judged("'x' + device + '|' + tail");
    let design = table.design.as_ref().expect("keys by the design");
    assert_eq!((design.other_rows, design.other_cells), (design.tried, design.cells));
    assert!(design.other.as_ref().is_some_and(|key| key.starts_with("dev-")));
}

#[test]
fn a_redacted_answer_has_no_key() {
    let mut found = observed(vec![file("plain-NONE.hfile")], ALL);
    let before = found.clone();
    found.redact();
    let text = serde_json::to_string(&found).expect("JSON");
    assert!(!text.contains("dev-") && text.contains("aaa-000|"));
    assert_eq!(found.tables[0].counts, before.tables[0].counts);
    assert_eq!(found.tables[0].regions.len(), before.tables[0].regions.len());
}
