//! Reading JSON documents member by member, so that every refusal names its JSON path.

mod text;

pub use text::text;

use crate::base::Problem;
use crate::base::nearest::nearest;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt;

/// Reads a JSON text in which no object names a member twice.
///
/// # Errors
/// `json.invalid` with line and column; `json.member-twice` with the path of every member given again.
pub fn parse(text: &str) -> Result<Value, Vec<Problem>> {
    let twice = RefCell::new(Vec::new());
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict { path: String::new(), twice: &twice }
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| {
            let problem =
                Problem::new("json.invalid").with("line", error.line()).with("column", error.column());
            vec![problem.with("error", error)]
        })?;
    let twice = twice.into_inner();
    if twice.is_empty() { Ok(value) } else { Err(twice) }
}

/// A value at a path; serde's own [`Value`] would keep the last of two members of one name and say nothing.
struct Strict<'a> {
    path: String,
    twice: &'a RefCell<Vec<Problem>>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) =
            items.next_element_seed(Strict { path: item(&self.path, list.len()), twice: self.twice })?
        {
            list.push(value);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let path = member(&self.path, &name);
            if object.contains_key(&name) {
                self.twice
                    .borrow_mut()
                    .push(Problem::new("json.member-twice").with("name", &name).at_path(path.clone()));
            }
            let value = members.next_value_seed(Strict { path, twice: self.twice })?;
            object.insert(name, value);
        }
        Ok(object.into())
    }
}

/// The path of a member: `table.name`, or `["a b"]` for names that are not plain.
pub fn member(path: &str, name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || "_-".contains(char));
    match (plain, path.is_empty()) {
        (true, true) => name.to_owned(),
        (true, false) => format!("{path}.{name}"),
        (false, _) => format!("{path}[{}]", text(name)),
    }
}

/// The path of an item of a list: `fields[2]`.
pub fn item(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// A value of another type than `wanted`, such as `a text`.
pub fn wrong_type(path: &str, wanted: &str, found: &Value) -> Problem {
    let mut shown = text(found);
    if let Some((cut, _)) = shown.char_indices().nth(60) {
        shown.truncate(cut);
        shown.push('…');
    }
    let code = if found.is_null() { "json.missing" } else { "json.wrong-type" };
    Problem::new(code).with("wanted", wanted).with("found", shown).at_path(path)
}

/// An object at a path. Problems are collected, so that a person sees all of them at once.
pub struct Object<'a> {
    /// Its members.
    pub members: &'a Map<String, Value>,
    /// Its path.
    pub path: String,
}

impl<'a> Object<'a> {
    /// The object `value`, which may have these members and no others.
    pub fn open(value: &'a Value, path: &str, known: &[&str], problems: &mut Vec<Problem>) -> Option<Self> {
        let Some(members) = value.as_object() else {
            problems.push(wrong_type(path, "an object", value));
            return None;
        };
        let unknown = members.keys().filter(|name| !known.contains(&name.as_str()));
        problems.extend(unknown.map(|name| unknown_member(path, name, known)));
        Some(Self { members, path: path.to_owned() })
    }

    /// The member of that name.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name)
    }

    /// The path of a member.
    pub fn at(&self, name: &str) -> String {
        member(&self.path, name)
    }

    /// A member that must be there.
    pub fn required(&self, name: &str, wanted: &str, problems: &mut Vec<Problem>) -> Option<&'a Value> {
        let value = self.get(name);
        if value.is_none() {
            problems.push(wrong_type(&self.at(name), wanted, &Value::Null));
        }
        value
    }

    /// A member that is a text.
    pub fn text(&self, name: &str, problems: &mut Vec<Problem>) -> Option<&'a str> {
        self.typed(name, "a text", Value::as_str, problems)
    }

    /// A member that is a list.
    pub fn list(&self, name: &str, problems: &mut Vec<Problem>) -> Option<&'a [Value]> {
        self.typed(name, "a list", |value| value.as_array().map(Vec::as_slice), problems)
    }

    /// A member that is a whole number from 1 on.
    pub fn count(&self, name: &str, problems: &mut Vec<Problem>) -> Option<u32> {
        let count = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
        self.typed(name, "a whole number from 1 to 4294967295", count, problems)
    }

    /// A member of a type, when it is there.
    pub fn typed<T>(
        &self,
        name: &str,
        wanted: &str,
        read: impl Fn(&'a Value) -> Option<T>,
        problems: &mut Vec<Problem>,
    ) -> Option<T> {
        let value = self.get(name)?;
        let typed = read(value);
        if typed.is_none() {
            problems.push(wrong_type(&self.at(name), wanted, value));
        }
        typed
    }
}

/// Members that the design document will have and this version does not read yet.
const PLANNED: [&str; 2] = ["kinds", "when"];

/// True if a member is planned for the design document, and so no slip of the pen.
pub fn is_planned(name: &str) -> bool {
    PLANNED.contains(&name)
}

/// A member that is not known, with the known one it most likely means.
pub fn unknown_member(path: &str, name: &str, known: &[&str]) -> Problem {
    if is_planned(name) {
        return Problem::new("design.not-yet").with("name", name).at_path(member(path, name));
    }
    let near = nearest(name, known.iter().copied());
    Problem::new(if near.is_some() { "json.unknown-member-near" } else { "json.unknown-member" })
        .with("name", name)
        .with("nearest", near.unwrap_or_default())
        .with("known", known.join(", "))
        .at_path(member(path, name))
}
