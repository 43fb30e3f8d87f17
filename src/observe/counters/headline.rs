//! The conclusion from the counters of a table.

use super::history::Origin;
use super::metric::Metric;
use super::picture::Part;
use crate::base::Problem;
use crate::base::figures::percent;
use crate::observe::requests::RequestsObserved;

/// Requests below which nothing is said of how they are spread.
const FEW: u64 = 100;
/// The share from which a region is hot.
pub const HOT_SHARE: f64 = 0.25;
/// Times the even share from which a region, and a server, is hot.
const HOT_TIMES: f64 = 2.0;
const HOT_SERVER: f64 = 1.5;

/// A sum that stays in bounds whatever counters say.
pub fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

/// Reads or writes: those of which one region takes the larger share.
pub fn told(parts: &[Part<'_>], origin: Origin) -> Metric {
    if origin == Origin::Totals {
        return Metric::Requests;
    }
    let most = |metric: Metric| {
        let all = sum(parts.iter().map(|part| metric.of(&part.counts)));
        let most = parts.iter().map(|part| metric.of(&part.counts)).max().unwrap_or_default();
        if all < FEW { 0.0 } else { most as f64 / all as f64 }
    };
    if most(Metric::Reads) > most(Metric::Writes) { Metric::Reads } else { Metric::Writes }
}

/// The conclusion: which region or server takes most.
pub fn headline(answer: &RequestsObserved, metric: Metric) -> Problem {
    if metric == Metric::Size {
        let Some(most) = answer.regions.iter().rev().max_by(|a, b| a.share.total_cmp(&b.share)) else {
            return Problem::new("observe.idle");
        };
        return match (&most.start, &most.end) {
            (Some(start), Some(end)) if start.is_empty() => {
                Problem::new("observe.large-first").with("key", end).with("share", percent(most.share))
            }
            (Some(start), _) => {
                Problem::new("observe.large-region").with("key", start).with("share", percent(most.share))
            }
            _ => Problem::new("observe.large-named")
                .with("region", &most.region)
                .with("share", percent(most.share)),
        };
    }
    let of = |code: &'static str, share: f64| {
        Problem::new(code).with("share", percent(share)).with("metric", metric.code())
    };
    let total = metric.of(&answer.counts);
    if total < FEW {
        return Problem::new("observe.idle");
    }
    let there = answer.regions.iter().filter(|region| !region.gone).count();
    let Some(most) = answer.regions.iter().rev().max_by(|a, b| a.share.total_cmp(&b.share)) else {
        return Problem::new("observe.idle");
    };
    if there > 1 && most.share >= HOT_SHARE && most.share * there as f64 >= HOT_TIMES {
        return match (&most.start, &most.end) {
            (Some(start), Some(end)) if start.is_empty() => {
                of("observe.busy-first", most.share).with("key", end)
            }
            (Some(start), _) => of("observe.busy-region", most.share).with("key", start),
            (None, _) => of("observe.busy-named", most.share).with("region", &most.region),
        };
    }
    if let [server, _, ..] = answer.servers.as_slice()
        && server.share * answer.servers.len() as f64 >= HOT_SERVER
    {
        return of("observe.busy-server", server.share).with("server", &server.server);
    }
    of("observe.even-requests", most.share).with("regions", there)
}
