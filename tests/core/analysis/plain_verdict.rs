//! The verdicts that are true of a case, in their order of precedence: all that may be where a threshold is close.

use super::plain::{Hot, LENGTHS, Pace, Plain, all_of, any_of, clear, counted};
use rowscape::report::VerdictSeverity::{self, Bad, Good, Warning};

/// A verdict that may be true.
pub type Possible = (&'static str, VerdictSeverity);

/// Collects verdicts until one is certain.
#[derive(Default)]
struct Chain {
    all: Vec<Possible>,
    closed: bool,
    /// A rule that holds and is mild for its rate: a later one that is bad takes its place.
    mild: Option<&'static str>,
}

/// Rules that give way so.
const MILD_BY_RATE: [&str; 3] = ["verdict.sequential", "verdict.follows", "verdict.one-server"];

impl Chain {
    fn rule(&mut self, code: &'static str, severity: VerdictSeverity, is: Option<bool>) {
        self.paced(code, is, &[Pace::Unknown], |_| Some(severity));
    }

    /// A rule whose severity follows from the pace; none is given at a pace without.
    fn paced(
        &mut self,
        code: &'static str,
        is: Option<bool>,
        paces: &[Pace],
        severity: impl Fn(Pace) -> Option<VerdictSeverity>,
    ) {
        if self.closed || is == Some(false) {
            return;
        }
        let severities: Vec<Option<VerdictSeverity>> = paces.iter().map(|&pace| severity(pace)).collect();
        let certain = is == Some(true) && severities.iter().all(Option::is_some);
        if let Some(mild) = self.mild {
            if code == "verdict.too-few-rows" {
                // Nothing later judges so few rows.
                self.closed = certain;
                return;
            }
            self.all.extend(severities.contains(&Some(Bad)).then_some((code, Bad)));
            self.closed = certain && severities.iter().all(|severity| *severity == Some(Bad));
            if self.closed {
                self.all.retain(|one| *one != (mild, Warning));
            }
            return;
        }
        self.all.extend(severities.iter().flatten().map(|&severity| (code, severity)));
        let gives_way = MILD_BY_RATE.contains(&code) && severities.contains(&Some(Warning));
        self.mild = (certain && gives_way).then_some(code);
        self.closed = certain && !gives_way;
    }
}

fn by_pace(pace: Pace) -> Option<VerdictSeverity> {
    match pace {
        Pace::Low => None,
        Pace::Near => Some(Warning),
        Pace::Unknown | Pace::High => Some(Bad),
    }
}

/// The verdicts that may be true; without regard to records that have no key where `rejected` is false.
pub fn verdicts(plain: &Plain, (region, server): (&Hot, &Hot), rejected: bool) -> Vec<Possible> {
    let mut chain = Chain::default();
    let (rows, regions, all) = (plain.number(), plain.regions(), plain.case.records.len() as f64);
    let refused = if rejected { plain.refused() as f64 } else { 0.0 };
    let several = Some(regions > 1);
    chain.rule("verdict.all-refused", Bad, Some(rows == 0.0));
    chain.rule("verdict.rejected", Bad, clear(|times| refused >= 0.01 * times * all));
    let whole = plain.region_paces(1.0);
    let low = |pace| if pace == Pace::Low { Some(Good) } else { None };
    chain.paced("verdict.rate-low", Some(regions == 1), &whole, low);
    chain.rule("verdict.one-region", Warning, Some(regions == 1));
    chain.rule("verdict.too-few-rows", Warning, clear(|times| rows < 20.0 / times));
    let all_in_one = all_of(&[several, Some(plain.largest() == rows)]);
    let of_two = |pace| if regions > 2 { Some(Bad) } else { by_pace(pace).or(Some(Warning)) };
    chain.paced("verdict.all-in-one", all_in_one, &whole, of_two);
    let sequential = all_of(&[region.is, region.by_time]);
    chain.paced("verdict.sequential", sequential, &plain.region_paces(region.share), by_pace);
    let follows = plain.follows();
    chain.paced("verdict.follows", follows.fills, &whole, by_pace);
    let one_server = all_of(&[server.is, server.by_time]);
    chain.paced("verdict.one-server", one_server, &plain.server_paces(server.share), by_pace);
    chain.rule("verdict.too-few-rows", Warning, plain.has_enough().map(|enough| !enough));
    let empty = plain.empty() as f64;
    chain.rule("verdict.dead-regions", Bad, clear(|times| empty >= 0.25 * times * regions as f64));
    let of_largest = plain.region_paces(plain.largest() / rows);
    let unless_low = |severity| move |pace| (pace != Pace::Low).then_some(severity);
    chain.paced("verdict.skewed", plain.is_very_uneven(), &of_largest, by_pace);
    let bursts = |pace| match pace {
        Pace::Low => None,
        Pace::High => Some(Bad),
        Pace::Near | Pace::Unknown => Some(Warning),
    };
    chain.paced("verdict.bursts", region.is, &plain.region_paces(region.share), bursts);
    let of_server = all_of(&[server.is, region.is.map(|is| !is)]);
    chain.paced("verdict.bursts-server", of_server, &plain.server_paces(server.share), bursts);
    let (narrow, share) = narrow(plain);
    chain.paced("verdict.narrow", narrow, &plain.region_paces(share), unless_low(Warning));
    chain.paced("verdict.skewed", plain.is_uneven(), &of_largest, unless_low(Warning));
    chain.rule("verdict.dead-regions", Warning, Some(empty > 0.0));
    chain.rule("verdict.overwritten", Warning, overwritten(plain, 0.01));
    chain.rule("verdict.rejected", Warning, Some(refused > 0.0));
    chain.paced("verdict.follows-unseen", follows.is, &whole, unless_low(Warning));
    let gathered = any_of(&[region.is, server.is, plain.is_uneven(), follows.is]);
    chain.rule("verdict.rate-low", Good, all_of(&[Some(plain.rate.is_some()), gathered]));
    let three = clear(|times| plain.number() >= 3.0 * plain.enough() * times);
    chain.paced("verdict.too-sparse", three.map(|three| !three), &whole, unless_low(Warning));
    chain.rule("verdict.too-sparse", Warning, plain.is_dense().map(|dense| !dense));
    chain.rule("verdict.good", Good, Some(true));
    chain.all
}

/// At least this share of the rows has a key of another row, and rows are not written again on purpose.
pub fn overwritten(plain: &Plain, least: f64) -> Option<bool> {
    let meant = plain.case.document["writes"].is_string();
    let doubled: u64 = counted(plain.rows.iter().map(|row| row.key)).values().filter(|&&rows| rows > 1).sum();
    all_of(&[Some(!meant && doubled > 0), clear(|times| doubled as f64 >= least * times * plain.number())])
}

/// In an interval half as many regions are written, effectively, as over the whole period; with the share of one of them.
fn narrow(plain: &Plain) -> (Option<bool>, f64) {
    let Some(&[first, .., last]) = Some(plain.by_time.as_slice()) else { return (Some(false), 0.0) };
    let at = |row: u32| plain.rows[row as usize].record.at;
    let (first, last) = (at(first), at(last));
    let buckets = |step: i64| last.div_euclid(step) - first.div_euclid(step) + 1;
    let Some(step) = LENGTHS.into_iter().find(|&step| buckets(step) <= 240) else { return (None, 0.0) };
    let width = buckets(step) as f64;
    let together = (plain.enough() * width / plain.number()).ceil().clamp(1.0, width) as i64;
    let number = |row: &u32| (at(*row).div_euclid(step) - first.div_euclid(step)) / together;
    let effective = |counts: &[u64]| {
        let all: u64 = counts.iter().sum();
        (all * all) as f64 / counts.iter().map(|rows| rows * rows).sum::<u64>() as f64
    };
    let of_interval = |rows: &[u32]| {
        let mut counts = vec![0; plain.regions()];
        rows.iter().for_each(|&row| counts[plain.rows[row as usize].region] += 1);
        effective(&counts)
    };
    let intervals = plain.by_time.chunk_by(|a, b| number(a) == number(b));
    let full = intervals.filter(|rows| rows.len() as f64 >= (plain.enough() / 2.0).floor());
    let mut each: Vec<f64> = full.map(of_interval).collect();
    if each.len() < 3 {
        return (Some(false), 0.0);
    }
    each.sort_by(f64::total_cmp);
    let median = (each[each.len() / 2] + each[(each.len() - 1) / 2]) / 2.0;
    let whole = effective(&plain.counts);
    (clear(|times| 2.0 * times * median <= whole), 1.0 / median.max(1.0))
}
