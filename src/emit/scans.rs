//! The queries of a table as commands of the HBase shell.
//!
//! Rows are written between double quotes, where Ruby reads `\xFF` as one byte; between single quotes the shell would take
//! it for four characters. Split keys are the other way round.

use super::asked::{AskedQuery, queries};
use super::names;
use super::shell::text;
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::scan::{KeyRange, PlanKind, QueryPlan, ScanFilter, StampedTimes};

/// The package of the filters.
const FILTERS: &str = "org.apache.hadoop.hbase.filter";

/// Most bytes that the last row before another is told by.
const CLOSE: usize = 9;

/// The commands.
pub(super) fn commands(subject: &EmitSubject<'_>) -> Result<String, Problem> {
    let table = text(&subject.design.name);
    let all: Vec<String> = queries(subject)?.iter().map(|asked| of_query(asked, &table)).collect();
    Ok(all.join("\n"))
}

fn of_query(asked: &AskedQuery<'_>, table: &str) -> String {
    let plan = &asked.plan;
    let mut lines: Vec<String> = vec![asked.name.clone()];
    lines.extend(notes(asked));
    lines.extend(asked.times.map(|(_, field)| timed(field)));
    let filtered = plan.filters.iter().any(|filter| matches!(filter, ScanFilter::Fuzzy { exact: true, .. }));
    let exact = plan.exact || filtered;
    if !exact {
        lines.push("May also return rows that do not match: check the fields of each row.".to_owned());
    }
    // The shell counts all rows, and not those that match.
    let limit = plan.stops_after.filter(|_| exact);
    if let Some(rows) = plan.stops_after.filter(|_| !exact) {
        lines.push(more_rows(rows));
    }
    let comments = lines.iter().map(|line| names::comment("# ", line));
    let commands = in_turn(plan).map(|range| match plan.kind {
        PlanKind::Get => format!("get {table}, {}\n", row(&range.start)),
        _ => scan(range, asked, (table, limit)) + "\n",
    });
    comments.chain(commands).collect()
}

/// The ranges in the order in which they are read.
pub(super) fn in_turn(plan: &QueryPlan) -> impl Iterator<Item = &KeyRange> {
    let mut order: Vec<usize> =
        if plan.turns.is_empty() { (0..plan.ranges.len()).collect() } else { plan.turns.clone() };
    if plan.delivery.reversed && plan.turns.is_empty() {
        order.reverse();
    }
    order.into_iter().filter_map(|index| plan.ranges.get(index))
}

/// The fact that cells are read by their timestamps, which are a field.
pub(super) fn timed(field: &str) -> String {
    format!(
        "Skips store files without cells of these times: timestamps are the field {field}. Rows with other timestamps \
         are not found."
    )
}

/// Facts that a reader of the rows must know, a sentence each.
pub(super) fn notes(asked: &AskedQuery<'_>) -> Vec<String> {
    let plan = &asked.plan;
    let mut notes = Vec::new();
    match plan.kind {
        PlanKind::Nothing => notes.push("No row can match.".to_owned()),
        PlanKind::FullScan if plan.stops_after.is_none() => notes.push("Reads the whole table.".to_owned()),
        _ => {}
    }
    if let Some(order) = &asked.query.order {
        let field = &order.field;
        if plan.delivery.sort {
            notes.push(format!("The rows are not in order of {field}: read all of them, then sort."));
        } else if plan.delivery.merge {
            notes.push(format!("Each scan returns its rows in order of {field}: merge them."));
        }
        if let Some(bytes) = plan.delivery.tied {
            notes.push(format!("Rows with the same first {bytes} bytes are in any order of {field}."));
        }
    }
    notes
}

/// The fact that more rows are read than the query asks for.
pub(super) fn more_rows(rows: u32) -> String {
    format!("Reads more than {rows} rows: take the first {rows} that match.")
}

fn scan(
    range: &KeyRange,
    AskedQuery { plan, times, .. }: &AskedQuery<'_>,
    (table, limit): (&str, Option<u32>),
) -> String {
    let mut attributes = Vec::new();
    let (start, stop) = match plan.delivery.reversed {
        false => (range.start.clone(), range.stop.clone()),
        // A reversed scan of the shell includes its start row and excludes its stop row.
        true => (before(&range.stop), before(&range.start)),
    };
    for (name, bytes) in [("STARTROW", start), ("STOPROW", stop)] {
        if !bytes.is_empty() {
            attributes.push(format!("{name} => {}", row(&bytes)));
        }
    }
    if plan.delivery.reversed {
        attributes.push("REVERSED => true".to_owned());
    }
    if let Some(limit) = limit {
        attributes.push(format!("LIMIT => {limit}"));
    }
    // A scan of the whole table would drive all else out of the cache.
    if range.is_all() {
        attributes.push("CACHE_BLOCKS => false".to_owned());
    }
    if let Some((StampedTimes { from, to, .. }, _)) = times {
        attributes.push(format!("TIMERANGE => [{from}, {to}]"));
    }
    attributes.extend(
        plan.filters
            .iter()
            .find_map(|all| filter(&all.within(range)))
            .map(|filter| format!("FILTER => {filter}")),
    );
    match attributes.is_empty() {
        true => format!("scan {table}"),
        false => format!("scan {table}, {{{}}}", attributes.join(", ")),
    }
}

/// The last row before another, as far as its length is bounded; of the table's end, its end.
fn before(row: &[u8]) -> Vec<u8> {
    match row.split_last() {
        None => Vec::new(),
        Some((0, rest)) => rest.to_vec(),
        Some((&last, rest)) => [rest, &[last - 1], &[0xff; CLOSE]].concat(),
    }
}

/// A filter as an object of the JVM; `None` for one that only joins ranges.
fn filter(filter: &ScanFilter) -> Option<String> {
    match filter {
        ScanFilter::MultiRowRange => None,
        ScanFilter::Fuzzy { pairs, .. } => {
            let pair = |(key, mask): &(Vec<u8>, Vec<u8>)| {
                let [key, mask] = [key, mask].map(|bytes| row(bytes) + ".to_java_bytes");
                format!("org.apache.hadoop.hbase.util.Pair.new({key}, {mask})")
            };
            let pairs: Vec<String> = pairs.iter().map(pair).collect();
            Some(format!("{FILTERS}.FuzzyRowFilter.new([{}])", pairs.join(", ")))
        }
        ScanFilter::RowRegex { pattern } => {
            let comparator = format!(
                "{FILTERS}.RegexStringComparator.new({}, java.util.regex.Pattern::DOTALL)",
                text(pattern)
            );
            let charset = "java.nio.charset.StandardCharsets::ISO_8859_1";
            Some(format!(
                "{FILTERS}.RowFilter.new(org.apache.hadoop.hbase.CompareOperator::EQUAL, \
                 {comparator}.tap {{ |it| it.setCharset({charset}) }})"
            ))
        }
    }
}

/// The bytes of a row as Ruby reads them between double quotes.
pub(super) fn row(bytes: &[u8]) -> String {
    let one = |&byte: &u8| match byte {
        b'"' | b'\\' | b'#' => format!("\\x{byte:02X}"),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    format!("\"{}\"", bytes.iter().map(one).collect::<String>())
}
