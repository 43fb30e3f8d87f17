//! Options and answer of a search.

use super::note::SuggestNote;
use super::profile::FieldProfile;
use super::scores::{DesignScores, FrontDesign};
use super::shape::RowShape;
use super::table_of_kinds::KindRowKey;
use crate::base::Problem;
use crate::design::split::MAX_REGIONS;
use crate::scan::CostModel;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The score that a balanced suggestion favors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Prefer {
    /// None.
    #[default]
    Balanced,
    /// Even writes.
    Writes,
    /// Cheap reads.
    Reads,
    /// Few bytes.
    Bytes,
}

impl Prefer {
    /// Its name in options.
    pub const ALL: [(&'static str, Self); 4] = [
        ("balanced", Self::Balanced),
        ("writes", Self::Writes),
        ("reads", Self::Reads),
        ("bytes", Self::Bytes),
    ];

    /// The weights of writes, reads and bytes.
    pub(super) const fn powers(self) -> [i32; 3] {
        match self {
            Self::Balanced => [1, 1, 1],
            Self::Writes => [3, 1, 1],
            Self::Reads => [1, 3, 1],
            Self::Bytes => [1, 1, 3],
        }
    }
}

/// Options of a search.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SuggestOptions {
    /// Most tables of a suggestion: 1 to 3.
    pub tables: usize,
    /// Most regions of a table; without it four for each server, at most 64.
    pub regions: Option<u32>,
    /// Objective that the balanced suggestion favors.
    pub prefer: Prefer,
    /// True if a random salt may be suggested.
    pub allow_random_salt: bool,
    /// Fields that every key holds, or a formula that every key begins with.
    pub keep: Vec<String>,
    /// The constants of the cost model.
    pub cost: CostModel,
    /// Tells one drawing of values from another.
    pub seed: u64,
}

impl Default for SuggestOptions {
    fn default() -> Self {
        Self {
            tables: 2,
            regions: None,
            prefer: Prefer::default(),
            allow_random_salt: false,
            keep: Vec::new(),
            cost: CostModel::default(),
            seed: 0,
        }
    }
}

impl SuggestOptions {
    /// Reads them as JSON text.
    ///
    /// # Errors
    /// `suggest.wrong-options`.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let wrong = |error: serde_json::Error| Problem::new("suggest.wrong-options").with("error", error);
        let options: Self = crate::base::json::members(text).map_err(wrong)?;
        options.check().map(|()| options)
    }

    /// Refuses figures that no search can keep to.
    ///
    /// # Errors
    /// `suggest.wrong-options`.
    pub fn check(&self) -> Result<(), Problem> {
        let wrong = |error: &str| Err(Problem::new("suggest.wrong-options").with("error", error));
        match self.regions {
            _ if !(1..=3).contains(&self.tables) => wrong("tables: 1–3"),
            Some(regions) if !(1..=MAX_REGIONS).contains(&regions) => wrong("regions: 1–1000000"),
            _ => Ok(()),
        }
    }
}

/// How a query is answered by a suggestion.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedQuery {
    /// Its name.
    pub name: String,
    /// The table that it is put to.
    pub table: String,
    /// `nothing`, `get`, `scan` or `fullScan`.
    pub kind: crate::scan::PlanKind,
    /// Scans for the values that it names.
    pub scans: usize,
    /// Regions that these touch.
    pub regions: usize,
    /// Blocks that these read.
    pub blocks: u64,
    /// Rows that these read, up to the limit.
    pub rows_read: u64,
    /// Rows that they return.
    pub rows_returned: u64,
    /// True if a filter drops rows that do not match.
    pub filter: bool,
    /// True if every row read matches.
    pub exact: bool,
    /// True if rows come in the order asked for without sorting; absent where none is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sorted: Option<bool>,
    /// Units, the mean over the values drawn.
    pub cost: f64,
    /// Units of the longest scan, the mean over the values drawn.
    pub latency: f64,
}

/// A suggestion with one choice taken back.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TakenBack {
    /// The choice that is taken back.
    pub choice: SuggestNote,
    /// The row key without it.
    pub rowkey: String,
    /// Its scores less those of the suggestion, on the same records.
    pub change: ScoreChange,
}

/// How scores change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScoreChange {
    /// Change of the hottest region's share.
    pub hottest_region: f64,
    /// Change of the hottest server's share.
    pub hottest_server: f64,
    /// Change of the cost of reads.
    pub reads: f64,
    /// Change of the bytes per row.
    pub bytes_per_row: f64,
    /// Rows more that share a key with another.
    pub repeated_rows: i64,
}

impl ScoreChange {
    /// From one design to another.
    pub(super) fn new(from: &DesignScores, to: &DesignScores) -> Self {
        Self {
            hottest_region: to.hottest_region - from.hottest_region,
            hottest_server: to.hottest_server - from.hottest_server,
            reads: to.reads - from.reads,
            bytes_per_row: to.bytes_per_row - from.bytes_per_row,
            repeated_rows: to.repeated_rows as i64 - from.repeated_rows as i64,
        }
    }
}

/// Rows under another key than before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MovedRows {
    /// Rows with another key.
    pub rewritten: u64,
    /// Rows in another region.
    pub moved: u64,
}

/// A design suggested.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// The design document.
    pub design: Value,
    /// Its row keys, one a table; of a table with several kinds of records, those of its kinds in one text.
    pub rowkeys: Vec<String>,
    /// The row keys of the kinds of records, where the table has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindRowKey>,
    /// The shape of its records, where they are not rows of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<RowShape>,
    /// The first objective in which it is the best.
    pub label: &'static str,
    /// All that it is the best in.
    pub labels: Vec<&'static str>,
    /// Its scores on all records.
    pub scores: DesignScores,
    /// How it answers each query.
    pub queries: Vec<SuggestedQuery>,
    /// Why each part is there.
    pub reasons: Vec<SuggestNote>,
    /// One choice after the other taken back.
    pub without: Vec<TakenBack>,
    /// Row keys that differ by no more than the sample can tell.
    pub ties: Vec<Vec<String>>,
    /// Constants of the cost model with half or twice of which another design takes its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<&'static str>,
    /// Rows that move from the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<MovedRows>,
}

/// The design that the document came with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BaselineDesign {
    /// Its row key.
    pub rowkey: String,
    /// Its scores.
    pub scores: DesignScores,
}

/// A round of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SearchRound {
    /// Records that keys were measured on.
    pub rows: usize,
    /// Keys measured.
    pub candidates: usize,
    /// Those that went on.
    pub kept: usize,
}

/// A well-known key, measured as the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnownAlternative {
    /// Its name: `time-first`, `random-salt`, `full-hash`.
    pub name: &'static str,
    /// Its row key.
    pub rowkey: String,
    /// Its scores.
    pub scores: DesignScores,
    /// Why it lost.
    pub reason: SuggestNote,
}

/// Numbers of designs considered.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Considered {
    /// The rounds.
    pub rounds: Vec<SearchRound>,
    /// Sets of tables on the front.
    pub sets: usize,
    /// Well-known keys.
    pub alternatives: Vec<KnownAlternative>,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestions {
    /// Designs, the balanced one first.
    pub suggestions: Vec<Suggestion>,
    /// All designs that no other beats in everything, at most 60.
    pub front: Vec<FrontDesign>,
    /// The worst factor by which one of them beats the nearest suggestion in a score.
    pub cover: f64,
    /// The design that the document came with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineDesign>,
    /// The fields.
    pub profile: Vec<FieldProfile>,
    /// Numbers of designs considered.
    pub considered: Considered,
    /// Missing input, and its effect on the result.
    pub notes: Vec<SuggestNote>,
    /// Records that scores are of.
    pub rows: u64,
    /// The constants of the cost model.
    pub cost: CostModel,
}
