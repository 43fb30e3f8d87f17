//! Columns of a batch by name or, within structs, by path: `payload.user.id`, as files of Arrow, Parquet and Avro name them.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Fields};

/// Structs within each other, as in files.
const DEEPEST: usize = 64;
/// Columns that a message lists.
const LISTED: usize = 40;

/// The column of this name. A path leads through structs, whose missing values are those of the fields in them; of several columns with
/// one name the first counts. `None` where there is no such column.
///
/// # Errors
/// Errors of Arrow for columns that contradict their types.
pub fn find(batch: &RecordBatch, name: &str) -> Result<Option<ArrayRef>, ArrowError> {
    let schema = batch.schema();
    let Some(places) = places(schema.fields(), name, 0) else {
        // A struct by its own name: its type is the problem.
        return Ok(batch.column_by_name(name).cloned());
    };
    let mut arrays = batch.columns();
    let mut missing: Option<NullBuffer> = None;
    let mut found = None;
    for place in places {
        let Some(array) = arrays.get(place) else { return Ok(None) };
        if let Some(group) = array.as_struct_opt() {
            missing = NullBuffer::union(missing.as_ref(), group.nulls());
            arrays = group.columns();
        }
        found = Some(array.clone());
    }
    match (found, missing.filter(|missing| missing.null_count() > 0)) {
        (Some(array), Some(missing)) => without(&array, &missing).map(Some),
        (found, _) => Ok(found),
    }
}

/// The place of a flat column in its struct, after those of the structs around it.
fn places(fields: &Fields, path: &str, depth: usize) -> Option<Vec<usize>> {
    if depth > DEEPEST {
        return None;
    }
    fields.iter().enumerate().find_map(|(place, field)| {
        let rest = path.strip_prefix(field.name().as_str())?;
        let mut places = match field.data_type() {
            DataType::Struct(within) => self::places(within, rest.strip_prefix('.')?, depth + 1)?,
            _ => rest.is_empty().then(Vec::new)?,
        };
        places.insert(0, place);
        Some(places)
    })
}

/// An array with more missing values.
fn without(array: &ArrayRef, missing: &NullBuffer) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == &DataType::Null {
        return Ok(array.clone());
    }
    let nulls = NullBuffer::union(Some(missing), array.nulls());
    Ok(make_array(array.to_data().into_builder().nulls(nulls).build()?))
}

/// The names of flat columns, the first of them.
pub fn names(fields: &Fields) -> Vec<String> {
    let mut names = Vec::new();
    add_names(fields, "", 0, &mut names);
    names
}

fn add_names(fields: &Fields, path: &str, depth: usize, names: &mut Vec<String>) {
    for field in fields.iter().take(LISTED) {
        let name = format!("{path}{}", field.name());
        match field.data_type() {
            DataType::Struct(within) if depth < DEEPEST => {
                add_names(within, &format!("{name}."), depth + 1, names);
            }
            _ if names.len() < LISTED => names.push(name),
            _ => return,
        }
    }
}
