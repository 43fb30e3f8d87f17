//! Text and bytes of any content that end themselves: `escaped`.

use super::operation::{NO_RESULT, strings};
use super::step::{BoundStep, Step};
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Order, Width};

/// The byte that ends a value, and the one before an escaped byte.
const END: u8 = 0;
const ESCAPE: u8 = 1;

/// The bytes 00 and 01 written as 01 01 and 01 02, then 00.
pub static ESCAPED: Step = Step {
    name: "escaped",
    takes: &[Kind::Text, Kind::Bytes],
    gives: Kind::Bytes,
    parameters: &[],
    required: 0,
    encoding: true,
    bind: |_, input| {
        let operation = strings(|value, out| {
            for &byte in value {
                match byte {
                    END | ESCAPE => out.extend([ESCAPE, byte + 1]),
                    _ => out.push(byte),
                }
            }
            out.push(END);
            Ok(())
        });
        let inverse = strings(|bytes, out| {
            let [value @ .., END] = bytes else { return Err(NO_RESULT) };
            let mut rest = value.iter();
            while let Some(&byte) = rest.next() {
                out.push(match byte {
                    END => return Err(NO_RESULT),
                    ESCAPE => match rest.next() {
                        Some(&escaped @ 1..=2) => escaped - 1,
                        _ => return Err(NO_RESULT),
                    },
                    _ => byte,
                });
            }
            Ok(())
        });
        let longest = |max: u64| max.saturating_mul(2).saturating_add(1);
        Ok(BoundStep {
            order: Order::Strict,
            one_to_one: true,
            distinct: input.distinct,
            width: Width { min: input.width.min.saturating_add(1), max: input.width.max.map(longest) },
            alphabet: input.alphabet.union(Alphabet::of(&[END, ESCAPE, ESCAPE + 1])),
            terminator: Some(END),
            inverse: Some(inverse),
            ..BoundStep::new(operation)
        })
    },
};
