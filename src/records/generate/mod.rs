//! Records made up from a description, so that a design can be judged with no data at all.
//!
//! Integer arithmetic only: the same description gives the same records on every machine.

mod random;
mod source;
mod spec;
mod timeline;

pub use spec::{Entities, GeneratedField, GeneratorSpec, LateRecords, Rhythm, ValueSource};

use crate::base::Problem;
use crate::records::columns::{Column, ColumnValues, Records};
use crate::records::field::Field;
use crate::records::field::read::FieldReading;
use random::Random;
use source::{MadeValue, ValueMaker};
use timeline::Timeline;

/// Makes records, some at a time.
#[derive(Debug)]
pub struct Generator {
    rows: u64,
    made: u64,
    random: Random,
    timeline: Timeline,
    makers: Vec<(ValueMaker, FieldReading)>,
    fields: Vec<Field>,
}

impl Generator {
    /// Of this description, for these fields; for the fields the description itself names when there are none.
    /// A field the description does not name gets values that suit its type. Errors: a time that cannot be read, a
    /// span or a count out of bounds, more entities than their digits can tell apart.
    pub fn new(spec: &GeneratorSpec, fields: &[Field]) -> Result<Self, Problem> {
        if spec.rows >= u64::from(u32::MAX) {
            return Err(Problem::new("generate.too-many-rows").with("rows", spec.rows));
        }
        let fields = if fields.is_empty() { spec.declared() } else { fields.to_vec() };
        let mut random = Random::new(spec.seed);
        let makers = fields
            .iter()
            .map(|field| {
                let source = spec.source(field);
                let maker = ValueMaker::new(&source, &mut random)
                    .map_err(|problem| problem.at_field(field.name.clone()))?;
                Ok((maker, FieldReading::new(field)?))
            })
            .collect::<Result<_, Problem>>()?;
        let timeline = Timeline::new(spec)?;
        Ok(Self { rows: spec.rows, made: 0, random, timeline, makers, fields })
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
        let mut text = Vec::new();
        for _ in 0..count.min(self.left()) {
            let row = self.made as u32;
            let arrival = self.timeline.arrival(self.made, &mut self.random);
            for ((maker, reading), column) in self.makers.iter_mut().zip(&mut records.columns) {
                text.clear();
                let made = maker.make(self.made, arrival, &mut self.random, &mut text);
                store(column, reading, made, &text);
            }
            records.add_positions(0, 0, &[row]);
            self.made += 1;
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
