//! Facts about writes besides where they land: on how many servers, and whether time itself begins the key.

use super::counting::CountingValues;
use crate::bytes::position::mix;
use crate::bytes::sort::sort;
use crate::design::{Design, Document, WriteKind, WriteRate};
use crate::formula::typed::{TypedFormula, TypedPart};
use crate::formula::vector::Vector;
use crate::keys::encode::Encoder;
use crate::records::Records;
use crate::records::field::{Field, Kind};

/// Rows looked at for the part of the key that differs first.
const LOOKED_AT: usize = 256;

/// Rows, one after the other, that are looked at for counting.
const NEIGHBOURS: usize = 8192;

/// Share of what a region or server takes from which a rate comes near it.
const NEAR: f64 = 0.5;

/// A table's writes, as far as its report needs to know them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteTraits {
    /// Region servers, where their number is known.
    pub servers: Option<u32>,
    /// True when the first part that differs between keys is made of the time of arrival and nothing else. Then it is time
    /// that gathers writes, and not one sender that has many.
    pub by_time: bool,
    /// True when most rows have a value of their own of that part: then none of them is a sender of many.
    pub unique: bool,
    /// How the first part that differs counts up, in a table without a time of arrival: every new key sorts last.
    pub counting: Option<CountingValues>,
    /// The rate of writes, where the document states it.
    pub rate: Option<WriteRate>,
    /// Meaning of a write to an existing row key.
    pub kind: WriteKind,
}

/// A share of the writes beside what one region, or server, takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WritePace {
    /// No rate is stated: the share alone is judged.
    Unknown,
    /// Less than half of what it takes.
    Low,
    /// It comes near.
    Near,
    /// More than it takes.
    High,
}

/// The pace of a share of the writes of a region or server that takes `capacity` rows a second.
pub(in crate::analysis) fn pace(per_second: f64, capacity: f64) -> WritePace {
    match per_second / capacity.max(1.0) {
        low if low < NEAR => WritePace::Low,
        near if near < 1.0 => WritePace::Near,
        _ => WritePace::High,
    }
}

impl WriteTraits {
    /// The traits of a table of a study, on these records.
    pub fn of(study: &Document, design: &Design, records: &Records) -> Self {
        let traits = Self::of_key(&design.typed, &study.fields, study.arrival.as_deref(), records);
        traits.under(study, design)
    }

    /// The same key under the servers, rate and kind of writes that a table of a study declares.
    pub fn under(self, study: &Document, design: &Design) -> Self {
        Self { servers: design.servers, rate: study.write_rate(), kind: design.writes, ..self }
    }

    /// The traits of a row key alone. `typed` was checked against `fields`; `arrival` names the field with the time of the write.
    pub fn of_key(typed: &TypedFormula, fields: &[Field], arrival: Option<&str>, records: &Records) -> Self {
        let Some(part) = first_differing(typed, fields, records).and_then(|part| typed.parts.get(part))
        else {
            return Self::default();
        };
        let field = |&field: &usize| fields.get(field);
        let of_arrival = |field: &Field| arrival == Some(field.name.as_str());
        let by_time =
            !part.fields.is_empty() && part.fields.iter().all(|at| field(at).is_some_and(of_arrival));
        let has_time = part.fields.iter().filter_map(field).any(|field| field.kind == Kind::Time);
        let untimed = arrival.is_none() && !has_time;
        let neighbours = neighbours(part, fields, records);
        let counting = match neighbours.as_ref().filter(|_| untimed) {
            Some(Vector::Strings(values)) => CountingValues::of(values),
            _ => None,
        };
        let unique = neighbours.as_ref().is_some_and(are_unique);
        Self { by_time, unique, counting, ..Self::default() }
    }

    /// How fast one region is written that takes this share of the writes.
    pub fn of_region(&self, share: f64) -> WritePace {
        self.rate.map_or(WritePace::Unknown, |rate| pace(share * rate.per_second, rate.region))
    }

    /// How fast one server is written that takes this share of the writes.
    pub fn of_server(&self, share: f64) -> WritePace {
        self.rate.map_or(WritePace::Unknown, |rate| pace(share * rate.per_second, rate.server))
    }

    /// How fast one row is written that takes this share of the writes.
    pub fn of_row(&self, share: f64) -> WritePace {
        self.rate.map_or(WritePace::Unknown, |rate| pace(share * rate.per_second, rate.row))
    }

    /// At this rate.
    pub fn at(self, rate: Option<WriteRate>) -> Self {
        Self { rate, ..self }
    }

    /// On so many servers.
    pub fn on(self, servers: Option<u32>) -> Self {
        Self { servers, ..self }
    }
}

/// Values of a part in the first rows, which are neighbours only where no row was left out.
fn neighbours(part: &TypedPart, fields: &[Field], records: &Records) -> Option<Vector> {
    if records.all_rows() != records.rows as u64 {
        return None;
    }
    let rows: Vec<u32> = (0..records.rows.min(NEIGHBOURS) as u32).collect();
    let neighbours = records.chosen(&rows);
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    Some(Encoder::new(&neighbours, &names, &[]).values(&part.expression))
}

/// True if at least half of the values are distinct. Texts of rows without a key are empty.
fn are_unique(values: &Vector) -> bool {
    match values {
        Vector::Strings(values) => are_distinct(values.iter().filter(|value| !value.is_empty()).collect()),
        Vector::Integers(values) => are_distinct(values.iter().collect()),
    }
}

fn are_distinct<T: Ord>(mut values: Vec<T>) -> bool {
    let rows = values.len();
    sort(&mut values);
    values.dedup();
    rows > 0 && 2 * values.len() >= rows
}

/// The first part of the formula of which some records differ.
fn first_differing(typed: &TypedFormula, fields: &[Field], records: &Records) -> Option<usize> {
    let rows = records.rows as u64;
    let chosen: Vec<u32> = match records.rows {
        0 => return None,
        few if few <= LOOKED_AT => (0..few as u32).collect(),
        _ => (0..LOOKED_AT as u64).map(|number| (mix(number) % rows) as u32).collect(),
    };
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let parts = Encoder::new(records, &names, &[]).parts(typed, &chosen);
    parts.iter().position(|values| {
        let mut held = values.iter().filter(|value| !value.is_empty());
        held.next().is_some_and(|first| held.any(|other| other != first))
    })
}
