//! Files of HBase, cell by cell, against what HBase's own reader found in them (`tests/oracle` wrote both).

use rowscape::ingest::packed::{MAGIC_BYTES, PackedForm, Step, Unpacker};
use rowscape::records::formats::PackedFile;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    let given = std::env::var_os("ROWSCAPE_STORE_FILES").map(PathBuf::from);
    given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store"))
}

/// The records of a file, as the text that it becomes.
fn text(bytes: &[u8]) -> Result<String, String> {
    let form = PackedForm::told_by(&bytes[..MAGIC_BYTES.min(bytes.len())]).ok_or("no form")?;
    let mut file = PackedFile::new(form, Some(bytes.len() as u64));
    let mut text = Vec::new();
    loop {
        match file.step().map_err(|problem| problem.to_string())? {
            Step::Need(range) => {
                let (from, to) = (range.start as usize, (range.end as usize).min(bytes.len()));
                file.give(range.start, bytes[from.min(to)..to].to_vec());
            }
            Step::Text(more) => text.extend(more),
            Step::Stated => {}
            Step::End => return String::from_utf8(text).map_err(|error| error.to_string()),
        }
    }
}

/// The fields of a record.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(char),
        }
    }
    fields.push(field);
    fields
}

/// A time as the reader writes it, in milliseconds.
fn millis(text: &str) -> String {
    let format = rowscape::field::time::TimeFormat::parse("iso8601", Some("Z")).expect("a format");
    format.read(text.as_bytes()).map_or_else(|| text.to_owned(), |time| time.to_string())
}

/// A record as a line of the list beside the file.
fn line(record: &str) -> String {
    let fields = fields(record);
    let row = fields[0].replace(' ', "\\x20");
    match fields.as_slice() {
        [_, time, family, qualifier, kind, bytes] => {
            format!("{row} {family} .{qualifier} {} {kind} {bytes}", millis(time))
        }
        [_, time, cell_time, table, region, sequence, family, qualifier, kind, bytes] => {
            let cell = format!("{row} {family} .{qualifier} {} {kind} {bytes}", millis(cell_time));
            format!("{cell} {} {table} {region} {sequence}", millis(time))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_cell_is_as_hbase_reads_it() {
    let mut files = 0;
    let mut cells = 0;
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let listed = path.with_extension("cells");
        let is_file = path.extension().is_some_and(|end| end == "hfile" || end == "wal");
        if !is_file || !listed.exists() {
            continue;
        }
        let bytes = fs::read(&path).expect("a file");
        let text = text(&bytes).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
        let mut read: Vec<String> = text.lines().skip(1).map(line).collect();
        let mut expected: Vec<String> =
            fs::read_to_string(listed).expect("a list").lines().map(str::to_owned).collect();
        // The cells of an entry of a log can be in another order.
        read.sort();
        expected.sort();
        assert_eq!(read.len(), expected.len(), "{}", path.display());
        for (read, expected) in read.iter().zip(&expected) {
            assert_eq!(read, expected, "{}", path.display());
        }
        files += 1;
        cells += read.len();
    }
    println!("{cells} cells of {files} files");
    assert!(files >= 28, "{files}");
}
