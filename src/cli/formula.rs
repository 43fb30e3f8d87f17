//! `formula`: the formula of a row key builder in Java or Scala.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::input::{self, name_of};
use super::json::lines;
use crate::base::Problem;
use crate::base::limits::{DOCUMENT_BYTES, SHELL_BYTES};
use crate::design::parse_request;
use crate::formula::code::read;
use serde_json::json;

/// Runs the command: `formula STUDY CODE`.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let study = asked.words.get(1).ok_or_else(|| Problem::new("cli.no-design"))?;
    let code = asked.words.get(2).ok_or_else(|| Problem::new("cli.no-code"))?;
    let text = input::text(context, study, &DOCUMENT_BYTES)?;
    let study = parse_request(&text).map_err(|wrong| Failure::from(wrong).in_file(&name_of(study)))?;
    let builder = input::text(context, code, &SHELL_BYTES)?;
    let found = read(&builder, &study.document.fields);
    let found = found.map_err(|problem| Failure::from(problem).in_file(&name_of(code)))?;
    if asked.has("json") {
        let formula = json!({ "rowkey": found.formula, "assumed": found.assumed });
        context.write(lines(&formula).as_bytes());
        return Ok(FINE);
    }
    context.line(&found.formula);
    for assumption in &found.assumed {
        context.note(&format!("rowscape: {}", assumption.message));
    }
    Ok(FINE)
}
