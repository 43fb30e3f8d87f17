//! `decode`: row keys back into the fields of their records.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, FOUND, Failure};
use super::document::DesignDocument;
use super::input;
use super::json::line;
use super::source::ByteSource;
use super::style::harmless;
use super::words::{described, said};
use crate::base::Problem;
use crate::bytes::row::from_string_binary;
use crate::keys::decode::{Decoded, decode};
use crate::records::read::encoding::TextDecoder;
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
    let mut decoder = KeyDecoder { document, hex: asked.has("hex"), json: asked.has("json"), exit: FINE };
    let given: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).collect();
    for key in if given.is_empty() { vec!["-"] } else { given } {
        if key != "-" {
            decoder.decode(context, key);
            continue;
        }
        let mut keys = KeyLines::default();
        let mut source = ByteSource::open(context, "-")?;
        input::each_chunk(context, &mut source, None, &mut |context, chunk| {
            let text = keys.decoder.decode(chunk).into_owned();
            keys.push(&text, &mut |key| decoder.decode(context, key));
            Ok(0)
        })?;
        keys.finish(&mut |key| decoder.decode(context, key));
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
    hex: bool,
    json: bool,
    exit: u8,
}

impl KeyDecoder {
    fn decode(&mut self, context: &mut CommandContext<'_>, key: &str) {
        if context.is_closed() {
            return;
        }
        match read(&self.document, key, self.hex) {
            Ok(decoded) if self.json => context.write(line(&json(key, &decoded)).as_bytes()),
            Ok(decoded) => print(context, key, &decoded),
            Err(problem) => {
                self.exit = FOUND;
                if self.json {
                    let problem = json!({ "code": problem.code, "message": said(&problem) });
                    context.write(line(&json!({ "key": key, "problems": [problem] })).as_bytes());
                } else {
                    let problem = described(&problem, None, None);
                    context.note(&format!("rowscape: {}: {problem}", shown(key)));
                }
            }
        }
    }
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
    if !hex {
        return from_string_binary(key);
    }
    let wrong = || Problem::new("cli.not-hex").with("found", key);
    let digits: Option<Vec<u32>> = key.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.ok_or_else(wrong)?;
    let (pairs, rest) = digits.as_chunks::<2>();
    if rest.is_empty() {
        Ok(pairs.iter().map(|[high, low]| (high * 16 + low) as u8).collect())
    } else {
        Err(wrong())
    }
}

fn read(document: &DesignDocument, key: &str, hex: bool) -> Result<Decoded, Problem> {
    let bytes = bytes(key, hex)?;
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
