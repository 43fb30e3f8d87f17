//! Hashes against the records of a real HBase and JVM.

use crate::common::{records, unhex};
use rowscape::bytes::strings::ByteStrings;
use rowscape::hash::{self, md5};
use serde_json::{Value, json};

fn hex(bytes: &[u8]) -> Value {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}

fn md5_of(bytes: &[u8]) -> Value {
    let (mut messages, mut digests) = (ByteStrings::default(), ByteStrings::default());
    messages.push(bytes);
    md5::digests(&messages, &mut digests);
    hex(digests.get(0))
}

/// The UTF-16 units of a text.
fn units(record: &Value) -> Vec<u16> {
    match record["text"].as_str() {
        Some(text) => text.encode_utf16().collect(),
        None => {
            unhex(&record["utf16be"]).as_chunks().0.iter().map(|&pair| u16::from_be_bytes(pair)).collect()
        }
    }
}

fn found(record: &Value) -> Value {
    let op = record["op"].as_str().expect("op");
    if op == "String.hashCode" {
        let hash = hash::java_units(units(record).into_iter());
        if let Some(text) = record["text"].as_str() {
            assert_eq!(hash::java_string(text.as_bytes()), Some(hash), "{record}");
        }
        return json!(hash);
    }
    let bytes = unhex(&record["bytes"]);
    let seed = record["seed"].as_i64().unwrap_or_default() as i32;
    match op {
        "MD5" | "MD5Hash.getMD5AsHex" => md5_of(&bytes),
        "MD5.upper" => md5_of(&bytes).as_str().expect("hex").to_uppercase().into(),
        "SHA-1" => hex(&hash::sha1(&bytes)),
        "SHA-256" => hex(&hash::sha256(&bytes)),
        "CRC32" => json!(hash::crc32(&bytes)),
        "Bytes.hashCode" | "Arrays.hashCode" => json!(hash::java_bytes(&bytes)),
        "MurmurHash" => json!(hash::murmur(&bytes, seed)),
        "MurmurHash3" => json!(hash::murmur3(&bytes, seed)),
        "JenkinsHash" => json!(hash::jenkins(&bytes, seed)),
        other => panic!("{other}"),
    }
}

/// A long is recorded as text.
fn plain(out: &Value) -> String {
    out.as_str().map_or_else(|| out.to_string(), str::to_owned)
}

#[test]
fn hashes_are_those_of_hbase_and_java() {
    for (line, record) in records("hashes") {
        assert_eq!(plain(&found(&record)), plain(&record["out"]), "hashes.jsonl:{line}: {record}");
    }
}
