//! Cells as a scan in HBase's shell prints them: a space, the row, ` column=family:qualifier, timestamp=…, value=…`.
//! A terminal with a width sets rows and cells in two columns and breaks either over several lines.

/// The start of a cell.
const COLUMN: &str = "column=";
/// The same behind a row that is not padded.
const BESIDE: &str = " column=";
const TIMESTAMP: &str = ", timestamp=";
/// Bytes kept of a row and of a cell: enough for column and timestamp, and for all that `hbase:meta` holds of a region.
const LONGEST: usize = 1 << 20;

/// A cell.
#[derive(Debug)]
pub struct ShellCell {
    /// The line it begins on.
    pub line: u64,
    /// Its row, in the notation of the shell.
    pub row: String,
    /// The text after `column=`.
    text: String,
}

impl ShellCell {
    /// Family and qualifier, time, and what follows the time. `None` where the text was cut before.
    pub fn parts(&self) -> Option<(&str, &str, &str)> {
        // A trailing space of a broken line may be missing.
        let (column, rest) =
            self.text.split_once(TIMESTAMP).or_else(|| self.text.split_once(",timestamp="))?;
        let (time, rest) = rest.split_once(',').unwrap_or((rest, ""));
        Some((column, time, rest.trim_start()))
    }
}

/// Where cells stand in their lines.
#[derive(Clone, Copy, Debug)]
enum PlaceInLine {
    /// Not known before the first of them.
    Unknown,
    /// One space behind their row.
    Beside,
    /// Behind so many bytes.
    At(usize),
}

/// Cells as they come, broken lines put together again.
#[derive(Debug)]
pub struct ShellCells {
    place: PlaceInLine,
    cell: Option<ShellCell>,
}

impl ShellCells {
    /// Cells of a text that may begin in the middle of a scan.
    pub fn new() -> Self {
        Self { place: PlaceInLine::Unknown, cell: None }
    }

    /// From the line of names above the cells. `None` when it is none.
    pub fn below(line: &str) -> Option<Self> {
        let (row, rest) = line.split_once("COLUMN+CELL")?;
        let row = row.trim_end_matches('\t');
        let place = if row.len() > "ROW  ".len() { PlaceInLine::At(row.len()) } else { PlaceInLine::Beside };
        (row.trim() == "ROW" && rest.trim().is_empty()).then_some(Self { place, cell: None })
    }

    /// True if the first of them begins on a line.
    pub fn begins_at(mut self, line: &str) -> bool {
        self.begins(line).is_some()
    }

    /// Takes a line; gives the cell that it ends.
    pub fn line(&mut self, number: u64, line: &str) -> Option<ShellCell> {
        let untabbed;
        let line = match line.contains('\t') {
            true => {
                untabbed = line.replace('\t', self.place.tab());
                &untabbed
            }
            false => line,
        };
        if let Some((row, text)) = self.begins(line) {
            let cell = ShellCell { line: number, row: row.to_owned(), text: text.to_owned() };
            return self.ended(Some(cell));
        }
        // Whatever is logged in between begins at the margin.
        if !line.starts_with(' ') {
            return None;
        }
        let (row, text) = match self.place {
            PlaceInLine::At(at) => line.split_at_checked(at).unwrap_or((line, "")),
            _ => ("", line),
        };
        if let Some(cell) = &mut self.cell {
            if !row.trim().is_empty() && cell.row.len() < LONGEST {
                cell.row.push_str(self.place.row(row));
            }
            if cell.text.len() < LONGEST {
                cell.text.push_str(text);
            }
        }
        None
    }

    /// The last cell.
    pub fn finish(&mut self) -> Option<ShellCell> {
        self.ended(None)
    }

    fn ended(&mut self, next: Option<ShellCell>) -> Option<ShellCell> {
        let mut cell = std::mem::replace(&mut self.cell, next)?;
        if matches!(self.place, PlaceInLine::At(_)) {
            cell.row.truncate(cell.row.trim_end().len());
            cell.text.truncate(cell.text.trim_end().len());
        }
        Some(cell)
    }

    /// The row, or as much of it as the line has room for, and the cell behind `column=`, of a line on which a cell begins.
    fn begins<'l>(&mut self, line: &'l str) -> Option<(&'l str, &'l str)> {
        if let PlaceInLine::At(at) = self.place
            && let Some((row, text)) = line.split_at_checked(at)
            && let Some(text) = text.strip_prefix(COLUMN)
        {
            return Some((self.place.row(row), text));
        }
        let (row, text) = line.split_once(BESIDE)?;
        match self.place {
            PlaceInLine::Beside => {}
            _ if row.trim().is_empty() || !text.contains(TIMESTAMP) => return None,
            // Set by hand.
            PlaceInLine::At(_) => return Some((row.trim(), text)),
            PlaceInLine::Unknown if row.ends_with(' ') => self.place = PlaceInLine::At(row.len() + 1),
            PlaceInLine::Unknown => self.place = PlaceInLine::Beside,
        }
        Some((without_inset(row), text))
    }
}

impl PlaceInLine {
    /// In place of a tab, as some terminals copy the border of the columns: the shell writes those of rows and values as `\x09`.
    fn tab(self) -> &'static str {
        if matches!(self, Self::At(_)) { "" } else { " " }
    }

    /// The part of a row in the column of rows, which has a space on either side.
    fn row(self, column: &str) -> &str {
        let row = without_inset(column);
        row.strip_suffix(' ').unwrap_or(row)
    }
}

fn without_inset(row: &str) -> &str {
    row.strip_prefix(' ').unwrap_or(row)
}

/// True if the shell prints such a line behind what was asked for.
pub fn is_end(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let counts = words.next().is_some_and(|first| first.parse::<u64>().is_ok())
        && words.next().is_some_and(|second| matches!(second, "row(s)" | "rows" | "row"))
        && words.next().is_none_or(|third| third == "in");
    counts || ["Took ", "=> ", "ERROR: "].iter().any(|start| line.starts_with(start))
}
