//! Where the requests of a table that is in use go, and what would even them out.

use super::{ExistingRegion, ExistingTable};
use crate::base::Problem;
use crate::base::figures::percent;
use crate::bytes::sort::{sort, sort_by};
use serde::Serialize;

/// Share of its server's requests that the named regions take together.
const MOST_OF_IT: f64 = 0.9;
/// Times the even share from which a region or a server is hot.
const HOT: f64 = 1.5;
/// Share from which one is hot, however few there are.
const MOST: f64 = 0.75;
/// Times the even share of a server from which a region can't be balanced by moving it.
const TOO_MUCH: f64 = 1.2;
/// A move that leaves the busier server with more of its load than this is not worth the loss of locality.
const WORTH: f64 = 0.9;
/// Part of the mean below which a region is idle.
const IDLE: f64 = 0.05;
/// Most splits, moves and merges that are told, each.
const TOLD: usize = 8;

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
    /// Make one of neighbors that hold little and serve hardly anyone.
    Merge {
        /// Place of the first region in the table; its right neighbor is the other.
        region: usize,
    },
}

/// The judgement of a table by the figures of its regions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableJudgement {
    /// True if a region or a server is hot.
    pub hot: bool,
    /// The headline.
    #[serde(skip)]
    pub verdict: Problem,
    /// Places of the regions that it speaks of, in the table.
    pub regions: Vec<usize>,
    /// Their share.
    pub share: f64,
    /// The servers, busiest first.
    pub servers: Vec<ServerShare>,
    /// Steps that even it out: moves, then splits, then merges.
    pub acts: Vec<TableAct>,
}

/// The host of a server's name, as people call it: without its domain, port and start code.
fn host(server: &str) -> &str {
    let host = server.split(',').next().unwrap_or_default();
    let name = host.split('.').next().unwrap_or_default();
    // An address has no domain.
    if name.bytes().all(|byte| byte.is_ascii_digit()) { host } else { name }
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
    let mut judgement = load.judgement(servers, by_requests);
    if judgement.hot && by_requests {
        judgement.acts = load.acts(&judgement.servers);
    }
    Some(judgement)
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

    /// The judgement, as yet without anything to do: of a hot server the fewest regions that take most of what it takes.
    fn judgement(&self, servers: Vec<ServerShare>, by_requests: bool) -> TableJudgement {
        let code = |requests, bytes| Problem::new(if by_requests { requests } else { bytes });
        let told = |hot, verdict, regions: Vec<usize>, servers| {
            let share = regions.iter().map(|&region| self.share(region)).sum();
            TableJudgement { hot, verdict, regions, share, servers, acts: Vec::new() }
        };
        if let [busiest, _, ..] = servers.as_slice()
            && busiest.share >= hot(servers.len())
        {
            let own =
                self.busiest().into_iter().filter(|&region| self.server(region) == Some(&busiest.server));
            let mut sum = 0.0;
            let mut named: Vec<usize> = own
                .take_while(|&region| {
                    let wanted = sum < MOST_OF_IT * busiest.share;
                    sum += self.share(region);
                    wanted
                })
                .collect();
            sort(&mut named);
            let share: f64 = named.iter().map(|&region| self.share(region)).sum();
            let server = host(&busiest.server);
            let verdict = code("existing.hot-server", "existing.large-server")
                .with("count", named.len())
                .with("server", server)
                .with("share", percent(share));
            return told(true, verdict, named, servers);
        }
        let most = self.busiest().first().copied().unwrap_or_default();
        let share = percent(self.share(most));
        if self.shares.len() > 1 && self.share(most) >= hot(self.shares.len()) && servers.len() < 2 {
            let verdict = code("existing.hot-region", "existing.large-region");
            return told(true, verdict.with("region", most).with("share", share), vec![most], servers);
        }
        let verdict = code("existing.even", "existing.even-bytes");
        told(false, verdict.with("share", share).with("regions", self.shares.len()), vec![most], servers)
    }

    fn acts(&self, servers: &[ServerShare]) -> Vec<TableAct> {
        // A split gives a region other names: whatever is moved is moved before.
        let mut acts = self.moves(servers);
        let servers = servers.len().max(2) as f64;
        let too_much = |&region: &usize| self.share(region) >= TOO_MUCH / servers;
        let splits = self.busiest().into_iter().filter(too_much).take(TOLD);
        acts.extend(splits.map(|region| TableAct::Split { region }));
        let size: f64 = self.table.regions.iter().filter_map(|region| region.megabytes).sum();
        let count = self.shares.len().max(1) as f64;
        let idle = |place: usize| {
            let megabytes = self.table.regions.get(place).and_then(|region| region.megabytes);
            self.share(place) <= IDLE / count && megabytes.is_some_and(|held| held <= IDLE * size / count)
        };
        let mut region = 0;
        let mut merges = 0;
        while region + 1 < self.shares.len() && merges < TOLD {
            if idle(region) && idle(region + 1) {
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
            let best = (0..self.shares.len())
                .filter(|region| at.get(*region) == Some(&Some(from)))
                .map(|region| (region, (most - self.share(region)).max(least + self.share(region))))
                .filter(|&(region, after)| self.share(region) > 0.0 && after <= WORTH * most)
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
