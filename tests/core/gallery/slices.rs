//! Every entry of the gallery is read and encoded in slices as in one.

use super::opened::{file, index, input, study};
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::{Design, Document};
use rowscape::encode::{Encoder, FirstKeys};
use rowscape::ingest::RecordReader;
use rowscape::records::Records;
use std::rc::Rc;

/// Bytes of a file in which its header is.
const NEAR: usize = 1 << 12;
/// Keys that are handed over at a time.
const HANDED: usize = 100;

fn encoded(study: &Document, design: &Design, records: &Records) -> Option<FirstKeys> {
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    Encoder::new(records, &names, &[&design.typed]).encode_on(FirstKeys::default(), records.rows)
}

/// The keys, the report and the memory of the records of a file that is cut at line ends into so many slices; and how many of its
/// records had their keys made in slices.
fn analyzed(study: &Document, csv: &str, slices: usize) -> (String, usize) {
    let design = &study.tables[0];
    let mut reader = RecordReader::new(&input(study)).expect("reader");
    let cut = |slice: usize| match slice {
        0 => 0,
        _ => csv[..csv.len() * slice / slices].rfind('\n').map_or(0, |end| end + 1),
    };
    let mut first = FirstKeys::default();
    for slice in 0..slices {
        let text = &csv[cut(slice)..cut(slice + 1)];
        if slice == 0 {
            reader.push(text.as_bytes());
            first = encoded(study, design, reader.records()).unwrap_or_default();
            continue;
        }
        let mut head = RecordReader::new(&input(study)).expect("reader");
        head.push(&csv.as_bytes()[..csv.len().min(NEAR)]);
        let apart = head.apart_from(cut(slice) as u64).map(|mut apart| {
            apart.push(text.as_bytes());
            (apart.piece_form().expect("form"), apart)
        });
        // Before the first record nothing is taken in.
        let Some((_, apart)) = apart.filter(|(form, _)| reader.take_in_form(form)) else {
            assert_eq!(reader.records().rows, 0, "slice {slice}");
            reader.push(text.as_bytes());
            continue;
        };
        let rows = apart.records().rows;
        if first.len() + rows != reader.records().rows {
            continue;
        }
        let Some(keys) = encoded(study, design, apart.records()) else { continue };
        for from in (0..rows).step_by(HANDED) {
            assert!(first.take_in(&keys.form(from..(from + HANDED).min(rows))));
        }
    }
    reader.push(&csv.as_bytes()[cut(slices)..]);
    reader.finish();
    let (made, records) = (first.len(), Rc::new(reader.into_records()));
    let mut analysis = Analysis::after(study, 0, records.clone(), first).expect("analysis");
    let report = analysis.report(&ReportOptions::default()).expect("report");
    (format!("{records:?}{:?}{report:?}", analysis.placed()), made)
}

#[test]
fn the_keys_and_the_report_of_an_entry_are_the_same_of_any_number_of_slices() {
    let entries = index();
    let (mut seen, mut made) = (0, 0);
    for entry in &entries {
        let (Some(slug), Some(data)) = (entry["slug"].as_str(), entry["data"].as_str()) else { continue };
        let (study, csv) = (study(slug), file(data));
        let (whole, _) = analyzed(&study, &csv, 1);
        for slices in [2, 3, 5] {
            let (cut, keys) = analyzed(&study, &csv, slices);
            assert!(cut == whole, "{slug} in {slices} slices");
            made += usize::from(keys > 0);
        }
        seen += 1;
    }
    assert!(seen > 70 && made > 100, "{seen} entries, of {made} cuts keys were made in slices");
}
