//! Records and designs that findings are tried on.

use serde_json::{Value, json};

/// 2,000 calls: an 11-digit phone of 300, a rising time of whole seconds, a rising id, a signed balance, an engine type
/// that holds a hyphen, a level of three values, one text of its own each, one in a hundred a long text.
pub fn calls() -> String {
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

pub fn document(rowkey: &str, splits: &Value) -> Value {
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

/// A formula and splits.
pub type Parts = (&'static str, Value);

/// A rule, a design that triggers it, and its nearest innocent twin.
pub fn pairs() -> Vec<(&'static str, Parts, Parts)> {
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
            (
                "busy + '-' + at.format('yyyyMMddHHmmss')",
                json!({ "points": ["u050", "u100", "u150", "u200", "u250", "u300", "u350"] }),
            ),
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
        ("RS304", ("note.pad(10, '0') + phone", one.clone()), ("note.pad(20, '0') + phone", one.clone())),
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

/// The document with other members.
fn with(mut document: Value, members: Value) -> Value {
    for (name, value) in members.as_object().expect("members") {
        document[name] = value.clone();
    }
    document
}

/// A rule about more than key and splits: a document that triggers it, and its innocent twin.
pub fn wholes() -> Vec<(&'static str, Value, Value)> {
    let kinds = |loud: &str| {
        let mut document = document("phone", &json!({ "sample": 4 }));
        document.as_object_mut().expect("members").remove("rowkey");
        document["kinds"] = json!({
            "loud": { "when": { "field": "level", "is": ["warn"] }, "rowkey": loud },
            "quiet": { "when": { "field": "level", "is": ["debug", "info"] }, "rowkey": "phone" },
        });
        document
    };
    let day = 86_400;
    let lives = |days: u32| json!({ "families": [{ "name": "d", "ttl": days * day, "cells": [{ "qualifier": "v", "bytes": 8 }] }] });
    let sample = |regions: u32| json!({ "sample": regions });
    let looped = || document("at.format('MM-dd') + '_' + note", &sample(4));
    let stamped = |timestamp: &str| {
        let mut fields = document("phone", &sample(1))["fields"].clone();
        let made = json!({ "name": "made", "type": "time", "format": "yyyy-MM-dd HH:mm:ss", "from": ["at"] });
        fields.as_array_mut().expect("fields").push(made);
        let cells = json!([{ "qualifier": "q", "bytes": 1, "timestamp": timestamp }]);
        json!({ "fields": fields, "table": { "families": [{ "name": "d", "ttl": 86_400, "cells": cells }] } })
    };
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
    let one_hour = json!({ "at": { "from": "2024-05-01 00:00:00", "to": "2024-05-01 01:00:00" } });
    let newest = json!({ "queries": [{ "name": "q", "where": { "phone": phone }, "order": { "field": "at", "direction": "descending" } }] });
    let scanned = |start: &str, stop: &str| json!({ "queries": [{ "name": "q", "where": { "engine": "E7-60" }, "scan": [start, stop] }] });
    let engines = || document("engine.text(8) + id.int64()", &sample(1));
    let right = || with(engines(), scanned("E7-60\\x00\\x00\\x00", "E7-60\\x00\\x00\\x01"));
    let popular = json!({ "queries": [{ "name": "q", "where": { "phone": phone }, "popularity": "rows" }] });
    vec![
        (
            "RS113",
            with(document("busy", &sample(4)), json!({ "writes": "counter" })),
            with(document("busy", &sample(4)), json!({ "writes": "upsert" })),
        ),
        (
            "RS512",
            with(document("phone + '_' + id", &json!({ "points": ["2", "3", "4"] })), popular.clone()),
            with(document("phone + '_' + id", &sample(4)), popular),
        ),
        (
            "RS402",
            with(hashed(4), names("attributes", "myVeryImportantAttribute")),
            with(hashed(4), names("d", "via")),
        ),
        (
            "RS501",
            with(document("note + phone", &sample(1)), ask(json!({ "phone": phone }))),
            with(document("phone + note", &sample(1)), ask(json!({ "phone": phone }))),
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
        ),
        (
            "RS505",
            with(document("phone + at.format('yyyyMMddHHmmss')", &sample(1)), newest.clone()),
            with(document("phone + at.millis().reverseLong().decimal(19)", &sample(1)), newest),
        ),
        ("RS305", kinds("phone.pad(11, '0')"), kinds("'!' + phone")),
        ("RS506", with(engines(), scanned("E7-60_", "E7-60_~")), right()),
        ("RS507", with(engines(), scanned("E7-60", "")), right()),
        (
            "RS508",
            with(salted(), ask(json!({ "phone": phone }))),
            with(
                document("bucket(phone, 16).decimal(2) + phone + id.decimal(10)", &sample(16)),
                ask(json!({ "phone": phone })),
            ),
        ),
        (
            "RS509",
            with(document("level + at.format('yyyyMMddHHmmss') + id", &sample(1)), take(true)),
            with(document("level + at.format('yyyyMMddHHmmss') + id", &sample(1)), take(false)),
        ),
        (
            "RS510",
            with(engines(), scanned(r"E7-60\x5Cx00\x5Cx00\x5Cx00", r"E7-60\x5Cx00\x5Cx00\x5Cx01")),
            right(),
        ),
        (
            "RS511",
            with(looped(), ask(one_hour.clone())),
            with(document("at.format('yyyyMMdd') + '_' + note", &sample(4)), ask(one_hour)),
        ),
        ("RS601", with(hashed(4), families(4)), with(hashed(4), families(3))),
        ("RS602", with(hashed(4), versions(500)), with(hashed(4), versions(5))),
        (
            "RS603",
            with(looped(), json!({ "table": lives(345) })),
            with(looped(), json!({ "table": lives(344) })),
        ),
        ("RS604", with(hashed(4), json!({ "servers": 6 })), with(hashed(16), json!({ "servers": 6 }))),
        ("RS605", with(hashed(4), growth(2)), with(hashed(90), growth(2))),
        ("RS605", with(hashed(400), growth(0)), with(hashed(16), growth(0))),
        ("RS606", with(hashed(4), two(7, 360)), with(hashed(4), two(90, 360))),
        ("RS607", with(hashed(4), stamped("made")), with(hashed(4), stamped("at"))),
    ]
}
