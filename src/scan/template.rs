//! How the ranges of a query follow from the values it asks for: the plan of all queries of one form.

use super::LIMIT;
use super::chain::{StepChain, ascends};
use super::choices::{ChoiceReason, few};
use super::domain::{FieldDomain, FieldDomains, narrowed};
use super::filter::ScanFilter;
use super::ordered::OrderedRun;
use super::piece::{KeyPiece, pieces};
use super::plan::QueryPlan;
use super::range::{KeyRange, merged};
use super::walk::{WalkEnd, walk};
use crate::bytes::row::prefix_stop_row;
use crate::design::{Condition, Constant, Query};
use crate::formula::typed::{Expression, TypedFormula};
use crate::records::field::shape::Order;
use crate::records::field::{Field, Kind};
use std::borrow::Cow;
use std::rc::Rc;

/// The last millisecond of the year 9999: formatted times keep their order up to here.
const LAST_TIME: i64 = 253_402_300_799_999;

/// How ranges follow from the values of a query.
pub struct PlanTemplate<'a> {
    /// Fields with a list of values, by index: there are ranges for each of their values.
    pub listed: Vec<usize>,
    /// The pieces before the end, in order: their bytes are the prefix of a range.
    pub prefix: Vec<PrefixPiece<'a>>,
    /// The ranges behind each prefix.
    pub end: TemplateEnd<'a>,
    /// The pieces behind the prefix by which a `FuzzyRowFilter` drops rows; empty without one.
    pub fuzzy: Vec<FuzzyPiece<'a>>,
    /// True if every row of the ranges matches, or is dropped by the filter, whatever values are asked for.
    pub exact: bool,
}

/// A piece behind a prefix, as a `FuzzyRowFilter` sees it.
pub enum FuzzyPiece<'a> {
    /// It has these bytes.
    Known(Box<Cow<'a, Expression>>),
    /// It has any bytes, so many.
    Any(usize),
}

/// A piece of a prefix.
pub enum PrefixPiece<'a> {
    /// Computed from fields with a value.
    Known(Box<Cow<'a, Expression>>),
    /// One of these values of it, whatever is asked for: there are ranges for each.
    Each(Vec<Vec<u8>>, Box<Cow<'a, Expression>>),
}

/// The end of the ranges of a template.
pub enum TemplateEnd<'a> {
    /// The prefix is a row.
    Row,
    /// All rows with the prefix.
    Prefix,
    /// Rows from the bytes of one value to those of another.
    Between {
        /// The field with a range of values, by index.
        field: usize,
        /// The pieces that keep its order, in order; pieces of fields with a value may be between them.
        pieces: Vec<Cow<'a, Expression>>,
        /// True if greater values have greater bytes.
        ascending: bool,
        /// True if no two values have the same bytes.
        strict: bool,
        /// The least value for which the order holds.
        least: i64,
        /// True where the range has no first, or no last value.
        open: [bool; 2],
    },
}

/// The template of a query with this plan, whose conditions are `domains`; `None` if its ranges follow from its values in another way, as
/// the periods of a time range do.
pub fn template<'a>(
    typed: &'a TypedFormula,
    fields: &[Field],
    query: &Query,
    domains: &[FieldDomain],
    plan: &QueryPlan,
) -> Option<PlanTemplate<'a>> {
    let nothing = |domain: &FieldDomain| matches!(domain, FieldDomain::Values(values) if values.is_empty() || values.len() > LIMIT);
    if domains.iter().any(nothing) || !typed.kinds.is_empty() {
        return None;
    }
    let pieces = pieces(typed);
    let asked: FieldDomains = Rc::new(domains.iter().cloned().map(Rc::new).collect());
    let outcome = walk(&pieces, &asked, false);
    let from = match outcome.end {
        WalkEnd::Complete => pieces.len(),
        WalkEnd::Ranges(at, _) | WalkEnd::Stopped(at) => at,
    };
    let of = TemplateOf { fields, query, asked: &asked };
    // Nothing follows from a list that omits nothing.
    let listed = |&field: &usize| is_listed(query, fields, field) && *of.domain(field) != FieldDomain::Any;
    let listed = (0..fields.len()).filter(listed).collect();
    let mut prefix = Vec::new();
    for piece in pieces.get(..from)? {
        prefix.push(of.passed(piece)?);
    }
    let end = match outcome.end {
        WalkEnd::Complete => TemplateEnd::Row,
        WalkEnd::Stopped(_) => TemplateEnd::Prefix,
        WalkEnd::Ranges(..) => of.between(pieces.get(from..)?, &mut prefix)?,
    };
    let fuzzy = plan.filters.iter().find_map(|filter| match filter {
        ScanFilter::Fuzzy { pairs, exact } => Some((pairs, *exact)),
        _ => None,
    });
    let dropped = fuzzy.and_then(|(pairs, _)| of.fuzzy(pieces.get(from..)?, pairs)).unwrap_or_default();
    let strict = !matches!(end, TemplateEnd::Between { strict: false, .. });
    let exact = plan.exact || (!dropped.is_empty() && fuzzy.is_some_and(|(_, exact)| exact));
    let template = PlanTemplate { listed, prefix, end, fuzzy: dropped, exact: exact && strict };
    let needed = match outcome.end {
        WalkEnd::Ranges(_, found) => found.needed,
        _ => outcome.ranges().concat(),
    };
    // Whatever else the walk took into account shows in its ranges.
    let open = matches!(template.end, TemplateEnd::Between { open, .. } if open.contains(&true));
    same(&merged(template.ranges(domains)?), &merged(needed), open).then_some(template)
}

/// Bytes of the prefix of the ranges of a query, whose conditions are `domains`; `None` if they have several lengths.
pub fn prefix_length(typed: &TypedFormula, domains: &[FieldDomain]) -> Option<usize> {
    if !typed.kinds.is_empty() {
        return None;
    }
    let asked = Rc::new(domains.iter().cloned().map(Rc::new).collect());
    let states = walk(&pieces(typed), &asked, false).states;
    let length = states.first()?.prefix.len();
    states.iter().all(|state| state.prefix.len() == length).then_some(length)
}

/// True if ranges are the least that are needed, of which one may end with the last row itself; where they are open, if they
/// hold those.
fn same(ranges: &[KeyRange], needed: &[KeyRange], open: bool) -> bool {
    let ends = |stop: &[u8], last: &[u8]| {
        stop == last
            || last.split_last().is_some_and(|(&zero, row)| zero == 0 && stop == prefix_stop_row(row))
    };
    let one = |(range, needed): (&KeyRange, &KeyRange)| match open {
        true => range.start <= needed.start && (range.stop.is_empty() || range.stop >= needed.stop),
        false => range.start == needed.start && ends(&range.stop, &needed.stop),
    };
    ranges.len() == needed.len() && ranges.iter().zip(needed).all(one)
}

fn is_listed(query: &Query, fields: &[Field], field: usize) -> bool {
    let name = fields.get(field).map(|field| field.name.as_str());
    let condition = query.conditions.iter().find(|(asked, _)| Some(asked.as_str()) == name);
    matches!(condition, Some((_, Condition::In(_))))
}

struct TemplateOf<'t> {
    fields: &'t [Field],
    query: &'t Query,
    asked: &'t FieldDomains,
}

impl TemplateOf<'_> {
    fn domain(&self, field: usize) -> &FieldDomain {
        self.asked.get(field).map_or(&FieldDomain::Any, AsRef::as_ref)
    }

    /// True if a piece follows from one value of each of its fields.
    fn known(&self, piece: &KeyPiece) -> bool {
        piece.fields.iter().all(|&field| matches!(self.domain(field), FieldDomain::Values(_)))
    }

    /// A piece that the walk went through.
    fn passed<'a>(&self, piece: &KeyPiece<'a>) -> Option<PrefixPiece<'a>> {
        let few = few(&piece.expression, self.asked, LIMIT)?;
        match few.by {
            ChoiceReason::Every => {
                let values = few.choices.iter().map(|choice| choice.value.bytes().to_vec());
                Some(PrefixPiece::Each(values.collect(), Box::new(piece.expression.clone())))
            }
            _ => self.known(piece).then(|| PrefixPiece::Known(Box::new(piece.expression.clone()))),
        }
    }

    /// The pieces of a fuzzy filter, whose keys go on as far as these pairs; `None` if one of them is not by its place.
    fn fuzzy<'a>(
        &self,
        pieces: &[KeyPiece<'a>],
        pairs: &[(Vec<u8>, Vec<u8>)],
    ) -> Option<Vec<FuzzyPiece<'a>>> {
        let last = pairs.first()?.1.iter().rposition(|&mask| mask == 0)? + 1;
        let prefix = pairs.first()?.1.iter().position(|&mask| mask == 1)?;
        let mut at = prefix;
        let mut fuzzy = Vec::new();
        for piece in pieces {
            if at >= last {
                break;
            }
            let known = few(&piece.expression, self.asked, 1).filter(|_| self.known(piece));
            let width = match known.as_ref().and_then(|few| few.choices.first()) {
                Some(choice) => choice.value.bytes().len(),
                None => piece.shape.width.exact()? as usize,
            };
            at += width;
            fuzzy.push(match known {
                Some(_) => FuzzyPiece::Known(Box::new(piece.expression.clone())),
                None => FuzzyPiece::Any(width),
            });
        }
        Some(fuzzy)
    }

    /// The end of a walk that came to the range of a field.
    fn between<'a>(
        &self,
        pieces: &[KeyPiece<'a>],
        prefix: &mut Vec<PrefixPiece<'a>>,
    ) -> Option<TemplateEnd<'a>> {
        let piece = pieces.first()?;
        let chain = StepChain::of(&piece.expression)?;
        let field = chain.field;
        match self.domain(field) {
            &FieldDomain::Numbers(first, _) => {
                let open = self.open(field);
                let (least, most) = chain.field_range();
                // Without a last value nothing smaller may sort behind the range: the order must hold for all values.
                let least = if first < 0 || open.contains(&true) { least } else { least.max(0) };
                let most = if chain.kind() == Kind::Time { most.min(LAST_TIME) } else { most };
                let run = OrderedRun::of(pieces, field, (least, most), self.asked)?;
                let pieces = pieces.get(..run.members.len())?;
                let pieces = pieces.iter().map(|piece| piece.expression.clone()).collect();
                let strict = matches!(run.order, Order::Strict | Order::Reversed);
                Some(TemplateEnd::Between {
                    field,
                    pieces,
                    ascending: ascends(run.order),
                    strict,
                    least,
                    open,
                })
            }
            FieldDomain::Strings { prefix: true, .. }
                if matches!(*piece.expression, Expression::Field { .. }) =>
            {
                prefix.push(PrefixPiece::Known(Box::new(piece.expression.clone())));
                Some(TemplateEnd::Prefix)
            }
            _ => None,
        }
    }

    /// True where the range of a field has no first, or no last value.
    fn open(&self, field: usize) -> [bool; 2] {
        let name = self.fields.get(field).map(|field| field.name.as_str());
        let condition = self.query.conditions.iter().find(|(asked, _)| Some(asked.as_str()) == name);
        match condition {
            Some((_, Condition::Range { from, to })) => [from.is_none(), to.is_none()],
            _ => [false; 2],
        }
    }
}

impl PlanTemplate<'_> {
    /// The ranges for the values of some domains, ascending; `None` if some value has no bytes.
    pub fn ranges(&self, domains: &[FieldDomain]) -> Option<Vec<KeyRange>> {
        let domains: FieldDomains = Rc::new(domains.iter().cloned().map(Rc::new).collect());
        let mut asked = vec![domains.clone()];
        for &field in &self.listed {
            let FieldDomain::Values(values) = domains.get(field)?.as_ref() else { return None };
            let one = |domains: &FieldDomains, value: &Constant| {
                narrowed(domains, field, FieldDomain::Values(vec![value.clone()]))
            };
            asked = asked
                .iter()
                .flat_map(|domains| values.iter().map(move |value| one(domains, value)))
                .collect();
        }
        let mut ranges = Vec::new();
        for domains in &asked {
            for prefix in self.prefixes(domains)? {
                ranges.extend(self.behind(&prefix, domains)?);
            }
        }
        crate::bytes::sort::sort(&mut ranges);
        Some(ranges)
    }

    fn prefixes(&self, domains: &FieldDomains) -> Option<Vec<Vec<u8>>> {
        let mut prefixes = vec![Vec::new()];
        for piece in &self.prefix {
            let values = match piece {
                PrefixPiece::Each(values, _) => values.clone(),
                PrefixPiece::Known(expression) => vec![known(expression, domains)?],
            };
            let longer = |prefix: &Vec<u8>| {
                values.iter().map(|value| [prefix.as_slice(), value].concat()).collect::<Vec<_>>()
            };
            prefixes = prefixes.iter().flat_map(longer).collect();
        }
        Some(prefixes)
    }

    fn behind(&self, prefix: &[u8], domains: &FieldDomains) -> Option<Option<KeyRange>> {
        let TemplateEnd::Between { field, pieces, ascending, open, .. } = &self.end else {
            let row = matches!(self.end, TemplateEnd::Row);
            return Some(Some(if row { KeyRange::row(prefix) } else { KeyRange::prefix(prefix) }));
        };
        let &FieldDomain::Numbers(first, last) = domains.get(*field)?.as_ref() else { return None };
        let chain = StepChain::of(pieces.first()?)?;
        let Some((first, last)) = chain.within(first, last) else { return Some(None) };
        let (first, last) = chain.accepted(first, last)?;
        let (low, high) = if *ascending { (first, last) } else { (last, first) };
        let bytes = |value: i64| {
            let domains = narrowed(domains, *field, FieldDomain::Values(vec![Constant::Number(value)]));
            let all = pieces.iter().map(|piece| known(piece, &domains)).collect::<Option<Vec<_>>>()?;
            Some([prefix, &all.concat()].concat())
        };
        let [no_low, no_high] = if *ascending { *open } else { [open[1], open[0]] };
        let start = if no_low { prefix.to_vec() } else { bytes(low)? };
        let stop = if no_high { prefix_stop_row(prefix) } else { prefix_stop_row(&bytes(high)?) };
        Some(Some(KeyRange { start, stop }))
    }
}

/// The bytes of a piece all of whose fields have one value; of a text, its beginning.
fn known(expression: &Expression, domains: &FieldDomains) -> Option<Vec<u8>> {
    if let Expression::Field { index, .. } = expression
        && let FieldDomain::Strings { from, prefix: true, .. } = domains.get(*index)?.as_ref()
    {
        return Some(from.clone());
    }
    let few = few(expression, domains, 1).filter(|few| few.by == ChoiceReason::Known)?;
    few.choices.first().map(|choice| choice.value.bytes().to_vec())
}
