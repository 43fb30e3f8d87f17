//! `splits`: the split points of a table, a line each, as `create … SPLITS_FILE` of the HBase shell reads them.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::document::DesignDocument;
use super::encode::hex;
use super::json::lines;
use super::loaded::held;
use crate::analysis::summary_file::with_fixed_splits;
use crate::base::Problem;
use crate::bytes::row::to_string_binary;
use crate::design::normal_form;
use crate::design::split::{SplitPoints, Splits, regions_asked};
use serde_json::{Value, json};

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let points = match asked.get("algorithm") {
        Some(_) if asked.words.len() > 1 => return Err(Problem::new("cli.design-or-algorithm").into()),
        Some(algorithm) => {
            let regions = asked.get("regions").ok_or_else(|| Problem::new("cli.no-regions"))?;
            let number = regions_of(regions)?;
            let splits = json!({ "algorithm": algorithm, "regions": number });
            Splits::from_text(&splits.to_string())?.points()?
        }
        None => {
            let document = DesignDocument::asked(context, asked)?;
            if let Some(path) = asked.get("save") {
                return fix(context, asked, &document, path);
            }
            of_design(context, asked, &document)?
        }
    };
    let texts: Vec<String> = points
        .iter()
        .map(|point| if asked.has("hex") { hex(point) } else { to_string_binary(point) })
        .collect();
    let text = match asked.has("json") {
        true => lines(&Value::from(texts)),
        false => texts.iter().map(|point| format!("{point}\n")).collect(),
    };
    context.save(asked.get("output").unwrap_or("-"), text.as_bytes())?;
    Ok(FINE)
}

/// Writes the design with the split points fixed that follow from the records.
fn fix(
    context: &mut CommandContext<'_>,
    asked: &CommandArgs,
    document: &DesignDocument,
    path: &str,
) -> Result<u8, Failure> {
    let held = held(context, document, &files(asked))?;
    held.evidence.check_samples()?;
    let fixed = with_fixed_splits(document.study.clone(), &held.evidence.records)?;
    context.save(path, lines(&normal_form(&fixed)).as_bytes())?;
    Ok(FINE)
}

/// The number of regions that an option states.
///
/// # Errors
/// No number, or one of too many regions.
pub fn regions_of(text: &str) -> Result<u32, Problem> {
    let wrong = |_| Problem::new("cli.not-a-number").with("option", "regions").with("found", text);
    regions_asked(text.parse().map_err(wrong)?)
}

/// The files of records that were given.
pub fn files(asked: &CommandArgs) -> Vec<&str> {
    asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect()
}

/// The split points of a table, from records where they follow from those.
pub fn of_design(
    context: &mut CommandContext<'_>,
    asked: &CommandArgs,
    document: &DesignDocument,
) -> Result<SplitPoints, Failure> {
    let design = document.design()?;
    let splits = match asked.get("regions") {
        Some(text) => {
            let regions = regions_of(text)?;
            let other = design.splits.with_regions(regions);
            other.ok_or_else(|| Problem::new("cli.regions-follow"))?
        }
        None => design.splits.clone(),
    };
    if !splits.need_records() {
        return Ok(splits.points()?);
    }
    let held = held(context, document, &files(asked))?;
    let analysis = held.evidence.analysis(&document.study, document.table)?;
    Ok(splits.points_for(analysis.placed().0)?)
}
