//! Columns of varying width: VARCHAR, VARBINARY, DECIMAL.

use super::super::operation::{NO_RESULT, read, strings, written};
use super::super::step::{Arguments, Bind, BoundStep, Step, StepParameter};
use super::column::{ORDER, column, sort_order, turned, turned_bytes};
use crate::base::Problem;
use crate::bytes::codec::RefusalCode;
use crate::bytes::codec::SortDirection;
use crate::bytes::codec::decimal::Decimal;
use crate::bytes::codec::phoenix::{LEAST_EXPONENT, MOST_EXPONENT, PRECISION, PhoenixLayout, PhoenixValue};
use crate::bytes::sort::sort;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Order, Shape, Width};

/// VARCHAR: UTF-8.
pub static VARCHAR: Step = separable("phoenix.varchar", &[Kind::Text], |arguments, input| {
    Ok(bytes(VaryingColumn::new(arguments)?, input))
});

/// VARBINARY: the bytes as they are. Phoenix takes it as the last column only.
pub static VARBINARY: Step = column("phoenix.varbinary", &[Kind::Bytes, Kind::Text], |arguments, input| {
    Ok(bytes(VaryingColumn::new(arguments)?, input))
});

/// DECIMAL: an exponent and two digits a byte.
pub static DECIMAL: Step =
    separable("phoenix.decimal", &[Kind::Decimal, Kind::Integer], |arguments, input| {
        let place = VaryingColumn::new(arguments)?;
        Ok(if input.kind == Kind::Integer { whole_decimal(place, input) } else { any_decimal(place, input) })
    });

/// A decimal, of which the zeros at its end are lost.
fn any_decimal(place: VaryingColumn, input: &Shape) -> BoundStep {
    let null = input.null.and_then(|_| place.null(input));
    BoundStep {
        order: place.order(false),
        distinct: input.distinct,
        width: place.width(Width { min: u64::from(null.is_none()), max: Some(LONGEST) }),
        terminator: place.separator,
        null,
        inverse: Some(strings(move |column, out| {
            if null == Some(column) {
                return Ok(());
            }
            out.extend_from_slice(read_decimal(column, place)?.to_string().as_bytes());
            Ok(())
        })),
        ..BoundStep::new(strings(move |text, out| match null {
            Some(null) if text.is_empty() => {
                out.extend_from_slice(null);
                Ok(())
            }
            _ => decimal(&Decimal::parse(text)?, place, out),
        }))
    }
}

fn whole_decimal(place: VaryingColumn, input: &Shape) -> BoundStep {
    let bytes_of = |number: i64| {
        let mut bytes = Vec::new();
        decimal(&Decimal::from(number), place, &mut bytes).map(|()| bytes).unwrap_or_default()
    };
    let order = place.order(false);
    let (low, high) = input.range.unwrap_or((i64::MIN, i64::MAX));
    let mut ends = [bytes_of(low), bytes_of(high)];
    sort(&mut ends);
    let [low, high] = &ends;
    BoundStep {
        order,
        one_to_one: true,
        distinct: input.distinct,
        width: place.width(Width { min: 1, max: Some(LONGEST_WHOLE) }),
        by_position: if order == Order::None { Vec::new() } else { Alphabet::between(low, high) },
        terminator: place.separator,
        inverse: Some(read(move |column| whole(&read_decimal(column, place)?).ok_or(NO_RESULT))),
        ..BoundStep::new(written(move |number, out| decimal(&Decimal::from(number), place, out)))
    }
}

/// Most bytes of a DECIMAL.
const LONGEST: u64 = 21;

/// An exponent, ten pairs of digits, and the end of a negative number.
const LONGEST_WHOLE: u64 = 12;

/// A column of varying width in a key: its order, and the separator after it, if any.
#[derive(Clone, Copy)]
struct VaryingColumn {
    sorted: SortDirection,
    separator: Option<u8>,
}

impl VaryingColumn {
    fn new(arguments: Arguments<'_>) -> Result<Self, Problem> {
        let sorted = sort_order(arguments)?;
        let separator = match arguments.text(1) {
            "" => None,
            // 00, turned as the values are.
            "separated" => Some(sorted.mask()),
            other => return Err(Problem::new("phoenix.separated").with("found", other)),
        };
        Ok(Self { sorted, separator })
    }

    /// Upwards, bytes sort as their values do. Downwards the shorter of two that begin alike would still come first,
    /// which the separator prevents.
    fn order(self, one_width: bool) -> Order {
        match self.sorted {
            SortDirection::Descending if self.separator.is_none() && !one_width => Order::None,
            sorted => turned(sorted, Order::Strict),
        }
    }

    /// The bytes of a column without the separator.
    fn value(self, column: &[u8]) -> Result<&[u8], RefusalCode> {
        match self.separator {
            Some(separator) => column.strip_suffix(&[separator]).ok_or(NO_RESULT),
            None => Ok(column),
        }
    }

    /// The bytes of NULL: its separator is 00 in both orders. A descending NULL, which sorts before all values, is taken only where
    /// the field declares it: an empty text would sort behind them.
    fn null(self, input: &Shape) -> Option<&'static [u8]> {
        match self {
            Self { separator: None, sorted: SortDirection::Ascending } => Some(&[]),
            Self { separator: Some(_), sorted }
                if sorted == SortDirection::Ascending || input.null.is_some() =>
            {
                Some(&[0])
            }
            _ => None,
        }
    }

    fn width(self, value: Width) -> Width {
        let more = u64::from(self.separator.is_some());
        Width { min: value.min.saturating_add(more), max: value.max.map(|max| max.saturating_add(more)) }
    }
}

/// Text and bytes as they are. Phoenix takes an empty one for NULL.
fn bytes(place: VaryingColumn, input: &Shape) -> BoundStep {
    let VaryingColumn { sorted, separator } = place;
    let null = place.null(input);
    let operation = strings(move |value, out| {
        if value.is_empty() {
            out.extend_from_slice(null.ok_or("phoenix.empty")?);
            return Ok(());
        }
        if separator.is_some() && value.contains(&0) {
            return Err("step.zero-byte");
        }
        let start = out.len();
        out.extend_from_slice(value);
        sorted.turn(out.get_mut(start..).unwrap_or_default());
        out.extend(separator);
        Ok(())
    });
    let exact = input.width.exact().is_some();
    let turned = |set: Alphabet| turned_bytes(sorted, set);
    let by_position = input.by_position.iter().filter(|_| exact).map(|&set| turned(set)).collect();
    let end = separator.map_or(Alphabet::NONE, |separator| Alphabet::of(&[separator]));
    BoundStep {
        order: place.order(exact),
        one_to_one: true,
        distinct: input.distinct,
        width: place.width(Width { min: input.width.min.max(u64::from(null.is_none())), ..input.width }),
        alphabet: turned(input.alphabet).union(end).union(Alphabet::of(null.unwrap_or_default())),
        by_position,
        terminator: separator,
        null,
        inverse: Some(strings(move |column, out| {
            if null == Some(column) {
                return Ok(());
            }
            let start = out.len();
            out.extend_from_slice(place.value(column)?);
            sorted.turn(out.get_mut(start..).unwrap_or_default());
            Ok(())
        })),
        ..BoundStep::new(operation)
    }
}

/// The number of a column that [`decimal`] wrote.
fn read_decimal(column: &[u8], place: VaryingColumn) -> Result<Decimal, RefusalCode> {
    let PhoenixValue::Decimal(number) = PhoenixLayout::Decimal.decode(place.value(column)?, place.sorted)?
    else {
        return Err(NO_RESULT);
    };
    let mut again = Vec::new();
    decimal(&number, place, &mut again)?;
    if again == column { Ok(number) } else { Err(NO_RESULT) }
}

/// A whole number that fits 64 bits.
fn whole(number: &Decimal) -> Option<i64> {
    number.to_plain().ok()?.parse().ok()
}

/// Refuses what Phoenix would round, and exponents that would wrap or hold the separator.
fn decimal(number: &Decimal, place: VaryingColumn, out: &mut Vec<u8>) -> Result<(), RefusalCode> {
    let number = number.strip_trailing_zeros()?;
    if number.precision() > PRECISION {
        return Err("phoenix.decimal-digits");
    }
    let hundreds = number.exponent().div_euclid(2);
    let most = if place.separator.is_some() { MOST_EXPONENT - 1 } else { MOST_EXPONENT };
    if !number.is_zero() && !(LEAST_EXPONENT..=most).contains(&hundreds) {
        return Err("phoenix.decimal-range");
    }
    PhoenixLayout::Decimal.encode(&PhoenixValue::Decimal(number), place.sorted, out)?;
    out.extend(place.separator);
    Ok(())
}

const fn separable(name: &'static str, takes: &'static [Kind], bind: Bind) -> Step {
    const PARAMETERS: &[StepParameter] = &[ORDER, StepParameter::Text { name: "separated" }];
    Step { parameters: PARAMETERS, ..column(name, takes, bind) }
}
