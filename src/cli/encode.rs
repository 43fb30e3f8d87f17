//! `encode`: the row key of every record, a line each.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, FOUND, Failure};
use super::document::DesignDocument;
use super::figures::count;
use super::input::{self, WantedFields};
use super::json::line;
use super::words::{described, say};
use crate::analysis::require_columns;
use crate::base::Problem;
use crate::base::memory::room;
use crate::base::units::MB;
#[cfg(not(target_arch = "wasm32"))]
use crate::base::workers::InOrder;
use crate::bytes::row::to_string_binary;
use crate::formula::typed::TypedFormula;
use crate::keys::encode::{EncodedKeys, Encoder};
use crate::records::Records;
use crate::records::field::Field;
use crate::records::read::{BAD_BYTES, RecordReader};
use crate::session::OWN;
use serde_json::json;

/// Records encoded at a time.
const PORTION_ROWS: usize = 1 << 16;
/// Records that no threads are begun for.
#[cfg(not(target_arch = "wasm32"))]
const FEW_ROWS: usize = 1 << 12;
/// Bytes that records are read from before they are encoded, at most: keys go out as they are made.
const STEP: u64 = 3 * MB;
/// One in so many bytes of the memory is for records held before they are encoded.
const PORTIONS: u64 = 16;
/// Records without a key that are told one by one.
const TOLD: usize = 5;

/// How keys are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyNotation {
    CommandContext,
    Hex,
    Json,
}

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let notation = match (asked.has("json"), asked.has("hex")) {
        (true, true) => return Err(Problem::new("cli.one-output").into()),
        (true, false) => KeyNotation::Json,
        (false, true) => KeyNotation::Hex,
        (false, false) => KeyNotation::CommandContext,
    };
    room(OWN)?;
    let document = DesignDocument::asked(context, asked)?;
    let files: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
    let files = if files.is_empty() { vec!["-"] } else { files };
    let to_file = asked.get("output").filter(|path| *path != "-");
    if let Some(path) = to_file {
        context.begin_file(path)?;
    }
    let output = KeyOutput { to_file: to_file.is_some(), refused: 0, told: 0 };
    let mut encoding =
        KeyEncoding { document: &document, notation, rows: 0, threads: EncodingThreads::default(), output };
    let all = WantedFields::all(&document.study.fields, document.design().ok());
    let wanted = WantedFields { named: fields_of(&document), step: STEP, ..all };
    let read = input::records(context, &wanted, (None, &files), &mut |context, reader, whole| {
        encoding.portion(context, reader, if whole { 1 } else { PORTION_ROWS })
    });
    encoding.threads.end(context, &mut encoding.output)?;
    let mut reader = read?;
    super::loaded::complain(context, reader.problems())?;
    encoding.portion(context, &mut reader, 1)?;
    encoding.threads.end(context, &mut encoding.output)?;
    let refused = encoding.output.refused;
    if refused > 0 {
        let [refused, rows] = [refused, encoding.rows].map(count);
        context.note(&say("cli.no-key", &[("refused", &refused), ("rows", &rows)]));
    }
    let broken = super::loaded::broken(reader.problems());
    if !broken.is_empty() {
        return Err(broken.into());
    }
    context.end_file()?;
    Ok(if refused > 0 { FOUND } else { FINE })
}

/// The fields of which a row key is made; `None` where the design has errors, which are told once records come.
fn fields_of(document: &DesignDocument) -> Option<Vec<String>> {
    let design = document.design().ok()?;
    let fields = design.typed.fields().filter_map(|field| document.study.fields.get(field));
    Some(fields.map(|field| field.name.clone()).collect())
}

/// Records on their way to keys.
struct KeyEncoding<'d> {
    document: &'d DesignDocument,
    notation: KeyNotation,
    /// Records so far.
    rows: u64,
    threads: EncodingThreads,
    output: KeyOutput,
}

impl KeyEncoding<'_> {
    /// Encodes the records so far, if they are enough.
    fn portion(
        &mut self,
        context: &mut CommandContext<'_>,
        reader: &mut RecordReader,
        least: usize,
    ) -> Result<(), Failure> {
        let large = reader.records().memory() as u64 > context.memory / PORTIONS;
        if (reader.records().rows < least && !large) || context.is_closed() {
            return Ok(());
        }
        let records = reader.take_records_so_far();
        // Their keys, and these as text.
        room(OWN / 2 + 4 * records.memory() as u64)?;
        let work = KeyWork::new(self.document, self.notation, self.rows)?;
        self.rows += records.rows as u64;
        self.threads.encode(context, work, records, &mut self.output)
    }
}

/// The keys of a portion of the records.
struct KeyLines {
    lines: String,
    refused: u64,
    /// Why the first records got no key.
    problems: Vec<Problem>,
}

/// Where keys go.
struct KeyOutput {
    to_file: bool,
    refused: u64,
    told: usize,
}

impl KeyOutput {
    fn take(&mut self, context: &mut CommandContext<'_>, portion: KeyLines) -> Result<(), Failure> {
        for problem in portion.problems.iter().take(TOLD.saturating_sub(self.told)) {
            context.note(&format!("rowscape: {}", described(problem, None, None)));
            self.told += 1;
        }
        self.refused += portion.refused;
        if self.to_file {
            return context.write_file(portion.lines.as_bytes());
        }
        context.write(portion.lines.as_bytes());
        Ok(())
    }
}

/// Encodes a portion of the records.
struct KeyWork {
    fields: Vec<Field>,
    typed: TypedFormula,
    notation: KeyNotation,
    /// Records before the portion.
    before: u64,
}

impl KeyWork {
    fn new(document: &DesignDocument, notation: KeyNotation, before: u64) -> Result<Self, Failure> {
        let typed = document.design()?.typed.clone();
        Ok(Self { fields: document.study.fields.clone(), typed, notation, before })
    }

    fn lines(&self, records: &Records) -> Result<KeyLines, Problem> {
        require_columns(records, &self.fields, &self.typed, None)?;
        let names: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        let keys = Encoder::new(records, &names, &[&self.typed]).encode().pop().unwrap_or_default();
        Ok(KeyLines {
            lines: lines(&keys, self.notation, self.before),
            refused: keys.refused.count(),
            problems: refusals(records, &keys, self.before),
        })
    }
}

/// Portions that are encoded on threads.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Default)]
struct EncodingThreads(Option<InOrder<Result<KeyLines, Problem>>>);

#[cfg(not(target_arch = "wasm32"))]
impl EncodingThreads {
    /// Has a portion encoded, and hands on those before it that are done.
    fn encode(
        &mut self,
        context: &mut CommandContext<'_>,
        work: KeyWork,
        records: Records,
        output: &mut KeyOutput,
    ) -> Result<(), Failure> {
        // A few rows, which are mostly all there are.
        let workers = if records.rows < FEW_ROWS { None } else { context.workers() };
        let Some(workers) = workers else {
            self.end(context, output)?;
            return output.take(context, work.lines(&records)?);
        };
        let under_way = self.0.get_or_insert_with(|| InOrder::of(&workers));
        while under_way.is_full()
            && let Some(portion) = under_way.wait_next()
        {
            output.take(context, portion?)?;
        }
        under_way.push(workers.run(move || work.lines(&records)));
        Ok(())
    }

    /// Hands on all that are left.
    fn end(&mut self, context: &mut CommandContext<'_>, output: &mut KeyOutput) -> Result<(), Failure> {
        while let Some(portion) = self.0.as_mut().and_then(InOrder::wait_next) {
            output.take(context, portion?)?;
        }
        Ok(())
    }
}

/// Without threads each portion is encoded as it comes.
#[cfg(target_arch = "wasm32")]
#[derive(Default)]
struct EncodingThreads;

#[cfg(target_arch = "wasm32")]
impl EncodingThreads {
    fn encode(
        &mut self,
        context: &mut CommandContext<'_>,
        work: KeyWork,
        records: Records,
        output: &mut KeyOutput,
    ) -> Result<(), Failure> {
        output.take(context, work.lines(&records)?)
    }

    fn end(&mut self, _: &mut CommandContext<'_>, _: &mut KeyOutput) -> Result<(), Failure> {
        Ok(())
    }
}

/// The keys in the order of the records; a record without a key has an empty line.
fn lines(keys: &EncodedKeys, notation: KeyNotation, before: u64) -> String {
    let mut text = String::new();
    for (row, key) in (before + 1..).zip(keys.keys.iter()) {
        match notation {
            KeyNotation::CommandContext => text.push_str(&to_string_binary(key)),
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
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS.get(usize::from(half)).copied().unwrap_or_default());
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Why records got no key, unless reading them told it.
fn refusals(records: &Records, keys: &EncodedKeys, before: u64) -> Vec<Problem> {
    let of = |refused: &crate::keys::encode::RefusedRow| {
        let column = refused.column.and_then(|column| records.columns.get(column));
        let invalid =
            column.and_then(|column| column.first_invalid.iter().find(|(row, ..)| *row == refused.row));
        let mut problem = Problem::new(invalid.map_or(refused.code, |&(.., code)| code));
        if let Some((_, text, _)) = invalid {
            problem = problem.with("found", text);
        }
        problem.place.field = column.map(|column| column.field.name.clone());
        problem.place.row = Some(before + u64::from(refused.row) + 1);
        problem
    };
    let told = |code: &str| matches!(code, "row.unread" | BAD_BYTES);
    keys.refused.first.iter().map(of).filter(|problem| !told(problem.code)).collect()
}
