//! Findings about one thing, such as a device or a customer, that writes more than its share.

use super::alike::Alike;
use super::fix::{apart, is_of_arrival, salted};
use super::spread::{ENOUGH, frequent};
use super::{Evidence, Found, Review, Severity};
use crate::base::figures::{percent, tenths};
use crate::bytes::strings::ByteStrings;
use crate::records::ColumnValues;
use crate::records::field::shape::Order;

/// Stretches of the period in which the busiest is looked for.
const STRETCHES: usize = 100;
/// Sampled rows of a stretch from which a share of them means something.
const ROWS: u32 = 10;
/// Share of all rows below which nobody is too busy.
const LEAST: f64 = 0.05;

/// The stretch of the period in which some rows were the largest share of all.
pub(super) struct Busiest {
    /// Their share in it.
    pub share: f64,
    /// Rows of theirs a second in it.
    pub per_second: f64,
}

/// When the rows for which `own` holds were busiest; `None` when the time of arrival is not known.
pub(super) fn busiest(review: &Review, evidence: &Evidence, own: impl Fn(usize) -> bool) -> Option<Busiest> {
    let arrival = review.study.arrival.as_deref()?;
    let ColumnValues::Integers(times) = &evidence.sample.column(arrival)?.values else { return None };
    let (&first, &last) = (times.iter().min()?, times.iter().max()?);
    let span = i128::from(last) - i128::from(first) + 1;
    let mut stretches = [(0u32, 0u32); STRETCHES];
    for (row, &time) in times.iter().enumerate() {
        let at = (i128::from(time) - i128::from(first)) * STRETCHES as i128 / span;
        if let Some((all, theirs)) = stretches.get_mut(at as usize) {
            *all += 1;
            *theirs += u32::from(own(row));
        }
    }
    let share =
        |&(all, theirs): &(u32, u32)| if all < ROWS { 0.0 } else { f64::from(theirs) / f64::from(all) };
    let busiest = stretches.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let of_sample = evidence.all.all_rows() as f64 / evidence.rows().max(1) as f64;
    let seconds = span as f64 / STRETCHES as f64 / 1000.0;
    Some(Busiest { share: share(busiest), per_second: f64::from(busiest.1) * of_sample / seconds })
}

/// Rows a second, as the sentence has them.
fn rate(per_second: f64) -> String {
    if per_second < 0.05 { "< 0.1".to_owned() } else { tenths(per_second) }
}

/// One thing whose rows lie in order of time, so that all it writes at a moment goes to one region, wherever that is
/// split, and that is more than a server's share.
pub fn busy(review: &Review) -> Vec<Found> {
    let Some(evidence) = review.evidence.as_ref().filter(|evidence| evidence.rows() >= ENOUGH) else {
        return Vec::new();
    };
    let parts = &review.design.typed.parts;
    let of_time =
        |order| matches!(order, Order::Strict | Order::Weak | Order::Reversed | Order::WeakReversed);
    let rises = parts.iter().position(|part| of_time(part.shape.order) && is_of_arrival(review, part));
    let lead = review.lead().map_or(0, |(lead, _)| lead);
    let Some(count) = rises.filter(|&count| count > lead) else { return Vec::new() };
    let mut prefixes = ByteStrings::default();
    for row in 0..evidence.rows() {
        let parts = evidence.parts.iter().take(count);
        parts.for_each(|values| prefixes.bytes.extend_from_slice(values.get(row)));
        prefixes.end();
    }
    let alike = Alike::of(&prefixes);
    let Some((id, value, rows)) = alike.most() else { return Vec::new() };
    let share = rows as f64 / evidence.rows() as f64;
    let most = review.design.servers.map_or(review.points.regions() as u64, u64::from).max(1);
    if most < 2 || share < LEAST || share * most as f64 <= 2.0 || !frequent(review).is_empty() {
        return Vec::new();
    }
    let Some(busiest) = busiest(review, evidence, |row| alike.has(row, id)) else { return Vec::new() };
    vec![
        Found::new(Severity::Warning)
            .with("value", crate::bytes::row::to_string_binary(value))
            .with("share", percent(share))
            .with("busiest", percent(busiest.share))
            .with("rate", rate(busiest.per_second))
            .with("servers", most)
            .mended_by(salted(review, apart(review, |index| index >= count))),
    ]
}
