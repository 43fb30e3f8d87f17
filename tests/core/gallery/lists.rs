//! Lists: a row for each value, or pages of values.

use super::opened::{open, scan, study};
use rowscape::findings::of_design;
use rowscape::row::from_string_binary;
use rowscape::storage::key_value::{CellParts, size};

#[test]
fn k1_a_row_a_value_and_where_the_list_of_a_user_ends() {
    let opened = open("k1-one-row-a-value");
    let key = |user: &str, value: i64| [user.as_bytes(), &value.to_be_bytes()].concat();
    let keys = opened.keys("list");
    assert_eq!(keys, [key("user", 1), key("user", 2), key("user", 300), key("usfs", 1)]);
    assert!(keys.is_sorted());
    // Without a stop row the thirty rows asked for run into the next user.
    assert_eq!(scan(&keys, "user", "\u{7f}").into_iter().take(30).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(scan(&keys, "user", "uses"), [0, 1, 2]);
    // The next page begins at a value.
    assert_eq!(scan(&keys, "user\0\0\0\0\0\0\0\u{3}", "uses"), [2]);
}

#[test]
fn k2_pages_under_user_and_number() {
    let opened = open("k2-pages-of-values");
    let rows = opened.rows("list");
    assert_eq!(rows[0], b"user\x00\x00\x00\x00");
    assert_eq!(rows[1], b"user\x00\x00\x00\x01");
    // In double quotes the HBase shell reads the escapes; in single quotes these are twenty characters.
    let written = r"user\x00\x00\x00\x00";
    assert_eq!(from_string_binary(written).expect("escapes"), rows[0]);
    assert_eq!(written.len(), 20);
    assert_ne!(written.as_bytes(), rows[0]);
}

#[test]
fn k2_the_value_moves_into_the_cell_and_does_not_vanish() {
    let cell = |row, qualifier, value| {
        size(CellParts { row, family: 1, qualifier, value, tag: None }).expect("size").length
    };
    let (tall, paged) = (open("k1-one-row-a-value"), open("k2-pages-of-values"));
    let width = |opened: &super::opened::Opened| opened.table("list").typed.shape.width.exact();
    assert_eq!((width(&tall), width(&paged)), (Some(12), Some(8)));
    let cells: Vec<(u64, u64)> = paged.table("list").families[0]
        .cells
        .iter()
        .map(|cell| {
            (cell.qualifier.bytes().expect("literal").len() as u64, cell.value.each().expect("size").into())
        })
        .collect();
    // Three hundred values: as many rows of 20 + 12 + 1 + 1 + 1 bytes, or one page that holds 8 bytes for each.
    let of_rows = 300 * cell(12, 1, 1);
    let of_page: u64 = cells
        .iter()
        .map(|&(qualifier, value)| cell(8, qualifier, if value == 8 { 300 * value } else { value }))
        .sum();
    assert_eq!((of_rows, cells[2].1), (300 * 35, 8));
    assert_eq!(
        of_page,
        3 * (20 + 8 + 1) + ("n".len() + "next".len() + "values".len()) as u64 + 4 + 4 + 2_400
    );
}

#[test]
fn k2_key_quotes_are_named_as_the_cause_of_a_scan_that_finds_nothing() {
    let findings = of_design(&study("k2-pages-of-values"), 0).expect("findings");
    let quoted = findings.iter().find(|finding| finding.name == "quoted-bytes").expect("a finding");
    assert_eq!(quoted.args["query"], "first page of a user");
    assert!(quoted.remedy.ends_with("\"user\\x00\\x00\\x00\\x00\"."), "{}", quoted.remedy);
}
