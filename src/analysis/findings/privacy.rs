//! Findings about people who can be read out of keys, or guessed from them.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::{DesignFix, reworded};
use super::review::Review;
use crate::base::figures::percent;
use crate::bytes::sort::sort_distinct;
use crate::bytes::strings::ByteStrings;
use crate::formula::typed::{Expression, TypedPart, walk};
use crate::records::field::Kind;

/// Share of values that look alike from which a field is taken for what they look like.
const ALIKE: f64 = 0.9;
/// Numbers that use more than one of so many possible ones are given out in turn: those of telephones are far apart.
const DENSE: f64 = 20.0;
/// Stands where whoever makes the keys puts a secret.
const SECRET: &str = "your-secret";
/// Values that can be tried in a day on one machine.
const GUESSES: f64 = 1e13;

/// True of a value that looks like a telephone number or a mail address.
fn looks_personal(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let phone = (10..=15).contains(&digits)
        && value.iter().all(|byte| byte.is_ascii_digit() || b"+ -()".contains(byte));
    let mail = value
        .iter()
        .position(|&byte| byte == b'@')
        .is_some_and(|at| at > 0 && value.get(at..).is_some_and(|host| host.contains(&b'.')));
    phone || mail
}

/// True of bare numbers that somebody gives out in turn, such as those of orders: they begin with a date, lie
/// close together, or rise from one to the next.
fn are_issued(values: &ByteStrings) -> bool {
    let number = |value: &[u8]| std::str::from_utf8(value).ok()?.parse::<u64>().ok();
    let numbers: Vec<u64> = values.iter().filter_map(number).collect();
    let mostly = |count: usize, of: usize| count as f64 >= ALIKE * of.max(1) as f64;
    if !mostly(numbers.len(), values.len()) {
        return false;
    }
    let dated = values.iter().filter(|value| begins_with_date(value)).count();
    let rising = numbers.windows(2).filter(|pair| pair.is_sorted()).count();
    let (least, most) = (numbers.iter().min(), numbers.iter().max());
    let span = least.zip(most).map_or(0, |(least, most)| most - least);
    mostly(dated, values.len())
        || mostly(rising, numbers.len() - 1)
        || (span as f64) < DENSE * numbers.len() as f64
}

/// True when the first eight digits are a day of this century or the last: `20240502…`.
fn begins_with_date(value: &[u8]) -> bool {
    let digits =
        |range: std::ops::Range<usize>| std::str::from_utf8(value.get(range)?).ok()?.parse::<u32>().ok();
    let within = |range, least, most| digits(range).is_some_and(|found| (least..=most).contains(&found));
    within(0..4, 1970, 2069) && within(4..6, 1, 12) && within(6..8, 1, 31)
}

/// True of values that nearly all look like phone numbers or mail addresses.
fn are_personal(values: &ByteStrings) -> bool {
    let alike = values.iter().filter(|value| looks_personal(value)).count();
    values.len() >= 20 && alike as f64 >= ALIKE * values.len() as f64 && !are_issued(values)
}

/// The text fields of a part whose values look like phone numbers or mail addresses.
fn personal(review: &Review, part: &TypedPart) -> Vec<usize> {
    let is_personal = |&field: &usize| {
        let Some(column) = review.column(field).filter(|column| column.field.kind == Kind::Text) else {
            return false;
        };
        let crate::records::ColumnValues::Strings { dictionary, .. } = &column.values else { return false };
        let found = || are_personal(&dictionary.entries);
        review.evidence.as_ref().is_some_and(|evidence| evidence.facts.personal.get(field, found))
    };
    part.fields.iter().copied().filter(is_personal).collect()
}

/// Phone numbers and addresses that stand in the key as they are.
pub fn readable(review: &Review) -> Vec<RuleHit> {
    let mut fields: Vec<usize> = Vec::new();
    for part in review.design.typed.parts.iter().filter(|part| part.shape.one_to_one) {
        fields.extend(personal(review, part));
    }
    sort_distinct(&mut fields);
    let found = |field| {
        RuleHit::new(FindingSeverity::Note).with("field", review.name(field)).mended_by(hidden(review, field))
    };
    fields.into_iter().map(found).collect()
}

/// A value with a secret before it.
fn keyed(value: &str) -> String {
    format!("join('-', '{SECRET}', {value})")
}

/// The key with a keyed hash in place of what shows a field; `None` where that stands in one part with others.
fn hidden(review: &Review, field: usize) -> Option<DesignFix> {
    let shows = |part: &TypedPart| part.shape.one_to_one && part.fields.contains(&field);
    let parts = &review.design.typed.parts;
    let alone = parts.iter().filter(|part| shows(part)).all(|part| part.fields == [field]);
    let hashed = |part: &TypedPart| shows(part).then(|| format!("{}.sha256().raw(16)", keyed(&part.text)));
    alone.then(|| reworded(review, hashed))
}

/// The key with a secret before what `hash` hashes, in canonical form.
fn peppered(review: &Review, guessable: &TypedPart, hash: &Expression) -> Option<DesignFix> {
    let Expression::Apply { text, step, .. } = hash else { return None };
    let whole = match &guessable.expression {
        Expression::Apply { text, .. } => text,
        _ => &guessable.text,
    };
    let end = format!(".{}()", step.name);
    let secret = keyed(text.strip_suffix(&end)?) + &end;
    let reworded = reworded(review, |part| {
        (part.span == guessable.span).then(|| whole.replacen(text.as_str(), &secret, 1))
    });
    whole.contains(text.as_str()).then_some(reworded)
}

/// Hashes of values so few that all can be tried.
pub fn guessable(review: &Review) -> Vec<RuleHit> {
    let mut all = Vec::new();
    for part in &review.design.typed.parts {
        let mut input = None;
        walk(&part.expression, &mut |expression| {
            if let Expression::Apply { step, input: hashed, .. } = expression
                && matches!(step.name, "md5" | "sha1" | "sha256")
            {
                input = Some((expression, &**hashed));
            }
        });
        // A bucket of a hash tells nothing about who it was.
        let tells = part.shape.width.max.is_none_or(|width| width >= 4)
            && part.shape.distinct.is_none_or(|distinct| distinct > 1 << 20);
        let readable = |&field: &usize| {
            review.design.typed.parts.iter().any(|part| part.shape.one_to_one && part.fields.contains(&field))
        };
        let Some((hash, input)) = input.filter(|_| tells && part.fields.iter().any(|field| !readable(field)))
        else {
            continue;
        };
        if personal(review, part).is_empty() {
            continue;
        }
        let Some(known) = review.texts(input) else { continue };
        let values = &known.values;
        let digits = values.used().filter(|(value, _)| value.iter().all(|byte| byte.is_ascii_digit()));
        let only_digits: usize = digits.map(|(_, rows)| rows).sum();
        let longest = values.used().map(|(value, _)| value.len()).max().unwrap_or(0);
        let guesses = 10f64.powi(longest.min(300) as i32);
        if only_digits as f64 >= ALIKE * values.len().max(1) as f64 && guesses <= GUESSES {
            all.push(
                RuleHit::new(FindingSeverity::Warning)
                    .at(part.span)
                    .with("part", &part.text)
                    .with("digits", longest)
                    .with("share", percent(only_digits as f64 / values.len().max(1) as f64))
                    .mended_by(peppered(review, part, hash)),
            );
        }
    }
    all
}
