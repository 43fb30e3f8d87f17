//! Records with a design, whole or, when they are more than memory is to hold, counted as they pass.

use super::document::DesignDocument;
use super::input::{self, WantedFields, name_of, source_of};
use super::memory::{MemoryUse, OWN};
use super::shell::{Failure, Shell};
use super::source::ByteSource;
use super::summary::{is_summary, opened};
use super::words::described;
use crate::analysis::findings::Finding;
use crate::analysis::report::Report;
use crate::analysis::stream::Stream;
use crate::analysis::summary_file::SummaryFile;
use crate::analysis::{Analysis, ReportOptions};
use crate::base::Problem;
use crate::base::memory::{LARGE, room};
use crate::records::Records;
use crate::records::generate::Generator;
use crate::records::generate::GeneratorSpec;
use crate::records::read::{ReadProblems, RecordReader};
use crate::scan::RowsRead;
use std::rc::Rc;

/// Records held before they are counted and dropped.
const PORTION_ROWS: usize = 1 << 18;
/// Records made at a time.
const GENERATED_ROWS: u64 = 1 << 14;
/// One in so many bytes of the memory is for records held before they are counted and dropped, and for counting them.
const PORTIONS: u64 = 8;
/// One in so many bytes of the memory is for the sample of records that were dropped.
const SAMPLES: u64 = 8;
/// One in so many bytes of the memory is for the work on that sample.
const WORK: u64 = 4;
/// Problems of records that are told one by one.
const TOLD: usize = 5;

/// Counts of records that are not held, but for a sample.
enum CountedRecords {
    /// As they passed.
    Stream(Box<Stream>),
    /// In a summary.
    File(Rc<SummaryFile>),
}

/// Records, and where they came from.
pub struct HeldRecords {
    /// The records, or a sample of them.
    pub records: Rc<Records>,
    /// Counts of more records than are held.
    counted: Option<CountedRecords>,
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
    shell: &mut Shell<'_>,
    document: &DesignDocument,
    files: &[&str],
) -> Result<HeldRecords, Failure> {
    let held = held_so_far(shell, document, files)?;
    if held.broken.is_empty() { Ok(held) } else { Err(held.broken.into()) }
}

/// The same, also of files that are damaged or cut short: what comes before.
///
/// # Errors
/// No records at all; a file that can't be read; records of another kind.
pub fn held_so_far(
    shell: &mut Shell<'_>,
    document: &DesignDocument,
    files: &[&str],
) -> Result<HeldRecords, Failure> {
    room(OWN)?;
    let open = match summarised(shell, document, files)? {
        SummaryOrSource::Summary(summary) => return Ok(HeldRecords::of_summary(summary)),
        SummaryOrSource::Source(source) => source.map(|source| *source),
    };
    let mut intake = Intake::new(shell, document);
    if files.is_empty() {
        return generated(shell, document, intake);
    }
    let mut take = |shell: &mut Shell<'_>, reader: &mut RecordReader, whole: bool| {
        if intake.is_due(reader.records(), whole)? {
            intake.count(shell, reader.take_records_so_far())?;
        }
        Ok(())
    };
    let wanted = WantedFields::all(&document.study.fields, document.design().ok());
    let mut reader = input::records(shell, &wanted, (open, files), &mut take)?;
    let problems = reader.problems().clone();
    complain(shell, &problems)?;
    let broken = broken(&problems);
    let (records, counted) = intake.end(shell, reader.take_records_so_far())?;
    Ok(HeldRecords { records: Rc::new(records), counted, problems, broken, generated: false })
}

/// A summary, or the first file of records, which is open.
enum SummaryOrSource {
    Summary(Rc<SummaryFile>),
    Source(Option<Box<ByteSource>>),
}

/// The summary that a command names as its design, or in place of records: then of the same design.
fn summarised(
    shell: &mut Shell<'_>,
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
    let mut source = source_of(shell, first, table)?;
    if !is_summary(shell, &mut source) {
        return Ok(SummaryOrSource::Source(Some(Box::new(source))));
    }
    if files.len() > 1 {
        return Err(alone(first));
    }
    let summary = opened(shell, source)?;
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
    shell: &mut Shell<'_>,
    document: &DesignDocument,
    mut intake: Intake<'_>,
) -> Result<HeldRecords, Failure> {
    let Some(mut generator) = generator(document)? else { return Err(Problem::new("cli.no-records").into()) };
    let mut records = generator.records();
    while generator.left() > 0 {
        generator.fill(&mut records, GENERATED_ROWS);
        if intake.is_due(&records, false)? {
            intake.count(shell, std::mem::replace(&mut records, generator.records()))?;
        }
    }
    let (records, counted) = intake.end(shell, records)?;
    Ok(HeldRecords {
        records: Rc::new(records),
        counted,
        problems: ReadProblems::default(),
        broken: Vec::new(),
        generated: true,
    })
}

/// Records on their way in: held while the work on them fits into memory; from then on counted and dropped as they pass.
struct Intake<'d> {
    document: &'d DesignDocument,
    /// Bytes to take at most, about.
    memory: u64,
    needs: MemoryUse<'d>,
    stream: Option<Stream>,
    /// Bytes of records when the system was last asked for room.
    asked: u64,
}

impl<'d> Intake<'d> {
    fn new(shell: &Shell<'_>, document: &'d DesignDocument) -> Self {
        let needs = MemoryUse::new(&document.study, vec![document.table]);
        Self { document, memory: shell.memory, needs, stream: None, asked: 0 }
    }

    /// True if the records held so far are to be counted and dropped; `whole` behind a whole step.
    fn is_due(&mut self, records: &Records, whole: bool) -> Result<bool, Failure> {
        let held = records.size() as u64;
        if held >= self.asked + LARGE {
            // Columns double as they grow.
            room(2 * held)?;
            self.asked = held;
        }
        match &self.stream {
            None => Ok(records.rows > 0 && self.needs.peak(records) > self.memory),
            Some(_) if whole || records.rows >= PORTION_ROWS => Ok(true),
            Some(_) => Ok(held + self.needs.of_work(records) > self.memory / PORTIONS),
        }
    }

    /// Counts records, which are dropped but for a sample.
    fn count(&mut self, shell: &mut Shell<'_>, records: Records) -> Result<(), Failure> {
        self.asked = 0;
        room(OWN / 2 + 2 * records.memory() as u64)?;
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => self.stream.insert(begun(shell, self.document)?),
        };
        stream.add(records)?;
        self.bound_sample();
        Ok(())
    }

    /// Keeps the sample so small that it and the work on it fit.
    fn bound_sample(&mut self) {
        if let Some(stream) = &mut self.stream {
            let rows = self.memory / WORK / self.needs.of_row();
            stream.keep_within((self.memory / SAMPLES) as usize, rows as usize);
        }
    }

    /// All records, or the sample of them with the counts.
    fn end(
        mut self,
        shell: &mut Shell<'_>,
        rest: Records,
    ) -> Result<(Records, Option<CountedRecords>), Failure> {
        let records = match &mut self.stream {
            Some(_) => {
                self.count(shell, rest)?;
                self.stream.as_mut().map(|stream| stream.sample().clone()).unwrap_or_default()
            }
            None => rest,
        };
        room(self.needs.of_work(&records))?;
        Ok((records, self.stream.map(|stream| CountedRecords::Stream(Box::new(stream)))))
    }
}

/// A stream of records, counted on all threads.
fn begun(shell: &mut Shell<'_>, document: &DesignDocument) -> Result<Stream, Problem> {
    let stream = Stream::new(document.study.clone(), document.table)?;
    #[cfg(not(target_arch = "wasm32"))]
    let stream = stream.counted_on(shell.workers());
    #[cfg(target_arch = "wasm32")]
    let _ = shell;
    Ok(stream)
}

/// The files that were not read to their end.
pub fn broken(problems: &ReadProblems) -> Vec<Problem> {
    problems.first.iter().filter(|problem| ReadProblems::is_unfinished(problem)).cloned().collect()
}

/// Says on standard error what went wrong with whole records. Fields that no file has end the command.
pub fn complain(shell: &mut Shell<'_>, problems: &ReadProblems) -> Result<(), Failure> {
    let is_missing =
        |problem: &&Problem| matches!(problem.code, "input.field-not-in-header" | "input.field-not-in-scan");
    if problems.first.iter().any(|problem| is_missing(&problem)) {
        // With whatever else is told of the file as a whole: it may be the reason.
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
    let mut say = |problem: &Problem| shell.note(&format!("rowscape: {}", described(problem, None, None)));
    told.iter().for_each(|problem| say(problem));
    if let Some(more) = problems.count().checked_sub(told.len() as u64).filter(|more| *more > 0) {
        say(&Problem::new("cli.more-problems").with("count", more));
    }
    if problems.bad_bytes > 0 {
        say(&Problem::new("cli.bad-bytes").with("count", problems.bad_bytes));
    }
    Ok(())
}

impl HeldRecords {
    /// The sample in a summary.
    fn of_summary(summary: Rc<SummaryFile>) -> Self {
        Self {
            records: Rc::new(summary.records()),
            counted: Some(CountedRecords::File(summary)),
            problems: ReadProblems::default(),
            broken: Vec::new(),
            generated: false,
        }
    }

    /// The summary that they are the sample of.
    pub fn summary(&self) -> Option<&SummaryFile> {
        match &self.counted {
            Some(CountedRecords::File(summary)) => Some(summary),
            _ => None,
        }
    }

    /// Rows that the queries of the design read of all records; none where all are held.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn rows_read(&mut self, table: usize) -> Result<Vec<Option<RowsRead>>, Problem> {
        Ok(match &mut self.counted {
            Some(CountedRecords::Stream(stream)) => stream.known(0)?.queries,
            Some(CountedRecords::File(summary)) => summary.known(table, 0)?.queries,
            None => Vec::new(),
        })
    }

    /// Refuses a summary from which the sampled records were left out.
    ///
    /// # Errors
    /// `summary.no-samples`.
    pub fn check_samples(&self) -> Result<(), Problem> {
        self.summary().map_or(Ok(()), SummaryFile::check_samples)
    }

    /// The design on the records, or on the sample of them.
    ///
    /// # Errors
    /// Splits that HBase would refuse; a summary without samples.
    pub fn analysis(&self, document: &DesignDocument) -> Result<Analysis, Failure> {
        self.check_samples()?;
        Ok(Analysis::of(&document.study, document.table, self.records.clone())?.once())
    }

    /// Where all records land, and what is to be said of it.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn judged(&mut self, document: &DesignDocument) -> Result<(Report, Vec<Finding>), Failure> {
        if let Some(summary) = self.summary() {
            return Ok((summary.report(document.table)?, summary.findings(document.table)?));
        }
        let mut analysis = self.analysis(document)?;
        let (study, table) = (&document.study, document.table);
        if let Some(CountedRecords::Stream(stream)) = &mut self.counted {
            let report = stream.report()?;
            let findings = analysis.findings_of(study, table, &report)?;
            return Ok((report, findings));
        }
        let findings = analysis.findings(study, table)?;
        Ok((analysis.report(&ReportOptions::default())?, findings))
    }

    /// True if findings are of a sample of the records.
    pub fn is_sample(&self) -> bool {
        self.records.all_rows() > self.records.rows as u64
    }
}
