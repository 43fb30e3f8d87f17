//! Edits of a design that answer findings, and what they cost the queries.

use super::review::Review;
use crate::analysis::report::{SaidProblem, Verdict};
use crate::base::Problem;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::sort_distinct;
use crate::design::{Family, Query, normal_form, typed_of};
use crate::formula::name_in_formula;
use crate::formula::typed::{TypedFormula, TypedPart};
use crate::records::field::shape::Order;
use crate::records::field::{Field, Kind as FieldKind};
use crate::scan::{self, KnownRanges, PlanKind, QueryPlan, ValueRange, is_of_phoenix};
use serde::Serialize;
use serde_json::{Value, json};

/// Salts put in front when a fix needs some.
pub(super) const SALTS: usize = 16;
/// Bytes of a hash that two records hardly ever share.
const LONG_HASH: u64 = 8;
/// Most buckets that are given a region each.
const MOST_BUCKETS: u64 = 256;

/// An edit of the design that answers a finding: members of its table, and the queries of the document.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DesignFix {
    /// Another row key formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rowkey: Option<String>,
    /// The kind of records whose row key it is, of a table that holds several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Other splits, as in the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splits: Option<Value>,
    /// Other column families, all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub families: Option<Vec<Family>>,
    /// Other queries, all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<Vec<Query>>,
    /// Other tables, all of them, as in the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Value>,
    /// Queries that it makes dearer, and how.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<SaidProblem>,
    /// The design with the edit made, judged on the same records; `None` without records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<FixMeasure>,
}

/// A fix applied and judged.
#[derive(Clone, Debug, Serialize)]
pub struct FixMeasure {
    /// Records that it was measured on: all of them, or a sample.
    pub rows: u64,
    /// All records that they stand for.
    pub of: u64,
    /// True of a sample.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// The verdict that it leads to.
    pub verdict: Verdict,
}

impl DesignFix {
    /// Another row key.
    pub fn rowkey(formula: impl Into<String>) -> Self {
        Self { rowkey: Some(formula.into()), ..Self::default() }
    }

    /// The same edit of the row key of a kind, in a table whose splits are those of all kinds; `None` of any other edit.
    pub(super) fn of_kind(self, name: &str) -> Option<Self> {
        let more = self.families.is_some() || self.queries.is_some() || self.tables.is_some();
        (self.rowkey.is_some() && !more).then(|| Self { kind: Some(name.to_owned()), splits: None, ..self })
    }

    /// Other splits.
    pub fn splits(splits: Value) -> Self {
        Self { splits: Some(splits), ..Self::default() }
    }

    /// Other families.
    pub fn families(families: Vec<Family>) -> Self {
        Self { families: Some(families), ..Self::default() }
    }

    /// With other splits too.
    pub fn and_splits(self, splits: Value) -> Self {
        Self { splits: Some(splits), ..self }
    }

    /// The edit with what it costs; `None` when its formula could not be checked against the fields.
    pub(super) fn weighed(mut self, review: &Review) -> Option<Self> {
        if self.kind.is_some() {
            return Some(self);
        }
        // Each kind of records has a row key of its own: no other table, nor one key for all, holds them.
        let known = review.study.tables.len();
        let adds = |tables: &Value| tables.as_array().is_none_or(|tables| tables.len() > known);
        if (self.rowkey.is_some() || self.tables.as_ref().is_some_and(adds))
            && !review.design.kinds.is_empty()
        {
            return None;
        }
        let Some(rowkey) = &self.rowkey else { return Some(self) };
        let typed = typed_of(review.study, review.design, rowkey)?;
        // A key that Phoenix has no DDL for is no way out of its tables.
        let is_said = !is_of_phoenix(&review.design.typed) || is_of_phoenix(&typed);
        if !is_said || !keeps_fields(&review.design.typed, &typed) {
            return None;
        }
        self.costs.extend(costs(review, &typed));
        Some(self)
    }

    /// True when a query will read rows that it discards.
    pub(super) fn reads_more(&self) -> bool {
        let more = ["finding.cost.reads-more", "finding.cost.full-scan", "finding.cost.order"];
        self.costs.iter().any(|cost| more.contains(&cost.code))
    }
}

/// True if every field that the old row key maps one-to-one is in the new one, mapped one-to-one or in a hash of at least
/// [`LONG_HASH`] bytes. A sample does not show every pair of records that such a field keeps apart.
fn keeps_fields(before: &TypedFormula, after: &TypedFormula) -> bool {
    let uses_rest = |typed: &TypedFormula| typed.parts.iter().any(|part| part.uses_rest);
    let held = |field: &usize| {
        after.parts.iter().any(|part| {
            part.fields.contains(field) && (part.shape.one_to_one || part.shape.width.min >= LONG_HASH)
        })
    };
    let mut one_to_one = before.parts.iter().filter(|part| part.shape.one_to_one);
    uses_rest(before) || uses_rest(after) || one_to_one.all(|part| part.fields.iter().all(held))
}

/// The families of the table; one with the name of HBase's own examples where the document says nothing of them.
pub(super) fn families(review: &Review) -> Vec<Family> {
    let families = review.design.families.clone();
    if !families.is_empty() {
        return families;
    }
    vec![Family::named("d")]
}

/// The families that `goes` chooses in a table of their own, named after the first of them.
pub(super) fn own_table(review: &Review, goes: impl Fn(&Family) -> bool) -> Option<DesignFix> {
    let mut study = review.study.clone();
    let names: Vec<String> = study.tables.iter().map(|table| table.name.clone()).collect();
    let table = study.tables.iter_mut().find(|table| table.name == review.design.name)?;
    let mut other = table.clone();
    table.families.retain(|family| !goes(family));
    other.families.retain(goes);
    let word = other.families.first()?.name.chars().filter(|char| char.is_alphanumeric());
    other.name = format!("{}_{}", table.name, word.collect::<String>());
    while names.contains(&other.name) {
        other.name.push('2');
    }
    study.tables.push(other);
    let tables = normal_form(&study).get("tables").cloned();
    Some(DesignFix { tables, ..DesignFix::default() })
}

/// The costs of another row key for the queries.
fn costs(review: &Review, typed: &TypedFormula) -> Vec<SaidProblem> {
    let mut costs = Vec::new();
    let (study, evidence) = (review.study, review.evidence.as_ref());
    let known = evidence.map(|evidence| {
        let range = |field: &Field| {
            evidence.facts.ranges.get(field.name.clone(), || ValueRange::of(evidence.all, field))
        };
        KnownRanges::of_fields(&study.fields, &study.queries, range)
    });
    let known = known.unwrap_or_default();
    if review.asked.is_empty() {
        costs.extend(range_scans(&review.design.typed, typed));
    }
    for asked in &review.asked {
        let Some(query) = review.study.queries.get(asked.query) else { continue };
        let Ok(domains) = scan::read(query, &review.study.fields, "") else { continue };
        let plan = scan::plan_known(typed, &review.study.fields, query, &domains, &known);
        if let Some(code) = dearer(&asked.plan, &plan) {
            let cost = Problem::new(code).with("query", &query.name);
            let cost = cost.with("before", asked.plan.ranges.len()).with("after", plan.ranges.len());
            costs.push(cost.into());
        }
    }
    costs
}

/// The scans that a range takes behind a new bucket prefix, for a document that names no query.
fn range_scans(before: &TypedFormula, after: &TypedFormula) -> Option<SaidProblem> {
    let buckets = |typed: &TypedFormula| {
        let lead = typed.parts.first()?;
        lead.shape.distinct.filter(|&distinct| distinct > 1 && !lead.shape.one_to_one)
    };
    let scans = buckets(after).filter(|_| buckets(before).is_none())?;
    Some(Problem::new("finding.cost.range-scans").with("scans", scans).into())
}

/// In what a plan is dearer than the one before.
fn dearer(before: &QueryPlan, after: &QueryPlan) -> Option<&'static str> {
    let full = |plan: &QueryPlan| plan.kind == PlanKind::FullScan;
    if full(after) || full(before) {
        return (!full(before)).then_some("finding.cost.full-scan");
    }
    if after.ranges.len() > before.ranges.len() {
        return Some("finding.cost.scans");
    }
    // How many rows more can't be told without their keys.
    if !(after.exact || after.kind == PlanKind::Get) && after.ranges != before.ranges {
        return Some("finding.cost.reads-more");
    }
    let sorts = after.delivery.sort && !before.delivery.sort;
    (sorts || after.delivery.merge && !before.delivery.merge).then_some("finding.cost.order")
}

/// Parts that differ between records and are made of nothing else of the key, nor of chance.
fn values<'r>(review: &'r Review) -> impl Iterator<Item = (usize, &'r TypedPart)> {
    let parts = review.design.typed.parts.iter().enumerate();
    parts
        .filter(|(_, part)| part.shape.distinct != Some(1) && !part.uses_rest && !part.expression.is_random())
}

/// True if a part is made of the time of arrival.
pub(super) fn is_of_arrival(review: &Review, part: &TypedPart) -> bool {
    let arrival = review.study.arrival.as_deref();
    part.fields.iter().any(|&field| arrival == Some(review.name(field)))
}

/// The texts of those parts, by index, that tell records of one moment apart; of all of them where none does.
pub(super) fn apart(review: &Review, among: impl Fn(usize) -> bool) -> Option<String> {
    let mut all: Vec<&TypedPart> =
        values(review).filter(|(index, _)| among(*index)).map(|(_, part)| part).collect();
    if all.iter().any(|part| !is_of_arrival(review, part)) {
        all.retain(|part| !is_of_arrival(review, part));
    }
    let texts: Vec<&str> = all.iter().map(|part| part.text.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// `SALT_BUCKETS` of a table of Phoenix: so many, in place of those that it may have.
fn phoenix_salted(review: &Review, salts: usize) -> DesignFix {
    let parts = review.design.typed.parts.iter().filter(|part| !part.uses_rest);
    let columns: Vec<&str> = parts.map(|part| part.text.as_str()).collect();
    let formula = format!("rest.phoenixSalt({salts}) + {}", columns.join(" + "));
    DesignFix::rowkey(formula).and_splits(json!({ "salts": salts }))
}

/// A bucket of these parts in front of the key, and a region for each.
pub(super) fn salted(review: &Review, hashed: Option<String>) -> Option<DesignFix> {
    if is_of_phoenix(&review.design.typed) {
        return Some(phoenix_salted(review, SALTS));
    }
    let formula = format!("bucket({}, {SALTS}).decimal(2) + '-' + {}", hashed?, review.design.rowkey);
    Some(DesignFix::rowkey(formula).and_splits(json!({ "salts": SALTS, "digits": 2 })))
}

/// The key with a bucket of other values in front, or a hash of all, for where the obvious ones do not help.
pub(super) fn spread_anew(review: &Review) -> Vec<DesignFix> {
    if is_of_phoenix(&review.design.typed) {
        return [SALTS, SALTS / 2, 2 * SALTS].map(|salts| phoenix_salted(review, salts)).into();
    }
    let parts: Vec<(usize, &TypedPart)> = values(review).collect();
    let texts = |parts: &[(usize, &TypedPart)]| {
        let texts: Vec<&str> = parts.iter().map(|(_, part)| part.text.as_str()).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    };
    let bucket = |inputs: &str, salts: usize, rest: &str| {
        let digits = if salts > 100 { 3 } else { 2 };
        let formula = format!("bucket({inputs}, {salts}).decimal({digits}) + '-' + {rest}");
        DesignFix::rowkey(formula).and_splits(json!({ "salts": salts, "digits": digits }))
    };
    let all = texts(&parts);
    let whole = review.design.rowkey.as_str();
    let mut fixes = Vec::new();
    // A salt that does not spread is replaced: another before it would only be more to read.
    if let Some((inputs, rest)) = behind_salt(review) {
        fixes.extend([SALTS, SALTS / 2, 2 * SALTS].map(|salts| bucket(&inputs, salts, &rest)));
    }
    // By a bucket of values that every query gives, each asks one.
    let given: Vec<(usize, &TypedPart)> =
        parts.iter().filter(|(_, part)| is_given(review, part)).copied().collect();
    fixes.extend(
        texts(&given).filter(|_| given.len() < parts.len()).map(|inputs| bucket(&inputs, SALTS, whole)),
    );
    fixes.extend(all.iter().map(|inputs| bucket(inputs, SALTS, whole)));
    for field in
        review.study.fields.iter().enumerate().filter_map(|(index, field)| beside(review, index, field))
    {
        fixes.push(bucket(&field, SALTS, whole));
    }
    for salts in [SALTS / 2, SALTS / 4, 2 * SALTS] {
        fixes.extend(all.iter().map(|inputs| bucket(inputs, salts, whole)));
    }
    let regions = review.points.regions();
    let hashed = all.filter(|_| regions > 1).map(|inputs| {
        let input = if parts.len() > 1 { format!("join('-', {inputs})") } else { inputs };
        let splits = json!({ "algorithm": "HexStringSplit", "regions": regions });
        DesignFix::rowkey(format!("{input}.md5().hex(8) + '-' + {whole}")).and_splits(splits)
    });
    fixes.extend(hashed);
    fixes
}

/// True if there are queries and each gives values of all fields of a part.
fn is_given(review: &Review, part: &TypedPart) -> bool {
    let queries = &review.study.queries;
    let by = |query: &Query| part.fields.iter().all(|&field| query.gives(review.name(field)));
    !queries.is_empty() && !part.fields.is_empty() && queries.iter().all(by)
}

/// A field that the key does not hold, as a bucket takes it, where it may differ between records that arrive together.
fn beside(review: &Review, index: usize, field: &Field) -> Option<String> {
    let held = review.design.typed.parts.iter().any(|part| part.fields.contains(&index));
    // A number that no query names may be measured, and change from one writing to the next.
    let named = || review.study.queries.iter().any(|query| query.conditions.contains_key(&field.name));
    let plain = field.kind == FieldKind::Text || field.kind == FieldKind::Integer && named();
    (!held && plain).then(|| name_in_formula(&field.name))
}

/// The parts behind a salt in front, as inputs of another and as they are written; `None` where the key begins with none.
fn behind_salt(review: &Review) -> Option<(String, String)> {
    let parts = &review.design.typed.parts;
    let (lead, salt) = review.lead()?;
    let is_salt = salt.shape.distinct.is_some_and(|salts| salts <= 4096) && !salt.shape.one_to_one
        || salt.expression.is_random();
    let constant = |part: &&TypedPart| part.shape.distinct == Some(1);
    let next = lead + 1 + usize::from(parts.get(lead + 1).as_ref().is_some_and(constant));
    let behind: Vec<&str> = parts.get(next..)?.iter().map(|part| part.text.as_str()).collect();
    let behind = behind.join(" + ");
    let inputs = apart(review, |index| index >= next)?;
    let whole = parts.iter().all(|part| !part.uses_rest);
    // Nothing is lost with the salt: what it is made of comes again.
    let again = |field: &usize| {
        parts.get(next..).is_some_and(|parts| parts.iter().any(|part| part.fields.contains(field)))
    };
    (is_salt && whole && salt.fields.iter().all(again)).then_some((inputs, behind))
}

/// The table split in equal shares of the records, into as many regions and into others.
pub(super) fn equal_shares(review: &Review) -> Vec<DesignFix> {
    let regions = review.points.regions() as u64;
    let numbers = [regions, regions / 2, 16, 8];
    let numbers = numbers.into_iter().filter(|&regions| regions > 1);
    numbers.map(|regions| DesignFix::splits(json!({ "sample": regions }))).collect()
}

/// A region for each bucket that the key begins with, where all of them occur.
pub(super) fn region_for_each_bucket(review: &Review) -> Option<DesignFix> {
    // Behind other parts the points would need those, too.
    let (0, part) = review.lead()? else { return None };
    let buckets = part.shape.distinct.filter(|buckets| (2..=MOST_BUCKETS).contains(buckets))?;
    let is_bucket = !part.shape.one_to_one || part.shape.order == Order::None;
    let values = review.part(0)?;
    let mut found: Vec<&[u8]> = values.values.used().map(|(value, _)| value).collect();
    sort_distinct(&mut found);
    if !is_bucket || found.len() as u64 != buckets {
        return None;
    }
    let digits = |value: &&[u8]| value.iter().all(u8::is_ascii_digit).then_some(value.len());
    let counted = |digits: Option<usize>| {
        let value = |number: usize| match digits {
            Some(digits) => format!("{number:0digits$}").into_bytes(),
            None => vec![number as u8],
        };
        found.iter().enumerate().all(|(number, found)| *found == value(number))
    };
    let width = found.first().and_then(digits).filter(|&digits| counted(Some(digits)));
    let splits = match width {
        Some(digits) => json!({ "salts": buckets, "digits": digits }),
        None if counted(None) => json!({ "salts": buckets }),
        None => {
            let points: Vec<String> = found.iter().skip(1).map(|value| to_string_binary(value)).collect();
            json!({ "points": points })
        }
    };
    Some(DesignFix::splits(splits))
}

/// The key with other salts in front of it, where their number stands in the formula.
pub(super) fn resalted(review: &Review, from: u64, to: u64) -> Option<DesignFix> {
    let ends =
        [format!(", {from})"), format!("Mod({from})"), format!("mod({from})"), format!("salt({from})")];
    let new = |end: &String| end.replace(&from.to_string(), &to.to_string());
    let fix = DesignFix::rowkey(ends.iter().find_map(|end| review.rewritten(end, &new(end)))?);
    let splits = review.design.splits.to_json();
    Some(if splits.get("salts").is_some() { fix.and_splits(with_member(splits, "salts", to)) } else { fix })
}

/// Splits into so many regions, in the way the table is split where that can be.
pub(super) fn resplit(review: &Review, regions: u64) -> DesignFix {
    let splits = review.design.splits.to_json();
    for member in ["regions", "sample"] {
        if splits.get(member).is_some() {
            return DesignFix::splits(with_member(splits, member, regions));
        }
    }
    DesignFix::splits(json!({ "sample": regions }))
}

fn with_member(mut splits: Value, member: &str, number: u64) -> Value {
    if let Some(place) = splits.get_mut(member) {
        *place = number.into();
    }
    splits
}

/// The key with parts written in another way; `other` gives the text of one that is. New equal shares where it is the
/// part that the table is split by.
pub(super) fn reworded(review: &Review, other: impl Fn(&TypedPart) -> Option<String>) -> DesignFix {
    let lead = review.lead().map(|(lead, _)| lead);
    let mut split = false;
    let parts = review.design.typed.parts.iter().enumerate().map(|(index, part)| {
        let text = other(part);
        split |= text.is_some() && lead == Some(index);
        text.unwrap_or_else(|| part.text.clone())
    });
    let fix = DesignFix::rowkey(parts.collect::<Vec<_>>().join(" + "));
    if split { fix.and_splits(json!({ "sample": review.points.regions() })) } else { fix }
}

/// The key with a field at its end.
pub(super) fn with_field(review: &Review, field: usize) -> Option<String> {
    let field = review.study.fields.get(field)?;
    let step = match field.kind {
        FieldKind::Text | FieldKind::Integer => "",
        FieldKind::Time => ".millis()",
        _ => return None,
    };
    Some(format!("{} + '_' + {}{step}", review.design.rowkey, field.name))
}

/// The parts that `first` chooses before all others, split in equal shares.
pub(super) fn reordered(review: &Review, first: impl Fn(&TypedPart) -> bool) -> Option<DesignFix> {
    let typed = &review.design.typed;
    if typed.parts.iter().any(|part| part.uses_rest) {
        return None;
    }
    let all: Vec<&TypedPart> = values(review).map(|(_, part)| part).collect();
    let (front, back): (Vec<&TypedPart>, Vec<&TypedPart>) = all.into_iter().partition(|part| first(part));
    if front.is_empty() || front.iter().all(|part| is_of_arrival(review, part)) {
        return None;
    }
    let texts: Vec<&str> = front.iter().chain(&back).map(|part| part.text.as_str()).collect();
    let literal = typed.parts.iter().find(|part| part.shape.distinct == Some(1));
    let between = literal.map_or(" + ".to_owned(), |part| format!(" + {} + ", part.text));
    Some(DesignFix::rowkey(texts.join(&between)).and_splits(json!({ "sample": review.points.regions() })))
}
