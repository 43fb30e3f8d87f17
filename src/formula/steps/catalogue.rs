//! All that a formula may hold, as the page lists it.

use super::STEPS;
use crate::base::sentences::template;
use crate::formula::check::SOURCES;
use crate::records::field::Kind;
use serde::Serialize;

/// A source or step as the page lists it.
#[derive(Clone, Debug, Serialize)]
pub struct CatalogueEntry {
    /// Name in a formula.
    pub name: &'static str,
    /// How it is written: `pad(width, with)`.
    pub signature: String,
    /// The input type.
    pub takes: &'static [Kind],
    /// The result type.
    pub gives: Kind,
    /// True if it writes a value as the bytes of the key.
    pub encoding: bool,
    /// One sentence on what it does.
    pub help: String,
}

/// All sources with arguments, steps and encodings, with the sentence on each.
pub fn catalogue() -> Vec<CatalogueEntry> {
    let help = |name: &str| template(&format!("help.{name}")).unwrap_or_default().into_owned();
    let sources = SOURCES.iter().map(|source| CatalogueEntry {
        name: source.name,
        signature: source.signature.to_owned(),
        takes: source.takes,
        gives: source.gives,
        encoding: false,
        help: help(source.name),
    });
    let steps = STEPS.iter().map(|step| CatalogueEntry {
        name: step.name,
        signature: step.signature(),
        takes: step.takes,
        gives: step.gives,
        encoding: step.encoding,
        help: help(step.name),
    });
    sources.chain(steps).collect()
}
