//! Entries of logs that were read: of each region ranges of sequence numbers, which are few as these are given out in turn.

use std::collections::HashMap;

/// Entries that were seen.
#[derive(Debug, Default)]
pub struct SeenEntries {
    /// Regions by their encoded names.
    numbers: HashMap<Vec<u8>, usize>,
    /// First and last of ranges without gaps, ascending, of each region.
    ranges: Vec<Vec<(u64, u64)>>,
    /// The last region and its number.
    last: Option<(Vec<u8>, usize)>,
}

impl SeenEntries {
    /// Notes an entry. False if it was seen before.
    pub fn insert(&mut self, region: &[u8], sequence: u64) -> bool {
        let number = match &self.last {
            Some((last, number)) if last == region => *number,
            _ => self.number(region),
        };
        let Some(ranges) = self.ranges.get_mut(number) else { return true };
        let at = match ranges.last() {
            Some((first, _)) if *first <= sequence => ranges.len(),
            _ => ranges.partition_point(|(first, _)| *first <= sequence),
        };
        let extends_next = ranges.get(at).is_some_and(|(first, _)| *first == sequence.saturating_add(1));
        let before = at.checked_sub(1).and_then(|before| ranges.get_mut(before));
        match before {
            Some((_, last)) if *last >= sequence => return false,
            Some((_, last)) if *last + 1 == sequence => {
                *last = sequence;
                if extends_next {
                    let (_, end) = ranges.remove(at);
                    if let Some((_, last)) = ranges.get_mut(at - 1) {
                        *last = end;
                    }
                }
            }
            _ if extends_next => {
                if let Some((first, _)) = ranges.get_mut(at) {
                    *first = sequence;
                }
            }
            _ => ranges.insert(at, (sequence, sequence)),
        }
        true
    }

    fn number(&mut self, region: &[u8]) -> usize {
        let number = match self.numbers.get(region) {
            Some(&number) => number,
            None => {
                self.ranges.push(Vec::new());
                self.numbers.insert(region.to_vec(), self.ranges.len() - 1);
                self.ranges.len() - 1
            }
        };
        self.last = Some((region.to_vec(), number));
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_entry_is_new_once() {
        let mut seen = SeenEntries::default();
        let mut known = HashSet::new();
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (region, sequence) = ([(state >> 60) as u8], state >> 50 & 0x3ff);
            assert_eq!(seen.insert(&region, sequence), known.insert((region, sequence)));
        }
        // Once all were seen there are no gaps.
        for region in 0..16u8 {
            (0..1024).for_each(|sequence| {
                seen.insert(&[region], sequence);
            });
        }
        assert!(seen.ranges.iter().all(|ranges| ranges.as_slice() == [(0, 1023)]));
        assert!(seen.insert(b"x", u64::MAX) && !seen.insert(b"x", u64::MAX));
    }
}
