//! Each rule has a design that triggers it, and an innocent twin that does not; what a fix edits, it mends.

use rowscape::analysis::Analysis;
use rowscape::design::{Study, parse};
use rowscape::encode::Encoder;
use rowscape::findings::{Asked, Finding, Fix, RULES, Review, Severity, findings};
use rowscape::ingest::{Input, Reader};
use rowscape::key_table::KeyTable;
use rowscape::records::Records;
use rowscape::scan::Kind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// 2,000 calls: an 11-digit phone of 300, a rising time of whole seconds, a rising id, a signed balance, an engine type
/// that holds a hyphen, a level of three values, one text of its own each, one in a hundred a long text.
fn calls() -> String {
    let mut state = 7u64;
    let mut random = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut text = String::from("phone,at,millis,id,balance,engine,level,busy,note,wordy\n");
    for row in 0..2_000u64 {
        let phone = 13_400_000_000 + random(300) * 331_337;
        let (minute, second) = (row / 60 % 60, row % 60);
        let at = format!("2024-05-01 {:02}:{minute:02}:{second:02}", row / 3600);
        let busy = if row % 10 < 6 { 0 } else { random(400) };
        let level = ["debug", "info", "warn"][random(3) as usize];
        text += &format!(
            "{phone},{at},{},{},{},E{}-60,{level},u{busy:03},n{},{}\n",
            1_700_000_000_000 + row * 100,
            1_000_000 + row,
            random(2_000) as i64 - 1_000,
            random(50),
            random(1 << 40),
            "w".repeat(if row % 100 == 0 { 400 } else { 9 }),
        );
    }
    text
}

fn document(rowkey: &str, splits: &Value) -> Value {
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "phone", "type": "text" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "millis", "type": "integer" },
            { "name": "id", "type": "integer" },
            { "name": "balance", "type": "integer" },
            { "name": "engine", "type": "text" },
            { "name": "level", "type": "text" },
            { "name": "busy", "type": "text" },
            { "name": "note", "type": "text" },
            { "name": "wordy", "type": "text" },
        ],
        "arrival": "at", "rowkey": rowkey, "splits": splits,
    })
}

fn study(document: &Value) -> Study {
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{document}: {problems:?}"))
}

fn records(text: &str, study: &Study) -> Records {
    let input: Input = serde_json::from_value(json!({ "fields": study.fields })).expect("input");
    let mut reader = Reader::new(&input).expect("reader");
    reader.push(text.as_bytes());
    reader.finish();
    reader.into_records()
}

/// What is found of a document on records.
fn found(document: &Value, text: &str) -> Vec<Finding> {
    let study = study(document);
    let records = Rc::new(records(text, &study));
    let design = study.tables[0].clone();
    let analysis = Analysis::new(
        records.clone(),
        study.fields.clone(),
        design.typed.clone(),
        &design.splits,
        study.arrival.clone(),
    );
    let mut analysis = analysis.expect("analysis");
    analysis.findings(&study, 0).expect("findings")
}

/// What is found of a document without records.
fn found_alone(document: &Value) -> Vec<&'static str> {
    let study = study(document);
    let design = &study.tables[0];
    let points = design.splits.points().expect("points");
    let asked = Asked::all(&study, design, None);
    codes(&findings(&Review { study: &study, design, points: &points, evidence: None, asked }))
}

fn codes(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.code).collect()
}

/// A formula and splits.
type Parts = (&'static str, Value);

/// A rule, a design that triggers it, and its nearest innocent twin.
fn pairs() -> Vec<(&'static str, Parts, Parts)> {
    let decimal = json!({ "algorithm": "DecimalStringSplit", "regions": 8 });
    let hex = json!({ "algorithm": "HexStringSplit", "regions": 16 });
    let sample = json!({ "sample": 8 });
    let salts = json!({ "salts": 8, "digits": 2 });
    let one = json!({ "points": [] });
    vec![
        (
            "RS101",
            ("at.format('yyyyMMddHHmmss') + phone", sample.clone()),
            ("phone.reverse() + at.format('yyyyMMddHHmmss')", sample.clone()),
        ),
        ("RS101", ("id.decimal(10)", sample.clone()), ("id.decimal(10).reverse()", sample.clone())),
        (
            "RS102",
            ("busy + '-' + at.format('yyyyMMddHHmmss')", sample.clone()),
            ("phone + '-' + at.format('yyyyMMddHHmmss')", sample.clone()),
        ),
        (
            "RS103",
            ("phone.md5().HEX(16) + id.decimal(10)", hex.clone()),
            ("phone.md5().hex(16) + id.decimal(10)", hex.clone()),
        ),
        (
            "RS103",
            ("phone.reverse() + id.decimal(10)", hex.clone()),
            ("phone.reverse() + id.decimal(10)", decimal.clone()),
        ),
        (
            "RS103",
            ("bucket(phone, 4).decimal(2) + phone + id.decimal(10)", json!({ "salts": 16, "digits": 2 })),
            ("bucket(phone, 16).decimal(2) + phone + id.decimal(10)", json!({ "salts": 16, "digits": 2 })),
        ),
        (
            "RS103",
            ("phone.reverse() + id.decimal(10)", json!({ "algorithm": "UniformSplit", "regions": 16 })),
            ("phone.md5().raw() + id.decimal(10)", json!({ "algorithm": "UniformSplit", "regions": 16 })),
        ),
        (
            "RS103",
            ("phone + id.decimal(10)", json!({ "points": ["a", "b", "c", "d"] })),
            ("phone + id.decimal(10)", json!({ "sample": 5 })),
        ),
        (
            "RS104",
            ("phone.md5().hex() + id.decimal(10)", json!({ "points": ["1", "2", "3", "4", "5", "6"] })),
            ("phone.md5().hex() + id.decimal(10)", hex.clone()),
        ),
        (
            "RS105",
            ("millis.floorMod(100).decimal(2) + phone + id.decimal(10)", salts.clone()),
            ("millis.decimal().javaHash().floorMod(8).decimal(2) + phone + id.decimal(10)", salts.clone()),
        ),
        (
            "RS106",
            ("phone.javaHash().mod(8).decimal() + phone + id.decimal(10)", one.clone()),
            ("phone.javaHash().floorMod(8).decimal() + phone + id.decimal(10)", one.clone()),
        ),
        (
            "RS107",
            ("level.md5().hex(4) + phone + id.decimal(10)", hex.clone()),
            ("phone.md5().hex(4) + phone + id.decimal(10)", hex.clone()),
        ),
        (
            "RS108",
            ("bucket(phone, 1000).decimal(3) + phone + id.decimal(10)", one.clone()),
            ("bucket(phone, 16).decimal(2) + phone + id.decimal(10)", one.clone()),
        ),
        (
            "RS109",
            ("level.pad(5, '_') + busy + '-' + at.format('yyyyMMddHHmmss')", json!({ "sample": 12 })),
            ("level.pad(5, '_') + phone + '-' + at.format('yyyyMMddHHmmss')", json!({ "sample": 12 })),
        ),
        (
            "RS110",
            ("bucket(level, 16).decimal(2) + phone + id.decimal(10)", one.clone()),
            ("bucket(phone, 16).decimal(2) + phone + id.decimal(10)", one.clone()),
        ),
        ("RS201", ("phone + balance.int64()", one.clone()), ("phone + id.int64()", one.clone())),
        ("RS202", ("phone + '-' + millis.mod(977)", one.clone()), ("phone + '-' + id", one.clone())),
        ("RS204", ("engine + '-' + note", one.clone()), ("engine + '_' + note", one.clone())),
        ("RS301", ("phone", one.clone()), ("phone + id.decimal(10)", one.clone())),
        ("RS302", ("id.decimal(10).md5().hex(5)", hex.clone()), ("id.decimal(10).md5().hex()", hex.clone())),
        ("RS303", ("note.md5().hex()", hex.clone()), ("note.md5().hex(8) + note", hex.clone())),
        (
            "RS401",
            ("note.sha256().hex() + phone + note.sha256().hex()", hex.clone()),
            ("note.md5().hex() + phone", hex.clone()),
        ),
        ("RS403", ("note.pad(20, '0') + wordy", one.clone()), ("note.pad(20, '0') + engine", one.clone())),
        ("RS701", ("phone + id.decimal(10)", one.clone()), ("note + id.decimal(10)", one.clone())),
        (
            "RS702",
            ("phone.md5().hex() + id.decimal(10)", hex.clone()),
            ("note.md5().hex() + id.decimal(10)", hex),
        ),
    ]
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
                    !sentence.contains('{') && !sentence.starts_with("finding."),
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
fn edited(document: &Value, fix: &Fix) -> Value {
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
    document
}

/// What each query takes: ranges, or 0 when it reads the whole table, and rows read.
fn effort(document: &Value, text: &str) -> Vec<(String, usize, u64)> {
    let study = study(document);
    let records = records(text, &study);
    let design = &study.tables[0];
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(&records, &names, &[&design.typed]).encode().swap_remove(0);
    let table = KeyTable::new(keys, 0);
    let asked = Asked::all(&study, design, Some((&table, &records)));
    let of = |asked: &Asked| {
        let name = study.queries[asked.query].name.clone();
        let scans = if asked.plan.kind == Kind::FullScan { usize::MAX } else { asked.plan.ranges.len() };
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
    for (old, new) in effort(before, text).into_iter().zip(effort(&after, text)) {
        let said = fix.costs.iter().any(|cost| cost.args["query"] == new.0);
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
    // Nothing in a design hides who someone is.
    assert_eq!(none, BTreeSet::from(["RS701", "RS702"]));
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
        let faults: Vec<&Finding> = all.iter().filter(|finding| finding.severity > Severity::Note).collect();
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

/// What is found of a formula and a query, by code.
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

/// The document with other members.
fn with(mut document: Value, members: Value) -> Value {
    for (name, value) in members.as_object().expect("members") {
        document[name] = value.clone();
    }
    document
}

/// A rule about more than key and splits: a document that triggers it, its innocent twin, and whether an edit mends it.
fn wholes() -> Vec<(&'static str, Value, Value, bool)> {
    let day = 86_400;
    let lives = |days: u32| json!({ "families": [{ "name": "d", "ttl": days * day, "cells": [{ "qualifier": "v", "bytes": 8 }] }] });
    let sample = |regions: u32| json!({ "sample": regions });
    let looped = || document("at.format('MM-dd') + '_' + note", &sample(4));
    let hashed = |regions: u32| document("note.md5().hex(8) + note", &sample(regions));
    let ask = |conditions: Value| json!({ "queries": [{ "name": "q", "where": conditions }] });
    let salted = || document("bucket(id.decimal(10), 16).decimal(2) + phone + id.decimal(10)", &sample(16));
    let take = |deletes: bool| json!({ "queries": [{ "name": "q", "where": { "level": "info" }, "limit": 10, "rate": 5.0, "deletes": deletes }] });
    let growth = |gigabytes: u64| json!({ "growth": { "bytesPerDay": (gigabytes << 30) + 1, "months": 12 }, "servers": 4 });
    let two = |few: u32, many: u32| {
        let family = |name: &str, days: u32| json!({ "name": name, "ttl": days * day, "cells": [{ "qualifier": "v", "bytes": 8 }] });
        json!({ "table": { "families": [family("a", few), family("b", many)] } })
    };
    let names = |family: &str, qualifier: &str| json!({ "table": { "families": [{ "name": family, "cells": [{ "qualifier": qualifier, "bytes": 8 }] }] } });
    let versions = |versions: u32| json!({ "table": { "families": [{ "name": "d", "versions": versions, "cells": [{ "qualifier": "v", "bytes": 8 }] }] } });
    let families = |count: usize| {
        let family = |index: usize| json!({ "name": format!("f{index}"), "cells": [{ "qualifier": format!("v{index}"), "bytes": 8 }] });
        json!({ "table": { "families": (0..count).map(family).collect::<Vec<_>>() } })
    };
    let phone = "13401656685";
    let newest = json!({ "queries": [{ "name": "q", "where": { "phone": phone }, "order": { "field": "at", "direction": "descending" } }] });
    let scanned = |start: &str, stop: &str| json!({ "queries": [{ "name": "q", "where": { "engine": "E7-60" }, "scan": [start, stop] }] });
    let engines = || document("engine.text(8) + id.int64()", &sample(1));
    let right = || with(engines(), scanned("E7-60\\x00\\x00\\x00", "E7-60\\x00\\x00\\x01"));
    vec![
        (
            "RS402",
            with(hashed(4), names("attributes", "myVeryImportantAttribute")),
            with(hashed(4), names("d", "via")),
            true,
        ),
        (
            "RS501",
            with(document("note + phone", &sample(1)), ask(json!({ "phone": phone }))),
            with(document("phone + note", &sample(1)), ask(json!({ "phone": phone }))),
            true,
        ),
        (
            "RS502",
            with(
                document("at.format('yyyyMMddHHmmss') + phone + id.decimal(10)", &sample(1)),
                ask(
                    json!({ "phone": phone, "at": { "from": "2024-05-01 00:00:00", "to": "2024-05-01 02:00:00" } }),
                ),
            ),
            with(
                document("phone + at.format('yyyyMMddHHmmss') + id.decimal(10)", &sample(1)),
                ask(
                    json!({ "phone": phone, "at": { "from": "2024-05-01 00:00:00", "to": "2024-05-01 02:00:00" } }),
                ),
            ),
            true,
        ),
        (
            "RS503",
            with(
                document("bucket(id.decimal(10), 64).decimal(2) + phone + at.millis()", &sample(4)),
                ask(json!({ "phone": phone })),
            ),
            with(
                document("bucket(phone, 64).decimal(2) + phone + at.millis()", &sample(4)),
                ask(json!({ "phone": phone })),
            ),
            true,
        ),
        (
            "RS504",
            with(
                document("salt(4).decimal(1) + phone + id.decimal(10)", &sample(4)),
                ask(json!({ "phone": phone })),
            ),
            with(
                document("bucket(phone, 4).decimal(1) + phone + id.decimal(10)", &sample(4)),
                ask(json!({ "phone": phone })),
            ),
            true,
        ),
        (
            "RS505",
            with(document("phone + at.format('yyyyMMddHHmmss')", &sample(1)), newest.clone()),
            with(document("phone + at.millis().reverseLong().decimal(19)", &sample(1)), newest),
            true,
        ),
        ("RS506", with(engines(), scanned("E7-60_", "E7-60_~")), right(), true),
        ("RS507", with(engines(), scanned("E7-60", "")), right(), true),
        (
            "RS508",
            with(salted(), ask(json!({ "phone": phone }))),
            with(
                document("bucket(phone, 16).decimal(2) + phone + id.decimal(10)", &sample(16)),
                ask(json!({ "phone": phone })),
            ),
            true,
        ),
        (
            "RS509",
            with(document("level + at.format('yyyyMMddHHmmss') + id", &sample(1)), take(true)),
            with(document("level + at.format('yyyyMMddHHmmss') + id", &sample(1)), take(false)),
            false,
        ),
        ("RS601", with(hashed(4), families(4)), with(hashed(4), families(3)), true),
        ("RS602", with(hashed(4), versions(500)), with(hashed(4), versions(5)), true),
        (
            "RS603",
            with(looped(), json!({ "table": lives(345) })),
            with(looped(), json!({ "table": lives(344) })),
            true,
        ),
        ("RS604", with(hashed(4), json!({ "servers": 6 })), with(hashed(16), json!({ "servers": 6 })), true),
        ("RS605", with(hashed(4), growth(2)), with(hashed(90), growth(2)), true),
        ("RS605", with(hashed(400), growth(0)), with(hashed(16), growth(0)), true),
        ("RS606", with(hashed(4), two(7, 360)), with(hashed(4), two(90, 360)), false),
    ]
}

#[test]
fn rules_about_queries_and_tables_are_triggered_and_mended() {
    let calls = calls();
    for (code, guilty, innocent, mends) in wholes() {
        let all = found(&guilty, &calls);
        assert!(codes(&all).contains(&code), "{code} is not found in {guilty}: {:?}", codes(&all));
        let sentences = all.iter().flat_map(|finding| [&finding.message, &finding.why, &finding.remedy]);
        sentences.for_each(|sentence| assert!(!sentence.contains('{'), "{sentence}"));
        let twin = found(&innocent, &calls);
        assert!(!codes(&twin).contains(&code), "{code} is found in {innocent}: {twin:?}");
        assert_eq!(mended(&guilty, &calls, code), mends, "{code}");
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
    let text = include_str!("findings.rs");
    for rule in RULES {
        assert!(text.contains(&format!("\"{}\"", rule.code)), "{}", rule.code);
    }
}
