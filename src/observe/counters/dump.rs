//! A file of dumps, of one kind or of many, one after the other, as its bytes come.

use super::history::{DumpTime, Figures, History, Origin, ServerSeen, TimeTold};
use super::json::{self, JsonDump};
use super::lines::{PrometheusLines, Round, StatusLines, times};
use super::names::{RegionName, encoded_of};
use super::when::{CLOCK, time_of_line, time_of_name};
use crate::base::Problem;
use crate::base::limits::REGIONS;
use crate::base::units::{HOUR, MINUTE};
use crate::bytes::row::from_string_binary;
use crate::hbase::existing::{ExistingRegion, MetaEntry, RegionColumns, told};
use crate::records::formats::hbase::regions::RegionBorders;
use crate::records::read::cells::{ShellCell, ShellCells};

/// Bytes of a line, beyond which it is none of a dump.
const LONGEST_LINE: usize = 1 << 20;
/// Bytes of a document, where memory is not the limit: 20,000 regions take 7 MB.
const LONGEST_DOCUMENT: usize = 256 << 20;

/// Begins texts of some programs.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The output that lines are part of.
#[derive(Debug, Default)]
enum Part {
    #[default]
    Nothing,
    Status(StatusLines),
    Regions(RegionColumns, u32),
    /// Cells of `hbase:meta`.
    Meta(ShellCells),
    Round(Round),
    Prometheus(PrometheusLines),
}

/// A document of JSON that has begun: how far it was looked at, and how deep in it that is.
#[derive(Clone, Copy, Debug, Default)]
struct Begun {
    at: usize,
    depth: u32,
    in_text: bool,
    is_escaped: bool,
    /// True if another one, or a line with a timestamp, begins before its end.
    is_cut: bool,
}

/// First line of a file that `rowscape watch` writes. Entries follow: a line `@ milliseconds bytes`, so many bytes, and an empty line.
pub const HISTORY: &str = "# rowscape history 1";

/// Reads dumps.
#[derive(Debug, Default)]
pub struct DumpReader {
    /// Bytes of whole lines, documents and entries so far.
    pub whole: u64,
    /// True for a file that `rowscape watch` wrote.
    pub is_history: bool,
    /// True while an entry of it is not yet whole.
    is_torn: bool,
    /// Bytes to come of an entry that is too long to be read, and all of it.
    passed_over: (u64, u64),
    /// Documents that another began within.
    cut: u64,
    /// Times of the last two entries, and what is added to those that follow a clock that was set back.
    entries: (Option<i64>, Option<i64>, i64),
    /// How often a clock was set back.
    set_back: u64,
    pending: Vec<u8>,
    part: Part,
    begun: Option<Begun>,
    /// Bytes up to the end of a line that is too long are passed over.
    is_skipping: bool,
    /// The limit that a line or a document was beyond.
    omitted: Option<u64>,
    /// Modification time of the file, the timestamp of dumps without one.
    changed: Option<i64>,
    /// Timestamp in a line above the dump, or in the name of the file.
    told: Option<i64>,
    /// Rounds of `hbtop`: their dumps and their times of the day.
    rounds: (Vec<u32>, Vec<i64>),
    number: u64,
    /// Regions by `hbase:meta` and `list_regions`.
    pub borders: Vec<RegionBorders>,
    /// The kinds of dumps that were read.
    pub forms: Vec<&'static str>,
    /// Output of HBase's programs that has no counters of regions.
    other: Option<&'static str>,
}

/// Output without counters of regions, by what only it has, and what it is.
const OTHERS: [(&str, &str); 8] = [
    ("requestsPerSecond=", "status"),
    ("<ClusterStatus", "XML of the REST gateway"),
    ("<html", "HTML"),
    ("<!DOCTYPE html", "HTML"),
    ("\"LiveNodes\"", "JSON of the REST gateway"),
    ("\"beans\"", "JMX"),
    ("nodeCpuUsagePercent", "hot tablets of Bigtable"),
    ("\"callDetails\"", "the slow log"),
];

impl DumpReader {
    /// For a file with this path, changed at this time.
    pub fn new(path: &str, changed: Option<i64>, history: &mut History) -> Self {
        history.file(path);
        let changed = changed.filter(|time| CLOCK.contains(time));
        Self { told: time_of_name(path), changed, ..Self::default() }
    }

    fn time(&self) -> DumpTime {
        match (self.told, self.changed) {
            (None, Some(changed)) => DumpTime { at: Some(changed), told: TimeTold::ByChange(changed) },
            (at, _) => DumpTime { at, told: TimeTold::ByDump },
        }
    }

    /// Takes more bytes.
    pub fn push(&mut self, bytes: &[u8], history: &mut History) {
        let passed = self.passed_over.0.min(bytes.len() as u64);
        if self.passed_over.0 > 0 {
            self.passed_over.0 -= passed;
            if self.passed_over.0 == 0 {
                self.whole += self.passed_over.1;
                self.is_torn = false;
            }
        }
        self.pending.extend_from_slice(bytes.get(passed as usize..).unwrap_or_default());
        if self.whole == 0 && self.pending.starts_with(BYTE_ORDER_MARK) {
            self.pending.drain(..BYTE_ORDER_MARK.len());
        }
        let pending = std::mem::take(&mut self.pending);
        let mut rest = pending.as_slice();
        while let Some(taken) = self.unit(rest, history) {
            self.whole += taken as u64;
            rest = rest.get(taken..).unwrap_or_default();
        }
        self.pending = rest.to_vec();
        let memory = usize::try_from(history.memory() / 2).unwrap_or(usize::MAX);
        let most =
            if self.begun.is_some() || self.is_torn { LONGEST_DOCUMENT.min(memory) } else { LONGEST_LINE };
        if self.pending.len() > most {
            let pending = std::mem::take(&mut self.pending);
            self.begun = None;
            self.omitted = Some(most as u64);
            // The length prefix of an entry tells where the next one begins, so only this one is lost.
            match self.length_of_entry(&pending).filter(|_| self.is_torn) {
                Some(length) => self.passed_over = (length - pending.len() as u64, length),
                None => (self.is_torn, self.is_skipping) = (false, true),
            }
        }
    }

    /// Reads a line or a document; gives its length. `None` where it goes on.
    fn unit(&mut self, rest: &[u8], history: &mut History) -> Option<usize> {
        let end_of_line = || rest.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
        if self.is_skipping {
            let end = end_of_line();
            self.is_skipping = end.is_none();
            return end;
        }
        if self.is_history && rest.starts_with(b"@ ") {
            return self.entry(rest, end_of_line()?, history);
        }
        if self.begun.is_none() && begins_document(rest)? {
            self.begun = Some(Begun::default());
        }
        let Some(mut begun) = self.begun else {
            let end = end_of_line()?;
            self.text_line(rest.get(..end - 1).unwrap_or_default(), history);
            return Some(end);
        };
        let end = begun.end(rest);
        self.begun = Some(begun);
        let end = end?;
        self.begun = None;
        self.end_part(history);
        if begun.is_cut {
            // Cut off: what a torn document holds is not known.
            self.cut += 1;
            self.note(&String::from_utf8_lossy(rest.get(..end.min(1 << 16)).unwrap_or_default()));
        } else {
            self.document(rest.get(..end).unwrap_or_default(), history);
        }
        Some(end)
    }

    /// The time of an entry, behind that of the one before: entries stand in the order in which they were made.
    fn forward(&mut self, time: i64) -> i64 {
        let (before, last, offset) = self.entries;
        // A clock that was put right again needs nothing added.
        let mut own = if last.is_none_or(|last| time > last) { time } else { time.saturating_add(offset) };
        if let Some(last) = last.filter(|&last| own < last) {
            let usual = before.map_or(MINUTE, |before| last.saturating_sub(before).min(HOUR));
            self.set_back += 1;
            own = last.saturating_add(usual);
        }
        self.entries = (last, Some(own), own.saturating_sub(time));
        own
    }

    /// Bytes of the entry that begins here, with its head.
    fn length_of_entry(&self, bytes: &[u8]) -> Option<u64> {
        let head = bytes.iter().position(|&byte| byte == b'\n')?;
        let line = std::str::from_utf8(bytes.get(2..head)?).ok()?;
        let length: u64 = line.split_once(' ')?.1.parse().ok()?;
        (length.checked_add(head as u64 + 1)?)
            .checked_sub(bytes.len() as u64)
            .map(|rest| rest + bytes.len() as u64)
    }

    /// Reads an entry of a history; `None` where it goes on.
    fn entry(&mut self, rest: &[u8], head: usize, history: &mut History) -> Option<usize> {
        let line = std::str::from_utf8(rest.get(2..head - 1)?).unwrap_or_default();
        let (time, length) = line.split_once(' ').unwrap_or_default();
        let (Ok(time), Ok(length)) = (time.parse::<i64>(), length.parse::<usize>()) else {
            return Some(head);
        };
        let end = head.saturating_add(length);
        let body = rest.get(head..end);
        self.is_torn = body.is_none();
        let mut body = body?;
        self.told = Some(self.forward(time)).filter(|time| CLOCK.contains(time));
        self.is_history = false;
        while let Some(taken) = self.unit(body, history) {
            body = body.get(taken..).unwrap_or_default();
        }
        // A document that is cut off in a whole entry was printed so.
        self.begun = None;
        if !body.is_empty() && !self.is_skipping {
            self.text_line(body, history);
        }
        self.is_skipping = false;
        self.end_part(history);
        self.end_rounds(history);
        self.is_history = true;
        Some(end)
    }

    fn document(&mut self, bytes: &[u8], history: &mut History) {
        let text = String::from_utf8_lossy(bytes);
        match json::read(&text, self.time(), history) {
            JsonDump::Counters(form) => self.is_of(form),
            JsonDump::Other => self.other = Some("JSON"),
            JsonDump::Unknown => self.note(&text),
        }
    }

    /// Notes what a text is that is not read.
    fn note(&mut self, text: &str) {
        if self.other.is_none() {
            self.other = OTHERS.iter().find(|(mark, _)| text.contains(mark)).map(|(_, what)| *what);
        }
    }

    fn is_of(&mut self, form: &'static str) {
        if !self.forms.contains(&form) {
            self.forms.push(form);
        }
    }

    fn text_line(&mut self, line: &[u8], history: &mut History) {
        self.number += 1;
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        if self.number == 1 && line == HISTORY {
            self.is_history = true;
            return;
        }
        if self.begins(&line, history) {
            return;
        }
        match &mut self.part {
            Part::Nothing => self.note(&line),
            Part::Status(lines) => {
                if !lines.line(&line, history) {
                    self.end_part(history);
                }
            }
            Part::Regions(columns, dump) => {
                if line.trim().is_empty() || columns.rule(&line) {
                    return;
                }
                let dump = *dump;
                match columns.row(&line) {
                    Ok(row) => self.listed(row.name.as_deref(), row.region, dump, history),
                    Err(_) => self.end_part(history),
                }
            }
            Part::Meta(cells) => {
                if let Some(cell) = cells.line(self.number, &line) {
                    self.cell(&cell, history);
                }
            }
            Part::Round(round) => round.line(&line),
            Part::Prometheus(lines) => {
                if !lines.line(&line) {
                    self.end_part(history);
                }
            }
        }
    }

    /// True if a line begins a dump, or has a timestamp.
    fn begins(&mut self, line: &str, history: &mut History) -> bool {
        if let Some(time) = time_of_line(line) {
            self.end_part(history);
            self.told = Some(time);
            return true;
        }
        let part = if StatusLines::begins(line) {
            self.end_part(history);
            self.is_of("status");
            Part::Status(StatusLines::new(self.time(), history))
        } else if let Some(round) = Round::begins(line) {
            self.end_part(history);
            Part::Round(round)
        } else if let Some(columns) = RegionColumns::read(line) {
            self.end_part(history);
            self.is_of("list_regions");
            let whole = history.whole();
            Part::Regions(columns, history.dump(self.time(), Origin::Totals, whole))
        } else if let Some(cells) = ShellCells::below(line) {
            self.end_part(history);
            Part::Meta(cells)
        } else if matches!(self.part, Part::Nothing) && ShellCells::new().begins_at(line) {
            let mut cells = ShellCells::new();
            cells.line(self.number, line);
            Part::Meta(cells)
        } else if !matches!(self.part, Part::Prometheus(_)) && PrometheusLines::begins(line) {
            self.end_part(history);
            Part::Prometheus(PrometheusLines::default())
        } else {
            if is_end(line) {
                self.end_part(history);
            }
            return is_end(line);
        };
        self.part = part;
        true
    }

    /// Ends what the lines were part of.
    fn end_part(&mut self, history: &mut History) {
        match std::mem::take(&mut self.part) {
            Part::Status(mut lines) => lines.end(history),
            Part::Meta(mut cells) => {
                if let Some(cell) = cells.finish() {
                    self.cell(&cell, history);
                }
            }
            Part::Round(round) if round.is_of_regions() => {
                self.is_of("hbtop");
                self.rounds.1.push(round.of_day);
                let told = self.time().told;
                self.rounds.0.push(round.end(told, history));
            }
            Part::Round(_) => self.other = Some("hbtop without regions (its mode r has them)"),
            Part::Prometheus(lines) if lines.is_empty() => self.other = Some("Prometheus"),
            Part::Prometheus(lines) => {
                self.is_of("prometheus");
                lines.end(self.time(), history);
            }
            Part::Nothing | Part::Regions(..) => {}
        }
    }

    /// Sets the times of the rounds so far: the last one was at the time of the dump.
    fn end_rounds(&mut self, history: &mut History) {
        let (dumps, of_day) = std::mem::take(&mut self.rounds);
        // The first one of each run has nothing to compare with: its rates are all 0.
        if let Some(first) = dumps.first().and_then(|&first| history.dumps.get_mut(first as usize)) {
            first.begins = true;
        }
        for (dump, time) in dumps.into_iter().zip(times(&of_day, self.time().at)) {
            if let Some(dump) = history.dumps.get_mut(dump as usize) {
                dump.time = time;
            }
        }
    }

    /// A region of `list_regions`.
    fn listed(&mut self, name: Option<&str>, region: ExistingRegion, dump: u32, history: &mut History) {
        let (Ok(start), Ok(end)) = (from_string_binary(&region.start), from_string_binary(&region.stop))
        else {
            return;
        };
        let Some(name) = name.and_then(RegionName::read_shown) else { return };
        if self.borders.len() as u64 <= REGIONS.most {
            let (table, id, replica) = (name.table.clone(), name.id, u64::from(name.replica));
            self.borders.push(RegionBorders { table, start, end, id, is_split: false, replica });
        }
        let Some(requests) = region.requests else { return };
        let server = history.server(ServerSeen::read(&region.server.unwrap_or_default()));
        let size = region.megabytes.map(|size| size as u64 * (1 << 20));
        if let Some(number) = history.region(name) {
            history.add(number, dump, server, Figures { reads: requests as u64, writes: 0, size });
        }
    }

    /// A cell of `hbase:meta`.
    fn cell(&mut self, cell: &ShellCell, history: &mut History) {
        let Some(name) = RegionName::read_shown(cell.row.trim_end()) else { return };
        self.is_of("meta");
        let Ok(Some((.., entry))) = told(cell) else { return };
        match entry {
            // A region that was merged or split has counters in earlier dumps, which need its key range.
            MetaEntry::Gone => {
                history.gone.insert(name.encoded.clone());
                history.region(name);
            }
            MetaEntry::Region(region) if (self.borders.len() as u64) <= REGIONS.most => {
                let Ok(end) = from_string_binary(&region.stop) else { return };
                let (table, start) = (name.table.clone(), name.start.clone());
                let (id, replica) = (name.id, u64::from(name.replica));
                self.borders.push(RegionBorders { table, start, end, id, is_split: false, replica });
                history.region(name);
            }
            _ => {}
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// Where nothing of use was in it: what it looks like, and what to give instead.
    pub fn finish(&mut self, history: &mut History) -> Result<(), Problem> {
        let rest = std::mem::take(&mut self.pending);
        if self.begun.take().is_some() {
            // Cut off: what a torn document holds is not known.
            self.note(&String::from_utf8_lossy(rest.get(..rest.len().min(1 << 16)).unwrap_or_default()));
            let code = if self.forms.is_empty() { "observe.dump-cut-off" } else { "observe.dump-torn" };
            self.end_part(history);
            self.end_rounds(history);
            return Err(Problem::new(code));
        } else if self.is_torn {
            self.end_part(history);
            return Err(Problem::new("observe.dump-torn"));
        } else if !rest.is_empty() && !self.is_skipping {
            self.text_line(&rest, history);
        }
        self.end_part(history);
        self.end_rounds(history);
        let gone = &history.gone;
        let is_there = |region: &RegionBorders| {
            gone.is_empty() || !gone.contains(&encoded_of(&region.table, &region.start, region.id))
        };
        self.borders.retain(is_there);
        if let Some(most) = self.omitted {
            return Err(Problem::new("observe.dump-long").with("most", most));
        }
        if self.set_back > 0 {
            return Err(Problem::new("observe.clock-back").with("count", self.set_back));
        }
        if self.cut > 0 && !self.forms.is_empty() {
            return Err(Problem::new("observe.dumps-cut").with("count", self.cut));
        }
        match self.other {
            Some(what) if self.forms.is_empty() => Err(Problem::new("observe.dump-other").with("what", what)),
            _ => Ok(()),
        }
    }
}

/// True for the line that ends the output of a command of the shell.
fn is_end(line: &str) -> bool {
    crate::records::read::cells::is_end(line) || line.starts_with("hbase:") && line.split_once("> ").is_some()
}

/// True if a document of JSON begins here; `None` where that does not show as yet.
fn begins_document(rest: &[u8]) -> Option<bool> {
    let first = rest.first()?;
    if !matches!(first, b'{' | b'[') {
        return Some(false);
    }
    // The shell prints families as `{NAME => …}`.
    let next = rest.get(1..)?.iter().find(|byte| !byte.is_ascii_whitespace())?;
    Some(matches!(next, b'"' | b'{' | b'[' | b'}' | b']'))
}

/// Bytes by which the beginning of a document is known again.
const ALIKE: usize = 48;

/// True if a line begins as the document does, or has a timestamp: no document holds such a line.
fn begins_anew(document: &[u8], next: &[u8]) -> bool {
    const FIRST: usize = 12;
    let line = next.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = document.get(..FIRST).unwrap_or(document);
    first.len() == FIRST && next.starts_with(first)
        || line.len() <= ALIKE
            && !line.starts_with(b" ")
            && time_of_line(&String::from_utf8_lossy(line)).is_some()
}

impl Begun {
    /// Where the document ends, once it is there.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        // The state before a line of which not enough is there to tell whether it begins anew.
        let mut undecided: Option<Self> = None;
        for (at, &byte) in bytes.iter().enumerate().skip(self.at) {
            if byte == b'\n' && at > 0 && undecided.is_none() {
                let next = bytes.get(at + 1..).unwrap_or_default();
                if next.len() < ALIKE && !next.contains(&b'\n') {
                    undecided = Some(Self { at, ..*self });
                } else if self.in_text || begins_anew(bytes, next) {
                    self.is_cut = true;
                    return Some(at + 1);
                }
            }
            if self.in_text {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.in_text = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        *self = undecided.unwrap_or(Self { at: bytes.len(), ..*self });
        None
    }
}
