//! The binary form of a summary file.

use super::{SummaryFile, SummaryPart, document_text};
use crate::base::Problem;
use crate::base::limits::{DOCUMENT_BYTES, Limit, SUMMARY_PARTS};
use crate::design::{Document, parse};
use crate::summary::form::codec::{BinaryForm, DAMAGED, FormReader, ReadResult, write_bytes, write_list};
use crate::summary::form::frame::{framed, unframed};
use crate::summary::{Summary, fingerprint};

/// The first bytes of every summary file.
pub const MAGIC: [u8; 4] = *b"RWSF";
/// The version of the form that this build writes, and the latest that it reads.
pub const VERSION: u32 = 1;
/// Most parts of a file.
pub const PARTS: Limit = SUMMARY_PARTS;
/// Bytes kept of the name of a part.
pub const NAME_BYTES: usize = 200;

impl BinaryForm for SummaryPart {
    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.id);
        self.rows.write(to);
        self.name.write(to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let id = from.take(16)?.try_into().map_err(|_| DAMAGED)?;
        let (rows, name) = <(u64, String)>::read(from)?;
        let fits = name.len() <= NAME_BYTES;
        if fits { Ok(Self { id, rows, name }) } else { Err(DAMAGED) }
    }
}

impl SummaryFile {
    /// The bytes of the file. Equal counts of equal parts have equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        write_bytes(self.document.as_bytes(), &mut body);
        write_list(&self.parts, &mut body);
        write_bytes(&self.summary.to_bytes(), &mut body);
        framed(MAGIC, VERSION, &body)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// `summary.not-one`, `summary.other-version`, `summary.cut-short`, `summary.damaged`, `summary.other-reason`; a design document
    /// that this build does not read.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Problem> {
        let (_, body) = unframed(bytes, MAGIC, VERSION)?;
        let (document, parts, summary) = split(body).map_err(Problem::new)?;
        DOCUMENT_BYTES.check(document.len())?;
        let first = |problems: Vec<Problem>| {
            problems.into_iter().next().unwrap_or_else(|| Problem::new("design.invalid"))
        };
        let study = parse(&document).map_err(first)?;
        let summary = Summary::from_bytes(summary)?;
        let all: Option<u64> = parts.iter().try_fold(0u64, |all, part| all.checked_add(part.rows));
        let apart = parts.windows(2).all(|pair| matches!(pair, [a, b] if a.id < b.id));
        if all != Some(summary.rows) || !apart || !is_of(&study, &summary)? {
            return Err(Problem::new(DAMAGED));
        }
        PARTS.check(parts.len())?;
        // A later build may print another normal form of the same design.
        let (document, summary) = (document_text(&study), summary.of_study(fingerprint(&study)));
        Ok(Self { study, document, parts, summary })
    }
}

fn split(body: &[u8]) -> ReadResult<(String, Vec<SummaryPart>, &[u8])> {
    let mut reader = FormReader(body);
    let (document, parts) = <(String, Vec<SummaryPart>)>::read(&mut reader)?;
    let summary = reader.bytes()?;
    if reader.0.is_empty() { Ok((document, parts, summary)) } else { Err(DAMAGED) }
}

/// True if a summary counts what the tables and queries of a document ask for.
fn is_of(study: &Document, summary: &Summary) -> Result<bool, Problem> {
    let none = super::summarizer::pass_of(study)?;
    Ok(none.so_far().counts_alike(summary))
}
