//! Text to [`Formula`].

use super::lexer::{Token, tokens};
use super::steps;
use super::syntax::{Argument, Formula, FormulaCall, FormulaSpan, GivenArgument, REST, Term, TermSource};
use crate::base::{Problem, limits};

/// Deepest nesting of calls.
const MAX_DEPTH: usize = limits::CALLS.most as usize;

/// Parses a formula.
///
/// # Errors
/// The first place that cannot be read, with its columns and what was expected there.
pub fn parse(source: &str) -> Result<Formula, Problem> {
    let mut parser = Parser { tokens: tokens(source)?, at: 0, depth: 0, terms: 0 };
    if *parser.token() == Token::End {
        return Err(Problem::new("formula.empty").at_columns(1, 2));
    }
    let mut parts = vec![parser.term()?];
    while parser.take('+') {
        parts.push(parser.term()?);
    }
    match parser.token() {
        Token::End => Ok(Formula { parts }),
        _ => Err(parser.unexpected("+")),
    }
}

struct Parser {
    /// Ends with [`Token::End`], which is never passed.
    tokens: Vec<(Token, FormulaSpan)>,
    at: usize,
    depth: usize,
    /// Parts so far, those of calls too.
    terms: usize,
}

impl Parser {
    fn token(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(token, _)| token)
    }

    fn span(&self) -> FormulaSpan {
        self.tokens.get(self.at).map_or(FormulaSpan::default(), |&(_, span)| span)
    }

    fn next(&mut self) -> (Token, FormulaSpan) {
        let token = (self.token().clone(), self.span());
        self.at += 1;
        token
    }

    fn is(&self, symbol: char) -> bool {
        *self.token() == Token::Symbol(symbol)
    }

    fn take(&mut self, symbol: char) -> bool {
        let found = self.is(symbol);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: char) -> Result<(), Problem> {
        if self.take(symbol) { Ok(()) } else { Err(self.unexpected(&symbol.to_string())) }
    }

    /// Column after the word read last.
    fn end(&self) -> usize {
        self.at.checked_sub(1).and_then(|before| self.tokens.get(before)).map_or(1, |(_, span)| span.end)
    }

    /// Refuses what stands here; `expected` is a symbol, or the code of words for it.
    fn unexpected(&self, expected: &str) -> Problem {
        let found = match self.token() {
            Token::Name(name) => name.clone(),
            Token::Field(name) => format!("`{name}`"),
            Token::Text(text) => format!("'{text}'"),
            Token::Bytes(_) => "x'…'".to_owned(),
            Token::Number(number) => number.to_string(),
            Token::Symbol(symbol) => symbol.to_string(),
            Token::End => return self.problem("formula.ends-too-early").with("expected", expected),
        };
        self.problem("formula.unexpected").with("found", found).with("expected", expected)
    }

    fn problem(&self, code: &'static str) -> Problem {
        let span = self.span();
        Problem::new(code).at_columns(span.start, span.end)
    }

    /// Refuses what is over a limit, here.
    fn within(&self, limit: &limits::Limit, count: usize) -> Result<(), Problem> {
        let span = self.span();
        limit.check(count).map_err(|problem| problem.at_columns(span.start, span.end))
    }

    fn term(&mut self) -> Result<Term, Problem> {
        self.terms += 1;
        self.within(&limits::PARTS, self.terms)?;
        let start = self.span().start;
        let source = match self.token().clone() {
            Token::Name(name) => {
                let (_, span) = self.next();
                match name.as_str() {
                    _ if self.is('(') => TermSource::Call(self.call(name, span.start)?),
                    REST => TermSource::Rest,
                    _ => TermSource::Field(name),
                }
            }
            Token::Field(name) => {
                self.next();
                TermSource::Field(name)
            }
            Token::Text(text) => {
                self.next();
                TermSource::Text(text)
            }
            Token::Bytes(bytes) => {
                self.next();
                TermSource::Bytes(bytes)
            }
            Token::Number(number) => {
                return Err(self.problem("formula.number-as-part").with("number", number));
            }
            _ => return Err(self.unexpected("formula.expected-value")),
        };
        let source_span = FormulaSpan { start, end: self.end() };
        let mut steps = Vec::new();
        while self.take('.') {
            self.within(&limits::STEPS, steps.len() + 1)?;
            match self.next() {
                (Token::Name(name), span) => {
                    let name = self.family(name)?;
                    steps.push(self.call(name, span.start)?);
                }
                _ => {
                    self.at -= 1;
                    return Err(self.unexpected("formula.expected-step"));
                }
            }
        }
        Ok(Term { source, source_span, steps, span: FormulaSpan { start, end: self.end() } })
    }

    /// The whole name of a step that belongs to a family: `phoenix.bigint`.
    fn family(&mut self, name: String) -> Result<String, Problem> {
        if !steps::is_family(&name) {
            return Ok(name);
        }
        self.expect('.')?;
        match self.next() {
            (Token::Name(member), _) => Ok(format!("{name}.{member}")),
            _ => {
                self.at -= 1;
                Err(self.unexpected("formula.expected-step"))
            }
        }
    }

    fn call(&mut self, name: String, start: usize) -> Result<FormulaCall, Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.problem("formula.too-deep").with("limit", MAX_DEPTH));
        }
        self.expect('(')?;
        let mut arguments = Vec::new();
        if !self.is(')') {
            arguments.push(self.argument()?);
            while self.take(',') {
                arguments.push(self.argument()?);
            }
        }
        if !self.take(')') {
            return Err(self.unexpected(if arguments.is_empty() {
                ")"
            } else {
                "formula.expected-argument"
            }));
        }
        self.depth -= 1;
        Ok(FormulaCall { name, arguments, span: FormulaSpan { start, end: self.end() } })
    }

    fn argument(&mut self) -> Result<Argument, Problem> {
        let span = self.span();
        if let Token::Number(number) = *self.token() {
            self.next();
            return Ok(Argument { value: GivenArgument::Number(number), span });
        }
        let term = self.term()?;
        let span = term.span;
        let value = match term {
            Term { source: TermSource::Text(text), steps, .. } if steps.is_empty() => {
                GivenArgument::Text(text)
            }
            term => GivenArgument::Term(term),
        };
        Ok(Argument { value, span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name() -> impl Strategy<Value = String> {
        prop_oneof!["[a-z_][a-z0-9_]{0,6}", "x", "rest", "\\PC{1,8}"]
    }

    fn term(depth: u32) -> BoxedStrategy<Term> {
        let source = prop_oneof![
            name().prop_map(TermSource::Field),
            "\\PC{0,8}".prop_map(TermSource::Text),
            prop::collection::vec(any::<u8>(), 0..4).prop_map(TermSource::Bytes),
            Just(TermSource::Rest),
        ];
        let source = match depth {
            0 => source.boxed(),
            _ => prop_oneof![3 => source, 1 => call(depth - 1).prop_map(TermSource::Call)].boxed(),
        };
        let steps = match depth {
            0 => Just(Vec::new()).boxed(),
            _ => prop::collection::vec(call(depth - 1), 0..3).boxed(),
        };
        (source, steps)
            .prop_map(|(source, steps)| Term {
                source,
                source_span: FormulaSpan::default(),
                steps,
                span: FormulaSpan::default(),
            })
            .boxed()
    }

    fn call(depth: u32) -> BoxedStrategy<FormulaCall> {
        let value = prop_oneof![
            any::<i64>().prop_map(GivenArgument::Number),
            "\\PC{0,8}".prop_map(GivenArgument::Text),
            term(depth).prop_filter_map("a bare text is a text argument", |term| {
                let bare = matches!(term.source, TermSource::Text(_)) && term.steps.is_empty();
                (!bare).then_some(GivenArgument::Term(term))
            }),
        ];
        let argument = value.prop_map(|value| Argument { value, span: FormulaSpan::default() });
        ("[a-z][a-zA-Z0-9]{0,6}", prop::collection::vec(argument, 0..3))
            .prop_map(|(name, arguments)| FormulaCall { name, arguments, span: FormulaSpan::default() })
            .boxed()
    }

    proptest! {
        #[test]
        fn what_is_printed_parses_to_the_same(parts in prop::collection::vec(term(2), 1..4)) {
            let formula = Formula { parts };
            let printed = formula.to_string();
            prop_assert_eq!(parse(&printed), Ok(formula), "{}", printed);
        }

        #[test]
        fn any_text_is_parsed_or_refused_with_its_column(source in "\\PC{0,40}|[a-c'`x(),.+ 0-9-]{0,40}") {
            match parse(&source) {
                Ok(formula) => prop_assert_eq!(parse(&formula.to_string()), Ok(formula)),
                Err(problem) => {
                    let length = source.chars().count();
                    prop_assert!(problem.place.column.is_some_and(|column| column >= 1 && column <= length + 1));
                }
            }
        }
    }

    #[test]
    fn refusals_name_the_column() {
        for (source, code, column) in [
            ("", "formula.empty", 1),
            ("a + ", "formula.ends-too-early", 5),
            ("a.format('yyyy'", "formula.ends-too-early", 16),
            ("a 'b'", "formula.unexpected", 3),
            ("a + 5", "formula.number-as-part", 5),
            ("a + 'b", "formula.open-text", 5),
            ("x'0g'", "formula.not-hex", 1),
            ("a # b", "formula.unexpected-character", 3),
            ("a.pad(99999999999999999999, '0')", "formula.not-a-number", 7),
        ] {
            let problem = parse(source).expect_err(source);
            assert_eq!((problem.code, problem.place.column), (code, Some(column)), "{source}");
        }
    }
}
