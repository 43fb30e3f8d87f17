//! From one design to another: which rows have to be written anew, in which order the work is done, what clients do while both
//! designs exist, and what to check before the old one goes.
//!
//! HBase cannot change the key of a row: a row is written under its new key and deleted under the old one. What differs
//! between two designs decides the way; each step, rule and check is a code with its figures.

use crate::base::Problem;
use crate::base::figures::{in_days, percent};
use crate::base::units::DAY_SECONDS;
use crate::compare::alter::{FamilyAlter, family_alters};
use crate::compare::{Candidate, RowMoves, SampleSize, answer_by, encode_all, moves};
use crate::design::split::SplitPoints;
use crate::design::{Design, Document, Family, Query, RecordKind};
use crate::formula::steps::{quoted, quoted_table};
use crate::formula::typed::{Expression, TypedFormula, TypedKind, TypedPart};
use crate::hbase::existing::{ReshapeStep, reshape};
use crate::keys::table::KeyTable;
use crate::records::Records;
use crate::records::field::Field;
use crate::scan::is_of_phoenix;
use serde::Serialize;
use std::collections::HashSet;

/// The plan of a migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MigrationWay {
    /// Rows and regions stay as they are.
    Nothing,
    /// Rows and regions stay, families are altered.
    Alter,
    /// Rows stay, regions are split and merged, and families altered that differ.
    Reshape,
    /// Rows get another key within the table they are in.
    InPlace,
    /// Rows are copied to another table.
    NewTable,
}

/// Scan ranges of a query before, while both designs exist, and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueryScans {
    /// Name of the query.
    pub name: String,
    /// Under the old design.
    pub before: usize,
    /// Counted over both, as long as rows may be under either.
    pub meanwhile: usize,
    /// Under the new design.
    pub after: usize,
}

/// The way from one design to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Migration {
    /// The totals.
    pub way: MigrationWay,
    /// Rows that get another key or region; `None` without records.
    pub moves: Option<RowMoves>,
    /// The steps, in order.
    pub steps: Vec<Problem>,
    /// Rules for clients while both designs exist.
    pub clients: Vec<Problem>,
    /// Checks before the old design is dropped.
    pub checks: Vec<Problem>,
    /// Families that are altered, where the rows stay in their table.
    pub families: Vec<FamilyAlter>,
    /// Splits and merges, where the rows stay in their table and the split points are known.
    pub reshape: Vec<ReshapeStep>,
    /// The queries of the new document.
    pub queries: Vec<QueryScans>,
}

/// Both designs, and what the records say of them.
struct DesignPair<'a> {
    from: &'a Design,
    to: &'a Design,
    way: MigrationWay,
    /// Fields that the new key needs and the old key does not tell.
    missing: Vec<&'a str>,
    moves: Option<RowMoves>,
    /// Different keys under either, and rows without a key under the new one that have one under the old; of the records.
    keys: Option<(u64, u64, u64)>,
    regions: Option<usize>,
    /// The columns of both, where both are tables of Phoenix.
    columns: Option<Vec<String>>,
}

/// From a design to another of the same records, when there are some.
///
/// # Errors
/// `design.no-such-table`, splits that HBase would refuse, records that lack a field.
pub fn migration(
    from: Candidate<'_>,
    to: Candidate<'_>,
    records: Option<&Records>,
) -> Result<Migration, Problem> {
    let (old, new) = (from.design()?, to.design()?);
    let tables: Vec<KeyTable> = match records {
        Some(records) => {
            encode_all(records, &[from, to])?.into_iter().map(|keys| KeyTable::new(keys, 0)).collect()
        }
        None => Vec::new(),
    };
    let old_points = known_points(old, tables.first())?;
    let new_points = known_points(new, tables.get(1))?;
    let way = way(from, to, &old_points, &new_points)?;
    let held = match (tables.as_slice(), &old_points, &new_points, records) {
        ([a, b], Some(x), Some(y), Some(records)) => Some((a, x, b, y, records)),
        _ => None,
    };
    let shared = |field: &&Field| from.study.fields.iter().any(|other| other.name == field.name);
    let columns = to.study.fields.iter().filter(shared).map(|field| quoted(&field.name));
    let both = DesignPair {
        columns: are_of_phoenix(old, new).then(|| columns.collect()),
        from: old,
        to: new,
        way,
        missing: missing(from, to)?,
        moves: held
            .map(|(a, x, b, y, records)| moves((a, x), (b, y), records.rows).of_all(SampleSize::of(records))),
        keys: held.map(|(a, _, b, _, _)| (distinct(a), distinct(b), a.len().saturating_sub(b.len()) as u64)),
        regions: new_points.as_ref().map(SplitPoints::regions),
    };
    let in_place = matches!(way, MigrationWay::Reshape | MigrationWay::InPlace);
    let reshaped = match (&old_points, &new_points) {
        (Some(old), Some(new)) if in_place => reshape(old, new),
        _ => Vec::new(),
    };
    let families = if way == MigrationWay::NewTable { Vec::new() } else { family_alters(old, new) };
    let none = SplitPoints::default();
    let ranges = |query: &Query, candidate: Candidate<'_>, design: &Design| {
        let answer = answer_by(query, candidate.study, design, &none, None);
        answer.map_or(0, |answer| answer.plan.ranges.len())
    };
    let asked = |query: &Query| {
        let (before, after) = (ranges(query, from, old), ranges(query, to, new));
        let meanwhile = if both.rewrites() && both.columns.is_none() { before + after } else { before };
        QueryScans { name: query.name.clone(), before, meanwhile, after }
    };
    Ok(Migration {
        way,
        steps: both.steps(!reshaped.is_empty(), &families),
        clients: both.clients(),
        checks: both.checks(),
        queries: to.study.queries.iter().map(asked).collect(),
        families,
        reshape: reshaped,
        moves: both.moves,
    })
}

/// The split points of a table where they are known: some follow from records alone.
fn known_points(design: &Design, table: Option<&KeyTable>) -> Result<Option<SplitPoints>, Problem> {
    match table {
        Some(table) => design.splits.points_for(table).map(Some),
        None if design.splits.need_records() => Ok(None),
        None => design.splits.points().map(Some),
    }
}

fn way(
    from: Candidate<'_>,
    to: Candidate<'_>,
    old_points: &Option<SplitPoints>,
    new_points: &Option<SplitPoints>,
) -> Result<MigrationWay, Problem> {
    let (old, new) = (from.design()?, to.design()?);
    let same_key = same_keys((from.study, old), (to.study, new));
    let same_regions = old_points == new_points && old_points.is_some();
    // Phoenix takes another primary key for another table alone.
    let in_place = old.name == new.name && !are_of_phoenix(old, new);
    Ok(match () {
        () if !same_key && in_place => MigrationWay::InPlace,
        () if !same_key => MigrationWay::NewTable,
        () if same_regions && family_alters(old, new).is_empty() => MigrationWay::Nothing,
        () if same_regions => MigrationWay::Alter,
        () => MigrationWay::Reshape,
    })
}

/// True if both designs give a record the same key.
pub fn same_keys((one, old): (&Document, &Design), (other, new): (&Document, &Design)) -> bool {
    let same_fields = one.fields == other.fields && one.lookups == other.lookups;
    same_fields && old.keys() == new.keys()
}

fn are_of_phoenix(old: &Design, new: &Design) -> bool {
    is_of_phoenix(&old.typed) && is_of_phoenix(&new.typed)
}

/// Number of different keys of a table.
fn distinct(table: &KeyTable) -> u64 {
    if let Some(cells) = table.cells() {
        return cells.rows;
    }
    let duplicates = table.duplicates();
    (table.len() + duplicates.keys).saturating_sub(duplicates.rows) as u64
}

/// Fields that the new key needs and the old key does not tell: of each kind of records, by the keys that it has in both.
fn missing<'a>(from: Candidate<'_>, to: Candidate<'a>) -> Result<Vec<&'a str>, Problem> {
    let (old, new) = (from.design()?, to.design()?);
    let same_fields = from.study.fields == to.study.fields;
    let pairs = kind_pairs(old, new);
    let is_missing = |(field, named): &(usize, &'a Field)| {
        let before = from.study.fields.iter().position(|other| other.name == named.name);
        pairs.iter().any(|pair| {
            // A value that the old key holds as the new one writes it, such as a time to the second, is at hand.
            let copied = |part: &Expression| same_fields && holds(pair.old, part);
            let kind = pair.new_kind.is_some_and(|kind| kind.field == *field);
            let needed = kind || pair.new.parts.iter().any(|part| needs(&part.expression, *field, &copied));
            needed && !before.is_some_and(|before| pair.tells(before))
        })
    };
    let fields = to.study.fields.iter().enumerate().filter(is_missing);
    Ok(fields.map(|(_, field)| field.name.as_str()).collect())
}

/// Row keys of the same records in two tables.
struct KeyPair<'d> {
    old: &'d TypedFormula,
    new: &'d TypedFormula,
    /// The kinds of records that they are of, where a table has several.
    old_kind: Option<&'d TypedKind>,
    new_kind: Option<&'d TypedKind>,
}

impl KeyPair<'_> {
    /// True if the value of a field can be read from the old key.
    fn tells(&self, field: usize) -> bool {
        let kind = self.old_kind.is_some_and(|kind| kind.field == field && kind.values.len() == 1);
        kind || self.old.parts.iter().any(|part| keeps(&part.expression, field))
    }
}

/// The pairs of row keys that records can have in two tables: of kinds that some value means in both.
fn kind_pairs<'d>(old: &'d Design, new: &'d Design) -> Vec<KeyPair<'d>> {
    let sides = [old, new].map(|design| {
        let whole = design.kinds.is_empty().then_some((&design.typed, None));
        let kinds = design.kinds.iter().filter_map(|kind| Some((kind.formula()?, Some(kind))));
        whole.into_iter().chain(kinds).collect::<Vec<_>>()
    });
    let [old, new] = &sides;
    let mut pairs = Vec::new();
    for &(old, old_kind) in old {
        let values: HashSet<String> =
            old_kind.iter().flat_map(|kind| &kind.values).map(ToString::to_string).collect();
        for &(new, new_kind) in new {
            let meets = |(one, other): (&RecordKind, &RecordKind)| {
                one.field != other.field
                    || other.values.iter().any(|value| values.contains(&value.to_string()))
            };
            if old_kind.zip(new_kind).is_none_or(meets) {
                let [old_kind, new_kind] = [old_kind, new_kind].map(|kind| kind.map(|kind| &kind.typed));
                pairs.push(KeyPair { old, new, old_kind, new_kind });
            }
        }
    }
    pairs
}

/// True if a value is made of a field and is not one of those that are copied.
fn needs(expression: &Expression, field: usize, copied: &dyn Fn(&Expression) -> bool) -> bool {
    let own = match expression {
        Expression::Field { index, .. } => *index == field,
        Expression::Literal(_) | Expression::Salt { .. } => false,
        Expression::Join { parts, .. } => parts.iter().any(|part| needs(part, field, copied)),
        Expression::Apply { input, .. } => needs(input, field, copied),
    };
    own && !copied(expression)
}

/// True if a value is a part of the key.
fn holds(typed: &TypedFormula, wanted: &Expression) -> bool {
    let Expression::Apply { text, .. } = wanted else { return false };
    let same =
        |part: &TypedPart| matches!(&part.expression, Expression::Apply { text: own, .. } if own == text);
    typed.parts.iter().any(same)
}

/// True if a value of a key tells the field it is made of.
fn keeps(expression: &Expression, field: usize) -> bool {
    match expression {
        Expression::Field { index, .. } => *index == field,
        Expression::Literal(_) | Expression::Salt { .. } => false,
        Expression::Join { parts, .. } => parts.iter().any(|part| keeps(part, field)),
        Expression::Apply { input, inverse, .. } => inverse.is_some() && keeps(input, field),
    }
}

impl DesignPair<'_> {
    /// True if rows get another key.
    fn rewrites(&self) -> bool {
        matches!(self.way, MigrationWay::InPlace | MigrationWay::NewTable)
    }

    /// A code with the names of both tables and what the records say.
    fn say(&self, code: &'static str) -> Problem {
        let to = self.new_name();
        let mut said = Problem::new(code).with("from", &self.from.name).with("to", &to);
        if let Some(columns) = &self.columns {
            let (columns, from) = (columns.join(", "), quoted_table(&self.from.name));
            let copy = format!("UPSERT INTO {} ({columns}) SELECT {columns} FROM {from}", quoted_table(&to));
            said = said.with("sql", copy);
        }
        if let Some(moves) = &self.moves {
            said = said
                .with("rows", moves.rows)
                .with("rewritten", moves.rewritten)
                .with("kept", moves.rows.saturating_sub(moves.rewritten))
                .with("share", percent(moves.rewritten as f64 / moves.rows.max(1) as f64));
        }
        said
    }

    /// The name of the new table, which can't be that of the old one.
    fn new_name(&self) -> String {
        let is_taken = self.way == MigrationWay::NewTable && self.from.name == self.to.name;
        if is_taken { format!("{}_NEW", self.to.name) } else { self.to.name.clone() }
    }

    fn random(&self) -> bool {
        self.to.typed.each().flat_map(|of| &of.parts).any(|part| part.expression.is_random())
    }

    /// The shortest life of a cell, when all cells of the old table die.
    fn ttl(&self) -> Option<u64> {
        let ttls: Option<Vec<u32>> = self.from.families.iter().map(Family::lives).collect();
        ttls?.into_iter().max().map(u64::from)
    }

    fn steps(&self, reshaped: bool, families: &[FamilyAlter]) -> Vec<Problem> {
        let mut steps: Vec<Problem> = families.iter().flat_map(FamilyAlter::notes).collect();
        let mut add = |holds: bool, code: &'static str| {
            if holds {
                steps.push(self.say(code));
            }
        };
        let (new_table, in_place) = (self.way == MigrationWay::NewTable, self.way == MigrationWay::InPlace);
        let paused = new_table && self.columns.is_some();
        add(self.way == MigrationWay::Nothing, "migration.nothing");
        add(!families.is_empty(), "migration.alter");
        add(self.rewrites(), "migration.snapshot");
        add(new_table, "migration.create");
        add(self.way == MigrationWay::Reshape, "migration.normalizer-off");
        add(reshaped, "migration.reshape");
        let compacted: Vec<&str> =
            families.iter().filter(|alter| alter.compacts()).map(|alter| alter.family.as_str()).collect();
        add(!compacted.is_empty(), "migration.compact");
        add(in_place, "migration.read-both");
        add(new_table && !paused, "migration.write-both");
        add(in_place, "migration.write-new");
        add(self.rewrites() && !paused && !self.missing.is_empty(), "migration.fetch-fields");
        add(new_table && !paused, "migration.copy");
        add(paused, "migration.pause");
        add(paused, "migration.upsert");
        let kept = self.moves.as_ref().map(|moves| moves.rows > moves.rewritten);
        add(in_place && kept == Some(true), "migration.rewrite");
        add(in_place && kept == Some(false), "migration.rewrite-all");
        add(in_place && self.moves.is_none(), "migration.rewrite-uncounted");
        add(self.rewrites() && self.ttl().is_some_and(|ttl| ttl < DAY_SECONDS), "migration.or-wait-seconds");
        add(self.rewrites() && self.ttl().is_some_and(|ttl| ttl >= DAY_SECONDS), "migration.or-wait");
        add(self.rewrites(), "migration.check");
        add(self.rewrites() && !paused, "migration.read-new");
        add(new_table && !paused, "migration.stop-old");
        add(paused, "migration.use-new");
        add(new_table, "migration.drop");
        for step in &mut steps {
            let regions = self.regions.map_or_else(String::new, |regions| regions.to_string());
            let ttl = self.ttl().map_or_else(String::new, |ttl| ttl.to_string());
            let days = self.ttl().map_or_else(String::new, in_days);
            let figures = [
                ("regions", regions),
                ("ttl", ttl),
                ("days", days),
                ("fields", self.missing.join(", ")),
                ("families", compacted.join(", ")),
            ];
            step.args.extend(figures.into_iter().filter(|(_, value)| !value.is_empty()));
        }
        steps
    }

    fn clients(&self) -> Vec<Problem> {
        if !self.rewrites() || self.columns.is_some() {
            return Vec::new();
        }
        let in_place = self.way == MigrationWay::InPlace;
        let stranded = self.moves.as_ref().is_some_and(|moves| moves.rewritten > 0);
        let rules = [
            (in_place && stranded, "migration.stranded"),
            (in_place, "migration.configuration"),
            (true, "migration.gets"),
            (true, "migration.scans"),
            (!in_place, "migration.puts"),
            (true, "migration.deletes"),
            (true, "migration.counters"),
            (self.random(), "migration.random-salt"),
        ];
        rules.into_iter().filter(|(holds, _)| *holds).map(|(_, code)| self.say(code)).collect()
    }

    fn checks(&self) -> Vec<Problem> {
        if matches!(self.way, MigrationWay::Nothing | MigrationWay::Alter) {
            return Vec::new();
        }
        let mut checks = Vec::new();
        if let Some((before, after, refused)) = self.keys {
            let with = |code| self.say(code).with("before", before).with("after", after);
            if self.rewrites() && after < before.saturating_sub(refused) {
                let lost = before - refused - after;
                checks.push(with("migration.rows-collide").with("lost", lost));
            }
            if self.rewrites() && refused > 0 {
                checks.push(with("migration.rows-refused").with("refused", refused));
            }
        }
        if self.rewrites() {
            let copied: &[&'static str] = match self.columns {
                Some(_) => &["migration.check-select"],
                None => &["migration.check-count", "migration.check-sample"],
            };
            checks.extend(copied.iter().map(|code| self.say(code)));
            checks.push(self.say("migration.check-queries"));
        }
        if self.way == MigrationWay::InPlace {
            checks.push(self.say("migration.check-left"));
        }
        checks.push(self.say("migration.check-regions"));
        checks
    }
}
