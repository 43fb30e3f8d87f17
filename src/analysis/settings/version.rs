//! Keys that will evolve: a byte in front that tells by which formula a key was made.
//!
//! Rows cannot be renamed. With a version byte, keys of an old and a new formula stay apart, in ranges of their own, and a
//! reader that knows both reads either.

use crate::design::Study;
use crate::keys::decode::{Decoded, decode};
use crate::records::field::shape::Shape;

/// The formula with a version byte in front. Split points need the byte too.
pub fn versioned(rowkey: &str, version: u8) -> String {
    format!("x'{version:02x}' + {rowkey}")
}

/// The first byte, counted from 0, by which keys of two shapes are always told apart; `None` when there is none.
pub fn told_apart(a: &Shape, b: &Shape) -> Option<usize> {
    let shortest = a.width.min.min(b.width.min) as usize;
    let at = |shape: &Shape, place: usize| shape.by_position.get(place).copied().unwrap_or(shape.alphabet);
    let known = shortest.min(a.by_position.len().max(b.by_position.len()));
    (0..known).find(|&place| !at(a, place).bytes().any(|byte| at(b, place).contains(byte)))
}

/// The tables of a study whose formula can have made a key, by number, with what it tells: one when versions are told apart.
pub fn readings(study: &Study, key: &[u8]) -> Vec<(usize, Decoded)> {
    let read = |(index, design): (usize, &crate::design::Design)| {
        // A key that contradicts itself was made by another formula.
        let decoded = decode(&design.typed, &study.fields, key).ok()?;
        let contradicts = decoded
            .problems
            .iter()
            .any(|problem| ["decode.part-differs", "decode.part-impossible"].contains(&problem.code));
        (!contradicts).then_some((index, decoded))
    };
    study.tables.iter().enumerate().filter_map(read).collect()
}
