//! The encoder and its sort against the plainest way to do the same, on random records and designs.

use crate::common;
use proptest::prelude::*;
use rowscape::counter::Counter;
use rowscape::encode::{EncodedKeys, Encoder};
use rowscape::field::{Field, Kind};
use rowscape::formula::{self, typed::TypedFormula};
use rowscape::key_table::KeyTable;
use rowscape::records::Records;
use rowscape::salt;
use rowscape::split::{SplitPoints, Splits};
use std::collections::BTreeMap;

/// Designs whose keys go through every way of the encoder: joined dictionary values, several dictionaries, computed
/// parts of fixed and of varying width, parts that are the beginning of each other, refusals.
const FORMULAS: &[&str] = &[
    "phone.md5().hex(8) + '_' + phone + '_' + at.format('yyyyMMddHHmmss')",
    "phone + at.millis()",
    "city + phone",
    "phone.substring(0, 1) + city + '-' + n.decimal(3)",
    "n.int16() + city.terminated() + at.format('MM-dd')",
    "bucket(phone, at.format('yyyyMM'), 3).decimal(2) + '_' + phone.reverse()",
    "at.millis().reverseLong().int64() + city.text(4)",
    "'x' + city.upper() + phone.pad(3, '0') + n",
    "join('_', city, phone).javaHash().and(32767).int16() + city",
    "rest.phoenixSalt(16) + phone + '_' + at.millis().int64()",
    "rest.hbasewdSalt(7) + city.terminated() + phone.substring(0, 2) + n.decimal(3)",
    "rest.md5().raw(2) + city + '-' + city.upper()",
    "salt(4).words('a-', 'b-', 'c-', 'd-') + phone + city",
    "bucket(rest, 5).decimal(1) + salt(300, 7).int16() + phone",
];

fn fields() -> Vec<Field> {
    let field = |name: &str, kind, format: Option<&str>| Field {
        name: name.into(),
        kind,
        format: format.map(Into::into),
        zone: None,
        width: None,
        from: Vec::new(),
        nullable: false,
    };
    vec![
        field("phone", Kind::Text, None),
        field("city", Kind::Text, None),
        field("n", Kind::Integer, None),
        field("at", Kind::Time, Some("epoch-millis")),
    ]
}

fn designs() -> Vec<TypedFormula> {
    let typed = |source: &&str| formula::check(&formula::parse(source).ok()?, &fields()).ok();
    FORMULAS.iter().map(|source| typed(source).expect(source)).collect()
}

fn records(rows: &[(String, String, i64, i64)]) -> Records {
    let mut csv = String::from("phone,city,n,at\n");
    for (phone, city, n, at) in rows {
        csv += &format!("{phone},{city},{n},{at}\n");
    }
    common::csv_records(&fields(), csv)
}

fn names() -> [&'static str; 4] {
    ["phone", "city", "n", "at"]
}

fn rows() -> impl Strategy<Value = Vec<(String, String, i64, i64)>> {
    let times = prop_oneof![0i64..3_000_000_000_000, 1_714_521_600_000i64..1_714_521_700_000];
    let row = ("[0-2]{1,3}", "[a-cé]{0,3}", -5i64..2_000, times);
    prop::collection::vec(row, 1..250)
}

/// The key of a row by concatenation of its parts; `None` when it is refused.
fn naive(encoder: &Encoder, typed: &TypedFormula, keys: &EncodedKeys, row: usize) -> Option<Vec<u8>> {
    let parts = encoder.parts(typed, &[row as u32]);
    let key: Vec<u8> = parts.iter().flat_map(|part| part.get(0).to_vec()).collect();
    (!keys.keys.get(row).is_empty()).then_some(key)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn keys_are_the_parts_one_after_the_other_and_sort_as_bytes(rows in rows()) {
        let records = records(&rows);
        let designs = designs();
        let all = Encoder::new(&records, &names(), &designs.iter().collect::<Vec<_>>()).encode();
        for (typed, together) in designs.iter().zip(all) {
            let encoder = Encoder::new(&records, &names(), &[typed]);
            let keys = encoder.encode().pop().expect("one design");
            prop_assert_eq!(&keys.keys, &together.keys, "designs encoded together and alone");
            prop_assert_eq!(&keys.refused, &together.refused);
            let mut expected = Vec::new();
            for row in 0..records.rows {
                match naive(&encoder, typed, &keys, row) {
                    Some(key) => {
                        prop_assert_eq!(keys.keys.get(row), &key);
                        expected.push((key, row as u32));
                    }
                    None => prop_assert!(keys.keys.get(row).is_empty()),
                }
            }
            prop_assert_eq!(keys.refused.count() as usize, records.rows - expected.len());
            expected.sort();
            let table = KeyTable::new(keys, 0);
            let sorted: Vec<(Vec<u8>, u32)> = table.iter_from(0).map(|(row, key)| (key.to_vec(), row)).collect();
            prop_assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn a_pass_over_portions_is_a_pass_over_the_whole(rows in rows(), cuts in prop::collection::vec(0usize..250, 0..4)) {
        let designs = designs();
        let points = |json: &str| Splits::from_text(json).and_then(|splits| splits.points()).expect("splits");
        let two: [SplitPoints; 2] = [points(r#"{"algorithm":"HexStringSplit","regions":4}"#), points(r#"{"points":["1","2"]}"#)];
        let of: Vec<(&TypedFormula, &SplitPoints)> = designs.iter().zip(two.iter().cycle()).collect();
        let fields = fields();
        let mut whole = Counter::new([0; 16], &fields, &of, Some("at"));
        whole.add(&records(&rows));
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(rows.len())).chain([0, rows.len()]).collect();
        cuts.sort_unstable();
        let mut parts = Counter::new([0; 16], &fields, &of, Some("at"));
        // Portions of one file: positions go on where the portion before ended.
        for pair in cuts.windows(2) {
            let mut portion = records(&rows[pair[0]..pair[1]]);
            portion.offsets = records(&rows).offsets[pair[0]..pair[1]].to_vec();
            parts.add(&portion);
        }
        prop_assert_eq!(whole.summary(), parts.summary());
    }
}

fn encode(records: &Records, formula: &str) -> (EncodedKeys, TypedFormula) {
    let typed = formula::check(&formula::parse(formula).expect(formula), &fields()).expect(formula);
    let keys = Encoder::new(records, &names(), &[&typed]).encode().pop().expect("one design");
    (keys, typed)
}

/// Rows of few phones and many times.
fn calls(count: i64) -> Vec<(String, String, i64, i64)> {
    (0..count).map(|i| (format!("{:03}", i % 7), "ab".to_owned(), i, 1_714_521_600_000 + i)).collect()
}

#[test]
fn a_salt_of_the_rest_is_that_of_the_bytes_that_follow_it() {
    let records = records(&calls(600));
    for formula in [
        "rest.phoenixSalt(16) + phone.md5().raw(4) + at.millis().int64()",
        "rest.phoenixSalt(16) + phone + '-' + phone.reverse()",
        "rest.phoenixSalt(16) + salt(9).decimal(1) + phone",
    ] {
        for key in encode(&records, formula).0.keys.iter() {
            let (salt, rest) = key.split_first().expect("a salt");
            assert_eq!(*salt, salt::phoenix(rest, 16).expect("16 buckets"), "{formula}");
        }
    }
}

#[test]
fn a_row_refused_behind_a_salt_names_the_field_that_was_refused() {
    let records = records(&[("012".into(), "ab".into(), -1, 0)]);
    let (keys, _) = encode(&records, "rest.phoenixSalt(16) + phone + n.decimal(3)");
    assert_eq!(keys.refused.first[0].column, Some(2));
}

#[test]
fn a_random_salt_is_spread_evenly_and_each_seed_has_its_own() {
    let records = records(&calls(4000));
    let (first, _) = encode(&records, "salt(4).decimal(1)");
    let (second, _) = encode(&records, "salt(4, 1).decimal(1)");
    let mut pairs = BTreeMap::<_, i32>::new();
    for (first, second) in first.keys.iter().zip(second.keys.iter()) {
        *pairs.entry((first.to_vec(), second.to_vec())).or_default() += 1;
    }
    // 16 pairs of 250 on the average; 15.3 is the standard deviation.
    assert_eq!(pairs.len(), 16);
    assert!(pairs.values().all(|rows| (190..310).contains(rows)), "{pairs:?}");
}

#[test]
fn the_short_number_is_used_where_it_can_be_and_only_there() {
    let rows: Vec<_> =
        (0..600).map(|i| (format!("{:03}", i % 7), "ab".to_owned(), i, 1_714_521_600_000 + i)).collect();
    let records = records(&rows);
    let coded: Vec<bool> = designs()
        .iter()
        .map(|typed| {
            Encoder::new(&records, &names(), &[typed]).encode().pop().is_some_and(|keys| keys.codes.is_some())
        })
        .collect();
    assert!(coded[0], "a dictionary prefix and a time of fixed width");
    assert!(!coded[7], "a number of varying width at the end");
}

#[test]
fn a_value_that_grows_from_step_to_step_is_refused_before_it_fills_the_memory() {
    let grown = format!("phone{} + city", ".text().hex()".repeat(40));
    let hashed = format!("phone{}.md5()", ".text().hex()".repeat(40));
    let joined = format!("join('', city, {}).md5()", ["phone"; 90].join(", "));
    // Computed by entry of a dictionary, and row by row.
    let mixed = format!("join('', phone{}, city, n).md5()", ".text().hex()".repeat(40));
    let rows: Vec<_> = (0..200).map(|row| (format!("{row:0800}"), "x".to_owned(), 0, 0)).collect();
    let records = records(&rows);
    for formula in [&grown, &hashed, &joined, &mixed] {
        let parsed = formula::parse(formula).map_err(|problem| problem.to_string()).expect(formula);
        let typed =
            formula::check(&parsed, &fields()).map_err(|problems| format!("{problems:?}")).expect(formula);
        let keys = Encoder::new(&records, &names(), &[&typed]).encode().remove(0);
        let reasons: Vec<_> = keys.refused.reasons.iter().map(|((code, _), count)| (*code, *count)).collect();
        assert_eq!(reasons, [("row.value-too-wide", 200)], "{formula}");
    }
    // A formula whose key is too wide for every record is rejected itself.
    let wide = format!("join('', {}).md5()", ["phone.pad(2000, '0')"; 40].join(", "));
    let problems =
        formula::check(&formula::parse(&wide).expect("formula"), &fields()).err().expect("too wide");
    assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["formula.value-too-wide"]);
}

#[test]
fn a_row_is_refused_for_the_same_reason_by_row_and_by_entry() {
    // Few rows with mostly new texts are computed one by one, more with the same texts once for each text.
    let texts: Vec<String> =
        (0..300).map(|number| if number == 7 { String::new() } else { number.to_string() }).collect();
    let some: Vec<_> = texts.iter().map(|text| ("1".to_owned(), text.clone(), 0, 0)).collect();
    let twice = [some.as_slice(), some.as_slice()].concat();
    for formula in [
        "city.substring(0, 1) + city.phoenix.char('asc', 3)",
        "city.substring(0, 1).phoenix.char('asc', 3)",
        "join('_', city.substring(0, 1), city.phoenix.char('asc', 3))",
    ] {
        let typed = formula::check(&formula::parse(formula).expect(formula), &fields()).expect(formula);
        let refused = |rows: &[(String, String, i64, i64)]| {
            let records = records(rows);
            let all = Encoder::new(&records, &names(), &[&typed]).encode();
            let reasons = all.into_iter().next().expect("keys").refused.reasons;
            reasons.into_iter().map(|((code, column), count)| (code, column, count)).collect::<Vec<_>>()
        };
        let by_row = refused(&some);
        assert_eq!(by_row, [("step.text-too-short", Some(1), 1)], "{formula}");
        assert_eq!(refused(&twice), [("step.text-too-short", Some(1), 2)], "{formula}");
    }
}
