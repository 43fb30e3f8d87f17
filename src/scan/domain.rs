//! The values of each field that a query leaves open.

use crate::base::Problem;
use crate::base::json::{item, member};
use crate::bytes::row::prefix_stop_row;
use crate::design::Constant;
use crate::design::{Condition, Query};
use crate::formula::unknown_field;
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind};
use serde_json::Value;
use std::rc::Rc;

/// The values that a field may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldDomain {
    /// Every value.
    Any,
    /// One of these, ascending, each once.
    Values(Vec<Constant>),
    /// A number or time from the first to the last, both included.
    Numbers(i64, i64),
    /// Text or bytes from `from`.
    Strings {
        /// The least.
        from: Vec<u8>,
        /// The first beyond; `None` when there is none.
        to: Option<Vec<u8>>,
        /// True if it is all that begins with `from`.
        prefix: bool,
    },
    /// Text or bytes that begin with one of these: ascending, none the beginning of another.
    Prefixes(Vec<Vec<u8>>),
    /// Floats or decimals, which their columns do not hold in order: from the first to below the second.
    Between {
        /// The values.
        kind: Kind,
        /// The least.
        from: Option<Constant>,
        /// The first beyond.
        to: Option<Constant>,
    },
}

impl FieldDomain {
    /// The value, when there is only one.
    pub(super) fn known(&self) -> Option<&Constant> {
        match self {
            Self::Values(values) if values.len() == 1 => values.first(),
            _ => None,
        }
    }

    /// True if some value is left out.
    pub fn is_restricted(&self) -> bool {
        *self != Self::Any
    }

    /// True if it holds a number or time.
    pub fn has_number(&self, number: i64) -> bool {
        match self {
            Self::Any => true,
            Self::Values(values) => values.binary_search(&Constant::Number(number)).is_ok(),
            Self::Numbers(first, last) => (*first..=*last).contains(&number),
            Self::Strings { .. } | Self::Prefixes(_) => false,
            Self::Between { .. } => self.lies_between(&Constant::Number(number)),
        }
    }

    fn lies_between(&self, value: &Constant) -> bool {
        let Self::Between { kind, from, to } = self else { return false };
        // NULL lies in no range.
        if *value == Constant::Bytes(Vec::new()) {
            return false;
        }
        from.as_ref().is_none_or(|from| value.compare(from, *kind).is_ge())
            && to.as_ref().is_none_or(|to| value.compare(to, *kind).is_lt())
    }

    /// True if it holds a text or bytes.
    pub fn has_bytes(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Values(values) => values.binary_search_by(|value| value.bytes().cmp(bytes)).is_ok(),
            Self::Numbers(..) => false,
            Self::Between { .. } => self.lies_between(&Constant::Bytes(bytes.to_vec())),
            Self::Prefixes(prefixes) => {
                // It can begin with none but the last of those up to it.
                let after = prefixes.partition_point(|prefix| prefix.as_slice() <= bytes);
                let before = after.checked_sub(1).and_then(|before| prefixes.get(before));
                before.is_some_and(|prefix| bytes.starts_with(prefix))
            }
            Self::Strings { from, to, .. } => {
                from.as_slice() <= bytes && to.as_deref().is_none_or(|to| bytes < to)
            }
        }
    }

    /// A range that includes every value, for a list too long to be asked value by value.
    pub(super) fn hull(&self, kind: Kind) -> Self {
        if let Self::Prefixes(prefixes) = self {
            let from = prefixes.first().cloned().unwrap_or_default();
            let to = prefixes.last().map(|last| prefix_stop_row(last)).filter(|stop| !stop.is_empty());
            return Self::Strings { from, to, prefix: false };
        }
        let Self::Values(values) = self else { return self.clone() };
        if matches!(kind, Kind::Float | Kind::Decimal) {
            // Their columns do not hold them in order.
            return Self::Any;
        }
        match (values.first(), values.last()) {
            (Some(Constant::Number(first)), Some(Constant::Number(last))) => Self::Numbers(*first, *last),
            // In a key, other bytes may follow the last value.
            (Some(Constant::Bytes(first)), Some(Constant::Bytes(last))) => Self::Strings {
                from: first.clone(),
                to: Some(prefix_stop_row(last)).filter(|stop| !stop.is_empty()),
                prefix: false,
            },
            _ => self.clone(),
        }
    }
}

/// The domain of each field, by its index; shared while nothing is narrowed.
pub(super) type FieldDomains = Rc<Vec<Rc<FieldDomain>>>;

/// All that begins with a prefix.
pub(super) fn of_prefix(prefix: &[u8]) -> FieldDomain {
    let to = Some(prefix_stop_row(prefix)).filter(|stop| !stop.is_empty());
    FieldDomain::Strings { from: prefix.to_vec(), to, prefix: true }
}

/// The domains with that of one field narrowed.
pub(super) fn narrowed(domains: &FieldDomains, field: usize, domain: FieldDomain) -> FieldDomains {
    let mut other = domains.as_ref().clone();
    if let Some(place) = other.get_mut(field) {
        *place = Rc::new(domain);
    }
    Rc::new(other)
}

/// The conditions of a query, by index of the field.
///
/// # Errors
/// All that is wrong, each at its path under `path` (that of the query): an unknown field, a value its field cannot
/// hold, a range whose end is not above its beginning, a prefix of a number.
pub fn read(query: &Query, fields: &[Field], path: &str) -> Result<Vec<FieldDomain>, Vec<Problem>> {
    let mut domains = vec![FieldDomain::Any; fields.len()];
    let mut problems = Vec::new();
    let (path, order_path) = (member(path, "where"), member(path, "order"));
    for (name, condition) in &query.conditions {
        let path = member(&path, name);
        let found = fields.iter().zip(&mut domains).find(|(field, _)| field.name == *name);
        let Some((field, domain)) = found else {
            problems.push(unknown_field(name, fields).at_path(path));
            continue;
        };
        match one(condition, field, &path) {
            Ok(FieldDomain::Strings { from, to, prefix }) if field.nullable && from.is_empty() => {
                *domain = FieldDomain::Strings { from: vec![0], to, prefix };
            }
            Ok(read) => *domain = read,
            Err(problem) => problems.push(problem),
        }
    }
    if let Some(order) = &query.order
        && !fields.iter().any(|field| field.name == order.field)
    {
        problems.push(unknown_field(&order.field, fields).at_path(order_path));
    }
    if problems.is_empty() { Ok(domains) } else { Err(problems) }
}

fn one(condition: &Condition, field: &Field, path: &str) -> Result<FieldDomain, Problem> {
    match condition {
        Condition::Eq(value) => Ok(FieldDomain::Values(vec![whole(value, path, field)?])),
        Condition::In(list) => {
            let read = |(index, value)| whole(value, &item(&member(path, "in"), index), field);
            let mut values = list.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
            crate::bytes::sort::sort(&mut values);
            values.dedup();
            Ok(FieldDomain::Values(values))
        }
        Condition::Prefix(prefixes) => match field.kind {
            Kind::Text | Kind::Bytes => {
                let path = member(path, "prefix");
                let read = |(index, prefix): (usize, &String)| {
                    let path = if prefixes.len() > 1 { item(&path, index) } else { path.clone() };
                    let begun = Constant::read_prefix(prefix, &path, field)?;
                    match field.width.is_some_and(|width| begun.bytes().len() as u64 > u64::from(width)) {
                        true => Err(Problem::new("field.wrong-width").at_path(path)),
                        false => Ok(begun),
                    }
                };
                let mut all = prefixes.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
                crate::bytes::sort::sort(&mut all);
                // A shorter one includes all that begins with a longer one.
                all.dedup_by(|longer, shorter| longer.bytes().starts_with(shorter.bytes()));
                Ok(match all.as_slice() {
                    [one] => of_prefix(one.bytes()),
                    _ => FieldDomain::Prefixes(all.iter().map(|one| one.bytes().to_vec()).collect()),
                })
            }
            kind => {
                let problem = Problem::new("design.prefix-of-number").with("name", &field.name);
                Err(problem.with("kind", kind.name()).at_path(member(path, "prefix")))
            }
        },
        Condition::Range { from, to } => range(from.as_ref(), to.as_ref(), field, path),
    }
}

/// A whole value of a field, which no record has when it is not as wide as the field declares.
fn whole(value: &Value, path: &str, field: &Field) -> Result<Constant, Problem> {
    let constant = Constant::read(value, path, field)?;
    match (&constant, field.width) {
        (Constant::Bytes(bytes), Some(width)) if bytes.len() as u64 != u64::from(width) => {
            Err(Problem::new("field.wrong-width").at_path(path))
        }
        _ => Ok(constant),
    }
}

fn range(
    from: Option<&Value>,
    to: Option<&Value>,
    field: &Field,
    path: &str,
) -> Result<FieldDomain, Problem> {
    let read = |end: Option<&Value>, name| {
        end.map(|value| Constant::read(value, &member(path, name), field)).transpose()
    };
    let ends = (read(from, "from")?, read(to, "to")?);
    if let ((Some(low), Some(high)), (Some(from), Some(to))) = (&ends, (from, to))
        && low.compare(high, field.kind).is_ge()
    {
        return Err(Problem::new("design.empty-range").with("from", from).with("to", to).at_path(path));
    }
    Ok(match ends {
        (None, None) => FieldDomain::Any,
        (from, to) if matches!(field.kind, Kind::Float | Kind::Decimal) => {
            FieldDomain::Between { kind: field.kind, from, to }
        }
        (Some(Constant::Bytes(from)), Some(Constant::Bytes(to))) => {
            FieldDomain::Strings { from, to: Some(to), prefix: false }
        }
        (Some(Constant::Bytes(from)), None) => FieldDomain::Strings { from, to: None, prefix: false },
        (None, Some(Constant::Bytes(to))) => {
            FieldDomain::Strings { from: Vec::new(), to: Some(to), prefix: false }
        }
        (from, to) => {
            let (least, most) = number_range(field);
            let number = |end: Option<Constant>| match end {
                Some(Constant::Number(number)) => Some(number),
                _ => None,
            };
            let last = match number(to) {
                Some(to) => to.checked_sub(1),
                None => Some(most),
            };
            match (number(from).unwrap_or(least), last) {
                (first, Some(last)) if first <= last => FieldDomain::Numbers(first, last),
                _ => FieldDomain::Values(Vec::new()),
            }
        }
    })
}

/// Least and greatest number or time that a field can hold.
fn number_range(field: &Field) -> (i64, i64) {
    let format = field.format.as_deref().filter(|_| field.kind == Kind::Time);
    let format = format.and_then(|format| TimeFormat::parse(format, field.zone.as_deref()).ok());
    format.map_or((i64::MIN, i64::MAX), |format| format.range())
}
