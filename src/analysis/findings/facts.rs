//! Facts about records and their row keys that rules compute, kept from one review to the next: split points and queries change none.

use super::alike::EqualValues;
use crate::formula::typed::Expression;
use crate::keys::encode::RecordValues;
use crate::records::Records;
use crate::scan::ValueRange;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Facts about the records under one row key.
#[derive(Default)]
pub struct KeyFacts {
    /// The records that are looked at, and the row of each, where these are not all.
    pub(super) chosen: OnceCell<Option<(Records, Vec<u32>)>>,
    /// The values of expressions, by [`text_of`] each.
    pub(super) values: Memo<String, Rc<ExpressionValues>>,
    /// The numbers of expressions.
    pub(super) numbers: Memo<String, Rc<Vec<i64>>>,
    /// The beginnings of keys, by the number of parts that they are made of.
    pub(super) beginnings: Memo<usize, Rc<EqualValues>>,
    /// The number of different values that a hash in front is made of.
    pub(super) hashed: OnceCell<Option<usize>>,
    /// The row key with a field behind it that tells apart the records that it does not.
    pub(super) told_apart: OnceCell<Option<String>>,
    /// The fields whose values look like those of people, by their index.
    pub(super) personal: Memo<usize, bool>,
    /// A sample, on which the bytes of other row keys are measured.
    pub(super) measured: OnceCell<Records>,
    /// The bytes of its keys under other row keys.
    pub(super) key_bytes: Memo<String, usize>,
    /// The ranges of fields in all records, by their name.
    pub(super) ranges: Memo<String, Option<ValueRange>>,
    /// Where times jump back by an hour, by the index of their field.
    pub(super) turned_back: Memo<usize, Option<i64>>,
}

/// A few answers by subject, each computed once.
pub(super) struct Memo<K, V>(RefCell<Vec<(K, V)>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<K: PartialEq, V: Clone> Memo<K, V> {
    /// The answer about a subject, computed now if it is not known.
    pub fn get(&self, subject: K, compute: impl FnOnce() -> V) -> V {
        if let Some((_, known)) = self.0.borrow().iter().find(|(known, _)| *known == subject) {
            return known.clone();
        }
        let answer = compute();
        self.0.borrow_mut().push((subject, answer.clone()));
        answer
    }
}

/// The values of records, and on demand the distinct ones.
#[derive(Default)]
pub struct ExpressionValues {
    /// The values.
    pub values: RecordValues,
    alike: OnceCell<EqualValues>,
}

impl ExpressionValues {
    /// Holds these values.
    pub fn new(values: RecordValues) -> Self {
        Self { values, alike: OnceCell::new() }
    }

    /// The distinct ones.
    pub fn alike(&self) -> &EqualValues {
        self.alike.get_or_init(|| EqualValues::of(&self.values))
    }
}

/// A text that only equal expressions over the same fields have.
pub(super) fn text_of(expression: &Expression) -> String {
    let mut text = String::new();
    write_text(expression, &mut text);
    text
}

fn write_text(expression: &Expression, all: &mut String) {
    match expression {
        Expression::Apply { text, .. } => *all += text,
        Expression::Field { index, .. } => *all += &format!("field {index}"),
        Expression::Literal(bytes) => *all += &format!("literal {bytes:?}"),
        Expression::Salt { buckets, seed, .. } => *all += &format!("salt {buckets} {seed}"),
        // Quoting each part would double the quotes of those within.
        Expression::Join { separator, parts, .. } => {
            *all += &format!("join {separator:?}(");
            for part in parts {
                write_text(part, all);
                *all += "; ";
            }
            *all += ")";
        }
    }
}
