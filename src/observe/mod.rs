//! A table as HBase's own files show it: which keys were written, when, and how many bytes they take.
//!
//! A host names files and gives their bytes as they are asked for ([`Observer`]); which files count, what is read of them and what it means
//! is decided here. Memory is bounded: rows are counted one by one while there is room, then by ranges of keys.

mod answer;
#[cfg(feature = "formats")]
mod borders;
#[cfg(feature = "formats")]
mod counters;
#[cfg(all(feature = "formats", feature = "cli"))]
mod designed;
#[cfg(feature = "formats")]
mod dump_file;
#[cfg(feature = "formats")]
mod files;
#[cfg(feature = "formats")]
mod headline;
mod heat;
#[cfg(feature = "formats")]
mod observer;
#[cfg(feature = "formats")]
mod paths;
mod prediction;
#[cfg(feature = "formats")]
mod prefixes;
#[cfg(feature = "formats")]
mod reading;
mod redact;
mod requests;
#[cfg(feature = "formats")]
mod seen;
#[cfg(feature = "formats")]
mod table;
#[cfg(feature = "formats")]
mod tally;
#[cfg(all(feature = "formats", feature = "cli"))]
mod watched;

pub use answer::{
    FamilyObserved, FieldShare, FileObserved, HotKey, KeyFields, KeysByDesign, ObservedCounts,
    ObservedRegion, ObservedTable, ObservedTables,
};
#[cfg(feature = "formats")]
pub use counters::Metric;
#[cfg(all(feature = "formats", feature = "cli"))]
pub use designed::ObservedDesign;
pub use heat::HeatObserved;
#[cfg(feature = "formats")]
pub use observer::{Depth, GivenFile, ObserveOptions, ObserveStep, Observer};
pub use prediction::{ComparedRegion, ObservedLoad, Prediction};
pub use requests::{EventKind, RegionEvent, RegionRequests, RequestCounts, RequestsObserved, ServerRequests};
#[cfg(all(feature = "formats", feature = "cli"))]
pub(crate) use watched::{Watched, entry};
