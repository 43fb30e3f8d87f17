//! A bar on standard error while files are read, where that is a terminal.

use super::figures::bytes;
use super::host::STDERR;
use super::shell::Shell;
use super::style::harmless;
use super::words::say;

/// Milliseconds between two looks of the bar; work that is done sooner shows none.
const PAUSE: f64 = 250.0;
/// Columns of the bar itself.
const BAR: usize = 24;

/// How far the reading of files is.
pub struct Progress {
    columns: Option<usize>,
    shown: f64,
    visible: bool,
}

impl Progress {
    /// The progress of work that begins now.
    pub fn new(shell: &mut Shell<'_>) -> Self {
        Self { columns: shell.host.columns(STDERR), shown: shell.host.milliseconds(), visible: false }
    }

    /// Shows that so many bytes of a file were taken.
    pub fn show(&mut self, shell: &mut Shell<'_>, name: &str, taken: u64, total: Option<u64>) {
        let Some(columns) = self.columns else { return };
        let now = shell.host.milliseconds();
        if now - self.shown < PAUSE {
            return;
        }
        (self.shown, self.visible) = (now, true);
        let taken_so_far = bytes(taken as f64);
        let text = match total.filter(|&total| total > 0) {
            Some(total) => {
                let part = (taken as f64 / total as f64).clamp(0.0, 1.0);
                let full = (part * BAR as f64) as usize;
                let bar = format!("{}{}", "#".repeat(full), ".".repeat(BAR - full));
                format!("[{bar}] {:3.0}%  {taken_so_far}", part * 100.0)
            }
            None => taken_so_far,
        };
        let line = harmless(&say("cli.reading", &[("file", name), ("progress", &text)]));
        let line: String = line.chars().take(columns.saturating_sub(1)).collect();
        // A bar that can't be shown is no reason to stop.
        let _ = shell.host.write(STDERR, format!("\r\x1b[K{line}").as_bytes());
    }

    /// Takes the bar away.
    pub fn clear(&mut self, shell: &mut Shell<'_>) {
        if self.visible {
            let _ = shell.host.write(STDERR, b"\r\x1b[K");
            self.visible = false;
        }
    }
}
