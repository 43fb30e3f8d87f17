//! Code that reads a table: for each query the ranges of its rows, for any values where they follow from them, and the rows.

mod languages;
mod query;
mod ranges;

pub(super) use languages::{JAVA, PYTHON, SCALA};

use self::languages::{LOOPS, ReaderLanguage};
use super::asked::{AskedQuery, queries};
use super::code::{bucket, filled, head, indented, parameters, tables};
use super::language::{self, calls};
use super::lower::{BUCKETS, CodeWriter};
use super::names;
use super::subject::EmitSubject;
use crate::base::Problem;

/// Names within the functions of a query.
const LOCALS: [&str; 4] = ["connection", "lead", "matching", "ranges"];

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

/// The file.
pub(super) fn source(subject: &EmitSubject<'_>, reader: &ReaderLanguage) -> Result<String, Problem> {
    let language = reader.language;
    let all = queries(subject)?;
    let fields = &subject.study.fields;
    let mut writer = CodeWriter::new(
        language,
        fields,
        parameters(fields, language, |name| [&LOCALS[..], &LOOPS, reader.own].concat().contains(&name)),
    );
    writer.bucket = bucket(&subject.design.typed);
    let names = query_names(&all, reader);
    let (mut functions, mut checks) = (String::new(), String::new());
    for (asked, name) in all.iter().zip(&names) {
        let code = query::code(asked, name, subject, reader, &mut writer)?;
        functions += &code.functions;
        checks += &code.check;
    }
    writer.bucket = writer.bucket.filter(|_| functions.contains(BUCKETS));
    let tables = tables(subject, &writer);
    let class = names::class_of(&subject.design.name, "Reader");
    let timed = !reader.during[0].is_empty() && all.iter().any(|asked| asked.times.is_some());
    let [timed, spanned] =
        reader.timed.map(|text| if timed { text.replace("/*class*/", &class) } else { String::new() });
    let called = |name: &str| language::calls(&functions).any(|word| word == name);
    let optional: String =
        reader.optional.iter().filter(|(name, _)| called(name)).map(|(_, text)| *text).collect();
    let code = [functions.as_str(), &checks, &tables, &optional, reader.frame].join("\n");
    let indent = language.indents[2];
    let primitives: Vec<String> =
        language.used(&code).iter().map(|primitive| indented(primitive, indent)).collect();
    let primitives = primitives.join(if language.snaked { "\n\n\n" } else { "\n\n" });
    let code = [code.as_str(), &primitives].join("\n");
    let imports = language::imported(language.all_imports(reader.imports), &code);
    let head = head(subject, language);
    Ok(filled(
        reader.frame,
        &[
            ("head", &head),
            ("imports", &imports),
            ("class", &class),
            ("timed", &timed),
            ("spanned", &spanned),
            ("table", &language.text(&subject.design.name)),
            ("tables", &tables),
            ("queries", &functions),
            ("optional", &optional),
            ("primitives", &primitives),
            ("vectors", &checks),
        ],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_names_hide_no_primitive() {
        for reader in [&JAVA, &SCALA, &PYTHON] {
            for name in LOCALS.iter().chain(&LOOPS) {
                assert!(!reader.language.is_taken(name), "{} has a {name}", reader.language.shown);
            }
        }
    }
}
