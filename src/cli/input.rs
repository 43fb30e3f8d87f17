//! Files on their way in: unpacked, and those of records read by the reader of the library.

use super::host::{FileHandle, STDIN};
use super::progress::Progress;
use super::shell::{Failure, Shell};
use super::words::say;
use crate::base::Problem;
use crate::base::limits::Limit;
use crate::base::memory::full;
use crate::design::Document;
use crate::records::field::Field;
use crate::records::guess::{SaidOfFile, guess_for};
use crate::records::read::encoding::decoded;
use crate::records::read::{Input, RecordReader, TextEncoding};
use flate2::write::GzDecoder;
use std::io::{self, Write};

/// Bytes asked of the system at a time.
const CHUNK: usize = 1 << 18;
/// Bytes that are unpacked at a time: gzip makes at most 1,032 bytes of one.
const PACKED: usize = CHUNK / 1024;
/// Bytes that a file's form is guessed from.
pub const HEAD: usize = 1 << 18;
/// Words of `--header`.
pub const HEADER: &[(&str, bool)] = &[("yes", true), ("no", false)];
/// Two bytes that a gzip file begins with.
const GZIP: &[u8] = b"\x1f\x8b";

/// Takes the bytes of a file, unpacked; an error ends the command.
pub type ByteSink<'s> = &'s mut dyn FnMut(&mut Shell<'_>, &[u8]) -> Result<(), Failure>;

/// The name that a person knows a file by.
pub fn name_of(path: &str) -> String {
    if path == "-" { say("cli.standard-input", &[]) } else { path.to_owned() }
}

/// All bytes of a file, or of standard input for `-`, as many as a limit allows.
fn bytes(shell: &mut Shell<'_>, path: &str, limit: &Limit) -> Result<Vec<u8>, Failure> {
    let mut all = Vec::new();
    each_chunk(shell, path, None, &mut |_, chunk| {
        let length = all.len() + chunk.len();
        limit.check(length).map_err(|problem| Failure::from(problem).in_file(&name_of(path)))?;
        all.try_reserve(chunk.len()).map_err(|_| full(length))?;
        all.extend_from_slice(chunk);
        Ok(())
    })?;
    Ok(all)
}

/// The text of a file: in UTF-8, or as its byte order mark says.
pub fn text(shell: &mut Shell<'_>, path: &str, limit: &Limit) -> Result<String, Failure> {
    let bytes = bytes(shell, path, limit)?;
    String::from_utf8(decoded(&bytes, None))
        .map_err(|_| Failure::from(Problem::new("cli.not-utf8")).in_file(&name_of(path)))
}

/// The first bytes of a file, as many as its form is guessed from.
pub fn head(shell: &mut Shell<'_>, path: &str) -> Result<Vec<u8>, Failure> {
    let mut head = Vec::new();
    each_chunk(shell, path, None, &mut |_, chunk| {
        let room = (HEAD - head.len()).min(chunk.len());
        head.extend_from_slice(chunk.get(..room).unwrap_or_default());
        Ok(())
    })?;
    Ok(head)
}

/// Hands on the bytes of a file as they come, unpacked when they are gzip of any number of members.
///
/// # Errors
/// Errors of the system, damaged gzip, and those of the sink.
pub fn each_chunk(
    shell: &mut Shell<'_>,
    path: &str,
    mut progress: Option<&mut Progress>,
    sink: ByteSink<'_>,
) -> Result<(), Failure> {
    let name = name_of(path);
    let trouble = |trouble| Failure::trouble(&trouble, &name);
    let file = if path == "-" { STDIN } else { shell.host.open(path).map_err(trouble)? };
    let total = shell.host.size(file);
    let read = unpacked(
        shell,
        file,
        &name,
        &mut |shell, taken| {
            if let Some(progress) = &mut progress {
                progress.show(shell, &name, taken, total);
            }
        },
        sink,
    );
    shell.host.close(file);
    read
}

fn unpacked(
    shell: &mut Shell<'_>,
    file: FileHandle,
    name: &str,
    taken: &mut dyn FnMut(&mut Shell<'_>, u64),
    sink: ByteSink<'_>,
) -> Result<(), Failure> {
    let broken = || Failure::from(Problem::new("cli.broken-gzip")).in_file(name);
    let mut buffer = vec![0; CHUNK];
    let mut first: Vec<u8> = Vec::new();
    let mut inflater = None;
    let (mut begun, mut count) = (false, 0);
    loop {
        let read = shell.host.read(file, &mut buffer);
        let length = read.map_err(|trouble| Failure::trouble(&trouble, name))?;
        let chunk = buffer.get(..length).unwrap_or_default();
        count += length as u64;
        if !begun {
            first.extend_from_slice(chunk);
            if first.len() < GZIP.len() && length > 0 {
                continue;
            }
            begun = true;
            inflater = first.starts_with(GZIP).then(Inflater::default);
        }
        let chunk = if first.is_empty() { chunk } else { first.as_slice() };
        match &mut inflater {
            Some(inflater) if length > 0 || !first.is_empty() => {
                for packed in chunk.chunks(PACKED) {
                    let written = inflater.write_all(packed);
                    if inflater.unpacked().len() >= CHUNK || written.is_err() {
                        let unpacked = std::mem::take(inflater.unpacked());
                        sink(shell, &unpacked)?;
                    }
                    written.map_err(|_| broken())?;
                }
            }
            _ => sink(shell, chunk)?,
        }
        first = Vec::new();
        if length == 0 {
            break;
        }
        taken(shell, count);
    }
    if let Some(mut inflater) = inflater {
        let finished = inflater.finish();
        let rest = std::mem::take(inflater.unpacked());
        sink(shell, &rest)?;
        finished.map_err(|_| broken())?;
    }
    Ok(())
}

/// Unpacks gzip of any number of members. Zero bytes behind a member are no other: tapes and copies in blocks are padded with them.
struct Inflater {
    member: GzDecoder<Vec<u8>>,
    /// True behind a member, before the first byte of the next.
    between: bool,
}

impl Default for Inflater {
    fn default() -> Self {
        Self { member: GzDecoder::new(Vec::new()), between: false }
    }
}

impl Inflater {
    /// Unpacked bytes that were not taken yet.
    fn unpacked(&mut self) -> &mut Vec<u8> {
        self.member.get_mut()
    }

    fn write_all(&mut self, mut packed: &[u8]) -> io::Result<()> {
        loop {
            if self.between {
                let padding = packed.iter().take_while(|&&byte| byte == 0).count();
                packed = packed.get(padding..).unwrap_or_default();
            }
            if packed.is_empty() {
                return Ok(());
            }
            if std::mem::take(&mut self.between) {
                let unpacked = std::mem::take(self.unpacked());
                self.member = GzDecoder::new(unpacked);
            }
            match self.member.write(packed)? {
                0 => {
                    self.member.try_finish()?;
                    self.between = true;
                }
                taken => packed = packed.get(taken..).unwrap_or_default(),
            }
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.between { Ok(()) } else { self.member.try_finish() }
    }
}

/// True if a file is damaged, so that what was read before is to be kept.
fn is_broken(failure: &Failure) -> bool {
    failure.problems.iter().any(|(problem, _)| problem.code == "cli.broken-gzip")
}

/// Reads files of records for a study into a reader, and hands it on whenever some were read. Of a file that is damaged what
/// comes before is kept, and the first problem of the reader says so.
pub fn records(
    shell: &mut Shell<'_>,
    study: &Document,
    files: &[&str],
    portion: &mut dyn FnMut(&mut Shell<'_>, &mut RecordReader) -> Result<(), Failure>,
) -> Result<RecordReader, Failure> {
    let mut reading = GuessedReader {
        study,
        header: shell.header,
        encoding: shell.encoding,
        reader: None,
        head: Vec::new(),
        looked: false,
    };
    let mut progress = Progress::new(shell);
    let read = files.iter().try_for_each(|path| {
        let name = name_of(path);
        reading.begin(&name);
        let mut feed = |shell: &mut Shell<'_>, chunk: &[u8]| {
            reading.push(&name, chunk)?;
            reading.reader.as_mut().map_or(Ok(()), |reader| portion(shell, reader))
        };
        match each_chunk(shell, path, Some(&mut progress), &mut feed) {
            Err(failure) if is_broken(&failure) => reading.break_off(&name).ok_or(failure),
            read => read.and_then(|()| reading.end_file(&name)),
        }
    });
    progress.clear(shell);
    read?;
    let mut reader = reading.reader.ok_or_else(|| Failure::from(Problem::new("input.empty")))?;
    reader.finish();
    portion(shell, &mut reader)?;
    Ok(reader)
}

/// A reader once the form of the first file is known, which is guessed from its first bytes.
struct GuessedReader<'a> {
    study: &'a Document,
    header: Option<bool>,
    encoding: Option<TextEncoding>,
    reader: Option<RecordReader>,
    head: Vec<u8>,
    /// True once the first bytes of a file were looked at.
    looked: bool,
}

impl GuessedReader<'_> {
    fn begin(&mut self, name: &str) {
        self.head.clear();
        self.looked = false;
        if let Some(reader) = &mut self.reader {
            reader.next_file(name);
        }
    }

    fn push(&mut self, name: &str, chunk: &[u8]) -> Result<(), Failure> {
        if self.looked {
            self.give(chunk);
            return Ok(());
        }
        self.head.extend_from_slice(chunk);
        if self.head.len() < HEAD { Ok(()) } else { self.guess(name) }
    }

    fn end_file(&mut self, name: &str) -> Result<(), Failure> {
        if self.looked { Ok(()) } else { self.guess(name) }
    }

    /// Ends a file that is damaged; `None` when nothing can be made of what was read.
    fn break_off(&mut self, name: &str) -> Option<()> {
        if !self.looked {
            self.guess(name).ok()?;
        }
        (self.reader.as_mut()?.break_off() > 0).then_some(())
    }

    /// Settles how the file is written; all files have the form of the first.
    fn guess(&mut self, name: &str) -> Result<(), Failure> {
        let head = std::mem::take(&mut self.head);
        let fields = self.study.fields.iter();
        let declared: Vec<&str> = fields.flat_map(Field::columns).map(String::as_str).collect();
        let looked_at = head.get(..HEAD).unwrap_or(&head);
        let said = SaidOfFile { header: self.header, encoding: self.encoding, declared: &declared };
        let guess = guess_for(looked_at, name, &said);
        let is_no_text = |problem: &&Problem| matches!(problem.code, "input.binary" | "input.utf-16");
        if let Some(problem) = guess.problems.iter().find(is_no_text) {
            return Err(Failure::from(problem.clone()).in_file(name));
        }
        if self.reader.is_none() {
            let input = Input { fields: self.study.fields.clone(), ..guess.input };
            let mut reader = RecordReader::new(&input)?;
            reader.next_file(name);
            self.reader = Some(reader);
        }
        self.looked = true;
        self.give(&head);
        Ok(())
    }

    fn give(&mut self, chunk: &[u8]) {
        if let Some(reader) = &mut self.reader {
            reader.push(chunk);
        }
    }
}
