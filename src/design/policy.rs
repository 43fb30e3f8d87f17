//! How rows arrive in a table, and when its regions split.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A split policy, by its class in `org.apache.hadoop.hbase.regionserver`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename = "Policy")]
pub enum SplitPolicy {
    /// `ConstantSizeRegionSplitPolicy`.
    ConstantSize,
    /// `IncreasingToUpperBoundRegionSplitPolicy`, the default of HBase 1.
    IncreasingToUpperBound,
    /// `SteppingSplitPolicy`, the default since HBase 2.
    #[default]
    Stepping,
    /// `DisabledRegionSplitPolicy`.
    Disabled,
}

impl SplitPolicy {
    /// The policy of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ConstantSize" => Some(Self::ConstantSize),
            "IncreasingToUpperBound" => Some(Self::IncreasingToUpperBound),
            "Stepping" => Some(Self::Stepping),
            "Disabled" => Some(Self::Disabled),
            _ => None,
        }
    }

    /// A region splits above so many bytes, with this flush size and maximum, when its server holds `on_server`
    /// regions of the table; `None` when it never does.
    pub fn splits_above(self, flush: u64, max: u64, on_server: u64) -> Option<u64> {
        let first = flush.saturating_mul(2);
        match (self, on_server) {
            (Self::Disabled, _) => None,
            (Self::Stepping, 1) => Some(first),
            (Self::ConstantSize | Self::Stepping, _) => Some(max),
            (Self::IncreasingToUpperBound, 1..=100) => {
                Some(first.saturating_mul(on_server.saturating_pow(3)).min(max))
            }
            (Self::IncreasingToUpperBound, _) => Some(max),
        }
    }
}

/// Where in the key space rows arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Arrivals {
    /// Always at the end, as with keys that begin with the time.
    Rising,
    /// Everywhere alike, as with keys that begin with a hash.
    Spread,
    /// Rising, and from the beginning again after so many days.
    Loop(u32),
    /// Rising, in a table of its own for every so many days; dropped when nothing in it lives.
    TablePerPeriod(u32),
}

impl Arrivals {
    /// As in the document.
    pub fn to_json(self) -> Value {
        match self {
            Self::Rising => "rising".into(),
            Self::Spread => "spread".into(),
            Self::Loop(days) => json!({ "loop": days }),
            Self::TablePerPeriod(days) => json!({ "tablePerPeriod": days }),
        }
    }
}
