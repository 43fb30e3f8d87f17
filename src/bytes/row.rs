//! Row keys: the `\xNN` notation, length limits, and the row after a prefix.
//!
//! HBase's source of these rules is `org.apache.hadoop.hbase.util.Bytes` (`toStringBinary`,
//! `toBytesBinary`), `HConstants.MAX_ROW_LENGTH` and `ClientUtil.calculateTheClosestNextRowKeyForPrefix`.

use crate::base::Problem;

/// Fewest bytes of a row key: HBase refuses an empty one.
pub const MIN_ROW_LENGTH: usize = 1;

/// Most bytes of a row key (`Short.MAX_VALUE`).
pub const MAX_ROW_LENGTH: usize = 32_767;

/// True if HBase takes a row key of `length` bytes; otherwise its refusal.
pub fn check_length(length: usize) -> Result<(), Problem> {
    match length {
        0 => Err(Problem::new("row.empty")),
        MIN_ROW_LENGTH..=MAX_ROW_LENGTH => Ok(()),
        _ => Err(Problem::new("row.too-long").with("length", length)),
    }
}

/// The message code if HBase rejects a row key of `length` bytes. Its sentence has no arguments, so that it holds for many rows.
pub fn refusal_of_length(length: usize) -> Option<&'static str> {
    match length {
        0 => Some("row.empty"),
        MIN_ROW_LENGTH..=MAX_ROW_LENGTH => None,
        _ => Some("row.key-too-long"),
    }
}

/// The stop row of a scan over all rows that begin with `prefix`: trailing `ff` bytes dropped, the last byte
/// plus one. Empty, the table's end, when no row sorts above them all.
pub fn prefix_stop_row(prefix: &[u8]) -> Vec<u8> {
    let mut stop = prefix.to_vec();
    while let Some(last) = stop.pop() {
        if last < 0xff {
            stop.push(last + 1);
            break;
        }
    }
    stop
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Bytes in the notation of the HBase shell: printable ASCII but the backslash as it is, the rest `\xNN` in
/// upper case. `Bytes.toStringBinary`.
pub fn to_string_binary(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if (0x20..=0x7e).contains(&byte) && byte != b'\\' {
            text.push(char::from(byte));
        } else {
            text.push_str("\\x");
            text.extend([byte >> 4, byte & 15].map(|digit| char::from(HEX[usize::from(digit)])));
        }
    }
    text
}

/// Reads the notation of [`to_string_binary`] in a document. Stricter than HBase where HBase would silently
/// read something else: `\xab`, an unfinished `\x4` and characters beyond ASCII are refused with their column
/// and what to write. A backslash before anything but `x` is itself.
pub fn from_string_binary(text: &str) -> Result<Vec<u8>, Problem> {
    let chars: Vec<char> = text.chars().collect();
    let mut bytes = Vec::with_capacity(chars.len());
    let mut at = 0;
    while let Some(&character) = chars.get(at) {
        let (byte, taken) = match (character, chars.get(at + 1)) {
            ('\\', Some('x')) => {
                let digits = chars.get(at + 2..chars.len().min(at + 4)).unwrap_or(&[]);
                (escape(digits, at + 1)?, 4)
            }
            (ascii, _) if ascii.is_ascii() => (ascii as u8, 1),
            (other, _) => {
                return Err(Problem::new("row.beyond-ascii")
                    .with("found", other)
                    .with("write", to_string_binary(other.encode_utf8(&mut [0; 4]).as_bytes()))
                    .at_columns(at + 1, at + 2));
            }
        };
        bytes.push(byte);
        at += taken;
    }
    Ok(bytes)
}

/// The byte of the one or two `digits` after a `\x` that stands at `column`.
fn escape(digits: &[char], column: usize) -> Result<u8, Problem> {
    let found: String = digits.iter().collect();
    let hex = digits.len() == 2 && digits.iter().all(char::is_ascii_hexdigit);
    let place = |problem: Problem| {
        problem.with("found", format!("\\x{found}")).at_columns(column, column + 2 + digits.len())
    };
    match u8::from_str_radix(&found, 16) {
        Ok(byte) if hex && !found.contains(|c: char| c.is_ascii_lowercase()) => Ok(byte),
        Ok(_) if hex => Err(place(
            Problem::new("row.lower-case-hex").with("write", format!("\\x{}", found.to_ascii_uppercase())),
        )),
        _ => Err(place(Problem::new("row.unfinished-escape"))),
    }
}

/// Bytes of a text exactly as HBase's shell reads a split key (`Bytes.toBytesBinary`), its surprises
/// included: lower-case `\xab` loses only its backslash, characters above `ff` keep their low byte.
///
/// # Errors
/// `row.unfinished-escape` where HBase throws: a `\x` with fewer than two characters after it.
pub fn to_bytes_binary(text: &str) -> Result<Vec<u8>, Problem> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let digit = |unit: u16| {
        let position = HEX.iter().position(|&hex| u16::from(hex) == unit)?;
        u8::try_from(position).ok()
    };
    let mut bytes = Vec::with_capacity(units.len());
    let mut rest = units.as_slice();
    while let [unit, after @ ..] = rest {
        rest = after;
        if *unit != u16::from(b'\\') || after.first() != Some(&u16::from(b'x')) {
            bytes.push((*unit & 0xff) as u8);
            continue;
        }
        let [_, high, low, after_escape @ ..] = after else {
            let column = units.len() - after.len();
            return Err(Problem::new("row.unfinished-escape")
                .with("found", format!("\\{}", String::from_utf16_lossy(after)))
                .at_columns(column, units.len() + 1));
        };
        if let (Some(high), Some(low)) = (digit(*high), digit(*low)) {
            bytes.push(high << 4 | low);
            rest = after_escape;
        }
    }
    Ok(bytes)
}
