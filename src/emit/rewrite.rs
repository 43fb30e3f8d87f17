//! A job of MapReduce that copies the rows of a table to another under their new keys.
//!
//! HBase brings all it takes: no release of Spark has to fit one of HBase, and the tests run it within a real HBase.

use super::code::{filled, head, indented, parameters, tables};
use super::decoder::{DecodedKey, LENGTH, decoded};
use super::language::{self, DECODING_JAVA};
use super::lower::CodeWriter;
use super::names;
use super::stored::{StoredField, stored};
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::bytes::sort::sort_distinct;
use crate::compare::migrate::same_keys;
use crate::design::{Design, Family};
use crate::formula::typed::{Expression, TypedFormula};
use crate::records::field::Field;

const FRAME: &str = include_str!("languages/java-rewrite.frame");

/// Imports of jobs.
pub(super) const JOB_IMPORTS: &str = include_str!("languages/java-job.imports");

/// True for a name of the function that makes the new key, other than those of fields.
fn is_local(name: &str) -> bool {
    let counted = |word| name.strip_prefix(word).is_some_and(|rest: &str| rest.parse::<u32>().is_ok());
    matches!(name, "row" | "cells") || name == LENGTH || ["part", "end", "start"].into_iter().any(counted)
}

/// The fields of the new design, then those that only the old one has; and the indices of the old fields among them.
fn all_fields(old: &[Field], new: &[Field]) -> (Vec<Field>, Vec<usize>) {
    let mut all = new.to_vec();
    let mut places = Vec::new();
    for field in old {
        let at = new.iter().position(|other| other == field).unwrap_or_else(|| {
            all.push(field.clone());
            all.len() - 1
        });
        places.push(at);
    }
    (all, places)
}

/// The statements that read an old key, the parts of the new one, and the tables of lookups.
struct NewKey {
    statements: String,
    /// Methods that read fields from cells; empty where the old key tells all.
    stored: String,
    parts: String,
    tables: String,
}

fn new_key(from: &EmitSubject<'_>, to: &EmitSubject<'_>) -> Result<NewKey, Problem> {
    let language = &DECODING_JAVA;
    let (all, places) = all_fields(&from.study.fields, &to.study.fields);
    let names = parameters(&all, language, is_local);
    let of_old: Vec<String> = places.iter().filter_map(|&at| names.get(at)).cloned().collect();
    let mut reader = CodeWriter::new(language, &from.study.fields, of_old.clone());
    let old = decoded(&from.design.typed, &from.study.fields, &mut reader)?;
    let mut writer = CodeWriter::new(language, &to.study.fields, names);
    if from.study.fields == to.study.fields && from.study.lookups == to.study.lookups {
        let copied = old.copied.iter().map(|(text, code, kind)| ((*text).to_owned(), code.clone(), *kind));
        writer.copied = copied.collect();
    }
    let (mut declared, mut stored) = (String::new(), String::new());
    for field in missing(from, to, &old, &writer, (&places, &of_old))? {
        declared += &field.declared;
        stored += &field.method;
    }
    let (parts, rest) = writer.parts(&to.design.typed)?;
    let rest = rest.map(|rest| language.rest.replace("{}", &rest)).unwrap_or_default();
    Ok(NewKey {
        statements: old.code + &declared + &rest,
        stored,
        parts: parts.join(language.indents[1]),
        tables: tables(to, &writer),
    })
}

/// The fields that the new key needs and the old one does not tell, each from a cell.
fn missing(
    from: &EmitSubject<'_>,
    to: &EmitSubject<'_>,
    old: &DecodedKey<'_>,
    writer: &CodeWriter<'_>,
    (places, names): (&[usize], &[String]),
) -> Result<Vec<StoredField>, Problem> {
    let (mut needed, mut fields) = (Vec::new(), Vec::new());
    for part in &to.design.typed.parts {
        if part.expression.is_random() {
            return Err(Problem::new("emit.random-key"));
        }
        needs(&part.expression, writer, &mut needed);
    }
    sort_distinct(&mut needed);
    for index in needed {
        let before = places.iter().position(|&at| at == index);
        if before.is_some_and(|before| old.known.contains(&before)) {
            continue;
        }
        let cell = before.and_then(|before| stored(from, to.design, (before, names), writer.language));
        if let Some(cell) = cell {
            fields.push(cell);
            continue;
        }
        let name = to.study.fields.get(index).map(|field| field.name.as_str()).unwrap_or_default();
        return Err(Problem::new("emit.underivable").with("field", name));
    }
    Ok(fields)
}

/// The fields that a value is made of, except where it is copied whole.
fn needs(expression: &Expression, writer: &CodeWriter<'_>, fields: &mut Vec<usize>) {
    match expression {
        Expression::Apply { text, .. } if writer.copied.iter().any(|(known, ..)| known == text) => {}
        Expression::Field { index, .. } => fields.push(*index),
        _ => expression.inputs().iter().for_each(|input| needs(input, writer, fields)),
    }
}

/// A method of this name that is true of the rows that one of these row keys can have made. One whose ends cannot be found in rows is
/// left out: its rows are rejected, not skipped.
fn fits(name: &str, keys: &[&TypedFormula], fields: &[Field]) -> String {
    let language = &DECODING_JAVA;
    let (mut methods, mut tries) = (String::new(), String::new());
    for (index, key) in keys.iter().enumerate() {
        let mut writer = CodeWriter::new(language, fields, parameters(fields, language, is_local));
        let Ok(read) = decoded(key, fields, &mut writer) else { continue };
        methods += &format!("    private static void {name}{index}(byte[] row) {{\n{}    }}\n\n", read.code);
        tries += &format!(
            "        try {{
            {name}{index}(row);
            return true;
        }} catch (IllegalArgumentException none) {{
            // Not of this key.
        }}
"
        );
    }
    format!(
        "    private static boolean {name}(byte[] row) {{\n{tries}        return false;\n    }}\n\n{methods}"
    )
}

/// The code that leaves rows of other kinds alone, where a table is that of one kind.
#[derive(Default)]
struct OtherKinds {
    methods: String,
    counter: &'static str,
    /// In the copy, before the new key is made; in the same place where it throws; behind the job.
    copy: [&'static str; 3],
    /// In the comparison of the old table and the new one, which may hold other kinds, too.
    compare: String,
}

fn other_kinds(from: &EmitSubject<'_>, to: &EmitSubject<'_>) -> OtherKinds {
    let mut code = OtherKinds::default();
    for (is_old, of) in [(true, from), (false, to)] {
        let Some(kind) = &of.design.of_kind else { continue };
        let [own, other] = if is_old { ["isOwnKey", "isOtherKey"] } else { ["isOwnNewKey", "isOtherNewKey"] };
        code.methods += &fits(own, &[&of.design.typed], &of.study.fields);
        code.methods += &fits(other, &kind.others.iter().collect::<Vec<_>>(), &of.study.fields);
        let old = if is_old { "old" } else { "!old" };
        code.compare += &format!("            if ({old} && !{own}(key) && {other}(key)) return;\n");
        if is_old {
            code.counter = ", OF_OTHER_KINDS";
            code.copy = COPY_OF_ONE_KIND;
        }
    }
    code
}

const COPY_OF_ONE_KIND: [&str; 3] = [
    "            boolean other = isOtherKey(row.copyBytes());
            if (other && !isOwnKey(row.copyBytes())) {
                context.getCounter(Rows.OF_OTHER_KINDS).increment(1);
                return;
            }
",
    "                if (other) throw refused(\"a row that records of several kinds can have made\");
",
    "        long skipped = job.getCounters().findCounter(Rows.OF_OTHER_KINDS).getValue();
        System.err.println(skipped + \" rows of other kinds were skipped\");
",
];

/// The families that both designs name; all where one names none.
fn families<'a>(old: &'a Design, new: &'a Design) -> Vec<(&'a Family, &'a Family)> {
    let pair =
        |family: &'a Family| Some((family, new.families.iter().find(|other| other.name == family.name)?));
    old.families.iter().filter_map(pair).collect()
}

/// The class.
///
/// # Errors
/// The same table or key; a field that the old key does not tell, by name.
pub(super) fn source(from: &EmitSubject<'_>, to: &EmitSubject<'_>) -> Result<String, Problem> {
    if same_keys((from.study, from.design), (to.study, to.design)) {
        return Err(Problem::new("emit.same-keys"));
    }
    if from.design.name == to.design.name {
        return Err(Problem::new("emit.one-table").with("name", &from.design.name));
    }
    let language = &DECODING_JAVA;
    let key = new_key(from, to)?;
    let kept = families(from.design, to.design);
    let only: String = kept
        .iter()
        .map(|(family, _)| format!(".addFamily(Bytes.toBytes({}))", language.text(&family.name)))
        .collect();
    let versions =
        kept.iter().map(|(old, new)| old.versions.min(new.versions)).min().unwrap_or(1).to_string();
    let [from_name, to_name] = [from, to].map(|one| language.text(&one.design.name));
    let class = names::class_of(&to.design.name, "Rewrite");
    let [taken, given] = match key.stored.is_empty() {
        true => ["", ""],
        false => [", Result cells", ", result"],
    };
    let kinds = other_kinds(from, to);
    let [other, unclear, told] = kinds.copy;
    let refusing = [kinds.methods.as_str(), unclear].concat();
    let code = [key.statements.as_str(), &key.parts, &key.tables, &key.stored, &refusing, FRAME].join("\n");
    let primitives: Vec<String> =
        language.used(&code).iter().map(|primitive| indented(primitive, language.indents[2])).collect();
    let primitives = primitives.join("\n\n");
    let code = [code.as_str(), &primitives].join("\n");
    let imports = language::imported(language.all_imports(JOB_IMPORTS), &code);
    let head = head(to, language);
    Ok(filled(
        FRAME,
        &[
            ("head", &head),
            ("imports", &imports),
            ("class", &class),
            ("from", &from_name),
            ("to", &to_name),
            ("tables", &key.tables),
            ("stored", &key.stored),
            ("kinds", &kinds.methods),
            ("counter", kinds.counter),
            ("other", other),
            ("unclear", unclear),
            ("told", told),
            ("skipped", &kinds.compare),
            ("taken", taken),
            ("given", given),
            ("cuts", &key.statements),
            ("parts", &key.parts),
            ("families", &only),
            ("versions", &versions),
            ("primitives", &primitives),
        ],
    ))
}
