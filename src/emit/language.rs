//! The languages that code is emitted in: how values are written, and the primitives each brings.

use super::names::{quoted, snake};
use crate::records::field::Kind;

/// A primitive of this name applied to code; `None` where there is none.
pub(super) type PrimitiveCall = fn(&str, &[String]) -> Option<String>;

/// A language.
pub(super) struct Language {
    /// Its name.
    pub shown: &'static str,
    /// True if names are written `in_snake_case`.
    pub snaked: bool,
    /// Begins a comment.
    pub comment: &'static str,
    /// The primitives, a function each, a blank line between them.
    pub primitives: &'static str,
    /// More of them, for code that also reads keys back.
    pub decoding: &'static str,
    /// Primitives that are no function of the file.
    pub call: Option<PrimitiveCall>,
    /// The file around what is made; see [`super::code`] for what is filled in.
    pub frame: &'static str,
    /// The declared type of a parameter of each kind, in the order of [`Kind::ALL`]; `{}` is replaced by its name.
    pub parameters: [&'static str; 7],
    /// How a parameter of each kind becomes what the primitives take; empty where a language has no such value.
    pub taken: [&'static str; 7],
    /// A value of each kind, as the caller writes it; `{}` stands for its literal.
    pub values: [&'static str; 7],
    /// Words that are no names.
    pub reserved: &'static str,
    /// Words that need an import, with the line that imports them.
    pub imports: &'static [(&'static str, &'static str)],
    /// A text as a literal.
    pub quoted: fn(&str) -> String,
    /// A list of literals.
    pub list: fn(&[String]) -> String,
    /// Bytes from their hexadecimal digits.
    pub bytes: fn(&str) -> String,
    /// A number of 64 bits.
    pub long: fn(i64) -> String,
    /// Declaration of a table, `{name}` for its constant and `{entries}`; and an entry of it, with `{text}` and `{number}`.
    pub table: [&'static str; 2],
    /// Declaration of the number of buckets: the environment variable `{name}` of the client, or `{count}` as designed.
    pub buckets: &'static str,
    /// Declaration of the bytes behind a salt of them.
    pub rest: &'static str,
    /// A line of the test vectors, with `{key}` and `{values}`.
    pub vector: &'static str,
    /// Separators of parameters, parts, vectors.
    pub indents: [&'static str; 3],
}

/// The functions that a text calls: the word before each parenthesis.
pub(super) fn calls(text: &str) -> impl Iterator<Item = &str> {
    text.split('(').map(|before| {
        before.rsplit(|char: char| !char.is_ascii_alphanumeric() && char != '_').next().unwrap_or_default()
    })
}

/// The function that a primitive's text calls first, which identifies it.
fn name_of(primitive: &str) -> &str {
    calls(primitive).find(|name| !name.is_empty()).unwrap_or_default()
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_alphanumeric() && char != '_')
}

/// Imports, a line each, with the word that needs each: the last of its name.
pub(super) fn named_imports(lines: &str) -> impl Iterator<Item = (&str, &str)> {
    lines.lines().map(|line| {
        let name = line.trim_end_matches(';');
        (name.rsplit('.').next().unwrap_or_default(), line)
    })
}

/// The imports that a text needs, each once.
pub(super) fn imported<'a>(imports: impl Iterator<Item = (&'a str, &'a str)>, text: &str) -> String {
    let used = |word: &str| words(text).any(|used| used == word);
    let mut lines: Vec<&str> = Vec::new();
    for (_, line) in imports.filter(|(word, _)| used(word)) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

impl Language {
    /// A primitive's name as this language writes it.
    pub fn cased(&self, name: &str) -> String {
        if self.snaked { snake(name) } else { name.to_owned() }
    }

    fn all(&self) -> impl Iterator<Item = &'static str> {
        let all = [self.primitives, self.decoding].into_iter().filter(|text| !text.is_empty());
        all.flat_map(|text| text.split("\n\n")).map(str::trim_end)
    }

    /// True if a name is taken by the language or one of its primitives.
    pub fn is_taken(&self, name: &str) -> bool {
        words(self.reserved).any(|word| word == name)
            || self.all().any(|primitive| name_of(primitive) == name)
    }

    /// A call of a primitive; `None` where there is none of that name.
    pub fn call(&self, name: &str, given: &[String]) -> Option<String> {
        if let Some(call) = self.call {
            return call(name, given);
        }
        let name = self.cased(name);
        self.all()
            .any(|primitive| name_of(primitive) == name)
            .then(|| format!("{name}({})", given.join(", ")))
    }

    /// The primitives that this text calls, and those that they call, in the order they are brought in.
    pub fn used(&self, text: &str) -> Vec<&'static str> {
        let named: Vec<(&str, &str)> = self.all().map(|primitive| (name_of(primitive), primitive)).collect();
        let mut found = vec![false; named.len()];
        let mut open: Vec<&str> = calls(text).collect();
        while let Some(word) = open.pop() {
            for ((name, primitive), found) in named.iter().zip(&mut found) {
                if *name == word && !*found {
                    *found = true;
                    open.extend(calls(primitive));
                }
            }
        }
        named.iter().zip(found).filter(|(_, found)| *found).map(|(named, _)| named.1).collect()
    }

    /// Its imports by word, then others, a line each.
    pub fn all_imports(&self, more: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.imports.iter().copied().chain(named_imports(more))
    }

    /// The imports that a text needs.
    pub fn imported(&self, text: &str) -> String {
        imported(self.all_imports(""), text)
    }

    pub fn text(&self, text: &str) -> String {
        (self.quoted)(text)
    }

    pub fn number(&self, number: i64) -> String {
        (self.long)(number)
    }

    fn of_kind(row: &[&'static str; 7], kind: Kind) -> &'static str {
        let at = Kind::ALL.iter().position(|&other| other == kind);
        at.and_then(|at| row.get(at)).copied().unwrap_or_default()
    }

    /// A parameter as the function declares it.
    pub fn parameter(&self, kind: Kind, name: &str) -> String {
        Self::of_kind(&self.parameters, kind).replace("{}", name)
    }

    /// A parameter as the primitives take it.
    pub fn taken(&self, kind: Kind, name: &str) -> Option<String> {
        Some(Self::of_kind(&self.taken, kind))
            .filter(|taken| !taken.is_empty())
            .map(|taken| taken.replace("{}", name))
    }

    /// A value as the caller writes it.
    pub fn value(&self, kind: Kind, literal: &str) -> String {
        Self::of_kind(&self.values, kind).replace("{}", literal)
    }
}

pub(super) static JAVA: Language = Language {
    shown: "Java",
    snaked: false,
    comment: "// ",
    primitives: include_str!("languages/primitives.java"),
    decoding: "",
    call: None,
    frame: include_str!("languages/java.frame"),
    parameters: [
        "String {}",
        "long {}",
        "Instant {}",
        "byte[] {}",
        "double {}",
        "BigDecimal {}",
        "boolean {}",
    ],
    taken: ["{}", "{}", "{}.toEpochMilli()", "{}", "{}", "{}", "{}"],
    values: ["{}", "{}", "Instant.ofEpochMilli({})", "bytes(\"{}\")", "{}", "new BigDecimal({})", "{}"],
    reserved: "abstract assert boolean break byte case catch char class const continue default do double else enum \
               extends false final finally float for goto if implements import instanceof int interface long native new \
               null package private protected public return short static strictfp super switch synchronized this throw \
               throws transient true try var void volatile while yield rest salt salt2 salt3",
    imports: &[
        ("BigDecimal", "import java.math.BigDecimal;"),
        ("BigInteger", "import java.math.BigInteger;"),
        ("ByteBuffer", "import java.nio.ByteBuffer;"),
        ("CharacterCodingException", "import java.nio.charset.CharacterCodingException;"),
        ("UTF_8", "import static java.nio.charset.StandardCharsets.UTF_8;"),
        ("MessageDigest", "import java.security.MessageDigest;"),
        ("NoSuchAlgorithmException", "import java.security.NoSuchAlgorithmException;"),
        ("Instant", "import java.time.Instant;"),
        ("LocalDateTime", "import java.time.LocalDateTime;"),
        ("ZoneOffset", "import java.time.ZoneOffset;"),
        ("DateTimeFormatter", "import java.time.format.DateTimeFormatter;"),
        ("DateTimeFormatterBuilder", "import java.time.format.DateTimeFormatterBuilder;"),
        ("ChronoField", "import java.time.temporal.ChronoField;"),
        ("Arrays", "import java.util.Arrays;"),
        ("HashMap", "import java.util.HashMap;"),
        ("Locale", "import java.util.Locale;"),
        ("Map", "import java.util.Map;"),
        ("ConcurrentHashMap", "import java.util.concurrent.ConcurrentHashMap;"),
        ("CRC32", "import java.util.zip.CRC32;"),
    ],
    quoted: |text| quoted(text, false),
    list: |items| format!("new String[] {{{}}}", items.join(", ")),
    bytes: |digits| format!("bytes(\"{digits}\")"),
    long: |number| match i32::try_from(number) {
        Ok(number) => number.to_string(),
        Err(_) => format!("{number}L"),
    },
    table: [
        "    private static final Map<String, Long> {name} = new HashMap<>();\n\n    static {\n{entries}    }\n\n",
        "        {table}.put({text}, {number}L);\n",
    ],
    buckets: "    private static final int BUCKETS =\n            Integer.parseInt(System.getenv().getOrDefault({name}, \"{count}\"));\n\n",
    rest: "        byte[] rest = {};\n",
    vector: "        check(\"{key}\", rowKey({values}));\n",
    indents: [", ", ",\n            ", "    "],
};

/// Java that also reads keys back.
pub(super) static DECODING_JAVA: Language =
    Language { decoding: include_str!("languages/decode.java"), ..JAVA };

pub(super) static SCALA: Language = Language {
    shown: "Scala",
    snaked: false,
    comment: "// ",
    primitives: include_str!("languages/primitives.scala"),
    decoding: "",
    call: None,
    frame: include_str!("languages/scala.frame"),
    parameters: [
        "{}: String",
        "{}: Long",
        "{}: Instant",
        "{}: Array[Byte]",
        "{}: Double",
        "{}: BigDecimal",
        "{}: Boolean",
    ],
    taken: JAVA.taken,
    values: JAVA.values,
    reserved: "abstract case catch class def do else enum export extends false final finally for forSome given if implicit \
               import lazy macro match new null object override package private protected return sealed super then this \
               throw trait try true type val var while with yield rest salt salt2 salt3 rowKey check main Math Map Array \
               Long Integer String Locale Instant println",
    imports: &[
        ("BigDecimal", "import java.math.BigDecimal"),
        ("ByteBuffer", "import java.nio.ByteBuffer"),
        ("CharacterCodingException", "import java.nio.charset.CharacterCodingException"),
        ("UTF_8", "import java.nio.charset.StandardCharsets.UTF_8"),
        ("MessageDigest", "import java.security.MessageDigest"),
        ("Instant", "import java.time.Instant"),
        ("LocalDateTime", "import java.time.LocalDateTime"),
        ("ZoneOffset", "import java.time.ZoneOffset"),
        ("DateTimeFormatter", "import java.time.format.DateTimeFormatter"),
        ("Arrays", "import java.util.Arrays"),
        ("Locale", "import java.util.Locale"),
        ("ConcurrentHashMap", "import java.util.concurrent.ConcurrentHashMap"),
        ("CRC32", "import java.util.zip.CRC32"),
    ],
    quoted: |text| quoted(text, false),
    list: |items| format!("Array({})", items.join(", ")),
    bytes: JAVA.bytes,
    long: JAVA.long,
    table: ["  private val {name}: Map[String, Long] = Map(\n{entries}  )\n\n", "    {text} -> {number}L,\n"],
    buckets: "  private val BUCKETS: Int = sys.env.getOrElse({name}, \"{count}\").toInt\n\n",
    rest: "    val rest = {}\n",
    vector: "    check(\"{key}\", rowKey({values}))\n",
    indents: [", ", ",\n      ", "  "],
};

pub(super) static PYTHON: Language = Language {
    shown: "Python",
    snaked: true,
    comment: "# ",
    primitives: include_str!("languages/primitives.py"),
    decoding: "",
    call: None,
    frame: include_str!("languages/python.frame"),
    parameters: ["{}", "{}", "{}", "{}", "{}", "{}", "{}"],
    taken: ["{}", "{}", "millis({})", "{}", "{}", "{}", "{}"],
    values: [
        "{}",
        "{}",
        "EPOCH + timedelta(milliseconds={})",
        "bytes.fromhex(\"{}\")",
        "{}",
        "Decimal({})",
        "{}",
    ],
    reserved: "False None True and as assert async await break class continue def del elif else except finally for from \
               global if import in is lambda nonlocal not or pass raise return try while with yield match case rest salt \
               salt2 salt3 bytes len range str int min max abs ord chr sum any all struct hashlib zlib Decimal datetime \
               timedelta timezone EPOCH row_key enumerate isinstance bool float list zip",
    imports: &[
        ("hashlib", "import hashlib"),
        ("BUCKETS", "import os"),
        ("re", "import re"),
        ("struct", "import struct"),
        ("zlib", "import zlib"),
        ("EPOCH", "from datetime import datetime, timedelta, timezone"),
        ("timedelta", "from datetime import datetime, timedelta, timezone"),
        ("Decimal", "from decimal import Decimal"),
        ("EPOCH", "\nEPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)"),
    ],
    quoted: |text| quoted(text, true),
    list: |items| format!("[{}]", items.join(", ")),
    bytes: |digits| format!("bytes.fromhex(\"{digits}\")"),
    long: |number| number.to_string(),
    table: ["{name} = {{entries}}\n\n\n", "{text}: {number}, "],
    buckets: "BUCKETS = int(os.environ.get({name}, \"{count}\"))\n\n\n",
    rest: "    rest = {}\n",
    vector: "    assert row_key({values}).hex() == \"{key}\"\n",
    indents: [", ", ",\n        ", ""],
};

pub(super) static JAVASCRIPT: Language = Language {
    shown: "JavaScript",
    snaked: false,
    comment: "// ",
    primitives: include_str!("languages/primitives.js"),
    decoding: "",
    call: None,
    frame: include_str!("languages/javascript.frame"),
    parameters: ["{}", "{}", "{}", "{}", "{}", "{}", "{}"],
    taken: ["{}", "BigInt({})", "BigInt({}.getTime())", "{}", "{}", "", "{}"],
    values: ["{}", "{}", "new Date({})", "bytes(\"{}\")", "{}", "{}", "{}"],
    reserved: "arguments await break case catch class const continue debugger default delete do else enum eval export \
               extends false finally for function if implements import in instanceof interface let new null package \
               private protected public return static super switch this throw true try typeof var void while with yield \
               rest salt salt2 salt3 rowKey test BigInt Date Math Uint8Array TextEncoder TextDecoder createHash",
    imports: &[("createHash", "import { createHash } from 'node:crypto';")],
    quoted: |text| quoted(text, false),
    list: |items| format!("[{}]", items.join(", ")),
    bytes: |digits| format!("bytes(\"{digits}\")"),
    // Beyond 2^53 numbers are not told from their neighbours.
    long: |number| match number.unsigned_abs() < 1 << 53 {
        true => number.to_string(),
        false => format!("{number}n"),
    },
    table: ["const {name} = new Map([\n{entries}]);\n\n", "  [{text}, {number}n],\n"],
    buckets: "const BUCKETS = Number(globalThis.process?.env[{name}] ?? {count});\n\n",
    rest: "  const rest = {};\n",
    vector: "  [rowKey({values}), \"{key}\"],\n",
    indents: [", ", ",\n    ", ""],
};
