//! Records to a part of a summary.

use super::form::NAME_BYTES;
use super::{PartId, SummaryFile, SummaryPart, document_text};
use crate::analysis::counter::{Counter, ParallelCounter};
use crate::analysis::require_columns;
use crate::base::Problem;
#[cfg(not(target_arch = "wasm32"))]
use crate::base::workers::Workers;
use crate::bytes::hash::md5;
use crate::bytes::strings::ByteStrings;
use crate::design::Document;
use crate::design::split::SplitPoints;
use crate::formula::typed::TypedFormula;
use crate::records::{Records, ValuePlaces};
use crate::summary::{Summary, fingerprint};
use std::sync::Arc;

/// Where the records of a part stand, by which rows are sampled and random salts are drawn.
pub enum PartPlace {
    /// In files of these names: by file and byte.
    Files(Vec<String>),
    /// Nowhere: by their values and their count among equals of the part.
    Values,
}

/// How a part is summarised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummarizerOptions {
    /// Tells the part from others of the same records, such as the number of a partition; empty if records alone do.
    pub id: String,
    /// Its name in messages.
    pub name: String,
    /// True to leave out sampled rows and keys, and all values.
    pub no_samples: bool,
}

/// Counts the records of a part.
pub struct Summarizer {
    study: Document,
    counting: ParallelCounter,
    place: PartPlace,
    places: ValuePlaces,
    options: SummarizerOptions,
}

impl Summarizer {
    /// For all tables of a document.
    ///
    /// # Errors
    /// `summary.splits-follow` where split points follow from the records, so that parts would differ in them; splits that HBase
    /// would refuse.
    pub fn new(study: Document, place: PartPlace, options: SummarizerOptions) -> Result<Self, Problem> {
        let counting = ParallelCounter::new(pass_of(&study)?);
        Ok(Self { study, counting, place, places: ValuePlaces::default(), options })
    }

    /// Counts on these threads from now on.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn count_on(&mut self, workers: &Arc<Workers>) {
        self.counting.count_on(workers);
    }

    /// Counts a portion of the records.
    ///
    /// # Errors
    /// Records that lack a field of a row key, or hold one of another type.
    pub fn add(&mut self, mut records: Records) -> Result<(), Problem> {
        let arrival = self.study.arrival.as_deref();
        for design in &self.study.tables {
            require_columns(&records, &self.study.fields, &design.typed, arrival)?;
        }
        let id = &self.options.id;
        match &self.place {
            PartPlace::Files(names) => records.renumber_files(|file| {
                ordinal(id, names.get(file as usize).map_or("", String::as_str), file)
            }),
            PartPlace::Values => self.places.place(&mut records, ordinal(id, "", 0)),
        }
        self.counting.add(&Arc::new(records), None);
        Ok(())
    }

    /// Number of records so far.
    pub fn rows(&self) -> u64 {
        self.counting.rows()
    }

    /// The part.
    pub fn finish(self) -> SummaryFile {
        let (summary, options) = (self.counting.summary(), self.options);
        let part = SummaryPart {
            id: identity(&summary, &options.id),
            rows: summary.rows,
            name: shortened(if options.name.is_empty() { &options.id } else { &options.name }),
        };
        let parts = if part.rows > 0 { vec![part] } else { Vec::new() };
        let file = SummaryFile { document: document_text(&self.study), study: self.study, parts, summary };
        if options.no_samples { file.without_samples() } else { file }
    }
}

/// A pass over the records of a document that has seen none.
///
/// # Errors
/// `summary.splits-follow`; splits that HBase would refuse.
pub(super) fn pass_of(study: &Document) -> Result<Counter, Problem> {
    let mut points: Vec<SplitPoints> = Vec::new();
    for (table, design) in study.tables.iter().enumerate() {
        if design.splits.need_records() {
            let problem = Problem::new("summary.splits-follow").with("table", &design.name);
            return Err(problem.at_path(format!("tables[{table}].splits")));
        }
        points.push(design.splits.points()?);
    }
    let designs: Vec<(&TypedFormula, &SplitPoints)> =
        study.tables.iter().map(|design| &design.typed).zip(&points).collect();
    let counted = study.named_fields();
    let arrival = study.arrival.as_deref();
    let pass =
        Counter::of_study(fingerprint(study), &study.fields, &designs, arrival, &study.queries, &counted);
    Ok(pass.with_operation(study.operation.as_ref()))
}

/// The ordinal of a file among all files of all parts, nearly always its own.
fn ordinal(id: &str, name: &str, file: u32) -> u32 {
    let digest =
        digest(&[id.as_bytes(), name.as_bytes(), &if name.is_empty() { file } else { 0 }.to_be_bytes()]);
    let [a, b, c, d, ..] = digest;
    u32::from_be_bytes([a, b, c, d])
}

/// The identity of a part: of its counts, whichever build printed their design, and of what tells it from a part with equal ones.
fn identity(summary: &Summary, id: &str) -> PartId {
    let counts = summary.clone().without_positions().of_study(PartId::default());
    digest(&[&counts.to_bytes(), id.as_bytes()])
}

/// The MD5 of byte strings, each behind its length.
fn digest(texts: &[&[u8]]) -> PartId {
    let mut joined = Vec::new();
    for text in texts {
        joined.extend((text.len() as u64).to_be_bytes());
        joined.extend_from_slice(text);
    }
    let (mut strings, mut digests) = (ByteStrings::default(), ByteStrings::default());
    strings.push(&joined);
    md5::digests(&strings, &mut digests);
    digests.get(0).try_into().unwrap_or_default()
}

/// The first characters of a name.
fn shortened(name: &str) -> String {
    let fits = |(at, char): &(usize, char)| at + char.len_utf8() <= NAME_BYTES;
    name.char_indices().take_while(fits).map(|(_, char)| char).collect()
}
