//! Requests to a table, as dumps of its counters show them, in the answer of `observe`.

use super::context::CommandContext;
use super::figures::{bytes, count, moment, percent};
use super::heat;
use super::migrate::heading;
use super::picture::Picture;
use super::style::harmless;
use super::table::{ColumnAlign, PrintedTable};
use super::words::say;
use crate::base::units::MB;
use crate::emit::TablesInUse;
use crate::hbase::existing::{ExistingRegion, ExistingTable, ExistingText};
use crate::observe::{EventKind, RequestsObserved};

/// Requests below which no command follows from them.
const FEW: u64 = 100;
/// Regions, servers and events that are listed.
const LISTED: usize = 12;

/// Prints them.
pub fn print(context: &mut CommandContext<'_>, table: &str, requests: &RequestsObserved) {
    let times = requests.times.map(|(first, last)| {
        let step = (last - first) as f64 / 100.0;
        format!("{} – {}", moment(first as f64, step), moment(last as f64, step))
    });
    let name = if table.is_empty() { say("cli.table-unnamed", &[]) } else { harmless(table) };
    let counts = &requests.counts;
    let figures = [
        ("table", name),
        ("dumps", count(requests.dumps)),
        ("reads", count(counts.reads)),
        ("writes", count(counts.writes)),
        ("requests", count(counts.requests)),
        ("times", times.unwrap_or_else(|| "–".to_owned())),
    ];
    let figures = figures.each_ref().map(|(name, figure)| (*name, figure.as_str()));
    let code = if requests.origin == "totals" { "cli.requests-in-one" } else { "cli.requests-of" };
    context.line(&say(code, &figures));
    regions(context, requests);
    if let Some(heat) = &requests.heat {
        let is_size = requests.metric == "size";
        let title = |most: u64| match is_size {
            true => say("cli.requests-heat-size", &[("bytes", &bytes(most as f64))]),
            false => {
                say("cli.requests-heat", &[("metric", metric(requests).as_str()), ("most", &count(most))])
            }
        };
        heat::draw(context, &title, &|bands, columns| Picture::of_observed(heat, bands, columns));
    }
    servers(context, requests);
    events(context, requests);
    acts(context, table, requests);
}

fn metric(requests: &RequestsObserved) -> String {
    say(&format!("observe.metric-{}", requests.metric), &[])
}

fn regions(context: &mut CommandContext<'_>, requests: &RequestsObserved) {
    heading(context, "cli.observe-regions");
    let mut printed = PrintedTable::new(&[
        (ColumnAlign::Left, say("cli.table-start", &[])),
        (ColumnAlign::Left, say("cli.table-server", &[])),
        (ColumnAlign::Right, say("observe.metric-reads", &[])),
        (ColumnAlign::Right, say("observe.metric-writes", &[])),
        (ColumnAlign::Right, say("cli.table-size", &[])),
        (ColumnAlign::Right, say("cli.table-share", &[])),
    ]);
    let mut order: Vec<_> = requests.regions.iter().collect();
    order.sort_by(|a, b| b.share.total_cmp(&a.share));
    for region in order.iter().take(LISTED) {
        let start = match (&region.start, region.gone) {
            (Some(start), false) => start.clone(),
            (Some(start), true) => say("observe.gone", &[("start", start)]),
            (None, _) => region.region.clone(),
        };
        let counts = &region.counts;
        let is_total = requests.origin == "totals";
        printed.row(vec![
            harmless(&start),
            harmless(region.server.as_deref().unwrap_or("–")),
            if is_total { "–".to_owned() } else { count(counts.reads) },
            count(if is_total { counts.requests } else { counts.writes }),
            region.size.map_or_else(|| "–".to_owned(), |size| bytes(size as f64)),
            percent(region.share),
        ]);
    }
    printed.print(context);
    more(context, requests.regions.len());
}

fn more(context: &mut CommandContext<'_>, all: usize) {
    if all > LISTED {
        context.line(&say("cli.table-more", &[("count", &count((all - LISTED) as u64))]));
    }
}

fn servers(context: &mut CommandContext<'_>, requests: &RequestsObserved) {
    if requests.servers.len() < 2 {
        return;
    }
    context.line("");
    let mut printed = PrintedTable::new(&[
        (ColumnAlign::Left, say("cli.table-server", &[])),
        (ColumnAlign::Right, say("cli.table-regions", &[])),
        (ColumnAlign::Right, say("cli.table-share", &[])),
    ]);
    for server in requests.servers.iter().take(LISTED) {
        printed.row(vec![harmless(&server.server), count(server.regions), percent(server.share)]);
    }
    printed.print(context);
}

fn events(context: &mut CommandContext<'_>, requests: &RequestsObserved) {
    let told: Vec<_> = requests.events.iter().filter(|event| event.kind != EventKind::Missing).collect();
    if told.is_empty() {
        return;
    }
    heading(context, "cli.requests-events");
    for event in told.iter().take(LISTED) {
        let code = match event.kind {
            EventKind::Split => "observe.event-split",
            EventKind::Merge => "observe.event-merge",
            EventKind::Move => "observe.event-move",
            EventKind::Reset | EventKind::Missing => "observe.event-reset",
        };
        let region = event.start.as_deref().filter(|start| !start.is_empty()).unwrap_or(&event.region);
        let to = event.to.as_deref().unwrap_or_default();
        let time = moment(event.time as f64, 1000.0);
        context.line(&harmless(&say(code, &[("time", &time), ("region", region), ("to", to)])));
    }
    more(context, told.len());
}

/// Commands that even out the load.
fn acts(context: &mut CommandContext<'_>, table: &str, requests: &RequestsObserved) {
    let there: Vec<_> = requests.regions.iter().filter(|region| !region.gone).collect();
    // Without the place of each region, neither neighbors nor a share of the load are known.
    if requests.counts.requests < FEW || there.iter().any(|region| region.start.is_none()) {
        return;
    }
    let region = |region: &crate::observe::RegionRequests| {
        let figure = region.counts.requests;
        Some(ExistingRegion {
            start: region.start.clone()?,
            stop: region.end.clone().unwrap_or_default(),
            server: region.server_name.clone(),
            megabytes: region.size.map(|size| size as f64 / MB as f64),
            requests: Some(figure as f64),
            encoded: Some(region.region.clone()),
        })
    };
    let regions = there.into_iter().filter_map(region).collect();
    let table = ExistingTable { name: table.to_owned(), regions, ..ExistingTable::default() };
    let text = ExistingText { tables: vec![table], ..ExistingText::default() };
    let Ok(judged) = TablesInUse::of(text, None) else { return };
    for answer in judged.answers.iter().filter(|answer| !answer.acts.is_empty()) {
        heading(context, "cli.requests-acts");
        answer.acts.lines().for_each(|line| context.line(&harmless(line)));
    }
}
