//! The schema of Arrow data: which columns are flat, and how every field lies in a record batch.

use super::super::table::{Columns, LONGEST_NAME};
use super::super::value::{Meaning, TimeUnit};
use super::flat::Flat;
use crate::base::limits::COLUMNS;

/// Fields within each other.
const DEEPEST: usize = 64;
/// Bytes of the name of a time zone.
const LONGEST_ZONE: usize = 256;

/// How the values of a field lie in its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// None: all are missing.
    Nothing,
    /// One bit each.
    Bits,
    /// So many bytes each.
    Fixed(usize),
    /// Offsets of 4 or 8 bytes into the bytes of all.
    Offsets(usize),
    /// Views of 16 bytes, and any number of buffers.
    Views,
    /// Only its fields have values.
    Struct,
    /// Values of this many buffers, which are not read; true if one of them says what is missing.
    Other(usize),
}

/// A field of the schema in order of depth, as the buffers of a batch are.
#[derive(Clone, Debug)]
pub struct Slot {
    pub layout: Layout,
    /// The field around it, by its place.
    pub parent: Option<usize>,
    /// It has a value for each row: only structs are around it.
    pub is_flat: bool,
    pub dictionary: Option<Dictionary>,
    pub is_signed: bool,
    pub has_validity: bool,
}

/// The values that a field has the places of.
#[derive(Clone, Debug)]
pub struct Dictionary {
    pub id: i64,
    /// How its values lie.
    pub layout: Layout,
    pub is_signed: bool,
}

/// The schema as far as it is read.
#[derive(Debug, Default)]
pub struct Schema {
    pub slots: Vec<Slot>,
    pub columns: Columns,
    /// For each column that is read its place among `slots`.
    pub leaves: Vec<usize>,
    /// Tables that may still be met.
    tables: usize,
}

impl Schema {
    /// Counts a table.
    fn meet(&mut self) -> Option<()> {
        self.tables = self.tables.checked_sub(1)?;
        Some(())
    }
}

/// Where a field lies.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a str,
    parent: Option<usize>,
    depth: usize,
    is_flat: bool,
}

/// A type: how its values lie, what they mean, its name. No meaning: they are not read.
struct Type {
    layout: Layout,
    meaning: Option<Meaning>,
    name: String,
    is_signed: bool,
    has_validity: bool,
}

/// Reads the schema. `None` when it is damaged, or has more fields than there may be.
pub fn schema(table: Flat<'_>) -> Option<Schema> {
    let mut schema = Schema { tables: table.most_tables(), ..Schema::default() };
    for field in table.tables(1)? {
        add(field?, Place { path: "", parent: None, depth: 0, is_flat: true }, &mut schema)?;
    }
    Some(schema)
}

fn add(field: Flat<'_>, place: Place<'_>, schema: &mut Schema) -> Option<()> {
    schema.meet()?;
    let is_full = schema.slots.len() as u64 >= 2 * COLUMNS.most;
    let own_name = field.text(0).unwrap_or_default();
    if place.depth > DEEPEST || is_full || place.path.len() + own_name.len() > LONGEST_NAME {
        return None;
    }
    let name = String::from_utf8_lossy(own_name);
    let name = if place.depth == 0 { name.into_owned() } else { format!("{}.{name}", place.path) };
    let mut found = type_of(field, schema)?;
    let dictionary = match field.table(4) {
        None => None,
        Some(encoding) => {
            let values = found;
            let bits = encoding.table(1).map_or(Some(32), |index| index.int(0));
            let is_signed = encoding.table(1).is_none_or(|index| index.truth(1));
            found = Type {
                layout: Layout::Fixed(usize::try_from(bits?).ok()? / 8),
                name: format!("dictionary of {}", values.name),
                is_signed,
                has_validity: true,
                meaning: values.meaning,
            };
            let (layout, is_signed) = (values.layout, values.is_signed);
            Some(Dictionary { id: encoding.long(0).unwrap_or_default(), layout, is_signed })
        }
    };
    let own = schema.slots.len();
    let is_dictionary = dictionary.is_some();
    schema.slots.push(Slot {
        layout: found.layout,
        parent: place.parent,
        is_flat: place.is_flat,
        dictionary,
        is_signed: found.is_signed,
        has_validity: found.has_validity,
    });
    let is_struct = found.layout == Layout::Struct && !is_dictionary;
    if place.is_flat && !is_struct && schema.columns.add(&name, found.name, found.meaning) {
        schema.leaves.push(own);
    }
    // The fields of a dictionary's values lie with the dictionary.
    if !is_dictionary {
        let is_flat = place.is_flat && is_struct;
        for child in field.tables(5)? {
            let within = Place { path: &name, parent: Some(own), depth: place.depth + 1, is_flat };
            add(child?, within, schema)?;
        }
    }
    Some(())
}

/// The unit of a time, as its number.
fn unit(number: Option<i16>) -> TimeUnit {
    match number {
        Some(1) => TimeUnit::Millis,
        Some(2) => TimeUnit::Micros,
        Some(3) => TimeUnit::Nanos,
        _ => TimeUnit::Seconds,
    }
}

/// The name of a unit as Arrow has it.
const fn unit_name(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Seconds => "s",
        TimeUnit::Millis => "ms",
        TimeUnit::Micros => "us",
        TimeUnit::Nanos => "ns",
    }
}

fn type_of(field: Flat<'_>, schema: &mut Schema) -> Option<Type> {
    let number = field.byte(2)?;
    // A table without members may be missing.
    let table = field.table(3);
    let int = |index: usize| table.and_then(|table| table.int(index));
    let short = |index: usize| table.and_then(|table| table.short(index));
    let bytes = |bits: i32| usize::try_from(bits).ok().map(|bits| bits / 8);
    let mut is_signed = true;
    let (layout, meaning, name) = match number {
        1 => (Layout::Nothing, Some(Meaning::Nothing), "null".to_owned()),
        2 => {
            let bits = int(0)?;
            is_signed = table.is_some_and(|table| table.truth(1));
            let meaning =
                if is_signed { Meaning::Integer } else { Meaning::Unsigned(u32::try_from(bits).ok()?) };
            (
                Layout::Fixed(bytes(bits)?),
                Some(meaning),
                format!("{}int{bits}", if is_signed { "" } else { "u" }),
            )
        }
        3 => match short(0).unwrap_or_default() {
            0 => (Layout::Fixed(2), Some(Meaning::Half), "float16".to_owned()),
            1 => (Layout::Fixed(4), Some(Meaning::Float), "float32".to_owned()),
            _ => (Layout::Fixed(8), Some(Meaning::Float), "float64".to_owned()),
        },
        4 => (Layout::Offsets(4), Some(Meaning::Binary), "binary".to_owned()),
        5 => (Layout::Offsets(4), Some(Meaning::Text), "utf8".to_owned()),
        6 => (Layout::Bits, Some(Meaning::Boolean), "bool".to_owned()),
        7 => {
            let (precision, scale) = (int(0).unwrap_or_default(), int(1).unwrap_or_default());
            let width = bytes(int(2).unwrap_or(128))?;
            let meaning = Meaning::decimal(i64::from(scale));
            (Layout::Fixed(width), meaning, format!("decimal({precision}, {scale})"))
        }
        8 => match short(0).unwrap_or(1) {
            0 => (Layout::Fixed(4), Some(Meaning::Days), "date32".to_owned()),
            _ => (Layout::Fixed(8), Some(Meaning::DayMillis), "date64".to_owned()),
        },
        9 => {
            let (unit, bits) = (unit(short(0).or(Some(1))), int(1).unwrap_or(32));
            (
                Layout::Fixed(bytes(bits)?),
                Some(Meaning::TimeOfDay(unit)),
                format!("time({})", unit_name(unit)),
            )
        }
        10 => {
            let unit = unit(short(0));
            let zone = table.and_then(|table| table.text(1)).filter(|zone| !zone.is_empty());
            let shown = match zone.map(|zone| zone.get(..LONGEST_ZONE).unwrap_or(zone)) {
                Some(zone) => format!(", {}", String::from_utf8_lossy(zone)),
                None => String::new(),
            };
            let meaning = Meaning::Timestamp(unit, zone.is_some());
            (Layout::Fixed(8), Some(meaning), format!("timestamp({}{shown})", unit_name(unit)))
        }
        11 => {
            let width = if short(0).unwrap_or_default() == 0 { 4 } else { 8 };
            let width = if short(0) == Some(2) { 16 } else { width };
            (Layout::Fixed(width), None, "interval".to_owned())
        }
        13 => (Layout::Struct, None, "struct".to_owned()),
        14 => {
            // Without a buffer of what is missing since version 5 of the metadata.
            let is_dense = short(0).unwrap_or_default() == 1;
            (Layout::Other(1 + usize::from(is_dense)), None, "union".to_owned())
        }
        15 => {
            let width = usize::try_from(int(0).unwrap_or_default()).ok()?;
            let is_uuid = width == 16 && extension(field, schema)? == Some(b"arrow.uuid");
            let (meaning, name) = if is_uuid {
                (Meaning::Uuid, "uuid".to_owned())
            } else {
                (Meaning::Binary, format!("binary({width})"))
            };
            (Layout::Fixed(width), Some(meaning), name)
        }
        16 => (Layout::Other(0), None, "list".to_owned()),
        18 => {
            let unit = unit(short(0).or(Some(1)));
            (Layout::Fixed(8), Some(Meaning::Integer), format!("duration({})", unit_name(unit)))
        }
        19 => (Layout::Offsets(8), Some(Meaning::Binary), "large_binary".to_owned()),
        20 => (Layout::Offsets(8), Some(Meaning::Text), "large_utf8".to_owned()),
        12 | 17 | 21 => {
            let name = if number == 17 { "map" } else { "list" };
            (Layout::Other(1), None, name.to_owned())
        }
        22 => (Layout::Nothing, None, "run_end_encoded".to_owned()),
        23 => (Layout::Views, Some(Meaning::Binary), "binary_view".to_owned()),
        24 => (Layout::Views, Some(Meaning::Text), "utf8_view".to_owned()),
        25 | 26 => (Layout::Other(2), None, "list_view".to_owned()),
        _ => return None,
    };
    let has_validity = !matches!(number, 1 | 14 | 22);
    Some(Type { layout, meaning, name, is_signed, has_validity })
}

/// The name of the extension that a field is of.
fn extension<'a>(field: Flat<'a>, schema: &mut Schema) -> Option<Option<&'a [u8]>> {
    for pair in field.tables(6)? {
        schema.meet()?;
        let pair = pair?;
        if pair.text(0) == Some(b"ARROW:extension:name") {
            return Some(pair.text(1));
        }
    }
    Some(None)
}
