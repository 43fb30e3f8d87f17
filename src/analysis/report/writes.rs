//! Facts about writes besides where they land: on how many servers, and whether time itself begins the key.

use super::counting::CountingValues;
use super::following::{FollowsTime, HeldValues, QUARTER};
use super::thresholds::ONE_REGION_SHARE;
use crate::bytes::sort::sort;
use crate::design::{Cluster, Design, Document, WriteKind, WriteRate};
use crate::formula::typed::{Expression, TypedFormula, TypedPart};
use crate::formula::vector::Vector;
use crate::keys::encode::Encoder;
use crate::records::field::{Field, Kind};
use crate::records::{ColumnValues, Records};

/// Rows looked at, in each host the same: for the part of the key that differs first, and how it follows time. A summary holds twice
/// as many, so that halving leaves the same.
const LOOKED_AT: usize = 2048;

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
    /// How the first part that differs follows time, whatever the number of rows.
    pub follows: Option<FollowsTime>,
    /// The rate of writes, where the document states it.
    pub rate: Option<WriteRate>,
    /// Rows a second that one region takes, where the document states it.
    pub region_writes: Option<u32>,
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

    /// These traits with the servers, write rate and kind of writes that a design declares.
    pub fn under(self, study: &Document, design: &Design) -> Self {
        let region_writes = study.cluster.map(|cluster| cluster.region_writes);
        Self { servers: design.servers, rate: study.write_rate(), region_writes, kind: design.writes, ..self }
    }

    /// The traits of a row key alone. `typed` was checked against `fields`; `arrival` names the field with the time of the write.
    pub fn of_key(typed: &TypedFormula, fields: &[Field], arrival: Option<&str>, records: &Records) -> Self {
        let Some(alike) = alike(typed, fields, records.sampled(LOOKED_AT)) else { return Self::default() };
        let encoder = Encoder::new(&alike.records, &names(fields), &[]);
        let Some((part, values)) = first_differing(alike.parts, &encoder) else { return Self::default() };
        let values_of = |of: &Expression| HeldValues::new(encoder.held_values(of));
        let before = alike.parts.iter().find(|part| part.shape.distinct != Some(1));
        let of_constant = || {
            let before = before.filter(|before| !std::ptr::eq(*before, part))?;
            let later = |of: &Expression| {
                let later = shifted(&alike.records, arrival);
                HeldValues::new(Encoder::new(&later, &names(fields), &[]).held_values(of))
            };
            FollowsTime::of_constant(before, (fields, arrival), &values_of(&before.expression), later)
        };
        let follows = of_constant()
            .or_else(|| FollowsTime::of(part, (fields, arrival), (&alike.records, &values), values_of));
        let field = |&field: &usize| fields.get(field);
        let by_time = !part.fields.is_empty()
            && part.fields.iter().all(|at| field(at).is_some_and(|field| is_of(arrival, field)));
        let has_time = part.fields.iter().filter_map(field).any(|field| field.kind == Kind::Time);
        let untimed = arrival.is_none() && !has_time;
        let neighbours = neighbours((typed, part), fields, records);
        let counting = match neighbours.as_ref().filter(|_| untimed) {
            Some(Vector::Strings(values)) => CountingValues::of(values),
            _ => None,
        };
        let unique = neighbours.as_ref().is_some_and(are_unique);
        Self { by_time, unique, counting, follows, ..Self::default() }
    }

    /// How fast one region is written that takes this share of the writes.
    pub fn of_region(&self, share: f64) -> WritePace {
        self.rate.map_or(WritePace::Unknown, |rate| pace(share * rate.per_second, rate.region))
    }

    /// Rows a second from which a region that takes all of them is no more written at a low pace.
    pub(super) fn least_near(&self) -> f64 {
        NEAR * f64::from(self.region_writes.unwrap_or_else(|| Cluster::default().region_writes))
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

/// Values of a part in the first rows that have it, which are neighbours only where no row was left out.
fn neighbours(
    (typed, part): (&TypedFormula, &TypedPart),
    fields: &[Field],
    records: &Records,
) -> Option<Vector> {
    if records.all_rows() != records.rows as u64 {
        return None;
    }
    let rows: Vec<u32> = (0..records.rows.min(NEIGHBOURS) as u32).collect();
    let alike = alike(typed, fields, records.chosen(&rows))?;
    let has = alike.parts.iter().any(|other| std::ptr::eq(other, part));
    has.then(|| Encoder::new(&alike.records, &names(fields), &[]).values(&part.expression))
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

/// Copies the records with arrival times `QUARTER` milliseconds later.
fn shifted(records: &Records, arrival: Option<&str>) -> Records {
    let mut later = records.clone();
    let column = later.columns.iter_mut().find(|column| Some(column.field.name.as_str()) == arrival);
    if let Some(ColumnValues::Integers(times)) = column.map(|column| &mut column.values) {
        times.iter_mut().for_each(|time| *time = time.saturating_add(QUARTER));
    }
    later
}

/// True if a field is that of the arrival.
pub(super) fn is_of(arrival: Option<&str>, field: &Field) -> bool {
    arrival == Some(field.name.as_str())
}

fn names(fields: &[Field]) -> Vec<&str> {
    fields.iter().map(|field| field.name.as_str()).collect()
}

/// The first of these parts of which some records differ, with its values; without records the first that may.
fn first_differing<'t>(parts: &'t [TypedPart], encoder: &Encoder<'_>) -> Option<(&'t TypedPart, HeldValues)> {
    let may = parts.iter().filter(|part| part.shape.distinct != Some(1));
    may.map(|part| (part, HeldValues::new(encoder.held_values(&part.expression))))
        .find(|(_, values)| values.is_empty() || values.differ())
}

/// Records whose keys begin with the same parts.
struct AlikeKeys<'t> {
    parts: &'t [TypedPart],
    records: Records,
}

/// All records; of kinds those whose keys begin alike, if one region that takes them alone takes most writes.
fn alike<'t>(typed: &'t TypedFormula, fields: &[Field], records: Records) -> Option<AlikeKeys<'t>> {
    if typed.kinds.is_empty() {
        return Some(AlikeKeys { parts: &typed.parts, records });
    }
    let of_rows = Encoder::new(&records, &names(fields), &[typed]).kinds(0);
    let formula = |kind: usize| typed.kinds.get(kind)?.formula.as_deref();
    let texts = |typed: &'t TypedFormula| typed.parts.iter().map(|part| part.text.as_str());
    let least = ONE_REGION_SHARE * records.rows as f64;
    (0..typed.kinds.len()).find_map(|first| {
        let own = formula(first)?;
        let begins = 1 + own.parts.iter().position(|part| part.shape.distinct != Some(1))?;
        let common = |other: &'t TypedFormula| {
            texts(own).zip(texts(other)).take_while(|(one, other)| one == other).count()
        };
        let common: Vec<Option<usize>> = (0..typed.kinds.len())
            .map(|kind| formula(kind).map(common).filter(|common| *common >= begins))
            .collect();
        let is_alike =
            |kind: Option<usize>| kind.is_some_and(|kind| matches!(common.get(kind), Some(Some(_))));
        let rows: Vec<u32> =
            (0..).zip(&of_rows).filter(|(_, kind)| is_alike(**kind)).map(|(row, _)| row).collect();
        let parts = own.parts.get(..common.iter().flatten().copied().min()?)?;
        (rows.len() as f64 >= least).then(|| AlikeKeys { parts, records: records.part(&rows) })
    })
}
