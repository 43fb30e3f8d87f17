//! Keys, regions and times of a case counted the plain way, for what is true of it: nothing here asks `src/analysis`.

use super::random_cases::{Case, Part, Record};
use rowscape::design::Document;
use rowscape::encode::Encoder;
use rowscape::key_table::KeyTable;
use rowscape::records::Records;
use std::collections::HashMap;

/// The lengths of intervals that are judged, in milliseconds.
pub const LENGTHS: [i64; 23] = [
    1,
    5,
    10,
    50,
    100,
    500,
    1_000,
    5_000,
    10_000,
    30_000,
    60_000,
    300_000,
    600_000,
    1_800_000,
    3_600_000,
    10_800_000,
    21_600_000,
    43_200_000,
    86_400_000,
    604_800_000,
    2_419_200_000,
    7_257_600_000,
    29_030_400_000,
];

/// True, false, or too close to a threshold to count.
pub fn clear(of: impl Fn(f64) -> bool) -> Option<bool> {
    match (of(1.1), of(1.0 / 1.1)) {
        (true, true) => Some(true),
        (false, false) => Some(false),
        _ => None,
    }
}

pub fn all_of(all: &[Option<bool>]) -> Option<bool> {
    if all.contains(&Some(false)) { Some(false) } else { (!all.contains(&None)).then_some(true) }
}

pub fn any_of(all: &[Option<bool>]) -> Option<bool> {
    if all.contains(&Some(true)) { Some(true) } else { (!all.contains(&None)).then_some(false) }
}

pub fn not(one: Option<bool>) -> Option<bool> {
    one.map(|one| !one)
}

/// A share of the writes relative to the capacity of one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    Unknown,
    Low,
    Near,
    High,
}

/// A row with a key.
pub struct Row<'a> {
    pub key: &'a [u8],
    pub region: usize,
    pub record: &'a Record,
}

/// The rows of a case.
pub struct Plain<'a> {
    pub case: &'a Case,
    pub points: Vec<Vec<u8>>,
    /// Those with a key, in the order of the file.
    pub rows: Vec<Row<'a>>,
    /// Those rows by time.
    pub by_time: Vec<u32>,
    /// Where each part of each key ends.
    ends: Vec<Vec<u32>>,
    /// Rows of each region.
    pub counts: Vec<u64>,
    pub servers: Option<usize>,
    /// Rows a second.
    pub rate: Option<f64>,
}

/// Keys, split points, and the lengths of each part of each key.
pub type Keys = (Vec<Vec<u8>>, Vec<Vec<u8>>, Vec<Vec<u32>>);

/// The keys of the records, an empty one for a record without.
pub fn keys(study: &Document, records: &Records) -> Keys {
    let typed = &study.tables[0].typed;
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let encoder = Encoder::new(records, &names, &[typed]);
    let lengths = encoder.part_lengths(&typed.parts, 0..records.rows);
    let encoded = encoder.encode().pop().expect("keys");
    let keys: Vec<Vec<u8>> = encoded.keys.iter().map(<[u8]>::to_vec).collect();
    let points = study.tables[0].splits.points_for(&KeyTable::new(encoded, 0)).expect("points");
    (keys, points.iter().map(<[u8]>::to_vec).collect(), lengths)
}

impl<'a> Plain<'a> {
    pub fn of(case: &'a Case, keys: &'a [Vec<u8>], points: &[Vec<u8>], lengths: &[Vec<u32>]) -> Self {
        let held: Vec<usize> = (0..keys.len()).filter(|&row| !keys[row].is_empty()).collect();
        let mut ends = vec![Vec::with_capacity(held.len()); lengths.len()];
        for &row in &held {
            let mut end = 0;
            for (ends, lengths) in ends.iter_mut().zip(lengths) {
                end += lengths[row];
                ends.push(end);
            }
        }
        let row = |&row: &usize| Row {
            key: &keys[row],
            region: points.partition_point(|point| point.as_slice() <= keys[row].as_slice()),
            record: &case.records[row],
        };
        let rows: Vec<Row> = held.iter().map(row).collect();
        let mut by_time: Vec<u32> = (0..rows.len() as u32).collect();
        by_time.sort_by_key(|&row| rows[row as usize].record.at);
        let mut counts = vec![0; points.len() + 1];
        rows.iter().for_each(|row| counts[row.region] += 1);
        let document = &case.document;
        let a_day = document["growth"]["rowsPerDay"].as_f64().map(|rows| rows / 86_400.0);
        Self {
            servers: document["servers"].as_u64().map(|servers| servers as usize),
            rate: document["writesPerSecond"].as_f64().or(a_day),
            points: points.to_vec(),
            case,
            rows,
            by_time,
            ends,
            counts,
        }
    }

    pub fn regions(&self) -> usize {
        self.counts.len()
    }

    pub fn number(&self) -> f64 {
        self.rows.len() as f64
    }

    pub fn refused(&self) -> usize {
        self.case.records.len() - self.rows.len()
    }

    pub fn mean(&self) -> f64 {
        self.number() / self.regions() as f64
    }

    pub fn largest(&self) -> f64 {
        *self.counts.iter().max().expect("regions") as f64
    }

    pub fn empty(&self) -> usize {
        self.counts.iter().filter(|&&rows| rows == 0).count()
    }

    /// Rows from which an empty region is no accident.
    pub fn enough(&self) -> f64 {
        (self.regions() * (5 + self.regions().ilog2() as usize)) as f64
    }

    pub fn has_enough(&self) -> Option<bool> {
        clear(|times| self.number() >= self.enough() * times)
    }

    /// The largest region has so many times its share, or such a share of all, and by no chance.
    pub fn is_skewed(&self, least: f64, of_all: f64) -> Option<bool> {
        let (most, mean) = (self.largest(), self.mean());
        let least = f64::min(least * mean, of_all * self.number());
        clear(|times| most >= least * times && most - mean > 6.0 * times * mean.sqrt())
    }

    /// It is worth a warning.
    pub fn is_uneven(&self) -> Option<bool> {
        self.is_skewed(2.0, 0.75)
    }

    /// It is bad.
    pub fn is_very_uneven(&self) -> Option<bool> {
        self.is_skewed(4.0, 0.95)
    }

    /// The bytes of a part of the key of a row.
    pub fn part(&self, part: usize, row: usize) -> &'a [u8] {
        let start = if part == 0 { 0 } else { self.ends[part - 1][row] };
        &self.rows[row].key[start as usize..self.ends[part][row] as usize]
    }

    /// The bytes of the parts before one.
    pub fn before(&self, part: usize, row: usize) -> &'a [u8] {
        &self.rows[row].key[..self.ends[part - 1][row] as usize]
    }

    /// The first part, by what is known of it.
    pub fn lead(&self) -> Part {
        self.case.key.parts[0]
    }

    /// The first part that differs between rows.
    pub fn differing(&self) -> Option<usize> {
        let parts = 0..self.case.key.parts.len();
        let mut parts = parts.filter(|&part| !matches!(self.case.key.parts[part], Part::Between(_)));
        parts.find(|&part| (1..self.rows.len()).any(|row| self.part(part, row) != self.part(part, 0)))
    }

    /// Possible paces of a share of the writes, given the capacity of one place.
    pub fn paces(&self, share: f64, capacity: f64) -> Vec<Pace> {
        let Some(rate) = self.rate else { return vec![Pace::Unknown] };
        let pace = |times: f64| match share * rate * times / capacity {
            low if low < 0.5 => Pace::Low,
            near if near < 1.0 => Pace::Near,
            _ => Pace::High,
        };
        let mut all = vec![pace(1.0 / 1.1), pace(1.1)];
        all.dedup();
        all
    }

    pub fn region_paces(&self, share: f64) -> Vec<Pace> {
        self.paces(share, 10_000.0)
    }

    pub fn server_paces(&self, share: f64) -> Vec<Pace> {
        self.paces(share, 20_000.0)
    }
}

/// The values with the number of rows of each.
pub fn counted<T: std::hash::Hash + Eq>(values: impl Iterator<Item = T>) -> HashMap<T, u64> {
    let mut all = HashMap::new();
    values.for_each(|value| *all.entry(value).or_default() += 1);
    all
}

/// Rows of an interval, those of the place with most, and that place.
type Interval = (u64, u64, usize);

/// A place that takes most writes for a time: its share, and whether time gathers them.
#[derive(Clone, Copy, Debug)]
pub struct Hot {
    pub is: Option<bool>,
    pub by_time: Option<bool>,
    pub share: f64,
}

impl Plain<'_> {
    /// The intervals of a length that have 20 rows, by place.
    fn intervals(&self, length: i64, places: usize, place: &dyn Fn(usize) -> usize) -> Vec<Interval> {
        let mut all = Vec::new();
        let number = |row: &u32| self.rows[*row as usize].record.at.div_euclid(length);
        let mut counts = vec![0u64; places];
        for rows in self.by_time.chunk_by(|a, b| number(a) == number(b)).filter(|rows| rows.len() >= 20) {
            counts.fill(0);
            rows.iter().for_each(|&row| counts[place(self.rows[row as usize].region)] += 1);
            let (place, most) = counts.iter().enumerate().rev().max_by_key(|place| place.1).expect("places");
            all.push((rows.len() as u64, *most, place));
        }
        all
    }

    /// Some length has three intervals of 20 rows, and half of the rows in such.
    pub fn is_dense(&self) -> Option<bool> {
        clear(|times| {
            LENGTHS.iter().any(|&length| {
                let number = |row: &u32| self.rows[*row as usize].record.at.div_euclid(length);
                let full = self.by_time.chunk_by(|a, b| number(a) == number(b)).map(<[u32]>::len);
                let full: Vec<usize> = full.filter(|&rows| rows as f64 >= 20.0 * times).collect();
                full.len() >= 3 && full.iter().sum::<usize>() as f64 >= 0.5 * times * self.number()
            })
        })
    }

    /// One place takes most for a time.
    pub fn hot(&self, places: usize, place: &dyn Fn(usize) -> usize) -> Hot {
        let none = Hot { is: Some(false), by_time: Some(false), share: 0.0 };
        if places < 2 || self.rows.is_empty() {
            return none;
        }
        let mut whole = vec![0u64; places];
        self.counts.iter().enumerate().for_each(|(region, rows)| whole[place(region)] += rows);
        let largest = *whole.iter().max().expect("places") as f64 / self.number();
        let lengths: Vec<Vec<Interval>> =
            LENGTHS.iter().map(|&length| self.intervals(length, places, place)).collect();
        let hot = |times: f64| {
            let least = 0.6f64.max(1.5 * largest) * times;
            let found = lengths.iter().filter_map(|intervals| {
                let is_hot = |&&(rows, most, _): &&Interval| {
                    most as f64 >= least * rows as f64 && luck(most, rows, 2) <= 0.01
                };
                let hot: Vec<Interval> = intervals.iter().filter(is_hot).copied().collect();
                let rows = |of: &[Interval]| of.iter().map(|one| one.0).sum::<u64>() as f64;
                // Where it is hot nearly always, the share is that of all intervals.
                let always = rows(&hot) >= 0.9 * rows(intervals);
                let told = if always { intervals.clone() } else { hot.clone() };
                (hot.len() >= 3 && rows(&hot) >= 0.1 * times * self.number()).then_some((hot, told, always))
            });
            let found: Vec<_> = found.collect();
            found.iter().find(|found| found.2).or(found.first()).cloned()
        };
        let is = clear(|times| hot(times).is_some());
        let Some((hottest, told, _)) = hot(1.0).or_else(|| hot(1.0 / 1.1)) else {
            return Hot { is, ..none };
        };
        let of = |what: fn(&Interval) -> u64| told.iter().map(what).sum::<u64>() as f64;
        let by_key = self.is_led_by_time();
        let one_way = goes_one_way(places, hottest.iter().map(|one| one.2));
        let follows = self.follows();
        let follows = if follows.is_constant { Some(false) } else { follows.is };
        Hot {
            is,
            by_time: any_of(&[Some(by_key), self.is_led_by_ids(), one_way, follows]),
            share: of(|one| one.1) / of(|one| one.0),
        }
    }

    /// The first part that differs is made of the arrival alone.
    fn is_led_by_time(&self) -> bool {
        use super::random_cases::Of;
        self.differing().is_some_and(|part| {
            matches!(
                self.case.key.parts[part],
                Part::Ordered(Of::At | Of::Day) | Part::TimeOfDay | Part::Digest(Of::Day, _)
            )
        })
    }

    /// Half of the first rows have a value of their own of the first part that differs: no sender has several.
    fn is_led_by_ids(&self) -> Option<bool> {
        let Some(part) = self.differing() else { return Some(false) };
        let rows = self.rows.len().min(8_192);
        let distinct = counted((0..rows).map(|row| self.part(part, row))).len() as f64;
        clear(|times| distinct >= 0.5 * times * rows as f64)
    }

    pub fn hot_region(&self) -> Hot {
        self.hot(self.regions(), &|region| region)
    }

    pub fn hot_server(&self) -> Hot {
        let servers = self.servers.filter(|&servers| servers < self.regions()).unwrap_or(1);
        self.hot(servers, &|region| region % servers)
    }
}

/// The place with most moves one way, or round, in nine changes of ten.
fn goes_one_way(places: usize, hottest: impl Iterator<Item = usize>) -> Option<bool> {
    let hottest: Vec<usize> = hottest.collect();
    let (mut up, mut down) = (0.0, 0.0);
    for pair in hottest.windows(2).filter(|pair| pair[0] != pair[1]) {
        let ahead = (pair[1] + places - pair[0]) % places;
        let is_up = if places > 2 { 2 * ahead <= places } else { pair[0] < pair[1] };
        *(if is_up { &mut up } else { &mut down }) += 1.0;
    }
    clear(|times| f64::min(up, down) <= 0.1 / times * (up + down))
}

/// How likely at most some place gets so many of the rows when all are as likely.
pub fn luck(most: u64, rows: u64, places: usize) -> f64 {
    let even = 1.0 / places as f64;
    let mut probability = (1.0 - even).powf(rows as f64);
    if probability == 0.0 {
        // Six deviations are no luck, however many rows.
        let (mean, deviation) = (even * rows as f64, (even * (1.0 - even) * rows as f64).sqrt());
        return if most as f64 > mean + 6.0 * deviation { 0.0 } else { 1.0 };
    }
    let mut tail = 0.0;
    for count in 0..=rows {
        if count >= most {
            tail += probability;
        }
        probability *= (rows - count) as f64 / (count + 1) as f64 * even / (1.0 - even);
    }
    places as f64 * tail
}
