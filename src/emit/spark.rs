//! An expression of Spark SQL that makes a row key, where its functions do what the steps do.
//!
//! Values are not checked as the core checks them: one that a design refuses makes another key.

use super::Subject;
use super::language::{JAVASCRIPT, Language};
use super::lower::{Held, Writer};
use super::names;
use crate::error::Problem;

/// What each primitive is in Spark SQL; behind a name with a digit stands one of so many arguments.
const TEMPLATES: &[(&str, &str)] = &[
    ("utf8", "encode({0}, 'UTF-8')"),
    ("sized", "{0}"),
    ("sizedBytes", "{0}"),
    ("salted", "cast(floor(rand() * {1}) as bigint)"),
    ("reverse", "reverse({0})"),
    ("upper", "upper({0})"),
    ("lower", "lower({0})"),
    ("substring", "substring({0}, {1} + 1, {2} - {1})"),
    ("pad", "lpad({0}, {1}, {2})"),
    ("number", "cast({0} as bigint)"),
    ("plus", "({0} + {1})"),
    ("div", "({0} div {1})"),
    ("mod", "({0} % {1})"),
    ("floorMod", "pmod({0}, {1})"),
    ("floorDiv", "(({0} - pmod({0}, {1})) div {1})"),
    ("masked", "({0} & {1})"),
    ("absolute", "abs({0})"),
    ("reverseLong", "(9223372036854775807 - {0})"),
    ("natural", "{0}"),
    ("words", "element_at({1}, cast({0} as int) + 1)"),
    ("format", "date_format(timestamp_millis({0} + {2}), {1})"),
    ("truncate", "({0} - pmod({0} + {2}, {1}))"),
    ("within", "pmod({0} + {2}, {1})"),
    ("md5", "unhex(md5({0}))"),
    ("sha1", "unhex(sha1({0}))"),
    ("sha256", "unhex(sha2({0}, 256))"),
    ("crc32", "crc32({0})"),
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
    ("truth", "if({0}, {2}, {1})"),
];

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
    list: |items| format!("array({})", items.join(", ")),
    bytes: |digits| format!("X'{}'", digits.to_ascii_uppercase()),
    long: |number| match i32::try_from(number) {
        Ok(number) => number.to_string(),
        Err(_) => format!("{number}L"),
    },
    ..JAVASCRIPT
};

/// A text between single quotes, as Spark SQL reads it.
fn quoted(text: &str) -> String {
    let inner = names::quoted(text, false).replace("\\\"", "\"").replace('\'', "\\'");
    let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default();
    format!("'{inner}'")
}

fn call(name: &str, given: &[String]) -> Option<String> {
    match name {
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

/// The expression.
pub(super) fn expression(subject: &Subject<'_>) -> Result<String, Problem> {
    let Subject { study, design, .. } = subject;
    let column = |name: &str| format!("`{}`", name.replace('`', "``"));
    let parameters = study.fields.iter().map(|field| column(&field.name)).collect();
    let mut writer = Writer::new(&SPARK, &study.fields, parameters);
    let mut parts = Vec::new();
    for part in &design.typed.parts {
        parts.push(writer.expression(&part.expression)?);
    }
    if !writer.tables.is_empty() {
        return Err(Problem::new("emit.no-code").with("step", "lookup").with("language", SPARK.shown));
    }
    let text = parts.iter().all(|part| part.1 == Held::Text);
    let mut codes = Vec::new();
    for part in parts {
        codes.push(if text { part.0 } else { writer.bytes(part)? });
    }
    let whole = match codes.as_slice() {
        [only] => only.clone(),
        _ => format!("concat(\n  {})", codes.join(",\n  ")),
    };
    let whole = if text { writer.bytes((whole, Held::Text))? } else { whole };
    let formatted = whole.contains("date_format(");
    let zone = if formatted { "-- SET spark.sql.session.timeZone = 'UTC'\n" } else { "" };
    Ok(format!("-- {}\n{zone}{whole}\n", names::comment(&design.rowkey)))
}
