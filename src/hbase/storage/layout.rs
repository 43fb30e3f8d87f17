//! The same items laid out in rows in several ways: a row for each, a row for many, pages, one packed cell.

use super::limits;
use super::table::CELL_OVERHEAD;
use crate::base::Problem;
use serde::{Deserialize, Serialize};

/// Bytes a scan returns at once: `hbase.client.scanner.max.result.size` as shipped.
const SCAN_RESULT: u64 = 2 << 20;
/// Items on a first screen.
const FIRST: u64 = 30;
/// A page begins with the number of its items and that of the next page.
const PAGE_HEADER: u64 = 8;

/// Entities with items, such as users with values, or hosts with measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename = "Items", rename_all = "camelCase", deny_unknown_fields)]
pub struct LayoutItems {
    /// Number of entities.
    pub entities: u64,
    /// Items of each.
    pub items: u64,
    /// Bytes of the key that name the entity.
    pub entity_key: u64,
    /// Bytes that tell the items of an entity apart.
    pub item_key: u64,
    /// Bytes that tell apart the items of one row or page, where they are fewer: an offset in place of a time.
    pub offset: u64,
    /// Items of a row of several, or of a page.
    pub per_row: u64,
    /// Bytes of the key that name such a row of an entity.
    pub page_key: u64,
    /// Bytes of an item's value.
    pub value: u64,
    /// Bytes of the family's name.
    pub family: u64,
    /// Bytes of the qualifier where it does not tell items apart.
    pub qualifier: u64,
}

/// The work of changing one item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LayoutUpdate {
    /// Requests to read beforehand.
    pub reads: u64,
    /// Cells written.
    pub cells: u64,
    /// Bytes written.
    pub bytes: u64,
}

/// A layout in figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemLayout {
    /// Its name.
    pub name: &'static str,
    /// Rows of the table.
    pub rows: u64,
    /// Cells.
    pub cells: u64,
    /// Bytes of the cells.
    pub bytes: u64,
    /// Bytes of row keys among them.
    pub key_bytes: u64,
    /// Requests for the first 30 items of an entity.
    pub first: u64,
    /// Requests for all of them.
    pub all: u64,
    /// Requests for one item, or one order.
    pub one: u64,
    /// The cost of changing one item.
    pub update: LayoutUpdate,
    /// Bytes of the largest row: a row never lies in two regions.
    pub row_bytes: u64,
    /// Limits of HBase's defaults that it exceeds.
    pub problems: Vec<Problem>,
}

/// How a layout arranges the items of one entity.
struct Arrangement {
    name: &'static str,
    /// Items in a row.
    per_row: u64,
    /// True if they share one cell.
    packed: bool,
    /// Bytes of the row key after the entity.
    row_key: u64,
    /// Bytes that tell the items of a row apart.
    within: u64,
    /// Bytes before the items of a packed cell.
    header: u64,
}

/// Tall, middle, wide, paged, packed.
pub fn layouts(items: &LayoutItems) -> Vec<ItemLayout> {
    let per_row = items.per_row.clamp(1, items.items.max(1));
    let all = items.items.max(1);
    let arrangements = [
        Arrangement {
            name: "tall",
            per_row: 1,
            packed: false,
            row_key: items.item_key,
            within: 0,
            header: 0,
        },
        Arrangement {
            name: "middle",
            per_row,
            packed: false,
            row_key: items.page_key,
            within: items.offset,
            header: 0,
        },
        Arrangement {
            name: "wide",
            per_row: all,
            packed: false,
            row_key: 0,
            within: items.item_key,
            header: 0,
        },
        Arrangement {
            name: "paged",
            per_row,
            packed: true,
            row_key: items.page_key,
            within: items.offset,
            header: PAGE_HEADER,
        },
        Arrangement {
            name: "packed",
            per_row: all,
            packed: true,
            row_key: 0,
            within: items.item_key,
            header: 0,
        },
    ];
    arrangements.iter().map(|arrangement| layout(items, arrangement)).collect()
}

fn layout(items: &LayoutItems, how: &Arrangement) -> ItemLayout {
    let row_key = items.entity_key.saturating_add(how.row_key);
    let rows_each = items.items.div_ceil(how.per_row);
    let cells_each = if how.packed { rows_each } else { items.items };
    let rows = items.entities.saturating_mul(rows_each);
    let cells = items.entities.saturating_mul(cells_each);
    let item = how.within.saturating_add(items.value);
    // Where items have a cell each, what tells them apart is its qualifier.
    let qualifier =
        if how.packed || how.per_row == 1 && how.name == "tall" { items.qualifier } else { how.within };
    let frame = [CELL_OVERHEAD, row_key, items.family, qualifier].into_iter().fold(0, u64::saturating_add);
    let content = |count: u64| item.saturating_mul(count).saturating_add(how.header);
    let value_of_all = if how.packed {
        items.items.saturating_mul(item).saturating_add(how.header.saturating_mul(rows_each))
    } else {
        items.items.saturating_mul(items.value)
    };
    let entity = frame.saturating_mul(cells_each).saturating_add(value_of_all);
    let (cell, in_row) = if how.packed {
        (frame.saturating_add(content(how.per_row)), 1)
    } else {
        (frame.saturating_add(items.value), how.per_row)
    };
    let row_bytes = cell.saturating_mul(in_row);
    let scan = |bytes: u64| bytes.div_ceil(SCAN_RESULT).max(1);
    let first_items = FIRST.min(items.items);
    // Pages name the next one, and are got one by one; rows side by side are one scan.
    let first = match how.name {
        "paged" => first_items.div_ceil(how.per_row).max(1),
        "wide" | "packed" => 1,
        _ => scan(cell.saturating_mul(first_items)),
    };
    ItemLayout {
        name: how.name,
        rows,
        cells,
        bytes: items.entities.saturating_mul(entity),
        key_bytes: cells.saturating_mul(row_key),
        first,
        all: if rows_each <= 1 { 1 } else { scan(entity) },
        one: 1,
        update: LayoutUpdate { reads: u64::from(how.packed), cells: 1, bytes: cell },
        row_bytes,
        problems: limits(row_bytes, cell),
    }
}
