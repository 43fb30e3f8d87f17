//! Dumps that are lines: sessions of the shell, `hbtop`, metrics for Prometheus.

use super::history::{DumpTime, Figures, History, NOWHERE, Origin, ServerSeen, TimeTold};
use super::json::MetricFigures;
use super::names::RegionName;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};

const KIB: f64 = 1024.0;

/// Regions of `status 'detailed'`, and of the text of the REST gateway.
#[derive(Debug)]
pub struct StatusLines {
    dump: u32,
    server: u32,
    region: Option<(u32, Figures)>,
}

impl StatusLines {
    /// From the line that counts the servers.
    pub fn begins(line: &str) -> bool {
        line.trim_end().strip_suffix(" live servers").is_some_and(|count| count.parse::<u32>().is_ok())
    }

    pub fn new(time: DumpTime, history: &mut History) -> Self {
        let whole = history.whole();
        Self { dump: history.dump(time, Origin::Master, whole), server: NOWHERE, region: None }
    }

    /// Takes a line; false for one that is of no server and no region.
    pub fn line(&mut self, line: &str, history: &mut History) -> bool {
        let text = line.trim();
        if text.is_empty() {
            return true;
        }
        if !line.starts_with(' ') {
            return false;
        }
        if let Some((address, started)) = text.split_once(' ')
            && address.contains(':')
            && started.bytes().all(|byte| byte.is_ascii_digit())
        {
            self.end(history);
            self.server = history.server(ServerSeen::read(text));
            return true;
        }
        if text.ends_with('"') || text.ends_with('.') {
            self.end(history);
            let region = history.named(text, RegionName::read_shown);
            self.region = region.map(|region| (region, Figures::default()));
            return true;
        }
        if let Some((_, figures)) = &mut self.region {
            for (name, value) in text.split(", ").filter_map(|pair| pair.split_once('=')) {
                match name {
                    "readRequestsCount" | "readRequestCount" => figures.reads = whole(value),
                    "writeRequestsCount" | "writeRequestCount" => figures.writes = whole(value),
                    "storefileSizeMB" => figures.size = Some(whole(value) << 20),
                    "storeFileSize" => figures.size = size(value),
                    _ => {}
                }
            }
        }
        true
    }

    /// Notes the last region.
    pub fn end(&mut self, history: &mut History) {
        if let Some((region, figures)) = self.region.take() {
            history.add(region, self.dump, self.server, figures);
        }
    }
}

fn whole(text: &str) -> u64 {
    text.trim_end_matches([',', ' ']).replace(',', "").parse().unwrap_or_default()
}

/// A size with a unit, as HBase prints it: `1.5 GB`, `12.0MB`, `0`.
fn size(text: &str) -> Option<u64> {
    let text = text.trim_end_matches([',', ' ']);
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits)?;
    let power = match unit.trim() {
        "" | "B" | "bytes" => 0,
        "KB" => 1,
        "MB" => 2,
        "GB" => 3,
        "TB" => 4,
        "PB" => 5,
        _ => return None,
    };
    let number: f64 = crate::records::field::float::read(number.as_bytes()).ok()?;
    Some((number * KIB.powi(power)) as u64)
}

/// A round of `hbtop`: the columns that are read, and where they stand.
#[derive(Debug)]
pub struct Round {
    /// Milliseconds of the day.
    pub of_day: i64,
    /// The columns, by their places among the words of a line.
    columns: Option<Vec<String>>,
    /// The rows so far.
    rows: Vec<RoundRow>,
}

/// A region with its reads and writes in a second.
#[derive(Debug)]
struct RoundRow {
    table: String,
    encoded: String,
    name: Option<RegionName>,
    server: String,
    reads: u64,
    writes: u64,
}

impl Round {
    /// From its first line.
    pub fn begins(line: &str) -> Option<Self> {
        let time = line.strip_prefix("HBase hbtop - ")?;
        let mut parts = time.trim().split(':').map(|part| part.parse::<i64>().ok());
        let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
        let of_day = hours * HOUR + minutes * MINUTE + seconds * SECOND;
        Some(Self { of_day, columns: None, rows: Vec::new() })
    }

    /// True if it lists regions, or has not yet said what it lists.
    pub fn is_of_regions(&self) -> bool {
        self.columns.as_ref().is_none_or(|columns| columns.iter().any(|column| column == "REGION"))
    }

    /// Takes a line.
    pub fn line(&mut self, line: &str) {
        let Some(columns) = &self.columns else {
            if line.contains("#REQ/S") || line.contains("#READ/S") || line.contains("#WRITE/S") {
                self.columns = Some(line.split_whitespace().map(str::to_owned).collect());
            }
            return;
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        // Figures stand at the end; a name or a start key before them can be empty.
        let at = |name: &str| {
            let place = columns.iter().position(|column| column == name)?;
            let is_before = columns.iter().take(place).any(|column| column.starts_with('#'));
            let back = columns.len() - place;
            let place = if is_before || words.len() >= columns.len() {
                words.len().checked_sub(back)?
            } else {
                place
            };
            words.get(place).copied()
        };
        let Some(encoded) = at("REGION") else { return };
        let named = at("RNAME").and_then(RegionName::read_shown);
        let table = match (at("NAMESPACE"), at("TABLE")) {
            (Some("default") | None, Some(table)) => table.to_owned(),
            (Some(namespace), Some(table)) => format!("{namespace}:{table}"),
            _ => String::new(),
        };
        let figure = |name: &str| at(name).and_then(|text| text.parse::<u64>().ok());
        let Some(reads) = figure("#READ/S") else { return };
        let Some(writes) = figure("#WRITE/S") else { return };
        let server = at("LRS").or_else(|| at("RS")).unwrap_or_default().to_owned();
        self.rows.push(RoundRow { table, encoded: encoded.to_owned(), name: named, server, reads, writes });
    }

    /// Notes the round, and gives the number of its dump: what its time is shows only at the end of the file.
    pub fn end(self, told: TimeTold, history: &mut History) -> u32 {
        let whole = history.whole();
        let dump = history.dump(DumpTime { at: Some(self.of_day), told }, Origin::Rates, whole);
        for row in self.rows {
            let server = history.server(ServerSeen::read(&row.server));
            let region = match row.name {
                Some(name) => history.region(name),
                None => history.of_encoded(&row.encoded, &row.table),
            };
            if let Some(region) = region {
                let figures = Figures { reads: row.reads, writes: row.writes, size: None };
                history.add(region, dump, server, figures);
            }
        }
        dump
    }
}

/// Times of rounds, of which only the time of day is known: the last one was at `end`. Where that is not known either, they were on the first
/// day of the epoch: their distances are what counts.
pub fn times(of_day: &[i64], end: Option<i64>) -> Vec<i64> {
    let mut at = end.or_else(|| of_day.last().copied()).unwrap_or_default();
    let mut found = vec![at; of_day.len()];
    for place in (1..of_day.len()).rev() {
        if let (Some(&later), Some(&earlier)) = (of_day.get(place), of_day.get(place - 1)) {
            at -= (later - earlier).rem_euclid(DAY);
        }
        if let Some(time) = found.get_mut(place - 1) {
            *time = at;
        }
    }
    found
}

/// Metrics as a region server prints them for Prometheus.
#[derive(Debug, Default)]
pub struct PrometheusLines {
    metrics: MetricFigures,
}

impl PrometheusLines {
    /// True for a line with which they begin.
    pub fn begins(line: &str) -> bool {
        line.starts_with("# TYPE ") || line.starts_with("# HELP ")
    }

    /// Takes a line; false for one that is no metric.
    pub fn line(&mut self, line: &str) -> bool {
        if let Some(rest) = line.strip_prefix("regions_") {
            let end = rest.find(['{', ' ']).unwrap_or(rest.len());
            if let (Some(name), Some(value)) = (rest.get(..end), rest.rsplit(' ').next())
                && let Ok(value) = crate::records::field::float::read(value.as_bytes())
            {
                self.metrics.add(name, value.max(0.0) as u64);
            }
            return true;
        }
        line.starts_with('#') || line.contains('{') || line.trim().is_empty() || line.contains(' ')
    }

    /// True if there is no metric of a region.
    pub fn is_empty(&self) -> bool {
        self.metrics.is_empty()
    }

    /// Notes what was read.
    pub fn end(self, time: DumpTime, history: &mut History) {
        if self.is_empty() {
            return;
        }
        self.metrics.end(history, time, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("1.5 GB"), Some(3 << 29));
        assert_eq!(size("12.0MB,"), Some(12 << 20));
        assert_eq!(size("7"), Some(7));
        assert_eq!(size("some"), None);
    }

    #[test]
    fn rounds_over_midnight_keep_their_order() {
        let day = [DAY - 2000, DAY - 1000, 1000];
        assert_eq!(times(&day, Some(50_000)), [47_000, 48_000, 50_000]);
    }
}
