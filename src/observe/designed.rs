//! Observed keys beside a design: decoded into its fields, and those that it cannot have made.

use super::answer::{FieldShare, KeysByDesign, ObservedTable};
use super::tally::TallyView;
use crate::bytes::row::{from_string_binary, to_string_binary};
use crate::bytes::sort::sort_by;
use crate::design::Document;
use crate::keys::decode::{Decoded, decode};
use std::collections::HashMap;

/// Rows that are decoded; of more, some at equal distances.
const TRIED: usize = 20_000;
/// Different values of a field beyond which none of them matters.
const VALUES: usize = 5_000;
/// Values named.
const NAMED: usize = 8;
/// The least share of a value that is named.
const SHARE: f64 = 0.1;

/// A table of a study that the observed table is said to be.
#[derive(Clone, Copy)]
pub struct ObservedDesign<'a> {
    /// The study.
    pub study: &'a Document,
    /// Number of the table.
    pub table: usize,
}

impl ObservedDesign<'_> {
    /// The split points of the design; none where they depend on records.
    pub fn points(&self) -> Vec<Vec<u8>> {
        let Some(design) = self.study.tables.get(self.table) else { return Vec::new() };
        let points = design.splits.points().ok();
        points.map(|points| points.iter().map(<[u8]>::to_vec).collect()).unwrap_or_default()
    }

    /// True for the table that the design names; for any where it names none, or nothing names the table.
    pub fn is_of(&self, name: &str) -> bool {
        let Some(design) = self.study.tables.get(self.table) else { return false };
        let short = design.name.strip_prefix("default:").unwrap_or(&design.name);
        name.is_empty() || short.is_empty() || short == name
    }

    fn decoded(&self, key: &[u8]) -> Option<Decoded> {
        let design = self.study.tables.get(self.table)?;
        let decoded = decode(&design.typed, &self.study.fields, key).ok()?;
        // Parts that contradict each other were made by another formula.
        let is_own = !decoded
            .problems
            .iter()
            .any(|problem| matches!(problem.code, "decode.part-differs" | "decode.part-impossible"));
        is_own.then_some(decoded)
    }

    /// The keys of a table by the design.
    pub fn keys(&self, table: &ObservedTable, view: &TallyView<'_>) -> KeysByDesign {
        let rows = view.rows();
        let step = rows.len().div_ceil(TRIED).max(1);
        let mut found = KeysByDesign::default();
        let mut values: Vec<(String, Option<HashMap<String, u64>>)> =
            self.study.fields.iter().map(|field| (field.name.clone(), Some(HashMap::new()))).collect();
        for (row, cells) in rows.iter().step_by(step) {
            found.tried += 1;
            found.cells += cells;
            let Some(decoded) = self.decoded(row) else {
                found.other_rows += 1;
                found.other_cells += cells;
                found.other.get_or_insert_with(|| to_string_binary(row));
                continue;
            };
            for (field, (_, counts)) in decoded.fields.into_iter().zip(&mut values) {
                let (Some(of), Some(value)) = (counts.as_mut(), field.value) else { continue };
                *of.entry(value).or_default() += cells;
                if of.len() > VALUES {
                    *counts = None;
                }
            }
        }
        found.sampled = step > 1;
        let own = (found.cells - found.other_cells).max(1);
        for (field, counts) in values {
            let counts = counts.filter(|counts| counts.len() > 1).unwrap_or_default();
            found.values.extend(counts.into_iter().filter_map(|(value, cells)| {
                let share = cells as f64 / own as f64;
                (share >= SHARE).then(|| FieldShare { field: field.clone(), value, cells, share })
            }));
        }
        sort_by(&mut found.values, |a, b| {
            let order = b.share.total_cmp(&a.share);
            order.then_with(|| a.field.cmp(&b.field)).then_with(|| a.value.cmp(&b.value))
        });
        found.values.truncate(NAMED);
        let fields = |key: &str| {
            let decoded = from_string_binary(key).ok().and_then(|key| self.decoded(&key))?;
            Some(decoded.fields.into_iter().map(|field| (field.name, field.value)).collect())
        };
        found.hot_rows = table.hot_rows.iter().map(|row| fields(&row.key)).collect();
        found
    }
}
