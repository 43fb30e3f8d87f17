//! The text Java makes of a value: `string`.

use super::operation::{NO_RESULT, read, same_bytes, written};
use super::step::{BoundStep, DIGITS, Step};
use crate::bytes::codec::double::to_text;
use crate::records::field::shape::{Alphabet, Order, Width};
use crate::records::field::{Kind, float};

/// `String.valueOf` of a `BigDecimal`, `double` or `boolean`.
pub static STRING: Step = Step {
    name: "string",
    takes: &[Kind::Decimal, Kind::Float, Kind::Boolean],
    gives: Kind::Text,
    parameters: &[],
    required: 0,
    encoding: true,
    bind: |_, input| {
        let bound = match input.kind {
            Kind::Float => BoundStep {
                // From `NaN` and `0.0` to a sign, 20 digits with a point and `E-308`.
                width: Width { min: 3, max: Some(27) },
                alphabet: DIGITS.union(Alphabet::of(b"-.EINafinty")),
                inverse: Some(read(|text| float::read(text).map(float::bits))),
                ..BoundStep::new(written(|bits, out| {
                    out.extend_from_slice(to_text(float::of_bits(bits)).as_bytes());
                    Ok(())
                }))
            },
            Kind::Boolean => BoundStep {
                order: Order::Strict,
                width: Width { min: 4, max: Some(5) },
                alphabet: Alphabet::of(b"aeflrstu"),
                by_position: [&b"ft"[..], b"ar", b"lu", b"se"].map(Alphabet::of).to_vec(),
                inverse: Some(read(|text| match text {
                    b"false" => Ok(0),
                    b"true" => Ok(1),
                    _ => Err(NO_RESULT),
                })),
                ..BoundStep::new(written(|value, out| {
                    out.extend_from_slice(if value == 0 { b"false" } else { b"true" });
                    Ok(())
                }))
            },
            _ => BoundStep {
                width: Width { min: 1, max: None },
                alphabet: DIGITS.union(Alphabet::of(b"+-.E")),
                inverse: Some(same_bytes()),
                ..BoundStep::new(same_bytes())
            },
        };
        Ok(BoundStep { one_to_one: true, distinct: input.distinct, ..bound })
    },
};
