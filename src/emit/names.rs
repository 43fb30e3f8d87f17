//! Names and literals of other languages.

use crate::base::hidden::is_hidden;

/// A table's name as that of a file.
pub(super) fn file(table: &str) -> String {
    table
        .chars()
        .map(|char| if char.is_alphanumeric() || "-_.".contains(char) { char } else { '_' })
        .collect()
}

/// The environment variable of a table that tells clients something: `CDR_BUCKETS`.
pub(super) fn variable(table: &str, what: &str) -> String {
    let letter = |char: char| if char.is_ascii_alphanumeric() { char.to_ascii_uppercase() } else { '_' };
    format!("{table}_{what}").chars().map(letter).collect()
}

/// The name of the class that makes the row keys of a table: `CdrRowKey`.
pub(super) fn class(table: &str) -> String {
    class_of(table, "RowKey")
}

/// The name of a class that does something with a table, ending in what: `CdrReader`.
pub(super) fn class_of(table: &str, what: &str) -> String {
    let mut name = String::new();
    let mut upper = true;
    for char in table.chars() {
        if !char.is_ascii_alphanumeric() {
            upper = true;
            continue;
        }
        if name.is_empty() && char.is_ascii_digit() {
            name.push('T');
        }
        name.push(if upper { char.to_ascii_uppercase() } else { char });
        upper = false;
    }
    name + what
}

/// `camelCase` as `snake_case`; capitals in a row are one word.
pub(super) fn snake(camel: &str) -> String {
    let mut name = String::new();
    let mut before = '_';
    let mut chars = camel.chars().peekable();
    while let Some(char) = chars.next() {
        let next_is_small = chars.peek().is_some_and(char::is_ascii_lowercase);
        if char.is_ascii_uppercase() && before != '_' && (next_is_small || !before.is_ascii_uppercase()) {
            name.push('_');
        }
        name.push(char.to_ascii_lowercase());
        before = char;
    }
    name
}

/// Letters that all the languages take in a name.
fn is_letter(char: char) -> bool {
    // Without those that Python reads as other letters, which may be a name of their own: `ŀ`, `ŉ`, `ſ`.
    let others = [
        '\u{c0}'..='\u{131}',
        '\u{134}'..='\u{13e}',
        '\u{141}'..='\u{148}',
        '\u{14a}'..='\u{17e}',
        '\u{391}'..='\u{3c9}',
        '\u{410}'..='\u{44f}',
        '\u{3041}'..='\u{3096}',
    ];
    let ideographs = ['\u{4e00}'..='\u{9fa5}', '\u{ac00}'..='\u{d7a3}'];
    char.is_ascii_alphabetic()
        || char.is_alphabetic() && others.iter().chain(&ideographs).any(|range| range.contains(&char))
}

/// A field's name as that of a parameter, other than `taken`: `callTime`, or `call_time` with `snaked`.
pub(super) fn parameter(field: &str, snaked: bool, taken: impl Fn(&str) -> bool) -> String {
    let mut name = String::new();
    let mut gap = false;
    for char in field.chars() {
        if !is_letter(char) && !char.is_ascii_digit() {
            gap = true;
            continue;
        }
        if name.is_empty() && char.is_ascii_digit() {
            name.push('n');
        }
        match (gap && !name.is_empty(), snaked) {
            (true, true) => name.extend(['_', char]),
            (true, false) => name.push(char.to_ascii_uppercase()),
            // One capital in front alone is no name of a variable.
            (false, _) if name.is_empty() => name.push(char.to_ascii_lowercase()),
            _ => name.push(char),
        }
        gap = false;
    }
    if name.is_empty() {
        name.push_str("field");
    }
    if snaked {
        name = snake(&name);
    }
    while taken(&name) {
        name.push_str(if snaked { "_" } else { "Value" });
    }
    name
}

/// A text between double quotes, as Java, Scala, Python and JavaScript read it; `wide` writes characters beyond 16 bits
/// as `\U` and eight digits, else as two.
pub(super) fn quoted(text: &str, wide: bool) -> String {
    let mut literal = String::from("\"");
    let mut units = [0; 2];
    for char in text.chars() {
        match char {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            ' '..='~' => literal.push(char),
            _ if wide && char > '\u{ffff}' => literal.push_str(&format!("\\U{:08x}", u32::from(char))),
            _ => char.encode_utf16(&mut units).iter().for_each(|unit| {
                literal.push_str(&format!("\\u{unit:04x}"));
            }),
        }
    }
    literal + "\""
}

/// Words before a colon or an equals sign that interpreters read in a comment: the encoding of the file, and what Ruby sets there.
const MAGIC: [&str; 5] =
    ["coding", "frozen_string_literal", "shareable_constant_value", "warn_indent", "warn_past_scope"];

/// Signs that begin or end something else in a comment of some language, each with the sign behind which a blank is put.
const SIGNS: [(&str, usize); 8] =
    [("*/", 1), ("/*", 1), ("//#", 2), ("//@", 2), ("-*-", 1), ("${", 1), ("<!--", 2), ("-->", 2)];

/// A line that is a comment of any language, `begin` in front: whatever the text holds, it ends with the line, and is nothing else to
/// an interpreter. All comments with the text of a person are made here; block comments have none.
pub(super) fn comment(begin: &str, text: &str) -> String {
    let mut line = String::new();
    for char in text.chars() {
        // Java and Scala read `\u000a` before they read comments, unless another backslash stands before it.
        if char == 'u' && line.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1 {
            line.push('\\');
        }
        line.push(if is_hidden(char) { ' ' } else { char });
    }
    for (sign, at) in SIGNS {
        // Signs that are put apart may form the sign again: `***/`, `-*-*-`.
        while let Some(found) = line.find(sign) {
            line.insert(found + at, ' ');
        }
    }
    let mut line = without_magic(&line);
    // A line of Spark SQL that ends with a backslash goes on.
    if line.ends_with('\\') {
        line.push(' ');
    }
    format!("{begin}{line}\n")
}

/// The text with quotes around words that would be magic. The shell is Ruby, and ends at `# … ENCODING => …` before a command;
/// Python reads the rest of a file in the encoding that `coding: …` names on one of its first two lines.
fn without_magic(text: &str) -> String {
    let lower = text.to_ascii_lowercase().replace('-', "_");
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    let mut safe = String::new();
    let mut at = 0;
    while let Some((found, word)) = next_magic(&lower, at) {
        let (end, before) = (found + word.len(), text.get(at..found).unwrap_or_default());
        let begins = at + before.trim_end_matches(is_word).len();
        let is_magic = lower.get(end..).unwrap_or_default().trim_start().starts_with(['=', ':']);
        let quote = if is_magic { "'" } else { "" };
        let [lead, word] = [at..begins, begins..end].map(|range| text.get(range).unwrap_or_default());
        safe.extend([lead, quote, word, quote]);
        at = end;
    }
    safe + text.get(at..).unwrap_or_default()
}

/// The next magic word from `at` on.
fn next_magic(lower: &str, at: usize) -> Option<(usize, &'static str)> {
    let rest = lower.get(at..)?;
    MAGIC.iter().filter_map(|word| Some((at + rest.find(word)?, *word))).min()
}

/// A text with its gaps filled, `{name}` each: in one pass, as what fills a gap may look like another. Other braces stay.
pub(super) fn fill(text: &str, gaps: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let gap = after.split_once('}').and_then(|(name, tail)| {
            gaps.iter().find(|(known, _)| *known == name).map(|(_, filling)| (*filling, tail))
        });
        match gap {
            Some((filling, tail)) => {
                filled.push_str(filling);
                rest = tail;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

/// Two hexadecimal digits a byte.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_languages() {
        assert_eq!(
            [class("cdr"), class("ns:call-records"), class("1a")],
            ["CdrRowKey", "NsCallRecordsRowKey", "T1aRowKey"]
        );
        assert_eq!([snake("CdrRowKey"), snake("HTTPLogRowKey")], ["cdr_row_key", "http_log_row_key"]);
        let names = ["call_time", "Call Time", "<img src=x>", "7", "时间", "👀", "class"];
        let taken = |name: &str| name == "class";
        let camel = names.map(|name| parameter(name, false, taken));
        assert_eq!(camel, ["callTime", "callTime", "imgSrcX", "n7", "时间", "field", "classValue"]);
        assert_eq!(
            names.map(|name| parameter(name, true, taken))[..3],
            ["call_time", "call_time", "img_src_x"]
        );
    }

    #[test]
    fn no_text_ends_its_literal() {
        assert_eq!(quoted("a\"\\\n\u{1}é👀", false), "\"a\\\"\\\\\\n\\u0001\\u00e9\\ud83d\\udc40\"");
        assert_eq!(quoted("👀", true), "\"\\U0001f440\"");
        assert_eq!(comment("# ", "a\nb\u{2028}\\u000a"), "# a b \\\\u000a\n");
        assert_eq!(comment("-- ", "a\\"), "-- a\\ \n");
    }

    #[test]
    fn no_comment_is_more_than_a_comment() {
        for (text, expected) in [
            ("é, DATA_BLOCK_ENCODING => 'x'", "é, 'DATA_BLOCK_ENCODING' => 'x'"),
            ("coding :a, recoding=b", "'coding' :a, 'recoding'=b"),
            ("-*- coding:a -*-", "- *- 'coding':a - *-"),
            ("frozen-string-literal: true", "'frozen-string-literal': true"),
            ("An encoding, a decoding", "An encoding, a decoding"),
            ("a */ b /* c ***/ d", "a * / b / * c *** / d"),
            ("//# sourceMappingURL=x", "// # sourceMappingURL=x"),
            ("${env:HOME} <!-- -->", "$ {env:HOME} <! -- -- >"),
            ("Kİcoding:x", "Kİ'coding':x"),
        ] {
            assert_eq!(comment("", text), format!("{expected}\n"));
        }
    }
}
