//! An entry of the gallery with its records, and hashes written out the plain way.

use md5::{Digest, Md5};
use rowscape::decode::{Decoded, decode};
use rowscape::design::{Design, Document, parse};
use rowscape::encode::Encoder;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::ingest::{Generator, Input, RecordReader};
use rowscape::records::Records;
use rowscape::split::SplitPoints;
use serde_json::Value;
use std::path::Path;

/// The text of a file of the gallery.
pub fn file(name: &str) -> String {
    let path = |folder: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name);
    let (own, product) = (path("data/gallery"), path("data/products"));
    std::fs::read_to_string(&own)
        .or_else(|_| std::fs::read_to_string(product))
        .unwrap_or_else(|error| panic!("{}: {error}", own.display()))
}

/// The list of entries of published practice.
pub fn index() -> Vec<Value> {
    serde_json::from_str(&file("index.json")).expect("a list")
}

/// The list of entries of known products.
pub fn products() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/products/index.json");
    serde_json::from_slice(&std::fs::read(path).expect("an index")).expect("a list")
}

/// All entries.
pub fn entries() -> Vec<Value> {
    [index(), products()].concat()
}

/// The design document of an entry.
pub fn study(slug: &str) -> Document {
    parse(&file(&format!("{slug}.json"))).unwrap_or_else(|problems| panic!("{slug}: {problems:?}"))
}

/// A design document with records.
pub struct Opened {
    pub study: Document,
    pub records: Records,
}

/// Separated values with the fields of a study.
pub fn input(study: &Document) -> Input {
    Input {
        format: Default::default(),
        separator: None,
        quote: None,
        header: None,
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields: study.fields.clone(),
    }
}

/// An entry with the records that stand beside it.
pub fn open(slug: &str) -> Opened {
    with(slug, &file(&format!("{slug}.csv")))
}

/// An entry with these records, the names of their fields in the first line.
pub fn with(slug: &str, csv: &str) -> Opened {
    let study = study(slug);
    let mut reader = RecordReader::new(&input(&study)).expect("input");
    reader.push(csv.as_bytes());
    reader.finish();
    assert!(reader.problems().first.is_empty(), "{slug}: {:?}", reader.problems());
    Opened { study, records: reader.into_records() }
}

/// An entry with records made up as it says.
pub fn generated(slug: &str, rows: Option<u64>) -> Opened {
    let study = study(slug);
    let mut spec: GeneratorSpec =
        serde_json::from_value(study.generate.clone().expect("generate")).expect(slug);
    spec.rows = rows.unwrap_or(spec.rows);
    let records = Generator::all(&spec, &study.fields).expect(slug);
    Opened { study, records }
}

impl Opened {
    /// A table of the document.
    pub fn table(&self, name: &str) -> &Design {
        self.study.tables.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// The row key of every record, in order of the records.
    pub fn keys(&self, table: &str) -> Vec<Vec<u8>> {
        let names: Vec<&str> = self.study.fields.iter().map(|field| field.name.as_str()).collect();
        let encoder = Encoder::new(&self.records, &names, &[&self.table(table).typed]);
        let keys = encoder.encode().swap_remove(0);
        assert_eq!(keys.refused.count(), 0, "{table}: {:?}", keys.refused);
        (0..self.records.rows).map(|row| keys.keys.get(row).to_vec()).collect()
    }

    /// The same, of keys that are text.
    pub fn texts(&self, table: &str) -> Vec<String> {
        self.keys(table).into_iter().map(|key| String::from_utf8(key).expect("text")).collect()
    }

    /// The keys in HBase's order, each once.
    pub fn rows(&self, table: &str) -> Vec<Vec<u8>> {
        let mut keys = self.keys(table);
        keys.sort();
        keys.dedup();
        keys
    }

    pub fn points(&self, table: &str) -> SplitPoints {
        let mut keys = self.keys(table);
        keys.sort();
        self.table(table).splits.points_for(&keys).expect(table)
    }

    /// How many records each region holds.
    pub fn regions(&self, table: &str) -> Vec<usize> {
        let points = self.points(table);
        let mut counts = vec![0; points.regions()];
        self.keys(table).iter().for_each(|key| counts[points.region_of(key)] += 1);
        counts
    }

    /// A key of a table read back.
    pub fn decoded(&self, table: &str, key: &[u8]) -> Decoded {
        decode(&self.table(table).typed, &self.study.fields, key)
            .unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// The value of a field, decoded from a key.
    pub fn told(&self, table: &str, key: &[u8], field: &str) -> Option<String> {
        let decoded = self.decoded(table, key);
        decoded.fields.into_iter().find(|found| found.name == field).expect(field).value
    }
}

/// The keys that a scan returns: from the start row up to, not including, the stop row.
pub fn scan<T: AsRef<[u8]>>(keys: &[T], start: &str, stop: &str) -> Vec<usize> {
    let within = |key: &T| (start.as_bytes()..stop.as_bytes()).contains(&key.as_ref());
    (0..keys.len()).filter(|&index| within(&keys[index])).collect()
}

/// `String.hashCode`.
pub fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

/// `Arrays.hashCode(byte[])`.
pub fn bytes_hash(bytes: &[u8]) -> i32 {
    bytes.iter().fold(1i32, |hash, &byte| hash.wrapping_mul(31).wrapping_add((byte as i8).into()))
}

pub fn md5(text: &str) -> [u8; 16] {
    Md5::digest(text).into()
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
