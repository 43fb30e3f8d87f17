//! How many bad findings come with a fix that was measured, among designs and records made by chance.

use super::judged_cases::judged;
use super::random_cases::Case;
use rowscape::findings::FindingSeverity;
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
