//! Filters that drop, in the region server, what ranges read too much.

use super::choices::{ChoiceReason, few};
use super::piece::{KeyPiece, KeyPieces};
use super::range::KeyRange;
use super::walk::WalkState;
use crate::base::map::Set;

/// A filter of `org.apache.hadoop.hbase.filter`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanFilter {
    /// `MultiRowRangeFilter`: the ranges of the plan in one scan.
    MultiRowRange,
    /// `FuzzyRowFilter`: for each pair, where the mask is 0 the row has the byte of the key, where it is 1 any.
    Fuzzy {
        /// Keys and masks.
        pairs: Vec<(Vec<u8>, Vec<u8>)>,
        /// True if with it the plan returns matching rows only.
        exact: bool,
    },
    /// `RowFilter` with a `RegexStringComparator` (ISO-8859-1, `DOTALL`).
    RowRegex {
        /// The pattern.
        pattern: String,
    },
}

impl ScanFilter {
    /// A pattern, as that of [`ScanFilter::RowRegex`], of the rows that it lets through; `None` for one that only joins ranges.
    pub fn pattern(&self) -> Option<String> {
        let row = |(key, mask): &(Vec<u8>, Vec<u8>)| {
            let byte = |(byte, mask): (&u8, &u8)| if *mask == 0 { quoted(&[*byte]) } else { ".".to_owned() };
            key.iter().zip(mask).map(byte).collect()
        };
        match self {
            Self::MultiRowRange => None,
            Self::Fuzzy { pairs, .. } => {
                let rows: Vec<String> = pairs.iter().map(row).collect();
                Some(format!("^{}", alternatives(&rows)))
            }
            Self::RowRegex { pattern } => Some(pattern.clone()),
        }
    }
}

impl ScanFilter {
    /// For the scan of one range of a plan: without the keys that none of its rows can have.
    pub fn within(&self, range: &KeyRange) -> Self {
        let Self::Fuzzy { pairs, exact } = self else { return self.clone() };
        let prefix = range.common_prefix();
        let fits = |(key, mask): &&(Vec<u8>, Vec<u8>)| {
            let mut bytes = prefix.iter().zip(key).zip(mask);
            bytes.all(|((own, byte), mask)| *mask != 0 || own == byte)
        };
        let few: Vec<_> = pairs.iter().filter(fits).cloned().collect();
        // Without a key all rows would pass.
        Self::Fuzzy { pairs: if few.is_empty() { pairs.clone() } else { few }, exact: *exact }
    }
}

/// More prefixes than these and a filter costs more than it saves.
const MOST_PREFIXES: usize = 64;

/// How the scan that is filtered reads.
pub(super) struct FilteredScan {
    /// False if the fields of a row cannot all be read from its key.
    pub readable: bool,
    /// From the last row to the first.
    pub reversed: bool,
}

/// The filter that drops most of the rows not asked for; `exact` tells of the fields it pins whether all are pinned.
///
/// A reversed scan gets no `FuzzyRowFilter`: up to HBase 2.6.1 it loses rows there (HBASE-28634), and since then it may seek
/// to the row it is at for ever, which keeps a thread of the region server (HBASE-30226).
pub(super) fn filter(
    pieces: &KeyPieces,
    states: &[WalkState],
    from: usize,
    FilteredScan { readable, reversed }: FilteredScan,
    exact: impl Fn(&Set<usize>) -> bool,
) -> Option<ScanFilter> {
    if states.is_empty() || states.len() > MOST_PREFIXES {
        return None;
    }
    // Columns at the end that are NULL leave out their separators.
    let later = pieces.get(from..pieces.before_nullable_end()).unwrap_or_default();
    // The last piece that is known, and what of it can be found by its place.
    let (mut placed, mut any, mut pinned) = (0, false, Set::new());
    let mut fixed = true;
    for (index, piece) in later.iter().enumerate() {
        let known = states.iter().all(|state| known(piece, state).is_some());
        if known && !piece.is_literal() {
            any = true;
            if fixed {
                placed = index + 1;
                if piece.shape.one_to_one {
                    pinned.extend(piece.fields.iter().copied());
                }
            }
        }
        fixed &= known || piece.shape.width.exact().is_some();
    }
    if placed > 0 && !reversed {
        let pieces = later.get(..placed).unwrap_or_default();
        let pairs = states.iter().map(|state| fuzzy(pieces, state)).collect();
        return Some(ScanFilter::Fuzzy { pairs, exact: readable && exact(&pinned) });
    }
    any.then(|| {
        let patterns: Vec<String> = states.iter().map(|state| regex(later, state)).collect();
        let rest = if pieces.nullable_end.separators > 0 { ".*" } else { "" };
        ScanFilter::RowRegex { pattern: format!("^{}{rest}$", alternatives(&patterns)) }
    })
}

fn known(piece: &KeyPiece, state: &WalkState) -> Option<Vec<u8>> {
    let few = few(&piece.expression, &state.domains, 1).filter(|few| few.by == ChoiceReason::Known)?;
    few.choices.first().map(|choice| choice.value.bytes().to_vec())
}

fn fuzzy(pieces: &[KeyPiece], state: &WalkState) -> (Vec<u8>, Vec<u8>) {
    let mut key = state.prefix.clone();
    let mut mask = vec![0; key.len()];
    for piece in pieces {
        let known = known(piece, state);
        let any = u8::from(known.is_none());
        let width = piece.shape.width.exact().unwrap_or_default() as usize;
        key.extend(known.unwrap_or_else(|| vec![0; width]));
        mask.resize(key.len(), any);
    }
    (key, mask)
}

fn regex(pieces: &[KeyPiece], state: &WalkState) -> String {
    let mut pattern = quoted(&state.prefix);
    for piece in pieces {
        match (known(piece, state), piece.shape.width.exact()) {
            (Some(bytes), _) => pattern += &quoted(&bytes),
            (None, Some(width)) => pattern += &format!(".{{{width}}}"),
            (None, None) if !pattern.ends_with(".*") => pattern += ".*",
            (None, None) => {}
        }
    }
    pattern
}

fn alternatives(patterns: &[String]) -> String {
    match patterns {
        [only] => only.clone(),
        _ => format!("(?:{})", patterns.join("|")),
    }
}

/// Bytes as a Java pattern that matches just them.
fn quoted(bytes: &[u8]) -> String {
    let one = |&byte: &u8| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-' | b':' | b' ' => char::from(byte).to_string(),
        0x21..=0x7e => format!("\\{}", char::from(byte)),
        _ => format!("\\x{byte:02X}"),
    };
    bytes.iter().map(one).collect()
}
