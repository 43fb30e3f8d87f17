//! Reads of each region and server by queries, beside the writes there.

use super::domain::{FieldDomain, read};
use super::plan::plan;
use super::range::regions;
use crate::bytes::position::mix;
use crate::design::Constant;
use crate::design::split::SplitPoints;
use crate::design::{Design, Document, Popularity, Query};
use crate::records::{ColumnValues, Records};
use serde::Serialize;

/// Values that a query is planned for, when it is asked for those of the records.
const VALUES: usize = 128;
/// Records among which the different values are looked for.
const LOOKED_AT: usize = 8192;

/// Scans and gets a second.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReadLoad {
    /// Requests of all queries: a query is a request for each region that it touches.
    pub requests: f64,
    /// Requests by region.
    pub regions: Vec<f64>,
    /// Requests by server, regions laid on them in turn.
    pub servers: Vec<f64>,
    /// Queries without a rate, by name: they count for nothing here.
    pub unrated: Vec<String>,
}

/// The reads of a table's regions by the queries of a study. Without records, queries are asked for the values they name.
pub fn reads(study: &Document, design: &Design, points: &SplitPoints, records: Option<&Records>) -> ReadLoad {
    let of = |query: &Query| query.is_of(design);
    let (mut reads, _) = load(study, design, points, records, |query| query.rate.filter(|_| of(query)));
    let unrated = study.queries.iter().filter(|query| query.rate.is_none() && of(query));
    reads.unrated = unrated.map(|query| query.name.clone()).collect();
    reads
}

/// Reads of regions by the queries that say which values are asked for, and how often.
pub struct PopularReads {
    /// Requests of each region and server: a second where rates are stated.
    pub load: ReadLoad,
    /// True if they are.
    pub rated: bool,
    /// As many independent requests say as much of the shares.
    pub draws: f64,
    /// True if the values asked for are a sample of those that the records have.
    pub sampled: bool,
}

/// The reads of the queries that are asked for values of the records. A query for the values that it names says nothing of
/// what is asked for most. Where no such query has a rate, all count alike.
pub fn popular_reads(
    study: &Document,
    design: &Design,
    points: &SplitPoints,
    records: &Records,
) -> Option<PopularReads> {
    let popular = |query: &Query| query.popularity != Popularity::Named && query.is_of(design);
    let rated = study.queries.iter().any(|query| popular(query) && query.rate.is_some());
    let weight = |query: &Query| {
        let rate = if rated { query.rate } else { Some(1.0) };
        rate.filter(|_| popular(query))
    };
    let (load, draws) = load(study, design, points, Some(records), weight);
    let popular = || study.queries.iter().filter(|query| popular(query));
    let sampled = records.rows > VALUES && popular().any(|query| query.popularity == Popularity::Rows);
    (load.requests > 0.0).then_some(PopularReads { load, rated, draws, sampled })
}

/// The load of the queries that have a weight, and the number of independent draws that it rests on: (Σw)²/Σw².
fn load(
    study: &Document,
    design: &Design,
    points: &SplitPoints,
    records: Option<&Records>,
    weight: impl Fn(&Query) -> Option<f64>,
) -> (ReadLoad, f64) {
    let servers = design.servers.unwrap_or(1).clamp(1, 1 << 16) as usize;
    let mut reads =
        ReadLoad { regions: vec![0.0; points.regions()], servers: vec![0.0; servers], ..ReadLoad::default() };
    let (mut sum, mut squares) = (0.0, 0.0);
    for query in &study.queries {
        let Some(rate) = weight(query) else { continue };
        let Ok(named) = read(query, &study.fields, "") else { continue };
        let asked = match (query.popularity, records) {
            (Popularity::Named, _) | (_, None) => vec![named],
            (popularity, Some(records)) => of_records(study, query, &named, records, popularity),
        };
        let each = rate / asked.len().max(1) as f64;
        for domains in &asked {
            (sum, squares) = (sum + each, squares + each * each);
            let plan = plan(&design.typed, &study.fields, query, domains);
            for region in regions(&plan.ranges, points) {
                reads.requests += each;
                let region = region as usize;
                for (list, index) in [(&mut reads.regions, region), (&mut reads.servers, region % servers)] {
                    if let Some(sum) = list.get_mut(index) {
                        *sum += each;
                    }
                }
            }
        }
    }
    (reads, if squares > 0.0 { sum * sum / squares } else { 0.0 })
}

/// The conditions of a query when the values it names by equality are those of records.
fn of_records(
    study: &Document,
    query: &Query,
    named: &[FieldDomain],
    records: &Records,
    popularity: Popularity,
) -> Vec<Vec<FieldDomain>> {
    let replaced: Vec<usize> = (0..study.fields.len())
        .filter(|&index| study.fields.get(index).is_some_and(|field| query.gives(&field.name)))
        .collect();
    let value = |field: usize, row: usize| {
        let column = records.column(&study.fields.get(field)?.name)?;
        match &column.values {
            _ if column.invalid.get(row) => None,
            ColumnValues::Integers(values) => Some(Constant::Number(*values.get(row)?)),
            ColumnValues::Strings { ids, dictionary } => {
                Some(Constant::Bytes(dictionary.entries.get(*ids.get(row)? as usize).to_vec()))
            }
        }
    };
    let every = |count: usize, of: usize| (0..of).step_by(of.div_ceil(count).max(1));
    let looked_at = if popularity == Popularity::Rows { VALUES } else { LOOKED_AT };
    // By hash of position: values that come round in turn would be seen at one of their places only.
    let rows = || {
        (0..looked_at.min(records.rows)).map(|number| {
            if records.rows <= looked_at {
                number
            } else {
                (mix(number as u64) % records.rows as u64) as usize
            }
        })
    };
    let of_row = |row: usize| replaced.iter().map(|&field| value(field, row)).collect::<Option<Vec<_>>>();
    let mut values: Vec<Vec<Constant>> = rows().filter_map(of_row).collect();
    if popularity == Popularity::Values {
        crate::bytes::sort::sort(&mut values);
        values.dedup();
    }
    let chosen = every(VALUES, values.len()).filter_map(|index| values.get(index));
    let with = |values: &Vec<Constant>| {
        let mut domains = named.to_vec();
        for (&field, value) in replaced.iter().zip(values) {
            if let Some(domain) = domains.get_mut(field) {
                *domain = FieldDomain::Values(vec![value.clone()]);
            }
        }
        domains
    };
    chosen.map(with).collect()
}
