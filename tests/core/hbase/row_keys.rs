//! Row keys of which nothing else is known: their parts, and the formula that gives them.

use proptest::prelude::*;
use rowscape::bytes::base64;
use rowscape::design::{Document, FirstDesign, parse};
use rowscape::encode::Encoder;
use rowscape::field::{Field, Kind};
use rowscape::formula::{name_in_formula, parse as parse_formula};
use rowscape::hash::java_string;
use rowscape::hbase::row_keys::{
    DeclaredKey, FileGuess, guess_declared, guess_file, guess_keys, guess_of_design,
};
use rowscape::ingest::guess::SaidOfFile;
use rowscape::ingest::{FileForm, Input, KeyNotation};
use rowscape::json;
use rowscape::keys::reader::reader_of;
use rowscape::records::Records;
use rowscape::row::to_string_binary;
use serde_json::Value;

fn guessed(text: &str) -> FileGuess {
    guess_file(text.as_bytes(), "keys.txt", &SaidOfFile::default(), false)
}

fn stated_keys(text: &str) -> FileGuess {
    guess_file(text.as_bytes(), "keys.txt", &SaidOfFile::default(), true)
}

fn written(design: &FirstDesign) -> String {
    json::text(design)
}

fn rowkey(found: &FileGuess) -> String {
    found.design().map(|design| design.rowkey().to_owned()).unwrap_or_default()
}

/// The fields that keys were cut into: names, kinds and formats.
fn fields(found: &FileGuess) -> Vec<String> {
    let fields = found.guess.input.fields.iter();
    let word = |field: &Field| {
        let format = field.format.as_deref().unwrap_or("-");
        format!("{} {} {format}", field.name, field.kind.name())
    };
    fields.map(word).collect()
}

/// Segments as words: the kind, the lengths, and what all keys have.
fn segments(found: &FileGuess) -> Vec<String> {
    let segments = json::text(&found.keys.as_ref().map(|keys| &keys.segments));
    let segments: Value = serde_json::from_str(&segments).expect("segments");
    let word = |segment: &Value| {
        let of = |name: &str| segment.get(name).map(|value| value.to_string().replace('"', ""));
        let parts = ["kind", "min", "max", "text", "pattern"].iter().filter_map(|name| of(name));
        parts.collect::<Vec<_>>().join(" ")
    };
    segments.as_array().into_iter().flatten().map(word).collect()
}

/// The keys that a design gives for the file it was guessed from.
fn keys_again(text: &[u8], design: &str) -> Vec<String> {
    let study = parse(design).expect("design");
    let columns: Vec<String> = study.fields.iter().flat_map(|field| field.columns().to_vec()).collect();
    let declared: Vec<&str> = columns.iter().map(String::as_str).collect();
    let said = SaidOfFile { declared: &declared, ..SaidOfFile::default() };
    let input = Input { fields: study.fields.clone(), ..guess_declared(text, "keys.txt", &said).input };
    let mut reader = reader_of(&input).expect("input");
    reader.push(text);
    reader.finish();
    keys_of(&reader.into_records(), &study)
}

fn keys_of(records: &Records, study: &Document) -> Vec<String> {
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(records, &names, &[&study.tables[0].typed]).encode().swap_remove(0);
    (0..records.rows).map(|row| to_string_binary(keys.keys.get(row))).collect()
}

#[test]
fn keys_are_cut_at_a_separator_into_parts_and_given_again_by_a_formula() {
    let cases: &[(&str, &str, &[&str], &[&str])] = &[
        (
            "user_0001\nuser_0002\nuser_0003\n",
            "part1 + '_' + part2",
            &["part1 text -", "part2 text -"],
            &["same 4 4 user", "digits 4 4"],
        ),
        (
            "9f-2024-05-01\n",
            "part1 + '-' + part2 + '-' + part3 + '-' + part4",
            &["part1 text -", "part2 text -", "part3 text -", "part4 text -"],
            &["hex 2 2", "digits 4 4", "digits 2 2", "digits 2 2"],
        ),
        (
            "AB#20240501123000\nCD#20240502123000\n",
            "part1 + '#' + time2.format('yyyyMMddHHmmss')",
            &["part1 text -", "time2 time yyyyMMddHHmmss"],
            &["HEX 2 2", "time 14 14 yyyyMMddHHmmss"],
        ),
        (
            "u_1638290481900\nv_1638290482900\n",
            "part1 + '_' + time2.millis().decimal(13)",
            &["part1 text -", "time2 time epoch-millis"],
            &["letters 1 1", "time 13 13 epoch-millis"],
        ),
        (
            "u_1638290481\nv_1638290482\n",
            "part1 + '_' + time2.seconds().decimal(10)",
            &["part1 text -", "time2 time epoch-seconds"],
            &["letters 1 1", "time 10 10 epoch-seconds"],
        ),
        (
            "1638290481900\n1638290482900\n",
            "time1.millis().decimal(13)",
            &["time1 time epoch-millis"],
            &["time 13 13 epoch-millis"],
        ),
        ("foo0001\nfoo0002\nfoo0003\n", "key", &["key text -"], &["same 3 3 foo", "digits 4 4"]),
        ("foo1\nfoo22\n", "key", &["key text -"], &["same 3 3 foo", "digits 1 2"]),
        ("rowkey\nfoo_1\nfoo_2\n", "rowkey", &["rowkey text -"], &["same 4 4 foo_", "digits 1 1"]),
        // Some lines have more parts than others.
        ("a_b\na_b_c\n", "key", &["key text -"], &["same 3 5 a_b"]),
        ("a__b\nc__d\n", "key", &["key text -"], &["hex 1 1", "same 2 2 __", "hex 1 1"]),
        (
            "주문-1\n주문-2\n",
            "part1 + '-' + part2",
            &["part1 text -", "part2 text -"],
            &["same 2 2 주문", "digits 1 1"],
        ),
        ("a1b2c3d\nb2c3d4e\n", "key", &["key text -"], &["hex 7 7"]),
        ("g1h2i3j4\nh2i3j4k5\n", "key", &["key text -"], &["text 8 8"]),
    ];
    for (text, formula, of, shared) in cases {
        let found = guessed(text);
        assert_eq!(rowkey(&found), *formula, "{text}");
        assert_eq!(fields(&found), *of, "{text}");
        assert_eq!(segments(&found), *shared, "{text}");
        let design = written(&found.design().expect("design"));
        if !text.starts_with("rowkey") {
            assert_eq!(keys_again(text.as_bytes(), &design), shown(text), "{text}");
        }
    }
}

/// Keys, one a line, in the notation of the shell.
fn shown(text: &str) -> Vec<String> {
    text.lines().map(|line| to_string_binary(line.as_bytes())).collect()
}

#[test]
fn lines_of_records_are_no_keys_unless_a_person_says_so() {
    let text = "a1b2|20240501\nffff|20240502\n";
    assert_eq!(guessed(text).keys, None);
    assert_eq!(rowkey(&stated_keys(text)), "part1 + '|' + time2.format('yyyyMMdd')");
    assert_eq!(rowkey(&stated_keys("a,b\n\"c\",d\n")), "part1 + ',' + part2");
    assert_eq!(guessed("").design(), None);
    assert_eq!(guessed("\u{0}\u{1}\u{0}\u{2}").design(), None);
}

#[test]
fn keys_with_escaped_bytes_are_cut_only_where_there_are_some_of_them() {
    let few = "\\x00\\x01_abc\n\\x00\\x02_abd\n";
    assert_eq!(
        (rowkey(&guessed(few)), fields(&guessed(few))),
        ("key".into(), vec!["key bytes escaped".into()])
    );
    let more = format!("{few}\\x00\\x03_abe\n");
    let found = guessed(&more);
    assert_eq!(rowkey(&found), "part1 + '_' + part2");
    assert_eq!(fields(&found), ["part1 bytes escaped", "part2 text -"]);
    assert_eq!(segments(&found), ["bytes 2 2", "hex 3 3"]);
}

#[test]
fn more_parts_than_a_formula_holds_are_none() {
    let of = |parts: usize| rowkey(&guessed(&(vec!["p"; parts].join("_") + "\n")));
    assert_eq!(of(51), "key");
    assert!(of(50).ends_with("part50"));
    assert_eq!(rowkey(&guessed(&"_".repeat(200_000))), "key");
}

/// The output of a scan with these keys, behind other output.
fn scan(before: &str, keys: &[String]) -> String {
    let row = |(at, key): (usize, &String)| {
        format!(" {key} column=cf:a, timestamp={}, value=1\n", 1_489_435_223_437_u64 + at as u64)
    };
    let rows: String = keys.iter().enumerate().map(row).collect();
    format!("{before}ROW                  COLUMN+CELL\n{rows}{} row(s) in 0.1 seconds\n", keys.len())
}

fn numbered(key: &str, number: usize) -> Vec<String> {
    (0..number).map(|at| key.replace('N', &format!("{at:06}"))).collect()
}

#[test]
fn keys_of_a_scan_have_their_parts_and_when_they_were_written() {
    let keys = numbered("N|201009|401|310|501|9007|805|2000|272N", 60);
    let text = scan("", &keys);
    let found = guessed(&text);
    let parts: Vec<String> = (1..=9).map(|part| format!("part{part}")).collect();
    let formula = rowkey(&found);
    assert_eq!(formula.matches(" + '|' + ").count(), 8, "{formula}");
    assert!(formula.starts_with("part1 + '|' + ") && formula.ends_with("part9"), "{formula}");
    assert_eq!(found.guess.input.fields.len(), parts.len() + 1);
    let design = written(&found.design().expect("design"));
    assert!(
        design.contains(r#""arrival":"written""#) && design.contains(r#""splits":{"sample":6}"#),
        "{design}"
    );
    assert_eq!(keys_again(text.as_bytes(), &design), keys);

    let whole = scan("", &numbered("abcN", 20));
    assert_eq!(fields(&guessed(&whole)), ["key text -", "written time epoch-millis"]);
    let time = scan("", &numbered("1489435N", 20));
    let design = written(&guessed(&time).design().expect("design"));
    assert!(
        design.contains(r#""from":["key"]"#) && design.contains("time1.millis().decimal(13)"),
        "{design}"
    );
    assert_eq!(keys_again(time.as_bytes(), &design).len(), 20);
}

#[test]
fn the_splits_of_a_table_that_was_scanned_are_its_own() {
    let keys = ["a_1", "b_2", "c_3"].map(str::to_owned);
    let design = |before: &str| written(&guessed(&scan(before, &keys)).design().expect("design"));
    let points = r#""splits":{"points":["b","c"]}"#;
    let create = |table: &str| {
        format!(
            "hbase(main):001:0> create '{table}', 'f', SPLITS => ['b', 'c']\n0 row(s) in 0.2 seconds\nhbase(main):002:0> scan 't', {{LIMIT => 9}}\n"
        )
    };
    assert!(design(&create("t")).contains(points));
    assert!(design(&create("u")).contains(r#""splits":{"sample":2}"#));
}

/// Keys of a salt, a name, a time that counts back, and a number.
fn keys_of_bytes(count: u64) -> Vec<Vec<u8>> {
    let key = |index: u64| {
        let name = format!("sensor{:04}", index * 7919 % 1000);
        let time = 1_700_000_000_000 + index * 977_777 % 900_000_000;
        let salt = java_string(name.as_bytes()).expect("text").rem_euclid(8) as u8;
        let number = (index * 31 % 500) as u16;
        [&[salt][..], name.as_bytes(), &(i64::MAX as u64 - time).to_be_bytes(), &number.to_be_bytes()]
            .concat()
    };
    let mut keys: Vec<Vec<u8>> = (0..count).map(key).collect();
    keys.sort();
    keys
}

#[test]
fn parts_are_found_in_bytes_and_taken_back_however_they_are_written() {
    let keys = keys_of_bytes(500);
    let formula =
        "part2.javaHash().floorMod(8).uint8() + part2 + time3.millis().reverseLong().int64() + part4.int16()";
    let hex = |key: &Vec<u8>| key.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let escaped: Vec<String> = keys.iter().map(|key| to_string_binary(key)).collect();
    for lines in
        [escaped.clone(), keys.iter().map(hex).collect(), keys.iter().map(|key| base64(key)).collect()]
    {
        let text = lines.join("\n") + "\n";
        let found = guess_keys(text.as_bytes(), "keys.txt", &SaidOfFile::default(), false);
        assert_eq!(rowkey(&found), formula);
        assert_eq!(fields(&found), ["part2 text -", "time3 time epoch-millis", "part4 integer -"]);
        assert_eq!(segments(&found), ["computed 1 1", "text 10 10", "time 8 8 epoch-millis", "number 2 2"]);
        let study = parse(&written(&found.design().expect("design"))).expect("design");
        let declared = DeclaredKey::of_study(&study).collect::<Vec<_>>();
        let guess = guess_of_design(text.as_bytes(), "keys.txt", &SaidOfFile::default(), &declared);
        let mut reader = reader_of(&guess.input).expect("input");
        reader.push(text.as_bytes());
        reader.finish();
        assert_eq!(keys_of(&reader.into_records(), &study), escaped);
    }
    // One key is of no accident.
    assert_eq!(rowkey(&guessed(&escaped[0])), "key");
}

#[test]
fn digits_are_text_and_kinds_that_take_turns_are_seen() {
    // Dates and numbers of eight digits: an even number of digits, and no letter of a hexadecimal number.
    let digits: Vec<String> =
        (0..400u64).map(|n| format!("20230114{:02}{:08}", n % 24, n * 7_919_123 % 100_000_000)).collect();
    for text in [digits.join("\n"), scan("", &digits)] {
        let found = guess_keys(text.as_bytes(), "", &SaidOfFile::default(), true);
        let notation = found.guess.input.keys.as_ref().map(|keys| keys.notation);
        assert!(notation.is_none_or(|notation| notation == KeyNotation::Escaped), "{notation:?}");
    }
    let capitals: Vec<String> = (0..400u64).map(|n| format!("FN{:06}", n * 7919 % 1_000_000)).collect();
    let found = guess_keys(capitals.join("\n").as_bytes(), "", &SaidOfFile::default(), true);
    let notation = found.guess.input.keys.as_ref().map(|keys| keys.notation);
    assert!(notation.is_none_or(|notation| notation == KeyNotation::Escaped), "{notation:?}");
    // Every second key is of another kind.
    let turns: Vec<String> = (0..4000u64)
        .map(|n| {
            if n % 2 == 0 {
                format!("O#{:03}#{}", n % 40, n * 31)
            } else {
                format!("C#{:06}", n * 7 % 1_000_000)
            }
        })
        .collect();
    let found = guess_keys(turns.join("\n").as_bytes(), "", &SaidOfFile::default(), true);
    let mut reader = reader_of(&found.guess.input).expect("input");
    reader.push(turns.join("\n").as_bytes());
    reader.finish();
    assert!(reader.problems().refused * 50 <= 4000, "{}", rowkey(&found));
}

#[test]
fn keys_that_prove_themselves_are_keys_although_their_columns_are_as_many_as_the_fields() {
    let design = r#"{ "rowscape": 1, "fields": [{ "name": "id", "type": "text" }], "rowkey": "id.md5().hex(4) + '_' + id" }"#;
    let study = parse(design).expect("design");
    let declared = DeclaredKey::of_study(&study).collect::<Vec<_>>();
    let read = |lines: &[String]| {
        let text = lines.join("\n");
        let said = SaidOfFile { declared: &["id"], header: Some(false), ..SaidOfFile::default() };
        let guess = guess_of_design(text.as_bytes(), "ids.txt", &said, &declared);
        let input = Input { fields: study.fields.clone(), ..guess.input };
        let mut reader = reader_of(&input).expect("input");
        reader.push(text.as_bytes());
        reader.finish();
        (input.format, keys_of(&reader.into_records(), &study))
    };
    let ids: Vec<String> = (0..300).map(|n| format!("u{n}")).collect();
    let (format, keys) = read(&ids);
    assert_ne!(format, FileForm::Keys, "values are no keys");
    let (format, again) = read(&keys);
    assert_eq!((format, again), (FileForm::Keys, keys));
}

#[test]
fn keys_of_a_table_are_records_of_its_design() {
    let keys = keys_of_bytes(60);
    let design = r#"{
        "rowscape": 1,
        "fields": [
            {"name": "sensor", "type": "text", "width": 10},
            {"name": "at", "type": "time", "format": "iso8601"},
            {"name": "place", "type": "integer"},
            {"name": "value", "type": "float"}
        ],
        "rowkey": "sensor.javaHash().floorMod(8).uint8() + sensor + at.millis().reverseLong().int64() + place.int16()"
    }"#;
    let study = parse(design).expect("design");
    let declared = DeclaredKey::of_study(&study).collect::<Vec<_>>();
    let escaped: Vec<String> = keys.iter().map(|key| to_string_binary(key)).collect();
    let scan: String = escaped
        .iter()
        .map(|key| format!(" {key} column=f:q, timestamp=2023-11-15T10:00, value=1\n"))
        .collect();
    for text in [escaped.join("\n"), format!("ROW  COLUMN+CELL\n{scan}")] {
        let guess = guess_of_design(text.as_bytes(), "keys.txt", &SaidOfFile::default(), &declared);
        let names: Vec<&str> = guess.input.fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["sensor", "at", "place"]);
        let mut reader = reader_of(&guess.input).expect("input");
        reader.push(text.as_bytes());
        // A key of another table is counted, and the rest is read.
        if guess.input.format == FileForm::Keys {
            reader.push(b"\nother\n");
        }
        reader.finish();
        assert_eq!(reader.problems().refused, u64::from(guess.input.format == FileForm::Keys));
        let records = reader.into_records();
        assert_eq!(records.rows, 60);
        let column = |name: &str| records.column(name).expect("column");
        assert!(column("sensor").text(0).starts_with("sensor"));
        assert!(column("at").text(0).starts_with("2023-11-"));
    }
}

#[test]
fn parts_of_other_keys_of_the_table_are_those_that_the_design_declares() {
    let said = SaidOfFile { declared: &["part1", "time2"], ..SaidOfFile::default() };
    let of = |text: &str| {
        let input = guess_declared(text.as_bytes(), "keys.txt", &said).input;
        let names: Vec<String> = input.fields.into_iter().map(|field| field.name).collect();
        (input.separator, names.join(" "))
    };
    assert_eq!(of("a_x1\nb_x2\n"), (Some("_".into()), "part1 time2".into()));
    // Another number of parts, and a file of records with these columns.
    assert_eq!(of("a_b_c\nd_e_f\n").1, "key");
    assert_eq!(of("part1,time2\na_b,1\nc_d,2\n"), (Some(",".into()), "part1 time2".into()));
}

/// A field of this name and kind.
fn field(name: &str, kind: Kind) -> Field {
    Field {
        name: name.into(),
        kind,
        format: None,
        zone: None,
        width: None,
        from: Vec::new(),
        nullable: false,
    }
}

/// The row key of a first design of fields, and its arrival.
fn first(fields: &[Field], measures: &[&str]) -> (String, Option<String>) {
    let design = FirstDesign::of_fields(fields, measures);
    let value: Value = serde_json::from_str(&written(&design)).expect("JSON");
    (design.rowkey().to_owned(), value["arrival"].as_str().map(str::to_owned))
}

#[test]
fn a_first_design_uses_the_first_text_and_the_first_time() {
    let fields = [field("n", Kind::Integer), field("phone", Kind::Text), field("at", Kind::Time)];
    let formula = "phone.md5().hex(4) + '_' + phone + '_' + at.format('yyyyMMddHHmmss')";
    assert_eq!(first(&fields, &[]), (formula.into(), Some("at".into())));

    // A measure that is missing here and there is no text to begin with, unless there is no other.
    let fields = [field("delay", Kind::Text), field("carrier", Kind::Text)];
    assert_eq!(first(&fields, &["delay"]).0, "carrier.md5().hex(4) + '_' + carrier");
    assert_eq!(first(&fields[..1], &["delay"]).0, "delay.md5().hex(4) + '_' + delay");

    let whole = Field { from: vec!["date".into(), "time".into()], ..field("date_time", Kind::Time) };
    let date = Field { format: Some("yyyy-MM-dd".into()), ..field("date", Kind::Time) };
    let fields = [whole, date.clone(), field("time", Kind::Text), field("sensor", Kind::Text)];
    let formula = "sensor.md5().hex(4) + '_' + sensor + '_' + date_time.format('yyyyMMddHHmmss')";
    assert_eq!(first(&fields, &[]), (formula.into(), Some("date_time".into())));

    // Days have no hours, and numbers no width that some would exceed.
    assert!(first(&[field("airport", Kind::Text), date], &[]).0.ends_with("date.format('yyyyMMdd')"));
    let numbers = "delay.decimal().md5().hex(4) + '_' + delay.decimal()";
    assert_eq!(first(&[field("delay", Kind::Integer)], &[]).0, numbers);
}

#[test]
fn a_first_design_is_named_after_its_file_and_its_table_as_hbase_allows() {
    let table = |name: &str| {
        let design = FirstDesign::of_fields(&[field("a", Kind::Text)], &[]).named(name);
        let value: Value = serde_json::from_str(&written(&design)).expect("JSON");
        value["table"]["name"].as_str().unwrap_or_default().to_owned()
    };
    let names = ["access", "access log (2)", ".hidden", "주문-2024", "--"].map(table);
    assert_eq!(names, ["access", "access_log_2", "hidden", "주문-2024", ""]);
}

#[test]
fn names_stand_in_formulas_as_they_have_to() {
    let cases = [
        ("phone", "phone"),
        ("_x9", "_x9"),
        ("주문", "주문"),
        ("éa", "éa"),
        ("9a", "`9a`"),
        ("a b", "`a b`"),
        ("rest", "`rest`"),
        ("a`b", "`a``b`"),
        ("`", "````"),
        ("it's", "`it's`"),
        ("", "``"),
        ("a.b", "`a.b`"),
    ];
    for (name, as_written) in cases {
        assert_eq!(name_in_formula(name), as_written);
    }
}

proptest! {
    #[test]
    fn any_name_is_read_back_from_a_formula(name in "[a-z`' 주é0-9_.+]{1,9}") {
        let formula = format!("{} + '_'", name_in_formula(&name));
        let printed = parse_formula(&formula).map(|formula| formula.to_string());
        prop_assert_eq!(printed.ok(), Some(formula));
        let fields = [field(&name, Kind::Text)];
        let design = parse(&written(&FirstDesign::of_fields(&fields, &[])));
        prop_assert!(design.is_ok_and(|study| study.fields[0].name == name));
    }

    #[test]
    fn any_lines_are_keys_of_some_design(text in "[a-f0-9_|\\\\x:'\n\t-]{1,200}") {
        let found = stated_keys(&text);
        if let Some(design) = found.design() {
            let read = parse(&written(&design));
            prop_assert!(read.is_ok(), "{}: {:?}", written(&design), read.err());
        }
    }
}
