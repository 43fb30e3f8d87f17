//! From one design to another: the way, its order, what clients do, and figures of published cases.

use super::designs::{generated, tables};
use rowscape::compare::Candidate;
use rowscape::design::{Document, parse};
use rowscape::error::{Problem, messages};
use rowscape::existing::ReshapeAction;
use rowscape::migrate::{Migration, MigrationWay, migration};
use rowscape::records::Records;
use serde_json::json;

fn codes(all: &[Problem]) -> Vec<&'static str> {
    all.iter().map(|problem| problem.code).collect()
}

fn said(found: &Migration) {
    for problem in found.steps.iter().chain(&found.clients).chain(&found.checks) {
        assert!(messages().contains_key(problem.code), "{}", problem.code);
        let sentence = problem.sentence();
        assert!(!sentence.contains("  ") && !sentence.contains("of  "), "{sentence}");
    }
}

fn between(from: &Document, to: &Document, records: Option<&Records>) -> Migration {
    let candidate = |study| Candidate { study, table: 0 };
    let found = migration(candidate(from), candidate(to), records).expect("a migration");
    said(&found);
    found
}

fn before(list: &[&str], first: &str, second: &str) {
    let place = |code: &str| {
        list.iter().position(|other| *other == code).unwrap_or_else(|| panic!("{code}: {list:?}"))
    };
    assert!(place(first) < place(second), "{first} before {second}: {list:?}");
}

#[test]
fn e7_rows_go_to_a_new_table_that_both_write_to_while_they_are_copied() {
    let (study, records) = generated("e7-migration", None);
    let [from, to] = tables(&study)[..] else { panic!("two tables") };
    let found = migration(from, to, Some(&records)).expect("a migration");
    said(&found);
    assert_eq!(found.way, MigrationWay::NewTable);
    let moves = found.moves.as_ref().expect("moves");
    assert_eq!((moves.rows, moves.rewritten), (20_000, 20_000));
    // Ten regions of a day each before: two thousand rows in every one.
    assert_eq!(moves.regions.iter().map(|region| region.rows).collect::<Vec<_>>(), [2000; 10]);
    let steps = codes(&found.steps);
    for (first, second) in [
        ("migration.snapshot", "migration.create"),
        ("migration.create", "migration.write-both"),
        ("migration.write-both", "migration.copy"),
        ("migration.copy", "migration.check"),
        ("migration.check", "migration.read-new"),
        ("migration.read-new", "migration.stop-old"),
        ("migration.stop-old", "migration.drop"),
    ] {
        before(&steps, first, second);
    }
    assert!(!steps.contains(&"migration.fetch-fields"), "device and time are both in the old key");
    assert_eq!(found.steps[1].args["regions"], "8");
    assert!(codes(&found.clients).contains(&"migration.deletes"));
    assert!(
        !codes(&found.clients).contains(&"migration.stranded"),
        "the old table is still there to be read"
    );
    // One device in a day: a range of each. An hour of all: one range before, the whole table after.
    let asked: Vec<_> =
        found.queries.iter().map(|asked| (asked.before, asked.meanwhile, asked.after)).collect();
    assert_eq!(asked, [(1, 2, 1), (1, 2, 1)]);
    assert!(found.reshape.is_empty());
}

/// A table whose bucket count stands in the configuration of its clients.
fn buckets(count: u32) -> Document {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "device", "type": "text" },
            { "name": "ts", "type": "time", "format": "epoch-millis" },
        ],
        "rowkey": format!("bucket(device, {count}).decimal(2) + '_' + device + '_' + ts.millis().decimal(13)"),
        "splits": { "salts": count, "digits": 2 },
        "queries": [{ "name": "an hour", "where": { "ts": ["2024-03-05T10:00:00Z", "2024-03-05T11:00:00Z"] } }],
    });
    parse(&document.to_string()).expect("a document")
}

#[test]
fn e8_a_changed_bucket_count_strands_the_rows_already_written_until_they_are_rewritten() {
    let (_, records) = generated("e8-bucket-count", None);
    let found = between(&buckets(8), &buckets(16), Some(&records));
    assert_eq!(found.way, MigrationWay::InPlace);
    let moves = found.moves.as_ref().expect("moves");
    // h mod 8 equals h mod 16 for about half of the hashes.
    assert!((moves.rewritten as f64 / 20_000.0 - 0.5).abs() < 0.07, "{}", moves.rewritten);
    let stranded = found.clients.iter().find(|rule| rule.code == "migration.stranded").expect("stranded");
    assert_eq!(stranded.args["rewritten"], moves.rewritten.to_string());
    let steps = codes(&found.steps);
    before(&steps, "migration.reshape", "migration.read-both");
    before(&steps, "migration.read-both", "migration.write-new");
    before(&steps, "migration.write-new", "migration.rewrite");
    before(&steps, "migration.rewrite", "migration.check");
    let rewrite = found.steps.iter().find(|step| step.code == "migration.rewrite").expect("rewrite");
    assert_eq!(rewrite.args["kept"], (20_000 - moves.rewritten).to_string());
    // Eight regions more: eight splits, and no merge.
    assert_eq!(found.reshape.len(), 8);
    assert!(found.reshape.iter().all(|step| step.action == ReshapeAction::Split));
    assert!(codes(&found.checks).contains(&"migration.check-left"));
}

#[test]
fn e8_from_8_to_9_buckets_hardly_a_row_keeps_its_key() {
    let (_, records) = generated("e8-bucket-count", None);
    let found = between(&buckets(8), &buckets(9), Some(&records));
    // Numbers below 72 with the same remainder by 8 and by 9: those below 8. A ninth.
    let kept = 1.0 - found.moves.as_ref().expect("moves").rewritten as f64 / 20_000.0;
    assert!((kept - 1.0 / 9.0).abs() < 0.05, "{kept}");
}

#[test]
fn a9_other_split_points_move_rows_between_regions_and_rewrite_none() {
    let (study, records) = generated("e8-bucket-count", None);
    let mut other = study.clone();
    other.tables[0].splits = other.tables[0].splits.with_regions(4).expect("splits");
    let found = between(&study, &other, Some(&records));
    assert_eq!(found.way, MigrationWay::Reshape);
    let moves = found.moves.as_ref().expect("moves");
    assert_eq!(moves.rewritten, 0);
    // HBase splits and merges regions where they are.
    assert_eq!((moves.moved, moves.least_moved), (0, Some(0)));
    assert_eq!(codes(&found.steps), ["migration.normalizer-off", "migration.reshape"]);
    assert_eq!(codes(&found.clients), Vec::<&str>::new());
    assert!(found.queries.iter().all(|asked| asked.before == asked.meanwhile && asked.before == asked.after));
    let same = between(&study, &study, Some(&records));
    assert_eq!((same.way, codes(&same.steps)), (MigrationWay::Nothing, vec!["migration.nothing"]));
    assert!(same.checks.is_empty() && same.clients.is_empty());
}

fn of(rowkey: &str, more: serde_json::Value) -> Document {
    let mut document = json!({
        "rowscape": 1,
        "fields": [{ "name": "user", "type": "text" }, { "name": "n", "type": "integer" }],
        "rowkey": rowkey,
    });
    let members = document.as_object_mut().expect("an object");
    members.extend(more.as_object().expect("an object").clone());
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[test]
fn fields_that_the_old_key_hashed_have_to_come_from_elsewhere() {
    let hashed = of("user.md5() + n.int64()", json!({}));
    let plain = of("n.int64() + user", json!({}));
    let found = between(&hashed, &plain, None);
    let fetch = found.steps.iter().find(|step| step.code == "migration.fetch-fields").expect("fetch");
    assert_eq!(fetch.args["fields"], "user");
    let back = between(&plain, &hashed, None);
    assert!(!codes(&back.steps).contains(&"migration.fetch-fields"));
    assert!(back.moves.is_none(), "without records nothing is counted");
}

#[test]
fn a_field_is_at_hand_where_the_keys_of_all_kinds_hold_it() {
    let fetched = |from: &Document, to: &Document| {
        let found = between(from, to, None);
        let fetch = found.steps.into_iter().find(|step| step.code == "migration.fetch-fields");
        fetch.map(|step| step.args["fields"].clone())
    };
    let kinds = |one: &str, two: &str, more: serde_json::Value| {
        let document = json!({
            "rowscape": 1,
            "fields": [{ "name": "user", "type": "text" }, { "name": "n", "type": "integer" }],
            "kinds": {
                "one": { "when": { "field": "n", "is": [1] }, "rowkey": one },
                "two": { "when": { "field": "n", "is": more }, "rowkey": two },
            },
        });
        parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
    };
    let plain = of("user + '_' + n.int64()", json!({}));
    let both = kinds("user + '_a'", "user + '_b'", json!([2]));
    assert_eq!(fetched(&both, &plain), None);
    assert_eq!(fetched(&plain, &both), None);
    // Two values mean the second kind, and its key holds neither.
    assert_eq!(fetched(&kinds("user + '_a'", "user + '_b'", json!([2, 3])), &plain), Some("n".to_owned()));
    assert_eq!(fetched(&kinds("user.md5()", "user + '_b'", json!([2])), &plain), Some("user".to_owned()));
    // The field that tells the kind is needed to write by kind.
    assert_eq!(fetched(&of("user", json!({})), &both), Some("n".to_owned()));
}

#[test]
fn a_table_whose_cells_all_expire_can_be_waited_for() {
    let families = json!({ "table": { "families": [{ "name": "d", "ttl": 7_776_000 }] } });
    let found = between(&of("user", families), &of("user.md5()", json!({})), None);
    let wait = found.steps.iter().find(|step| step.code == "migration.or-wait").expect("wait");
    assert_eq!(wait.args["days"], "90");
}

#[test]
fn rows_that_would_overwrite_each_other_are_counted_before_anything_is_copied() {
    let (_, records) = generated("e8-bucket-count", None);
    let short = parse(
        &json!({
            "rowscape": 1,
            "fields": [
                { "name": "device", "type": "text" },
                { "name": "ts", "type": "time", "format": "epoch-millis" },
            ],
            "rowkey": "device",
        })
        .to_string(),
    )
    .expect("a document");
    let found = between(&buckets(8), &short, Some(&records));
    let collide = found.checks.iter().find(|check| check.code == "migration.rows-collide").expect("collide");
    assert_eq!(collide.args["after"], "500");
    assert_eq!(
        collide.args["lost"],
        (collide.args["before"].parse::<u64>().expect("a number") - 500).to_string()
    );
}

#[test]
fn a_value_that_both_keys_write_alike_is_at_hand_and_no_row_is_told_to_stay() {
    let (study, records) = generated("e7-migration", None);
    let [from, _] = tables(&study)[..] else { panic!("two tables") };
    let mut old = from.study.clone();
    old.tables.truncate(1);
    let key = |rowkey: &str| {
        let mut document = rowscape::design::normal_form(&old);
        document["tables"][0]["rowkey"] = json!(rowkey);
        document["tables"][0]["splits"] = json!({ "sample": 4 });
        document["queries"] = json!([]);
        parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
    };
    let time = old.arrival.clone().expect("an arrival");
    let second = format!("{time}.format('yyyyMMddHHmmss')");
    let (one, other) = (key(&format!("{second} + '_' + device")), key(&format!("device + '_' + {second}")));
    let found = between(&one, &other, Some(&records));
    let steps = codes(&found.steps);
    assert!(!steps.contains(&"migration.fetch-fields"), "{steps:?}");
    assert!(steps.contains(&"migration.rewrite-all") && !steps.contains(&"migration.rewrite"), "{steps:?}");
    let finer = key(&format!("device + '_' + {time}.millis()"));
    assert!(codes(&between(&one, &finer, None).steps).contains(&"migration.fetch-fields"));
}

/// A document with these families.
fn with_families(families: &serde_json::Value) -> Document {
    let fields = json!([{ "name": "id", "type": "text" }]);
    let document = json!({ "rowscape": 1, "fields": fields, "rowkey": "id", "table": { "name": "t", "families": families } });
    parse(&document.to_string()).expect("a design")
}

#[test]
fn families_that_differ_are_altered_where_the_table_stays() {
    let from = with_families(&json!([
        { "name": "d", "compression": "GZ", "versions": 5, "minVersions": 2, "ttl": 3600 },
        { "name": "gone" },
        { "name": "same", "versions": 2 },
    ]));
    let to = with_families(&json!([
        { "name": "new", "ttl": 7 },
        { "name": "d" },
        { "name": "same", "versions": 2 },
    ]));
    let found = between(&from, &to, None);
    assert_eq!(found.way, MigrationWay::Alter);
    assert_eq!(
        codes(&found.steps),
        [
            "alter.compression",
            "alter.fewer-kept",
            "alter.fewer-versions",
            "alter.longer-life",
            "alter.removed",
            "alter.added",
            "migration.alter",
            "migration.compact",
        ]
    );
    assert_eq!(found.steps[7].args["families"], "d");
    assert_eq!(
        serde_json::to_value(&found.families).expect("JSON"),
        json!([
            { "family": "d", "change": "altered", "settings": [
                { "name": "COMPRESSION", "from": "GZ", "to": "NONE" },
                { "name": "MIN_VERSIONS", "from": "2", "to": "0" },
                { "name": "VERSIONS", "from": "5", "to": "1" },
                { "name": "TTL", "from": "3600", "to": "2147483647" },
            ] },
            { "family": "gone", "change": "removed", "settings": [] },
            { "family": "new", "change": "added", "settings": [
                { "name": "TTL", "from": "2147483647", "to": "7" },
            ] },
        ])
    );
    // The way back brings nothing back, and only files compressed otherwise need a compaction.
    let back = between(&to, &from, None);
    let steps = codes(&back.steps);
    assert!(steps.contains(&"alter.more-versions") && steps.contains(&"alter.more-kept"), "{steps:?}");
    assert!(steps.contains(&"alter.shorter-life") && steps.contains(&"migration.compact"), "{steps:?}");
}

#[test]
fn families_are_left_alone_where_a_design_names_none() {
    let (some, none) = (with_families(&json!([{ "name": "d", "ttl": 7 }])), with_families(&json!([])));
    for (from, to) in [(&some, &none), (&none, &some)] {
        assert_eq!(between(from, to, None).way, MigrationWay::Nothing);
    }
}

/// Devices and alarms, each with a key of its own behind so many buckets.
fn of_kinds(buckets: u32, alarm: &str) -> Document {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "type", "type": "text" },
            { "name": "device", "type": "text" },
            { "name": "at", "type": "time", "format": "epoch-millis" },
            { "name": "code", "type": "integer" },
        ],
        "table": { "name": "t" },
        "kinds": {
            "device": {
                "when": { "field": "type", "is": ["device"] },
                "rowkey": format!("bucket(device, {buckets}).uint8() + device.terminated() + x'00'"),
            },
            "alarm": {
                "when": { "field": "type", "is": ["alarm"] },
                "rowkey": format!("bucket(device, {buckets}).uint8() + device.terminated() + x'02' + {alarm}"),
            },
        },
    });
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[test]
fn each_kind_needs_of_the_old_keys_what_its_own_new_key_is_made_of() {
    let missing = |old: &str, new: &str| {
        let found = between(&of_kinds(8, old), &of_kinds(16, new), None);
        let said = found.steps.iter().find_map(|step| step.args.get("fields").map(ToString::to_string));
        said.unwrap_or_default()
    };
    let whole = "at.millis().int64() + code.uint16()";
    // Devices have no code, and need none.
    assert_eq!(missing(whole, whole), "");
    assert_eq!(missing("at.millis().int64()", whole), "code");
}

#[test]
fn rows_of_phoenix_go_to_a_table_of_another_name_while_nobody_writes() {
    let with = |rowkey: &str| {
        let text = json!({
            "rowscape": 1,
            "fields": [{ "name": "HOST", "type": "text", "nullable": true }, { "name": "AT", "type": "time", "format": "yyyy-MM-dd" }],
            "tables": [{ "name": "app.METRIC", "rowkey": rowkey }],
        });
        parse(&text.to_string()).expect("a design")
    };
    let from = with("AT.phoenix.date() + HOST.phoenix.varchar()");
    let to = with("HOST.phoenix.varchar('asc', 'separated') + AT.phoenix.date()");
    let found = between(&from, &to, None);
    assert_eq!(found.way, MigrationWay::NewTable);
    let steps = codes(&found.steps);
    before(&steps, "migration.pause", "migration.upsert");
    before(&steps, "migration.upsert", "migration.use-new");
    assert!(!steps.contains(&"migration.write-both") && !steps.contains(&"migration.copy"), "{steps:?}");
    let sql = r#"UPSERT INTO "app"."METRIC_NEW" ("HOST", "AT") SELECT "HOST", "AT" FROM "app"."METRIC""#;
    assert!(found.steps.iter().any(|step| step.sentence().ends_with(sql)), "{:?}", found.steps);
    assert!(found.clients.is_empty());
    // Copied cells have the time of the copy.
    assert_eq!(codes(&found.checks)[0], "migration.check-select");
}
