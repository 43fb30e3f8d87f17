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
use crate::design::{Design, WriteKind};
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind};

const FRAME: &str = include_str!("languages/java-load.frame");

/// Java that also reads the texts of files.
static LOADING: Language = Language { decoding: include_str!("languages/load.java"), ..language::JAVA };

/// Imports of the job besides those of all jobs.
const IMPORTS: &str = include_str!("languages/java-load.imports");

/// Readers of time patterns, made once.
const READERS: &str =
    "    private static final Map<String, DateTimeFormatter> READERS = new ConcurrentHashMap<>();\n\n";

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
    let fields: String = declared.collect();
    let columns = columns(subject, &written.cells);
    let cells: String = written.cells.iter().map(|cell| added(cell, language)).collect();
    let parts = parts.join(language.indents[1]);
    let tables = tables(subject, &writer);
    let code = [fields.as_str(), &parts, &rest, &cells, &tables, FRAME].join("\n");
    let primitives: Vec<String> =
        language.used(&code).iter().map(|primitive| indented(primitive, language.indents[2])).collect();
    let primitives = primitives.join("\n\n");
    let readers = if primitives.contains("READERS") { READERS } else { "" };
    let tables = format!("{readers}{tables}");
    let code = [code.as_str(), &tables, &primitives].join("\n");
    let stamped = written.cells.iter().any(|cell| cell.timestamp.is_some());
    let notes: String =
        STAMPED_NOTES.iter().filter(|_| stamped).map(|line| format!("    // {line}\n")).collect();
    let class = names::class_of(&design.name, "Load");
    Ok(filled(
        FRAME,
        &[
            ("head", &head(subject, language)),
            ("imports", &imported(language.all_imports(JOB_IMPORTS).chain(named_imports(IMPORTS)), &code)),
            ("class", &class),
            ("table", &language.text(&design.name)),
            ("values", &values(&written.cells)),
            ("columns", &language.text(&columns.join(","))),
            ("tables", &tables),
            ("notes", &notes),
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

/// The sentence on values of columns, a line of the comment.
fn values(cells: &[WrittenCell]) -> String {
    let named: Vec<String> =
        cells.iter().filter(|cell| cell.value.is_none()).map(|cell| names::comment(&cell.name)).collect();
    match named.is_empty() {
        true => String::new(),
        false => format!(
            " *\n * <p>The design does not say what these cells hold. Each is the text of the column of its name, in UTF-8, and is left out where\n * that is empty: {}.\n",
            named.join(", ").replace("*/", "* /")
        ),
    }
}

/// The declaration of a field, read from its columns.
fn declaration(field: &Field, name: &str, language: &Language) -> String {
    let columns: Vec<String> = field.columns().iter().map(|column| language.text(column)).collect();
    let given = format!("given(record, {})", columns.join(", "));
    let zone =
        field.format.as_deref().and_then(|format| TimeFormat::parse(format, field.zone.as_deref()).ok());
    let zone = language.number(zone.map_or(0, |format| format.offset()));
    let value = match (field.kind, field.format.as_deref()) {
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
    };
    format!("        {} = {value};\n", language.parameter(field.kind, name))
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
