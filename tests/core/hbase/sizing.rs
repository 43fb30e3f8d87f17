//! Numbers of regions by rule, the regions written at once, and what servers take.

use crate::common;
use proptest::prelude::*;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::base::units::GB;
use rowscape::design::{Cluster, Growth, GrowthAmount, parse};
use rowscape::report::Report;
use rowscape::report::servers::active;
use rowscape::report::servers::servers;
use rowscape::sizing::by_table_size;
use rowscape::sizing::{RuleAnswer, SizingNeed, active_bound, bytes_at_most, shared_families, sizing};
use rowscape::storage::table::{KeyLengths, TableBytes, storage};
use serde_json::{Value, json};
use std::rc::Rc;

const TB: u64 = 1024 * GB;

fn exactly(regions: u64) -> RuleAnswer {
    RuleAnswer::Regions { least: regions, most: Some(regions) }
}

#[test]
fn g6_a_small_table_has_5_to_10_regions_and_a_large_one_its_size_by_10_gb() {
    let by_size = |bytes| by_table_size(bytes, 10 * GB);
    assert_eq!(by_size(20 * GB), RuleAnswer::Regions { least: 5, most: Some(10) });
    assert_eq!(by_size(1000 * GB), exactly(100));
    assert_eq!(by_size(500 * GB), exactly(50));
}

#[test]
fn g6b_between_50_and_500_gb_the_rule_is_silent_and_above_1_2_tb_its_cap_fails() {
    let by_size = |bytes| by_table_size(bytes, 10 * GB);
    for bytes in [50 * GB, 100 * GB, 500 * GB - 1, 10 * TB + 1] {
        assert_eq!(by_size(bytes), RuleAnswer::NotCovered);
    }
    assert_eq!(by_size(1200 * GB), exactly(120));
    assert!(matches!(by_size(1201 * GB), RuleAnswer::Contradiction { regions: 120, .. }));
    let RuleAnswer::Contradiction { bytes_each, splits_at, .. } = by_size(10 * TB) else {
        panic!("no contradiction")
    };
    assert_eq!((bytes_each / GB, splits_at), (85, 10 * GB));
    // With regions of 100 GiB the cap holds.
    assert_eq!(by_table_size(10 * TB, 100 * GB), exactly(120));
}

#[test]
fn c6_regions_for_a_year_ahead_do_not_split_by_themselves() {
    let growth =
        Growth { amount: GrowthAmount::Bytes, now: 100 * GB, per_day: 2 * GB, months: 12, arrivals: None };
    assert_eq!((growth.days(), growth.after(growth.days())), (365, 830 * GB));
    assert_eq!(Growth { months: 6, ..growth }.days(), 182);
    let need = SizingNeed { bytes: 830 * GB, servers: 6, cluster: Cluster::default() };
    // 830 GiB in regions that may split from 8.75 GiB on.
    let found = sizing(&need);
    assert_eq!(found.suggested, 95);
    assert!(found.bearable);
    // A row that lives 90 days leaves 180 GiB, but the 100 GiB of now are there first.
    assert_eq!(growth.at_most(Some(90 * 86_400)), 180 * GB);
}

#[test]
fn c6_growth_in_rows_is_weighed_by_the_design() {
    let document = json!({
        "rowscape": 1, "fields": [{ "name": "id", "type": "integer" }], "rowkey": "id.int64()",
        "table": { "families": [{ "name": "d", "cells": [{ "qualifier": "q", "bytes": 70 }] }] },
    });
    let study = parse(&document.to_string()).expect("study");
    let growth = Growth { amount: GrowthAmount::Rows, now: 0, per_day: 1000, months: 12, arrivals: None };
    let keys = KeyLengths::from(study.tables[0].typed.shape.width);
    assert_eq!(bytes_at_most(&growth, &study.tables[0], &keys), 365_000 * (20 + 8 + 1 + 1 + 70));
}

#[test]
fn d3_a_server_bears_fewer_written_regions_than_write_memory_by_flush_size() {
    let cluster = Cluster::default();
    // 16 GiB × 0.4 ÷ 128 MiB = 51.2
    assert_eq!(active_bound(1, &cluster), 51);
    assert_eq!(active_bound(6, &cluster), 306);
    // 10 GiB × 0.4 ÷ 128 MiB = 32 exactly: fewer than that.
    assert_eq!(active_bound(1, &Cluster { heap_gb: 10, ..cluster }), 31);
}

#[test]
fn a8_a_family_of_few_rows_lies_in_the_regions_of_the_many() {
    let family = |name: &str, rows: Value| json!({ "name": name, "rows": rows, "cells": [{ "qualifier": "q", "bytes": 74 }] });
    let families = json!([family("a", json!(1_000_000)), family("b", json!(null))]);
    let table = families_of(families, 1_000_000_000);
    // Cells of 100 bytes: 20, a key of four, a name of one, a qualifier of one, 74.
    assert_eq!([table.families[0].rows, table.families[1].rows], [1_000_000, 1_000_000_000]);
    assert_eq!((table.families[0].bytes.total(), table.total), (100_000_000, 100_100_000_000));
    let shared = shared_families(&table, 1, &Cluster::default());
    assert_eq!([shared[0].alone, shared[1].alone, shared[0].together, shared[0].files], [1, 10, 10, 30]);
    assert_eq!((shared[0].region_bytes, shared[0].flush_bytes), (10_000_000, 64 << 20));
    // A flush of 128 MiB of both has as much of each as the table.
    assert_eq!(shared[0].with_others, (128 << 20) / 1001);
    // A table made with more regions has more.
    assert_eq!(shared_families(&table, 64, &Cluster::default())[0].together, 64);
}

#[test]
fn families_have_a_share_of_the_rows_or_a_number_of_them() {
    let cells = json!([{ "qualifier": "q", "bytes": 74 }]);
    let families = json!([{ "name": "s", "share": 0.001, "cells": cells }, { "name": "l", "cells": cells }]);
    for (rows, few) in [(1_000, 1), (1, 1), (20_000, 20), (1_000_000_000, 1_000_000)] {
        let table = families_of(families.clone(), rows);
        assert_eq!([table.families[0].rows, table.families[0].byte_less], [few, few], "of {rows}");
        assert_eq!([table.rows, table.cells], [rows, rows + few]);
    }
    let document = |members: &str| {
        let family = format!(r#"{{ "name": "f", {members} }}"#);
        format!(
            r#"{{ "rowscape": 1, "fields": [{{ "name": "id", "type": "integer" }}], "rowkey": "id", "table": {{ "families": [{family}] }} }}"#
        )
    };
    for (members, code) in [
        (r#""share": 0"#, "json.wrong-type"),
        (r#""share": 1.5"#, "json.wrong-type"),
        (r#""rows": 0"#, "json.wrong-type"),
        (r#""share": 0.5, "rows": 3"#, "design.share-and-rows"),
    ] {
        let problems = parse(&document(members)).err().expect(members);
        assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), [code], "{members}");
    }
    let study = parse(&document(r#""share": 0.001"#)).unwrap_or_else(|problems| panic!("{problems:?}"));
    let families = &study.tables[0].families;
    assert_eq!(serde_json::to_value(&families[0]).expect("JSON")["share"], json!(0.001));
}

/// The bytes of a table with these families and keys of four bytes.
fn families_of(mut families: Value, rows: u64) -> TableBytes {
    for family in families.as_array_mut().expect("families") {
        family.as_object_mut().expect("a family").retain(|_, value| !value.is_null());
    }
    let document = json!({
        "rowscape": 1, "fields": [{ "name": "id", "type": "integer" }], "rowkey": "id.uint32()",
        "table": { "families": families },
    });
    let study = parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let design = &study.tables[0];
    storage(design, &design.typed.shape.width.into(), rows)
}

/// 6,000 rows, one every 10 seconds, 16 regions.
fn report(rowkey: &str) -> Report {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "at", "type": "time", "format": "epoch-seconds" },
            { "name": "id", "type": "text" },
        ],
        "arrival": "at", "rowkey": rowkey, "splits": { "sample": 16 },
    });
    let study = parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut text = String::from("at,id\n");
    for row in 0..6000 {
        text += &format!("{},{row}\n", 1_700_000_000 + row * 10);
    }
    let records = Rc::new(common::csv_records(&study.fields, text));
    Analysis::of(&study, 0, records).expect("analysis").report(&ReportOptions::default()).expect("report")
}

#[test]
fn rising_keys_get_the_throughput_of_one_server_and_hashed_ones_of_nearly_all() {
    let rising = servers(&report("at.format('yyyyMMddHHmmss') + id"), 4).expect("servers");
    assert!(rising.throughput < 2.1, "{}", rising.throughput);
    let hashed = servers(&report("id.md5().hex(8) + id"), 4).expect("servers");
    assert!(hashed.throughput > 3.0 && hashed.throughput <= 4.0, "{}", hashed.throughput);
    for found in [rising, hashed] {
        assert_eq!(found.rows.iter().sum::<u64>(), 6000);
        assert!(found.busiest.iter().all(|&share| share == 0.0 || (0.25..=1.0).contains(&share)));
    }
}

#[test]
fn servers_without_a_region_take_nothing() {
    let found = servers(&report("id.md5().hex(8) + id"), 40).expect("servers");
    assert_eq!((found.rows.len(), found.rows.iter().filter(|&&rows| rows > 0).count()), (40, 16));
    assert!(found.throughput <= 16.0);
}

#[test]
fn d3_rising_keys_write_too_few_regions_at_once() {
    let cluster = Cluster::default();
    let rising = active(&report("at.format('yyyyMMddHHmmss') + id"), 4, &cluster).expect("active");
    assert_eq!((rising.too_few, rising.too_many, rising.at_least), (1.0, 0.0, 4));
    let hashed = active(&report("id.md5().hex(8) + id"), 4, &cluster).expect("active");
    assert_eq!((hashed.too_few, hashed.too_many, hashed.most), (0.0, 0.0, 16));
    // A server of 1 GiB with 5% of it for writes bears no region more: 51 MiB ÷ 10 MiB.
    let small = Cluster { heap_gb: 1, memstore_fraction: 0.05, flush_mb: 10, ..cluster };
    let crowded = active(&report("id.md5().hex(8) + id"), 2, &small).expect("active");
    assert_eq!((crowded.up_to, crowded.too_many), (10, 1.0));
}

proptest! {
    #[test]
    fn any_need_is_answered(bytes: u64, servers: u32, heap in 1u32..=4096, flush in 1u32..=1 << 20, region in 1u32..=1 << 20) {
        let cluster = Cluster { heap_gb: heap, flush_mb: flush, max_region_gb: region, ..Cluster::default() };
        let found = sizing(&SizingNeed { bytes, servers, cluster });
        prop_assert!(found.suggested >= u64::from(servers.max(1)));
        for rule in &found.rules {
            if let RuleAnswer::Regions { least, most } = rule.answer {
                prop_assert!(least >= 1 && most.is_none_or(|most| most >= least), "{:?}", rule);
            }
        }
        // So many regions do not reach 7/8 of the size at which they split.
        prop_assert!(bytes / found.suggested <= cluster.max_region() / 8 * 7);
    }
}
