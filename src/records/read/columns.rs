//! Records given field by field, not in a file.

use super::batch::FieldSpan;
use super::fill::fill;
use crate::base::Problem;
use crate::bytes::strings::ByteStrings;
use crate::records::columns::Records;
use crate::records::field::Field;
use crate::records::field::read::FieldReading;

/// The texts of a field, a record each, as they would stand in a file.
#[derive(Clone, Debug, Default)]
pub struct GivenColumn {
    /// The texts.
    pub texts: ByteStrings,
    /// The records that have none.
    pub missing: Vec<u32>,
    /// How they are written, when it is not as the field declares.
    pub format: Option<String>,
}

/// The records of which `given` has the fields, in the order of `fields`.
///
/// # Errors
/// A format that is not understood, columns of unequal lengths.
pub fn records(fields: &[Field], given: &[GivenColumn]) -> Result<Records, Problem> {
    let rows = given.first().map_or(0, |column| column.texts.len());
    if given.len() != fields.len() || given.iter().any(|column| column.texts.len() != rows) {
        return Err(Problem::new("input.unequal-columns").with("rows", rows));
    }
    let mut records = Records::new(fields);
    let widest = given.iter().map(|column| column.texts.bytes.len()).max().unwrap_or(0);
    if !records.has_room(rows, widest) {
        return Err(Problem::new("row.no-room"));
    }
    for ((column, field), given) in records.columns.iter_mut().zip(fields).zip(given) {
        let mut field = field.clone();
        if given.format.is_some() {
            field.format.clone_from(&given.format);
        }
        let reading = FieldReading::new(&field)?;
        let starts = std::iter::once(0).chain(given.texts.ends.iter().copied());
        let mut spans: Vec<FieldSpan> =
            starts.zip(&given.texts.ends).map(|(start, &end)| FieldSpan { start, end }).collect();
        for &row in &given.missing {
            if let Some(span) = spans.get_mut(row as usize) {
                *span = FieldSpan::MISSING;
            }
        }
        fill(column, &reading, &given.texts.bytes, &spans, false);
    }
    let starts: Vec<u32> = (0..rows as u32).collect();
    records.add_positions(0, 0, &starts);
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::field::Kind;

    fn given(texts: &[&str]) -> GivenColumn {
        let mut strings = ByteStrings::default();
        texts.iter().for_each(|text| strings.push(text.as_bytes()));
        GivenColumn { texts: strings, ..GivenColumn::default() }
    }

    fn field(name: &str, kind: Kind, format: Option<&str>) -> Field {
        Field {
            name: name.into(),
            kind,
            format: format.map(Into::into),
            zone: None,
            width: None,
            from: Vec::new(),
            nullable: false,
        }
    }

    #[test]
    fn columns_read_as_a_file_does() {
        let fields = [field("who", Kind::Text, None), field("at", Kind::Time, Some("yyyy-MM-dd"))];
        let who = GivenColumn { missing: vec![1], ..given(&["a", "", "c"]) };
        let records = records(&fields, &[who, given(&["1970-01-02", "1970-01-03", "?"])]).expect("columns");
        assert_eq!(records.rows, 3);
        assert_eq!(records.row_text(0), ["a", "1970-01-02"]);
        let codes = |column: usize| records.columns[column].first_invalid.first().map(|invalid| invalid.2);
        assert_eq!((codes(0), codes(1)), (Some("field.missing"), Some("field.not-a-time")));
    }

    #[test]
    fn a_format_of_its_own_stands_in_for_that_of_the_field() {
        let fields = [field("at", Kind::Time, Some("yyyy-MM-dd"))];
        let at = GivenColumn { format: Some("epoch-millis".into()), ..given(&["-86400000"]) };
        assert_eq!(records(&fields, &[at]).expect("columns").row_text(0), ["1969-12-31"]);
    }

    #[test]
    fn columns_of_unequal_lengths_are_refused() {
        let fields = [field("a", Kind::Text, None), field("b", Kind::Text, None)];
        let refused = records(&fields, &[given(&["1"]), given(&[])]).expect_err("unequal");
        assert_eq!(refused.code, "input.unequal-columns");
    }
}
