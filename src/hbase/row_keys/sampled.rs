//! Some of many lines or keys.

/// Samples at most `most` items: one at a random offset in each of as many equal strides, because a fixed stride misses kinds of keys
/// that alternate.
pub(super) fn some_of<T: Copy>(all: &[T], most: usize) -> Vec<T> {
    let step = all.len().div_ceil(most.max(1)).max(1);
    let mut state = 0x9e37_79b9_u32;
    let mut one = |stretch: &[T]| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        stretch.get(state as usize % stretch.len().max(1)).copied()
    };
    all.chunks(step).filter_map(&mut one).collect()
}
