//! Records from files, pipes and archives become keys, and keys become records.

use super::running::{DESIGN, Folder, KEYS, RECORDS, gzip};
use serde_json::Value;

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
    let said = "damaged.gz: the compressed data is damaged or truncated after 2 records, which are kept";
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
    assert!(said.contains("has no field phone; name the design's fields written, key"), "{said}");
}

#[test]
fn records_without_a_design_are_told_what_comes_first() {
    let folder = Folder::new("no-design");
    let (exit, _, said) = folder.told(&["analyze", "records.csv"]);
    assert_eq!(exit, 2);
    assert!(
        said.contains(
            "records.csv: this is not a design document; give JSON of the form { \"rowscape\": 1, … }"
        ) && said.contains("before the files"),
        "{said}"
    );
}

#[test]
fn records_without_a_key_are_told_by_field_row_and_what_was_found() {
    let folder = Folder::new("refused");
    let records = b"phone,at\n105,2024-05-02 12:00\n106,yesterday\n107,\n108,soon\n109,later\n";
    let (exit, text, _) = folder.with_input(&["analyze", "design.json", "-"], records);
    assert_eq!(exit, 0);
    assert!(text.contains("4 records have no row key: "), "{text}");
    assert!(
        text.contains(
            " (at; row 2: \u{201c}yesterday\u{201d}; row 3: \u{201c}\u{201d}; row 4: \u{201c}soon\u{201d})"
        ),
        "{text}"
    );
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
fn the_first_record_is_taken_for_names_or_values_as_told() {
    let folder = Folder::new("header");
    let of_ids = DESIGN
        .replace(
            r#"{ "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm" }"#,
            r#"{ "name": "at", "type": "text" }"#,
        )
        .replace("phone.reverse() + '_' + at.format('yyyyMMdd')", "phone")
        .replace("  \"arrival\": \"at\",\n", "")
        .replace(r#", "from": null"#, "");
    folder.write("ids.json", of_ids.as_bytes());
    // Nothing in the file tells its names from values.
    folder.write("ids.csv", b"phone,at\nx,y\n");
    let keys = |header: &[&str]| {
        let args = [&["encode", "ids.json", "ids.csv"], header].concat();
        folder.told(&args).1
    };
    assert_eq!(keys(&[]), "x\n", "the name of a field is a header");
    assert_eq!(keys(&["--header", "yes"]), "x\n");
    assert_eq!(keys(&["--header", "no"]), "phone\nx\n");
    let (exit, _, told) = folder.told(&["encode", "ids.json", "ids.csv", "--header", "maybe"]);
    assert_eq!((exit, told.contains("yes, no")), (2, true), "{told}");
    for command in ["analyze", "encode", "splits", "plan", "emit", "compare"] {
        assert!(folder.told(&["help", command]).1.contains("--header yes|no"), "{command}");
    }
}
