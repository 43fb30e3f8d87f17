//! A key of a table with several kinds of records: read by the formula of each.

use super::{Decoded, decode, text};
use crate::base::Problem;
use crate::formula::typed::{TypedFormula, TypedKind};
use crate::formula::vector::Vector;
use crate::records::field::Field;

/// Reads a key by the formulas of all kinds: as the first that makes it, with a remark when others make it too.
///
/// # Errors
/// No kind makes this key: for each why not.
pub(super) fn by_kind(typed: &TypedFormula, fields: &[Field], key: &[u8]) -> Result<Decoded, Problem> {
    let (mut read, mut refused) = (Vec::new(), Vec::new());
    for kind in &typed.kinds {
        match as_kind(kind, fields, key) {
            Ok(decoded) => read.push(decoded),
            Err(problem) => refused.push(problem),
        }
    }
    if read.iter().any(|decoded| !contradicts(decoded)) {
        read.retain(|decoded| !contradicts(decoded));
    }
    let names: Vec<String> = read.iter().filter_map(|decoded| decoded.kind.clone()).collect();
    let Some(mut decoded) = read.into_iter().next() else {
        let all = typed.kinds.iter().map(|kind| kind.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(match <[Problem; 1]>::try_from(refused) {
            Ok([only]) => only,
            Err(_) => Problem::new("decode.no-kind").with("kinds", all),
        });
    };
    if names.len() > 1 {
        decoded.problems.push(Problem::new("decode.kinds").with("kinds", names.join(", ")));
        decoded.more = true;
    }
    Ok(decoded)
}

/// Reads a key as one of a kind, with the value that tells the kind where there is only one.
fn as_kind(kind: &TypedKind, fields: &[Field], key: &[u8]) -> Result<Decoded, Problem> {
    let none = || Problem::new("decode.no-kind").with("kinds", &kind.name);
    let mut decoded = decode(kind.formula.as_ref().ok_or_else(none)?, fields, key)?;
    let Some(field) = fields.get(kind.field) else { return Ok(decoded) };
    let values = texts(&kind.values, field);
    if let Some(told) = decoded.fields.get_mut(kind.field) {
        match (&told.value, values.as_slice()) {
            (Some(value), _) if !values.contains(value) => return Err(none()),
            (None, [only]) => {
                (told.value, told.lost) = (Some(only.clone()), None);
                for reading in &mut decoded.readings {
                    reading
                        .values
                        .get_mut(kind.field)
                        .into_iter()
                        .for_each(|value| *value = Some(only.clone()));
                }
            }
            _ => {}
        }
    }
    decoded.kind = Some(kind.name.clone());
    Ok(decoded)
}

/// True if the parts of a key contradict each other.
fn contradicts(decoded: &Decoded) -> bool {
    decoded
        .problems
        .iter()
        .any(|problem| ["decode.part-differs", "decode.part-impossible"].contains(&problem.code))
}

/// The values that tell a kind, as the field writes them.
fn texts(values: &Vector, field: &Field) -> Vec<String> {
    let one = |value: Vector| text(field, &value);
    match values {
        Vector::Integers(numbers) => {
            numbers.iter().map(|&number| one(Vector::Integers(vec![number]))).collect()
        }
        Vector::Strings(strings) => strings.iter().map(|bytes| one(super::of_bytes(bytes))).collect(),
    }
}
