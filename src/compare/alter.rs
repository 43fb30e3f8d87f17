//! From the column families of a table to those of another design of it: what is altered, and what of it old files feel.
//!
//! HBase alters an enabled table: its regions close and open again, one after another. A setting of files holds for those
//! written from then on, a setting of cells for all that is read.

use crate::base::Problem;
use crate::design::{BloomFilter, Design, Family, FileSettings};
use crate::hbase::storage::BLOCK;
use serde::Serialize;

/// Seconds of a cell that never expires, as HBase writes them.
pub const FOREVER: u32 = i32::MAX as u32;

/// Name of the configuration that holds the length of the prefixes in a Bloom filter.
pub const BLOOM_PREFIX: &str = "RowPrefixBloomFilter.prefix_length";

/// Bytes from which on values of a MOB family lie in files of their own, as HBase is shipped.
const MOB_THRESHOLD: u32 = 100 << 10;

/// Settings that hold for files written from then on.
const OF_FILES: [&str; 7] = [
    "COMPRESSION",
    "BLOCKSIZE",
    BLOOM_PREFIX,
    "BLOOMFILTER",
    "DATA_BLOCK_ENCODING",
    "IS_MOB",
    "MOB_THRESHOLD",
];

/// How a family differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FamilyChange {
    /// Only the new design has it.
    Added,
    /// Only the old design has it: its cells go.
    Removed,
    /// Both have it, with other settings.
    Altered,
}

/// A setting of a family that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettingChange {
    /// Its name in HBase.
    pub name: &'static str,
    /// The value it had; what HBase gives a new family where the old design does not say.
    pub from: String,
    /// The value it gets.
    pub to: String,
}

/// A family that differs between two designs of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FamilyAlter {
    /// Its name.
    pub family: String,
    /// How it differs.
    pub change: FamilyChange,
    /// Its settings that differ: of an added family those that HBase would not give it anyway.
    pub settings: Vec<SettingChange>,
}

/// The settings of a family that designs name, as HBase writes them. The fewest versions come before the most: HBase's
/// builders refuse most below the fewest that they know.
fn settings(family: &Family) -> [(&'static str, String); 11] {
    let FileSettings { blocksize, bloom, encoding, in_memory, mob } = &family.files;
    let prefix = if let BloomFilter::Prefix(length) = bloom { *length } else { 0 };
    [
        ("COMPRESSION", family.compression.clone()),
        ("MIN_VERSIONS", family.min_versions.unwrap_or(0).to_string()),
        ("VERSIONS", family.versions.to_string()),
        ("TTL", family.ttl.unwrap_or(FOREVER).to_string()),
        ("BLOCKSIZE", blocksize.unwrap_or(BLOCK as u32).to_string()),
        (BLOOM_PREFIX, prefix.to_string()),
        ("BLOOMFILTER", bloom.name().to_owned()),
        ("DATA_BLOCK_ENCODING", encoding.clone().unwrap_or_else(|| "NONE".to_owned())),
        ("IN_MEMORY", in_memory.to_string()),
        ("IS_MOB", mob.is_some().to_string()),
        ("MOB_THRESHOLD", mob.unwrap_or(MOB_THRESHOLD).to_string()),
    ]
}

fn differing(from: &Family, to: &Family) -> Vec<SettingChange> {
    let pairs = settings(from).into_iter().zip(settings(to));
    pairs
        .filter(|((_, from), (_, to))| from != to)
        .map(|((name, from), (_, to))| SettingChange { name, from, to })
        .collect()
}

/// The settings of a family that HBase would not give it anyway.
pub fn own_settings(family: &Family) -> Vec<SettingChange> {
    differing(&Family::named(&family.name), family)
}

/// The families to alter, in the order of the old design, then the new ones. None where either design names no family:
/// which the table then has is not known.
pub fn family_alters(from: &Design, to: &Design) -> Vec<FamilyAlter> {
    if from.families.is_empty() || to.families.is_empty() {
        return Vec::new();
    }
    let mut alters = Vec::new();
    for family in &from.families {
        let same = to.families.iter().find(|other| other.name == family.name);
        let (change, settings) = match same {
            Some(other) => (FamilyChange::Altered, differing(family, other)),
            None => (FamilyChange::Removed, Vec::new()),
        };
        if change == FamilyChange::Removed || !settings.is_empty() {
            alters.push(FamilyAlter { family: family.name.clone(), change, settings });
        }
    }
    let added = to.families.iter().filter(|family| from.families.iter().all(|old| old.name != family.name));
    alters.extend(added.map(|family| FamilyAlter {
        family: family.name.clone(),
        change: FamilyChange::Added,
        settings: own_settings(family),
    }));
    alters
}

impl FamilyAlter {
    /// True if files written before only take part after a major compaction.
    pub fn compacts(&self) -> bool {
        self.change == FamilyChange::Altered && self.settings.iter().any(SettingChange::compacts)
    }

    /// Facts to know before the family is altered, a code each.
    pub fn notes(&self) -> Vec<Problem> {
        let of = |code| Problem::new(code).with("family", &self.family);
        match self.change {
            FamilyChange::Added => vec![of("alter.added")],
            FamilyChange::Removed => vec![of("alter.removed")],
            FamilyChange::Altered => self.settings.iter().map(|setting| setting.note(&self.family)).collect(),
        }
    }
}

impl SettingChange {
    fn numbers(&self) -> (u32, u32) {
        let number = |text: &str| text.parse().unwrap_or(FOREVER);
        (number(&self.from), number(&self.to))
    }

    /// True if there are cells or files that a major compaction deletes or writes anew.
    fn compacts(&self) -> bool {
        let (from, to) = self.numbers();
        let of_cells = ["VERSIONS", "MIN_VERSIONS", "TTL"].contains(&self.name);
        OF_FILES.contains(&self.name) || of_cells && to < from
    }

    fn note(&self, family: &str) -> Problem {
        let (from, to) = self.numbers();
        let code = match self.name {
            "COMPRESSION" => "alter.compression",
            "IN_MEMORY" => "alter.in-memory",
            name if OF_FILES.contains(&name) => "alter.files",
            "VERSIONS" if to < from => "alter.fewer-versions",
            "VERSIONS" => "alter.more-versions",
            "MIN_VERSIONS" if to < from => "alter.fewer-kept",
            "MIN_VERSIONS" => "alter.more-kept",
            _ if to < from => "alter.shorter-life",
            _ => "alter.longer-life",
        };
        let note = Problem::new(code).with("family", family).with("from", &self.from).with("to", &self.to);
        if ["alter.files", "alter.in-memory"].contains(&code) { note.with("name", self.name) } else { note }
    }
}
