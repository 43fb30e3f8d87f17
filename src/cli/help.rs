//! `help`: what commands and options there are.

use super::args::{CommandArgs, EVERYWHERE, OPTIONS};
use super::context::{CommandContext, FINE, Failure};
use super::style::Ink;
use super::words::say;
use super::{COMMANDS, CliCommand, find};

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    if let Some(name) = asked.words.get(1) {
        of(context, find(name)?);
        return Ok(FINE);
    }
    context.line(&say("cli.about", &[]));
    context.line("");
    context.line(&say("cli.usage", &[("usage", "COMMAND …")]));
    context.line("");
    for command in COMMANDS {
        let name = format!("{:9}", command.name);
        let about = say(&format!("cli.about-{}", command.name), &[]);
        context.line(&format!("  {} {about}", context.style.ink(Ink::Bold, &name)));
    }
    context.line("");
    context.line(&say("cli.help-more", &[]));
    context.line(&say("cli.exit-codes", &[]));
    Ok(FINE)
}

/// The purpose and options of a command.
pub fn of(context: &mut CommandContext<'_>, command: &CliCommand) {
    let about = say(&format!("cli.about-{}", command.name), &[]);
    let (first, rest) = about.split_at(about.chars().next().map_or(0, char::len_utf8));
    context.line(&format!("{}{rest}.", first.to_uppercase()));
    context.line("");
    let usage = format!("{} {}", command.name, command.usage);
    context.line(&say("cli.usage", &[("usage", &usage)]));
    context.line("");
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
        context.line(&format!("  {names:width$}  {about}"));
    }
}
