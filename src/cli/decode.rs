//! `decode`: row keys back into the fields of their records.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, FOUND, Failure};
use super::document::DesignDocument;
use super::input;
use super::json::line as line_of;
use super::source::ByteSource;
use super::style::harmless;
use super::words::{described, said, say};
use crate::base::Problem;
use crate::hbase::log_line::{NamedPlace, places_in};
use crate::hbase::row_keys::{DeclaredKey, notation_in};
use crate::keys::decode::{Decoded, DecodedField, decode, decode_start};
use crate::records::read::KeyNotation;
use crate::records::read::encoding::{TextDecoder, decoded};
use crate::records::read::shell::{self as scan, ScanRows};
use crate::session::HEAD;
use serde_json::{Map, Value, json};

/// Bytes of a line that are kept. A key has a quarter of them at most; what is longer is none, and is refused as such.
const LONGEST: usize = 1 << 18;
/// Characters of a key that are shown where it is refused.
const SHOWN: usize = 200;

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let document = DesignDocument::asked(context, asked)?;
    let printed = match (asked.has("json"), asked.has("csv")) {
        (true, true) => return Err(Problem::new("cli.json-or-csv").into()),
        (true, false) => DecodedForm::Json,
        (false, true) => DecodedForm::Csv,
        (false, false) => DecodedForm::Words,
    };
    let given = if asked.has("hex") { KeyNotation::Hex } else { KeyNotation::Escaped };
    let mut decoder = KeyDecoder { document, notation: given, printed, exit: FINE };
    decoder.head(context)?;
    let words: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).collect();
    for word in if words.is_empty() { vec!["-"] } else { words } {
        if word != "-" && context.host.identity(word).is_none() {
            decoder.decode(context, word);
            continue;
        }
        let mut keys = KeyLines::default();
        let mut source = ByteSource::open(context, word)?;
        if source.stated(context, None)?.is_some() {
            return Err(Failure::from(Problem::new("cli.records-for-keys")).in_file(word));
        }
        if !asked.has("hex") {
            let head = source.look(context, HEAD);
            decoder.notation = decoder.notation_of(&decoded(head, None));
        }
        input::each_chunk(context, &mut source, None, &mut |context, chunk| {
            let text = keys.decoder.decode(chunk).into_owned();
            keys.push(&text, &mut |key| decoder.decode(context, key));
            Ok(0)
        })?;
        keys.finish(&mut |key| decoder.decode(context, key));
        decoder.notation = given;
    }
    Ok(decoder.exit)
}

/// Keys as they come: a line each, or rows of a scan.
#[derive(Default)]
struct KeyLines {
    decoder: TextDecoder,
    /// Bytes before it is known which of the two they are; then the line that is not whole yet.
    begun: Vec<u8>,
    looked: bool,
    scan: Option<ScanRows>,
}

impl KeyLines {
    fn push(&mut self, mut bytes: &[u8], take: &mut dyn FnMut(&str)) {
        if !self.looked {
            self.begun.extend_from_slice(bytes);
            if self.begun.len() >= HEAD {
                self.look(take);
            }
            return;
        }
        if let Some(scan) = &mut self.scan {
            let lines = scan.apply(bytes);
            return rows(&lines, take);
        }
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            self.add(bytes.get(..end).unwrap_or_default());
            self.end_line(take);
            bytes = bytes.get(end + 1..).unwrap_or_default();
        }
        self.add(bytes);
    }

    /// Finds out what the bytes are.
    fn look(&mut self, take: &mut dyn FnMut(&str)) {
        self.looked = true;
        let begun = std::mem::take(&mut self.begun);
        self.scan = scan::is_scan(&String::from_utf8_lossy(&begun)).then(|| ScanRows::new(None));
        self.push(&begun, take);
    }

    fn finish(&mut self, take: &mut dyn FnMut(&str)) {
        if !self.looked {
            self.look(take);
        }
        match &mut self.scan {
            Some(scan) => rows(&scan.finish(), take),
            None => self.end_line(take),
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        let room = LONGEST.saturating_sub(self.begun.len()).min(bytes.len());
        self.begun.extend_from_slice(bytes.get(..room).unwrap_or_default());
    }

    fn end_line(&mut self, take: &mut dyn FnMut(&str)) {
        let line = std::mem::take(&mut self.begun);
        let line = String::from_utf8_lossy(&line);
        let key = line.trim_end_matches('\r');
        if !key.is_empty() {
            take(key);
        }
    }
}

/// The keys of rows that a scan was rewritten as.
fn rows(lines: &[u8], take: &mut dyn FnMut(&str)) {
    let lines = String::from_utf8_lossy(lines);
    let keys = lines.lines().filter_map(|line| line.split_once(char::from(scan::SEPARATOR)));
    keys.for_each(|(_, key)| take(key));
}

/// Decodes keys and writes what they say.
struct KeyDecoder {
    document: DesignDocument,
    notation: KeyNotation,
    printed: DecodedForm,
    exit: u8,
}

/// How decoded keys are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DecodedForm {
    Words,
    Json,
    /// Records of separated values, which can be read again.
    Csv,
}

impl KeyDecoder {
    /// Prints the names of the columns, where there are some.
    fn head(&self, context: &mut CommandContext<'_>) -> Result<(), Failure> {
        if self.printed == DecodedForm::Csv {
            self.document.design()?;
            let names = self.document.study.fields.iter().map(|field| field.name.as_str());
            context.write(csv_line(names).as_bytes());
        }
        Ok(())
    }

    /// How the keys of a file that begins so are written.
    fn notation_of(&self, head: &[u8]) -> KeyNotation {
        let text = String::from_utf8_lossy(head);
        let whole = text.rfind('\n').and_then(|end| text.get(..end)).unwrap_or(&text);
        let lines: Vec<&str> = whole.lines().filter(|line| !line.is_empty()).collect();
        let found = self.document.design().ok().and_then(|design| {
            let fields = &self.document.study.fields;
            notation_in(&lines, &DeclaredKey { rowkey: &design.rowkey, typed: &design.typed, fields })
        });
        found.unwrap_or_default()
    }

    fn decode(&mut self, context: &mut CommandContext<'_>, key: &str) {
        if context.is_closed() {
            return;
        }
        match read(&self.document, key, self.notation) {
            Ok(decoded) => match self.printed {
                DecodedForm::Json => context.write(line_of(&json(key, &decoded)).as_bytes()),
                DecodedForm::Words => print(context, key, &decoded),
                DecodedForm::Csv => {
                    let values =
                        decoded.fields.iter().map(|field| field.value.as_deref().unwrap_or_default());
                    context.write(csv_line(values).as_bytes());
                    tell(context, key, &decoded);
                }
            },
            Err(problem) => {
                if self.decode_line(context, key) {
                    return;
                }
                self.exit = FOUND;
                if self.printed == DecodedForm::Json {
                    let problem = json!({ "code": problem.code, "message": said(&problem) });
                    context.write(line_of(&json!({ "key": key, "problems": [problem] })).as_bytes());
                } else {
                    let problem = described(&problem, None, None);
                    context.note(&format!("rowscape: {}: {problem}", shown(key)));
                }
            }
        }
    }
}

impl KeyDecoder {
    /// Decodes the row keys and the start rows of regions that a line of a log names; `false` if it names none.
    fn decode_line(&mut self, context: &mut CommandContext<'_>, line: &str) -> bool {
        let Ok(design) = self.document.design() else { return false };
        let fields = &self.document.study.fields;
        let mut told = Vec::new();
        for place in places_in(line, None) {
            let (text, is_start) = match place {
                NamedPlace::Row(text) => (text, false),
                NamedPlace::Start(text) => (text, true),
            };
            let Ok(bytes) = KeyNotation::Escaped.bytes(text) else { continue };
            let known = match is_start {
                true if bytes.is_empty() => Some(Vec::new()),
                true => decode_start(&design.typed, fields, &bytes),
                false => decode(&design.typed, fields, &bytes).ok().map(|decoded| decoded.fields),
            };
            told.extend(known.map(|known| (text.to_owned(), is_start, known)));
        }
        for (text, is_start, fields) in &told {
            match self.printed {
                DecodedForm::Json => {
                    let of = |field: &DecodedField| (field.name.clone(), json!(field.value));
                    let fields: Map<String, Value> = fields.iter().map(of).collect();
                    let member = if *is_start { "start" } else { "key" };
                    context.write(line_of(&json!({ member: text, "fields": fields })).as_bytes());
                }
                DecodedForm::Words | DecodedForm::Csv => {
                    let of = |field: &DecodedField| {
                        let value = field.value.as_deref().unwrap_or("?");
                        format!("{}={}", field.name, Value::from(value))
                    };
                    let values = fields.iter().map(of).collect::<Vec<_>>().join(" ");
                    let values = match *is_start {
                        true if fields.is_empty() => say("cli.first-region", &[]),
                        true => say("cli.from-on", &[("values", &values)]),
                        false => values,
                    };
                    let told = harmless(&format!("{text}\t{values}")).replace("\\x09", "\t");
                    match self.printed {
                        DecodedForm::Csv => context.note(&format!("rowscape: {told}")),
                        _ => context.line(&told),
                    }
                }
            }
        }
        !told.is_empty()
    }
}

/// Values as a line of separated values.
fn csv_line<'v>(values: impl Iterator<Item = &'v str>) -> String {
    let quoted = |value: &str| {
        let is_plain = !value.is_empty() && !value.contains(['"', ',', '\r', '\n']) && value.trim() == value;
        if is_plain { value.to_owned() } else { format!("\"{}\"", value.replace('"', "\"\"")) }
    };
    values.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// As much of a key as is shown beside its problem.
fn shown(key: &str) -> String {
    match key.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", harmless(key.get(..end).unwrap_or_default())),
        None => harmless(key),
    }
}

/// A key in the notation of the HBase shell or in hexadecimal digits.
pub fn bytes(key: &str, hex: bool) -> Result<Vec<u8>, Problem> {
    if hex { KeyNotation::Hex.bytes(key) } else { KeyNotation::Escaped.bytes(key) }
}

fn read(document: &DesignDocument, key: &str, notation: KeyNotation) -> Result<Decoded, Problem> {
    let bytes = notation.bytes(key)?;
    decode(&document.design()?.typed, &document.study.fields, &bytes)
}

fn print(context: &mut CommandContext<'_>, key: &str, decoded: &Decoded) {
    let mut fields: Vec<String> = decoded.kind.iter().map(|kind| format!("({kind})")).collect();
    for field in &decoded.fields {
        let value =
            field.value.as_deref().map_or_else(|| "?".to_owned(), |value| Value::from(value).to_string());
        fields.push(format!("{}={value}", field.name));
    }
    context.line(&harmless(&format!("{key}\t{}", fields.join(" "))).replace("\\x09", "\t"));
    tell(context, key, decoded);
}

/// Tells of a key that is ambiguous or contradicts itself.
fn tell(context: &mut CommandContext<'_>, key: &str, decoded: &Decoded) {
    for problem in &decoded.problems {
        context.note(&format!("rowscape: {}: {}", shown(key), harmless(&said(problem))));
    }
}

/// A decoded key as JSON.
pub fn json(key: &str, decoded: &Decoded) -> Value {
    let fields: Map<String, Value> =
        decoded.fields.iter().map(|field| (field.name.clone(), json!(field.value))).collect();
    let lost = decoded
        .fields
        .iter()
        .filter_map(|field| Some((field.name.clone(), json!(said(field.lost.as_ref()?)))));
    let lost: Map<String, Value> = lost.collect();
    let problem = |problem: &Problem| json!({ "code": problem.code, "message": said(problem) });
    json!({
        "key": key,
        "fields": fields,
        "lost": lost,
        "parts": decoded.parts,
        "readings": decoded.readings.len(),
        "problems": decoded.problems.iter().map(problem).collect::<Vec<_>>(),
    })
}
