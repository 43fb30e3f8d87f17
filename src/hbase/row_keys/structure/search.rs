//! The division of keys into parts that takes the fewest bits.

use super::bits;
use super::form::{self, Form};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Bytes that stand between parts, those first that separate nothing else.
const SEPARATORS: [u8; 22] = [
    0, 0xff, b'_', b'|', b'#', b'!', b'~', b'$', b'^', b'@', b'&', b';', b',', b'\t', b'/', b':', 1, 2, 0x1f,
    b'-', b'.', b' ',
];
/// Those of them that texts, dates and numbers contain as well.
const WEAK: [u8; 3] = [b'-', b'.', b' '];
/// Widths of numbers.
const NUMBERS: [usize; 5] = [8, 4, 2, 1, 3];
/// Most bytes of a part of one width.
const WIDEST: usize = 64;
/// Most bytes without form.
const MOST_BYTES: usize = 32;
/// Most bytes after a text that has no end of its own.
const MOST_AFTER: usize = 40;
/// Most places at which the rest of the keys is looked at.
const MOST_PLACES: usize = 1000;
/// Most parts of keys.
const MOST_PARTS: usize = 40;
/// Most bytes of keys of several parts.
const LONGEST: usize = 512;
/// Bits that say the kind and the end of a part.
const PART: f64 = 14.0;
/// Bits for a part that ends within a run of text, which it does only for a reason.
const WITHIN: f64 = 300.0;
/// Characters of a UUID as text.
const UUID: usize = 36;
/// Characters of ASCII that are shown.
const PLAIN: std::ops::Range<u8> = b' '..0x7f;

/// A part of keys.
#[derive(Clone, Debug)]
pub struct FoundPart {
    /// Its kind.
    pub form: Form,
    /// Its bytes in each key, where all have as many.
    pub width: Option<usize>,
    /// Its first byte in each key, and the one after its last.
    pub spans: Vec<(u32, u32)>,
}

/// The parts of keys, in order, without a gap. None of the keys may be empty.
pub fn parts_of(keys: &[&[u8]]) -> Vec<FoundPart> {
    let mut search = Search { keys, frames: Vec::new(), known: HashMap::new(), best: HashMap::new() };
    let start = search.place(keys.iter().map(|_| 0).collect());
    let longest = keys.iter().map(|key| key.len()).max().unwrap_or_default();
    search.best_from(start, if longest > LONGEST { MOST_PARTS } else { 0 });
    search.path_from(start)
}

/// A place in all keys: `offset` bytes behind where a frame begins in each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    frame: usize,
    offset: i32,
}

/// The cheapest next part at a place, and the bits of it and all that follow.
#[derive(Clone, Debug)]
struct Step {
    bits: f64,
    form: Form,
    next: Option<Place>,
}

struct Search<'k> {
    keys: &'k [&'k [u8]],
    /// Where each begins in each key, counted from where it begins in the first.
    frames: Vec<Vec<i32>>,
    known: HashMap<Vec<i32>, usize>,
    best: HashMap<Place, Option<Step>>,
}

impl<'k> Search<'k> {
    /// The place at which the keys are cut so.
    fn place(&mut self, cuts: Vec<i32>) -> Place {
        let offset = cuts.first().copied().unwrap_or_default();
        let frame: Vec<i32> = cuts.into_iter().map(|cut| cut - offset).collect();
        let next = self.frames.len();
        let frame = match self.known.entry(frame) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.frames.push(new.key().clone());
                *new.insert(next)
            }
        };
        Place { frame, offset }
    }

    fn cuts(&self, place: Place) -> Vec<usize> {
        let frame = self.frames.get(place.frame).map(Vec::as_slice).unwrap_or_default();
        frame.iter().map(|start| usize::try_from(start + place.offset).unwrap_or_default()).collect()
    }

    /// The rest of each key.
    fn rests(&self, place: Place) -> Vec<&'k [u8]> {
        let cuts = self.cuts(place);
        self.keys.iter().zip(cuts).map(|(key, cut)| key.get(cut..).unwrap_or_default()).collect()
    }

    /// The bits of the rest of the keys at best, behind so many parts.
    fn best_from(&mut self, place: Place, parts: usize) -> f64 {
        if let Some(known) = self.best.get(&place) {
            return known.as_ref().map_or(f64::INFINITY, |step| step.bits);
        }
        // Nothing leads back here: every part has bytes.
        self.best.insert(place, None);
        let rests = self.rests(place);
        let mut best: Option<Step> = None;
        let mut steps = if self.best.len() > MOST_PLACES || parts >= MOST_PARTS {
            Vec::new()
        } else {
            next_parts(&rests)
        };
        steps.extend(last_parts(&rests));
        steps.sort_by(|a, b| a.bits.total_cmp(&b.bits));
        for NextPart { form, bits, end } in steps {
            if best.as_ref().is_some_and(|best| best.bits <= bits) {
                continue;
            }
            let (next, rest) = match end {
                End::Key => (None, 0.0),
                End::Width(width) => {
                    let next = Place { offset: place.offset + width as i32, ..place };
                    (Some(next), self.after(next, parts + 1))
                }
                End::Each(ends) => {
                    let cuts = self.cuts(place);
                    let next =
                        self.place(cuts.iter().zip(ends).map(|(cut, end)| (cut + end) as i32).collect());
                    (Some(next), self.after(next, parts + 1))
                }
            };
            if best.as_ref().is_none_or(|best| bits + rest < best.bits) && (bits + rest).is_finite() {
                best = Some(Step { bits: bits + rest, form, next });
            }
        }
        let bits = best.as_ref().map_or(f64::INFINITY, |step| step.bits);
        self.best.insert(place, best);
        bits
    }

    fn after(&mut self, place: Place, parts: usize) -> f64 {
        if self.rests(place).iter().all(|rest| rest.is_empty()) { 0.0 } else { self.best_from(place, parts) }
    }

    fn path_from(&self, start: Place) -> Vec<FoundPart> {
        let mut parts = Vec::new();
        let mut place = Some(start);
        while let Some((at, Some(step))) =
            place.map(|place| (place, self.best.get(&place).cloned().flatten()))
        {
            let from = self.cuts(at);
            let to: Vec<usize> = match step.next {
                Some(next) => self.cuts(next),
                None => self.keys.iter().map(|key| key.len()).collect(),
            };
            let spans: Vec<(u32, u32)> =
                from.into_iter().zip(to).map(|(from, to)| (from as u32, to as u32)).collect();
            let mut widths = spans.iter().map(|(from, to)| (to - from) as usize);
            let first = widths.next();
            let width = first.filter(|&first| widths.all(|width| width == first));
            parts.push(FoundPart { form: step.form, width, spans });
            place = step.next;
        }
        parts
    }
}

/// Where a part ends.
enum End {
    /// With the key.
    Key,
    /// After so many bytes.
    Width(usize),
    /// After so many bytes in each key.
    Each(Vec<usize>),
}

/// A part that the rest of the keys may begin with.
struct NextPart {
    form: Form,
    bits: f64,
    end: End,
}

/// Parts that may come first in the rest of the keys and leave something.
fn next_parts(rests: &[&[u8]]) -> Vec<NextPart> {
    let least = rests.iter().map(|rest| rest.len()).min().unwrap_or_default();
    let mut parts = Vec::new();
    if least == 0 {
        return parts;
    }
    literals(rests, least, &mut parts);
    for width in NUMBERS.into_iter().filter(|&width| width <= least) {
        let (form, bits) = form::number(&heads(rests, width), width);
        parts.push(NextPart { form, bits: bits + PART, end: End::Width(width) });
    }
    for width in 1..=least.min(MOST_BYTES) {
        let values = heads(rests, width);
        if width == 16 && form::are_uuids(&values) {
            let bits = bits::of_bytes(&values, 122.0);
            parts.push(NextPart { form: Form::Uuid, bits: bits + PART, end: End::Width(width) });
        }
        let common = matches!(width, 2 | 3 | 4 | 6 | 8 | 12 | 16 | 20 | 32);
        let is_plain = values.iter().all(|value| value.iter().all(|byte| PLAIN.contains(byte)));
        let bits = bits::of_bytes(&values, 8.0 * width as f64)
            + if is_plain { WITHIN } else { 0.0 }
            + if common { 40.0 } else { 50.0 }
            + form::of_letters(&values);
        parts.push(NextPart { form: Form::Bytes, bits: bits + PART, end: End::Width(width) });
    }
    if let Some((form, width, bits)) = form::ordered_number(rests) {
        parts.push(NextPart { form, bits: bits + PART, end: End::Width(width) });
    }
    ordered_texts(rests, &mut parts);
    padded(rests, least, &mut parts);
    texts(rests, least, &mut parts);
    separated(rests, &mut parts);
    before_tail(rests, least, &mut parts);
    parts
}

/// Parts that the whole rest of the keys may be.
fn last_parts(rests: &[&[u8]]) -> Vec<NextPart> {
    let mut parts = Vec::new();
    if rests.iter().all(|rest| is_text(rest)) {
        parts.push(text(rests, End::Key, 0.0));
    }
    let longest = rests.iter().map(|rest| rest.len()).max().unwrap_or_default();
    let length = (longest as f64 + 1.0).log2();
    let bits = rests.iter().map(|rest| 8.2 * rest.len() as f64 + length).sum::<f64>() + 40.0;
    parts.push(NextPart { form: Form::Bytes, bits: bits + PART, end: End::Key });
    parts
}

fn heads<'k>(rests: &[&'k [u8]], width: usize) -> Vec<&'k [u8]> {
    rests.iter().map(|rest| rest.get(..width).unwrap_or_default()).collect()
}

/// The same bytes in all keys.
fn literals(rests: &[&[u8]], least: usize, parts: &mut Vec<NextPart>) {
    let Some((first, others)) = rests.split_first() else { return };
    let same = |place: &usize| {
        let byte = first.get(*place);
        others.iter().all(|rest| rest.get(*place) == byte)
    };
    let length = (0..least.min(WIDEST)).take_while(same).count();
    for width in 1..=length {
        let bytes = first.get(..width).unwrap_or_default();
        let is_separator = width == 1 && bytes.first().is_some_and(|byte| SEPARATORS.contains(byte));
        let is_word = bytes.iter().all(u8::is_ascii_alphanumeric);
        let is_shown = bytes.iter().all(|byte| PLAIN.contains(byte));
        let prior = if is_separator && is_shown {
            -4.0
        } else if is_separator {
            4.0
        } else if is_word {
            40.0
        } else {
            12.0
        };
        let bits = 8.0 * width as f64 + prior + PART;
        parts.push(NextPart { form: Form::Literal(bytes.to_vec()), bits, end: End::Width(width) });
    }
}

/// True if bytes are text without control characters.
fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte >= b' ' && byte != 0x7f) && std::str::from_utf8(bytes).is_ok()
}

/// A text, or a time that is written as one.
fn text(values: &[&[u8]], end: End, prior: f64) -> NextPart {
    let separators = SEPARATORS.iter().map(|separator| {
        let mut counts = values.iter().map(|value| value.iter().filter(|byte| *byte == separator).count());
        let first = counts.next().unwrap_or_default();
        let each = if WEAK.contains(separator) { 20.0 } else { 60.0 };
        if counts.all(|count| count == first) { each * first as f64 } else { 0.0 }
    });
    let bits = bits::of_texts(values) + separators.sum::<f64>() + prior + PART;
    match form::time_text(values) {
        Some((form, time)) if time + PART < bits => NextPart { form, bits: time + PART, end },
        _ => NextPart { form: Form::Text, bits, end },
    }
}

/// Texts of one width.
fn texts(rests: &[&[u8]], least: usize, parts: &mut Vec<NextPart>) {
    let is_plain =
        |place: usize| rests.iter().all(|rest| rest.get(place).is_some_and(|byte| PLAIN.contains(byte)));
    let run = (0..least.min(WIDEST)).take_while(|&place| is_plain(place)).count();
    let goes_on = rests.iter().any(|rest| rest.get(run).is_some_and(|byte| PLAIN.contains(byte)));
    for width in 1..=run {
        let prior = if width < run || goes_on { WITHIN } else { 0.0 };
        let values = heads(rests, width);
        if width == UUID && values.iter().all(|value| is_uuid(value)) {
            let bits = bits::of_bytes(&values, 122.0) + PART;
            parts.push(NextPart { form: Form::Text, bits, end: End::Width(width) });
        }
        parts.push(text(&values, End::Width(width), prior));
    }
}

/// A UUID as text.
fn is_uuid(text: &[u8]) -> bool {
    let is_digit = |(place, byte): (usize, &u8)| match place {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == UUID && text.iter().enumerate().all(is_digit)
}

/// Texts that `OrderedBytes` wrote, which end with a zero byte.
fn ordered_texts(rests: &[&[u8]], parts: &mut Vec<NextPart>) {
    for (descending, first, last) in [(false, 0x34, 0), (true, 0xcb, 0xff)] {
        let end = |rest: &&[u8]| {
            let end = rest.iter().position(|&byte| byte == last)?;
            (rest.first() == Some(&first)).then_some(end + 1)
        };
        let Some(ends) = rests.iter().map(end).collect::<Option<Vec<usize>>>() else { continue };
        let turned = |byte: &u8| if descending { !byte } else { *byte };
        let own = |(rest, &end): (&&[u8], &usize)| -> Vec<u8> {
            rest.get(1..end - 1).unwrap_or_default().iter().map(turned).collect()
        };
        let values: Vec<Vec<u8>> = rests.iter().zip(&ends).map(own).collect();
        let values: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
        if values.iter().all(|value| is_text(value)) {
            let NextPart { bits, end, .. } = text(&values, End::Each(ends), 0.0);
            parts.push(NextPart { form: Form::OrderedText(descending), bits, end });
        }
    }
}

/// Texts with zero bytes behind them up to one width.
fn padded(rests: &[&[u8]], least: usize, parts: &mut Vec<NextPart>) {
    for width in 2..=least.min(WIDEST) {
        let own = |rest: &&'_ [u8]| {
            rest.get(..width)
                .map_or(0, |head| head.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1))
        };
        let lengths: Vec<usize> = rests.iter().map(own).collect();
        let fewest = lengths.iter().min().copied().unwrap_or_default();
        // Where none reaches the last but one place, what follows is no text either.
        if fewest == 0 || fewest == width || lengths.iter().all(|&length| length == fewest) {
            continue;
        }
        let values: Vec<&[u8]> = rests
            .iter()
            .zip(&lengths)
            .map(|(rest, &length)| rest.get(..length).unwrap_or_default())
            .collect();
        if values.iter().all(|value| is_text(value)) {
            let NextPart { bits, end, .. } = text(&values, End::Width(width), 20.0);
            parts.push(NextPart { form: Form::PaddedText, bits, end });
        }
    }
}

/// Texts that end at the first separator.
fn separated(rests: &[&[u8]], parts: &mut Vec<NextPart>) {
    for separator in SEPARATORS {
        let ends =
            rests.iter().map(|rest| rest.iter().position(|&byte| byte == separator).filter(|&end| end > 0));
        let Some(ends) = ends.collect::<Option<Vec<usize>>>() else { continue };
        let values: Vec<&[u8]> =
            rests.iter().zip(&ends).map(|(rest, &end)| rest.get(..end).unwrap_or_default()).collect();
        if values.iter().all(|value| is_text(value)) {
            parts.push(text(&values, End::Each(ends), 0.0));
        } else if separator == 0xff {
            let inverted: Vec<Vec<u8>> =
                values.iter().map(|value| value.iter().map(|byte| !byte).collect()).collect();
            let inverted: Vec<&[u8]> = inverted.iter().map(Vec::as_slice).collect();
            if inverted.iter().all(|value| is_text(value)) {
                let NextPart { bits, end, .. } = text(&inverted, End::Each(ends), 12.0);
                parts.push(NextPart { form: Form::InvertedText, bits, end });
            }
        }
    }
}

/// Texts of several lengths before a rest of one width.
fn before_tail(rests: &[&[u8]], least: usize, parts: &mut Vec<NextPart>) {
    let most = rests.iter().map(|rest| rest.len()).max().unwrap_or_default();
    if least == most {
        return;
    }
    for tail in 1..=MOST_AFTER.min(least.saturating_sub(1)) {
        let ends: Vec<usize> = rests.iter().map(|rest| rest.len() - tail).collect();
        let values: Vec<&[u8]> =
            rests.iter().zip(&ends).map(|(rest, &end)| rest.get(..end).unwrap_or_default()).collect();
        if values.iter().all(|value| is_text(value)) {
            let goes_on = rests
                .iter()
                .zip(&ends)
                .all(|(rest, &end)| rest.get(end).is_some_and(|byte| PLAIN.contains(byte)));
            parts.push(text(&values, End::Each(ends), if goes_on { WITHIN } else { 20.0 }));
        }
    }
}
