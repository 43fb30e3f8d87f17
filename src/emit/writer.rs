//! Code that writes a table: the row of a record with its cells.

use super::code::{KeyParameters, framed};
use super::language::{self, Language};
use super::names::{self, fill, hex};
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::design::{Design, WriteKind};

/// Names of the code around the parameters.
const AROUND: [&str; 7] = ["put", "increment", "connection", "batch", "rows", "table", "row"];

/// A language that writes a table.
pub(super) struct WriterLanguage {
    language: &'static Language,
    frame: &'static str,
    /// The function of a row that is put, or whose counters are incremented: `{name}`, `{type}`, `{parameters}`, `{given}`, `{cells}` and, where the design names no cells,
    /// `{note}`.
    row: [&'static str; 2],
    /// A parameter of a cell that is put, or of a counter that is incremented.
    parameters: [&'static str; 2],
    /// A cell of each: `{family}` and `{qualifier}` as digits, and `{value}`; and what stands between two.
    cell: [[&'static str; 2]; 2],
    /// A `{line}` of a comment.
    note: &'static str,
}

/// A cell of a row, and the parameter that its value is.
struct WrittenCell {
    family: String,
    qualifier: Vec<u8>,
    parameter: String,
}

fn cells(design: &Design, language: &Language, taken: &[String]) -> Vec<WrittenCell> {
    let mut cells: Vec<WrittenCell> = Vec::new();
    for family in &design.families {
        for cell in &family.cells {
            let qualifier = cell.qualifier.bytes().unwrap_or_default();
            let words = format!("{} {}", family.name, String::from_utf8_lossy(&qualifier));
            let is_taken = |name: &str| {
                language.is_taken(name)
                    || AROUND.contains(&name)
                    || taken.iter().chain(cells.iter().map(|cell| &cell.parameter)).any(|other| other == name)
            };
            let parameter = names::parameter(&words, language.snaked, is_taken);
            cells.push(WrittenCell { family: family.name.clone(), qualifier, parameter });
        }
    }
    cells
}

/// The file.
pub(super) fn source(subject: &EmitSubject<'_>, writer: &WriterLanguage) -> Result<String, Problem> {
    let (design, language) = (subject.design, writer.language);
    let mut all = design.families.iter().flat_map(|family| &family.cells);
    if let Some(cell) = all.find(|cell| cell.has_formula()) {
        return Err(Problem::new("emit.cell-formula").with("cell", &cell.qualifier));
    }
    let counted = design.writes == WriteKind::Counter;
    let (name, kind) = if counted { ("increment", "Increment") } else { ("put", "Put") };
    framed(subject, language, (writer.frame, &AROUND), |key: &KeyParameters| {
        let cells = cells(design, language, &key.given);
        let of = |cell: &WrittenCell| writer.parameters[usize::from(counted)].replace("{}", &cell.parameter);
        let mut declared = key.declared.clone();
        declared.extend(cells.iter().map(of));
        let [one, between] = writer.cell[usize::from(counted)];
        let cell = |cell: &WrittenCell| {
            let [family, qualifier] = [hex(cell.family.as_bytes()), hex(&cell.qualifier)];
            fill(one, &[("family", &family), ("qualifier", &qualifier), ("value", &cell.parameter)])
        };
        let written: Vec<String> = cells.iter().map(cell).collect();
        let note = fill(writer.note, &[("line", "The design names no cells: add them to the row.")]);
        let row = fill(
            writer.row[usize::from(counted)],
            &[
                ("note", if cells.is_empty() { &note } else { "" }),
                ("type", kind),
                ("name", name),
                ("parameters", &declared.join(", ")),
                ("given", &key.given.join(", ")),
                ("cells", &written.join(between)),
            ],
        );
        vec![
            ("class", names::class_of(&design.name, "Writer")),
            ("table", language.text(&design.name)),
            ("mutation", kind.to_owned()),
            ("write", row),
        ]
    })
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
    cell: [["\n                .addColumn(bytes(\"{family}\"), bytes(\"{qualifier}\"), {value})", ""]; 2],
    note: "    // {line}\n",
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
        ["bytes.fromhex(\"{family}\") + b\":\" + bytes.fromhex(\"{qualifier}\"): {value}", ", "],
        [
            "    table.counter_inc(row, bytes.fromhex(\"{family}\") + b\":\" + bytes.fromhex(\"{qualifier}\"), {value})\n",
            "",
        ],
    ],
    note: "# {line}\n",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_around_a_row_hide_no_primitive() {
        for writer in [&JAVA, &PYTHON] {
            for name in AROUND {
                assert!(!writer.language.is_taken(name), "{} has a {name}", writer.language.shown);
            }
        }
    }
}
