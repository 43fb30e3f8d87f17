//! The catalogue of sentences: every code has one, and none is left over.

use rowscape::cli::sentences;
use rowscape::error::messages;
use rowscape::findings::{FindingRule, RULES};
use rowscape::formula::steps::{catalogue, named};
use std::collections::BTreeSet;
use std::path::Path;

/// All sources of a directory, one after the other.
fn sources(directory: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let entries = std::fs::read_dir(path).expect(directory).map(|entry| entry.expect("entry"));
    let texts = entries.map(|entry| {
        let name = format!("{directory}/{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => sources(&name),
            false if name.ends_with(".rs") || name.ends_with(".js") || name.ends_with(".html") => {
                std::fs::read_to_string(entry.path()).expect("UTF-8")
            }
            false => String::new(),
        }
    });
    texts.collect()
}

/// Codes in the sources: texts of the form `area.what-happened`, and whatever a problem is made with.
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
        let problems = source.split("Problem::new(").skip(1);
        let named = problems.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
        codes.extend(named.map(str::to_owned));
    }
}

#[test]
fn every_code_has_a_sentence() {
    let mut found = BTreeSet::new();
    for folder in ["src", "bindings/wasm/src", "bindings/python/src"] {
        codes(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    }
    assert!(found.contains("formula.unknown-step"), "{found:?}");
    // `phoenix.bigint` is a step; packed files name what they hold in the same way, and HBase its files.
    let in_files = [
        "arrow.uuid",
        "avro.codec",
        "avro.schema",
        "data.manifest",
        "hbase.id",
        "hbase.version",
        "none.hfile",
        "recovered.edits",
        "rowscape.html",
    ];
    found.retain(|code| named(code).is_none() && !in_files.contains(&code.as_str()));
    let said = |code: &str| messages().contains_key(code) || sentences().contains_key(code);
    let missing: Vec<_> = found.iter().filter(|code| !said(code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_step_has_its_help() {
    for step in catalogue() {
        assert!(!step.help.is_empty(), "help.{}", step.name);
    }
}

#[test]
fn every_rule_has_its_three_sentences() {
    for part in ["", ".why", ".fix"] {
        for FindingRule { name, .. } in RULES {
            assert!(messages().contains_key(&format!("finding.{name}{part}")), "finding.{name}{part}");
        }
    }
}

/// The words between the values of each template in sources of the page that can be the key of a sentence.
fn templates(page: &str) -> Vec<Vec<&str>> {
    let between = |text| -> Vec<&str> {
        str::split(text, "${")
            .enumerate()
            .map(
                |(at, rest)| if at == 0 { rest } else { rest.split_once('}').map_or("", |(_, words)| words) },
            )
            .collect()
    };
    let telling = |words: &Vec<&str>| {
        let namespace = words[0].split_once('.').map(|(_, first)| first.len());
        let plain = !words.concat().contains([' ', '\n']);
        plain && namespace.is_some_and(|first| first + words[1..].concat().len() >= 4)
    };
    // Templates stand in templates: what lies between any two marks is looked at.
    let all = page.split('`');
    all.filter(|text| text.contains("${")).map(between).filter(telling).collect()
}

/// True if a key consists of these words with text between them.
fn fits(words: &[&str], key: &str) -> bool {
    let [first, middle @ .., last] = words else { return false };
    let Some(rest) = key.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else { return false };
    middle.iter().try_fold(rest, |rest, word| rest.split_once(word).map(|(_, after)| after)).is_some()
}

#[test]
fn no_sentence_is_left_over() {
    let (core, page) =
        (sources("src") + &sources("bindings/wasm/src"), sources("www") + &sources("bindings/npm"));
    let steps: BTreeSet<String> = catalogue().iter().map(|step| format!("help.{}", step.name)).collect();
    // Either written out, or put together: `page.order-${order}`, `page.${unit}-by-time`.
    let templates = templates(&page);
    let said = |key: &str| {
        page.contains(&format!("'{key}'")) || templates.iter().any(|template| fits(template, key))
    };
    let of_rule = |rule: &FindingRule| {
        ["", ".detail", ".why", ".fix"].map(|part| format!("finding.{}{part}", rule.name))
    };
    let findings: BTreeSet<String> = RULES.iter().flat_map(of_rule).collect();
    let unused = |key: &&String| {
        !findings.contains(*key)
            && !steps.contains(*key)
            && !core.contains(&format!("\"{}\"", key.strip_suffix(".detail").unwrap_or(key)))
            && !said(key)
    };
    let left: Vec<_> = messages().keys().filter(unused).collect();
    assert!(left.is_empty(), "{left:?}");
}
