//! The document: read, printed, described.

mod document;
mod format;
mod golden;
mod schema;
mod splits;
