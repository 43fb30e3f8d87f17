//! Queries that a person is likely to put to records, as their columns suggest them. Each returns rows.

use super::own_fields;
use super::words::value_of;
use crate::analysis::report::BusiestValues;
use crate::base::host::tick;
use crate::base::units::{DAY, HOUR, MINUTE};
use crate::design::Document;
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind};
use crate::records::{Column, ColumnValues, Records};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Lengths of time that are proposed, ascending.
const LENGTHS: [i64; 6] = [MINUTE, 10 * MINUTE, HOUR, DAY, 7 * DAY, 30 * DAY];
/// Parts of all time of which one is asked for: of all rows, and of those of one value.
const PARTS: [i64; 2] = [1000, 100];
/// Rows of one value that a length of time has on average.
const FOUND: i64 = 3;
/// Newest rows asked for.
const NEWEST: u32 = 20;

/// A query that suits records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProposedQuery {
    /// The rows that it asks for.
    pub asks: Asks,
    /// The field that it is about: its time, or that of its value.
    pub field: String,
    /// The query as a document has it, without a name.
    pub query: Value,
}

/// The rows that a proposed query asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Asks {
    /// All rows of a length of time.
    All,
    /// The rows of one value in a length of time.
    One,
    /// The newest rows of one value.
    Newest,
    /// All rows of one value.
    Whole,
    /// The row of an id.
    Row,
}

impl Asks {
    /// Queries a second that are assumed until a person says otherwise.
    fn rate(self) -> f64 {
        match self {
            Self::All => 10.0,
            Self::One | Self::Newest => 50.0,
            Self::Whole => 5.0,
            Self::Row => 100.0,
        }
    }
}

/// Up to five queries that suit these records, under table number `table` of a document.
pub fn proposed_queries(study: &Document, table: usize, records: &Records) -> Vec<ProposedQuery> {
    let keyed = study.tables.get(table).map(|design| own_fields(&design.typed)).unwrap_or_default();
    let column = |field: &Field| records.column(&field.name);
    let is_time = |field: &&Field| {
        field.kind == Kind::Time && study.arrival.as_ref().is_none_or(|arrival| *arrival == field.name)
    };
    let time = study.fields.iter().find(is_time).and_then(column).and_then(TimeColumn::new);
    let place = |index: usize| keyed.iter().position(|&field| field == index).unwrap_or(keyed.len());
    let mut ranked: Vec<(usize, &Column)> = study
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| [Kind::Text, Kind::Integer, Kind::Bytes].contains(&field.kind))
        .filter_map(|(index, field)| Some((place(index), column(field)?)))
        .collect();
    crate::bytes::sort::sort_by_key(&mut ranked, |(place, _)| *place);
    let counted: Vec<Common<'_>> =
        ranked.into_iter().filter_map(|(place, column)| Common::of(column, place < keyed.len())).collect();

    let mut proposed = Vec::new();
    let mut add = |asks: Asks, field: &str, conditions: &[Condition]| {
        let given: Map<String, Value> = conditions.iter().cloned().collect();
        let mut query = json!({ "where": given, "rate": asks.rate() });
        if let (Asks::Newest, Some(time), Some(members)) = (asks, &time, query.as_object_mut()) {
            let order = json!({ "field": time.column.field.name, "direction": "descending" });
            members.extend([("order".to_owned(), order), ("limit".to_owned(), NEWEST.into())]);
        }
        proposed.push(ProposedQuery { asks, field: field.to_owned(), query });
    };
    if let Some(within) = time.as_ref().and_then(TimeColumn::all) {
        add(Asks::All, &within.0.clone(), &[within]);
    }
    let mut shared = counted.iter().filter(|of| of.rows > 1).peekable();
    let first = shared.peek().copied();
    if let Some(of) = shared.find(|of| of.column.field.kind != Kind::Integer).or(first)
        && let Some(value) = of.condition()
    {
        let name = &of.column.field.name;
        if let Some(time) = &time {
            if let Some(within) = time.of(of) {
                add(Asks::One, name, &[value.clone(), within]);
            }
            add(Asks::Newest, name, std::slice::from_ref(&value));
        }
        add(Asks::Whole, name, &[value]);
    }
    let is_id = |of: &&Common<'_>| of.rows == 1 && (of.keyed || of.column.field.kind != Kind::Integer);
    if let Some(of) = counted.iter().find(is_id)
        && let Some(value) = of.condition()
    {
        add(Asks::Row, &of.column.field.name, &[value]);
    }
    proposed
}

/// A field and what is asked of it, as a document has it.
type Condition = (String, Value);

/// A column and its most frequent value.
struct Common<'r> {
    column: &'r Column,
    /// True if the row key has its field.
    keyed: bool,
    /// Rows that have the value.
    rows: u32,
    /// The one in their middle.
    row: usize,
}

impl<'r> Common<'r> {
    /// `None` for a column without values.
    fn of(column: &'r Column, keyed: bool) -> Option<Self> {
        let valid = |row: &usize| !column.invalid.get(*row);
        let (rows, row) = match &column.values {
            ColumnValues::Strings { ids, dictionary } => {
                let counted = BusiestValues::counted(column)?;
                tick(ids.len());
                let filled = counted.into_iter().filter(|(_, text)| !text.is_empty());
                let (rows, text) = filled.max_by_key(|&(rows, text)| (rows, std::cmp::Reverse(text)))?;
                let has = |row: &usize| ids.get(*row).is_some_and(|&id| dictionary.get(id) == text);
                (rows, (0..ids.len()).filter(has).filter(valid).nth(rows as usize / 2)?)
            }
            ColumnValues::Integers(values) => {
                tick(values.len());
                let held = values.iter().enumerate().filter(|(row, _)| valid(row)).map(|(_, &value)| value);
                let mut ascending: Vec<i64> = held.collect();
                ascending.sort_unstable();
                let runs = ascending.chunk_by(|a, b| a == b);
                let run = runs.reduce(|best, run| if run.len() > best.len() { run } else { best })?;
                let has = |row: &usize| values.get(*row) == run.first();
                (run.len() as u32, (0..values.len()).filter(has).filter(valid).nth(run.len() / 2)?)
            }
        };
        Some(Self { column, keyed, rows, row })
    }

    /// That a field has the value.
    fn condition(&self) -> Option<Condition> {
        Some((self.column.field.name.clone(), value_of(self.column, self.row)?))
    }
}

/// The times of the records.
struct TimeColumn<'r> {
    column: &'r Column,
    /// Milliseconds since 1970 by row; those of invalid rows mean nothing.
    values: &'r [i64],
    /// From the first to the last.
    span: i64,
    /// Milliseconds that local time is ahead of UTC.
    offset: i64,
    /// The lengths that are no finer than the times.
    lengths: Vec<i64>,
    /// As queries have times.
    notation: TimeFormat,
}

impl<'r> TimeColumn<'r> {
    /// `None` without times.
    fn new(column: &'r Column) -> Option<Self> {
        let ColumnValues::Integers(values) = &column.values else { return None };
        tick(values.len());
        let notation = TimeFormat::parse("yyyy-MM-dd HH:mm:ss", column.field.zone.as_deref()).ok()?;
        let offset = notation.offset();
        let valid = || values.iter().enumerate().filter(|(row, _)| !column.invalid.get(*row));
        let (mut first, mut last, mut finest) = (i64::MAX, i64::MIN, DAY);
        for (_, &time) in valid() {
            (first, last) = (first.min(time), last.max(time));
            while finest > 1 && time.saturating_add(offset) % finest != 0 {
                let finer = LENGTHS.iter().copied().rev().find(|length| *length < finest);
                finest = finer.unwrap_or(1);
            }
        }
        let lengths = LENGTHS.into_iter().filter(|length| *length >= finest).collect();
        let span = last.checked_sub(first)?;
        (first <= last).then_some(Self { column, values, span, offset, lengths, notation })
    }

    /// A length of time with the record in the middle.
    fn all(&self) -> Option<Condition> {
        let valid = |row: &usize| !self.column.invalid.get(*row);
        let row = (self.values.len() / 2..self.values.len()).chain(0..self.values.len()).find(valid)?;
        self.around(row, self.longest(self.span / PARTS[0])?)
    }

    /// A length of time with a record that has this value.
    fn of(&self, common: &Common<'_>) -> Option<Condition> {
        let parts = PARTS[1].min(i64::from(common.rows) / FOUND).max(1);
        let part = self.span / parts;
        let length = match parts < PARTS[1] {
            // Few rows have it: the next longer one has some.
            true => {
                self.lengths.iter().copied().find(|length| *length >= part).or(self.lengths.last().copied())
            }
            false => self.longest(part),
        };
        self.around(common.row, length?)
    }

    /// The longest that is no longer than a part of the time, or else the shortest.
    fn longest(&self, part: i64) -> Option<i64> {
        let within = self.lengths.iter().copied().rfind(|length| *length <= part);
        within.or(self.lengths.first().copied())
    }

    /// The length of time around a record, from a local time that is a multiple of it.
    fn around(&self, row: usize, length: i64) -> Option<Condition> {
        let time = *self.values.get(row).filter(|_| !self.column.invalid.get(row))?;
        let local = time.checked_add(self.offset)?;
        let from = local.checked_sub(local.rem_euclid(length))?.checked_sub(self.offset)?;
        let [from, to] = [Some(from), from.checked_add(length)].map(|time| self.notation.print(time?));
        Some((self.column.field.name.clone(), json!([from?, to?])))
    }
}
