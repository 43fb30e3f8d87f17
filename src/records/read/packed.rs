//! Files that are no text and have to become text first: how they are told, and how that goes on, whoever does it.

use super::{FileForm, StatedFile};
use crate::base::Problem;
use crate::base::sentences::known_code;
use crate::records::field::Field;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// The next thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Give these bytes of the file, or as many of them as there are.
    Need(Range<u64>),
    /// The columns are known, and can be chosen now.
    Stated,
    /// The next bytes of the text.
    Text(Vec<u8>),
    /// There are no more.
    End,
}

/// Turns a packed file into text, step by step, from bytes that are given as they are asked for.
pub trait Unpacker {
    /// The next step.
    ///
    /// # Errors
    /// `input.broken-table` and `input.table-unknown`, with the place in the file; `limit.exceeded`.
    fn step(&mut self) -> Result<Step, Problem>;
    /// Unpacks in a part of so many bytes of memory.
    fn within(&mut self, memory: u64);
    /// Gives bytes from `offset` on; fewer than were asked for where the file ends.
    fn give(&mut self, offset: u64, bytes: Vec<u8>);
    /// Columns as the file states them, after [`Step::Stated`].
    fn stated(&self) -> StatedFile;
    /// Reads only the columns that these fields are read from; all of them where that is never said.
    fn choose(&mut self, fields: &[Field]);
    /// Bytes of the file that will be read, as far as that is known.
    fn wanted(&self) -> Option<u64>;
}

/// A form of packed files, told by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedForm {
    /// Parquet.
    Parquet,
    /// Arrow's file format, which is also Feather's of the second version.
    ArrowFile,
    /// Arrow's stream of messages.
    ArrowStream,
    /// Feather's own format of the first version, which is only told.
    Feather,
    /// Avro's object container file.
    Avro,
    /// A file of a store of HBase.
    HFile,
    /// A write-ahead log of HBase.
    Wal,
    /// Text packed with zstd.
    Zstd,
}

/// Bytes that tell a form.
pub const MAGIC_BYTES: usize = 8;

impl PackedForm {
    /// The form of a file that begins so; `None` for text and for everything else.
    pub fn told_by(head: &[u8]) -> Option<Self> {
        match head {
            [b'P', b'A', b'R', b'1' | b'E', ..] => Some(Self::Parquet),
            [b'A', b'R', b'R', b'O', b'W', b'1', 0, 0, ..] => Some(Self::ArrowFile),
            // A message that goes on behind its length. A byte order mark of UTF-16 is followed by no such bytes.
            [0xff, 0xff, 0xff, 0xff, _, _, _, 0, ..] => Some(Self::ArrowStream),
            [b'F', b'E', b'A', b'1', ..] => Some(Self::Feather),
            [b'O', b'b', b'j', 1, ..] => Some(Self::Avro),
            // The first block; that of a file without cells is its index.
            [b'D', b'A', b'T', b'A', b'B', b'L', b'K', b'*' | b'E', ..] => Some(Self::HFile),
            [b'I', b'D', b'X', b'R', b'O', b'O', b'T', b'2', ..] => Some(Self::HFile),
            [b'P', b'W', b'A', b'L', ..] => Some(Self::Wal),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// True if a file is read from its end, so that its size has to be known.
    pub const fn needs_size(self) -> bool {
        matches!(self, Self::Parquet | Self::HFile)
    }

    /// First bytes of a file of this form.
    pub const fn magic(self) -> &'static [u8] {
        match self {
            Self::Parquet => b"PAR1",
            Self::ArrowFile => b"ARROW1\0\0",
            Self::ArrowStream => b"\xff\xff\xff\xff\0\0\0\0",
            Self::Feather => b"FEA1",
            Self::Avro => b"Obj\x01",
            Self::HFile => b"DATABLK*",
            Self::Wal => b"PWAL",
            Self::Zstd => b"\x28\xb5\x2f\xfd",
        }
    }

    /// The form of a file as people know it.
    pub const fn form(self) -> FileForm {
        match self {
            Self::Parquet => FileForm::Parquet,
            Self::ArrowFile | Self::ArrowStream | Self::Feather => FileForm::Arrow,
            Self::Avro => FileForm::Avro,
            Self::HFile => FileForm::HFile,
            Self::Wal => FileForm::Wal,
            Self::Zstd => FileForm::Csv,
        }
    }
}

/// Beginnings of the codes that other modules say, and the names of their arguments.
const KINDS: [&str; 4] = ["input.", "limit.", "observe.", "sql."];
const NAMES: [&str; 35] = [
    "column",
    "found",
    "index",
    "limit",
    "query",
    "tables",
    "type",
    "view",
    "wanted",
    "format",
    "place",
    "part",
    "what",
    "columns",
    "of",
    "count",
    "most",
    "rows",
    "share",
    "key",
    "regions",
    "cells",
    "name",
    "from",
    "to",
    "error",
    "table",
    "field",
    "value",
    "metric",
    "region",
    "server",
    "own",
    "observed",
    "predicted",
];

/// A problem of a packed file, as another module says it in JSON.
pub fn problem_of(json: &str) -> Option<Problem> {
    #[derive(Deserialize)]
    struct Told {
        code: String,
        args: BTreeMap<String, String>,
    }
    let Told { code, args } = serde_json::from_str(json).ok()?;
    let known = known_code(&code).filter(|code| KINDS.iter().any(|kind| code.starts_with(kind)));
    let problem = Problem::new(known?);
    let named = NAMES.iter().filter_map(|&name| Some((name, args.get(name)?)));
    Some(named.fold(problem, |problem, (name, value)| problem.with(name, value)))
}

#[cfg(all(test, feature = "sentences"))]
mod tests {
    use super::*;
    use crate::base::sentences::messages;

    #[test]
    fn every_argument_of_what_is_observed_comes_through() {
        for (code, sentence) in messages().iter().filter(|(code, _)| code.starts_with("observe.")) {
            let names = sentence.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
            for (name, _) in names {
                let name = name.trim_start_matches(['#', '>']);
                // Events and lists of tables are put into words by the hosts.
                let is_here = ["time", "start", "tables", "option", "found"].contains(&name);
                assert!(NAMES.contains(&name) || is_here, "{code}: {name}");
            }
        }
    }
}
