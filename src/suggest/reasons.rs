//! Why each part of a key is there, and the same key with one choice taken back.

use super::aging::Aging;
use super::key::{Form, KeyPart, KeyPlan};
use super::measure::StoredRows;
use super::note::{SuggestNote, in_quotes};
use super::orders::AskedFields;
use super::profile::Profile;
use super::shape::{RowShape, ShapedTable};
use crate::base::Problem;
use crate::base::figures::percent;
use crate::base::units::{DAY, HOUR, MINUTE};
use crate::design::split::Splits;
use crate::design::{Document, Query};
use crate::records::field::time::TimeFormat;
use crate::records::field::time::civil::date_of;

/// Inputs of the reasons.
pub(super) struct Reasoning<'a> {
    /// The document.
    pub study: &'a Document,
    /// The fields.
    pub profile: &'a Profile,
    /// Fields that each query tests.
    pub asked: &'a [AskedFields],
    /// For each query that the table answers, whether a filter drops rows.
    pub answers: Vec<Option<bool>>,
}

impl Reasoning<'_> {
    /// A reason for each part.
    pub fn of(&self, key: &KeyPlan) -> Vec<SuggestNote> {
        let mut reasons: Vec<Problem> = Vec::new();
        let mut held: Vec<usize> = Vec::new();
        for (at, part) in key.parts.iter().enumerate() {
            reasons.extend(match part {
                KeyPart::Period { field, length } if at + 1 == key.parts.len() => {
                    let problem =
                        Problem::new("suggest.period-last").with("field", self.profile.name(*field));
                    Some(of_length(problem, *length))
                }
                part => self.part(part, &held),
            });
            if let KeyPart::Field { field, form } = part {
                held.push(*field);
                reasons.extend(self.limited(*field).filter(|_| *form == Form::Compact));
            }
        }
        reasons.into_iter().map(Into::into).collect()
    }

    /// A reason for the cut.
    pub fn of_cut(&self, key: &KeyPlan, (splits, regions, calm): (&Splits, usize, bool)) -> Problem {
        match (regions, calm) {
            (1, false) => Problem::new("suggest.one-hot-region"),
            _ => self.cut(key, splits, regions),
        }
    }

    fn part(&self, part: &KeyPart, held: &[usize]) -> Option<Problem> {
        Some(match part {
            KeyPart::Field { field, form } => self.field(*field, *form, held),
            KeyPart::Period { field, length } => {
                of_length(Problem::new("suggest.period"), *length).with("field", self.profile.name(*field))
            }
            KeyPart::Numbers { field, count } => {
                Problem::new("suggest.numbers").with("field", self.profile.name(*field)).with("number", count)
            }
            KeyPart::Bucket { of, count } => {
                let known = |asked: &AskedFields| of.iter().all(|field| asked.equal.contains(field));
                let (one, all) = self.queries(known);
                let code = match (one.is_empty(), held.is_empty()) {
                    (true, true) => "suggest.salt",
                    (true, false) => "suggest.salt-within",
                    _ => "suggest.bucket",
                };
                let problem = Problem::new(code).with("count", count).with("fields", self.names(of));
                let before = held.last().map(|&field| self.profile.name(field));
                let problem = before.into_iter().fold(problem, |problem, field| problem.with("field", field));
                if one.is_empty() { problem } else { problem.with("queries", one.join(", ")).with("of", all) }
            }
            KeyPart::Second { field, count } => {
                Problem::new("suggest.second").with("field", self.profile.name(*field)).with("count", count)
            }
            KeyPart::Hash { field, bytes } => {
                Problem::new("suggest.hash").with("field", self.profile.name(*field)).with("bytes", bytes)
            }
            KeyPart::Random { count } => Problem::new("suggest.random").with("count", count),
            KeyPart::Salt { count } => Problem::new("suggest.phoenix-salt").with("count", count),
            KeyPart::Given { text, .. } => Problem::new("suggest.given").with("part", text),
        })
    }

    fn field(&self, field: usize, form: Form, held: &[usize]) -> Problem {
        let name = self.profile.name(field);
        let distinct = self.profile.of(field).map_or(0, |of| of.distinct);
        match form {
            Form::NewestFirst => return Problem::new("suggest.newest-first").with("field", name),
            Form::Reversed => return Problem::new("suggest.reversed").with("field", name),
            Form::Shortest | Form::Compact | Form::Text => {}
        }
        let before = |of: &AskedFields| held.iter().all(|field| of.equal.contains(field));
        let (equal, _) = self.queries(|of| of.equal.contains(&field) && before(of));
        let (ranged, _) = self.queries(|of| of.ranged.contains(&field) && before(of));
        let with = |code, queries: &[String]| {
            let problem = Problem::new(code).with("field", &name).with("distinct", distinct);
            problem.with("queries", queries.join(", "))
        };
        let tests = |of: &AskedFields| of.equal.contains(&field) || of.ranged.contains(&field);
        match (equal.is_empty(), ranged.is_empty()) {
            (false, _) if held.is_empty() => with("suggest.first", &equal),
            (false, _) => with("suggest.next", &equal),
            (_, false) if held.is_empty() => with("suggest.range-first", &ranged),
            (_, false) => with("suggest.range", &ranged),
            _ if self.answered(tests).any(|(_, filter)| filter) => {
                Problem::new("suggest.filtered").with("field", name)
            }
            _ => match self.queries(tests).0 {
                queries if queries.is_empty() => self.unasked(field, self.asked.iter().any(tests)),
                queries => with("suggest.each", &queries),
            },
        }
    }

    /// Why a field is there that no query finds rows by.
    fn unasked(&self, field: usize, tested: bool) -> Problem {
        let way = self.profile.identity.ways.iter().find(|way| way.contains(&field));
        let code = match way.map(Vec::as_slice) {
            Some([_]) => "suggest.id",
            Some(_) if self.profile.identity.loss.is_some() => "suggest.identity-best",
            Some(_) => "suggest.identity",
            None if tested => "suggest.tested",
            None => "suggest.unasked",
        };
        let problem = Problem::new(code).with("field", self.profile.name(field));
        match (code, way) {
            ("suggest.identity" | "suggest.identity-best", Some(way)) => {
                problem.with("fields", self.names(way))
            }
            _ => problem,
        }
    }

    /// The queries that ask so and that the table answers, each with whether a filter drops rows.
    fn answered(&self, asks: impl Fn(&AskedFields) -> bool) -> impl Iterator<Item = (&Query, bool)> {
        let queries = self.study.queries.iter().zip(self.asked).zip(&self.answers);
        queries.filter_map(move |((query, asked), answer)| Some((query, (*answer)?)).filter(|_| asks(asked)))
    }

    /// The number that a text is written as, and what that asks of later values.
    fn limited(&self, field: usize) -> Option<Problem> {
        let of = self.profile.of(field)?;
        let (code, most) = match (of.digits, &of.lookup) {
            (Some(most), _) => ("suggest.as-number", most),
            (_, Some(_)) => ("suggest.as-id", of.most_names()),
            _ => return None,
        };
        let most = [8, 16, 24, 32].into_iter().find(|bits| most < 1 << bits).map(|bits| (1i64 << bits) - 1);
        let problem = Problem::new(code).with("field", &of.name).with("distinct", of.distinct);
        let problem = problem.with("most", most.unwrap_or(i64::MAX));
        Some(of.lookup.iter().fold(problem, |problem, table| problem.with("table", table)))
    }

    /// The names of the queries that ask so, and how many there are.
    fn queries(&self, asks: impl Fn(&AskedFields) -> bool) -> (Vec<String>, usize) {
        let named = self.answered(asks).map(|(query, _)| in_quotes(&query.name));
        (named.collect(), self.study.queries.len())
    }

    fn names(&self, fields: &[usize]) -> String {
        fields.iter().map(|&field| self.profile.name(field)).collect::<Vec<_>>().join(", ")
    }

    fn cut(&self, key: &KeyPlan, splits: &Splits, regions: usize) -> Problem {
        match (regions, splits) {
            (1, _) => Problem::new("suggest.one-region"),
            (_, Splits::Points(points))
                if key.buckets().is_some_and(|count| points.len() + 1 == count as usize) =>
            {
                Problem::new("suggest.cut-buckets").with("regions", regions)
            }
            _ => Problem::new("suggest.cut-shares").with("regions", regions),
        }
    }

    /// The day on which split points need to be renewed.
    pub fn aging(&self, of: Aging) -> SuggestNote {
        let arrival = self.study.fields.iter().find(|field| Some(&field.name) == self.study.arrival.as_ref());
        let format =
            arrival.and_then(|field| TimeFormat::parse(field.format.as_deref()?, field.zone.as_deref()).ok());
        let offset = format.map_or(0, |format| format.offset());
        let (year, month, day) = date_of(of.from.saturating_add(offset).div_euclid(DAY));
        let code = if of.is_past { "suggest.aged" } else { "suggest.aging" };
        let problem = Problem::new(code).with("day", format!("{year:04}-{month:02}-{day:02}"));
        problem.with("share", percent(of.share)).into()
    }

    /// The reasons for a shape: what it is, and what it asks of those who write.
    pub fn shape(&self, of: &ShapedTable, stored: &StoredRows) -> Vec<SuggestNote> {
        let said = |code| {
            let problem = Problem::new(code).with("fields", self.names(&of.fields));
            problem.with("records", stored.shared.records.round() as u64)
        };
        let mut reasons = Vec::new();
        match of.shape {
            RowShape::Wide => reasons.push(said("suggest.wide")),
            RowShape::Pages => {
                reasons.push(said("suggest.pages"));
                reasons.push(Problem::new("suggest.page-update").with("bytes", stored.update.reads));
                let assumed = self.study.write_rate().is_none();
                reasons.extend(assumed.then(|| Problem::new("suggest.page-rate")));
            }
        }
        reasons.into_iter().map(Into::into).collect()
    }

    /// The key with one choice after the other taken back, and what that is.
    pub fn taken_back(&self, key: &KeyPlan) -> Vec<(Problem, KeyPlan)> {
        let mut all: Vec<(Problem, KeyPlan)> = Vec::new();
        let mut add = |problem: Problem, other: KeyPlan| {
            if !other.parts.is_empty() && other != *key {
                all.push((problem, other));
            }
        };
        for (at, part) in key.parts.iter().enumerate() {
            match part {
                KeyPart::Bucket { count, .. } | KeyPart::Second { count, .. } | KeyPart::Salt { count } => {
                    add(Problem::new("suggest.without-bucket"), key.without(at));
                    for other in [count / 2, count * 2].into_iter().filter(|count| (2..=256).contains(count))
                    {
                        let problem = Problem::new("suggest.buckets-instead").with("count", other);
                        add(problem, key.replaced(at, part.with_count(other)));
                    }
                }
                KeyPart::Hash { field, .. } => {
                    let field = self.profile.name(*field);
                    add(Problem::new("suggest.without-hash").with("field", field), key.without(at));
                }
                KeyPart::Random { .. } => add(Problem::new("suggest.without-bucket"), key.without(at)),
                // Only rows that records share have them, of which no part is taken back.
                KeyPart::Numbers { .. } => {}
                KeyPart::Period { length, .. } => {
                    add(of_length(Problem::new("suggest.without-period"), *length), key.without(at));
                }
                KeyPart::Field { field, form } => {
                    self.field_taken_back(key, (at, *field, *form), &mut add);
                }
                KeyPart::Given { text, .. } => {
                    add(Problem::new("suggest.without-part").with("part", text), key.without(at));
                }
            }
        }
        let text = |part: &KeyPart| match part {
            KeyPart::Field { field, form: Form::Shortest } => {
                KeyPart::Field { field: *field, form: Form::Text }
            }
            other => other.clone(),
        };
        add(Problem::new("suggest.as-text"), KeyPlan { parts: key.parts.iter().map(text).collect() });
        all
    }

    /// The same of a field at a place in a form.
    fn field_taken_back(
        &self,
        key: &KeyPlan,
        (at, field, form): (usize, usize, Form),
        add: &mut impl FnMut(Problem, KeyPlan),
    ) {
        let name = self.profile.name(field);
        let named = |code| Problem::new(code).with("field", &name);
        let plain = |form| key.replaced(at, KeyPart::Field { field, form });
        match form {
            Form::NewestFirst => add(named("suggest.oldest-first"), plain(Form::Shortest)),
            Form::Reversed => add(named("suggest.not-reversed"), plain(Form::Shortest)),
            Form::Compact if self.limited(field).is_some() => {
                add(named("suggest.whole-text"), plain(Form::Shortest));
            }
            Form::Shortest | Form::Compact | Form::Text => {}
        }
        if at + 1 == key.parts.len() && at > 0 {
            add(named("suggest.without-field"), key.without(at));
        }
        if let Some(next @ KeyPart::Field { field: other, .. }) = key.parts.get(at + 1) {
            let swapped = key.without(at + 1).with(at, next.clone());
            let problem = Problem::new("suggest.swapped").with("field", self.profile.name(*other));
            add(problem.with("other", &name), swapped);
        }
    }
}

/// Adds a length of time: the code of its unit, and how many there are.
fn of_length(problem: Problem, length: i64) -> Problem {
    let (unit, size) = match length {
        _ if length % DAY == 0 => ("suggest.days", DAY),
        _ if length % HOUR == 0 => ("suggest.hours", HOUR),
        _ => ("suggest.minutes", MINUTE),
    };
    problem.with("length", unit).with("count", length / size)
}
