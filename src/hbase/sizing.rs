//! How many regions a table should have: every rule with its source, where they agree and where one fails. And how long rows may
//! live under keys that repeat.

use crate::base::figures::share;
use crate::base::units::{DAY_SECONDS, GB, MB};
use crate::design::{Cluster, Design, Growth, GrowthAmount};
use crate::hbase::storage::table::{FamilyBytes, KeyLengths, TableBytes, storage};
use serde::Serialize;

/// Regions of a server that HBase's book advises at most: 20 to 200.
const MOST_PER_SERVER: u64 = 200;
/// A region may split at 7/8 of its size already: `hbase.hregion.max.filesize.jitter` is 0.25, half of it down.
const EARLY: (u64, u64) = (7, 8);

// The rule of thumb by the size of the table, with what it leaves out and where it contradicts HBase.
/// Below this a table is called small.
const SMALL: u64 = 50 * GB;
/// From this on a table is called large, up to [`LARGEST`].
const LARGE: u64 = 500 * GB;
/// The largest table it speaks of.
const LARGEST: u64 = 10 * 1024 * GB;
/// Bytes of a region of a large table.
const LARGE_TABLE_REGION: u64 = 10 * GB;
/// Most regions of a large table.
const LARGE_TABLE_REGIONS: u64 = 120;

/// `hbase.hregion.majorcompaction.jitter` as shipped: up to half of the period sooner or later.
pub const JITTER_PERCENT: u64 = 50;

/// The load of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizingNeed {
    /// Bytes of the table at the end of the time looked ahead.
    pub bytes: u64,
    /// Number of region servers.
    pub servers: u32,
    /// The region servers.
    pub cluster: Cluster,
}

/// The answer of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum RuleAnswer {
    /// So many regions.
    Regions {
        /// At least.
        least: u64,
        /// At most; `None` without a bound.
        most: Option<u64>,
    },
    /// The rule says nothing about a table of this size.
    NotCovered,
    /// The rule's number of regions cannot stay: they grow over the size at which regions split by themselves.
    #[serde(rename_all = "camelCase")]
    Contradiction {
        /// Regions by the rule.
        regions: u64,
        /// Bytes that each would hold.
        bytes_each: u64,
        /// Bytes at which a region splits.
        splits_at: u64,
    },
}

/// A rule with its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SizingRule {
    /// Its name.
    pub name: &'static str,
    /// The class, property or page it comes from; empty when it is only said.
    pub source: &'static str,
    /// The answer.
    #[serde(flatten)]
    pub answer: RuleAnswer,
}

/// The rules for a table, and what follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sizing {
    /// Bytes at the end of the time looked ahead.
    pub bytes: u64,
    /// Every rule.
    pub rules: Vec<SizingRule>,
    /// Regions to make the table with: the fewest that do not split by themselves and keep every server busy.
    pub suggested: u64,
    /// True if so many regions may all be written at once, and are no more than servers bear.
    pub bearable: bool,
}

/// Regions that hold so many bytes without splitting by themselves.
pub fn regions_without_splits(bytes: u64, max_region: u64) -> u64 {
    let (part, whole) = EARLY;
    let holds = (max_region / whole).saturating_mul(part).max(1);
    bytes.div_ceil(holds).max(1)
}

/// The number of regions by every rule.
pub fn sizing(need: &SizingNeed) -> Sizing {
    // A forecast is no better than that: a few bytes over a bound of a rule must not turn its answer round.
    let bytes = need.bytes.saturating_add(MB / 2) / MB * MB;
    let servers = u64::from(need.servers.max(1));
    let max_region = need.cluster.max_region();
    let by_size = regions_without_splits(bytes, max_region);
    let active = active_bound(need.servers, &need.cluster);
    let bound = |least, most| RuleAnswer::Regions { least, most };
    let rules = vec![
        SizingRule {
            name: "no-split",
            source: "ConstantSizeRegionSplitPolicy",
            answer: bound(by_size, None),
        },
        SizingRule {
            name: "region-of-6-to-8-gb",
            source: "",
            answer: bound(bytes.div_ceil(8 * GB).max(1), Some(bytes.div_ceil(6 * GB).max(1))),
        },
        SizingRule { name: "by-table-size", source: "", answer: by_table_size(bytes, max_region) },
        SizingRule { name: "every-server", source: "", answer: bound(servers + 1, None) },
        SizingRule {
            name: "written-at-once",
            source: "hbase.regionserver.global.memstore.size",
            answer: bound(1, Some(active)),
        },
        SizingRule {
            name: "regions-of-a-server",
            source: "https://hbase.apache.org/book.html#ops.capacity.regions.count",
            answer: bound(1, Some(servers.saturating_mul(MOST_PER_SERVER))),
        },
    ];
    let suggested = by_size.max(servers.saturating_mul(2));
    let bearable = suggested <= active.min(servers.saturating_mul(MOST_PER_SERVER));
    Sizing { bytes: need.bytes, rules, suggested, bearable }
}

/// A small table 5 to 10 regions, a large one its size ÷ 10 GiB, at most 120.
pub fn by_table_size(bytes: u64, max_region: u64) -> RuleAnswer {
    match bytes {
        0..SMALL => RuleAnswer::Regions { least: 5, most: Some(10) },
        LARGE..=LARGEST => {
            let regions = bytes.div_ceil(LARGE_TABLE_REGION).min(LARGE_TABLE_REGIONS);
            let bytes_each = bytes / regions.max(1);
            if bytes_each > max_region {
                RuleAnswer::Contradiction { regions, bytes_each, splits_at: max_region }
            } else {
                RuleAnswer::Regions { least: regions, most: Some(regions) }
            }
        }
        _ => RuleAnswer::NotCovered,
    }
}

/// Most regions that may be written at the same time: fewer than write memory ÷ flush size on each server.
pub fn active_bound(servers: u32, cluster: &Cluster) -> u64 {
    let per_server = cluster.write_memory().div_ceil(cluster.flush().max(1)).saturating_sub(1);
    per_server.max(1).saturating_mul(u64::from(servers.max(1)))
}

/// Bytes of a table's regions at their largest within the time looked ahead, from growth and what a row takes: values in MOB files
/// make no region split.
pub fn bytes_at_most(growth: &Growth, design: &Design, keys: &KeyLengths) -> u64 {
    // A table expires as its longest-lived family does.
    let ttl = design.families.iter().map(|family| family.lives().unwrap_or(u32::MAX)).max();
    let amount = growth.at_most(ttl.filter(|&seconds| seconds < u32::MAX));
    match growth.amount {
        GrowthAmount::Bytes => amount,
        GrowthAmount::Rows => storage(design, keys, amount).in_regions,
    }
}

/// Least bytes of a store that is flushed without the others of its region
/// (`hbase.hregion.percolumnfamilyflush.size.lower.bound.min`).
const LEAST_FLUSH: u64 = 16 * MB;
/// Store files of a family in a region, as plans are priced.
const FILES: u64 = 3;

/// A family among others of its table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SharedFamily {
    /// Its name.
    pub name: String,
    /// Rows that have cells of it.
    pub rows: u64,
    /// Bytes of its cells, without values in MOB files.
    pub bytes: u64,
    /// Regions that it would fill in a table of its own.
    pub alone: u64,
    /// Regions of the table: a scan of the family touches all of them.
    pub together: u64,
    /// Store files that the scan opens, at three in a region.
    pub files: u64,
    /// Bytes of it in a region, on average.
    pub region_bytes: u64,
    /// Bytes from which on it is flushed without the others (`FlushAllLargeStoresPolicy`).
    pub flush_bytes: u64,
    /// Bytes of it in a flush of all families of a region that has filled its memory.
    pub with_others: u64,
}

/// The families of a table of so many regions at least, where there are several: the largest decides how many regions there are.
pub fn shared_families(table: &TableBytes, regions: u64, cluster: &Cluster) -> Vec<SharedFamily> {
    let families = || table.families.iter().filter(|family| family.rows > 0);
    let count = families().count() as u64;
    if count < 2 {
        return Vec::new();
    }
    let bytes = |family: &FamilyBytes| family.in_regions;
    let alone = |family: &FamilyBytes| bytes(family).div_ceil(cluster.max_region().max(1)).max(1);
    // Size is checked for each store: hbase.hregion.split.overallfiles is false.
    let together = families().map(alone).max().unwrap_or(1).max(regions);
    let flush_bytes = (cluster.flush() / count).max(LEAST_FLUSH);
    let shared = |family: &FamilyBytes| SharedFamily {
        name: family.name.clone(),
        rows: family.rows,
        bytes: bytes(family),
        alone: alone(family),
        together,
        files: together.saturating_mul(FILES),
        region_bytes: bytes(family) / together,
        flush_bytes,
        with_others: share(cluster.flush(), bytes(family), table.in_regions.max(1)),
    };
    families().map(shared).collect()
}

// Keys that come round again, such as those that begin with month and day. Rows that expired hide from reads at once, but take
// space until a major compaction drops them. For the next round to find its place empty, the period has to be at least the time
// to live and two major compactions: one may just have run when the rows expire, and the next is late by its jitter. HBase may
// drop a file sooner when all of it has expired (`hbase.store.delete.expired.storefile`); the rule does not rely on that.

/// The longest time to live, in seconds, for a period and major compactions this far apart at most; `None` when the
/// period has no room for two of them.
pub fn longest_ttl(period: u64, major_compaction: u64) -> Option<u64> {
    period.checked_sub(major_compaction.checked_mul(2)?).filter(|&ttl| ttl > 0)
}

/// Days between two major compactions at most, in seconds, jitter included.
pub fn latest_compaction(days: u32) -> u64 {
    u64::from(days) * DAY_SECONDS * (100 + JITTER_PERCENT) / 100
}
