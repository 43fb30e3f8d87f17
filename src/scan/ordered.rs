//! A range of a field as a range of bytes, where the key keeps its order.

use super::LIMIT;
use super::chain::{StepChain, ascends, descends};
use super::choices::{ChoiceReason, few};
use super::curve::{CurveOf, MOST_RANGES};
use super::domain::{FieldDomain, FieldDomains, narrowed, of_prefix};
use super::piece::KeyPiece;
use super::range::KeyRange;
use crate::bytes::row::prefix_stop_row;
use crate::design::Constant;
use crate::formula::sequence;
use crate::records::field::shape::{Alphabet, Order, Shape};

/// Ranges of bytes behind a prefix, and the field whose range they are.
pub(super) struct OrderedRanges {
    pub ranges: Vec<KeyRange>,
    /// The least ranges that hold all that is asked for: start and stop rows of `ranges` are cut short.
    pub needed: Vec<KeyRange>,
    pub field: usize,
    /// True if the ranges hold no value of the field but those asked for.
    pub exact: bool,
}

impl OrderedRanges {
    fn one(range: KeyRange, field: usize, exact: bool) -> Self {
        Self { ranges: vec![range.clone()], needed: vec![range], field, exact }
    }

    /// The same behind a prefix.
    pub fn behind(&self, prefix: &[u8]) -> Self {
        let moved = |range: &KeyRange| KeyRange {
            start: [prefix, &range.start].concat(),
            stop: match range.stop.as_slice() {
                [] => prefix_stop_row(prefix),
                stop => [prefix, stop].concat(),
            },
        };
        let [ranges, needed] = [&self.ranges, &self.needed].map(|ranges| ranges.iter().map(moved).collect());
        Self { ranges, needed, ..*self }
    }
}

/// The least text that is no NULL.
const LEAST_TEXT: &[u8] = &[0];

/// The pieces from `pieces[0]` on as byte ranges behind `prefix`; `None` when they keep no order of a field in a range.
pub(super) fn ordered(pieces: &[KeyPiece], prefix: &[u8], domains: &FieldDomains) -> Option<OrderedRanges> {
    ordered_within(pieces, prefix, domains, LIMIT)
}

/// [`ordered`] in at most so many ranges: of a box in two fields, or of a list of prefixes.
pub(super) fn ordered_within(
    pieces: &[KeyPiece],
    prefix: &[u8],
    domains: &FieldDomains,
    most: usize,
) -> Option<OrderedRanges> {
    let piece = pieces.first()?;
    if let Some(curve) = CurveOf::of(&piece.expression) {
        let [field, other] = curve.fields;
        let asked = |field: usize| domains.get(field).is_some_and(|domain| domain.is_restricted());
        let ranges = curve.ranges(prefix, domains, most.min(MOST_RANGES));
        let field = if asked(field) { field } else { other };
        return asked(field).then(|| OrderedRanges { needed: ranges.clone(), ranges, field, exact: false });
    }
    let chain = StepChain::of(&piece.expression)?;
    let domain = domains.get(chain.field)?.as_ref();
    if let FieldDomain::Prefixes(prefixes) = domain
        && prefixes.len() <= most
    {
        return of_prefixes((pieces, prefix), prefixes, (chain.field, domains));
    }
    // Between the first and the last of a list lie values that it does not have.
    let is_list = match domain {
        FieldDomain::Values(values) => values.len() > 1 || matches!(values.first(), Some(Constant::Bytes(_))),
        FieldDomain::Prefixes(_) => true,
        _ => false,
    };
    let found = match domain.hull(chain.kind()) {
        FieldDomain::Numbers(first, last) => numbers(pieces, &chain, (first, last), prefix, domains),
        FieldDomain::Strings { from, to, prefix: is_prefix } => {
            let ends = (from.as_slice(), to.as_deref(), is_prefix);
            let (range, exact) = strings(pieces, &chain, ends, prefix)?;
            Some(OrderedRanges::one(range, chain.field, exact))
        }
        FieldDomain::Between { from, to, .. } => {
            let (range, exact) = between(pieces, &chain, (from.as_ref(), to.as_ref()), prefix)?;
            Some(OrderedRanges::one(range, chain.field, exact))
        }
        _ => None,
    };
    found.map(|found| OrderedRanges { exact: found.exact && !is_list, ..found })
}

/// The ranges of each of some prefixes of a field.
// Seldom needed: what loads before the first picture is without it.
#[inline(never)]
fn of_prefixes(
    (pieces, prefix): (&[KeyPiece], &[u8]),
    prefixes: &[Vec<u8>],
    (field, domains): (usize, &FieldDomains),
) -> Option<OrderedRanges> {
    let mut all = OrderedRanges { ranges: Vec::new(), needed: Vec::new(), field, exact: true };
    for of_value in prefixes {
        let one = ordered_within(pieces, prefix, &narrowed(domains, field, of_prefix(of_value)), 1)?;
        all.ranges.extend(one.ranges);
        all.needed.extend(one.needed);
        all.exact &= one.exact;
    }
    Some(all)
}

/// A range of floats or decimals through one piece that keeps their order.
fn between(
    pieces: &[KeyPiece],
    chain: &StepChain,
    (from, to): (Option<&Constant>, Option<&Constant>),
    prefix: &[u8],
) -> Option<(KeyRange, bool)> {
    let piece = pieces.first()?;
    let order = piece.shape.order;
    if !pieces.get(1).is_none_or(|next| piece.shape.keeps_order_before(&next.shape)) {
        return None;
    }
    let end = |end: Option<&Constant>| match end {
        Some(end) => chain.value(end).map(|value| Some([prefix, value.bytes()].concat())),
        None => Some(None),
    };
    let (from, to) = (end(from)?, end(to)?);
    let beyond = || prefix_stop_row(prefix);
    let (least, excludes_null) = behind_null(piece, prefix);
    if ascends(order) {
        let excludes_null = excludes_null || from.is_some();
        let stop = match to {
            Some(to) if order == Order::Strict => to,
            Some(to) => prefix_stop_row(&to),
            None => beyond(),
        };
        return Some((
            KeyRange { start: from.unwrap_or(least), stop },
            order == Order::Strict && excludes_null,
        ));
    }
    // The rows of the end itself, which is not asked for, begin the range.
    let exact = order == Order::Reversed && to.is_none() && excludes_null;
    let stop = from.map_or_else(beyond, |from| prefix_stop_row(&from));
    descends(order).then(|| (KeyRange { start: to.unwrap_or(least), stop }, exact))
}

/// The first key behind a prefix and the NULL of a piece, and whether NULL lies before it. NULL without bytes of its own does not.
fn behind_null(piece: &KeyPiece, prefix: &[u8]) -> (Vec<u8>, bool) {
    match piece.shape.null {
        None => (prefix.to_vec(), true),
        Some(null) => (
            [prefix, &null.iter().map(|byte| byte.saturating_add(1)).collect::<Vec<u8>>()].concat(),
            !null.is_empty(),
        ),
    }
}

fn numbers(
    pieces: &[KeyPiece],
    chain: &StepChain,
    (first, last): (i64, i64),
    prefix: &[u8],
    domains: &FieldDomains,
) -> Option<OrderedRanges> {
    let field = chain.field;
    let Some((first, last)) = chain.within(first, last) else {
        return Some(OrderedRanges { ranges: Vec::new(), needed: Vec::new(), field, exact: true });
    };
    let taken = chain.taken();
    let (mut ranges, mut needed) = (Vec::new(), Vec::new());
    let mut exact = true;
    for (low, high) in chain.stretches(first, last)? {
        // No key holds what the steps refuse.
        let refused = |taken: &Vec<(i64, i64)>| taken.iter().all(|&(from, to)| high < from || low > to);
        if taken.as_ref().is_some_and(refused) {
            continue;
        }
        let (low, high) = chain.accepted(low, high)?;
        let Stretch { range, needed: least, exact: kept } =
            stretch(pieces, chain, (low, high), prefix, domains)?;
        ranges.push(range);
        needed.push(least);
        exact &= kept;
    }
    // A cyclic value comes again beyond its stretches.
    let once = ranges.len() <= 1 || !chain.repeats(first, last);
    Some(OrderedRanges { exact: exact && once, ranges, needed, field })
}

/// Pieces that together keep the order of a field: those made of it, and known ones between.
pub(super) struct OrderedRun<'a> {
    pub members: Vec<RunMember<'a>>,
    pub order: Order,
}

pub(super) enum RunMember<'a> {
    Known(Vec<u8>),
    Chain(StepChain<'a>),
}

impl<'a> OrderedRun<'a> {
    /// As many of `pieces` as keep the order of the field over a range.
    pub fn of(
        pieces: &'a [KeyPiece],
        field: usize,
        (first, last): (i64, i64),
        domains: &FieldDomains,
    ) -> Option<Self> {
        let mut members = Vec::new();
        let mut shapes: Vec<(Shape, Vec<usize>)> = Vec::new();
        let mut best = None;
        for (index, piece) in pieces.iter().enumerate() {
            let known = few(&piece.expression, domains, 1).filter(|few| few.by == ChoiceReason::Known);
            let known = known.and_then(|few| few.choices.into_iter().next());
            if let Some(choice) = known {
                shapes.push((Shape::literal(choice.value.bytes()), Vec::new()));
                members.push(RunMember::Known(choice.value.bytes().to_vec()));
            } else {
                let Some(chain) = StepChain::of(&piece.expression).filter(|chain| chain.field == field)
                else {
                    break;
                };
                let Some(narrow) = chain.narrow(first, last) else { break };
                let once = chain.stretches(first, last).is_some_and(|all| all.len() == 1);
                let order = if once { chain.order_in_stretch(&narrow) } else { narrow.shape.order };
                shapes.push((Shape { order, ..narrow.shape }, vec![field]));
                members.push(RunMember::Chain(chain));
            }
            let order = sequence(&shapes).order;
            let varying = matches!(members.last(), Some(RunMember::Chain(_)));
            let next = pieces.get(index + 1).filter(|_| varying);
            let kept = next.is_none_or(|next| {
                shapes.last().is_some_and(|(shape, _)| shape.keeps_order_before(&next.shape))
            });
            // A literal at the end tells nothing.
            if kept && !piece.is_literal() && (ascends(order) || descends(order)) {
                best = Some((members.len(), order));
            }
        }
        let (count, order) = best?;
        members.truncate(count);
        Some(Self { members, order })
    }

    fn value(&self, field: i64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        for member in &self.members {
            match member {
                RunMember::Known(known) => bytes.extend_from_slice(known),
                RunMember::Chain(chain) => {
                    bytes.extend_from_slice(chain.value(&Constant::Number(field))?.bytes())
                }
            }
        }
        Some(bytes)
    }
}

/// The run over a range, with the values next to the range as far as the order is kept there too; `ends` are those of the field.
fn widest<'a>(
    pieces: &'a [KeyPiece],
    chain: &StepChain,
    (first, last): (i64, i64),
    (least, most): (i64, i64),
    domains: &FieldDomains,
) -> Option<(OrderedRun<'a>, (i64, i64))> {
    let inside = |value: Option<i64>| value.filter(|value| (least..=most).contains(value));
    let around = (
        inside(first.checked_sub(chain.unit())).unwrap_or(first),
        inside(last.checked_add(chain.unit())).unwrap_or(last),
    );
    let unturned = |ends: (i64, i64)| chain.stretches(ends.0, ends.1).is_some_and(|all| all.len() == 1);
    let wider = |ends: (i64, i64)| {
        let run = OrderedRun::of(pieces, chain.field, ends, domains).filter(|_| unturned(ends))?;
        (run.value(ends.0).is_some() && run.value(ends.1).is_some()).then_some((run, ends))
    };
    let tried = [around, (first, around.1), (around.0, last)];
    tried.into_iter().find_map(wider).or_else(|| {
        let run = OrderedRun::of(pieces, chain.field, (first, last), domains)?;
        Some((run, (first, last)))
    })
}

/// A stretch of numbers as keys.
struct Stretch {
    range: KeyRange,
    needed: KeyRange,
    exact: bool,
}

/// One stretch of numbers through which the pieces keep the order.
fn stretch(
    pieces: &[KeyPiece],
    chain: &StepChain,
    (first, last): (i64, i64),
    prefix: &[u8],
    domains: &FieldDomains,
) -> Option<Stretch> {
    let ends = chain.field_range();
    let ends = chain.within(ends.0, ends.1).unwrap_or(ends);
    let hull = chain.taken().and_then(|taken| Some((taken.first()?.0, taken.last()?.1)));
    let ends = hull.map_or(ends, |(least, most)| (least.min(first), most.max(last)));
    let (run, around) = widest(pieces, chain, (first, last), ends, domains)?;
    let ((from, before), (to, after)) = if ascends(run.order) {
        ((first, around.0), (last, around.1))
    } else {
        ((last, around.1), (first, around.0))
    };
    let (low, high) = (run.value(from)?, run.value(to)?);
    let (before, after) = (run.value(before), run.value(after));
    // A rejected value has no key.
    let refused = [before.is_none(), after.is_none()];
    let before = before.filter(|before| *before < low);
    let after = after.filter(|after| *after > high);
    let cuts = match run.members.as_slice() {
        [_] => pieces.first().map(|piece| cuts(&piece.shape)).unwrap_or_default(),
        _ => Vec::new(),
    };
    let whole = whole_order(chain, (first, last), (&low, &high), ends);
    // Beside an end of the field's values, or where they begin anew, nothing is written like the last value.
    let turns = |below: i64, above: Option<i64>| {
        let cut = above.and_then(|above| chain.stretches(below, above));
        cut.is_some_and(|stretches| stretches.len() > 1)
    };
    let ends_at = |value: i64| {
        value == ends.0
            || value == ends.1
            || (value == last && turns(last, last.checked_add(chain.unit())))
            || (value == first
                && first.checked_sub(chain.unit()).is_some_and(|before| turns(before, Some(first))))
    };
    let [below, above] = refused;
    let exact =
        whole && (below || before.is_some() || ends_at(from)) && (above || after.is_some() || ends_at(to));
    let start = [prefix, before.map_or(low.as_slice(), |before| shortest(&low, &before, &cuts))].concat();
    let stop = match after {
        Some(after) => [prefix, shortest(&after, &high, &cuts)].concat(),
        // To the end of the values: all that begin as the last one.
        None => prefix_stop_row(&[prefix, &high].concat()),
    };
    let last_key = [prefix, &high].concat();
    let whole_key = run.members.len() == pieces.len();
    let needed = KeyRange {
        start: [prefix, &low].concat(),
        stop: if whole_key { KeyRange::row(&last_key).stop } else { prefix_stop_row(&last_key) },
    };
    Some(Stretch { range: KeyRange { start, stop }, needed, exact })
}

/// Where a written value may be cut: before bytes that are the same in all of them.
fn cuts(shape: &Shape) -> Vec<usize> {
    let fixed = |(_, set): &(usize, &Alphabet)| set.len() == 1;
    shape.by_position.iter().enumerate().filter(fixed).map(|(place, _)| place).collect()
}

/// The shortest beginning of `bound`, cut where it may be, that still sorts above `below`.
fn shortest<'b>(bound: &'b [u8], below: &[u8], cuts: &[usize]) -> &'b [u8] {
    let mut starts = cuts.iter().filter_map(|&cut| bound.get(..cut));
    starts.find(|start| *start > below).unwrap_or(bound)
}

/// True if no value of the field outside a range is written between its bytes.
fn whole_order(
    chain: &StepChain,
    (first, last): (i64, i64),
    (low, high): (&[u8], &[u8]),
    (least, most): (i64, i64),
) -> bool {
    let keeps = |ends: (i64, i64)| {
        chain.narrow(ends.0, ends.1).filter(|narrow| {
            let order = narrow.shape.order;
            (ascends(order) || descends(order)) && narrow.shape.width.exact().is_some()
        })
    };
    if chain
        .narrow(least, most)
        .is_some_and(|narrow| ascends(narrow.shape.order) || descends(narrow.shape.order))
    {
        return true;
    }
    // Numbers below zero often sort apart: each side by itself.
    let below = first.checked_sub(1).map(|end| (least, end));
    let above = last.checked_add(1).map(|begin| (begin, most));
    let mut sides =
        [below, above].into_iter().flatten().flat_map(|(from, to)| [(from, to.min(-1)), (from.max(0), to)]);
    sides.all(|(from, to)| {
        if from > to || (from <= last && to >= first) {
            return from > to;
        }
        let ends = [from, to].map(|end| chain.value(&Constant::Number(end)));
        let [Some(a), Some(b)] = ends else { return false };
        let (a, b) = (a.bytes(), b.bytes());
        keeps((from, to)).is_some() && (a.max(b) < low || a.min(b) > high)
    })
}

/// A range of text or bytes through one piece that keeps its order.
fn strings(
    pieces: &[KeyPiece],
    chain: &StepChain,
    (from, to, is_prefix): (&[u8], Option<&[u8]>, bool),
    prefix: &[u8],
) -> Option<(KeyRange, bool)> {
    let piece = pieces.first()?;
    if descends(piece.shape.order) {
        return descending(piece, chain, (from, to), prefix);
    }
    if !ascends(piece.shape.order) {
        return None;
    }
    let value = |text: &[u8]| chain.value(&Constant::Bytes(text.to_vec()));
    let (low, excludes_null) = match piece.shape.null {
        Some(_) if from <= LEAST_TEXT => behind_null(piece, &[]),
        _ => (value(from)?.bytes().to_vec(), true),
    };
    let low = low.as_slice();
    let next = pieces.get(1);
    let strict = piece.shape.order == Order::Strict && excludes_null;
    if next.is_none_or(|next| piece.shape.keeps_order_before(&next.shape)) {
        let start = [prefix, trimmed(low, piece)].concat();
        let Some(to) = to else {
            return Some((KeyRange { start, stop: prefix_stop_row(prefix) }, strict));
        };
        let high = value(to)?;
        let high = if strict { trimmed(high.bytes(), piece).to_vec() } else { prefix_stop_row(high.bytes()) };
        let stop = if high.is_empty() { prefix_stop_row(prefix) } else { [prefix, &high].concat() };
        return Some((KeyRange { start, stop }, strict));
    }
    // A shorter text is followed by other bytes than a longer one: they may carry it past where it belongs.
    let follows = next.and_then(|next| next.shape.first()).unwrap_or(Alphabet::ALL);
    let start = [prefix, low].concat();
    let Some(to) = to else {
        return Some((KeyRange { start, stop: prefix_stop_row(prefix) }, false));
    };
    let high = value(to)?;
    let high = high.bytes();
    let passes = |length: &usize| {
        let (shorter, byte) = (high.get(..*length), high.get(*length));
        shorter.is_some_and(|shorter| shorter >= low)
            && byte.is_some_and(|byte| follows.bytes().any(|follows| follows >= *byte))
    };
    let stop = match (0..high.len()).find(passes) {
        Some(length) => prefix_stop_row(&[prefix, high.get(..length).unwrap_or(&[])].concat()),
        None if strict => [prefix, high].concat(),
        None => prefix_stop_row(&[prefix, high].concat()),
    };
    let apart = low.iter().all(|&byte| !follows.contains(byte));
    Some((KeyRange { start, stop }, strict && is_prefix && apart))
}

/// The same through a piece that turns the order round, of which every value brings its own end: what begins like the end that is not
/// asked for lies before the range.
fn descending(
    piece: &KeyPiece,
    chain: &StepChain,
    (from, to): (&[u8], Option<&[u8]>),
    prefix: &[u8],
) -> Option<(KeyRange, bool)> {
    if !piece.ends_itself() {
        return None;
    }
    let value = |text: &[u8]| {
        let value = chain.value(&Constant::Bytes(text.to_vec()))?;
        Some([prefix, value.bytes()].concat())
    };
    let exact = piece.shape.order == Order::Reversed;
    let (least, excludes_null) = behind_null(piece, prefix);
    let start = match to {
        Some(to) if exact => prefix_stop_row(&value(to)?),
        Some(to) => value(to)?,
        None => least,
    };
    let stop = if from <= LEAST_TEXT { prefix } else { &value(from)? };
    Some((KeyRange { start, stop: prefix_stop_row(stop) }, exact && (excludes_null || to.is_some())))
}

/// Without the zero bytes that end it: no value is shorter than they make it.
fn trimmed<'b>(bytes: &'b [u8], piece: &KeyPiece) -> &'b [u8] {
    if !piece.ends_itself() {
        return bytes;
    }
    let length = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    bytes.get(..length).unwrap_or(bytes)
}
