//! The key that a document came with, and keys next to it.

use super::Search;
use super::key::{KeyPart, KeyPlan};
use super::measure::{Candidate, CandidateTable, SplitChoice};
use super::table_of_kinds::TableOfKinds;
use crate::design::Design;
use crate::formula::typed::{Expression, TypedPart};
use crate::records::field::Kind;
use crate::records::field::shape::Order;
use std::rc::Rc;

/// Fewest bytes of a digest that two values never share.
const LEAST_DIGEST: u64 = 16;
/// Buckets of neighbours.
const BUCKETS: [u32; 2] = [1, 2];

impl Search<'_> {
    /// The table whose key is to be improved.
    pub(super) fn given_table(&self) -> Option<&Design> {
        self.study.tables.first().filter(|_| self.given.keyed)
    }

    /// The key of the document as parts.
    fn given_key(&self) -> Option<KeyPlan> {
        let design = self.given_table()?;
        let parts = design.typed.parts.iter().map(|part| KeyPart::Given {
            text: part.text.clone(),
            holds: if part.shape.one_to_one || self.is_digest(part) {
                part.fields.clone()
            } else {
                Vec::new()
            },
        });
        Some(KeyPlan { parts: parts.collect() })
    }

    /// True if a part is as good as its field for all that queries ask: the whole digest of one that they only give.
    fn is_digest(&self, part: &TypedPart) -> bool {
        let &[field] = part.fields.as_slice() else { return false };
        let of = &part.shape;
        let is_whole = of.order == Order::None && of.width.min >= LEAST_DIGEST && of.distinct.is_none();
        is_whole && !part.uses_rest && !self.asked.iter().any(|asked| asked.ranged.contains(&field))
    }

    /// The design of the document, to be measured as it is.
    pub(super) fn given_candidate(&self) -> Option<Candidate> {
        let design = self.given_table()?;
        let of_kinds = (!design.kinds.is_empty()).then(|| TableOfKinds::given(design));
        Some(Candidate {
            key: self.given_key()?,
            rowkey: design.rowkeys(),
            typed: design.typed.clone(),
            split_choices: vec![SplitChoice::Given(design.splits.clone())],
            table: of_kinds.map(|of| CandidateTable::OfKinds(Rc::new(of))),
        })
    }

    /// The key itself, with two parts exchanged, without one, and behind a bucket of a field.
    pub(super) fn neighbours(&self) -> Vec<KeyPlan> {
        let (Some(design), Some(key)) = (self.given_table(), self.given_key()) else { return Vec::new() };
        // A salt over what follows, and names of formulas, mean something else elsewhere.
        let moves = |at: usize| {
            let part = design.typed.parts.get(at);
            part.is_some_and(|part| !part.uses_rest && !matches!(part.expression, Expression::Literal(_)))
        };
        let places: Vec<usize> = (0..key.parts.len()).filter(|&at| moves(at)).collect();
        // A bucket of the period alone moves the hotspot from region to region: no neighbour has one.
        let is_period = |at: usize| {
            let part = design.typed.parts.get(at);
            part.is_some_and(|part| {
                let time = |&field: &usize| {
                    self.study.fields.get(field).is_some_and(|field| field.kind == Kind::Time)
                };
                part.shape.order == Order::None && !part.fields.is_empty() && part.fields.iter().all(time)
            })
        };
        if let Some(at) = (0..key.parts.len()).find(|&at| is_period(at)) {
            return vec![key.without(at)];
        }
        let mut keys = vec![key.clone()];
        for pair in places.windows(2) {
            let &[one, other] = pair else { continue };
            let mut parts = key.parts.clone();
            parts.swap(one, other);
            keys.push(KeyPlan { parts });
        }
        if places.len() > 1 {
            keys.extend(places.iter().map(|&at| key.without(at)));
        }
        let fields = key.fields();
        for count in BUCKETS.map(|times| (times * self.servers).clamp(2, 256)) {
            keys.extend(fields.iter().map(|&field| key.behind(KeyPart::Bucket { of: vec![field], count })));
        }
        keys
    }
}
