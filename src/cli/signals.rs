//! Ctrl-C while a new file has another name than its own waits until it has that, or is gone.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::ffi::c_int;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Signals that end a program, and whether they arrived meanwhile.
static ENDS: [(c_int, AtomicBool); 3] =
    [(SIGINT, AtomicBool::new(false)), (SIGTERM, AtomicBool::new(false)), (SIGHUP, AtomicBool::new(false))];
/// True if it ends the program at once.
static FREE: AtomicBool = AtomicBool::new(true);
static LISTENING: Once = Once::new();

/// From here on they wait.
pub fn hold() {
    FREE.store(false, Ordering::SeqCst);
    LISTENING.call_once(|| {
        for (signal, asked) in &ENDS {
            // Where the system refuses they end the program at once, as before.
            let _ = flag::register_conditional_default(*signal, &FREE);
            let _ = flag::register(*signal, asked);
        }
    });
}

/// Lets a signal that waited end the program.
pub fn release() {
    FREE.store(true, Ordering::SeqCst);
    for (signal, asked) in &ENDS {
        if asked.load(Ordering::SeqCst) {
            let _ = low_level::emulate_default_handler(*signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_while_a_file_is_written_waits() {
        hold();
        for (signal, asked) in &ENDS {
            low_level::raise(*signal).unwrap();
            assert!(asked.swap(false, Ordering::SeqCst), "the program is still there, and knows");
        }
        release();
    }
}
