//! Random designs, records and queries: no matching row is outside the ranges, and an exact plan reads no other.

use super::study::{keys, plan, query, records, study};
use proptest::prelude::*;
use rowscape::scan::{self, QueryMatcher};
use serde_json::{Value, json};

const PARTS: &[&str] = &[
    "phone",
    "phone.text(8)",
    "phone.terminated()",
    "phone.reverse()",
    "phone.md5().hex(4)",
    "phone.substring(0, 1)",
    "phone.upper()",
    "phone.pad(5, '0')",
    "bucket(phone, 3).decimal(1)",
    "bucket(phone, at.format('yyyyMM'), 6).decimal(2)",
    "bucket(n, 12)",
    "rest.phoenixSalt(5)",
    "salt(3).decimal(1)",
    "salt(3).words('a-', 'b', 'c-')",
    "n",
    "n.int32()",
    "n.int64()",
    "n.abs().decimal(5)",
    "n.floorMod(7)",
    "n.mod(5).int16()",
    "n.and(7).hex(2)",
    "n.abs().and(15).decimal(2)",
    "n.reverseLong().int64()",
    "join('_', phone, n)",
    "join('-', n.int16(), at.format('HH'))",
    "at.millis()",
    "at.millis().int64()",
    "at.millis().decimal(13)",
    "at.millis().reverseLong().decimal(19)",
    "at.seconds().int32()",
    "at.seconds().floorMod(60).decimal(2)",
    "at.format('yyyyMMdd')",
    "at.format('yyyy-MM-dd HH:mm')",
    "at.format('MM-dd')",
    "at.format('dd')",
    "at.format('yyMM')",
    "at.format('d/M/yyyy')",
    "at.truncate('1d').format('MMdd')",
    "at.truncate('6h').millis().int64()",
    "city.lower() + '-'",
    "city",
    "price",
    "load.float64()",
    "load.ordered.float32('asc')",
    "n.ordered.numeric('asc')",
    "'-'",
    "x'00'",
    "'_'",
];

/// Parts that can be told apart and tell their fields.
const TELLING: &[&str] = &[
    "phone.text(8)",
    "phone.terminated()",
    "city.terminated()",
    "n.int64()",
    "n.abs().decimal(5)",
    "n.ordered.int64('asc')",
    "n.ordered.int64('desc')",
    "price.ordered.numeric('asc')",
    "price.ordered.numeric('desc')",
    "load.ordered.float64('asc')",
    "load.ordered.float64('desc')",
    "city.ordered.string('asc')",
    "city.ordered.string('desc')",
    "at.millis().int64()",
    "at.millis().reverseLong().int64()",
    "at.format('yyyyMMddHHmmss')",
    "at.format('yyyy-MM-dd HH:mm:ss')",
    "at.format('yyyyMM')",
    "rest.phoenixSalt(5)",
    "bucket(phone, 3).decimal(1)",
    "n.floorMod(7).decimal(1)",
    "join('_', at.format('yyyyMMdd'), city.terminated())",
    "'-'",
];

fn fields() -> Value {
    json!([
        { "name": "phone", "type": "text" },
        { "name": "city", "type": "text" },
        { "name": "n", "type": "integer" },
        { "name": "price", "type": "decimal" },
        { "name": "load", "type": "float" },
        { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss", "zone": "+08:00" }
    ])
}

fn text() -> BoxedStrategy<String> {
    prop_oneof!["[ab-]{1,3}", "[0-2]{1,4}", "[aé]{1,2}"].boxed()
}

fn number() -> BoxedStrategy<i64> {
    prop_oneof![-20i64..40, -20_000i64..20_000].boxed()
}

/// Around New Year, so that ranges go over it.
fn time() -> BoxedStrategy<String> {
    prop_oneof![(0u32..40, 0u32..24, 0u32..60), (0u32..800, 0u32..24, 0u32..1)]
        .prop_map(|(day, hour, minute)| {
            let (year, month, day) = rowscape::field::time::civil::date_of(18_976 + i64::from(day));
            format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:00")
        })
        .boxed()
}

fn condition<T: std::fmt::Debug + Clone + Ord + Into<Value> + 'static>(
    values: BoxedStrategy<T>,
    prefix: bool,
) -> BoxedStrategy<Option<Value>> {
    let eq = values.clone().prop_map(|value| Some(json!({ "eq": value.into() })));
    let list = prop::collection::vec(values.clone(), 1..4)
        .prop_map(|list| Some(json!({ "in": list.into_iter().map(Into::into).collect::<Vec<Value>>() })));
    let range = (values.clone(), values.clone(), 0..4u8).prop_map(|(a, b, open)| {
        let (from, to) = if a <= b { (a, b) } else { (b, a) };
        match open {
            0 => Some(json!({ "from": from.into() })),
            1 => Some(json!({ "to": to.into() })),
            _ if from == to => None,
            _ => Some(json!({ "from": from.into(), "to": to.into() })),
        }
    });
    let begins = values.clone().prop_map(move |value| match value.into() {
        Value::String(text) if prefix => Some(json!({ "prefix": text })),
        _ => None,
    });
    let begin = prop::collection::vec(values, 1..4).prop_map(move |values| {
        let list: Vec<Value> = values.into_iter().map(Into::into).collect();
        prefix.then(|| json!({ "prefix": list }))
    });
    prop_oneof![6 => Just(None), 6 => eq, 2 => list, 6 => range, 1 => begins, 1 => begin].boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn matching_rows_are_in_the_ranges_and_exact_plans_read_no_others(
        parts in prop::collection::vec(prop_oneof![prop::sample::select(PARTS), prop::sample::select(TELLING)], 1..6),
        telling in prop::collection::vec(prop::sample::select(TELLING), 2..6),
        sound in any::<bool>(),
        rows in prop::collection::vec((text(), text(), number(), number(), number(), time()), 1..60),
        (phone, city, n, (price, load), at) in (
            condition(text(), true), condition(text(), true), condition(number(), false),
            (condition(number(), false), condition(number(), false)), condition(time(), false)
        ),
    ) {
        let rowkey = if sound { telling.join(" + ") } else { parts.join(" + ") };
        let document = json!({ "rowscape": 1, "fields": fields(), "rowkey": rowkey });
        prop_assume!(rowscape::design::parse(&document.to_string()).is_ok());
        let study = study(fields(), &rowkey);
        let mut conditions = serde_json::Map::new();
        for (name, condition) in [("phone", phone), ("city", city), ("n", n), ("price", price), ("load", load), ("at", at)] {
            if let Some(condition) = condition.filter(|_| !sound || rowkey.contains(name)) {
                conditions.insert(name.to_owned(), condition);
            }
        }
        let members = json!({ "where": conditions });
        let plan = plan(&study, members.clone());
        let lines: Vec<String> =
            rows.iter().map(|(phone, city, n, price, load, at)| format!("{phone},{city},{n},{price},{load},{at}")).collect();
        let records = records(&study, &lines);
        prop_assert_eq!(records.rows, lines.len());
        let query = query(&study, members.clone());
        let domains = scan::read(&query, &study.fields, "queries[0]").expect("conditions");
        let matching = QueryMatcher::new(&records, &study.fields, &domains);
        let keys = keys(&study, &records);
        for (row, line) in lines.iter().enumerate() {
            let key = keys.get(row);
            if key.is_empty() {
                continue;
            }
            let inside = plan.ranges.iter().any(|range| range.contains(key));
            let wanted = matching.matches(row);
            prop_assert!(inside || !wanted, "{} of {:?} is left out of {:?}", key.escape_ascii(), line, plan);
            let needed = plan.needed.iter().any(|range| range.contains(key));
            prop_assert!(needed || !wanted, "{} of {:?} is not needed by {:?}", key.escape_ascii(), line, plan);
            prop_assert!(inside || !needed, "{} of {:?} is needed but not read by {:?}", key.escape_ascii(), line, plan);
            prop_assert!(!plan.exact || wanted || !inside, "{} of {:?} is read by the exact {:?}", key.escape_ascii(), line, plan);
        }
        let apart = plan.ranges.windows(2).all(|pair| !pair[0].stop.is_empty() && pair[0].stop < pair[1].start);
        prop_assert!(apart, "{:?}", plan.ranges);
    }

    #[test]
    fn a_template_holds_for_other_values(
        parts in prop::collection::vec(prop_oneof![1 => prop::sample::select(PARTS), 3 => prop::sample::select(TELLING)], 1..5),
        rows in prop::collection::vec((text(), text(), number(), number(), number(), time()), 1..60),
        asked in [asked(), asked()],
    ) {
        let rowkey = parts.join(" + ");
        let document = json!({ "rowscape": 1, "fields": fields(), "rowkey": rowkey });
        prop_assume!(rowscape::design::parse(&document.to_string()).is_ok());
        let study = study(fields(), &rowkey);
        let [first, second] = asked;
        let members = json!({ "where": first });
        let asked = query(&study, members.clone());
        let domains = scan::read(&asked, &study.fields, "queries[0]").expect("conditions");
        let typed = &study.tables[0].typed;
        let plan = plan(&study, members);
        let template = scan::template(typed, &study.fields, &asked, &domains, &plan);
        prop_assume!(template.is_some());
        let template = template.expect("a template");
        let other = query(&study, json!({ "where": alike(&first, &second) }));
        let domains = scan::read(&other, &study.fields, "queries[0]").expect("conditions");
        for (field, least) in template.least() {
            // The code refuses what begins before.
            prop_assume!(matches!(domains[field], scan::FieldDomain::Numbers(from, _) if from >= least || from < -1 << 60));
        }
        let lines: Vec<String> =
            rows.iter().map(|(phone, city, n, price, load, at)| format!("{phone},{city},{n},{price},{load},{at}")).collect();
        if let Err(fault) = fault_of(&study, &template, &domains, &lines) {
            return Err(TestCaseError::fail(fault));
        }
    }

    #[test]
    fn a_template_of_ranges_holds_for_other_values(
        parts in prop::collection::vec(prop::sample::select(RANGED), 1..5),
        rows in prop::collection::vec((text(), text(), 0i64..2000, number(), number(), time()), 1..60),
        asked in [ranges(), ranges()],
    ) {
        let rowkey = parts.join(" + ");
        let document = json!({ "rowscape": 1, "fields": fields(), "rowkey": rowkey });
        prop_assume!(rowscape::design::parse(&document.to_string()).is_ok());
        let study = study(fields(), &rowkey);
        let [first, second] = asked;
        let members = json!({ "where": first });
        let asked = query(&study, members.clone());
        let domains = scan::read(&asked, &study.fields, "queries[0]").expect("conditions");
        let plan = plan(&study, members);
        let template = scan::template(&study.tables[0].typed, &study.fields, &asked, &domains, &plan);
        prop_assume!(template.is_some());
        let template = template.expect("a template");
        let other = query(&study, json!({ "where": alike(&first, &second) }));
        let domains = scan::read(&other, &study.fields, "queries[0]").expect("conditions");
        let lines: Vec<String> =
            rows.iter().map(|(phone, city, n, price, load, at)| format!("{phone},{city},{n},{price},{load},{at}")).collect();
        if let Err(fault) = fault_of(&study, &template, &domains, &lines) {
            return Err(TestCaseError::fail(fault));
        }
    }
}

/// Parts of which a range leaves periods, lengths, or an order.
const RANGED: &[&str] = &[
    "bucket(phone, at.format('yyyyMM'), 6).decimal(2)",
    "sum(n, at.format('yyyyMMdd').number()).floorMod(6).decimal(2)",
    "bucket(n, 12).decimal(2)",
    "at.format('yyyyMM').md5().hex(4)",
    "at.format('yyyyMMdd')",
    "at.format('MM-dd')",
    "at.format('d/M/yyyy')",
    "at.truncate('1d').format('MMdd')",
    "at.truncate('6h').millis().int64()",
    "at.millis()",
    "at.millis().decimal(13)",
    "at.millis().reverseLong().int64()",
    "at.format('yyyyMMddHHmmss')",
    "at.seconds()",
    "n",
    "n.floorMod(7).decimal(1)",
    "phone.terminated()",
    "phone.escaped()",
    "city.text(2)",
    "city",
    "price.ordered.numeric('asc')",
    "load.ordered.float64('asc')",
    "'-'",
];

/// A range of times, and conditions on other fields.
fn ranges() -> BoxedStrategy<serde_json::Map<String, Value>> {
    let times = (time(), time()).prop_filter_map("a range", |(a, b)| {
        (a != b).then(|| if a < b { json!({ "from": a, "to": b }) } else { json!({ "from": b, "to": a }) })
    });
    let some = |values: BoxedStrategy<Option<Value>>| prop_oneof![Just(None), values];
    let numbers = prop_oneof![0i64..10, 0i64..2000].boxed();
    (
        prop::option::of(times),
        some(condition(text(), true)),
        some(condition(text(), true)),
        some(condition(numbers.clone(), false)),
        some(condition(number(), false)),
    )
        .prop_map(|(at, phone, city, n, price)| {
            let all = [
                ("at", at),
                ("phone", phone),
                ("city", city),
                ("n", n),
                ("price", price.clone()),
                ("load", price),
            ];
            all.into_iter().filter_map(|(name, condition)| Some((name.to_owned(), condition?))).collect()
        })
        .boxed()
}

/// The first record that a template does wrong, for the values of some domains.
fn fault_of(
    study: &rowscape::design::Document,
    template: &scan::PlanTemplate<'_>,
    domains: &[scan::FieldDomain],
    lines: &[String],
) -> Result<(), String> {
    let records = records(study, lines);
    let matching = QueryMatcher::new(&records, &study.fields, domains);
    let keys = keys(study, &records);
    // A value without a key has no rows, and a range of very many runs none that are tried.
    let Some(ranges) = template.ranges(domains) else { return Ok(()) };
    for (row, line) in lines.iter().enumerate() {
        let key = keys.get(row);
        if key.is_empty() {
            continue;
        }
        let inside = ranges.iter().any(|range| range.contains(key));
        let wanted = matching.matches(row);
        if wanted && !inside {
            return Err(format!("{} of {line:?} is left out of {ranges:?}", key.escape_ascii()));
        }
        if template.exact && template.fuzzy.is_empty() && inside && !wanted {
            return Err(format!("{} of {line:?} is read by the exact {ranges:?}", key.escape_ascii()));
        }
    }
    Ok(())
}

/// Conditions on some fields.
fn asked() -> BoxedStrategy<serde_json::Map<String, Value>> {
    let conditions = (
        condition(text(), true),
        condition(text(), true),
        condition(number(), false),
        condition(number(), false),
        condition(number(), false),
        condition(time(), false),
    );
    conditions
        .prop_map(|(phone, city, n, price, load, at)| {
            let all =
                [("phone", phone), ("city", city), ("n", n), ("price", price), ("load", load), ("at", at)];
            all.into_iter().filter_map(|(name, condition)| Some((name.to_owned(), condition?))).collect()
        })
        .boxed()
}

/// Conditions with the values of others, where those have the same form.
fn alike(first: &serde_json::Map<String, Value>, second: &serde_json::Map<String, Value>) -> Value {
    let form =
        |condition: &Value| condition.as_object().map(|members| members.keys().cloned().collect::<Vec<_>>());
    let other = |(name, condition): (&String, &Value)| {
        let other = second.get(name).filter(|other| form(other) == form(condition));
        (name.clone(), other.unwrap_or(condition).clone())
    };
    Value::Object(first.iter().map(other).collect())
}
