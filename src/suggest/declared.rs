//! Fields declared anew where all records prove that nothing is lost: hex and UUIDs in text as bytes, long names as numbers of a
//! lookup table.

use super::draws::is_empty;
use super::key::name_of;
use super::texts::{digits, used_entries};
use crate::base::map::Map;
use crate::bytes::row::to_string_binary;
use crate::design::{Condition, Design, Document, Query, SuggestRequest};
use crate::formula::Lookup;
use crate::formula::typed::TypedColumn;
use crate::records::columns::Dictionary;
use crate::records::field::read::FieldReading;
use crate::records::field::{Field, Kind, write};
use crate::records::{Column, ColumnValues, Records};
use serde_json::Value;
use std::rc::Rc;
use std::sync::Arc;

/// Fewest bytes of text that are taken for hex, and fewest distinct values.
const LEAST_HEX: usize = 8;
/// Most names of a lookup table.
const MOST_NAMES: usize = 1000;
/// Mean bytes of a name from which on a number in its place is worth a table.
const LONG_NAME: usize = 10;
/// A field is in no key if more than one of so many records lacks a value.
const FEW_MISSING: u64 = 100;
/// Rows for each name at the least, and the share of the rows, in hundredths, in which the last one came for the first time.
const ROWS_A_NAME: usize = 50;
const LAST_NEW: usize = 80;

/// A document and its records with fields declared anew.
pub(super) struct Declared {
    /// The document.
    pub asked: SuggestRequest,
    /// The records.
    pub records: Rc<Records>,
    /// Texts that became bytes, by name.
    pub bytes: Vec<String>,
    /// Fields with a lookup table of their own, and its name.
    pub lookups: Map<String, String>,
    /// Texts that are digits, by field, and the greatest number.
    pub digits: Map<String, i64>,
    /// How many records were held, where they are a sample of more.
    pub held: Option<usize>,
    /// The queries that no record answers, with their rates: they count for nothing.
    pub empty: Vec<(usize, Option<f64>)>,
    /// Records that lack a value that nearly all have, and the fields.
    pub lacking: usize,
    /// The fields that they lack.
    pub rejected: Vec<String>,
}

impl Declared {
    /// The document as it is.
    pub fn as_given(asked: &SuggestRequest, records: &Rc<Records>) -> Self {
        let held = (records.all_rows() > records.rows as u64).then_some(records.rows);
        // Where records were dropped, those that are held prove nothing of them.
        let proofs = if held.is_none() { records.columns.as_slice() } else { &[] };
        let digits = proofs.iter().filter_map(|of| Some((of.field.name.clone(), digits(of)?))).collect();
        let (asked, records) = (asked.clone(), records.clone());
        let (bytes, lookups, rejected) = (Vec::new(), Map::new(), Vec::new());
        Self { asked, records, bytes, lookups, digits, held, lacking: 0, rejected, empty: Vec::new() }
    }

    /// With at most so many of the records, in the order of time where that is known, without the few that lack a value that nearly
    /// all have.
    pub fn of_rows(mut self, most: usize) -> Self {
        let records = &self.records;
        // Records of a kind may lack the fields of another.
        let is_of_kinds = self.asked.document.tables.iter().any(|table| !table.kinds.is_empty());
        let rows: Vec<u32> = (0..records.rows as u32).collect();
        let few = |column: &&Column| {
            let missing = column.invalid.count();
            !is_of_kinds && missing > 0 && missing * FEW_MISSING <= records.rows as u64
        };
        let partly: Vec<&Column> = records.columns.iter().filter(few).collect();
        let lacks = |row: u32| partly.iter().any(|column| column.invalid.get(row as usize));
        let (lacking, whole): (Vec<u32>, Vec<u32>) = rows.iter().partition(|row| lacks(**row));
        self.rejected = partly.iter().map(|column| column.field.name.clone()).collect();
        self.lacking = lacking.len();
        match self.asked.document.arrival.as_ref() {
            Some(arrival) => self.records = Rc::new(records.in_order_of(arrival, whole, most)),
            None if whole.len() < records.rows => {
                self.records = Rc::new(records.chosen(&records.sampled_rows(whole, most)));
            }
            None if records.rows > most => self.records = Rc::new(records.sampled(most)),
            None => {}
        }
        let document = &mut self.asked.document;
        let empty: Vec<bool> =
            document.queries.iter().map(|query| is_empty(query, document, &self.records)).collect();
        for ((index, query), _) in
            document.queries.iter_mut().enumerate().zip(empty).filter(|(_, empty)| *empty)
        {
            self.empty.push((index, query.rate.replace(0.0)));
        }
        self
    }

    /// With every text that may be, unless a row key, a sub-formula or generated records rely on the texts.
    pub fn new(asked: &SuggestRequest, records: &Rc<Records>) -> Self {
        let mut declared = Self::as_given(asked, records);
        let study = &asked.document;
        let is_free = study.generate.is_none() && study.tables.iter().all(|table| table.lets.is_empty());
        if asked.keyed || !is_free || declared.held.is_some() {
            return declared;
        }
        for (index, field) in study.fields.iter().enumerate() {
            let Some(column) = records.column(&field.name) else { continue };
            let usable = field.kind == Kind::Text && column.invalid.count() == 0;
            let special = study.operation.as_ref().is_some_and(|of| of.field == field.name);
            if !usable || special || study.queries.iter().any(|query| needs_text(query, field)) {
                continue;
            }
            if declared.digits.contains_key(&field.name) {
                continue;
            }
            if let Some(column) = as_bytes(column) {
                declared.declare(index, column);
            } else if let Some(lookup) = names(column) {
                declared.number(field, lookup);
            }
        }
        declared
    }

    /// Replaces a field, if the values that queries name can be read so.
    fn declare(&mut self, index: usize, column: Column) {
        let study = &mut self.asked.document;
        let Some(queries) = in_bytes(&study.queries, &column.field) else { return };
        study.queries = queries;
        if let Some(field) = study.fields.get_mut(index) {
            *field = column.field.clone();
        }
        self.bytes.push(column.field.name.clone());
        let mut records = (*self.records).clone();
        if let Some(own) = records.columns.iter_mut().find(|own| own.field.name == column.field.name) {
            *own = column;
        }
        self.records = Rc::new(records);
    }

    /// Adds a lookup table for a field.
    fn number(&mut self, field: &Field, lookup: Lookup) {
        let name = field.name.to_uppercase();
        let known = &mut self.asked.document.lookups;
        let plain = name_of(std::slice::from_ref(field), 0) == field.name;
        if plain && !known.contains_key(&name) {
            known.insert(name.clone(), Arc::new(lookup));
            self.lookups.insert(field.name.clone(), name);
        }
    }

    /// Takes the lookup tables out of a document that none of its formulas names.
    pub fn without_unused(lookups: &Map<String, String>, study: &mut Document) {
        let used = |name: &str| {
            let step = format!(".lookup('{name}')");
            let columns = |table: &Design| {
                let formulas = table.typed.columns.iter().flat_map(TypedColumn::formulas);
                formulas.flat_map(|of| &of.parts).any(|part| part.text.contains(&step))
            };
            study.tables.iter().any(|table| table.rowkey.contains(&step) || columns(table))
        };
        let unused: Vec<&String> = lookups.values().filter(|name| !used(name)).collect();
        for name in unused {
            study.lookups.remove(name);
        }
    }
}

/// Queries with the values of a field that became bytes, which documents write as the HBase shell does.
fn in_bytes(queries: &[Query], field: &Field) -> Option<Vec<Query>> {
    let reading = FieldReading::new(field).ok()?;
    let value = |value: &Value| {
        let mut bytes = Vec::new();
        reading.to_bytes(value.as_str()?.as_bytes(), &mut bytes).ok()?;
        let fits = field.width.is_none_or(|width| bytes.len() == width as usize);
        fits.then(|| Value::String(to_string_binary(&bytes)))
    };
    let mut queries = queries.to_vec();
    for query in &mut queries {
        let condition = match query.conditions.get(&field.name) {
            None => continue,
            Some(Condition::Eq(own)) => Condition::Eq(value(own)?),
            Some(Condition::In(own)) => Condition::In(own.iter().map(value).collect::<Option<_>>()?),
            Some(_) => return None,
        };
        query.conditions.insert(field.name.clone(), condition);
    }
    Some(queries)
}

/// True if a query reads a field as text: by a prefix, a range, or the order.
fn needs_text(query: &Query, field: &Field) -> bool {
    let condition = query.conditions.get(&field.name);
    let equal = condition.is_none_or(|of| matches!(of, Condition::Eq(_) | Condition::In(_)));
    !equal || query.order.as_ref().is_some_and(|order| order.field == field.name)
}

/// A column of hex in lowercase or of UUIDs, all of one length, as bytes.
fn as_bytes(column: &Column) -> Option<Column> {
    let ColumnValues::Strings { ids, dictionary } = &column.values else { return None };
    let used = used_entries(&column.values);
    let first = dictionary.get(*used.first()?);
    let (format, width) = match first.len() {
        36 if first.contains(&b'-') => ("uuid", None),
        length if length >= LEAST_HEX && length % 2 == 0 => ("hex", u32::try_from(length / 2).ok()),
        _ => return None,
    };
    let letters = |&id: &u32| dictionary.get(id).iter().any(u8::is_ascii_lowercase);
    if used.len() < LEAST_HEX || !used.iter().any(letters) {
        return None;
    }
    let field = Field { kind: Kind::Bytes, format: Some(format.to_owned()), width, ..column.field.clone() };
    let reading = FieldReading::new(&field).ok()?;
    let mut entries = Dictionary::default();
    let mut of_entry = vec![0; dictionary.len()];
    let mut bytes = Vec::new();
    for id in used {
        let text = dictionary.get(id);
        bytes.clear();
        reading.to_bytes(text, &mut bytes).ok()?;
        // The bytes read back must give the same text.
        if text.len() != first.len() || write::string(&field, &bytes).as_bytes() != text {
            return None;
        }
        *of_entry.get_mut(id as usize)? = entries.intern(&bytes);
    }
    let ids = ids.iter().map(|&id| of_entry.get(id as usize).copied()).collect::<Option<Vec<u32>>>()?;
    Some(Column { field, values: ColumnValues::Strings { ids, dictionary: entries }, ..column.clone() })
}

/// A lookup table of the names in a column: few and long ones, of which none is new in the last part of the records.
fn names(column: &Column) -> Option<Lookup> {
    let ColumnValues::Strings { ids, dictionary } = &column.values else { return None };
    let used = used_entries(&column.values);
    let few = (2..=MOST_NAMES).contains(&used.len()) && used.len() * ROWS_A_NAME <= ids.len();
    let bytes: usize = used.iter().map(|&id| dictionary.get(id).len()).sum();
    if !few || bytes < LONG_NAME * used.len() {
        return None;
    }
    let mut seen = vec![false; dictionary.len()];
    let mut last_new = 0;
    for (row, &id) in ids.iter().enumerate() {
        if let Some(seen) = seen.get_mut(id as usize).filter(|seen| !**seen) {
            (*seen, last_new) = (true, row);
        }
    }
    if last_new * 100 > ids.len() * LAST_NEW {
        return None;
    }
    let text = |&id: &u32| std::str::from_utf8(dictionary.get(id)).ok().map(str::to_owned);
    let mut names = used.iter().map(text).collect::<Option<Vec<String>>>()?;
    crate::bytes::sort::sort(&mut names);
    Some(Lookup::new(names.into_iter().zip(0..).collect()))
}
