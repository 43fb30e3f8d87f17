//! Splits in the design document.

use super::dates::{DateSplits, RegionPeriod, print_date, read_date};
use super::{ALGORITHMS, SplitAlgorithm, Splits, region};
use crate::base::Problem;
use crate::base::json::{Wanted, item, member, unknown_member, wrong_type};
use crate::bytes::row::{from_string_binary, to_string_binary};
use serde_json::{Map, Value, json};

/// The ways to write splits, by the member that tells them apart, and the members each may have.
pub const FORMS: [(&str, &[&str]); 8] = [
    ("points", &["points"]),
    ("algorithm", &["algorithm", "regions", "first", "last"]),
    ("between", &["between", "regions"]),
    ("hexRange", &["hexRange", "regions"]),
    ("shortRange", &["shortRange", "regions"]),
    ("salts", &["salts", "digits"]),
    ("dates", &["dates", "every", "format"]),
    ("sample", &["sample"]),
];

/// How dates are written in keys unless something else is said.
const DATE_FORMAT: &str = "yyyyMMdd";

impl Splits {
    /// Reads the `splits` member of a design document given by itself as JSON text.
    pub fn from_text(json: &str) -> Result<Self, Problem> {
        let value = serde_json::from_str(json)
            .map_err(|error| Problem::new("json.invalid").with("error", error).at_path("splits"))?;
        Self::from_json(&value, "splits")
    }

    /// Reads the `splits` member of a design document, which stands at `path`.
    pub fn from_json(value: &Value, path: &str) -> Result<Self, Problem> {
        let Some(object) = value.as_object() else { return Err(wrong_type(path, "json.object", value)) };
        let form = FORMS.iter().find(|(name, _)| object.contains_key(*name));
        let Some((form, members)) = form else {
            let known = FORMS.map(|(name, _)| name);
            return Err(Problem::new("split.no-form").with("known", known.join(", ")).at_path(path));
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
                regions: number(object, "regions", path)?,
                first: optional_row(object, "first", path)?,
                last: optional_row(object, "last", path)?,
            }),
            "between" => {
                let [start, end] = pair(object, form, path, row)?;
                Ok(Self::Between { start, end, regions: number(object, "regions", path)? })
            }
            "hexRange" => {
                let [start, end] = pair(object, form, path, row)?;
                Ok(Self::HexRange { start, end, regions: number(object, "regions", path)? })
            }
            "shortRange" => {
                let [first, last] = pair(object, form, path, |value, path| {
                    let number = value.as_u64().and_then(|number| u16::try_from(number).ok());
                    number.ok_or_else(|| wrong_type(path, Wanted::whole(0, 65535), value))
                })?;
                Ok(Self::ShortRange { first, last, regions: number(object, "regions", path)? })
            }
            "salts" => Ok(Self::Salts {
                count: number(object, "salts", path)?,
                digits: object
                    .get("digits")
                    .map(|value| digits(value, &member(path, "digits")))
                    .transpose()?,
            }),
            "dates" => {
                let [from, to] = pair(object, form, path, date)?;
                let every = text(object, "every", path)?;
                let every = RegionPeriod::parse(every).ok_or_else(|| {
                    Problem::new("split.every").with("found", every).at_path(member(path, "every"))
                })?;
                let format =
                    if object.contains_key("format") { text(object, "format", path)? } else { DATE_FORMAT };
                Ok(Self::Dates(DateSplits { from, to, every, format: format.to_owned() }))
            }
            _ => Ok(Self::Sample { regions: number(object, "sample", path)? }),
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
            Self::HexRange { start, end, regions } => {
                json!({ "hexRange": [to_string_binary(start), to_string_binary(end)], "regions": regions })
            }
            Self::ShortRange { first, last, regions } => {
                json!({ "shortRange": [first, last], "regions": regions })
            }
            Self::Salts { count, digits: None } => json!({ "salts": count }),
            Self::Salts { count, digits } => json!({ "salts": count, "digits": digits }),
            Self::Dates(DateSplits { from, to, every, format }) => {
                json!({ "dates": [print_date(*from), print_date(*to)], "every": every.print(), "format": format })
            }
            Self::Sample { regions } => json!({ "sample": regions }),
        }
    }
}

fn algorithm(object: &Map<String, Value>, path: &str) -> Result<&'static SplitAlgorithm, Problem> {
    let value = object.get("algorithm").unwrap_or(&Value::Null);
    let path = member(path, "algorithm");
    let Some(name) = value.as_str() else { return Err(wrong_type(&path, "json.text", value)) };
    SplitAlgorithm::named(name).ok_or_else(|| {
        let known: Vec<_> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
        Problem::new("split.unknown-algorithm")
            .with("found", name)
            .with("known", known.join(", "))
            .at_path(path)
    })
}

fn number(object: &Map<String, Value>, name: &str, path: &str) -> Result<i64, Problem> {
    let value = object.get(name).unwrap_or(&Value::Null);
    value.as_i64().ok_or_else(|| wrong_type(&member(path, name), "json.whole", value))
}

fn text<'a>(object: &'a Map<String, Value>, name: &str, path: &str) -> Result<&'a str, Problem> {
    let value = object.get(name).unwrap_or(&Value::Null);
    value.as_str().ok_or_else(|| wrong_type(&member(path, name), "json.text", value))
}

fn digits(value: &Value, path: &str) -> Result<u32, Problem> {
    let digits = value.as_u64().and_then(|digits| u32::try_from(digits).ok());
    digits
        .filter(|digits| (1..=9).contains(digits))
        .ok_or_else(|| wrong_type(path, Wanted::whole(1, 9), value))
}

fn date(value: &Value, path: &str) -> Result<i64, Problem> {
    value.as_str().and_then(read_date).ok_or_else(|| wrong_type(path, "json.date", value))
}

/// The two ends that stand as a list under `name`.
fn pair<T>(
    object: &Map<String, Value>,
    name: &str,
    path: &str,
    read: impl Fn(&Value, &str) -> Result<T, Problem>,
) -> Result<[T; 2], Problem> {
    let path = member(path, name);
    let value = object.get(name).unwrap_or(&Value::Null);
    match value.as_array().map(Vec::as_slice) {
        Some([first, last]) => Ok([read(first, &item(&path, 0))?, read(last, &item(&path, 1))?]),
        Some(_) => Err(Problem::new("split.two-ends").with("name", name).at_path(path)),
        None => Err(wrong_type(&path, "json.list", value)),
    }
}

fn optional_row(object: &Map<String, Value>, name: &str, path: &str) -> Result<Option<Vec<u8>>, Problem> {
    object.get(name).map(|value| row(value, &member(path, name))).transpose()
}

fn rows(value: Option<&Value>, path: &str) -> Result<Vec<Vec<u8>>, Problem> {
    let value = value.unwrap_or(&Value::Null);
    let Some(list) = value.as_array() else { return Err(wrong_type(path, "json.list", value)) };
    list.iter().enumerate().map(|(index, value)| row(value, &item(path, index))).collect()
}

fn row(value: &Value, path: &str) -> Result<Vec<u8>, Problem> {
    let Some(text) = value.as_str() else { return Err(wrong_type(path, "json.text", value)) };
    from_string_binary(text).map_err(|problem| problem.at_path(path))
}
