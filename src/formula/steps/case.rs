//! Text steps: `upper`, `lower`, as `toUpperCase(Locale.ROOT)` and `toLowerCase(Locale.ROOT)`.

use super::operation::{BoxedOperation, NO_RESULT, strings};
use super::step::{BoundStep, Step};
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Shape, Width};

/// Capital letters.
pub static UPPER: Step = Step {
    name: "upper",
    takes: &[Kind::Text],
    gives: Kind::Text,
    parameters: &[],
    required: 0,
    encoding: false,
    bind: |_, input| {
        Ok(bound(
            input,
            |byte| byte.to_ascii_uppercase(),
            operation(<[u8]>::make_ascii_uppercase, str::to_uppercase),
        ))
    },
};

/// Small letters.
pub static LOWER: Step = Step {
    name: "lower",
    takes: &[Kind::Text],
    gives: Kind::Text,
    parameters: &[],
    required: 0,
    encoding: false,
    bind: |_, input| {
        Ok(bound(
            input,
            |byte| byte.to_ascii_lowercase(),
            operation(<[u8]>::make_ascii_lowercase, str::to_lowercase),
        ))
    },
};

fn operation(ascii: fn(&mut [u8]), all: fn(&str) -> String) -> BoxedOperation {
    strings(move |text, out| {
        if text.is_ascii() {
            let start = out.len();
            out.extend_from_slice(text);
            ascii(out.get_mut(start..).unwrap_or_default());
        } else {
            let text = std::str::from_utf8(text).map_err(|_| "step.not-text")?;
            out.extend_from_slice(all(text).as_bytes());
        }
        Ok(())
    })
}

fn bound(input: &Shape, change: fn(u8) -> u8, operation: BoxedOperation) -> BoundStep {
    if !input.alphabet.is_ascii() {
        return BoundStep {
            alphabet: Alphabet::UTF8,
            width: Width { min: input.width.min.min(1), max: None },
            ..BoundStep::new(operation)
        };
    }
    let changed = |set: Alphabet| {
        set.bytes().fold(Alphabet::NONE, |all, byte| all.union(Alphabet::of(&[change(byte)])))
    };
    let alphabet = changed(input.alphabet);
    let one_to_one = alphabet.len() == input.alphabet.len();
    let taken = input.alphabet;
    BoundStep {
        one_to_one,
        inverse: one_to_one.then(|| {
            strings(move |text, out| {
                for &byte in text {
                    out.push(taken.bytes().find(|&taken| change(taken) == byte).ok_or(NO_RESULT)?);
                }
                Ok(())
            })
        }),
        distinct: input.distinct,
        width: input.width,
        alphabet,
        by_position: input.by_position.iter().map(|&set| changed(set)).collect(),
        ..BoundStep::new(operation)
    }
}
