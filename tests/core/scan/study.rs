//! A design with records and one query, planned and counted.

use crate::common;
use rowscape::bytes::strings::ByteStrings;
use rowscape::design::{self, Document, Query};
use rowscape::encode::Encoder;
use rowscape::key_table::KeyTable;
use rowscape::records::Records;
use rowscape::row::to_string_binary;
use rowscape::scan::{self, QueryMatcher, QueryPlan, RowsRead};
use serde_json::{Value, json};

/// A study of one table.
pub fn study(fields: Value, rowkey: &str) -> Document {
    let document = json!({ "rowscape": 1, "fields": fields, "rowkey": rowkey });
    design::parse(&document.to_string()).unwrap_or_else(|problems| panic!("{rowkey}: {problems:?}"))
}

/// A query as the document has it: `{ "where": …, "order": …, "limit": … }`.
pub fn query(study: &Document, mut members: Value) -> Query {
    members["name"] = json!("q");
    let fields: Vec<Value> =
        study.fields.iter().map(|field| serde_json::to_value(field).expect("field")).collect();
    let document = json!({ "rowscape": 1, "fields": fields, "rowkey": "'x'", "queries": [members] });
    let study =
        design::parse(&document.to_string()).unwrap_or_else(|problems| panic!("{members}: {problems:?}"));
    study.queries.into_iter().next().expect("a query")
}

/// The plan of a query.
pub fn plan(study: &Document, members: Value) -> QueryPlan {
    let query = query(study, members);
    let domains = scan::read(&query, &study.fields, "queries[0]").expect("conditions");
    scan::plan(&study.tables[0].typed, &study.fields, &query, &domains)
}

/// Start and stop rows in the shell's notation.
pub fn ranges(plan: &QueryPlan) -> Vec<(String, String)> {
    let text = |range: &scan::KeyRange| (to_string_binary(&range.start), to_string_binary(&range.stop));
    plan.ranges.iter().map(text).collect()
}

/// Codes of the reasons.
pub fn codes(plan: &QueryPlan) -> Vec<&'static str> {
    plan.reasons.iter().map(|reason| reason.code).collect()
}

/// Records from lines of CSV, in the order of the fields.
pub fn records(study: &Document, lines: &[String]) -> Records {
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let csv = format!("{}\n{}\n", names.join(","), lines.join("\n"));
    common::csv_records(&study.fields, csv)
}

/// The keys of all records; empty for one that has none.
pub fn keys(study: &Document, records: &Records) -> ByteStrings {
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    Encoder::new(records, &names, &[&study.tables[0].typed]).encode().swap_remove(0).keys
}

/// Rows read and returned.
pub fn counted(study: &Document, records: &Records, members: Value) -> RowsRead {
    let query = query(study, members);
    let domains = scan::read(&query, &study.fields, "queries[0]").expect("conditions");
    let plan = scan::plan(&study.tables[0].typed, &study.fields, &query, &domains);
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(records, &names, &[&study.tables[0].typed]).encode().swap_remove(0);
    let matching =
        QueryMatcher::new(records, &study.fields, &domains).written_at(records, study.arrival.as_deref());
    scan::count(&plan.ranges, &KeyTable::new(keys, 0), &matching)
}
