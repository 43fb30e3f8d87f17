//! How many bad findings come with a fix that was measured, among designs and records made by chance.

use super::judged_cases::judged;
use super::random_cases::Case;
use rowscape::findings::{DesignFix, Finding, FindingSeverity};
use rowscape::report::VerdictSeverity;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[test]
fn bad_findings_come_with_a_measured_fix() {
    let cases = 100u64;
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut without = Vec::new();
    for seed in 0..cases {
        let case = Case::of_at_most(seed, 5_000.0).with_queries(seed);
        let judged = judged(&case);
        for finding in judged.found.iter().filter(|finding| finding.severity == FindingSeverity::Bad) {
            // No edit of the design gives a record without its fields a key.
            if finding.code == "RS304" {
                continue;
            }
            let (all, fixed) = counts.entry(finding.code).or_default();
            *all += 1;
            *fixed += usize::from(finding.fix.is_some());
            if finding.fix.is_none() {
                let Case { document, arrival, records, .. } = &case;
                let rows = records.len();
                let codes: Vec<_> = judged.found.iter().map(|finding| finding.code).collect();
                without.push(format!(
                    "{seed} {}: {rows} rows, {arrival:?}, {} {} servers {}; {} {codes:?}",
                    finding.code,
                    document["rowkey"],
                    document["splits"],
                    document["servers"],
                    judged.verdict.code,
                ));
            }
        }
    }
    for (code, (all, fixed)) in &counts {
        println!("{code}: {fixed} of {all}");
    }
    let (all, fixed) = counts.values().fold((0, 0), |(all, fixed), of| (all + of.0, fixed + of.1));
    println!("{fixed} of {all}\n{}", without.join("\n"));
    assert!(100 * fixed >= 80 * all, "{fixed} of {all}:\n{}", without.join("\n"));
}

/// The document with an edit made.
fn edited(document: &Value, fix: &DesignFix) -> Value {
    let mut edited = document.clone();
    for (name, value) in json!(fix).as_object().expect("members") {
        if ["rowkey", "splits", "queries"].contains(&name.as_str()) {
            edited[name] = value.clone();
        }
    }
    edited
}

#[test]
fn each_offered_fix_improves_and_says_which_queries_get_dearer() {
    let rank = |severity: VerdictSeverity| match severity {
        VerdictSeverity::Good => 0,
        VerdictSeverity::Warning => 1,
        VerdictSeverity::Bad => 2,
    };
    let mut tried = 0;
    for seed in 0..60 {
        let mut case = Case::of_at_most(seed, 5_000.0).with_queries(seed);
        let before = judged(&case);
        let document = case.document.clone();
        for finding in &before.found {
            let Some(fix) = finding.fix.as_ref().filter(|fix| fix.tables.is_none() && fix.families.is_none())
            else {
                continue;
            };
            case.document = edited(&document, fix);
            let after = judged(&case);
            let count = |found: &[Finding]| {
                found
                    .iter()
                    .filter(|other| other.code == finding.code && other.severity >= finding.severity)
                    .count()
            };
            let told = || format!("{seed} {}: {document} to {}", finding.code, case.document);
            assert!(count(&after.found) < count(&before.found), "{}", told());
            assert!(rank(after.verdict.severity) <= rank(before.verdict.severity), "{}", told());
            for query in ["q0", "q1"] {
                let reads_all = |found: &[Finding]| {
                    found.iter().any(|other| {
                        other.code == "RS501" && other.args.get("query").is_some_and(|name| name == query)
                    })
                };
                let said =
                    fix.costs.iter().any(|cost| cost.args.get("query").is_some_and(|name| name == query));
                assert!(!reads_all(&after.found) || reads_all(&before.found) || said, "{}", told());
            }
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried} fixes");
}
