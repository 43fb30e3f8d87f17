//! The values of an expression, one by one, as far as a query leaves only a few.

use super::chain::{Chain, ascends, descends};
use super::domain::{Domain, Domains, narrowed};
use crate::bytes::strings::MOST_BYTES;
use crate::design::Constant;
use crate::formula::typed::Expression;
use crate::records::field::Kind;
use crate::records::field::shape::Shape;

/// Why there are just these values, from the best reason to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum By {
    /// All fields it is made of are known.
    Known,
    /// Its fields are listed.
    Listed,
    /// A range of its field has few results: months, days.
    Period,
    /// It never has others: buckets, salts.
    Every,
}

/// A value with what it means for the fields.
pub(super) struct Choice {
    pub value: Constant,
    pub domains: Domains,
}

/// Few values.
pub(super) struct Few {
    pub choices: Vec<Choice>,
    pub by: By,
    /// The values stand for just what the query asks: no value of the field outside it has one of them.
    pub aligned: bool,
}

/// The values an expression can have; `None` when there are more than `limit`, or they can't be told.
pub(super) fn few(expression: &Expression, domains: &Domains, limit: usize) -> Option<Few> {
    let of_inputs = match expression {
        Expression::Literal(bytes) => {
            return Some(same(domains, [Constant::Bytes(bytes.clone())], By::Known));
        }
        Expression::Field { index, shape } => field(*index, shape, domains, limit),
        Expression::Join { separator, parts, .. } => return joined(separator, parts, domains, limit),
        Expression::Apply { input, operation, .. } => {
            let input = few(input, domains, limit);
            input.map(|input| applied(input, |value| value.through(operation.as_ref())))
        }
        _ => None,
    };
    if of_inputs.as_ref().is_some_and(|few| few.by <= By::Listed) {
        return of_inputs;
    }
    let of_range = Chain::of(expression)
        .and_then(|chain| of_range(&chain, &expression.shape(), domains, limit))
        .or(of_inputs.map(|few| Few { aligned: false, ..few }));
    if of_range.as_ref().is_some_and(|few| few.by <= By::Listed) {
        return of_range;
    }
    let every = every(&expression.shape(), limit).map(|values| same(domains, values, By::Every));
    match (of_range, every) {
        (Some(range), Some(every)) if every.choices.len() < range.choices.len() => Some(every),
        (range, every) => range.or(every),
    }
}

fn same(domains: &Domains, values: impl IntoIterator<Item = Constant>, by: By) -> Few {
    let choice = |value| Choice { value, domains: domains.clone() };
    Few { choices: values.into_iter().map(choice).collect(), by, aligned: false }
}

/// A field whose values are listed, or numbers of a short range.
fn field(index: usize, shape: &Shape, domains: &Domains, limit: usize) -> Option<Few> {
    let only = |value: Constant, domains: &Domains| Choice {
        domains: narrowed(domains, index, Domain::Values(vec![value.clone()])),
        value,
    };
    match domains.get(index)? {
        Domain::Values(values) if values.len() <= limit => {
            let by = if values.len() == 1 { By::Known } else { By::Listed };
            let choices = match by {
                By::Known => values
                    .iter()
                    .map(|value| Choice { value: value.clone(), domains: domains.clone() })
                    .collect(),
                _ => values.iter().map(|value| only(value.clone(), domains)).collect(),
            };
            Some(Few { choices, by, aligned: false })
        }
        &Domain::Numbers(first, last) => {
            let expression = Expression::Field { index, shape: shape.clone() };
            let chain = Chain::of(&expression)?;
            let Some((first, last)) = chain.within(first, last) else {
                return Some(Few { choices: Vec::new(), by: By::Period, aligned: true });
            };
            let steps = last.abs_diff(first) / chain.unit().unsigned_abs();
            if steps >= limit as u64 {
                return None;
            }
            let value = |step| first.saturating_add_unsigned(step * chain.unit().unsigned_abs());
            let choices = (0..=steps).map(|step| only(Constant::Number(value(step)), domains)).collect();
            Some(Few { choices, by: By::Period, aligned: false })
        }
        _ => None,
    }
}

/// All combinations of the parts.
fn joined(separator: &[u8], parts: &[Expression], domains: &Domains, limit: usize) -> Option<Few> {
    let mut all = same(domains, [Constant::Bytes(Vec::new())], By::Known);
    for (index, part) in parts.iter().enumerate() {
        let mut choices = Vec::new();
        for before in &all.choices {
            let next = few(part, &before.domains, limit)?;
            all.by = all.by.max(next.by);
            if choices.len() + next.choices.len() > limit {
                return None;
            }
            let separator = if index > 0 { separator } else { &[] };
            let joined = next.choices.into_iter().map(|choice| Choice {
                value: Constant::Bytes([before.value.bytes(), separator, choice.value.bytes()].concat()),
                domains: choice.domains,
            });
            choices.extend(joined.filter(|choice| choice.value.bytes().len() <= MOST_BYTES));
        }
        all.choices = choices;
    }
    Some(all)
}

/// What a step makes of few values; those it refuses are in no key.
fn applied(input: Few, step: impl Fn(&Constant) -> Option<Constant>) -> Few {
    let value = |choice: Choice| Some(Choice { value: step(&choice.value)?, ..choice });
    let mut choices: Vec<Choice> = input.choices.into_iter().filter_map(value).collect();
    if input.by > By::Listed {
        crate::bytes::sort::sort_by(&mut choices, |a, b| a.value.cmp(&b.value));
        choices.dedup_by(|a, b| a.value == b.value && a.domains == b.domains);
    }
    Few { choices, ..input }
}

/// The results of a range of the field: months, days; or of a text whose beginning is known.
fn of_range(chain: &Chain, shape: &Shape, domains: &Domains, limit: usize) -> Option<Few> {
    let range = match domains.get(chain.field)? {
        &Domain::Numbers(first, last) => Some((first, last)),
        Domain::Any => None,
        Domain::Strings { from, to: Some(to), .. } => {
            // Between two texts with one result there is no other.
            let [low, high] = [from, to].map(|end| chain.value(&Constant::Bytes(end.clone())));
            let settled = low.is_some() && low == high && ascends(shape.order);
            return low.filter(|_| settled).map(|value| same(domains, [value], By::Known));
        }
        _ => return None,
    };
    if let Some(values) = chain.cycle(range, limit) {
        return Some(same(domains, values, By::Every));
    }
    let (first, last) = range?;
    let Some((first, last)) = chain.within(first, last) else {
        return Some(Few { choices: Vec::new(), by: By::Period, aligned: true });
    };
    let mut choices = Vec::new();
    for (first, last) in chain.stretches(first, last)? {
        let order = chain.order_in_stretch(&chain.narrow(first, last)?);
        if !ascends(order) && !descends(order) {
            return None;
        }
        let (first, last) = chain.accepted(first, last)?;
        for run in chain.runs(first, last, limit)? {
            let domain = Domain::Numbers(run.first, run.last);
            choices.push(Choice { value: run.value, domains: narrowed(domains, chain.field, domain) });
        }
    }
    (choices.len() <= limit).then(|| Few { choices, by: By::Period, aligned: aligned(chain, first, last) })
}

/// Whether the values next to a range have other results, in a chain that keeps the order of all values.
fn aligned(chain: &Chain, first: i64, last: i64) -> bool {
    let (least, most) = chain.field_range();
    let ordered = chain
        .narrow(least, most)
        .is_some_and(|narrow| ascends(narrow.shape.order) || descends(narrow.shape.order));
    let apart = |value: i64, next: Option<i64>| match next.filter(|next| (least..=most).contains(next)) {
        Some(next) => chain.value(&Constant::Number(value)) != chain.value(&Constant::Number(next)),
        None => true,
    };
    ordered && apart(first, first.checked_sub(chain.unit())) && apart(last, last.checked_add(chain.unit()))
}

/// All values there ever are, when they are few: numbers of a short range, bytes by their alphabets.
fn every(shape: &Shape, limit: usize) -> Option<Vec<Constant>> {
    if let (Kind::Integer | Kind::Boolean, Some((low, high))) = (shape.kind, shape.range) {
        let few = high.abs_diff(low) < limit as u64;
        return few.then(|| (low..=high).map(Constant::Number).collect());
    }
    let strings = matches!(shape.kind, Kind::Text | Kind::Bytes);
    let known = shape.width.exact() == Some(shape.by_position.len() as u64) && !shape.by_position.is_empty();
    if !strings || !known || shape.distinct.is_none_or(|distinct| distinct > limit as u64) {
        return None;
    }
    let product = shape.by_position.iter().try_fold(1u64, |all, set| all.checked_mul(set.len().into()))?;
    if product > limit as u64 {
        return None;
    }
    let mut values = vec![Vec::new()];
    for set in &shape.by_position {
        let longer = |value: &Vec<u8>| {
            let value = value.clone();
            set.bytes().map(move |byte| [value.as_slice(), &[byte]].concat()).collect::<Vec<_>>()
        };
        values = values.iter().flat_map(longer).collect();
    }
    Some(values.into_iter().map(Constant::Bytes).collect())
}
