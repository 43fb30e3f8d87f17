//! The settings of column families, as `describe` prints them and `create` takes them.

use super::ruby::RubyValue;
use crate::base::map::Map;
use crate::bytes::sort::sort_by;
use crate::design::Family;
use serde::Serialize;

/// A column family as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExistingFamily {
    /// Its name.
    pub name: String,
    /// Name of its compression; `NONE` when the text does not tell.
    pub compression: String,
    /// Most versions kept of a cell.
    pub versions: Option<u32>,
    /// Seconds that a cell lives; `None` for ever.
    pub ttl: Option<u32>,
    /// All settings as printed.
    pub settings: Map<String, String>,
}

impl ExistingFamily {
    /// From `{NAME => 'f', VERSIONS => '1', …}`; `None` when it names no family.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut settings = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(" => '") {
            let name = before.rsplit([' ', ',', '{']).next().unwrap_or_default();
            // A quote within a value is followed by neither a comma nor a brace.
            let ends = [after.find("', "), after.find("'}")];
            let end = ends.into_iter().flatten().min()?;
            let (value, tail) = after.split_at_checked(end)?;
            settings.push((name.trim_matches('\'').to_owned(), value.to_owned()));
            rest = tail;
        }
        Self::of(settings)
    }

    /// One of this name, and otherwise as HBase makes it.
    pub(super) fn named(name: String) -> Self {
        Self { name, compression: "NONE".to_owned(), ..Self::default() }
    }

    /// The family of a design.
    pub(super) fn of_design(family: &Family) -> Self {
        let stated = [
            ("NAME", Some(family.name.clone())),
            ("COMPRESSION", Some(family.compression.clone())),
            ("DATA_BLOCK_ENCODING", family.files.encoding.clone()),
            ("VERSIONS", Some(family.versions.to_string())),
            ("TTL", family.ttl.map(|ttl| ttl.to_string())),
        ];
        let settings = stated.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Self::of(settings.collect()).unwrap_or_else(|| Self::named(family.name.clone()))
    }

    /// From the pairs of a `create` command; `None` when they name no family.
    pub(super) fn of_pairs(pairs: &[(String, RubyValue)]) -> Option<Self> {
        let setting = |(name, value): &(String, RubyValue)| match value {
            RubyValue::Text { text, .. } | RubyValue::Word(text) => Some((name.clone(), text.clone())),
            RubyValue::List(_) | RubyValue::Hash(_) => None,
        };
        Self::of(pairs.iter().filter_map(setting).collect())
    }

    /// From settings, of which the last of a name counts.
    fn of(mut settings: Vec<(String, String)>) -> Option<Self> {
        // In order each comes behind the others; elsewhere, they would have to make room for it.
        sort_by(&mut settings, |(a, _), (b, _)| a.cmp(b));
        let settings: Map<String, String> = settings.into_iter().collect();
        let number = |name: &str| -> Option<u32> {
            // `86400 SECONDS (1 DAY)`, `FOREVER`.
            settings.get(name)?.split(' ').next()?.parse().ok()
        };
        let compression = settings.get("COMPRESSION").cloned().unwrap_or_else(|| "NONE".to_owned());
        Some(Self {
            name: settings.get("NAME")?.clone(),
            compression,
            versions: number("VERSIONS"),
            ttl: number("TTL").filter(|&ttl| ttl < i32::MAX as u32),
            settings,
        })
    }
}
