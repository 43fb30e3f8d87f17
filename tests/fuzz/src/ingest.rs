//! Files: the same records however the file is cut into chunks.

use rowscape::hbase::row_keys::{guess_file, guess_keys, guess_with_records};
use rowscape::ingest::guess::SaidOfFile;
use rowscape::ingest::{FileForm, Input, RecordReader, guess as guess_of};
use rowscape::keys::reader::reader_of;
use rowscape::records::Records;

/// The records of a file that comes in chunks of these sizes, over and over.
pub fn read(input: &Input, file: &[u8], sizes: &[usize]) -> Option<(Records, String)> {
    let mut reader = RecordReader::new(input).ok()?;
    let mut rest = file;
    for size in sizes.iter().cycle() {
        let (chunk, after) = rest.split_at(rest.len().min(*size));
        reader.push(chunk);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    reader.finish();
    let problems = format!("{:?}", reader.problems());
    Some((reader.into_records(), problems))
}

/// All rows as texts, with where they stand.
fn rows(records: &Records) -> Vec<(Vec<String>, (u32, u64))> {
    (0..records.rows).map(|row| (records.row_text(row), records.position(row))).collect()
}

/// Shell output of a scan, which has the same fields everywhere.
const SCAN: &[u8] = b"ROW  COLUMN+CELL\n r column=a:b, timestamp=1, value=c\n";

/// The first byte chooses the form, the second the chunks.
pub fn ingest(data: &[u8]) {
    let [form, chunk, file @ ..] = data else { return };
    let flag = |bit: u8| form >> bit & 1 == 1;
    let fields = super::language::fields();
    let (format, fields) = match (flag(4), flag(0)) {
        (true, _) => (FileForm::Scan, guess_of(SCAN, "scan.txt", None).input.fields),
        (_, true) => (FileForm::Jsonl, fields),
        _ => (FileForm::Csv, fields),
    };
    let input = Input {
        format,
        separator: flag(1).then(|| "\t".to_owned()),
        quote: flag(2).then(String::new),
        header: flag(3).then_some(false),
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields,
    };
    let Some(whole) = read(&input, file, &[usize::MAX]) else { return };
    let cut = usize::from(*chunk);
    let Some(pieces) = read(&input, file, &[cut % 7 + 1, cut / 7 + 1]) else { panic!("read once") };
    assert_eq!(whole.1, pieces.1);
    assert_eq!(rows(&whole.0), rows(&pieces.0));
}

/// A guessed format can be read.
pub fn guess(data: &[u8]) {
    let found = guess_of(data, "file.csv", None);
    if !found.gzip {
        RecordReader::new(&found.input).unwrap_or_else(|problem| panic!("{:?}: {problem}", found.input));
        read(&found.input, data, &[usize::MAX]);
    }
    with_records(data);
    let keys = guess_keys(data, "keys.txt", &SaidOfFile::default(), true).guess.input;
    if keys.keys.is_some() {
        let mut reader = reader_of(&keys).unwrap_or_else(|problem| panic!("{keys:?}: {problem}"));
        reader.push(data);
        reader.finish();
    }
}

/// Records, a zero byte, row keys: a formula that is found makes some of them.
fn with_records(data: &[u8]) {
    let Some(end) = data.iter().position(|&byte| byte == 0) else { return };
    let (file, keys) = (&data[..end], &data[end + 1..]);
    let guess = guess_of(file, "file.csv", None);
    if guess.gzip {
        return;
    }
    let Some((records, _)) = read(&guess.input, file, &[usize::MAX]) else { return };
    let said = SaidOfFile::default();
    let found = guess_file(keys, "keys.txt", &said, true);
    if let Some((_, made)) = guess_with_records(keys, &said, &found, &records) {
        assert!(made.made > 0 && made.made <= made.keys);
    }
}
