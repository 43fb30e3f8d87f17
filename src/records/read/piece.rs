//! Pieces of a file that other threads read.
//!
//! Between two records a reader depends on all that came before only through its place in the file. So a piece that begins and ends
//! between records can be read by itself, and the reader of the whole file takes in what was found. It refuses a piece that turns out
//! to end elsewhere, or in which a record was refused by its place in the file, and reads its bytes itself.

use super::batch::RecordBatch;
use super::encoding::TextEncoding;
use super::line_ends::{LineEnds, line_ends};
use super::marks::{MarkScanner, Quoting};
use super::problems::{PlaceInFile, ReadProblems};
use super::reader::{RecordFormat, RecordReader, Rewrite, WINDOW};
use crate::records::Records;

/// Finds the ends of records in the bytes of a file, one after the other.
#[derive(Debug)]
pub struct RecordCutter {
    scanner: MarkScanner,
    separator: Option<u8>,
    state: Quoting,
    /// A quote was among the last bytes that were looked at.
    quoted: bool,
}

impl RecordCutter {
    /// True if a quote was among the bytes last given to [`RecordCutter::last_end`].
    pub fn has_quotes(&self) -> bool {
        self.quoted
    }

    /// Where the last record ends of which the end is in the next bytes; `None` if they have no such end.
    pub fn last_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let separator = self.separator;
        self.quoted = self.scanner.finds_quote(bytes);
        if self.state != Quoting::Quoted && !self.quoted {
            let ends = bytes.last().map(|&byte| self.scanner.ends_field(byte));
            self.state = match ends {
                None => self.state,
                Some(true) => Quoting::Start,
                Some(false) => Quoting::Plain,
            };
            return bytes.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map(|at| at + 1);
        }
        let mut last = None;
        let (state, _) = self.scanner.scan(bytes, self.state, |at| {
            if bytes.get(at).copied() != separator {
                last = Some(at + 1);
            }
        });
        self.state = state;
        last
    }
}

impl RecordReader {
    /// Finds where pieces of the rest of the file can end; `None` where it can't be cut here: before its header was read, within a
    /// record that was refused, or in a form that is rewritten or decoded as it is read.
    pub fn cutter(&self) -> Option<RecordCutter> {
        let plain = match &self.rewrite {
            Rewrite::None => true,
            Rewrite::Array(unfold) => unfold.is_of_lines(),
            Rewrite::Shell(_) | Rewrite::Keys(..) => false,
        };
        let utf8 = self.decoder.has_begun() && self.decoder.encoding().0 == TextEncoding::Utf8;
        let cuttable = plain && utf8 && !self.fresh && !self.awaiting_header && !self.discarding;
        let (scanner, separator) = self.window.scanner();
        cuttable.then_some(RecordCutter { scanner, separator, state: Quoting::Start, quoted: false })
    }

    /// Byte of the file at which the record under way begins.
    pub fn place(&self) -> u64 {
        self.window.base
    }

    /// Gives back the bytes of the record under way. The reader is between two records then.
    pub fn give_back(&mut self) -> Vec<u8> {
        let open = self.window.bytes().to_vec();
        let base = self.window.base;
        self.window.begin_file();
        self.window.base = base;
        self.bytes -= open.len() as u64;
        if !open.is_empty() {
            // The byte before ends a record, and no LF that belongs to it follows.
            self.lines = LineEnds { count: self.lines.count - line_ends(&open), after_cr: false };
        }
        open
    }

    /// A reader of a piece of this file that begins at this byte of it, between two records.
    pub fn of_piece(&self, base: u64) -> Self {
        let format = match &self.format {
            RecordFormat::Csv(csv) => RecordFormat::Csv(csv.clone()),
            RecordFormat::Lines(lines) => RecordFormat::Lines(lines.clone()),
        };
        Self {
            decoder: self.decoder.clone(),
            window: self.window.like(base),
            form: self.form,
            format,
            header: self.header,
            stated: self.stated.clone(),
            columns: self.columns.clone(),
            sources: self.sources.clone(),
            readings: self.readings.clone(),
            records: Records::like(&self.records),
            problems: ReadProblems::default(),
            begun: true,
            file: self.file,
            place: PlaceInFile { file: self.place.file.clone(), met: 0 },
            bytes: 0,
            batch: RecordBatch::new(self.columns.len()),
            fresh: false,
            lines: LineEnds::default(),
            fields_before: None,
            awaiting_header: false,
            discarding: false,
            is_apart: false,
            density: (self.place.met, self.bytes),
            checks_all: self.checks_all,
            given: self.given.clone(),
            kinds: Vec::new(),
            rewrite: Rewrite::None,
        }
    }

    /// Reads a whole piece, in which `quotes` may be, and gives its bytes back.
    pub fn read_piece(&mut self, bytes: Vec<u8>, quotes: bool) -> Vec<u8> {
        let rows = bytes.len() as u64 * self.density.0 / self.density.1.max(1);
        self.records.reserve(usize::try_from(rows + rows / 16).unwrap_or_default());
        if quotes || matches!(self.format, RecordFormat::Lines(_)) {
            // Quotes and escapes are undone where they lie.
            self.push(&bytes);
            return bytes;
        }
        self.bytes += bytes.len() as u64;
        self.window.hold(bytes);
        while !self.window.is_searched() {
            self.lines.add(self.window.search_at_most(WINDOW));
            self.take_all();
        }
        self.is_apart |= !self.window.bytes().is_empty();
        self.window.take()
    }

    /// Makes room for the records of so many more bytes, by those read so far.
    pub fn reserve_for(&mut self, bytes: u64) {
        let rows = u128::from(bytes) * self.records.rows as u128 / u128::from(self.bytes.max(1));
        self.records.reserve(usize::try_from(rows + rows / 64).unwrap_or_default());
    }

    /// Takes in what the reader of the next piece has read, which has these bytes. False where this reader would not read the same:
    /// then nothing was taken in, and the bytes are to be pushed.
    pub fn take_in(&mut self, piece: Self, bytes: &[u8]) -> bool {
        self.take_in_after(piece, bytes.len() as u64, bytes.first() == Some(&b'\n'))
    }

    /// The same of a piece of so many bytes, of which the first is LF or another one.
    pub(super) fn take_in_after(&mut self, piece: Self, length: u64, leads_with_lf: bool) -> bool {
        let begins = self.window.bytes().is_empty() && !self.discarding;
        let ends = piece.window.bytes().is_empty() && !piece.discarding;
        let follows = self.window.base.checked_add(length) == Some(piece.window.base);
        let room = usize::try_from(length).unwrap_or(usize::MAX);
        let has_room = self.records.has_room(piece.records.rows, room);
        if !(begins && ends && follows && has_room) || piece.is_apart {
            return false;
        }
        self.problems.take_in(piece.problems, &self.place);
        self.place.met += piece.place.met;
        self.records.append_all(piece.records);
        let within = self.lines.after_cr && leads_with_lf;
        self.lines.count += piece.lines.count.saturating_sub(u64::from(within));
        self.lines.after_cr = piece.lines.after_cr;
        self.fields_before = piece.fields_before.or(self.fields_before);
        self.window.base = piece.window.base;
        self.bytes += piece.bytes;
        true
    }
}
