//! A design on its way over one portion of the records.

use super::stretches::KeyStretches;
use crate::bytes::strings::ByteStrings;
use crate::design::ReadRecords;
use crate::formula::typed::TypedFormula;
use crate::keys::encode::{Encoder, KeyBeginning};
use crate::scan::QueryMatcher;
use crate::summary::{DesignSummary, KeyedRow, tally};
use std::ops::Range;

/// The keys of an entry lie in several stretches.
const SEVERAL: u32 = u32::MAX;
/// A record has no key.
const NONE: u32 = u32::MAX;
/// Facts about an entry: the stretch that holds all its keys, and its rows so far. Side by side: each is looked up
/// for each row.
type EntryRows = (u32, u32);

/// Where a leading part ends in a key.
enum LeadingEnd {
    /// In all keys at the same place.
    At(usize),
    /// So many bytes before the end of what the key's entry begins with.
    Before(usize),
    /// In each key of the batch at its own place.
    Each(Vec<u32>),
}

/// A leading part.
struct LeadingParts {
    /// How many parts of the key it is.
    parts: usize,
    end: LeadingEnd,
    /// True if its values follow from the entries.
    by_entry: bool,
}

impl LeadingParts {
    /// The first `count` parts of a design of which the first `known` follow from an entry.
    fn new(design: &PassedDesign, count: usize, known: usize) -> Self {
        let all = &design.typed.parts;
        let width = |parts: Range<usize>| {
            let widths = all.get(parts)?.iter().map(|part| part.shape.width.exact());
            usize::try_from(widths.sum::<Option<u64>>()?).ok()
        };
        let before = || width(count..known).map(LeadingEnd::Before);
        let end = width(0..count).map(LeadingEnd::At).or_else(before).unwrap_or(LeadingEnd::Each(Vec::new()));
        Self { parts: count, by_entry: count <= known && !matches!(end, LeadingEnd::Each(_)), end }
    }

    /// Where it ends in the key of a batch at `index`, whose entry begins with so many bytes.
    fn end(&self, index: usize, beginning: usize) -> usize {
        match &self.end {
            LeadingEnd::At(end) => *end,
            LeadingEnd::Before(rest) => beginning.saturating_sub(*rest),
            LeadingEnd::Each(ends) => ends.get(index).map_or(0, |&end| end as usize),
        }
    }
}

/// A design with what is counted of it.
#[derive(Clone)]
pub(super) struct PassedDesign {
    pub typed: TypedFormula,
    /// Its leading parts: each as the number of parts up to its end.
    pub leading: Vec<usize>,
    /// Where keys lie, among split points and the ranges of the queries.
    pub stretches: KeyStretches,
}

/// The facts about the rows of a batch besides their keys.
pub(super) struct BatchFacts<'t> {
    /// When each arrived.
    pub times: &'t [Option<i64>],
    /// Which are reads, where they tell.
    pub reads: Option<&'t ReadRecords<'t>>,
    /// Which match each query.
    pub matching: &'t [Option<QueryMatcher<'t>>],
}

/// A design on its way over one portion of the records.
pub(super) struct Portion<'a> {
    design: &'a PassedDesign,
    /// The first bytes of keys where they follow from a dictionary: what holds for an entry is found once.
    beginning: Option<KeyBeginning<'a>>,
    entries: Vec<EntryRows>,
    leading: Vec<LeadingParts>,
    /// The stretch of each row of the batch; [`NONE`] for one that has no key.
    stretches: Vec<u32>,
    /// The region of each row of the batch; `u32::MAX` for one that has no key.
    pub regions: Vec<u32>,
}

impl<'a> Portion<'a> {
    /// For design number `number` of the encoder.
    pub fn new(encoder: &'a Encoder<'_>, number: usize, design: &'a PassedDesign) -> Self {
        let beginning = encoder.beginning(number);
        let values = || beginning.iter().flat_map(|beginning| beginning.values.iter());
        let stretch = |value: &[u8]| design.stretches.of_all(value).map_or(SEVERAL, |stretch| stretch as u32);
        let known = beginning.as_ref().map_or(0, |beginning| beginning.parts);
        Self {
            design,
            entries: values().map(|value| (stretch(value), 0)).collect(),
            stretches: Vec::new(),
            leading: design.leading.iter().map(|&count| LeadingParts::new(design, count, known)).collect(),
            regions: Vec::new(),
            beginning,
        }
    }

    /// Counts the keys of a batch of rows.
    pub fn count(
        &mut self,
        encoder: &Encoder<'_>,
        keys: &ByteStrings,
        rows: Range<usize>,
        told: &BatchFacts<'_>,
        counted: &mut DesignSummary,
    ) {
        self.place(keys, rows.clone(), told.matching, counted);
        let all = keys.iter().zip(&self.regions).zip(told.times).zip(rows.clone());
        let all = all.filter(|(((_, region), _), _)| **region != NONE);
        counted.add_rows(all.map(|(((key, &region), &time), row)| KeyedRow {
            key,
            region,
            time,
            read: told.reads.is_some_and(|reads| reads.is_read(row)),
        }));
        self.find_ends(encoder, rows);
        for (part, values) in self.leading.iter().zip(&mut counted.leading).filter(|(part, _)| !part.by_entry)
        {
            let all = keys.iter().enumerate().filter(|(_, key)| !key.is_empty());
            let value = |(index, key): (usize, _)| <[u8]>::get(key, ..part.end(index, 0).min(key.len()));
            tally(all.map(|row| value(row).unwrap_or_default()), values);
        }
    }

    /// Finds the region of each key, and counts what queries read of them.
    // Called for each batch: what is part of the long call around it would run as V8 compiled it first, in haste.
    #[inline(never)]
    fn place(
        &mut self,
        keys: &ByteStrings,
        rows: Range<usize>,
        matching: &[Option<QueryMatcher<'_>>],
        counted: &mut DesignSummary,
    ) {
        let places = &self.design.stretches;
        let ids = self.beginning.as_ref().map_or(&[][..], |beginning| beginning.entries(rows.clone()));
        self.stretches.clear();
        let entries = &mut self.entries;
        self.stretches.extend(keys.iter().enumerate().map(|(index, key)| {
            if key.is_empty() {
                return NONE;
            }
            let entry = ids.get(index).and_then(|&id| entries.get_mut(id as usize));
            let known = entry.map_or(SEVERAL, |(stretch, rows)| {
                *rows += 1;
                *stretch
            });
            if known == SEVERAL { places.of(key) as u32 } else { known }
        }));
        let region = |&stretch: &u32| if stretch == NONE { NONE } else { places.region(stretch as usize) };
        self.regions.clear();
        self.regions.extend(self.stretches.iter().map(region));
        let asked = counted.queries.iter_mut().zip(matching).enumerate();
        for (query, (counted, matching)) in asked {
            let Some((counted, matching)) = counted.as_mut().zip(matching.as_ref()) else { continue };
            let read = places.read_by(query);
            let reads = |stretch: u32| read.get(stretch as usize).copied().unwrap_or(false);
            for (row, &stretch) in rows.clone().zip(&self.stretches) {
                if reads(stretch) {
                    counted.read += 1;
                    counted.returned += u64::from(matching.matches(row));
                }
            }
        }
    }

    /// Finds where leading parts end that end in each key of the batch at another place.
    fn find_ends(&mut self, encoder: &Encoder<'_>, rows: Range<usize>) {
        let each = |part: &&mut LeadingParts| matches!(part.end, LeadingEnd::Each(_));
        let Some(most) = self.leading.iter_mut().filter(each).map(|part| part.parts).max() else { return };
        let parts = self.design.typed.parts.get(..most).unwrap_or_default();
        let lengths = encoder.part_lengths(parts, rows.clone());
        for part in self.leading.iter_mut().filter(each) {
            let mut ends = vec![0u32; rows.len()];
            for lengths in lengths.iter().take(part.parts) {
                ends.iter_mut().zip(lengths).for_each(|(end, length)| *end = end.saturating_add(*length));
            }
            part.end = LeadingEnd::Each(ends);
        }
    }

    /// Where the leading parts end in the key of record `row`, which the batch has at `index`.
    pub fn ends(&self, index: usize, row: usize) -> Vec<u32> {
        let beginning = self.beginning.as_ref().map_or(0, |beginning| beginning.of(row).len());
        self.leading.iter().map(|part| part.end(index, beginning) as u32).collect()
    }

    /// Counts the values of leading parts that follow from the entries.
    pub fn finish(self, counted: &mut DesignSummary) {
        let Some(beginning) = &self.beginning else { return };
        for (part, values) in self.leading.iter().zip(&mut counted.leading).filter(|(part, _)| part.by_entry)
        {
            let counted = beginning.values.iter().zip(&self.entries).filter(|(_, (_, rows))| *rows > 0);
            for (value, &(_, rows)) in counted {
                values.add(value.get(..part.end(0, value.len())).unwrap_or(value), rows.into());
            }
        }
    }
}
