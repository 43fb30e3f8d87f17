//! The system as the standard library gives it.

use super::host::{FileHandle, Host, HostTrouble, STDERR, STDIN, STDOUT};
#[cfg(unix)]
use super::signals;
use crate::records::read::packed::{PackedForm, Unpacker};
use std::collections::BTreeMap;
#[cfg(unix)]
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The system this program runs on.
pub struct NativeHost {
    files: BTreeMap<FileHandle, File>,
    next: FileHandle,
    begun: Instant,
}

impl Default for NativeHost {
    fn default() -> Self {
        #[cfg(unix)]
        signals::survive_limits();
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
        _ => error.raw_os_error().map_or("", by_number),
    };
    HostTrouble::named(name, error.raw_os_error().unwrap_or_default())
}

/// The names of errors that the standard library does not tell apart.
fn by_number(number: i32) -> &'static str {
    let (too_long, circle) = if cfg!(target_os = "linux") { (36, 40) } else { (63, 62) };
    match number {
        _ if !cfg!(unix) => "",
        _ if number == too_long => "ENAMETOOLONG",
        _ if number == circle => "ELOOP",
        _ => "",
    }
}

/// Elsewhere a signal leaves the file behind.
#[cfg(not(unix))]
mod signals {
    use std::io;
    use std::path::{Path, PathBuf};

    pub fn begin<T>(path: PathBuf, create: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
        create(&path)
    }

    pub fn complete(rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        rename()
    }

    pub fn give_up(path: &Path) {
        // Gone already is as good.
        let _ = std::fs::remove_file(path);
    }
}

/// The path that a text stands for.
#[cfg(unix)]
fn path_of(text: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(super::paths::to_bytes(text)).into()
}
/// A path as text.
#[cfg(unix)]
fn text_of(path: &Path) -> Option<String> {
    use std::os::unix::ffi::OsStrExt;
    Some(super::paths::to_text(path.as_os_str().as_bytes()))
}

/// Elsewhere paths are text.
#[cfg(not(unix))]
fn path_of(text: &str) -> PathBuf {
    text.into()
}
#[cfg(not(unix))]
fn text_of(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}

/// Identifies a regular file: its number on its disk.
#[cfg(unix)]
fn identity_of(found: &fs::Metadata, _: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    found.is_file().then(|| format!("{}:{}", found.dev(), found.ino()))
}

/// Identifies a regular file where files have no numbers: the path that all links lead to.
#[cfg(not(unix))]
fn identity_of(found: &fs::Metadata, path: &Path) -> Option<String> {
    found.is_file().then(|| fs::canonicalize(path).ok().and_then(|real| text_of(&real)))?
}

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
        self.keep(File::open(path_of(path)))
    }

    fn create(&mut self, path: &str, new: bool) -> Result<FileHandle, HostTrouble> {
        let create = |path: &Path| OpenOptions::new().write(true).create_new(new).open(path);
        let path = path_of(path);
        self.keep(if new { signals::begin(path, create) } else { create(&path) })
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

    fn read_at(&mut self, file: FileHandle, offset: u64, buffer: &mut [u8]) -> Result<usize, HostTrouble> {
        let Some(open) = self.files.get_mut(&file) else { return Ok(0) };
        open.seek(SeekFrom::Start(offset)).map_err(|error| trouble(&error))?;
        let mut read = 0;
        while let Some(room) = buffer.get_mut(read..).filter(|room| !room.is_empty()) {
            match self.read(file, room)? {
                0 => break,
                more => read += more,
            }
        }
        Ok(read)
    }

    fn unpacker(&mut self, form: PackedForm, size: Option<u64>) -> Option<Box<dyn Unpacker>> {
        #[cfg(feature = "formats")]
        return Some(Box::new(crate::records::formats::PackedFile::new(form, size)));
        #[cfg(not(feature = "formats"))]
        {
            let _ = (form, size);
            None
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
        if let Some(replaced) = like.and_then(|path| fs::metadata(path_of(path)).ok()) {
            file.set_permissions(replaced.permissions()).map_err(|error| trouble(&error))?;
        }
        file.sync_all().map_err(|error| trouble(&error))
    }

    fn close(&mut self, file: FileHandle) {
        self.files.remove(&file);
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), HostTrouble> {
        signals::complete(|| fs::rename(path_of(from), path_of(to))).map_err(|error| trouble(&error))
    }

    fn remove(&mut self, path: &str) {
        signals::give_up(&path_of(path));
    }

    fn list(&mut self, path: &str) -> Result<Option<Vec<String>>, HostTrouble> {
        let place = path_of(path);
        if !fs::metadata(&place).is_ok_and(|found| found.is_dir()) {
            return Ok(None);
        }
        let names = fs::read_dir(&place).map_err(|error| trouble(&error))?;
        let name =
            |entry: io::Result<fs::DirEntry>| entry.map(|entry| text_of(Path::new(&entry.file_name())));
        let names: io::Result<Vec<Option<String>>> = names.map(name).collect();
        let mut names: Vec<String> = names.map_err(|error| trouble(&error))?.into_iter().flatten().collect();
        names.sort();
        Ok(Some(names))
    }

    fn real(&mut self, path: &str) -> Option<(String, bool)> {
        let mut place = path_of(path);
        match fs::metadata(&place) {
            Ok(found) => {
                // An open file whose name is gone has a path, under which nothing is: it is written as it is.
                let same = |real: &PathBuf| {
                    let there = fs::metadata(real).ok();
                    there.is_some_and(|there| identity_of(&there, real) == identity_of(&found, &place))
                };
                let real = fs::canonicalize(&place).ok().filter(same).and_then(|real| text_of(&real));
                let regular = found.is_file() && real.is_some();
                Some((real.unwrap_or_else(|| path.to_owned()), regular))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // A link that leads to no file yet: the file it names is to be made.
                place = place.parent()?.join(fs::read_link(&place).ok()?);
                for _ in 0..super::context::MOST_LINKS {
                    let Ok(target) = fs::read_link(&place) else { break };
                    place = place.parent()?.join(target);
                }
                Some((text_of(&place)?, true))
            }
            // Links in a circle, for one: to open it says so.
            Err(_) => Some((path.to_owned(), false)),
        }
    }

    fn identity(&mut self, path: &str) -> Option<String> {
        let place = path_of(path);
        fs::metadata(&place).ok().and_then(|found| identity_of(&found, &place))
    }

    #[cfg(unix)]
    fn identity_of_stream(&mut self, stream: FileHandle) -> Option<String> {
        use std::os::fd::AsFd;
        let open = match stream {
            STDIN => io::stdin().as_fd().try_clone_to_owned(),
            STDOUT => io::stdout().as_fd().try_clone_to_owned(),
            _ => return None,
        };
        identity_of(&File::from(open.ok()?).metadata().ok()?, Path::new(""))
    }

    fn size(&mut self, file: FileHandle) -> Option<u64> {
        let found = self.files.get(&file)?.metadata().ok()?;
        found.is_file().then_some(found.len())
    }

    fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn wait(&mut self, milliseconds: u64) {
        std::thread::sleep(Duration::from_millis(milliseconds));
    }

    fn run(&mut self, command: &[String]) -> Result<(Vec<u8>, Option<i32>), HostTrouble> {
        let mut words = command.iter().map(|word| path_of(word));
        let mut program = Command::new(words.next().unwrap_or_default());
        program.args(words).stdin(Stdio::null()).stderr(Stdio::inherit());
        let ended = program.output().map_err(|error| trouble(&error))?;
        Ok((ended.stdout, ended.status.code()))
    }

    fn pages(&self) -> Vec<String> {
        let program = std::env::current_exe().and_then(fs::canonicalize).unwrap_or_default();
        // Beside the program, where packages put what is shared, and where a clone is built.
        let places = ["rowscape.html", "../share/rowscape/rowscape.html", "../../dist/rowscape.html"];
        let of = |place: &&str| text_of(&program.parent()?.join(place));
        places.iter().filter_map(of).collect()
    }

    fn opener(&self) -> Vec<String> {
        let command: &[&str] = match std::env::consts::OS {
            "macos" => &["open"],
            "windows" => &["cmd", "/c", "start", ""],
            _ => &["xdg-open"],
        };
        command.iter().map(|word| (*word).to_owned()).collect()
    }

    fn private_folder(&mut self) -> Result<String, HostTrouble> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let named =
            |number: u32| std::env::temp_dir().join(format!("rowscape-{}-{number}", std::process::id()));
        // One that is there already is somebody else's.
        let made = (0..1000).map(named).find_map(|folder| match builder.create(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
            result => Some(result.map(|()| folder)),
        });
        let folder = made.unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()));
        let folder = folder.map_err(|error| trouble(&error))?;
        text_of(&folder).ok_or_else(|| HostTrouble::named("ENOENT", 2))
    }

    fn append(&mut self, path: &str, behind: u64) -> Result<FileHandle, HostTrouble> {
        let open = || {
            let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path_of(path))?;
            file.set_len(behind)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        self.keep(open())
    }

    fn changed(&mut self, file: FileHandle) -> Option<i64> {
        let changed = self.files.get(&file)?.metadata().ok()?.modified().ok()?;
        i64::try_from(changed.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
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

    fn address_space(&self) -> Option<u64> {
        super::machine::of_process(&|path| fs::read_to_string(path).ok())
    }

    fn threads(&self) -> usize {
        // Each thread takes much of an address space, which is scarce where it is limited.
        if self.address_space().is_some() {
            return 1;
        }
        std::thread::available_parallelism().map_or(1, usize::from)
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
