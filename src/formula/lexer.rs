//! The words of a formula.

use super::syntax::{Span, begins_name, continues_name};
use crate::base::Problem;

/// A word of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Name(String),
    /// A name in backticks: always a field.
    Field(String),
    Text(String),
    Bytes(Vec<u8>),
    Number(i64),
    Symbol(char),
    End,
}

/// Longest formula, in characters.
pub(super) const MAX_LENGTH: usize = 10_000;

/// Splits a formula into words with their columns; the last is [`Token::End`].
pub(super) fn tokens(source: &str) -> Result<Vec<(Token, Span)>, Problem> {
    let chars: Vec<char> = source.chars().collect();
    if chars.len() > MAX_LENGTH {
        let problem = Problem::new("formula.too-long").with("length", chars.len()).with("limit", MAX_LENGTH);
        return Err(problem.at_columns(MAX_LENGTH + 1, chars.len() + 1));
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&char) = chars.get(at) {
        let start = at;
        let problem = |code: &'static str, end: usize| Problem::new(code).at_columns(start + 1, end + 1);
        let run = |from: usize, belongs: fn(char) -> bool| {
            from + chars[from..].iter().take_while(|&&char| belongs(char)).count()
        };
        let token = match char {
            _ if char.is_whitespace() => {
                at += 1;
                continue;
            }
            'x' if chars.get(at + 1) == Some(&'\'') => {
                let (digits, end) =
                    quoted(&chars, at + 1, '\'').ok_or_else(|| problem("formula.open-text", chars.len()))?;
                at = end;
                Token::Bytes(
                    hex(&digits).ok_or_else(|| problem("formula.not-hex", end).with("found", &digits))?,
                )
            }
            '\'' => {
                let (text, end) =
                    quoted(&chars, at, '\'').ok_or_else(|| problem("formula.open-text", chars.len()))?;
                at = end;
                Token::Text(text)
            }
            '`' => {
                let (name, end) =
                    quoted(&chars, at, '`').ok_or_else(|| problem("formula.open-name", chars.len()))?;
                at = end;
                Token::Field(name)
            }
            '-' | '0'..='9' => {
                at = run(at + 1, continues_name);
                let text: String = chars[start..at].iter().collect();
                Token::Number(
                    number(&text).ok_or_else(|| problem("formula.not-a-number", at).with("found", &text))?,
                )
            }
            _ if begins_name(char) => {
                at = run(at + 1, continues_name);
                Token::Name(chars[start..at].iter().collect())
            }
            '+' | '.' | '(' | ')' | ',' => {
                at += 1;
                Token::Symbol(char)
            }
            _ => return Err(problem("formula.unexpected-character", start + 1).with("found", char)),
        };
        tokens.push((token, Span { start: start + 1, end: at + 1 }));
    }
    tokens.push((Token::End, Span { start: chars.len() + 1, end: chars.len() + 2 }));
    Ok(tokens)
}

/// Text between quotes that begin at `at`, a doubled quote standing for one, and the place after it.
fn quoted(chars: &[char], at: usize, quote: char) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut next = at + 1;
    loop {
        let char = *chars.get(next)?;
        next += 1;
        if char != quote {
            text.push(char);
        } else if chars.get(next) == Some(&quote) {
            text.push(quote);
            next += 1;
        } else {
            return Some((text, next));
        }
    }
}

fn hex(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?)).collect()
}

fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with(['-', '+'])),
        None => text.parse().ok(),
    }
}
