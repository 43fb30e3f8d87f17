//! The values of formulas for records, found by their bytes.

use super::chains::Chain;
use crate::formula::typed::TypedFormula;
use crate::formula::vector::Vector;
use crate::formula::{check, parse};
use crate::keys::encode::Encoder;
use crate::records::field::Field;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Bytes that are looked up together.
const GRAM: usize = 3;
/// Most bytes of values that are found in keys by accident, and of those that are no more than a few.
const SHORT: usize = 2;
const SHORT_OF_FEW: usize = 4;
const FEW: usize = 256;
/// A record without a value.
const NONE: u32 = u32::MAX;

/// The runs of three bytes that occur in keys.
pub(super) struct Grams(Vec<u64>);

impl Grams {
    /// Those of these keys.
    pub fn of<'k>(keys: impl Iterator<Item = &'k [u8]>) -> Self {
        let mut grams = Self(vec![0; 1 << (8 * GRAM - 6)]);
        keys.flat_map(|key| key.windows(GRAM)).for_each(|run| {
            let at = place(run);
            grams.0.get_mut(at >> 6).into_iter().for_each(|word| *word |= 1 << (at & 63));
        });
        grams
    }

    /// True if all runs of a value occur in keys.
    pub fn hold(&self, value: &[u8]) -> bool {
        let is_there = |run: &[u8]| {
            let at = place(run);
            self.0.get(at >> 6).is_some_and(|word| word >> (at & 63) & 1 == 1)
        };
        value.windows(GRAM).all(is_there)
    }
}

fn place(run: &[u8]) -> usize {
    run.iter().fold(0, |place, &byte| place << 8 | usize::from(byte))
}

/// A formula of one field whose values may occur in keys.
pub(super) struct Candidate {
    pub chain: Chain,
    typed: TypedFormula,
    /// The same of formulas with the same values for a few records.
    pub mark: u64,
    values: Option<Rc<ChainValues>>,
}

/// The values of a formula for records.
pub(super) struct ChainValues {
    /// For each record the number of its value.
    ids: Vec<u32>,
    by_bytes: HashMap<Box<[u8]>, u32>,
    /// Their lengths, the longest first.
    pub lengths: Vec<usize>,
    /// The records of each.
    rows: Vec<Rc<[u32]>>,
    /// The bytes that some begin with.
    begins: [bool; 256],
}

impl Candidate {
    /// A formula as it is for a few records; `None` if it is none, if it is the same for all of them, or if fewer than `least` have values that
    /// may occur in keys.
    pub fn of(
        chain: Chain,
        fields: &[Field],
        few: &mut Encoder<'_>,
        grams: &Grams,
        least: usize,
    ) -> Option<Self> {
        let typed = check(&parse(&chain.formula).ok()?, fields).ok()?;
        let all = values_of(few, &typed)?;
        let held = all.iter().flatten().filter(|value| !value.is_empty() && grams.hold(value)).count();
        let first = all.first();
        if held < least || all.iter().all(|value| Some(value) == first) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        all.hash(&mut hasher);
        Some(Self { chain, typed, mark: hasher.finish(), values: None })
    }

    /// Its values for all records.
    pub fn values(&mut self, all: &mut Encoder<'_>) -> Rc<ChainValues> {
        self.values.get_or_insert_with(|| Rc::new(ChainValues::of(all, &self.typed))).clone()
    }
}

/// The value of a formula for each record; `None` where it is no single value.
pub(super) fn values_of(encoder: &mut Encoder<'_>, typed: &TypedFormula) -> Option<Vec<Option<Vec<u8>>>> {
    let [part] = typed.parts.as_slice() else { return None };
    let (values, held) = encoder.held_values(&part.expression);
    let Vector::Strings(values) = values else { return None };
    Some(held.iter().enumerate().map(|(row, held)| held.then(|| values.get(row).to_vec())).collect())
}

impl ChainValues {
    fn of(encoder: &mut Encoder<'_>, typed: &TypedFormula) -> Self {
        let mut found = Self {
            ids: Vec::new(),
            by_bytes: HashMap::new(),
            lengths: Vec::new(),
            rows: Vec::new(),
            begins: [false; 256],
        };
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for (row, value) in (0..).zip(values_of(encoder, typed).unwrap_or_default()) {
            let Some(value) = value.filter(|value| !value.is_empty()) else {
                found.ids.push(NONE);
                continue;
            };
            let (next, first) = (rows.len() as u32, value.first().copied());
            let id = *found.by_bytes.entry(value.into()).or_insert(next);
            if id == next {
                let begin = first.and_then(|first| found.begins.get_mut(usize::from(first)));
                begin.into_iter().for_each(|begin| *begin = true);
                rows.push(Vec::new());
            }
            rows.get_mut(id as usize).into_iter().for_each(|rows| rows.push(row));
            found.ids.push(id);
        }
        found.lengths = found.by_bytes.keys().map(|value| value.len()).collect();
        found.lengths.sort_unstable_by(|a, b| b.cmp(a));
        found.lengths.dedup();
        found.rows = rows.into_iter().map(Rc::from).collect();
        found
    }

    /// True if the values are so few and so short that keys contain them by accident.
    pub fn are_short(&self) -> bool {
        let longest = self.lengths.first().copied().unwrap_or_default();
        longest <= SHORT || (longest <= SHORT_OF_FEW && self.rows.len() <= FEW)
    }

    /// True if a value may begin with this byte.
    pub fn begins_with(&self, byte: u8) -> bool {
        self.begins.get(usize::from(byte)).is_some_and(|begins| *begins)
    }

    /// The records that have these bytes, among `live` ones where some are known; `None` if none has them.
    pub fn records(&self, bytes: &[u8], live: Option<&Rc<[u32]>>) -> Option<Rc<[u32]>> {
        let id = *self.by_bytes.get(bytes)?;
        let rows = self.rows.get(id as usize)?;
        let Some(live) = live else { return Some(rows.clone()) };
        let own: Rc<[u32]> =
            live.iter().copied().filter(|&row| self.ids.get(row as usize) == Some(&id)).collect();
        (!own.is_empty()).then_some(own)
    }
}
