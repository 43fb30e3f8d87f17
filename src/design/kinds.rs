//! The `kinds` of a table: records of several kinds in it, each kind with a row key and cells of its own.

use super::cells::{UncheckedCell, read_cell};
use super::constant::Constant;
use super::{Design, Document, Family, Qualifier, RecordCell};
use crate::base::json::{Object, item, wrong_type};
use crate::base::limits::{CELLS, FIELDS, KIND_VALUES, KINDS};
use crate::base::map::Map;
use crate::base::{Problem, Problems};
use crate::bytes::sort::{sort, sort_distinct};
use crate::bytes::strings::ByteStrings;
use crate::formula::typed::{Expression, NullableEnd, TypedColumn, TypedFormula, TypedKind, TypedPart};
use crate::formula::vector::Vector;
use crate::formula::{self, Formula, Scope, unknown_field};
use crate::records::field::shape::Shape;
use crate::records::field::{Field, Kind};
use serde_json::Value;
use std::sync::Arc;

/// One kind of the records of a table.
#[derive(Clone)]
pub struct RecordKind {
    /// Name of the field that tells it.
    pub field: String,
    /// The values of that field that mean this kind, as the document has them.
    pub values: Vec<Value>,
    /// The names of the fields that records of this kind have; empty where that is not said.
    pub fields: Vec<String>,
    /// Its row key formula in canonical form.
    pub rowkey: String,
    /// The same values, and the formula checked.
    pub typed: TypedKind,
}

impl RecordKind {
    /// Its row key formula.
    pub fn formula(&self) -> Option<&TypedFormula> {
        self.typed.formula.as_deref()
    }
}

/// A kind of records among the others of its table.
pub struct KindView {
    /// The field and values that identify it, without its formula.
    pub telling: TypedKind,
    /// The row keys of the other kinds.
    pub others: Vec<TypedFormula>,
}

impl KindView {
    fn of(kinds: &[RecordKind], number: usize) -> Option<Self> {
        let others = kinds.iter().enumerate().filter(|(index, _)| *index != number);
        let others = others.filter_map(|(_, kind)| kind.formula().cloned()).collect();
        Some(Self { telling: kinds.get(number)?.typed.telling(), others })
    }

    /// The values of its field that mean the kind.
    pub fn values(&self) -> Vec<Constant> {
        match self.telling.values.as_ref() {
            Vector::Integers(values) => values.iter().map(|&value| Constant::Number(value)).collect(),
            Vector::Strings(values) => values.iter().map(|value| Constant::Bytes(value.to_vec())).collect(),
        }
    }
}

/// How a kind is told: by a field, with its number, and the values of it that mean the kind.
#[derive(Default)]
struct KindTelling {
    field: Option<(String, usize)>,
    values: Vec<(Value, Constant)>,
}

/// A kind of which the formulas are read and not checked yet.
pub(super) struct UncheckedKind {
    name: String,
    path: String,
    telling: KindTelling,
    /// The fields that its records have, with the numbers of all; `None` where that is not said.
    fields: Option<Vec<(String, usize)>>,
    rowkey: Option<Formula>,
}

/// Reads the kinds of a table. Their cells go to the families, those cells with the numbers of their kinds to `unchecked`.
pub(super) fn read(
    keys: &Object<'_>,
    fields: Option<&[Field]>,
    families: &mut [Family],
    unchecked: &mut Vec<UncheckedCell>,
    problems: &mut Problems,
) -> Option<Vec<UncheckedKind>> {
    let kinds = keys.typed("kinds", "json.object", Value::as_object, problems)?;
    if !keys.within("kinds", &KINDS, kinds.len(), problems) {
        return None;
    }
    if let Some(name) = ["rowkey"].iter().find(|name| keys.get(name).is_some()) {
        problems.push(Problem::new("design.rowkey-and-kinds").at_path(keys.at(name)));
    }
    if kinds.is_empty() {
        problems.push(Problem::new("design.no-kinds").at_path(keys.at("kinds")));
    }
    let all = Object { members: kinds, path: keys.at("kinds") };
    let mut read = Vec::new();
    for (index, name) in kinds.keys().enumerate() {
        let value = kinds.get(name)?;
        let path = all.at(name);
        let Some(kind) = Object::open(value, &path, &["when", "fields", "rowkey", "cells"], problems) else {
            continue;
        };
        if name.is_empty() {
            problems.push(Problem::new("design.empty-name").at_path(path.clone()));
        }
        problems
            .extend(crate::base::json::check_name(name).err().map(|problem| problem.at_path(path.clone())));
        let telling = read_when(&kind, fields, problems);
        let own = read_fields(&kind, fields, problems);
        kind.required("rowkey", "json.text", problems);
        let parsed = kind.text("rowkey", problems).map(formula::parse);
        let rowkey = parsed.and_then(|parsed| {
            parsed.map_err(|problem| problems.push(problem.at_path(kind.at("rowkey")))).ok()
        });
        read_cells((&kind, index), fields, families, unchecked, problems);
        read.push(UncheckedKind { name: name.clone(), path, telling, fields: own, rowkey });
    }
    note_told_twice(&read, problems);
    Some(read)
}

/// Notes values of a field that mean several kinds.
fn note_told_twice(kinds: &[UncheckedKind], problems: &mut Problems) {
    let told = kinds.iter().enumerate().flat_map(|(kind, of)| {
        let field = of.telling.field.as_ref().map(|(_, field)| *field);
        of.telling.values.iter().map(move |(_, value)| (field, value, kind))
    });
    let mut told: Vec<(Option<usize>, &Constant, usize)> = told.collect();
    sort_distinct(&mut told);
    for pair in told.windows(2) {
        let [(field, value, one), (same_field, same_value, two)] = pair else { continue };
        if (field, value) != (same_field, same_value) {
            continue;
        }
        if let (Some(one), Some(two)) = (kinds.get(*one), kinds.get(*two)) {
            let twice =
                Problem::new("design.kind-told-twice").with("name", &one.name).with("other", &two.name);
            problems.push(twice.at_path(format!("{}.when.is", two.path)));
        }
    }
}

/// The field that tells a kind, with its number, and the values that mean it.
fn read_when(kind: &Object<'_>, fields: Option<&[Field]>, problems: &mut Problems) -> KindTelling {
    kind.required("when", "json.object", problems);
    let none = KindTelling::default();
    let Some(when) = kind.get("when") else { return none };
    let Some(when) = Object::open(when, &kind.at("when"), &["field", "is"], problems) else { return none };
    when.required("field", "json.text", problems);
    when.required("is", "json.list", problems);
    let name = when.text("field", problems);
    let listed = when.limited("is", &KIND_VALUES, problems).unwrap_or_default();
    if when.get("is").is_some_and(|is| is.as_array().is_some_and(Vec::is_empty)) {
        problems.push(Problem::new("design.kind-without-values").at_path(when.at("is")));
    }
    let (Some(name), Some(fields)) = (name, fields) else { return none };
    let Some(index) = fields.iter().position(|field| field.name == name) else {
        problems.push(unknown_field(name, fields).at_path(when.at("field")));
        return none;
    };
    let Some(field) = fields.get(index) else { return none };
    if !matches!(field.kind, Kind::Text | Kind::Integer | Kind::Boolean) {
        let other = Problem::new("design.kind-field").with("name", name).with("kind", field.kind.name());
        problems.push(other.at_path(when.at("field")));
        return none;
    }
    let mut values = Vec::new();
    for (index, value) in listed.iter().enumerate() {
        match Constant::read(value, &item(&when.at("is"), index), field) {
            Ok(constant) => values.push((value.clone(), constant)),
            Err(problem) => problems.push(problem),
        }
    }
    KindTelling { field: Some((name.to_owned(), index)), values }
}

/// The fields that records of a kind have; `None` where that is not said.
fn read_fields(
    kind: &Object<'_>,
    fields: Option<&[Field]>,
    problems: &mut Problems,
) -> Option<Vec<(String, usize)>> {
    let listed = kind.limited("fields", &FIELDS, problems)?;
    let mut places: Vec<(&str, usize)> =
        fields?.iter().enumerate().map(|(index, field)| (field.name.as_str(), index)).collect();
    sort(&mut places);
    let mut own = Vec::new();
    for (index, value) in listed.iter().enumerate() {
        let path = item(&kind.at("fields"), index);
        let Some(name) = value.as_str() else {
            problems.push(wrong_type(&path, "json.text", value));
            continue;
        };
        let found = places.binary_search_by(|(other, _)| (*other).cmp(name));
        match found.ok().and_then(|found| places.get(found)) {
            Some(&(_, place)) => own.push((name.to_owned(), place)),
            None => problems.push(unknown_field(name, fields?).at_path(path)),
        }
    }
    Some(own)
}

/// Adds the cells of kind number `index` to their families.
fn read_cells(
    (kind, index): (&Object<'_>, usize),
    fields: Option<&[Field]>,
    families: &mut [Family],
    unchecked: &mut Vec<UncheckedCell>,
    problems: &mut Problems,
) {
    for (number, value) in kind.limited("cells", &CELLS, problems).unwrap_or_default().iter().enumerate() {
        let path = item(&kind.at("cells"), number);
        let Some(mut members) = value.as_object().cloned() else {
            problems.push(wrong_type(&path, "json.object", value));
            continue;
        };
        let wanted = members.remove("family").unwrap_or_default();
        let Some(name) = wanted.as_str() else {
            problems.push(wrong_type(&format!("{path}.family"), "json.text", &wanted));
            continue;
        };
        let Some(place) = families.iter().position(|family| family.name == name) else {
            let none = Problem::new("design.no-such-family").with("name", name);
            problems.push(none.at_path(format!("{path}.family")));
            continue;
        };
        let Some(family) = families.get_mut(place) else { continue };
        let read = read_cell(&members.into(), &path, (place, family.cells.len()), fields, problems);
        let Some((cell, formulas)) = read else { continue };
        family.cells.push(RecordCell { kind: Some(index), ..cell });
        unchecked.push(formulas.of_kind(index));
    }
}

/// Checks the formulas of kinds; `None` when one is wrong.
pub(super) fn check(
    kinds: &[UncheckedKind],
    scope: &Scope<'_>,
    problems: &mut Problems,
) -> Option<Vec<RecordKind>> {
    let checked = kinds.iter().map(|kind| {
        let rowkey = kind.rowkey.as_ref()?;
        let at = |problem: Problem| problem.at_path(format!("{}.rowkey", kind.path));
        let typed = scope.check(rowkey).map_err(|wrong| problems.extend(wrong.into_iter().map(at))).ok()?;
        let (field, index) = kind.telling.field.clone()?;
        let own = kind
            .fields
            .as_ref()
            .map(|fields| fields.iter().map(|(_, place)| *place).chain([index]).collect());
        let absent =
            own.as_ref().and_then(|own: &Vec<usize>| typed.fields().find(|field| !own.contains(field)));
        if let Some(field) = absent.and_then(|field| scope.fields().get(field)) {
            let lacking = Problem::new("design.kind-lacks-field").with("name", &field.name);
            problems.push(lacking.with("kind", &kind.name).at_path(format!("{}.fields", kind.path)));
        }
        let values = vector(kind.telling.values.iter().map(|(_, constant)| constant));
        Some(RecordKind {
            field,
            values: kind.telling.values.iter().map(|(value, _)| value.clone()).collect(),
            fields: kind.fields.iter().flatten().map(|(name, _)| name.clone()).collect(),
            rowkey: rowkey.to_string(),
            typed: TypedKind {
                name: kind.name.clone(),
                field: index,
                values: Arc::new(values),
                fields: own.map(Arc::from),
                formula: Some(Box::new(typed)),
            },
        })
    });
    let checked: Vec<Option<RecordKind>> = checked.collect();
    checked.into_iter().collect()
}

/// The formula that each record has by its kind, and the columns of cells that only records of one kind write.
pub(super) fn typed(
    kinds: &[RecordKind],
    cells: Vec<(Option<usize>, RecordCell, TypedColumn)>,
) -> TypedFormula {
    let mut whole = TypedFormula::of_kinds(kinds.iter().map(|kind| kind.typed.clone()).collect());
    let of = |number: usize, formula: TypedFormula| {
        let mut kinds: Vec<TypedKind> = kinds.iter().map(|kind| kind.typed.telling()).collect();
        kinds.get_mut(number).into_iter().for_each(|kind| kind.formula = Some(Box::new(formula.clone())));
        TypedFormula::of_kinds(kinds)
    };
    let column = |(kind, cell, column): (Option<usize>, RecordCell, TypedColumn)| match kind {
        Some(kind) => TypedColumn {
            qualifier: column.qualifier.or_else(|| cell.qualifier.bytes().map(literal)).map(|q| of(kind, q)),
            value: column.value.or_else(|| packed(&cell)).map(|value| of(kind, value)),
        },
        None => column,
    };
    whole.columns = cells.into_iter().map(column).collect();
    whole
}

/// The part that each record adds to a packed cell, as a formula, so that it is counted of the records that write the cell.
pub(super) fn packed(cell: &RecordCell) -> Option<TypedFormula> {
    cell.value.each().filter(|_| cell.value.is_packed()).map(|bytes| literal(vec![0; bytes as usize]))
}

/// A formula that makes the same bytes of all records.
fn literal(bytes: Vec<u8>) -> TypedFormula {
    let shape = Shape::literal(&bytes);
    let part = TypedPart {
        expression: Expression::Literal(bytes),
        shape: shape.clone(),
        span: (0, 0),
        fields: Vec::new(),
        text: String::new(),
        uses_rest: false,
        self_delimiting: true,
    };
    let nullable_end = NullableEnd::default();
    TypedFormula { parts: vec![part], shape, nullable_end, columns: Vec::new(), kinds: Vec::new() }
}

fn vector<'c>(constants: impl Iterator<Item = &'c Constant>) -> Vector {
    let (mut numbers, mut strings) = (Vec::new(), ByteStrings::default());
    for constant in constants {
        match constant {
            Constant::Number(number) => numbers.push(*number),
            Constant::Bytes(bytes) => strings.push(bytes),
        }
    }
    if numbers.is_empty() { Vector::Strings(strings) } else { Vector::Integers(numbers) }
}

/// Sub-formulas of a table by name, and for each row key its formula with the field and the values that tell its kind.
pub type KeySources<'d> = (&'d Map<String, String>, Vec<(&'d str, &'d str, &'d [Value])>);

impl Design {
    /// All that its row keys follow from: sub-formulas, and the formula of each kind with the field and the values that tell it.
    pub fn keys(&self) -> KeySources<'_> {
        let own = (self.rowkey.as_str(), "", [].as_slice());
        let kinds =
            self.kinds.iter().map(|kind| (kind.rowkey.as_str(), kind.field.as_str(), kind.values.as_slice()));
        (&self.lets, std::iter::once(own).chain(kinds).collect())
    }

    /// Its row key; of a table with several kinds of records those of all, each behind the name of its kind.
    pub fn rowkeys(&self) -> String {
        let of = |kind: &RecordKind| format!("{}: {}", kind.typed.name, kind.rowkey);
        match self.kinds.is_empty() {
            true => self.rowkey.clone(),
            false => self.kinds.iter().map(of).collect::<Vec<String>>().join(" · "),
        }
    }

    /// The row key of the kind of this name, or else all of them.
    pub fn key_of(&self, kind: Option<&str>) -> String {
        let named = self.kinds.iter().find(|of| Some(of.typed.name.as_str()) == kind);
        named.map_or_else(|| self.rowkeys(), |of| of.rowkey.clone())
    }

    /// The table as records of one kind see it: with their row key and cells, and no kinds. `None` without such a kind.
    pub fn of_kind(&self, number: usize) -> Option<Self> {
        let kind = self.kinds.get(number)?;
        let mut families = self.families.clone();
        let mut columns = Vec::new();
        let mut typed = kind.formula()?.clone();
        for (index, family) in families.iter_mut().enumerate() {
            let old = std::mem::take(&mut family.cells);
            for (place, cell) in old.into_iter().enumerate() {
                if cell.kind.is_some_and(|of| of != number) {
                    continue;
                }
                if cell.has_formula() {
                    let found = self.columns.iter().position(|other| *other == (index, place));
                    let column = found.and_then(|found| self.typed.columns.get(found)).cloned();
                    columns.push((index, family.cells.len()));
                    typed.columns.extend(column.map(|column| own(column, &cell, number)));
                }
                family.cells.push(RecordCell { kind: None, ..cell });
            }
        }
        Some(Self {
            rowkey: kind.rowkey.clone(),
            typed,
            families,
            columns,
            kinds: Vec::new(),
            of_kind: Some(Arc::new(KindView::of(&self.kinds, number)?)),
            ..self.clone()
        })
    }
}

/// The column of a cell without the formulas of other kinds.
fn own(column: TypedColumn, cell: &RecordCell, number: usize) -> TypedColumn {
    let of = |formula: Option<TypedFormula>| {
        let mut formula = formula?;
        match formula.kinds.is_empty() {
            true => Some(formula),
            false => (number < formula.kinds.len())
                .then(|| formula.kinds.swap_remove(number).formula.map(|formula| *formula))
                .flatten(),
        }
    };
    TypedColumn {
        qualifier: of(column.qualifier).filter(|_| matches!(cell.qualifier, Qualifier::Formula { .. })),
        value: of(column.value).filter(|_| cell.value.is_formula() || cell.value.is_packed()),
    }
}

impl Document {
    /// True if the kinds of records of a table are told by this field.
    pub fn tells_kinds(&self, field: &str) -> bool {
        self.tables.iter().flat_map(|table| &table.kinds).any(|kind| kind.field == field)
    }

    /// The document with only table number `table`, as records of the kind of this name see it.
    ///
    /// # Errors
    /// `design.no-such-kind`.
    pub fn of_kind_named(&self, table: usize, name: &str) -> Result<Self, Problem> {
        let kinds = self.tables.get(table).map(|design| design.kinds.as_slice()).unwrap_or_default();
        let number = kinds.iter().position(|kind| kind.typed.name == name);
        number.and_then(|number| self.of_kind(table, number)).ok_or_else(|| {
            let known: Vec<&str> = kinds.iter().map(|kind| kind.typed.name.as_str()).collect();
            Problem::new("design.no-such-kind").with("name", name).with("known", known.join(", "))
        })
    }

    /// The document with only table number `table`, as records of one kind see it.
    pub fn of_kind(&self, table: usize, kind: usize) -> Option<Self> {
        let design = self.tables.get(table)?.of_kind(kind)?;
        Some(Self { tables: vec![design], ..self.clone() })
    }
}
