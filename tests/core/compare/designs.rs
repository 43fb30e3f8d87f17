//! Documents and records of the gallery.

#![allow(dead_code)]

use rowscape::compare::{Candidate, MeasureLine};
use rowscape::design::{Document, parse};
use rowscape::ingest::Generator;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::records::Records;
use std::path::Path;
use std::rc::Rc;

/// The document of a gallery entry, with records made up as it says.
pub fn generated(slug: &str, rows: Option<u64>) -> (Document, Rc<Records>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gallery").join(format!("{slug}.json"));
    let study =
        parse(&std::fs::read_to_string(path).expect(slug)).unwrap_or_else(|all| panic!("{slug}: {all:?}"));
    let mut spec: GeneratorSpec =
        serde_json::from_value(study.generate.clone().expect("generate")).expect(slug);
    spec.rows = rows.unwrap_or(spec.rows);
    let records = Generator::all(&spec, &study.fields).expect(slug);
    (study, Rc::new(records))
}

/// All tables of a document.
pub fn tables(study: &Document) -> Vec<Candidate<'_>> {
    (0..study.tables.len()).map(|table| Candidate { study, table }).collect()
}

/// The figures of a measure.
pub fn values(lines: &[MeasureLine], code: &str) -> Vec<Option<f64>> {
    lines.iter().find(|line| line.code == code).unwrap_or_else(|| panic!("{code}: {lines:?}")).values.clone()
}
