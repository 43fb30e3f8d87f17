//! Records that are held while memory lasts, then as a uniform sample: all that a search for row keys measures.

use super::memory::OWN;
use super::shell::Failure;
use crate::base::memory::{LARGE, room};
use crate::records::{Records, RowSample};
use crate::suggest::MOST_ROWS;
use std::sync::Arc;

/// Records held before the sample takes its share of them.
const PORTION_ROWS: usize = 1 << 18;
/// One in so many bytes of the memory is for records that wait for that.
const PORTIONS: u64 = 16;
/// One in so many bytes of the memory is for the sample.
const SAMPLES: u64 = 8;
/// Bytes of a search for each record beside its columns, and for each of its fields. Measured: tests/hostile/memory.test.mjs.
const OF_A_ROW: u64 = 12;
const OF_A_FIELD: u64 = 8;

/// Records on their way in.
pub struct SampledIntake {
    /// Bytes to take at most, about.
    memory: u64,
    sample: Option<RowSample>,
    /// Bytes of records when the system was last asked for room.
    asked: u64,
}

impl SampledIntake {
    /// For work that takes so much memory.
    pub fn new(memory: u64) -> Self {
        Self { memory, sample: None, asked: 0 }
    }

    /// True if the records held so far are to be given to the sample.
    ///
    /// # Errors
    /// `room.full`.
    pub fn is_due(&mut self, records: &Records) -> Result<bool, Failure> {
        let held = records.size() as u64;
        if held >= self.asked + LARGE {
            // Columns double as they grow.
            room(2 * held)?;
            self.asked = held;
        }
        Ok(match &self.sample {
            None => records.rows > 0 && OWN + needed(records) > self.memory,
            Some(_) => records.rows >= PORTION_ROWS || held > self.memory / PORTIONS,
        })
    }

    /// Gives records to the sample.
    ///
    /// # Errors
    /// `room.full`.
    pub fn add(&mut self, records: Records) -> Result<(), Failure> {
        self.asked = 0;
        room(records.memory() as u64)?;
        let sample = self.sample.get_or_insert_with(|| RowSample::new(MOST_ROWS));
        sample.add(Arc::new(records));
        sample.keep_within((self.memory / SAMPLES) as usize, MOST_ROWS);
        Ok(())
    }

    /// All records, or the sample of them.
    ///
    /// # Errors
    /// `room.full`.
    pub fn end(mut self, rest: Records) -> Result<Records, Failure> {
        if self.sample.is_some() {
            self.add(rest)?;
        } else {
            room(needed(&rest))?;
            return Ok(rest);
        }
        Ok(self.sample.map(|mut sample| sample.records().clone()).unwrap_or_default())
    }
}

/// Bytes of records and of the work on them.
fn needed(records: &Records) -> u64 {
    let of_a_row = OF_A_ROW + OF_A_FIELD * records.columns.len() as u64;
    records.size() as u64 + of_a_row * records.rows as u64
}
