//! The frame around the body of a binary form: its first bytes, the version, the length and a checksum.

use super::codec::DAMAGED;
use crate::base::Problem;
use crate::bytes::hash::crc32;
use std::cmp::Ordering;

/// Bytes before the body: four that name the form, version, length of the body, its CRC-32.
const HEADER: usize = 20;

/// A body in its frame.
pub fn framed(magic: [u8; 4], version: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend(magic);
    bytes.extend(version.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(crc32(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// The version, from 1 to `known`, and the body.
///
/// # Errors
/// `summary.not-one`, `summary.other-version`, `summary.cut-short`, `summary.damaged`.
pub fn unframed(bytes: &[u8], magic: [u8; 4], known: u32) -> Result<(u32, &[u8]), Problem> {
    let found = bytes.get(..magic.len()).unwrap_or(bytes);
    if bytes.is_empty() || !magic.starts_with(found) {
        return Err(Problem::new("summary.not-one").with("magic", String::from_utf8_lossy(&magic)));
    }
    let cut_short =
        |wanted: u64| Problem::new("summary.cut-short").with("found", bytes.len()).with("wanted", wanted);
    let number =
        |from: usize| bytes.get(from..).and_then(<[u8]>::first_chunk).map(|four| u32::from_le_bytes(*four));
    let header = (number(4), number(8), number(12), number(16));
    if let Some(version) = header.0.filter(|version| !(1..=known).contains(version)) {
        return Err(Problem::new("summary.other-version").with("version", version).with("known", known));
    }
    let (Some(version), Some(low), Some(high), Some(sum)) = header else {
        return Err(cut_short(HEADER as u64));
    };
    let wanted = (u64::from(high) << 32 | u64::from(low)).saturating_add(HEADER as u64);
    let body = bytes.get(HEADER..).unwrap_or_default();
    match (bytes.len() as u64).cmp(&wanted) {
        Ordering::Less => Err(cut_short(wanted)),
        Ordering::Equal if crc32(body) == sum => Ok((version, body)),
        _ => Err(Problem::new(DAMAGED)),
    }
}
