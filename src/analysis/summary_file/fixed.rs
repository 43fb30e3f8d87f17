//! Split points that follow from records, fixed beforehand: parts summarised under them agree.

use crate::analysis::require_columns;
use crate::base::Problem;
use crate::design::Document;
use crate::design::split::Splits;
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::Records;

/// The document with the split points of all its tables fixed that follow from records: as they follow from these.
///
/// # Errors
/// `input.empty` without records; those that lack a field; splits that HBase would refuse.
pub fn with_fixed_splits(mut study: Document, records: &Records) -> Result<Document, Problem> {
    let names: Vec<String> = study.fields.iter().map(|field| field.name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for design in study.tables.iter_mut().filter(|design| design.splits.need_records()) {
        if records.rows == 0 {
            return Err(Problem::new("input.empty"));
        }
        require_columns(records, &study.fields, &design.typed, None)?;
        let keys = Encoder::new(records, &names, &[&design.typed]).encode().pop().unwrap_or_default();
        let points = design.splits.points_for(&KeyTable::new(keys, 0))?;
        design.splits = Splits::Points(points.iter().map(<[u8]>::to_vec).collect());
    }
    Ok(study)
}
