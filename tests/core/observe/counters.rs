//! Counters of regions in what a cluster prints: recorded from HBase 2.6.4 under a known load (tests/data/dumps), and made up.

use super::folders::{Given, observed};
use rowscape::observe::{
    EventKind, Metric, ObserveOptions, ObservedTable, ObservedTables, RegionEvent, RegionRequests,
    RequestsObserved,
};
use std::fs;
use std::path::Path;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const NOON: i64 = 1_795_780_800_000;

/// Counters of `load:meter` by HBase's own status, 2026-11-27 12:17:32.959: first row, reads, writes.
const LAST: [(&str, u64, u64); 7] = [
    ("", 18_689, 1_069),
    ("ber|", 1_626, 1_670),
    ("cph|", 143, 916),
    ("cph|5", 442, 849),
    ("dub|", 5_727, 2_585),
    ("ede|", 1_579, 1_875),
    ("fra|", 1_286, 839),
];
/// Reads and writes of the region that was split, in the dump before.
const SPLIT: (u64, u64) = (2_519, 10_729);

/// The recorded dumps whose names begin so.
fn recorded(kinds: &[&str]) -> Vec<Given> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the recorded dumps")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
        .filter(|name| kinds.iter().any(|kind| name.starts_with(kind)))
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| Given {
            bytes: fs::read(folder.join(&name)).expect("a dump"),
            path: format!("dumps/{name}"),
            changed: None,
        })
        .collect()
}

fn options(table: &str) -> ObserveOptions {
    ObserveOptions { table: Some(table.to_owned()), memory: 64 << 20, ..ObserveOptions::default() }
}

/// The only table of an answer.
fn only(answer: ObservedTables) -> (ObservedTable, RequestsObserved) {
    let [table] = <[_; 1]>::try_from(answer.tables).expect("one table");
    let requests = table.requests.clone().expect("requests");
    (table, requests)
}

fn meter(kinds: &[&str]) -> (ObservedTable, RequestsObserved) {
    only(observed(recorded(kinds), options("load:meter")))
}

fn of<'a>(requests: &'a RequestsObserved, start: &str) -> &'a RegionRequests {
    let found = requests.regions.iter().find(|region| !region.gone && region.start.as_deref() == Some(start));
    found.unwrap_or_else(|| panic!("no region from {start}: {:?}", requests.regions))
}

fn codes(table: &ObservedTable) -> Vec<&'static str> {
    table.notes.iter().map(|note| note.code).collect()
}

#[test]
fn dumps_of_each_kind_have_the_counters_of_the_cluster() {
    for kind in ["rest", "live-servers"] {
        let (table, requests) = meter(&[kind]);
        assert_eq!(requests.origin, "master");
        let own: u64 = LAST.iter().map(|(_, reads, _)| reads).sum();
        assert_eq!(
            table.requests.as_ref().map(|found| found.dumps),
            Some(if kind == "rest" { 4 } else { 3 })
        );
        for (start, reads, writes) in LAST {
            let region = of(&requests, start);
            assert_eq!((region.last.reads, region.last.writes), (reads, writes), "{kind} {start}");
            // The table was created just before the first dump.
            assert_eq!((region.counts.reads, region.counts.writes), (reads, writes), "{kind} {start}");
        }
        if kind == "rest" {
            assert_eq!(requests.counts.reads, own + SPLIT.0);
        }
        let heat = requests.heat.expect("a picture");
        assert_eq!(heat.starts, LAST.map(|(start, ..)| start));
        assert_eq!(heat.counts.iter().flatten().sum::<u64>(), requests.counts.reads);
    }
}

#[test]
fn a_status_of_the_shell_has_the_same_regions_and_its_own_time() {
    let (table, requests) = meter(&["shell"]);
    assert_eq!((requests.origin, requests.dumps), ("master", 4));
    // `AT` before `status 'detailed'` of the first and of the last session.
    assert_eq!(requests.times, Some((1_795_781_777_651, 1_795_781_861_091)));
    assert_eq!(table.borders, "shell");
    let gone: Vec<_> = requests.regions.iter().filter(|region| region.gone).collect();
    assert_eq!(gone.iter().map(|region| region.start.as_deref()).collect::<Vec<_>>(), [Some("cph|")]);
    assert!(codes(&table).contains(&"observe.lost"));
}

#[test]
fn metrics_of_servers_find_their_regions_in_other_dumps() {
    let (_, alone) = meter(&["jmx"]);
    assert_eq!(alone.origin, "server");
    assert!(alone.regions.iter().all(|region| region.start.is_none()));
    // Regions that never had a major compaction tell the time as the age of it.
    let (first, last) = alone.times.expect("times");
    assert!((1_795_781_772_226 - 20 * SECOND..1_795_781_772_226 + SECOND).contains(&first), "{first}");
    assert!((1_795_781_853_297 - SECOND..1_795_781_853_297 + SECOND).contains(&last), "{last}");
    let (table, placed) = meter(&["jmx", "prometheus", "shell-t3"]);
    assert_eq!(placed.origin, "server");
    let hottest = &placed.regions[0];
    assert_eq!((hottest.start.as_deref(), hottest.end.as_deref()), (Some(""), Some("ber|")));
    assert!(table.headline.sentence().starts_with("The first region, up to “ber|”, took "));
}

#[test]
fn rates_are_multiplied_and_never_subtracted() {
    let (table, requests) = meter(&["hbtop"]);
    assert_eq!((requests.origin, requests.dumps), ("rates", 12));
    assert!(codes(&table).contains(&"observe.of-rates"));
    // 3 rounds of 2 s in each of 4 calls; only the second and the third round of each have rates.
    let writes = requests.counts.writes;
    assert!((1000..10_000).contains(&writes), "{writes}");
    assert_eq!(requests.servers.iter().map(|server| server.counts.writes).sum::<u64>(), writes);
}

#[test]
fn all_kinds_together_agree_with_each_of_them() {
    let (table, requests) = meter(&["rest", "live", "jmx", "shell", "hbtop", "prometheus"]);
    assert_eq!(requests.origin, "master");
    assert_eq!(table.source, "counters");
    assert_eq!(table.headline.sentence(), requests.headline.sentence());
    let reset = requests.events.iter().filter(|event| event.kind == EventKind::Reset).count();
    assert_eq!(reset, 0, "{:?}", requests.events);
    let split: Vec<&RegionEvent> =
        requests.events.iter().filter(|event| event.kind == EventKind::Split).collect();
    let [split] = split.as_slice() else { panic!("{:?}", requests.events) };
    assert_eq!((split.start.as_deref(), split.to.as_deref()), (Some("cph|"), Some("cph|5")));
    assert!((1_795_781_839_276..1_795_781_846_904).contains(&split.time), "{}", split.time);
    // Every order of the files is the same.
    let mut files = recorded(&["rest", "live", "jmx", "shell", "hbtop", "prometheus"]);
    files.reverse();
    let (_, reversed) = only(observed(files, options("load:meter")));
    assert_eq!(reversed, requests);
}

#[test]
fn the_metric_is_chosen_or_the_one_that_stands_out() {
    let named = |metric| {
        let options = ObserveOptions { metric: Metric::named(metric), ..options("load:meter") };
        only(observed(recorded(&["rest"]), options)).1
    };
    let writes = named("writes");
    assert_eq!((writes.metric, of(&writes, "cph|").last.writes), ("writes", 916));
    // 10,729 of 20,532 writes went to the region that was split.
    assert_eq!(writes.headline.sentence(), "The region from “cph|” on took 52.3% of the writes");
    let size = named("size");
    assert_eq!(size.headline.sentence(), "The region from “cph|” on holds 50% of the bytes");
    assert_eq!(meter(&["rest"]).1.metric, "reads");
}

/// A region by its name, with its reads and writes.
type Counted<'a> = (&'a str, u64, u64);

/// The JSON of the REST gateway: servers, when they were started, and their regions.
fn rest(at: i64, servers: &[(&str, u64, &[Counted<'_>])]) -> Given {
    let nodes: Vec<String> = servers
        .iter()
        .map(|(name, started, regions)| {
            let regions: Vec<String> = regions
                .iter()
                .map(|(name, reads, writes)| {
                    format!(
                        r#"{{"name":"{}","readRequestsCount":{reads},"writeRequestsCount":{writes},"storefileSizeMB":1}}"#,
                        base64(name.as_bytes())
                    )
                })
                .collect();
            format!(r#"{{"name":"{name}","startCode":{started},"Region":[{}]}}"#, regions.join(","))
        })
        .collect();
    let text = format!(r#"{{"LiveNodes":[{}],"DeadNodes":[],"regions":2}}"#, nodes.join(","));
    Given { path: format!("status-{at}.json"), bytes: text.into_bytes(), changed: None }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let digit = char::from(DIGITS[(bits >> (18 - 6 * at) & 63) as usize]);
            text.push(if at <= three.len() { digit } else { '=' });
        }
    }
    text
}

/// Names without a hash: only their text tells them apart.
const A: &str = "t,,100.";
const B: &str = "t,m,100.";
const ONE: &str = "one:16020";
const TWO: &str = "two:16020";

fn answer(files: Vec<Given>) -> (ObservedTable, RequestsObserved) {
    only(observed(files, options("t")))
}

#[test]
fn counters_that_fall_began_anew_and_their_value_counts() {
    let at =
        |minute, reads, started| rest(NOON + minute * MINUTE, &[(ONE, started, &[(A, reads, 7), (B, 0, 0)])]);
    let (table, requests) = answer(vec![at(0, 1000, 5), at(1, 1500, 5), at(2, 40, 5), at(3, 90, 5)]);
    assert_eq!((requests.counts.reads, requests.counts.writes), (500 + 40 + 50, 7));
    assert!(codes(&table).contains(&"observe.resets"));
    // A server that was started again counts from 0, even where it has counted further since.
    let (_, requests) = answer(vec![at(0, 1000, 5), at(1, 1500, 6)]);
    assert_eq!(requests.counts.reads, 1500);
    assert_eq!(requests.events[0].kind, EventKind::Reset);
}

#[test]
fn a_region_that_moves_counts_from_0_on_its_new_server() {
    let first = rest(NOON, &[(ONE, 5, &[(A, 1000, 100), (B, 0, 0)])]);
    let second = rest(NOON + MINUTE, &[(ONE, 5, &[(B, 10, 0)]), (TWO, 5, &[(A, 1200, 200)])]);
    let (table, requests) = answer(vec![second, first]);
    assert_eq!((requests.counts.reads, requests.counts.writes), (1210, 200));
    let event = &requests.events[0];
    assert_eq!((event.kind, event.to.as_deref(), event.time), (EventKind::Move, Some(TWO), NOON + MINUTE));
    assert!(codes(&table).contains(&"observe.moves"));
    let servers: Vec<_> = requests
        .servers
        .iter()
        .map(|server| (server.server.as_str(), server.regions, server.counts.reads))
        .collect();
    assert_eq!(servers, [(TWO, 1, 1200), (ONE, 1, 10)]);
}

#[test]
fn a_region_that_a_dump_lacks_is_told_and_no_request_of_it_is_lost() {
    let with = |minute, reads| rest(NOON + minute * MINUTE, &[(ONE, 5, &[(A, reads, 0), (B, 0, 0)])]);
    let without = rest(NOON + MINUTE, &[(ONE, 5, &[(B, 0, 0)])]);
    let (table, requests) = answer(vec![with(0, 100), without, with(2, 300)]);
    assert_eq!(requests.counts.reads, 200);
    assert_eq!(requests.events.iter().map(|event| event.kind).collect::<Vec<_>>(), [EventKind::Missing]);
    assert!(codes(&table).contains(&"observe.missing"));
}

#[test]
fn splits_and_merges_keep_what_was_counted_before() {
    let made = NOON + MINUTE + 30 * SECOND;
    let (low, high) = (format!("t,,{made}."), format!("t,g,{made}."));
    let before = rest(NOON, &[(ONE, 5, &[(A, 0, 0), (B, 0, 0)])]);
    let between = rest(NOON + MINUTE, &[(ONE, 5, &[(A, 600, 0), (B, 10, 0)])]);
    let after = rest(NOON + 2 * MINUTE, &[(ONE, 5, &[(&low, 5, 0), (&high, 300, 0), (B, 20, 0)])]);
    let (table, requests) = answer(vec![before, between.clone(), after]);
    assert_eq!(requests.counts.reads, 600 + 305 + 20);
    let event = &requests.events[0];
    assert_eq!((event.kind, event.time, event.to.as_deref()), (EventKind::Split, made, Some("g")));
    let heat = requests.heat.expect("a picture");
    assert_eq!(heat.starts, ["", "g", "m"]);
    // Requests to the region before are spread over the rows of its halves.
    assert_eq!(heat.counts.iter().map(|row| row.iter().sum()).collect::<Vec<u64>>(), [305, 600, 20]);
    assert!(codes(&table).contains(&"observe.lost"));
    let whole = format!("t,,{made}.");
    let merged = rest(NOON + 2 * MINUTE, &[(ONE, 5, &[(&whole, 50, 0)])]);
    let (_, requests) = answer(vec![between, merged]);
    assert_eq!(requests.counts.reads, 50);
    assert!(requests.events.iter().all(|event| event.kind == EventKind::Merge), "{:?}", requests.events);
    assert_eq!(requests.events.len(), 2);
}

#[test]
fn replicas_are_left_out() {
    let (table, requests) = answer(vec![rest(NOON, &[(ONE, 5, &[(A, 10, 200), ("t,,100_0001.", 5, 200)])])]);
    assert_eq!((requests.counts.reads, requests.counts.writes), (10, 200));
    assert!(codes(&table).contains(&"observe.replicas"));
    assert!(codes(&table).contains(&"observe.one-dump"));
}

#[test]
fn dumps_tell_their_time_or_their_files_do() {
    let plain = |minute: i64, reads| Given {
        path: format!("{minute}.json"),
        changed: Some(NOON + minute * MINUTE),
        ..rest(NOON, &[(ONE, 5, &[(A, reads, 0), (B, 0, 0)])])
    };
    let (_, requests) = answer(vec![plain(2, 90), plain(0, 10), plain(1, 30)]);
    assert_eq!((requests.counts.reads, requests.times), (80, Some((NOON, NOON + 2 * MINUTE))));
    // One file with the dumps of a loop, each below a line with its time.
    let mut all = Vec::new();
    for minute in 0..3 {
        all.extend_from_slice(format!("2026-11-27T12:0{minute}:00Z\n").as_bytes());
        all.extend_from_slice(&plain(minute, minute as u64 * 100).bytes);
        all.push(b'\n');
    }
    let loop_of = Given { path: "all.txt".to_owned(), bytes: all, changed: Some(NOON + 9 * MINUTE) };
    let (_, requests) = answer(vec![loop_of]);
    assert_eq!((requests.counts.reads, requests.times), (200, Some((NOON, NOON + 2 * MINUTE))));
    // Without these lines only the last is of the time of the file.
    let bytes = [plain(0, 10).bytes, plain(1, 30).bytes].concat();
    let (table, requests) = answer(vec![Given { path: "all.txt".to_owned(), bytes, changed: Some(NOON) }]);
    assert_eq!((requests.counts.reads, requests.dumps), (30, 1));
    assert!(codes(&table).contains(&"observe.untimed-dumps"));
    // Nothing tells the time: one dump counts all the same.
    let untold = Given { changed: None, ..plain(0, 10) };
    let (_, requests) = answer(vec![untold]);
    assert_eq!((requests.counts.reads, requests.times), (10, None));
}

#[test]
fn what_has_no_counters_is_refused_by_name() {
    let told = |name: &str, text: &str| {
        let given = Given { path: name.to_owned(), bytes: text.as_bytes().to_vec(), changed: None };
        let answer = observed(vec![given], ObserveOptions { memory: 64 << 20, ..ObserveOptions::default() });
        assert!(answer.tables.is_empty());
        answer.files[0].problem.clone().map(|problem| problem.sentence())
    };
    let xml =
        told("status.xml", "<?xml version=\"1.0\"?><ClusterStatus regions=\"1\"></ClusterStatus>").unwrap();
    assert!(xml.contains("XML of the REST gateway"), "{xml}");
    assert!(
        told("status.txt", "hbase:001:0> status\nrs1: requestsPerSecond=0.0\n").unwrap().contains("status")
    );
    assert!(told("page.html", "<html><body>HBase Region Servers</body></html>").unwrap().contains("HTML"));
    assert_eq!(told("page.html", "<html><body>other page</body></html>"), None);
    let tablets = "[\n  {\n    \"nodeCpuUsagePercent\": 5.8,\n    \"startKey\": \"a\"\n  }\n]";
    assert!(told("tablets.json", tablets).unwrap().contains("hot tablets of Bigtable"));
    assert!(told("slow.json", "[{\"callDetails\": \"Scan\"}]").unwrap().contains("the slow log"));
    assert!(told("jmx.json", r#"{"beans":[{"name":"java.lang:type=Memory"}]}"#).unwrap().contains("JSON"));
    assert_eq!(told("notes.txt", "nothing of HBase"), None);
}

#[test]
fn text_of_the_gateway_has_start_keys_as_they_are() {
    let region = |name: &[u8], reads: u64| {
        let head = [b"\n        ".as_slice(), name, b"\n            storefileSizeMB=2\n"].concat();
        [
            head,
            format!("            readRequestsCount={reads}\n            writeRequestsCount=1\n").into_bytes(),
        ]
        .concat()
    };
    let mut bytes = b"2 live servers, 0 dead servers, 1.0000 average load\n\n2 live servers\n".to_vec();
    bytes.extend_from_slice(b"    one:16020 1795781705591\n        requests=5, regions=2\n");
    bytes.extend(region(b"t,,100.", 30));
    bytes.extend(region(b"t,\x00\xff\x05,100.", 70));
    let given = Given { path: format!("status-{NOON}.txt"), bytes, changed: None };
    let answered = observed(vec![given], options("t"));
    assert!(answered.files[0].counted && answered.files[0].kind == "dump");
    let (table, requests) = only(answered);
    assert_eq!(requests.regions.iter().map(|region| region.counts.reads).collect::<Vec<_>>(), [30, 70]);
    // A byte that is no UTF-8 was lost on the way to text.
    assert_eq!(requests.regions[1].start, None);
    assert!(codes(&table).contains(&"observe.unplaced"));
}

#[test]
fn a_torn_dump_leaves_those_before_it() {
    let mut given = rest(NOON, &[(ONE, 5, &[(A, 10, 200), (B, 1, 1)])]);
    let whole = given.bytes.clone();
    given.bytes.extend_from_slice(&whole[..whole.len() / 2]);
    let answer = observed(vec![given], options("t"));
    assert_eq!(answer.files[0].problem.as_ref().map(|problem| problem.code), Some("observe.dump-torn"));
    assert_eq!(only(answer).1.counts.reads, 11);
}

#[test]
fn damaged_dumps_end_with_an_answer() {
    for given in recorded(&["rest-1795781805319", "shell-t1", "hbtop-1795781825457"]) {
        for cut in (0..given.bytes.len()).step_by(97) {
            observed(
                vec![Given { bytes: given.bytes[..cut].to_vec(), ..given.clone() }],
                options("load:meter"),
            );
        }
    }
    let given = rest(NOON, &[(ONE, 5, &[(A, u64::MAX, u64::MAX), (B, u64::MAX, 1)])]);
    let text = String::from_utf8(given.bytes.clone()).expect("text");
    for (from, to) in [("{", "["), (":", ","), ("5", "-5"), ("\"", ""), ("}", "")] {
        observed(vec![Given { bytes: text.replace(from, to).into_bytes(), ..given.clone() }], options("t"));
    }
    assert_eq!(answer(vec![given]).1.counts.requests, u64::MAX);
}

#[test]
fn little_memory_joins_intervals_and_loses_no_request() {
    let names: Vec<String> = (0..2000).map(|at| format!("t,{at:04},100.")).collect();
    let mut files = Vec::new();
    for minute in 0..400 {
        let regions: Vec<Counted<'_>> =
            names.iter().map(|name| (name.as_str(), minute as u64 * 10, minute as u64)).collect();
        files.push(rest(NOON + minute * MINUTE, &[(ONE, 5, &regions)]));
    }
    let (table, requests) = only(observed(files, ObserveOptions { memory: 32 << 20, ..options("t") }));
    assert_eq!((requests.counts.reads, requests.counts.writes), (399 * 10 * 2000, 399 * 2000));
    assert!(codes(&table).contains(&"observe.thinned"));
}

#[test]
fn endless_documents_and_lines_stay_in_bounds() {
    let mut bytes = rest(NOON, &[(ONE, 5, &[(A, 10, 200), (B, 1, 1)])]).bytes;
    bytes.extend_from_slice(b"\n{\"LiveNodes\":[");
    bytes.resize(24 << 20, b'[');
    let given = Given { path: format!("status-{NOON}.json"), bytes, changed: None };
    let answer = observed(vec![given], ObserveOptions { memory: 32 << 20, ..options("t") });
    assert_eq!(answer.files[0].problem.as_ref().map(|problem| problem.code), Some("observe.dump-long"));
    assert_eq!(only(answer).1.counts.reads, 11);
    let mut bytes = b"HBase hbtop - 12:00:00\n".to_vec();
    bytes.resize(24 << 20, b'x');
    let given = Given { path: "top.txt".to_owned(), bytes, changed: Some(NOON) };
    assert!(observed(vec![given], ObserveOptions { memory: 32 << 20, ..options("t") }).tables.is_empty());
}

#[test]
fn counts_that_were_old_when_they_were_printed_begin_nothing_anew() {
    let at = |seconds: i64, writes| rest(NOON + seconds * SECOND, &[(ONE, 5, &[(A, 0, writes), (B, 0, 0)])]);
    let late =
        vec![at(0, 1_000_000), at(60, 1_060_000), at(70, 1_050_000), at(120, 1_120_000), at(130, 1_110_000)];
    let (table, requests) = answer(late);
    assert_eq!(requests.counts.writes, 120_000);
    assert!(!codes(&table).contains(&"observe.resets"));
    // A region that moved, still listed on its old server once.
    let on = |seconds: i64, server: &str, writes| {
        rest(NOON + seconds * SECOND, &[(server, 5, &[(A, 0, writes)]), ("three:16020", 5, &[(B, 0, 0)])])
    };
    let (_, requests) =
        answer(vec![on(0, ONE, 1000), on(60, TWO, 100), on(90, ONE, 1000), on(120, TWO, 150)]);
    assert_eq!(requests.counts.writes, 150);
    assert_eq!(requests.events.iter().filter(|event| event.kind == EventKind::Move).count(), 1);
}

#[test]
fn a_document_that_is_cut_off_loses_no_later_one() {
    let dump = |minute: i64| {
        let Given { bytes, .. } =
            rest(NOON + minute * MINUTE, &[(ONE, 5, &[(A, 0, 100 * minute as u64), (B, 0, 0)])]);
        (format!("AT {}\n", NOON + minute * MINUTE), String::from_utf8(bytes).expect("text"))
    };
    for line in [true, false] {
        let mut text = String::new();
        for minute in 1..=4 {
            let (time, document) = dump(minute);
            text += if line { &time } else { "" };
            // Cut within a name, and behind a figure.
            text += &document[..if minute == 2 { document.len() / 2 } else { document.len() }];
            text += "\n";
        }
        let given = Given { path: "loop.txt".to_owned(), bytes: text.into_bytes(), changed: Some(NOON) };
        let answer = observed(vec![given], options("t"));
        assert_eq!(answer.files[0].problem.as_ref().map(|problem| problem.code), Some("observe.dumps-cut"));
        if line {
            let (_, requests) = only(answer);
            assert_eq!((requests.dumps, requests.counts.writes), (3, 300));
        }
    }
}

#[test]
fn dumps_close_to_each_other_are_joined_by_their_first_and_times_are_chosen() {
    let close = |times: Option<(i64, i64)>| {
        let files =
            (0..40).map(|at| rest(NOON + 3 * at * SECOND, &[(ONE, 5, &[(A, 0, 10 * at as u64), (B, 0, 0)])]));
        only(observed(files.collect(), ObserveOptions { times, ..options("t") })).1
    };
    let all = close(None);
    assert!(all.counts.writes >= 370 && all.dumps > 10, "{:?}", all.counts);
    let late = close(Some((NOON + 60 * SECOND, i64::MAX)));
    assert!(late.counts.writes < 200, "{:?}", late.counts);
}
