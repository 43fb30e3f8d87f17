//! `plan`: queries as scans of the fewest ranges of row keys.

use super::args::CommandArgs;
use super::document::DesignDocument;
use super::figures::{count, decimal};
use super::held::held;
use super::json::lines;
use super::shell::{FINE, Failure, Shell};
use super::style::{Ink, harmless};
use super::words::{said, say};
use crate::analysis::{CountedPlan, CountedSkips};
use crate::base::Problem;
use crate::base::json::item;
use crate::bytes::row::to_string_binary;
use crate::design::{Query, read_query};
use crate::scan::{self, PlanKind, QueryPlan, RowsRead, ScanFilter};
use serde_json::{Value, json};

/// Ranges that are shown one by one.
const SHOWN: usize = 16;

/// A query and how it is answered.
struct ExplainedPlan {
    name: String,
    plan: QueryPlan,
    regions: Option<usize>,
    counted: Option<RowsRead>,
    limited: Option<RowsRead>,
    skipping: Option<CountedSkips>,
}

/// Runs the command.
pub fn run(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let document = DesignDocument::asked(shell, asked)?;
    let study = &document.study;
    let queries: Vec<Query> = match asked.get("query") {
        Some(text) => {
            let wrong = |problems| Failure::from(problems).in_file("--query");
            vec![read_query(text, &study.fields).map_err(wrong)?]
        }
        None => study.queries.clone(),
    };
    if queries.is_empty() {
        return Err(Problem::new("cli.no-queries").into());
    }
    let files: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
    let design = document.design()?;
    let mut points = design.splits.points().ok();
    let mut planned: Vec<_> = queries.iter().map(|_| None).collect();
    if !files.is_empty() || study.generate.is_some() {
        let held = held(shell, &document, &files)?;
        let analysis = held.analysis(&document)?;
        planned = analysis.planned(&queries);
        points = Some(analysis.points().clone());
    }
    let mut all = Vec::new();
    for (index, (query, planned)) in queries.iter().zip(planned).enumerate() {
        let domains = scan::read(query, &study.fields, &item("queries", index))?;
        let (plan, counted, limited, skipping) = match planned {
            Some(CountedPlan { plan, counted, limited, skipping }) => {
                (plan, Some(counted), limited, skipping)
            }
            None => (scan::plan(&design.typed, &study.fields, query, &domains), None, None, None),
        };
        let regions = points.as_ref().map(|points| scan::regions(&plan.ranges, points).len());
        all.push(ExplainedPlan { name: query.name.clone(), plan, regions, counted, limited, skipping });
    }
    match asked.has("json") {
        true => shell.write(lines(&all.iter().map(json).collect()).as_bytes()),
        false => all.iter().for_each(|planned| print(shell, planned)),
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

fn print(shell: &mut Shell<'_>, planned: &ExplainedPlan) {
    let ExplainedPlan { name, plan, regions, counted, limited, skipping } = planned;
    let style = shell.style;
    let name = if name.is_empty() { say("cli.query", &[]) } else { harmless(name) };
    shell.line(&format!("{}  {}", style.ink(Ink::Bold, &name), kind(plan)));
    for range in plan.ranges.iter().take(SHOWN) {
        let [start, stop] = [&range.start, &range.stop].map(|row| to_string_binary(row));
        shell.line(&format!("  [{start}, {stop})"));
    }
    if plan.ranges.len() > SHOWN {
        let more = count((plan.ranges.len() - SHOWN) as u64);
        shell.line(&format!("  {}", say("cli.more-ranges", &[("count", &more)])));
    }
    for filter in &plan.filters {
        shell.line(&format!("  {}", harmless(&filtered(filter))));
    }
    if let Some(regions) = regions {
        shell.line(&format!("  {}", say("cli.regions-read", &[("count", &count(*regions as u64))])));
    }
    if let Some(all) = counted {
        let RowsRead { read, returned } = limited.unwrap_or(*all);
        let ratio = if returned > 0 { decimal(read as f64 / returned as f64) } else { "–".to_owned() };
        let [read, returned, all] = [read, returned, all.read].map(count);
        let code = if limited.is_some() { "cli.rows-read-limited" } else { "cli.rows-read" };
        let words = [("read", read.as_str()), ("returned", &returned), ("ratio", &ratio), ("all", &all)];
        shell.line(&format!("  {}", say(code, &words)));
    }
    if let Some(CountedSkips { fields, scans, rows }) = skipping {
        let [scans, read, returned] = [*scans, rows.read, rows.returned].map(count);
        let fields = fields.join(", ");
        let words =
            [("fields", fields.as_str()), ("scans", &scans), ("read", &read), ("returned", &returned)];
        shell.line(&format!("  {}", harmless(&say("cli.short-scans", &words))));
    }
    let mut before: Vec<String> = Vec::new();
    for reason in &plan.reasons {
        let reason = harmless(&said(reason));
        if !before.contains(&reason) {
            super::lint::paragraph(shell, "  - ", &reason);
            before.push(reason);
        }
    }
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
    let ExplainedPlan { name, plan, regions, counted, limited, skipping } = planned;
    let ranges: Vec<Value> = plan
        .ranges
        .iter()
        .map(
            |range| json!({ "start": to_string_binary(&range.start), "stop": to_string_binary(&range.stop) }),
        )
        .collect();
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
        "ranges": ranges,
        "filters": plan.filters.iter().map(filter).collect::<Vec<_>>(),
        "delivery": plan.delivery,
        "regions": regions,
        "rows": counted,
        "limited": limited,
        "shortScans": skipping,
        "turns": plan.turns,
        "reasons": plan.reasons.iter().map(reason).collect::<Vec<_>>(),
    })
}
