//! Hashes: `md5`, `javaHash`.

use super::operation::numbered;
use super::{Bound, Step};
use crate::field::Kind;
use crate::formula::properties::{Width, decimal_width};
use crate::formula::vector::{Operation, Refusals, Vector};
use crate::hash;
use std::sync::Arc;

/// The 16 bytes of the MD5 digest of the UTF-8 text or the bytes.
pub static MD5: Step = Step {
    name: "md5",
    takes: &[Kind::Text, Kind::Bytes],
    gives: Kind::Bytes,
    parameters: &[],
    required: 0,
    encoding: false,
    samples: &["()"],
    bind: |_, input| {
        Ok(Bound {
            distinct: input.distinct,
            width: Width::fixed(hash::md5::DIGEST as u64),
            ..Bound::new(Arc::new(Md5))
        })
    },
};

struct Md5;

impl Operation for Md5 {
    fn apply(&self, input: &Vector, output: &mut Vector, _: &mut Refusals) {
        if let (Vector::Strings(input), Vector::Strings(output)) = (input, output) {
            hash::md5::digests(input, output);
        }
    }

    fn output(&self) -> Vector {
        Vector::Strings(Default::default())
    }
}

/// `String.hashCode`: over UTF-16 units, a signed 32-bit number.
pub static JAVA_HASH: Step = Step {
    name: "javaHash",
    takes: &[Kind::Text],
    gives: Kind::Integer,
    parameters: &[],
    required: 0,
    encoding: false,
    samples: &["()"],
    bind: |_, input| {
        let range = Some((i64::from(i32::MIN), i64::from(i32::MAX)));
        let distinct = Some(input.distinct.unwrap_or(u64::MAX).min(1 << 32));
        let operation = numbered(|text| i64::from(hash::java::string_hash(text)));
        Ok(Bound { range, distinct, width: decimal_width(range), ..Bound::new(operation) })
    },
};
