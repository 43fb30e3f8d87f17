//! Values as bytes: `Bytes.toBytes`, `OrderedBytes`, Phoenix's types.

use crate::convert::thrown;
use crate::value;
use rowscape::Problem;
use rowscape::codec::ordered::{self, Numeric};
use rowscape::codec::phoenix::{PhoenixLayout, PhoenixType, PhoenixValue};
use rowscape::codec::{SortDirection, java};
use wasm_bindgen::prelude::*;

fn unknown(name: &str) -> JsValue {
    thrown(&Problem::new("codec.unknown-type").with("found", name))
}

/// The bytes of a value of a type of `family`: `java`, `ordered` or `phoenix`.
#[wasm_bindgen(js_name = encodeValue)]
pub fn encode_value(family: &str, name: &str, descending: bool, value: JsValue) -> Result<Vec<u8>, JsValue> {
    let mut out = Vec::new();
    match family {
        "java" => write_java(name, &value, &mut out)?,
        "ordered" => {
            let direction = if descending { SortDirection::Descending } else { SortDirection::Ascending };
            write_ordered(name, &value, direction, &mut out)?;
        }
        _ => {
            let order = if descending { SortDirection::Descending } else { SortDirection::Ascending };
            let layout = PhoenixType::named(name).ok_or_else(|| unknown(name))?.layout;
            value::coded(layout.encode(&phoenix_value(layout, &value)?, order, &mut out))?;
        }
    }
    Ok(out)
}

fn write_java(name: &str, value: &JsValue, out: &mut Vec<u8>) -> Result<(), JsValue> {
    match name {
        "boolean" => java::write_boolean(value::boolean(value)?, out),
        "short" => value::coded(java::write_integer(value::integer(value)?, 2, out))?,
        "int" => value::coded(java::write_integer(value::integer(value)?, 4, out))?,
        "long" => value::coded(java::write_integer(value::integer(value)?, 8, out))?,
        "float" => java::write_float(value::float(value)?, out),
        "double" => java::write_double(value::double(value)?, out),
        "BigDecimal" => java::write_decimal(&value::decimal(value)?, out),
        "String" => java::write_text(&value::units(value)?, out),
        _ => return Err(unknown(name)),
    }
    Ok(())
}

fn write_ordered(
    name: &str,
    value: &JsValue,
    direction: SortDirection,
    out: &mut Vec<u8>,
) -> Result<(), JsValue> {
    let mut integer =
        |width| value::coded(ordered::write_integer(value::integer(value)?, width, direction, out));
    match name {
        "int8" => return integer(1),
        "int16" => return integer(2),
        "int32" => return integer(4),
        "int64" => return integer(8),
        "float32" => ordered::write_float32(value::float(value)?, direction, out),
        "float64" => ordered::write_float64(value::double(value)?, direction, out),
        "null" => ordered::write_null(direction, out),
        "numeric" | "string" | "blobVar" | "blobCopy" if value.is_null() || value.is_undefined() => {
            ordered::write_null(direction, out);
        }
        "numeric" => {
            let number = match value::double(value) {
                Ok(number) => Numeric::from(number),
                Err(_) => Numeric::Decimal(value::decimal(value)?),
            };
            value::coded(ordered::write_numeric(&number, direction, out))?;
        }
        "string" => {
            let mut text = Vec::new();
            java::write_text(&value::units(value)?, &mut text);
            value::coded(ordered::write_text(&text, direction, out))?;
        }
        "blobVar" => ordered::write_blob_var(&value::bytes(value)?, direction, out),
        "blobCopy" => value::coded(ordered::write_blob_copy(&value::bytes(value)?, direction, out))?,
        _ => return Err(unknown(name)),
    }
    Ok(())
}

fn phoenix_value(layout: PhoenixLayout, value: &JsValue) -> Result<PhoenixValue, JsValue> {
    if value.is_null() || value.is_undefined() {
        return Ok(PhoenixValue::Null);
    }
    Ok(match layout {
        PhoenixLayout::Whole { .. } => PhoenixValue::Whole(value::integer(value)?),
        PhoenixLayout::Float { .. } => PhoenixValue::Float(value::float(value)?),
        PhoenixLayout::Double { .. } => PhoenixValue::Double(value::double(value)?),
        PhoenixLayout::Decimal => PhoenixValue::Decimal(value::decimal(value)?),
        PhoenixLayout::Boolean => PhoenixValue::Boolean(value::boolean(value)?),
        PhoenixLayout::Varchar | PhoenixLayout::Char => {
            let mut text = Vec::new();
            java::write_text(&value::units(value)?, &mut text);
            PhoenixValue::Bytes(text)
        }
        PhoenixLayout::Varbinary | PhoenixLayout::Binary => PhoenixValue::Bytes(value::bytes(value)?),
        PhoenixLayout::Date { .. } | PhoenixLayout::Timestamp { .. } => {
            let (millis, nanos) = value::moment(value)?;
            PhoenixValue::Time { millis, nanos }
        }
    })
}
