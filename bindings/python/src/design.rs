//! A table of a design document.

use crate::error::{Failure, checked, detached, plain, plain_all, sentence, thrown};
use crate::keys::Keys;
use crate::records::{Batches, Needed};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowscape::analysis::{Analysis, PlanCost, PlanPricing, ReportOptions};
use rowscape::cli::heatmap;
use rowscape::design::{self, Design, Document};
use rowscape::encode::Encoder;
use rowscape::error::Problem;
use rowscape::findings::of_design;
use rowscape::json::text;
use rowscape::records::Records;
use rowscape::report::Report;
use rowscape::row::{from_string_binary, to_string_binary};
use rowscape::scan::{self, CostModel, QueryPlan};
use rowscape::summary_file::with_fixed_splits;
use serde_json::{Value, json};
use std::rc::Rc;

/// A table of a design document.
#[pyclass(frozen, module = "rowscape._rowscape")]
pub struct DesignHandle {
    /// The document.
    pub study: Document,
    /// Number of the table.
    pub table: usize,
}

impl DesignHandle {
    /// The table.
    pub fn design(&self) -> Result<&Design, Problem> {
        self.study.table(self.table)
    }

    fn names(&self) -> Vec<&str> {
        self.study.fields.iter().map(|field| field.name.as_str()).collect()
    }

    fn analysis(&self, records: Records) -> Result<Analysis, Problem> {
        Analysis::of(&self.study, self.table, Rc::new(records))
    }

    /// The document with this query, as JSON text, as its only one.
    fn asking(&self, query: &str) -> Result<Document, Vec<Problem>> {
        let mut document = design::normal_form(&self.study);
        let asked: Value = serde_json::from_str(query).unwrap_or_default();
        document["queries"] = json!([asked]);
        design::parse(&text(&document))
    }

    /// The plan of the only query of a document that is otherwise this one.
    fn plain_plan(&self, study: &Document, after: Option<Vec<u8>>) -> Result<Value, Failure> {
        let [query] = study.queries.as_slice() else { return Err(Vec::new().into()) };
        let domains = scan::read(query, &study.fields, "queries[0]")?;
        let design = self.design()?;
        let plan = scan::plan(&design.typed, &study.fields, query, &domains);
        let plan = match after {
            Some(after) => {
                let skipped = scan::prefix_length(&design.typed, &domains);
                scan::next_page(&plan, skipped, &after)?.plan
            }
            None => plan,
        };
        Ok(planned(&plan, design.splits.points().ok().as_ref()))
    }

    /// The same with the rows that it reads of records, and their cost.
    fn counted_plan(
        &self,
        study: &Document,
        batches: Batches,
        after: Option<Vec<u8>>,
        model: CostModel,
    ) -> Result<Value, Failure> {
        let [query] = study.queries.as_slice() else { return Err(Vec::new().into()) };
        scan::read(query, &study.fields, "queries[0]")?;
        let analysis = self.analysis(batches.records(&Needed::of(study))?)?;
        let pricing = PlanPricing { families: self.design()?.into(), model, known: &[] };
        let counted = match after {
            Some(after) => Some(analysis.page(query, &pricing, after)?),
            None => analysis.priced(std::slice::from_ref(query), &pricing).pop().flatten(),
        };
        let Some(PlanCost { plan, counted, limited, prices, .. }) = counted else {
            return Err(Vec::new().into());
        };
        let mut value = planned(&plan, Some(analysis.points()));
        value["rows"] = json!(counted);
        value["limited"] = json!(limited);
        value["cost"] = json!(prices.map(|prices| prices.cost));
        Ok(value)
    }
}

#[pymethods]
impl DesignHandle {
    #[new]
    fn new(py: Python<'_>, document: &str, table: Option<&str>) -> PyResult<Self> {
        let study = design::parse(document).map_err(|problems| thrown(py, &problems))?;
        let table = checked(py, table.map_or(Ok(0), |table| study.table_number(table)))?;
        Ok(Self { study, table })
    }

    /// The document in normal form, as JSON text.
    fn document(&self) -> String {
        text(&design::normal_form(&self.study))
    }

    /// Name of the table, its formula, its fields, the columns that are read, and whether its splits follow from records, as JSON text.
    fn about(&self, py: Python<'_>) -> PyResult<String> {
        let design = checked(py, self.design())?;
        let follow = self.study.tables.iter().any(|design| design.splits.need_records());
        let about = json!({
            "name": design.name,
            "rowkey": design.rowkey,
            "fields": self.study.fields,
            "columns": Needed::of(&self.study).columns(),
            "splitsFollow": follow,
        });
        Ok(about.to_string())
    }

    /// The keys of records.
    fn encode(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Keys> {
        let batches = Batches::of(data)?;
        detached(py, || {
            let records = batches.records(&Needed::of(&self.study))?;
            let design = self.design()?;
            let keys =
                Encoder::new(&records, &self.names(), &[&design.typed]).encode().pop().unwrap_or_default();
            Ok(Keys::new(&records, &keys)?)
        })
    }

    /// A key as fields and parts, as JSON text.
    fn decode(&self, py: Python<'_>, key: &[u8]) -> PyResult<String> {
        let design = checked(py, self.design())?;
        let decoded = checked(py, rowscape::decode::decode(&design.typed, &self.study.fields, key))?;
        let mut value = json!(decoded);
        value["problems"] = plain_all(&decoded.problems);
        for (index, field) in decoded.fields.iter().enumerate() {
            if let Some(lost) = &field.lost {
                value["fields"][index]["lost"] = plain(lost);
            }
        }
        Ok(value.to_string())
    }

    /// The plan of a query, as JSON text; with records what it reads and costs.
    fn plan(
        &self,
        py: Python<'_>,
        query: &str,
        data: Option<Bound<'_, PyAny>>,
        after: Option<&str>,
        cost: Option<&str>,
    ) -> PyResult<String> {
        let batches = data.as_ref().map(Batches::of).transpose()?;
        detached(py, || {
            let study = self.asking(query)?;
            let after = after.map(from_string_binary).transpose()?;
            let model = cost.map(CostModel::parse).transpose()?.unwrap_or_default();
            let plan = match batches {
                Some(batches) => self.counted_plan(&study, batches, after, model)?,
                None => self.plain_plan(&study, after)?,
            };
            Ok(plan.to_string())
        })
    }

    /// The split points, ascending.
    fn split_points<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let points = checked(py, self.design().and_then(|design| design.splits.points()))?;
        Ok(points.iter().map(|point| PyBytes::new(py, point)).collect())
    }

    /// The number of the region that holds a key.
    fn region_of(&self, py: Python<'_>, key: &[u8]) -> PyResult<usize> {
        let points = checked(py, self.design().and_then(|design| design.splits.points()))?;
        Ok(points.region_of(key))
    }

    /// Report, findings and picture of records, as JSON text.
    fn analyze(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        time_buckets: Option<u32>,
    ) -> PyResult<String> {
        let batches = Batches::of(data)?;
        detached(py, || {
            let records = batches.records(&Needed::of(&self.study))?;
            let rows = records.rows as u64;
            let mut analysis = self.analysis(records)?;
            let findings = analysis.findings(&self.study, self.table)?;
            let report = analysis.report(&ReportOptions { time_buckets, ..ReportOptions::default() })?;
            Ok(answer(&report, json!(findings), &self.design()?.name, rows, Some(rows)).to_string())
        })
    }

    /// The findings about the design alone, as JSON text.
    fn findings(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || Ok(json!(of_design(&self.study, self.table)?).to_string()))
    }

    /// The document with the split points fixed that follow from records, as JSON text.
    fn fix_splits(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<String> {
        let batches = Batches::of(data)?;
        detached(py, || {
            let records = batches.records(&Needed::of(&self.study))?;
            Ok(text(&design::normal_form(&with_fixed_splits(self.study.clone(), &records)?)))
        })
    }
}

/// A report with its findings and picture; `sampled` rows are what the findings are of.
pub fn answer(report: &Report, findings: Value, title: &str, rows: u64, sampled: Option<u64>) -> Value {
    let mut whole = json!(report);
    whole["heat"] = json!(report.heat);
    let refused = &report.refused;
    for (index, first) in refused.first.iter().enumerate() {
        whole["refused"]["first"][index]["message"] = sentence(first.code, &first.args).into();
    }
    json!({
        "title": title,
        "rows": rows,
        "sampled": sampled,
        "report": whole,
        "findings": findings,
        "svg": heatmap(report, title),
    })
}

fn planned(plan: &QueryPlan, points: Option<&rowscape::split::SplitPoints>) -> Value {
    let range = |range: &scan::KeyRange| json!({ "start": to_string_binary(&range.start), "stop": to_string_binary(&range.stop) });
    json!({
        "kind": plan.kind,
        "exact": plan.exact,
        "ranges": plan.ranges.iter().map(range).collect::<Vec<_>>(),
        "delivery": plan.delivery,
        "turns": plan.turns,
        "stopsAfter": plan.stops_after,
        "regions": points.map(|points| scan::regions(&plan.ranges, points)),
        "leastRpcs": points.map(|points| scan::least_requests(plan, points)),
        "reasons": plain_all(&plan.reasons),
    })
}
