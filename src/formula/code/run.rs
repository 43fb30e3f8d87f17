//! Runs code on symbols.

use super::java_type::JavaType;
use super::numbers;
use super::syntax::{Expression, ExpressionKind, Method, Piece, Program, Statement};
use super::terms::{self, Terms};
use super::unread::{Assumption, CodeSpan, Unread};
use super::value::{Number, Value};
use crate::base::map::Map;
use crate::formula::Formula;
use crate::formula::syntax::Term;
use crate::records::field::Field;

type Result<T> = std::result::Result<T, Unread>;

/// Most expressions that are evaluated, those of called methods again.
const MOST_WORK: usize = 20_000;
/// Deepest nesting of expressions, those of called methods too.
const MOST_DEPTH: usize = 120;
/// Deepest calls of methods of the code itself.
const MOST_CALLS: usize = 16;
/// Most values and steps of a value.
const MOST_TERMS: usize = 1000;
/// Methods that change their object and give it back.
const CHAINED: [&str; 10] =
    ["append", "insert", "reverse", "put", "putLong", "putInt", "putShort", "update", "write", "order"];

/// A value and where it was made.
type Placed = (Value, CodeSpan);
/// Variables of a method, with their types.
type Variables = Map<String, (JavaType, Value)>;

/// The result of statements.
#[derive(Default)]
struct Outcome {
    returned: Option<Placed>,
    last: Option<Placed>,
}

/// The state of code while it runs.
pub(super) struct Run<'a> {
    program: &'a Program,
    pub fields: &'a [Field],
    pub assumed: &'a mut Vec<Assumption>,
    /// Variables outside of methods, then those of each method that runs.
    scopes: Vec<Variables>,
    /// The key of a `Put`.
    row: Option<Placed>,
    work: usize,
    depth: usize,
}

/// The formula of the key that a program makes.
pub(super) fn run(program: &Program, fields: &[Field], assumed: &mut Vec<Assumption>) -> Result<Formula> {
    let mut run = Run { program, fields, assumed, scopes: vec![Map::new()], row: None, work: 0, depth: 0 };
    let (value, span) = run.result()?;
    let parts = match value {
        value @ (Value::Array(..) | Value::Bytes(_)) => run.bytes(value, span)?,
        Value::Number(Number { term: Some(term), is_cast: false, .. }) => vec![term],
        value => run.text(value, span)?,
    };
    if parts.is_empty() { Err(Unread::new(span)) } else { Ok(Formula { parts }) }
}

impl<'a> Run<'a> {
    /// The row key: that of a `Put`, else what is returned, else what is assigned last.
    fn result(&mut self) -> Result<Placed> {
        let program = self.program;
        let outcome = self.statements(&program.statements)?;
        let last = outcome.last.filter(|_| program.methods.is_empty());
        if let Some(found) = self.row.take().or(outcome.returned).or(last) {
            return Ok(found);
        }
        let method = self.entry()?;
        self.scopes.push(Map::new());
        for (of, name) in &method.parameters {
            let value = match self.field_named(name) {
                Some(field) => self.declared(field, name, *of, method.span)?,
                None => Value::Unknown(name.clone()),
            };
            self.declare(name, *of, value);
        }
        let own = self.statements(&method.body)?;
        let found = self.row.take().or(own.returned).or(own.last);
        found.ok_or(Unread::because(method.span, "code.no-key"))
    }

    /// The method that makes the key.
    fn entry(&self) -> Result<&'a Method> {
        let methods = &self.program.methods;
        let named = |word: &str| {
            let found = methods.iter().filter(|method| method.name.to_lowercase().contains(word));
            found.collect::<Vec<&Method>>()
        };
        let all: Vec<&Method> = methods.iter().collect();
        let found =
            [named("rowkey"), named("key"), named("row"), all].into_iter().find(|found| !found.is_empty());
        match found.as_deref() {
            Some([only]) => Ok(only),
            Some([_, second, ..]) => Err(Unread::because(second.span, "code.several-keys")),
            _ => Err(Unread::because(CodeSpan::default(), "code.no-key")),
        }
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<Outcome> {
        let mut last = None;
        for statement in statements {
            // Statements behind the key say nothing about it.
            if self.row.is_some() {
                break;
            }
            match statement {
                Statement::Return(value) => {
                    let returned = Some((self.value(value)?, value.span));
                    return Ok(Outcome { returned, last });
                }
                Statement::Block(own) => {
                    let outcome = self.statements(own)?;
                    if outcome.returned.is_some() {
                        return Ok(outcome);
                    }
                    last = outcome.last.or(last);
                }
                Statement::Unread(span) => return Err(Unread::because(*span, "code.decides")),
                Statement::Declare(of, name, value) => {
                    last = self.declaration(*of, name, value.as_ref())?.or(last)
                }
                Statement::Assign(to, operator, value) => last = Some(self.assignment(to, *operator, value)?),
                Statement::Expression(value) => {
                    let found = self.value(value)?;
                    if !matches!(found, Value::Nothing) {
                        last = Some((found, value.span));
                    }
                }
            }
        }
        Ok(Outcome { returned: None, last })
    }

    fn declaration(
        &mut self,
        of: Option<JavaType>,
        name: &str,
        value: Option<&Expression>,
    ) -> Result<Option<Placed>> {
        let of = of.unwrap_or(JavaType::Other);
        let Some(given) = value else {
            self.declare(name, of, Value::Nothing);
            return Ok(None);
        };
        let value = self.value(given)?;
        self.check_alias(given, &value)?;
        let value = self.assigned(value, of, given.span)?;
        self.declare(name, of, value.clone());
        Ok(Some((value, given.span)))
    }

    /// Refuses a second name for an object that changes.
    fn check_alias(&self, given: &Expression, value: &Value) -> Result<()> {
        let changes = matches!(
            value,
            Value::Builder(_) | Value::Stream(_) | Value::Digest(..) | Value::Buffer(..) | Value::Array(..)
        );
        let is_named = matches!(given.kind, ExpressionKind::Name(_));
        if changes && is_named { Err(Unread::new(given.span)) } else { Ok(()) }
    }

    fn assignment(&mut self, to: &Expression, operator: Option<&str>, value: &Expression) -> Result<Placed> {
        let span = to.span.to(value.span);
        if let ExpressionKind::Index(array, at) = &to.kind
            && let ExpressionKind::Name(name) = &array.kind
            && operator.is_none()
        {
            let at = self.value(at)?;
            let at = self.constant(at, span)?;
            let byte = self.value(value)?;
            let byte = self.byte(byte, value.span)?;
            let array = self.value(array)?;
            let (array, _) = self.put(array, at, byte, span)?;
            self.change(name, array.clone());
            return Ok((array, span));
        }
        let name = match &to.kind {
            ExpressionKind::Name(name) => name,
            ExpressionKind::Member(of, name) if matches!(&of.kind, ExpressionKind::Name(own) if own == "this") => {
                name
            }
            _ => return Err(Unread::new(span)),
        };
        let Some((of, before)) = self.variable(name).cloned() else { return Err(Unread::new(to.span)) };
        let mut new = self.value(value)?;
        self.check_alias(value, &new)?;
        if let Some(operator) = operator {
            new = self.binary((before, to.span), operator, (new, value.span), span)?;
        }
        let new = self.assigned(new, of, value.span)?;
        self.change(name, new.clone());
        Ok((new, value.span))
    }

    fn declare(&mut self, name: &str, of: JavaType, value: Value) {
        if let Some(own) = self.scopes.last_mut() {
            own.insert(name.to_owned(), (of, value));
        }
    }

    fn variable(&self, name: &str) -> Option<&(JavaType, Value)> {
        let own = self.scopes.last().and_then(|own| own.get(name));
        own.or_else(|| self.scopes.first()?.get(name))
    }

    /// Another value of a variable.
    pub fn change(&mut self, name: &str, value: Value) {
        let is_own = self.scopes.last().is_some_and(|own| own.contains_key(name));
        let scope = if is_own { self.scopes.last_mut() } else { self.scopes.first_mut() };
        if let Some(scope) = scope
            && let Some(of) = scope.get(name).map(|(of, _)| *of)
        {
            scope.insert(name.to_owned(), (of, value));
        }
    }

    /// The key of a `Put`.
    pub fn put_row(&mut self, row: Value, span: CodeSpan) {
        self.row.get_or_insert((row, span));
    }

    /// Evaluates an expression.
    pub fn value(&mut self, expression: &Expression) -> Result<Value> {
        let span = expression.span;
        self.work += 1;
        if self.work > MOST_WORK {
            return Err(Unread::because(span, "code.too-long"));
        }
        if self.depth >= MOST_DEPTH {
            return Err(Unread::because(span, "code.too-deep"));
        }
        self.depth += 1;
        let value = self.evaluated(&expression.kind, span);
        self.depth -= 1;
        let value = value?;
        if size(&value) > MOST_TERMS {
            return Err(Unread::because(span, "code.too-long"));
        }
        Ok(value)
    }

    fn evaluated(&mut self, kind: &ExpressionKind, span: CodeSpan) -> Result<Value> {
        match kind {
            ExpressionKind::Name(name) => self.named(name, span),
            ExpressionKind::Number(number, true) => {
                Ok(Value::Number(Number::constant((*number).into(), JavaType::Long)))
            }
            ExpressionKind::Number(number, false) => {
                Ok(Value::Number(Number::constant((*number).into(), JavaType::Int)))
            }
            ExpressionKind::Text(text) => Ok(Value::Text(terms::text(text))),
            ExpressionKind::Char(char) => Ok(Value::Char(*char)),
            ExpressionKind::Interpolated(pieces) => self.interpolated(pieces, span),
            ExpressionKind::Negative(of) => {
                let value = self.value(of)?;
                let zero = Number::constant(0, JavaType::Int);
                let value = self.number(value, span)?;
                if value.known().is_none() {
                    return Err(Unread::because(span, "code.no-step"));
                }
                numbers::binary(zero, "-", value, span).map(Value::Number)
            }
            ExpressionKind::Binary(left, operator, right) => {
                let placed = [left, right].map(|side| Ok((self.value(side)?, side.span)));
                let [left, right] = placed;
                self.binary(left?, operator, right?, span)
            }
            ExpressionKind::Cast(to, of) => {
                let value = self.value(of)?;
                self.cast(value, *to, span)
            }
            ExpressionKind::Member(of, name) => self.member(of, name, span),
            ExpressionKind::Call(of, name, given) => self.call(of.as_deref(), name, given, span),
            ExpressionKind::New(class, given) => {
                let given = self.all(given)?;
                self.made(class, given, span)
            }
            ExpressionKind::NewArray(of, length) => {
                let length = self.value(length)?;
                self.new_array(*of, length, span)
            }
            ExpressionKind::Elements(of, given) => self.elements(*of, given, span),
            ExpressionKind::Index(..) => Err(Unread::because(span, "code.no-step")),
        }
    }

    /// The values of several expressions.
    fn all(&mut self, given: &[Expression]) -> Result<Vec<Placed>> {
        given.iter().map(|one| Ok((self.value(one)?, one.span))).collect()
    }

    fn named(&mut self, name: &str, span: CodeSpan) -> Result<Value> {
        if let Some((_, value)) = self.variable(name) {
            let value = value.clone();
            return if matches!(value, Value::Nothing) { Err(Unread::new(span)) } else { Ok(value) };
        }
        if self.fields.iter().all(|field| field.name != name) && name.starts_with(char::is_uppercase) {
            return Ok(Value::Unknown(name.to_owned()));
        }
        Ok(match self.field_named(name) {
            Some(field) => Value::Field(field, name.to_owned()),
            None => Value::Unknown(name.to_owned()),
        })
    }

    fn interpolated(&mut self, pieces: &[Piece], span: CodeSpan) -> Result<Value> {
        let mut all = Terms::new();
        for piece in pieces {
            let more = match piece {
                Piece::Text(text) => terms::text(text),
                Piece::Value(value, None) => {
                    let value = self.value(value)?;
                    self.text(value, span)?
                }
                Piece::Value(value, Some(format)) => {
                    let value = self.value(value)?;
                    self.formatted(format, vec![value], span)?
                }
            };
            terms::push(&mut all, more);
        }
        Ok(Value::Text(all))
    }

    /// `left operator right`.
    fn binary(&mut self, left: Placed, operator: &str, right: Placed, span: CodeSpan) -> Result<Value> {
        let ((left, left_span), (right, right_span)) = (left, right);
        let is_text = |value: &Value, run: &Self| match value {
            Value::Text(_) => true,
            Value::Field(at, _) => {
                run.fields.get(*at).is_some_and(|field| field.kind == crate::records::field::Kind::Text)
            }
            _ => false,
        };
        if operator == "++" {
            let mut all = self.bytes(left, left_span)?;
            terms::push(&mut all, self.bytes(right, right_span)?);
            return Ok(Value::Bytes(all));
        }
        if operator == "+" {
            if is_text(&left, self) || is_text(&right, self) {
                let mut all = self.text(left, left_span)?;
                terms::push(&mut all, self.text(right, right_span)?);
                return Ok(Value::Text(all));
            }
            if let Some(sum) = self.added_lengths(&left, &right) {
                return Ok(sum);
            }
        }
        let left = self.number(left, left_span)?;
        let right = self.number(right, right_span)?;
        numbers::binary(left, operator, right, span).map(Value::Number)
    }

    /// A cast to a type.
    pub fn cast(&mut self, value: Value, to: JavaType, span: CodeSpan) -> Result<Value> {
        match to {
            JavaType::Byte | JavaType::Short | JavaType::Int | JavaType::Long => {
                if let Value::Field(at, name) = &value
                    && self
                        .fields
                        .get(*at)
                        .is_some_and(|field| field.kind == crate::records::field::Kind::Integer)
                {
                    // A cast of what has no stated type says what type it comes to.
                    let declared = self.declared(*at, name, to, span)?;
                    let number = self.number(declared, span)?;
                    return Ok(Value::Number(Number { is_cast: to != JavaType::Long, ..number }));
                }
                let number = self.number(value, span)?;
                numbers::cast(number, to, span).map(Value::Number)
            }
            JavaType::Float | JavaType::Double | JavaType::Char => Err(Unread::new(span)),
            _ => self.assigned(value, to, span),
        }
    }

    /// `of.name`.
    fn member(&mut self, of: &Expression, name: &str, span: CodeSpan) -> Result<Value> {
        let object = self.value(of)?;
        let Value::Unknown(path) = object else {
            return match name {
                "length" => self.length(object, span),
                _ => self.method((object, of), name, Vec::new(), span),
            };
        };
        if let Some(constant) = constant(&path, name) {
            return Ok(constant);
        }
        if path == "this" {
            return self.named(name, span);
        }
        let is_class = path.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase));
        match self.field_named(name).filter(|_| !is_class) {
            Some(field) => Ok(Value::Field(field, name.to_owned())),
            None => Ok(Value::Unknown(format!("{path}.{name}"))),
        }
    }

    fn call(
        &mut self,
        of: Option<&Expression>,
        name: &str,
        given: &[Expression],
        span: CodeSpan,
    ) -> Result<Value> {
        let object = of.map(|of| self.value(of)).transpose()?;
        let path = match (&object, of) {
            (None, _) => String::new(),
            (Some(Value::Unknown(path)), _) => path.clone(),
            (Some(_), Some(of)) => {
                let given = self.all(given)?;
                return match object {
                    Some(object) => self.method((object, of), name, given, span),
                    None => Err(Unread::new(span)),
                };
            }
            (Some(_), None) => return Err(Unread::new(span)),
        };
        let program = self.program;
        let own = program
            .methods
            .iter()
            .find(|method| method.name == name && method.parameters.len() == given.len());
        // A method of another object can have the same name.
        let own = own.filter(|_| path.is_empty() || path == "this");
        if let Some(method) = own {
            let given = self.all(given)?;
            return self.own(method, given, span);
        }
        let class = path.rsplit('.').next().unwrap_or_default();
        if let Some(value) = self.array_call(class, name, given, span)? {
            return Ok(value);
        }
        let given = self.all(given)?;
        self.function(class, name, given, span)
    }

    /// A call of a method of the code itself.
    fn own(&mut self, method: &'a Method, given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        if self.scopes.len() > MOST_CALLS {
            return Err(Unread::because(span, "code.too-deep"));
        }
        let mut variables = Variables::new();
        for ((of, name), (value, span)) in method.parameters.iter().zip(given) {
            if matches!(value, Value::Builder(_) | Value::Array(..) | Value::Buffer(..) | Value::Digest(..)) {
                return Err(Unread::new(span));
            }
            variables.insert(name.clone(), (*of, self.assigned(value, *of, span)?));
        }
        self.scopes.push(variables);
        let outcome = self.statements(&method.body);
        self.scopes.pop();
        let outcome = outcome?;
        let (value, at) = outcome.returned.or(outcome.last).ok_or(Unread::new(span))?;
        self.assigned(value, method.gives, at)
    }

    /// The variable that a chain of calls which change it begins with.
    pub fn root(of: &Expression) -> Option<&str> {
        match &of.kind {
            ExpressionKind::Name(name) => Some(name),
            ExpressionKind::Call(Some(inner), name, _) if CHAINED.contains(&name.as_str()) => {
                Self::root(inner)
            }
            _ => None,
        }
    }
}

/// Constants of Java.
fn constant(path: &str, name: &str) -> Option<Value> {
    let class = path.rsplit('.').next().unwrap_or_default();
    let number = |number: i128, of: JavaType| Some(Value::Number(Number::constant(number, of)));
    let of = JavaType::named(class);
    match name {
        "MAX_VALUE" | "MaxValue" => number(of.range()?.1, of),
        "MIN_VALUE" | "MinValue" => number(of.range()?.0, of),
        "BYTES" => number((of.bits()? / 8).into(), JavaType::Int),
        _ if class == "Bytes" => {
            let size = name.strip_prefix("SIZEOF_")?;
            let bits = JavaType::named(&size.to_lowercase()).bits()?;
            number((bits / 8).into(), JavaType::Int)
        }
        _ => None,
    }
}

/// Values and steps of a value.
fn size(value: &Value) -> usize {
    let of_term = |term: &Term| 1 + term.steps.len() + term_arguments(term);
    match value {
        Value::Text(terms) | Value::Bytes(terms) | Value::Builder(terms) | Value::Stream(terms) => {
            terms.iter().map(of_term).sum()
        }
        Value::Digest(_, terms) | Value::Buffer(_, terms) => terms.iter().map(of_term).sum(),
        Value::Number(Number { term: Some(term), .. }) => of_term(term),
        Value::CharOf(term) | Value::HashCode(term) | Value::ShortHashCode(term) => of_term(term),
        Value::Array(_, pieces) => pieces.iter().flat_map(|(_, terms)| terms).map(of_term).sum(),
        _ => 0,
    }
}

/// Values and steps within the source of a term.
fn term_arguments(term: &Term) -> usize {
    use crate::formula::syntax::{GivenArgument, TermSource};
    let TermSource::Call(call) = &term.source else { return 0 };
    let of = |argument: &crate::formula::syntax::Argument| match &argument.value {
        GivenArgument::Term(term) => 1 + term.steps.len() + term_arguments(term),
        _ => 0,
    };
    call.arguments.iter().map(of).sum()
}
