//! Queries of a design as scans.

use crate::analysis::AnalysisHandle;
use crate::convert::{checked, plain_all, set, thrown, to_js};
use js_sys::{Array, Uint8Array};
use rowscape::analysis::{PlanCost, PlanPricing, PricedPage};
use rowscape::design::{self, Design, Document, Query};
use rowscape::json::item;
use rowscape::row::to_string_binary;
use rowscape::scan::{self, CostModel, KeyRange, QueryPlan, ScanFilter};
use rowscape::split::SplitPoints;
use wasm_bindgen::prelude::*;

/// The plan of each query of a document for table number `table` (the first when left out), or what is wrong with the
/// document. Regions are told where the split points do not follow from records.
#[wasm_bindgen]
pub fn plan(document: &str, table: Option<u32>) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    let (plans, problems) = match design::parse(document) {
        Ok(study) => (plans(&study, table.unwrap_or(0) as usize)?, Vec::new()),
        Err(problems) => (Array::new(), problems),
    };
    set(&object, "plans", plans)?;
    set(&object, "problems", plain_all(&problems)?)?;
    Ok(object)
}

fn plans(study: &Document, table: usize) -> Result<Array, JsValue> {
    let design = checked(study.table(table))?;
    let points = design.splits.points().ok();
    let plan = |(index, query)| described(study, design, points.as_ref(), (index, query));
    study.queries.iter().enumerate().map(plan).collect()
}

/// The plan of the query of this number, or what is wrong with it.
fn described(
    study: &Document,
    design: &Design,
    points: Option<&SplitPoints>,
    (index, query): (usize, &Query),
) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    set(&object, "name", query.name.as_str())?;
    match scan::read(query, &study.fields, &item("queries", index)) {
        Ok(domains) => {
            let mut plan = scan::plan(&design.typed, &study.fields, query, &domains);
            plan.tell_stamped(design, &study.fields, &domains);
            describe(&object, &plan, points)?;
            set(&object, "problems", Array::new())?;
        }
        Err(problems) => set(&object, "problems", plain_all(&problems)?)?,
    }
    Ok(object)
}

/// A plan with the regions that it touches, where the split points are known.
pub(super) fn describe(
    object: &JsValue,
    plan: &QueryPlan,
    points: Option<&SplitPoints>,
) -> Result<(), JsValue> {
    let regions = points.map(|points| scan::regions(&plan.ranges, points));
    set(object, "regions", to_js(&regions)?)?;
    set(object, "leastRpcs", to_js(&points.map(|points| scan::least_requests(plan, points)))?)?;
    set(object, "kind", to_js(&plan.kind)?)?;
    set(object, "exact", plan.exact)?;
    set(object, "ranges", plan.ranges.iter().map(range).collect::<Result<Array, _>>()?)?;
    set(object, "filters", plan.filters.iter().map(filter).collect::<Result<Array, _>>()?)?;
    set(object, "delivery", to_js(&plan.delivery)?)?;
    set(object, "turns", to_js(&plan.turns)?)?;
    set(object, "stopsAfter", to_js(&plan.stops_after)?)?;
    set(object, "reasons", plain_all(&plan.reasons)?)
}

/// Start and stop row as bytes and in the shell's notation.
fn range(range: &KeyRange) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    set(&object, "start", to_string_binary(&range.start))?;
    set(&object, "stop", to_string_binary(&range.stop))?;
    set(&object, "startBytes", Uint8Array::from(range.start.as_slice()))?;
    set(&object, "stopBytes", Uint8Array::from(range.stop.as_slice()))?;
    Ok(object)
}

fn filter(filter: &ScanFilter) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    match filter {
        ScanFilter::MultiRowRange => set(&object, "name", "MultiRowRangeFilter")?,
        ScanFilter::Fuzzy { pairs, exact } => {
            let pair = |(key, mask): &(Vec<u8>, Vec<u8>)| {
                let pair: JsValue = js_sys::Object::new().into();
                set(&pair, "key", to_string_binary(key))?;
                set(&pair, "mask", to_string_binary(mask))?;
                Ok(pair)
            };
            set(&object, "name", "FuzzyRowFilter")?;
            set(&object, "pairs", pairs.iter().map(pair).collect::<Result<Array, JsValue>>()?)?;
            set(&object, "exact", *exact)?;
        }
        ScanFilter::RowRegex { pattern } => {
            set(&object, "name", "RowFilter")?;
            set(&object, "pattern", pattern.as_str())?;
        }
    }
    Ok(object)
}

#[wasm_bindgen(js_class = Analysis)]
impl AnalysisHandle {
    /// For each query of a document, rows read and returned by its plan for this table (`read`, `returned`; `limited`: up to
    /// the limit; `shortScans`: by another way), its `cost` under the default model or the constants of `cost`, `choice` and
    /// `next`, and what the records tell of it: `delivery`, `turns`, `reasons`; null for a query that cannot be planned.
    pub fn queries(
        &self,
        document: &str,
        table: Option<u32>,
        cost: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let study = design::parse(document).map_err(|problems| crate::convert::thrown_all(&problems))?;
        let design = study.tables.get(table.unwrap_or(0) as usize);
        let families = design.map(Into::into).unwrap_or_default();
        let mut all =
            self.0.priced(&study.queries, &PlanPricing { families, model: model(cost)?, known: &[] });
        for (query, planned) in study.queries.iter().zip(&mut all) {
            let (Some(design), Some(planned)) = (design, planned) else { continue };
            if let Ok(domains) = scan::read(query, &study.fields, "") {
                planned.plan.tell_stamped(design, &study.fields, &domains);
            }
        }
        let all: Array = all
            .iter()
            .map(|planned| planned.as_ref().map_or(Ok(JsValue::NULL), counted))
            .collect::<Result<_, JsValue>>()?;
        Ok(all.into())
    }
}

/// The constants of a cost model as JSON text.
pub(super) fn model(cost: Option<String>) -> Result<CostModel, JsValue> {
    let model = cost.map(|text| CostModel::parse(&text)).transpose();
    Ok(model.map_err(|problem| thrown(&problem))?.unwrap_or_default())
}

fn counted(planned: &PlanCost) -> Result<JsValue, JsValue> {
    let object = to_js(&planned.counted)?;
    set(&object, "delivery", to_js(&planned.plan.delivery)?)?;
    set(&object, "turns", to_js(&planned.plan.turns)?)?;
    set(&object, "stopsAfter", to_js(&planned.plan.stops_after)?)?;
    set(&object, "reasons", plain_all(&planned.plan.reasons)?)?;
    price(&object, planned)?;
    Ok(object)
}

/// The figures of a plan on records beside the rows it reads.
pub(super) fn price(object: &JsValue, planned: &PlanCost) -> Result<(), JsValue> {
    let prices = planned.prices.as_ref();
    set(object, "limited", to_js(&planned.limited)?)?;
    set(object, "shortScans", to_js(&planned.skipping)?)?;
    set(object, "cost", to_js(&prices.map(|prices| prices.cost))?)?;
    set(object, "choice", to_js(&prices.and_then(|prices| prices.choice.as_ref()))?)?;
    let next = prices.and_then(|prices| prices.next.as_ref());
    set(object, "next", next.map_or(Ok(JsValue::NULL), page)?)
}

fn page(next: &PricedPage) -> Result<JsValue, JsValue> {
    let object = to_js(&next.rows)?;
    set(&object, "after", to_string_binary(&next.after))?;
    set(&object, "ranges", next.page.plan.ranges.iter().map(range).collect::<Result<Array, _>>()?)?;
    set(&object, "turns", to_js(&next.page.plan.turns)?)?;
    set(&object, "repeats", next.page.repeats)?;
    set(&object, "cost", to_js(&next.cost)?)?;
    Ok(object)
}
