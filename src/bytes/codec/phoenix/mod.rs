//! The types of Phoenix as bytes: `toBytes(value, sortOrder)` of the classes in `org.apache.phoenix.schema.types`,
//! Phoenix 5.2.1, and their `toObject`.
//!
//! A descending value is the complement of the ascending one, except of BOOLEAN, where 00 and 01 change places.

mod decimal;
mod fixed;
mod value;

pub use decimal::{LEAST_EXPONENT, MOST_EXPONENT, PRECISION};
pub use value::PhoenixValue;

use super::{RefusalCode, SortDirection};
use value::{NOT_SINGLE_BYTE, NOT_WRITTEN, NULL, WRONG_KIND, WRONG_LENGTH};

/// How the values of a type are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhoenixLayout {
    /// Whole numbers of 1, 2, 4 or 8 bytes, the highest byte first; of signed ones the sign bit is flipped.
    Whole {
        /// Width in bytes.
        bytes: usize,
        /// True if negative numbers are taken.
        signed: bool,
    },
    /// 4 bytes: signed so that they sort, unsigned as IEEE 754.
    Float {
        /// True if negative numbers are taken.
        signed: bool,
    },
    /// 8 bytes, otherwise as [`PhoenixLayout::Float`].
    Double {
        /// True if negative numbers are taken.
        signed: bool,
    },
    /// An exponent, then two decimal digits a byte: 1 to 21 bytes.
    Decimal,
    /// 00 or 01.
    Boolean,
    /// UTF-8.
    Varchar,
    /// ASCII. Phoenix fills it up with blanks to its width when it writes a key, not here.
    Char,
    /// Bytes as they are.
    Varbinary,
    /// Bytes as they are. Phoenix fills them up with zeros to their width when it writes a key, not here.
    Binary,
    /// DATE and TIME: milliseconds in 8 bytes.
    Date {
        /// True if times before 1970 are taken.
        signed: bool,
    },
    /// Milliseconds in 8 bytes, nanoseconds within the millisecond in 4.
    Timestamp {
        /// True if times before 1970 are taken.
        signed: bool,
    },
}

/// A type, by its names in Java and in SQL.
#[derive(Debug)]
pub struct PhoenixType {
    /// Class in Java: `PUnsignedInt`.
    pub class: &'static str,
    /// Name in SQL: `UNSIGNED_INT`.
    pub sql: &'static str,
    /// How its values are written.
    pub layout: PhoenixLayout,
}

/// All types.
pub static TYPES: [PhoenixType; 24] = [
    of("PTinyint", "TINYINT", PhoenixLayout::Whole { bytes: 1, signed: true }),
    of("PSmallint", "SMALLINT", PhoenixLayout::Whole { bytes: 2, signed: true }),
    of("PInteger", "INTEGER", PhoenixLayout::Whole { bytes: 4, signed: true }),
    of("PLong", "BIGINT", PhoenixLayout::Whole { bytes: 8, signed: true }),
    of("PUnsignedTinyint", "UNSIGNED_TINYINT", PhoenixLayout::Whole { bytes: 1, signed: false }),
    of("PUnsignedSmallint", "UNSIGNED_SMALLINT", PhoenixLayout::Whole { bytes: 2, signed: false }),
    of("PUnsignedInt", "UNSIGNED_INT", PhoenixLayout::Whole { bytes: 4, signed: false }),
    of("PUnsignedLong", "UNSIGNED_LONG", PhoenixLayout::Whole { bytes: 8, signed: false }),
    of("PFloat", "FLOAT", PhoenixLayout::Float { signed: true }),
    of("PDouble", "DOUBLE", PhoenixLayout::Double { signed: true }),
    of("PUnsignedFloat", "UNSIGNED_FLOAT", PhoenixLayout::Float { signed: false }),
    of("PUnsignedDouble", "UNSIGNED_DOUBLE", PhoenixLayout::Double { signed: false }),
    of("PDecimal", "DECIMAL", PhoenixLayout::Decimal),
    of("PBoolean", "BOOLEAN", PhoenixLayout::Boolean),
    of("PVarchar", "VARCHAR", PhoenixLayout::Varchar),
    of("PChar", "CHAR", PhoenixLayout::Char),
    of("PVarbinary", "VARBINARY", PhoenixLayout::Varbinary),
    of("PBinary", "BINARY", PhoenixLayout::Binary),
    of("PDate", "DATE", PhoenixLayout::Date { signed: true }),
    of("PTime", "TIME", PhoenixLayout::Date { signed: true }),
    of("PTimestamp", "TIMESTAMP", PhoenixLayout::Timestamp { signed: true }),
    of("PUnsignedDate", "UNSIGNED_DATE", PhoenixLayout::Date { signed: false }),
    of("PUnsignedTime", "UNSIGNED_TIME", PhoenixLayout::Date { signed: false }),
    of("PUnsignedTimestamp", "UNSIGNED_TIMESTAMP", PhoenixLayout::Timestamp { signed: false }),
];

const fn of(class: &'static str, sql: &'static str, layout: PhoenixLayout) -> PhoenixType {
    PhoenixType { class, sql, layout }
}

impl PhoenixType {
    /// The type of that name in Java or in SQL.
    pub fn named(name: &str) -> Option<&'static Self> {
        TYPES.iter().find(|known| known.class == name || known.sql == name)
    }
}

impl PhoenixLayout {
    /// Appends the bytes of a value: `toBytes(value, sortOrder)`.
    ///
    /// # Errors
    /// A value of another kind, or one the type does not take: NULL (dates encode it as zero, texts and decimals as no
    /// bytes), a negative number of an unsigned type, a number that is too large, a character that is not ASCII in CHAR.
    pub fn encode(
        self,
        value: &PhoenixValue,
        order: SortDirection,
        out: &mut Vec<u8>,
    ) -> Result<(), RefusalCode> {
        let start = out.len();
        match (self, value) {
            (Self::Varchar | Self::Varbinary | Self::Char | Self::Decimal, PhoenixValue::Null) => {}
            // An unsigned timestamp too has the sign bit flipped when there is none.
            (Self::Date { signed: true }, PhoenixValue::Null) => fixed::encode_date(0, true, out)?,
            (Self::Timestamp { .. }, PhoenixValue::Null) => fixed::encode_timestamp(0, 0, true, out)?,
            (_, PhoenixValue::Null) => return Err(NULL),
            (Self::Whole { bytes, signed }, PhoenixValue::Whole(number)) => {
                fixed::encode_whole(*number, bytes, signed, out)?;
            }
            (Self::Float { signed }, PhoenixValue::Float(number)) => {
                out.extend_from_slice(&fixed::encode_float(*number, signed)?);
            }
            (Self::Double { signed }, PhoenixValue::Double(number)) => {
                out.extend_from_slice(&fixed::encode_double(*number, signed)?);
            }
            (Self::Decimal, PhoenixValue::Decimal(number)) => decimal::encode(number, out)?,
            (Self::Boolean, PhoenixValue::Boolean(truth)) => {
                out.push(u8::from(*truth ^ (order == SortDirection::Descending)));
                return Ok(());
            }
            (Self::Char, PhoenixValue::Bytes(bytes)) if !bytes.is_ascii() => return Err(NOT_SINGLE_BYTE),
            (Self::Varchar | Self::Char | Self::Varbinary | Self::Binary, PhoenixValue::Bytes(bytes)) => {
                out.extend_from_slice(bytes);
            }
            (Self::Date { signed }, PhoenixValue::Time { millis, .. }) => {
                fixed::encode_date(*millis, signed, out)?
            }
            (Self::Timestamp { signed }, PhoenixValue::Time { millis, nanos }) => {
                fixed::encode_timestamp(*millis, *nanos, signed, out)?;
            }
            _ => return Err(WRONG_KIND),
        }
        order.turn(out.get_mut(start..).unwrap_or_default());
        Ok(())
    }

    /// The value of these bytes: `toObject(bytes, sortOrder)`. No bytes are NULL.
    ///
    /// # Errors
    /// Another number of bytes than the type has; bytes that Phoenix refuses to read, or would read but never writes.
    pub fn decode(self, bytes: &[u8], order: SortDirection) -> Result<PhoenixValue, RefusalCode> {
        if bytes.is_empty() {
            return Ok(PhoenixValue::Null);
        }
        let mut ascending = bytes.to_vec();
        order.turn(&mut ascending);
        match self {
            Self::Whole { bytes, signed } => {
                fixed::decode_whole(&ascending, bytes, signed).map(PhoenixValue::Whole)
            }
            Self::Float { signed } => fixed::decode_float(&ascending, signed).map(PhoenixValue::Float),
            Self::Double { signed } => fixed::decode_double(&ascending, signed).map(PhoenixValue::Double),
            Self::Decimal => decimal::decode(&ascending).map(PhoenixValue::Decimal),
            Self::Boolean => match *bytes {
                [byte @ (0 | 1)] => {
                    Ok(PhoenixValue::Boolean((byte == 1) ^ (order == SortDirection::Descending)))
                }
                [_] => Err(NOT_WRITTEN),
                _ => Err(WRONG_LENGTH),
            },
            Self::Char if !ascending.is_ascii() => Err(NOT_SINGLE_BYTE),
            Self::Varchar | Self::Char | Self::Varbinary | Self::Binary => Ok(PhoenixValue::Bytes(ascending)),
            Self::Date { signed } => fixed::decode_date(&ascending, signed),
            Self::Timestamp { signed } => fixed::decode_timestamp(&ascending, signed),
        }
    }
}
