//! Settings of a table that follow from its row key and what is asked of it: each with its reason as a code with arguments.

mod prefix;
pub mod version;

use crate::analysis::findings::Asked;
use crate::base::Problem;
use crate::base::figures::in_days;
use crate::base::figures::share;
use crate::base::units::DAY_SECONDS;
use crate::design::{Design, Family, Study};
use crate::formula::typed::TypedPart;
use crate::hbase::sizing::loop_key::{latest_compaction, longest_ttl};
use crate::hbase::storage::table::{FamilyBytes, KeyLengths, storage};
use crate::records::field::shape::Order;
use crate::scan::{Kind, period};

/// A setting, as `create` and `alter` of the HBase shell take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The family it belongs to; `None` for the table.
    pub family: Option<String>,
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// What `CONFIGURATION` has to hold with it.
    pub configuration: Vec<(&'static str, String)>,
    /// Why: a code of `messages/en.json` with its arguments.
    pub reason: Problem,
}

impl Setting {
    fn of_table(name: &'static str, value: impl Into<String>, reason: Problem) -> Self {
        Self { family: None, name, value: value.into(), configuration: Vec::new(), reason }
    }

    fn of_family(family: &Family, name: &'static str, value: impl Into<String>, reason: Problem) -> Self {
        Self { family: Some(family.name.clone()), ..Self::of_table(name, value, reason) }
    }

    fn configured(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.configuration.push((name, value.into()));
        self
    }
}

/// Rows that an estimate is made over; shares do not depend on it.
const ROWS: u64 = 1_000_000;
/// Seconds in which no table lives to see its keys come round, as the years of two digits do.
const LIFE: u64 = 50 * 365 * DAY_SECONDS;
/// Percent of its bytes that an encoding has to leave at most to be worth its time.
const WORTH: u64 = 80;

/// The settings for a table; `keys` are the lengths of its row keys, measured or by the formula.
pub fn settings(study: &Study, design: &Design, keys: KeyLengths) -> Vec<Setting> {
    let asked = Asked::all(study, design, None);
    let mut all = Vec::new();
    prefix::of_entity(design, &asked, &mut all);
    encodings(design, &asked, keys, &mut all);
    times(study, design, &mut all);
    all
}

/// `DATA_BLOCK_ENCODING`, where the bytes it saves are worth it.
fn encodings(design: &Design, asked: &[Asked], keys: KeyLengths, all: &mut Vec<Setting>) {
    let stored = storage(design, keys, ROWS);
    let only_gets = !asked.is_empty() && asked.iter().all(|asked| asked.plan.kind == Kind::Get);
    for family in &design.families {
        let Some(bytes) = stored.families.iter().find(|bytes| bytes.name == family.name) else { continue };
        let percent = |bytes: u64, of: &FamilyBytes| share(bytes, 100, of.bytes.total());
        if percent(bytes.fast_diff.most, bytes) <= WORTH {
            let reason =
                Problem::new("settings.fast-diff").with("least", percent(bytes.fast_diff.least, bytes));
            let reason = reason.with("most", percent(bytes.fast_diff.most, bytes));
            all.push(Setting::of_family(family, "DATA_BLOCK_ENCODING", "FAST_DIFF", reason));
        } else if only_gets {
            let reason = Problem::new("settings.row-index");
            all.push(Setting::of_family(family, "DATA_BLOCK_ENCODING", "ROW_INDEX_V1", reason));
        }
    }
}

/// `TTL`, `VERSIONS`, and what becomes of regions whose rows have all expired.
fn times(study: &Study, design: &Design, all: &mut Vec<Setting>) {
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
            all.push(Setting::of_family(family, "VERSIONS", "1", reason.with("versions", family.versions)));
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
            all.push(Setting::of_family(family, "TTL", longest.to_string(), reason));
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
        let setting = Setting::of_table("NORMALIZATION_ENABLED", "true", reason);
        // As shipped, 1, regions without a byte are left alone.
        all.push(setting.configured("hbase.normalizer.merge.min_region_size.mb", "0"));
    }
}
