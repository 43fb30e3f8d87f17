//! A command at work: where it writes, and how it ends.

use super::args::{CommandArgs, INPUTS, OUTPUTS};
use super::host::{FileHandle, Host, HostTrouble, STDERR, STDIN, STDOUT};
use super::steps::step;
use super::style::{TextStyle, harmless, harmless_line};
use super::words;
use crate::base::Problem;
#[cfg(not(target_arch = "wasm32"))]
use crate::base::workers::Workers;
use crate::records::read::TextEncoding;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::Arc;

/// Everything is fine.
pub const FINE: u8 = 0;
/// Done, and something was found that the person asked to be told of.
pub const FOUND: u8 = 1;
/// Wrong use, or input that makes no sense.
pub const WRONG: u8 = 2;
/// A file could not be read or written.
pub const TROUBLE: u8 = 3;

/// Output is handed to the system from so many bytes on.
const PORTION: usize = 1 << 16;

/// Links from one to the next that are followed.
pub const MOST_LINKS: usize = 40;

/// Memory of a thread at work, in steps: their bytes, records and keys, and those of the next.
const STEPS_OF_A_THREAD: u64 = 6;

/// Why a command ends before it is done.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: u8,
    /// The problems, each with line and column in the file where they are known.
    pub problems: Vec<(Problem, Option<(usize, usize)>)>,
    /// The file it was met in.
    pub file: Option<String>,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        vec![problem].into()
    }
}

impl From<Vec<Problem>> for Failure {
    fn from(problems: Vec<Problem>) -> Self {
        let problems = problems.into_iter().map(|problem| (problem, None)).collect();
        Self { exit: WRONG, problems, file: None }
    }
}

impl Failure {
    /// A file or stream of this name that could not be read or written.
    pub fn trouble(trouble: &HostTrouble, file: &str) -> Self {
        Self { exit: TROUBLE, ..trouble.of(file).into() }
    }

    /// The same, met in this file.
    pub fn in_file(self, file: &str) -> Self {
        Self { file: Some(file.to_owned()), ..self }
    }
}

/// A command at work.
pub struct CommandContext<'a> {
    /// The system.
    pub host: &'a mut dyn Host,
    /// How text is written to standard output.
    pub style: TextStyle,
    /// True if the first record of separated values holds names; `None` to guess it.
    pub header: Option<bool>,
    /// Bytes of memory to take at most, about.
    pub memory: u64,
    /// Threads to work on at most.
    pub threads: usize,
    #[cfg(not(target_arch = "wasm32"))]
    workers: Option<Arc<Workers>>,
    /// The encoding of files of records without a byte order mark; `None` for UTF-8.
    pub encoding: Option<TextEncoding>,
    /// True once standard input was read: it does not come again.
    pub input_read: bool,
    out: Vec<u8>,
    failed: Option<HostTrouble>,
    /// The file that is written piece by piece.
    saving: Option<FileUnderWay>,
}

/// A file that is not complete yet.
struct FileUnderWay {
    file: FileHandle,
    /// Its name, as it was given.
    asked: String,
    /// The file that its bytes are in until it is complete, and the path that it has then. None for a device or a pipe: it is
    /// written as it is, for to rename over it would take it away.
    part: Option<(String, String)>,
    /// The file that it replaces.
    replaced: Option<String>,
}

impl<'a> CommandContext<'a> {
    /// On a system, with nothing written yet.
    pub fn new(host: &'a mut dyn Host) -> Self {
        Self {
            host,
            style: TextStyle::default(),
            header: None,
            memory: 0,
            threads: 1,
            #[cfg(not(target_arch = "wasm32"))]
            workers: None,
            encoding: None,
            input_read: false,
            out: Vec::new(),
            failed: None,
            saving: None,
        }
    }

    /// Threads to work on, as many as there is memory for the work of each.
    pub fn threads(&self) -> usize {
        if cfg!(target_arch = "wasm32") {
            return 1;
        }
        let most = self.memory / 2 / (STEPS_OF_A_THREAD * step(self.memory));
        self.threads.min(usize::try_from(most).unwrap_or(usize::MAX)).max(1)
    }

    /// The threads, which begin with the first work for them; `None` if there is to be one alone.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn workers(&mut self) -> Option<Arc<Workers>> {
        let threads = self.threads();
        if self.workers.is_none() && threads > 1 {
            self.workers = Workers::new(threads).map(Arc::new);
            if self.workers.is_none() {
                self.threads = 1;
            }
        }
        self.workers.clone()
    }

    /// Writes a line to standard output, without anything that a terminal would obey but colours.
    pub fn line(&mut self, text: &str) {
        self.write(harmless_line(text).as_bytes());
        self.write(b"\n");
    }

    /// Writes to standard output.
    pub fn write(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
        if self.out.len() >= PORTION {
            self.flush();
        }
    }

    /// True if nobody can read any more of standard output, so that there is no use in making it.
    pub fn is_closed(&self) -> bool {
        self.failed.is_some()
    }

    fn flush(&mut self) {
        let out = std::mem::take(&mut self.out);
        if self.failed.is_none() && !out.is_empty() {
            self.failed = self.host.write(STDOUT, &out).err();
        }
    }

    /// Hands the rest of the output to the system. A reader that went away is no failure. A file that is not complete is given up.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn end(&mut self) -> Result<(), Failure> {
        if let Some(FileUnderWay { file, part, .. }) = self.saving.take() {
            self.host.close(file);
            part.iter().for_each(|(part, _)| self.host.remove(part));
        }
        self.flush();
        match self.failed.take().filter(|trouble| trouble.code != HostTrouble::PIPE_CLOSED) {
            Some(trouble) => Err(Failure::trouble(&trouble, &words::say("cli.standard-output", &[]))),
            None => Ok(()),
        }
    }

    /// Writes a line to standard error, without anything that a terminal would obey.
    pub fn note(&mut self, text: &str) {
        // Nowhere is left to complain.
        let _ = self.host.write(STDERR, format!("{}\n", harmless(text)).as_bytes());
    }

    /// Checks that no output is a file that is read, or that another output writes, however their paths are written and whichever
    /// links lead there.
    ///
    /// # Errors
    /// `cli.output-is-input`, `cli.same-output` and the like.
    pub fn check_outputs(&mut self, asked: &CommandArgs, files: usize) -> Result<(), Failure> {
        let inputs = self.inputs(asked, files);
        let standard = self.host.identity_of_stream(STDOUT);
        let read = |id: &str| inputs.iter().find(|(known, _)| known == id).map(|(_, word)| word);
        if let Some(word) = standard.as_deref().and_then(read) {
            return Err(Problem::new("cli.standard-output-is-input").with("file", word).into());
        }
        let mut before: Vec<(String, &str)> = Vec::new();
        for &name in OUTPUTS {
            let Some(path) = asked.get(name).filter(|path| *path != "-") else { continue };
            let real = self.host.identity(path).unwrap_or_else(|| self.place(path));
            let problem = |code| Problem::new(code).with("option", name).with("file", path);
            if let Some(word) = read(&real) {
                return Err(problem("cli.output-is-input").with("input", word).into());
            }
            if standard.as_ref() == Some(&real) {
                return Err(problem("cli.output-is-standard-output").into());
            }
            if let Some((_, other)) = before.iter().find(|(known, _)| *known == real) {
                let problem = Problem::new("cli.same-output").with("file", path);
                return Err(problem.with("option", other).with("other", name).into());
            }
            before.push((real, name));
        }
        Ok(())
    }

    /// The regular files that a command reads, as far as they are there, each with the word that names it: of the words behind the
    /// command so many, and options.
    fn inputs(&mut self, asked: &CommandArgs, files: usize) -> Vec<(String, String)> {
        let words = asked.words.iter().skip(1).take(files).map(String::as_str);
        let mut inputs = Vec::new();
        for word in words.chain(INPUTS.iter().flat_map(|name| asked.all(name))) {
            // A table of a document, and the file of a kind of records.
            let table = word.split_once(".json#").map(|(path, _)| format!("{path}.json"));
            let of_kind = word.split_once('=').map(|(_, path)| path.to_owned());
            for path in [Some(word.to_owned()), table, of_kind].into_iter().flatten() {
                let id = match path.as_str() {
                    "-" => self.host.identity_of_stream(STDIN),
                    path => self.host.identity(path),
                };
                inputs.extend(id.map(|id| (id, word.to_owned())));
            }
        }
        inputs
    }

    /// Where a path leads, also through links to a file that is still to be made.
    fn place(&mut self, path: &str) -> String {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            match self.host.real(&path) {
                Some((real, _)) if real != path => path = real,
                Some(_) => return path,
                None => break,
            }
        }
        self.future(&path)
    }

    /// The path that a new file will have.
    fn future(&mut self, path: &str) -> String {
        let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or((".", path));
        let folder = if folder.is_empty() { "/" } else { folder };
        let real = self.host.real(folder).map_or_else(|| folder.to_owned(), |(real, _)| real);
        format!("{real}/{name}")
    }

    /// Writes a whole file, `-` for standard output. A file of this name is replaced once the new one is complete, and
    /// stays as it is when that fails.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn save(&mut self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        if path == "-" {
            match self.host.columns(STDOUT).and_then(|_| std::str::from_utf8(bytes).ok()) {
                Some(text) => text.lines().for_each(|line| self.line(line)),
                None => self.write(bytes),
            }
            return Ok(());
        }
        self.begin_file(path)?;
        self.write_file(bytes)?;
        self.end_file()
    }

    /// Begins a file that [`CommandContext::write_file`] writes; see [`CommandContext::save`].
    ///
    /// # Errors
    /// Errors of the system.
    pub fn begin_file(&mut self, asked: &str) -> Result<(), Failure> {
        let real = self.host.real(asked);
        let replaced = real.clone().filter(|(_, regular)| *regular).map(|(path, _)| path);
        let (path, regular) = real.unwrap_or_else(|| (asked.to_owned(), true));
        let part = regular.then(|| (format!("{path}.{}.part", self.host.process()), path.clone()));
        let made = self.host.create(part.as_ref().map_or(&path, |(part, _)| part), regular);
        let file = made.map_err(|trouble| Failure::trouble(&trouble, asked))?;
        self.saving = Some(FileUnderWay { file, asked: asked.to_owned(), part, replaced });
        Ok(())
    }

    /// Writes the next bytes of the file that was begun.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn write_file(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(FileUnderWay { file, asked, .. }) = &self.saving else { return Ok(()) };
        self.host.write(*file, bytes).map_err(|trouble| Failure::trouble(&trouble, asked))
    }

    /// Puts the file that was begun in its place.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn end_file(&mut self) -> Result<(), Failure> {
        let Some(FileUnderWay { file, asked, part, replaced }) = self.saving.take() else { return Ok(()) };
        let Some((part, path)) = part else {
            self.host.close(file);
            return Ok(());
        };
        // A name that is changed before its bytes are on the disk can be left with none of them.
        let settled = self.host.settle(file, replaced.as_deref());
        self.host.close(file);
        let placed = settled.and_then(|()| self.host.rename(&part, &path));
        if placed.is_err() {
            self.host.remove(&part);
        }
        placed.map_err(|trouble| Failure::trouble(&trouble, &asked))
    }

    /// Says on standard error why the command ends.
    pub fn complain(&mut self, failure: &Failure) -> u8 {
        for (problem, at) in &failure.problems {
            let text = words::described(problem, failure.file.as_deref(), *at);
            self.note(&format!("rowscape: {text}"));
        }
        failure.exit
    }
}
