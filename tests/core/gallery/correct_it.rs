//! Mistakes of published advice are found in the advice's own designs, and good designs get no findings.

use super::opened::{Opened, file, generated, index, open, with};
use rowscape::analysis::Analysis;
use rowscape::findings::{Finding, FindingSeverity};
use rowscape::row::to_string_binary;
use rowscape::scan;
use std::rc::Rc;

/// Findings of each table of an entry, with its name.
fn found(Opened { study, records }: Opened) -> Vec<(String, Vec<Finding>)> {
    let records = Rc::new(records);
    let tables = study.tables.iter().enumerate().map(|(index, design)| {
        let analysis = Analysis::of(&study, index, records.clone());
        let found = analysis.and_then(|mut analysis| analysis.findings(&study, index));
        (design.name.clone(), found.unwrap_or_else(|problem| panic!("{}: {problem}", design.name)))
    });
    tables.collect()
}

/// The finding of this code for a table of an entry; any table without a name.
fn expect(opened: Opened, table: &str, code: &str) -> Finding {
    let all = found(opened);
    let of_table =
        all.iter().filter(|(name, _)| table.is_empty() || name == table).flat_map(|(_, findings)| findings);
    let one = of_table.clone().find(|finding| finding.code == code).cloned();
    one.unwrap_or_else(|| {
        panic!("{table} has no {code}: {:?}", of_table.map(|finding| finding.code).collect::<Vec<_>>())
    })
}

/// Generated records of an entry.
fn made(slug: &str) -> Opened {
    generated(slug, Some(20_000))
}

#[test]
fn b1_a_scan_with_another_separator_than_the_rows_finds_nothing() {
    let finding = expect(open("b1-rows-with-underscores"), "", "RS506");
    assert_eq!(finding.args["missed"], "5");
    assert_eq!(finding.args["rightStart"], "YCK09360-60_1638290481000");
}

#[test]
fn b1_a_range_from_the_first_to_the_last_reading_reads_every_other_vehicle_of_the_type() {
    let rows = (0..5_000).map(|row| {
        format!("YCK09360-60,{},9011D6L{:05},1.5", 1_638_290_481_900u64 + row * 20, 100 + row % 50)
    });
    let csv = format!("engine_type,ts,vin,value\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    let finding = expect(with("b1-engine-type-time-vin", &csv), "", "RS502");
    let [read, returned] =
        ["read", "returned"].map(|name| finding.args[name].parse::<u64>().expect("number"));
    assert!(read >= 40 * returned && returned > 0, "{finding:?}");
}

#[test]
fn b3_a_separator_inside_a_value_is_found_in_the_values() {
    let finding = expect(made("b3-delimiter-inside-value"), "ambiguous", "RS204");
    assert!(finding.message.contains("-60”"), "{}", finding.message);
}

#[test]
fn c2b_a_scan_with_the_other_date_form_misses_the_rows() {
    let finding = expect(open("c2b-two-date-forms"), "compact", "RS506");
    assert!(finding.args["start"].ends_with("_13412341234_2021-09-07"), "{finding:?}");
}

#[test]
fn k1_i3_and_a4_have_the_newest_or_the_first_without_a_sort_of_all_rows() {
    for slug in ["k1-one-row-a-value", "i3-host-event-time", "a4-newest-first"] {
        for (table, findings) in found(open(slug)) {
            let sorted =
                |finding: &&Finding| finding.code == "RS505" && finding.severity != FindingSeverity::Note;
            assert!(!findings.iter().any(|finding| sorted(&finding)), "{slug} {table}: {findings:?}");
        }
    }
}

#[test]
fn c4_and_c5_have_stop_rows_with_a_bar_that_miss_nothing() {
    for (slug, query) in
        [("c4-one-day-of-one-phone", 0), ("c4-one-day-of-one-phone", 1), ("c5-three-months-three-buckets", 0)]
    {
        let mut opened = open(slug);
        let study = &opened.study;
        let domains = scan::read(&study.queries[query], &study.fields, "").expect("conditions");
        let plan = scan::plan(&study.tables[0].typed, &study.fields, &study.queries[query], &domains);
        let [range] = plan.ranges.as_slice() else { panic!("{:?}", plan.ranges) };
        let start = to_string_binary(&range.start);
        // The last day or month that is asked for, and a bar.
        opened.study.queries[query].scan = Some([start.clone(), format!("{start}|")]);
        for (table, findings) in found(opened) {
            let foreign = findings.iter().find(|finding| ["RS506", "RS507"].contains(&finding.code));
            assert!(foreign.is_none(), "{slug} {table} {start}|: {foreign:?}");
        }
    }
}

#[test]
fn c4_with_the_time_first_a_day_of_one_phone_reads_every_phone_of_the_bucket() {
    let rows = (0..8_000).map(|row| {
        let second = row * 10;
        format!(
            "134123{:05},2021-09-07 {:02}:{:02}:{:02},1",
            41_000 + row % 400,
            second / 3600,
            second / 60 % 60,
            second % 60
        )
    });
    let csv = format!("phone,call_time,peer\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    let finding = expect(with("c4-one-day-time-first", &csv), "", "RS502");
    assert_eq!(finding.args["query"], "one phone, one day");
    assert_eq!(finding.args["returned"], "20");
}

#[test]
fn d2_a_year_of_life_under_a_key_of_a_year_is_found_and_344_days_are_offered() {
    let finding = expect(open("d2-loop-key"), "loop", "RS603");
    let days = ["round", "ttl", "compaction", "longest"].map(|name| finding.args[name].parse::<f64>().ok());
    // Seven days and half of them more by chance, twice: 365 − 2 × 10.5.
    assert_eq!(days, [365.0, 365.0, 10.5, 344.0].map(Some));
    let families = finding.fix.and_then(|fix| fix.families).expect("a fix");
    assert_eq!(families[0].ttl, Some(344 * 86_400));
    assert!(
        found(open("d2-loop-key"))
            .iter()
            .all(|(table, all)| { table == "loop" || all.iter().all(|finding| finding.code != "RS603") })
    );
}

#[test]
fn e1_a_random_salt_is_found_with_its_four_places_to_look() {
    assert_eq!(expect(open("e1-random-salt"), "", "RS504").args["salts"], "4");
}

#[test]
fn e3_e6_a_range_does_not_survive_reversing() {
    assert_eq!(expect(made("e3-reversed-order-id-as-text"), "", "RS501").args["query"], "a range of IDs");
    assert_eq!(expect(made("e6-salt-or-reverse"), "reversed", "RS501").args["query"], "a range of IDs");
}

#[test]
fn e5_javas_remainder_of_a_hash_is_negative_half_of_the_time() {
    let finding = expect(made("e5-signed-remainder"), "", "RS106");
    assert_eq!((finding.severity, finding.args["least"].as_str()), (FindingSeverity::Bad, "-3"));
}

#[test]
fn f1_both_plain_orders_are_sequential() {
    expect(made("f1-message-store-in-order"), "by_time", "RS101");
    expect(made("f1-message-store-in-order"), "by_id", "RS101");
}

#[test]
fn f2_a_whole_digest_in_front_makes_a_scan_by_time_a_full_scan() {
    assert_eq!(expect(made("f2-lower-case-digest"), "", "RS501").args["query"], "messages of a minute");
}

#[test]
fn f2_upper_case_digits_under_lower_case_points_leave_regions_dead() {
    let finding = expect(made("f2-upper-case-digest"), "", "RS103");
    assert!(finding.message.contains("Uppercase hex"), "{}", finding.message);
    assert_eq!((finding.args["dead"].as_str(), finding.args["never"].as_str()), ("6", "6"));
    let rowkey = finding.fix.and_then(|fix| fix.rowkey).expect("a fix");
    assert!(rowkey.contains(".hex("), "{rowkey}");
}

#[test]
fn g2_seven_of_ten_regions_get_no_hexadecimal_key() {
    assert_eq!(expect(made("g2-hex-keys-under-bytes-split"), "", "RS103").args["dead"], "7");
}

#[test]
fn h3_what_a_digest_hides_is_counted_as_it_would_be_stored_again() {
    let finding = expect(open("h3-digest-alone"), "", "RS303");
    // Two cells a row of 20 + 32 + 1 + 1 bytes and a value of 3 on average; three rows.
    assert_eq!(["rows", "bytes"].map(|name| finding.args[name].as_str()), ["3", "342"]);
    assert!(finding.why.contains("342"), "{}", finding.why);
}

#[test]
fn h4_parts_with_nothing_between_are_ambiguous() {
    expect(made("h4-plain-concatenation"), "plain", "RS204");
}

#[test]
fn i1_time_first_is_sequential() {
    expect(made("i1-time-first"), "", "RS101");
}

#[test]
fn i2_a_remainder_of_times_in_steps_of_a_hundred_is_one_bucket() {
    let rows =
        (0..2_000).map(|row| format!("host{:03},{},error,1", row % 50, 1_638_290_481_900u64 + row * 100));
    let csv = format!("hostname,ts,event,value\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    let finding = expect(with("i2-bucket-of-time", &csv), "", "RS105");
    assert_eq!((finding.args["n"].as_str(), finding.args["used"].as_str()), ("100", "1"));
    let left: Vec<_> =
        found(with("i2-coprime-buckets", &csv)).into_iter().flat_map(|(_, found)| found).collect();
    assert!(left.iter().all(|finding| finding.code != "RS105"), "{left:?}");
}

#[test]
fn k1_a_scan_without_a_stop_row_runs_into_the_next_user() {
    let finding = expect(open("k1-one-row-a-value"), "", "RS507");
    assert_eq!((finding.args["read"].as_str(), finding.args["returned"].as_str()), ("4", "3"));
}

#[test]
fn k2_a_get_as_single_quotes_give_it_misses_the_page() {
    let finding = expect(open("k2-pages-of-values"), "", "RS506");
    // The shell passes on a backslash, an x and two digits for each byte.
    assert!(finding.args["start"].starts_with(r"user\x5Cx00\x5Cx00"), "{finding:?}");
    assert_eq!(
        (finding.args["rightStart"].as_str(), finding.args["missed"].as_str()),
        (r"user\x00\x00\x00\x00", "1")
    );
}

/// Entries that show a good design, and what they are good for.
const GOOD: [(&str, &str); 14] = [
    ("b4-binary-telemetry", "terminated"),
    ("b4-binary-telemetry", "fixed_width"),
    ("c1-bucket-of-the-phone", "cdr"),
    ("c1-bucket-of-phone-and-day", "cdr"),
    ("c1-bucket-of-phone-and-month", "by_month"),
    ("c3-points-with-a-bar", "cdr"),
    ("c4-one-day-of-one-phone", "cdr"),
    ("c5-three-months-three-buckets", "cdr"),
    ("e4-hash-bucket-text", "orders"),
    ("e5-salt-byte", "floor_mod"),
    ("g3-hex-splits", "t"),
    ("g7-table-made-in-code", "web:sessions"),
    ("j1-customer-and-order", "text"),
    ("j4-tall-wide-or-middle", "tall"),
];

#[test]
fn good_designs_of_the_gallery_are_left_in_peace() {
    for (slug, table) in GOOD {
        for (_, findings) in found(made(slug)).iter().filter(|(name, _)| name == table) {
            // The rows of one vehicle lie among those of all vehicles of its type, as B1 says.
            let told = |finding: &Finding| slug.starts_with("b4") && finding.code == "RS502";
            let is_fault = |finding: &&Finding| finding.severity > FindingSeverity::Note && !told(finding);
            let faults: Vec<_> = findings.iter().filter(is_fault).collect();
            assert!(faults.is_empty(), "{slug} {table}: {faults:?}");
        }
    }
}

#[test]
fn every_entry_can_be_reviewed() {
    for entry in index() {
        let slug = entry["slug"].as_str().expect("slug");
        let document: serde_json::Value = serde_json::from_str(&file(&format!("{slug}.json"))).expect(slug);
        let opened = if document["generate"].is_object() { generated(slug, Some(2_000)) } else { open(slug) };
        for (_, findings) in found(opened) {
            for Finding { message, why, remedy, .. } in findings {
                assert!([message, why, remedy].iter().all(|sentence| !sentence.contains('{')), "{slug}");
            }
        }
    }
}

#[test]
fn a1_ids_given_out_in_tens_share_a_factor_with_the_number_of_buckets() {
    let rows = (0..500).map(|row| format!("{},{}", 1_000_000_000u64 + 10 * row, 1_709_251_200_000u64 + row));
    let csv = format!("id,ts\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    assert_eq!(expect(with("a1-bucket-of-the-id", &csv), "by_id", "RS105").args["used"], "1");
}

#[test]
fn a2_two_records_of_a_second_are_said_to_be_one_row() {
    let finding = expect(open("a2-one-key-for-two-records"), "seconds", "RS301");
    // Three of the five records are of one phone and one second.
    assert_eq!(["rows", "keys", "share"].map(|name| finding.args[name].as_str()), ["3", "1", "60%"]);
    assert_eq!(finding.args["example"], "13412341234_20240301000000");
}

#[test]
fn d1_the_table_by_day_is_written_in_one_region_at_a_time() {
    let rows = (0..5_000).map(|row| {
        format!("2024-03-{:02},example.org/{row},{}", 1 + row / 250, 1_709_251_200_000u64 + row * 345_600)
    });
    let csv = format!("day,url,ts\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    expect(with("d1-day-and-url-twice", &csv), "day_url", "RS101");
}

#[test]
fn a8_a10_four_families_and_a_hundred_versions_are_too_many() {
    let families = expect(open("a8-families-of-unlike-size"), "together", "RS601");
    // FlushAllLargeStoresPolicy, which is the default, has a lower bound of 16 MiB.
    assert!(families.why.contains("16 MiB"), "{}", families.why);
    expect(open("a10-versions-kept"), "hundred", "RS602");
}
