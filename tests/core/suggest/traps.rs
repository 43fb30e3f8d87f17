//! Records and queries that mislead: each has a key that looks good and is not.

use super::{at, lines, logs, mix, study, suggested};
use rowscape::suggest::{SuggestOptions, Suggestion, Suggestions, score_keys};
use serde_json::{Value, json};

pub fn found(document: Value, csv: &str) -> Suggestions {
    let (asked, records) = study(document, csv);
    suggested(&asked, &records, &SuggestOptions::default())
}

fn labelled<'s>(found: &'s Suggestions, label: &str) -> &'s Suggestion {
    let of = found.suggestions.iter().find(|of| of.labels.contains(&label));
    of.unwrap_or_else(|| {
        panic!("{label}: {:?}", found.suggestions.iter().map(|of| &of.labels).collect::<Vec<_>>())
    })
}

pub fn range() -> Value {
    json!(["2024-01-01 00:10:00", "2024-01-01 00:20:00"])
}

fn host_and_time() -> Value {
    json!({ "name": "one host, ten minutes", "where": { "host": "h1", "at": range() } })
}

fn time_alone() -> Value {
    json!({ "name": "ten minutes", "where": { "at": range() } })
}

#[test]
fn one_device_with_half_of_the_rows_is_spread_by_what_changes_within_it() {
    let host = |row: u64| if mix(row) % 100 < 55 { "h1".to_owned() } else { format!("h{}", mix(row) % 500) };
    let found = found(logs(json!([host_and_time()]), json!({})), &lines(6000, host));
    let best = labelled(&found, "spreads-writes");
    // The device alone would be 55%.
    assert!(best.scores.hottest_server < 0.35, "{:?}", best.scores);
    let cheap = labelled(&found, "cheapest-reads");
    assert!(cheap.rowkeys[0].contains("host") && cheap.scores.reads < best.scores.reads);
}

#[test]
fn a_bucket_that_changes_within_the_moment_spreads_one_device_behind_it_with_the_price_in_scans() {
    let host = |row: u64| if mix(row) % 100 < 70 { "h1".to_owned() } else { format!("h{}", mix(row) % 500) };
    let all = json!({ "name": "a host", "where": { "host": "h1" } });
    let document = logs(json!([host_and_time(), all]), json!({}));
    let (asked, records) = study(document, &lines(6000, host));
    let keys = [
        "host.terminated() + at.seconds().uint32() + line.uint16()",
        "host.terminated() + bucket(line, 4).uint8() + at.seconds().uint32() + line.uint16()",
        "host.terminated() + at.seconds().floorMod(4).uint8() + at.seconds().uint32() + line.uint16()",
        "bucket(host, at.truncate('1h').millis(), 4).uint8() + host.terminated() + at.seconds().uint32() + line.uint16()",
    ];
    let keys = keys.map(str::to_owned);
    let options = SuggestOptions { tables: 1, ..SuggestOptions::default() };
    let scores = score_keys(&asked, &records, &options, &keys).expect("scores");
    let [plain, salted, second, period] =
        [0, 1, 2, 3].map(|at: usize| &scores[at].as_ref().expect("formula").scores);
    for spread in [salted, second] {
        assert!(spread.hottest_server < 0.35 && plain.hottest_server > 0.6, "{plain:?} {spread:?}");
        assert!(spread.reads > plain.reads + 3.0, "four scans where one did: {plain:?} {spread:?}");
    }
    // A bucket of the entity and the period moves the hotspot.
    assert!(period.hottest_server > 0.6, "{period:?}");
    let found = suggested(&asked, &records, &options);
    let within = |of: &&Suggestion| {
        let key = &of.rowkeys[0];
        of.scores.hottest_server < 0.35
            && key.starts_with("host")
            && (key.contains("+ bucket(") || key.contains("floorMod("))
    };
    let keys: Vec<&String> = found.suggestions.iter().map(|of| &of.rowkeys[0]).collect();
    let of = found.suggestions.iter().find(within).unwrap_or_else(|| panic!("{keys:?}"));
    let scans: Vec<usize> = of.queries.iter().map(|query| query.scans).collect();
    assert!(
        scans[0] >= 4 && scans[1] == 1,
        "a range of time asks each bucket, a whole host is one range: {scans:?}"
    );
    let code = |of: &Suggestion| {
        of.reasons.iter().any(|of| ["suggest.salt-within", "suggest.second"].contains(&of.code))
    };
    assert!(code(of), "{:?}", of.reasons);
    let back = of.without.iter().find(|back| back.choice.code == "suggest.without-bucket").expect("without");
    assert!(back.change.hottest_server > 0.2 && back.change.reads < 0.0, "{back:?}");
}

#[test]
fn snowflake_ids_are_hashed_and_found_by_one_get() {
    let document = json!({
        "rowscape": 1,
        "fields": [{ "name": "id", "type": "integer" }, { "name": "at", "type": "time", "format": "epoch-millis" }],
        "arrival": "at",
        "servers": 4,
        "queries": [{ "name": "by id", "where": { "id": 1 } }],
    });
    // Time in the high bits, a worker that is nearly always 1, a sequence that is nearly always 0.
    let row = |row: u64| {
        let millis = 1_704_067_200_000 + row * 130;
        format!("{},{millis}\n", ((millis - 1_288_834_974_657) << 22) | (1 << 12))
    };
    let csv: String = std::iter::once("id,at\n".to_owned()).chain((0..6000).map(row)).collect();
    let found = found(document, &csv);
    let best = labelled(&found, "balanced");
    assert!(best.scores.hottest_server < 0.35, "{:?} {:?}", best.rowkeys, best.scores);
    assert_eq!((best.queries[0].scans, best.queries[0].regions), (1, 1));
    let time = found.considered.alternatives.iter().find(|of| of.name == "time-first").expect("time first");
    assert!(time.scores.hottest_server > 0.95, "{:?}", time.scores);
}

#[test]
fn all_lines_of_ten_minutes_get_a_salt_that_readers_can_compute() {
    let document = logs(json!([time_alone()]), json!({}));
    let found = found(document, &lines(6000, |row| format!("h{}", mix(row) % 300)));
    let best = labelled(&found, "spreads-writes");
    assert!(best.scores.hottest_server < 0.3, "{:?}", best.scores);
    assert!(best.rowkeys[0].starts_with("bucket("), "{:?}", best.rowkeys);
    let salted =
        found.suggestions.iter().find(|of| of.queries[0].scans == 4 && of.scores.hottest_server < 0.3);
    let salted = salted.expect("as many salts as servers, no more");
    assert_eq!(salted.queries[0].rows_read, salted.queries[0].rows_returned);
    let random = found.considered.alternatives.iter().find(|of| of.name == "random-salt").expect("random");
    assert!(random.reason.code == "suggest.not-lost" || random.reason.code.starts_with("suggest.lost"));
}

#[test]
fn a_few_valued_field_before_a_range_does_not_gather_the_writes() {
    let document = logs(
        json!([{ "name": "a kind in ten minutes", "where": { "host": "h1", "at": range() } }]),
        json!({}),
    );
    let found = found(document, &lines(6000, |row| format!("h{}", mix(row) % 3)));
    let best = labelled(&found, "spreads-writes");
    // Three values alone are three regions: 33% and more.
    assert!(best.scores.hottest_server < 0.31, "{:?} {:?}", best.rowkeys, best.scores);
    let cheap = labelled(&found, "cheapest-reads");
    assert_eq!((cheap.queries[0].scans, cheap.queries[0].exact), (1, true));
    let keys: Vec<String> = found.suggestions.iter().flat_map(|of| of.rowkeys.clone()).collect();
    assert!(
        keys.iter().all(|key| !key.contains("reverse()")),
        "three values reversed are three values: {keys:?}"
    );
}

#[test]
fn the_newest_rows_come_without_sorting_and_both_ways_to_them_are_measured() {
    let document = logs(
        json!([{
            "name": "last lines of a host",
            "where": { "host": "h1" },
            "order": { "field": "at", "direction": "descending" },
            "limit": 10,
        }]),
        json!({}),
    );
    let found = found(document, &lines(6000, |row| format!("h{}", mix(row) % 40)));
    let best = labelled(&found, "cheapest-reads");
    assert_eq!(best.queries[0].sorted, Some(true));
    assert!(best.queries[0].rows_read <= 10, "{:?}", best.queries);
    let counted_down = |of: &&Suggestion| of.rowkeys[0].contains("reverseLong");
    let down = found.suggestions.iter().find(counted_down).expect("counted down");
    assert!(
        down.without
            .iter()
            .any(|of| of.choice.code == "suggest.oldest-first" && of.change.bytes_per_row < 0.0)
    );
}

#[test]
fn a_host_with_a_third_of_the_pages_shows_in_the_reads() {
    let host = |row: u64| if mix(row) % 10 < 3 { "h1".to_owned() } else { format!("h{}", mix(row) % 800) };
    let found = found(logs(json!([host_and_time()]), json!({})), &lines(8000, host));
    let cheap = labelled(&found, "cheapest-reads");
    assert!(cheap.scores.read_hottest_server > 0.3, "{:?}", cheap.scores);
    let best = labelled(&found, "spreads-writes");
    assert!(best.scores.hottest_server < 0.3, "{:?}", best.scores);
}

#[test]
fn a_unique_column_that_follows_time_is_seen_through() {
    let document = logs(json!([{ "name": "one line", "where": { "line": 5 } }]), json!({}));
    let found = found(document, &lines(6000, |row| format!("h{}", mix(row) % 50)));
    let line = &found.profile[2];
    assert!(line.unique && line.follows_arrival && !line.unique_by_luck, "{line:?}");
    let best = labelled(&found, "balanced");
    assert!(best.scores.hottest_server < 0.3, "{:?} {:?}", best.rowkeys, best.scores);
    assert_eq!(best.queries[0].regions, 1);
}

#[test]
fn a_column_that_another_tells_adds_nothing_to_a_key() {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "shop", "type": "text" },
            { "name": "city", "type": "text" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" }
        ],
        "arrival": "at",
        "servers": 4,
        "queries": [{ "name": "a shop", "where": { "shop": "s1" } }],
    });
    let row = |row: u64| format!("s{},c{},{}\n", row % 60, row % 60 / 6, at(row));
    let csv: String = std::iter::once("shop,city,at\n".to_owned()).chain((0..3000).map(row)).collect();
    let found = found(document, &csv);
    assert!(found.profile[1].depends_on.contains(&"shop".to_owned()), "{:?}", found.profile[1]);
    assert!(found.suggestions.iter().all(|of| !of.rowkeys.concat().contains("city")));
}

#[test]
fn hot_regions_that_meet_on_one_server_are_counted_on_it() {
    // Four salts times four stretches of time on four servers: the written regions are 3, 7, 11 and 15.
    let points: Vec<String> = (0..16)
        .skip(1)
        .map(|region| match region % 4 {
            0 => format!("\\x0{}", region / 4),
            of => format!("\\x0{}{}", region / 4, at(of * 1600)),
        })
        .collect();
    let document = logs(
        json!([time_alone()]),
        json!({ "rowkey": "bucket(host, 4).uint8() + at.format('yyyy-MM-dd HH:mm:ss') + host", "splits": { "points": points } }),
    );
    let found = found(document, &lines(6000, |row| format!("h{}", mix(row) % 300)));
    let given = found.baseline.expect("baseline");
    assert!(given.scores.hottest_region < 0.4, "{:?}", given.scores);
    assert!(given.scores.hottest_server > 0.9, "{:?}", given.scores);
    // Salts of suggestions do not meet so: what their busiest server takes is what they promise.
    let salted = |of: &&Suggestion| {
        let key = &of.rowkeys[0];
        key.starts_with("bucket(") && (key.contains(", 4)") || key.contains(", 8)"))
    };
    for of in found.suggestions.iter().filter(salted) {
        assert!(of.scores.hottest_server < 0.3, "{:?} {:?}", of.rowkeys, of.scores);
    }
    assert!(found.suggestions.iter().any(|of| of.scores.hottest_server < 0.3));
}

#[test]
fn without_a_rate_of_writes_the_balanced_key_is_none_of_which_a_region_takes_most_and_with_a_low_one_it_may_be()
 {
    // One scan of a plain time key beats four of a salt in the product of the scores.
    let queries = json!([time_alone()]);
    let csv = lines(6000, |row| format!("h{}", mix(row) % 300));
    let unknown = found(logs(queries.clone(), json!({})), &csv);
    let best = labelled(&unknown, "balanced");
    assert_eq!(best.rowkeys, unknown.suggestions[0].rowkeys);
    assert!(best.scores.hottest_region < 0.6, "{:?} {:?}", best.rowkeys, best.scores);
    let note = unknown.notes.iter().find(|note| note.code == "suggest.no-write-rate").expect("note");
    assert!(note.message.contains("writesPerSecond"));
    assert!(
        unknown.suggestions.iter().any(|of| of.scores.hottest_region > 0.9),
        "the plain key is shown, too"
    );
    let slow = found(logs(queries, json!({ "writesPerSecond": 5 })), &csv);
    assert!(labelled(&slow, "balanced").scores.hottest_region > 0.9);
}

#[test]
fn a_design_whose_split_points_age_says_since_when() {
    let document = logs(json!([{ "name": "one line", "where": { "line": 5 } }, time_alone()]), json!({}));
    let found = found(document, &lines(400_000 / 50, |row| format!("h{}", mix(row) % 50)));
    let mut rising = 0;
    for of in found.suggestions.iter().filter(|of| of.rowkeys.len() == 1) {
        let aged = of.reasons.iter().find(|reason| reason.code == "suggest.aged");
        if of.scores.hottest_region > 0.9 && of.scores.regions[0] > 1 {
            rising += 1;
            assert_eq!(aged.expect("aged").args["day"], "2024-01-01", "{:?}", of.rowkeys);
        } else {
            assert!(aged.is_none(), "{:?} {aged:?}", of.rowkeys);
        }
    }
    println!("{rising} rising designs");
}

#[test]
fn entities_that_are_numbered_as_they_come_need_new_split_points_by_a_day_that_is_told() {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "user", "type": "integer" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "n", "type": "integer" }
        ],
        "arrival": "at",
        "servers": 4,
        "queries": [{ "name": "a user", "where": { "user": 5 } }],
    });
    // Users are numbered as they sign up, each as active as any other, and sign up faster in the last days of twenty.
    let users = |row: u64| 2000 + row.saturating_sub(7500) / 2;
    let row = |row: u64| format!("{},{},{row}\n", mix(row) % users(row), at(row * 172));
    let csv: String = std::iter::once("user,at,n\n".to_owned()).chain((0..10_000).map(row)).collect();
    let (asked, records) = study(document, &csv);
    let options = SuggestOptions { regions: Some(4), ..SuggestOptions::default() };
    let found = suggested(&asked, &records, &options);
    let by_user = found.suggestions.iter().find(|of| of.rowkeys[0].starts_with("user."));
    let by_user = by_user.unwrap_or_else(|| {
        panic!("{:?}", found.suggestions.iter().map(|of| &of.rowkeys).collect::<Vec<_>>())
    });
    let codes: Vec<&str> = by_user.reasons.iter().map(|of| of.code).collect();
    let told = by_user.reasons.iter().find(|of| of.code.starts_with("suggest.ag"));
    let told = told.unwrap_or_else(|| panic!("{codes:?} {:?}", by_user.scores));
    // A quarter of the rows at first, 55% in the last days.
    assert_eq!(told.code, "suggest.aging");
    assert!(("2024-01-20".."2024-02-10").contains(&told.args["day"].as_str()), "{told:?}");
    let hashed = found
        .suggestions
        .iter()
        .find(|of| of.rowkeys[0].contains("md5") || of.rowkeys[0].contains("bucket("));
    assert!(hashed.is_none_or(|of| of.reasons.iter().all(|of| !of.code.starts_with("suggest.ag"))));
}

#[test]
fn a_bucket_of_five_minutes_that_looks_even_over_an_hour_is_hot() {
    let document = logs(
        json!([time_alone()]),
        json!({
            "rowkey": "bucket(at.truncate('5m').millis(), 4).uint8() + at.seconds().uint32() + host.terminated() + line.uint32()",
            "splits": { "salts": 4 },
        }),
    );
    let found = found(document, &lines(20_000, |row| format!("h{}", mix(row) % 300)));
    let given = found.baseline.expect("baseline");
    assert!(given.scores.hottest_server > 0.9, "{:?}", given.scores);
}

#[test]
fn split_points_that_fit_the_past_alone_do_not_look_even() {
    let document = logs(
        json!([{ "name": "one line", "where": { "line": 5 } }]),
        json!({ "rowkey": "line.uint32()", "splits": { "sample": 8 } }),
    );
    let found = found(document, &lines(6000, |row| format!("h{}", mix(row) % 50)));
    let given = found.baseline.as_ref().expect("baseline");
    assert!(given.scores.hottest_server > 0.9, "{:?}", given.scores);
    for of in found.suggestions.iter().filter(|of| of.rowkeys[0].starts_with("line.")) {
        assert!(of.scores.hottest_server > 0.9 || of.rowkeys[0].contains("reverse"), "{:?}", of.rowkeys);
    }
}

#[test]
fn two_writes_a_second_need_one_region_and_no_salt() {
    let document = logs(json!([host_and_time(), time_alone()]), json!({ "writesPerSecond": 2 }));
    let found = found(document, &lines(6000, |row| format!("h{}", mix(row) % 300)));
    for of in &found.suggestions {
        assert!(
            of.rowkeys.iter().all(|key| !key.contains("bucket(") && !key.contains("md5")),
            "{:?}",
            of.rowkeys
        );
        assert!(of.scores.regions.iter().all(|&regions| regions == 1), "{:?}", of.scores);
        assert!(of.labels.contains(&"one-region"));
    }
}

#[test]
fn hot_reads_of_one_entity_are_told() {
    let host = |row: u64| if mix(row) % 10 < 7 { "h1".to_owned() } else { format!("h{}", mix(row) % 800) };
    let document = logs(json!([host_and_time()]), json!({ "writesPerSecond": 50_000 }));
    let found = found(document, &lines(8000, host));
    let cheap = labelled(&found, "cheapest-reads");
    assert!(cheap.scores.read_hottest_server > 0.3, "{:?}", cheap.scores);
}

#[test]
fn a_query_that_only_a_second_table_serves_is_told_with_its_price() {
    let queries = json!([
        { "name": "one host, ten minutes", "rate": 100, "where": { "host": "h1", "at": range() } },
        { "name": "a host", "rate": 100, "where": { "host": "h1" } },
        { "name": "one line", "rate": 1, "where": { "line": 5 } },
    ]);
    let csv = lines(12_000, |row| format!("h{}", mix(row) % 900));
    let (asked, records) = study(logs(queries, json!({})), &csv);
    let one = suggested(&asked, &records, &SuggestOptions { tables: 1, ..SuggestOptions::default() });
    let scans = |of: &Suggestion| of.queries.iter().filter(|query| query.rows_read == 12_000).count();
    assert!(one.suggestions.iter().all(|of| scans(of) > 0), "one table reads all for one of the three");
    let two = suggested(&asked, &records, &SuggestOptions::default());
    let pair = two.suggestions.iter().find(|of| of.rowkeys.len() == 2).expect("two tables");
    assert_eq!(scans(pair), 0);
    assert!(pair.scores.bytes_per_row > one.suggestions[0].scores.bytes_per_row * 1.5);
    assert!(pair.reasons.iter().any(|reason| reason.code == "suggest.second-table"));
    assert_ne!(pair.queries[0].table, pair.queries[2].table);
}

#[test]
fn twelve_fields_and_twenty_queries_are_answered() {
    let mut fields = vec![json!({ "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" })];
    fields.extend((1..12).map(|index| json!({ "name": format!("f{index}"), "type": "text" })));
    let queries: Vec<Value> = (0..20)
        .map(|index| {
            let (one, other) = (index % 11 + 1, index * 3 % 11 + 1);
            let mut asked = json!({ format!("f{one}"): "v1", format!("f{other}"): "v1" });
            if index % 2 == 0 {
                asked["at"] = range();
            }
            json!({ "name": format!("q{index}"), "where": asked })
        })
        .collect();
    let document =
        json!({ "rowscape": 1, "fields": fields, "arrival": "at", "servers": 4, "queries": queries });
    let row = |row: u64| {
        let values = (1..12).map(|field| format!(",v{}", mix(row * 12 + field) % (3 + field * field)));
        format!("{}{}\n", at(row), values.collect::<String>())
    };
    let names = (1..12).map(|field| format!(",f{field}")).collect::<String>();
    let csv: String = std::iter::once(format!("at{names}\n")).chain((0..2000).map(row)).collect();
    let found = found(document, &csv);
    assert!(found.suggestions.len() >= 2);
    assert_eq!(found.suggestions[0].queries.len(), 20);
}

#[test]
fn reasons_are_those_of_the_table_that_answers() {
    let queries = json!([
        { "name": "by host", "rate": 100, "where": { "host": "h1", "at": range() } },
        { "name": "by line", "rate": 100, "where": { "line": 5 } },
    ]);
    let csv = lines(12_000, |row| format!("h{}", mix(row) % 900));
    let found = found(logs(queries, json!({})), &csv);
    let pair = found.suggestions.iter().find(|of| of.rowkeys.len() == 2).expect("two tables");
    let fields = |query: &str| if query == "by host" { ["host", "at"].as_slice() } else { &["line"] };
    let dropping = pair.queries.iter().filter(|query| query.filter);
    let dropped: Vec<&str> = dropping.flat_map(|query| fields(&query.name)).copied().collect();
    for reason in pair.reasons.iter().filter(|reason| reason.code == "suggest.filtered") {
        assert!(dropped.contains(&reason.args["field"].as_str()), "{reason:?} of {:?}", pair.queries);
    }
    let first = pair.reasons.iter().filter(|reason| reason.code == "suggest.first");
    let told: Vec<&str> = first.map(|reason| reason.args["queries"].as_str()).collect();
    assert!(
        told.iter().all(|queries| !queries.contains(", ")),
        "each table answers one of the two: {told:?}"
    );
}

#[test]
fn a_key_of_a_table_whose_rows_are_replaced_replaces_those_that_the_key_given_does() {
    let document = json!({
        "rowscape": 1, "writes": "upsert", "rowkey": "tail + day.format('yyyyMMdd')",
        "fields": [
            { "name": "tail", "type": "text" }, { "name": "day", "type": "time", "format": "yyyy-MM-dd" },
            { "name": "delay", "type": "integer" },
        ],
        "queries": [{ "name": "one", "where": { "tail": "N007" } }],
    });
    let line = |row: u64| {
        let (tail, day) = (mix(row) % 50, mix(row + 1_000_000) % 28 + 1);
        format!("N{tail:03},2026-05-{day:02},{}\n", mix(row + 2_000_000) % 900)
    };
    let csv: String = std::iter::once("tail,day,delay\n".to_owned()).chain((0..3000).map(line)).collect();
    let found = found(document, &csv);
    // A key of the tail alone is the cheapest to read, and would leave 50 rows of 1,400.
    assert!(!found.suggestions.is_empty());
    let keys = found.suggestions.iter().flat_map(|of| &of.rowkeys);
    for rowkey in keys.chain(found.front.iter().flat_map(|of| &of.rowkeys)) {
        assert!(rowkey.contains("tail") && rowkey.contains("day"), "{rowkey}");
        // With it, a record would replace none.
        assert!(!rowkey.contains("delay"), "{rowkey}");
    }
}
