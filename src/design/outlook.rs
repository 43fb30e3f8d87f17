//! The `growth` and `cluster` of a document: how much will come, and what it comes to.

use crate::base::json::{Object, Wanted, wrong_type};
use crate::base::units::{DAY_SECONDS, GB, MB};
use crate::base::{Problem, Problems};
use crate::design::{Arrivals, SplitPolicy};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Region servers of a cluster of which a document does not say how many it has.
pub const ASSUMED_SERVERS: u32 = 4;
/// Most of a whole number in a document: the largest that JavaScript holds exactly.
const MOST: u64 = (1 << 53) - 1;
/// No table is beyond this many rows or bytes (1 EiB).
const BEYOND: u128 = 1 << 60;
/// Days after which keys come round, at most.
const LONGEST_PERIOD: u64 = 3660;

/// The unit of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GrowthAmount {
    /// Rows of a table.
    Rows,
    /// Bytes of a table, uncompressed.
    Bytes,
}

impl GrowthAmount {
    /// Names of the members: how much there is, how much comes a day.
    const fn members(self) -> (&'static str, &'static str) {
        match self {
            Self::Rows => ("rowsNow", "rowsPerDay"),
            Self::Bytes => ("bytesNow", "bytesPerDay"),
        }
    }
}

/// How a table will grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Growth {
    /// The unit that the figures count.
    pub amount: GrowthAmount,
    /// How much there is at the start.
    pub now: u64,
    /// How much comes a day.
    pub per_day: u64,
    /// How many months to look ahead.
    pub months: u32,
    /// Where in the key space it comes; where the document does not say, the key and the records have to tell.
    #[serde(skip)]
    pub arrivals: Option<Arrivals>,
}

impl Growth {
    /// Days to look ahead.
    pub fn days(&self) -> u32 {
        (u64::from(self.months) * 365 / 12) as u32
    }

    /// How much there is after so many days when nothing expires.
    pub fn after(&self, days: u32) -> u64 {
        self.now.saturating_add(self.per_day.saturating_mul(u64::from(days)))
    }

    /// How much there is at most while rows live so many seconds; for ever without.
    pub fn at_most(&self, ttl: Option<u32>) -> u64 {
        let lives = ttl.map_or(u32::MAX, |seconds| seconds.div_ceil(DAY_SECONDS as u32));
        let days = self.days();
        let grown = self.after(days);
        if lives >= days {
            grown
        } else {
            grown.min(self.per_day.saturating_mul(u64::from(lives)).max(self.now))
        }
    }

    /// As in the document.
    pub fn to_json(self) -> Value {
        let (now, per_day) = self.amount.members();
        let members =
            [(now, self.now.into()), (per_day, self.per_day.into()), ("months", self.months.into())];
        let mut object: Map<String, Value> =
            members.into_iter().map(|(name, value): (&str, Value)| (name.to_owned(), value)).collect();
        if let Some(arrivals) = self.arrivals {
            object.insert("arrivals".to_owned(), arrivals.to_json());
        }
        object.into()
    }
}

/// Hardware and settings of a region server.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cluster {
    /// Java heap of a region server, GiB.
    #[serde(rename = "heapGB")]
    pub heap_gb: u32,
    /// Share of it for writes: `hbase.regionserver.global.memstore.size`.
    pub memstore_fraction: f64,
    /// A region writes its memory out at this size, MiB: `hbase.hregion.memstore.flush.size`.
    #[serde(rename = "flushMB")]
    pub flush_mb: u32,
    /// A region splits at this size, GiB: `hbase.hregion.max.filesize`.
    #[serde(rename = "maxRegionGB")]
    pub max_region_gb: u32,
    /// Days between major compactions, 0 for none: `hbase.hregion.majorcompaction`.
    pub major_compaction_days: u32,
    /// Rows a second that one region takes, about.
    #[serde(skip_serializing_if = "is_default_of_region")]
    pub region_writes: u32,
    /// Rows a second that one server takes, about.
    #[serde(skip_serializing_if = "is_default_of_server")]
    pub server_writes: u32,
    /// Increments a second that one row takes, about.
    #[serde(skip_serializing_if = "is_default_of_row")]
    pub row_writes: u32,
    /// Requests a second that one region serves, about.
    #[serde(skip_serializing_if = "is_default_of_region")]
    pub region_reads: u32,
    /// Requests a second that one server serves, about.
    #[serde(skip_serializing_if = "is_default_of_server")]
    pub server_reads: u32,
    /// When regions split.
    #[serde(skip_serializing_if = "is_shipped")]
    pub split_policy: SplitPolicy,
}

/// Rows a second that one region takes where the document does not say: small rows, written in batches, with the WAL. As many
/// gets and short scans it serves from the block cache.
const REGION_WRITES: u32 = 10_000;
/// The same of a server.
const SERVER_WRITES: u32 = 20_000;
/// Increments a second that one row takes where the document does not say: HBase holds the lock of the row until the WAL is
/// synced, about a millisecond.
const ROW_WRITES: u32 = 1_000;
/// Most rows a second that a document may give.
const MOST_WRITES: f64 = 1e9;

fn is_default_of_region(writes: &u32) -> bool {
    *writes == REGION_WRITES
}

fn is_default_of_server(writes: &u32) -> bool {
    *writes == SERVER_WRITES
}

fn is_default_of_row(writes: &u32) -> bool {
    *writes == ROW_WRITES
}

fn is_shipped(policy: &SplitPolicy) -> bool {
    *policy == SplitPolicy::default()
}

/// HBase 2.6 as shipped, with a common heap.
impl Default for Cluster {
    fn default() -> Self {
        Self {
            heap_gb: 16,
            memstore_fraction: 0.4,
            flush_mb: 128,
            max_region_gb: 10,
            major_compaction_days: 7,
            region_writes: REGION_WRITES,
            server_writes: SERVER_WRITES,
            row_writes: ROW_WRITES,
            region_reads: REGION_WRITES,
            server_reads: SERVER_WRITES,
            split_policy: SplitPolicy::default(),
        }
    }
}

impl Cluster {
    /// Bytes of a server that hold writes until they are flushed.
    pub fn write_memory(&self) -> u64 {
        (f64::from(self.heap_gb) * GB as f64 * self.memstore_fraction) as u64
    }

    /// Bytes at which a region is flushed.
    pub fn flush(&self) -> u64 {
        u64::from(self.flush_mb) * MB
    }

    /// Bytes at which a region splits.
    pub fn max_region(&self) -> u64 {
        u64::from(self.max_region_gb) * GB
    }

    /// As in the document.
    pub fn to_json(self) -> Value {
        json!(self)
    }
}

fn whole(object: &Object<'_>, name: &str, (least, most): (u64, u64), problems: &mut Problems) -> Option<u64> {
    let within = |value: &Value| value.as_u64().filter(|number| (least..=most).contains(number));
    object.typed(name, Wanted::whole(least.into(), most.into()), within, problems)
}

/// Rows written a second, as the document states it, beside what a region and a server take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WriteRate {
    /// Rows a second.
    pub per_second: f64,
    /// Those that one region takes.
    pub region: f64,
    /// Those that one server takes.
    pub server: f64,
    /// Increments that one row takes.
    pub row: f64,
}

/// The `writesPerSecond` of a document.
pub(super) fn writes_per_second(document: &Object<'_>, problems: &mut Problems) -> Option<f64> {
    let rate = |value: &Value| value.as_f64().filter(|&rate| rate > 0.0 && rate <= MOST_WRITES);
    document.typed("writesPerSecond", Wanted::up_to(1e9), rate, problems)
}

/// The `growth` of a document.
pub(super) fn growth(document: &Object<'_>, problems: &mut Problems) -> Option<Growth> {
    let names = ["rowsNow", "rowsPerDay", "bytesNow", "bytesPerDay", "months", "arrivals"];
    let growth = Object::open(document.get("growth")?, "growth", &names, problems)?;
    let given = |amount: GrowthAmount| {
        let (now, per_day) = amount.members();
        growth.get(now).or(growth.get(per_day)).is_some()
    };
    let amount = if given(GrowthAmount::Bytes) { GrowthAmount::Bytes } else { GrowthAmount::Rows };
    if given(GrowthAmount::Bytes) && given(GrowthAmount::Rows) {
        problems.push(Problem::new("design.growth-in-two").at_path("growth"));
        return None;
    }
    let (now, per_day) = amount.members();
    growth.required(per_day, "json.whole", problems);
    let now = whole(&growth, now, (0, MOST), problems).unwrap_or(0);
    let months = whole(&growth, "months", (1, 120), problems).unwrap_or(12);
    let arrivals = arrivals(&growth, problems);
    let read = Growth {
        amount,
        now,
        per_day: whole(&growth, per_day, (1, MOST), problems)?,
        months: u32::try_from(months).ok()?,
        arrivals,
    };
    let grown = u128::from(read.now) + u128::from(read.per_day) * u128::from(read.days());
    if grown > BEYOND {
        let beyond = Problem::new("growth.beyond").with("grown", grown).with("months", months);
        problems.push(beyond.at_path(growth.at(per_day)));
    }
    Some(read)
}

/// Where in the key space rows come.
fn arrivals(growth: &Object<'_>, problems: &mut Problems) -> Option<Arrivals> {
    let value = growth.get("arrivals")?;
    let named = value.as_str().and_then(|name| match name {
        "rising" => Some(Arrivals::Rising),
        "spread" => Some(Arrivals::Spread),
        _ => None,
    });
    let days = |days: &Value| {
        let days = days.as_u64().filter(|days| (1..=LONGEST_PERIOD).contains(days))?;
        u32::try_from(days).ok()
    };
    let periodic = value.as_object().filter(|object| object.len() == 1).and_then(|object| {
        let looped = object.get("loop").and_then(days).map(Arrivals::Loop);
        looped.or_else(|| object.get("tablePerPeriod").and_then(days).map(Arrivals::TablePerPeriod))
    });
    let found = named.or(periodic);
    if found.is_none() {
        let wanted = "json.arrivals";
        problems.push(wrong_type(&growth.at("arrivals"), wanted, value));
    }
    found
}

/// The `cluster` of a document.
pub(super) fn cluster(document: &Object<'_>, problems: &mut Problems) -> Option<Cluster> {
    let names = [
        "heapGB",
        "memstoreFraction",
        "flushMB",
        "maxRegionGB",
        "majorCompactionDays",
        "regionWrites",
        "serverWrites",
        "rowWrites",
        "regionReads",
        "serverReads",
        "splitPolicy",
    ];
    let cluster = Object::open(document.get("cluster")?, "cluster", &names, problems)?;
    let shipped = Cluster::default();
    let mut number = |name: &str, range: (u64, u64), shipped: u32| {
        whole(&cluster, name, range, problems)
            .and_then(|number| u32::try_from(number).ok())
            .unwrap_or(shipped)
    };
    let mut read = Cluster {
        heap_gb: number("heapGB", (1, 4096), shipped.heap_gb),
        flush_mb: number("flushMB", (1, 1 << 20), shipped.flush_mb),
        max_region_gb: number("maxRegionGB", (1, 1 << 20), shipped.max_region_gb),
        major_compaction_days: number("majorCompactionDays", (0, 3650), shipped.major_compaction_days),
        region_writes: number("regionWrites", (1, 1 << 30), shipped.region_writes),
        server_writes: number("serverWrites", (1, 1 << 30), shipped.server_writes),
        row_writes: number("rowWrites", (1, 1 << 30), shipped.row_writes),
        region_reads: number("regionReads", (1, 1 << 30), shipped.region_reads),
        server_reads: number("serverReads", (1, 1 << 30), shipped.server_reads),
        ..shipped
    };
    let policy = |value: &Value| value.as_str().and_then(SplitPolicy::named);
    let wanted = "json.split-policy";
    read.split_policy = cluster.typed("splitPolicy", wanted, policy, problems).unwrap_or_default();
    let before = problems.len();
    // HBase needs a fifth of the heap for itself: HConstants.HBASE_CLUSTER_MINIMUM_MEMORY_THRESHOLD.
    let fraction = |value: &Value| value.as_f64().filter(|&share| share > 0.0 && share <= 0.8);
    let share = cluster.typed("memstoreFraction", Wanted::up_to(0.8), fraction, problems);
    read.memstore_fraction = share.unwrap_or(shipped.memstore_fraction);
    if problems.len() == before && read.write_memory() < read.flush() {
        let problem = Problem::new("cluster.memory-below-flush")
            .with("memory", read.write_memory() / MB)
            .with("flush", read.flush_mb);
        problems.push(problem.at_path("cluster"));
    }
    if read.flush() > read.max_region() {
        let problem = Problem::new("cluster.flush-above-region")
            .with("flush", read.flush_mb)
            .with("region", read.max_region_gb);
        problems.push(problem.at_path("cluster"));
    }
    Some(read)
}
