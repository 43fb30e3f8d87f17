//! Code that reads a table: for each query the ranges of its rows, for any values where they follow from them, and the rows.

use super::asked::{AskedQuery, queries};
use super::code::{filled, head, indented, parameters, tables};
use super::language::{self, Language};
use super::lower::CodeWriter;
use super::names::{self, hex};
use super::scans::{in_turn, notes};
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::design::{Condition, Constant};
use crate::formula::typed::Expression;
use crate::records::field::{Field, Kind, float};
use crate::scan::{
    FieldDomain, FuzzyPiece, KeyRange, PlanKind, PlanTemplate, PrefixPiece, ScanFilter, TemplateEnd,
};
use std::borrow::Cow;

/// A language that reads a table, and how it says what all readers say.
pub(super) struct ReaderLanguage {
    language: &'static Language,
    frame: &'static str,
    /// A list of values of each kind as a parameter, in the order of [`Kind::ALL`]; `{}` is replaced by its name.
    lists: [&'static str; 7],
    /// A list of values, of `{}`.
    list: &'static str,
    /// The function of the ranges; `{doc}`, `{name}`, `{parameters}` and `{body}` are filled in.
    ranges: &'static str,
    /// The function of the rows; also `{read}`, and `{given}` for the parameters of the ranges.
    rows: &'static str,
    /// The same for rows that are named.
    named: &'static str,
    /// The parameter of a test of rows.
    matching: &'static str,
    /// Leaves a function of ranges where a range of times, or of numbers, is empty: `{from}`, `{to}`.
    empty: [&'static str; 2],
    /// The last time, or number, of a range: `{last}`, `{to}`.
    last: [&'static str; 2],
    /// Rejects values below the `{least}` of a range: `{from}`, as the primitives take it.
    least: &'static str,
    /// Opens a loop over bytes, `{name}` in `{values}`; one over a list `{list}` of a declared `{value}`; and closes them.
    loops: [&'static str; 3],
    /// Adds the `{range}` of a prefix of `{parts}`.
    add: &'static str,
    /// A range from bytes to bytes, by their digits: `{start}`, `{stop}`, `{skipped}`.
    constant: &'static str,
    /// A fuzzy filter of a range: `{key}` and `{mask}`; empty where there is none.
    only: &'static str,
    /// A filter of all ranges, of `{pairs}` of `{key}` and `{mask}`; and by a `{pattern}`.
    filters: [&'static str; 3],
    /// Bytes of one value, `{value}`, `{length}` of them.
    filled: &'static str,
    /// How rows are read: sorted, reversed, from the last range, merged, at most `{limit}`, by a test.
    reading: [&'static str; 6],
    /// A test of the ranges: `{query}`, `{ranges}`, `{expected}`.
    check: &'static str,
    /// A line of a comment.
    comment: &'static str,
    imports: &'static [(&'static str, &'static str)],
}

/// A function of ranges under way.
struct RangesOf<'a, 'b> {
    reader: &'a ReaderLanguage,
    writer: &'a mut CodeWriter<'b>,
    fields: &'b [Field],
    asked: &'a AskedQuery<'b>,
    /// Declared parameters, what they are called with, and the values of the query for them.
    declared: Vec<String>,
    given: Vec<String>,
    values: Vec<String>,
}

/// The names of a range's ends, and of its last value.
struct RangeNames {
    from: Option<String>,
    to: Option<String>,
    last: String,
}

impl RangesOf<'_, '_> {
    fn cased(&self, name: &str, end: &str) -> String {
        match self.reader.language.snaked {
            true => format!("{name}_{}", end.to_ascii_lowercase()),
            false => format!("{name}{end}"),
        }
    }

    /// Declares the parameters of a field's condition; the names of its ends where it is a range.
    fn declare(&mut self, index: usize) -> Option<RangeNames> {
        let language = self.reader.language;
        let field = self.fields.get(index)?;
        let condition = self.asked.query.conditions.iter().find(|(name, _)| **name == field.name)?.1;
        let name = self.writer.parameters.get(index)?.clone();
        let domain = self.asked.domains.get(index)?;
        match condition {
            Condition::In(_) => {
                let FieldDomain::Values(values) = domain else { return None };
                let list = self.cased(&name, "List");
                let boxed = |text: String| match (field.kind, language.snaked) {
                    (Kind::Integer, false) => text.trim_end_matches('L').to_owned() + "L",
                    _ => text,
                };
                let values = values.iter().map(|value| boxed(constant(value, field, language)));
                let values: Vec<String> = values.collect();
                let at = Kind::ALL.iter().position(|&kind| kind == field.kind)?;
                self.declared.push(self.reader.lists.get(at)?.replace("{}", &list));
                self.values.push(self.reader.list.replace("{}", &values.join(", ")));
                self.given.push(list);
                None
            }
            Condition::Eq(_) | Condition::Prefix(_) => {
                let value = match domain {
                    FieldDomain::Values(values) => values.first().cloned(),
                    FieldDomain::Strings { from, .. } => Some(Constant::Bytes(from.clone())),
                    _ => None,
                };
                self.declare_one(&name, field, &value?);
                None
            }
            Condition::Range { from, to } => {
                let &FieldDomain::Numbers(first, last) = domain else { return None };
                let from = from.as_ref().map(|_| {
                    let name = self.cased(&name, "From");
                    self.declare_one(&name, field, &Constant::Number(first));
                    name
                });
                let to = to.as_ref().map(|_| {
                    let name = self.cased(&name, "To");
                    self.declare_one(&name, field, &Constant::Number(last.saturating_add(1)));
                    name
                });
                Some(RangeNames { from, to, last: self.cased(&name, "Last") })
            }
        }
    }

    fn declare_one(&mut self, name: &str, field: &Field, value: &Constant) {
        let language = self.reader.language;
        self.declared.push(language.parameter(field.kind, name));
        self.values.push(constant(value, field, language));
        self.given.push(name.to_owned());
    }

    /// The code of the bytes of pieces.
    fn bytes<'e>(&mut self, pieces: impl Iterator<Item = &'e Expression>) -> Result<Vec<String>, Problem> {
        pieces
            .map(|piece| {
                let code = self.writer.expression(piece)?;
                self.writer.bytes(code)
            })
            .collect()
    }

    /// The same as one expression.
    fn joined(&mut self, pieces: &[Cow<'_, Expression>]) -> Result<String, Problem> {
        let parts = self.bytes(pieces.iter().map(AsRef::as_ref))?;
        Ok(self.concat(&parts))
    }

    fn concat(&self, parts: &[String]) -> String {
        match parts {
            [part] => part.clone(),
            parts => format!("concat({})", parts.join(", ")),
        }
    }

    /// The body of the function for any values.
    fn body(&mut self, template: &PlanTemplate<'_>) -> Result<String, Problem> {
        let reader = self.reader;
        let mut ends = None;
        for index in 0..self.fields.len() {
            let names = self.declare(index);
            if matches!(template.end, TemplateEnd::Between { field, .. } if field == index) {
                ends = names;
            }
        }
        let (mut body, mut depth) = (String::new(), 1 + usize::from(!reader.language.snaked));
        let line = |depth: usize, text: &str| format!("{}{text}\n", "    ".repeat(depth));
        if let (TemplateEnd::Between { field, least, .. }, Some(names)) = (&template.end, &ends) {
            for text in self.checks(*field, *least, names).iter().flat_map(|text| text.lines()) {
                body += &line(depth, text);
            }
        }
        let mut closing = Vec::new();
        for &index in &template.listed {
            let Some(field) = self.fields.get(index) else { continue };
            let name = self.writer.parameters.get(index).cloned().unwrap_or_default();
            let value = reader.language.parameter(field.kind, &name);
            let list = self.cased(&name, "List");
            body += &line(depth, &reader.loops[1].replace("{value}", &value).replace("{list}", &list));
            closing.push(depth);
            depth += 1;
        }
        let mut parts = Vec::new();
        let mut loops = 0;
        for piece in &template.prefix {
            match piece {
                PrefixPiece::Known(expression) => {
                    parts.extend(self.bytes([expression.as_ref().as_ref()].into_iter())?)
                }
                PrefixPiece::Each(values) => {
                    loops += 1;
                    let name = format!("each{loops}");
                    let digits: Vec<String> = values.iter().map(|value| hex(value)).collect();
                    let values = reader.language.text(&digits.join(" "));
                    body +=
                        &line(depth, &reader.loops[0].replace("{name}", &name).replace("{values}", &values));
                    closing.push(depth);
                    depth += 1;
                    parts.push(name);
                }
            }
        }
        let range = self.range(template, ends.as_ref())? + &self.fuzzy(template)?;
        let prefix = format!("concat({})", parts.join(", "));
        for text in reader.add.replace("{parts}", &prefix).replace("{range}", &range).lines() {
            body += &line(depth, text);
        }
        for depth in closing.into_iter().rev().filter(|_| !reader.loops[2].is_empty()) {
            body += &line(depth, reader.loops[2]);
        }
        Ok(body)
    }

    /// Statements on the ends of a range.
    fn checks(&self, field: usize, least: i64, names: &RangeNames) -> Vec<String> {
        let reader = self.reader;
        let kind = self.fields.get(field).map_or(Kind::Integer, |field| field.kind);
        let of = usize::from(kind != Kind::Time);
        let filled = |text: &str| {
            let [from, to] = [&names.from, &names.to].map(|name| name.as_deref().unwrap_or_default());
            text.replace("{from}", from).replace("{to}", to).replace("{last}", &names.last)
        };
        let mut checks = Vec::new();
        if let (Some(from), true) = (&names.from, least > i64::MIN) {
            let from = reader.language.taken(kind, from).unwrap_or_default();
            let least = reader.language.number(least);
            checks.push(reader.least.replace("{from}", &from).replace("{least}", &least));
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
    fn range(&mut self, template: &PlanTemplate<'_>, names: Option<&RangeNames>) -> Result<String, Problem> {
        let language = self.reader.language;
        let of = |name: &str, given: &[String]| format!("{}({})", language.cased(name), given.join(", "));
        let prefix = "prefix".to_owned();
        let (TemplateEnd::Between { field, pieces, ascending, .. }, Some(names)) = (&template.end, names)
        else {
            let row = matches!(template.end, TemplateEnd::Row);
            return Ok(of(if row { "single" } else { "startingWith" }, &[prefix]));
        };
        let mut ends = Vec::new();
        let last = names.to.as_ref().map(|_| names.last.clone());
        let named = if *ascending { [names.from.clone(), last] } else { [last, names.from.clone()] };
        for name in named {
            let Some(name) = name else {
                ends.push(None);
                continue;
            };
            let before = self.writer.parameters.get(*field).cloned().unwrap_or_default();
            if let Some(parameter) = self.writer.parameters.get_mut(*field) {
                *parameter = name;
            }
            let code = self.joined(pieces);
            if let Some(parameter) = self.writer.parameters.get_mut(*field) {
                *parameter = before;
            }
            ends.push(Some(code?));
        }
        Ok(match (ends.pop().flatten(), ends.pop().flatten()) {
            (Some(high), Some(low)) => of("between", &[prefix, low, high]),
            (None, Some(low)) => of("atLeast", &[prefix, low]),
            (Some(high), None) => of("atMost", &[prefix, high]),
            (None, None) => of("startingWith", &[prefix]),
        })
    }

    /// The filter of a range.
    fn fuzzy(&mut self, template: &PlanTemplate<'_>) -> Result<String, Problem> {
        let reader = self.reader;
        if template.fuzzy.is_empty() || reader.only.is_empty() {
            return Ok(String::new());
        }
        let filled = |value: u8, length: &str| {
            reader.filled.replace("{value}", &value.to_string()).replace("{length}", length)
        };
        let (mut key, mut mask) = (Vec::new(), Vec::new());
        for piece in &template.fuzzy {
            match piece {
                FuzzyPiece::Any(width) => {
                    key.push(filled(0, &width.to_string()));
                    mask.push(filled(1, &width.to_string()));
                }
                FuzzyPiece::Known(expression) => {
                    let code = self.bytes([expression.as_ref().as_ref()].into_iter())?.concat();
                    mask.push(filled(0, &format!("{code}.length")));
                    key.push(code);
                }
            }
        }
        Ok(reader.only.replace("{key}", &self.concat(&key)).replace("{mask}", &self.concat(&mask)))
    }
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

/// The functions of a query, and the line that checks its ranges.
struct QueryCode {
    functions: String,
    check: String,
}

fn of_query<'a>(
    asked: &AskedQuery<'a>,
    name: &str,
    subject: &EmitSubject<'a>,
    reader: &ReaderLanguage,
    writer: &mut CodeWriter<'a>,
) -> Result<QueryCode, Problem> {
    let plan = &asked.plan;
    let language = reader.language;
    let mut of = RangesOf {
        reader,
        writer,
        fields: &subject.study.fields,
        asked,
        declared: Vec::new(),
        given: Vec::new(),
        values: Vec::new(),
    };
    let mut lines = vec![names::comment(&asked.name)];
    let ranges_of = format!("Ranges: {}", names::comment(&asked.name));
    let (body, expected, template) =
        match asked.template.as_ref().map(|template| (of.body(template), template)) {
            Some((Ok(body), template)) => {
                (body, template.ranges(&asked.domains).unwrap_or_default(), Some(template))
            }
            Some((Err(problem), _)) => return Err(problem),
            None => {
                (of.declared, of.given, of.values) = Default::default();
                lines.push(
                "Ranges for the values in the design. For others, change the query there and export again."
                    .to_owned(),
            );
                (constants(asked, subject, reader), plan.ranges.clone(), None)
            }
        };
    let filtered = !reader.filters[0].is_empty() && has_exact_filter(asked);
    let exact = template.map_or(plan.exact || filtered, |template| template.exact)
        && !(template.is_some_and(|template| !template.fuzzy.is_empty()) && reader.only.is_empty());
    lines.extend(notes(asked).into_iter().filter(|note| !note.starts_with("May also")));
    if !exact {
        lines.push("The ranges may hold rows that do not match: say which do.".to_owned());
    }
    let comment: Vec<String> = lines.iter().map(|line| reader.comment.replace("{}", line)).collect();
    let fill = |text: &str, declared: &[String]| {
        text.replace("{doc}", &comment.concat())
            .replace("{name}", name)
            .replace("{parameters}", &declared.join(", "))
            .replace("{given}", &of.given.join(", "))
            .replace("{body}", &body)
            .replace("{read}", &reading(asked, template, exact, reader))
    };
    let mut functions =
        fill(&reader.ranges.replace("{doc}", &reader.comment.replace("{}", &ranges_of)), &of.declared);
    let mut declared = of.declared.clone();
    if !exact {
        declared.push(reader.matching.to_owned());
    }
    let connected: Vec<String> = std::iter::once(String::new()).chain(declared).collect();
    let rows = if plan.kind == PlanKind::Get && exact { reader.named } else { reader.rows };
    functions += &fill(rows, &connected);
    let ranges = reader.language.cased(&format!("{name}Ranges"));
    let call = format!(
        "{}({})",
        if language.snaked { format!("{name}_ranges") } else { ranges },
        of.values.join(", ")
    );
    let expected: Vec<String> =
        expected.iter().map(|range| format!("{}-{}", hex(&range.start), hex(&range.stop))).collect();
    let check = reader
        .check
        .replace("{query}", &language.text(&asked.name))
        .replace("{ranges}", &call)
        .replace("{expected}", &language.text(&expected.join(" ")));
    Ok(QueryCode { functions, check })
}

fn has_exact_filter(asked: &AskedQuery<'_>) -> bool {
    asked.plan.filters.iter().any(|filter| matches!(filter, ScanFilter::Fuzzy { exact: true, .. }))
}

/// The ranges of a query as they are.
fn constants(asked: &AskedQuery<'_>, subject: &EmitSubject<'_>, reader: &ReaderLanguage) -> String {
    let skipped = crate::scan::prefix_length(&subject.design.typed, &asked.domains).unwrap_or_default();
    let depth = 1 + usize::from(!reader.language.snaked);
    let one = |range: &KeyRange| {
        let text =
            reader.constant.replace("{start}", &hex(&range.start)).replace("{stop}", &hex(&range.stop));
        format!("{}{}\n", "    ".repeat(depth), text.replace("{skipped}", &skipped.to_string()))
    };
    in_turn(&asked.plan).map(one).collect()
}

/// How the rows of ranges are read.
fn reading(
    asked: &AskedQuery<'_>,
    template: Option<&PlanTemplate<'_>>,
    exact: bool,
    reader: &ReaderLanguage,
) -> String {
    let plan = &asked.plan;
    let [sorted, reversed, last_first, merged, limit, matching] = reader.reading;
    let mut reading = String::new();
    let in_order = plan.turns.is_empty() && !plan.delivery.merge;
    if template.is_some() && in_order {
        reading += sorted;
    }
    if plan.delivery.reversed {
        reading += reversed;
        reading += if template.is_some() && in_order { last_first } else { "" };
    }
    if plan.delivery.merge {
        reading += merged;
    }
    if template.is_none() {
        reading += &filter(asked, reader).unwrap_or_default();
    }
    if !exact {
        reading += matching;
    }
    if let Some(rows) = plan.stops_after {
        reading += &limit.replace("{limit}", &rows.to_string());
    }
    reading
}

/// The filter of ranges as they are.
fn filter(asked: &AskedQuery<'_>, reader: &ReaderLanguage) -> Option<String> {
    let [all, pair, regex] = reader.filters;
    asked.plan.filters.iter().find_map(|filter| match filter {
        ScanFilter::MultiRowRange => None,
        ScanFilter::Fuzzy { pairs, .. } => {
            let pairs: Vec<String> = pairs
                .iter()
                .map(|(key, mask)| pair.replace("{key}", &hex(key)).replace("{mask}", &hex(mask)))
                .collect();
            Some(all.replace("{pairs}", &pairs.join(", ")))
        }
        ScanFilter::RowRegex { pattern } => Some(regex.replace("{pattern}", &reader.language.text(pattern))),
    })
}

/// A name for each query, in the style of the language.
fn query_names(all: &[AskedQuery<'_>], language: &Language) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for asked in all {
        let taken = |name: &str| {
            language.is_taken(name)
                || ["rows", "read", "row", "next", "all", "pages", "keyed", "check", "main", "test"]
                    .contains(&name)
                || names.iter().any(|other| other == name)
        };
        let words = asked.name.replace(|char: char| !char.is_alphanumeric(), " ");
        names.push(names::parameter(&words, language.snaked, taken));
    }
    names
}

/// The file.
pub(super) fn source(subject: &EmitSubject<'_>, reader: &ReaderLanguage) -> Result<String, Problem> {
    let language = reader.language;
    let all = queries(subject)?;
    let fields = &subject.study.fields;
    let mut writer = CodeWriter::new(language, fields, parameters(fields, language));
    let names = query_names(&all, language);
    let (mut functions, mut checks) = (String::new(), String::new());
    for (asked, name) in all.iter().zip(&names) {
        let code = of_query(asked, name, subject, reader, &mut writer)?;
        functions += &code.functions;
        checks += &code.check;
    }
    let tables = tables(subject, &writer);
    let code = [functions.as_str(), &checks, &tables, reader.frame].join("\n");
    let indent = language.indents[2];
    let primitives: Vec<String> =
        language.used(&code).iter().map(|primitive| indented(primitive, indent)).collect();
    let primitives = primitives.join(if language.snaked { "\n\n\n" } else { "\n\n" });
    let code = [code.as_str(), &primitives].join("\n");
    let imports = language::imported(language.imports.iter().chain(reader.imports), &code);
    let head = head(subject, language);
    Ok(filled(
        reader.frame,
        &[
            ("head", &head),
            ("imports", &imports),
            ("class", &names::class_of(&subject.design.name, "Reader")),
            ("table", &language.text(&subject.design.name)),
            ("tables", &tables),
            ("queries", &functions),
            ("primitives", &primitives),
            ("vectors", &checks),
        ],
    ))
}

pub(super) static JAVA: ReaderLanguage = ReaderLanguage {
    language: &language::JAVA,
    frame: include_str!("languages/java-reader.frame"),
    lists: [
        "List<String> {}",
        "List<Long> {}",
        "List<Instant> {}",
        "List<byte[]> {}",
        "List<Double> {}",
        "List<BigDecimal> {}",
        "List<Boolean> {}",
    ],
    list: "Arrays.asList({})",
    ranges: "{doc}    public static List<RowRange> {name}Ranges({parameters}) {
        List<RowRange> ranges = new ArrayList<>();
{body}        return ranges;
    }

",
    rows: "{doc}    public static Rows {name}(Connection connection{parameters}) {
        return new Rows(connection, {name}Ranges({given})){read};
    }

",
    named:
        "{doc}    public static List<Result> {name}(Connection connection{parameters}) throws IOException {
        return rows(connection, {name}Ranges({given}));
    }

",
    matching: "Predicate<Result> matching",
    empty: ["if (!{from}.isBefore({to})) return ranges;", "if ({from} >= {to}) return ranges;"],
    last: ["Instant {last} = {to}.minusMillis(1);", "long {last} = {to} - 1;"],
    least: "if ({from} < {least}) throw refused(\"a range from below {least}\");",
    loops: ["for (byte[] {name} : all({values})) {", "for ({value} : {list}) {", "}"],
    add: "byte[] prefix = {parts};\nranges.add({range});",
    constant: "ranges.add(range(bytes(\"{start}\"), bytes(\"{stop}\"), {skipped}));",
    only: ".only({key}, {mask})",
    filters: [
        ".filtered(new FuzzyRowFilter(Arrays.asList({pairs})))",
        "new Pair<>(bytes(\"{key}\"), bytes(\"{mask}\"))",
        ".filtered(new RowFilter(CompareOperator.EQUAL, pattern({pattern})))",
    ],
    filled: "filled({value}, {length})",
    reading: [
        ".sorted()",
        ".reversed()",
        ".lastFirst()",
        ".merged()",
        ".limit({limit})",
        ".matching(matching)",
    ],
    check: "        check({query}, {ranges}, {expected});\n",
    comment: "    // {}\n",
    imports: &[
        ("IOException", "import java.io.IOException;"),
        ("InterruptedIOException", "import java.io.InterruptedIOException;"),
        ("UncheckedIOException", "import java.io.UncheckedIOException;"),
        ("ArrayDeque", "import java.util.ArrayDeque;"),
        ("ArrayList", "import java.util.ArrayList;"),
        ("Collections", "import java.util.Collections;"),
        ("Comparator", "import java.util.Comparator;"),
        ("Iterator", "import java.util.Iterator;"),
        ("List", "import java.util.List;"),
        ("NoSuchElementException", "import java.util.NoSuchElementException;"),
        ("PriorityQueue", "import java.util.PriorityQueue;"),
        ("ExecutionException", "import java.util.concurrent.ExecutionException;"),
        ("ExecutorService", "import java.util.concurrent.ExecutorService;"),
        ("Executors", "import java.util.concurrent.Executors;"),
        ("Future", "import java.util.concurrent.Future;"),
        ("Predicate", "import java.util.function.Predicate;"),
        ("Pattern", "import java.util.regex.Pattern;"),
        ("CompareOperator", "import org.apache.hadoop.hbase.CompareOperator;"),
        ("TableName", "import org.apache.hadoop.hbase.TableName;"),
        ("Connection", "import org.apache.hadoop.hbase.client.Connection;"),
        ("Get", "import org.apache.hadoop.hbase.client.Get;"),
        ("Result", "import org.apache.hadoop.hbase.client.Result;"),
        ("ResultScanner", "import org.apache.hadoop.hbase.client.ResultScanner;"),
        ("Scan", "import org.apache.hadoop.hbase.client.Scan;"),
        ("Table", "import org.apache.hadoop.hbase.client.Table;"),
        ("Filter", "import org.apache.hadoop.hbase.filter.Filter;"),
        ("FuzzyRowFilter", "import org.apache.hadoop.hbase.filter.FuzzyRowFilter;"),
        ("RegexStringComparator", "import org.apache.hadoop.hbase.filter.RegexStringComparator;"),
        ("RowFilter", "import org.apache.hadoop.hbase.filter.RowFilter;"),
        ("Bytes", "import org.apache.hadoop.hbase.util.Bytes;"),
        ("ISO_8859_1", "import static java.nio.charset.StandardCharsets.ISO_8859_1;"),
        ("Pair", "import org.apache.hadoop.hbase.util.Pair;"),
    ],
};

pub(super) static PYTHON: ReaderLanguage = ReaderLanguage {
    language: &language::PYTHON,
    frame: include_str!("languages/python-reader.frame"),
    lists: ["{}"; 7],
    list: "[{}]",
    ranges: "{doc}def {name}_ranges({parameters}):
    ranges = []
{body}    return ranges


",
    rows: "{doc}def {name}(connection{parameters}):
    return read(connection, {name}_ranges({given}){read})


",
    named: "{doc}def {name}(connection{parameters}):
    return rows(connection, {name}_ranges({given}))


",
    matching: "matching",
    empty: ["if {from} >= {to}:\n    return ranges"; 2],
    last: ["{last} = {to} - timedelta(milliseconds=1)", "{last} = {to} - 1"],
    least: "if {from} < {least}:\n    raise ValueError(\"a range from below {least}\")",
    loops: [
        "for {name} in [bytes.fromhex(digits) for digits in {values}.split()]:",
        "for {value} in {list}:",
        "",
    ],
    add: "prefix = {parts}\nranges.append({range})",
    constant: "ranges.append(RowRange(bytes.fromhex(\"{start}\"), bytes.fromhex(\"{stop}\"), {skipped}))",
    only: "",
    filters: [""; 3],
    filled: "",
    reading: [
        ", ordered=True",
        ", reverse=True",
        "",
        ", merge=True",
        ", limit={limit}",
        ", matching=matching",
    ],
    check: "    check({query}, {ranges}, {expected})\n",
    comment: "# {}\n",
    imports: &[],
};
