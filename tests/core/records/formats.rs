//! Packed files: the same values as the CSV of the same records, whatever is done to their bytes. How the files in
//! `tests/formats/golden` were made stands in `tests/formats/write.py`.

use rowscape::error::Problem;
use rowscape::field::{Field, Kind};
use rowscape::ingest::guess::{Guess, SaidOfFile, guess_for};
use rowscape::ingest::packed::{MAGIC_BYTES, PackedForm, Step, Unpacker, problem_of};
use rowscape::ingest::{Input, RecordReader};
use rowscape::records::Records;
use rowscape::records::formats::PackedFile;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Steps until a file has to have come to its end: none of those here has so many pieces.
const MOST_STEPS: usize = 100_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/golden")
}

pub fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).expect(name)
}

/// Each file with its CSV and the fields of its columns.
fn files() -> Vec<(String, String, Vec<Field>)> {
    let json = |name: &str| -> Value { serde_json::from_slice(&bytes(name)).expect(name) };
    let text = |entry: &Value, name: &str| entry[name].as_str().expect("text").to_owned();
    let index = json("index.json");
    let entries = index.as_array().expect("a list").iter();
    let files = entries.map(|entry| {
        let fields = json(&text(entry, "design"))["fields"].clone();
        (text(entry, "file"), text(entry, "csv"), serde_json::from_value(fields).expect("fields"))
    });
    files.collect()
}

/// A file as text, read in whatever ranges it asks for, up to a problem.
pub struct Unpacked {
    pub file: PackedFile,
    pub text: Vec<u8>,
    pub problem: Option<Problem>,
    /// Bytes that were given.
    read: u64,
    /// Bytes that were said to be wanted once the columns were chosen.
    wanted: Option<u64>,
}

pub fn unpacked(data: &[u8], fields: Option<&[Field]>, size: Option<u64>) -> Option<Unpacked> {
    let form = PackedForm::told_by(data.get(..MAGIC_BYTES)?)?;
    let mut made = Unpacked {
        file: PackedFile::new(form, size),
        text: Vec::new(),
        problem: None,
        read: 0,
        wanted: None,
    };
    for _ in 0..MOST_STEPS {
        match made.file.step() {
            Ok(Step::Need(range)) => {
                assert!(range.start < range.end, "{range:?}");
                let end = (range.end as usize).min(data.len());
                let given = data.get(range.start as usize..end).unwrap_or_default();
                made.read += given.len() as u64;
                made.file.give(range.start, given.to_vec());
            }
            Ok(Step::Stated) => {
                fields.into_iter().for_each(|fields| made.file.choose(fields));
                made.wanted = made.file.wanted();
            }
            Ok(Step::Text(text)) => made.text.extend_from_slice(&text),
            Ok(Step::End) => return Some(made),
            Err(problem) => {
                made.problem = Some(problem);
                return Some(made);
            }
        }
    }
    panic!("no end");
}

fn whole(data: &[u8], fields: Option<&[Field]>) -> Unpacked {
    let made = unpacked(data, fields, Some(data.len() as u64)).expect("a packed file");
    assert_eq!(made.problem, None);
    made
}

fn guessed(made: &Unpacked, name: &str) -> Guess {
    let stated = made.file.stated();
    let stated = stated.format.is_table().then_some(&stated);
    guess_for(&made.text, name, &SaidOfFile { stated, ..SaidOfFile::default() })
}

fn records(text: &[u8], input: &Input) -> Records {
    let mut reader = RecordReader::new(input).expect("input");
    reader.push(text);
    reader.finish();
    reader.into_records()
}

/// Every value of all records, with those that could not be read.
fn values(records: &Records) -> Vec<Vec<String>> {
    let valid = |row: usize, text: String, column: usize| {
        let invalid = records.columns.get(column).is_some_and(|column| column.invalid.get(row));
        if invalid { "invalid".to_owned() } else { text }
    };
    let texts = |row: usize| records.row_text(row).into_iter().enumerate();
    (0..records.rows).map(|row| texts(row).map(|(at, text)| valid(row, text, at)).collect()).collect()
}

#[test]
fn packed_files_hold_what_their_csv_holds() {
    for (name, csv, fields) in files() {
        let made = whole(&bytes(&name), Some(&fields));
        let guess = guessed(&made, &name);
        let input = Input { fields: fields.clone(), ..guess.input.clone() };
        let csv = bytes(&csv);
        let plain = guess_for(&csv, "all.csv", &SaidOfFile { header: Some(true), ..SaidOfFile::default() });
        let expected = records(&csv, &Input { fields, ..plain.input });
        let found = records(&made.text, &input);
        assert_eq!(found.rows, 40, "{name}");
        let (found, expected) = (values(&found), values(&expected));
        for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{name}, row {row}");
        }
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn types_are_those_that_the_file_states() {
    for (name, _, fields) in files().into_iter().filter(|(name, ..)| !name.ends_with(".zst")) {
        let guess = guessed(&whole(&bytes(&name), None), &name);
        for field in &fields {
            let found = guess.fields.iter().find(|found| found.field.name == field.name).expect(&field.name);
            let is_uuid = field.name == "id" && found.field.kind == Kind::Bytes;
            assert!(found.field.kind == field.kind || is_uuid, "{name}: {found:?}");
            assert_eq!(found.code, "guess.stated");
        }
        let left_out =
            guess.problems.iter().filter(|problem| problem.code == "input.columns-left-out").count();
        assert_eq!(left_out, usize::from(name.starts_with("nested")), "{name}");
    }
}

/// A value of a column in its own order.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
enum Ordered {
    Number(i128),
    Float(f64),
    Bytes(Vec<u8>),
}

fn ordered(kind: Kind, text: &str) -> Ordered {
    match kind {
        Kind::Integer | Kind::Decimal => Ordered::Number(text.replace('.', "").parse().expect(text)),
        Kind::Float => Ordered::Float(text.replace("Infinity", "inf").parse().expect(text)),
        Kind::Bytes if text.contains("\\x") => Ordered::Bytes(from_shell(text)),
        // A file can have more digits of a second than its CSV.
        Kind::Time if text.contains('.') => {
            Ordered::Bytes(text.trim_end_matches('Z').trim_end_matches('0').trim_end_matches('.').into())
        }
        _ => Ordered::Bytes(text.trim_end_matches('Z').into()),
    }
}

/// The bytes that the shell's notation stands for.
fn from_shell(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let first = parts.next().unwrap_or_default().as_bytes().to_vec();
    parts.fold(first, |mut all, part| {
        all.push(u8::from_str_radix(&part[..2], 16).expect(part));
        all.extend_from_slice(&part.as_bytes()[2..]);
        all
    })
}

#[test]
fn what_a_footer_states_of_values_is_true_of_them() {
    let mut compared = BTreeSet::new();
    for (name, csv, fields) in files() {
        let guess = guessed(&whole(&bytes(&name), Some(&fields)), &name);
        if !name.ends_with(".parquet") {
            assert!(guess.fields.iter().all(|field| field.range.is_none()), "{name}");
            continue;
        }
        assert_eq!(guess.rows, Some(40), "{name}");
        assert!(guess.groups.expect("row groups") >= 1, "{name}");
        let csv = bytes(&csv);
        let plain = guess_for(&csv, "all.csv", &SaidOfFile { header: Some(true), ..SaidOfFile::default() });
        let texts = plain.input.fields.iter().map(|field| Field { kind: Kind::Text, ..field.clone() });
        let all = records(&csv, &Input { fields: texts.collect(), ..plain.input });
        for (at, column) in all.columns.iter().enumerate() {
            let field =
                guess.fields.iter().find(|found| found.field.name == column.field.name).expect("column");
            let Some(range) = &field.range else { continue };
            let values: Vec<String> = (0..all.rows).map(|row| all.row_text(row).swap_remove(at)).collect();
            let place = format!("{name}, {}", field.field.name);
            if !matches!(field.field.kind, Kind::Text | Kind::Bytes) {
                let missing = values.iter().filter(|value| value.is_empty()).count() as u64;
                assert_eq!(range.missing, Some(missing), "{place}");
            }
            let (Some(least), Some(most)) = (&range.least, &range.most) else { continue };
            let own = |text: &str| ordered(field.field.kind, text);
            let is_value = |text: &&String| !text.is_empty() && *text != "NaN";
            let held: Vec<Ordered> = values.iter().filter(is_value).map(|text| own(text)).collect();
            let first = held.iter().min_by(|one, other| one.partial_cmp(other).expect("an order"));
            let last = held.iter().max_by(|one, other| one.partial_cmp(other).expect("an order"));
            // Missing texts and empty ones look alike in a CSV.
            let is_empty = matches!(field.field.kind, Kind::Text | Kind::Bytes) && least.is_empty();
            assert!(is_empty || first == Some(&own(least)), "{place}: {least} {first:?}");
            assert_eq!(last, Some(&own(most)), "{place}");
            compared.insert(format!("{:?}", field.field.kind));
        }
    }
    assert_eq!(compared.len(), 7, "{compared:?}");
}

#[test]
fn only_wanted_columns_are_read() {
    let data = bytes("snappy-v1.parquet");
    let field =
        |name: &str| serde_json::from_value::<Field>(serde_json::json!({ "name": name, "type": "integer" }));
    let two = [field("int8").expect("field"), field("count").expect("field")];
    let made = whole(&data, Some(&two));
    assert!(made.text.starts_with(b"int8,count\n-128,9007199254740993\n"));
    let wanted = made.wanted.expect("known");
    assert_eq!(made.file.wanted(), Some(wanted));
    let footer = made.read - wanted;
    assert!(
        wanted < 1_000 && wanted < data.len() as u64 / 4,
        "{wanted} bytes of columns, {footer} of the footer"
    );
    // None of them is there: records are counted all the same.
    let none = whole(&data, Some(&[field("nowhere").expect("field")]));
    let input = Input { fields: two.to_vec(), ..guessed(&whole(&data, None), "a.parquet").input };
    assert_eq!(records(&none.text, &input).rows, 40);
}

#[test]
fn streams_are_read_without_knowing_their_size() {
    for name in ["zstd.arrows", "lz4.arrow", "snappy.avro", "all.csv.zst"] {
        let data = bytes(name);
        let made = unpacked(&data, None, None).expect(name);
        assert_eq!(made.problem, None, "{name}");
        assert_eq!(made.text, whole(&data, None).text, "{name}");
    }
}

#[test]
fn files_that_end_too_early_are_told() {
    for (name, ..) in files() {
        let data = bytes(&name);
        for end in (MAGIC_BYTES..data.len()).step_by(data.len() / 150 + 1) {
            let made = unpacked(&data[..end], None, Some(end as u64)).expect("a packed file");
            // A stream may end between two messages, and so may a file of blocks or frames.
            let may_end = !name.ends_with(".parquet") && !name.ends_with(".arrow");
            assert!(may_end || made.problem.is_some(), "{name} cut at {end}");
            assert!(made.text.len() <= whole(&data, None).text.len(), "{name} cut at {end}");
        }
    }
}

#[test]
fn damaged_files_are_read_or_refused_and_nothing_else() {
    let mut told = std::collections::BTreeMap::<&str, usize>::new();
    for (name, ..) in files() {
        let data = bytes(&name);
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        for _ in 0..400 {
            let mut broken = data.clone();
            for _ in 0..=random(3) {
                // The end of a file says where all else is.
                let near_end = random(2) == 0;
                let from =
                    if near_end { data.len().saturating_sub(600).max(MAGIC_BYTES) } else { MAGIC_BYTES };
                let at = from + random(data.len() - from);
                broken[at] = [0, 0xff, 0x7f, 0x80, random(256) as u8][random(5)];
            }
            let made = unpacked(&broken, None, Some(broken.len() as u64)).expect("a packed file");
            if let Some(problem) = made.problem {
                assert!(!problem.sentence().contains('{'), "{name}: {problem}");
                let json = rowscape::json::text(&problem);
                assert_eq!(
                    problem_of(&json).map(|told| told.with("rows", 0).sentence()),
                    Some(problem.sentence()),
                    "{name}"
                );
                *told.entry(problem.code).or_default() += 1;
            }
        }
    }
    assert!(told["input.broken-table"] > 500, "{told:?}");
    // Text in zstd.
    assert!(told["input.broken-gzip"] > 10, "{told:?}");
}

#[test]
fn damage_is_told_with_its_place() {
    let data = bytes("snappy-v1.parquet");
    let mut broken = data.clone();
    broken[30..400].fill(0xee);
    let made = unpacked(&broken, None, Some(broken.len() as u64)).expect("a packed file");
    let problem = made.problem.expect("damage");
    assert_eq!(problem.code, "input.broken-table");
    assert_eq!(
        (problem.args["place"].as_str(), problem.args["format"].as_str()),
        ("row group 1, column text", "Parquet")
    );
}

#[test]
fn row_groups_can_be_read_apart() {
    let data = bytes("groups.parquet");
    let all = whole(&data, None);
    let rows = all.file.group_rows();
    assert_eq!(rows.iter().sum::<u64>(), 40);
    assert!(rows.len() > 5, "{rows:?}");
    let input = guessed(&all, "groups.parquet").input;
    let begun = |text: &[u8]| {
        let mut reader = RecordReader::new(&input).expect("input");
        reader.next_file("groups.parquet");
        reader.push(text);
        reader
    };
    let mut alone = begun(&all.text);
    alone.finish();
    let header = all.text.split_inclusive(|&byte| byte == b'\n').next().expect("a header");
    for count in 1..=rows.len() {
        let cuts: Vec<usize> = (0..=count).map(|cut| cut * rows.len() / count).collect();
        let texts = cuts.windows(2).map(|cut| {
            let text = of_groups(&data, cut[0]..cut[1]);
            text[header.len()..].to_vec()
        });
        let texts: Vec<Vec<u8>> = texts.collect();
        assert_eq!([header, texts.concat().as_slice()].concat(), all.text, "{count}");
        let mut reader = begun(&[header, texts[0].as_slice()].concat());
        for text in &texts[1..] {
            let mut apart = begun(header).apart_from(0).expect("a reader of its own");
            apart.push(text);
            assert!(reader.take_in_form(&apart.piece_form().expect("complete")), "{count}");
        }
        reader.finish();
        assert_eq!(format!("{:?}", reader.problems()), format!("{:?}", alone.problems()));
        assert_eq!(reader.bytes(), alone.bytes());
        assert_eq!(format!("{:?}", reader.records()), format!("{:?}", alone.records()), "{count}");
    }
}

/// The text of these row groups, with a header.
fn of_groups(data: &[u8], groups: std::ops::Range<usize>) -> Vec<u8> {
    let mut file = PackedFile::new(PackedForm::Parquet, Some(data.len() as u64));
    let mut all = Vec::new();
    loop {
        match file.step().expect("a sound file") {
            Step::Need(range) => {
                let given = data[range.start as usize..range.end as usize].to_vec();
                file.give(range.start, given);
            }
            Step::Stated => file.only(groups.clone()),
            Step::Text(text) => all.extend_from_slice(&text),
            Step::End => return all,
        }
    }
}
