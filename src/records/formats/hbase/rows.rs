//! Cells as records: one for each cell of an HFile or of a write-ahead log.

use super::cell::Cell;
use super::hfile::HFile;
use super::wal::{Wal, WalEntry, WalMark, WalVisitor};
use crate::records::formats::feed::{Feed, Halt};
use crate::records::formats::table::{Chosen, Columns, Table};
use crate::records::formats::text::{end_record, field};
use crate::records::formats::value::{Meaning, Stored, TimeUnit, escaped};

/// Bytes of text of a portion.
const BYTES: usize = 1 << 20;

/// A fact about a cell.
type Fact = for<'a> fn(&Cell<'a>, &'a WalEntry, &'a mut Vec<u8>) -> Stored<'a>;

/// A column: its name, the name of its type, its meaning, and what it says.
type CellColumn = (&'static str, &'static str, Meaning, Fact);

const TIME: Meaning = Meaning::Timestamp(TimeUnit::Millis, true);

/// Columns of a cell of a table.
const OF_CELL: [CellColumn; 6] = [
    ("row", "bytes", Meaning::Binary, |cell, _, _| Stored::Bytes(cell.row)),
    ("time", "time", TIME, |cell, _, _| Stored::Integer(cell.time)),
    ("family", "text", Meaning::Text, |cell, _, text| shown(cell.family, text)),
    ("qualifier", "text", Meaning::Text, |cell, _, text| shown(cell.qualifier, text)),
    ("type", "text", Meaning::Text, |cell, _, _| Stored::Bytes(cell.kind_name().as_bytes())),
    ("bytes", "number", Meaning::Integer, |cell, _, _| Stored::Integer(cell.bytes() as i64)),
];

/// Columns of an entry of a log. The time is that of the write; that of the cell has a column of its own.
const OF_ENTRY: [CellColumn; 5] = [
    ("time", "time", TIME, |_, entry, _| Stored::Integer(entry.time)),
    ("cell_time", "time", TIME, |cell, _, _| Stored::Integer(cell.time)),
    ("table", "text", Meaning::Text, |_, entry, text| shown(&entry.table, text)),
    ("region", "text", Meaning::Text, |_, entry, text| shown(&entry.region, text)),
    ("sequence", "number", Meaning::Integer, |_, entry, _| Stored::Integer(entry.sequence as i64)),
];

/// Bytes in the notation of HBase's shell.
fn shown<'a>(bytes: &[u8], text: &'a mut Vec<u8>) -> Stored<'a> {
    text.clear();
    escaped(bytes, text);
    Stored::Bytes(text)
}

/// The file that cells are read from.
#[derive(Debug)]
enum Source {
    HFile(Box<HFile>),
    Wal(Box<Wal>),
}

/// Reads the cells of a file as records.
#[derive(Debug)]
pub struct CellFile {
    source: Source,
    rows: Rows,
}

/// Records on their way to the reader.
#[derive(Debug, Default)]
struct Rows {
    columns: Vec<CellColumn>,
    /// Columns that are wanted, and whether their bytes are text.
    chosen: Vec<(CellColumn, bool)>,
    text: Vec<u8>,
    held: Vec<u8>,
    entry: WalEntry,
    halt: Option<Halt>,
}

impl CellFile {
    /// For an HFile.
    pub fn of_hfile() -> Self {
        Self { source: Source::HFile(Box::default()), rows: Rows::of(OF_CELL.to_vec()) }
    }

    /// For a write-ahead log.
    pub fn of_wal() -> Self {
        let [row, _, rest @ ..] = OF_CELL;
        let columns = [&[row][..], &OF_ENTRY, &rest].concat();
        Self { source: Source::Wal(Box::default()), rows: Rows::of(columns) }
    }

    /// Reads what the file states.
    pub fn open(&mut self, feed: &mut Feed) -> Result<Table, Halt> {
        let rows = match &mut self.source {
            Source::HFile(file) => {
                file.open(feed)?;
                file.info.as_ref().map(|info| info.cells)
            }
            Source::Wal(log) => {
                log.open(feed)?;
                None
            }
        };
        let mut columns = Columns::default();
        for (name, kind, meaning, _) in &self.rows.columns {
            columns.add(name, (*kind).to_owned(), Some(*meaning));
        }
        Ok(Table { columns, rows, ..Table::default() })
    }

    /// Reads only these columns.
    pub fn choose(&mut self, chosen: &[Chosen]) {
        let columns = &self.rows.columns;
        let chosen = chosen.iter().filter_map(|chosen| Some((*columns.get(chosen.column)?, chosen.as_text)));
        self.rows.chosen = chosen.collect();
    }

    /// The next records; `None` at the end.
    pub fn records(&mut self, feed: &mut Feed) -> Result<Option<Vec<u8>>, Halt> {
        loop {
            let goes_on = match &mut self.source {
                Source::HFile(file) => file.cells(feed, &mut |cell| self.rows.push(cell, None))?,
                Source::Wal(log) => {
                    let goes_on = log.entries(feed, &mut self.rows)?;
                    feed.state_read();
                    goes_on
                }
            };
            if let Some(halt) = self.rows.halt.take() {
                return Err(halt);
            }
            if self.rows.text.len() >= BYTES || !goes_on && !self.rows.text.is_empty() {
                return Ok(Some(std::mem::take(&mut self.rows.text)));
            }
            if !goes_on {
                return Ok(None);
            }
        }
    }
}

impl Rows {
    fn of(columns: Vec<CellColumn>) -> Self {
        Self { columns, ..Self::default() }
    }

    fn push(&mut self, cell: &Cell<'_>, entry: Option<&WalEntry>) {
        let start = self.text.len();
        for (at, ((_, _, meaning, fact), as_text)) in self.chosen.iter().enumerate() {
            if at > 0 {
                self.text.push(b',');
            }
            let value = fact(cell, entry.unwrap_or(&self.entry), &mut self.held);
            if let Err(halt) = field(*meaning, value, *as_text, &mut self.text) {
                self.halt = Some(halt);
            }
        }
        end_record(&mut self.text, start);
    }
}

impl WalVisitor for Rows {
    fn cell(&mut self, entry: &WalEntry, cell: &Cell<'_>, _: bool) {
        self.push(cell, Some(entry));
    }

    fn mark(&mut self, _: &WalEntry, _: WalMark) {}
}
