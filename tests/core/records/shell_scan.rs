//! Shell output of a scan, read as records: transcripts of a real one, whole and broken by a terminal.

use rowscape::field::{Field, Kind};
use rowscape::ingest::{FileForm, Input, ReadProblems, RecordReader, guess};

const OLD: &str = r"hbase(main):001:0> scan 'calls'
ROW                   COLUMN+CELL
 a_1                  column=d:cell, timestamp=1500, value=A, timestamp=9
 a_1                  column=d:len, timestamp=1400, value=33
 b\x00\xFF 2          column=d:cell, timestamp=1600, value=column=x
 a-key-that-is-broken column=d:a-column-that-is-broken-too, times
 -by-its-width        tamp=1700, value=
4 row(s) in 0.0310 seconds
";
const NEW: &str = r"hbase:001:0> scan 'calls', {LIMIT => 2}
ROW  COLUMN+CELL
 x column=d:cell, timestamp=2026-01-01T12:00, value=A
 y z  column=d:cell, timestamp=2026-01-01T12:00:01.500, value=B
 y z  column=d:then, timestamp=2026-01-01T12:00:01, value=B
2 row(s)
Took 0.0123 seconds
hbase:002:0> scan 'calls', {STARTROW => 'z'}
ROW  COLUMN+CELL
 z column=d:cell, timestamp=nonsense, value=C
1 row(s)
";

/// Rows of two columns, the text cut into pieces of any length.
fn read(input: &Input, text: &str, size: usize) -> (Vec<[String; 2]>, ReadProblems) {
    let mut reader = RecordReader::new(input).unwrap();
    text.as_bytes().chunks(size).for_each(|piece| reader.push(piece));
    reader.finish();
    let problems = reader.problems().clone();
    let records = reader.into_records();
    let row = |row| <[String; 2]>::try_from(records.row_text(row)).unwrap();
    ((0..records.rows).map(row).collect(), problems)
}

/// The rows of a text as it is guessed.
fn rows(text: &str) -> Vec<[String; 2]> {
    let input = guess(text.as_bytes(), "scan.txt", None).input;
    assert_eq!(input.format, FileForm::Scan);
    let whole = read(&input, text, text.len());
    assert_eq!(whole.1.refused, 0);
    for size in [1, 7, 64] {
        assert_eq!(read(&input, text, size).0, whole.0, "pieces of {size}");
    }
    whole.0
}

fn row(key: &str, time: &str) -> [String; 2] {
    [key.into(), time.into()]
}

#[test]
fn rows_have_the_key_of_their_cells_and_the_time_of_the_oldest() {
    let old =
        [row("a_1", "1400"), row(r"b\x00\xFF 2", "1600"), row("a-key-that-is-broken-by-its-width", "1700")];
    assert_eq!(rows(OLD), old);
    let new = [row("x", "2026-01-01T12:00:00.000Z"), row("y z ", "2026-01-01T12:00:01.000Z"), row("z", "")];
    assert_eq!(rows(NEW), new);
    let logged = OLD.replace(" b\\x00", "2026-11-21 04:44:46,332 WARN  [main] ipc.Client: retrying\n b\\x00");
    assert_eq!(rows(&logged), old);
    let windows = format!("\u{feff}{}", OLD.split_once('\n').unwrap().1.replace('\n', "\r\n"));
    assert_eq!(rows(&windows), old);
}

#[test]
fn rows_without_the_line_above_them_are_read_too() {
    let below = |text: &str| text.lines().skip(2).map(|line| format!("{line}\n")).collect::<String>();
    assert_eq!(rows(&below(OLD)), rows(OLD));
    assert_eq!(rows(&below(NEW)), rows(NEW));
    // Pages of the web take spaces away.
    let bare = "r1 column=d:a, timestamp=5, value=v\nr2 column=d:a, timestamp=6, value=\n";
    assert_eq!(rows(bare), [row("r1", "5"), row("r2", "6")]);
    assert_eq!(rows(&format!("ROW COLUMN+CELL\n{bare}")), [row("r1", "5"), row("r2", "6")]);
    // Nor is what is written by hand in its columns.
    let by_hand = "ROW        COLUMN+CELL\n r1     column=d:a, timestamp=5, value=v\n";
    assert_eq!(rows(by_hand), [row("r1", "5")]);
}

#[test]
fn a_transcript_of_a_real_shell_gives_the_rows_of_its_scans() {
    let text = include_str!("../../data/existing/meta.txt");
    let rows = rows(text);
    assert_eq!(rows.len(), 3 + 164);
    for [key, time] in rows {
        assert!(
            !key.is_empty() && !key.starts_with(' ') && time.starts_with("2026-11-21T04:"),
            "{key} {time}"
        );
    }
}

#[test]
fn a_scan_that_is_cut_keeps_the_row_of_its_last_cell() {
    let cut = OLD.find(", timestamp=1600").unwrap();
    assert_eq!(rows(&OLD[..cut]), [row("a_1", "1400"), row(r"b\x00\xFF 2", "")]);
    let empty = guess(b"ROW  COLUMN+CELL\n0 row(s)\n", "scan.txt", None);
    assert_eq!(empty.problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["input.empty"]);
}

#[test]
fn keys_are_cut_at_a_separator_and_times_are_not() {
    let text = |name: &str| Field {
        name: name.into(),
        kind: Kind::Text,
        format: None,
        zone: None,
        width: None,
        from: Vec::new(),
        nullable: false,
    };
    let input = |fields: &[&str], separator: &str| Input {
        format: FileForm::Scan,
        separator: Some(separator.into()),
        quote: None,
        header: None,
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields: fields.iter().map(|name| text(name)).collect(),
    };
    let scan = "ROW  COLUMN+CELL\n a-1 column=d:c, timestamp=2026-01-01T12:00, value=-\n b-2 column=d:c, timestamp=3, value=\n";
    assert_eq!(read(&input(&["user", "number"], "-"), scan, 9).0, [row("a", "1"), row("b", "2")]);
    assert_eq!(read(&input(&["written", "user"], "-"), scan, 9).0[0], row("2026-01-01T12:00", "a"));
    assert_eq!(read(&input(&["user", "number"], ":"), scan, 9).1.ragged_short, 2);
}

#[test]
fn other_names_than_those_of_a_scan_are_told() {
    let mut input = guess(OLD.as_bytes(), "scan.txt", None).input;
    input.fields[0].name = "caller".into();
    let (_, problems) = read(&input, OLD, 64);
    assert_eq!(problems.first[0].code, "input.field-not-in-scan");
    assert_eq!(problems.first[0].args["found"], "written, key");
}

#[test]
fn nothing_else_is_taken_for_a_scan() {
    for text in ["row,column\nROW COLUMN+CELL,2\n,x\n", "key\twritten\na\t12\n", "a column=b\n"] {
        assert_eq!(guess(text.as_bytes(), "file.txt", None).input.format, FileForm::Csv, "{text}");
    }
}
