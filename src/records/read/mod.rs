//! Readers of files: bytes in chunks of any size, records out.

pub mod array;
pub mod batch;
pub(crate) mod cells;
pub mod columns;
pub mod csv;
pub mod encoding;
mod fill;
mod form;
mod keys;
mod kind;
mod line_ends;
pub mod lines;
pub mod marks;
pub mod packed;
mod piece;
mod problems;
pub mod reader;
pub(crate) mod shell;
mod stated;
mod window;

pub use encoding::{EncodingBy, TextEncoding};
pub use fill::BAD_BYTES;
pub use keys::{KeyFields, KeyFile, KeyNotation, KeyRows};
pub use kind::FileKind;
pub use piece::RecordCutter;
pub use problems::{ReadFile, ReadProblems};
pub use reader::RecordReader;
pub use stated::{StatedColumn, StatedFile, StatedRange};

use crate::records::field::Field;
use serde::{Deserialize, Serialize};

/// The form of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Form", rename_all = "lowercase")]
pub enum FileForm {
    /// Separated values: commas, tabs or any other byte.
    #[default]
    Csv,
    /// JSON: one flat object a line, or an array of them.
    Jsonl,
    /// Output of a scan in HBase's shell: for each row its `key`, in the notation of the shell, and when its oldest cell was
    /// `written`.
    Scan,
    /// Row keys, one a line.
    Keys,
    /// A Parquet file: separated values by the time they are read.
    Parquet,
    /// An Arrow file or stream, or a Feather file: likewise.
    Arrow,
    /// An Avro object container file: likewise.
    Avro,
    /// A store file of HBase: a record for each cell.
    HFile,
    /// A write-ahead log of HBase: likewise.
    Wal,
}

impl FileForm {
    /// Its name, as people know it.
    pub fn shown(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Jsonl => "JSON",
            Self::Scan => "HBase shell",
            Self::Keys => "row keys",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
            Self::Avro => "Avro",
            Self::HFile => "HFile",
            Self::Wal => "WAL",
        }
    }

    /// True of the output of a scan in HBase's shell.
    pub fn is_scan(self) -> bool {
        self == Self::Scan
    }

    /// True if a file states the names and types of its columns.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow | Self::Avro | Self::HFile | Self::Wal)
    }
}

/// How a file is to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The form of the file.
    #[serde(default)]
    pub format: FileForm,
    /// The byte between fields; default a comma. Of a scan the byte between the parts of a key; default none. All fields but
    /// `written` are then its parts, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separator: Option<String>,
    /// The byte around fields that hold separators or line ends; empty for none; default `"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// True if the first record holds the names of the fields; default true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// The encoding of files without a byte order mark; default UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<TextEncoding>,
    /// The columns of a file that states them, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stated: Vec<StatedColumn>,
    /// The row keys of a file of which they are the records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<KeyFile>,
    /// The fields to read: by name; when there is no header their columns are those of the file, in order of first mention.
    pub fields: Vec<Field>,
}
