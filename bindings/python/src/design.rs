//! A table of a design document.

use crate::error::{checked, plain, plain_all, thrown};
use crate::keys::Keys;
use crate::records::{Needed, records};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowscape::analysis::{Analysis, CountedPlan, PlanPricing, ReportOptions};
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
#[pyclass(unsendable, module = "rowscape._rowscape")]
pub struct DesignHandle {
    /// The document.
    pub study: Document,
    /// Number of the table.
    pub table: usize,
}

impl DesignHandle {
    fn design(&self) -> Result<&Design, Problem> {
        self.study.table(self.table)
    }

    fn names(&self) -> Vec<&str> {
        self.study.fields.iter().map(|field| field.name.as_str()).collect()
    }

    fn analysis(&self, records: Records) -> Result<Analysis, Problem> {
        Analysis::of(&self.study, self.table, Rc::new(records))
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
        let records = records(py, &Needed::of(&self.study), data)?;
        let design = checked(py, self.design())?;
        let keys = Encoder::new(&records, &self.names(), &[&design.typed]).encode().pop().unwrap_or_default();
        Ok(Keys::new(&records, &keys))
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
        let refuse = |problems: Vec<Problem>| thrown(py, &problems);
        let mut document = design::normal_form(&self.study);
        let asked: Value = serde_json::from_str(query).unwrap_or_default();
        document["queries"] = json!([asked]);
        let study = design::parse(&text(&document)).map_err(refuse)?;
        let [query] = study.queries.as_slice() else { return Err(thrown(py, &[])) };
        let domains = scan::read(query, &study.fields, "queries[0]").map_err(refuse)?;
        let after = checked(py, after.map(from_string_binary).transpose())?;
        let model = checked(py, cost.map(CostModel::parse).transpose())?.unwrap_or_default();
        let design = checked(py, self.design())?;
        let plain_plan = || scan::plan(&design.typed, &study.fields, query, &domains);
        let points = design.splits.points().ok();
        let Some(data) = data else {
            let plan = match after {
                Some(after) => {
                    let skipped = scan::prefix_length(&design.typed, &domains);
                    checked(py, scan::next_page(&plain_plan(), skipped, &after))?.plan
                }
                None => plain_plan(),
            };
            return Ok(planned(&plan, points.as_ref()).to_string());
        };
        let records = records(py, &Needed::of(&study), &data)?;
        let analysis = checked(py, self.analysis(records))?;
        let pricing = PlanPricing { families: design.into(), model, known: &[] };
        let counted = match after {
            Some(after) => Some(analysis.page(query, &pricing, after).map_err(refuse)?),
            None => analysis.priced(std::slice::from_ref(query), &pricing).pop().flatten(),
        };
        let Some(CountedPlan { plan, counted, limited, prices, .. }) = counted else {
            return Err(thrown(py, &[]));
        };
        let mut value = planned(&plan, Some(analysis.points()));
        value["rows"] = json!(counted);
        value["limited"] = json!(limited);
        value["cost"] = json!(prices.map(|prices| prices.cost));
        Ok(value.to_string())
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
        let records = records(py, &Needed::of(&self.study), data)?;
        let rows = records.rows as u64;
        let mut analysis = checked(py, self.analysis(records))?;
        let findings = checked(py, analysis.findings(&self.study, self.table))?;
        let options = ReportOptions { time_buckets, ..ReportOptions::default() };
        let report = checked(py, analysis.report(&options))?;
        let title = checked(py, self.design())?.name.clone();
        Ok(answer(&report, json!(findings), &title, rows, Some(rows)).to_string())
    }

    /// The findings about the design alone, as JSON text.
    fn findings(&self, py: Python<'_>) -> PyResult<String> {
        Ok(json!(checked(py, of_design(&self.study, self.table))?).to_string())
    }

    /// The document with the split points fixed that follow from records, as JSON text.
    fn fix_splits(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<String> {
        let records = records(py, &Needed::of(&self.study), data)?;
        let fixed = checked(py, with_fixed_splits(self.study.clone(), &records))?;
        Ok(text(&design::normal_form(&fixed)))
    }
}

/// A report with its findings and picture; `sampled` rows are what the findings are of.
pub fn answer(report: &Report, findings: Value, title: &str, rows: u64, sampled: Option<u64>) -> Value {
    let mut whole = json!(report);
    whole["heat"] = json!(report.heat);
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
