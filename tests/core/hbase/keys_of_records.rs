//! Row keys with their records beside them: keys are written here byte by byte, without formulas, and the formula that is found has to make them all.

use crate::common::random::Random;
use rowscape::bytes::strings::ByteStrings;
use rowscape::hash;
use rowscape::hbase::row_keys::{KeysOfRecords, guess_file, guess_with_records};
use rowscape::records::Records;
use rowscape::records::guess::SaidOfFile;
use rowscape::row::to_string_binary;
use std::collections::HashSet;

/// A record as it was made up.
struct Call {
    phone: u64,
    user: String,
    host: String,
    job: (u64, u64),
    city: &'static str,
    id: u64,
    status: u64,
    cost: u64,
    at: u64,
    uuid: [u8; 16],
}

const CITIES: [&str; 7] = ["Berlin", "Paris", "Seoul", "Beijing", "Rome", "New York", "Oslo"];

impl Call {
    fn random(random: &mut Random, users: u64, start: u64, span: u64, id: u64) -> Self {
        let mut uuid = [0; 16];
        uuid.iter_mut().for_each(|byte| *byte = random.next() as u8);
        (uuid[6], uuid[8]) = (uuid[6] & 15 | 64, uuid[8] & 63 | 128);
        Self {
            phone: 13_800_000_000 + random.below(users) * 7919 % 99_999_999,
            user: format!("user{}", random.below(users * 3)),
            host: format!(
                "{}.{}.example.{}",
                random.of(&["web", "db", "cache"]),
                random.below(40),
                random.of(&["com", "org"])
            ),
            job: (1_600_000_000_000 + random.below(4) * 86_400_000, random.below(5000)),
            city: random.of(&CITIES),
            id: 100_000 + id * 3,
            status: random.below(6),
            cost: random.below(100_000),
            at: start + random.below(span),
            uuid,
        }
    }

    fn uuid(&self) -> String {
        let hex: String = self.uuid.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }

    fn line(&self) -> String {
        let day = date(self.at, '-', 'T', ':');
        format!(
            "{},{},{},application_{}_{:04},{},{},{},{},{day}.{:03}Z,{}\n",
            self.phone,
            self.user,
            self.host,
            self.job.0,
            self.job.1,
            self.city,
            self.id,
            self.status,
            self.cost,
            self.at % 1000,
            self.uuid()
        )
    }
}

const HEAD: &str = "phone,user,host,job,city,id,status,cost,at,uuid\n";

/// A date and time, between whose parts these characters stand, if any: NUL is none.
fn date(millis: u64, in_day: char, between: char, in_time: char) -> String {
    let days = millis / 86_400_000 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let second = millis / 1000 % 86_400;
    let text = format!(
        "{year:04}{in_day}{month:02}{in_day}{of_month:02}{between}{:02}{in_time}{:02}{in_time}{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60
    );
    text.replace('\0', "")
}

/// A piece of a key: the field that it is of, whether its length varies, and its bytes.
type Piece = (&'static str, bool, fn(&Call) -> Vec<u8>);

const PIECES: [Piece; 32] = [
    ("phone", false, |call| call.phone.to_string().into_bytes()),
    ("phone", false, |call| call.phone.to_string().chars().rev().collect::<String>().into_bytes()),
    ("phone", false, |call| call.phone.to_be_bytes().to_vec()),
    ("phone", false, |call| call.phone.to_string().as_bytes()[7..].to_vec()),
    ("user", true, |call| call.user.clone().into_bytes()),
    ("user", false, |call| {
        let mut bytes = call.user.clone().into_bytes();
        bytes.resize(24, 0);
        bytes
    }),
    ("user", true, |call| call.user.to_uppercase().into_bytes()),
    ("host", true, |call| call.host.clone().into_bytes()),
    ("host", true, |call| call.host.rsplit('.').collect::<Vec<_>>().join(".").into_bytes()),
    ("host", true, |call| call.host.split('.').next().unwrap_or_default().as_bytes().to_vec()),
    ("job", false, |call| (i64::MAX as u64 - call.job.0).to_be_bytes().to_vec()),
    ("job", true, |call| format!("{:04}", call.job.1).into_bytes()),
    ("job", true, |call| format!("application_{}_{:04}", call.job.0, call.job.1).into_bytes()),
    ("city", true, |call| call.city.as_bytes().to_vec()),
    ("city", false, |call| call.city.as_bytes()[..3].to_vec()),
    ("id", false, |call| call.id.to_be_bytes().to_vec()),
    ("id", false, |call| (call.id as u32).to_be_bytes().to_vec()),
    ("id", false, |call| format!("{:010}", call.id).into_bytes()),
    ("id", false, |call| format!("{:010}", call.id).chars().rev().collect::<String>().into_bytes()),
    ("id", false, |call| (call.id as u32 ^ (1 << 31)).to_be_bytes().to_vec()),
    ("status", false, |call| vec![call.status as u8]),
    ("status", false, |call| call.status.to_string().into_bytes()),
    ("status", false, |call| (call.status as u16).to_be_bytes().to_vec()),
    ("at", false, |call| call.at.to_be_bytes().to_vec()),
    ("at", false, |call| (i64::MAX as u64 - call.at).to_be_bytes().to_vec()),
    ("at", false, |call| ((call.at / 3_600_000 * 3600) as u32).to_be_bytes().to_vec()),
    ("at", false, |call| date(call.at, '\0', '\0', '\0').into_bytes()),
    ("at", false, |call| date(call.at, '-', ' ', ':').as_bytes()[..10].to_vec()),
    ("at", false, |call| (i64::MAX as u64 - call.at).to_string().into_bytes()),
    ("at", false, |call| (call.at ^ (1 << 63)).to_be_bytes().to_vec()),
    ("uuid", false, |call| call.uuid.to_vec()),
    ("uuid", false, |call| call.uuid().into_bytes()),
];

/// A salt by its hash, and its bytes.
type Salt = (&'static str, fn(&[u8]) -> Vec<u8>);

const SALTS: [Salt; 7] = [
    ("md5", |bytes| hex(&md5(bytes)).as_bytes()[..4].to_vec()),
    ("md5", |bytes| md5(bytes)[..2].to_vec()),
    ("sha1", |bytes| hex(&hash::sha1(bytes))[..8].to_uppercase().into_bytes()),
    ("javaHash", |bytes| vec![hash::java_string(bytes).expect("text").rem_euclid(32) as u8]),
    ("javaHash", |bytes| {
        format!("{:02}_", hash::java_string(bytes).expect("text").rem_euclid(20)).into_bytes()
    }),
    ("crc32", |bytes| format!("{}|", hash::crc32(bytes) % 16).into_bytes()),
    ("murmur3", |bytes| hash::murmur3(bytes, 0).to_be_bytes().to_vec()),
];

fn md5(bytes: &[u8]) -> [u8; 16] {
    let (mut message, mut digest) = (ByteStrings::default(), ByteStrings::default());
    message.push(bytes);
    hash::md5::digests(&message, &mut digest);
    digest.get(0).try_into().expect("16 bytes")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of a call that a salt is made of, and the fields in it.
type Salted = (&'static [&'static str], fn(&Call) -> String);

const SALTED: [Salted; 5] = [
    (&["phone"], |call| call.phone.to_string()),
    (&["user"], |call| call.user.clone()),
    (&["host"], |call| call.host.clone()),
    (&["id"], |call| call.id.to_string()),
    (&["phone", "user"], |call| format!("{}_{}", call.phone, call.user)),
];

/// The fields that a formula is over, in their order.
fn fields_of(formula: &str) -> Vec<&str> {
    let names: Vec<&str> = HEAD.trim().split(',').collect();
    let words = formula.split(|char: char| !char.is_ascii_alphanumeric());
    words.filter(|word| names.contains(word)).collect()
}

fn records(csv: &str) -> Records {
    let guess = guess_file(csv.as_bytes(), "calls.csv", &SaidOfFile::default(), false).guess;
    crate::common::csv_records(&guess.input.fields, csv)
}

fn found(csv: &str, keys: &[Vec<u8>]) -> Option<KeysOfRecords> {
    let text: String = keys.iter().map(|key| to_string_binary(key) + "\n").collect();
    let said = SaidOfFile::default();
    let file = guess_file(text.as_bytes(), "keys.txt", &said, true);
    guess_with_records(text.as_bytes(), &said, &file, &records(csv)).map(|(_, found)| found)
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn formulas_of_keys_are_found_with_their_records() {
    let (first, cases) = (setting("FIRST", 1), setting("CASES", 6));
    let (mut pieces_of_all, mut hits, mut whole, mut all) = (0, 0, 0, 0);
    for seed in first..first + cases {
        let mut random = Random(seed);
        let count = random.of(&[100, 400, 2000]);
        let users = random.of(&[50, 500, 100_000]);
        let (start, span) =
            (1_500_000_000_000 + random.below(1 << 37), random.of(&[86_400_000, 30 * 86_400_000]));
        let calls: Vec<Call> =
            (0..count).map(|id| Call::random(&mut random, users, start, span, id)).collect();
        let mut pieces: Vec<Piece> = Vec::new();
        while pieces.len() < 1 + random.below(4) as usize {
            let piece = random.of(&PIECES);
            if pieces.iter().all(|(field, ..)| *field != piece.0) {
                pieces.push(piece);
            }
        }
        let separator = random.of(&["", "_", "|", "-", "\0", "#"]);
        let salt = (random.below(5) < 2).then(|| (random.of(&SALTS), random.of(&SALTED)));
        let key_with = |call: &Call, salt: Option<(Salt, Salted)>| {
            let mut key = Vec::new();
            if let Some(((_, salt), (_, text))) = salt {
                key.extend(salt(text(call).as_bytes()));
            }
            for (at, (_, varies, bytes)) in pieces.iter().enumerate() {
                key.extend(bytes(call));
                if at + 1 < pieces.len() {
                    let between = if *varies && separator.is_empty() { "!" } else { separator };
                    key.extend(between.as_bytes());
                }
            }
            key
        };
        // Nobody can tell which record a key comes from that says nothing more of it than a salt.
        let plain: HashSet<Vec<u8>> = calls.iter().map(|call| key_with(call, None)).collect();
        let salt = salt.filter(|_| plain.len() == calls.len());
        let mut keys: Vec<Vec<u8>> = calls.iter().map(|call| key_with(call, salt)).collect();
        keys.sort();
        keys.dedup();
        // One of them may have less than the other.
        let mut csv: String = calls.iter().map(Call::line).collect();
        match random.below(4) {
            0 => keys.truncate(keys.len() / 3 + 5),
            1 => csv = csv.lines().take(calls.len() / 2 + 5).map(|line| format!("{line}\n")).collect(),
            _ => {}
        }
        if keys.len() < 40 {
            continue;
        }
        all += 1;
        let mut expected: Vec<&str> =
            salt.iter().flat_map(|(_, (fields, _))| fields.iter().copied()).collect();
        expected.extend(pieces.iter().map(|(field, ..)| *field));
        let result = found(&(HEAD.to_owned() + &csv), &keys);
        let formula = result.as_ref().map_or("", |found| found.rowkey.as_str());
        let fields = fields_of(formula);
        let right = fields.iter().zip(&expected).filter(|(a, b)| a == b).count();
        let is_whole = fields == expected && salt.is_none_or(|((hash, _), _)| formula.contains(hash));
        (pieces_of_all, hits, whole) =
            (pieces_of_all + expected.len(), hits + right, whole + u64::from(is_whole));
        if !is_whole && std::env::var("SHOW").is_ok() {
            println!(
                "{seed}: {expected:?} of {count}, {users} users, {salt:?} → {formula}",
                salt = salt.map(|((hash, _), _)| hash)
            );
            println!("      {}", keys.first().map(|key| to_string_binary(key)).unwrap_or_default());
            println!("      {}", keys.last().map(|key| to_string_binary(key)).unwrap_or_default());
        }
    }
    println!("fields {hits} of {pieces_of_all}; formulas {whole} of {all}");
    assert!(hits * 100 >= pieces_of_all * 90);
}
