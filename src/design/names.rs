//! The names that formulas of a document may use beside its fields: `let` and `lookup`.

use super::{Design, Document, cells};
use crate::base::json::{Object, Wanted, check_name, wrong_type};
use crate::base::limits::{FORMULAS, LETS, LOOKUP_ENTRIES, LOOKUPS};
use crate::base::map::Map;
use crate::base::{Problem, Problems};
use crate::formula::typed::TypedFormula;
use crate::formula::{self, Formula, Lookup, Lookups, Scope};
use crate::records::field::Field;
use serde_json::Value;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// The greatest number that every JSON reader tells from its neighbours.
const SAFE: i64 = (1 << 53) - 1;

fn object<'a>(parent: &Object<'a>, name: &str, problems: &mut Problems) -> Option<Object<'a>> {
    let members = parent.typed(name, "json.object", Value::as_object, problems)?;
    Some(Object { members, path: parent.at(name) })
}

/// Notes a name that is none.
fn check(name: &str, object: &Object<'_>, problems: &mut Problems) {
    let empty = name.is_empty().then(|| Problem::new("design.empty-name"));
    problems.extend(empty.or(check_name(name).err()).map(|problem| problem.at_path(object.at(name))));
}

/// Characters of all formulas of a document, as far as they stand where they belong.
pub(super) fn check_formulas(document: &Object<'_>, problems: &mut Problems) -> bool {
    let of = |keys: &serde_json::Map<String, Value>| {
        let lets = keys.get("let").and_then(Value::as_object).into_iter().flat_map(serde_json::Map::values);
        let kinds =
            keys.get("kinds").and_then(Value::as_object).into_iter().flat_map(serde_json::Map::values);
        let rowkeys = kinds.chain(keys.get("rowkey")).map(|of| of.get("rowkey").unwrap_or(of));
        let texts = lets.chain(rowkeys).filter_map(Value::as_str);
        texts.chain(cells::formula_texts(keys)).map(|formula| formula.chars().count()).sum::<usize>()
    };
    let tables = document.get("tables").and_then(Value::as_array).into_iter().flatten();
    let listed: usize = tables.filter_map(Value::as_object).map(of).sum();
    let short = document.get("table").and_then(Value::as_object).map_or(0, of);
    let checked = FORMULAS.check(of(document.members) + short + listed);
    checked.map_err(|problem| problems.push(problem)).is_ok()
}

/// The lookup tables of a document; what is wrong with them is noted.
pub(super) fn lookups(document: &Object<'_>, problems: &mut Problems) -> Lookups {
    let Some(tables) = object(document, "lookup", problems) else { return Lookups::new() };
    let mut lookups = Lookups::new();
    let entries = tables.members.values().filter_map(Value::as_object).map(serde_json::Map::len).sum();
    let few = document.within("lookup", &LOOKUPS, tables.members.len(), problems);
    if !few || !document.within("lookup", &LOOKUP_ENTRIES, entries, problems) {
        return lookups;
    }
    for name in tables.members.keys() {
        check(name, &tables, problems);
        let Some(table) = object(&tables, name, problems) else { continue };
        if table.members.is_empty() {
            problems.push(Problem::new("design.lookup-empty").with("name", name).at_path(table.path.clone()));
        }
        let mut entries = Map::new();
        for (text, value) in table.members {
            match value.as_i64().filter(|number| (-SAFE..=SAFE).contains(number)) {
                Some(number) => drop(entries.insert(text.clone(), number)),
                None => {
                    let wanted = Wanted::whole(-9007199254740991, 9007199254740991);
                    problems.push(wrong_type(&table.at(text), wanted, value));
                }
            }
        }
        lookups.insert(name.clone(), Arc::new(Lookup::new(entries)));
    }
    lookups
}

/// The sub-formulas of a table; `None` when something is wrong with one.
pub(super) fn lets(keys: &Object<'_>, problems: &mut Problems) -> Option<Map<String, Formula>> {
    let before = problems.len();
    let Some(named) = object(keys, "let", problems) else {
        return (problems.len() == before).then(Map::new);
    };
    if !keys.within("let", &LETS, named.members.len(), problems) {
        return None;
    }
    let mut formulas = Map::new();
    for name in named.members.keys() {
        check(name, &named, problems);
        match named.text(name, problems).map(formula::parse) {
            Some(Ok(formula)) => drop(formulas.insert(name.clone(), formula)),
            Some(Err(problem)) => problems.push(problem.at_path(named.at(name))),
            None => {}
        }
    }
    (problems.len() == before).then_some(formulas)
}

/// Names that the formulas of a table may use; `None` when something is wrong with a sub-formula.
pub(super) fn scope<'a>(
    keys: &Object<'_>,
    lets: &Map<String, Formula>,
    fields: &'a [Field],
    (lookups, spent): (&Lookups, &Rc<Cell<usize>>),
    problems: &mut Problems,
) -> Option<Scope<'a>> {
    let mut scope = Scope::new(fields, lookups.clone()).counting(spent);
    let named = scope.name(lets).map_err(|wrong| {
        let path = Object { path: keys.at("let"), ..*keys };
        problems.extend(wrong.into_iter().map(|(name, problem)| problem.at_path(path.at(&name))));
    });
    named.ok().map(|()| scope)
}

/// Names that a formula may use when it is checked without its document: `let` and `lookup` of `names`.
///
/// # Errors
/// Problems of these, with the path in `names`.
pub fn scope_of<'a>(names: &Value, fields: &'a [Field]) -> Result<Scope<'a>, Vec<Problem>> {
    let mut problems = Problems::new();
    let object = Object::open(names, "", &["let", "lookup"], &mut problems);
    let scope = object.and_then(|object| {
        let lookups = lookups(&object, &mut problems);
        let lets = lets(&object, &mut problems)?;
        scope(&object, &lets, fields, (&lookups, &Rc::default()), &mut problems)
    });
    scope.filter(|_| problems.is_empty()).ok_or_else(|| problems.into_told())
}

/// Another row key for a table, checked as its own was; `None` when it is wrong.
pub fn typed_of(study: &Document, design: &Design, rowkey: &str) -> Option<TypedFormula> {
    let mut lets = Map::new();
    for (name, formula) in &design.lets {
        lets.insert(name.clone(), formula::parse(formula).ok()?);
    }
    let mut scope = Scope::new(&study.fields, study.lookups.clone());
    scope.name(&lets).ok()?;
    let mut typed = scope.check(&formula::parse(rowkey).ok()?).ok()?;
    typed.columns.clone_from(&design.typed.columns);
    Some(typed)
}

/// Lookup tables as a document has them; `None` when there are none.
pub(super) fn lookups_to_json(lookups: &Lookups) -> Option<Value> {
    let table = |lookup: &Lookup| -> Value {
        lookup.entries().iter().map(|(text, number)| (text.clone(), Value::from(*number))).collect()
    };
    let tables: serde_json::Map<String, Value> =
        lookups.iter().map(|(name, lookup)| (name.clone(), table(lookup))).collect();
    (!tables.is_empty()).then(|| tables.into())
}
