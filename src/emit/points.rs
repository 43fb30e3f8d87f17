//! Split points as files: for the `create` of the shell, and for what writes the files of regions beforehand.

use super::names;
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::bytes::row::to_string_binary;

/// Name of the file of split points.
pub(super) fn splits_file(table: &str) -> String {
    names::file(table) + ".splits"
}

/// The split points, one a line.
pub(super) fn splits(subject: &EmitSubject<'_>) -> Result<String, Problem> {
    let points = subject.points()?.keys();
    if points.is_empty() {
        return Err(Problem::new("emit.one-region"));
    }
    Ok(points.iter().map(|point| to_string_binary(point) + "\n").collect())
}

/// A line a region: its number, start row and stop row in hexadecimal, empty at the ends of the table.
pub(super) fn regions(subject: &EmitSubject<'_>) -> Result<String, Problem> {
    let points = subject.points()?.keys();
    let ends: Vec<String> = points.iter().map(names::hex).collect();
    let mut text = String::from("region,start_row_hex,stop_row_hex\n");
    let mut start = "";
    for (region, stop) in ends.iter().map(String::as_str).chain([""]).enumerate() {
        text += &format!("{region},{start},{stop}\n");
        start = stop;
    }
    Ok(text)
}
