//! The system as the standard library gives it.

use super::host::{FileHandle, Host, HostTrouble, STDERR, STDIN, STDOUT};
#[cfg(unix)]
use super::signals::{hold, release};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
use std::time::Instant;

/// The system this program runs on.
pub struct NativeHost {
    files: BTreeMap<FileHandle, File>,
    next: FileHandle,
    begun: Instant,
}

impl Default for NativeHost {
    fn default() -> Self {
        Self { files: BTreeMap::new(), next: 3, begun: Instant::now() }
    }
}

fn trouble(error: &io::Error) -> HostTrouble {
    let name = match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => "ENOENT",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "EACCES",
        ErrorKind::IsADirectory => "EISDIR",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => "ENOSPC",
        ErrorKind::BrokenPipe => "EPIPE",
        _ => "",
    };
    HostTrouble::named(name, error.raw_os_error().unwrap_or_default())
}

/// Elsewhere signals are not held.
#[cfg(not(unix))]
fn hold() {}
#[cfg(not(unix))]
fn release() {}

impl NativeHost {
    fn keep(&mut self, file: io::Result<File>) -> Result<FileHandle, HostTrouble> {
        let file = file.map_err(|error| trouble(&error))?;
        let handle = self.next;
        self.next += 1;
        self.files.insert(handle, file);
        Ok(handle)
    }
}

impl Host for NativeHost {
    fn open(&mut self, path: &str) -> Result<FileHandle, HostTrouble> {
        self.keep(File::open(path))
    }

    fn create(&mut self, path: &str, new: bool) -> Result<FileHandle, HostTrouble> {
        if new {
            hold();
        }
        let created = self.keep(OpenOptions::new().write(true).create_new(new).open(path));
        if created.is_err() {
            release();
        }
        created
    }

    fn read(&mut self, file: FileHandle, buffer: &mut [u8]) -> Result<usize, HostTrouble> {
        loop {
            let read = match (file, self.files.get_mut(&file)) {
                (STDIN, _) => io::stdin().lock().read(buffer),
                (_, Some(file)) => file.read(buffer),
                _ => Ok(0),
            };
            match read {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => return read.map_err(|error| trouble(&error)),
            }
        }
    }

    fn write(&mut self, file: FileHandle, bytes: &[u8]) -> Result<(), HostTrouble> {
        let written = match (file, self.files.get_mut(&file)) {
            (STDOUT, _) => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            (STDERR, _) => io::stderr().write_all(bytes),
            (_, Some(file)) => file.write_all(bytes),
            _ => Ok(()),
        };
        written.map_err(|error| trouble(&error))
    }

    fn settle(&mut self, file: FileHandle, like: Option<&str>) -> Result<(), HostTrouble> {
        let Some(file) = self.files.get(&file) else { return Ok(()) };
        if let Some(replaced) = like.and_then(|path| fs::metadata(path).ok()) {
            file.set_permissions(replaced.permissions()).map_err(|error| trouble(&error))?;
        }
        file.sync_all().map_err(|error| trouble(&error))
    }

    fn close(&mut self, file: FileHandle) {
        self.files.remove(&file);
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), HostTrouble> {
        fs::rename(from, to).map_err(|error| trouble(&error))?;
        release();
        Ok(())
    }

    fn remove(&mut self, path: &str) {
        // Gone already is as good.
        let _ = fs::remove_file(path);
        release();
    }

    fn real(&mut self, path: &str) -> Option<(String, bool)> {
        let Ok(found) = fs::metadata(path) else {
            // A link that leads to no file yet: the file it names is to be made.
            let target = fs::read_link(path).ok()?;
            let target = Path::new(path).parent()?.join(target);
            return Some((target.to_str()?.to_owned(), true));
        };
        let regular = found.is_file();
        let real = fs::canonicalize(path).ok().and_then(|real| real.to_str().map(str::to_owned));
        Some((real.unwrap_or_else(|| path.to_owned()), regular))
    }

    fn size(&mut self, file: FileHandle) -> Option<u64> {
        let found = self.files.get(&file)?.metadata().ok()?;
        found.is_file().then_some(found.len())
    }

    fn columns(&mut self, stream: FileHandle) -> Option<usize> {
        let (is_terminal, size) = match stream {
            STDOUT => (io::stdout().is_terminal(), terminal_size::terminal_size_of(io::stdout())),
            STDERR => (io::stderr().is_terminal(), terminal_size::terminal_size_of(io::stderr())),
            _ => return None,
        };
        is_terminal.then(|| size.map_or(80, |(width, _)| usize::from(width.0)))
    }

    fn memory(&self) -> Option<u64> {
        super::machine::memory(&|path| fs::read_to_string(path).ok())
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn milliseconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64() * 1000.0
    }

    fn process(&self) -> u32 {
        std::process::id()
    }
}
