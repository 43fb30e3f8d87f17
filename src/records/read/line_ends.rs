//! Counts line ends, for the line numbers of problems.

use wide::u8x16;

/// Line ends of a file that comes in pieces.
#[derive(Debug, Default)]
pub(super) struct LineEnds {
    pub(super) count: u64,
    /// The last byte was a CR: an LF that follows belongs to it.
    pub(super) after_cr: bool,
}

impl LineEnds {
    pub(super) fn add(&mut self, piece: &[u8]) {
        let goes_on = self.after_cr && piece.first() == Some(&b'\n');
        self.count += line_ends(piece) - u64::from(goes_on);
        self.after_cr = piece.last() == Some(&b'\r');
    }
}

/// The number of line ends, be they LF, CR and LF, or CR alone.
pub(super) fn line_ends(bytes: &[u8]) -> u64 {
    let Some((first, rest)) = bytes.split_first() else { return 0 };
    let (parts, last) = rest.as_chunks::<16>();
    // The byte before each.
    let (parts_before, last_before) = bytes.get(..rest.len()).unwrap_or_default().as_chunks::<16>();
    let mut count = u64::from(is_line_end(*first));
    // As many as a byte can count.
    for (parts, parts_before) in parts.chunks(255).zip(parts_before.chunks(255)) {
        let mut counts = u8x16::ZERO;
        for (part, before) in parts.iter().zip(parts_before) {
            let is = |part: &[u8; 16], end: u8| u8x16::new(*part).simd_eq(u8x16::splat(end));
            // An LF behind a CR ends the same line. A byte for which this is true is 255, one below 0.
            counts -= is(part, b'\r') | (is(part, b'\n') & !is(before, b'\r'));
        }
        count += counts.to_array().into_iter().map(u64::from).sum::<u64>();
    }
    let ends = last.iter().zip(last_before);
    let ends = ends.filter(|(byte, before)| **byte == b'\r' || **byte == b'\n' && **before != b'\r');
    count + ends.count() as u64
}

/// True for a byte that ends a line.
pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Byte by byte: an LF behind a CR ends the line that the CR has ended.
    fn naive(bytes: &[u8]) -> u64 {
        let mut before = 0;
        let ends = bytes.iter().filter(|&&byte| {
            let ends = byte == b'\r' || byte == b'\n' && before != b'\r';
            before = byte;
            ends
        });
        ends.count() as u64
    }

    proptest! {
        #[test]
        fn lines_are_counted_as_byte_by_byte(bytes in prop::collection::vec(prop::sample::select(vec![b'\r', b'\n', b'a']), 0..9000), cut in 0usize..200) {
            prop_assert_eq!(line_ends(&bytes), naive(&bytes));
            let mut lines = LineEnds::default();
            let (first, rest) = bytes.split_at(cut.min(bytes.len()));
            lines.add(first);
            lines.add(rest);
            prop_assert_eq!(lines.count, naive(&bytes));
        }
    }
}
