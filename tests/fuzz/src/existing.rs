//! Shell output and SQL about tables.

use crate::language::said;
use rowscape::design::parse;
use rowscape::existing::{ReshapeAction, read, reshape};
use rowscape::hbase::log_line::places_in;
use rowscape::hbase::phoenix;
use rowscape::json;
use rowscape::row::to_string_binary;

/// A text. The design of statements of Phoenix is a document. The way from the first table's regions to the last's takes as many splits and merges as boundaries differ.
pub fn existing(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(design) = phoenix::read(text).design {
        let document = json::text(&design);
        assert!(parse(&document).is_ok(), "{document}");
    }
    text.lines().for_each(|line| assert!(places_in(line, None).len() <= 10));
    let found = read(text, None);
    said(&found.problems);
    let points: Vec<_> = found.tables.iter().map(|table| (table, table.split_points())).collect();
    for (table, points) in &points {
        if let Ok(points) = points {
            let ascending: Vec<String> = points.iter().map(to_string_binary).collect();
            assert_eq!(ascending, table.points);
        }
    }
    let points: Vec<_> = points.into_iter().filter_map(|(_, points)| points.ok()).collect();
    let (Some(from), Some(to)) = (points.first(), points.last()) else { return };
    let steps = reshape(from, to);
    let count =
        |action| steps.iter().filter(|step| step.action == action).map(|step| step.at.len()).sum::<usize>();
    let missing = to.iter().filter(|key| !from.iter().any(|other| other == *key)).count();
    let extra = from.iter().filter(|key| !to.iter().any(|other| other == *key)).count();
    assert_eq!((count(ReshapeAction::Split), count(ReshapeAction::Merge)), (missing, extra));
}
