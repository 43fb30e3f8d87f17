//! The reader gives the same records for any chunks, and accounts for every record.

use proptest::prelude::*;
use rowscape::field::{Field, Kind};
use rowscape::ingest::{FileForm, Input, ReadProblems, RecordReader};
use rowscape::records::Records;

pub fn field(name: &str, kind: Kind) -> Field {
    let format = (kind == Kind::Time).then(|| "yyyy-MM-dd HH:mm:ss".to_owned());
    Field { name: name.into(), kind, format, zone: None, width: None, from: Vec::new(), nullable: false }
}

pub fn csv(fields: Vec<Field>) -> Input {
    Input {
        format: FileForm::Csv,
        separator: None,
        quote: None,
        header: None,
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields,
    }
}

pub fn texts(names: &[&str]) -> Vec<Field> {
    names.iter().map(|name| field(name, Kind::Text)).collect()
}

fn read<'a>(input: &Input, chunks: impl IntoIterator<Item = &'a [u8]>) -> (Records, ReadProblems) {
    let mut reader = RecordReader::new(input).unwrap();
    chunks.into_iter().for_each(|chunk| reader.push(chunk));
    reader.finish();
    let problems = reader.problems().clone();
    (reader.into_records(), problems)
}

fn rows(records: &Records) -> Vec<Vec<String>> {
    (0..records.rows).map(|row| records.row_text(row)).collect()
}

fn read_rows(input: &Input, text: &str) -> Vec<Vec<String>> {
    rows(&read(input, [text.as_bytes()]).0)
}

#[test]
fn quotes_separators_and_line_ends_follow_rfc_4180() {
    let input = csv(texts(&["a", "b"]));
    for (text, expected) in [
        ("a,b\n1,2\n", vec![["1", "2"]]),
        ("a,b\r\n1,2\r\n3,4", vec![["1", "2"], ["3", "4"]]),
        ("a,b\r1,2\r", vec![["1", "2"]]),
        ("\u{feff}a,b\n1,2", vec![["1", "2"]]),
        ("\"a\",\"b\"\n\"1,1\",\"2\n2\"\n", vec![["1,1", "2\n2"]]),
        ("a,b\n\"say \"\"hi\"\"\",\"\"\n", vec![["say \"hi\"", ""]]),
        ("a,b\n5\" pipe,10\n", vec![["5\" pipe", "10"]]),
        ("a,b\n\"x\"y,z\n", vec![["xy", "z"]]),
        ("a,b\n\n1,2\n\n\n3,4\n", vec![["1", "2"], ["3", "4"]]),
        ("b,c,a\n2,0,1\n", vec![["1", "2"]]),
        ("a,b\n,\n", vec![["", ""]]),
    ] {
        assert_eq!(read_rows(&input, text), expected, "{text:?}");
    }
}

#[test]
fn any_separator_and_quote_byte_and_no_header() {
    let mut input = csv(texts(&["a", "b"]));
    input.separator = Some("\t".into());
    input.quote = Some("'".into());
    input.header = Some(false);
    assert_eq!(read_rows(&input, "1\t'2\t2'\n"), [["1", "2\t2"]]);
    input.quote = Some(String::new());
    assert_eq!(read_rows(&input, "\"1\t'2\n"), [["\"1", "'2"]]);
}

#[test]
fn ragged_records_are_counted_and_shown() {
    let (records, problems) = read(&csv(texts(&["a", "b"])), [b"a,b\n1\n2,3,4\n5,6\n".as_slice()]);
    assert_eq!(rows(&records), [["1", ""], ["2", "3"], ["5", "6"]]);
    assert_eq!((problems.ragged_short, problems.ragged_long, problems.refused), (1, 1, 0));
    assert_eq!(problems.first[0].place.row, Some(1));
    assert_eq!(problems.first[1].place.row, Some(2));
    assert_eq!(records.columns[1].first_invalid, [(0, String::new(), "field.missing")]);
}

#[test]
fn values_that_cannot_be_read_are_noted_with_their_reason() {
    let input = csv(vec![field("n", Kind::Integer), field("t", Kind::Time), field("s", Kind::Text)]);
    let text = b"n,t,s\n12,2024-05-01 00:00:01,x\n1e3,yesterday,\xff\n,,\n99999999999999999999,2024-05-01 00:00:00,y\n";
    let (records, _) = read(&input, [text.as_slice()]);
    let codes = |column: usize| -> Vec<_> {
        records.columns[column].first_invalid.iter().map(|(row, _, code)| (*row, *code)).collect()
    };
    assert_eq!(codes(0), [(1, "field.not-an-integer"), (2, "field.empty"), (3, "field.integer-too-large")]);
    assert_eq!(codes(1), [(1, "field.not-a-time"), (2, "field.empty")]);
    assert_eq!(codes(2), [(1, "field.not-utf8")]);
    assert_eq!(records.columns[0].invalid.count(), 3);
}

#[test]
fn an_unclosed_quote_costs_its_own_line_only() {
    let (records, problems) = read(&csv(texts(&["a", "b"])), [b"a,b\n1,2\n3,\"4\n5,6\n7,8\n".as_slice()]);
    assert_eq!(rows(&records), [["1", "2"], ["", ""], ["5", "6"], ["7", "8"]]);
    assert_eq!(problems.refused, 1);
    assert_eq!((problems.first[0].code, problems.first[0].place.row), ("input.unclosed-quote", Some(2)));
}

#[test]
fn a_declared_field_that_the_header_lacks_is_a_problem_and_all_invalid() {
    let (records, problems) = read(&csv(texts(&["a", "z"])), [b"a,b\n1,2\n3,4\n".as_slice()]);
    assert_eq!(problems.first[0].code, "input.field-not-in-header");
    assert_eq!(problems.first[0].place.field.as_deref(), Some("z"));
    assert_eq!(records.columns[1].invalid.count(), 2);
    assert_eq!(records.rows, 2);
}

#[test]
fn several_files_have_a_header_each_and_positions_of_their_own() {
    let mut reader = RecordReader::new(&csv(texts(&["a", "b"]))).unwrap();
    reader.next_file("one.csv");
    reader.push(b"a,b\n1,2\n3,4");
    reader.next_file("two.csv");
    reader.push(b"\xef\xbb\xbfb,a\n6,5\n7\n");
    reader.finish();
    let place = &reader.problems().first[0].place;
    assert_eq!((place.file.as_deref(), place.row), (Some("two.csv"), Some(2)));
    let records = reader.into_records();
    assert_eq!(rows(&records), [["1", "2"], ["3", "4"], ["5", "6"], ["", "7"]]);
    let positions: Vec<_> = (0..4).map(|row| records.position(row)).collect();
    assert_eq!(positions, [(0, 4), (0, 8), (1, 7), (1, 11)]);
}

#[test]
fn json_lines_are_read_by_name_with_nested_values_as_json_text() {
    let mut input = csv(vec![field("n", Kind::Integer), field("t", Kind::Text), field("x", Kind::Text)]);
    input.format = FileForm::Jsonl;
    let text = concat!(
        "{\"n\": 1, \"t\": \"a\\n\\u00e9\\ud83d\\ude00\", \"x\": {\"y\": [1, 2]}}\n",
        "{\"x\":\"\",\"other\":[],\"t\":\"two\",\"n\":\"2\"}\r\n",
        "\n[1]\n{\"n\":3,}\n{\"n\":4}\n{\"t\":null,\"n\":5,\"x\":true}"
    );
    let (records, problems) = read(&input, [text.as_bytes()]);
    assert_eq!(
        rows(&records),
        [
            ["1", "a\n\u{e9}\u{1f600}", "{\"y\": [1, 2]}"],
            ["2", "two", ""],
            ["", "", ""],
            ["", "", ""],
            ["4", "", ""],
            ["5", "", "true"]
        ]
    );
    assert_eq!(problems.refused, 2);
    let shown: Vec<_> = problems.first.iter().map(|p| (p.code, p.place.row)).collect();
    assert_eq!(shown, [("input.not-an-object", Some(3)), ("input.not-json", Some(4))]);
    assert_eq!(records.columns[1].invalid.count(), 4);
}

type Everything = (Vec<Vec<String>>, Vec<(u32, u64)>, String, u64);

fn everything(input: &Input, chunks: Vec<&[u8]>) -> Everything {
    let (records, problems) = read(input, chunks);
    (
        rows(&records),
        (0..records.rows).map(|row| records.position(row)).collect(),
        format!("{problems:?}"),
        records.columns.iter().map(|column| column.invalid.count()).sum(),
    )
}

fn cut(mut bytes: &[u8], lengths: Vec<usize>) -> Vec<&[u8]> {
    let mut chunks = Vec::new();
    for length in lengths {
        let (chunk, rest) = bytes.split_at(length.min(bytes.len()));
        chunks.push(chunk);
        bytes = rest;
    }
    chunks.push(bytes);
    chunks
}

/// A time in two columns.
fn at() -> Field {
    Field { from: vec!["date".into(), "time".into()], ..field("at", Kind::Time) }
}

#[test]
fn a_field_is_read_from_several_columns_joined_by_a_blank() {
    let input = csv(vec![field("who", Kind::Text), at()]);
    let text = "time,who,date\n13:45:10,a,2024-05-01\n 00:00:00 ,b, \"2024-05-02 \"\n";
    assert_eq!(read_rows(&input, text), [["a", "2024-05-01 13:45:10"], ["b", ""]]);
    let text = "who,date,time\na,\"2024-05-01\",13:45:10\nb,2024-05-02, 00:00:00 \nc,2024-05-03,noon\nd,2024-05-04\ne,,\n";
    let (records, problems) = read(&input, [text.as_bytes()]);
    assert_eq!(
        rows(&records),
        [["a", "2024-05-01 13:45:10"], ["b", "2024-05-02 00:00:00"], ["c", ""], ["d", ""], ["e", ""]]
    );
    assert_eq!(problems.ragged_short, 1);
    assert_eq!(
        records.columns[1].first_invalid,
        [
            (2, "2024-05-03 noon".to_owned(), "field.not-a-time"),
            (3, String::new(), "field.missing"),
            (4, " ".to_owned(), "field.empty")
        ]
    );
    let lines = "{\"time\":\"13:45:10\",\"date\":\"2024-05-01\",\"who\":\"a\"}\n{\"who\":\"b\",\"date\":\"2024-05-01\"}\n";
    let input = Input { format: FileForm::Jsonl, ..input };
    assert_eq!(read_rows(&input, lines), [["a", "2024-05-01 13:45:10"], ["b", ""]]);
}

#[test]
fn columns_without_a_header_are_those_of_the_fields_in_order_of_first_mention() {
    let day = Field { from: vec!["date".into()], ..field("day", Kind::Text) };
    let fields =
        vec![field("who", Kind::Text), at(), day, field("time", Kind::Text), field("n", Kind::Integer)];
    let input = Input { header: Some(false), ..csv(fields) };
    assert_eq!(
        read_rows(&input, "a,2024-05-01,13:45:10,7\n"),
        [["a", "2024-05-01 13:45:10", "2024-05-01", "13:45:10", "7"]]
    );
}

#[test]
fn a_column_that_a_field_is_read_from_and_the_header_lacks_is_named() {
    let (records, problems) = read(&csv(vec![at()]), [b"date,hour\n2024-05-01,13\n".as_slice()]);
    assert_eq!((records.rows, records.columns[0].invalid.count()), (1, 1));
    assert_eq!(
        problems.first[0].to_string(),
        "field time: the header has no field time; it starts with date, hour; choose one of its names"
    );
}

#[test]
fn a_column_is_read_once_into_a_field() {
    let twice = Field { from: vec!["date".into(), "date".into()], ..field("at", Kind::Time) };
    assert_eq!(RecordReader::new(&csv(vec![twice])).expect_err("twice").code, "input.field-twice");
}

pub fn mixed_input(format: FileForm, header: bool) -> Input {
    let joined = Field { from: vec!["c".into(), "a".into()], ..field("d", Kind::Text) };
    let fields = vec![field("a", Kind::Text), field("b", Kind::Integer), field("c", Kind::Time), joined];
    Input { format, header: Some(header), ..csv(fields) }
}

/// Files of unbalanced quotes, line ends of every kind, byte order marks and bytes that are no text.
pub const TANGLED: &[&[u8]] = &[
    b"t,n\na,1\n\"x\"\"y\n\",-5\n",
    b"t,n\na,1\n\"x\"\"y\n\" ,-5\nb,2\n\"z\n\" c,3\n",
    b"t,\"n\nm\" o\r\n\"x\"\"y\r\n\" p,-5\r\nb,2\r",
    b"\r\n\rt,n\r\n\r\na,\"1\r\nb,2\r",
    b"t,n\r\"a\r\"b,1\r\r\xef\xbb\xbf\"c,2\r",
    b"t,n\n\xff,\xff\n\xef\xbb\xbf\n\xfe,1,2\n\"d\n\"\"\n",
    b"\xef\xbb\xbft\n\"a\"\"\"\n\xef\xbb\xbf\xef\xbb\xbfb\n,",
];

#[test]
fn problems_have_the_same_lines_and_places_for_every_cut_of_the_file() {
    let told = |input: &Input, chunks: Vec<&[u8]>| {
        let (records, problems) = read(input, chunks);
        (rows(&records), format!("{problems:?}"))
    };
    for &file in TANGLED {
        for (format, header, separator) in [
            (FileForm::Csv, true, ","),
            (FileForm::Csv, false, ","),
            (FileForm::Csv, true, "\t"),
            (FileForm::Jsonl, false, ","),
        ] {
            let fields = vec![field("t", Kind::Text), field("n", Kind::Integer)];
            let separator = Some(separator.to_owned());
            let input = Input { format, separator, header: Some(header), ..csv(fields) };
            let whole = told(&input, vec![file]);
            let halves = (1..file.len()).map(|at| cut(file, vec![at]));
            let even = (1..file.len()).map(|size| file.chunks(size).collect());
            for chunks in halves.chain(even) {
                let text = String::from_utf8_lossy(file);
                assert_eq!(told(&input, chunks.clone()), whole, "{text:?} in {chunks:?}");
            }
        }
    }
}

#[test]
fn the_line_of_a_stray_quote_counts_every_kind_of_line_end_once() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["t,n", "a,1", "\"x", "\" y,2", ""].join(end);
        let (_, problems) = read(&csv(texts(&["t", "n"])), text.as_bytes().chunks(1));
        let lines = problems.first.iter().map(|problem| (problem.code, problem.args.get(&"line").cloned()));
        let wanted =
            [("input.stray-quote", Some("3".to_owned())), ("input.unclosed-quote", Some("4".to_owned()))];
        assert!(lines.eq(wanted), "{:?}", problems.first);
    }
}

#[test]
fn the_first_problems_are_those_of_the_first_records_of_all_fields() {
    let text = format!("a,b\n{}", "\u{ff},x\nx,\u{ff}\n".repeat(30));
    let bytes: Vec<u8> = text.chars().map(|char| char as u8).collect();
    let input = csv(texts(&["a", "b"]));
    let (_, problems) = read(&input, [bytes.as_slice()]);
    let places: Vec<_> =
        problems.first.iter().map(|problem| (problem.place.row, problem.place.field.as_deref())).collect();
    let wanted: Vec<_> =
        (1..=20).map(|row| (Some(row), Some(if row % 2 == 1 { "a" } else { "b" }))).collect();
    assert_eq!(places, wanted);
    assert_eq!(problems.bad_bytes, 60);
}

/// As long as a record may be, and a little more, with the quote that stays open where the record gets too long.
#[test]
fn the_field_in_which_a_record_gets_too_long_is_the_same_for_any_cut() {
    for tail in ["\"\n", ""] {
        let text = format!("a,b\n\"1\n\",\"{}\n{tail}3,4\n", "x".repeat(17 << 20));
        let input = csv(texts(&["a", "b"]));
        let told = |size: usize| {
            let (_, problems) = read(&input, text.as_bytes().chunks(size));
            problems.first.iter().map(|problem| format!("{problem:?}")).take(1).collect::<Vec<_>>()
        };
        let whole = told(usize::MAX);
        assert!(whole[0].contains("record-too-long"), "{whole:?}");
        assert_eq!(told(1 << 20), whole);
        assert_eq!(told(12_345), whole);
    }
}

proptest! {
    #[test]
    fn records_are_the_same_for_any_cut_of_the_file(
        parts in prop::collection::vec(prop::sample::select(vec![
            "a", "b,", "\"", "\"\"", ",", "\n", "\r\n", "\u{feff}", "12", "2024-05-01 10:20:30", "\u{e9}",
            "\"x,y\"", "\n\"", "a,b,c\n", "x,1,2024-05-01 00:00:00\n", "{\"a\":\"\\u00e9\",", "\"b\":3}\n",
        ]), 0..200),
        lengths in prop::collection::vec(0usize..80, 0..60),
        header: bool, json: bool,
    ) {
        let text = parts.concat();
        let input = mixed_input(if json { FileForm::Jsonl } else { FileForm::Csv }, header);
        let whole = everything(&input, vec![text.as_bytes()]);
        prop_assert_eq!(everything(&input, cut(text.as_bytes(), lengths)), whole);
    }

    #[test]
    fn any_bytes_in_any_cut_never_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..2000),
        lengths in prop::collection::vec(0usize..200, 0..20),
        json: bool,
    ) {
        let input = mixed_input(if json { FileForm::Jsonl } else { FileForm::Csv }, true);
        let whole = everything(&input, vec![&bytes]);
        prop_assert_eq!(everything(&input, cut(&bytes, lengths)), whole);
    }
}

#[test]
fn half_a_surrogate_pair_in_json_is_the_question_mark_that_java_writes() {
    let input = Input {
        format: FileForm::Jsonl,
        separator: None,
        quote: None,
        header: None,
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields: vec![Field {
            name: "a".into(),
            kind: Kind::Text,
            format: None,
            zone: None,
            width: None,
            from: Vec::new(),
            nullable: false,
        }],
    };
    let mut reader = RecordReader::new(&input).expect("input");
    reader.push(
        br#"{"a":"x\ud800y"}
{"a":"\udc00\ud83d\ude00"}
{"a":"\ud83d\ud83d\ude00"}
{"a":"\\ud800 \"\ud800"}
"#,
    );
    reader.finish();
    let records = reader.into_records();
    let texts: Vec<String> = (0..4).map(|row| records.columns[0].text(row)).collect();
    // "x\ud800y".getBytes(UTF_8) is 78 3f 79.
    assert_eq!(texts, ["x?y", "?\u{1f600}", "?\u{1f600}", "\\ud800 \"?"]);
}
