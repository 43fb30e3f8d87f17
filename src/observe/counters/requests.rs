//! The answer from the counters of a table.

use super::headline::{HOT_SHARE, headline, sum, told};
use super::history::{History, Origin, RegionSeen};
use super::intervals::{Dumps, Limits, NEAR, counts_of};
use super::metric::Metric;
use super::picture::{Part, heat};
use crate::base::Problem;
use crate::base::map::Map;
use crate::base::units::{DAY, SECOND};
use crate::bytes::row::{from_string_binary, to_string_binary};
use crate::bytes::sort::{sort, sort_by, sort_distinct};
use crate::observe::borders::{keep_most, live};
use crate::observe::requests::{
    EventKind, RegionEvent, RegionRequests, RequestCounts, RequestsObserved, ServerRequests,
};
use crate::records::formats::hbase::regions::RegionBorders;
use std::collections::{HashMap, HashSet};

/// Intervals shorter than this are marked: heartbeats make them inexact.
const SHORT: i64 = 30 * SECOND;
/// Events listed.
const EVENTS: usize = 1000;
/// Times of dumps that are put in order at once.
const FEW_TIMES: usize = 1 << 16;

/// Names of origins in the answer.
const fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Rates => "rates",
        Origin::Totals => "totals",
        Origin::Master => "master",
        Origin::Server => "server",
    }
}

impl History {
    /// The tables that have counters.
    pub fn tables(&self) -> Vec<String> {
        let names: HashSet<&str> = self
            .regions
            .iter()
            .filter(|region| region.has_counters())
            .map(|region| region.table.as_str())
            .collect();
        let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        sort(&mut names);
        names
    }

    /// The origin with most counts of these regions.
    fn origin(&self, regions: &[&RegionSeen]) -> Option<Origin> {
        let of = |dump: u32| self.dumps.get(dump as usize).filter(|dump| dump.counts).map(|dump| dump.origin);
        let mut counts = Origin::ALL.map(|origin| (0usize, origin));
        for origin in regions.iter().flat_map(|region| region.dumps()).filter_map(of) {
            counts.iter_mut().filter(|(_, known)| *known == origin).for_each(|(count, _)| *count += 1);
        }
        let exact = |&(_, origin): &(usize, Origin)| matches!(origin, Origin::Master | Origin::Server);
        // Reads and writes apart say more than both in one, and counts more than whole rates.
        let best = counts.iter().filter(|one| one.0 > 0 && exact(one)).max();
        best.or_else(|| counts.iter().filter(|one| one.0 > 0).max()).map(|&(_, origin)| origin)
    }

    /// First rows behind regions: as borders say, else the next first row in the dump that has most regions.
    fn ends(&self, regions: &[&RegionSeen]) -> HashMap<String, Vec<u8>> {
        // Regions by the dumps of all servers that have them.
        let mut of_dumps: Map<u32, Vec<&RegionSeen>> = Map::new();
        for region in regions.iter().filter(|region| region.start.is_some()) {
            let mut wholes: Vec<u32> =
                region.dumps().filter_map(|dump| self.dumps.get(dump as usize)?.whole).collect();
            sort_distinct(&mut wholes);
            for whole in wholes {
                let mut known = of_dumps.remove(&whole).unwrap_or_default();
                known.push(region);
                of_dumps.insert(whole, known);
            }
        }
        let mut dumps: Vec<Vec<&RegionSeen>> = of_dumps.into_values().collect();
        sort_by(&mut dumps, |a, b| b.len().cmp(&a.len()));
        // Where no dump has those beside it, all there ever were stand in.
        dumps.push(regions.iter().copied().filter(|region| region.start.is_some()).collect());
        let mut found: HashMap<String, Vec<u8>> = HashMap::new();
        for dump in dumps {
            if dump.iter().all(|region| found.contains_key(&region.encoded)) {
                continue;
            }
            let mut starts: Vec<&[u8]> = dump.iter().filter_map(|region| region.start.as_deref()).collect();
            sort_distinct(&mut starts);
            for region in dump {
                let at = starts
                    .partition_point(|other| region.start.as_deref().is_none_or(|start| *other <= start));
                found.entry(region.encoded.clone()).or_insert_with(|| match self.ends.get(&region.encoded) {
                    Some(end) => end.clone(),
                    None => starts.get(at).copied().unwrap_or_default().to_vec(),
                });
            }
        }
        found
    }

    /// Where the regions of a table begin, by the last dumps.
    pub fn borders(&self, table: &str) -> Vec<RegionBorders> {
        let Some((found, _)) = self.requests(table, None) else { return Vec::new() };
        let there = found.regions.into_iter().filter(|region| !region.gone);
        let range = there.filter_map(|region| {
            let end = region.end.and_then(|end| from_string_binary(&end).ok()).unwrap_or_default();
            Some((from_string_binary(&region.start?).ok()?, end))
        });
        range
            .map(|(start, end)| RegionBorders {
                table: table.to_owned(),
                start,
                end,
                ..RegionBorders::default()
            })
            .collect()
    }

    /// The requests to a table, and what limits the figures. `None` where no dump has counters of it.
    pub fn requests(&self, table: &str, metric: Option<Metric>) -> Option<(RequestsObserved, Vec<Problem>)> {
        let mut limits = Limits::default();
        let all: Vec<&RegionSeen> =
            self.regions.iter().filter(|region| region.table == table && region.has_counters()).collect();
        limits.replicas = all.iter().filter(|region| region.replica > 0).count() as u64;
        let regions: Vec<&RegionSeen> = all.into_iter().filter(|region| region.replica == 0).collect();
        let origin = self.origin(&regions)?;
        let dumps = Dumps::new(self, origin);
        let mut ends = self.ends(&regions);
        let mut events = Vec::new();
        let mut parts: Vec<Part<'_>> = Vec::new();
        // Regions share the times of their dumps.
        let (mut times, mut distinct) = (Vec::new(), FEW_TIMES);
        for seen in regions {
            let points = dumps.points(seen);
            let Some(&last) = points.last() else { continue };
            let intervals = dumps.intervals(seen, &points, (&mut events, &mut limits));
            let end = ends.remove(&seen.encoded);
            let size = points.iter().rev().find_map(|point| point.figures.size);
            limits.unplaced += u64::from(seen.start.is_none());
            times.extend(points.iter().map(|point| point.time));
            if times.len() > 2 * distinct {
                sort_distinct(&mut times);
                distinct = times.len().max(FEW_TIMES);
            }
            let counts = RequestCounts::default();
            parts.push(Part { seen, last, size, end, gone: false, intervals, counts });
        }
        sort_distinct(&mut times);
        self.changes(&mut parts, &mut events, &mut limits);
        let is_single = parts.iter().all(|part| part.intervals.is_empty());
        for part in &mut parts {
            for interval in &part.intervals {
                part.counts.add(interval.counts);
            }
            if is_single && origin != Origin::Rates {
                part.counts = counts_of(&part.last.figures, origin);
            }
        }
        sort_by(&mut parts, |a, b| {
            let of = |part: &Part<'_>| (part.seen.start.is_none(), part.seen.start.clone(), part.seen.id);
            of(a).cmp(&of(b))
        });
        let metric = metric.unwrap_or_else(|| told(&parts, origin));
        let mut answer = self.answer(&parts, times, (metric, origin), is_single);
        sort_by(&mut events, |a, b| {
            (a.time, a.kind).cmp(&(b.time, b.kind)).then_with(|| a.start.cmp(&b.start))
        });
        events.truncate(EVENTS);
        answer.events = events;
        let mut notes = self.notes(&answer, &dumps, (is_single, &limits));
        let is_silent = |region: &&RegionSeen| {
            region.table == table
                && region.replica == 0
                && !region.has_counters()
                && !self.gone.contains(&region.encoded)
        };
        let silent = self.regions.iter().filter(is_silent).count();
        if silent > 0 {
            notes.push(Problem::new("observe.silent-regions").with("count", silent));
        }
        answer.headline = headline(&answer, metric);
        keep_most(&mut answer.regions, |region| region.share);
        keep_most(&mut answer.servers, |server| server.share);
        Some((answer, notes))
    }

    /// Marks regions that others have taken the place of.
    fn changes(&self, parts: &mut [Part<'_>], events: &mut Vec<RegionEvent>, limits: &mut Limits) {
        let borders = parts.iter().filter_map(|part| {
            Some(RegionBorders {
                table: part.seen.encoded.clone(),
                start: part.seen.start.clone()?,
                end: part.end.clone().unwrap_or_default(),
                id: part.seen.id,
                is_split: self.gone.contains(&part.seen.encoded),
                replica: 0,
            })
        });
        let alive: HashSet<String> = live(borders.collect()).into_iter().map(|region| region.table).collect();
        let last = parts.iter().map(|part| part.last.time).max();
        // First rows and ages of those that are there.
        let mut there: Vec<(Vec<u8>, u64, String)> = Vec::new();
        for part in parts.iter_mut() {
            let Some(start) = &part.seen.start else { continue };
            part.gone = !alive.contains(&part.seen.encoded);
            there.push((start.clone(), part.seen.id, part.seen.encoded.clone()));
        }
        sort(&mut there);
        for part in parts.iter().filter(|part| part.gone) {
            let (Some(start), Some(end)) = (&part.seen.start, &part.end) else { continue };
            limits.lost += u64::from(Some(part.last.time) < last);
            let younger: Vec<&(Vec<u8>, u64, String)> = there
                .iter()
                .skip(there.partition_point(|(other, ..)| other < start))
                .take_while(|(other, ..)| end.is_empty() || other < end)
                .filter(|(_, id, _)| *id > part.seen.id)
                .collect();
            let cut = younger.iter().find(|(other, ..)| other > start);
            let (kind, time, to) = match (cut, younger.first()) {
                (Some((row, id, _)), _) => (EventKind::Split, *id, Some(to_string_binary(row))),
                (None, Some((_, id, _))) => (EventKind::Merge, *id, None),
                (None, None) => {
                    // Merged into one that begins before it.
                    let before =
                        there.iter().rev().find(|(other, id, _)| other < start && *id > part.seen.id);
                    let Some((_, id, _)) = before else { continue };
                    (EventKind::Merge, *id, None)
                }
            };
            let time = i64::try_from(time).unwrap_or(i64::MAX);
            let (region, start) = (part.seen.encoded.clone(), Some(to_string_binary(start)));
            events.push(RegionEvent { time, kind, region, start, to });
        }
    }

    fn answer(
        &self,
        parts: &[Part<'_>],
        dumps: Vec<i64>,
        (metric, origin): (Metric, Origin),
        is_single: bool,
    ) -> RequestsObserved {
        let figure = |part: &Part<'_>| match metric {
            Metric::Size => part.size.filter(|_| !part.gone).unwrap_or_default(),
            _ => metric.of(&part.counts),
        };
        let total = sum(parts.iter().map(figure)).max(1) as f64;
        let mut counts = RequestCounts::default();
        parts.iter().for_each(|part| counts.add(part.counts));
        let regions = parts.iter().map(|part| RegionRequests {
            region: part.seen.encoded.clone(),
            start: part.seen.start.as_deref().map(to_string_binary),
            end: part.end.as_deref().map(to_string_binary),
            server: self.address(part.last.server).map(str::to_owned),
            server_name: self.server_name(part.last.server),
            counts: part.counts,
            covered: part.intervals.iter().map(|interval| interval.to - interval.from).sum(),
            last: counts_of(&part.last.figures, origin),
            size: part.size,
            share: figure(part) as f64 / total,
            gone: part.gone,
        });
        let times = dumps.first().copied().zip(dumps.last().copied()).filter(|(first, _)| *first >= DAY);
        let mut near = None;
        let is_new = |near: i64, time: i64| origin == Origin::Rates || time - near >= NEAR;
        let dumps =
            dumps.into_iter().filter(|&time| near.replace(time).is_none_or(|near| is_new(near, time)));
        RequestsObserved {
            metric: metric.name(),
            origin: origin_name(origin),
            dumps: dumps.count() as u64,
            times,
            counts,
            servers: self.servers_of(parts, metric, is_single),
            regions: regions.collect(),
            heat: times.filter(|(first, last)| last > first).and_then(|times| heat(parts, metric, times)),
            headline: Problem::new("observe.idle"),
            events: Vec::new(),
        }
    }

    fn servers_of(&self, parts: &[Part<'_>], metric: Metric, is_single: bool) -> Vec<ServerRequests> {
        let mut found: Map<&str, (u64, RequestCounts, u64)> = Map::new();
        let mut add = |server: u32, regions: u64, counts: RequestCounts, size: u64| {
            let Some(address) = self.address(server) else { return };
            let mut known = found.remove(address).unwrap_or_default();
            known.0 += regions;
            known.1.add(counts);
            known.2 = known.2.saturating_add(size);
            found.insert(address, known);
        };
        for part in parts {
            for interval in part.intervals.iter().filter(|_| !is_single) {
                add(interval.server, 0, interval.counts, 0);
            }
            if part.gone {
                continue;
            }
            let counts = if is_single { part.counts } else { RequestCounts::default() };
            add(part.last.server, 1, counts, part.size.unwrap_or_default());
        }
        let figure =
            |counts: &RequestCounts, size: u64| if metric == Metric::Size { size } else { metric.of(counts) };
        let total = sum(found.values().map(|(_, counts, size)| figure(counts, *size))).max(1) as f64;
        let mut servers: Vec<ServerRequests> = found
            .iter()
            .map(|(server, (regions, counts, size))| ServerRequests {
                server: (*server).to_owned(),
                regions: *regions,
                counts: *counts,
                share: figure(counts, *size) as f64 / total,
            })
            .collect();
        sort_by(&mut servers, |a, b| b.share.total_cmp(&a.share).then_with(|| a.server.cmp(&b.server)));
        servers
    }

    /// Limits of the figures.
    fn notes(
        &self,
        answer: &RequestsObserved,
        dumps: &Dumps<'_>,
        (is_single, limits): (bool, &Limits),
    ) -> Vec<Problem> {
        let count = |code, count: u64| (count > 0).then(|| Problem::new(code).with("count", count));
        let is_counted = dumps.origin != Origin::Rates;
        let is_short =
            dumps.all.windows(2).any(|pair| matches!(pair, [a, b] if (NEAR..SHORT).contains(&(b - a))));
        let uneven = answer.regions.iter().any(|region| region.share >= HOT_SHARE);
        [
            Some(Problem::new(if is_counted { "observe.of-counters" } else { "observe.of-rates" })),
            (is_single && is_counted).then(|| Problem::new("observe.one-dump")),
            (dumps.origin == Origin::Totals).then(|| Problem::new("observe.of-totals")),
            (is_short && matches!(dumps.origin, Origin::Master)).then(|| Problem::new("observe.short")),
            count("observe.moves", limits.moves),
            count("observe.resets", limits.resets),
            count("observe.missing", limits.missing),
            count("observe.lost", limits.lost),
            count("observe.unplaced", limits.unplaced),
            count("observe.replicas", limits.replicas),
            count("observe.untimed-dumps", self.untimed),
            count("observe.regions-left", self.left_out),
            self.is_thinned.then(|| Problem::new("observe.thinned")),
            (uneven && answer.regions.len() > 1 && answer.servers.len() > 1)
                .then(|| Problem::new("observe.balancer")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
