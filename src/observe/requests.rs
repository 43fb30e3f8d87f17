//! The answer about requests to a table, as dumps of its counters show them.

use super::heat::HeatObserved;
use crate::base::Problem;
use serde::Serialize;

/// Requests to some regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RequestCounts {
    /// Read requests: gets, rows that scans returned, and one for each increment and append. 0 where a dump has reads and writes in one number.
    pub reads: u64,
    /// Write requests: puts, deletes, increments and appends. 0 where a dump has reads and writes in one number.
    pub writes: u64,
    /// Both together.
    pub requests: u64,
}

impl RequestCounts {
    /// Adds what else was counted.
    pub fn add(&mut self, more: Self) {
        self.reads = self.reads.saturating_add(more.reads);
        self.writes = self.writes.saturating_add(more.writes);
        self.requests = self.requests.saturating_add(more.requests);
    }
}

/// A region with its requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegionRequests {
    /// Encoded name.
    pub region: String,
    /// Start key in `\xNN` notation; `None` if unknown.
    pub start: Option<String>,
    /// End key; `None` if unknown.
    pub end: Option<String>,
    /// `host:port` of the server that holds it, by the last dump.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The same server as the shell's commands name it, where a dump has its start.
    #[serde(skip)]
    pub server_name: Option<String>,
    /// Requests between the first and the last dump; since it was opened, where there is one dump.
    #[serde(flatten)]
    pub counts: RequestCounts,
    /// Milliseconds that these requests took: less than between the first and the last dump where some are missing, or where it was made in between.
    pub covered: i64,
    /// Its counters in the last dump that has it.
    pub last: RequestCounts,
    /// Bytes of its store files in the last dump that says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Fraction of the table's requests of the metric, 0 to 1.
    pub share: f64,
    /// True if it was split or merged away.
    pub gone: bool,
}

/// The regions of a server together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServerRequests {
    /// `host:port`.
    pub server: String,
    /// Regions of the table that it holds, by the last dump.
    pub regions: u64,
    /// Requests while it held their regions.
    #[serde(flatten)]
    pub counts: RequestCounts,
    /// Fraction of the table's requests of the metric, 0 to 1.
    pub share: f64,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// A region was split.
    Split,
    /// A region was made of others.
    Merge,
    /// A region went to another server, where it counts from 0.
    Move,
    /// Counters began anew: the server was restarted, or the table disabled and enabled.
    Reset,
    /// A dump of all servers lacks the region.
    Missing,
}

/// An event between two dumps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RegionEvent {
    /// Milliseconds since the epoch: of the dump that shows it; of a split or a merge the time in the name of the region that it made.
    pub time: i64,
    /// Its kind.
    pub kind: EventKind,
    /// Encoded name of the region.
    pub region: String,
    /// Start key of the region; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The server that holds it now, after a move; the row at which it was cut, after a split.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// Requests to a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestsObserved {
    /// The metric of shares and of the picture: `reads`, `writes`, `requests` or `size`.
    pub metric: &'static str,
    /// Whose counters these are: `server`, `master`, `totals` of `list_regions`, or `rates` of `hbtop`.
    pub origin: &'static str,
    /// Dumps with regions of the table.
    pub dumps: u64,
    /// The first and the last one, milliseconds since the epoch; `None` if unknown.
    pub times: Option<(i64, i64)>,
    /// Requests between them; since the regions were opened, where there is one.
    #[serde(flatten)]
    pub counts: RequestCounts,
    /// The regions by their first rows; those of unknown first row last.
    pub regions: Vec<RegionRequests>,
    /// The servers, busiest first.
    pub servers: Vec<ServerRequests>,
    /// The metric by region and time; none of one dump. Requests between two dumps are spread evenly.
    pub heat: Option<HeatObserved>,
    /// The conclusion, in a sentence.
    pub headline: Problem,
    /// Splits, merges, moves and resets, in the order of their times; at most 1,000.
    pub events: Vec<RegionEvent>,
}
