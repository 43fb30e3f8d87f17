//! HFiles of version 3: their trailer, the facts they state, their index, and their cells.

use super::block::{BlockHeader, BlockKind, HEADER, content, header};
use super::cell::{Cell, ROW_LENGTH};
use super::encoding::{BlockEncoding, CellDecoder, CellForm};
use super::message::{delimited, fields, marked};
use crate::base::limits::TABLE_FOOTER;
use crate::records::formats::bytes::Cursor;
use crate::records::formats::codec::Codec;
use crate::records::formats::feed::{Feed, Halt, Window, need};

/// Bytes of the trailer.
const TRAILER: u64 = 4096;
const TRAILER_MARK: &[u8] = b"TRABLK\"$";
/// Bytes read ahead.
const AHEAD: u64 = 1 << 20;
/// Levels of an index: each has at least two entries a block.
const DEEPEST: u32 = 40;
const INFO: &str = "the file info";
const INDEX: &str = "the index";
const CELLS: &str = "the cells";

/// The trailer of a file.
#[derive(Clone, Debug, Default)]
struct Trailer {
    file_info: u64,
    load_on_open: u64,
    index_entries: u64,
    cells: u64,
    levels: u32,
    first_data: u64,
    last_data: u64,
    codec: u64,
    is_encrypted: bool,
}

/// Facts that a file states about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HFileInfo {
    /// Number of its cells.
    pub cells: u64,
    /// The name of its compression.
    pub compression: &'static str,
    /// The name of the encoding of its blocks.
    pub encoding: String,
    /// Levels of its index.
    pub index_levels: u32,
    /// When it was written, milliseconds since the epoch.
    pub created: Option<i64>,
    /// First and last time of its cells.
    pub times: Option<(i64, i64)>,
    /// The time of its first put.
    pub first_put: Option<i64>,
    /// The row of its last key.
    pub last_row: Option<Vec<u8>>,
    /// The column family of its last key, and of all others.
    pub family: Option<Vec<u8>>,
    /// When it was loaded in bulk.
    pub bulk_loaded: Option<i64>,
    /// Number of the last write in it.
    pub sequence: Option<i64>,
    /// True if a compaction of all files of its store wrote it.
    pub major: bool,
    /// True if it has values that cells of other files point to.
    pub is_mob: bool,
    /// The encoding of its index.
    pub index_encoding: String,
    /// Files that were compacted into it.
    pub compacted: Vec<String>,
}

/// Reads an HFile.
#[derive(Debug)]
pub struct HFile {
    window: Window,
    trailer: Option<Trailer>,
    codec: Codec,
    form: CellForm,
    /// Known once it was opened.
    pub info: Option<HFileInfo>,
    decoder: CellDecoder,
    /// Where the next block begins.
    at: u64,
    /// Blocks of the index that are still to be read, the next one last: their places and depths.
    index: Option<Vec<(u64, u64, u32)>>,
}

impl Default for HFile {
    fn default() -> Self {
        Self {
            window: Window::new(AHEAD),
            trailer: None,
            codec: Codec::Plain,
            form: CellForm::default(),
            info: None,
            decoder: CellDecoder::new(CellForm::default()),
            at: 0,
            index: None,
        }
    }
}

impl HFile {
    /// Reads the trailer and what the file states.
    pub fn open(&mut self, feed: &mut Feed) -> Result<(), Halt> {
        let size = need(feed.size, "the size of the file")?;
        let trailer = match self.trailer.take() {
            Some(trailer) => trailer,
            None => self.read_trailer(feed, size)?,
        };
        self.trailer = Some(trailer.clone());
        self.codec = codec(trailer.codec)?;
        let end = size.saturating_sub(TRAILER);
        let at = trailer.file_info;
        let head = header(&mut self.window, feed, at, end)?;
        need((head.kind == BlockKind::FileInfo).then_some(()), INFO)?;
        if head.unpacked as u64 > TABLE_FOOTER.most {
            return Err(Halt::limit(&TABLE_FOOTER, head.unpacked as u64));
        }
        let bytes = content(&mut self.window, feed, (&head, self.codec), (at, end))?;
        let (info, form) = need(info(&bytes, &trailer), INFO)?;
        (self.form, self.decoder) = (form, CellDecoder::new(form));
        self.info = Some(info);
        self.at = if trailer.cells == 0 { trailer.load_on_open } else { trailer.first_data };
        feed.state(trailer.cells, size)
    }

    fn read_trailer(&mut self, feed: &mut Feed, size: u64) -> Result<Trailer, Halt> {
        const PART: &str = "the trailer";
        let at = need(size.checked_sub(TRAILER), PART)?;
        let bytes = self.window.get(feed, at, TRAILER, size)?;
        let (_, version) = need(bytes.split_last_chunk::<4>(), PART)?;
        let major = u32::from_be_bytes(*version) & 0x00ff_ffff;
        let message = bytes.strip_prefix(TRAILER_MARK).and_then(delimited);
        if message.is_none() && matches!(major, 1 | 2) || (4..1000).contains(&major) {
            return Err(Halt::unknown(format!("HFile version {major}")));
        }
        need((major == 3).then_some(()), PART)?;
        let (message, _) = need(message, PART)?;
        let mut trailer = Trailer::default();
        let read = fields(message, |number, value| match number {
            1 => trailer.file_info = value.number(),
            2 => trailer.load_on_open = value.number(),
            5 => trailer.index_entries = value.number(),
            7 => trailer.cells = value.number(),
            8 => trailer.levels = value.number() as u32,
            9 => trailer.first_data = value.number(),
            10 => trailer.last_data = value.number(),
            12 => trailer.codec = value.number(),
            13 => trailer.is_encrypted = !value.bytes().is_empty(),
            _ => {}
        });
        need(read, PART)?;
        if trailer.is_encrypted {
            return Err(Halt::unknown("encryption of HFiles"));
        }
        let sound = trailer.load_on_open <= at && trailer.file_info <= at && trailer.levels <= DEEPEST;
        let sound = sound
            && (trailer.cells == 0 || trailer.first_data <= trailer.last_data && trailer.last_data < at);
        need(sound.then_some(trailer), PART)
    }

    /// Bytes of its data blocks, with the leaves of the index and the Bloom filter between them.
    pub fn data_bytes(&self) -> u64 {
        self.trailer.as_ref().map_or(0, |trailer| trailer.load_on_open.saturating_sub(trailer.first_data))
    }

    /// Hands on the cells of the next block. False when there are no more.
    pub fn cells(&mut self, feed: &mut Feed, take: &mut dyn FnMut(&Cell<'_>)) -> Result<bool, Halt> {
        let trailer = need(self.trailer.clone(), "the trailer")?;
        let end = trailer.load_on_open;
        while self.at < end && (trailer.cells > 0 && self.at <= trailer.last_data) {
            let at = self.at;
            let place = || format!("byte {at}");
            let head = header(&mut self.window, feed, at, end).map_err(|halt| halt.at(place))?;
            let encoding = match head.kind {
                BlockKind::Data => Some(BlockEncoding::None),
                BlockKind::EncodedData => None,
                _ => {
                    self.at += head.length;
                    continue;
                }
            };
            let count =
                self.block(feed, (&head, encoding), (at, end), take).map_err(|halt| halt.at(place))?;
            feed.read += count;
            self.at += head.length;
            return Ok(true);
        }
        Ok(false)
    }

    fn block(
        &mut self,
        feed: &mut Feed,
        (head, encoding): (&BlockHeader, Option<BlockEncoding>),
        place: (u64, u64),
        take: &mut dyn FnMut(&Cell<'_>),
    ) -> Result<u64, Halt> {
        let bytes = content(&mut self.window, feed, (head, self.codec), place)?;
        let (encoding, cells) = match encoding {
            Some(encoding) => (encoding, bytes.as_ref()),
            None => {
                let (number, cells) = need(bytes.split_first_chunk::<2>(), CELLS)?;
                let number = u16::from_be_bytes(*number);
                let unknown = || Halt::unknown(format!("data block encoding {number}"));
                (BlockEncoding::of(number).ok_or_else(unknown)?, cells)
            }
        };
        need(self.decoder.cells(encoding, cells, take), CELLS)
    }

    /// Hands on each entry of the leaves of a block of the index: the row of its key, which may be a shortened one between the rows of
    /// two blocks, and the bytes of its data block. False when there are no more.
    pub fn index(&mut self, feed: &mut Feed, take: &mut dyn FnMut(&[u8], u64)) -> Result<bool, Halt> {
        let trailer = need(self.trailer.clone(), "the trailer")?;
        let encoding = self.info.as_ref().map_or("", |info| info.index_encoding.as_str());
        if !matches!(encoding, "" | "NONE") {
            return Err(Halt::unknown(format!("index block encoding {encoding}")));
        }
        let size = feed.size.unwrap_or_default();
        let open =
            self.index.get_or_insert_with(|| vec![(trailer.load_on_open, size.saturating_sub(TRAILER), 1)]);
        let Some(&(at, end, depth)) = open.last() else { return Ok(false) };
        let head = header(&mut self.window, feed, at, end)?;
        let kinds: &[BlockKind] = match depth {
            1 => &[BlockKind::Root],
            _ => &[BlockKind::Leaf, BlockKind::Intermediate],
        };
        need(kinds.contains(&head.kind).then_some(()), INDEX)?;
        let bytes = content(&mut self.window, feed, (&head, self.codec), (at, end))?;
        let entries = if depth == 1 { root(&bytes, trailer.index_entries) } else { inner(&bytes) };
        let entries = need(entries, INDEX)?;
        let is_leaf = head.kind == BlockKind::Leaf || depth == 1 && trailer.levels <= 1;
        need((is_leaf || depth < trailer.levels.max(1)).then_some(()), INDEX)?;
        open.pop();
        for (place, length, key) in &entries {
            let (place, length) = (*place, u64::from(*length));
            let stop = need(place.checked_add(length.max(HEADER)).filter(|&stop| stop <= size), INDEX)?;
            if is_leaf {
                take(need(row_of(key), INDEX)?, length);
            } else {
                open.push((place, stop, depth + 1));
            }
        }
        if !is_leaf {
            // The first child comes next.
            let children = entries.len();
            let from = open.len() - children;
            open.get_mut(from..).unwrap_or_default().reverse();
        }
        Ok(true)
    }
}

/// An entry of the index: where a block lies, its bytes, and its first key.
type IndexEntry<'a> = (u64, u32, &'a [u8]);

/// Entries of the root, each with the length of its key.
fn root(bytes: &[u8], count: u64) -> Option<Vec<IndexEntry<'_>>> {
    // An entry has 13 bytes at least.
    (count <= bytes.len() as u64 / 13).then_some(())?;
    let mut cursor = Cursor::new(bytes);
    let entry = |_| {
        let (place, length) = (u64::from_be_bytes(cursor.array()?), u32::from_be_bytes(cursor.array()?));
        let key = usize::try_from(cursor.hadoop_number()?).ok()?;
        Some((place, length, cursor.take(key)?))
    };
    (0..count).map(entry).collect()
}

/// Entries of another block, behind a list of where each begins.
fn inner(bytes: &[u8]) -> Option<Vec<IndexEntry<'_>>> {
    let mut cursor = Cursor::new(bytes);
    let count = cursor.length()?;
    (count <= bytes.len() / 16).then_some(())?;
    let mut starts = Cursor::new(cursor.take(4 * (count + 1))?);
    let mut start = starts.length()?;
    let entries = cursor.rest();
    let mut found = Vec::with_capacity(count);
    for _ in 0..count {
        let end = starts.length()?;
        let mut entry = Cursor::new(entries.get(start..end)?);
        let (place, length) = (u64::from_be_bytes(entry.array()?), u32::from_be_bytes(entry.array()?));
        found.push((place, length, entry.rest()));
        start = end;
    }
    Some(found)
}

/// The row of a key.
fn row_of(key: &[u8]) -> Option<&[u8]> {
    let (length, rest) = key.split_first_chunk::<ROW_LENGTH>()?;
    rest.get(..usize::from(u16::from_be_bytes(*length)))
}

/// The codec by its number in the trailer; HBase's own codecs write the framing of Hadoop.
fn codec(number: u64) -> Result<Codec, Halt> {
    const NAMES: [&str; 9] = ["LZO", "GZ", "NONE", "SNAPPY", "LZ4", "BZIP2", "ZSTD", "LZMA", "BROTLI"];
    Ok(match number {
        1 => Codec::Gzip,
        2 => Codec::Plain,
        3 => Codec::SnappyHadoop,
        4 => Codec::Lz4Hadoop,
        6 => Codec::ZstdHadoop,
        _ => {
            let name = usize::try_from(number).ok().and_then(|number| NAMES.get(number));
            return Err(Halt::unknown(
                name.map_or_else(|| format!("compression {number}"), |name| format!("compression {name}")),
            ));
        }
    })
}

/// The name that HBase has for a codec.
const fn compression(codec: u64) -> &'static str {
    match codec {
        1 => "GZ",
        3 => "SNAPPY",
        4 => "LZ4",
        6 => "ZSTD",
        _ => "NONE",
    }
}

/// The facts of a file, and the form of its cells. `None` when it is damaged.
fn info(bytes: &[u8], trailer: &Trailer) -> Option<(HFileInfo, CellForm)> {
    let mut info = HFileInfo {
        cells: trailer.cells,
        compression: compression(trailer.codec),
        encoding: BlockEncoding::None.name().to_owned(),
        index_levels: trailer.levels,
        ..HFileInfo::default()
    };
    let mut form = CellForm::default();
    let mut sound = Some(());
    fields(marked(bytes)?, |number, value| {
        if number == 1 {
            sound = sound.and_then(|()| entry(value.bytes(), &mut info, &mut form));
        }
    })?;
    // A range that begins at 0 was open when a delete of all times came.
    if let (Some((from @ 0, _)), Some(first)) = (&mut info.times, info.first_put) {
        *from = first;
    }
    sound.map(|()| (info, form))
}

/// Takes down a fact, of its name and its value.
fn entry(pair: &[u8], info: &mut HFileInfo, form: &mut CellForm) -> Option<()> {
    let (mut name, mut value) = (&[][..], &[][..]);
    fields(pair, |number, field| match number {
        1 => name = field.bytes(),
        2 => value = field.bytes(),
        _ => {}
    })?;
    let number = || value.first_chunk::<8>().map(|bytes| i64::from_be_bytes(*bytes));
    match name {
        b"hfile.LASTKEY" => {
            info.last_row = row_of(value).map(<[u8]>::to_vec);
            info.family = Cell::of_key(value, 0, 0).map(|cell| cell.family.to_vec());
        }
        b"hfile.CREATE_TIME_TS" => info.created = number(),
        b"hfile.MAX_TAGS_LEN" => form.has_tags = true,
        b"hfile.TAGS_COMPRESSED" => form.tags_are_packed = value.first().is_some_and(|&byte| byte != 0),
        b"KEY_VALUE_VERSION" => form.has_sequence = value == [0, 0, 0, 1],
        b"DATA_BLOCK_ENCODING" => info.encoding = String::from_utf8_lossy(value).into_owned(),
        b"EARLIEST_PUT_TS" => info.first_put = number(),
        b"TIMERANGE" => info.times = time_range(value),
        b"INDEX_BLOCK_ENCODING" => info.index_encoding = String::from_utf8_lossy(value).into_owned(),
        b"MOB_CELLS_COUNT" => info.is_mob = number().is_some_and(|cells| cells > 0),
        b"MAX_SEQ_ID_KEY" => info.sequence = number(),
        b"BULKLOAD_TIMESTAMP" => info.bulk_loaded = number(),
        b"MAJOR_COMPACTION_KEY" => info.major = value.first().is_some_and(|&byte| byte != 0),
        b"COMPACTION_EVENT_KEY" => {
            // A message, behind a mark or not.
            let message = marked(value).or_else(|| value.strip_prefix(super::message::MARK)).unwrap_or(value);
            fields(message, |number, field| {
                if number == 1 {
                    info.compacted.push(String::from_utf8_lossy(field.bytes()).into_owned());
                }
            });
        }
        _ => {}
    }
    Some(())
}

/// The first and the last time: a message behind a mark, or two numbers as older versions have them.
fn time_range(value: &[u8]) -> Option<(i64, i64)> {
    let Some(message) = value.strip_prefix(super::message::MARK) else {
        let mut cursor = Cursor::new(value);
        let range = (i64::from_be_bytes(cursor.array()?), i64::from_be_bytes(cursor.array()?));
        return (range.0 <= range.1).then_some(range);
    };
    let (mut from, mut to) = (None, None);
    fields(message, |number, field| match number {
        1 => from = Some(field.number() as i64),
        2 => to = Some(field.number() as i64),
        _ => {}
    })?;
    let range = (from?, to?);
    (range.0 <= range.1).then_some(range)
}
