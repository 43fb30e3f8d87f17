//! Line and column of a place in a JSON text, by the path that problems name it with.

use crate::base::json::{item, member};

/// Line and column, both from 1, of the value at a path such as `tables[1].rowkey`; `None` when it is not there.
pub fn locate(text: &str, path: &str) -> Option<(usize, usize)> {
    let mut found = None;
    JsonWalk { text, at: 0 }.value("", &mut |here, at| {
        if here == path && found.is_none() {
            found = Some(at);
        }
    });
    let before = text.get(..found?)?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    Some((before.matches('\n').count() + 1, line.chars().count() + 1))
}

/// The text that stands at a path when it is a string without escapes.
pub fn plain_text<'a>(text: &'a str, path: &str) -> Option<&'a str> {
    let mut found = None;
    JsonWalk { text, at: 0 }.value("", &mut |here, at| {
        if here == path && found.is_none() {
            found = Some(at);
        }
    });
    let inner = text.get(found?..)?.strip_prefix('"')?;
    let inner = inner.split('"').next()?;
    (!inner.contains('\\')).then_some(inner)
}

/// Goes through a text that is known to be JSON; anything else only makes it end early.
struct JsonWalk<'a> {
    text: &'a str,
    at: usize,
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
        assert_eq!(locate(text, ""), Some((1, 1)));
        assert_eq!(locate(text, "[\"a\\\"b\"][1].c"), Some((2, 21)));
        assert_eq!(locate(text, "tables[0].rowkey"), Some((3, 27)));
        assert_eq!(locate(text, "n"), Some((3, 42)));
        assert_eq!(locate(text, "tables[1]"), None);
        assert_eq!(plain_text(text, "tables[0].rowkey"), Some("id"));
        for end in 0..text.len() {
            locate(text.get(..end).unwrap_or_default(), "n");
        }
    }
}
