//! Pieces of a text between separators: `part`, `before`, `after`.

use super::operation::{BoxedOperation, strings};
use super::step::{Arguments, BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::bytes::codec::RefusalCode;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Shape, Width};

/// Most pieces that are counted.
const MOST: i64 = 1000;

pub(super) const SEPARATOR: StepParameter = StepParameter::Text { name: "separator" };

/// Piece `n` of the text, from 0, or from -1 at its end backwards: `text.split(Pattern.quote(separator), -1)[n]`.
pub static PART: Step = Step {
    parameters: &[SEPARATOR, StepParameter::Number { name: "n", least: -MOST, most: MOST }],
    required: 2,
    bind: |arguments, input| {
        let n = arguments.number(1).unwrap_or(0);
        let separator = separator(arguments)?;
        let operation = strings(move |text, out| {
            let at = usize::try_from(if n < 0 { -1 - n } else { n }).unwrap_or(0);
            let found = match n < 0 {
                false => pieces(text, &separator).nth(at),
                true => {
                    let all: Vec<&[u8]> = pieces(text, &separator).collect();
                    all.into_iter().rev().nth(at)
                }
            };
            out.extend_from_slice(found.ok_or("step.too-few-parts")?);
            Ok(())
        });
        Ok(piece(arguments, input, operation))
    },
    ..step("part")
};

/// The text before the first separator, all of it without one: `StringUtils.substringBefore`.
pub static BEFORE: Step = Step {
    bind: |arguments, input| {
        let separator = separator(arguments)?;
        let operation = strings(move |text, out| {
            out.extend_from_slice(pieces(text, &separator).next().unwrap_or(text));
            Ok(())
        });
        Ok(piece(arguments, input, operation))
    },
    ..step("before")
};

/// The text behind the first separator; a text without one is refused.
pub static AFTER: Step = Step {
    bind: |arguments, input| {
        let separator = separator(arguments)?;
        let operation = strings(move |text, out| {
            let before = pieces(text, &separator).next().unwrap_or(text).len();
            let behind = text.get(before + separator.len()..);
            out.extend_from_slice(behind.ok_or::<RefusalCode>("step.too-few-parts")?);
            Ok(())
        });
        // The separator may come again.
        Ok(BoundStep { alphabet: input.alphabet, ..piece(arguments, input, operation) })
    },
    ..step("after")
};

const fn step(name: &'static str) -> Step {
    Step {
        name,
        takes: &[Kind::Text],
        gives: Kind::Text,
        parameters: &[SEPARATOR],
        required: 1,
        encoding: false,
        bind: |_, _| Err(Problem::new("step.empty-separator")),
    }
}

fn separator(arguments: Arguments<'_>) -> Result<Vec<u8>, Problem> {
    match arguments.text(0) {
        "" => Err(Problem::new("step.empty-separator")),
        text => Ok(text.as_bytes().to_vec()),
    }
}

/// The properties of a piece: a separator of one byte is not in it.
fn piece(arguments: Arguments<'_>, input: &Shape, operation: BoxedOperation) -> BoundStep {
    let alphabet = match *arguments.text(0).as_bytes() {
        [separator] => {
            let others: Vec<u8> = input.alphabet.bytes().filter(|&byte| byte != separator).collect();
            Alphabet::of(&others)
        }
        _ => input.alphabet,
    };
    BoundStep { width: Width { min: 0, max: input.width.max }, alphabet, ..BoundStep::new(operation) }
}

/// The pieces of a text between separators, which are not empty, from the left.
pub(super) fn pieces<'t>(text: &'t [u8], separator: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let found = text.windows(separator.len().max(1)).position(|window| window == separator);
        rest = found.and_then(|at| text.get(at + separator.len()..));
        text.get(..found.unwrap_or(text.len()))
    })
}
