//! The queries of a table as requests to HBase's REST gateway.
//!
//! Only its requests for a scanner take rows of any bytes, as Base64. Paths and parameters are read as UTF-8, and bytes
//! that are not become others; so a get, or a reversed scan, which only parameters ask for, is made where its rows are text.

use super::asked::{AskedQuery, queries};
use super::code::filled;
use super::names;
use super::scans::{in_turn, more_rows, notes, timed};
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::bytes::base64;
use crate::formula::typed::TypedFormula;
use crate::scan::{KeyRange, PlanKind, ScanFilter, StampedTimes};

const FRAME: &str = include_str!("languages/scan-rest.frame");

/// Functions of the script, by the name that calls each; the first opens with a comment, as all do.
const FUNCTIONS: [(&str, &str); 3] = [
    ("scan", include_str!("languages/rest-scan.sh")),
    ("reversed", include_str!("languages/rest-reversed.sh")),
    ("get", include_str!("languages/rest-get.sh")),
];

/// A command, its function by index in [`FUNCTIONS`].
struct RestCommand {
    function: usize,
    text: String,
}

/// The commands of a query, with the comments before them.
struct RestQuery {
    comments: Vec<String>,
    commands: Vec<RestCommand>,
}

/// The script.
pub(super) fn commands(subject: &EmitSubject<'_>) -> Result<String, Problem> {
    let typed = &subject.design.typed;
    let all: Vec<RestQuery> = queries(subject)?.iter().map(|asked| of_query(asked, typed)).collect();
    let used = |at: usize| all.iter().flat_map(|query| &query.commands).any(|command| command.function == at);
    let functions: String = FUNCTIONS
        .iter()
        .enumerate()
        .filter(|(at, _)| used(*at))
        .map(|(_, (_, text))| format!("{}\n\n", text.trim_end()))
        .collect();
    let lines = |query: &RestQuery| {
        let comments = query.comments.iter().map(|line| names::comment("# ", line));
        let commands = query.commands.iter().map(|command| format!("{}\n", command.text));
        comments.chain(commands).collect::<String>()
    };
    let texts: Vec<String> = all.iter().map(lines).collect();
    let table = format!("'{}'", percent(subject.design.name.as_bytes()));
    Ok(filled(FRAME, &[("table", &table), ("functions", &functions), ("queries", &texts.join("\n"))]))
}

fn of_query(asked: &AskedQuery<'_>, typed: &TypedFormula) -> RestQuery {
    let plan = &asked.plan;
    let mut comments = vec![asked.name.clone()];
    comments.extend(notes(asked));
    comments.extend(asked.times.map(|(_, field)| timed(field)));
    // The gateway reads rows as UTF-8 when it compares them with a pattern.
    let ascii = typed.shape.alphabet.is_ascii();
    let filters = plan.filters.iter().find(|filter| filter.pattern().is_some());
    let dropping = filters.filter(|_| ascii && !plan.delivery.reversed);
    let exact = plan.exact || matches!(dropping, Some(ScanFilter::Fuzzy { exact: true, .. }));
    if !exact {
        comments.push("May also return rows that do not match: check the fields of each row.".to_owned());
    }
    let backwards = plan.delivery.reversed && plan.ranges.iter().all(|range| is_reversible(range, typed));
    if plan.delivery.reversed && !backwards {
        comments.push(
            "The gateway reads backwards only between rows that are text: this reads forwards, all rows. Reverse their order."
                .to_owned(),
        );
    }
    let limit = plan.stops_after.filter(|_| exact && backwards == plan.delivery.reversed);
    if let Some(rows) = plan.stops_after.filter(|_| limit.is_none()) {
        comments.push(more_rows(rows));
    }
    let mut ranges: Vec<&KeyRange> = in_turn(plan).collect();
    if plan.delivery.reversed && !backwards {
        ranges.sort_by(|one, other| one.start.cmp(&other.start));
    }
    let times = asked.times.map(|(times, _)| times);
    let command = |range: &KeyRange| match plan.kind {
        PlanKind::Get if is_path(&range.start) => {
            RestCommand { function: 2, text: format!("get '{}'", percent(&range.start)) }
        }
        _ if backwards => RestCommand { function: 1, text: reversed(range, times, limit) },
        _ => RestCommand { function: 0, text: scan(range, times, dropping, limit) },
    };
    RestQuery { comments, commands: ranges.into_iter().map(command).collect() }
}

/// A scan from a row to another by a scanner.
fn scan(
    range: &KeyRange,
    times: Option<StampedTimes>,
    filter: Option<&ScanFilter>,
    limit: Option<u32>,
) -> String {
    let [start, stop] = [&range.start, &range.stop].map(|row| base64(row));
    let mut attributes = String::new();
    if let Some(StampedTimes { from, to, .. }) = times {
        attributes += &format!(" startTime=\"{from}\" endTime=\"{to}\"");
    }
    if let Some(pattern) = filter.and_then(|filter| filter.within(range).pattern()) {
        let comparator = serde_json::json!({ "type": "RegexStringComparator", "value": pattern });
        let filter = serde_json::json!({ "type": "RowFilter", "op": "EQUAL", "comparator": comparator });
        attributes += &format!(" filter=\"{}\"", attribute(&filter.to_string()));
    }
    let attributes = attributes.replace('\'', "'\\''");
    let limit = limit.map(|rows| rows.to_string());
    match (attributes.as_str(), limit) {
        ("", None) => format!("scan '{start}' '{stop}'"),
        (attributes, None) => format!("scan '{start}' '{stop}' '{attributes}'"),
        (attributes, Some(limit)) => format!("scan '{start}' '{stop}' '{attributes}' {limit}"),
    }
}

/// A reversed scan: from the end of a range, where no row is, to its start, where none is, too.
fn reversed(range: &KeyRange, times: Option<StampedTimes>, limit: Option<u32>) -> String {
    let mut query = String::from("reversed=true");
    for (name, row) in [("startrow", &range.stop), ("endrow", &range.start)] {
        if !row.is_empty() {
            query += &format!("&{name}={}", percent(row));
        }
    }
    if let Some(StampedTimes { from, to, .. }) = times {
        query += &format!("&starttime={from}&endtime={to}");
    }
    if let Some(rows) = limit {
        query += &format!("&limit={rows}");
    }
    format!("reversed '{query}'")
}

/// True if the ends of a range are text, and no rows: a reversed scan includes the one and leaves out the other.
fn is_reversible(range: &KeyRange, typed: &TypedFormula) -> bool {
    let plain = |row: &[u8]| std::str::from_utf8(row).is_ok_and(|text| !text.chars().any(char::is_control));
    let no_row = |row: &[u8]| row.is_empty() || (row.len() as u64) < typed.shape.width.min;
    [&range.start, &range.stop].iter().all(|row| plain(row) && no_row(row))
}

/// True if a row can be named in a path: text without characters that the gateway or a server before it reads in another way.
fn is_path(row: &[u8]) -> bool {
    let plain = |char: char| !char.is_control() && !"/\\.%;* ".contains(char);
    std::str::from_utf8(row).is_ok_and(|text| !text.is_empty() && text.chars().all(plain))
}

/// Bytes in a URL.
fn percent(bytes: &[u8]) -> String {
    let one = |&byte: &u8| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    bytes.iter().map(one).collect()
}

/// A text in an attribute of XML.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}
