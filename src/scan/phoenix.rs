//! How Phoenix reads a table of its own: the kind of scan that it makes of a query.

use crate::bytes::row::prefix_stop_row;
use crate::bytes::sort::sort;
use crate::design::{Condition, Query};
use crate::formula::steps::{PhoenixColumn, quoted, quoted_table};
use crate::formula::typed::{Expression, TypedFormula, TypedPart};
use crate::records::field::Field;
use serde::Serialize;
use serde_json::Value;

/// A scan of Phoenix, in the words of its `EXPLAIN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PhoenixScanKind {
    /// All rows of the table: its first column is not asked for.
    FullScan,
    /// All rows between two.
    RangeScan,
    /// Those rows between two whose columns match: between them it seeks.
    SkipScan,
    /// Rows by their whole keys.
    PointLookup,
}

/// The scan that Phoenix makes of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhoenixScan {
    /// Its kind.
    pub kind: PhoenixScanKind,
    /// The fields of the columns that narrow it, in the order of the key; those behind them are filtered.
    pub fields: Vec<String>,
}

/// True if a formula is the primary key of a table of Phoenix, salted or not.
pub fn is_of_phoenix(typed: &TypedFormula) -> bool {
    let is_column = |expression: &Expression| match expression {
        Expression::Apply { step, .. } => step.name.starts_with("phoenix."),
        _ => false,
    };
    let salted = typed.parts.first().is_some_and(|part| part.uses_rest);
    let mut columns = typed.parts.iter().skip(usize::from(salted)).peekable();
    columns.peek().is_some() && columns.all(|part| part.fields.len() == 1 && is_column(&part.expression))
}

/// A table of Phoenix that is an index of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoenixIndex {
    /// The fields that it is declared on, each with true where it descends; the others of its key are those of the table.
    pub columns: Vec<(usize, bool)>,
    /// `SALT_BUCKETS`, where it differs from that of the table; 0 for none.
    pub salts: Option<u64>,
}

impl PhoenixIndex {
    /// The index of a table that has this key; `None` where the key lacks a column of the table's.
    pub fn of(table: &TypedFormula, index: &TypedFormula) -> Option<Self> {
        if !is_of_phoenix(table) || !is_of_phoenix(index) {
            return None;
        }
        let columns = |typed: &TypedFormula| {
            let own = typed.parts.iter().filter(|part| !part.uses_rest);
            let column =
                |part: &TypedPart| Some((*part.fields.first()?, PhoenixColumn::of(&part.text)?.descending));
            own.map(column).collect::<Option<Vec<(usize, bool)>>>()
        };
        let (of_table, mut own) = (columns(table)?, columns(index)?);
        let declared = (1..=own.len()).find(|&count| {
            let (first, rest) = own.split_at(count);
            let others = of_table.iter().filter(|(field, _)| first.iter().all(|(own, _)| own != field));
            others.eq(rest)
        })?;
        own.truncate(declared);
        let salts = |typed: &TypedFormula| {
            typed
                .parts
                .first()
                .filter(|part| part.uses_rest)
                .and_then(|part| part.shape.distinct)
                .unwrap_or(0)
        };
        let salts = Some(salts(index)).filter(|own| *own != salts(table));
        Some(Self { columns: own, salts })
    }

    /// `CREATE INDEX`, without the columns that it includes.
    pub fn sql(&self, fields: &[Field], (table, index): (&str, &str), included: &str) -> String {
        let order = |descending: bool| if descending { " DESC" } else { "" };
        let column = |&(field, descending): &(usize, bool)| {
            let name = fields.get(field).map_or("", |field| field.name.as_str());
            format!("{}{}", quoted(name), order(descending))
        };
        let columns: Vec<String> = self.columns.iter().map(column).collect();
        let index = index.rsplit([':', '.']).next().unwrap_or_default();
        let salts = self.salts.map_or(String::new(), |salts| format!(" SALT_BUCKETS = {salts}"));
        let columns = columns.join(", ");
        format!("CREATE INDEX {} ON {} ({columns}){included}{salts}", quoted(index), quoted_table(table))
    }
}

/// True if texts that begin with one of these lie in several ranges: those that touch are one (`KeyRange.coalesce`).
fn are_apart(prefixes: &[String]) -> bool {
    let mut sorted: Vec<&[u8]> = prefixes.iter().map(String::as_bytes).collect();
    sort(&mut sorted);
    sorted.dedup_by(|longer, shorter| longer.starts_with(shorter));
    sorted.windows(2).any(|pair| matches!(pair, [before, after] if prefix_stop_row(before) != *after))
}

/// The scan that Phoenix 5.2 makes of a query without hints (`WhereOptimizer.pushKeyExpressionsToScan`, `ScanRanges.isPointLookup`): it skips
/// where a range or several values come before another condition, and no end of a range before is open. `None` for a key that is
/// not Phoenix's.
pub fn phoenix_scan(typed: &TypedFormula, fields: &[Field], query: &Query) -> Option<PhoenixScan> {
    if !is_of_phoenix(typed) {
        return None;
    }
    let salted = typed.parts.first().is_some_and(|part| part.uses_rest);
    let columns = typed.parts.iter().skip(usize::from(salted));
    let columns: Vec<&Field> = columns.filter_map(|part| fields.get(*part.fields.first()?)).collect();
    let asked = |field: &&Field| query.conditions.get(&field.name);
    let last = columns.iter().rposition(|field| asked(field).is_some());
    let (mut is_open, mut has_range, mut has_several, mut skips) = (false, false, false, false);
    let mut narrowing = Vec::new();
    for field in columns.iter().take(last.map_or(0, |last| last + 1)) {
        let Some(condition) = asked(field) else {
            (is_open, has_range) = (true, true);
            continue;
        };
        let ends = match condition {
            Condition::Eq(_) => None,
            Condition::In(values) => {
                has_several |= values.len() > 1;
                None
            }
            Condition::Prefix(prefixes) => {
                has_several |= are_apart(prefixes);
                Some(false)
            }
            Condition::Range { from, to } => Some(from.is_none() || to.is_none()),
        };
        skips |= !is_open && (has_range || has_several);
        if !is_open || skips {
            narrowing.push(field.name.clone());
        }
        if let Some(open) = ends {
            has_range = true;
            is_open |= open;
        }
    }
    let is_null = |field: &&Field| matches!(asked(field), Some(Condition::Eq(Value::Null)));
    let single = |field: &&Field| match asked(field) {
        Some(Condition::Eq(_)) => true,
        Some(Condition::In(values)) => values.len() == 1 || skips,
        _ => false,
    };
    let is_point = columns.iter().all(single) && !columns.last().is_some_and(is_null);
    let kind = match columns.first().and_then(asked) {
        None => PhoenixScanKind::FullScan,
        _ if is_point => PhoenixScanKind::PointLookup,
        _ if skips => PhoenixScanKind::SkipScan,
        _ => PhoenixScanKind::RangeScan,
    };
    Some(PhoenixScan { kind, fields: narrowing })
}
