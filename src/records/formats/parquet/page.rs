//! One column of a row group: its pages, one after the other.

use super::super::bytes::Cursor;
use super::super::codec::Codec;
use super::super::feed::{Feed, Halt, Window, need};
use super::super::text::Texts;
use super::footer::Chunk;
use super::hybrid::Hybrid;
use super::thrift::{Member, Thrift};
use super::values::{Reading, Values};

/// Most bytes read ahead: mostly a page or a few.
const AHEAD: u64 = 1 << 20;
/// Bytes in which the header of a page is looked for: first in few, since only statistics make it long.
const HEADER: [u64; 3] = [1, 1 << 16, 16 << 20];
/// Values of a dictionary, and bytes of their texts, between two looks at the memory.
const DICTIONARY_STEP: usize = 1 << 16;
const PART: &str = "the header of a page";

const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_V2: i64 = 3;

/// Reads a column of a row group.
#[derive(Debug)]
pub struct ColumnPages {
    reading: Reading,
    /// The level of a value that is there.
    levels: u32,
    chunk: Chunk,
    window: Window,
    /// Where the next page begins.
    at: u64,
    /// Values left, also missing ones, and without those of the page under way.
    left: u64,
    dictionary: Option<Texts>,
    page: Option<Page>,
    /// Texts that wait for those of other columns.
    pub texts: Texts,
    /// Bytes of memory that were told to the feed.
    held: usize,
}

#[derive(Debug)]
struct Page {
    left: u64,
    /// Levels that tell which values are there; `None` when all are.
    levels: Option<Hybrid>,
    values: Values,
}

/// The header of a page.
#[derive(Debug, Default)]
struct Header {
    kind: i64,
    unpacked: i64,
    packed: i64,
    checksum: Option<i64>,
    values: i64,
    /// The rows of a page of the second version.
    rows: Option<i64>,
    encoding: i64,
    level_encoding: i64,
    /// Bytes of the levels, which are not packed, in pages of the second version.
    level_bytes: [i64; 2],
    is_packed: bool,
    /// Its own bytes.
    length: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut header = Self { level_encoding: 3, is_packed: true, ..Self::default() };
        let mut thrift = Thrift::new(Cursor::new(bytes));
        thrift.members(|thrift, member| {
            match member.id {
                1 => header.kind = thrift.integer(member)?,
                2 => header.unpacked = thrift.integer(member)?,
                3 => header.packed = thrift.integer(member)?,
                4 => header.checksum = Some(thrift.integer(member)?),
                5 | 7 | 8 => header.read_kind(thrift, member)?,
                _ => return Some(false),
            }
            Some(true)
        })?;
        header.length = thrift.cursor.at();
        Some(header)
    }

    /// Members that only pages of this kind have.
    fn read_kind(&mut self, thrift: &mut Thrift<'_>, kind: Member) -> Option<()> {
        thrift.is_struct(kind)?;
        thrift.members(|thrift, member| {
            match (kind.id, member.id) {
                (_, 1) => self.values = thrift.integer(member)?,
                (5 | 7, 2) | (8, 4) => self.encoding = thrift.integer(member)?,
                (5, 3) => self.level_encoding = thrift.integer(member)?,
                (8, 3) => self.rows = Some(thrift.integer(member)?),
                (8, 5) => self.level_bytes[1] = thrift.integer(member)?,
                (8, 6) => self.level_bytes[0] = thrift.integer(member)?,
                (8, 7) => self.is_packed = thrift.boolean(member)?,
                _ => return Some(false),
            }
            Some(true)
        })
    }
}

impl ColumnPages {
    /// At the first page of a chunk, of which so many bytes are read ahead.
    pub fn new(reading: Reading, levels: u32, chunk: Chunk, ahead: u64) -> Self {
        Self {
            reading,
            levels,
            chunk,
            window: Window::new(ahead.min(AHEAD)),
            at: chunk.start,
            left: chunk.values,
            dictionary: None,
            page: None,
            texts: Texts::default(),
            held: 0,
        }
    }

    /// Reads until as many texts wait as a portion of a table of so many columns has, or the chunk ends.
    pub fn fill(&mut self, feed: &mut Feed, columns: usize) -> Result<(), Halt> {
        let filled = self.read_on(feed, columns);
        let page = self.page.as_ref().map_or(0, |page| page.values.length());
        let dictionary = self.dictionary.as_ref().map_or(0, Texts::memory);
        let held = self.window.length() + page + dictionary + self.texts.memory();
        let before = std::mem::replace(&mut self.held, held);
        filled.and(feed.hold(before, held))
    }

    /// Gives back its memory at the end of a row group.
    pub fn end(self, feed: &mut Feed) {
        feed.held = feed.held.saturating_sub(self.held as u64);
    }

    fn read_on(&mut self, feed: &mut Feed, columns: usize) -> Result<(), Halt> {
        while !self.texts.is_full(columns) {
            match &mut self.page {
                Some(page) if page.left > 0 => {
                    let most = Texts::most_bytes(columns);
                    let room = page.left.min((Texts::most_rows(columns) - self.texts.rows()) as u64);
                    let dictionary = self.dictionary.as_ref();
                    let Some(levels) = &mut page.levels else {
                        page.left -=
                            page.values.read(room, self.reading, dictionary, &mut self.texts, most)?;
                        continue;
                    };
                    let next = levels.next(room).filter(|(level, _)| *level <= self.levels);
                    let (level, equal) = need(next, "the definition levels")?;
                    let taken = if level == self.levels {
                        page.values.read(equal, self.reading, dictionary, &mut self.texts, most)?
                    } else {
                        (0..equal).for_each(|_| self.texts.push_missing());
                        equal
                    };
                    levels.put_back(equal - taken);
                    page.left -= taken;
                }
                _ => {
                    if self.left == 0 && self.is_past(feed)? {
                        break;
                    }
                    self.next_page(feed)?;
                }
            }
        }
        Ok(())
    }

    /// True unless more values than are stated follow; what else may follow is not needed.
    fn is_past(&mut self, feed: &mut Feed) -> Result<bool, Halt> {
        let end = self.chunk.end;
        if self.at < end {
            let bytes = self.window.rest(feed, self.at, HEADER[1].min(end - self.at), end)?;
            let header = Header::read(bytes);
            if header.is_some_and(|header| matches!(header.kind, DATA | DATA_V2) && header.values > 0) {
                return Ok(false);
            }
            self.at = end;
        }
        Ok(true)
    }

    fn next_page(&mut self, feed: &mut Feed) -> Result<(), Halt> {
        let end = self.chunk.end;
        let mut found = None;
        for least in HEADER {
            let least = least.min(end.saturating_sub(self.at));
            found = Header::read(self.window.rest(feed, self.at, least, end)?);
            if found.is_some() {
                break;
            }
        }
        let header = need(found, PART)?;
        let packed = need(u32::try_from(header.packed).ok().map(u64::from), PART)?;
        let length = header.length as u64 + packed;
        let behind = need(self.at.checked_add(length).filter(|&behind| behind <= end), PART)?;
        // From its beginning on again: what is asked for twice has to begin at the same place.
        let bytes = self.window.get(feed, self.at, length, end)?;
        let bytes = bytes.get(header.length..).unwrap_or_default();
        if let Some(sum) = header.checksum {
            let mut crc = flate2::Crc::new();
            crc.update(bytes);
            need((crc.sum() == sum as u32).then_some(()), "the checksum of a page")?;
        }
        match header.kind {
            DATA | DATA_V2 => {
                let unpacked = unpacked(feed, bytes, &header, self.chunk.codec)?;
                let page = self.data(unpacked, &header)?;
                self.left = need(self.left.checked_sub(page.left), "the number of values")?;
                self.page = Some(page);
            }
            DICTIONARY => {
                let unpacked = unpacked(feed, bytes, &header, self.chunk.codec)?;
                self.dictionary = Some(self.dictionary_of(feed, unpacked, &header)?);
            }
            // Indexes are not needed.
            _ => {}
        }
        self.at = behind;
        Ok(())
    }

    fn dictionary_of(&self, feed: &mut Feed, bytes: Vec<u8>, header: &Header) -> Result<Texts, Halt> {
        let mut left = need(u64::try_from(header.values).ok(), PART)?;
        let mut texts = Texts::default();
        let mut values = Values::new(bytes, 0, 0, self.reading)?;
        while left > 0 {
            let most = texts.length() + DICTIONARY_STEP;
            left -= values.read(left.min(DICTIONARY_STEP as u64), self.reading, None, &mut texts, most)?;
            // Many short values take more memory than their bytes, and some have long texts.
            if texts.memory() as u64 > feed.room() {
                return Err(feed.full(feed.held + texts.memory() as u64));
            }
        }
        feed.make(texts.length())?;
        Ok(texts)
    }

    fn data(&self, bytes: Vec<u8>, header: &Header) -> Result<Page, Halt> {
        const LEVELS: &str = "the definition levels";
        let left = need(u64::try_from(header.values).ok(), PART)?;
        let is_flat = header.rows.is_none_or(|rows| rows == header.values);
        need(is_flat.then_some(()), "the number of values")?;
        let mut cursor = Cursor::new(&bytes);
        let mut levels = None;
        if header.kind == DATA_V2 {
            let [before, length] = header.level_bytes.map(usize::try_from);
            need(before.ok().and_then(|before| cursor.take(before)), LEVELS)?;
            levels = Some(need(length.ok().and_then(|length| cursor.take(length)), LEVELS)?);
        } else if self.levels > 0 {
            if header.level_encoding != 3 {
                return Err(Halt::unknown(format!("encoding {}", header.level_encoding)));
            }
            let length = cursor.array().map(u32::from_le_bytes);
            levels = Some(need(length.and_then(|length| cursor.take(length as usize)), LEVELS)?);
        }
        let bits = u32::BITS - self.levels.leading_zeros();
        let levels = match levels {
            Some(levels) if self.levels > 0 => Some(need(Hybrid::new(levels.to_vec(), bits), LEVELS)?),
            _ => None,
        };
        let at = cursor.at();
        Ok(Page { left, levels, values: Values::new(bytes, at, header.encoding, self.reading)? })
    }
}

/// The bytes of a page, unpacked; levels of pages of the second version are not packed.
fn unpacked(feed: &mut Feed, bytes: &[u8], header: &Header, codec: Codec) -> Result<Vec<u8>, Halt> {
    let stated = need(usize::try_from(header.unpacked).ok(), PART)?;
    let [before, levels] = header.level_bytes;
    let front = if header.kind == DATA_V2 { before.saturating_add(levels) } else { 0 };
    let front = need(usize::try_from(front).ok().and_then(|front| bytes.split_at_checked(front)), PART)?;
    let (levels, packed) = front;
    let rest = need(stated.checked_sub(levels.len()), PART)?;
    if packed.is_empty() && rest == 0 {
        return Ok(levels.to_vec());
    }
    let codec = if header.is_packed { codec } else { Codec::Plain };
    let unpacked = feed.unpack(codec, packed, Some(rest))?;
    Ok(if levels.is_empty() { unpacked } else { [levels, &unpacked].concat() })
}
