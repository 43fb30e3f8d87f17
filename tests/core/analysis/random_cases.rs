//! Designs and records made by chance, each from its seed, with what the plain reading of the design says of its keys.

use rowscape::row::to_string_binary;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A number of a seed that goes on.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub fn below(&mut self, most: u64) -> u64 {
        self.roll() % most.max(1)
    }

    pub fn share(&mut self) -> f64 {
        self.roll() as f64 / u64::MAX as f64
    }

    /// A number from `least` to `most`, its logarithm uniform.
    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        (least.ln() + self.share() * (most / least).ln()).exp()
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    pub fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

/// How records come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arrival {
    Steady,
    Jittered,
    Late,
    Bursts,
    OneBusy,
    HotHour,
    Zipf,
    FewValues,
    /// Local times, of which an hour comes twice.
    HourTwice,
}

const ARRIVALS: [Arrival; 9] = [
    Arrival::Steady,
    Arrival::Jittered,
    Arrival::Late,
    Arrival::Bursts,
    Arrival::OneBusy,
    Arrival::HotHour,
    Arrival::Zipf,
    Arrival::FewValues,
    Arrival::HourTwice,
];

/// A record: who wrote it, when in milliseconds, and its number; none where it is rejected.
#[derive(Clone, Debug)]
pub struct Record {
    pub who: String,
    pub at: i64,
    pub id: Option<i64>,
}

/// Input of a key part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Who,
    At,
    Day,
    Id,
}

/// A part of a key, as one reads it in the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The value itself, at a fixed width and in order.
    Ordered(Of),
    /// Text of any length.
    Text,
    /// The time of day.
    TimeOfDay,
    /// So many bits of a digest.
    Digest(Of, u32),
    /// A hash of the value modulo a number.
    Bucket(Of, u64),
    /// The number modulo another.
    Remainder(i64),
    /// The same with Java's sign; of a hash where that is true.
    Signed(i64, bool),
    /// Java's long.
    Long,
    /// Decimal text without leading zeros.
    Digits,
    /// A salt by chance.
    Chance(u64),
    /// A separator.
    Between(&'static str),
}

/// A key, with the splits that may be tried on it.
pub struct Key {
    pub formula: &'static str,
    splits: &'static [&'static str],
    pub parts: &'static [Part],
}

const fn key(formula: &'static str, splits: &'static [&'static str], parts: &'static [Part]) -> Key {
    Key { formula, splits, parts }
}

use Of::{At, Day, Id, Who};
use Part::{Between, Bucket, Chance, Digest, Digits, Long, Ordered, Remainder, Signed, Text, TimeOfDay};

const KEYS: [Key; 29] = [
    key("id.decimal(9)", &["sample", "decimal", "hex"], &[Ordered(Id)]),
    key("at.format('yyyyMMddHHmmss') + id.decimal(9)", &["sample"], &[Ordered(At), Ordered(Id)]),
    key("at.format('HHmmss') + id.decimal(9)", &["sample"], &[TimeOfDay, Ordered(Id)]),
    key(
        "at.format('yyyyMMdd').md5().hex(8) + id.decimal(9)",
        &["hex", "sample"],
        &[Digest(Day, 32), Ordered(Id)],
    ),
    key("at.millis().int64() + id.decimal(9)", &["sample", "uniform"], &[Ordered(At), Ordered(Id)]),
    key(
        "who + '_' + at.format('yyyyMMddHHmmss') + id.decimal(9)",
        &["sample", "hex", "points", "points"],
        &[Text, Between("_"), Ordered(At), Ordered(Id)],
    ),
    key(
        "who.md5().hex(8) + at.format('yyyyMMddHHmmss') + id.decimal(9)",
        &["hex", "sample"],
        &[Digest(Who, 32), Ordered(At), Ordered(Id)],
    ),
    key("who.md5().HEX(8) + id.decimal(9)", &["hex"], &[Digest(Who, 32), Ordered(Id)]),
    key("id.decimal(9).md5().raw(8)", &["uniform", "hex"], &[Digest(Id, 64)]),
    key("id.decimal(9).md5().hex(16)", &["hex", "sample"], &[Digest(Id, 64)]),
    key("id.decimal(9).md5().hex(6)", &["hex", "sample"], &[Digest(Id, 24)]),
    key("id.decimal(9).md5().hex(10)", &["hex"], &[Digest(Id, 40)]),
    key("who.md5().hex(4) + id.decimal(9)", &["hex", "sample"], &[Digest(Who, 16), Ordered(Id)]),
    key(
        "id.floorMod(8).decimal(2) + '-' + id.decimal(9)",
        &["salts", "sample"],
        &[Remainder(8), Between("-"), Ordered(Id)],
    ),
    key("id.floorMod(4).decimal(1) + id.decimal(9)", &["sample"], &[Remainder(4), Ordered(Id)]),
    key("id.floorMod(7).decimal(1) + id.decimal(9)", &["sample"], &[Remainder(7), Ordered(Id)]),
    key(
        "bucket(who, 8).decimal(2) + '-' + at.millis().int64()",
        &["salts", "sample"],
        &[Bucket(Who, 8), Between("-"), Ordered(At)],
    ),
    key(
        "bucket(id, 8).decimal(2) + '-' + at.millis().int64() + id.decimal(9)",
        &["salts", "sample"],
        &[Bucket(Id, 8), Between("-"), Ordered(At), Ordered(Id)],
    ),
    key(
        "bucket(id, 4).decimal(1) + at.format('yyyyMMddHHmmss') + id.decimal(9)",
        &["sample", "striped", "striped", "striped"],
        &[Bucket(Id, 4), Ordered(At), Ordered(Id)],
    ),
    key(
        "bucket(id, 64).decimal(2) + '-' + at.millis().int64() + id.decimal(9)",
        &["sample"],
        &[Bucket(Id, 64), Between("-"), Ordered(At), Ordered(Id)],
    ),
    key(
        "bucket(who, 256).decimal(3) + '-' + who + '_' + id.decimal(9)",
        &["sample"],
        &[Bucket(Who, 256), Between("-"), Text, Between("_"), Ordered(Id)],
    ),
    key(
        "bucket(who, 32).decimal(2) + '-' + who + '_' + id.decimal(9)",
        &["sample"],
        &[Bucket(Who, 32), Between("-"), Text, Between("_"), Ordered(Id)],
    ),
    key("id.mod(8).decimal() + ':' + id.int64()", &["sample"], &[Signed(8, false), Between(":"), Long]),
    key(
        "who.javaHash().mod(16).decimal() + ':' + id.int64() + who",
        &["sample"],
        &[Signed(16, true), Between(":"), Long, Text],
    ),
    key("id.int64() + who", &["sample", "uniform"], &[Long, Text]),
    key("id.decimal() + '_' + who", &["sample"], &[Digits, Between("_"), Text]),
    key("who + '_' + id.decimal()", &["sample"], &[Text, Between("_"), Digits]),
    key("who + id.decimal()", &["sample"], &[Text, Digits]),
    key("salt(8).decimal(1) + id.decimal(9)", &["sample"], &[Chance(8), Ordered(Id)]),
];

/// Keys of counters, whose rows are written again and again.
const COUNTERS: [Key; 3] = [
    key("who", &["sample"], &[Text]),
    key("who.md5().hex(8)", &["hex", "sample"], &[Digest(Who, 32)]),
    key("who + '_' + at.format('yyyyMMdd')", &["sample"], &[Text, Between("_"), Ordered(Day)]),
];

/// A document with its records.
pub struct Case {
    pub document: Value,
    pub text: String,
    pub records: Vec<Record>,
    pub key: &'static Key,
    pub arrival: Arrival,
    pub asked: Vec<Asked>,
    /// Start and stop of the scan written down for the first query.
    pub scan: Option<(Vec<u8>, Vec<u8>)>,
}

impl Case {
    /// A case of up to 300,000 rows.
    pub fn new(seed: u64) -> Self {
        Self::of_at_most(seed, 300_000.0)
    }

    /// A case of 50 to `most` rows.
    pub fn of_at_most(seed: u64, most: f64) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x5851_F42D_4C95_7F2D));
        let rows = dice.between(50.0, most) as u64;
        let arrival = dice.one_of(&ARRIVALS);
        let counter = dice.one_in(10);
        let keys: &'static [Key] = if counter { &COUNTERS } else { &KEYS };
        let key = &keys[dice.below(keys.len() as u64) as usize];
        let mut document = document(&mut dice, key, arrival);
        if counter || dice.one_in(8) {
            document["writes"] = json!(if counter { "counter" } else { "upsert" });
        }
        stated_rate(&mut dice, &mut document);
        let records = records(&mut dice, rows, arrival, key);
        let mut text = String::from("who,at,id\n");
        for Record { who, at, id } in &records {
            let id = id.map_or("none".to_owned(), |id| id.to_string());
            let _ = match arrival {
                Arrival::HourTwice => writeln!(text, "{who},{},{id}", printed(*at)),
                _ => writeln!(text, "{who},{at},{id}"),
            };
        }
        Self { document, text, records, key, arrival, asked: Vec::new(), scan: None }
    }

    /// With one or two queries of things that the records hold.
    pub fn with_queries(mut self, seed: u64) -> Self {
        let mut dice = Dice(seed ^ 0x5EED);
        let one = self.records[dice.below(self.records.len() as u64) as usize].clone();
        let times = || self.records.iter().map(|row| row.at);
        let span = times().max().zip(times().min()).map_or(1, |(last, first)| last - first) as f64;
        let from = one.at - one.at.rem_euclid(1_000);
        let to = from + ((span * dice.between(0.001, 0.3)) as i64 / 1_000 + 1) * 1_000;
        let of = |kind: u64| Asked {
            who: [0, 3].contains(&kind).then(|| one.who.clone()),
            id: (kind == 1).then(|| one.id.unwrap_or(1)),
            at: (kind >= 2).then_some((from, to)),
            order: None,
        };
        for _ in 0..=dice.below(2) {
            let mut asked = of(dice.below(4));
            if dice.one_in(4) {
                asked.order = Some((dice.one_of(&[Of::At, Of::At, Of::Id]), dice.one_in(2)));
            }
            let mut query = asked.written(self.asked.len());
            if asked.who.is_some() && asked.order.is_none() && dice.one_in(2) {
                query["popularity"] = json!(dice.one_of(&["rows", "rows", "values"]));
                if dice.one_in(2) {
                    query["rate"] = json!(dice.between(100.0, 100_000.0).round());
                }
            }
            self.document["queries"].as_array_mut().expect("queries").push(query);
            self.asked.push(asked);
        }
        self
    }

    /// With a scan written down for the first query in some cases: of all rows that match, or of fewer.
    pub fn with_scan(&mut self, seed: u64, keys: &[Vec<u8>]) {
        let mut dice = Dice(seed ^ 0x5CA7);
        let Some(asked) = self.asked.first().filter(|_| dice.one_in(3)) else { return };
        let rows = self.records.iter().zip(keys).filter(|(row, key)| !key.is_empty() && asked.matches(row));
        let mut found: Vec<&Vec<u8>> = rows.map(|(_, key)| key).collect();
        found.sort();
        let kept = if dice.one_in(2) { found.len() } else { found.len() * 4 / 5 };
        if let Some((first, last)) = found.first().zip(kept.checked_sub(1).and_then(|last| found.get(last))) {
            let stop = [last.as_slice(), &[0]].concat();
            self.document["queries"][0]["scan"] = json!([to_string_binary(first), to_string_binary(&stop)]);
            self.scan = Some((first.to_vec(), stop));
        }
    }
}

/// Conditions of a query.
#[derive(Clone, Debug)]
pub struct Asked {
    pub who: Option<String>,
    pub id: Option<i64>,
    /// The second is not asked for.
    pub at: Option<(i64, i64)>,
    /// The field, and whether it is to fall.
    pub order: Option<(Of, bool)>,
}

impl Asked {
    pub fn matches(&self, record: &Record) -> bool {
        self.who.as_ref().is_none_or(|who| *who == record.who)
            && self.id.is_none_or(|id| record.id == Some(id))
            && self.at.is_none_or(|(from, to)| (from..to).contains(&record.at))
    }

    fn written(&self, number: usize) -> Value {
        let mut query = json!({ "name": format!("q{number}"), "where": {} });
        if let Some(who) = &self.who {
            query["where"]["who"] = json!(who);
        }
        if let Some(id) = self.id {
            query["where"]["id"] = json!(id);
        }
        if let Some((from, to)) = self.at {
            query["where"]["at"] = json!({ "from": iso(from), "to": iso(to) });
        }
        if let Some((field, falls)) = self.order {
            let direction = if falls { "descending" } else { "ascending" };
            query["order"] =
                json!({ "field": if field == Of::At { "at" } else { "id" }, "direction": direction });
        }
        query
    }
}

fn document(dice: &mut Dice, key: &Key, arrival: Arrival) -> Value {
    let regions = dice.between(1.0, 65.0) as u64;
    let way = dice.one_of(key.splits);
    let splits = match way {
        "decimal" => json!({ "algorithm": "DecimalStringSplit", "regions": regions.max(2) }),
        "hex" => json!({ "algorithm": "HexStringSplit", "regions": regions.max(2) }),
        "uniform" => json!({ "algorithm": "UniformSplit", "regions": regions.max(2) }),
        // Numbers of senders, of whom there may be fewer.
        "points" => {
            json!({ "points": (1..=regions).map(|region| format!("u{:04}", region * 60)).collect::<Vec<_>>() })
        }
        // The regions of a bucket are a multiple of the servers.
        "striped" => json!({ "sample": 32 }),
        "salts" => json!({ "salts": 8, "digits": 2 }),
        _ => json!({ "sample": regions }),
    };
    let format = if arrival == Arrival::HourTwice { "yyyy-MM-dd HH:mm:ss.SSS" } else { "epoch-millis" };
    let mut document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "who", "type": "text" },
            { "name": "at", "type": "time", "format": format },
            { "name": "id", "type": "integer" },
        ],
        "arrival": "at", "rowkey": key.formula, "splits": splits, "queries": [],
    });
    if way == "striped" {
        document["servers"] = json!(dice.one_of(&[4, 8]));
    } else if dice.one_in(2) {
        document["servers"] = json!(dice.one_of(&[2, 4, 4, 8, 10]));
    }
    document
}

/// A third of the documents state rows a second, a sixth rows a day.
fn stated_rate(dice: &mut Dice, document: &mut Value) {
    let per_second = dice.between(1.0, 200_000.0);
    match dice.below(6) {
        0 | 1 => document["writesPerSecond"] = json!(per_second.round()),
        2 => document["growth"] = json!({ "rowsPerDay": (per_second * 86_400.0) as u64, "months": 12 }),
        _ => {}
    }
}

fn records(dice: &mut Dice, rows: u64, arrival: Arrival, key: &Key) -> Vec<Record> {
    let refused = if dice.one_in(8) { dice.between(0.002, 0.8) } else { 0.0 };
    // A record without an id is rejected where the key asks for one.
    let refused = if key.formula.contains("id") { refused } else { 0.0 };
    let whos = match arrival {
        Arrival::FewValues => 1 + dice.below(5),
        _ => dice.between(20.0, 5_000.0) as u64,
    };
    let mark = if dice.one_in(4) { "u_" } else { "u" };
    let span = dice.between(600_000.0, 3e10);
    let step = dice.one_of(&[1, 1, 1, 2, 7, 8, 10]);
    let signed = key.parts.contains(&Long) && dice.one_in(2);
    let few_digits = key.parts.contains(&Digits) && dice.one_in(2);
    let first = if signed {
        -((rows * step / 2) as i64)
    } else if few_digits {
        1
    } else {
        1_000_000
    };
    let (burst, busy, late) =
        (dice.between(2.0, 2_000.0) as u64, 0.1 + 0.8 * dice.share(), 0.9 * dice.share());
    let doubled = if dice.one_in(6) { dice.between(0.001, 0.5) } else { 0.0 };
    let salt = dice.roll();
    let mut all: Vec<Record> = Vec::with_capacity(rows as usize);
    for row in 0..rows {
        if let Some(before) = all.last().filter(|_| doubled > 0.0 && dice.share() < doubled) {
            all.push(before.clone());
            continue;
        }
        let mut at = span * row as f64 / rows as f64;
        let mut id = first + (row * step) as i64;
        let who = match arrival {
            Arrival::Bursts => Dice(salt ^ (row / burst)).below(whos),
            Arrival::OneBusy if dice.share() < busy => 0,
            // The share of a rank falls with it.
            Arrival::Zipf => (whos as f64).powf(dice.share()) as u64,
            _ => dice.below(whos),
        };
        match arrival {
            Arrival::Jittered => id += dice.below(200) as i64 - 100,
            Arrival::Late if dice.share() < late => at += dice.share() * span / 10.0,
            Arrival::HotHour if dice.share() < 0.3 => at = span * (0.5 + 0.01 * dice.share()),
            // The clock is put back in the middle.
            Arrival::HourTwice if 2 * row >= rows => at -= 3_600_000.0,
            _ => {}
        }
        let id = (dice.share() >= refused).then_some(id);
        all.push(Record { who: format!("{mark}{who:04}"), at: 1_700_000_000_000 + at as i64, id });
    }
    all
}

/// Year, month and day of a number of days since 1970, after Howard Hinnant.
fn civil(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month, doy - (153 * mp + 2) / 5 + 1)
}

/// `yyyy-MM-dd HH:mm:ss.SSS`.
fn printed(millis: i64) -> String {
    let ((year, month, day), of_day) = (civil(millis.div_euclid(86_400_000)), millis.rem_euclid(86_400_000));
    let (seconds, rest) = (of_day / 1_000, of_day % 1_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{rest:03}")
}

/// The time in ISO 8601, in UTC.
fn iso(millis: i64) -> String {
    printed(millis).replacen(' ', "T", 1) + "Z"
}
