//! Fewer records of the same table: a verdict may say that they are too few, and is never better.

use super::opened::{Opened, generated, index};
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::records::Records;
use rowscape::report::{Verdict, VerdictSeverity};
use std::rc::Rc;

fn verdict(opened: &Opened, table: usize, records: Records) -> Verdict {
    let mut analysis = Analysis::of(&opened.study, table, Rc::new(records)).expect("analysis");
    analysis.report(&ReportOptions::default()).expect("report").verdict
}

/// A record in so many, by chance.
fn thinned(records: &Records, many: u64) -> Records {
    let is_in = |row: &u32| {
        let z = (u64::from(*row) ^ 0x51).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((z ^ z >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33).is_multiple_of(many)
    };
    records.part(&(0..records.rows as u32).filter(is_in).collect::<Vec<_>>())
}

#[test]
fn thinner_records_of_an_entry_never_have_a_better_verdict() {
    let mut better = Vec::new();
    for entry in index() {
        let slug = entry["slug"].as_str().expect("slug");
        let opened = generated(slug, None);
        for (table, design) in opened.study.tables.iter().enumerate() {
            let of_all = verdict(&opened, table, opened.records.clone());
            for many in [10, 100] {
                let thin = verdict(&opened, table, thinned(&opened.records, many));
                // Keys that several rows share come apart.
                let is_of_spread = of_all.code != "verdict.overwritten";
                if is_of_spread
                    && thin.severity == VerdictSeverity::Good
                    && of_all.severity != VerdictSeverity::Good
                {
                    better.push(format!(
                        "{slug}, {}, 1/{many}: {} after {}",
                        design.name, thin.message, of_all.message
                    ));
                }
                println!(
                    "{slug} {} {many}: {:?} {} -> {:?} {}",
                    design.name, of_all.severity, of_all.code, thin.severity, thin.code
                );
            }
        }
    }
    assert!(better.is_empty(), "{better:#?}");
}
