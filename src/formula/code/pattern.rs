//! Patterns of `String.format` and of times.

use super::numbers;
use super::run::Run;
use super::terms::{self, Terms, number, step};
use super::unread::{CodeSpan, Unread};
use super::value::{Pattern, Value};
use crate::formula::syntax::{GivenArgument, Term};
use crate::records::field::time::zone_offset;

type Result<T> = std::result::Result<T, Unread>;

/// Widest padding.
const MOST_WIDTH: i64 = 1000;

impl Run<'_> {
    /// `String.format(pattern, given…)`.
    pub fn formatted(&mut self, pattern: &str, given: Vec<Value>, span: CodeSpan) -> Result<Terms> {
        let mut given = given.into_iter();
        let mut all = Terms::new();
        let mut rest = pattern;
        while let Some((before, behind)) = rest.split_once('%') {
            terms::push(&mut all, terms::text(before));
            if let Some(behind) = behind.strip_prefix('%') {
                terms::push(&mut all, terms::text("%"));
                rest = behind;
                continue;
            }
            let end = behind.find(|char: char| char.is_ascii_alphabetic()).ok_or(Unread::new(span))?;
            let (flags, behind) = behind.split_at(end);
            let mut letters = behind.chars();
            let letter = letters.next().ok_or(Unread::new(span))?;
            let value = given.next().ok_or(Unread::new(span))?;
            terms::push(&mut all, self.converted(flags, letter, value, span)?);
            rest = letters.as_str();
        }
        terms::push(&mut all, terms::text(rest));
        if given.next().is_some() { Err(Unread::new(span)) } else { Ok(all) }
    }

    /// One conversion of a pattern, such as `%04d`.
    fn converted(&mut self, flags: &str, letter: char, value: Value, span: CodeSpan) -> Result<Terms> {
        let unread = Unread::new(span);
        let zeros = flags.starts_with('0');
        let width = if flags.is_empty() {
            None
        } else {
            let width = flags.parse::<i64>().ok().filter(|width| (1..=MOST_WIDTH).contains(width));
            Some(width.filter(|_| flags.chars().all(|char| char.is_ascii_digit())).ok_or(unread)?)
        };
        let digits = |term: Term, name: &str, width: i64| vec![step(term, name, [number(width)])];
        match (letter, width) {
            ('s', None) => self.text(value, span),
            ('d', None) => numbers::decimal(self.number(value, span)?, span),
            ('d' | 'x' | 'X', Some(width)) if zeros => {
                if let (Value::Magnitude(term), 'x' | 'X') = (&value, letter) {
                    let name = if letter == 'x' { "hex" } else { "HEX" };
                    let whole = terms::width(term).is_some_and(|bytes| 2 * bytes == width);
                    return if whole { Ok(vec![step(term.clone(), name, [])]) } else { Err(unread) };
                }
                let number = self.number(value, span)?;
                if number.is_cast {
                    return Err(Unread::because(span, "code.may-be-cut"));
                }
                let name = match letter {
                    'd' => "decimal",
                    'x' => "hex",
                    _ => "HEX",
                };
                match (number.known(), number.term) {
                    (Some(known), _) if known >= 0 && letter == 'd' => {
                        Ok(terms::text(&format!("{known:0width$}", width = width as usize)))
                    }
                    // A negative number has more digits in hex, and a sign in front of its zeros.
                    (None, Some(term)) if number.low >= 0 || number.is_of_field => {
                        Ok(digits(term, name, width))
                    }
                    _ => Err(Unread::because(span, "code.no-step")),
                }
            }
            ('s' | 'd', Some(width)) if !zeros => {
                let text = if letter == 'd' {
                    numbers::decimal(self.number(value, span)?, span)?
                } else {
                    self.text(value, span)?
                };
                Ok(vec![padded(terms::joined(text), width, ' ')])
            }
            _ => Err(unread),
        }
    }

    /// A time as a pattern writes it.
    pub fn time_text(&mut self, pattern: &Pattern, value: Value, span: CodeSpan) -> Result<Terms> {
        let (term, zone) = self.time(value, span)?;
        let zone = pattern.zone.clone().or(zone);
        let of = self.fields.iter().find(|field| terms::field(&field.name) == term);
        let own = of.and_then(|field| zone_offset(field.zone.as_deref()).ok());
        match &zone {
            Some(zone) if zone_offset(Some(zone)).ok() != own => {
                return Err(Unread::because(span, "code.other-zone"));
            }
            Some(_) => {}
            None => {
                let name = of.map_or_else(String::new, |field| field.name.clone());
                self.assume(&name, "code.assumed-zone");
            }
        }
        if pattern.is_simple && has_other_fraction(&pattern.text) {
            return Err(Unread::because(span, "code.no-step"));
        }
        Ok(vec![step(term, "format", [GivenArgument::Text(pattern.text.clone())])])
    }

    /// A value as a time, with the zone that the code states.
    pub fn time(&mut self, value: Value, span: CodeSpan) -> Result<(Term, Option<String>)> {
        match value {
            Value::Time(term, zone) => Ok((term, zone)),
            Value::Field(at, _) => {
                let time =
                    self.fields.get(at).filter(|field| field.kind == crate::records::field::Kind::Time);
                time.map(|field| (terms::field(&field.name), None)).ok_or(Unread::new(span))
            }
            // Milliseconds of a field are the field.
            Value::Number(number) => {
                let millis =
                    number.term.filter(|_| !number.is_cast && number.of == super::java_type::JavaType::Long);
                let mut term = millis.ok_or(Unread::new(span))?;
                match term.steps.pop() {
                    Some(last) if last.name == "millis" && term.steps.is_empty() => Ok((term, None)),
                    _ => Err(Unread::because(span, "code.no-step")),
                }
            }
            _ => Err(Unread::new(span)),
        }
    }
}

/// Text padded on the left.
pub(super) fn padded(term: Term, width: i64, with: char) -> Term {
    step(term, "pad", [number(width), GivenArgument::Text(with.to_string())])
}

/// True if a `SimpleDateFormat` would write the fraction of a second otherwise: its `S` are a number of milliseconds.
fn has_other_fraction(pattern: &str) -> bool {
    let bare: String = pattern.split('\'').step_by(2).collect();
    let count = bare.chars().filter(|char| *char == 'S').count();
    count > 0 && (count != 3 || !bare.contains("SSS"))
}
