//! A command at work: where it writes, and how it ends.

use super::host::{FileHandle, Host, HostTrouble, STDERR, STDOUT};
use super::style::TextStyle;
use super::words;
use crate::base::Problem;

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

/// Why a command ends before it is done.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: u8,
    /// What is wrong, each with line and column in the file where they are known.
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
pub struct Shell<'a> {
    /// The system.
    pub host: &'a mut dyn Host,
    /// How text is written to standard output.
    pub style: TextStyle,
    out: Vec<u8>,
    failed: Option<HostTrouble>,
}

impl<'a> Shell<'a> {
    /// On a system, with nothing written yet.
    pub fn new(host: &'a mut dyn Host) -> Self {
        Self { host, style: TextStyle::default(), out: Vec::new(), failed: None }
    }

    /// Writes a line to standard output.
    pub fn line(&mut self, text: &str) {
        self.write(text.as_bytes());
        self.write(b"\n");
    }

    /// Writes to standard output.
    pub fn write(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
        if self.out.len() >= PORTION {
            self.flush();
        }
    }

    /// Whether nobody can read any more of standard output, so that there is no use in making it.
    pub fn is_closed(&self) -> bool {
        self.failed.is_some()
    }

    fn flush(&mut self) {
        let out = std::mem::take(&mut self.out);
        if self.failed.is_none() && !out.is_empty() {
            self.failed = self.host.write(STDOUT, &out).err();
        }
    }

    /// Hands the rest of the output to the system. A reader that went away is no failure.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.flush();
        match self.failed.take().filter(|trouble| trouble.code != HostTrouble::PIPE_CLOSED) {
            Some(trouble) => Err(Failure::trouble(&trouble, &words::say("cli.standard-output", &[]))),
            None => Ok(()),
        }
    }

    /// Writes a line to standard error.
    pub fn note(&mut self, text: &str) {
        // Nowhere is left to complain.
        let _ = self.host.write(STDERR, format!("{text}\n").as_bytes());
    }

    /// Writes a whole file, `-` for standard output. A file of this name is replaced once the new one is complete, and
    /// stays as it is when that fails.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn save(&mut self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        if path == "-" {
            self.write(bytes);
            return Ok(());
        }
        self.place(path, bytes).map_err(|trouble| Failure::trouble(&trouble, path))
    }

    fn place(&mut self, path: &str, bytes: &[u8]) -> Result<(), HostTrouble> {
        let real = self.host.real(path);
        if let Some((path, false)) = real {
            // A device or a pipe is written as it is: to rename over it would take it away.
            let file = self.host.create(&path, false)?;
            return self.fill(file, bytes);
        }
        let path = real.map_or_else(|| path.to_owned(), |(path, _)| path);
        let part = format!("{path}.{}.part", self.host.process());
        let file = self.host.create(&part, true)?;
        let placed = self.fill(file, bytes).and_then(|()| self.host.rename(&part, &path));
        if placed.is_err() {
            self.host.remove(&part);
        }
        placed
    }

    fn fill(&mut self, file: FileHandle, bytes: &[u8]) -> Result<(), HostTrouble> {
        let written = self.host.write(file, bytes);
        self.host.close(file);
        written
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
