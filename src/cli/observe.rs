//! `observe`: which keys of a table were written, as HBase's own files show it.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, FOUND, Failure};
use super::document::DesignDocument;
use super::figures::{bytes, count, moment, percent};
use super::heat;
use super::host::FileHandle;
use super::json::lines;
use super::migrate::heading;
use super::picture::Picture;
use super::progress::{Progress, ReadSoFar};
use super::splits::regions_of;
use super::style::{Ink, harmless};
use super::table::{ColumnAlign, PrintedTable};
use super::words::{described, said, say};
use crate::base::Problem;
use crate::base::limits::OBSERVED_FILES;
use crate::bytes::row::from_string_binary;
use crate::bytes::strings::ByteStrings;
use crate::design::split::{SplitPoints, Splits};
use crate::emit::reshape_commands;
use crate::hbase::existing::reshape;
use crate::observe::{
    Depth, GivenFile, HotKey, KeysByDesign, Metric, ObserveOptions, ObserveStep, ObservedDesign,
    ObservedLoad, ObservedTable, ObservedTables, Observer, Prediction,
};
use crate::records::field::time::TimeFormat;
use serde_json::json;

/// Regions, rows and files that are listed.
const LISTED: usize = 12;
/// Folders within each other that are looked into.
const DEEPEST: usize = 32;

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let mut files: Vec<GivenFile> = Vec::new();
    for path in asked.words.iter().skip(1) {
        found(context, path, 0, &mut files)?;
    }
    if files.is_empty() {
        return Err(Problem::new("cli.no-file").into());
    }
    let since = time(asked, "since")?;
    let until = time(asked, "until")?;
    let options = ObserveOptions {
        depth: if asked.has("all") { Depth::All } else { Depth::Index },
        table: asked.get("table").map(str::to_owned),
        times: (since.is_some() || until.is_some())
            .then(|| (since.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX))),
        metric: asked.one_of("metric", &Metric::NAMED)?,
        regions: asked.get("regions").map(regions_of).transpose()?.map(|count| count as usize),
        memory: context.memory,
    };
    let document = match asked.get("design") {
        Some(path) => Some(DesignDocument::read(context, path, asked)?),
        None => None,
    };
    let design =
        document.as_ref().map(|document| ObservedDesign { study: &document.study, table: document.table });
    let mut observed = read(context, files, options, design)?;
    if let Some(document) = &document {
        predict(context, document, asked, &mut observed)?;
    } else if asked.has("data") {
        return Err(Problem::new("cli.data-of-design").into());
    }
    if asked.has("redact") {
        observed.redact();
    }
    if observed.tables.is_empty() {
        let problem = observed.files.iter().find_map(|file| Some((file.problem.clone()?, &file.path)));
        return Err(match problem {
            Some((problem, path)) => Failure::from(problem).in_file(path),
            None => match asked.get("table") {
                Some(table) => Problem::new("observe.no-such-table").with("table", table).into(),
                None => Problem::new("observe.nothing").into(),
            },
        });
    }
    if asked.has("json") {
        context.write(lines(&json!(observed)).as_bytes());
    } else {
        let (idle, told): (Vec<_>, Vec<_>) = observed.tables.iter().partition(|table| is_idle(table));
        let (idle, told) = if told.is_empty() && idle.len() == 1 { (told, idle) } else { (idle, told) };
        for (at, table) in told.iter().enumerate() {
            if at > 0 {
                context.line("");
            }
            print(context, table);
        }
        if !idle.is_empty() {
            context.line("");
            let names: Vec<&str> = idle.iter().take(LISTED).map(|table| table.table.as_str()).collect();
            let more = if idle.len() > LISTED { ", …" } else { "" };
            let names = harmless(&names.join(", ")) + more;
            let figures = [("count", count(idle.len() as u64)), ("tables", names)];
            let figures = figures.each_ref().map(|(name, figure)| (*name, figure.as_str()));
            context.line(&say("observe.idle-tables", &figures));
        }
        left(context, &observed);
    }
    // Output of a cluster without counters lies in the same folders.
    let is_damage = |problem: &Problem| problem.code != "observe.dump-other";
    let is_damaged = observed
        .files
        .iter()
        .any(|file| file.problem.as_ref().is_some_and(is_damage) && !file.counted && file.kind != "link");
    Ok(if is_damaged { FOUND } else { FINE })
}

/// Sets the load that the design predicts beside the observed one, in the table that it describes.
fn predict(
    context: &mut CommandContext<'_>,
    document: &DesignDocument,
    asked: &CommandArgs,
    observed: &mut ObservedTables,
) -> Result<(), Failure> {
    let files: Vec<&str> = asked.all("data").collect();
    if files.is_empty() && !document.has_records() {
        return Ok(());
    }
    let design = ObservedDesign { study: &document.study, table: document.table };
    let Some(table) = observed.tables.iter_mut().find(|table| design.is_of(&table.table)) else {
        return Ok(());
    };
    let Some(load) = ObservedLoad::of(table) else { return Ok(()) };
    // Records are counted by the regions that are there.
    let mut own = document.clone();
    if let Some(design) = own.study.tables.get_mut(document.table) {
        design.splits = Splits::Points(load.points());
    }
    let mut held = super::loaded::held(context, &own, &files)?;
    let (report, _) = held.evidence.judged(&own.study, own.table)?;
    let points = Some(design.points()).filter(|points| !points.is_empty());
    table.prediction = Some(load.beside(&report, table, points));
    Ok(())
}

/// True for a table of which dumps have next to no requests.
fn is_idle(table: &ObservedTable) -> bool {
    table.source == "counters" && table.headline.code == "observe.idle"
}

/// The time that an option gives.
fn time(asked: &CommandArgs, option: &str) -> Result<Option<i64>, Failure> {
    let Some(text) = asked.get(option) else { return Ok(None) };
    let time = TimeFormat::parse("iso8601", Some("Z"))?.read(text.as_bytes());
    let problem = || Problem::new("cli.not-a-time").with("option", option).with("found", text);
    time.map(Some).ok_or_else(|| problem().into())
}

/// Adds a file, or all files below a folder.
fn found(
    context: &mut CommandContext<'_>,
    path: &str,
    depth: usize,
    files: &mut Vec<GivenFile>,
) -> Result<(), Failure> {
    let trouble = |trouble| Failure::trouble(&trouble, path);
    OBSERVED_FILES.check(files.len() + 1)?;
    if depth < DEEPEST
        && let Some(names) = context.host.list(path).map_err(trouble)?
    {
        let folder = path.trim_end_matches('/');
        for name in names {
            found(context, &format!("{folder}/{name}"), depth + 1, files)?;
        }
        return Ok(());
    }
    let file = context.host.open(path).map_err(trouble)?;
    let (size, changed) = (context.host.size(file), context.host.changed(file));
    context.host.close(file);
    let bytes = size.ok_or_else(|| Failure::from(Problem::new("observe.no-size")).in_file(path))?;
    files.push(GivenFile { path: path.to_owned(), bytes, changed });
    Ok(())
}

/// Reads the files as their bytes are asked for.
fn read(
    context: &mut CommandContext<'_>,
    files: Vec<GivenFile>,
    options: ObserveOptions,
    design: Option<ObservedDesign<'_>>,
) -> Result<ObservedTables, Failure> {
    let mut observer = Observer::new(files, options);
    let mut progress = Progress::new(context);
    let mut open: Option<(usize, FileHandle)> = None;
    loop {
        match observer.step() {
            ObserveStep::Done => break,
            ObserveStep::Progress(read, total) => {
                let name = open.map(|(file, _)| observer.path(file).to_owned()).unwrap_or_default();
                progress.show(context, &name, ReadSoFar { rows: 0, bytes: read, total: Some(total) });
            }
            ObserveStep::Need(file, range) => {
                if let Some((_, handle)) = open.take_if(|(at, _)| *at != file) {
                    context.host.close(handle);
                }
                let path = observer.path(file).to_owned();
                let handle = match open {
                    Some((_, handle)) => Ok(handle),
                    None => context.host.open(&path),
                };
                let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
                crate::base::memory::room(length as u64)?;
                let mut buffer = vec![0; length];
                let read = handle.and_then(|handle| {
                    open = Some((file, handle));
                    context.host.read_at(handle, range.start, &mut buffer)
                });
                match read {
                    Ok(length) => {
                        buffer.truncate(length);
                        observer.give(range.start, buffer);
                    }
                    Err(trouble) => observer.fail(trouble.of(&path)),
                }
            }
        }
    }
    if let Some((_, handle)) = open {
        context.host.close(handle);
    }
    progress.clear(context);
    Ok(design.map_or_else(|| observer.answer(), |design| observer.answer_by(design)))
}

fn print(context: &mut CommandContext<'_>, table: &ObservedTable) {
    let name = if table.table.is_empty() { say("cli.table-unnamed", &[]) } else { harmless(&table.table) };
    context.line(&context.style.ink(Ink::Bold, &harmless(&said(&table.headline))));
    let times = table.times.map(|(first, last)| {
        let step = (last - first) as f64 / 100.0;
        format!("{} – {}", moment(first as f64, step), moment(last as f64, step))
    });
    let source = match table.source {
        "wal" => "cli.observe-wal",
        "hfile" => "cli.observe-hfile",
        "index" => "cli.observe-index",
        _ => "cli.observe-both",
    };
    let source = say(source, &[]);
    let figures = [
        ("table", name),
        ("source", source),
        ("cells", count(table.counts.cells)),
        ("rows", count(table.counts.rows)),
        ("bytes", bytes(table.counts.bytes as f64)),
        ("deletes", count(table.counts.deletes)),
        ("times", times.unwrap_or_else(|| "–".to_owned())),
    ];
    let figures = figures.each_ref().map(|(name, figure)| (*name, figure.as_str()));
    let code = if table.source == "index" { "cli.observe-of-index" } else { "cli.observe-of" };
    if table.source != "counters" {
        context.line(&say(code, &figures));
        regions(context, table);
    }
    if let Some(heat) = &table.heat {
        let title = |most: u64| say("cli.observe-heat", &[("cells", &count(most))]);
        heat::draw(context, &title, &|bands, columns| Picture::of_observed(heat, bands, columns));
    }
    hottest(context, "cli.observe-rows", &table.hot_rows);
    hottest(context, "cli.observe-prefixes", &table.prefixes);
    if let Some(design) = &table.design {
        by_design(context, design);
    }
    families(context, table);
    if let Some(requests) = &table.requests {
        if table.source != "counters" {
            context.line("");
            context.line(&context.style.ink(Ink::Bold, &harmless(&said(&requests.headline))));
        }
        super::requests::print(context, &table.table, requests);
    }
    if let Some(points) = &table.splits {
        splits(context, table, points);
    }
    if let Some(prediction) = &table.prediction {
        predicted(context, prediction);
    }
    if !table.notes.is_empty() {
        context.line("");
    }
    for note in &table.notes {
        context.line(&harmless(&said(note)));
    }
}

fn regions(context: &mut CommandContext<'_>, table: &ObservedTable) {
    if table.borders == "keys" {
        return;
    }
    heading(context, "cli.observe-regions");
    let is_index = table.source == "index";
    let mut printed = PrintedTable::new(&[
        (ColumnAlign::Right, say("cli.table-region", &[])),
        (ColumnAlign::Left, say("cli.table-start", &[])),
        (ColumnAlign::Left, say("cli.table-server", &[])),
        (ColumnAlign::Right, say(if is_index { "cli.table-size" } else { "cli.observe-cells" }, &[])),
        (ColumnAlign::Right, say("cli.table-share", &[])),
    ]);
    let mut order: Vec<usize> = (0..table.regions.len()).collect();
    order.sort_by(|&a, &b| {
        let share = |at: usize| table.regions.get(at).map_or(0.0, |region| region.share);
        share(b).total_cmp(&share(a))
    });
    for &at in order.iter().take(LISTED) {
        let Some(region) = table.regions.get(at) else { continue };
        let counted = if is_index { bytes(region.counts.bytes as f64) } else { count(region.counts.cells) };
        printed.row(vec![
            count(at as u64),
            region.start.clone(),
            region.server.clone().unwrap_or_else(|| "–".to_owned()),
            counted,
            percent(region.share),
        ]);
    }
    printed.print(context);
    if table.regions.len() > LISTED {
        let more = count((table.regions.len() - LISTED) as u64);
        context.line(&say("cli.table-more", &[("count", &more)]));
    }
}

fn hottest(context: &mut CommandContext<'_>, title: &str, keys: &[HotKey]) {
    // Rows of about as many cells say nothing.
    if keys.is_empty() {
        return;
    }
    heading(context, title);
    let mut printed = PrintedTable::new(&[
        (ColumnAlign::Right, say("cli.observe-cells", &[])),
        (ColumnAlign::Right, say("cli.table-share", &[])),
        (ColumnAlign::Left, say("cli.observe-key", &[])),
    ]);
    for key in keys {
        let cells = match key.cells.is_exact() {
            true => count(key.cells.value as u64),
            false => format!("{}–{}", count(key.cells.low as u64), count(key.cells.high as u64)),
        };
        printed.row(vec![cells, percent(key.share), key.key.clone()]);
    }
    printed.print(context);
}

fn by_design(context: &mut CommandContext<'_>, design: &KeysByDesign) {
    context.line("");
    match &design.other {
        Some(key) => {
            let share = design.other_cells as f64 / design.cells.max(1) as f64;
            let figures = [
                ("rows", count(design.other_rows)),
                ("tried", count(design.tried)),
                ("share", percent(share)),
                ("key", key.clone()),
            ];
            let figures = figures.each_ref().map(|(name, figure)| (*name, figure.as_str()));
            context.line(&harmless(&say("cli.observe-other", &figures)));
        }
        None => context.line(&say("cli.observe-made", &[("tried", &count(design.tried))])),
    }
    if design.values.is_empty() {
        return;
    }
    heading(context, "cli.observe-values");
    let mut printed = PrintedTable::new(&[
        (ColumnAlign::Right, say("cli.observe-cells", &[])),
        (ColumnAlign::Right, say("cli.table-share", &[])),
        (ColumnAlign::Left, say("cli.observe-field", &[])),
        (ColumnAlign::Left, say("cli.observe-value", &[])),
    ]);
    for value in &design.values {
        printed.row(vec![count(value.cells), percent(value.share), value.field.clone(), value.value.clone()]);
    }
    printed.print(context);
}

/// Commands that cut the table into regions with about as many cells each.
fn splits(context: &mut CommandContext<'_>, table: &ObservedTable, points: &[String]) {
    let code = if table.source == "index" { "cli.observe-splits-bytes" } else { "cli.observe-splits" };
    context.line("");
    context.line(&context.style.ink(Ink::Bold, &say(code, &[("regions", &count(points.len() as u64 + 1))])));
    let parted = |starts: &mut dyn Iterator<Item = &String>| {
        let mut keys = ByteStrings::default();
        for start in starts.filter_map(|start| from_string_binary(start).ok()) {
            keys.push(&start);
        }
        SplitPoints::new(keys).ok()
    };
    // Ranges of equal cells are no regions.
    let known = if table.borders == "keys" { &[] } else { table.regions.as_slice() };
    let from = parted(&mut known.iter().skip(1).map(|region| &region.start));
    let to = parted(&mut points.iter());
    if let (Some(from), Some(to)) = (from, to) {
        let commands = reshape_commands(&table.table, &reshape(&from, &to), &[]);
        commands.lines().for_each(|line| context.line(&harmless(line)));
    }
}

/// Predicted beside observed shares.
fn predicted(context: &mut CommandContext<'_>, prediction: &Prediction) {
    context.line("");
    context.line(&context.style.ink(Ink::Bold, &said(&prediction.headline)));
    let correlation = prediction.correlation.map_or_else(|| "–".to_owned(), |found| format!("{found:.2}"));
    let figures = [
        ("records", count(prediction.records)),
        ("correlation", correlation),
        ("error", format!("{:.1}", 100.0 * prediction.error)),
    ];
    let figures = figures.each_ref().map(|(name, figure)| (*name, figure.as_str()));
    context.line(&say("cli.predicted-of", &figures));
    for cause in &prediction.causes {
        context.line(&harmless(&said(cause)));
    }
    heading(context, "cli.predicted-regions");
    let mut printed = PrintedTable::new(&[
        (ColumnAlign::Left, say("cli.table-start", &[])),
        (ColumnAlign::Right, say("cli.predicted", &[])),
        (ColumnAlign::Right, say("cli.observed", &[])),
    ]);
    for region in prediction.regions.iter().take(LISTED) {
        printed.row(vec![harmless(&region.start), percent(region.predicted), percent(region.observed)]);
    }
    printed.print(context);
}

fn families(context: &mut CommandContext<'_>, table: &ObservedTable) {
    if table.families.iter().all(|family| family.files == 0) {
        return;
    }
    heading(context, "cli.observe-families");
    let texts = ["cli.observe-family", "cli.observe-encoding", "cli.observe-compression"];
    let figures = ["cli.observe-files", "cli.observe-cells", "cli.observe-stored", "cli.observe-of-cell"];
    let left = texts.map(|code| (ColumnAlign::Left, say(code, &[])));
    let right = figures.map(|code| (ColumnAlign::Right, say(code, &[])));
    let mut printed = PrintedTable::new(&[left.as_slice(), &right].concat());
    for family in &table.families {
        let of_cell = if family.cells == 0 { 0.0 } else { family.stored as f64 / family.cells as f64 };
        printed.row(vec![
            family.family.clone(),
            family.encodings.join(", "),
            family.compressions.join(", "),
            count(family.files),
            count(family.cells),
            bytes(family.stored as f64),
            bytes(of_cell),
        ]);
    }
    printed.print(context);
}

/// Files that do not count, and what reading all would take.
fn left(context: &mut CommandContext<'_>, observed: &ObservedTables) {
    let problems: Vec<_> = observed.files.iter().filter(|file| file.problem.is_some()).collect();
    if !problems.is_empty() {
        heading(context, "cli.observe-left");
    }
    for file in problems.iter().take(LISTED) {
        if let Some(problem) = &file.problem {
            context.line(&harmless(&described(problem, Some(&file.path), None)));
        }
    }
    if problems.len() > LISTED {
        let more = count((problems.len() - LISTED) as u64);
        context.line(&say("cli.observe-more", &[("count", &more)]));
    }
    let others = observed.kinds.iter().find(|(kind, _)| kind == "other").map_or(0, |(_, count)| *count);
    if others > 0 {
        context.line("");
        context.line(&say("cli.observe-others", &[("count", &count(others))]));
    }
    if observed.unread > 0 {
        context.line("");
        context.line(&say("cli.observe-unread", &[("bytes", &bytes(observed.unread as f64))]));
    }
}
