//! One design on records: what is counted, what is found, and the ways to run it: in memory, in portions, on a sample.

pub mod findings;
mod held;
mod left;
mod measured;
mod memory;
pub mod pass;
mod priced;
pub mod profile;
mod proof;
pub mod report;
pub mod settings;
pub mod stream;
pub mod summary_file;

pub(crate) use held::check_held;
pub use left::{FamilyLeft, VersionsLeft};
pub use measured::{MeasuredTable, TableSize};
pub use memory::{Analysis, ReportOptions};
pub use priced::{CountedPlan, CountedSkips, PlanPrices, PlanPricing, PricedPage, ScanChoice};
