//! Numbers of both signs in two's complement, where those below zero sort after the others.

use super::study::{codes, keys, plan, records, study};
use proptest::prelude::*;
use rowscape::scan::{PlanKind, QueryPlan};
use serde_json::{Value, json};

fn fields() -> Value {
    json!([{ "name": "who", "type": "text" }, { "name": "n", "type": "integer" }])
}

fn is_read(plan: &QueryPlan, key: &[u8]) -> bool {
    plan.ranges.iter().any(|range| range.contains(key))
}

#[test]
fn a_signed_range_is_two_exact_ranges_and_no_full_scan() {
    for step in ["int8", "int16", "int32", "int64"] {
        let study = study(fields(), &format!("n.{step}()"));
        let plan = plan(&study, json!({ "where": { "n": { "from": -5, "to": 7 } } }));
        assert_eq!((plan.kind, plan.ranges.len(), plan.exact), (PlanKind::Scan, 2, true), "{step}");
        assert!(plan.reasons.is_empty(), "{step}: {:?}", codes(&plan));
        // Those below zero are the last of the table.
        assert!(plan.ranges[1].stop.is_empty() && plan.ranges[0].start.iter().all(|&byte| byte == 0));
    }
}

#[test]
fn numbers_that_no_key_holds_are_not_looked_for() {
    let study = study(fields(), "n.int32()");
    for range in [json!({ "from": 1i64 << 40 }), json!({ "from": 1i64 << 40, "to": 1i64 << 41 })] {
        let plan = plan(&study, json!({ "where": { "n": range } }));
        assert_eq!((plan.kind, plan.ranges.len()), (PlanKind::Nothing, 0), "{:?}", plan.reasons);
    }
    let plan = plan(&study, json!({ "where": { "n": { "from": -3, "to": 1i64 << 40 } } }));
    assert_eq!((plan.ranges.len(), plan.exact), (2, true), "{:?}", plan.reasons);
}

#[test]
fn a_padded_value_ends_where_its_characters_do() {
    let fields = json!([
        { "name": "id", "type": "text", "width": 4 },
        { "name": "n", "type": "integer" },
    ]);
    let study = study(fields, "id.pad(8, '0') + n.int64()");
    let one = plan(&study, json!({ "where": { "id": "a1b2" } }));
    assert!(one.exact && one.reasons.iter().all(|reason| reason.code != "plan.part-open-end"), "{one:?}");
    let lines: Vec<String> =
        ["a1b2", "0a1b", "é12", "00é", "ab00"].iter().map(|id| format!("{id},7")).collect();
    let records = records(&study, &lines);
    assert_eq!(records.rows, 5);
    let read: Vec<bool> = keys(&study, &records).iter().map(|key| is_read(&one, key)).collect();
    assert_eq!(read, [true, false, false, false, false]);
    let range = plan(&study, json!({ "where": { "id": "a1b2", "n": { "from": -1, "to": 2 } } }));
    assert_eq!((range.ranges.len(), range.exact), (2, true), "{:?}", range.reasons);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn signed_ranges_are_at_most_two_and_hold_just_what_is_asked(
        step in prop::sample::select(&["int8", "int16", "int32", "int64"][..]),
        with_prefix in any::<bool>(),
        followed in any::<bool>(),
        ends in (prop::option::of(-140i64..140), prop::option::of(-140i64..140)),
    ) {
        let mut rowkey = format!("n.{step}()");
        if with_prefix { rowkey = format!("who.terminated() + {rowkey}"); }
        if followed { rowkey += " + 'x'"; }
        let study = study(fields(), &rowkey);
        let (mut from, mut to) = ends;
        if let (Some(low), Some(high)) = ends {
            prop_assume!(low != high);
            (from, to) = (Some(low.min(high)), Some(low.max(high)));
        }
        prop_assume!(from.is_some() || to.is_some());
        let mut conditions = json!({ "n": { "from": from, "to": to } });
        for end in ["from", "to"] {
            if conditions["n"][end].is_null() {
                conditions["n"].as_object_mut().expect("a range").remove(end);
            }
        }
        if with_prefix { conditions["who"] = json!("u"); }
        let plan = plan(&study, json!({ "where": conditions }));
        prop_assert!(plan.ranges.len() <= 2 && plan.exact, "{rowkey} {from:?} {to:?}: {plan:?}");
        let lines: Vec<String> = (-200..200i64).map(|n| format!("u,{n}")).collect();
        let keys = keys(&study, &records(&study, &lines));
        for (n, key) in (-200..200i64).zip(keys.iter()).filter(|(_, key)| !key.is_empty()) {
            let wanted = from.is_none_or(|from| n >= from) && to.is_none_or(|to| n < to);
            prop_assert_eq!(is_read(&plan, key), wanted, "{} of {}: {:?}", n, rowkey, &plan);
        }
    }
}
