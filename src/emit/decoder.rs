//! Java that reads the fields of a row key back: it cuts the key where its parts end, and undoes their steps.
//!
//! Each value that is read is made again and compared with its bytes, so a row that the design cannot have made is rejected.

use super::lower::CodeWriter;
use super::primitives::{self, CodeKind};
use crate::base::Problem;
use crate::formula::steps::ArgumentValue;
use crate::formula::typed::{Expression, TypedFormula};
use crate::records::field::shape::Shape;
use crate::records::field::{Field, Kind};

/// The variable of a key's length.
pub(super) const LENGTH: &str = "length";

/// A piece of a key.
struct KeyPiece<'a> {
    content: PieceContent<'a>,
    shape: Shape,
    /// Code of its bytes, once its ends are known.
    bytes: String,
}

enum PieceContent<'a> {
    Literal(&'a [u8]),
    Value(&'a Expression),
}

/// A key that is read back.
pub(super) struct DecodedKey<'a> {
    /// Statements that cut the key and read its fields.
    pub code: String,
    /// The fields that are read, by index.
    pub known: Vec<usize>,
    /// Values of the key that hold more than the known fields tell: their text in the formula, the code and its kind.
    pub copied: Vec<(&'a str, String, CodeKind)>,
}

fn pieces<'a>(typed: &'a TypedFormula) -> Vec<KeyPiece<'a>> {
    let mut all = Vec::new();
    for part in &typed.parts {
        add(&part.expression, &mut all);
    }
    all
}

fn add<'a>(expression: &'a Expression, all: &mut Vec<KeyPiece<'a>>) {
    let mut push = |content, shape| all.push(KeyPiece { content, shape, bytes: String::new() });
    match expression {
        Expression::Literal(bytes) => push(PieceContent::Literal(bytes), Shape::literal(bytes)),
        Expression::Join { separator, parts, .. } => {
            for (index, part) in parts.iter().enumerate() {
                if index > 0 && !separator.is_empty() {
                    all.push(KeyPiece {
                        content: PieceContent::Literal(separator),
                        shape: Shape::literal(separator),
                        bytes: String::new(),
                    });
                }
                add(part, all);
            }
        }
        _ => push(PieceContent::Value(expression), expression.shape()),
    }
}

/// Reads a key back. `writer` writes code over the fields of its design.
///
/// # Errors
/// `emit.no-end`: a part whose end cannot be found.
pub(super) fn decoded<'a>(
    typed: &'a TypedFormula,
    fields: &[Field],
    writer: &mut CodeWriter<'_>,
) -> Result<DecodedKey<'a>, Problem> {
    // Where the columns at the end are NULL, the separators that mark their places are missing.
    if let Some(last) = typed.parts.last().filter(|_| typed.nullable_end.separators > 0) {
        return Err(Problem::new("emit.no-end").with("part", &last.text));
    }
    let mut pieces = pieces(typed);
    let mut key = DecodedKey { code: cuts(&mut pieces, writer)?, known: Vec::new(), copied: Vec::new() };
    for piece in &pieces {
        let PieceContent::Value(expression) = piece.content else { continue };
        if let Some((index, value)) = undone(expression, &piece.bytes, writer)
            && !key.known.contains(&index)
            && let (Some(field), Some(name)) = (fields.get(index), writer.parameters.get(index))
            && !matches!(field.kind, Kind::Float | Kind::Decimal)
        {
            let value =
                if field.kind == Kind::Time { format!("Instant.ofEpochMilli({value})") } else { value };
            key.code += &format!("        {} = {value};\n", writer.language.parameter(field.kind, name));
            key.known.push(index);
        }
    }
    for piece in &pieces {
        let PieceContent::Value(expression) = piece.content else { continue };
        let mut needed = Vec::new();
        expression.fields(&mut needed);
        if needed.iter().all(|index| key.known.contains(index)) {
            check(expression, &piece.bytes, writer, &mut key.code)?;
        } else if let Expression::Apply { text, shape, .. } = expression {
            key.copied.push(match shape.kind {
                Kind::Text => (text, format!("text({})", piece.bytes), CodeKind::Text),
                _ => (text, piece.bytes.clone(), CodeKind::Bytes),
            });
        }
    }
    Ok(key)
}

/// Makes a piece again and compares it; a random one differs, and numbers of a lookup are not brought along.
fn check(
    expression: &Expression,
    bytes: &str,
    writer: &mut CodeWriter<'_>,
    code: &mut String,
) -> Result<(), Problem> {
    if expression.is_random() {
        return Ok(());
    }
    let tables = writer.tables.len();
    let value = writer.expression(expression)?;
    let made = writer.bytes(value)?;
    if writer.tables.len() == tables {
        *code += &format!("        same({bytes}, {made});\n");
    }
    writer.tables.truncate(tables);
    Ok(())
}

/// The statements that cut the key: from the left as far as ends are found, then from the right.
fn cuts(pieces: &mut [KeyPiece<'_>], writer: &CodeWriter<'_>) -> Result<String, Problem> {
    let mut cuts = Cuts { code: format!("        int {LENGTH} = row.length;\n"), count: 0 };
    let count = pieces.len();
    let mut left = (0, "0".to_owned());
    while left.0 < count
        && let Some(end) = cuts.end_after(pieces, left.0, &left.1, writer)
    {
        left = (left.0 + 1, end);
    }
    let mut right = (count, LENGTH.to_owned());
    while right.0 > left.0 + 1
        && let Some(start) = cuts.start_before(pieces, right.0 - 1, &right.1, writer)
    {
        right = (right.0 - 1, start);
    }
    match pieces.get_mut(left.0) {
        None => cuts.code += &format!("        ends(row, {});\n", left.1),
        Some(piece) if right.0 == left.0 + 1 => cuts.piece(piece, &left.1, &right.1),
        Some(piece) => {
            let part = match piece.content {
                PieceContent::Value(Expression::Apply { text, .. }) => text.clone(),
                PieceContent::Value(Expression::Field { index, .. }) => {
                    writer.fields.get(*index).map(|field| field.name.clone()).unwrap_or_default()
                }
                _ => String::new(),
            };
            return Err(Problem::new("emit.no-end").with("part", part));
        }
    }
    Ok(cuts.code)
}

struct Cuts {
    code: String,
    count: usize,
}

impl Cuts {
    fn declare(&mut self, kind: &str, name: &str, value: &str) -> String {
        self.count += 1;
        let name = format!("{name}{}", self.count);
        self.code += &format!("        {kind} {name} = {value};\n");
        name
    }

    fn piece(&mut self, piece: &mut KeyPiece<'_>, from: &str, to: &str) {
        piece.bytes = self.declare("byte[]", "part", &format!("cut(row, {from}, {to})"));
    }

    /// Cuts a piece that starts there; the code of its end, or `None` where that is not known from the left.
    fn end_after(
        &mut self,
        pieces: &mut [KeyPiece<'_>],
        index: usize,
        from: &str,
        writer: &CodeWriter<'_>,
    ) -> Option<String> {
        let follows = match pieces.get(index + 1).map(|next| &next.content) {
            Some(PieceContent::Literal(literal)) => literal.first().copied(),
            _ => None,
        };
        let last = index + 1 == pieces.len();
        let piece = pieces.get_mut(index)?;
        if let PieceContent::Literal(bytes) = piece.content {
            let literal = (writer.language.bytes)(&super::names::hex(bytes));
            return Some(self.declare("int", "end", &format!("behind(row, {from}, {literal})")));
        }
        let end = match (piece.shape.width.exact(), piece.shape.terminator) {
            (Some(width), _) if from == "0" => width.to_string(),
            (Some(width), _) => format!("{from} + {width}"),
            (None, Some(byte)) => format!("next(row, {from}, {byte}) + 1"),
            (None, None) => match follows.filter(|&byte| !piece.shape.alphabet.contains(byte)) {
                Some(byte) => format!("next(row, {from}, {byte})"),
                None if last => LENGTH.to_owned(),
                None => return None,
            },
        };
        let end = self.declare("int", "end", &end);
        self.piece(piece, from, &end);
        Some(end)
    }

    /// Cuts a piece that ends there; the code of its start.
    fn start_before(
        &mut self,
        pieces: &mut [KeyPiece<'_>],
        index: usize,
        to: &str,
        writer: &CodeWriter<'_>,
    ) -> Option<String> {
        let precedes =
            match index.checked_sub(1).and_then(|before| pieces.get(before)).map(|piece| &piece.content) {
                Some(PieceContent::Literal(literal)) => literal.last().copied(),
                _ => None,
            };
        let piece = pieces.get_mut(index)?;
        if let PieceContent::Literal(bytes) = piece.content {
            let literal = (writer.language.bytes)(&super::names::hex(bytes));
            let start = self.declare("int", "start", &format!("{to} - {}", bytes.len()));
            self.code += &format!("        behind(row, {start}, {literal});\n");
            return Some(start);
        }
        let start = match (piece.shape.width.exact(), precedes) {
            (Some(width), _) => format!("{to} - {width}"),
            (None, Some(byte)) if !piece.shape.alphabet.contains(byte) => {
                format!("last(row, {to}, {byte}) + 1")
            }
            _ => return None,
        };
        let start = self.declare("int", "start", &start);
        self.piece(piece, &start, to);
        Some(start)
    }
}

/// A primitive of a step with what it was given, what it took and what it gave.
struct DoneCall {
    name: String,
    given: Vec<String>,
    took: CodeKind,
    gave: CodeKind,
}

/// The field that a value is made of, and its code from the bytes of the value; `None` where a step loses something.
fn undone(expression: &Expression, bytes: &str, writer: &mut CodeWriter<'_>) -> Option<(usize, String)> {
    let mut steps = Vec::new();
    let mut inner = expression;
    while let Expression::Apply { input, inverse, step, arguments, .. } = inner {
        inverse.as_ref()?;
        steps.push((step.name, input.shape(), arguments.as_slice()));
        inner = input;
    }
    let Expression::Field { index, shape } = inner else { return None };
    let own = match shape.kind {
        Kind::Text => CodeKind::Text,
        Kind::Bytes => CodeKind::Bytes,
        _ => CodeKind::Other,
    };
    let mut held = own;
    let mut calls: Vec<DoneCall> = Vec::new();
    for (name, input, arguments) in steps.iter().rev() {
        held = done(name, input, arguments, held, writer, &mut calls)?;
    }
    // A key holds bytes.
    let mut code = if held == CodeKind::Text { format!("text({bytes})") } else { bytes.to_owned() };
    for (at, call) in calls.iter().enumerate().rev() {
        code = inverse(call, &code)?;
        let before = at.checked_sub(1).and_then(|at| calls.get(at)).map_or(own, |call| call.gave);
        code = match (before, call.took) {
            (CodeKind::Text, CodeKind::Bytes) => format!("text({code})"),
            (CodeKind::Bytes, CodeKind::Text) => format!("utf8({code})"),
            _ => code,
        };
    }
    Some((*index, code))
}

/// The calls that a step is; gives the kind of its result.
fn done(
    step: &'static str,
    input: &Shape,
    arguments: &[ArgumentValue],
    mut held: CodeKind,
    writer: &mut CodeWriter<'_>,
    calls: &mut Vec<DoneCall>,
) -> Option<CodeKind> {
    let kind = if held == CodeKind::Other { input.kind } else { Kind::Text };
    if step == "seconds" {
        // Exact where the time has no parts of a second, as only then there is a way back.
        calls.push(DoneCall { name: "seconds".to_owned(), given: Vec::new(), took: held, gave: held });
        return Some(held);
    }
    for call in primitives::calls(step, input, arguments) {
        let (name, gave) = call.named(kind);
        let took = match (held, call.primitive.of_text) {
            (CodeKind::Other, _) => CodeKind::Other,
            (_, true) => CodeKind::Text,
            (_, false) => CodeKind::Bytes,
        };
        let mut given = Vec::new();
        for &one in call.given {
            given.extend(writer.given(one, input, arguments, false)?);
        }
        calls.push(DoneCall { name: name.into_owned(), given, took, gave });
        held = gave;
    }
    Some(held)
}

/// The code of what a primitive took, from what it gave; `None` for one that is not undone.
fn inverse(call: &DoneCall, code: &str) -> Option<String> {
    let width = |digits: Option<&String>| Some((digits?.len() - "bytes(\"\")".len()) / 2);
    let given = |at: usize| call.given.get(at);
    Some(match call.name.as_str() {
        "seconds" => format!("{code} * 1000"),
        "fixed" => format!("unfixed({code})"),
        "unsigned" | "low" => format!("unsignedOf({code})"),
        "flipped" => format!("unflipped({code})"),
        "reverseLong" | "invert" | "reverse" => format!("{}({code})", call.name),
        "natural" | "noZero" | "full" | "raw" | "string" => code.to_owned(),
        "padTail" => format!("stripped({code}, 0)"),
        "padBlanks" => format!("stripped({code}, ' ')"),
        "decimal" => format!("digits({code})"),
        "hex" if call.given.is_empty() => format!("unhex({code})"),
        "upper" => format!("lower({code})"),
        "lower" => format!("upper({code})"),
        "plus" => format!("plus({code}, -({}))", given(0)?),
        "append" => format!("without({code}, 0, {})", width(given(0))?),
        "prefix" => format!("without({code}, {}, 0)", width(given(0))?),
        "format" => format!("unformatted({code}, {}, {})", given(0)?, given(1)?),
        "truth" => format!("isTrue({code}, {})", given(1)?),
        _ => return None,
    })
}
