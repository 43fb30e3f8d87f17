//! Files that are not what they should be: never a panic, always something said.

use rowscape::field::{Field, Kind};
use rowscape::ingest::{FileForm, Input, ReadProblems, RecordReader};
use rowscape::records::Records;

fn input(names: &[&str]) -> Input {
    let field = |name: &&str| Field {
        name: (*name).into(),
        kind: Kind::Text,
        format: None,
        zone: None,
        width: None,
        from: Vec::new(),
        nullable: false,
    };
    Input {
        format: FileForm::Csv,
        separator: None,
        quote: None,
        header: None,
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields: names.iter().map(field).collect(),
    }
}

fn read(input: &Input, bytes: &[u8]) -> (Records, ReadProblems) {
    let mut reader = RecordReader::new(input).unwrap();
    bytes.chunks(100_003).for_each(|chunk| reader.push(chunk));
    reader.finish();
    let problems = reader.problems().clone();
    (reader.into_records(), problems)
}

fn codes(problems: &ReadProblems) -> Vec<&'static str> {
    problems.first.iter().map(|problem| problem.code).collect()
}

#[test]
fn an_empty_file_is_said_to_be_empty() {
    for bytes in [b"".as_slice(), b"\xef\xbb\xbf", b"\n\r\n\n"] {
        let (records, problems) = read(&input(&["a"]), bytes);
        assert_eq!((records.rows, codes(&problems)), (0, vec!["input.empty"]));
    }
}

#[test]
fn a_header_alone_holds_no_records_and_that_is_said() {
    let (records, problems) = read(&input(&["a", "b"]), b"a,b");
    assert_eq!((records.rows, codes(&problems)), (0, vec!["input.empty"]));
}

#[test]
fn binary_junk_is_read_to_the_end_and_lacks_every_field() {
    let mut state = 1u32;
    let junk: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(3 << 20)
    .collect();
    let (records, problems) = read(&input(&["a"]), &junk);
    assert_eq!(codes(&problems)[0], "input.field-not-in-header");
    assert_eq!(records.columns[0].invalid.count(), records.rows as u64);
}

#[test]
fn a_line_of_ten_megabytes_is_an_ordinary_record() {
    let mut text = b"a,b\n1,".to_vec();
    text.resize(10 << 20, b'x');
    text.extend_from_slice(b"\n2,y\n");
    let (records, problems) = read(&input(&["a", "b"]), &text);
    assert_eq!((records.rows, problems.refused), (2, 0));
    assert_eq!(records.row_text(0)[1].len(), (10 << 20) - 6);
    assert_eq!(records.row_text(1), ["2", "y"]);
}

#[test]
fn a_line_of_twenty_megabytes_is_refused_with_its_position_and_reading_goes_on() {
    let mut text = b"a,b\n0,z\n1,".to_vec();
    text.resize(20 << 20, b'x');
    text.extend_from_slice(b"\n2,y\n");
    let (records, problems) = read(&input(&["a", "b"]), &text);
    assert_eq!((records.rows, problems.refused), (3, 1));
    assert!(records.unread.get(1) && records.columns[0].invalid.get(1));
    let problem = &problems.first[0];
    assert_eq!((problem.code, problem.place.row), ("input.record-too-long", Some(2)));
    assert_eq!((problem.args["offset"].as_str(), problem.args["line"].as_str()), ("8", "3"));
    assert_eq!(records.row_text(2), ["2", "y"]);
    assert_eq!(records.position(2), (0, (20 << 20) + 1));
}

#[test]
fn a_quote_that_is_never_closed_costs_its_line_in_a_long_file_too() {
    let rows = 2_000_000;
    let mut text = b"a,b\n0,\"z\n".to_vec();
    text.extend(b"12345678,x\n".repeat(rows));
    let (records, problems) = read(&input(&["a", "b"]), &text);
    assert_eq!((records.rows, problems.refused), (rows + 1, 1));
    assert_eq!(codes(&problems), ["input.record-too-long"]);
    assert_eq!(problems.first[0].args["line"], "2");
}

#[test]
fn five_thousand_columns_are_read() {
    let names: Vec<String> = (0..5000).map(|index| format!("c{index}")).collect();
    let header = names.join(",");
    let row = (0..5000).map(|index| index.to_string()).collect::<Vec<_>>().join(",");
    let text = format!("{header}\n{row}\n{row}\n");
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let (records, _) = read(&input(&all), text.as_bytes());
    assert_eq!((records.rows, records.row_text(1)[4999].as_str()), (2, "4999"));
    let (records, _) = read(&input(&["c4999", "c7"]), text.as_bytes());
    assert_eq!(records.row_text(0), ["4999", "7"]);
}

#[test]
fn a_header_of_millions_of_equal_names_ends() {
    let text = "a,".repeat(2_000_000) + "a\n1,2\n";
    let (records, problems) = read(&input(&["a"]), text.as_bytes());
    assert_eq!((records.rows, problems.ragged_short), (1, 1));
}

#[test]
fn utf_16_is_read_by_its_mark() {
    let text: Vec<u8> = "\u{feff}a,b\n1,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (records, problems) = read(&input(&["a", "b"]), &text);
    assert_eq!((records.row_text(0), codes(&problems)), (vec!["1".into(), "2".into()], vec![]));
}

#[test]
fn latin_1_values_are_invalid_but_their_neighbours_are_not() {
    let (records, _) = read(&input(&["a", "b"]), b"a,b\nJos\xe9,1\nAnn,2\n");
    assert_eq!(records.columns[0].first_invalid, [(0, "Jos\u{fffd}".into(), "field.not-utf8")]);
    assert_eq!(records.row_text(0), ["", "1"]);
    assert_eq!(records.columns[1].invalid.count(), 0);
}

#[test]
fn nul_bytes_are_bytes_like_others() {
    let (records, _) = read(&input(&["a", "b"]), b"a,b\n\0,1\0\n");
    assert_eq!(records.row_text(0), ["\0", "1\0"]);
}

#[test]
fn a_file_of_which_every_record_is_refused_says_how_many() {
    let input = Input { format: FileForm::Jsonl, ..input(&["a"]) };
    let (records, problems) = read(&input, "not json\n".repeat(1000).as_bytes());
    assert_eq!((records.rows, problems.refused, problems.first.len()), (1000, 1000, 20));
    assert_eq!(problems.first[19].place.row, Some(20));
}

#[test]
fn impossible_forms_are_refused() {
    let with = |separator: Option<&str>, quote: Option<&str>| Input {
        separator: separator.map(str::to_owned),
        quote: quote.map(str::to_owned),
        ..input(&["a"])
    };
    for (input, code) in [
        (with(Some(""), None), "input.bad-separator"),
        (with(Some(",,"), None), "input.bad-separator"),
        (with(Some("\n"), None), "input.bad-separator"),
        (with(Some("\""), None), "input.bad-separator"),
        (with(None, Some("''")), "input.bad-quote"),
        (input(&["a", "a"]), "input.field-twice"),
    ] {
        assert_eq!(RecordReader::new(&input).err().map(|problem| problem.code), Some(code));
    }
}
