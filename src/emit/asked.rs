//! The queries of a table with their plans, as all emitted code that reads takes them.

use super::subject::EmitSubject;
use crate::base::Problem;
use crate::base::json::item;
use crate::design::Query;
use crate::scan::{self, FieldDomain, PlanKind, PlanTemplate, QueryPlan, StampedTimes};

/// A query and how it is answered.
pub(super) struct AskedQuery<'a> {
    pub query: &'a Query,
    /// Its name; `query 2` where it has none.
    pub name: String,
    /// Its conditions, by index of the field.
    pub domains: Vec<FieldDomain>,
    pub plan: QueryPlan,
    /// How the ranges follow from the values asked for.
    pub template: Option<PlanTemplate<'a>>,
    /// The timestamps of the cells that are read, where it bounds them, with the name of their field.
    pub times: Option<(StampedTimes, &'a str)>,
}

/// The queries of the table.
///
/// # Errors
/// `emit.no-queries` where there are none; the first problem of a query.
pub(super) fn queries<'a>(subject: &EmitSubject<'a>) -> Result<Vec<AskedQuery<'a>>, Problem> {
    let EmitSubject { study, design, .. } = *subject;
    let mut all = Vec::new();
    for (index, query) in study.queries.iter().enumerate() {
        if query.table.as_ref().is_some_and(|table| *table != design.name) {
            continue;
        }
        let domains = scan::read(query, &study.fields, &item("queries", index));
        let domains = domains.map_err(|problems| {
            problems.into_iter().next().unwrap_or_else(|| Problem::new("emit.no-queries"))
        })?;
        // A query of other kinds is none of this one.
        let kind = design.of_kind.as_deref();
        let domains = match kind {
            Some(kind) => scan::domains_of_kind(kind, &design.typed, &domains),
            None => Some(domains),
        };
        let Some(domains) = domains else { continue };
        let mut plan = scan::plan(&design.typed, &study.fields, query, &domains);
        kind.into_iter().for_each(|kind| scan::among_kinds(&mut plan, kind));
        let template = scan::template(&design.typed, &study.fields, query, &domains, &plan);
        let scans = matches!(plan.kind, PlanKind::Scan | PlanKind::FullScan);
        let times = scan::stamped_times(design, &study.fields, &domains).filter(|_| scans);
        let times = times.zip(design.stamped());
        let name = match query.name.trim() {
            "" => format!("query {}", index + 1),
            name => name.to_owned(),
        };
        all.push(AskedQuery { query, name, domains, plan, template, times });
    }
    if all.is_empty() { Err(Problem::new("emit.no-queries")) } else { Ok(all) }
}
