//! New row keys over time, where keys repeat: how many records of each quarter of them are the first of their key.

/// Records of a quarter, and those of them that are the first of their key.
pub type QuarterRecords = [u64; 2];

/// Counts the quarters of records in order of time, from keys in order with the row of each and the time of a row. `None` where
/// fewer than four records have a time.
pub fn quarters<'k>(
    keys: impl Iterator<Item = (u32, &'k [u8])>,
    time: impl Fn(u32) -> Option<i64>,
) -> Option<[QuarterRecords; 4]> {
    let mut times: Vec<i64> = Vec::new();
    let mut again: Vec<i64> = Vec::new();
    let mut before: Option<(&[u8], i64)> = None;
    for (row, key) in keys {
        let Some(time) = time(row) else { continue };
        times.push(time);
        before = match before {
            Some((same, first)) if same == key => {
                again.push(first.max(time));
                Some((key, first.min(time)))
            }
            _ => Some((key, time)),
        };
    }
    if times.len() < 4 {
        return None;
    }
    let count = times.len();
    let border = |quarter: usize| count * quarter / 4;
    let borders = [1, 2, 3].map(|quarter| *times.select_nth_unstable(border(quarter)).1);
    let mut found = [[0u64; 2]; 4];
    let quarter = |time: &i64| borders.iter().filter(|border| *border <= time).count();
    for time in &times {
        if let Some([records, new]) = found.get_mut(quarter(time)) {
            (*records, *new) = (*records + 1, *new + 1);
        }
    }
    for time in &again {
        if let Some([_, new]) = found.get_mut(quarter(time)) {
            *new = new.saturating_sub(1);
        }
    }
    Some(found)
}
