//! A table as it is: what HBase's shell prints of it, read back, and the way from there to a design.
//!
//! [`read`] takes `list_regions`, `get_splits`, `describe`, `scan 'hbase:meta'`, the scan of a table, a whole session of the shell, the
//! command that creates a table, a file of split keys, or row keys one a line, and tells by itself which it is. What cannot be read is said line by line; the rest is used.

mod create;
mod expression;
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
#[cfg(feature = "formats")]
pub(crate) use meta::{MetaEntry, told};
#[cfg(feature = "formats")]
pub(crate) use regions::RegionColumns;
pub use reshape::{ReshapeAction, ReshapeStep, reshape};
pub use table::{ExistingRegion, ExistingTable, ExistingText};

use super::phoenix;
use crate::base::limits::{SHELL_BYTES, SHELL_LINES};
use crate::base::{Problem, Problems};
use crate::bytes::row::{from_string_binary, to_bytes_binary, to_string_binary};
use crate::bytes::sort::{sort_by, sort_distinct};
pub(super) use regions::region_name;
use table::of_line;

/// Fewest lines in no order, or with repeats, from which plain lines are taken for row keys; a file of split keys is short.
const MANY: usize = 1000;

/// Refuses a text that is longer than any cluster has regions for.
///
/// # Errors
/// `limit.exceeded`.
pub fn check(text: &str) -> Result<(), Problem> {
    SHELL_BYTES.check(text.len())?;
    SHELL_LINES.check(text.lines().count())
}

/// Reads a text. `plain` says what plain lines are, `splits` or `keys`; without it, few lines in ascending order without
/// repeats are split keys, others row keys. Of a text beyond the limits the only problem says so.
pub fn read(text: &str, plain: Option<&str>) -> ExistingText {
    if let Err(problem) = check(text) {
        return ExistingText { problems: vec![problem], ..ExistingText::default() };
    }
    let mut reader = text::SessionReader::new();
    for (index, line) in text.lines().enumerate() {
        reader.line(index as u64 + 1, line);
    }
    let (mut found, mut problems) = reader.finish();
    if let Some(problem) = unread(text).filter(|_| found.forms.is_empty()) {
        problems.push(problem);
    } else if found.forms.is_empty() {
        plain_lines(text, plain, &mut found, &mut problems);
    }
    for table in &mut found.tables {
        complete(table, &mut problems);
    }
    if found.tables.is_empty() && problems.is_empty() {
        problems.push(Problem::new("existing.nothing"));
    }
    found.problems = problems.into_told();
    found
}

/// The tables that statements of Phoenix create, apart from [`read`]: pages load what reads them when it is asked for.
pub fn of_sql(text: &str) -> ExistingText {
    let phoenix::PhoenixText { design, mut problems } = phoenix::read(text);
    let mut tables = Vec::new();
    for of in design.iter().flat_map(phoenix::PhoenixDesign::tables) {
        let families = of.families.iter().map(ExistingFamily::of_design).collect();
        let points = of.points().to_vec();
        let mut table = ExistingTable { name: of.name.clone(), points, families, ..ExistingTable::default() };
        if table.points.is_empty() {
            table.regions.push(ExistingRegion::default());
        }
        let mut own = Problems::new();
        complete(&mut table, &mut own);
        problems.extend(own.into_told());
        tables.push(table);
    }
    ExistingText { forms: vec!["phoenix"], tables, problems }
}

/// Split keys or row keys, one a line.
fn plain_lines(text: &str, plain: Option<&str>, found: &mut ExistingText, problems: &mut Problems) {
    // HBase reads something of every line: it is used as it would.
    let read = text.lines().filter(|line| !line.is_empty()).filter_map(|line| to_bytes_binary(line).ok());
    let mut keys: Vec<Vec<u8>> = read.collect();
    if keys.is_empty() || region_names(text, found) {
        return;
    }
    let ascending = keys.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
    let splits = plain.map_or(ascending && keys.len() < MANY, |plain| plain == "splits");
    found.forms.push(if splits { "splits" } else { "keys" });
    for (line, number) in text.lines().zip(1..) {
        match from_string_binary(line) {
            // An empty line is a mistake in a file of split keys, and nothing in a list of rows.
            Ok(key) if key.is_empty() && splits => {
                problems.push(of_line(Problem::new("existing.empty-line"), number));
            }
            Ok(_) => {}
            Err(problem) => problems.push(of_line(problem, number)),
        }
    }
    let mut table = ExistingTable::default();
    if splits {
        sort_distinct(&mut keys);
        table.points = keys.iter().map(|key| to_string_binary(key)).collect();
    } else {
        table.keys = keys.iter().map(|key| to_string_binary(key)).collect();
    }
    found.tables.push(table);
}

/// Names of regions, one a line: each says where its region begins. False where they are none.
fn region_names(text: &str, found: &mut ExistingText) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(names) = lines.map(region_name).collect::<Option<Vec<_>>>() else { return false };
    found.forms.push("region-names");
    for (table, start, _) in names {
        let place = found.tables.iter().position(|known| known.name == table).unwrap_or_else(|| {
            found.tables.push(ExistingTable { name: table.to_owned(), ..ExistingTable::default() });
            found.tables.len() - 1
        });
        if let Some(known) = found.tables.get_mut(place) {
            known.points.push(start.to_owned());
        }
    }
    true
}

/// Output that is not read, by what only it has.
const UNREAD: [(&str, &str); 7] = [
    ("numberOfOnlineRegions=", "status 'detailed'"),
    ("requestsPerSecond=", "status"),
    ("\"beans\"", "JMX"),
    ("\"LiveNodes\"", "REST"),
    ("\"server_name\"", "the REST interface of the master"),
    ("HBase hbtop - ", "hbtop"),
    ("<html", "HTML"),
];

/// The problem of a text that is output of another kind than those that are read.
fn unread(text: &str) -> Option<Problem> {
    let (_, what) = UNREAD.iter().find(|(mark, _)| text.contains(mark))?;
    Some(Problem::new("existing.unread").with("what", what))
}

/// Sorts the regions, says where they leave a hole or overlap, and makes regions of points and points of regions.
fn complete(table: &mut ExistingTable, problems: &mut Problems) {
    let key = |text: &str| from_string_binary(text).unwrap_or_default();
    let written = |points: &mut Vec<Vec<u8>>| -> Vec<String> {
        points.retain(|point| !point.is_empty());
        sort_distinct(points);
        points.iter().map(|point| to_string_binary(point)).collect()
    };
    table.points = written(&mut table.points.iter().map(|text| key(text)).collect());
    // A `create` without splits makes one region; other output shows which regions the table has by now.
    if table.regions.len() > 1 || !table.points.is_empty() {
        table.regions.retain(|region| !(region.start.is_empty() && region.stop.is_empty()));
    }
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
