//! Values of Phoenix's types, and why some are refused.

use crate::bytes::codec::RefusalCode;
use crate::bytes::codec::decimal::Decimal;

pub(super) const NULL: RefusalCode = "phoenix.null";
pub(super) const WRONG_KIND: RefusalCode = "phoenix.wrong-kind";
pub(super) const WRONG_LENGTH: RefusalCode = "phoenix.wrong-length";
pub(super) const NEGATIVE: RefusalCode = "phoenix.negative";
pub(super) const TOO_LARGE: RefusalCode = "phoenix.too-large";
pub(super) const NOT_WRITTEN: RefusalCode = "phoenix.not-written";
pub(super) const NOT_SINGLE_BYTE: RefusalCode = "phoenix.not-single-byte";

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum PhoenixValue {
    /// SQL's NULL.
    Null,
    /// A whole number.
    Whole(i64),
    /// FLOAT.
    Float(f32),
    /// DOUBLE.
    Double(f64),
    /// DECIMAL.
    Decimal(Decimal),
    /// BOOLEAN.
    Boolean(bool),
    /// VARCHAR and CHAR in UTF-8, VARBINARY and BINARY.
    Bytes(Vec<u8>),
    /// DATE, TIME and TIMESTAMP.
    Time {
        /// Milliseconds since 1970-01-01T00:00:00Z (`getTime`).
        millis: i64,
        /// Nanoseconds since the last full second (`getNanos`); DATE and TIME don't keep them.
        nanos: u32,
    },
}
