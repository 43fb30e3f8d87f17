//! The gallery as a whole: every document is sound, and nothing is missing.

use super::opened::{entries, file, generated, index, open, study};
use crate::common::schema::is_valid;
use rowscape::design::{normal_form, parse};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The cases that need an entry.
const CASES: [&str; 60] = [
    "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "D1", "D2", "D3", "B1", "B2", "B3", "B4",
    "C1", "C2", "C2b", "C3", "C4", "C5", "C6", "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "F1", "F2",
    "G1", "G2", "G3", "G4", "G5", "G6", "G6b", "G7", "H1", "H2", "H3", "H4", "I1", "I2", "I3", "I4", "I5",
    "I6", "I7", "J1", "J2", "J3", "J4", "J4b", "K1", "K2",
];

fn slugs() -> Vec<String> {
    entries().iter().map(|entry| entry["slug"].as_str().expect("slug").to_owned()).collect()
}

#[test]
fn the_index_lists_every_document_and_every_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gallery");
    let names = std::fs::read_dir(folder).expect("gallery").map(|entry| entry.expect("entry").file_name());
    let names: BTreeSet<String> = names.map(|name| name.into_string().expect("name")).collect();
    let mut listed = BTreeSet::from(["index.json".to_owned()]);
    let mut cases = BTreeSet::new();
    for entry in index() {
        let slug = entry["slug"].as_str().expect("slug");
        assert!(listed.insert(format!("{slug}.json")), "{slug} is listed twice");
        listed.extend(entry["data"].as_str().map(str::to_owned));
        let own: Vec<String> = serde_json::from_value(entry["cases"].clone()).expect(slug);
        let prefix = format!("{}-", own[0].to_lowercase());
        assert!(slug.starts_with(&prefix), "{slug} is named after {prefix}");
        cases.extend(own);
    }
    assert_eq!(names, listed);
    assert_eq!(cases, CASES.map(str::to_owned).into());
}

#[test]
fn every_entry_has_a_story_of_four_sentences_and_says_what_to_look_at() {
    let slugs = slugs();
    let mut names = BTreeSet::new();
    for entry in entries() {
        let slug = entry["slug"].as_str().expect("slug");
        let story = entry["story"].as_str().expect(slug);
        assert_eq!(story.matches(". ").count(), 3, "four sentences: {slug}");
        assert!(story.ends_with('.') && !entry["look"].as_str().expect(slug).is_empty(), "{slug}");
        if let Some(better) = entry.get("better") {
            assert!(slugs.iter().any(|other| better == other.as_str() && other != slug), "{slug}: {better}");
            let tables = study(better.as_str().expect(slug)).tables;
            let named = |name: &Value| tables.iter().any(|table| name == table.name.as_str());
            assert!(entry.get("betterTable").is_none_or(named), "{slug}: a table of {better}");
        }
        let known = [
            "slug",
            "cases",
            "lesson",
            "path",
            "step",
            "story",
            "look",
            "data",
            "wrong",
            "better",
            "betterTable",
        ];
        assert!(entry.as_object().expect(slug).keys().all(|key| known.contains(&key.as_str())), "{slug}");
        assert!(names.insert(study(slug).name.expect(slug)), "two entries have the name of {slug}");
    }
}

#[test]
fn every_document_is_valid_and_its_normal_form_says_the_same() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/schema/design-1.schema.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(schema).expect("schema")).expect("JSON");
    for slug in slugs() {
        let document: Value = serde_json::from_str(&file(&format!("{slug}.json"))).expect("JSON");
        assert!(is_valid(&document, &schema, &schema), "{slug} is not valid under the schema");
        let study = study(&slug);
        let normal = normal_form(&study);
        let again = parse(&normal.to_string()).unwrap_or_else(|problems| panic!("{slug}: {problems:?}"));
        assert_eq!(normal_form(&again), normal, "{slug}");
        for table in &study.tables {
            assert!(table.splits.need_records() || table.splits.points().is_ok(), "{slug}: {}", table.name);
        }
    }
}

#[test]
fn every_record_of_an_entry_gets_a_key_in_every_table() {
    for entry in entries() {
        let slug = entry["slug"].as_str().expect("slug");
        let beside = entry.get("data").map(|_| open(slug));
        let made_up = study(slug).generate.map(|_| generated(slug, Some(300)));
        assert!(beside.is_some() || made_up.is_some(), "{slug} has records");
        for opened in beside.iter().chain(&made_up) {
            for column in &opened.records.columns {
                assert_eq!(column.invalid.count(), 0, "{slug}: {:?}", column.first_invalid);
            }
            for table in &opened.study.tables {
                assert!(opened.keys(&table.name).iter().all(|key| !key.is_empty()), "{slug}");
            }
        }
    }
}
