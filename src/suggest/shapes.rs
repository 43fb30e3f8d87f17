//! Shapes of a table other than a row for each record: records as cells of one row, and as pages that they share. Each follows from a
//! row key on the front: the fields that end it name the cells, or go into the pages, and a period of the field that grows keeps rows short.

use super::Search;
use super::front::{Objectives, best_by, dominates, front, layers};
use super::key::{KeyPart, KeyPlan, name_of, unsigned, written};
use super::measure::{Candidate, CandidateTable, RoundInputs};
use super::profile::FieldProfile;
use super::progress::{SearchPhase, Steps};
use super::score::Scoring;
use super::search::{Scored, TableSet, measure};
use super::shape::{RowShape, ShapedTable};
use crate::base::Problem;
use crate::base::units::{DAY, HOUR};
use crate::bytes::row::to_string_binary;
use crate::design::split::Splits;
use crate::design::{CellValue, Design, Family, PackedValue, Qualifier, RecordCell, WriteKind, checked_anew};
use crate::records::field::Kind;
use std::rc::Rc;

/// Most tables of a shape on the front.
const MOST_OF_A_SHAPE: usize = 5;
/// Most keys of the front that shapes are made of.
const BASES: usize = 8;
/// Periods of a time, in milliseconds, and numbers of a growing one, that share a row.
const PERIODS: [i64; 3] = [HOUR, DAY, 28 * DAY];
const NUMBERS: [i64; 2] = [100, 1000];
/// Fewest periods that the records lie in.
const LEAST_PERIODS: i64 = 3;
/// Fewest records of a row on average: fewer gain nothing.
const LEAST_TOGETHER: f64 = 2.0;
/// Most bytes of a row: it lies in one region and is read whole.
const MOST_BYTES: f64 = 10.0 * 1024.0 * 1024.0;

/// A row key divided in two: what rows are found by, and what tells the records of a row apart.
struct DividedKey {
    row: KeyPlan,
    inner: Vec<KeyPart>,
    /// The field that grows, and how much of it shares a row.
    within: Option<(usize, i64)>,
}

impl Search<'_> {
    /// The tables in other shapes that no table beats which is as simple.
    pub(super) async fn shaped(
        &self,
        inputs: &RoundInputs<'_>,
        scoring: &Scoring<'_>,
        (sets, scored): (&[TableSet], &[Scored]),
        steps: &mut Steps,
    ) -> Result<Vec<Scored>, Problem> {
        let candidates = self.candidates_of(&self.bases(sets, scored));
        let mut found = measure(inputs, scoring, candidates, SearchPhase::Tables, steps).await?;
        found.retain(|of| {
            let rows = &of.measured.stored.shared;
            let fits = rows.most * of.measured.bytes <= MOST_BYTES && rows.sampled >= LEAST_TOGETHER;
            of.measured.refused == 0 && of.measured.repeated <= inputs.alike && fits
        });
        let mut simpler: Vec<Objectives> = sets.iter().map(|set| set.objectives).collect();
        let mut kept = Vec::new();
        for shape in RowShape::ALL {
            let of_shape = found.iter().filter(|of| of.shape() == Some(shape));
            let unbeaten =
                of_shape.filter(|of| !simpler.iter().any(|other| dominates(other, &of.objectives)));
            let unbeaten: Vec<&Scored> = unbeaten.collect();
            let objectives: Vec<Objectives> = unbeaten.iter().map(|of| of.objectives).collect();
            let best: Vec<&Scored> =
                front(&objectives).into_iter().filter_map(|at| unbeaten.get(at).copied()).collect();
            let objectives: Vec<Objectives> = best.iter().map(|of| of.objectives).collect();
            let few = layers(&objectives, MOST_OF_A_SHAPE);
            kept.extend(few.into_iter().filter_map(|at| best.get(at).copied().cloned()));
            simpler.extend(objectives);
        }
        Ok(kept)
    }

    /// The keys of one table on the front that do best in all.
    fn bases<'s>(&self, sets: &[TableSet], scored: &'s [Scored]) -> Vec<&'s Scored> {
        let alone = sets.iter().filter_map(|set| match set.tables.as_slice() {
            [table] => scored.get(*table),
            _ => None,
        });
        let mut left: Vec<&Scored> = alone.collect();
        let mut bases = Vec::new();
        while bases.len() < BASES {
            let objectives: Vec<Objectives> = left.iter().map(|of| of.objectives).collect();
            let points: Vec<usize> = (0..left.len()).collect();
            let Some(best) = best_by(&objectives, &points, self.options.prefer.powers()) else { break };
            bases.push(left.remove(best));
        }
        bases
    }

    fn candidates_of(&self, bases: &[&Scored]) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = Vec::new();
        for base in bases {
            for divided in self.divided(&base.candidate.key) {
                for shape in RowShape::ALL {
                    let Some(table) = self.shaped_table(&divided, shape, &base.candidate.rowkey) else {
                        continue;
                    };
                    let same = |of: &Candidate| {
                        of.rowkey == table.design.rowkey
                            && of.shape().is_some_and(|own| own.design.families == table.design.families)
                    };
                    if !all.iter().any(same) {
                        all.push(Candidate {
                            key: divided.row.clone(),
                            rowkey: table.design.rowkey.clone(),
                            typed: table.design.typed.clone(),
                            split_choices: self.split_choices(&divided.row, 1),
                            table: Some(CandidateTable::Shaped(Rc::new(table))),
                        });
                    }
                }
            }
        }
        all
    }

    /// The ways in which the last fields of a key tell the records of a row apart.
    fn divided(&self, key: &KeyPlan) -> Vec<DividedKey> {
        let is_field = |part: &KeyPart| matches!(part, KeyPart::Field { .. });
        let inner = key.parts.iter().rev().take_while(|part| is_field(part)).count();
        let mut all = Vec::new();
        for at in key.parts.len() - inner..key.parts.len() {
            let (row, inner) = key.parts.split_at(at);
            let (row, inner) = (KeyPlan { parts: row.to_vec() }, inner.to_vec());
            let growing: Vec<usize> =
                inner.iter().flat_map(KeyPart::made_of).copied().filter(|&field| self.grows(field)).collect();
            let period = |field: usize| {
                row.parts.iter().find_map(|part| match part {
                    KeyPart::Period { field: own, length } if *own == field => Some(*length),
                    _ => None,
                })
            };
            match growing.as_slice() {
                [] if !row.fields().is_empty() => all.push(DividedKey { row, inner, within: None }),
                [field] => match period(*field) {
                    Some(length) => all.push(DividedKey { row, inner, within: Some((*field, length)) }),
                    None => all.extend(self.periods(*field).into_iter().map(|(length, part)| DividedKey {
                        row: row.with(row.parts.len(), part),
                        inner: inner.clone(),
                        within: Some((*field, length)),
                    })),
                },
                _ => {}
            }
        }
        all.retain(|of| {
            let held = of.row.fields();
            let is_endless = || match self.profile.arrival {
                Some(_) => self.profile.goes_on(&held),
                None => of
                    .inner
                    .iter()
                    .flat_map(KeyPart::made_of)
                    .any(|&field| self.profile.identity.is_id(field)),
            };
            let ends = || of.within.is_some() || !is_endless();
            held.iter().any(|&field| !self.grows(field)) && self.keeps(&of.row) && ends()
        });
        all
    }

    /// True if there are more and more values of a field: rows of all of them would have no end.
    fn grows(&self, field: usize) -> bool {
        let is_time = self.study.fields.get(field).is_some_and(|field| field.kind == Kind::Time);
        is_time || self.profile.of(field).is_some_and(|of| of.follows_arrival)
    }

    /// The periods of a growing field, each with the part of a key that names one.
    fn periods(&self, field: usize) -> Vec<(i64, KeyPart)> {
        let range = self.profile.of(field).and_then(FieldProfile::integers);
        match self.study.fields.get(field).map(|field| field.kind) {
            Some(Kind::Time) => {
                // It is not known how much a longer period would hold.
                let span = range.map_or(0, |[first, last]| last.saturating_sub(first));
                let known = PERIODS.into_iter().filter(|length| span / length >= LEAST_PERIODS);
                known.map(|length| (length, KeyPart::Period { field, length })).collect()
            }
            Some(Kind::Integer) => {
                let known = range.is_some_and(|[least, _]| least >= 0);
                let parts = NUMBERS.map(|count| (count, KeyPart::Numbers { field, count }));
                parts.into_iter().filter(|_| known).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The formula of what tells the records of a row apart; it ends itself unless it is the last.
    fn inner_formula(&self, of: &DividedKey, last: bool) -> String {
        let (fields, count) = (&self.study.fields, of.inner.len());
        let part = |(at, part): (usize, &KeyPart)| match (part, of.within) {
            (KeyPart::Field { field, .. }, Some((own, length))) if *field == own => {
                self.offset(*field, length)
            }
            (KeyPart::Field { field, form }, _) => {
                written(*field, *form, fields, &self.profile, last && at + 1 == count)
            }
            (other, _) => other.formula(fields, &self.profile, last && at + 1 == count),
        };
        of.inner.iter().enumerate().map(part).collect::<Vec<String>>().join(" + ")
    }

    /// A value as its distance from the beginning of its period.
    fn offset(&self, field: usize, length: i64) -> String {
        let name = name_of(&self.study.fields, field);
        let declared = self.study.fields.get(field);
        if declared.is_some_and(|field| field.kind == Kind::Integer) {
            return unsigned(&format!("{name}.mod({length})"), length - 1);
        }
        let offset = format!("{name}.offset('{}')", period_text(length));
        match declared.is_some_and(super::key::is_in_seconds) {
            true => unsigned(&format!("{offset}.div(1000)"), length / 1000 - 1),
            false => unsigned(&offset, length - 1),
        }
    }

    /// The table of a divided key; `None` where its cells can't be so, or say nothing of what a record holds.
    fn shaped_table(&self, of: &DividedKey, shape: RowShape, tall: &str) -> Option<ShapedTable> {
        let base = self.study.tables.first()?;
        let plain = |cell: &RecordCell| cell.qualifier.text().is_some() && !cell.value.is_packed();
        let cells = || base.families.iter().flat_map(|family| &family.cells);
        if !base.writes.is_append()
            || !base.kinds.is_empty()
            || cells().next().is_none()
            || !cells().all(plain)
        {
            return None;
        }
        let mut table = base.clone();
        table.rowkey = of.row.formula(&self.study.fields, &self.profile);
        table.splits = Splits::Points(Vec::new());
        table.families = match shape {
            RowShape::Wide => base.families.iter().map(|family| self.wide(family, of)).collect(),
            RowShape::Pages => self.pages(base, of)?,
        };
        if shape == RowShape::Pages {
            table.writes = WriteKind::Upsert;
        }
        let design = checked_anew(self.study, &table).ok()?;
        let fields = of.inner.iter().flat_map(KeyPart::made_of).copied().collect();
        Some(ShapedTable { shape, design, tall: tall.to_owned(), fields })
    }

    /// A family whose cells have the names of their records.
    fn wide(&self, family: &Family, of: &DividedKey) -> Family {
        let one = family.cells.len() == 1;
        let cell = |cell: &RecordCell| {
            let name = cell.qualifier.bytes().filter(|_| !one);
            let name = name.map_or_else(String::new, |name| format!(" + {}", literal(&name)));
            let formula = format!("{}{name}", self.inner_formula(of, one));
            RecordCell { qualifier: Qualifier::Formula { formula }, ..cell.clone() }
        };
        Family { cells: family.cells.iter().map(cell).collect(), ..family.clone() }
    }

    /// Families whose cells are pages, beside one with what tells their records apart; `None` where a page could not be taken apart.
    fn pages(&self, base: &Design, of: &DividedKey) -> Option<Vec<Family>> {
        let mut families = base.families.clone();
        let mut values = base.typed.columns.iter().filter_map(|column| column.value.as_ref());
        let fixed = values.all(|value| value.shape.width.max == Some(value.shape.width.min));
        if !fixed || families.iter().any(|family| family.versions > 1) {
            return None;
        }
        for cell in families.iter_mut().flat_map(|family| &mut family.cells) {
            cell.value = CellValue::Packed(match &cell.value {
                CellValue::Value { formula } => PackedValue::Formula { formula: formula.clone() },
                other => PackedValue::Bytes(other.each()?),
            });
        }
        let first = families.iter_mut().find(|family| !family.cells.is_empty())?;
        let mut name =
            of.inner.iter().flat_map(KeyPart::made_of).map(|&field| self.profile.name(field)).next()?;
        while first.cells.iter().any(|cell| cell.qualifier.bytes().as_deref() == Some(name.as_bytes())) {
            name.push('_');
        }
        let formula = self.inner_formula(of, false);
        let value = CellValue::Packed(PackedValue::Formula { formula });
        first
            .cells
            .insert(0, RecordCell { value, ..RecordCell::literal(to_string_binary(name.as_bytes()), 0) });
        Some(families)
    }
}

/// The length of a period as steps read it.
fn period_text(length: i64) -> String {
    if length % DAY == 0 { format!("{}d", length / DAY) } else { format!("{}h", length / HOUR) }
}

/// Bytes as a formula writes them.
fn literal(bytes: &[u8]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(byte);
    match std::str::from_utf8(bytes) {
        Ok(text) if bytes.iter().all(plain) => format!("'{text}'"),
        _ => format!("x'{hex}'"),
    }
}
