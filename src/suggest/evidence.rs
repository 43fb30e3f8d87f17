//! Evidence in records of their identity: sequences, random ids and schedules are unique by construction, other fields by chance.

use super::distinct::Distinct;
use super::identity::{Identity, LIFE, TableLife};
use super::profile::{FieldProfile, NONE};
use crate::base::host::tick;
use crate::base::units::{DAY, SECOND};
use crate::bytes::position::mix;
use crate::bytes::sort::{sort, sort_by_key};
use crate::records::field::Kind;
use crate::records::{ColumnValues, Records};

/// Rows, one after the other in time, in which near values are looked for.
const LOOKED_AT: usize = 1 << 13;
/// Share of the loss to which such a number has to lower it, and its fewest digits.
const GIVEN_LOWERS: f64 = 0.75;
/// See [`GIVEN_LOWERS`].
const GIVEN_DIGITS: u32 = 8;
/// Largest share of the rows that may overwrite another one in the life of a table.
const LOSS: f64 = 1e-6;
/// How many repeats chance would have made where there is none: with 30, one such field in 10^13 is lucky.
const CERTAIN: f64 = 30.0;
/// Fewest near pairs from which a number of equal pairs is expected.
const LEAST_PAIRS: usize = 8;
/// Most fields that sets are made of, and most of a set.
const MOST_FIELDS: usize = 12;
const MOST_OF_A_SET: usize = 3;
/// Fewest rows of a value, on average, of a field that has a sequence for each of its values.
const ROWS_OF_A_STREAM: usize = 16;
/// Part of the pairs of consecutive records, in hundredths, in which a sequence rises.
const RISES: usize = 99;
/// A time with longer units has one record of an entity for each of them: more records are more entities.
const SCHEDULED: i64 = 10 * SECOND;
/// How much farther apart the records of an entity are than all, where it is the entity that keeps them apart.
const FARTHER: i64 = 8;
/// Texts by which the room for others is reckoned.
const TEXTS: usize = 1 << 12;

/// Statistics of the fields of a sample, from which the identity of the records is inferred.
pub(super) struct Evidence<'p> {
    /// The fields.
    pub fields: &'p [FieldProfile],
    /// For each field the rank of each row's value.
    pub codes: &'p [Vec<u32>],
    /// Fields that queries name.
    pub named: &'p [usize],
    /// The time of arrival.
    pub arrival: Option<usize>,
    /// The size that the table will have.
    pub life: TableLife,
    /// One of each kind of equal rows, in the order of time.
    rows: Vec<u32>,
    /// The rows of the window in which near values are looked for.
    window: Vec<u32>,
    /// For each field its values in the window.
    axes: Vec<Axis>,
    /// For each field whether no two rows of the window agree in it.
    unlike: Vec<bool>,
    /// Rooms of texts.
    rooms: Vec<f64>,
}

/// Values of a field as numbers.
#[derive(Default)]
struct Axis {
    /// In units from the least.
    values: Vec<i64>,
    /// The unit.
    unit: i64,
    /// True if they are numbers, and no ranks.
    is_number: bool,
}

impl<'p> Evidence<'p> {
    /// The evidence in these records, which are in the order of time.
    pub fn new(
        records: &Records,
        (fields, codes): (&'p [FieldProfile], &'p [Vec<u32>]),
        (named, arrival): (&'p [usize], Option<usize>),
        life: TableLife,
    ) -> Self {
        let mut of = Self {
            fields,
            codes,
            named,
            arrival,
            life,
            rows: (0..records.rows as u32).collect(),
            window: Vec::new(),
            axes: Vec::new(),
            unlike: Vec::new(),
            rooms: Vec::new(),
        };
        let all: Vec<usize> = of.usable().collect();
        let mut seen = Distinct::with_room(records.rows);
        tick(records.rows);
        let distinct = of.rows.iter().copied().filter(|&row| seen.add(of.values(&all, row)));
        of.rows = distinct.collect();
        let from = of.rows.len().saturating_sub(LOOKED_AT) / 2;
        of.window = of.rows.iter().copied().skip(from).take(LOOKED_AT).collect();
        for (field, codes) in fields.iter().zip(codes) {
            let column = records.column(&field.name).map(|column| &column.values);
            let numbers = [Kind::Integer, Kind::Time, Kind::Text].map(Kind::name).contains(&field.kind);
            of.axes.push(axis(column.filter(|_| numbers), codes, &of.window));
            of.rooms.push(column.map_or(0.0, room));
        }
        of.unlike = (0..fields.len()).map(|field| of.differ(&[field], &of.window)).collect();
        of
    }

    /// The fields that a key can hold.
    fn usable(&self) -> impl Iterator<Item = usize> {
        let usable = self.fields.iter().enumerate().filter(|(_, of)| of.is_usable());
        usable.map(|(field, _)| field).take(64)
    }

    fn values(&self, fields: &[usize], row: u32) -> impl Iterator<Item = u32> {
        let code = move |&field: &usize| self.codes.get(field)?.get(row as usize).copied();
        fields.iter().map(move |field| code(field).unwrap_or(NONE))
    }

    /// True if no two of these rows agree in these fields.
    fn differ(&self, fields: &[usize], rows: &[u32]) -> bool {
        let mut seen = Distinct::with_room(rows.len());
        tick(rows.len());
        rows.iter().all(|&row| seen.add(self.values(fields, row)))
    }

    /// How many combinations of values these rows have in these fields.
    fn distinct(&self, fields: &[usize], rows: &[u32]) -> usize {
        let mut seen = Distinct::with_room(rows.len());
        tick(rows.len());
        rows.iter().filter(|&&row| seen.add(self.values(fields, row))).count()
    }

    /// The rows that share their values of these fields with another row.
    fn alike(&self, fields: &[usize], rows: &[u32]) -> Vec<u32> {
        let mut seen = Distinct::with_room(rows.len());
        tick(rows.len());
        let again: Vec<u32> =
            rows.iter().copied().filter(|&row| !seen.add(self.values(fields, row))).collect();
        let mut repeated = Distinct::with_room(again.len());
        again.iter().for_each(|&row| {
            repeated.add(self.values(fields, row));
        });
        tick(rows.len());
        rows.iter().copied().filter(|&row| repeated.number(self.values(fields, row)).is_some()).collect()
    }

    /// True of numbers of many digits that are all as long, as those of telephones and accounts are and measured ones are not.
    fn is_given_out(&self, field: usize) -> bool {
        let Some(of) = self.fields.get(field) else { return false };
        let [least, most] = of.integers().unwrap_or_default();
        let digits = |number: i64| number.checked_ilog10().map_or(0, |digits| digits + 1);
        of.kind == Kind::Integer.name() && digits(least) == digits(most) && digits(least) >= GIVEN_DIGITS
    }

    fn is_time(&self, field: usize) -> bool {
        self.fields.get(field).is_some_and(|of| of.kind == Kind::Time.name())
    }

    fn is_number(&self, field: usize) -> bool {
        let measured = [Kind::Integer, Kind::Float, Kind::Decimal, Kind::Boolean].map(Kind::name);
        self.fields.get(field).is_some_and(|of| measured.contains(&of.kind))
    }

    /// The fields that tell these records apart.
    pub fn identity(&self, tested: &[usize]) -> Identity {
        let mut usable: Vec<usize> = self.usable().collect();
        let distinct = |field: usize| self.fields.get(field).map_or(0, |of| of.distinct);
        let first =
            |&field: &usize| (self.named.contains(&field), Some(field) == self.arrival, distinct(field));
        sort_by_key(&mut usable, |field| std::cmp::Reverse(first(field)));
        let named = |&field: &usize| self.named.contains(&field);
        let whole = |&field: &usize| {
            let of = self.fields.get(field).map(|of| of.kind);
            named(&field) || !self.is_number(field) || of == Some(Kind::Integer.name())
        };
        let mut pool: Vec<usize> = usable.iter().copied().filter(whole).collect();
        pool.truncate(MOST_FIELDS);
        let mut ways = self.ways(&pool);
        let made = |field: &usize, ways: &[Vec<usize>]| ways.iter().any(|way| way.contains(field));
        let measured: Vec<usize> = usable
            .iter()
            .copied()
            .filter(|field| self.is_number(*field) && !named(field) && !made(field, &ways))
            .collect();
        let mut loss = None;
        if ways.is_empty() {
            let (own, last): (Vec<usize>, Vec<usize>) =
                usable.iter().partition(|field| !measured.contains(field));
            let mut best = self.best(tested, &own);
            let alike = self.alike(&best, &self.rows);
            let alike = self.complete(&mut best, &own, alike);
            let own = best.len();
            self.complete(&mut best, &last, alike);
            self.prune(&mut best, own);
            // Values of a grid are such that tell its records apart.
            let scheduled = best.len() > own && self.is_kept_apart(&best);
            // Numbers that look like those that are given out are better than a loss.
            if !scheduled && self.expected(&best, 1.0) > LOSS {
                let is_open = |field: &usize| !best.contains(field) && self.is_given_out(*field);
                let open: Vec<usize> = last.iter().copied().filter(is_open).collect();
                best = self.lower(best, &open, GIVEN_LOWERS);
            }
            loss = Some(self.expected(&best, 1.0)).filter(|&of| of > LOSS && !scheduled);
            ways.push(best);
        }
        let measured = (0..self.fields.len()).map(|field| measured.contains(&field)).collect();
        Identity { ways, measured, loss }
    }

    /// The sets of these fields that tell all records apart by how they are made, none a part of another.
    fn ways(&self, pool: &[usize]) -> Vec<Vec<usize>> {
        let mut ways: Vec<Vec<usize>> = Vec::new();
        for &field in pool {
            ways.extend(self.sequence(field, pool));
        }
        for &field in pool {
            if !ways.iter().any(|way| way.contains(&field)) && self.is_roomy(field) {
                ways.push(vec![field]);
            }
        }
        let mut sets: Vec<Vec<usize>> = pool.iter().map(|&field| vec![field]).collect();
        for _ in 1..MOST_OF_A_SET {
            let longer = |set: &Vec<usize>| {
                let last = set.last().and_then(|last| pool.iter().position(|field| field == last));
                let next = pool.iter().skip(last.map_or(0, |last| last + 1));
                next.map(|&field| [set.as_slice(), &[field]].concat()).collect::<Vec<_>>()
            };
            sets = sets.iter().flat_map(longer).collect();
            for set in &sets {
                let is_known = ways.iter().any(|way| way.iter().all(|field| set.contains(field)));
                if !is_known && self.is_kept_apart(set) {
                    ways.push(set.clone());
                }
            }
        }
        ways
    }

    /// A field that numbers the records, of all or for each value of one or two others, with these.
    fn sequence(&self, field: usize, pool: &[usize]) -> Option<Vec<usize>> {
        let axis = self.axes.get(field)?;
        if !axis.is_number || self.is_time(field) || self.is_clock(field) {
            return None;
        }
        let is_stream = |&other: &usize| {
            let of = self.fields.get(other).map_or(usize::MAX, |of| of.distinct);
            other != field && !self.is_time(other) && of.saturating_mul(ROWS_OF_A_STREAM) <= self.rows.len()
        };
        let streams: Vec<usize> = pool.iter().copied().filter(is_stream).take(MOST_FIELDS / 2).collect();
        let pairs = streams
            .iter()
            .enumerate()
            .flat_map(|(at, &one)| streams.iter().skip(at + 1).map(move |&other| vec![one, other]));
        let alone = std::iter::once(Vec::new()).chain(streams.iter().map(|&one| vec![one]));
        for mut of in alone.chain(pairs) {
            let certain =
                of.is_empty() || self.named.contains(&field) || repulsion(&self.gaps(&of, field)) >= CERTAIN;
            if certain && self.rises(&of, field) {
                of.push(field);
                return self.differ(&of, &self.rows).then_some(of);
            }
        }
        let is_even = repulsion(&self.gaps(&[], field)) >= CERTAIN;
        (is_even && self.differ(&[field], &self.rows)).then(|| vec![field])
    }

    /// True if a field rises from record to record of each value of others, in the order of arrival.
    fn rises(&self, beside: &[usize], field: usize) -> bool {
        let (Some(times), Some(of)) =
            (self.arrival.and_then(|arrival| self.axes.get(arrival)), self.axes.get(field))
        else {
            return false;
        };
        let mut last: std::collections::HashMap<u64, (i64, i64)> = std::collections::HashMap::new();
        let (mut pairs, mut rising) = (0, 0);
        for ((&row, &time), &value) in self.window.iter().zip(&times.values).zip(&of.values) {
            let before = last.insert(self.group(beside, row), (time, value));
            if let Some((_, before)) = before.filter(|(then, _)| *then < time) {
                pairs += 1;
                rising += usize::from(value > before);
            }
        }
        pairs * 2 >= self.window.len() / ROWS_OF_A_STREAM && pairs > 0 && rising * 100 >= pairs * RISES
    }

    /// True if a number is a time since 1970 near those of arrival.
    fn is_clock(&self, field: usize) -> bool {
        let of = |field: usize| self.fields.get(field).and_then(FieldProfile::integers);
        let (Some([least, most]), Some([first, last])) = (of(field), self.arrival.and_then(of)) else {
            return false;
        };
        let near = |value: f64| value > (first - 365 * DAY) as f64 && value < (last + 365 * DAY) as f64;
        [1e3, 1.0, 1e-3, 1e-6].iter().any(|unit| near(least as f64 * unit) && near(most as f64 * unit))
    }

    /// True if values of a field are so many that those of the whole table hardly repeat.
    fn is_roomy(&self, field: usize) -> bool {
        let Some(of) = self.fields.get(field) else { return false };
        let is_integer = of.kind == Kind::Integer.name();
        if self.is_time(field) || self.is_clock(field) || self.is_number(field) && !is_integer {
            return false;
        }
        let room = match of.integers() {
            Some([least, most]) => {
                (most as f64 - least as f64) / self.axes.get(field).map_or(1, |of| of.unit) as f64
            }
            None => self.rooms.get(field).copied().unwrap_or(0.0),
        };
        self.life.rows / (2.0 * room) <= LOSS && self.differ(&[field], &self.rows)
    }

    fn group(&self, fields: &[usize], row: u32) -> u64 {
        self.values(fields, row).fold(1, |hash, code| mix(hash ^ u64::from(code) << 8))
    }

    /// The distances of each value to the next one of the rows that agree in other fields, ascending.
    fn gaps(&self, beside: &[usize], field: usize) -> Vec<i64> {
        let Some(axis) = self.axes.get(field) else { return Vec::new() };
        let rows = self.window.iter().zip(&axis.values);
        let mut placed: Vec<(u64, i64)> =
            rows.map(|(&row, &value)| (self.group(beside, row), value)).collect();
        sort(&mut placed);
        let same = placed.windows(2).filter_map(|pair| match pair {
            [(one, from), (other, to)] if one == other => Some(to.saturating_sub(*from)),
            _ => None,
        });
        let mut gaps: Vec<i64> = same.collect();
        sort(&mut gaps);
        gaps
    }

    /// True if something keeps the records apart in these fields: chance would have made many of them agree.
    fn is_kept_apart(&self, set: &[usize]) -> bool {
        if !self.differ(set, &self.window) {
            return false;
        }
        let apart = |&field: &usize| {
            let beside: Vec<usize> = set.iter().copied().filter(|other| *other != field).collect();
            // No two rows agree in what is beside it: nothing is near.
            if beside.iter().any(|&other| self.unlike.get(other).copied().unwrap_or(false)) {
                return false;
            }
            let gaps = self.gaps(&beside, field);
            repulsion(&gaps) >= CERTAIN && (!self.is_time(field) || self.is_schedule(&beside, field, &gaps))
        };
        set.iter().any(apart) && self.differ(set, &self.rows)
    }

    /// True if it is the entity that keeps its records apart in time, at the rate of writes too, and not the pace of these records.
    fn is_schedule(&self, entity: &[usize], time: usize, gaps: &[i64]) -> bool {
        let least = gaps.first().copied().unwrap_or(0);
        let all = self.gaps(&[], time);
        if repulsion(&all) >= CERTAIN && all.first().is_some_and(|&of| least < of.saturating_mul(FARTHER)) {
            return false;
        }
        let unit = self.axes.get(time).map_or(1, |of| of.unit);
        let seconds = least as f64 * unit as f64 / SECOND as f64;
        let fits = |rate: f64| 2.0 * self.distinct(entity, &self.rows) as f64 / seconds.max(1e-9) >= rate;
        unit >= SCHEDULED || self.life.rate.is_none_or(fits)
    }

    /// The share of the rows of the table expected to overwrite an earlier one, under keys of these fields; `denser` is how many
    /// times as many records of a time there are where the rate of writes is not known.
    fn expected(&self, set: &[usize], denser: f64) -> f64 {
        let looked = self.window.len().max(1) as f64;
        let scale = match (set.iter().any(|&field| self.is_time(field)), self.life.rate) {
            (true, Some(rate)) => self.pace().map_or(denser, |pace| (rate / pace).max(1.0)),
            (true, None) => denser,
            (false, _) => self.life.rows / looked,
        };
        self.equal_pairs(set) / looked * scale
    }

    /// Records a second.
    fn pace(&self) -> Option<f64> {
        let [first, last] = self.fields.get(self.arrival?)?.integers()?;
        Some(self.rows.len() as f64 * SECOND as f64 / (last.saturating_sub(first)).max(SECOND) as f64)
    }

    /// Pairs of rows of the window that agree in these fields, or that would but for luck: half as many as for any other distance at
    /// which pairs are near.
    fn equal_pairs(&self, set: &[usize]) -> f64 {
        let rank = |&field: &usize| {
            let number = self.axes.get(field).is_some_and(|of| of.is_number);
            (self.is_time(field), number, self.fields.get(field).map_or(0, |of| of.distinct))
        };
        let Some(axis) = set.iter().copied().max_by_key(rank) else { return self.window.len() as f64 };
        let beside: Vec<usize> = set.iter().copied().filter(|field| *field != axis).collect();
        let gaps = self.gaps(&beside, axis);
        let equal = gaps.partition_point(|&gap| gap == 0);
        if equal > 0 {
            return equal as f64;
        }
        match gaps.get(LEAST_PAIRS - 1) {
            Some(&width) => {
                let within = gaps.partition_point(|&gap| gap <= width);
                within as f64 / width as f64 / 2.0
            }
            // Few rows have near ones: nothing shows that there are no equal ones.
            None => 0.5,
        }
    }

    /// The fields that tell records apart best: those tested, then each that lowers the expected loss most, until that is little.
    fn best(&self, tested: &[usize], pool: &[usize]) -> Vec<usize> {
        let best = tested.iter().copied().filter(|field| pool.contains(field)).collect();
        self.lower(best, pool, 0.5)
    }

    /// Adds the fields that lower the expected loss most, each to less than a share of what it was.
    fn lower(&self, mut best: Vec<usize>, pool: &[usize], to: f64) -> Vec<usize> {
        let mut loss = self.expected(&best, LIFE);
        while loss > LOSS {
            let open = pool.iter().copied().filter(|field| !best.contains(field));
            let with = open.map(|field| (self.expected(&[best.as_slice(), &[field]].concat(), LIFE), field));
            let next = with.reduce(|best, other| if other.0 < best.0 { other } else { best });
            let Some((less, field)) = next.filter(|(less, _)| *less < loss * to) else { break };
            best.push(field);
            loss = less;
        }
        best
    }

    /// Adds those of these fields that tell more records apart, until all that differ in some are; takes and gives the records that
    /// agree in the set.
    fn complete(&self, set: &mut Vec<usize>, pool: &[usize], mut alike: Vec<u32>) -> Vec<u32> {
        let whole = [set.as_slice(), pool].concat();
        while !alike.is_empty() && self.distinct(set, &alike) < self.distinct(&whole, &alike) {
            let open = pool.iter().copied().filter(|field| !set.contains(field));
            let with = open.map(|field| (self.distinct(&[set.as_slice(), &[field]].concat(), &alike), field));
            let next = with.reduce(|best, other| if other.0 > best.0 { other } else { best });
            let Some((_, field)) = next else { break };
            set.push(field);
            alike = self.alike(set, &alike);
        }
        alike
    }

    /// Removes the fields from index `from` on that add no distinct rows: a field that was added early may be redundant with later ones.
    fn prune(&self, set: &mut Vec<usize>, from: usize) {
        for field in set.get(from..).unwrap_or_default().to_vec() {
            let others: Vec<usize> = set.iter().copied().filter(|other| *other != field).collect();
            let adds = |rows: &[u32]| self.distinct(&others, rows) < self.distinct(set, rows);
            if !adds(&self.window) && !adds(&self.rows) {
                *set = others;
            }
        }
    }
}

/// How many repeats chance would have made of values whose distances, ascending, are never none: those within a distance, by how
/// much farther it is than the least one.
fn repulsion(gaps: &[i64]) -> f64 {
    let Some(&least) = gaps.first().filter(|&&least| least > 0) else { return 0.0 };
    let expected = gaps.iter().zip(1..).map(|(&gap, count)| f64::from(count) * least as f64 / gap as f64);
    expected.fold(0.0, f64::max)
}

/// The values of a field in some rows.
fn axis(column: Option<&ColumnValues>, codes: &[u32], window: &[u32]) -> Axis {
    let of_row =
        |of: &dyn Fn(u32) -> Option<i64>| window.iter().map(|&row| of(row)).collect::<Option<Vec<i64>>>();
    let numbers = match column {
        Some(ColumnValues::Integers(values)) => of_row(&|row| values.get(row as usize).copied()),
        Some(ColumnValues::Strings { ids, dictionary }) => {
            let first = ids.first().map(|&id| dictionary.get(id)).unwrap_or_default();
            let digits = first.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let (name, _) = first.split_at(first.len() - digits);
            of_row(&|row| {
                let text = dictionary.get(*ids.get(row as usize)?);
                let rest = text.strip_prefix(name).filter(|rest| rest.iter().all(u8::is_ascii_digit))?;
                std::str::from_utf8(rest).ok()?.parse().ok()
            })
        }
        None => None,
    };
    let is_number = numbers.is_some();
    let code = |&row: &u32| codes.get(row as usize).map_or(0, |&code| i64::from(code));
    let mut values = numbers.unwrap_or_else(|| window.iter().map(code).collect());
    let least = values.iter().copied().min().unwrap_or(0);
    values.iter_mut().for_each(|value| *value = value.saturating_sub(least));
    let unit = values.iter().fold(0, |unit, &value| if unit == 1 { 1 } else { common(unit, value) }).max(1);
    values.iter_mut().for_each(|value| *value /= unit);
    Axis { values, unit, is_number }
}

/// The room that texts have: the product of how many signs each place has.
fn room(values: &ColumnValues) -> f64 {
    let ColumnValues::Strings { dictionary, .. } = values else { return 0.0 };
    let texts = || dictionary.entries.iter().take(TEXTS);
    let length = texts().map(<[u8]>::len).min().unwrap_or(0);
    let signs = |place: usize| {
        let mut seen = [false; 256];
        texts().filter_map(|text| text.get(place)).for_each(|&byte| {
            if let Some(seen) = seen.get_mut(usize::from(byte)) {
                *seen = true;
            }
        });
        seen.iter().filter(|seen| **seen).count() as f64
    };
    (0..length).map(signs).product()
}

/// The greatest number of which both are multiples.
fn common(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b > 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}
