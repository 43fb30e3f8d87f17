//! The whole path of the command line: arguments, files as they lie on a disk (gzip and encodings too), and what is printed.

use crate::text_and_bytes;
use rowscape::cli::{FileHandle, Host, HostTrouble, STDERR, STDIN, STDOUT, run};
use rowscape::ingest::packed::{PackedForm, Unpacker};
use rowscape::records::formats::PackedFile;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Bytes of memory that the command line is told of.
const MEMORY: u64 = 1 << 28;
/// Milliseconds of any run, and of a KiB of input: far above what is measured with counters and checks compiled in.
const OF_A_RUN: u128 = 3000;
const OF_A_KIB: u128 = 12;
/// Bytes that a run may print, and for each byte of input.
const PRINTED: usize = 4 << 20;
const PRINTED_OF_A_BYTE: usize = 200;

/// The design that files of records are read with where an input brings none.
const DESIGN: &str = r#"{"rowscape":1,"fields":[{"name":"phone","type":"text"},{"name":"at","type":"time","format":"yyyy-MM-dd HH:mm"}],"arrival":"at","rowkey":"phone.reverse() + '_' + at.format('yyyyMMdd')","splits":{"sample":4},"queries":[{"name":"q","where":{"phone":"1"}}]}"#;

/// The commands, by the first byte of an input.
const COMMANDS: &[&[&str]] = &[
    &["analyze", "design.json", "data"],
    &["encode", "design.json", "data"],
    &["encode", "design.json", "data", "--json", "--header", "no"],
    &["analyze", "design.json", "data", "--json"],
    &["analyze", "design.json", "data", "--html", "-"],
    &["analyze", "design.json", "data", "--sarif", "made", "--svg", "made2"],
    &["lint", "design.json", "--json"],
    &["splits", "design.json", "data"],
    &["plan", "design.json", "data"],
    &["compare", "design.json", "own.json", "--data", "data"],
    &["lint", "data"],
    &["analyze", "own.json", "data"],
    &["encode", "own.json", "data"],
    &["table", "data"],
    &["table", "data", "design.json", "--json"],
    &["decode", "design.json"],
    &["migrate", "design.json", "own.json", "data"],
    &["sweep", "design.json", "data"],
    &["size", "design.json", "data"],
    &["grow", "design.json"],
    &["emit", "design.json", "data", "--as", "java"],
    &["analyze", "design.json", "data", "--memory", "64M"],
    &["suggest", "data", "--query", "phone=?"],
    &["suggest", "design.json", "data", "--json", "--memory", "64M"],
];

/// Files in memory.
#[derive(Default)]
struct MemoryHost {
    files: BTreeMap<String, Vec<u8>>,
    open: Vec<(String, usize)>,
    /// Bytes that were read of standard input, which is the file `data`.
    input: usize,
    out: Vec<u8>,
    said: Vec<u8>,
}

impl MemoryHost {
    fn opened(&mut self, path: &str) -> FileHandle {
        self.open.push((path.to_owned(), 0));
        self.open.len() as FileHandle + 2
    }
}

impl Host for MemoryHost {
    fn open(&mut self, path: &str) -> Result<FileHandle, HostTrouble> {
        if self.files.contains_key(path) {
            Ok(self.opened(path))
        } else {
            Err(HostTrouble::named("ENOENT", 2))
        }
    }

    fn create(&mut self, path: &str, _: bool) -> Result<FileHandle, HostTrouble> {
        self.files.insert(path.to_owned(), Vec::new());
        Ok(self.opened(path))
    }

    fn read(&mut self, file: FileHandle, buffer: &mut [u8]) -> Result<usize, HostTrouble> {
        let (path, at) = match file {
            STDIN => ("data", &mut self.input),
            _ => match self.open.get_mut((file as usize).wrapping_sub(3)) {
                Some((path, at)) => (path.as_str(), at),
                None => return Ok(0),
            },
        };
        let rest = self.files.get(path).and_then(|bytes| bytes.get(*at..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        *at += length;
        Ok(length)
    }

    fn read_at(&mut self, file: FileHandle, offset: u64, buffer: &mut [u8]) -> Result<usize, HostTrouble> {
        let open = self.open.get((file as usize).wrapping_sub(3));
        let bytes = open.and_then(|(path, _)| self.files.get(path));
        let rest = bytes.and_then(|bytes| bytes.get(offset as usize..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }

    fn unpacker(&mut self, form: PackedForm, size: Option<u64>) -> Option<Box<dyn Unpacker>> {
        Some(Box::new(PackedFile::new(form, size)))
    }

    fn write(&mut self, file: FileHandle, bytes: &[u8]) -> Result<(), HostTrouble> {
        match file {
            STDOUT => self.out.extend_from_slice(bytes),
            STDERR => self.said.extend_from_slice(bytes),
            _ => {
                let Some((path, _)) = self.open.get((file as usize).wrapping_sub(3)) else { return Ok(()) };
                self.files.entry(path.clone()).or_default().extend_from_slice(bytes);
            }
        }
        Ok(())
    }

    fn settle(&mut self, _: FileHandle, _: Option<&str>) -> Result<(), HostTrouble> {
        Ok(())
    }

    fn close(&mut self, _: FileHandle) {}

    fn rename(&mut self, from: &str, to: &str) -> Result<(), HostTrouble> {
        let bytes = self.files.remove(from).unwrap_or_default();
        self.files.insert(to.to_owned(), bytes);
        Ok(())
    }

    fn remove(&mut self, path: &str) {
        self.files.remove(path);
    }

    fn real(&mut self, path: &str) -> Option<(String, bool)> {
        self.files.contains_key(path).then(|| (path.to_owned(), true))
    }

    fn identity(&mut self, path: &str) -> Option<String> {
        self.files.contains_key(path).then(|| path.to_owned())
    }

    fn size(&mut self, _: FileHandle) -> Option<u64> {
        None
    }

    fn columns(&mut self, _: FileHandle) -> Option<usize> {
        None
    }

    fn memory(&self) -> Option<u64> {
        Some(2 * MEMORY)
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn milliseconds(&self) -> f64 {
        0.0
    }

    fn process(&self) -> u32 {
        7
    }
}

/// Milliseconds of the processor that this thread has had: on a busy machine the clock says nothing of the work.
fn spent() -> u128 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: u128 = told.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or_default();
    nanoseconds / 1_000_000
}

/// A byte for the command; then a file, or a design, a zero byte and a file where the byte is odd.
pub fn command(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    let command = COMMANDS[usize::from(choice / 2) % COMMANDS.len()];
    let (design, file) = match (choice % 2 == 1).then(|| text_and_bytes(rest)).flatten() {
        Some((text, file)) => (text.as_bytes().to_vec(), file),
        None => (DESIGN.as_bytes().to_vec(), rest),
    };
    let mut host = MemoryHost::default();
    host.files.insert("own.json".to_owned(), DESIGN.as_bytes().to_vec());
    host.files.insert("design.json".to_owned(), design);
    host.files.insert("data".to_owned(), file.to_vec());
    let begun = spent();
    let exit = run(command.iter().map(OsString::from), &mut host);
    let took = spent() - begun;
    assert!(took <= OF_A_RUN + OF_A_KIB * (data.len() as u128 / 1024), "{command:?} took {took} ms");
    let printed = host.out.len() + host.said.len();
    assert!(printed <= PRINTED + PRINTED_OF_A_BYTE * data.len(), "{command:?} printed {printed} bytes");
    assert!(exit <= 2, "{command:?} ended with {exit}");
    let said = std::str::from_utf8(&host.said).expect("UTF-8");
    assert!(exit < 2 || !said.is_empty(), "{command:?} ended with {exit} without a word");
    assert!(!said.chars().any(|char| char.is_control() && char != '\n'), "{command:?} said {said:?}");
    assert!(
        host.files.keys().all(|name| !name.ends_with(".part")),
        "{command:?} left {:?}",
        host.files.keys()
    );
}
