//! The codecs against Java and a real HBase.

use crate::common::*;
use rowscape::codec::decimal::{Decimal, Rounding};
use rowscape::codec::double::to_text;

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text.as_bytes()).unwrap_or_else(|code| panic!("{text}: {code}"))
}

#[test]
fn decimals_read_write_and_give_the_bytes_of_java() {
    for (line, record) in records("bytes_codec").iter().filter(|record| record.1["type"] == "BigDecimal") {
        let text = record["value"].as_str().expect("value");
        let (number, bytes) = (decimal(text), unhex(&record["out"]));
        assert_eq!(number.to_string(), text, "line {line}");
        assert_eq!(i64::from(number.scale()), record["scale"], "line {line}");
        assert_eq!(number.unscaled_bytes(), bytes[4..], "line {line}");
        let unscaled = Decimal::from_unscaled_bytes(&bytes[4..], 0).expect("unscaled");
        assert_eq!(unscaled.to_plain().expect("plain"), record["unscaled"], "line {line}");
    }
}

#[test]
fn decimals_take_what_java_takes() {
    // Results of `new BigDecimal(String)` of JDK 17, and texts that it rejects.
    for (text, printed) in [
        ("+.5", "0.5"),
        ("5.", "5"),
        ("-0.00", "0.00"),
        ("007e-0009", "7E-9"),
        ("0.0000001", "1E-7"),
        ("1E2147483647", "1E+2147483647"),
    ] {
        assert_eq!(decimal(text).to_string(), printed, "{text}");
    }
    for text in
        ["", ".", "-", "1e", "1e+", " 1", "1 ", "1.2.3", "--1", "0x1", "1E2147483648", "1.0E-2147483647"]
    {
        assert!(Decimal::parse(text.as_bytes()).is_err(), "{text}");
    }
    assert!(Decimal::parse("9".repeat(1001).as_bytes()).is_err(), "bounded");
    assert!(decimal("1E+2000000000").to_plain().is_err(), "bounded");
}

#[test]
fn decimals_round_and_strip_as_java() {
    // Printed by JDK 17: to 2 digits, half up and half even.
    for (text, up, even) in [
        ("9.95", "10", "10"),
        ("9.99", "10", "10"),
        ("1.25", "1.3", "1.2"),
        ("1.2501", "1.3", "1.3"),
        ("-12500", "-1.3E+4", "-1.2E+4"),
        ("7", "7", "7"),
    ] {
        for (rounding, rounded) in [(Rounding::HalfUp, up), (Rounding::HalfEven, even)] {
            assert_eq!(decimal(text).round(2, rounding).expect("in range").to_string(), rounded, "{text}");
        }
    }
    for (text, stripped) in [("100", "1E+2"), ("1.500", "1.5"), ("0.00", "0"), ("-10.0", "-1E+1")] {
        assert_eq!(decimal(text).strip_trailing_zeros().expect("in range").to_string(), stripped, "{text}");
    }
}

#[test]
fn decimals_compare_by_value() {
    let rising =
        ["-1E+9", "-12.5", "-12.4", "-1E-9", "0.0", "1E-1000000", "0.1", "0.11", "9.9", "10", "1E+9"];
    for (index, one) in rising.iter().enumerate() {
        for (other, text) in rising.iter().enumerate() {
            assert_eq!(decimal(one).compare_value(&decimal(text)), index.cmp(&other), "{one} {text}");
        }
    }
    assert!(decimal("1.0").compare_value(&decimal("1.00")).is_eq());
    assert!(decimal("0E+9").compare_value(&decimal("0")).is_eq());
}

#[test]
fn doubles_are_written_as_java_17_writes_them() {
    for record in
        records("bytes_codec").iter().map(|record| &record.1).filter(|record| record["type"] == "double")
    {
        let bits = u64::from_str_radix(record["bits"].as_str().expect("bits"), 16).expect("hex");
        assert_eq!(to_text(f64::from_bits(bits)), record["value"], "{record}");
    }
    // Printed by `Double.toString` of JDK 17: not the shortest digits, and a last digit that overflow made.
    for (value, text) in [
        (2e23, "1.9999999999999998E23"),
        (1.0625 * 2f64.powi(84), "2.0551738933448695E25"),
        (0.1 + 0.2, "0.30000000000000004"),
        (0.001, "0.001"),
        (9_999_999.0, "9999999.0"),
        (2f64.powi(-44), "5.6843418860808015E-14"),
        (568_198_181_489_093_120.0, "5.6819818148909312E17"),
    ] {
        assert_eq!(to_text(value), text);
    }
}
