//! A table in use: who takes the requests, and what evens them out.

use proptest::prelude::*;
use rowscape::existing::{ExistingRegion, ExistingTable, TableAct, judge};

/// A table of regions with (server, requests, MiB).
fn table(regions: &[(u8, u32, u32)]) -> ExistingTable {
    let key = |index: usize| {
        if index == 0 || index == regions.len() { String::new() } else { format!("k{index:03}") }
    };
    let region = |(index, &(server, requests, megabytes)): (usize, &(u8, u32, u32))| ExistingRegion {
        start: key(index),
        stop: key(index + 1),
        server: Some(format!("rs{server},16020,1")),
        megabytes: Some(f64::from(megabytes)),
        requests: Some(f64::from(requests)),
        encoded: Some(format!("e{index}")),
    };
    let regions = regions.iter().enumerate().map(region).collect();
    ExistingTable { name: "t".to_owned(), regions, ..ExistingTable::default() }
}

/// Requests of the busiest server.
fn most(table: &ExistingTable) -> f64 {
    let of = |name: &String| -> f64 {
        let own = table.regions.iter().filter(|region| region.server.as_ref() == Some(name));
        own.filter_map(|region| region.requests).sum()
    };
    table.regions.iter().filter_map(|region| region.server.as_ref()).map(of).fold(0.0, f64::max)
}

#[test]
fn a_table_of_even_regions_is_left_alone() {
    let found = judge(&table(&[(1, 100, 5), (2, 110, 5), (3, 90, 5), (1, 95, 5), (2, 100, 5), (3, 105, 5)]));
    let found = found.expect("judgement");
    assert_eq!((found.verdict.code, found.hot, found.acts), ("existing.even", false, Vec::new()));
}

#[test]
fn a_table_without_figures_is_not_judged() {
    assert_eq!(judge(&table(&[(1, 0, 0), (2, 0, 0)])), None);
    assert_eq!(judge(&ExistingTable::default()), None);
}

#[test]
fn bytes_are_judged_where_no_request_is_known_but_nothing_is_done_for_them() {
    let found = judge(&table(&[(1, 0, 900), (1, 0, 50), (2, 0, 10), (3, 0, 20)])).expect("judgement");
    assert_eq!((found.verdict.code, found.acts.len()), ("existing.large-server", 0));
}

#[test]
fn neighbors_that_hold_nothing_are_merged_two_by_two() {
    let found = judge(&table(&[(1, 90, 5), (1, 0, 0), (2, 0, 0), (2, 0, 0), (2, 9, 5)])).expect("judgement");
    let merges: Vec<_> = found.acts.iter().filter(|act| matches!(act, TableAct::Merge { .. })).collect();
    assert_eq!(merges, [&TableAct::Merge { region: 1 }]);
}

#[test]
fn regions_that_take_most_requests_from_one_server_are_named_moved_and_split() {
    let found = judge(&table(&[
        (1, 4_800, 900),
        (2, 100, 800),
        (3, 100, 800),
        (4, 100, 800),
        (1, 4_600, 900),
        (2, 100, 800),
        (3, 100, 800),
        (4, 100, 800),
    ]));
    let found = found.expect("judgement");
    assert_eq!((found.verdict.code, &*found.regions), ("existing.hot-server", &[0, 4][..]));
    assert!((found.share - 0.94).abs() < 1e-9);
    assert!(matches!(&found.acts[0], TableAct::Move { region: 0 | 4, to } if !to.starts_with("rs1")));
    assert!(found.acts.contains(&TableAct::Split { region: 0 }));
}

#[test]
fn on_one_server_the_busiest_region_is_named_and_nothing_is_moved() {
    let found = judge(&table(&[(1, 0, 0), (1, 0, 0), (1, 1_000, 500), (1, 20, 400)])).expect("judgement");
    assert_eq!((found.verdict.code, &*found.regions), ("existing.hot-region", &[2][..]));
    assert!(found.acts.contains(&TableAct::Merge { region: 0 }));
    assert!(!found.acts.iter().any(|act| matches!(act, TableAct::Move { .. })));
}

proptest! {
    #[test]
    fn moves_lower_the_busiest_server_and_the_regions_named_are_its_own(
        regions in prop::collection::vec((0u8..5, 0u32..10_000, 0u32..100), 1..40),
    ) {
        let table = table(&regions);
        let Some(found) = judge(&table) else { return Ok(()) };
        let shares: f64 = found.servers.iter().map(|server| server.share).sum();
        prop_assert!((shares - 1.0).abs() < 1e-9);
        if found.verdict.code == "existing.hot-server" {
            let busiest = &found.servers[0];
            let count: usize = found.verdict.args["count"].parse().expect("count");
            let mut own: Vec<f64> = table.regions.iter()
                .filter(|region| region.server.as_ref() == Some(&busiest.server))
                .filter_map(|region| region.requests).collect();
            own.sort_by(|a, b| b.total_cmp(a));
            let all: f64 = own.iter().sum();
            let named: f64 = own[..count].iter().sum();
            prop_assert!(named >= 0.9 * all && named - own[count - 1] < 0.9 * all);
            let told: f64 = found.regions.iter().filter_map(|&region| table.regions[region].requests).sum();
            prop_assert!((told - named).abs() < 1e-6);
        }
        let mut after = table.clone();
        let mut before = most(&table);
        for act in &found.acts {
            if let TableAct::Move { region, to } = act {
                after.regions[*region].server = Some(to.clone());
                prop_assert!(most(&after) <= before);
                before = most(&after);
            }
        }
    }
}
