//! The tables of a document: row key, splits, families.

use super::cells::{UncheckedCell, check_counters, read_cell};
use super::{Design, Family, WriteKind, family_rows, files, kinds, names};
use crate::base::json::{Object, item};
use crate::base::limits::{CELLS, FAMILIES, TABLES};
use crate::base::{Problem, Problems};
use crate::design::split::Splits;
use crate::formula::typed::{TypedColumn, TypedFormula};
use crate::formula::{self, Formula, Lookups, Scope};
use crate::records::field::Field;
use serde_json::Value;
use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;

/// Members that describe the only table of a document in short form.
pub(super) const SHORT_MEMBERS: [&str; 7] =
    ["let", "rowkey", "kinds", "splits", "servers", "writes", "table"];

/// Name of the only table when the document gives none: the one of HBase's own shell examples.
const DEFAULT_NAME: &str = "t1";

/// Compressions of HBase (`org.apache.hadoop.hbase.io.compress.Compression.Algorithm`).
const COMPRESSIONS: [&str; 9] = ["NONE", "GZ", "SNAPPY", "LZO", "LZ4", "ZSTD", "BZIP2", "LZMA", "BROTLI"];

/// Where the tables of a document are described.
pub(super) struct Tables<'a> {
    pub document: &'a Object<'a>,
    /// The fields to check formulas against, when they are sound.
    pub fields: Option<&'a [Field]>,
    pub lookups: &'a Lookups,
    /// Sources and steps that all formulas took by name so far.
    pub spent: Rc<Cell<usize>>,
}

impl Tables<'_> {
    /// The tables, from `tables` or from the short form.
    pub fn read(&self, problems: &mut Problems) -> Vec<Design> {
        if self.document.get("tables").is_some() {
            self.listed(problems)
        } else {
            self.short(problems).into_iter().collect()
        }
    }

    fn listed(&self, problems: &mut Problems) -> Vec<Design> {
        for name in SHORT_MEMBERS.iter().filter(|name| self.document.get(name).is_some()) {
            let both = Problem::new("design.short-and-tables").with("name", name);
            problems.push(both.at_path(self.document.at(name)));
        }
        let Some(list) = self.document.limited("tables", &TABLES, problems) else { return Vec::new() };
        if list.is_empty() {
            problems.push(Problem::new("design.no-tables").at_path("tables"));
        }
        let mut names = HashSet::new();
        let mut designs = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let path = item("tables", index);
            let known = ["name", "let", "rowkey", "kinds", "splits", "servers", "writes", "families"];
            let Some(table) = Object::open(value, &path, &known, problems) else { continue };
            table.required("name", "json.text", problems);
            let name = table.name("name", problems);
            if let Some(name) = name.filter(|name| !names.insert(*name)) {
                let twice = Problem::new("design.table-twice").with("name", name);
                problems.push(twice.at_path(table.at("name")));
            }
            designs.extend(self.design(&table, &table, name, problems));
        }
        designs
    }

    fn short(&self, problems: &mut Problems) -> Option<Design> {
        let empty = Value::Object(Default::default());
        let value = self.document.get("table").unwrap_or(&empty);
        let table = Object::open(value, "table", &["name", "families"], problems)?;
        let name = match table.get("name") {
            Some(_) => table.name("name", problems),
            None => Some(DEFAULT_NAME),
        };
        self.design(self.document, &table, name, problems)
    }

    /// `keys` holds sub-formulas, row key, splits, servers and the kind of writes, `table` name and families: one object but in the
    /// short form.
    fn design(
        &self,
        keys: &Object<'_>,
        table: &Object<'_>,
        name: Option<&str>,
        problems: &mut Problems,
    ) -> Option<Design> {
        if let Some(name) = name.filter(|name| !is_table_name(name)) {
            problems.push(Problem::new("design.table-name").with("name", name).at_path(table.at("name")));
        }
        let (mut families, mut unchecked) = families(table, self.fields, problems);
        let servers = keys.count("servers", problems);
        let splits = splits(keys, problems);
        let lets = names::lets(keys, problems);
        let kinds = match keys.get("kinds") {
            Some(_) => Some(kinds::read(keys, self.fields, &mut families, &mut unchecked, problems)?),
            None => None,
        };
        let kind = |value: &Value| value.as_str().and_then(WriteKind::named);
        let packed = families.iter().flat_map(|family| &family.cells).any(|cell| cell.value.is_packed());
        // A record that is added to a cell writes it anew.
        let unsaid = if packed { WriteKind::Upsert } else { WriteKind::default() };
        let writes = keys.typed("writes", "json.writes", kind, problems).unwrap_or(unsaid);
        if writes == WriteKind::Counter {
            check_counters(&families, &table.at("families"), problems);
        }
        let parsed = if kinds.is_some() { None } else { rowkey(keys, problems)? };
        let lets = lets?;
        let scope = names::scope(keys, &lets, self.fields?, (self.lookups, &self.spent), problems)?;
        let columns = unchecked.iter().map(|cell| {
            let (family, place) = cell.place;
            let of = families.get(family).and_then(|family| family.cells.get(place));
            let column = cell.check(&scope, problems);
            let named = column.qualifier.is_some();
            let value = column.value.or_else(|| kinds::packed(of.filter(|_| named)?));
            TypedColumn { value, ..column }
        });
        let columns: Vec<TypedColumn> = columns.collect();
        let (typed, kinds) = match kinds {
            None => (checked(keys, &scope, parsed.as_ref()?, columns, problems)?, Vec::new()),
            Some(kinds) => {
                let kinds = kinds::check(&kinds, &scope, problems)?;
                let cells = unchecked.iter().zip(columns).filter_map(|(cell, column)| {
                    let (family, place) = cell.place;
                    Some((cell.kind, families.get(family)?.cells.get(place)?.clone(), column))
                });
                (kinds::typed(&kinds, cells.collect()), kinds)
            }
        };
        Some(Design {
            name: name?.to_owned(),
            lets: lets.into_iter().map(|(name, formula)| (name, formula.to_string())).collect(),
            rowkey: parsed.map(|parsed| parsed.to_string()).unwrap_or_default(),
            typed,
            splits: splits?,
            servers,
            writes,
            families,
            columns: unchecked.iter().map(|cell| cell.place).collect(),
            kinds,
            of_kind: None,
        })
    }
}

/// The row key of a table; `None` without one, and within that when it is wrong.
fn rowkey(keys: &Object<'_>, problems: &mut Problems) -> Option<Option<Formula>> {
    keys.required("rowkey", "json.text", problems);
    let source = keys.text("rowkey", problems)?;
    Some(formula::parse(source).map_err(|problem| problems.push(problem.at_path(keys.at("rowkey")))).ok())
}

/// A row key checked, with the formulas of the cells.
fn checked(
    keys: &Object<'_>,
    scope: &Scope<'_>,
    parsed: &Formula,
    columns: Vec<TypedColumn>,
    problems: &mut Problems,
) -> Option<TypedFormula> {
    let at = |problem: Problem| problem.at_path(keys.at("rowkey"));
    let typed = scope.check(parsed).map_err(|wrong| problems.extend(wrong.into_iter().map(at))).ok()?;
    Some(TypedFormula { columns, ..typed })
}

/// The splits, tried out: a document holds only such as HBase would take.
fn splits(keys: &Object<'_>, problems: &mut Problems) -> Option<Splits> {
    let Some(value) = keys.get("splits") else { return Some(Splits::default()) };
    let path = keys.at("splits");
    let splits = Splits::from_json(value, &path).map_err(|problem| problems.push(problem)).ok()?;
    if !splits.need_records()
        && let Err(problem) = splits.points()
    {
        problems.push(problem.at_path(path));
    }
    Some(splits)
}

/// `TableName`: letters, digits, `_`, `-` and `.`, which does not begin with `-` or `.`; the same before a colon for the
/// namespace, there without `-` and `.`.
fn is_table_name(name: &str) -> bool {
    let word = |char: char| char.is_alphanumeric() || char == '_';
    let (namespace, qualifier) = name.split_once(':').unwrap_or(("default", name));
    !namespace.is_empty()
        && namespace.chars().all(word)
        && qualifier.starts_with(word)
        && qualifier.chars().all(|char| word(char) || "-.".contains(char))
}

/// The families, and their cells with formulas.
fn families(
    table: &Object<'_>,
    fields: Option<&[Field]>,
    problems: &mut Problems,
) -> (Vec<Family>, Vec<UncheckedCell>) {
    let mut names = HashSet::new();
    let (mut families, mut unchecked) = (Vec::new(), Vec::new());
    for (index, value) in
        table.limited("families", &FAMILIES, problems).unwrap_or_default().iter().enumerate()
    {
        let path = item(&table.at("families"), index);
        let place = families.len();
        let Some(family) = read_family(value, &path, (place, &mut unchecked), fields, problems) else {
            continue;
        };
        if !names.insert(family.name.clone()) {
            let twice = Problem::new("design.family-twice").with("name", &family.name);
            problems.push(twice.at_path(format!("{path}.name")));
        }
        families.push(family);
    }
    (families, unchecked)
}

/// Reads family number `place`; its cells with formulas go to `unchecked`.
fn read_family(
    value: &Value,
    path: &str,
    (place, unchecked): (usize, &mut Vec<UncheckedCell>),
    fields: Option<&[Field]>,
    problems: &mut Problems,
) -> Option<Family> {
    let own = ["name", "compression", "versions", "minVersions", "ttl", "cells"];
    let known = [&own[..], &family_rows::MEMBERS, &files::MEMBERS].concat();
    let family = Object::open(value, path, &known, problems)?;
    family.required("name", "json.text", problems);
    let name = family.name("name", problems);
    // ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName
    let legal = |name: &str| {
        !name.is_empty()
            && !name.starts_with('.')
            && !name.chars().any(|char| char.is_control() || ":/\\".contains(char))
    };
    if let Some(name) = name.filter(|name| !legal(name)) {
        problems.push(Problem::new("design.family-name").with("name", name).at_path(family.at("name")));
    }
    let compression = family.text("compression", problems).unwrap_or("NONE");
    if !COMPRESSIONS.contains(&compression) {
        problems.push(
            Problem::new("design.unknown-compression")
                .with("name", compression)
                .with("known", COMPRESSIONS.join(", "))
                .at_path(family.at("compression")),
        );
    }
    let versions = family.count("versions", problems).unwrap_or(1);
    let min_versions = family.count("minVersions", problems);
    // TableDescriptorChecker refuses it.
    if let Some(least) = min_versions.filter(|&least| least > versions) {
        let above = Problem::new("design.min-versions").with("least", least).with("versions", versions);
        problems.push(above.at_path(family.at("minVersions")));
    }
    let ttl = family.count("ttl", problems);
    let rows = family_rows::read(&family, problems);
    let files = files::read(&family, problems);
    let mut cells = Vec::new();
    for (index, value) in family.limited("cells", &CELLS, problems).unwrap_or_default().iter().enumerate() {
        let path = item(&family.at("cells"), index);
        let read = read_cell(value, &path, (place, cells.len()), fields, problems);
        let Some((cell, formulas)) = read else { continue };
        unchecked.extend(Some(formulas).filter(|_| cell.has_formula()));
        cells.push(cell);
    }
    let (name, compression) = (name?.to_owned(), compression.to_owned());
    Some(Family { name, compression, versions, min_versions, ttl, rows, files, cells })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_names_are_those_hbase_takes() {
        for name in ["cdr", "ns:cdr", "_a-b.c", "t1"] {
            assert!(is_table_name(name), "{name}");
        }
        for name in ["", "-a", ".a", "a b", "n-s:a", ":a", "a:", "a:b:c"] {
            assert!(!is_table_name(name), "{name}");
        }
    }
}
