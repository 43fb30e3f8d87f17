//! The form of a file that states it: nothing is guessed but what its values look like.

use super::{Guess, GuessedField, PREVIEW, TextEncoding, examples, shape, without_last_line};
use crate::base::map::Map;
use crate::base::sentences::render;
use crate::records::read::{Input, StatedFile};

const WHY: &str = "guess.stated";

/// The guess for a file that states its columns, with values from the first bytes of its text, which has a header.
pub fn guess(head: &[u8], stated: &StatedFile) -> Guess {
    let text = String::from_utf8_lossy(head);
    let text = if text.ends_with('\n') { &text } else { without_last_line(&text) };
    let mut records = shape::records(text, b',', Some(b'"'));
    let names = if records.is_empty() { Vec::new() } else { records.remove(0) };
    let fields = stated.columns.iter().map(|column| {
        let at = names.iter().position(|name| *name == column.name);
        let values = records.iter().filter_map(|record| record.get(at?).map(String::as_str));
        let examples = examples(&values.collect::<Vec<_>>());
        let mut args = Map::new();
        args.insert("kind", column.kind.clone());
        let range = stated.ranges.get(&column.name).cloned();
        GuessedField { field: column.field(), examples, range, code: WHY, why: render(WHY, &args), args }
    });
    let fields: Vec<GuessedField> = fields.collect();
    let problems = stated.left_out().collect();
    records.truncate(PREVIEW);
    let input = Input {
        format: stated.format,
        separator: None,
        quote: None,
        header: None,
        encoding: None,
        stated: stated.columns.clone(),
        keys: None,
        fields: fields.iter().map(|guessed| guessed.field.clone()).collect(),
    };
    let (rows, groups) = (stated.rows, stated.groups);
    Guess {
        input,
        encoding: TextEncoding::Utf8,
        gzip: false,
        rows,
        groups,
        fields,
        preview: records,
        problems,
    }
}
