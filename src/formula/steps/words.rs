//! Text steps: `reverse`, `substring`, `pad`.

use super::operation::{NO_RESULT, strings};
use super::pieces::{SEPARATOR, pieces};
use super::step::{BoundStep, MAX_WIDTH, Step, StepParameter, width};
use crate::base::Problem;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Order, Shape, Width};

/// Characters of the text back to front, as `StringBuilder.reverse` does: surrogate pairs stay pairs; with a separator of one character
/// the pieces between them.
pub static REVERSE: Step = Step {
    name: "reverse",
    takes: &[Kind::Text],
    gives: Kind::Text,
    parameters: &[SEPARATOR],
    required: 0,
    encoding: false,
    bind: |arguments, input| {
        let separator = arguments.text(0);
        // A piece could end with the beginning of a longer one.
        if separator.chars().nth(1).is_some() {
            return Err(Problem::new("step.separator-of-one-character").with("found", separator));
        }
        let operation = || {
            let separator = separator.as_bytes().to_vec();
            strings(move |text, out| {
                if !separator.is_empty() {
                    let mut all: Vec<&[u8]> = pieces(text, &separator).collect();
                    all.reverse();
                    out.extend_from_slice(&all.join(separator.as_slice()));
                    return Ok(());
                }
                if text.is_ascii() {
                    out.extend(text.iter().rev());
                } else {
                    let chars = std::str::from_utf8(text).map_err(|_| "step.not-text")?.chars().rev();
                    chars.for_each(|char| out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()));
                }
                Ok(())
            })
        };
        Ok(BoundStep {
            one_to_one: true,
            distinct: input.distinct,
            width: input.width,
            alphabet: input.alphabet,
            inverse: Some(operation()),
            ..BoundStep::new(operation())
        })
    },
};

/// UTF-16 units from `from` to `to` (exclusive), or to the end, as `String.substring`; a text that is too short is refused, as Java
/// throws.
pub static SUBSTRING: Step = Step {
    name: "substring",
    takes: &[Kind::Text],
    gives: Kind::Text,
    parameters: &[StepParameter::Number { name: "from", least: 0, most: MAX_WIDTH }, width("to")],
    required: 1,
    encoding: false,
    bind: |arguments, input| {
        let from = arguments.count(0);
        if arguments.number(1).is_none() {
            return Ok(from_on(from, input));
        }
        let to = arguments.count(1);
        if from >= to {
            return Err(Problem::new("step.substring-empty").with("from", from).with("to", to));
        }
        let operation = strings(move |text, out| {
            if text.is_ascii() {
                out.extend_from_slice(text.get(from..to).ok_or("step.text-too-short")?);
                return Ok(());
            }
            let text = std::str::from_utf8(text).map_err(|_| "step.not-text")?;
            let mut unit = 0;
            for char in text.chars() {
                let next = unit + char.len_utf16();
                if (unit < from && next > from) || (unit < to && next > to) {
                    return Err("step.half-a-character");
                }
                if unit >= from && next <= to {
                    out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                }
                unit = next;
            }
            if unit < to { Err("step.text-too-short") } else { Ok(()) }
        });
        let units = (to - from) as u64;
        // A UTF-16 unit is one to three bytes of UTF-8.
        let ascii = input.alphabet.is_ascii();
        Ok(BoundStep {
            order: if from == 0 { Order::Weak } else { Order::None },
            width: if ascii { Width::fixed(units) } else { Width { min: units, max: Some(3 * units) } },
            alphabet: input.alphabet,
            by_position: match ascii {
                true => input.by_position.iter().skip(from).take(to - from).copied().collect(),
                false => Vec::new(),
            },
            prefix_free: true,
            ..BoundStep::new(operation)
        })
    },
};

/// UTF-16 units from `from` on.
fn from_on(from: usize, input: &Shape) -> BoundStep {
    let operation = strings(move |text, out| {
        if text.is_ascii() {
            out.extend_from_slice(text.get(from..).ok_or("step.text-too-short")?);
            return Ok(());
        }
        let mut rest = std::str::from_utf8(text).map_err(|_| "step.not-text")?.chars();
        let mut unit = 0;
        while unit < from {
            unit += rest.next().ok_or("step.text-too-short")?.len_utf16();
        }
        out.extend_from_slice(rest.as_str().as_bytes());
        if unit > from { Err("step.half-a-character") } else { Ok(()) }
    });
    // A UTF-16 unit is one to three bytes of UTF-8.
    let most = if input.alphabet.is_ascii() { from } else { 3 * from };
    let width = Width {
        min: input.width.min.saturating_sub(most as u64),
        max: input.width.max.map(|max| max.saturating_sub(from as u64)),
    };
    BoundStep { width, alphabet: input.alphabet, ..BoundStep::new(operation) }
}

/// Padded on the left to `width` characters with the character `with`.
pub static PAD: Step = Step {
    name: "pad",
    takes: &[Kind::Text],
    gives: Kind::Text,
    parameters: &[width("width"), StepParameter::Text { name: "with" }],
    required: 2,
    encoding: false,
    bind: |arguments, input| {
        let (width, with) = (arguments.count(0), arguments.text(1));
        let &[with] = with.as_bytes() else {
            return Err(Problem::new("step.pad-with-one-character").with("found", with));
        };
        if !with.is_ascii() {
            return Err(Problem::new("step.pad-with-one-character").with("found", char::from(with)));
        }
        let operation = strings(move |text, out| {
            let count = match std::str::from_utf8(text) {
                Ok(text) if !text.is_ascii() => text.encode_utf16().count(),
                _ => text.len(),
            };
            let missing = width.checked_sub(count).ok_or("step.text-too-long")?;
            out.extend(std::iter::repeat_n(with, missing));
            out.extend_from_slice(text);
            Ok(())
        });
        let units = width as u64;
        let ascii = input.alphabet.is_ascii();
        let exact = input.width.exact().map(|width| width as usize);
        // Two texts give the same result when they differ only in padding characters at the front.
        let one_to_one = !input.alphabet.contains(with) || exact.is_some();
        let inverse = one_to_one.then(|| {
            strings(move |text, out| {
                let padding = match exact {
                    Some(width) => text.len().checked_sub(width),
                    None => Some(text.iter().take_while(|&&byte| byte == with).count()),
                };
                out.extend_from_slice(padding.and_then(|padding| text.get(padding..)).ok_or(NO_RESULT)?);
                Ok(())
            })
        });
        Ok(BoundStep {
            order: if ascii && input.width.exact().is_some() { Order::Strict } else { Order::None },
            one_to_one,
            inverse,
            width: if ascii { Width::fixed(units) } else { Width { min: units, max: Some(3 * units) } },
            alphabet: input.alphabet.union(Alphabet::of(&[with])),
            // All have as many characters: of two, none goes on where the other ends.
            prefix_free: true,
            ..BoundStep::new(operation)
        })
    },
};
