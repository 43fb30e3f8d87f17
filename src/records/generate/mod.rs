//! Records made up from a description, so that a design can be judged with no data at all.
//!
//! Integer arithmetic only: the same description gives the same records on every machine.

mod bounds;
mod random;
mod shape;
mod source;
mod spec;
mod timeline;

pub(crate) use random::Random;
pub(crate) use shape::{is_hex, made_up, shape_of};
pub use spec::{Entities, GeneratedField, GeneratorSpec, LateRecords, Rhythm, Shares, ValueSource};

use crate::base::Problem;
use crate::base::host::tick;
use crate::base::json::text;
use crate::base::limits;
use crate::records::columns::{Column, ColumnValues, Records};
use crate::records::field::Field;
use crate::records::field::read::FieldReading;
use source::{MadeValue, ValueMaker};
use spec::suited;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use timeline::Timeline;

/// Most records of a profile.
pub const MOST_OF_A_PROFILE: u64 = limits::PROFILE_ROWS.most;
/// Most bytes of a profile as JSON.
pub const MOST_PROFILE_BYTES: usize = limits::PROFILE_BYTES.most as usize;
/// How often values are drawn that no record before may have.
const DRAWN: usize = 16;

/// Makes records, some at a time.
#[derive(Debug)]
pub struct Generator {
    rows: u64,
    made: u64,
    random: Random,
    timeline: Timeline,
    makers: Vec<FieldMaker>,
    fields: Vec<Field>,
    /// Hashes of the values that are not to come again; empty where any may.
    taken: Option<HashSet<u64>>,
}

/// Makes the values of one field.
#[derive(Debug)]
struct FieldMaker {
    maker: ValueMaker,
    reading: FieldReading,
    /// Records without a value, per 10,000.
    missing: u64,
    /// True if it is one of the fields whose values together are to be distinct.
    distinct: bool,
}

impl Generator {
    /// A generator for these fields; for the fields that the description names when there are none.
    /// A field the description does not name gets values that suit its type. Errors: a time that cannot be read, a
    /// span or a count out of bounds, more entities than their digits can tell apart.
    pub fn new(spec: &GeneratorSpec, fields: &[Field]) -> Result<Self, Problem> {
        let fields = if fields.is_empty() { spec.declared() } else { fields.to_vec() };
        bounds::check(spec, &fields)?;
        let described: HashMap<&str, &GeneratedField> =
            spec.fields.iter().rev().map(|generated| (generated.name.as_str(), generated)).collect();
        let distinct: HashSet<&str> = spec.distinct.iter().map(String::as_str).collect();
        if spec.profile.is_some() && spec.rows > MOST_OF_A_PROFILE {
            return Err(Problem::new("generate.profile-rows")
                .with("rows", spec.rows)
                .with("most", MOST_OF_A_PROFILE));
        }
        let bytes = spec.profile.map_or(0, |_| text(spec).len());
        if bytes > MOST_PROFILE_BYTES {
            return Err(Problem::new("generate.profile-bytes")
                .with("bytes", bytes)
                .with("most", MOST_PROFILE_BYTES));
        }
        let mut random = Random::new(spec.seed);
        let makers = fields
            .iter()
            .map(|field| {
                let described = described.get(field.name.as_str());
                let source = described.map_or_else(|| suited(field), |generated| generated.from.clone());
                let maker = ValueMaker::new(&source, &mut random)
                    .map_err(|problem| problem.at_field(field.name.clone()))?;
                Ok(FieldMaker {
                    maker,
                    reading: FieldReading::new(field)?,
                    missing: described.map_or(0, |generated| generated.missing.into()),
                    distinct: distinct.contains(field.name.as_str()),
                })
            })
            .collect::<Result<_, Problem>>()?;
        let timeline = Timeline::new(spec)?;
        let taken = (!spec.distinct.is_empty()).then(HashSet::new);
        Ok(Self { rows: spec.rows, made: 0, random, timeline, makers, fields, taken })
    }

    /// No records yet, with the columns that [`Generator::fill`] fills.
    pub fn records(&self) -> Records {
        Records::new(&self.fields)
    }

    /// Records still to be made.
    pub fn left(&self) -> u64 {
        self.rows - self.made
    }

    /// Adds up to `count` records. The same records come for any sizes of the steps.
    pub fn fill(&mut self, records: &mut Records, count: u64) {
        let mut texts: Vec<(Option<MadeValue>, Vec<u8>)> = vec![(None, Vec::new()); self.makers.len()];
        for _ in 0..count.min(self.left()) {
            tick(1);
            let row = self.made as u32;
            let arrival = self.timeline.arrival(self.made, &mut self.random);
            self.draw(arrival, &mut texts, false);
            for _ in 1..DRAWN {
                let Some(taken) = &mut self.taken else { break };
                if taken.insert(hash_of(&self.makers, &texts)) {
                    break;
                }
                self.draw(arrival, &mut texts, true);
            }
            for ((maker, column), (made, text)) in self.makers.iter().zip(&mut records.columns).zip(&texts) {
                let nullable = column.field.nullable && made.is_none();
                if let (ColumnValues::Strings { ids, dictionary }, true) = (&mut column.values, nullable) {
                    ids.push(dictionary.intern(&[]));
                    continue;
                }
                store(column, &maker.reading, made.unwrap_or(MadeValue::Text), text);
                if made.is_none() && !column.invalid.get(row as usize) {
                    column.note_invalid(row as usize, b"", "row.value-unusable");
                }
            }
            records.add_positions(0, 0, &[row]);
            self.made += 1;
        }
    }

    /// Draws the values of a record; only those that are to be distinct where it is drawn `again`.
    fn draw(&mut self, arrival: i64, texts: &mut [(Option<MadeValue>, Vec<u8>)], again: bool) {
        for (field, (made, text)) in self.makers.iter_mut().zip(texts) {
            if again && !field.distinct {
                continue;
            }
            text.clear();
            let value = field.maker.make(self.made, arrival, &mut self.random, text);
            let missing = field.missing > 0 && self.random.below(10_000) < field.missing;
            *made = (!missing).then_some(value);
            if missing {
                text.clear();
            }
        }
    }

    /// All records of a description.
    pub fn all(spec: &GeneratorSpec, fields: &[Field]) -> Result<Records, Problem> {
        let mut generator = Self::new(spec, fields)?;
        let mut records = generator.records();
        generator.fill(&mut records, spec.rows);
        Ok(records)
    }
}

/// A hash of the values that are to be distinct, times at the resolution of their field.
fn hash_of(makers: &[FieldMaker], texts: &[(Option<MadeValue>, Vec<u8>)]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (field, (made, text)) in makers.iter().zip(texts).filter(|(field, _)| field.distinct) {
        match (made, &field.reading) {
            (Some(MadeValue::Number(number)), FieldReading::Time(format)) => {
                number.div_euclid(format.resolution().max(1)).hash(&mut hasher);
            }
            (Some(MadeValue::Number(number)), _) => number.hash(&mut hasher),
            _ => text.hash(&mut hasher),
        }
    }
    hasher.finish()
}

fn store(column: &mut Column, reading: &FieldReading, made: MadeValue, text: &[u8]) {
    let digits;
    let text = match (made, reading) {
        (MadeValue::Number(_), FieldReading::Integer | FieldReading::Time(_)) | (MadeValue::Text, _) => text,
        (MadeValue::Number(number), _) => {
            digits = number.to_string();
            digits.as_bytes()
        }
    };
    let refused = match &mut column.values {
        ColumnValues::Strings { ids, dictionary } => {
            let mut bytes = Vec::new();
            let read = reading.to_bytes(text, &mut bytes);
            ids.push(dictionary.intern(if read.is_ok() { &bytes } else { &[] }));
            read.err().map(|code| (ids.len() - 1, code))
        }
        ColumnValues::Integers(values) => {
            let value = match (made, reading) {
                (MadeValue::Number(number), FieldReading::Time(format)) => {
                    Ok(number.saturating_sub(number.rem_euclid(format.resolution().max(1))))
                }
                (MadeValue::Number(number), FieldReading::Integer) => Ok(number),
                _ => reading.to_number(text),
            };
            values.push(value.unwrap_or_default());
            value.err().map(|code| (values.len() - 1, code))
        }
    };
    if let Some((row, code)) = refused {
        column.note_invalid(row, text, code);
    }
}
