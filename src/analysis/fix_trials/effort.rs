//! The cost of reading and storing a design, and where an edit raises it.

use crate::analysis::findings::{DesignFix, PlannedQuery};
use crate::analysis::report::SaidProblem;
use crate::base::Problem;
use crate::base::figures::one_decimal;
use crate::design::Document;
use crate::keys::figures::KeyFigures;
use crate::scan::PlanKind;

/// The cost that a plan alone can only guess, and counting the rows answers.
pub(super) const GUESSED: &str = "finding.cost.reads-more";
/// Costs that tell the number of scans already.
const OF_SCANS: [&str; 3] = ["finding.cost.scans", "finding.cost.time-ranges", "finding.cost.full-scan"];
/// Bytes of a key on average that are not worth a word.
const FEW_BYTES: f64 = 0.05;

/// The rows that queries read of a table, and the length of its keys.
#[derive(Clone)]
pub(in crate::analysis) struct Effort {
    queries: Vec<QueryEffort>,
    /// Bytes of a key on average.
    key_bytes: f64,
    /// Rows with a key.
    rows: u64,
}

/// The cost of a query.
#[derive(Clone)]
struct QueryEffort {
    name: String,
    scans: usize,
    full: bool,
    rows: u64,
}

/// The records that an edit is measured on.
pub(in crate::analysis) struct Measured {
    /// How many.
    pub rows: u64,
    /// Those that they stand for.
    pub of: u64,
}

impl Measured {
    /// True if they are a sample.
    pub fn is_estimated(&self) -> bool {
        self.of > self.rows
    }

    fn all(&self, rows: u64) -> u64 {
        (rows as f64 * self.of as f64 / self.rows.max(1) as f64).round() as u64
    }

    /// A cost with rows in it, by the code for rows that were counted or for those that are estimated.
    fn cost(&self, counted: &'static str, estimated: &'static str) -> Problem {
        Problem::new(if self.is_estimated() { estimated } else { counted })
    }
}

impl Effort {
    /// The effort for a table with these queries and keys.
    pub fn of(study: &Document, asked: &[PlannedQuery], keys: &KeyFigures) -> Self {
        let of_query = |asked: &PlannedQuery| {
            let rows = asked.limited.as_ref().or(asked.counted.as_ref())?;
            Some(QueryEffort {
                name: study.queries.get(asked.query)?.name.clone(),
                scans: asked.plan.ranges.len(),
                full: asked.plan.kind == PlanKind::FullScan,
                rows: rows.read,
            })
        };
        Self {
            queries: asked.iter().filter_map(of_query).collect(),
            key_bytes: keys.bytes as f64 / keys.count.max(1) as f64,
            rows: keys.count,
        }
    }

    /// Each query with its effort after an edit, as its table or one that is added answers it.
    fn pairs<'a>(
        &'a self,
        after: impl Iterator<Item = &'a Self> + Clone,
    ) -> impl Iterator<Item = (&'a QueryEffort, &'a QueryEffort)> {
        let of = move |name: &str| {
            let mut all = after.clone().flat_map(|effort| &effort.queries);
            all.find(|query| query.name == name)
        };
        self.queries.iter().filter_map(move |before| Some((before, of(&before.name)?)))
    }

    /// True if a query reads the whole table that did not before.
    pub fn becomes_full<'a>(&'a self, after: impl Iterator<Item = &'a Self> + Clone) -> bool {
        self.pairs(after).any(|(before, after)| after.full && !before.full)
    }

    /// True if a query takes more scans than before.
    pub fn takes_more_scans<'a>(&'a self, after: impl Iterator<Item = &'a Self> + Clone) -> bool {
        self.pairs(after).any(|(before, after)| after.scans > before.scans)
    }

    /// In what an edit is dearer, besides what it says already.
    pub fn costs<'a>(
        &self,
        own: &'a Self,
        added: impl Iterator<Item = &'a Self>,
        fix: &DesignFix,
        measured: &Measured,
    ) -> Vec<SaidProblem> {
        let mut costs: Vec<Problem> = Vec::new();
        let after: Vec<&Self> = std::iter::once(own).chain(added).collect();
        for (before, after) in self.pairs(after.iter().copied()) {
            let of_query = |cost: Problem| cost.with("query", &before.name);
            let told = |cost: &SaidProblem| {
                OF_SCANS.contains(&cost.code) && cost.args.get("query") == Some(&before.name)
            };
            if after.scans > before.scans && !after.full && !fix.costs.iter().any(told) {
                let cost = of_query(Problem::new("finding.cost.scans"));
                costs.push(cost.with("before", before.scans).with("after", after.scans));
            }
            if after.rows > before.rows {
                let cost = of_query(measured.cost("finding.cost.rows", "finding.cost.rows-estimated"));
                let [before, after] = [before.rows, after.rows].map(|rows| measured.all(rows));
                costs.push(cost.with("before", before).with("after", after));
            }
        }
        let longer = own.key_bytes - self.key_bytes;
        if longer >= FEW_BYTES {
            costs.push(Problem::new("finding.cost.key-bytes").with("bytes", one_decimal(longer)));
        }
        // The rows of a second table are told of already.
        let copied = fix.costs.iter().any(|cost| cost.code == "finding.cost.second-table");
        if fix.rowkey.is_some() || fix.tables.is_some() && !copied {
            let cost = measured.cost("finding.cost.rewrite", "finding.cost.rewrite-estimated");
            costs.push(cost.with("rows", measured.all(self.rows)));
        }
        costs.into_iter().map(Into::into).collect()
    }
}
