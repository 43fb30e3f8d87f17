//! The pieces of row keys, from the left: formulas of fields, the same bytes in all keys, and gaps that are computed.

use super::values::{Candidate, ChainValues};
use crate::keys::encode::Encoder;
use std::cmp::Reverse;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Most divisions that are looked at.
const VISITED: usize = 600;
/// Most ways in which one key is divided at a time.
const WAYS: usize = 8;
/// Bytes of a gap; 0 for the digits up to the first other byte.
const GAPS: [usize; 13] = [1, 2, 3, 4, 5, 6, 8, 10, 16, 20, 32, 40, 0];
/// Most gaps.
const MOST_GAPS: usize = 2;
/// Parts of a bit.
const PARTS: f64 = 1000.0;
/// Cost of a gap, at the beginning and elsewhere; of a byte that all keys have, the first of several and the others.
const GAP: (u32, u32) = (20, 40);
const BYTE: (u32, u32) = (2, 1);
/// Added cost of a field that explains little.
const FEW_VALUES: u32 = 5;
/// Cost of a field that is there already.
const AGAIN: u32 = 3;
/// Bits of each key below which a field explains no more than a gap does: any other with as few values would do.
const WEAK: f64 = 1.0;
/// Bits of each key that a part of such a cost takes.
const COST: f64 = 0.2;

/// A piece of row keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A formula, by its number among the candidates.
    Chain(usize),
    /// This byte in all keys.
    Byte(u8),
    /// So many bytes that no formula explains, or 0 for digits.
    Gap(usize),
}

/// How far a key is explained, in one way.
#[derive(Clone)]
struct Way {
    at: u32,
    /// The records that it may come from; `None` where all may.
    live: Option<Rc<[u32]>>,
    /// The gaps before.
    gaps: Vec<(u32, u32)>,
}

/// For each key the ways in which pieces explain its beginning.
type Ways = Vec<Vec<Way>>;

/// Pieces that explain whole keys.
pub(super) struct Division {
    pub pieces: Vec<Piece>,
    /// The keys that they explain.
    pub keys: Vec<DividedKey>,
}

/// A key that pieces explain.
pub(super) struct DividedKey {
    /// Index of the key.
    pub number: usize,
    /// A record that has it.
    pub row: u32,
    /// The bytes of its gaps.
    pub gaps: Vec<(u32, u32)>,
}

/// The end of a search, or the way on.
pub(super) enum Judgement<T> {
    /// Nothing is better than this, be it something or nothing.
    Final(Option<T>),
    /// The division is none of these keys; the gap of this number is not computed from fields, if one is at fault.
    Refused(Option<usize>),
}

/// The search for the pieces of keys.
pub(super) struct PieceSearch<'a, 'r> {
    /// Keys that are divided.
    pub keys: &'a [&'a [u8]],
    /// Formulas of fields, the cheapest first.
    pub candidates: Vec<Candidate>,
    /// All records.
    pub all: &'a mut Encoder<'r>,
    /// How many they are.
    pub rows: usize,
    /// Values that are held of them.
    pub held: usize,
    /// The share of keys that have to be explained.
    pub share: f64,
}

impl PieceSearch<'_, '_> {
    /// Best-first search: `judge` sees divisions in ascending cost. Divisions that share a refused gap are pruned.
    pub fn best<T>(&mut self, judge: &mut dyn FnMut(&mut Self, &[Piece]) -> Judgement<T>) -> Option<T> {
        let raw = raw(self.keys);
        let mut open = BinaryHeap::from([Reverse((0, 0, 0))]);
        let mut found: Vec<(Vec<Piece>, bool)> = vec![(Vec::new(), false)];
        let mut seen = HashSet::new();
        // Pieces to the end of a gap that is not computed from fields.
        let mut refused = Vec::new();
        let mut visited = 0;
        while let Some(Reverse((_, cost, index))) = open.pop() {
            let (pieces, is_known) = found.get(index).cloned().unwrap_or_default();
            let keys = self.keys;
            if refused.iter().any(|refused: &Vec<Piece>| pieces.starts_with(refused)) {
                continue;
            }
            let Some(ways) = self.ways(&pieces, keys) else { continue };
            if !seen.insert(mark(&ways)) {
                continue;
            }
            visited += 1;
            if visited > VISITED {
                return None;
            }
            if ends(&ways, keys).count() >= self.least(keys) {
                match judge(self, &pieces) {
                    Judgement::Final(judged) => return judged,
                    Judgement::Refused(gap) => refused.extend(gap.and_then(|gap| to_gap(&pieces, gap))),
                }
            }
            let before = self.bits(&ways, &raw);
            for (piece, own) in self.pieces(&pieces, is_known, &ways) {
                if let Some(next) = self.next(piece, &ways, keys) {
                    let left = self.bits(&next, &raw);
                    let is_weak = matches!(piece, Piece::Chain(_)) && left > before - WEAK;
                    let cost = cost + own + if is_weak { FEW_VALUES } else { 0 };
                    let bits = f64::from(cost) * COST + left;
                    open.push(Reverse(((bits * PARTS) as u64, cost, found.len())));
                    let is_known = is_known || (matches!(piece, Piece::Chain(_)) && !is_weak);
                    found.push((pieces.iter().copied().chain([piece]).collect(), is_known));
                }
            }
        }
        None
    }

    /// True if a field has few and short values in these pieces.
    pub fn has_short_values(&mut self, pieces: &[Piece]) -> bool {
        pieces.iter().any(|piece| {
            let Piece::Chain(number) = piece else { return false };
            let values =
                self.candidates.get_mut(*number).map(|candidate| candidate.values(self.all, &mut self.held));
            values.is_some_and(|values| values.are_short())
        })
    }

    /// Keys divided into these pieces.
    pub fn division(&mut self, pieces: &[Piece], keys: &[&[u8]]) -> Option<Division> {
        let ways = self.ways(pieces, keys)?;
        let keys = ends(&ways, keys).filter_map(|(number, way)| {
            let row = way.live.as_ref()?.first().copied()?;
            Some(DividedKey { number, row, gaps: way.gaps.clone() })
        });
        let keys: Vec<_> = keys.collect();
        (!keys.is_empty()).then(|| Division { pieces: pieces.to_vec(), keys })
    }

    /// Average code length of a key in bits: of the choice of its records among all, and of the bytes not explained.
    fn bits(&self, ways: &Ways, raw: &[Vec<f64>]) -> f64 {
        let of = |way: &Way, raw: &Vec<f64>| {
            let at = |place: u32| raw.get(place as usize).copied().unwrap_or_default();
            let told = way.live.as_ref().map_or(0.0, |live| (self.rows as f64 / live.len() as f64).log2());
            told + at(way.at) + way.gaps.iter().map(|&(from, to)| at(from) - at(to)).sum::<f64>()
        };
        let own = |(ways, raw): (&Vec<Way>, &Vec<f64>)| {
            let least = ways.iter().map(|way| of(way, raw)).min_by(f64::total_cmp);
            least.unwrap_or_else(|| raw.first().copied().unwrap_or_default())
        };
        ways.iter().zip(raw).map(own).sum::<f64>() / ways.len().max(1) as f64
    }

    /// Fewest of these keys that have to be explained.
    fn least(&self, keys: &[&[u8]]) -> usize {
        ((keys.len() as f64 * self.share).ceil() as usize).clamp(1, keys.len().max(1))
    }

    fn ways(&mut self, pieces: &[Piece], keys: &[&[u8]]) -> Option<Ways> {
        let way = Way { at: 0, live: None, gaps: Vec::new() };
        let first = vec![vec![way]; keys.len()];
        pieces.iter().try_fold(first, |ways, &piece| self.next(piece, &ways, keys))
    }

    /// Candidates for the next piece, with their costs. `is_known`: a field already explains part of the key, so gaps may follow.
    fn pieces(&self, before: &[Piece], is_known: bool, ways: &Ways) -> Vec<(Piece, u32)> {
        let chain = |(number, candidate): (usize, &Candidate)| {
            let again = if before.contains(&Piece::Chain(number)) { AGAIN } else { 0 };
            (Piece::Chain(number), candidate.chain.cost + again)
        };
        let mut pieces: Vec<(Piece, u32)> = self.candidates.iter().enumerate().map(chain).collect();
        let first = ways.iter().zip(self.keys).find(|(ways, _)| !ways.is_empty());
        let bytes = first.into_iter().flat_map(|(ways, key)| ways.iter().map(|way| key.get(way.at as usize)));
        let mut bytes: Vec<u8> = bytes.flatten().copied().collect();
        bytes.sort_unstable();
        bytes.dedup();
        let byte = if matches!(before.last(), Some(Piece::Byte(_))) { BYTE.1 } else { BYTE.0 };
        pieces.extend(bytes.into_iter().map(|value| (Piece::Byte(value), byte)));
        let is_gap = |piece: &&Piece| matches!(piece, Piece::Gap(_));
        let may_be = is_known || before.iter().all(|piece| matches!(piece, Piece::Byte(_)));
        if may_be
            && before.iter().filter(is_gap).count() < MOST_GAPS
            && before.last().filter(is_gap).is_none()
        {
            let cost = if is_known { GAP.1 } else { GAP.0 };
            pieces.extend(GAPS.iter().map(|&width| (Piece::Gap(width), cost)));
        }
        pieces
    }

    /// The ways with one more piece, if enough keys have it.
    fn next(&mut self, piece: Piece, ways: &Ways, keys: &[&[u8]]) -> Option<Ways> {
        let values = match piece {
            Piece::Chain(number) => Some(self.candidates.get_mut(number)?.values(self.all, &mut self.held)),
            Piece::Byte(_) | Piece::Gap(_) => None,
        };
        let mut missing = keys.len() - self.least(keys);
        let mut found = Vec::with_capacity(keys.len());
        for (ways, key) in ways.iter().zip(keys) {
            let on = |way: &Way| match (piece, &values) {
                (Piece::Byte(byte), _) => {
                    let is_same = key.get(way.at as usize) == Some(&byte);
                    if is_same { vec![Way { at: way.at + 1, ..way.clone() }] } else { Vec::new() }
                }
                (Piece::Gap(width), _) => over(key, way, width),
                (Piece::Chain(_), Some(values)) => behind(values, key, way),
                (Piece::Chain(_), None) => Vec::new(),
            };
            let mut next: Vec<Way> = ways.iter().flat_map(on).collect();
            next.truncate(WAYS);
            if next.is_empty() {
                missing = missing.checked_sub(1)?;
            }
            found.push(next);
        }
        Some(found)
    }
}

/// The pieces to the end of a gap.
fn to_gap(pieces: &[Piece], gap: usize) -> Option<Vec<Piece>> {
    let gaps = pieces.iter().enumerate().filter(|(_, piece)| matches!(piece, Piece::Gap(_)));
    let end = gaps.map(|(at, _)| at).nth(gap)?;
    pieces.get(..=end).map(<[Piece]>::to_vec)
}

/// The keys that are explained to their ends, from records that are known.
fn ends<'w>(ways: &'w Ways, keys: &[&[u8]]) -> impl Iterator<Item = (usize, &'w Way)> {
    let end = |(number, (ways, key)): (usize, (&'w Vec<Way>, &&[u8]))| {
        let way = ways.iter().find(|way| way.at as usize == key.len() && way.live.is_some())?;
        Some((number, way))
    };
    ways.iter().zip(keys).enumerate().filter_map(end)
}

/// The bits of the bytes of each key from each place on, by how far those of the keys before tell them.
fn raw(keys: &[&[u8]]) -> Vec<Vec<f64>> {
    let mut by_place: HashMap<(usize, u8), Seen> = HashMap::new();
    let mut by_two: HashMap<[u8; 2], Seen> = HashMap::new();
    let mut of_key = |key: &&[u8]| {
        let mut before = [0, 0];
        let mut bits: Vec<f64> = Vec::with_capacity(key.len() + 1);
        for (place, &byte) in key.iter().enumerate() {
            let share = by_place.entry((place, before[1])).or_default().add(byte) / 2.0
                + by_two.entry(before).or_default().add(byte) / 2.0;
            bits.push(-share.log2());
            before = [before[1], byte];
        }
        bits.push(0.0);
        let mut left = 0.0;
        for bits in bits.iter_mut().rev() {
            left += *bits;
            *bits = left;
        }
        bits
    };
    // Neighbours in the order of keys have more in common than others.
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&at| (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut raw = vec![Vec::new(); keys.len()];
    for at in order {
        if let (Some(raw), Some(key)) = (raw.get_mut(at), keys.get(at)) {
            *raw = of_key(key);
        }
    }
    raw
}

/// How often bytes came.
#[derive(Default)]
struct Seen {
    all: f64,
    bytes: HashMap<u8, f64>,
}

impl Seen {
    /// The share that was expected of a byte, which is counted.
    fn add(&mut self, byte: u8) -> f64 {
        let first = match byte {
            byte if byte.is_ascii_digit() => 0.1,
            byte if byte.is_ascii_graphic() => 0.03,
            _ => 0.004,
        };
        let count = self.bytes.entry(byte).or_default();
        let share = (*count + 2.0 * first) / (self.all + 2.0);
        *count += 1.0;
        self.all += 1.0;
        share
    }
}

/// Hash of a search state, to skip states reached before.
fn mark(ways: &Ways) -> u64 {
    let mut hasher = DefaultHasher::new();
    for way in ways.iter().flatten() {
        way.at.hash(&mut hasher);
        way.gaps.hash(&mut hasher);
        way.live.as_ref().map(|live| (live.len(), live.first().copied())).hash(&mut hasher);
    }
    hasher.finish()
}

/// The ways that go on behind a value.
fn behind(values: &ChainValues, key: &[u8], way: &Way) -> Vec<Way> {
    let at = way.at as usize;
    if !key.get(at).is_some_and(|&byte| values.begins_with(byte)) {
        return Vec::new();
    }
    let on = |&length: &usize| {
        let live = values.records(key.get(at..at + length)?, way.live.as_ref())?;
        Some(Way { at: (at + length) as u32, live: Some(live), gaps: way.gaps.clone() })
    };
    values.lengths.iter().filter_map(on).collect()
}

/// The way that goes on behind a gap.
fn over(key: &[u8], way: &Way, width: usize) -> Vec<Way> {
    let rest = key.get(way.at as usize..).unwrap_or_default();
    let width = match width {
        0 => rest.iter().take_while(|byte| byte.is_ascii_digit()).count(),
        width => width,
    };
    if width == 0 || width > rest.len() {
        return Vec::new();
    }
    let end = way.at + width as u32;
    let gaps = way.gaps.iter().copied().chain([(way.at, end)]).collect();
    vec![Way { at: end, live: way.live.clone(), gaps }]
}
