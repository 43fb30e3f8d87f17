//! Findings: what an experienced engineer would say of a design in a review, each with its evidence and a way out.
//!
//! [`RULES`] is the table; a rule is a line in it and a function. Rules look at the properties of the formula, at the split
//! points and, when there are some, at the records: never at names. What can only be told from records is told from them.

mod alike;
mod asked;
mod counters;
mod dead;
mod explained;
mod facts;
mod finding;
mod fix;
mod identity;
mod kinds;
mod order;
mod pace;
mod privacy;
mod queries;
mod query_keys;
mod reads;
mod review;
mod salts;
mod sequential;
mod size;
mod spread;
mod table;

pub use explained::ExplainedRule;
pub use facts::{ExpressionValues, KeyFacts};
pub use finding::{Finding, FindingSeverity, RuleHit};
pub use fix::{DesignFix, FixMeasure};
pub use kinds::add_of_kinds;
pub use review::{Evidence, PlannedQuery, Review};

use crate::base::Problem;
use crate::base::host::tick;
use crate::base::map::Map;
use crate::base::sentences::{Conclusion, render};
use crate::bytes::sort::sort_by_key;
use crate::design::Document;

/// A kind of finding.
pub struct FindingRule {
    /// Stable code. The hundreds: 1 spread, 2 order, 3 identity, 4 size, 5 queries, 6 table, 7 privacy.
    pub code: &'static str,
    /// Stable name; `finding.<name>`, `.detail`, `.why` and `.fix` are its sentences in `data/messages/en.json`.
    pub name: &'static str,
    /// True if it judges the formula of a key: of a table with several kinds of records, that of each kind by itself.
    pub of_key: bool,
    /// Where to read more.
    pub reference: &'static str,
    /// Looks for it.
    pub find: fn(&Review) -> Vec<RuleHit>,
}

/// HBase's own chapters.
const BOOK: &str = "https://hbase.apache.org/book.html";

/// All rules, by code.
pub static RULES: &[FindingRule] = &[
    FindingRule {
        code: "RS101",
        name: "sequential",
        of_key: true,
        reference: "https://hbase.apache.org/book.html#timeseries",
        find: sequential::sequential,
    },
    FindingRule {
        code: "RS102",
        name: "frequent-value",
        of_key: true,
        reference: "https://hbase.apache.org/book.html#rowkey.design",
        find: spread::frequent,
    },
    FindingRule {
        code: "RS103",
        name: "dead-regions",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#precreate.regions",
        find: dead::dead,
    },
    FindingRule {
        code: "RS104",
        name: "skewed-regions",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#manual_region_splitting_decisions",
        find: spread::skewed,
    },
    FindingRule {
        code: "RS105",
        name: "common-factor",
        of_key: true,
        reference: BOOK,
        find: salts::common_factor,
    },
    FindingRule {
        code: "RS106",
        name: "negative-bucket",
        of_key: true,
        reference: "https://docs.oracle.com/javase/specs/jls/se17/html/jls-15.html#jls-15.17.3",
        find: salts::negative_bucket,
    },
    FindingRule { code: "RS107", name: "few-hashed", of_key: true, reference: BOOK, find: salts::few_hashed },
    FindingRule {
        code: "RS108",
        name: "many-salts",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#rowkey.design",
        find: salts::many_salts,
    },
    FindingRule { code: "RS109", name: "busy-entity", of_key: true, reference: BOOK, find: spread::busy },
    FindingRule { code: "RS110", name: "idle-salts", of_key: false, reference: BOOK, find: salts::idle },
    FindingRule { code: "RS111", name: "bursts", of_key: false, reference: BOOK, find: spread::bursts },
    FindingRule {
        code: "RS112",
        name: "one-server",
        of_key: false,
        reference: BOOK,
        find: spread::one_server,
    },
    FindingRule {
        code: "RS113",
        name: "hot-row",
        of_key: false,
        reference: "org.apache.hadoop.hbase.client.Table#increment(Increment)",
        find: counters::hot_row,
    },
    FindingRule {
        code: "RS201",
        name: "signed-order",
        of_key: true,
        reference: "org.apache.hadoop.hbase.util.Bytes#toBytes(long)",
        find: order::signed,
    },
    FindingRule {
        code: "RS202",
        name: "unpadded-number",
        of_key: true,
        reference: BOOK,
        find: order::unpadded,
    },
    FindingRule {
        code: "RS203",
        name: "repeated-hour",
        of_key: true,
        reference: BOOK,
        find: order::repeated_hour,
    },
    FindingRule { code: "RS204", name: "ambiguous", of_key: true, reference: BOOK, find: order::ambiguous },
    FindingRule {
        code: "RS301",
        name: "overwritten",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#versions",
        find: identity::overwritten,
    },
    FindingRule {
        code: "RS302",
        name: "hash-collisions",
        of_key: true,
        reference: BOOK,
        find: identity::collisions,
    },
    FindingRule {
        code: "RS303",
        name: "key-not-recoverable",
        of_key: true,
        reference: BOOK,
        find: identity::lost,
    },
    FindingRule {
        code: "RS304",
        name: "rejected-records",
        of_key: false,
        reference: BOOK,
        find: identity::rejected,
    },
    FindingRule { code: "RS305", name: "kinds-meet", of_key: false, reference: BOOK, find: kinds::meeting },
    FindingRule {
        code: "RS401",
        name: "long-key",
        of_key: true,
        reference: "https://hbase.apache.org/book.html#keysize",
        find: size::long_key,
    },
    FindingRule {
        code: "RS402",
        name: "long-names",
        of_key: true,
        reference: "https://hbase.apache.org/book.html#keysize",
        find: size::long_names,
    },
    FindingRule {
        code: "RS403",
        name: "unbounded-key",
        of_key: true,
        reference: BOOK,
        find: size::unbounded,
    },
    FindingRule {
        code: "RS501",
        name: "full-scan",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#rowkey.design",
        find: queries::full_scan,
    },
    FindingRule {
        code: "RS502",
        name: "over-read",
        of_key: false,
        reference: BOOK,
        find: queries::over_read,
    },
    FindingRule {
        code: "RS503",
        name: "many-scans",
        of_key: false,
        reference: BOOK,
        find: queries::many_scans,
    },
    FindingRule {
        code: "RS504",
        name: "random-salt",
        of_key: true,
        reference: "https://hbase.apache.org/book.html#rowkey.design",
        find: queries::random_salt,
    },
    FindingRule {
        code: "RS505",
        name: "other-order",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#reverse.timestamp",
        find: queries::other_order,
    },
    FindingRule {
        code: "RS506",
        name: "foreign-scan",
        of_key: false,
        reference: BOOK,
        find: queries::foreign_scan,
    },
    FindingRule {
        code: "RS507",
        name: "wide-scan",
        of_key: false,
        reference: BOOK,
        find: queries::wide_scan,
    },
    FindingRule { code: "RS508", name: "blind-salt", of_key: true, reference: BOOK, find: salts::blind },
    FindingRule { code: "RS509", name: "queue", of_key: false, reference: BOOK, find: queries::queue },
    FindingRule {
        code: "RS510",
        name: "quoted-bytes",
        of_key: false,
        reference: BOOK,
        find: asked::quoted_bytes,
    },
    FindingRule {
        code: "RS511",
        name: "other-rounds",
        of_key: false,
        reference: "org.apache.hadoop.hbase.client.Scan#setTimeRange",
        find: asked::other_rounds,
    },
    FindingRule { code: "RS512", name: "hot-reads", of_key: false, reference: BOOK, find: reads::hot_reads },
    FindingRule {
        code: "RS601",
        name: "many-families",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#number.of.cfs",
        find: table::many_families,
    },
    FindingRule {
        code: "RS602",
        name: "many-versions",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#schema.versions",
        find: table::many_versions,
    },
    FindingRule {
        code: "RS603",
        name: "loop-key",
        of_key: true,
        reference: "hbase.hregion.majorcompaction",
        find: table::loop_key,
    },
    FindingRule {
        code: "RS604",
        name: "active-regions",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#ops.capacity.regions.count",
        find: table::active_regions,
    },
    FindingRule {
        code: "RS605",
        name: "region-count",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#ops.capacity.regions.count",
        find: table::region_count,
    },
    FindingRule {
        code: "RS606",
        name: "unlike-families",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#number.of.cfs.card",
        find: table::unlike_families,
    },
    FindingRule {
        code: "RS607",
        name: "event-ttl",
        of_key: false,
        reference: "https://hbase.apache.org/book.html#ttl",
        find: table::event_ttl,
    },
    FindingRule {
        code: "RS701",
        name: "readable-person",
        of_key: true,
        reference: BOOK,
        find: privacy::readable,
    },
    FindingRule {
        code: "RS702",
        name: "guessable-hash",
        of_key: true,
        reference: BOOK,
        find: privacy::guessable,
    },
];

/// The findings about table number `table` of a study without any record.
///
/// # Errors
/// `design.no-such-table`.
pub fn of_design(study: &Document, table: usize) -> Result<Vec<Finding>, Problem> {
    let design = study.table(table)?;
    // Equal shares of no records: the table is taken as one region.
    let points = design.splits.points_for(&Vec::new())?;
    let asked = PlannedQuery::all(study, design, None);
    let mut found = findings(&Review { study, design, points: &points, evidence: None, asked, fixes: true });
    add_of_kinds((study, table), &points, (None, true), &mut found);
    Ok(found)
}

/// The words for what is estimated, the same everywhere.
fn estimated(sample: usize, rows: f64) -> String {
    let mut args = Map::new();
    args.insert("sample", sample.to_string());
    args.insert("rows", format!("{rows:.0}"));
    render("estimate.sample", &args)
}

/// All that the rules find, the worst first. Of a table with several kinds of records only what concerns all of them.
pub fn findings(review: &Review) -> Vec<Finding> {
    let several = !review.design.kinds.is_empty();
    let mut all = found_by(review, |rule| !(several && rule.of_key));
    by_weight(&mut all);
    all
}

/// Replaces the finding about rejected records, made on a sample, by that of the report of `review`, which counted all records.
pub fn tell_counted(review: &Review, found: &mut Vec<Finding>) {
    const COUNTED: &str = "RS304";
    found.retain(|finding| finding.code != COUNTED || finding.kind.is_some());
    found.extend(found_by(review, |rule| rule.code == COUNTED));
    by_weight(found);
}

fn by_weight(all: &mut [Finding]) {
    sort_by_key(all, |finding| (std::cmp::Reverse(finding.severity), finding.code));
}

/// The findings of some of the rules.
fn found_by(review: &Review, wanted: impl Fn(&FindingRule) -> bool) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    for rule in RULES.iter().filter(|rule| wanted(rule)) {
        tick(review.evidence.as_ref().map_or(0, |held| held.all_rows() as usize));
        let all_found = (rule.find)(review);
        let held = review.evidence.as_ref();
        let of_records = held.filter(|held| held.looked_at_sample()).map(Evidence::rows);
        for found in all_found {
            let mut told = Conclusion::of(&format!("finding.{}", rule.name), &found.args);
            let sample = found.sample.or(of_records).zip(held);
            let sampled = sample.is_some();
            if let Some((sample, held)) = sample {
                told.add(&estimated(sample, held.all_rows()));
            }
            let fixes = found.fixes.into_iter().filter(|_| review.fixes);
            let mut fixes: Vec<DesignFix> = fixes.filter_map(|fix| fix.weighed(review)).collect();
            // A table of its own for one query spares the others what another key costs them.
            if fixes.iter().any(|fix| fix.tables.is_some()) {
                sort_by_key(&mut fixes, DesignFix::reads_more);
            }
            let mut fixes = fixes.into_iter();
            let sentence = |part: &str| render(&format!("finding.{}{part}", rule.name), &found.args);
            all.push(Finding {
                code: rule.code,
                name: rule.name,
                severity: found.severity.unwrap_or(FindingSeverity::Note),
                kind: None,
                columns: found.columns,
                message: told.message(),
                title: told.title,
                detail: told.detail,
                why: sentence(".why"),
                remedy: sentence(".fix"),
                args: found.args,
                sampled,
                estimated: sampled,
                fix: fixes.next(),
                others: fixes.collect(),
                reference: rule.reference,
            });
        }
    }
    all
}
