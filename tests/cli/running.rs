//! Runs the built program over real files, each test in a folder of its own.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A design of two regions, and records that all fall into the first.
pub const DESIGN: &str = r#"{
  "rowscape": 1,
  "name": "Phones",
  "fields": [
    { "name": "phone", "type": "text" },
    { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm" }
  ],
  "arrival": "at",
  "rowkey": "phone.reverse() + '_' + at.format('yyyyMMdd')",
  "splits": { "points": ["3", "6"] },
  "queries": [ { "name": "a phone", "where": { "phone": { "eq": "105" } } } ]
}
"#;
pub const RECORDS: &str = "phone,at\n105,2024-05-02 12:00\n999,2024-05-02 13:00\n104,2024-05-03 09:30\n";
/// By hand: each phone reversed, then the day.
pub const KEYS: &str = "501_20240502\n999_20240502\n401_20240503\n";

/// A folder of its own for each test, removed when it ends.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("folder");
        let folder = Self(path);
        folder.write("design.json", DESIGN.as_bytes());
        folder.write("records.csv", RECORDS.as_bytes());
        folder
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).expect("write");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect(name)
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).expect("read")
    }

    pub fn names(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(&self.0).expect("folder");
        entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rowscape"));
        command.args(args).current_dir(&self.0).env_remove("NO_COLOR").env_remove("COLORTERM");
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().expect("run")
    }

    /// Exit code, standard output and standard error.
    pub fn told(&self, args: &[&str]) -> (i32, String, String) {
        told(self.run(args))
    }

    pub fn with_input(&self, args: &[&str], input: &[u8]) -> (i32, String, String) {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("spawn");
        child.stdin.take().expect("stdin").write_all(input).expect("input");
        told(child.wait_with_output().expect("output"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn told(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).expect("pack");
    packer.finish().expect("pack")
}
