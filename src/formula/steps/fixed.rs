//! Text of fixed width and text that ends itself: `text`, `terminated`.

use super::operation::{NO_RESULT, same_bytes, strings};
use super::step::{BoundStep, Step, width};
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Order, Width};

/// UTF-8; with a width, filled up with zero bytes on the right. A text with a zero byte or a longer one is refused.
pub static TEXT: Step = Step {
    name: "text",
    takes: &[Kind::Text],
    gives: Kind::Bytes,
    parameters: &[width("width")],
    required: 0,
    encoding: true,
    bind: |arguments, input| {
        let Some(width) = arguments.number(0).map(|width| width as usize) else {
            return Ok(BoundStep {
                order: Order::Strict,
                one_to_one: true,
                distinct: input.distinct,
                width: input.width,
                alphabet: input.alphabet,
                by_position: input.by_position.clone(),
                inverse: Some(same_bytes()),
                ..BoundStep::new(same_bytes())
            });
        };
        let operation = strings(move |text, out| {
            let missing = width.checked_sub(text.len()).ok_or("step.text-too-long")?;
            if text.contains(&0) {
                return Err("step.zero-byte");
            }
            out.extend_from_slice(text);
            out.extend(std::iter::repeat_n(0, missing));
            Ok(())
        });
        Ok(BoundStep {
            order: Order::Strict,
            one_to_one: true,
            distinct: input.distinct,
            width: Width::fixed(width as u64),
            alphabet: input.alphabet.union(ZERO),
            inverse: Some(strings(|bytes, out| {
                let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
                out.extend(bytes.iter().take(bytes.len() - zeros));
                Ok(())
            })),
            ..BoundStep::new(operation)
        })
    },
};

/// UTF-8 and a zero byte. A text with a zero byte is refused.
pub static TERMINATED: Step = Step {
    name: "terminated",
    takes: &[Kind::Text],
    gives: Kind::Bytes,
    parameters: &[],
    required: 0,
    encoding: true,
    bind: |_, input| {
        let operation = strings(|text, out| {
            if text.contains(&0) {
                return Err("step.zero-byte");
            }
            out.extend_from_slice(text);
            out.push(0);
            Ok(())
        });
        Ok(BoundStep {
            order: Order::Strict,
            one_to_one: true,
            distinct: input.distinct,
            width: Width {
                min: input.width.min.saturating_add(1),
                max: input.width.max.map(|max| max.saturating_add(1)),
            },
            alphabet: input.alphabet.union(ZERO),
            terminator: Some(0),
            inverse: Some(strings(|bytes, out| {
                out.extend_from_slice(bytes.strip_suffix(&[0]).ok_or(NO_RESULT)?);
                Ok(())
            })),
            ..BoundStep::new(operation)
        })
    },
};

const ZERO: Alphabet = Alphabet::of(&[0]);
