//! The order in which rows come, and where reading stops.

use super::study::{codes, keys, plan, query, ranges, records, study};
use proptest::prelude::*;
use rowscape::design::Document;
use rowscape::encode::Encoder;
use rowscape::key_table::KeyTable;
use rowscape::records::Records;
use rowscape::scan::{self, KnownRanges, OrderBasis, QueryMatcher, QueryPlan, RowsRead};
use serde_json::{Value, json};

fn fields() -> Value {
    json!([
        { "name": "host", "type": "text" },
        { "name": "ts", "type": "time", "format": "epoch-millis" },
        { "name": "n", "type": "integer" },
    ])
}

fn descending(field: &str, limit: u32) -> Value {
    json!({ "where": { "host": "a" }, "order": { "field": field, "direction": "descending" }, "limit": limit })
}

/// The plan for these records, its rows, and those of it that are read up to the limit.
fn answered(study: &Document, records: &Records, members: &Value) -> (QueryPlan, RowsRead, Option<RowsRead>) {
    let query = query(study, members.clone());
    let domains = scan::read(&query, &study.fields, "queries[0]").expect("conditions");
    let known = KnownRanges::of(records, &study.fields, std::slice::from_ref(&query));
    let typed = &study.tables[0].typed;
    let plan = scan::plan_known(typed, &study.fields, &query, &domains, &known);
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let table = KeyTable::new(Encoder::new(records, &names, &[typed]).encode().swap_remove(0), 0);
    let matching =
        QueryMatcher::new(records, &study.fields, &domains).written_at(records, study.arrival.as_deref());
    let counted = scan::count_plan(&plan, &table, &matching);
    let limited = scan::count_limited(&plan, &table, &matching);
    (plan, counted, limited)
}

/// Rows of a record each.
fn rows(read: u64, returned: u64) -> RowsRead {
    RowsRead { read, returned, ..RowsRead::default() }
}

#[test]
fn the_newest_are_no_sort_of_all_rows_for_negative_values_that_no_record_has() {
    for key in ["ts.millis().int64()", "ts.seconds().uint32()", "ts.seconds().int32()"] {
        let study = study(fields(), &format!("host.terminated() + {key}"));
        let lines: Vec<String> =
            (0..500).map(|row| format!("a,{},{row}", 1_700_000_000_000i64 + 1_000 * row)).collect();
        let (plan, counted, limited) = answered(&study, &records(&study, &lines), &descending("ts", 10));
        assert!(!plan.delivery.sort && plan.delivery.reversed, "{key}: {:?}", codes(&plan));
        assert_eq!(plan.delivery.basis, Some(OrderBasis::Records), "{key}");
        assert!(codes(&plan).contains(&"plan.order-by-records"), "{key}: {:?}", codes(&plan));
        assert_eq!((counted.read, limited.map(|rows| rows.read)), (500, Some(10)), "{key}");
    }
}

#[test]
fn seconds_are_sorted_within_each_and_not_all_of_them() {
    // Three or four times a second, of which two hosts have every other.
    for key in ["ts.seconds().uint32()", "ts.millis().div(1000).reverseLong().int64()"] {
        let study = study(fields(), &format!("host.terminated() + {key} + n.int32()"));
        let time = |row: i64| 1_700_000_000_000i64 + 300 * row;
        let lines: Vec<String> = (0..50).map(|row| format!("a,{},{}", time(row), 100 - row)).collect();
        let (plan, counted, limited) = answered(&study, &records(&study, &lines), &descending("ts", 5));
        assert!(!plan.delivery.sort && plan.delivery.tied.is_some(), "{key}: {:?}", codes(&plan));
        assert!(codes(&plan).contains(&"plan.order-tied"), "{key}: {:?}", codes(&plan));
        let last_second = |row: &i64| time(*row) / 1_000 >= time(45) / 1_000;
        let read = (0..50).filter(last_second).count() as u64;
        assert!(read > 5);
        assert_eq!((counted.read, limited), (50, Some(rows(read, 5))), "{key}");
    }
}

#[test]
fn without_records_values_are_taken_not_to_be_negative_and_the_plan_says_so() {
    let study = study(fields(), "host.terminated() + n.int64()");
    let without = plan(&study, descending("n", 10));
    assert!(!without.delivery.sort && without.delivery.reversed);
    assert_eq!(without.delivery.basis, Some(OrderBasis::NotNegative));
    assert!(codes(&without).contains(&"plan.order-not-negative"), "{:?}", codes(&without));
    let lines: Vec<String> = (-5..5).map(|n| format!("a,0,{n}")).collect();
    let (mixed, ..) = answered(&study, &records(&study, &lines), &descending("n", 3));
    assert!(mixed.delivery.sort && mixed.delivery.basis.is_none());
    // A range that the query sets needs no more to be known.
    let ranged = json!({ "where": { "host": "a", "n": { "from": 0 } }, "order": "n", "limit": 3 });
    assert_eq!(plan(&study, ranged).delivery, Default::default());
}

#[test]
fn a_limit_ends_reading_where_rows_come_in_order() {
    let study = study(fields(), "host.terminated() + ts.millis().int64()");
    let lines: Vec<String> = (0..972).map(|row| format!("{},{row},{row}", ["a", "b"][row % 2])).collect();
    let records = records(&study, &lines);
    let most = json!({ "where": { "host": "a" }, "limit": 50 });
    let (_, counted, limited) = answered(&study, &records, &most);
    assert_eq!((counted.read, limited), (486, Some(rows(50, 50))));
    // Fifty of which one in three matches.
    let third = json!({ "where": { "host": "a", "n": { "in": (0..972).step_by(6).collect::<Vec<i64>>() } }, "limit": 50 });
    let (_, counted, limited) = answered(&study, &records, &third);
    assert_eq!((counted.read, limited), (486, Some(rows(148, 50))));
    // More than there are.
    let (_, counted, limited) =
        answered(&study, &records, &json!({ "where": { "host": "a" }, "limit": 5_000 }));
    assert_eq!(limited, Some(counted));
}

#[test]
fn values_of_one_bucket_are_in_no_order_whichever_way_they_are_read() {
    let study = study(fields(), "n.floorMod(3).decimal(1) + ts.millis().int64()");
    for direction in ["ascending", "descending"] {
        let order = json!({ "field": "n", "direction": direction });
        let plan = plan(&study, json!({ "where": { "n": { "in": [-16, 23] } }, "order": order, "limit": 1 }));
        assert!(plan.delivery.sort, "{:?}", plan.delivery);
    }
}

#[test]
fn the_oldest_twenty_are_the_first_of_the_table_and_not_all_of_it() {
    let study = study(fields(), "ts.millis().int64() + host");
    let lines: Vec<String> = (0..300).map(|row| format!("a,{row},{row}")).collect();
    let oldest = json!({ "order": "ts", "limit": 20 });
    let (plan, counted, limited) = answered(&study, &records(&study, &lines), &oldest);
    assert_eq!((counted.read, limited), (300, Some(rows(20, 20))));
    assert!(!codes(&plan).contains(&"plan.full-scan"), "{:?}", codes(&plan));
    assert!(codes(&plan).contains(&"plan.full-scan-limited"), "{:?}", codes(&plan));
}

#[test]
fn each_of_the_streams_that_are_merged_reads_up_to_the_limit() {
    let study = study(fields(), "rest.phoenixSalt(8) + host.terminated() + ts.millis().int64()");
    let lines: Vec<String> = (0..800).map(|row| format!("a,{row},{row}")).collect();
    let (plan, counted, limited) = answered(&study, &records(&study, &lines), &descending("ts", 10));
    assert!(plan.delivery.merge && plan.delivery.reversed);
    assert_eq!((counted.read, limited), (800, Some(rows(80, 10))));
}

#[test]
fn buckets_of_months_are_read_in_the_order_of_the_months() {
    let calls = study(
        json!([{ "name": "phone", "type": "text" }, { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" }]),
        "bucket(phone, at.format('yyyyMM'), 6).decimal(2) + '_' + phone.text(11) + at.format('yyyyMMddHHmmss')",
    );
    let asked = json!({
        "where": { "phone": "13412341234", "at": ["2021-07-01", "2021-12-01"] }, "order": "at", "limit": 3,
    });
    let plan = plan(&calls, asked);
    assert!(!plan.delivery.merge && !plan.delivery.sort && plan.ranges.len() == 5, "{plan:?}");
    let starts: Vec<String> = ranges(&plan).into_iter().map(|(start, _)| start).collect();
    let turns: Vec<&str> = plan.turns.iter().map(|&turn| &starts[turn][14..20]).collect();
    assert_eq!(turns, ["202107", "202108", "202109", "202110", "202111"]);
    assert!(codes(&plan).contains(&"plan.order-in-turn"));
}

/// The keys of matching rows with the values of a field, by the scans of a plan; all together where they are not merged.
fn streams(
    study: &Document,
    records: &Records,
    plan: &QueryPlan,
    field: usize,
    members: &Value,
) -> Vec<Vec<(Vec<u8>, i64)>> {
    let query = query(study, members.clone());
    let domains = scan::read(&query, &study.fields, "queries[0]").expect("conditions");
    let matching =
        QueryMatcher::new(records, &study.fields, &domains).written_at(records, study.arrival.as_deref());
    let keys = keys(study, records);
    let mut rows: Vec<usize> = (0..records.rows).filter(|&row| !keys.get(row).is_empty()).collect();
    rows.sort_by_key(|&row| keys.get(row));
    // Records of one key are one row.
    rows.dedup_by_key(|row| keys.get(*row));
    let column = records.column(&study.fields[field].name).expect("a column");
    let rowscape::records::ColumnValues::Integers(values) = &column.values else { panic!("numbers") };
    let mut turns: Vec<usize> = (0..plan.ranges.len()).collect();
    if plan.delivery.reversed {
        turns.reverse();
    }
    if !plan.turns.is_empty() {
        turns = plan.turns.clone();
    }
    let stream = |turn: usize| {
        let inside = |row: &&usize| plan.ranges[turn].contains(keys.get(**row)) && matching.matches(**row);
        let mut stream: Vec<_> =
            rows.iter().filter(inside).map(|&row| (keys.get(row).to_vec(), values[row])).collect();
        if plan.delivery.reversed {
            stream.reverse();
        }
        stream
    };
    let streams: Vec<_> = turns.into_iter().map(stream).collect();
    if plan.delivery.merge { streams } else { vec![streams.concat()] }
}

/// The matching rows in the order the plan says they come in.
fn delivered(
    study: &Document,
    records: &Records,
    plan: &QueryPlan,
    field: usize,
    members: &Value,
) -> Vec<i64> {
    let streams = streams(study, records, plan, field, members);
    let mut streams: Vec<Vec<i64>> =
        streams.into_iter().map(|stream| stream.into_iter().map(|(_, value)| value).collect()).collect();
    let before = |a: i64, b: i64| if members["order"]["direction"] == "descending" { a > b } else { a < b };
    let mut all = Vec::new();
    while let Some(next) = (0..streams.len())
        .filter(|&at| !streams[at].is_empty())
        .reduce(|best, at| if before(streams[at][0], streams[best][0]) { at } else { best })
    {
        all.push(streams[next].remove(0));
    }
    all
}

const PARTS: &[&str] = &[
    "host.terminated()",
    "host.text(2)",
    "n.int64()",
    "n.int16()",
    "n.floorMod(3).decimal(1)",
    "n.abs().decimal(4)",
    "n.ordered.int64('desc')",
    "ts.millis().int64()",
    "ts.seconds().int32()",
    "ts.format('yyyyMMdd')",
    "ts.format('MM-dd')",
    "bucket(host, ts.format('yyyyMM'), 3).decimal(1)",
    "rest.phoenixSalt(3)",
    "ts.millis().reverseLong().int64()",
    "n.decimal()",
    "bucket(n, 3).decimal(1)",
    "'-'",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn rows_come_in_the_order_that_the_plan_tells(
        parts in prop::collection::vec(prop::sample::select(PARTS), 1..5),
        rows in prop::collection::vec((prop::sample::select(&["a", "b", "ab"][..]), -3i64..40, -20i64..40), 1..50),
        signed in any::<bool>(),
        by in prop::sample::select(&["ts", "n"][..]),
        falls in any::<bool>(),
        host in prop::option::of(prop::sample::select(vec![vec!["a"], vec!["a", "b"]])),
        n in prop_oneof![
            Just(Value::Null),
            prop::collection::btree_set(-20i64..40, 1..4).prop_map(|list| json!({ "in": list })),
            (-20i64..40, 1i64..40).prop_map(|(from, more)| json!({ "from": from, "to": from + more })),
            (-20i64..40).prop_map(|from| json!({ "from": from })),
        ],
        days in prop::option::of((0i64..40, 1i64..40)),
        limit in 1u32..20,
    ) {
        let rowkey = parts.join(" + ");
        let document = json!({ "rowscape": 1, "fields": fields(), "rowkey": rowkey });
        prop_assume!(rowscape::design::parse(&document.to_string()).is_ok());
        let study = study(fields(), &rowkey);
        let day = 86_400_000;
        let lines: Vec<String> = rows.iter().enumerate().map(|(row, &(host, at, n))| {
            let (at, n) = if signed { (at, n) } else { (at.abs(), n.abs()) };
            format!("{host},{},{n}", at * day + 1_000 * row as i64)
        }).collect();
        let records = records(&study, &lines);
        let mut conditions = serde_json::Map::new();
        if let Some(hosts) = host { conditions.insert("host".into(), json!({ "in": hosts })); }
        if !n.is_null() { conditions.insert("n".into(), n); }
        if let Some((from, more)) = days {
            conditions.insert("ts".into(), json!({ "from": from * day, "to": (from + more) * day }));
        }
        let direction = if falls { "descending" } else { "ascending" };
        let members = json!({ "where": conditions, "order": { "field": by, "direction": direction }, "limit": limit });
        let (plan, counted, limited) = answered(&study, &records, &members);
        if plan.delivery.sort {
            return Ok(());
        }
        let field = if by == "ts" { 1 } else { 2 };
        let come = delivered(&study, &records, &plan, field, &members);
        let mut sorted = come.clone();
        sorted.sort_unstable();
        if falls { sorted.reverse(); }
        match plan.delivery.tied {
            None => prop_assert_eq!(&come, &sorted, "{}: {:?}", rowkey, &plan),
            Some(length) => {
                for stream in streams(&study, &records, &plan, field, &members) {
                    for (at, (key, value)) in stream.iter().enumerate() {
                        let later = stream[at..].iter().filter(|(other, _)| other.get(..length) != key.get(..length));
                        for (_, other) in later {
                            prop_assert!(if falls { other <= value } else { other >= value }, "{}: {:?}", rowkey, &plan);
                        }
                    }
                }
            }
        }
        if let Some(limited) = limited {
            prop_assert!(limited.read <= counted.read);
            prop_assert_eq!(limited.returned, counted.returned.min(limit.into()), "{}: {:?}", rowkey, &plan);
        }
    }
}
