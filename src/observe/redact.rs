//! An answer that can be passed on: keys keep their lengths and their shape, and nothing else.

use super::answer::{KeysByDesign, ObservedTable, ObservedTables};
use super::requests::EventKind;
use crate::base::Problem;

/// Arguments of sentences that are keys or values.
const KEYS: [&str; 2] = ["key", "value"];

/// A key or a value with `0` for digits, `a` and `A` for letters, and `\xNN` for other bytes than printed ones.
fn shape(key: &str) -> String {
    let mut out = String::with_capacity(key.len());
    let mut rest = key;
    while let Some(char) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\\x").and_then(|after| after.get(2..)) {
            out.push_str("\\x00");
            rest = after;
            continue;
        }
        out.push(match char {
            '0'..='9' => '0',
            'a'..='z' => 'a',
            'A'..='Z' => 'A',
            _ if char.is_ascii() => char,
            _ => 'a',
        });
        rest = rest.get(char.len_utf8()..).unwrap_or_default();
    }
    out
}

impl ObservedTables {
    /// Redacts all keys and values.
    pub fn redact(&mut self) {
        self.tables.iter_mut().for_each(redact);
    }
}

fn redact(table: &mut ObservedTable) {
    for region in &mut table.regions {
        (region.start, region.end) = (shape(&region.start), shape(&region.end));
    }
    for start in table.heat.iter_mut().flat_map(|heat| &mut heat.starts) {
        *start = shape(start);
    }
    for key in table.hot_rows.iter_mut().chain(&mut table.prefixes) {
        key.key = shape(&key.key);
    }
    if let Some(KeysByDesign { other, values, hot_rows, .. }) = &mut table.design {
        *other = other.as_deref().map(shape);
        values.iter_mut().for_each(|value| value.value = shape(&value.value));
        let fields = hot_rows.iter_mut().flatten().flatten();
        fields.for_each(|(_, value)| *value = value.as_deref().map(shape));
    }
    if let Some(requests) = &mut table.requests {
        for region in &mut requests.regions {
            let (start, end) = (region.start.as_deref().map(shape), region.end.as_deref().map(shape));
            (region.start, region.end) = (start, end);
        }
        for start in requests.heat.iter_mut().flat_map(|heat| &mut heat.starts) {
            *start = shape(start);
        }
        for event in &mut requests.events {
            event.start = event.start.as_deref().map(shape);
            if event.kind == EventKind::Split {
                event.to = event.to.as_deref().map(shape);
            }
        }
        redact_problem(&mut requests.headline);
    }
    if let Some(prediction) = &mut table.prediction {
        prediction.regions.iter_mut().for_each(|region| region.start = shape(&region.start));
        prediction.causes.iter_mut().for_each(redact_problem);
    }
    // Commands with keys that are not those of the table would do harm.
    table.splits = None;
    redact_problem(&mut table.headline);
    table.notes.iter_mut().for_each(redact_problem);
}

fn redact_problem(problem: &mut Problem) {
    for name in KEYS {
        if let Some(key) = problem.args.get(name).map(|key| shape(key)) {
            problem.args.insert(name, key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn keys_keep_their_shape() {
        assert_eq!(shape("Dev-042|\\x00\\xFF_é"), "Aaa-000|\\x00\\x00_a");
        assert_eq!(shape("\\x"), "\\a");
    }
}
