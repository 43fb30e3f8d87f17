//! The command line, and the sentences it shares with the page.

mod commands;
mod messages;
