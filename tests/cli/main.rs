//! The command line, and the sentences it shares with the page.

mod answers;
mod encodings;
mod faults;
mod guess;
mod hostile;
mod input;
mod kinds;
mod messages;
mod observe;
mod outputs;
mod parity;
mod running;
mod summaries;
mod tables;
mod threads;
mod usage;
