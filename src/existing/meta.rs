//! Rows of `scan 'hbase:meta'`.

use super::ExistingRegion;
use super::regions::region_name;
use crate::error::Problem;
use crate::row::from_string_binary;

/// A cell as the scan prints it.
pub(super) struct Cell {
    /// Line it begins on.
    pub line: u64,
    /// Its row.
    row: String,
    /// Column, timestamp and value.
    text: String,
}

/// Cells as they come, lines that a narrow terminal has broken put together again.
pub(super) struct Scan {
    /// Where the second column begins, when the terminal has a width.
    second: Option<usize>,
    cell: Option<Cell>,
}

/// Between row and cell where lines are not broken.
const COLUMN: &str = " column=";

impl Scan {
    /// From the line of names. `None` when it is none.
    pub fn read(line: &str) -> Option<Self> {
        let (row, _) = line.split_once("COLUMN+CELL")?;
        (row.trim() == "ROW")
            .then(|| Self { second: (row.len() > "ROW  ".len()).then_some(row.len()), cell: None })
    }

    /// Takes a line; gives the cell that it ends.
    pub fn line(&mut self, number: u64, line: &str) -> Option<Cell> {
        let (row, text) = match self.second.and_then(|second| line.split_at_checked(second)) {
            Some((row, text)) => (row.trim_end().trim_start(), text.trim_end()),
            None if self.second.is_some() => (line.trim(), ""),
            None => match line.split_once(COLUMN) {
                Some((row, text)) => {
                    let cell = Cell { line: number, row: row.trim_start().to_owned(), text: text.to_owned() };
                    return self.cell.replace(cell);
                }
                None => ("", line),
            },
        };
        match (text.strip_prefix(&COLUMN[1..]), &mut self.cell) {
            (Some(text), _) => {
                self.cell.replace(Cell { line: number, row: row.to_owned(), text: text.to_owned() })
            }
            (None, Some(cell)) => {
                cell.row.push_str(row);
                cell.text.push_str(text);
                None
            }
            (None, None) => None,
        }
    }

    /// The last cell.
    pub fn finish(self) -> Option<Cell> {
        self.cell
    }
}

/// What a cell tells of a region.
pub(super) enum Told {
    /// Where it begins and ends.
    Region(ExistingRegion),
    /// The server that holds it.
    Server(String),
    /// It is no more: split, or merged away.
    Gone,
}

impl Cell {
    /// The table, the encoded name of the region and what is told of it; `None` when that is of no use here.
    pub fn told(&self) -> Result<Option<(String, String, Told)>, Problem> {
        let Some((table, start, encoded)) = region_name(&self.row) else { return Ok(None) };
        let told = |told: Told| Ok(Some((table.to_owned(), encoded.to_owned(), told)));
        let Some((column, value)) = self.text.split_once(", timestamp=") else { return Ok(None) };
        let Some((_, value)) = value.split_once(", value=") else { return Ok(None) };
        match column {
            "info:server" => told(Told::Server(value.to_owned())),
            "info:state" if matches!(value, "SPLIT" | "MERGED") => told(Told::Gone),
            "info:regioninfo" => {
                let cut = || Problem::new("existing.region-cut").with("found", &self.row);
                let (_, end) = value.rsplit_once("ENDKEY => '").ok_or_else(cut)?;
                let (stop, flags) = end.rsplit_once('\'').ok_or_else(cut)?;
                if flags.contains("SPLIT => true") {
                    return told(Told::Gone);
                }
                from_string_binary(start)?;
                from_string_binary(stop)?;
                told(Told::Region(ExistingRegion {
                    start: start.to_owned(),
                    stop: stop.to_owned(),
                    encoded: Some(encoded.to_owned()),
                    ..ExistingRegion::default()
                }))
            }
            _ => Ok(None),
        }
    }
}
