//! Some of many lines or keys.

/// At most so many, from all over the file: one of each stretch of it, not always at the same place, so that kinds that take turns all
/// come in.
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
