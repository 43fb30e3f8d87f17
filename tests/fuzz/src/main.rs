//! Coverage-guided fuzzing: `npm run fuzz`, which names the target in `ROWSCAPE_FUZZ`.
#![no_main]

mod codec;
mod command;
mod emit;
mod existing;
mod formats;
mod ingest;
mod language;
mod observe;
mod study;
mod summary;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A target: what is done with the bytes of an input. A panic is a finding, as is too much time, memory or stack.
type Target = fn(&[u8]);

/// All targets; `corpus/` has a folder for each.
const TARGETS: &[(&str, Target)] = &[
    ("existing", existing::existing),
    ("formats", formats::formats),
    ("command", command::command),
    ("emit", emit::emitted),
    ("formula", language::formula),
    ("document", language::document),
    ("splits", language::splits),
    ("notation", codec::notation),
    ("codec", codec::codec),
    ("ingest", ingest::ingest),
    ("guess", ingest::guess),
    ("decode", study::decode),
    ("study", study::study),
    ("summary", summary::summary),
    ("observe", observe::observe),
];

/// The target asked for.
fn target() -> Target {
    let name = std::env::var("ROWSCAPE_FUZZ").unwrap_or_default();
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found
        .unwrap_or_else(|| {
            panic!(
                "ROWSCAPE_FUZZ={name:?} is none of {:?}",
                TARGETS.iter().map(|(known, _)| known).collect::<Vec<_>>()
            )
        })
        .1
}

/// Bytes from which on an input is large, and how many of them are told at a time.
const LARGE: usize = (64 << 10) + 1;
const TOLD: u64 = 100;

/// Tells how many large inputs there were: libFuzzer counts all alike.
fn count(data: &[u8]) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    if data.len() >= LARGE {
        let count = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
        if count.is_multiple_of(TOLD) {
            eprintln!("large inputs: {count}");
        }
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    static TARGET: OnceLock<Target> = OnceLock::new();
    count(data);
    TARGET.get_or_init(target)(data);
});

/// The text before the first zero byte, and the bytes after it.
fn text_and_bytes(data: &[u8]) -> Option<(&str, &[u8])> {
    let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (text, rest) = data.split_at(end);
    Some((std::str::from_utf8(text).ok()?, rest.get(1..).unwrap_or_default()))
}
