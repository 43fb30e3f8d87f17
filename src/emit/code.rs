//! The source file of a language: the function that makes a row key, the primitives it calls, test vectors.

use super::language::Language;
use super::lower::CodeWriter;
use super::names;
use super::subject::EmitSubject;
use super::vectors;
use crate::base::Problem;
use crate::bytes::sort::sort_distinct;
use crate::formula::steps::ArgumentValue;
use crate::formula::typed::{Expression, TypedFormula};
use crate::records::field::{Field, Kind};

/// Steps whose first argument is a number of buckets, where they lead the key.
const COUNTED: [&str; 5] = ["mod", "floorMod", "phoenixSalt", "hbasewdSalt", "opentsdbSalt"];

/// The bucket that leads a key, by its canonical text, with the number of buckets.
pub(super) fn bucket(typed: &TypedFormula) -> Option<(String, i64)> {
    let part = typed.parts.iter().find(|part| !matches!(part.expression, Expression::Literal(_)))?;
    let mut expression = &part.expression;
    while let Expression::Apply { input, step, arguments, text, .. } = expression {
        // Parts after a salt of the rest may contain buckets of their own.
        let named = !part.uses_rest || [step.name, "bucket"].iter().any(|name| part.text.contains(name));
        if let (true, Some(&ArgumentValue::Number(count))) =
            (named && COUNTED.contains(&step.name), arguments.first())
        {
            return i32::try_from(count).is_ok().then(|| (text.clone(), count));
        }
        expression = input;
    }
    None
}

/// A frame's gaps, filled.
pub(super) fn filled(frame: &str, gaps: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = frame;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        let gap = after
            .split_once("*/")
            .and_then(|(name, tail)| gaps.iter().find(|(known, _)| *known == name).map(|gap| (gap.1, tail)));
        match gap {
            Some((filling, tail)) => {
                text.push_str(filling);
                rest = tail;
            }
            // A comment of the frame.
            None => {
                text.push_str("/*");
                rest = after;
            }
        }
    }
    text + rest
}

/// A name for each field, none of which is a word of the language or a name of the code around it.
pub(super) fn parameters(
    fields: &[Field],
    language: &Language,
    around: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut parameters: Vec<String> = Vec::new();
    for field in fields {
        let taken = |name: &str| {
            language.is_taken(name) || around(name) || parameters.iter().any(|other| other == name)
        };
        parameters.push(names::parameter(&field.name, language.snaked, taken));
    }
    parameters
}

/// The declarations of the number of buckets and of lookup tables.
pub(super) fn tables(subject: &EmitSubject<'_>, writer: &CodeWriter<'_>) -> String {
    let language = writer.language;
    let buckets = writer.bucket.as_ref().map(|(_, count)| {
        let variable = language.text(&names::variable(&subject.design.name, "buckets"));
        language.buckets.replace("{name}", &variable).replace("{count}", &count.to_string())
    });
    let tables = writer.tables.iter().map(|(table, name)| {
        let [declaration, entry] = language.table;
        let entries = table.entries().iter().map(|(text, number)| {
            let entry = entry.replace("{table}", name).replace("{number}", &number.to_string());
            entry.replace("{text}", &language.text(text))
        });
        let entries: String = entries.collect();
        declaration.replace("{name}", name).replace("{entries}", &entries)
    });
    buckets.into_iter().chain(tables).collect()
}

/// The comment at the top: the formulas.
pub(super) fn head(subject: &EmitSubject<'_>, language: &Language) -> String {
    let design = subject.design;
    let comment = |text: &str| names::comment(language.comment, text);
    let mut head = comment(&format!("Row keys of the HBase table {}:", design.name));
    for (name, formula) in &design.lets {
        head += &comment(&format!("{name} = {formula}"));
    }
    head + &comment(&design.rowkey)
}

/// The file that makes row keys.
pub(super) fn source(subject: &EmitSubject<'_>, language: &Language) -> Result<String, Problem> {
    let class = names::class(&subject.design.name);
    framed(subject, language, (language.frame, &[]), |_, _| Ok(vec![("class", class)]))
}

/// The parameters of a row key: the fields that it is made of by index, and their names with those of the salts.
pub(super) struct KeyParameters {
    fields: Vec<usize>,
    pub given: Vec<String>,
}

impl KeyParameters {
    /// The parameters of a function that takes these fields, too, as it declares them.
    pub fn declared_with(&self, more: &[usize], writer: &CodeWriter<'_>) -> Vec<String> {
        let mut fields = [self.fields.as_slice(), more].concat();
        sort_distinct(&mut fields);
        let of_field = |index: &usize| {
            let (field, name) = (writer.fields.get(*index)?, writer.parameters.get(*index)?);
            Some(writer.language.parameter(field.kind, name))
        };
        let salts = writer.salts.iter().map(|(_, _, name)| writer.language.parameter(Kind::Integer, name));
        fields.iter().filter_map(of_field).chain(salts).collect()
    }
}

/// A file with the function that makes row keys in a frame, which has names of its own; `more` fills in its other gaps.
pub(super) fn framed(
    subject: &EmitSubject<'_>,
    language: &Language,
    (frame, names): (&str, &[&str]),
    more: impl FnOnce(&KeyParameters, &mut CodeWriter<'_>) -> Result<Vec<(&'static str, String)>, Problem>,
) -> Result<String, Problem> {
    let EmitSubject { study, design, .. } = subject;
    let mut used: Vec<usize> = design.typed.parts.iter().flat_map(|part| part.fields.clone()).collect();
    sort_distinct(&mut used);
    let mut writer = CodeWriter::new(
        language,
        &study.fields,
        parameters(&study.fields, language, |name| names.contains(&name)),
    );
    writer.bucket = bucket(&design.typed);
    let (parts, rest) = writer.parts(&design.typed)?;
    let [between, line, indent] = language.indents;
    let named = used.iter().filter_map(|&index| writer.parameters.get(index));
    let given = named.chain(writer.salts.iter().map(|(_, _, name)| name)).cloned().collect();
    let key = KeyParameters { fields: used.clone(), given };
    let declared = key.declared_with(&[], &writer);
    let vectors: String = vectors::vectors(subject, &used, &writer)
        .iter()
        .map(|(key, values)| {
            language.vector.replace("{key}", &names::hex(key)).replace("{values}", &values.join(between))
        })
        .collect();
    let more = more(&key, &mut writer)?;
    let written: Vec<&str> = more.iter().map(|(_, text)| text.as_str()).collect();
    let rest = rest.map(|rest| language.rest.replace("{}", &rest)).unwrap_or_default();
    let tables = tables(subject, &writer);
    let parts = parts.join(line);
    let all =
        [rest.as_str(), &parts, &vectors, &tables, frame, &declared.join(" "), &written.join(" ")].join("\n");
    let primitives: Vec<String> =
        language.used(&all).iter().map(|primitive| indented(primitive, indent)).collect();
    let primitives = primitives.join(if language.snaked { "\n\n\n" } else { "\n\n" });
    let imports = language.imported(&[all.as_str(), &primitives].join("\n"));
    let head = head(subject, language);
    let declared = declared.join(between);
    let mut gaps = vec![
        ("head", head.as_str()),
        ("imports", &imports),
        ("parameters", &declared),
        ("rest", &rest),
        ("parts", &parts),
        ("tables", &tables),
        ("primitives", &primitives),
        ("vectors", &vectors),
    ];
    gaps.extend(more.iter().map(|(name, text)| (*name, text.as_str())));
    Ok(filled(frame, &gaps))
}

pub(super) fn indented(primitive: &str, indent: &str) -> String {
    let lines: Vec<String> = primitive.lines().map(|line| format!("{indent}{line}")).collect();
    lines.join("\n")
}
