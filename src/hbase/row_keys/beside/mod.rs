//! Row keys with the records that they come from beside them, in any order: the formula that makes the keys of the records.

mod chains;
mod computed;
mod search;
mod values;

use super::sampled::some_of;
use super::structure::literal_in_formula;
use crate::formula::{check, name_in_formula, parse};
use crate::keys::encode::Encoder;
use crate::records::field::read::FieldReading;
use crate::records::field::{Field, Kind};
use crate::records::{ColumnValues, Dictionary, Records};
use chains::{ColumnTexts, chains};
use search::{Division, Judgement, Piece, PieceSearch};
use std::collections::HashSet;
use values::{Candidate, Grams};

/// Records that formulas are searched with; the one that is found is tried on all.
const SEARCHED: usize = 20_000;
/// Keys that are divided, and those by which gaps are computed.
const DIVIDED: usize = 100;
const COMPUTED: usize = 500;
/// Records by which a formula is ruled out, fewest and most.
const FEW: (usize, usize) = (48, 4000);
/// Most formulas of fields that are tried at each place.
const CANDIDATES: usize = 3000;
/// The share of keys, or of records where these are fewer, that a formula has to explain: 9 of 10.
const NEARLY_ALL: (usize, usize) = (9, 10);
/// Formulas that make most keys, but not all, of which the best is taken.
const NEARLY: usize = 16;
/// The share of a sample of keys that a formula has to explain where not all keys have records.
const MOST: f64 = 0.65;
/// The share of its keys from which on a formula makes them of mixed records too: 8 of 10.
const MIXED: (usize, usize) = (8, 10);
/// Fewest bytes of a value that is written in hexadecimal digits.
const LEAST_BYTES: usize = 4;
/// How many of the keys that were expected to have records have some at least.
const FEWER: f64 = 0.35;
/// Bits of keys that have to follow from fields.
const PROOF: usize = 48;
/// Least information in a byte of a value, in bits.
const BITS_OF_BYTE: usize = 3;

/// The formula that makes row keys of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeysOfRecords {
    /// The formula.
    pub rowkey: String,
    /// Keys that it makes of these records.
    pub made: usize,
    /// Different keys that there are.
    pub keys: usize,
}

/// Finds the formula that makes these keys of records; `None` if there is none within the reach of the search. The fields that it is over
/// are those of the records, where text of UUIDs and hexadecimal digits may have become bytes.
pub(super) fn formula_of_keys(keys: &[&[u8]], records: &Records) -> Option<(Vec<Field>, KeysOfRecords)> {
    let fields: Vec<Field> = records.columns.iter().map(|column| column.field.clone()).collect();
    if let Some(found) = searched(keys, &fields, records) {
        return Some((fields, found));
    }
    let (fields, records) = as_bytes(&fields, records)?;
    let found = searched(keys, &fields, &records)?;
    Some((fields, found))
}

fn searched(keys: &[&[u8]], fields: &[Field], records: &Records) -> Option<KeysOfRecords> {
    let distinct: HashSet<&[u8]> = keys.iter().copied().filter(|key| !key.is_empty()).collect();
    let mut all: Vec<&[u8]> = distinct.iter().copied().collect();
    all.sort_unstable();
    if all.is_empty() || records.rows == 0 {
        return None;
    }
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let some = records.sampled(SEARCHED);
    let share = |least: usize, most: usize| if least < most { least as f64 / most as f64 } else { 1.0 };
    // Records have keys, and keys records, as far as there are as many.
    let of_records = share(all.len(), records.rows);
    let of_keys = share(records.rows, all.len()) * share(some.rows, records.rows);
    let few = some.sampled(((FEW.0 as f64 / of_records) as usize + 1).min(FEW.1));
    let least = ((few.rows as f64 * of_records / 3.0) as usize).max(2);
    let candidates = candidates_of(fields, &few, &Grams::of(all.iter().copied()), least);
    let sample = some_of(&all, DIVIDED);
    let more = some_of(&all, COMPUTED);
    // The sample may have more of them or fewer.
    let share = if of_keys < 1.0 { of_keys * MOST } else { NEARLY_ALL.0 as f64 / NEARLY_ALL.1 as f64 };
    let mut encoder = Encoder::new(&some, &names, &[]);
    let mut of_gaps = Encoder::new(&some, &names, &[]);
    let mut search =
        PieceSearch { keys: &sample, candidates, all: &mut encoder, rows: some.rows, held: 0, share };
    let mut nearly: Vec<KeysOfRecords> = Vec::new();
    let mut judge = |search: &mut PieceSearch<'_, '_>, pieces: &[Piece]| {
        let division = search.division(pieces, &more).filter(|division| tells(division, &more));
        let Some(division) = division else { return Judgement::Refused(None) };
        let written = written(pieces, &search.candidates);
        let between: Vec<&str> = written.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
        let gaps = match computed::gaps(&division, &more, &between, fields, &mut of_gaps) {
            Ok(gaps) => gaps,
            Err(gap) => return Judgement::Refused(Some(gap)),
        };
        let rowkey = rowkey(written, gaps);
        let made = |records: &Records| made_of(&rowkey, fields, records, &distinct);
        let Some((found, is_whole)) = made(records) else { return Judgement::Refused(None) };
        // Short values are found in keys by accident: then those of other records do as well.
        let is_accident = search.has_short_values(pieces)
            && made(&mixed(records, &rowkey))
                .is_some_and(|(mixed, _)| mixed.made * MIXED.1 >= found.made * MIXED.0);
        if is_accident || is_whole {
            return Judgement::Final((!is_accident).then_some(found));
        }
        // Another field may make the keys that this one does not.
        nearly.push(found);
        if nearly.len() < NEARLY { Judgement::Refused(None) } else { Judgement::Final(best_of(&mut nearly)) }
    };
    let mut found = search.best(&mut judge);
    if found.is_none() {
        // Where several records have one key, others have none.
        search.share *= FEWER;
        found = search.best(&mut judge);
    }
    found.or_else(|| best_of(&mut nearly))
}

/// The formula that makes most keys, of several the first.
fn best_of(nearly: &mut Vec<KeysOfRecords>) -> Option<KeysOfRecords> {
    nearly.drain(..).rev().max_by_key(|found| found.made)
}

/// Records whose fields, of those in a formula, are each of another record.
fn mixed(records: &Records, formula: &str) -> Records {
    let mut mixed = records.clone();
    let named =
        mixed.columns.iter_mut().filter(|column| formula.contains(&name_in_formula(&column.field.name)));
    let rows = records.rows;
    for (column, turn) in named.zip(0..) {
        let by = turn * (rows / 7 + 1) % rows.max(1);
        match &mut column.values {
            ColumnValues::Strings { ids, .. } if by <= ids.len() => ids.rotate_left(by),
            ColumnValues::Integers(values) if by <= values.len() => values.rotate_left(by),
            _ => {}
        }
    }
    mixed
}

/// The fields and records in which columns of UUIDs or of hexadecimal digits are bytes; `None` if there are none.
fn as_bytes(fields: &[Field], records: &Records) -> Option<(Vec<Field>, Records)> {
    let (mut fields, mut records) = (fields.to_vec(), records.clone());
    let mut changed = false;
    for field in fields.iter_mut().filter(|field| field.kind == Kind::Text) {
        let Some(column) = records.columns.iter_mut().find(|column| column.field.name == field.name) else {
            continue;
        };
        let ColumnValues::Strings { ids, dictionary } = &column.values else { continue };
        let own = ["uuid", "hex"].into_iter().find_map(|format| {
            let format = Some(format.to_owned());
            let field = Field { kind: Kind::Bytes, format, width: None, nullable: false, ..field.clone() };
            let reading = FieldReading::new(&field).ok()?;
            let mut read = Dictionary::default();
            let mut bytes = Vec::new();
            let mut of_entry = |entry: &[u8]| {
                bytes.clear();
                reading.to_bytes(entry, &mut bytes).ok()?;
                (bytes.len() >= LEAST_BYTES).then(|| read.intern(&bytes))
            };
            let own = dictionary.entries.iter().map(&mut of_entry).collect::<Option<Vec<u32>>>()?;
            let ids = ids.iter().filter_map(|&id| own.get(id as usize).copied()).collect();
            Some((field, ColumnValues::Strings { ids, dictionary: read }))
        });
        if let Some((own, values)) = own {
            (column.field, column.values) = (own.clone(), values);
            *field = own;
            changed = true;
        }
    }
    changed.then_some((fields, records))
}

/// The formulas of single fields whose values may be in the keys: fewer than `least` of a few records rule one out.
fn candidates_of(fields: &[Field], few: &Records, grams: &Grams, least: usize) -> Vec<Candidate> {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let mut of_few = Encoder::new(few, &names, &[]);
    let mut candidates = Vec::new();
    for field in fields {
        let Some(column) = few.column(&field.name) else { continue };
        let texts: Vec<String> = (0..few.rows).map(|row| column.text(row)).collect();
        let texts = ColumnTexts::of(texts.iter().map(String::as_str));
        let of = |chain| Candidate::of(chain, fields, &mut of_few, grams, least);
        candidates.extend(chains(field, &texts).into_iter().filter_map(of));
    }
    cheapest(candidates)
}

/// A formula, if it makes nearly all keys of the records, and whether it makes all.
fn made_of(
    rowkey: &str,
    fields: &[Field],
    records: &Records,
    keys: &HashSet<&[u8]>,
) -> Option<(KeysOfRecords, bool)> {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let typed = check(&parse(rowkey).ok()?, fields).ok()?;
    let made = Encoder::new(records, &names, &[&typed]).encode().into_iter().next()?;
    let made: HashSet<&[u8]> = made.keys.iter().filter(|key| !key.is_empty()).collect();
    let common = made.intersection(keys).count();
    let fewer = made.len().min(keys.len());
    let is_proven = common * NEARLY_ALL.1 >= fewer * NEARLY_ALL.0 && common > 0;
    let found = || KeysOfRecords { rowkey: rowkey.to_owned(), made: common, keys: keys.len() };
    is_proven.then(|| (found(), common == fewer))
}

/// The cheapest candidates, of those with the same values one.
fn cheapest(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|candidate| candidate.chain.cost);
    let mut seen = HashSet::new();
    candidates.retain(|candidate| seen.insert(candidate.mark));
    candidates.truncate(CANDIDATES);
    candidates
}

/// True if so much of the keys follows from fields that it is no accident.
fn tells(division: &Division, keys: &[&[u8]]) -> bool {
    let others = division.pieces.iter().filter(|piece| matches!(piece, Piece::Byte(_))).count();
    let of_gaps = |gaps: &[(u32, u32)]| gaps.iter().map(|(from, to)| (to - from) as usize).sum::<usize>();
    let told = division.keys.iter().map(|divided| {
        let length = keys.get(divided.number).map_or(0, |key| key.len());
        length.saturating_sub(of_gaps(&divided.gaps) + others)
    });
    told.sum::<usize>() * BITS_OF_BYTE >= PROOF
}

/// The pieces as a formula writes them, bytes that follow each other as one; empty for gaps.
fn written(pieces: &[Piece], candidates: &[Candidate]) -> Vec<String> {
    let is_byte = |piece: &Piece| matches!(piece, Piece::Byte(_));
    let runs = pieces.chunk_by(|a, b| is_byte(a) && is_byte(b));
    let of = |run: &[Piece]| match run {
        [Piece::Chain(number)] => {
            candidates.get(*number).map_or(String::new(), |of| of.chain.formula.clone())
        }
        [Piece::Gap(_)] => String::new(),
        bytes => {
            let byte = |piece: &Piece| if let Piece::Byte(byte) = piece { Some(*byte) } else { None };
            literal_in_formula(&bytes.iter().filter_map(byte).collect::<Vec<u8>>())
        }
    };
    runs.map(of).collect()
}

/// The whole formula, with those of its gaps in their places.
fn rowkey(written: Vec<String>, gaps: Vec<String>) -> String {
    let mut gaps = gaps.into_iter();
    let parts =
        written.into_iter().map(|text| if text.is_empty() { gaps.next().unwrap_or_default() } else { text });
    parts.collect::<Vec<_>>().join(" + ")
}
