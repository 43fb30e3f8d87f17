//! The design document: what a record is, how its row keys are built, how the tables are split and what is asked of them.
//!
//! [`parse`] takes the short form (one `rowkey`) and the normal form (`tables`) and checks everything at once, each
//! problem with its JSON path; [`normal_form`] prints the one form that says all. A [`Document`] holds all designs for the
//! same records: whatever is counted in a pass is counted for each of them.

mod cells;
mod constant;
mod document;
mod family_rows;
mod fields;
mod files;
mod first;
mod kind_files;
mod kinds;
mod names;
mod operation;
mod outlook;
mod policy;
mod print;
mod query;
pub mod split;
mod table;
mod writes;

pub use cells::{CellValue, PackedValue, Qualifier, RecordCell, holds_any, replaced_by};
pub use constant::Constant;
pub use document::{SuggestRequest, checked_anew, parse, parse_request};
pub use family_rows::FamilyRows;
pub use files::{BloomFilter, FileSettings};
pub use first::{FirstDesign, FirstSplits, as_text};
pub use kinds::{KindView, RecordKind};
pub use names::{scope_of, typed_of};
pub use operation::{OperationField, ReadRecords};
pub use outlook::{ASSUMED_SERVERS, Cluster, Growth, GrowthAmount, WriteRate};
pub use policy::{Arrivals, SplitPolicy};
pub use print::normal_form;
pub use query::read_query;
pub use writes::WriteKind;

use crate::base::Problem;
use crate::base::map::Map;
use crate::base::units::DAY_SECONDS;
use crate::bytes::sort::sort_distinct;
use crate::design::split::Splits;
use crate::formula::Lookups;
use crate::formula::typed::TypedFormula;
use crate::records::field::Field;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// The version of the document this crate knows.
pub const VERSION: u64 = 1;

/// A whole document.
#[derive(Clone)]
pub struct Document {
    /// Its name, as a person calls it.
    pub name: Option<String>,
    /// The fields of a record.
    pub fields: Vec<Field>,
    /// The lookup tables that formulas name.
    pub lookups: Lookups,
    /// The time field that tells when a record is written.
    pub arrival: Option<String>,
    /// The fields that together distinguish any two records; none where the document does not say.
    pub identity: Vec<String>,
    /// The field that tells a read from a write, where the records are both.
    pub operation: Option<OperationField>,
    /// The designs, at least one, in the order of the document.
    pub tables: Vec<Design>,
    /// The queries that the tables will answer.
    pub queries: Vec<Query>,
    /// How much will come.
    pub growth: Option<Growth>,
    /// Rows written a second, where the document states it.
    pub writes_per_second: Option<f64>,
    /// Hardware and settings of a region server; [`Cluster::default`] where the document says nothing.
    pub cluster: Option<Cluster>,
    /// How to make records up, as [`crate::records::generate::GeneratorSpec`] reads it.
    pub generate: Option<Value>,
}

impl Document {
    /// The rate of writes: as stated, or the rows of a day of growth. Records are a sample, and their own pace is none.
    pub fn write_rate(&self) -> Option<WriteRate> {
        let cluster = self.cluster.unwrap_or_default();
        let of_day = |growth: Growth| growth.per_day as f64 / DAY_SECONDS as f64;
        let growth = self.growth.filter(|growth| growth.amount == GrowthAmount::Rows);
        let per_second = self.writes_per_second.or_else(|| growth.map(of_day))?;
        let (region, server) = (f64::from(cluster.region_writes), f64::from(cluster.server_writes));
        Some(WriteRate { per_second, region, server, row: f64::from(cluster.row_writes) })
    }

    /// Number of the table of this name, or of this number counted from 0.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn table_number(&self, wanted: &str) -> Result<usize, Problem> {
        let named = self.tables.iter().position(|table| table.name == wanted);
        let number = named.or_else(|| wanted.parse().ok()).filter(|&number| number < self.tables.len());
        number.ok_or_else(|| Problem::new("design.no-such-table").with("table", wanted))
    }

    /// The design of this number, counted from 0.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn table(&self, number: usize) -> Result<&Design, Problem> {
        let missing = || Problem::new("design.no-such-table").with("table", number);
        self.tables.get(number).ok_or_else(missing)
    }

    /// The tables that hold the same records side by side: those that queries name, where they name several. Other tables of a
    /// document are alternatives.
    pub fn side_by_side(&self) -> Vec<usize> {
        let is_named = |table: &Design| self.queries.iter().any(|of| of.table.as_ref() == Some(&table.name));
        let named: Vec<usize> =
            (0..).zip(&self.tables).filter(|(_, table)| is_named(table)).map(|(at, _)| at).collect();
        if named.len() > 1 { named } else { Vec::new() }
    }

    /// A copy in which table number `table` has other splits.
    pub fn split_by(&self, table: usize, splits: Splits) -> Self {
        let mut study = self.clone();
        if let Some(design) = study.tables.get_mut(table) {
            design.splits = splits;
        }
        study
    }

    /// The fields that some design or query names, in the order of the document: the only ones worth keeping when
    /// memory is short.
    pub fn named_fields(&self) -> Vec<&str> {
        let mut used: Vec<usize> = self.tables.iter().flat_map(|design| design.typed.fields()).collect();
        sort_distinct(&mut used);
        let asked = |name: &str| {
            self.arrival.as_deref() == Some(name)
                || self.identity.iter().any(|field| field == name)
                || self.operation.as_ref().is_some_and(|operation| operation.field == name)
                || self.queries.iter().any(|query| {
                    query.conditions.contains_key(name)
                        || query.order.as_ref().is_some_and(|order| order.field == name)
                })
        };
        let fields = self.fields.iter().enumerate();
        let named = fields.filter(|(index, field)| used.binary_search(index).is_ok() || asked(&field.name));
        named.map(|(_, field)| field.name.as_str()).collect()
    }
}

/// A table: its row keys and how it is split.
#[derive(Clone)]
pub struct Design {
    /// Name of the table, with its namespace when it has one.
    pub name: String,
    /// Sub-formulas by name, in canonical form.
    pub lets: Map<String, String>,
    /// The row key formula in canonical form.
    pub rowkey: String,
    /// The formula checked against the fields of the study.
    pub typed: TypedFormula,
    /// How it is split when it is made; one region when the document says nothing.
    pub splits: Splits,
    /// Number of region servers.
    pub servers: Option<u32>,
    /// Meaning of a write to an existing row key.
    pub writes: WriteKind,
    /// Its column families.
    pub families: Vec<Family>,
    /// Number of the family, and of the cell in it, of each column of `typed`.
    pub columns: Vec<(usize, usize)>,
    /// Its kinds of records, where they have row keys of their own: `rowkey` is empty then.
    pub kinds: Vec<RecordKind>,
    /// Where it is a table as one kind of its records see it: that kind among the others.
    pub of_kind: Option<Arc<KindView>>,
}

/// A column family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Family {
    /// Its name, repeated in every cell.
    pub name: String,
    /// Name of the compression in HBase's own words, `NONE` when there is none.
    pub compression: String,
    /// Most versions kept of a cell.
    pub versions: u32,
    /// Fewest versions kept of a cell, however old they are: some outlive the time that cells live.
    #[serde(rename = "minVersions", skip_serializing_if = "Option::is_none")]
    pub min_versions: Option<u32>,
    /// Seconds that a cell lives; for ever without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl: Option<u32>,
    /// The rows that have cells of it.
    #[serde(flatten)]
    pub rows: FamilyRows,
    /// How its files are.
    #[serde(flatten)]
    pub files: FileSettings,
    /// The cells a record has in it.
    pub cells: Vec<RecordCell>,
}

impl Family {
    /// One of this name, and otherwise as HBase makes it.
    pub fn named(name: &str) -> Self {
        let (name, compression) = (name.to_owned(), "NONE".to_owned());
        let (rows, files, cells) = (FamilyRows::default(), FileSettings::default(), Vec::new());
        Self { name, compression, versions: 1, min_versions: None, ttl: None, rows, files, cells }
    }

    /// Seconds after which nothing of a row is left in it; `None` when something always is.
    pub fn lives(&self) -> Option<u32> {
        self.ttl.filter(|_| self.min_versions.is_none())
    }
}

/// A query of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Query {
    /// Its name, as a person calls it.
    pub name: String,
    /// Name of the table it is put to; of all, where the document does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The conditions, by field.
    #[serde(rename = "where")]
    pub conditions: Map<String, Condition>,
    /// The field the rows are wanted in order of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderBy>,
    /// Most rows wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// How often it is asked, a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Which values it is asked for.
    #[serde(skip_serializing_if = "Popularity::is_named")]
    pub popularity: Popularity,
    /// True if the rows it returns are deleted then, as those of a queue.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deletes: bool,
    /// A scan that someone wrote for it, to be held against the plan: start and stop row in `\xNN` notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scan: Option<[String; 2]>,
}

impl Query {
    /// True if it is put to a table.
    pub fn is_of(&self, design: &Design) -> bool {
        self.table.as_ref().is_none_or(|table| *table == design.name)
    }

    /// True if it gives single values of a field: one, or a list of them.
    pub fn gives(&self, field: &str) -> bool {
        matches!(self.conditions.get(field), Some(Condition::Eq(_) | Condition::In(_)))
    }
}

/// Which values a query is asked for, over and over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Popularity {
    /// Those that it names.
    #[default]
    Named,
    /// Each as often as the records have it, in place of those named.
    Rows,
    /// All that the records have alike, in place of those named.
    Values,
}

impl Popularity {
    fn is_named(&self) -> bool {
        *self == Self::Named
    }
}

/// A condition on a field. Values are kept as the document has them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Condition {
    /// It has this value.
    Eq(Value),
    /// It has one of these values.
    In(Vec<Value>),
    /// It begins with one of these.
    Prefix(#[serde(serialize_with = "one_or_list")] Vec<String>),
    /// It lies in a range.
    #[serde(untagged)]
    Range {
        /// Least value.
        #[serde(skip_serializing_if = "Option::is_none")]
        from: Option<Value>,
        /// First value beyond.
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<Value>,
    },
}

impl Condition {
    /// True if it lists values, or beginnings of values.
    pub fn is_list(&self) -> bool {
        match self {
            Self::In(_) => true,
            Self::Prefix(prefixes) => prefixes.len() > 1,
            Self::Eq(_) | Self::Range { .. } => false,
        }
    }
}

/// One prefix as a text, several as a list.
fn one_or_list<S: serde::Serializer>(prefixes: &[String], to: S) -> Result<S::Ok, S::Error> {
    match prefixes {
        [one] => to.serialize_str(one),
        all => to.collect_seq(all),
    }
}

/// The order rows are wanted in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OrderBy {
    /// By this field.
    pub field: String,
    /// Which end first.
    pub direction: OrderDirection,
}

/// Which end of an order comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderDirection {
    /// The least.
    Ascending,
    /// The greatest.
    Descending,
}
