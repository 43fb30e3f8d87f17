//! Where regions begin and end, for what writes their files beforehand.

use super::Subject;
use super::names::hex;
use crate::base::Problem;

/// A line a region: its number, start row and stop row in hexadecimal, empty at the ends of the table.
pub(super) fn regions(subject: &Subject<'_>) -> Result<String, Problem> {
    let points = subject.points()?.keys();
    let ends: Vec<String> = points.iter().map(hex).collect();
    let mut text = String::from("region,start_row_hex,stop_row_hex\n");
    let mut start = "";
    for (region, stop) in ends.iter().map(String::as_str).chain([""]).enumerate() {
        text += &format!("{region},{start},{stop}\n");
        start = stop;
    }
    Ok(text)
}
