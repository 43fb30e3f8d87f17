//! Nothing emitted may hold: characters that are not seen, comments that are more than comments, and text of a person outside of
//! comments and literals. The fuzzer checks the same.

/// Stands in texts of a person, and in nothing of ours: no name takes it.
pub const MARK: char = '¤';

/// Words that interpreters read in a comment.
const MAGIC: [&str; 4] = ["coding", "frozen_string_literal", "shareable_constant_value", "warn_indent"];

/// How comments and literals of a language are written.
struct Signs {
    line: &'static str,
    blocks: &'static [(&'static str, &'static str)],
    /// Quotes, and whether a backslash is read between them.
    quotes: &'static [(&'static str, bool)],
}

fn signs(language: &str) -> Signs {
    let c = &[("/*", "*/")][..];
    match language {
        "java" | "scala" => Signs { line: "//", blocks: c, quotes: &[("\"", true), ("'", true)] },
        "javascript" => Signs { line: "//", blocks: c, quotes: &[("\"", true), ("'", true), ("`", true)] },
        "python" => Signs { line: "#", blocks: &[], quotes: &[("\"\"\"", true), ("\"", true), ("'", true)] },
        "hbase shell" => Signs { line: "#", blocks: &[], quotes: &[("'", true), ("\"", true)] },
        "shell" => Signs { line: "# ", blocks: &[], quotes: &[("'", false), ("\"", true)] },
        "sql" => Signs { line: "--", blocks: c, quotes: &[("'", true), ("\"", false), ("`", false)] },
        _ => Signs { line: "\0", blocks: &[], quotes: &[] },
    }
}

/// Fails unless a text in a language is inert.
pub fn check(name: &str, language: &str, text: &str) {
    let hidden = text.chars().find(|&char| char != '\n' && is_hidden(char));
    assert_eq!(hidden, None, "{name} holds a hidden character:\n{text}");
    let (code, comments) = parts(name, language, text);
    assert!(!code.contains(MARK), "{name} has text of a person in its code:\n{code}\n---\n{text}");
    for comment in comments {
        let lower = comment.to_lowercase().replace('-', "_");
        for word in MAGIC {
            let magic = lower
                .match_indices(word)
                .any(|(at, _)| lower[at + word.len()..].trim_start().starts_with([':', '=']));
            assert!(!magic, "{name} has a magic comment: {comment}");
        }
        for sign in ["*/", "/*", "${", "-*-", "<!--", "-->", "//#", "//@"] {
            assert!(!comment.contains(sign) || !comment.contains(MARK), "{name} has {sign} in {comment}");
        }
    }
    if language == "python" {
        assert!(text.starts_with("\"\"\""), "{name} begins with something that Python may read:\n{text}");
    }
}

fn is_hidden(char: char) -> bool {
    char.is_control() || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{feff}')
}

/// The text as Java and Scala read it before they look for comments.
fn unescaped(text: &str) -> String {
    let mut read = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        read.push_str(&rest[..at]);
        let digits = rest[at..].strip_prefix("\\u").and_then(|digits| digits.get(..4));
        let char = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match char {
            // An escape of a character that ends a line or a literal is one; others are as good as their escapes.
            Some(code @ (0xa | 0xd | 0x22 | 0x27 | 0x2a | 0x2f | 0x5c)) => {
                read.extend(char::from_u32(code));
                rest = &rest[at + 6..];
            }
            _ => {
                let length = 1 + rest[at + 1..].chars().next().map_or(0, char::len_utf8);
                read.push_str(&rest[at..at + length]);
                rest = &rest[at + length..];
            }
        }
    }
    read + rest
}

/// The code without its comments and literals, and the comments.
fn parts(name: &str, language: &str, text: &str) -> (String, Vec<String>) {
    let Signs { line, blocks, quotes } = signs(language);
    let text = if matches!(language, "java" | "scala") { unescaped(text) } else { text.to_owned() };
    let (mut code, mut comments) = (String::new(), Vec::new());
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        // The shell's comments begin a word.
        let begins = language != "shell" || code.is_empty() || code.ends_with(char::is_whitespace);
        if rest.starts_with(line) && begins {
            let end = rest.find('\n').unwrap_or(rest.len());
            comments.push(rest[..end].to_owned());
            rest = &rest[end..];
        } else if let Some((open, close)) = blocks.iter().find(|(open, _)| rest.starts_with(open)) {
            let end = rest[open.len()..].find(close).expect("a comment that ends") + open.len();
            assert!(!rest[..end].contains(MARK), "{name} has text of a person in a block: {}", &rest[..end]);
            rest = &rest[end + close.len()..];
        } else if let Some((quote, escapes)) = quotes.iter().find(|(quote, _)| rest.starts_with(quote)) {
            let inside = &rest[quote.len()..];
            let length = literal(inside, quote, *escapes);
            let length = length.unwrap_or_else(|| panic!("{name} has an open literal: {rest}"));
            let held = &inside[..length];
            let several = quote.len() > 1 || language == "sql" || language == "shell";
            assert!(several || !held.contains('\n'), "{name} has a literal over lines: {held}");
            let runs = language == "hbase shell" && *quote == "\"";
            assert!(!runs || !held.replace("\\\\", "").replace("\\#", "").contains("#{"), "{name}: {held}");
            let expands = language == "shell" && *quote == "\"";
            assert!(!expands || !held.contains(MARK), "{name}: {held}");
            code.push_str("''");
            rest = &inside[length + quote.len()..];
        } else if let Some(pattern) =
            rest.strip_prefix('/').filter(|_| language == "javascript" && code.ends_with('('))
        {
            // A pattern of ours.
            let end = pattern.find('/').expect("a pattern that ends");
            assert!(!pattern[..end].contains(MARK), "{name}: {pattern}");
            rest = &pattern[end + 1..];
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    (code, comments)
}

/// Bytes of a literal up to its quote.
fn literal(inside: &str, quote: &str, escapes: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &inside[at..];
        if rest.starts_with(quote) {
            return Some(at);
        }
        let next = rest.chars().next()?;
        at += next.len_utf8();
        if escapes && next == '\\' {
            at += inside[at..].chars().next()?.len_utf8();
        }
    }
}
