//! How many bad findings come with a fix that was measured, among designs and records made by chance.

use super::findings::study;
use super::judged_cases::{Judged, cases, for_seeds, judged, judged_table};
use super::random_cases::Case;
use rowscape::design::normal_form;
use rowscape::findings::{DesignFix, Finding, FindingSeverity};
use rowscape::report::VerdictSeverity;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Cases of the ordinary tests of fixes.
const FEW: u64 = 60;
/// Fixes that are taken one after another.
const FIXES: usize = 5;
/// Share of the rows by which the largest region may grow.
const GATHERED: f64 = 0.05;
/// Rows of the largest region beside the mean, up to which regions are even.
const EVEN: f64 = 2.0;

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

/// True if a verdict is worse; more regions may have too few rows each to see more.
fn is_worse(before: &Judged, after: &Judged) -> bool {
    let says_little = matches!(after.verdict.code, "verdict.too-sparse" | "verdict.too-few-rows");
    rank(after.verdict.severity) > rank(before.verdict.severity) && !says_little
}

/// True if rows of the first table are written again on purpose.
fn is_written_again(document: &Value) -> bool {
    ["upsert", "counter"].iter().any(|kind| document["tables"][0]["writes"] == *kind)
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

/// The harm that a fix does: rows that no longer can be read, records without a key, rows gathered in one region, full scans.
fn harm(before: &Judged, after: &[Judged]) -> Vec<&'static str> {
    let own = &after[0];
    let hides = after.iter().any(|judged| judged.hidden > before.hidden);
    let worse = after.iter().any(|judged| is_worse(before, judged));
    // Fewer regions have more rows each, however even they are.
    let uneven = own.largest.1 > before.largest.1.max(EVEN);
    let gathers = uneven && own.largest.0 > before.largest.0 + GATHERED;
    let scans = own.full.iter().any(|name| !before.full.contains(name))
        && after[1..].iter().all(|added| own.full.iter().any(|name| added.full.contains(name)));
    let all = [
        (hides, "hides rows"),
        (own.rejected > before.rejected, "rejects records"),
        (gathers, "gathers rows"),
        (scans, "adds a full scan"),
        (worse, "worsens the verdict"),
    ];
    all.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect()
}

/// The tables of a document, judged on the records of a case.
fn all_judged(case: &mut Case, document: &Value) -> Vec<Judged> {
    case.document = document.clone();
    let tables = study(&case.document).tables.len();
    (0..tables).map(|table| judged_table(case, table)).collect()
}

/// `ROWSCAPE_CASES=400 cargo test --test core offered_fixes -- --nocapture` prints the figures of
/// `docs/judgement.md`.
#[test]
fn no_offered_fix_harms_and_few_are_useless() {
    let cases = if std::env::var_os("ROWSCAPE_CASES").is_some() { cases() } else { FEW };
    let tallies = for_seeds(cases, |seed, tallies| {
        let mut case = Case::of_at_most(seed, 5_000.0).with_queries(seed);
        let before = judged(&case);
        let document = case.document.clone();
        for finding in &before.found {
            let Some(fix) = &finding.fix else { continue };
            let edited = edited(&document, fix);
            let after = all_judged(&mut case, &edited);
            let harm = harm(&before, &after);
            let told = || format!("{seed} {} {harm:?}: {document} to {edited}", finding.code);
            tallies.count("harmful", !harm.is_empty(), Some(false), told);
            let stays = count(&after[0].found, finding.code, FindingSeverity::Note)
                >= count(&before.found, finding.code, FindingSeverity::Note);
            tallies.count("useless", stays, Some(false), told);
        }
    });
    let of = |name: &str| tallies.all.get(name).cloned().unwrap_or_default();
    let (harmful, useless) = (of("harmful"), of("useless"));
    let all = harmful.wrong + harmful.none;
    println!("{all} fixes of {cases} designs: {} harmful, {} useless", harmful.wrong, useless.wrong);
    assert!(harmful.wrong == 0 && 50 * useless.wrong <= all.max(50), "{}", tallies.trouble.join("\n"));
}

/// Whoever takes the first fix that is offered, again and again, never comes back to a design of before, and ends no worse.
#[test]
fn no_one_is_sent_in_a_circle() {
    let cases = if std::env::var_os("ROWSCAPE_CASES").is_some() { cases() } else { FEW };
    let tallies = for_seeds(cases, |seed, tallies| {
        let mut case = Case::of_at_most(seed, 3_000.0).with_queries(seed);
        let first = judged(&case);
        let mut seen = vec![edited(&case.document, &DesignFix::default())];
        let verdicts = |judged: &[Judged]| judged.iter().map(|of| of.verdict.code).collect::<Vec<_>>();
        let mut said = vec![("", verdicts(std::slice::from_ref(&first)))];
        let mut last: Option<Vec<Judged>> = None;
        for _ in 0..FIXES {
            let found = &last.as_ref().map_or(&first, |judged| &judged[0]).found;
            let Some((code, fix)) = found.iter().find_map(|one| Some((one.code, one.fix.clone()?))) else {
                break;
            };
            let next = edited(seen.last().expect("the first"), &fix);
            let again = seen.contains(&next);
            let told = || format!("{seed} {said:?} {code}: {} to {next}", seen[0]);
            tallies.count("circle", again, Some(false), told);
            if again {
                break;
            }
            let judged = all_judged(&mut case, &next);
            said.push((code, verdicts(&judged)));
            last = Some(judged);
            seen.push(next);
        }
        let Some(last) = last else { return };
        let mut harm = harm(&first, &last);
        // A row with a random salt is written to other keys, which is no copy to keep.
        harm.retain(|harm| *harm != "hides rows" || !is_written_again(&seen[0]));
        let told = || format!("{seed} {said:?} {harm:?}: {} to {}", seen[0], case.document);
        tallies.count("worse", !harm.is_empty(), Some(false), told);
    });
    let wrong: usize = tallies.all.values().map(|tally| tally.wrong).sum();
    tallies.print();
    assert!(wrong == 0, "{}", tallies.trouble.join("\n"));
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
                assert!(!is_worse(&before, judged), "{}", told());
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
