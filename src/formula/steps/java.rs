//! Values of Java as HBase's `Bytes.toBytes` writes them: `float32`, `float64`, `bigDecimal`, `boolean`.

use super::operation::{NO_RESULT, read, strings, written};
use super::step::{Bind, BoundStep, Step};
use crate::bytes::codec::decimal::Decimal;
use crate::bytes::codec::java::{
    read_decimal, read_double, write_boolean, write_decimal, write_double, write_float,
};
use crate::records::field::shape::{Alphabet, Order, Width};
use crate::records::field::{Kind, float};

const fn step(name: &'static str, takes: &'static [Kind], bind: Bind) -> Step {
    Step { name, takes, gives: Kind::Bytes, parameters: &[], required: 0, encoding: true, bind }
}

/// `Bytes.toBytes((float) x)`: the nearest of 32 bits.
pub static FLOAT32: Step = step("float32", &[Kind::Float], |_, _| {
    let operation = written(|bits, out| {
        let number = float::of_bits(bits);
        let nearest = number as f32;
        if nearest.is_infinite() && number.is_finite() {
            return Err("step.float-too-large");
        }
        write_float(nearest, out);
        Ok(())
    });
    Ok(BoundStep { width: Width::fixed(4), ..BoundStep::new(operation) })
});

/// `Bytes.toBytes(double)`.
pub static FLOAT64: Step = step("float64", &[Kind::Float], |_, input| {
    let operation = written(|bits, out| {
        write_double(float::of_bits(bits), out);
        Ok(())
    });
    Ok(BoundStep {
        one_to_one: true,
        distinct: input.distinct,
        width: Width::fixed(8),
        inverse: Some(read(|mut bytes| {
            let number = read_double(&mut bytes)?;
            if bytes.is_empty() { Ok(float::bits(number)) } else { Err(NO_RESULT) }
        })),
        ..BoundStep::new(operation)
    })
});

/// `Bytes.toBytes(BigDecimal)`: the scale, then the unscaled value.
pub static BIG_DECIMAL: Step = step("bigDecimal", &[Kind::Decimal], |_, input| {
    let operation = strings(|text, out| {
        write_decimal(&Decimal::parse(text)?, out);
        Ok(())
    });
    Ok(BoundStep {
        one_to_one: true,
        distinct: input.distinct,
        width: Width { min: 5, max: None },
        inverse: Some(strings(|mut bytes, out| {
            out.extend_from_slice(read_decimal(&mut bytes)?.to_string().as_bytes());
            Ok(())
        })),
        ..BoundStep::new(operation)
    })
});

/// `Bytes.toBytes(boolean)`: ff or 00.
pub static BOOLEAN: Step = step("boolean", &[Kind::Boolean], |_, _| {
    let bytes = Alphabet::of(&[0, 0xff]);
    let operation = written(|value, out| {
        write_boolean(value != 0, out);
        Ok(())
    });
    Ok(BoundStep {
        order: Order::Strict,
        one_to_one: true,
        distinct: Some(2),
        width: Width::fixed(1),
        alphabet: bytes,
        by_position: vec![bytes],
        inverse: Some(read(|bytes| match bytes {
            [0] => Ok(0),
            [0xff] => Ok(1),
            _ => Err(NO_RESULT),
        })),
        ..BoundStep::new(operation)
    })
});
