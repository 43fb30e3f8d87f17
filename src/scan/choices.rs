//! The values of an expression, one by one, as far as a query leaves only a few.

use super::chain::{StepChain, ascends, descends};
use super::curve::CurveOf;
use super::domain::{FieldDomain, FieldDomains, narrowed, of_prefix};
use crate::bytes::row::prefix_stop_row;
use crate::bytes::strings::MOST_BYTES;
use crate::design::Constant;
use crate::formula::typed::{Expression, NullableEnd};
use crate::records::field::Kind;
use crate::records::field::shape::Shape;

/// Why there are just these values, from the best reason to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChoiceReason {
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
pub(super) struct ValueChoice {
    pub value: Constant,
    pub domains: FieldDomains,
}

/// Few values.
pub(super) struct FewValues {
    pub choices: Vec<ValueChoice>,
    pub by: ChoiceReason,
    /// The values stand for just what the query asks: no value of the field outside it has one of them.
    pub aligned: bool,
}

/// Most values that are of use.
#[derive(Clone, Copy)]
pub(super) struct MostValues {
    /// For those that are listed.
    pub listed: usize,
    /// For those that a range leaves: where an expression has fewer values at all, these are asked instead.
    pub ranged: usize,
    /// True if those that a range leaves are asked even then.
    pub of_range: bool,
}

/// The values an expression can have; `None` when there are more than `limit`, or they can't be told.
pub(super) fn few(expression: &Expression, domains: &FieldDomains, limit: usize) -> Option<FewValues> {
    few_of(expression, domains, MostValues { listed: limit, ranged: limit, of_range: false })
}

/// The same for more listed values than those of a range.
pub(super) fn few_of(expression: &Expression, domains: &FieldDomains, most: MostValues) -> Option<FewValues> {
    let shape = match expression {
        Expression::Field { shape, .. }
        | Expression::Salt { shape, .. }
        | Expression::Apply { shape, .. } => Some(shape),
        Expression::Literal(_) | Expression::Join { .. } => None,
    };
    let all = shape.and_then(|shape| count_of_every(shape, most.listed));
    let all = all.filter(|_| !most.of_range);
    let most = MostValues { ranged: all.map_or(most.ranged, |all| all.min(most.ranged)), ..most };
    let of_inputs = match expression {
        Expression::Literal(bytes) => {
            return Some(same(domains, [Constant::Bytes(bytes.clone())], ChoiceReason::Known));
        }
        Expression::Field { index, shape } => field(*index, shape, domains, most),
        Expression::Join { separator, parts, nullable_end, .. } => {
            return joined(separator, (parts, *nullable_end), domains, most);
        }
        Expression::Apply { input, operation, .. } => {
            let input = few_of(input, domains, most);
            input.map(|input| applied(input, |value| value.through(operation.as_ref())))
        }
        _ => None,
    };
    if of_inputs.as_ref().is_some_and(|few| few.by <= ChoiceReason::Listed) {
        return of_inputs;
    }
    // The ranges of a box are fewer than all cells there are.
    if let Some(curve) = CurveOf::of(expression)
        && curve.fields.iter().any(|field| domains.get(*field).is_some_and(|domain| domain.is_restricted()))
    {
        return of_inputs;
    }
    let of_range = StepChain::of(expression)
        .and_then(|chain| of_range(&chain, shape?, domains, most))
        .or(of_inputs.map(|few| FewValues { aligned: false, ..few }));
    if of_range.as_ref().is_some_and(|few| few.by <= ChoiceReason::Listed) {
        return of_range;
    }
    if of_range.as_ref().is_some_and(|range| all.is_none_or(|all| range.choices.len() <= all)) {
        return of_range;
    }
    if most.of_range && of_range.is_some() {
        return of_range;
    }
    let every = shape.and_then(|shape| every(shape, most.listed));
    let every = every.map(|values| same(domains, values, ChoiceReason::Every));
    match (of_range, every) {
        (Some(range), Some(every)) if every.choices.len() < range.choices.len() => Some(every),
        (range, every) => range.or(every),
    }
}

fn same(domains: &FieldDomains, values: impl IntoIterator<Item = Constant>, by: ChoiceReason) -> FewValues {
    let choice = |value| ValueChoice { value, domains: domains.clone() };
    FewValues { choices: values.into_iter().map(choice).collect(), by, aligned: false }
}

/// A field whose values are listed, or numbers of a short range.
fn field(index: usize, shape: &Shape, domains: &FieldDomains, most: MostValues) -> Option<FewValues> {
    let only = |value: Constant, domains: &FieldDomains| ValueChoice {
        domains: narrowed(domains, index, FieldDomain::Values(vec![value.clone()])),
        value,
    };
    match domains.get(index)?.as_ref() {
        FieldDomain::Values(values) if values.len() <= most.listed => {
            let by = if values.len() == 1 { ChoiceReason::Known } else { ChoiceReason::Listed };
            let choices = match by {
                ChoiceReason::Known => values
                    .iter()
                    .map(|value| ValueChoice { value: value.clone(), domains: domains.clone() })
                    .collect(),
                _ => values.iter().map(|value| only(value.clone(), domains)).collect(),
            };
            Some(FewValues { choices, by, aligned: false })
        }
        &FieldDomain::Numbers(first, last) => {
            let expression = Expression::Field { index, shape: shape.clone() };
            let chain = StepChain::of(&expression)?;
            let Some((first, last)) = chain.within(first, last) else {
                return Some(FewValues { choices: Vec::new(), by: ChoiceReason::Period, aligned: true });
            };
            let steps = last.abs_diff(first) / chain.unit().unsigned_abs();
            if steps >= most.ranged as u64 {
                return None;
            }
            let value = |step| first.saturating_add_unsigned(step * chain.unit().unsigned_abs());
            let choices = (0..=steps).map(|step| only(Constant::Number(value(step)), domains)).collect();
            Some(FewValues { choices, by: ChoiceReason::Period, aligned: false })
        }
        _ => None,
    }
}

/// All combinations of the parts.
fn joined(
    separator: &[u8],
    (parts, nullable_end): (&[Expression], NullableEnd),
    domains: &FieldDomains,
    most: MostValues,
) -> Option<FewValues> {
    let mut all = same(domains, [Constant::Bytes(Vec::new())], ChoiceReason::Known);
    for (index, part) in parts.iter().enumerate() {
        let mut choices = Vec::new();
        for before in &all.choices {
            let next = few_of(part, &before.domains, most)?;
            all.by = all.by.max(next.by);
            let limit = if all.by == ChoiceReason::Period { most.ranged } else { most.listed };
            if choices.len() + next.choices.len() > limit {
                return None;
            }
            let separator = if index > 0 { separator } else { &[] };
            let is_last = index + 1 == parts.len();
            let joined = next.choices.into_iter().map(|choice| {
                let mut value = [before.value.bytes(), separator, choice.value.bytes()].concat();
                if is_last {
                    value.truncate(nullable_end.length(&value, choice.value.bytes().len()));
                }
                ValueChoice { value: Constant::Bytes(value), domains: choice.domains }
            });
            choices.extend(joined.filter(|choice| choice.value.bytes().len() <= MOST_BYTES));
        }
        all.choices = choices;
    }
    Some(all)
}

/// The results of a step on few values; those it refuses are in no key.
fn applied(input: FewValues, step: impl Fn(&Constant) -> Option<Constant>) -> FewValues {
    let value = |choice: ValueChoice| Some(ValueChoice { value: step(&choice.value)?, ..choice });
    let mut choices: Vec<ValueChoice> = input.choices.into_iter().filter_map(value).collect();
    if input.by > ChoiceReason::Listed {
        crate::bytes::sort::sort_by(&mut choices, |a, b| a.value.cmp(&b.value));
        choices.dedup_by(|a, b| a.value == b.value && a.domains == b.domains);
    }
    FewValues { choices, ..input }
}

/// The results of a range of the field: months, days; or of a text whose beginning is known.
fn of_range(chain: &StepChain, shape: &Shape, domains: &FieldDomains, most: MostValues) -> Option<FewValues> {
    let range = match domains.get(chain.field)?.as_ref() {
        &FieldDomain::Numbers(first, last) => Some((first, last)),
        FieldDomain::Any => None,
        FieldDomain::Strings { from, to: Some(to), .. } => {
            let value = settled(chain, shape, (from, to));
            return value.map(|value| same(domains, [value], ChoiceReason::Known));
        }
        FieldDomain::Prefixes(prefixes) if prefixes.len() <= most.listed => {
            return of_prefixes(chain, shape, prefixes, domains);
        }
        _ => return None,
    };
    let cycle = chain.cycle(range, most.listed).filter(|_| !most.of_range || range.is_none());
    if let Some(values) = cycle {
        return Some(same(domains, values, ChoiceReason::Every));
    }
    let (first, last) = range?;
    let Some((first, last)) = chain.within(first, last) else {
        return Some(FewValues { choices: Vec::new(), by: ChoiceReason::Period, aligned: true });
    };
    let mut choices = Vec::new();
    for (first, last) in chain.stretches(first, last)? {
        let order = chain.order_in_stretch(&chain.narrow(first, last)?);
        if !ascends(order) && !descends(order) {
            return None;
        }
        let (first, last) = chain.accepted(first, last)?;
        for run in chain.runs(first, last, most.ranged)? {
            let domain = FieldDomain::Numbers(run.first, run.last);
            choices.push(ValueChoice { value: run.value, domains: narrowed(domains, chain.field, domain) });
        }
    }
    (choices.len() <= most.ranged).then(|| FewValues {
        choices,
        by: ChoiceReason::Period,
        aligned: aligned(chain, first, last),
    })
}

/// The results of texts with some prefixes, where each has one.
// Seldom needed: what loads before the first picture is without it.
#[inline(never)]
fn of_prefixes(
    chain: &StepChain,
    shape: &Shape,
    prefixes: &[Vec<u8>],
    domains: &FieldDomains,
) -> Option<FewValues> {
    let choice = |prefix: &Vec<u8>| {
        let value = settled(chain, shape, (prefix, &prefix_stop_row(prefix)))?;
        Some(ValueChoice { value, domains: narrowed(domains, chain.field, of_prefix(prefix)) })
    };
    let choices = prefixes.iter().map(choice).collect::<Option<Vec<_>>>()?;
    Some(FewValues { choices, by: ChoiceReason::Listed, aligned: false })
}

/// The one result of texts from one on and below another.
fn settled(chain: &StepChain, shape: &Shape, (from, to): (&[u8], &[u8])) -> Option<Constant> {
    // Between two texts with one result there is no other.
    let [low, high] = [from, to].map(|end| chain.value(&Constant::Bytes(end.to_vec())));
    low.filter(|low| high.as_ref() == Some(low) && ascends(shape.order))
}

/// True if the values next to a range have other results, in a chain that keeps the order of all values.
fn aligned(chain: &StepChain, first: i64, last: i64) -> bool {
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

/// How many values there ever are, when [`every`] lists them.
fn count_of_every(shape: &Shape, limit: usize) -> Option<usize> {
    if let (Kind::Integer | Kind::Boolean, Some((low, high))) = (shape.kind, shape.range) {
        let few = high.abs_diff(low) < limit as u64;
        return few.then(|| high.abs_diff(low) as usize + 1);
    }
    let strings = matches!(shape.kind, Kind::Text | Kind::Bytes);
    let known = shape.width.exact() == Some(shape.by_position.len() as u64) && !shape.by_position.is_empty();
    if !strings || !known || shape.distinct.is_none_or(|distinct| distinct > limit as u64) {
        return None;
    }
    let product = shape.by_position.iter().try_fold(1u64, |all, set| all.checked_mul(set.len().into()))?;
    (product <= limit as u64).then_some(product as usize)
}

/// All values there ever are, when they are few: numbers of a short range, bytes by their alphabets.
fn every(shape: &Shape, limit: usize) -> Option<Vec<Constant>> {
    count_of_every(shape, limit)?;
    if let (Kind::Integer | Kind::Boolean, Some((low, high))) = (shape.kind, shape.range) {
        return Some((low..=high).map(Constant::Number).collect());
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
