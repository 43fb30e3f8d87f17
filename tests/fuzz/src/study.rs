//! Whole designs: keys made, sorted, reported on, judged, read back.

use crate::ingest::read;
use crate::language::{fields, said};
use crate::text_and_bytes;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::decode::{collision, decode as decode_key, decode_start};
use rowscape::formula::{check, parse};
use rowscape::ingest::generate::{Generator, GeneratorSpec};
use rowscape::ingest::{FileForm, Input};
use rowscape::{design, field};
use std::rc::Rc;

/// Records made up at most.
const MOST_ROWS: u64 = 200;

/// A formula, a zero byte, a key that it may have made.
pub fn decode(data: &[u8]) {
    let Some((text, key)) = text_and_bytes(data) else { return };
    let Ok(formula) = parse(text) else { return };
    let fields = fields();
    let Ok(typed) = check(&formula, &fields) else { return };
    let _ = collision(&typed, &fields);
    let _ = decode_start(&typed, &fields, key);
    match decode_key(&typed, &fields, key) {
        Ok(decoded) => {
            assert_eq!(decoded.parts.len(), typed.parts.len());
            said(&decoded.problems);
        }
        Err(problem) => said(&[problem]),
    }
}

/// A design document, a zero byte, a file of records; without a file they are made up.
pub fn study(data: &[u8]) {
    let Some((text, file)) = text_and_bytes(data) else { return };
    let Ok(study) = design::parse(text) else { return };
    let form = if file.starts_with(b"{") || file.starts_with(b"[") { FileForm::Jsonl } else { FileForm::Csv };
    let input = Input {
        format: form,
        separator: None,
        quote: None,
        header: None,
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields: study.fields.clone(),
    };
    let records = match &study.generate {
        Some(spec) if file.is_empty() => {
            let Ok(spec) = serde_json::from_value::<GeneratorSpec>(spec.clone()) else { return };
            let made =
                Generator::new(&GeneratorSpec { rows: spec.rows.min(MOST_ROWS), ..spec }, &study.fields);
            let Ok(mut generator) = made else { return };
            let mut records = generator.records();
            generator.fill(&mut records, MOST_ROWS);
            records
        }
        _ => match read(&input, file, &[usize::MAX]) {
            Some((records, _)) => records,
            None => return,
        },
    };
    let records = Rc::new(records);
    for (table, one) in study.tables.iter().enumerate().take(3) {
        let Ok(mut analysis) = Analysis::of(&study, table, Rc::clone(&records)) else { continue };
        if let Err(problem) = analysis.report(&ReportOptions::default()) {
            said(&[problem]);
        }
        if let Err(problem) = analysis.findings(&study, table) {
            said(&[problem]);
        }
        read_back(&analysis, &study.fields, &one.typed);
    }
}

/// Every key that was made can be read back, unless there are too many ways to.
fn read_back(analysis: &Analysis, fields: &[field::Field], typed: &rowscape::formula::typed::TypedFormula) {
    let rows = analysis.keys(0, 20);
    assert_eq!(rows.spans.len(), rows.rows.len() * typed.parts.len());
    for key in rows.keys.iter() {
        match decode_key(typed, fields, key) {
            Ok(decoded) => said(&decoded.problems),
            Err(problem) if problem.code == "decode.too-many" => {}
            Err(problem) => panic!("{}: {key:?}: {problem}", fields.len()),
        }
    }
}
