//! Arrow columns to the columns of records. Values are read as they are held: whole numbers, unscaled decimals, times with their
//! unit. The same records in a file of text give the same keys.

use crate::text::{Texts, type_name};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use rowscape::error::Problem;
use rowscape::field::read::FieldReading;
use rowscape::field::time::{TimeFormat, zone_offset};
use rowscape::field::{Field, Kind, float};
use rowscape::records::{Column, ColumnValues};

/// A value that is not there.
const MISSING: &str = "field.missing";
/// A number that no time of the years 1 to 9999 has.
const NO_TIME: &str = "field.not-a-time";
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// The values of a field in some records, from the Arrow columns that it is read from.
pub struct Filling<'f> {
    field: &'f Field,
    reading: FieldReading,
    /// Milliseconds that the zone of a time without one is ahead of UTC.
    offset: i64,
    /// Least and greatest time that is one.
    times: (i64, i64),
}

impl<'f> Filling<'f> {
    /// For a field.
    ///
    /// # Errors
    /// A format or a zone that is not understood.
    pub fn new(field: &'f Field) -> Result<Self, Problem> {
        let millis = TimeFormat::parse("epoch-millis", None)?;
        Ok(Self {
            field,
            reading: FieldReading::new(field)?,
            offset: zone_offset(field.zone.as_deref())?,
            times: millis.range(),
        })
    }

    /// Appends the values of an array to a column that has `row` values so far.
    ///
    /// # Errors
    /// `records.field-of-another-type` for a type that the field cannot be read from.
    pub fn append(&self, array: &ArrayRef, column: &mut Column, row: usize) -> Result<(), Problem> {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            return self.append_entries(dictionary, column, row);
        }
        match self.field.kind {
            Kind::Text => self.append_strings(array, column, row, |text, bytes| {
                bytes.extend_from_slice(text);
                Ok(())
            }),
            Kind::Bytes => match Bytes::of(array) {
                Some(values) => {
                    append_bytes(column, row, values.iter());
                    Ok(())
                }
                None => {
                    self.append_strings(array, column, row, |text, bytes| self.reading.to_bytes(text, bytes))
                }
            },
            Kind::Decimal => {
                self.append_strings(array, column, row, |text, bytes| self.reading.to_bytes(text, bytes))
            }
            _ => self.append_numbers(array, column, row),
        }
    }

    /// The values of a dictionary are read once, then its entries are looked up.
    fn append_entries(
        &self,
        dictionary: &dyn arrow_array::array::AnyDictionaryArray,
        column: &mut Column,
        row: usize,
    ) -> Result<(), Problem> {
        let mut entries = Column::new(self.field);
        self.append(dictionary.values(), &mut entries, 0)?;
        let keys = if dictionary.values().is_empty() {
            vec![0; dictionary.len()]
        } else {
            dictionary.normalized_keys()
        };
        let mut known: Vec<Option<u32>> = vec![None; dictionary.values().len()];
        for (index, &key) in keys.iter().enumerate() {
            let problem = if dictionary.is_null(index) || key >= known.len() {
                Some((Vec::new(), MISSING))
            } else if entries.invalid.get(key) {
                let told = entries.first_invalid.iter().find(|(row, ..)| *row as usize == key);
                Some(told.map_or((Vec::new(), "row.value-unusable"), |(_, text, code)| {
                    (text.as_bytes().to_vec(), *code)
                }))
            } else {
                None
            };
            match (&mut column.values, &entries.values) {
                (ColumnValues::Integers(values), ColumnValues::Integers(read)) => {
                    values.push(read.get(key).copied().filter(|_| problem.is_none()).unwrap_or_default());
                }
                (
                    ColumnValues::Strings { ids, dictionary: held },
                    ColumnValues::Strings { ids: entry, dictionary: read },
                ) => {
                    let id = match (&problem, known.get_mut(key)) {
                        (None, Some(Some(id))) => *id,
                        (None, Some(place)) => {
                            let id = held.intern(entry.get(key).map_or(&[], |&id| read.get(id)));
                            *place.insert(id)
                        }
                        _ => held.intern(&[]),
                    };
                    ids.push(id);
                }
                _ => {}
            }
            if let Some((text, code)) = problem {
                column.note_invalid(row + index, &text, code);
            }
        }
        Ok(())
    }

    /// Byte strings from the texts of values.
    fn append_strings(
        &self,
        array: &ArrayRef,
        column: &mut Column,
        row: usize,
        read: impl Fn(&[u8], &mut Vec<u8>) -> Result<(), &'static str>,
    ) -> Result<(), Problem> {
        let texts = self.texts(array)?;
        let ColumnValues::Strings { ids, dictionary } = &mut column.values else { return Ok(()) };
        let (mut text, mut bytes, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..array.len() {
            bytes.clear();
            let value = if array.is_null(index) { Err(MISSING) } else { texts.read(index, &mut text) };
            if let Err(code) = value.and_then(|text| read(text, &mut bytes)) {
                let shown = if array.is_null(index) { Vec::new() } else { text.clone() };
                refused.push((index, shown, code));
                bytes.clear();
            }
            ids.push(dictionary.intern(&bytes));
        }
        for (index, text, code) in refused {
            column.note_invalid(row + index, &text, code);
        }
        Ok(())
    }

    /// Numbers of 64 bits: as they are held where that is possible, else from the texts of values.
    fn append_numbers(&self, array: &ArrayRef, column: &mut Column, row: usize) -> Result<(), Problem> {
        if let Some(numbers) = self.numbers(array) {
            append_integers(column, row, array, |index| {
                numbers.get(index).copied().unwrap_or(Err(MISSING)).map_err(|code| (code, Vec::new()))
            });
            return Ok(());
        }
        let texts = self.texts(array)?;
        let mut text = Vec::new();
        append_integers(column, row, array, |index| {
            let value = texts.read(index, &mut text).and_then(|text| self.reading.to_number(text));
            value.map_err(|code| (code, text.clone()))
        });
        Ok(())
    }

    /// The values as numbers of 64 bits; `None` where they are to be read from texts.
    fn numbers(&self, array: &ArrayRef) -> Option<Vec<Result<i64, &'static str>>> {
        let plain = |values: &mut dyn Iterator<Item = i64>| Some(values.map(Ok).collect());
        match (self.field.kind, array.data_type()) {
            (Kind::Integer, DataType::Int8) => {
                plain(&mut array.as_primitive::<Int8Type>().values().iter().map(|&v| v.into()))
            }
            (Kind::Integer, DataType::Int16) => {
                plain(&mut array.as_primitive::<Int16Type>().values().iter().map(|&v| v.into()))
            }
            (Kind::Integer, DataType::Int32) => {
                plain(&mut array.as_primitive::<Int32Type>().values().iter().map(|&v| v.into()))
            }
            (Kind::Integer, DataType::Int64) => {
                plain(&mut array.as_primitive::<Int64Type>().values().iter().copied())
            }
            (Kind::Integer, DataType::UInt8) => {
                plain(&mut array.as_primitive::<UInt8Type>().values().iter().map(|&v| v.into()))
            }
            (Kind::Integer, DataType::UInt16) => {
                plain(&mut array.as_primitive::<UInt16Type>().values().iter().map(|&v| v.into()))
            }
            (Kind::Integer, DataType::UInt32) => {
                plain(&mut array.as_primitive::<UInt32Type>().values().iter().map(|&v| v.into()))
            }
            (Kind::Integer, DataType::UInt64) => {
                let number = |&value: &u64| i64::try_from(value).map_err(|_| "field.integer-too-large");
                Some(array.as_primitive::<UInt64Type>().values().iter().map(number).collect())
            }
            (Kind::Float, DataType::Float64) => {
                plain(&mut array.as_primitive::<Float64Type>().values().iter().map(|&v| float::bits(v)))
            }
            (Kind::Boolean, DataType::Boolean) => {
                plain(&mut array.as_boolean().values().iter().map(i64::from))
            }
            (Kind::Time, DataType::Timestamp(unit, zone)) => {
                // Without a zone it is the time that a clock shows, as in a file of text.
                let offset = if zone.is_some() { 0 } else { self.offset };
                Some(timestamps(array, *unit).map(|millis| self.time(millis, offset)).collect())
            }
            (Kind::Time, DataType::Date32) => {
                let days = array.as_primitive::<Date32Type>().values().iter();
                Some(days.map(|&day| self.time(Some(i64::from(day) * DAY), self.offset)).collect())
            }
            (Kind::Time, DataType::Date64) => {
                let millis = array.as_primitive::<Date64Type>().values().iter();
                Some(millis.map(|&millis| self.time(Some(millis), self.offset)).collect())
            }
            _ => None,
        }
    }

    fn time(&self, millis: Option<i64>, offset: i64) -> Result<i64, &'static str> {
        let time = millis.and_then(|millis| millis.checked_sub(offset));
        time.filter(|time| (self.times.0..=self.times.1).contains(time)).ok_or(NO_TIME)
    }

    /// The texts of values of these types.
    fn texts<'a>(&self, array: &'a ArrayRef) -> Result<Texts<'a>, Problem> {
        let wrong = || {
            Problem::new("records.field-of-another-type")
                .with("field", &self.field.name)
                .with("held", type_name(array.data_type()))
                .with("declared", self.field.kind.name())
                .at_field(self.field.name.clone())
        };
        Texts::of(array, self.field.kind).ok_or_else(wrong)
    }
}

/// The values of an array of timestamps in milliseconds; what is finer is dropped, towards the past.
fn timestamps(array: &ArrayRef, unit: TimeUnit) -> Box<dyn Iterator<Item = Option<i64>> + '_> {
    match unit {
        TimeUnit::Second => {
            Box::new(array.as_primitive::<TimestampSecondType>().values().iter().map(|v| v.checked_mul(1000)))
        }
        TimeUnit::Millisecond => {
            Box::new(array.as_primitive::<TimestampMillisecondType>().values().iter().map(|&v| Some(v)))
        }
        TimeUnit::Microsecond => Box::new(
            array
                .as_primitive::<TimestampMicrosecondType>()
                .values()
                .iter()
                .map(|v| Some(v.div_euclid(1000))),
        ),
        TimeUnit::Nanosecond => Box::new(
            array
                .as_primitive::<TimestampNanosecondType>()
                .values()
                .iter()
                .map(|v| Some(v.div_euclid(1_000_000))),
        ),
    }
}

fn append_integers(
    column: &mut Column,
    row: usize,
    array: &ArrayRef,
    mut value: impl FnMut(usize) -> Result<i64, (&'static str, Vec<u8>)>,
) {
    let ColumnValues::Integers(values) = &mut column.values else { return };
    let mut refused = Vec::new();
    values.extend((0..array.len()).map(|index| {
        let value = if array.is_null(index) { Err((MISSING, Vec::new())) } else { value(index) };
        value.unwrap_or_else(|(code, text)| {
            refused.push((index, text, code));
            0
        })
    }));
    for (index, text, code) in refused {
        column.note_invalid(row + index, &text, code);
    }
}

fn append_bytes<'a>(column: &mut Column, row: usize, values: impl Iterator<Item = Option<&'a [u8]>>) {
    let mut missing = Vec::new();
    let ColumnValues::Strings { ids, dictionary } = &mut column.values else { return };
    for (index, value) in values.enumerate() {
        ids.push(dictionary.intern(value.unwrap_or_default()));
        if value.is_none() {
            missing.push(row + index);
        }
    }
    missing.into_iter().for_each(|row| column.note_invalid(row, &[], MISSING));
}

/// Arrays of bytes.
enum Bytes<'a> {
    Small(&'a arrow_array::BinaryArray),
    Large(&'a arrow_array::LargeBinaryArray),
    View(&'a arrow_array::BinaryViewArray),
    Fixed(&'a arrow_array::FixedSizeBinaryArray),
}

impl<'a> Bytes<'a> {
    fn of(array: &'a ArrayRef) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Binary => Self::Small(array.as_binary::<i32>()),
            DataType::LargeBinary => Self::Large(array.as_binary::<i64>()),
            DataType::BinaryView => Self::View(array.as_binary_view()),
            DataType::FixedSizeBinary(_) => Self::Fixed(array.as_fixed_size_binary()),
            _ => return None,
        })
    }

    fn iter(self) -> Box<dyn Iterator<Item = Option<&'a [u8]>> + 'a> {
        match self {
            Self::Small(array) => Box::new(array.iter()),
            Self::Large(array) => Box::new(array.iter()),
            Self::View(array) => Box::new(array.iter()),
            Self::Fixed(array) => Box::new(array.iter()),
        }
    }
}
