//! Commands about a table over its life: migrate, sweep, size, grow, table.

use crate::running::{DESIGN, Folder, KEYS, RECORDS};
use serde_json::Value;

/// The document with some members set.
fn with(changes: &[(&str, Value)]) -> String {
    let mut document: Value = serde_json::from_str(DESIGN).expect("design");
    for (member, value) in changes {
        document[*member] = value.clone();
    }
    document.to_string()
}

fn json(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn a_migration_counts_the_rows_that_get_another_key() {
    let folder = Folder::new("migrate");
    folder.write("from.json", DESIGN);
    folder.write("to.json", with(&[("rowkey", "phone.reverse() + '-' + at.format('yyyyMMdd')".into())]));
    folder.write("data.csv", RECORDS);
    let output = folder.run(&["migrate", "from.json", "to.json", "data.csv", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found = json(&output);
    assert_eq!((&found["way"], &found["moves"]["rewritten"]), (&"in-place".into(), &3.into()));
    assert_eq!(found["queries"][0]["meanwhile"], 2);
    let text = folder.run(&["migrate", "from.json", "to.json"]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("Rows get another key in the same table."));
}

#[test]
fn other_split_points_are_reached_by_shell_commands() {
    let folder = Folder::new("reshape");
    folder.write("from.json", DESIGN);
    folder.write("to.json", with(&[("splits", serde_json::json!({ "points": ["3", "5", "\\xFF"] }))]));
    let found = json(&folder.run(&["migrate", "from.json", "to.json", "--json"]));
    let commands = found["commands"].as_str().expect("commands");
    for line in [
        "# Pass 1\n",
        "split 't1', '5'\n",
        "split 't1', \"\\xFF\"\n",
        "merge_region region_at.call('t1', '5'), ",
    ] {
        assert!(commands.contains(line), "{line} in {commands}");
    }
}

#[test]
fn a_migration_needs_two_designs() {
    let folder = Folder::new("migrate-one");
    folder.write("from.json", DESIGN);
    let output = folder.run(&["migrate", "from.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("give two designs"));
}

#[test]
fn a_sweep_lists_what_it_can_vary_and_varies_it() {
    let folder = Folder::new("sweep");
    let document = with(&[
        ("rowkey", "bucket(phone, 4).decimal(1) + phone".into()),
        ("splits", serde_json::json!({ "sample": 4 })),
    ]);
    folder.write("design.json", &document);
    let records: String = (0..400).map(|number| format!("{number},2024-05-02 12:00\n")).collect();
    folder.write("data.csv", format!("phone,at\n{records}"));
    let known = String::from_utf8(folder.run(&["sweep", "design.json"]).stdout).expect("text");
    assert!(known.contains("regions: 4 in") && known.contains("0: 4 in bucket(phone, 4)"), "{known}");
    let args = ["sweep", "design.json", "data.csv", "--vary", "regions", "--values", "2,8", "--json"];
    let found = json(&folder.run(&args));
    let line = |code: &str| {
        let lines = found["lines"].as_array().expect("lines");
        let line = lines.iter().find(|line| line["code"] == code);
        line.unwrap_or_else(|| panic!("{code} in {lines:?}"))["values"].clone()
    };
    assert_eq!(line("measure.regions"), serde_json::json!([4.0, 2.0, 8.0]));
    let wrong = folder.run(&["sweep", "design.json", "data.csv", "--vary", "salt"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("choose one of regions, 0, 1"), "{wrong:?}");
    let wrong = folder.run(&["sweep", "design.json", "data.csv", "--vary", "regions", "--values", "2,x"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// A cell of `f:q` with 4 bytes: key + 1 + 1 + 4 + 20.
#[test]
fn a_size_is_that_of_the_cells() {
    let folder = Folder::new("size");
    let family = serde_json::json!([{ "name": "f", "cells": [{ "qualifier": "q", "bytes": 4 }] }]);
    folder.write("design.json", with(&[("table", serde_json::json!({ "families": family }))]));
    folder.write("data.csv", RECORDS);
    let found = json(&folder.run(&["size", "design.json", "data.csv", "--json"]));
    let keys: usize = KEYS.lines().map(str::len).sum();
    assert_eq!(found["storage"]["total"], keys + 3 * 26);
    assert_eq!(found["storage"]["rows"], 3);
    let twice = json(&folder.run(&["size", "design.json", "data.csv", "--rows", "6", "--json"]));
    assert_eq!(twice["storage"]["total"], 2 * (keys + 3 * 26));
}

#[test]
fn growth_without_figures_asks_for_them() {
    let folder = Folder::new("grow");
    folder.write("design.json", DESIGN);
    let output = folder.run(&["grow", "design.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("\"rowsPerDay\""), "{output:?}");
    folder
        .write("grown.json", with(&[("growth", serde_json::json!({ "bytesPerDay": 1 << 30, "months": 2 }))]));
    let found = json(&folder.run(&["grow", "grown.json", "--json"]));
    let days = found["days"].as_array().expect("days");
    assert_eq!(days.len(), 60);
    assert_eq!(days[59]["live"], 60u64 << 30);
    assert_eq!(found["bytesPerDay"], 1 << 30);
}

#[test]
fn growth_of_keys_that_repeat_says_what_it_assumes() {
    let folder = Folder::new("grow-again");
    let growth = serde_json::json!({ "rowsPerDay": 1_000_000, "months": 2 });
    folder.write("design.json", with(&[("rowkey", "phone".into()), ("growth", growth)]));
    let mut records: String = RECORDS.lines().next().expect("a heading").to_owned() + "\n";
    records.extend((0..400).map(|at| format!("105,2024-05-02 {:02}:{:02}\n", at / 60, at % 60)));
    folder.write("data.csv", records);
    let found = json(&folder.run(&["grow", "design.json", "data.csv", "--json"]));
    assert_eq!((&found["rows"]["records"], &found["rows"]["rows"]), (&60_000_000.into(), &1.into()));
    let text = folder.run(&["grow", "design.json", "data.csv"]);
    assert!(
        String::from_utf8_lossy(&text.stdout)
            .contains("After 60,000,000 records, the estimated number of rows is 1."),
        "{text:?}"
    );
    let sized = json(&folder.run(&["size", "design.json", "data.csv", "--json"]));
    assert_eq!(sized["sizing"]["rows"]["rows"], 1);
}

/// Two of four regions, on one of three servers, take 174 of 178 requests.
const LISTED: &str = "hbase:002:0> list_regions 'm'
                   SERVER_NAME |                                                REGION_NAME |  START_KEY |    END_KEY |  SIZE |   REQ |   LOCALITY |
 ----------------------------- | ---------------------------------------------------------- | ---------- | ---------- | ----- | ----- | ---------- |
             rs1,16020,1795236 |         m,,1795236285894.da4d5186cb352082705d08bec7c8c3d5. |            |          b |    10 |  9400 |        0.0 |
             rs2,16020,1795236 |        m,b,1795236285894.118f0ff2177cdbd44d683e208b0ba68c. |          b |          m |    12 |   300 |        0.0 |
             rs3,16020,1795236 |        m,m,1795236285894.0347bc92e69407a43f18b66a484b9e08. |          m |          q |    24 |   100 |        0.0 |
             rs1,16020,1795236 |        m,q,1795236285894.8aa211b7faf25846339b691971e56ea1. |          q |            |    10 |  8000 |        0.0 |
 4 rows
";

#[test]
fn a_table_in_use_names_the_hot_server_and_what_to_do() {
    let folder = Folder::new("table");
    folder.write("regions.txt", LISTED);
    let output = folder.run(&["table", "regions.txt"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("2 regions on rs1 take 97.8% of the requests"), "{text}");
    assert!(text.contains("move '8aa211b7faf25846339b691971e56ea1', 'rs3,16020,1795236'"), "{text}");
    assert!(text.contains("split 'da4d5186cb352082705d08bec7c8c3d5'"), "{text}");
    folder.write("design.json", DESIGN);
    let found = json(&folder.run(&["table", "regions.txt", "design.json", "--json"]));
    let table = &found["tables"][0];
    assert_eq!(table["judgement"]["verdict"]["code"], "existing.hot-server");
    assert!(table["reshape"]["commands"].as_str().expect("commands").contains("split 'm', '3'"));
}

#[test]
fn a_line_that_cannot_be_read_is_named_and_the_rest_is_used() {
    let folder = Folder::new("table-bad");
    folder.write("regions.txt", LISTED.replace("   300 |", "   3oo |"));
    let output = folder.run(&["table", "regions.txt"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("regions.txt: record 5") && text.contains("rs1"), "{text}");
}
