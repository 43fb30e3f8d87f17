//! The promises of the core, a module each: one program is compiled and linked in half the time of forty.

// Small helpers are part of each module that uses them.
#![allow(clippy::duplicate_mod)]

mod common;

mod bad_input;
mod cases;
mod codec;
mod codec_bytes;
mod compare;
mod correct_it;
mod decode;
mod design;
mod encode;
mod estimates;
mod examples;
mod existing;
mod findings;
mod findings_document;
mod format;
mod formula;
mod gallery;
mod generate;
mod golden;
mod guess;
mod hashes;
mod ingest;
mod key_value;
mod keys_of_cases;
mod migrate;
mod names;
mod pass;
mod phoenix;
mod phoenix_keys;
mod plans;
mod reads;
mod report;
mod row;
mod salts;
mod scan;
mod schema;
mod settings;
mod simulate;
mod sizing;
mod speed;
mod splits;
mod storage;
mod stream;
mod summary;
mod summary_format;
mod verdicts;
