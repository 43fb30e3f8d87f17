//! Split points that were made from the records: they hold parts of row keys.

use crate::design::Document;
use crate::design::split::{RankedKeys, Splits, equal_shares};
use crate::keys::encode::EncodedKeys;
use crate::keys::table::KeyTable;

/// More equal shares than regions that are tried: a key more frequent than a share leaves fewer.
const MORE: u32 = 32;

/// For each table, into how many equal shares the records are split in place of points that were made from them: most of
/// the points are those of equal shares, or one is a row key.
pub fn made_from_records(study: &Document, keys: &[EncodedKeys]) -> Vec<Option<u32>> {
    let tables = study.tables.iter().zip(keys);
    tables
        .map(|(design, keys)| {
            let Splits::Points(points) = &design.splits else { return None };
            let regions = u32::try_from(points.len() + 1).ok().filter(|&regions| regions > 1)?;
            let table = KeyTable::new(keys.clone(), 0);
            let is_key = |point: &Vec<u8>| {
                let rank = table.below(point);
                rank < table.len() && table.at(rank) == point.as_slice()
            };
            let shares = |regions: u32| {
                let made = equal_shares(&table, regions);
                let same = points.iter().filter(|point| made.iter().any(|other| other == point.as_slice()));
                (made.len() == points.len() || regions as usize == points.len() + 1)
                    && same.count() * 2 > points.len()
            };
            let found = (regions..=regions + MORE).find(|&regions| shares(regions));
            found.or_else(|| points.iter().any(is_key).then_some(regions))
        })
        .collect()
}
