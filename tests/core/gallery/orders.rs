//! Customers and orders: composite keys, record types in one table, and an order in four shapes.

use super::opened::{Opened, md5, open, scan};
use rowscape::storage::key_value::{CellParts, size};

#[test]
fn j1_customer_and_order_in_24_and_32_bytes() {
    let opened = open("j1-customer-and-order");
    assert_eq!(opened.keys("digests")[0], [md5("00000007"), md5("o-00000001")].concat());
    assert_eq!(opened.keys("long_and_digest")[0], [&7i64.to_be_bytes()[..], &md5("o-00000001")].concat());
    assert_eq!(opened.texts("text")[0], "00000007-o-00000001");
    let width = |table| opened.table(table).typed.shape.width.exact();
    assert_eq!((width("digests"), width("long_and_digest")), (Some(32), Some(24)));
}

#[test]
fn j2_one_scan_reads_a_customer_with_all_orders() {
    let opened = open("j2-customers-and-orders-in-one-table");
    let key = |customer: i64, kind: u8, order: &str| {
        [&customer.to_be_bytes()[..], &[kind], order.as_bytes()].concat()
    };
    let keys = opened.keys("shop");
    let expected = [key(7, 1, ""), key(7, 2, "o-00000001"), key(7, 2, "o-00000002"), key(8, 1, "")];
    assert_eq!(keys, expected);
    assert!(keys.is_sorted(), "the customer comes before the orders");
    assert_eq!(scan(&keys, "\0\0\0\0\0\0\0\u{7}", "\0\0\0\0\0\0\0\u{8}"), [0, 1, 2]);
    let told = |field| opened.told("shop", &keys[1], field);
    assert_eq!([told("type"), told("order")], ["order", "o-00000001"].map(|text| Some(text.to_owned())));
    // Rows of type 1 are not neighbours.
    assert_eq!(keys.iter().map(|key| key[8]).collect::<Vec<_>>(), [1, 2, 2, 1]);
}

/// Rows, cells and bytes of a table: a record again is the same row.
fn stored(opened: &Opened, table: &str) -> (usize, usize, u64) {
    let cells: Vec<_> = opened.table(table).families.iter().flat_map(|family| &family.cells).collect();
    let (rows, keys) = (opened.rows(table), opened.keys(table));
    let bytes = rows.iter().flat_map(|row| {
        let records = keys.iter().filter(|key| *key == row).count() as u64;
        cells.iter().map(move |cell| {
            // Columns of the gallery are named in ASCII, or are zero bytes of four characters each.
            let qualifier = cell.qualifier.bytes().expect("literal").len() as u64;
            let parts = CellParts {
                row: row.len() as u64,
                family: 1,
                qualifier,
                value: u64::from(cell.value.each().expect("size"))
                    * if cell.value.is_packed() { records } else { 1 },
                tag: None,
            };
            size(parts).expect("size").length
        })
    });
    (rows.len(), rows.len() * cells.len(), bytes.sum())
}

#[test]
fn j3_an_order_in_four_shapes() {
    let normalised = open("j3-order-in-three-tables");
    let order = b"o-00000001".as_slice();
    assert_eq!(normalised.keys("ORDER")[1], order);
    assert_eq!(normalised.keys("SHIPPING_LOCATION")[2], [order, &[0, 2]].concat());
    assert_eq!(normalised.keys("LINE_ITEM")[1], [order, &[0, 1, 0, 2]].concat());
    let typed = open("j3-order-in-one-table");
    assert_eq!(typed.keys("ORDER")[1], [order, &[3, 0, 1, 0, 2]].concat());
    let lines = open("j3-denormalised-lines");
    assert_eq!(lines.keys("LINE_ITEM"), normalised.keys("LINE_ITEM"));
    let blob = open("j3-order-as-blob");
    assert_eq!(blob.keys("ORDER")[0], order);

    // Every key of the order begins with it: one request a table.
    for (opened, table, rows) in [
        (&normalised, "ORDER", 1),
        (&normalised, "SHIPPING_LOCATION", 2),
        (&normalised, "LINE_ITEM", 3),
        (&typed, "ORDER", 3),
        (&lines, "LINE_ITEM", 3),
        (&blob, "ORDER", 1),
    ] {
        assert_eq!(scan(&opened.rows(table), "o-00000001", "o-00000002").len(), rows, "{table}");
    }
    assert_eq!(normalised.study.tables.len(), 3, "three requests for one order");

    // A cell has 20 bytes besides its parts. A line: itemNumber 8, quantity 4, price 8.
    let line = 3 * (20 + 14 + 1) + ("itemNumber".len() + "quantity".len() + "price".len()) as u64 + 20;
    assert_eq!(stored(&normalised, "LINE_ITEM"), (4, 12, 4 * line));
    let columns = ["shipToLine1", "shipToLine2", "shipToCity", "shipToState", "shipToZip"];
    let address = 5 * (20 + 14 + 1) + columns.concat().len() as u64 + 30 + 30 + 20 + 2 + 5;
    assert_eq!(stored(&lines, "LINE_ITEM"), (4, 32, 4 * (line + address)), "every line repeats its address");
    assert_eq!(stored(&blob, "ORDER"), (2, 2, 2 * (20 + 10 + 1 + 4) + 4 * 150), "four lines in two cells");
}

#[test]
fn j4_rows_an_event_a_day_and_a_user() {
    let opened = open("j4-tall-wide-or-middle");
    let first = 1_709_251_200_000i64;
    assert_eq!(opened.keys("tall")[0], [b"u0000001", &first.to_be_bytes()[..]].concat());
    assert_eq!(opened.keys("middle")[0], b"u000000120240301");
    assert_eq!(opened.keys("wide")[0], b"u0000001");
    let rows = ["tall", "middle", "wide"].map(|table| opened.rows(table).len());
    assert_eq!(rows, [4, 3, 2], "four events of two users, one of them on two days");
}

#[test]
fn j4b_line_numbers_unique_within_their_order_are_enough() {
    let opened = open("j4b-lines-in-one-row");
    assert_eq!(opened.rows("one_row"), [b"o-00000001", b"o-00000002"]);
    let line = |order: &str, number: i32| [order.as_bytes(), &number.to_be_bytes()].concat();
    // Line 1 of both orders: two rows.
    assert_eq!(
        opened.rows("row_a_line"),
        [line("o-00000001", 1), line("o-00000001", 2), line("o-00000001", 3), line("o-00000002", 1)]
    );
}
