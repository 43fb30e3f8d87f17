//! Data blocks: their cells, in each of HBase's encodings.

use super::cell::{Cell, ROW_LENGTH, TIME_AND_TYPE};
use super::dictionary::Dictionary;
use crate::records::formats::bytes::Cursor;

/// Entries of the dictionary of tags of a block.
const TAGS: usize = 127;

/// How the keys of a block are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockEncoding {
    /// As they are.
    None,
    /// Without what a key shares with the one before.
    Prefix,
    /// Likewise, with differences of times.
    Diff,
    /// Likewise, made to be read faster.
    FastDiff,
    /// As they are, with a list of where rows begin behind them.
    RowIndex,
}

impl BlockEncoding {
    /// By the number before an encoded block.
    pub const fn of(number: u16) -> Option<Self> {
        Some(match number {
            0 => Self::None,
            2 => Self::Prefix,
            3 => Self::Diff,
            4 => Self::FastDiff,
            7 => Self::RowIndex,
            _ => return None,
        })
    }

    /// The name that HBase has for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Prefix => "PREFIX",
            Self::Diff => "DIFF",
            Self::FastDiff => "FAST_DIFF",
            Self::RowIndex => "ROW_INDEX_V1",
        }
    }
}

/// The parts behind each cell of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellForm {
    pub has_tags: bool,
    pub tags_are_packed: bool,
    pub has_sequence: bool,
}

/// Reads the cells of blocks. Nothing is allocated for a cell.
#[derive(Debug)]
pub struct CellDecoder {
    form: CellForm,
    tags: Dictionary,
    /// The last key, up to its time where times are written apart.
    key: Vec<u8>,
    time: [u8; TIME_AND_TYPE],
    key_length: usize,
    value_length: usize,
}

impl CellDecoder {
    /// For a file whose cells have this form.
    pub const fn new(form: CellForm) -> Self {
        Self {
            form,
            tags: Dictionary::new(TAGS),
            key: Vec::new(),
            time: [0; TIME_AND_TYPE],
            key_length: 0,
            value_length: 0,
        }
    }

    /// Hands on the cells of a block, and returns how many there are. `None` when it is damaged.
    pub fn cells(
        &mut self,
        encoding: BlockEncoding,
        block: &[u8],
        take: &mut dyn FnMut(&Cell<'_>),
    ) -> Option<u64> {
        self.key.clear();
        (self.key_length, self.value_length) = (0, 0);
        self.tags.clear();
        match encoding {
            BlockEncoding::None => self.plain(block, take),
            BlockEncoding::RowIndex => {
                let (_, length) = block.split_last_chunk::<4>()?;
                self.plain(block.get(..usize::try_from(i32::from_be_bytes(*length)).ok()?)?, take)
            }
            BlockEncoding::Prefix => self.encoded(block, take, Self::prefix),
            BlockEncoding::Diff => {
                let (_, block) = block.split_first_chunk::<4>()?;
                // The family stands once, before all cells.
                let mut cursor = Cursor::new(block);
                let length = cursor.byte()?;
                let family = cursor.take(usize::from(length))?;
                self.shared(cursor, take, |decoder, cursor| decoder.diff(cursor, family))
            }
            BlockEncoding::FastDiff => self.encoded(block, take, Self::fast_diff),
        }
    }

    /// Cells as they are.
    fn plain(&mut self, block: &[u8], take: &mut dyn FnMut(&Cell<'_>)) -> Option<u64> {
        let mut cursor = Cursor::new(block);
        let mut count = 0;
        while !cursor.rest().is_empty() {
            let (key, value) = (cursor.length()?, cursor.length()?);
            let key = cursor.take(key)?;
            cursor.take(value)?;
            let tags = if self.form.has_tags { usize::from(u16::from_be_bytes(cursor.array()?)) } else { 0 };
            cursor.take(tags)?;
            self.sequence(&mut cursor)?;
            take(&Cell::of_key(key, value as u32, tags as u32)?);
            count += 1;
        }
        Some(count)
    }

    /// Encoded cells behind the length that they have without encoding.
    fn encoded(
        &mut self,
        block: &[u8],
        take: &mut dyn FnMut(&Cell<'_>),
        read: fn(&mut Self, &mut Cursor<'_>) -> Option<()>,
    ) -> Option<u64> {
        let (_, cells) = block.split_first_chunk::<4>()?;
        self.shared(Cursor::new(cells), take, read)
    }

    /// Cells of which `read` puts key and value together.
    fn shared(
        &mut self,
        mut cursor: Cursor<'_>,
        take: &mut dyn FnMut(&Cell<'_>),
        mut read: impl FnMut(&mut Self, &mut Cursor<'_>) -> Option<()>,
    ) -> Option<u64> {
        let mut count = 0;
        while !cursor.rest().is_empty() {
            read(self, &mut cursor)?;
            let tags = if self.form.has_tags { cursor.short_length()? } else { 0 };
            if tags > 0 && self.form.tags_are_packed {
                self.tags.skip_tags(&mut cursor, tags)?;
            } else {
                cursor.take(tags)?;
            }
            self.sequence(&mut cursor)?;
            take(&Cell::of_column(&self.key, &self.time, self.value_length as u32, tags as u32)?);
            count += 1;
        }
        Some(count)
    }

    /// Passes over the number of the write that made a cell.
    fn sequence(&self, cursor: &mut Cursor<'_>) -> Option<()> {
        if self.form.has_sequence {
            cursor.hadoop_number()?;
        }
        Some(())
    }

    fn prefix(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        let rest = cursor.short_length()?;
        self.value_length = cursor.short_length()?;
        let common = cursor.short_length()?;
        // The time is a part of the key here.
        let mut shared = self.key.len();
        if shared > 0 {
            self.key.extend_from_slice(&self.time);
            shared = self.key.len();
        }
        (common <= shared).then_some(())?;
        self.key.truncate(common);
        self.key.extend_from_slice(cursor.take(rest)?);
        let column = self.key.len().checked_sub(TIME_AND_TYPE)?;
        self.time.copy_from_slice(self.key.get(column..)?);
        self.key.truncate(column);
        cursor.take(self.value_length).map(drop)
    }

    /// Reads the lengths of key and value that differ from those of the cell before.
    fn lengths(&mut self, cursor: &mut Cursor<'_>, same_key: bool, same_value: bool) -> Option<()> {
        if !same_key {
            self.key_length = cursor.short_length()?;
        }
        if !same_value {
            self.value_length = cursor.short_length()?;
        }
        Some(())
    }

    fn diff(&mut self, cursor: &mut Cursor<'_>, family: &[u8]) -> Option<()> {
        const SAME_KEY_LENGTH: u8 = 1;
        const SAME_VALUE_LENGTH: u8 = 1 << 1;
        const SAME_TYPE: u8 = 1 << 2;
        const TIME_IS_DIFFERENCE: u8 = 1 << 3;
        const TIME_IS_NEGATIVE: u8 = 1 << 7;
        let flag = cursor.byte()?;
        self.lengths(cursor, flag & SAME_KEY_LENGTH > 0, flag & SAME_VALUE_LENGTH > 0)?;
        let common = cursor.short_length()?;
        self.column(cursor, common, Some(family))?;
        let length = usize::from(flag >> 4 & 7) + 1;
        let number =
            cursor.take(length)?.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
                as i64;
        let number = if flag & TIME_IS_NEGATIVE > 0 { number.wrapping_neg() } else { number };
        let [before @ .., _] = &self.time;
        let before = i64::from_be_bytes(*before);
        let time = if flag & TIME_IS_DIFFERENCE > 0 { before.wrapping_sub(number) } else { number };
        let (place, kind) = self.time.split_first_chunk_mut::<8>()?;
        *place = time.to_be_bytes();
        if flag & SAME_TYPE == 0 {
            *kind.first_mut()? = cursor.byte()?;
        }
        cursor.take(self.value_length).map(drop)
    }

    fn fast_diff(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        const SAME_KEY_LENGTH: u8 = 1 << 3;
        const SAME_VALUE_LENGTH: u8 = 1 << 4;
        const SAME_TYPE: u8 = 1 << 5;
        const SAME_VALUE: u8 = 1 << 6;
        let flag = cursor.byte()?;
        self.lengths(cursor, flag & SAME_KEY_LENGTH > 0, flag & SAME_VALUE_LENGTH > 0)?;
        let common = cursor.short_length()?;
        if self.key.is_empty() {
            // The first cell of a block is whole.
            let key = cursor.take(self.key_length)?;
            let (column, time) = key.split_at_checked(key.len().checked_sub(TIME_AND_TYPE)?)?;
            self.key.extend_from_slice(column);
            self.time.copy_from_slice(time);
            return cursor.take(self.value_length).map(drop);
        }
        self.column(cursor, common, None)?;
        let same = usize::from(flag & 7);
        let (time, kind) = self.time.split_first_chunk_mut::<8>()?;
        let changed = time.get_mut(same..)?;
        changed.copy_from_slice(cursor.take(changed.len())?);
        if flag & SAME_TYPE == 0 {
            *kind.first_mut()? = cursor.byte()?;
        }
        if flag & SAME_VALUE == 0 { cursor.take(self.value_length).map(drop) } else { Some(()) }
    }

    /// Puts row, family and qualifier together. The family of a new row is the one given, or that of the last key.
    fn column(&mut self, cursor: &mut Cursor<'_>, common: usize, family: Option<&[u8]>) -> Option<()> {
        (common <= self.key.len()).then_some(())?;
        let row_before = match self.key.first_chunk::<ROW_LENGTH>() {
            Some(length) => ROW_LENGTH + usize::from(u16::from_be_bytes(*length)),
            None => usize::MAX,
        };
        if common >= row_before {
            self.key.truncate(common);
            let rest = self.key_length.checked_sub(common + TIME_AND_TYPE)?;
            self.key.extend_from_slice(cursor.take(rest)?);
            return Some(());
        }
        // Most families are short: no memory is asked for.
        let mut own = [0u8; 256];
        let family = match family {
            Some(family) => family,
            None => {
                let length = usize::from(*self.key.get(row_before)?);
                let held = own.get_mut(..length)?;
                held.copy_from_slice(self.key.get(row_before + 1..row_before + 1 + length)?);
                held
            }
        };
        self.key.truncate(common);
        if common < ROW_LENGTH {
            self.key.extend_from_slice(cursor.take(ROW_LENGTH - common)?);
        }
        let length = ROW_LENGTH + usize::from(u16::from_be_bytes(*self.key.first_chunk::<ROW_LENGTH>()?));
        let rest = length.checked_sub(self.key.len())?;
        self.key.extend_from_slice(cursor.take(rest)?);
        self.key.push(family.len() as u8);
        self.key.extend_from_slice(family);
        let rest = self.key_length.checked_sub(self.key.len() + TIME_AND_TYPE)?;
        self.key.extend_from_slice(cursor.take(rest)?);
        Some(())
    }
}
