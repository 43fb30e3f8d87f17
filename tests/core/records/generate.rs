//! The generator makes the same records everywhere, shaped as described.

use rowscape::ingest::Generator;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::records::{ColumnValues, Records};
use std::collections::HashMap;

fn spec(json: serde_json::Value) -> GeneratorSpec {
    serde_json::from_value(json).unwrap()
}

fn calls() -> GeneratorSpec {
    spec(serde_json::json!({
        "rows": 20000, "seed": 7, "start": "2021-09-01T00:00:00Z", "span": "2d",
        "late": { "percent": 5, "by": "1h" },
        "fields": [
            { "name": "phone", "from": { "entity": { "count": 500, "prefix": "13", "digits": 9, "zipf": 90 } } },
            { "name": "time", "from": "arrival", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "id", "from": { "sequence": { "start": 1000, "step": 3 } } },
            { "name": "padded", "from": { "sequence": { "start": 1, "digits": 5, "prefix": "m" } } },
            { "name": "seconds", "from": { "number": { "min": 1, "max": 6 } } },
            { "name": "kind", "from": { "choice": ["voice", "text"] } },
            { "name": "cell", "from": { "text": "460-##-?*" } }
        ]
    }))
}

fn integers<'a>(records: &'a Records, name: &str) -> &'a [i64] {
    match &records.column(name).unwrap().values {
        ColumnValues::Integers(values) => values,
        ColumnValues::Strings { .. } => panic!("{name} holds texts"),
    }
}

fn texts(records: &Records, name: &str) -> Vec<String> {
    match &records.column(name).unwrap().values {
        ColumnValues::Strings { ids, dictionary } => {
            ids.iter().map(|&id| String::from_utf8(dictionary.get(id).to_vec()).unwrap()).collect()
        }
        ColumnValues::Integers(_) => panic!("{name} holds integers"),
    }
}

fn checksum(records: &Records) -> u64 {
    let bytes = (0..records.rows)
        .flat_map(|row| records.row_text(row))
        .flat_map(|text| [text.into_bytes(), vec![0]].concat());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn the_same_description_gives_the_same_records_in_any_steps() {
    let whole = Generator::all(&calls(), &[]).unwrap();
    let mut generator = Generator::new(&calls(), &[]).unwrap();
    let mut records = generator.records();
    for step in [1, 7, 1000, 0, 50_000] {
        generator.fill(&mut records, step);
    }
    assert_eq!((records.rows, generator.left()), (20_000, 0));
    assert_eq!(checksum(&records), checksum(&whole));
    // The same number on every machine, native or wasm.
    assert_eq!(checksum(&whole), 0x7725_d5a5_10a0_bd02);
    let other = GeneratorSpec { seed: 8, ..calls() };
    assert_ne!(checksum(&Generator::all(&other, &[]).unwrap()), checksum(&whole));
}

#[test]
fn every_field_is_shaped_as_described() {
    let records = Generator::all(&calls(), &[]).unwrap();
    let phones = texts(&records, "phone");
    assert!(phones.iter().all(|phone| phone.len() == 11 && phone.starts_with("13")));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    phones.iter().for_each(|phone| *counts.entry(phone).or_default() += 1);
    let mut counts: Vec<usize> = counts.into_values().collect();
    counts.sort_unstable();
    // Rank 1 has 1 / sum(k^-0.9, k = 1..500) = 10.9% of all.
    let top = counts[counts.len() - 1];
    assert!((2050..2300).contains(&top), "{top}");
    assert!(counts.len() > 480, "{}", counts.len());
    assert_eq!(integers(&records, "id")[..3], [1000, 1003, 1006]);
    assert_eq!(texts(&records, "padded")[..2], ["m00001", "m00002"]);
    assert!(integers(&records, "seconds").iter().all(|second| (1..=6).contains(second)));
    assert_eq!(records.columns.iter().map(|column| column.invalid.count()).sum::<u64>(), 0);
}

#[test]
fn arrivals_rise_but_for_the_late_ones_and_follow_the_rhythm() {
    let records = Generator::all(&calls(), &[]).unwrap();
    let times = integers(&records, "time");
    let start = 1_630_454_400_000;
    assert!(times.iter().all(|time| (start - 3_600_000..start + 2 * 86_400_000).contains(time)));
    let steps_back = times.windows(2).filter(|pair| pair[1] < pair[0]).count();
    assert!((800..1100).contains(&steps_back), "{steps_back}");
    let at_hour = |hour: i64| times.iter().filter(|&&time| time / 3_600_000 % 24 == hour).count();
    assert!(at_hour(19) > 8 * at_hour(3), "{} {}", at_hour(19), at_hour(3));
}

#[test]
fn impossible_descriptions_are_refused() {
    use serde_json::json;
    for (member, value, code) in [
        ("start", json!("yesterday"), "generate.bad-start"),
        ("span", json!("1 parsec"), "generate.bad-span"),
        ("span", json!("999999999d"), "generate.bad-span"),
        ("rhythm", json!({ "weights": [1, 2] }), "generate.bad-rhythm"),
        ("rhythm", json!({ "weights": vec![u32::MAX; 24] }), "generate.bad-rhythm"),
        ("fields", json!([{ "name": "a", "from": { "entity": { "zipf": 9999 } } }]), "generate.zipf"),
        ("rows", json!(u64::MAX), "generate.too-many-rows"),
        (
            "fields",
            json!([{ "name": "a", "from": { "entity": { "count": 11, "digits": 1 } } }]),
            "generate.entity-count",
        ),
        (
            "fields",
            json!([{ "name": "a", "from": { "entity": { "digits": 99 } } }]),
            "generate.too-many-digits",
        ),
        ("fields", json!([{ "name": "a", "from": { "choice": [] } }]), "generate.no-choice"),
        (
            "fields",
            json!([{ "name": "a", "from": { "number": { "min": 2, "max": 1 } } }]),
            "generate.empty-range",
        ),
    ] {
        let spec = spec(json!({ member: value }));
        assert_eq!(Generator::new(&spec, &[]).err().map(|problem| problem.code), Some(code), "{member}");
    }
}

#[test]
fn times_at_the_ends_of_what_numbers_hold_stay_there() {
    let records = Generator::all(
        &spec(serde_json::json!({
            "rows": 500, "start": "0001-01-01T00:00:00Z", "late": { "percent": 100, "by": "9223372036854775807ms" },
            "fields": [
                { "name": "late", "from": "arrival", "type": "time", "format": "epoch-seconds" },
                { "name": "first", "from": { "number": { "min": i64::MIN, "max": i64::MIN } }, "type": "time", "format": "iso8601" }
            ]
        })),
        &[],
    )
    .unwrap();
    assert!(integers(&records, "late").iter().all(|&time| time < 0));
    assert!(integers(&records, "first").iter().all(|&time| time == i64::MIN));
    assert!((0..records.rows).all(|row| records.row_text(row).len() == 2));
}

#[test]
fn the_first_entities_can_be_known_by_name() {
    let names = |records: &Records| texts(records, "phone");
    let described = |known: &[&str]| {
        spec(serde_json::json!({ "rows": 20000, "fields": [
            { "name": "phone", "from": { "entity": { "count": 500, "prefix": "13", "digits": 9, "zipf": 90, "known": known } } }
        ] }))
    };
    let plain = names(&Generator::all(&described(&[]), &[]).unwrap());
    let known = names(&Generator::all(&described(&["13412341234", "13412345678"]), &[]).unwrap());
    // They stand for the two most frequent ones; the others stay who they were.
    let mut frequent: HashMap<&str, usize> = HashMap::new();
    for name in &plain {
        *frequent.entry(name).or_default() += 1;
    }
    let mut ranked: Vec<(usize, &str)> = frequent.into_iter().map(|(name, rows)| (rows, name)).collect();
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    let (first, second) = (ranked[0].1, ranked[1].1);
    assert!(plain.iter().zip(&known).all(|(was, is)| match was.as_str() {
        was if was == first => is == "13412341234",
        was if was == second => is == "13412345678",
        was => is == was,
    }));
}

#[test]
fn records_made_of_another_type_than_the_design_declares_are_not_taken_for_its_own() {
    let document = r#"{ "rowscape": 1, "fields": [{ "name": "id", "type": "text" }],
        "rowkey": "id.reverse()", "splits": { "algorithm": "DecimalStringSplit", "regions": 10 } }"#;
    let made = spec(
        serde_json::json!({ "rows": 100, "fields": [{ "name": "id", "from": { "sequence": { "start": 1000 } } }] }),
    );
    let analyse = |fields: &[rowscape::field::Field]| {
        let study = rowscape::design::parse(document).unwrap();
        let records = std::rc::Rc::new(Generator::all(&made, fields).unwrap());
        rowscape::analysis::Analysis::of(&study, 0, records)
    };
    let problem = analyse(&[]).err().unwrap();
    assert_eq!((problem.code, problem.place.field.as_deref()), ("records.field-of-another-type", Some("id")));
    let fields = rowscape::design::parse(document).unwrap().fields;
    assert!(analyse(&fields).is_ok());
}

#[test]
fn shares_shapes_and_curves_are_kept() {
    use serde_json::json;
    let spec = spec(json!({
        "rows": 20_000, "start": "2024-05-01T00:00:00Z", "span": "4h", "tick": 1000, "rhythm": { "curve": [1, 0, 3, 0] },
        "fields": [
            { "name": "time", "from": "arrival", "type": "time", "format": "epoch-millis" },
            { "name": "shop", "missing": 1000, "from": { "shares": {
                "values": [["hot", 6], ["warm", 2]],
                "rest": [[{ "entity": { "count": 50, "prefix": "s-", "shape": "Aa9x-n" } }, 2]], "repeat": 5000
            } } },
            { "name": "price", "from": { "number": { "min": 10, "max": 99, "step": 30 } } },
            { "name": "step", "from": { "sequence": { "start": 5, "every": 4 } } },
            { "name": "word", "from": { "entity": { "count": 200, "shape": "\u{4e00}?" } } }
        ]
    }));
    let records = Generator::all(&spec, &[]).unwrap();
    let times = integers(&records, "time");
    let start = 1_714_521_600_000;
    let hour = |hour: i64| times.iter().filter(|&&time| (time - start) / 3_600_000 == hour).count();
    assert_eq!((hour(1), hour(3)), (0, 0));
    assert!((4950..5050).contains(&hour(0)), "{}", hour(0));
    assert!(times.iter().all(|time| time % 1000 == 0));
    let shops = texts(&records, "shop");
    let share = |text: &str| shops.iter().filter(|shop| *shop == text).count();
    // 60% of the nine tenths that have a value.
    assert!((10_000..11_500).contains(&share("hot")), "{}", share("hot"));
    let missing = records.column("shop").unwrap().invalid.count();
    assert!((1850..2150).contains(&missing), "{missing}");
    let repeated = shops.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert!(repeated > 11_000, "{repeated}");
    let rest: std::collections::BTreeSet<&String> =
        shops.iter().filter(|shop| shop.starts_with("s-")).collect();
    assert!(rest.len() <= 50 && rest.len() > 40 && rest.iter().all(|shop| shop.len() == 8), "{rest:?}");
    assert!(integers(&records, "price").iter().all(|price| [10, 40, 70].contains(price)));
    assert_eq!(integers(&records, "step")[..9], [5, 5, 5, 5, 6, 6, 6, 6, 7]);
    assert!(
        texts(&records, "word")
            .iter()
            .all(|word| ('\u{4e00}'..'\u{4e40}').contains(&word.chars().next().unwrap()))
    );
}

#[test]
fn distinct_values_are_drawn_again() {
    use serde_json::json;
    let mut json = json!({
        "rows": 500, "distinct": ["a", "b"],
        "fields": [
            { "name": "a", "from": { "number": { "min": 0, "max": 99 } } },
            { "name": "b", "from": { "choice": ["x", "y", "z", "u", "v", "w", "k", "l", "m", "n"] } }
        ]
    });
    let pairs = |json: &serde_json::Value| {
        let records = Generator::all(&spec(json.clone()), &[]).unwrap();
        (0..records.rows).map(|row| records.row_text(row)).collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(pairs(&json), 500);
    json["distinct"] = json!([]);
    assert!(pairs(&json) < 450);
}

#[test]
fn what_a_link_may_ask_for_is_limited() {
    use serde_json::json;
    let shares = |shares: serde_json::Value| json!([{ "name": "a", "from": { "shares": shares } }]);
    let many: Vec<(String, u32)> = (0..1001).map(|number| (number.to_string(), 1)).collect();
    let huge = json!([{ "entity": { "count": 9_000_000, "digits": 9, "zipf": 1 } }, 1]);
    for (member, value, code) in [
        ("rhythm", json!({ "curve": [] }), "generate.bad-curve"),
        ("rhythm", json!({ "curve": [0, 0] }), "generate.bad-curve"),
        ("rhythm", json!({ "curve": vec![1; 1001] }), "generate.bad-curve"),
        ("fields", shares(json!({})), "generate.bad-shares"),
        ("fields", shares(json!({ "values": [["a", 0]] })), "generate.bad-shares"),
        ("fields", shares(json!({ "values": many })), "generate.bad-shares"),
        ("fields", shares(json!({ "rest": [huge, huge] })), "limit.exceeded"),
        (
            "fields",
            shares(json!({ "rest": [[{ "shares": { "values": [["a", 1]] } }, 1]] })),
            "generate.bad-shares",
        ),
        (
            "fields",
            json!([{ "name": "a", "from": { "entity": { "shape": "9".repeat(1001) } } }]),
            "generate.bad-shares",
        ),
        (
            "fields",
            json!([{ "name": "a", "from": { "number": { "max": 9, "step": 0 } } }]),
            "generate.empty-range",
        ),
        ("rows", json!(262_145), "generate.profile-rows"),
        ("fields", json!([{ "name": "a", "from": { "text": "#".repeat(5000) } }]), "generate.profile-bytes"),
    ] {
        let mut json = json!({ "rows": 10 });
        json[member] = value;
        if code.starts_with("generate.profile") {
            json["profile"] = json!(10);
        }
        let refused = Generator::new(&spec(json), &[]).map(|_| ()).unwrap_err();
        assert_eq!(refused.code, code, "{member}");
    }
}
