//! Designs of the gallery without a fault get no finding, not even a note.

use super::opened::{Opened, open};
use rowscape::analysis::Analysis;
use std::rc::Rc;

/// Entries with the numbers of their tables that nothing is to be said of.
const GOOD: [(&str, &[usize]); 25] = [
    ("a10-versions-kept", &[1]),
    ("a2-one-key-for-two-records", &[1]),
    ("a5-few-values-first", &[0]),
    ("a6-partition-ids-and-time", &[0]),
    ("a7-short-names", &[1]),
    ("a8-families-of-unlike-size", &[1]),
    ("b3-delimiter-inside-value", &[1, 2, 3]),
    ("b4-binary-telemetry", &[0, 1]),
    ("c1-bucket-of-phone-and-month", &[0, 1]),
    ("c1-bucket-of-the-phone", &[0]),
    ("c2-layouts-of-call-records", &[3]),
    ("c2b-two-date-forms", &[1]),
    ("c3-points-with-a-bar", &[0]),
    ("c4-one-day-of-one-phone", &[0]),
    ("c5-three-months-three-buckets", &[0]),
    ("e4-hash-bucket-text", &[0]),
    ("e5-salt-byte", &[0, 1, 2]),
    ("e6-salt-or-reverse", &[0, 1]),
    ("g7-table-made-in-code", &[0]),
    ("h4-plain-concatenation", &[1]),
    ("i5-numeric-ids", &[0]),
    ("i6-five-minute-rows", &[0]),
    ("i7-number-formats", &[0]),
    ("j4-tall-wide-or-middle", &[0]),
    ("j4b-lines-in-one-row", &[1]),
];

#[test]
fn good_designs_of_the_gallery_get_no_finding_at_all() {
    for (slug, tables) in GOOD {
        let Opened { study, records } = open(slug);
        let records = Rc::new(records);
        for &table in tables {
            let analysis = Analysis::of(&study, table, records.clone());
            let found = analysis.expect(slug).findings(&study, table).expect(slug);
            let said: Vec<_> = found.iter().map(|finding| (finding.code, &finding.message)).collect();
            assert!(said.is_empty(), "{slug}, table {table}: {said:?}");
        }
    }
}
