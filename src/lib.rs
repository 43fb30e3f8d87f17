//! Design an HBase row key and see where its rows land, before the table exists.
//!
//! A *design* says what a record is, how its row key is built and how the table is split. Everything else follows from a design and
//! records: the keys to the byte, the regions they fall into, and what an experienced engineer would say of it.
//!
//! ```
//! use rowscape::analysis::{Analysis, ReportOptions};
//! use rowscape::design;
//! use rowscape::ingest::{FileForm, Input, RecordReader};
//! use std::rc::Rc;
//!
//! let study = design::parse(
//!     r#"{
//!       "rowscape": 1,
//!       "fields": [
//!         { "name": "phone", "type": "text" },
//!         { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm" }
//!       ],
//!       "arrival": "at",
//!       "rowkey": "phone.reverse() + '_' + at.format('yyyyMMdd')",
//!       "splits": { "points": ["3", "6"] }
//!     }"#,
//! )
//! .map_err(|mut problems| problems.remove(0))?;
//!
//! // Bytes come in chunks of any size, from anywhere.
//! let input =
//!     Input { format: FileForm::Csv, separator: None, quote: None, header: None, fields: study.fields.clone() };
//! let mut reader = RecordReader::new(&input)?;
//! reader.push(b"phone,at\n105,2024-05-02 12:00\n999,2024-05-02 13:00\n");
//! reader.finish();
//!
//! let table = &study.tables[0];
//! let records = Rc::new(reader.into_records());
//! let (fields, arrival) = (study.fields.clone(), study.arrival.clone());
//! let mut analysis = Analysis::new(records, fields, table.typed.clone(), &table.splits, arrival)?;
//! let report = analysis.report(&ReportOptions::default())?;
//!
//! assert_eq!(report.keys.first, "501_20240502");
//! assert_eq!(report.regions.iter().map(|region| region.rows).collect::<Vec<_>>(), [0, 1, 1]);
//! # Ok::<(), rowscape::Problem>(())
//! ```
//!
//! # Where to look
//!
//! | to | see |
//! |---|---|
//! | read and print design documents | [`design`] |
//! | read CSV, TSV and JSON, or generate records | [`ingest`] |
//! | make keys of records, and read keys back | [`encode`], [`decode`] |
//! | split tables, and find the region of a key | [`split`] |
//! | see where rows land | [`analysis`], [`report`]; [`stream`] for more records than memory |
//! | learn what is wrong and how to fix it | [`findings`] |
//! | plan queries as scans | [`scan`] |
//! | compare designs | [`compare`], [`migrate`] |
//! | write values as HBase's and Phoenix's classes do | [`codec`], [`hash`], [`salt`] |
//!
//! These names are kept. They lead into the rooms of the library, each of which uses only rooms above it:
//!
//! | room | what it holds |
//! |---|---|
//! | `base` | what every room speaks: problems, sentences, JSON, small maps, estimates, units |
//! | `bytes` | bytes as HBase and Java write them; sorting them |
//! | `records` | fields, columns of records, files read, guessed, generated |
//! | `formula` | the row key language: text to a checked tree, with the properties of each step |
//! | `design` | the document: tables, splits, queries, growth |
//! | `keys` | records to sorted row keys; a key back to its fields |
//! | `scan` | queries to the fewest key ranges, and the rows they read |
//! | `hbase` | what a cluster makes of a table: cells, regions, months; the text of its shell |
//! | `summary` | bounded, mergeable counts and their binary form |
//! | `analysis` | one design on records: report, findings, settings |
//! | `compare` | several designs: side by side, varied, migrated |
//! | `emit` | what a design exports: commands, encoders in four languages |
//! | `cli` | the door: the command line |
//!
//! Bytes by themselves need no design:
//!
//! ```
//! use rowscape::row::{prefix_stop_row, to_string_binary};
//! use rowscape::split::Splits;
//!
//! let points = Splits::from_text(r#"{ "algorithm": "HexStringSplit", "regions": 4 }"#)?.points()?;
//! assert_eq!(points.iter().map(to_string_binary).collect::<Vec<_>>(), ["40000000", "80000000", "c0000000"]);
//! assert_eq!(points.region_of(b"9f86d081"), 2);
//! assert_eq!(prefix_stop_row(b"a\xff"), b"b");
//! # Ok::<(), rowscape::Problem>(())
//! ```
//!
//! # Errors
//!
//! Whatever is refused is a [`Problem`]: a stable code, the place (JSON path, column, row), named arguments, and an English sentence.
//! No input makes the library panic.
//!
//! # Features
//!
//! `cli`, on by default, is the command line: `cargo install rowscape`. Programs leave it out, and with it all dependencies but
//! serde and the digests:
//!
//! ```toml
//! rowscape = { version = "0.1", default-features = false, features = ["sentences", "floats"] }
//! ```
//!
//! Without `sentences` and `floats` the host supplies sentences and a parser of numbers: see [`base::host`].

// The ground.
pub mod base;
pub mod bytes;

// The design document and its parts.
pub mod records;

pub mod formula;

pub mod design;

// Keys, scans and figures derived from it.
pub mod keys;
pub mod scan;

pub mod hbase;
pub mod summary;

// Reports, findings, comparisons and exports.
pub mod analysis;
pub mod compare;
#[cfg(feature = "emit")]
pub mod emit;

// The door.
#[cfg(feature = "cli")]
pub mod cli;

// The names that programs use, one level deep.
pub use analysis::{findings, pass, report, settings, stream};
pub use base::{Place, Problem, json, map};
pub use bytes::{codec, hash, row, salt, sort};
pub use compare::migrate;
pub use design::split;
pub use hbase::{existing, simulate, sizing, storage};
pub use keys::{decode, encode, table as key_table};
pub use records::field;

/// Problems and the sentences of their codes.
pub mod error {
    #[cfg(feature = "sentences")]
    pub use crate::base::sentences::messages;
    pub use crate::base::sentences::{known_code, render, template};
    pub use crate::base::{Place, Problem};
}

/// Records from files: read, guessed, made up.
pub mod ingest {
    pub use crate::records::generate::{self, Generator};
    pub use crate::records::guess::{self, guess};
    pub use crate::records::read::*;
    #[doc(hidden)]
    pub use crate::records::read::{FileForm as Form, RecordReader as Reader};
}

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
