//! What all rows of one thing have in common: settings that keep them in one region, and that find them in few files.

use super::Setting;
use crate::analysis::findings::Asked;
use crate::base::Problem;
use crate::design::Design;
use crate::formula::typed::{Expression, TypedPart};
use crate::scan::{KeyRange, Kind};

/// Values beyond which a beginning of the key stands for a thing, and not for a salt or a type.
const THINGS: u64 = 4096;

/// Bytes that start and stop row of each scan have in common: `StoreFileReader` looks into a row prefix Bloom filter only
/// when these are as many as its prefix. A scan of all that begins with n bytes has one less: its stop row differs there.
fn in_common(asked: &[Asked]) -> Option<usize> {
    let common = |range: &KeyRange| range.start.iter().zip(&range.stop).take_while(|(a, b)| a == b).count();
    let scans = asked.iter().filter(|asked| asked.restricted && asked.plan.kind == Kind::Scan);
    scans.flat_map(|asked| asked.plan.ranges.iter().map(common)).min()
}

/// How many leading parts are of one thing, and their bytes, when all are of fixed width and within `common` bytes.
fn fixed(parts: &[TypedPart], common: usize) -> Option<(usize, u64)> {
    let (mut width, mut found, mut thing) = (0, None, false);
    for (index, part) in parts.iter().enumerate() {
        width += part.shape.width.exact()?;
        if width > common as u64 {
            return found;
        }
        thing |= !part.fields.is_empty() && part.shape.distinct.is_none_or(|distinct| distinct > THINGS);
        if thing && index + 1 < parts.len() {
            found = Some((index + 1, width));
        } else if index + 1 == parts.len() {
            return found;
        }
    }
    found
}

/// The first part with the byte that ends it, when that stands nowhere before.
fn delimited(parts: &[TypedPart]) -> Option<(&TypedPart, u8)> {
    let part = parts.first().filter(|part| part.shape.distinct.is_none_or(|distinct| distinct > THINGS))?;
    if let Some(end) = part.shape.terminator {
        return Some((part, end));
    }
    match parts.get(1).map(|next| &next.expression) {
        Some(Expression::Literal(bytes)) => {
            let end = bytes.first().copied().filter(|&end| !part.shape.alphabet.contains(end))?;
            Some((part, end))
        }
        _ => None,
    }
}

/// Split policy and Bloom filter by the beginning that stands for one thing, when scans stay within one.
pub(super) fn of_entity(design: &Design, asked: &[Asked], all: &mut Vec<Setting>) {
    let Some(common) = in_common(asked) else { return };
    let parts = &design.typed.parts;
    let texts = |count: usize| {
        let texts: Vec<&str> = parts.iter().take(count).map(|part| part.text.as_str()).collect();
        texts.join(" + ")
    };
    if let Some((count, length)) = fixed(parts, common) {
        let because = |code| Problem::new(code).with("parts", texts(count)).with("length", length);
        let policy = "org.apache.hadoop.hbase.regionserver.KeyPrefixRegionSplitPolicy";
        let setting = Setting::of_table("SPLIT_POLICY", policy, because("settings.key-prefix"));
        all.push(setting.configured("KeyPrefixRegionSplitPolicy.prefix_length", length.to_string()));
        for family in &design.families {
            let reason = because("settings.row-prefix-bloom");
            let setting = Setting::of_family(family, "BLOOMFILTER", "ROWPREFIX_FIXED_LENGTH", reason);
            all.push(setting.configured("RowPrefixBloomFilter.prefix_length", length.to_string()));
        }
    } else if let Some((part, end)) = delimited(parts) {
        let end = crate::bytes::row::to_string_binary(&[end]);
        let reason =
            Problem::new("settings.delimited-prefix").with("parts", &part.text).with("delimiter", &end);
        let policy = "org.apache.hadoop.hbase.regionserver.DelimitedKeyPrefixRegionSplitPolicy";
        let setting = Setting::of_table("SPLIT_POLICY", policy, reason);
        all.push(setting.configured("DelimitedKeyPrefixRegionSplitPolicy.delimiter", end));
    }
}
