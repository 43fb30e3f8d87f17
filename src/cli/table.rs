//! Tables of text.

use super::context::CommandContext;
use super::style::{Ink, harmless};

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnAlign {
    /// Texts.
    Left,
    /// Figures.
    Right,
}

/// Rows of cells under headings, as wide as what they hold.
pub struct PrintedTable {
    aligns: Vec<ColumnAlign>,
    rows: Vec<Vec<String>>,
}

impl PrintedTable {
    /// With these headings.
    pub fn new(columns: &[(ColumnAlign, String)]) -> Self {
        let (aligns, headings) = columns.iter().cloned().unzip();
        Self { aligns, rows: vec![headings] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.iter().map(|cell| harmless(cell)).collect());
    }

    /// Prints it.
    pub fn print(&self, context: &mut CommandContext<'_>) {
        let wide = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.aligns.len()).map(wide).collect();
        for (number, row) in self.rows.iter().enumerate() {
            let cells =
                row.iter().zip(&widths).zip(&self.aligns).map(|((cell, &width), align)| match align {
                    ColumnAlign::Left => format!("{cell:width$}"),
                    ColumnAlign::Right => format!("{cell:>width$}"),
                });
            let line = cells.collect::<Vec<_>>().join("  ");
            let line = line.trim_end();
            let line = if number == 0 { context.style.ink(Ink::Dim, line) } else { line.to_owned() };
            context.line(&line);
        }
    }
}
