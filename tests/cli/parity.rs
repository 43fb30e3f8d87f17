//! A design on the same records has the same figures however it is analyzed: in memory, counted as the records pass, from the merged
//! summaries of three parts. The hosts of npm are compared in tests/npm/node/parity.test.mjs, Python in
//! bindings/python/tests/test_parity.py.

use super::faults::{FaultyHost, ran};
use super::running::Folder;
use rowscape::design::{normal_form, parse};
use rowscape::ingest::Generator;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::records::Records;
use rowscape::summary_file::with_fixed_splits;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// Memory for all records, and so little that the first records are counted: the program itself takes half of it.
const PLENTY: u64 = 2 << 30;
const LITTLE: u64 = 48 << 20;
/// The files that the records are in.
const PARTS: [&str; 3] = ["a.csv", "b.csv", "c.csv"];
/// Stands for a member that is not there.
const MISSING: &str = "(no such member)";

/// Members of an answer about the files, and the places of rejected records: counts know a record by its offset. The sentences of
/// findings follow from their arguments.
const OTHER: &[&str] = &[
    "files",
    "summary",
    "report.refused.first",
    "findings[].args.row",
    "findings[].detail",
    "findings[].message",
];
/// Members that counts can lack: they have no numbers of rows, and of times only the first and the last of all records.
const LACKING: &[&str] = &[
    "report.keys.duplicates.quarters",
    "report.keys.duplicates.examples[].rows",
    "report.time.first",
    "report.time.last",
];
/// Members that follow from a sample, where that is not all records.
const SAMPLED: &[&str] = &["estimated", "findingsOfSample", "findings", "report.keys.duplicates"];

/// A design of the gallery with other members, so many of its records, and more lines of them.
struct Case {
    slug: &'static str,
    members: Value,
    rows: u64,
    lines: &'static str,
}

fn cases() -> Vec<Case> {
    let few = |slug: &'static str| Case { slug, members: json!({}), rows: 700, lines: "" };
    let mut all: Vec<Case> = [
        "a10-versions-kept",
        "b4-binary-telemetry",
        "c6-room-for-a-year",
        "e5-salt-byte",
        "g6-small-table",
        "i6-five-minute-rows",
        "j3-order-in-one-table",
    ]
    .map(few)
    .into();
    all.extend([
        // More records than are sampled, some of them reads, and some without a time or a key.
        Case {
            members: json!({ "operation": { "field": "event", "read": ["login", "order"] } }),
            rows: 5_000,
            lines: "host001,soon,login,4\nhost002,1638290481900,order,many\n",
            ..few("i3-host-event-time")
        },
        Case {
            members: json!({ "writes": "counter", "writesPerSecond": 500_000, "servers": 3 }),
            ..few("i5-log-types")
        },
        Case {
            lines: "4,customer,,yesterday\n5,order,o-1,never\n?,order,o-2,1709251200000\n",
            ..few("j2-customers-and-orders-in-one-table")
        },
        // The last record is a year later, and has no key.
        Case {
            lines: "u001,1,0,yesterday\nu002,?,1,\nu003,2,?,1740787200000\n",
            ..few("k2-pages-of-values")
        },
    ]);
    all
}

impl Case {
    fn document(&self) -> Value {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/gallery/{}.json", self.slug));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", self.slug));
        let mut document: Value = serde_json::from_str(&text).expect(self.slug);
        for (name, value) in self.members.as_object().expect("members") {
            document[name] = value.clone();
        }
        document
    }

    /// Writes the design, and its records in three files; returns the number of tables.
    fn written(&self, folder: &Folder) -> usize {
        let document = self.document();
        let study =
            parse(&document.to_string()).unwrap_or_else(|problems| panic!("{}: {problems:?}", self.slug));
        let mut spec: GeneratorSpec = serde_json::from_value(document["generate"].clone()).expect("generate");
        spec.rows = spec.rows.min(self.rows);
        let records = Generator::all(&spec, &study.fields).expect(self.slug);
        let cut = |part: usize| records.rows * part / PARTS.len();
        for (part, file) in PARTS.iter().enumerate() {
            let more = if part == PARTS.len() - 1 { self.lines } else { "" };
            folder.write(file, csv(&records, cut(part)..cut(part + 1)) + more);
        }
        // Parts are counted under the same splits.
        let fixed = with_fixed_splits(study, &records).expect(self.slug);
        folder.write("design.json", normal_form(&fixed).to_string());
        fixed.tables.len()
    }
}

/// Rows as CSV.
fn csv(records: &Records, rows: Range<usize>) -> String {
    let quoted = |value: &String| format!("\"{}\"", value.replace('"', "\"\""));
    let line = |values: Vec<String>| values.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
    let names = records.columns.iter().map(|column| column.field.name.clone()).collect();
    std::iter::once(line(names)).chain(rows.map(|row| line(records.row_text(row)))).collect()
}

/// The standard output of a command, with so much memory.
fn output(folder: &Folder, memory: u64, args: &[&str]) -> Vec<u8> {
    let mut host = FaultyHost::new(u64::MAX);
    host.memory = memory;
    let exit = ran(folder, args, &mut host);
    assert!(exit <= 1, "{args:?}: {}", String::from_utf8_lossy(&host.said));
    host.out
}

/// The answer about a table.
fn analyzed(folder: &Folder, memory: u64, table: usize, files: &[&str]) -> Value {
    let table = table.to_string();
    let files: Vec<String> = files.iter().map(|name| format!("./{name}")).collect();
    let mut args = vec!["analyze", "--json", "--table", &table];
    args.extend(files.iter().map(String::as_str));
    serde_json::from_slice(&output(folder, memory, &args)).expect("JSON")
}

/// Merges the summaries of the parts.
fn merged(folder: &Folder) {
    let [a, b, c] = PARTS.map(|name| {
        let part = format!("./{name}.rowscape");
        output(folder, PLENTY, &["summarize", "./design.json", &format!("./{name}"), "-o", &part]);
        part
    });
    output(folder, PLENTY, &["merge", &c, &a, &b, "-o", "./whole.rowscape"]);
}

/// The paths at which two answers differ, with both.
fn differences(path: &str, one: &Value, other: &Value) -> Vec<(String, String)> {
    let member =
        |of: &Map<String, Value>, name: &str| of.get(name).cloned().unwrap_or_else(|| MISSING.into());
    match (one, other) {
        (Value::Object(own), Value::Object(others)) => {
            let names: BTreeSet<&String> = own.keys().chain(others.keys()).collect();
            let under = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            names
                .iter()
                .flat_map(|name| differences(&under(name), &member(own, name), &member(others, name)))
                .collect()
        }
        (Value::Array(own), Value::Array(others)) if own.len() == others.len() => {
            let at = |(index, (own, other))| differences(&format!("{path}[{index}]"), own, other);
            own.iter().zip(others).enumerate().flat_map(at).collect()
        }
        _ if one == other => Vec::new(),
        _ => vec![(path.to_owned(), format!("{other}, in memory {one}"))],
    }
}

/// True if a path is one of a list, in which `[]` stands for any place.
fn is_of(list: &[&str], path: &str) -> bool {
    let plain: String = path
        .split('[')
        .map(|part| part.split_once(']').map_or(part, |(_, rest)| rest))
        .collect::<Vec<_>>()
        .join("[]");
    list.iter().any(|member| {
        plain.strip_prefix(member).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

/// The members that differ and may not.
fn wrong(held: &Value, found: &Value) -> Vec<String> {
    let of_sample = |path: &str| {
        let is_sample =
            found["estimated"] == true || found["report"]["keys"]["duplicates"]["estimated"] == true;
        is_sample && is_of(SAMPLED, path)
    };
    let lacks = |what: &str| {
        [MISSING, "[]"]
            .iter()
            .any(|nothing| what.starts_with(nothing) || what.starts_with(&format!("\"{nothing}\"")))
    };
    let all = differences("", held, found).into_iter();
    let wrong = all.filter(|(path, what)| {
        !(is_of(OTHER, path) || is_of(LACKING, path) && lacks(what) || of_sample(path))
    });
    wrong.map(|(path, what)| format!("{path}: {what}")).collect()
}

/// Estimates of repeated keys hold the truth between their bounds.
fn estimated(held: &Value, found: &Value) -> Option<String> {
    let of = |report: &Value, name: &str| report["report"]["keys"]["duplicates"][name].clone();
    let between = of(found, "between");
    let bounds = between.as_array()?;
    let outside = ["keys", "rows"].iter().zip(bounds).find(|(name, bounds)| {
        let (truth, least, most) = (of(held, name).as_u64(), bounds[0].as_u64(), bounds[1].as_u64());
        truth < least || truth > most
    });
    outside.map(|(name, bounds)| {
        format!("report.keys.duplicates.{name}: between {bounds}, in memory {}", of(held, name))
    })
}

#[test]
fn every_way_to_analyze_a_design_gives_the_same_figures() {
    let folder = Folder::new("parity");
    let mut all = Vec::new();
    for case in cases() {
        let tables = case.written(&folder);
        merged(&folder);
        for table in 0..tables {
            let [a, b, c] = PARTS;
            let of = |memory| analyzed(&folder, memory, table, &["design.json", a, b, c]);
            let held = of(PLENTY);
            assert_eq!(held["estimated"], false, "{}", case.slug);
            for (host, found) in [
                ("counted", of(LITTLE)),
                ("summary of three parts", analyzed(&folder, PLENTY, table, &["whole.rowscape"])),
            ] {
                let wrong = wrong(&held, &found).into_iter().chain(estimated(&held, &found));
                all.extend(wrong.map(|wrong| format!("{host}, {}, table {table}: {wrong}", case.slug)));
            }
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
