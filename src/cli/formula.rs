//! `formula`: the formula of a row key builder in Java or Scala.

use super::args::CommandArgs;
use super::input::{self, name_of};
use super::json::lines;
use super::shell::{FINE, Failure, Shell};
use crate::base::Problem;
use crate::base::limits::{DOCUMENT_BYTES, SHELL_BYTES};
use crate::design::parse_asked;
use crate::formula::code::read;
use serde_json::json;

/// Runs the command: `formula STUDY CODE`.
pub fn run(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let study = asked.words.get(1).ok_or_else(|| Problem::new("cli.no-design"))?;
    let code = asked.words.get(2).ok_or_else(|| Problem::new("cli.no-code"))?;
    let text = input::text(shell, study, &DOCUMENT_BYTES)?;
    let study = parse_asked(&text).map_err(|wrong| Failure::from(wrong).in_file(&name_of(study)))?;
    let builder = input::text(shell, code, &SHELL_BYTES)?;
    let found = read(&builder, &study.document.fields);
    let found = found.map_err(|problem| Failure::from(problem).in_file(&name_of(code)))?;
    if asked.has("json") {
        let formula = json!({ "rowkey": found.formula, "assumed": found.assumed });
        shell.write(lines(&formula).as_bytes());
        return Ok(FINE);
    }
    shell.line(&found.formula);
    for assumption in &found.assumed {
        shell.note(&format!("rowscape: {}", assumption.message));
    }
    Ok(FINE)
}
