//! Row keys as the search speaks of them: fields in an order, each in a form, and what spreads them.

use super::identity::Identity;
use super::profile::{FieldProfile, Profile};
use crate::base::units::{DAY, HOUR, SECOND};
use crate::formula::name_in_formula;
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind};

/// How many times as great as the greatest known a number may become.
const ROOM: i64 = 1000;

/// How a field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// In few bytes that keep its order and leave room.
    Shortest,
    /// Text as a number: its digits, or that of a lookup table.
    Compact,
    /// As text that a person reads.
    Text,
    /// The newest time first.
    NewestFirst,
    /// Its digits or letters from the last to the first.
    Reversed,
}

/// A part of a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum KeyPart {
    /// A field.
    Field {
        /// Its index.
        field: usize,
        /// How it is written.
        form: Form,
    },
    /// The beginning of the period that holds a time.
    Period {
        /// The time.
        field: usize,
        /// Its length in milliseconds.
        length: i64,
    },
    /// A whole number divided by `count`: so many of them share one.
    Numbers {
        /// The number.
        field: usize,
        /// How many.
        count: i64,
    },
    /// A number below `count` computed from fields.
    Bucket {
        /// The fields.
        of: Vec<usize>,
        /// How many buckets.
        count: u32,
    },
    /// The first bytes of a digest of a field.
    Hash {
        /// The field.
        field: usize,
        /// How many.
        bytes: u32,
    },
    /// The second of a time, modulo `count`.
    Second {
        /// The time.
        field: usize,
        /// How many buckets.
        count: u32,
    },
    /// A random number below `count`.
    Random {
        /// How many salts.
        count: u32,
    },
    /// A number below `count` computed from all that follows, as Phoenix does.
    Salt {
        /// How many salts.
        count: u32,
    },
    /// As a document has it.
    Given {
        /// The formula of the part.
        text: String,
        /// The fields that can be read from it.
        holds: Vec<usize>,
    },
}

/// A row key.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeyPlan {
    /// Its parts.
    pub parts: Vec<KeyPart>,
}

impl KeyPlan {
    /// Fields one after the other, each in its shortest form.
    pub fn of_fields(fields: &[usize]) -> Self {
        let part = |&field: &usize| KeyPart::Field { field, form: Form::Shortest };
        Self { parts: fields.iter().map(part).collect() }
    }

    /// The fields that can be read from it, in order.
    pub fn fields(&self) -> Vec<usize> {
        let mut fields = Vec::new();
        for part in &self.parts {
            match part {
                KeyPart::Field { field, .. } => fields.push(*field),
                KeyPart::Given { holds, .. } => fields.extend(holds),
                _ => {}
            }
        }
        fields
    }

    /// With a part in front.
    pub fn behind(&self, part: KeyPart) -> Self {
        Self { parts: std::iter::once(part).chain(self.parts.iter().cloned()).collect() }
    }

    /// With a part at a place.
    pub fn with(&self, at: usize, part: KeyPart) -> Self {
        let mut parts = self.parts.clone();
        parts.insert(at.min(parts.len()), part);
        Self { parts }
    }

    /// Without the part at a place.
    pub fn without(&self, at: usize) -> Self {
        let kept = self.parts.iter().enumerate().filter(|(place, _)| *place != at);
        Self { parts: kept.map(|(_, part)| part.clone()).collect() }
    }

    /// With the part at a place replaced.
    pub fn replaced(&self, at: usize, part: KeyPart) -> Self {
        self.without(at).with(at, part)
    }

    /// With texts as numbers where they can be.
    pub fn compact(&self) -> Self {
        let part = |part: &KeyPart| match part {
            KeyPart::Field { field, form: Form::Shortest } => {
                KeyPart::Field { field: *field, form: Form::Compact }
            }
            other => other.clone(),
        };
        Self { parts: self.parts.iter().map(part).collect() }
    }

    /// With the other identity of its records, if a salt is not made of what it lacks then.
    pub fn with_other_identity(&self, identity: &Identity, tested: &[usize]) -> Option<Self> {
        let (without, with) = identity.other(&self.fields(), tested)?;
        let mut parts = self.parts.clone();
        parts.retain(|part| !matches!(part, KeyPart::Field { field, .. } if Some(*field) == without));
        let lacks = |part: &KeyPart| without.is_some_and(|field| part.made_of().contains(&field));
        let added = Self::of_fields(&with).parts;
        (!parts.iter().any(lacks)).then(|| Self { parts: [parts, added].concat() })
    }

    /// True if it holds a field as text that has a shorter form.
    pub fn is_text(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, KeyPart::Field { form: Form::Text, .. }))
    }

    /// True if it holds all parts of another key that a document wrote.
    pub fn holds_given_of(&self, other: &Self) -> bool {
        let mut given = other.parts.iter().filter(|part| matches!(part, KeyPart::Given { .. }));
        given.all(|part| self.parts.contains(part))
    }

    /// True if it holds a part that a document wrote.
    pub fn is_given(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, KeyPart::Given { .. }))
    }

    /// The buckets in front, if it begins with some.
    pub fn buckets(&self) -> Option<u32> {
        match self.parts.first()? {
            KeyPart::Bucket { count, .. }
            | KeyPart::Second { count, .. }
            | KeyPart::Random { count }
            | KeyPart::Salt { count } => Some(*count),
            _ => None,
        }
    }

    /// How much there is to explain: the simpler of two keys that do the same is suggested.
    pub fn complexity(&self) -> usize {
        let of = |part: &KeyPart| match part {
            KeyPart::Field { form: Form::Shortest, .. } | KeyPart::Given { .. } => 1,
            KeyPart::Field { .. } | KeyPart::Hash { .. } | KeyPart::Salt { .. } => 2,
            KeyPart::Period { .. }
            | KeyPart::Numbers { .. }
            | KeyPart::Bucket { .. }
            | KeyPart::Second { .. } => 3,
            KeyPart::Random { .. } => 9,
        };
        self.parts.iter().map(of).sum()
    }

    /// How many fields of which these records have one value stand behind others: what is the same here and given by queries is better
    /// in front of what is not.
    pub fn late_constants(&self, profile: &Profile) -> usize {
        let fields = self.fields();
        let first = fields.iter().take_while(|&&field| profile.is_constant(field)).count();
        fields.iter().filter(|&&field| profile.is_constant(field)).count() - first
    }

    /// Its formula.
    pub fn formula(&self, fields: &[Field], profile: &Profile) -> String {
        let last = self.parts.len().saturating_sub(1);
        let texts = self.parts.iter().enumerate().map(|(at, part)| part.formula(fields, profile, at == last));
        texts.collect::<Vec<String>>().join(" + ")
    }
}

impl KeyPart {
    /// With another number of buckets.
    pub fn with_count(&self, count: u32) -> Self {
        match self.clone() {
            Self::Bucket { of, .. } => Self::Bucket { of, count },
            Self::Second { field, .. } => Self::Second { field, count },
            Self::Salt { .. } => Self::Salt { count },
            other => other,
        }
    }

    /// The fields that it is made of.
    pub fn made_of(&self) -> &[usize] {
        match self {
            Self::Field { field, .. }
            | Self::Period { field, .. }
            | Self::Numbers { field, .. }
            | Self::Second { field, .. }
            | Self::Hash { field, .. } => std::slice::from_ref(field),
            Self::Bucket { of, .. } => of,
            Self::Given { holds, .. } => holds,
            Self::Random { .. } | Self::Salt { .. } => &[],
        }
    }

    /// Its formula; one in the middle of a key ends itself.
    pub fn formula(&self, fields: &[Field], profile: &Profile, last: bool) -> String {
        match self {
            Self::Field { field, form } => written(*field, *form, fields, profile, last),
            Self::Period { field, length } => {
                let name = name_of(fields, *field);
                match *length {
                    DAY.. => format!("{name}.truncate('{}d').seconds().uint32()", length / DAY),
                    HOUR.. => format!("{name}.truncate('{}h').seconds().uint32()", length / HOUR),
                    _ => format!("{name}.truncate('{}m').seconds().uint32()", length / (60 * SECOND)),
                }
            }
            Self::Numbers { field, count } => {
                let [_, most] = profile.of(*field).and_then(FieldProfile::integers).unwrap_or_default();
                let divided = format!("{}.div({count})", name_of(fields, *field));
                unsigned(&divided, most.saturating_mul(ROOM) / count)
            }
            Self::Bucket { of, count } => {
                let of: Vec<String> = of.iter().map(|&field| as_text(field, fields)).collect();
                format!("bucket({}, {count}).uint8()", of.join(", "))
            }
            Self::Second { field, count } => {
                format!("{}.seconds().floorMod({count}).uint8()", name_of(fields, *field))
            }
            Self::Hash { field, bytes } => format!("{}.md5().raw({bytes})", hashed(*field, fields)),
            Self::Random { count } => format!("salt({count}).uint8()"),
            Self::Salt { count } => format!("rest.phoenixSalt({count})"),
            Self::Given { text, .. } => text.clone(),
        }
    }
}

/// A field's name as formulas write it.
pub(super) fn name_of(fields: &[Field], field: usize) -> String {
    fields.get(field).map(|field| name_in_formula(&field.name)).unwrap_or_default()
}

fn kind_of(fields: &[Field], field: usize) -> Kind {
    fields.get(field).map_or(Kind::Text, |field| field.kind)
}

/// A value as an argument of a bucket: text, or a number written in decimal.
fn as_text(field: usize, fields: &[Field]) -> String {
    let name = name_of(fields, field);
    match kind_of(fields, field) {
        Kind::Text | Kind::Integer => name,
        Kind::Time => format!("{name}.millis()"),
        Kind::Bytes => format!("{name}.hex()"),
        Kind::Float | Kind::Decimal | Kind::Boolean => format!("{name}.string()"),
    }
}

/// A value as what a digest is taken of.
fn hashed(field: usize, fields: &[Field]) -> String {
    let name = name_of(fields, field);
    match kind_of(fields, field) {
        Kind::Text | Kind::Bytes => name,
        Kind::Integer => format!("{name}.decimal()"),
        Kind::Time => format!("{name}.millis().decimal()"),
        Kind::Float | Kind::Decimal | Kind::Boolean => format!("{name}.string()"),
    }
}

pub(super) fn written(field: usize, form: Form, fields: &[Field], profile: &Profile, last: bool) -> String {
    let name = name_of(fields, field);
    let Some(of) = profile.of(field) else { return name };
    let fixed = fields
        .get(field)
        .is_some_and(|field| field.width.is_some() || field.format.as_deref() == Some("uuid"));
    let ended = |text: String, is_text: bool| match (last || fixed, is_text && of.zero_free) {
        (true, _) => text,
        (_, true) => format!("{text}.terminated()"),
        _ => format!("{text}.escaped()"),
    };
    match kind_of(fields, field) {
        Kind::Text if form == Form::Reversed => ended(format!("{name}.reverse()"), true),
        Kind::Text if form == Form::Compact => match (of.digits, &of.lookup) {
            (Some(most), _) => unsigned(&format!("{name}.number()"), most),
            (_, Some(table)) => unsigned(&format!("{name}.lookup('{table}')"), of.most_names()),
            _ => ended(name, true),
        },
        Kind::Text => ended(name, true),
        Kind::Bytes => ended(name, false),
        Kind::Integer => {
            let [least, most] = with_room(&of.name, of.integers().unwrap_or_default());
            integer(&name, form, [least, most.max(of.to_come)])
        }
        Kind::Time => time(&name, form, fields.get(field), of.integers().unwrap_or_default()),
        Kind::Float => format!("{name}.ordered.float64('asc')"),
        Kind::Decimal => format!("{name}.ordered.numeric('asc')"),
        Kind::Boolean => format!("{name}.boolean()"),
    }
}

/// Numbers that names promise never to be greater, by the last word of the name.
const BOUNDED: [(&str, i64); 7] = [
    ("port", 65_535),
    ("hour", 23),
    ("minute", 59),
    ("second", 59),
    ("month", 12),
    ("day", 366),
    ("weekday", 7),
];

/// The least and the greatest number that there is room for: those that a name promises, else a thousand times the greatest known.
fn with_room(name: &str, [least, most]: [i64; 2]) -> [i64; 2] {
    let name = name.to_ascii_lowercase();
    let bound = BOUNDED.iter().find(|(word, bound)| {
        let before =
            name.strip_suffix(word).map(|rest| rest.ends_with(|last: char| last.is_ascii_alphabetic()));
        before == Some(false) && least >= 0 && most <= *bound
    });
    bound.map_or([least.saturating_mul(ROOM), most.saturating_mul(ROOM)], |&(_, bound)| [0, bound])
}

/// A number from 0 to `most` in the fewest bytes.
pub(super) fn unsigned(name: &str, most: i64) -> String {
    let bits = [8, 16, 24, 32].into_iter().find(|bits| most < 1 << bits);
    bits.map_or_else(|| format!("{name}.int64()"), |bits| format!("{name}.uint{bits}()"))
}

/// Whole numbers in the smallest width that holds these.
fn integer(name: &str, form: Form, [least, most]: [i64; 2]) -> String {
    let digits = || most.to_string().len();
    match form {
        Form::Reversed if least >= 0 => format!("{name}.decimal({}).reverse()", digits()),
        Form::Text if least >= 0 => format!("{name}.decimal({})", digits()),
        _ if least >= 0 => unsigned(name, most),
        _ if least >= i64::from(i32::MIN) && most <= i64::from(i32::MAX) => {
            format!("{name}.ordered.int32('asc')")
        }
        _ => format!("{name}.ordered.int64('asc')"),
    }
}

/// The seconds of four unsigned bytes end in 2106.
const LAST_SECOND: i64 = (u32::MAX as i64) * SECOND;

/// True if all times of a field are whole seconds.
pub(super) fn is_in_seconds(field: &Field) -> bool {
    let format = field.format.as_deref();
    let format = format.and_then(|format| TimeFormat::parse(format, field.zone.as_deref()).ok());
    format.is_some_and(|format| format.resolution() % SECOND == 0)
}

fn time(name: &str, form: Form, field: Option<&Field>, [first, last]: [i64; 2]) -> String {
    let whole_seconds = field.is_some_and(is_in_seconds);
    match form {
        Form::NewestFirst => format!("{name}.millis().reverseLong().int64()"),
        Form::Text if whole_seconds => format!("{name}.format('yyyyMMddHHmmss')"),
        Form::Text => format!("{name}.format('yyyyMMddHHmmssSSS')"),
        _ if whole_seconds && first >= 0 && last <= LAST_SECOND => format!("{name}.seconds().uint32()"),
        _ if first >= 0 => format!("{name}.millis().int64()"),
        _ => format!("{name}.millis().ordered.int64('asc')"),
    }
}
