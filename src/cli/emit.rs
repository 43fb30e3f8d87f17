//! `emit`: what a design leaves with, such as the create statement of the HBase shell or an encoder in Java.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::document::DesignDocument;
use super::splits;
use crate::emit::{EMITTERS, EmitSubject, HbaseVersion, emit, emit_from};

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let Some(name) = asked.get("as") else {
        EMITTERS.iter().for_each(|emitter| context.line(emitter.name));
        return Ok(FINE);
    };
    let mut document = DesignDocument::asked(context, asked)?;
    let mut tables = document.tables(asked);
    if !EMITTERS.iter().any(|emitter| emitter.name == name && emitter.joins())
        || asked.has("from")
        || asked.reads_standard_input()
    {
        document.only_first(context, &mut tables);
    }
    let mut texts = Vec::new();
    for table in tables {
        document.table = table;
        texts.push(of_table(context, asked, name, &document)?);
    }
    context.save(asked.get("output").unwrap_or("-"), texts.join("\n").as_bytes())?;
    Ok(FINE)
}

/// The export of a table.
fn of_table(
    context: &mut CommandContext<'_>,
    asked: &CommandArgs,
    name: &str,
    document: &DesignDocument,
) -> Result<String, Failure> {
    let hbase = asked.get("hbase").map_or(Ok(HbaseVersion::DEFAULT), HbaseVersion::named)?;
    let design = document.design()?;
    let points = match design.splits.need_records() {
        // An encoder needs no split points: what does will say that records are missing.
        true if splits::files(asked).is_empty() => design.splits.points(),
        _ => Ok(splits::of_design(context, asked, document)?),
    };
    let origin = asked.get("from").map(|path| DesignDocument::read(context, path, asked));
    let origin = origin.transpose()?.map(|document| document.of_kind(asked.get("kind"))).transpose()?;
    let origin = match &origin {
        Some(document) => Some((document, document.design()?, document.design()?.splits.points())),
        None => None,
    };
    let of_kind =
        asked.get("kind").map(|kind| document.study.of_kind_named(document.table, kind)).transpose()?;
    let (study, design) = match &of_kind {
        Some(study) => (study, study.table(0)?),
        None => (&document.study, design),
    };
    let subject = EmitSubject { hbase, ..EmitSubject::new(study, design, &points) };
    let emitted = match &origin {
        Some((of, design, points)) => {
            emit_from(name, &EmitSubject::new(&of.study, design, points), &subject)?
        }
        None => emit(name, &subject)?,
    };
    Ok(emitted.text)
}
