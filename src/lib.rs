//! Design an HBase row key and see where its rows land, before you create the table.
//!
//! A *design* describes the records, the row key and the split points. Everything else follows from a design and its records: the exact
//! bytes of the keys, the regions they fall in, and findings with fixes.
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
//! // Counter bytes in chunks of any size, from any source.
//! let input =
//!     Input { format: FileForm::Csv, separator: None, quote: None, header: None, encoding: None, stated: Vec::new(), keys: None, fields: study.fields.clone() };
//! let mut reader = RecordReader::new(&input)?;
//! reader.push(b"phone,at\n105,2024-05-02 12:00\n999,2024-05-02 13:00\n");
//! reader.finish();
//!
//! let mut analysis = Analysis::of(&study, 0, Rc::new(reader.into_records()))?;
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
//! | encode records as keys, and decode keys | [`encode`], [`decode`] |
//! | split tables, and find the region of a key | [`split`] |
//! | see where rows land | [`analysis`], [`report`]; [`stream`] for more records than fit in memory |
//! | learn what is wrong and how to fix it | [`findings`] |
//! | plan queries as scans | [`scan`] |
//! | compare designs | [`compare`], [`migrate`] |
//! | find row keys for records and queries | [`suggest`] |
//! | encode values like HBase's and Phoenix's classes | [`codec`], [`hash`], [`salt`] |
//!
//! These names are stable. They point into the modules of the library, called rooms. Each room uses only the rooms above it:
//!
//! | room | contents |
//! |---|---|
//! | `base` | shared by every room: problems, sentences, JSON, small maps, estimates, units |
//! | `bytes` | bytes as HBase and Java write them, and sorting |
//! | `records` | fields and columns of records; reading, guessing and generating them |
//! | `formula` | the row key language: text to a checked tree, with the properties of each step |
//! | `design` | the document: tables, splits, queries, growth |
//! | `keys` | records to sorted row keys; a key back to its fields |
//! | `scan` | queries to the fewest key ranges, and the rows they read |
//! | `hbase` | what HBase does with a table: cells, regions, growth; reading shell output |
//! | `summary` | bounded, mergeable counts and their binary form |
//! | `analysis` | one design on records: report, findings, settings |
//! | `compare` | several designs: compared, varied, migrated |
//! | `suggest` | row keys for records and queries, measured |
//! | `emit` | exports of a design: commands, encoders in four languages |
//! | `observe` | tables as HBase's own files show them: HFiles, write-ahead logs |
//! | `session` | records on their way in, held, sampled or counted, and what is then known of them |
//! | `cli` | the command line |
//!
//! Functions on bytes need no design:
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
//! Every error is a [`Problem`]: a stable code, the place (JSON path, column, row), named arguments, and an English sentence.
//! Input cannot make the library panic.
//!
//! # Features
//!
//! `cli`, on by default, is the command line: `cargo install rowscape`. Programs turn it off, which leaves only the dependencies
//! serde, `wide` and the digests:
//!
//! ```toml
//! rowscape = { version = "0.1", default-features = false, features = ["sentences", "floats"] }
//! ```
//!
//! Without `sentences` and `floats` the host supplies the sentences and a number parser: see [`base::host`].

// Basics.
pub mod base;
pub mod bytes;

// Input.
pub mod records;

pub mod formula;

pub mod design;

// Computation.
pub mod keys;
pub mod scan;

pub mod hbase;
pub mod summary;

// Results.
pub mod analysis;
pub mod compare;
#[cfg(feature = "emit")]
pub mod emit;
pub mod suggest;

pub mod observe;
pub mod session;

// Entry point.
#[cfg(feature = "cli")]
pub mod cli;

// The stable names for programs, one level deep.
pub use analysis::{counter, findings, report, settings, stream, summary_file};
pub use base::{Place, Problem, json, map};
pub use bytes::{codec, hash, row, salt, sort};
pub use compare::migrate;
pub use design::split;
pub use hbase::{existing, outlook, simulate, sizing, storage};
pub use keys::{decode, encode, table as key_table};
pub use records::field;

/// Problems and the sentences of their codes.
pub mod error {
    #[cfg(feature = "sentences")]
    pub use crate::base::sentences::messages;
    pub use crate::base::sentences::{fill, known_code, render, template};
    pub use crate::base::{Place, Problem};
}

/// Records: read from files, guessed, generated.
pub mod ingest {
    pub use crate::records::generate::{self, Generator};
    pub use crate::records::guess::{self, guess};
    pub use crate::records::read::*;
    #[doc(hidden)]
    pub use crate::records::read::{FileForm as Form, RecordReader as Reader};
}

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
