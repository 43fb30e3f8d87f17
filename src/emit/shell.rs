//! `create` of the HBase shell.
//!
//! Split keys stand between single quotes, where the shell leaves `\xFF` to `Bytes.toBytesBinary`; between double quotes
//! Ruby itself would read it, and every byte from `\x80` on would become `\xFD`.

use super::names::comment;
use super::points::splits_file;
use super::subject::EmitSubject;
use super::version::check_table;
use crate::analysis::settings::{TableSetting, settings};
use crate::base::Problem;
use crate::base::hidden::is_hidden;
use crate::bytes::row::to_string_binary;
use crate::compare::alter::{BLOOM_PREFIX, SettingChange, own_settings};
use crate::design::Family;
use crate::design::split::Splits;

/// How the split points are told.
#[derive(PartialEq)]
pub(super) enum ShellSplits {
    Inline,
    File,
    Algorithm,
}

/// More split keys than this belong into a file.
pub(super) const MOST_INLINE: usize = 10_000;

/// The only family where the design names none.
pub(super) const FAMILY: &str = "f";

/// Settings whose values are no texts.
const BARE: [&str; 8] = [
    "VERSIONS",
    "MIN_VERSIONS",
    "TTL",
    "NORMALIZATION_ENABLED",
    "BLOCKSIZE",
    "IN_MEMORY",
    "IS_MOB",
    "MOB_THRESHOLD",
];

/// The command that makes the table as the design says, and behind it, as comments, what is advised beyond that.
pub(super) fn create(subject: &EmitSubject<'_>, splitting: &ShellSplits) -> Result<String, Problem> {
    check_table(subject)?;
    let design = subject.design;
    // Who makes the namespace is not known, and making it twice is an error.
    let namespace = design.name.split_once(':').map(|(namespace, _)| namespace);
    let namespace =
        namespace.map(|name| comment("# ", &format!("create_namespace {}", text(name)))).unwrap_or_default();
    let mut parts = vec![format!("{namespace}create {}", text(&design.name))];
    parts.extend(design.families.iter().map(of_family));
    if design.families.is_empty() {
        parts.push(text(FAMILY));
    }
    parts.extend(splits_of(subject, splitting)?);
    let command = parts.join(",\n  ") + "\n";
    let advised = settings(subject.study, design, &subject.lengths);
    Ok(command + &advised.iter().map(|setting| advice(&design.name, setting)).collect::<String>())
}

/// A setting that is advised, with its reason and the command that would make it, as comments.
fn advice(table: &str, setting: &TableSetting) -> String {
    let mut attributes: Vec<(&str, String)> =
        setting.family.iter().map(|name| ("NAME", name.clone())).collect();
    attributes.extend(setting.attribute());
    attributes.extend(configuration(std::iter::once(setting)));
    let lines = [setting.reason.sentence(), format!("alter {}, {}", text(table), hash(&attributes))];
    let lines = lines.map(|line| comment("# ", &line));
    format!("\n{}", lines.concat())
}

/// One command that makes settings: those of a family together, then those of the table.
pub fn alter_command(table: &str, settings: &[TableSetting]) -> String {
    let mut families: Vec<Option<&str>> = Vec::new();
    for family in settings.iter().map(|setting| setting.family.as_deref()) {
        if !families.contains(&family) {
            families.push(family);
        }
    }
    let of_family = |family: &Option<&str>| {
        let own = || settings.iter().filter(|setting| setting.family.as_deref() == *family);
        let mut attributes: Vec<(&str, String)> =
            family.iter().map(|name| ("NAME", (*name).to_owned())).collect();
        attributes.extend(own().filter_map(TableSetting::attribute));
        attributes.extend(configuration(own()));
        hash(&attributes)
    };
    let parts = std::iter::once(text(table)).chain(families.iter().map(of_family));
    format!("alter {}", parts.collect::<Vec<_>>().join(",\n  "))
}

/// The entries of `CONFIGURATION` of settings, if any.
fn configuration<'s>(settings: impl Iterator<Item = &'s TableSetting>) -> Option<(&'static str, String)> {
    let pairs: Vec<String> = settings
        .flat_map(TableSetting::entries)
        .map(|(name, value)| format!("{} => {}", text(name), text(value)))
        .collect();
    (!pairs.is_empty()).then(|| ("CONFIGURATION", format!("{{{}}}", pairs.join(", "))))
}

/// `SPLITS`, `SPLITS_FILE`, or `NUMREGIONS` and `SPLITALGO`; nothing for one region.
fn splits_of(subject: &EmitSubject<'_>, splitting: &ShellSplits) -> Result<Option<String>, Problem> {
    if *splitting == ShellSplits::Algorithm {
        // The shell takes no rows for an algorithm.
        let Splits::Algorithm { algorithm, regions, first, last } = &subject.design.splits else {
            return Err(Problem::new("emit.no-algorithm"));
        };
        let own = |row: &Option<Vec<u8>>, default: &[u8]| row.as_deref().is_none_or(|row| row == default);
        if !own(first, algorithm.first) || !own(last, algorithm.last) {
            return Err(Problem::new("emit.algorithm-rows").with("algorithm", algorithm.name));
        }
        return Ok((*regions > 1)
            .then(|| format!("{{NUMREGIONS => {regions}, SPLITALGO => {}}}", text(algorithm.name))));
    }
    let points = subject.points()?.keys();
    if points.is_empty() {
        return Ok(None);
    }
    if *splitting == ShellSplits::File {
        return Ok(Some(format!("{{SPLITS_FILE => {}}}", text(&splits_file(&subject.design.name)))));
    }
    if points.len() > MOST_INLINE {
        return Err(Problem::new("emit.too-many-splits")
            .with("found", points.len())
            .with("most", MOST_INLINE));
    }
    let keys: Vec<String> = points.iter().map(key).collect();
    Ok(Some(format!("{{SPLITS => [{}]}}", keys.join(", "))))
}

fn of_family(family: &Family) -> String {
    let settings = own_settings(family);
    let name = std::iter::once(("NAME", family.name.clone()));
    hash(&name.chain(attributes(settings.iter())).collect::<Vec<_>>())
}

/// Settings as attributes of a family: those that HBase has no attribute for are its configuration.
pub(super) fn attributes<'s>(
    settings: impl Iterator<Item = &'s SettingChange> + Clone,
) -> impl Iterator<Item = (&'static str, String)> {
    let configured = settings.clone().filter(|setting| setting.name == BLOOM_PREFIX);
    let configured = configured
        .map(|setting| ("CONFIGURATION", format!("{{{} => {}}}", text(setting.name), text(&setting.to))));
    let plain = settings.filter(|setting| setting.name != BLOOM_PREFIX);
    plain.map(|setting| (setting.name, setting.to.clone())).chain(configured)
}

/// A hash of attributes.
pub(super) fn hash(attributes: &[(&str, String)]) -> String {
    let written = |(name, value): &(&str, String)| match *name {
        "CONFIGURATION" => format!("{name} => {value}"),
        _ if BARE.contains(name) => format!("{name} => {value}"),
        _ => format!("{name} => {}", text(value)),
    };
    let pairs: Vec<String> = attributes.iter().map(written).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// A text as it is.
pub(super) fn text(text: &str) -> String {
    if !text.contains(is_hidden) {
        return format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    }
    let written = |char: char| match char {
        '"' | '\\' | '#' => format!("\\{char}"),
        _ if is_hidden(char) => format!("\\u{{{:x}}}", u32::from(char)),
        _ => char.to_string(),
    };
    format!("\"{}\"", text.chars().map(written).collect::<String>())
}

/// A split key, in a notation in which a quote is `\x27`.
fn key(key: &[u8]) -> String {
    format!("'{}'", to_string_binary(key).replace('\'', "\\x27"))
}
