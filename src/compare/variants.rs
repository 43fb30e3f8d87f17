//! Variants of a design: one parameter of it changed.

use crate::base::json::{Object, wrong_type};
use crate::base::map::Map;
use crate::base::{Problem, Problems};
use crate::design::{Design, Document, checked_anew};
use crate::formula::parse;
use crate::formula::syntax::{Formula, FormulaCall, GivenArgument, Term, TermSource};
use crate::formula::{Lookups, Scope};
use serde::Serialize;
use serde_json::Value;

/// Most variants at once.
pub const MOST: usize = 64;
/// Variants tried when nobody says which.
const TRIED: usize = 32;

/// Something of a design that can be varied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VariedParameter {
    /// `regions`, `number` (an argument in a formula) or `order` (of the parts of the key).
    pub parameter: &'static str,
    /// Which number, counted from 0 through the sub-formulas by name and then the row key, or those of the kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The step or source that takes the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The kind of records whose key it is of, where the table has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The current value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// The call, or the parts whose order can change.
    pub text: String,
}

/// The setting of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ParameterSetting {
    /// A number.
    Number(i64),
    /// For each place of a part that is no literal, which of them stands there.
    Order(Vec<usize>),
}

/// The wanted settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepRequest {
    /// The parameter that is varied.
    pub parameter: VariedParameter,
    /// To what; those that make no design stay out when `listed` is false.
    pub settings: Vec<ParameterSetting>,
    /// True if someone listed them.
    pub listed: bool,
}

/// Called with a number, the step that takes it, the text of the call, and the kind whose key it is of.
type NumberVisit<'v> = dyn FnMut(&mut i64, &str, &str, Option<&str>) + 'v;

/// A row key, and the kind of records that have it where the table has several.
struct KeyFormula {
    kind: Option<String>,
    formula: Formula,
}

impl KeyFormula {
    /// Places of the parts that are no literals.
    fn movable(&self) -> Vec<usize> {
        let parts = self.formula.parts.iter().enumerate();
        let moves = |term: &Term| !matches!(term.source, TermSource::Text(_) | TermSource::Bytes(_));
        parts.filter(|(_, term)| moves(term)).map(|(place, _)| place).collect()
    }
}

/// The formulas of a design as written: the sub-formulas by name, and the row key, or those of the kinds.
struct DesignFormulas {
    lets: Map<String, Formula>,
    keys: Vec<KeyFormula>,
}

impl DesignFormulas {
    fn of(design: &Design) -> Result<Self, Problem> {
        let mut lets = Map::new();
        for (name, formula) in &design.lets {
            lets.insert(name.clone(), parse(formula)?);
        }
        let mut keys = Vec::new();
        for kind in &design.kinds {
            keys.push(KeyFormula { kind: Some(kind.typed.name.clone()), formula: parse(&kind.rowkey)? });
        }
        if keys.is_empty() {
            keys.push(KeyFormula { kind: None, formula: parse(&design.rowkey)? });
        }
        Ok(Self { lets, keys })
    }

    /// Calls `visit` with each number, the call that takes it, and the kind whose key it is of.
    fn numbers(&mut self, visit: &mut NumberVisit<'_>) {
        let lets = self.lets.values_mut().map(|formula| (formula, None));
        let keys = self.keys.iter_mut().map(|key| (&mut key.formula, key.kind.as_deref()));
        for (formula, kind) in lets.chain(keys) {
            let visit = &mut |number: &mut i64, step: &str, text: &str| visit(number, step, text, kind);
            formula.parts.iter_mut().for_each(|part| numbers(part, visit));
        }
    }

    /// The key of a kind, or of the table.
    fn key(&mut self, kind: Option<&str>) -> Option<&mut KeyFormula> {
        self.keys.iter_mut().find(|key| key.kind.as_deref() == kind)
    }

    fn check(&self, study: &Document, design: &mut Design) -> Result<(), Problem> {
        let first = |problems: Vec<Problem>| {
            problems.into_iter().next().unwrap_or_else(|| Problem::new("design.invalid"))
        };
        design.lets = self.lets.iter().map(|(name, formula)| (name.clone(), formula.to_string())).collect();
        if !design.kinds.is_empty() {
            for (kind, key) in design.kinds.iter_mut().zip(&self.keys) {
                kind.rowkey = key.formula.to_string();
            }
            *design = checked_anew(study, design).map_err(first)?;
            return Ok(());
        }
        let Some(KeyFormula { formula, .. }) = self.keys.first() else { return Ok(()) };
        let lookups: Lookups = study.lookups.clone();
        let mut scope = Scope::new(&study.fields, lookups);
        let named = scope.name(&self.lets);
        named.map_err(|wrong| first(wrong.into_iter().map(|(_, problem)| problem).collect()))?;
        design.typed = scope.check(formula).map_err(first)?;
        design.rowkey = formula.to_string();
        Ok(())
    }
}

fn numbers(term: &mut Term, visit: &mut dyn FnMut(&mut i64, &str, &str)) {
    if let TermSource::Call(call) = &mut term.source {
        of_call(call, visit);
    }
    term.steps.iter_mut().for_each(|call| of_call(call, visit));
}

fn of_call(call: &mut FormulaCall, visit: &mut dyn FnMut(&mut i64, &str, &str)) {
    let text = call.to_string();
    for argument in &mut call.arguments {
        match &mut argument.value {
            GivenArgument::Number(number) => visit(number, &call.name, &text),
            GivenArgument::Term(term) => numbers(term, visit),
            GivenArgument::Text(_) => {}
        }
    }
}

/// All that can be varied of a design.
pub fn parameters(design: &Design) -> Result<Vec<VariedParameter>, Problem> {
    let mut formulas = DesignFormulas::of(design)?;
    let mut all = Vec::new();
    if let Some(regions) = regions(design) {
        let text = crate::base::json::text(&design.splits.to_json());
        all.push(VariedParameter {
            parameter: "regions",
            number: None,
            step: None,
            kind: None,
            value: Some(regions),
            text,
        });
    }
    let mut index = 0;
    formulas.numbers(&mut |value, step, text, kind| {
        all.push(VariedParameter {
            parameter: "number",
            number: Some(index),
            step: Some(step.to_owned()),
            kind: kind.map(str::to_owned),
            value: Some(*value),
            text: text.to_owned(),
        });
        index += 1;
    });
    for key in &formulas.keys {
        let movable = key.movable();
        if movable.len() > 1 {
            let parts = movable.iter().filter_map(|&place| key.formula.parts.get(place));
            let text = parts.map(Term::to_string).collect::<Vec<_>>().join(", ");
            let kind = key.kind.clone();
            all.push(VariedParameter {
                parameter: "order",
                number: None,
                step: None,
                kind,
                value: None,
                text,
            });
        }
    }
    Ok(all)
}

/// The number of regions that the splits name; `None` where it follows from something else.
fn regions(design: &Design) -> Option<i64> {
    design.splits.with_regions(1)?;
    let points = design.splits.points().map(|points| points.regions() as u32);
    match design.splits {
        crate::design::split::Splits::Sample { regions } => Some(regions),
        _ => points.ok().map(i64::from),
    }
}

/// Reads `{ "parameter": …, "number": …, "kind": …, "values": […] }`; without values some that suit are tried. `kind` is needed for
/// the order of the parts of one of several keys.
///
/// # Errors
/// `sweep.no-such-parameter`, `sweep.too-many`, members of the wrong kind.
pub fn read(text: &str, design: &Design) -> Result<SweepRequest, Problem> {
    let first = |problems: Vec<Problem>| problems.into_iter().next();
    let value = crate::base::json::parse(text).map_err(|all| first(all).unwrap_or_else(none))?;
    let mut problems = Problems::new();
    let object = Object::open(&value, "", &["parameter", "number", "kind", "values"], &mut problems);
    let known = parameters(design)?;
    let found = object.as_ref().and_then(|object| {
        let name = object.text("parameter", &mut problems)?;
        let number = object.get("number").and_then(Value::as_u64);
        let number = number.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let kind = object.text("kind", &mut problems);
        let is_of_kind =
            |known: &VariedParameter| kind.is_none_or(|kind| known.kind.as_deref() == Some(kind));
        known
            .iter()
            .find(|known| known.parameter == name && known.number == number && is_of_kind(known))
            .cloned()
    });
    let values = object.as_ref().and_then(|object| object.list("values", &mut problems));
    if let Some(problem) = first(problems.into_told()) {
        return Err(problem);
    }
    let parameter = found.ok_or_else(none)?;
    let Some(values) = values else {
        let settings = tried(&parameter, design)?;
        return Ok(SweepRequest { parameter, settings, listed: false });
    };
    if values.len() > MOST {
        return Err(Problem::new("sweep.too-many").with("found", values.len()).with("most", MOST));
    }
    let order = parameter.parameter == "order";
    let setting = |(index, value): (usize, &Value)| {
        let place = |value: &Value| value.as_u64().and_then(|place| usize::try_from(place).ok());
        let setting = if order {
            value.as_array().and_then(|list| list.iter().map(place).collect()).map(ParameterSetting::Order)
        } else {
            value.as_i64().map(ParameterSetting::Number)
        };
        let wanted = if order { "json.whole-list" } else { "json.whole" };
        setting.ok_or_else(|| wrong_type(&crate::base::json::item("values", index), wanted, value))
    };
    let settings = values.iter().enumerate().map(setting).collect::<Result<_, _>>()?;
    Ok(SweepRequest { parameter, settings, listed: true })
}

fn none() -> Problem {
    Problem::new("sweep.no-such-parameter")
}

/// Settings worth trying: powers of two, or orders of the parts.
fn tried(parameter: &VariedParameter, design: &Design) -> Result<Vec<ParameterSetting>, Problem> {
    if parameter.parameter != "order" {
        let powers = (0..=10).map(|power| 1i64 << power).filter(|&power| parameter.value != Some(power));
        return Ok(powers.map(ParameterSetting::Number).collect());
    }
    let mut formulas = DesignFormulas::of(design)?;
    let parts = formulas.key(parameter.kind.as_deref()).map_or(0, |key| key.movable().len());
    let same: Vec<usize> = (0..parts).collect();
    let mut orders = vec![same.clone()];
    // Swaps of two, then what they lead to: with four parts or fewer these are all orders.
    let mut from = 0;
    while let Some(order) = orders.get(from).cloned().filter(|_| orders.len() <= TRIED) {
        for a in 0..parts {
            for b in a + 1..parts {
                let mut swapped = order.clone();
                swapped.swap(a, b);
                if !orders.contains(&swapped) {
                    orders.push(swapped);
                }
            }
        }
        from += 1;
    }
    orders.truncate(TRIED);
    Ok(orders.into_iter().skip(1).map(ParameterSetting::Order).collect())
}

/// The design with the parameter set otherwise. Splits whose number of regions is the number that changes change with it:
/// a region for each salt stays that.
///
/// # Errors
/// Problems of the resulting design.
pub fn variant(
    study: &Document,
    design: &Design,
    parameter: &VariedParameter,
    to: &ParameterSetting,
) -> Result<Design, Problem> {
    let mut changed = design.clone();
    let follow = |design: &mut Design, count: i64| {
        let wrong = || Problem::new("sweep.not-a-count").with("found", count);
        let splits = u32::try_from(count).ok().and_then(|count| design.splits.with_regions(count));
        design.splits = splits.ok_or_else(wrong)?;
        Ok(())
    };
    match to {
        ParameterSetting::Number(count) if parameter.parameter == "regions" => follow(&mut changed, *count)?,
        ParameterSetting::Number(number) => {
            let mut formulas = DesignFormulas::of(design)?;
            let (mut index, mut before) = (0, None);
            formulas.numbers(&mut |value, _, _, _| {
                if parameter.number == Some(index) {
                    before = Some(std::mem::replace(value, *number));
                }
                index += 1;
            });
            formulas.check(study, &mut changed)?;
            if before.is_some() && before == regions(design) && before != Some(*number) {
                follow(&mut changed, *number)?;
            }
        }
        ParameterSetting::Order(order) => {
            let mut formulas = DesignFormulas::of(design)?;
            let Some(key) = formulas.key(parameter.kind.as_deref()) else { return Err(none()) };
            let movable = key.movable();
            let all = (0..movable.len()).all(|part| order.contains(&part));
            if !all || order.len() != movable.len() {
                return Err(Problem::new("sweep.not-an-order").with("parts", movable.len()));
            }
            let parts = key.formula.parts.clone();
            for (&place, &part) in movable.iter().zip(order) {
                let moved = movable.get(part).and_then(|&from| parts.get(from));
                if let (Some(slot), Some(moved)) = (key.formula.parts.get_mut(place), moved) {
                    *slot = moved.clone();
                }
            }
            formulas.check(study, &mut changed)?;
        }
    }
    Ok(changed)
}
