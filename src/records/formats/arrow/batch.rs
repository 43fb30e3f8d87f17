//! A record batch: which buffers the wanted columns have, and the values in them.

use super::super::bytes::{Cursor, bits_at};
use super::super::codec::Codec;
use super::super::feed::{Feed, Halt, Window, need};
use super::super::text::Texts;
use super::super::value::{Meaning, Stored};
use super::flat::Flat;
use super::schema::{Layout, Slot};
use std::collections::BTreeMap;

const PART: &str = "the metadata of a record batch";
const BUFFER: &str = "a buffer";

/// Where the buffers of a field are among those of a batch.
#[derive(Clone, Copy, Debug)]
struct Places {
    /// The bits of values that are there.
    validity: Option<usize>,
    /// The first of the others.
    first: usize,
    /// How many there are beside the first: of views.
    more: usize,
}

/// A record batch on its way in.
#[derive(Debug)]
pub struct Batch {
    pub rows: usize,
    places: Vec<Places>,
    /// Where each buffer begins in the file, and how many bytes it has.
    buffers: Vec<(u64, u64)>,
    codec: Codec,
    /// Where the body ends.
    pub end: u64,
    /// The buffers that are needed, by their places.
    loaded: BTreeMap<usize, Vec<u8>>,
}

impl Batch {
    /// Reads what a message says of a batch of these fields, whose buffers begin at `body` of the file.
    pub fn new(table: Flat<'_>, slots: &[Slot], body: u64, length: u64) -> Result<Self, Halt> {
        let rows = table.long(0).unwrap_or_default();
        let rows = need(u64::try_from(rows).ok(), PART)?;
        let codec = match table.table(3) {
            None => Codec::Plain,
            Some(packing) => match packing.byte(0).unwrap_or_default() {
                0 => Codec::Lz4Frame,
                1 => Codec::Zstd,
                other => return Err(Halt::unknown(format!("codec {other}"))),
            },
        };
        let end = need(body.checked_add(length), PART)?;
        let buffer = |mut cursor: Cursor<'_>| {
            let offset = u64::from_le_bytes(cursor.array()?);
            let length = u64::from_le_bytes(cursor.array()?);
            let start = body.checked_add(offset)?;
            (start.checked_add(length)? <= end).then_some((start, length))
        };
        let buffers = table.structs(2, 16).and_then(|list| list.map(buffer).collect::<Option<Vec<_>>>());
        let buffers = need(buffers, PART)?;
        let nodes =
            table.structs(1, 16).map(|list| list.map(|mut node| node.array().map(u64::from_le_bytes)));
        let nodes: Vec<Option<u64>> = need(nodes, PART)?.collect();
        let views =
            table.structs(4, 8).map(|list| list.map(|mut count| count.array().map(u64::from_le_bytes)));
        let mut views = need(views, PART)?;
        let (mut next, mut places) = (0usize, Vec::new());
        for slot in slots {
            let validity = slot.has_validity.then_some(next);
            let first = next + usize::from(slot.has_validity);
            let more = if slot.layout == Layout::Views {
                need(views.next().flatten().and_then(|count| usize::try_from(count).ok()), PART)?
            } else {
                0
            };
            places.push(Places { validity, first, more });
            next =
                need(first.checked_add(slot.layout.buffers()).and_then(|next| next.checked_add(more)), PART)?;
        }
        // Fields that stand elsewhere than thought would be read from other buffers.
        need((next == buffers.len() && nodes.len() == slots.len()).then_some(()), PART)?;
        // Lists have more or fewer values than there are rows; what is read has one of each.
        // Those within a struct may have some that it passes over.
        let mut flat = slots.iter().zip(&nodes).filter(|(slot, _)| slot.is_flat);
        let fits = flat.all(|(slot, node)| {
            node.is_some_and(|values| values == rows || slot.parent.is_some() && values > rows)
        });
        need(fits.then_some(()), "the number of values")?;
        let rows = need(usize::try_from(rows).ok(), PART)?;
        Ok(Self { rows, places, buffers, codec, end, loaded: BTreeMap::new() })
    }

    /// Reads the buffers of a field that are not at hand yet.
    pub fn load(
        &mut self,
        slots: &[Slot],
        slot: usize,
        window: &mut Window,
        feed: &mut Feed,
    ) -> Result<(), Halt> {
        let mut wanted: Vec<usize> =
            with_parents(slots, slot).filter_map(|at| self.places.get(at)?.validity).collect();
        let (places, layout) = need(self.places.get(slot).zip(slots.get(slot)), PART)?;
        wanted.extend(places.first..places.first + layout.layout.buffers() + places.more);
        for place in wanted {
            if self.loaded.contains_key(&place) {
                continue;
            }
            let &(start, length) = need(self.buffers.get(place), PART)?;
            let stored = window.get(feed, start, length, self.end)?;
            let bytes = unpacked(feed, stored, self.codec)?;
            feed.hold(0, bytes.len())?;
            self.loaded.insert(place, bytes);
        }
        Ok(())
    }

    /// Gives back its memory.
    pub fn end(self, feed: &mut Feed) {
        let held: usize = self.loaded.values().map(Vec::len).sum();
        feed.held = feed.held.saturating_sub(held as u64);
    }

    fn buffer(&self, place: usize) -> &[u8] {
        self.loaded.get(&place).map(Vec::as_slice).unwrap_or_default()
    }

    /// True if a row has a value: neither it nor what is around it is missing.
    fn is_there(&self, slots: &[Slot], slot: usize, row: usize) -> Result<bool, Halt> {
        for at in with_parents(slots, slot) {
            let Some(validity) = self.places.get(at).and_then(|places| places.validity) else { continue };
            let bits = self.buffer(validity);
            // Without bits nothing is missing.
            if !bits.is_empty() && need(bits_at(bits, row, 1), BUFFER)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Appends the text of a row of a field whose buffers are loaded.
    pub fn push(
        &self,
        (slots, slot): (&[Slot], usize),
        row: usize,
        (meaning, as_text): (Meaning, bool),
        dictionary: Option<&Texts>,
        texts: &mut Texts,
    ) -> Result<(), Halt> {
        let (found, places) = need(slots.get(slot).zip(self.places.get(slot)), PART)?;
        if found.layout == Layout::Nothing || !self.is_there(slots, slot, row)? {
            texts.push_missing();
            return Ok(());
        }
        if found.dictionary.is_some() {
            let Layout::Fixed(width) = found.layout else { return Err(Halt::broken(BUFFER)) };
            let bytes = self.fixed(places.first, width, row);
            let place = bytes.and_then(|bytes| usize::try_from(whole(bytes, found.is_signed)?).ok());
            let text = dictionary.zip(place).and_then(|(dictionary, place)| dictionary.get(place));
            texts.push_text(need(text, "the places in the dictionary")?);
            return Ok(());
        }
        let bytes = match found.layout {
            Layout::Bits => {
                let bit = need(bits_at(self.buffer(places.first), row, 1), BUFFER)?;
                return texts.push(meaning, Stored::Boolean(bit == 1), as_text);
            }
            Layout::Fixed(width) => self.fixed(places.first, width, row),
            Layout::Offsets(width) => self.between(*places, width, row),
            Layout::Views => self.viewed(*places, row),
            Layout::Nothing | Layout::Struct | Layout::Other(_) => None,
        };
        let bytes = need(bytes, BUFFER)?;
        let turned: Vec<u8>;
        let value = match meaning {
            Meaning::Text | Meaning::Binary | Meaning::Uuid | Meaning::Half => Stored::Bytes(bytes),
            Meaning::Float => match <[u8; 4]>::try_from(bytes) {
                Ok(bytes) => Stored::Float(f32::from_le_bytes(bytes)),
                Err(_) => {
                    let bytes: Option<[u8; 8]> = bytes.try_into().ok();
                    Stored::Double(f64::from_le_bytes(need(bytes, BUFFER)?))
                }
            },
            Meaning::Decimal(_) => {
                turned = bytes.iter().rev().copied().collect();
                Stored::Bytes(&turned)
            }
            _ => Stored::Integer(need(whole(bytes, found.is_signed), BUFFER)?),
        };
        texts.push(meaning, value, as_text)
    }

    fn fixed(&self, buffer: usize, width: usize, row: usize) -> Option<&[u8]> {
        let start = row.checked_mul(width)?;
        self.buffer(buffer).get(start..start.checked_add(width)?)
    }

    /// The bytes between two offsets.
    fn between(&self, places: Places, width: usize, row: usize) -> Option<&[u8]> {
        let offset = |row: usize| usize::try_from(whole(self.fixed(places.first, width, row)?, true)?).ok();
        self.buffer(places.first + 1).get(offset(row)?..offset(row + 1)?)
    }

    /// The bytes of a view: within it when they are few, else in another buffer.
    fn viewed(&self, places: Places, row: usize) -> Option<&[u8]> {
        let view = self.fixed(places.first, 16, row)?;
        let number = |at: usize| usize::try_from(whole(view.get(at..at + 4)?, true)?).ok();
        let length = number(0)?;
        if length <= 12 {
            return view.get(4..4 + length);
        }
        let (buffer, offset) = (number(8)?, number(12)?);
        if buffer >= places.more {
            return None;
        }
        self.buffer(places.first + 1 + buffer).get(offset..offset.checked_add(length)?)
    }
}

/// The place of a field and those of the fields around it.
fn with_parents(slots: &[Slot], slot: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(slot), |&at| slots.get(at)?.parent)
}

impl Layout {
    /// Buffers beside the one of what is missing, and those of views.
    pub const fn buffers(self) -> usize {
        match self {
            Self::Nothing | Self::Struct => 0,
            Self::Bits | Self::Fixed(_) | Self::Views => 1,
            Self::Offsets(_) => 2,
            Self::Other(count) => count,
        }
    }
}

/// A whole number of 1 to 8 bytes, the lowest first.
fn whole(bytes: &[u8], is_signed: bool) -> Option<i64> {
    if bytes.is_empty() || bytes.len() > 8 {
        return None;
    }
    let negative = is_signed && bytes.last().is_some_and(|&last| last >= 0x80);
    let value = bytes
        .iter()
        .rev()
        .fold(if negative { -1i64 } else { 0 }, |value, &byte| value << 8 | i64::from(byte));
    Some(value)
}

/// A buffer, unpacked: its size unpacked stands before it, or -1 where it is not packed.
fn unpacked(feed: &mut Feed, stored: &[u8], codec: Codec) -> Result<Vec<u8>, Halt> {
    if codec == Codec::Plain || stored.is_empty() {
        return Ok(stored.to_vec());
    }
    let (size, packed) = need(stored.split_first_chunk::<8>(), BUFFER)?;
    match i64::from_le_bytes(*size) {
        -1 => Ok(packed.to_vec()),
        size => feed.unpack(codec, packed, Some(need(usize::try_from(size).ok(), BUFFER)?)),
    }
}
