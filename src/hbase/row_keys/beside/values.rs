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

/// Bytes that are looked up together: in short values three, in others six.
const SHORT_RUN: usize = 3;
const LONG_RUN: usize = 6;
/// Bits of the places of runs.
const PLACES: u32 = 26;
/// Most bytes of values that are found in keys by accident, and of those that are no more than a few.
const SHORT: usize = 2;
const SHORT_OF_FEW: usize = 4;
const FEW: usize = 256;
/// Most values that are held of all formulas.
const HELD: usize = 8 << 20;
/// A record without a value.
const NONE: u32 = u32::MAX;

/// The runs of bytes that occur in keys, by hashes: a few more may seem to.
pub(super) struct Grams(Vec<u64>);

impl Grams {
    /// Collects the runs of keys.
    pub fn of<'k>(keys: impl Iterator<Item = &'k [u8]>) -> Self {
        let mut grams = Self(vec![0; 1 << (PLACES - 6)]);
        for key in keys {
            for run in key.windows(SHORT_RUN).chain(key.windows(LONG_RUN)) {
                let at = place(run);
                grams.0.get_mut(at >> 6).into_iter().for_each(|word| *word |= 1 << (at & 63));
            }
        }
        grams
    }

    /// True if all runs of a value occur in keys.
    pub fn hold(&self, value: &[u8]) -> bool {
        let is_there = |run: &[u8]| {
            let at = place(run);
            self.0.get(at >> 6).is_some_and(|word| word >> (at & 63) & 1 == 1)
        };
        value.windows(if value.len() < LONG_RUN { SHORT_RUN } else { LONG_RUN }).all(is_there)
    }
}

fn place(run: &[u8]) -> usize {
    let mixed = run.iter().fold(run.len() as u64, |mixed, &byte| {
        (mixed ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    (mixed >> (64 - PLACES)) as usize
}

/// A formula of one field whose values may occur in keys.
pub(super) struct Candidate {
    pub chain: Chain,
    typed: TypedFormula,
    /// Hash of the values for a few records, to drop formulas that are equal.
    pub mark: u64,
    values: Option<Rc<ChainValues>>,
}

/// The values of a formula for records, found by hashes of their bytes: what is found is tried at the end.
#[derive(Default)]
pub(super) struct ChainValues {
    /// For each record the number of its value.
    ids: Vec<u32>,
    by_hash: HashMap<u64, u32>,
    /// Their lengths, the longest first.
    pub lengths: Vec<usize>,
    /// Where the records of each value end in `rows`.
    ends: Vec<u32>,
    rows: Vec<u32>,
    /// The bytes that some begin with.
    begins: Vec<bool>,
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

    /// Its values for all records, none where too many are `held` of other formulas.
    pub fn values(&mut self, all: &mut Encoder<'_>, held: &mut usize) -> Rc<ChainValues> {
        if let Some(values) = &self.values {
            return values.clone();
        }
        let values = if *held < HELD { ChainValues::of(all, &self.typed) } else { ChainValues::default() };
        *held += values.ids.len();
        self.values.insert(Rc::new(values)).clone()
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
        let mut found = Self { begins: vec![false; 256], ..Self::default() };
        for value in values_of(encoder, typed).unwrap_or_default() {
            let Some(value) = value.filter(|value| !value.is_empty()) else {
                found.ids.push(NONE);
                continue;
            };
            let next = found.by_hash.len() as u32;
            let id = *found.by_hash.entry(hash(&value)).or_insert(next);
            if id == next {
                let begin = value.first().and_then(|&first| found.begins.get_mut(usize::from(first)));
                begin.into_iter().for_each(|begin| *begin = true);
                found.lengths.push(value.len());
            }
            found.ids.push(id);
        }
        found.lengths.sort_unstable_by(|a, b| b.cmp(a));
        found.lengths.dedup();
        found.rows = (0..).zip(&found.ids).filter(|(_, id)| **id != NONE).map(|(row, _)| row).collect();
        let ids = &found.ids;
        found.rows.sort_by_key(|&row| ids.get(row as usize).copied());
        let mut counts = vec![0; found.by_hash.len()];
        let known = ids.iter().filter_map(|&id| usize::try_from(id).ok());
        known.for_each(|id| counts.get_mut(id).into_iter().for_each(|count| *count += 1));
        let mut end = 0;
        found.ends.extend(counts.into_iter().map(|count: u32| {
            end += count;
            end
        }));
        found
    }

    /// True if the values are so few and so short that keys contain them by accident.
    pub fn are_short(&self) -> bool {
        let longest = self.lengths.first().copied().unwrap_or_default();
        longest <= SHORT || (longest <= SHORT_OF_FEW && self.ends.len() <= FEW)
    }

    /// True if a value may begin with this byte.
    pub fn begins_with(&self, byte: u8) -> bool {
        self.begins.get(usize::from(byte)).is_some_and(|begins| *begins)
    }

    /// The records that have these bytes, among `live` ones where some are known; `None` if none has them.
    pub fn records(&self, bytes: &[u8], live: Option<&Rc<[u32]>>) -> Option<Rc<[u32]>> {
        let id = *self.by_hash.get(&hash(bytes))?;
        if let Some(live) = live {
            let own = live.iter().copied().filter(|&row| self.ids.get(row as usize) == Some(&id));
            let own: Rc<[u32]> = own.collect();
            return (!own.is_empty()).then_some(own);
        }
        let end = *self.ends.get(id as usize)? as usize;
        let start =
            (id as usize).checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.rows.get(start as usize..end).map(Rc::from)
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
