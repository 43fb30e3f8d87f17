//! The beginning of a key, such as the start row of a region: what the fields are from there on.

use super::{DecodedField, decode};
use crate::formula::typed::{NullableEnd, TypedFormula};
use crate::records::field::Field;

/// Most bytes of a value that a start row is cut within.
const MOST_MISSING: usize = 16;

/// The fields that the beginning of a key tells, by as many parts as it has. A number or a time that it is cut within is the least that
/// begins so. `None` where the formula makes no key that begins so.
pub fn decode_start(typed: &TypedFormula, fields: &[Field], start: &[u8]) -> Option<Vec<DecodedField>> {
    if start.is_empty() || !typed.kinds.is_empty() {
        return None;
    }
    (1..=typed.parts.len()).rev().find_map(|count| {
        let parts = typed.parts.get(..count)?.to_vec();
        let cut = TypedFormula { parts, nullable_end: NullableEnd::default(), ..typed.clone() };
        let padded = |missing: usize| [start, &vec![0; missing]].concat();
        let told = (0..=MOST_MISSING).find_map(|missing| {
            let decoded = decode(&cut, fields, &padded(missing)).ok()?;
            let known: Vec<DecodedField> =
                decoded.fields.into_iter().filter(|field| field.value.is_some()).collect();
            (!known.is_empty()).then_some(known)
        });
        // A literal behind the last field, of which there is not all.
        let is_whole = |known: &Vec<DecodedField>| known.iter().all(is_text);
        told.filter(is_whole)
    })
}

/// True unless zero bytes that were added are part of a text.
fn is_text(field: &DecodedField) -> bool {
    field.value.as_deref().is_none_or(|value| !value.contains('\0'))
}
