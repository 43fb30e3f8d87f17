//! Columns of fixed width: numbers, truth values, times, CHAR and BINARY.

use super::super::operation::{NO_RESULT, read, strings, written};
use super::super::step::{Arguments, Bind, BoundStep, Step, StepParameter, width};
use super::column::{ORDER, column, sort_order, turned, turned_bytes};
use crate::base::Problem;
use crate::bytes::codec::phoenix::{PhoenixLayout, PhoenixValue};
use crate::bytes::sort::sort;
use crate::records::field::shape::{Alphabet, Order, Shape, Width};
use crate::records::field::{Kind, float};

/// TINYINT: one byte.
pub static TINYINT: Step = column("phoenix.tinyint", INTEGER, |a, input| whole(a, input, 1, true));
/// SMALLINT: two bytes.
pub static SMALLINT: Step = column("phoenix.smallint", INTEGER, |a, input| whole(a, input, 2, true));
/// INTEGER: four bytes.
pub static INT: Step = column("phoenix.integer", INTEGER, |a, input| whole(a, input, 4, true));
/// BIGINT: eight bytes.
pub static BIGINT: Step = column("phoenix.bigint", INTEGER, |a, input| whole(a, input, 8, true));
/// UNSIGNED_TINYINT: one byte, 0 to 127.
pub static UNSIGNED_TINYINT: Step =
    column("phoenix.unsignedTinyint", INTEGER, |a, input| whole(a, input, 1, false));
/// UNSIGNED_SMALLINT: two bytes, 0 to 32,767.
pub static UNSIGNED_SMALLINT: Step =
    column("phoenix.unsignedSmallint", INTEGER, |a, input| whole(a, input, 2, false));
/// UNSIGNED_INT: four bytes, 0 to 2,147,483,647.
pub static UNSIGNED_INT: Step = column("phoenix.unsignedInt", INTEGER, |a, input| whole(a, input, 4, false));
/// UNSIGNED_LONG: eight bytes, from 0.
pub static UNSIGNED_LONG: Step =
    column("phoenix.unsignedLong", INTEGER, |a, input| whole(a, input, 8, false));

/// FLOAT: four bytes.
pub static FLOAT: Step =
    column("phoenix.float", REAL, |a, input| real(a, input, PhoenixLayout::Float { signed: true }));
/// DOUBLE: eight bytes.
pub static DOUBLE: Step =
    column("phoenix.double", REAL, |a, input| real(a, input, PhoenixLayout::Double { signed: true }));
/// UNSIGNED_FLOAT: four bytes, from 0.
pub static UNSIGNED_FLOAT: Step =
    column("phoenix.unsignedFloat", REAL, |a, input| real(a, input, PhoenixLayout::Float { signed: false }));
/// UNSIGNED_DOUBLE: eight bytes, from 0.
pub static UNSIGNED_DOUBLE: Step = column("phoenix.unsignedDouble", REAL, |a, input| {
    real(a, input, PhoenixLayout::Double { signed: false })
});

/// BOOLEAN: one byte.
pub static BOOLEAN: Step = column("phoenix.boolean", &[Kind::Boolean], |a, input| {
    number(a, input, PhoenixLayout::Boolean, (0, 1), |truth| PhoenixValue::Boolean(truth != 0))
});

/// DATE: eight bytes.
pub static DATE: Step = column("phoenix.date", TIME, |a, input| time(a, input, DATES, true));
/// TIME: eight bytes, the day included.
pub static TIME_OF_DAY: Step = column("phoenix.time", TIME, |a, input| time(a, input, DATES, true));
/// TIMESTAMP: twelve bytes, of which the last four hold what is less than a millisecond.
pub static TIMESTAMP: Step = column("phoenix.timestamp", TIME, |a, input| time(a, input, STAMPS, true));
/// UNSIGNED_DATE: eight bytes, from 1970 on.
pub static UNSIGNED_DATE: Step =
    column("phoenix.unsignedDate", TIME, |a, input| time(a, input, UNSIGNED_DATES, false));
/// UNSIGNED_TIME: eight bytes, from 1970 on.
pub static UNSIGNED_TIME: Step =
    column("phoenix.unsignedTime", TIME, |a, input| time(a, input, UNSIGNED_DATES, false));
/// UNSIGNED_TIMESTAMP: twelve bytes, from 1970 on.
pub static UNSIGNED_TIMESTAMP: Step =
    column("phoenix.unsignedTimestamp", TIME, |a, input| time(a, input, UNSIGNED_STAMPS, false));

const INTEGER: &[Kind] = &[Kind::Integer];
const REAL: &[Kind] = &[Kind::Float];
const TIME: &[Kind] = &[Kind::Time];

const DATES: PhoenixLayout = PhoenixLayout::Date { signed: true };
const STAMPS: PhoenixLayout = PhoenixLayout::Timestamp { signed: true };
const UNSIGNED_DATES: PhoenixLayout = PhoenixLayout::Date { signed: false };
const UNSIGNED_STAMPS: PhoenixLayout = PhoenixLayout::Timestamp { signed: false };

fn whole(arguments: Arguments<'_>, input: &Shape, bytes: usize, signed: bool) -> Result<BoundStep, Problem> {
    let most = i64::MAX >> (64 - 8 * bytes);
    let range = (if signed { !most } else { 0 }, most);
    number(arguments, input, PhoenixLayout::Whole { bytes, signed }, range, PhoenixValue::Whole)
}

fn time(
    arguments: Arguments<'_>,
    input: &Shape,
    layout: PhoenixLayout,
    signed: bool,
) -> Result<BoundStep, Problem> {
    let range = (if signed { i64::MIN } else { 0 }, i64::MAX);
    // Our times have whole milliseconds.
    number(arguments, input, layout, range, |millis| PhoenixValue::Time { millis, nanos: 0 })
}

/// A column whose values sort as the numbers they are made of; of those the type takes `range`.
fn number(
    arguments: Arguments<'_>,
    input: &Shape,
    layout: PhoenixLayout,
    (least, most): (i64, i64),
    value: fn(i64) -> PhoenixValue,
) -> Result<BoundStep, Problem> {
    let order = sort_order(arguments)?;
    let bytes_of = |number: i64| {
        let mut bytes = Vec::new();
        // The ends of what is taken are taken.
        layout
            .encode(&value(number.clamp(least, most)), order, &mut bytes)
            .map(|()| bytes)
            .unwrap_or_default()
    };
    let (low, high) = input.range.unwrap_or((least, most));
    let mut ends = [bytes_of(low), bytes_of(high)];
    sort(&mut ends);
    let [low, high] = &ends;
    Ok(BoundStep {
        order: turned(order, Order::Strict),
        one_to_one: true,
        distinct: input.distinct,
        width: Width::fixed(low.len() as u64),
        by_position: Alphabet::between(low, high),
        inverse: Some(read(move |bytes| match layout.decode(bytes, order) {
            Ok(PhoenixValue::Whole(number)) => Ok(number),
            Ok(PhoenixValue::Boolean(truth)) => Ok(truth.into()),
            // Finer than a millisecond no time of ours is.
            Ok(PhoenixValue::Time { millis, nanos }) if nanos % 1_000_000 == 0 => Ok(millis),
            _ => Err(NO_RESULT),
        })),
        ..BoundStep::new(written(move |number, out| layout.encode(&value(number), order, out)))
    })
}

/// A column of floating point numbers. A FLOAT is the nearest of 32 bits. An unsigned -0.0 would sort above all.
fn real(arguments: Arguments<'_>, input: &Shape, layout: PhoenixLayout) -> Result<BoundStep, Problem> {
    let order = sort_order(arguments)?;
    let signed =
        matches!(layout, PhoenixLayout::Float { signed: true } | PhoenixLayout::Double { signed: true });
    let double = matches!(layout, PhoenixLayout::Double { .. });
    let operation = written(move |bits, out| {
        let number = float::of_bits(bits);
        if !signed && number.is_sign_negative() && !number.is_nan() {
            return Err("phoenix.negative");
        }
        if !double && number.is_finite() && number.abs() > f64::from(f32::MAX) {
            return Err("phoenix.too-large");
        }
        let value = if double { PhoenixValue::Double(number) } else { PhoenixValue::Float(number as f32) };
        layout.encode(&value, order, out)
    });
    Ok(BoundStep {
        order: turned(order, if double { Order::Strict } else { Order::Weak }),
        one_to_one: double,
        distinct: input.distinct,
        width: Width::fixed(if double { 8 } else { 4 }),
        inverse: double.then(|| {
            read(move |bytes| match layout.decode(bytes, order) {
                Ok(PhoenixValue::Double(number)) => Ok(float::bits(number)),
                _ => Err(NO_RESULT),
            })
        }),
        ..BoundStep::new(operation)
    })
}

/// CHAR(n): ASCII, filled up with blanks.
pub static CHAR: Step = padded("phoenix.char", &[Kind::Text], |arguments, input| {
    let (order, width) = (sort_order(arguments)?, arguments.count(1));
    let operation = strings(move |text, out| {
        let start = out.len();
        let last = *text.last().ok_or("phoenix.empty")?;
        if !text.is_ascii() {
            return Err("phoenix.not-single-byte");
        }
        if last == BLANK || text.iter().any(|&byte| byte < BLANK) {
            return Err("phoenix.char-blank");
        }
        let missing = width.checked_sub(text.len()).ok_or("step.text-too-long")?;
        out.extend_from_slice(text);
        out.extend(std::iter::repeat_n(BLANK, missing));
        order.turn(out.get_mut(start..).unwrap_or_default());
        Ok(())
    });
    Ok(BoundStep {
        order: turned(order, Order::Strict),
        one_to_one: true,
        distinct: input.distinct,
        width: Width::fixed(width as u64),
        alphabet: turned_bytes(order, Alphabet::range(BLANK, 0x7f)),
        inverse: Some(strings(move |bytes, out| {
            let start = out.len();
            out.extend_from_slice(bytes);
            order.turn(out.get_mut(start..).unwrap_or_default());
            let blanks = out.iter().rev().take_while(|&&byte| byte == BLANK).count();
            out.truncate((out.len() - blanks).max(start));
            if out.len() > start { Ok(()) } else { Err(NO_RESULT) }
        })),
        ..BoundStep::new(operation)
    })
});

/// BINARY(n): bytes, filled up with zeros.
pub static BINARY: Step = padded("phoenix.binary", &[Kind::Bytes, Kind::Text], |arguments, input| {
    let (order, width) = (sort_order(arguments)?, arguments.count(1));
    let operation = strings(move |bytes, out| {
        let start = out.len();
        if bytes.is_empty() {
            return Err("phoenix.empty");
        }
        let missing = width.checked_sub(bytes.len()).ok_or("step.text-too-long")?;
        out.extend_from_slice(bytes);
        out.extend(std::iter::repeat_n(0, missing));
        order.turn(out.get_mut(start..).unwrap_or_default());
        Ok(())
    });
    // Values of several widths may differ in zeros at the end only.
    let exact = input.width.exact().is_some();
    let value_width = input.width.min as usize;
    Ok(BoundStep {
        order: turned(order, if exact { Order::Strict } else { Order::Weak }),
        one_to_one: exact,
        distinct: input.distinct,
        width: Width::fixed(width as u64),
        alphabet: turned_bytes(order, input.alphabet.union(Alphabet::of(&[0]))),
        inverse: exact.then(|| {
            strings(move |bytes, out| {
                let start = out.len();
                out.extend(bytes.iter().take(value_width));
                order.turn(out.get_mut(start..).unwrap_or_default());
                Ok(())
            })
        }),
        ..BoundStep::new(operation)
    })
});

const BLANK: u8 = b' ';

const fn padded(name: &'static str, takes: &'static [Kind], bind: Bind) -> Step {
    const PARAMETERS: &[StepParameter] = &[ORDER, width("width")];
    Step { parameters: PARAMETERS, required: 2, ..column(name, takes, bind) }
}
