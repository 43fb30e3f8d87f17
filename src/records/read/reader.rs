//! The reader: chunks of bytes in, columns out, whatever the chunk boundaries.

use super::array::{ArrayUnfolder, EmptyElement};
use super::batch::{FieldSpan, RecordBatch, joined};
use super::csv::{Csv, LONGEST_RECORD, UnreadRecord, WindowProgress, unique_names};
use super::encoding::{EncodingBy, TextDecoder, TextEncoding, UTF8_MARK};
use super::fill::{fill, no_texts};
use super::keys::{self, KeyFields, KeyRows};
use super::kind::{FileKind, GivenField, named_by};
use super::line_ends::{LineEnds, is_line_end, line_ends};
use super::lines::JsonLines;
use super::problems::{CUT_SHORT, PlaceInFile, ReadFile, ReadProblems, SHOWN, TOO_LARGE};
use super::shell::{SEPARATOR, ScanRows};
use super::stated::{StatedFile, as_stated};
use super::window::Window;
use super::{FileForm, Input};
use crate::base::Problem;
use crate::records::columns::{Column, Records};
use crate::records::field::Field;
use crate::records::field::read::FieldReading;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Characters shown of a name in a header.
const SHOWN_OF_NAME: usize = 60;
/// Bytes that are searched, split and read together: few enough to stay in the nearest caches.
pub(super) const WINDOW: usize = 64 << 10;

#[derive(Debug)]
pub(super) enum RecordFormat {
    Csv(Csv),
    Lines(JsonLines),
}

/// Reads files piece by piece into [`Records`]. Holds no more of a file than one record and a window of 64 KiB.
#[derive(Debug)]
pub struct RecordReader {
    pub(super) decoder: TextDecoder,
    pub(super) window: Window,
    pub(super) form: FileForm,
    pub(super) format: RecordFormat,
    pub(super) header: bool,
    /// The columns of a file that states them.
    pub(super) stated: Vec<String>,
    /// The columns of a file that are read.
    pub(super) columns: Vec<String>,
    /// For each declared field the columns it is read from, by their places in `columns`.
    pub(super) sources: Vec<Vec<usize>>,
    /// How each declared field is read; `None` once its column is no longer kept.
    pub(super) readings: Vec<Option<FieldReading>>,
    pub(super) records: Records,
    pub(super) problems: ReadProblems,
    /// A file was named or has bytes.
    pub(super) begun: bool,
    /// Ordinal of the file being read.
    pub(super) file: u32,
    pub(super) place: PlaceInFile,
    pub(super) bytes: u64,
    pub(super) batch: RecordBatch,
    /// Nothing of this file has been searched yet.
    pub(super) fresh: bool,
    /// Line ends of this file so far.
    pub(super) lines: LineEnds,
    /// Fields of the record before, or of the header; `None` where there is neither.
    pub(super) fields_before: Option<u32>,
    pub(super) awaiting_header: bool,
    /// In the middle of a record that was refused for its length: nothing counts until the next line.
    pub(super) discarding: bool,
    /// True if this piece can't be taken in: a record was refused by its place in the file, or is not complete.
    pub(super) is_apart: bool,
    /// Records of this file before a piece, and their bytes.
    pub(super) density: (u64, u64),
    /// Values of columns that are not kept are looked at for bytes that are no text.
    pub(super) checks_all: bool,
    /// A field that all records of this file have alike, whatever the file says.
    pub(super) given: Option<GivenField>,
    /// The kinds of which a file can be by its name, where its header does not tell.
    pub(super) kinds: Vec<FileKind>,
    pub(super) rewrite: Rewrite,
}

/// Turns a file that is not written as lines into lines.
#[derive(Debug)]
pub(super) enum Rewrite {
    None,
    Array(ArrayUnfolder),
    Shell(ScanRows),
    /// Row keys, in the output of a scan if there is one.
    Keys(Option<ScanRows>, KeyRows),
}

impl Rewrite {
    fn apply<'a>(&mut self, piece: Cow<'a, [u8]>) -> Cow<'a, [u8]> {
        match self {
            Self::None => piece,
            Self::Array(unfold) => {
                let mut lines = piece.into_owned();
                unfold.apply(&mut lines);
                lines.into()
            }
            Self::Shell(rows) => rows.apply(&piece).into(),
            Self::Keys(None, keys) => keys.apply(&piece).into(),
            Self::Keys(Some(scan), keys) => keys.apply(&scan.apply(&piece)).into(),
        }
    }

    /// The bytes left at the end of a file.
    fn finish(&mut self) -> Vec<u8> {
        match self {
            Self::Shell(rows) => rows.finish(),
            Self::Keys(scan, keys) => {
                let rest = scan.as_mut().map(ScanRows::finish).unwrap_or_default();
                [keys.apply(&rest), keys.finish()].concat()
            }
            _ => Vec::new(),
        }
    }

    /// True if the file cannot end here.
    fn is_open(&self) -> bool {
        if let Self::Array(unfold) = self { unfold.is_open() } else { false }
    }

    /// Ready for another file.
    fn restart(&mut self) {
        match self {
            Self::None => {}
            Self::Array(unfold) => *unfold = ArrayUnfolder::default(),
            Self::Shell(rows) => rows.restart(),
            Self::Keys(scan, keys) => {
                scan.iter_mut().for_each(ScanRows::restart);
                keys.restart();
            }
        }
    }
}

impl RecordReader {
    /// A reader of files of this form. Errors: a separator or quote of more than one byte, a field declared twice,
    /// a format that is not understood.
    pub fn new(input: &Input) -> Result<Self, Problem> {
        Self::with(input, None)
    }

    /// A reader of files of row keys, which `fields` takes back to their fields. Errors as [`RecordReader::new`].
    pub fn of_keys(input: &Input, fields: Box<dyn KeyFields>) -> Result<Self, Problem> {
        let mut input = input.clone();
        // A key has the whole field, of which other files have several columns.
        input.fields.iter_mut().for_each(|field| field.from.clear());
        Self::with(&input, Some(fields))
    }

    fn with(input: &Input, keys: Option<Box<dyn KeyFields>>) -> Result<Self, Problem> {
        let Separators { separator, quote, parts } = Separators::of(input)?;
        all_once(&mut input.fields.iter().map(|field| &field.name))?;
        input.fields.iter().try_for_each(|field| all_once(&mut field.from.iter()))?;
        let (columns, sources) = columns_of(&input.fields);
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let readings =
            input.fields.iter().map(|field| FieldReading::new(&as_stated(field, &input.stated)).map(Some));
        let readings = readings.collect::<Result<Vec<_>, _>>()?;
        let (format, separator, quote) = match input.format {
            _ if keys.is_some() => {
                let csv = Csv::new(keys::BETWEEN, Some(keys::QUOTE), names.len());
                (RecordFormat::Csv(csv), Some(keys::BETWEEN), Some(keys::QUOTE))
            }
            FileForm::Jsonl => (RecordFormat::Lines(JsonLines::new(&names)), None, None),
            _ => (RecordFormat::Csv(Csv::new(separator, quote, names.len())), Some(separator), quote),
        };
        let scan = input.format.is_scan();
        let notation = input.keys.as_ref().map(|keys| keys.notation).unwrap_or_default();
        let keys = keys.map(|fields| KeyRows::new(fields, notation, scan));
        let rewrite = match (keys, input.format) {
            (Some(keys), _) => Rewrite::Keys(scan.then(|| ScanRows::new(None)), keys),
            (None, FileForm::Jsonl) => Rewrite::Array(ArrayUnfolder::default()),
            (None, FileForm::Scan) => Rewrite::Shell(ScanRows::new(parts)),
            _ => Rewrite::None,
        };
        let is_table = input.format.is_table();
        let header = is_table || (input.format == FileForm::Csv && input.header.unwrap_or(true));
        let stated = input.stated.iter().map(|column| column.name.clone()).collect();
        Ok(Self {
            decoder: TextDecoder::new(input.encoding.filter(|_| !is_table)),
            window: Window::new(separator, quote),
            form: input.format,
            format,
            header,
            stated,
            batch: RecordBatch::new(columns.len()),
            columns,
            sources,
            readings,
            records: Records::new(&input.fields),
            problems: ReadProblems::default(),
            begun: false,
            file: 0,
            place: PlaceInFile::default(),
            bytes: 0,
            fresh: true,
            lines: LineEnds::default(),
            fields_before: None,
            awaiting_header: header,
            discarding: false,
            is_apart: false,
            density: (0, 0),
            checks_all: false,
            given: None,
            kinds: Vec::new(),
            rewrite,
        })
    }

    /// Takes what the file that begins states of its columns, which may be something else than those before it did, and tells of
    /// those that are not read.
    ///
    /// # Errors
    /// As [`RecordReader::new`].
    pub fn state(&mut self, stated: &StatedFile) -> Result<(), Problem> {
        self.stated = stated.columns.iter().map(|column| column.name.clone()).collect();
        for (reading, column) in self.readings.iter_mut().zip(&self.records.columns) {
            if reading.is_some() {
                *reading = Some(FieldReading::new(&as_stated(&column.field, &stated.columns))?);
            }
        }
        stated.left_out().for_each(|problem| self.tell(problem));
        Ok(())
    }

    /// True if it reads files that state their columns.
    pub fn is_of_tables(&self) -> bool {
        self.form.is_table()
    }

    /// Reads the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8]) {
        self.begun = true;
        self.bytes += chunk.len() as u64;
        for piece in chunk.chunks(WINDOW) {
            let text = self.decoder.decode(piece);
            let lines = self.rewrite.apply(text);
            self.feed(&lines);
            self.tell_empty();
        }
    }

    /// Tells of array elements that hold nothing, and of keys that could not be read.
    fn tell_empty(&mut self) {
        if let Rewrite::Keys(_, keys) = &mut self.rewrite {
            for (row, mut problem) in keys.take_refused() {
                problem.place.row = Some(row);
                self.problems.refused += 1;
                self.problems.show(problem, &self.place);
            }
        }
        let Rewrite::Array(unfold) = &mut self.rewrite else { return };
        for EmptyElement { code, record } in unfold.take_empty() {
            let mut problem = Problem::new(code);
            problem.place.row = Some(record);
            self.problems.tell(problem, &self.place);
        }
    }

    /// Ends the file and begins another, of this name, with a header of its own where files have one. Before the first byte it names the first file.
    pub fn next_file(&mut self, name: &str) {
        if self.begun {
            self.end_file();
            self.file += 1;
        }
        self.begun = true;
        self.given = None;
        self.place.file = name.to_owned();
    }

    /// Takes the records of files whose header does not tell the kind to be of the kind that the name of the file begins with.
    pub fn of_kinds(&mut self, kinds: Vec<FileKind>) {
        self.kinds = kinds;
    }

    /// The kind of this name, of those that files can be of.
    pub fn kind(&self, name: &str) -> Option<FileKind> {
        self.kinds.iter().find(|kind| kind.name == name).cloned()
    }

    /// The same for a file of which all records are of one kind.
    pub fn next_file_of(&mut self, name: &str, kind: Option<&FileKind>) {
        self.next_file(name);
        self.given = kind.and_then(|kind| self.given_by(kind));
    }

    fn given_by(&self, kind: &FileKind) -> Option<GivenField> {
        let names = || self.records.columns.iter().map(|column| column.field.name.as_str());
        let field = names().position(|name| name == kind.field)?;
        let mut optional = vec![true; self.columns.len()];
        for (name, sources) in names().zip(&self.sources) {
            if name != kind.field && kind.fields.iter().any(|own| own == name) {
                for &source in sources {
                    if let Some(optional) = optional.get_mut(source) {
                        *optional = false;
                    }
                }
            }
        }
        Some(GivenField { field, value: kind.value.clone().into_bytes(), optional })
    }

    /// Tells something of the file being read.
    pub fn tell(&mut self, problem: Problem) {
        self.problems.tell(problem, &self.place);
    }

    /// Ends the last file.
    pub fn finish(&mut self) {
        self.end_file();
    }

    /// Leaves out the record under way: what the file is packed in is damaged from here on, or ends too early. Returns how many
    /// records of the file came before.
    pub fn break_off(&mut self) -> u64 {
        self.break_off_for(Problem::new("input.broken-gzip"))
    }

    /// The same, for this problem.
    pub fn break_off_for(&mut self, problem: Problem) -> u64 {
        self.note_encoding();
        self.decoder.restart();
        self.rewrite.restart();
        self.window.clear();
        self.window.restart_search();
        self.discarding = false;
        self.problems.note_unfinished(problem, self.place.met, &self.place);
        self.place.met
    }

    /// The records so far.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// The records, once finished.
    pub fn into_records(mut self) -> Records {
        self.take_records_so_far()
    }

    /// The records so far, which are no longer held: the next ones begin anew.
    pub fn take_records_so_far(&mut self) -> Records {
        let next = Records::like(&self.records);
        let mut taken = std::mem::replace(&mut self.records, next);
        let mut kept = self.readings.iter().map(Option::is_some);
        taken.columns.retain(|_| kept.next().unwrap_or(true));
        taken
    }

    /// Keeps only the columns of these fields: the values of all others are dropped and no longer read.
    pub fn keep_only(&mut self, fields: &[String]) {
        for (column, reading) in self.records.columns.iter_mut().zip(&mut self.readings) {
            if !fields.contains(&column.field.name) {
                *column = Column::new(&column.field);
                *reading = None;
            }
        }
    }

    /// Reads no values of other columns than of these fields. All else that is told of the records stays the same.
    pub fn read_only(&mut self, fields: &[String]) {
        self.keep_only(fields);
        self.checks_all = true;
    }

    /// Problems with whole records so far.
    pub fn problems(&self) -> &ReadProblems {
        &self.problems
    }

    /// Records met in the file under way, those that could not be read too.
    pub fn met(&self) -> u64 {
        self.place.met
    }

    /// Bytes pushed so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn feed(&mut self, mut piece: &[u8]) {
        if piece.is_empty() {
            return;
        }
        self.begin_file();
        self.lines.add(piece);
        if self.discarding {
            let line_end = piece.iter().position(|&byte| is_line_end(byte));
            let skipped = line_end.map_or(piece.len(), |at| at + 1);
            self.window.base += skipped as u64;
            self.discarding = line_end.is_none();
            piece = piece.get(skipped..).unwrap_or_default();
        }
        self.window.add(piece);
        self.take();
    }

    /// Before the first bytes of a file are searched.
    fn begin_file(&mut self) {
        if !std::mem::take(&mut self.fresh) {
            return;
        }
        if self.decoder.encoding() == (TextEncoding::Utf8, EncodingBy::Mark) {
            self.window.base = UTF8_MARK.len() as u64;
        }
        let names = match &self.rewrite {
            Rewrite::Shell(rows) => rows.columns(&self.columns),
            Rewrite::Keys(_, keys) => keys.columns(),
            _ => return,
        };
        self.name_columns(&names, "input.field-not-in-scan");
    }

    /// Notes in which encoding the file was read that now ends.
    fn note_encoding(&mut self) {
        let (encoding, by) = self.decoder.encoding();
        let (name, format) = (self.place.file.clone(), self.form);
        self.problems.files.push(ReadFile { name, format, encoding, by });
    }

    fn end_file(&mut self) {
        let broken = self.problems.files.len() > self.file as usize;
        let (rest, within_character) = self.decoder.finish();
        let rest = self.rewrite.apply(rest.into());
        self.feed(&rest);
        self.tell_empty();
        let rest = self.rewrite.finish();
        self.feed(&rest);
        let mut cut = within_character || self.rewrite.is_open();
        while !self.window.bytes().is_empty() {
            cut |= self.take_rest();
        }
        if cut {
            self.problems.note_unfinished(Problem::new(CUT_SHORT), self.place.met, &self.place);
        }
        if self.place.met == 0 && !cut && !broken {
            self.problems.show(Problem::new("input.empty"), &self.place);
        }
        if !broken {
            self.note_encoding();
        }
        self.decoder.restart();
        self.rewrite.restart();
        self.window.begin_file();
        (self.place.met, self.lines, self.fields_before) = (0, LineEnds::default(), None);
        (self.fresh, self.discarding, self.awaiting_header) = (true, false, self.header);
    }

    /// Reads some of what is left at the end of a file. True if the file ends within a record, which is then left out.
    fn take_rest(&mut self) -> bool {
        let left = self.window.bytes().len();
        let open = self.window.open_field();
        if !self.window.is_searched() {
            return self.take();
        }
        if !self.window.is_quoted() {
            self.window.end_last_record();
            let cut = self.take_all();
            if self.window.bytes().len() == left {
                self.window.clear();
            }
            return cut;
        }
        if self.window.bytes().iter().skip(open).any(|&byte| is_line_end(byte)) {
            self.refuse(UnreadRecord { code: "input.unclosed-quote", at: open }, self.awaiting_header);
            return false;
        }
        // The last line opens a quote, and nothing follows.
        self.window.clear();
        true
    }

    /// Searches the window and reads every complete record in it; see [`RecordReader::take_all`].
    fn take(&mut self) -> bool {
        let mut cut = false;
        while !self.window.is_searched() {
            self.window.search();
            cut |= self.take_all();
        }
        cut
    }

    /// Reads every record of the window that is complete as far as it was searched. True if the last was left out, for the file ends
    /// within it.
    pub(super) fn take_all(&mut self) -> bool {
        loop {
            let mut taken = self.take_header();
            let in_header = taken.unread.is_some() || self.awaiting_header;
            if taken.unread.is_none() && !self.awaiting_header {
                taken = self.take_records();
            }
            let too_long = self.window.bytes().len() > LONGEST_RECORD && self.window.is_searched();
            let unread = taken.unread.or(too_long.then(|| self.window.too_long()));
            let Some(unread) = unread else { return taken.cut };
            self.refuse(unread, in_header);
            self.window.search();
        }
    }

    /// Reads the header, where one is awaited.
    fn take_header(&mut self) -> WindowProgress {
        let (true, RecordFormat::Csv(csv)) = (self.awaiting_header, &mut self.format) else {
            return WindowProgress::default();
        };
        let (bytes, marks) = self.window.complete();
        let Some((names, mut taken)) = csv.header(bytes, marks) else { return WindowProgress::default() };
        if !names.is_empty() {
            self.awaiting_header = false;
            self.fields_before = Some(names.len() as u32);
            let (names, told) = header_names(&names);
            self.name_columns(&names, "input.field-not-in-header");
            told.into_iter().for_each(|problem| self.problems.tell(problem, &self.place));
        }
        let front = taken.bytes;
        self.window.consume(taken);
        if let Some(unread) = &mut taken.unread {
            unread.at -= front;
        }
        taken
    }

    /// Finds the kind of the records of a file that has no column for it, by the name of the file.
    fn find_kind(&mut self, names: &[String]) {
        if self.given.is_some() {
            return;
        }
        let Some(kind) = named_by(&self.place.file, &self.kinds) else { return };
        let Some(given) = self.given_by(kind) else { return };
        let own = self
            .sources
            .get(given.field)
            .into_iter()
            .flatten()
            .filter_map(|&source| self.columns.get(source));
        if own.clone().any(|column| names.contains(column)) {
            return;
        }
        let told = Problem::new("input.kind-by-name").with("kind", &kind.name);
        self.given = Some(given);
        self.tell(told);
    }

    /// Finds the columns that are read among those of a file, and tells of those that are not there.
    fn name_columns(&mut self, names: &[String], code: &'static str) {
        self.find_kind(names);
        let RecordFormat::Csv(csv) = &mut self.format else { return };
        let declared: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let known = if self.stated.is_empty() { names } else { &self.stated };
        let found = known.iter().take(SHOWN).map(|name| shortened(name)).collect::<Vec<_>>().join(", ");
        let missing = csv.set_header(names, &declared);
        let is_kept = |reading: &Option<FieldReading>| self.checks_all || reading.is_some();
        let kept = self.sources.iter().zip(&self.readings).filter(|(_, reading)| is_kept(reading));
        let read: HashSet<usize> = kept.flat_map(|(sources, _)| sources.iter().copied()).collect();
        // A column that is no longer kept is not read from a packed file.
        let optional = self.given.as_ref().map(|given| given.optional.as_slice()).unwrap_or_default();
        let needed =
            |index: &usize| read.contains(index) && !optional.get(*index).copied().unwrap_or_default();
        for index in missing.into_iter().filter(needed).take(SHOWN) {
            let Some(&name) = declared.get(index) else { continue };
            let problem = Problem::new(code).with("field", name).with("found", &found);
            self.problems.show(problem.at_field(name), &self.place);
        }
    }

    /// Reads the complete records up to one that cannot be read; its place is then counted from the front of what is left.
    fn take_records(&mut self) -> WindowProgress {
        self.batch.clear();
        let seen = self.window.seen;
        let (bytes, marks) = self.window.complete();
        // The last record of a file has no line end.
        let open = marks.last().is_some_and(|&mark| mark as usize >= bytes.len());
        let mut taken = match &self.format {
            RecordFormat::Csv(csv) => csv.split(bytes, marks, seen, &mut self.batch),
            RecordFormat::Lines(lines) => lines.split(bytes, marks, &mut self.batch),
        };
        let width = if let RecordFormat::Csv(csv) = &self.format { csv.width() } else { 0 };
        taken.cut |= self.drop_cut(width as u32, open && taken.unread.is_none());
        self.take_batch(width);
        self.window.consume(taken);
        if let Some(unread) = &mut taken.unread {
            unread.at -= taken.bytes;
        }
        taken
    }

    /// Leaves out the last record of a file when it has fewer fields than the one before and no line end: it is cut short. True if
    /// it was.
    fn drop_cut(&mut self, width: u32, open: bool) -> bool {
        let Some(last) = (self.batch.starts.len() as u32).checked_sub(1) else { return false };
        let fields = |record: u32| {
            let ragged = self.batch.ragged.iter().rev().take(2).find(|(index, _)| *index == record);
            ragged.map_or(width, |(_, found)| *found)
        };
        let before = last.checked_sub(1).map(fields).or(self.fields_before);
        let cut = open && width > 0 && before.is_some_and(|before| fields(last) < before);
        self.fields_before = Some(fields(last));
        if cut {
            self.batch.drop_last();
        }
        cut
    }

    /// Takes in the records of the batch.
    fn take_batch(&mut self, width: usize) {
        self.problems.note(&self.batch, width, &self.columns, &self.place);
        self.fill_columns();
        self.place.met += self.batch.starts.len() as u64;
    }

    fn fill_columns(&mut self) {
        let rows = self.batch.starts.len();
        if rows == 0 {
            return;
        }
        if !self.records.has_room(rows, self.window.bytes().len()) {
            self.problems.note_unfinished(
                Problem::new(TOO_LARGE),
                self.records.rows as u64,
                &PlaceInFile::default(),
            );
            self.problems.refused += rows as u64;
            return;
        }
        let (ascii, before) = (!self.window.seen.non_ascii, self.records.rows);
        let mut bad = Vec::new();
        let columns = self.records.columns.iter_mut().zip(&self.readings).zip(&self.sources);
        for (at, ((column, reading), source)) in columns.enumerate() {
            if reading.is_none() && (ascii || !self.checks_all) {
                continue;
            }
            let spans = |&at: &usize| self.batch.spans.get(at).map(Vec::as_slice).unwrap_or_default();
            let held;
            let given = self.given.as_ref().filter(|given| given.field == at);
            let (bytes, spans) = match (given, source.as_slice()) {
                (Some(given), _) => {
                    held = (given.value.clone(), given.spans(&self.batch));
                    (held.0.as_slice(), held.1.as_slice())
                }
                (None, [at]) => (self.window.bytes(), spans(at)),
                (None, parts) => {
                    let parts: Vec<&[FieldSpan]> = parts.iter().map(spans).collect();
                    held = joined(self.window.bytes(), &parts, rows);
                    (held.0.as_slice(), held.1.as_slice())
                }
            };
            let rows = match reading {
                Some(reading) => fill(column, reading, bytes, spans, ascii),
                None => no_texts(bytes, spans, before),
            };
            bad.extend(rows.into_iter().map(|row| (row - before, at)));
        }
        // Columns are read one after the other, but the first problems are those of the first records.
        bad.sort_unstable();
        let names: Vec<&str> = self.records.columns.iter().map(|column| column.field.name.as_str()).collect();
        self.problems.note_bad_bytes(&bad, &names, &self.place);
        for &(index, _) in &self.batch.unread {
            self.records.unread.set(before + index as usize);
        }
        self.records.add_positions(self.file, self.window.base, &self.batch.starts);
    }

    /// Refuses the record at the front of the window, or the header, and goes on after the line on which the field at fault begins. A
    /// record stays a row, without values.
    fn refuse(&mut self, UnreadRecord { code, at }: UnreadRecord, is_header: bool) {
        self.is_apart = true;
        let bytes = self.window.bytes();
        let rest = bytes.get(at..).unwrap_or_default();
        let line = self.lines.count.saturating_sub(line_ends(rest)) + 1;
        let line_end = rest.iter().position(|&byte| is_line_end(byte));
        let bytes = line_end.map_or(bytes.len(), |end| at + end + 1);
        let mut problem = Problem::new(code).with("offset", self.window.base).with("line", line);
        if is_header {
            self.problems.tell(problem, &self.place);
        } else {
            problem.place.row = Some(self.place.met + 1);
            self.problems.show(problem, &self.place);
            self.problems.refused += 1;
            self.batch.clear();
            self.batch.add_unread(0, code);
            self.fill_columns();
            self.place.met += 1;
        }
        self.discarding = line_end.is_none();
        self.window.restart_search();
        self.window.consume(WindowProgress { bytes, ..WindowProgress::default() });
    }
}

/// The names of a header, each once, and what is told of those that do not stand there so.
fn header_names(found: &[Vec<u8>]) -> (Vec<String>, Vec<Problem>) {
    let names: Vec<String> = found.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let (read, mut told) = (unique_names(names.clone()), Vec::new());
    for ((bytes, name), read) in found.iter().zip(&names).zip(&read) {
        if std::str::from_utf8(bytes).is_err() {
            told.push(Problem::new("input.header-not-text").with("field", name));
        }
        if !name.is_empty() && name != read {
            told.push(Problem::new("input.header-twice").with("field", name).with("read", read));
        }
    }
    (read, told)
}

/// As much of a name as is shown.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(SHOWN_OF_NAME) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// Refuses a name given twice.
fn all_once(names: &mut dyn Iterator<Item = &String>) -> Result<(), Problem> {
    let mut known = HashSet::new();
    for name in names {
        if !known.insert(name) {
            return Err(Problem::new("input.field-twice").with("field", name).at_field(name));
        }
    }
    Ok(())
}

/// The columns that fields are read from, in order of first mention, and for each field the places of its own among them.
fn columns_of(fields: &[Field]) -> (Vec<String>, Vec<Vec<usize>>) {
    let (mut columns, mut places) = (Vec::new(), HashMap::new());
    let mut place = |name: &String| {
        *places.entry(name.clone()).or_insert_with(|| {
            columns.push(name.clone());
            columns.len() - 1
        })
    };
    let sources = fields.iter().map(|field| field.columns().iter().map(&mut place).collect()).collect();
    (columns, sources)
}

fn single_byte(text: Option<&str>, default: u8, code: &'static str) -> Result<u8, Problem> {
    match text.map(str::as_bytes) {
        None => Ok(default),
        Some(&[byte]) => Ok(byte),
        Some(other) => Err(Problem::new(code).with("found", String::from_utf8_lossy(other))),
    }
}

/// The bytes that are told apart in a file.
struct Separators {
    /// Between the fields of a record.
    separator: u8,
    /// Around a field.
    quote: Option<u8>,
    /// Between the parts of a key in a scan.
    parts: Option<u8>,
}

impl Separators {
    fn of(input: &Input) -> Result<Self, Problem> {
        // The text of a packed table is always written alike.
        let is_text = !input.format.is_table();
        let given = input.separator.as_deref().filter(|_| is_text);
        let parts = given.map(|one| single_byte(Some(one), 0, "input.bad-separator")).transpose()?;
        let scan = input.format == FileForm::Scan;
        let separator = if scan { SEPARATOR } else { parts.unwrap_or(b',') };
        let quote = match input.quote.as_deref().filter(|_| is_text) {
            _ if scan => None,
            Some("") => None,
            quote => Some(single_byte(quote, b'"', "input.bad-quote")?),
        };
        if matches!(separator, b'\n' | b'\r') || Some(separator) == quote {
            return Err(
                Problem::new("input.bad-separator").with("found", char::from(separator).escape_debug())
            );
        }
        Ok(Self { separator, quote, parts })
    }
}
