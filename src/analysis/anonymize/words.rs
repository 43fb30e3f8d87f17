//! Texts that a document names itself. They are in the link already, so that they may stand for themselves.

use crate::bytes::row::to_string_binary;
use crate::design::Document;
use crate::design::split::Splits;
use serde_json::Value;

/// Fewest characters of a value that is looked for within split points.
const WITHIN: usize = 3;

/// The texts of a document.
pub struct Words {
    /// The texts of queries, lookup tables and formulas, ascending.
    words: Vec<String>,
    /// Split points that go with the link.
    points: Vec<String>,
}

impl Words {
    /// The texts of a document; of its split points those of tables that keep them.
    pub fn of(document: &str, study: &Document, replaced: &[Option<u32>]) -> Self {
        let mut words = Vec::new();
        collect(&serde_json::from_str(document).unwrap_or_default(), &mut words);
        words.sort_unstable();
        words.dedup();
        let kept = study.tables.iter().zip(replaced).filter(|(_, shares)| shares.is_none());
        let points = kept.flat_map(|(design, _)| match &design.splits {
            Splits::Points(points) => points.iter().map(|point| to_string_binary(point)).collect(),
            _ => Vec::new(),
        });
        Self { words, points: points.collect() }
    }

    /// True if a value is one of them, or within a split point.
    pub fn names(&self, text: &str) -> bool {
        self.words.binary_search_by(|word| word.as_str().cmp(text)).is_ok()
            || text.len() >= WITHIN && self.points.iter().any(|point| point.contains(text))
    }
}

fn collect(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            words.push(text.clone());
            words.extend(text.split(['\'', '"']).skip(1).step_by(2).map(str::to_owned));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(members) => {
            for (name, value) in members {
                // Descriptions of records and split points are not what a link keeps of itself.
                if !["generate", "records", "splits"].contains(&name.as_str()) {
                    words.push(name.clone());
                    collect(value, words);
                }
            }
        }
        _ => {}
    }
}
