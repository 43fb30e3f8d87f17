//! What queries ask of each region and server, beside what is written there.

use super::domain::{FieldDomain, read};
use super::plan::plan;
use super::range::regions;
use crate::design::Constant;
use crate::design::split::SplitPoints;
use crate::design::{Condition, Design, Popularity, Query, Study};
use crate::records::{ColumnValues, Records};
use serde::Serialize;

/// Values that a query is planned for, when it is asked for those of the records.
const VALUES: usize = 128;
/// Records among which the different values are looked for.
const LOOKED_AT: usize = 8192;

/// Scans and gets a second.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReadLoad {
    /// Of all queries: a query is a request for each region that it touches.
    pub requests: f64,
    /// Of each region.
    pub regions: Vec<f64>,
    /// Of each server, regions laid on them in turn.
    pub servers: Vec<f64>,
    /// Queries without a rate, by name: they count for nothing here.
    pub unrated: Vec<String>,
}

/// What the queries of a study ask of a table's regions. Without records, queries are asked for the values they name.
pub fn reads(study: &Study, design: &Design, points: &SplitPoints, records: Option<&Records>) -> ReadLoad {
    let servers = design.servers.unwrap_or(1).clamp(1, 1 << 16) as usize;
    let mut reads =
        ReadLoad { regions: vec![0.0; points.regions()], servers: vec![0.0; servers], ..ReadLoad::default() };
    for query in &study.queries {
        let Some(rate) = query.rate else {
            reads.unrated.push(query.name.clone());
            continue;
        };
        let Ok(named) = read(query, &study.fields, "") else { continue };
        let asked = match (query.popularity, records) {
            (Popularity::Named, _) | (_, None) => vec![named],
            (popularity, Some(records)) => of_records(study, query, &named, records, popularity),
        };
        let each = rate / asked.len().max(1) as f64;
        for domains in &asked {
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
    reads
}

/// What a query asks for when the values it names by equality are those of records.
fn of_records(
    study: &Study,
    query: &Query,
    named: &[FieldDomain],
    records: &Records,
    popularity: Popularity,
) -> Vec<Vec<FieldDomain>> {
    let equal = |name: &str| matches!(query.conditions.get(name), Some(Condition::Eq(_) | Condition::In(_)));
    let replaced: Vec<usize> = (0..study.fields.len())
        .filter(|&index| study.fields.get(index).is_some_and(|field| equal(&field.name)))
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
    let of_row = |row: usize| replaced.iter().map(|&field| value(field, row)).collect::<Option<Vec<_>>>();
    let mut values: Vec<Vec<Constant>> = every(looked_at, records.rows).filter_map(of_row).collect();
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
