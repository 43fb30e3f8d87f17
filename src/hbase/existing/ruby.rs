//! Texts, numbers, lists and hashes as Ruby writes them, as far as commands of the shell hold them.

use super::expression::{Evaluated, Variables};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum RubyValue {
    /// A text, as HBase gets it from the shell.
    Text {
        /// Its value to HBase.
        text: String,
        /// As written, with its quotes.
        written: String,
    },
    /// A number or a name, as written.
    Word(String),
    List(Vec<RubyValue>),
    Hash(Vec<(String, RubyValue)>),
}

impl RubyValue {
    fn of(value: Evaluated, written: &str) -> Self {
        match value {
            Evaluated::Integer(number) => Self::Word(number.to_string()),
            Evaluated::Text(text) => Self::Text { text, written: written.to_owned() },
            Evaluated::List(items) => {
                Self::List(items.into_iter().map(|item| Self::of(item, written)).collect())
            }
        }
    }
}

/// True if a text is a single quoted literal.
fn is_quoted(text: &str) -> bool {
    let mut letters = text.chars();
    let Some(quote @ ('\'' | '"')) = letters.next() else { return false };
    let mut left = text.chars().count() - 1;
    while let Some(letter) = letters.next() {
        left -= 1;
        match letter {
            '\\' => {
                letters.next();
                left = left.saturating_sub(1);
            }
            letter if letter == quote => return left == 0,
            _ => {}
        }
    }
    false
}

/// Bytes of a command, beyond which it is cut.
const LONGEST: usize = 8 << 20;
/// Lists and hashes within each other.
const DEEPEST: u32 = 8;

/// The text after the prompt of the shell.
pub fn command(line: &str) -> Option<&str> {
    let (prompt, command) = line.split_once("> ")?;
    is_prompt(prompt).then_some(command)
}

/// True if a text is the prompt of the shell.
pub fn is_prompt(text: &str) -> bool {
    (text.starts_with("hbase:") || text.starts_with("hbase(")) && !text.contains(' ')
}

/// A command as its lines come.
#[derive(Debug, Default)]
pub struct RubyCommand {
    /// Its lines so far.
    pub text: String,
    /// Brackets that are open.
    depth: i64,
    /// The quote that is.
    open: Option<char>,
    /// The last letter that is no white space.
    last: Option<char>,
}

impl RubyCommand {
    pub fn push(&mut self, line: &str) {
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            match (self.open, letter) {
                (Some(_), '\\') => drop(letters.next()),
                (Some(quote), _) if letter == quote => self.open = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => self.open = Some(letter),
                (None, '[' | '{') => self.depth += 1,
                (None, ']' | '}') => self.depth -= 1,
                _ => {}
            }
            if !letter.is_whitespace() {
                self.last = Some(letter);
            }
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// True if more is to come: a quote or a bracket is open, or the last thing is a comma.
    pub fn goes_on(&self) -> bool {
        let open = self.open.is_some() || self.depth > 0 || self.last == Some(',');
        open && self.text.len() < LONGEST
    }
}

/// The arguments after the name of a command. Pairs without braces are one hash. `Err` has the rest that can't be read.
pub fn arguments<'t>(text: &'t str, variables: &Variables) -> Result<Vec<RubyValue>, &'t str> {
    let mut reader = ArgumentReader { rest: text, depth: 0, variables };
    let mut all = Vec::new();
    let mut pairs = Vec::new();
    loop {
        let value = reader.value().ok_or(reader.rest)?;
        if reader.takes("=>") {
            pairs.push((name(value), reader.value().ok_or(reader.rest)?));
        } else {
            all.push(value);
        }
        if !reader.takes(",") {
            break;
        }
    }
    if !reader.rest.is_empty() {
        return Err(reader.rest);
    }
    if !pairs.is_empty() {
        all.push(RubyValue::Hash(pairs));
    }
    Ok(all)
}

/// A value as the name of another.
fn name(value: RubyValue) -> String {
    match value {
        RubyValue::Text { text, .. } | RubyValue::Word(text) => text,
        RubyValue::List(_) | RubyValue::Hash(_) => String::new(),
    }
}

struct ArgumentReader<'t, 'v> {
    rest: &'t str,
    depth: u32,
    variables: &'v Variables,
}

impl<'t> ArgumentReader<'t, '_> {
    fn takes(&mut self, what: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest).trim_start();
        rest.is_some()
    }

    /// `None` where none begins, and `rest` is then where it should.
    fn value(&mut self) -> Option<RubyValue> {
        self.rest = self.rest.trim_start();
        if let Some(value) = self.computed() {
            return Some(value);
        }
        match self.rest.chars().next()? {
            quote @ ('\'' | '"') => self.text(quote),
            '[' | '{' if self.depth == DEEPEST => None,
            '[' => {
                self.takes("[");
                self.until("]", |reader| reader.value()).map(RubyValue::List)
            }
            '{' => {
                self.takes("{");
                let pair = |reader: &mut Self| {
                    let key = name(reader.value()?);
                    reader.takes("=>").then(|| reader.value()).flatten().map(|value| (key, value))
                };
                self.until("}", pair).map(RubyValue::Hash)
            }
            _ => {
                let ends = |letter: char| !(letter.is_alphanumeric() || "_.:-".contains(letter));
                let (word, rest) = self.rest.split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
                self.rest = rest;
                (!word.is_empty()).then(|| RubyValue::Word(word.to_owned()))
            }
        }
    }

    /// The value of an expression that is more than a text, a number or a name by itself.
    fn computed(&mut self) -> Option<RubyValue> {
        let (value, rest) = self.variables.evaluate(self.rest)?;
        let ended = rest.trim_start();
        let ends = ended.is_empty() || ended.starts_with([',', ']', '}', ')', ';']);
        let read = self.rest.get(..self.rest.len() - rest.len())?.trim_end();
        let value = RubyValue::of(value, read);
        // A text keeps what was written, for the advice on its quotes.
        let is_plain = matches!(value, RubyValue::Text { .. }) && !read.contains("#{") && is_quoted(read);
        if !ends || is_plain {
            return None;
        }
        self.rest = rest;
        Some(value)
    }

    fn until<T>(&mut self, end: &str, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = Vec::new();
        self.depth += 1;
        while !self.takes(end) {
            all.push(one(self)?);
            if !self.takes(",") && !self.rest.starts_with(end) {
                return None;
            }
        }
        self.depth -= 1;
        Some(all)
    }

    fn text(&mut self, quote: char) -> Option<RubyValue> {
        let mut letters = self.rest.char_indices().skip(1);
        let end = loop {
            match letters.next()? {
                (_, '\\') => drop(letters.next()?),
                (at, letter) if letter == quote => break at,
                _ => {}
            }
        };
        let inside = self.rest.get(1..end)?;
        // An interpolation that was not evaluated: its signs are not those of the text.
        (quote != '"' || !interpolates(inside)).then_some(())?;
        let written = self.rest.get(..=end)?.to_owned();
        self.rest = self.rest.get(end + 1..)?;
        let text = if quote == '"' { double(inside) } else { single(inside) };
        Some(RubyValue::Text { text, written })
    }
}

/// True if a text between double quotes has an interpolation.
fn interpolates(inside: &str) -> bool {
    inside.match_indices("#{").any(|(at, _)| {
        let escapes = inside.get(..at).unwrap_or_default().bytes().rev().take_while(|&byte| byte == b'\\');
        escapes.count() % 2 == 0
    })
}

/// Between single quotes: only a backslash and a quote can be escaped.
pub(super) fn single(inside: &str) -> String {
    let mut text = String::new();
    let mut letters = inside.chars().peekable();
    while let Some(letter) = letters.next() {
        match letters.peek() {
            Some(&escaped @ ('\\' | '\'')) if letter == '\\' => {
                text.push(escaped);
                letters.next();
            }
            _ => text.push(letter),
        }
    }
    text
}

/// Between double quotes: escapes are bytes, and bytes that are no UTF-8 are no letter to Java.
pub(super) fn double(inside: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = inside;
    while let Some(letter) = rest.chars().next() {
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        if letter != '\\' {
            bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let Some(escaped) = rest.chars().next() else { break };
        let after = rest.get(escaped.len_utf8()..).unwrap_or_default();
        let (digits, radix, most) = match escaped {
            'x' => (after, 16, 2),
            'u' => (after, 16, 4),
            '0'..='7' => (rest, 8, 3),
            _ => ("", 2, 0),
        };
        let length = digits.bytes().take(most).take_while(|&byte| char::from(byte).is_digit(radix)).count();
        let number = digits.get(..length).and_then(|digits| u32::from_str_radix(digits, radix).ok());
        if let Some(number) = number {
            rest = digits.get(length..).unwrap_or_default();
            match char::from_u32(number).filter(|_| escaped == 'u') {
                Some(letter) => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
                None => bytes.push(number as u8),
            }
            continue;
        }
        rest = after;
        match escaped {
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            'r' => bytes.push(b'\r'),
            's' => bytes.push(b' '),
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'v' => bytes.push(11),
            'f' => bytes.push(12),
            'e' => bytes.push(27),
            _ => bytes.extend_from_slice(escaped.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
