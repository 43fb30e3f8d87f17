//! Files on their way in: texts, and records read by the reader of the library.

use super::context::{CommandContext, Failure};
use super::pieces::{PortionSink, SteppedReading};
use super::progress::{Progress, ReadSoFar};
use super::source::ByteSource;
use super::steps::step;
use super::words::say;
use crate::base::Problem;
use crate::base::limits::Limit;
use crate::design::Design;
use crate::hbase::row_keys::{DeclaredKey, guess_of_design};
use crate::keys::reader::{KeyDecoder, reader_of};
use crate::records::field::Field;
use crate::records::guess::SaidOfFile;
use crate::records::read::encoding::{decoded, is_binary, unmarked_utf16};
use crate::records::read::{FileKind, Input, ReadProblems, RecordReader, StatedFile, TextEncoding};
use crate::session::HEAD;

/// Words of `--header`.
pub const HEADER: &[(&str, bool)] = &[("yes", true), ("no", false)];

/// Takes the bytes of a file, unpacked, and says how many of its records were read so far; an error ends the command.
pub type ByteSink<'s> = &'s mut dyn FnMut(&mut CommandContext<'_>, &[u8]) -> Result<u64, Failure>;

/// The name that a person knows a file by.
pub fn name_of(path: &str) -> String {
    if path == "-" { say("cli.standard-input", &[]) } else { path.to_owned() }
}

/// The text of a file: in UTF-8, or as its byte order mark says.
pub fn text(context: &mut CommandContext<'_>, path: &str, limit: &Limit) -> Result<String, Failure> {
    let source = ByteSource::open(context, path)?;
    text_of(context, source, limit)
}

/// The text of a file that is open.
pub fn text_of(
    context: &mut CommandContext<'_>,
    mut source: ByteSource,
    limit: &Limit,
) -> Result<String, Failure> {
    let bytes = source.all(context, limit)?;
    let name = std::mem::take(&mut source.name);
    source.close(context);
    let text = String::from_utf8(decoded(&bytes, None)).ok();
    // Every other byte of UTF-16 is a zero, which is valid UTF-8.
    let text = text.filter(|text| !is_binary(text) || unmarked_utf16(&bytes).is_none());
    text.ok_or_else(|| Failure::from(Problem::new("cli.not-utf8")).in_file(&name))
}

/// Hands on the bytes of a file as they come, unpacked when they are gzip of any number of members.
///
/// # Errors
/// Errors of the system, damaged gzip, and those of the sink.
pub fn each_chunk(
    context: &mut CommandContext<'_>,
    source: &mut ByteSource,
    mut progress: Option<&mut Progress>,
    sink: ByteSink<'_>,
) -> Result<(), Failure> {
    while let Some(chunk) = source.chunk(context)? {
        let rows = sink(context, chunk)?;
        if let Some(progress) = &mut progress {
            let read = ReadSoFar { rows, bytes: source.taken, total: source.total };
            progress.show(context, &source.name, read);
        }
    }
    Ok(())
}

/// The problem of a file that is damaged, so that what was read before is to be kept.
fn damage(failure: &Failure) -> Option<Problem> {
    failure.problems.iter().find_map(|(problem, _)| match problem.code {
        "cli.broken-gzip" => Some(Problem::new("input.broken-gzip")),
        _ => ReadProblems::is_unfinished(problem).then(|| problem.clone()),
    })
}

/// The fields that a command needs of records.
pub struct WantedFields<'a> {
    /// Those that a study declares; `None` for all that the first file is guessed to have.
    pub fields: Option<&'a [Field]>,
    /// Those of which values are read; `None` for all.
    pub named: Option<Vec<String>>,
    /// Bytes of a step at most.
    pub step: u64,
    /// The table whose kinds files can be of.
    pub table: Option<&'a Design>,
}

impl<'a> WantedFields<'a> {
    /// All fields of a study, of records of a table.
    pub fn all(fields: &'a [Field], table: Option<&'a Design>) -> Self {
        Self { fields: Some(fields), named: None, step: u64::MAX, table }
    }

    /// The path of a file, and the kind of its records where a word says so.
    fn file<'w>(&self, word: &'w str) -> (&'w str, Option<FileKind>) {
        match self.table.and_then(|table| table.kind_file(word)) {
            Some((kind, path)) => (path, Some(kind.of_file(self.fields.unwrap_or_default()))),
            None => (word, None),
        }
    }
}

/// Reads files of records into a reader, and hands it on behind each step and each file: the fields that a study declares, or all that the
/// first file is guessed to have. The first file may be open already. Of a file that is damaged what comes before is kept, and the
/// first problem of the reader says so.
pub fn records(
    context: &mut CommandContext<'_>,
    wanted: &WantedFields<'_>,
    (mut open, files): (Option<ByteSource>, &[&str]),
    portion: PortionSink<'_>,
) -> Result<RecordReader, Failure> {
    let fields = wanted.fields;
    let mut reading = GuessedReader {
        wanted,
        header: context.header,
        encoding: context.encoding,
        reader: None,
        head: Vec::new(),
        looked: false,
        stated: None,
        kind: None,
        stepped: SteppedReading::new(step(context.memory).min(wanted.step)),
    };
    let mut progress = Progress::new(context);
    let read = files.iter().try_for_each(|word| {
        let (path, kind) = wanted.file(word);
        let mut source = match open.take() {
            Some(source) => source,
            None => source_of(context, path, wanted.table)?,
        };
        let name = source.name.clone();
        reading.begin(&name, kind);
        reading.stated = source.stated(context, fields)?;
        progress.next_file(context);
        let mut feed = |context: &mut CommandContext<'_>, chunk: &[u8]| {
            reading.push(context, &name, chunk, portion)?;
            Ok(reading.reader.as_ref().map_or(0, RecordReader::met))
        };
        let read = each_chunk(context, &mut source, Some(&mut progress), &mut feed);
        source.close(context);
        match read {
            Ok(()) => reading.end_file(context, &name, portion),
            Err(failure) => match damage(&failure) {
                Some(problem) => reading.break_off(context, &name, problem, portion)?.ok_or(failure),
                None => Err(failure),
            },
        }
    });
    progress.clear(context);
    read?;
    let mut reader = reading.reader.ok_or_else(|| Failure::from(Problem::new("input.empty")))?;
    reader.finish();
    portion(context, &mut reader, false)?;
    Ok(reader)
}

/// Opens a file of records.
///
/// # Errors
/// Errors of the system; `design.no-such-kind` where there is no such file and the word looks like one of a kind.
pub fn source_of(
    context: &mut CommandContext<'_>,
    path: &str,
    table: Option<&Design>,
) -> Result<ByteSource, Failure> {
    ByteSource::open(context, path).map_err(|failure| {
        let kinds = table.filter(|table| !table.kinds.is_empty()).zip(path.split_once('='));
        match kinds.map(|(table, (name, _))| table.file_kind(name, &[])) {
            Some(Err(problem)) => problem.into(),
            _ => failure,
        }
    })
}

/// A reader once the form of the first file is known, which is guessed from its first bytes.
struct GuessedReader<'a> {
    wanted: &'a WantedFields<'a>,
    header: Option<bool>,
    encoding: Option<TextEncoding>,
    reader: Option<RecordReader>,
    head: Vec<u8>,
    /// True once the first bytes of a file were looked at.
    looked: bool,
    /// Columns as the file states them.
    stated: Option<StatedFile>,
    /// The kind of all records of the file.
    kind: Option<FileKind>,
    stepped: SteppedReading,
}

impl GuessedReader<'_> {
    fn begin(&mut self, name: &str, kind: Option<FileKind>) {
        self.head.clear();
        self.looked = false;
        self.kind = kind;
        if let Some(reader) = &mut self.reader {
            reader.next_file_of(name, self.kind.as_ref());
        }
    }

    fn push(
        &mut self,
        context: &mut CommandContext<'_>,
        name: &str,
        chunk: &[u8],
        portion: PortionSink<'_>,
    ) -> Result<(), Failure> {
        if self.looked {
            return self.give(context, chunk, portion);
        }
        self.head.extend_from_slice(chunk);
        if self.head.len() < HEAD {
            return Ok(());
        }
        let head = self.guess(name)?;
        self.give(context, &head, portion)
    }

    fn end_file(
        &mut self,
        context: &mut CommandContext<'_>,
        name: &str,
        portion: PortionSink<'_>,
    ) -> Result<(), Failure> {
        if !self.looked {
            let head = self.guess(name)?;
            self.give(context, &head, portion)?;
        }
        match &mut self.reader {
            Some(reader) => self.stepped.end_file(context, reader, portion),
            None => Ok(()),
        }
    }

    /// Ends a file that is damaged; `None` when nothing can be made of what was read.
    fn break_off(
        &mut self,
        context: &mut CommandContext<'_>,
        name: &str,
        problem: Problem,
        portion: PortionSink<'_>,
    ) -> Result<Option<()>, Failure> {
        if !self.looked {
            let Ok(head) = self.guess(name) else { return Ok(None) };
            self.give(context, &head, portion)?;
        }
        let Some(reader) = &mut self.reader else { return Ok(None) };
        self.stepped.end_file(context, reader, portion)?;
        Ok((reader.break_off_for(problem) > 0).then_some(()))
    }

    /// Settles how the file is written; all files have the form of the first. Gives the bytes by which it did, which are to be read.
    fn guess(&mut self, name: &str) -> Result<Vec<u8>, Failure> {
        let head = std::mem::take(&mut self.head);
        let fields = self.wanted.fields.unwrap_or_default().iter();
        let declared: Vec<&str> = fields.flat_map(Field::columns).map(String::as_str).collect();
        let looked_at = head.get(..HEAD).unwrap_or(&head);
        let said = SaidOfFile {
            header: self.header,
            encoding: self.encoding,
            declared: &declared,
            stated: self.stated.as_ref(),
        };
        let fields = self.wanted.fields.unwrap_or_default();
        let keys =
            self.wanted.table.map(|table| DeclaredKey { rowkey: &table.rowkey, typed: &table.typed, fields });
        let guess = guess_of_design(looked_at, name, &said, keys.as_slice());
        let is_no_text = |problem: &&Problem| matches!(problem.code, "input.binary" | "input.utf-16");
        // Packed twice: what was unpacked is no text either.
        let packed = guess.gzip.then(|| Problem::new("input.binary"));
        if let Some(problem) = packed.as_ref().or_else(|| guess.problems.iter().find(is_no_text)) {
            return Err(Failure::from(problem.clone()).in_file(name));
        }
        if self.reader.is_none() {
            let fields = self.wanted.fields.map_or_else(|| guess.input.fields.clone(), <[Field]>::to_vec);
            if fields.is_empty() {
                return Err(Failure::from(Problem::new("input.empty")).in_file(name));
            }
            let input = Input { fields, ..guess.input };
            let mut reader = match (&input.keys, self.wanted.table) {
                (Some(keys), Some(table)) if keys.rowkey == table.rowkey => {
                    let decoder = KeyDecoder::new(table.typed.clone(), input.fields.clone());
                    RecordReader::of_keys(&input, Box::new(decoder))?
                }
                _ => reader_of(&input)?,
            };
            if let Some(named) = &self.wanted.named {
                reader.read_only(named);
            }
            let kinds = self.wanted.table.map(|table| table.file_kinds(&input.fields));
            reader.of_kinds(kinds.unwrap_or_default());
            reader.next_file_of(name, self.kind.as_ref());
            self.reader = Some(reader);
        }
        if let Some(reader) = &mut self.reader {
            if self.stated.is_some() != reader.is_of_tables() {
                let format = guess.input.format.shown();
                return Err(
                    Failure::from(Problem::new("input.other-form").with("format", format)).in_file(name)
                );
            }
            self.stated.as_ref().map_or(Ok(()), |stated| reader.state(stated))?;
        }
        // The reader tells these itself.
        let is_known = |code| {
            matches!(code, "input.empty" | "input.not-json" | "input.columns-left-out" | "limit.exceeded")
        };
        let doubts = guess.problems.into_iter().filter(|problem| !is_known(problem.code));
        if let Some(reader) = &mut self.reader {
            doubts.for_each(|problem| reader.tell(problem));
        }
        self.looked = true;
        Ok(head)
    }

    fn give(
        &mut self,
        context: &mut CommandContext<'_>,
        chunk: &[u8],
        portion: PortionSink<'_>,
    ) -> Result<(), Failure> {
        match &mut self.reader {
            Some(reader) => self.stepped.push(context, reader, chunk, portion),
            None => Ok(()),
        }
    }
}
