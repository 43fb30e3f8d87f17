//! The document: read, printed, described.

mod document;
mod format;
mod golden;
mod limits;
mod schema;
mod splits;
