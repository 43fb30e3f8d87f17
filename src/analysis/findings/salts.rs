//! Findings about salts, buckets and hashes in front of keys.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::{DesignFix, apart, equal_shares, resalted, salted, spread_anew};
use super::review::{PlannedQuery, Review};
use super::spread::ENOUGH;
use crate::analysis::report::{NegativeRemainder, negative_remainders, remainders, rows_to_judge};
use crate::formula::typed::{Expression, TypedPart, walk};
use crate::records::field::shape::Order;
use crate::scan::PlanKind;
use serde_json::json;

/// Values beyond which a prefix is a hash and no salt.
const MOST_SALTS: u64 = 4096;
/// Different numbers that have a step in common by accident once in 128 times.
const DIFFERENT: usize = 8;
/// Rows a salt from which one that does not occur is no accident.
const ROWS_OF_A_SALT: u64 = 5;

/// A remainder of numbers whose step shares a factor with the divisor: some remainders never occur.
pub fn common_factor(review: &Review) -> Vec<RuleHit> {
    let mut all = Vec::new();
    for part in &review.design.typed.parts {
        remainders(part, &mut |name, n, input, _| {
            let numbers = review.numbers(input);
            let first = numbers.first().copied().unwrap_or(0);
            let step = numbers.iter().fold(0u64, |step, &number| gcd(step, number.abs_diff(first)));
            let common = gcd(step, n.unsigned_abs());
            if numbers.len() < ENOUGH || step == 0 || common < 2 || !differ(&numbers) {
                return;
            }
            let used = n.unsigned_abs() / common;
            // Splits that fit the values that do occur leave no region idle.
            let even = review.evidence.as_ref().is_some_and(|evidence| evidence.report.skew.is_even());
            let few = used <= n.unsigned_abs() / 2 && !even;
            let severity = if few { FindingSeverity::Bad } else { FindingSeverity::Warning };
            let found =
                RuleHit::new(severity).at(part.span).with("n", n).with("step", step).with("used", used);
            let from = format!(".{name}({n})");
            let to = format!(".decimal().javaHash().floorMod({n})");
            let fix = review.rewritten(&from, &to).map(DesignFix::rowkey);
            // A number of buckets that shares no factor, and splits that fit the buckets there are.
            let prime = (n.unsigned_abs() + 1..).find(|&other| gcd(step, other) < 2);
            let other = prime.and_then(|prime| resalted(review, n.unsigned_abs(), prime));
            // Split points that fit the few buckets there were may fit no others.
            let shares = json!({ "sample": review.points.regions() });
            let split = [&fix, &other].map(|fix| Some(fix.clone()?.and_splits(shares.clone())));
            let edits = [fix, other].into_iter().chain(split).flatten();
            all.push(found.or_by(edits).or_by(equal_shares(review)).or_by(spread_anew(review)));
        });
    }
    all
}

/// True when there are so many different numbers that what they have in common is no accident.
fn differ(numbers: &[i64]) -> bool {
    let mut found: Vec<i64> = Vec::new();
    for &number in numbers {
        if !found.contains(&number) {
            found.push(number);
        }
        if found.len() == DIFFERENT {
            return true;
        }
    }
    false
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Java's `%` of numbers that can be negative: negative buckets.
pub fn negative_bucket(review: &Review) -> Vec<RuleHit> {
    let found = match &review.evidence {
        Some(evidence) => evidence.report.faults.negative.clone(),
        None => negative_remainders(&review.design.typed, &|_| Vec::new()),
    };
    let hit = |NegativeRemainder { divisor: n, columns }: NegativeRemainder| {
        let fix = review.rewritten(&format!(".mod({n})"), &format!(".floorMod({n})")).map(DesignFix::rowkey);
        let found = RuleHit::new(FindingSeverity::Bad).at(columns);
        found.with("n", n).with("least", 1 - n.abs()).mended_by(fix)
    };
    found.into_iter().map(hit).collect()
}

/// Number of different values, among the records looked at, that a hash in front is made of.
fn hashed_values(review: &Review) -> Option<usize> {
    let evidence = review.evidence.as_ref()?;
    let found = *evidence.facts.hashed.get_or_init(|| count_hashed(review));
    // Whoever is told of them has looked at them.
    evidence.keyed();
    found
}

fn count_hashed(review: &Review) -> Option<usize> {
    let (_, part) = review.lead()?;
    let mut found = None;
    walk(&part.expression, &mut |expression| {
        let Expression::Apply { input, .. } = expression else { return };
        let shape = expression.shape();
        let is_hash = !shape.one_to_one && shape.order == Order::None && input.shape().order != Order::None;
        if is_hash && found.is_none() {
            found = Some(&**input);
        }
    });
    let inputs = review.texts(found?)?;
    let distinct = inputs.alike().distinct();
    (inputs.values.len() >= ENOUGH && distinct > 1).then_some(distinct)
}

/// Values a region, below which a hash of them leaves some regions empty and others with several.
const VALUES: usize = 2;

/// True when so few hashed values can't fill the regions.
fn are_few(values: usize, regions: usize) -> bool {
    values < VALUES * regions.min(256)
}

/// A hash in front, of something that has too few values for the regions.
pub fn few_hashed(review: &Review) -> Vec<RuleHit> {
    let (Some((lead, part)), regions) = (review.lead(), review.points.regions()) else { return Vec::new() };
    // Few rows have few distinct values.
    let enough =
        review.evidence.as_ref().is_some_and(|evidence| evidence.all_rows() >= rows_to_judge(regions) as f64);
    // Split points within the rows of a value spread them, too.
    let written = review.evidence.as_ref().map_or(0, |evidence| regions - evidence.report.skew.empty);
    let few = hashed_values(review).filter(|&values| enough && are_few(values, regions) && written <= values);
    let found = few.map(|values| {
        let found = RuleHit::new(FindingSeverity::Warning).at(part.span).with("part", &part.text);
        let found = found.with("values", values).with("regions", regions);
        found.mended_by(salted(review, apart(review, |other| other != lead))).or_by(spread_anew(review))
    });
    found.into_iter().collect()
}

/// Salts made of so few values that most of them never occur: reads ask them all the same.
pub fn idle(review: &Review) -> Vec<RuleHit> {
    let Some((_, part)) = review.lead() else { return Vec::new() };
    let salts = part.shape.distinct.filter(|salts| (2..=MOST_SALTS).contains(salts)).unwrap_or(0);
    let enough = review
        .evidence
        .as_ref()
        .is_some_and(|evidence| evidence.all_rows() >= (ROWS_OF_A_SALT * salts) as f64);
    let few = hashed_values(review).filter(|&values| enough && 2 * values as u64 <= salts);
    let few = few.filter(|_| few_hashed(review).is_empty());
    let found = few.map(|values| {
        let found = RuleHit::new(FindingSeverity::Warning).at(part.span).with("part", &part.text);
        let found = found.with("values", values).with("salts", salts);
        // Few values fall on few salts: with fewer than values each is likely to occur.
        found
            .mended_by(resalted(review, salts, values as u64))
            .mended_by(resalted(review, salts, (values as u64 / 2).max(2)))
            .or_by(spread_anew(review))
    });
    found.into_iter().collect()
}

/// A salt that none of the queries can compute, so that each asks all of them.
pub fn blind(review: &Review) -> Vec<RuleHit> {
    let Some((lead, part)) = review.lead() else { return Vec::new() };
    let salts = part.shape.distinct.filter(|salts| (2..=MOST_SALTS).contains(salts)).unwrap_or(0);
    let placed =
        |asked: &&PlannedQuery| asked.restricted && matches!(asked.plan.kind, PlanKind::Get | PlanKind::Scan);
    let asked: Vec<&PlannedQuery> = review.asked.iter().filter(placed).collect();
    let blind =
        |asked: &&PlannedQuery| asked.plan.kind == PlanKind::Scan && asked.plan.ranges.len() as u64 >= salts;
    let random = part.expression.is_random();
    if salts == 0 || random || part.shape.order != Order::None || asked.is_empty() || !asked.iter().all(blind)
    {
        return Vec::new();
    }
    let found = RuleHit::new(FindingSeverity::Warning).at(part.span).with("part", &part.text);
    let found = found.with("salts", salts).with("queries", asked.len());
    let known = |field: &usize| {
        let gives = |asked: &&PlannedQuery| {
            let query = review.study.queries.get(asked.query);
            query.is_some_and(|query| query.gives(review.name(*field)))
        };
        asked.iter().all(gives)
    };
    vec![found.mended_by(salted_by(review, (lead, part), salts, known))]
}

/// The same bucket made of other parts, whose fields are known.
fn salted_by(
    review: &Review,
    (lead, part): (usize, &TypedPart),
    salts: u64,
    known: impl Fn(&usize) -> bool,
) -> Option<DesignFix> {
    let parts = review.design.typed.parts.iter().enumerate();
    let others = parts.filter(|(index, other)| {
        *index != lead && !other.fields.is_empty() && !other.uses_rest && other.fields.iter().all(&known)
    });
    let others: Vec<&str> = others.map(|(_, part)| part.text.as_str()).collect();
    let end = format!(", {salts})");
    let printed =
        part.text.split_once(&end).filter(|_| part.text.starts_with("bucket(") && !others.is_empty());
    let bucket = format!("bucket({}{end}{}", others.join(", "), printed?.1);
    review.rewritten(&part.text, &bucket).map(DesignFix::rowkey)
}

/// More salts than the table has regions to spread them over: every scan pays for each.
pub fn many_salts(review: &Review) -> Vec<RuleHit> {
    let Some((_, part)) = review.lead() else { return Vec::new() };
    let regions = review.points.regions() as u64;
    let salts = part.shape.distinct.filter(|&salts| salts > 1 && part.shape.order == Order::None);
    let spread_by_hash =
        part.fields.len() != 1 || part.uses_rest || part.expression.is_random() || !part.shape.one_to_one;
    match salts {
        Some(salts) if spread_by_hash && salts > 4 * regions.max(16) && salts <= MOST_SALTS => {
            let found = RuleHit::new(FindingSeverity::Warning).at(part.span).with("salts", salts);
            let fewer = [regions.max(16), 2 * regions.max(16), 16];
            vec![
                found
                    .with("regions", regions)
                    .or_by(fewer.iter().filter_map(|&to| resalted(review, salts, to))),
            ]
        }
        _ => Vec::new(),
    }
}
