//! The system that the command line runs on: files, standard streams, the terminal.

use crate::base::Problem;
use crate::records::read::packed::{PackedForm, Unpacker};

/// An open file or stream.
pub type FileHandle = u32;

/// Standard input.
pub const STDIN: FileHandle = 0;
/// Standard output.
pub const STDOUT: FileHandle = 1;
/// Standard error.
pub const STDERR: FileHandle = 2;

/// An error of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostTrouble {
    /// Stable code, a key of the catalogue.
    pub code: &'static str,
    /// Number of the error, where it has none of the known codes.
    pub number: i32,
}

/// Errors by their names in POSIX, as Node gives them.
const KNOWN: &[(&str, &str)] = &[
    ("ENOENT", "cli.not-found"),
    ("EACCES", "cli.not-allowed"),
    ("EPERM", "cli.not-allowed"),
    ("EROFS", "cli.not-allowed"),
    ("EISDIR", "cli.is-folder"),
    ("ENOTDIR", "cli.not-found"),
    ("ENOSPC", "cli.disk-full"),
    ("EDQUOT", "cli.disk-full"),
    ("EFBIG", "cli.disk-full"),
    ("EPIPE", "cli.pipe-closed"),
    ("ELOOP", "cli.link-loop"),
    ("ENAMETOOLONG", "cli.name-too-long"),
];

impl HostTrouble {
    /// Nobody reads what is written.
    pub const PIPE_CLOSED: &'static str = "cli.pipe-closed";

    /// By its name in POSIX, such as `ENOENT`.
    pub fn named(name: &str, number: i32) -> Self {
        let known = KNOWN.iter().find(|(known, _)| *known == name);
        Self { code: known.map_or("cli.system", |(_, code)| *code), number }
    }

    /// The message for it, for a file of this name.
    pub fn of(&self, file: &str) -> Problem {
        Problem::new(self.code).with("file", file).with("number", self.number)
    }
}

/// The system. Files are named by paths; `-` is never one of them.
pub trait Host {
    /// Opens a file to read.
    ///
    /// # Errors
    /// Errors of the system.
    fn open(&mut self, path: &str) -> Result<FileHandle, HostTrouble>;
    /// Opens a file to write: a new one, or one that exists and is no regular file, such as `/dev/stderr`.
    ///
    /// # Errors
    /// Errors of the system.
    fn create(&mut self, path: &str, new: bool) -> Result<FileHandle, HostTrouble>;
    /// Reads some bytes; 0 at the end.
    ///
    /// # Errors
    /// Errors of the system.
    fn read(&mut self, file: FileHandle, buffer: &mut [u8]) -> Result<usize, HostTrouble>;
    /// Reads bytes of a regular file from `offset` on: all that were asked for, unless it ends before.
    ///
    /// # Errors
    /// Errors of the system.
    fn read_at(&mut self, file: FileHandle, offset: u64, buffer: &mut [u8]) -> Result<usize, HostTrouble>;
    /// Turns a file of this form and size, where that is known, into text; `None` where that can't be done here.
    fn unpacker(&mut self, form: PackedForm, size: Option<u64>) -> Option<Box<dyn Unpacker>>;
    /// Writes all bytes.
    ///
    /// # Errors
    /// Errors of the system.
    fn write(&mut self, file: FileHandle, bytes: &[u8]) -> Result<(), HostTrouble>;
    /// Makes sure that what was written is on the disk. With `like`, a path, the file gets the permissions of the file there.
    ///
    /// # Errors
    /// Errors of the system.
    fn settle(&mut self, file: FileHandle, like: Option<&str>) -> Result<(), HostTrouble>;
    /// Closes a file.
    fn close(&mut self, file: FileHandle);
    /// Gives a file another name, in place of the file that has it.
    ///
    /// # Errors
    /// Errors of the system.
    fn rename(&mut self, from: &str, to: &str) -> Result<(), HostTrouble>;
    /// Removes a file, if it is there.
    fn remove(&mut self, path: &str);
    /// Names within a folder, in order; `None` where the path is none.
    ///
    /// # Errors
    /// Errors of the system.
    fn list(&mut self, _path: &str) -> Result<Option<Vec<String>>, HostTrouble> {
        Ok(None)
    }
    /// Where a path leads and whether a regular file is there; `None` when nothing is.
    fn real(&mut self, path: &str) -> Option<(String, bool)>;
    /// Identifies a regular file, whichever path or link leads to it; `None` when none is there.
    fn identity(&mut self, path: &str) -> Option<String>;
    /// Identifies the regular file that a standard stream is redirected to; `None` where it is another thing.
    fn identity_of_stream(&mut self, _stream: FileHandle) -> Option<String> {
        None
    }
    /// Bytes of an open regular file.
    fn size(&mut self, file: FileHandle) -> Option<u64>;
    /// Modification time of an open regular file, milliseconds since the epoch; `None` where the system has none.
    fn changed(&mut self, _file: FileHandle) -> Option<i64> {
        None
    }
    /// Columns of the terminal that a stream is; `None` when it is none.
    fn columns(&mut self, stream: FileHandle) -> Option<usize>;
    /// Bytes of memory that this program may have; `None` where that can't be told.
    fn memory(&self) -> Option<u64>;
    /// Bytes of address space, where they are limited apart from memory.
    fn address_space(&self) -> Option<u64> {
        None
    }
    /// How many threads run at a time.
    fn threads(&self) -> usize {
        1
    }
    /// An environment variable.
    fn variable(&self, name: &str) -> Option<String>;
    /// Milliseconds of a clock that only runs forward.
    fn milliseconds(&self) -> f64;
    /// Milliseconds since the epoch.
    fn now(&self) -> i64 {
        0
    }
    /// Waits for so many milliseconds.
    fn wait(&mut self, _milliseconds: u64) {}
    /// Runs a program with these arguments, the first of which is its name, to its end: what it printed, and its exit code, where it has one.
    /// Its standard error goes to the terminal.
    ///
    /// # Errors
    /// Errors of the system, such as that there is no such program.
    fn run(&mut self, _command: &[String]) -> Result<(Vec<u8>, Option<i32>), HostTrouble> {
        Err(HostTrouble::named("ENOSYS", 38))
    }
    /// Opens a file to write on behind its first bytes, so many; a new one where there is none.
    ///
    /// # Errors
    /// Errors of the system.
    fn append(&mut self, _path: &str, _behind: u64) -> Result<FileHandle, HostTrouble> {
        Err(HostTrouble::named("ENOSYS", 38))
    }
    /// Where the page in one file may lie beside the program, in order.
    fn pages(&self) -> Vec<String> {
        Vec::new()
    }
    /// The command that shows a file in the person's browser, to which its path is added.
    fn opener(&self) -> Vec<String> {
        vec!["xdg-open".to_owned()]
    }
    /// Makes a folder for temporary files that only this person can read, and gives its path.
    ///
    /// # Errors
    /// Errors of the system.
    fn private_folder(&mut self) -> Result<String, HostTrouble> {
        Err(HostTrouble::named("ENOSYS", 38))
    }
    /// The number of this process, for names of temporary files.
    fn process(&self) -> u32;
}
