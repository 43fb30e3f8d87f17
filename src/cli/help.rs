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
    let about = say(&format!("cli.about-{}", command.name), &[]);
    let (first, rest) = about.split_at(about.chars().next().map_or(0, char::len_utf8));
    shell.line(&format!("{}{rest}.", first.to_uppercase()));
    shell.line("");
    let usage = format!("{} {}", command.name, command.usage);
    shell.line(&say("cli.usage", &[("usage", &usage)]));
    shell.line("");
    let taken = |name: &&str| command.options.contains(name) || EVERYWHERE.contains(name);
    let taken: Vec<_> = OPTIONS.iter().filter(|option| taken(&option.name)).collect();
    let names: Vec<String> = taken
        .iter()
        .map(|option| {
            let letter = option.letter.map(|letter| format!("-{letter}, ")).unwrap_or_default();
            let value = option.value.map(|value| format!(" {value}")).unwrap_or_default();
            format!("{letter}--{}{value}", option.name)
        })
        .collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    for (option, names) in taken.iter().zip(&names) {
        let about = say(&format!("cli.option-{}", option.name), &[]);
        shell.line(&format!("  {names:width$}  {about}"));
    }
}
