//! Plans priced on records: requests, blocks, the next page, short scans against one long scan.

use crate::base::Problem;
use crate::base::figures::one_decimal;
use crate::bytes::row::to_string_binary;
use crate::design::split::SplitPoints;
use crate::formula::typed::TypedFormula;
use crate::hbase::storage::stored::StoredFamilies;
use crate::hbase::storage::table::{KeyLengths, storage};
use crate::keys::table::KeyTable;
use crate::records::Records;
use crate::records::field::Field;
use crate::scan::{
    self, CostModel, FieldDomain, KeyRange, NextPage, PlanKind, PlannedOn, QueryMatcher, QueryPlan,
    RankedPlan, ReadCost, RowSize, RowsRead, SkipScan,
};
use serde::Serialize;

/// A plan of a query with what it costs on the records at hand.
pub struct PlanCost {
    /// The plan.
    pub plan: QueryPlan,
    /// Rows in its ranges.
    pub counted: RowsRead,
    /// Rows read up to the limit of the query, where reading can stop there.
    pub limited: Option<RowsRead>,
    /// Short scans that read fewer rows; of a plan that is priced, those that cost less.
    pub skipping: Option<CountedSkips>,
    /// The prices, where they are asked for.
    pub prices: Option<PlanPrices>,
}

impl PlanCost {
    /// That of all records, where it was counted on a sample: one record in `factor`. `known`: rows counted on all of them.
    /// The row behind a limit is not known, nor how many more rows other scans read.
    pub(super) fn of_all(self, factor: f64, known: Option<RowsRead>) -> Self {
        let counted = known.unwrap_or_else(|| self.counted.scaled(factor));
        let limit = self.plan.stops_after.filter(|_| self.limited.is_some()).map(u64::from);
        // Where the sample has as many rows, all records have them as close together.
        let enough = |limited: &RowsRead| limit.is_some_and(|limit| limited.returned >= limit);
        let near = self.limited.filter(enough).map(|rows| RowsRead { estimated: true, ..rows });
        Self {
            limited: near.or_else(|| limit.map(|limit| counted.up_to(limit))),
            counted,
            skipping: self.skipping.map(|skips| CountedSkips { rows: skips.rows.scaled(factor), ..skips }),
            prices: self.prices.map(|prices| PlanPrices { next: None, ..prices }),
            plan: self.plan,
        }
    }
}

/// One short scan for each known value of fields that a query does not ask for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CountedSkips {
    /// The fields.
    pub fields: Vec<String>,
    /// Number of scans.
    pub scans: u64,
    /// Rows that they read and return.
    #[serde(flatten)]
    pub rows: RowsRead,
}

/// How plans are priced.
#[derive(Clone, Copy, Default)]
pub struct PlanPricing<'a> {
    /// The column families, which tell the bytes of a row.
    pub families: StoredFamilies<'a>,
    /// The constants of the cost model.
    pub model: CostModel,
    /// Rows that each query reads of all records, counted while the records of a sample were drawn from them.
    pub known: &'a [Option<RowsRead>],
}

/// The prices of a plan.
pub struct PlanPrices {
    /// The cost of the plan, up to its limit.
    pub cost: ReadCost,
    /// The rows behind those that the limit leaves, where there are any.
    pub next: Option<PricedPage>,
    /// Short scans against one long scan, where both answer the query.
    pub choice: Option<ScanChoice>,
}

/// A page of a result behind its last row.
pub struct PricedPage {
    /// The last row delivered before.
    pub after: Vec<u8>,
    /// The plan of the rows behind it.
    pub page: NextPage,
    /// Rows read and returned.
    pub rows: RowsRead,
    /// The cost.
    pub cost: ReadCost,
}

/// Short scans against one long scan, priced with the same constants.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScanChoice {
    /// True if the short scans cost less.
    pub short: bool,
    /// Number of short scans.
    pub scans: u64,
    /// The fields whose known values are asked for one by one; none where the plan itself has several ranges.
    pub fields: Vec<String>,
    /// The long scan, as rows in the shell's notation.
    pub long: [String; 2],
    /// The cost of the short scans.
    #[serde(rename = "shortCost")]
    pub short_cost: ReadCost,
    /// The cost of the long scan.
    #[serde(rename = "longCost")]
    pub long_cost: ReadCost,
}

impl ScanChoice {
    /// The sentence that says which is offered, with both figures; none where the plan is what is offered.
    pub fn reason(&self) -> Option<Problem> {
        let code = match (self.short, self.fields.is_empty()) {
            (true, false) => "plan.short-scans-cheaper",
            (false, false) => "plan.long-scan-cheaper",
            (false, true) => "plan.one-scan-cheaper",
            (true, true) => return None,
        };
        let [short, long] = [self.short_cost, self.long_cost].map(|cost| one_decimal(cost.units));
        let reason = Problem::new(code).with("count", self.scans).with("short", short).with("long", long);
        Some(match self.fields.is_empty() {
            true => reason,
            false => reason.with("fields", self.fields.join(", ")),
        })
    }
}

/// A query on records, to be priced.
pub(super) struct Pricer<'a> {
    pub typed: &'a TypedFormula,
    pub fields: &'a [Field],
    pub records: &'a Records,
    pub table: &'a KeyTable,
    pub families: StoredFamilies<'a>,
    /// The field that tells when a record is written.
    pub arrival: Option<&'a str>,
    pub points: &'a SplitPoints,
    pub model: &'a CostModel,
    pub size: RowSize,
}

/// The size of a row with the keys of a table.
pub(super) fn row_size(families: StoredFamilies<'_>, table: &KeyTable) -> RowSize {
    let lengths = table.lengths();
    let keys = KeyLengths { cells: table.cells().map(Into::into), ..lengths.into() };
    storage(families, &keys, lengths.count).row_size()
}

impl<'a> Pricer<'a> {
    /// The prices of a plan that returns so many rows, and the short scans that would answer the query, too.
    pub fn prices(
        &self,
        domains: &[FieldDomain],
        plan: &QueryPlan,
        counted: RowsRead,
        skips: Option<(&SkipScan, &CountedSkips)>,
    ) -> PlanPrices {
        let cost = self.cost(plan, counted, domains);
        PlanPrices {
            choice: self.choice(domains, (plan, cost), counted, skips),
            next: self.next(domains, (plan, plan.stops_after), counted),
            cost,
        }
    }

    fn matching<'m>(&'m self, domains: &'m [FieldDomain]) -> QueryMatcher<'m> {
        QueryMatcher::new(self.records, self.fields, domains).in_cells(
            self.families,
            (self.records, self.fields),
            domains,
            self.arrival,
        )
    }

    fn cost(&self, plan: &QueryPlan, counted: RowsRead, domains: &[FieldDomain]) -> ReadCost {
        let factor = self.records.all_rows() as f64 / self.records.rows.max(1) as f64;
        let matched = counted.in_records().returned as f64 * factor;
        let on = PlannedOn { table: self.table, points: self.points, factor, matched };
        let matching = || self.matching(domains);
        self.model.read_cost(&RankedPlan::new(plan.clone(), self.table), self.size, &on, &matching)
    }

    /// The page behind the one that the limit ends.
    fn next(
        &self,
        domains: &[FieldDomain],
        (plan, limit): (&QueryPlan, Option<u32>),
        counted: RowsRead,
    ) -> Option<PricedPage> {
        let more = plan.stops_after.is_some_and(|most| u64::from(most) < counted.returned);
        let matching = self.matching(domains);
        let last = more.then(|| scan::last_row(plan, self.skipped(domains), self.table, &matching))??;
        Some(self.page(domains, (plan, limit), last).ok()?.0)
    }

    fn skipped(&self, domains: &[FieldDomain]) -> Option<usize> {
        scan::prefix_length(self.typed, domains)
    }

    /// The page behind a row, and what it reads and returns without its limit.
    ///
    /// # Errors
    /// `plan.after-outside` if the plan does not read the row.
    fn page(
        &self,
        domains: &[FieldDomain],
        (plan, limit): (&QueryPlan, Option<u32>),
        after: Vec<u8>,
    ) -> Result<(PricedPage, RowsRead), Problem> {
        let mut page = scan::next_page(plan, self.skipped(domains), &after)?;
        let matching = self.matching(domains);
        if let (Some(limit), Some(tied)) = (limit, page.plan.delivery.tied) {
            // Rows that tie with the last one come first once more: as many are read beyond the limit.
            let again = KeyRange::prefix(after.get(..tied).unwrap_or(&after));
            let again = scan::count(&[again], self.table, &matching).returned;
            page.plan.stops_after = Some(limit.saturating_add(u32::try_from(again).unwrap_or(u32::MAX)));
        }
        let counted = scan::count_plan(&page.plan, self.table, &matching);
        let cost = self.cost(&page.plan, counted, domains);
        let rows = scan::count_limited(&page.plan, self.table, &matching).unwrap_or(counted);
        Ok((PricedPage { after, page, rows, cost }, counted))
    }

    /// The plan of the page behind a row, counted and priced.
    ///
    /// # Errors
    /// `plan.after-outside` if the plan does not read the row.
    pub fn planned_page(
        &self,
        domains: &[FieldDomain],
        plan: &QueryPlan,
        after: Vec<u8>,
    ) -> Result<PlanCost, Problem> {
        let limit = plan.stops_after;
        let (PricedPage { page, rows, cost, .. }, counted) = self.page(domains, (plan, limit), after)?;
        let next = self.next(domains, (&page.plan, limit), counted);
        let limited = page.plan.stops_after.map(|_| rows);
        let prices = Some(PlanPrices { cost, next, choice: None });
        Ok(PlanCost { plan: page.plan, counted, limited, skipping: None, prices })
    }

    /// Short scans against one long scan: those of known values against the plan, or the ranges of the plan against all from the
    /// first to the last, unless rows of several scans have to be merged or come in turn.
    fn choice(
        &self,
        domains: &[FieldDomain],
        (plan, cost): (&QueryPlan, ReadCost),
        counted: RowsRead,
        skips: Option<(&SkipScan, &CountedSkips)>,
    ) -> Option<ScanChoice> {
        let [first, last] = [plan.ranges.first()?, plan.ranges.last()?];
        let long = [to_string_binary(&first.start), to_string_binary(&last.stop)];
        if let Some((skip, counted)) = skips.filter(|_| plan.ranges.len() == 1) {
            let short_cost = self.cost(&skip.plan, counted.rows, domains);
            let fields = counted.fields.clone();
            let (short, scans) = (short_cost.units < cost.units, counted.scans);
            return Some(ScanChoice { short, scans, fields, long, short_cost, long_cost: cost });
        }
        let apart = plan.delivery.merge || !plan.turns.is_empty();
        if plan.kind != PlanKind::Scan || plan.ranges.len() < 2 || apart {
            return None;
        }
        let whole = KeyRange { start: first.start.clone(), stop: last.stop.clone() };
        let kind = if whole.is_all() { PlanKind::FullScan } else { PlanKind::Scan };
        let one = QueryPlan { kind, ranges: vec![whole], exact: false, ..plan.clone() };
        let long_cost = self.cost(&one, counted, domains);
        let (short, scans) = (cost.units <= long_cost.units, plan.ranges.len() as u64);
        Some(ScanChoice { short, scans, fields: Vec::new(), long, short_cost: cost, long_cost })
    }
}
