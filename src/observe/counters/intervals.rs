//! Requests of regions between dumps, and what happened meanwhile.

use super::history::{DumpSeen, Figures, History, Origin, Point, RegionSeen};
use crate::base::units::SECOND;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::{sort_by, sort_distinct};
use crate::observe::requests::{EventKind, RegionEvent, RequestCounts};

/// Counts that the master knows are up to 3 s old: dumps closer than this are one.
pub const NEAR: i64 = 5 * SECOND;
/// Events that are put in order.
const MOST_EVENTS: usize = 100_000;

/// Requests of a region between two dumps.
pub struct Interval {
    pub from: i64,
    pub to: i64,
    pub server: u32,
    pub counts: RequestCounts,
    pub size: Option<u64>,
}

/// Numbers that limit the figures.
#[derive(Default)]
pub struct Limits {
    pub moves: u64,
    pub resets: u64,
    pub missing: u64,
    pub replicas: u64,
    pub unplaced: u64,
    pub lost: u64,
}

/// Counters in the answer.
pub fn counts_of(figures: &Figures, origin: Origin) -> RequestCounts {
    let requests = figures.requests();
    match origin {
        Origin::Totals => RequestCounts { reads: 0, writes: 0, requests },
        _ => RequestCounts { reads: figures.reads, writes: figures.writes, requests },
    }
}

/// Dumps of one origin in the order of their times.
pub struct Dumps<'a> {
    history: &'a History,
    pub origin: Origin,
    /// Times of all dumps, and of those that have the regions of all servers.
    pub all: Vec<i64>,
    whole: Vec<i64>,
    /// Times of the first rounds of `hbtop`.
    begins: Vec<i64>,
}

/// Points that are looked ahead for the counter to go on.
const AHEAD: usize = 3;
/// Times a counter's usual pace that no region takes which was opened anew.
const FASTER: f64 = 10.0;

/// Leaves out counts that were old when they were printed: between two of one server of which the later one goes on from the earlier
/// one, on another server, or lower than a counter that began anew would be at its pace.
fn without_late(points: &mut Vec<Point>) {
    let goes_on = |a: &Point, c: &Point| {
        c.server == a.server && c.figures.reads >= a.figures.reads && c.figures.writes >= a.figures.writes
    };
    let pace = |a: &Point, b: &Point, requests: u64| requests as f64 / (b.time - a.time).max(1) as f64;
    let mut paces: Vec<f64> = points
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if goes_on(a, b) => Some(pace(a, b, b.figures.requests() - a.figures.requests())),
            _ => None,
        })
        .collect();
    sort_by(&mut paces, f64::total_cmp);
    let usual = paces.get(paces.len() / 2).copied().unwrap_or_default();
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for (at, point) in points.iter().enumerate() {
        let is_late = kept.last().is_some_and(|before| {
            let falls = !goes_on(before, point);
            let later = points.get(at + 1..).unwrap_or_default();
            let resumes = || later.iter().take(AHEAD).any(|later| goes_on(before, later));
            let too_fast = || usual > 0.0 && pace(before, point, point.figures.requests()) > FASTER * usual;
            // Nothing later shows it of the last one.
            falls
                && match before.server == point.server {
                    true => too_fast() && (later.is_empty() || resumes()),
                    false => resumes(),
                }
        });
        if !is_late {
            kept.push(*point);
        }
    }
    *points = kept;
}

impl<'a> Dumps<'a> {
    pub fn new(history: &'a History, origin: Origin) -> Self {
        let times = |is_wanted: &dyn Fn(&DumpSeen) -> bool| {
            let own = history.dumps.iter().filter(|dump| {
                dump.origin == origin && dump.counts && history.is_within(dump.time) && is_wanted(dump)
            });
            let mut times: Vec<i64> = own.map(|dump| dump.time).collect();
            sort_distinct(&mut times);
            times
        };
        let (all, whole) = (times(&|_| true), times(&|dump| dump.whole.is_some()));
        Self { history, origin, all, whole, begins: times(&|dump| dump.begins) }
    }

    /// The last dump that was clearly before a time.
    fn before(&self, time: i64) -> Option<i64> {
        let at = self.all.partition_point(|&dump| dump < time - NEAR);
        at.checked_sub(1).and_then(|at| self.all.get(at)).copied()
    }

    /// Points of a region, those of dumps close to each other joined.
    pub fn points(&self, region: &RegionSeen) -> Vec<Point> {
        let mut joined: Vec<Point> = Vec::new();
        let mut first = 0;
        for point in self.history.series(region, self.origin) {
            match joined.last_mut() {
                Some(last)
                    if self.origin != Origin::Rates
                        && point.time - first < NEAR
                        && last.server == point.server =>
                {
                    last.time = point.time;
                    last.figures.reads = last.figures.reads.max(point.figures.reads);
                    last.figures.writes = last.figures.writes.max(point.figures.writes);
                    last.figures.size = point.figures.size.or(last.figures.size);
                }
                _ => {
                    first = point.time;
                    joined.push(point);
                }
            }
        }
        if self.origin != Origin::Rates {
            without_late(&mut joined);
        }
        joined
    }

    /// The requests of a region between its dumps, and what befell it.
    pub fn intervals(
        &self,
        seen: &RegionSeen,
        points: &[Point],
        (events, limits): (&mut Vec<RegionEvent>, &mut Limits),
    ) -> Vec<Interval> {
        let event = |time, kind, to: Option<String>| RegionEvent {
            time,
            kind,
            region: seen.encoded.clone(),
            start: seen.start.as_deref().map(to_string_binary),
            to,
        };
        let mut found = Vec::new();
        let interval = |from, point: &Point, counts| {
            let size = point.figures.size;
            Interval { from, to: point.time, server: point.server, counts, size }
        };
        if self.origin == Origin::Rates {
            for point in points.iter().filter(|point| self.begins.binary_search(&point.time).is_err()) {
                let Some(from) = self.all.partition_point(|&time| time < point.time).checked_sub(1) else {
                    continue;
                };
                let Some(&from) = self.all.get(from) else { continue };
                let seconds = ((point.time - from) / SECOND).max(0) as u64;
                let times = |rate: u64| rate.saturating_mul(seconds);
                let (reads, writes) = (times(point.figures.reads), times(point.figures.writes));
                let counts = RequestCounts { reads, writes, requests: reads.saturating_add(writes) };
                found.push(interval(from, point, counts));
            }
            return found;
        }
        // A region that was made between two dumps, or just before the first of them, counts from 0.
        if let Some(first) = points.first()
            && let Some(before) = self.before(first.time)
            && i64::try_from(seen.id).is_ok_and(|made| made > before - NEAR)
        {
            let made = i64::try_from(seen.id).unwrap_or(before).clamp(before, first.time);
            found.push(interval(made, first, counts_of(&first.figures, self.origin)));
        }
        for pair in points.windows(2) {
            let [a, b] = pair else { continue };
            let server = |point: &Point| self.history.servers.get(point.server as usize);
            let (is_moved, is_restarted) = match (server(a), server(b)) {
                (Some(a), Some(b)) => {
                    let started = a.started != b.started && a.started > 0 && b.started > 0;
                    (a.address != b.address, a.address == b.address && started)
                }
                _ => (false, false),
            };
            let fell = b.figures.reads < a.figures.reads || b.figures.writes < a.figures.writes;
            let anew = is_moved || is_restarted || fell;
            let kind = if is_moved { EventKind::Move } else { EventKind::Reset };
            limits.moves += u64::from(is_moved);
            limits.resets += u64::from(anew && !is_moved);
            if anew && events.len() < MOST_EVENTS {
                let to = server(b).filter(|_| is_moved).map(|server| server.address.clone());
                events.push(event(b.time, kind, to));
            }
            let now = counts_of(&b.figures, self.origin);
            let base = if anew { RequestCounts::default() } else { counts_of(&a.figures, self.origin) };
            let counts = RequestCounts {
                reads: now.reads - base.reads,
                writes: now.writes - base.writes,
                requests: now.requests - base.requests,
            };
            found.push(interval(a.time, b, counts));
        }
        if let (Some(first), Some(last), false) = (points.first(), points.last(), self.history.is_thinned) {
            let from = self.whole.partition_point(|&time| time <= first.time + NEAR);
            let to = self.whole.partition_point(|&time| time < last.time - NEAR);
            let lacks = |time: i64| {
                let at = points.partition_point(|point| point.time < time - NEAR);
                points.get(at).is_none_or(|point| point.time > time + NEAR)
            };
            for &time in self.whole.get(from..to).unwrap_or_default() {
                if lacks(time) {
                    limits.missing += 1;
                    if events.len() < MOST_EVENTS {
                        events.push(event(time, EventKind::Missing, None));
                    }
                }
            }
        }
        found
    }
}
