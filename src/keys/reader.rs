//! A reader of files whose records are row keys.

use super::decode::decode;
use crate::base::Problem;
use crate::formula::typed::TypedFormula;
use crate::formula::{check, parse};
use crate::records::field::Field;
use crate::records::read::{Input, KeyFields, RecordReader, shell};
use std::fmt;

/// A reader of files of this form, which may be files of row keys.
///
/// # Errors
/// As [`RecordReader::new`]; a formula that is none over the fields of the file.
pub fn reader_of(input: &Input) -> Result<RecordReader, Problem> {
    let Some(keys) = &input.keys else { return RecordReader::new(input) };
    let is_own = |field: &&Field| field.name != shell::WRITTEN || !input.format.is_scan();
    let fields: Vec<Field> = input.fields.iter().filter(is_own).cloned().collect();
    let first = |mut problems: Vec<Problem>| problems.swap_remove(0);
    let typed = check(&parse(&keys.rowkey)?, &fields).map_err(first)?;
    RecordReader::of_keys(input, Box::new(KeyDecoder::new(typed, fields)))
}

/// Row keys of a formula, taken back to its fields.
pub struct KeyDecoder {
    typed: TypedFormula,
    fields: Vec<Field>,
    /// For each field whether a key tells it.
    told: Vec<bool>,
}

impl KeyDecoder {
    /// Keys made by a formula over these fields.
    pub fn new(typed: TypedFormula, fields: Vec<Field>) -> Self {
        let used: Vec<usize> = typed.fields_of_key().collect();
        let told = (0..fields.len()).map(|index| used.contains(&index)).collect();
        Self { typed, fields, told }
    }
}

impl fmt::Debug for KeyDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyDecoder").field("fields", &self.fields).finish_non_exhaustive()
    }
}

impl KeyFields for KeyDecoder {
    fn names(&self) -> Vec<String> {
        let told = self.fields.iter().zip(&self.told).filter(|(_, told)| **told);
        told.map(|(field, _)| field.name.clone()).collect()
    }

    fn read(&mut self, key: &[u8], cell: &mut dyn FnMut(&str)) -> Result<(), Problem> {
        let decoded = decode(&self.typed, &self.fields, key)?;
        if let Some(problem) = decoded.problems.into_iter().next() {
            return Err(problem);
        }
        let told = decoded.fields.iter().zip(&self.told).filter(|(_, told)| **told);
        told.for_each(|(field, _)| cell(field.value.as_deref().unwrap_or_default()));
        Ok(())
    }
}
