//! Finds the bytes that end fields and records, 64 at a time.
//!
//! The meaning of a byte depends on everything before it only through one of four [`Quoting`] states, so a file can
//! be cut anywhere: [`MarkScanner::scan`] gives the state after a part from the state before it.

use wide::u8x16;

/// Where in a field a position lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quoting {
    /// A field begins here: a quote opens it.
    #[default]
    Start,
    /// In a field without quotes, or after a closed one: quotes are ordinary bytes.
    Plain,
    /// Inside quotes: separators and line ends are ordinary bytes.
    Quoted,
    /// Just after a quote that closes the field, unless another follows and both stand for one.
    Closed,
}

/// Other bytes that a scan came across.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenBytes {
    /// Bytes of 128 and above: the text has to be checked to be UTF-8.
    pub non_ascii: bool,
    /// Doubled or stray quotes: a quoted field is more than its bytes between the first and the last.
    pub odd_quotes: bool,
}

impl SeenBytes {
    /// The bytes that either scan came across.
    pub fn or(self, other: Self) -> Self {
        Self { non_ascii: self.non_ascii | other.non_ascii, odd_quotes: self.odd_quotes | other.odd_quotes }
    }
}

/// The bytes that matter: separator, quote; LF and CR always end a record.
#[derive(Clone, Copy, Debug)]
pub struct MarkScanner {
    separator: u8,
    quote: Option<u8>,
}

impl MarkScanner {
    /// A scanner for files with this separator and, unless `None`, this quote. A line-by-line format gives LF as separator.
    pub fn new(separator: u8, quote: Option<u8>) -> Self {
        Self { separator, quote }
    }

    /// True if a quote is among these bytes.
    pub fn finds_quote(&self, bytes: &[u8]) -> bool {
        // Without a way out of each block, vectors compare many bytes at once.
        let within =
            |block: &[u8], quote: u8| block.iter().fold(false, |found, &byte| found | (byte == quote));
        self.quote.is_some_and(|quote| bytes.chunks(1 << 12).any(|block| within(block, quote)))
    }

    /// True if this byte ends a field.
    pub fn ends_field(&self, byte: u8) -> bool {
        byte == self.separator || byte == b'\n' || byte == b'\r'
    }

    /// Calls `mark` with the position of every separator, LF and CR outside quotes, ascending.
    pub fn scan(&self, bytes: &[u8], entry: Quoting, mut mark: impl FnMut(usize)) -> (Quoting, SeenBytes) {
        let (blocks, rest) = bytes.as_chunks::<64>();
        let mut state = entry;
        let mut seen = SeenBytes::default();
        for (index, block) in blocks.iter().enumerate() {
            state = self.block(block, 64, index * 64, state, &mut seen, &mut mark);
        }
        if !rest.is_empty() {
            let mut block = [0; 64];
            block[..rest.len()].copy_from_slice(rest);
            state = self.block(&block, rest.len(), blocks.len() * 64, state, &mut seen, &mut mark);
        }
        (state, seen)
    }

    #[inline(always)]
    fn block(
        &self,
        block: &[u8; 64],
        length: usize,
        base: usize,
        state: Quoting,
        seen: &mut SeenBytes,
        mark: &mut impl FnMut(usize),
    ) -> Quoting {
        let Masks { ends, quotes, non_ascii } = self.masks(block);
        seen.non_ascii |= non_ascii;
        let valid = u64::MAX >> (64 - length);
        let (ends, quotes) = (ends & valid, quotes & valid);
        let last = 1 << (length - 1);
        if quotes == 0 {
            if state == Quoting::Quoted {
                return state;
            }
            each_bit(ends, base, mark);
            return if ends & last != 0 { Quoting::Start } else { Quoting::Plain };
        }
        let inside = prefix_xor(quotes) ^ if state == Quoting::Quoted { u64::MAX } else { 0 };
        let (opening, closing, ends) = (quotes & inside, quotes & !inside, ends & !inside);
        let after_end = ends << 1 | u64::from(state == Quoting::Start);
        let after_close = closing << 1 | u64::from(state == Quoting::Closed);
        if opening & !(after_end | after_close) != 0 {
            seen.odd_quotes = true;
            return self.bytewise(&block[..length], base, state, mark);
        }
        seen.odd_quotes |= opening & after_close != 0;
        each_bit(ends, base, mark);
        if inside & last != 0 {
            Quoting::Quoted
        } else if ends & last != 0 {
            Quoting::Start
        } else if closing & last != 0 {
            Quoting::Closed
        } else {
            Quoting::Plain
        }
    }

    /// The rule itself, a byte at a time: for blocks with a quote where none should be.
    #[cold]
    fn bytewise(&self, bytes: &[u8], base: usize, entry: Quoting, mark: &mut impl FnMut(usize)) -> Quoting {
        let mut state = entry;
        for (index, &byte) in bytes.iter().enumerate() {
            let quote = Some(byte) == self.quote;
            let end = byte == self.separator || byte == b'\n' || byte == b'\r';
            state = match state {
                Quoting::Quoted if quote => Quoting::Closed,
                Quoting::Quoted => Quoting::Quoted,
                Quoting::Start | Quoting::Closed if quote => Quoting::Quoted,
                _ if end => {
                    mark(base + index);
                    Quoting::Start
                }
                _ => Quoting::Plain,
            };
        }
        state
    }

    #[inline(always)]
    fn masks(&self, block: &[u8; 64]) -> Masks {
        let separator = u8x16::splat(self.separator);
        let (lf, cr) = (u8x16::splat(b'\n'), u8x16::splat(b'\r'));
        let mut masks = Masks::default();
        let mut all = u8x16::splat(0);
        let (parts, _) = block.as_chunks::<16>();
        for (index, part) in parts.iter().enumerate() {
            let bytes = u8x16::new(*part);
            all |= bytes;
            let ends = bytes.simd_eq(separator) | bytes.simd_eq(lf) | bytes.simd_eq(cr);
            masks.ends |= u64::from(ends.to_bitmask()) << (16 * index);
            if let Some(quote) = self.quote {
                let quotes = bytes.simd_eq(u8x16::splat(quote));
                masks.quotes |= u64::from(quotes.to_bitmask()) << (16 * index);
            }
        }
        masks.non_ascii = all.to_bitmask() != 0;
        masks
    }
}

#[derive(Default)]
struct Masks {
    ends: u64,
    quotes: u64,
    non_ascii: bool,
}

#[inline(always)]
fn each_bit(mut bits: u64, base: usize, mark: &mut impl FnMut(usize)) {
    while bits != 0 {
        mark(base + bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Bit i of the result: whether an odd number of bits up to and including i are set.
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop::sample::select(b"ab\"\",\n\r;\xe9".to_vec()), 0..300)
    }

    fn marks(scanner: MarkScanner, bytes: &[u8], entry: Quoting) -> (Vec<usize>, Quoting) {
        let mut marks = Vec::new();
        let (state, _) = scanner.scan(bytes, entry, |at| marks.push(at));
        (marks, state)
    }

    proptest! {
        #[test]
        fn blocks_agree_with_the_bytewise_rule(bytes in text()) {
            let scanner = MarkScanner::new(b',', Some(b'"'));
            for entry in [Quoting::Start, Quoting::Plain, Quoting::Quoted, Quoting::Closed] {
                let mut naive = Vec::new();
                let state = scanner.bytewise(&bytes, 0, entry, &mut |at| naive.push(at));
                prop_assert_eq!(marks(scanner, &bytes, entry), (naive, state));
            }
        }

        #[test]
        fn states_compose_at_any_cut(bytes in text(), cut in 0usize..300) {
            let scanner = MarkScanner::new(b',', Some(b'"'));
            let (left, right) = bytes.split_at(cut.min(bytes.len()));
            let behind = |bytes: &[u8], entry: Quoting| scanner.scan(bytes, entry, |_| {}).0;
            let whole = behind(&bytes, Quoting::Start);
            prop_assert_eq!(behind(right, behind(left, Quoting::Start)), whole);
        }
    }

    #[test]
    fn a_quote_inside_an_unquoted_field_is_an_ordinary_byte() {
        let scanner = MarkScanner::new(b',', Some(b'"'));
        assert_eq!(marks(scanner, b"5\" pipe,10\n", Quoting::Start), (vec![7, 10], Quoting::Start));
    }
}
