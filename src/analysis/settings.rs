//! Settings of a table that follow from its row key and what is asked of it: each with its reason as a code with arguments;
//! and version bytes for keys that will evolve.

use crate::analysis::findings::PlannedQuery;
use crate::base::Problem;
use crate::base::figures::{in_days, share};
use crate::base::units::DAY_SECONDS;
use crate::bytes::row::to_string_binary;
use crate::design::{BloomFilter, Design, Document, Family};
use crate::formula::typed::{Expression, TypedPart};
use crate::hbase::sizing::{latest_compaction, longest_ttl};
use crate::hbase::storage::table::{FamilyBytes, KeyLengths, storage};
use crate::keys::decode::{Decoded, decode};
use crate::records::field::shape::{Order, Shape};
use crate::scan::{KeyRange, PlanKind, period};

/// A setting, as `create` and `alter` of the HBase shell take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSetting {
    /// The family it belongs to; `None` for the table.
    pub family: Option<String>,
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// The entries of `CONFIGURATION` that go with it.
    pub configuration: Vec<(&'static str, String)>,
    /// Why: a code of `data/messages/en.json` with its arguments.
    pub reason: Problem,
}

impl TableSetting {
    fn of_table(name: &'static str, value: impl Into<String>, reason: Problem) -> Self {
        Self { family: None, name, value: value.into(), configuration: Vec::new(), reason }
    }

    fn of_family(family: &Family, name: &'static str, value: impl Into<String>, reason: Problem) -> Self {
        Self { family: Some(family.name.clone()), ..Self::of_table(name, value, reason) }
    }

    /// Its name and value, where `alter` has a name for it.
    pub fn attribute(&self) -> Option<(&'static str, String)> {
        (self.name != RESTRICTION).then(|| (self.name, self.value.clone()))
    }

    /// All that is set in `CONFIGURATION`.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let own = (self.name == RESTRICTION).then_some((self.name, self.value.as_str()));
        own.into_iter().chain(self.configuration.iter().map(|(name, value)| (*name, value.as_str())))
    }

    fn configured(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.configuration.push((name, value.into()));
        self
    }
}

/// Settings that keep the rows of one prefix in one region, from HBase 2.4.3 on; split policies of these names are deprecated since 2.5.
const RESTRICTION: &str = "hbase.regionserver.region.split_restriction.type";
const RESTRICTION_LENGTH: &str = "hbase.regionserver.region.split_restriction.prefix_length";
const RESTRICTION_DELIMITER: &str = "hbase.regionserver.region.split_restriction.delimiter";
/// Fewest bytes of a digest that stand for one thing.
const LEAST_DIGEST: u64 = 8;
/// Rows that an estimate is made over; shares do not depend on it.
const ROWS: u64 = 1_000_000;
/// Seconds in which no table lives to see its keys come round, as the years of two digits do.
const LIFE: u64 = 50 * 365 * DAY_SECONDS;
/// Percent of its bytes that an encoding has to leave at most to be worth its time.
const WORTH: u64 = 80;
/// Values beyond which a beginning of the key stands for a thing, and not for a salt or a type.
const THINGS: u64 = 4096;

/// The settings for a table; `keys` are the lengths of its row keys, measured or by the formula.
pub fn settings(study: &Document, design: &Design, keys: &KeyLengths) -> Vec<TableSetting> {
    let asked = PlannedQuery::all(study, design, None);
    let mut all = Vec::new();
    of_entity(design, &asked, &mut all);
    encodings(design, &asked, keys, &mut all);
    times(study, design, &mut all);
    all
}

/// `DATA_BLOCK_ENCODING`, where the bytes it saves are worth it.
fn encodings(design: &Design, asked: &[PlannedQuery], keys: &KeyLengths, all: &mut Vec<TableSetting>) {
    let stored = storage(design, keys, ROWS);
    let only_gets = !asked.is_empty() && asked.iter().all(|asked| asked.plan.kind == PlanKind::Get);
    for family in &design.families {
        let undecided = family.files.encoding.is_none();
        let bytes = stored.families.iter().find(|bytes| bytes.name == family.name);
        let Some(bytes) = bytes.filter(|_| undecided) else { continue };
        let percent = |bytes: u64, of: &FamilyBytes| share(bytes, 100, of.bytes.total()).max(1);
        if percent(bytes.fast_diff.most, bytes) <= WORTH {
            let reason =
                Problem::new("settings.fast-diff").with("least", percent(bytes.fast_diff.least, bytes));
            let reason = reason.with("most", percent(bytes.fast_diff.most, bytes));
            all.push(TableSetting::of_family(family, "DATA_BLOCK_ENCODING", "FAST_DIFF", reason));
        } else if only_gets {
            let reason = Problem::new("settings.row-index");
            all.push(TableSetting::of_family(family, "DATA_BLOCK_ENCODING", "ROW_INDEX_V1", reason));
        }
    }
}

/// `TTL`, `VERSIONS`, and what becomes of regions whose rows have all expired.
fn times(study: &Document, design: &Design, all: &mut Vec<TableSetting>) {
    let arrival = study.arrival.as_deref();
    let is_arrival = |field: usize| study.fields.get(field).map(|field| field.name.as_str()) == arrival;
    let of_time = |part: &&TypedPart| arrival.is_some() && part.fields.iter().any(|&field| is_arrival(field));
    let parts = || design.typed.parts.iter().filter(of_time);
    let cluster = study.cluster.unwrap_or_default();
    if let Some(part) = parts().find(|part| part.shape.one_to_one) {
        // Fewer than are to be kept at least would be refused.
        let fewer =
            |family: &&Family| family.versions > 1 && family.min_versions.is_none_or(|least| least < 2);
        for family in design.families.iter().filter(fewer) {
            let reason = Problem::new("settings.versions-in-key").with("part", &part.text);
            all.push(TableSetting::of_family(
                family,
                "VERSIONS",
                "1",
                reason.with("versions", family.versions),
            ));
        }
    }
    let comes_round = |part: &TypedPart| Some(period(&part.expression)?.1 / 1000);
    let round = parts().find_map(|part| Some((part, comes_round(part)?)));
    let compaction = latest_compaction(cluster.major_compaction_days);
    if let Some((part, round)) = round.filter(|(_, round)| *round < LIFE)
        && let Some(longest) = longest_ttl(round, compaction)
    {
        for family in
            design.families.iter().filter(|family| family.ttl.is_none_or(|ttl| u64::from(ttl) > longest))
        {
            let reason =
                Problem::new("settings.ttl-of-loop").with("part", &part.text).with("round", in_days(round));
            let reason = reason.with("days", in_days(longest)).with("compaction", in_days(compaction));
            all.push(TableSetting::of_family(family, "TTL", longest.to_string(), reason));
        }
        return;
    }
    let lead = design.typed.parts.iter().find(|part| part.shape.distinct != Some(1));
    let ascends = |part: &TypedPart| {
        matches!(part.shape.order, Order::Strict | Order::Weak)
            || comes_round(part).is_some_and(|round| round >= LIFE)
    };
    let rises = lead.filter(|part| of_time(part) && ascends(part));
    if let Some(part) = rises.filter(|_| design.families.iter().any(|family| family.lives().is_some())) {
        let reason = Problem::new("settings.normalize-expired").with("part", &part.text);
        let setting = TableSetting::of_table("NORMALIZATION_ENABLED", "true", reason);
        // As shipped, 1, regions without a byte are left alone.
        all.push(setting.configured("hbase.normalizer.merge.min_region_size.mb", "0"));
    }
}

// Bytes that all rows of one entity share: settings that keep these rows in one region and find them in few files.

/// Bytes that start and stop row of each scan have in common: `StoreFileReader` looks into a row prefix Bloom filter only
/// when these are as many as its prefix. A scan of all that begins with n bytes has one less: its stop row differs there.
fn in_common(asked: &[PlannedQuery]) -> Option<usize> {
    let common = |range: &KeyRange| range.start.iter().zip(&range.stop).take_while(|(a, b)| a == b).count();
    let scans = asked.iter().filter(|asked| asked.restricted && asked.plan.kind == PlanKind::Scan);
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
        let of_one = part.shape.one_to_one || part.shape.width.min >= LEAST_DIGEST;
        let many = part.shape.distinct.is_none_or(|distinct| distinct > THINGS);
        thing |= !part.fields.is_empty() && of_one && many;
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
fn of_entity(design: &Design, asked: &[PlannedQuery], all: &mut Vec<TableSetting>) {
    let Some(common) = in_common(asked) else { return };
    let parts = &design.typed.parts;
    let texts = |count: usize| {
        let texts: Vec<&str> = parts.iter().take(count).map(|part| part.text.as_str()).collect();
        texts.join(" + ")
    };
    if let Some((count, length)) = fixed(parts, common) {
        let because = |code| Problem::new(code).with("parts", texts(count)).with("length", length);
        let setting = TableSetting::of_table(RESTRICTION, "KeyPrefix", because("settings.key-prefix"));
        all.push(setting.configured(RESTRICTION_LENGTH, length.to_string()));
        for family in design.families.iter().filter(|family| family.files.bloom == BloomFilter::Row) {
            let reason = because("settings.row-prefix-bloom");
            let setting = TableSetting::of_family(family, "BLOOMFILTER", "ROWPREFIX_FIXED_LENGTH", reason);
            all.push(setting.configured("RowPrefixBloomFilter.prefix_length", length.to_string()));
        }
    } else if let Some((part, end)) = delimited(parts) {
        // HBase takes the bytes of the setting as UTF-8: a byte of more than 7 bits would be two.
        if !end.is_ascii() {
            return;
        }
        let reason = Problem::new("settings.delimited-prefix").with("parts", &part.text);
        let reason = reason.with("delimiter", to_string_binary(&[end]));
        let setting = TableSetting::of_table(RESTRICTION, "DelimitedKeyPrefix", reason);
        all.push(setting.configured(RESTRICTION_DELIMITER, char::from(end)));
    }
}

// Keys that will evolve: a byte in front that tells by which formula a key was made. Rows cannot be renamed. With a version
// byte, keys of an old and a new formula stay apart, in ranges of their own, and a reader that knows both reads either.

/// The formula with a version byte in front. Split points need the byte too.
pub fn versioned(rowkey: &str, version: u8) -> String {
    format!("x'{version:02x}' + {rowkey}")
}

/// The first byte, counted from 0, by which keys of two shapes are always told apart; `None` when there is none.
pub fn told_apart(a: &Shape, b: &Shape) -> Option<usize> {
    let shortest = a.width.min.min(b.width.min) as usize;
    let at = |shape: &Shape, place: usize| shape.by_position.get(place).copied().unwrap_or(shape.alphabet);
    let known = shortest.min(a.by_position.len().max(b.by_position.len()));
    (0..known).find(|&place| !at(a, place).bytes().any(|byte| at(b, place).contains(byte)))
}

/// The tables of a study whose formula can have made a key, by number, with what it tells: one when versions are told apart.
pub fn readings(study: &Document, key: &[u8]) -> Vec<(usize, Decoded)> {
    let read = |(index, design): (usize, &Design)| {
        // A key that contradicts itself was made by another formula.
        let decoded = decode(&design.typed, &study.fields, key).ok()?;
        let contradicts = decoded
            .problems
            .iter()
            .any(|problem| ["decode.part-differs", "decode.part-impossible"].contains(&problem.code));
        (!contradicts).then_some((index, decoded))
    };
    study.tables.iter().enumerate().filter_map(read).collect()
}
