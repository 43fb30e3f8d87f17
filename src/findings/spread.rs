//! Findings about where writes go.

use super::review::{percent, walk};
use super::{Evidence, Fix, Found, Review, Severity};
use crate::formula::properties::Order;
use crate::formula::steps::Value;
use crate::formula::typed::{Expression, Part};
use crate::formula::vector::Vector;
use crate::sort::{sort, sort_distinct};
use serde_json::json;

/// Rows from which a share of them means something.
const ENOUGH: usize = 100;
/// Of neighbouring rows in order of arrival, the share whose leading part rises (or falls) from which it is sequential.
const RISING: f64 = 0.95;
/// Values beyond which a prefix is a hash and no salt.
const MOST_SALTS: u64 = 4096;
/// Salts put in front when a fix needs some.
const SALTS: usize = 16;

/// The leading part rises with the arrival of records, so all writes of a moment go to one region.
pub fn sequential(review: &Review) -> Vec<Found> {
    let Some((index, part)) = review.lead() else { return Vec::new() };
    let by_data = review
        .evidence
        .as_ref()
        .filter(|evidence| evidence.rows() >= ENOUGH)
        .map(|evidence| rising(evidence, index));
    let ordered =
        matches!(part.shape.order, Order::Strict | Order::Weak | Order::Reversed | Order::WeakReversed);
    let of_arrival = || {
        let arrival = review.study.arrival.as_deref();
        part.fields.iter().any(|&field| arrival == Some(review.name(field)))
    };
    let found = match by_data {
        // Few values that rise, such as months, spread no worse than the parts after them.
        Some((share, distinct)) => share >= RISING && distinct > review.points.regions().max(8),
        None => ordered && of_arrival(),
    };
    if !found {
        return Vec::new();
    }
    let share = by_data.map_or_else(|| "100%".to_owned(), |(share, _)| percent(share));
    let found = Found::new(Severity::Bad).at(part.span).with("part", &part.text).with("share", share);
    vec![match salted(review) {
        Some(fix) => found.mended_by(fix),
        None => found,
    }]
}

/// Share of neighbouring sampled rows whose part does not fall (or, falling, does not rise), and its different values.
fn rising(evidence: &Evidence, part: usize) -> (f64, usize) {
    let Some(values) = evidence.parts.get(part) else { return (0.0, 0) };
    let (mut up, mut down, mut pairs) = (0usize, 0usize, 0usize);
    for row in 1..values.len() {
        match values.get(row - 1).cmp(values.get(row)) {
            std::cmp::Ordering::Less => up += 1,
            std::cmp::Ordering::Greater => down += 1,
            std::cmp::Ordering::Equal => {}
        }
        pairs += 1;
    }
    let mut distinct: Vec<&[u8]> = values.iter().collect();
    sort_distinct(&mut distinct);
    let steady = pairs - up.min(down);
    // All equal is no rise.
    let share = if up.max(down) == 0 { 0.0 } else { steady as f64 / pairs.max(1) as f64 };
    (share, distinct.len())
}

/// A bucket in front of the key, of the parts that tell records of one moment apart, and a region for each.
fn salted(review: &Review) -> Option<Fix> {
    let arrival = review.study.arrival.as_deref();
    let is_value =
        |part: &&Part| part.shape.distinct != Some(1) && !part.uses_rest && !part.expression.is_random();
    let of_arrival = |part: &&Part| part.fields.iter().any(|&field| arrival == Some(review.name(field)));
    let parts: Vec<&Part> = review.design.typed.parts.iter().filter(is_value).collect();
    let others: Vec<&str> =
        parts.iter().filter(|part| !of_arrival(part)).map(|part| part.text.as_str()).collect();
    let hashed = if others.is_empty() { parts.first()?.text.clone() } else { others.join(", ") };
    let formula = format!("bucket({hashed}, {SALTS}).decimal(2) + '-' + {}", review.design.rowkey);
    Some(Fix { rowkey: Some(formula), splits: Some(json!({ "salts": SALTS, "digits": 2 })) })
}

/// One value of the leading parts has more rows than a region should.
pub fn frequent(review: &Review) -> Vec<Found> {
    let Some(evidence) = review.evidence.as_ref().filter(|evidence| evidence.rows() >= ENOUGH) else {
        return Vec::new();
    };
    let (Some((index, part)), regions) = (review.lead(), review.points.regions()) else { return Vec::new() };
    let Some(values) = evidence.parts.get(index) else { return Vec::new() };
    let mut sorted: Vec<&[u8]> = values.iter().filter(|value| !value.is_empty()).collect();
    sort(&mut sorted);
    let runs = || sorted.chunk_by(|a, b| a == b);
    let Some(run) = runs().max_by_key(|run| run.len()) else { return Vec::new() };
    let (value, rows) = (run.first().copied().unwrap_or_default(), run.len());
    let share = rows as f64 / evidence.rows() as f64;
    let fair = 1.0 / regions as f64;
    // A bucket or another part of few values is as frequent as it is meant to be.
    let meant = 1.0 / runs().count() as f64;
    if regions < 2 || share < 2.0 * fair || share < 4.0 * meant || share < 0.05 {
        return Vec::new();
    }
    let severity = if share >= 4.0 * fair { Severity::Bad } else { Severity::Warning };
    let minutes = busiest_minute(review, evidence, index, value);
    vec![
        Found::new(severity)
            .at(part.span)
            .with("value", crate::row::to_string_binary(value))
            .with("part", &part.text)
            .with("share", percent(share))
            .with("times", format!("{:.1}", share / fair))
            .with("rate", minutes),
    ]
}

/// Share of the sampled rows of its busiest hundredth of the period that carry this value of a part.
fn busiest_minute(review: &Review, evidence: &Evidence, part: usize, value: &[u8]) -> String {
    let arrival = review.study.arrival.as_deref().and_then(|name| evidence.sample.column(name));
    let Some(crate::records::Values::Integers(times)) = arrival.map(|column| &column.values) else {
        return "?".to_owned();
    };
    let (Some(&first), Some(&last)) = (times.iter().min(), times.iter().max()) else { return "?".to_owned() };
    let span = i128::from(last) - i128::from(first) + 1;
    let (mut all, mut own) = ([0u32; 100], [0u32; 100]);
    for (row, &time) in times.iter().enumerate() {
        let at = ((i128::from(time) - i128::from(first)) * 100 / span) as usize;
        if let (Some(all), Some(own)) = (all.get_mut(at), own.get_mut(at)) {
            *all += 1;
            *own += u32::from(evidence.parts.get(part).is_some_and(|values| values.get(row) == value));
        }
    }
    let share = |(&own, &all): (&u32, &u32)| if all < 10 { 0.0 } else { f64::from(own) / f64::from(all) };
    percent(own.iter().zip(&all).map(share).fold(0.0, f64::max))
}

/// Regions of very unlike size that no one value explains.
pub fn skewed(review: &Review) -> Vec<Found> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let verdict = &evidence.report.verdict;
    if verdict.code != "verdict.skewed" || !frequent(review).is_empty() {
        return Vec::new();
    }
    let regions = review.points.regions();
    vec![
        Found::new(Severity::Warning)
            .with("times", format!("{:.1}", evidence.report.skew.max_over_mean))
            .with("gini", format!("{:.2}", evidence.report.skew.gini))
            .mended_by(Fix::splits(json!({ "sample": regions }))),
    ]
}

/// Calls `visit` with the step, its argument and what it is applied to, for each remainder in the formula.
fn remainders<'e>(part: &'e Part, visit: &mut dyn FnMut(&'static str, i64, &'e Expression, &'e Expression)) {
    walk(&part.expression, &mut |expression| {
        if let Expression::Apply { step, arguments, input, .. } = expression
            && matches!(step.name, "mod" | "floorMod")
            && let Some(Value::Number(n)) = arguments.first()
        {
            visit(step.name, *n, input, expression);
        }
    });
}

/// A remainder of numbers whose step shares a factor with the divisor: some remainders never occur.
pub fn common_factor(review: &Review) -> Vec<Found> {
    let mut all = Vec::new();
    for part in &review.design.typed.parts {
        remainders(part, &mut |name, n, input, _| {
            let numbers = review.numbers(input);
            let first = numbers.first().copied().unwrap_or(0);
            let step = numbers.iter().fold(0u64, |step, &number| gcd(step, number.abs_diff(first)));
            let common = gcd(step, n.unsigned_abs());
            if numbers.len() < ENOUGH || step == 0 || common < 2 {
                return;
            }
            let used = n.unsigned_abs() / common;
            let severity = if used <= n.unsigned_abs() / 2 { Severity::Bad } else { Severity::Warning };
            let found = Found::new(severity).at(part.span).with("n", n).with("step", step).with("used", used);
            let from = format!(".{name}({n})");
            let to = format!(".decimal().javaHash().floorMod({n})");
            let fix = review.rewritten(&from, &to).map(Fix::rowkey);
            all.push(fix.map_or(found.clone(), |fix| found.mended_by(fix)));
        });
    }
    all
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Java's `%` of numbers that can be negative: negative buckets.
pub fn negative_bucket(review: &Review) -> Vec<Found> {
    let mut all = Vec::new();
    for part in &review.design.typed.parts {
        remainders(part, &mut |name, n, input, result| {
            let range = input.shape().range.unwrap_or((i64::MIN, i64::MAX));
            // A number of which nothing is known is taken as it is found.
            let hashed = input.shape().range.is_some();
            let negative =
                if hashed { range.0 < 0 } else { review.numbers(input).iter().any(|&number| number < 0) };
            if name != "mod" || !negative || result.shape().range.is_some_and(|(low, _)| low >= 0) {
                return;
            }
            let found = Found::new(Severity::Bad).at(part.span).with("n", n).with("least", 1 - n);
            let fix = review.rewritten(&format!(".mod({n})"), &format!(".floorMod({n})")).map(Fix::rowkey);
            all.push(fix.map_or(found.clone(), |fix| found.mended_by(fix)));
        });
    }
    all
}

/// A hash in front, of something that has fewer values than there are regions.
pub fn few_hashed(review: &Review) -> Vec<Found> {
    let (Some((_, part)), regions) = (review.lead(), review.points.regions()) else { return Vec::new() };
    let mut all = Vec::new();
    walk(&part.expression, &mut |expression| {
        let Expression::Apply { input, .. } = expression else { return };
        let is_hash = !expression.shape().one_to_one
            && expression.shape().order == Order::None
            && input.shape().order != Order::None;
        if !is_hash || !all.is_empty() {
            return;
        }
        let Some(Vector::Strings(inputs)) = review.values(input) else { return };
        let mut distinct: Vec<&[u8]> = inputs.iter().collect();
        sort_distinct(&mut distinct);
        if inputs.len() >= ENOUGH && distinct.len() > 1 && distinct.len() < regions.min(256) {
            all.push(
                Found::new(Severity::Warning)
                    .at(part.span)
                    .with("part", &part.text)
                    .with("values", distinct.len())
                    .with("regions", regions),
            );
        }
    });
    all
}

/// More salts than the table has regions to spread them over: every scan pays for each.
pub fn many_salts(review: &Review) -> Vec<Found> {
    let Some((_, part)) = review.lead() else { return Vec::new() };
    let regions = review.points.regions() as u64;
    let salts = part.shape.distinct.filter(|&salts| salts > 1 && part.shape.order == Order::None);
    let spread_by_hash =
        part.fields.len() != 1 || part.uses_rest || part.expression.is_random() || !part.shape.one_to_one;
    match salts {
        Some(salts) if spread_by_hash && salts > 4 * regions.max(16) && salts <= MOST_SALTS => {
            vec![Found::new(Severity::Warning).at(part.span).with("salts", salts).with("regions", regions)]
        }
        _ => Vec::new(),
    }
}
