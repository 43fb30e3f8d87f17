//! Engine telemetry: the order of the parts, and a separator that also occurs in a value.

use super::opened::{open, scan, with};

const TIMES: [i64; 6] =
    [1638290481900, 1638290482900, 1638290483900, 1638290484900, 1638290485900, 1638290586900];

#[test]
fn b1_engine_type_time_and_vehicle() {
    let keys = open("b1-engine-type-time-vin").texts("engine");
    assert_eq!(keys[0], "YCK09360-60-1638290481900-9011D6L00124");
    assert_eq!(keys, TIMES.map(|time| format!("YCK09360-60-{time}-9011D6L00124")));
}

#[test]
fn b1_the_range_of_one_vehicle_holds_every_other_of_its_type() {
    let records = "engine_type,ts,vin,value
YCK09360-60,1638290481900,9011D6L00124,434.7
YCK09360-60,1638290482900,9011D6L00001,1
YCK09360-60,1638290482900,9011D6L00999,1
YCK09360-60,1638290483900,9011D6L00124,18.6
YCK05220-60,1638290482900,9011D6L00124,1";
    let keys = with("b1-engine-type-time-vin", records).texts("engine");
    let read =
        scan(&keys, "YCK09360-60-1638290481900-9011D6L00124", "YCK09360-60-1638290484900-9011D6L00124");
    assert_eq!(read, [0, 1, 2, 3], "two of four rows read are another vehicle's");
}

#[test]
fn b1_rows_with_underscores_are_not_found_by_a_scan_with_hyphens() {
    let keys = open("b1-rows-with-underscores").texts("engine");
    assert_eq!(keys[0], "YCK09360-60_1638290481900_9011D6L00124");
    assert!(scan(&keys, "YCK09360-60-1638290481900", "YCK09360-60-1638290586901").is_empty());
    assert_eq!(scan(&keys, "YCK09360-60_1638290481900", "YCK09360-60_1638290586901").len(), 6);
}

#[test]
fn b2_vehicle_engine_type_and_time() {
    let keys = open("b2-vin-engine-type-time").texts("engine");
    assert_eq!(keys, TIMES.map(|time| format!("9011D6L00124-YCK09360-60-{time}")));
    // One vehicle between two times: one scan that reads nothing else.
    let span =
        scan(&keys, "9011D6L00124-YCK09360-60-1638290482900", "9011D6L00124-YCK09360-60-1638290485900");
    assert_eq!(span, [1, 2, 3]);
}

#[test]
fn b3_a_prefix_that_ends_in_the_separator_reads_another_engine_type_too() {
    let opened = open("b3-delimiter-inside-value");
    let read = |table, start, stop| scan(&opened.keys(table), start, stop);
    assert_eq!(read("ambiguous", "YCK09360-", "YCK09360."), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(read("other_separator", "YCK09360|", "YCK09360}"), [6, 7]);
    assert_eq!(read("escaped", "YCK09360\0", "YCK09360\u{1}"), [6, 7]);
}

#[test]
fn b3_a_key_can_be_taken_apart_only_where_widths_or_ends_are_known() {
    let opened = open("b3-delimiter-inside-value");
    let one_to_one = |table| opened.table(table).typed.shape.one_to_one;
    assert_eq!(
        ["ambiguous", "fixed_width", "other_separator", "escaped"].map(one_to_one),
        [false, true, false, true],
        "a text may hold any separator that is not escaped"
    );
    let key = b"YCK09360-60-1638290481900-9011D6L00124";
    let ambiguous = opened.decoded("ambiguous", key);
    assert_eq!(ambiguous.problems.len(), 1);
    let readings: Vec<_> = ambiguous.readings.iter().map(|reading| reading.values[0].as_deref()).collect();
    assert!(readings.contains(&Some("YCK09360")) && readings.contains(&Some("YCK09360-60")), "{readings:?}");
    for (field, value) in [("engine_type", "YCK09360-60"), ("ts", "1638290481900"), ("vin", "9011D6L00124")] {
        assert_eq!(opened.told("fixed_width", key, field).as_deref(), Some(value));
    }
    // Escapes let the engine type end itself, so the vehicle may have any width.
    assert_eq!(opened.keys("escaped")[0], b"YCK09360-60\x0016382904819009011D6L00124");
}

#[test]
fn b4_terminated_or_of_fixed_width_and_a_long() {
    let opened = open("b4-binary-telemetry");
    for (row, time) in TIMES.into_iter().enumerate() {
        let long = time.to_be_bytes();
        assert_eq!(opened.keys("terminated")[row], [b"YCK09360-60\0", &long[..], b"9011D6L00124"].concat());
        assert_eq!(
            opened.keys("fixed_width")[row],
            [b"YCK09360-60\0\0", &long[..], b"9011D6L00124"].concat()
        );
    }
    // YCK09360 and YCK09360-60 no longer mix, and the key gives its fields back.
    for table in ["terminated", "fixed_width"] {
        let keys = opened.keys(table);
        assert_eq!(scan(&keys, "YCK09360\0", "YCK09360\u{1}"), [6, 7]);
        assert_eq!(opened.told(table, &keys[0], "engine_type").as_deref(), Some("YCK09360-60"));
        assert_eq!(opened.told(table, &keys[0], "ts").as_deref(), Some("1638290481900"));
    }
}
