//! Sorting rows by short numbers that stand for their keys.

use crate::base::host::tick;

/// Bits of a radix digit: 2,048 counters stay in the first-level cache.
const DIGIT: u32 = 11;

/// Rows with a number each that orders as their keys do: equal for equal keys, and only for them.
#[derive(Clone, Debug, Default)]
pub struct SortCodes {
    /// `code << row_bits | row`, ascending by row.
    pub items: Vec<u64>,
    /// Bits of the code.
    pub code_bits: u32,
    /// Bits of the row.
    pub row_bits: u32,
}

impl SortCodes {
    /// Rows in ascending order of their codes, equal codes in order of arrival; and the places in that order whose code
    /// is that of the place before.
    pub fn sorted(self) -> (Vec<u32>, Vec<u32>) {
        let passes = self.code_bits.div_ceil(DIGIT);
        let width = self.code_bits.div_ceil(passes.max(1));
        let mut items = self.items;
        let mut spare = vec![0u64; if passes > 0 { items.len() } else { 0 }];
        let mut counts = vec![vec![0u32; 1 << width]; passes as usize];
        let mask = (1u64 << width) - 1;
        let digit = |item: u64, pass: usize| (item >> (self.row_bits + pass as u32 * width) & mask) as usize;
        for &item in &items {
            for (pass, counts) in counts.iter_mut().enumerate() {
                counts[digit(item, pass)] += 1;
            }
        }
        for (pass, starts) in counts.iter_mut().enumerate() {
            tick(items.len());
            let mut next = 0;
            for start in starts.iter_mut() {
                next += std::mem::replace(start, next);
            }
            for &item in &items {
                let slot = &mut starts[digit(item, pass)];
                spare[*slot as usize] = item;
                *slot += 1;
            }
            std::mem::swap(&mut items, &mut spare);
        }
        let rows = (1u64 << self.row_bits) - 1;
        let mut repeats = Vec::new();
        let mut before = None;
        for (place, &item) in items.iter().enumerate() {
            let code = Some(item >> self.row_bits);
            if code == before {
                repeats.push(place as u32);
            }
            before = code;
        }
        (items.into_iter().map(|item| (item & rows) as u32).collect(), repeats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_a_stable_sort(codes in prop::collection::vec(0u64..1 << 40, 0..400), few in any::<bool>()) {
            let codes: Vec<u64> = codes.into_iter().map(|code| if few { code % 3 } else { code }).collect();
            let items = codes.iter().zip(0u64..).map(|(code, row)| code << 9 | row).collect();
            let mut naive: Vec<u32> = (0..codes.len() as u32).collect();
            naive.sort_by_key(|&row| codes[row as usize]);
            let code = |place: u32| codes[naive[place as usize] as usize];
            let repeats: Vec<u32> = (1..codes.len() as u32).filter(|&place| code(place) == code(place - 1)).collect();
            prop_assert_eq!(SortCodes { items, code_bits: 40, row_bits: 9 }.sorted(), (naive, repeats));
        }
    }
}
