//! Bytes of tables and layouts: figures worked out by hand from the size of a cell, 20 + row + family + qualifier + value.

use proptest::prelude::*;
use rowscape::design::{Family, RecordCell, parse};
use rowscape::storage::key_value::{CellParts, size};
use rowscape::storage::layout::{ItemLayout, LayoutItems, layouts};
use rowscape::storage::order::{Orders, layouts as order_layouts};
use rowscape::storage::table::{KeyLengths, TableBytes, storage};
use serde_json::json;

fn family(name: &str, cells: &[(&str, u32)]) -> Family {
    let cells = cells.iter().map(|&(qualifier, bytes)| RecordCell::literal(qualifier, bytes));
    Family { cells: cells.collect(), ..Family::named(name) }
}

fn fixed(length: u64) -> KeyLengths {
    KeyLengths { min: length, max: Some(length), ..KeyLengths::default() }
}

fn of(families: &[Family], key: u64, rows: u64) -> TableBytes {
    storage(families, &fixed(key), rows)
}

fn named<'a>(all: &'a [ItemLayout], name: &str) -> &'a ItemLayout {
    all.iter().find(|layout| layout.name == name).expect("layout")
}

#[test]
fn a7_short_names_save_their_length_in_every_cell() {
    let rows = 1_000_000;
    let long = of(&[family("d", &[("myVeryImportantAttribute", 4)])], 16, rows);
    let short = of(&[family("d", &[("via", 4)])], 16, rows);
    assert_eq!(long.total - short.total, 21 * rows);
    assert_eq!(short.total, (20 + 16 + 1 + 3 + 4) * rows);
    let wide = of(&[family("measurement", &[("a", 4), ("b", 4)])], 16, rows);
    let narrow = of(&[family("d", &[("a", 4), ("b", 4)])], 16, rows);
    assert_eq!(wide.total - narrow.total, 10 * 2 * rows);
    assert_eq!(narrow.families[0].byte_less, 2 * rows);
    assert_eq!(narrow.byte_less, 2 * rows);
}

#[test]
fn a10_every_version_kept_takes_its_bytes_again() {
    let mut kept = family("d", &[("q", 10)]);
    kept.versions = 100;
    let storage = of(&[kept], 9, 1000);
    assert_eq!(storage.total, 41 * 1000);
    assert_eq!(storage.families[0].with_versions, 4_100_000);
}

#[test]
fn i5_numeric_ids_in_place_of_digests_save_16_bytes_a_cell() {
    let cells = [family("d", &[("v", 8), ("w", 8)])];
    let digests = of(&cells, 16 + 16 + 8, 1_000_000);
    let ids = of(&cells, 8 + 8 + 8, 1_000_000);
    assert_eq!(digests.total - ids.total, 16 * 2 * 1_000_000);
    let names = "myserver1.mycompany.com".len()
        + "com.package1.subpackage2.subsubpackage3.ImportantService".len()
        + 8;
    let text = of(&cells, names as u64, 1_000_000);
    assert_eq!(text.total - digests.total, (23 + 56 + 8 - 40) * 2 * 1_000_000);
}

#[test]
fn i6_rows_of_five_minutes_have_fewer_rows_but_no_fewer_bytes_unless_packed() {
    // A measurement a second for a day: host 16, event 16, time 8, value 8, the offset in the row 2.
    let items = LayoutItems {
        entities: 1,
        items: 86_400,
        entity_key: 32,
        item_key: 8,
        offset: 2,
        per_row: 300,
        page_key: 8,
        value: 8,
        family: 1,
        qualifier: 1,
    };
    let all = layouts(&items);
    let (tall, middle, paged) = (named(&all, "tall"), named(&all, "middle"), named(&all, "paged"));
    assert_eq!((tall.rows, tall.cells, tall.bytes), (86_400, 86_400, 86_400 * 70));
    assert_eq!((middle.rows, middle.cells, middle.bytes), (288, 86_400, 86_400 * 71));
    assert_eq!((paged.rows, paged.cells, paged.bytes), (288, 288, 288 * (20 + 40 + 1 + 1 + 8 + 300 * 10)));
    assert_eq!((tall.key_bytes, middle.key_bytes, paged.key_bytes), (86_400 * 40, 86_400 * 40, 288 * 40));
    // 6,048,000 bytes come in portions of 2 MiB.
    assert_eq!((tall.all, paged.all, tall.one), (3, 1, 1));
    assert_eq!((tall.update.bytes, paged.update.bytes, paged.update.reads), (70, 3070, 1));
}

#[test]
fn k1_k2_pages_take_more_requests_and_fewer_bytes_than_a_row_a_value() {
    // 1,000 users with 1,000 values: `<user 8><value 8>`, or `<user 8><page 4>` with 10 ids a page.
    let items = LayoutItems {
        entities: 1000,
        items: 1000,
        entity_key: 8,
        item_key: 8,
        offset: 8,
        per_row: 10,
        page_key: 4,
        value: 0,
        family: 1,
        qualifier: 1,
    };
    let all = layouts(&items);
    let (tall, wide, paged) = (named(&all, "tall"), named(&all, "wide"), named(&all, "paged"));
    assert_eq!((tall.rows, tall.bytes, tall.first), (1_000_000, 38_000_000, 1));
    // The key moves from the row to the qualifier; it does not vanish.
    assert_eq!((wide.rows, wide.cells, wide.bytes), (1000, 1_000_000, (20 + 8 + 1 + 8) * 1_000_000));
    assert_eq!((paged.rows, paged.bytes, paged.first), (100_000, 100_000 * (20 + 12 + 1 + 1 + 8 + 80), 3));
    assert_eq!((tall.update.reads, paged.update.reads), (0, 1));
    // All thousand values are 38,000 bytes in rows and 12,200 in pages: one portion of 2 MiB either way.
    assert_eq!((tall.all, wide.all, paged.all), (1, 1, 1));
}

#[test]
fn j4b_a_row_of_a_million_large_cells_is_beyond_what_hbase_reads_at_once() {
    let items = |value: u64, entities: u64| LayoutItems {
        entities,
        items: 1_000_000,
        entity_key: 8,
        item_key: 8,
        offset: 8,
        per_row: 100,
        page_key: 4,
        value,
        family: 1,
        qualifier: 1,
    };
    let codes = |layout: &ItemLayout| layout.problems.iter().map(|problem| problem.code).collect::<Vec<_>>();
    // 1,000,000 × (20 + 8 + 1 + 8 + v) is above 2^30 from v = 1037 on.
    assert_eq!(codes(named(&layouts(&items(1036, 1)), "wide")), Vec::<&str>::new());
    assert_eq!(codes(named(&layouts(&items(1037, 1)), "wide")), ["storage.row-too-large"]);
    // Packed into one cell it meets the limit of 10 MiB first: 1,000,000 × 16 bytes.
    assert_eq!(codes(named(&layouts(&items(8, 1)), "packed")), ["storage.cell-too-large"]);
    assert_eq!(codes(named(&layouts(&items(1037, 1)), "tall")), Vec::<&str>::new());
}

fn orders() -> Orders {
    Orders {
        orders: 1000,
        locations: 2,
        lines: 6,
        order_key: 8,
        number: 4,
        family: 1,
        order_columns: vec![(1, 8), (1, 8)],
        location_columns: vec![(1, 30), (1, 20), (1, 6)],
        line_columns: vec![(1, 8), (1, 4), (1, 8)],
    }
}

#[test]
fn j3_an_order_in_four_layouts() {
    let all = order_layouts(&orders());
    let normalised = named(&all, "normalised");
    assert_eq!((normalised.rows, normalised.cells, normalised.one), (9_000, (2 + 6 + 18) * 1000, 3));
    // Cells of 22 + key + value: order 2 × 30 + 16; addresses 2 × (3 × 34 + 56); lines 6 × (3 × 34 + 20).
    assert_eq!(normalised.bytes, (76 + 2 * 158 + 6 * 122) * 1000);
    let typed = named(&all, "record-types");
    assert_eq!((typed.rows, typed.cells, typed.one), (9_000, 26_000, 1));
    assert_eq!(typed.bytes, normalised.bytes + 26 * 1000);
    let denormalised = named(&all, "denormalised");
    assert_eq!((denormalised.rows, denormalised.cells), (7_000, (2 + 6 * 6) * 1000));
    assert_eq!(denormalised.bytes, (2 * 31 + 16 + 6 * (6 * 35 + 20 + 56)) * 1000);
    let blob = named(&all, "blob");
    assert_eq!((blob.rows, blob.cells, blob.one), (1000, 1000, 1));
    assert_eq!(blob.bytes, (20 + 8 + 1 + 1 + 16 + 2 * 56 + 6 * 20) * 1000);
}

#[test]
fn j4_an_address_that_changes_is_written_once_or_in_every_line() {
    let all = order_layouts(&orders());
    let cells = |name: &str| (named(&all, name).update.reads, named(&all, name).update.cells);
    assert_eq!(cells("normalised"), (0, 3));
    assert_eq!(cells("record-types"), (0, 3));
    assert_eq!(cells("denormalised"), (0, 9));
    assert_eq!(cells("blob"), (1, 1));
    assert_eq!(named(&all, "blob").update.bytes, named(&all, "blob").bytes / 1000);
}

#[test]
fn a_design_is_measured_by_its_own_families_and_formula() {
    let document = json!({
        "rowscape": 1, "fields": [{ "name": "id", "type": "integer" }], "rowkey": "id.int64()",
        "table": { "families": [{ "name": "d", "cells": [{ "qualifier": "\\x00\\x01", "bytes": 4 }] }] },
    });
    let study = parse(&document.to_string()).expect("study");
    let design = &study.tables[0];
    let stored = storage(design, &design.typed.shape.width.into(), 10);
    assert_eq!((stored.total, stored.exact, stored.made_up), (10 * (20 + 8 + 1 + 2 + 4), true, false));
}

#[test]
fn without_cells_one_is_made_up_and_without_a_bound_there_is_no_most() {
    let keys = KeyLengths { min: 3, ..KeyLengths::default() };
    let stored = storage(&[][..], &keys, 10);
    assert!(stored.made_up && !stored.exact);
    assert_eq!((stored.cells, stored.total, stored.least, stored.most), (10, 250, 250, None));
}

#[test]
fn a_value_over_ten_megabytes_is_refused() {
    let stored = of(&[family("d", &[("q", 10 << 20)])], 8, 1);
    let codes: Vec<_> = stored.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["storage.cell-too-large"]);
}

#[test]
fn encodings_lie_below_the_plain_cells_where_keys_are_long() {
    let stored = of(&[family("d", &[("a", 8), ("b", 8), ("c", 8)])], 40, 10_000);
    let family = &stored.families[0];
    // Per cell at least flags, one shared length and the end of the timestamp; plain it is 70 bytes.
    assert!(family.fast_diff.most < stored.total && family.prefix.most < stored.total);
    assert!(family.fast_diff.least >= 10_000 * 3 * (8 + 3));
    assert!(family.index.least <= family.index.most && family.files.least >= stored.total);
    assert_eq!(family.blocks, stored.total.div_ceil(65_536));
}

#[test]
fn a_compacted_file_is_cells_blocks_index_filter_and_trailer() {
    let stored = of(&[family("d", &[("q", 60)])], 18, 100_000);
    let file = stored.families[0].compacted;
    // Cells of 100 bytes and a sequence number; 649 of 101 bytes fill a block, 100,000 rows a chunk of the filter.
    let blocks = 100_000u64.div_ceil(649);
    let framed = 100_000 * 101 + blocks * (33 + 5 * 4) + 131_072 + 33 + 9 * 4;
    assert!((framed..framed + blocks * 60 + 5_100).contains(&file.none), "{} {framed}", file.none);
    // Four bytes a row, and ten a block.
    assert!((400_000..400_000 + blocks * 20).contains(&(file.row_index - file.none)));
    let encoded = [file.prefix, file.diff, file.fast_diff];
    assert!(encoded.iter().all(|bytes| (100_000 * 60..file.none).contains(bytes)), "{encoded:?}");
    assert_eq!(file.mob, 0);
}

#[test]
fn large_values_lie_in_files_apart() {
    let cells = [("big", 200_000), ("small", 100)];
    let plain = family("d", &cells);
    let mut mob = family("d", &cells);
    mob.files.mob = Some(102_400);
    let [one, other] = [plain, mob].map(|family| of(&[family], 16, 1000).families[0].clone());
    // The bytes of the cells are the same, whatever the file.
    assert_eq!(one.bytes, other.bytes);
    assert!(one.compacted.none > 200_000_000 && one.compacted.mob == 0);
    // A reference: a value of 109 bytes, two tags of 8 bytes without the name of the table, which is not known here.
    let references = 1000 * (20 + 16 + 1 + 3 + 109 + 8 + 20 + 16 + 1 + 5 + 100);
    assert!((references..references + 20_000).contains(&other.compacted.none), "{}", other.compacted.none);
    let values = 1000 * (20 + 16 + 1 + 3 + 200_000);
    assert!((values..values + 200_000).contains(&other.compacted.mob), "{}", other.compacted.mob);
    // A value as long as the threshold stays.
    let mut kept = family("d", &cells);
    kept.files.mob = Some(200_000);
    assert_eq!(of(&[kept], 16, 1000).families[0].compacted, one.compacted);
}

proptest! {
    #[test]
    fn parts_add_up_to_the_cells(
        lengths in prop::collection::vec(1u64..200, 1..20),
        families in prop::collection::vec(("[a-z]{1,9}", prop::collection::vec(("[a-z]{0,9}", 0u32..1000), 1..4)), 1..4),
    ) {
        let families: Vec<Family> = families
            .iter()
            .map(|(name, cells)| {
                let cells: Vec<(&str, u32)> = cells.iter().map(|(qualifier, bytes)| (qualifier.as_str(), *bytes)).collect();
                family(name, &cells)
            })
            .collect();
        let keys = KeyLengths {
            count: lengths.len() as u64,
            bytes: lengths.iter().sum(),
            min: *lengths.iter().min().expect("one"),
            max: lengths.iter().max().copied(),
            ..KeyLengths::default()
        };
        let stored = storage(families.as_slice(), &keys, lengths.len() as u64);
        let mut expected = 0;
        for &row in &lengths {
            for family in &families {
                for cell in &family.cells {
                    let parts = CellParts {
                        row,
                        family: family.name.len() as u64,
                        qualifier: cell.qualifier.bytes().expect("literal").len() as u64,
                        value: cell.value.each().expect("size").into(),
                        tag: None,
                    };
                    expected += size(parts).expect("size").length;
                }
            }
        }
        prop_assert_eq!(stored.total, expected);
        prop_assert_eq!(stored.families.iter().map(|family| family.bytes.total()).sum::<u64>(), expected);
        prop_assert!(stored.least <= stored.total && stored.most >= Some(stored.total));
        for family in &stored.families {
            for range in [family.index, family.files, family.prefix, family.diff, family.fast_diff, family.compressed] {
                prop_assert!(range.least <= range.most, "{:?}", family);
            }
        }
    }

    #[test]
    fn no_figure_is_too_large_to_answer(figures in prop::collection::vec(prop::sample::select(vec![0, 1, 7, u64::MAX / 2, u64::MAX]), 12)) {
        let items = LayoutItems {
            entities: figures[0], items: figures[1], entity_key: figures[2], item_key: figures[3], offset: figures[4],
            per_row: figures[5], page_key: figures[6], value: figures[7], family: figures[8], qualifier: figures[9],
        };
        prop_assert_eq!(layouts(&items).len(), 5);
        let orders = Orders {
            orders: figures[0], locations: figures[1], lines: figures[2], order_key: figures[3], number: figures[4],
            family: figures[5], order_columns: vec![(figures[6], figures[7])], location_columns: vec![], line_columns: vec![(figures[8], figures[9])],
        };
        prop_assert_eq!(order_layouts(&orders).len(), 4);
        let keys = KeyLengths { count: figures[0], bytes: figures[1], min: figures[2], max: Some(figures[3]), ..KeyLengths::default() };
        let family = family("family", &[("a", u32::MAX), ("b", 0)]);
        storage(&[family][..], &keys, figures[10]);
    }
}
