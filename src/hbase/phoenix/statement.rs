//! Statements of Phoenix's SQL.

use super::lexer::SqlPlace;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SqlStatement {
    Table(CreateTable),
    Index(CreateIndex),
    /// `ALTER TABLE … ADD`: the name of the table, its new columns.
    Add(SqlName, Vec<ColumnDefinition>, Vec<SqlProperty>),
    Query(SqlQuery),
    /// One that says nothing of keys: its first words.
    Other(String, SqlPlace),
}

/// A name, with that of its schema if it has one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SqlName {
    pub schema: Option<String>,
    pub name: String,
    pub at: SqlPlace,
}

impl SqlName {
    /// The name of the table in HBase, where schemas are no namespaces.
    pub fn in_hbase(&self) -> String {
        self.schema.as_ref().map_or_else(|| self.name.clone(), |schema| format!("{schema}.{}", self.name))
    }

    /// True if both mean one table: a name without a schema means that of any.
    pub fn is(&self, other: &Self) -> bool {
        let schemas = self.schema.as_ref().zip(other.schema.as_ref());
        self.name == other.name && schemas.is_none_or(|(own, other)| own == other)
    }
}

/// `CREATE TABLE` and `CREATE VIEW`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CreateTable {
    pub name: SqlName,
    pub is_view: bool,
    pub immutable: bool,
    pub columns: Vec<ColumnDefinition>,
    /// The columns of `CONSTRAINT … PRIMARY KEY`.
    pub key: Vec<KeyColumn>,
    pub properties: Vec<SqlProperty>,
    pub splits: Vec<SqlExpression>,
    /// The table that it is a view of.
    pub of: Option<SqlName>,
    pub condition: Option<SqlExpression>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ColumnDefinition {
    pub family: Option<String>,
    pub name: String,
    pub type_name: String,
    /// Its length and scale.
    pub sizes: Vec<u32>,
    pub is_array: bool,
    /// True of `NULL`, false of `NOT NULL`.
    pub nullable: Option<bool>,
    /// Where it is itself declared `PRIMARY KEY`.
    pub key: Option<KeyColumn>,
    pub qualifier: Option<u32>,
    pub at: SqlPlace,
}

/// A column of a primary key.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KeyColumn {
    pub name: String,
    pub descending: bool,
    pub is_row_timestamp: bool,
    pub at: SqlPlace,
}

/// `CREATE INDEX`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CreateIndex {
    pub name: SqlName,
    pub of: SqlName,
    pub is_local: bool,
    pub is_uncovered: bool,
    /// The expressions it is sorted by, each with true where it descends.
    pub key: Vec<(SqlExpression, bool)>,
    pub included: Vec<String>,
    pub condition: Option<SqlExpression>,
    pub properties: Vec<SqlProperty>,
    pub splits: Vec<SqlExpression>,
}

/// `FAMILY.NAME = value`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SqlProperty {
    pub family: Option<String>,
    pub name: String,
    pub value: String,
}

/// A statement that reads a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SqlQuery {
    /// The comment before it.
    pub comment: Option<String>,
    pub text: String,
    pub table: Option<SqlName>,
    /// The columns it gives; `None` for all.
    pub columns: Option<Vec<SqlExpression>>,
    pub condition: Option<SqlExpression>,
    pub order: Vec<(SqlExpression, bool)>,
    pub limit: Option<u32>,
    pub is_grouped: bool,
    pub deletes: bool,
    /// More tables than one.
    pub joins: bool,
    pub at: SqlPlace,
}

/// A value or a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SqlExpression {
    Column(String, SqlPlace),
    Text(String),
    Bytes(Vec<u8>),
    /// A number with its sign.
    Number(String),
    Boolean(bool),
    Null,
    Bind,
    /// `DATE '…'`, and the like.
    Time(String),
    /// Several values in brackets.
    Row(Vec<SqlExpression>),
    Call(String, Vec<SqlExpression>),
    And(Vec<SqlExpression>),
    Or(Vec<SqlExpression>),
    Compare(SqlComparison, Box<SqlExpression>, Box<SqlExpression>),
    In(Box<SqlExpression>, Vec<SqlExpression>),
    Between(Box<SqlExpression>, Box<SqlExpression>, Box<SqlExpression>),
    Like(Box<SqlExpression>, Box<SqlExpression>),
    IsNull(Box<SqlExpression>),
    IsNotNull(Box<SqlExpression>),
    /// Values joined by operators.
    Arithmetic(Vec<SqlExpression>),
    /// Anything else that narrows no key: `NOT`, `<>`; with the columns in it.
    Other(Vec<SqlExpression>),
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SqlComparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl SqlComparison {
    /// The same with the sides exchanged.
    pub fn turned(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }
}

impl SqlExpression {
    /// Calls `visit` with each column in it.
    pub fn columns(&self, visit: &mut dyn FnMut(&str)) {
        match self {
            Self::Column(name, _) => visit(name),
            Self::Row(all)
            | Self::Call(_, all)
            | Self::And(all)
            | Self::Or(all)
            | Self::Arithmetic(all)
            | Self::Other(all) => {
                all.iter().for_each(|one| one.columns(visit));
            }
            Self::Compare(_, left, right) | Self::Like(left, right) => {
                left.columns(visit);
                right.columns(visit);
            }
            Self::In(one, all) => {
                one.columns(visit);
                all.iter().for_each(|one| one.columns(visit));
            }
            Self::Between(one, low, high) => [one, low, high].into_iter().for_each(|one| one.columns(visit)),
            Self::IsNull(one) | Self::IsNotNull(one) => one.columns(visit),
            _ => {}
        }
    }
}
