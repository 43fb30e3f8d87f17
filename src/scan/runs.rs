//! Runs: values of a field, one after the other, of which all have one result, as all times of a month have one month.

use super::chain::{StepChain, ascends, descends, last_same};
use super::domain::{FieldDomain, FieldDomains};
use crate::base::units::MINUTE;
use crate::design::Constant;
use crate::formula::typed::Expression;
use crate::records::field::Kind;

/// The last millisecond of the year 9999: formatted times keep their order up to here.
pub(super) const LAST_TIME: i64 = 253_402_300_799_999;

/// A value of each kind, about in the middle of those in use.
const USUAL_TIME: i64 = 1_600_000_000_000;
const USUAL_NUMBER: i64 = 1_000_000;

/// A value made of one field, that has runs.
pub(super) struct RunKey<'e> {
    pub field: usize,
    pub expression: &'e Expression,
}

/// The values within an expression whose runs it consists of, for the fields of it that are in a range; `None` where it also depends
/// on such a field in another way, or its runs are too short to be gone through.
pub(super) fn run_keys<'e>(expression: &'e Expression, domains: &FieldDomains) -> Option<Vec<RunKey<'e>>> {
    let mut keys = Vec::new();
    collect(expression, domains, &mut keys).then_some(keys)
}

fn collect<'e>(expression: &'e Expression, domains: &FieldDomains, keys: &mut Vec<RunKey<'e>>) -> bool {
    let Some(chain) = StepChain::of(expression) else {
        return expression.inputs().iter().all(|input| collect(input, domains, keys));
    };
    let field = chain.field;
    match domains.get(field).map(AsRef::as_ref) {
        Some(FieldDomain::Numbers(..)) if has_runs(&chain) => {
            keys.push(RunKey { field, expression });
            true
        }
        Some(FieldDomain::Numbers(..)) => {
            matches!(expression, Expression::Apply { input, .. } if collect(input, domains, keys))
        }
        _ => true,
    }
}

/// True if the results come in order, or begin anew from time to time, and stay the same for long enough.
fn has_runs(chain: &StepChain) -> bool {
    let (least, most) = chain.field_range();
    let (usual, most, shortest) = match chain.kind() {
        Kind::Time => (USUAL_TIME, most.min(LAST_TIME), MINUTE),
        _ => (USUAL_NUMBER, most, 2),
    };
    let Some(narrow) = chain.narrow(least.max(0), most) else { return false };
    let order = chain.order_in_stretch(&narrow);
    let value = |place: u64| chain.value(&Constant::Number(usual.saturating_add_unsigned(place)));
    let last = |from: u64| last_same(from, u64::MAX >> 2, |place| value(place) == value(from));
    let first_of_next = last(0).saturating_add(1);
    let length = || last(first_of_next).abs_diff(first_of_next) + 1;
    (ascends(order) || descends(order)) && value(0).is_some() && length() >= shortest.unsigned_abs()
}

/// The runs of a value from the first to the last number; `None` for more than `limit`, or where there is no value.
pub(super) fn runs<T: PartialEq>(
    (first, last): (i64, i64),
    limit: usize,
    value: impl Fn(i64) -> Option<T>,
) -> Option<Vec<(i64, i64)>> {
    let at = |place: u64| first.saturating_add_unsigned(place);
    let most = last.abs_diff(first);
    let (mut runs, mut place) = (Vec::new(), 0);
    loop {
        let here = value(at(place))?;
        let end = last_same(place, most, |place| value(at(place)).is_some_and(|other| other == here));
        runs.push((at(place), at(end)));
        if end >= most {
            return Some(runs);
        }
        if runs.len() >= limit {
            return None;
        }
        place = end + 1;
    }
}
