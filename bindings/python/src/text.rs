//! Values as they stand in a file of text, for fields that are read from texts.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use rowscape::codec::decimal::Decimal;
use rowscape::field::Kind;
use rowscape::field::time::TimeFormat;
use std::io::Write;

/// A decimal with more digits than may be.
const TOO_LONG: &str = "decimal.too-many-digits";
/// Bytes that are no text.
const NO_TEXT: &str = "field.not-utf8";

type Write1<'a> = Box<dyn Fn(usize, &mut Vec<u8>) -> Result<(), &'static str> + 'a>;

/// The texts of the values of an array.
pub struct Texts<'a>(Write1<'a>);

impl<'a> Texts<'a> {
    /// One of the types that a field of this kind is read from as text.
    pub fn of(array: &'a ArrayRef, kind: Kind) -> Option<Self> {
        let write: Write1<'a> = match array.data_type() {
            DataType::Utf8 => strings(move |index| array.as_string::<i32>().value(index).as_bytes()),
            DataType::LargeUtf8 => strings(move |index| array.as_string::<i64>().value(index).as_bytes()),
            DataType::Utf8View => strings(move |index| array.as_string_view().value(index).as_bytes()),
            DataType::Binary if kind == Kind::Text => {
                texts(move |index| array.as_binary::<i32>().value(index))
            }
            DataType::LargeBinary if kind == Kind::Text => {
                texts(move |index| array.as_binary::<i64>().value(index))
            }
            DataType::BinaryView if kind == Kind::Text => {
                texts(move |index| array.as_binary_view().value(index))
            }
            DataType::Date32 if kind == Kind::Text => dates(array)?,
            DataType::Boolean if kind == Kind::Text => shown(move |index| array.as_boolean().value(index)),
            _ if kind == Kind::Boolean => return None,
            data_type => numbers(array, data_type)?,
        };
        Some(Self(write))
    }

    /// The text of a value that is there.
    ///
    /// # Errors
    /// Message codes.
    pub fn read<'t>(&self, index: usize, text: &'t mut Vec<u8>) -> Result<&'t [u8], &'static str> {
        text.clear();
        (self.0)(index, text)?;
        Ok(text)
    }
}

/// Numbers as Java writes them.
fn numbers<'a>(array: &'a ArrayRef, data_type: &DataType) -> Option<Write1<'a>> {
    Some(match data_type {
        DataType::Int8 => shown(move |index| array.as_primitive::<Int8Type>().value(index)),
        DataType::Int16 => shown(move |index| array.as_primitive::<Int16Type>().value(index)),
        DataType::Int32 => shown(move |index| array.as_primitive::<Int32Type>().value(index)),
        DataType::Int64 => shown(move |index| array.as_primitive::<Int64Type>().value(index)),
        DataType::UInt8 => shown(move |index| array.as_primitive::<UInt8Type>().value(index)),
        DataType::UInt16 => shown(move |index| array.as_primitive::<UInt16Type>().value(index)),
        DataType::UInt32 => shown(move |index| array.as_primitive::<UInt32Type>().value(index)),
        DataType::UInt64 => shown(move |index| array.as_primitive::<UInt64Type>().value(index)),
        // The shortest decimal of 32 bits, as in a file.
        DataType::Float32 => shown(move |index| array.as_primitive::<Float32Type>().value(index)),
        DataType::Float64 => shown(move |index| array.as_primitive::<Float64Type>().value(index)),
        DataType::Decimal32(_, scale) => decimals(*scale, move |index| {
            array.as_primitive::<Decimal32Type>().value(index).to_be_bytes().to_vec()
        }),
        DataType::Decimal64(_, scale) => decimals(*scale, move |index| {
            array.as_primitive::<Decimal64Type>().value(index).to_be_bytes().to_vec()
        }),
        DataType::Decimal128(_, scale) => decimals(*scale, move |index| {
            array.as_primitive::<Decimal128Type>().value(index).to_be_bytes().to_vec()
        }),
        DataType::Decimal256(_, scale) => decimals(*scale, move |index| {
            array.as_primitive::<Decimal256Type>().value(index).to_be_bytes().to_vec()
        }),
        _ => return None,
    })
}

fn strings<'a>(value: impl Fn(usize) -> &'a [u8] + 'a) -> Write1<'a> {
    Box::new(move |index, text| {
        text.extend_from_slice(value(index));
        Ok(())
    })
}

/// Bytes that are to be text.
fn texts<'a>(value: impl Fn(usize) -> &'a [u8] + 'a) -> Write1<'a> {
    Box::new(move |index, text| {
        text.extend_from_slice(value(index));
        std::str::from_utf8(text).map(|_| ()).map_err(|_| NO_TEXT)
    })
}

fn shown<'a, T: std::fmt::Display>(value: impl Fn(usize) -> T + 'a) -> Write1<'a> {
    Box::new(move |index, text| write!(text, "{}", value(index)).map_err(|_| TOO_LONG))
}

/// Unscaled numbers, big-endian, with all digits behind the point.
fn decimals<'a>(scale: i8, unscaled: impl Fn(usize) -> Vec<u8> + 'a) -> Write1<'a> {
    Box::new(move |index, text| {
        let number = Decimal::from_unscaled_bytes(&unscaled(index), scale.into())?;
        text.extend_from_slice(number.to_plain().map_err(|_| TOO_LONG)?.as_bytes());
        Ok(())
    })
}

fn dates(array: &ArrayRef) -> Option<Write1<'_>> {
    let format = TimeFormat::parse("yyyy-MM-dd", None).ok()?;
    Some(Box::new(move |index, text| {
        let day = i64::from(array.as_primitive::<Date32Type>().value(index));
        let printed = format.print(day * 86_400_000).ok_or("field.not-a-time")?;
        text.extend_from_slice(printed.as_bytes());
        Ok(())
    }))
}

/// The name of a type, as Arrow's specification has it.
pub fn type_name(data_type: &DataType) -> String {
    data_type.to_string()
}
