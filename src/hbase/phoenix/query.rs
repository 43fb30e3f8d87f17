//! The conditions of a SELECT as those of a query.

use super::statement::{SqlComparison, SqlExpression, SqlQuery};
use super::table::SqlTable;
use super::types::SqlColumn;
use crate::base::Problem;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};
use crate::bytes::row::{from_string_binary, to_string_binary};
use crate::design::{Condition, OrderBy, OrderDirection, Popularity, Query};
use crate::records::field::Kind;
use crate::records::field::time::TimeFormat;
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::collections::HashSet;

/// Letters of a statement that name its query.
const NAMED: usize = 80;

/// The conditions on one column.
#[derive(Clone, Debug, Default)]
struct Asked {
    /// The kind of its values.
    kind: Option<Kind>,
    /// True if its texts are filled up with blanks.
    is_char: bool,
    listed: Option<Vec<Value>>,
    prefixes: Option<Vec<String>>,
    from: Option<Value>,
    to: Option<Value>,
}

/// A condition with values that are given when the statement runs, which stand for others.
struct LaterCondition {
    name: String,
    /// How the column compares; `None` for a list.
    comparison: Option<SqlComparison>,
    examples: Vec<Value>,
}

struct QueryReader<'t, 'p> {
    table: &'t SqlTable,
    /// Columns that an index holds with a NULL, although their own type has none.
    nullable_in_index: &'t [String],
    /// By the name of a column.
    asked: Vec<(String, Asked)>,
    /// True if a value is given when the statement runs.
    has_bind: bool,
    /// Place of the next such value among those of a list.
    binds: usize,
    /// Conditions with such values: what is known of their columns goes first.
    later: Vec<LaterCondition>,
    /// True if part of the condition is left out.
    is_wider: bool,
    problems: &'p mut Vec<Problem>,
    query: &'t SqlQuery,
}

/// The query that a statement is for a table. What its conditions say and the query cannot is left out, with a problem.
pub(super) fn query(
    statement: &SqlQuery,
    (table, nullable_in_index): (&SqlTable, &[String]),
    number: usize,
    problems: &mut Vec<Problem>,
) -> Query {
    let mut reader = QueryReader {
        table,
        nullable_in_index,
        asked: Vec::new(),
        has_bind: false,
        binds: 0,
        later: Vec::new(),
        is_wider: false,
        problems,
        query: statement,
    };
    if let Some(condition) = &statement.condition {
        reader.take(condition);
    }
    reader.settle();
    reader.intersect();
    if reader.is_wider {
        reader.tell(Problem::new("sql.condition-left-out").with("query", number));
    }
    if reader.has_bind {
        reader.tell(Problem::new("sql.bind").with("query", number));
    }
    let has_bind = reader.has_bind;
    let conditions = reader.asked.iter().filter_map(|(name, asked)| Some((name.clone(), asked.condition()?)));
    let conditions = conditions.collect();
    let order = statement.order.first().and_then(|(by, descending)| match by {
        SqlExpression::Column(name, _) if !statement.is_grouped && table.column(name).is_some() => {
            Some(OrderBy {
                field: name.clone(),
                direction: if *descending { OrderDirection::Descending } else { OrderDirection::Ascending },
            })
        }
        _ => None,
    });
    let aggregates = statement.columns.iter().flatten().any(|column| match column {
        SqlExpression::Call(name, _) => ["COUNT", "SUM", "AVG", "MIN", "MAX"].contains(&name.as_str()),
        _ => false,
    });
    Query {
        name: name_of(statement, number),
        table: None,
        conditions,
        order,
        // A limit of groups is none of rows.
        limit: statement.limit.filter(|&limit| limit > 0 && !statement.is_grouped && !aggregates),
        rate: None,
        popularity: if has_bind { Popularity::Rows } else { Popularity::Named },
        deletes: statement.deletes,
        scan: None,
    }
}

fn name_of(statement: &SqlQuery, number: usize) -> String {
    let name = statement.comment.clone().unwrap_or_else(|| statement.text.clone());
    let short: String = name.chars().take(NAMED).collect();
    let more = if short.len() < name.len() { "…" } else { "" };
    format!("{number}: {short}{more}")
}

impl Asked {
    fn condition(&self) -> Option<Condition> {
        match self {
            Self { listed: Some(listed), .. } => Some(match listed.as_slice() {
                [one] => Condition::Eq(one.clone()),
                all => Condition::In(all.to_vec()),
            }),
            Self { prefixes: Some(prefixes), .. } => Some(Condition::Prefix(prefixes.clone())),
            Self { from: None, to: None, .. } => None,
            // No value lies in such a range.
            Self { from: Some(from), to: Some(to), .. }
                if matches!(self.order(from, to), Some(Ordering::Equal | Ordering::Greater)) =>
            {
                Some(Condition::In(Vec::new()))
            }
            Self { from, to, .. } => Some(Condition::Range { from: from.clone(), to: to.clone() }),
        }
    }
}

impl Asked {
    /// The order of two values; `None` where it is not known.
    fn order(&self, one: &Value, other: &Value) -> Option<Ordering> {
        let whole = |value: &Value| value.as_i64().or_else(|| value.as_str()?.parse().ok());
        let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
        match self.kind? {
            Kind::Integer => Some(whole(one)?.cmp(&whole(other)?)),
            Kind::Time => Some(millis_of(one)?.cmp(&millis_of(other)?)),
            Kind::Float | Kind::Decimal => {
                let order = number(one)?.partial_cmp(&number(other)?)?;
                (order != Ordering::Equal || one == other).then_some(order)
            }
            Kind::Text if self.is_char => {
                let (one, other) = (one.as_str()?, other.as_str()?);
                let longest = one.len().max(other.len());
                let filled = |text: &str| {
                    text.bytes().chain(std::iter::repeat(b' ')).take(longest).collect::<Vec<u8>>()
                };
                Some(filled(one).cmp(&filled(other)))
            }
            Kind::Text => Some(one.as_str()?.cmp(other.as_str()?)),
            Kind::Bytes => {
                Some(from_string_binary(one.as_str()?).ok()?.cmp(&from_string_binary(other.as_str()?).ok()?))
            }
            Kind::Boolean => None,
        }
    }

    /// Hash key of a value: equal values have equal texts. Decimals that differ beyond the precision of a float share one.
    fn mark(&self, value: &Value) -> String {
        let number = value.as_f64().or_else(|| value.as_str()?.parse().ok());
        match (self.kind, value.as_str()) {
            (Some(Kind::Float | Kind::Decimal), _) if number.is_some() => {
                number.map_or_else(String::new, |number| format!("{:x}", (number + 0.0).to_bits()))
            }
            (Some(Kind::Text), Some(text)) if self.is_char => format!("\"{}\"", text.trim_end_matches(' ')),
            _ => value.to_string(),
        }
    }

    fn is_below(&self, one: &Value, other: &Value) -> bool {
        self.order(one, other) == Some(Ordering::Less)
    }

    /// Asks for nothing below a value.
    fn raise(&mut self, least: Value) {
        if self.from.as_ref().is_none_or(|from| self.is_below(from, &least)) {
            self.from = Some(least);
        }
    }

    /// Asks for nothing from a value on.
    fn lower(&mut self, end: Value) {
        if self.to.as_ref().is_none_or(|to| self.is_below(&end, to)) {
            self.to = Some(end);
        }
    }

    /// The range from the least value to the end of the greatest; `None` where a value has none above it, or is NULL.
    fn hull(&self, column: &SqlColumn) -> Option<(Option<Value>, Option<Value>)> {
        let Some(listed) = &self.listed else {
            return self.prefixes.is_none().then(|| (self.from.clone(), self.to.clone()));
        };
        let mut values = listed.iter();
        let first = values.next()?;
        let (mut least, mut greatest) = (first, first);
        for value in values {
            least = if self.order(value, least)? == Ordering::Less { value } else { least };
            greatest = if self.order(greatest, value)? == Ordering::Less { value } else { greatest };
        }
        let end = above(greatest, column).filter(|_| listed.iter().all(|value| !value.is_null()))?;
        Some((Some(least.clone()), Some(end)))
    }
}

/// The first text above all that begin with a prefix; `None` where its last letter has none above it.
fn last_raised(prefix: &str) -> Option<String> {
    let last = prefix.chars().next_back()?;
    let next = char::from_u32(u32::from(last) + 1)?;
    Some(format!("{}{next}", prefix.strip_suffix(last)?))
}

impl QueryReader<'_, '_> {
    /// Changes what is asked of a column.
    fn ask(&mut self, name: &str, change: impl FnOnce(&mut Asked)) {
        match self.asked.iter_mut().find(|(own, _)| own == name) {
            Some((_, asked)) => change(asked),
            None => {
                let column = self.table.column(name);
                let (kind, is_char) =
                    (column.map(|column| column.kind), column.is_some_and(SqlColumn::is_char));
                let mut asked = Asked { kind, is_char, ..Asked::default() };
                change(&mut asked);
                self.asked.push((name.to_owned(), asked));
            }
        }
    }

    fn tell(&mut self, problem: Problem) {
        self.problems.push(self.query.at.tell(problem));
    }

    /// Takes in a condition that holds together with those before.
    fn take(&mut self, condition: &SqlExpression) {
        match condition {
            SqlExpression::And(all) => all.iter().for_each(|one| self.take(one)),
            SqlExpression::Compare(comparison, left, right) => {
                let turned = matches!(**right, SqlExpression::Column(..))
                    && !matches!(**left, SqlExpression::Column(..));
                match turned {
                    true => self.compare(comparison.turned(), right, left),
                    false => self.compare(*comparison, left, right),
                }
            }
            SqlExpression::Between(column, low, high) if low == high && !is_given_later(low) => {
                self.compare(SqlComparison::Equal, column, low);
            }
            SqlExpression::Between(column, low, high) => {
                self.compare(SqlComparison::GreaterOrEqual, column, low);
                self.compare(SqlComparison::LessOrEqual, column, high);
            }
            SqlExpression::In(column, values) => self.listed(column, values),
            SqlExpression::IsNull(column) => match &**column {
                SqlExpression::Column(name, _) if self.may_be_null(name) => {
                    self.list(name, vec![Value::Null])
                }
                _ => self.is_wider = true,
            },
            // The least text that is not NULL.
            SqlExpression::IsNotNull(column) => match &**column {
                SqlExpression::Column(name, _)
                    if self.table.column(name).is_some_and(SqlColumn::is_varchar) =>
                {
                    self.ask(name, |asked| asked.raise(json!("\u{1}")));
                }
                _ => self.is_wider = true,
            },
            SqlExpression::Like(column, pattern) => self.like(column, pattern),
            SqlExpression::Or(all) => self.either(all),
            SqlExpression::Column(name, _)
                if self.table.column(name).is_some_and(|own| own.kind == Kind::Boolean) =>
            {
                self.list(name, vec![Value::Bool(true)]);
            }
            SqlExpression::Boolean(true) => {}
            _ => self.is_wider = true,
        }
    }

    /// Conditions of which one holds. Those of one column become a list, or the range from the least to the greatest.
    fn either(&mut self, all: &[SqlExpression]) {
        let mut branches: Vec<(String, Asked)> = Vec::new();
        for (place, one) in all.iter().enumerate() {
            let mut own = Vec::new();
            let mut branch = QueryReader {
                table: self.table,
                nullable_in_index: self.nullable_in_index,
                asked: Vec::new(),
                has_bind: false,
                binds: self.binds + place,
                later: Vec::new(),
                is_wider: false,
                problems: &mut own,
                query: self.query,
            };
            branch.take(one);
            branch.settle();
            branch.intersect();
            self.has_bind |= branch.has_bind;
            self.is_wider |= branch.is_wider;
            let found = branch.asked.pop().filter(|_| branch.asked.is_empty());
            self.problems.append(&mut own);
            let Some(found) = found else { return self.is_wider = true };
            branches.push(found);
        }
        let Some((name, _)) = branches.first().cloned() else { return };
        let Some(column) = self.table.column(&name).filter(|_| branches.iter().all(|(own, _)| *own == name))
        else {
            return self.is_wider = true;
        };
        let lists = branches.iter().map(|(_, asked)| asked.listed.clone()).collect::<Option<Vec<_>>>();
        if let Some(lists) = lists {
            return self.list(&name, lists.concat());
        }
        let begun = branches.iter().map(|(_, asked)| asked.prefixes.clone()).collect::<Option<Vec<_>>>();
        if let Some(begun) = begun {
            let mut prefixes = begun.concat();
            crate::bytes::sort::sort(&mut prefixes);
            prefixes.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
            return self.prefixes(&name, prefixes);
        }
        let ranges = branches.iter().map(|(_, asked)| asked.hull(column)).collect::<Option<Vec<_>>>();
        let of_column = Asked { kind: Some(column.kind), is_char: column.is_char(), ..Asked::default() };
        let hull = ranges.and_then(|ranges| {
            ranges.into_iter().reduce(|(from, to), (other, end)| {
                let from = from.zip(other).and_then(|(one, other)| {
                    Some(if of_column.order(&other, &one)? == Ordering::Less { other } else { one })
                });
                let to = to.zip(end).and_then(|(one, end)| {
                    Some(if of_column.order(&one, &end)? == Ordering::Less { end } else { one })
                });
                (from, to)
            })
        });
        self.is_wider = true;
        if let Some((from, to)) = hull {
            self.ask(&name, |asked| {
                from.into_iter().for_each(|from| asked.raise(from));
                to.into_iter().for_each(|to| asked.lower(to));
            });
        }
    }

    /// True if the field of a column has NULL among its values.
    fn may_be_null(&self, name: &str) -> bool {
        let own = |column: &SqlColumn| column.nullable && !column.is_fixed();
        self.table.column(name).is_some_and(own) || self.nullable_in_index.iter().any(|one| one == name)
    }

    /// Applies ranges to the lists and beginnings of the same column.
    fn intersect(&mut self) {
        for (_, asked) in &mut self.asked {
            let has_range = asked.from.is_some() || asked.to.is_some();
            if let Some(listed) = asked.listed.take() {
                let begins = |value: &Value, prefixes: &[String]| {
                    value.as_str().is_some_and(|text| prefixes.iter().any(|prefix| text.starts_with(prefix)))
                };
                let is_in = |value: &Value| {
                    let above = asked.from.as_ref().is_none_or(|from| !asked.is_below(value, from));
                    let below = asked
                        .to
                        .as_ref()
                        .is_none_or(|to| matches!(asked.order(value, to), Some(Ordering::Less) | None));
                    let begins = asked.prefixes.as_ref().is_none_or(|prefixes| begins(value, prefixes));
                    above && below && begins && !(value.is_null() && has_range)
                };
                asked.listed = Some(listed.into_iter().filter(is_in).collect());
            } else if let Some(begun) = asked.prefixes.take_if(|_| has_range) {
                let range = match begun.as_slice() {
                    [prefix] => last_raised(prefix).map(|end| (json!(prefix), json!(end))),
                    _ => None,
                };
                match range {
                    Some((first, end)) => {
                        asked.raise(first);
                        asked.lower(end);
                    }
                    None => {
                        asked.prefixes = Some(begun);
                        self.is_wider = true;
                    }
                }
            }
        }
    }

    fn listed(&mut self, column: &SqlExpression, values: &[SqlExpression]) {
        match column {
            SqlExpression::Column(name, _) => {
                let is_later = values.iter().any(is_given_later);
                let first = self.binds;
                let values = values.iter().enumerate().map(|(place, value)| {
                    self.binds = first + place;
                    self.value(name, value)
                });
                let values = values.collect::<Option<Vec<_>>>();
                self.binds = first;
                match values {
                    Some(examples) if is_later => {
                        self.later.push(LaterCondition { name: name.clone(), comparison: None, examples });
                    }
                    Some(values) => self.list(name, values),
                    None => self.is_wider = true,
                }
            }
            // Lists of the columns of rows also ask for rows that mix their values.
            SqlExpression::Row(columns) => {
                for (at, column) in columns.iter().enumerate() {
                    let of_column = values.iter().map(|value| match value {
                        SqlExpression::Row(all) => all.get(at).cloned(),
                        _ => None,
                    });
                    match of_column.collect::<Option<Vec<_>>>() {
                        Some(of_column) => self.listed(column, &of_column),
                        None => self.is_wider = true,
                    }
                }
                self.is_wider |= values.len() > 1;
            }
            _ => self.is_wider = true,
        }
    }

    fn list(&mut self, name: &str, mut values: Vec<Value>) {
        self.ask(name, |asked| {
            if let Some(before) = &asked.listed {
                let before: HashSet<String> = before.iter().map(|value| asked.mark(value)).collect();
                values.retain(|value| before.contains(&asked.mark(value)));
            }
            let mut seen = HashSet::new();
            values.retain(|value| seen.insert(value.to_string()));
            asked.listed = Some(values);
        });
    }

    /// Takes in the conditions with values that are given later: examples, unless other values of the column are known, with which they
    /// could have nothing in common.
    fn settle(&mut self) {
        let known: Vec<String> = self.asked.iter().map(|(name, _)| name.clone()).collect();
        for LaterCondition { name, comparison, mut examples } in std::mem::take(&mut self.later) {
            let Some(column) = self.table.column(&name).cloned() else { continue };
            if known.contains(&name) {
                let asked = self.asked.iter().find(|(own, _)| *own == name).map(|(_, asked)| asked.clone());
                let asked = asked.unwrap_or_default();
                let is_range = asked.listed.is_none() && asked.prefixes.is_none();
                let bound = match (comparison, &asked.from, &asked.to) {
                    (Some(SqlComparison::Less | SqlComparison::LessOrEqual), Some(from), None) => {
                        apart(from, &column, 1)
                    }
                    (Some(SqlComparison::Greater | SqlComparison::GreaterOrEqual), None, Some(to)) => {
                        apart(to, &column, -1)
                    }
                    _ => None,
                };
                match bound.filter(|_| is_range) {
                    Some(bound) => examples = vec![bound],
                    None => {
                        self.is_wider = true;
                        continue;
                    }
                }
            }
            match (comparison, examples.pop()) {
                (Some(comparison), Some(example)) if comparison != SqlComparison::Equal => {
                    self.bound(&name, comparison, example);
                }
                (_, Some(example)) => {
                    examples.push(example);
                    self.list(&name, examples);
                }
                (_, None) => {}
            }
        }
    }

    fn compare(&mut self, comparison: SqlComparison, left: &SqlExpression, right: &SqlExpression) {
        match (left, right) {
            (SqlExpression::Row(columns), SqlExpression::Row(values))
                if comparison == SqlComparison::Equal =>
            {
                columns
                    .iter()
                    .zip(values)
                    .for_each(|(column, value)| self.compare(comparison, column, value));
            }
            // The first column decides, but for rows that have its value.
            (SqlExpression::Row(columns), SqlExpression::Row(values)) => {
                self.is_wider = true;
                let wider = match comparison {
                    SqlComparison::Less => SqlComparison::LessOrEqual,
                    SqlComparison::Greater => SqlComparison::GreaterOrEqual,
                    other => other,
                };
                if let (Some(column), Some(value)) = (columns.first(), values.first()) {
                    self.compare(wider, column, value);
                }
            }
            (SqlExpression::Column(name, _), value) => self.compare_column(name, comparison, value),
            (SqlExpression::Call(function, given), SqlExpression::Text(text))
                if comparison == SqlComparison::Equal
                    && matches!(function.as_str(), "SUBSTR" | "SUBSTRING") =>
            {
                self.begins(given, text);
            }
            (SqlExpression::Call(function, given), value)
                if comparison == SqlComparison::Equal && matches!(function.as_str(), "TRUNC" | "FLOOR") =>
            {
                self.truncated(given, value);
            }
            _ => self.is_wider = true,
        }
    }

    /// `SUBSTR(A, 1, 3) = 'abc'`.
    fn begins(&mut self, given: &[SqlExpression], text: &str) {
        let first = matches!(given.get(1), Some(SqlExpression::Number(from)) if from == "0" || from == "1");
        let length = match given.get(2) {
            Some(SqlExpression::Number(length)) => length.parse().ok(),
            _ => None,
        };
        match given.first() {
            Some(SqlExpression::Column(name, _)) if first && length == Some(text.chars().count()) => {
                self.prefixes(name, vec![text.to_owned()]);
            }
            _ => self.is_wider = true,
        }
    }

    /// `TRUNC(A, 'DAY') = DATE '2024-05-01'`: the times of that day.
    fn truncated(&mut self, given: &[SqlExpression], value: &SqlExpression) {
        let [SqlExpression::Column(name, _), SqlExpression::Text(unit)] = given else {
            return self.is_wider = true;
        };
        let length = match unit.to_uppercase().as_str() {
            "DAY" => DAY,
            "HOUR" => HOUR,
            "MINUTE" => MINUTE,
            "SECOND" => SECOND,
            _ => return self.is_wider = true,
        };
        let is_time = self.table.column(name).is_some_and(|column| column.kind == Kind::Time);
        let from = self.value(name, value).filter(|_| is_time);
        let millis = from.as_ref().and_then(millis_of).filter(|millis| millis.rem_euclid(length) == 0);
        let to = millis.and_then(|millis| time_of(millis.checked_add(length)?));
        let (Some(from), Some(to)) = (from, to) else { return self.is_wider = true };
        self.ask(name, |asked| {
            asked.raise(from);
            asked.lower(to);
        });
    }

    fn compare_column(&mut self, name: &str, comparison: SqlComparison, value: &SqlExpression) {
        let Some(column) = self.table.column(name) else {
            let problem = Problem::new("sql.no-such-column").with("column", name);
            self.tell(problem.with("table", &self.table.name.name));
            return;
        };
        let column = column.clone();
        let is_later = is_given_later(value);
        let Some(value) = self.value(name, value) else { return self.is_wider = true };
        let is_upper = matches!(comparison, SqlComparison::Less | SqlComparison::LessOrEqual);
        if is_later {
            let example = if is_upper { end_of_example(&column) } else { value };
            let (name, comparison) = (name.to_owned(), Some(comparison));
            return self.later.push(LaterCondition { name, comparison, examples: vec![example] });
        }
        match comparison {
            SqlComparison::Equal => self.list(name, vec![value]),
            _ => self.bound(name, comparison, value),
        }
    }

    /// Takes in the end of a range.
    fn bound(&mut self, name: &str, comparison: SqlComparison, value: Value) {
        let Some(column) = self.table.column(name).cloned() else { return };
        // In a key it is filled up with blanks.
        let value = match (column.is_char().then_some(column.bytes).flatten(), value.as_str()) {
            (Some(width), Some(text)) => match filled(text, width) {
                Some(text) => json!(text),
                None => return self.is_wider = true,
            },
            _ => value,
        };
        let end = match comparison {
            SqlComparison::GreaterOrEqual | SqlComparison::Less => Some(value.clone()),
            // Values between a decimal and the next one that is written here must not be lost.
            SqlComparison::Greater if column.kind == Kind::Decimal => None,
            _ => above(&value, &column),
        };
        // The value itself is asked for, too, where the next one has no name.
        self.is_wider |= end.is_none();
        self.ask(name, |asked| match comparison {
            SqlComparison::GreaterOrEqual | SqlComparison::Greater => asked.raise(end.unwrap_or(value)),
            _ => end.into_iter().for_each(|end| asked.lower(end)),
        });
    }

    fn like(&mut self, column: &SqlExpression, pattern: &SqlExpression) {
        let (SqlExpression::Column(name, _), SqlExpression::Text(pattern)) = (column, pattern) else {
            return self.is_wider = true;
        };
        let (prefix, rest) = beginning(pattern);
        match rest.as_str() {
            "" => self.list(&name.clone(), vec![json!(prefix)]),
            "%" => self.prefixes(name, vec![prefix]),
            _ => {
                self.is_wider = true;
                self.prefixes(name, vec![prefix]);
            }
        }
    }

    fn prefixes(&mut self, name: &str, prefixes: Vec<String>) {
        let is_text = self.table.column(name).is_some_and(|column| column.kind == Kind::Text);
        let is_known = self.asked.iter().any(|(own, asked)| own == name && asked.prefixes.is_some());
        if is_known || !is_text || prefixes.iter().any(String::is_empty) {
            return self.is_wider = true;
        }
        self.ask(name, |asked| asked.prefixes = Some(prefixes));
    }

    /// The value of a column as a document writes it; `None` where it is none, or none that is known.
    fn value(&mut self, name: &str, value: &SqlExpression) -> Option<Value> {
        let column = self.table.column(name)?.clone();
        match (value, column.kind) {
            (given, _) if is_given_later(given) => {
                self.has_bind = true;
                Some(example(&column, self.binds))
            }
            (SqlExpression::Text(text), Kind::Text) => Some(json!(text)),
            (SqlExpression::Text(text), Kind::Time) | (SqlExpression::Time(text), Kind::Time) => time(text),
            (SqlExpression::Call(function, given), Kind::Time) => match (function.as_str(), given.first()) {
                ("TO_DATE" | "TO_TIME" | "TO_TIMESTAMP", Some(SqlExpression::Text(text))) => {
                    match given.get(1) {
                        Some(SqlExpression::Text(format)) => {
                            let zone = match given.get(2) {
                                Some(SqlExpression::Text(zone)) => Some(offset_of(zone)?),
                                Some(_) => return None,
                                None => None,
                            };
                            let format = TimeFormat::parse(format, zone.as_deref()).ok()?;
                            time_of(format.read(text.as_bytes())?)
                        }
                        Some(_) => None,
                        None => time(text),
                    }
                }
                _ => None,
            },
            (SqlExpression::Number(number), Kind::Time) => time_of(number.parse().ok()?),
            (SqlExpression::Number(number), Kind::Integer) => {
                number.parse::<i64>().ok().map(|number| json!(number))
            }
            (SqlExpression::Number(number), Kind::Float | Kind::Decimal) => Some(json!(number)),
            (SqlExpression::Boolean(truth), Kind::Boolean) => Some(json!(truth)),
            (SqlExpression::Bytes(bytes), Kind::Bytes) => Some(json!(to_string_binary(bytes))),
            (SqlExpression::Text(text), Kind::Bytes) => Some(json!(to_string_binary(text.as_bytes()))),
            _ => None,
        }
    }
}

/// True of a value that is known only when the statement runs: `?`, the time of day, and what is computed of them.
fn is_given_later(value: &SqlExpression) -> bool {
    const NOW: [&str; 4] = ["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "NOW"];
    match value {
        SqlExpression::Bind => true,
        SqlExpression::Call(name, given) => NOW.contains(&name.as_str()) && given.is_empty(),
        SqlExpression::Arithmetic(all) => {
            let is_known =
                |one: &SqlExpression| matches!(one, SqlExpression::Number(_)) || is_given_later(one);
            all.iter().all(is_known) && all.iter().any(is_given_later)
        }
        _ => false,
    }
}

/// The offset of a zone that Java names: `GMT+8`, `+08:00`, `UTC`; `None` of those that change it.
fn offset_of(zone: &str) -> Option<String> {
    let rest = zone.strip_prefix("GMT").or_else(|| zone.strip_prefix("UTC")).unwrap_or(zone);
    let Some(sign) = rest.chars().next() else { return Some("Z".to_owned()) };
    let (hours, minutes) = match rest.get(1..)?.split_once(':') {
        Some((hours, minutes)) => (hours, minutes),
        None if rest.len() == 5 => rest.get(1..)?.split_at_checked(2)?,
        None => (rest.get(1..)?, "0"),
    };
    let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
    let is_offset = matches!(sign, '+' | '-') && hours < 24 && minutes < 60;
    is_offset.then(|| format!("{sign}{hours:02}:{minutes:02}"))
}

/// The text before the first wildcard of a pattern, and what follows.
fn beginning(pattern: &str) -> (String, String) {
    let mut prefix = String::new();
    let mut chars = pattern.chars().peekable();
    while let Some(char) = chars.next_if(|char| !matches!(char, '%' | '_')) {
        match char {
            '\\' if matches!(chars.peek(), Some('%' | '_' | '\\')) => prefix.extend(chars.next()),
            _ => prefix.push(char),
        }
    }
    (prefix, chars.collect())
}

/// A time as Phoenix reads it: in UTC, the time of day may be missing.
fn time(text: &str) -> Option<Value> {
    time_of(TimeFormat::parse("iso8601", None).ok()?.read(text.as_bytes())?)
}

/// The milliseconds of a time as a document writes it.
fn millis_of(value: &Value) -> Option<i64> {
    TimeFormat::parse("iso8601", None).ok()?.read(value.as_str()?.as_bytes())
}

fn time_of(millis: i64) -> Option<Value> {
    let format = TimeFormat::parse("iso8601", None).ok()?;
    format.print(millis).map(|text| json!(text))
}

/// A text with blanks up to a width; `None` where that is very long.
fn filled(text: &str, width: u32) -> Option<String> {
    const WIDEST: u32 = 4096;
    let blanks = (width as usize).saturating_sub(text.chars().count());
    (width <= WIDEST).then(|| text.to_owned() + &" ".repeat(blanks))
}

/// A value as far from another one as the ends of an example are: an hour, or a hundred.
fn apart(value: &Value, column: &SqlColumn, direction: i64) -> Option<Value> {
    match column.kind {
        Kind::Integer => value.as_i64()?.checked_add(100 * direction).map(|number| json!(number)),
        Kind::Time => time_of(millis_of(value)?.checked_add(HOUR * direction)?),
        _ => None,
    }
}

/// The next value that a column can have; `None` where it has no name.
fn above(value: &Value, column: &SqlColumn) -> Option<Value> {
    match column.kind {
        Kind::Integer => value.as_i64()?.checked_add(1).map(|next| json!(next)),
        Kind::Time => time_of(millis_of(value)?.checked_add(1)?),
        Kind::Text if column.is_char() => {
            last_raised(&filled(value.as_str()?, column.bytes?)?).map(|text| json!(text))
        }
        Kind::Text => Some(json!(format!("{}\u{1}", value.as_str()?))),
        Kind::Float => Some(json!(value.as_str()?.parse::<f64>().ok()?.next_up().to_string())),
        Kind::Decimal => just_above(value.as_str()?).map(|text| json!(text)),
        Kind::Bytes | Kind::Boolean => None,
    }
}

/// A decimal number a little above another; `None` of one with an exponent or very many digits.
fn just_above(text: &str) -> Option<String> {
    const FINER: usize = 10;
    const LONGEST: usize = 100;
    if text.len() > LONGEST {
        return None;
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits: i128 = format!("{whole}{part}").parse().ok()?;
    let above = digits.checked_mul(10i128.pow(FINER as u32))?.checked_add(1)?;
    let sign = if above < 0 { "-" } else { "" };
    let places = part.len() + FINER;
    let digits = format!("{:0>width$}", above.unsigned_abs(), width = places + 1);
    let (whole, part) = digits.split_at_checked(digits.len() - places)?;
    Some(format!("{sign}{whole}.{part}"))
}

/// The upper end of a range of which both are given when the statement runs: an hour, or a hundred numbers.
fn end_of_example(column: &SqlColumn) -> Value {
    match column.kind {
        Kind::Time => json!("2024-05-01T01:00:00Z"),
        Kind::Integer => json!(101),
        Kind::Text => json!(within("valuf", column)),
        Kind::Float | Kind::Decimal => json!("101"),
        Kind::Bytes | Kind::Boolean => example(column, 0),
    }
}

/// A value in place of one that is given when the statement runs; those of a list differ by their place.
fn example(column: &SqlColumn, place: usize) -> Value {
    let number = place % 100 + 1;
    match column.kind {
        Kind::Text if place == 0 => json!(within("value", column)),
        Kind::Text => json!(within(&format!("v{number}"), column)),
        Kind::Integer => json!(number),
        Kind::Time => json!(format!("2024-05-{:02}T00:00:00Z", place % 31 + 1)),
        Kind::Bytes => json!(to_string_binary(&[u8::try_from(place % 200).unwrap_or(0)])),
        Kind::Float | Kind::Decimal => json!(number.to_string()),
        Kind::Boolean => json!(place.is_multiple_of(2)),
    }
}

/// The end of a text that fits a column; its last letters are what makes texts differ.
fn within(text: &str, column: &SqlColumn) -> String {
    let length = column.bytes.map_or(text.len(), |bytes| (bytes as usize).min(text.len()));
    let cut = if text.starts_with("valu") { text.get(..length) } else { text.get(text.len() - length..) };
    cut.unwrap_or(text).to_owned()
}
