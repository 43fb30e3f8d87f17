//! Profile of each field in the records: number of values, how they follow time, which fields distinguish records.

use super::distinct::Distinct;
use super::evidence::Evidence;
use super::identity::{Identity, TableLife};
use super::progress::{SearchPhase, Steps};
use super::texts::used_entries;
use crate::base::Problem;
use crate::base::host::tick;
use crate::base::map::Map;
use crate::records::field::{Field, Kind, float};
use crate::records::{Column, ColumnValues, Records};
use serde::Serialize;

/// Code of a row whose value cannot be used.
pub(super) const NONE: u32 = u32::MAX;
/// Windows of equal numbers of rows in which a field is held against time.
const WINDOWS: usize = 16;
/// Rows for each value of a field from which on it is not one that numbers records.
const NUMBERED: usize = 20;
/// Share of the steps between windows of time in which numbers rise that count up.
const COUNTS: f64 = 0.9;
/// Rows that distinct combinations are looked for in first.
const LOOKED_AT: usize = 1 << 14;
/// Records of a row from which on it has several.
const SEVERAL: u32 = 3;
/// Fewest values of a field that can follow time.
const LEAST_RISING: usize = 8;

/// The least and the greatest number of a field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum NumberRange {
    /// Whole numbers, or times in milliseconds.
    Integers([i64; 2]),
    /// Floats, those that are finite.
    Floats([f64; 2]),
}

/// A field in the records.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldProfile {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its distinct values.
    pub distinct: usize,
    /// Rows that lack a usable value.
    pub missing: u64,
    /// Share of the rows that have its most frequent value.
    pub top_share: f64,
    /// Share of the steps between windows of time, the same number of rows in each, in which its values rise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rises: Option<f64>,
    /// True if it follows time: it rises in nearly all steps, and a window holds few of its values.
    pub follows_arrival: bool,
    /// Bytes of its text, shortest and longest.
    pub lengths: [usize; 2],
    /// Prefix that all of its texts share.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub constant_prefix: String,
    /// The least and the greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<NumberRange>,
    /// True if no two rows share a value.
    pub unique: bool,
    /// True if it is unique in these records only by luck: a few more of its size, and values repeat.
    pub unique_by_luck: bool,
    /// Fields that it is unique together with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unique_with: Vec<String>,
    /// Fields that each tell its value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// Numbers that may be given to the rows of the whole table, where its values count up; else 0.
    #[serde(skip)]
    pub to_come: i64,
    /// Bytes that occur in its texts: no zero byte.
    #[serde(skip)]
    pub zero_free: bool,
    /// The greatest number that there is room for, where its texts are digits.
    #[serde(skip)]
    pub digits: Option<i64>,
    /// The lookup table that has a number for each of its texts.
    #[serde(skip)]
    pub lookup: Option<String>,
}

impl FieldProfile {
    /// The greatest number of a lookup table with room for twice as many names.
    pub fn most_names(&self) -> i64 {
        self.distinct.saturating_mul(2) as i64
    }

    /// The least and the greatest whole number, or time in milliseconds.
    pub fn integers(&self) -> Option<[i64; 2]> {
        match self.range? {
            NumberRange::Integers(range) => Some(range),
            NumberRange::Floats(_) => None,
        }
    }

    /// True if every record has a usable value, and not the same one.
    pub fn is_usable(&self) -> bool {
        self.is_whole() && !self.is_constant()
    }

    /// True if every record has a usable value.
    pub fn is_whole(&self) -> bool {
        self.missing == 0 && self.distinct > 0
    }

    /// True if all records have one value.
    pub fn is_constant(&self) -> bool {
        self.is_whole() && self.distinct == 1
    }
}

/// All that is known of how records are told apart.
pub(super) struct KnownIdentity<'k> {
    /// Fields that queries name.
    pub named: &'k [usize],
    /// Those of them that every key holds.
    pub tested: &'k [usize],
    /// The fields that tell records apart, where that is stated.
    pub own: Option<&'k [usize]>,
    /// True if records are written again: another field in the key would leave the row of the record before.
    pub rewritten: bool,
    /// The size that the table will have.
    pub life: TableLife,
}

/// The fields of some records, and their values as numbers in order.
pub(super) struct Profile {
    /// A profile for each field.
    pub fields: Vec<FieldProfile>,
    /// For each field the rank of each row's value among the distinct ones.
    codes: Vec<Vec<u32>>,
    /// Fields that identify a record, by index: those whose difference makes another record.
    pub identifying: Vec<usize>,
    /// The field of arrival.
    pub arrival: Option<usize>,
    /// The fields that tell records apart for the life of the table.
    pub identity: Identity,
    /// The only fields that a key can hold, where others change when a record is written again.
    only: Option<Vec<usize>>,
    /// Distinct combinations counted before, by the set of fields.
    counted: Map<u64, usize>,
    rows: usize,
}

impl Profile {
    /// The profile of these fields.
    ///
    /// # Errors
    /// `suggest.cancelled`.
    pub async fn new(
        records: &Records,
        fields: &[Field],
        arrival: Option<&str>,
        known: KnownIdentity<'_>,
        steps: &mut Steps,
    ) -> Result<Self, Problem> {
        let order = in_order(records, arrival);
        let (mut codes, mut profiles) = (Vec::new(), Vec::new());
        for field in fields {
            steps.of(SearchPhase::Profile, codes.len(), fields.len()).await;
            let of = codes_of(records, field);
            profiles.push(described(records, field, &of, &order));
            codes.push(of);
        }
        let arrival = fields.iter().position(|field| Some(field.name.as_str()) == arrival);
        let usable: Vec<usize> = (0..fields.len().min(64))
            .filter(|&index| profiles.get(index).is_some_and(FieldProfile::is_usable))
            .collect();
        let identity = match known.own {
            Some(own) => {
                let way = usable.iter().copied().filter(|field| own.contains(field)).collect();
                Identity { ways: vec![way], ..Identity::default() }
            }
            None => {
                steps.at(SearchPhase::Profile, 1.0).await;
                let of = (known.named, arrival);
                Evidence::new(records, (&profiles, &codes), of, known.life).identity(known.tested)
            }
        };
        let identifying = match known.own {
            Some(own) => usable.into_iter().filter(|field| own.contains(field)).collect(),
            None => usable,
        };
        for (field, of) in profiles.iter_mut().enumerate() {
            of.unique_by_luck = of.unique && !identity.is_id(field);
            // Numbers that count up go on to do so.
            let counts = of.rises.is_some_and(|share| share >= COUNTS);
            let is_numbered = counts && of.distinct.saturating_mul(NUMBERED) >= records.rows;
            of.to_come = if is_numbered { known.life.rows.min(i64::MAX as f64) as i64 } else { 0 };
        }
        let only = known.own.filter(|_| known.rewritten).map(<[usize]>::to_vec);
        let rows = records.rows;
        let mut profile =
            Self { fields: profiles, codes, identifying, arrival, identity, only, counted: Map::new(), rows };
        profile.relate(steps).await;
        Ok(profile)
    }

    /// Fills in what fields say of each other.
    async fn relate(&mut self, steps: &mut Steps) {
        let all = self.identifying.clone();
        let whole = self.distinct(&all);
        for &field in &all {
            steps.at(SearchPhase::Profile, 1.0).await;
            let alone = self.distinct(&[field]);
            let mut with = Vec::new();
            let mut tells = Vec::new();
            for &other in all.iter().filter(|&&other| other != field) {
                let both = self.distinct(&[field, other]);
                if both == whole && alone < whole {
                    with.push(self.name(other));
                }
                if both == self.distinct(&[other]) && both < self.looked_at() {
                    tells.push(self.name(other));
                }
            }
            if let Some(profile) = self.fields.get_mut(field) {
                (profile.unique_with, profile.depends_on) = (with, tells);
            }
        }
    }

    fn looked_at(&self) -> usize {
        self.rows.min(LOOKED_AT)
    }

    /// The name of a field.
    pub fn name(&self, field: usize) -> String {
        self.fields.get(field).map(|field| field.name.clone()).unwrap_or_default()
    }

    /// The profile of a field.
    pub fn of(&self, field: usize) -> Option<&FieldProfile> {
        self.fields.get(field)
    }

    /// Texts of these fields are written as they are: a query asks for a range or an order of them.
    pub fn keep_order(&mut self, fields: impl Iterator<Item = usize>) {
        for field in fields {
            if let Some(of) = self.fields.get_mut(field) {
                (of.digits, of.lookup) = (None, None);
            }
        }
    }

    /// Takes over which texts can be numbers, as all records prove it.
    pub fn shorten(&mut self, digits: &Map<String, i64>, lookups: &Map<String, String>) {
        for of in &mut self.fields {
            of.digits = digits.get(&of.name).copied();
            of.lookup = lookups.get(&of.name).filter(|_| of.digits.is_none()).cloned();
        }
    }

    /// True if a field tells records apart and can be in a key without losing rows.
    pub fn is_usable(&self, field: usize) -> bool {
        self.of(field).is_some_and(FieldProfile::is_usable) && self.may_hold(field)
    }

    /// True if a record that is written again keeps its value of a field.
    fn may_hold(&self, field: usize) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&field))
    }

    /// True if a field can be in a key without losing rows.
    pub fn is_whole(&self, field: usize) -> bool {
        self.of(field).is_some_and(FieldProfile::is_whole) && self.may_hold(field)
    }

    /// True if all records have one value of a field.
    pub fn is_constant(&self, field: usize) -> bool {
        self.of(field).is_some_and(FieldProfile::is_constant)
    }

    /// Distinct combinations of these fields in the first rows.
    fn distinct(&mut self, fields: &[usize]) -> usize {
        let set = fields.iter().filter(|&&field| field < 64).fold(0, |set, field| set | 1 << field);
        if let Some(&known) = self.counted.get(&set) {
            return known;
        }
        let rows = self.looked_at();
        let columns = fields.iter().filter_map(|&field| self.codes.get(field)?.get(..rows));
        let columns: Vec<&[u32]> = columns.collect();
        let mut distinct = Distinct::with_room(rows);
        for row in 0..rows {
            distinct.add(columns.iter().map(|column| column.get(row).copied().unwrap_or(NONE)));
        }
        self.counted.insert(set, distinct.count());
        distinct.count()
    }

    /// Rows that agree with another one in all identifying fields, of these rows.
    pub fn alike(&self, rows: &[u32]) -> u64 {
        let columns: Vec<&Vec<u32>> =
            self.identifying.iter().filter_map(|&field| self.codes.get(field)).collect();
        let mut distinct = Distinct::with_room(rows.len());
        tick(rows.len());
        for &row in rows {
            distinct.add(columns.iter().map(|column| column.get(row as usize).copied().unwrap_or(NONE)));
        }
        (rows.len() - distinct.count()) as u64
    }

    /// True if records that agree in these fields become more and more: most of those that were several in the first half of the time
    /// are joined by others in the second.
    pub fn goes_on(&self, fields: &[usize]) -> bool {
        let columns: Vec<&Vec<u32>> = fields.iter().filter_map(|&field| self.codes.get(field)).collect();
        let values = |row| columns.iter().map(move |column| column.get(row).copied().unwrap_or(NONE));
        let half = self.rows / 2;
        let mut groups = Distinct::with_room(half);
        let mut first = vec![0; groups.numbers()];
        tick(half);
        for row in 0..half {
            groups.add(values(row));
            if let Some(rows) = groups.number(values(row)).and_then(|group| first.get_mut(group)) {
                *rows += 1;
            }
        }
        let several = first.iter().filter(|&&rows| rows >= SEVERAL).count();
        let mut joined = 0;
        tick(half);
        for row in half..self.rows {
            let rows = groups.number(values(row)).and_then(|group| first.get_mut(group));
            // Each is counted once.
            if rows.is_some_and(|rows| std::mem::take(rows) >= SEVERAL) {
                joined += 1;
            }
        }
        joined * 2 > several
    }

    /// The fields to add to `held` so that no two records of the table are alike, and all that queries test is in the key.
    pub fn tail(&self, held: &[usize], tested: &[usize]) -> Vec<usize> {
        self.identity.tail(held, tested, |field| self.weight(field))
    }

    /// Bytes of a value, about: the shorter one is added first.
    fn weight(&self, field: usize) -> usize {
        let of = self.of(field);
        if Some(field) == self.arrival { 4 } else { of.map_or(0, |of| of.lengths[1].max(1)) }
    }
}

/// The rank of each value of a column among its distinct ones.
fn codes_of(records: &Records, field: &Field) -> Vec<u32> {
    let Some(column) = records.column(&field.name) else { return vec![NONE; records.rows] };
    let invalid = column.invalid.count() > 0;
    let unusable = |row: usize| invalid && column.invalid.get(row);
    match &column.values {
        ColumnValues::Integers(values) => {
            let mut distinct = values.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let rank = |(row, value): (usize, &i64)| match distinct.binary_search(value) {
                Ok(rank) if !unusable(row) => rank as u32,
                _ => NONE,
            };
            values.iter().enumerate().map(rank).collect()
        }
        ColumnValues::Strings { ids, dictionary } => {
            let ranks = crate::bytes::sort::sorted_rows(&dictionary.entries);
            let mut of_entry = vec![0u32; ranks.len()];
            let mut rank = 0;
            for (at, &entry) in ranks.iter().enumerate() {
                let before = at.checked_sub(1).and_then(|at| ranks.get(at));
                if before.is_some_and(|&before| dictionary.get(before) != dictionary.get(entry)) {
                    rank += 1;
                }
                if let Some(of) = of_entry.get_mut(entry as usize) {
                    *of = rank;
                }
            }
            let code = |(row, id): (usize, &u32)| match of_entry.get(*id as usize) {
                Some(&rank) if !unusable(row) => rank,
                _ => NONE,
            };
            ids.iter().enumerate().map(code).collect()
        }
    }
}

/// The rows in order of arrival; as they stand where it is not known.
fn in_order(records: &Records, arrival: Option<&str>) -> Vec<u32> {
    let column = arrival.and_then(|arrival| records.column(arrival));
    match column.map(|column| &column.values) {
        Some(ColumnValues::Integers(times)) => {
            let mut rows: Vec<(i64, u32)> = times.iter().copied().zip(0..).collect();
            rows.sort_unstable();
            rows.into_iter().map(|(_, row)| row).collect()
        }
        _ => (0..records.rows as u32).collect(),
    }
}

fn described(records: &Records, field: &Field, codes: &[u32], order: &[u32]) -> FieldProfile {
    let mut profile =
        FieldProfile { name: field.name.clone(), kind: field.kind.name(), ..FieldProfile::default() };
    let highest = codes.iter().copied().filter(|&code| code != NONE).max();
    let mut counts = vec![0u32; highest.map_or(0, |code| code as usize + 1)];
    for &code in codes {
        match counts.get_mut(code as usize) {
            Some(count) => *count += 1,
            None => profile.missing += 1,
        }
    }
    profile.distinct = counts.iter().filter(|&&count| count > 0).count();
    let most = counts.iter().copied().max().unwrap_or(0);
    profile.top_share = f64::from(most) / codes.len().max(1) as f64;
    profile.unique = profile.distinct == codes.len() && profile.distinct > 1;
    let (rises, narrow) = rising(codes, order, profile.distinct);
    profile.rises = rises;
    profile.follows_arrival = narrow && rises.is_some_and(|share| share >= 0.9);
    if let Some(column) = records.column(&field.name) {
        of_values(column, &mut profile);
    }
    profile
}

/// The share of steps between windows in which the mean rank rises, and whether a window holds less than half of the ranks.
fn rising(codes: &[u32], order: &[u32], distinct: usize) -> (Option<f64>, bool) {
    let size = order.len() / WINDOWS;
    if size < 2 || distinct < LEAST_RISING {
        return (None, false);
    }
    let (mut means, mut spans) = (Vec::new(), 0.0);
    for window in order.chunks_exact(size) {
        let mut ranks: Vec<u32> = window.iter().filter_map(|&row| codes.get(row as usize).copied()).collect();
        ranks.retain(|&code| code != NONE);
        ranks.sort_unstable();
        let sum: f64 = ranks.iter().map(|&rank| f64::from(rank)).sum();
        means.push(sum / ranks.len().max(1) as f64);
        let at = |share: usize| f64::from(ranks.get(ranks.len() * share / 10).copied().unwrap_or(0));
        spans += at(9) - at(1);
    }
    let rising = means.windows(2).filter(|pair| matches!(pair, [a, b] if a < b)).count();
    let narrow = spans / means.len() as f64 * 2.0 < distinct as f64;
    (Some(rising as f64 / (means.len() - 1).max(1) as f64), narrow)
}

/// Lengths, ranges and prefixes.
fn of_values(column: &Column, profile: &mut FieldProfile) {
    match &column.values {
        ColumnValues::Integers(values) if column.field.kind == Kind::Float => {
            let valid = values.iter().enumerate().filter(|(row, _)| !column.invalid.get(*row));
            let floats = valid.map(|(_, &bits)| float::of_bits(bits)).filter(|float| float.is_finite());
            let ends = floats.fold(None, |ends: Option<[f64; 2]>, float| {
                Some(ends.map_or([float; 2], |[least, most]| [least.min(float), most.max(float)]))
            });
            profile.range = ends.map(NumberRange::Floats);
            profile.lengths = [size_of::<f64>(); 2];
            profile.zero_free = true;
        }
        ColumnValues::Integers(values) => {
            let ends = values.iter().copied().min().zip(values.iter().copied().max());
            profile.range = ends.map(|(least, most)| NumberRange::Integers([least, most]));
            let digits = |value: i64| value.to_string().len();
            if let Some((least, most)) = ends {
                let (a, b) = (digits(least), digits(most));
                profile.lengths = [a.min(b), a.max(b)];
            }
            profile.zero_free = true;
        }
        ColumnValues::Strings { dictionary, .. } => {
            let used = used_entries(&column.values);
            let mut texts = used.iter().map(|&id| dictionary.get(id));
            let first = texts.next().unwrap_or_default();
            let mut prefix = first.len();
            profile.lengths = [first.len(); 2];
            profile.zero_free = !first.contains(&0);
            for text in texts {
                profile.lengths = [profile.lengths[0].min(text.len()), profile.lengths[1].max(text.len())];
                prefix = first.iter().zip(text).take(prefix).take_while(|(a, b)| a == b).count();
                profile.zero_free &= !text.contains(&0);
            }
            let prefix = first.get(..prefix).unwrap_or_default();
            profile.constant_prefix = std::str::from_utf8(prefix).unwrap_or_default().to_owned();
        }
    }
}
