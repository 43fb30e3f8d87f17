//! Parquet: the footer says where the pages of each column are, and only those of the wanted columns are read.

mod delta;
mod footer;
mod hybrid;
mod page;
mod schema;
mod statistics;
mod thrift;
mod values;

use super::feed::{Feed, Halt, Window, need};
use super::table::{Chosen, Table};
use super::text::records;
use crate::base::limits::TABLE_FOOTER;
use footer::Footer;
use page::ColumnPages;
use std::ops::Range;
use values::Reading;

/// A file begins and ends with it.
pub const MAGIC: &[u8] = b"PAR1";
/// The length of the footer, and the magic bytes.
const TAIL: u64 = 8;
/// Bytes at the end of a file that are read at once: most footers are not longer.
const LAST: u64 = 1 << 16;

/// Share of the memory in which the columns of a row group are read ahead.
const AHEAD_SHARE: u64 = 8;

/// Reads a Parquet file.
#[derive(Debug)]
pub struct ParquetFile {
    /// The end of the file.
    window: Window,
    /// A footer that is longer.
    rest: Window,
    footer: Option<Footer>,
    /// The wanted columns, by their places among those that are read.
    chosen: Vec<Chosen>,
    group: usize,
    /// The first row group that is not read any more.
    until: usize,
    columns: Vec<ColumnPages>,
    /// Bytes of the columns so far.
    bytes: u64,
    /// The column under way.
    at: usize,
}

impl Default for ParquetFile {
    fn default() -> Self {
        Self {
            window: Window::new(LAST),
            rest: Window::new(0),
            footer: None,
            chosen: Vec::new(),
            group: 0,
            until: usize::MAX,
            columns: Vec::new(),
            bytes: 0,
            at: 0,
        }
    }
}

impl ParquetFile {
    /// Reads the footer.
    pub fn open(&mut self, feed: &mut Feed) -> Result<Table, Halt> {
        let size = need(feed.size, "the end of the file")?;
        // The end is read at once, in the hope that the whole footer is in it.
        let from = size.saturating_sub(LAST);
        self.window.get(feed, from, size - from, size)?;
        let last = need(size.checked_sub(TAIL), "the end of the file")?;
        let tail = self.window.get(feed, last, TAIL, size)?;
        let (length, magic) = need(tail.split_first_chunk::<4>(), "the end of the file")?;
        match magic {
            b"PARE" => return Err(Halt::unknown("encryption")),
            MAGIC => {}
            _ => return Err(Halt::broken("the end of the file")),
        }
        let length = u64::from(u32::from_le_bytes(*length));
        if length > TABLE_FOOTER.most {
            return Err(Halt::limit(&TABLE_FOOTER, length));
        }
        let start = need(last.checked_sub(length), "the footer")?;
        let inside = if start >= from { &mut self.window } else { &mut self.rest };
        let bytes = inside.get(feed, start, length, size)?.to_vec();
        let footer = Footer::new(bytes)?;
        feed.afford(footer.rows, size)?;
        let table = Table {
            columns: footer.schema.columns.clone(),
            rows: Some(footer.rows),
            groups: Some(footer.groups() as u64),
            ranges: statistics::ranges(&footer),
        };
        self.footer = Some(footer);
        Ok(table)
    }

    /// Reads only these columns.
    pub fn choose(&mut self, chosen: Vec<Chosen>) {
        self.chosen = chosen;
    }

    /// Bytes of the wanted columns.
    pub fn wanted(&self) -> Option<u64> {
        let footer = self.footer.as_ref()?;
        let indexes = self.indexes(footer);
        (0..footer.groups()).try_fold(0u64, |sum, group| {
            let (_, chunks) = footer.group(group, &indexes).ok()?;
            chunks.iter().try_fold(sum, |sum, chunk| sum.checked_add(chunk.end - chunk.start))
        })
    }

    /// The rows of each row group.
    pub fn group_rows(&self) -> Vec<u64> {
        let Some(footer) = &self.footer else { return Vec::new() };
        let rows = (0..footer.groups()).map(|group| Some(footer.group(group, &[]).ok()?.0));
        rows.collect::<Option<_>>().unwrap_or_default()
    }

    /// Goes on with these row groups, and no others. Only between two row groups.
    pub fn only(&mut self, groups: Range<usize>) {
        (self.group, self.until) = (groups.start, groups.end);
    }

    /// The next records; `None` at the end.
    pub fn records(&mut self, feed: &mut Feed) -> Result<Option<Vec<u8>>, Halt> {
        loop {
            let width = self.columns.len();
            while let Some(column) = self.columns.get_mut(self.at) {
                let name =
                    |at: usize| self.chosen.get(at).map(|chosen| chosen.name.as_str()).unwrap_or_default();
                let (group, at) = (self.group, self.at);
                column
                    .fill(feed, width)
                    .map_err(|halt| halt.at(|| format!("row group {group}, column {}", name(at))))?;
                self.at += 1;
            }
            self.at = 0;
            let text = records(feed, self.columns.iter_mut().map(|column| &mut column.texts));
            if !text.is_empty() {
                return Ok(Some(text));
            }
            let has_rest = self.columns.iter().any(|column| column.texts.rows() > 0);
            if has_rest {
                return Err(Halt::broken("the number of values").at(|| format!("row group {}", self.group)));
            }
            self.columns.drain(..).for_each(|column| column.end(feed));
            if !self.next_group(feed)? {
                return Ok(None);
            }
        }
    }

    fn indexes(&self, footer: &Footer) -> Vec<usize> {
        let leaves = self.chosen.iter().filter_map(|chosen| footer.schema.leaves.get(chosen.column));
        leaves.map(|leaf| leaf.index).collect()
    }

    /// Goes on to the next row group. False when there is none.
    fn next_group(&mut self, feed: &mut Feed) -> Result<bool, Halt> {
        let Some(footer) = &self.footer else { return Ok(false) };
        if self.group >= footer.groups().min(self.until) {
            return Ok(false);
        }
        self.group += 1;
        let place = || format!("row group {}", self.group);
        let indexes = self.indexes(footer);
        let (rows, chunks) = footer.group(self.group - 1, &indexes).map_err(|halt| halt.at(place))?;
        feed.state(rows, 0)?;
        // Columns that lie in the same bytes would be more than the file holds.
        let bytes = chunks.iter().fold(self.bytes, |sum, chunk| sum.saturating_add(chunk.end - chunk.start));
        let is_within = feed.size.is_none_or(|size| bytes <= size);
        need(is_within.then_some(()), "the footer").map_err(|halt| halt.at(place))?;
        let ahead = feed.memory / AHEAD_SHARE / (chunks.len() as u64).max(1);
        let leaves =
            self.chosen.iter().filter_map(|chosen| Some((chosen, footer.schema.leaves.get(chosen.column)?)));
        let columns = leaves.zip(chunks).map(|((chosen, leaf), chunk)| {
            let reading =
                Reading { physical: leaf.physical, meaning: chosen.meaning, as_text: chosen.as_text };
            ColumnPages::new(reading, leaf.levels, chunk, ahead)
        });
        self.columns = columns.collect();
        self.bytes = bytes;
        Ok(true)
    }
}
