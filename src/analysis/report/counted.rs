//! The report of all records that were counted, with what a sample of them tells.

use super::faults::KeyFaults;
use super::writes::WriteTraits;
use super::{BusiestValues, Report};
use crate::base::Problem;
use crate::bytes::sort::sort_distinct;
use crate::design::{Design, Document};
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::Records;
use crate::records::field::Field;
use crate::summary::Summary;

/// Most frequent values of a field that a report lists.
const TOP: usize = 10;

/// Where all records land that a summary counts as its design of this number.
///
/// # Errors
/// `report.too-many-rows`; `design.no-such-table` if the summary has no such design.
pub fn report_of(
    study: &Document,
    design: &Design,
    (summary, number): (&Summary, usize),
    sample: &Records,
) -> Result<Report, Problem> {
    let arrival = study.arrival.as_deref();
    let in_key = design.typed.parts.iter().flat_map(|part| part.fields.iter().copied());
    let mut in_key: Vec<usize> = in_key.collect();
    sort_distinct(&mut in_key);
    let fields = in_key.iter().filter_map(|&field| study.fields.get(field));
    let writes = WriteTraits::of(study, design, sample);
    let faults = faults(study, design, sample, writes);
    let counted = summary.designs.get(number);
    let counted = counted.ok_or_else(|| Problem::new("design.no-such-table").with("table", number))?;
    let mut report = Report::of_summary(counted, arrival, (writes, faults))?.on_servers(design.servers);
    if let Some(time) = report.time.as_mut().filter(|_| report.refused.count == 0) {
        time.set_period(summary.times);
    }
    report.busiest =
        fields.filter_map(|field: &Field| BusiestValues::of_summary(summary, field, TOP)).collect();
    Ok(report)
}

/// Faults of the keys of the sample.
fn faults(study: &Document, design: &Design, sample: &Records, writes: WriteTraits) -> KeyFaults {
    let typed = &design.typed;
    if !KeyFaults::may_be_in(typed, writes.kind) {
        return KeyFaults::default();
    }
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(sample, &names, &[typed]).encode().pop().unwrap_or_default();
    let table = KeyTable::new(keys, 0);
    KeyFaults::of((typed, &study.fields), (sample, &table), study.arrival.as_deref(), writes)
}
