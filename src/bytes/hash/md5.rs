//! MD5 (RFC 1321) of many short strings: four at a time, one in each lane of a vector.

use crate::bytes::strings::ByteStrings;
use md5::{Digest, Md5};
use wide::u32x4;

/// Bytes of a digest.
pub const DIGEST: usize = 16;

/// The longest message that fits one block beside its padding.
const ONE_BLOCK: usize = 55;

/// Appends the 16-byte digest of each message to `digests`, in order.
pub fn digests(messages: &ByteStrings, digests: &mut ByteStrings) {
    let base = digests.bytes.len();
    digests.bytes.resize(base + messages.len() * DIGEST, 0);
    digests.ends.extend((1..=messages.len()).map(|count| (base + count * DIGEST) as u32));
    let Some(out) = digests.bytes.get_mut(base..) else { return };
    let mut lanes = Lanes { blocks: [[0; 64]; 4], digests: [const { None }; 4], filled: 0 };
    for (message, digest) in messages.iter().zip(out.chunks_exact_mut(DIGEST)) {
        if message.len() > ONE_BLOCK {
            digest.copy_from_slice(&Md5::digest(message));
        } else if let Some(full) = lanes.add(message, digest) {
            full.run();
        }
    }
    lanes.run();
}

/// Up to four messages on their way through one block each.
struct Lanes<'a> {
    blocks: [[u8; 64]; 4],
    digests: [Option<&'a mut [u8]>; 4],
    filled: usize,
}

impl<'a> Lanes<'a> {
    /// Puts a message of at most 55 bytes into the next lane; gives the lanes back when all four are filled.
    fn add(&mut self, message: &[u8], digest: &'a mut [u8]) -> Option<&mut Self> {
        let block = &mut self.blocks[self.filled & 3];
        *block = [0; 64];
        block[..message.len()].copy_from_slice(message);
        block[message.len()] = 0x80;
        block[56..].copy_from_slice(&(message.len() as u64 * 8).to_le_bytes());
        self.digests[self.filled & 3] = Some(digest);
        self.filled += 1;
        (self.filled == 4).then_some(self)
    }

    /// Digests the filled lanes and empties them.
    fn run(&mut self) {
        let words: [u32x4; 16] = std::array::from_fn(|i| {
            u32x4::new(std::array::from_fn(|lane| {
                let b = &self.blocks[lane][i * 4..i * 4 + 4];
                u32::from_le_bytes([b[0], b[1], b[2], b[3]])
            }))
        });
        let state = compress(&words).map(u32x4::to_array);
        for (lane, digest) in self.digests.iter_mut().enumerate() {
            let Some(digest) = digest.take() else { continue };
            for (bytes, word) in digest.chunks_exact_mut(4).zip(&state) {
                bytes.copy_from_slice(&word[lane].to_le_bytes());
            }
        }
        self.filled = 0;
    }
}

const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// `floor(2^32 × |sin(i + 1)|)`.
const SINES: [u32x4; 64] = in_each_lane([
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
]);

const START: [u32x4; 4] = in_each_lane([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);

/// Each word as a vector: made when this is compiled, for a vector made of a word is a loop where little is inlined.
const fn in_each_lane<const N: usize>(words: [u32; N]) -> [u32x4; N] {
    let mut vectors = [u32x4::ZERO; N];
    let mut at = 0;
    while at < N {
        vectors[at] = u32x4::splat(words[at]);
        at += 1;
    }
    vectors
}

/// The four words of state after one block, in each lane.
fn compress(words: &[u32x4; 16]) -> [u32x4; 4] {
    let [mut a, mut b, mut c, mut d] = START;
    let step = |a: u32x4, b: u32x4, f: u32x4, word: usize, i: usize| {
        let sum = a + f + words[word & 15] + SINES[i];
        let shift = SHIFTS[i / 16][i % 4];
        b + ((sum << shift) | (sum >> (32 - shift)))
    };
    for i in 0..16 {
        (a, d, c, b) = (d, c, b, step(a, b, d ^ (b & (c ^ d)), i, i));
    }
    for i in 16..32 {
        (a, d, c, b) = (d, c, b, step(a, b, c ^ (d & (b ^ c)), 5 * i + 1, i));
    }
    for i in 32..48 {
        (a, d, c, b) = (d, c, b, step(a, b, b ^ c ^ d, 3 * i + 5, i));
    }
    for i in 48..64 {
        (a, d, c, b) = (d, c, b, step(a, b, c ^ (b | !d), 7 * i, i));
    }
    let end = [a, b, c, d];
    std::array::from_fn(|i| end[i] + START[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lanes_agree_with_the_md5_crate(messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..130), 0..23)) {
            let mut input = ByteStrings::default();
            messages.iter().for_each(|message| input.push(message));
            let mut output = ByteStrings::default();
            output.push(b"before");
            digests(&input, &mut output);
            prop_assert_eq!(output.len(), messages.len() + 1);
            for (i, message) in messages.iter().enumerate() {
                prop_assert_eq!(output.get(i + 1), &Md5::digest(message)[..]);
            }
        }
    }
}
