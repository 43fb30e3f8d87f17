//! Values of HBase's `OrderedBytes`: `ordered.int64`, `ordered.string` and so on, ascending or descending.

use super::operation::{BoxedOperation, NO_RESULT, read, strings, written};
use super::step::{Arguments, Bind, BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::bytes::codec::decimal::Decimal;
use crate::bytes::codec::ordered::{self, Numeric, OrderedValue, PRECISION};
use crate::bytes::codec::{RefusalCode, SortDirection};
use crate::bytes::sort::sort;
use crate::records::field::shape::{Alphabet, Order, Shape, Width};
use crate::records::field::{Kind, float};

/// `OrderedBytes.encodeInt8`.
pub static INT8: Step = step("ordered.int8", INTEGER, |arguments, input| integer(arguments, input, 1));

/// `OrderedBytes.encodeInt16`.
pub static INT16: Step = step("ordered.int16", INTEGER, |arguments, input| integer(arguments, input, 2));

/// `OrderedBytes.encodeInt32`.
pub static INT32: Step = step("ordered.int32", INTEGER, |arguments, input| integer(arguments, input, 4));

/// `OrderedBytes.encodeInt64`.
pub static INT64: Step = step("ordered.int64", INTEGER, |arguments, input| integer(arguments, input, 8));

/// `OrderedBytes.encodeFloat32` of the nearest `float`.
pub static FLOAT32: Step = step("ordered.float32", FLOAT, |arguments, _| {
    reals(arguments, Width::fixed(5), false, |number, direction, out| {
        ordered::write_float32(number as f32, direction, out);
        Ok(())
    })
});

/// `OrderedBytes.encodeFloat64`.
pub static FLOAT64: Step = step("ordered.float64", FLOAT, |arguments, _| {
    reals(arguments, Width::fixed(9), true, |number, direction, out| {
        ordered::write_float64(number, direction, out);
        Ok(())
    })
});

/// `OrderedBytes.encodeNumeric`; of decimals that HBase would round, none.
pub static NUMERIC: Step = step("ordered.numeric", NUMBERS, |arguments, input| {
    let bound = match input.kind {
        Kind::Decimal => decimals(arguments),
        Kind::Float => reals(arguments, NUMERIC_WIDTH, false, |number, direction, out| {
            ordered::write_numeric(&Numeric::from(number), direction, out)
        })
        .map(|bound| BoundStep {
            inverse: Some(read(|bytes| real(sole(bytes)?.0).ok_or(NO_RESULT))),
            ..bound
        }),
        _ => numbers(arguments, input, (i64::MIN, i64::MAX), NUMERIC_WIDTH, |number, direction, out| {
            ordered::write_numeric(&Numeric::Decimal(Decimal::from(number)), direction, out)
        }),
    };
    // The last byte of the digits is the first even one; values without digits have headers of their own.
    Ok(BoundStep { prefix_free: true, ..bound? })
});

/// `OrderedBytes.encodeString`.
pub static STRING: Step = step("ordered.string", TEXT, |arguments, input| {
    let width = more(input.width, 2);
    let write = |text: &[u8], direction, out: &mut Vec<u8>| ordered::write_text(text, direction, out);
    bytes(arguments, input, width, Some(END), input.alphabet, write)
});

/// `OrderedBytes.encodeBlobVar`.
pub static BLOB_VAR: Step = step("ordered.blobVar", BYTES, |arguments, input| {
    // Seven bits a byte, at least one byte.
    let length = |bytes: u64| bytes.saturating_mul(8).div_ceil(7).saturating_add(1).max(2);
    let width = Width { min: length(input.width.min), max: input.width.max.map(length) };
    let write = |value: &[u8], direction, out: &mut Vec<u8>| {
        ordered::write_blob_var(value, direction, out);
        Ok(())
    };
    let bound = bytes(arguments, input, width, None, Alphabet::ALL, write)?;
    // The bit that says whether more follows sorts a value that ends before one that goes on: "1" before "0z".
    let order = if width.exact().is_some() { bound.order } else { Order::None };
    Ok(BoundStep { order, prefix_free: true, ..bound })
});

/// `OrderedBytes.encodeBlobCopy`.
pub static BLOB_COPY: Step = step("ordered.blobCopy", BYTES, |arguments, input| {
    let end = (direction(arguments)? == SortDirection::Descending).then_some(END);
    let width = more(input.width, if end.is_some() { 2 } else { 1 });
    let write = |value: &[u8], direction, out: &mut Vec<u8>| ordered::write_blob_copy(value, direction, out);
    bytes(arguments, input, width, end, input.alphabet, write)
});

const INTEGER: &[Kind] = &[Kind::Integer];
const FLOAT: &[Kind] = &[Kind::Float];
const NUMBERS: &[Kind] = &[Kind::Integer, Kind::Float, Kind::Decimal];
const TEXT: &[Kind] = &[Kind::Text];
const BYTES: &[Kind] = &[Kind::Bytes, Kind::Text];

/// The byte that ends a value, ascending.
const END: u8 = 0;

/// For integers the header and ten pairs of digits; for doubles the header, the exponent and nine.
const NUMERIC_WIDTH: Width = Width { min: 1, max: Some(11) };

/// The header, an exponent of five bytes, and sixteen pairs of digits.
const DECIMAL_WIDTH: Width = Width { min: 1, max: Some(22) };

/// A step that is told its direction; ascending when it is left out.
const fn step(name: &'static str, takes: &'static [Kind], bind: Bind) -> Step {
    Step {
        name,
        takes,
        gives: Kind::Bytes,
        parameters: &[StepParameter::Text { name: "order" }],
        required: 0,
        encoding: true,
        bind,
    }
}

fn direction(arguments: Arguments<'_>) -> Result<SortDirection, Problem> {
    arguments.direction("ordered.direction")
}

const fn order(direction: SortDirection) -> Order {
    match direction {
        SortDirection::Ascending => Order::Strict,
        SortDirection::Descending => Order::Reversed,
    }
}

const fn more(width: Width, bytes: u64) -> Width {
    let max = match width.max {
        Some(max) => Some(max.saturating_add(bytes)),
        None => None,
    };
    Width { min: width.min.saturating_add(bytes), max }
}

fn integer(arguments: Arguments<'_>, input: &Shape, width: usize) -> Result<BoundStep, Problem> {
    let most = i64::MAX >> (64 - 8 * width);
    numbers(arguments, input, (!most, most), Width::fixed(width as u64 + 1), move |number, direction, out| {
        ordered::write_integer(number, width, direction, out)
    })
}

/// Numbers from `least` to `most`.
fn numbers(
    arguments: Arguments<'_>,
    input: &Shape,
    (least, most): (i64, i64),
    width: Width,
    write: impl Fn(i64, SortDirection, &mut Vec<u8>) -> Result<(), RefusalCode> + Copy + Send + Sync + 'static,
) -> Result<BoundStep, Problem> {
    let direction = direction(arguments)?;
    let (low, high) = input.range.unwrap_or((least, most));
    let mut ends = [low, high].map(|end| {
        let mut bytes = Vec::new();
        write(end.clamp(least, most), direction, &mut bytes).map(|()| bytes).unwrap_or_default()
    });
    sort(&mut ends);
    let [low, high] = &ends;
    let back = read(move |bytes| {
        let number = number(sole(bytes)?.0).ok_or(NO_RESULT)?;
        let mut again = Vec::new();
        write(number, direction, &mut again)?;
        if again == bytes { Ok(number) } else { Err(NO_RESULT) }
    });
    Ok(BoundStep {
        order: order(direction),
        one_to_one: true,
        distinct: input.distinct,
        width,
        by_position: Alphabet::between(low, high),
        inverse: Some(back),
        ..BoundStep::new(written(move |number, out| write(number, direction, out)))
    })
}

/// Floating-point numbers; `exact` are those that are kept to the bit.
fn reals(
    arguments: Arguments<'_>,
    width: Width,
    exact: bool,
    write: impl Fn(f64, SortDirection, &mut Vec<u8>) -> Result<(), RefusalCode> + Copy + Send + Sync + 'static,
) -> Result<BoundStep, Problem> {
    let direction = direction(arguments)?;
    let back = move || {
        read(move |bytes| match sole(bytes)? {
            (OrderedValue::Float64(number), found) if found == direction => Ok(float::bits(number)),
            _ => Err(NO_RESULT),
        })
    };
    Ok(BoundStep {
        order: if exact { order(direction) } else { order(direction).then(Order::Weak) },
        one_to_one: exact,
        width,
        inverse: exact.then(back),
        ..BoundStep::new(written(move |bits, out| write(float::of_bits(bits), direction, out)))
    })
}

/// Decimals of as many digits as `encodeNumeric` keeps.
fn decimals(arguments: Arguments<'_>) -> Result<BoundStep, Problem> {
    let direction = direction(arguments)?;
    let write = move |number: &Decimal, out: &mut Vec<u8>| {
        let number = number.strip_trailing_zeros()?;
        if number.precision() > PRECISION {
            return Err("ordered.too-many-digits");
        }
        ordered::write_numeric(&Numeric::Decimal(number), direction, out)
    };
    let back = strings(move |bytes, out| {
        let OrderedValue::Numeric(Numeric::Decimal(number)) = sole(bytes)?.0 else { return Err(NO_RESULT) };
        let mut again = Vec::new();
        write(&number, &mut again)?;
        out.extend_from_slice(number.to_string().as_bytes());
        if again == bytes { Ok(()) } else { Err(NO_RESULT) }
    });
    Ok(BoundStep {
        order: order(direction),
        width: DECIMAL_WIDTH,
        inverse: Some(back),
        ..BoundStep::new(strings(move |text, out| write(&Decimal::parse(text)?, out)))
    })
}

/// Texts or bytes of these widths and bytes once written; ascending, `end` ends them.
fn bytes(
    arguments: Arguments<'_>,
    input: &Shape,
    width: Width,
    end: Option<u8>,
    alphabet: Alphabet,
    write: impl Fn(&[u8], SortDirection, &mut Vec<u8>) -> Result<(), RefusalCode> + Copy + Send + Sync + 'static,
) -> Result<BoundStep, Problem> {
    let direction = direction(arguments)?;
    let mut header = Vec::new();
    write(b"", direction, &mut header).map_err(Problem::new)?;
    header.truncate(1);
    let back: BoxedOperation = strings(move |bytes, out| {
        let value = match sole(bytes)?.0 {
            OrderedValue::Text(text) => text.into_bytes(),
            OrderedValue::BlobVar(bytes) | OrderedValue::BlobCopy(bytes) => bytes,
            _ => return Err(NO_RESULT),
        };
        let mut again = Vec::new();
        write(&value, direction, &mut again)?;
        out.extend(&value);
        if again == bytes { Ok(()) } else { Err(NO_RESULT) }
    });
    let mask = direction.mask();
    let inner = alphabet.bytes().fold(Alphabet::NONE, |set, byte| set.union(Alphabet::of(&[byte ^ mask])));
    let end = end.map(|end| end ^ mask);
    let around = Alphabet::of(&header).union(end.map_or(Alphabet::NONE, |end| Alphabet::of(&[end])));
    Ok(BoundStep {
        order: order(direction),
        one_to_one: true,
        distinct: input.distinct,
        width,
        alphabet: inner.union(around),
        by_position: vec![Alphabet::of(&header)],
        terminator: end,
        inverse: Some(back),
        ..BoundStep::new(strings(move |value, out| write(value, direction, out)))
    })
}

/// The only value in these bytes.
fn sole(mut bytes: &[u8]) -> Result<(OrderedValue, SortDirection), RefusalCode> {
    let read = ordered::read(&mut bytes).map_err(|_| NO_RESULT)?;
    if bytes.is_empty() { Ok(read) } else { Err(NO_RESULT) }
}

/// The bits of the floating-point number a numeric stands for.
fn real(value: OrderedValue) -> Option<i64> {
    let OrderedValue::Numeric(number) = value else { return None };
    let number = match number {
        Numeric::Decimal(number) => {
            return crate::records::field::read::float(number.to_string().as_bytes()).ok();
        }
        Numeric::NegativeInfinity => f64::NEG_INFINITY,
        Numeric::PositiveInfinity => f64::INFINITY,
        Numeric::NaN => f64::NAN,
    };
    Some(float::bits(number))
}

fn number(value: OrderedValue) -> Option<i64> {
    match value {
        OrderedValue::Integer { value, .. } => Some(value),
        OrderedValue::Numeric(Numeric::Decimal(number)) => number.to_plain().ok()?.parse().ok(),
        _ => None,
    }
}
