//! Row keys in the output of a scan of HBase's shell, and the split points of the table that was scanned.

use super::found::FoundKeys;
use super::parts::{KeyField, KnownOfKeys, built_of};
use super::{FileGuess, SAMPLE};
use crate::bytes::row::{from_string_binary, to_string_binary};
use crate::design::FirstSplits;
use crate::hbase::existing;
use crate::records::guess::Guess;
use crate::records::read::{FileForm, Input, shell};

/// How the keys of a scan are built. The output may end in the middle of its last row.
// As for keys that are lines.
#[inline(never)]
pub(super) fn guess(text: &str, guess: Guess, is_cut: bool) -> FileGuess {
    let keys = keys_of(text, is_cut);
    let lines: Vec<&str> = keys.iter().take(SAMPLE).map(String::as_str).collect();
    // Bytes that are no text may come later.
    let (mut parts, mut keys) = built_of(&lines, &KnownOfKeys { name: None, escaped: is_cut });
    if let ([only], None) = (parts.as_mut_slice(), keys.separator)
        && only.field.name != shell::KEY
    {
        // Keys without separators are read as one column.
        only.field.from = vec![shell::KEY.to_owned()];
    }
    let written = guess.fields.iter().find(|of| of.field.name == shell::WRITTEN).cloned();
    keys.arrival = written.as_ref().map(|of| of.field.name.clone());
    let fields: Vec<_> = parts.into_iter().map(KeyField::guessed).chain(written).collect();
    let input = Input {
        separator: keys.separator.map(String::from),
        fields: fields.iter().map(|of| of.field.clone()).collect(),
        ..guess.input
    };
    FileGuess { guess: Guess { input, fields, ..guess }, keys: Some(keys), evidence: Vec::new() }
}

/// Keys of a scan whose parts were found in their bytes.
pub(super) fn of_found(found: FoundKeys, plain: FileGuess) -> FileGuess {
    let written = plain.guess.fields.iter().find(|of| of.field.name == shell::WRITTEN).cloned();
    let splits = plain.keys.as_ref().map(|keys| keys.splits.clone());
    let mut file = plain.with_found(found, FileForm::Scan, false);
    if let Some(keys) = &mut file.keys {
        keys.arrival = written.as_ref().map(|of| of.field.name.clone());
        if let Some(points @ FirstSplits::Points(_)) = splits {
            keys.splits = points;
        }
    }
    file.guess.input.fields.extend(written.iter().map(|of| of.field.clone()));
    file.guess.fields.extend(written);
    file
}

/// The first keys, in the notation of the shell.
pub(super) fn keys_of(text: &str, is_cut: bool) -> Vec<String> {
    let rows = shell::rows(text);
    let whole = rows.len().saturating_sub(usize::from(is_cut));
    // Characters that are not ASCII are escaped, as newer shells do.
    let written = |key: String| {
        let bytes = if key.is_ascii() { from_string_binary(&key).ok() } else { None };
        bytes.map_or_else(|| escaped(&key), |bytes| to_string_binary(&bytes))
    };
    rows.into_iter().take(whole).map(|(key, _)| written(key)).collect()
}

/// A text in which all but ASCII is escaped.
fn escaped(text: &str) -> String {
    let mut bytes = [0; 4];
    let of = |char: char| match char.is_ascii() {
        true => char.to_string(),
        false => to_string_binary(char.encode_utf8(&mut bytes).as_bytes()),
    };
    text.chars().map(of).collect()
}

/// The split points of the table that was scanned, where the shell printed them too.
pub(super) fn points_of(text: &str) -> Option<FirstSplits> {
    let is_creation = |line: &str| {
        line.split("create ").skip(1).any(|after| after.trim_start_matches(' ').starts_with(['\'', '"']))
    };
    let shows_points = |line: &str| {
        line.starts_with("Total number of splits = ") || line.contains("START_KEY") || is_creation(line)
    };
    if !text.lines().any(shows_points) {
        return None;
    }
    let scanned = text.lines().find_map(scanned_table);
    let tables = existing::read(text, None).tables.into_iter().filter(|table| !table.points.is_empty());
    let mut own =
        tables.filter(|table| table.name.is_empty() || scanned.is_none_or(|name| name == table.name));
    own.next().map(|table| FirstSplits::Points(table.points))
}

/// The table that a command scans, in a line with the prompt of the shell before it.
fn scanned_table(line: &str) -> Option<&str> {
    let commands = line.strip_prefix("hbase")?.split('>').skip(1);
    let mut scans = commands.filter_map(|command| command.trim_start_matches(' ').strip_prefix("scan "));
    let name = scans.next()?.trim_start_matches(' ').strip_prefix(['\'', '"'])?;
    name.split(['\'', '"']).next().filter(|name| !name.is_empty())
}
