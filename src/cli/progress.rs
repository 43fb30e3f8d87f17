//! A bar on standard error while files are read, where that is a terminal.

use super::context::CommandContext;
use super::figures::{bytes, count};
use super::host::STDERR;
use super::style::harmless;
use super::words::say;
use crate::base::units::{HOUR, MINUTE, SECOND};

/// Milliseconds between two looks of the bar; work that is done sooner shows none.
const PAUSE: f64 = 250.0;
/// Columns of the bar itself.
const BAR: usize = 24;

/// How far the reading of files is.
pub struct Progress {
    columns: Option<usize>,
    /// When the file began.
    begun: f64,
    shown: f64,
    visible: bool,
}

/// The part of a file that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadSoFar {
    pub rows: u64,
    pub bytes: u64,
    /// Bytes of the file, where that is known.
    pub total: Option<u64>,
}

impl Progress {
    /// The progress of work that begins now.
    pub fn new(context: &mut CommandContext<'_>) -> Self {
        let now = context.host.milliseconds();
        Self { columns: context.host.columns(STDERR), begun: now, shown: now, visible: false }
    }

    /// Another file begins.
    pub fn next_file(&mut self, context: &CommandContext<'_>) {
        self.begun = context.host.milliseconds();
    }

    /// Shows what was read of a file.
    pub fn show(&mut self, context: &mut CommandContext<'_>, name: &str, read: ReadSoFar) {
        let Some(columns) = self.columns else { return };
        let now = context.host.milliseconds();
        if now - self.shown < PAUSE {
            return;
        }
        (self.shown, self.visible) = (now, true);
        let text = read.text(now - self.begun);
        let line = harmless(&say("cli.reading", &[("file", name), ("progress", &text)]));
        let line: String = line.chars().take(columns.saturating_sub(1)).collect();
        // A bar that can't be shown is no reason to stop.
        let _ = context.host.write(STDERR, format!("\r\x1b[K{line}").as_bytes());
    }

    /// Takes the bar away.
    pub fn clear(&mut self, context: &mut CommandContext<'_>) {
        if self.visible {
            let _ = context.host.write(STDERR, b"\r\x1b[K");
            self.visible = false;
        }
    }
}

impl ReadSoFar {
    /// The bar with its figures, after so many milliseconds.
    fn text(self, elapsed: f64) -> String {
        let Self { rows, bytes: read, total } = self;
        let speed = read as f64 / elapsed.max(1.0);
        let figures = [
            ("rows", count(rows)),
            ("bytes", bytes(read as f64)),
            ("speed", bytes((speed * SECOND as f64).trunc())),
        ];
        let args = figures.each_ref().map(|(name, figure)| (*name, figure.as_str()));
        let figures = say("cli.reading-figures", &args);
        let Some(total) = total.filter(|&total| total > 0) else { return figures };
        let part = (read as f64 / total as f64).clamp(0.0, 1.0);
        let full = (part * BAR as f64) as usize;
        let bar = format!("{}{}", "#".repeat(full), ".".repeat(BAR - full));
        let left = total.saturating_sub(read) as f64 / speed;
        let left = left.is_finite().then(|| say("cli.reading-left", &[("time", &rough(left))]));
        let figures: Vec<String> = [Some(figures), left].into_iter().flatten().collect();
        format!("[{bar}] {:3.0}%  {}", part * 100.0, figures.join(", "))
    }
}

/// So many milliseconds in the unit that suits.
fn rough(milliseconds: f64) -> String {
    let units = [(HOUR, "h"), (MINUTE, "min"), (SECOND, "s")];
    let (size, unit) =
        units.into_iter().find(|(size, _)| milliseconds >= *size as f64).unwrap_or((SECOND, "s"));
    format!("{:.0} {unit}", (milliseconds / size as f64).round().max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_tells_rows_speed_and_the_time_left() {
        let mib = 1 << 20;
        let read = ReadSoFar { rows: 1_800_000, bytes: 96 * mib, total: Some(384 * mib) };
        let bar = format!("[{}{}]  25%  ", "#".repeat(6), ".".repeat(18));
        assert_eq!(read.text(400.0), format!("{bar}1,800,000 rows, 96.0 MiB, 240 MiB/s, 1 s left"));
        assert_eq!(ReadSoFar { total: None, ..read }.text(400.0), "1,800,000 rows, 96.0 MiB, 240 MiB/s");
        assert!(read.text(40_000.0).ends_with("2.4 MiB/s, 2 min left"));
        // A file that grows as it is read.
        assert!(ReadSoFar { total: Some(mib), ..read }.text(400.0).contains("] 100%"));
        assert_eq!(ReadSoFar { rows: 1, bytes: 0, total: None }.text(0.0), "1 row, 0 B, 0 B/s");
        assert!(ReadSoFar { bytes: 0, ..read }.text(0.0).ends_with("  0%  1,800,000 rows, 0 B, 0 B/s"));
    }
}
