//! The statistics of a footer: of each column the least and the most of all row groups, and how many values are missing.
//!
//! They are shown before a record is read, and nothing is computed from them.

use super::super::value::{Meaning, Stored};
use super::footer::Footer;
use super::schema::{Leaf, Physical};
use super::thrift::{Member, Thrift};
use super::values::stored;
use crate::records::read::StatedRange;
use std::cmp::Ordering;

/// Bytes of a value that is shown; longer ones are not.
const LONGEST: usize = 64;
/// Digits behind the point of a number that is shown, and zeros before it.
const MOST_SCALE: u32 = 100;
/// Columns whose ranges are told: a footer can state as many as its bytes allow.
const MOST_COLUMNS: usize = 1000;
/// Bytes of the longest number in two's complement that is compared.
const WIDEST: usize = 16;

/// The range of each of the columns that are read, where every row group states one.
pub fn ranges(footer: &Footer) -> Vec<Option<StatedRange>> {
    let columns = footer.schema.columns.read.iter().zip(&footer.schema.leaves).take(MOST_COLUMNS);
    let mut found: Vec<Spread<'_>> =
        columns.map(|(column, leaf)| Spread::new(column.meaning, leaf.physical)).collect();
    let complete = footer.metadata().try_for_each(|thrift| group(thrift, footer, &mut found));
    // A footer that is damaged here is told when its row groups are read.
    complete.map_or_else(Vec::new, |()| found.into_iter().map(Spread::range).collect())
}

/// Goes through the columns of a row group.
fn group<'a>(mut thrift: Thrift<'a>, footer: &'a Footer, found: &mut [Spread<'a>]) -> Option<()> {
    thrift.members(|thrift, member| {
        if member.id != 1 {
            return Some(false);
        }
        let mut wanted = footer.schema.leaves.iter().zip(found.iter_mut()).peekable();
        let mut index = 0;
        thrift.list(member, |thrift, _| {
            let own = wanted.next_if(|(Leaf { index: own, .. }, _)| *own == index);
            index += 1;
            match own {
                Some((_, spread)) => spread.take(chunk(thrift)?),
                None => thrift.members(|_, _| Some(false))?,
            }
            Some(())
        })?;
        Some(true)
    })
}

/// The statistics of a column chunk.
#[derive(Clone, Copy, Debug, Default)]
struct Statistics<'a> {
    values: i64,
    missing: Option<i64>,
    least: Option<&'a [u8]>,
    most: Option<&'a [u8]>,
    /// The same as earlier files have them, which compare bytes and numbers without a sign wrongly.
    signed: (Option<&'a [u8]>, Option<&'a [u8]>),
    /// The least or the most was cut, so that no value may be as it says.
    is_cut: bool,
}

fn chunk<'a>(thrift: &mut Thrift<'a>) -> Option<Statistics<'a>> {
    let mut found = Statistics::default();
    thrift.members(|thrift, member| {
        if member.id != 3 {
            return Some(false);
        }
        thrift.is_struct(member)?;
        thrift.members(|thrift, member| {
            match member.id {
                5 => found.values = thrift.integer(member)?,
                12 => statistics(thrift, member, &mut found)?,
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some(true)
    })?;
    Some(found)
}

fn statistics<'a>(thrift: &mut Thrift<'a>, member: Member, found: &mut Statistics<'a>) -> Option<()> {
    thrift.is_struct(member)?;
    thrift.members(|thrift, member| {
        match member.id {
            1 => found.signed.1 = Some(thrift.bytes(member)?),
            2 => found.signed.0 = Some(thrift.bytes(member)?),
            3 => found.missing = Some(thrift.integer(member)?),
            5 => found.most = Some(thrift.bytes(member)?),
            6 => found.least = Some(thrift.bytes(member)?),
            7 | 8 => found.is_cut |= !thrift.boolean(member)?,
            _ => return Some(false),
        }
        Some(true)
    })
}

/// The values of a column in the row groups so far.
#[derive(Debug)]
struct Spread<'a> {
    meaning: Meaning,
    physical: Physical,
    /// The least and the most; `None` before the first.
    ends: Option<(Stored<'a>, Stored<'a>)>,
    /// A row group with values does not state their ends.
    is_open: bool,
    missing: Option<u64>,
}

impl<'a> Spread<'a> {
    const fn new(meaning: Meaning, physical: Physical) -> Self {
        Self { meaning, physical, ends: None, is_open: false, missing: Some(0) }
    }

    /// Takes in a row group.
    fn take(&mut self, chunk: Statistics<'a>) {
        if chunk.values == 0 {
            return;
        }
        let missing = chunk.missing.and_then(|missing| u64::try_from(missing).ok());
        self.missing = self.missing.zip(missing).and_then(|(sum, more)| sum.checked_add(more));
        if chunk.missing == Some(chunk.values) {
            return;
        }
        let Some((least, most)) = self.ends_of(chunk) else {
            self.is_open = true;
            return;
        };
        let (first, last) = *self.ends.get_or_insert((least, most));
        let least = if self.compare(least, first) == Some(Ordering::Less) { least } else { first };
        let most = if self.compare(most, last) == Some(Ordering::Greater) { most } else { last };
        self.ends = Some((least, most));
    }

    fn ends_of(&self, chunk: Statistics<'a>) -> Option<(Stored<'a>, Stored<'a>)> {
        if let Meaning::Decimal(scale) = self.meaning
            && scale.unsigned_abs() > MOST_SCALE
        {
            return None;
        }
        let is_signed = matches!(self.physical, Physical::Int32 | Physical::Int64)
            && !matches!(self.meaning, Meaning::Unsigned(_));
        let (least, most) = match (chunk.least, chunk.most) {
            (Some(least), Some(most)) => (least, most),
            _ if is_signed => (chunk.signed.0?, chunk.signed.1?),
            _ => return None,
        };
        let shown = |bytes: &'a [u8]| (bytes.len() <= LONGEST && !chunk.is_cut).then(|| self.value(bytes));
        let (least, most) = (shown(least)??, shown(most)??);
        // Also refuses values that have no order, and ends that are the wrong way round.
        (self.compare(least, most)? != Ordering::Greater).then_some((least, most))
    }

    /// A value of the bytes that stand for it in statistics.
    fn value(&self, bytes: &'a [u8]) -> Option<Stored<'a>> {
        if self.physical == Physical::Boolean {
            return bytes.first().map(|&byte| Stored::Boolean(byte != 0));
        }
        let is_whole = self.physical.width().is_none_or(|width| width == bytes.len());
        is_whole.then(|| stored(self.physical, bytes))
    }

    /// The order of two values; `None` where their type has none, or one that is not known.
    fn compare(&self, one: Stored<'_>, other: Stored<'_>) -> Option<Ordering> {
        use Stored::{Boolean, Bytes, Double, Float, Integer};
        match (self.meaning, one, other) {
            (Meaning::Unsigned(_), Integer(one), Integer(other)) => (one as u64).partial_cmp(&(other as u64)),
            (_, Integer(one), Integer(other)) => one.partial_cmp(&other),
            (_, Boolean(one), Boolean(other)) => one.partial_cmp(&other),
            (_, Float(one), Float(other)) => one.partial_cmp(&other),
            (_, Double(one), Double(other)) => one.partial_cmp(&other),
            (Meaning::Decimal(_), Bytes(one), Bytes(other)) => number(one)?.partial_cmp(&number(other)?),
            (Meaning::Text | Meaning::Binary | Meaning::Uuid, Bytes(one), Bytes(other)) => {
                one.partial_cmp(other)
            }
            _ => None,
        }
    }

    fn range(self) -> Option<StatedRange> {
        let text = |value| {
            let mut text = Vec::new();
            self.meaning.write(value, false, &mut text).then_some(())?;
            String::from_utf8(text).ok()
        };
        let ends = self.ends.filter(|_| !self.is_open);
        let ends = ends.and_then(|(least, most)| Some((text(least)?, text(most)?)));
        let (least, most) = ends.unzip();
        (least.is_some() || self.missing.is_some()).then_some(StatedRange {
            least,
            most,
            missing: self.missing,
        })
    }
}

/// A number in two's complement, the highest byte first.
fn number(bytes: &[u8]) -> Option<i128> {
    let sign = if bytes.first()? & 0x80 == 0 { 0 } else { -1 };
    (bytes.len() <= WIDEST).then(|| bytes.iter().fold(sign, |number, &byte| number << 8 | i128::from(byte)))
}
