//! An object with parts, such as an order with its addresses and lines, laid out in four ways.

use super::layout::{ItemLayout, LayoutUpdate};
use super::limits;
use super::table::CELL_OVERHEAD;
use serde::Deserialize;

/// A column of a record: bytes of its qualifier and of its value.
pub type OrderColumn = (u64, u64);

/// Orders with addresses and lines.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Orders {
    /// Number of orders.
    pub orders: u64,
    /// Addresses of each.
    pub locations: u64,
    /// Lines of each.
    pub lines: u64,
    /// Bytes of an order's key.
    pub order_key: u64,
    /// Bytes of the number of an address or a line within its order.
    pub number: u64,
    /// Bytes of the family's name.
    pub family: u64,
    /// Columns of the order itself.
    pub order_columns: Vec<OrderColumn>,
    /// Columns of an address.
    pub location_columns: Vec<OrderColumn>,
    /// Columns of a line.
    pub line_columns: Vec<OrderColumn>,
}

/// Records of one kind: how many of an order, the bytes after its key, their columns.
struct OrderRecords<'a> {
    count: u64,
    suffix: u64,
    columns: Vec<&'a [OrderColumn]>,
}

/// Totals of all records of a layout for one order.
#[derive(Default)]
struct LayoutSum {
    rows: u64,
    cells: u64,
    bytes: u64,
    keys: u64,
    row: u64,
    cell: u64,
}

impl Orders {
    fn sum(&self, kinds: &[OrderRecords<'_>]) -> LayoutSum {
        let mut sum = LayoutSum::default();
        for kind in kinds {
            let key = self.order_key.saturating_add(kind.suffix);
            let columns = || kind.columns.iter().copied().flatten();
            let cells = columns().map(|&column| self.cell(key, column));
            let row = cells.clone().fold(0, u64::saturating_add);
            let count = columns().count() as u64;
            sum.rows = sum.rows.saturating_add(kind.count);
            sum.cells = sum.cells.saturating_add(kind.count.saturating_mul(count));
            sum.bytes = sum.bytes.saturating_add(kind.count.saturating_mul(row));
            sum.keys = sum.keys.saturating_add(kind.count.saturating_mul(count).saturating_mul(key));
            sum.row = sum.row.max(row);
            sum.cell = sum.cell.max(cells.max().unwrap_or(0));
        }
        sum
    }

    fn cell(&self, key: u64, (qualifier, value): OrderColumn) -> u64 {
        [CELL_OVERHEAD, key, self.family, qualifier, value].into_iter().fold(0, u64::saturating_add)
    }

    fn layout(&self, name: &'static str, sum: &LayoutSum, one: u64, update: LayoutUpdate) -> ItemLayout {
        let times = |each: u64| self.orders.saturating_mul(each);
        ItemLayout {
            name,
            rows: times(sum.rows),
            cells: times(sum.cells),
            bytes: times(sum.bytes),
            key_bytes: times(sum.keys),
            first: one,
            all: one,
            one,
            update,
            row_bytes: sum.row,
            problems: limits(sum.row, sum.cell),
        }
    }

    /// The change of one address: its cells, in so many rows of a key of this length.
    fn address(&self, key: u64, rows: u64) -> LayoutUpdate {
        let columns = &self.location_columns;
        let bytes = columns.iter().map(|&column| self.cell(key, column)).fold(0, u64::saturating_add);
        LayoutUpdate {
            reads: 0,
            cells: rows.saturating_mul(columns.len() as u64),
            bytes: rows.saturating_mul(bytes),
        }
    }
}

/// Normalised over three tables, one table with a byte for the type of record, denormalised with the address in every
/// line, one packed cell. The update is that of one address, which so many lines share evenly.
pub fn layouts(orders: &Orders) -> Vec<ItemLayout> {
    let (order, location, line) =
        (orders.order_columns.as_slice(), orders.location_columns.as_slice(), orders.line_columns.as_slice());
    let number = orders.number;
    let kind = |count, suffix, columns| OrderRecords { count, suffix, columns };
    let normalised = [
        kind(1, 0, vec![order]),
        kind(orders.locations, number, vec![location]),
        kind(orders.lines, number, vec![line]),
    ];
    let typed_suffix = number.saturating_add(1);
    let typed = [
        kind(1, 1, vec![order]),
        kind(orders.locations, typed_suffix, vec![location]),
        kind(orders.lines, typed_suffix, vec![line]),
    ];
    let denormalised = [kind(1, 1, vec![order]), kind(orders.lines, typed_suffix, vec![line, location])];
    let values = |columns: &[OrderColumn]| columns.iter().map(|column| column.1).fold(0, u64::saturating_add);
    let content = values(order)
        .saturating_add(orders.locations.saturating_mul(values(location)))
        .saturating_add(orders.lines.saturating_mul(values(line)));
    let packed = [(1, content)];
    let blob = orders.sum(&[kind(1, 0, vec![&packed])]);
    let whole = LayoutUpdate { reads: 1, cells: 1, bytes: blob.cell };
    let key = |suffix: u64| orders.order_key.saturating_add(suffix);
    let sharing = orders.lines.div_ceil(orders.locations.max(1));
    vec![
        orders.layout("normalised", &orders.sum(&normalised), 3, orders.address(key(number), 1)),
        orders.layout("record-types", &orders.sum(&typed), 1, orders.address(key(typed_suffix), 1)),
        orders.layout(
            "denormalised",
            &orders.sum(&denormalised),
            1,
            orders.address(key(typed_suffix), sharing),
        ),
        orders.layout("blob", &blob, 1, whole),
    ]
}
