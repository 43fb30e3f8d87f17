//! Scores of a design: hotspots of its writes, cost of its reads, and its bytes.

use super::cost::QueryCost;
use super::measure::{Measured, rate};
use super::scores::DesignScores;
use crate::design::Document;

/// A share of the capacity below which writes are no matter.
const CALM: f64 = 0.25;
/// How far above an even share the hottest server may be before it counts.
const NEARLY_EVEN: f64 = 1.15;

/// A table of a candidate, or several that answer together.
pub(super) struct Scoring<'a> {
    /// The document.
    pub study: &'a Document,
    /// Region servers.
    pub servers: usize,
}

impl Scoring<'_> {
    /// The scores of tables, each query put to the one that answers it for least.
    pub fn of(&self, tables: &[&Measured]) -> DesignScores {
        let mut scores = DesignScores { tables: tables.len(), ..DesignScores::default() };
        for table in tables {
            scores.hottest_region = scores.hottest_region.max(table.hottest_region);
            scores.hottest_server += table.hottest_server;
            scores.unevenness += table.hottest_server.max(NEARLY_EVEN / self.servers.max(1) as f64);
            scores.bytes_per_row += table.bytes;
            scores.key_bytes += table.key_bytes;
            scores.encoded_bytes_per_row += table.encoded;
            scores.regions.push(table.regions);
            scores.updates += self.update_rate() * table.updates;
            scores.repeated_rows = scores.repeated_rows.max(table.repeated);
        }
        let (mut rates, mut variance) = (0.0, 0.0);
        let mut on_servers = vec![0.0; self.servers.max(1)];
        for (index, query) in self.study.queries.iter().enumerate() {
            let Some(cost) = Self::cheapest(tables, index).1 else { continue };
            let rate = rate(query);
            rates += rate;
            scores.reads += rate * cost.load();
            scores.latency += rate * cost.latency;
            variance += rate * rate * cost.variance();
            on_servers.iter_mut().zip(&cost.servers).for_each(|(sum, of)| *sum += rate * of);
        }
        if rates > 0.0 {
            scores.latency /= rates;
            let requests: f64 = on_servers.iter().sum();
            let most = on_servers.iter().copied().fold(0.0, f64::max);
            scores.read_hottest_server = most / requests.max(f64::MIN_POSITIVE);
            let half = 1.96 * variance.sqrt();
            if half > 0.0 {
                scores
                    .intervals
                    .insert("reads".to_owned(), [(scores.reads - half).max(0.0), scores.reads + half]);
            }
        }
        scores
    }

    /// The table that answers a query for least, and what that costs.
    pub fn cheapest<'m>(tables: &[&'m Measured], query: usize) -> (usize, Option<&'m QueryCost>) {
        let mut best: (usize, Option<&QueryCost>) = (0, None);
        for (index, table) in tables.iter().enumerate() {
            let cost = table.queries.get(query);
            let least = best.1.is_none_or(|best| cost.is_some_and(|cost| cost.load() < best.load()));
            if least {
                best = (index, cost);
            }
        }
        best
    }

    /// Records written a second; where that is not known, as many as queries are asked.
    fn update_rate(&self) -> f64 {
        let asked = || self.study.queries.iter().map(rate).sum::<f64>().max(1.0);
        self.study.write_rate().map_or_else(asked, |rate| rate.per_second)
    }

    /// Objectives by which designs are compared: writes, reads with what updates read, bytes. Less is better.
    pub fn objectives(&self, scores: &DesignScores) -> [f64; 3] {
        [self.writes(scores), (scores.reads + scores.updates).max(1e-9), scores.bytes_per_row.max(1.0)]
    }

    /// How hot the writes are, even or calm ones all alike: against what a server and a region take where the rate is known.
    pub fn writes(&self, scores: &DesignScores) -> f64 {
        match self.study.write_rate() {
            Some(rate) => {
                let server = scores.hottest_server * rate.per_second / rate.server;
                let region = scores.hottest_region * rate.per_second / rate.region;
                server.max(region).max(CALM * scores.tables as f64)
            }
            None => scores.unevenness,
        }
    }

    /// The same of a table with these shares of the hottest region and server.
    pub fn writes_of(&self, [hottest_region, hottest_server]: [f64; 2]) -> f64 {
        let unevenness = hottest_server.max(NEARLY_EVEN / self.servers.max(1) as f64);
        let of_one =
            DesignScores { tables: 1, hottest_region, hottest_server, unevenness, ..DesignScores::default() };
        self.writes(&of_one)
    }

    /// True if the writes are so few that one region takes them all.
    pub fn is_calm(&self) -> bool {
        self.study.write_rate().is_some_and(|rate| rate.per_second < CALM * rate.region.min(rate.server))
    }
}
