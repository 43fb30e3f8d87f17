//! How many bits it takes to write the values that keys have in one place, in the shortest of several ways. A division of keys into parts
//! is the better the fewer bits all of its parts take: values that belong together are cheapest together, others apart.

/// Bits that say one number of a model, such as a bound.
const PARAMETER: f64 = 12.0;

/// Bits of so many things of these counts, told apart by how often each occurs.
fn entropy(counts: impl Iterator<Item = usize>) -> f64 {
    few(counts, 0.0)
}

/// The same with the bits that say which things occur, where each takes so many, and how often.
fn few(counts: impl Iterator<Item = usize>, each: f64) -> f64 {
    let (mut all, mut distinct, mut parts) = (0.0, 0.0, 0.0);
    for count in counts.map(|count| count as f64) {
        all += count;
        distinct += 1.0;
        parts += count * count.log2();
    }
    if all == 0.0 {
        return 0.0;
    }
    let named = if each > 0.0 { distinct * (each + 0.5 * (all / distinct).log2()) } else { 0.0 };
    all * all.log2() - parts + named
}

/// Bits that say one of so many things, of which this many occur.
fn one_of(among: f64, distinct: usize) -> f64 {
    (among / distinct as f64).max(1.0).log2() + 1.5
}

/// Lengths of the runs of equal values in ascending order.
fn runs<T: PartialEq>(sorted: &[T]) -> impl Iterator<Item = usize> {
    sorted.chunk_by(PartialEq::eq).map(<[T]>::len)
}

/// Bits of whole numbers: evenly spread over their range, spread over its orders of magnitude, or few of them, as a whole or in their
/// upper digits.
pub(super) fn of_numbers(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    let (Some(&least), Some(&most)) = (values.first(), values.last()) else { return 0.0 };
    if least == most {
        return PARAMETER;
    }
    let step = values.iter().fold(0, |step, value| common_divisor(step, value - least));
    values.iter_mut().for_each(|value| *value = (*value - least) / step);
    let (count, range) = (values.len() as f64, (most - least) / step);
    let even = count * (range as f64 + 1.0).log2();
    let mut orders = [0; 65];
    for value in &values {
        if let Some(order) = orders.get_mut((u64::BITS - value.leading_zeros()) as usize) {
            *order += 1;
        }
    }
    let digits: usize = (1..).zip(orders.iter().skip(2)).map(|(digits, count)| digits * count).sum();
    let mut best =
        even.min(entropy(orders.into_iter().filter(|&count| count > 0)) + digits as f64 + 4.0 * PARAMETER);
    for dropped in (0..u64::BITS).step_by(2).take_while(|&dropped| range >> dropped > 0) {
        values.iter_mut().for_each(|value| *value >>= if dropped == 0 { 0 } else { 2 });
        let distinct = runs(&values).count();
        let bits = few(runs(&values), one_of((range >> dropped) as f64 + 1.0, distinct));
        best = best.min(bits + count * f64::from(dropped));
    }
    best + 2.0 * PARAMETER
}

pub(super) fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Bits of texts: what they all begin with, then their characters, alike in all places or each place by itself, a number, or few texts.
pub(super) fn of_texts(values: &[&[u8]]) -> f64 {
    let Some((first, others)) = values.split_first() else { return 0.0 };
    let same = |value: &&[u8]| first.iter().zip(*value).take_while(|(a, b)| a == b).count();
    let begin = others.iter().map(same).min().unwrap_or(first.len());
    // Digits that are the same so far are those of a greater number.
    let begin = first.get(..begin).unwrap_or_default();
    let begin = begin.len() - begin.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let rests: Vec<&[u8]> = values.iter().map(|value| value.get(begin..).unwrap_or_default()).collect();
    6.0 * begin as f64 + of_rests(&rests).min(of_counted(&rests))
}

/// The same of texts that end with so many digits of a number.
fn of_counted(values: &[&[u8]]) -> f64 {
    let digits = |value: &&[u8]| value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let count = values.iter().map(digits).min().unwrap_or_default().min(18);
    if count == 0 || values.iter().any(|value| value.len() == count) {
        return f64::INFINITY;
    }
    let cut = |value: &&[u8]| value.len() - count;
    let heads: Vec<&[u8]> = values.iter().map(|value| value.get(..cut(value)).unwrap_or_default()).collect();
    let number = |value: &&[u8]| {
        let tail = value.get(cut(value)..).unwrap_or_default();
        tail.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
    };
    of_rests(&heads) + of_numbers(values.iter().map(number).collect())
}

fn of_rests(values: &[&[u8]]) -> f64 {
    let mut lengths: Vec<usize> = values.iter().map(|value| value.len()).collect();
    let all: usize = lengths.iter().sum();
    lengths.sort_unstable();
    let (least, most) =
        (lengths.first().copied().unwrap_or_default(), lengths.last().copied().unwrap_or_default());
    let of_lengths = entropy(runs(&lengths)) + runs(&lengths).count() as f64 * 4.0;
    let mut counts = [0; 256];
    values.iter().copied().flatten().for_each(|&byte| counts[usize::from(byte)] += 1);
    let letter = alphabet_of(&counts).log2();
    let used = counts.iter().filter(|&&count| count > 0).count() as f64;
    let even = all as f64 * letter;
    let pooled =
        entropy(counts.into_iter().filter(|&count| count > 0)) + used / 2.0 * (all as f64 + 1.0).log2();
    let mut best = even.min(pooled) + PARAMETER;
    if least == most {
        let placed = (0..least).map(|place| {
            let mut counts = [0; 256];
            values
                .iter()
                .filter_map(|value| value.get(place))
                .for_each(|&byte| counts[usize::from(byte)] += 1);
            let used = counts.iter().filter(|&&count| count > 0).count();
            let among = alphabet_of(&counts);
            let own = few(counts.into_iter().filter(|&count| count > 0), one_of(among, used));
            own.min(values.len() as f64 * among.log2() + 4.0)
        });
        best = best.min(placed.sum());
    }
    if most <= 18 && values.iter().all(|value| value.iter().all(u8::is_ascii_digit)) {
        let number =
            |value: &&[u8]| value.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
        best = best.min(of_numbers(values.iter().map(number).collect()));
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let words: usize =
        sorted.chunk_by(PartialEq::eq).filter_map(|same| same.first()).map(|word| word.len()).sum();
    let distinct = runs(&sorted).count().max(1) as f64;
    let each = (words as f64 * letter / distinct - distinct.log2() + 1.5).max(1.5);
    (best + of_lengths).min(few(runs(&sorted), each))
}

/// Characters that a text with these has to choose from.
fn alphabet_of(counts: &[usize; 256]) -> f64 {
    let has = |low: u8, high: u8| (low..=high).any(|byte| counts[usize::from(byte)] > 0);
    let digits = has(b'0', b'9');
    let hex = |low: u8| digits && has(low, low + 5) && !has(low + 6, low + 25);
    let lower = if hex(b'a') {
        6.0
    } else if has(b'a', b'z') {
        26.0
    } else {
        0.0
    };
    let upper = if hex(b'A') {
        6.0
    } else if has(b'A', b'Z') {
        26.0
    } else {
        0.0
    };
    let used =
        counts.iter().zip(0u8..=255).filter(|&(&count, byte)| count > 0 && !byte.is_ascii_alphanumeric());
    let others = used.count() as f64;
    (if digits { 10.0 } else { 0.0 } + lower + upper + others).max(1.0)
}

/// Bits of bytes of one width, of which so many vary freely: each place by itself, or few values.
pub(super) fn of_bytes(values: &[&[u8]], free: f64) -> f64 {
    let width = values.first().map_or(0, |value| value.len());
    let placed = (0..width).map(|place| {
        let mut counts = [0; 256];
        values.iter().filter_map(|value| value.get(place)).for_each(|&byte| counts[usize::from(byte)] += 1);
        let used = counts.iter().filter(|&&count| count > 0).count();
        let own = few(counts.into_iter().filter(|&count| count > 0), one_of(256.0, used));
        own.min(values.len() as f64 * 8.0)
    });
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let each = (free - (runs(&sorted).count() as f64).log2() + 1.5).max(1.5);
    placed.sum::<f64>().min(few(runs(&sorted), each)).min(values.len() as f64 * free)
}
