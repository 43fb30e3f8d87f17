//! Row keys of known products, told by what only their keys have.

use crate::bytes::row::to_string_binary;
use crate::formula::typed::TypedFormula;
use crate::formula::{check, parse};
use crate::keys::decode::{DecodedField, decode};
use crate::records::field::{Field, Kind};

/// Keys that are looked at.
const TRIED: usize = 2000;
/// Fewest keys.
const FEWEST: usize = 20;
/// Most keys out of so many that may be of another kind.
const OTHERS: usize = 50;
/// First and last moment that a time of a table is expected to be, in milliseconds: 2000 and 2035.
const TIMES: (i64, i64) = (946_684_800_000, 2_051_222_400_000);
/// The time of rows of OpenTSDB, in seconds.
const HOUR: &str = "hour";
/// Most tags of a series of OpenTSDB, and the buckets of its salt unless it is told otherwise.
const TAGS: usize = 8;
const BUCKETS: u32 = 20;

/// A table of a product.
pub(super) struct ProductTable {
    /// The product.
    pub product: &'static str,
    /// Its table.
    pub table: &'static str,
    /// The fields of its row key.
    pub fields: Vec<Field>,
    /// The formula.
    pub rowkey: String,
    /// A row key that every such table has.
    known: Option<&'static str>,
}

impl ProductTable {
    fn new(product: &'static str, table: &'static str, fields: &[(&str, Kind)], rowkey: &str) -> Self {
        let field = |&(name, kind): &(&str, Kind)| Field {
            name: name.to_owned(),
            kind,
            format: (kind == Kind::Time)
                .then(|| if name == HOUR { "epoch-seconds" } else { "epoch-millis" }.to_owned()),
            zone: None,
            width: None,
            from: Vec::new(),
            nullable: false,
        };
        let fields = fields.iter().map(field).collect();
        Self { product, table, fields, rowkey: rowkey.to_owned(), known: None }
    }

    /// Rows of OpenTSDB with so many tags.
    fn open_tsdb(tags: usize, salted: bool) -> Self {
        let pairs: Vec<String> =
            (1..=tags).flat_map(|tag| [format!("tagk{tag}"), format!("tagv{tag}")]).collect();
        let fields: Vec<(&str, Kind)> = [("metric", Kind::Integer), (HOUR, Kind::Time)]
            .into_iter()
            .chain(pairs.iter().map(|name| (name.as_str(), Kind::Integer)))
            .collect();
        let ids: String = pairs.iter().map(|name| format!(", {name}.uint24()")).collect();
        let row: String = pairs.iter().map(|name| format!(" + {name}.uint24()")).collect();
        let row = format!("metric.uint24() + hour.seconds().uint32(){row}");
        let salt = format!("join('', metric.uint24(){ids}).opentsdbSalt({BUCKETS}) + ");
        let rowkey = if salted { salt + &row } else { row };
        Self::new("OpenTSDB", "tsdb", &fields, &rowkey)
    }

    /// All tables that are known.
    fn all() -> impl Iterator<Item = Self> {
        use Kind::{Integer, Text, Time};
        let salt = |bytes: &str, buckets: u32| {
            format!("{bytes}.bytesHash().and(2147483647).mod({buckets}).uint8() + ")
        };
        let app = "app_started.millis().reverseLong().int64() + app_number.phoenix.integer('desc')";
        let run = "flow + '!' + run.millis().reverseLong().int64() + '!'";
        let index = "application.text(24) + accepted.millis().reverseLong().int64() + slot.uint8()";
        let trace = "agent.text(24) + started.millis().int64() + sequence.int64()";
        let entity = "type + '!' + prefix.int64() + '!' + entity";
        let column = ["tenant", "schema", "table_name", "column_name", "family"];
        let named = [
            Self::new(
                "Pinpoint",
                "ApplicationTraceIndex",
                &[("application", Text), ("accepted", Time), ("slot", Integer)],
                &format!("{}{index}", salt("rest", 32)),
            ),
            Self::new(
                "Pinpoint",
                "TraceV2",
                &[("agent", Text), ("started", Time), ("sequence", Integer)],
                &format!("{}{trace}", salt("sequence.int64()", 256)),
            ),
            Self::new(
                "YARN timeline service v2",
                "application",
                &[
                    ("cluster", Text),
                    ("user", Text),
                    ("flow", Text),
                    ("run", Time),
                    ("app_started", Time),
                    ("app_number", Integer),
                ],
                &format!("cluster + '!' + user + '!' + {run} + {app}"),
            ),
            Self::new(
                "YARN timeline service v2",
                "entity",
                &[
                    ("user", Text),
                    ("cluster", Text),
                    ("flow", Text),
                    ("run", Time),
                    ("app_started", Time),
                    ("app_number", Integer),
                    ("type", Text),
                    ("prefix", Integer),
                    ("entity", Text),
                ],
                &format!("user + '!' + cluster + '!' + {run} + {app} + '!' + {entity}"),
            ),
            Self {
                known: Some("\\x00SYSTEM\\x00CATALOG\\x00\\x00"),
                ..Self::new(
                    "Phoenix",
                    "SYSTEM.CATALOG",
                    &column.map(|name| (name, Text)),
                    &column.join(" + x'00' + "),
                )
            },
        ];
        let series = (1..=TAGS).flat_map(|tags| [true, false].map(|salted| Self::open_tsdb(tags, salted)));
        named.into_iter().chain(series)
    }

    /// The table that has such keys.
    pub fn of(keys: &[&[u8]]) -> Option<Self> {
        if keys.len() < FEWEST {
            return None;
        }
        let tried = super::sampled::some_of(keys, TRIED);
        Self::all().find(|table| table.has(&tried, keys))
    }

    fn has(&self, tried: &[&[u8]], keys: &[&[u8]]) -> bool {
        let Some(typed) = parse(&self.rowkey).ok().and_then(|formula| check(&formula, &self.fields).ok())
        else {
            return false;
        };
        let known = self.known.is_none_or(|known| keys.iter().any(|key| to_string_binary(key) == known));
        let mut left = tried.len() / OTHERS;
        known
            && tried.iter().all(|key| {
                let is_own = self.makes(&typed, key);
                let spared = !is_own && left > 0;
                left -= usize::from(spared);
                is_own || spared
            })
    }

    /// True if a key is made of values that such a table has.
    fn makes(&self, typed: &TypedFormula, key: &[u8]) -> bool {
        let Ok(decoded) = decode(typed, &self.fields, key) else { return false };
        let values = decoded.fields.iter().zip(&self.fields);
        decoded.problems.is_empty()
            && values.clone().all(|(value, field)| self.is_likely(value, field))
            && are_sorted_tags(&decoded.fields)
    }

    fn is_likely(&self, value: &DecodedField, field: &Field) -> bool {
        let Some(text) = value.value.as_deref() else { return false };
        let number = || text.parse::<i64>().unwrap_or(-1);
        match field.kind {
            Kind::Time if field.name == HOUR => {
                number() % 3600 == 0 && (TIMES.0..TIMES.1).contains(&(number().saturating_mul(1000)))
            }
            Kind::Time => (TIMES.0..TIMES.1).contains(&number()),
            Kind::Text => {
                (self.known.is_some() || !text.is_empty())
                    && !text.contains(|char: char| char.is_control() || char == '!')
            }
            // Numbers of names begin with 1.
            _ => field.name == "slot" || field.name == "sequence" || field.name == "prefix" || number() > 0,
        }
    }
}

/// OpenTSDB writes tags in the order of the numbers of their names.
fn are_sorted_tags(fields: &[DecodedField]) -> bool {
    let names = fields.iter().filter(|field| field.name.starts_with("tagk"));
    let numbers: Vec<i64> = names.filter_map(|field| field.value.as_deref()?.parse().ok()).collect();
    numbers.is_sorted_by(|a, b| a < b)
}
