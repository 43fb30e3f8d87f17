//! A history of dumps that grows: what `watch` has collected so far.

use super::counters::{DumpReader, HISTORY, History, Metric};
use super::requests::RequestsObserved;

/// The dumps of a history so far.
pub struct Watched {
    history: History,
    reader: DumpReader,
}

/// The bytes of an entry: all that a command has printed at a time, milliseconds since the epoch.
pub fn entry(time: i64, printed: &[u8], is_first: bool) -> Vec<u8> {
    let head = if is_first { format!("{HISTORY}\n") } else { String::new() };
    let mut bytes = format!("{head}@ {time} {}\n", printed.len()).into_bytes();
    bytes.extend_from_slice(printed);
    bytes.push(b'\n');
    bytes
}

impl Watched {
    /// Nothing so far, and so many bytes of memory, about.
    pub fn new(memory: u64) -> Self {
        let mut history = History::new(memory);
        let reader = DumpReader::new("", None, &mut history);
        Self { history, reader }
    }

    /// Takes bytes of the file.
    pub fn push(&mut self, bytes: &[u8]) {
        self.reader.push(bytes, &mut self.history);
        let borders = std::mem::take(&mut self.reader.borders);
        self.history.place(&borders);
    }

    /// Bytes up to the end of the last whole entry; `None` of a file that is no history.
    pub fn whole(&self) -> Option<u64> {
        self.reader.is_history.then_some(self.reader.whole)
    }

    /// True if a dump with counters was read.
    pub fn has_counters(&self) -> bool {
        !self.history.tables().is_empty()
    }

    /// The table of this name, else the one with most requests; tables of HBase itself count only by name.
    pub fn busiest(&self, table: Option<&str>, metric: Option<Metric>) -> Option<(String, RequestsObserved)> {
        let names = self.history.tables().into_iter();
        let wanted =
            names.filter(|name| table.map_or_else(|| !name.starts_with("hbase:"), |wanted| wanted == name));
        let found = wanted.filter_map(|name| Some((self.history.requests(&name, metric)?.0, name)));
        found.max_by_key(|(requests, _)| requests.counts.requests).map(|(requests, name)| (name, requests))
    }
}
