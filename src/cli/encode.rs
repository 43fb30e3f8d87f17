//! `encode`: the row key of every record, a line each.

use super::args::CommandArgs;
use super::document::DesignDocument;
use super::figures::count;
use super::input;
use super::json::line;
use super::memory::OWN;
use super::shell::{FINE, FOUND, Failure, Shell};
use super::words::{described, say};
use crate::analysis::check_held;
use crate::base::Problem;
use crate::base::memory::room;
use crate::bytes::row::to_string_binary;
use crate::keys::encode::{EncodedKeys, Encoder};
use crate::records::Records;
use crate::records::read::{BAD_BYTES, RecordReader};
use serde_json::json;

/// Records encoded at a time.
const PORTION_ROWS: usize = 1 << 16;
/// One in so many bytes of the memory is for records held before they are encoded.
const PORTIONS: u64 = 16;
/// Records without a key that are told one by one.
const TOLD: usize = 5;
/// Stands for the bytes of a key that has too many.
const LONGER: &str = "…";

/// How keys are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyNotation {
    Shell,
    Hex,
    Json,
}

/// Runs the command.
pub fn run(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let notation = match (asked.has("json"), asked.has("hex")) {
        (true, true) => return Err(Problem::new("cli.one-output").into()),
        (true, false) => KeyNotation::Json,
        (false, true) => KeyNotation::Hex,
        (false, false) => KeyNotation::Shell,
    };
    room(OWN)?;
    let document = DesignDocument::asked(shell, asked)?;
    let files: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
    let files = if files.is_empty() { vec!["-"] } else { files };
    let mut rows = 0;
    let (mut refused, mut told) = (0, 0);
    let to_file = asked.get("output").filter(|path| *path != "-");
    if let Some(path) = to_file {
        shell.begin_file(path)?;
    }
    let mut portion = |shell: &mut Shell<'_>, reader: &mut RecordReader, least: usize| {
        let large = reader.records().memory() as u64 > shell.memory / PORTIONS;
        if (reader.records().rows < least && !large) || shell.is_closed() {
            return Ok(());
        }
        let records = reader.take_records_so_far();
        // Their keys, and these as text.
        room(OWN / 2 + 4 * records.memory() as u64)?;
        let keys = keys(&document, &records)?;
        for problem in refusals(&records, &keys, rows).iter().take(TOLD.saturating_sub(told)) {
            shell.note(&format!("rowscape: {}", described(problem, None, None)));
            told += 1;
        }
        refused += keys.refused.count() as usize;
        let lines = lines(&keys, notation, rows);
        rows += records.rows as u64;
        if to_file.is_some() {
            return shell.write_file(lines.as_bytes());
        }
        shell.write(lines.as_bytes());
        Ok(())
    };
    let mut reader =
        input::records(shell, Some(&document.study.fields), (None, &files), &mut |shell, reader| {
            portion(shell, reader, PORTION_ROWS)
        })?;
    super::held::complain(shell, reader.problems())?;
    portion(shell, &mut reader, 1)?;
    if refused > 0 {
        let [refused, rows] = [refused as u64, rows].map(count);
        shell.note(&say("cli.no-key", &[("refused", &refused), ("rows", &rows)]));
    }
    let broken = super::held::broken(reader.problems());
    if !broken.is_empty() {
        return Err(broken.into());
    }
    shell.end_file()?;
    Ok(if refused > 0 { FOUND } else { FINE })
}

fn keys(document: &DesignDocument, records: &Records) -> Result<EncodedKeys, Failure> {
    let (study, design) = (&document.study, document.design()?);
    check_held(records, &study.fields, &design.typed, None)?;
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(records, &names, &[&design.typed]).encode().pop();
    Ok(keys.unwrap_or_default())
}

/// The keys in the order of the records; a record without a key has an empty line.
fn lines(keys: &EncodedKeys, notation: KeyNotation, before: u64) -> String {
    let mut text = String::new();
    for (row, key) in (before + 1..).zip(keys.keys.iter()) {
        match notation {
            KeyNotation::Shell => text.push_str(&to_string_binary(key)),
            KeyNotation::Hex => text.push_str(&hex(key)),
            KeyNotation::Json => {
                let key = (!key.is_empty()).then(|| to_string_binary(key));
                text.push_str(line(&json!({ "row": row, "key": key })).trim_end());
            }
        }
        text.push('\n');
    }
    text
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why records got no key, unless reading them told it.
fn refusals(records: &Records, keys: &EncodedKeys, before: u64) -> Vec<Problem> {
    let of = |refused: &crate::keys::encode::RefusedRow| {
        let column = refused.column.and_then(|column| records.columns.get(column));
        let invalid =
            column.and_then(|column| column.first_invalid.iter().find(|(row, ..)| *row == refused.row));
        let mut problem = Problem::new(invalid.map_or(refused.code, |&(.., code)| code));
        problem = match invalid {
            Some((_, text, _)) => problem.with("found", text),
            None => problem.with("length", LONGER),
        };
        problem.place.field = column.map(|column| column.field.name.clone());
        problem.place.row = Some(before + u64::from(refused.row) + 1);
        problem
    };
    let told = |code: &str| matches!(code, "row.unread" | BAD_BYTES);
    keys.refused.first.iter().map(of).filter(|problem| !told(problem.code)).collect()
}
