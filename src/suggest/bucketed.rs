//! Keys behind a bucket with a region of its own: the bucket alone tells the region of a row, and the key behind it is that of
//! another candidate. So they are measured in the first round without their keys.

use super::key::KeyPart;
use super::measure::{Candidate, KeyCounts, Measured, PlacedRows, RoundInputs, SplitChoice};
use crate::base::Problem;
use crate::base::map::Map;
use crate::design::split::Splits;
use crate::keys::lengths::KeyLengthSpread;
use crate::keys::table::KeyTable;
use std::rc::Rc;

/// Keys measured before, and buckets.
pub(super) struct Bucketed<'g, 'a> {
    inputs: &'g RoundInputs<'a>,
    /// By row key what stands behind buckets.
    bodies: Map<String, KeyCounts>,
    /// By formula the bucket of each row.
    buckets: Map<String, Rc<Vec<u32>>>,
}

/// A bucket and the key behind it.
struct Split<'c> {
    bucket: &'c str,
    body: &'c str,
    count: u32,
}

impl<'g, 'a> Bucketed<'g, 'a> {
    /// Without keys.
    pub fn new(inputs: &'g RoundInputs<'a>) -> Self {
        Self { inputs, bodies: Map::new(), buckets: Map::new() }
    }

    /// True if a candidate is measured without its keys.
    pub fn is_of(&self, candidate: &Candidate) -> bool {
        self.inputs.is_priced() && split(candidate).is_some()
    }

    /// Keeps what a key measured in full tells of those behind buckets.
    pub fn keep(&mut self, candidate: &Candidate, measured: Option<&Measured>) {
        if let Some(of) = measured.filter(|_| self.inputs.is_priced()) {
            let counts = KeyCounts { lengths: of.stored.lengths, refused: of.refused, repeated: of.repeated };
            self.bodies.insert(candidate.rowkey.clone(), counts);
        }
    }

    /// The figures of a candidate; `None` where its parts are no formulas of the document.
    ///
    /// # Errors
    /// Records that lack a field.
    pub fn measured(&mut self, candidate: &Candidate) -> Result<Option<Measured>, Problem> {
        let Some(Split { bucket, body, count: regions }) = split(candidate) else { return Ok(None) };
        let (Some(buckets), Some(body)) = (self.buckets(bucket)?, self.body(body)?) else { return Ok(None) };
        let KeyLengthSpread { count, total, min, max } = body.lengths;
        let lengths = KeyLengthSpread { count, total: total + count, min: min + 1, max: max + 1 };
        let stored = self.inputs.stored(lengths);
        let placed = PlacedRows { place: &buckets, regions: regions as usize };
        let Some(queries) = self.inputs.priced(candidate, placed, stored.size) else { return Ok(None) };
        let points = (1..regions).map(|bucket| vec![bucket as u8]).collect();
        let splits = Splits::Points(points);
        let hottest = self.inputs.hottest(placed.place, placed.regions);
        let measured = self.inputs.measured(splits, (placed.regions, hottest), stored, queries);
        Ok(Some(measured.with_rows(body.refused, body.repeated)))
    }

    /// The bucket of each row.
    fn buckets(&mut self, formula: &str) -> Result<Option<Rc<Vec<u32>>>, Problem> {
        if let Some(known) = self.buckets.get(formula) {
            return Ok(Some(known.clone()));
        }
        let Some(keys) = self.inputs.keys_of(formula)? else { return Ok(None) };
        let bucket =
            |row| keys.keys.get(row).first().map_or(super::intervals::NOT_COUNTED, |&byte| byte.into());
        let found: Rc<Vec<u32>> = Rc::new((0..keys.keys.len()).map(bucket).collect());
        self.buckets.insert(formula.to_owned(), found.clone());
        Ok(Some(found))
    }

    /// The key behind a bucket, measured now if it was not before.
    fn body(&mut self, formula: &str) -> Result<Option<KeyCounts>, Problem> {
        if let Some(&known) = self.bodies.get(formula) {
            return Ok(Some(known));
        }
        let Some(keys) = self.inputs.keys_of(formula)? else { return Ok(None) };
        let body = KeyCounts::of(&KeyTable::new(keys, 0));
        self.bodies.insert(formula.to_owned(), body);
        Ok(Some(body))
    }
}

/// The parts of a candidate that has a bucket in front with a region of its own and the bucket's fields behind it.
fn split(candidate: &Candidate) -> Option<Split<'_>> {
    let (first, rest) = candidate.key.parts.split_first()?;
    let count = match first {
        KeyPart::Bucket { count, .. } | KeyPart::Second { count, .. } => *count,
        _ => return None,
    };
    let held = |field: &usize| {
        rest.iter().any(|part| matches!(part, KeyPart::Field { field: own, .. } if own == field))
    };
    let is_whole = first.made_of().iter().all(held) && !candidate.key.is_given();
    if candidate.split_choices != [SplitChoice::Buckets(count)] || !is_whole {
        return None;
    }
    let bucket = candidate.typed.parts.first()?.text.as_str();
    let body = candidate.rowkey.strip_prefix(bucket)?.strip_prefix(" + ")?;
    Some(Split { bucket, body, count })
}
