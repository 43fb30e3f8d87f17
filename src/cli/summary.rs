//! Summaries as files: recognised, read, told in a sentence.

use super::context::{CommandContext, Failure};
use super::figures::count;
use super::source::ByteSource;
use super::words::{said, say};
use crate::analysis::summary_file::{MAGIC, SummaryFile};
use crate::base::Problem;
use crate::base::limits::SUMMARY_BYTES;

/// The contents of a summary, in a sentence.
pub fn held_in(file: &SummaryFile) -> String {
    let parts = said(&Problem::new("cli.count-parts").with("count", file.parts().len()));
    let [rows, sample] = [file.summary().rows, file.summary().sample.len() as u64].map(count);
    let code = if file.has_samples() { "cli.summary-holds" } else { "cli.summary-holds-counts" };
    say(code, &[("parts", &parts), ("rows", &rows), ("sample", &sample)])
}

/// True if an open file is a summary.
pub fn is_summary(context: &mut CommandContext<'_>, source: &mut ByteSource) -> bool {
    source.look(context, MAGIC.len()).starts_with(&MAGIC)
}

/// The summary in an open file.
///
/// # Errors
/// Errors of the system; a file that is none, or a damaged one.
pub fn opened(context: &mut CommandContext<'_>, mut source: ByteSource) -> Result<SummaryFile, Failure> {
    let bytes = source.all(context, &SUMMARY_BYTES)?;
    let name = source.name.clone();
    source.close(context);
    SummaryFile::from_bytes(&bytes).map_err(|problem| Failure::from(problem).in_file(&name))
}
