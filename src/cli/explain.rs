//! `explain`: a row key byte by byte, or what a finding means.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::decode::{bytes, json};
use super::document::DesignDocument;
use super::encode::hex;
use super::json::lines;
use super::lint::paragraph;
use super::style::{Ink, harmless};
use super::table::{ColumnAlign, PrintedTable};
use super::words::{said, say};
use crate::analysis::findings::{ExplainedRule, FindingRule, RULES};
use crate::base::Problem;
use crate::bytes::row::to_string_binary;
use crate::keys::decode::{Decoded, decode};
use serde_json::Value;

/// Runs the command: `explain RS101`, or `explain DESIGN KEY`.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let words: Vec<&str> = asked.words.iter().skip(1).map(String::as_str).collect();
    let rule =
        |word: &str| RULES.iter().find(|rule| word.eq_ignore_ascii_case(rule.code) || word == rule.name);
    match words.as_slice() {
        [word] => {
            let rule = rule(word).ok_or_else(|| Problem::new("cli.explain-what").with("found", word))?;
            finding(context, rule);
            Ok(FINE)
        }
        [_, key] => row_key(context, asked, key),
        _ => Err(Problem::new("cli.explain-what").with("found", words.join(" ")).into()),
    }
}

/// A rule: severity, an example, when it is found, why it matters, what to do.
fn finding(context: &mut CommandContext<'_>, rule: &FindingRule) {
    let style = context.style;
    context.line(&format!("{} {}", style.ink(Ink::Bold, rule.code), rule.name));
    if let Some(ExplainedRule { severity, when, example, why, fix }) = rule.explained() {
        let lines = [
            ("cli.explain-severity", severity),
            ("cli.explain-example", example.message()),
            ("cli.explain-when", when),
            ("cli.explain-why", why),
            ("cli.explain-fix", fix),
        ];
        for (code, text) in lines {
            paragraph(context, "    ", &say(code, &[("text", &text)]));
        }
    }
    context.line(&format!("    {}", rule.reference));
}

fn row_key(context: &mut CommandContext<'_>, asked: &CommandArgs, key: &str) -> Result<u8, Failure> {
    let document = DesignDocument::asked(context, asked)?;
    let design = document.design()?;
    let row = bytes(key, asked.has("hex"))?;
    let decoded = decode(&design.typed, &document.study.fields, &row)?;
    let points = design.splits.points().ok();
    let region = points.as_ref().map(|points| points.region_of(&row));
    if asked.has("json") {
        let mut value = json(key, &decoded);
        if let Value::Object(members) = &mut value {
            members.insert("region".to_owned(), region.map_or(Value::Null, Value::from));
        }
        context.write(lines(&value).as_bytes());
        return Ok(FINE);
    }
    heading(context, &row, &design.rowkey);
    if let (Some(points), Some(region)) = (&points, region) {
        let (start, stop) = points.boundaries(region);
        context.line(&say(
            "cli.key-region",
            &[
                ("region", &region.to_string()),
                ("regions", &points.regions().to_string()),
                ("start", &to_string_binary(start)),
                ("stop", &to_string_binary(stop)),
            ],
        ));
    }
    context.line("");
    parts(context, &row, &decoded);
    context.line("");
    fields(context, &decoded);
    Ok(FINE)
}

fn heading(context: &mut CommandContext<'_>, row: &[u8], rowkey: &str) {
    context.line(&context.style.ink(Ink::Bold, &to_string_binary(row)));
    context.line(&say("cli.key-of", &[("rowkey", rowkey), ("bytes", &row.len().to_string())]));
}

/// The parts of a row key with their bytes.
fn parts(context: &mut CommandContext<'_>, row: &[u8], decoded: &Decoded) {
    let heading = |code| say(code, &[]);
    let mut table = PrintedTable::new(&[
        (ColumnAlign::Right, heading("cli.bytes")),
        (ColumnAlign::Left, heading("cli.part")),
        (ColumnAlign::Left, heading("cli.stands")),
        (ColumnAlign::Left, heading("cli.hex")),
    ]);
    for part in &decoded.parts {
        let bytes = part.span.and_then(|(from, to)| row.get(from..to));
        let span = part.span.map_or_else(|| "?".to_owned(), |(from, to)| format!("{from}–{to}"));
        table.row(vec![
            span,
            part.text.clone(),
            bytes.map(to_string_binary).unwrap_or_default(),
            bytes.map(hex).unwrap_or_default(),
        ]);
    }
    table.print(context);
}

/// The fields that a row key tells, and what it cannot tell.
fn fields(context: &mut CommandContext<'_>, decoded: &Decoded) {
    for field in &decoded.fields {
        let value = match (&field.value, &field.lost) {
            (Some(value), _) => Value::from(value.as_str()).to_string(),
            (None, _) => "?".to_owned(),
        };
        context.line(&harmless(&format!("{} = {value}", field.name)));
        if let (None, Some(lost)) = (&field.value, &field.lost) {
            paragraph(context, "    ", &harmless(&said(lost)));
        }
    }
    for problem in &decoded.problems {
        paragraph(context, "- ", &harmless(&said(problem)));
    }
}
