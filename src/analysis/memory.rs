//! One design on records: encoded and sorted once, reported on as often as asked.

use crate::analysis::counter::Counter;
use crate::analysis::findings::{
    DesignFix, Evidence, Finding, KeyFacts, PlannedQuery, Review, add_of_kinds, findings, tell_counted,
};
use crate::analysis::fix_trials::{Effort, FixTrials, Harm, JudgedTable, TrialKeys, description_of_keys};
use crate::analysis::plan_cost::{CountedSkips, PlanCost, PlanPricing, Pricer, ScanChoice, row_size};
use crate::analysis::report::{KeyFaults, KnownValues, PreparedReport, Report, TimeAxis, WriteTraits};
use crate::analysis::required::require_columns;
use crate::analysis::retained::{RetainedVersions, left};
use crate::base::Problem;
use crate::bytes::sort::sort_distinct;
use crate::bytes::strings::ByteStrings;
use crate::design::split::{SplitPoints, Splits};
use crate::design::{Design, Document, OperationField, Query};
use crate::formula::typed::TypedFormula;
use crate::keys::decode::{Collision, collision, collision_among};
use crate::keys::encode::{EncodedKeys, Encoder, FirstKeys};
use crate::keys::table::KeyTable;
use crate::records::field::Field;
use crate::records::{ColumnValues, Records};
use crate::scan::{self, KnownRanges, QueryMatcher, ReadLoad, RowsRead, SkipScan};
use crate::summary::{Summary, fingerprint};
use serde::Deserialize;
use std::rc::Rc;

/// Optional parts of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ReportOptions {
    /// Split points in place of the design's: its `splits` member as JSON text.
    pub splits: Option<String>,
    /// Equal buckets on the time axis; without it a step of the calendar that suits the records.
    pub time_buckets: Option<u32>,
    /// A time axis of one's own, of a sample that of all records: its start and span in milliseconds, and its buckets.
    pub axis: Option<(i64, u64, u16)>,
    /// True if the bytes of row keys are wanted by region and time, too.
    pub key_bytes: bool,
    /// Number of region servers in place of the design's.
    pub servers: Option<u32>,
    /// How many of the most frequent values of each text field to list; default 10.
    pub top: Option<usize>,
}

/// Queries, and the description of the table that they ask.
type AskedQueries = (String, Vec<Query>);

/// All that a report depends on besides split points and what is known of the writes.
#[derive(PartialEq)]
struct PreparedBy {
    buckets: Option<u32>,
    axis: Option<TimeAxis>,
    top: usize,
    operation: Option<OperationField>,
}

/// Reports that are kept prepared.
const MOST_PREPARED: usize = 2;

/// The most frequent values listed when nothing else is asked for.
const TOP: usize = 10;

/// A design applied to records.
pub struct Analysis {
    records: Rc<Records>,
    fields: Vec<Field>,
    typed: TypedFormula,
    points: SplitPoints,
    arrival: Option<String>,
    operation: Option<OperationField>,
    writes: WriteTraits,
    table: KeyTable,
    /// Reports on the time axes last asked for, the last one first: that on show and that of the findings take turns.
    prepared: Vec<(PreparedBy, PreparedReport)>,
    /// Faults of the keys under writes of a kind and rate, which no split changes.
    faults: Option<(WriteTraits, KeyFaults)>,
    /// The rows that queries read, which no split changes.
    asked: Option<(AskedQueries, Vec<PlannedQuery>)>,
    facts: KeyFacts,
    tried: Option<FixTrials<Self>>,
    /// True if little is kept for further findings.
    once: bool,
}

/// Some keys in HBase's order, as columns.
#[derive(Clone, Debug, Default)]
pub struct KeyRows {
    /// The keys.
    pub keys: ByteStrings,
    /// Record of each key.
    pub rows: Vec<u32>,
    /// Its number among all records, from 1: of a sample, in what it was taken from.
    pub numbers: Vec<u64>,
    /// Arrival of each in milliseconds, when it is known.
    pub times: Vec<Option<i64>>,
    /// Where each part of each key ends within it: as many numbers a key as the formula has parts.
    pub spans: Vec<u32>,
}

impl Analysis {
    /// Encodes and sorts the keys of all records under table number `table` of a study.
    ///
    /// # Errors
    /// `design.no-such-table`; splits that HBase would reject; `records.field-not-held` when the records have no column of a field
    /// in use.
    pub fn of(study: &Document, table: usize, records: Rc<Records>) -> Result<Self, Problem> {
        Self::after(study, table, records, FirstKeys::default())
    }

    /// The same where the keys of the first records were made before.
    ///
    /// # Errors
    /// As [`Analysis::of`].
    pub fn after(
        study: &Document,
        table: usize,
        records: Rc<Records>,
        first: FirstKeys,
    ) -> Result<Self, Problem> {
        let typed = &study.table(table)?.typed;
        require_columns(&records, &study.fields, typed, study.arrival.as_deref())?;
        let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
        let encoder = Encoder::new(&records, &names, &[typed]);
        let keys = encoder.encode_after(first).or_else(|| encoder.encode().pop()).unwrap_or_default();
        drop(encoder);
        Self::of_keys(study, table, records, keys)
    }

    /// The same of `keys` that the formula has made of all records.
    ///
    /// # Errors
    /// `design.no-such-table`; splits that HBase would reject.
    pub fn of_keys(
        study: &Document,
        table: usize,
        records: Rc<Records>,
        keys: EncodedKeys,
    ) -> Result<Self, Problem> {
        let design = study.table(table)?;
        let table = KeyTable::new(keys, 0);
        let points = design.splits.points_for(&table)?;
        let writes = WriteTraits::of(study, design, &records);
        Ok(Self {
            records,
            fields: study.fields.clone(),
            typed: design.typed.clone(),
            points,
            arrival: study.arrival.clone(),
            operation: study.operation.clone(),
            writes,
            table,
            prepared: Vec::new(),
            faults: None,
            asked: None,
            facts: KeyFacts::default(),
            tried: None,
            once: false,
        })
    }

    /// The same, for findings that are asked for once: less is kept for the next.
    pub fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// True if a hundredth of the rows or more share their key with an earlier one.
    pub(in crate::analysis) fn repeated(&self) -> bool {
        self.table.duplicates().rows * 100 >= self.table.len()
    }

    /// The counts of the records by their values: rows read and returned by the queries, the values
    /// of fields and of leading parts.
    pub fn summary(&self, study: &Document) -> Summary {
        let counted = study.named_fields();
        let designs = [(&self.typed, &self.points)];
        let arrival = self.arrival.as_deref();
        let pass =
            Counter::of_study(fingerprint(study), &self.fields, &designs, arrival, &study.queries, &counted);
        let mut pass = pass.with_operation(study.operation.as_ref());
        pass.add(&self.records);
        pass.summary()
    }

    /// Values and queries; the `most` busiest values of each field and of the leading parts.
    pub fn known(&self, study: &Document, most: usize) -> KnownValues {
        KnownValues::of(&self.summary(study), 0, study, &self.typed, most)
    }

    /// Where the rows land. Only what the options change is counted anew.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn report(&mut self, options: &ReportOptions) -> Result<Report, Problem> {
        let points = match &options.splits {
            Some(json) => Splits::from_text(json)?.points_for(&self.table)?,
            None => self.points.clone(),
        };
        Ok(self.landed(&points, (self.writes, self.operation.clone()), options))
    }

    /// The report under table number `table` of a study with the row key of this analysis, whose splits, servers and writes may differ.
    ///
    /// # Errors
    /// `design.no-such-table`; splits that HBase would reject.
    pub fn report_of(
        &mut self,
        study: &Document,
        table: usize,
        options: &ReportOptions,
    ) -> Result<Report, Problem> {
        let design = study.table(table)?;
        let other = options.splits.as_deref().map(Splits::from_text).transpose()?;
        let points = other.as_ref().unwrap_or(&design.splits).points_for(&self.table)?;
        Ok(self.landed(&points, (self.writes.under(study, design), study.operation.clone()), options))
    }

    fn landed(
        &mut self,
        points: &SplitPoints,
        (writes, operation): (WriteTraits, Option<OperationField>),
        options: &ReportOptions,
    ) -> Report {
        let writes = writes.on(options.servers.or(writes.servers));
        let faults = self.faults(writes);
        let by = PreparedBy {
            buckets: options.time_buckets,
            axis: options.axis.and_then(TimeAxis::of_parts),
            top: options.top.unwrap_or(TOP),
            operation,
        };
        let known = self.prepared.iter().position(|(known, _)| *known == by);
        let mut prepared = match known {
            Some(known) => self.prepared.remove(known).1,
            None => self.prepare(&by),
        };
        prepared.set_writes(writes);
        prepared.set_faults(faults);
        let mut report = prepared.report(&self.table, points);
        if options.key_bytes {
            report.key_bytes = Some(prepared.key_bytes(&self.table, points, report.regions_per_heat_row));
        }
        self.prepared.truncate(MOST_PREPARED - 1);
        self.prepared.insert(0, (by, prepared));
        report.on_servers(writes.servers)
    }

    fn faults(&mut self, writes: WriteTraits) -> KeyFaults {
        let known = self.faults.take().filter(|(before, _)| *before == writes);
        let arrival = self.arrival.as_deref();
        let (formula, held) = ((&self.typed, self.fields.as_slice()), (&*self.records, &self.table));
        let (_, faults) = self
            .faults
            .insert(known.unwrap_or_else(|| (writes, KeyFaults::of(formula, held, arrival, writes))));
        faults.clone()
    }

    fn prepare(&self, by: &PreparedBy) -> PreparedReport {
        let mut prepared = PreparedReport::new(&self.table, &self.records);
        prepared.set_time(&self.table, &self.records, self.arrival.as_deref(), by.buckets, by.axis);
        if let Some(operation) = &by.operation {
            prepared.set_operation(&self.table, &self.records, operation);
        }
        let mut used: Vec<usize> = self.typed.parts.iter().flat_map(|part| part.fields.clone()).collect();
        sort_distinct(&mut used);
        let names: Vec<&str> = used
            .iter()
            .filter_map(|&field| self.fields.get(field))
            .map(|field| field.name.as_str())
            .collect();
        prepared.set_busiest(&self.records, &names, by.top);
        prepared
    }

    /// The findings about table number `table` of a study that has the row key of this analysis; its splits may be others.
    ///
    /// # Errors
    /// `design.no-such-table`; splits that HBase would reject.
    pub fn findings(&mut self, study: &Document, table: usize) -> Result<Vec<Finding>, Problem> {
        let mut judged = self.judged(study, table, true)?;
        if judged.found.iter().any(|finding| finding.fix.is_some()) {
            let tried = self.tried.get_or_insert_with(|| FixTrials::on(&self.records, self.once));
            tried.keep_proven((study, table), &mut judged);
        }
        Ok(judged.found)
    }

    /// The findings on a sample of the records that a report counted. Rejected records are those of the report, as they were counted.
    ///
    /// # Errors
    /// As of [`Self::findings`].
    pub fn findings_of(
        &mut self,
        study: &Document,
        table: usize,
        counted: &Report,
    ) -> Result<Vec<Finding>, Problem> {
        let mut found = self.findings(study, table)?;
        let design = study.table(table)?;
        let points = design.splits.points_for(&self.table)?;
        let evidence = Some(Evidence::new((&self.records, &self.table), counted, &self.facts));
        let asked = Vec::new();
        tell_counted(&Review { study, design, points: &points, evidence, asked, fixes: false }, &mut found);
        Ok(found)
    }

    /// The fix of a finding as it helps all the records, where [`Self::findings`] measured it on a sample: another one where that
    /// does not help all, and none where none does. `finding` is its place among the findings of the same document.
    ///
    /// # Errors
    /// As of [`Self::findings`].
    pub fn proven_fix(
        &mut self,
        study: &Document,
        table: usize,
        finding: usize,
    ) -> Result<Option<DesignFix>, Problem> {
        let mut judged = self.judged(study, table, true)?;
        for (_, other) in judged.found.iter_mut().enumerate().filter(|(place, _)| *place != finding) {
            (other.fix, other.others) = (None, Vec::new());
        }
        FixTrials::<Self>::on_all(&self.records).keep_proven((study, table), &mut judged);
        Ok(judged.found.into_iter().nth(finding).and_then(|finding| finding.fix))
    }

    /// Lets go of all that is kept for the next findings.
    pub fn forget_findings(&mut self) {
        (self.facts, self.tried, self.asked) = (KeyFacts::default(), None, None);
    }

    /// The versions of cells left of the records once a major compaction has run, under the families of a design that has the row
    /// key of this analysis.
    pub fn left(&self, design: &Design) -> RetainedVersions {
        left(&self.table, &self.records, self.arrival.as_deref(), design)
    }

    /// At most `count` keys in order, from rank `first` on.
    pub fn keys(&self, first: usize, count: usize) -> KeyRows {
        let names: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        let chosen: Vec<(u32, &[u8])> = self.table.iter_from(first).take(count).collect();
        let rows: Vec<u32> = chosen.iter().map(|&(row, _)| row).collect();
        let arrival = self.arrival.as_ref().and_then(|arrival| self.records.column(arrival));
        let time = |row: u32| match arrival.map(|column| (&column.values, &column.invalid)) {
            Some((ColumnValues::Integers(times), invalid)) if !invalid.get(row as usize) => {
                times.get(row as usize).copied()
            }
            _ => None,
        };
        let mut all = KeyRows { times: rows.iter().map(|&row| time(row)).collect(), ..KeyRows::default() };
        // Computed row by row: nothing is prepared for whole dictionaries.
        let parts = Encoder::new(&self.records, &names, &[]).parts(&self.typed, &rows);
        for (index, &(_, key)) in chosen.iter().enumerate() {
            all.keys.push(key);
            let mut end = 0;
            for part in &parts {
                end += part.get(index).len() as u32;
                all.spans.push(end);
            }
        }
        let number = |&row: &u32| self.records.number(row as usize).unwrap_or(u64::from(row) + 1);
        all.numbers = rows.iter().map(number).collect();
        all.rows = rows;
        all
    }

    /// Rows read and returned by a plan of each query; `None` for one that asks what its fields cannot hold.
    pub fn counted(&self, queries: &[Query]) -> Vec<Option<RowsRead>> {
        self.planned(queries).into_iter().map(|planned| Some(planned?.counted)).collect()
    }

    /// A plan of each query with the rows it reads; `None` for one that asks what its fields cannot hold.
    pub fn planned(&self, queries: &[Query]) -> Vec<Option<PlanCost>> {
        self.planned_at(queries, None)
    }

    /// The same with prices.
    pub fn priced(&self, queries: &[Query], pricing: &PlanPricing<'_>) -> Vec<Option<PlanCost>> {
        self.planned_at(queries, Some(pricing))
    }

    fn planned_at(&self, queries: &[Query], pricing: Option<&PlanPricing<'_>>) -> Vec<Option<PlanCost>> {
        let (typed, fields, records) = (&self.typed, &self.fields, &*self.records);
        let known = KnownRanges::of(records, fields, queries);
        let pricer = pricing.map(|pricing| self.pricer(pricing));
        let families = pricing.map(|pricing| pricing.families).unwrap_or_default();
        let planned = |query: &Query| {
            let domains = scan::read(query, fields, "").ok()?;
            let mut plan = scan::plan_known(typed, fields, query, &domains, &known);
            let matching = QueryMatcher::new(records, fields, &domains).in_cells(
                families,
                (records, fields),
                &domains,
                self.arrival.as_deref(),
            );
            let counted = scan::count_plan(&plan, &self.table, &matching);
            let skip = scan::skip_scan(typed, fields, query, &domains, records, &known);
            let skipping = skip.as_ref().map(|skip| self.skips(skip, &matching));
            let limited = scan::count_limited(&plan, &self.table, &matching);
            let prices = pricer
                .as_ref()
                .map(|pricer| pricer.prices(&domains, &plan, counted, skip.as_ref().zip(skipping.as_ref())));
            let choice = prices.as_ref().and_then(|prices| prices.choice.as_ref());
            let cheaper = choice.filter(|choice| !choice.fields.is_empty()).map(|choice| choice.short);
            plan.reasons.extend(choice.and_then(ScanChoice::reason));
            let skipping = skipping.filter(|skipping| cheaper.unwrap_or(skipping.rows.read < counted.read));
            Some(PlanCost { plan, counted, limited, skipping, prices })
        };
        let known = pricing.map_or(&[][..], |pricing| pricing.known);
        let rows = |(index, query)| Some(self.of_all(planned(query)?, known.get(index).copied().flatten()));
        queries.iter().enumerate().map(rows).collect()
    }

    /// A plan for all records, where these are a sample of them.
    fn of_all(&self, planned: PlanCost, known: Option<RowsRead>) -> PlanCost {
        let (all, held) = (self.records.all_rows(), self.records.rows as u64);
        if all == held { planned } else { planned.of_all(all as f64 / held.max(1) as f64, known) }
    }

    fn skips(&self, SkipScan { fields, plan }: &SkipScan, matching: &QueryMatcher<'_>) -> CountedSkips {
        CountedSkips {
            fields: fields.iter().filter_map(|&field| Some(self.fields.get(field)?.name.clone())).collect(),
            scans: plan.ranges.len() as u64,
            rows: scan::count(&plan.ranges, &self.table, matching),
        }
    }

    /// The plan of the page of a query behind a row that it returned.
    ///
    /// # Errors
    /// Values that its fields cannot hold; `plan.after-outside` if its plan does not read the row.
    pub fn page(
        &self,
        query: &Query,
        pricing: &PlanPricing<'_>,
        after: Vec<u8>,
    ) -> Result<PlanCost, Vec<Problem>> {
        let domains = scan::read(query, &self.fields, "")?;
        let known = KnownRanges::of(&self.records, &self.fields, std::slice::from_ref(query));
        let plan = scan::plan_known(&self.typed, &self.fields, query, &domains, &known);
        let page = self.pricer(pricing).planned_page(&domains, &plan, after);
        page.map(|page| self.of_all(page, None)).map_err(|problem| vec![problem])
    }

    fn pricer<'p>(&'p self, pricing: &'p PlanPricing<'_>) -> Pricer<'p> {
        Pricer {
            typed: &self.typed,
            fields: &self.fields,
            records: &self.records,
            table: &self.table,
            families: pricing.families,
            arrival: self.arrival.as_deref(),
            points: &self.points,
            model: &pricing.model,
            size: row_size(pricing.families, &self.table),
        }
    }

    /// The reads of the regions and servers of a table that has the row key of this analysis, by the queries of a study.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn reads(&self, study: &Document, design: &Design) -> Result<ReadLoad, Problem> {
        let points = design.splits.points_for(&self.table)?;
        Ok(scan::reads(study, design, &points, Some(&self.records)))
    }

    /// Two records that share a key although fields of it differ: two of these, or else two made up.
    pub fn collision(&self) -> Option<Collision> {
        collision_among(&self.typed, &self.fields, &self.records, &self.table)
            .or_else(|| collision(&self.typed, &self.fields))
    }

    /// How many keys sort below `key`.
    pub fn rank(&self, key: &[u8]) -> usize {
        self.table.rank(key)
    }

    /// The keys with the split points of the design.
    pub fn placed(&self) -> (&KeyTable, &SplitPoints) {
        (&self.table, &self.points)
    }

    /// The records it is of.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// The split points of the design.
    pub fn points(&self) -> &SplitPoints {
        &self.points
    }

    /// Number of keys.
    pub fn key_count(&self) -> usize {
        self.table.len()
    }

    /// Number of parts of each key.
    pub fn part_count(&self) -> usize {
        self.typed.parts.len()
    }

    /// Bytes of memory that the sorted keys take.
    pub fn memory(&self) -> usize {
        self.table.memory()
    }
}

impl TrialKeys for Analysis {
    fn of_table(records: &Rc<Records>, study: &Document, table: usize) -> Result<Self, Problem> {
        Self::of(study, table, Rc::clone(records))
    }

    fn judged(&mut self, study: &Document, table: usize, fixes: bool) -> Result<JudgedTable, Problem> {
        let design = study.table(table)?;
        let points = design.splits.points_for(&self.table)?;
        let said = (self.writes.under(study, design), study.operation.clone());
        let report = self.landed(&points, said, &ReportOptions::default());
        let evidence = Some(Evidence::new((&self.records, &self.table), &report, &self.facts));
        let about = (description_of_keys(study, table), study.queries.clone());
        let known = self.asked.take().filter(|(known, _)| *known == about);
        let asked = known.map_or_else(
            || PlannedQuery::all(study, design, Some((&self.table, &self.records))),
            |(_, asked)| asked,
        );
        let review = Review { study, design, points: &points, evidence, asked, fixes };
        let mut found = findings(&review);
        add_of_kinds((study, table), &points, (Some(&self.records), fixes), &mut found);
        let effort = Effort::of(study, &review.asked, &report.keys);
        self.asked = Some((about, review.asked));
        let harm = Harm::of(&report, design.writes);
        Ok(JudgedTable { verdict: report.verdict, found, effort, harm })
    }
}
