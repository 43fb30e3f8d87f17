//! The conditions of a SELECT as those of a query.

use super::statement::{SqlComparison, SqlExpression, SqlQuery};
use super::table::SqlTable;
use super::types::SqlColumn;
use crate::base::Problem;
use crate::bytes::row::to_string_binary;
use crate::design::{Condition, OrderBy, OrderDirection, Popularity, Query};
use crate::records::field::Kind;
use crate::records::field::time::TimeFormat;
use serde_json::{Value, json};

/// Letters of a statement that name its query.
const NAMED: usize = 80;

/// The conditions on one column.
#[derive(Clone, Debug, Default)]
struct Asked {
    listed: Option<Vec<Value>>,
    prefixes: Option<Vec<String>>,
    from: Option<Value>,
    to: Option<Value>,
}

struct QueryReader<'t, 'p> {
    table: &'t SqlTable,
    /// By the name of a column.
    asked: Vec<(String, Asked)>,
    /// True if a value is given when the statement runs.
    has_bind: bool,
    /// True if part of the condition is left out.
    is_wider: bool,
    problems: &'p mut Vec<Problem>,
    query: &'t SqlQuery,
}

/// The query that a statement is for a table. What its conditions say and the query cannot is left out, with a problem.
pub(super) fn query(
    statement: &SqlQuery,
    table: &SqlTable,
    number: usize,
    problems: &mut Vec<Problem>,
) -> Query {
    let mut reader = QueryReader {
        table,
        asked: Vec::new(),
        has_bind: false,
        is_wider: false,
        problems,
        query: statement,
    };
    if let Some(condition) = &statement.condition {
        reader.take(condition);
    }
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
            Self { from: Some(from), to: Some(to), .. } if !is_below(from, to) => {
                Some(Condition::In(Vec::new()))
            }
            Self { from, to, .. } => Some(Condition::Range { from: from.clone(), to: to.clone() }),
        }
    }
}

/// True if the values of one column are in order.
fn is_below(from: &Value, to: &Value) -> bool {
    let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
    match (number(from), number(to)) {
        (Some(from), Some(to)) if !from.is_nan() && !to.is_nan() => from < to,
        // Times are written alike.
        _ => from.as_str() < to.as_str(),
    }
}

impl QueryReader<'_, '_> {
    /// Changes what is asked of a column.
    fn ask(&mut self, name: &str, change: impl FnOnce(&mut Asked)) {
        match self.asked.iter_mut().find(|(own, _)| own == name) {
            Some((_, asked)) => change(asked),
            None => {
                let mut asked = Asked::default();
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
            SqlExpression::Between(column, low, high) if low == high => {
                self.compare(SqlComparison::Equal, column, low);
            }
            SqlExpression::Between(column, low, high) => {
                self.compare(SqlComparison::GreaterOrEqual, column, low);
                self.compare(SqlComparison::LessOrEqual, column, high);
            }
            SqlExpression::In(column, values) => self.listed(column, values),
            SqlExpression::IsNull(column) => match &**column {
                SqlExpression::Column(name, _)
                    if self.table.column(name).is_some_and(|own| own.nullable && !own.is_fixed()) =>
                {
                    self.list(name, vec![Value::Null]);
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

    /// Conditions of which one holds: values of one column, or beginnings of them.
    fn either(&mut self, all: &[SqlExpression]) {
        let begun = |one: &SqlExpression| match one {
            SqlExpression::Like(column, pattern) => match (&**column, &**pattern) {
                (SqlExpression::Column(name, _), SqlExpression::Text(pattern)) => {
                    let (prefix, rest) = beginning(pattern);
                    (rest == "%").then(|| (name.clone(), prefix))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(begun) = all.iter().map(begun).collect::<Option<Vec<_>>>()
            && let Some((name, _)) = begun.first()
            && begun.iter().all(|(other, prefix)| other == name && !prefix.is_empty())
        {
            let mut prefixes: Vec<String> = begun.iter().map(|(_, prefix)| prefix.clone()).collect();
            crate::bytes::sort::sort(&mut prefixes);
            prefixes.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
            return self.prefixes(name, prefixes);
        }
        let of_one = |one: &SqlExpression| match one {
            SqlExpression::Compare(SqlComparison::Equal, left, right) => match &**left {
                SqlExpression::Column(name, _) => Some((name.clone(), vec![(**right).clone()])),
                _ => None,
            },
            SqlExpression::In(column, values) => match &**column {
                SqlExpression::Column(name, _) => Some((name.clone(), values.clone())),
                _ => None,
            },
            _ => None,
        };
        let values: Option<Vec<(String, Vec<SqlExpression>)>> = all.iter().map(of_one).collect();
        let Some(values) = values else { return self.is_wider = true };
        let Some((first, _)) = values.first() else { return };
        if values.iter().any(|(name, _)| name != first) {
            return self.is_wider = true;
        }
        let listed: Vec<SqlExpression> = values.iter().flat_map(|(_, values)| values.clone()).collect();
        let column = SqlExpression::Column(first.clone(), self.query.at);
        self.listed(&column, &listed);
    }

    fn listed(&mut self, column: &SqlExpression, values: &[SqlExpression]) {
        match column {
            SqlExpression::Column(name, _) => {
                let values = values.iter().map(|value| self.value(name, value)).collect::<Option<Vec<_>>>();
                match values {
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
                values.retain(|value| before.contains(value));
            }
            let mut distinct: Vec<Value> = Vec::new();
            for value in values {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            asked.listed = Some(distinct);
        });
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
                if comparison == SqlComparison::Equal =>
            {
                self.begins(function, given, text);
            }
            _ => self.is_wider = true,
        }
    }

    /// `SUBSTR(A, 1, 3) = 'abc'`.
    fn begins(&mut self, function: &str, given: &[SqlExpression], text: &str) {
        let first = matches!(given.get(1), Some(SqlExpression::Number(from)) if from == "0" || from == "1");
        let length = match given.get(2) {
            Some(SqlExpression::Number(length)) => length.parse().ok(),
            _ => None,
        };
        match given.first() {
            Some(SqlExpression::Column(name, _))
                if matches!(function, "SUBSTR" | "SUBSTRING")
                    && first
                    && length == Some(text.chars().count()) =>
            {
                self.prefixes(name, vec![text.to_owned()]);
            }
            _ => self.is_wider = true,
        }
    }

    fn compare_column(&mut self, name: &str, comparison: SqlComparison, value: &SqlExpression) {
        let Some(column) = self.table.column(name) else {
            let problem = Problem::new("sql.no-such-column").with("column", name);
            self.tell(problem.with("table", &self.table.name.name));
            return;
        };
        let column = column.clone();
        let is_bind = *value == SqlExpression::Bind;
        let Some(value) = self.value(name, value) else { return self.is_wider = true };
        let is_upper = matches!(comparison, SqlComparison::Less | SqlComparison::LessOrEqual);
        let value = if is_bind && is_upper { end_of_example(&column) } else { value };
        if comparison == SqlComparison::Equal {
            return self.list(name, vec![value]);
        }
        let end = match comparison {
            SqlComparison::GreaterOrEqual | SqlComparison::Less => Some(value.clone()),
            // Values between a decimal and the next one that is written here must not be lost.
            SqlComparison::Greater if column.kind == Kind::Decimal => None,
            _ => above(&value, &column),
        };
        // The value itself is asked for, too, where the next one has no name.
        self.is_wider |= end.is_none();
        self.ask(name, |asked| match comparison {
            SqlComparison::GreaterOrEqual | SqlComparison::Greater => asked.from = end.or(Some(value)),
            _ => asked.to = end,
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
            (SqlExpression::Bind, _) => {
                self.has_bind = true;
                Some(example(&column))
            }
            (SqlExpression::Text(text), Kind::Text) => Some(json!(text)),
            (SqlExpression::Text(text), Kind::Time) | (SqlExpression::Time(text), Kind::Time) => time(text),
            (SqlExpression::Call(function, given), Kind::Time) => match (function.as_str(), given.first()) {
                ("TO_DATE" | "TO_TIME" | "TO_TIMESTAMP", Some(SqlExpression::Text(text))) => {
                    match given.get(1) {
                        Some(SqlExpression::Text(format)) => {
                            let millis = TimeFormat::parse(format, None).ok()?.read(text.as_bytes())?;
                            time_of(millis)
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

fn time_of(millis: i64) -> Option<Value> {
    let format = TimeFormat::parse("iso8601", None).ok()?;
    format.print(millis).map(|text| json!(text))
}

/// The next value that a column can have; `None` where it has no name.
fn above(value: &Value, column: &SqlColumn) -> Option<Value> {
    match column.kind {
        Kind::Integer => value.as_i64()?.checked_add(1).map(|next| json!(next)),
        Kind::Time => {
            let millis = TimeFormat::parse("iso8601", None).ok()?.read(value.as_str()?.as_bytes())?;
            time_of(millis.checked_add(1)?)
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
        Kind::Text => json!("valuf"),
        Kind::Float | Kind::Decimal => json!("101"),
        Kind::Bytes | Kind::Boolean => example(column),
    }
}

/// A value in place of one that is given when the statement runs.
fn example(column: &SqlColumn) -> Value {
    match column.kind {
        Kind::Text => json!("value"),
        Kind::Integer => json!(1),
        Kind::Time => json!("2024-05-01T00:00:00Z"),
        Kind::Bytes => json!("\\x00"),
        Kind::Float | Kind::Decimal => json!("1"),
        Kind::Boolean => json!(true),
    }
}
