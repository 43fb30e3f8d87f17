//! A first design for records that have none.

use crate::formula::name_in_formula;
use crate::records::field::{Field, Kind};
use crate::records::guess::Guess;
use serde::Serialize;

/// The version of the document.
const VERSION: u64 = super::VERSION;
/// A field of bytes that is the row key already.
const ROW: &str = "row";
/// Regions of a first table: equal shares of the records, whatever the key becomes.
const REGIONS: usize = 16;

/// A design document in short form, with its members in the order in which a person writes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstDesign {
    rowscape: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    fields: Vec<Field>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arrival: Option<String>,
    rowkey: String,
    splits: FirstSplits,
    #[serde(skip_serializing_if = "Option::is_none")]
    writes: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<NamedTable>,
}

/// The splits of a first design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstSplits {
    /// So many equal shares of the records.
    Sample(usize),
    /// Split points in `\xNN` notation.
    Points(Vec<String>),
}

/// A table by its name in HBase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct NamedTable {
    name: String,
}

impl FirstDesign {
    /// A design of these fields with a row key.
    pub fn new(fields: Vec<Field>, arrival: Option<String>, rowkey: String, splits: FirstSplits) -> Self {
        Self { rowscape: VERSION, name: None, fields, arrival, rowkey, splits, writes: None, table: None }
    }

    /// A design whose keys are spread by a hash of the first text, then have that text and the first time. `measures` names fields
    /// of numbers that have become texts: any other field is preferred to them.
    pub fn of_fields(fields: &[Field], measures: &[&str]) -> Self {
        let time = fields.iter().find(|field| field.kind == Kind::Time);
        if let Some(row) = fields.iter().find(|field| field.name == ROW && field.kind == Kind::Bytes) {
            // Cells of a table: many of a row, each of which is written again and again.
            let arrival = time.map(|time| time.name.clone());
            let design = Self::new(fields.to_vec(), arrival, row.name.clone(), FirstSplits::Sample(REGIONS));
            return Self { writes: Some("upsert"), ..design };
        }
        let is_of_time = |field: &&Field| {
            time.is_some_and(|time| field.name == time.name || time.from.contains(&field.name))
        };
        let others = || fields.iter().filter(|field| !is_of_time(field));
        let text =
            others().find(|field| field.kind == Kind::Text && !measures.contains(&field.name.as_str()));
        let entity = text.or_else(|| others().next()).map(as_text);
        let spread = entity.iter().map(|entity| format!("{entity}.md5().hex(4) + '_' + {entity}"));
        let parts: Vec<String> = spread.chain(time.map(as_text)).collect();
        let arrival = time.map(|time| time.name.clone());
        Self::new(fields.to_vec(), arrival, parts.join(" + '_' + "), FirstSplits::Sample(REGIONS))
    }

    /// The same of the fields of a file.
    pub fn of_guess(guess: &Guess) -> Self {
        let measures = guess.fields.iter().filter(|of| of.code == "guess.numbers-with-gaps");
        let measures: Vec<&str> = measures.map(|of| of.field.name.as_str()).collect();
        Self::of_fields(&guess.input.fields, &measures)
    }

    /// The design under this name. Its table is named alike, in characters that HBase accepts.
    pub fn named(self, name: &str) -> Self {
        let table = table_name(name);
        let table = (!table.is_empty()).then_some(NamedTable { name: table });
        Self { name: Some(name.to_owned()), table, ..self }
    }

    /// The design under the name of a file.
    pub fn of_file(self, file_name: &str) -> Self {
        // `calls.csv.gz` is a table of calls.
        let name = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        if stem.is_empty() || name == "-" { self } else { self.named(stem) }
    }

    /// The fields of the design.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The formula of the row key.
    pub fn rowkey(&self) -> &str {
        &self.rowkey
    }
}

/// A formula of a field as text: times sort as text, to the day where no more is known.
pub fn as_text(field: &Field) -> String {
    let name = name_in_formula(&field.name);
    let format = field.format.as_deref().unwrap_or_default();
    match field.kind {
        Kind::Text | Kind::Bytes => name,
        // With a width integers would sort, but negative ones would be rejected.
        Kind::Integer => format!("{name}.decimal()"),
        Kind::Float | Kind::Decimal | Kind::Boolean => format!("{name}.string()"),
        Kind::Time if is_daily(format) => format!("{name}.format('yyyyMMdd')"),
        Kind::Time => format!("{name}.format('yyyyMMddHHmmss')"),
    }
}

/// True if a format has a date and no time of day.
fn is_daily(format: &str) -> bool {
    format.contains('y') && format.contains('d') && !format.contains(['H', 'h', 'K', 'k'])
}

/// A table name that HBase accepts: runs of other characters become underscores, and none of `-._` is first or last.
fn table_name(text: &str) -> String {
    let is_kept = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-');
    let mut name = String::with_capacity(text.len());
    let mut is_gap = false;
    for char in text.chars() {
        if is_kept(char) {
            name.push(char);
        } else if !is_gap {
            name.push('_');
        }
        is_gap = !is_kept(char);
    }
    name.trim_matches(['-', '.', '_']).to_owned()
}
