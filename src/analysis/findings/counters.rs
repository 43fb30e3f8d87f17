//! The finding about a row that takes a large share of the increments.

use super::alike::EqualValues;
use super::finding::{FindingSeverity, RuleHit};
use super::fix::DesignFix;
use super::review::{Evidence, Review};
use super::spread::{DEVIATIONS, shown};
use crate::analysis::report::{LASTING, MOMENTS, ROWS_FOR_A_SHARE, WritePace, WriteTraits, may_be_chance};
use crate::base::Problem;
use crate::base::figures::one_decimal;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::sort;
use crate::design::WriteKind;
use crate::records::ColumnValues;

/// Share of the increments below which a row is not hot where no rate is stated.
const LEAST: f64 = 0.1;
/// Times an even share from which a row is hot where no rate is stated.
const TIMES: f64 = 2.0;
/// Rows that an even share is taken of where the table has fewer.
const FEW: usize = 10;
/// Equal stretches of the period in which the busiest row is looked for.
const STRETCHES: i128 = 100;
/// Sub-rows that a counter is divided into, at least and at most.
const SUB_ROWS: [usize; 2] = [16, 1024];

/// The busiest row of a table.
struct HotRow {
    /// Its increments.
    rows: u32,
    /// All of them.
    of: u32,
    /// True if it is busiest for a time only: a stretch of the period, and another row in the next.
    for_a_time: bool,
    /// The number of its key.
    id: u32,
}

impl HotRow {
    fn share(&self) -> f64 {
        f64::from(self.rows) / f64::from(self.of.max(1))
    }

    /// True if that is far more than an even share over so many rows, and not by chance.
    fn stands_out(&self, even_over: usize) -> bool {
        let places = even_over.max(FEW);
        self.share() >= LEAST.max(TIMES / places as f64) && !may_be_chance(self.rows, self.of, places)
    }
}

/// One row takes a large share of the increments. HBase does those of one row one after the other.
pub fn hot_row(review: &Review) -> Vec<RuleHit> {
    let counted = review.design.writes == WriteKind::Counter;
    let Some(evidence) = review.evidence.as_ref().filter(|_| counted) else { return Vec::new() };
    let keys = review.keys(evidence);
    let alike = EqualValues::of(&keys);
    let distinct = alike.distinct();
    let rate = review.study.write_rate();
    let writes = WriteTraits::default().at(rate);
    let all =
        || [whole(&alike, evidence), busiest_for_a_time(review, evidence, &alike, rate.is_some(), distinct)];
    let Some(hot) = all().into_iter().flatten().max_by(|a, b| a.share().total_cmp(&b.share())) else {
        return Vec::new();
    };
    let pace = writes.of_row(hot.share());
    let (severity, told) = match pace {
        WritePace::High => (FindingSeverity::Bad, "finding.hot-row.high"),
        WritePace::Near => (FindingSeverity::Warning, "finding.hot-row.near"),
        WritePace::Unknown if hot.stands_out(distinct) => {
            (FindingSeverity::Warning, "finding.hot-row.unknown")
        }
        WritePace::Unknown | WritePace::Low => return Vec::new(),
    };
    let when = if hot.for_a_time { "finding.hot-row.for-a-time" } else { "finding.hot-row.whole" };
    let row = (0..keys.len()).find(|&row| alike.has(row, hot.id)).map(|row| keys.get(row));
    let mut hit = RuleHit::new(severity)
        .with("row", row.map(to_string_binary).unwrap_or_default())
        .with("share", shown(evidence, hot.rows as usize, hot.of as usize, DEVIATIONS))
        .with("when", when)
        .with("pace", told);
    let mut sub_rows = SUB_ROWS[0];
    if let Some(rate) = rate {
        let increments = hot.share() * rate.per_second;
        hit = hit.with("writes", one_decimal(increments)).with("capacity", one_decimal(rate.row));
        // As many as leave each at a quarter of what a row takes.
        let wanted = (4.0 * increments / rate.row).ceil().clamp(0.0, SUB_ROWS[1] as f64) as usize;
        sub_rows = wanted.next_power_of_two().clamp(SUB_ROWS[0], SUB_ROWS[1]);
    }
    vec![hit.with("subRows", sub_rows).mended_by(divided(review, sub_rows))]
}

/// The row that is busiest over the whole period.
fn whole(alike: &EqualValues, evidence: &Evidence) -> Option<HotRow> {
    let (id, _, rows) = alike.most()?;
    let (rows, of) = (u32::try_from(rows).ok()?, u32::try_from(evidence.rows()).ok()?);
    (rows as usize >= ROWS_FOR_A_SHARE).then_some(HotRow { rows, of, for_a_time: false, id })
}

/// The rows that are busiest in stretches of the period, which hold a tenth of the increments and more: a counter for each
/// day takes all of its day and little of a year.
fn busiest_for_a_time(
    review: &Review,
    evidence: &Evidence,
    alike: &EqualValues,
    rated: bool,
    distinct: usize,
) -> Option<HotRow> {
    let column = evidence.keyed().column(review.study.arrival.as_deref()?)?;
    let ColumnValues::Integers(times) = &column.values else { return None };
    let known = || times.iter().enumerate().filter(|&(row, _)| !column.invalid.get(row));
    let (first, last) = (known().map(|(_, &time)| time).min()?, known().map(|(_, &time)| time).max()?);
    let span = i128::from(last) - i128::from(first) + 1;
    let stretch = |time: i64| ((i128::from(time) - i128::from(first)) * STRETCHES / span) as u32;
    let mut all: Vec<(u32, u32)> =
        known().filter_map(|(row, &time)| Some((stretch(time), alike.id(row)?))).collect();
    sort(&mut all);
    let busiest = all.chunk_by(|a, b| a.0 == b.0).filter_map(|stretch| {
        let rows = stretch.chunk_by(|a, b| a == b).max_by_key(|rows| rows.len())?;
        let (_, id) = *rows.first()?;
        let (rows, of) = (u32::try_from(rows.len()).ok()?, u32::try_from(stretch.len()).ok()?);
        Some(HotRow { rows, of, for_a_time: true, id })
    });
    let enough = |hot: &HotRow| {
        let told =
            if rated { hot.rows as usize >= ROWS_FOR_A_SHARE } else { hot.of as usize >= ROWS_FOR_A_SHARE };
        told && hot.stands_out(distinct)
    };
    let hot: Vec<HotRow> = busiest.filter(enough).collect();
    let (rows, of) = hot.iter().fold((0, 0), |(rows, of), hot| (rows + hot.rows, of + hot.of));
    let lasts = f64::from(of) >= LASTING * all.len() as f64;
    let id = hot.iter().max_by(|a, b| a.share().total_cmp(&b.share()))?.id;
    (hot.len() >= MOMENTS && lasts).then_some(HotRow { rows, of, for_a_time: true, id })
}

/// The key with a number behind it that divides a counter into sub-rows, which one scan reads: computed from a field that the
/// key does not hold, or else by chance.
fn divided(review: &Review, sub_rows: usize) -> Option<DesignFix> {
    let digits = sub_rows.saturating_sub(1).checked_ilog10().unwrap_or(0) + 1;
    let formula = format!("{} + '-' + salt({sub_rows}).decimal({digits})", review.design.rowkey);
    let of_query = |name: &String| {
        let cost = Problem::new("finding.cost.sub-rows").with("query", name);
        cost.with("subRows", sub_rows).into()
    };
    let costs = review.study.queries.iter().map(|query| of_query(&query.name)).collect();
    Some(DesignFix { costs, ..DesignFix::rowkey(formula) })
}
