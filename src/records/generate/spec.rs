//! The description of made-up records: every member has a default.

use crate::base::Problem;
use crate::base::json::members_of;
use crate::records::field::{Field, Kind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A description of the records to generate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Spec", default, deny_unknown_fields)]
pub struct GeneratorSpec {
    /// Number of records.
    pub rows: u64,
    /// Another seed gives other records of the same description.
    pub seed: u64,
    /// When the first arrives, in ISO 8601.
    pub start: String,
    /// How long it takes until the last arrives, such as `90s`, `15m`, `12h`, `1d`.
    pub span: String,
    /// Records a second; takes the place of `span`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<u64>,
    /// How arrivals spread over the hours of the day.
    pub rhythm: Rhythm,
    /// Milliseconds that all times are multiples of, counted from `start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<u32>,
    /// Records that come later than their time says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<LateRecords>,
    /// Fields whose values are drawn again while a record before has the same of all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub distinct: Vec<String>,
    /// Number of the records that this is a profile of; `None` of a description that a person wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<u64>,
    /// Where the values of each field come from.
    pub fields: Vec<GeneratedField>,
}

impl Default for GeneratorSpec {
    fn default() -> Self {
        Self {
            rows: 100_000,
            seed: 1,
            start: "2024-05-01T00:00:00Z".into(),
            span: "1d".into(),
            rate: None,
            rhythm: Rhythm::default(),
            tick: None,
            late: None,
            distinct: Vec::new(),
            profile: None,
            fields: Vec::new(),
        }
    }
}

impl GeneratorSpec {
    /// A description from the `generate` member of a design document.
    ///
    /// # Errors
    /// `generate.wrong-shape`.
    pub fn of(generate: &Value) -> Result<Self, Problem> {
        let wrong = |error| Problem::new("generate.wrong-shape").with("error", error);
        members_of(generate.clone()).map_err(wrong)
    }

    /// The fields as the description itself declares them.
    pub fn declared(&self) -> Vec<Field> {
        let field = |generated: &GeneratedField| {
            let kind = generated.kind.unwrap_or(match generated.from {
                ValueSource::Arrival => Kind::Time,
                ValueSource::Number { .. } => Kind::Integer,
                ValueSource::Sequence { digits, ref prefix, .. } if digits == 0 && prefix.is_empty() => {
                    Kind::Integer
                }
                _ => Kind::Text,
            });
            let format = generated.format.clone().or_else(|| (kind == Kind::Time).then(|| "iso8601".into()));
            Field {
                name: generated.name.clone(),
                kind,
                format,
                zone: generated.zone.clone(),
                width: None,
                from: Vec::new(),
                nullable: false,
            }
        };
        self.fields.iter().map(field).collect()
    }
}

/// Where the values of a field come from that no description names: as suits its type.
pub(super) fn suited(field: &Field) -> ValueSource {
    match field.kind {
        Kind::Time => ValueSource::Arrival,
        Kind::Integer => ValueSource::Number { min: 0, max: 999, step: 1 },
        Kind::Text => ValueSource::Entity(Entities::default()),
        Kind::Bytes if field.format.as_deref() == Some("uuid") => {
            ValueSource::Text("********-****-****-****-************".into())
        }
        Kind::Bytes => ValueSource::Text("****************".into()),
        Kind::Float | Kind::Decimal => ValueSource::Text("###.##".into()),
        Kind::Boolean => ValueSource::Choice(vec!["false".into(), "true".into()]),
    }
}

/// How arrivals spread over the hours of the day, in UTC, or over the whole span.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rhythm {
    /// Evenly.
    Flat,
    /// Few at night, most in the evening.
    #[default]
    Daily,
    /// By a weight for each of the 24 hours.
    Weights(Vec<u32>),
    /// By a weight for each of equal parts of the span.
    Curve(Vec<u32>),
}

/// Records that come later than their time says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Late", deny_unknown_fields)]
pub struct LateRecords {
    /// Late records per 100.
    pub percent: u32,
    /// How late at most, such as `2h`; evenly spread below.
    pub by: String,
}

/// A field and where its values come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneratedField {
    /// Its name.
    pub name: String,
    /// Where its values come from.
    pub from: ValueSource,
    /// Its type, when no design declares it; by default as the source suggests.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Its format, when no design declares it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Its zone, when no design declares it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Records without a value, per 10,000.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missing: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Where the values of a field come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Source", rename_all = "lowercase")]
pub enum ValueSource {
    /// The record's time.
    Arrival,
    /// One of a number of things, such as subscribers or vehicles.
    Entity(Entities),
    /// Numbers that rise by `step` with every record.
    Sequence {
        /// The first.
        #[serde(default)]
        start: i64,
        /// From one record to the next.
        #[serde(default = "one")]
        step: i64,
        /// Zeros are put in front up to so many digits.
        #[serde(default)]
        digits: u32,
        /// Text before the number.
        #[serde(default)]
        prefix: String,
        /// Records that have a number before the next comes.
        #[serde(default = "one_record", skip_serializing_if = "is_one_record")]
        every: u64,
    },
    /// Any whole number from `min` to `max`, both included.
    Number {
        /// The least.
        #[serde(default)]
        min: i64,
        /// The greatest.
        max: i64,
        /// From one possible number to the next.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        step: i64,
    },
    /// One of these texts, each as likely as the others.
    Choice(Vec<String>),
    /// Text in which `#` is a random digit, `?` a random letter A to Z and `*` a random hexadecimal digit.
    Text(String),
    /// Values by their shares, and other sources for the rest.
    Shares(Shares),
}

fn one() -> i64 {
    1
}

fn one_record() -> u64 {
    1
}

fn is_one_record(number: &u64) -> bool {
    *number == 1
}

fn is_one(number: &i64) -> bool {
    *number == 1
}

/// Values by their shares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shares {
    /// Values with their weights.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, u32)>,
    /// Where all other values come from, each with its weight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rest: Vec<(ValueSource, u32)>,
    /// Records per 10,000 that repeat the value of the record before without a draw.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeat: u32,
}

/// A number of things that records are about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Entities {
    /// How many there are.
    pub count: u64,
    /// Text before the number of each.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// Digits of the number of each.
    #[serde(skip_serializing_if = "is_six")]
    pub digits: u32,
    /// How unequal they are: the k-th most frequent weighs k^(-zipf/100); 0 for all alike.
    #[serde(skip_serializing_if = "is_zero")]
    pub zipf: u32,
    /// True if their numbers are scattered; otherwise the most frequent is 0, the next 1 and so on.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub scattered: bool,
    /// The first of them by name, in place of prefix and number: those that queries ask for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
    /// Characters after the prefix, in place of the number: `9` a digit, `a` and `A` a letter, `n` and `N` a letter or digit,
    /// `x` and `X` a hexadecimal digit, `l` a letter of either case, `w` any of these; another stands for itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub shape: String,
}

fn is_six(number: &u32) -> bool {
    *number == 6
}

impl Default for Entities {
    fn default() -> Self {
        Self {
            count: 1000,
            prefix: String::new(),
            digits: 6,
            zipf: 0,
            scattered: true,
            known: Vec::new(),
            shape: String::new(),
        }
    }
}
