//! Write-ahead logs: their header, and entries with their cells.

use super::cell::{Cell, ROW_LENGTH, TIME_AND_TYPE};
use super::dictionary::Dictionary;
use super::message::{delimited, fields};
use crate::base::limits::RECORD_BYTES;
use crate::records::formats::bytes::Cursor;
use crate::records::formats::feed::{Feed, Halt, Window, need};

/// A log begins with it.
const MAGIC: &[u8] = b"PWAL";
/// A log that was closed ends with it.
const CLOSED: &[u8] = b"LAWP";
/// Bytes of the length before the end mark, and of the mark.
const CLOSING: u64 = 8;
/// Bytes read ahead.
const AHEAD: u64 = 1 << 20;
/// Bytes of the longest number.
const NUMBER: u64 = 10;
/// Entries of the dictionaries of rows, regions, tables and tags, and of those of families and qualifiers.
const MANY: usize = 32_767;
const FEW: usize = 127;
/// Stands for an index cell of Phoenix in place of a length.
const PHOENIX_INDEX: i32 = -1;
/// The family of marks that are no cells of a table.
const MARKS: &[u8] = b"METAFAMILY";

/// Facts that a log states about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalInfo {
    /// True if it is written with dictionaries.
    pub compressed: bool,
    /// True if its values are packed.
    pub values_packed: bool,
    /// The name of the class that writes its cells.
    pub codec: String,
}

/// Facts about all cells of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalEntry {
    /// The encoded name of the region.
    pub region: Vec<u8>,
    /// The table, with its namespace unless that is the default one.
    pub table: Vec<u8>,
    /// The number of the write in its region.
    pub sequence: u64,
    /// When it was written, milliseconds since the epoch.
    pub time: i64,
    /// True if it came from another cluster.
    pub is_replicated: bool,
}

/// An event between the cells of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalMark {
    /// A region was opened: its name, and its server.
    Open(Vec<u8>, String),
    /// A region was closed.
    Close(Vec<u8>),
    /// A flush began or ended.
    Flush,
    /// Files were compacted.
    Compaction,
    /// Files were loaded in bulk.
    BulkLoad,
    /// Anything else.
    Other,
}

/// Takes what a log holds.
pub trait WalVisitor {
    /// A cell of a table; `is_first` of its entry.
    fn cell(&mut self, entry: &WalEntry, cell: &Cell<'_>, is_first: bool);
    /// A mark.
    fn mark(&mut self, entry: &WalEntry, mark: WalMark);
}

/// Reads a log.
#[derive(Debug)]
pub struct Wal {
    window: Window,
    at: u64,
    /// Known once it was opened.
    pub info: Option<WalInfo>,
    tags_packed: bool,
    phoenix: bool,
    dictionaries: Dictionaries,
    entry: WalEntry,
    /// Cells of the entry that are still to be read.
    left: u64,
    /// True until the first cell of an entry was handed on.
    begun: bool,
    /// Where the entries end, where that is known.
    end: Option<u64>,
    /// Entries read so far.
    pub entries: u64,
    /// True if it ends with the mark of a log that was closed.
    pub is_closed: bool,
    /// Bytes behind the last whole entry of a log that ends in the midst of one.
    pub torn: u64,
    key: Vec<u8>,
}

/// The dictionaries of a log.
#[derive(Debug)]
struct Dictionaries {
    region: Dictionary,
    table: Dictionary,
    row: Dictionary,
    family: Dictionary,
    qualifier: Dictionary,
    tags: Dictionary,
}

impl Default for Wal {
    fn default() -> Self {
        let many = || Dictionary::new(MANY);
        let few = || Dictionary::new(FEW);
        Self {
            window: Window::new(AHEAD),
            at: 0,
            info: None,
            tags_packed: false,
            phoenix: false,
            dictionaries: Dictionaries {
                region: many(),
                table: many(),
                row: many(),
                family: few(),
                qualifier: few(),
                tags: many(),
            },
            entry: WalEntry::default(),
            left: 0,
            begun: false,
            end: None,
            entries: 0,
            is_closed: false,
            torn: 0,
            key: Vec::new(),
        }
    }
}

impl Wal {
    /// Reads the header.
    pub fn open(&mut self, feed: &mut Feed) -> Result<(), Halt> {
        const PART: &str = "the header";
        let bytes = self.window.rest(feed, 0, AHEAD, AHEAD)?;
        let (message, length) = need(bytes.strip_prefix(MAGIC).and_then(delimited), PART)?;
        let mut info = WalInfo::default();
        let (mut is_encrypted, mut tags_packed, mut writer) = (false, false, String::new());
        let read = fields(message, |number, value| match number {
            1 => info.compressed = value.is_true(),
            2 => is_encrypted = !value.bytes().is_empty(),
            3 => tags_packed = value.is_true(),
            4 => writer = String::from_utf8_lossy(value.bytes()).into_owned(),
            5 => info.codec = String::from_utf8_lossy(value.bytes()).into_owned(),
            6 => info.values_packed = value.is_true(),
            _ => {}
        });
        need(read, PART)?;
        if is_encrypted || writer.contains("Secure") || info.codec.contains("Secure") {
            return Err(Halt::unknown("encryption of write-ahead logs"));
        }
        self.at = (MAGIC.len() + length) as u64;
        self.tags_packed = info.compressed && tags_packed;
        self.phoenix = info.codec.ends_with("IndexedWALEditCodec");
        let is_known = self.phoenix || info.codec.is_empty() || info.codec.ends_with(".WALCellCodec");
        if !is_known {
            return Err(Halt::unknown(format!("cell codec {}", info.codec)));
        }
        self.info = Some(info);
        Ok(())
    }

    /// Hands on the rest of what is at hand. False when there is no more; what is behind the last whole entry counts as torn.
    pub fn entries(&mut self, feed: &mut Feed, visitor: &mut dyn WalVisitor) -> Result<bool, Halt> {
        loop {
            let before = self.at;
            if !self.step(feed, visitor)? {
                return Ok(false);
            }
            // The host is given the chance to stop, or to show how far it came.
            if before / AHEAD != self.at / AHEAD {
                return Ok(true);
            }
        }
    }

    /// Reads the beginning of an entry, or a cell.
    fn step(&mut self, feed: &mut Feed, visitor: &mut dyn WalVisitor) -> Result<bool, Halt> {
        let Some(length) = self.length(feed)? else {
            return Ok(false);
        };
        let bytes = self.window.rest(feed, self.at, length, u64::MAX)?;
        // Less is at hand where the log ends in the midst of it.
        let is_whole = bytes.len() as u64 >= length;
        let end = self.end.map_or(bytes.len(), |end| (end.saturating_sub(self.at) as usize).min(bytes.len()));
        let bytes = bytes.get(..end).unwrap_or_default();
        let read = if self.left == 0 {
            begin(
                bytes,
                &mut self.entry,
                &mut self.dictionaries,
                self.info.as_ref().is_some_and(|info| info.compressed),
            )
            .map(|(cells, length)| {
                self.left = cells;
                self.begun = true;
                self.entries += 1;
                length
            })
        } else {
            let form = CellReader {
                compressed: self.info.as_ref().is_some_and(|info| info.compressed),
                values_packed: self.info.as_ref().is_some_and(|info| info.values_packed),
                tags_packed: self.tags_packed,
                phoenix: self.phoenix,
            };
            let read = form.cell(bytes, &mut self.dictionaries, &mut self.key);
            read.map(|(length, cell)| {
                self.left -= 1;
                feed.read += 1;
                if let Some((cell, value)) = cell {
                    if cell.family == MARKS {
                        visitor.mark(&self.entry, mark(&cell, value));
                    } else {
                        visitor.cell(&self.entry, &cell, std::mem::take(&mut self.begun));
                    }
                }
                length
            })
        };
        match read {
            Some(length) => {
                self.at += length as u64;
                Ok(true)
            }
            None if !is_whole || self.end.is_none() && !self.is_closed => {
                let size = feed.size.unwrap_or(self.at + bytes.len() as u64);
                self.torn = size.saturating_sub(self.at);
                Ok(false)
            }
            None => Err(Halt::broken("an entry").at(|| format!("entry {}", self.entries))),
        }
    }

    /// Bytes that the next piece has at most; `None` at the end.
    fn length(&mut self, feed: &mut Feed) -> Result<Option<u64>, Halt> {
        let head = self.window.rest(feed, self.at, NUMBER.max(CLOSING) * 4, u64::MAX)?;
        if head.is_empty() {
            return Ok(None);
        }
        if self.left == 0 {
            // The trailer is a message of no bytes, its length, and the mark.
            if head.ends_with(CLOSED) && head.len() < 64 && is_trailer(head) {
                (self.is_closed, self.end) = (true, Some(self.at));
                return Ok(None);
            }
            let mut cursor = Cursor::new(head);
            let Some(length) = cursor.varint() else { return Ok(Some(head.len() as u64)) };
            let length = length.saturating_add(cursor.at() as u64);
            return bounded(length).map(Some);
        }
        let compressed = self.info.as_ref().is_some_and(|info| info.compressed);
        let mut cursor = Cursor::new(head);
        let marker = u64::from(compressed && self.phoenix);
        if marker > 0 {
            // Anything but 0 is an index cell, which is written as it is.
            if cursor.byte() != Some(0) {
                return Ok(Some(
                    index_cell(cursor.rest()).map_or(head.len() as u64, |length| length + marker),
                ));
            }
        }
        if !compressed {
            let Some(length) = cursor.array().map(i32::from_be_bytes) else {
                return Ok(Some(head.len() as u64));
            };
            if length == PHOENIX_INDEX {
                return Ok(Some(index_cell(head).unwrap_or(head.len() as u64)));
            }
            return bounded(4 + u64::from(length as u32)).map(Some);
        }
        let lengths = (cursor.short_length(), cursor.short_length(), cursor.short_length());
        let (Some(key), Some(value), Some(tags)) = lengths else { return Ok(Some(head.len() as u64)) };
        // Values that do not pack well become longer; each tag, row, family and qualifier stands behind its length.
        let [key, value, tags] = [key, value, tags].map(|length| length as u64);
        bounded(key + value + value / 4 + 3 * tags + 256).map(Some)
    }
}

/// Refuses pieces that are longer than any cell can be.
fn bounded(length: u64) -> Result<u64, Halt> {
    // A cell of 16 MiB is far beyond what HBase takes by default.
    const MOST: u64 = 40 * RECORD_BYTES.most;
    if length > MOST { Err(Halt::limit(&RECORD_BYTES, length)) } else { Ok(length) }
}

/// True for the last bytes of a log that was closed.
fn is_trailer(bytes: &[u8]) -> bool {
    let Some((message, ending)) = bytes.split_at_checked(bytes.len().saturating_sub(CLOSING as usize)) else {
        return false;
    };
    let length = ending.first_chunk::<4>().map(|length| u32::from_be_bytes(*length) as usize);
    length == Some(message.len())
}

/// Bytes of an index cell of Phoenix behind the mark, as far as they show: the name of its index, and a mutation.
fn index_cell(bytes: &[u8]) -> Option<u64> {
    let mut cursor = Cursor::new(bytes);
    cursor.take(4)?;
    let name = usize::try_from(cursor.hadoop_number()?).ok()?;
    match cursor.take(name) {
        Some(_) => match cursor.hadoop_number() {
            Some(mutation) => Some(cursor.at() as u64 + u64::try_from(mutation).ok()?),
            None => Some(cursor.at() as u64 + NUMBER),
        },
        None => Some(cursor.at() as u64 + name as u64 + NUMBER),
    }
}

/// Reads the beginning of an entry: how many cells follow, and its length.
fn begin(
    bytes: &[u8],
    entry: &mut WalEntry,
    dictionaries: &mut Dictionaries,
    compressed: bool,
) -> Option<(u64, usize)> {
    let (message, length) = delimited(bytes)?;
    let (mut region, mut table) = (&[][..], &[][..]);
    let (mut sequence, mut time, mut cells, mut clusters) = (0, 0, 0, 0u32);
    fields(message, |number, value| match number {
        1 => region = value.bytes(),
        2 => table = value.bytes(),
        3 => sequence = value.number(),
        4 => time = value.number(),
        5 | 8 => clusters += 1,
        7 => cells = value.number(),
        _ => {}
    })?;
    // A message of no bytes is none.
    (!message.is_empty()).then_some(())?;
    entry.region.clear();
    entry.table.clear();
    if compressed {
        dictionaries.region.read(&mut Cursor::new(region), &mut entry.region)?;
        dictionaries.table.read(&mut Cursor::new(table), &mut entry.table)?;
    } else {
        entry.region.extend_from_slice(region);
        entry.table.extend_from_slice(table);
    }
    (entry.sequence, entry.time, entry.is_replicated) = (sequence, time as i64, clusters > 0);
    Some((cells, length))
}

/// A cell with its value, where that is not packed.
type ReadCell<'a> = (Cell<'a>, &'a [u8]);

/// How the cells of a log are written.
struct CellReader {
    compressed: bool,
    values_packed: bool,
    tags_packed: bool,
    phoenix: bool,
}

impl CellReader {
    /// Reads a cell: its length, and the cell with its value where that is not packed; none for an index cell of Phoenix.
    fn cell<'a>(
        &self,
        bytes: &'a [u8],
        dictionaries: &mut Dictionaries,
        key: &'a mut Vec<u8>,
    ) -> Option<(usize, Option<ReadCell<'a>>)> {
        let mut cursor = Cursor::new(bytes);
        if self.compressed && self.phoenix && cursor.byte()? != 0 {
            let length = usize::try_from(index_cell(cursor.rest())?).ok()?;
            cursor.take(length)?;
            return Some((cursor.at(), None));
        }
        if self.compressed {
            return self.packed(cursor, dictionaries, key);
        }
        let length = i32::from_be_bytes(cursor.array()?);
        if length == PHOENIX_INDEX {
            let length = usize::try_from(index_cell(bytes)?).ok()?;
            return bytes.get(..length).map(|_| (length, None));
        }
        let mut cell = Cursor::new(cursor.take(usize::try_from(length).ok()?)?);
        let (key, value) = (cell.length()?, cell.length()?);
        let (key, value) = (cell.take(key)?, cell.take(value)?);
        let tags = if cell.rest().is_empty() { 0 } else { u32::from(u16::from_be_bytes(cell.array()?)) };
        (cell.rest().len() == tags as usize).then_some(())?;
        Some((cursor.at(), Some((Cell::of_key(key, value.len() as u32, tags)?, value))))
    }

    fn packed<'a>(
        &self,
        mut cursor: Cursor<'a>,
        dictionaries: &mut Dictionaries,
        key: &'a mut Vec<u8>,
    ) -> Option<(usize, Option<ReadCell<'a>>)> {
        let (key_length, value, tags) =
            (cursor.short_length()?, cursor.short_length()?, cursor.short_length()?);
        key.clear();
        key.extend_from_slice(&[0; ROW_LENGTH]);
        let row = u16::try_from(dictionaries.row.read(&mut cursor, key)?).ok()?;
        key.get_mut(..ROW_LENGTH)?.copy_from_slice(&row.to_be_bytes());
        let at = key.len();
        key.push(0);
        let family = u8::try_from(dictionaries.family.read(&mut cursor, key)?).ok()?;
        *key.get_mut(at)? = family;
        dictionaries.qualifier.read(&mut cursor, key)?;
        key.extend_from_slice(cursor.take(TIME_AND_TYPE)?);
        (key.len() == key_length).then_some(())?;
        let bytes = if self.values_packed {
            let length = cursor.short_length()?;
            cursor.take(length)?;
            &[][..]
        } else {
            cursor.take(value)?
        };
        if tags > 0 && self.tags_packed {
            dictionaries.tags.skip_tags(&mut cursor, tags)?;
        } else {
            cursor.take(tags)?;
        }
        Some((cursor.at(), Some((Cell::of_key(key, value as u32, tags as u32)?, bytes))))
    }
}

/// The event of a mark.
fn mark(cell: &Cell<'_>, value: &[u8]) -> WalMark {
    let name = cell.qualifier;
    if name.starts_with(b"HBASE::REGION_EVENT") {
        return region_event(value).unwrap_or(WalMark::Other);
    }
    match name {
        b"HBASE::FLUSH" => WalMark::Flush,
        b"HBASE::COMPACTION" => WalMark::Compaction,
        b"HBASE::BULK_LOAD" => WalMark::BulkLoad,
        _ => WalMark::Other,
    }
}

/// A region that was opened or closed.
fn region_event(message: &[u8]) -> Option<WalMark> {
    let (mut is_close, mut server, mut name) = (false, &[][..], &[][..]);
    fields(message, |number, value| match number {
        1 => is_close = value.is_true(),
        6 => server = value.bytes(),
        7 => name = value.bytes(),
        _ => {}
    })?;
    if is_close {
        return Some(WalMark::Close(name.to_vec()));
    }
    let (mut host, mut port, mut start) = (String::new(), 0, 0);
    fields(server, |number, value| match number {
        1 => host = String::from_utf8_lossy(value.bytes()).into_owned(),
        2 => port = value.number(),
        3 => start = value.number(),
        _ => {}
    })?;
    Some(WalMark::Open(name.to_vec(), format!("{host},{port},{start}")))
}
