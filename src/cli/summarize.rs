//! `summarize`: a part of the records to a summary. `merge`: parts to one.

use super::args::CommandArgs;
use super::document::DesignDocument;
use super::held::{broken, complain, generator};
use super::input::{self, WantedFields, name_of};
use super::memory::OWN;
use super::shell::{FINE, Failure, Shell};
use super::source::ByteSource;
use super::summary::{held_in, opened};
use crate::analysis::summary_file::{PartPlace, Summarizer, SummarizerOptions, SummaryFile};
use crate::base::Problem;
use crate::base::memory::room;
use crate::records::Records;
use crate::records::read::RecordReader;

/// Records counted at a time.
const PORTION_ROWS: usize = 1 << 18;
/// One in so many bytes of the memory is for records held before they are counted.
const PORTIONS: u64 = 16;
/// Records made at a time.
const GENERATED_ROWS: u64 = 1 << 14;
/// The option that names the summary.
const OUTPUT: &str = "output";

/// Runs `summarize`.
pub fn run(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let output = output(asked)?;
    room(OWN)?;
    let document = DesignDocument::asked(shell, asked)?;
    if document.summary.is_some() {
        return Err(Failure::from(Problem::new("cli.not-a-design")).in_file(&name_of(&document.path)));
    }
    let files: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
    let names: Vec<String> = files.iter().map(|path| name_of(path)).collect();
    let options = SummarizerOptions {
        id: asked.get("part").unwrap_or_default().to_owned(),
        name: names.join(", "),
        no_samples: asked.has("no-samples"),
    };
    let mut part = Summarizer::new(document.study.clone(), PartPlace::Files(names), options)?;
    if files.is_empty() {
        let Some(mut generator) = generator(&document)? else {
            return Err(Problem::new("cli.no-records").into());
        };
        while generator.left() > 0 {
            let mut records = generator.records();
            generator.fill(&mut records, GENERATED_ROWS);
            part.add(records)?;
        }
    } else {
        read(shell, &document, &files, &mut part)?;
    }
    let file = part.finish();
    shell.save(output, &file.to_bytes())?;
    told(shell, &file);
    Ok(FINE)
}

/// Counts the records of files.
fn read(
    shell: &mut Shell<'_>,
    document: &DesignDocument,
    files: &[&str],
    part: &mut Summarizer,
) -> Result<(), Failure> {
    let mut portion = |shell: &mut Shell<'_>, reader: &mut RecordReader, whole: bool| {
        let held = reader.records();
        let is_due = whole && shell.threads() > 1;
        if !is_due && held.rows < PORTION_ROWS && held.memory() as u64 <= shell.memory / PORTIONS {
            return Ok(());
        }
        #[cfg(not(target_arch = "wasm32"))]
        if let (true, Some(workers)) = (is_due, shell.workers()) {
            part.count_on(&workers);
        }
        add(part, reader.take_records_so_far())
    };
    let study = &document.study;
    let named = study.named_fields().into_iter().map(str::to_owned).collect();
    let wanted =
        WantedFields { named: Some(named), ..WantedFields::all(&study.fields, document.design().ok()) };
    let mut reader = input::records(shell, &wanted, (None, files), &mut portion)?;
    add(part, reader.take_records_so_far())?;
    complain(shell, reader.problems())?;
    let broken = broken(reader.problems());
    if broken.is_empty() { Ok(()) } else { Err(broken.into()) }
}

fn add(part: &mut Summarizer, records: Records) -> Result<(), Failure> {
    room(OWN / 2 + 2 * records.memory() as u64)?;
    Ok(part.add(records)?)
}

/// Runs `merge`.
pub fn merge(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let output = output(asked)?;
    let mut whole: Option<SummaryFile> = None;
    for path in asked.words.iter().skip(1) {
        let source = ByteSource::open(shell, path)?;
        let part = opened(shell, source)?;
        match &mut whole {
            None => whole = Some(part),
            Some(whole) => whole.merge(part).map_err(|problem| in_file(problem, path))?,
        }
    }
    let Some(mut whole) = whole else { return Err(Problem::new("cli.no-parts").into()) };
    if asked.has("no-samples") {
        whole = whole.without_samples();
    }
    shell.save(output, &whole.to_bytes())?;
    told(shell, &whole);
    Ok(FINE)
}

fn in_file(problem: Problem, path: &str) -> Failure {
    Failure::from(problem).in_file(&name_of(path))
}

fn output(asked: &CommandArgs) -> Result<&str, Problem> {
    asked.get(OUTPUT).ok_or_else(|| Problem::new("cli.no-output"))
}

/// Says on standard error what a summary holds.
fn told(shell: &mut Shell<'_>, file: &SummaryFile) {
    shell.note(&held_in(file));
}
