//! Every count has a limit: FORMAT.md lists what the code has, and each is met at, under and over it.

use rowscape::base::limits::{
    CALLS, CELLS, CONDITIONS, DOCUMENT_BYTES, DOCUMENT_VALUES, FAMILIES, FIELD_COLUMNS, FIELDS, FORMULA,
    FORMULAS, GENERATED_BYTES, GENERATED_ROWS, IN_VALUES, LETS, LIMITS, LOOKUP_ENTRIES, LOOKUPS, Limit, NAME,
    NESTING, PARTS, PROBLEMS, QUERIES, READ_VALUES, REGIONS, STEPS, TABLES,
};
use rowscape::design::parse;
use rowscape::error::{Problem, template};
use rowscape::ingest::Generator;
use rowscape::ingest::generate::GeneratorSpec;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

fn grouped(number: u64) -> String {
    rowscape::error::render("limit.more-problems", &[("count", number.to_string())].into_iter().collect())
        .chars()
        .filter(|char| char.is_ascii_digit() || *char == ',')
        .collect()
}

/// The rows of the table in FORMAT.md.
fn table() -> String {
    let row = |limit: &&Limit| {
        let sentence = |code| template(code).expect(code).into_owned();
        format!("| {} | {} | {} |\n", sentence(limit.of), grouped(limit.most), sentence(limit.beyond.code()))
    };
    LIMITS.iter().map(row).collect()
}

#[test]
fn the_table_of_limits_in_format_md_is_that_of_the_code() {
    const HEAD: &str = "| what | at most | beyond |\n|---|---:|---|\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/FORMAT.md");
    let text = std::fs::read_to_string(&path).expect("FORMAT.md");
    let (before, after) = text.split_once(HEAD).expect("the table of limits");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, format!("{before}{HEAD}{}", table())).expect("write");
        return;
    }
    assert_eq!(after, table(), "FORMAT.md is behind the code: UPDATE=1 cargo test --test core limits");
}

fn base() -> Value {
    json!({ "rowscape": 1, "fields": [{ "name": "id", "type": "text" }], "rowkey": "id" })
}

fn with(name: &str, value: Value) -> Value {
    let mut document = base();
    document[name] = value;
    document
}

fn members(count: usize, value: impl Fn(usize) -> Value) -> Value {
    Value::Object((0..count).map(|index| (format!("m{index:07}"), value(index))).collect())
}

fn list(count: usize, value: impl Fn(usize) -> Value) -> Value {
    (0..count).map(value).collect()
}

fn family(cells: usize) -> Value {
    json!({ "families": [{ "name": "d", "cells": list(cells, |index| json!({ "qualifier": format!("q{index}"), "bytes": 1 })) }] })
}

/// A document that has so many of what a limit counts.
type Made = fn(usize) -> String;

/// Limits of documents with documents that have so many.
fn documents() -> Vec<(&'static Limit, Made)> {
    vec![
        (&DOCUMENT_BYTES, |count| {
            let text = base().to_string();
            let blanks = " ".repeat(count - text.len());
            text + &blanks
        }),
        (&NAME, |count| with("name", "ü".repeat(count).into()).to_string()),
        (&TABLES, |count| {
            let tables = list(count, |index| json!({ "name": format!("t{index}"), "rowkey": "id" }));
            json!({ "rowscape": 1, "fields": base()["fields"], "tables": tables }).to_string()
        }),
        (&FIELDS, |count| {
            let field = |index: usize| json!({ "name": if index == 0 { "id".to_owned() } else { format!("f{index}") }, "type": "text" });
            with("fields", list(count, field)).to_string()
        }),
        (&FIELD_COLUMNS, |count| {
            let from = list(count, |index| format!("c{index}").into());
            with("fields", json!([{ "name": "id", "type": "text", "from": from }])).to_string()
        }),
        (&READ_VALUES, |count| {
            let read = list(count, |index| format!("r{index}").into());
            with("operation", json!({ "field": "id", "read": read })).to_string()
        }),
        (&LOOKUPS, |count| with("lookup", members(count, |index| json!({ "a": index }))).to_string()),
        (&LOOKUP_ENTRIES, |count| {
            with("lookup", json!({ "A": members(count, |index| index.into()) })).to_string()
        }),
        (&LETS, |count| with("let", members(count, |_| "id".into())).to_string()),
        (&FORMULA, |count| with("rowkey", format!("id + '{}'", "a".repeat(count - 7)).into()).to_string()),
        (&FORMULAS, |count| {
            let formula = |index: usize| {
                let length = if index == 0 { count - count / 5001 * 5001 } else { 5001 };
                format!("id + '{}'", "a".repeat(length - 7))
            };
            let tables = list(
                count / 5001 + 1,
                |index| json!({ "name": format!("t{index}"), "rowkey": formula(index) }),
            );
            json!({ "rowscape": 1, "fields": base()["fields"], "tables": tables }).to_string()
        }),
        (&PARTS, |count| with("rowkey", vec!["id"; count].join("+").into()).to_string()),
        (&STEPS, |count| with("rowkey", format!("id{}", ".reverse()".repeat(count)).into()).to_string()),
        (&CALLS, |count| {
            with("rowkey", format!("{}id{}", "join('',".repeat(count), ")".repeat(count)).into()).to_string()
        }),
        (&REGIONS, |count| {
            with("splits", json!({ "algorithm": "HexStringSplit", "regions": count })).to_string()
        }),
        (&FAMILIES, |count| {
            with("table", json!({ "families": list(count, |index| json!({ "name": format!("f{index}") })) }))
                .to_string()
        }),
        (&CELLS, |count| with("table", family(count)).to_string()),
        (&QUERIES, |count| {
            with("queries", list(count, |index| json!({ "name": format!("q{index}") }))).to_string()
        }),
        (&CONDITIONS, |count| {
            let field = |index: usize| json!({ "name": if index == 0 { "id".to_owned() } else { format!("m{:07}", index - 1) }, "type": "text" });
            let mut document = with("fields", list(CONDITIONS.most as usize + 2, field));
            document["queries"] = json!([{ "name": "q", "where": members(count, |_| "a".into()) }]);
            document.to_string()
        }),
        (&IN_VALUES, |count| {
            let values = list(count, |index| index.to_string().into());
            with("queries", json!([{ "name": "q", "where": { "id": { "in": values } } }])).to_string()
        }),
    ]
}

fn first_problem(text: &str) -> Option<Problem> {
    parse(text).err().map(|problems| problems.into_iter().next().expect("a problem"))
}

#[test]
fn documents_at_and_under_a_limit_are_read_and_one_over_it_is_refused() {
    for (limit, made) in documents() {
        let most = limit.most as usize;
        for count in [most - 1, most] {
            assert_eq!(first_problem(&made(count)), None, "{} {count}", limit.of);
        }
        let problem = first_problem(&made(most + 1)).expect(limit.of);
        let own = matches!(problem.code, "formula.too-long" | "formula.too-deep" | "split.too-many-regions");
        assert!(own || problem.args.get("of").is_some_and(|of| of == limit.of), "{} {problem:?}", limit.of);
        assert!(
            problem.sentence().contains(&limit.most.to_string())
                || problem.sentence().contains(&grouped(limit.most))
        );
    }
}

#[test]
fn json_is_bounded_in_depth_and_in_the_number_of_its_values() {
    let deep = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1));
    let most = NESTING.most as usize;
    // Read, and then no document of ours.
    assert_eq!(first_problem(&deep(most)).expect("no version").code, "design.no-version");
    for levels in [most + 2, 127, 128, 200_000] {
        let problem = first_problem(&deep(levels)).expect("too deep");
        assert_eq!((problem.code, problem.args["of"].as_str()), ("limit.exceeded", NESTING.of), "{levels}");
    }
    // The document and its member are two.
    let wide = |values: usize| format!("{{\"a\":[0{}]}}", ",0".repeat(values - 3));
    let most = DOCUMENT_VALUES.most as usize;
    assert_eq!(first_problem(&wide(most)).expect("no version").code, "design.no-version");
    assert_eq!(first_problem(&wide(most + 1)).expect("too many").args["of"], DOCUMENT_VALUES.of);
}

#[test]
fn fifty_problems_are_told_and_the_rest_counted() {
    let most = PROBLEMS.most as usize;
    for (count, told) in [(most - 1, most - 1), (most, most), (most + 1, most + 1), (5000, most + 1)] {
        let mut document = base();
        for index in 0..count {
            document[format!("x{index}")] = 1.into();
        }
        let problems = parse(&document.to_string()).err().expect("problems");
        assert_eq!(problems.len(), told, "{count}");
        let last = problems.last().expect("last");
        assert_eq!(last.code == "limit.more-problems", count > most);
        if count > most {
            assert_eq!(last.args["count"], (count - most).to_string());
        }
    }
}

#[test]
fn generated_records_are_bounded_by_their_number_and_their_bytes() {
    let field = |pattern: String| json!({ "fields": [{ "name": "a", "from": { "text": pattern } }] });
    let refused = |spec: Value| {
        let spec: GeneratorSpec = serde_json::from_value(spec).expect("spec");
        Generator::new(&spec, &[]).err().map(|problem| (problem.code, problem.args))
    };
    let rows = |rows: u64, pattern: String| {
        let mut spec = field(pattern);
        spec["rows"] = rows.into();
        refused(spec)
    };
    assert_eq!(rows(GENERATED_ROWS.most, "#".into()), None);
    let (code, args) = rows(GENERATED_ROWS.most + 1, "#".into()).expect("too many");
    assert_eq!((code, args["most"].as_str()), ("generate.too-many-rows", "10000000"));
    // 4 bytes of its position, 8 of its column and those of the text.
    let per_row = |width: u64| 12 + width;
    let most = GENERATED_BYTES.most / per_row(500);
    assert_eq!(rows(most, "#".repeat(500)), None);
    let (code, args) = rows(most + 1, "#".repeat(500)).expect("too many bytes");
    assert_eq!((code, args["of"].as_str()), ("limit.exceeded", GENERATED_BYTES.of));
    assert!(rows(1, "#".repeat(65_536)).is_none() && rows(1, "#".repeat(65_537)).is_some());
    // Weights are held for each entity of each field.
    let entities = |counts: &[u64]| {
        let fields = counts.iter().enumerate().map(|(index, count)| {
            json!({ "name": format!("f{index}"), "from": { "entity": { "count": count, "digits": 9, "zipf": 90 } } })
        });
        refused(json!({ "rows": 1, "fields": fields.collect::<Value>() }))
    };
    assert_eq!(entities(&[1000, 2000]), None);
    assert_eq!(entities(&[5_000_000, 5_000_001]).expect("too many").1["of"], "limit.entities");
}

#[test]
fn a_chain_of_named_formulas_is_read_in_any_order() {
    let count = LETS.most as usize;
    let chain: BTreeMap<String, String> = (0..count)
        .map(|index| {
            (
                format!("l{index:04}"),
                if index + 1 < count { format!("l{:04}", index + 1) } else { "id".into() },
            )
        })
        .collect();
    let mut document = with("let", json!(chain));
    document["rowkey"] = "l0000".into();
    assert_eq!(first_problem(&document.to_string()), None);
    let backwards: BTreeMap<String, String> = (0..count)
        .map(|index| {
            (format!("l{index:04}"), if index > 0 { format!("l{:04}", index - 1) } else { "id".into() })
        })
        .collect();
    document["let"] = json!(backwards);
    assert_eq!(first_problem(&document.to_string()), None);
}

#[test]
fn what_all_formulas_take_by_name_is_bounded() {
    let with = |cells: usize| {
        let all = |name: &str| format!("join('', {})", vec![name; 31].join(", "));
        let cell = |at: usize| json!({ "qualifier": format!("q{at}"), "value": { "formula": "c" } });
        let cells: Vec<Value> = (0..cells).map(cell).collect();
        json!({
            "rowscape": 1,
            "fields": [{ "name": "a", "type": "text" }],
            "let": { "b": all("a"), "c": all("b") },
            "rowkey": "a",
            "table": { "name": "t", "families": [{ "name": "d", "cells": cells }] },
        })
    };
    assert!(parse(&with(90).to_string()).is_ok());
    let problems = parse(&with(200).to_string()).err().unwrap_or_default();
    assert_eq!(problems.first().map(|problem| problem.code), Some("limit.exceeded"), "{problems:?}");
    // A text that each step behind it holds counts by its length.
    let long = json!({
        "rowscape": 1,
        "fields": [{ "name": "a", "type": "text" }],
        "let": { "b": format!("join('', a, '{}')", "x".repeat(9000)) },
        "rowkey": format!("join('', {}).md5()", vec!["b"; 50].join(", ")),
    });
    let problems = parse(&long.to_string()).err().unwrap_or_default();
    assert_eq!(problems.first().map(|problem| problem.code), Some("formula.names-too-much"), "{problems:?}");
}
