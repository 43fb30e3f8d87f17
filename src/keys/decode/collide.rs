//! Two records that share a key, of a formula that does not keep them apart.

use super::cut::{PieceContent, SequencePiece};
use super::value::{KnownFields, belongs, bytes_of, evaluate, of_bytes};
use super::{MOST_READINGS, text};
use crate::base::map::Map;
use crate::bytes::codec::decimal::Decimal;
use crate::bytes::row;
use crate::bytes::sort::sort_distinct;
use crate::formula::typed::{Expression, TypedFormula};
use crate::formula::vector::Vector;
use crate::keys::table::KeyTable;
use crate::records::Records;
use crate::records::field::shape::Shape;
use crate::records::field::{Field, Kind};
use serde::Serialize;
use std::collections::HashMap;

/// Two records of different fields and the key they share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Collision {
    /// The fields of each, by name, in their own notation: those the key is made of.
    pub records: [Map<String, String>; 2],
    /// Their key in `\xNN` notation.
    pub key: String,
    /// Which of the records at hand they are, counted from 0; `None` when they were made up.
    pub rows: Option<[u32; 2]>,
}

/// Two records made up so that they share a key; `None` when the formula keeps all apart, or no pair was found. One byte
/// strings stand for values, as short as possible.
pub fn collision(typed: &TypedFormula, fields: &[Field]) -> Option<Collision> {
    if typed.shape.one_to_one {
        return None;
    }
    if !typed.kinds.is_empty() {
        return typed.kinds.iter().find_map(|kind| collision(kind.formula.as_ref()?, fields));
    }
    let maker = RecordMaker { typed, fields, shapes: shapes(typed) };
    maker.between_values().or_else(|| maker.within_a_value())
}

/// Two of these records that share a key although fields of it differ: the first such key in order.
pub fn collision_among(
    typed: &TypedFormula,
    fields: &[Field],
    records: &Records,
    table: &KeyTable,
) -> Option<Collision> {
    let mut used: Vec<usize> = typed.fields_of_key().collect();
    sort_distinct(&mut used);
    let columns = used.iter().filter_map(|&field| records.column(&fields.get(field)?.name));
    let columns: Vec<_> = columns.collect();
    let differ =
        |a: u32, b: u32| columns.iter().any(|column| column.text(a as usize) != column.text(b as usize));
    let named = |row: u32| {
        let mut named = Map::new();
        for column in &columns {
            named.insert(column.field.name.clone(), column.text(row as usize));
        }
        named
    };
    let mut before: Option<(u32, &[u8])> = None;
    for (row, key) in table.iter_from(0) {
        match before {
            Some((first, same)) if same == key => {
                if differ(first, row) {
                    let (records, rows) = ([named(first), named(row)], Some([first, row]));
                    return Some(Collision { records, key: row::to_string_binary(key), rows });
                }
            }
            _ => before = Some((row, key)),
        }
    }
    None
}

/// Properties of each field of a formula.
fn shapes(typed: &TypedFormula) -> Map<usize, Shape> {
    fn walk(expression: &Expression, shapes: &mut Map<usize, Shape>) {
        match expression {
            Expression::Field { index, shape } => {
                shapes.insert(*index, shape.clone());
            }
            Expression::Literal(_) | Expression::Salt { .. } => {}
            Expression::Join { parts, .. } => parts.iter().for_each(|part| walk(part, shapes)),
            Expression::Apply { input, .. } => walk(input, shapes),
        }
    }
    let mut shapes = Map::new();
    typed.parts.iter().for_each(|part| walk(&part.expression, &mut shapes));
    shapes
}

struct RecordMaker<'a> {
    typed: &'a TypedFormula,
    fields: &'a [Field],
    shapes: Map<usize, Shape>,
}

/// A moment for times: 2021-09-07T10:11:12Z.
const TIME: i64 = 1_631_009_472_000;

impl RecordMaker<'_> {
    /// A value of a field near the wanted one: text filled up to its width, a time within its unit and range.
    fn fitted(&self, field: usize, wanted: Wanted<'_>) -> Option<Vector> {
        let shape = self.shapes.get(&field)?;
        let value = match (shape.kind, wanted) {
            (Kind::Text | Kind::Bytes, Wanted::Text(text)) => {
                let mut text = text.to_vec();
                let least = usize::try_from(shape.width.min).unwrap_or(usize::MAX).min(row::MAX_ROW_LENGTH);
                text.resize(text.len().max(least), b'x');
                of_bytes(&text)
            }
            (Kind::Time, Wanted::Number(number)) => {
                let unit = shape.unit.max(1);
                let local = TIME.saturating_add(number).saturating_add(shape.offset);
                let time = local.div_euclid(unit).saturating_mul(unit).saturating_sub(shape.offset);
                let (low, high) = shape.range.unwrap_or((i64::MIN, i64::MAX));
                Vector::Integers(vec![if (low..=high).contains(&time) { time } else { low }])
            }
            (Kind::Integer, Wanted::Number(number)) => Vector::Integers(vec![number]),
            (Kind::Boolean, Wanted::Number(number)) => Vector::Integers(vec![number & 1]),
            (Kind::Float, Wanted::Number(number)) => Vector::Integers(vec![(number as f64).to_bits() as i64]),
            (Kind::Decimal, Wanted::Text(text)) if Decimal::parse(text).is_ok() => of_bytes(text),
            (Kind::Decimal, Wanted::Number(number)) => of_bytes(number.to_string().as_bytes()),
            _ => return None,
        };
        belongs(&value, shape).then_some(value)
    }

    /// A record of plain values: letters, ones, one moment.
    fn plain(&self) -> Option<KnownFields> {
        let letters = b"abcdefghijklmnopqrstuvwxyz".chunks(1).cycle();
        let mut values = KnownFields::new();
        for (&field, letter) in self.shapes.keys().zip(letters) {
            let text = self.fitted(field, Wanted::Text(letter));
            values.insert(field, text.or_else(|| self.fitted(field, Wanted::Number(1)))?);
        }
        Some(values)
    }

    fn key(&self, record: &KnownFields) -> Option<Vec<u8>> {
        let mut key = Vec::new();
        for part in &self.typed.parts {
            key.extend_from_slice(bytes_of(&evaluate(&part.expression, record, Some(0)).ok()?));
        }
        row::check_length(key.len()).is_ok().then_some(key)
    }

    /// The first two of these records that share a key.
    fn shared(&self, records: impl Iterator<Item = KnownFields>) -> Option<Collision> {
        let mut seen: HashMap<Vec<u8>, KnownFields> = HashMap::new();
        for record in records {
            let Some(key) = self.key(&record) else { continue };
            match seen.get(&key) {
                Some(other) if *other != record => {
                    let named = |record: &KnownFields| {
                        let mut named = Map::new();
                        for (&index, value) in record {
                            if let Some(field) = self.fields.get(index) {
                                named.insert(field.name.clone(), text(field, value));
                            }
                        }
                        named
                    };
                    let records = [named(other), named(&record)];
                    return Some(Collision { records, key: row::to_string_binary(&key), rows: None });
                }
                _ => seen.insert(key, record),
            };
        }
        None
    }

    /// Two values of which the one ends where the other begins, moved by what stands between them: `ab`, `c` and `a`, `bc`.
    fn between_values(&self) -> Option<Collision> {
        let plain = self.plain()?;
        let mut sequences = vec![SequencePiece::parts(self.typed)];
        self.typed.parts.iter().for_each(|part| joins(&part.expression, &mut sequences));
        for pieces in &sequences {
            let fields: Vec<Vec<usize>> = pieces.iter().map(fields_of).collect();
            let holding = |(index, fields): (usize, &Vec<usize>)| Some((index, *fields.first()?));
            let holders: Vec<(usize, usize)> = fields.iter().enumerate().filter_map(holding).collect();
            for (place, &(left, first)) in holders.iter().enumerate() {
                for &(right, second) in holders.iter().skip(place + 1).filter(|(_, second)| *second != first)
                {
                    let mut middle = Vec::new();
                    for piece in pieces.iter().take(right).skip(left + 1) {
                        match piece.content {
                            PieceContent::Literal(bytes) => middle.extend_from_slice(bytes),
                            PieceContent::Value(value) => {
                                let value = evaluate(value, &plain, Some(0)).ok();
                                middle.extend_from_slice(value.as_ref().map_or(&[], bytes_of));
                            }
                        }
                    }
                    if let Some(found) = self.around(&plain, first, second, &middle) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    fn around(&self, plain: &KnownFields, first: usize, second: usize, middle: &[u8]) -> Option<Collision> {
        let lefts = [
            &[&b"a"[..], middle, b"b"].concat()[..],
            b"a",
            &[b"a", middle, b"1"].concat(),
            &[b"a", middle].concat(),
        ];
        let rights = [
            &b"c"[..],
            &[b"b", middle, b"c"].concat(),
            &[b"1", middle, b"c"].concat(),
            &[middle, b"c"].concat(),
        ];
        let numbers = [1, 11, -1].map(Wanted::Number);
        let values = |field: usize, texts: [&[u8]; 4]| -> Vec<Vector> {
            let texts = texts.map(Wanted::Text);
            texts.into_iter().chain(numbers).filter_map(|wanted| self.fitted(field, wanted)).collect()
        };
        let (lefts, rights) = (values(first, lefts), values(second, rights));
        let with = |left: &Vector, right: &Vector| {
            let mut record = plain.clone();
            record.insert(first, left.clone());
            record.insert(second, right.clone());
            record
        };
        self.shared(lefts.iter().flat_map(|left| rights.iter().map(move |right| with(left, right))))
    }

    /// One field changed until a step gives the same for two of its values.
    fn within_a_value(&self) -> Option<Collision> {
        let plain = self.plain()?;
        self.shapes.keys().find_map(|&field| {
            let letters =
                (0..26u8).flat_map(|a| (0..MOST_READINGS as u8).map(move |b| vec![b'a' + a, b'a' + b]));
            let long =
                [b'x', b'y'].map(|last| [&b"abcdefghijklmnopqrstuvwxyz".repeat(4)[..], &[last]].concat());
            // Letters of another case, numbers of equal value.
            let cases = [b"a", b"A", &b"1"[..], b"1.0"].map(<[u8]>::to_vec);
            let texts = cases.into_iter().chain(letters).chain(long);
            let steps = [0, 1, 1_000, 60_000, 3_600_000, 86_400_000, 366 * 86_400_000, 36_525 * 86_400_000];
            let numbers =
                steps.into_iter().chain(2..1_000).map(|number| self.fitted(field, Wanted::Number(number)));
            let texts = texts.map(|text| self.fitted(field, Wanted::Text(&text)));
            self.shared(numbers.chain(texts).flatten().map(|value| {
                let mut record = plain.clone();
                record.insert(field, value);
                record
            }))
        })
    }
}

#[derive(Clone, Copy)]
enum Wanted<'a> {
    Text(&'a [u8]),
    /// A number, or milliseconds after the plain moment.
    Number(i64),
}

fn fields_of(piece: &SequencePiece<'_>) -> Vec<usize> {
    let mut fields = Vec::new();
    if let PieceContent::Value(expression) = piece.content {
        expression.fields(&mut fields);
    }
    fields
}

/// The pieces of every join within an expression.
fn joins<'a>(expression: &'a Expression, sequences: &mut Vec<Vec<SequencePiece<'a>>>) {
    match expression {
        Expression::Join { separator, parts, .. } => {
            sequences.push(SequencePiece::joined(separator, parts));
            parts.iter().for_each(|part| joins(part, sequences));
        }
        Expression::Apply { input, .. } => joins(input, sequences),
        Expression::Field { .. } | Expression::Literal(_) | Expression::Salt { .. } => {}
    }
}
