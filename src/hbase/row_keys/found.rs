//! Row keys taken back to fields by the parts that were found in their bytes.

use super::parts::{KeyField, KeysGuess, first_splits};
use super::products::ProductTable;
use super::sampled::some_of;
use super::segments::{KeySegment, SegmentKind, segments_of};
use super::structure::{Form, NamedPart, Sign, Unit, named_parts};
use crate::base::Problem;
use crate::bytes::row::to_string_binary;
use crate::design::{Design, Document};
use crate::formula::typed::TypedFormula;
use crate::formula::{check, parse};
use crate::keys::decode::decode;
use crate::keys::reader::KeyDecoder;
use crate::records::field::{Field, Kind};
use crate::records::read::{KeyFields, KeyNotation};

/// Keys that a formula has to take back.
const TRIED: usize = 2000;
/// Keys from which on their parts are no accident.
const FEW: usize = 50;
/// Most keys out of so many that may be of another kind.
const OTHERS: usize = 50;
/// Keys by which a notation is chosen.
const NOTED: usize = 200;
/// Most that the first keys are looked at again with keys of another form among them.
const ROUNDS: usize = 3;
/// Examples of each part.
const EXAMPLES: usize = 3;

/// The row key of a table whose rows a file may hold.
pub struct DeclaredKey<'a> {
    /// The formula as text.
    pub rowkey: &'a str,
    /// The same, checked.
    pub typed: &'a TypedFormula,
    /// The fields that it is over.
    pub fields: &'a [Field],
}

impl<'a> DeclaredKey<'a> {
    /// The row keys of a study whose formulas have no lookup tables or named parts.
    pub fn of_study(study: &'a Document) -> impl Iterator<Item = Self> {
        let is_plain = |table: &&Design| {
            table.typed.kinds.is_empty()
                && parse(&table.rowkey).is_ok_and(|formula| check(&formula, &study.fields).is_ok())
        };
        let key =
            |table: &'a Design| Self { rowkey: &table.rowkey, typed: &table.typed, fields: &study.fields };
        study.tables.iter().filter(is_plain).map(key)
    }
}

/// The parts of row keys, as far as their bytes tell.
pub(super) struct FoundKeys {
    /// The fields that they were made of.
    pub fields: Vec<KeyField>,
    /// How they are built.
    pub keys: KeysGuess,
    /// How they are written.
    pub notation: KeyNotation,
    /// The kind of each part, with what shows it.
    pub evidence: Vec<Problem>,
}

/// The keys that lines are: in the notation in which they show the most form.
pub(super) fn of_lines(lines: &[&str], of_shell: bool, judge: &impl KeyJudge) -> Option<FoundKeys> {
    // The shell prints bytes that are letters or digits as these.
    let escaped = of_shell || lines.iter().any(|line| line.contains("\\x"));
    let has = |is: fn(&u8) -> bool| lines.iter().any(|line| line.bytes().any(|byte| is(&byte)));
    let even = |line: &&str| line.len() >= 8 && line.len().is_multiple_of(2);
    // Many bytes in hexadecimal digits have some letters; decimal numbers have none.
    let hex = !escaped
        && has(u8::is_ascii_alphabetic)
        && lines.iter().all(|line| even(line) && line.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if hex && let Some(found) = of_text(lines, KeyNotation::Hex, judge).filter(FoundKeys::shows_form) {
        return Some(found);
    }
    let is_base64 = |line: &&str| {
        let digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
        line.len() >= 8 && line.len().is_multiple_of(4) && line.trim_end_matches('=').bytes().all(digit)
    };
    let mixed = || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    if !escaped && !hex && lines.iter().all(is_base64) && mixed() {
        let few = some_of(lines, NOTED);
        if of_text(&few, KeyNotation::Base64, judge).is_some_and(|found| found.shows_form()) {
            return of_text(lines, KeyNotation::Base64, judge);
        }
    }
    of_text(lines, KeyNotation::Escaped, judge)
}

/// The notation in which lines are row keys of this formula.
pub fn notation_in(lines: &[&str], key: &DeclaredKey<'_>) -> Option<KeyNotation> {
    if !key.typed.kinds.is_empty() {
        return None;
    }
    let tried = some_of(lines, NOTED);
    KeyNotation::ALL.into_iter().find(|notation| {
        let is_read = |line: &&&str| {
            let decoded = notation.bytes(line).and_then(|bytes| decode(key.typed, key.fields, &bytes));
            decoded.is_ok_and(|decoded| decoded.problems.is_empty())
        };
        let read = tried.iter().filter(is_read).count();
        read > 0 && 10 * read >= 9 * tried.len()
    })
}

fn of_text(lines: &[&str], notation: KeyNotation, judge: &impl KeyJudge) -> Option<FoundKeys> {
    let keys: Vec<Vec<u8>> = lines.iter().filter_map(|line| notation.bytes(line).ok()).collect();
    let few = keys.len() * OTHERS < lines.len() * (OTHERS - 1);
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).filter(|key| !key.is_empty()).collect();
    if let Some(table) = judge.product(&keys).filter(|_| !few) {
        return Some(FoundKeys::of_product(table, notation, keys.len()));
    }
    if few || keys.len() < FEW { None } else { found(&keys, notation, judge) }
}

fn found(keys: &[&[u8]], notation: KeyNotation, judge: &impl KeyJudge) -> Option<FoundKeys> {
    let tried = some_of(keys, TRIED);
    let mut sample = tried.clone();
    for _ in 0..ROUNDS {
        let (known, parts) = named_parts(&sample);
        let fields: Vec<Field> = parts.iter().filter_map(|part| part.field.clone()).collect();
        let formulas: Vec<&str> =
            parts.iter().map(|part| part.formula.as_str()).filter(|part| !part.is_empty()).collect();
        let rowkey = formulas.join(" + ");
        let cells = judge.cells(&rowkey, &fields, &tried)?;
        let others = tried.iter().zip(&cells).filter(|(_, cells)| cells.is_none()).map(|(key, _)| *key);
        let others: Vec<&[u8]> = others.collect();
        if others.len() * OTHERS <= tried.len() {
            let of = KnownKeys { sample: &known, cells: &cells, count: keys.len() };
            return Some(FoundKeys::new(&parts, rowkey, notation, &of));
        }
        // Keys that the sample left out are as good as any.
        let room = sample.len() / 2;
        sample.truncate(room.max(1));
        sample.extend(others.into_iter().take(room));
    }
    None
}

/// Tells which keys a formula can have made.
pub(super) trait KeyJudge {
    /// For each key the values of its fields, none of them where they are not known; `None` of a key that the formula cannot have made, and
    /// instead of all where there is no such formula.
    fn cells(&self, rowkey: &str, fields: &[Field], keys: &[&[u8]]) -> Option<Vec<Option<Vec<String>>>>;

    /// The table of a known product that has these keys.
    fn product(&self, _: &[&[u8]]) -> Option<ProductTable> {
        None
    }
}

/// Takes each key back to its fields.
pub(super) struct Decoding;

impl KeyJudge for Decoding {
    fn cells(&self, rowkey: &str, fields: &[Field], keys: &[&[u8]]) -> Option<Vec<Option<Vec<String>>>> {
        let typed = check(&parse(rowkey).ok()?, fields).ok()?;
        let mut decoder = KeyDecoder::new(typed, fields.to_vec());
        let mut cells = |key: &&[u8]| {
            let mut cells: Vec<String> = Vec::new();
            decoder.read(key, &mut |cell| cells.push(cell.to_owned())).ok().map(|()| cells)
        };
        Some(keys.iter().map(&mut cells).collect())
    }

    fn product(&self, keys: &[&[u8]]) -> Option<ProductTable> {
        ProductTable::of(keys)
    }
}

/// Leaves that to somebody else, who has the formula language.
pub(super) struct Unjudged;

impl KeyJudge for Unjudged {
    fn cells(&self, _: &str, _: &[Field], keys: &[&[u8]]) -> Option<Vec<Option<Vec<String>>>> {
        Some(keys.iter().map(|_| Some(Vec::new())).collect())
    }
}

/// Keys, and the values that are known of them.
struct KnownKeys<'a> {
    /// The keys in which the parts were found.
    sample: &'a [&'a [u8]],
    /// The values of the fields of some keys.
    cells: &'a [Option<Vec<String>>],
    /// How many keys there are.
    count: usize,
}

impl FoundKeys {
    fn new(parts: &[NamedPart], rowkey: String, notation: KeyNotation, known: &KnownKeys<'_>) -> Self {
        let count = known.count;
        let mut columns: Vec<Vec<String>> = Vec::new();
        for cells in known.cells.iter().flatten() {
            columns.resize(cells.len(), Vec::new());
            columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell.clone()));
        }
        let mut columns = columns.into_iter();
        let (mut fields, mut segments, mut evidence) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            let values = if part.field.is_some() { columns.next().unwrap_or_default() } else { Vec::new() };
            let texts: Vec<&str> = values.iter().map(String::as_str).collect();
            segments.extend(segment_of(part, known.sample));
            evidence.push(evidence_of(part, &texts, count));
            if let Some(field) = &part.field {
                let examples = values.iter().take(EXAMPLES).cloned().collect();
                fields.push(KeyField::new(field.clone(), examples));
            }
        }
        let keys =
            KeysGuess { separator: None, segments, rowkey, arrival: None, splits: first_splits(count) };
        Self { fields, keys, notation, evidence }
    }

    /// Keys of a table of a known product.
    fn of_product(table: ProductTable, notation: KeyNotation, count: usize) -> Self {
        let ProductTable { product, table, fields, rowkey, .. } = table;
        let evidence = Problem::new("guess.key-product").with("product", product).with("table", table);
        let fields = fields.into_iter().map(|field| KeyField::new(field, Vec::new())).collect();
        let splits = first_splits(count);
        let keys = KeysGuess { separator: None, segments: Vec::new(), rowkey, arrival: None, splits };
        Self { fields, keys, notation, evidence: vec![evidence.with("keys", count)] }
    }

    /// True if the keys are more than text or bytes.
    fn shows_form(&self) -> bool {
        let plain = |field: &KeyField| {
            matches!(field.field.kind, Kind::Bytes) && field.field.format.as_deref() != Some("uuid")
        };
        !self.fields.iter().all(plain)
    }

    /// True if a part is computed from others.
    pub fn proves_parts(&self) -> bool {
        self.evidence.iter().any(|problem| problem.code == "guess.key-computed")
    }
}

/// The first and the last byte of a part, or how many it has at least and at most.
fn lengths(part: &NamedPart) -> (usize, usize) {
    let widths = part.found.spans.iter().map(|(from, to)| (to - from) as usize);
    (widths.clone().min().unwrap_or_default(), widths.max().unwrap_or_default())
}

fn segment_of(part: &NamedPart, keys: &[&[u8]]) -> Vec<KeySegment> {
    let of = |kind| vec![KeySegment::new(kind, lengths(part))];
    match (&part.found.form, &part.field) {
        (Form::Literal(bytes), _) => {
            let text = Some(to_string_binary(bytes));
            vec![KeySegment { text, ..KeySegment::new(SegmentKind::Same, lengths(part)) }]
        }
        _ if part.derived => of(SegmentKind::Computed),
        (Form::Text, _) => {
            let text = |(key, &(from, to)): (&&[u8], &(u32, u32))| {
                let bytes = key.get(from as usize..to as usize).unwrap_or_default();
                String::from_utf8_lossy(bytes).into_owned()
            };
            let values: Vec<String> = keys.iter().zip(&part.found.spans).map(text).collect();
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let runs = segments_of(&values);
            if runs.len() == 1 { runs } else { of(SegmentKind::Text) }
        }
        (Form::InvertedText | Form::PaddedText | Form::OrderedText(_), _) => of(SegmentKind::Text),
        (Form::Number(_) | Form::Float | Form::OrderedNumber(_), _) => of(SegmentKind::Number),
        (Form::Uuid | Form::Bytes | Form::Boolean, _) => of(SegmentKind::Bytes),
        (Form::Time(_, unit), _) => vec![KeySegment {
            pattern: Some(unit.format()),
            ..KeySegment::new(SegmentKind::Time, lengths(part))
        }],
        (Form::ReversedMillis | Form::OrderedTime(_), _) => vec![KeySegment {
            pattern: Some("epoch-millis"),
            ..KeySegment::new(SegmentKind::Time, lengths(part))
        }],
        (Form::TimeText(format), _) => {
            vec![KeySegment { pattern: Some(format), ..KeySegment::new(SegmentKind::Time, lengths(part)) }]
        }
    }
}

/// The kind of a part, with the values that show it.
fn evidence_of(part: &NamedPart, values: &[&str], count: usize) -> Problem {
    let (least, most) = lengths(part);
    let width = if least == most { least.to_string() } else { format!("{least}–{most}") };
    let of = |code| Problem::new(code).with("part", &part.formula).with("width", &width);
    let number = |value: &&&str| value.parse::<i128>().unwrap_or_default();
    let bounds = |problem: Problem| {
        let (first, last) = (values.iter().min_by_key(number), values.iter().max_by_key(number));
        problem
            .with("first", first.copied().unwrap_or_default())
            .with("last", last.copied().unwrap_or_default())
    };
    match &part.found.form {
        _ if part.derived => of("guess.key-computed").with("keys", count),
        Form::Literal(bytes) => of("guess.key-same").with("found", to_string_binary(bytes)),
        Form::Number(Sign::Plain | Sign::Signed) | Form::OrderedNumber(_) => bounds(of("guess.key-number")),
        Form::Number(_) => bounds(of("guess.key-turned-number")),
        Form::Time(_, Unit::Micros | Unit::Nanos) | Form::TimeText("epoch-micros" | "epoch-nanos") => {
            bounds(of("guess.key-fine-time"))
        }
        Form::Float => {
            let float = |value: &&&str| value.parse::<f64>().unwrap_or_default();
            let first = values.iter().min_by(|a, b| float(a).total_cmp(&float(b)));
            let last = values.iter().max_by(|a, b| float(a).total_cmp(&float(b)));
            let problem = of("guess.key-number").with("first", first.copied().unwrap_or_default());
            problem.with("last", last.copied().unwrap_or_default())
        }
        Form::Boolean => of("guess.key-boolean"),
        Form::Time(..) | Form::ReversedMillis | Form::OrderedTime(_) => bounds(of("guess.key-time")),
        Form::TimeText(_) => {
            let (first, last) = (values.iter().min(), values.iter().max());
            let problem = of("guess.key-time").with("first", first.copied().unwrap_or_default());
            problem.with("last", last.copied().unwrap_or_default())
        }
        Form::Text | Form::InvertedText | Form::PaddedText | Form::OrderedText(_) => {
            of("guess.key-text").with("example", values.first().copied().unwrap_or_default())
        }
        Form::Uuid => of("guess.key-uuid").with("example", values.first().copied().unwrap_or_default()),
        Form::Bytes => of("guess.key-bytes"),
    }
}
