//! First designs of files, and what the other commands make of them.

use super::running::{Folder, RECORDS, gzip};
use serde_json::Value;
use std::path::Path;

/// Rows of a scan whose keys have nine parts.
fn scan() -> String {
    let row = |at: u32| {
        let key = format!("{at:06}|201009|401|310|501|9007|805|2000|{}", 272_693_116 + at);
        format!(" {key} column=cf:amount, timestamp={}, value=7\n", 1_489_435_223_437_u64 + u64::from(at))
    };
    format!(
        "ROW                  COLUMN+CELL\n{}60 row(s) in 0.1 seconds\n",
        (0..60).map(row).collect::<String>()
    )
}

fn access_log() -> String {
    let line = |at: u32| {
        format!("10.0.0.{at} - - [10/Oct/2000:13:55:{at:02} -0700] \"GET /{at} HTTP/1.0\" 200 {}\n", at * 37)
    };
    (0..40).map(line).collect()
}

/// The design that is guessed for a file, which has nothing doubtful.
fn guessed(folder: &Folder, file: &str) -> Value {
    let (exit, text, said) = folder.told(&["guess", file]);
    assert_eq!((exit, said.as_str()), (0, ""), "{file}");
    folder.write("guessed.json", &text);
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_guessed_design_is_one_that_the_other_commands_take_for_the_same_file() {
    let folder = Folder::new("guess");
    folder.write("calls.tsv", RECORDS.replace(',', "\t"));
    folder.write("calls.csv.gz", gzip(RECORDS.as_bytes()));
    folder.write(
        "calls.jsonl",
        "{\"phone\":\"105\",\"at\":\"2024-05-02 12:00\"}\n{\"phone\":\"x\",\"at\":\"2024-05-03 12:00\"}\n",
    );
    folder.write("keys.txt", "user_0001_20240501\nuser_0002_20240502\nuser_0003_20240503\n");
    folder.write("scan.txt", scan());
    folder.write("access.log", access_log());
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/golden/groups.parquet");
    std::fs::copy(golden, folder.0.join("groups.parquet")).expect("copy");
    let hashed = "phone.md5().hex(4) + '_' + phone + '_' + at.format('yyyyMMddHHmmss')";
    let nine = (1..=9).map(|part| format!("part{part}")).collect::<Vec<_>>().join(" + '|' + ");
    let cases = [
        ("records.csv", hashed, "records"),
        ("calls.tsv", hashed, "calls"),
        ("calls.csv.gz", hashed, "calls"),
        ("calls.jsonl", hashed, "calls"),
        ("keys.txt", "part1 + '_' + part2 + '_' + time3.format('yyyyMMdd')", "keys"),
        ("scan.txt", nine.as_str(), "scan"),
        (
            "access.log",
            "column_1.md5().hex(4) + '_' + column_1 + '_' + column_4.format('yyyyMMddHHmmss')",
            "access",
        ),
        ("groups.parquet", "", "groups"),
    ];
    for (file, rowkey, name) in cases {
        let design = guessed(&folder, file);
        if !rowkey.is_empty() {
            assert_eq!(design["rowkey"], rowkey, "{file}");
        }
        assert_eq!((&design["name"], &design["table"]["name"]), (&name.into(), &name.into()));
        let (exit, _, said) = folder.told(&["lint", "guessed.json"]);
        assert_eq!((exit, said.as_str()), (0, ""), "{file}");
        // Some records of the golden file lack their time.
        let is_whole = file != "groups.parquet";
        let (exit, _, said) = folder.told(&["analyze", "guessed.json", file]);
        assert!(exit == 0 && (said.is_empty() || !is_whole), "{file}: {said}");
        let (_, keys, said) = folder.told(&["encode", "guessed.json", file]);
        assert!(!is_whole || said.is_empty() && keys.lines().all(|key| !key.is_empty()), "{file}: {said}");
        if file == "keys.txt" {
            assert_eq!(keys, folder.read("keys.txt"));
        }
    }
    let design = guessed(&folder, "scan.txt");
    assert_eq!((&design["fields"][0]["name"], &design["arrival"]), (&"part1".into(), &"written".into()));
}

#[test]
fn a_guess_says_what_is_doubtful_and_takes_what_a_person_states() {
    let folder = Folder::new("guess-doubts");
    folder.write("gaps.csv", "day,delay\n01/02/2024,1\n02/03/2024,2\n03/04/2024,NA\n04/05/2024,4\n");
    let (exit, _, said) = folder.told(&["guess", "gaps.csv"]);
    assert_eq!(exit, 0);
    assert!(
        said.contains("gaps.csv: field day: ") && said.contains("field delay: numbers, with “NA”"),
        "{said}"
    );

    folder.write("parts.txt", "a|b\nc|d\n");
    let design = |args: &[&str]| -> Value { serde_json::from_str(&folder.told(args).1).expect("JSON") };
    assert_eq!(design(&["guess", "parts.txt", "--keys"])["rowkey"], "part1 + '|' + part2");
    assert_eq!(design(&["guess", "parts.txt", "--header", "yes"])["fields"][0]["name"], "a");
    let (exit, text, _) = folder.with_input(&["guess", "-", "--keys"], b"a_1\nb_2\n");
    let design: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((exit, &design["rowkey"], &design["name"]), (0, &"part1 + '_' + part2".into(), &Value::Null));

    assert_eq!(folder.told(&["guess", "records.csv", "-o", "own.json"]), (0, String::new(), String::new()));
    assert_eq!(folder.read("own.json"), folder.told(&["guess", "records.csv"]).1);
}

#[test]
fn files_from_which_no_design_follows_are_named() {
    let folder = Folder::new("guess-none");
    folder.write("empty.csv", "");
    folder.write("other.csv", "name,at\nx,2024-05-02 12:00\n");
    folder.write("lines.jsonl", "{\"phone\":\"105\"}\n");
    folder.write("binary", [0_u8, 1, 2, 0, 9, 0]);
    folder.write("cut.csv.gz", &gzip(RECORDS.as_bytes())[..12]);
    for (args, exit, sentence) in [
        (vec!["guess"], 2, "name a file"),
        (vec!["guess", "none.csv"], 3, "none.csv: no such file"),
        (vec!["guess", "empty.csv"], 2, "empty.csv: the file has no records"),
        (vec!["guess", "binary"], 2, "binary: "),
        (vec!["guess", "cut.csv.gz"], 2, "cut.csv.gz: "),
        (
            vec!["guess", "records.csv", "other.csv"],
            2,
            "other.csv: the fields differ from those of records.csv",
        ),
        (vec!["guess", "records.csv", "lines.jsonl"], 2, "lines.jsonl: the file is JSON"),
        (vec!["guess", "records.csv", "-o", "records.csv"], 2, "records.csv"),
    ] {
        let (code, text, said) = folder.told(&args);
        assert_eq!((code, text.as_str()), (exit, ""), "{args:?}: {said}");
        assert!(said.contains(sentence), "{args:?}: {said}");
    }
}

#[test]
fn statements_of_phoenix_give_the_design_of_their_table_with_its_queries() {
    let folder = Folder::new("guess-sql");
    let sql = "CREATE TABLE visits (site VARCHAR, at DATE NOT NULL, clicks INTEGER CONSTRAINT pk PRIMARY KEY (site, at DESC));\n\
        SELECT clicks FROM visits WHERE site = 'docs' AND at >= TO_DATE('2024-05-01');\n";
    folder.write("visits.sql", sql);
    let design = guessed(&folder, "visits.sql");
    assert_eq!(design["tables"][0]["name"], "VISITS");
    let (exit, text, _) = folder.told(&["plan", "guessed.json"]);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("RANGE SCAN"), "{text}");
    folder.write("records.csv", RECORDS);
    let (exit, _, said) = folder.told(&["guess", "records.csv", "visits.sql"]);
    assert_eq!((exit, said.contains("visits.sql: Phoenix SQL gives the whole design")), (2, true), "{said}");
}

#[test]
fn keys_of_bytes_become_records_of_their_design_and_keys_again() {
    let folder = Folder::new("guess-keys");
    let key = |index: u64| {
        let user = format!("u{:05}", index * 7919 % 3000);
        let time = 1_700_000_000_000 + index * 977_777 % 900_000_000;
        let number = (index * 31 % 500) as u32;
        let bytes = [user.as_bytes(), b"#", &time.to_be_bytes()[..], &number.to_be_bytes()].concat();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let mut keys: Vec<String> = (0..4000).map(key).collect();
    keys.sort();
    keys.dedup();
    let text = keys.join("\n") + "\n";
    folder.write("keys.txt", &text);
    let (exit, _, said) = folder.told(&["guess", "keys.txt", "-o", "design.json"]);
    assert_eq!(exit, 0, "{said}");
    let said_of = [
        "part1: 6 characters, such as “u00000”",
        "'#': “#” in all keys",
        "time2.millis().int64(): a time in 8 bytes, from 17",
        "part3.int32(): a number in 4 bytes, from 0 to 499",
    ];
    for sentence in said_of {
        assert!(said.contains(sentence), "{sentence}: {said}");
    }
    let (exit, records, said) = folder.told(&["decode", "design.json", "keys.txt", "--csv"]);
    assert_eq!((exit, said.as_str()), (0, ""));
    assert_eq!(records.lines().next(), Some("part1,time2,part3"));
    assert_eq!(records.lines().count(), keys.len() + 1);
    folder.write("records.csv", &records);
    for file in ["records.csv", "keys.txt"] {
        assert_eq!(folder.told(&["encode", "design.json", file, "--hex"]), (0, text.clone(), String::new()));
    }
    let (exit, report, said) = folder.told(&["analyze", "design.json", "keys.txt", "--json"]);
    assert_eq!(exit, 0, "{said}");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["report"]["keys"]["count"], keys.len());
}

#[test]
fn keys_with_their_records_give_the_formula_that_makes_them() {
    let folder = Folder::new("guess-records");
    let hash =
        |text: &str| text.bytes().fold(0i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    let (mut rows, mut keys) = ("device,owner,at,amount\n".to_owned(), Vec::new());
    for at in 0..300u64 {
        let (device, owner) = (format!("dev-{}", at * 7919 % 90), format!("owner{}", at * 31 % 170));
        let time = 1_700_000_000_000 + at * 1_234_567;
        rows.push_str(&format!("{device},{owner},{time},{}\n", at * 13 % 50));
        let reversed: String =
            ((1u64 << 63) - 1 - time).to_be_bytes().iter().map(|byte| format!("\\x{byte:02X}")).collect();
        keys.push(format!("{:02}_{device}_{reversed}\n", hash(&owner).rem_euclid(12)));
    }
    let unsorted = keys.clone();
    keys.sort();
    folder.write("rows.csv", &rows);
    folder.write("keys.txt", keys.concat());
    let (exit, text, said) = folder.told(&["guess", "keys.txt", "--data", "rows.csv"]);
    assert_eq!(
        (exit, said.trim()),
        (0, "rowscape: keys.txt: the row key makes 300 of 300 keys again from 300 records")
    );
    let design: Value = serde_json::from_str(&text).expect("JSON");
    let formula =
        "owner.javaHash().floorMod(12).decimal(2) + '_' + device + '_' + at.millis().reverseLong().int64()";
    assert_eq!((&design["rowkey"], &design["name"]), (&formula.into(), &"keys".into()));
    // The same with the keys in a column of the records.
    let mut lines = rows.lines();
    let head = format!("rowkey,{}\n", lines.next().expect("a head"));
    let both: String =
        lines.zip(&unsorted).map(|(line, key)| format!("{},{line}\n", key.trim_end())).collect();
    folder.write("both.csv", head + &both);
    let (exit, text, said) = folder.told(&["guess", "both.csv"]);
    assert_eq!(
        (exit, said.trim()),
        (0, "rowscape: both.csv: the row key makes 300 of 300 keys again from 300 records")
    );
    let design: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&design["rowkey"], &design["fields"][0]["name"]), (&formula.into(), &"device".into()));
    folder.write("design.json", &text);
    assert_eq!(folder.told(&["lint", "design.json"]).0, 0);
    assert_eq!(folder.told(&["encode", "design.json", "both.csv"]).1.lines().count(), 300);

    folder.write("others.csv", "name,amount\na,1\nb,2\nc,3\n");
    let (exit, text, said) = folder.told(&["guess", "keys.txt", "--data", "others.csv"]);
    let design: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((exit, design["fields"][0]["name"].as_str()), (0, Some("part1")));
    assert!(said.contains("no row key over the fields of these records gives these keys"), "{said}");
    let (exit, _, said) = folder.told(&["guess", "keys.txt", "rows.csv", "--data", "rows.csv"]);
    assert_eq!(exit, 2);
    assert!(said.contains("give one file"), "{said}");
}

#[test]
fn names_of_regions_and_lines_of_logs_are_decoded() {
    let folder = Folder::new("log-lines");
    folder.write(
        "design.json",
        r#"{"rowscape":1,"fields":[{"name":"phone","type":"text"},{"name":"at","type":"time","format":"epoch-millis"}],
            "rowkey":"phone + '|' + at.millis().int64()","splits":{"sample":4}}"#,
    );
    let region = |start: &str| format!("calls,{start},1795236285894.0347bc92e69407a43f18b66a484b9e08.");
    let decoded = |word: &str| folder.told(&["decode", "design.json", word]);
    let (exit, text, _) = decoded(&region("13800|\\x00\\x00\\x01\\x8F"));
    assert_eq!(
        (exit, text.as_str()),
        (0, "13800|\\x00\\x00\\x01\\x8F\tfrom phone=\"13800\" at=\"1713691951104\" on\n")
    );
    let (_, text, _) = decoded(&region("13800"));
    assert_eq!(text, "13800\tfrom phone=\"13800\" on\n");
    let (_, text, _) = decoded(&region(""));
    assert_eq!(text, "\tthe first region of its table\n");
    let row = "13800|\\x00\\x00\\x01\\x8F4\\x06\\x9E\\x00";
    folder.write(
        "region.log",
        format!(
            "WARN tries=6, row '{row}' on table 'calls' at region={}, hostname=rs1\nnothing here\n",
            region("138")
        ),
    );
    let (exit, text, said) = folder.told(&["decode", "design.json", "region.log"]);
    let expected = format!("{row}\tphone=\"13800\" at=\"1714564800000\"\n138\tfrom phone=\"138\" on\n");
    assert_eq!((exit, text), (1, expected));
    assert!(said.starts_with("rowscape: nothing here: "), "{said}");
    let (_, text, _) = folder.told(&["decode", "design.json", &region("138"), "--json"]);
    assert_eq!(text, "{\"fields\":{\"phone\":\"138\"},\"start\":\"138\"}\n");
}
