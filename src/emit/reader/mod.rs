//! Code that reads a table: for each query the ranges of its rows, for any values where they follow from them, and the rows.

mod languages;
mod query;
mod ranges;

pub(super) use languages::{JAVA, PYTHON};

use super::asked::{AskedQuery, queries};
use super::code::{filled, head, indented, parameters, tables};
use super::language::{self, Language, calls};
use super::lower::CodeWriter;
use super::names;
use super::subject::EmitSubject;
use crate::base::Problem;

/// Names within the functions of a query.
const LOCALS: [&str; 4] = ["connection", "matching", "prefix", "ranges"];
/// Names of its loops over bytes: a plan has at most 4,096 ranges, and each loop at least doubles them.
const LOOPS: [&str; 12] = [
    "each1", "each2", "each3", "each4", "each5", "each6", "each7", "each8", "each9", "each10", "each11",
    "each12",
];

/// A language that reads a table, and how it says what all readers say.
pub(super) struct ReaderLanguage {
    language: &'static Language,
    frame: &'static str,
    /// A list of values of each kind as a parameter, in the order of [`Kind::ALL`]; `{}` is replaced by its name.
    lists: [&'static str; 7],
    /// A list of values, of `{}`.
    list: &'static str,
    /// The function of the ranges; `{doc}`, `{ranges}` for its name, `{parameters}` and `{body}` are filled in.
    ranges: &'static str,
    /// The function of the rows; also its `{name}`, `{read}`, and `{given}` for the parameters of the ranges.
    rows: &'static str,
    /// The same for rows that are named.
    named: &'static str,
    /// The parameter of a test of rows.
    matching: &'static str,
    /// Leaves a function of ranges where a range of times, or of numbers, is empty: `{from}`, `{to}`.
    empty: [&'static str; 2],
    /// The last time, or number, of a range: `{last}`, `{to}`.
    last: [&'static str; 2],
    /// Rejects values below the `{least}` of a range: `{from}`, as the primitives take it.
    least: &'static str,
    /// Opens a loop over bytes, `{name}` in `{values}`; one over a list `{list}` of a declared `{value}`; and closes them.
    loops: [&'static str; 3],
    /// Adds the `{range}` of a prefix of `{parts}`.
    add: &'static str,
    /// A range from bytes to bytes, by their digits: `{start}`, `{stop}`, `{skipped}`.
    constant: &'static str,
    /// A fuzzy filter of a range: `{key}` and `{mask}`; empty where there is none.
    only: &'static str,
    /// A filter of all ranges, of `{pairs}` of `{key}` and `{mask}`; and by a `{pattern}`.
    filters: [&'static str; 3],
    /// Bytes of one value, `{value}`, `{length}` of them.
    filled: &'static str,
    /// How rows are read: sorted, reversed, from the last range, merged, at most `{limit}`, by a test.
    reading: [&'static str; 6],
    /// A test of the ranges: `{query}`, `{ranges}`, `{expected}`.
    check: &'static str,
    /// A `{line}` of a comment.
    comment: &'static str,
    imports: &'static [(&'static str, &'static str)],
}

/// A name for each query, in the style of the language: none that the frame has.
fn query_names(all: &[AskedQuery<'_>], reader: &ReaderLanguage) -> Vec<String> {
    let language = reader.language;
    let mut names: Vec<String> = Vec::new();
    for asked in all {
        let taken = |name: &str| {
            let ranges = |of: &str| reader.ranges_name(of);
            let meets = |other: &String| other == name || ranges(other) == name || *other == ranges(name);
            language.is_taken(name) || calls(reader.frame).any(|word| word == name) || names.iter().any(meets)
        };
        let words = asked.name.replace(|char: char| !char.is_alphanumeric(), " ");
        names.push(names::parameter(&words, language.snaked, taken));
    }
    names
}

impl ReaderLanguage {
    /// Steps that a function's body is indented by.
    fn depth(&self) -> usize {
        1 + usize::from(!self.language.snaked)
    }

    /// The name of the function of a query's ranges.
    fn ranges_name(&self, query: &str) -> String {
        if self.language.snaked { format!("{query}_ranges") } else { format!("{query}Ranges") }
    }
}

/// The file.
pub(super) fn source(subject: &EmitSubject<'_>, reader: &ReaderLanguage) -> Result<String, Problem> {
    let language = reader.language;
    let all = queries(subject)?;
    let fields = &subject.study.fields;
    let mut writer = CodeWriter::new(
        language,
        fields,
        parameters(fields, language, |name| LOCALS.contains(&name) || LOOPS.contains(&name)),
    );
    let names = query_names(&all, reader);
    let (mut functions, mut checks) = (String::new(), String::new());
    for (asked, name) in all.iter().zip(&names) {
        let code = query::code(asked, name, subject, reader, &mut writer)?;
        functions += &code.functions;
        checks += &code.check;
    }
    let tables = tables(subject, &writer);
    let code = [functions.as_str(), &checks, &tables, reader.frame].join("\n");
    let indent = language.indents[2];
    let primitives: Vec<String> =
        language.used(&code).iter().map(|primitive| indented(primitive, indent)).collect();
    let primitives = primitives.join(if language.snaked { "\n\n\n" } else { "\n\n" });
    let code = [code.as_str(), &primitives].join("\n");
    let imports = language::imported(language.imports.iter().chain(reader.imports), &code);
    let head = head(subject, language);
    Ok(filled(
        reader.frame,
        &[
            ("head", &head),
            ("imports", &imports),
            ("class", &names::class_of(&subject.design.name, "Reader")),
            ("table", &language.text(&subject.design.name)),
            ("tables", &tables),
            ("queries", &functions),
            ("primitives", &primitives),
            ("vectors", &checks),
        ],
    ))
}
