//! The claims of every story, checked on the records that its entry opens with.

use super::opened::{Opened, generated, index};
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::scan::{self, PlanKind, QueryMatcher};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A claim of a story about one table.
#[derive(Clone, Copy, Debug)]
enum Claim {
    /// The code of the verdict.
    Verdict(&'static str),
    /// Regions without rows.
    Empty(usize),
    /// Share of the largest region, in percent: at least and at most.
    Largest(usize, usize),
    /// Different keys: at least and at most.
    Rows(usize, usize),
    /// Bytes of the longest key.
    Longest(usize),
    /// Regions that take 50 consecutive writes: at most so many in the median.
    Hot(usize),
    /// Regions that take 500 consecutive writes: at least so many.
    Spread(usize),
    /// A query that takes so many ranges.
    Ranges(&'static str, usize),
    /// A query that reads only rows it returns.
    Exact(&'static str),
    /// A query that discards at least a third of the rows it reads.
    Discards(&'static str),
    /// A query that reads the whole table.
    Full(&'static str),
}

use Claim::{Discards, Empty, Exact, Full, Hot, Largest, Longest, Ranges, Rows, Spread, Verdict};

/// Claims by entry and table.
const CLAIMS: &[(&str, &str, &[Claim])] = &[
    ("a1-bucket-of-the-id", "by_id", &[Verdict("all-in-one"), Empty(9)]),
    ("a1-bucket-of-the-id", "by_id_and_day", &[Verdict("sequential"), Empty(0), Hot(1)]),
    ("a2-one-key-for-two-records", "seconds", &[Rows(18_000, 19_500)]),
    ("a2-one-key-for-two-records", "millis", &[Rows(19_950, 20_000)]),
    ("a3-long-keys", "url", &[Longest(93), Rows(19_950, 20_000)]),
    ("a3-long-keys", "digest", &[Longest(16), Rows(19_950, 20_000), Verdict("good")]),
    ("a4-newest-first", "millis", &[Rows(19_900, 20_000)]),
    ("a4-newest-first", "of_seconds", &[Rows(1, 18_000)]),
    ("a5-few-values-first", "country_first", &[Largest(45, 55), Exact("a country")]),
    (
        "a5-few-values-first",
        "device_first",
        &[Largest(19, 22), Full("a country"), Exact("a device of a country")],
    ),
    (
        "a6-partition-ids-and-time",
        "events",
        &[Verdict("good"), Ranges("newest of a user", 1), Ranges("all of a tenant", 8)],
    ),
    ("a7-short-names", "long", &[Longest(4), Rows(19_950, 20_000)]),
    ("a8-families-of-unlike-size", "together", &[Empty(0), Rows(19_950, 20_000)]),
    ("a9-rows-that-move", "four_buckets", &[Verdict("good"), Ranges("one device", 1)]),
    ("a10-versions-kept", "hundred", &[Rows(200, 200)]),
    ("a10-versions-kept", "rows", &[Rows(19_900, 20_000)]),
    (
        "b1-engine-type-time-vin",
        "engine",
        &[
            Hot(4),
            Empty(0),
            Exact("one engine type in a time range"),
            Discards("one vehicle in a time range"),
        ],
    ),
    ("b1-rows-with-underscores", "engine", &[Hot(4), Exact("one engine type in a time range")]),
    (
        "b2-vin-engine-type-time",
        "engine",
        &[
            Verdict("good"),
            Spread(10),
            Full("one engine type in a time range"),
            Exact("one vehicle in a time range"),
        ],
    ),
    ("b3-delimiter-inside-value", "ambiguous", &[Discards("engine type YCK09360")]),
    ("b3-delimiter-inside-value", "other_separator", &[Exact("engine type YCK09360")]),
    ("b4-binary-telemetry", "terminated", &[Longest(32), Exact("one engine type in a time range")]),
    ("b4-binary-telemetry", "fixed_width", &[Longest(33)]),
    ("c1-bucket-of-the-phone", "cdr", &[Ranges("one phone, one year", 1), Largest(22, 27), Verdict("good")]),
    (
        "c1-bucket-of-phone-and-day",
        "cdr",
        &[Ranges("one phone, one day", 1), Ranges("one phone, one month", 6), Largest(16, 18)],
    ),
    (
        "c1-bucket-of-phone-and-month",
        "by_month",
        &[Ranges("one phone, one month", 1), Ranges("one phone, three months", 3), Largest(18, 21)],
    ),
    ("c1-bucket-of-phone-and-month", "by_year", &[Ranges("one phone, one year", 1)]),
    (
        "c2-layouts-of-call-records",
        "phone_time",
        &[Exact("one phone, one day"), Full("all calls of a day"), Spread(6)],
    ),
    (
        "c2-layouts-of-call-records",
        "time_phone",
        &[Discards("one phone, one day"), Ranges("all calls of a day", 6)],
    ),
    ("c2-layouts-of-call-records", "daily", &[Ranges("all calls of a day", 6)]),
    ("c2b-two-date-forms", "compact", &[Exact("one phone, one day")]),
    ("c2b-two-date-forms", "dashed", &[Exact("one phone, one day")]),
    ("c3-points-with-a-bar", "cdr", &[Empty(0), Spread(6)]),
    ("c4-one-day-of-one-phone", "cdr", &[Exact("one phone, one day"), Ranges("one phone, one day", 1)]),
    ("c4-one-day-time-first", "cdr", &[Discards("one phone, one day")]),
    (
        "c5-three-months-three-buckets",
        "cdr",
        &[Ranges("one phone, one month", 1), Ranges("one phone, three months", 3)],
    ),
    ("c6-room-for-a-year", "cdr", &[Empty(0), Longest(29)]),
    (
        "d1-day-and-url-twice",
        "day_url",
        &[Verdict("sequential"), Exact("pages of a day"), Full("days of a page")],
    ),
    ("d1-day-and-url-twice", "url_day", &[Verdict("good"), Full("pages of a day"), Exact("days of a page")]),
    ("d2-loop-key", "dated", &[Ranges("over New Year", 1), Hot(1), Empty(0)]),
    ("d2-loop-key", "loop", &[Ranges("over New Year", 2), Hot(1), Empty(0), Discards("pages of a day")]),
    ("d3-regions-written-at-once", "rising", &[Verdict("sequential"), Hot(1)]),
    ("d3-regions-written-at-once", "spread", &[Verdict("good"), Spread(24)]),
    ("e1-random-salt", "t", &[Verdict("good"), Spread(4), Ranges("one row", 4)]),
    ("e2-hash-prefix", "t", &[Verdict("good"), Spread(4), Ranges("one row", 1), Full("a range of IDs")]),
    ("e3-reversed-order-id-as-text", "orders", &[Verdict("good"), Spread(10), Longest(16 + 19)]),
    ("e3-reversed-order-id-binary", "orders", &[Verdict("good"), Spread(10), Longest(16 + 8)]),
    ("e4-hash-bucket-text", "orders", &[Spread(3), Ranges("one order", 1), Ranges("one day", 3)]),
    ("e5-salt-byte", "phoenix", &[Spread(4), Ranges("one row", 1), Ranges("a range of IDs", 4)]),
    ("e5-signed-remainder", "t", &[Largest(45, 55)]),
    ("e6-salt-or-reverse", "plain", &[Ranges("a range of IDs", 1), Ranges("one row", 1)]),
    ("e6-salt-or-reverse", "salted", &[Ranges("a range of IDs", 4), Ranges("one row", 1)]),
    ("e6-salt-or-reverse", "reversed", &[Full("a range of IDs"), Ranges("one row", 1)]),
    ("e7-migration", "before", &[Verdict("sequential"), Hot(1), Discards("one device in a day")]),
    ("e7-migration", "after", &[Verdict("good"), Spread(8), Exact("one device in a day")]),
    ("e8-bucket-count", "buckets_8", &[Spread(8)]),
    ("e8-bucket-count", "buckets_16", &[Spread(16)]),
    ("f1-message-store-in-order", "by_time", &[Verdict("sequential"), Hot(1), Empty(0)]),
    ("f1-message-store-in-order", "by_id", &[Verdict("sequential"), Hot(1), Empty(0)]),
    ("f2-upper-case-digest", "messages", &[Verdict("dead-regions"), Empty(6), Full("messages of a minute")]),
    (
        "f2-lower-case-digest",
        "messages",
        &[Verdict("good"), Empty(0), Ranges("one message", 1), Full("messages of a minute")],
    ),
    ("g1-algorithm-by-alphabet", "hex_text", &[Empty(0), Largest(6, 8)]),
    ("g1-algorithm-by-alphabet", "decimal_text", &[Empty(0), Largest(6, 8)]),
    ("g1-algorithm-by-alphabet", "raw_bytes", &[Empty(0), Largest(6, 8)]),
    ("g1-algorithm-by-alphabet", "hex_text_as_bytes", &[Empty(14)]),
    ("g2-hex-keys-under-bytes-split", "t", &[Empty(7), Largest(42, 45)]),
    ("g3-hex-splits", "t", &[Empty(0), Largest(10, 11)]),
    ("g4-short-range", "t", &[Empty(0), Largest(10, 12)]),
    ("g5-own-boundaries", "buckets", &[Verdict("good"), Spread(4)]),
    ("g5-own-boundaries", "days", &[Verdict("sequential"), Hot(1)]),
    ("g5-own-boundaries", "salts", &[Verdict("good"), Spread(16)]),
    ("g5-own-boundaries", "shares", &[Verdict("good"), Largest(12, 13)]),
    ("g6-small-table", "small", &[Verdict("good"), Spread(8)]),
    ("g6-large-table", "large", &[Verdict("good"), Empty(0)]),
    ("g6b-capped-at-120", "huge", &[Verdict("good"), Empty(0)]),
    ("g7-table-made-in-code", "web:sessions", &[Verdict("good"), Spread(8)]),
    ("h1-hash-prefix-of-two-bytes", "t", &[Spread(8), Ranges("one record", 1), Full("all rows of one a")]),
    ("h2-digest-prefix-and-text", "short_prefix", &[Verdict("good"), Spread(8)]),
    ("h2-digest-prefix-and-text", "whole_digest", &[Verdict("good"), Spread(8)]),
    ("h3-digest-alone", "t", &[Longest(32), Spread(8), Full("all rows of one a")]),
    ("h4-plain-concatenation", "plain", &[Rows(19_990, 19_999), Discards("one record")]),
    ("h4-plain-concatenation", "terminated", &[Rows(19_950, 20_000), Exact("one record")]),
    ("i1-time-first", "log", &[Verdict("sequential"), Hot(1), Exact("all of a time range")]),
    ("i2-bucket-of-time", "log", &[Verdict("all-in-one"), Empty(99), Ranges("all of a time range", 100)]),
    (
        "i2-coprime-buckets",
        "log",
        &[
            Verdict("good"),
            Empty(0),
            Ranges("all of a time range", 97),
            Ranges("one event of one host in a time range", 97),
        ],
    ),
    (
        "i3-host-event-time",
        "log",
        &[
            Verdict("good"),
            Spread(4),
            Ranges("one event of one host in a time range", 1),
            Exact("one event of one host in a time range"),
            Full("all of a time range"),
        ],
    ),
    ("i4-newest-first", "log", &[Verdict("good"), Exact("one event of one host in a time range")]),
    ("i5-long-names", "log", &[Verdict("good"), Longest(89), Exact("all of one host")]),
    ("i5-digests-of-names", "log", &[Verdict("good"), Longest(40)]),
    ("i5-numeric-ids", "log", &[Verdict("good"), Longest(24)]),
    (
        "i5-log-types",
        "LOG_TYPES",
        &[Rows(43, 43), Exact("all names of a type"), Ranges("all names of a type", 1)],
    ),
    ("i6-five-minute-rows", "rows", &[Rows(19_900, 20_000)]),
    ("i6-five-minute-rows", "five_minutes", &[Rows(1_000, 2_000)]),
    ("i6-opentsdb-row", "tsdb", &[Rows(1_000, 1_300), Longest(13)]),
    ("i7-number-formats", "long", &[Longest(8), Exact("a range of numbers")]),
    ("i7-number-formats", "text", &[Longest(10)]),
    ("i7-number-formats", "md5", &[Longest(16), Full("a range of numbers")]),
    ("i7-number-formats", "md5_hex", &[Longest(32)]),
    (
        "j1-customer-and-order",
        "digests",
        &[Longest(32), Verdict("good"), Ranges("all orders of a customer", 1)],
    ),
    ("j1-customer-and-order", "long_and_digest", &[Longest(24), Exact("all orders of a customer")]),
    (
        "j2-customers-and-orders-in-one-table",
        "shop",
        &[Exact("a customer with all orders"), Full("all customers")],
    ),
    ("j3-order-in-three-tables", "ORDER", &[Exact("whole order")]),
    ("j3-order-in-three-tables", "SHIPPING_LOCATION", &[Exact("whole order"), Rows(1, 10_000)]),
    ("j3-order-in-three-tables", "LINE_ITEM", &[Exact("whole order"), Rows(19_950, 20_000)]),
    ("j3-order-in-one-table", "ORDER", &[Exact("whole order"), Ranges("whole order", 1)]),
    (
        "j3-denormalised-lines",
        "LINE_ITEM",
        &[Exact("whole order"), Ranges("whole order", 1), Ranges("one line", 1)],
    ),
    ("j3-order-as-blob", "ORDER", &[Exact("whole order"), Rows(1, 5_000)]),
    ("j4-tall-wide-or-middle", "tall", &[Rows(19_900, 20_000), Exact("one user, one day")]),
    ("j4-tall-wide-or-middle", "middle", &[Rows(5_000, 15_000), Exact("one user, one day")]),
    ("j4-tall-wide-or-middle", "wide", &[Rows(900, 1_000), Discards("one user, one day")]),
    ("j4b-lines-in-one-row", "one_row", &[Rows(4_500, 5_000), Discards("one line")]),
    ("j4b-lines-in-one-row", "row_a_line", &[Rows(19_950, 20_000), Exact("one line")]),
    ("k1-one-row-a-value", "list", &[Rows(19_900, 20_000), Exact("all values of a user")]),
    ("k2-pages-of-values", "list", &[Rows(1_998, 1_998), Longest(8), Ranges("first page of a user", 1)]),
];

/// Ranges, kind, rows read and rows returned of a query.
fn asked(opened: &Opened, table: &str, keys: &[Vec<u8>], name: &str) -> (usize, PlanKind, usize, usize) {
    let query = opened.study.queries.iter().find(|query| query.name == name).expect(name);
    let domains = scan::read(query, &opened.study.fields, "queries").expect("conditions");
    let plan = scan::plan(&opened.table(table).typed, &opened.study.fields, query, &domains);
    let read = keys.iter().filter(|key| plan.ranges.iter().any(|range| range.contains(key))).count();
    let matching = QueryMatcher::new(&opened.records, &opened.study.fields, &domains);
    let returned = (0..opened.records.rows).filter(|&row| matching.matches(row)).count();
    (plan.ranges.len(), plan.kind, read, returned)
}

fn verdict(opened: &Opened, table: &str) -> String {
    let number = opened.study.table_number(table).expect(table);
    Analysis::of(&opened.study, number, Rc::new(opened.records.clone()))
        .expect(table)
        .report(&ReportOptions::default())
        .expect(table)
        .verdict
        .code
        .trim_start_matches("verdict.")
        .to_owned()
}

/// Numbers of regions that each so many consecutive records write.
fn written(opened: &Opened, table: &str, keys: &[Vec<u8>], records: usize) -> Vec<usize> {
    let points = opened.points(table);
    let regions = |chunk: &[Vec<u8>]| chunk.iter().map(|key| points.region_of(key)).collect::<BTreeSet<_>>();
    keys.chunks_exact(records).map(|chunk| regions(chunk).len()).collect()
}

/// A claim that does not hold, with what holds instead.
fn fault(opened: &Opened, table: &str, keys: &[Vec<u8>], claim: Claim) -> Option<String> {
    let ask = |query| asked(opened, table, keys, query);
    let within = |found: usize, least: usize, most: usize| {
        (!(least..=most).contains(&found)).then(|| found.to_string())
    };
    match claim {
        Verdict(code) => Some(verdict(opened, table)).filter(|found| found != code),
        Empty(count) => within(opened.regions(table).iter().filter(|&&rows| rows == 0).count(), count, count),
        Largest(least, most) => {
            let largest = opened.regions(table).into_iter().max().unwrap_or_default();
            within((largest * 100 + keys.len() / 2) / keys.len(), least, most)
        }
        Rows(least, most) => within(opened.rows(table).len(), least, most),
        Longest(bytes) => within(keys.iter().map(Vec::len).max().unwrap_or_default(), bytes, bytes),
        Hot(most) => {
            let mut counts = written(opened, table, keys, 50);
            counts.sort_unstable();
            within(counts[counts.len() / 2], 1, most)
        }
        Spread(least) => {
            within(written(opened, table, keys, 500).into_iter().min().unwrap_or_default(), least, usize::MAX)
        }
        Ranges(query, count) => within(ask(query).0, count, count),
        Exact(query) => {
            let (ranges, kind, read, returned) = ask(query);
            (read != returned || returned == 0).then(|| format!("{ranges} {kind:?} {read} {returned}"))
        }
        Discards(query) => {
            let (ranges, kind, read, returned) = ask(query);
            (2 * read < 3 * returned || returned == 0).then(|| format!("{ranges} {kind:?} {read} {returned}"))
        }
        Full(query) => {
            let kind = ask(query).1;
            (kind != PlanKind::FullScan).then(|| format!("{kind:?}"))
        }
    }
}

#[test]
fn every_entry_shows_what_its_story_says_as_it_opens() {
    let mut faults = Vec::new();
    for tables in CLAIMS.chunk_by(|(one, ..), (other, ..)| one == other) {
        let opened = generated(tables[0].0, None);
        for &(slug, table, claims) in tables {
            let keys = opened.keys(table);
            let false_ones =
                claims.iter().filter_map(|&claim| Some((claim, fault(&opened, table, &keys, claim)?)));
            faults.extend(
                false_ones.map(|(claim, found)| format!("{slug}, {table}: {claim:?}, found {found}")),
            );
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_entry_has_claims() {
    let entries: BTreeSet<String> =
        index().iter().map(|entry| entry["slug"].as_str().expect("slug").to_owned()).collect();
    let claimed: BTreeSet<String> = CLAIMS.iter().map(|(slug, ..)| (*slug).to_owned()).collect();
    assert_eq!(claimed, entries);
}

/// The entries of the path for beginners, in its order.
fn path() -> Vec<String> {
    let mut steps: Vec<(u64, String)> = index()
        .iter()
        .filter_map(|entry| Some((entry.get("path")?.as_u64()?, entry["slug"].as_str()?.to_owned())))
        .collect();
    steps.sort();
    assert_eq!(steps.iter().map(|&(at, _)| at).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    steps.into_iter().map(|(_, slug)| slug).collect()
}

#[test]
fn each_step_of_the_path_fixes_what_the_one_before_does_wrong() {
    const EVENTS: &str = "one event of one host in a time range";
    const NEWEST: &str = "newest 10 of one event of one host";
    let opened: Vec<Opened> = path().iter().map(|slug| generated(slug, None)).collect();
    let verdicts: Vec<String> = opened.iter().map(|one| verdict(one, "log")).collect();
    assert_eq!(verdicts, ["sequential", "good", "good", "good", "good", "good"]);
    let scans = |at: usize| asked(&opened[at], "log", &opened[at].keys("log"), EVENTS).0;
    assert_eq!([1, 2, 3, 4, 5].map(scans), [97, 1, 1, 1, 1]);
    let backward = |at: usize| {
        let study = &opened[at].study;
        let query = study.queries.iter().find(|query| query.name == NEWEST).expect(NEWEST);
        let domains = scan::read(query, &study.fields, "queries").expect("conditions");
        scan::plan(&opened[at].table("log").typed, &study.fields, query, &domains).delivery.reversed
    };
    assert_eq!([2, 3, 4, 5].map(backward), [true, false, false, false]);
    let longest = |at: usize| opened[at].keys("log").iter().map(Vec::len).max().unwrap_or_default();
    assert_eq!([3, 4, 5].map(longest), [89, 40, 24]);
    // Numbers lead back to the names, digests do not.
    let name = |at: usize| opened[at].told("log", &opened[at].keys("log")[0], "hostname");
    assert_eq!([4, 5].map(name).map(|told| told.is_some()), [false, true]);
}
