//! The words of a formula.

use super::syntax::{FormulaSpan, begins_name, continues_name};
use crate::base::{Problem, limits};

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
pub(super) const MAX_LENGTH: usize = limits::FORMULA.most as usize;

/// Splits a formula into words with their columns; the last is [`Token::End`].
pub(super) fn tokens(source: &str) -> Result<Vec<(Token, FormulaSpan)>, Problem> {
    let chars: Vec<char> = source.chars().collect();
    if chars.len() > MAX_LENGTH {
        let problem = Problem::new("formula.too-long").with("length", chars.len()).with("limit", MAX_LENGTH);
        return Err(problem.at_columns(MAX_LENGTH + 1, chars.len() + 1));
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&char) = chars.get(at) {
        if char.is_whitespace() {
            at += 1;
            continue;
        }
        let (token, end) = token(&chars, at, char)?;
        tokens.push((token, FormulaSpan { start: at + 1, end: end + 1 }));
        at = end;
    }
    tokens.push((Token::End, FormulaSpan { start: chars.len() + 1, end: chars.len() + 2 }));
    Ok(tokens)
}

/// The word that begins at `start` with `first`, and the place after it.
fn token(chars: &[char], start: usize, first: char) -> Result<(Token, usize), Problem> {
    let problem = |code: &'static str, end: usize| Problem::new(code).at_columns(start + 1, end + 1);
    let text = |at: usize, quote: char, open: &'static str| {
        quoted(chars, at, quote).ok_or_else(|| problem(open, chars.len()))
    };
    let word = || {
        let length = 1 + chars[start + 1..].iter().take_while(|&&char| continues_name(char)).count();
        (chars[start..start + length].iter().collect::<String>(), start + length)
    };
    Ok(match first {
        'x' if chars.get(start + 1) == Some(&'\'') => {
            let (digits, end) = text(start + 1, '\'', "formula.open-text")?;
            let bytes = hex(&digits).ok_or_else(|| problem("formula.not-hex", end).with("found", &digits))?;
            (Token::Bytes(bytes), end)
        }
        '\'' => {
            let (text, end) = text(start, first, "formula.open-text")?;
            (Token::Text(text), end)
        }
        '`' => {
            let (name, end) = text(start, first, "formula.open-name")?;
            (Token::Field(name), end)
        }
        '-' | '0'..='9' => {
            let (text, end) = word();
            let number =
                number(&text).ok_or_else(|| problem("formula.not-a-number", end).with("found", &text))?;
            (Token::Number(number), end)
        }
        _ if begins_name(first) => {
            let (name, end) = word();
            (Token::Name(name), end)
        }
        '+' | '.' | '(' | ')' | ',' => (Token::Symbol(first), start + 1),
        _ => return Err(problem("formula.unexpected-character", start + 1).with("found", first)),
    })
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
