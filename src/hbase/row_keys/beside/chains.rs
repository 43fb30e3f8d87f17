//! The formulas of one field that a part of a row key may be.

use super::super::structure::FORMATS;
use crate::formula::steps::{STEPS, Step, StepParameter};
use crate::formula::{name_in_formula, text_in_formula};
use crate::records::field::{Field, Kind};

/// Most characters that are cut off at an end of a text.
const CUT: usize = 8;
/// Most steps between a field and the one that writes it.
const STEPS_BETWEEN: u32 = 3;
/// Most digits of a number that is filled up with zeros.
const DIGITS: usize = 20;
/// Most bytes of a text that is filled up.
const FILLED: usize = 64;
/// Hexadecimal digits and bytes of a digest that keys begin with.
const DIGEST: [usize; 8] = [4, 5, 6, 7, 8, 16, 20, 32];
/// Steps of which a part of a digest is written.
const DIGESTS: [&str; 3] = ["md5", "sha1", "sha256"];
/// Hashes that are numbers.
const HASHES: [&str; 9] = [
    "javaHash()",
    "bytesHash()",
    "crc32()",
    "murmur()",
    "murmur(0)",
    "murmur3()",
    "murmur3(0)",
    "jenkins()",
    "jenkins(0)",
];
/// Periods that rows hold.
const PERIODS: [&str; 9] = ["1m", "5m", "10m", "15m", "30m", "1h", "6h", "12h", "1d"];

/// A formula of one field that ends in text or bytes.
pub(super) struct Chain {
    /// As it is written.
    pub formula: String,
    /// How much has to agree before it is believed, against others: its steps, and what is chosen in them.
    pub cost: u32,
}

/// The texts of a column.
pub(super) struct ColumnTexts {
    /// Characters of the longest.
    pub longest: usize,
    /// Characters between letters and digits that occur.
    pub separators: Vec<char>,
}

impl ColumnTexts {
    /// The length and the separators of these texts.
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut found = Self { longest: 0, separators: Vec::new() };
        for text in texts {
            found.longest = found.longest.max(text.chars().count());
            let marks = text.chars().filter(|char| char.is_ascii_punctuation() || *char == ' ');
            for mark in marks {
                if !found.separators.contains(&mark) {
                    found.separators.push(mark);
                }
            }
        }
        found.separators.truncate(4);
        found
    }
}

/// All formulas of a field, each once.
pub(super) fn chains(field: &Field, texts: &ColumnTexts) -> Vec<Chain> {
    let mut chains = Chains { texts, found: Vec::new() };
    let begun = Begun { formula: name_in_formula(&field.name), kind: field.kind, cost: 3, rank: 0, steps: 0 };
    chains.extend(&begun);
    chains.digests(&begun);
    chains.found
}

/// A formula that is not at its end.
struct Begun {
    formula: String,
    kind: Kind,
    cost: u32,
    /// Steps of a rank stand before those of a greater one.
    rank: u32,
    steps: u32,
}

struct Chains<'a> {
    texts: &'a ColumnTexts,
    found: Vec<Chain>,
}

impl Chains<'_> {
    fn extend(&mut self, begun: &Begun) {
        if matches!(begun.kind, Kind::Text | Kind::Bytes) {
            self.found.push(Chain { formula: begun.formula.clone(), cost: begun.cost });
        }
        for step in STEPS.iter().filter(|step| step.takes.contains(&begun.kind)) {
            if step.encoding {
                self.write(begun, step);
            } else if begun.steps < STEPS_BETWEEN {
                let (rank, arguments) = self.between(begun, step.name);
                for (arguments, cost) in arguments {
                    self.extend(&Begun {
                        formula: format!("{}.{}({arguments})", begun.formula, step.name),
                        kind: step.gives,
                        cost: begun.cost + cost,
                        rank,
                        steps: begun.steps + 1,
                    });
                }
            }
        }
    }

    /// The formulas that a step ends which writes a value.
    fn write(&mut self, begun: &Begun, step: &Step) {
        // A text that several steps have cut is written as it is.
        if begun.kind == Kind::Text && begun.steps > 1 {
            return;
        }
        let arguments: Vec<String> = match step.parameters {
            [] => vec![String::new()],
            [StepParameter::Number { .. }] if step.name == "text" => {
                (self.texts.longest.max(1)..=FILLED).map(|width| width.to_string()).collect()
            }
            [StepParameter::Number { .. }] if begun.kind == Kind::Integer => {
                let widths = (1..=DIGITS).map(|width| width.to_string());
                (step.required == 0).then(String::new).into_iter().chain(widths).collect()
            }
            _ if step.required == 0 => vec![String::new(), "'desc'".to_owned()],
            _ => Vec::new(),
        };
        for argument in arguments {
            let formula = format!("{}.{}({argument})", begun.formula, step.name);
            if step.gives == Kind::Text && begun.kind == Kind::Integer && begun.steps == 0 {
                self.found.push(Chain { formula: format!("{formula}.reverse()"), cost: begun.cost + 3 });
            }
            // `Bytes.toBytes` is more common than OrderedBytes or Phoenix, and often makes the same bytes.
            let cost = if step.name.contains('.') { 3 } else { 1 };
            self.found.push(Chain { formula, cost: begun.cost + cost });
        }
    }

    /// The rank of a step that is not the last, and the arguments that it is tried with, each with its cost.
    fn between(&self, begun: &Begun, name: &str) -> (u32, Vec<(String, u32)>) {
        let longest = self.texts.longest;
        let marks = || self.texts.separators.iter().map(|mark| text_in_formula(&mark.to_string()));
        let (rank, arguments): (u32, Vec<(String, u32)>) = match name {
            "part" => {
                let pieces = ["0", "1", "2", "-1", "-2"];
                let of = |mark: String| pieces.map(|piece| (format!("{mark}, {piece}"), 2));
                (1, marks().flat_map(of).collect())
            }
            "after" => (1, marks().map(|mark| (mark, 2)).collect()),
            "substring" if longest > 1 => {
                let most = CUT.min(longest - 1);
                let first = (1..=most).map(|to| (format!("0, {to}"), 3));
                let last = (1..=most).map(|from| (from.to_string(), 4));
                (1, first.chain(last).collect())
            }
            "reverse" => {
                let labels = self.texts.separators.contains(&'.').then(|| ("'.'".to_owned(), 1));
                (2, [(String::new(), 1)].into_iter().chain(labels).collect())
            }
            "upper" | "lower" => (2, vec![(String::new(), 1)]),
            "number" if begun.steps < 2 => (3, vec![(String::new(), 1)]),
            "truncate" => (1, PERIODS.map(|period| (text_in_formula(period), 1)).to_vec()),
            "format" if begun.steps == 0 => (4, FORMATS.map(|format| (text_in_formula(format), 1)).to_vec()),
            "millis" | "seconds" => (4, vec![(String::new(), 0)]),
            "reverseLong" => (5, vec![(String::new(), 1)]),
            _ => (0, Vec::new()),
        };
        if rank > begun.rank { (rank, arguments) } else { (rank, Vec::new()) }
    }

    /// The beginnings of digests of the field as text, and its hashes.
    fn digests(&mut self, field: &Begun) {
        let text = match field.kind {
            Kind::Text | Kind::Bytes => field.formula.clone(),
            Kind::Integer => format!("{}.decimal()", field.formula),
            Kind::Time => format!("{}.millis().decimal()", field.formula),
            Kind::Float | Kind::Decimal | Kind::Boolean => return,
        };
        for digest in DIGESTS {
            let widths = || DIGEST.into_iter().map(|width| width.to_string());
            let all = || widths().chain([String::new()]);
            let written =
                ["hex", "HEX", "raw"].into_iter().flat_map(|step| all().map(move |width| (step, width)));
            self.found.extend(written.map(|(step, width)| {
                let cost = field.cost + if width.is_empty() { 3 } else { 4 };
                Chain { formula: format!("{text}.{digest}().{step}({width})"), cost }
            }));
        }
        for hash in HASHES {
            let written = ["int32()", "hex(8)", "decimal()"];
            self.found.extend(
                written.map(|step| Chain { formula: format!("{text}.{hash}.{step}"), cost: field.cost + 5 }),
            );
        }
    }
}
