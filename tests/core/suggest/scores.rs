//! The scores of a suggestion are those that `analyze` and `plan` give of its design.

use super::{lines, logs, mix, study, suggested};
use rowscape::analysis::{Analysis, PlanPricing};
use rowscape::design::parse;
use rowscape::suggest::{SuggestOptions, suggest};
use serde_json::json;

fn queries() -> serde_json::Value {
    let range = ["2024-01-01 00:10:00", "2024-01-01 00:20:00"];
    json!([
        { "name": "host and time", "where": { "host": "h1", "at": range }, "rate": 3 },
        { "name": "time", "where": { "at": range } },
        { "name": "line", "where": { "line": 77 }, "limit": 1 },
    ])
}

#[test]
fn plans_and_bytes_are_those_of_the_design() {
    let families = json!({ "name": "logs", "families": [{ "name": "d", "cells": [{ "qualifier": "v", "bytes": 12 }] }] });
    let document = logs(queries(), json!({ "table": families }));
    let (asked, records) = study(document, &lines(5000, |row| format!("h{}", mix(row) % 60)));
    let found = suggested(&asked, &records, &SuggestOptions::default());
    assert!(found.suggestions.iter().any(|of| of.rowkeys.len() > 1));
    assert!(found.suggestions.iter().any(|of| of.shape.is_some()));
    for of in &found.suggestions {
        let study = parse(&of.design.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let mut bytes = 0.0;
        for (index, table) in study.tables.iter().enumerate() {
            let analysis = Analysis::of(&study, index, records.clone()).expect("analysis");
            for query in study.queries.iter().filter(|query| query.is_of(table)) {
                let told = of.queries.iter().find(|told| told.name == query.name).expect("query");
                let pricing = PlanPricing { families: table.into(), ..PlanPricing::default() };
                let planned = analysis.priced(std::slice::from_ref(query), &pricing).pop();
                let planned = planned.flatten().expect("planned");
                let rows = planned.limited.unwrap_or(planned.counted);
                assert_eq!(told.table, table.name);
                assert_eq!(told.scans, planned.plan.ranges.len());
                assert_eq!((told.rows_read, told.rows_returned), (rows.read, rows.returned));
                assert_eq!((told.exact, told.filter), (planned.plan.exact, !planned.plan.exact));
            }
            let keys = analysis.keys(0, records.rows).keys;
            // A key, a family and a qualifier of a letter each, 20 bytes of a cell, and the value.
            bytes += keys.bytes.len() as f64 / records.rows as f64 + 1.0 + 1.0 + 20.0 + 12.0;
            assert_eq!(keys.len(), records.rows, "no record loses its key");
        }
        // Those of records that share rows have tests of their own.
        let alike = (of.scores.bytes_per_row - bytes).abs() < 1e-9;
        assert!(alike || of.shape.is_some(), "{} {bytes}", of.scores.bytes_per_row);
    }
}

#[test]
fn the_hottest_region_is_what_the_last_fifth_of_the_time_writes() {
    let (asked, records) =
        study(logs(queries(), json!({})), &lines(5000, |row| format!("h{}", mix(row) % 60)));
    let found = suggested(&asked, &records, &SuggestOptions { tables: 1, ..SuggestOptions::default() });
    for of in &found.suggestions {
        let study = parse(&of.design.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let analysis = Analysis::of(&study, 0, records.clone()).expect("analysis");
        let keys = analysis.keys(0, records.rows);
        // A row a second, so the last fifth are the rows from 4,000 on; in stretches of 50 seconds as in the whole.
        let regions = analysis.points().regions();
        let place = |index: usize| analysis.points().region_of(keys.keys.get(index));
        let mut cells = vec![vec![0u32; regions]; 20];
        for (index, &row) in keys.rows.iter().enumerate().filter(|(_, row)| **row >= 4000) {
            cells[(row as usize - 4000) / 50][place(index)] += 1;
        }
        let finest: u32 = cells.iter().map(|cell| cell.iter().max().copied().unwrap_or(0)).sum();
        let share = f64::from(finest) / 1000.0;
        // Chance is taken off what was counted: an even share at least is left, and of one region all.
        let even = 1.0 / regions as f64;
        assert!(of.scores.hottest_region <= share.max(even) + 0.1, "{} {share}", of.scores.hottest_region);
        if share > 0.99 {
            assert!(of.scores.hottest_region > 0.98);
        }
    }
}

#[test]
fn reads_lie_in_their_interval_for_nearly_every_drawing_of_values() {
    let hosts = |row: u64| format!("h{}", mix(row) % (1 + mix(row ^ 5) % 60));
    let (asked, records) = study(logs(queries(), json!({})), &lines(1500, hosts));
    let options = |seed| SuggestOptions { seed, tables: 1, ..SuggestOptions::default() };
    let keys = ["host.terminated() + at.seconds().uint32() + line.uint16()".to_owned()];
    let score = |seed| {
        let mut all = rowscape::suggest::score_keys(&asked, &records, &options(seed), &keys).expect("scores");
        all.pop().flatten().expect("a formula").scores
    };
    let all: Vec<_> = (0..200).map(score).collect();
    let truth = all.iter().map(|of| of.reads).sum::<f64>() / all.len() as f64;
    let holds = |of: &&rowscape::suggest::DesignScores| {
        of.intervals.get("reads").is_none_or(|[low, high]| (*low..=*high).contains(&truth))
    };
    let held = all.iter().filter(holds).count();
    assert!(held >= 190, "{held} of 200");
}

#[test]
fn options_that_are_wrong_are_refused_and_kept_fields_stay() {
    assert_eq!(SuggestOptions::parse("{\"tables\":9}").expect_err("tables").code, "suggest.wrong-options");
    assert_eq!(SuggestOptions::parse("{\"table\":1}").expect_err("unknown").code, "suggest.wrong-options");
    let (asked, records) =
        study(logs(queries(), json!({})), &lines(1500, |row| format!("h{}", mix(row) % 60)));
    let options = SuggestOptions { keep: vec!["host".to_owned()], ..SuggestOptions::default() };
    let found = suggested(&asked, &records, &options);
    assert!(found.suggestions.iter().all(|of| of.rowkeys.iter().all(|key| key.contains("host"))));
    let options =
        SuggestOptions { keep: vec!["bucket(line, 3).uint8()".to_owned()], ..SuggestOptions::default() };
    let found = suggest(&asked, &records, &options, &mut |_, _| true).expect("suggestions");
    assert!(!found.suggestions.is_empty());
    assert!(found.suggestions.iter().all(|of| of.rowkeys[0].starts_with("bucket(line, 3).uint8() + ")));
}

#[test]
fn a_suggestion_without_a_mark_keeps_its_place_with_half_and_twice_each_constant() {
    let (asked, records) =
        study(logs(queries(), json!({})), &lines(1500, |row| format!("h{}", mix(row) % 60)));
    let search = |cost: serde_json::Value| {
        let options = SuggestOptions::parse(&json!({ "tables": 1, "cost": cost }).to_string());
        suggest(&asked, &records, &options.expect("options"), &mut |_, _| true).expect("suggestions")
    };
    let found = search(json!({}));
    let near = |a: &rowscape::suggest::DesignScores, b: &rowscape::suggest::DesignScores| {
        let pairs =
            [(a.hottest_server, b.hottest_server), (a.reads, b.reads), (a.bytes_per_row, b.bytes_per_row)];
        pairs.into_iter().all(|(a, b)| (a - b).abs() <= 0.02 * a.max(b))
    };
    let constants = json!(found.cost);
    let mut marks = 0;
    for (name, value) in constants.as_object().expect("constants") {
        let value = value.as_f64().expect("a number");
        for by in [0.5, 2.0] {
            let changed = match name.as_str() {
                "hit" => 1.0 - (1.0 - value) * by,
                "filter" | "reversed" => (value * by).max(1.0),
                _ => value * by,
            };
            let now = search(json!({ name: changed }));
            for of in &found.suggestions {
                if of.sensitive.contains(&name.as_str()) {
                    marks += 1;
                    continue;
                }
                // One that leaves the front does so for another that is no worse, and better by no more than a tie.
                let place = now.front.iter().find(|other| other.rowkeys == of.rowkeys);
                let instead = |other: &rowscape::suggest::FrontDesign| {
                    let cool = other.scores.hottest_server <= of.scores.hottest_server.max(1.15 / 4.0) + 1e-9;
                    cool && other.scores.bytes_per_row <= of.scores.bytes_per_row + 1e-9
                };
                let Some(place) = place else {
                    assert!(
                        now.front.iter().any(instead),
                        "{:?} leaves the front with {name} × {by}",
                        of.rowkeys
                    );
                    continue;
                };
                for label in ["balanced", "cheapest-reads"].iter().filter(|label| of.labels.contains(label)) {
                    let holder = now.suggestions.iter().find(|other| other.labels.contains(label));
                    let holder = holder.expect("each label has a holder");
                    let own = &place.scores;
                    assert!(
                        holder.rowkeys == of.rowkeys || near(&holder.scores, own),
                        "{label} with {name} × {by}: {:?} instead of {:?}",
                        holder.rowkeys,
                        of.rowkeys
                    );
                }
            }
        }
    }
    assert!(marks > 0, "some place depends on a constant");
}
