//! The parts of a formula in words that a page can show.

use super::typed::TypedFormula;
use crate::bytes::row::to_string_binary;
use crate::records::field::shape::{Alphabet, Order, Width};
use crate::records::field::{Field, Kind};
use serde::Serialize;

/// A part of a formula and what is known of it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartDescription {
    /// Its first column in the formula, characters from 1.
    pub from: usize,
    /// The column after its last.
    pub to: usize,
    /// Its canonical text.
    pub text: String,
    /// Names of the fields it is made of.
    pub fields: Vec<String>,
    /// Text or bytes.
    pub kind: Kind,
    /// How its bytes order against the field.
    pub order: Order,
    /// True if different values always give different bytes.
    pub one_to_one: bool,
    /// At most so many different values.
    pub distinct: Option<u64>,
    /// Bytes of it.
    pub width: Width,
    /// The bytes that can occur, as ranges in `\xNN` notation.
    pub alphabet: String,
    /// True if its end can be told from what follows.
    pub self_delimiting: bool,
}

/// The parts of a checked formula.
pub fn describe(typed: &TypedFormula, fields: &[Field]) -> Vec<PartDescription> {
    let name = |&index: &usize| fields.get(index).map(|field| field.name.clone());
    let parts = typed.parts.iter().map(|part| PartDescription {
        from: part.span.0,
        to: part.span.1,
        text: part.text.clone(),
        fields: part.fields.iter().filter_map(name).collect(),
        kind: part.shape.kind,
        order: part.shape.order,
        one_to_one: part.shape.one_to_one,
        // Beyond what a JavaScript number can hold there is no useful bound.
        distinct: part.shape.distinct.filter(|&distinct| distinct < 1 << 53),
        width: part.shape.width,
        alphabet: ranges(part.shape.alphabet),
        self_delimiting: part.self_delimiting,
    });
    parts.collect()
}

/// A set of bytes as ranges: `0-9 a-f`.
fn ranges(alphabet: Alphabet) -> String {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for byte in alphabet.bytes() {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(byte) => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    let shown = ranges.into_iter().map(|(first, last)| match last - first {
        0 => to_string_binary(&[first]),
        _ => format!("{}-{}", to_string_binary(&[first]), to_string_binary(&[last])),
    });
    shown.collect::<Vec<_>>().join(" ")
}
