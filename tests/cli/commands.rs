//! The command line as a person runs it: the built program, over real files.

use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A design of two regions, and records that all fall into the first.
const DESIGN: &str = r#"{
  "rowscape": 1,
  "name": "Phones",
  "fields": [
    { "name": "phone", "type": "text" },
    { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm" }
  ],
  "arrival": "at",
  "rowkey": "phone.reverse() + '_' + at.format('yyyyMMdd')",
  "splits": { "points": ["3", "6"] },
  "queries": [ { "name": "a phone", "where": { "phone": { "eq": "105" } } } ]
}
"#;
const RECORDS: &str = "phone,at\n105,2024-05-02 12:00\n999,2024-05-02 13:00\n104,2024-05-03 09:30\n";
/// By hand: each phone reversed, then the day.
const KEYS: &str = "501_20240502\n999_20240502\n401_20240503\n";

/// A folder of its own for each test, removed when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("folder");
        let folder = Self(path);
        folder.write("design.json", DESIGN.as_bytes());
        folder.write("records.csv", RECORDS.as_bytes());
        folder
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).expect("write");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect(name)
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(&self.0).expect("folder");
        entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rowscape"));
        command.args(args).current_dir(&self.0).env_remove("NO_COLOR").env_remove("COLORTERM");
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().expect("run")
    }

    /// Exit code, standard output and standard error.
    fn told(&self, args: &[&str]) -> (i32, String, String) {
        told(self.run(args))
    }

    fn with_input(&self, args: &[&str], input: &[u8]) -> (i32, String, String) {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("spawn");
        child.stdin.take().expect("stdin").write_all(input).expect("input");
        told(child.wait_with_output().expect("output"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).expect("pack");
    packer.finish().expect("pack")
}

#[test]
fn records_become_keys_and_keys_records() {
    let folder = Folder::new("keys");
    assert_eq!(folder.told(&["encode", "design.json", "records.csv"]), (0, KEYS.into(), String::new()));
    let (exit, hex, _) = folder.told(&["encode", "--hex", "design.json", "records.csv"]);
    assert_eq!((exit, hex.lines().next()), (0, Some("3530315f3230323430353032")));
    let (exit, decoded, _) = folder.with_input(&["decode", "design.json"], KEYS.as_bytes());
    assert_eq!(exit, 0);
    assert_eq!(decoded.lines().next(), Some("501_20240502\tphone=\"105\" at=?"));
    let (exit, json, _) =
        folder.told(&["decode", "--json", "--hex", "design.json", "3530315f3230323430353032"]);
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((exit, &value["fields"]["phone"]), (0, &Value::from("105")));
    assert!(value["lost"]["at"].is_string(), "{value}");
}

#[test]
fn a_record_without_a_key_keeps_its_line_and_is_told() {
    let folder = Folder::new("refused");
    let records = "phone,at\n105,2024-05-02 12:00\n106,yesterday\n104,2024-05-03 09:30\n";
    let (exit, keys, said) = folder.with_input(&["encode", "design.json", "-"], records.as_bytes());
    assert_eq!((exit, keys.as_str()), (1, "501_20240502\n\n401_20240503\n"));
    assert!(said.contains("record 2, field at") && said.contains("1 of 3"), "{said}");
}

#[test]
fn standard_input_files_and_gzip_of_several_members_hold_the_same_records() {
    let folder = Folder::new("gzip");
    let (first, second) = RECORDS.split_at(30);
    let members = [gzip(first.as_bytes()), gzip(b""), gzip(second.as_bytes())].concat();
    folder.write("records.csv.gz", &members);
    let whole = folder.told(&["encode", "design.json", "records.csv.gz"]);
    assert_eq!(whole, (0, KEYS.into(), String::new()));
    assert_eq!(folder.with_input(&["encode", "design.json"], &members).1, KEYS);
    assert_eq!(folder.with_input(&["encode", "-", "records.csv"], DESIGN.as_bytes()).1, KEYS);
    let utf16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(RECORDS.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    folder.write("utf16.csv", &utf16);
    assert_eq!(folder.told(&["encode", "design.json", "utf16.csv"]).1, KEYS);
    let twice = folder.told(&["encode", "design.json", "records.csv.gz", "records.csv"]);
    assert_eq!(twice.1, [KEYS, KEYS].concat());
    for (name, bytes) in
        [("short", &members[..members.len() - 9]), ("broken", &b"\x1f\x8bnothing of the kind"[..])]
    {
        folder.write("broken.gz", bytes);
        let (exit, _, said) = folder.told(&["encode", "design.json", "broken.gz"]);
        assert_eq!(exit, 2, "{name}");
        assert!(said.contains("broken.gz: the compressed data"), "{name}: {said}");
    }
}

#[test]
fn of_a_damaged_second_member_the_records_before_are_kept_and_counted() {
    let folder = Folder::new("damaged");
    // The cut goes through the third record: it is not one.
    let (first, second) = RECORDS.split_at(RECORDS.len() - 10);
    let mut members = [gzip(first.as_bytes()), gzip(second.as_bytes())].concat();
    let last = members.len() - 8;
    members[last] ^= 1;
    folder.write("damaged.gz", &members[..last - 6]);
    let said =
        "damaged.gz: the compressed data is damaged or ends too early, after 2 records, which are kept";
    let (exit, keys, complaint) = folder.told(&["encode", "design.json", "damaged.gz"]);
    assert_eq!((exit, keys.lines().count()), (2, 2), "{keys}");
    assert!(keys.starts_with("501_20240502\n") && complaint.contains(said), "{complaint}");
    let asked = ["analyze", "design.json", "damaged.gz", "--html", "report.html"];
    let (exit, text, complaint) = folder.told(&asked);
    assert_eq!(exit, 2);
    assert!(text.contains("2 records, 2 keys") && complaint.contains(said), "{text}{complaint}");
    assert_eq!(folder.told(&["encode", "design.json", "damaged.gz", "-o", "keys"]).0, 2);
    assert!(
        !folder.names().contains("report.html") && !folder.names().contains("keys"),
        "half a file is left"
    );
}

#[test]
fn what_the_shell_prints_of_a_scan_is_records() {
    let folder = Folder::new("scan");
    let field = r#"{"name": "key", "type": "bytes", "format": "escaped"}"#;
    let design = format!(r#"{{"rowscape": 1, "name": "t", "fields": [{field}], "rowkey": "key"}}"#);
    folder.write("by-key.json", design.as_bytes());
    let scan = "hbase:001:0> scan 't'\r\nROW  COLUMN+CELL\r\n \\x00a column=d:c, timestamp=2026-01-01T12:00, value=A\r\n \\x00a column=d:e, timestamp=2026-01-01T12:00, value=A\r\n b column=d:c, timestamp=2026-01-01T12:00, value=\r\n2 row(s)\r\n";
    let keys = "\\x00a\nb\n";
    assert_eq!(
        folder.with_input(&["encode", "by-key.json"], scan.as_bytes()),
        (0, keys.into(), String::new())
    );
    assert_eq!(folder.with_input(&["encode", "by-key.json"], &gzip(scan.as_bytes())).1, keys);
    // As PowerShell writes what it redirects.
    let utf16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(scan.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(folder.with_input(&["encode", "by-key.json"], &utf16).1, keys);
    let decoded = folder.with_input(&["decode", "by-key.json"], scan.as_bytes()).1;
    assert_eq!(decoded.lines().count(), 2, "{decoded}");
    assert!(decoded.starts_with("\\x00a\t"), "{decoded}");
    let (exit, _, said) = folder.with_input(&["encode", "design.json"], scan.as_bytes());
    assert_eq!(exit, 2, "{said}");
    assert!(said.contains("has no field phone; its fields are written, key"), "{said}");
}

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
fn records_without_a_design_are_told_what_comes_first() {
    let folder = Folder::new("no-design");
    let (exit, _, said) = folder.told(&["analyze", "records.csv"]);
    assert_eq!(exit, 2);
    assert!(said.contains("records.csv: this is no design") && said.contains("before the files"), "{said}");
}

#[test]
fn one_of_a_thing_is_said_as_one() {
    let folder = Folder::new("one");
    let (exit, text, _) =
        folder.with_input(&["analyze", "design.json", "-"], b"phone,at\n105,2024-05-02 12:00\n");
    assert_eq!(exit, 0);
    assert!(text.contains("One row is too few"), "{text}");
    assert!(text.contains("1 record, 1 key of 12 bytes"), "{text}");
    let (_, _, said) = folder.with_input(&["encode", "design.json", "-"], b"phone,at\n105,yesterday\n");
    assert!(said.contains("1 of 1 records got no key: its line is empty"), "{said}");
}

#[test]
fn records_without_a_key_are_told_by_field_row_and_what_was_found() {
    let folder = Folder::new("refused");
    let records = b"phone,at\n105,2024-05-02 12:00\n106,yesterday\n107,\n108,soon\n109,later\n";
    let (exit, text, _) = folder.with_input(&["analyze", "design.json", "-"], records);
    assert_eq!(exit, 0);
    assert!(text.contains("4 records got no key: "), "{text}");
    assert!(
        text.contains(
            " (at; row 2: \u{201c}yesterday\u{201d}; row 3: \u{201c}\u{201d}; row 4: \u{201c}soon\u{201d})"
        ),
        "{text}"
    );
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
fn colours_come_where_they_are_asked_for() {
    let folder = Folder::new("colours");
    let args = ["analyze", "--color", "always", "design.json", "records.csv"];
    let palette = told(folder.command(&args).output().expect("run")).1;
    assert!(palette.contains("\x1b[38;5;") && !palette.contains("38;2;"), "{palette}");
    let all = told(folder.command(&args).env("COLORTERM", "truecolor").output().expect("run")).1;
    assert!(all.contains("\x1b[38;2;"), "{all}");
}

#[test]
fn severity_decides_the_exit_code() {
    let folder = Folder::new("fail-on");
    let rising =
        DESIGN.replace("phone.reverse() + '_' + at.format('yyyyMMdd')", "at.format('yyyyMMddHHmm') + phone");
    folder.write("rising.json", rising.as_bytes());
    assert_eq!(folder.told(&["lint", "rising.json"]).0, 1);
    assert_eq!(folder.told(&["lint", "design.json"]).0, 0);
    assert_eq!(folder.told(&["analyze", "rising.json", "records.csv"]).0, 0);
    assert_eq!(folder.told(&["analyze", "rising.json", "records.csv", "--fail-on", "warning"]).0, 1);
    let (exit, _, said) = folder.told(&["lint", "rising.json", "--fail-on", "worst"]);
    assert!(exit == 2 && said.contains("note, warning, bad"), "{exit} {said}");
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
    let (exit, _, told) = folder.told(&["emit", "design.json"]);
    assert!(exit == 2 && told.contains("phoenix-view"), "{told}");
}

#[test]
fn queries_are_planned_and_counted() {
    let folder = Folder::new("plan");
    let (exit, text, _) = folder.told(&["plan", "design.json", "records.csv"]);
    assert_eq!(exit, 0);
    assert!(text.contains("[501_, 501`)") && text.contains("rows read 1, returned 1"), "{text}");
    let query = r#"{"where": {"phone": {"eq": "7"}}}"#;
    let json = folder.told(&["plan", "design.json", "--json", "--query", query]).1;
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value[0]["ranges"][0]["start"], "7_");
}

#[test]
fn designs_are_held_against_each_other() {
    let folder = Folder::new("compare");
    folder.write("other.json", DESIGN.replace("phone.reverse()", "phone").as_bytes());
    let (exit, text, _) = folder.told(&["compare", "design.json", "other.json", "--data", "records.csv"]);
    assert_eq!(exit, 0);
    assert!(
        text.contains("share of the largest region") && text.contains("2 rows in another region"),
        "{text}"
    );
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
fn wrong_use_and_wrong_input_exit_with_2() {
    let folder = Folder::new("wrong");
    folder.write("broken.json", b"{ \"rowscape\": 1,\n  \"fields\": [ } ");
    folder.write("step.json", DESIGN.replace("reverse", "revers").as_bytes());
    folder.write("picture.csv", &[0u8, 1, 2, 3, 200].repeat(500));
    folder.write("other.csv", b"a,b\n1,2\n");
    for (args, part) in [
        (vec![], "rowscape help"),
        (vec!["analise"], "did you mean analyze"),
        (vec!["analyze"], "give the file of a design"),
        (vec!["analyze", "design.json"], "give a file of records"),
        (vec!["analyze", "design.json", "--hex"], "analyze does not take --hex"),
        (vec!["analyze", "design.json", "--wrong"], "--wrong"),
        (vec!["analyze", "--table"], "--table"),
        (vec!["analyze", "design.json", "records.csv", "--table", "none"], "none"),
        (vec!["analyze", "design.json", "records.csv", "--json", "--svg", "-"], "standard output"),
        (vec!["lint", "broken.json"], "broken.json:2:"),
        (vec!["lint", "step.json"], "step.json:9:13: rowkey, column 7"),
        (vec!["analyze", "design.json", "picture.csv"], "picture.csv"),
        (vec!["analyze", "design.json", "other.csv"], "field phone"),
        (vec!["decode", "design.json", "--hex", "123"], "hexadecimal"),
        (vec!["splits", "--algorithm", "HexStringSplit"], "--regions"),
        (vec!["explain", "RS999"], "RS999"),
    ] {
        let (exit, out, said) = folder.told(&args);
        let wanted = if args.first() == Some(&"decode") { 1 } else { 2 };
        assert_eq!(exit, wanted, "{args:?}: {said}");
        assert!(said.contains(part), "{args:?}: {said}");
        assert!(said.starts_with("rowscape: ") && out.is_empty(), "{args:?}: {out}");
    }
}

#[test]
fn what_cannot_be_read_or_written_exits_with_3_and_leaves_nothing_half_written() {
    let folder = Folder::new("trouble");
    std::fs::create_dir(folder.0.join("folder")).expect("folder");
    let before = folder.names();
    for (args, part) in [
        (vec!["analyze", "none.json"], "none.json: no such file"),
        (vec!["analyze", "design.json", "none.csv"], "none.csv: no such file"),
        (vec!["analyze", "folder"], "folder is a folder"),
        (vec!["splits", "design.json", "-o", "none/points"], "none/points: no such file"),
        (vec!["splits", "design.json", "-o", "folder"], "folder"),
    ] {
        let (exit, _, said) = folder.told(&args);
        assert_eq!(exit, 3, "{args:?}: {said}");
        assert!(said.contains(part), "{args:?}: {said}");
    }
    assert_eq!(folder.names(), before);
    folder.write("report.html", b"as it was");
    let broken = ["analyze", "design.json", "records.csv", "--html", "report.html", "--svg", "none/heat.svg"];
    assert_eq!(folder.told(&broken).0, 3);
    assert_eq!(folder.read("report.html"), "as it was");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_a_closed_pipe_is_not() {
    use std::fs::OpenOptions;
    let folder = Folder::new("full");
    let full = || OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    for args in [vec!["help"], vec!["encode", "design.json", "records.csv"]] {
        let (exit, _, said) = told(folder.command(&args).stdout(full()).output().expect("run"));
        assert!(exit == 3 && said.contains("standard output: no space"), "{args:?}: {exit} {said}");
    }
    let (exit, _, said) = folder.told(&["analyze", "design.json", "records.csv", "--html", "/dev/full"]);
    assert!(exit == 3 && said.contains("/dev/full: no space"), "{exit} {said}");
    assert!(Path::new("/dev/full").exists(), "a device was replaced");
    let many = format!("phone,at\n{}", "105,2024-05-02 12:00\n".repeat(200_000));
    folder.write("many.csv", many.as_bytes());
    let mut child = folder
        .command(&["encode", "design.json", "many.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("spawn");
    drop(child.stdout.take());
    let (exit, _, said) = told(child.wait_with_output().expect("output"));
    assert_eq!((exit, said.as_str()), (0, ""));
}

#[test]
fn records_larger_than_a_portion_are_all_encoded_in_order() {
    let folder = Folder::new("portions");
    let lines: String = (0..150_000).map(|row| format!("{row},2024-05-02 12:00\n")).collect();
    folder.write("many.csv", format!("phone,at\n{lines}").as_bytes());
    let (exit, keys, _) = folder.told(&["encode", "design.json", "many.csv"]);
    assert_eq!(exit, 0);
    let wanted = (0..150_000).map(|row: u32| {
        let reversed: String = row.to_string().chars().rev().collect();
        format!("{reversed}_20240502")
    });
    assert!(keys.lines().eq(wanted));
}

#[test]
fn every_command_has_help_and_every_sentence_a_use() {
    let folder = Folder::new("help");
    let (exit, text, _) = folder.told(&["help"]);
    assert_eq!(exit, 0);
    for command in ["analyze", "lint", "encode", "decode", "explain", "splits", "plan", "emit", "compare"] {
        assert!(text.contains(&format!("  {command} ")), "{command}");
        let (exit, of, _) = folder.told(&["help", command]);
        assert!(
            exit == 0 && of.contains(&format!("Usage: rowscape {command}")) && !of.contains("cli."),
            "{of}"
        );
        assert_eq!(folder.told(&[command, "--help"]).1, of);
    }
    assert_eq!(folder.told(&["--version"]).1, format!("rowscape {}\n", env!("CARGO_PKG_VERSION")));
    let mut sources = String::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli")).expect("sources") {
        sources += &std::fs::read_to_string(entry.expect("entry").path()).expect("source");
    }
    let put_together = |code: &str| code.starts_with("cli.about-") || code.starts_with("cli.option-");
    for code in rowscape::cli::sentences().keys() {
        assert!(put_together(code) || sources.contains(&format!("\"{code}\"")), "{code} is left over");
    }
}
