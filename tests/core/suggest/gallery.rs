//! Every table of the gallery beside the suggestions for its records and queries: one of these is as good as the published key in
//! all scores, or it is listed here by how much not, and why.

use crate::gallery::opened::{file, index};
use rowscape::design::{Document, normal_form, parse, parse_request};
use rowscape::ingest::Generator;
use rowscape::suggest::{DesignScores, SuggestOptions, suggest};
use std::rc::Rc;

/// Records of an entry, of more that it generates.
const ROWS: u64 = 4000;
/// Scores that differ by less of themselves are ties.
const TIE: f64 = 1.02;

/// How far above an even share the hottest server may be before it counts.
const NEARLY_EVEN: f64 = 1.15;
/// Servers where an entry names none.
const SERVERS: f64 = 4.0;

/// Tables whose published key beats the nearest suggestion by more than a tie in a score, and by which factor at most.
const BETTER: [(&str, f64); 11] = [
    // A region for each country: a query of one country asks one region, and the hottest region takes 59% of the writes.
    ("a5-few-values-first, country_first", 1.3),
    // A region for each engine type, for the same reason.
    ("b4-binary-telemetry, terminated", 1.05),
    ("b4-binary-telemetry, fixed_width", 1.05),
    // Three buckets on four servers: one scan less, and a third of the writes on one server.
    ("e4-hash-bucket-text, orders", 1.25),
    // Nothing makes a user and a millisecond, an ID of six digits, or a pair of texts unique for the life of the table: keys have what
    // else tells records apart.
    ("j4-tall-wide-or-middle, tall", 1.12),
    ("g5-own-boundaries, buckets", 1.18),
    ("g5-own-boundaries, salts", 1.26),
    ("g5-own-boundaries, shares", 1.30),
    ("g4-short-range, t", 1.2),
    ("h1-hash-prefix-of-two-bytes, t", 1.2),
    // Numbers have room for a thousand times as many: one byte of 30.
    ("g1-algorithm-by-alphabet, decimal_text", 1.04),
];

/// A table of an entry beside the suggestions for it.
struct Beside {
    /// The entry and the table.
    name: String,
    /// The scores of the published key.
    given: DesignScores,
    /// The factor by which it beats the nearest suggestion; none where it loses rows that suggestions keep.
    factor: Option<f64>,
    /// The nearest suggestion.
    nearest: String,
}

/// The document with one of its tables alone.
fn alone(study: &Document, table: usize) -> String {
    let mut alone = study.clone();
    alone.tables = vec![study.tables[table].clone()];
    for query in &mut alone.queries {
        query.table = None;
    }
    normal_form(&alone).to_string()
}

fn beside(slug: &str, study: &Document, table: usize, as_many_regions: bool) -> Beside {
    let spec = study.generate.clone().expect("generate");
    let mut spec: rowscape::ingest::generate::GeneratorSpec = serde_json::from_value(spec).expect("spec");
    spec.rows = spec.rows.min(ROWS);
    let records = Rc::new(Generator::all(&spec, &study.fields).expect(slug));
    let name = format!("{slug}, {}", study.tables[table].name);
    let asked = parse_request(&alone(study, table)).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
    let search = |regions| {
        let options = SuggestOptions { regions, ..SuggestOptions::default() };
        suggest(&asked, &records, &options, &mut |_, _| true).expect(slug)
    };
    let mut found = search(None);
    let given = found.baseline.clone().expect("baseline").scores;
    if as_many_regions {
        found = search(u32::try_from(given.regions[0]).ok());
    }
    // Where the rate of writes is far below what one region takes, they are no score.
    let calm = found.suggestions.iter().all(|of| of.labels.contains(&"one-region"));
    let scores = |of: &DesignScores| {
        let even = NEARLY_EVEN * of.tables as f64 / SERVERS;
        [if calm { 1.0 } else { of.hottest_server.max(even) }, of.reads, of.bytes_per_row]
    };
    let factor = |of: &DesignScores| {
        let pairs = scores(of).into_iter().zip(scores(&given));
        pairs.map(|(own, given)| own / given.max(1e-9)).fold(1.0, f64::max)
    };
    let nearest = found.suggestions.iter().min_by(|a, b| factor(&a.scores).total_cmp(&factor(&b.scores)));
    let nearest = nearest.unwrap_or_else(|| panic!("{name}: {:?}", found.notes));
    let loses = found.suggestions.iter().all(|of| of.scores.repeated_rows < given.repeated_rows);
    Beside {
        name,
        factor: (!loses).then(|| factor(&nearest.scores)),
        nearest: format!("{:?} {:?} of {:?}", nearest.rowkeys, scores(&nearest.scores), scores(&given)),
        given,
    }
}

#[test]
fn published_keys_are_found_or_beaten() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for entry in index() {
        let slug = entry["slug"].as_str().expect("slug");
        let study = parse(&file(&format!("{slug}.json"))).unwrap_or_else(|wrong| panic!("{slug}: {wrong:?}"));
        if study.queries.is_empty() {
            continue;
        }
        // A key is suggested for one kind of records.
        for table in (0..study.tables.len()).filter(|&table| study.tables[table].kinds.is_empty()) {
            let mut of = beside(slug, &study, table, false);
            // More regions cost reads: a table that is not split is held against suggestions that are not.
            if of.factor.is_some_and(|factor| factor > TIE) {
                let as_many = beside(slug, &study, table, true);
                if as_many.factor < of.factor {
                    of = Beside { name: of.name, ..as_many };
                    println!("with {} regions", of.given.regions[0]);
                }
            }
            let Some(factor) = of.factor else {
                println!("{}: loses {} rows", of.name, of.given.repeated_rows);
                continue;
            };
            compared += 1;
            println!("{}: {factor:.3} {}", of.name, of.nearest);
            let most = BETTER.iter().find(|(name, _)| *name == of.name).map_or(TIE, |(_, most)| *most);
            if factor > most {
                wrong.push(format!("{}: {factor:.3} {}", of.name, of.nearest));
            }
        }
    }
    println!("{compared} tables compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
