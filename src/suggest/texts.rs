//! Texts in fewer bytes: digits as a number, without a prefix that all share. Each only where all records prove that no two
//! values become one.

use crate::records::field::Kind;
use crate::records::{Column, ColumnValues};

/// Most digits of a number of 64 bits, whatever they are.
const DIGITS: usize = 18;
/// Fewest bytes that a shorter form saves.
const WORTH: usize = 2;

/// How the texts of a field are written in fewer bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShorterText {
    /// The prefix of all texts that is left out.
    pub prefix: String,
    /// Bytes of every text; none where a text may have any length.
    pub length: Option<usize>,
    /// Set if digits are left: the greatest number that there is room for.
    pub greatest: Option<i64>,
}

impl ShorterText {
    /// The form of the texts of a column that loses none of them; `None` where it saves little.
    pub fn of_column(column: &Column) -> Option<Self> {
        let ColumnValues::Strings { dictionary, .. } = &column.values else { return None };
        let usable = column.field.kind == Kind::Text && column.invalid.count() == 0;
        let used = used_entries(&column.values);
        usable.then(|| Self::of(used.iter().map(|&id| dictionary.get(id))))?
    }

    fn of<'t>(texts: impl Iterator<Item = &'t [u8]> + Clone) -> Option<Self> {
        let first = texts.clone().next()?;
        if !texts.clone().all(<[u8]>::is_ascii) {
            return None;
        }
        let length = texts.clone().all(|text| text.len() == first.len()).then_some(first.len());
        let skip = if length.is_some() { skipped(texts.clone(), first) } else { 0 };
        let greatest = greatest(texts, skip, length);
        let prefix = String::from_utf8_lossy(first.get(..skip)?).into_owned();
        let shorter = Self { prefix, length, greatest };
        let saved = first.len().checked_sub(shorter.bytes().unwrap_or(first.len()))?;
        (saved >= WORTH).then_some(shorter)
    }

    /// Bytes of a value so written; `None` where they vary.
    fn bytes(&self) -> Option<usize> {
        match self.greatest {
            Some(greatest) => Some(if greatest < 1 << 32 { bytes_of(greatest) } else { 8 }),
            None => Some(self.length? - self.prefix.len()),
        }
    }
}

/// Bytes of the smallest unsigned number that holds `greatest`, below 2^32.
fn bytes_of(greatest: i64) -> usize {
    (1..=4).find(|bytes| greatest < 1 << (8 * bytes)).unwrap_or(8)
}

/// Bytes of a common prefix that a person gives to all values: up to the last sign in it, or the letters before digits.
fn skipped<'t>(mut texts: impl Iterator<Item = &'t [u8]> + Clone, first: &[u8]) -> usize {
    let agree =
        |length: usize, text: &[u8]| first.iter().zip(text).take(length).take_while(|(a, b)| a == b).count();
    let prefix = first.get(..texts.clone().fold(first.len(), agree)).unwrap_or_default();
    let sign = prefix.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
    let letters = prefix.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    let digits_follow = |text: &[u8]| {
        text.get(letters..).is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
    };
    let skip = if texts.all(digits_follow) { letters } else { sign };
    if skip < WORTH { 0 } else { skip }
}

/// The greatest number where all that is left is digits. Texts of several lengths are no numbers if one begins with a zero: `07`
/// and `7` would be one.
fn greatest<'t>(
    mut texts: impl Iterator<Item = &'t [u8]>,
    skip: usize,
    length: Option<usize>,
) -> Option<i64> {
    let most = texts.try_fold(0i64, |most, text| {
        let rest = text.get(skip..).filter(|rest| (1..=DIGITS).contains(&rest.len()))?;
        let one_way = length.is_some() || rest.len() == 1 || rest.first() != Some(&b'0');
        let digits = rest.iter().all(u8::is_ascii_digit);
        let number: i64 = std::str::from_utf8(rest).ok().filter(|_| digits && one_way)?.parse().ok()?;
        Some(most.max(number))
    })?;
    let nines = length.map_or(i64::MAX, |length| 10i64.pow((length - skip) as u32) - 1);
    Some(nines.min(most.saturating_mul(2)))
}

/// The distinct entries of a column of texts that its rows use.
pub fn used_entries(values: &ColumnValues) -> Vec<u32> {
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
    use super::ShorterText;

    fn of(texts: &[&str]) -> Option<(usize, Option<usize>, Option<i64>)> {
        let shorter = ShorterText::of(texts.iter().map(|text| text.as_bytes()))?;
        Some((shorter.prefix.len(), shorter.length, shorter.greatest))
    }

    #[test]
    fn digits_are_numbers_only_where_no_two_texts_become_one() {
        assert_eq!(of(&["13412341234", "13900000000"]), Some((0, Some(11), Some(27_800_000_000))));
        assert_eq!(of(&["0007", "0123"]), Some((0, Some(4), Some(246))));
        assert_eq!(of(&["70000", "123456"]), Some((0, None, Some(246_912))));
        assert_eq!(of(&["07000", "123456"]), None, "07000 and 7000 would be one");
        assert_eq!(of(&["1234a", "12345"]), None);
        assert_eq!(of(&["1234567890123456789", "1234567890123456780"]), None, "more than 64 bits may hold");
    }

    #[test]
    fn a_prefix_is_left_out_up_to_a_sign_or_to_the_digits_of_all_values() {
        assert_eq!(of(&["web-0001", "web-0899"]), Some((4, Some(8), Some(1798))));
        assert_eq!(of(&["pump0012", "pump0099"]), Some((4, Some(8), Some(198))));
        assert_eq!(of(&["eu/amsx", "eu/fraz"]), Some((3, Some(7), None)));
        assert_eq!(of(&["web-1", "web-12"]), None, "without a length nothing says where the text ends");
        assert_eq!(of(&["alpha", "alpen"]), None, "letters that happen to agree");
        assert_eq!(of(&["ä-0001", "ä-0002"]), None);
    }
}
