//! Values, errors and memory across the boundary, in the engine that runs the module: `npm run test:wasm`.

use crate::bytes::{prefix_stop, to_bytes_binary, to_string_binary};
use crate::encode::{Columns, DesignHandle};
use crate::records::RecordsHandle;
use js_sys::{Array, Error, JSON, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

/// A table of a number and a text.
const DESIGN: &str = r#"{
    "rowscape": 1,
    "fields": [{ "name": "id", "type": "integer" }, { "name": "text", "type": "text" }],
    "rowkey": "id.int64() + text",
    "splits": { "points": ["\\x80"] }
}"#;
/// Records of a large buffer, and bytes of each.
const ROWS: usize = 1_000_000;
const ROW: &str = "12345678,abcdefghijklmnopqrstuvwxyz0123456789\n";
/// Rounds in which memory may grow, and in which it may not.
const WARM: usize = 3;
const ROUNDS: usize = 12;

fn member(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).expect("an object")
}

fn text(object: &JsValue, name: &str) -> String {
    member(object, name).as_string().expect(name)
}

fn design() -> DesignHandle {
    crate::start();
    DesignHandle::new(DESIGN, None).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Columns of these records.
fn columns(records: &[(&str, &str)]) -> Columns {
    let mut columns = Columns::new();
    for of in [|record: &(&str, &str)| record.0.to_owned(), |record: &(&str, &str)| record.1.to_owned()] {
        let texts: Vec<String> = records.iter().map(of).collect();
        let ends = texts.iter().scan(0, |end, text| {
            *end += text.len() as u32;
            Some(*end)
        });
        columns.add(texts.concat().into_bytes(), ends.collect(), Vec::new(), None);
    }
    columns
}

/// The keys of an answer.
fn keys(answer: &JsValue) -> Vec<Vec<u8>> {
    let bytes = member(answer, "bytes").unchecked_into::<Uint8Array>().to_vec();
    let ends = member(answer, "ends").unchecked_into::<Uint32Array>().to_vec();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, &end)| bytes[start as usize..end as usize].to_vec()).collect()
}

/// Pages of memory that the module has.
fn pages() -> usize {
    core::arch::wasm32::memory_size(0)
}

#[wasm_bindgen_test]
fn numbers_beyond_those_of_javascript_and_any_text_keep_their_bytes() {
    let given =
        [("9007199254740993", "é\u{0}x"), ("-9223372036854775808", ""), ("9223372036854775807", "😀")];
    let answer = design().encode(&columns(&given)).unwrap_or_else(|error| panic!("{error:?}"));
    let expected = given.map(|(number, text)| {
        let number: i64 = number.parse().expect("a number");
        [&number.to_be_bytes(), text.as_bytes()].concat()
    });
    assert_eq!(keys(&answer), expected);
    assert_eq!(member(&answer, "refused").as_f64(), Some(0.0));
}

#[wasm_bindgen_test]
fn bytes_cross_as_they_are() {
    let all: Vec<u8> = (0..=255).collect();
    let written = to_string_binary(&all);
    assert_eq!(to_bytes_binary(&written, false).unwrap_or_else(|error| panic!("{error:?}")), all);
    assert_eq!(prefix_stop(&[1, 255]), [2]);
    assert!(prefix_stop(&[255]).is_empty());
    assert_eq!(design().region_of(&[0x80]).unwrap_or_else(|error| panic!("{error:?}")), 1);
}

#[wasm_bindgen_test]
fn what_is_rejected_is_an_error_with_its_code_its_place_and_all_problems() {
    crate::start();
    let wrong = DESIGN.replace("id.int64()", "id.int65()").replace("integer", "whole");
    let Err(error) = DesignHandle::new(&wrong, None) else { panic!("it was read") };
    assert!(error.is_instance_of::<Error>());
    assert_eq!(text(&error, "name"), "RowscapeError");
    let problems: Array = member(&error, "problems").unchecked_into();
    let first = problems.get(0);
    assert_eq!(text(&error, "code"), text(&first, "code"));
    assert!(text(&member(&first, "place"), "path").starts_with("fields[0]"));
    // The sentences are the host's: without them a message is the code.
    assert!(text(&error, "message").ends_with(&text(&error, "code")));
}

#[wasm_bindgen_test]
fn a_record_without_a_key_is_told_by_row_and_field() {
    let answer =
        design().encode(&columns(&[("7", "a"), ("seven", "b")])).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(member(&answer, "refused").as_f64(), Some(1.0));
    let place = member(&member(&answer, "first").unchecked_into::<Array>().get(0), "place");
    assert_eq!((text(&place, "field").as_str(), member(&place, "row").as_f64()), ("id", Some(2.0)));
    let keys = keys(&answer);
    assert!(!keys[0].is_empty() && keys[1].is_empty());
}

/// A file of 45 MB given at once, read and freed time after time: the memory of the module stays what it was.
#[wasm_bindgen_test]
fn large_buffers_are_read_whole_and_memory_is_given_back() {
    crate::start();
    let file = ROW.repeat(ROWS);
    let input = r#"{ "format": "csv", "separator": ",", "header": false, "fields": [
        { "name": "id", "type": "integer" }, { "name": "text", "type": "text" }] }"#;
    let mut before = 0;
    for round in 0..ROUNDS {
        let input = JSON::parse(input).expect("JSON");
        let mut records = RecordsHandle::new(input).unwrap_or_else(|error| panic!("{error:?}"));
        records.push(file.as_bytes());
        records.finish();
        assert_eq!((records.rows() as usize, records.bytes() as usize), (ROWS, file.len()));
        drop(records);
        if round < WARM {
            before = pages();
        }
    }
    assert_eq!(pages(), before, "64 KiB pages");
}
