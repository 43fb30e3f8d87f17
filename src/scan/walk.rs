//! The walk over the pieces of a key: which prefixes hold every matching row, and where no more can be said.

use super::choices::{ChoiceReason, FewValues, MostValues, few_of};
use super::domain::{FieldDomain, FieldDomains};
use super::ordered::{OrderedRanges, ordered, ordered_within};
use super::piece::{KeyPiece, KeyPieces};
use super::range::KeyRange;
use super::runs::run_keys;
use super::{LIMIT, PERIODS};
use crate::base::map::{Map, Set};
use crate::formula::typed::NullableEnd;
use std::rc::Rc;

/// A prefix of matching keys, with what it leaves open of each field.
pub(super) struct WalkState {
    pub prefix: Vec<u8>,
    /// Bytes of the last piece.
    pub last: usize,
    pub domains: FieldDomains,
}

/// Ranges of a field behind all prefixes.
pub(super) struct FoundRanges {
    /// Those behind each prefix.
    pub ranges: Vec<Vec<KeyRange>>,
    /// The least that hold all that is asked for.
    pub needed: Vec<KeyRange>,
}

/// Where the walk came to an end.
pub(super) enum WalkEnd {
    /// Every piece is known: each state is a row.
    Complete,
    /// At this piece, as the range of a field.
    Ranges(usize, FoundRanges),
    /// At this piece, of which nothing is known.
    Stopped(usize),
}

/// A piece all values of which are asked.
pub(super) struct SpreadPiece {
    pub piece: usize,
    pub count: usize,
    pub by: ChoiceReason,
}

/// Why a range of keys also holds rows that were not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LooseReason {
    /// Nothing tells where this piece ends.
    OpenEnd(usize),
    /// Different values can give the same piece.
    ManyToOne(usize),
    /// The range begins or ends within a value of this piece, or others sort among them.
    Widened(usize),
}

/// How a walk takes pieces of which the range of a field leaves few values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RangedPieces {
    /// They are asked value by value where that narrows the rows, and where there is one.
    AsNeeded,
    /// They end the walk.
    AtEnd,
    /// They are asked value by value, however many they are, where that narrows the rows or they keep no order.
    ByValue,
    /// They are asked value by value.
    Always,
}

/// The result of the walk.
pub(super) struct WalkOutcome {
    pub states: Vec<WalkState>,
    pub end: WalkEnd,
    /// Fields of which the ranges hold no value that was not asked for.
    pub pinned: Set<usize>,
    pub loose: Map<usize, LooseReason>,
    pub spreads: Vec<SpreadPiece>,
    /// True if a piece was passed only since the range of its field leaves a single value.
    pub single: bool,
    /// Pieces that would take too many ranges: how many, and how many there may be.
    pub too_many: Vec<(usize, usize, usize)>,
    /// The columns at the end of the key that may be NULL.
    pub nullable_end: NullableEnd,
}

impl WalkOutcome {
    /// The ranges that each state came to.
    pub fn ranges(&self) -> Vec<Vec<KeyRange>> {
        let states = self.states.iter();
        let end = self.nullable_end;
        match &self.end {
            WalkEnd::Complete => {
                let key = |state: &WalkState| end.length(&state.prefix, state.last);
                let row = |state: &WalkState| state.prefix.get(..key(state)).map(KeyRange::row);
                states.map(|state| row(state).into_iter().collect()).collect()
            }
            WalkEnd::Stopped(_) => {
                let begins = |state: &WalkState| from_shortest(KeyRange::prefix(&state.prefix), end);
                states.map(|state| vec![begins(state)]).collect()
            }
            WalkEnd::Ranges(_, found) => {
                let behind = |ranges: &Vec<KeyRange>| {
                    ranges.iter().map(|range| from_shortest(range.clone(), end)).collect()
                };
                found.ranges.iter().map(behind).collect()
            }
        }
    }

    /// The least ranges that hold all rows that can match.
    pub fn needed(&self) -> Vec<KeyRange> {
        match &self.end {
            WalkEnd::Ranges(_, found) => {
                let needed = found.needed.iter().cloned();
                needed.map(|range| from_shortest(range, self.nullable_end)).collect()
            }
            _ => self.ranges().concat(),
        }
    }

    /// Number of ranges.
    fn count(&self) -> usize {
        match &self.end {
            WalkEnd::Ranges(_, found) => found.ranges.iter().map(Vec::len).sum(),
            _ => self.states.len(),
        }
    }

    /// The last reason counts, but for an end that cannot be told: all that follows suffers from it.
    fn note(&mut self, field: usize, why: LooseReason) {
        if !matches!(self.loose.get(&field), Some(LooseReason::OpenEnd(_))) {
            self.loose.insert(field, why);
        }
    }
}

/// The range with the keys of which the columns at the end are NULL: they lack the separators that its first row has.
fn from_shortest(range: KeyRange, end: NullableEnd) -> KeyRange {
    KeyRange { start: end.shortest(&range.start).to_vec(), ..range }
}

/// Walks until nothing more can be said. What was asked value by value to no avail is not. If it is to be
/// explained, pieces are noted that would take too many ranges.
pub(super) fn walk(pieces: &KeyPieces, domains: &FieldDomains, explained: bool) -> WalkOutcome {
    let outcome = walk_as(pieces, domains, explained, RangedPieces::AsNeeded);
    // All buckets of a month are asked in vain where the months of a range have fewer.
    let in_range =
        |field: &usize| matches!(domains.get(*field).map(AsRef::as_ref), Some(FieldDomain::Numbers(..)));
    let is_cut = |spread: &SpreadPiece| {
        let piece = pieces.get(spread.piece).filter(|_| spread.by == ChoiceReason::Every);
        piece.is_some_and(|piece| piece.fields.iter().any(in_range))
    };
    if outcome.states.len() > 1 && outcome.spreads.iter().any(is_cut) {
        let by_value = walk_as(pieces, domains, explained, RangedPieces::ByValue);
        if by_value.count() < outcome.count() {
            return by_value;
        }
    }
    outcome
}

/// The same for a way to take ranged pieces.
pub(super) fn walk_as(
    pieces: &KeyPieces,
    domains: &FieldDomains,
    explained: bool,
    ranged: RangedPieces,
) -> WalkOutcome {
    let mut whole = Set::new();
    loop {
        let (outcome, useless) = Walk::new(pieces, domains, &whole, ranged).run(explained);
        match useless.filter(|piece| whole.insert(*piece)) {
            Some(_) => {}
            None => return outcome,
        }
    }
}

/// The watch on a spread: whether anything after it narrows the rows.
struct WatchedSpread {
    piece: usize,
    /// A field whose range would do as well without the spread.
    instead: Option<usize>,
    narrowed: bool,
}

/// A walk under way.
struct Walk<'w> {
    pieces: &'w KeyPieces<'w>,
    /// Pieces that are not asked value by value.
    whole: &'w Set<usize>,
    ranged: RangedPieces,
    outcome: WalkOutcome,
    watches: Vec<WatchedSpread>,
    ends: PieceEnds,
}

/// The values of a piece for each state.
struct PieceValues {
    few: Vec<FewValues>,
    by: ChoiceReason,
    total: usize,
}

impl<'w> Walk<'w> {
    fn new(
        pieces: &'w KeyPieces<'w>,
        domains: &FieldDomains,
        whole: &'w Set<usize>,
        ranged: RangedPieces,
    ) -> Self {
        let outcome = WalkOutcome {
            nullable_end: pieces.nullable_end,
            states: vec![WalkState { prefix: Vec::new(), last: 0, domains: domains.clone() }],
            end: WalkEnd::Complete,
            pinned: Set::new(),
            loose: Map::new(),
            spreads: Vec::new(),
            single: false,
            too_many: Vec::new(),
        };
        Self { pieces, whole, ranged, outcome, watches: Vec::new(), ends: PieceEnds::default() }
    }

    /// Walks as far as pieces are known; tells which spread was to no avail.
    fn run(mut self, explained: bool) -> (WalkOutcome, Option<usize>) {
        let mut stopped = false;
        for (index, piece) in self.pieces.iter().enumerate() {
            let limit = limit(self.pieces, index, &self.outcome);
            if let Some(asked) = self.asked(index, piece, limit) {
                self.outcome.single |= limit == 1 && asked.by == ChoiceReason::Period;
                self.pass(index, piece, asked);
                continue;
            }
            if limit > 1 && explained {
                self.note_too_many(index, piece);
            }
            self.stop(index);
            stopped = true;
            break;
        }
        if !stopped {
            self.ends.finish(&mut self.outcome);
        }
        let useless = self.watches.iter().rev().find(|watch| !watch.narrowed).map(|watch| watch.piece);
        (self.outcome, useless)
    }

    /// The values of a piece, when they are few enough to be asked one by one.
    fn asked(&self, index: usize, piece: &KeyPiece, limit: usize) -> Option<PieceValues> {
        let by_value = match self.ranged {
            RangedPieces::ByValue => limit > 1 || !self.ends_in_order(index),
            RangedPieces::Always => true,
            RangedPieces::AsNeeded | RangedPieces::AtEnd => false,
        };
        if by_value {
            let most = (LIMIT / self.outcome.states.len().max(1)).max(1);
            let most = MostValues { listed: most, ranged: most, of_range: true };
            let domains = self.outcome.states.first().map(|state| &state.domains)?;
            let has_runs = run_keys(&piece.expression, domains).is_some_and(|keys| !keys.is_empty());
            let values = has_runs.then(|| self.values_of(piece, most)).flatten();
            let values = values.filter(|values| values.by == ChoiceReason::Period && values.total <= LIMIT);
            if values.is_some() {
                return values;
            }
        }
        let most = MostValues { listed: limit, ranged: limit.min(PERIODS), of_range: false };
        let values = self.values_of(piece, most)?;
        let PieceValues { by, total, .. } = values;
        let each = total.div_ceil(self.outcome.states.len().max(1));
        let most = if by == ChoiceReason::Period { PERIODS } else { LIMIT };
        let asked = total <= LIMIT
            && each <= most
            && (by <= ChoiceReason::Listed || !self.whole.contains(&index))
            && (by != ChoiceReason::Period || self.ranged == RangedPieces::AsNeeded);
        asked.then_some(values)
    }

    /// True if the pieces from this one on are a range of a field.
    fn ends_in_order(&self, index: usize) -> bool {
        let rest = self.pieces.get(index..).unwrap_or_default();
        let first = self.outcome.states.first();
        first.is_some_and(|state| ordered(rest, &state.prefix, &state.domains).is_some())
    }

    fn values_of(&self, piece: &KeyPiece, most: MostValues) -> Option<PieceValues> {
        let few = values(piece, &self.outcome.states, most)?;
        let total: usize = few.iter().map(|few| few.choices.len()).sum();
        let by = few.iter().map(|few| few.by).max().unwrap_or(ChoiceReason::Known);
        Some(PieceValues { few, by, total })
    }

    /// Goes on behind a piece, with a state for each of its values.
    fn pass(&mut self, index: usize, piece: &KeyPiece, PieceValues { few, by, total }: PieceValues) {
        // Other values than these need not be.
        let aligned = self.ranged == RangedPieces::AsNeeded && few.iter().all(|few| few.aligned);
        let told = self.ends.pass(self.pieces, index, &mut self.outcome);
        if !piece.is_literal() {
            self.watch(index, piece, by, total);
            let pins = (by < ChoiceReason::Every && piece.shape.one_to_one) || aligned;
            self.ends.settle(piece, index, told, pins, by, &mut self.outcome);
        }
        self.outcome.states = extended(&self.outcome.states, few);
    }

    /// Notes which spreads a piece narrows, and watches it when it is one itself.
    fn watch(&mut self, index: usize, piece: &KeyPiece, by: ChoiceReason, total: usize) {
        let outcome = &mut self.outcome;
        let news = |field: &usize| !outcome.pinned.contains(field);
        let narrows =
            |instead: Option<usize>| piece.fields.iter().any(|field| Some(*field) != instead && news(field));
        if by <= ChoiceReason::Period {
            self.watches.iter_mut().for_each(|watch| watch.narrowed |= narrows(watch.instead));
        }
        if by >= ChoiceReason::Period && total > outcome.states.len() {
            let instead = outcome.states.first().and_then(|state| {
                Some(ordered(self.pieces.get(index..)?, &state.prefix, &state.domains)?.field)
            });
            self.watches.push(WatchedSpread { piece: index, instead, narrowed: false });
            let count = total.div_ceil(outcome.states.len().max(1));
            outcome.spreads.push(SpreadPiece { piece: index, count, by });
        }
    }

    /// Notes that the values of a piece could be listed, but would take too many ranges.
    fn note_too_many(&mut self, index: usize, piece: &KeyPiece) {
        let outcome = &mut self.outcome;
        let one = outcome.states.first();
        let most = MostValues { listed: LIMIT, ranged: LIMIT, of_range: false };
        let Some(all) = one.and_then(|state| values(piece, std::slice::from_ref(state), most)) else {
            return;
        };
        let each: usize = all.iter().map(|few| few.choices.len()).sum();
        let count = each.saturating_mul(outcome.states.len());
        let period = all.iter().any(|few| few.by == ChoiceReason::Period);
        let most = if count > LIMIT { LIMIT } else { PERIODS };
        if count > LIMIT || (period && each > PERIODS && !self.whole.contains(&index)) {
            outcome.too_many.push((index, count, most));
        }
    }

    /// Ends the walk at a piece: as the range of a field, where the pieces from there on keep its order.
    fn stop(&mut self, index: usize) {
        let rest = self.pieces.get(index..).unwrap_or_default();
        match ranges_behind(rest, &self.outcome.states).filter(|found| !found.is_empty()) {
            Some(found) => {
                let field = found.iter().map(|ordered| ordered.field).next().unwrap_or_default();
                self.watches.iter_mut().for_each(|watch| watch.narrowed |= watch.instead != Some(field));
                // Known pieces behind the range narrow it no further.
                if self.ends.readable && !self.ends.pending() && found.iter().all(|ordered| ordered.exact) {
                    self.outcome.pinned.insert(field);
                } else {
                    let why = self.ends.open.map_or(LooseReason::Widened(index), LooseReason::OpenEnd);
                    self.outcome.note(field, why);
                }
                let needed = found.iter().flat_map(|ordered| ordered.needed.clone()).collect();
                let ranges = found.into_iter().map(|ordered| ordered.ranges).collect();
                self.outcome.end = WalkEnd::Ranges(index, FoundRanges { ranges, needed });
            }
            None => self.outcome.end = WalkEnd::Stopped(index),
        }
        self.ends.give_up(&mut self.outcome);
    }
}

/// The ranges of the pieces behind each state; `None` when one state has none.
fn ranges_behind(pieces: &[KeyPiece], states: &[WalkState]) -> Option<Vec<OrderedRanges>> {
    // States that leave the same open, as behind each salt, have the same ranges behind their prefixes.
    let mut last: Option<(&FieldDomains, OrderedRanges)> = None;
    let mut found = Vec::new();
    for state in states {
        if last.as_ref().is_none_or(|(domains, _)| !Rc::ptr_eq(domains, &state.domains)) {
            let most = LIMIT / states.len();
            last = ordered_within(pieces, &[], &state.domains, most).map(|ordered| (&state.domains, ordered));
        }
        let (_, ordered) = last.as_ref()?;
        found.push(ordered.behind(&state.prefix));
    }
    Some(found)
}

/// The values of a piece behind each state; at most so many.
fn values(piece: &KeyPiece, states: &[WalkState], most: MostValues) -> Option<Vec<FewValues>> {
    states.iter().map(|state| few_of(&piece.expression, &state.domains, most)).collect()
}

/// How many values of a piece may be asked for each state: one, when nothing later could narrow the rows.
fn limit(pieces: &[KeyPiece], index: usize, outcome: &WalkOutcome) -> usize {
    let Some(state) = outcome.states.first() else { return 1 };
    let domain =
        |field: &usize| state.domains.get(*field).map_or(&FieldDomain::Any, |domain| domain.as_ref());
    let later = pieces.get(index + 1..).unwrap_or_default();
    let open = |field: &usize| domain(field).is_restricted() && !outcome.pinned.contains(field);
    let narrowed = later.iter().any(|piece| piece.fields.iter().any(open));
    let listed = |field: &usize| matches!(domain(field), FieldDomain::Values(_));
    if narrowed || pieces.get(index).is_some_and(|piece| piece.fields.iter().any(listed)) {
        (LIMIT / outcome.states.len()).max(1)
    } else {
        1
    }
}

fn extended(states: &[WalkState], values: Vec<FewValues>) -> Vec<WalkState> {
    let with = |(state, few): (&WalkState, FewValues)| {
        let prefix = state.prefix.clone();
        few.choices.into_iter().map(move |choice| WalkState {
            prefix: [prefix.as_slice(), choice.value.bytes()].concat(),
            last: choice.value.bytes().len(),
            domains: choice.domains,
        })
    };
    states.iter().zip(values).flat_map(with).collect()
}

/// True if the pieces so far can be told apart within the prefix.
struct PieceEnds {
    readable: bool,
    /// The piece whose end cannot be told.
    open: Option<usize>,
    /// A piece whose end shows only by the byte that follows, and the fields it would pin.
    waiting: Option<(usize, Vec<usize>)>,
}

impl Default for PieceEnds {
    fn default() -> Self {
        Self { readable: true, open: None, waiting: None }
    }
}

impl PieceEnds {
    fn pending(&self) -> bool {
        self.waiting.is_some()
    }

    /// A piece with known bytes follows. Whether the pieces before it can be told apart.
    fn pass(&mut self, pieces: &[KeyPiece], index: usize, outcome: &mut WalkOutcome) -> bool {
        let Some((before, fields)) = self.waiting.take() else { return self.readable };
        let follows = pieces.get(index).map(|piece| &piece.shape);
        match pieces.get(before).is_some_and(|piece| piece.shape.ends_itself_before(follows)) {
            true => outcome.pinned.extend(fields),
            false => self.lose(before, fields, outcome),
        }
        self.readable
    }

    fn lose(&mut self, piece: usize, fields: Vec<usize>, outcome: &mut WalkOutcome) {
        self.readable = false;
        self.open = self.open.or(Some(piece));
        for field in fields {
            outcome.note(field, LooseReason::OpenEnd(piece));
        }
    }

    /// The piece is known: what it says of its fields, if it pins them.
    fn settle(
        &mut self,
        piece: &KeyPiece,
        index: usize,
        told: bool,
        pins: bool,
        by: ChoiceReason,
        outcome: &mut WalkOutcome,
    ) {
        let fields = if pins { piece.fields.clone() } else { Vec::new() };
        if !pins && by < ChoiceReason::Every {
            let why = if by == ChoiceReason::Period {
                LooseReason::Widened(index)
            } else {
                LooseReason::ManyToOne(index)
            };
            for field in &piece.fields {
                outcome.note(*field, why);
            }
        }
        if !told {
            let open = self.open.unwrap_or(index);
            fields.iter().for_each(|field| outcome.note(*field, LooseReason::OpenEnd(open)));
        } else if piece.shape.ends_itself() {
            outcome.pinned.extend(fields);
        } else {
            self.waiting = Some((index, fields));
        }
    }

    /// No known byte follows any more.
    fn give_up(&mut self, outcome: &mut WalkOutcome) {
        if let Some((piece, fields)) = self.waiting.take() {
            self.lose(piece, fields, outcome);
        }
    }

    /// The key ends here.
    fn finish(&mut self, outcome: &mut WalkOutcome) {
        if let Some((_, fields)) = self.waiting.take() {
            outcome.pinned.extend(fields);
        }
    }
}
