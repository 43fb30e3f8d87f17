//! Characters that a reader does not see, or that turn what he sees.

/// True for control characters, zero-width ones and marks of direction: a terminal obeys them, and text looks other than it is.
pub fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}
