//! Key builders in code: a hash of two bytes, a digest in front, a digest alone, and plain concatenation.

use super::opened::{file, generated, hex, java_hash, md5, open};
use rowscape::decode::collision;
use rowscape::design::parse;

/// The columns of the records beside the four designs.
const RECORDS: [(&str, &str); 3] = [("ab", "c"), ("a", "bc"), ("user7", "order9")];

#[test]
fn h1_a_hash_of_two_bytes_before_the_text() {
    let expected = RECORDS.map(|(a, b)| {
        let text = format!("{a}{b}");
        let prefix = (java_hash(&text) & 0x7fff) as i16;
        [&prefix.to_be_bytes(), text.as_bytes()].concat()
    });
    assert_eq!(open("h1-hash-prefix-of-two-bytes").keys("t"), expected);
    // "abc".hashCode() is 96354, 0x17862.
    assert_eq!(expected[0], b"\x78\x62abc");
    let opened = generated("h1-hash-prefix-of-two-bytes", None);
    assert!(opened.keys("t").iter().all(|key| key[0] <= 0x7f));
    assert!(opened.regions("t").iter().all(|&rows| rows > 0), "a short range fills every region");
}

#[test]
fn h2_digest_separator_and_text() {
    let opened = open("h2-digest-prefix-and-text");
    for (table, length) in [("short_prefix", 8), ("whole_digest", 32)] {
        let expected = RECORDS.map(|(a, b)| {
            let text = format!("{a}_{b}");
            format!("{}_{text}", &hex(&md5(&text))[..length])
        });
        assert_eq!(opened.texts(table), expected);
    }
}

#[test]
fn h2_more_digits_than_the_digest_has_are_refused() {
    let document = file("h2-digest-prefix-and-text.json").replace("hex(32)", "hex(33)");
    let Err(problems) = parse(&document) else { panic!("33 of 32 digits") };
    let said = problems[0].to_string();
    assert!(said.contains("hex(33) requests 33 characters, but there are only 32"), "{said}");
}

#[test]
fn h3_a_digest_alone_tells_nothing_of_its_columns() {
    let opened = open("h3-digest-alone");
    let expected = RECORDS.map(|(a, b)| hex(&md5(&format!("{a}{b}"))));
    assert_eq!(opened.texts("t"), expected);
    for field in ["a", "b"] {
        assert_eq!(opened.told("t", expected[2].as_bytes(), field), None);
    }
}

#[test]
fn h4_two_records_of_one_key() {
    let opened = open("h4-plain-concatenation");
    let keys = opened.texts("plain");
    assert_eq!(keys, ["abc", "abc", "user7order9"]);
    let of = |table| collision(&opened.table(table).typed, &opened.study.fields);
    let pair = of("plain").expect("a pair");
    assert_ne!(pair.records[0], pair.records[1]);
    assert_eq!(opened.texts("terminated"), ["ab\0c", "a\0bc", "user7\0order9"]);
    assert_eq!(of("terminated"), None);
}
