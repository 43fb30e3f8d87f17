//! Encodings, records that cannot be read, and files that end too early: nothing changes a key without a word.

use super::running::{DESIGN, Folder, KEYS, RECORDS, gzip};
use serde_json::Value;

/// The second phone has a byte that is no UTF-8, the third record has one where the key does not need it.
const LATIN: &[u8] =
    b"phone,at,note\n105,2024-05-02 12:00,gr\xc3\xbc\xc3\x9fe\n10\xfc,2024-05-02 13:00,x\n104,2024-05-03 09:30,J\xfcrgen\n";

fn noted() -> String {
    DESIGN.replace(
        r#"{ "name": "phone", "type": "text" },"#,
        r#"{ "name": "phone", "type": "text" }, { "name": "note", "type": "text" },"#,
    )
}

fn units(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn one_bad_byte_changes_no_other_key_and_is_told_by_row() {
    let folder = Folder::new("bad-byte");
    folder.write("design.json", noted().as_bytes());
    for bytes in [LATIN.to_vec(), gzip(LATIN)] {
        let (exit, keys, said) = folder.with_input(&["encode", "design.json", "-"], &bytes);
        assert_eq!((exit, keys.as_str()), (1, "501_20240502\n\n401_20240503\n"), "{said}");
        assert!(said.contains("record 2, field phone: the value has bytes that are not text"), "{said}");
        assert!(said.contains("record 3, field note: the value has bytes that are not text"), "{said}");
        assert!(
            said.contains("2 values have bytes") && said.contains("1 of 3 records has no row key"),
            "{said}"
        );
    }
    folder.write("latin.csv", LATIN);
    let (exit, keys, said) =
        folder.told(&["encode", "design.json", "latin.csv", "--encoding", "windows-1252"]);
    assert_eq!((exit, keys.lines().nth(1), said.as_str()), (0, Some("\\xC3\\xBC01_20240502"), ""));
}

#[test]
fn the_encoding_assumed_stands_in_text_and_json() {
    let folder = Folder::new("assumed");
    let marked = format!("\u{feff}{RECORDS}");
    folder.write("marked.csv", marked.as_bytes());
    let asked = ["analyze", "design.json", "records.csv", "marked.csv", "records.csv"];
    let (_, text, _) = folder.told(&asked);
    assert!(text.contains("records.csv: CSV in UTF-8 (assumed: it has no byte order mark)."), "{text}");
    assert!(text.contains("marked.csv: CSV in UTF-8 (by its byte order mark)."), "{text}");
    assert!(text.contains("One more file read alike."), "{text}");
    let json: Value =
        serde_json::from_str(&folder.told(&[&asked[..], &["--json"]].concat()).1).expect("JSON");
    let first =
        serde_json::json!({ "name": "records.csv", "format": "csv", "encoding": "utf-8", "by": "assumed" });
    assert_eq!((&json["files"][0], &json["files"][1]["by"]), (&first, &Value::from("mark")));
    let json: Value = serde_json::from_str(
        &folder.told(&["analyze", "design.json", "records.csv", "--encoding", "windows-1252", "--json"]).1,
    )
    .expect("JSON");
    assert_eq!(json["files"][0]["by"], "given");
    for command in ["analyze", "encode", "splits", "plan", "emit", "compare"] {
        assert!(folder.told(&["help", command]).1.contains("--encoding NAME"), "{command}");
    }
    assert_eq!(folder.told(&["encode", "design.json", "records.csv", "--encoding", "latin1"]).0, 2);
}

#[test]
fn utf_16_is_read_by_its_mark_and_else_only_when_named() {
    let folder = Folder::new("utf-16");
    folder.write("unmarked.csv", units(RECORDS));
    let (exit, _, said) = folder.told(&["encode", "design.json", "unmarked.csv"]);
    assert_eq!(exit, 2);
    assert!(said.contains("looks like UTF-16") && said.contains("choose the encoding utf-16le"), "{said}");
    let named = folder.told(&["encode", "design.json", "unmarked.csv", "--encoding", "utf-16le"]);
    assert_eq!(named, (0, KEYS.into(), String::new()));
    // A mark says more than a person does.
    folder.write("marked.csv", units(&format!("\u{feff}{RECORDS}")));
    assert_eq!(folder.told(&["encode", "design.json", "marked.csv", "--encoding", "windows-1252"]).1, KEYS);
    folder.write("design.json", units(&format!("\u{feff}{DESIGN}")));
    assert_eq!(folder.told(&["encode", "design.json", "records.csv"]), (0, KEYS.into(), String::new()));
}

#[test]
fn half_a_surrogate_pair_in_utf_16_is_no_text() {
    let folder = Folder::new("half");
    let mut bytes = units("\u{feff}phone,at\n10");
    bytes.extend([0, 0xd8]);
    bytes.extend(units(",2024-05-02 12:00\n104,2024-05-03 09:30\n"));
    let (exit, keys, said) = folder.with_input(&["encode", "design.json"], &bytes);
    assert_eq!((exit, keys.as_str()), (1, "\n401_20240503\n"), "{said}");
    assert!(said.contains("record 1, field phone"), "{said}");
}

#[test]
fn each_file_has_its_own_mark_and_one_within_a_file_is_dropped_and_told() {
    let folder = Folder::new("marks");
    folder.write("marked.csv", format!("\u{feff}{RECORDS}").as_bytes());
    folder.write("utf16.csv", units(&format!("\u{feff}{RECORDS}")));
    let all = ["encode", "design.json", "records.csv", "marked.csv", "utf16.csv"];
    assert_eq!(folder.told(&all), (0, KEYS.repeat(3), String::new()));
    let joined = format!("{RECORDS}\u{feff}105,2024-05-02 12:00\n");
    let (exit, keys, said) = folder.with_input(&["encode", "design.json"], joined.as_bytes());
    assert_eq!((exit, keys), (0, format!("{KEYS}501_20240502\n")));
    assert!(said.contains("record 4: the record starts with a byte order mark, which was dropped"), "{said}");
}

#[test]
fn a_record_that_cannot_be_read_keeps_its_line() {
    let folder = Folder::new("unread");
    let lines = [
        r#"{"phone":"105","at":"2024-05-02 12:00"}"#,
        "not json",
        r#"["106"]"#,
        r#"{"phone":"999","at":"2024-05-02 13:00","phone":"104"}"#,
        r#"{"phone":"9\ud800","at":"2024-05-02 13:00"}"#,
    ];
    folder.write("records.jsonl", (lines.join("\n") + "\n").as_bytes());
    let (exit, keys, said) = folder.told(&["encode", "design.json", "records.jsonl"]);
    assert_eq!((exit, keys.as_str()), (1, "501_20240502\n\n\n401_20240502\n?9_20240502\n"), "{said}");
    for told in [
        "record 2: the line is not",
        "record 3: the line is not a JSON object",
        "record 4, field phone: the object has this member more than once",
        "record 5, field phone: the value has half of a surrogate pair",
        "2 of 5 records have no row key; their lines are empty",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    let (exit, text, _) = folder.told(&["analyze", "design.json", "records.jsonl", "--fail-on", "warning"]);
    assert_eq!(exit, 1);
    assert!(text.contains("RS304") && text.contains("2 of 5 records have no row key"), "{text}");
    assert!(text.contains("2 records have no row key: the record could not be read"), "{text}");
}

#[test]
fn an_unbalanced_quote_costs_its_line_and_is_told_by_it() {
    let folder = Folder::new("quotes");
    let at = "2024-05-02 12:00";
    let swallowed = format!("phone,at\n105,{at}\n\"999,{at}\n104,{at}\n\"105\",{at}\n\"a\nb\",{at}\n");
    let (exit, keys, said) = folder.with_input(&["encode", "design.json"], swallowed.as_bytes());
    let wanted = "501_20240502\n\n401_20240502\n501_20240502\nb\\x0Aa_20240502\n";
    assert_eq!((exit, keys.as_str()), (1, wanted), "{said}");
    assert!(said.contains("record 2: line 3 opens a quote that swallows"), "{said}");
    let never = format!("phone,at\r\n\"105\",{at}\r\n999,\"{at}\r\n104,{at}\r\n");
    let (exit, keys, said) = folder.with_input(&["encode", "design.json"], never.as_bytes());
    assert_eq!((exit, keys.as_str()), (1, "501_20240502\n\n401_20240502\n"), "{said}");
    assert!(said.contains("line 3 opens a quote that is never closed"), "{said}");
}

#[test]
fn a_quote_that_no_line_closes_is_told_also_in_a_short_file() {
    let folder = Folder::new("open-quotes");
    let at = "2024-05-02 12:00";
    let one = format!("phone,at\n\"105,{at}\n999,{at}\n104,{at}\n");
    let (exit, keys, said) = folder.with_input(&["encode", "design.json"], one.as_bytes());
    assert_eq!((exit, keys.as_str()), (1, "\n999_20240502\n401_20240502\n"), "{said}");
    assert!(said.contains("record 1: line 2 opens a quote that is never closed"), "{said}");
    let two = format!("{one}\"106,{at}\n107,{at}\n");
    let (exit, keys, said) = folder.with_input(&["encode", "design.json"], two.as_bytes());
    assert_eq!((exit, keys.lines().count()), (1, 5), "{said}");
    assert!(
        said.contains("line 2 opens a quote that swallows") && said.contains("line 5 opens a quote"),
        "{said}"
    );
    // Where nearly all lines begin with one they are no quotes, and that is said.
    let all = format!("phone,at\n\"105,{at}\n\"999,{at}\n\"104,{at}\n");
    let (exit, keys, said) = folder.with_input(&["encode", "design.json"], all.as_bytes());
    assert_eq!((exit, keys.as_str()), (0, "501\"_20240502\n999\"_20240502\n401\"_20240502\n"), "{said}");
    assert!(said.contains("quotes are read as part of the values"), "{said}");
}

#[test]
fn empty_elements_of_an_array_are_told_with_the_record_beside_them() {
    let folder = Folder::new("empty-elements");
    let object = |phone: &str| format!(r#"{{"phone":"{phone}","at":"2024-05-02 12:00"}}"#);
    let (one, two) = (object("105"), object("999"));
    let (before, behind) =
        ("the array has an empty element before this record", "the array ends with a comma");
    for (array, told) in [
        (format!("[{one},,{two}]"), vec![format!("record 2: {before}")]),
        (format!("[,{one},\n{two}]"), vec![format!("record 1: {before}")]),
        (format!("[{one},{two},]"), vec![format!("record 2: {behind}")]),
        (
            format!("[{one}, ,\n,{two} , ]"),
            vec![format!("record 2: {before}"), format!("record 2: {behind}")],
        ),
        (format!("[{one}]\n[,{two}]"), vec![format!("record 2: {before}")]),
        (format!("[{one},{two}]"), vec![]),
    ] {
        let (exit, keys, said) = folder.with_input(&["encode", "design.json"], array.as_bytes());
        assert_eq!((exit, keys.as_str()), (0, "501_20240502\n999_20240502\n"), "{array}: {said}");
        assert_eq!(said.is_empty(), told.is_empty(), "{array}: {said}");
        told.iter().for_each(|told| assert!(said.contains(told), "{array}: {said}"));
    }
}

#[test]
fn lines_that_all_open_quotes_are_read_in_time_that_grows_with_them() {
    let folder = Folder::new("opened");
    for line in ["a\"b,\"\n", "x\",y,\"\n", "\"a\nb\"c\n", ",\"\"\"x\n"] {
        let text = format!("phone,at\n{}", line.repeat((4 << 20) / line.len()));
        let begun = std::time::Instant::now();
        let (exit, ..) = folder.with_input(&["encode", "design.json", "-", "-o", "keys"], text.as_bytes());
        assert!(exit == 1 || exit == 2, "{line:?}: {exit}");
        assert!(begun.elapsed().as_secs() < 20, "{line:?}: {:?}", begun.elapsed());
    }
}

#[test]
fn what_is_cut_short_ends_with_2_and_leaves_no_file() {
    let folder = Folder::new("cut");
    let objects: Vec<String> = ["105", "999"]
        .iter()
        .map(|phone| format!(r#"{{"phone":"{phone}","at":"2024-05-02 12:00"}}"#))
        .collect();
    let keys = "501_20240502\n999_20240502\n";
    let array = format!("[{}]", objects.join(",\n"));
    let (exit, whole, said) = folder.with_input(&["encode", "design.json"], array.as_bytes());
    assert_eq!((exit, whole.as_str(), said.as_str()), (0, keys, ""));
    let twice = format!("{array}\n\u{feff}{array}");
    assert_eq!(folder.with_input(&["encode", "design.json"], twice.as_bytes()).1, keys.repeat(2));
    let lines = objects.join("\n");
    let rows = "phone,at\n\"105\",2024-05-02 12:00\n999,2024-05-02 12:00\n";
    for cut in [
        array.trim_end_matches(']').to_owned(),
        format!("[{},", objects.join(",")),
        format!("[{},{{\"phone\":", objects.join(",")),
        format!("{lines}\n{{\"phone\":\"1"),
        format!("{rows}10"),
        format!("{rows}10,\"2024-05"),
    ] {
        let (exit, found, said) = folder.with_input(&["encode", "design.json"], cut.as_bytes());
        assert_eq!((exit, found.as_str()), (2, keys), "{cut:?}: {said}");
        assert!(said.contains("after 2 records, which are kept"), "{cut:?}: {said}");
        let asked = ["analyze", "design.json", "-", "--html", "report.html"];
        assert_eq!(folder.with_input(&asked, cut.as_bytes()).0, 2, "{cut:?}");
        assert_eq!(folder.with_input(&["encode", "design.json", "-o", "keys"], cut.as_bytes()).0, 2);
        assert!(!folder.names().contains("report.html") && !folder.names().contains("keys"), "{cut:?}");
    }
}

#[test]
fn gzip_padded_with_zeros_is_read() {
    let folder = Folder::new("padded");
    let zeros = vec![0; 700];
    let padded =
        [gzip(&RECORDS.as_bytes()[..30]), zeros.clone(), gzip(&RECORDS.as_bytes()[30..]), zeros].concat();
    assert_eq!(folder.with_input(&["encode", "design.json"], &padded), (0, KEYS.into(), String::new()));
    let behind = [gzip(RECORDS.as_bytes()), b"\0\0no gzip".to_vec()].concat();
    assert_eq!(folder.with_input(&["encode", "design.json"], &behind).0, 2);
}

#[test]
fn names_given_twice_and_times_that_cannot_be_read_are_told() {
    let folder = Folder::new("told");
    let text = b"phone,at,x,phone\n105,2024-05-02 12:00,1,2\n104,2024-05-02 12:00,1,2\n";
    let (exit, keys, said) = folder.with_input(&["encode", "design.json"], text);
    assert_eq!((exit, keys.as_str()), (0, "501_20240502\n401_20240502\n"));
    assert!(
        said.contains("the header has the name phone more than once") && said.contains("phone_2"),
        "{said}"
    );
    folder.write(
        "untimed.json",
        DESIGN.replace("phone.reverse() + '_' + at.format('yyyyMMdd')", "phone").as_bytes(),
    );
    let times = b"phone,at\n105,soon\n104,2024-05-02 12:00\n103,later\n";
    let (_, text, _) = folder.with_input(&["analyze", "untimed.json", "-"], times);
    assert!(text.contains("2 records with a key have no readable arrival time"), "{text}");
    let (_, json, _) = folder.with_input(&["analyze", "untimed.json", "-", "--json"], times);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["report"]["untimed"], 2);
}

#[test]
fn lint_refuses_what_analyze_would() {
    let folder = Folder::new("lint");
    let with = |member: &str| DESIGN.replacen("{\n", &format!("{{\n  {member},\n"), 1);
    let sample = DESIGN.replace(r#"{ "points": ["3", "6"] }"#, r#"{ "sample": 0 }"#);
    for (name, design) in [
        ("shape.json", with(r#""generate": { "rows": "many" }"#)),
        ("rows.json", with(r#""generate": { "rows": 99999999999 }"#)),
        ("sample.json", sample),
    ] {
        folder.write(name, design.as_bytes());
        let (linted, _, said) = folder.told(&["lint", name]);
        let (analyzed, ..) = folder.told(&["analyze", name]);
        assert_eq!((linted, analyzed), (2, 2), "{name}: {said}");
        assert!(said.contains(name), "{said}");
    }
}

#[test]
fn braces_of_json_in_a_sentence_stay_as_they_are() {
    let folder = Folder::new("braces");
    let (_, _, said) = folder.told(&["analyze", "records.csv"]);
    assert!(said.contains("give JSON of the form { \"rowscape\": 1, … } before"), "{said}");
}

#[cfg(unix)]
#[test]
fn paths_of_any_bytes_open() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("paths");
    let (data, output) = (OsStr::from_bytes(b"r\xe9cords.csv"), OsStr::from_bytes(b"k\xffys"));
    std::fs::write(folder.0.join(data), RECORDS).expect("written");
    let encode = |data: &OsStr| {
        let output = folder.command(&["encode", "design.json", "-o"]).arg(output).arg(data).output();
        super::running::told(output.expect("run"))
    };
    assert_eq!(encode(data), (0, String::new(), String::new()));
    assert_eq!(std::fs::read_to_string(folder.0.join(output)).expect("keys"), KEYS);
    let (exit, _, said) = encode(OsStr::from_bytes(b"n\xe9"));
    assert!(exit == 3 && said.contains("n\\xE9: no such file"), "{exit}: {said}");
}

#[test]
fn an_array_of_no_objects_has_no_records_and_one_that_only_begins_is_cut() {
    let folder = Folder::new("empty-array");
    for (text, exit, words) in [("[]", 0, ""), ("[ \n]\n", 0, ""), ("[", 2, "the file ends within")] {
        let (found, out, said) = folder.with_input(&["encode", "design.json", "-"], text.as_bytes());
        assert!(
            found == exit && out.is_empty() && said.contains(words),
            "{text:?}: {found} {out:?} {said:?}"
        );
    }
}

#[test]
fn ragged_rows_under_a_header_of_declared_names_are_read_by_its_separator() {
    let folder = Folder::new("ragged-few");
    let text = "phone,at\n105,2024-05-02 12:00,more\n105\n999,2024-05-02 12:00\n";
    let (exit, out, said) = folder.with_input(&["encode", "design.json", "-"], text.as_bytes());
    assert_eq!((exit, out.as_str()), (1, "501_20240502\n\n999_20240502\n"), "{said}");
}
