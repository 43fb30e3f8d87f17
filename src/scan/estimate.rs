//! The cost of a plan without records: judged on records that are generated as the document describes.

use super::count::{QueryMatcher, count};
use super::domain::{FieldDomain, read};
use super::plan::plan;
use crate::base::estimate::Estimate;
use crate::base::figures::share;
use crate::design::{Design, Document, GrowthAmount};
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::generate::Generator;
use crate::records::generate::GeneratorSpec;
use serde::Serialize;

/// Records made up to judge by.
const MADE_UP: u64 = 16_384;

/// Rows that a plan reads and returns, as far as it can be told, with their 95% intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlanEstimate {
    /// Always true: the rows are generated.
    pub estimated: bool,
    /// Rows of the table.
    pub rows: u64,
    /// Rows within the ranges.
    pub read: Estimate,
    /// Rows of them that match.
    pub returned: Estimate,
}

/// The rows that each query reads and returns at the end of the time looked ahead (now, when the document tells of no
/// growth in rows); `None` for one that cannot be planned, and for all when the document does not say what records are like.
pub fn estimate(study: &Document, design: &Design) -> Vec<Option<PlanEstimate>> {
    estimated(study, design).unwrap_or_else(|| vec![None; study.queries.len()])
}

fn estimated(study: &Document, design: &Design) -> Option<Vec<Option<PlanEstimate>>> {
    let mut spec: GeneratorSpec = crate::base::json::members_of(study.generate.clone()?).ok()?;
    let growth = study.growth.filter(|growth| growth.amount == GrowthAmount::Rows);
    let rows = growth.map_or(spec.rows, |growth| growth.at_most(None));
    spec.rows = spec.rows.min(MADE_UP);
    let records = Generator::all(&spec, &study.fields).ok()?;
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(&records, &names, &[&design.typed]).encode().pop()?;
    let table = KeyTable::new(keys, 0);
    let of = |domains: Vec<FieldDomain>, query| {
        let plan = plan(&design.typed, &study.fields, query, &domains);
        let matching = QueryMatcher::new(&records, &study.fields, &domains)
            .written_at(&records, study.arrival.as_deref());
        let counted = count(&plan.ranges, &table, &matching);
        // Rows that records to come share are not known: each is taken for one.
        let records = counted.in_records();
        let (read, returned) = match rows > table.len() as u64 {
            true => (records.read, records.returned),
            false => (counted.read, counted.returned),
        };
        let total = |have| {
            // The rows to come are drawn by chance as those made up are: both vary.
            let sampled = table.len() as u64;
            let fewer = |count| share(count, rows, rows.saturating_add(sampled));
            let bounds = Estimate::share(fewer(have), fewer(sampled)).times(Estimate::exact(rows as f64));
            Estimate { value: have as f64 / sampled.max(1) as f64 * rows as f64, ..bounds }
        };
        PlanEstimate { estimated: true, rows, read: total(read), returned: total(returned) }
    };
    let each = |query| Some(of(read(query, &study.fields, "").ok()?, query));
    Some(study.queries.iter().map(each).collect())
}
