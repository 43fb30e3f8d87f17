//! From the regions of a table to others: splits first, then merges, and no more of either than it takes.

use crate::bytes::row::to_string_binary;
use crate::design::split::SplitPoints;
use serde::{Deserialize, Serialize};

/// An action on a region or on neighboring regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReshapeAction {
    /// A region is cut in two.
    Split,
    /// Neighbours become one.
    Merge,
}

/// A step on the way. Rows are in `\xNN` notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReshapeStep {
    /// When: steps of one round can be done at once. Between rounds the regions just cut must be compacted, as HBase neither
    /// splits nor merges a region that still refers to files of its parent.
    pub round: u32,
    /// The action.
    pub action: ReshapeAction,
    /// Start row of what is cut, or of the first region that is merged; empty at the table's beginning.
    pub start: String,
    /// Stop row of what is cut, or of the last region that is merged; empty at the table's end.
    pub stop: String,
    /// Where it is cut, or the boundaries that go.
    pub at: Vec<String>,
}

/// Steps that turn regions cut at `from` into regions cut at `to`. Each wanted boundary that is missing takes one split and each
/// that is too many goes in one merge, so none can be spared; regions that already have their boundaries are left alone.
pub fn reshape(from: &SplitPoints, to: &SplitPoints) -> Vec<ReshapeStep> {
    let mut steps = Vec::new();
    let has = |points: &SplitPoints, key: &[u8]| {
        let region = points.region_of(key);
        region > 0 && points.boundaries(region).0 == key
    };
    let added: Vec<&[u8]> = to.iter().filter(|key| !has(from, key)).collect();
    for same in added.chunk_by(|a, b| from.region_of(a) == from.region_of(b)) {
        let region = same.first().map_or(0, |key| from.region_of(key));
        let (start, stop) = from.boundaries(region);
        cut(start, stop, same, 1, &mut steps);
    }
    crate::bytes::sort::sort_by_key(&mut steps, |step| step.round);
    let round = steps.last().map_or(0, |step: &ReshapeStep| step.round) + 1;
    let gone: Vec<&[u8]> = from.iter().filter(|key| !has(to, key)).collect();
    for same in gone.chunk_by(|a, b| to.region_of(a) == to.region_of(b)) {
        // All boundaries within a region that is wanted: what lies between was cut there, or never was.
        let region = same.first().map_or(0, |key| to.region_of(key));
        let (start, stop) = to.boundaries(region);
        steps.push(step(round, ReshapeAction::Merge, (start, stop), same));
    }
    steps
}

/// Cuts at the middle one of the points and goes on on both sides, so that rounds are few.
fn cut(start: &[u8], stop: &[u8], points: &[&[u8]], round: u32, steps: &mut Vec<ReshapeStep>) {
    let (low, rest) = points.split_at(points.len() / 2);
    let Some((middle, high)) = rest.split_first() else { return };
    steps.push(step(round, ReshapeAction::Split, (start, stop), &[middle]));
    cut(start, middle, low, round + 1, steps);
    cut(middle, stop, high, round + 1, steps);
}

fn step(round: u32, action: ReshapeAction, (start, stop): (&[u8], &[u8]), at: &[&[u8]]) -> ReshapeStep {
    let at = at.iter().map(|key| to_string_binary(key)).collect();
    ReshapeStep { round, action, start: to_string_binary(start), stop: to_string_binary(stop), at }
}
