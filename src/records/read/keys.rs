//! Files of row keys, read as records: each key is taken back to the fields it was made of, and becomes a line of separated values.

use super::shell::SEPARATOR;
use crate::base::Problem;
use crate::bytes::from_base64;
use crate::bytes::row::from_string_binary;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Bytes of a line that are kept. A key has a quarter of them at most; what is longer is none.
const LONGEST: usize = 1 << 18;
/// Most blanks that may end a key in a scan.
const BLANKS: &str = "    ";
/// Between the cells of a line that a key becomes.
pub(super) const BETWEEN: u8 = b',';
/// Around the cells of such a line.
pub(super) const QUOTE: u8 = b'"';

/// How row keys are written, one a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyNotation {
    /// As HBase's shell does: bytes that are not shown as `\xNN`.
    #[default]
    Escaped,
    /// Two hexadecimal digits for each byte.
    Hex,
    /// Base64.
    Base64,
}

impl KeyNotation {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Self; 3] = [Self::Escaped, Self::Hex, Self::Base64];

    fn name(self) -> &'static str {
        match self {
            Self::Escaped => "escaped",
            Self::Hex => "hex",
            Self::Base64 => "base64",
        }
    }

    /// The bytes of a key that is written so.
    ///
    /// # Errors
    /// Text that is not in this notation.
    pub fn bytes(self, text: &str) -> Result<Vec<u8>, Problem> {
        match self {
            Self::Escaped => from_string_binary(text),
            Self::Hex => hex(text).ok_or_else(|| Problem::new("key.not-hex").with("found", text)),
            Self::Base64 => {
                from_base64(text).ok_or_else(|| Problem::new("key.not-base64").with("found", text))
            }
        }
    }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = text.chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| (high * 16 + low) as u8).collect())
}

/// The row keys of a file: how they are written, and the formula that they were made by. As text both of them, with a blank between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct KeyFile {
    /// The formula of the row key over the fields of the file.
    pub rowkey: String,
    /// How the keys are written.
    pub notation: KeyNotation,
}

impl From<String> for KeyFile {
    fn from(text: String) -> Self {
        let (notation, rowkey) = text.split_once(' ').unwrap_or(("", &text));
        let known = KeyNotation::ALL.into_iter().find(|known| known.name() == notation);
        Self { rowkey: rowkey.to_owned(), notation: known.unwrap_or_default() }
    }
}

impl From<KeyFile> for String {
    fn from(KeyFile { rowkey, notation }: KeyFile) -> Self {
        format!("{} {rowkey}", notation.name())
    }
}

/// Takes row keys back to the fields they were made of.
pub trait KeyFields: Debug + Send {
    /// The names of the fields that a key tells, in the order of the cells.
    fn names(&self) -> Vec<String>;

    /// Appends the values of a key, each with what ends it.
    ///
    /// # Errors
    /// The formula cannot have made this key.
    fn read(&mut self, key: &[u8], cell: &mut dyn FnMut(&str)) -> Result<(), Problem>;
}

/// Rewrites keys as lines of separated values.
#[derive(Debug)]
pub struct KeyRows {
    fields: Box<dyn KeyFields>,
    notation: KeyNotation,
    /// True if a time and a separator stand before each key.
    timed: bool,
    /// The line that is not whole yet.
    line: Vec<u8>,
    /// Keys so far.
    met: u64,
    /// Keys that could not be read, and the problem of each.
    refused: Vec<(u64, Problem)>,
}

impl KeyRows {
    /// Keys of these fields.
    #[inline(never)]
    pub fn new(fields: Box<dyn KeyFields>, notation: KeyNotation, timed: bool) -> Self {
        Self { fields, notation, timed, line: Vec::new(), met: 0, refused: Vec::new() }
    }

    /// The columns of its lines.
    #[inline(never)]
    pub fn columns(&self) -> Vec<String> {
        let time = self.timed.then(|| super::shell::WRITTEN.to_owned());
        time.into_iter().chain(self.fields.names()).collect()
    }

    /// Rewrites the next bytes of a file.
    #[inline(never)]
    pub fn apply(&mut self, mut bytes: &[u8]) -> Vec<u8> {
        let mut lines = Vec::new();
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            self.add(bytes.get(..end).unwrap_or_default());
            self.end_line(&mut lines);
            bytes = bytes.get(end + 1..).unwrap_or_default();
        }
        self.add(bytes);
        lines
    }

    /// The line left at the end of a file.
    #[inline(never)]
    pub fn finish(&mut self) -> Vec<u8> {
        let mut lines = Vec::new();
        self.end_line(&mut lines);
        lines
    }

    /// Ready for another file.
    #[inline(never)]
    pub fn restart(&mut self) {
        self.line.clear();
        self.met = 0;
    }

    /// Takes the keys that could not be read: the number of each, from 1, and why.
    #[inline(never)]
    pub fn take_refused(&mut self) -> Vec<(u64, Problem)> {
        std::mem::take(&mut self.refused)
    }

    fn add(&mut self, bytes: &[u8]) {
        let room = LONGEST.saturating_sub(self.line.len()).min(bytes.len());
        self.line.extend_from_slice(bytes.get(..room).unwrap_or_default());
    }

    fn end_line(&mut self, lines: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_start_matches('\u{feff}').trim_end_matches('\r');
        let (time, key) = match line.split_once(char::from(SEPARATOR)) {
            Some((time, key)) if self.timed => (Some(time), key),
            _ => (None, line),
        };
        if key.is_empty() {
            return;
        }
        self.met += 1;
        let start = lines.len();
        time.into_iter().for_each(|time| push_cell(time, lines));
        let begun = lines.len();
        let mut read = |key: &str| {
            lines.truncate(begun);
            let bytes = self.notation.bytes(key)?;
            self.fields.read(&bytes, &mut |text| push_cell(text, lines))
        };
        let mut result = read(key);
        // The shell fills its columns with blanks, from which those that end a key cannot be told.
        let mut blanks = if self.timed { BLANKS } else { "" };
        while let (true, Some(fewer)) = (result.is_err(), blanks.strip_prefix(' ')) {
            blanks = fewer;
            if read(&format!("{key}{}", BLANKS.get(fewer.len()..).unwrap_or_default())).is_ok() {
                result = Ok(());
            }
        }
        match result {
            Ok(()) => {
                // The last cell ends the line.
                lines.pop();
                lines.push(b'\n');
            }
            Err(problem) => {
                lines.truncate(start);
                self.refused.push((self.met, problem));
            }
        }
    }
}

/// A cell and what ends it.
fn push_cell(text: &str, lines: &mut Vec<u8>) {
    let is_plain = |byte: u8| byte > QUOTE && byte != BETWEEN && byte != 0x7f;
    if !text.is_empty() && text.bytes().all(is_plain) {
        lines.extend_from_slice(text.as_bytes());
    } else {
        lines.push(QUOTE);
        for byte in text.bytes() {
            lines.extend(std::iter::repeat_n(byte, if byte == QUOTE { 2 } else { 1 }));
        }
        lines.push(QUOTE);
    }
    lines.push(BETWEEN);
}
