//! Records on their way in: held while the work on them fits into memory, from then on dropped but for a sample.

use super::evidence::Evidence;
use super::policy::{MemoryUse, OWN, PORTION_ROWS, PORTIONS, SAMPLES, SUMMARY_PORTIONS, WORK, of_search};
use crate::analysis::stream::Stream;
use crate::base::Problem;
use crate::base::memory::{LARGE, room};
use crate::design::Document;
use crate::records::{Records, RowSample};
use crate::suggest::MOST_ROWS;
use std::sync::Arc;

/// Asks the system for memory as records grow, before they take it.
#[derive(Default)]
struct Growth {
    /// Bytes of records when the system was last asked.
    asked: u64,
}

impl Growth {
    fn to(&mut self, records: &Records) -> Result<u64, Problem> {
        let held = records.size() as u64;
        if held >= self.asked + LARGE {
            // Columns double as they grow.
            room(2 * held)?;
            self.asked = held;
        }
        Ok(held)
    }
}

/// Records for an analysis: when they are more than memory is to hold, counted exactly as they pass.
pub struct CountingIntake<'d> {
    study: &'d Document,
    table: usize,
    /// Bytes to take at most, about.
    memory: u64,
    needs: MemoryUse<'d>,
    stream: Option<Stream>,
    growth: Growth,
}

impl<'d> CountingIntake<'d> {
    /// For table number `table` of a study, and work that takes so many bytes of memory.
    pub fn new(study: &'d Document, table: usize, memory: u64) -> Self {
        let needs = MemoryUse::new(study, vec![table]);
        Self { study, table, memory, needs, stream: None, growth: Growth::default() }
    }

    /// True if the records held so far are to be counted and dropped; `whole` behind a whole step of several threads.
    ///
    /// # Errors
    /// `room.full`.
    pub fn is_due(&mut self, records: &Records, whole: bool) -> Result<bool, Problem> {
        let held = self.growth.to(records)?;
        Ok(match &self.stream {
            None => records.rows > 0 && self.needs.peak(records) > self.memory,
            Some(_) if whole || records.rows >= PORTION_ROWS => true,
            Some(_) => held + self.needs.of_work(records) > self.memory / PORTIONS,
        })
    }

    /// Counts records, which are dropped but for a sample. `begin` may have a new stream count on threads.
    ///
    /// # Errors
    /// `room.full`; splits that HBase would refuse.
    pub fn count(&mut self, records: Records, begin: impl FnOnce(Stream) -> Stream) -> Result<(), Problem> {
        self.growth = Growth::default();
        room(OWN / 2 + 2 * records.memory() as u64)?;
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => self.stream.insert(begin(Stream::new(self.study.clone(), self.table)?)),
        };
        stream.add(records)?;
        // The sample and the work on it have to fit.
        let rows = self.memory / WORK / self.needs.of_row();
        stream.keep_within((self.memory / SAMPLES) as usize, rows as usize);
        Ok(())
    }

    /// All records, or the sample of them with the counts.
    ///
    /// # Errors
    /// As [`CountingIntake::count`].
    pub fn end(mut self, rest: Records) -> Result<Evidence, Problem> {
        let records = match &self.stream {
            Some(_) => {
                self.count(rest, |stream| stream)?;
                self.stream.as_mut().map(|stream| stream.sample().clone()).unwrap_or_default()
            }
            None => rest,
        };
        room(self.needs.of_work(&records))?;
        Ok(match self.stream {
            Some(stream) => Evidence::counted(records, stream),
            None => Evidence::held(records),
        })
    }
}

/// Records for a search for row keys, which measures a uniform sample when they are more than memory is to hold.
pub struct SamplingIntake {
    /// Bytes to take at most, about.
    memory: u64,
    sample: Option<RowSample>,
    growth: Growth,
}

impl SamplingIntake {
    /// For work that takes so many bytes of memory.
    pub fn new(memory: u64) -> Self {
        Self { memory, sample: None, growth: Growth::default() }
    }

    /// True if the records held so far are to be given to the sample.
    ///
    /// # Errors
    /// `room.full`.
    pub fn is_due(&mut self, records: &Records) -> Result<bool, Problem> {
        let held = self.growth.to(records)?;
        Ok(match &self.sample {
            None => records.rows > 0 && OWN + of_search(records) > self.memory,
            Some(_) => records.rows >= PORTION_ROWS || held > self.memory / SUMMARY_PORTIONS,
        })
    }

    /// Gives records to the sample.
    ///
    /// # Errors
    /// `room.full`.
    pub fn add(&mut self, records: Records) -> Result<(), Problem> {
        self.growth = Growth::default();
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
    pub fn end(mut self, rest: Records) -> Result<Records, Problem> {
        if self.sample.is_some() {
            self.add(rest)?;
        } else {
            room(of_search(&rest))?;
            return Ok(rest);
        }
        Ok(self.sample.map(|mut sample| sample.records().clone()).unwrap_or_default())
    }
}
