//! The figure that shares and pictures of counters are of.

use crate::observe::requests::RequestCounts;

/// The figure that shares and pictures are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Read requests.
    Reads,
    /// Write requests.
    Writes,
    /// Both.
    Requests,
    /// Bytes of store files.
    Size,
}

impl Metric {
    /// All of them, with their names.
    pub const NAMED: [(&'static str, Self); 4] = [
        ("reads", Self::Reads),
        ("writes", Self::Writes),
        ("requests", Self::Requests),
        ("size", Self::Size),
    ];

    /// By its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, metric)| metric)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMED.into_iter().find(|(_, metric)| *metric == self).map_or("", |(name, _)| name)
    }

    pub(super) const fn of(self, counts: &RequestCounts) -> u64 {
        match self {
            Self::Reads => counts.reads,
            Self::Writes => counts.writes,
            Self::Requests | Self::Size => counts.requests,
        }
    }

    /// The sentence that names it.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Reads => "observe.metric-reads",
            Self::Writes => "observe.metric-writes",
            Self::Requests | Self::Size => "observe.metric-requests",
        }
    }
}
