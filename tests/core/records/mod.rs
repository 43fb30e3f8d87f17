//! Records read from files, guessed and made up.

mod bad_input;
mod formats;
mod generate;
mod guess;
mod pieces;
mod read;
mod shell_scan;
mod stated;
mod store_files;
mod writers;
