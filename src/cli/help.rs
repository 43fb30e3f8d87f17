//! `help`: what commands and options there are.

use super::args::{CommandArgs, EVERYWHERE, OPTIONS};
use super::shell::{FINE, Failure, Shell};
use super::style::Ink;
use super::words::say;
use super::{COMMANDS, CliCommand, find};

/// Runs the command.
pub fn run(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    if let Some(name) = asked.words.get(1) {
        of(shell, find(name)?);
        return Ok(FINE);
    }
    shell.line(&say("cli.about", &[]));
    shell.line("");
    shell.line(&say("cli.usage", &[("usage", "COMMAND …")]));
    shell.line("");
    for command in COMMANDS {
        let name = format!("{:9}", command.name);
        let about = say(&format!("cli.about-{}", command.name), &[]);
        shell.line(&format!("  {} {about}", shell.style.ink(Ink::Bold, &name)));
    }
    shell.line("");
    shell.line(&say("cli.help-more", &[]));
    shell.line(&say("cli.exit-codes", &[]));
    Ok(FINE)
}

/// The purpose and options of a command.
pub fn of(shell: &mut Shell<'_>, command: &CliCommand) {
    shell.line(&say(&format!("cli.about-{}", command.name), &[]));
    shell.line("");
    let usage = format!("{} {}", command.name, command.usage);
    shell.line(&say("cli.usage", &[("usage", &usage)]));
    shell.line("");
    let taken = |name: &&str| command.options.contains(name) || EVERYWHERE.contains(name);
    for option in OPTIONS.iter().filter(|option| taken(&option.name)) {
        let letter = option.letter.map(|letter| format!("-{letter}, ")).unwrap_or_default();
        let value = option.value.map(|value| format!(" {value}")).unwrap_or_default();
        let names = format!("{letter}--{}{value}", option.name);
        shell.line(&format!("  {names:20} {}", say(&format!("cli.option-{}", option.name), &[])));
    }
}
