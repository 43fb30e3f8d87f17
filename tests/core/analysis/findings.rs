//! Each rule has a design that triggers it, and an innocent twin that does not; what a fix edits, it mends.

mod designs;

use crate::common;
use designs::{calls, document, pairs, wholes};
use rowscape::analysis::Analysis;
use rowscape::design::{Document, parse};
use rowscape::encode::Encoder;
use rowscape::findings::{DesignFix, Finding, FindingSeverity, PlannedQuery, RULES, Review, findings};
use rowscape::key_table::KeyTable;
use rowscape::records::Records;
use rowscape::scan::PlanKind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) fn study(document: &Value) -> Document {
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{document}: {problems:?}"))
}

pub(super) fn records(text: &str, study: &Document) -> Records {
    common::csv_records(&study.fields, text)
}

/// Findings of a document on records.
pub(super) fn found(document: &Value, text: &str) -> Vec<Finding> {
    let study = study(document);
    let records = Rc::new(records(text, &study));
    let mut analysis = Analysis::of(&study, 0, records).expect("analysis");
    analysis.findings(&study, 0).expect("findings")
}

/// Findings of a document without records.
fn found_alone(document: &Value) -> Vec<&'static str> {
    let study = study(document);
    let design = &study.tables[0];
    let points = design.splits.points().expect("points");
    let asked = PlannedQuery::all(&study, design, None);
    codes(&findings(&Review { study: &study, design, points: &points, evidence: None, asked, fixes: true }))
}

pub(super) fn codes(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn each_rule_is_triggered_by_its_design_and_not_by_the_innocent_twin() {
    let calls = calls();
    for (code, guilty, innocent) in pairs() {
        let guilty = document(guilty.0, &guilty.1);
        let found_here = found(&guilty, &calls);
        assert!(
            codes(&found_here).contains(&code),
            "{code} is not found in {}: {:?}",
            guilty["rowkey"],
            codes(&found_here)
        );
        for finding in &found_here {
            for sentence in [&finding.message, &finding.why, &finding.remedy] {
                assert!(
                    !sentence.contains('{') && !sentence.contains("finding."),
                    "{}: {sentence}",
                    finding.code
                );
            }
        }
        let innocent = document(innocent.0, &innocent.1);
        let found_there = found(&innocent, &calls);
        assert!(
            !codes(&found_there).contains(&code),
            "{code} is found in {}: {:?}",
            innocent["rowkey"],
            found_there
        );
    }
}

/// The document with an edit made.
pub(super) fn edited(document: &Value, fix: &DesignFix) -> Value {
    let mut document = document.clone();
    if let Some(rowkey) = &fix.rowkey {
        document["rowkey"] = json!(rowkey);
    }
    if let Some(splits) = &fix.splits {
        document["splits"] = splits.clone();
    }
    if let Some(families) = &fix.families {
        document["table"]["families"] = json!(families);
    }
    if let Some(queries) = &fix.queries {
        document["queries"] = json!(queries);
    }
    if let (Some(tables), Some(members)) = (&fix.tables, document.as_object_mut()) {
        members.retain(|name, _| {
            !["let", "rowkey", "splits", "servers", "writes", "table"].contains(&name.as_str())
        });
        document["tables"] = tables.clone();
    }
    document
}

/// Cost of each query: ranges (0 for a full scan) and rows read.
fn effort(document: &Value, text: &str) -> Vec<(String, usize, u64)> {
    let study = study(document);
    let records = records(text, &study);
    let design = &study.tables[0];
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(&records, &names, &[&design.typed]).encode().swap_remove(0);
    let table = KeyTable::new(keys, 0);
    let asked = PlannedQuery::all(&study, design, Some((&table, &records)));
    let of = |asked: &PlannedQuery| {
        let name = study.queries[asked.query].name.clone();
        let scans = if asked.plan.kind == PlanKind::FullScan { usize::MAX } else { asked.plan.ranges.len() };
        (name, scans, asked.counted.expect("counted").read)
    };
    asked.iter().map(of).collect()
}

/// Makes the edit of a finding and looks again: it is gone, and no query is dearer that was not named.
fn mended(before: &Value, text: &str, code: &str) -> bool {
    let all = found(before, text);
    let finding = all
        .iter()
        .find(|finding| finding.code == code)
        .unwrap_or_else(|| panic!("{code}: {:?}", codes(&all)));
    let Some(fix) = &finding.fix else { return false };
    let after = edited(before, fix);
    let left = found(&after, text);
    assert!(!codes(&left).contains(&code), "{code} is still found in {after}: {left:?}");
    let efforts = effort(&after, text);
    for old in effort(before, text) {
        // A query put to a table of its own is not this table's.
        let Some(new) = efforts.iter().find(|new| new.0 == old.0) else { continue };
        let said = fix.costs.iter().any(|cost| cost.args.get("query") == Some(&new.0));
        assert!(said || new.1 <= old.1, "{code}: {new:?} in place of {old:?}, and nothing is said");
        assert!(said || new.2 <= old.2.max(20), "{code}: {new:?} in place of {old:?}, and nothing is said");
    }
    true
}

/// Queries by each of the fields that one may ask for.
fn queries() -> Value {
    json!([
        { "name": "a phone", "where": { "phone": "13401656685" } },
        { "name": "a phone’s hour", "where": { "phone": "13401656685", "at": { "from": "2024-05-01 00:00:00", "to": "2024-05-01 01:00:00" } } },
        { "name": "a minute", "where": { "at": { "from": "2024-05-01 00:00:00", "to": "2024-05-01 00:01:00" } } },
        { "name": "an id", "where": { "id": 1_000_500 } },
        { "name": "ids", "where": { "id": { "from": 1_000_500, "to": 1_000_510 } } },
        { "name": "a level", "where": { "level": "info" } },
    ])
}

#[test]
fn applying_a_fix_removes_the_finding_and_no_query_gets_dearer_unsaid() {
    let calls = calls();
    let mut codes_mended = BTreeSet::new();
    for (code, guilty, _) in pairs() {
        let mut before = document(guilty.0, &guilty.1);
        if mended(&before, &calls, code) {
            codes_mended.insert(code);
        }
        // With what is asked of the table, and what that costs.
        before["queries"] = queries();
        mended(&before, &calls, code);
    }
    let none: BTreeSet<&str> =
        pairs().iter().map(|(code, ..)| *code).filter(|code| !codes_mended.contains(code)).collect();
    // Records that have no key are mended where they come from.
    assert_eq!(none, BTreeSet::from(["RS304"]));
}

/// Costs that are nothing 49 times in 50, and hours with a late record now and then.
#[test]
fn what_is_mostly_one_value_does_not_rise_and_late_records_stop_no_rise() {
    let mut text = String::from("id,at,cost\n");
    for row in 0..2_000u32 {
        let cost = if row % 50 == 49 { row * 7_919 % 10_007 } else { 0 };
        let minute = if row % 60 == 59 { row - 59 } else { row };
        let (day, hour) = (1 + minute / 1440, minute / 60 % 24);
        text += &format!("{},2024-05-{day:02} {hour:02}:{:02}:00,{cost}\n", row * 7_919 % 2_003, minute % 60);
    }
    let document = |rowkey: &str| {
        json!({
            "rowscape": 1,
            "fields": [
                { "name": "id", "type": "text" },
                { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
                { "name": "cost", "type": "integer" },
            ],
            "arrival": "at", "rowkey": rowkey, "splits": { "sample": 8 },
        })
    };
    let of = |rowkey| codes(&found(&document(rowkey), &text));
    assert!(!of("cost.int32() + id").contains(&"RS101"));
    assert!(of("at.format('yyyyMMddHHmm') + id").contains(&"RS101"));
    assert!(of("at.format('yyyyMMddHH') + id").contains(&"RS101"));
}

/// True if keys in this order count as sequential; a key may be followed by a comma and its arrival time.
fn is_sequential(keys: &[String], rowkey: &str) -> bool {
    let timed = keys.iter().all(|key| key.contains(','));
    let mut document = json!({
        "rowscape": 1,
        "fields": [{ "name": "key", "type": "text" }, { "name": "at", "type": "time", "format": "epoch-millis" }],
        "arrival": "at", "rowkey": rowkey, "splits": { "sample": 4 },
    });
    if !timed {
        document["fields"].as_array_mut().expect("fields").pop();
        document.as_object_mut().expect("members").remove("arrival");
    }
    let header = if timed { "key,at\n" } else { "key\n" };
    codes(&found(&document, &(header.to_owned() + &keys.join("\n")))).contains(&"RS101")
}

#[test]
fn keys_count_up_or_are_only_sorted() {
    let hash = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let all = |count: u64, key: &dyn Fn(u64) -> String| (0..count).map(key).collect::<Vec<_>>();
    let sorted = |mut keys: Vec<String>| {
        keys.sort();
        keys
    };
    for counts in [
        all(10, &|n| format!("user{:07}", 1001 + n)),
        all(2_000, &|n| format!("{}", 1001 + n)),
        all(40, &|n| format!("x-{:02}", 1 + n)),
        // Every tenth one, or with one in ten left out.
        all(300, &|n| format!("order{:09}", 10 * n)),
        all(300, &|n| format!("{:08}", n + n / 9)),
        all(300, &|n| format!("{:08x}", 0xffa + n)),
        all(300, &|n| format!("{:019}", u64::MAX / 2 - n)),
    ] {
        assert!(is_sequential(&counts, "key"), "{:?}", &counts[..3]);
    }
    for innocent in [
        all(7, &|n| format!("user{:07}", 1001 + n)),
        sorted(all(300, &|n| format!("{:016x}", hash(n)))),
        sorted(all(60_000, &|n| format!("{:04x}", hash(n) >> 48))),
        sorted(all(300, &|n| format!("{:04}", hash(n) % 10_000))),
        sorted(all(300, &|n| format!("name{:x}", hash(n) % 977))),
        // Remainders of a count, and salts with many rows each.
        all(300, &|n| format!("{:02}", n % 16)),
        sorted(all(300, &|n| format!("{:02}", n % 16))),
    ] {
        assert!(!is_sequential(&innocent, "key"), "{:?}", &innocent[..3]);
    }
    let counted = all(300, &|n| format!("{:08}", n));
    assert!(!is_sequential(&counted, "key.javaHash().floorMod(301).decimal(3) + key"));
    assert!(!is_sequential(&counted, "key.reverse()"));
}

#[test]
fn rows_are_taken_by_their_time_and_not_as_the_file_has_them() {
    let hash = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let at = |n: u64| 1_700_000_000_000 + n * 1_000;
    let mut scanned: Vec<String> = (0..400).map(|n| format!("{:08x},{}", hash(n), at(n))).collect();
    scanned.sort();
    assert!(!is_sequential(&scanned, "key"), "a scan of hashed keys");
    // Few rows tell it as well.
    for rows in [12, 60] {
        let few: Vec<String> = scanned.iter().take(rows).cloned().collect();
        assert!(!is_sequential(&few, "key"), "{rows} rows of a scan of hashed keys");
        let rising: Vec<String> = (0..rows as u64).map(|n| format!("id{:08},{}", n, at(n))).collect();
        assert!(is_sequential(&rising, "key"), "{rows} rows of a scan of rising keys");
        assert!(!is_sequential(&rising, "key.reverse()"));
    }
    // Ten rows a moment, or all of a day.
    let mut coarse: Vec<String> = (0..400).map(|n| format!("{:08x},{}", hash(n), at(n / 10 * 10))).collect();
    coarse.sort();
    assert!(!is_sequential(&coarse, "key"));
    let mut shuffled: Vec<String> = (0..400).map(|n| format!("id{:08},{}", n, at(n))).collect();
    shuffled.sort_by_key(|line| hash(line.len() as u64 + line.bytes().map(u64::from).sum::<u64>()));
    assert!(is_sequential(&shuffled, "key"), "ids in the order of time, shuffled in the file");
    assert!(!is_sequential(&shuffled, "key.reverse()"));
}

#[test]
fn a_good_design_gets_none() {
    let calls = calls();
    for (rowkey, splits) in [
        (
            "bucket(phone, 16).decimal(2) + '_' + phone + '_' + at.format('yyyyMMddHHmmss') + id.decimal(10)",
            json!({ "salts": 16, "digits": 2 }),
        ),
        (
            "note.md5().hex(8) + note + at.millis().reverseLong().int64()",
            json!({ "algorithm": "HexStringSplit", "regions": 16 }),
        ),
        ("note.md5().raw() + id.int64()", json!({ "algorithm": "UniformSplit", "regions": 16 })),
        (
            "id.decimal(10).reverse() + at.millis().reverseLong().decimal(19)",
            json!({ "algorithm": "DecimalStringSplit", "regions": 8 }),
        ),
    ] {
        let all = found(&document(rowkey, &splits), &calls);
        let faults: Vec<&Finding> =
            all.iter().filter(|finding| finding.severity > FindingSeverity::Note).collect();
        assert!(faults.is_empty(), "{rowkey}: {faults:?}");
    }
}

#[test]
fn the_design_alone_shows_what_no_record_is_needed_for() {
    let hex = json!({ "algorithm": "HexStringSplit", "regions": 16 });
    assert!(found_alone(&document("phone.md5().HEX()", &hex)).contains(&"RS103"));
    assert!(found_alone(&document("at.format('yyyyMMddHHmmss') + phone", &hex)).contains(&"RS101"));
    assert!(found_alone(&document("phone.javaHash().mod(8).decimal() + phone", &hex)).contains(&"RS106"));
    assert!(found_alone(&document("phone + note", &json!({ "points": [] }))).contains(&"RS204"));
    assert!(found_alone(&document("phone.md5().hex()", &hex)).iter().all(|code| *code == "RS303"));
}

/// Codes of the findings of a formula and a query.
fn found_of_query(rowkey: &str, query: &Value) -> Vec<&'static str> {
    let mut document = document(rowkey, &json!({ "points": [] }));
    document["queries"] = json!([query]);
    codes(&found(&document, &calls()))
}

#[test]
fn queries_are_held_against_the_key() {
    let phone = "13401656685";
    let day = json!({ "name": "q", "where": { "phone": phone, "at": { "from": "2024-05-01 00:00:00", "to": "2024-05-02 00:00:00" } } });
    let key = "phone + '_' + at.format('yyyyMMddHHmmss') + id.decimal(10)";
    for code in ["RS501", "RS502", "RS503", "RS504", "RS505"] {
        assert!(!found_of_query(key, &day).contains(&code), "{code}");
    }
    assert!(
        found_of_query(
            "phone.md5().hex()",
            &json!({ "name": "q", "where": { "at": { "from": "2024-05-01 00:00:00" } } })
        )
        .contains(&"RS501")
    );
    let two_hours = json!({ "name": "q", "where": { "phone": phone, "at": { "from": "2024-05-01 00:00:00", "to": "2024-05-01 02:00:00" } } });
    assert!(
        found_of_query("at.format('yyyyMMddHHmmss') + phone + id.decimal(10)", &two_hours).contains(&"RS502")
    );
    let salted = "bucket(id.decimal(10), 64).decimal(2) + phone + at.format('yyyyMMddHHmmss')";
    assert!(found_of_query(salted, &day).contains(&"RS503"));
    assert!(
        !found_of_query("bucket(phone, 64).decimal(2) + phone + at.format('yyyyMMddHHmmss')", &day)
            .contains(&"RS503")
    );
    assert!(found_of_query("salt(4).decimal(1) + phone + id.decimal(10)", &day).contains(&"RS504"));
    let newest = json!({ "name": "q", "where": { "phone": phone }, "order": { "field": "at", "direction": "descending" } });
    assert!(
        found_of_query("phone + at.format('yyyyMMddHHmmss') + id.decimal(10)", &newest).contains(&"RS505")
    );
    assert!(
        !found_of_query("phone + at.millis().reverseLong().decimal(19) + id.decimal(10)", &newest)
            .contains(&"RS505")
    );
}

#[test]
fn scans_as_written_are_held_against_the_formula() {
    let query = |scan: [&str; 2]| json!({ "name": "q", "where": { "engine": "E7-60" }, "scan": scan });
    let key = "engine.text(8) + id.int64()";
    assert!(found_of_query(key, &query(["E7-60_", "E7-60_~"])).contains(&"RS506"));
    assert!(found_of_query(key, &query(["E7-60", ""])).contains(&"RS507"));
    let right = found_of_query(key, &query(["E7-60\\x00\\x00\\x00", "E7-60\\x00\\x00\\x01"]));
    assert!(!right.contains(&"RS506") && !right.contains(&"RS507"), "{right:?}");
}

#[test]
fn names_families_and_versions_of_a_table_are_looked_at() {
    let table = |families: Value| {
        let mut document = document("note + id.decimal(10)", &json!({ "points": [] }));
        document["table"] = json!({ "name": "t", "families": families });
        codes(&found(&document, &calls()))
    };
    let family = |name: &str, versions: u32, qualifier: &str| json!({ "name": name, "versions": versions, "cells": [{ "qualifier": qualifier, "bytes": 8 }] });
    assert!(table(json!([family("attributes", 1, "myVeryImportantAttribute")])).contains(&"RS402"));
    assert!(table(json!([family("d", 500, "v")])).contains(&"RS602"));
    assert!(
        table(json!([family("a", 1, "v"), family("b", 1, "v"), family("c", 1, "v"), family("d", 1, "v")]))
            .contains(&"RS601")
    );
    assert_eq!(table(json!([family("d", 1, "via")])), Vec::<&str>::new());
}

#[test]
fn rules_about_queries_and_tables_are_triggered_and_mended() {
    let calls = calls();
    for (code, guilty, innocent) in wholes() {
        let all = found(&guilty, &calls);
        assert!(codes(&all).contains(&code), "{code} is not found in {guilty}: {:?}", codes(&all));
        let sentences = all.iter().flat_map(|finding| [&finding.message, &finding.why, &finding.remedy]);
        sentences.for_each(|sentence| assert!(!sentence.contains('{'), "{sentence}"));
        let twin = found(&innocent, &calls);
        assert!(!codes(&twin).contains(&code), "{code} is found in {innocent}: {twin:?}");
        // A time range belongs to the scan, and no document has one; each kind has its own key. Sub-rows have tests of their own.
        assert!(["RS511", "RS113", "RS305"].contains(&code) || mended(&guilty, &calls, code), "{code}");
    }
}

#[test]
fn an_hour_that_comes_twice_is_told_from_records_in_any_order() {
    let hours = ["00:10", "00:50", "01:20", "01:40", "01:05", "01:30", "02:00", "03:00"];
    let log = |hours: &[&str]| {
        let lines: Vec<String> = hours
            .iter()
            .map(|hour| format!("1340000000{},2024-10-27 {hour}:00,1,1,1,E,info,u,n,w", hours.len()))
            .collect();
        format!("phone,at,millis,id,balance,engine,level,busy,note,wordy\n{}\n", lines.join("\n"))
    };
    let document = document("phone + at.format('yyyyMMddHHmmss')", &json!({ "points": [] }));
    assert!(codes(&found(&document, &log(&hours))).contains(&"RS203"));
    let mut mixed = hours;
    mixed.reverse();
    assert!(!codes(&found(&document, &log(&mixed))).contains(&"RS203"));
}

#[test]
fn every_rule_is_tried_here() {
    let text = concat!(
        include_str!("findings.rs"),
        include_str!("findings/designs.rs"),
        include_str!("judgement.rs")
    );
    for rule in RULES {
        assert!(text.contains(&format!("\"{}\"", rule.code)), "{}", rule.code);
    }
}
