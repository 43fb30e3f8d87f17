//! Summaries as files: counted, merged and opened again.

use super::running::{DESIGN, Folder};
use serde_json::Value;

const MORE: &str = "phone,at\n201,2024-05-04 08:00\n777,2024-05-04 09:00\n";

fn parts(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("more.csv", MORE);
    for (data, part) in [("records.csv", "a.rowscape"), ("more.csv", "b.rowscape")] {
        let (exit, out, said) = folder.told(&["summarize", "design.json", data, "-o", part]);
        assert_eq!((exit, out.as_str()), (0, ""), "{said}");
        assert!(said.starts_with("Summary of "), "{said}");
    }
    folder
}

fn json(folder: &Folder, args: &[&str]) -> Value {
    let (exit, out, said) = folder.told(args);
    assert_eq!(exit, 0, "{said}");
    serde_json::from_str(&out).expect("JSON")
}

#[test]
fn merged_parts_are_analyzed_as_all_records() {
    let folder = parts("summaries");
    assert_eq!(folder.told(&["merge", "b.rowscape", "a.rowscape", "-o", "whole.rowscape"]).0, 0);
    let of_parts = json(&folder, &["analyze", "whole.rowscape", "--json"]);
    let of_records = json(&folder, &["analyze", "design.json", "records.csv", "more.csv", "--json"]);
    for member in ["rows", "regions", "heat", "refused", "skew"] {
        assert_eq!(of_parts["report"][member], of_records["report"][member], "{member}");
    }
    assert_eq!(of_parts["verdict"], of_records["verdict"]);
    assert_eq!(of_parts["findings"], of_records["findings"]);
    assert_eq!(of_parts["summary"]["parts"], 2);
    // The same in place of records, and in any order of the parts.
    let beside = json(&folder, &["analyze", "design.json", "whole.rowscape", "--json"]);
    assert_eq!(beside, of_parts);
    folder.told(&["merge", "a.rowscape", "b.rowscape", "-o", "other.rowscape"]);
    let bytes = |name: &str| std::fs::read(folder.0.join(name)).expect(name);
    assert!(bytes("whole.rowscape") == bytes("other.rowscape"));
    let (_, text, _) = folder.told(&["analyze", "whole.rowscape"]);
    assert!(text.contains("Summary of 5 rows in 2 parts."), "{text}");
    // Every row is in the sample.
    assert!(!text.contains("stimated"), "{text}");
}

#[test]
fn the_sample_is_compared_and_said_to_be_one() {
    let folder = Folder::new("summary-compare");
    let lines = |row: u32| format!("{},2024-05-{:02} 12:00\n", 100_000 + row * 7_919 % 900_000, row % 28 + 1);
    folder.write("many.csv", format!("phone,at\n{}", (0..6_000).map(lines).collect::<String>()));
    folder.write("other.json", DESIGN.replace("phone.reverse()", "phone"));
    folder.told(&["summarize", "design.json", "many.csv", "-o", "s.rowscape"]);
    let compared = json(&folder, &["compare", "s.rowscape", "other.json", "--json"]);
    assert_eq!((&compared["rows"], &compared["sampled"]), (&Value::from(6_000), &Value::from(4_096)));
    let (exit, _, said) = folder.told(&["compare", "other.json", "s.rowscape"]);
    assert_eq!(exit, 2);
    assert!(said.contains("give the summary first"), "{said}");
    let (_, text, _) = folder.told(&["analyze", "s.rowscape"]);
    assert!(text.contains("from a sample of 4,096 rows"), "{text}");
    assert_eq!(json(&folder, &["analyze", "s.rowscape", "--json"])["estimated"], true);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = parts("summary-refused");
    folder.write("other.json", DESIGN.replace("\"6\"", "\"7\""));
    folder.write("follows.json", DESIGN.replace(r#"{ "points": ["3", "6"] }"#, r#"{ "sample": 2 }"#));
    folder.told(&["summarize", "other.json", "more.csv", "-o", "other.rowscape"]);
    for (args, told) in [
        (
            &["merge", "a.rowscape", "other.rowscape", "-o", "x"][..],
            "other.rowscape: tables[0].splits.points[1]: different designs",
        ),
        (
            &["merge", "a.rowscape", "b.rowscape", "a.rowscape", "-o", "x"],
            "part records.csv (3 rows) is already in the summary",
        ),
        (
            &["merge", "a.rowscape", "records.csv", "-o", "x"],
            "records.csv: the file does not start with RWSF",
        ),
        (&["merge", "-o", "x"], "missing summaries"),
        (&["merge", "a.rowscape"], "missing --output"),
        (&["summarize", "design.json", "records.csv"], "missing --output"),
        (&["summarize", "a.rowscape", "records.csv", "-o", "x"], "a.rowscape"),
        (
            &["summarize", "follows.json", "records.csv", "-o", "x"],
            "rowscape splits DESIGN SAMPLE --save FIXED",
        ),
        (&["analyze", "other.json", "a.rowscape"], "tables[0].splits.points[1]: different designs"),
        (&["analyze", "a.rowscape", "more.csv"], "a summary cannot be combined with record files"),
        (
            &["analyze", "design.json", "a.rowscape", "more.csv"],
            "a summary cannot be combined with record files",
        ),
    ] {
        let (exit, _, said) = folder.told(args);
        assert_eq!(exit, 2, "{args:?}: {said}");
        assert!(said.contains(told), "{args:?}: {said}");
    }
    assert!(!folder.names().contains("x"));
    assert_eq!(folder.told(&["splits", "follows.json", "records.csv", "--save", "fixed.json"]).0, 0);
    assert_eq!(folder.told(&["summarize", "fixed.json", "records.csv", "-o", "fixed.rowscape"]).0, 0);
    // A file that is damaged leaves no summary behind.
    folder.write("cut.csv.gz", &super::running::gzip(MORE.repeat(50).as_bytes())[..40]);
    assert_eq!(folder.told(&["summarize", "design.json", "cut.csv.gz", "-o", "x"]).0, 2);
    assert!(!folder.names().contains("x"));
}

#[test]
fn counts_alone_answer_what_counts_can() {
    let folder = Folder::new("summary-counts");
    assert_eq!(
        folder.told(&["summarize", "design.json", "records.csv", "--no-samples", "-o", "c.rowscape"]).0,
        0
    );
    let bytes = std::fs::read(folder.0.join("c.rowscape")).expect("a summary");
    for value in ["501_", "999", "104"] {
        assert!(!bytes.windows(value.len()).any(|part| part == value.as_bytes()), "{value}");
    }
    let (exit, text, _) = folder.told(&["analyze", "c.rowscape"]);
    assert_eq!(exit, 0);
    assert!(text.contains("without samples") && text.contains("33.3%"), "{text}");
    for args in [
        &["compare", "c.rowscape", "design.json"][..],
        &["plan", "c.rowscape"],
        &["sweep", "c.rowscape", "--vary", "order"],
    ] {
        let (exit, _, said) = folder.told(args);
        assert_eq!(exit, 2, "{args:?}");
        assert!(said.contains("holds only counts"), "{args:?}: {said}");
    }
}
