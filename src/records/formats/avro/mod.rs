//! Avro's object container files: a header with the schema, then blocks of records.

mod schema;

use super::bytes::Cursor;
use super::codec::Codec;
use super::feed::{Feed, Halt, Window, need};
use super::table::{Chosen, Table};
use super::text::{ROWS as PORTION, end_record, field};
use super::value::{Meaning, Stored};
use crate::base::limits::{TABLE_FOOTER, TABLE_PIECE};
use schema::{Node, Schema, schema};
use std::ops::Range;

/// A file begins with it.
const MAGIC: &[u8] = b"Obj\x01";
/// Bytes between two blocks.
const SYNC: usize = 16;
/// Bytes read ahead.
const AHEAD: u64 = 1 << 20;
/// Bytes of the two numbers before a block.
const BLOCK_HEAD: u64 = 20;
/// Bytes of texts of a portion.
const BYTES: usize = 4 << 20;
/// Records within each other, as data can have them.
const DEEPEST: u32 = 64;
/// Bytes of the text of a schema.
const LONGEST_SCHEMA: usize = 1 << 20;
const HEADER: &str = "the header";
const VALUES: &str = "the values";

/// Reads an object container file.
#[derive(Debug)]
pub struct AvroFile {
    window: Window,
    schema: Schema,
    codec: Codec,
    sync: [u8; SYNC],
    /// Where the next block begins.
    at: u64,
    /// Where the value of each column of the schema stands in a record that is written; `None` of those that are not wanted.
    wanted: Vec<Option<(usize, bool)>>,
    width: usize,
    block: Option<Block>,
    /// Number of the block.
    number: u64,
}

#[derive(Debug)]
struct Block {
    bytes: Vec<u8>,
    at: usize,
    left: u64,
}

impl Default for AvroFile {
    fn default() -> Self {
        Self {
            window: Window::new(AHEAD),
            schema: Schema::default(),
            codec: Codec::Plain,
            sync: [0; SYNC],
            at: 0,
            wanted: Vec::new(),
            width: 0,
            block: None,
            number: 0,
        }
    }
}

impl AvroFile {
    /// Reads the header.
    pub fn open(&mut self, feed: &mut Feed) -> Result<Table, Halt> {
        // Its length is not stated: more is read until it is whole.
        let mut least = AHEAD;
        let (header, length) = loop {
            let bytes = self.window.rest(feed, 0, least, least)?;
            match header(bytes) {
                Some(header) => break header,
                None if (bytes.len() as u64) < least => return Err(Halt::broken(HEADER)),
                None if least > TABLE_FOOTER.most => return Err(Halt::limit(&TABLE_FOOTER, least)),
                None => least *= 8,
            }
        };
        self.codec = match header.codec.as_slice() {
            b"" | b"null" => Codec::Plain,
            b"deflate" => Codec::Deflate,
            b"snappy" => Codec::SnappyChecked,
            b"zstandard" => Codec::Zstd,
            other => return Err(Halt::unknown(format!("codec {}", String::from_utf8_lossy(other)))),
        };
        self.sync = header.sync;
        self.at = length as u64;
        if header.schema.len() > LONGEST_SCHEMA {
            return Err(Halt::unknown("a schema of more than 1 MiB"));
        }
        self.schema = need(schema(&header.schema), "the schema")?;
        self.schema.columns.sound()?;
        Ok(Table { columns: self.schema.columns.clone(), ..Table::default() })
    }

    /// Reads only these columns.
    pub fn choose(&mut self, chosen: Vec<Chosen>) {
        self.wanted = vec![None; self.schema.columns.read.len()];
        self.width = chosen.len();
        for (place, chosen) in chosen.iter().enumerate() {
            if let Some(wanted) = self.wanted.get_mut(chosen.column) {
                *wanted = Some((place, chosen.as_text));
            }
        }
        let wanted = &self.wanted;
        if let Some(root) = &mut self.schema.root {
            root.drop_empty(&|column| wanted.get(column).is_some_and(Option::is_some));
        }
    }

    /// The next records; `None` at the end.
    pub fn records(&mut self, feed: &mut Feed) -> Result<Option<Vec<u8>>, Halt> {
        loop {
            if self.block.as_ref().is_some_and(|block| block.left > 0) {
                let read = self.read_block(feed);
                return read.map(Some).map_err(|halt| halt.at(|| format!("block {}", self.number)));
            }
            if let Some(block) = self.block.take() {
                feed.held = feed.held.saturating_sub(block.bytes.len() as u64);
                need((block.at == block.bytes.len()).then_some(()), VALUES)
                    .map_err(|halt| halt.at(|| format!("block {}", self.number)))?;
            }
            let next = self.next_block(feed);
            if !next.map_err(|halt| halt.at(|| format!("block {}", self.number + 1)))? {
                return Ok(None);
            }
        }
    }

    /// Goes on to the next block. False when there is none.
    fn next_block(&mut self, feed: &mut Feed) -> Result<bool, Halt> {
        const PART: &str = "a block";
        let bytes = self.window.rest(feed, self.at, BLOCK_HEAD, u64::MAX)?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let mut cursor = Cursor::new(bytes);
        let count = need(cursor.zigzag().and_then(|count| u64::try_from(count).ok()), PART)?;
        let length = need(cursor.zigzag().and_then(|length| u64::try_from(length).ok()), PART)?;
        let head = cursor.at() as u64;
        if length > TABLE_PIECE.most {
            return Err(Halt::limit(&TABLE_PIECE, length));
        }
        let whole = head + length + SYNC as u64;
        let bytes = self.window.get(feed, self.at, whole, u64::MAX)?;
        let (block, sync) = need(bytes.split_last_chunk::<SYNC>(), PART)?;
        need((*sync == self.sync).then_some(()), "the mark behind a block")?;
        let bytes = feed.unpack(self.codec, block.get(head as usize..).unwrap_or_default(), None)?;
        feed.hold(0, bytes.len())?;
        self.at += whole;
        feed.state(count, self.at)?;
        self.number += 1;
        self.block = Some(Block { bytes, at: 0, left: count });
        Ok(true)
    }

    /// The next records of the block.
    fn read_block(&mut self, feed: &mut Feed) -> Result<Vec<u8>, Halt> {
        let (Some(block), Some(root)) = (&mut self.block, &self.schema.root) else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        let mut row = Row {
            cursor: Cursor::from(&block.bytes, block.at),
            schema: &self.schema,
            wanted: &self.wanted,
            texts: Vec::new(),
            places: vec![0..0; self.width],
            depth: 0,
        };
        let mut rows = 0;
        while block.left > 0 && rows < PORTION && out.len() < BYTES {
            row.read(root)?;
            // One value can be a long text of a few bytes.
            if row.texts.len() as u64 > feed.room() {
                return Err(feed.full(feed.held + row.texts.len() as u64));
            }
            row.write(&mut out);
            block.left -= 1;
            rows += 1;
        }
        feed.read += rows as u64;
        block.at = row.cursor.at();
        Ok(out)
    }
}

struct Header {
    schema: Vec<u8>,
    codec: Vec<u8>,
    sync: [u8; SYNC],
}

/// The header and its length; `None` when it is damaged or not whole.
fn header(bytes: &[u8]) -> Option<(Header, usize)> {
    let mut cursor = Cursor::new(bytes);
    (cursor.take(MAGIC.len())? == MAGIC).then_some(())?;
    let (mut schema, mut codec) = (None, Vec::new());
    loop {
        let mut count = cursor.zigzag()?;
        if count == 0 {
            break;
        }
        if count < 0 {
            count = count.checked_neg()?;
            cursor.zigzag()?;
        }
        for _ in 0..count {
            let (key, value) = (cursor.sized_signed()?, cursor.sized_signed()?);
            match key {
                b"avro.schema" => schema = Some(value.to_vec()),
                b"avro.codec" => codec = value.to_vec(),
                _ => {}
            }
        }
    }
    let sync = cursor.array()?;
    Some((Header { schema: schema?, codec, sync }, cursor.at()))
}

impl<'a> Cursor<'a> {
    /// As many bytes as a number with a sign before them says.
    fn sized_signed(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.zigzag()?).ok()?;
        self.take(length)
    }
}

/// A record on its way from its bytes to its texts.
struct Row<'a> {
    cursor: Cursor<'a>,
    schema: &'a Schema,
    wanted: &'a [Option<(usize, bool)>],
    texts: Vec<u8>,
    /// Where the text of each wanted column is.
    places: Vec<Range<usize>>,
    depth: u32,
}

impl Row<'_> {
    /// Reads the next record.
    fn read(&mut self, root: &Node) -> Result<(), Halt> {
        self.texts.clear();
        self.places.fill(0..0);
        self.value(root)
    }

    fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        for (at, place) in self.places.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            out.extend_from_slice(self.texts.get(place.clone()).unwrap_or_default());
        }
        end_record(out, start);
    }

    fn value(&mut self, node: &Node) -> Result<(), Halt> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Halt::broken(VALUES));
        }
        match node {
            Node::Column(column, meaning, node) => match self.wanted.get(*column).copied().flatten() {
                Some((place, as_text)) => self.column(place, *meaning, as_text, node)?,
                None => self.value(node)?,
            },
            Node::Record(fields) => fields.iter().try_for_each(|field| self.value(field))?,
            Node::Union(branches) => {
                let branch = self.cursor.zigzag().and_then(|branch| usize::try_from(branch).ok());
                let branch = branch.and_then(|branch| branches.get(branch));
                self.value(need(branch, VALUES)?)?;
            }
            Node::Array(items) => self.items(items, false)?,
            Node::Map(values) => self.items(values, true)?,
            Node::Named(name) => {
                let schema = self.schema;
                self.value(need(schema.named.get(name), VALUES)?)?;
            }
            Node::Null => {}
            _ => drop(self.plain(node)?),
        }
        self.depth -= 1;
        Ok(())
    }

    /// Passes over the items of an array or a map.
    fn items(&mut self, node: &Node, with_keys: bool) -> Result<(), Halt> {
        loop {
            let count = need(self.cursor.zigzag(), VALUES)?;
            if count == 0 {
                return Ok(());
            }
            if count < 0 {
                let length = self.cursor.zigzag().and_then(|length| usize::try_from(length).ok());
                need(length.and_then(|length| self.cursor.take(length)), VALUES)?;
                continue;
            }
            // Any number of them is passed over at once.
            if node.is_empty() && !with_keys {
                continue;
            }
            for _ in 0..count {
                if with_keys {
                    need(self.cursor.sized_signed(), VALUES)?;
                }
                self.value(node)?;
            }
        }
    }

    fn column(&mut self, place: usize, meaning: Meaning, as_text: bool, node: &Node) -> Result<(), Halt> {
        let start = self.texts.len();
        if *node != Node::Null {
            let value = self.plain(node)?;
            field(meaning, value, as_text, &mut self.texts)?;
        }
        if let Some(place) = self.places.get_mut(place) {
            *place = start..self.texts.len();
        }
        Ok(())
    }
}

impl<'a> Row<'a> {
    /// A value that is neither null nor made of others.
    fn plain<'n: 'v, 'v>(&mut self, node: &'n Node) -> Result<Stored<'v>, Halt>
    where
        'a: 'v,
    {
        let cursor = &mut self.cursor;
        let value = match node {
            Node::Boolean => cursor.byte().map(|byte| Stored::Boolean(byte != 0)),
            Node::Number => cursor.zigzag().map(Stored::Integer),
            Node::Float => cursor.array().map(|bytes| Stored::Float(f32::from_le_bytes(bytes))),
            Node::Double => cursor.array().map(|bytes| Stored::Double(f64::from_le_bytes(bytes))),
            Node::Bytes | Node::Text => cursor.sized_signed().map(Stored::Bytes),
            Node::Fixed(length) => cursor.take(*length).map(Stored::Bytes),
            Node::Enum(symbols) => {
                let place = cursor.zigzag().and_then(|place| usize::try_from(place).ok());
                place.and_then(|place| symbols.get(place)).map(|symbol| Stored::Bytes(symbol.as_bytes()))
            }
            _ => None,
        };
        need(value, VALUES)
    }
}
