//! The footer of a Parquet file: its schema, and where the pages of each column are.

use super::super::bytes::Cursor;
use super::super::codec::Codec;
use super::super::feed::{Halt, need};
use super::schema::{Element, Schema, schema};
use super::thrift::Thrift;
use crate::base::limits::COLUMNS;

const PART: &str = "the footer";

/// The footer of a file. Row groups are read again when their turn comes, since only some of their columns are needed.
#[derive(Debug)]
pub struct Footer {
    bytes: Vec<u8>,
    pub schema: Schema,
    pub rows: u64,
    /// Where the metadata of each row group begins in `bytes`.
    groups: Vec<usize>,
}

/// A column in a row group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub codec: Codec,
    /// Values, also missing ones.
    pub values: u64,
    /// Where its first page begins.
    pub start: u64,
    /// Where it ends.
    pub end: u64,
}

impl Footer {
    /// Reads it.
    pub fn new(bytes: Vec<u8>) -> Result<Self, Halt> {
        let (mut elements, mut rows, mut groups, mut encrypted) = (Vec::new(), 0, Vec::new(), false);
        let mut rows_of_groups = 0u64;
        let mut thrift = Thrift::new(Cursor::new(&bytes));
        let read = thrift.members(|thrift, member| {
            match member.id {
                2 => thrift.list(member, |thrift, _| {
                    elements.push(Element::read(thrift)?);
                    // Each column has at most a few groups around it.
                    (elements.len() as u64 <= 4 * COLUMNS.most).then_some(())
                })?,
                3 => rows = u64::try_from(thrift.integer(member)?).ok()?,
                4 => thrift.list(member, |thrift, _| {
                    groups.push(thrift.cursor.at());
                    thrift.members(|thrift, member| {
                        if member.id != 3 {
                            return Some(false);
                        }
                        let rows = u64::try_from(thrift.integer(member)?).ok()?;
                        rows_of_groups = rows_of_groups.checked_add(rows)?;
                        Some(true)
                    })
                })?,
                8 => {
                    encrypted = true;
                    return Some(false);
                }
                _ => return Some(false),
            }
            Some(true)
        });
        need(read, PART)?;
        if encrypted {
            return Err(Halt::unknown("encryption"));
        }
        need((rows == rows_of_groups).then_some(()), "the number of records")?;
        let schema = need(schema(elements), "the schema")?;
        schema.columns.sound()?;
        Ok(Self { bytes, schema, rows, groups })
    }

    /// Number of row groups.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The metadata of each row group.
    pub fn metadata(&self) -> impl Iterator<Item = Thrift<'_>> {
        self.groups.iter().map(|&place| Thrift::new(Cursor::from(&self.bytes, place)))
    }

    /// The rows of a row group and these columns of it, which are in order. Each flat column, wanted or not, has a value for each row.
    pub fn group(&self, group: usize, columns: &[usize]) -> Result<(u64, Vec<Chunk>), Halt> {
        let place = *need(self.groups.get(group), PART)?;
        let mut thrift = Thrift::new(Cursor::from(&self.bytes, place));
        let (mut rows, mut chunks, mut unknown) = (0, Vec::new(), None);
        let (mut width, mut flat, mut values) = (0, self.schema.leaves.iter().peekable(), Vec::new());
        let read = thrift.members(|thrift, member| {
            match member.id {
                1 => {
                    thrift.list(member, |thrift, _| {
                        let is_flat = flat.next_if(|leaf| leaf.index == width).is_some();
                        if columns.binary_search(&width).is_ok() {
                            chunks.push(chunk(thrift, &mut unknown)?);
                            values.extend(chunks.last().map(|chunk| chunk.values));
                        } else {
                            values.extend(stated_values(thrift)?.filter(|_| is_flat));
                        }
                        width += 1;
                        Some(())
                    })?;
                }
                3 => rows = u64::try_from(thrift.integer(member)?).ok()?,
                _ => return Some(false),
            }
            Some(true)
        });
        if let Some(what) = unknown {
            return Err(Halt::unknown(what));
        }
        need(read, PART)?;
        need((width == self.schema.width).then_some(()), PART)?;
        need(values.iter().all(|&values| values == rows).then_some(()), "the number of values")?;
        let all = chunks.len() == columns.len();
        need(all.then_some((rows, chunks)), PART)
    }
}

/// The values that a column chunk states, unless it is in another file or encrypted.
fn stated_values(thrift: &mut Thrift<'_>) -> Option<Option<u64>> {
    let mut values = None;
    thrift.members(|thrift, member| {
        if member.id != 3 {
            return Some(false);
        }
        thrift.is_struct(member)?;
        thrift.members(|thrift, member| {
            if member.id == 5 {
                values = Some(u64::try_from(thrift.integer(member)?).ok()?);
            }
            Some(member.id == 5)
        })?;
        Some(true)
    })?;
    Some(values)
}

/// A column chunk; what is not read of it is named in `unknown`.
fn chunk(thrift: &mut Thrift<'_>, unknown: &mut Option<String>) -> Option<Chunk> {
    let mut found = None;
    thrift.members(|thrift, member| {
        match member.id {
            // In another file.
            1 => *unknown = Some("a column in another file".to_owned()),
            3 => {
                thrift.is_struct(member)?;
                found = Some(metadata(thrift, unknown)?);
                return Some(true);
            }
            8 | 9 => *unknown = Some("encryption".to_owned()),
            _ => {}
        }
        Some(false)
    })?;
    found
}

fn metadata(thrift: &mut Thrift<'_>, unknown: &mut Option<String>) -> Option<Chunk> {
    let (mut codec, mut values, mut packed, mut data, mut dictionary) = (0, 0, 0, None, None);
    thrift.members(|thrift, member| {
        let number = match member.id {
            4 => &mut codec,
            5 => &mut values,
            7 => &mut packed,
            9 => data.insert(0),
            11 => dictionary.insert(0),
            _ => return Some(false),
        };
        *number = thrift.integer(member)?;
        Some(true)
    })?;
    let codec = match codec {
        0 => Codec::Plain,
        1 => Codec::Snappy,
        2 => Codec::Gzip,
        4 => Codec::Brotli,
        5 => Codec::Lz4Hadoop,
        6 => Codec::Zstd,
        7 => Codec::Lz4Block,
        other => {
            *unknown = Some(if other == 3 { "LZO".to_owned() } else { format!("codec {other}") });
            Codec::Plain
        }
    };
    let data = u64::try_from(data?).ok()?;
    // Some writers say 0 where there is no dictionary.
    let dictionary = dictionary.and_then(|place| u64::try_from(place).ok()).filter(|&place| place > 0);
    let start = dictionary.map_or(data, |dictionary| dictionary.min(data));
    let end = start.checked_add(u64::try_from(packed).ok()?)?;
    Some(Chunk { codec, values: u64::try_from(values).ok()?, start, end })
}
