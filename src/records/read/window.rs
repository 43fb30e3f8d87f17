//! The bytes of a file that are not read into records yet, with the ends of fields and records in them.

use super::csv::{UnreadRecord, WindowProgress};
use super::marks::{MarkScanner, Quoting, SeenBytes};

/// Bytes that are searched first after a record that could not be read, then twice as many each time: the next may be none either.
const FIRST_STEP: usize = 1 << 10;

/// Bytes of a file and the marks found in them. Records take their bytes off its front.
#[derive(Debug)]
pub(super) struct Window {
    scanner: MarkScanner,
    separator: Option<u8>,
    quote: Option<u8>,
    bytes: Vec<u8>,
    /// How many of the bytes were read for good. They are dropped when others come, so that no record moves all that follow it.
    front: usize,
    /// Ends of fields and records, counted from the front as all places are.
    marks: Vec<u32>,
    /// How many of the marks belong to complete records.
    complete: usize,
    /// Bytes that have been searched for marks, and the state after them.
    scanned: usize,
    /// Most bytes to search at a time.
    step: usize,
    state: Quoting,
    /// Kinds of bytes in the window, and in the piece last searched.
    pub seen: SeenBytes,
    newest: SeenBytes,
    /// Offset of the window in its file.
    pub base: u64,
}

impl Window {
    /// On files with this separator and quote; of lines with neither.
    pub fn new(separator: Option<u8>, quote: Option<u8>) -> Self {
        Self {
            scanner: MarkScanner::new(separator.unwrap_or(b'\n'), quote),
            separator,
            quote,
            bytes: Vec::new(),
            front: 0,
            marks: Vec::new(),
            complete: 0,
            scanned: 0,
            step: usize::MAX,
            state: Quoting::Start,
            seen: SeenBytes::default(),
            newest: SeenBytes::default(),
            base: 0,
        }
    }

    /// The scanner, and the byte between fields.
    pub fn scanner(&self) -> (MarkScanner, Option<u8>) {
        (self.scanner, self.separator)
    }

    /// An empty window on the same kind of file, at this byte of it.
    pub fn like(&self, base: u64) -> Self {
        let mut window = Self::new(self.separator, self.quote);
        window.base = base;
        window
    }

    /// Bytes not read yet.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(self.front..).unwrap_or_default()
    }

    /// Adds the next bytes of the file.
    pub fn add(&mut self, piece: &[u8]) {
        self.bytes.drain(..self.front.min(self.bytes.len()));
        self.front = 0;
        self.bytes.extend_from_slice(piece);
    }

    /// Holds these bytes, where it held none.
    pub fn hold(&mut self, bytes: Vec<u8>) {
        (self.bytes, self.front) = (bytes, 0);
    }

    /// All bytes that it holds, also those that were read.
    pub fn take(&mut self) -> Vec<u8> {
        let held = std::mem::take(&mut self.bytes);
        self.front = 0;
        self.restart_search();
        held
    }

    /// True if it ends inside quotes.
    pub fn is_quoted(&self) -> bool {
        self.state == Quoting::Quoted
    }

    /// Where the last field begins that has no end yet.
    pub fn open_field(&self) -> usize {
        self.marks.last().map_or(0, |&mark| mark as usize + 1)
    }

    /// Why its only record, which has no end yet, cannot be read: it is too long.
    pub fn too_long(&self) -> UnreadRecord {
        UnreadRecord::too_long(self.bytes(), 0, &self.marks, self.quote)
    }

    /// The bytes, and the marks of complete records in them.
    pub fn complete(&mut self) -> (&mut [u8], &[u32]) {
        let bytes = self.bytes.get_mut(self.front..).unwrap_or_default();
        (bytes, self.marks.get(..self.complete).unwrap_or_default())
    }

    /// Ends the last record where the bytes end.
    pub fn end_last_record(&mut self) {
        self.marks.push(self.bytes().len() as u32);
        self.complete = self.marks.len();
    }

    /// Drops all bytes.
    pub fn clear(&mut self) {
        self.consume(WindowProgress {
            bytes: self.bytes().len(),
            marks: self.marks.len(),
            ..WindowProgress::default()
        });
    }

    /// True if all bytes have been searched.
    pub fn is_searched(&self) -> bool {
        self.scanned >= self.bytes().len()
    }

    /// Finds the marks of the next bytes, so many at most, and gives these bytes.
    pub fn search_at_most(&mut self, most: usize) -> &[u8] {
        let from = self.scanned;
        self.step = self.step.min(most);
        self.search();
        self.bytes().get(from..self.scanned).unwrap_or_default()
    }

    /// Finds the marks of bytes added since the last search.
    pub fn search(&mut self) {
        let (from, known) = (self.scanned, self.marks.len());
        let bytes = self.bytes.get(self.front..).unwrap_or_default();
        let new = bytes.get(from..).unwrap_or_default();
        let new = new.get(..self.step).unwrap_or(new);
        let marks = &mut self.marks;
        let (state, seen) = self.scanner.scan(new, self.state, |at| marks.push((from + at) as u32));
        self.state = state;
        (self.seen, self.newest) = (self.seen.or(seen), seen);
        self.scanned = from + new.len();
        self.step = self.step.saturating_mul(2);
        let fresh_marks = self.marks.get(known..).unwrap_or_default();
        let ends = |&at: &u32| bytes.get(at as usize).copied() != self.separator;
        if let Some(last) = fresh_marks.iter().rposition(ends) {
            self.complete = known + last + 1;
        }
    }

    /// Forgets all marks: the bytes that are left are to be searched again.
    pub fn restart_search(&mut self) {
        self.marks.clear();
        self.complete = 0;
        (self.scanned, self.step, self.state) = (0, FIRST_STEP, Quoting::Start);
        (self.seen, self.newest) = (SeenBytes::default(), SeenBytes::default());
    }

    /// Ready for another file.
    pub fn begin_file(&mut self) {
        self.clear();
        self.restart_search();
        (self.base, self.step) = (0, usize::MAX);
    }

    /// Drops what was read from the front of the window.
    pub fn consume(&mut self, taken: WindowProgress) {
        if taken.bytes == 0 {
            return;
        }
        self.front = (self.front + taken.bytes).min(self.bytes.len());
        self.marks.drain(..taken.marks.min(self.marks.len()));
        self.complete = self.complete.saturating_sub(taken.marks);
        self.marks.iter_mut().for_each(|mark| *mark -= taken.bytes as u32);
        self.scanned = self.scanned.saturating_sub(taken.bytes);
        self.base += taken.bytes as u64;
        // Whatever ended earlier has been read: what is left came with the piece last searched.
        self.seen = self.newest;
    }
}
