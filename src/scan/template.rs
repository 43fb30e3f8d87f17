//! How the ranges of a query follow from the values it asks for: the plan of all queries of one form.

use super::LIMIT;
use super::chain::{StepChain, ascends};
use super::choices::{ChoiceReason, few};
use super::domain::{FieldDomain, FieldDomains, narrowed, of_prefix};
use super::filter::ScanFilter;
use super::ordered::OrderedRun;
use super::piece::{KeyPiece, KeyPieces, pieces};
use super::plan::{QueryPlan, settles};
use super::range::{KeyRange, merged};
use super::runs::{LAST_TIME, RunKey, run_keys, runs};
use super::walk::{RangedPieces, WalkEnd, WalkOutcome, walk, walk_as};
use crate::base::units::DAY;
use crate::bytes::row::prefix_stop_row;
use crate::design::{Condition, Constant, Query};
use crate::formula::typed::{Expression, TypedFormula};
use crate::records::field::shape::Order;
use crate::records::field::{Field, Kind};
use std::borrow::Cow;
use std::rc::Rc;

/// Most lengths of a number that is written without a width.
const MOST_LENGTHS: usize = 32;

/// Most prefixes of ranges.
const MOST_PREFIXES: usize = 8 * LIMIT;

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
    /// It has any bytes, as many as this value at the beginning of the range.
    Like(Box<Cow<'a, Expression>>),
}

/// A piece of a prefix.
pub enum PrefixPiece<'a> {
    /// Computed from fields with a value.
    Known(Box<Cow<'a, Expression>>),
    /// One of these values of it, whatever is asked for: there are ranges for each.
    Each(Vec<Vec<u8>>, Box<Cow<'a, Expression>>),
    /// Computed from a field whose value begins with a text, without as many bytes at its end.
    Begun(Box<Cow<'a, Expression>>, usize),
    /// No piece: from here on the range of the field at this index is cut into runs, each with one such value, and there are
    /// ranges for each. Pieces made of the field are computed from the first value of a run.
    Runs(usize, RunValue<'a>),
}

/// A value that is the same throughout a run.
pub enum RunValue<'a> {
    /// This one.
    Value(Box<Cow<'a, Expression>>),
    /// The number of bytes of this one.
    Length(Box<Cow<'a, Expression>>),
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
    /// Rows from the bytes of one value to below those of another, of a text, bytes or a decimal number, all of which sort by their
    /// bytes.
    Below {
        /// The field with the range of values, by index.
        field: usize,
        /// The piece that it is.
        piece: Box<Cow<'a, Expression>>,
        /// True where the range has no first value, or none that is beyond.
        open: [bool; 2],
    },
}

/// The template of a query with this plan, whose conditions are `domains`; `None` if its ranges follow from its values in another way.
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
    let planned = walk(&pieces, &asked, false);
    let others = match planned.single {
        // A longer range would end the walk.
        true => [RangedPieces::AtEnd, RangedPieces::ByValue, RangedPieces::Always],
        false => [RangedPieces::ByValue, RangedPieces::AtEnd, RangedPieces::Always],
    };
    let of = |ranged| TemplateOf {
        typed,
        fields,
        query,
        asked: &asked,
        plan,
        ranged,
        from: end_of(&planned, &pieces),
    };
    of(RangedPieces::AsNeeded).template(&pieces, domains, &planned).or_else(|| {
        let other = |ranged| of(ranged).template(&pieces, domains, &walk_as(&pieces, &asked, false, ranged));
        others.into_iter().find_map(other)
    })
}

/// The piece that a walk ended at.
fn end_of(outcome: &WalkOutcome, pieces: &[KeyPiece]) -> usize {
    match outcome.end {
        WalkEnd::Complete => pieces.len(),
        WalkEnd::Ranges(at, _) | WalkEnd::Stopped(at) => at,
    }
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

/// Takes the zero bytes from the ends of a range.
fn without_end(range: &mut KeyRange) {
    for row in [&mut range.start, &mut range.stop] {
        let length = row.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        row.truncate(length);
    }
}

fn is_listed(query: &Query, fields: &[Field], field: usize) -> bool {
    let name = fields.get(field).map(|field| field.name.as_str());
    let condition = query.conditions.iter().find(|(asked, _)| Some(asked.as_str()) == name);
    condition.is_some_and(|(_, condition)| condition.is_list())
}

struct TemplateOf<'t> {
    typed: &'t TypedFormula,
    fields: &'t [Field],
    query: &'t Query,
    asked: &'t FieldDomains,
    plan: &'t QueryPlan,
    ranged: RangedPieces,
    /// The piece at which the walk of the plan ended.
    from: usize,
}

impl TemplateOf<'_> {
    /// The template of a walk; `None` if it does not follow from the values.
    fn template<'a>(
        &self,
        pieces: &KeyPieces<'a>,
        domains: &[FieldDomain],
        outcome: &WalkOutcome,
    ) -> Option<PlanTemplate<'a>> {
        let from = end_of(outcome, pieces);
        // Nothing follows from a list that omits nothing.
        let listed = |&field: &usize| {
            is_listed(self.query, self.fields, field) && *self.domain(field) != FieldDomain::Any
        };
        let listed = (0..self.fields.len()).filter(listed).collect();
        let mut prefix = Vec::new();
        for piece in pieces.get(..from)? {
            self.pass(piece, &mut prefix)?;
        }
        let end = match outcome.end {
            WalkEnd::Complete => TemplateEnd::Row,
            WalkEnd::Stopped(_) => TemplateEnd::Prefix,
            WalkEnd::Ranges(..) => self.ends(pieces.get(from..)?, &mut prefix)?,
        };
        // Rows whose last columns are NULL lack the separators of a prefix that reaches there.
        let behind = match &end {
            TemplateEnd::Between { pieces, .. } => pieces.len(),
            _ => 0,
        };
        if from + behind > pieces.before_nullable_end() || !self.keeps_order(&prefix, &end) {
            return None;
        }
        let fuzzy = self.plan.filters.iter().find_map(|filter| match filter {
            ScanFilter::Fuzzy { pairs, exact } if from == self.from => Some((pairs, *exact)),
            _ => None,
        });
        let by_length = prefix.iter().any(|piece| matches!(piece, PrefixPiece::Runs(_, RunValue::Length(_))));
        let dropped = match fuzzy {
            Some((pairs, _)) => self.fuzzy(pieces.get(from..)?, pairs),
            None if by_length => self.behind_length(pieces.get(from..)?),
            None => None,
        };
        let dropped = dropped.unwrap_or_default();
        let strict = !matches!(end, TemplateEnd::Between { strict: false, .. });
        let settled = match self.ranged {
            RangedPieces::AsNeeded => self.plan.exact,
            _ => settles(self.typed, pieces, domains, outcome),
        };
        let exact = settled || (!dropped.is_empty() && fuzzy.is_some_and(|(_, exact)| exact));
        let template = PlanTemplate { listed, prefix, end, fuzzy: dropped, exact: exact && strict };
        // Whatever else the walk took into account shows in its ranges. A run may end between two values of the field.
        let open = matches!(
            template.end,
            TemplateEnd::Between { open, .. } | TemplateEnd::Below { open, .. } if open.contains(&true)
        );
        let wider = open || template.has_runs();
        let (mut found, mut needed) = (template.ranges(domains)?, outcome.needed());
        for range in &mut found {
            range.start = outcome.nullable_end.shortest(&range.start).to_vec();
        }
        crate::bytes::sort::sort(&mut needed);
        if matches!(template.end, TemplateEnd::Below { .. }) {
            // A plan leaves out the zero bytes that end a value: between the two are no rows.
            found.iter_mut().chain(&mut needed).for_each(without_end);
        }
        same(&merged(found), &merged(needed), wider).then_some(template)
    }

    /// True if rows come in the wanted order whatever the values are, as the plan delivers them for those of the query.
    fn keeps_order(&self, prefix: &[PrefixPiece<'_>], end: &TemplateEnd<'_>) -> bool {
        let Some(order) = &self.query.order else { return true };
        // Scans are merged by what follows the prefix, of several values of the field that is their beginning.
        let is_begun = |(field, domain): (&Field, &Rc<FieldDomain>)| {
            field.name == order.field && matches!(**domain, FieldDomain::Prefixes(_))
        };
        if self.plan.delivery.merge && self.fields.iter().zip(self.asked.iter()).any(is_begun) {
            return false;
        }
        if self.ranged == RangedPieces::AsNeeded
            && !prefix.iter().any(|piece| matches!(piece, PrefixPiece::Runs(..)))
        {
            return true;
        }
        // Runs follow one another in the order of the field, as do the rows within each.
        let ordered = |field: &usize| self.fields.get(*field).is_some_and(|field| field.name == order.field);
        matches!(end, TemplateEnd::Between { field, ascending: true, strict: true, .. } if ordered(field))
    }

    fn domain(&self, field: usize) -> &FieldDomain {
        self.asked.get(field).map_or(&FieldDomain::Any, AsRef::as_ref)
    }

    /// True if a piece follows from one value of each of its fields.
    fn known(&self, piece: &KeyPiece) -> bool {
        piece.fields.iter().all(|&field| matches!(self.domain(field), FieldDomain::Values(_)))
    }

    /// A piece that the walk went through.
    fn pass<'a>(&self, piece: &KeyPiece<'a>, prefix: &mut Vec<PrefixPiece<'a>>) -> Option<()> {
        let known = || PrefixPiece::Known(Box::new(piece.expression.clone()));
        let cut = |field: &usize, keys: &[RunKey<'_>]| match self.domain(*field) {
            FieldDomain::Values(_) => true,
            FieldDomain::Numbers(0.., _) => {
                self.open(*field) == [false; 2] && keys.iter().any(|key| key.field == *field)
            }
            _ => false,
        };
        if matches!(self.ranged, RangedPieces::ByValue | RangedPieces::Always)
            && let Some(keys) = run_keys(&piece.expression, self.asked).filter(|keys| !keys.is_empty())
            && piece.fields.iter().all(|field| cut(field, &keys))
        {
            for RunKey { field, expression } in keys {
                let value = RunValue::Value(Box::new(Cow::Owned(expression.clone())));
                prefix.push(PrefixPiece::Runs(field, value));
            }
            prefix.push(known());
            return Some(());
        }
        let few = few(&piece.expression, self.asked, LIMIT)?;
        prefix.push(match few.by {
            ChoiceReason::Every => {
                let values = few.choices.iter().map(|choice| choice.value.bytes().to_vec());
                PrefixPiece::Each(values.collect(), Box::new(piece.expression.clone()))
            }
            _ if self.known(piece) => known(),
            _ => return None,
        });
        Some(())
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
            let expression = || Box::new(piece.expression.clone());
            let (piece, width) = match known.as_ref().and_then(|few| few.choices.first()) {
                Some(choice) => (FuzzyPiece::Known(expression()), choice.value.bytes().len()),
                None => match piece.shape.width.exact() {
                    Some(width) => (FuzzyPiece::Any(width as usize), width as usize),
                    None => (FuzzyPiece::Like(expression()), self.first_of(piece)?.len()),
                },
            };
            at += width;
            fuzzy.push(piece);
        }
        Some(fuzzy)
    }

    /// The pieces of a fuzzy filter behind a number, whose width is known within a run; `None` if none of them is known.
    fn behind_length<'a>(&self, pieces: &[KeyPiece<'a>]) -> Option<Vec<FuzzyPiece<'a>>> {
        let (number, behind) = pieces.split_first()?;
        let mut fuzzy = vec![FuzzyPiece::Like(Box::new(number.expression.clone()))];
        let mut known = 0;
        for piece in behind {
            if self.known(piece) {
                fuzzy.push(FuzzyPiece::Known(Box::new(piece.expression.clone())));
                known = if piece.is_literal() { known } else { fuzzy.len() };
            } else if let Some(width) = piece.shape.width.exact() {
                fuzzy.push(FuzzyPiece::Any(width as usize));
            } else {
                break;
            }
        }
        fuzzy.truncate(known);
        (known > 0).then_some(fuzzy)
    }

    /// The bytes of a piece at the beginning of the range of its field.
    fn first_of(&self, piece: &KeyPiece) -> Option<Vec<u8>> {
        let chain = StepChain::of(&piece.expression)?;
        let &FieldDomain::Numbers(first, _) = self.domain(chain.field) else { return None };
        Some(chain.value(&Constant::Number(first))?.bytes().to_vec())
    }

    /// The end of a walk that came to the range of a field.
    fn ends<'a>(
        &self,
        pieces: &[KeyPiece<'a>],
        prefix: &mut Vec<PrefixPiece<'a>>,
    ) -> Option<TemplateEnd<'a>> {
        let piece = pieces.first()?;
        let chain = StepChain::of(&piece.expression)?;
        let field = chain.field;
        let expression = || Box::new(piece.expression.clone());
        match self.domain(field) {
            FieldDomain::Numbers(..) => self.between(pieces, &chain, prefix),
            FieldDomain::Strings { prefix: true, .. } | FieldDomain::Prefixes(_) => {
                prefix.push(match (&*piece.expression, piece.shape.terminator) {
                    (Expression::Field { .. }, _) => PrefixPiece::Known(expression()),
                    (_, Some(_)) => PrefixPiece::Begun(expression(), 1),
                    _ => return None,
                });
                Some(TemplateEnd::Prefix)
            }
            FieldDomain::Strings { .. } | FieldDomain::Between { .. } => {
                let follows = pieces.get(1).is_none_or(|next| piece.shape.keeps_order_before(&next.shape));
                let sorted = piece.shape.order == Order::Strict && follows;
                sorted.then(|| TemplateEnd::Below { field, piece: expression(), open: self.open(field) })
            }
            _ => None,
        }
    }

    /// The range of a field with numbers or times.
    fn between<'a>(
        &self,
        pieces: &[KeyPiece<'a>],
        chain: &StepChain,
        prefix: &mut Vec<PrefixPiece<'a>>,
    ) -> Option<TemplateEnd<'a>> {
        let field = chain.field;
        let &FieldDomain::Numbers(first, _) = self.domain(field) else { return None };
        let open = self.open(field);
        let (least, most) = chain.field_range();
        // Without a last value nothing smaller may sort behind the range: the order must hold for all values.
        let tried = match chain.kind() {
            _ if open.contains(&true) => vec![least],
            // The beginning of a period is in it, too.
            Kind::Time => vec![least.max(0), least.max(2 * DAY)],
            _ => vec![least.max(0)],
        };
        let mut tried: Vec<i64> = tried.into_iter().filter(|&tried| first >= tried).collect();
        if tried.is_empty() {
            tried.push(least);
        }
        let most = if chain.kind() == Kind::Time { most.min(LAST_TIME) } else { most };
        let whole = tried.iter().find_map(|&least| {
            let run = OrderedRun::of(pieces, field, (least, most), self.asked)?;
            Some((least, (run.members.len(), run.order)))
        });
        let least = whole.map_or(tried.first().copied().unwrap_or(least), |(least, _)| least);
        let (count, order) = match whole {
            Some((_, whole)) => whole,
            None if least >= 0 && open == [false; 2] => {
                let of_length = self.by_length(pieces, chain, (least, most))?;
                let piece = Box::new(pieces.first()?.expression.clone());
                prefix.push(PrefixPiece::Runs(field, RunValue::Length(piece)));
                of_length
            }
            None => return None,
        };
        Some(TemplateEnd::Between {
            field,
            pieces: pieces.get(..count)?.iter().map(|piece| piece.expression.clone()).collect(),
            ascending: ascends(order),
            strict: matches!(order, Order::Strict | Order::Reversed),
            least,
            open,
        })
    }

    /// How many pieces keep which order among the values of a range whose first piece has one length; `None` if that differs between
    /// lengths.
    fn by_length(
        &self,
        pieces: &[KeyPiece],
        chain: &StepChain,
        (least, most): (i64, i64),
    ) -> Option<(usize, Order)> {
        let length = |value: i64| Some(chain.value(&Constant::Number(value))?.bytes().len());
        let of_run = |ends: &(i64, i64)| {
            let run = OrderedRun::of(pieces, chain.field, *ends, self.asked)?;
            Some((run.members.len(), run.order))
        };
        let runs = runs((least, most), MOST_LENGTHS, length)?;
        // All values of a run may be one: it tells nothing of the order.
        let mut orders = runs.iter().filter(|(first, last)| first != last).map(of_run);
        let first = orders.next()??;
        orders.all(|order| order == Some(first)).then_some(first)
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
        let mut domains: FieldDomains = Rc::new(domains.iter().cloned().map(Rc::new).collect());
        for (field, chain) in self.chains() {
            if let &FieldDomain::Numbers(first, last) = domains.get(field)?.as_ref() {
                let Some((first, last)) = chain.within(first, last) else { return Some(Vec::new()) };
                domains = narrowed(&domains, field, FieldDomain::Numbers(first, last));
            }
        }
        let mut asked = vec![domains.clone()];
        for &field in &self.listed {
            let each: Vec<FieldDomain> = match domains.get(field)?.as_ref() {
                FieldDomain::Values(values) => {
                    values.iter().map(|value| FieldDomain::Values(vec![value.clone()])).collect()
                }
                FieldDomain::Prefixes(prefixes) => prefixes.iter().map(|prefix| of_prefix(prefix)).collect(),
                // All of several prefixes can begin with one of them.
                one @ FieldDomain::Strings { prefix: true, .. } => vec![one.clone()],
                _ => return None,
            };
            if asked.len().saturating_mul(each.len()) > MOST_PREFIXES {
                return None;
            }
            let of = |domains: &FieldDomains| {
                each.iter().map(|one| narrowed(domains, field, one.clone())).collect::<Vec<_>>()
            };
            asked = asked.iter().flat_map(of).collect();
        }
        let mut ranges = Vec::new();
        for domains in &asked {
            for (prefix, domains) in self.prefixes(domains)? {
                ranges.extend(self.behind(&prefix, &domains)?);
            }
        }
        crate::bytes::sort::sort(&mut ranges);
        Some(ranges)
    }

    /// The fields whose range the ranges follow from, by index, each with a value made of it.
    fn chains(&self) -> impl Iterator<Item = (usize, StepChain<'_>)> {
        let of_runs = self.prefix.iter().filter_map(|piece| match piece {
            PrefixPiece::Runs(_, RunValue::Value(value) | RunValue::Length(value)) => Some(value.as_ref()),
            _ => None,
        });
        let of_end = match &self.end {
            TemplateEnd::Between { pieces, .. } => pieces.first(),
            _ => None,
        };
        of_runs.chain(of_end).filter_map(|value| StepChain::of(value)).map(|chain| (chain.field, chain))
    }

    /// The fields whose range of numbers or times the ranges follow from, by index, each with the least value for which they do.
    pub fn least(&self) -> Vec<(usize, i64)> {
        let mut least: Vec<(usize, i64)> = Vec::new();
        for piece in &self.prefix {
            if let PrefixPiece::Runs(field, _) = piece
                && !least.iter().any(|(other, _)| other == field)
            {
                least.push((*field, 0));
            }
        }
        if let TemplateEnd::Between { field, least: of_end, .. } = &self.end {
            match least.iter_mut().find(|(other, _)| other == field) {
                Some((_, value)) => *value = (*value).max(*of_end),
                None => least.push((*field, *of_end)),
            }
        }
        least
    }

    /// True if the range of a field is cut into runs.
    pub fn has_runs(&self) -> bool {
        self.prefix.iter().any(|piece| matches!(piece, PrefixPiece::Runs(..)))
    }

    /// The prefixes of the ranges, with what each leaves open of the fields.
    fn prefixes(&self, domains: &FieldDomains) -> Option<Vec<(Vec<u8>, FieldDomains)>> {
        let mut prefixes = vec![(Vec::new(), domains.clone())];
        for piece in &self.prefix {
            let mut longer = Vec::new();
            for (prefix, domains) in prefixes {
                match piece {
                    PrefixPiece::Each(values, _) => {
                        let with = |value: &Vec<u8>| ([prefix.as_slice(), value].concat(), domains.clone());
                        longer.extend(values.iter().map(with));
                    }
                    PrefixPiece::Known(expression) => {
                        longer.push(([prefix, known(expression, &domains)?].concat(), domains));
                    }
                    PrefixPiece::Begun(expression, end) => {
                        let value = known(expression, &domains)?;
                        let begun = value.get(..value.len().checked_sub(*end)?)?;
                        longer.push(([prefix.as_slice(), begun].concat(), domains));
                    }
                    PrefixPiece::Runs(field, value) => {
                        let &FieldDomain::Numbers(first, last) = domains.get(*field)?.as_ref() else {
                            return None;
                        };
                        let at = |number: i64| match value {
                            RunValue::Value(expression) => {
                                StepChain::of(expression)?.value(&Constant::Number(number))
                            }
                            RunValue::Length(expression) => {
                                let value = StepChain::of(expression)?.value(&Constant::Number(number))?;
                                Some(Constant::Number(value.bytes().len() as i64))
                            }
                        };
                        for (first, last) in runs((first, last), LIMIT, at)? {
                            let run = FieldDomain::Numbers(first, last);
                            longer.push((prefix.clone(), narrowed(&domains, *field, run)));
                        }
                    }
                }
            }
            if longer.len() > MOST_PREFIXES {
                return None;
            }
            prefixes = longer;
        }
        Some(prefixes)
    }

    fn behind(&self, prefix: &[u8], domains: &FieldDomains) -> Option<Option<KeyRange>> {
        let (field, pieces, ascending, open) = match &self.end {
            TemplateEnd::Row => return Some(Some(KeyRange::row(prefix))),
            TemplateEnd::Prefix => return Some(Some(KeyRange::prefix(prefix))),
            TemplateEnd::Below { field, piece, open } => {
                let ends = match domains.get(*field)?.as_ref() {
                    FieldDomain::Strings { from, to, .. } => {
                        [Some(Constant::Bytes(from.clone())), to.clone().map(Constant::Bytes)]
                    }
                    FieldDomain::Between { from, to, .. } => [from.clone(), to.clone()],
                    _ => return None,
                };
                let chain = StepChain::of(piece)?;
                let bytes =
                    |end: &Option<Constant>| Some([prefix, chain.value(end.as_ref()?)?.bytes()].concat());
                let start = if open[0] { prefix.to_vec() } else { bytes(&ends[0])? };
                let stop = if open[1] { prefix_stop_row(prefix) } else { bytes(&ends[1])? };
                return Some(Some(KeyRange { start, stop }));
            }
            TemplateEnd::Between { field, pieces, ascending, open, .. } => (field, pieces, ascending, open),
        };
        let &FieldDomain::Numbers(first, last) = domains.get(*field)?.as_ref() else { return None };
        let chain = StepChain::of(pieces.first()?)?;
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

/// The bytes of a piece all of whose fields have one value; of a text, its beginning; of a range, those of its first value.
fn known(expression: &Expression, domains: &FieldDomains) -> Option<Vec<u8>> {
    if let Some(chain) = StepChain::of(expression)
        && let FieldDomain::Strings { from, prefix: true, .. } = domains.get(chain.field)?.as_ref()
    {
        return Some(chain.value(&Constant::Bytes(from.clone()))?.bytes().to_vec());
    }
    let first = |domain: &Rc<FieldDomain>| match domain.as_ref() {
        &FieldDomain::Numbers(first, _) => Rc::new(FieldDomain::Values(vec![Constant::Number(first)])),
        _ => domain.clone(),
    };
    let domains = Rc::new(domains.iter().map(first).collect());
    let few = few(expression, &domains, 1).filter(|few| few.by == ChoiceReason::Known)?;
    few.choices.first().map(|choice| choice.value.bytes().to_vec())
}
