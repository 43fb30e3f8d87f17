//! Colours and widths of a terminal; nothing of the kind anywhere else.

use super::host::{Host, STDOUT};

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

/// What is emphasised, by its code in ECMA-48.
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

/// A text without what a terminal would take for a command: control characters become `\xNN`, as in the HBase shell.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        let hidden = char.is_control() || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if hidden && (char as u32) < 0x100 {
            shown.push_str(&format!("\\x{:02X}", char as u32));
        } else {
            shown.push(if hidden { '\u{fffd}' } else { char });
        }
    }
    shown
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
