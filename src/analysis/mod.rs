//! One design on records: what is counted, what is found, and the ways to run it: in memory, in portions, on a sample.

pub mod anonymize;
pub mod counter;
pub mod findings;
mod fix_trials;
mod measured;
mod memory;
mod plan_cost;
pub mod report;
mod required;
mod retained;
pub mod settings;
pub mod stream;
pub mod summary_file;

pub use measured::{MeasuredTable, TableSize};
pub use memory::{Analysis, ReportOptions};
pub use plan_cost::{CountedSkips, PlanCost, PlanPrices, PlanPricing, PricedPage, ScanChoice};
pub(crate) use required::require_columns;
pub use retained::{FamilyLeft, RetainedVersions};
