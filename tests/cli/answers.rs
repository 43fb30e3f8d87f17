//! The answers of each command: reports, plans, split points, code and comparisons.

use super::running::{DESIGN, Folder, gzip};
use serde_json::{Value, json};

#[test]
fn split_points_are_those_of_hbase() {
    let folder = Folder::new("splits");
    let hex = folder.told(&["splits", "--algorithm", "HexStringSplit", "--regions", "4"]);
    assert_eq!(hex.1, "40000000\n80000000\nc0000000\n");
    assert_eq!(folder.told(&["splits", "design.json"]).1, "3\n6\n");
    assert_eq!(folder.told(&["splits", "design.json", "-o", "points"]).1, "");
    assert_eq!(folder.read("points"), "3\n6\n");
}

#[test]
fn analyze_tells_verdict_regions_and_time() {
    let folder = Folder::new("analyze");
    let (exit, text, said) = folder.told(&["analyze", "design.json", "records.csv"]);
    assert_eq!((exit, said.as_str()), (0, ""));
    for part in ["Phones", "3 records, 3 keys of 12 bytes", "33.3%", "66.7%", "2024-05-03"] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    assert!(!text.contains('\x1b'), "colours where there is no terminal");
    let json = folder.told(&["analyze", "--json", "design.json", "records.csv"]).1;
    let value: Value = serde_json::from_str(&json).expect("JSON");
    let rows: Vec<_> =
        value["report"]["regions"].as_array().expect("regions").iter().map(|r| r["rows"].clone()).collect();
    assert_eq!(rows, [0, 2, 1].map(Value::from));
    let heat = value["report"]["heat"].as_array().expect("heat").iter().filter_map(Value::as_u64);
    assert_eq!(heat.sum::<u64>(), 3);
}

#[test]
fn a_key_builder_becomes_a_formula_or_its_unread_piece_is_named() {
    let folder = Folder::new("formula");
    folder.write(
        "key.java",
        b"byte[] key = Bytes.add(Bytes.toBytes(phone),\n  Bytes.toBytes(Long.MAX_VALUE - at));",
    );
    let asked = ["formula", "design.json", "key.java"];
    let (exit, text, said) = folder.told(&asked);
    assert_eq!((exit, text.as_str()), (0, "phone + at.millis().reverseLong().int64()\n"));
    assert_eq!(said, "rowscape: at is taken to hold milliseconds in a long\n");
    let json = folder.told(&[&asked[..], &["--json"]].concat()).1;
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["assumed"][0]["code"], "code.assumed-millis");
    folder.write("odd.java", b"String key = phone;\nreturn key.strip();");
    let (exit, text, said) = folder.told(&["formula", "design.json", "odd.java"]);
    assert_eq!((exit, text.as_str()), (2, ""));
    assert!(said.starts_with("rowscape: odd.java: line 2, not translated: key.strip();"), "{said}");
    assert_eq!(folder.told(&["formula", "design.json"]).0, 2);
}

#[test]
fn tables_that_hold_the_same_records_are_judged_and_created_together() {
    let folder = Folder::new("together");
    let mut design: Value = serde_json::from_str(DESIGN).expect("JSON");
    let members = design.as_object_mut().expect("an object");
    for name in ["name", "rowkey", "splits", "table"] {
        members.remove(name);
    }
    members.insert(
        "tables".to_owned(),
        json!([{ "name": "by_phone", "rowkey": "phone" }, { "name": "by_day", "rowkey": "at.format('yyyyMMdd') + phone" }]),
    );
    let query = |name: &str, table: &str| json!({ "name": name, "table": table, "where": { "phone": "1" } });
    members.insert("queries".to_owned(), json!([query("one", "by_phone"), query("two", "by_day")]));
    folder.write("together.json", design.to_string().as_bytes());
    let both = |text: &str| ["by_phone", "by_day"].map(|name| text.contains(name));
    let analyze = ["analyze", "together.json", "records.csv"];
    assert_eq!(both(&folder.told(&analyze).1), [true, true]);
    assert_eq!(both(&folder.told(&[&analyze[..], &["--table", "by_day"]].concat()).1), [false, true]);
    let (_, text, said) = folder.told(&[&analyze[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(&text).expect("one report");
    assert!(json["report"].is_object() && said.contains("by_day"), "{said}");
    let emit = |name: &'static str| folder.told(&["emit", "together.json", "--as", name]);
    let (exit, text, said) = emit("shell");
    assert_eq!((exit, text.matches("create '").count(), said.as_str()), (0, 2, ""));
    let (exit, text, said) = emit("java");
    assert_eq!((exit, both(&text), said.contains("by_day")), (0, [true, false], true));

    // Without queries of their own they are alternatives.
    design["queries"] = json!([]);
    folder.write("apart.json", design.to_string().as_bytes());
    assert_eq!(both(&folder.told(&["analyze", "apart.json", "records.csv"]).1), [true, false]);
}

#[test]
fn sarif_points_at_the_formula() {
    let folder = Folder::new("sarif");
    let rising =
        DESIGN.replace("phone.reverse() + '_' + at.format('yyyyMMdd')", "at.format('yyyyMMddHHmm') + phone");
    folder.write("rising design.json", rising.as_bytes());
    folder.told(&["lint", "rising design.json", "--sarif", "log.sarif"]);
    let log: Value = serde_json::from_str(&folder.read("log.sarif")).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let first = results.iter().find(|result| result["ruleId"] == "RS101").expect("RS101");
    assert_eq!(first["level"], "error");
    assert_eq!(rules[first["ruleIndex"].as_u64().expect("index") as usize]["id"], "RS101");
    let place = &first["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "rising%20design.json");
    // The formula stands in line 9 behind `  "rowkey": "`; the part is `at.format('yyyyMMddHHmm')`.
    assert_eq!(place["region"]["startLine"], 9);
    assert_eq!(
        (place["region"]["startColumn"].as_u64(), place["region"]["endColumn"].as_u64()),
        (Some(14), Some(39))
    );
}

#[test]
fn a_report_needs_no_script_and_takes_no_markup_from_people() {
    let folder = Folder::new("html");
    let hostile =
        DESIGN.replace("\"Phones\"", "\"<script>alert(1)</script>&\\u001b[31m\"").replace("\"3\"", "\"<b>\"");
    folder.write("hostile.json", hostile.as_bytes());
    let args = ["analyze", "hostile.json", "records.csv", "--html", "report.html", "--svg", "heat.svg"];
    let (exit, text, _) = folder.told(&args);
    assert_eq!(exit, 0);
    assert!(!text.contains('\x1b'), "an escape of the name reaches the terminal");
    let page = folder.read("report.html");
    for forbidden in ["<script", "<b>", "javascript:", " style=", " onload", "http-equiv=\"refresh", "\x1b"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;"), "{page}");
    assert!(page.contains("default-src 'none'; style-src 'sha256-"));
    for address in page.match_indices("http").map(|(at, _)| &page[at..]) {
        assert!(address.starts_with("http-equiv") || address.starts_with("http://www.w3.org/2000/svg"));
    }
    assert!(folder.read("heat.svg").starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    let (exit, svg, _) = folder.told(&["analyze", "design.json", "records.csv", "--svg", "-"]);
    assert!(exit == 0 && svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
}

#[test]
fn a_design_leaves_as_create_statement_or_code() {
    let folder = Folder::new("emit");
    let (exit, text, _) = folder.told(&["emit", "design.json", "--as", "shell"]);
    assert!(exit == 0 && text.contains("SPLITS => ['3', '6']"), "{text}");
    let of_hbase = |version| folder.told(&["emit", "design.json", "--as", "shell", "--hbase", version]);
    assert_eq!(of_hbase("3.0").1, text);
    let (exit, _, told) = of_hbase("1.4");
    assert!(exit == 2 && told.contains("unknown HBase version “1.4”"), "{told}");
    let args = ["emit", "design.json", "--as", "python", "-o", "row_key.py"];
    assert_eq!(folder.told(&args), (0, String::new(), String::new()));
    assert!(folder.read("row_key.py").contains("def "));
    // Split points that follow from records need them; code does not.
    folder
        .write("shares.json", DESIGN.replace(r#"{ "points": ["3", "6"] }"#, r#"{ "sample": 3 }"#).as_bytes());
    let (exit, text, _) = folder.told(&["emit", "shares.json", "records.csv", "--as", "splits-file"]);
    assert_eq!((exit, text.lines().count()), (0, 2), "{text}");
    assert_eq!(folder.told(&["emit", "shares.json", "--as", "java"]).0, 0);
    assert_eq!(folder.told(&["emit", "shares.json", "--as", "shell"]).0, 2);
    let (exit, listed, _) = folder.told(&["emit", "design.json"]);
    assert!(exit == 0 && listed.lines().any(|name| name == "phoenix-view"), "{listed}");
}

#[test]
fn a_table_is_altered_or_rewritten_from_its_old_design() {
    let folder = Folder::new("emit-from");
    folder.write("more.json", DESIGN.replace(r#"["3", "6"]"#, r#"["3", "5", "6"]"#).as_bytes());
    let from = |name: &'static str| ["emit", "more.json", "--as", name, "--from", "design.json"];
    let (exit, text, _) = folder.told(&from("alter-shell"));
    assert!(exit == 0 && text.contains(", '5'") && text.starts_with("# Pass 1\nsplit "), "{text}");
    let (exit, text, _) = folder.told(&from("alter-java"));
    assert!(exit == 0 && text.contains("\"35\""), "{text}");
    let (exit, _, told) = folder.told(&from("rewrite-java"));
    assert!(exit == 2 && told.contains("the same row key"), "{told}");
    let (exit, _, told) = folder.told(&["emit", "more.json", "--as", "alter-shell"]);
    assert!(exit == 2 && told.contains("--from"), "{told}");
}

#[test]
fn queries_are_planned_and_counted() {
    let folder = Folder::new("plan");
    let (exit, text, _) = folder.told(&["plan", "design.json", "records.csv"]);
    assert_eq!(exit, 0);
    assert!(text.contains("[501_, 501`)") && text.contains("rows read: 1, returned: 1"), "{text}");
    let query = r#"{"where": {"phone": {"eq": "7"}}}"#;
    let json = folder.told(&["plan", "design.json", "--json", "--query", query]).1;
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value[0]["ranges"][0]["start"], "7_");
}

#[test]
fn designs_are_held_against_each_other() {
    let folder = Folder::new("compare");
    folder.write("other.json", DESIGN.replace("phone.reverse()", "phone").as_bytes());
    let args = ["compare", "design.json", "other.json", "--data", "records.csv"];
    let (exit, text, _) = folder.told(&args);
    assert_eq!(exit, 0);
    assert!(text.contains("Each key is split into equal shares"), "{text}");
    assert!(
        text.contains("share of the largest region") && text.contains("2 rows get another key"),
        "{text}"
    );
    let (exit, text, _) = folder.told(&[&args[..], &["--splits", "designed"]].concat());
    assert_eq!(exit, 0);
    // 105 and 104 lie in the first region, and reversed in the second.
    assert!(text.contains("2 move to another region") && !text.contains("equal shares"), "{text}");
}

#[test]
fn a_key_and_a_finding_are_explained() {
    let folder = Folder::new("explain");
    let text = folder.told(&["explain", "design.json", "501_20240502"]).1;
    assert!(text.contains("in region 1 of 3: [3, 6)") && text.contains("phone = \"105\""), "{text}");
    let text = folder.told(&["explain", "rs101"]).1;
    assert!(text.contains("https://hbase.apache.org/book.html#timeseries"), "{text}");
}

#[test]
fn a_plan_tells_the_rows_up_to_the_limit_and_short_scans_in_place_of_a_full_one() {
    let folder = Folder::new("plan-limit");
    let limited = r#"{"where": {}, "limit": 1}"#;
    let (exit, text, _) = folder.told(&["plan", "design.json", "records.csv", "--query", limited]);
    assert!(exit == 0 && text.contains("up to the limit"), "{text}");
    let json = folder.told(&["plan", "design.json", "records.csv", "--json", "--query", limited]).1;
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&value[0]["kind"], &value[0]["limited"]),
        (&json!("fullScan"), &json!({ "read": 1, "returned": 1 }))
    );
    assert!(value[0]["shortScans"].is_null() && value[0]["rows"]["read"].as_u64() > Some(1), "{json}");
    folder.write(
        "time.json",
        br#"{ "rowscape": 1, "rowkey": "who + '-' + n.int32()",
        "fields": [{ "name": "who", "type": "text" }, { "name": "n", "type": "integer" }] }"#,
    );
    let rows: String =
        (0..90).map(|row| format!("{},{}\n", ["a", "b", "c"][row % 3], row as i64 - 9)).collect();
    folder.write("time.csv", format!("who,n\n{rows}").as_bytes());
    let some = r#"{"where": {"n": {"from": -3, "to": 3}}}"#;
    let told =
        |more: &[&str]| folder.told(&[&["plan", "time.json", "time.csv", "--query", some], more].concat()).1;
    // Six requests cost more than 90 rows.
    let text = told(&[]);
    assert!(text.contains("one long scan costs") && !text.contains("alternative"), "{text}");
    let value: Value = serde_json::from_str(&told(&["--json"])).expect("JSON");
    assert!(value[0]["shortScans"].is_null(), "{value}");
    assert_eq!((&value[0]["choice"]["short"], &value[0]["choice"]["scans"]), (&json!(false), &json!(6)));
    let rows: String =
        (0..9000).map(|row| format!("{},{}\n", ["a", "b", "c"][row % 3], row as i64 - 9)).collect();
    folder.write("time.csv", format!("who,n\n{rows}").as_bytes());
    let text = told(&[]);
    assert!(
        text.contains("alternative: 6 short scans, one per known value of who; rows read: 6, returned: 6"),
        "{text}"
    );
    let value: Value = serde_json::from_str(&told(&["--json"])).expect("JSON");
    assert_eq!(value[0]["shortScans"], json!({ "fields": ["who"], "scans": 6, "read": 6, "returned": 6 }));
    let [short, long] = ["shortCost", "longCost"].map(|cost| value[0]["choice"][cost]["units"].as_f64());
    assert!(value[0]["choice"]["short"] == json!(true) && short < long, "{value}");
}

#[test]
fn a_page_begins_behind_the_last_row_and_has_a_price() {
    let folder = Folder::new("plan-page");
    folder.write(
        "salted.json",
        br#"{ "rowscape": 1, "rowkey": "bucket(n, 3).decimal(1) + who.text(1) + at.millis().decimal(13) + n.decimal(4)",
        "splits": { "points": ["1", "2"] }, "fields": [{ "name": "at", "type": "time", "format": "epoch-millis" },
        { "name": "n", "type": "integer" },
        { "name": "who", "type": "text" }] }"#,
    );
    let rows: String =
        (0..900).map(|row| format!("{},{row},a\n", 1_700_000_000_000i64 + 1000 * row)).collect();
    folder.write("salted.csv", format!("at,n,who\n{rows}").as_bytes());
    let newest =
        r#"{"where": {"who": "a"}, "order": {"field": "at", "direction": "descending"}, "limit": 10}"#;
    let told = |more: &[&str]| {
        let (exit, text, said) =
            folder.told(&[&["plan", "salted.json", "--query", newest, "--json"], more].concat());
        assert_eq!(exit, 0, "{said}");
        serde_json::from_str::<Value>(&text).expect("JSON")
    };
    let first = told(&["--data", "salted.csv"]);
    assert_eq!((&first[0]["cost"]["rpcs"], &first[0]["limited"]["read"]), (&json!(3), &json!(30)));
    let after = first[0]["next"]["after"].as_str().expect("a row").to_owned();
    assert!(after.ends_with("17000008900000890"), "the tenth of the newest: {after}");
    let next = told(&["--data", "salted.csv", "--after", &after]);
    assert_eq!((&next[0]["after"], &next[0]["ranges"]), (&json!(after), &first[0]["next"]["ranges"]));
    assert_eq!(next[0]["cost"], first[0]["next"]["cost"]);
    assert!(
        next[0]["next"]["after"].as_str().is_some_and(|row| row.ends_with("17000008800000880")),
        "{next}"
    );
    // Without records the ranges are known, and the least number of requests.
    let alone = told(&["--after", &after]);
    assert_eq!((&alone[0]["ranges"], &alone[0]["leastRpcs"]), (&next[0]["ranges"], &json!(3)));
    assert!(alone[0]["cost"].is_null());
    let few = told(&["--data", "salted.csv", "--cost", r#"{"caching": 4, "files": 1}"#]);
    assert_eq!((&few[0]["cost"]["rpcs"], &few[0]["cost"]["seeks"]), (&json!(9), &json!(3)));
    for wrong in [&["--after", "9"][..], &["--cost", r#"{"caching": 0}"#], &["--cost", r#"{"cache": 1}"#]] {
        let args = [&["plan", "salted.json", "--query", newest][..], wrong].concat();
        assert_eq!(folder.told(&args).0, 2, "{wrong:?}");
    }
}

#[test]
fn a_fix_shows_the_families_and_the_scan_that_it_replaces() {
    let folder = Folder::new("edits");
    let mut design: Value = serde_json::from_str(DESIGN).expect("a design");
    design["rowkey"] = json!("at.format('MMdd') + '_' + phone");
    design["table"] = json!({ "name": "loop", "families": [{ "name": "d", "ttl": 31_536_000 }] });
    design["queries"] = json!([{
        "name": "a day", "where": { "at": ["2024-05-01", "2024-05-02"] }, "scan": ["0501", "0501"],
    }]);
    folder.write("loop.json", design.to_string());
    let text = folder.told(&["lint", "loop.json", "--fail-on", "bad"]).1;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["families: [{", "\"ttl\":", "scan of “a day”: “"] {
        assert!(words.contains(part), "{part}:\n{text}");
    }
}

#[test]
fn rows_written_again_on_purpose_are_not_said_to_hide_others() {
    let folder = Folder::new("purpose");
    let mut design: Value = serde_json::from_str(DESIGN).expect("a design");
    design["rowkey"] = json!("phone.substring(0, 1)");
    for (writes, hides) in [("append", true), ("upsert", false), ("counter", false)] {
        design["writes"] = json!(writes);
        folder.write("written.json", design.to_string());
        let text = folder.told(&["analyze", "written.json", "records.csv"]).1;
        assert_eq!(text.contains("later rows hide earlier ones"), hides, "{writes}:\n{text}");
    }
}

#[test]
fn row_keys_alone_are_no_table_without_regions() {
    let folder = Folder::new("keys");
    folder.write("keys.txt", "b1\na2\nb1\n");
    let text = folder.told(&["table", "keys.txt"]).1;
    assert!(text.contains("row keys, no regions"), "{text}");
}

#[test]
fn a_suggestion_counts_one_scan_of_one_region_as_one() {
    let folder = Folder::new("suggest");
    let rows = (0..400).map(|row| format!("{},2024-05-02 {:02}:{:02}\n", row * 37 % 91, row / 60, row % 60));
    folder.write("calls.csv", std::iter::once("phone,at\n".to_owned()).chain(rows).collect::<String>());
    let (exit, text, said) = folder.told(&["suggest", "calls.csv", "--query", "phone=? at=1h, phone=? at=?"]);
    assert_eq!((exit, said.as_str()), (0, ""), "{text}");
    assert!(text.contains(": 1 scan of 1 region, "), "{text}");
    for wrong in ["1 scans", "1 regions", " 1 rows", "1 gets", "1 other keys"] {
        assert!(!text.contains(wrong), "{wrong}:\n{text}");
    }
}

#[test]
fn a_file_of_records_is_read_once_for_suggestions_whatever_it_comes_from() {
    let folder = Folder::new("suggest-once");
    let rows = (0..400).map(|row| format!("{},2024-05-02 {:02}:{:02}\n", row * 37 % 91, row / 60, row % 60));
    let records = std::iter::once("phone,at\n".to_owned()).chain(rows).collect::<String>();
    folder.write("calls.csv", &records);
    let study = r#"{"rowscape":1,"fields":[{"name":"phone","type":"integer"}],"arrival":null}"#;
    folder.write("study.json", study.replace(",\"arrival\":null", ""));
    let query = ["--query", "phone=?"];
    let of_file = folder.told(&[&["suggest", "calls.csv"][..], &query].concat());
    assert!(of_file.0 == 0 && of_file.1.contains("1. balanced"), "{of_file:?}");
    let piped = folder.with_input(&[&["suggest", "-"][..], &query].concat(), records.as_bytes());
    assert_eq!(piped, of_file);
    let packed = gzip(records.as_bytes());
    assert_eq!(folder.with_input(&[&["suggest", "-"][..], &query].concat(), &packed), of_file);
    // A study from the pipe, and records beside it; records as a study is named.
    let of_study = folder.told(&["suggest", "study.json", "calls.csv"]);
    assert!(of_study.0 == 0, "{of_study:?}");
    let bytes = std::fs::read(folder.0.join("study.json")).expect("study");
    assert_eq!(folder.with_input(&["suggest", "-", "calls.csv"], &bytes), of_study);
    folder.write("records.json", r#"[{"phone":1,"note":"rowscape"},{"phone":2,"note":"\"rowscape\":1"}]"#);
    let (exit, text, said) = folder.told(&["suggest", "records.json"]);
    assert!(exit == 0 && text.contains("phone"), "{text} {said}");
    // A file that is cut is told, as `analyze` tells it.
    let (exit, _, said) = folder.with_input(&["suggest", "-"], &packed[..packed.len() / 2]);
    assert!(exit == 2 && said.contains("damaged or truncated"), "{said}");
    let (exit, _, said) = folder.told(&["suggest", "calls.csv", "--regions", "0"]);
    assert!(exit == 2 && said.contains("regions: 1"), "{said}");
}

#[test]
fn suggestions_of_more_records_than_memory_holds_say_that_they_are_of_a_sample() {
    let folder = Folder::new("suggest-sample");
    let id = |row: u64| format!("{:016x}", row.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let rows = (0..600_000u64).map(|row| format!("{},{}\n", id(row), 1_714_521_600_000 + row * 1000));
    folder.write("many.csv", std::iter::once("id,at\n".to_owned()).chain(rows).collect::<String>());
    let (exit, text, said) = folder.told(&["suggest", "many.csv", "--memory", "64M", "--query", "id=?"]);
    assert_eq!((exit, said.as_str()), (0, ""), "{text}");
    assert!(text.contains("of 600,000 records, a uniform sample"), "{text}");
    // All identifiers that were seen are hexadecimal; nobody knows of the others.
    assert!(!text.contains("Declared as bytes"), "{text}");
}
