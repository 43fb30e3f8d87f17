//! The answer about a table.

use super::answer::{HotKey, ObservedCounts, ObservedRegion, ObservedTable};
use super::borders::{KeyRange, closed, keep_most};
use super::headline::headline;
use super::heat::HeatObserved;
use super::observer::Observer;
use super::prefixes::prefixes;
use super::reading::TableRead;
use super::tally::{Grid, TallyView, quantiles, split_points};
use crate::base::Problem;
use crate::base::estimate::Estimate;
use crate::base::map::Map;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::{sort, sort_distinct};

/// Intervals of a picture.
const INTERVALS: i64 = 96;
/// Ranges of keys of a picture where no regions are known, and at most.
const RANGES: usize = 32;
const MOST_RANGES: usize = 256;
/// Rows named.
const NAMED: usize = 10;

impl Observer {
    /// Regions of a table: where they begin, and how that is known.
    fn borders(
        &self,
        (name, read): (&str, &TableRead),
        view: &TallyView<'_>,
        points: Vec<Vec<u8>>,
    ) -> (Vec<KeyRange>, &'static str) {
        if let Some((regions, from)) = self.regions.get(name).filter(|(regions, _)| !regions.is_empty()) {
            let mut found: Vec<KeyRange> =
                regions.iter().map(|region| (region.start.clone(), region.end.clone())).collect();
            sort_distinct(&mut found);
            return (closed(found, matches!(*from, "wal" | "dumps")), from);
        }
        if !points.is_empty() {
            return (closed(points.into_iter().map(|start| (start, Vec::new())).collect(), true), "design");
        }
        // First and last keys of the files of each region.
        let mut firsts: Map<&str, Vec<u8>> = Map::new();
        for file in self.files.iter().filter(|file| file.counts && !file.at.region.is_empty()) {
            if self.table_of(file) != name {
                continue;
            }
            if let Some(last) = file.info.as_ref().and_then(|info| info.last_row.clone()) {
                let region = file.at.region.as_str();
                let before = firsts.remove(region).unwrap_or_default();
                firsts.insert(region, last.max(before));
            }
        }
        if firsts.len() > 1 {
            let mut lasts: Vec<Vec<u8>> = firsts.into_values().collect();
            sort(&mut lasts);
            lasts.pop();
            // The next region begins behind the last key.
            let mut starts = vec![Vec::new()];
            starts.extend(lasts.into_iter().map(|mut last| {
                last.push(0);
                last
            }));
            return (closed(starts.into_iter().map(|start| (start, Vec::new())).collect(), true), "files");
        }
        let starts = if read.has_index && !read.has_logs {
            quantiles(read.sorted_index().into_iter(), RANGES)
        } else {
            view.quantiles(RANGES)
        };
        (closed(starts.into_iter().map(|start| (start, Vec::new())).collect(), true), "keys")
    }

    /// The answer for a table. Where nothing else names its regions, they are parted at `points`.
    pub fn table(&self, name: &str, read: &TableRead, points: Vec<Vec<u8>>) -> ObservedTable {
        let view = read.tally.view();
        let (borders, from) = self.borders((name, read), &view, points);
        let starts: Vec<Vec<u8>> = borders.iter().map(|(start, _)| start.clone()).collect();
        let is_index = read.has_index && !read.has_logs;
        let (ranges, heat) = if is_index {
            (read.index_ranges(&starts), None)
        } else {
            let ranges = view.grid(&starts, 1).ranges;
            let shown = heat_starts(&starts, &view);
            let heat = view.grid(&shown, INTERVALS).heat(&shown);
            (ranges, Some(heat).filter(|heat| !heat.times.is_empty()))
        };
        let weight = |counts: &ObservedCounts| if is_index { counts.bytes } else { counts.cells };
        let all: u64 = ranges.iter().map(weight).sum();
        let regions: Vec<ObservedRegion> = borders
            .iter()
            .zip(&ranges)
            .map(|((start, end), counts)| ObservedRegion {
                start: to_string_binary(start),
                end: to_string_binary(end),
                server: read.servers.get(start).cloned(),
                counts: *counts,
                share: weight(counts) as f64 / all.max(1) as f64,
            })
            .collect();
        let mut counts = read.tally.total;
        if is_index {
            counts.cells = read.families.iter().map(|(_, family)| family.cells).sum();
            counts.bytes = all;
        }
        let cells = read.tally.total.cells.max(1) as f64;
        let hot = |(key, cells_of): (Vec<u8>, Estimate)| HotKey {
            key: to_string_binary(&key),
            cells: cells_of,
            share: cells_of.value / cells,
        };
        let rows: Vec<HotKey> =
            if is_index { Vec::new() } else { view.busiest(NAMED).into_iter().map(hot).collect() };
        let prefixes = if is_index { Vec::new() } else { prefixes(&view).into_iter().map(hot).collect() };
        let source = match (read.has_logs, read.has_files, is_index) {
            (false, false, _) => "counters",
            (_, _, true) => "index",
            (true, true, _) => "both",
            (true, false, _) => "wal",
            _ => "hfile",
        };
        let times = read.tally.times.or_else(|| self.stated_times(name));
        let mut table = ObservedTable {
            table: name.to_owned(),
            source,
            counts,
            times,
            untimed: read.tally.untimed(),
            borders: from,
            regions,
            heat,
            hot_rows: rows,
            prefixes,
            families: read.families.iter().map(|(_, family)| family.clone()).collect(),
            requests: None,
            design: None,
            prediction: None,
            splits: self.options.regions.filter(|_| source != "counters").map(|count| {
                let points = match is_index {
                    true => split_points(read.sorted_index().into_iter(), count),
                    false => view.split_points(count),
                };
                points.iter().map(|point| to_string_binary(point)).collect()
            }),
            headline: Problem::new("observe.empty"),
            notes: if source == "counters" { Vec::new() } else { read.notes(from) },
        };
        table.headline = headline(&table);
        if let Some((requests, notes)) = self.history.requests(name, self.options.metric) {
            if source == "counters" {
                table.headline = requests.headline.clone();
                table.regions.clear();
                table.times = requests.times;
            }
            table.notes.extend(notes);
            table.requests = Some(requests);
        }
        keep_most(&mut table.regions, |region| region.share);
        table
    }

    /// First and last time as HFiles state them.
    fn stated_times(&self, name: &str) -> Option<(i64, i64)> {
        let files = self.files.iter().filter(|file| file.counts && self.table_of(file) == name);
        let times = files.filter_map(|file| file.info.as_ref()?.times);
        times.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

/// Where the ranges of a picture begin: regions, cut finer where they are few, and joined where they are many.
fn heat_starts(starts: &[Vec<u8>], view: &TallyView<'_>) -> Vec<Vec<u8>> {
    if starts.len() > MOST_RANGES {
        return starts.iter().step_by(starts.len().div_ceil(MOST_RANGES)).cloned().collect();
    }
    if starts.len() >= RANGES / 2 {
        return starts.to_vec();
    }
    let mut found: Vec<Vec<u8>> = view.quantiles(RANGES);
    found.extend_from_slice(starts);
    sort_distinct(&mut found);
    found
}

impl Grid {
    fn heat(self, starts: &[Vec<u8>]) -> HeatObserved {
        HeatObserved {
            starts: starts.iter().map(|start| to_string_binary(start)).collect(),
            times: self.times,
            step: self.step,
            counts: self.cells,
        }
    }
}

impl TableRead {
    /// Bytes of each range, by the index.
    fn index_ranges(&self, starts: &[Vec<u8>]) -> Vec<ObservedCounts> {
        let mut found = vec![ObservedCounts::default(); starts.len()];
        for (row, bytes) in &self.index {
            let at = starts.partition_point(|start| start <= row).saturating_sub(1);
            if let Some(counts) = found.get_mut(at) {
                counts.bytes += bytes;
            }
        }
        found
    }

    /// Rows of the index in their order, each with the bytes from it on.
    fn sorted_index(&self) -> Vec<(&[u8], u64)> {
        let mut index: Vec<(&[u8], u64)> =
            self.index.iter().map(|(row, bytes)| (row.as_slice(), *bytes)).collect();
        sort(&mut index);
        index
    }

    /// Limits of the figures.
    fn notes(&self, borders: &str) -> Vec<Problem> {
        let count = |code, count: u64| (count > 0).then(|| Problem::new(code).with("count", count));
        let is_cells = self.has_files && !self.has_index;
        [
            self.has_index.then(|| Problem::new("observe.of-index")),
            is_cells.then(|| Problem::new("observe.survivors")),
            count("observe.bulk-files", self.bulk_files),
            count("observe.mob", self.mob_files),
            count("observe.bulk-loads", self.bulk_loads),
            count("observe.replicated", self.replicated),
            count("observe.cells-twice", self.twice),
            count("observe.torn", self.torn),
            count("observe.untimed", self.tally.untimed()),
            self.tally.are_ranges().then(|| Problem::new("observe.ranges")),
            (borders == "keys").then(|| Problem::new("observe.borders-keys")),
            (borders == "files").then(|| Problem::new("observe.borders-files")),
            (borders == "design").then(|| Problem::new("observe.borders-design")),
            (borders == "wal").then(|| Problem::new("observe.borders-wal")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
