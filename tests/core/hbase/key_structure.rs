//! Parts of row keys, found in keys that are written here byte by byte, without formulas: how many of their ends and kinds are right.

use crate::common::random::Random;
use rowscape::hash;
use rowscape::hbase::row_keys::structure::{Form, FoundPart, Unit, named_parts, parts_of};

/// A part as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Literal,
    Text,
    Number,
    Seconds,
    Millis,
    Micros,
    Nanos,
    Uuid,
    Bytes,
}

struct Column {
    written: Written,
    /// Words for what it is, of the report.
    name: &'static str,
    values: Vec<Vec<u8>>,
}

fn millis(random: &mut Random) -> u64 {
    let year = 1000 * 3600 * 24 * 365;
    1_300_000_000_000 + random.below(12) * year
}

fn moments(random: &mut Random, count: usize) -> Vec<u64> {
    let start = millis(random);
    let span = 1000 * random.of(&[3600, 86_400, 86_400 * 30, 86_400 * 365]);
    (0..count).map(|_| start + random.below(span)).collect()
}

/// Numbers of things: how many of them, and how often each.
fn entities(random: &mut Random, count: usize, most: u64) -> Vec<u64> {
    let all = random.of(&[20, 200, 5_000, 1_000_000]).min(most);
    let first = if random.below(2) == 0 { 0 } else { random.below(most.min(1 << 28) - all.min(1 << 28) + 1) };
    let skewed = random.below(2) == 0;
    (0..count)
        .map(|_| {
            let one = random.below(all);
            first + if skewed { random.below(one + 1) } else { one }
        })
        .collect()
}

fn civil(days: u64) -> (u64, u64, u64) {
    let (z, era) = (days + 719_468, (days + 719_468) / 146_097);
    let of_era = z - era * 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

fn column(random: &mut Random, count: usize, may_vary: bool) -> Column {
    let bytes = |numbers: Vec<u64>, width: usize| -> Vec<Vec<u8>> {
        numbers.into_iter().map(|number| number.to_be_bytes()[8 - width..].to_vec()).collect()
    };
    let texts = |numbers: Vec<u64>, text: &dyn Fn(u64) -> String| -> Vec<Vec<u8>> {
        numbers.into_iter().map(|number| text(number).into_bytes()).collect()
    };
    let (written, name, values) = match random.below(if may_vary { 30 } else { 26 }) {
        0 => (Written::Number, "int64", bytes(entities(random, count, 1 << 40), 8)),
        1 => (Written::Number, "int64 of ids", bytes(entities(random, count, 1 << 30), 8)),
        2 | 3 => (Written::Number, "int32", bytes(entities(random, count, 1 << 31), 4)),
        4 => (Written::Number, "int16", bytes(entities(random, count, 1 << 15), 2)),
        5 => (Written::Number, "uint24", bytes(entities(random, count, 1 << 16), 3)),
        6 => {
            let numbers = entities(random, count, 1 << 31);
            (Written::Number, "phoenix int", bytes(numbers.iter().map(|n| n ^ (1 << 31)).collect(), 4))
        }
        7 => {
            let numbers = entities(random, count, 1 << 40);
            (Written::Number, "phoenix bigint", bytes(numbers.iter().map(|n| n ^ (1 << 63)).collect(), 8))
        }
        8 | 9 => (Written::Millis, "millis", bytes(moments(random, count), 8)),
        10 => {
            let times = moments(random, count);
            let back = times.iter().map(|time| i64::MAX as u64 - time).collect();
            (Written::Millis, "reversed millis", bytes(back, 8))
        }
        11 => {
            let times = moments(random, count);
            (Written::Seconds, "seconds", bytes(times.iter().map(|time| time / 1000).collect(), 4))
        }
        12 => {
            let times = moments(random, count);
            let back = times.iter().map(|time| i32::MAX as u64 - time / 1000).collect();
            (Written::Seconds, "reversed seconds", bytes(back, 4))
        }
        13 => {
            let times = moments(random, count);
            (
                Written::Seconds,
                "hours in seconds",
                bytes(times.iter().map(|time| time / 3_600_000 * 3600).collect(), 4),
            )
        }
        14 => {
            let times = moments(random, count);
            (
                Written::Micros,
                "micros",
                bytes(times.iter().map(|time| time * 1000 + time % 1000).collect(), 8),
            )
        }
        15 => {
            let times = moments(random, count);
            (
                Written::Nanos,
                "nanos",
                bytes(times.iter().map(|time| time * 1_000_000 + time % 999_983).collect(), 8),
            )
        }
        16 => {
            let times = moments(random, count);
            (Written::Millis, "phoenix date", bytes(times.iter().map(|time| time ^ (1 << 63)).collect(), 8))
        }
        17 => (Written::Millis, "13 digits", texts(moments(random, count), &|time| time.to_string())),
        18 => {
            (Written::Seconds, "10 digits", texts(moments(random, count), &|time| (time / 1000).to_string()))
        }
        19 => {
            let day = |time: u64| {
                let (year, month, day) = civil(time / 86_400_000);
                let second = time / 1000 % 86_400;
                format!(
                    "{year:04}{month:02}{day:02}{:02}{:02}{:02}",
                    second / 3600,
                    second / 60 % 60,
                    second % 60
                )
            };
            (Written::Seconds, "yyyyMMddHHmmss", texts(moments(random, count), &day))
        }
        20 => {
            let day = |time: u64| {
                let (year, month, day) = civil(time / 86_400_000);
                format!("{year:04}{month:02}{day:02}")
            };
            (Written::Seconds, "yyyyMMdd", texts(moments(random, count), &day))
        }
        21 => {
            let of = |n: u64| {
                let mut bytes = hash::sha1(&n.to_be_bytes())[..16].to_vec();
                (bytes[6], bytes[8]) = (bytes[6] & 15 | 64, bytes[8] & 63 | 128);
                bytes
            };
            (Written::Uuid, "uuid", entities(random, count, 1 << 40).into_iter().map(of).collect())
        }
        22 => (Written::Text, "6 digits", texts(entities(random, count, 1_000_000), &|n| format!("{n:06}"))),
        23 => {
            let codes = ["DE", "FR", "US", "CN", "KR", "GB"];
            (Written::Text, "codes", texts(entities(random, count, 6), &|n| codes[n as usize % 6].to_owned()))
        }
        24 => (
            Written::Text,
            "16 hex digits",
            texts(entities(random, count, 1 << 40), &|n| {
                format!("{:016x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            }),
        ),
        25 => {
            let times = moments(random, count);
            (Written::Millis, "19 digits", texts(times, &|time| (i64::MAX as u64 - time).to_string()))
        }
        26 => (Written::Text, "user ids", texts(entities(random, count, 1 << 20), &|n| format!("user{n}"))),
        27 => {
            let names = ["cpu", "memory", "disk.free", "net.in", "load", "swap", "requests", "latency"];
            let rooms = ["berlin", "paris", "x", "seoul", "beijing"];
            (
                Written::Text,
                "names",
                texts(entities(random, count, 40), &|n| {
                    format!("{}{}", names[n as usize % 8], rooms[n as usize / 8 % 5])
                }),
            )
        }
        28 => (Written::Text, "numbers", texts(entities(random, count, 1 << 30), &|n| n.to_string())),
        _ => {
            let word = |n: u64| {
                let letters = b"abcdefghijklmnopqrstuvwxyz";
                let mut bits = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let length = 4 + bits % 9;
                (0..length)
                    .map(|_| {
                        bits = bits.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                        char::from(letters[(bits >> 40) as usize % 26])
                    })
                    .collect()
            };
            (Written::Text, "words", texts(entities(random, count, 1 << 20), &word))
        }
    };
    Column { written, name, values }
}

/// Keys of parts that were drawn, with and without separators.
struct Drawn {
    columns: Vec<Column>,
    keys: Vec<Vec<u8>>,
}

fn drawn(seed: u64, count: usize) -> Drawn {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let parts = 1 + random.below(4);
    let separator: &[u8] = random.of(&[&b"_"[..], b"|", b"#", b":", b"\0", b"", b"", b"-"]);
    let mut columns: Vec<Column> = Vec::new();
    for part in 0..parts {
        // A text without an end of its own comes last or before a separator.
        let may_vary = part + 1 == parts || !separator.is_empty();
        let next = column(&mut random, count, may_vary);
        if part > 0 && !separator.is_empty() {
            columns.push(Column {
                written: Written::Literal,
                name: "separator",
                values: vec![separator.to_vec(); count],
            });
        }
        columns.push(next);
    }
    let keys = (0..count)
        .map(|row| columns.iter().flat_map(|column| column.values[row].clone()).collect())
        .collect();
    Drawn { columns, keys }
}

fn written(part: &FoundPart) -> Written {
    match &part.form {
        Form::Literal(_) => Written::Literal,
        Form::Text | Form::InvertedText | Form::PaddedText | Form::OrderedText(_) => Written::Text,
        Form::OrderedNumber(_) | Form::Float => Written::Number,
        Form::OrderedTime(_) => Written::Millis,
        Form::ReversedMillis => Written::Millis,
        Form::TimeText("epoch-millis") => Written::Millis,
        Form::TimeText("epoch-micros") => Written::Micros,
        Form::TimeText("epoch-nanos") => Written::Nanos,
        Form::TimeText(_) => Written::Seconds,
        Form::Number(_) => Written::Number,
        Form::Time(_, Unit::Seconds) => Written::Seconds,
        Form::Time(_, Unit::Millis) => Written::Millis,
        Form::Time(_, Unit::Micros) => Written::Micros,
        Form::Time(_, Unit::Nanos) => Written::Nanos,
        Form::Uuid => Written::Uuid,
        Form::Bytes | Form::Boolean => Written::Bytes,
    }
}

/// Ends and kinds: how many there are, and how many were found.
#[derive(Default)]
struct Score {
    ends: [usize; 2],
    kinds: [usize; 2],
    /// Ends that were found and are none.
    false_ends: usize,
}

fn score(seed: u64, total: &mut Score, show: bool) {
    let Drawn { columns, keys } = drawn(seed, 400);
    let slices: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    let found = parts_of(&slices);
    let mut ends = vec![0u32; keys.len()];
    let mut own = Vec::new();
    for column in &columns {
        let from = ends.clone();
        ends.iter_mut().zip(&column.values).for_each(|(end, value)| *end += value.len() as u32);
        own.push(from.into_iter().zip(ends.clone()).collect::<Vec<_>>());
    }
    let text = |written: Written, name: &str| {
        written == Written::Text || name.contains("digits") || name.starts_with("yyyy")
    };
    let mut wrong = false;
    for (at, column) in columns.iter().enumerate() {
        let next = columns.get(at + 1);
        let between_texts =
            next.is_some_and(|next| text(column.written, column.name) && text(next.written, next.name));
        if next.is_some() && !between_texts {
            let end = |spans: &[(u32, u32)]| spans.iter().map(|&(_, to)| to).collect::<Vec<_>>();
            let hit = found.iter().any(|part| end(&part.spans) == end(&own[at]));
            total.ends[0] += 1;
            total.ends[1] += usize::from(hit);
            wrong |= !hit;
        }
        if column.written != Written::Literal {
            let hit = found.iter().any(|part| part.spans == own[at] && written(part) == column.written);
            total.kinds[0] += 1;
            total.kinds[1] += usize::from(hit);
            wrong |= !hit;
        }
    }
    for part in &found {
        let end: Vec<u32> = part.spans.iter().map(|&(_, to)| to).collect();
        if !own.iter().any(|spans| spans.iter().map(|&(_, to)| to).eq(end.iter().copied())) {
            total.false_ends += 1;
            wrong = true;
        }
    }
    if show && wrong {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let forms: Vec<String> =
            found.iter().map(|part| format!("{:?}/{:?}", part.form, part.width)).collect();
        println!("{seed}: {} → {}", names.join(", "), forms.join(", "));
        for key in keys.iter().take(2) {
            println!("      {}", rowscape::row::to_string_binary(key));
        }
    }
}

/// A salt or the beginning of a hash, put before keys: its bytes for what it is computed from, and the end of its formula.
type Salt = (fn(&[u8]) -> Vec<u8>, &'static str);

const SALTS: [Salt; 9] = [
    (|bytes| hash::sha1(bytes)[..2].to_vec(), ".sha1().raw(2)"),
    (
        |bytes| {
            hash::sha256(bytes)
                .iter()
                .take(2)
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
                .into_bytes()
        },
        ".sha256().hex(4)",
    ),
    (
        |bytes| {
            hash::sha1(bytes)
                .iter()
                .take(4)
                .map(|byte| format!("{byte:02X}"))
                .collect::<String>()
                .into_bytes()
        },
        ".sha1().HEX(8)",
    ),
    (
        |bytes| format!("{:02}", hash::java_string(bytes).unwrap_or_default().rem_euclid(20)).into_bytes(),
        ".javaHash().floorMod(20).decimal(2)",
    ),
    (|bytes| format!("{}_", hash::crc32(bytes) % 12).into_bytes(), ".crc32().floorMod(12).decimal()"),
    (|bytes| vec![(hash::java_bytes(bytes) % 16).unsigned_abs() as u8], "16"),
    (|bytes| vec![hash::murmur3(bytes, 0).rem_euclid(64) as u8], ".murmur3(0).floorMod(64).uint8()"),
    (|bytes| hash::jenkins(bytes, -1).to_be_bytes().to_vec(), ".jenkins().int32()"),
    (|bytes| format!("{:08x}", hash::crc32(bytes)).into_bytes(), ".crc32().hex(8)"),
];

#[test]
fn salts_and_hashes_are_found_where_they_are_computed_again() {
    let (mut all, mut found) = (0, 0);
    for seed in setting("FIRST", 1)..setting("FIRST", 1) + setting("CASES", 30) {
        let Drawn { columns, keys } = drawn(seed, 400);
        let mut random = Random(seed);
        let (salt, end) = random.of(&SALTS);
        let is_text = keys.iter().all(|key| key.is_ascii());
        if end.contains("javaHash") && !is_text {
            continue;
        }
        // Either the first part or the whole key is hashed.
        let whole = random.below(2) == 0;
        let of = |row: usize| if whole { keys[row].clone() } else { columns[0].values[row].clone() };
        let salted: Vec<Vec<u8>> =
            (0..keys.len()).map(|row| [salt(&of(row)), keys[row].clone()].concat()).collect();
        let distinct = (0..keys.len()).map(of).collect::<std::collections::HashSet<_>>().len();
        if distinct < 64 {
            continue;
        }
        let slices: Vec<&[u8]> = salted.iter().map(Vec::as_slice).collect();
        let (_, parts) = named_parts(&slices);
        let hit = parts.first().is_some_and(|part| part.derived && part.formula.contains(end));
        (all, found) = (all + 1, found + usize::from(hit));
        if !hit && std::env::var("SHOW").is_ok() {
            let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
            let formulas: Vec<String> = parts.iter().map(|part| part.formula.clone()).collect();
            println!("{seed}: {end} of {} → {}", names.join(", "), formulas.join(" + "));
            println!("      {}", rowscape::row::to_string_binary(&salted[0]));
        }
    }
    println!("salts: {found} of {all}");
    assert!(found * 10 >= all * 9);
}

#[test]
fn no_salt_is_found_in_random_keys() {
    for seed in 0..100 {
        let mut random = Random(seed);
        let width = 4 + random.below(30);
        let hex = random.below(2) == 0;
        let keys: Vec<Vec<u8>> = (0..300)
            .map(|_| match hex {
                true => (0..width).map(|_| b"0123456789abcdef"[random.below(16) as usize]).collect(),
                false => (0..width).map(|_| random.below(256) as u8).collect(),
            })
            .collect();
        let slices: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        let (_, parts) = named_parts(&slices);
        assert!(parts.iter().all(|part| !part.derived), "{seed}");
        assert!(parts.len() <= 2, "{seed}: {:?}", parts.iter().map(|part| &part.formula).collect::<Vec<_>>());
    }
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn ends_and_kinds_of_parts_are_found_in_keys_alone() {
    let (first, cases) = (setting("FIRST", 1), setting("CASES", 40));
    let mut total = Score::default();
    for seed in first..first + cases {
        score(seed, &mut total, std::env::var("SHOW").is_ok());
    }
    let share = |[all, hit]: [usize; 2]| hit as f64 / all.max(1) as f64;
    println!(
        "ends {:.3} of {}, {} false; kinds {:.3} of {}",
        share(total.ends),
        total.ends[0],
        total.false_ends,
        share(total.kinds),
        total.kinds[0]
    );
    assert!(share(total.ends) >= 0.9 && share(total.kinds) >= 0.8);
}
