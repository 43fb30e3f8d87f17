//! Designs and records made by chance, each from its seed.

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
}

const ARRIVALS: [Arrival; 8] = [
    Arrival::Steady,
    Arrival::Jittered,
    Arrival::Late,
    Arrival::Bursts,
    Arrival::OneBusy,
    Arrival::HotHour,
    Arrival::Zipf,
    Arrival::FewValues,
];

/// Keys, with splits that may fit them.
const KEYS: [(&str, &[&str]); 13] = [
    ("id.decimal(9)", &["sample", "decimal", "hex"]),
    ("at.format('yyyyMMddHHmmss') + id.decimal(9)", &["sample"]),
    ("at.format('HHmmss') + id.decimal(9)", &["sample"]),
    ("at.format('yyyyMMdd').md5().hex(8) + id.decimal(9)", &["hex", "sample"]),
    ("at.millis().int64() + id.decimal(9)", &["sample", "uniform"]),
    ("who + '_' + at.format('yyyyMMddHHmmss') + id.decimal(9)", &["sample", "hex"]),
    ("who.md5().hex(8) + at.format('yyyyMMddHHmmss') + id.decimal(9)", &["hex", "sample"]),
    ("who.md5().HEX(8) + id.decimal(9)", &["hex"]),
    ("id.decimal(9).md5().raw(8)", &["uniform", "hex"]),
    ("id.decimal(9).md5().hex(16)", &["hex", "sample"]),
    ("id.floorMod(8).decimal(2) + '-' + id.decimal(9)", &["salts", "sample"]),
    ("id.floorMod(4).decimal(1) + id.decimal(9)", &["sample"]),
    ("bucket(who, 8).decimal(2) + '-' + at.millis().int64()", &["salts", "sample"]),
];

/// A document with its records.
pub struct Case {
    pub document: Value,
    pub text: String,
    pub refused: u64,
    pub rows: u64,
    pub arrival: Arrival,
}

impl Case {
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x5851_F42D_4C95_7F2D));
        let rows = dice.between(50.0, if seed.is_multiple_of(16) { 300_000.0 } else { 20_000.0 }) as u64;
        let arrival = dice.one_of(&ARRIVALS);
        let (rowkey, splits) = dice.one_of(&KEYS);
        let regions = dice.between(2.0, 64.0) as u64;
        let splits = match dice.one_of(splits) {
            "decimal" => json!({ "algorithm": "DecimalStringSplit", "regions": regions }),
            "hex" => json!({ "algorithm": "HexStringSplit", "regions": regions }),
            "uniform" => json!({ "algorithm": "UniformSplit", "regions": regions }),
            "salts" => json!({ "salts": 8, "digits": 2 }),
            _ => json!({ "sample": regions }),
        };
        let mut document = json!({
            "rowscape": 1,
            "fields": [
                { "name": "who", "type": "text" },
                { "name": "at", "type": "time", "format": "epoch-millis" },
                { "name": "id", "type": "integer" },
            ],
            "arrival": "at", "rowkey": rowkey, "splits": splits,
        });
        if dice.below(2) == 0 {
            document["servers"] = json!(dice.one_of(&[2, 4, 4, 8, 10]));
        }
        let refused = if dice.below(8) == 0 { dice.between(0.002, 0.8) } else { 0.0 };
        let (text, refused) = records(&mut dice, rows, arrival, refused);
        // A record without an id is rejected where the key asks for one.
        let refused = if rowkey.contains("id.") { refused } else { 0 };
        Self { document, text, refused, rows, arrival }
    }

    /// With one or two queries in every third case.
    pub fn with_queries(mut self, seed: u64) -> Self {
        let mut dice = Dice(seed ^ 0x5EED);
        let hour = json!({ "from": "2023-11-14T23:00:00Z", "to": "2023-11-15T00:00:00Z" });
        let all = [
            json!({ "name": "one who", "where": { "who": "u0007" } }),
            json!({ "name": "an id", "where": { "id": 1_000_010 } }),
            json!({ "name": "an hour", "where": { "at": hour } }),
            json!({ "name": "an hour of one", "where": { "who": "u0007", "at": hour } }),
        ];
        if dice.below(3) == 0 {
            let (first, second) = (dice.below(4) as usize, dice.below(4) as usize);
            let mut queries = vec![all[first].clone()];
            queries.extend((second != first).then(|| all[second].clone()));
            self.document["queries"] = json!(queries);
        }
        self
    }
}

fn records(dice: &mut Dice, rows: u64, arrival: Arrival, refused: f64) -> (String, u64) {
    let mut text = String::from("who,at,id\n");
    let whos = match arrival {
        Arrival::FewValues => 1 + dice.below(5),
        _ => dice.between(20.0, 5_000.0) as u64,
    };
    let span = dice.between(600_000.0, 3e10);
    let step = dice.one_of(&[1, 1, 1, 2, 7, 8, 10]);
    let (burst, busy, late) =
        (dice.between(2.0, 2_000.0) as u64, 0.1 + 0.8 * dice.share(), 0.9 * dice.share());
    let salt = dice.roll();
    let mut none = 0;
    for row in 0..rows {
        let mut at = span * row as f64 / rows as f64;
        let mut id = 1_000_000 + row * step;
        let who = match arrival {
            Arrival::Bursts => Dice(salt ^ (row / burst)).below(whos),
            Arrival::OneBusy if dice.share() < busy => 0,
            // The share of a rank falls with it.
            Arrival::Zipf => (whos as f64).powf(dice.share()) as u64,
            _ => dice.below(whos),
        };
        match arrival {
            Arrival::Jittered => id = id.saturating_add_signed(dice.below(200) as i64 - 100),
            Arrival::Late if dice.share() < late => at += dice.share() * span / 10.0,
            Arrival::HotHour if dice.share() < 0.3 => at = span * (0.5 + 0.01 * dice.share()),
            _ => {}
        }
        let is_refused = dice.share() < refused;
        none += u64::from(is_refused);
        let id = if is_refused { "none".to_owned() } else { id.to_string() };
        let _ = writeln!(text, "u{who:04},{},{id}", 1_700_000_000_000 + at as u64);
    }
    (text, none)
}
