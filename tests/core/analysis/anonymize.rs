//! The profile of a link: records that land alike, and none of the author's.

use crate::common;
use proptest::prelude::*;
use rowscape::analysis::anonymize::LinkProfile;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::{Document, parse};
use rowscape::field::Kind;
use rowscape::ingest::Generator;
use rowscape::ingest::generate::{GeneratorSpec, MOST_PROFILE_BYTES as MOST_BYTES};
use rowscape::records::Records;
use rowscape::report::Report;
use std::collections::BTreeSet;
use std::rc::Rc;

fn analysis(study: &Document, table: usize, records: Rc<Records>) -> Analysis {
    Analysis::of(study, table, records).expect("records")
}

fn report(analysis: &mut Analysis) -> Report {
    analysis.report(&ReportOptions::default()).expect("report")
}

/// The author's report, the profile, and the receiver's report.
fn shared(document: &str, table: usize, records: Rc<Records>) -> (Report, LinkProfile, Report) {
    let study = parse(document).expect("document");
    let mut own = analysis(&study, table, records);
    let before = report(&mut own);
    let profile = own.profile(document, &study, table).expect("profile");
    let text = serde_json::to_string(&profile.generate).expect("text");
    assert!(text.len() <= MOST_BYTES && text.len() == profile.bytes, "{} bytes", text.len());
    // The profile reads back as it was written.
    let spec: GeneratorSpec = serde_json::from_str(&text).expect("description");
    let mut document: serde_json::Value = serde_json::from_str(document).expect("document");
    if let Some(regions) = profile.splits[table] {
        assert!(document.get("tables").is_none(), "a document of one table");
        document["splits"] = serde_json::json!({ "sample": regions });
    }
    let study = parse(&document.to_string()).expect("document");
    let records = Rc::new(Generator::all(&spec, &study.fields).expect("records"));
    let after = report(&mut analysis(&study, table, records));
    (before, profile, after)
}

fn busiest(report: &Report) -> f64 {
    let most = report.regions.iter().map(|region| region.rows).max().unwrap_or(0);
    f64::from(most) / report.regions.iter().map(|region| f64::from(region.rows)).sum::<f64>().max(1.0)
}

/// Every text of at least four characters in any field of the records that the document does not name.
fn secrets(records: &Records, document: &str) -> Vec<String> {
    let mut secrets = BTreeSet::new();
    for column in &records.columns {
        if !matches!(column.field.kind, Kind::Text | Kind::Bytes) {
            continue;
        }
        let texts = (0..records.rows).map(|row| column.text(row)).collect::<BTreeSet<String>>();
        secrets.extend(texts.into_iter().filter(|text| text.len() >= 4 && !document.contains(text.as_str())));
    }
    secrets.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_value_of_the_records_no_row_key_and_no_split_point_of_theirs_is_in_a_profile(
        values in prop::collection::vec("[a-z]{2,3}[0-9]{2,6}|[A-Z]{4,8}|https://[a-z]{3,5}\\.org/[a-z]{2,6}|[\u{4e00}-\u{4e80}]{2,4}", 5..60),
        rows in 50u64..600,
        points in 2u32..9,
        hot in 1u64..4,
    ) {
        let csv: String = (0..rows).map(|row| {
            let place = (mixed(row) % (values.len() as u64 * hot)) as usize;
            format!("{},{},{}\n", values.get(place).unwrap_or(&values[0]), mixed(row) % 9_000_000 + 1_000_000, START + row * 61_000)
        }).collect();
        let csv = format!("shop,number,time\n{csv}");
        let document = orders("shop + '|' + number.decimal(8) + time.millis().decimal(13)", serde_json::json!({ "sample": points }));
        let records = read(&document, &csv);
        // Split points that the page wrote out of the records, and one that is a whole row key.
        let study = parse(&document.to_string()).expect("document");
        let mut own = analysis(&study, 0, records.clone());
        let starts: Vec<String> = report(&mut own).regions.iter().skip(1).map(|region| region.start.clone()).collect();
        let key = own.keys(rows as usize / 2, 1);
        let key = rowscape::row::to_string_binary(key.keys.get(0));
        for points in [starts, vec![key.clone()]] {
            let document = orders("shop + '|' + number.decimal(8) + time.millis().decimal(13)", serde_json::json!({ "points": points }));
            let study = parse(&document.to_string()).expect("document");
            let profile = analysis(&study, 0, records.clone()).profile(&document.to_string(), &study, 0).expect("profile");
            let text = serde_json::to_string(&profile).expect("text");
            // The link of the design carries everything but the split points.
            prop_assert!(points.is_empty() || profile.splits[0].is_some(), "{points:?}");
            let told = serde_json::to_string(&profile.generate).expect("text");
            for secret in secrets(&records, &orders("", serde_json::json!({})).to_string()) {
                prop_assert!(!told.contains(&secret), "{secret} in {text}");
            }
            prop_assert!(!told.contains(&key));
        }
    }
}

#[test]
fn a_profile_of_many_fields_and_values_fits() {
    let fields: Vec<serde_json::Value> = (0..60)
        .map(|field| serde_json::json!({ "name": format!("field_number_{field}"), "type": "text" }))
        .collect();
    let names: Vec<String> = (0..60).map(|field| format!("field_number_{field}")).collect();
    let queries: Vec<serde_json::Value> = (0..60)
        .map(|field| serde_json::json!({ "name": format!("query {field}"), "where": { names[field].as_str(): "none" } }))
        .collect();
    let document = serde_json::json!({
        "rowscape": 1, "fields": fields, "rowkey": "field_number_0 + '_' + field_number_1 + '_' + field_number_2",
        "splits": { "sample": 8 }, "queries": queries,
    });
    let mut csv = names.join(",") + "\n";
    for row in 0..2000u64 {
        let cells: Vec<String> =
            (0..60).map(|field| format!("{:012x}", mixed(row * 60 + field) % 40 * 7_919_777_777)).collect();
        csv += &(cells.join(",") + "\n");
    }
    let study = parse(&document.to_string()).expect("document");
    let profile = analysis(&study, 0, read(&document, &csv)).profile(&document.to_string(), &study, 0);
    let profile = profile.expect("profile");
    assert!(profile.bytes <= MOST_BYTES, "{}", profile.bytes);
    assert!(profile.agrees);
}

#[test]
fn the_verdicts_of_the_gallery_are_those_of_their_profiles() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gallery");
    let mut names: Vec<_> =
        std::fs::read_dir(folder).expect("gallery").map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let (mut all, mut same) = (0, 0);
    for path in names {
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(study) = parse(&text) else { continue };
        let Some(generate) = study.generate.clone() else { continue };
        let spec: GeneratorSpec = serde_json::from_value(generate).expect("spec");
        let records = Rc::new(Generator::all(&spec, &study.fields).expect("records"));
        for table in 0..study.tables.len() {
            if table > 0 {
                break;
            }
            let (before, _, after) = shared(&text, table, records.clone());
            let of = |report: &Report| (report.verdict.code, report.verdict.severity);
            all += 1;
            same += usize::from(of(&before) == of(&after));
            // Half of the rows are in one region, but for chance: the verdict is one or the other.
            let slug = path.file_stem().expect("name").to_string_lossy().into_owned();
            if slug != "e5-signed-remainder" {
                assert_eq!(of(&before), of(&after), "{slug}: {}", after.verdict.message);
            }
            let (own, theirs) = (busiest(&before), busiest(&after));
            assert!((own - theirs).abs() < 0.12, "{slug}: {own} {theirs}");
        }
    }
    assert!(all > 70 && same + 1 >= all, "{same} of {all}");
}

/// A design over records that are made up here, as lines of CSV.
fn of_csv(document: &serde_json::Value, csv: &str) -> (Report, LinkProfile, Report) {
    shared(&document.to_string(), 0, read(document, csv))
}

fn read(document: &serde_json::Value, csv: &str) -> Rc<Records> {
    let study = parse(&document.to_string()).expect("document");
    Rc::new(common::csv_records(&study.fields, csv))
}

fn mixed(row: u64) -> u64 {
    let z = row.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 31).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 29
}

fn orders(rowkey: &str, splits: serde_json::Value) -> serde_json::Value {
    serde_json::json!({
        "rowscape": 1,
        "fields": [
            { "name": "shop", "type": "text" },
            { "name": "number", "type": "integer" },
            { "name": "time", "type": "time", "format": "epoch-millis" }
        ],
        "arrival": "time",
        "rowkey": rowkey,
        "splits": splits,
    })
}

const START: u64 = 1_714_521_600_000;

#[test]
fn the_verdict_is_the_same_for_hot_values_rising_times_bursts_and_rejected_rows() {
    let hot = |row: u64| match mixed(row) % 10 {
        0..=5 => "shop-hot1".to_owned(),
        _ => format!("shop-{:04}", mixed(row) / 10 % 500),
    };
    let even = |row: u64| format!("shop-{:04}", mixed(row) % 5000);
    let bursts = |row: u64| format!("{:08x}", mixed(row / 200 % 40) as u32);
    let text = |shop: &dyn Fn(u64) -> String, rows: u64| {
        let lines = (0..rows).map(|row| format!("{},{},{}\n", shop(row), row * 7 + 1000, START + row * 900));
        format!("shop,number,time\n{}", lines.collect::<String>())
    };
    let points = serde_json::json!({ "points": ["shop-1", "shop-2", "shop-3", "shop-4"] });
    let hex = serde_json::json!({ "algorithm": "HexStringSplit", "regions": 8 });
    let share = serde_json::json!({ "sample": 8 });
    let dates = serde_json::json!({ "points": ["20240501 06", "20240501 12", "20240501 18"] });
    let salts = serde_json::json!({ "salts": 8, "digits": 2 });
    for (what, rowkey, splits, shop, rows) in [
        (
            "hot",
            "shop + '|' + time.format('yyyyMMddHHmmss')",
            points.clone(),
            &hot as &dyn Fn(u64) -> String,
            20_000,
        ),
        (
            "hot hashed",
            "bucket(shop, 8).decimal(2) + shop + time.millis().decimal(13)",
            salts.clone(),
            &hot,
            20_000,
        ),
        ("rising", "time.format('yyyyMMdd HHmmss') + shop", dates, &even, 90_000),
        ("rising in equal shares", "number.decimal(9)", share.clone(), &even, 20_000),
        ("spread", "bucket(shop, number, 8).decimal(2) + shop + number.decimal(9)", salts, &even, 20_000),
        ("bursts", "shop + time.millis().decimal(13)", hex.clone(), &bursts, 20_000),
        ("bursts in equal shares", "shop + time.millis().decimal(13)", share, &bursts, 20_000),
        ("few", "shop + time.millis().decimal(13)", hex, &bursts, 15),
        ("repeated", "shop", serde_json::json!({ "sample": 4 }), &even, 20_000),
    ] {
        let (before, profile, after) = of_csv(&orders(rowkey, splits), &text(shop, rows));
        let (own, theirs) = (&before.verdict, &after.verdict);
        println!(
            "{what:24} {} {} {:.3} {:.3} {}",
            own.code,
            theirs.code,
            busiest(&before),
            busiest(&after),
            profile.bytes
        );
        assert_eq!(
            (own.code, own.severity),
            (theirs.code, theirs.severity),
            "{what}: {}\n{}\n{:?}",
            own.message,
            theirs.message,
            profile.generate
        );
        assert!(profile.agrees && profile.generate.profile == Some(rows), "{what}");
        assert!(
            (busiest(&before) - busiest(&after)).abs() < 0.12,
            "{what}: {} {}",
            busiest(&before),
            busiest(&after)
        );
    }
}
