//! How much is held, and for how long: every constant by which records are held, sampled or counted.

use crate::base::units::MB;
use crate::design::Document;
use crate::keys::encode::Encoder;
use crate::records::Records;

/// Bytes of a file by which its form is guessed.
pub const HEAD: usize = 1 << 18;
/// Records held before they are counted and dropped.
pub const PORTION_ROWS: usize = 1 << 18;
/// Records generated at a time.
pub const GENERATED_ROWS: u64 = 1 << 14;
/// Memory of the program itself, before any record.
pub const OWN: u64 = 24 * MB;

/// One in so many bytes of the memory is for records that wait to be counted, and for counting them.
pub(super) const PORTIONS: u64 = 8;
/// The same where counts go to a summary or a sample alone.
pub const SUMMARY_PORTIONS: u64 = 16;
/// One in so many bytes of the memory is for the sample of records that were dropped.
pub(super) const SAMPLES: u64 = 8;
/// One in so many bytes of the memory is for the work on that sample.
pub(super) const WORK: u64 = 4;

/// Bytes of an analysis for each row beside its columns and its key: its place in the order of keys, twice while they are sorted, and what
/// a report and the findings count by row. Measured: tests/hostile/memory.test.mjs.
const OF_A_ROW: u64 = 56;
/// So often the keys of all rows are held at once: those of the design, in order, and of a fix that is measured.
const KEYS_HELD: u64 = 4;
/// Records of which keys are made to see how long they are.
const TRIED: usize = 1000;

/// Bytes of a search for row keys for each record beside its columns, and for each of its fields. Measured: tests/hostile/memory.test.mjs.
const SEARCH_OF_A_ROW: u64 = 12;
const SEARCH_OF_A_FIELD: u64 = 8;

/// Bytes of records and of a search for row keys on them.
pub(super) fn of_search(records: &Records) -> u64 {
    let of_a_row = SEARCH_OF_A_ROW + SEARCH_OF_A_FIELD * records.columns.len() as u64;
    records.size() as u64 + of_a_row * records.rows as u64
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
