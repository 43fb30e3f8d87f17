//! A table as it is: what HBase's shell prints of it, read back, and the way from there to a design.
//!
//! [`read`] takes `list_regions`, `get_splits`, `describe`, `scan 'hbase:meta'`, the scan of a table, a whole session of the shell, the
//! command that creates a table, a file of split keys, or row keys one a line, and tells by itself which it is. What cannot be read is said line by line; the rest is used.

mod create;
mod families;
mod judge;
mod meta;
mod regions;
mod reshape;
mod ruby;
mod table;
mod text;

pub use families::ExistingFamily;
pub use judge::{ServerShare, TableAct, TableJudgement, judge};
pub use reshape::{ReshapeAction, ReshapeStep, reshape};
pub use table::{ExistingRegion, ExistingTable, ExistingText};

use crate::base::Problem;
use crate::bytes::row::{from_string_binary, to_bytes_binary, to_string_binary};
use crate::bytes::sort::{sort_by, sort_distinct};
use table::of_line;

/// Problems told one by one.
const TOLD: usize = 100;

/// Fewest lines in no order, or with repeats, from which plain lines are taken for row keys; a file of split keys is short.
const MANY: usize = 1000;

/// Reads a text. `plain` says what plain lines are, `splits` or `keys`; without it, few lines in ascending order without
/// repeats are split keys, others row keys.
pub fn read(text: &str, plain: Option<&str>) -> ExistingText {
    let mut reader = text::SessionReader::new();
    for (index, line) in text.lines().enumerate() {
        reader.line(index as u64 + 1, line);
    }
    let mut found = reader.finish();
    if found.forms.is_empty() {
        plain_lines(text, plain, &mut found);
    }
    for table in &mut found.tables {
        complete(table, &mut found.problems);
    }
    if found.tables.is_empty() && found.problems.is_empty() {
        found.problems.push(Problem::new("existing.nothing"));
    }
    if found.problems.len() > TOLD {
        let more = found.problems.len() - TOLD;
        found.problems.truncate(TOLD);
        found.problems.push(Problem::new("existing.more-problems").with("count", more));
    }
    found
}

/// Split keys or row keys, one a line.
fn plain_lines(text: &str, plain: Option<&str>, found: &mut ExistingText) {
    let mut keys: Vec<Vec<u8>> = Vec::new();
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index as u64 + 1;
        if line.is_empty() {
            problems.push(of_line(Problem::new("existing.empty-line"), line_number));
            continue;
        }
        match from_string_binary(line) {
            Ok(key) => keys.push(key),
            Err(problem) => {
                // HBase reads something all the same: the line is used as it would.
                keys.extend(to_bytes_binary(line).ok());
                problems.push(of_line(problem, line_number));
            }
        }
    }
    if keys.is_empty() {
        return;
    }
    let ascending = keys.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
    let splits = plain.map_or(ascending && keys.len() < MANY, |plain| plain == "splits");
    // An empty line is a mistake in a file of split keys, and nothing in a list of rows.
    problems.retain(|problem| splits || problem.code != "existing.empty-line");
    found.forms.push(if splits { "splits" } else { "keys" });
    found.problems.extend(problems);
    let mut table = ExistingTable::default();
    if splits {
        sort_distinct(&mut keys);
        table.points = keys.iter().map(|key| to_string_binary(key)).collect();
    } else {
        table.keys = keys.iter().map(|key| to_string_binary(key)).collect();
    }
    found.tables.push(table);
}

/// Sorts the regions, says where they leave a hole or overlap, and makes regions of points and points of regions.
fn complete(table: &mut ExistingTable, problems: &mut Vec<Problem>) {
    let key = |text: &str| from_string_binary(text).unwrap_or_default();
    let written = |points: &mut Vec<Vec<u8>>| -> Vec<String> {
        points.retain(|point| !point.is_empty());
        sort_distinct(points);
        points.iter().map(|point| to_string_binary(point)).collect()
    };
    table.points = written(&mut table.points.iter().map(|text| key(text)).collect());
    if table.regions.is_empty() && !table.points.is_empty() {
        let none = String::new();
        let starts = [&none].into_iter().chain(&table.points);
        let stops = table.points.iter().chain([&none]);
        let region = |(start, stop): (&String, &String)| ExistingRegion {
            start: start.clone(),
            stop: stop.clone(),
            ..ExistingRegion::default()
        };
        table.regions = starts.zip(stops).map(region).collect();
        return;
    }
    sort_by(&mut table.regions, |a, b| (key(&a.start), key(&a.stop)).cmp(&(key(&b.start), key(&b.stop))));
    // `hbase:meta` tells of the same regions without their figures.
    table.regions.dedup_by(|again, first| {
        let same = (&again.start, &again.stop) == (&first.start, &first.stop);
        if same && first.megabytes.is_none() {
            std::mem::swap(first, again);
        }
        same
    });
    let mut before = String::new();
    let ends = |region: &ExistingRegion| (region.start.clone(), region.stop.clone());
    let mut all: Vec<(String, String)> = table.regions.iter().map(ends).collect();
    // Add an empty region after the last one as a sentinel.
    all.extend(table.regions.last().map(|_| (String::new(), String::new())));
    for (index, (start, stop)) in all.iter().enumerate() {
        let last = index + 1 == all.len();
        if before != *start {
            let overlap = !last && (before.is_empty() || key(start) < key(&before));
            let code = if overlap && index > 0 { "existing.overlap" } else { "existing.hole" };
            let problem = Problem::new(code).with("table", &table.name);
            problems.push(problem.with("start", &before).with("stop", start));
        }
        before.clone_from(stop);
    }
    let mut points: Vec<Vec<u8>> = Vec::new();
    for region in &table.regions {
        points.extend([&region.start, &region.stop].into_iter().map(|text| key(text)));
    }
    if !table.regions.is_empty() {
        table.points = written(&mut points);
    }
}
