//! The formula and the fields that give keys again, from the parts that were found in them.

use super::super::sampled::some_of;
use super::derived;
use super::form::{Form, Sign, Unit, big_endian};
use super::search::{FoundPart, parts_of};
use crate::formula::text_in_formula;
use crate::records::field::{Field, Kind};
use std::ops::Range;

/// Keys by which parts are found; what follows from others is tried on all.
const SAMPLE: usize = 400;
/// Bytes of so many keys, and the fewest of them where they are long.
const SAMPLE_BYTES: usize = 64 << 10;
const FEWEST: usize = 60;
/// The share of keys of one length from which on others are none of theirs: 97 of 100.
const NEARLY_ALL: (usize, usize) = (97, 100);
/// Bytes of the number of a tag in rows of OpenTSDB, and seconds of an hour, which these rows have.
const TAG: u32 = 3;
const HOUR: u64 = 3600;
/// Most characters of a hash before a text without a separator.
const LONGEST_DIGEST: usize = 64;
/// Most values that a part is computed from.
const MOST_SOURCES: usize = 200;

/// A part of keys with its place in their formula.
#[derive(Clone, Debug)]
pub struct NamedPart {
    /// The part as it was found.
    pub found: FoundPart,
    /// Its field; `None` of literals and of parts that follow from others.
    pub field: Option<Field>,
    /// The part in the formula.
    pub formula: String,
    /// True of a part that follows from others.
    pub derived: bool,
}

/// The parts of keys, named, with the formula of each, behind those of the keys by which they were found. No key may be empty.
pub fn named_parts<'k>(keys: &[&'k [u8]]) -> (Vec<&'k [u8]>, Vec<NamedPart>) {
    let keys = of_one_length(keys);
    let longest = keys.iter().map(|key| key.len()).max().unwrap_or_default();
    let most = (SAMPLE_BYTES / longest.max(1)).clamp(FEWEST, SAMPLE);
    let few = some_of(&keys, most);
    let parts = with_tags(&few, parts_of(&few));
    let (parts, derived) = with_derived(&few, parts);
    let named = formulas(&few, &parts, &derived);
    (few, named)
}

/// Rows of OpenTSDB: the number of a metric and an hour, then pairs of numbers of three bytes each, as many as the series has tags.
fn with_tags(keys: &[&[u8]], mut parts: Vec<FoundPart>) -> Vec<FoundPart> {
    let is_hour = |part: &FoundPart| {
        let hour = |bytes: &&[u8]| big_endian(bytes).is_multiple_of(HOUR);
        part.form == Form::Time(Sign::Plain, Unit::Seconds)
            && part.width == Some(4)
            && bytes_of(keys, part).iter().all(hour)
    };
    let found = parts.windows(2).position(|pair| {
        matches!(pair, [metric, hour] if metric.width == Some(3) && matches!(metric.form, Form::Number(_) | Form::Literal(_)) && is_hour(hour))
    });
    let Some(hour) = found.and_then(|metric| parts.get(metric + 1)) else { return parts };
    let rest: Vec<(u32, u32)> =
        hour.spans.iter().zip(keys).map(|(&(_, from), key)| (from, key.len() as u32)).collect();
    let Some(&(from, to)) = rest.first() else { return parts };
    if rest.iter().any(|(from, to)| from == to || !(to - from).is_multiple_of(2 * TAG)) {
        return parts;
    }
    let kept = found.map_or(0, |metric| metric + 2);
    parts.truncate(kept);
    if rest.iter().any(|(own_from, own_to)| own_to - own_from != to - from) {
        parts.push(FoundPart { form: Form::Bytes, width: None, spans: rest });
        return parts;
    }
    for tag in 0..(to - from) / TAG {
        let spans = rest.iter().map(|(from, _)| (from + tag * TAG, from + (tag + 1) * TAG)).collect();
        parts.push(FoundPart { form: Form::Number(Sign::Plain), width: Some(TAG as usize), spans });
    }
    parts
}

/// The keys without those of another length, where nearly all have one.
fn of_one_length<'k>(keys: &[&'k [u8]]) -> Vec<&'k [u8]> {
    let mut lengths: Vec<usize> = keys.iter().map(|key| key.len()).collect();
    lengths.sort_unstable();
    let runs = lengths.chunk_by(|a, b| a == b).max_by_key(|run| run.len()).unwrap_or_default();
    let one = runs.first().filter(|_| runs.len() * NEARLY_ALL.1 >= keys.len() * NEARLY_ALL.0);
    keys.iter().filter(|key| one.is_none_or(|&one| key.len() == one)).copied().collect()
}

/// The values that a part follows from.
#[derive(Clone, Debug)]
enum Source {
    /// All bytes that follow.
    Rest,
    /// The bytes of parts, one after the other.
    Bytes(Range<usize>),
    /// The bytes of the one part and the other.
    Pair(usize, usize),
    /// The decimal digits of a number.
    Decimal(usize),
    /// A number.
    Number(usize),
}

/// A part that follows from others, and the steps that lead there.
#[derive(Clone, Debug)]
struct Derived {
    part: usize,
    source: Source,
    steps: String,
}

/// The parts, with what follows from others cut off where it is one text with what follows it, and all that does.
fn with_derived(keys: &[&[u8]], mut parts: Vec<FoundPart>) -> (Vec<FoundPart>, Vec<Derived>) {
    let mut derived: Vec<Derived> = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let known = derived_at(keys, &parts, at, &derived);
        if let Some(known) = known {
            derived.push(known);
        } else if let Some((cut, known)) = derived_before(keys, &parts, at) {
            parts = cut;
            derived.push(known);
        }
        at += 1;
    }
    (parts, derived)
}

/// How the part at a place follows from others.
fn derived_at(keys: &[&[u8]], parts: &[FoundPart], at: usize, known: &[Derived]) -> Option<Derived> {
    let part = parts.get(at)?;
    let may_be = match part.form {
        Form::Bytes | Form::Text => true,
        Form::Number(Sign::Plain | Sign::Signed) => part.width.is_some_and(|width| width <= 4),
        Form::Time(Sign::Plain, Unit::Seconds) => part.width == Some(4),
        Form::TimeText("yyyyMM" | "epoch-seconds" | "yyyyMMdd") => true,
        _ => false,
    };
    if !may_be {
        return None;
    }
    let targets = bytes_of(keys, part);
    sources(parts, at, known).into_iter().find_map(|source| {
        let steps = match &source {
            Source::Number(of) => derived::remainder_steps(&numbers(keys, parts.get(*of)?)?, &targets)?,
            source => {
                let values = values(keys, parts, at, source)?;
                let values: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
                derived::steps(&values, &targets)?
            }
        };
        Some(Derived { part: at, source, steps })
    })
}

/// A text of which the beginning follows from the rest, cut there.
fn derived_before(keys: &[&[u8]], parts: &[FoundPart], at: usize) -> Option<(Vec<FoundPart>, Derived)> {
    let part = parts.get(at)?;
    let least = part.spans.iter().map(|(from, to)| (to - from) as usize).min()?;
    if part.form != Form::Text || least < 2 {
        return None;
    }
    (1..least.min(LONGEST_DIGEST + 1)).find_map(|width| {
        let cut = |(from, to): &(u32, u32)| ((*from, from + width as u32), (from + width as u32, *to));
        let (begins, rests) = part.spans.iter().map(cut).unzip();
        let begin = FoundPart { form: Form::Text, width: Some(width), spans: begins };
        let rest = FoundPart { form: Form::Text, width: part.width.map(|whole| whole - width), spans: rests };
        let mut parts = parts.to_vec();
        parts.splice(at..=at, [begin, rest]);
        let known = derived_at(keys, &parts, at, &[])?;
        Some((parts, known))
    })
}

/// All that a part may follow from, the likeliest first.
fn sources(parts: &[FoundPart], at: usize, known: &[Derived]) -> Vec<Source> {
    let is_value = |place: &usize| {
        let is_literal = parts.get(*place).is_none_or(|part| matches!(part.form, Form::Literal(_)));
        *place != at && !is_literal && known.iter().all(|known| known.part != *place)
    };
    let places: Vec<usize> = (0..parts.len()).filter(is_value).collect();
    let mut sources: Vec<Source> = places.iter().map(|&place| Source::Bytes(place..place + 1)).collect();
    let counted = |place: &&usize| {
        parts.get(**place).is_some_and(|part| matches!(part.form, Form::Number(_) | Form::Time(..)))
    };
    sources.extend(
        places.iter().filter(counted).flat_map(|&place| [Source::Number(place), Source::Decimal(place)]),
    );
    if at + 1 < parts.len() {
        sources.push(Source::Rest);
    }
    for (index, &first) in places.iter().enumerate() {
        for &last in places.iter().skip(index + 1) {
            if !(first..=last).contains(&at) {
                sources.push(Source::Bytes(first..last + 1));
            }
            sources.push(Source::Pair(first, last));
        }
    }
    sources.truncate(MOST_SOURCES);
    sources
}

fn bytes_of<'k>(keys: &[&'k [u8]], part: &FoundPart) -> Vec<&'k [u8]> {
    let bytes = |(key, &(from, to)): (&&'k [u8], &(u32, u32))| {
        key.get(from as usize..to as usize).unwrap_or_default()
    };
    keys.iter().zip(&part.spans).map(bytes).collect()
}

/// The numbers of a part.
fn numbers(keys: &[&[u8]], part: &FoundPart) -> Option<Vec<i64>> {
    let (Form::Number(sign) | Form::Time(sign, _)) = part.form else { return None };
    let width = part.width?;
    let number = |bytes: &[u8]| i64::try_from(sign.value(big_endian(bytes), width)).ok();
    bytes_of(keys, part).into_iter().map(number).collect()
}

/// The bytes of a source in each key.
fn values(keys: &[&[u8]], parts: &[FoundPart], at: usize, source: &Source) -> Option<Vec<Vec<u8>>> {
    let owned = |values: Vec<&[u8]>| values.into_iter().map(<[u8]>::to_vec).collect();
    Some(match source {
        Source::Rest => {
            let spans = &parts.get(at)?.spans;
            keys.iter()
                .zip(spans)
                .map(|(key, &(_, to))| key.get(to as usize..).unwrap_or_default().to_vec())
                .collect()
        }
        Source::Bytes(places) => {
            let (first, last) = (parts.get(places.start)?, parts.get(places.end.checked_sub(1)?)?);
            let spans =
                first.spans.iter().zip(&last.spans).map(|(&(from, _), &(_, to))| (from, to)).collect();
            owned(bytes_of(keys, &FoundPart { form: Form::Bytes, width: None, spans }))
        }
        Source::Pair(first, last) => {
            let (first, last) = (bytes_of(keys, parts.get(*first)?), bytes_of(keys, parts.get(*last)?));
            first.into_iter().zip(last).map(|(first, last)| [first, last].concat()).collect()
        }
        Source::Decimal(place) | Source::Number(place) => numbers(keys, parts.get(*place)?)?
            .into_iter()
            .map(|number| number.to_string().into_bytes())
            .collect(),
    })
}

/// The parts with their fields and formulas.
fn formulas(keys: &[&[u8]], parts: &[FoundPart], derived: &[Derived]) -> Vec<NamedPart> {
    let mut place = 0;
    let mut named: Vec<NamedPart> = Vec::new();
    let mut numbers: Vec<String> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let is_literal = matches!(part.form, Form::Literal(_));
        place += usize::from(!is_literal);
        let is_derived = derived.iter().any(|known| known.part == index);
        let before = named.last().map(|before| before.found.form.clone());
        let (field, formula, number) = plain(part, &bytes_of(keys, part), place, before.as_ref());
        numbers.push(number);
        let field = field.filter(|_| !is_derived);
        named.push(NamedPart { found: part.clone(), field, formula, derived: is_derived });
    }
    for Derived { part, source, steps } in derived {
        let written = |place: usize| named.get(place).map(|part| part.formula.clone()).unwrap_or_default();
        let source = match source {
            Source::Rest => "rest".to_owned(),
            Source::Bytes(places) if places.len() == 1 => written(places.start),
            Source::Bytes(places) => {
                let all: Vec<String> = places.clone().map(written).filter(|part| !part.is_empty()).collect();
                format!("join('', {})", all.join(", "))
            }
            Source::Pair(first, last) => format!("join('', {}, {})", written(*first), written(*last)),
            Source::Decimal(place) => format!("{}.decimal()", numbers.get(*place).map_or("", String::as_str)),
            Source::Number(place) => numbers.get(*place).cloned().unwrap_or_default(),
        };
        let steps = phoenix_salt(&source, steps).unwrap_or_else(|| steps.clone());
        if let Some(part) = named.get_mut(*part) {
            part.formula = format!("{source}{steps}");
        }
    }
    named
}

/// The name that Phoenix's salt has.
fn phoenix_salt(source: &str, steps: &str) -> Option<String> {
    let buckets = steps.strip_prefix(".bytesHash().mod(")?.strip_suffix(").abs().uint8()")?;
    (source == "rest").then(|| format!(".phoenixSalt({buckets})"))
}

/// The field of a part, the part in a formula, and its number there before it is written.
fn plain(
    part: &FoundPart,
    values: &[&[u8]],
    place: usize,
    before: Option<&Form>,
) -> (Option<Field>, String, String) {
    let width = part.width.and_then(|width| u32::try_from(width).ok());
    let field = |name: &str, kind: Kind, format: Option<&str>, width: Option<u32>| Field {
        name: format!("{name}{place}"),
        kind,
        format: format.map(str::to_owned),
        zone: (kind == Kind::Time).then(|| "Z".to_owned()),
        width,
        from: Vec::new(),
        nullable: false,
    };
    let (part_name, time_name) = (format!("part{place}"), format!("time{place}"));
    let bytes = |format: &str| field("part", Kind::Bytes, Some(format), width);
    let most =
        values.iter().map(|value| big_endian(value.get(..value.len().min(8)).unwrap_or_default())).max();
    match &part.form {
        Form::Literal(literal) => {
            // The end of an inverted text is written with it.
            let literal = match before {
                Some(Form::InvertedText) => literal.get(1..).unwrap_or_default(),
                _ => literal,
            };
            (None, literal_in_formula(literal), String::new())
        }
        Form::Text => (Some(field("part", Kind::Text, None, width)), part_name.clone(), part_name),
        Form::InvertedText => {
            let text = field("part", Kind::Text, None, None);
            (Some(text), format!("{part_name}.phoenix.varchar('desc', 'separated')"), part_name)
        }
        Form::PaddedText => {
            let text = field("part", Kind::Text, None, None);
            (Some(text), format!("{part_name}.text({})", part.width.unwrap_or_default()), part_name)
        }
        Form::Float => {
            (Some(field("part", Kind::Float, None, None)), format!("{part_name}.float64()"), part_name)
        }
        Form::Boolean => {
            (Some(field("part", Kind::Boolean, None, None)), format!("{part_name}.boolean()"), part_name)
        }
        Form::OrderedText(descending) => {
            let text = field("part", Kind::Text, None, None);
            (Some(text), format!("{part_name}.ordered.string({})", order(*descending)), part_name)
        }
        Form::OrderedNumber(descending) => {
            let bits = 8 * part.width.unwrap_or_default().saturating_sub(1);
            let number = field("part", Kind::Integer, None, None);
            (Some(number), format!("{part_name}.ordered.int{bits}({})", order(*descending)), part_name)
        }
        Form::OrderedTime(descending) => {
            let time = field("time", Kind::Time, Some("epoch-millis"), None);
            let number = format!("{time_name}.millis()");
            (Some(time), format!("{number}.ordered.int64({})", order(*descending)), number)
        }
        Form::Uuid => (Some(bytes("uuid")), part_name.clone(), part_name),
        Form::Bytes => (Some(bytes("hex")), part_name.clone(), part_name),
        Form::TimeText(format @ ("epoch-micros" | "epoch-nanos")) => {
            let _ = format;
            (Some(field("part", Kind::Text, None, width)), part_name.clone(), part_name)
        }
        Form::TimeText("epoch-millis") => {
            let time = field("time", Kind::Time, Some("epoch-millis"), None);
            (Some(time), format!("{time_name}.millis().decimal(13)"), format!("{time_name}.millis()"))
        }
        Form::TimeText("epoch-seconds") => {
            let time = field("time", Kind::Time, Some("epoch-seconds"), None);
            (Some(time), format!("{time_name}.seconds().decimal(10)"), format!("{time_name}.seconds()"))
        }
        Form::TimeText(format) => {
            let time = field("time", Kind::Time, Some(format), None);
            (Some(time), format!("{time_name}.format({})", text_in_formula(format)), time_name)
        }
        Form::ReversedMillis => {
            let time = field("time", Kind::Time, Some("epoch-millis"), None);
            let number = format!("{time_name}.millis()");
            (Some(time), format!("{number}.reverseLong().decimal(19)"), number)
        }
        Form::Number(sign) => {
            let steps = number_steps(*sign, part.width.unwrap_or(8), most.unwrap_or_default());
            (Some(field("part", Kind::Integer, None, None)), format!("{part_name}{steps}"), part_name)
        }
        Form::Time(sign, unit @ (Unit::Micros | Unit::Nanos)) => {
            let name = if *unit == Unit::Micros { "micros" } else { "nanos" };
            let steps = number_steps(*sign, 8, most.unwrap_or_default());
            let number = format!("{name}{place}");
            (Some(field(name, Kind::Integer, None, None)), format!("{number}{steps}"), number)
        }
        Form::Time(sign, unit) => {
            let (format, step) = match unit {
                Unit::Seconds => ("epoch-seconds", "seconds"),
                _ => ("epoch-millis", "millis"),
            };
            let time = field("time", Kind::Time, Some(format), None);
            let number = format!("{time_name}.{step}()");
            let formula = match (sign, unit) {
                (Sign::Flipped, Unit::Millis) => format!("{time_name}.phoenix.date()"),
                (Sign::Inverted, Unit::Millis) => format!("{time_name}.phoenix.unsignedDate('desc')"),
                _ => format!(
                    "{number}{}",
                    number_steps(*sign, part.width.unwrap_or(8), most.unwrap_or_default())
                ),
            };
            (Some(time), formula, number)
        }
    }
}

/// The argument of `OrderedBytes`.
fn order(descending: bool) -> &'static str {
    if descending { "'desc'" } else { "'asc'" }
}

pub(in super::super) fn literal_in_formula(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        _ if bytes.is_empty() => String::new(),
        Ok(text) if !text.contains(char::is_control) => text_in_formula(text),
        _ => format!("x'{}'", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
    }
}

/// The steps that write a number in so many bytes, none of which is greater than `most` as they stand.
fn number_steps(sign: Sign, width: usize, most: u64) -> &'static str {
    let fits = most < 1 << (8 * width - 1);
    match (sign, width) {
        (Sign::Plain, 1) => ".uint8()",
        (Sign::Plain, 2) if fits => ".int16()",
        (Sign::Plain, 2) => ".uint16()",
        (Sign::Plain, 3) => ".uint24()",
        (Sign::Plain, 4) if fits => ".int32()",
        (Sign::Plain, 4) => ".uint32()",
        (Sign::Signed, 1) => ".int8()",
        (Sign::Signed, 2) => ".int16()",
        (Sign::Signed, 4) => ".int32()",
        (Sign::Plain | Sign::Signed, _) => ".int64()",
        (Sign::Flipped, 1) => ".phoenix.tinyint()",
        (Sign::Flipped, 2) => ".phoenix.smallint()",
        (Sign::Flipped, 4) => ".phoenix.integer()",
        (Sign::Flipped, _) => ".phoenix.bigint()",
        (Sign::Reversed, 1) => ".phoenix.tinyint('desc')",
        (Sign::Reversed, 2) => ".phoenix.smallint('desc')",
        (Sign::Reversed, 4) => ".phoenix.integer('desc')",
        (Sign::Reversed, _) => ".reverseLong().int64()",
        (Sign::Inverted, 1) => ".phoenix.unsignedTinyint('desc')",
        (Sign::Inverted, 2) => ".phoenix.unsignedSmallint('desc')",
        (Sign::Inverted, 4) => ".phoenix.unsignedInt('desc')",
        (Sign::Inverted, _) => ".phoenix.unsignedLong('desc')",
    }
}
