//! FINDINGS.md is made from the table of rules and their sentences. To write it anew:
//! `UPDATE=1 cargo test --test core findings_document`.

use rowscape::findings::{ExplainedRule, RULES};
use std::fmt::Write;
use std::path::Path;

/// Subject of each hundred of the codes.
const AREAS: [(&str, &str); 7] = [
    ("RS1", "Spread: where writes go"),
    ("RS2", "Order: how keys sort and where parts end"),
    ("RS3", "Identity: distinguishing and recovering records"),
    ("RS4", "Size"),
    ("RS5", "Queries"),
    ("RS6", "Table"),
    ("RS7", "Privacy"),
];

fn document() -> String {
    let mut text = String::from(
        "# Findings\n\nEvery check of a design, each with an example whose values are made up. Generated from `data/findings.json` and `data/messages/en.json`.\n\n\
         Severities: **problem** (`bad` in JSON and `--fail-on`), **warning** (costs something, or may) and **note** (good to know). \
         Checks that need records run only with records. At a stated write rate, a finding about writes is a note where its share of the rate is low, and a warning at most where it is near the capacity \
         of a region. [How Rowscape judges](judgement.md) defines the quantities and shows how often each finding is right.\n",
    );
    for (area, title) in AREAS {
        let rules: Vec<_> = RULES.iter().filter(|rule| rule.code.starts_with(area)).collect();
        if !rules.is_empty() {
            let _ = write!(text, "\n## {title}\n");
        }
        for rule in rules {
            let rule_in_words = rule.explained().expect("in data/findings.json");
            let ExplainedRule { severity, when, example, why, fix } = rule_in_words;
            let detail = match example.detail {
                detail if detail.is_empty() => detail,
                detail => format!(" {detail}"),
            };
            let reference = match rule.reference {
                "https://hbase.apache.org/book.html" => String::new(),
                page if page.starts_with("https:") => format!("\n[Reference]({page})\n"),
                other => format!("\nSee `{other}`\n"),
            };
            let _ = write!(
                text,
                "\n### {} {}\n\n**{}.**{detail}\n\n**Severity.** {severity}.\n\n**When.** {when}\n\n**Why.** {why}\n\n**Fix.** {fix}\n{reference}",
                rule.code, rule.name, example.title,
            );
        }
    }
    text
}

#[test]
fn it_says_what_the_rules_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/FINDINGS.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, document()).expect("written");
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        text == document(),
        "FINDINGS.md is behind the code: UPDATE=1 cargo test --test core findings_document"
    );
}

#[test]
fn each_example_is_whole() {
    for rule in RULES {
        let explained = rule.explained().unwrap_or_else(|| panic!("{} is in data/findings.json", rule.code));
        let ExplainedRule { severity, when, example, why, fix } = &explained;
        for text in [severity, when, &example.message(), why, fix] {
            let is_open = text.contains('{') || text.contains("finding.") || text.is_empty();
            assert!(!is_open, "{}: {text}", rule.code);
        }
    }
}

#[test]
fn codes_ascend_and_names_are_unique() {
    let codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), codes.len());
}
