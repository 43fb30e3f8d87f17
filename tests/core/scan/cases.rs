//! Queries of published practice, by the ids of the project's list of cases.

use super::study::{codes, counted, plan, query, ranges, records, study};
use rowscape::design::Document;
use rowscape::field::time::civil;
use rowscape::scan::{self, PlanKind, ScanFilter};
use rowscape::split::Splits;
use serde_json::{Value, json};

fn fields(list: &[(&str, &str, Option<&str>)]) -> Value {
    let field = |&(name, kind, format): &(&str, &str, Option<&str>)| match format {
        Some(format) => json!({ "name": name, "type": kind, "format": format }),
        None => json!({ "name": name, "type": kind }),
    };
    list.iter().map(field).collect()
}

fn engines(rowkey: &str) -> Document {
    study(
        fields(&[("engine", "text", None), ("ts", "time", Some("epoch-millis")), ("vin", "text", None)]),
        rowkey,
    )
}

fn calls(rowkey: &str) -> Document {
    study(fields(&[("phone", "text", None), ("call_time", "time", Some("yyyy-MM-dd HH:mm:ss"))]), rowkey)
}

fn logs(rowkey: &str) -> Document {
    study(
        fields(&[("hostname", "text", None), ("event", "text", None), ("ts", "time", Some("epoch-millis"))]),
        rowkey,
    )
}

fn pair(start: &str, stop: &str) -> (String, String) {
    (start.to_owned(), stop.to_owned())
}

const SPAN: [&str; 2] = ["1638290481900", "1638290586900"];

#[test]
fn b1_one_engine_type_in_a_time_span_is_one_scan() {
    let study = engines("engine + '-' + ts.millis().decimal(13) + '-' + vin");
    let plan = plan(&study, json!({ "where": { "engine": "YCK09360-60", "ts": SPAN } }));
    assert_eq!(ranges(&plan), [pair("YCK09360-60-1638290481900", "YCK09360-60-1638290586900")]);
    assert_eq!(plan.kind, PlanKind::Scan);
    // Built by the key's own formula: rows written with `_` are found by a scan with `_`.
    let underscored = engines("engine + '_' + ts.millis().decimal(13) + '_' + vin");
    let plan = super::study::plan(&underscored, json!({ "where": { "engine": "YCK09360-60", "ts": SPAN } }));
    assert_eq!(ranges(&plan), [pair("YCK09360-60_1638290481900", "YCK09360-60_1638290586900")]);
}

#[test]
fn b1_one_vehicle_in_a_time_span_also_reads_the_others_of_its_type() {
    let study = engines("engine + '-' + ts.millis().decimal(13) + '-' + vin");
    let asked = json!({ "where": { "engine": "YCK09360-60", "ts": SPAN, "vin": "9011D6L00124" } });
    let plan = plan(&study, asked.clone());
    assert_eq!(
        ranges(&plan),
        [pair("YCK09360-60-1638290481900-9011D6L00124", "YCK09360-60-1638290586900-9011D6L00124")]
    );
    assert!(!plan.exact);
    // Ten vehicles report together: one row in ten is wanted.
    let lines: Vec<String> = (0..1_000)
        .map(|row| {
            format!("YCK09360-60,{},9011D6L00{:03}", 1_638_290_481_900i64 + row / 10 * 1_000, 120 + row % 10)
        })
        .collect();
    let counts = counted(&study, &records(&study, &lines), asked);
    assert_eq!((counts.read, counts.returned), (996, 100));
    let [ScanFilter::Fuzzy { pairs, .. }] = plan.filters.as_slice() else { panic!("{:?}", plan.filters) };
    assert_eq!(pairs[0].0, [&b"YCK09360-60-"[..], &[0; 13], b"-9011D6L00124"].concat());
    assert_eq!(pairs[0].1, [&[0u8; 12][..], &[1; 13], &[0; 13]].concat());
}

#[test]
fn a_reversed_scan_has_a_filter_without_hints() {
    let study = engines("engine + '-' + ts.millis().decimal(13) + '-' + vin");
    let latest = json!({ "field": "ts", "direction": "descending" });
    let asked = json!({ "engine": "YCK09360-60", "ts": SPAN, "vin": "9011D6L00124" });
    let plan = plan(&study, json!({ "where": asked, "order": latest }));
    assert!(plan.delivery.reversed);
    let [ScanFilter::RowRegex { pattern }] = plan.filters.as_slice() else { panic!("{:?}", plan.filters) };
    assert_eq!(pattern, "^YCK09360-60-.{13}-9011D6L00124$");
}

#[test]
fn b2_one_vehicle_is_one_scan_and_one_engine_type_is_all() {
    let study = engines("vin + '-' + engine + '-' + ts.millis().decimal(13)");
    let vehicle =
        plan(&study, json!({ "where": { "vin": "9011D6L00124", "engine": "YCK09360-60", "ts": SPAN } }));
    assert_eq!(
        ranges(&vehicle),
        [pair("9011D6L00124-YCK09360-60-1638290481900", "9011D6L00124-YCK09360-60-1638290586900")]
    );
    let every = plan(&study, json!({ "where": { "engine": "YCK09360-60", "ts": SPAN } }));
    assert_eq!(every.kind, PlanKind::FullScan);
    // One scan per vehicle, when they are listed.
    let listed = plan(
        &study,
        json!({ "where": { "vin": { "in": ["9011D6L00124", "9011D6L00125"] }, "engine": "YCK09360-60", "ts": SPAN } }),
    );
    assert_eq!(listed.ranges.len(), 2);
}

#[test]
fn b3_a_delimiter_inside_a_value_reads_other_values_too() {
    let study = engines("engine + '-' + vin");
    let plan = plan(&study, json!({ "where": { "engine": "YCK09360" } }));
    assert_eq!(ranges(&plan), [pair("YCK09360-", "YCK09360.")]);
    assert!(plan.ranges[0].contains(b"YCK09360-60-9011D6L00124"));
    assert!(!plan.exact && codes(&plan).contains(&"plan.part-open-end"), "{:?}", plan.reasons);
    for rowkey in ["engine.terminated() + vin", "engine.text(12) + vin"] {
        let plan = super::study::plan(&engines(rowkey), json!({ "where": { "engine": "YCK09360" } }));
        assert!(plan.exact, "{rowkey}");
    }
}

#[test]
fn c2b_a_scan_with_the_other_form_of_a_date_finds_nothing() {
    let study = calls("phone + '_' + call_time.format('yyyyMMddHHmmss')");
    let plan = plan(
        &study,
        json!({ "where": { "phone": "13412341234", "call_time": ["2021-09-07", "2021-09-08"] } }),
    );
    assert_eq!(ranges(&plan), [pair("13412341234_20210907000000", "13412341234_20210908000000")]);
    let published = scan::KeyRange {
        start: b"13412341234_2021-09-07".to_vec(),
        stop: b"13412341234_2021-09-08".to_vec(),
    };
    assert!(plan.ranges[0].contains(b"13412341234_20210907120000"));
    assert!(!published.contains(b"13412341234_20210907120000"));
}

#[test]
fn c4_one_day_of_a_phone() {
    let day = ["2021-09-07", "2021-09-08"];
    let asked = json!({ "where": { "phone": "13412341234", "call_time": day } });
    let study = calls("'05_' + phone + '_' + call_time.format('yyyy-MM-dd HH:mm:ss')");
    let plan = plan(&study, asked.clone());
    assert_eq!(ranges(&plan), [pair("05_13412341234_2021-09-07", "05_13412341234_2021-09-08")]);
    // The other published stop row takes in the same rows.
    let calls_of_day = |second: i64| {
        let time = format!("2021-09-07 {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
        format!("05_13412341234_{time}").into_bytes()
    };
    for key in (0..86_400).step_by(997).map(calls_of_day) {
        assert!(plan.ranges[0].contains(&key) && key.as_slice() < b"05_13412341234_2021-09-07|");
    }

    // The day before the phone: every phone of the bucket is read for the day.
    let study = calls("'05_' + call_time.format('yyyy-MM-dd HH:mm:ss') + '_' + phone");
    let plan = super::study::plan(&study, asked.clone());
    assert_eq!(
        ranges(&plan),
        [pair("05_2021-09-07 00:00:00_13412341234", "05_2021-09-08 00:00:00_13412341234")]
    );
    let lines: Vec<String> =
        (0..200).map(|row| format!("134123412{:02},2021-09-07 10:{:02}:00", row % 50, row / 50)).collect();
    let counts = counted(&study, &records(&study, &lines), asked);
    assert_eq!((counts.read, counts.returned), (200, 4));
    assert!(!plan.exact && codes(&plan).contains(&"plan.field-behind-range"), "{:?}", plan.reasons);
    assert!(matches!(plan.filters.as_slice(), [ScanFilter::Fuzzy { .. }]), "{:?}", plan.filters);
}

#[test]
fn c5_three_months_are_three_scans_each_in_its_bucket() {
    // The buckets are those of the design's own hash.
    let bucket = "bucket(phone, call_time.format('yyyyMM'), 6).decimal(2)";
    let study = calls(&format!("{bucket} + '_' + phone + '_' + call_time.format('yyyy-MM-dd HH:mm:ss')"));
    let asked = json!({ "where": { "phone": "13412341234", "call_time": ["2021-09-01", "2021-12-01"] } });
    let plan = plan(&study, asked.clone());
    let java_hash =
        |text: &str| text.bytes().fold(0i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    let mut expected: Vec<_> = [
        ("202109", "2021-09", "2021-10"),
        ("202110", "2021-10", "2021-11"),
        ("202111", "2021-11", "2021-12"),
    ]
    .into_iter()
    .map(|(month, start, stop)| {
        let bucket = java_hash(&format!("13412341234{month}")).rem_euclid(6);
        (format!("{bucket:02}_13412341234_{start}"), format!("{bucket:02}_13412341234_{stop}"))
    })
    .collect();
    expected.sort();
    assert_eq!(ranges(&plan), expected);
    // A phone of another length can hold what follows it.
    assert_eq!(
        (plan.exact, codes(&plan).contains(&"plan.part-open-end")),
        (false, true),
        "{:?}",
        plan.reasons
    );
    let fixed = calls(&format!("{bucket} + '_' + phone.text(11) + '_' + call_time.format('yyyyMMddHHmmss')"));
    let plan = super::study::plan(&fixed, asked);
    assert!(plan.exact && plan.ranges.len() == 3, "{:?}", plan.reasons);
}

#[test]
fn d1_all_urls_of_a_day_and_one_url_over_time() {
    let fields = fields(&[("at", "time", Some("yyyy-MM-dd HH:mm:ss")), ("url", "text", None)]);
    let by_date = study(fields.clone(), "at.format('yyyy-MM-dd') + '-' + url");
    let by_url = study(fields, "url + '-' + at.format('yyyy-MM-dd')");
    let day = json!({ "where": { "at": ["2021-09-07", "2021-09-08"] } });
    let url = json!({ "where": { "url": "example.com/a", "at": ["2021-09-01", "2021-10-01"] } });
    let of_day = plan(&by_date, day.clone());
    assert_eq!(ranges(&of_day), [pair("2021-09-07-", "2021-09-07.")]);
    assert!(of_day.exact);
    assert_eq!(plan(&by_url, day).kind, PlanKind::FullScan);
    assert_eq!(ranges(&plan(&by_url, url.clone())), [pair("example.com/a-2021-09", "example.com/a-2021-10")]);
    // Day by day, each is one row.
    let days = plan(&by_date, url);
    assert_eq!((days.kind, days.ranges.len()), (PlanKind::Get, 30));
    assert_eq!(ranges(&days)[0].0, "2021-09-01-example.com/a");
}

#[test]
fn d2_a_range_over_new_year_is_two_scans() {
    let fields = fields(&[("at", "time", Some("yyyy-MM-dd HH:mm:ss")), ("url", "text", None)]);
    let study = study(fields, "at.format('MM-dd') + '-' + url");
    let plan = plan(&study, json!({ "where": { "at": ["2021-12-30", "2022-01-03"] } }));
    let [(first, until), (from, last)] = ranges(&plan)[..].to_vec().try_into().expect("two");
    assert_eq!((first.as_str(), from.as_str()), ("01-01", "12-30"));
    assert_eq!(until, "01-03");
    let new_year = |key: &[u8]| plan.ranges.iter().any(|range| range.contains(key));
    for (key, inside) in
        [("12-29-z", false), ("12-30-a", true), ("12-31-z", true), ("01-02-z", true), ("01-03-", false)]
    {
        assert_eq!(new_year(key.as_bytes()), inside, "{key}, up to {last}");
    }
    // Other years write the same days.
    assert!(!plan.exact);
}

#[test]
fn e1_a_random_salt_is_asked_for_every_value() {
    let study = logs("salt(4).words('a-', 'b-', 'c-', 'd-') + event");
    let plan = plan(&study, json!({ "where": { "event": "foo0003" } }));
    let starts: Vec<String> = ranges(&plan).into_iter().map(|(start, _)| start).collect();
    assert_eq!(starts, ["a-foo0003", "b-foo0003", "c-foo0003", "d-foo0003"]);
    assert_eq!((plan.kind, plan.exact), (PlanKind::Get, true));
}

#[test]
fn e2_a_hash_in_front_lets_one_row_be_got_and_no_range_be_scanned() {
    let study = logs("event.md5().hex(2) + event");
    let row = plan(&study, json!({ "where": { "event": "foo0003" } }));
    // MD5 of foo0003 is b61d007a376ac914b7fb50ca172968aa.
    assert_eq!((row.kind, ranges(&row).swap_remove(0).0.as_str()), (PlanKind::Get, "b6foo0003"));
    let rows = plan(&study, json!({ "where": { "event": { "prefix": "foo000" } } }));
    assert_eq!(rows.kind, PlanKind::FullScan);
}

#[test]
fn e5_a_salt_byte_is_computed_for_a_row_and_asked_for_a_scan() {
    let study = logs("rest.phoenixSalt(16) + hostname.terminated() + ts.millis().int64()");
    let row = plan(&study, json!({ "where": { "hostname": "a", "ts": 1_638_290_481_900i64 } }));
    assert_eq!((row.kind, row.ranges.len(), row.exact), (PlanKind::Get, 1, true));
    let scan = plan(
        &study,
        json!({ "where": { "hostname": "a", "ts": SPAN }, "order": { "field": "ts", "direction": "ascending" } }),
    );
    assert_eq!((scan.kind, scan.ranges.len(), scan.exact), (PlanKind::Scan, 16, true));
    let salts: Vec<u8> = scan.ranges.iter().map(|range| range.start[0]).collect();
    assert_eq!(salts, (0..16).collect::<Vec<u8>>());
    assert!(scan.delivery.merge && !scan.delivery.sort);
    assert_eq!(scan.filters, [ScanFilter::MultiRowRange]);
    let points = Splits::Salts { count: 16, digits: None }.points().expect("points");
    assert_eq!(scan::regions(&scan.ranges, &points), (0..16).collect::<Vec<u32>>());
    // Nothing behind the salt is known: sixteen scans would read the whole table.
    assert_eq!(plan(&study, json!({ "where": { "ts": SPAN } })).kind, PlanKind::FullScan);
}

#[test]
fn e6_reversal_survives_a_whole_value_but_no_range() {
    let study = study(
        fields(&[("id", "integer", None), ("ts", "time", Some("epoch-millis"))]),
        "id.decimal(16).reverse() + ts.millis().reverseLong().int64()",
    );
    let whole = plan(&study, json!({ "where": { "id": 2_021_010_101_010_101i64 } }));
    assert_eq!(whole.ranges[0].start, b"1010101010101202");
    assert!(whole.exact);
    let range = plan(
        &study,
        json!({ "where": { "id": { "from": 2_021_010_000_000_000i64, "to": 2_021_020_000_000_000i64 } } }),
    );
    assert_eq!(range.kind, PlanKind::FullScan);
    assert!(codes(&range).contains(&"plan.part-keeps-no-order"), "{:?}", range.reasons);
}

#[test]
fn i1_i3_a_time_range_of_a_host() {
    let asked = json!({ "where": { "hostname": "myserver1", "event": "e", "ts": SPAN } });
    let by_time = plan(&logs("ts.millis().int64() + hostname.terminated() + event"), asked.clone());
    assert_eq!(by_time.ranges.len(), 1);
    assert!(!by_time.exact);
    let by_host = plan(&logs("hostname.terminated() + event.terminated() + ts.millis().int64()"), asked);
    let long = |text: &str| text.parse::<i64>().expect("number").to_be_bytes();
    assert_eq!(by_host.ranges[0].start, [&b"myserver1\0e\0"[..], &long(SPAN[0])].concat());
    assert_eq!(by_host.ranges[0].stop, [&b"myserver1\0e\0"[..], &long(SPAN[1])].concat());
    assert!(by_host.exact, "{:?}", by_host.reasons);
}

#[test]
fn i2_a_hundred_buckets_are_a_hundred_scans() {
    let study = logs("ts.millis().floorMod(100).decimal(2) + ts.millis().int64() + hostname");
    let plan = plan(&study, json!({ "where": { "ts": SPAN } }));
    assert_eq!((plan.ranges.len(), plan.exact), (100, true));
    for (bucket, range) in plan.ranges.iter().enumerate() {
        assert!(range.start.starts_with(format!("{bucket:02}").as_bytes()), "{range:?}");
    }
    // A range of two milliseconds reads only two buckets.
    let two = super::study::plan(&study, json!({ "where": { "ts": ["1638290481999", "1638290482001"] } }));
    assert_eq!(two.ranges.len(), 2);
}

#[test]
fn i4_newest_first_swaps_start_and_stop() {
    let study = logs("hostname.terminated() + ts.millis().reverseLong().int64()");
    let asked = json!({ "where": { "hostname": "h", "ts": SPAN }, "order": { "field": "ts", "direction": "descending" } });
    let plan = plan(&study, asked);
    let reversed = |text: &str| (i64::MAX - text.parse::<i64>().expect("number")).to_be_bytes();
    // From just below the end of the span to its beginning.
    let after = |bytes: [u8; 8]| (i64::from_be_bytes(bytes) + 1).to_be_bytes();
    assert_eq!(plan.ranges[0].start, [&b"h\0"[..], &after(reversed(SPAN[1]))].concat());
    assert_eq!(plan.ranges[0].stop, [&b"h\0"[..], &after(reversed(SPAN[0]))].concat());
    assert!(plan.exact && !plan.delivery.reversed && !plan.delivery.sort, "{:?}", plan.reasons);
    let oldest = logs("hostname.terminated() + ts.millis().int64()");
    let newest = json!({ "where": { "hostname": "h" }, "order": { "field": "ts", "direction": "descending" }, "limit": 10 });
    assert!(super::study::plan(&oldest, newest).delivery.sort || super::study::plan(&oldest, json!({ "where": { "hostname": "h", "ts": SPAN }, "order": { "field": "ts", "direction": "descending" } })).delivery.reversed);
}

#[test]
fn k1_the_first_thirty_values_of_a_user_need_a_stop_row() {
    let study = study(
        fields(&[("user", "text", None), ("value", "integer", None)]),
        "user.text(8) + value.decimal(10)",
    );
    let first = plan(&study, json!({ "where": { "user": "ann" }, "limit": 30 }));
    assert_eq!(ranges(&first), [pair("ann\\x00\\x00\\x00\\x00\\x00", "ann\\x00\\x00\\x00\\x00\\x01")]);
    assert!(first.exact);
    // Ann has three values: without the stop row the next 27 are Bob's.
    let lines: Vec<String> =
        (0..40).map(|row| format!("{},{row}", if row < 3 { "ann" } else { "bob" })).collect();
    let records = records(&study, &lines);
    let counts = counted(&study, &records, json!({ "where": { "user": "ann" }, "limit": 30 }));
    assert_eq!((counts.read, counts.returned), (3, 3));
    let keys = super::study::keys(&study, &records);
    let open: Vec<&[u8]> = {
        let mut sorted: Vec<&[u8]> = keys.iter().collect();
        sorted.sort();
        sorted.into_iter().filter(|key| *key >= first.ranges[0].start.as_slice()).take(30).collect()
    };
    assert_eq!(open.iter().filter(|key| key.starts_with(b"bob")).count(), 27);
    let next = plan(&study, json!({ "where": { "user": "ann", "value": { "from": 17 } }, "limit": 30 }));
    assert_eq!(next.ranges[0].start, b"ann\0\0\0\0\x000000000017");
    assert!(
        next.ranges[0].contains(b"ann\0\0\0\0\x009999999999")
            && !next.ranges[0].contains(b"bob\0\0\0\0\x000000000000")
    );
}

#[test]
fn behind_a_salt_of_the_rest_each_of_256_is_asked_for_its_own_stretch() {
    let study = logs("rest.phoenixSalt(256) + hostname.terminated() + ts.millis().int64()");
    let plan = plan(&study, json!({ "where": { "hostname": "a", "ts": SPAN } }));
    assert_eq!((plan.kind, plan.ranges.len()), (PlanKind::Scan, 256));
    for (salt, range) in (0..=u8::MAX).zip(&plan.ranges) {
        assert!(range.start.starts_with(&[salt, b'a', 0]) && range.stop.starts_with(&[salt, b'a', 0]));
        assert!(range.start < range.stop);
    }
}

/// The cells of a map, as a box query gives them.
#[test]
fn each_prefix_of_a_list_has_ranges_of_its_own() {
    let cells = json!({ "where": { "cell": { "prefix": ["dr5ru", "dr5r", "9q8y", "gbsuv"] } } });
    let fields = fields(&[("cell", "text", None), ("id", "text", None)]);
    let behind = |rowkey: &str| {
        let study = study(fields.clone(), rowkey);
        let plan = plan(&study, cells.clone());
        (ranges(&plan), plan.exact)
    };
    // The prefix dr5r includes dr5ru.
    let alone = vec![pair("9q8y", "9q8z"), pair("dr5r", "dr5s"), pair("gbsuv", "gbsuw")];
    assert_eq!(behind("cell + '_' + id"), (alone, true));
    let salted = ["a-", "b-"].map(|salt| {
        [("9q8y", "9q8z"), ("dr5r", "dr5s"), ("gbsuv", "gbsuw")]
            .map(|(start, stop)| pair(&format!("{salt}{start}"), &format!("{salt}{stop}")))
    });
    assert_eq!(behind("salt(2).words('a-', 'b-') + cell + '_' + id"), (salted.concat(), true));
    assert_eq!(behind("id + '_' + cell").0, [pair("", "")]);
}

#[test]
fn prefixes_behind_a_range_leave_its_order() {
    let fields = fields(&[("host", "text", None), ("ts", "time", Some("epoch-millis"))]);
    let study = study(fields, "ts.millis().int64() + host");
    let asked =
        json!({ "where": { "ts": SPAN, "host": { "prefix": ["a", "b"] } }, "order": "ts", "limit": 10 });
    let plan = plan(&study, asked);
    assert_eq!((plan.ranges.len(), plan.delivery.sort, plan.delivery.merge), (1, false, false));
}

/// Between the first and the last value of a long list lie others, and the last belongs to it.
#[test]
fn a_long_list_as_a_range_has_its_last_value_and_is_not_exact() {
    let fields =
        json!([{ "name": "c", "type": "text", "width": 4 }, { "name": "d", "type": "text", "width": 4 }]);
    let list = |letter: &str, count: usize| -> Value {
        json!({ "in": (0..count).map(|at| format!("{letter}{:03}", 2 * at)).collect::<Vec<_>>() })
    };
    for rowkey in ["c + d", "c + '_' + d", "c.terminated() + d"] {
        let study = study(fields.clone(), rowkey);
        for asked in [json!({ "c": list("c", 100), "d": list("d", 100) }), json!({ "c": list("c", 499) })] {
            let plan = plan(&study, json!({ "where": asked }));
            let lines: Vec<String> =
                (0..999).flat_map(|at| ["d000", "d198"].map(|d| format!("c{at:03},{d}"))).collect();
            let records = records(&study, &lines);
            let rows = counted(&study, &records, json!({ "where": asked }));
            let (read, returned) = (rows.read, rows.returned);
            let in_list = |line: &&String| {
                let at: usize = line[1..4].parse().expect("a number");
                at.is_multiple_of(2) && at < if asked["d"].is_null() { 998 } else { 200 }
            };
            assert_eq!(returned, lines.iter().filter(in_list).count() as u64, "{rowkey} {read}");
            assert!(!plan.exact || read == returned, "{rowkey}: {read} read, {returned} match");
        }
    }
}

#[test]
fn conditions_that_cannot_be_are_refused_with_their_path() {
    let study = engines("engine + ts.millis()");
    let mut query = query(&study, json!({ "where": { "engine": "a" } }));
    let condition = |value: Value| serde_json::from_value::<Value>(value).expect("value");
    query.conditions.insert("vni".into(), rowscape::design::Condition::Eq(condition(json!("x"))));
    query.conditions.insert(
        "ts".into(),
        rowscape::design::Condition::Range { from: Some(json!("2021-09-08")), to: Some(json!("2021-09-07")) },
    );
    query.conditions.insert("vin".into(), rowscape::design::Condition::Eq(json!(7)));
    let problems = scan::read(&query, &study.fields, "queries[0]").expect_err("refused");
    let found: Vec<_> = problems.iter().map(|problem| (problem.code, problem.place.path.as_str())).collect();
    assert_eq!(
        found,
        [
            ("design.empty-range", "queries[0].where.ts"),
            ("json.wrong-type", "queries[0].where.vin"),
            ("formula.unknown-field", "queries[0].where.vni"),
        ]
    );
}

#[test]
fn a_value_of_another_width_than_the_field_declares_is_refused_where_it_stands() {
    let declared = json!([{ "name": "id", "type": "bytes", "format": "hex", "width": 2 }]);
    let study = study(declared, "id");
    for (condition, path) in [
        (json!("\\x01\\x02\\x03"), Some("")),
        (json!({ "in": ["\\x01\\x02", "\\x01"] }), Some(".in[1]")),
        (json!({ "prefix": "\\x01\\x02\\x03" }), Some(".prefix")),
        (json!({ "prefix": ["\\x01", "\\x01\\x02\\x03"] }), Some(".prefix[1]")),
        (json!("\\x01\\x02"), None),
        (json!({ "prefix": "\\x01" }), None),
        (json!({ "from": "\\x01", "to": "\\x01\\x02\\xFF" }), None),
    ] {
        let read =
            scan::read(&query(&study, json!({ "where": { "id": condition } })), &study.fields, "queries[0]");
        let problems = read.err().unwrap_or_default();
        let found: Vec<_> =
            problems.iter().map(|problem| (problem.code, problem.place.path.clone())).collect();
        let expected = path.map(|path| ("field.wrong-width", format!("queries[0].where.id{path}")));
        assert_eq!(found, Vec::from_iter(expected), "{condition}");
    }
}

#[test]
fn days_of_the_calendar_are_all_found_by_a_month_and_day() {
    let study = study(
        fields(&[("at", "time", Some("yyyy-MM-dd HH:mm:ss")), ("url", "text", None)]),
        "at.format('MM-dd') + '-' + url",
    );
    let plan = plan(&study, json!({ "where": { "url": "u" } }));
    assert_eq!((plan.kind, plan.ranges.len()), (PlanKind::Get, 366));
    let day = civil::days_of(2024, 2, 29);
    assert!(plan.ranges.iter().any(|range| range.start == b"02-29-u"), "{day}");
}
