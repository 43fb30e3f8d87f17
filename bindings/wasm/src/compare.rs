//! Designs held against each other.

use crate::convert::{checked, plain_all, set, thrown, thrown_all, to_js};
use crate::records::RecordsHandle;
use rowscape::compare::{self, Candidate, ComparedSplits};
use rowscape::design::{self, Document};
use rowscape::emit::alter_commands;
use rowscape::error::Problem;
use rowscape::migrate;
use wasm_bindgen::prelude::*;

/// A document, and the number of the table that is meant by a name or number.
fn one(document: &str, table: &str) -> Result<(Document, usize), JsValue> {
    let study = design::parse(document).map_err(|problems| thrown_all(&problems))?;
    let table = checked(study.table_number(table))?;
    Ok((study, table))
}

fn read(documents: &[String], tables: &[String]) -> Result<Vec<(Document, usize)>, JsValue> {
    documents.iter().zip(tables).map(|(document, table)| one(document, table)).collect()
}

fn candidates(studies: &[(Document, usize)]) -> Vec<Candidate<'_>> {
    studies.iter().map(|(study, table)| Candidate { study, table: *table }).collect()
}

/// A table of each document on the same records, side by side; the first is what the others are held against. Keys are cut into
/// equal shares of the records, or with `designed` as their designs say.
#[wasm_bindgen]
pub fn compare(
    records: &RecordsHandle,
    documents: Vec<String>,
    tables: Vec<String>,
    designed: Option<bool>,
) -> Result<JsValue, JsValue> {
    let studies = read(&documents, &tables)?;
    let splits = match designed {
        Some(true) => ComparedSplits::Designed,
        _ => ComparedSplits::EqualShares,
    };
    to_js(&checked(compare::compare(&records.records, &candidates(&studies), splits))?)
}

/// The parameters of a table of a document that can be varied.
#[wasm_bindgen]
pub fn parameters(document: &str, table: &str) -> Result<JsValue, JsValue> {
    let (study, table) = one(document, table)?;
    let candidate = Candidate { study: &study, table };
    to_js(&checked(candidate.design().and_then(compare::parameters))?)
}

/// Varies a parameter of a table: `asked` is `{ "parameter": …, "number": …, "values": […] }`.
#[wasm_bindgen]
pub fn sweep(records: &RecordsHandle, document: &str, table: &str, asked: &str) -> Result<JsValue, JsValue> {
    let (study, table) = one(document, table)?;
    to_js(&checked(compare::sweep(&records.records, Candidate { study: &study, table }, asked))?)
}

/// The way from the first table to the second, with figures of the records; without any, give records of no rows.
#[wasm_bindgen]
pub fn migration(
    records: &RecordsHandle,
    documents: Vec<String>,
    tables: Vec<String>,
) -> Result<JsValue, JsValue> {
    let studies = read(&documents, &tables)?;
    let [from, to] = candidates(&studies)[..] else {
        return Err(thrown(&Problem::new("compare.too-few")));
    };
    let held = Some(&*records.records).filter(|records| records.rows > 0);
    let found = checked(migrate::migration(from, to, held))?;
    let object = to_js(&found)?;
    for (name, list) in [("steps", &found.steps), ("clients", &found.clients), ("checks", &found.checks)] {
        set(&object, name, plain_all(list)?)?;
    }
    let table = &checked(from.design())?.name;
    set(&object, "familyCommands", alter_commands(table, &found.families, &[]))?;
    Ok(object)
}
