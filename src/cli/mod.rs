//! The command line: the same for `cargo install` and `npx`, over the files of any system.
//!
//! A command is a line of `COMMANDS`. It writes through a `CommandContext`, and whatever it needs of the system through a
//! [`Host`]: natively the standard library, in wasm the functions that JavaScript gives.

mod analysed;
mod analyze;
mod args;
mod card;
mod compare;
mod context;
#[cfg(not(target_arch = "wasm32"))]
mod cutting;
mod decode;
mod document;
mod emit;
mod encode;
mod existing;
mod explain;
mod figures;
mod formula;
mod grow;
mod guess;
mod heat;
mod help;
mod host;
mod html;
mod input;
mod json;
mod lint;
mod linted;
mod loaded;
mod locate;
#[cfg(not(target_arch = "wasm32"))]
mod machine;
mod measured;
mod memory;
mod migrate;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(feature = "formats")]
mod observe;
mod open;
mod palette;
mod paths;
mod picture;
mod pieces;
mod plan;
mod progress;
#[cfg(feature = "formats")]
mod requests;
mod sarif;
#[cfg(unix)]
mod signals;
mod size;
mod source;
mod splits;
mod steps;
mod style;
mod suggest;
mod summarize;
mod summary;
mod svg;
mod sweep;
mod table;
mod unpacking;
#[cfg(feature = "formats")]
mod watch;
mod words;

pub use host::{FileHandle, Host, HostTrouble, STDERR, STDIN, STDOUT};
#[cfg(not(target_arch = "wasm32"))]
pub use native::NativeHost;
pub use svg::image as heatmap;
pub use words::sentences;

use crate::base::Problem;
use crate::base::memory::room;
use crate::base::nearest::nearest;
use crate::base::units::MB;
use crate::records::read::TextEncoding;
use args::CommandArgs;
use context::{CommandContext, FINE, Failure};
use std::ffi::OsString;
use style::{ColorWhen, TextStyle, WHEN};

/// A command.
struct CliCommand {
    name: &'static str,
    /// Its arguments, for the help.
    usage: &'static str,
    /// The options it takes besides those of all.
    options: &'static [&'static str],
    run: fn(&mut CommandContext<'_>, &CommandArgs) -> Result<u8, Failure>,
}

/// All commands.
static COMMANDS: &[CliCommand] = &[
    CliCommand {
        name: "analyze",
        usage: "DESIGN [DATA…]",
        options: &["table", "data", "header", "encoding", "json", "html", "svg", "sarif", "fail-on"],
        run: analyze::run,
    },
    CliCommand {
        name: "lint",
        usage: "DESIGN…",
        options: &["table", "json", "sarif", "fail-on"],
        run: lint::run,
    },
    CliCommand {
        name: "encode",
        usage: "DESIGN [DATA…]",
        options: &["table", "data", "header", "encoding", "json", "hex", "output"],
        run: encode::run,
    },
    CliCommand {
        name: "decode",
        usage: "DESIGN [FILE…] [KEY…]",
        options: &["table", "csv", "json", "hex"],
        run: decode::run,
    },
    CliCommand {
        name: "explain",
        usage: "DESIGN KEY | CODE",
        options: &["table", "json", "hex"],
        run: explain::run,
    },
    CliCommand {
        name: "splits",
        usage: "DESIGN [DATA…]",
        options: &[
            "table",
            "data",
            "header",
            "encoding",
            "algorithm",
            "regions",
            "save",
            "json",
            "hex",
            "output",
        ],
        run: splits::run,
    },
    CliCommand {
        name: "summarize",
        usage: "DESIGN [DATA…]",
        options: &["data", "header", "encoding", "part", "no-samples", "output"],
        run: summarize::run,
    },
    CliCommand { name: "merge", usage: "PART…", options: &["no-samples", "output"], run: summarize::merge },
    CliCommand {
        name: "plan",
        usage: "DESIGN [DATA…]",
        options: &["table", "data", "header", "encoding", "query", "after", "cost", "json"],
        run: plan::run,
    },
    CliCommand {
        name: "emit",
        usage: "DESIGN [DATA…]",
        options: &["table", "data", "header", "encoding", "as", "from", "hbase", "kind", "regions", "output"],
        run: emit::run,
    },
    CliCommand {
        name: "compare",
        usage: "DESIGN DESIGN…",
        options: &["data", "header", "encoding", "splits", "json", "svg"],
        run: compare::run,
    },
    CliCommand {
        name: "suggest",
        usage: "[STUDY] [DATA…]",
        options: &["data", "header", "encoding", "query", "regions", "prefer", "options", "save", "json"],
        run: suggest::run,
    },
    CliCommand {
        name: "guess",
        usage: "FILE…",
        options: &["data", "header", "encoding", "keys", "output"],
        run: guess::run,
    },
    CliCommand {
        name: "migrate",
        usage: "FROM TO [DATA…]",
        options: &["table", "data", "header", "encoding", "json"],
        run: migrate::run,
    },
    CliCommand {
        name: "sweep",
        usage: "DESIGN [DATA…]",
        options: &["table", "data", "header", "encoding", "vary", "values", "json"],
        run: sweep::run,
    },
    CliCommand {
        name: "size",
        usage: "DESIGN [DATA…]",
        options: &["table", "data", "header", "encoding", "rows", "json"],
        run: size::run,
    },
    CliCommand {
        name: "grow",
        usage: "DESIGN [DATA…]",
        options: &["table", "data", "header", "encoding", "json"],
        run: grow::run,
    },
    CliCommand { name: "formula", usage: "STUDY CODE", options: &["json"], run: formula::run },
    CliCommand {
        name: "observe",
        usage: "PATH…",
        options: &[
            "all", "design", "data", "header", "encoding", "table", "since", "until", "metric", "regions",
            "redact", "json",
        ],
        #[cfg(feature = "formats")]
        run: observe::run,
        #[cfg(not(feature = "formats"))]
        run: |_, _| Err(Problem::new("observe.not-here").into()),
    },
    CliCommand {
        name: "watch",
        usage: "-o FILE [--every 60s] -- COMMAND…",
        options: &["every", "count", "table", "metric", "output"],
        #[cfg(feature = "formats")]
        run: watch::run,
        #[cfg(not(feature = "formats"))]
        run: |_, _| Err(Problem::new("observe.not-here").into()),
    },
    CliCommand { name: "open", usage: "FILE…", options: &["page", "no-browser", "output"], run: open::run },
    CliCommand { name: "table", usage: "FILE [DESIGN]", options: &["table", "json"], run: existing::run },
    CliCommand { name: "help", usage: "[COMMAND]", options: &[], run: help::run },
];

/// Bytes without which no command begins.
const LEAST_ROOM: u64 = 8 * MB;

/// Runs a command with its arguments, the name of the program left out, and returns the exit code: 0 when all is well, 1 when
/// something was found, 2 for wrong use or input, 3 when a file could not be read or written.
pub fn run(args: impl IntoIterator<Item = OsString>, host: &mut dyn Host) -> u8 {
    let mut context = CommandContext::new(host);
    let result = command(&mut context, args);
    let ended = context.end();
    match (result, ended) {
        (Err(failure), _) | (Ok(_), Err(failure)) => context.complain(&failure),
        (Ok(exit), Ok(())) => exit,
    }
}

fn command(
    context: &mut CommandContext<'_>,
    args: impl IntoIterator<Item = OsString>,
) -> Result<u8, Failure> {
    let asked = CommandArgs::read(args)?;
    context.memory = memory::stated(&asked, context.host)?;
    context.threads = memory::threads(&asked, context.host)?;
    context.header = asked.one_of("header", input::HEADER)?;
    context.encoding = asked.one_of("encoding", TextEncoding::NAMES)?;
    context.style = TextStyle::of(context.host, asked.one_of("color", WHEN)?.unwrap_or(ColorWhen::Auto));
    if asked.has("version") {
        context.line(concat!("rowscape ", env!("CARGO_PKG_VERSION")));
        return Ok(FINE);
    }
    let Some(name) = asked.words.first() else {
        if asked.has("help") {
            return help::run(context, &asked);
        }
        return Err(Problem::new("cli.no-command").into());
    };
    let command = find(name)?;
    room(LEAST_ROOM)?;
    if asked.has("help") {
        help::of(context, command);
        return Ok(FINE);
    }
    asked.check(name, command.options)?;
    // Keys are no files.
    let files = if command.usage.contains("KEY") { 1 } else { usize::MAX };
    context.check_outputs(&asked, files)?;
    (command.run)(context, &asked)
}

fn find(name: &str) -> Result<&'static CliCommand, Problem> {
    let unknown = || {
        let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
        let problem = Problem::new("cli.no-such-command").with("found", name);
        match nearest(name, names.iter().copied()) {
            Some(near) => Problem { code: "cli.did-you-mean", ..problem.with("near", near) },
            None => problem.with("known", names.join(", ")),
        }
    };
    COMMANDS.iter().find(|command| command.name == name).ok_or_else(unknown)
}
