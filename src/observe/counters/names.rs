//! Names of regions, as dumps write them.

use crate::bytes::hash::md5;
use crate::bytes::row::from_string_binary;
use crate::bytes::strings::ByteStrings;

/// U+FFFD, the replacement character.
const REPLACED: &[u8] = "\u{fffd}".as_bytes();
/// Digits of an encoded name.
const ENCODED: usize = 32;

/// A region by its full name: `table,start,id.encoded.`, with `_` and four digits behind the id of a replica.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionName {
    /// The table, with its namespace unless that is the default one.
    pub table: String,
    /// First row.
    pub start: Vec<u8>,
    /// When it was created, milliseconds since the epoch.
    pub id: u64,
    /// Number of the replica; 0 for the region itself.
    pub replica: u16,
    /// The encoded name; empty where the full one lacks it.
    pub encoded: String,
    /// True if the start row is complete: the hash of the rest is the encoded name, or no byte was replaced by U+FFFD on the way to text.
    pub is_whole: bool,
}

impl RegionName {
    /// Takes a name apart; `None` where it is none.
    pub fn read(name: &[u8]) -> Option<Self> {
        let comma = |&byte: &u8| byte == b',';
        let first = name.iter().position(comma)?;
        let last = name.iter().rposition(comma).filter(|&last| last > first)?;
        let table = std::str::from_utf8(name.get(..first)?).ok().filter(|table| !table.is_empty())?;
        let tail = std::str::from_utf8(name.get(last + 1..)?).ok()?;
        let (id, encoded) = tail.split_once('.').unwrap_or((tail, ""));
        let encoded = encoded.strip_suffix('.').unwrap_or(encoded);
        let (time, replica) = id.split_once('_').unwrap_or((id, "0"));
        if !encoded.is_empty() && !is_encoded(encoded) {
            return None;
        }
        let hashed = name.get(..last + 1 + id.len())?;
        Some(Self {
            table: table.to_owned(),
            start: name.get(first + 1..last)?.to_vec(),
            id: time.parse().ok()?,
            replica: u16::from_str_radix(replica, 16).ok()?,
            encoded: encoded.to_owned(),
            is_whole: encoded == encoded_name(hashed) || !hashed.windows(3).any(|bytes| bytes == REPLACED),
        })
    }

    /// Takes a name apart that is in the notation of the shell, quoted or not, its backslashes doubled or not.
    pub fn read_shown(name: &str) -> Option<Self> {
        let plain = |name: &str| Self::read(&from_string_binary(name).ok()?);
        match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
            // Ruby's `dump` puts a backslash before each one, and before quotation marks.
            Some(dumped) => {
                let undone = dumped.replace("\\\"", "\"").replace("\\#", "#").replace("\\\\", "\\");
                plain(&undone).or_else(|| plain(dumped))
            }
            None => plain(name).or_else(|| Self::read(name.as_bytes())),
        }
    }
}

/// The encoded name of the region whose full name begins so.
fn encoded_name(name: &[u8]) -> String {
    let mut digests = ByteStrings::default();
    let mut names = ByteStrings::default();
    names.push(name);
    md5::digests(&names, &mut digests);
    digests.get(0).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The encoded name of a region.
pub fn encoded_of(table: &str, start: &[u8], id: u64) -> String {
    let mut name = format!("{table},").into_bytes();
    name.extend_from_slice(start);
    name.extend_from_slice(format!(",{id}").as_bytes());
    encoded_name(&name)
}

/// True for an encoded name: 32 digits of a hash, or the ten of `hbase:meta`.
pub fn is_encoded(name: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    name.len() == ENCODED && digits(name) || name == "1588230740"
}

/// A metric of a region server: `Namespace_ns_table_t_region_ENCODED_metric_NAME`. Tables have underscores too, so the digits are the anchor.
pub fn metric_name(name: &str) -> Option<(String, &str, &str)> {
    let rest = name.get("namespace_".len()..).filter(|_| name.is_char_boundary("namespace_".len()))?;
    if !name.get(.."namespace_".len())?.eq_ignore_ascii_case("namespace_") {
        return None;
    }
    let (before, metric) = rest.rsplit_once("_metric_")?;
    let (table, encoded) = before.rsplit_once("_region_")?;
    if !is_encoded(encoded) {
        return None;
    }
    let (namespace, table) = table.split_once("_table_")?;
    let table = if namespace == "default" { table.to_owned() } else { format!("{namespace}:{table}") };
    Some((table, encoded, metric))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "load:meter,cph|,1795781770141.e2c35a0cac6ac8a9ceaa8f634e527d23.";

    #[test]
    fn lossy_names_fail_their_hash() {
        let name = RegionName::read(NAME.as_bytes()).unwrap();
        assert_eq!((name.table.as_str(), name.start.as_slice()), ("load:meter", b"cph|".as_slice()));
        assert_eq!((name.id, name.replica, name.is_whole), (1_795_781_770_141, 0, true));
        let lossy = RegionName::read(NAME.replace("cph", "cp\u{fffd}").as_bytes()).unwrap();
        assert!(!lossy.is_whole);
        // A name that somebody changed before passing it on.
        assert!(RegionName::read(NAME.replace("cph", "abc").as_bytes()).unwrap().is_whole);
        let start = "\u{fffd}".as_bytes();
        let name = format!("t,\u{fffd},5.{}.", super::encoded_of("t", start, 5));
        assert!(RegionName::read(name.as_bytes()).unwrap().is_whole);
        let commas = RegionName::read(b"t,a,b.c,5.").unwrap();
        assert_eq!((commas.start.as_slice(), commas.id), (b"a,b.c".as_slice(), 5));
        assert_eq!(RegionName::read(b"no region"), None);
        assert_eq!(RegionName::read(b"a,b"), None);
    }

    #[test]
    fn names_of_the_shell_have_doubled_backslashes() {
        let read = |name: &str| RegionName::read_shown(name).unwrap().start;
        assert_eq!(read(r#""t,\\x01\\xFFa,5.""#), b"\x01\xffa");
        assert_eq!(read(r"t,\x01\xFFa,5."), b"\x01\xffa");
        assert_eq!(read(r#""t,\"\#{,5.""#), b"\"#{");
        assert_eq!(read("t,\u{0}é,5."), "\u{0}é".as_bytes());
    }

    #[test]
    fn metrics_name_tables_with_underscores() {
        let encoded = "e2c35a0cac6ac8a9ceaa8f634e527d23";
        let name = format!("Namespace_a_b_table_c_d_region_{encoded}_metric_putCount");
        assert_eq!(metric_name(&name), Some(("a_b:c_d".to_owned(), encoded, "putCount")));
        let name = format!("namespace_default_table_t_region_{encoded}_metric_x_y");
        assert_eq!(metric_name(&name), Some(("t".to_owned(), encoded, "x_y")));
        assert_eq!(metric_name("Namespace_a_table_b_metric_c"), None);
    }
}
