//! Texts of digits as numbers, where all records prove that no two values become one.

use crate::records::field::Kind;
use crate::records::{Column, ColumnValues};

/// Most digits of a number of 64 bits, whatever they are.
const DIGITS: usize = 18;
/// Fewest bytes that a number saves.
const WORTH: usize = 2;

/// The greatest number that there is room for, where all texts of a column are digits and a number is shorter.
pub(super) fn digits(column: &Column) -> Option<i64> {
    let ColumnValues::Strings { dictionary, .. } = &column.values else { return None };
    let usable = column.field.kind == Kind::Text && column.invalid.count() == 0;
    let used = used_entries(&column.values);
    usable.then(|| greatest(used.iter().map(|&id| dictionary.get(id))))?
}

/// Texts of several lengths are no numbers if one begins with a zero: `07` and `7` would be one.
fn greatest<'t>(texts: impl Iterator<Item = &'t [u8]> + Clone) -> Option<i64> {
    let first = texts.clone().next()?.len();
    let one_length = texts.clone().all(|text| text.len() == first);
    let most = texts.clone().try_fold(0i64, |most, text| {
        let one_way = one_length || text.len() == 1 || text.first() != Some(&b'0');
        let digits = (1..=DIGITS).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
        let number: i64 = std::str::from_utf8(text).ok().filter(|_| digits && one_way)?.parse().ok()?;
        Some(most.max(number))
    })?;
    let nines = if one_length { 10i64.pow(first as u32) - 1 } else { i64::MAX };
    let most = nines.min(most.saturating_mul(2));
    let bytes = (1..=4).find(|bytes| most < 1 << (8 * bytes)).unwrap_or(8);
    (first >= bytes + WORTH).then_some(most)
}

/// The distinct entries of a column of texts that its rows use.
pub(super) fn used_entries(values: &ColumnValues) -> Vec<u32> {
    let ColumnValues::Strings { ids, dictionary } = values else { return Vec::new() };
    let mut used = vec![false; dictionary.len()];
    for &id in ids {
        if let Some(used) = used.get_mut(id as usize) {
            *used = true;
        }
    }
    (0..).zip(used).filter(|(_, used)| *used).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_are_numbers_only_where_no_two_texts_become_one() {
        let of = |texts: &[&str]| super::greatest(texts.iter().map(|text| text.as_bytes()));
        assert_eq!(of(&["13412341234", "13900000000"]), Some(27_800_000_000));
        assert_eq!(of(&["0007", "0123"]), Some(246));
        assert_eq!(of(&["70000", "123456"]), Some(246_912));
        assert_eq!(of(&["07000", "123456"]), None, "07000 and 7000 would be one");
        assert_eq!(of(&["1234a", "12345"]), None);
        assert_eq!(of(&["1234567890123456789", "1234567890123456780"]), None, "more than 64 bits may hold");
    }
}
