//! A JSON Schema validator for the keywords our schema uses; any other keyword fails the test.

use serde_json::{Map, Value};

/// True if `value` is valid under `schema`, whose `$ref`s point into `root`.
pub fn is_valid(value: &Value, schema: &Value, root: &Value) -> bool {
    let rules = match schema {
        Value::Bool(always) => return *always,
        Value::Object(rules) => rules,
        other => panic!("no schema: {other}"),
    };
    rules.iter().all(|(keyword, rule)| holds(value, keyword, rule, rules, root))
}

fn holds(value: &Value, keyword: &str, rule: &Value, rules: &Map<String, Value>, root: &Value) -> bool {
    let list = |rule: &Value| rule.as_array().expect("list").clone();
    let count = || rule.as_u64().expect("count") as usize;
    let members = value.as_object();
    match keyword {
        "$schema" | "$id" | "$defs" | "title" | "description" => true,
        "$ref" => {
            let pointer = rule.as_str().and_then(|text| text.strip_prefix('#')).expect("local reference");
            is_valid(value, root.pointer(pointer).expect(pointer), root)
        }
        "type" => match rule {
            Value::Array(types) => types.iter().any(|name| is_type(value, name)),
            name => is_type(value, name),
        },
        "const" => value == rule,
        "enum" => list(rule).contains(value),
        "oneOf" => list(rule).iter().filter(|schema| is_valid(value, schema, root)).count() == 1,
        "required" => members.is_none_or(|members| {
            list(rule).iter().all(|name| members.contains_key(name.as_str().expect("name")))
        }),
        "properties" => rule.as_object().expect("properties").iter().all(|(name, schema)| {
            members.and_then(|members| members.get(name)).is_none_or(|value| is_valid(value, schema, root))
        }),
        "additionalProperties" => members.is_none_or(|members| {
            let known = rules.get("properties").and_then(Value::as_object);
            members
                .iter()
                .filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name)))
                .all(|(_, value)| is_valid(value, rule, root))
        }),
        "minProperties" => members.is_none_or(|members| members.len() >= count()),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| is_valid(item, rule, root))),
        "minItems" => value.as_array().is_none_or(|items| items.len() >= count()),
        "uniqueItems" => value.as_array().is_none_or(|items| {
            let mut pairs = items.iter().enumerate();
            pairs.all(|(at, item)| !items.iter().take(at).any(|other| other == item))
        }),
        "maxItems" => value.as_array().is_none_or(|items| items.len() <= count()),
        "minLength" => value.as_str().is_none_or(|text| text.chars().count() >= count()),
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("number")),
        "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("number")),
        "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > rule.as_f64().expect("number")),
        other => panic!("the keyword {other} is not known to this validator"),
    }
}

fn is_type(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("the type {other} is not known to this validator"),
    }
}
