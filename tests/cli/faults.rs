//! Every call of the system fails once, over whole runs: the exit code says so, files stay whole, and nothing is left behind.

use super::running::Folder;
use rowscape::cli::{FileHandle, Host, HostTrouble, NativeHost, STDERR, STDIN, STDOUT, run};
use rowscape::ingest::packed::{PackedForm, Unpacker};
use std::ffi::OsString;

/// The system, of which one call fails.
pub struct FaultyHost {
    inner: NativeHost,
    /// Calls left before the one that fails.
    left: u64,
    failed: Option<&'static str>,
    /// Bytes that a read gives at most.
    most_read: usize,
    /// Bytes of memory that it says there are.
    pub memory: u64,
    /// Text on standard output.
    pub out: Vec<u8>,
    /// Text on standard error.
    pub said: Vec<u8>,
    /// The most bytes that were written to a file at a time.
    largest: usize,
}

impl FaultyHost {
    pub fn new(left: u64) -> Self {
        let inner = NativeHost::default();
        Self {
            inner,
            left,
            failed: None,
            most_read: usize::MAX,
            memory: 1 << 30,
            out: Vec::new(),
            said: Vec::new(),
            largest: 0,
        }
    }

    /// Fails when it is the turn of this call.
    fn turn(&mut self, call: &'static str) -> Result<(), HostTrouble> {
        if self.left > 0 {
            self.left -= 1;
            return Ok(());
        }
        if self.failed.is_some() {
            return Ok(());
        }
        self.failed = Some(call);
        Err(HostTrouble::named("EIO", 5))
    }
}

impl Host for FaultyHost {
    fn open(&mut self, path: &str) -> Result<FileHandle, HostTrouble> {
        self.turn("open")?;
        self.inner.open(path)
    }

    fn create(&mut self, path: &str, new: bool) -> Result<FileHandle, HostTrouble> {
        self.turn("create")?;
        self.inner.create(path, new)
    }

    fn read(&mut self, file: FileHandle, buffer: &mut [u8]) -> Result<usize, HostTrouble> {
        self.turn("read")?;
        if file == STDIN {
            return Ok(0);
        }
        let most = buffer.len().min(self.most_read);
        self.inner.read(file, &mut buffer[..most])
    }

    fn read_at(&mut self, file: FileHandle, offset: u64, buffer: &mut [u8]) -> Result<usize, HostTrouble> {
        self.turn("read")?;
        self.inner.read_at(file, offset, buffer)
    }

    fn unpacker(&mut self, form: PackedForm, size: Option<u64>) -> Option<Box<dyn Unpacker>> {
        self.inner.unpacker(form, size)
    }

    fn write(&mut self, file: FileHandle, bytes: &[u8]) -> Result<(), HostTrouble> {
        match file {
            STDERR => self.said.extend_from_slice(bytes),
            STDOUT => {
                self.turn("write to standard output")?;
                self.out.extend_from_slice(bytes);
            }
            _ => {
                if let Err(trouble) = self.turn("write") {
                    // Half of it is there, as on a disk that fills up.
                    self.inner.write(file, &bytes[..bytes.len() / 2])?;
                    return Err(trouble);
                }
                self.largest = self.largest.max(bytes.len());
                self.inner.write(file, bytes)?;
            }
        }
        Ok(())
    }

    fn settle(&mut self, file: FileHandle, like: Option<&str>) -> Result<(), HostTrouble> {
        self.turn("sync")?;
        self.inner.settle(file, like)
    }

    fn close(&mut self, file: FileHandle) {
        self.inner.close(file);
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), HostTrouble> {
        self.turn("rename")?;
        self.inner.rename(from, to)
    }

    fn remove(&mut self, path: &str) {
        self.inner.remove(path);
    }

    fn real(&mut self, path: &str) -> Option<(String, bool)> {
        self.inner.real(path)
    }

    fn identity(&mut self, path: &str) -> Option<String> {
        self.inner.identity(path)
    }

    fn size(&mut self, file: FileHandle) -> Option<u64> {
        self.inner.size(file)
    }

    fn columns(&mut self, _: FileHandle) -> Option<usize> {
        None
    }

    fn memory(&self) -> Option<u64> {
        Some(self.memory)
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn milliseconds(&self) -> f64 {
        self.inner.milliseconds()
    }

    fn process(&self) -> u32 {
        self.inner.process()
    }
}

/// Runs a command with the paths of a folder in it.
pub fn ran(folder: &Folder, args: &[&str], host: &mut FaultyHost) -> u8 {
    let path = |word: &&str| match word.strip_prefix("./") {
        Some(name) => folder.0.join(name).into_os_string(),
        None => OsString::from(word),
    };
    run(args.iter().map(path), host)
}

/// Commands, each with the files it writes.
const RUNS: &[(&[&str], &[&str])] = &[
    (&["analyze", "./design.json", "./records.csv"], &[]),
    (&["analyze", "./design.json", "./records.csv.gz", "--json"], &[]),
    (
        &[
            "analyze",
            "./design.json",
            "./records.csv",
            "--html",
            "./a.html",
            "--svg",
            "./a.svg",
            "--sarif",
            "./a.sarif",
        ],
        &["a.html", "a.svg", "a.sarif"],
    ),
    (&["encode", "./design.json", "./records.csv"], &[]),
    (&["encode", "./design.json", "./records.csv", "-o", "./keys"], &["keys"]),
    (&["splits", "./design.json", "-o", "./points"], &["points"]),
    (&["lint", "./design.json", "--sarif", "./a.sarif", "--fail-on", "bad"], &["a.sarif"]),
];

#[test]
fn each_call_of_the_system_that_fails_is_told_and_leaves_files_whole() {
    let folder = Folder::new("faults");
    folder.write("records.csv.gz", super::running::gzip(super::running::RECORDS.as_bytes()));
    for (args, written) in RUNS {
        let write_old = || written.iter().for_each(|name| folder.write(name, b"old"));
        write_old();
        let names = folder.names();
        let mut sound = FaultyHost::new(u64::MAX);
        let exit = ran(&folder, args, &mut sound);
        assert!(exit < 2, "{args:?}: {}", String::from_utf8_lossy(&sound.said));
        let made: Vec<String> = written.iter().map(|name| folder.read(name)).collect();
        assert!(made.iter().all(|text| text != "old"), "{args:?}");
        let mut met = 0;
        for turn in 0.. {
            write_old();
            let mut host = FaultyHost::new(turn);
            let exit = ran(&folder, args, &mut host);
            let Some(call) = host.failed else {
                assert_eq!(exit, 0, "{args:?}");
                break;
            };
            met += 1;
            let said = String::from_utf8_lossy(&host.said);
            assert_eq!(exit, 3, "{args:?} {call}: {said}");
            assert!(said.contains("rowscape: "), "{args:?} {call}: {said}");
            for (name, whole) in written.iter().zip(&made) {
                let text = folder.read(name);
                assert!(text == "old" || text == *whole, "{args:?} {call}: {name} is in parts");
            }
            assert_eq!(folder.names(), names, "{args:?} {call} leaves something behind");
        }
        assert!(met >= 3 + 4 * written.len() as u64, "{args:?}: {met} calls");
    }
}

#[test]
fn keys_go_to_their_file_as_they_are_made() {
    let folder = Folder::new("faults-large");
    folder.write("records.csv", format!("phone,at\n{}", "105,2024-05-02 12:00\n".repeat(300_000)).as_bytes());
    let mut host = FaultyHost::new(u64::MAX);
    assert_eq!(ran(&folder, &["encode", "./design.json", "./records.csv", "-o", "./keys"], &mut host), 0);
    let keys = folder.read("keys");
    assert_eq!(keys.lines().count(), 300_000);
    assert!(host.largest * 2 < keys.len(), "{} of {} bytes at a time", host.largest, keys.len());
}

#[test]
fn files_that_come_a_byte_at_a_time_are_read_as_whole_ones_are() {
    let folder = Folder::new("faults-bytes");
    folder.write("records.csv.gz", super::running::gzip(super::running::RECORDS.as_bytes()));
    for data in ["./records.csv", "./records.csv.gz"] {
        for most_read in [1, 2, 7] {
            let mut host = FaultyHost { most_read, ..FaultyHost::new(u64::MAX) };
            assert_eq!(ran(&folder, &["encode", "./design.json", data], &mut host), 0);
            assert_eq!(String::from_utf8_lossy(&host.out), super::running::KEYS, "{data} by {most_read}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_program_while_it_waits_for_input_and_leaves_nothing_behind() {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = Folder::new("faults-signals");
    for (name, number) in [("HUP", 1), ("INT", 2), ("QUIT", 3), ("TERM", 15), ("XCPU", 24)] {
        folder.write("keys", b"old");
        let names = folder.names();
        let mut command = folder.command(&["encode", "design.json", "-", "-o", "keys"]);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("spawn");
        // Not closed: more may come.
        let mut input = child.stdin.take().expect("stdin");
        input.write_all(super::running::RECORDS.as_bytes()).expect("input");
        let begun = Instant::now();
        while folder.names() == names {
            assert!(begun.elapsed() < Duration::from_secs(20), "no file is begun");
            std::thread::sleep(Duration::from_millis(5));
        }
        let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        let begun = Instant::now();
        let ended = loop {
            if let Some(ended) = child.try_wait().expect("wait") {
                break ended;
            }
            if begun.elapsed() > Duration::from_secs(20) {
                child.kill().expect("kill");
                panic!("{name} does not end the program");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(ended.signal(), Some(number), "{name}");
        assert_eq!((folder.names(), folder.read("keys").as_str()), (names, "old"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_gets_too_large_for_the_system_is_told_and_leaves_nothing_behind() {
    let folder = Folder::new("faults-size");
    folder.write("many.csv", format!("phone,at\n{}", "105,2024-05-02 12:00\n".repeat(100_000)));
    folder.write("keys", b"old");
    let names = folder.names();
    let limited = "ulimit -f 8 && exec \"$0\" encode design.json many.csv -o keys";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_rowscape")]).current_dir(&folder.0);
    let (exit, _, said) = super::running::told(command.output().expect("run"));
    assert!(exit == 3 && said.contains("keys: no space left"), "{exit}: {said}");
    assert_eq!((folder.names(), folder.read("keys").as_str()), (names, "old"));
}
