//! New row keys over time, where keys repeat: how many records of each quarter of them are the first of their key.

/// Records of a quarter, and those of them that are the first of their key.
pub type QuarterRecords = [u64; 2];

/// Counts the quarters of records by their `times`; `again` has those of the records that are not the first of their key. `None`
/// where there are fewer than four.
pub fn quarters(mut times: Vec<i64>, again: &[i64]) -> Option<[QuarterRecords; 4]> {
    let count = times.len();
    if count < 4 {
        return None;
    }
    let half = count / 2;
    let (before, &mut middle, after) = times.select_nth_unstable(half);
    // With four and more, neither is the middle one.
    let first = *before.select_nth_unstable(count / 4).1;
    let last = *after.select_nth_unstable(count * 3 / 4 - half - 1).1;
    let quarter =
        |time: i64| usize::from(first <= time) + usize::from(middle <= time) + usize::from(last <= time);
    let mut found = [[0u64; 2]; 4];
    for &time in &times {
        if let Some([records, new]) = found.get_mut(quarter(time)) {
            (*records, *new) = (*records + 1, *new + 1);
        }
    }
    for &time in again {
        if let Some([_, new]) = found.get_mut(quarter(time)) {
            *new = new.saturating_sub(1);
        }
    }
    Some(found)
}
