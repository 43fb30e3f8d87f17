//! Generated tables of which it is known what tells their records apart, judged by samples of them: no suggestion loses rows of the
//! whole table beyond the chance that it states, and the order of the lines says nothing.

use super::{mix, study};
use crate::common::csv_records;
use rowscape::analysis::Analysis;
use rowscape::design::parse;
use rowscape::suggest::{SuggestOptions, Suggestions, suggest};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Milliseconds of the first record.
const START: u64 = 1_717_200_000_000;

/// A table: its document without a rate, its head, and its rows.
struct Table {
    document: Value,
    head: &'static str,
    rows: Vec<String>,
}

fn field(name: &str, kind: &str) -> Value {
    match kind {
        "millis" => json!({ "name": name, "type": "time", "format": "epoch-millis" }),
        "seconds" => json!({ "name": name, "type": "time", "format": "epoch-seconds" }),
        _ => json!({ "name": name, "type": kind }),
    }
}

fn document(fields: &[(&str, &str)], queries: Value) -> Value {
    let fields: Vec<Value> = fields.iter().map(|(name, kind)| field(name, kind)).collect();
    json!({ "rowscape": 1, "fields": fields, "arrival": "at", "servers": 4, "queries": queries })
}

/// The kinds of identity.
const KINDS: u64 = 8;

/// A table of a kind, with so many rows written at a rate.
fn table(kind: u64, seed: u64, count: u64, rate: f64) -> Table {
    let random = |row: u64, salt: u64| mix(seed << 48 ^ mix(row * 16 + salt));
    // Few of many entities have most records.
    let entity = |row: u64, of: u64| (random(row, 1) % of).min(random(row, 2) % of);
    let pace = 1000.0 / rate;
    let at = |row: u64| START + (row as f64 * pace + (random(row, 3) % 1000) as f64 / 1000.0 * pace) as u64;
    let of_user = |name: &str| json!([{ "name": "newest", "where": { name: 7 }, "order": { "field": "at", "direction": "descending" }, "limit": 20 }]);
    let users = 50 + seed * 400;
    match kind {
        // An id of 128 random bits.
        0 => Table {
            document: document(
                &[("user", "integer"), ("at", "seconds"), ("size", "integer"), ("id", "text")],
                of_user("user"),
            ),
            head: "user,at,size,id",
            rows: (0..count)
                .map(|row| {
                    let (high, low) = (random(row, 4), random(row, 5));
                    let id = format!(
                        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
                        high >> 32,
                        high >> 16 & 0xffff,
                        high & 0xfff,
                        low >> 52,
                        low & 0xffff_ffff_ffff
                    );
                    format!("{},{},{},{id}", 1000 + entity(row, users), at(row) / 1000, random(row, 6) % 900)
                })
                .collect(),
        },
        // A sequence with gaps.
        1 => {
            let mut number = 88_000_000_000u64;
            Table {
                document: document(
                    &[("account", "integer"), ("lsn", "integer"), ("at", "seconds"), ("cents", "integer")],
                    of_user("account"),
                ),
                head: "account,lsn,at,cents",
                rows: (0..count)
                    .map(|row| {
                        number += 40 + random(row, 4) % 860;
                        format!(
                            "{},{number},{},{}",
                            1000 + entity(row, users),
                            at(row) / 1000,
                            random(row, 5) % 9_000_000
                        )
                    })
                    .collect(),
            }
        }
        // An offset in each partition of each topic.
        2 => {
            let mut offsets = vec![0u64; 64];
            let one =
                json!([{ "name": "one", "where": { "topic": "t1", "partition": 1, "offset": 40_010 } }]);
            Table {
                document: document(
                    &[
                        ("topic", "text"),
                        ("partition", "integer"),
                        ("offset", "integer"),
                        ("at", "millis"),
                        ("key", "text"),
                    ],
                    one,
                ),
                head: "topic,partition,offset,at,key",
                rows: (0..count)
                    .map(|row| {
                        let (topic, partition) = (entity(row, 8), random(row, 4) % 8);
                        let offset = &mut offsets[(topic * 8 + partition) as usize];
                        *offset += 1;
                        format!(
                            "t{topic},{partition},{},{},k{}",
                            40_000 + *offset,
                            at(row),
                            random(row, 5) % 5000
                        )
                    })
                    .collect(),
            }
        }
        // A reading of each meter at each quarter of an hour.
        3 => {
            let meters = 100 + seed * 60;
            Table {
                document: document(
                    &[("meter", "integer"), ("read", "seconds"), ("at", "seconds"), ("kwh", "float")],
                    json!([{ "name": "a day", "where": { "meter": 4007, "read": [START / 1000, START / 1000 + 86_400] } }]),
                ),
                head: "meter,read,at,kwh",
                rows: (0..count)
                    .filter(|row| random(*row, 5) % 50 > 0)
                    .map(|row| {
                        let read = START / 1000 + row / meters * 900;
                        format!(
                            "{},{read},{},{}.{:02}",
                            4000 + row % meters * 7,
                            read + 2 + row % meters / 4,
                            random(row, 4) % 3,
                            random(row, 6) % 100
                        )
                    })
                    .collect(),
            }
        }
        // Lines of orders.
        4 => {
            let (mut order, mut line, mut lines) = (7_000_000u64, 0, 1);
            let one = json!([{ "name": "an order", "where": { "order": 7_000_010 } }, { "name": "a part", "where": { "part": "p7" } }]);
            Table {
                document: document(
                    &[
                        ("order", "integer"),
                        ("line", "integer"),
                        ("part", "text"),
                        ("cents", "integer"),
                        ("at", "seconds"),
                    ],
                    one,
                ),
                head: "order,line,part,cents,at",
                rows: (0..count)
                    .map(|row| {
                        line += 1;
                        if line > lines {
                            (order, line, lines) = (order + 1, 1, 1 + random(row, 4) % 8);
                        }
                        let first = row + 1 - line;
                        format!(
                            "{order},{line},p{},{},{}",
                            random(row, 5) % 300,
                            random(row, 6) % 20_000,
                            at(first) / 1000
                        )
                    })
                    .collect(),
            }
        }
        // Numbers with the time in the high bits, a worker and a count.
        5 => Table {
            document: document(
                &[("id", "integer"), ("user", "integer"), ("at", "millis"), ("amount", "integer")],
                of_user("user"),
            ),
            head: "id,user,at,amount",
            rows: (0..count)
                .map(|row| {
                    let id =
                        ((at(row) - 1_288_834_974_657) << 22) | ((random(row, 4) % 8) << 12) | (row % 4096);
                    format!("{id},{},{},{}", 1000 + entity(row, users), at(row), random(row, 5) % 5000)
                })
                .collect(),
        },
        // A value of each sensor about every half minute.
        6 => {
            let sensors = 60 + seed * 20;
            Table {
                document: document(
                    &[("sensor", "text"), ("at", "millis"), ("value", "integer")],
                    json!([{ "name": "an hour", "where": { "sensor": "s7", "at": [START, START + 3_600_000] } }]),
                ),
                head: "sensor,at,value",
                rows: (0..count)
                    .map(|row| {
                        let (turn, sensor) = (row / sensors, row % sensors);
                        let at = START + turn * 30_000 + sensor * 30_000 / sensors + random(row, 4) % 300;
                        format!("s{sensor},{at},{}", random(row, 5) % 400)
                    })
                    .collect(),
            }
        }
        // Nothing: lines of hosts.
        _ => Table {
            document: document(
                &[("host", "text"), ("level", "text"), ("at", "seconds"), ("bytes", "integer")],
                json!([{ "name": "an hour", "where": { "host": "h7", "at": [START / 1000, START / 1000 + 3600] } }]),
            ),
            head: "host,level,at,bytes",
            rows: (0..count)
                .map(|row| {
                    format!(
                        "h{},{},{},{}",
                        entity(row, users),
                        ["info", "warn"][row as usize % 2],
                        at(row) / 1000,
                        random(row, 4) % 9000
                    )
                })
                .collect(),
        },
    }
}

fn csv(head: &str, rows: &[&String]) -> String {
    std::iter::once(head).chain(rows.iter().map(|row| row.as_str())).map(|line| format!("{line}\n")).collect()
}

fn suggestions(document: &Value, csv: &str) -> Suggestions {
    let (asked, records) = study(document.clone(), csv);
    let options = SuggestOptions { tables: 1, ..SuggestOptions::default() };
    suggest(&asked, &records, &options, &mut |_, _| true).expect("suggestions")
}

/// Rows of the whole table that a suggestion loses.
fn lost(design: &Value, whole: &str) -> usize {
    let study = parse(&design.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let records = Rc::new(csv_records(&study.fields, whole));
    let of_table = |table: usize| {
        let analysis = Analysis::of(&study, table, records.clone()).expect("analysis");
        let keys = analysis.keys(0, records.rows).keys;
        let distinct: BTreeSet<&[u8]> = (0..keys.len()).map(|index| keys.get(index)).collect();
        records.rows - distinct.len()
    };
    (0..study.tables.len()).map(of_table).sum()
}

/// Complaints about the suggestions for a sample of a table.
fn wrong(of: &Table, thin: u64, rate: Option<f64>) -> Vec<String> {
    let mut document = of.document.clone();
    if let Some(rate) = rate {
        document["writesPerSecond"] = json!(rate);
    }
    let sample: Vec<&String> = (0..)
        .zip(&of.rows)
        .filter(|(row, _)| mix(row ^ 0xabc).is_multiple_of(thin))
        .map(|(_, row)| row)
        .collect();
    let mut shuffled: Vec<(u64, &String)> =
        (0..).zip(&sample).map(|(row, text)| (mix(row ^ 0xdef), *text)).collect();
    shuffled.sort_unstable();
    let shuffled: Vec<&String> = shuffled.into_iter().map(|(_, row)| row).collect();
    let found = suggestions(&document, &csv(of.head, &sample));
    let other = suggestions(&document, &csv(of.head, &shuffled));
    let first = |of: &Suggestions| of.suggestions.first().map(|of| of.rowkeys.clone());
    let mut wrong = Vec::new();
    if first(&found) != first(&other) {
        wrong.push(format!("shuffled: {:?} instead of {:?}", first(&other), first(&found)));
    }
    // One in so many rows may be lost, as far as that is said; three times as many by chance.
    let figure = found.notes.iter().find(|note| note.code == "suggest.nearly-alike");
    let of_all = |note: &rowscape::suggest::SuggestNote| {
        note.args["rows"].to_string().replace(['"', ','], "").parse::<f64>().expect("a number")
    };
    let most = figure.map_or(0.0, |note| 3.0 * of.rows.len() as f64 / of_all(note) + 3.0);
    // Equal records of a sample: as many pairs of all as the square of what it leaves out.
    let alike = found.notes.iter().find(|note| note.code == "suggest.alike").map_or(0.0, of_all);
    let most = most + 3.0 * alike * (thin * thin) as f64;
    let whole = csv(of.head, &of.rows.iter().collect::<Vec<_>>());
    for suggestion in found.suggestions.iter().filter(|of| of.shape.is_none()) {
        let lost = lost(&suggestion.design, &whole);
        if lost as f64 > most {
            wrong.push(format!(
                "{:?} loses {lost} of {} rows, {most:.0} at most",
                suggestion.rowkeys,
                of.rows.len()
            ));
        }
    }
    wrong
}

const RATES: [f64; 3] = [2.0, 500.0, 36_000.0];

/// All tables with `ROWSCAPE_IDENTITY=40`; one of each kind and one sample of it in an ordinary run.
#[test]
fn no_suggestion_for_a_sample_loses_rows_of_the_whole_table_beyond_the_chance_it_states() {
    let tables: u64 = std::env::var("ROWSCAPE_IDENTITY").ok().and_then(|of| of.parse().ok()).unwrap_or(0);
    let mut all = Vec::new();
    for number in 0..tables.max(KINDS) {
        let (kind, seed) = (number % KINDS, 1 + number / KINDS);
        let few = [(1 + 9 * (kind % 2), RATES[kind as usize % 3])];
        let every: Vec<(u64, f64)> =
            RATES.iter().flat_map(|&rate| [1, 10, 100].map(|thin| (thin, rate))).collect();
        for &(thin, rate) in if tables == 0 { few.as_slice() } else { &every } {
            let of = table(kind, seed, if tables == 0 { 6000 } else { 40_000 }, rate);
            let of_kind = format!("kind {kind}, seed {seed}, 1/{thin}, {rate}/s");
            all.extend(wrong(&of, thin, Some(rate)).into_iter().map(|wrong| format!("{of_kind}: {wrong}")));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
