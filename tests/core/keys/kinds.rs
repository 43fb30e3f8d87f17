//! Tables with several kinds of records: keys, rows, cells, plans and readings of keys beside the plain way.

use crate::common::csv_records;
use proptest::prelude::*;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::decode::decode;
use rowscape::design::{Document, normal_form, parse};
use rowscape::findings::Finding;
use rowscape::keys::encode::Encoder;
use rowscape::keys::figures::KeyFigures;
use rowscape::scan;
use rowscape::storage::table::{KeyLengths, storage};
use rowscape::stream::Stream;
use rowscape::summary::Summary;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Users, the moments of each, and a log whose rows begin with a letter that no number does.
fn document() -> Value {
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "type", "type": "text" },
            { "name": "user", "type": "integer" },
            { "name": "name", "type": "text" },
            { "name": "at", "type": "time", "format": "epoch-millis" }
        ],
        "arrival": "at",
        "let": { "of_user": "user.uint16()" },
        "kinds": {
            "log": {
                "when": { "field": "type", "is": ["info", "warning"] },
                "fields": ["at", "name"],
                "rowkey": "'zz' + at.millis().int64()",
                "cells": [{ "family": "d", "qualifier": { "formula": "type" }, "value": { "formula": "name" } }]
            },
            "moment": {
                "when": { "field": "type", "is": ["moment"] },
                "fields": ["user", "at"],
                "rowkey": "of_user + 'm' + at.millis().int64()",
                "cells": [
                    { "family": "d", "qualifier": "v", "bytes": 3 },
                    { "family": "e", "qualifier": "w", "bytes": 1 }
                ]
            },
            "user": {
                "when": { "field": "type", "is": ["user"] },
                "fields": ["user", "name"],
                "rowkey": "of_user + 'u'",
                "cells": [{ "family": "d", "qualifier": "name", "value": { "formula": "name" } }]
            }
        },
        "table": { "families": [{ "name": "d" }, { "name": "e" }] }
    })
}

fn study() -> Document {
    parse(&document().to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// A record as a file has it.
#[derive(Clone, Debug)]
struct Line {
    kind: &'static str,
    user: Option<i64>,
    name: String,
    at: i64,
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let kind = prop::sample::select(vec!["info", "warning", "moment", "user", "other", ""]);
    let user = prop_oneof![5 => (0i64..5).prop_map(Some), 1 => Just(None), 1 => Just(Some(70_000))];
    let line = (kind, user, "[a-c]{0,2}", 0i64..30);
    let line = line.prop_map(|(kind, user, name, at)| Line { kind, user, name, at });
    prop::collection::vec(line, 1..120)
}

fn csv(lines: &[Line]) -> String {
    let line = |Line { kind, user, name, at }: &Line| {
        format!("{kind},{},{name},{at}\n", user.map(|user| user.to_string()).unwrap_or_default())
    };
    std::iter::once("type,user,name,at\n".to_owned()).chain(lines.iter().map(line)).collect()
}

/// A row key with its cells, each by family, qualifier and, of three, value.
type RowOf<const N: usize> = (Vec<u8>, Vec<[Vec<u8>; N]>);

/// The key of a record, and its cells: family, qualifier and value.
fn plain(Line { kind, user, name, at }: &Line) -> Option<RowOf<3>> {
    let user = || u16::try_from((*user)?).ok().map(u16::to_be_bytes);
    let cell =
        |family: &[u8], qualifier: &[u8], value: &[u8]| [family.to_vec(), qualifier.to_vec(), value.to_vec()];
    match *kind {
        "info" | "warning" => Some((
            [b"zz".as_slice(), &at.to_be_bytes()].concat(),
            vec![cell(b"d", kind.as_bytes(), name.as_bytes())],
        )),
        "moment" => Some((
            [user()?.as_slice(), b"m", &at.to_be_bytes()].concat(),
            vec![cell(b"d", b"v", &[0; 3]), cell(b"e", b"w", &[0])],
        )),
        "user" => Some(([user()?.as_slice(), b"u"].concat(), vec![cell(b"d", b"name", name.as_bytes())])),
        _ => None,
    }
}

fn held(csv: &str) -> (Analysis, KeyFigures) {
    let study = study();
    let records = Rc::new(csv_records(&study.fields, csv));
    let mut analysis = Analysis::of(&study, 0, records).expect("analysis");
    let keys = analysis.report(&ReportOptions::default()).expect("report").keys;
    (analysis, keys)
}

#[test]
fn kinds_are_written_as_they_were_read() {
    let study = study();
    let design = &study.tables[0];
    let names: Vec<&str> = design.kinds.iter().map(|kind| kind.typed.name.as_str()).collect();
    assert_eq!(names, ["log", "moment", "user"]);
    let normal = normal_form(&study);
    let again = parse(&normal.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assert_eq!(normal_form(&again), normal);
    assert_eq!(normal["tables"][0]["kinds"]["moment"]["cells"][1]["family"], json!("e"));
    assert_eq!(normal["tables"][0]["families"][0]["cells"], json!([]));
    let moment = study.of_kind(0, 1).expect("kind");
    let normal = normal_form(&moment);
    assert_eq!(normal["tables"][0]["rowkey"], json!("of_user + 'm' + at.millis().int64()"));
    assert_eq!(normal["tables"][0]["families"][1]["cells"], json!([{ "qualifier": "w", "bytes": 1 }]));
    assert!(parse(&normal.to_string()).is_ok());
}

#[test]
fn what_is_wrong_with_a_kind_is_told_at_its_place() {
    let with = |pointer: &str, value: Value| {
        let mut document = document();
        match document.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => {
                let (parent, name) = pointer.rsplit_once('/').expect("pointer");
                document.pointer_mut(parent).expect("parent")[name] = value;
            }
        }
        parse(&document.to_string())
            .err()
            .expect("refused")
            .first()
            .map(|first| (first.code, first.place.path.clone()))
    };
    let told = |code: &'static str, path: &str| Some((code, path.to_owned()));
    assert_eq!(with("/kinds", json!({})), told("design.no-kinds", "kinds"));
    assert_eq!(with("/rowkey", json!("user.int64()")), told("design.rowkey-and-kinds", "rowkey"));
    assert_eq!(
        with("/kinds/user/when/is", json!([])),
        told("design.kind-without-values", "kinds.user.when.is")
    );
    assert_eq!(
        with("/kinds/user/when/is", json!(["moment"])),
        told("design.kind-told-twice", "kinds.user.when.is")
    );
    assert_eq!(with("/kinds/user/when/is", json!([7])), told("json.wrong-type", "kinds.user.when.is[0]"));
    assert_eq!(
        with("/kinds/user/when/field", json!("at")),
        told("design.kind-field", "kinds.user.when.field")
    );
    assert_eq!(
        with("/kinds/user/when/field", json!("x")),
        told("formula.unknown-field", "kinds.user.when.field")
    );
    assert_eq!(
        with("/kinds/user/rowkey", json!("user +")),
        told("formula.ends-too-early", "kinds.user.rowkey")
    );
    assert_eq!(
        with("/kinds/user/fields", json!(["name"])),
        told("design.kind-lacks-field", "kinds.user.fields")
    );
    assert_eq!(
        with("/kinds/user/cells/0/family", json!("x")),
        told("design.no-such-family", "kinds.user.cells[0].family")
    );
    assert_eq!(
        with("/kinds/user/cells/0/value/formula", json!("nme")).map(|(_, path)| path).as_deref(),
        Some("kinds.user.cells[0].value.formula")
    );
}

proptest! {
    #[test]
    fn records_of_each_kind_write_their_own_rows_and_cells(lines in lines(), portion in 1usize..50) {
        let text = csv(&lines);
        let (_, keys) = held(&text);
        let mut rows: BTreeMap<Vec<u8>, BTreeSet<[Vec<u8>; 2]>> = BTreeMap::new();
        let mut written: BTreeMap<RowOf<2>, u64> = BTreeMap::new();
        let mut last: BTreeMap<(Vec<u8>, [Vec<u8>; 2]), usize> = BTreeMap::new();
        let mut refused = 0;
        for line in &lines {
            let Some((key, cells)) = plain(line) else { refused += 1; continue };
            let named: Vec<[Vec<u8>; 2]> =
                cells.iter().map(|[family, qualifier, _]| [family.clone(), qualifier.clone()]).collect();
            rows.entry(key.clone()).or_default().extend(named.iter().cloned());
            *written.entry((key.clone(), named)).or_default() += 1;
            cells.into_iter().for_each(|[family, qualifier, value]| {
                last.insert((key.clone(), [family, qualifier]), value.len());
            });
        }
        let all = lines.len() as u64 - refused;
        prop_assert_eq!(keys.count, all);
        let figures = keys.cells.clone().expect("cells");
        prop_assert_eq!(figures.rows, rows.len() as u64);
        prop_assert_eq!(figures.columns.iter().map(|column| column.cells).sum::<u64>(), rows.values().map(|cells| cells.len() as u64).sum::<u64>());
        prop_assert!(figures.columns.iter().all(|column| column.missing == 0));
        let repeated = || written.values().filter(|records| **records > 1);
        prop_assert_eq!(keys.duplicates.keys, repeated().count());
        prop_assert_eq!(keys.duplicates.rows as u64, repeated().sum::<u64>());

        let mut streams = [Stream::new(study(), 0).expect("stream"), Stream::new(study(), 0).expect("stream")];
        for (number, lines) in lines.chunks(portion).enumerate() {
            streams[number % 2].add(csv_records(&study().fields, csv(lines))).expect("counted");
        }
        let [mut stream, mut other] = streams;
        let read = Summary::from_bytes(&other.summary().expect("summary").to_bytes()).expect("read");
        stream.merge(read).expect("merged");
        let passed = stream.report().expect("report").keys;
        prop_assert_eq!(&passed.cells, &keys.cells);
        prop_assert_eq!((passed.duplicates.keys, passed.duplicates.rows), (keys.duplicates.keys, keys.duplicates.rows));

        // Every cell is 20 bytes and its row key, family, qualifier and value.
        let study = study();
        let stored = storage(&study.tables[0], &KeyLengths::from(&keys), all);
        prop_assert_eq!(stored.cells, last.len() as u64);
        if repeated().count() == 0 && all > 0 {
            let bytes = last.iter().map(|((key, [family, qualifier]), value)| {
                (20 + key.len() + family.len() + qualifier.len() + value) as u64
            });
            prop_assert_eq!(stored.total, bytes.sum::<u64>());
        }
    }

    #[test]
    fn plans_hold_every_row_that_matches(
        lines in lines(),
        user in prop::option::of(0i64..5),
        kind in prop::option::of(prop::sample::select(vec!["moment", "user", "info", "other"])),
        from in prop::option::of(0i64..30),
    ) {
        let study = study();
        let mut conditions = json!({});
        user.iter().for_each(|user| conditions["user"] = json!(user));
        kind.iter().for_each(|kind| conditions["type"] = json!(kind));
        from.iter().for_each(|from| conditions["at"] = json!({ "from": from, "to": from + 9 }));
        let query = rowscape::design::read_query(&json!({ "where": conditions }).to_string(), &study.fields).expect("query");
        let domains = scan::read(&query, &study.fields, "").expect("domains");
        let plan = scan::plan(&study.tables[0].typed, &study.fields, &query, &domains);
        prop_assert!(plan.ranges.windows(2).all(|pair| pair[0].stop < pair[1].start));
        for line in &lines {
            let Some((key, _)) = plain(line) else { continue };
            let has = |field: &str| match line.kind {
                "info" | "warning" => field != "user",
                "moment" => field != "name",
                _ => field != "at",
            };
            let matches = user.is_none_or(|user| has("user") && line.user == Some(user))
                && kind.is_none_or(|kind| line.kind == kind)
                && from.is_none_or(|from| has("at") && (from..from + 9).contains(&line.at));
            let covered = plan.ranges.iter().any(|range| range.contains(&key));
            prop_assert!(!matches || covered, "{conditions} {line:?} {plan:?}");
            prop_assert!(!plan.exact || matches || !covered, "{conditions} {line:?} {plan:?}");
        }
    }

    #[test]
    fn keys_are_read_back_by_their_kind(lines in lines()) {
        let study = study();
        for line in &lines {
            let Some((key, _)) = plain(line) else { continue };
            let decoded = decode(&study.tables[0].typed, &study.fields, &key).expect("decoded");
            let kind = match line.kind { "info" | "warning" => "log", kind => kind };
            prop_assert_eq!(decoded.kind.as_deref(), Some(kind));
            let value = |name: &str| decoded.fields.iter().find(|field| field.name == name).and_then(|field| field.value.clone());
            prop_assert_eq!(value("type"), (kind != "log").then(|| kind.to_owned()));
            prop_assert_eq!(value("user"), line.user.filter(|_| kind != "log").map(|user| user.to_string()));
            prop_assert_eq!(value("at"), (kind != "user").then(|| line.at.to_string()));
        }
    }
}

#[test]
fn records_of_no_kind_are_refused_by_name() {
    let study = study();
    let records =
        csv_records(&study.fields, "type,user,name,at\nuser,1,a,0\nother,1,a,0\nmoment,x,a,5\ninfo,x,a,5\n");
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(&records, &names, &[&study.tables[0].typed]).encode().pop().expect("keys");
    let first: Vec<(u32, Option<usize>, &str)> =
        keys.refused.first.iter().map(|row| (row.row, row.column, row.code)).collect();
    // The log does not read the user that is none.
    assert_eq!(first, [(1, Some(0), "row.no-kind"), (2, Some(1), "row.value-unusable")]);
}

/// The finding that kinds share keys, of a document on records.
fn meeting(document: &Value, lines: &str) -> (Vec<Finding>, Option<Finding>) {
    let study = parse(&document.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let records = Rc::new(csv_records(&study.fields, format!("type,user,name,at\n{lines}")));
    let mut analysis = Analysis::of(&study, 0, records).expect("analysis");
    let found = analysis.findings(&study, 0).expect("findings");
    let meet = found.iter().find(|finding| finding.name == "kinds-meet").cloned();
    (found, meet)
}

/// A user whose name is that of a moment, and the document where their keys are the same.
fn sharing() -> (Value, String) {
    let mut document = document();
    document["kinds"]["user"]["rowkey"] = json!("of_user + name");
    document["kinds"]["user"]["fields"] = json!(["user", "name"]);
    (document, "user,1,m\0\0\0\0\0\0\0\u{5},0\nmoment,1,,5\nuser,2,a,0\n".to_owned())
}

/// The row keys of kinds in a fix.
fn rowkeys(finding: &Finding) -> Vec<(String, String)> {
    let fix = finding.fix.as_ref().expect("fix");
    assert!(fix.measured.is_some());
    let kinds = fix.tables.as_ref().expect("tables")[0]["kinds"].as_object().expect("kinds");
    let rowkey = |(name, kind): (&String, &Value)| {
        (name.clone(), kind["rowkey"].as_str().unwrap_or_default().to_owned())
    };
    kinds.iter().map(rowkey).collect()
}

#[test]
fn a_mark_behind_what_kinds_have_in_common_keeps_their_keys_apart() {
    let (mut document, lines) = sharing();
    let (_, meet) = meeting(&document, &lines);
    let meet = meet.expect("found");
    let own = |pairs: [(&str, &str); 3]| pairs.map(|(kind, key)| (kind.to_owned(), key.to_owned()));
    let behind = own([
        ("log", "'zz' + at.millis().int64()"),
        ("moment", "of_user + 'm' + at.millis().int64()"),
        ("user", "of_user + 'u' + name"),
    ]);
    assert_eq!(rowkeys(&meet), behind);
    let members = document.as_object_mut().expect("object");
    ["kinds", "table", "let"].iter().for_each(|name| drop(members.remove(*name)));
    document["tables"] = meet.fix.expect("fix").tables.expect("tables");
    assert!(meeting(&document, &lines).1.is_none());
}

#[test]
fn a_mark_in_front_keeps_keys_apart_that_begin_with_different_parts() {
    let (mut document, _) = sharing();
    document["kinds"]["moment"]["rowkey"] = json!("at.millis().int64()");
    document["kinds"]["moment"]["fields"] = json!(["at"]);
    let lines = "user,0,\0\0\0\0\0\u{5},0\nmoment,1,,5\nuser,2,a,0\n";
    let (_, meet) = meeting(&document, lines);
    let keys = rowkeys(&meet.expect("found"));
    assert_eq!(keys[1], ("moment".to_owned(), "'m' + at.millis().int64()".to_owned()));
    assert_eq!(keys[2], ("user".to_owned(), "'u' + of_user + name".to_owned()));
    // Kinds whose names begin alike are numbered.
    let kinds = document["kinds"].as_object_mut().expect("kinds");
    let user = kinds.remove("user").expect("user");
    kinds.insert("member".to_owned(), user);
    let keys = rowkeys(&meeting(&document, lines).1.expect("found"));
    assert!(keys.iter().any(|(name, key)| name == "member" && key == "x'02' + of_user + name"), "{keys:?}");
}

#[test]
fn one_key_for_several_kinds_is_meant_and_has_no_fix() {
    let (mut document, _) = sharing();
    document["kinds"]["moment"]["rowkey"] = json!("of_user + 'u'");
    document["kinds"]["moment"]["fields"] = json!(["user"]);
    document["kinds"]["user"]["rowkey"] = json!("of_user + 'u'");
    let (_, meet) = meeting(&document, "user,1,a,0\nmoment,1,,5\n");
    assert!(meet.expect("found").fix.is_none());
}

#[test]
fn keys_that_meet_across_kinds_are_found() {
    let (document, lines) = sharing();
    let (found, meet) = meeting(&document, &lines);
    let meet = meet.expect("found");
    assert_eq!(meet.args.get("rows").map(String::as_str), Some("1"));
    assert_eq!(
        meet.args.get("example").map(String::as_str),
        Some("\\x00\\x01m\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x05")
    );
    // The names of kinds stand before what concerns one of them.
    assert!(found.iter().filter(|finding| finding.kind.is_some()).all(|finding| {
        finding.title.starts_with(&format!("{}: ", finding.kind.clone().unwrap_or_default()))
    }));
}
