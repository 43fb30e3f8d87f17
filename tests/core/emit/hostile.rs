//! Text of a person in every place of a design, as emitted code holds it.

use super::inert::{MARK, check};
use rowscape::design::{Document, parse};
use rowscape::emit::{EMITTERS, EmitSubject, emit, emit_from};
use serde_json::{Value, json};

/// Texts that would be more than text somewhere.
const TEXTS: [&str; 26] = [
    "coding:unicode_escape",
    "-*- coding: latin-1 -*-",
    "frozen_string_literal: true",
    "*/ run(); /*",
    "\\u000a run(); //",
    "\\\\u000a run(); //",
    "\\u002a\\u002f run();",
    "\\u0022 + run() + \\u0022",
    "a\nrun()",
    "a\r\nrun()",
    "a\u{c}run()\u{b}x",
    "a\u{2028}run()\u{2029}x\u{85}y",
    "\u{202e}run()\u{200b}\u{feff}",
    "\" + run() + \"",
    "'; run(); '",
    "' + run() + '",
    "`run()`",
    "$(run)",
    "${env:HOME}",
    "#{run()}",
    "#!/bin/sh",
    "<!-- --> </script> ]]>",
    "//# sourceMappingURL=run",
    "ends with \\",
    "{name} {} /*parts*/ /*head*/ {line}",
    "=begin\n__END__\n\0run()",
];

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A design that has a text wherever a person can write one. `more` tells its table from another.
fn design(text: &str, rowkey: &str, more: &str) -> Document {
    let names = [1, 2, 3].map(|number| format!("{text}{number}"));
    let [host, at, kind] = &names;
    let family: String = text.chars().filter(|char| !char.is_control() && !":/\\".contains(*char)).collect();
    let queries: Vec<Value> = [json!({ "eq": text }), json!({ "prefix": text }), json!({ "in": [text, "b"] })]
        .into_iter()
        .map(|condition| {
            json!({ "name": format!("{text} {condition}"), "where": { host: condition }, "order": { "field": at } })
        })
        .collect();
    let name = |name: &str| format!("`{}`", name.replace('`', "``"));
    let written = rowkey
        .replace("HOST", &name(host))
        .replace("AT", &name(at))
        .replace("TEXT", &quoted(text))
        .replace("LET", &name(&format!("{text} let")))
        .replace("TABLE", &quoted(&format!("{text} table")));
    let byte = |&byte: &u8| match byte {
        b' '..=b'~' if byte != b'\\' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    let qualifier: String = text.as_bytes().iter().map(byte).collect();
    let mut cells = vec![json!({ "qualifier": qualifier, "bytes": 4 })];
    // Phoenix has no columns whose names differ between rows.
    if rowkey != "HOST" {
        let value = json!({ "formula": format!("{} + {}", name(host), quoted(text)) });
        cells.push(json!({ "qualifier": { "formula": quoted(text) }, "value": value }));
    }
    let document = json!({
        "rowscape": 1,
        "name": text,
        "fields": [
            { "name": host, "type": "text", "from": [text, format!("{text} more")] },
            { "name": at, "type": "time", "format": "epoch-millis" },
            { "name": kind, "type": "text" },
        ],
        "lookup": { format!("{text} table"): { text: 1, "b": 2 } },
        "tables": [{
            "name": format!("calls{more}"),
            "let": { format!("{text} let"): format!("join({0}, {1}, {0})", quoted(text), name(host)) },
            "rowkey": written,
            "families": [{ "name": format!("f{family}{more}"), "cells": cells }],
        }],
        "queries": queries,
    });
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

const KEYS: [&str; 7] = [
    "HOST",
    "HOST.terminated() + TEXT + AT.millis().int64()",
    "HOST + TEXT + AT.millis().int64()",
    "LET + AT.format('yyyyMMdd')",
    "TEXT.md5().hex(4) + HOST.md5().hex(4) + AT.millis().int64()",
    "HOST.lookup(TABLE).int32() + AT.millis().int64()",
    "rest.javaHash().floorMod(8).uint8() + HOST + TEXT",
];

#[test]
fn no_text_of_a_person_leaves_its_comment_or_literal() {
    let mut made = std::collections::BTreeSet::new();
    for (number, text) in TEXTS.into_iter().enumerate() {
        let text = format!("{MARK}{text}{MARK}");
        // Two keys for each text, which is in the same places of all.
        for at in [number % KEYS.len(), (number + 3) % KEYS.len()] {
            let rowkey = KEYS[at];
            let old = design(&text, rowkey, "");
            let news = [rowkey, KEYS[at.saturating_sub(1)]].map(|rowkey| design(&text, rowkey, "2"));
            let points = old.tables[0].splits.points();
            let subject = |of| EmitSubject::new(of, &of.tables[0], &points);
            for emitter in EMITTERS {
                let alone = emit(emitter.name, &subject(&old));
                let led = news.iter().map(|new| emit_from(emitter.name, &subject(&old), &subject(new)));
                for emitted in std::iter::once(alone).chain(led).flatten() {
                    check(&format!("{} of {text:?}", emitter.name), emitted.language, &emitted.text);
                    made.insert(emitter.name);
                }
            }
        }
    }
    let missing: Vec<&str> =
        EMITTERS.iter().map(|emitter| emitter.name).filter(|name| !made.contains(name)).collect();
    assert_eq!(missing, ["splits-file", "shell-algorithm"], "tried of no text");
}

#[test]
fn the_code_of_a_formula_grows_with_its_text_and_not_with_its_depth() {
    let steps = |count: usize| format!("n{}.int64()", ".abs()".repeat(count));
    let joins = |count: usize| format!("{}host{}", "join('-', ".repeat(count), ", host)".repeat(count));
    for rowkey in [steps as fn(usize) -> String, joins] {
        for name in ["java", "scala", "python", "javascript", "spark-sql", "load-java"] {
            let families = json!([{ "name": "d", "cells": [{ "qualifier": "q", "bytes": 1 }] }]);
            let length = |count| {
                let document = super::document(&rowkey(count), families.clone(), json!({}));
                super::text(name, &document).len()
            };
            let [few, more, most] = [8, 16, 24].map(length);
            assert!(most - more <= 2 * (more - few) + 200, "{name}: {few}, {more}, {most}");
        }
    }
}
