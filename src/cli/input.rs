//! Files of records on their way in: unpacked, in UTF-8, read by the reader of the library.

use super::host::{FileHandle, STDIN};
use super::progress::Progress;
use super::shell::{Failure, Shell};
use super::text::ToUtf8;
use super::words::say;
use crate::base::Problem;
use crate::design::Study;
use crate::records::field::Field;
use crate::records::guess::guess_for;
use crate::records::read::{Input, RecordReader};
use flate2::write::MultiGzDecoder;
use std::io::Write;

/// Bytes asked of the system at a time.
const CHUNK: usize = 1 << 18;
/// Bytes that are unpacked at a time: gzip makes at most 1,032 bytes of one.
const PACKED: usize = CHUNK / 1024;
/// Bytes that a file's form is guessed from.
const HEAD: usize = 1 << 18;
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

/// All bytes of a file, or of standard input for `-`.
pub fn bytes(shell: &mut Shell<'_>, path: &str) -> Result<Vec<u8>, Failure> {
    let mut all = Vec::new();
    each_chunk(shell, path, None, &mut |_, chunk| {
        all.extend_from_slice(chunk);
        Ok(())
    })?;
    Ok(all)
}

/// The text of a file.
pub fn text(shell: &mut Shell<'_>, path: &str) -> Result<String, Failure> {
    let bytes = bytes(shell, path)?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).to_vec();
    String::from_utf8(text).map_err(|_| Failure::from(Problem::new("cli.not-utf8")).in_file(&name_of(path)))
}

/// Hands on the bytes of a file as they come, unpacked when they are gzip of any number of members.
fn each_chunk(
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
            inflater = first.starts_with(GZIP).then(|| MultiGzDecoder::new(Vec::new()));
        }
        let chunk = if first.is_empty() { chunk } else { first.as_slice() };
        match &mut inflater {
            Some(inflater) if length > 0 || !first.is_empty() => {
                for packed in chunk.chunks(PACKED) {
                    let written = inflater.write_all(packed);
                    if inflater.get_ref().len() >= CHUNK || written.is_err() {
                        let unpacked = std::mem::take(inflater.get_mut());
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
        let finished = inflater.try_finish();
        let rest = std::mem::take(inflater.get_mut());
        sink(shell, &rest)?;
        finished.map_err(|_| broken())?;
    }
    Ok(())
}

/// True if a file is damaged, so that what was read before is to be kept.
fn is_broken(failure: &Failure) -> bool {
    failure.problems.iter().any(|(problem, _)| problem.code == "cli.broken-gzip")
}

/// Reads files of records for a study into a reader, and hands it on whenever some were read. Of a file that is damaged what
/// comes before is kept, and the first problem of the reader says so.
pub fn records(
    shell: &mut Shell<'_>,
    study: &Study,
    files: &[&str],
    portion: &mut dyn FnMut(&mut Shell<'_>, &mut RecordReader) -> Result<(), Failure>,
) -> Result<RecordReader, Failure> {
    let mut reading =
        GuessedReader { study, header: shell.header, reader: None, head: Vec::new(), to_utf8: None };
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
    study: &'a Study,
    header: Option<bool>,
    reader: Option<RecordReader>,
    head: Vec<u8>,
    to_utf8: Option<ToUtf8>,
}

impl GuessedReader<'_> {
    fn begin(&mut self, name: &str) {
        self.head.clear();
        self.to_utf8 = None;
        if let Some(reader) = &mut self.reader {
            reader.next_file(name);
        }
    }

    fn push(&mut self, name: &str, chunk: &[u8]) -> Result<(), Failure> {
        if self.to_utf8.is_some() {
            self.give(chunk);
            return Ok(());
        }
        self.head.extend_from_slice(chunk);
        if self.head.len() < HEAD { Ok(()) } else { self.guess(name) }
    }

    fn end_file(&mut self, name: &str) -> Result<(), Failure> {
        if self.to_utf8.is_none() { self.guess(name) } else { Ok(()) }
    }

    /// Ends a file that is damaged; `None` when nothing can be made of what was read.
    fn break_off(&mut self, name: &str) -> Option<()> {
        if self.to_utf8.is_none() {
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
        let guess = guess_for(looked_at, name, self.header, &declared);
        if let Some(problem) = guess.problems.iter().find(|problem| problem.code == "input.binary") {
            return Err(Failure::from(problem.clone()).in_file(name));
        }
        if self.reader.is_none() {
            let input = Input { fields: self.study.fields.clone(), ..guess.input };
            let mut reader = RecordReader::new(&input)?;
            reader.next_file(name);
            self.reader = Some(reader);
        }
        self.to_utf8 = Some(ToUtf8::new(guess.encoding));
        self.give(&head);
        Ok(())
    }

    fn give(&mut self, chunk: &[u8]) {
        if let (Some(reader), Some(to_utf8)) = (&mut self.reader, &mut self.to_utf8) {
            to_utf8.convert(chunk, &mut |chunk| reader.push(chunk));
        }
    }
}
