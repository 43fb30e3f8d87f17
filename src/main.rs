//! The command line over the files of this machine.

use rowscape::cli::{NativeHost, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os().skip(1), &mut NativeHost::default()))
}
