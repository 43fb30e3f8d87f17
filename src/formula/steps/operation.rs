//! Functions of one value as operations over columns.

use crate::bytes::codec::RefusalCode;
use crate::formula::vector::{ColumnOperation, RowRefusals, Vector};
use std::sync::Arc;

/// An operation, shared by the formulas that use it.
pub type BoxedOperation = Arc<dyn ColumnOperation>;

// Functions of texts are boxed: the loop over a column is compiled once, not once a step, and a call is small beside what
// they do. Those of a number alone are not: there a call would be most of the work.

struct Map<F>(F);

/// Appends what it makes of a text or bytes.
type OfBytes = dyn Fn(&[u8], &mut Vec<u8>) -> Result<(), RefusalCode> + Send + Sync;
/// Appends what it makes of a number.
type OfNumber = dyn Fn(i64, &mut Vec<u8>) -> Result<(), RefusalCode> + Send + Sync;
/// The number it makes of a text or bytes.
type ToNumber = dyn Fn(&[u8]) -> Result<i64, RefusalCode> + Send + Sync;

struct Strings(Box<OfBytes>);

impl ColumnOperation for Strings {
    fn apply(&self, input: &Vector, output: &mut Vector, refused: &mut RowRefusals) {
        let (Vector::Strings(input), Vector::Strings(output)) = (input, output) else { return };
        output.bytes.reserve(input.bytes.len());
        for (index, value) in input.iter().enumerate() {
            let start = output.bytes.len();
            let result = (self.0)(value, &mut output.bytes);
            if let Err(code) = output.end_checked(start, result) {
                refused.push((index as u32, code));
            }
        }
    }

    fn output(&self) -> Vector {
        Vector::Strings(Default::default())
    }
}

/// An operation made of a function that appends the result for one text or bytes.
pub(super) fn strings(
    f: impl Fn(&[u8], &mut Vec<u8>) -> Result<(), RefusalCode> + Send + Sync + 'static,
) -> BoxedOperation {
    Arc::new(Strings(Box::new(f)))
}

struct Written(Box<OfNumber>);

impl ColumnOperation for Written {
    fn apply(&self, input: &Vector, output: &mut Vector, refused: &mut RowRefusals) {
        let (Vector::Integers(input), Vector::Strings(output)) = (input, output) else { return };
        for (index, &value) in input.iter().enumerate() {
            let start = output.bytes.len();
            let result = (self.0)(value, &mut output.bytes);
            if let Err(code) = output.end_checked(start, result) {
                refused.push((index as u32, code));
            }
        }
    }

    fn output(&self) -> Vector {
        Vector::Strings(Default::default())
    }
}

/// An operation made of a function that appends the text or bytes for one number.
pub(super) fn written(
    f: impl Fn(i64, &mut Vec<u8>) -> Result<(), RefusalCode> + Send + Sync + 'static,
) -> BoxedOperation {
    Arc::new(Written(Box::new(f)))
}

struct Read(Box<ToNumber>);

impl ColumnOperation for Read {
    fn apply(&self, input: &Vector, output: &mut Vector, refused: &mut RowRefusals) {
        let (Vector::Strings(input), Vector::Integers(output)) = (input, output) else { return };
        for (index, value) in input.iter().enumerate() {
            output.push((self.0)(value).unwrap_or_else(|code| {
                refused.push((index as u32, code));
                0
            }));
        }
    }

    fn output(&self) -> Vector {
        Vector::Integers(Vec::new())
    }
}

/// An operation made of a function that reads the number of one text or bytes.
pub(super) fn read(f: impl Fn(&[u8]) -> Result<i64, RefusalCode> + Send + Sync + 'static) -> BoxedOperation {
    Arc::new(Read(Box::new(f)))
}

/// Numbers as they are.
pub(super) fn same_number() -> BoxedOperation {
    integers(Ok)
}

/// Text or bytes as they are.
pub(super) fn same_bytes() -> BoxedOperation {
    strings(|value, out| {
        out.extend_from_slice(value);
        Ok(())
    })
}

/// Why an inverse does not take a value: no step gives it.
pub(super) const NO_RESULT: RefusalCode = "decode.no-result";

/// An operation made of a function of one number.
pub(super) fn integers(
    f: impl Fn(i64) -> Result<i64, RefusalCode> + Send + Sync + 'static,
) -> BoxedOperation {
    struct Integers;
    impl<F: Fn(i64) -> Result<i64, RefusalCode> + Send + Sync> ColumnOperation for Map<(Integers, F)> {
        fn apply(&self, input: &Vector, output: &mut Vector, refused: &mut RowRefusals) {
            let (Vector::Integers(input), Vector::Integers(output)) = (input, output) else { return };
            output.reserve(input.len());
            for (index, &value) in input.iter().enumerate() {
                output.push(self.0.1(value).unwrap_or_else(|code| {
                    refused.push((index as u32, code));
                    0
                }));
            }
        }

        fn output(&self) -> Vector {
            Vector::Integers(Vec::new())
        }
    }
    Arc::new(Map((Integers, f)))
}

/// A cyclic operation on numbers, with the first number above another at which it begins anew.
pub(super) fn repeating(
    operation: BoxedOperation,
    turn: impl Fn(i64) -> Option<i64> + Send + Sync + 'static,
) -> BoxedOperation {
    struct Repeating;
    impl<F: Fn(i64) -> Option<i64> + Send + Sync> ColumnOperation for Map<(Repeating, BoxedOperation, F)> {
        fn apply(&self, input: &Vector, output: &mut Vector, refused: &mut RowRefusals) {
            self.0.1.apply(input, output, refused);
        }

        fn output(&self) -> Vector {
            self.0.1.output()
        }

        fn turn(&self, input: i64) -> Option<i64> {
            self.0.2(input)
        }
    }
    Arc::new(Map((Repeating, operation, turn)))
}

/// An operation made of a function that gives the number of one text or bytes.
pub(super) fn numbered(f: impl Fn(&[u8]) -> i64 + Send + Sync + 'static) -> BoxedOperation {
    struct Numbered;
    impl<F: Fn(&[u8]) -> i64 + Send + Sync> ColumnOperation for Map<(Numbered, F)> {
        fn apply(&self, input: &Vector, output: &mut Vector, _: &mut RowRefusals) {
            let (Vector::Strings(input), Vector::Integers(output)) = (input, output) else { return };
            output.extend(input.iter().map(&self.0.1));
        }

        fn output(&self) -> Vector {
            Vector::Integers(Vec::new())
        }
    }
    Arc::new(Map((Numbered, f)))
}
