//! Every key of a grammar, measured beside the suggestions.
//!
//! The grammar: any arrangement of some of the fields that queries or arrival name, then what makes it unique; in front nothing, a
//! bucket of one field that is asked for or of the whole key, or two bytes of a digest of the first field. Each under one region,
//! as many as servers, twice as many, and most.

use super::{at, mix, study, suggested};
use rowscape::suggest::{DesignScores, KeyScores, SuggestOptions, score_keys};
use serde_json::{Value, json};

const SERVERS: u64 = 4;
/// Studies of an ordinary run.
const CASES: u64 = 5;

/// A study of three or four fields, one to three queries, 120 to 500 rows.
fn random_study(seed: u64) -> (Value, String) {
    let number = |salt: u64, below: u64| mix(seed * 1000 + salt) % below;
    let distinct = [1, 2, 3].map(|field| [2, 5, 30, 200][number(field, 4) as usize]);
    let count = 120 + number(4, 380);
    let skewed = number(5, 2) == 0;
    let value = |row: u64, field: usize| {
        let drawn = mix(seed ^ mix(row * 4 + field as u64)) % distinct[field - 1];
        if skewed && mix(row * 7 + field as u64).is_multiple_of(3) { 0 } else { drawn }
    };
    let row = |row: u64| {
        format!("{},a{},b{},{}\n", at(row * (1 + number(6, 30))), value(row, 1), value(row, 2), value(row, 3))
    };
    let csv: String = std::iter::once("at,a,b,n\n".to_owned()).chain((0..count).map(row)).collect();
    let queries: Vec<Value> = (0..1 + number(7, 3))
        .map(|query| {
            let mut asked = json!({});
            for (field, value) in [("a", json!("a0")), ("b", json!("b0")), ("n", json!(0))] {
                if number(10 + query * 5 + value.to_string().len() as u64 + field.len() as u64, 2) == 0
                    && number(60 + query * 3 + u64::from(field.as_bytes()[0]), 2) == 0
                {
                    asked[field] = value;
                }
            }
            if number(30 + query, 2) == 0 || asked == json!({}) {
                asked["at"] = json!([at(0), at(60 * (1 + number(40 + query, 20)))]);
            }
            json!({ "name": format!("q{query}"), "where": asked, "rate": 1 + number(50 + query, 5) })
        })
        .collect();
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "a", "type": "text" },
            { "name": "b", "type": "text" },
            { "name": "n", "type": "integer" }
        ],
        "arrival": "at",
        "servers": SERVERS,
        "queries": queries,
    });
    (document, csv)
}

/// All keys of the grammar.
fn grammar(document: &Value, number: &str) -> Vec<String> {
    let asked = |name: &str| {
        document["queries"]
            .as_array()
            .expect("queries")
            .iter()
            .any(|query| query["where"].get(name).is_some())
    };
    let names = ["at", "a", "b", "n"];
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for length in 1..=4 {
        let longer: Vec<Vec<usize>> = orders
            .iter()
            .filter(|order| order.len() == length - 1)
            .flat_map(|order| {
                (0..4)
                    .filter(|field| !order.contains(field))
                    .map(|field| [order.as_slice(), &[field]].concat())
            })
            .collect();
        orders.extend(longer);
    }
    let mut keys = Vec::new();
    for order in orders.iter().filter(|order| !order.is_empty()) {
        let text = |(at, &field): (usize, &usize)| match (names[field], at + 1 == order.len()) {
            ("at", _) => "at.seconds().uint32()".to_owned(),
            ("n", _) => number.to_owned(),
            (name, true) => name.to_owned(),
            (name, false) => format!("{name}.terminated()"),
        };
        let body = order.iter().enumerate().map(text).collect::<Vec<_>>().join(" + ");
        keys.push(body.clone());
        let argument =
            |field: usize| if field == 0 { "at.millis()".to_owned() } else { names[field].to_owned() };
        for count in [SERVERS, 2 * SERVERS] {
            for &field in
                order.iter().filter(|&&field| field != 0 && (asked(names[field]) || order[0] == field))
            {
                keys.push(format!("bucket({}, {count}).uint8() + {body}", argument(field)));
            }
            let mut all = order.clone();
            all.sort_unstable_by_key(|&field| (field == 0, field));
            let all: Vec<String> = all.into_iter().map(argument).collect();
            keys.push(format!("bucket({}, {count}).uint8() + {body}", all.join(", ")));
        }
        match order[0] {
            0 => {}
            3 => keys.push(format!("n.decimal().md5().raw(2) + {body}")),
            field => keys.push(format!("{}.md5().raw(2) + {body}", names[field])),
        }
    }
    keys
}

/// Writes no cooler than an even spread, reads, bytes.
fn objectives(scores: &DesignScores) -> [f64; 3] {
    let even = 1.15 * scores.tables as f64 / SERVERS as f64;
    [scores.hottest_server.max(even), scores.reads, scores.bytes_per_row]
}

/// How the suggestions for a study stand beside every key of the grammar.
#[derive(Default)]
pub struct Beside {
    /// Keys measured.
    pub keys: usize,
    /// Suggestions.
    pub suggestions: usize,
    /// Suggestions that a key beats by more than 2% in a score and in none is worse, with it and by how much.
    pub beaten: Vec<(String, f64)>,
    /// Keys that the front misses by more than 10%, and by how much.
    pub missed: Vec<(String, f64)>,
    /// The worst factor by which a key beats a suggestion that it dominates.
    pub worst_beaten: f64,
    /// The worst factor by which a key beats the nearest design of the front.
    pub worst_missed: f64,
}

/// The factor by which `other` beats `own` where it beats it most.
fn factor(own: &[f64; 3], other: &[f64; 3]) -> f64 {
    own.iter().zip(other).map(|(own, other)| own / other).fold(1.0, f64::max)
}

/// How many times as much as the cheapest a key may cost to read.
const DEAR: f64 = 20.0;

/// The keys that docs/suggest.md lets be suggested: none that lacks what tells the records of the table apart, reads the whole table for
/// every query, costs far more than the cheapest, or sorts the rows of more queries than another, unless all do.
fn advisable<'a>(
    mut keys: Vec<(&'a String, &'a KeyScores)>,
    queries: usize,
) -> Vec<(&'a String, &'a KeyScores)> {
    if keys.iter().any(|(_, of)| of.lacking == 0) {
        keys.retain(|(_, of)| of.lacking == 0);
    }
    let cheapest = keys.iter().map(|(_, of)| of.scores.reads).fold(f64::INFINITY, f64::min);
    if keys.iter().any(|(_, of)| of.full < queries) {
        keys.retain(|(_, of)| of.full < queries && of.scores.reads <= DEAR * cheapest);
    }
    let sorted = keys.iter().map(|(_, of)| of.sorted).min();
    keys.retain(|(_, of)| Some(of.sorted) == sorted);
    keys
}

/// Measures every key of the grammar beside the suggestions.
pub fn beside(seed: u64) -> Beside {
    let options = SuggestOptions { tables: 1, ..SuggestOptions::default() };
    let (document, csv) = random_study(seed);
    let (asked, records) = study(document.clone(), &csv);
    let found = suggested(&asked, &records, &options);
    let own: Vec<&str> = found.suggestions.iter().flat_map(|of| of.rowkeys[0].split(" + ")).collect();
    let number = own.iter().copied().find(|part| part.starts_with("n.uint")).unwrap_or("n.uint16()");
    let mut keys = grammar(&document, number);
    // A field that no suggestion lacks tells records apart or is tested: a key without it loses rows or the answer to a query. A number that
    // none has is a measured value.
    let holds = |key: &str, name: &str| {
        let of = |part: &str| part.starts_with(name) && !part.contains("md5");
        key.split(" + ")
            .any(|part| of(part) && part[name.len()..].chars().next().is_none_or(|next| next == '.'))
    };
    let names = ["at", "a", "b", "n"];
    let in_all = names.map(|name| found.suggestions.iter().all(|of| holds(&of.rowkeys[0], name)));
    let in_none = !found.suggestions.iter().any(|of| holds(&of.rowkeys[0], "n"));
    keys.retain(|key| {
        names.iter().zip(in_all).all(|(name, all)| !all || holds(key, name)) && !(in_none && holds(key, "n"))
    });
    let scores = score_keys(&asked, &records, &options, &keys).expect("scores");
    let least = found.suggestions.iter().map(|of| of.scores.repeated_rows).max().unwrap_or(0);
    let all = keys.iter().zip(&scores).filter_map(|(key, scores)| Some((key, scores.as_ref()?)));
    let all: Vec<(&String, &KeyScores)> = all.filter(|(_, of)| of.scores.repeated_rows <= least).collect();
    let all: Vec<(&String, [f64; 3])> = advisable(all, document["queries"].as_array().map_or(0, Vec::len))
        .into_iter()
        .map(|(key, of)| (key, objectives(&of.scores)))
        .collect();
    let mut beside = Beside { keys: keys.len(), suggestions: found.suggestions.len(), ..Beside::default() };
    for of in &found.suggestions {
        let own = objectives(&of.scores);
        let no_worse =
            |other: &[f64; 3]| own.iter().zip(other).all(|(own, other)| *other <= own * (1.0 + 1e-9));
        let beats = all.iter().filter(|(_, other)| no_worse(other));
        let worst = beats.max_by(|a, b| factor(&own, &a.1).total_cmp(&factor(&own, &b.1)));
        let Some((key, other)) = worst else { continue };
        let by = factor(&own, other);
        beside.worst_beaten = beside.worst_beaten.max(by);
        if by > 1.02 {
            beside.beaten.push((format!("{:?} {own:?} by {key} {other:?}", of.rowkeys), by));
        }
    }
    let front: Vec<[f64; 3]> = found.front.iter().map(|of| objectives(&of.scores)).collect();
    for (key, other) in &all {
        let by = front.iter().map(|own| factor(own, other)).fold(f64::INFINITY, f64::min);
        beside.worst_missed = beside.worst_missed.max(by);
        if by > 1.10 {
            beside.missed.push((format!("{key} {other:?}"), by));
        }
    }
    beside
}

/// Studies of an ordinary run; more with `ROWSCAPE_CASES`.
fn studies() -> u64 {
    std::env::var("ROWSCAPE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES)
}

#[test]
fn no_key_of_the_grammar_beats_a_suggestion_in_everything_and_the_front_misses_none() {
    let (mut keys, mut suggestions, mut wrong) = (0, 0, Vec::new());
    let (mut worst_beaten, mut worst_missed) = (1.0f64, 1.0f64);
    for seed in 1..=studies() {
        let of = beside(seed);
        (keys, suggestions) = (keys + of.keys, suggestions + of.suggestions);
        worst_beaten = worst_beaten.max(of.worst_beaten);
        worst_missed = worst_missed.max(of.worst_missed);
        let beaten = of.beaten.into_iter().map(|(text, by)| format!("beaten by {by:.3}: {text}"));
        let missed = of.missed.into_iter().map(|(text, by)| format!("missed by {by:.3}: {text}"));
        for told in beaten.chain(missed).map(|text| format!("study {seed}: {text}")) {
            println!("{told}");
            wrong.push(told);
        }
    }
    println!("{} studies, {keys} keys, {suggestions} suggestions", studies());
    println!("beaten by at most {worst_beaten:.4}, missed by at most {worst_missed:.4}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A study in which keys differ by a number alone: one query of a time range, buckets in front.
#[test]
fn where_only_a_number_varies_the_suggestions_cover_the_front_within_a_third() {
    for seed in 1..=6u64 {
        let hosts = [40, 300, 1000][seed as usize % 3];
        let minutes = [2, 10, 45][seed as usize / 2 % 3];
        let queries = json!([{ "name": "a range", "where": { "at": [at(600), at(600 + 60 * minutes)] } }]);
        let servers = [3, 4, 6][seed as usize % 3];
        let document = super::logs(queries, json!({ "servers": servers }));
        let csv = super::lines(4000, |row| format!("h{}", mix(row ^ seed << 20) % hosts));
        let (asked, records) = study(document, &csv);
        let found = suggested(&asked, &records, &SuggestOptions { tables: 1, ..SuggestOptions::default() });
        let keys: Vec<&String> = found.suggestions.iter().map(|of| &of.rowkeys[0]).collect();
        assert!(found.cover <= 1.35, "study {seed}: {} {keys:?}", found.cover);
        // The front, too, as it is measured again: each of its designs has a suggestion near it in all scores.
        for own in &found.front {
            let near = |of: &rowscape::suggest::Suggestion| {
                let scores =
                    [&of.scores, &own.scores].map(|of| [of.hottest_server, of.reads, of.bytes_per_row]);
                factor(&scores[0], &scores[1])
            };
            let nearest = found.suggestions.iter().map(near).fold(f64::INFINITY, f64::min);
            assert!(nearest <= 1.35 * 1.15, "study {seed}: {:?} {nearest} {keys:?}", own.rowkeys);
        }
    }
}
