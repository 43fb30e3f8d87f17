//! FORMAT.md says what the code does: a section for everything there is, and examples that hold.

use rowscape::design::parse;
use rowscape::encode::Encoder;
use rowscape::field::Kind;
use rowscape::formula::SOURCES;
use rowscape::formula::steps::STEPS;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::ingest::{Generator, Input, RecordReader};
use rowscape::row::to_string_binary;
use rowscape::split::{ALGORITHMS, FORMS, Splits};
use serde_json::{Value, json};

const FORMAT: &str = include_str!("../../../docs/FORMAT.md");

/// The sections under a heading of the second level, each with its name.
fn sections(heading: &str) -> Vec<(&'static str, &'static str)> {
    let (_, chapter) = FORMAT.split_once(&format!("\n## {heading}\n")).expect(heading);
    let chapter = chapter.split("\n## ").next().expect(heading);
    let named = |section: &'static str| section.split_once("`\n").expect("a name in backticks");
    chapter.split("\n#### `").skip(1).map(named).collect()
}

/// Texts in backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The examples of a section: what is given, and what comes out.
fn examples(section: &str) -> Vec<(Vec<&str>, Vec<&str>)> {
    let (_, line) = section.split_once("- **Example** ").expect("an example");
    let line = line.lines().next().expect("a line");
    let example = |text| {
        let (given, made): (&str, &str) = str::split_once(text, " → ").expect("an arrow");
        (quoted(given), quoted(made))
    };
    line.split("; ").map(example).collect()
}

/// The fields of the examples, as FORMAT.md declares them.
fn field(name: &str) -> Option<Value> {
    match name {
        "phone" | "id" | "type" | "a" | "b" => Some(json!({ "name": name, "type": "text" })),
        "d" => Some(json!({ "name": name, "type": "decimal" })),
        "f" | "lat" | "lon" => Some(json!({ "name": name, "type": "float" })),
        "ok" => Some(json!({ "name": name, "type": "boolean" })),
        "uuid" => Some(json!({ "name": name, "type": "bytes", "format": "uuid" })),
        "n" | "col" | "row" => Some(json!({ "name": name, "type": "integer" })),
        "t" => Some(json!({ "name": name, "type": "time", "format": "iso8601" })),
        "call_time" => {
            Some(json!({ "name": name, "type": "time", "format": "yyyy-MM-dd HH:mm:ss", "zone": "+08:00" }))
        }
        _ => None,
    }
}

/// The fields a formula names, in the order it names them.
fn fields(formula: &str) -> Vec<Value> {
    let unquoted: String = formula.split('\'').step_by(2).collect();
    unquoted.split(|char: char| !char.is_alphanumeric() && char != '_').filter_map(field).collect()
}

fn key(formula: &str, values: &[&str]) -> String {
    let fields = fields(&formula.replacen("two", "a b", 1));
    assert_eq!(fields.len(), values.len(), "{formula}");
    let mut document = json!({ "rowscape": 1, "fields": fields, "rowkey": formula });
    document["lookup"] = json!({ "TYPES": { "login": 1, "logout": 2 } });
    if formula.contains("two") {
        document["let"] = json!({ "two": "a + '-' + b" });
    }
    let study = parse(&document.to_string()).unwrap_or_else(|problems| panic!("{formula}: {problems:?}"));
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let input = json!({ "separator": ",", "fields": study.fields });
    let input: Input = serde_json::from_value(input).expect("input");
    let mut reader = RecordReader::new(&input).expect("input");
    reader.push(format!("{}\n{}\n", names.join(","), values.join(",")).as_bytes());
    reader.finish();
    let records = reader.into_records();
    let keys = Encoder::new(&records, &names, &[&study.tables[0].typed]).encode().swap_remove(0);
    assert_eq!((keys.keys.len(), keys.refused.count()), (1, 0), "{formula}: {:?}", keys.refused);
    to_string_binary(keys.keys.get(0))
}

fn names(heading: &str) -> Vec<&'static str> {
    let mut names: Vec<_> = sections(heading).into_iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    names
}

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_unstable();
    names
}

#[test]
fn every_source_step_encoding_and_split_has_its_section_and_no_other() {
    let sources = SOURCES.iter().map(|source| source.name).chain(["field", "text", "bytes", "let"]);
    assert_eq!(names("Sources"), sorted(sources));
    let steps = |encoding| STEPS.iter().filter(move |step| step.encoding == encoding).map(|step| step.name);
    assert_eq!(names("Steps"), sorted(steps(false)));
    assert_eq!(names("Encodings"), sorted(steps(true)));
    let forms = FORMS.iter().map(|(name, _)| *name).filter(|&name| name != "algorithm");
    let splits = ALGORITHMS.iter().map(|algorithm| algorithm.name).chain(forms);
    assert_eq!(names("Splits"), sorted(splits));
}

#[test]
fn every_section_says_the_same_five_things() {
    for (name, section) in ["Sources", "Steps", "Encodings", "Splits"].into_iter().flat_map(sections) {
        let said: Vec<&str> = section
            .lines()
            .take_while(|line| !line.is_empty())
            .filter_map(|line| line.strip_prefix("- **")?.split("**").next())
            .collect();
        assert_eq!(said, ["Encoding", "Example", "Sorts", "Width", "Traps"], "{name}");
    }
}

#[test]
fn the_examples_of_formulas_hold() {
    for (name, section) in ["Sources", "Steps", "Encodings"].into_iter().flat_map(sections) {
        for (given, made) in examples(section) {
            let (formula, values) = given.split_first().expect("a formula");
            assert_eq!(made, [key(formula, values)], "{name}: {formula}");
            assert!(
                formula.contains(name) || ["field", "text", "bytes", "let"].contains(&name),
                "{name}: {formula}"
            );
        }
    }
}

#[test]
fn the_examples_of_splits_hold() {
    for (name, section) in sections("Splits") {
        for (given, made) in examples(section) {
            let keys: Vec<Vec<u8>> = given[1..].iter().map(|key| key.as_bytes().to_vec()).collect();
            let points = Splits::from_text(given[0]).and_then(|splits| splits.points_for(&keys)).expect(name);
            let found: Vec<String> =
                (1..points.regions()).map(|region| to_string_binary(points.boundaries(region).0)).collect();
            assert_eq!(found, made, "{name}");
        }
    }
}

#[test]
fn sources_take_and_give_what_the_catalogue_says() {
    let is_taken = |formula: &str| {
        let fields = ["phone", "n", "t", "f", "d", "ok"].map(field);
        parse(&json!({ "rowscape": 1, "fields": fields, "rowkey": formula }).to_string()).is_ok()
    };
    for source in &SOURCES {
        let of = |value| {
            let call = source.signature.replace("separator", "'_'").replace("a, b, …", value);
            let call = ["lat, lon", "a, b"]
                .iter()
                .fold(call, |call, two| call.replace(two, &format!("{value}, {value}")));
            let call = call.replace("bits)", "3)");
            call.replace("[, seed]", "").replace("n)", "3)")
        };
        let kinds = [
            (Kind::Text, "phone"),
            (Kind::Integer, "n"),
            (Kind::Bytes, "x'ff'"),
            (Kind::Time, "t"),
            (Kind::Float, "f"),
            (Kind::Decimal, "d"),
            (Kind::Boolean, "ok"),
        ];
        for (kind, value) in kinds.into_iter().filter(|_| !source.takes.is_empty()) {
            assert_eq!(is_taken(&of(value)), source.takes.contains(&kind), "{}", of(value));
        }
        for (kind, step) in [(Kind::Text, ".upper()"), (Kind::Integer, ".int32()")] {
            let taken = if source.takes.contains(&Kind::Text) { "phone" } else { "n" };
            let formula = of(taken) + step + " + x'ff'";
            assert_eq!(is_taken(&formula), source.gives == kind, "{formula}");
        }
    }
}

#[test]
fn made_up_records_are_described_by_an_example_that_makes_them() {
    let (_, chapter) = FORMAT.split_once("\n## Generated records\n").expect("the chapter");
    let (_, example) = chapter.split_once("```json\n").expect("an example");
    let example = example.split("```").next().expect("its end");
    let spec: GeneratorSpec = serde_json::from_str(example).expect("a description");
    let records = Generator::all(&spec, &[]).expect("records");
    assert_eq!((records.rows, records.columns.len()), (20_000, 6));
    // All that a description can say is in the tables.
    let full = serde_json::to_value(GeneratorSpec { rate: Some(1), ..spec }).expect("a value");
    let told = quoted(chapter);
    for member in members(&full) {
        assert!(told.contains(&member.as_str()), "{member} is not told of");
    }
}

/// The names of all members of a value, however deep.
fn members(value: &Value) -> Vec<String> {
    match value {
        Value::Object(object) => {
            object.iter().flat_map(|(name, value)| [vec![name.clone()], members(value)].concat()).collect()
        }
        Value::Array(list) => list.iter().flat_map(members).collect(),
        _ => Vec::new(),
    }
}
