//! Reading JSON documents member by member, so that every refusal names its JSON path.

mod text;

pub use text::text;

use crate::base::limits::{DOCUMENT_BYTES, DOCUMENT_VALUES, Limit, NAME, NESTING};
use crate::base::nearest::nearest;
use crate::base::{Problem, Problems};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt;

/// Reads a JSON text in which no object names a member twice.
///
/// # Errors
/// `json.invalid` with line and column; `json.member-twice` with the path of every member given again; `limit.exceeded`.
pub fn parse(text: &str) -> Result<Value, Vec<Problem>> {
    DOCUMENT_BYTES.check(text.len()).map_err(|problem| vec![problem])?;
    let noted = RefCell::new(NotedInJson::default());
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict { path: String::new(), depth: 0, noted: &noted }
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value));
    let noted = noted.into_inner();
    let value = value.map_err(|error| {
        vec![noted.exceeded.unwrap_or_else(|| {
            let problem =
                Problem::new("json.invalid").with("line", error.line()).with("column", error.column());
            problem.with("error", error)
        })]
    })?;
    if noted.twice.is_empty() { Ok(value) } else { Err(noted.twice.into_told()) }
}

/// Notes taken while a text is read.
#[derive(Default)]
struct NotedInJson {
    /// Members given again.
    twice: Problems,
    values: u64,
    /// The limit that ended the reading.
    exceeded: Option<Problem>,
}

/// A value at a path; serde's own [`Value`] would keep the last of two members of one name and say nothing.
struct Strict<'a> {
    path: String,
    depth: usize,
    noted: &'a RefCell<NotedInJson>,
}

impl Strict<'_> {
    /// Counts a value; an error ends the reading where there are too many or they lie too deep.
    fn count<E: Error>(&self) -> Result<(), E> {
        let mut noted = self.noted.borrow_mut();
        noted.values += 1;
        let deep = NESTING.check(self.depth).map_err(|problem| problem.at_path(self.path.clone()));
        deep.and_then(|()| DOCUMENT_VALUES.check(noted.values as usize)).map_err(|problem| {
            noted.exceeded = Some(problem);
            E::custom("")
        })
    }

    /// A value within this one.
    fn within(&self, path: String) -> Self {
        Self { path, depth: self.depth + 1, noted: self.noted }
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.count()?;
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
        while let Some(value) = items.next_element_seed(self.within(item(&self.path, list.len())))? {
            list.push(value);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let path = member(&self.path, &name);
            if object.contains_key(&name) {
                let twice = || Problem::new("json.member-twice").with("name", &name).at_path(path.clone());
                self.noted.borrow_mut().twice.note(twice);
            }
            let value = members.next_value_seed(self.within(path))?;
            object.insert(name, value);
        }
        Ok(object.into())
    }
}

/// A struct from a JSON object. `serde` alone also takes a list of its members' values.
///
/// # Errors
/// Text that is no JSON, or no object; members that are wrong.
pub fn members<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text),
        false => members_of(serde_json::from_str(text)?),
    }
}

/// A struct from a JSON object that was parsed.
///
/// # Errors
/// Anything but an object; members that are wrong.
pub fn members_of<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, serde_json::Error> {
    match value {
        Value::Object(_) => serde_json::from_value(value),
        other => Err(serde::de::Error::custom(format_args!("{} is not an object", text(&other)))),
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

/// The expected kind of a value: the code of the words for it, and its bounds.
#[derive(Clone, Debug)]
pub struct Wanted {
    code: &'static str,
    bounds: Vec<(&'static str, String)>,
}

impl Wanted {
    /// A whole number within bounds.
    pub fn whole(least: i128, most: i128) -> Self {
        let bounds = vec![("least", least.to_string()), ("most", most.to_string())];
        Self { code: "json.whole-between", bounds }
    }

    /// A number above zero with an upper bound.
    pub fn up_to(most: f64) -> Self {
        Self { code: "json.up-to", bounds: vec![("most", most.to_string())] }
    }
}

impl From<&'static str> for Wanted {
    fn from(code: &'static str) -> Self {
        Self { code, bounds: Vec::new() }
    }
}

/// A value of another type than `wanted`, such as `json.text`.
pub fn wrong_type(path: &str, wanted: impl Into<Wanted>, found: &Value) -> Problem {
    let Wanted { code: wanted, bounds } = wanted.into();
    let mut shown = text(found);
    if let Some((cut, _)) = shown.char_indices().nth(60) {
        shown.truncate(cut);
        shown.push('…');
    }
    let code = if found.is_null() { "json.missing" } else { "json.wrong-type" };
    let problem = Problem::new(code).with("wanted", wanted).with("found", shown).at_path(path);
    bounds.into_iter().fold(problem, |problem, (name, value)| problem.with(name, value))
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
    pub fn open(value: &'a Value, path: &str, known: &[&str], problems: &mut Problems) -> Option<Self> {
        let Some(members) = value.as_object() else {
            problems.push(wrong_type(path, "json.object", value));
            return None;
        };
        for name in members.keys().filter(|name| !known.contains(&name.as_str())) {
            problems.note(|| unknown_member(path, name, known));
        }
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
    pub fn required(&self, name: &str, wanted: &'static str, problems: &mut Problems) -> Option<&'a Value> {
        let value = self.get(name);
        if value.is_none() {
            problems.push(wrong_type(&self.at(name), wanted, &Value::Null));
        }
        value
    }

    /// A member that is a text.
    pub fn text(&self, name: &str, problems: &mut Problems) -> Option<&'a str> {
        self.typed(name, "json.text", Value::as_str, problems)
    }

    /// A member that is a list.
    pub fn list(&self, name: &str, problems: &mut Problems) -> Option<&'a [Value]> {
        self.typed(name, "json.list", |value| value.as_array().map(Vec::as_slice), problems)
    }

    /// A member that is a list of no more than so many items.
    pub fn limited(&self, name: &str, limit: &Limit, problems: &mut Problems) -> Option<&'a [Value]> {
        let list = self.list(name, problems)?;
        self.within(name, limit, list.len(), problems).then_some(list)
    }

    /// True if a member has no more than so many of something.
    pub fn within(&self, name: &str, limit: &Limit, count: usize, problems: &mut Problems) -> bool {
        let checked = limit.check(count).map_err(|problem| problems.push(problem.at_path(self.at(name))));
        checked.is_ok()
    }

    /// A member that is a text of no more characters than a name has.
    pub fn name(&self, name: &str, problems: &mut Problems) -> Option<&'a str> {
        let text = self.text(name, problems)?;
        check_name(text).map_err(|problem| problems.push(problem.at_path(self.at(name)))).ok().map(|()| text)
    }

    /// A member that is a whole number from 1 on.
    pub fn count(&self, name: &str, problems: &mut Problems) -> Option<u32> {
        let count = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
        self.typed(name, Wanted::whole(1, 4294967295), count, problems)
    }

    /// A member of a type, when it is there.
    pub fn typed<T>(
        &self,
        name: &str,
        wanted: impl Into<Wanted>,
        read: impl Fn(&'a Value) -> Option<T>,
        problems: &mut Problems,
    ) -> Option<T> {
        let value = self.get(name)?;
        let typed = read(value);
        if typed.is_none() {
            problems.push(wrong_type(&self.at(name), wanted, value));
        }
        typed
    }
}

/// Refuses names that are longer than any is.
///
/// # Errors
/// `limit.exceeded`.
pub fn check_name(name: &str) -> Result<(), Problem> {
    // A text has no more characters than bytes.
    if name.len() as u64 <= NAME.most { Ok(()) } else { NAME.check(name.chars().count()) }
}

/// A member that is not known, with the known one it most likely means.
pub fn unknown_member(path: &str, name: &str, known: &[&str]) -> Problem {
    let near = nearest(name, known.iter().copied());
    Problem::new(if near.is_some() { "json.unknown-member-near" } else { "json.unknown-member" })
        .with("name", name)
        .with("nearest", near.unwrap_or_default())
        .with("known", known.join(", "))
        .at_path(member(path, name))
}
