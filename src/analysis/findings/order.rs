//! Findings about the order of keys, and about telling their parts apart.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::DesignFix;
use super::review::{Review, SIGNED};
use crate::base::figures::percent;
use crate::base::units::{DAY, HOUR, MINUTE};
use crate::bytes::row::to_string_binary;
use crate::design::Condition;
use crate::formula::typed::{Expression, TypedPart, walk};
use crate::records::ColumnValues;
use crate::records::field::Kind;
use crate::records::field::shape::Order;
use serde_json::json;

/// Milliseconds that a record may come late and still be in order.
const LATE: i64 = 5 * MINUTE;

/// Numbers of both signs written by `Bytes.toBytes`.
pub fn signed(review: &Review) -> Vec<RuleHit> {
    let mut all = Vec::new();
    for part in &review.design.typed.parts {
        walk(&part.expression, &mut |expression| {
            let Expression::Apply { step, input, .. } = expression else { return };
            // A hash has no order to lose.
            if !SIGNED.contains(&step.name) || input.shape().order == Order::None {
                return;
            }
            let numbers = review.numbers(input);
            let negative = numbers.iter().filter(|&&number| number < 0).count();
            if negative == 0 || negative == numbers.len() {
                return;
            }
            let ordered = format!(".ordered.{}('asc')", step.name);
            let fix = review.rewritten(&format!(".{}()", step.name), &ordered);
            let found = RuleHit::new(FindingSeverity::Bad)
                .at(part.span)
                .with("step", step.name)
                .with("negative", percent(negative as f64 / numbers.len().max(1) as f64))
                .with("ordered", ordered);
            // Split points of the old bytes may lie all above the new ones.
            let regions = review.points.regions();
            let resplit = fix.clone().filter(|_| regions > 1);
            let resplit = resplit.map(|fix| DesignFix::rowkey(fix).and_splits(json!({ "sample": regions })));
            all.push(found.mended_by(fix.map(DesignFix::rowkey)).or_by(resplit));
        });
    }
    all
}

/// Decimal text of numbers that have not all the same number of digits: 10 sorts before 9.
pub fn unpadded(review: &Review) -> Vec<RuleHit> {
    let mut all = Vec::new();
    for part in &review.design.typed.parts {
        let Expression::Apply { step, arguments, input, .. } = &part.expression else { continue };
        if step.name != "decimal" || !arguments.is_empty() || input.shape().order == Order::None {
            continue;
        }
        let numbers = review.numbers(input);
        let digits = |number: &i64| number.unsigned_abs().checked_ilog10().unwrap_or(0) + 1;
        let (Some(least), Some(most)) = (numbers.iter().map(digits).min(), numbers.iter().map(digits).max())
        else {
            continue;
        };
        if least == most {
            continue;
        }
        let padded = match part.text.strip_suffix(".decimal()") {
            Some(before) => review.rewritten(&part.text, &format!("{before}.decimal({most})")),
            None => review.rewritten(&part.text, &format!("{}.decimal({most})", part.text)),
        };
        // Whoever asks only for the number itself finds it in any order.
        let is_last = review.design.typed.parts.last().is_some_and(|last| last.span == part.span);
        let unasked = review.study.queries.is_empty() && !is_last;
        let ranged = unasked
            || review.study.queries.iter().any(|query| {
                let by = |field: &usize| {
                    let name = review.name(*field);
                    let range = |condition: &Condition| matches!(condition, Condition::Range { .. });
                    query.conditions.get(name).is_some_and(range)
                        || query.order.as_ref().is_some_and(|order| order.field == name)
                };
                part.fields.iter().any(by)
            });
        let severity = if ranged { FindingSeverity::Warning } else { FindingSeverity::Note };
        let found = RuleHit::new(severity)
            .at(part.span)
            .with("part", &part.text)
            .with("least", least)
            .with("most", most);
        // Negative numbers take no width.
        let fix = padded.filter(|_| numbers.iter().all(|&number| number >= 0));
        all.push(found.mended_by(fix.map(DesignFix::rowkey)));
    }
    all
}

/// Times that jump back by an hour once or twice, as local time does when summer time ends.
pub fn repeated_hour(review: &Review) -> Vec<RuleHit> {
    let mut all = Vec::new();
    for (index, field) in review.study.fields.iter().enumerate().filter(|(_, field)| field.kind == Kind::Time)
    {
        let used = review.design.typed.parts.iter().any(|part| part.fields.contains(&index));
        let times =
            review.evidence.as_ref().filter(|_| used).and_then(|evidence| evidence.all.column(&field.name));
        let Some((column, ColumnValues::Integers(times))) = times.map(|column| (column, &column.values))
        else {
            continue;
        };
        let found = || turned_back(times);
        let at = review.evidence.as_ref().and_then(|evidence| evidence.facts.turned_back.get(index, found));
        if let Some(at) = at {
            let when = print_time(column, at);
            all.push(RuleHit::new(FindingSeverity::Warning).with("field", &field.name).with("when", when));
        }
    }
    all
}

/// Where times in order of arrival jump back by about an hour, on one or two days and never else.
fn turned_back(times: &[i64]) -> Option<i64> {
    let (mut days, mut at) = (0, None::<i64>);
    for pair in times.windows(2) {
        let &[before, after] = pair else { continue };
        match before.saturating_sub(after) {
            ..=LATE => {}
            back if (30 * MINUTE..=HOUR + LATE).contains(&back) => {
                // Rows of the two hours may come mixed for a moment.
                if at.is_none_or(|at| at.abs_diff(before) > DAY.unsigned_abs()) {
                    days += 1;
                    at = Some(before);
                }
            }
            // Records that come in any order jump all the time.
            _ => return None,
        }
    }
    at.filter(|_| days <= 2)
}

fn print_time(column: &crate::records::Column, time: i64) -> String {
    let format = column.field.format.as_deref().unwrap_or("iso8601");
    let format = crate::records::field::time::TimeFormat::parse(format, column.field.zone.as_deref()).ok();
    format.and_then(|format| format.print(time)).unwrap_or_else(|| time.to_string())
}

/// Different records that can give one key, because where a part ends can't be told.
pub fn ambiguous(review: &Review) -> Vec<RuleHit> {
    let parts = &review.design.typed.parts;
    if review.design.typed.is_readable() {
        return Vec::new();
    }
    let is_literal = |part: &TypedPart| matches!(part.expression, Expression::Literal(_));
    let mut all = Vec::new();
    for (index, part) in
        parts.iter().enumerate().filter(|(_, part)| !part.self_delimiting && !is_literal(part))
    {
        let next = parts.get(index + 1);
        let separator = match next.map(|next| &next.expression) {
            Some(Expression::Literal(bytes)) => bytes.as_slice(),
            _ => &[],
        };
        let values = review.part(index);
        let holds = |value: &&[u8]| {
            !separator.is_empty() && value.windows(separator.len()).any(|window| window == separator)
        };
        // With a separator that never occurs in the values at hand nothing is wrong yet.
        let example = values.as_ref().and_then(|part| part.values.used().map(|(value, _)| value).find(holds));
        if !separator.is_empty() && example.is_none() {
            continue;
        }
        let fixed = review.rewritten(&part.text, &format!("{}.terminated()", part.text));
        let how = if example.is_some() { "finding.ambiguous.separator" } else { "finding.ambiguous.nothing" };
        let found = RuleHit::new(FindingSeverity::Warning)
            .at(part.span)
            .with("part", &part.text)
            .with("how", how)
            .with("separator", to_string_binary(separator))
            .with("example", example.map(to_string_binary).unwrap_or_default());
        all.push(found.mended_by(fixed.map(DesignFix::rowkey)));
    }
    all
}
