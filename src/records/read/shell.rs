//! Output of a scan in HBase's shell, read as lines: the key of a row, and when its oldest cell was written.

use super::cells::{ShellCell, ShellCells, is_end};

/// The column of the time that the oldest cell of a row was written at.
pub const WRITTEN: &str = "written";
/// The column of the row key, where it is not cut into parts.
pub const KEY: &str = "key";
/// Between the columns of a line. In what the shell prints such bytes are escaped.
pub const SEPARATOR: u8 = 0x01;
/// Stands for bytes that are no text. The shell prints no such character of a row.
const NO_TEXT: char = '\u{10ffff}';
/// Bytes looked at of a line: a row and the beginning of a cell.
const LONGEST: usize = 1 << 20;

/// True if a text holds cells of a scan, with or without the line of names above them.
pub fn is_scan(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| ShellCells::new().begins_at(line))
        || text.lines().any(|line| ShellCells::below(line).is_some())
}

/// The rows of a text: of each its key and its time.
pub fn rows(text: &str) -> Vec<(String, String)> {
    let mut rows = ScanRows::new(None);
    let lines = [rows.apply(text.as_bytes()), rows.finish()].concat();
    let lines = String::from_utf8_lossy(&lines).into_owned();
    let columns = lines.lines().filter_map(|line| line.split_once(char::from(SEPARATOR)));
    columns.map(|(time, key)| (key.to_owned(), time.to_owned())).collect()
}

/// Rewrites the text of a scan as one line for each row: its time, and its key in the notation of the shell.
#[derive(Debug)]
pub struct ScanRows {
    /// Between the parts of a key, each of which becomes a column.
    parts: Option<u8>,
    cells: ShellCells,
    /// The line that is not whole yet.
    line: Vec<u8>,
    /// The row that may go on in the next cell: its key and its time.
    row: Option<(String, String)>,
}

impl ScanRows {
    /// Rows whose keys are to be cut at a separator.
    pub fn new(parts: Option<u8>) -> Self {
        Self { parts, cells: ShellCells::new(), line: Vec::new(), row: None }
    }

    /// The columns of its lines, of which these are to be read.
    pub fn columns(&self, read: &[String]) -> Vec<String> {
        let parts = read.iter().map(String::as_str).filter(|&name| name != WRITTEN);
        let key = if self.parts.is_some() { parts.collect() } else { vec![KEY] };
        std::iter::once(WRITTEN).chain(key).map(str::to_owned).collect()
    }

    /// Rewrites the next bytes of a file.
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

    /// The lines left at the end of a file. The next bytes are those of another.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut lines = Vec::new();
        self.end_line(&mut lines);
        self.end_scan(&mut lines);
        self.restart();
        lines
    }

    /// Forgets the row under way.
    pub fn restart(&mut self) {
        *self = Self::new(self.parts);
    }

    fn add(&mut self, bytes: &[u8]) {
        let room = LONGEST.saturating_sub(self.line.len()).min(bytes.len());
        self.line.extend_from_slice(bytes.get(..room).unwrap_or_default());
    }

    fn end_line(&mut self, lines: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.line);
        let mut text = String::with_capacity(line.len());
        for chunk in line.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend((!chunk.invalid().is_empty()).then_some(NO_TEXT));
        }
        let line = text.trim_start_matches('\u{feff}').trim_end_matches('\r');
        if let Some(cells) = ShellCells::below(line) {
            self.end_scan(lines);
            self.cells = cells;
        } else if is_end(line) {
            self.end_scan(lines);
        } else if let Some(cell) = self.cells.line(0, line) {
            self.take(cell, lines);
        }
    }

    fn end_scan(&mut self, lines: &mut Vec<u8>) {
        if let Some(cell) = self.cells.finish() {
            self.take(cell, lines);
        }
        self.end_row(lines);
    }

    fn take(&mut self, cell: ShellCell, lines: &mut Vec<u8>) {
        let time = cell.parts().map_or("", |(_, time, _)| time);
        match &mut self.row {
            Some((key, oldest)) if *key == cell.row => {
                if is_before(time, oldest) {
                    time.clone_into(oldest);
                }
            }
            _ => {
                let time = time.to_owned();
                self.end_row(lines);
                self.row = Some((cell.row, time));
            }
        }
    }

    fn end_row(&mut self, lines: &mut Vec<u8>) {
        let Some((key, time)) = self.row.take() else { return };
        lines.extend_from_slice(time.as_bytes());
        lines.push(SEPARATOR);
        for char in key.chars() {
            match u8::try_from(char).ok().filter(u8::is_ascii) {
                Some(byte) => lines.push(if Some(byte) == self.parts { SEPARATOR } else { byte }),
                // The reader then tells that it is no text.
                None if char == NO_TEXT => lines.push(0xff),
                None => lines.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        lines.push(b'\n');
    }
}

/// True if a time is before another: milliseconds as older shells print them, or dates as newer ones do.
fn is_before(time: &str, other: &str) -> bool {
    match (time.parse::<i64>(), other.parse::<i64>()) {
        (Ok(time), Ok(other)) => time < other,
        _ => !time.is_empty() && (time < other || other.is_empty()),
    }
}
