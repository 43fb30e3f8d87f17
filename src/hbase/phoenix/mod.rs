//! Phoenix: its SQL as a design.
//!
//! [`read`] takes `CREATE TABLE`, `CREATE INDEX`, `ALTER TABLE … ADD`, what `SHOW CREATE TABLE` prints, and the queries of a table:
//! `SELECT`, `DELETE`, `UPSERT … SELECT`. The design has the keys, cells and split points that Phoenix gives the table in HBase. What is
//! not understood is said with line and column; the rest is used.

mod lexer;
mod parse;
mod query;
mod statement;
mod table;
mod types;

use crate::base::Problem;
use crate::design::{Condition, Family, FirstSplits, Query, VERSION};
use crate::records::field::{Field, Kind};
use crate::records::generate::{Entities, GeneratedField, GeneratorSpec, ValueSource};
use parse::statements;
use serde::Serialize;
use serde_json::Value;
use statement::{SqlQuery, SqlStatement};
use std::borrow::Cow;
use table::SqlTable;

/// Made records of a table of which there are none.
const MADE: u64 = 20_000;
/// Different values of a text of the key in made records.
const VALUES: u64 = 500;

/// A design for a table of Phoenix, with its members in the order in which a person writes them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhoenixDesign {
    rowscape: u64,
    name: String,
    fields: Vec<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arrival: Option<String>,
    identity: Vec<String>,
    /// The table, and those of its indexes.
    tables: Vec<PhoenixTable>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    queries: Vec<Query>,
    generate: GeneratorSpec,
}

/// A table of Phoenix in HBase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhoenixTable {
    /// Its name.
    pub name: String,
    rowkey: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    splits: Option<FirstSplits>,
    /// A row that is written again is the same row.
    writes: &'static str,
    /// Its column families.
    pub families: Vec<Family>,
}

impl PhoenixTable {
    /// Its split points, in `\xNN` notation.
    pub fn points(&self) -> &[String] {
        match &self.splits {
            Some(FirstSplits::Points(points)) => points,
            _ => &[],
        }
    }
}

impl PhoenixDesign {
    /// The table, and those of its indexes.
    pub fn tables(&self) -> &[PhoenixTable] {
        &self.tables
    }
}

/// A design from SQL, and what of it was left out.
#[derive(Clone, Debug)]
pub struct PhoenixText {
    /// The design; `None` where no table was found.
    pub design: Option<PhoenixDesign>,
    /// Statements and parts of them that could not be read, with line and column.
    pub problems: Vec<Problem>,
}

/// True if a text is SQL: its first statement creates a table or an index, or reads one, behind statements that change nothing of them.
pub fn is_sql(text: &str) -> bool {
    /// Statements that are passed over at most.
    const PASSED: usize = 100;
    let framed = unframed(text);
    let mut rest = framed.as_ref();
    for _ in 0..PASSED {
        rest = uncommented(rest);
        // The shell of HBase has `create 'table'`.
        let mut words = rest.split_whitespace();
        let first = words.next().unwrap_or_default().to_uppercase();
        let second = words.next().unwrap_or_default().trim_end_matches(';').to_uppercase();
        let passed = match first.as_str() {
            "CREATE" => {
                return ["TABLE", "VIEW", "INDEX", "LOCAL", "UNCOVERED", "IMMUTABLE", "SEQUENCE", "SCHEMA"]
                    .contains(&second.as_str());
            }
            "ALTER" => return second == "TABLE",
            "SELECT" | "UPSERT" | "DELETE" | "EXPLAIN" => {
                return rest.to_uppercase().contains(" FROM ") || first == "UPSERT";
            }
            "DROP" => ["TABLE", "VIEW", "INDEX", "SCHEMA", "SEQUENCE"].contains(&second.as_str()),
            "USE" => is_use(rest),
            "UPDATE" => second == "STATISTICS",
            _ => false,
        };
        match rest.split_once(';') {
            Some((_, after)) if passed => rest = after,
            _ => return false,
        }
    }
    false
}

/// True of `USE schema`, and not of a headline with these words.
fn is_use(statement: &str) -> bool {
    let (name, _) = statement.split_once(';').unwrap_or((statement, ""));
    let mut words = name.split_whitespace().skip(1);
    let is_name =
        |word: &str| word.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '"' | '.'));
    words.next().is_some_and(is_name) && words.next().is_none()
}

/// A text without the comments and frames that it begins with.
fn uncommented(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|char: char| {
            char.is_whitespace() || matches!(char, '|' | '+' | ';' | '\u{feff}')
        });
        rest = match rest.get(..2) {
            Some("--" | "//") => rest.split_once('\n').map_or("", |(_, rest)| rest),
            Some("/*") => rest.split_once("*/").map_or("", |(_, rest)| rest),
            _ => return rest,
        };
    }
}

/// Reads statements.
pub fn read(text: &str) -> PhoenixText {
    let mut problems = Vec::new();
    let all = statements(&unframed(text), &mut problems);
    let mut tables: Vec<SqlTable> = Vec::new();
    for statement in &all {
        match statement {
            SqlStatement::Table(create) if create.of.is_some() => {
                problems.push(
                    create.name.at.tell(Problem::new("sql.view-of-table").with("view", &create.name.name)),
                );
            }
            SqlStatement::Table(create) => match SqlTable::of(create, &mut problems) {
                Ok(table) => tables.push(table),
                Err(problem) => problems.push(problem),
            },
            SqlStatement::Add(name, columns, properties) => {
                if let Some(table) = tables.iter_mut().find(|table| table.name.is(name)) {
                    table.add(columns, &mut problems);
                    table.extend_key(columns);
                }
                for property in properties {
                    problems.push(name.at.tell(Problem::new("sql.property").with("name", &property.name)));
                }
            }
            SqlStatement::Other(words, at) => {
                problems.push(at.tell(Problem::new("sql.statement").with("found", words)));
            }
            SqlStatement::Index(_) | SqlStatement::Query(_) => {}
        }
    }
    let queries: Vec<&SqlQuery> = all
        .iter()
        .filter_map(|statement| match statement {
            SqlStatement::Query(query) => Some(query),
            _ => None,
        })
        .collect();
    let asks = |table: &SqlTable| {
        queries.iter().filter(|query| query.table.as_ref().is_none_or(|name| name.is(&table.name))).count()
    };
    let names = all.iter().filter_map(|statement| match statement {
        SqlStatement::Add(name, ..) => Some(name),
        SqlStatement::Index(create) => Some(&create.of),
        SqlStatement::Query(query) => query.table.as_ref(),
        SqlStatement::Table(_) | SqlStatement::Other(..) => None,
    });
    if !tables.is_empty() {
        for name in names.filter(|name| !tables.iter().any(|table| table.name.is(name))) {
            problems.push(name.at.tell(Problem::new("sql.no-such-table").with("table", &name.name)));
        }
    }
    // The table that most queries ask; of several the first.
    let Some(chosen) = (0..tables.len()).rev().max_by_key(|&at| tables.get(at).map_or(0, asks)) else {
        if problems.is_empty() {
            problems.push(Problem::new("sql.no-table"));
        }
        return PhoenixText { design: None, problems };
    };
    let others = tables.iter().enumerate().filter(|(at, _)| *at != chosen);
    let others: Vec<&str> = others.map(|(_, table)| table.name.name.as_str()).collect();
    let Some(table) = tables.get(chosen) else { return PhoenixText { design: None, problems } };
    if !others.is_empty() {
        let problem = Problem::new("sql.other-tables").with("tables", others.join(", "));
        problems.push(problem.with("table", &table.name.name));
    }
    let design = design(table, &all, &mut problems);
    // Assumptions come behind what is omitted.
    problems.sort_by_key(|problem| matches!(problem.code, "sql.bind" | "sql.millis" | "sql.multi-tenant"));
    PhoenixText { design: Some(design), problems }
}

fn design(table: &SqlTable, all: &[SqlStatement], problems: &mut Vec<Problem>) -> PhoenixDesign {
    let mut indexes = Vec::new();
    let mut queries = Vec::new();
    for statement in all {
        match statement {
            SqlStatement::Index(create) if create.of.is(&table.name) => match table.index(create, problems) {
                Ok(index) => indexes.push((index, create.is_uncovered)),
                Err(problem) => problems.push(problem),
            },
            SqlStatement::Query(query) if query.table.as_ref().is_some_and(|name| name.is(&table.name)) => {
                queries.push(query);
            }
            _ => {}
        }
    }
    if table.is_multi_tenant()
        && let Some(tenant) = table.key.first().and_then(|&(at, _)| table.columns.get(at))
    {
        let problem = Problem::new("sql.multi-tenant").with("column", &tenant.name);
        problems.push(table.name.at.tell(problem));
    }
    for column in table.columns.iter().filter(|column| column.is_millis) {
        problems.push(table.name.at.tell(Problem::new("sql.millis").with("column", &column.name)));
    }
    let widened = widened(table, indexes.iter().map(|(index, _)| index));
    let mut read = Vec::new();
    for (statement, number) in queries.into_iter().zip(1..) {
        let mut query = query::query(statement, (table, &widened), number, problems);
        if !indexes.is_empty() {
            let index = indexes
                .iter()
                .find(|(index, is_uncovered)| serves(index, table, *is_uncovered, statement, &query));
            query.table = Some(index.map_or(table, |(index, _)| index).name.in_hbase());
        }
        read.push(query);
    }
    let identity =
        table.key.iter().filter_map(|&(at, _)| Some(table.columns.get(at)?.name.clone())).collect();
    let indexes = indexes.iter().map(|(index, _)| index);
    let tables = std::iter::once(table).chain(indexes.clone());
    for index in indexes.clone() {
        let key = index.key.iter().filter_map(|&(at, _)| index.columns.get(at));
        for column in key.filter(|column| column.nullable && column.kind == Kind::Time) {
            let problem = Problem::new("sql.index-without-null").with("index", &index.name.name);
            problems.push(index.name.at.tell(problem.with("column", &column.name)));
        }
    }
    PhoenixDesign {
        rowscape: VERSION,
        name: table.name.in_hbase(),
        fields: fields(table, indexes),
        arrival: table.arrival().map(str::to_owned),
        identity,
        tables: tables.map(|table| in_hbase(table, &widened, problems)).collect::<Vec<_>>(),
        generate: made(table, &read),
        queries: read,
    }
}

/// A table and its families as HBase has them.
fn in_hbase(table: &SqlTable, widened: &[String], problems: &mut Vec<Problem>) -> PhoenixTable {
    let points = table.points();
    PhoenixTable {
        name: table.name.in_hbase(),
        rowkey: table.rowkey(),
        splits: (!points.is_empty()).then_some(FirstSplits::Points(points)),
        writes: "upsert",
        families: table.families(widened, problems),
    }
}

/// Columns whose fields are decimal numbers, which may be NULL in the key of an index, although they are whole in the table.
fn widened<'t>(table: &SqlTable, indexes: impl Iterator<Item = &'t SqlTable>) -> Vec<String> {
    let keys = indexes.flat_map(|index| index.key.iter().filter_map(|&(at, _)| index.columns.get(at)));
    let differ = keys.filter(|own| table.column(&own.name).is_some_and(|column| column.kind != own.kind));
    differ.map(|own| own.name.clone()).collect()
}

/// The fields of a table. What a column of an index is, where it may be NULL, its field is.
fn fields<'t>(table: &'t SqlTable, indexes: impl Iterator<Item = &'t SqlTable> + Clone) -> Vec<Field> {
    let of = |column: &types::SqlColumn| {
        let in_key = |index: &'t SqlTable| {
            let key = index.key.iter().filter_map(|&(at, _)| index.columns.get(at));
            key.into_iter().find(|own| own.name == column.name)
        };
        indexes.clone().find_map(in_key).unwrap_or(column).field()
    };
    table.columns.iter().map(of).collect()
}

/// True if Phoenix would put a query to an index: it has all columns that are asked for, and more of its leading ones are known.
fn serves(
    index: &SqlTable,
    table: &SqlTable,
    is_uncovered: bool,
    statement: &SqlQuery,
    query: &Query,
) -> bool {
    let mut wanted: Vec<String> = Vec::new();
    let mut add = |name: &str| wanted.push(name.to_owned());
    let order = statement.order.iter().map(|(by, _)| by);
    let read = statement.columns.iter().flatten().chain(&statement.condition).chain(order);
    read.for_each(|expression| expression.columns(&mut add));
    if statement.columns.is_none() || wanted.iter().any(|name| name == "*") {
        wanted = table.columns.iter().map(|column| column.name.clone()).collect();
    }
    let covers = is_uncovered || wanted.iter().all(|name| index.column(name).is_some());
    let known = |of: &SqlTable| {
        let columns = of.key.iter().filter_map(|&(at, _)| of.columns.get(at));
        let whole = columns.clone().take_while(|column| query.gives(&column.name)).count();
        let next = columns.clone().nth(whole);
        2 * whole + usize::from(next.is_some_and(|next| query.conditions.get(&next.name).is_some()))
    };
    covers && known(index) > known(table)
}

/// Records to judge a table by, of which there are none: texts of some values, numbers, times as they arrive.
fn made(table: &SqlTable, queries: &[Query]) -> GeneratorSpec {
    let arrival = table.arrival();
    let key = table.key.iter().filter_map(|&(at, _)| table.columns.get(at));
    let is_only = table.key.len() == 1;
    let of = |column: &types::SqlColumn| {
        let from = match column.kind {
            _ if arrival == Some(column.name.as_str()) => ValueSource::Arrival,
            Kind::Text => ValueSource::Entity(texts(column, queries)),
            Kind::Integer if is_only => {
                ValueSource::Sequence { start: 1, step: 1, digits: 0, prefix: String::new(), every: 1 }
            }
            Kind::Integer => ValueSource::Number { min: 0, max: 100, step: 1 },
            _ => return None,
        };
        let is_null = |query: &Query| query.conditions.get(&column.name) == Some(&Condition::Eq(Value::Null));
        // A tenth lacks what a query asks for as NULL.
        let missing = if queries.iter().any(is_null) { 1000 } else { 0 };
        let (kind, format, zone) = (None, None, None);
        Some(GeneratedField { name: column.name.clone(), from, kind, format, zone, missing })
    };
    GeneratorSpec { rows: MADE, fields: key.filter_map(of).collect(), ..GeneratorSpec::default() }
}

/// Values of a text of the key, no longer than it is declared; those that queries ask for come first.
fn texts(column: &types::SqlColumn, queries: &[Query]) -> Entities {
    const DIGITS: u32 = 4;
    let most = column.bytes.unwrap_or(u32::MAX);
    let digits = DIGITS.min(most);
    let prefix: String = column.name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let prefix = prefix.chars().take(most.saturating_sub(digits) as usize).collect();
    let asked = queries.iter().filter_map(|query| match query.conditions.get(&column.name)? {
        Condition::Eq(value) => Some(vec![value.clone()]),
        Condition::In(values) => Some(values.clone()),
        _ => None,
    });
    let mut known: Vec<String> = Vec::new();
    for value in asked.flatten().filter_map(|value| value.as_str().map(str::to_owned)) {
        if !known.contains(&value) {
            known.push(value);
        }
    }
    let count = VALUES.min(10u64.saturating_pow(digits)).max(known.len() as u64);
    Entities { count, prefix, digits, known, zipf: 50, ..Entities::default() }
}

/// The text that `SHOW CREATE TABLE` prints, without the frame and the headline that a shell draws around it.
fn unframed(text: &str) -> Cow<'_, str> {
    let is_framed = |line: &str| line.trim_start().starts_with('|') && line.trim_end().ends_with('|');
    if !text.lines().any(is_framed) {
        return Cow::Borrowed(text);
    }
    let line = |line: &str| match line.trim() {
        frame if frame.starts_with("+-") => String::new(),
        framed if is_framed(framed) => match framed.trim_matches('|').trim() {
            "CREATE STATEMENT" | "CREATE_STATEMENT" => String::new(),
            text => text.to_owned(),
        },
        other => other.to_owned(),
    };
    Cow::Owned(text.lines().map(line).collect::<Vec<_>>().join("\n"))
}
