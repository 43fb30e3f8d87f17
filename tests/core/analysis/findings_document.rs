//! FINDINGS.md is made from the table of rules and their sentences. To write it anew:
//! `UPDATE=1 cargo test --test core findings_document`.

use rowscape::error::messages;
use rowscape::findings::RULES;
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
        "# Findings\n\nEvery check of a design. Generated from the code (`src/analysis/findings/`) and `data/messages/en.json`; words in \
         braces are the evidence.\n\nSeverities: **problem** (`bad` in JSON and `--fail-on`), **warning** (costs something, or may) and **note** (good to know). \
         Checks that need records run only with records.\n",
    );
    for (area, title) in AREAS {
        let rules: Vec<_> = RULES.iter().filter(|rule| rule.code.starts_with(area)).collect();
        if !rules.is_empty() {
            let _ = write!(text, "\n## {title}\n");
        }
        for rule in rules {
            let sentence = |part: &str| {
                messages().get(&format!("finding.{}{part}", rule.name)).cloned().unwrap_or_default()
            };
            let sentence = |part: &str| sentence(part).replace("{#", "{").replace("{>", "{");
            // Phrases that can replace a name in braces, if there are only a few.
            let phrases =
                messages().keys().filter_map(|key| key.strip_prefix("finding.")?.strip_prefix(rule.name));
            let phrases = phrases.filter(|part| {
                !matches!(*part, "" | ".detail" | ".why" | ".fix")
                    && part.starts_with('.')
                    && !part.contains('#')
            });
            let phrases: String =
                phrases.map(|part| format!("\n- {}", sentence(part).trim_start())).collect();
            let phrases = if phrases.is_empty() { phrases } else { phrases + "\n" };
            let detail = match sentence(".detail") {
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
                "\n### {} {}\n\n**{}.**{detail}\n{phrases}\n**Why.** {}\n\n**Fix.** {}\n{reference}",
                rule.code,
                rule.name,
                sentence(""),
                sentence(".why"),
                sentence(".fix"),
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
fn codes_ascend_and_names_are_unique() {
    let codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
    let mut names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), codes.len());
}
