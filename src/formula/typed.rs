//! A formula that has been checked: every value with its properties, every step bound to its arguments.

use super::steps::{ArgumentValue, Step};
use super::vector::{ColumnOperation, Vector};
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Shape};
use std::sync::Arc;

/// A value of a formula, from its source to its last step.
#[derive(Clone)]
pub enum Expression {
    /// The field of this index among the declared ones.
    Field {
        /// Index of the field.
        index: usize,
        /// Its properties.
        shape: Shape,
    },
    /// The same bytes in every key.
    Literal(Vec<u8>),
    /// Texts one after the other with a separator between.
    Join {
        /// Between the parts.
        separator: Vec<u8>,
        /// Each text or bytes.
        parts: Vec<Expression>,
        /// The parts at the end that may be NULL.
        nullable_end: NullableEnd,
        /// Properties of the whole key.
        shape: Shape,
    },
    /// A random number that depends on nothing but the record's position.
    Salt {
        /// It is from 0 to one below.
        buckets: i64,
        /// Tells it from other salts of the record.
        seed: i64,
        /// Its properties.
        shape: Shape,
    },
    /// A step applied to a value.
    Apply {
        /// The expression it is applied to.
        input: Box<Expression>,
        /// The operation.
        operation: Arc<dyn ColumnOperation>,
        /// From the result back to the value; `None` when the step does not keep it.
        inverse: Option<Arc<dyn ColumnOperation>>,
        /// Properties of the result.
        shape: Shape,
        /// The sub-formula in canonical form: equal texts over the same fields are equal values.
        text: String,
        /// The step, by which more can be known of values from a narrower range.
        step: &'static Step,
        /// Its arguments.
        arguments: Vec<ArgumentValue>,
    },
}

impl Expression {
    /// Properties of the value.
    pub fn shape(&self) -> Shape {
        match self {
            Self::Field { shape, .. }
            | Self::Join { shape, .. }
            | Self::Salt { shape, .. }
            | Self::Apply { shape, .. } => shape.clone(),
            Self::Literal(bytes) => Shape::literal(bytes),
        }
    }

    /// Appends the indices of the fields it is made of, in order, repeats included.
    pub fn fields(&self, fields: &mut Vec<usize>) {
        match self {
            Self::Field { index, .. } => fields.push(*index),
            Self::Literal(_) | Self::Salt { .. } => {}
            Self::Join { parts, .. } => parts.iter().for_each(|part| part.fields(fields)),
            Self::Apply { input, .. } => input.fields(fields),
        }
    }

    /// The values it is made of.
    pub fn inputs(&self) -> &[Expression] {
        match self {
            Self::Join { parts, .. } => parts,
            Self::Apply { input, .. } => std::slice::from_ref(input),
            Self::Field { .. } | Self::Literal(_) | Self::Salt { .. } => &[],
        }
    }

    /// True if it differs between records of equal fields.
    pub fn is_random(&self) -> bool {
        match self {
            Self::Salt { .. } => true,
            Self::Field { .. } | Self::Literal(_) => false,
            Self::Join { parts, .. } => parts.iter().any(Self::is_random),
            Self::Apply { input, .. } => input.is_random(),
        }
    }
}

/// Calls `visit` for an expression and all it is made of.
pub fn walk<'e>(expression: &'e Expression, visit: &mut dyn FnMut(&'e Expression)) {
    visit(expression);
    for inner in expression.inputs() {
        walk(inner, visit);
    }
}

/// A part of a row key.
#[derive(Clone)]
pub struct TypedPart {
    /// Its value; text or bytes.
    pub expression: Expression,
    /// Properties of its bytes.
    pub shape: Shape,
    /// Its columns in the formula, characters from 1, end exclusive.
    pub span: (usize, usize),
    /// The fields it is made of, each once.
    pub fields: Vec<usize>,
    /// Its canonical text.
    pub text: String,
    /// True if it is made of the bytes that follow: it tells nothing that they don't.
    pub uses_rest: bool,
    /// True if its end can be told from what follows: fixed width, or a byte after it that it cannot contain.
    pub self_delimiting: bool,
}

/// The columns at the end of a key that may be NULL. Where they are, the key ends before their separators, as Phoenix writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NullableEnd {
    /// Most separators that a key may lack.
    pub separators: usize,
    /// Bytes of the last column where it is NULL; a value has more.
    pub null: usize,
    /// The parts of a key that those separators end.
    pub parts: usize,
}

impl NullableEnd {
    /// The end of a key whose columns have these shapes.
    pub fn of<'s>(mut shapes: impl DoubleEndedIterator<Item = &'s Shape>) -> Self {
        let last = shapes.next_back();
        let null = match last.and_then(|last| Some((last.null?, last.terminator))) {
            Some(([], _)) => 0,
            // An ascending last column has no separator in Phoenix.
            Some(([separator], Some(end))) if *separator != end => 1,
            _ => return Self::default(),
        };
        let (mut separators, mut parts) = (null, 1);
        while let Some(shape) = shapes.next_back() {
            // A separator that is written by itself, behind a column that may be NULL.
            let is_apart = shape.distinct == Some(1) && shape.alphabet == Alphabet::of(&[0]);
            let column = if is_apart { shapes.next_back() } else { Some(shape) };
            let nullable =
                column.is_some_and(|column| column.null.is_some_and(|null| null.is_empty() == is_apart));
            // One that is never NULL has a separator all the same.
            if !nullable && shape.terminator != Some(0) {
                break;
            }
            separators += 1;
            parts += 1 + usize::from(is_apart);
            if !nullable {
                break;
            }
        }
        match separators {
            0 => Self::default(),
            _ => Self { separators, null, parts },
        }
    }

    /// The length of a key, given with all separators, of which the last part takes so many bytes.
    #[inline]
    pub fn length(self, key: &[u8], last: usize) -> usize {
        if self.separators > 0 && last <= self.null { self.shortest(key).len() } else { key.len() }
    }

    /// The shortest key that bytes with all separators may stand for.
    pub fn shortest(self, key: &[u8]) -> &[u8] {
        let zeros = key.iter().rev().take(self.separators).take_while(|&&byte| byte == 0).count();
        key.get(..key.len() - zeros).unwrap_or_default()
    }
}

/// A checked formula.
#[derive(Clone)]
pub struct TypedFormula {
    /// Its parts, in order.
    pub parts: Vec<TypedPart>,
    /// Properties of whole keys.
    pub shape: Shape,
    /// Its columns at the end that may be NULL.
    pub nullable_end: NullableEnd,
    /// The cells of a record that have formulas; none where all records write the same cells.
    pub columns: Vec<TypedColumn>,
    /// The formulas of kinds of records; it has no parts of its own then.
    pub kinds: Vec<TypedKind>,
}

/// The formula of one kind of record.
#[derive(Clone)]
pub struct TypedKind {
    /// Its name.
    pub name: String,
    /// Index of the field that tells the kind.
    pub field: usize,
    /// The values of that field that mean this kind.
    pub values: Arc<Vector>,
    /// Indices of the fields that records of this kind have a value of; `None` for all.
    pub fields: Option<Arc<[usize]>>,
    /// Its formula; `None` where records of this kind make no value.
    pub formula: Option<Box<TypedFormula>>,
}

impl TypedKind {
    /// How the kind is told, without its formula.
    pub fn telling(&self) -> Self {
        let (name, field) = (self.name.clone(), self.field);
        Self { name, field, values: self.values.clone(), fields: self.fields.clone(), formula: None }
    }
}

impl TypedFormula {
    /// The formula that each kind of record has of its own.
    pub fn of_kinds(kinds: Vec<TypedKind>) -> Self {
        let shapes = kinds.iter().filter_map(|kind| Some(&kind.formula.as_ref()?.shape));
        let shape = shapes.cloned().reduce(Shape::either).unwrap_or_else(|| Shape::literal(&[]));
        Self {
            parts: Vec::new(),
            shape: Shape { kind: Kind::Bytes, ..shape },
            nullable_end: NullableEnd::default(),
            columns: Vec::new(),
            kinds,
        }
    }

    /// Itself, and those of its kinds.
    pub fn each(&self) -> impl Iterator<Item = &TypedFormula> {
        let kinds = self.kinds.iter().filter_map(|kind| kind.formula.as_deref());
        std::iter::once(self).chain(kinds)
    }

    /// Indices of the fields that it and the formulas of its cells read, in order, repeats included.
    pub fn fields(&self) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().flat_map(TypedColumn::formulas);
        std::iter::once(self).chain(columns).flat_map(Self::fields_of_key)
    }

    /// Indices of the fields that its bytes follow from, in order, repeats included.
    pub fn fields_of_key(&self) -> impl Iterator<Item = usize> {
        self.each().flat_map(|formula| {
            let telling = formula.kinds.iter().map(|kind| kind.field);
            formula.parts.iter().flat_map(|part| part.fields.iter().copied()).chain(telling)
        })
    }

    /// The parts of the key, then those of the qualifiers of cells: what tells the cells of records apart.
    pub fn named_parts(&self) -> impl Iterator<Item = &TypedPart> {
        let qualifiers = self.columns.iter().filter_map(|column| column.qualifier.as_ref());
        self.each().chain(qualifiers.flat_map(Self::each)).flat_map(|formula| &formula.parts)
    }
}

/// The formulas of a cell that differs between records.
#[derive(Clone)]
pub struct TypedColumn {
    /// The formula of its qualifier: records of one key write other cells where it differs.
    pub qualifier: Option<TypedFormula>,
    /// The formula of its value.
    pub value: Option<TypedFormula>,
}

impl TypedColumn {
    /// True of the qualifier if it has a formula, then of the value.
    pub fn has(&self) -> [bool; 2] {
        [self.qualifier.is_some(), self.value.is_some()]
    }

    /// Both formulas, as far as there are.
    pub fn formulas(&self) -> impl Iterator<Item = &TypedFormula> {
        self.qualifier.iter().chain(&self.value)
    }
}
