//! Code as written.

use super::java_type::JavaType;
use super::unread::CodeSpan;

/// An expression with its place.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub kind: ExpressionKind,
    pub span: CodeSpan,
}

#[derive(Clone, Debug)]
pub(super) enum ExpressionKind {
    Name(String),
    Number(i64, bool),
    Text(String),
    Char(char),
    /// Pieces of text and values, each with the format that follows it.
    Interpolated(Vec<Piece>),
    Negative(Box<Expression>),
    Binary(Box<Expression>, &'static str, Box<Expression>),
    Cast(JavaType, Box<Expression>),
    Member(Box<Expression>, String),
    /// A call of a method of a value, or of one of the code itself.
    Call(Option<Box<Expression>>, String, Vec<Expression>),
    Index(Box<Expression>, Box<Expression>),
    New(String, Vec<Expression>),
    /// An array of so many elements.
    NewArray(JavaType, Box<Expression>),
    /// The elements of an array of bytes, of arrays of bytes, or of texts.
    Elements(JavaType, Vec<Expression>),
}

/// A piece of a text with values in it.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Text(String),
    Value(Expression, Option<String>),
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Declare(Option<JavaType>, String, Option<Expression>),
    /// To a name or an element of an array, with the operator before the equals sign.
    Assign(Expression, Option<&'static str>, Expression),
    Return(Expression),
    Expression(Expression),
    Block(Vec<Statement>),
    /// A statement that decides or repeats.
    Unread(CodeSpan),
}

/// A method of the code itself.
#[derive(Clone, Debug)]
pub(super) struct Method {
    pub name: String,
    pub parameters: Vec<(JavaType, String)>,
    pub gives: JavaType,
    pub body: Vec<Statement>,
    pub span: CodeSpan,
}

/// Statements outside of methods, and methods.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub statements: Vec<Statement>,
    pub methods: Vec<Method>,
}
