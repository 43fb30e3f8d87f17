//! A file with dumps of a cluster, packed or not, on its way in.

use super::counters::{DumpReader, HISTORY, History};
use crate::base::Problem;
use crate::records::formats::feed::Halt;
use crate::records::read::FileForm;
use flate2::write::MultiGzDecoder;
use std::io::Write;

/// Bytes of a packed dump that are unpacked at a time: they become a thousand times as many at most.
const UNPACKED: usize = 16 << 10;

/// First bytes of a dump, which hold no key.
const TEXT: usize = 64;

/// A dump on its way in.
#[derive(Debug)]
pub struct DumpFile {
    pub reader: DumpReader,
    /// Where the bytes begin that are asked for next.
    pub at: u64,
    /// Unpacks a packed one.
    unpacker: Option<MultiGzDecoder<Vec<u8>>>,
}

impl DumpFile {
    /// A dump, packed with gzip or not.
    pub fn new(reader: DumpReader, is_packed: bool) -> Self {
        Self { reader, at: 0, unpacker: is_packed.then(|| MultiGzDecoder::new(Vec::new())) }
    }

    /// Takes more bytes.
    pub fn push(&mut self, bytes: &[u8], history: &mut History) -> Result<(), Problem> {
        let Some(unpacker) = &mut self.unpacker else {
            self.reader.push(bytes, history);
            return Ok(());
        };
        // A little that becomes much is read piece by piece.
        for piece in bytes.chunks(UNPACKED) {
            let made = unpacker.write_all(piece);
            let text = std::mem::take(unpacker.get_mut());
            self.reader.push(&text, history);
            made.map_err(|_| broken())?;
        }
        Ok(())
    }

    /// Ends the file.
    pub fn finish(&mut self, history: &mut History) -> Result<(), Problem> {
        let mut unpacked = Ok(());
        if let Some(unpacker) = &mut self.unpacker {
            unpacked = unpacker.try_finish().map_err(|_| broken());
            self.reader.push(unpacker.get_ref(), history);
        }
        self.reader.finish(history).and(unpacked)
    }
}

/// The problem of packed text that is damaged.
fn broken() -> Problem {
    Halt::in_form(Problem::new("input.broken-table"), FileForm::Csv)
}

/// Texts that only dumps have: those that are read, and those that are rejected by name.
const MARKS: [&str; 14] = [
    HISTORY,
    "\"LiveNodes\"",
    "\"server_name\"",
    "\"beans\"",
    "HBase hbtop - ",
    " live servers",
    "requestsPerSecond=",
    "REGION_NAME |",
    "START_KEY |",
    "column=info:",
    "# TYPE regions_",
    "<ClusterStatus",
    "nodeCpuUsagePercent",
    "\"callDetails\"",
];

/// True for the first bytes of a file that can be a dump.
pub fn is_dump(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    // A page of HBase's web interface that was saved.
    let is_page = text.contains("<html") && text.contains("HBase");
    // The text of the REST gateway prints start keys as they are, zero bytes too.
    let is_text = head.iter().take(TEXT).all(|&byte| byte != 0);
    is_text && (is_page || MARKS.iter().any(|mark| text.contains(mark)))
}
