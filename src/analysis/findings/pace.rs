//! A share of the writes judged by the rate that the document states: all of two rows a second harm nobody.

use super::finding::{FindingSeverity, RuleHit};
use super::review::Review;
use crate::analysis::report::{WritePace, WriteTraits};
use crate::base::figures::one_decimal;

/// Where writes gather.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gathered {
    /// In a region.
    InRegion,
    /// On a server.
    OnServer,
}

/// The hit with what its share comes to at the stated rate: no more than a note where that is little, and never more than a
/// warning where it only comes near what one takes.
pub(super) fn paced(review: &Review, hit: RuleHit, share: f64, place: Gathered) -> RuleHit {
    let rate = review.study.write_rate();
    let writes = WriteTraits::default().at(rate);
    let in_region = place == Gathered::InRegion;
    let pace = if in_region { writes.of_region(share) } else { writes.of_server(share) };
    let (told, most) = match pace {
        WritePace::Unknown => ("finding.pace.unknown", FindingSeverity::Bad),
        WritePace::Low => ("finding.pace.low", FindingSeverity::Note),
        WritePace::Near => ("finding.pace.near", FindingSeverity::Warning),
        WritePace::High => ("finding.pace.high", FindingSeverity::Bad),
    };
    let mut hit = hit.with("pace", told);
    if let Some(rate) = rate {
        let capacity = if in_region { rate.region } else { rate.server };
        hit =
            hit.with("writes", one_decimal(share * rate.per_second)).with("capacity", one_decimal(capacity));
    }
    hit.severity = hit.severity.map(|severity| severity.min(most));
    if pace == WritePace::Low {
        hit.fixes.clear();
    }
    hit
}
