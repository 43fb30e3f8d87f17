//! stub
use super::{properties::Shape, vector::Operation};
use std::sync::Arc;
/// x
pub enum Expression {
    /// x
    Field {
        /// x
        index: usize,
        /// x
        shape: Shape,
    },
    /// x
    Literal(Vec<u8>),
    /// x
    Join {
        /// x
        separator: Vec<u8>,
        /// x
        parts: Vec<Expression>,
        /// x
        shape: Shape,
    },
    /// x
    Apply {
        /// x
        input: Box<Expression>,
        /// x
        operation: Arc<dyn Operation>,
        /// x
        shape: Shape,
        /// x
        text: String,
    },
}
impl Expression {
    /// x
    pub fn fields(&self, out: &mut Vec<usize>) {
        match self {
            Self::Field { index, .. } => out.push(*index),
            Self::Literal(_) => {}
            Self::Join { parts, .. } => parts.iter().for_each(|p| p.fields(out)),
            Self::Apply { input, .. } => input.fields(out),
        }
    }
}
/// x
pub struct Part {
    /// x
    pub expression: Expression,
    /// x
    pub shape: Shape,
    /// x
    pub span: (usize, usize),
    /// x
    pub fields: Vec<usize>,
    /// x
    pub text: String,
    /// x
    pub self_delimiting: bool,
}
/// x
pub struct Typed {
    /// x
    pub parts: Vec<Part>,
    /// x
    pub shape: Shape,
}
