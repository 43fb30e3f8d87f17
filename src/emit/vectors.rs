//! Records made up to try the emitted code with, and the keys the core makes of them.

use super::lower::CodeWriter;
use super::names::hex;
use super::subject::EmitSubject;
use crate::bytes::sort::sort_distinct;
use crate::formula::typed::Expression;
use crate::formula::vector::Vector;
use crate::keys::encode::Encoder;
use crate::records::field::shape::Shape;
use crate::records::field::{Field, Kind, float, write};
use crate::records::read::columns::{GivenColumn, records};
use crate::records::{Column, ColumnValues};

/// Records tried, and those kept.
const TRIED: usize = 200;
const KEPT: usize = 4;

const TEXTS: [&str; 6] = ["13412341234", "user-7", "A1b2", "20210907", "é漢", "3"];
const NUMBERS: [i64; 8] = [0, 1, 2, 42, 1000, 65_537, 13_412_341_234, -5];
const TIMES: [i64; 3] = [1_631_009_472_123, 951_782_400_000, 1_700_000_000_999];
const BYTES: [&[u8]; 3] = [b"\x00\x01\xff", b"0123456789abcdef", b"\x80\x7f"];
const FLOATS: [f64; 4] = [12.5, -0.25, 1e300, 0.1];
const DECIMALS: [&str; 4] = ["12.50", "-0.003", "100", "0"];

/// Some of the texts that a value of this field can have.
fn texts(field: &Field, more: &[String]) -> Vec<String> {
    let fitted = |bytes: &[u8], filler: u8| match field.width {
        Some(width) => bytes.iter().copied().chain(std::iter::repeat(filler)).take(width as usize).collect(),
        None => bytes.to_vec(),
    };
    match field.kind {
        Kind::Text => {
            let ascii = TEXTS.iter().filter(|text| field.width.is_none() || text.is_ascii());
            let texts =
                ascii.map(|text| String::from_utf8_lossy(&fitted(text.as_bytes(), b'0')).into_owned());
            let null = field.nullable.then(String::new);
            more.iter().cloned().chain(null).chain(texts).collect()
        }
        Kind::Integer => NUMBERS.iter().map(i64::to_string).collect(),
        Kind::Time => TIMES.iter().map(|&time| write::number(field, time)).collect(),
        Kind::Bytes => {
            let width = if field.format.as_deref() == Some("uuid") { Some(16) } else { field.width };
            let sized = |bytes: &&[u8]| match width {
                Some(width) => {
                    bytes.iter().copied().chain(std::iter::repeat(7)).take(width as usize).collect()
                }
                None => bytes.to_vec(),
            };
            BYTES.iter().map(|bytes| write::string(field, &sized(bytes))).collect()
        }
        Kind::Float => FLOATS.iter().map(|&number| write::number(field, float::bits(number))).collect(),
        Kind::Decimal => DECIMALS.iter().map(|&text| text.to_owned()).collect(),
        Kind::Boolean => ["true", "false"].map(str::to_owned).to_vec(),
    }
}

/// The value of a row as a caller writes it.
fn literal(column: &Column, row: usize, writer: &CodeWriter<'_>) -> String {
    let language = writer.language;
    let kind = column.field.kind;
    let literal = match &column.values {
        ColumnValues::Strings { ids, dictionary } => {
            let bytes = ids.get(row).map(|&id| dictionary.get(id)).unwrap_or_default();
            match kind {
                Kind::Bytes => hex(bytes),
                _ => language.text(&String::from_utf8_lossy(bytes)),
            }
        }
        ColumnValues::Integers(values) => {
            let value = values.get(row).copied().unwrap_or_default();
            match kind {
                Kind::Float => format!("{:?}", float::of_bits(value)),
                Kind::Boolean if language.snaked => if value == 0 { "False" } else { "True" }.to_owned(),
                Kind::Boolean => (value != 0).to_string(),
                _ => language.number(value),
            }
        }
    };
    language.value(kind, &literal)
}

/// Keys, each with the values it is made of: those of the fields of these indices, then the salts.
pub(super) fn vectors(
    subject: &EmitSubject<'_>,
    used: &[usize],
    writer: &CodeWriter<'_>,
) -> Vec<(Vec<u8>, Vec<String>)> {
    let EmitSubject { study, design, .. } = subject;
    let known: Vec<String> = writer
        .tables
        .iter()
        .flat_map(|(table, _)| table.entries().iter().take(5))
        .map(|entry| entry.0.clone())
        .collect();
    let mut seed = 1u64;
    let mut pick = |count: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % count.max(1)
    };
    let mut columns = Vec::new();
    for field in &study.fields {
        let texts = texts(field, &known);
        let mut given = GivenColumn::default();
        for _ in 0..TRIED {
            given.texts.push(texts.get(pick(texts.len())).map(String::as_bytes).unwrap_or_default());
        }
        columns.push(given);
    }
    let Ok(records) = records(&study.fields, &columns) else { return Vec::new() };
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let encoder = Encoder::new(&records, &names, &[&design.typed]);
    let keys = encoder.encode().pop().unwrap_or_default().keys;
    let salts: Vec<Vector> = writer
        .salts
        .iter()
        .map(|&(buckets, seed, _)| {
            encoder.values(&Expression::Salt { buckets, seed, shape: Shape::salt(buckets) })
        })
        .collect();
    let mut rows: Vec<(&[u8], usize)> = keys.iter().enumerate().map(|(row, key)| (key, row)).collect();
    sort_distinct(&mut rows);
    rows.dedup_by_key(|row| row.0);
    rows.retain(|(key, _)| !key.is_empty());
    let step = (rows.len() / KEPT).max(1);
    let chosen = rows.iter().step_by(step).take(KEPT);
    let values = |row: usize| {
        let columns = used.iter().filter_map(|&field| records.columns.get(field));
        let mut values: Vec<String> = columns.map(|column| literal(column, row, writer)).collect();
        for salt in &salts {
            let Vector::Integers(salt) = salt else { continue };
            values.push(writer.language.number(salt.get(row).copied().unwrap_or_default()));
        }
        values
    };
    chosen.map(|&(key, row)| (key.to_vec(), values(row))).collect()
}
