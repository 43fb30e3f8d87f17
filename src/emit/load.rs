//! A job of MapReduce that loads files of records as HFiles, with the row keys and cells of the design.

use super::code::{filled, head, indented, parameters, tables};
use super::language::{self, Language, imported, named_imports};
use super::lower::CodeWriter;
use super::names::{self, hex};
use super::rewrite::JOB_IMPORTS;
use super::subject::EmitSubject;
use super::writer::{STAMPED_NOTES, WrittenCell, written_cells};
use crate::base::Problem;
use crate::bytes::sort::sort_distinct;
use crate::design::{Constant, Design, WriteKind};
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind};

const FRAME: &str = include_str!("languages/java-load.frame");

/// Java that also reads the texts of files.
static LOADING: Language = Language { decoding: include_str!("languages/load.java"), ..language::JAVA };

/// Imports of the job besides those of all jobs.
const IMPORTS: &str = include_str!("languages/java-load.imports");

/// The comment on records of other kinds; their counter; how they are skipped; how their number is told.
const OF_OTHER_KINDS: [&str; 4] = [
    " Null for a record of another kind.",
    ", OF_OTHER_KINDS",
    "                if (row == null) {
                    context.getCounter(Records.OF_OTHER_KINDS).increment(1);
                    return;
                }
",
    "        long skipped = job.getCounters().findCounter(Records.OF_OTHER_KINDS).getValue();
        System.err.println(skipped + \" records of other kinds were skipped\");
",
];

/// Names of the function around those of fields.
const AROUND: [&str; 3] = ["row", "record", "text"];

/// The class.
///
/// # Errors
/// A table of counters, one without cells, a random key; a step without code.
pub(super) fn source(subject: &EmitSubject<'_>) -> Result<String, Problem> {
    let EmitSubject { study, design, .. } = *subject;
    check(design)?;
    let language = &LOADING;
    let names = parameters(&study.fields, language, |name| AROUND.contains(&name));
    let mut writer = CodeWriter::new(language, &study.fields, names);
    writer.bucket = super::code::bucket(&design.typed);
    let (parts, rest) = writer.parts(&design.typed)?;
    let rest = rest.map(|rest| language.rest.replace("{}", &rest)).unwrap_or_default();
    let written = written_cells(subject, &mut writer)?;
    let mut used = written.fields;
    used.extend(design.typed.parts.iter().flat_map(|part| part.fields.iter().copied()));
    sort_distinct(&mut used);
    let declared = used.iter().filter_map(|&index| {
        Some(declaration(study.fields.get(index)?, writer.parameters.get(index)?, language))
    });
    let telling = telling(subject, language);
    let fields: String = telling.iter().cloned().chain(declared).collect();
    let columns = columns(subject, &written.cells);
    let cells: String = written.cells.iter().map(|cell| added(cell, language)).collect();
    let parts = parts.join(language.indents[1]);
    let tables = tables(subject, &writer);
    let code = [fields.as_str(), &parts, &rest, &cells, &tables, FRAME].join("\n");
    let primitives: Vec<String> =
        language.used(&code).iter().map(|primitive| indented(primitive, language.indents[2])).collect();
    let primitives = primitives.join("\n\n");
    let code = [code.as_str(), &tables, &primitives].join("\n");
    let stamped = written.cells.iter().any(|cell| cell.timestamp.is_some());
    let notes = STAMPED_NOTES.iter().filter(|_| stamped).map(|line| (*line).to_owned());
    let notes = values(&written.cells).into_iter().chain(notes);
    let notes: String = notes.map(|line| names::comment("    // ", &line)).collect();
    let class = names::class_of(&design.name, "Load");
    let of_other_kinds = if telling.is_some() { OF_OTHER_KINDS } else { [""; 4] };
    Ok(filled(
        FRAME,
        &[
            ("head", &head(subject, language)),
            ("imports", &imported(language.all_imports(JOB_IMPORTS).chain(named_imports(IMPORTS)), &code)),
            ("class", &class),
            ("table", &language.text(&design.name)),
            ("columns", &language.text(&columns.join(","))),
            ("tables", &tables),
            ("notes", &notes),
            ("other", of_other_kinds[0]),
            ("counter", of_other_kinds[1]),
            ("skipped", of_other_kinds[2]),
            ("told", of_other_kinds[3]),
            ("fields", &fields),
            ("rest", &rest),
            ("parts", &parts),
            ("cells", &cells),
            ("primitives", &primitives),
        ],
    ))
}

/// Refuses a table that no files are loaded into.
fn check(design: &Design) -> Result<(), Problem> {
    if design.writes == WriteKind::Counter {
        return Err(Problem::new("emit.counter-load"));
    }
    if design.families.iter().all(|family| family.cells.is_empty()) {
        return Err(Problem::new("emit.no-cells"));
    }
    let cells = design.families.iter().flat_map(|family| &family.cells);
    if let Some(packed) = cells.into_iter().find(|cell| cell.value.is_packed()) {
        return Err(Problem::new("emit.packed-load").with("cell", &packed.qualifier));
    }
    if design.typed.parts.iter().any(|part| part.expression.is_random()) {
        return Err(Problem::new("emit.random-key"));
    }
    Ok(())
}

/// The columns that a file has by default: those of fields, then those of values.
fn columns(subject: &EmitSubject<'_>, cells: &[WrittenCell]) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    let of_fields = subject.study.fields.iter().flat_map(|field| field.columns().iter().cloned());
    for column in
        of_fields.chain(cells.iter().filter(|cell| cell.value.is_none()).map(|cell| cell.name.clone()))
    {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    columns
}

/// The fact on values that columns have, if any do.
fn values(cells: &[WrittenCell]) -> Option<String> {
    let named: Vec<&str> =
        cells.iter().filter(|cell| cell.value.is_none()).map(|cell| cell.name.as_str()).collect();
    (!named.is_empty()).then(|| {
        format!(
            "The design does not say what these cells hold. Each is the text of the column of its name, in UTF-8, and is left out where \
             that is empty: {}.",
            named.join(", ")
        )
    })
}

/// The statement that leaves records of other kinds alone, where the table is that of one kind.
fn telling(subject: &EmitSubject<'_>, language: &Language) -> Option<String> {
    let kind = subject.design.of_kind.as_ref()?;
    let field = subject.study.fields.get(kind.telling.field)?;
    let values = kind.values();
    let values = values.iter().map(|value| match (value, field.kind) {
        (Constant::Bytes(bytes), _) => language.text(&String::from_utf8_lossy(bytes)),
        (Constant::Number(number), Kind::Boolean) => (*number != 0).to_string(),
        (Constant::Number(number), _) => format!("{number}L"),
    });
    let values: Vec<String> = values.collect();
    let (found, values) = (found(field, language), values.join(", "));
    Some(format!("        if (!Arrays.asList({values}).contains({found})) return null;\n"))
}

/// The declaration of a field, read from its columns.
fn declaration(field: &Field, name: &str, language: &Language) -> String {
    format!("        {} = {};\n", language.parameter(field.kind, name), found(field, language))
}

/// The value of a field, read from its columns.
fn found(field: &Field, language: &Language) -> String {
    let columns: Vec<String> = field.columns().iter().map(|column| language.text(column)).collect();
    let given = format!("given(record, {})", columns.join(", "));
    let zone =
        field.format.as_deref().and_then(|format| TimeFormat::parse(format, field.zone.as_deref()).ok());
    let zone = language.number(zone.map_or(0, |format| format.offset()));
    match (field.kind, field.format.as_deref()) {
        (Kind::Text, _) => given,
        (Kind::Integer, _) => format!("longOf({given})"),
        (Kind::Float, _) => format!("doubleOf({given})"),
        (Kind::Decimal, _) => format!("decimalOf({given})"),
        (Kind::Boolean, _) => format!("booleanOf({given})"),
        (Kind::Bytes, Some("hex" | "uuid")) => format!("hexOf({given})"),
        (Kind::Bytes, _) => format!("escapedOf({given})"),
        (Kind::Time, Some("epoch-seconds" | "epoch-seconds.SSS")) => format!("epochOf({given}, 3)"),
        (Kind::Time, Some("epoch-millis")) => format!("epochOf({given}, 0)"),
        (Kind::Time, Some("epoch-micros")) => format!("epochOf({given}, -3)"),
        (Kind::Time, Some("epoch-nanos")) => format!("epochOf({given}, -6)"),
        (Kind::Time, None | Some("iso8601")) => format!("isoOf({given}, {zone})"),
        (Kind::Time, Some(pattern)) => format!("timeOf({given}, {}, {zone})", language.text(pattern)),
    }
}

/// The statement that adds a cell to a row.
fn added(cell: &WrittenCell, language: &Language) -> String {
    let family = (language.bytes)(&hex(cell.family.as_bytes()));
    let timestamp = cell.timestamp.as_ref().map(|time| format!("{time}, ")).unwrap_or_default();
    let add = |value: &str| format!("row.addColumn({family}, {}, {timestamp}{value});", cell.qualifier);
    match &cell.value {
        Some(value) => format!("        {}\n", add(value)),
        None => {
            let column = language.text(&cell.name);
            let value = add(&format!("utf8(record.get({column}))"));
            format!("        if (!record.getOrDefault({column}, \"\").isEmpty()) {value}\n")
        }
    }
}
