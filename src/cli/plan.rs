//! `plan`: queries as scans of the fewest ranges of row keys.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::document::DesignDocument;
use super::figures::{count, decimal};
use super::json::lines;
use super::loaded::held;
use super::style::{Ink, harmless};
use super::words::{said, say};
use crate::analysis::{CountedSkips, PlanCost, PlanPrices, PlanPricing, PricedPage};
use crate::base::Problem;
use crate::base::json::item;
use crate::bytes::row::{from_string_binary, to_string_binary};
use crate::design::{Query, read_query};
use crate::scan::{self, CostModel, KeyRange, PlanKind, QueryPlan, ReadCost, RowsRead, ScanFilter};
use serde_json::{Value, json};

/// Ranges that are shown one by one.
const SHOWN: usize = 16;

/// A query and how it is answered.
struct ExplainedPlan {
    name: String,
    plan: QueryPlan,
    regions: Option<usize>,
    /// Requests at least: one for each scanner, or for each region of gets.
    least: Option<usize>,
    /// The row behind which the page begins that is planned.
    after: Option<Vec<u8>>,
    counted: Option<RowsRead>,
    limited: Option<RowsRead>,
    skipping: Option<CountedSkips>,
    prices: Option<PlanPrices>,
}

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let document = DesignDocument::asked(context, asked)?;
    let study = &document.study;
    let design = document.design()?;
    let queries: Vec<Query> = match asked.get("query") {
        Some(text) => {
            let wrong = |problems| Failure::from(problems).in_file("--query");
            vec![read_query(text, &study.fields).map_err(wrong)?]
        }
        // A document with several tables puts each query to one.
        None => study.queries.iter().filter(|query| query.is_of(design)).cloned().collect(),
    };
    if queries.is_empty() {
        let others: Vec<&str> = study.queries.iter().filter_map(|query| query.table.as_deref()).collect();
        return Err(match others.first() {
            Some(table) => Problem::new("cli.queries-of-others").with("table", table),
            None => Problem::new("cli.no-queries"),
        }
        .into());
    }
    let wrong = |option: &'static str| move |problem: Problem| Failure::from(problem).in_file(option);
    let model = asked.get("cost").map(CostModel::parse).transpose().map_err(wrong("--cost"))?;
    let after = asked.get("after").map(from_string_binary).transpose().map_err(wrong("--after"))?;
    if after.is_some() && queries.len() > 1 {
        return Err(Problem::new("cli.after-one-query").with("count", queries.len()).into());
    }
    let files: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
    let mut points = design.splits.points().ok();
    let mut planned: Vec<_> = queries.iter().map(|_| None).collect();
    if !files.is_empty() || document.has_records() {
        let mut held = held(context, &document, &files)?;
        let records = &held.evidence.records;
        let lacks = |name: &&String| document.summary.is_some() && records.column(name).is_none();
        if let Some(field) = queries.iter().flat_map(|query| query.conditions.keys()).find(lacks) {
            return Err(Problem::new("cli.summary-lacks").with("field", field).into());
        }
        let analysis = held.evidence.analysis(&document.study, document.table)?;
        let known = if asked.has("query") { Vec::new() } else { held.evidence.rows_read(document.table)? };
        let model = model.unwrap_or_default();
        let pricing = PlanPricing { families: design.into(), model, known: &known };
        planned = match (&after, queries.as_slice()) {
            (Some(after), [query]) => vec![Some(analysis.page(query, &pricing, after.clone())?)],
            _ => analysis.priced(&queries, &pricing),
        };
        points = Some(analysis.points().clone());
    }
    let mut all = Vec::new();
    for (index, (query, planned)) in queries.iter().zip(planned).enumerate() {
        let domains = scan::read(query, &study.fields, &item("queries", index))?;
        let plan = || scan::plan(&design.typed, &study.fields, query, &domains);
        let skipped = || scan::prefix_length(&design.typed, &domains);
        let (mut plan, counted, limited, skipping, prices) = match (planned, &after) {
            (Some(PlanCost { plan, counted, limited, skipping, prices }), _) => {
                (plan, Some(counted), limited, skipping, prices)
            }
            (None, Some(after)) => (scan::next_page(&plan(), skipped(), after)?.plan, None, None, None, None),
            (None, None) => (plan(), None, None, None, None),
        };
        plan.tell_stamped(design, &study.fields, &domains);
        let regions = points.as_ref().map(|points| scan::regions(&plan.ranges, points).len());
        let least = points.as_ref().map(|points| scan::least_requests(&plan, points));
        let (name, after) = (query.name.clone(), after.clone());
        all.push(ExplainedPlan { name, plan, regions, least, after, counted, limited, skipping, prices });
    }
    match asked.has("json") {
        true => context.write(lines(&all.iter().map(json).collect()).as_bytes()),
        false => all.iter().for_each(|planned| print(context, planned)),
    }
    Ok(FINE)
}

fn kind(plan: &QueryPlan) -> String {
    let code = match plan.kind {
        PlanKind::Nothing => "cli.plan-nothing",
        PlanKind::Get => "cli.plan-get",
        PlanKind::Scan => "cli.plan-scan",
        PlanKind::FullScan if plan.stops_after.is_some() => "cli.plan-from-end",
        PlanKind::FullScan => "cli.plan-all",
    };
    say(code, &[])
}

fn print(context: &mut CommandContext<'_>, planned: &ExplainedPlan) {
    let ExplainedPlan { name, plan, regions, after, .. } = planned;
    let style = context.style;
    let name = if name.is_empty() { say("cli.query", &[]) } else { harmless(name) };
    context.line(&format!("{}  {}", style.ink(Ink::Bold, &name), kind(plan)));
    if let Some(after) = after {
        context
            .line(&format!("  {}", harmless(&say("cli.plan-after", &[("key", &to_string_binary(after))]))));
    }
    for range in plan.ranges.iter().take(SHOWN) {
        let [start, stop] = [&range.start, &range.stop].map(|row| to_string_binary(row));
        context.line(&format!("  [{start}, {stop})"));
    }
    if plan.ranges.len() > SHOWN {
        let more = count((plan.ranges.len() - SHOWN) as u64);
        context.line(&format!("  {}", say("cli.more-ranges", &[("count", &more)])));
    }
    for filter in &plan.filters {
        context.line(&format!("  {}", harmless(&filtered(filter))));
    }
    if let Some(regions) = regions {
        context.line(&format!("  {}", say("cli.regions-read", &[("count", &count(*regions as u64))])));
    }
    figures(context, planned);
    let mut before: Vec<String> = Vec::new();
    for reason in &plan.reasons {
        let reason = harmless(&said(reason));
        if !before.contains(&reason) {
            super::lint::paragraph(context, "  - ", &reason);
            before.push(reason);
        }
    }
}

/// The rows that a plan reads, its cost and the page behind it.
fn figures(context: &mut CommandContext<'_>, planned: &ExplainedPlan) {
    let ExplainedPlan { least, counted, limited, skipping, prices, .. } = planned;
    if let Some(all) = counted {
        let rows = limited.unwrap_or(*all);
        let RowsRead { read, returned, records, .. } = rows;
        let ratio = if returned > 0 { decimal(read as f64 / returned as f64) } else { "–".to_owned() };
        let [read, returned, all] = [read, returned, all.read].map(count);
        let code = if limited.is_some() { "cli.rows-read-limited" } else { "cli.rows-read" };
        let words = [("read", read.as_str()), ("returned", &returned), ("ratio", &ratio), ("all", &all)];
        context.line(&format!("  {}", say(code, &words)));
        if rows.estimated {
            let code = if rows.at_most { "cli.rows-at-most" } else { "cli.rows-estimated" };
            context.line(&format!("  {}", say(code, &[])));
        }
        if let Some(records) = records {
            let [read, returned] = [records.read, records.returned].map(count);
            let words = [("read", read.as_str()), ("returned", &returned)];
            context.line(&format!("  {}", say("cli.records-read", &words)));
        }
    }
    if let Some(CountedSkips { fields, scans, rows }) = skipping {
        let [scans, read, returned] = [*scans, rows.read, rows.returned].map(count);
        let fields = fields.join(", ");
        let words =
            [("fields", fields.as_str()), ("scans", &scans), ("read", &read), ("returned", &returned)];
        context.line(&format!("  {}", harmless(&say("cli.short-scans", &words))));
    }
    match (prices, least) {
        (Some(PlanPrices { cost, next, .. }), _) => {
            context.line(&format!("  {}", cost_of("cli.plan-cost", cost, &[])));
            if let Some(PricedPage { after, cost, .. }) = next {
                let key = to_string_binary(after);
                context.line(&format!("  {}", harmless(&cost_of("cli.plan-next", cost, &[("key", &key)]))));
            }
        }
        (None, Some(least)) if *least > 0 => {
            context.line(&format!("  {}", say("cli.plan-least", &[("count", &count(*least as u64))])));
        }
        _ => {}
    }
}

fn cost_of(code: &'static str, cost: &ReadCost, more: &[(&'static str, &str)]) -> String {
    let [rpcs, blocks, seeks, rows] = [cost.rpcs, cost.blocks, cost.seeks, cost.rows].map(count);
    let units = decimal(cost.units);
    let figures =
        [("rpcs", rpcs.as_str()), ("blocks", &blocks), ("seeks", &seeks), ("rows", &rows), ("units", &units)];
    say(code, &[&figures, more].concat())
}

fn filtered(filter: &ScanFilter) -> String {
    match filter {
        ScanFilter::MultiRowRange => "MultiRowRangeFilter".to_owned(),
        ScanFilter::Fuzzy { pairs, .. } => {
            let pair = |(key, mask): &(Vec<u8>, Vec<u8>)| {
                format!("{} {}", to_string_binary(key), to_string_binary(mask))
            };
            let pairs: Vec<String> = pairs.iter().take(SHOWN).map(pair).collect();
            format!("FuzzyRowFilter {}", pairs.join(", "))
        }
        ScanFilter::RowRegex { pattern } => format!("RowFilter {pattern}"),
    }
}

fn json(planned: &ExplainedPlan) -> Value {
    let ExplainedPlan { name, plan, regions, least, after, counted, limited, skipping, prices } = planned;
    let filter = |filter: &ScanFilter| match filter {
        ScanFilter::MultiRowRange => json!({ "name": "MultiRowRangeFilter" }),
        ScanFilter::Fuzzy { pairs, exact } => {
            let pair = |(key, mask): &(Vec<u8>, Vec<u8>)| json!({ "key": to_string_binary(key), "mask": to_string_binary(mask) });
            json!({ "name": "FuzzyRowFilter", "pairs": pairs.iter().map(pair).collect::<Vec<_>>(), "exact": exact })
        }
        ScanFilter::RowRegex { pattern } => json!({ "name": "RowFilter", "pattern": pattern }),
    };
    let reason = |reason: &Problem| json!({ "code": reason.code, "message": said(reason) });
    json!({
        "name": name,
        "kind": plan.kind,
        "exact": plan.exact,
        "ranges": ranges(plan),
        "filters": plan.filters.iter().map(filter).collect::<Vec<_>>(),
        "delivery": plan.delivery,
        "regions": regions,
        "leastRpcs": least,
        "after": after.as_deref().map(to_string_binary),
        "rows": counted,
        "limited": limited,
        "shortScans": skipping,
        "cost": prices.as_ref().map(|prices| prices.cost),
        "choice": prices.as_ref().and_then(|prices| prices.choice.as_ref()),
        "next": prices.as_ref().and_then(|prices| prices.next.as_ref()).map(page),
        "turns": plan.turns,
        "reasons": plan.reasons.iter().map(reason).collect::<Vec<_>>(),
    })
}

/// The ranges of a plan as JSON.
fn ranges(plan: &QueryPlan) -> Vec<Value> {
    let range = |range: &KeyRange| json!({ "start": to_string_binary(&range.start), "stop": to_string_binary(&range.stop) });
    plan.ranges.iter().map(range).collect()
}

/// A page as JSON.
fn page(next: &PricedPage) -> Value {
    json!({
        "after": to_string_binary(&next.after),
        "ranges": ranges(&next.page.plan),
        "turns": next.page.plan.turns,
        "repeats": next.page.repeats,
        "rows": next.rows,
        "cost": next.cost,
    })
}
