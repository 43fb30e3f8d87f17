//! An expression of Spark SQL that makes a row key, where its functions do what the steps do: from Spark 3.3 on, in ANSI
//! mode or not. `npm run test:oracle` tries it in a real Spark.
//!
//! NULL has no key. Other values are not checked as the core checks them: one that a design refuses makes another key, or
//! fails in ANSI mode.

use super::language::{JAVASCRIPT, Language};
use super::lower::CodeWriter;
use super::names;
use super::primitives::CodeKind;
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::base::hidden::is_hidden;
use crate::design::Constant;
use crate::records::field::Kind;

/// Each primitive in Spark SQL; a digit after a name marks the form for so many arguments.
const TEMPLATES: &[(&str, &str)] = &[
    ("utf8", "encode({0}, 'UTF-8')"),
    ("sized", "{0}"),
    ("sizedBytes", "{0}"),
    ("salted", "cast(floor(rand() * {1}) as bigint)"),
    ("reverse", "reverse({0})"),
    ("upper", "upper({0})"),
    ("lower", "lower({0})"),
    // Characters are Java's, of 16 bits: Spark counts those beyond as one.
    ("substring", "decode(substring(encode({0}, 'UTF-16BE'), 2 * {1} + 1, 2 * ({2} - {1})), 'UTF-16BE')"),
    ("pad", "decode(lpad(encode({0}, 'UTF-16BE'), 2 * {1}, encode({2}, 'UTF-16BE')), 'UTF-16BE')"),
    ("number", "cast({0} as bigint)"),
    ("plus", "({0} + {1})"),
    ("div", "({0} div {1})"),
    ("mod", "({0} % {1})"),
    ("floorMod", "pmod({0}, {1})"),
    ("floorDiv", "(({0} - pmod({0}, {1})) div {1})"),
    ("masked", "({0} & {1})"),
    // The least number stays as it is, where abs fails in ANSI mode; of NULL and a number this is the number.
    ("absolute", "greatest({0}, try_subtract(0, {0}))"),
    ("absInt", "cast(greatest(cast({0} as int), try_subtract(0, cast({0} as int))) as bigint)"),
    ("reverseLong", "(9223372036854775807 - {0})"),
    ("natural", "{0}"),
    // element_at gives the last word for NULL in ANSI mode.
    ("words", "elt(cast({0} as int) + 1, {1})"),
    ("format", "date_format(timestamp_millis({0} + {2}), {1})"),
    ("truncate", "({0} - pmod({0} + {2}, {1}))"),
    ("within", "pmod({0} + {2}, {1})"),
    ("md5", "unhex(md5({0}))"),
    ("sha1", "unhex(sha1({0}))"),
    ("sha256", "unhex(sha2({0}, 256))"),
    ("crc32", "crc32({0})"),
    // Java's, of 32 bits with a sign: over the characters of 16 bits, and over bytes with a sign.
    (
        "javaHash",
        "aggregate(regexp_extract_all(hex(encode({0}, 'UTF-16BE')), '....', 0), 0L, \
         (hash, unit) -> ((hash * 31 + cast(conv(unit, 16, 10) as bigint)) & 4294967295), \
         hash -> (hash - if(hash > 2147483647, 4294967296, 0)))",
    ),
    (
        "bytesHash",
        "aggregate(regexp_extract_all(hex({0}), '..', 0), 1L, \
         (hash, unit) -> ((hash * 31 + (cast(conv(unit, 16, 10) as bigint) ^ 128) - 128) & 4294967295), \
         hash -> (hash - if(hash > 2147483647, 4294967296, 0)))",
    ),
    ("decimal1", "cast({0} as string)"),
    ("decimal2", "lpad(cast({0} as string), {1}, '0')"),
    ("stringBoolean", "cast({0} as string)"),
    ("hex1", "lower(hex({0}))"),
    ("hex2", "substring(lower(hex({0})), 1, {1})"),
    ("hexInteger", "lower(lpad(hex({0}), {1}, '0'))"),
    ("head", "substring({0}, 1, {1})"),
    ("fixed", "substring(unhex(lpad(hex({0}), 16, '0')), 9 - {1}, {1})"),
    ("unsigned", "substring(unhex(lpad(hex({0}), 16, '0')), 9 - {1}, {1})"),
    ("flipped", "substring(unhex(lpad(hex({0} ^ shiftleft(1L, 8 * {1} - 1)), 16, '0')), 9 - {1}, {1})"),
    ("noZero", "{0}"),
    ("full", "{0}"),
    ("padTo", "rpad({0}, {1}, X'00')"),
    ("padTail", "rpad({0}, {1}, X'00')"),
    ("padBlanks", "rpad({0}, {1}, X'20')"),
    ("prefix", "concat({1}, {0})"),
    ("append", "concat({0}, {1})"),
    // NULL is neither.
    ("truth", "case {0} when true then {2} when false then {1} end"),
];

/// Characters of a value that is not repeated.
const LONG: usize = 200;

static SPARK: Language = Language {
    shown: "Spark SQL",
    snaked: false,
    comment: "-- ",
    primitives: "",
    call: Some(call),
    frame: "",
    taken: ["{}", "cast({} as bigint)", "unix_millis({})", "{}", "{}", "{}", "{}"],
    reserved: "",
    imports: &[],
    quoted,
    list: |items| items.join(", "),
    bytes: |digits| format!("X'{}'", digits.to_ascii_uppercase()),
    long: |number| match i32::try_from(number) {
        Ok(number) => number.to_string(),
        Err(_) => format!("{number}L"),
    },
    ..JAVASCRIPT
};

/// A text between single quotes, as Spark SQL reads it.
fn quoted(text: &str) -> String {
    let literal = names::quoted(text, false);
    let inner = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    // Spark puts variables in place of ${…} before it reads the text.
    format!("'{}'", inner.replace('\'', "\\'").replace("${", "\\u0024{"))
}

/// True if Spark leaves out the other case: it reads lower(upper(x)) as lower(x), another text where capitals of ß are SS.
/// Hexadecimal digits are the same either way.
fn is_simplified(name: &str, given: &[String]) -> bool {
    let other = if name == "upper" { "lower(" } else { "upper(" };
    let inner = given.first().and_then(|value| value.strip_prefix(other));
    inner.is_some_and(|value| !value.starts_with("hex(") && !value.starts_with("lpad(hex("))
}

fn call(name: &str, given: &[String]) -> Option<String> {
    match name {
        "upper" | "lower" if is_simplified(name, given) => return None,
        "concat" => return Some(format!("concat({})", given.join(", "))),
        "added" => return Some(format!("({})", given.join(" + "))),
        "join" => {
            let (separator, parts) = given.split_first()?;
            let between = if separator == "''" { ", ".to_owned() } else { format!(", {separator}, ") };
            return Some(format!("concat({})", parts.join(&between)));
        }
        _ => {}
    }
    let counted = format!("{name}{}", given.len());
    let template = TEMPLATES.iter().find(|(known, _)| *known == name || *known == counted)?.1;
    // A long value that the text would repeat is named: steps that repeat what steps repeat grow without end.
    let value = given.first()?;
    if value.len() > LONG && template.matches("{0}").count() > 1 {
        let named = [&["v".to_owned()], given.get(1..)?].concat();
        return Some(format!("transform(array({value}), v -> {})[0]", call(name, &named)?));
    }
    let mut text = String::new();
    let mut rest = template;
    // Values may hold what looks like a gap.
    while let Some((before, after)) = rest.split_once('{') {
        let (place, tail) = after.split_once('}')?;
        text.push_str(before);
        text.push_str(given.get(place.parse::<usize>().ok()?)?);
        rest = tail;
    }
    Some(text + rest)
}

/// The fact that an expression is of one kind of records.
const OF_OTHER_KINDS: &str = "-- NULL for records of other kinds\n";

/// The condition that records of the kind meet, where the table is that of one kind.
fn of_kind(subject: &EmitSubject<'_>, writer: &CodeWriter<'_>) -> Option<String> {
    let kind = subject.design.of_kind.as_ref()?;
    let field = subject.study.fields.get(kind.telling.field)?;
    let column = SPARK.taken(field.kind, writer.parameters.get(kind.telling.field)?)?;
    let values = kind.values();
    let values = values.iter().map(|value| match (value, field.kind) {
        (Constant::Bytes(bytes), _) => SPARK.text(&String::from_utf8_lossy(bytes)),
        (Constant::Number(number), Kind::Boolean) => (*number != 0).to_string(),
        (Constant::Number(number), _) => SPARK.number(*number),
    });
    Some(format!("{column} in ({})", values.collect::<Vec<_>>().join(", ")))
}

/// The expression.
pub(super) fn expression(subject: &EmitSubject<'_>) -> Result<String, Problem> {
    let EmitSubject { study, design, .. } = subject;
    // Its shell reads these before it reads names: a line, the end of a statement, a variable.
    let is_odd = |name: &str| name.contains(|char| char == ';' || is_hidden(char)) || name.contains("${");
    let used = design.typed.fields().chain(design.of_kind.iter().map(|kind| kind.telling.field));
    let mut named = used.filter_map(|field| study.fields.get(field));
    if let Some(field) = named.find(|field| is_odd(&field.name)) {
        return Err(Problem::new("emit.no-code").with("step", &field.name).with("language", SPARK.shown));
    }
    let column = |name: &str| format!("`{}`", name.replace('`', "``"));
    let parameters = study.fields.iter().map(|field| column(&field.name)).collect();
    let mut writer = CodeWriter::new(&SPARK, &study.fields, parameters);
    let mut parts = Vec::new();
    for part in &design.typed.parts {
        parts.push(writer.expression(&part.expression)?);
    }
    let refused = |step: &str| Problem::new("emit.no-code").with("step", step).with("language", SPARK.shown);
    if !writer.tables.is_empty() {
        return Err(refused("lookup"));
    }
    let text = parts.iter().all(|part| part.1 == CodeKind::Text);
    let mut codes = Vec::new();
    for part in parts {
        codes.push(if text { part.0 } else { writer.bytes(part)? });
    }
    let whole = match codes.as_slice() {
        [only] => only.clone(),
        _ => format!("concat(\n  {})", codes.join(",\n  ")),
    };
    let whole = if text { writer.bytes((whole, CodeKind::Text))? } else { whole };
    // Each rand() is a number of its own, where a salt that stands twice is one.
    if whole.matches("floor(rand()").count() > writer.salts.len() {
        return Err(refused("salt"));
    }
    let formatted = whole.contains("date_format(");
    let zone = if formatted { "-- SET TIME ZONE 'UTC'\n" } else { "" };
    let (kind, whole) = match of_kind(subject, &writer) {
        Some(is) => (OF_OTHER_KINDS, format!("case when {is} then {whole} end")),
        None => ("", whole),
    };
    Ok(format!("{}{kind}{zone}{whole}\n", names::comment("-- ", &design.rowkey)))
}
