//! Fields of a row that its cells store, for a job whose new keys need what the old ones do not tell.

use super::decoder::decoded;
use super::language::Language;
use super::lower::CodeWriter;
use super::names::hex;
use super::subject::EmitSubject;
use crate::design::Design;
use crate::formula::typed::TypedFormula;

/// The code that reads a field from a cell.
pub(super) struct StoredField {
    /// The declaration of its variable.
    pub declared: String,
    /// The method that reads it back from the value of the cell.
    pub method: String,
}

/// The first cell that tells a field of the old design, by its index: in a family that both tables have, with one qualifier, of rows
/// that are written once, as the versions of others may tell several.
pub(super) fn stored(
    from: &EmitSubject<'_>,
    to: &Design,
    (index, names): (usize, &[String]),
    language: &Language,
) -> Option<StoredField> {
    let design = from.design;
    let kept = |name: &str| to.families.is_empty() || to.families.iter().any(|family| family.name == name);
    if !design.writes.is_append() {
        return None;
    }
    let mut columns = design.columns.iter().zip(&design.typed.columns);
    columns.find_map(|(&(family, cell), column)| {
        let family = design.families.get(family).filter(|family| kept(&family.name))?;
        let cell = family.cells.get(cell).filter(|cell| !cell.value.is_packed())?;
        let qualifier = cell.qualifier.bytes()?;
        let body = read_back(from, column.value.as_ref()?, (index, names), language)?;
        let (field, name) = (from.study.fields.get(index)?, names.get(index)?);
        // A parameter is declared as its type and its name.
        let declared = language.parameter(field.kind, name);
        let method = format!("{name}Stored");
        let [family, qualifier] =
            [family.name.as_bytes(), &qualifier].map(|bytes| (language.bytes)(&hex(bytes)));
        Some(StoredField {
            declared: format!("        {declared} = {method}(stored(cells, {family}, {qualifier}));\n"),
            method: format!(
                "    private static {} {{\n{body}        return {name};\n    }}\n\n",
                language.parameter(field.kind, &format!("{method}(byte[] row)"))
            ),
        })
    })
}

/// The statements that read a value back, if they tell the field.
fn read_back(
    from: &EmitSubject<'_>,
    value: &TypedFormula,
    (index, names): (usize, &[String]),
    language: &Language,
) -> Option<String> {
    let fields = &from.study.fields;
    let mut writer = CodeWriter::new(language, fields, names.to_vec());
    let read = decoded(value, fields, &mut writer).ok()?;
    read.known.contains(&index).then_some(read.code)
}
