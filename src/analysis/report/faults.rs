//! Faults of row keys that concern writes, whatever the split points: the verdict and the findings read the same.

use super::chance::may_be_chance;
use super::thresholds::{LASTING, MOMENTS, ROWS_FOR_A_SHARE};
use super::writes::WriteTraits;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::sort;
use crate::design::WriteKind;
use crate::formula::steps::ArgumentValue;
use crate::formula::typed::{Expression, TypedFormula, TypedPart, walk};
use crate::formula::vector::Vector;
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::field::Field;
use crate::records::field::shape::Order;
use crate::records::{ColumnValues, Records};

/// Share of the increments below which a row is not hot where no rate is stated.
const LEAST: f64 = 0.1;
/// Times an even share from which a row is hot where no rate is stated.
const TIMES: f64 = 2.0;
/// Rows that an even share is taken of where the table has fewer.
const FEW: usize = 10;
/// Equal stretches of the period in which the busiest row is looked for.
const STRETCHES: i128 = 100;

/// Faults of the keys themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyFaults {
    /// Remainders that are negative.
    pub negative: Vec<NegativeRemainder>,
    /// The busiest row of a table of counters.
    pub hot_row: Option<HotRow>,
}

/// A remainder in the formula that keeps the sign of its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NegativeRemainder {
    /// The divisor.
    pub divisor: i64,
    /// Columns of its part of the formula.
    pub columns: (usize, usize),
}

/// The busiest row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct HotRow {
    /// Its key as the HBase shell prints it.
    pub row: String,
    /// Its increments.
    pub rows: u32,
    /// All increments, or those of the stretches in which it is busiest.
    pub of: u32,
    /// True if it is busiest for a time only: in a stretch of the period, and another row in the next.
    pub for_a_time: bool,
    /// True if its share is far above an even one, and not by chance.
    pub stands_out: bool,
}

impl KeyFaults {
    /// Those of the keys that a formula has made of records; `arrival` names the field that tells when a record is written.
    pub fn of(
        (typed, fields): (&TypedFormula, &[Field]),
        (records, table): (&Records, &KeyTable),
        arrival: Option<&str>,
        writes: WriteTraits,
    ) -> Self {
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let refused = table.refused.count() > 0;
        let numbers = |input: &Expression| {
            let Vector::Integers(numbers) = Encoder::new(records, &names, &[]).values(input) else {
                return Vec::new();
            };
            if !refused {
                return numbers;
            }
            let of_row = |row: u32| numbers.get(row as usize).copied().unwrap_or(0);
            table.column(of_row).into_iter().flatten().collect()
        };
        let counted = writes.kind == WriteKind::Counter;
        Self {
            negative: negative_remainders(typed, &numbers),
            hot_row: if counted { hot_row(records, table, arrival) } else { None },
        }
    }

    /// True if keys of this kind may have any, so that records need to be looked at.
    pub fn may_be_in(typed: &TypedFormula, kind: WriteKind) -> bool {
        let mut found = kind == WriteKind::Counter;
        for part in &typed.parts {
            remainders(part, &mut |name, _, _, _| found |= name == "mod");
        }
        found
    }
}

/// Calls `visit` with the step, its argument, what it is applied to and the result, for each remainder in a part.
pub(in crate::analysis) fn remainders<'e>(
    part: &'e TypedPart,
    visit: &mut dyn FnMut(&'static str, i64, &'e Expression, &'e Expression),
) {
    walk(&part.expression, &mut |expression| {
        if let Expression::Apply { step, arguments, input, .. } = expression
            && matches!(step.name, "mod" | "floorMod")
            && let Some(ArgumentValue::Number(n)) = arguments.first()
        {
            visit(step.name, *n, input, expression);
        }
    });
}

/// Java's `%` of numbers that are negative, or hashes; `numbers` gives those of an expression.
pub(in crate::analysis) fn negative_remainders(
    typed: &TypedFormula,
    numbers: &dyn Fn(&Expression) -> Vec<i64>,
) -> Vec<NegativeRemainder> {
    let mut all = Vec::new();
    for part in &typed.parts {
        remainders(part, &mut |name, divisor, input, result| {
            if name != "mod" || result.shape().range.is_some_and(|(low, _)| low >= 0) {
                return;
            }
            let is_negative = |&number: &i64| number.checked_rem(divisor).is_some_and(|rest| rest < 0);
            // A hash is negative in half of all cases; other numbers are taken as they are found.
            let negative = match input.shape().range {
                Some((low, _)) if input.shape().order == Order::None => low < 0,
                _ => numbers(input).iter().any(is_negative),
            };
            if negative {
                all.push(NegativeRemainder { divisor, columns: part.span });
            }
        });
    }
    all
}

impl HotRow {
    /// Its share of the increments.
    pub fn share(&self) -> f64 {
        f64::from(self.rows) / f64::from(self.of.max(1))
    }
}

/// True if so many rows are far more than an even share over `distinct` keys, and not by chance.
fn stands_out(rows: u32, of: u32, distinct: usize) -> bool {
    let (share, places) = (f64::from(rows) / f64::from(of.max(1)), distinct.max(FEW));
    share >= LEAST.max(TIMES / places as f64) && !may_be_chance(rows, of, places)
}

/// The row with the largest share of the increments: over the whole period, or for a time.
fn hot_row(records: &Records, table: &KeyTable, arrival: Option<&str>) -> Option<HotRow> {
    let mut keys: Vec<(&[u8], u32)> = Vec::new();
    let mut ids = vec![u32::MAX; records.rows];
    for (row, key) in table.iter_from(0) {
        match keys.last_mut().filter(|(last, _)| *last == key) {
            Some((_, rows)) => *rows += 1,
            None => keys.push((key, 1)),
        }
        if let Some(id) = ids.get_mut(row as usize) {
            *id = keys.len() as u32 - 1;
        }
    }
    let key = |id: u32| keys.get(id as usize).map(|(key, _)| to_string_binary(key)).unwrap_or_default();
    let whole = || {
        let (id, &(_, rows)) = keys.iter().enumerate().max_by_key(|(_, (_, rows))| *rows)?;
        let of = u32::try_from(table.len()).ok()?;
        let stands_out = stands_out(rows, of, keys.len());
        let found = HotRow { row: key(id as u32), rows, of, for_a_time: false, stands_out };
        (rows as usize >= ROWS_FOR_A_SHARE).then_some(found)
    };
    let for_a_time = || {
        let (id, rows, of) = busiest_for_a_time(records, arrival?, &ids, keys.len())?;
        let stands_out = stands_out(rows, of, keys.len());
        Some(HotRow { row: key(id), rows, of, for_a_time: true, stands_out })
    };
    [whole(), for_a_time()].into_iter().flatten().max_by(|a, b| a.share().total_cmp(&b.share()))
}

/// The busiest of the rows that are busiest in stretches of the period, with the increments of all of them and of these
/// stretches, where those are a tenth of all and more: a counter for each day takes all of its day and little of a year.
fn busiest_for_a_time(
    records: &Records,
    arrival: &str,
    ids: &[u32],
    distinct: usize,
) -> Option<(u32, u32, u32)> {
    let column = records.column(arrival)?;
    let ColumnValues::Integers(times) = &column.values else { return None };
    let known = || {
        let all = times.iter().zip(ids).enumerate();
        all.filter(|&(row, (_, &id))| id != u32::MAX && !column.invalid.get(row))
            .map(|(_, (&time, &id))| (time, id))
    };
    let (first, last) = (known().map(|(time, _)| time).min()?, known().map(|(time, _)| time).max()?);
    let span = i128::from(last) - i128::from(first) + 1;
    let stretch = |time: i64| ((i128::from(time) - i128::from(first)) * STRETCHES / span) as u32;
    let mut all: Vec<(u32, u32)> = known().map(|(time, id)| (stretch(time), id)).collect();
    sort(&mut all);
    let busiest = all.chunk_by(|a, b| a.0 == b.0).filter_map(|stretch| {
        let rows = stretch.chunk_by(|a, b| a == b).max_by_key(|rows| rows.len())?;
        let (_, id) = *rows.first()?;
        Some((id, u32::try_from(rows.len()).ok()?, u32::try_from(stretch.len()).ok()?))
    });
    let enough =
        |&(_, rows, of): &(u32, u32, u32)| of as usize >= ROWS_FOR_A_SHARE && stands_out(rows, of, distinct);
    let hot: Vec<(u32, u32, u32)> = busiest.filter(enough).collect();
    let (rows, of) = hot.iter().fold((0, 0), |sum, one| (sum.0 + one.1, sum.1 + one.2));
    let share = |one: &(u32, u32, u32)| f64::from(one.1) / f64::from(one.2.max(1));
    let (id, ..) = hot.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    (hot.len() >= MOMENTS && f64::from(of) >= LASTING * all.len() as f64).then_some((*id, rows, of))
}
