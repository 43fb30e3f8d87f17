//! Bob Jenkins' lookup3 (`hashlittle`): `org.apache.hadoop.hbase.util.JenkinsHash`.

use super::little_endian;

/// The hash of `bytes`.
pub fn jenkins(bytes: &[u8], seed: i32) -> i32 {
    let start = 0xdead_beef_u32.wrapping_add(bytes.len() as u32).wrapping_add(seed as u32);
    let mut state = [start; 3];
    // The last block, full or not, is mixed differently; without bytes there is none.
    let last = bytes.len().saturating_sub(1) / 12 * 12;
    let (blocks, rest) = bytes.split_at(last);
    for block in blocks.chunks_exact(12) {
        add(&mut state, block);
        mix(&mut state);
    }
    if !rest.is_empty() {
        add(&mut state, rest);
        finish(&mut state);
    }
    state[2] as i32
}

/// Adds up to 12 bytes, four a word.
fn add(state: &mut [u32; 3], block: &[u8]) {
    for (word, bytes) in state.iter_mut().zip(block.chunks(4)) {
        *word = word.wrapping_add(little_endian(bytes));
    }
}

fn mix([a, b, c]: &mut [u32; 3]) {
    let step = |x: &mut u32, y: &mut u32, z: &mut u32, by: u32| {
        *x = x.wrapping_sub(*z) ^ z.rotate_left(by);
        *z = z.wrapping_add(*y);
    };
    step(a, b, c, 4);
    step(b, c, a, 6);
    step(c, a, b, 8);
    step(a, b, c, 16);
    step(b, c, a, 19);
    step(c, a, b, 4);
}

fn finish([a, b, c]: &mut [u32; 3]) {
    let step = |x: &mut u32, y: &u32, by: u32| *x = (*x ^ *y).wrapping_sub(y.rotate_left(by));
    step(c, b, 14);
    step(a, c, 11);
    step(b, a, 25);
    step(c, b, 16);
    step(a, c, 4);
    step(b, a, 14);
    step(c, b, 24);
}
