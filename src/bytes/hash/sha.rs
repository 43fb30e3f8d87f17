//! SHA-1 and SHA-256 (FIPS 180-4).

use sha1::Sha1;
use sha2::{Digest, Sha256};

/// The 20 bytes of `MessageDigest.getInstance("SHA-1")`.
pub fn sha1(message: &[u8]) -> [u8; 20] {
    Sha1::digest(message).into()
}

/// The 32 bytes of `MessageDigest.getInstance("SHA-256")`.
pub fn sha256(message: &[u8]) -> [u8; 32] {
    Sha256::digest(message).into()
}
