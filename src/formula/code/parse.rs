//! Words to [`Program`].

use super::java_type::JavaType;
use super::lexer::{Token, Word, tokens};
use super::syntax::{Expression, ExpressionKind, Method, Piece, Program, Statement};
use super::unread::{CodeSpan, Unread};

/// Deepest nesting of expressions and blocks.
const MOST_DEPTH: usize = 32;
/// Longest chain of calls, or of operators of one kind.
const MOST_CHAIN: usize = 100;

/// Words before a declaration or a method that say nothing about bytes.
const MODIFIERS: [&str; 14] = [
    "public",
    "private",
    "protected",
    "static",
    "final",
    "synchronized",
    "override",
    "lazy",
    "implicit",
    "abstract",
    "transient",
    "volatile",
    "native",
    "strictfp",
];

/// Binary operators, those that bind least first.
const BINARY: [&[&str]; 9] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>", ">>>"],
    &["+", "-", "++"],
];
const FACTORS: [&str; 3] = ["*", "/", "%"];
const ASSIGNMENTS: [(&str, Option<&str>); 9] = [
    ("=", None),
    ("+=", Some("+")),
    ("-=", Some("-")),
    ("*=", Some("*")),
    ("/=", Some("/")),
    ("%=", Some("%")),
    ("&=", Some("&")),
    ("|=", Some("|")),
    ("^=", Some("^")),
];

type Read<T> = Result<T, Unread>;

/// Reads statements and methods, also those of a class.
pub(super) fn program(tokens: &[Token]) -> Read<Program> {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let mut program = Program::default();
    parser.members(&mut program)?;
    if parser.is_end() { Ok(program) } else { Err(parser.unexpected()) }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self, ahead: usize) -> &'a Word {
        self.tokens.get(self.at + ahead).map_or(&Word::End, |token| &token.word)
    }

    fn span(&self) -> CodeSpan {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(CodeSpan::default(), |token| token.span)
    }

    /// Where the word before ends.
    fn behind(&self) -> CodeSpan {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map_or(CodeSpan::default(), |token| token.span)
    }

    fn from(&self, start: CodeSpan) -> CodeSpan {
        start.to(self.behind())
    }

    fn is_end(&self) -> bool {
        *self.peek(0) == Word::End
    }

    fn begins_line(&self) -> bool {
        self.tokens.get(self.at).is_none_or(|token| token.begins_line)
    }

    fn is(&self, symbol: &str) -> bool {
        self.is_at(0, symbol)
    }

    fn is_at(&self, ahead: usize, symbol: &str) -> bool {
        matches!(self.peek(ahead), Word::Symbol(found) if *found == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(0), Word::Name(name) if name == word)
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, symbol: &str) -> Read<()> {
        if self.take(symbol) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn name(&mut self) -> Read<String> {
        let Word::Name(name) = self.peek(0) else { return Err(self.unexpected()) };
        self.at += 1;
        Ok(name.clone())
    }

    fn unexpected(&self) -> Unread {
        Unread::new(self.span())
    }

    /// Runs something one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MOST_DEPTH {
            return Err(Unread::because(self.span(), "code.too-deep"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Refuses a chain whose parts would nest too deeply when they are run.
    fn check_chain(&self, links: usize, start: CodeSpan) -> Read<()> {
        if links <= MOST_CHAIN { Ok(()) } else { Err(Unread::because(self.from(start), "code.too-long")) }
    }

    /// Tries to read something; goes back where it is not there.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = before;
        }
        found
    }

    /// Members of a class, or statements: up to the end or a closing brace.
    fn members(&mut self, program: &mut Program) -> Read<()> {
        while !self.is_end() && !self.is("}") {
            if self.take(";") {
                continue;
            }
            if self.is_word("import") || self.is_word("package") {
                self.skip_line();
                continue;
            }
            self.modifiers();
            if self.is_word("class") || self.is_word("object") {
                self.class(program)?;
            } else if let Some(method) = self.method()? {
                program.methods.push(method);
            } else {
                program.statements.push(self.statement()?);
            }
        }
        Ok(())
    }

    fn skip_line(&mut self) {
        self.at += 1;
        while !self.is_end() && !self.begins_line() && !self.is(";") {
            self.at += 1;
        }
    }

    fn modifiers(&mut self) {
        loop {
            if self.is("@") {
                self.at += 2;
                if self.is("(") {
                    self.skip_brackets("(", ")");
                }
            } else if matches!(self.peek(0), Word::Name(name) if MODIFIERS.contains(&name.as_str()))
                && matches!(self.peek(1), Word::Name(_) | Word::Symbol("@"))
            {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// Passes brackets with what is between them.
    fn skip_brackets(&mut self, open: &str, close: &str) {
        let mut depth = 0usize;
        while !self.is_end() {
            depth += usize::from(self.is(open));
            let closes = self.is(close);
            self.at += 1;
            if closes {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return;
                }
            }
        }
    }

    fn class(&mut self, program: &mut Program) -> Read<()> {
        while !self.is("{") && !self.is_end() {
            self.at += 1;
        }
        self.need("{")?;
        self.deeper(|parser| parser.members(program))?;
        self.need("}")
    }

    /// A method of Java or Scala; `None` where something else stands here.
    fn method(&mut self) -> Read<Option<Method>> {
        let start = self.span();
        if self.is_word("def") {
            return self.scala_method(start).map(Some);
        }
        let head = self.attempt(|parser| {
            let gives = parser.java_type()?;
            let name = parser.name().ok()?;
            let parameters = parser.java_parameters()?;
            if parser.take_word("throws") {
                while !parser.is("{") && !parser.is_end() {
                    parser.at += 1;
                }
            }
            parser.is("{").then_some((gives, name, parameters))
        });
        let Some((gives, name, parameters)) = head else { return Ok(None) };
        let body = self.block()?;
        Ok(Some(Method { name, parameters, gives, body, span: self.from(start) }))
    }

    fn java_parameters(&mut self) -> Option<Vec<(JavaType, String)>> {
        let mut parameters = Vec::new();
        if !self.take("(") {
            return None;
        }
        while !self.take(")") {
            self.modifiers();
            let of = self.java_type()?;
            let of = if self.take("...") { of.array() } else { of };
            parameters.push((of, self.name().ok()?));
            if !self.take(",") && !self.is(")") {
                return None;
            }
        }
        Some(parameters)
    }

    fn scala_method(&mut self, start: CodeSpan) -> Read<Method> {
        self.at += 1;
        let name = self.name()?;
        let mut parameters = Vec::new();
        if self.take("(") {
            while !self.take(")") {
                let name = self.name()?;
                self.need(":")?;
                let of = self.java_type().ok_or_else(|| self.unexpected())?;
                parameters.push((of, name));
                if !self.take(",") && !self.is(")") {
                    return Err(self.unexpected());
                }
            }
        }
        let gives =
            if self.take(":") { self.java_type().ok_or_else(|| self.unexpected())? } else { JavaType::Other };
        self.need("=")?;
        let body = if self.is("{") { self.block()? } else { vec![Statement::Expression(self.expression()?)] };
        Ok(Method { name, parameters, gives, body, span: self.from(start) })
    }

    /// A type: `a.b.C<D>[]`, or `Array[Byte]` of Scala.
    fn java_type(&mut self) -> Option<JavaType> {
        let mut name = self.name().ok()?;
        while self.is(".") && matches!(self.peek(1), Word::Name(_)) {
            self.at += 1;
            name = self.name().ok()?;
        }
        if self.is("<") {
            self.generic()?;
            return Some(if matches!(name.as_str(), "List" | "Collection" | "Iterable") {
                JavaType::Strings
            } else {
                JavaType::Other
            });
        }
        let mut of = JavaType::named(&name);
        if self.is("[") && !self.is_at(1, "]") {
            self.at += 1;
            let inner = self.java_type()?;
            if !self.take("]") {
                return None;
            }
            return Some(if name == "Array" { inner.array() } else { JavaType::Other });
        }
        while self.is("[") && self.is_at(1, "]") {
            self.at += 2;
            of = of.array();
        }
        Some(of)
    }

    /// Passes `<…>` of a type.
    fn generic(&mut self) -> Option<()> {
        let mut depth = 0i32;
        loop {
            match self.peek(0) {
                Word::Symbol("<") => depth += 1,
                Word::Symbol(">") => depth -= 1,
                Word::Symbol(">>") => depth -= 2,
                Word::Name(_) | Word::Symbol("," | "." | "?" | "[" | "]" | "&") => {}
                _ => return None,
            }
            self.at += 1;
            if depth <= 0 {
                return (depth == 0).then_some(());
            }
        }
    }

    fn block(&mut self) -> Read<Vec<Statement>> {
        self.need("{")?;
        let statements = self.deeper(|parser| {
            let mut statements = Vec::new();
            while !parser.is("}") && !parser.is_end() {
                if !parser.take(";") {
                    parser.modifiers();
                    statements.push(parser.statement()?);
                }
            }
            Ok(statements)
        })?;
        self.need("}")?;
        Ok(statements)
    }

    fn statement(&mut self) -> Read<Statement> {
        let start = self.span();
        if self.is("{") {
            return Ok(Statement::Block(self.block()?));
        }
        if self.take_word("return") {
            let value = self.expression()?;
            self.end_statement()?;
            return Ok(Statement::Return(value));
        }
        if self.is_word("try") && self.is_at(1, "{") {
            return self.tried();
        }
        if matches!(self.peek(0), Word::Name(word) if DECIDING.contains(&word.as_str())) {
            self.skip_statement();
            return Ok(Statement::Unread(self.from(start)));
        }
        if let Some(declared) = self.declaration()? {
            return Ok(declared);
        }
        let to = self.expression()?;
        if let Some((symbol, operator)) = ASSIGNMENTS.iter().find(|(symbol, _)| self.is(symbol)) {
            self.need(symbol)?;
            let value = self.expression()?;
            self.end_statement()?;
            return Ok(Statement::Assign(to, *operator, value));
        }
        self.end_statement()?;
        Ok(Statement::Expression(to))
    }

    /// A block whose errors are caught: where one is, no key is made.
    fn tried(&mut self) -> Read<Statement> {
        self.at += 1;
        let block = self.block()?;
        while self.take_word("catch") {
            if self.is("(") {
                self.skip_brackets("(", ")");
            }
            self.skip_brackets("{", "}");
        }
        if self.is_word("finally") {
            return Err(self.unexpected());
        }
        Ok(Statement::Block(block))
    }

    /// Passes a statement that decides or repeats, with its block.
    fn skip_statement(&mut self) {
        while !self.is_end() && !self.is("}") {
            if self.is("(") {
                self.skip_brackets("(", ")");
            } else if self.is("{") {
                self.skip_brackets("{", "}");
                if !self.is_word("else") {
                    return;
                }
            } else if self.take(";") {
                return;
            } else {
                self.at += 1;
            }
        }
    }

    fn declaration(&mut self) -> Read<Option<Statement>> {
        if self.is_word("val") || (self.is_word("var") && matches!(self.peek(1), Word::Name(_))) {
            self.at += 1;
            let name = self.name()?;
            let of =
                if self.take(":") { Some(self.java_type().ok_or_else(|| self.unexpected())?) } else { None };
            self.need("=")?;
            let value = self.expression()?;
            self.end_statement()?;
            return Ok(Some(Statement::Declare(of, name, Some(value))));
        }
        let head = self.attempt(|parser| {
            let of = parser.java_type()?;
            let name = parser.name().ok()?;
            let array = parser.is("[") && parser.is_at(1, "]");
            parser.at += if array { 2 } else { 0 };
            let of = if array { of.array() } else { of };
            (parser.is("=") || parser.is(";")).then_some((of, name))
        });
        let Some((of, name)) = head else { return Ok(None) };
        let value = if self.take("=") {
            let value = if self.is("{") { self.elements(of)? } else { self.expression()? };
            Some(value)
        } else {
            None
        };
        self.end_statement()?;
        Ok(Some(Statement::Declare(Some(of), name, value)))
    }

    fn end_statement(&mut self) -> Read<()> {
        if self.take(";") || self.is("}") || self.is_end() || self.begins_line() {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn expression(&mut self) -> Read<Expression> {
        self.deeper(|parser| parser.binary(0))
    }

    /// Operators that bind as tightly as those of this level, or tighter.
    fn binary(&mut self, level: usize) -> Read<Expression> {
        let start = self.span();
        let operators = BINARY.get(level).copied().unwrap_or(&FACTORS);
        let is_last = level >= BINARY.len();
        let mut left = if is_last { self.unary()? } else { self.binary(level + 1)? };
        let mut links = 0;
        while let Some(operator) = operators.iter().find(|operator| self.is(operator)) {
            self.at += 1;
            links += 1;
            self.check_chain(links, start)?;
            let right = if is_last { self.unary()? } else { self.binary(level + 1)? };
            let kind = ExpressionKind::Binary(Box::new(left), operator, Box::new(right));
            left = Expression { kind, span: self.from(start) };
        }
        if level == 0 && self.is("?") {
            return Err(Unread::because(start.to(self.span()), "code.decides"));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Read<Expression> {
        let start = self.span();
        if self.take("+") {
            return self.deeper(Self::unary);
        }
        if self.take("-") {
            let value = self.deeper(Self::unary)?;
            return Ok(Expression {
                kind: ExpressionKind::Negative(Box::new(value)),
                span: self.from(start),
            });
        }
        if let Some(of) = self.cast() {
            let value = self.deeper(Self::unary)?;
            return Ok(Expression {
                kind: ExpressionKind::Cast(of, Box::new(value)),
                span: self.from(start),
            });
        }
        self.postfix()
    }

    /// `(type)` before a value.
    fn cast(&mut self) -> Option<JavaType> {
        self.attempt(|parser| {
            if !parser.take("(") {
                return None;
            }
            let of = parser.java_type().filter(|of| *of != JavaType::Other)?;
            let closed = parser.take(")");
            let goes_on = match parser.peek(0) {
                Word::Symbol(symbol) => *symbol == "(" || (*symbol == "-" && of.bits().is_some()),
                Word::End => false,
                _ => true,
            };
            (closed && goes_on).then_some(of)
        })
    }

    fn postfix(&mut self) -> Read<Expression> {
        let start = self.span();
        let mut value = self.primary()?;
        let mut links = 0;
        loop {
            links += 1;
            self.check_chain(links, start)?;
            let kind = if self.take(".") {
                self.type_arguments();
                let name = self.name()?;
                self.type_arguments();
                if self.is("(") {
                    let given = self.arguments()?;
                    ExpressionKind::Call(Some(Box::new(value)), name, given)
                } else {
                    ExpressionKind::Member(Box::new(value), name)
                }
            } else if self.is("[") {
                self.at += 1;
                let at = self.expression()?;
                self.need("]")?;
                ExpressionKind::Index(Box::new(value), Box::new(at))
            } else {
                return Ok(value);
            };
            value = Expression { kind, span: self.from(start) };
        }
    }

    /// Passes type arguments of a call: `<String>` or `[String]`.
    fn type_arguments(&mut self) {
        let before = self.at;
        let passed = if self.is("<") {
            self.generic().is_some()
        } else if self.is("[") && matches!(self.peek(1), Word::Name(_)) && self.is_at(2, "]") {
            self.at += 3;
            self.is("(")
        } else {
            true
        };
        if !passed {
            self.at = before;
        }
    }

    fn arguments(&mut self) -> Read<Vec<Expression>> {
        self.need("(")?;
        let mut given = Vec::new();
        while !self.take(")") {
            given.push(self.expression()?);
            if !self.take(",") && !self.is(")") {
                return Err(self.unexpected());
            }
        }
        Ok(given)
    }

    fn primary(&mut self) -> Read<Expression> {
        let start = self.span();
        let kind = match self.peek(0).clone() {
            Word::Number(number, long) => ExpressionKind::Number(number, long),
            Word::Text(text) => ExpressionKind::Text(text),
            Word::Char(char) => ExpressionKind::Char(char),
            Word::Interpolated(letter, text) => ExpressionKind::Interpolated(self.pieces(letter, &text)?),
            Word::Name(name) if name == "new" => {
                self.at += 1;
                return self.made(start);
            }
            Word::Name(name) => {
                self.at += 1;
                let is_array = name == "Array";
                if is_array {
                    self.type_arguments();
                }
                let kind = if self.is("(") {
                    ExpressionKind::Call(None, name, self.arguments()?)
                } else {
                    ExpressionKind::Name(name)
                };
                return Ok(Expression { kind, span: self.from(start) });
            }
            Word::Symbol("(") => {
                self.at += 1;
                let value = self.expression()?;
                self.need(")")?;
                return Ok(Expression { kind: value.kind, span: self.from(start) });
            }
            Word::Real(_) | Word::Symbol(_) | Word::End => return Err(self.unexpected()),
        };
        self.at += 1;
        Ok(Expression { kind, span: self.from(start) })
    }

    /// An object or an array, behind `new`.
    fn made(&mut self, start: CodeSpan) -> Read<Expression> {
        let mut name = self.name()?;
        while self.take(".") {
            name = self.name()?;
        }
        if self.is("<") && self.generic().is_none() {
            return Err(self.unexpected());
        }
        if self.is("(") {
            let given = self.arguments()?;
            return Ok(Expression { kind: ExpressionKind::New(name, given), span: self.from(start) });
        }
        let of = JavaType::named(&name);
        if self.is("[") && !self.is_at(1, "]") {
            self.at += 1;
            let length = self.expression()?;
            self.need("]")?;
            let kind = ExpressionKind::NewArray(of.array(), Box::new(length));
            return Ok(Expression { kind, span: self.from(start) });
        }
        let mut array = of;
        while self.is("[") && self.is_at(1, "]") {
            self.at += 2;
            array = array.array();
        }
        self.elements(array)
    }

    /// `{ a, b }` of an array.
    fn elements(&mut self, of: JavaType) -> Read<Expression> {
        let start = self.span();
        self.need("{")?;
        let mut given = Vec::new();
        while !self.take("}") {
            given.push(self.expression()?);
            if !self.take(",") && !self.is("}") {
                return Err(self.unexpected());
            }
        }
        Ok(Expression { kind: ExpressionKind::Elements(of, given), span: self.from(start) })
    }

    /// The pieces of `s"${a}_$b"` or `f"$a%04d"`.
    fn pieces(&mut self, letter: char, text: &str) -> Read<Vec<Piece>> {
        let span = self.span();
        let unread = || Unread::new(span);
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let (before, found) = rest.split_at(at);
            pieces.push(Piece::Text(before.to_owned()));
            let found = found.get(1..).unwrap_or_default();
            let (code, behind) = if let Some(inner) = found.strip_prefix('{') {
                inner.split_once('}').ok_or_else(unread)?
            } else {
                let end =
                    found.find(|char: char| !char.is_alphanumeric() && char != '_').unwrap_or(found.len());
                found.split_at(end)
            };
            let value = self.inner(code, span)?;
            let (format, behind) = match behind.strip_prefix('%').filter(|_| letter == 'f') {
                Some(format) => {
                    let end = format.find(|char: char| char.is_ascii_alphabetic()).ok_or_else(unread)? + 1;
                    let (format, behind) = format.split_at_checked(end).ok_or_else(unread)?;
                    (Some(format!("%{format}")), behind)
                }
                None => (None, behind),
            };
            pieces.push(Piece::Value(value, format));
            rest = behind;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        let has_percent = |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains('%'));
        if letter == 'f' && pieces.iter().any(has_percent) {
            return Err(unread());
        }
        Ok(pieces)
    }

    /// An expression within a text; its place is that of the text.
    fn inner(&mut self, code: &str, span: CodeSpan) -> Read<Expression> {
        let unread = |_| Unread::new(span);
        let words = tokens(code).map_err(unread)?;
        let words: Vec<Token> = words.into_iter().map(|token| Token { span, ..token }).collect();
        let mut parser = Parser { tokens: &words, at: 0, depth: self.depth + 1 };
        let value = parser.expression().map_err(unread)?;
        if parser.is_end() { Ok(value) } else { Err(Unread::new(span)) }
    }
}

/// Statements that decide or repeat.
const DECIDING: [&str; 9] = ["if", "for", "while", "do", "switch", "match", "throw", "else", "assert"];
