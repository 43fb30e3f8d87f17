//! Values that lie in files of their own: `IS_MOB` and `MOB_THRESHOLD` of a family.

use super::stored::StoredCell;
use crate::design::Family;

/// The value of a cell that refers to a file: its length, and the name of the file, which consists of a digest of the first row, a day, a
/// UUID and the name of the region (`MobUtils.createMobRefCell`, `MobFileName`).
const REFERENCE: u64 = 4 + 32 + 8 + 32 + 1 + 32;
/// Length of all tags of a cell; length and type of two, one of them empty, the other with the name of the table.
const TAGS: u64 = 2 + 3 + 3;

/// The cells of a family in its store files, and those in MOB files.
pub(super) struct MobCells {
    /// Cells as store files hold them: large values are references.
    pub stored: Vec<StoredCell>,
    /// Bytes of tags that references have.
    pub tags: u64,
    /// Cells as MOB files hold them.
    pub apart: Vec<StoredCell>,
}

/// Parts the cells of a family of a table with a name of so many bytes. A column goes by the mean of its values.
pub(super) fn parted(family: &Family, cells: &[StoredCell], table: u64) -> MobCells {
    let mut parted = MobCells { stored: Vec::with_capacity(cells.len()), tags: 0, apart: Vec::new() };
    for cell in cells {
        // A value as long as the threshold stays.
        if family.files.mob.is_none_or(|most| cell.value[0] <= u64::from(most)) {
            parted.stored.push(cell.clone());
            continue;
        }
        parted.tags = parted.tags.saturating_add(cell.count.saturating_mul(TAGS.saturating_add(table)));
        parted.apart.push(cell.clone());
        let [row, qualifier, _] = cell.bytes;
        let bytes = [row, qualifier, cell.count.saturating_mul(REFERENCE)];
        parted.stored.push(StoredCell { value: [REFERENCE; 2], bytes, ..cell.clone() });
    }
    parted
}
