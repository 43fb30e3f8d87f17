//! How HBase stores rows: what a cell takes, what a table takes, and what other layouts of the same items would.

pub mod compacted;
pub mod encoding;
pub mod key_value;
pub mod layout;
pub mod lengths;
mod mob;
pub mod order;
pub mod repeats;
pub mod stored;
pub mod table;
pub mod versions;

use crate::base::Problem;

/// Most bytes of a cell as HBase is shipped: `hbase.client.keyvalue.maxsize`, `hbase.server.keyvalue.maxsize`.
pub const CELL_LIMIT: u64 = 10 << 20;
/// Most bytes of a row read in one piece as HBase is shipped: `hbase.table.max.rowsize`.
pub const ROW_LIMIT: u64 = 1 << 30;
/// Bytes of a block of a file: `BLOCKSIZE` of a column family.
pub const BLOCK: u64 = 64 << 10;

/// Limits of HBase's defaults that a row and its largest cell exceed.
pub fn limits(row: u64, cell: u64) -> Vec<Problem> {
    let over = [("storage.cell-too-large", cell, CELL_LIMIT), ("storage.row-too-large", row, ROW_LIMIT)];
    let over = over.into_iter().filter(|(_, bytes, limit)| bytes > limit);
    over.map(|(code, bytes, limit)| Problem::new(code).with("bytes", bytes).with("limit", limit)).collect()
}
