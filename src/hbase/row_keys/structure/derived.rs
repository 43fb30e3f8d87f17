//! Parts that follow from others: hashes, salts and remainders. One is claimed only if it is computed again from the rest of every key.

use super::bits::common_divisor;
use super::form::big_endian;
use crate::bytes::hash;
use crate::bytes::hash::md5;
use crate::bytes::strings::ByteStrings;
use std::collections::HashSet;

/// Bits that must not agree by accident: among a million tries none in a hundred million does.
const PROOF: f64 = 48.0;
/// The same of a remainder: sums of bytes such as `String.hashCode` follow ids that count up.
const PROOF_OF_REMAINDER: f64 = 128.0;
/// Keys that a computation is tried on before all.
const FIRST: usize = 16;
/// Most buckets of a salt that are looked for beyond the greatest that occurs.
const BUCKETS: u64 = 1 << 16;
/// `Integer.MAX_VALUE`, which takes the sign from a hash.
const NO_SIGN: i64 = i32::MAX as i64;

/// The steps of a formula that give `targets` from `values`, key by key; `None` where none do, or where it may be an accident.
pub(in super::super) fn steps(values: &[&[u8]], targets: &[&[u8]]) -> Option<String> {
    let distinct: HashSet<&&[u8]> = values.iter().collect();
    let distinct = distinct.len() as f64;
    if targets.iter().all(|target| Some(target) == targets.first()) {
        return None;
    }
    let first = FIRST.min(values.len());
    for (name, digest) in DIGESTS {
        let steps = digest_steps(name, &digest(values.get(..first)?), targets.get(..first)?, distinct);
        if steps.is_some() {
            return digest_steps(name, &digest(values), targets, distinct);
        }
    }
    let encoded = encodings(targets);
    if encoded.is_empty() {
        return None;
    }
    HASHES.iter().find_map(|(name, hash)| {
        let numbers = |values: &[&[u8]]| values.iter().map(|value| hash(value)).collect::<Option<Vec<i64>>>();
        let few = numbers(values.get(..first)?)?;
        encoded.iter().find_map(|encoded| {
            number_steps(&few, encoded, f64::INFINITY)?;
            let steps = number_steps(&numbers(values)?, encoded, distinct)?;
            Some(format!("{name}{steps}"))
        })
    })
}

/// The steps that give `targets` as remainders of whole numbers.
pub(in super::super) fn remainder_steps(numbers: &[i64], targets: &[&[u8]]) -> Option<String> {
    let distinct = numbers.iter().collect::<HashSet<_>>().len() as f64;
    if targets.iter().all(|target| Some(target) == targets.first())
        || numbers.iter().any(|&number| number < 0)
    {
        return None;
    }
    encodings(targets)
        .iter()
        .find_map(|encoded| modular(numbers, encoded, distinct, &[("", "mod", |number| number)]))
}

type Digest = fn(&[&[u8]]) -> Vec<Vec<u8>>;

/// Digests by their steps.
const DIGESTS: [(&str, Digest); 3] = [
    (".md5()", |values| {
        let (mut messages, mut digests) = (ByteStrings::default(), ByteStrings::default());
        values.iter().for_each(|value| messages.push(value));
        md5::digests(&messages, &mut digests);
        digests.iter().map(<[u8]>::to_vec).collect()
    }),
    (".sha1()", |values| values.iter().map(|value| hash::sha1(value).to_vec()).collect()),
    (".sha256()", |values| values.iter().map(|value| hash::sha256(value).to_vec()).collect()),
];

type Hash = fn(&[u8]) -> Option<i64>;

/// Hashes that are numbers, by their steps.
const HASHES: [(&str, Hash); 14] = [
    (".javaHash()", |value| hash::java_string(value).map(i64::from)),
    (".bytesHash()", |value| Some(hash::java_bytes(value).into())),
    (".crc32()", |value| Some(hash::crc32(value).into())),
    (".murmur()", |value| Some(hash::murmur(value, hash::SEED).into())),
    (".murmur(0)", |value| Some(hash::murmur(value, 0).into())),
    (".murmur3()", |value| Some(hash::murmur3(value, hash::SEED).into())),
    (".murmur3(0)", |value| Some(hash::murmur3(value, 0).into())),
    (".jenkins()", |value| Some(hash::jenkins(value, hash::SEED).into())),
    (".jenkins(0)", |value| Some(hash::jenkins(value, 0).into())),
    (".md5().toShort()", |value| head(&md5_of(value), 2)),
    (".md5().toInt()", |value| head(&md5_of(value), 4)),
    (".md5().toLong()", |value| head(&md5_of(value), 8)),
    (".sha1().toInt()", |value| head(&hash::sha1(value), 4)),
    (".sha256().toInt()", |value| head(&hash::sha256(value), 4)),
];

fn md5_of(value: &[u8]) -> Vec<u8> {
    DIGESTS.first().and_then(|(_, digest)| digest(&[value]).pop()).unwrap_or_default()
}

/// The first bytes as a signed number.
fn head(bytes: &[u8], width: usize) -> Option<i64> {
    let shift = 64 - 8 * width as u32;
    Some((big_endian(bytes.get(..width)?) << shift) as i64 >> shift)
}

/// The steps after a digest of which targets are the beginning, in bytes or in hexadecimal digits.
fn digest_steps(name: &str, digests: &[Vec<u8>], targets: &[&[u8]], distinct: f64) -> Option<String> {
    let width = targets.first()?.len();
    let begin = |shown: &dyn Fn(&[u8]) -> Vec<u8>| {
        targets
            .iter()
            .zip(digests)
            .all(|(target, digest)| target.len() == width && shown(digest).get(..width) == Some(*target))
    };
    let hex = |upper: bool| {
        move |digest: &[u8]| {
            let two = |byte: &u8| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") };
            digest.iter().map(two).collect::<String>().into_bytes()
        }
    };
    let (steps, bits) = if begin(&<[u8]>::to_vec) {
        let whole = digests.first().is_some_and(|digest| digest.len() == width);
        (if whole { String::new() } else { format!(".raw({width})") }, 8.0)
    } else if begin(&hex(false)) {
        (format!(".hex({width})"), 4.0)
    } else if begin(&hex(true)) {
        (format!(".HEX({width})"), 4.0)
    } else {
        return None;
    };
    (distinct * bits * width as f64 >= PROOF).then(|| format!("{name}{steps}"))
}

/// Targets as numbers, and the step that writes them so.
struct EncodedTargets {
    numbers: Vec<u64>,
    step: String,
    /// All of the bits of a 32-bit hash, if they are as many.
    whole: Option<&'static str>,
}

/// The ways to read targets as numbers.
fn encodings(targets: &[&[u8]]) -> Vec<EncodedTargets> {
    let Some(width) = targets.first().map(|target| target.len()) else { return Vec::new() };
    let same = targets.iter().all(|target| target.len() == width);
    let mut all = Vec::new();
    let digits = |radix: u32| {
        let read = |target: &&[u8]| {
            let text = std::str::from_utf8(target).ok().filter(|text| !text.starts_with('+'))?;
            u64::from_str_radix(text, radix).ok()
        };
        targets.iter().map(read).collect::<Option<Vec<u64>>>()
    };
    if let Some(numbers) = digits(10) {
        let padded = targets.iter().any(|target| target.len() > 1 && target.first() == Some(&b'0'));
        match (same, padded) {
            (true, _) => {
                all.push(EncodedTargets { numbers, step: format!(".decimal({width})"), whole: None })
            }
            (false, false) => {
                all.push(EncodedTargets { numbers, step: ".decimal()".to_owned(), whole: None })
            }
            (false, true) => {}
        }
    }
    let is_upper = targets.iter().any(|target| target.iter().any(u8::is_ascii_uppercase));
    let is_lower = targets.iter().any(|target| target.iter().any(u8::is_ascii_lowercase));
    if let Some(numbers) = digits(16).filter(|_| same && !(is_upper && is_lower)) {
        let step = if is_upper { "HEX" } else { "hex" };
        let whole = (width == 8 && !is_upper).then_some(".hex(8)");
        all.push(EncodedTargets { numbers, step: format!(".{step}({width})"), whole });
    }
    let step = match width {
        1 => ".uint8()",
        2 => ".uint16()",
        4 => ".int32()",
        _ => return all,
    };
    if same {
        let numbers = targets.iter().map(|target| big_endian(target)).collect();
        let whole = (width == 4).then_some(".int32()");
        all.push(EncodedTargets { numbers, step: step.to_owned(), whole });
    }
    all
}

/// The steps after a hash that give the targets: all of it, or its remainder in one of the ways that Java has.
fn number_steps(hashes: &[i64], targets: &EncodedTargets, distinct: f64) -> Option<String> {
    let is_whole = |hash: &i64, target: &u64| *hash as u32 == *target as u32 && *target <= u32::MAX.into();
    if let Some(step) = targets.whole
        && hashes.iter().zip(&targets.numbers).all(|(hash, target)| is_whole(hash, target))
    {
        let is_unsigned = hashes.iter().any(|&hash| hash > NO_SIGN);
        let step = if is_unsigned && step == ".int32()" { ".uint32()" } else { step };
        // A negative number has no hexadecimal digits.
        let can_be = step != ".hex(8)" || hashes.iter().all(|&hash| hash >= 0);
        return (can_be && distinct * 32.0 >= PROOF).then(|| step.to_owned());
    }
    modular(
        hashes,
        targets,
        distinct,
        &[
            ("", "floorMod", |hash| hash),
            (".and(2147483647)", "mod", |hash| hash & NO_SIGN),
            ("abs", "mod", |hash| hash.saturating_abs()),
        ],
    )
}

/// A way to take the sign from a number before the remainder: the step that does it, that of the remainder, and what comes of it.
type Unsigned = (&'static str, &'static str, fn(i64) -> i64);

/// The steps that give targets as remainders by one number of buckets.
fn modular(hashes: &[i64], targets: &EncodedTargets, distinct: f64, ways: &[Unsigned]) -> Option<String> {
    let most = targets.numbers.iter().copied().max()?;
    if most == 0 || most >= BUCKETS {
        return None;
    }
    ways.iter().find_map(|&(unsigned, remainder, of)| {
        let divisor = hashes.iter().zip(&targets.numbers).fold(0u64, |divisor, (&hash, &target)| {
            let apart = i128::from(of(hash)) - i128::from(target);
            common_divisor(divisor, u64::try_from(apart.unsigned_abs()).unwrap_or(1))
        });
        let buckets = buckets(divisor, most)?;
        if distinct * (buckets as f64).log2() < PROOF_OF_REMAINDER {
            return None;
        }
        let step = &targets.step;
        Some(match unsigned {
            "abs" => format!(".mod({buckets}).abs(){step}"),
            _ => format!("{unsigned}.{remainder}({buckets}){step}"),
        })
    })
}

/// The number of buckets whose remainders these are: what divides all differences, if it is not too much.
fn buckets(divisor: u64, most: u64) -> Option<u64> {
    if divisor <= most {
        return None;
    }
    if divisor < BUCKETS {
        return Some(divisor);
    }
    // Few values have more in common by accident.
    (most + 1..=BUCKETS).find(|buckets| divisor.is_multiple_of(*buckets))
}
