//! The `fields` of a document.

use crate::base::json::{Object, Wanted, check_name, item};
use crate::base::limits::{FIELD_COLUMNS, FIELDS};
use crate::base::nearest::nearest;
use crate::base::{Problem, Problems};
use crate::bytes::row;
use crate::formula::unknown_field;
use crate::records::field::read::FieldReading;
use crate::records::field::time::zone_offset;
use crate::records::field::{Field, Kind};
use serde_json::Value;
use std::collections::HashSet;

/// The declared fields; `None` when they cannot be relied on because something is wrong with one.
pub(super) fn read(document: &Object<'_>, problems: &mut Problems) -> Option<Vec<Field>> {
    let before = problems.len();
    document.required("fields", "json.list", problems);
    let list = document.limited("fields", &FIELDS, problems)?;
    if list.is_empty() {
        problems.push(Problem::new("design.no-fields").at_path("fields"));
    }
    let mut fields = Vec::new();
    let mut names = HashSet::new();
    for (index, value) in list.iter().enumerate() {
        let path = item("fields", index);
        let Some(field) = read_field(value, &path, problems) else { continue };
        if !names.insert(field.name.clone()) {
            let twice = || Problem::new("design.field-twice").with("name", &field.name);
            problems.note(|| twice().at_path(format!("{path}.name")));
        }
        fields.push(field);
    }
    (problems.len() == before).then_some(fields)
}

fn read_field(value: &Value, path: &str, problems: &mut Problems) -> Option<Field> {
    let object = Object::open(
        value,
        path,
        &["name", "type", "format", "zone", "width", "from", "nullable"],
        problems,
    )?;
    object.required("name", "json.text", problems);
    object.required("type", "json.text", problems);
    let name = object.name("name", problems);
    let kind = object.text("type", problems).and_then(|kind| read_kind(&object, kind, problems));
    let format = object.text("format", problems).map(str::to_owned);
    let zone = object.text("zone", problems).map(str::to_owned);
    let width = object.typed("width", Wanted::whole(1, 32767), width, problems);
    let from = object.typed("from", "json.columns", columns, problems);
    let from = from.filter(|from| object.within("from", &FIELD_COLUMNS, from.len(), problems));
    for column in from.iter().flatten() {
        problems.extend(check_name(column).err().map(|problem| problem.at_path(object.at("from"))));
    }
    let from = from.unwrap_or_default();
    let nullable = object.typed("nullable", "json.boolean", Value::as_bool, problems).unwrap_or_default();
    let field = Field { name: name?.to_owned(), kind: kind?, format, zone, width, from, nullable };
    if field.name.is_empty() {
        problems.push(Problem::new("design.empty-name").at_path(object.at("name")));
    }
    check_notation(&object, &field, problems);
    Some(field)
}

/// The `identity` of a document; its names are looked for among `fields` when those are sound.
pub(super) fn identity(
    document: &Object<'_>,
    fields: Option<&[Field]>,
    problems: &mut Problems,
) -> Vec<String> {
    let names = document.typed("identity", "json.columns", columns, problems).unwrap_or_default();
    let is_known = |name: &String| fields.is_none_or(|of| of.iter().any(|field| field.name == *name));
    if let Some((index, name)) = names.iter().enumerate().find(|(_, name)| !is_known(name)) {
        let unknown = unknown_field(name, fields.unwrap_or_default());
        problems.push(unknown.at_path(item("identity", index)));
    }
    names
}

/// The length of a row key at most.
fn width(value: &Value) -> Option<u32> {
    let width = usize::try_from(value.as_u64()?).ok()?;
    row::check_length(width).ok().map(|()| width as u32)
}

/// Names of columns, at least one, none twice.
fn columns(value: &Value) -> Option<Vec<String>> {
    let mut known = HashSet::new();
    let name = |value: &Value| value.as_str().filter(|name| !name.is_empty()).map(str::to_owned);
    let names: Vec<String> = value.as_array()?.iter().map(name).collect::<Option<_>>()?;
    (!names.is_empty() && names.iter().all(|name| known.insert(name))).then_some(names)
}

fn read_kind(object: &Object<'_>, kind: &str, problems: &mut Problems) -> Option<Kind> {
    let found = Kind::ALL.into_iter().find(|known| known.name() == kind);
    if found.is_none() {
        let known = Kind::ALL.map(Kind::name);
        problems.push(
            Problem::new("design.unknown-type")
                .with("name", kind)
                .with("nearest", nearest(kind, known).unwrap_or(Kind::Text.name()))
                .with("known", known.join(", "))
                .at_path(object.at("type")),
        );
    }
    found
}

/// A format and a zone only where they mean something, and such as can be read.
fn check_notation(object: &Object<'_>, field: &Field, problems: &mut Problems) {
    let has_format = matches!(field.kind, Kind::Time | Kind::Bytes);
    let has_width = matches!(field.kind, Kind::Text | Kind::Bytes);
    // NULL has no bytes: numbers have none that mean it, nor have values of one width.
    let has_null = !field.kind.is_fixed() && field.width.is_none() && field.format.as_deref() != Some("uuid");
    let unused = [
        ("format", has_format),
        ("zone", field.kind == Kind::Time),
        ("width", has_width),
        ("nullable", has_null || !field.nullable),
    ];
    for (name, _) in unused.iter().filter(|(name, used)| !used && object.get(name).is_some()) {
        problems.push(
            Problem::new("design.unused-notation")
                .with("name", name)
                .with("kind", field.kind.name())
                .at_path(object.at(name)),
        );
    }
    if field.kind == Kind::Time
        && let Err(problem) = zone_offset(field.zone.as_deref())
    {
        problems.push(problem.at_path(object.at("zone")));
    } else if has_format && let Err(problem) = FieldReading::new(field) {
        let (column, end) = (problem.place.column, problem.place.end);
        let mut at = Problem { place: Default::default(), ..problem }.at_path(object.at("format"));
        if column.is_some() && end.is_some() {
            (at.place.column, at.place.end) = (column, end);
        }
        problems.push(at);
    }
}
