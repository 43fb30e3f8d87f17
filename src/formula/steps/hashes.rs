//! Hashes: `md5`, `sha1`, `sha256` as bytes; `crc32`, `murmur`, `murmur3`, `jenkins`, `javaHash`, `bytesHash` as numbers.

use super::operation::{BoxedOperation, numbered, read, strings};
use super::step::{Arguments, Bind, BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::bytes::hash;
use crate::formula::vector::{ColumnOperation, RowRefusals, Vector};
use crate::records::field::Kind;
use crate::records::field::shape::{Shape, Width, decimal_width};
use std::sync::Arc;

const fn step(name: &'static str, gives: Kind, bind: Bind) -> Step {
    Step {
        name,
        takes: &[Kind::Text, Kind::Bytes],
        gives,
        parameters: &[],
        required: 0,
        encoding: false,
        bind,
    }
}

fn digest(bytes: usize, input: &Shape, operation: BoxedOperation) -> Result<BoundStep, Problem> {
    Ok(BoundStep { distinct: input.distinct, width: Width::fixed(bytes as u64), ..BoundStep::new(operation) })
}

/// A number of 32 bits from `low` on.
fn number(low: i64, input: &Shape, hash: impl Fn(&[u8]) -> i64 + Send + Sync + 'static) -> BoundStep {
    let range = Some((low, low + i64::from(u32::MAX)));
    let distinct = Some(input.distinct.unwrap_or(u64::MAX).min(1 << 32));
    BoundStep { range, distinct, width: decimal_width(range), ..BoundStep::new(numbered(hash)) }
}

fn signed(input: &Shape, hash: impl Fn(&[u8]) -> i32 + Send + Sync + 'static) -> Result<BoundStep, Problem> {
    Ok(number(i32::MIN.into(), input, move |bytes| hash(bytes).into()))
}

/// The 16 bytes of the MD5 digest of the UTF-8 text or the bytes.
pub static MD5: Step = step("md5", Kind::Bytes, |_, input| digest(hash::md5::DIGEST, input, Arc::new(Md5)));

struct Md5;

impl ColumnOperation for Md5 {
    fn apply(&self, input: &Vector, output: &mut Vector, _: &mut RowRefusals) {
        if let (Vector::Strings(input), Vector::Strings(output)) = (input, output) {
            hash::md5::digests(input, output);
        }
    }

    fn output(&self) -> Vector {
        Vector::Strings(Default::default())
    }
}

/// The 20 bytes of the SHA-1 digest.
pub static SHA1: Step = step("sha1", Kind::Bytes, |_, input| {
    let operation = |message: &[u8], out: &mut Vec<u8>| {
        out.extend_from_slice(&hash::sha1(message));
        Ok(())
    };
    digest(20, input, strings(operation))
});

/// The 32 bytes of the SHA-256 digest.
pub static SHA256: Step = step("sha256", Kind::Bytes, |_, input| {
    let operation = |message: &[u8], out: &mut Vec<u8>| {
        out.extend_from_slice(&hash::sha256(message));
        Ok(())
    };
    digest(32, input, strings(operation))
});

/// `java.util.zip.CRC32`: from 0 to 2^32 − 1.
pub static CRC32: Step =
    step("crc32", Kind::Integer, |_, input| Ok(number(0, input, |bytes| hash::crc32(bytes).into())));

/// `String.hashCode`: over UTF-16 units, a signed 32-bit number.
pub static JAVA_HASH: Step = Step {
    takes: &[Kind::Text],
    ..step("javaHash", Kind::Integer, |_, input| {
        // Bytes that are no text have no String, and so no hash of it.
        let operation = read(|text| hash::java_string(text).map(i64::from).ok_or("step.not-text"));
        Ok(BoundStep { operation, ..signed(input, |_| 0)? })
    })
};

/// `Arrays.hashCode(byte[])`, `Bytes.hashCode`: a signed 32-bit number.
pub static BYTES_HASH: Step = step("bytesHash", Kind::Integer, |_, input| signed(input, hash::java_bytes));

/// A hash of HBase's own, by seed; signed, 32 bits.
const fn seeded(name: &'static str, bind: Bind) -> Step {
    const SEED: StepParameter =
        StepParameter::Number { name: "seed", least: i32::MIN as i64, most: i32::MAX as i64 };
    Step { parameters: &[SEED], ..step(name, Kind::Integer, bind) }
}

fn seed(arguments: Arguments<'_>) -> i32 {
    arguments.number(0).map_or(hash::SEED, |seed| seed as i32)
}

/// HBase's `MurmurHash`.
pub static MURMUR: Step = seeded("murmur", |arguments, input| {
    let seed = seed(arguments);
    signed(input, move |bytes| hash::murmur(bytes, seed))
});

/// HBase's `MurmurHash3`.
pub static MURMUR3: Step = seeded("murmur3", |arguments, input| {
    let seed = seed(arguments);
    signed(input, move |bytes| hash::murmur3(bytes, seed))
});

/// HBase's `JenkinsHash`.
pub static JENKINS: Step = seeded("jenkins", |arguments, input| {
    let seed = seed(arguments);
    signed(input, move |bytes| hash::jenkins(bytes, seed))
});
