//! The values of a page, one by one, in any encoding.

use super::super::bytes::{Cursor, bits_at};
use super::super::feed::{Halt, need};
use super::super::text::Texts;
use super::super::value::{Meaning, Stored};
use super::delta::Delta;
use super::hybrid::Hybrid;
use super::schema::Physical;
use crate::base::limits::RECORD_BYTES;

const PART: &str = "the values";

/// How the values of a column become texts.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub physical: Physical,
    pub meaning: Meaning,
    /// Bytes of no type are text.
    pub as_text: bool,
}

/// Reads the values of a page one by one.
#[derive(Debug)]
pub struct Values {
    bytes: Vec<u8>,
    /// The next byte; of truths the next bit, of values in split bytes the next value.
    at: usize,
    encoding: Encoding,
}

#[derive(Debug)]
enum Encoding {
    Plain,
    /// Places in the dictionary.
    Dictionary(Hybrid),
    Truths(Hybrid),
    Delta(Delta),
    /// Lengths, then the bytes of all texts, of which the next begins at `at`.
    Lengths(Delta),
    /// How many bytes a text shares with the one before, the lengths of the others, and those.
    Shared {
        shared: Delta,
        lengths: Delta,
        start: usize,
        before: Vec<u8>,
    },
    /// All first bytes of so many values, then all second ones.
    Split {
        count: usize,
    },
}

const PLAIN: i64 = 0;
const PLAIN_DICTIONARY: i64 = 2;
const RLE: i64 = 3;
const DELTA_BINARY_PACKED: i64 = 5;
const DELTA_LENGTH_BYTE_ARRAY: i64 = 6;
const DELTA_BYTE_ARRAY: i64 = 7;
const RLE_DICTIONARY: i64 = 8;
const BYTE_STREAM_SPLIT: i64 = 9;

impl Values {
    /// The values of a page in an encoding, from `at` in its bytes on.
    pub fn new(mut bytes: Vec<u8>, at: usize, encoding: i64, reading: Reading) -> Result<Self, Halt> {
        bytes.drain(..at.min(bytes.len()));
        let is_bytes = matches!(reading.physical, Physical::Bytes | Physical::Fixed(_));
        let is_number = matches!(reading.physical, Physical::Int32 | Physical::Int64);
        let from_start = |encoding: Option<Encoding>| encoding.map(|encoding| (encoding, 0));
        let found = match encoding {
            PLAIN => Some((Encoding::Plain, 0)),
            PLAIN_DICTIONARY | RLE_DICTIONARY => {
                let (&bits, places) = bytes.split_first().unwrap_or((&0, &[]));
                from_start(Hybrid::new(places.to_vec(), u32::from(bits)).map(Encoding::Dictionary))
            }
            RLE if reading.physical == Physical::Boolean => from_start(sized_truths(&bytes)),
            DELTA_BINARY_PACKED if is_number => from_start(Delta::new(&bytes).map(Encoding::Delta)),
            DELTA_LENGTH_BYTE_ARRAY if is_bytes => lengths(&bytes),
            DELTA_BYTE_ARRAY if is_bytes => shared(&bytes),
            BYTE_STREAM_SPLIT => reading.physical.width().map(|width| {
                let count = bytes.len() / width.max(1);
                (Encoding::Split { count }, 0)
            }),
            other => return Err(Halt::unknown(format!("encoding {other}"))),
        };
        let (encoding, at) = need(found, PART)?;
        Ok(Self { bytes, at, encoding })
    }

    /// Bytes it holds.
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Appends the texts of the next `count` values, at least one, until `texts` are as long as `most` bytes. Returns how many.
    pub fn read(
        &mut self,
        count: u64,
        reading: Reading,
        dictionary: Option<&Texts>,
        texts: &mut Texts,
        most: usize,
    ) -> Result<u64, Halt> {
        let mut read = 0;
        while read < count && (read == 0 || texts.length() < most) {
            if let Encoding::Dictionary(places) = &mut self.encoding {
                let (place, equal) = need(places.next(count - read), PART)?;
                let text = dictionary.and_then(|dictionary| dictionary.get(place as usize));
                let text = need(text, "the places in the dictionary")?;
                let room = most.saturating_sub(texts.length()).checked_div(text.len()).unwrap_or(usize::MAX);
                let taken = equal.min((room as u64).saturating_add(1));
                (0..taken).for_each(|_| texts.push_text(text));
                places.put_back(equal - taken);
                read += taken;
            } else {
                self.one(reading, texts)?;
                read += 1;
            }
        }
        Ok(read)
    }

    fn one(&mut self, reading: Reading, texts: &mut Texts) -> Result<(), Halt> {
        let Reading { physical, meaning, as_text } = reading;
        let held: Vec<u8>;
        let value = match &mut self.encoding {
            Encoding::Plain if physical == Physical::Boolean => {
                let bit = bits_at(&self.bytes, self.at, 1);
                self.at += 1;
                Stored::Boolean(need(bit, PART)? == 1)
            }
            Encoding::Plain => {
                let mut cursor = Cursor::from(&self.bytes, self.at);
                let bytes = match physical.width() {
                    Some(width) => cursor.take(width),
                    None => {
                        cursor.array().and_then(|length| cursor.take(u32::from_le_bytes(length) as usize))
                    }
                };
                self.at = cursor.at();
                stored(physical, need(bytes, PART)?)
            }
            Encoding::Truths(truths) => Stored::Boolean(need(truths.next(1), PART)?.0 == 1),
            Encoding::Delta(numbers) => {
                let number = need(numbers.next(&self.bytes), PART)?;
                let number = if physical == Physical::Int32 { i64::from(number as i32) } else { number };
                Stored::Integer(number)
            }
            Encoding::Split { count } => {
                let width = physical.width().unwrap_or_default();
                // Behind the last value lie bytes of the first again.
                need((self.at < *count).then_some(()), PART)?;
                let bytes = (0..width).map(|byte| self.bytes.get(byte * *count + self.at).copied());
                held = need(bytes.collect(), PART)?;
                self.at += 1;
                stored(physical, &held)
            }
            Encoding::Lengths(_) | Encoding::Shared { .. } => {
                held = need(self.next_text(), PART)?;
                Stored::Bytes(&held)
            }
            Encoding::Dictionary(_) => return Err(Halt::broken(PART)),
        };
        texts.push(meaning, value, as_text)
    }

    /// The next text of those whose lengths are written apart.
    fn next_text(&mut self) -> Option<Vec<u8>> {
        match &mut self.encoding {
            Encoding::Lengths(lengths) => {
                let length = usize::try_from(lengths.next(&self.bytes)?).ok()?;
                let mut cursor = Cursor::from(&self.bytes, self.at);
                let text = cursor.take(length)?.to_vec();
                self.at = cursor.at();
                Some(text)
            }
            Encoding::Shared { shared, lengths, start, before } => {
                let kept = usize::try_from(shared.next(&self.bytes)?).ok()?;
                let length = usize::try_from(lengths.next(self.bytes.get(*start..)?)?).ok()?;
                let mut cursor = Cursor::from(&self.bytes, self.at);
                let rest = cursor.take(length)?;
                self.at = cursor.at();
                if kept > before.len() || (kept + length) as u64 > RECORD_BYTES.most {
                    return None;
                }
                before.truncate(kept);
                before.extend_from_slice(rest);
                Some(before.clone())
            }
            _ => None,
        }
    }
}

/// A value of its bytes, the lowest first.
pub fn stored(physical: Physical, bytes: &[u8]) -> Stored<'_> {
    match (physical, bytes.first_chunk::<4>(), bytes.first_chunk::<8>()) {
        (Physical::Int32, Some(bytes), _) => Stored::Integer(i64::from(i32::from_le_bytes(*bytes))),
        (Physical::Float, Some(bytes), _) => Stored::Float(f32::from_le_bytes(*bytes)),
        (Physical::Int64, _, Some(bytes)) => Stored::Integer(i64::from_le_bytes(*bytes)),
        (Physical::Double, _, Some(bytes)) => Stored::Double(f64::from_le_bytes(*bytes)),
        _ => Stored::Bytes(bytes),
    }
}

/// Truths behind the length of their bytes.
fn sized_truths(bytes: &[u8]) -> Option<Encoding> {
    let mut cursor = Cursor::new(bytes);
    let length = u32::from_le_bytes(cursor.array()?) as usize;
    Hybrid::new(cursor.take(length)?.to_vec(), 1).map(Encoding::Truths)
}

/// Lengths, and where the texts begin behind them.
fn lengths(bytes: &[u8]) -> Option<(Encoding, usize)> {
    let end = Delta::new(bytes)?.end(bytes)?;
    Some((Encoding::Lengths(Delta::new(bytes)?), end))
}

/// Texts that share bytes with those before them, and where their own bytes begin.
fn shared(bytes: &[u8]) -> Option<(Encoding, usize)> {
    let start = Delta::new(bytes)?.end(bytes)?;
    let rest = bytes.get(start..)?;
    let end = start + Delta::new(rest)?.end(rest)?;
    let (shared, lengths) = (Delta::new(bytes)?, Delta::new(rest)?);
    Some((Encoding::Shared { shared, lengths, start, before: Vec::new() }, end))
}
