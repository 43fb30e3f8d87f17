//! Records with a design, whole or, when they are more than memory is to hold, counted as they pass.

use super::context::{CommandContext, Failure};
use super::document::DesignDocument;
use super::input::{self, WantedFields, name_of, source_of};
use super::source::ByteSource;
use super::summary::{is_summary, opened};
use super::words::described;
use crate::analysis::stream::Stream;
use crate::analysis::summary_file::SummaryFile;
use crate::base::Problem;
use crate::base::memory::room;
use crate::records::generate::Generator;
use crate::records::generate::GeneratorSpec;
use crate::records::read::{ReadProblems, RecordReader};
use crate::session::{CountingIntake, Evidence, GENERATED_ROWS, OWN};
use std::rc::Rc;

/// Most problems of records that are listed one by one.
const TOLD: usize = 5;

/// Records, and where they came from.
pub struct LoadedRecords {
    /// The records, or counts and a sample of them.
    pub evidence: Evidence,
    /// Problems with whole records.
    pub problems: ReadProblems,
    /// Files that were not read to their end.
    pub broken: Vec<Problem>,
    /// True if they are made up.
    pub generated: bool,
}

/// Reads the files of records that a command names, or makes records up as the document describes.
///
/// # Errors
/// No records at all; a file that can't be read to its end; records of another kind.
pub fn held(
    context: &mut CommandContext<'_>,
    document: &DesignDocument,
    files: &[&str],
) -> Result<LoadedRecords, Failure> {
    let held = held_so_far(context, document, files)?;
    if held.broken.is_empty() { Ok(held) } else { Err(held.broken.into()) }
}

/// The same, also of files that are damaged or cut short: what comes before.
///
/// # Errors
/// No records at all; a file that can't be read; records of another kind.
pub fn held_so_far(
    context: &mut CommandContext<'_>,
    document: &DesignDocument,
    files: &[&str],
) -> Result<LoadedRecords, Failure> {
    room(OWN)?;
    let open = match summarised(context, document, files)? {
        SummaryOrSource::Summary(summary) => return Ok(LoadedRecords::of_summary(summary)),
        SummaryOrSource::Source(source) => source.map(|source| *source),
    };
    let mut intake = CountingIntake::new(&document.study, document.table, context.memory);
    if files.is_empty() {
        return generated(context, document, intake);
    }
    let mut take = |context: &mut CommandContext<'_>, reader: &mut RecordReader, whole: bool| {
        if intake.is_due(reader.records(), whole)? {
            intake.count(reader.take_records_so_far(), |stream| on_threads(context, stream))?;
        }
        Ok(())
    };
    let wanted = WantedFields::all(&document.study.fields, document.design().ok());
    let mut reader = input::records(context, &wanted, (open, files), &mut take)?;
    let problems = reader.problems().clone();
    complain(context, &problems)?;
    let broken = broken(&problems);
    let evidence = intake.end(reader.take_records_so_far())?;
    Ok(LoadedRecords { evidence, problems, broken, generated: false })
}

/// A summary, or the first file of records, which is open.
enum SummaryOrSource {
    Summary(Rc<SummaryFile>),
    Source(Option<Box<ByteSource>>),
}

/// The summary that a command names as its design, or in place of records: then of the same design.
fn summarised(
    context: &mut CommandContext<'_>,
    document: &DesignDocument,
    files: &[&str],
) -> Result<SummaryOrSource, Failure> {
    let alone = |path: &str| Failure::from(Problem::new("cli.summary-alone")).in_file(&name_of(path));
    if let Some(summary) = &document.summary {
        return if files.is_empty() {
            Ok(SummaryOrSource::Summary(summary.clone()))
        } else {
            Err(alone(&document.path))
        };
    }
    let Some(first) = files.first() else { return Ok(SummaryOrSource::Source(None)) };
    let table = document.design().ok();
    let first = &table.and_then(|table| table.kind_file(first)).map_or(*first, |(_, path)| path);
    let mut source = source_of(context, first, table)?;
    if !is_summary(context, &mut source) {
        return Ok(SummaryOrSource::Source(Some(Box::new(source))));
    }
    if files.len() > 1 {
        return Err(alone(first));
    }
    let summary = opened(context, source)?;
    summary.check_design(&document.study).map_err(|problem| Failure::from(problem).in_file(first))?;
    Ok(SummaryOrSource::Summary(Rc::new(summary)))
}

/// Checks how a design describes records, without making them.
///
/// # Errors
/// Checks the description for everything that [`held`] would reject.
pub fn check_generated(document: &DesignDocument) -> Result<(), Problem> {
    generator(document).map(|_| ())
}

/// Makes the records that a design describes; `None` where it describes none.
///
/// # Errors
/// A description that [`held`] would reject.
pub fn generator(document: &DesignDocument) -> Result<Option<Generator>, Problem> {
    let spec = document.study.generate.as_ref().map(GeneratorSpec::of).transpose()?;
    spec.map(|spec| Generator::new(&spec, &document.study.fields)).transpose()
}

fn generated(
    context: &mut CommandContext<'_>,
    document: &DesignDocument,
    mut intake: CountingIntake<'_>,
) -> Result<LoadedRecords, Failure> {
    let Some(mut generator) = generator(document)? else { return Err(Problem::new("cli.no-records").into()) };
    let mut records = generator.records();
    while generator.left() > 0 {
        generator.fill(&mut records, GENERATED_ROWS);
        if intake.is_due(&records, false)? {
            let portion = std::mem::replace(&mut records, generator.records());
            intake.count(portion, |stream| on_threads(context, stream))?;
        }
    }
    let evidence = intake.end(records)?;
    Ok(LoadedRecords { evidence, problems: ReadProblems::default(), broken: Vec::new(), generated: true })
}

/// A stream of records, counted on all threads.
fn on_threads(context: &mut CommandContext<'_>, stream: Stream) -> Stream {
    #[cfg(not(target_arch = "wasm32"))]
    let stream = stream.counted_on(context.workers());
    #[cfg(target_arch = "wasm32")]
    let _ = context;
    stream
}

/// The files that were not read to their end.
pub fn broken(problems: &ReadProblems) -> Vec<Problem> {
    problems.first.iter().filter(|problem| ReadProblems::is_unfinished(problem)).cloned().collect()
}

/// Says on standard error what went wrong with whole records. Fields that no file has end the command.
pub fn complain(context: &mut CommandContext<'_>, problems: &ReadProblems) -> Result<(), Failure> {
    let is_missing =
        |problem: &&Problem| matches!(problem.code, "input.field-not-in-header" | "input.field-not-in-scan");
    if problems.first.iter().any(|problem| is_missing(&problem)) {
        // Other problems of the file as a whole are kept beside it: they may be the reason.
        let of_file = problems.first.iter().filter(|problem| problem.place.row.is_none());
        let of_file: Vec<Problem> = of_file.cloned().collect();
        return Err(of_file.into());
    }
    // The first few, and of each kind the first.
    let mut told: Vec<&Problem> = Vec::new();
    for problem in problems.first.iter().filter(|problem| !ReadProblems::is_unfinished(problem)) {
        if told.len() < TOLD || told.iter().all(|known| known.code != problem.code) {
            told.push(problem);
        }
    }
    let mut say = |problem: &Problem| context.note(&format!("rowscape: {}", described(problem, None, None)));
    told.iter().for_each(|problem| say(problem));
    if let Some(more) = problems.count().checked_sub(told.len() as u64).filter(|more| *more > 0) {
        say(&Problem::new("cli.more-problems").with("count", more));
    }
    if problems.bad_bytes > 0 {
        say(&Problem::new("cli.bad-bytes").with("count", problems.bad_bytes));
    }
    Ok(())
}

impl LoadedRecords {
    /// The sample in a summary.
    fn of_summary(summary: Rc<SummaryFile>) -> Self {
        let evidence = Evidence::of_summary(summary);
        Self { evidence, problems: ReadProblems::default(), broken: Vec::new(), generated: false }
    }
}
