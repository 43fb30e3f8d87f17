//! How much memory a command takes, and what records come to in it.

use super::args::CommandArgs;
use super::host::Host;
use super::shell::Failure;
use crate::base::Problem;
use crate::base::units::{GB, KB, MB};
use crate::design::Document;
use crate::keys::encode::Encoder;
use crate::records::Records;

/// Taken where nothing says how much there is.
const UNKNOWN: u64 = GB;
/// The least that can be asked for: less holds no portion of records.
const LEAST: u64 = 64 * MB;
/// Memory of the program itself, before any record.
pub const OWN: u64 = 24 * MB;
/// Most threads that can be asked for.
const MOST_THREADS: usize = 256;
/// Bytes of address space for each of several threads: the system sets aside much more than they use, and a thread that gets no more
/// can say nothing.
const SPACE_OF_A_THREAD: u64 = 256 * MB;
/// Bytes for each row beside its columns and its key: its place in the order of keys, twice while they are sorted, and what a report
/// and the findings count by row. Measured: tests/hostile/memory.test.mjs.
const OF_A_ROW: u64 = 56;
/// So often the keys of all rows are held at once: those of the design, in order, and of a fix that is measured.
const KEYS_HELD: u64 = 4;
/// Records of which keys are made to see how long they are.
const TRIED: usize = 1000;

/// The memory that `--memory` states, or half of what there is.
///
/// # Errors
/// `cli.bad-memory`.
pub fn stated(asked: &CommandArgs, host: &dyn Host) -> Result<u64, Failure> {
    match asked.get("memory") {
        None => Ok(host.memory().map_or(UNKNOWN, |bytes| bytes / 2)),
        Some(size) => {
            let bytes = read(size).filter(|&bytes| bytes >= LEAST);
            bytes.ok_or_else(|| Problem::new("cli.bad-memory").with("found", size).into())
        }
    }
}

/// The threads that `--threads` states, or as many as the system runs at a time.
///
/// # Errors
/// `cli.bad-threads`, `cli.no-room-for-threads`.
pub fn threads(asked: &CommandArgs, host: &dyn Host) -> Result<usize, Failure> {
    match asked.get("threads") {
        None => Ok(host.threads()),
        Some(number) => {
            let read = number.parse().ok().filter(|count| (1..=MOST_THREADS).contains(count));
            let count = read.ok_or_else(|| {
                Problem::new("cli.bad-threads").with("found", number).with("most", MOST_THREADS)
            })?;
            let (space, wanted) = (host.address_space(), SPACE_OF_A_THREAD * count as u64);
            match space.filter(|&space| count > 1 && space < wanted) {
                None => Ok(count),
                Some(space) => Err(Problem::new("cli.no-room-for-threads")
                    .with("threads", count)
                    .with("wanted", wanted / MB)
                    .with("space", space / MB)
                    .into()),
            }
        }
    }
}

/// `512M`, `2G`, `1.5GiB`; a number alone is bytes. Units are binary, as everywhere.
fn read(size: &str) -> Option<u64> {
    let end = size.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(size.len());
    let (number, unit) = size.split_at_checked(end)?;
    let unit = unit.trim().to_ascii_lowercase();
    let unit = match unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit) {
        "" => 1,
        "k" => KB,
        "m" => MB,
        "g" => GB,
        "t" => GB * KB,
        _ => return None,
    };
    let bytes = number.parse::<f64>().ok()? * unit as f64;
    (bytes < 1e18).then_some(bytes as u64)
}

/// Memory that the work on records needs, estimated from those read so far.
pub struct MemoryUse<'a> {
    study: &'a Document,
    /// Designs whose keys are held at a time.
    tables: Vec<usize>,
    /// Bytes of a row's keys, from records tried when there were so many.
    of_keys: u64,
    tried_at: usize,
}

impl<'a> MemoryUse<'a> {
    /// For work with these tables of a study.
    pub fn new(study: &'a Document, tables: Vec<usize>) -> Self {
        Self { study, tables, of_keys: 0, tried_at: 0 }
    }

    /// Bytes at the peak when no more records come.
    pub fn peak(&mut self, records: &Records) -> u64 {
        OWN + records.size() as u64 + self.of_work(records)
    }

    /// Bytes that the work allocates beside the records.
    pub fn of_work(&mut self, records: &Records) -> u64 {
        // Keys are tried again when there are a quarter more records.
        if records.rows > self.tried_at + self.tried_at / 4 {
            self.tried_at = records.rows;
            self.of_keys = self.keys(records);
        }
        records.rows as u64 * self.of_row()
    }

    /// Bytes of that for each row, by the records looked at last.
    pub fn of_row(&self) -> u64 {
        KEYS_HELD * self.of_keys + OF_A_ROW
    }

    /// The mean length of the keys of a row, of all designs together, rounded up.
    fn keys(&self, records: &Records) -> u64 {
        let step = (records.rows / TRIED).max(1);
        let rows: Vec<u32> = (0..records.rows as u32).step_by(step).collect();
        let tried = records.chosen(&rows);
        let names: Vec<&str> = self.study.fields.iter().map(|field| field.name.as_str()).collect();
        let designs: Vec<_> = self
            .tables
            .iter()
            .filter_map(|&table| self.study.tables.get(table))
            .map(|table| &table.typed)
            .collect();
        let keys = Encoder::new(&tried, &names, &designs).encode();
        keys.iter().map(|keys| (keys.keys.bytes.len() as u64).div_ceil(rows.len().max(1) as u64)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_with_binary_units() {
        for (size, bytes) in [
            ("67108864", Some(1 << 26)),
            ("512M", Some(512 << 20)),
            ("2G", Some(2 << 30)),
            ("1.5GiB", Some(3 << 29)),
            ("300 mb", Some(300 << 20)),
            ("1T", Some(1 << 40)),
            ("", None),
            ("G", None),
            ("1.2.3G", None),
            ("-1G", None),
            ("12X", None),
            ("9e9G", None),
            ("99999999999T", None),
        ] {
            assert_eq!(read(size), bytes, "{size}");
        }
    }
}
