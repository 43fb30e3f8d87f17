//! Queries: the fewest ranges of row keys that hold every matching row.
//!
//! All is derived from what is known of the key's parts. [`plan`] walks them from the left with a set of prefixes: a
//! part whose fields are known is computed; one with few results is asked value by value; one that keeps the order of
//! a field in a range becomes a range of bytes, and so ends the walk; anything else ends it as it is.

mod chain;
mod choices;
mod cost;
mod count;
mod curve;
mod delivery;
mod domain;
mod estimate;
mod filter;
mod kinds;
mod known;
mod load;
mod ordered;
mod page;
mod phoenix;
mod piece;
mod plan;
mod range;
mod read_range;
mod runs;
mod skip;
mod stamped;
mod template;
mod walk;

pub use chain::{natural_order, period};
pub use cost::{CostModel, ReadCost, RowSize, least_requests};
pub(crate) use cost::{CountedWork, RankedPlan, Sending};
pub use count::{QueryMatcher, RecordsRead, RowCells, RowsRead, count, count_limited, count_plan};
pub use delivery::{OrderBasis, RowDelivery};
pub use domain::{FieldDomain, read};
pub use estimate::{PlanEstimate, estimate};
pub use filter::ScanFilter;
pub use kinds::{among_kinds, domains_of_kind};
pub use known::{KnownRanges, ValueRange};
pub use load::{PopularReads, ReadLoad, popular_reads, reads};
pub use page::{NextPage, last_row, next_page};
pub use phoenix::{PhoenixIndex, PhoenixScan, PhoenixScanKind, is_of_phoenix, phoenix_scan};
pub use plan::{PlanKind, QueryPlan, plan, plan_known, plan_ranges};
pub use range::{KeyRange, covers, regions};
pub(crate) use read_range::PlannedOn;
pub use skip::{SkipScan, skip_scan};
pub use stamped::{StampedTimes, stamped_times};
pub use template::{FuzzyPiece, PlanTemplate, PrefixPiece, RunValue, TemplateEnd, prefix_length, template};

/// Most ranges of a plan: asking for more at once costs more than reading what lies between.
pub const LIMIT: usize = crate::base::limits::RANGES.most as usize;
/// Most periods of a time range that are asked one by one behind a prefix: the days of a year or the hours of three weeks,
/// not the minutes of a day. A seek costs about as much as reading a block of 64 KiB on.
pub const PERIODS: usize = 512;
