//! How many bad findings come with a fix that was measured, among designs and records made by chance.

use super::findings::study;
use super::judged_cases::{Judged, judged, judged_table};
use super::random_cases::Case;
use rowscape::design::normal_form;
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

/// The document with an edit made in its first table.
fn edited(document: &Value, fix: &DesignFix) -> Value {
    let mut edited = normal_form(&study(document));
    if let Some(tables) = &fix.tables {
        edited["tables"] = tables.clone();
    }
    if let Some(queries) = &fix.queries {
        edited["queries"] = json!(queries);
    }
    for (name, value) in json!(fix).as_object().expect("members") {
        if ["rowkey", "splits", "families"].contains(&name.as_str()) {
            edited["tables"][0][name] = value.clone();
        }
    }
    edited
}

fn rank(severity: VerdictSeverity) -> u8 {
    match severity {
        VerdictSeverity::Good => 0,
        VerdictSeverity::Warning => 1,
        VerdictSeverity::Bad => 2,
    }
}

/// Findings of a code that are at least so severe.
fn count(found: &[Finding], code: &str, least: FindingSeverity) -> usize {
    found.iter().filter(|other| other.code == code && other.severity >= least).count()
}

/// Costs left unsaid of a fix: queries that get dearer, longer keys and rows to be written again.
fn unsaid(before: &Judged, after: &[Judged], fix: &DesignFix) -> Vec<String> {
    let says = |code: &str, query: Option<&String>| {
        fix.costs.iter().any(|cost| cost.code.starts_with(code) && cost.args.get("query") == query)
    };
    let mut unsaid = Vec::new();
    let efforts: Vec<_> = after.iter().flat_map(|judged| &judged.efforts).collect();
    for (name, scans, rows) in &before.efforts {
        let Some((_, more_scans, more_rows)) = efforts.iter().find(|effort| effort.0 == *name) else {
            unsaid.push(format!("{name} is gone"));
            continue;
        };
        let told_scans = ["scans", "time-ranges", "full-scan"];
        let told_scans = told_scans.iter().any(|code| says(&format!("finding.cost.{code}"), Some(name)));
        if more_scans > scans && !told_scans {
            unsaid.push(format!("{name}: {more_scans} scans for {scans}"));
        }
        if more_rows > rows && !says("finding.cost.rows", Some(name)) {
            unsaid.push(format!("{name}: {more_rows} rows for {rows}"));
        }
    }
    if after[0].key_bytes > before.key_bytes + 0.1 && !says("finding.cost.key-bytes", None) {
        unsaid.push(format!("keys of {} bytes for {}", after[0].key_bytes, before.key_bytes));
    }
    if fix.rowkey.is_some() && !says("finding.cost.rewrite", None) {
        unsaid.push("rows to be written again".to_owned());
    }
    unsaid
}

#[test]
fn each_offered_fix_improves_brings_no_fault_and_says_what_gets_dearer() {
    let (mut tried, mut of_tables) = (0, 0);
    for seed in 0..100 {
        let mut case = Case::of_at_most(seed, 5_000.0).with_queries(seed);
        let before = judged(&case);
        let document = case.document.clone();
        for finding in &before.found {
            let Some(fix) = &finding.fix else { continue };
            case.document = edited(&document, fix);
            let tables = study(&case.document).tables.len();
            let after: Vec<Judged> = (0..tables).map(|table| judged_table(&case, table)).collect();
            let told = || format!("{seed} {}: {document} to {}", finding.code, case.document);
            let (code, severity) = (finding.code, finding.severity);
            assert!(
                count(&after[0].found, code, severity) < count(&before.found, code, severity),
                "{}",
                told()
            );
            for judged in &after {
                assert!(rank(judged.verdict.severity) <= rank(before.verdict.severity), "{}", told());
            }
            for Finding { code, severity, .. } in &after[0].found {
                let new = count(&after[0].found, code, *severity) > count(&before.found, code, *severity);
                let said = *severity < finding.severity
                    && fix.costs.iter().any(|cost| cost.args.get("code").is_some_and(|said| said == code));
                assert!(*severity == FindingSeverity::Note || !new || said, "{code} is new, {}", told());
            }
            let unsaid = unsaid(&before, &after, fix);
            assert!(unsaid.is_empty(), "{unsaid:?}, {}", told());
            tried += 1;
            of_tables += usize::from(tables > 1);
        }
    }
    assert!(tried > 50 && of_tables > 0, "{tried} fixes, {of_tables} of tables");
}
