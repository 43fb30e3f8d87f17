//! Hooks for the host: what it supplies when a feature leaves it out of the library, and what it is told.
//!
//! The wasm modules use both, to stay small: JavaScript has a parser of numbers, and fetches the sentences of one language.

use std::borrow::Cow;
use std::sync::OnceLock;
#[cfg(not(feature = "sentences"))]
use std::{collections::BTreeSet, sync::Mutex};

/// Finds the sentence of a code: what `data/messages/en.json` has for it, and `data/messages/en.plurals.json` for `code#by` and
/// `code#one`.
pub type Sentence = fn(&str) -> Option<Cow<'static, str>>;
/// Is told that work goes on, so many rows further.
pub type Tick = fn(usize);
/// Reads a decimal number with an optional point, sign and exponent.
pub type ParseFloat = fn(&str) -> Option<f64>;

static SENTENCE: OnceLock<Sentence> = OnceLock::new();
static TICK: OnceLock<Tick> = OnceLock::new();
static PARSE_FLOAT: OnceLock<ParseFloat> = OnceLock::new();

/// Sets the source of sentences, once. Only read without the feature `sentences`.
pub fn set_sentence(hook: Sentence) {
    let _ = SENTENCE.set(hook);
}

/// Sets the parser of numbers, once. Only called without the feature `floats`.
pub fn set_parse_float(hook: ParseFloat) {
    let _ = PARSE_FLOAT.set(hook);
}

/// Sets who is told that work goes on, once.
pub fn set_tick(hook: Tick) {
    let _ = TICK.set(hook);
}

/// Tells that work goes on: a call that runs for seconds is alive. Whatever visits each row says so at intervals, or else once
/// for all rows.
pub fn tick(rows: usize) {
    if let Some(hook) = TICK.get() {
        hook(rows);
    }
}

/// Rows between two words of work that goes on.
const ROWS: usize = 1 << 16;

/// The same items, with a word at intervals that work on them goes on.
pub fn ticking<T>(items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    items.enumerate().map(|(at, item)| {
        if at % ROWS == ROWS - 1 {
            tick(ROWS);
        }
        item
    })
}

/// The sentence of a code, its arguments not filled in; none without a hook.
pub fn sentence(code: &str) -> Option<Cow<'static, str>> {
    SENTENCE.get()?(code)
}

/// The number a text stands for; none without a hook.
pub fn parse_float(text: &str) -> Option<f64> {
    PARSE_FLOAT.get()?(text)
}

/// A code that every source of sentences has.
#[cfg(not(feature = "sentences"))]
const SURE: &str = "row.unread";
/// Most codes that are kept, and most bytes of one.
#[cfg(not(feature = "sentences"))]
const CODES: (usize, usize) = (4096, 100);

/// A code that has a sentence; any code where the host has no sentences. Keeps each for good.
#[cfg(not(feature = "sentences"))]
pub fn known_code(code: &str) -> Option<&'static str> {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    if sentence(SURE).is_some() {
        sentence(code)?;
    }
    let mut known = KNOWN.lock().ok()?;
    if let Some(kept) = known.get(code) {
        return Some(kept);
    }
    let has_room = known.len() < CODES.0 && code.len() <= CODES.1;
    has_room.then(|| {
        let kept: &'static str = String::from(code).leak();
        known.insert(kept);
        kept
    })
}
