//! Splits for keys that begin with a small number: salts, buckets, and hashes cut to a short.

use super::bytes;
use crate::base::Problem;
use crate::bytes::strings::ByteStrings;

/// Salts that one byte can hold.
const MOST_IN_A_BYTE: u32 = 256;

/// One region a salt: the salts 1 to `count - 1`, as a byte (Phoenix's `SaltingUtil.getSalteByteSplitPoints`) or as
/// decimal text of so many digits.
pub fn salts(count: u32, digits: Option<u32>) -> Result<ByteStrings, Problem> {
    let most = digits.map_or(Some(MOST_IN_A_BYTE), |digits| 10u32.checked_pow(digits));
    if let Some(most) = most.filter(|&most| count > most) {
        return Err(Problem::new("split.too-many-salts").with("count", count).with("most", most));
    }
    let mut keys = ByteStrings::default();
    for salt in 1..count {
        match digits {
            None => keys.push(&[salt as u8]),
            Some(digits) => {
                let text = salt.to_string();
                keys.bytes.extend(std::iter::repeat_n(b'0', (digits as usize).saturating_sub(text.len())));
                keys.push(text.as_bytes());
            }
        }
    }
    Ok(keys)
}

/// `createTable(start, end, regions)` where `start` lies one share above `first` and `end` one share below `last`.
pub fn short_range(first: u16, last: u16, regions: u32) -> Result<ByteStrings, Problem> {
    let rows = [first, last].map(u16::to_be_bytes);
    if first >= last {
        return Err(super::limits::reversed(&rows[0], &rows[1]));
    }
    let share = u32::from(last - first) / regions.max(1);
    let share = share.min(u32::from(u16::MAX)) as u16;
    bytes::create_table(
        &first.saturating_add(share).to_be_bytes(),
        &last.saturating_sub(share).to_be_bytes(),
        regions,
    )
}
