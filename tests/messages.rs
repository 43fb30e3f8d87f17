//! The catalogue of sentences: every code has one, and none is left over.

use rowscape::error::messages;
use rowscape::formula::steps::catalogue;
use std::collections::BTreeSet;
use std::path::Path;

/// Texts of the form `area.what-happened` in the sources.
fn codes(directory: &Path, codes: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(directory).expect("directory") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            self::codes(&path, codes);
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("source");
        let word = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_lowercase())
                && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        let quoted = source.split('"').filter(|text| {
            text.split_once('.').is_some_and(|(area, what)| word(area) && word(what) && area != "help")
        });
        codes.extend(quoted.map(str::to_owned));
    }
}

#[test]
fn every_code_has_a_sentence() {
    let mut found = BTreeSet::new();
    codes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.contains("formula.unknown-step"), "{found:?}");
    let missing: Vec<_> = found.iter().filter(|code| !messages().contains_key(*code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_step_has_its_help() {
    for step in catalogue() {
        assert!(!step.help.is_empty(), "help.{}", step.name);
    }
}
