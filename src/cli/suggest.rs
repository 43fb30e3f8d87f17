//! `suggest`: row keys for records and queries, each measured.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::figures::{count, decimal, percent, points};
use super::input::{self, WantedFields};
use super::json::lines;
use super::loaded::{broken, complain};
use super::source::ByteSource;
use super::style::{Ink, harmless};
use super::words::{said, say};
use crate::base::Problem;
use crate::base::limits::DOCUMENT_BYTES;
use crate::base::memory::room;
use crate::design::{self, SuggestRequest};
use crate::records::Records;
use crate::records::field::{Field, Kind};
use crate::records::generate::{Generator, GeneratorSpec};
use crate::records::read::encoding::decoded;
use crate::scan::PlanKind;
use crate::session::{GENERATED_ROWS, HEAD, OWN, SamplingIntake};
use crate::suggest::{SuggestOptions, Suggestion, Suggestions, query_of_words, suggest};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Value, json};
use std::rc::Rc;

/// Choices taken back that are told, those that change most.
const TOLD: usize = 6;

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let words: Vec<&str> = asked.words.iter().skip(1).map(String::as_str).collect();
    let (study, records) = study_and_records(context, asked, &words)?;
    let options = options(context, asked)?;
    let found = suggest(&study, &records, &options, &mut |_, _| true)?;
    if let (Some(file), Some(best)) = (asked.get("save"), found.suggestions.first()) {
        context.save(file, lines(&best.design).as_bytes())?;
    }
    match asked.has("json") {
        true => context.write(lines(&json!(found)).as_bytes()),
        false => print(context, &found),
    }
    Ok(FINE)
}

/// The options: a JSON file or text, and the flags beside it.
fn options(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<SuggestOptions, Failure> {
    let mut options = match asked.get("options") {
        Some(given) if given.trim_start().starts_with('{') => SuggestOptions::parse(given)?,
        Some(file) => SuggestOptions::parse(&input::text(context, file, &DOCUMENT_BYTES)?)?,
        None => SuggestOptions::default(),
    };
    if let Some(regions) = asked.get("regions") {
        let wrong = |_| Problem::new("suggest.wrong-options").with("error", format!("regions: {regions}"));
        options.regions = Some(regions.parse().map_err(wrong)?);
    }
    options.check()?;
    options.prefer = asked.one_of("prefer", &crate::suggest::Prefer::ALL)?.unwrap_or(options.prefer);
    Ok(options)
}

/// The study and its records; without a study, one made of the fields of the records and of `--query`. The first file, which may be
/// either, is read once.
fn study_and_records(
    context: &mut CommandContext<'_>,
    asked: &CommandArgs,
    words: &[&str],
) -> Result<(SuggestRequest, Rc<Records>), Failure> {
    let files: Vec<&str> = words.iter().copied().chain(asked.all("data")).collect();
    let (&first, rest) = files.split_first().ok_or_else(|| Problem::new("cli.no-design"))?;
    let mut source = ByteSource::open(context, first)?;
    let (study, records) = if is_study(source.look(context, HEAD)) {
        let name = source.name.clone();
        let text = input::text_of(context, source, &DOCUMENT_BYTES)?;
        let study = design::parse_request(&text).map_err(|wrong| Failure::from(wrong).in_file(&name))?;
        let records = if rest.is_empty() {
            generated(context, &study)?
        } else {
            read(context, Some(&study.document.fields), (None, rest))?
        };
        (study, records)
    } else {
        let records = read(context, None, (Some(source), &files))?;
        (guessed(&records)?, records)
    };
    Ok((with_queries(study, asked, &records)?, Rc::new(records)))
}

/// True if a file begins as a study does: with an object that has the member `rowscape`, whatever comes before it.
fn is_study(head: &[u8]) -> bool {
    /// Finds the member among those that are whole.
    struct Member(bool);
    impl<'de> Visitor<'de> for &mut Member {
        type Value = ();
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
            while let Some(name) = map.next_key::<String>()? {
                self.0 |= name == "rowscape";
                map.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }
    let mut found = Member(false);
    // An error tells where the look ends, or that the study is wrong; reading it says which.
    let _ = serde_json::Deserializer::from_slice(&decoded(head, None)).deserialize_map(&mut found);
    found.0
}

fn generated(context: &CommandContext<'_>, study: &SuggestRequest) -> Result<Records, Failure> {
    let spec = study.document.generate.clone().ok_or_else(|| Problem::new("cli.no-records"))?;
    let wrong = |error: serde_json::Error| Problem::new("generate.wrong-shape").with("error", error);
    let spec: GeneratorSpec = crate::base::json::members_of(spec).map_err(wrong)?;
    let mut generator = Generator::new(&spec, &study.document.fields)?;
    let (mut intake, mut records) = (SamplingIntake::new(context.memory), generator.records());
    while generator.left() > 0 {
        generator.fill(&mut records, GENERATED_ROWS);
        if intake.is_due(&records)? {
            intake.add(std::mem::replace(&mut records, generator.records()))?;
        }
    }
    Ok(intake.end(records)?)
}

/// The records of files, or a sample of them where they are more than memory is to hold.
pub fn read(
    context: &mut CommandContext<'_>,
    fields: Option<&[Field]>,
    files: (Option<ByteSource>, &[&str]),
) -> Result<Records, Failure> {
    room(OWN)?;
    let mut intake = SamplingIntake::new(context.memory);
    let mut reader = input::records(
        context,
        &WantedFields { fields, named: None, step: u64::MAX, table: None },
        files,
        &mut |_, reader, _| {
            if intake.is_due(reader.records())? {
                intake.add(reader.take_records_so_far())?;
            }
            Ok(())
        },
    )?;
    complain(context, reader.problems())?;
    let broken = broken(reader.problems());
    if !broken.is_empty() {
        return Err(broken.into());
    }
    Ok(intake.end(reader.take_records_so_far())?)
}

/// A study of the fields that the records are guessed to have.
fn guessed(records: &Records) -> Result<SuggestRequest, Failure> {
    let fields: Vec<&Field> = records.columns.iter().map(|column| &column.field).collect();
    let arrival = fields.iter().find(|field| field.kind == Kind::Time).map(|field| field.name.clone());
    let document = json!({ "rowscape": 1, "fields": fields, "arrival": arrival });
    of_document(document)
}

fn of_document(mut document: Value) -> Result<SuggestRequest, Failure> {
    if let Some(members) = document.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    Ok(design::parse_request(&crate::base::json::text(&document))?)
}

/// The study with the queries given as words, each behind a comma.
fn with_queries(
    study: SuggestRequest,
    asked: &CommandArgs,
    records: &Records,
) -> Result<SuggestRequest, Failure> {
    let Some(words) = asked.get("query") else { return Ok(study) };
    let fields = &study.document.fields;
    let asked = words.split(',').map(str::trim).filter(|words| !words.is_empty());
    let queries = asked.map(|words| query_of_words(words, fields, records));
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

fn print(context: &mut CommandContext<'_>, found: &Suggestions) {
    if found.suggestions.is_empty() {
        context.line(&say("cli.suggest-none", &[]));
    }
    for (number, of) in (1..).zip(&found.suggestions) {
        suggestion(context, number, of);
    }
    if let Some(given) = &found.baseline {
        context.line(&say("cli.suggest-baseline", &[("rowkey", &harmless(&given.rowkey))]));
        context.line(&format!("   {}", scores(&given.scores)));
    }
    for of in &found.considered.alternatives {
        let words = [("name", of.name), ("reason", of.reason.message.as_str())];
        context.line(&say("cli.suggest-known", &words));
    }
    let rounds = &found.considered.rounds;
    let keys = count(rounds.iter().map(|round| round.candidates as u64).max().unwrap_or(0));
    let [rows, front, cover] = [count(found.rows), count(found.front.len() as u64), decimal(found.cover)];
    let words = [("keys", keys.as_str()), ("rows", &rows), ("front", &front), ("cover", &cover)];
    context.line(&say("cli.suggest-considered", &words));
    for note in &found.notes {
        context.line(&format!("- {}", self::note(note)));
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
    let said = say("cli.suggest-scores", &words);
    if of.updates == 0.0 {
        return said;
    }
    format!("{said}, {}", say("cli.suggest-updates", &[("updates", &decimal(of.updates))]))
}

/// A reason or a note, with the kind of records that it is about.
fn note(of: &crate::suggest::SuggestNote) -> String {
    let kind = of.kind.iter().map(|kind| format!("{kind}: "));
    harmless(&kind.chain([of.message.clone()]).collect::<String>())
}

/// The cells of a table in which records are not rows of their own.
fn cells(context: &mut CommandContext<'_>, of: &Suggestion) {
    let families = of.design.pointer("/tables/0/families").and_then(Value::as_array).into_iter().flatten();
    for family in families {
        let text = |value: &Value| match value.get("formula").unwrap_or(value) {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let cells = family.get("cells").and_then(Value::as_array).into_iter().flatten();
        for cell in cells {
            let member = |name| cell.get(name).map(text);
            let (code, value) = match member("packed") {
                Some(packed) => ("cli.suggest-packed", Some(packed)),
                None => ("cli.suggest-cell", member("bytes").or_else(|| member("value"))),
            };
            let words = [family.get("name").map(text), member("qualifier"), value]
                .map(|of| harmless(&of.unwrap_or_default()));
            let [family, qualifier, value] = &words;
            let words = [("family", family.as_str()), ("qualifier", qualifier), ("value", value)];
            context.line(&format!("   {}", say(code, &words)));
        }
    }
}

/// The sentences of labels.
const LABELS: [(&str, &str); 9] = [
    ("alternative", "suggest.label-alternative"),
    ("balanced", "suggest.label-balanced"),
    ("cheapest-reads", "suggest.label-cheapest-reads"),
    ("closest", "suggest.label-closest"),
    ("one-region", "suggest.label-one-region"),
    ("pages", "suggest.label-pages"),
    ("shortest-keys", "suggest.label-shortest-keys"),
    ("spreads-writes", "suggest.label-spreads-writes"),
    ("wide-rows", "suggest.label-wide-rows"),
];

/// A label in words.
fn label(label: &str) -> String {
    let code = LABELS.iter().find(|(name, _)| *name == label).map(|(_, code)| *code);
    code.map_or_else(|| label.to_owned(), |code| said(&Problem::new(code)))
}

fn suggestion(context: &mut CommandContext<'_>, number: usize, of: &Suggestion) {
    let style = context.style;
    let labels: Vec<String> = if of.labels.is_empty() {
        vec![label(of.label)]
    } else {
        of.labels.iter().map(|of| label(of)).collect()
    };
    let mut heading = format!("{number}. {}", labels.join(", "));
    if of.rowkeys.len() > 1 {
        let tables = said(&Problem::new("suggest.tables").with("tables", of.rowkeys.len()));
        heading = format!("{heading} · {tables}");
    }
    context.line(&style.ink(Ink::Bold, &heading));
    match of.kinds.is_empty() {
        true => of.rowkeys.iter().for_each(|rowkey| context.line(&format!("   {}", harmless(rowkey)))),
        false => {
            of.kinds.iter().for_each(|of| context.line(&harmless(&format!("   {}: {}", of.kind, of.rowkey))))
        }
    }
    if of.shape.is_some() {
        cells(context, of);
    }
    context.line(&format!("   {}", scores(&of.scores)));
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
        context.line(&format!("   {}", say("cli.suggest-query", &words)));
    }
    for reason in &of.reasons {
        context.line(&format!("   · {}", note(reason)));
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
            signed(points(taken.change.hottest_server.abs()), taken.change.hottest_server),
            signed(decimal(taken.change.reads.abs()), taken.change.reads),
            signed(decimal(taken.change.bytes_per_row.abs()), taken.change.bytes_per_row),
        ];
        let words = [
            ("choice", taken.choice.message.as_str()),
            ("server", &server),
            ("reads", &reads),
            ("bytes", &bytes),
        ];
        context.line(&style.ink(Ink::Dim, &format!("   {}", harmless(&say("cli.suggest-without", &words)))));
    }
    if let Some(tie) = of.ties.first() {
        let words = [("count", count(of.ties.len() as u64)), ("rowkey", tie.join("; "))];
        let words: Vec<(&'static str, &str)> =
            words.iter().map(|(name, word)| (*name, word.as_str())).collect();
        context.line(&format!("   {}", harmless(&say("cli.suggest-ties", &words))));
    }
    context.line("");
}
