//! `summarize`: a part of the records to a summary. `merge`: parts to one.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::document::DesignDocument;
use super::input::{self, WantedFields, name_of};
use super::loaded::{broken, complain, generator};
use super::source::ByteSource;
use super::summary::{held_in, opened};
use crate::analysis::summary_file::{PartPlace, Summarizer, SummarizerOptions, SummaryFile};
use crate::base::Problem;
use crate::base::memory::room;
use crate::records::Records;
use crate::records::read::RecordReader;
use crate::session::{GENERATED_ROWS, OWN, PORTION_ROWS, SUMMARY_PORTIONS};

/// The option that names the summary.
const OUTPUT: &str = "output";

/// Runs `summarize`.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let output = output(asked)?;
    room(OWN)?;
    let document = DesignDocument::asked(context, asked)?;
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
        read(context, &document, &files, &mut part)?;
    }
    let file = part.finish();
    context.save(output, &file.to_bytes())?;
    told(context, &file);
    Ok(FINE)
}

/// Counts the records of files.
fn read(
    context: &mut CommandContext<'_>,
    document: &DesignDocument,
    files: &[&str],
    part: &mut Summarizer,
) -> Result<(), Failure> {
    let mut portion = |context: &mut CommandContext<'_>, reader: &mut RecordReader, whole: bool| {
        let held = reader.records();
        let is_due = whole && context.threads() > 1;
        if !is_due && held.rows < PORTION_ROWS && held.memory() as u64 <= context.memory / SUMMARY_PORTIONS {
            return Ok(());
        }
        #[cfg(not(target_arch = "wasm32"))]
        if let (true, Some(workers)) = (is_due, context.workers()) {
            part.count_on(&workers);
        }
        add(part, reader.take_records_so_far())
    };
    let study = &document.study;
    let named = study.named_fields().into_iter().map(str::to_owned).collect();
    let wanted =
        WantedFields { named: Some(named), ..WantedFields::all(&study.fields, document.design().ok()) };
    let mut reader = input::records(context, &wanted, (None, files), &mut portion)?;
    add(part, reader.take_records_so_far())?;
    complain(context, reader.problems())?;
    let broken = broken(reader.problems());
    if broken.is_empty() { Ok(()) } else { Err(broken.into()) }
}

fn add(part: &mut Summarizer, records: Records) -> Result<(), Failure> {
    room(OWN / 2 + 2 * records.memory() as u64)?;
    Ok(part.add(records)?)
}

/// Runs `merge`.
pub fn merge(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let output = output(asked)?;
    let mut whole: Option<SummaryFile> = None;
    for path in asked.words.iter().skip(1) {
        let source = ByteSource::open(context, path)?;
        let part = opened(context, source)?;
        match &mut whole {
            None => whole = Some(part),
            Some(whole) => whole.merge(part).map_err(|problem| in_file(problem, path))?,
        }
    }
    let Some(mut whole) = whole else { return Err(Problem::new("cli.no-parts").into()) };
    if asked.has("no-samples") {
        whole = whole.without_samples();
    }
    context.save(output, &whole.to_bytes())?;
    told(context, &whole);
    Ok(FINE)
}

fn in_file(problem: Problem, path: &str) -> Failure {
    Failure::from(problem).in_file(&name_of(path))
}

fn output(asked: &CommandArgs) -> Result<&str, Problem> {
    asked.get(OUTPUT).ok_or_else(|| Problem::new("cli.no-output"))
}

/// Says on standard error what a summary holds.
fn told(context: &mut CommandContext<'_>, file: &SummaryFile) {
    context.note(&held_in(file));
}
