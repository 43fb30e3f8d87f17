//! Records of several kinds in one table: each kind makes its bytes by a formula of its own.

use super::batch::KeyBatch;
use super::encoder::{Encoder, KindEncoder};
use super::refused::RefusedRow;
use crate::base::map::Map;
use crate::bytes::strings::ByteStrings;
use crate::records::ColumnValues;

/// Stands for what records of a kind do not write, beside the empty bytes of what they should.
pub(super) const NOT_WRITTEN: &[u8] = &[1];

impl Encoder<'_> {
    /// The kind of each record in a design with kinds: the number of the kind, `None` where there is none.
    pub fn kinds(&self, design: usize) -> Vec<Option<usize>> {
        let Some(formula) = self.designs.get(design) else { return Vec::new() };
        let kinds = KeyBatch::new(self, 0..self.records.rows).kinds_of(&formula.kinds);
        kinds.into_iter().map(Result::ok).collect()
    }
}

impl<'e, 'a: 'e> KeyBatch<'e, 'a> {
    /// Appends the bytes of each row by the formula of its kind; tells `refused_row` of each that gets none, and of each that is of
    /// no kind.
    pub(super) fn write_kinds(
        &mut self,
        kinds: &'e [KindEncoder<'a>],
        keys: &mut ByteStrings,
        refused_row: &mut dyn FnMut(RefusedRow),
    ) {
        let rows = self.kinds_of(kinds);
        let written = kinds.iter().enumerate().map(|(index, kind)| {
            let (mut bytes, mut refused) = (ByteStrings::default(), Map::new());
            let formula = kind.formula.as_ref().filter(|_| rows.contains(&Ok(index)));
            if let Some(formula) = formula {
                self.write(formula, &mut bytes, &mut |row| {
                    refused.insert(row.row, row);
                });
            }
            (bytes, refused)
        });
        let mut written: Vec<(ByteStrings, Map<u32, RefusedRow>)> = written.collect();
        for (index, kind) in rows.into_iter().enumerate() {
            let row = (self.rows.start + index) as u32;
            match kind {
                Ok(kind) => {
                    let Some((bytes, refused)) = written.get_mut(kind) else { continue };
                    let writes = kinds.get(kind).is_some_and(|kind| kind.formula.is_some());
                    keys.push(if writes { bytes.get(index) } else { NOT_WRITTEN });
                    refused.remove(&row).into_iter().for_each(&mut *refused_row);
                }
                Err(refused) => {
                    keys.end();
                    refused_row(refused);
                }
            }
        }
    }

    /// The length that the formula of its kind makes of each row; `None` where there is none.
    pub(super) fn lengths_of_kinds(&mut self, kinds: &'e [KindEncoder<'a>]) -> Vec<Option<u32>> {
        let rows = self.kinds_of(kinds);
        let mut of = |kind: &'e KindEncoder<'a>| kind.formula.as_ref().map(|formula| self.lengths(formula));
        let lengths: Vec<Option<Vec<Option<u32>>>> = kinds.iter().map(&mut of).collect();
        let length = |(index, kind): (usize, Result<usize, RefusedRow>)| {
            *lengths.get(kind.ok()?)?.as_ref()?.get(index)?
        };
        rows.into_iter().enumerate().map(length).collect()
    }

    /// The kind of each row: the first that its field tells, or why there is none.
    fn kinds_of(&self, kinds: &[KindEncoder<'a>]) -> Vec<Result<usize, RefusedRow>> {
        let records = self.encoder.records;
        let first = kinds.iter().find_map(|kind| kind.column);
        let kind_of = |row: usize| {
            let refused = |column, code| Err(RefusedRow { row: row as u32, column, code });
            if records.unread.get(row) {
                return refused(None, "row.unread");
            }
            let mut unusable = None;
            for (index, kind) in kinds.iter().enumerate() {
                let Some(column) = kind.column.and_then(|column| records.columns.get(column)) else {
                    continue;
                };
                if column.invalid.get(row) {
                    unusable = unusable.or(kind.column);
                    continue;
                }
                let value = match &column.values {
                    ColumnValues::Integers(values) => values.get(row).copied(),
                    ColumnValues::Strings { ids, .. } => ids.get(row).map(|&id| id.into()),
                };
                if value.is_some_and(|value| kind.values.binary_search(&value).is_ok()) {
                    return Ok(index);
                }
            }
            match unusable {
                Some(column) => refused(Some(column), "row.value-unusable"),
                None => refused(first, "row.no-kind"),
            }
        };
        self.rows.clone().map(kind_of).collect()
    }
}
