//! Colours and widths of a terminal; nothing of the kind anywhere else.

use super::host::{Host, STDOUT};
use crate::base::hidden;

/// How many colours there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// None: plain characters.
    #[default]
    None,
    /// The 256 of xterm.
    Palette,
    /// All.
    True,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The words for it.
pub const WHEN: &[(&str, ColorWhen)] =
    &[("auto", ColorWhen::Auto), ("always", ColorWhen::Always), ("never", ColorWhen::Never)];

/// Widest that a figure is drawn, however wide the terminal.
const WIDEST: usize = 160;
/// Columns where there is no terminal.
const USUAL: usize = 80;

/// How text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// Colours.
    pub colours: Colours,
    /// Columns of a line.
    pub columns: usize,
}

impl Default for TextStyle {
    fn default() -> Self {
        Self { colours: Colours::None, columns: USUAL }
    }
}

/// Emphasis, by its code in ECMA-48.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// A heading.
    Bold,
    /// Beside the point.
    Dim,
    /// Will hurt.
    Red,
    /// Worth a look.
    Yellow,
    /// As it should be.
    Green,
    /// Good to know.
    Cyan,
}

impl TextStyle {
    /// As the system's standard output is.
    pub fn of(host: &mut dyn Host, when: ColorWhen) -> Self {
        let terminal = host.columns(STDOUT);
        let set = |name: &str| host.variable(name).filter(|value| !value.is_empty());
        let dull = set("NO_COLOR").is_some() || set("TERM").as_deref() == Some("dumb");
        let wanted = match when {
            ColorWhen::Auto => terminal.is_some() && !dull,
            ColorWhen::Always => true,
            ColorWhen::Never => false,
        };
        let all = set("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        let colours = match (wanted, all) {
            (false, _) => Colours::None,
            (true, false) => Colours::Palette,
            (true, true) => Colours::True,
        };
        Self { colours, columns: terminal.unwrap_or(USUAL).clamp(40, WIDEST) }
    }

    /// A text in an ink.
    pub fn ink(&self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Bold => 1,
            Ink::Dim => 2,
            Ink::Red => 31,
            Ink::Green => 32,
            Ink::Yellow => 33,
            Ink::Cyan => 36,
        };
        match self.colours {
            Colours::None => text.to_owned(),
            _ => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// Characters from here on stand for bytes of paths.
const OF_PATHS: char = '\u{10ff00}';

/// True for characters that a terminal obeys or does not show, bytes of paths among them.
pub fn is_hidden(char: char) -> bool {
    char >= OF_PATHS || hidden::is_hidden(char)
}

/// A text without what a terminal would obey or hide: control characters become `\xNN`, as in the HBase shell, others U+FFFD.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|char| show(&mut shown, char));
    shown
}

fn show(shown: &mut String, char: char) {
    match char as u32 {
        code if is_hidden(char) && code < 0x100 => shown.push_str(&format!("\\x{code:02X}")),
        _ if char >= OF_PATHS => shown.push_str(&format!("\\x{:02X}", char as u32 & 0xff)),
        _ => shown.push(if is_hidden(char) { '\u{fffd}' } else { char }),
    }
}

/// A line as [`harmless`], but for tabs and the colours of [`TextStyle`] and of the heatmap.
pub fn harmless_line(text: &str) -> String {
    if text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let length = if char == '\t' { 1 } else { colour_length(rest).unwrap_or(0) };
        if let Some((kept, after)) = rest.split_at_checked(length).filter(|(kept, _)| !kept.is_empty()) {
            shown.push_str(kept);
            rest = after;
        } else {
            show(&mut shown, char);
            rest = rest.get(char.len_utf8()..).unwrap_or_default();
        }
    }
    shown
}

/// Bytes of the code of an ink or a colour at the start of a text; none that hides text or does anything else.
fn colour_length(text: &str) -> Option<usize> {
    let (code, _) = text.strip_prefix("\x1b[")?.split_once('m')?;
    let numbers: Option<Vec<u8>> = code.split(';').map(|number| number.parse().ok()).collect();
    let mut left = numbers?;
    left.reverse();
    while let Some(number) = left.pop() {
        let more = match (number, left.last()) {
            (0..=2 | 31..=36 | 49, _) => 0,
            (38 | 48, Some(5)) => 2,
            (38 | 48, Some(2)) => 4,
            _ => return None,
        };
        left.truncate(left.len().checked_sub(more)?);
    }
    Some("\x1b[m".len() + code.len())
}

/// A text in lines of at most so many columns, broken at blanks.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut width = columns;
    for word in text.split(' ') {
        let long = word.chars().count();
        match lines.last_mut() {
            Some(line) if width + 1 + long <= columns => {
                line.push(' ');
                line.push_str(word);
                width += 1 + long;
            }
            _ => {
                lines.push(word.to_owned());
                width = long;
            }
        }
    }
    lines
}

/// A text of at most so many characters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{kept}…")
}
