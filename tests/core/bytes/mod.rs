//! Values, hashes and salts as HBase, Java and Phoenix write them.

mod codec;
mod codec_bytes;
mod hashes;
mod phoenix;
mod row;
mod salts;
