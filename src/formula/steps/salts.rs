//! Salts over bytes, most often the rest of the key: `phoenixSalt`, `hbasewdSalt`, `opentsdbSalt`.

use super::operation::strings;
use super::step::{Bind, BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::bytes::salt::{self, MAX_BUCKETS};
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Width};

const ONE_BYTE: StepParameter = StepParameter::Number { name: "buckets", least: 1, most: MAX_BUCKETS };

const fn step(name: &'static str, parameters: &'static [StepParameter], bind: Bind) -> Step {
    let takes = &[Kind::Text, Kind::Bytes];
    Step { name, takes, gives: Kind::Bytes, parameters, required: 1, encoding: false, bind }
}

/// One byte, a salt of `buckets`, made by `salt`; `more` may occur besides.
fn one_byte(
    buckets: i32,
    more: Alphabet,
    salt: fn(&[u8], i32) -> Result<u8, Problem>,
) -> Result<BoundStep, Problem> {
    let alphabet = Alphabet::range(0, (buckets - 1) as u8).union(more);
    let operation = strings(move |key, out| {
        out.push(salt(key, buckets).map_err(|problem| problem.code)?);
        Ok(())
    });
    Ok(BoundStep {
        distinct: Some(alphabet.len().into()),
        width: Width::fixed(1),
        alphabet,
        by_position: vec![alphabet],
        ..BoundStep::new(operation)
    })
}

/// Phoenix's salt byte of a key: `|Arrays.hashCode % buckets|`.
pub static PHOENIX_SALT: Step = step("phoenixSalt", &[ONE_BYTE], |arguments, _| {
    one_byte(arguments.count(0) as i32, Alphabet::NONE, salt::phoenix)
});

/// HBaseWD's prefix of a key: `|Arrays.hashCode| % buckets`, with the one hash that stays negative.
pub static HBASEWD_SALT: Step = step("hbasewdSalt", &[ONE_BYTE], |arguments, _| {
    let buckets = arguments.count(0) as i32;
    let outside = Alphabet::of(&[(i32::MIN % buckets) as u8]);
    one_byte(buckets, outside, salt::hbasewd)
});

/// OpenTSDB's salt of a metric and its tags: `|Arrays.hashCode % buckets|` in `width` bytes, 1 unless given.
pub static OPENTSDB_SALT: Step = step(
    "opentsdbSalt",
    &[
        StepParameter::Number { name: "buckets", least: 1, most: i32::MAX as i64 },
        StepParameter::Number { name: "width", least: 1, most: salt::OPENTSDB_MAX_WIDTH },
    ],
    |arguments, _| {
        let buckets = arguments.count(0) as i32;
        let width = arguments.number(1).map_or(1, |width| width as usize);
        let operation = strings(move |series, out| {
            let bucket = salt::opentsdb_bucket(series, buckets).map_err(|problem| problem.code)?;
            out.extend(salt::opentsdb(bucket, width));
            Ok(())
        });
        // With more than four bytes Java's shift begins again, with too few the number is cut.
        let whole = width <= 4 && (buckets as u64) <= 1 << (8 * width);
        let last: Vec<u8> = salt::opentsdb(buckets as u32 - 1, width).collect();
        Ok(BoundStep {
            distinct: Some(buckets as u64),
            width: Width::fixed(width as u64),
            by_position: if whole { Alphabet::between(&vec![0; width], &last) } else { Vec::new() },
            ..BoundStep::new(operation)
        })
    },
);
