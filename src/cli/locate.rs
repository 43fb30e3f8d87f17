//! Line and column of a place in a JSON text, by the path that problems name it with.

use crate::base::json::{item, member};
use crate::base::limits::NESTING;
use std::collections::{BTreeMap, BTreeSet};

/// Where a value stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonPlace {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Byte, from 0.
    at: usize,
}

/// Places of the values at paths such as `tables[1].rowkey`; `None` of those that are not there. All are found in one walk, however
/// many are asked for.
pub fn locate(text: &str, paths: &[&str]) -> Vec<Option<JsonPlace>> {
    let wanted: BTreeSet<&str> = paths.iter().copied().collect();
    let mut found: BTreeMap<String, JsonPlace> = BTreeMap::new();
    // Values are met in the order of the text, so that its lines are counted once.
    let (mut line, mut begin, mut counted) = (1, 0, 0);
    JsonWalk { text, at: 0, depth: 0 }.value("", &mut |here, at| {
        if !wanted.contains(here) || found.contains_key(here) {
            return;
        }
        let between = text.get(counted..at).unwrap_or_default();
        line += between.matches('\n').count();
        begin = between.rfind('\n').map_or(begin, |end| counted + end + 1);
        counted = at;
        let column = text.get(begin..at).unwrap_or_default().chars().count() + 1;
        found.insert(here.to_owned(), JsonPlace { line, column, at });
    });
    paths.iter().map(|path| found.get(*path).copied()).collect()
}

/// The text that stands at a place when it is a string without escapes.
pub fn plain_text(text: &str, place: JsonPlace) -> Option<&str> {
    let inner = text.get(place.at..)?.strip_prefix('"')?;
    let inner = inner.split('"').next()?;
    (!inner.contains('\\')).then_some(inner)
}

/// Goes through a text that is known to be JSON; anything else only makes it end early.
struct JsonWalk<'a> {
    text: &'a str,
    at: usize,
    depth: u64,
}

impl<'a> JsonWalk<'a> {
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.len() - rest.trim_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Tells `visit` of the value here and of all within it; `None` where it can't go on.
    fn value(&mut self, path: &str, visit: &mut dyn FnMut(&str, usize)) -> Option<()> {
        let first = self.peek()?;
        visit(path, self.at);
        if self.depth > NESTING.most {
            return None;
        }
        self.depth += 1;
        self.inside(first, path, visit)?;
        self.depth -= 1;
        Some(())
    }

    /// Goes through the value that begins with `first`.
    fn inside(&mut self, first: u8, path: &str, visit: &mut dyn FnMut(&str, usize)) -> Option<()> {
        match first {
            b'"' => self.string().map(|_| ()),
            b'{' | b'[' => {
                self.at += 1;
                let mut count = 0;
                loop {
                    match self.peek()? {
                        b'}' | b']' => {
                            self.at += 1;
                            return Some(());
                        }
                        b',' => self.at += 1,
                        _ => {
                            let inner =
                                if first == b'[' { item(path, count) } else { member(path, &self.name()?) };
                            self.value(&inner, visit)?;
                            count += 1;
                        }
                    }
                }
            }
            _ => {
                let rest = self.text.get(self.at..)?;
                self.at += rest.find([',', '}', ']', ' ', '\n', '\r', '\t']).unwrap_or(rest.len());
                Some(())
            }
        }
    }

    /// The name of a member and the colon behind it.
    fn name(&mut self) -> Option<String> {
        let name = serde_json::from_str(self.string()?).ok()?;
        (self.peek()? == b':').then(|| self.at += 1)?;
        Some(name)
    }

    /// A string with its quotes.
    fn string(&mut self) -> Option<&'a str> {
        self.peek()?;
        let rest = self.text.get(self.at..)?;
        let mut escaped = false;
        let inner = rest.strip_prefix('"')?;
        let end = inner.bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        })?;
        self.at += end + 2;
        rest.get(..end + 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_by_their_paths() {
        let text = "{\n  \"a\\\"b\": [1, {\"c\": \"x, y\"}],\n  \"tables\": [ { \"rowkey\": \"id\" } ], \"n\": -1e3 }\n";
        let paths = ["", "[\"a\\\"b\"][1].c", "tables[0].rowkey", "n", "tables[1]"];
        let found = locate(text, &paths);
        let places: Vec<_> =
            found.iter().map(|place| place.map(|place| (place.line, place.column))).collect();
        assert_eq!(places, [Some((1, 1)), Some((2, 21)), Some((3, 27)), Some((3, 42)), None]);
        assert_eq!(found[2].and_then(|place| plain_text(text, place)), Some("id"));
        for end in 0..text.len() {
            locate(text.get(..end).unwrap_or_default(), &["n"]);
        }
    }
}
