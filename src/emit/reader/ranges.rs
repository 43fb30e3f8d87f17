//! The function of a query that gives its ranges, for any values.

use super::languages::{LOOPS, ReaderLanguage};
use crate::base::Problem;
use crate::base::units::DAY;
use crate::design::{Condition, Constant};
use crate::emit::asked::AskedQuery;
use crate::emit::language::Language;
use crate::emit::lower::CodeWriter;
use crate::emit::names::{fill, hex};
use crate::formula::typed::Expression;
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind, float};
use crate::scan::{FieldDomain, FuzzyPiece, PlanTemplate, PrefixPiece, RunValue, TemplateEnd};
use std::borrow::Cow;

/// The function of the ranges of a query while it is written.
pub(super) struct RangesOf<'a, 'b> {
    reader: &'a ReaderLanguage,
    writer: &'a mut CodeWriter<'b>,
    fields: &'b [Field],
    asked: &'a AskedQuery<'b>,
    /// The field that tells the kind of records, where the reader is of one.
    kind: Option<usize>,
    parameters: RangeParameters,
}

/// The parameters of a query's values.
#[derive(Default)]
pub(super) struct RangeParameters {
    /// As a function declares them.
    pub declared: Vec<String>,
    /// Their names.
    pub given: Vec<String>,
    /// The values that the design asks for.
    pub values: Vec<String>,
    /// The code of the timestamps that are read, from the first to before the second.
    pub times: Option<[String; 2]>,
}

/// The names of a range's ends, and of its last value.
struct RangeNames {
    field: usize,
    from: Option<String>,
    to: Option<String>,
    last: String,
    /// How many times it is cut into runs so far.
    runs: usize,
}

impl<'a, 'b> RangesOf<'a, 'b> {
    pub fn new(
        reader: &'a ReaderLanguage,
        writer: &'a mut CodeWriter<'b>,
        fields: &'b [Field],
        asked: &'a AskedQuery<'b>,
        kind: Option<usize>,
    ) -> Self {
        Self { reader, writer, fields, asked, kind, parameters: RangeParameters::default() }
    }

    fn cased(&self, name: &str, end: &str) -> String {
        match self.reader.language.snaked {
            true => format!("{name}_{}", end.to_ascii_lowercase()),
            false => format!("{name}{end}"),
        }
    }

    /// True of the field that is the timestamp of the cells that are read.
    fn stamped(&self, index: usize) -> bool {
        self.asked.times.is_some_and(|(times, _)| times.field == index)
    }

    /// The statement that declares the field that tells the kind of records, as far as the key tells it.
    fn telling(&self, template: &PlanTemplate<'_>) -> Option<String> {
        let (reader, index) = (self.reader, self.kind?);
        let FieldDomain::Values(values) = self.asked.domains.get(index)? else { return None };
        let (field, name) = (self.fields.get(index)?, self.writer.parameters.get(index)?);
        let (declared, value) = match values.as_slice() {
            _ if template.listed.contains(&index) => {
                (self.list_of(field, &self.cased(name, "List"))?, self.list(values, field))
            }
            [one] => (reader.language.parameter(field.kind, name), constant(one, field, reader.language)),
            _ => return None,
        };
        Some(fill(reader.local, &[("declared", &declared), ("value", &value)]))
    }

    /// The declaration of a list of values of a field.
    fn list_of(&self, field: &Field, name: &str) -> Option<String> {
        let at = Kind::ALL.iter().position(|&kind| kind == field.kind)?;
        Some(self.reader.lists.get(at)?.replace("{}", name))
    }

    /// A list of values of a field.
    fn list(&self, values: &[Constant], field: &Field) -> String {
        let language = self.reader.language;
        let boxed = |text: String| match (field.kind, language.snaked) {
            (Kind::Integer, false) => text.trim_end_matches('L').to_owned() + "L",
            _ => text,
        };
        let values: Vec<String> =
            values.iter().map(|value| boxed(constant(value, field, language))).collect();
        self.reader.list.replace("{}", &values.join(", "))
    }

    /// Declares the parameters of a field's condition; the names of its ends where it is a range.
    fn declare(&mut self, index: usize) -> Option<RangeNames> {
        // Whatever kind is asked for, the ranges are of one.
        if self.kind == Some(index) {
            return None;
        }
        let language = self.reader.language;
        let field = self.fields.get(index)?;
        let condition = self.asked.query.conditions.iter().find(|(name, _)| **name == field.name)?.1;
        let name = self.writer.parameters.get(index)?.clone();
        let domain = self.asked.domains.get(index)?;
        match condition {
            listed if listed.is_list() => {
                let values = match domain {
                    FieldDomain::Values(values) => values.clone(),
                    FieldDomain::Prefixes(prefixes) => {
                        prefixes.iter().cloned().map(Constant::Bytes).collect()
                    }
                    FieldDomain::Strings { from, .. } => vec![Constant::Bytes(from.clone())],
                    _ => return None,
                };
                let values = &values;
                let list = self.cased(&name, "List");
                let (declared, values) = (self.list_of(field, &list)?, self.list(values, field));
                self.parameters.declared.push(declared);
                self.parameters.values.push(values);
                self.parameters.given.push(list);
                None
            }
            Condition::Eq(_) | Condition::In(_) | Condition::Prefix(_) => {
                if let Some(time) = self.stamped(index).then(|| language.taken(field.kind, &name)).flatten() {
                    let behind = fill(self.reader.during[3], &[("time", &time)]);
                    self.parameters.times = Some([time, behind]);
                }
                let value = match domain {
                    FieldDomain::Values(values) => values.first().cloned(),
                    FieldDomain::Strings { from, .. } => Some(Constant::Bytes(from.clone())),
                    _ => None,
                };
                self.declare_one(&name, field, &value?);
                None
            }
            Condition::Range { from, to } => {
                let bytes = |bytes: &Vec<u8>| Constant::Bytes(bytes.clone());
                let (first, end) = match domain {
                    &FieldDomain::Numbers(first, last) => {
                        let (first, last) = on_units(field, first, last);
                        let end = Constant::Number(last.saturating_add(1));
                        (Some(Constant::Number(first)), Some(end))
                    }
                    FieldDomain::Strings { from, to, .. } => (Some(bytes(from)), to.as_ref().map(bytes)),
                    FieldDomain::Between { from, to, .. } => (from.clone(), to.clone()),
                    _ => return None,
                };
                let mut declare = |end: &str, value: Option<Constant>| {
                    let name = self.cased(&name, end);
                    self.declare_one(&name, field, &value?);
                    Some(name)
                };
                let from = from.as_ref().and_then(|_| declare("From", first));
                let to = to.as_ref().and_then(|_| declare("To", end));
                if self.stamped(index) {
                    let [_, least, most, _] = self.reader.during;
                    let of = |name: &Option<String>, end: &str| {
                        let taken = name.as_ref().and_then(|name| language.taken(field.kind, name));
                        taken.unwrap_or_else(|| end.to_owned())
                    };
                    self.parameters.times = Some([of(&from, least), of(&to, most)]);
                }
                Some(RangeNames { field: index, from, to, last: self.cased(&name, "Last"), runs: 0 })
            }
        }
    }

    fn declare_one(&mut self, name: &str, field: &Field, value: &Constant) {
        let language = self.reader.language;
        self.parameters.declared.push(language.parameter(field.kind, name));
        self.parameters.values.push(constant(value, field, language));
        self.parameters.given.push(name.to_owned());
    }

    /// The code of the bytes of a piece.
    fn bytes(&mut self, piece: &Expression) -> Result<String, Problem> {
        let code = self.writer.expression(piece)?;
        self.writer.bytes(code)
    }

    /// The code of the bytes of pieces, where the field of this index is called `name`.
    fn joined(
        &mut self,
        pieces: &[Cow<'_, Expression>],
        field: usize,
        name: String,
    ) -> Result<String, Problem> {
        let before = self.writer.parameters.clone();
        if let Some(parameter) = self.writer.parameters.get_mut(field) {
            *parameter = name;
        }
        let parts: Result<Vec<String>, Problem> = pieces.iter().map(|piece| self.bytes(piece)).collect();
        self.writer.parameters = before;
        Ok(self.concat(&parts?))
    }

    fn concat(&self, parts: &[String]) -> String {
        match parts {
            [part] => part.clone(),
            parts => format!("concat({})", parts.join(", ")),
        }
    }

    /// The body of the function for any values, and its parameters.
    pub fn body(mut self, template: &PlanTemplate<'_>) -> Result<(String, RangeParameters), Problem> {
        let reader = self.reader;
        let mut names: Vec<RangeNames> =
            (0..self.fields.len()).filter_map(|index| self.declare(index)).collect();
        let mut body = CodeBody::of(reader);
        self.telling(template).iter().for_each(|line| body.add(line));
        for (field, least) in template.least() {
            if let Some(names) = names.iter().find(|names| names.field == field) {
                self.checks(least, names).iter().for_each(|check| body.add(check));
            }
        }
        for &index in &template.listed {
            let Some(field) = self.fields.get(index) else { continue };
            let name = self.writer.parameters.get(index).cloned().unwrap_or_default();
            let value = reader.language.parameter(field.kind, &name);
            let list = self.cased(&name, "List");
            body.open(&fill(reader.loops[1], &[("value", &value), ("list", &list)]));
        }
        let mut parts = Vec::new();
        let mut loops = 0;
        for piece in &template.prefix {
            match piece {
                PrefixPiece::Known(expression) => parts.push(self.of_first(expression, &names)?),
                PrefixPiece::Begun(expression, end) => {
                    let code = self.bytes(expression)?;
                    parts.push(fill(reader.begun, &[("bytes", &code), ("end", &end.to_string())]));
                }
                PrefixPiece::Runs(field, value) => {
                    let line = self.runs(*field, value, &mut names)?;
                    body.open(&line);
                }
                PrefixPiece::Each(values, expression) => {
                    let name = LOOPS.get(loops).copied().unwrap_or_default();
                    loops += 1;
                    if self.is_bucket(expression, values.len()) {
                        body.open(&fill(reader.buckets[0], &[("name", name)]));
                        self.writer.each_bucket = Some(name);
                        let part = self.bytes(expression);
                        self.writer.each_bucket = None;
                        parts.push(part?);
                        continue;
                    }
                    if self.counts_buckets(expression) {
                        body.text.insert_str(0, &bucket_guard(reader, self.writer));
                    }
                    let digits: Vec<String> = values.iter().map(|value| hex(value)).collect();
                    let values = reader.language.text(&digits.join(" "));
                    body.open(&fill(reader.loops[0], &[("name", name), ("values", &values)]));
                    parts.push(name.to_owned());
                }
            }
        }
        let range = self.range(template, &names)? + &self.fuzzy(template, &names)?;
        let prefix = format!("concat({})", parts.join(", "));
        body.add(&fill(reader.add, &[("parts", &prefix), ("range", &range)]));
        Ok((body.closed(reader.loops[2]), self.parameters))
    }

    /// The code of the bytes of a piece at the beginning of the runs of its fields.
    fn of_first(&mut self, piece: &Expression, names: &[RangeNames]) -> Result<String, Problem> {
        let before = self.writer.parameters.clone();
        for RangeNames { field, from, runs, .. } in names {
            if let (Some(from), Some(parameter)) = (from, self.writer.parameters.get_mut(*field))
                && *runs > 0
            {
                parameter.clone_from(from);
            }
        }
        let code = self.bytes(piece);
        self.writer.parameters = before;
        code
    }

    /// Opens a loop over the runs of a value; within it the ends of the range are those of a run.
    fn runs(
        &mut self,
        index: usize,
        value: &RunValue<'_>,
        names: &mut [RangeNames],
    ) -> Result<String, Problem> {
        let reader = self.reader;
        let missing =
            || Problem::new("emit.no-code").with("step", "runs").with("language", reader.language.shown);
        let (part, of_length) = match value {
            RunValue::Value(value) => (self.writer.expression(value)?.0, false),
            RunValue::Length(value) => (self.bytes(value)?, true),
        };
        let part = if of_length { fill(reader.length, &[("bytes", &part)]) } else { part };
        let name = self.writer.parameters.get(index).cloned().unwrap_or_default();
        let kind = self.fields.get(index).map(|field| field.kind).ok_or_else(missing)?;
        let ends = names.iter_mut().find(|names| names.field == index).ok_or_else(missing)?;
        let from = ends.from.clone().ok_or_else(missing)?;
        ends.runs += 1;
        let number = if ends.runs == 1 { String::new() } else { ends.runs.to_string() };
        let run = self.cased(&name, "Run") + &number;
        let [open, first, last] = reader.runs.map(|text| fill(text, &[("run", &run)]));
        let of = usize::from(kind != Kind::Time);
        let declared = reader.run_types.get(of).copied().unwrap_or_default();
        let line = fill(
            &open,
            &[("type", declared), ("from", &from), ("last", &ends.last), ("name", &name), ("part", &part)],
        );
        ends.from = Some(first);
        ends.last = last;
        Ok(line)
    }

    /// True if a piece depends on the number of buckets that clients read from their configuration.
    fn counts_buckets(&self, piece: &Expression) -> bool {
        self.writer.bucket.as_ref().is_some_and(|(bucket, _)| contains(piece, bucket))
    }

    /// True if a piece has one value for each of those buckets, whose values are so many.
    fn is_bucket(&self, piece: &Expression, values: usize) -> bool {
        let counted =
            self.writer.bucket.as_ref().is_some_and(|&(_, count)| usize::try_from(count) == Ok(values));
        counted && self.counts_buckets(piece)
    }

    /// Statements on the ends of a range.
    fn checks(&self, least: i64, names: &RangeNames) -> Vec<String> {
        let reader = self.reader;
        let kind = self.fields.get(names.field).map_or(Kind::Integer, |field| field.kind);
        let of = usize::from(kind != Kind::Time);
        let filled = |text: &str| {
            let [from, to] = [&names.from, &names.to].map(|name| name.as_deref().unwrap_or_default());
            fill(text, &[("from", from), ("to", to), ("last", &names.last)])
        };
        let mut checks = Vec::new();
        if let (Some(from), true) = (&names.from, least > i64::MIN) {
            let from = reader.language.taken(kind, from).unwrap_or_default();
            let least = reader.language.number(least);
            checks.push(fill(reader.least, &[("from", &from), ("least", &least)]));
        }
        if names.from.is_some() && names.to.is_some() {
            checks.extend(reader.empty.get(of).map(|text| filled(text)));
        }
        if names.to.is_some() {
            checks.extend(reader.last.get(of).map(|text| filled(text)));
        }
        checks
    }

    /// The range behind a prefix.
    fn range(&mut self, template: &PlanTemplate<'_>, names: &[RangeNames]) -> Result<String, Problem> {
        let language = self.reader.language;
        let of = |name: &str, given: &[String]| format!("{}({})", language.cased(name), given.join(", "));
        let prefix = "lead".to_owned();
        let (field, pieces, ascending) = match &template.end {
            TemplateEnd::Row => return Ok(of("single", &[prefix])),
            TemplateEnd::Prefix => return Ok(of("startingWith", &[prefix])),
            TemplateEnd::Between { field, pieces, ascending, .. } => {
                (*field, pieces.as_slice(), Some(*ascending))
            }
            TemplateEnd::Below { field, piece, .. } => (*field, std::slice::from_ref(piece.as_ref()), None),
        };
        let Some(names) = names.iter().find(|names| names.field == field) else {
            return Ok(of("startingWith", &[prefix]));
        };
        let last = names.to.as_ref().map(|to| if ascending.is_some() { &names.last } else { to });
        let [low, high] = match ascending {
            Some(false) => [last, names.from.as_ref()],
            _ => [names.from.as_ref(), last],
        };
        let mut bytes =
            |name: Option<&String>| name.map(|name| self.joined(pieces, field, name.clone())).transpose();
        let (low, high) = (bytes(low)?, bytes(high)?);
        let nothing = || (language.bytes)("");
        Ok(match (high, low) {
            (Some(high), low) if ascending.is_none() => {
                of("below", &[prefix, low.unwrap_or_else(nothing), high])
            }
            (Some(high), Some(low)) => of("between", &[prefix, low, high]),
            (None, Some(low)) => of("atLeast", &[prefix, low]),
            (Some(high), None) => of("atMost", &[prefix, high]),
            (None, None) => of("startingWith", &[prefix]),
        })
    }

    /// The filter of a range.
    fn fuzzy(&mut self, template: &PlanTemplate<'_>, names: &[RangeNames]) -> Result<String, Problem> {
        let reader = self.reader;
        if template.fuzzy.is_empty() || reader.only.is_empty() {
            return Ok(String::new());
        }
        let filled = |value: u8, length: &str| {
            fill(reader.filled, &[("value", &value.to_string()), ("length", length)])
        };
        let (mut key, mut mask) = (Vec::new(), Vec::new());
        for piece in &template.fuzzy {
            match piece {
                FuzzyPiece::Any(width) => {
                    key.push(filled(0, &width.to_string()));
                    mask.push(filled(1, &width.to_string()));
                }
                FuzzyPiece::Like(expression) => {
                    let length = fill(reader.length, &[("bytes", &self.of_first(expression, names)?)]);
                    key.push(filled(0, &length));
                    mask.push(filled(1, &length));
                }
                FuzzyPiece::Known(expression) => {
                    let code = self.bytes(expression)?;
                    mask.push(filled(0, &format!("{code}.length")));
                    key.push(code);
                }
            }
        }
        Ok(fill(reader.only, &[("key", &self.concat(&key)), ("mask", &self.concat(&mask))]))
    }
}

/// True if a value is computed from the one of this canonical text.
fn contains(value: &Expression, text: &str) -> bool {
    let is_it = matches!(value, Expression::Apply { text: own, .. } if own == text);
    is_it || value.inputs().iter().any(|input| contains(input, text))
}

/// Rejects another number of buckets than that of the design, of which the ranges are; nothing without buckets.
pub(super) fn bucket_guard(reader: &ReaderLanguage, writer: &CodeWriter<'_>) -> String {
    let Some((_, count)) = &writer.bucket else { return String::new() };
    let mut body = CodeBody::of(reader);
    body.add(&fill(reader.buckets[1], &[("count", &count.to_string())]));
    body.text
}

/// The lines of a function's body, within the loops that are open.
struct CodeBody {
    text: String,
    step: &'static str,
    depth: usize,
    opened: Vec<usize>,
}

impl CodeBody {
    fn of(reader: &ReaderLanguage) -> Self {
        Self { text: String::new(), step: reader.step(), depth: reader.depth(), opened: Vec::new() }
    }

    fn add(&mut self, lines: &str) {
        for line in lines.lines() {
            self.text += &format!("{}{line}\n", self.step.repeat(self.depth));
        }
    }

    fn open(&mut self, line: &str) {
        self.add(line);
        self.opened.push(self.depth);
        self.depth += 1;
    }

    /// The body with its loops closed by `end`, where they have one.
    fn closed(mut self, end: &str) -> String {
        while let Some(depth) = self.opened.pop() {
            self.depth = depth;
            self.add(end);
        }
        self.text
    }
}

/// The first and the last value of a range that a field can have: its times are whole seconds where they are written so. A plan
/// ends there too.
fn on_units(field: &Field, first: i64, last: i64) -> (i64, i64) {
    let format = field.format.as_deref().filter(|_| field.kind == Kind::Time);
    let Some(format) = format.and_then(|format| TimeFormat::parse(format, field.zone.as_deref()).ok()) else {
        return (first, last);
    };
    let (unit, offset) = (format.resolution().min(DAY), format.offset());
    let past = |value: i64| value.saturating_add(offset).rem_euclid(unit);
    let up = if past(first) == 0 { 0 } else { unit - past(first) };
    (first.saturating_add(up), last.saturating_sub(past(last)))
}

/// A value as the caller writes it.
fn constant(value: &Constant, field: &Field, language: &Language) -> String {
    let literal = match (value, field.kind) {
        (Constant::Bytes(bytes), Kind::Bytes) => hex(bytes),
        (Constant::Bytes(bytes), _) => language.text(&String::from_utf8_lossy(bytes)),
        (&Constant::Number(bits), Kind::Float) => format!("{:?}", float::of_bits(bits)),
        (&Constant::Number(value), Kind::Boolean) if language.snaked => {
            if value == 0 { "False" } else { "True" }.to_owned()
        }
        (&Constant::Number(value), Kind::Boolean) => (value != 0).to_string(),
        (&Constant::Number(value), _) => language.number(value),
    };
    language.value(field.kind, &literal)
}
