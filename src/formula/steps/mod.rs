//! The table of steps and encodings: one file each, one line here.
//!
//! A step declares what it takes and gives and, once bound to its arguments, its properties; the checker, the encoder,
//! the page and the tests of the laws all read them from this table.

mod arithmetic;
mod bytes;
mod case;
mod catalogue;
mod choice;
pub mod curves;
mod escaped;
mod fixed;
mod hashes;
mod integers;
mod java;
#[cfg(test)]
mod laws;
mod lookup;
mod numbers;
mod operation;
mod ordered;
mod phoenix;
mod pieces;
mod reading;
mod salts;
#[cfg(test)]
mod samples;
mod sign;
mod step;
mod string;
mod times;
mod words;

pub use arithmetic::SUM;
pub use catalogue::{CatalogueEntry, catalogue};
pub(super) use curves::{DEGREES, GEOHASH, Z_ORDER};
pub(super) use integers::INT64;
pub use operation::BoxedOperation;
pub use phoenix::{PhoenixColumn, quoted, quoted_table};
pub use step::{ArgumentValue, Arguments, Bind, BoundStep, Step, StepParameter};
#[cfg(feature = "emit")]
pub(crate) use times::period;

/// All steps and encodings.
pub static STEPS: &[&Step] = &[
    &words::REVERSE,
    &case::UPPER,
    &case::LOWER,
    &words::SUBSTRING,
    &pieces::PART,
    &pieces::BEFORE,
    &pieces::AFTER,
    &words::PAD,
    &arithmetic::NUMBER,
    &lookup::LOOKUP,
    &arithmetic::PLUS,
    &arithmetic::DIV,
    &numbers::MOD,
    &numbers::FLOOR_MOD,
    &numbers::AND,
    &numbers::REVERSE_LONG,
    &reading::TO_SHORT,
    &reading::TO_INT,
    &reading::TO_LONG,
    &reading::TO_UNSIGNED,
    &times::FORMAT,
    &times::MILLIS,
    &times::SECONDS,
    &times::TRUNCATE,
    &times::OFFSET,
    &sign::ABS,
    &choice::WORDS,
    &hashes::MD5,
    &hashes::SHA1,
    &hashes::SHA256,
    &hashes::CRC32,
    &hashes::MURMUR,
    &hashes::MURMUR3,
    &hashes::JENKINS,
    &hashes::JAVA_HASH,
    &hashes::BYTES_HASH,
    &salts::PHOENIX_SALT,
    &salts::HBASEWD_SALT,
    &salts::OPENTSDB_SALT,
    &fixed::TEXT,
    &fixed::TERMINATED,
    &escaped::ESCAPED,
    &integers::DECIMAL,
    &string::STRING,
    &bytes::HEX,
    &bytes::HEX_UPPER,
    &bytes::RAW,
    &integers::UINT8,
    &integers::UINT16,
    &integers::UINT24,
    &integers::UINT32,
    &integers::INT8,
    &integers::INT16,
    &integers::INT32,
    &integers::INT64,
    &java::FLOAT32,
    &java::FLOAT64,
    &java::BIG_DECIMAL,
    &java::BOOLEAN,
    &ordered::INT8,
    &ordered::INT16,
    &ordered::INT32,
    &ordered::INT64,
    &ordered::FLOAT32,
    &ordered::FLOAT64,
    &ordered::NUMERIC,
    &ordered::STRING,
    &ordered::BLOB_VAR,
    &ordered::BLOB_COPY,
    &phoenix::TINYINT,
    &phoenix::SMALLINT,
    &phoenix::INT,
    &phoenix::BIGINT,
    &phoenix::UNSIGNED_TINYINT,
    &phoenix::UNSIGNED_SMALLINT,
    &phoenix::UNSIGNED_INT,
    &phoenix::UNSIGNED_LONG,
    &phoenix::FLOAT,
    &phoenix::DOUBLE,
    &phoenix::UNSIGNED_FLOAT,
    &phoenix::UNSIGNED_DOUBLE,
    &phoenix::DECIMAL,
    &phoenix::BOOLEAN,
    &phoenix::VARCHAR,
    &phoenix::CHAR,
    &phoenix::VARBINARY,
    &phoenix::BINARY,
    &phoenix::DATE,
    &phoenix::TIME_OF_DAY,
    &phoenix::TIMESTAMP,
    &phoenix::UNSIGNED_DATE,
    &phoenix::UNSIGNED_TIME,
    &phoenix::UNSIGNED_TIMESTAMP,
];

/// The step of that name.
pub fn named(name: &str) -> Option<&'static Step> {
    STEPS.iter().find(|step| step.name == name).copied()
}

/// True if names of steps begin with this one and a dot, as `phoenix.bigint` does with `phoenix`.
pub(super) fn is_family(name: &str) -> bool {
    STEPS.iter().any(|step| step.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}
