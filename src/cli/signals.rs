//! Ctrl-C while a new file has another name than its own: the file is removed, then the program ends.

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::flag::{register, register_conditional_default};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

/// Signals that end a program.
const ENDS: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];
/// Bytes of stack for what removes a file.
const STACK: usize = 1 << 16;

/// The file that is not complete.
static PART: Mutex<Option<PathBuf>> = Mutex::new(None);
static LISTENING: Once = Once::new();

fn part() -> MutexGuard<'static, Option<PathBuf>> {
    PART.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that would get larger than a limit of the system is an error of writing, and no end without a word.
pub fn survive_limits() {
    // Where the system refuses, it ends the program, as before.
    let _ = register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Makes a file that is removed if a signal ends the program before [`complete`] or [`give_up`].
pub fn begin<T>(path: PathBuf, create: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    LISTENING.call_once(listen);
    let mut part = part();
    let created = create(&path);
    if created.is_ok() {
        *part = Some(path);
    }
    created
}

/// Gives the file its own name.
pub fn complete(rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let mut part = part();
    rename()?;
    *part = None;
    Ok(())
}

/// Removes the file.
pub fn give_up(path: &Path) {
    let mut part = part();
    // Gone already is as good.
    let _ = fs::remove_file(path);
    *part = None;
}

/// Waits for signals on a thread of its own: the program may be waiting for input when they come.
fn listen() {
    // Where the system refuses, they end the program at once, as before.
    let Ok(mut signals) = Signals::new(ENDS) else { return };
    let end = move || {
        for signal in signals.forever() {
            let part = part();
            part.iter().for_each(|path| drop(fs::remove_file(path)));
            let _ = emulate_default_handler(signal);
        }
    };
    if thread::Builder::new().stack_size(STACK).spawn(end).is_err() {
        let always = Arc::new(AtomicBool::new(true));
        for signal in ENDS {
            let _ = register_conditional_default(signal, always.clone());
        }
    }
}
