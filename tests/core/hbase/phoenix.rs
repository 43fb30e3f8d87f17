//! Statements of Phoenix as designs, against what Phoenix 5.2.1 made of them without a cluster: `tests/data/vectors/phoenix/tables.jsonl`
//! holds random tables with their indexes, rows with their keys in each, and queries with their scans (`tests/oracle/phoenix.mjs`).
//! `PHOENIX_VECTORS` names another file of that form.

use crate::common::{csv_records, unhex};
use rowscape::decode::decode;
use rowscape::design::{Document, parse};
use rowscape::encode::Encoder;
use rowscape::hbase::phoenix::{PhoenixText, is_sql, read};
use rowscape::json;
use rowscape::scan::{self, KeyRange, PhoenixScanKind, QueryMatcher};
use serde_json::Value;

struct Case {
    line: usize,
    sql: String,
    vectors: Value,
}

fn cases() -> Vec<Case> {
    let own = format!("{}/tests/data/vectors/phoenix/tables.jsonl", env!("CARGO_MANIFEST_DIR"));
    let path = std::env::var("PHOENIX_VECTORS").unwrap_or(own);
    let text = std::fs::read_to_string(&path).expect(&path);
    let lines = (1..).zip(text.lines()).map(|(line, text)| {
        let vectors: Value = serde_json::from_str(text).expect("JSON");
        let statements = vectors["statements"].as_array().expect("statements").iter();
        let queries = vectors["queries"].as_array().expect("queries").iter().map(|query| &query["sql"]);
        let all: Vec<&str> = statements.chain(queries).map(|sql| sql.as_str().expect("SQL")).collect();
        Case { line, sql: all.join(";\n"), vectors }
    });
    lines.collect()
}

/// The design, and the numbers of the queries of which part of the condition is left out.
fn designed(sql: &str) -> (Document, Vec<usize>) {
    assert!(is_sql(sql), "{sql}");
    let PhoenixText { design, problems } = read(sql);
    let wider = problems.iter().filter(|problem| problem.code == "sql.condition-left-out");
    let wider =
        wider.map(|problem| problem.args.get("query").expect("query").parse().expect("number")).collect();
    let design = design.unwrap_or_else(|| panic!("{sql}: {problems:?}"));
    (parse(&json::text(&design)).unwrap_or_else(|problems| panic!("{sql}: {problems:?}")), wider)
}

/// The rows as a file has them, in which NULL is nothing.
fn csv(vectors: &Value) -> String {
    let joined = |all: &Value| {
        let texts = all.as_array().expect("list").iter().map(|text| text.as_str().unwrap_or_default());
        texts.map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(",")
    };
    let rows = vectors["rows"].as_array().expect("rows").iter().map(|row| joined(&row["values"]));
    std::iter::once(joined(&vectors["columns"])).chain(rows).collect::<Vec<_>>().join("\n")
}

#[test]
fn rows_of_tables_and_indexes_have_the_keys_that_phoenix_writes() {
    let (mut compared, mut nulls) = (0, 0);
    for Case { line, sql, vectors } in cases() {
        let (document, _) = designed(&sql);
        let records = csv_records(&document.fields, csv(&vectors));
        let names: Vec<&str> = document.fields.iter().map(|field| field.name.as_str()).collect();
        for design in &document.tables {
            let encoder = Encoder::new(&records, &names, &[&design.typed]);
            let keys = encoder.encode().swap_remove(0).keys;
            for (at, row) in vectors["rows"].as_array().expect("rows").iter().enumerate() {
                let own = (!keys.get(at).is_empty()).then(|| keys.get(at).to_vec());
                let theirs = row["rows"].get(&design.name).map(|rows| unhex(&rows[0]));
                // A time of an index that is NULL has no field of ours.
                let unread = design.typed.fields().any(|field| records.columns[field].invalid.get(at));
                // Nor does an index know that its table refuses a record.
                let refused = row.get("error").is_some() && design.name.starts_with('I');
                if unread || refused {
                    continue;
                }
                assert_eq!(own, theirs, "{line}, row {at} of {}: {}\n{sql}", design.name, row["values"]);
                let Some(key) = own else { continue };
                compared += 1;
                let decoded = decode(&design.typed, &document.fields, &key).unwrap_or_else(|problem| {
                    panic!("{line}, row {at} of {}: {problem}\n{}\n{sql}", design.name, design.rowkey)
                });
                for part in &design.typed.parts {
                    let [field] = part.fields[..] else { continue };
                    let value = row["values"][field].as_str().unwrap_or_default();
                    nulls += usize::from(value.is_empty());
                    if document.fields[field].kind.name() == "text" {
                        assert_eq!(
                            decoded.fields[field].value.as_deref(),
                            Some(value),
                            "{line}, row {at}: {sql}"
                        );
                    }
                }
            }
        }
    }
    assert!(compared > 300 && nulls > 100, "{compared} keys, {nulls} NULLs");
    eprintln!("{compared} keys, {nulls} NULLs");
}

#[test]
fn rows_that_match_a_query_are_in_its_ranges_and_in_the_scan_of_phoenix() {
    let (mut matching, mut exact, mut kinds) = (0, 0, 0);
    for Case { line, sql, vectors } in cases() {
        let (document, wider) = designed(&sql);
        let records = csv_records(&document.fields, csv(&vectors));
        let names: Vec<&str> = document.fields.iter().map(|field| field.name.as_str()).collect();
        // Phoenix judges the table itself: without statistics it prefers no index for all columns.
        let design = &document.tables[0];
        let keys = Encoder::new(&records, &names, &[&design.typed]).encode().swap_remove(0).keys;
        for ((query, theirs), number) in
            document.queries.iter().zip(vectors["queries"].as_array().expect("queries")).zip(1..)
        {
            if theirs["table"] != design.name.as_str() {
                continue;
            }
            let salted = design.rowkey.starts_with("rest");
            let open = serde_json::json!([[null, null]]);
            let kind = match &theirs {
                theirs if theirs["nothing"] == true => None,
                theirs if theirs["point"] == true => Some(PhoenixScanKind::PointLookup),
                // Of a salted table, Phoenix calls the scan of each bucket a range.
                theirs if theirs["everything"] == true => Some(PhoenixScanKind::FullScan),
                theirs if theirs["slots"][usize::from(salted)] == open => Some(PhoenixScanKind::FullScan),
                theirs if theirs["skip"] == true => Some(PhoenixScanKind::SkipScan),
                _ => Some(PhoenixScanKind::RangeScan),
            };
            let own = scan::phoenix_scan(&design.typed, &document.fields, query).map(|scan| scan.kind);
            assert!(kind.is_none() || own == kind, "{line}: {own:?} for {kind:?}, {}\n{sql}", theirs["sql"]);
            kinds += usize::from(kind.is_some());
            let domains = scan::read(query, &document.fields, "").expect("conditions");
            let plan = scan::plan(&design.typed, &document.fields, query, &domains);
            let stop = unhex(&theirs["stop"]);
            let of_phoenix = KeyRange { start: unhex(&theirs["start"]), stop };
            for (at, row) in vectors["rows"].as_array().expect("rows").iter().enumerate() {
                let key = keys.get(at);
                let matches =
                    !key.is_empty() && QueryMatcher::new(&records, &document.fields, &domains).matches(at);
                if !matches {
                    continue;
                }
                matching += 1;
                let context = || {
                    format!(
                        "{line}: {}\n{} {}\n{:?}",
                        theirs["sql"], row["values"], design.rowkey, plan.ranges
                    )
                };
                assert!(plan.ranges.iter().any(|range| range.contains(key)), "{}", context());
                assert!(salted || wider.contains(&number) || of_phoenix.contains(key), "{}", context());
                exact += usize::from(plan.exact);
            }
        }
    }
    assert!(matching > 50, "{matching} rows match");
    eprintln!("{matching} rows match, {exact} of exact plans; {kinds} scans of the kind that Phoenix makes");
}
