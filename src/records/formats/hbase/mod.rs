//! Files that HBase itself writes: HFiles, write-ahead logs, and those that name the regions of a table.

mod block;
pub mod cell;
mod dictionary;
mod encoding;
pub mod hfile;
mod message;
pub mod regions;
pub mod rows;
pub mod wal;
