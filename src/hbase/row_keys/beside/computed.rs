//! Gaps in row keys that are computed from fields of their records: hashes, salts, remainders.

use super::super::structure::{remainder_steps, steps};
use super::search::{DividedKey, Division};
use super::values::values_of;
use crate::formula::{check, name_in_formula, parse};
use crate::keys::encode::Encoder;
use crate::records::field::{Field, Kind};

/// Between two texts of which a hash is taken.
const BETWEEN: [&str; 5] = ["", "_", "-", "|", ":"];
/// Most values that are tried.
const MOST_SOURCES: usize = 400;

/// A value that gaps may be computed from.
struct GapSource {
    formula: String,
    /// The formula of the number that it shows.
    number: Option<String>,
    /// The value for each key.
    values: Vec<Vec<u8>>,
}

/// The formulas of the gaps of a division. `written` are the formulas between them.
///
/// # Errors
/// The number of the first gap that is not computed from fields, from 0.
pub(super) fn gaps(
    division: &Division,
    keys: &[&[u8]],
    written: &[&str],
    fields: &[Field],
    all: &mut Encoder<'_>,
) -> Result<Vec<String>, usize> {
    let count = division.keys.first().map_or(0, |key| key.gaps.len());
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut sources: Vec<GapSource> = Vec::new();
    for (formula, number) in texts(fields) {
        sources.extend(GapSource::of(formula, number, division, fields, all));
    }
    for formula in written {
        if sources.iter().all(|source| source.formula != *formula) {
            sources.extend(GapSource::of((*formula).to_owned(), None, division, fields, all));
        }
    }
    let pairs: Vec<GapSource> = pairs(&sources).collect();
    sources.extend(pairs);
    sources.truncate(MOST_SOURCES);
    (0..count).map(|gap| computed(division, keys, gap, &sources).ok_or(gap)).collect()
}

/// The texts of fields, with the number that each shows.
fn texts(fields: &[Field]) -> Vec<(String, Option<String>)> {
    let mut texts = Vec::new();
    for field in fields {
        let name = name_in_formula(&field.name);
        let mut number = |number: String| texts.push((format!("{number}.decimal()"), Some(number)));
        match field.kind {
            Kind::Text | Kind::Bytes => texts.push((name, None)),
            Kind::Integer => number(name),
            Kind::Time => ["millis", "seconds"].iter().for_each(|unit| number(format!("{name}.{unit}()"))),
            Kind::Float | Kind::Decimal | Kind::Boolean => texts.push((format!("{name}.string()"), None)),
        }
    }
    texts
}

/// Two sources, one after the other.
fn pairs(sources: &[GapSource]) -> impl Iterator<Item = GapSource> {
    sources.iter().flat_map(move |first| {
        let others = sources.iter().filter(move |second| second.formula != first.formula);
        others.flat_map(move |second| {
            BETWEEN.into_iter().map(move |between| {
                let both = first.values.iter().zip(&second.values);
                GapSource {
                    formula: format!("join('{between}', {}, {})", first.formula, second.formula),
                    number: None,
                    values: both.map(|(a, b)| [a, between.as_bytes(), b].concat()).collect(),
                }
            })
        })
    })
}

impl GapSource {
    fn of(
        formula: String,
        number: Option<String>,
        division: &Division,
        fields: &[Field],
        all: &mut Encoder<'_>,
    ) -> Option<Self> {
        let typed = check(&parse(&formula).ok()?, fields).ok()?;
        let of_rows = values_of(all, &typed)?;
        let value = |key: &DividedKey| of_rows.get(key.row as usize).cloned().flatten();
        let values = division.keys.iter().map(value).collect::<Option<_>>()?;
        Some(Self { formula, number, values })
    }
}

/// The formula of a gap, of which the first source that gives it is taken.
fn computed(division: &Division, keys: &[&[u8]], gap: usize, sources: &[GapSource]) -> Option<String> {
    let bytes = |divided: &DividedKey| {
        let (from, to) = *divided.gaps.get(gap)?;
        let key = keys.get(divided.number)?;
        Some((key.get(from as usize..to as usize)?, key.get(to as usize..)?.to_vec()))
    };
    let both = division.keys.iter().map(bytes).collect::<Option<Vec<_>>>()?;
    let (targets, rest): (Vec<&[u8]>, Vec<Vec<u8>>) = both.into_iter().unzip();
    let rest = GapSource { formula: "rest".to_owned(), number: None, values: rest };
    let behind = rest.values.iter().any(|value| !value.is_empty()).then_some(&rest);
    sources.iter().chain(behind).find_map(|source| {
        let values: Vec<&[u8]> = source.values.iter().map(Vec::as_slice).collect();
        if let Some(steps) = steps(&values, &targets) {
            return Some(format!("{}{steps}", source.formula));
        }
        let number = source.number.as_ref()?;
        let read = |value: &&[u8]| std::str::from_utf8(value).ok()?.parse().ok();
        let numbers = values.iter().map(read).collect::<Option<Vec<i64>>>()?;
        Some(format!("{number}{}", remainder_steps(&numbers, &targets)?))
    })
}
