//! The words of Phoenix's SQL.

use crate::base::Problem;

/// A word of a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SqlWord {
    /// A name or keyword without quotes, in capitals as Phoenix takes it.
    Name(String),
    /// A name in double quotes.
    Quoted(String),
    /// A text in single quotes.
    Text(String),
    /// `X'…'`.
    Bytes(Vec<u8>),
    /// A number without a sign.
    Number(String),
    /// `?`, or `:1`.
    Bind,
    Symbol(&'static str),
    End,
}

/// A word with its place.
#[derive(Clone, Debug)]
pub(super) struct SqlToken {
    pub word: SqlWord,
    pub at: SqlPlace,
    /// First byte in the text, and the byte behind its last.
    pub span: (usize, usize),
    /// The comment on the line before, or on the same, where the token begins a line.
    pub comment: Option<String>,
    /// True if it is the first of its line.
    pub begins_line: bool,
}

/// A line and a column, in characters, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SqlPlace {
    pub line: u64,
    pub column: usize,
}

impl SqlPlace {
    /// A problem of this place.
    pub fn tell(self, mut problem: Problem) -> Problem {
        problem.place.row = Some(self.line);
        problem.place.column = Some(self.column);
        problem
    }
}

/// The longest first.
const SYMBOLS: [&str; 21] = [
    "<=", ">=", "<>", "!=", "||", "(", ")", "[", "]", ",", ".", ";", "=", "<", ">", "+", "-", "*", "/", "%",
    ":",
];

/// Letters of what cannot be read that a problem shows.
const SHOWN: usize = 40;

/// The words of a text; the last is [`SqlWord::End`]. What is no word is left out, with a problem.
pub(super) fn tokens(text: &str, problems: &mut Vec<Problem>) -> Vec<SqlToken> {
    let mut lexer = SqlLexer { text, at: 0, line: 1, line_start: 0 };
    let mut found = Vec::new();
    loop {
        let line = lexer.line;
        let comment = lexer.blanks();
        let begins_line = found.is_empty() || lexer.line > line;
        let (start, at) = (lexer.at, lexer.place());
        let word = match lexer.word() {
            Ok(word) => word,
            Err(code) => {
                let rest = lexer.text.get(start..).unwrap_or_default();
                let line = rest.lines().next().unwrap_or_default();
                problems.push(
                    at.tell(Problem::new(code).with("found", line.chars().take(SHOWN).collect::<String>())),
                );
                lexer.skip(rest.chars().next().map_or(1, char::len_utf8));
                continue;
            }
        };
        let is_last = word == SqlWord::End;
        found.push(SqlToken { word, at, span: (start, lexer.at), comment, begins_line });
        if is_last {
            return found;
        }
    }
}

struct SqlLexer<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    /// Where the line begins.
    line_start: usize,
}

impl<'a> SqlLexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn place(&self) -> SqlPlace {
        let before = self.text.get(self.line_start..self.at).unwrap_or_default();
        SqlPlace { line: self.line, column: before.chars().count() + 1 }
    }

    fn skip(&mut self, bytes: usize) {
        let skipped = self.rest().get(..bytes).unwrap_or(self.rest());
        self.line += skipped.matches('\n').count() as u64;
        if let Some(last) = skipped.rfind('\n') {
            self.line_start = self.at + last + 1;
        }
        self.at += skipped.len();
    }

    /// Skips blanks and comments; gives the comment that ends on the line before what follows, or on the same.
    fn blanks(&mut self) -> Option<String> {
        let mut comment: Option<(String, u64)> = None;
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.skip(blank);
            } else if rest.starts_with("--") || rest.starts_with("//") {
                let line = rest.lines().next().unwrap_or_default();
                let text = line.trim_start_matches(['-', '/']).trim();
                if !text.is_empty() {
                    comment = Some((text.to_owned(), self.line));
                }
                self.skip(line.len());
            } else if rest.starts_with("/*") {
                self.skip(rest.find("*/").map_or(rest.len(), |end| end + 2));
            } else {
                // Behind an empty line it is the head of a file, or about something else.
                return comment.filter(|(_, line)| line + 1 >= self.line).map(|(text, _)| text);
            }
        }
    }

    fn word(&mut self) -> Result<SqlWord, &'static str> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(SqlWord::End) };
        if let Some(digits) = rest.strip_prefix(['x', 'X']).filter(|digits| digits.starts_with('\'')) {
            let (digits, length) = quoted(digits, '\'').ok_or("sql.no-end-of-text")?;
            let bytes = hex(&digits).ok_or("sql.no-bytes")?;
            self.skip(length + 1);
            return Ok(SqlWord::Bytes(bytes));
        }
        if first == '\'' || first == '"' {
            let (text, length) = quoted(rest, first).ok_or("sql.no-end-of-text")?;
            self.skip(length);
            return Ok(if first == '"' { SqlWord::Quoted(text) } else { SqlWord::Text(text) });
        }
        if first.is_alphabetic() || first == '_' {
            let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '@');
            let name = rest.get(..rest.find(|char| !is_name(char)).unwrap_or(rest.len())).unwrap_or_default();
            self.skip(name.len());
            return Ok(SqlWord::Name(name.to_uppercase()));
        }
        if first.is_ascii_digit() || first == '.' && rest.get(1..).is_some_and(begins_with_digit) {
            let length = number(rest);
            self.skip(length);
            return Ok(SqlWord::Number(rest.get(..length).unwrap_or_default().to_owned()));
        }
        if first == '?' || first == ':' && rest.get(1..).is_some_and(begins_with_digit) {
            let length = 1 + rest.get(1..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
            self.skip(if first == '?' { 1 } else { length });
            return Ok(SqlWord::Bind);
        }
        let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)).ok_or("sql.no-word")?;
        self.skip(symbol.len());
        Ok(SqlWord::Symbol(symbol))
    }
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_digit())
}

/// Bytes of the number that a text begins with.
fn number(text: &str) -> usize {
    let digits = |from: usize| text.bytes().skip(from).take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    if text.as_bytes().get(length) == Some(&b'.') {
        length += 1 + digits(length + 1);
    }
    if matches!(text.as_bytes().get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.as_bytes().get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        length += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    // `5L` is a BIGINT.
    length + usize::from(matches!(text.as_bytes().get(length), Some(b'l' | b'L')))
}

/// A text in quotes, of which two stand for one, and its bytes with the quotes; `None` if it does not end. Phoenix takes a backslash as the
/// beginning of an escape.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut chars = text.char_indices().skip(1).peekable();
    let mut found = String::new();
    while let Some((at, char)) = chars.next() {
        if char == '\\' && quote == '\'' {
            let (_, escaped) = chars.next()?;
            found.push_str(match escaped {
                'n' => "\n",
                't' => "\t",
                'b' => "\u{8}",
                'f' => "\u{c}",
                'r' => "\r",
                '"' => "\"",
                '\'' => "'",
                '\\' => "\\",
                // The pattern of a LIKE needs it.
                _ => "\\",
            });
            if !matches!(escaped, 'n' | 't' | 'b' | 'f' | 'r' | '"' | '\'' | '\\') {
                found.push(escaped);
            }
        } else if char != quote {
            found.push(char);
        } else if quote == '\'' && chars.peek().is_some_and(|&(_, next)| next == quote) {
            found.push(quote);
            chars.next();
        } else {
            return Some((found, at + char.len_utf8()));
        }
    }
    None
}

fn hex(digits: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = digits
        .chars()
        .filter(|char| !char.is_whitespace())
        .map(|char| Some(char.to_digit(16)? as u8))
        .collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}
