//! `watch`: runs a command again and again, and keeps what it prints of a cluster's counters.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::figures::{bytes, moment};
use super::host::STDOUT;
use super::style::harmless;
use super::words::{said, say};
use crate::base::Problem;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};
use crate::observe::{Metric, Watched, entry};

/// Bytes of a history that are read at a time.
const CHUNK: usize = 4 << 20;
/// Moves to the corner of a terminal, and clears it.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let command = asked.words.get(1..).unwrap_or_default();
    if command.is_empty() {
        return Err(Problem::new("cli.no-program").into());
    }
    let every = duration(asked.get("every").unwrap_or("60s"))?;
    let most =
        match asked.get("count") {
            Some(count) => Some(count.parse::<u64>().map_err(|_| {
                Problem::new("cli.not-a-number").with("option", "count").with("found", count)
            })?),
            None => None,
        };
    let metric = asked.one_of("metric", &Metric::NAMED)?;
    let path = asked.get("output").ok_or_else(|| Problem::new("cli.no-history"))?;
    let mut watched = Watched::new(context.memory / 2);
    let whole = kept(context, path, &mut watched)?;
    let trouble = |trouble| Failure::trouble(&trouble, path);
    let file = context.host.append(path, whole).map_err(trouble)?;
    let is_terminal = context.host.columns(STDOUT).is_some();
    let begun = context.host.milliseconds();
    let (mut is_first, mut rounds) = (whole == 0, 0u64);
    loop {
        let (printed, exit) = context
            .host
            .run(command)
            .map_err(|trouble| Failure::trouble(&trouble, command.first().map_or("", String::as_str)))?;
        let time = context.host.now();
        rounds += 1;
        match exit {
            Some(0) => {
                let entry = entry(time, &printed, is_first);
                is_first = false;
                // In one piece and to the disk: what is killed here loses nothing but this entry.
                let written = context.host.write(file, &entry).and_then(|()| context.host.settle(file, None));
                written.map_err(trouble)?;
                watched.push(&entry);
                show(context, (asked.get("table"), metric), &watched, (time, printed.len(), is_terminal));
            }
            code => {
                let code = code.map_or_else(|| "–".to_owned(), |code| code.to_string());
                context.note(&say(
                    "cli.watch-failed",
                    &[("time", &moment(time as f64, 1000.0)), ("code", &code)],
                ));
            }
        }
        if context.is_closed() || most.is_some_and(|most| rounds >= most) {
            break;
        }
        let passed = context.host.milliseconds() - begun;
        // A command that takes longer than the pause misses rounds.
        let next = (passed / every as f64).floor() + 1.0;
        context.host.wait((next * every as f64 - passed).max(0.0) as u64);
    }
    context.host.close(file);
    Ok(FINE)
}

/// `60s`, `5m`, `1h`, `1d`, or seconds: in milliseconds.
fn duration(text: &str) -> Result<u64, Failure> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits).unwrap_or((text, ""));
    let unit = match unit {
        "" | "s" => Some(SECOND),
        "m" => Some(MINUTE),
        "h" => Some(HOUR),
        "d" => Some(DAY),
        _ => None,
    };
    let millis =
        number.parse::<u64>().ok().zip(unit).and_then(|(number, unit)| number.checked_mul(unit as u64));
    let problem = || Problem::new("cli.not-a-duration").with("option", "every").with("found", text).into();
    millis.filter(|&millis| millis > 0).ok_or_else(problem)
}

/// Reads the history that is there; gives its length up to its last whole entry.
fn kept(context: &mut CommandContext<'_>, path: &str, watched: &mut Watched) -> Result<u64, Failure> {
    if context.host.real(path).is_none_or(|_| context.host.identity(path).is_none()) {
        return Ok(0);
    }
    let trouble = |trouble| Failure::trouble(&trouble, path);
    let file = context.host.open(path).map_err(trouble)?;
    let mut length = 0u64;
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = context.host.read(file, &mut buffer).map_err(trouble)?;
        if read == 0 {
            break;
        }
        length += read as u64;
        watched.push(buffer.get(..read).unwrap_or_default());
    }
    context.host.close(file);
    match watched.whole() {
        _ if length == 0 => Ok(0),
        None => Err(Failure::from(Problem::new("cli.not-a-history")).in_file(path)),
        Some(whole) => {
            if whole < length {
                context.note(&say("cli.watch-torn", &[("bytes", &bytes((length - whole) as f64))]));
            }
            Ok(whole)
        }
    }
}

/// Shows the table with most requests: on a terminal as `observe` does, else in a line.
fn show(
    context: &mut CommandContext<'_>,
    (table, metric): (Option<&str>, Option<Metric>),
    watched: &Watched,
    (time, printed, is_terminal): (i64, usize, bool),
) {
    let time = moment(time as f64, 1000.0);
    let size = bytes(printed as f64);
    let Some((name, requests)) = watched.busiest(table, metric) else {
        let code = if watched.has_counters() { "cli.watch-no-table" } else { "cli.watch-nothing" };
        return context.line(&say(code, &[("time", &time), ("bytes", &size)]));
    };
    let headline = harmless(&said(&requests.headline));
    if !is_terminal {
        return context
            .line(&say("cli.watched", &[("time", &time), ("bytes", &size), ("headline", &headline)]));
    }
    context.line(&format!("{CLEAR}{headline}"));
    super::requests::print(context, &name, &requests);
}
