//! Summaries from elsewhere.

use crate::language::said;
use rowscape::hash::crc32;
use rowscape::report::{KeyFaults, Report, WriteTraits};
use rowscape::summary::Summary;
use rowscape::summary::form::VERSION;

/// A file; when it has no header, the body of one.
pub fn summary(data: &[u8]) {
    read(data);
    let mut file = b"RWSM".to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend((data.len() as u64).to_le_bytes());
    file.extend(crc32(data).to_le_bytes());
    file.extend(data);
    read(&file);
}

/// A summary that was read back behaves like one that was counted.
fn read(file: &[u8]) {
    let summary = match Summary::from_bytes(file) {
        Ok(summary) => summary,
        Err(problem) => return said(&[problem]),
    };
    assert_eq!(Summary::from_bytes(&summary.to_bytes()).as_ref(), Ok(&summary));
    for (index, design) in summary.designs.iter().enumerate() {
        let judged_by = (WriteTraits::default(), KeyFaults::default());
        if let Err(problem) = Report::of_summary(design, Some("at"), judged_by) {
            said(&[problem]);
        }
        for part in 0..design.leading.len() {
            let _ = summary.busiest_leading(index, part, 10);
        }
    }
    for field in 0..summary.fields.len() {
        let _ = summary.busiest_of_field(field, 10);
    }
    match summary.clone().merge(summary) {
        Ok(twice) => assert!(Summary::from_bytes(&twice.to_bytes()).is_ok()),
        Err(problem) => said(&[problem]),
    }
}
