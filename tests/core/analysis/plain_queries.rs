//! Truth about the findings on queries: rows read and returned are counted over all keys, the rest follows from the parts
//! of the key.

use super::plain::{Pace, Plain, all_of, any_of, clear, counted, luck};
use super::plain_findings::{is_of_both_signs, is_unpadded};
use super::random_cases::{Asked, Of, Part};
use super::tally::Tallies;
use rowscape::design::{Condition, Document};
use rowscape::findings::{Finding, FindingSeverity};
use rowscape::records::Records;
use rowscape::scan::{self, KnownRanges, PlanKind, QueryPlan};

/// How the conditions of a query bind a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// One value, or few.
    Fixed,
    /// A range of it.
    Range,
    /// All of its few values may be asked one by one.
    Listed,
    Open,
}

fn bound(part: &Part, asked: &Asked) -> Bound {
    let known = |of: Of| match of {
        Of::Who => asked.who.is_some(),
        Of::Id => asked.id.is_some(),
        Of::At | Of::Day => false,
    };
    let when = |known: bool| if known { Bound::Fixed } else { Bound::Open };
    let salt = |known: bool| if known { Bound::Fixed } else { Bound::Listed };
    match *part {
        Part::Between(_) => Bound::Fixed,
        Part::Ordered(Of::At | Of::Day) => {
            if asked.at.is_some() {
                Bound::Range
            } else {
                Bound::Open
            }
        }
        // A hash has no range: the planner asks for one day, not for each of several.
        Part::Digest(Of::Day, _) => {
            if asked
                .at
                .is_some_and(|(from, to)| from.div_euclid(86_400_000) == (to - 1).div_euclid(86_400_000))
            {
                Bound::Range
            } else {
                Bound::Open
            }
        }
        Part::TimeOfDay => match asked.at {
            Some((from, to)) if to - from < 86_400_000 => Bound::Range,
            _ => Bound::Open,
        },
        Part::Ordered(of) | Part::Digest(of, _) => when(known(of)),
        Part::Text => when(known(Of::Who)),
        Part::Long | Part::Digits => when(known(Of::Id)),
        Part::Bucket(of, _) => salt(known(of)),
        Part::Remainder(_) | Part::Signed(_, false) => salt(known(Of::Id)),
        Part::Signed(_, true) => salt(known(Of::Who)),
        Part::Chance(_) => Bound::Listed,
    }
}

/// Nothing that the query asks for fixes the beginning of the key.
fn is_full_scan(plain: &Plain, asked: &Asked) -> bool {
    let parts = plain.case.key.parts.iter().filter(|part| !matches!(part, Part::Between(_)));
    let mut behind = parts.map(|part| bound(part, asked)).skip_while(|bound| *bound == Bound::Listed);
    !matches!(behind.next(), Some(Bound::Fixed | Bound::Range))
}

/// The rows do not come in the order that is asked for.
fn is_other_order(plain: &Plain, asked: &Asked) -> Option<bool> {
    let (field, falls) = asked.order?;
    // Digests of few days are asked for one by one, and merged.
    // One scan of the whole table mixes the salts; a scan for each is merged.
    let listed = !is_full_scan(plain, asked);
    let fixed = |part: &&Part| match bound(part, asked) {
        Bound::Fixed => true,
        Bound::Listed => listed,
        Bound::Range => matches!(part, Part::Digest(Of::Day, _)),
        Bound::Open => false,
    };
    let constant = field == Of::Id && asked.id.is_some();
    let next = plain.case.key.parts.iter().find(|part| !fixed(part));
    Some(
        !constant
            && match next {
                Some(Part::Ordered(Of::Day)) => field != Of::At || falls,
                Some(Part::Ordered(of)) => *of != field || falls,
                Some(Part::Digits) if !is_unpadded(plain) => field != Of::Id || falls,
                Some(Part::Long) => field != Of::Id || falls || is_of_both_signs(plain),
                // Within a day.
                Some(part @ Part::TimeOfDay) if bound(part, asked) == Bound::Range => {
                    field != Of::At || falls
                }
                None => false,
                Some(_) => true,
            },
    )
}

fn plan_of(study: &Document, records: &Records, query: usize) -> Option<QueryPlan> {
    let (fields, asked) = (&study.fields, &study.queries[query]);
    let domains = scan::read(asked, fields, "").ok()?;
    let known = KnownRanges::of(records, fields, &study.queries);
    Some(scan::plan_known(&study.tables[0].typed, fields, asked, &domains, &known))
}

fn within(key: &[u8], start: &[u8], stop: &[u8]) -> bool {
    key >= start && (stop.is_empty() || key < stop)
}

/// Counts what is said of each query beside what is true.
pub fn count_queries(
    plain: &Plain,
    study: &Document,
    records: &Records,
    found: &[Finding],
    tallies: &mut Tallies,
    told: &dyn Fn() -> String,
) {
    for (number, asked) in plain.case.asked.iter().enumerate() {
        let Some(plan) = plan_of(study, records, number) else { continue };
        let name = format!("q{number}");
        let says = |code: &str, least: FindingSeverity| {
            found.iter().any(|other| {
                other.code == code && other.severity >= least && other.args.get("query") == Some(&name)
            })
        };
        let says_at_all = |code: &str| says(code, FindingSeverity::Note);
        let read = |key: &[u8]| plan.ranges.iter().any(|range| within(key, &range.start, &range.stop));
        let few = plan.ranges.len() <= 64;
        let matching = || plain.rows.iter().filter(|row| asked.matches(row.record));
        if few {
            let missed = matching().filter(|row| !read(row.key)).count();
            tallies.count("planned ranges miss rows", missed > 0, Some(false), told);
        }
        let full = is_full_scan(plain, asked);
        tallies.count("RS501 bad", says("RS501", FindingSeverity::Bad), Some(full), told);
        let (rows, returned) =
            (plain.rows.iter().filter(|row| few && read(row.key)).count() as f64, matching().count() as f64);
        let over = all_of(&[
            Some(plan.kind == PlanKind::Scan),
            clear(|times| rows >= 3.0 * times * returned.max(1.0)),
            clear(|times| rows - returned >= 20.0 * times),
        ]);
        tallies.count("RS502", says_at_all("RS502"), over.filter(|_| few), told);
        let many = clear(|times| plan.kind == PlanKind::Scan && plan.ranges.len() as f64 > 32.0 * times);
        tallies.count("RS503", says_at_all("RS503"), many, told);
        if let Some(truth) = is_other_order(plain, asked) {
            tallies.count("RS505", says_at_all("RS505"), Some(truth), told);
        }
        if let Some((start, stop)) = plain.case.scan.as_ref().filter(|_| number == 0) {
            let missed = matching().any(|row| !within(row.key, start, stop));
            tallies.count("RS506 bad", says("RS506", FindingSeverity::Bad), Some(missed), told);
        }
    }
    if plain.case.asked.iter().any(|asked| asked.who.is_some())
        && plain.case.document.to_string().contains("popularity")
    {
        let says = |least| found.iter().any(|other| other.code == "RS512" && other.severity >= least);
        let (said, bad) = hot_reads(plain, study, records);
        tallies.count("RS512", says(FindingSeverity::Note), said, told);
        tallies.count("RS512 bad", says(FindingSeverity::Bad), bad, told);
    }
}

/// The requests of all queries that are asked for values of the records, by region: a request for each that a query touches.
fn requests(plain: &Plain, study: &Document, records: &Records) -> (Vec<f64>, bool, f64) {
    let mut loads = vec![0.0; plain.regions()];
    let queries = plain.case.document["queries"].as_array().expect("queries");
    let rated = queries.iter().any(|query| query["popularity"].is_string() && query["rate"].is_number());
    let mut draws = 0.0;
    for (number, query) in queries.iter().enumerate().filter(|(_, query)| query["popularity"].is_string()) {
        let weight = if rated { query["rate"].as_f64().unwrap_or(0.0) } else { 1.0 };
        let by_rows = query["popularity"] == "rows";
        let whos = counted(plain.case.records.iter().map(|record| record.who.as_str()));
        let all: f64 = whos.values().map(|&rows| if by_rows { rows as f64 } else { 1.0 }).sum();
        draws += all;
        for (who, rows) in whos {
            let mut other = study.clone();
            other.queries[number].conditions.insert("who".to_owned(), Condition::Eq(who.into()));
            let Some(plan) = plan_of(&other, records, number) else { continue };
            let share = if by_rows { rows as f64 } else { 1.0 } / all * weight;
            let touched = |region: usize| {
                let start: &[u8] = if region == 0 { &[] } else { &plain.points[region - 1] };
                let stop: &[u8] = plain.points.get(region).map_or(&[], Vec::as_slice);
                plan.ranges.iter().any(|range| {
                    (stop.is_empty() || range.start.as_slice() < stop)
                        && (range.stop.is_empty() || start < range.stop.as_slice())
                })
            };
            (0..plain.regions()).filter(|&region| touched(region)).for_each(|region| loads[region] += share);
        }
    }
    (loads, rated, draws)
}

fn hot_reads(plain: &Plain, study: &Document, records: &Records) -> (Option<bool>, Option<bool>) {
    let (regions, rated, draws) = requests(plain, study, records);
    let servers = plain.servers.unwrap_or(1);
    let mut by_server = vec![0.0; servers];
    regions.iter().enumerate().for_each(|(region, load)| by_server[region % servers] += load);
    let stands_out = |loads: &[f64]| {
        let (all, most): (f64, f64) = (loads.iter().sum(), loads.iter().copied().fold(0.0, f64::max));
        let (share, places) = (most / all, loads.len());
        let is = all_of(&[
            Some(places > 1 && all > 0.0 && luck((share * draws) as u64, draws as u64, places) <= 0.01),
            clear(|times| share >= times * f64::max(0.1, 2.0 / places as f64)),
        ]);
        (is, most)
    };
    let ((region, of_region), (server, of_server)) = (stands_out(&regions), stands_out(&by_server));
    let pace = |load: f64, capacity: f64| {
        let share = if rated { plain_pace(load / capacity) } else { vec![Pace::Unknown] };
        let is = |what: &dyn Fn(Pace) -> bool| {
            let (some, all) = (share.iter().any(|&pace| what(pace)), share.iter().all(|&pace| what(pace)));
            if all { Some(true) } else { (!some).then_some(false) }
        };
        (is(&|pace| pace != Pace::Low), is(&|pace| pace == Pace::High))
    };
    let (near, high) = pace(of_region, 10_000.0);
    let (near_server, high_server) = pace(of_server, 20_000.0);
    let no_region = region.map(|is| !is);
    (
        any_of(&[all_of(&[region, near]), all_of(&[no_region, server, near_server])]),
        any_of(&[all_of(&[region, high]), all_of(&[no_region, server, high_server])]),
    )
}

fn plain_pace(of_capacity: f64) -> Vec<Pace> {
    let pace = |times: f64| match of_capacity * times {
        low if low < 0.5 => Pace::Low,
        near if near < 1.0 => Pace::Near,
        _ => Pace::High,
    };
    let mut all = vec![pace(1.0 / 1.1), pace(1.1)];
    all.dedup();
    all
}
