//! How many ranges a plan asks for.

use super::study::{codes, plan, study};
use rowscape::design::Document;
use rowscape::scan::ScanFilter;
use serde_json::json;

fn calls(rowkey: &str) -> Document {
    let fields = json!([
        { "name": "phone", "type": "text" },
        { "name": "call_time", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
    ]);
    study(fields, rowkey)
}

#[test]
fn days_of_a_year_are_asked_one_by_one_and_minutes_of_a_day_are_not() {
    let phone = "13412341234";
    let days = calls("call_time.format('yyyyMMdd') + phone");
    let year = json!({ "where": { "phone": phone, "call_time": ["2024-01-01", "2025-01-01"] } });
    assert_eq!(plan(&days, year).ranges.len(), 366);
    let minutes = calls("call_time.format('yyyyMMddHHmm') + phone");
    let day = |to: &str| json!({ "where": { "phone": phone, "call_time": ["2024-01-01 00:00:00", to] } });
    assert_eq!(plan(&minutes, day("2024-01-01 08:00:00")).ranges.len(), 480);
    let whole = plan(&minutes, day("2024-01-02 00:00:00"));
    assert_eq!(whole.ranges.len(), 1);
    assert!(codes(&whole).contains(&"plan.too-many-ranges"), "{:?}", whole.reasons);
    assert!(matches!(whole.filters.as_slice(), [ScanFilter::Fuzzy { .. }]), "{:?}", whole.filters);
}
