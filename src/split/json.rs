//! Splits in the design document.

use super::{ALGORITHMS, Algorithm, Splits, region};
use crate::Problem;
use crate::json::{is_planned, item, member, unknown_member, wrong_type};
use crate::row::{from_string_binary, to_string_binary};
use serde_json::{Map, Value, json};

/// The three ways to write splits, by the member that tells them apart, and the members each may have.
const FORMS: [(&str, &[&str]); 3] = [
    ("points", &["points"]),
    ("algorithm", &["algorithm", "regions", "first", "last"]),
    ("between", &["between", "regions"]),
];

impl Splits {
    /// Reads the `splits` member of a design document given by itself as JSON text.
    pub fn from_text(json: &str) -> Result<Self, Problem> {
        let value = serde_json::from_str(json)
            .map_err(|error| Problem::new("json.invalid").with("error", error).at_path("splits"))?;
        Self::from_json(&value, "splits")
    }

    /// Reads the `splits` member of a design document, which stands at `path`.
    pub fn from_json(value: &Value, path: &str) -> Result<Self, Problem> {
        let Some(object) = value.as_object() else { return Err(wrong_type(path, "an object", value)) };
        let form = FORMS.iter().find(|(name, _)| object.contains_key(*name));
        let Some((form, members)) = form else {
            return Err(match object.keys().find(|name| is_planned(name)) {
                Some(name) => unknown_member(path, name, &[]),
                None => Problem::new("split.no-form").at_path(path),
            });
        };
        if let Some(unknown) = object.keys().find(|name| !members.contains(&name.as_str())) {
            return Err(unknown_member(path, unknown, members));
        }
        match *form {
            "points" => {
                let path = member(path, "points");
                let points = rows(object.get("points"), &path)?;
                for (index, point) in points.iter().enumerate() {
                    region::check_key(point).map_err(|problem| problem.at_path(item(&path, index)))?;
                }
                Ok(Self::Points(points))
            }
            "algorithm" => Ok(Self::Algorithm {
                algorithm: algorithm(object, path)?,
                regions: regions(object, path)?,
                first: optional_row(object, "first", path)?,
                last: optional_row(object, "last", path)?,
            }),
            _ => {
                let path_between = member(path, "between");
                let ends: Result<[Vec<u8>; 2], _> = rows(object.get("between"), &path_between)?.try_into();
                let [start, end] =
                    ends.map_err(|_| Problem::new("split.between-two-rows").at_path(path_between))?;
                Ok(Self::Between { start, end, regions: regions(object, path)? })
            }
        }
    }

    /// As it is written in a design document.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Points(points) => {
                json!({ "points": points.iter().map(|point| to_string_binary(point)).collect::<Vec<_>>() })
            }
            Self::Algorithm { algorithm, regions, first, last } => {
                let mut object = json!({ "algorithm": algorithm.name, "regions": regions });
                for (name, row) in [("first", first), ("last", last)] {
                    if let (Some(row), Some(object)) = (row, object.as_object_mut()) {
                        object.insert(name.to_owned(), to_string_binary(row).into());
                    }
                }
                object
            }
            Self::Between { start, end, regions } => {
                json!({ "between": [to_string_binary(start), to_string_binary(end)], "regions": regions })
            }
        }
    }
}

fn algorithm(object: &Map<String, Value>, path: &str) -> Result<&'static Algorithm, Problem> {
    let value = object.get("algorithm").unwrap_or(&Value::Null);
    let path = member(path, "algorithm");
    let Some(name) = value.as_str() else { return Err(wrong_type(&path, "a text", value)) };
    Algorithm::named(name).ok_or_else(|| {
        let known: Vec<_> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
        Problem::new("split.unknown-algorithm")
            .with("found", name)
            .with("known", known.join(", "))
            .at_path(path)
    })
}

fn regions(object: &Map<String, Value>, path: &str) -> Result<i64, Problem> {
    let value = object.get("regions").unwrap_or(&Value::Null);
    value.as_i64().ok_or_else(|| wrong_type(&member(path, "regions"), "a whole number", value))
}

fn optional_row(object: &Map<String, Value>, name: &str, path: &str) -> Result<Option<Vec<u8>>, Problem> {
    object.get(name).map(|value| row(value, &member(path, name))).transpose()
}

fn rows(value: Option<&Value>, path: &str) -> Result<Vec<Vec<u8>>, Problem> {
    let value = value.unwrap_or(&Value::Null);
    let Some(list) = value.as_array() else { return Err(wrong_type(path, "a list", value)) };
    list.iter().enumerate().map(|(index, value)| row(value, &item(path, index))).collect()
}

fn row(value: &Value, path: &str) -> Result<Vec<u8>, Problem> {
    let Some(text) = value.as_str() else { return Err(wrong_type(path, "a text", value)) };
    from_string_binary(text).map_err(|problem| problem.at_path(path))
}
