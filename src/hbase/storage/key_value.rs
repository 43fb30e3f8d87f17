//! The bytes of a cell: `org.apache.hadoop.hbase.KeyValue`.
//!
//! A cell is its key and its value, each with its length in front; the key repeats the whole row key:
//!
//! | part | bytes |
//! |---|---|
//! | lengths of key and value | 4 + 4 |
//! | row with its length | 2 + row |
//! | family with its length | 1 + family |
//! | qualifier | qualifier |
//! | timestamp and type | 8 + 1 |
//! | value | value |
//! | tags with their length, when there are any | 2 + (2 + 1 + tag) each |

use crate::base::Problem;
use crate::bytes::row::MAX_ROW_LENGTH;
use serde::{Deserialize, Serialize};

/// Lengths of key and value (`KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE`).
const FRAME: u64 = 8;
/// Lengths of row and family, timestamp and type (`KeyValue.KEY_INFRASTRUCTURE_SIZE`).
const KEY_FRAME: u64 = 12;
/// Most bytes of a family's name (`Byte.MAX_VALUE`).
const MAX_FAMILY: u64 = 127;
/// Most bytes of a cell: Java counts them in an `int`.
const MAX_CELL: u64 = i32::MAX as u64;
/// Length of a tag and its type.
const TAG_FRAME: u64 = 3;
/// Most bytes of a tag besides [`TAG_FRAME`], so that all tags fit their two bytes of length.
const MAX_TAG: u64 = u16::MAX as u64 - TAG_FRAME;

/// Bytes of the parts of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename = "Parts", default, deny_unknown_fields)]
pub struct CellParts {
    /// Row key.
    pub row: u64,
    /// Name of the column family.
    pub family: u64,
    /// Column qualifier.
    pub qualifier: u64,
    /// Value.
    pub value: u64,
    /// The one tag, when there is one.
    pub tag: Option<u64>,
}

/// Bytes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CellSize {
    /// The whole cell, tags too: `getLength()`, `getSerializedSize()`.
    pub length: u64,
    /// Without tags: `getSerializedSize(false)`.
    pub without_tags: u64,
    /// Its key: `getKeyLength()`.
    pub key: u64,
    /// Its tags without their length: `getTagsLength()`.
    pub tags: u64,
}

/// Bytes of a cell of these parts.
///
/// # Errors
/// `cell.part-too-long` where HBase refuses the cell. It takes an empty row and an empty family here.
pub fn size(parts: CellParts) -> Result<CellSize, Problem> {
    for (part, length, most) in [
        ("row", parts.row, MAX_ROW_LENGTH as u64),
        ("family", parts.family, MAX_FAMILY),
        ("qualifier", parts.qualifier, MAX_CELL),
        ("value", parts.value, MAX_CELL),
        ("tag", parts.tag.unwrap_or(0), MAX_TAG),
    ] {
        within(part, length, most)?;
    }
    let key = KEY_FRAME + parts.row + parts.family + parts.qualifier;
    let without_tags = FRAME + key + parts.value;
    let tags = parts.tag.map_or(0, |tag| TAG_FRAME + tag);
    let length = without_tags + if tags > 0 { 2 + tags } else { 0 };
    within("cell", length, MAX_CELL)?;
    Ok(CellSize { length, without_tags, key, tags })
}

fn within(part: &'static str, length: u64, most: u64) -> Result<(), Problem> {
    if length <= most {
        return Ok(());
    }
    Err(Problem::new("cell.part-too-long").with("part", part).with("length", length).with("most", most))
}
