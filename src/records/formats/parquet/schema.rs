//! The schema of a Parquet file: which columns are flat, and what their values mean.

use super::super::table::{Columns, LONGEST_NAME};
use super::super::value::{Meaning, TimeUnit};
use super::thrift::{Member, Thrift};

/// Groups within each other.
const DEEPEST: usize = 64;

/// Physical types by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Physical {
    Boolean,
    Int32,
    Int64,
    Int96,
    Float,
    Double,
    Bytes,
    Fixed(usize),
}

impl Physical {
    fn new(number: i64, length: i64) -> Option<Self> {
        Some(match number {
            0 => Self::Boolean,
            1 => Self::Int32,
            2 => Self::Int64,
            3 => Self::Int96,
            4 => Self::Float,
            5 => Self::Double,
            6 => Self::Bytes,
            7 => Self::Fixed(usize::try_from(length).ok().filter(|&length| length > 0)?),
            _ => return None,
        })
    }

    /// Bytes of a value, where all have as many.
    pub const fn width(self) -> Option<usize> {
        Some(match self {
            Self::Int32 | Self::Float => 4,
            Self::Int64 | Self::Double => 8,
            Self::Int96 => 12,
            Self::Fixed(width) => width,
            Self::Boolean | Self::Bytes => return None,
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Boolean => "BOOLEAN",
            Self::Int32 => "INT32",
            Self::Int64 => "INT64",
            Self::Int96 => "INT96",
            Self::Float => "FLOAT",
            Self::Double => "DOUBLE",
            Self::Bytes => "BYTE_ARRAY",
            Self::Fixed(_) => "FIXED_LEN_BYTE_ARRAY",
        }
    }
}

/// A column that is read.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its place among all columns of the file.
    pub index: usize,
    pub physical: Physical,
    /// The definition level of a value that is there.
    pub levels: u32,
}

/// The schema as far as it is read.
#[derive(Debug, Default)]
pub struct Schema {
    pub columns: Columns,
    /// For each column that is read how it is stored.
    pub leaves: Vec<Leaf>,
    /// Columns of the file, also those that are left out.
    pub width: usize,
}

/// An element of the schema as it is stored.
#[derive(Debug, Default)]
pub struct Element {
    physical: Option<i64>,
    length: i64,
    repetition: i64,
    name: String,
    children: i64,
    converted: Option<i64>,
    scale: i64,
    logical: Option<(i64, Logical)>,
}

/// Members of a logical type.
#[derive(Clone, Copy, Debug, Default)]
struct Logical {
    scale: i64,
    unit: i64,
    utc: bool,
    bits: i64,
    signed: bool,
}

const REQUIRED: i64 = 0;
const REPEATED: i64 = 2;

impl Element {
    /// Reads one.
    pub fn read(thrift: &mut Thrift<'_>) -> Option<Self> {
        let mut element = Self::default();
        thrift.members(|thrift, member| {
            match member.id {
                1 => element.physical = Some(thrift.integer(member)?),
                2 => element.length = thrift.integer(member)?,
                3 => element.repetition = thrift.integer(member)?,
                4 => element.name = String::from_utf8_lossy(thrift.bytes(member)?).into_owned(),
                5 => element.children = thrift.integer(member)?,
                6 => element.converted = Some(thrift.integer(member)?),
                7 => element.scale = thrift.integer(member)?,
                10 => element.logical = Some(logical(thrift, member)?),
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some(element)
    }

    /// The meaning of its values, and the name of its type; `None` when they are not read.
    fn meaning(&self, physical: Physical) -> (Option<Meaning>, String) {
        let (by_logical, name) = match self.logical {
            Some((number, logical)) => of_logical(number, logical, physical),
            None => of_converted(self.converted, self.scale, physical),
        };
        let plain = match physical {
            Physical::Boolean => Meaning::Boolean,
            Physical::Int32 | Physical::Int64 => Meaning::Integer,
            Physical::Int96 => Meaning::Julian,
            Physical::Float | Physical::Double => Meaning::Float,
            Physical::Bytes | Physical::Fixed(_) => Meaning::Binary,
        };
        match by_logical {
            Known::Meaning(meaning) => (Some(meaning), name),
            Known::NotRead => (None, name),
            Known::Plain => (Some(plain), physical.name().to_owned()),
        }
    }
}

/// The number of a logical type and its members.
fn logical(thrift: &mut Thrift<'_>, member: Member) -> Option<(i64, Logical)> {
    thrift.is_struct(member)?;
    let (mut number, mut found) = (0, Logical { signed: true, ..Logical::default() });
    thrift.members(|thrift, kind| {
        thrift.is_struct(kind)?;
        number = kind.id;
        thrift.members(|thrift, member| {
            match (kind.id, member.id) {
                (5, 1) => found.scale = thrift.integer(member)?,
                (7 | 8, 1) => found.utc = thrift.boolean(member)?,
                (7 | 8, 2) => {
                    thrift.is_struct(member)?;
                    thrift.members(|thrift, unit| {
                        found.unit = unit.id;
                        thrift.is_struct(unit)?;
                        Some(false)
                    })?;
                }
                (10, 1) => found.bits = thrift.integer(member)?,
                (10, 2) => found.signed = thrift.boolean(member)?,
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some(true)
    })?;
    Some((number, found))
}

/// A type as its annotation tells it.
enum Known {
    Meaning(Meaning),
    NotRead,
    /// Nothing: the physical type decides.
    Plain,
}

fn of_logical(number: i64, logical: Logical, physical: Physical) -> (Known, String) {
    let unit = match logical.unit {
        1 => TimeUnit::Millis,
        2 => TimeUnit::Micros,
        _ => TimeUnit::Nanos,
    };
    let is_number = matches!(physical, Physical::Int32 | Physical::Int64);
    let is_bytes = matches!(physical, Physical::Bytes | Physical::Fixed(_));
    let (meaning, name) = match number {
        1 if is_bytes => (Meaning::Text, "STRING".to_owned()),
        4 if is_bytes => (Meaning::Text, "ENUM".to_owned()),
        5 if is_number || is_bytes => (
            match Meaning::decimal(logical.scale) {
                Some(meaning) => meaning,
                None => return (Known::NotRead, format!("DECIMAL, scale {}", logical.scale)),
            },
            format!("DECIMAL, scale {}", logical.scale),
        ),
        6 if is_number => (Meaning::Days, "DATE".to_owned()),
        7 if is_number => (Meaning::TimeOfDay(unit), format!("TIME, {}", unit_name(unit))),
        8 if is_number => {
            let zone = if logical.utc { "UTC" } else { "local" };
            (Meaning::Timestamp(unit, logical.utc), format!("TIMESTAMP, {}, {zone}", unit_name(unit)))
        }
        10 if is_number && logical.signed => (Meaning::Integer, format!("INT{}", logical.bits)),
        10 if is_number => {
            (Meaning::Unsigned(logical.bits.clamp(1, 64) as u32), format!("UINT{}", logical.bits))
        }
        11 => (Meaning::Nothing, "NULL".to_owned()),
        12 if is_bytes => (Meaning::Text, "JSON".to_owned()),
        13 if is_bytes => (Meaning::Binary, "BSON".to_owned()),
        14 if physical == Physical::Fixed(16) => (Meaning::Uuid, "UUID".to_owned()),
        15 if physical == Physical::Fixed(2) => (Meaning::Half, "FLOAT16".to_owned()),
        _ => return (Known::Plain, String::new()),
    };
    (Known::Meaning(meaning), name)
}

/// The name of a unit in the specification.
const fn unit_name(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Seconds => "SECONDS",
        TimeUnit::Millis => "MILLIS",
        TimeUnit::Micros => "MICROS",
        TimeUnit::Nanos => "NANOS",
    }
}

/// By the annotations of older files.
fn of_converted(converted: Option<i64>, scale: i64, physical: Physical) -> (Known, String) {
    let number = match converted {
        None => return (Known::Plain, String::new()),
        Some(0) => 1,
        Some(4) => 4,
        Some(5) => 5,
        Some(6) => 6,
        Some(7 | 8) => 7,
        Some(9 | 10) => 8,
        Some(11..=18) => 10,
        Some(19) => 12,
        Some(20) => 13,
        Some(21) => return (Known::NotRead, "INTERVAL".to_owned()),
        Some(_) => return (Known::Plain, String::new()),
    };
    let converted = converted.unwrap_or_default();
    let logical = Logical {
        scale,
        unit: if matches!(converted, 7 | 9) { 1 } else { 2 },
        utc: true,
        bits: 8 << ((converted - 11).rem_euclid(4)),
        signed: converted > 14,
    };
    of_logical(number, logical, physical)
}

/// Puts the elements of a schema, which come in order of depth, together. `None` when they don't fit each other.
pub fn schema(elements: Vec<Element>) -> Option<Schema> {
    let mut schema = Schema::default();
    let mut elements = elements.into_iter();
    let root = elements.next()?;
    children(&mut elements, root.children, &Path::default(), &mut schema)?;
    elements.next().is_none().then_some(schema)
}

/// Where an element lies.
#[derive(Clone, Debug, Default)]
struct Path {
    name: String,
    levels: u32,
    depth: usize,
    /// Within a list or a map, which was told.
    left_out: bool,
}

fn children(
    elements: &mut impl Iterator<Item = Element>,
    count: i64,
    path: &Path,
    schema: &mut Schema,
) -> Option<()> {
    if path.depth > DEEPEST {
        return None;
    }
    for _ in 0..count {
        let element = elements.next()?;
        let name =
            if path.depth == 0 { element.name.clone() } else { format!("{}.{}", path.name, element.name) };
        (name.len() <= LONGEST_NAME).then_some(())?;
        let mut own = Path {
            name,
            levels: path.levels + u32::from(element.repetition != REQUIRED),
            depth: path.depth + 1,
            left_out: path.left_out,
        };
        let of_many = match (element.logical.map(|(number, _)| number), element.converted) {
            (Some(2), _) | (None, Some(1 | 2)) => Some("MAP"),
            (Some(3), _) | (None, Some(3)) => Some("LIST"),
            _ => (element.repetition == REPEATED).then_some("repeated"),
        };
        if let Some(kind) = of_many
            && !own.left_out
        {
            schema.columns.add(&own.name, kind.to_owned(), None);
            own.left_out = true;
        }
        match element.physical {
            Some(physical) if element.children == 0 => {
                leaf(&element, Physical::new(physical, element.length)?, own, schema)?;
            }
            _ => children(elements, element.children, &own, schema)?,
        }
    }
    Some(())
}

fn leaf(element: &Element, physical: Physical, path: Path, schema: &mut Schema) -> Option<()> {
    let index = schema.width;
    schema.width += 1;
    if path.left_out {
        return Some(());
    }
    let (meaning, kind) = element.meaning(physical);
    if schema.columns.add(&path.name, kind, meaning) {
        schema.leaves.push(Leaf { index, physical, levels: path.levels });
    }
    Some(())
}
