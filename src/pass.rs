//! A pass over records of any number: all designs of a study at once, into one [`Summary`].
//!
//! Records come in portions that are encoded, counted and dropped, so memory is bounded by the portion and the summary.
//! What a person may ask of a second design, or of two compared, cannot be counted after the records are gone;
//! that is why a pass takes the whole study.

use crate::encode::{Encoder, RefusedRow};
use crate::field::Field;
use crate::formula::typed::Typed;
use crate::formula::vector::ByteStrings;
use crate::records::{Records, Values};
use crate::split::SplitPoints;
use crate::summary::{Fingerprint, Summary, Why};
use std::collections::HashMap;

/// The designs of a study on their way over its records.
pub struct Pass {
    fields: Vec<String>,
    designs: Vec<Typed>,
    arrival: Option<String>,
    summary: Summary,
}

impl Pass {
    /// Over records of `fields`, by formulas checked against them with the split points of their tables. `arrival` names
    /// the field that tells when a record is written.
    pub fn new(
        study: Fingerprint,
        fields: &[Field],
        designs: &[(&Typed, &SplitPoints)],
        arrival: Option<&str>,
    ) -> Self {
        let points: Vec<SplitPoints> = designs.iter().map(|(_, points)| (*points).clone()).collect();
        Self {
            fields: fields.iter().map(|field| field.name.clone()).collect(),
            designs: designs.iter().map(|(typed, _)| (*typed).clone()).collect(),
            arrival: arrival.map(str::to_owned),
            summary: Summary::new(study, &points),
        }
    }

    /// Counts a portion of the records; any portions in any order give the same summary.
    pub fn add(&mut self, records: &Records) {
        let fields: Vec<&str> = self.fields.iter().map(String::as_str).collect();
        let designs: Vec<&Typed> = self.designs.iter().collect();
        let encoder = Encoder::new(records, &fields, &designs);
        let arrival = self.arrival.as_deref().and_then(|arrival| records.column(arrival));
        let time = |row: usize| match arrival.map(|column| (&column.values, &column.invalid)) {
            Some((Values::Integers(times), invalid)) if !invalid.get(row) => times.get(row).copied(),
            _ => None,
        };
        let of = |column: Option<usize>| column.and_then(|column| records.columns.get(column));
        let mut keys = vec![ByteStrings::default(); self.designs.len()];
        for rows in encoder.batches() {
            keys.iter_mut().for_each(ByteStrings::clear);
            let mut refused: HashMap<(usize, usize), (RefusedRow, String)> = HashMap::new();
            encoder.encode_rows(rows.clone(), &mut keys, |design, row| {
                let text = of(row.column).map(|column| column.refused_text(row.row)).unwrap_or_default();
                refused.insert((design, row.row as usize), (row, text));
            });
            let mut all: Vec<Result<&[u8], Why>> = Vec::with_capacity(self.designs.len());
            for (index, row) in rows.enumerate() {
                all.clear();
                all.extend(keys.iter().enumerate().map(|(design, keys)| match refused.get(&(design, row)) {
                    None => Ok(keys.get(index)),
                    Some((refused, value)) => {
                        let field = of(refused.column).map_or("", |column| &column.field.name);
                        Err(Why { code: refused.code, field, value })
                    }
                }));
                self.summary.add_row(records.position(row), time(row), &all);
            }
        }
    }

    /// What was counted so far.
    pub fn so_far(&self) -> &Summary {
        &self.summary
    }

    /// What was counted.
    pub fn summary(self) -> Summary {
        self.summary
    }
}
