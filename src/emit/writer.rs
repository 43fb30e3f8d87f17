//! Code that writes a table: the row of a record with its cells.

use super::code::{KeyParameters, framed};
use super::language::{self, Language};
use super::lower::CodeWriter;
use super::names::{self, fill, hex};
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::design::{RecordCell, WriteKind};
use crate::formula::typed::TypedFormula;
use crate::records::field::Kind;

/// Names of the code around the parameters.
const AROUND: [&str; 7] = ["put", "increment", "connection", "batch", "rows", "table", "row"];

/// A language that writes a table.
pub(super) struct WriterLanguage {
    language: &'static Language,
    frame: &'static str,
    /// The function of a row that is put, or whose counters are incremented: `{name}`, `{type}`, `{parameters}`, `{given}`, `{cells}` and
    /// the lines of `{note}`.
    row: [&'static str; 2],
    /// A parameter of a cell that is put, or of a counter that is incremented.
    parameters: [&'static str; 2],
    /// A cell of each: `{family}`, `{qualifier}` and `{value}`; and what stands between two.
    cell: [[&'static str; 2]; 2],
    /// How cells have timestamps of their own.
    stamped: StampedCells,
    /// The function that opens a batch.
    batch: &'static str,
    /// Begins a comment.
    note: &'static str,
}

/// How cells have timestamps of their own.
enum StampedCells {
    /// Each beside its value, `{timestamp}`.
    Each(&'static str),
    /// One for all cells of a request: the function of a row that is put so, and a request of `{cells}` with `{timestamp}`, which is
    /// the second text or nothing.
    Together([&'static str; 3]),
}

/// A cell of a row as code.
pub(super) struct WrittenCell {
    /// Its family's name.
    pub family: String,
    /// Its qualifier as text, where it is the same in all rows.
    pub name: String,
    /// The code of its qualifier.
    pub qualifier: String,
    /// The code of its value; `None` where it is a parameter.
    pub value: Option<String>,
    /// The parameter that its value is, or would be.
    pub parameter: String,
    /// The code of its timestamp, in milliseconds.
    pub timestamp: Option<String>,
}

/// The cells of a row as code, and the fields that they are made of by index.
pub(super) struct WrittenCells {
    pub cells: Vec<WrittenCell>,
    pub fields: Vec<usize>,
}

/// The bytes that a formula makes, as code.
fn bytes_of(formula: &TypedFormula, writer: &mut CodeWriter<'_>) -> Result<String, Problem> {
    let shown = writer.language.shown;
    match writer.parts(formula)? {
        (parts, None) => Ok(match parts.as_slice() {
            [part] => part.clone(),
            _ => format!("concat({})", parts.join(", ")),
        }),
        (_, Some(_)) => Err(Problem::new("emit.no-code").with("step", "rest").with("language", shown)),
    }
}

/// The cells of a row. Their parameters have names that no field has.
///
/// # Errors
/// A step that the language has no code for.
pub(super) fn written_cells(
    subject: &EmitSubject<'_>,
    writer: &mut CodeWriter<'_>,
) -> Result<WrittenCells, Problem> {
    let (design, language) = (subject.design, writer.language);
    let mut written = WrittenCells { cells: Vec::new(), fields: Vec::new() };
    for (at, family) in design.families.iter().enumerate() {
        for (index, cell) in family.cells.iter().enumerate() {
            let column = design.columns.iter().position(|place| *place == (at, index));
            let column = column.and_then(|column| design.typed.columns.get(column));
            // A cell that the records of a row share is given as a whole.
            let packed = cell.value.is_packed();
            let qualifier = column.and_then(|column| column.qualifier.as_ref());
            let value = column.and_then(|column| column.value.as_ref()).filter(|_| !packed);
            let formulas = qualifier.into_iter().chain(value);
            let parts = formulas.flat_map(|formula| &formula.parts);
            written.fields.extend(parts.flat_map(|part| part.fields.iter().copied()));
            let words = format!("{} {}", family.name, words_of(cell));
            let is_taken = |name: &str| {
                let mut names = written.cells.iter().map(|cell| &cell.parameter).chain(&writer.parameters);
                language.is_taken(name) || AROUND.contains(&name) || names.any(|other| other == name)
            };
            let parameter = names::parameter(&words, language.snaked, is_taken);
            let known = cell.qualifier.bytes().unwrap_or_default();
            let timestamp = stamp(cell, writer).map(|(field, code)| {
                written.fields.push(field);
                code
            });
            let qualifier = match qualifier {
                Some(formula) => bytes_of(formula, writer)?,
                None => (language.bytes)(&hex(&known)),
            };
            let value = value.map(|formula| bytes_of(formula, writer)).transpose()?;
            written.cells.push(WrittenCell {
                family: family.name.clone(),
                name: words_of(cell),
                qualifier,
                value,
                parameter,
                timestamp,
            });
        }
    }
    Ok(written)
}

/// The name of a cell, where its qualifier tells one.
fn words_of(cell: &RecordCell) -> String {
    let bytes = cell.qualifier.bytes();
    bytes.map_or_else(|| "value".to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The field that is the timestamp of a cell, by its index, and its code.
fn stamp(cell: &RecordCell, writer: &CodeWriter<'_>) -> Option<(usize, String)> {
    let name = cell.timestamp.as_ref()?;
    let field = writer.fields.iter().position(|field| field.name == *name)?;
    Some((field, writer.language.taken(Kind::Time, writer.parameters.get(field)?)?))
}

/// A fact on cells that all records of a row share.
const PACKED_NOTE: &str = "A packed cell holds what all records of its row add: read it, add to it and write it as a whole, with checkAndMutate where several write.";

/// Facts on cells with timestamps of their own, a sentence each.
pub(super) const STAMPED_NOTES: [&str; 3] = [
    "The timestamps of cells are event times: a TTL counts from the event, so late data may be expired when it arrives.",
    "A cell with an older event time does not replace a newer one, whenever it is written.",
    "A delete hides cells that are written later with older event times, until a major compaction.",
];

/// The file.
pub(super) fn source(subject: &EmitSubject<'_>, writer: &WriterLanguage) -> Result<String, Problem> {
    let (design, language) = (subject.design, writer.language);
    let counted = design.writes == WriteKind::Counter;
    let cells = || design.families.iter().flat_map(|family| &family.cells);
    if let Some(cell) = cells().find(|cell| counted && cell.value.is_formula()) {
        return Err(Problem::new("emit.counter-formula").with("cell", &cell.qualifier));
    }
    let stamped = cells().any(|cell| cell.timestamp.is_some());
    let (name, kind) = if counted { ("increment", "Increment") } else { ("put", "Put") };
    framed(subject, language, (writer.frame, &AROUND), |key: &KeyParameters, code| {
        let written = written_cells(subject, code)?;
        let mut declared = key.declared_with(&written.fields, code);
        let of = |cell: &WrittenCell| writer.parameters[usize::from(counted)].replace("{}", &cell.parameter);
        declared.extend(written.cells.iter().filter(|cell| cell.value.is_none()).map(of));
        let mut notes = Vec::new();
        if written.cells.is_empty() {
            notes.push("The design names no cells: add them to the row.");
        }
        if cells().any(|cell| cell.value.is_packed()) {
            notes.push(PACKED_NOTE);
        }
        notes.extend(STAMPED_NOTES.iter().filter(|_| stamped));
        let note: String = notes.iter().map(|line| names::comment(writer.note, line)).collect();
        let (row, cells) = writer.row_of(&written.cells, counted);
        let row = fill(
            row,
            &[
                ("note", &note),
                ("type", kind),
                ("name", name),
                ("parameters", &declared.join(", ")),
                ("given", &key.given.join(", ")),
                ("cells", &cells),
            ],
        );
        let each = matches!(writer.stamped, StampedCells::Each(_));
        Ok(vec![
            ("class", names::class_of(&design.name, "Writer")),
            ("table", language.text(&design.name)),
            ("mutation", kind.to_owned()),
            ("write", row),
            ("batch", if each || !stamped { writer.batch.to_owned() } else { String::new() }),
        ])
    })
}

impl WriterLanguage {
    /// The code of a cell.
    fn cell(&self, text: &str, cell: &WrittenCell) -> String {
        let bytes = |bytes: &[u8]| (self.language.bytes)(&hex(bytes));
        fill(
            text,
            &[
                ("family", &bytes(cell.family.as_bytes())),
                ("qualifier", &cell.qualifier),
                ("timestamp", cell.timestamp.as_deref().unwrap_or_default()),
                ("value", cell.value.as_ref().unwrap_or(&cell.parameter)),
            ],
        )
    }

    /// The function of a row, and the code of its cells.
    fn row_of(&self, cells: &[WrittenCell], counted: bool) -> (&'static str, String) {
        let [one, between] = self.cell[usize::from(counted)];
        let row = self.row[usize::from(counted)];
        let joined = |cells: &[&WrittenCell]| {
            cells.iter().map(|cell| self.cell(one, cell)).collect::<Vec<_>>().join(between)
        };
        match self.stamped {
            StampedCells::Each(stamped) => {
                let of =
                    |cell: &WrittenCell| self.cell(cell.timestamp.as_ref().map_or(one, |_| stamped), cell);
                (row, cells.iter().map(of).collect::<Vec<_>>().join(between))
            }
            StampedCells::Together([row, request, with])
                if cells.iter().any(|cell| cell.timestamp.is_some()) =>
            {
                let mut times: Vec<&Option<String>> = Vec::new();
                for cell in cells {
                    if !times.contains(&&cell.timestamp) {
                        times.push(&cell.timestamp);
                    }
                }
                let requests = times.into_iter().map(|time| {
                    let all: Vec<&WrittenCell> =
                        cells.iter().filter(|cell| cell.timestamp == *time).collect();
                    let time = time.as_ref().map(|time| fill(with, &[("timestamp", time)]));
                    let time = time.unwrap_or_default();
                    fill(request, &[("cells", &joined(&all)), ("timestamp", &time)])
                });
                (row, requests.collect())
            }
            StampedCells::Together(_) => (row, joined(&cells.iter().collect::<Vec<_>>())),
        }
    }
}

/// A row in Java.
const JAVA_ROW: &str = "{note}    public static {type} {name}({parameters}) {
        return new {type}(rowKey({given})){cells};
    }
";

pub(super) static JAVA: WriterLanguage = WriterLanguage {
    language: &language::JAVA,
    frame: include_str!("languages/java-writer.frame"),
    row: [JAVA_ROW; 2],
    parameters: ["byte[] {}", "long {}"],
    cell: [["\n                .addColumn({family}, {qualifier}, {value})", ""]; 2],
    stamped: StampedCells::Each("\n                .addColumn({family}, {qualifier}, {timestamp}, {value})"),
    batch: "",
    note: "    // ",
};

/// A row in Scala.
const SCALA_ROW: &str = "{note}  def {name}({parameters}): {type} =
    new {type}(rowKey({given})){cells}
";

pub(super) static SCALA: WriterLanguage = WriterLanguage {
    language: &language::SCALA,
    frame: include_str!("languages/scala-writer.frame"),
    row: [SCALA_ROW; 2],
    parameters: ["{}: Array[Byte]", "{}: Long"],
    cell: [["\n      .addColumn({family}, {qualifier}, {value})", ""]; 2],
    stamped: StampedCells::Each("\n      .addColumn({family}, {qualifier}, {timestamp}, {value})"),
    batch: "",
    note: "  // ",
};

pub(super) static PYTHON: WriterLanguage = WriterLanguage {
    language: &language::PYTHON,
    frame: include_str!("languages/python-writer.frame"),
    row: [
        "{note}def put(rows, {parameters}):
    rows.put(row_key({given}), {{cells}})


",
        "{note}def increment(table, {parameters}):
    row = row_key({given})
{cells}    return row


",
    ],
    parameters: ["{}", "{}"],
    cell: [
        ["{family} + b\":\" + {qualifier}: {value}", ", "],
        ["    table.counter_inc(row, {family} + b\":\" + {qualifier}, {value})\n", ""],
    ],
    stamped: StampedCells::Together([
        "{note}# A batch of happybase has one timestamp for all its rows, so each row is a request.
def put(table, {parameters}):
    row = row_key({given})
{cells}

",
        "    table.put(row, {{cells}}{timestamp})\n",
        ", timestamp={timestamp}",
    ]),
    batch: "def batch(connection):
    \"\"\"Sends rows in batches: `with batch(connection) as rows:`.\"\"\"
    return connection.table(TABLE).batch(batch_size=1000)


",
    note: "# ",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_around_a_row_hide_no_primitive() {
        for writer in [&JAVA, &SCALA, &PYTHON] {
            for name in AROUND {
                assert!(!writer.language.is_taken(name), "{} has a {name}", writer.language.shown);
            }
        }
    }
}
