//! Settings of the store files of a column family.

use crate::base::json::{Object, Wanted, wrong_type};
use crate::base::{Problem, Problems};
use serde::Serialize;
use serde_json::Value;

/// Least and most bytes of a block (`TableDescriptorChecker`).
const BLOCK_SIZES: (u32, u32) = (1 << 10, 16 << 20);
/// Most bytes of a prefix that a Bloom filter can hold: a row key has no more.
const LONGEST_PREFIX: u32 = 32_767;

/// Encodings of blocks (`DataBlockEncoding`).
const ENCODINGS: [&str; 5] = ["NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"];

/// How the files of a family are written and read; as HBase makes them where a design does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileSettings {
    /// Bytes of a block, about; 65,536 without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocksize: Option<u32>,
    /// The contents of Bloom filters.
    #[serde(skip_serializing_if = "BloomFilter::is_default")]
    pub bloom: BloomFilter,
    /// Encoding of blocks; `NONE` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// True if its blocks are the last that leave the cache.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_memory: bool,
    /// Bytes from which on a value lies in a file of its own (`IS_MOB`, `MOB_THRESHOLD`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mob: Option<u32>,
}

/// The contents of the Bloom filters of a family (`BloomType`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BloomFilter {
    /// Nothing: there are none.
    None,
    /// Row keys: they spare gets, and scans of one row, files without the row.
    #[default]
    Row,
    /// Row keys with qualifiers: the same for reads of single columns.
    RowColumn,
    /// So many first bytes of row keys: the same for scans within one prefix.
    Prefix(u32),
}

impl BloomFilter {
    fn is_default(&self) -> bool {
        *self == Self::Row
    }

    /// Its name in HBase.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Row => "ROW",
            Self::RowColumn => "ROWCOL",
            Self::Prefix(_) => "ROWPREFIX_FIXED_LENGTH",
        }
    }
}

impl Serialize for BloomFilter {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Prefix(length) => to.collect_map([("prefix", length)]),
            _ => to.serialize_str(self.name()),
        }
    }
}

/// The members of a family that say how its files are.
pub(super) const MEMBERS: [&str; 5] = ["blocksize", "bloom", "encoding", "inMemory", "mob"];

/// Reads them; what is wrong is noted.
pub(super) fn read(family: &Object<'_>, problems: &mut Problems) -> FileSettings {
    let (least, most) = BLOCK_SIZES;
    let within = |least: u32, most: u32| {
        move |value: &Value| {
            let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
            number.filter(|number| (least..=most).contains(number))
        }
    };
    let blocksize =
        family.typed("blocksize", Wanted::whole(least.into(), most.into()), within(least, most), problems);
    let encoding = family.text("encoding", problems).filter(|name| {
        let known = ENCODINGS.contains(name);
        if !known {
            let unknown = Problem::new("design.unknown-encoding").with("name", name);
            problems.push(unknown.with("known", ENCODINGS.join(", ")).at_path(family.at("encoding")));
        }
        known && *name != "NONE"
    });
    FileSettings {
        blocksize,
        bloom: read_bloom(family, problems).unwrap_or_default(),
        encoding: encoding.map(str::to_owned),
        in_memory: family.typed("inMemory", "json.boolean", Value::as_bool, problems).unwrap_or(false),
        mob: family.typed("mob", Wanted::whole(0, 4_294_967_295), within(0, u32::MAX), problems),
    }
}

fn read_bloom(family: &Object<'_>, problems: &mut Problems) -> Option<BloomFilter> {
    let value = family.get("bloom")?;
    let path = family.at("bloom");
    if value.is_object() {
        let prefix = Object::open(value, &path, &["prefix"], problems)?;
        prefix.required("prefix", "json.whole", problems);
        let length = |value: &Value| {
            let length = value.as_u64().and_then(|length| u32::try_from(length).ok());
            length.filter(|length| (1..=LONGEST_PREFIX).contains(length))
        };
        let wanted = Wanted::whole(1, LONGEST_PREFIX.into());
        return prefix.typed("prefix", wanted, length, problems).map(BloomFilter::Prefix);
    }
    let Some(name) = value.as_str() else {
        problems.push(wrong_type(&path, "json.text", value));
        return None;
    };
    let all = [BloomFilter::None, BloomFilter::Row, BloomFilter::RowColumn];
    let known = all.into_iter().find(|bloom| bloom.name() == name);
    if known.is_none() {
        let names = all.map(BloomFilter::name).join(", ");
        let unknown = Problem::new("design.unknown-bloom").with("name", name).with("known", names);
        problems.push(unknown.at_path(path));
    }
    known
}
