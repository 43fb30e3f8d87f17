//! Records that hold what a design needs.

use crate::base::Problem;
use crate::formula::typed::TypedFormula;
use crate::records::field::Field;
use crate::records::{Column, Records};

/// Refuses records that lack a column of a field that the formula or the time axis needs, or hold one of another type.
pub(crate) fn require_columns(
    records: &Records,
    fields: &[Field],
    typed: &TypedFormula,
    arrival: Option<&str>,
) -> Result<(), Problem> {
    for field in typed.fields().filter_map(|field| fields.get(field)) {
        let held = column_of(records, &field.name)?;
        if held.field.kind != field.kind {
            return Err(Problem::new("records.field-of-another-type")
                .with("field", &field.name)
                .with("held", held.field.kind.name())
                .with("declared", field.kind.name())
                .at_field(field.name.clone()));
        }
    }
    arrival.map_or(Ok(()), |name| column_of(records, name).map(|_| ()))
}

fn column_of<'a>(records: &'a Records, name: &str) -> Result<&'a Column, Problem> {
    records
        .column(name)
        .ok_or_else(|| Problem::new("records.field-not-held").with("field", name).at_field(name))
}
