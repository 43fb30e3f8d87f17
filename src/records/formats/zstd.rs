//! Text packed with zstd: frames one after the other, of which some may hold nothing.

use super::feed::{Feed, Halt, Window, need};
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{DEFAULT_MAX_WINDOW_SIZE, FrameDecoder};

const PART: &str = "ZSTD";
/// Bytes of the longest block with its head, and of the longest header of a frame.
const LONGEST_BLOCK: u64 = (1 << 17) + 16;
/// Bytes unpacked at a time.
const PIECE: usize = 1 << 18;
/// Bytes read ahead.
const AHEAD: u64 = 1 << 20;

/// Unpacks it.
pub struct ZstdText {
    window: Window,
    at: u64,
    decoder: FrameDecoder,
    /// Within a frame.
    is_open: bool,
    /// Bytes that were made of the frame.
    made: u64,
}

impl std::fmt::Debug for ZstdText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ZstdText").field("at", &self.at).finish_non_exhaustive()
    }
}

impl Default for ZstdText {
    fn default() -> Self {
        Self { window: Window::new(AHEAD), at: 0, decoder: FrameDecoder::new(), is_open: false, made: 0 }
    }
}

impl ZstdText {
    /// The next bytes; `None` at the end.
    pub fn next(&mut self, feed: &mut Feed) -> Result<Option<Vec<u8>>, Halt> {
        loop {
            let packed = self.window.rest(feed, self.at, LONGEST_BLOCK, u64::MAX)?;
            if !self.is_open {
                if packed.is_empty() {
                    // The last frame may be one to skip, which is cut.
                    return self.window.reach(feed, self.at).map(|()| None);
                }
                if let Some(length) = skipped(packed) {
                    self.at += length;
                    continue;
                }
                let mut rest = packed;
                self.decoder.set_max_window_size(DEFAULT_MAX_WINDOW_SIZE.min(feed.memory));
                self.decoder.reset(&mut rest).map_err(|error| match error {
                    FrameDecoderError::WindowSizeTooBig { requested, .. } => feed.full(requested),
                    _ => Halt::broken(PART),
                })?;
                self.at += (packed.len() - rest.len()) as u64;
                (self.is_open, self.made) = (true, 0);
                continue;
            }
            let mut text = vec![0; PIECE];
            // One block at a time: a few bytes can hold many that are long once unpacked.
            let block = if self.decoder.is_finished() { &[] } else { block(packed) };
            let (read, made) = need(self.decoder.decode_from_to(block, &mut text).ok(), PART)?;
            // It reports a missing checksum as read.
            let read = read.min(packed.len());
            self.at += read as u64;
            self.made += made as u64;
            let is_done = self.decoder.is_finished() && self.decoder.can_collect() == 0;
            if is_done {
                let stated = self.decoder.get_checksum_from_data();
                let sums = stated.zip(self.decoder.get_calculated_checksum());
                need(sums.is_none_or(|(stated, found)| stated == found).then_some(()), PART)?;
                // A frame of 0 bytes, or of a number that is not stated.
                let stated = self.decoder.content_size();
                need((stated == 0 || stated == self.made).then_some(()), PART)?;
                self.is_open = false;
            }
            if made > 0 {
                text.truncate(made);
                return Ok(Some(text));
            }
            if read == 0 && !is_done {
                return Err(Halt::broken(PART));
            }
        }
    }
}

/// Bytes of a frame that holds nothing for us, if one begins here.
fn skipped(packed: &[u8]) -> Option<u64> {
    match packed {
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, length @ ..] => {
            Some(8 + u64::from(u32::from_le_bytes(*length.first_chunk::<4>()?)))
        }
        _ => None,
    }
}

/// The first block, with the checksum that may follow the last of a frame.
fn block(packed: &[u8]) -> &[u8] {
    let [first, second, third, ..] = packed else { return packed };
    let head = u32::from_le_bytes([*first, *second, *third, 0]);
    let content = if head >> 1 & 3 == 1 { 1 } else { head >> 3 };
    let checksum = if head & 1 == 1 { 4 } else { 0 };
    let length = (3 + content + checksum) as usize;
    packed.get(..length).unwrap_or(packed)
}
