//! Summaries from elsewhere.

use crate::language::said;
use rowscape::hash::crc32;
use rowscape::report::{KeyFaults, Report, WriteTraits};
use rowscape::summary::Summary;
use rowscape::summary::form::VERSION;
use rowscape::summary_file::{self, MAGIC, SummaryFile};

/// Counts or a summary file; when it has no header, the body of one.
pub fn summary(data: &[u8]) {
    read(data);
    open(data);
    read(&framed(*b"RWSM", VERSION, data));
    open(&framed(MAGIC, summary_file::VERSION, data));
}

fn framed(magic: [u8; 4], version: u32, body: &[u8]) -> Vec<u8> {
    let mut file = magic.to_vec();
    file.extend(version.to_le_bytes());
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(crc32(body).to_le_bytes());
    file.extend(body);
    file
}

/// A summary file that was read back is written as it was, and answers or refuses.
fn open(file: &[u8]) {
    let summary = match SummaryFile::from_bytes(file) {
        Ok(summary) => summary,
        Err(problem) => return said(&[problem]),
    };
    let again = SummaryFile::from_bytes(&summary.to_bytes()).map(|again| again.to_bytes());
    assert_eq!(again, Ok(summary.to_bytes()));
    for table in 0..summary.study().tables.len() {
        if let Err(problem) = summary.report(table) {
            said(&[problem]);
        }
        if let Err(problem) = summary.findings(table) {
            said(&[problem]);
        }
    }
    let twice = summary.clone().merge(summary.clone());
    assert_eq!(twice.is_err(), !summary.parts().is_empty());
    let bare = summary.clone().without_samples();
    assert!(bare.parts() == summary.parts() && SummaryFile::from_bytes(&bare.to_bytes()).is_ok());
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
