//! Coverage-guided fuzzing: `npm run fuzz`, which names the target in `ROWSCAPE_FUZZ`.
#![no_main]

mod codec;
mod command;
mod existing;
mod ingest;
mod language;
mod study;
mod summary;

use std::sync::OnceLock;

/// A target: what is done with the bytes of an input. A panic is a finding, as is too much time, memory or stack.
type Target = fn(&[u8]);

/// All targets; `corpus/` has a folder for each.
const TARGETS: &[(&str, Target)] = &[
    ("existing", existing::existing),
    ("command", command::command),
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

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    static TARGET: OnceLock<Target> = OnceLock::new();
    TARGET.get_or_init(target)(data);
});

/// The text before the first zero byte, and the bytes after it.
fn text_and_bytes(data: &[u8]) -> Option<(&str, &[u8])> {
    let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (text, rest) = data.split_at(end);
    Some((std::str::from_utf8(text).ok()?, rest.get(1..).unwrap_or_default()))
}
