//! Truth about each finding of a case, counted from keys, values, times and split points: `docs/judgement.md` has the
//! quantities.

use super::judged_cases::UNDECIDED;
use super::plain::{Hot, Pace, Plain, all_of, any_of, clear, counted, luck, not};
use super::plain_verdict::{Possible, overwritten, verdicts};
use super::random_cases::{Dice, Of, Part, Record};
use rowscape::report::VerdictSeverity;
use std::collections::{BTreeMap, HashSet};

/// Truth about a finding: is it expected, and it is bad.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    pub said: Option<bool>,
    pub bad: Option<bool>,
}

impl Truth {
    /// Never bad.
    fn mild(said: Option<bool>) -> Self {
        Self { said, bad: Some(false) }
    }

    fn bad(said: Option<bool>) -> Self {
        Self { said, bad: said }
    }

    /// Bad where `bad` holds too, and the pace of the writes is high or not known.
    fn paced(said: Option<bool>, bad: Option<bool>, paces: &[Pace]) -> Self {
        let harmful = |pace: &Pace| matches!(pace, Pace::High | Pace::Unknown);
        let harms = match (paces.iter().any(harmful), paces.iter().all(harmful)) {
            (_, true) => Some(true),
            (false, _) => Some(false),
            _ => None,
        };
        Self { said, bad: all_of(&[said, bad, harms]) }
    }
}

/// The truth of all findings about writes, regions, order and keys.
pub fn truths(plain: &Plain, region: &Hot, server: &Hot) -> BTreeMap<&'static str, Truth> {
    let mut all = BTreeMap::new();
    let frequent = frequent(plain);
    let verdicts = verdicts(plain, (region, server), true);
    let is_unseen = |one: &Possible| one.0 == "verdict.follows-unseen";
    let unseen = if verdicts.iter().all(is_unseen) {
        Some(true)
    } else {
        (!verdicts.iter().any(is_unseen)).then_some(false)
    };
    let follows = plain.follows();
    let sequential = any_of(&[
        all_of(&[region.is, region.by_time]),
        all_of(&[follows.is, any_of(&[Some(plain.regions() == 1), follows.fills, unseen])]),
    ]);
    let share = if region.is == Some(false) { 1.0 } else { region.share };
    // Without hot intervals it is as mild as a verdict that judges the spread.
    let judges = |one: &Possible| one.1 == VerdictSeverity::Warning && !UNDECIDED.contains(&one.0);
    let (some, each) = (verdicts.iter().any(judges), verdicts.iter().all(judges));
    let judged = if each { Some(true) } else { (!some).then_some(false) };
    let mild = all_of(&[judged, region.is.map(|is| !is)]);
    all.insert("RS101", Truth::paced(sequential, not(mild), &plain.region_paces(share)));
    all.insert("RS102", frequent);
    all.insert("RS103", dead(plain));
    all.insert("RS104", skewed(plain, (region, server), frequent.said));
    all.insert("RS105", common_factor(plain));
    all.insert("RS106", Truth::bad(Some(is_negative(plain))));
    let few = few_hashed(plain);
    all.insert("RS107", Truth::mild(few));
    all.insert("RS108", Truth::mild(many_salts(plain)));
    all.insert("RS109", Truth::mild(busy(plain, (region, server), frequent.said)));
    all.insert("RS110", Truth::mild(all_of(&[idle(plain), not(few)])));
    let bursts = all_of(&[region.is, not(region.by_time)]);
    let paces = plain.region_paces(region.share);
    let high = is_high(&paces);
    all.insert("RS111", Truth { said: bursts, bad: all_of(&[bursts, high]) });
    let more = all_of(&[server.by_time, not(region.by_time)]);
    let one_server = all_of(&[server.is, any_of(&[not(region.is), more])]);
    let on_server = plain.server_paces(server.share);
    let bad = Truth::paced(one_server, any_of(&[server.by_time, is_high(&on_server)]), &on_server);
    all.insert("RS112", bad);
    all.insert("RS113", hot_row(plain));
    all.insert("RS201", Truth::bad(Some(is_of_both_signs(plain))));
    all.insert("RS202", Truth::mild(Some(is_unpadded(plain))));
    all.insert("RS203", Truth::mild(Some(is_turned_back(plain))));
    all.insert("RS204", Truth::mild(Some(is_ambiguous(plain.case.key.parts))));
    all.insert("RS301", Truth::mild(overwritten(plain, 0.0)));
    all.insert("RS302", collisions(plain));
    all.insert("RS303", Truth::mild(Some(lost(plain.case.key.parts).is_some())));
    let refused = plain.refused() as f64;
    let bad = clear(|times| refused >= 0.01 * times * plain.case.records.len() as f64);
    all.insert("RS304", Truth { said: Some(refused > 0.0), bad });
    all
}

/// The pace is more than one place takes.
fn is_high(paces: &[Pace]) -> Option<bool> {
    match (paces.contains(&Pace::High), paces == [Pace::High]) {
        (_, true) => Some(true),
        (false, _) => Some(false),
        _ => None,
    }
}

fn frequent(plain: &Plain) -> Truth {
    let values = counted((0..plain.rows.len()).map(|row| plain.part(0, row)));
    let (rows, regions) = (plain.number(), plain.regions() as f64);
    let Some((value, &most)) = values.iter().max_by_key(|&(value, rows)| (rows, value)) else {
        return Truth::mild(Some(false));
    };
    let share = most as f64 / rows;
    let own = (0..plain.rows.len()).filter(|&row| plain.part(0, row) == *value);
    let held = counted(own.map(|row| plain.rows[row].region));
    let region = held.iter().max_by_key(|held| held.1).map_or(0, |held| *held.0);
    let over_mean = plain.counts[region] as f64 / plain.mean();
    let said = all_of(&[
        Some(regions > 1.0),
        clear(|times| rows >= 100.0 * times),
        clear(|times| share >= 0.05 * times),
        clear(|times| share >= 2.0 * times / regions),
        clear(|times| share >= 4.0 * times / values.len() as f64),
        clear(|times| over_mean >= 2.0 * times),
    ]);
    Truth::paced(said, clear(|times| over_mean >= 4.0 * times), &plain.region_paces(share))
}

/// A beginning of a key that the formula can make of some values.
fn some_key(plain: &Plain, dice: &mut Dice) -> Option<Vec<u8>> {
    let digits = |dice: &mut Dice, count: usize| -> String {
        (0..count).map(|_| char::from(b'0' + dice.below(10) as u8)).collect()
    };
    // Years 1 to 9999.
    let millis = |dice: &mut Dice| dice.below(315_537_897_600_000) as i64 - 62_135_596_800_000;
    let mut key = match plain.lead() {
        Part::Ordered(Of::Id) => digits(dice, 9).into_bytes(),
        Part::Ordered(Of::At) if plain.case.key.formula.contains("int64") => {
            millis(dice).to_be_bytes().to_vec()
        }
        Part::Long => dice.roll().to_be_bytes().to_vec(),
        Part::Digest(_, bits) => {
            let bytes: Vec<u8> = dice.roll().to_be_bytes().to_vec();
            let text = || bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            let cut = |text: String| text.as_bytes()[..bits as usize / 4].to_vec();
            match plain.case.key.formula {
                formula if formula.contains("raw") => bytes,
                formula if formula.contains("HEX") => cut(text().to_uppercase()),
                _ => cut(text()),
            }
        }
        Part::Text => (0..6).map(|_| dice.below(256) as u8).collect(),
        _ => return None,
    };
    key.extend(digits(dice, 9).bytes());
    Some(key)
}

/// Regions that no key can fall into. Points taken from the records are keys themselves.
fn impossible(plain: &Plain) -> Vec<bool> {
    let mut reached = vec![false; plain.regions()];
    let mut dice = Dice(1);
    let made_up = plain.case.document["splits"]["algorithm"].is_string();
    for _ in 0..if made_up { 20_000 } else { 0 } {
        let Some(key) = some_key(plain, &mut dice) else { return vec![false; plain.regions()] };
        reached[plain.points.partition_point(|point| *point <= key)] = true;
    }
    reached.into_iter().zip(&plain.counts).map(|(reached, &rows)| made_up && !reached && rows == 0).collect()
}

fn dead(plain: &Plain) -> Truth {
    let never = impossible(plain);
    let regions = plain.regions();
    let truth = |count: usize| {
        let is_end = |region: usize| region == 0 || region + 1 == regions;
        let left = (0..regions).filter(|&region| never[region]).all(is_end);
        let number = never.iter().filter(|never| **never).count();
        let few = 4 * count < regions;
        let meant = few && count <= 2 && number == count && left;
        let said = Some(regions > 2 && count > 0 && !meant);
        Truth { said, bad: all_of(&[said, clear(|times| count as f64 >= 0.25 * times * regions as f64)]) }
    };
    let number = never.iter().filter(|never| **never).count();
    let (seen, alone) = (truth(plain.empty().max(number)), truth(number));
    let one = plain.largest() == plain.number() && plain.number() >= 20.0;
    if regions == 2 {
        let many = clear(|times| plain.number() >= 20.0 * times);
        let said = all_of(&[Some(plain.largest() == plain.number()), many]);
        return Truth::paced(said, said, &plain.region_paces(1.0));
    }
    match plain.has_enough() {
        _ if one => seen,
        Some(true) => seen,
        Some(false) => alone,
        None => Truth {
            said: seen.said.filter(|_| seen.said == alone.said),
            bad: seen.bad.filter(|_| seen.bad == alone.bad),
        },
    }
}

fn skewed(plain: &Plain, hot: (&Hot, &Hot), frequent: Option<bool>) -> Truth {
    let possible = verdicts(plain, hot, false);
    let is = |possible: &Possible| possible.0 == "verdict.skewed";
    let verdict = match (possible.iter().any(is), possible.iter().all(is)) {
        (_, true) => Some(true),
        (false, _) => Some(false),
        _ => None,
    };
    let largest = plain.largest();
    let least = f64::min(4.0 * plain.mean(), 0.95 * plain.number());
    let bad = clear(|times| largest >= least * times);
    Truth::paced(all_of(&[verdict, not(frequent)]), bad, &plain.region_paces(largest / plain.number()))
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Java's hash of a string of ASCII.
fn java_hash(text: &str) -> i64 {
    i64::from(text.bytes().fold(0i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(i32::from(byte))))
}

/// The numbers that remainders are taken of, and the divisor.
fn remainders(plain: &Plain) -> Option<(Vec<i64>, i64)> {
    let (divisor, hashed) = plain.case.key.parts.iter().find_map(|part| match *part {
        Part::Remainder(divisor) => Some((divisor, false)),
        Part::Signed(divisor, hashed) => Some((divisor, hashed)),
        _ => None,
    })?;
    let number = |record: &Record| if hashed { Some(java_hash(&record.who)) } else { record.id };
    Some((plain.rows.iter().filter_map(|row| number(row.record)).collect(), divisor))
}

fn common_factor(plain: &Plain) -> Truth {
    let Some((numbers, divisor)) = remainders(plain) else { return Truth::mild(Some(false)) };
    let first = numbers.first().copied().unwrap_or(0);
    let step = numbers.iter().fold(0, |step, number| greatest_common_divisor(step, number.abs_diff(first)));
    let distinct = numbers.iter().collect::<HashSet<_>>().len();
    let said = all_of(&[
        Some(step > 0 && greatest_common_divisor(step, divisor as u64) > 1 && distinct >= 8),
        clear(|times| plain.number() >= 100.0 * times),
    ]);
    let uneven =
        any_of(&[Some(plain.empty() > 0), clear(|times| plain.largest() >= 2.0 * times * plain.mean())]);
    Truth { said, bad: all_of(&[said, uneven]) }
}

fn is_negative(plain: &Plain) -> bool {
    plain.case.key.parts.iter().any(|part| match *part {
        Part::Signed(_, true) => true,
        Part::Signed(divisor, false) => {
            plain.rows.iter().any(|row| row.record.id.is_some_and(|id| id % divisor < 0))
        }
        _ => false,
    })
}

/// The number of different values that a hash in front is made of, with the salts that it gives where they are few.
fn hashed(plain: &Plain) -> Option<(f64, Option<f64>)> {
    let (of, salts) = match plain.lead() {
        Part::Digest(of, bits) => (of, (bits <= 12).then(|| f64::from(1 << bits))),
        Part::Bucket(of, salts) => (of, Some(salts as f64)),
        Part::Remainder(salts) => (Of::Id, Some(salts as f64)),
        Part::Signed(salts, true) => (Of::Who, Some(2.0 * salts as f64 - 1.0)),
        Part::Signed(salts, false) => (Of::Id, Some(2.0 * salts as f64 - 1.0)),
        _ => return None,
    };
    Some((distinct(plain, of), salts))
}

fn distinct(plain: &Plain, of: Of) -> f64 {
    let records = || plain.rows.iter().map(|row| row.record);
    let number = match of {
        Of::Who => records().map(|record| &record.who).collect::<HashSet<_>>().len(),
        Of::Id => records().map(|record| record.id).collect::<HashSet<_>>().len(),
        Of::At => records().map(|record| record.at).collect::<HashSet<_>>().len(),
        Of::Day => records().map(|record| record.at.div_euclid(86_400_000)).collect::<HashSet<_>>().len(),
    };
    number as f64
}

fn few_hashed(plain: &Plain) -> Option<bool> {
    let Some((values, _)) = hashed(plain) else { return Some(false) };
    all_of(&[
        Some(values > 1.0),
        clear(|times| plain.number() >= times * plain.enough().max(100.0)),
        clear(|times| values < 2.0 / times * plain.regions().min(256) as f64),
        // Split points within the rows of a value spread them.
        Some(plain.rows.iter().map(|row| row.region).collect::<HashSet<_>>().len() as f64 <= values),
    ])
}

fn many_salts(plain: &Plain) -> Option<bool> {
    let Some((_, Some(salts))) = hashed(plain) else { return Some(false) };
    clear(|times| salts > 4.0 * times * plain.regions().max(16) as f64 && salts <= 4096.0)
}

fn idle(plain: &Plain) -> Option<bool> {
    let Some((values, Some(salts))) = hashed(plain) else { return Some(false) };
    all_of(&[
        Some(values > 1.0),
        clear(|times| plain.number() >= times * (5.0 * salts).max(100.0)),
        clear(|times| 2.0 * times * values <= salts),
    ])
}

fn busy(plain: &Plain, (region, server): (&Hot, &Hot), frequent: Option<bool>) -> Option<bool> {
    let rises = |part: &Part| matches!(part, Part::Ordered(Of::At | Of::Day));
    let Some(place) = plain.case.key.parts.iter().position(rises).filter(|&place| place > 0) else {
        return Some(false);
    };
    let values = counted((0..plain.rows.len()).map(|row| plain.before(place, row)));
    let share = values.values().max().map_or(0.0, |&rows| rows as f64 / plain.number());
    let places = plain.servers.unwrap_or(usize::MAX).min(plain.regions()) as f64;
    all_of(&[
        Some(places > 1.0),
        clear(|times| plain.number() >= 100.0 * times),
        clear(|times| share >= 0.05 * times),
        clear(|times| share >= 2.0 * times / values.len() as f64),
        any_of(&[
            clear(|times| share * places > 2.0 * times),
            all_of(&[any_of(&[region.is, server.is]), clear(|times| share * places > times)]),
        ]),
        not(frequent),
    ])
}

/// A row that takes a large share of the increments, over the whole period or for a time.
fn hot_row(plain: &Plain) -> Truth {
    if plain.case.document["writes"] != "counter" || plain.rows.is_empty() {
        return Truth::mild(Some(false));
    }
    let whole = counted(plain.rows.iter().map(|row| row.key));
    let distinct = whole.len().max(10);
    let stands_out = |most: u64, of: u64, times: f64| {
        let share = most as f64 / of as f64;
        share >= times * f64::max(0.1, 2.0 / distinct as f64) && luck(most, of, distinct) <= 0.01
    };
    let most = *whole.values().max().expect("rows");
    let at = |row: u32| plain.rows[row as usize].record.at;
    let (first, last) = (at(plain.by_time[0]), at(*plain.by_time.last().expect("rows")));
    let stretch = |row: &u32| (at(*row) - first) * 100 / (last - first + 1);
    let stretches = plain.by_time.chunk_by(|a, b| stretch(a) == stretch(b));
    let each: Vec<(u64, u64)> = stretches
        .map(|rows| {
            let rows_of = counted(rows.iter().map(|&row| plain.rows[row as usize].key));
            (*rows_of.values().max().expect("rows"), rows.len() as u64)
        })
        .collect();
    let for_a_time = |times: f64| {
        let hot = each.iter().filter(|one| one.1 as f64 >= 20.0 * times && stands_out(one.0, one.1, times));
        let hot: Vec<(u64, u64)> = hot.copied().collect();
        let (most, of) = hot.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (hot.len() >= 3 && of as f64 >= 0.1 * times * plain.number()).then_some(most as f64 / of as f64)
    };
    let of_whole = most as f64 / plain.number();
    if plain.rate.is_none() {
        let all = plain.rows.len() as u64;
        let whole = clear(|times| most as f64 >= 20.0 * times && stands_out(most, all, times));
        return Truth::mild(any_of(&[whole, clear(|times| for_a_time(times).is_some())]));
    }
    let at_least = |capacity: f64| {
        let rate = plain.rate.unwrap_or(0.0);
        let comes = |share: f64, times: f64| share * rate >= times * capacity;
        any_of(&[
            clear(|times| most as f64 >= 20.0 * times && comes(of_whole, times)),
            clear(|times| for_a_time(times).is_some_and(|share| comes(share, times))),
        ])
    };
    Truth { said: at_least(500.0), bad: at_least(1_000.0) }
}

pub fn is_of_both_signs(plain: &Plain) -> bool {
    let mut ids = plain.rows.iter().filter_map(|row| row.record.id);
    let negative = plain.rows.iter().filter(|row| row.record.id.is_some_and(|id| id < 0)).count();
    plain.case.key.parts.contains(&Part::Long) && negative > 0 && ids.any(|id| id >= 0)
}

pub fn is_unpadded(plain: &Plain) -> bool {
    let digits =
        plain.rows.iter().filter_map(|row| row.record.id).map(|id| id.unsigned_abs().to_string().len());
    plain.case.key.parts.contains(&Part::Digits) && digits.collect::<HashSet<_>>().len() > 1
}

/// The clock was put back by an hour.
fn is_turned_back(plain: &Plain) -> bool {
    const MINUTE: i64 = 60_000;
    let timed = |part: &Part| {
        matches!(part, Part::Ordered(Of::At | Of::Day) | Part::TimeOfDay | Part::Digest(Of::Day, _))
    };
    let records = &plain.case.records;
    let back = records.windows(2).map(|pair| (pair[0].at, pair[0].at - pair[1].at));
    let back: Vec<(i64, i64)> = back.filter(|&(_, back)| back > 5 * MINUTE).collect();
    let days: HashSet<i64> = back.iter().map(|(at, _)| at.div_euclid(24 * 60 * MINUTE)).collect();
    let hours = back.iter().all(|(_, back)| (30 * MINUTE..=65 * MINUTE).contains(back));
    plain.case.key.parts.iter().any(timed) && !back.is_empty() && hours && days.len() <= 2
}

/// Text of any length directly before another of any length: which ends where is not told.
fn is_ambiguous(parts: &[Part]) -> bool {
    parts.windows(2).any(|pair| pair == [Part::Text, Part::Digits])
}

/// Input of a digest in the key, and its bits, if the key does not hold that input.
fn lost(parts: &[Part]) -> Option<(Of, u32)> {
    let holds = |of: Of| {
        parts.iter().any(|part| match part {
            Part::Ordered(other) => *other == of || *other == Of::At && of == Of::Day,
            Part::Text => of == Of::Who,
            Part::Long | Part::Digits => of == Of::Id,
            _ => false,
        })
    };
    parts.iter().find_map(|part| match *part {
        Part::Digest(of, bits) if !holds(of) => Some((of, bits)),
        _ => None,
    })
}

fn collisions(plain: &Plain) -> Truth {
    let Some((of, bits)) = lost(plain.case.key.parts) else { return Truth::mild(Some(false)) };
    let values = distinct(plain, of);
    let pairs = values * values / 2.0 / 2f64.powi(bits as i32);
    Truth { said: clear(|times| pairs >= 0.001 * times), bad: clear(|times| pairs >= times) }
}
