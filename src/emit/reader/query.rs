//! The functions of a query: its ranges, and its rows.

use super::languages::ReaderLanguage;
use super::ranges::{RangeParameters, RangesOf, bucket_guard};
use crate::base::Problem;
use crate::emit::asked::AskedQuery;
use crate::emit::lower::CodeWriter;
use crate::emit::names::{comment, fill, hex};
use crate::emit::scans::{in_turn, notes, timed};
use crate::emit::subject::EmitSubject;
use crate::scan::{
    FieldDomain, KeyRange, PlanKind, PlanTemplate, ScanFilter, StampedTimes, TemplateEnd, prefix_length,
};

/// Ranges that a check has, and the number of all.
const MOST_CHECKED: usize = 20;

/// The functions of a query, and the line that checks its ranges.
pub(super) struct QueryCode {
    pub functions: String,
    pub check: String,
}

/// The ranges of a query as a function gives them.
struct RangesCode<'a> {
    body: String,
    parameters: RangeParameters,
    /// Those for the values that the design asks for.
    expected: Vec<KeyRange>,
    /// The template they follow; `None` where they are constants.
    template: Option<&'a PlanTemplate<'a>>,
    /// True if all their rows match, or a filter drops the others.
    exact: bool,
}

fn ranges<'a, 'b>(
    asked: &'a AskedQuery<'b>,
    subject: &EmitSubject<'b>,
    reader: &ReaderLanguage,
    writer: &mut CodeWriter<'b>,
) -> Result<RangesCode<'a>, Problem> {
    let Some(template) = asked.template.as_ref() else {
        let (body, parameters) = (constants(asked, subject, reader, writer), RangeParameters::default());
        let filtered = !reader.filters[0].is_empty() && has_exact_filter(asked);
        let (expected, exact) = (asked.plan.ranges.clone(), asked.plan.exact || filtered);
        return Ok(RangesCode { body, parameters, expected, template: None, exact });
    };
    let kind = subject.design.of_kind.as_ref().map(|kind| kind.telling.field);
    let is_begun =
        |domain: &FieldDomain| matches!(domain, FieldDomain::Strings { .. } | FieldDomain::Prefixes(_));
    writer.begun =
        (0..).zip(&asked.domains).filter(|(_, domain)| is_begun(domain)).map(|(field, _)| field).collect();
    let ranges = RangesOf::new(reader, writer, &subject.study.fields, asked, kind).body(template);
    writer.begun.clear();
    let (body, parameters) = ranges?;
    let expected = template.ranges(&asked.domains).unwrap_or_default();
    let exact = template.exact && (template.fuzzy.is_empty() || !reader.only.is_empty());
    Ok(RangesCode { body, parameters, expected, template: Some(template), exact })
}

/// The code of a query that has this name.
pub(super) fn code<'b>(
    asked: &AskedQuery<'b>,
    name: &str,
    subject: &EmitSubject<'b>,
    reader: &ReaderLanguage,
    writer: &mut CodeWriter<'b>,
) -> Result<QueryCode, Problem> {
    let code = ranges(asked, subject, reader, writer)?;
    let RangeParameters { declared, given, values, .. } = &code.parameters;
    let ranges = reader.ranges_name(name);
    let doc = comment(reader.comment, &format!("Ranges: {}", asked.name));
    let own = [
        ("doc", doc.as_str()),
        ("ranges", &ranges),
        ("parameters", &declared.join(", ")),
        ("body", &code.body),
    ];
    let mut functions = fill(reader.ranges, &own);
    let lines = documented(asked, &code, reader);
    let doc: String = lines.iter().map(|line| comment(reader.comment, line)).collect();
    let tested = (!code.exact).then(|| reader.matching.to_owned());
    let connected: Vec<String> =
        std::iter::once(String::new()).chain(declared.iter().cloned()).chain(tested).collect();
    let single = match code.template {
        Some(template) => matches!(template.end, TemplateEnd::Row),
        None => true,
    };
    let named = asked.plan.kind == PlanKind::Get && code.exact && single;
    let rows = if named { reader.named } else { reader.rows };
    functions += &fill(
        rows,
        &[
            ("doc", &doc),
            ("name", name),
            ("ranges", &ranges),
            ("parameters", &connected.join(", ")),
            ("given", &given.join(", ")),
            ("read", &reading(asked, &code, reader)),
        ],
    );
    let mut expected: Vec<String> = code
        .expected
        .iter()
        .take(MOST_CHECKED)
        .map(|range| format!("{}-{}", hex(&range.start), hex(&range.stop)))
        .collect();
    expected.extend((code.expected.len() > MOST_CHECKED).then(|| format!("of {}", code.expected.len())));
    let check = fill(
        reader.check,
        &[
            ("query", &reader.language.text(&asked.name)),
            ("ranges", &format!("{ranges}({})", values.join(", "))),
            ("expected", &reader.language.text(&expected.join(" "))),
        ],
    );
    Ok(QueryCode { functions, check })
}

/// The lines of the comment of a query.
fn documented(asked: &AskedQuery<'_>, code: &RangesCode<'_>, reader: &ReaderLanguage) -> Vec<String> {
    let mut lines = vec![asked.name.clone()];
    if code.template.is_none() {
        let constant =
            "Ranges for the values in the design. For others, change the query there and export again.";
        lines.push(constant.to_owned());
    }
    lines.extend(notes(asked));
    lines.extend(asked.times.filter(|_| !reader.during[0].is_empty()).map(|(_, field)| timed(field)));
    if !code.exact {
        lines.push("The ranges may hold rows that do not match: say which do.".to_owned());
    }
    lines
}

fn has_exact_filter(asked: &AskedQuery<'_>) -> bool {
    asked.plan.filters.iter().any(|filter| matches!(filter, ScanFilter::Fuzzy { exact: true, .. }))
}

/// The ranges of a query as they are.
fn constants(
    asked: &AskedQuery<'_>,
    subject: &EmitSubject<'_>,
    reader: &ReaderLanguage,
    writer: &CodeWriter<'_>,
) -> String {
    let whole = matches!(asked.plan.kind, PlanKind::FullScan | PlanKind::Nothing);
    let guard = if whole { String::new() } else { bucket_guard(reader, writer) };
    let skipped = prefix_length(&subject.design.typed, &asked.domains).unwrap_or_default().to_string();
    let one = |range: &KeyRange| {
        let [start, stop] = [&range.start, &range.stop].map(|row| hex(row));
        let text = fill(reader.constant, &[("start", &start), ("stop", &stop), ("skipped", &skipped)]);
        format!("{}{text}\n", reader.step().repeat(reader.depth()))
    };
    std::iter::once(guard).chain(in_turn(&asked.plan).map(one)).collect()
}

/// How the rows of ranges are read.
fn reading(
    asked: &AskedQuery<'_>,
    RangesCode { template, exact, parameters, .. }: &RangesCode<'_>,
    reader: &ReaderLanguage,
) -> String {
    let exact = *exact;
    let plan = &asked.plan;
    let [sorted, reversed, last_first, merged, limit, matching] = reader.reading;
    let mut reading = String::new();
    // Runs follow one another in the order of their field, which need not be that of their keys.
    let by_run = asked.query.order.is_some() && template.is_some_and(PlanTemplate::has_runs);
    let in_order = template.is_some() && !plan.delivery.merge && (by_run || plan.turns.is_empty());
    if in_order && !by_run {
        reading += sorted;
    }
    if plan.delivery.reversed {
        reading += reversed;
        reading += if in_order { last_first } else { "" };
    }
    if plan.delivery.merge {
        reading += merged;
    }
    if template.is_none() {
        reading += &filter(asked, reader).unwrap_or_default();
    }
    if let Some([from, to]) = times(asked, parameters, reader) {
        reading += &fill(reader.during[0], &[("from", &from), ("to", &to)]);
    }
    if !exact {
        reading += matching;
    }
    if let Some(rows) = plan.stops_after {
        reading += &fill(limit, &[("limit", &rows.to_string())]);
    }
    reading
}

/// The code of the timestamps that are read, where the language can bound them.
fn times(
    asked: &AskedQuery<'_>,
    parameters: &RangeParameters,
    reader: &ReaderLanguage,
) -> Option<[String; 2]> {
    let [_, _, most, _] = reader.during;
    let (StampedTimes { from, to, .. }, _) = asked.times.filter(|_| !most.is_empty())?;
    let end = if to == i64::MAX { most.to_owned() } else { reader.language.number(to) };
    parameters.times.clone().or_else(|| Some([reader.language.number(from), end]))
}

/// The filter of ranges as they are.
fn filter(asked: &AskedQuery<'_>, reader: &ReaderLanguage) -> Option<String> {
    let [all, pair, regex] = reader.filters;
    asked.plan.filters.iter().find_map(|filter| match filter {
        ScanFilter::MultiRowRange => None,
        ScanFilter::Fuzzy { pairs, .. } => {
            let pairs: Vec<String> = pairs
                .iter()
                .map(|(key, mask)| fill(pair, &[("key", &hex(key)), ("mask", &hex(mask))]))
                .collect();
            Some(fill(all, &[("pairs", &pairs.join(", "))]))
        }
        ScanFilter::RowRegex { pattern } => Some(fill(regex, &[("pattern", &reader.language.text(pattern))])),
    })
}
