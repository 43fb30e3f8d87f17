//! Where the requests of a table that is in use go, and what would even them out.

use super::{ExistingRegion, ExistingTable};
use crate::base::Problem;
use crate::base::figures::percent;
use crate::bytes::sort::sort_by;
use serde::Serialize;

/// Share of its server's requests that the named regions take together.
const MOST_OF_IT: f64 = 0.9;
/// Times the even share from which a region or a server is hot.
const HOT: f64 = 2.0;
/// Share from which one is hot, however few there are.
const MOST: f64 = 0.75;
/// Times the even share of a server that is even enough.
const EVEN: f64 = 1.25;
/// Most splits, moves and merges that are told, each.
const TOLD: usize = 20;

/// Regions of a server together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServerShare {
    /// The server, as printed.
    pub server: String,
    /// Its regions.
    pub regions: usize,
    /// Its share of the requests, or of the bytes where requests are not known.
    pub share: f64,
}

/// Something to do with a region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "action")]
pub enum TableAct {
    /// Cut a region that takes too much for one server.
    Split {
        /// Place of the region in the table.
        region: usize,
    },
    /// Take a region to another server.
    Move {
        /// Place of the region in the table.
        region: usize,
        /// The server, as printed.
        to: String,
    },
    /// Make one of neighbors that hold nothing and serve nothing.
    Merge {
        /// Place of the first region in the table; its right neighbor is the other.
        region: usize,
    },
}

/// What the figures of a table's regions say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableJudgement {
    /// True if a region or a server is hot.
    pub hot: bool,
    /// The headline.
    #[serde(skip)]
    pub verdict: Problem,
    /// The servers, busiest first.
    pub servers: Vec<ServerShare>,
    /// What to do: moves, then splits, then merges.
    pub acts: Vec<TableAct>,
}

/// The share from which one of so many is hot.
fn hot(count: usize) -> f64 {
    (HOT / count.max(1) as f64).min(MOST)
}

/// Judges a table by the requests of its regions, or by their bytes where no request is known. `None` where neither is.
pub fn judge(table: &ExistingTable) -> Option<TableJudgement> {
    let by_requests = table.regions.iter().any(|region| region.requests.is_some_and(|count| count > 0.0));
    let figure = |region: &ExistingRegion| {
        let figure = if by_requests { region.requests } else { region.megabytes };
        figure.filter(|figure| figure.is_finite() && *figure > 0.0).unwrap_or_default()
    };
    let total: f64 = table.regions.iter().map(figure).sum();
    if total <= 0.0 {
        return None;
    }
    let load =
        TableLoad { table, shares: table.regions.iter().map(|region| figure(region) / total).collect() };
    let servers = load.servers();
    let (hot, verdict) = load.verdict(&servers, by_requests);
    let acts = if by_requests { load.acts(&servers) } else { Vec::new() };
    Some(TableJudgement { hot, verdict, servers, acts })
}

/// A table with the share of each of its regions.
struct TableLoad<'a> {
    table: &'a ExistingTable,
    shares: Vec<f64>,
}

impl TableLoad<'_> {
    fn share(&self, region: usize) -> f64 {
        self.shares.get(region).copied().unwrap_or_default()
    }

    fn server(&self, region: usize) -> Option<&str> {
        self.table.regions.get(region).and_then(|region| region.server.as_deref())
    }

    /// Regions, those with the largest share first.
    fn busiest(&self) -> Vec<usize> {
        let mut regions: Vec<usize> = (0..self.shares.len()).collect();
        sort_by(&mut regions, |a, b| self.share(*b).total_cmp(&self.share(*a)).then(a.cmp(b)));
        regions
    }

    fn servers(&self) -> Vec<ServerShare> {
        let mut servers: Vec<ServerShare> = Vec::new();
        for region in 0..self.shares.len() {
            let Some(name) = self.server(region) else { continue };
            let share = self.share(region);
            match servers.iter_mut().find(|server| server.server == name) {
                Some(server) => {
                    server.regions += 1;
                    server.share += share;
                }
                None => servers.push(ServerShare { server: name.to_owned(), regions: 1, share }),
            }
        }
        sort_by(&mut servers, |a, b| b.share.total_cmp(&a.share).then_with(|| a.server.cmp(&b.server)));
        servers
    }

    /// The headline: the fewest regions that take most of what the busiest server takes.
    fn verdict(&self, servers: &[ServerShare], by_requests: bool) -> (bool, Problem) {
        let code = |requests, bytes| Problem::new(if by_requests { requests } else { bytes });
        if let [busiest, others @ ..] = servers
            && !others.is_empty()
            && busiest.share >= hot(servers.len())
        {
            let own =
                self.busiest().into_iter().filter(|&region| self.server(region) == Some(&busiest.server));
            let (mut count, mut sum) = (0usize, 0.0);
            for region in own {
                if sum >= MOST_OF_IT * busiest.share {
                    break;
                }
                (count, sum) = (count + 1, sum + self.share(region));
            }
            let server = busiest.server.split(',').next().unwrap_or_default();
            let told = code("existing.hot-server", "existing.large-server");
            return (true, told.with("count", count).with("server", server).with("share", percent(sum)));
        }
        let most = self.busiest().first().copied().unwrap_or_default();
        let share = percent(self.share(most));
        if self.shares.len() > 1 && self.share(most) >= hot(self.shares.len()) {
            let told = code("existing.hot-region", "existing.large-region");
            return (true, told.with("region", most).with("share", share));
        }
        let told = code("existing.even", "existing.even-bytes");
        (false, told.with("share", share).with("regions", self.shares.len()))
    }

    fn acts(&self, servers: &[ServerShare]) -> Vec<TableAct> {
        let mut acts = Vec::new();
        let count = servers.len().max(1) as f64;
        // No server is even while one region is more than its share.
        let too_much = |&region: &usize| {
            let share = self.share(region);
            share >= hot(self.shares.len()) && (servers.len() < 2 || share > EVEN / count)
        };
        // A split gives a region other names: whatever is moved is moved before.
        acts.extend(self.moves(servers));
        let regions = self.busiest().into_iter().filter(|_| self.shares.len() > 1);
        acts.extend(regions.filter(too_much).take(TOLD).map(|region| TableAct::Split { region }));
        let nothing = |region: usize| {
            self.table.regions.get(region).is_some_and(|region| {
                region.megabytes == Some(0.0) && region.requests.is_some_and(|requests| requests <= 0.0)
            })
        };
        let mut region = 0;
        let mut merges = 0;
        while region + 1 < self.shares.len() && merges < TOLD {
            if nothing(region) && nothing(region + 1) {
                acts.push(TableAct::Merge { region });
                merges += 1;
                region += 1;
            }
            region += 1;
        }
        acts
    }

    /// Moves from the busiest server to the one with least, as long as the busier of both gets less.
    fn moves(&self, servers: &[ServerShare]) -> Vec<TableAct> {
        let mut moves = Vec::new();
        let mut loads: Vec<(f64, &str)> =
            servers.iter().map(|server| (server.share, server.server.as_str())).collect();
        let mut at: Vec<Option<&str>> = (0..self.shares.len()).map(|region| self.server(region)).collect();
        let count = loads.len();
        while moves.len() < TOLD && count > 1 {
            sort_by(&mut loads, |a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
            let (Some(&(most, from)), Some(&(least, to))) = (loads.first(), loads.last()) else { break };
            if most <= EVEN / count as f64 {
                break;
            }
            let best = (0..self.shares.len())
                .filter(|region| at.get(*region) == Some(&Some(from)))
                .map(|region| (region, (most - self.share(region)).max(least + self.share(region))))
                .filter(|&(region, after)| self.share(region) > 0.0 && after < most)
                .min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((region, _)) = best else { break };
            let share = self.share(region);
            for (load, name) in &mut loads {
                *load += if *name == to {
                    share
                } else if *name == from {
                    -share
                } else {
                    0.0
                };
            }
            if let Some(place) = at.get_mut(region) {
                *place = Some(to);
            }
            moves.push(TableAct::Move { region, to: to.to_owned() });
        }
        moves
    }
}
