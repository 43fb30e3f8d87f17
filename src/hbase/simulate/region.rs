//! Regions and what lies in them.

use super::spec::{MOST_REGIONS, PORTIONS, SimulationSpec};
use crate::base::figures::share;
use crate::bytes::position::mix;
use crate::design::Arrivals;
use serde::Serialize;
use std::collections::VecDeque;

/// A table at the end of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulatedDay {
    /// Regions, of all tables where there is one for each period.
    pub regions: u64,
    /// Regions in which no row lives.
    pub empty: u64,
    /// Bytes of the largest.
    pub largest: u64,
    /// Splits of the day.
    pub splits: u64,
    /// Bytes of rows that live.
    pub live: u64,
    /// Bytes of rows that expired and are not compacted away yet.
    pub stale: u64,
    /// Bytes of living rows where the day's rows were written: the keys came round too early.
    pub over_live: u64,
    /// Bytes of expired rows, not yet compacted away, where the day's rows were written.
    pub over_stale: u64,
}

/// Rows of a stretch of the key space, evenly spread over it.
#[derive(Clone, Copy)]
struct StoredRows {
    from: u64,
    to: u64,
    /// Day of the last of them.
    day: u32,
    bytes: u64,
}

impl StoredRows {
    /// Bytes of it that lie in a stretch.
    fn within(&self, (from, to): (u64, u64)) -> u64 {
        let below =
            |at: u64| share(self.bytes, at.clamp(self.from, self.to) - self.from, self.to - self.from);
        below(to) - below(from)
    }

    fn lives(&self, spec: &SimulationSpec, day: u32) -> bool {
        spec.ttl_days.is_none_or(|ttl| self.day.saturating_add(ttl) > day)
    }
}

/// A region.
pub(super) struct SimulatedRegion {
    start: u64,
    end: u64,
    /// In order of arrival.
    pieces: VecDeque<StoredRows>,
    bytes: u64,
    /// Hour of its next major compaction.
    due: u64,
    /// Makes the jitters of regions differ.
    seed: u64,
}

/// A number from −`most` to `most` that looks random.
fn jitter(seed: u64, most: u64) -> i64 {
    let span = u128::from(most) * 2 + 1;
    let place = (u128::from(mix(seed)) * span) >> 64;
    i64::try_from(place).unwrap_or(0) - i64::try_from(most).unwrap_or(0)
}

impl SimulatedRegion {
    fn new(spec: &SimulationSpec, (start, end): (u64, u64), seed: u64, hour: u64) -> Self {
        let mut region = Self { start, end, pieces: VecDeque::new(), bytes: 0, due: 0, seed };
        region.plan_compaction(spec, hour);
        region
    }

    /// Bytes it holds, those of expired rows too.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// True if some row in it lives.
    pub fn lives(&self, spec: &SimulationSpec, day: u32) -> bool {
        self.pieces.back().is_some_and(|piece| piece.lives(spec, day))
    }

    /// `RatioBasedCompactionPolicy.getNextMajorCompactTime`: the period, and up to the jitter sooner or later.
    fn plan_compaction(&mut self, spec: &SimulationSpec, hour: u64) {
        let period = u64::from(spec.compaction_days) * PORTIONS;
        let most = period * u64::from(spec.compaction_jitter) / 100;
        self.seed = mix(self.seed);
        self.due = match period {
            0 => u64::MAX,
            _ => hour.saturating_add(period).saturating_add_signed(jitter(self.seed, most)).max(hour + 1),
        };
    }

    fn drop_expired(&mut self, spec: &SimulationSpec, day: u32) {
        self.pieces.retain(|piece| piece.lives(spec, day));
        self.bytes = self.pieces.iter().map(|piece| piece.bytes).fold(0, u64::saturating_add);
    }

    /// Takes expired rows away when it is time.
    pub fn compact_when_due(&mut self, spec: &SimulationSpec, day: u32, hour: u64) {
        if self.due <= hour {
            self.drop_expired(spec, day);
            self.plan_compaction(spec, hour);
        }
    }

    fn write(&mut self, spec: &SimulationSpec, piece: StoredRows) {
        self.bytes = self.bytes.saturating_add(piece.bytes);
        let cohort = spec.cohort();
        if let Some(last) = self.pieces.back_mut()
            && last.day / cohort == piece.day / cohort
        {
            let same = (last.from, last.to) == (piece.from, piece.to);
            if same || last.to == piece.from {
                last.to = piece.to;
                last.bytes = last.bytes.saturating_add(piece.bytes);
                last.day = piece.day;
                return;
            }
        }
        self.pieces.push_back(piece);
    }

    /// Where half of its bytes lie below; `None` when that is no place within.
    fn middle(&self) -> Option<u64> {
        let below = |at: u64| {
            self.pieces.iter().map(|piece| piece.within((piece.from, at))).fold(0, u64::saturating_add)
        };
        let (mut low, mut high) = (self.start, self.end);
        while high - low > 1 {
            let at = low + (high - low) / 2;
            if below(at) < self.bytes / 2 {
                low = at;
            } else {
                high = at;
            }
        }
        (high > self.start && high < self.end).then_some(high)
    }

    /// Cuts it in two; the upper half is given back.
    fn split(&mut self, spec: &SimulationSpec, day: u32) -> Option<Self> {
        let at = self.middle()?;
        let hour = u64::from(day) * PORTIONS;
        let mut upper = Self::new(spec, (at, self.end), self.seed ^ at, hour);
        let pieces = std::mem::take(&mut self.pieces);
        for piece in pieces {
            let low = piece.within((piece.from, at));
            if piece.from < at {
                self.pieces.push_back(StoredRows { to: piece.to.min(at), bytes: low, ..piece });
            }
            if piece.to > at {
                upper.pieces.push_back(StoredRows {
                    from: piece.from.max(at),
                    bytes: piece.bytes - low,
                    ..piece
                });
            }
        }
        self.end = at;
        self.drop_expired(spec, day);
        upper.drop_expired(spec, day);
        self.plan_compaction(spec, hour);
        Some(upper)
    }

    /// `ConstantSizeRegionSplitPolicy`: every region has its own maximum.
    fn max(&self, spec: &SimulationSpec) -> u64 {
        // Half of the jitter up, half down, in hundredths of the maximum; the seed is that of its place.
        let half = spec.max_region / 200 * u64::from(spec.split_jitter);
        spec.max_region.saturating_add_signed(jitter(self.start ^ self.end.rotate_left(32), half))
    }
}

/// A table: regions in key order.
pub(super) struct SimulatedTable {
    /// Its regions.
    pub regions: Vec<SimulatedRegion>,
}

impl SimulatedTable {
    /// A new table of evenly cut regions.
    pub fn new(spec: &SimulationSpec, day: u32) -> Self {
        let (space, count) = (spec.space(), u64::from(spec.regions));
        let at = |index: u64| share(space, index, count);
        let hour = u64::from(day) * PORTIONS;
        let region =
            |index: u64| SimulatedRegion::new(spec, (at(index), at(index + 1)), mix(hour) ^ index, hour);
        Self { regions: (0..count).map(region).collect() }
    }

    /// The end of its key space.
    pub fn end(&self) -> u64 {
        self.regions.last().map_or(0, |region| region.end)
    }

    /// Writes bytes, evenly over a stretch of the key space, and splits what became too large.
    pub fn write(
        &mut self,
        spec: &SimulationSpec,
        range: (u64, u64),
        bytes: u64,
        day: u32,
        today: &mut SimulatedDay,
    ) {
        let whole = StoredRows { from: range.0, to: range.1, day, bytes };
        let mut index = self.regions.partition_point(|region| region.end <= range.0);
        while let Some(region) = self.regions.get_mut(index).filter(|region| region.start < range.1) {
            let part = (range.0.max(region.start), range.1.min(region.end));
            if matches!(spec.arrivals, Arrivals::Loop(_)) {
                for old in region.pieces.iter().filter(|old| old.day != day) {
                    let met = if old.lives(spec, day) { &mut today.over_live } else { &mut today.over_stale };
                    *met = met.saturating_add(old.within(part));
                }
            }
            region.write(spec, StoredRows { from: part.0, to: part.1, bytes: whole.within(part), ..whole });
            index += 1 + self.split_at(spec, index, day, today);
        }
    }

    /// Splits the region until neither half is too large; how many regions came of it besides.
    fn split_at(&mut self, spec: &SimulationSpec, index: usize, day: u32, today: &mut SimulatedDay) -> usize {
        let mut more = 0;
        let mut at = index;
        while at <= index + more {
            let on_server = (self.regions.len() as u64).div_ceil(u64::from(spec.servers));
            let full = self.regions.len() > MOST_REGIONS;
            let Some(region) = self.regions.get_mut(at).filter(|_| !full) else { break };
            let above = spec.policy.splits_above(spec.flush, region.max(spec), on_server);
            let upper = above.filter(|&above| region.bytes > above).and_then(|_| region.split(spec, day));
            match upper {
                Some(upper) => {
                    self.regions.insert(at + 1, upper);
                    today.splits += 1;
                    more += 1;
                }
                None => at += 1,
            }
        }
        more
    }
}
