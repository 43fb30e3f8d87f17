//! The identity of records: the fields that together are unique for the life of a table.

use crate::bytes::sort::sort_by_key;

/// Rows of a table for each record, where neither growth nor a rate of writes is known.
pub(super) const LIFE: f64 = 1000.0;

/// The size of a table at the end of its life.
#[derive(Clone, Copy)]
pub(super) struct TableLife {
    /// Rows at the end of its life.
    pub rows: f64,
    /// Rows written a second, where that is known.
    pub rate: Option<f64>,
}

/// The fields that tell the records of a table apart.
#[derive(Default)]
pub(super) struct Identity {
    /// Sets of fields each of which does; a single one that does so best where none does for the life of the table.
    pub ways: Vec<Vec<usize>>,
    /// For each field whether it is a measured value: a number that no query names and nothing makes unique.
    pub measured: Vec<bool>,
    /// Share of the rows expected to overwrite another one, where that is too much.
    pub loss: Option<f64>,
}

impl Identity {
    /// Fields to append to a key of the fields `held`: those that queries test, then those that make it unique, measured values last.
    pub fn tail(&self, held: &[usize], tested: &[usize], weight: impl Fn(usize) -> usize) -> Vec<usize> {
        let mut key = held.to_vec();
        key.extend(tested.iter().filter(|field| !held.contains(field)));
        let open = |way: &Vec<usize>| -> Vec<usize> {
            way.iter().copied().filter(|field| !key.contains(field)).collect()
        };
        let bytes = |way: &Vec<usize>| way.iter().map(|&field| weight(field)).sum::<usize>();
        let added = self.ways.iter().map(open).min_by_key(bytes).unwrap_or_default();
        key.extend(added);
        let mut tail = key.split_off(held.len());
        sort_by_key(&mut tail, |&field| self.is_measured(field));
        tail
    }

    /// True if a field is a measured value.
    pub fn is_measured(&self, field: usize) -> bool {
        self.measured.get(field).copied().unwrap_or(false)
    }

    /// True if the measured values among these fields stand behind all others.
    pub fn has_measured_last(&self, fields: &[usize]) -> bool {
        let mut fields = fields.iter().skip_while(|&&field| !self.is_measured(field));
        fields.all(|&field| self.is_measured(field))
    }

    /// True if a field alone identifies a record.
    pub fn is_id(&self, field: usize) -> bool {
        self.loss.is_none() && self.ways.iter().any(|way| *way == [field])
    }

    /// For the fields of a key those of the other identity, where an id and a natural key are both one: an untested id that is left out,
    /// and fields that are added.
    pub fn other(&self, held: &[usize], tested: &[usize]) -> Option<(Option<usize>, Vec<usize>)> {
        let id = self.ways.iter().find_map(|way| match way.as_slice() {
            [id] if self.is_id(*id) => Some(*id),
            _ => None,
        })?;
        let natural = self.ways.iter().filter(|way| way.len() > 1);
        let missing = |way: &Vec<usize>| -> Vec<usize> {
            way.iter().copied().filter(|field| !held.contains(field)).collect()
        };
        let natural = natural.map(missing).min_by_key(Vec::len)?;
        match held.contains(&id) {
            true => (!tested.contains(&id)).then_some((Some(id), natural)),
            false => Some((None, vec![id])),
        }
    }

    /// The measured values that records are told apart by.
    pub fn asks(&self) -> Vec<usize> {
        let first = self.ways.first().into_iter().flatten();
        first.copied().filter(|&field| self.is_measured(field)).collect()
    }
}
