//! Arithmetic of code, as far as formulas have it.

use super::java_type::JavaType;
use super::terms::{self, Terms, number, step};
use super::unread::{CodeSpan, Unread};
use super::value::Number;
use crate::formula::syntax::Term;

type Result<T> = std::result::Result<T, Unread>;

const INT: (i128, i128) = (i32::MIN as i128, i32::MAX as i128);

/// The type of a result of two numbers.
fn promoted(left: JavaType, right: JavaType) -> JavaType {
    if [left, right].contains(&JavaType::Long) { JavaType::Long } else { JavaType::Int }
}

/// Java's `a operator b`.
pub(super) fn binary(left: Number, operator: &str, right: Number, span: CodeSpan) -> Result<Number> {
    let of = promoted(left.of, right.of);
    if left.is_cast || right.is_cast {
        return Err(Unread::because(span, "code.may-be-cut"));
    }
    if let Some((a, b)) = left.known().zip(right.known()) {
        return folded(a, operator, b, of).ok_or(Unread::new(span));
    }
    match operator {
        "+" => sum(left, right, of, span),
        "-" => difference(left, right, of, span),
        "%" | "/" => divided(left, operator, right, of, span),
        "&" if left.term.is_none() => masked(right, left, of, span),
        "&" => masked(left, right, of, span),
        ">>" | ">>>" => shifted(left, right, span),
        _ => Err(Unread::because(span, "code.no-step")),
    }
}

/// The result of two constants, in two's complement.
fn folded(a: i64, operator: &str, b: i64, of: JavaType) -> Option<Number> {
    let bits = of.bits()?;
    let shift = (b as u32) & (bits - 1);
    let result = match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a.wrapping_shl(shift),
        ">>" => a.wrapping_shr(shift),
        ">>>" if a >= 0 => a.wrapping_shr(shift),
        _ => return None,
    };
    let result = if of == JavaType::Int { i64::from(result as i32) } else { result };
    Some(Number::constant(result.into(), of))
}

/// A result between these, which code would wrap and a formula rejects where it does not fit.
fn result(
    term: Term,
    of: JavaType,
    (low, high): (i128, i128),
    is_of_field: bool,
    span: CodeSpan,
) -> Result<Number> {
    let (least, most) = of.range().unwrap_or(INT);
    let fits = low >= least && high <= most;
    if !fits && !is_of_field {
        return Err(Unread::because(span, "code.may-overflow"));
    }
    Ok(Number {
        term: Some(term),
        of,
        low: low.max(least),
        high: high.min(most),
        is_of_field,
        // A sum of longs that overflows has no formula value either.
        is_cast: !fits && of != JavaType::Long,
    })
}

fn sum(left: Number, right: Number, of: JavaType, span: CodeSpan) -> Result<Number> {
    let is_of_field = left.is_of_field || right.is_of_field;
    let range = (left.low + right.low, left.high + right.high);
    let known = left.known().or(right.known());
    match (left.term, right.term) {
        (Some(left), Some(right)) => result(terms::sum([left, right]), of, range, is_of_field, span),
        (Some(term), None) | (None, Some(term)) => {
            let term = step(term, "plus", [number(known.unwrap_or(0))]);
            result(term, of, range, is_of_field, span)
        }
        (None, None) => Err(Unread::new(span)),
    }
}

fn difference(left: Number, right: Number, of: JavaType, span: CodeSpan) -> Result<Number> {
    let range = (left.low - right.high, left.high - right.low);
    let (from, taken) = (left.known(), right.known());
    match (left.term, right.term) {
        (Some(term), None) => {
            let taken = taken.and_then(i64::checked_neg).ok_or(Unread::new(span))?;
            result(step(term, "plus", [number(taken)]), of, range, left.is_of_field, span)
        }
        (None, Some(term)) => {
            // A formula takes what is not negative from the greatest long.
            if right.low < 0 && !right.is_of_field {
                return Err(Unread::because(span, "code.may-overflow"));
            }
            let from = from.ok_or(Unread::new(span))?;
            let term = step(term, "reverseLong", []);
            let term = if from == i64::MAX {
                term
            } else {
                step(term, "plus", [number(from.wrapping_sub(i64::MAX))])
            };
            let low = i128::from(from) - right.high;
            let (least, _) = of.range().unwrap_or(INT);
            let fits = low >= least;
            Ok(Number {
                term: Some(term),
                of,
                low: low.max(least),
                high: from.into(),
                is_of_field: right.is_of_field,
                is_cast: !fits && of != JavaType::Long,
            })
        }
        _ => Err(Unread::because(span, "code.no-step")),
    }
}

fn divided(left: Number, operator: &str, right: Number, of: JavaType, span: CodeSpan) -> Result<Number> {
    let by = right.known().filter(|&by| by > 0).ok_or(Unread::because(span, "code.no-step"))?;
    let term = left.term.ok_or(Unread::because(span, "code.no-step"))?;
    let most = i128::from(by);
    let (name, range) = if operator == "/" {
        ("div", (left.low / most, left.high / most))
    } else {
        let most = most - 1;
        ("mod", (left.low.max(-most).min(0), left.high.min(most).max(0)))
    };
    let known = operator == "%" || !left.is_of_field;
    Ok(Number { is_of_field: !known, ..Number::within(step(term, name, [number(by)]), of, range) })
}

/// `Math.floorMod`.
pub(super) fn floor_mod(left: Number, right: &Number, span: CodeSpan) -> Result<Number> {
    let by =
        right.known().filter(|&by| by > 0 && !left.is_cast).ok_or(Unread::because(span, "code.no-step"))?;
    let term = left.term.ok_or(Unread::because(span, "code.no-step"))?;
    let of = if right.of == JavaType::Long { promoted(left.of, right.of) } else { JavaType::Int };
    Ok(Number::within(step(term, "floorMod", [number(by)]), of, (0, i128::from(by) - 1)))
}

fn masked(left: Number, mask: Number, of: JavaType, span: CodeSpan) -> Result<Number> {
    let bits = mask.known().filter(|&mask| mask >= 0).ok_or(Unread::because(span, "code.no-step"))?;
    let term = left.term.ok_or(Unread::because(span, "code.no-step"))?;
    Ok(Number::within(step(term, "and", [number(bits)]), of, (0, bits.into())))
}

fn shifted(left: Number, right: Number, span: CodeSpan) -> Result<Number> {
    let of = promoted(left.of, JavaType::Int);
    let by = right.known().filter(|by| (0..of.bits().unwrap_or(0).into()).contains(by));
    // A quotient rounds towards zero, a shift down.
    let by = by.filter(|by| left.low >= 0 && *by < 62).ok_or(Unread::because(span, "code.no-step"))?;
    let term = left.term.ok_or(Unread::because(span, "code.no-step"))?;
    let term = if by == 0 { term } else { step(term, "div", [number(1 << by)]) };
    Ok(Number::within(term, of, (left.low >> by, left.high >> by)))
}

/// `Math.abs`.
pub(super) fn abs(value: Number, span: CodeSpan) -> Result<Number> {
    let of = promoted(value.of, JavaType::Int);
    if let Some(known) = value.known() {
        return Ok(Number::constant(i128::from(known).abs(), of));
    }
    let (least, most) = of.range().unwrap_or(INT);
    // A number of 32 bits is an int in a formula: its least stays negative.
    if value.is_cast || (of == JavaType::Long && value.low == INT.0 && value.high <= INT.1) {
        return Err(Unread::because(span, "code.may-overflow"));
    }
    let low = if value.low == least { least } else { 0 };
    let high = value.high.abs().max(value.low.abs()).min(most);
    let term = value.term.ok_or(Unread::new(span))?;
    let term = if value.low >= 0 { term } else { step(term, "abs", []) };
    Ok(Number { is_of_field: value.is_of_field, ..Number::within(term, of, (low, high)) })
}

/// A cast, or an assignment to a variable of this type.
pub(super) fn cast(value: Number, to: JavaType, span: CodeSpan) -> Result<Number> {
    let Some((least, most)) = to.range() else { return Err(Unread::new(span)) };
    if value.low >= least && value.high <= most {
        return Ok(Number { of: to, ..value });
    }
    if let Some(known) = value.known() {
        let cut = match to {
            JavaType::Byte => i128::from(known as i8),
            JavaType::Short => i128::from(known as i16),
            _ => i128::from(known as i32),
        };
        return Ok(Number::constant(cut, to));
    }
    // The bits of these are the same without a sign.
    let is_unsigned = value.low >= 0 && value.high <= 2 * most + 1 && to != JavaType::Int;
    if !is_unsigned && !value.is_of_field {
        return Err(Unread::because(span, "code.may-be-cut"));
    }
    Ok(Number { of: to, is_cast: true, ..value })
}

/// The step that writes a number in the bytes of its type.
fn width_step(value: &Number, bits: u32) -> &'static str {
    let is_unsigned = value.is_cast && value.low >= 0 && !value.is_of_field;
    match (bits, is_unsigned) {
        (8, true) => "uint8",
        (8, false) => "int8",
        (16, true) => "uint16",
        (16, false) => "int16",
        (32, _) => "int32",
        _ => "int64",
    }
}

/// A number in big-endian bytes of its type, or of a wider one.
pub(super) fn big_endian(value: Number, bits: u32, span: CodeSpan) -> Result<Terms> {
    if let Some(known) = value.known() {
        let all = known.to_be_bytes();
        let own = all.get(all.len().saturating_sub(bits as usize / 8)..).unwrap_or_default();
        return Ok(terms::bytes(own.to_vec()));
    }
    if value.is_cast && value.of.bits() != Some(bits) {
        return Err(Unread::because(span, "code.may-be-cut"));
    }
    let name = width_step(&value, bits);
    let term = value.term.ok_or(Unread::new(span))?;
    Ok(vec![step(term, name, [])])
}

/// A number as decimal text.
pub(super) fn decimal(value: Number, span: CodeSpan) -> Result<Terms> {
    match value.term {
        None => Ok(terms::text(&value.low.to_string())),
        Some(_) if value.is_cast => Err(Unread::because(span, "code.may-be-cut")),
        Some(term) => Ok(vec![step(term, "decimal", [])]),
    }
}
