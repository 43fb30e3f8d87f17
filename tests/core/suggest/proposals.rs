//! Queries proposed for records.

use crate::common::csv_records;
use crate::gallery::opened::{file, index, open};
use rowscape::design::{Document, parse, parse_request};
use rowscape::records::Records;
use rowscape::scan::{self, QueryMatcher};
use rowscape::suggest::{Asks, ProposedQuery, proposed_queries};
use serde_json::{Value, json};

/// The document with these queries, named after what they ask for.
fn with(document: &str, proposed: &[ProposedQuery]) -> String {
    let mut document: Value = serde_json::from_str(document).expect("JSON");
    let named = proposed.iter().map(|of| {
        let mut query = of.query.clone();
        query["name"] = json!(format!("{:?}", of.asks));
        query
    });
    document["queries"] = named.collect();
    document.to_string()
}

fn returned(study: &Document, records: &Records) -> Vec<(String, usize)> {
    let count = |query| {
        let domains = scan::read(query, &study.fields, "queries").expect("conditions");
        let matching = QueryMatcher::new(records, &study.fields, &domains);
        (0..records.rows).filter(|&row| matching.matches(row)).count()
    };
    study.queries.iter().map(|query| (query.name.clone(), count(query))).collect()
}

#[test]
fn proposed_queries_of_the_gallery_return_rows() {
    let mut proposals = 0;
    for entry in index() {
        let slug = entry["slug"].as_str().expect("slug");
        let opened = open(slug);
        for table in 0..opened.study.tables.len() {
            let proposed = proposed_queries(&opened.study, table, &opened.records);
            let text = with(&file(&format!("{slug}.json")), &proposed);
            let study = parse(&text).unwrap_or_else(|wrong| panic!("{slug}: {wrong:?}"));
            for (name, rows) in returned(&study, &opened.records) {
                assert!(rows > 0, "{slug}: {name} of {text}");
                proposals += 1;
            }
        }
    }
    println!("{proposals} queries");
    assert!(proposals > 200);
}

fn opened(fields: Value, csv: &str) -> (Document, Records) {
    let document = json!({ "rowscape": 1, "fields": fields }).to_string();
    let study = parse_request(&document).expect("a study").document;
    let records = csv_records(&study.fields, csv);
    (study, records)
}

fn of(proposed: &[ProposedQuery], asks: Asks) -> Value {
    let query = proposed.iter().find(|of| of.asks == asks);
    query.unwrap_or_else(|| panic!("{asks:?} in {proposed:?}")).query["where"].clone()
}

#[test]
fn lengths_of_time_are_no_finer_than_the_times() {
    let days: String = (1..=28).map(|day| format!("a,2024-02-{day:02}\nb,2024-02-{day:02}\n")).collect();
    let (study, records) = opened(
        json!([{ "name": "host", "type": "text" }, { "name": "day", "type": "time", "format": "yyyy-MM-dd", "zone": "+08:00" }]),
        &format!("host,day\n{days}"),
    );
    let proposed = proposed_queries(&study, 0, &records);
    assert_eq!(of(&proposed, Asks::All), json!({ "day": ["2024-02-15 00:00:00", "2024-02-16 00:00:00"] }));
    assert_eq!(of(&proposed, Asks::One)["host"], "a");
}

#[test]
fn a_value_is_asked_for_when_it_has_rows() {
    // The value of most rows has none while most rows come.
    let mut csv = "host,at\n".to_owned();
    (0..400).for_each(|row| csv += &format!("h{},{}\n", row % 50, 1_700_000_000 + row / 20));
    (0..20).for_each(|row| csv += &format!("rare,{}\n", 1_700_000_000 + 86_400 * (row / 10 + 1)));
    let fields = json!([{ "name": "host", "type": "text" }, { "name": "at", "type": "time", "format": "epoch-seconds" }]);
    let (study, records) = opened(fields, &csv);
    let proposed = proposed_queries(&study, 0, &records);
    assert_eq!(of(&proposed, Asks::One)["host"], "rare");
    let document = json!({ "rowscape": 1, "fields": study.fields, "rowkey": "host" }).to_string();
    let study = parse(&with(&document, &proposed)).expect("a document");
    assert!(returned(&study, &records).iter().all(|(_, rows)| *rows > 0));
}

#[test]
fn without_a_time_nothing_is_asked_by_time_and_without_records_nothing_at_all() {
    let fields = json!([{ "name": "host", "type": "text" }, { "name": "id", "type": "text" }]);
    let (study, records) = opened(fields.clone(), "host,id\nweb,1\nweb,2\nweb,3\n");
    let asks: Vec<Asks> = proposed_queries(&study, 0, &records).iter().map(|of| of.asks).collect();
    assert_eq!(asks, [Asks::Whole, Asks::Row]);
    let (study, records) = opened(fields, "host,id\n");
    assert_eq!(proposed_queries(&study, 0, &records), []);
}
