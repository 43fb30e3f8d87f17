//! Every entry of the gallery is counted on several threads as on one.

use super::opened::{file, index, input, study};
use rowscape::base::workers::Workers;
use rowscape::design::Document;
use rowscape::ingest::RecordReader;
use rowscape::records::Records;
use rowscape::stream::Stream;
use rowscape::summary_file::{PartPlace, Summarizer, SummarizerOptions, with_fixed_splits};
use std::sync::Arc;

/// The records of an entry, a few lines at a time.
fn portions(study: &Document, csv: &str, lines: usize) -> Vec<Records> {
    let mut reader = RecordReader::new(&input(study)).expect("reader");
    let all: Vec<&str> = csv.split_inclusive('\n').collect();
    let mut portions = Vec::new();
    for lines in all.chunks(lines) {
        reader.push(lines.concat().as_bytes());
        portions.push(reader.take_records_so_far());
    }
    reader.finish();
    portions.push(reader.take_records_so_far());
    portions
}

fn summarized(study: &Document, portions: &[Records], workers: Option<&Arc<Workers>>) -> Vec<u8> {
    let options = SummarizerOptions::default();
    let place = PartPlace::Files(vec!["data.csv".to_owned()]);
    let mut part = Summarizer::new(study.clone(), place, options).expect("summarizer");
    workers.into_iter().for_each(|workers| part.count_on(workers));
    portions.iter().for_each(|records| part.add(records.clone()).expect("counted"));
    assert_eq!(part.rows(), portions.iter().map(|records| records.rows as u64).sum::<u64>());
    part.finish().to_bytes()
}

fn streamed(study: &Document, portions: &[Records], workers: Option<Arc<Workers>>) -> String {
    let mut stream = Stream::new(study.clone(), 0).expect("stream").counted_on(workers);
    portions.iter().for_each(|records| stream.add(records.clone()).expect("counted"));
    let report = serde_json::to_string(&stream.report().expect("report")).expect("JSON");
    format!("{report}{:?}", stream.summary().expect("summary").to_bytes())
}

#[test]
fn counts_can_be_held_where_threads_share_them() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Summarizer>();
    is_shared::<Stream>();
}

#[test]
fn the_counts_of_an_entry_are_the_same_on_any_number_of_threads() {
    let entries = index();
    let mut seen = 0;
    for entry in &entries {
        let (Some(slug), Some(data)) = (entry["slug"].as_str(), entry["data"].as_str()) else { continue };
        let (plain, csv) = (study(slug), file(data));
        let all = portions(&plain, &csv, usize::MAX);
        let cut = portions(&plain, &csv, 3);
        let fixed = with_fixed_splits(plain.clone(), &all[0]).unwrap_or_else(|_| plain.clone());
        let (summary, stream) = (summarized(&fixed, &all, None), streamed(&plain, &cut, None));
        for threads in [1, 2, 3, 8] {
            let workers = Arc::new(Workers::new(threads).expect("threads"));
            assert!(summarized(&fixed, &cut, Some(&workers)) == summary, "{slug} on {threads}");
            assert!(streamed(&plain, &cut, Some(workers)) == stream, "{slug} on {threads}");
        }
        seen += 1;
    }
    assert!(seen > 70, "{seen} entries");
}
