//! The words of Java and Scala.

use super::unread::{CodeSpan, Unread};

/// A word of code.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    Name(String),
    /// A whole number; true for a long one.
    Number(i64, bool),
    /// A number with a point or an exponent.
    Real(String),
    Text(String),
    /// Text of Scala with values in it, and the letter before it.
    Interpolated(char, String),
    Char(char),
    Symbol(&'static str),
    End,
}

/// A word with its place, and whether it begins a line.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub word: Word,
    pub span: CodeSpan,
    pub begins_line: bool,
}

/// The longest first.
const SYMBOLS: [&str; 45] = [
    ">>>=", ">>>", "<<=", ">>=", "...", "->", "=>", "::", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^", "~",
    "!", "=", "<", ">", "?", ":", ";", ",", ".", "@",
];
const BRACKETS: [&str; 6] = ["(", ")", "[", "]", "{", "}"];

/// Splits code into words; the last is [`Word::End`]. Comments are left out.
pub(super) fn tokens(code: &str) -> Result<Vec<Token>, Unread> {
    let mut lexer = Lexer { code, at: 0 };
    let mut found: Vec<Token> = Vec::new();
    loop {
        let begins_line = lexer.blanks() || found.is_empty();
        let start = lexer.at;
        let word = lexer.word()?;
        let is_last = word == Word::End;
        found.push(Token { word, span: CodeSpan { start, end: lexer.at }, begins_line });
        if is_last {
            return Ok(found);
        }
    }
}

struct Lexer<'a> {
    code: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.code.get(self.at..).unwrap_or_default()
    }

    fn begins(&self, with: &str) -> bool {
        self.rest().starts_with(with)
    }

    /// Passes blanks and comments; whether a line ended among them.
    fn blanks(&mut self) -> bool {
        let before = self.at;
        loop {
            let rest = self.rest();
            let length = if self.begins("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if self.begins("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                rest.len() - rest.trim_start().len()
            };
            if length == 0 {
                return self.code.get(before..self.at).is_some_and(|passed| passed.contains('\n'));
            }
            self.at += length;
        }
    }

    fn unread(&self, length: usize) -> Unread {
        Unread::new(CodeSpan { start: self.at, end: self.at + length })
    }

    fn word(&mut self) -> Result<Word, Unread> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(Word::End) };
        if first.is_ascii_digit() {
            return self.number();
        }
        if let Some(open) = ["s\"", "f\""].into_iter().find(|open| self.begins(open)) {
            self.at += open.len();
            return Ok(Word::Interpolated(first, self.quoted('"', false)?));
        }
        match first {
            '"' if self.begins("\"\"\"") => Err(self.unread(rest.len())),
            '"' => {
                self.at += 1;
                Ok(Word::Text(self.quoted('"', true)?))
            }
            '\'' => self.char(),
            _ if first.is_alphabetic() || matches!(first, '_' | '$') => Ok(self.name()),
            _ => {
                let found = SYMBOLS.iter().chain(&BRACKETS).find(|symbol| rest.starts_with(**symbol));
                let symbol = *found.ok_or_else(|| self.unread(first.len_utf8()))?;
                self.at += symbol.len();
                Ok(Word::Symbol(symbol))
            }
        }
    }

    fn name(&mut self) -> Word {
        let rest = self.rest();
        let ends = |char: char| !char.is_alphanumeric() && char != '_' && char != '$';
        let name = rest.get(..rest.find(ends).unwrap_or(rest.len())).unwrap_or_default();
        self.at += name.len();
        Word::Name(name.to_owned())
    }

    fn number(&mut self) -> Result<Word, Unread> {
        let rest = self.rest();
        let ends = |char: char| !char.is_ascii_alphanumeric() && char != '_';
        let whole = rest.get(..rest.find(ends).unwrap_or(rest.len())).unwrap_or_default();
        let behind = rest.get(whole.len()..).unwrap_or_default();
        let fraction =
            behind.strip_prefix('.').filter(|digits| digits.starts_with(|char: char| char.is_ascii_digit()));
        let unread = self.unread(whole.len());
        if let Some(digits) = fraction {
            let length = digits.find(|char: char| !char.is_ascii_alphanumeric()).unwrap_or(digits.len());
            self.at += whole.len() + 1 + length;
            return Ok(Word::Real(rest.get(..whole.len() + 1 + length).unwrap_or_default().to_owned()));
        }
        self.at += whole.len();
        let digits = whole.replace('_', "");
        let (digits, is_long) = match digits.strip_suffix(['L', 'l']) {
            Some(digits) => (digits.to_owned(), true),
            None => (digits, false),
        };
        let read = |text: &str, radix: u32| u64::from_str_radix(text, radix).ok();
        // Hexadecimal digits are those of two's complement.
        let bits = |number: u64| if is_long { number as i64 } else { i64::from(number as u32 as i32) };
        let fits = |number: &u64| is_long || u32::try_from(*number).is_ok();
        let lower = digits.to_ascii_lowercase();
        let number = if let Some(digits) = lower.strip_prefix("0x") {
            read(digits, 16).filter(fits).map(bits)
        } else if let Some(digits) = lower.strip_prefix("0b") {
            read(digits, 2).filter(fits).map(bits)
        } else if digits.len() > 1 && digits.starts_with('0') {
            read(&digits, 8).filter(fits).map(bits)
        } else {
            digits.parse::<i64>().ok().filter(|&number| is_long || i32::try_from(number).is_ok())
        };
        number.map(|number| Word::Number(number, is_long)).ok_or(unread)
    }

    /// Text up to its quote, which is passed; with its escapes read, or as it is.
    fn quoted(&mut self, quote: char, reads_escapes: bool) -> Result<String, Unread> {
        let open = self.unread(1);
        let mut text = String::new();
        loop {
            match self.next().ok_or(open)? {
                '\n' => return Err(open),
                char if char == quote => return Ok(text),
                '\\' if reads_escapes => text.push(self.escape().ok_or(open)?),
                '\\' => return Err(open),
                char => text.push(char),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let char = self.rest().chars().next()?;
        self.at += char.len_utf8();
        Some(char)
    }

    fn escape(&mut self) -> Option<char> {
        Some(match self.next()? {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            '0' if !self.rest().starts_with(|char: char| char.is_digit(8)) => '\0',
            'u' => {
                let digits = self.rest().get(..4)?;
                self.at += 4;
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            char @ ('"' | '\'' | '\\') => char,
            _ => return None,
        })
    }

    fn char(&mut self) -> Result<Word, Unread> {
        let open = self.unread(1);
        self.at += 1;
        let char = match self.next().ok_or(open)? {
            '\\' => self.escape().ok_or(open)?,
            char => char,
        };
        // In Java a character is one UTF-16 unit.
        let is_closed = self.next() == Some('\'');
        if is_closed && char.len_utf16() == 1 { Ok(Word::Char(char)) } else { Err(open) }
    }
}
