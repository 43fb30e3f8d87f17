//! The versions of HBase that texts are made for.
//!
//! Code that reads and writes tables is the same for all of them, as `tests/oracle/clients.mjs` shows: it is compiled with the
//! client of each. They differ in the compressions they know.

use super::subject::EmitSubject;
use crate::base::Problem;

/// A version of HBase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HbaseVersion {
    /// Its number, such as `2.6`.
    pub name: &'static str,
    /// Compressions that it lacks.
    lacks: &'static [&'static str],
}

/// All versions, from the oldest.
pub static HBASE_VERSIONS: &[HbaseVersion] = &[
    HbaseVersion { name: "2.4", lacks: &["LZMA", "BROTLI"] },
    HbaseVersion { name: "2.5", lacks: &[] },
    HbaseVersion::DEFAULT,
    HbaseVersion { name: "3.0", lacks: &[] },
];

impl HbaseVersion {
    /// The version that texts are made for unless another is asked for.
    pub const DEFAULT: Self = Self { name: "2.6", lacks: &[] };

    /// The version of this number.
    ///
    /// # Errors
    /// `emit.unknown-hbase` for another one.
    pub fn named(name: &str) -> Result<Self, Problem> {
        HBASE_VERSIONS.iter().find(|version| version.name == name).copied().ok_or_else(|| {
            let known: Vec<&str> = HBASE_VERSIONS.iter().map(|version| version.name).collect();
            Problem::new("emit.unknown-hbase").with("found", name).with("known", known.join(", "))
        })
    }
}

/// Refuses a table that the version cannot make.
///
/// # Errors
/// `emit.no-compression` for a compression that it lacks.
pub(super) fn check_table(subject: &EmitSubject<'_>) -> Result<(), Problem> {
    let HbaseVersion { name, lacks } = subject.hbase;
    let families = &subject.design.families;
    match families.iter().find(|family| lacks.contains(&family.compression.as_str())) {
        None => Ok(()),
        Some(family) => Err(Problem::new("emit.no-compression")
            .with("hbase", name)
            .with("compression", &family.compression)
            .with("family", &family.name)),
    }
}
