//! `suggest`: row keys for records and queries, each measured.

use super::args::CommandArgs;
use super::figures::{count, decimal, percent};
use super::held::complain;
use super::input;
use super::json::lines;
use super::shell::{FINE, Failure, Shell};
use super::style::{Ink, harmless};
use super::words::{said, say};
use crate::base::Problem;
use crate::base::limits::DOCUMENT_BYTES;
use crate::design::{self, AskedDocument};
use crate::records::Records;
use crate::records::field::{Field, Kind};
use crate::records::generate::{Generator, GeneratorSpec};
use crate::records::guess::guess;
use crate::scan::PlanKind;
use crate::suggest::{SuggestOptions, Suggestion, Suggestions, query_of_words, suggest};
use serde_json::{Value, json};
use std::rc::Rc;

/// Choices taken back that are told, those that change most.
const TOLD: usize = 6;

/// Runs the command.
pub fn run(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let words: Vec<&str> = asked.words.iter().skip(1).map(String::as_str).collect();
    let (study, records) = study_and_records(shell, asked, &words)?;
    let options = options(shell, asked)?;
    let found = suggest(&study, &records, &options, &mut |_, _| true)?;
    if let (Some(file), Some(best)) = (asked.get("save"), found.suggestions.first()) {
        shell.save(file, lines(&best.design).as_bytes())?;
    }
    match asked.has("json") {
        true => shell.write(lines(&json!(found)).as_bytes()),
        false => print(shell, &found),
    }
    Ok(FINE)
}

/// The options: a JSON file or text, and the flags beside it.
fn options(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<SuggestOptions, Failure> {
    let mut options = match asked.get("options") {
        Some(given) if given.trim_start().starts_with('{') => SuggestOptions::parse(given)?,
        Some(file) => SuggestOptions::parse(&input::text(shell, file, &DOCUMENT_BYTES)?)?,
        None => SuggestOptions::default(),
    };
    if let Some(regions) = asked.get("regions") {
        let wrong = |_| Problem::new("suggest.wrong-options").with("error", format!("regions: {regions}"));
        options.regions = Some(regions.parse().map_err(wrong)?);
    }
    options.prefer = asked.one_of("prefer", &crate::suggest::Prefer::ALL)?.unwrap_or(options.prefer);
    Ok(options)
}

/// The study and its records; without a study, one made of the fields of the records and of `--query`.
fn study_and_records(
    shell: &mut Shell<'_>,
    asked: &CommandArgs,
    words: &[&str],
) -> Result<(AskedDocument, Rc<Records>), Failure> {
    let first = words.first().copied().ok_or_else(|| Problem::new("cli.no-design"))?;
    let given = first != "-" && first.ends_with(".json");
    let text = if given { Some(input::text(shell, first, &DOCUMENT_BYTES)?) } else { None };
    let is_study = |text: &String| design::parse_asked(text).is_ok() || text.contains("\"rowscape\"");
    let (study, files) = match text.filter(is_study) {
        Some(text) => {
            let study = design::parse_asked(&text).map_err(|wrong| Failure::from(wrong).in_file(first))?;
            (study, words.get(1..).unwrap_or_default())
        }
        None => (guessed(shell, first, asked.get("header"))?, words),
    };
    let files: Vec<&str> = files.iter().copied().chain(asked.all("data")).collect();
    let records = records(shell, &study, &files)?;
    let study = with_queries(study, asked, &records)?;
    Ok((study, Rc::new(records)))
}

fn records(shell: &mut Shell<'_>, study: &AskedDocument, files: &[&str]) -> Result<Records, Failure> {
    if files.is_empty() {
        let spec = study.document.generate.clone().ok_or_else(|| Problem::new("cli.no-records"))?;
        let wrong = |error: serde_json::Error| Problem::new("generate.wrong-shape").with("error", error);
        let spec: GeneratorSpec = serde_json::from_value(spec).map_err(wrong)?;
        return Ok(Generator::all(&spec, &study.document.fields)?);
    }
    let reader = input::records(shell, &study.document, files, &mut |_, _| Ok(()))?;
    complain(shell, reader.problems())?;
    Ok(reader.into_records())
}

/// A study of the fields that a file is guessed to have.
fn guessed(shell: &mut Shell<'_>, file: &str, header: Option<&str>) -> Result<AskedDocument, Failure> {
    let head = input::head(shell, file)?;
    let header = header.map(|header| header == "yes");
    let fields: Vec<Field> = guess(&head, file, header).fields.into_iter().map(|of| of.field).collect();
    let arrival = fields.iter().find(|field| field.kind == Kind::Time).map(|field| field.name.clone());
    let document = json!({ "rowscape": 1, "fields": fields, "arrival": arrival });
    of_document(document)
}

fn of_document(mut document: Value) -> Result<AskedDocument, Failure> {
    if let Some(members) = document.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    Ok(design::parse_asked(&crate::base::json::text(&document))?)
}

/// The study with the queries given as words, each behind a comma.
fn with_queries(
    study: AskedDocument,
    asked: &CommandArgs,
    records: &Records,
) -> Result<AskedDocument, Failure> {
    let Some(words) = asked.get("query") else { return Ok(study) };
    let fields = &study.document.fields;
    let queries = words.split(',').map(|words| query_of_words(words.trim(), fields, records));
    let queries = queries.collect::<Result<Vec<Value>, Problem>>()?;
    let mut document = design::normal_form(&study.document);
    let keyed = study.keyed;
    if let Some(members) = document.as_object_mut() {
        members.insert("queries".to_owned(), queries.into());
    }
    let mut study = of_document(document)?;
    study.keyed = keyed;
    Ok(study)
}

fn print(shell: &mut Shell<'_>, found: &Suggestions) {
    if found.suggestions.is_empty() {
        shell.line(&say("cli.suggest-none", &[]));
    }
    for (number, of) in (1..).zip(&found.suggestions) {
        suggestion(shell, number, of);
    }
    if let Some(given) = &found.baseline {
        shell.line(&say("cli.suggest-baseline", &[("rowkey", &harmless(&given.rowkey))]));
        shell.line(&format!("   {}", scores(&given.scores)));
    }
    for of in &found.considered.alternatives {
        let words = [("name", of.name), ("reason", of.reason.message.as_str())];
        shell.line(&say("cli.suggest-known", &words));
    }
    let rounds = &found.considered.rounds;
    let keys = count(rounds.iter().map(|round| round.candidates as u64).max().unwrap_or(0));
    let [rows, front, cover] = [count(found.rows), count(found.front.len() as u64), decimal(found.cover)];
    let words = [("keys", keys.as_str()), ("rows", &rows), ("front", &front), ("cover", &cover)];
    shell.line(&say("cli.suggest-considered", &words));
    for note in &found.notes {
        shell.line(&format!("- {}", harmless(&note.message)));
    }
}

fn scores(of: &crate::suggest::DesignScores) -> String {
    let regions: Vec<String> = of.regions.iter().map(ToString::to_string).collect();
    let words = [
        ("server", percent(of.hottest_server)),
        ("region", percent(of.hottest_region)),
        ("reads", decimal(of.reads)),
        ("bytes", decimal(of.bytes_per_row)),
        ("regions", regions.join(" + ")),
    ];
    let words: Vec<(&'static str, &str)> = words.iter().map(|(name, word)| (*name, word.as_str())).collect();
    say("cli.suggest-scores", &words)
}

/// The sentences of labels.
const LABELS: [(&str, &str); 7] = [
    ("alternative", "suggest.label-alternative"),
    ("balanced", "suggest.label-balanced"),
    ("cheapest-reads", "suggest.label-cheapest-reads"),
    ("closest", "suggest.label-closest"),
    ("one-region", "suggest.label-one-region"),
    ("shortest-keys", "suggest.label-shortest-keys"),
    ("spreads-writes", "suggest.label-spreads-writes"),
];

/// A label in words.
fn label(label: &str) -> String {
    let code = LABELS.iter().find(|(name, _)| *name == label).map(|(_, code)| *code);
    code.map_or_else(|| label.to_owned(), |code| said(&Problem::new(code)))
}

fn suggestion(shell: &mut Shell<'_>, number: usize, of: &Suggestion) {
    let style = shell.style;
    let labels: Vec<String> = if of.labels.is_empty() {
        vec![label(of.label)]
    } else {
        of.labels.iter().map(|of| label(of)).collect()
    };
    shell.line(&style.ink(Ink::Bold, &format!("{number}. {}", labels.join(", "))));
    for rowkey in &of.rowkeys {
        shell.line(&format!("   {}", harmless(rowkey)));
    }
    shell.line(&format!("   {}", scores(&of.scores)));
    for query in &of.queries {
        let scans = if query.kind == PlanKind::Get { "cli.count-gets" } else { "cli.count-scans" };
        let words = [
            ("query", harmless(&query.name)),
            ("scans", say(scans, &[("count", &count(query.scans as u64))])),
            ("regions", say("cli.count-regions", &[("count", &count(query.regions as u64))])),
            ("read", say("cli.count-rows", &[("count", &count(query.rows_read))])),
            ("returned", count(query.rows_returned)),
            ("cost", decimal(query.cost)),
        ];
        let words: Vec<(&'static str, &str)> =
            words.iter().map(|(name, word)| (*name, word.as_str())).collect();
        shell.line(&format!("   {}", say("cli.suggest-query", &words)));
    }
    for reason in &of.reasons {
        shell.line(&format!("   · {}", harmless(&reason.message)));
    }
    let mut without: Vec<_> = of.without.iter().collect();
    let size = |of: &crate::suggest::ScoreChange| {
        100.0 * of.hottest_server.abs() + of.reads.abs() + of.bytes_per_row.abs()
    };
    crate::bytes::sort::sort_by(&mut without, |a, b| size(&b.change).total_cmp(&size(&a.change)));
    for taken in without.into_iter().take(TOLD) {
        let signed =
            |text: String, value: f64| if value >= 0.0 { format!("+{text}") } else { format!("−{text}") };
        let [server, reads, bytes] = [
            signed(percent(taken.change.hottest_server.abs()), taken.change.hottest_server),
            signed(decimal(taken.change.reads.abs()), taken.change.reads),
            signed(decimal(taken.change.bytes_per_row.abs()), taken.change.bytes_per_row),
        ];
        let words = [
            ("choice", taken.choice.message.as_str()),
            ("server", &server),
            ("reads", &reads),
            ("bytes", &bytes),
        ];
        shell.line(&style.ink(Ink::Dim, &format!("   {}", harmless(&say("cli.suggest-without", &words)))));
    }
    if let Some(tie) = of.ties.first() {
        let words = [("count", count(of.ties.len() as u64)), ("rowkey", tie.join("; "))];
        let words: Vec<(&'static str, &str)> =
            words.iter().map(|(name, word)| (*name, word.as_str())).collect();
        shell.line(&format!("   {}", harmless(&say("cli.suggest-ties", &words))));
    }
    shell.line("");
}
