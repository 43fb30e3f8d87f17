//! A file that is cut between records into steps, which threads read.

use super::context::{CommandContext, Failure};
use super::pieces::PortionSink;
use crate::base::workers::{InOrder, Workers};
use crate::records::read::{RecordCutter, RecordReader};

/// A step that was read by a reader of its own.
struct StepRead {
    reader: RecordReader,
    bytes: Vec<u8>,
    /// False for the last of a file, which is shorter.
    whole: bool,
}

/// A file on its way into steps.
pub struct FileCutting {
    cutter: RecordCutter,
    /// Bytes that belong to no step yet, and how many of them the cutter has seen.
    held: Vec<u8>,
    seen: usize,
    /// True if quotes may be among them.
    quotes: bool,
    /// Where the last record ends among those that it has seen.
    end: usize,
    /// Byte of the file at which they begin.
    base: u64,
    /// Bytes that came last.
    last: usize,
    under_way: Option<InOrder<StepRead>>,
    /// Bytes of a step that was taken in.
    spare: Vec<u8>,
}

impl FileCutting {
    /// Cuts the rest of the file of a reader, which then is between two records, into steps of about so many bytes; `None` where it
    /// can't be cut.
    pub fn begin(reader: &mut RecordReader, step: usize) -> Option<Self> {
        let cutter = reader.cutter()?;
        let mut held = reader.give_back();
        let _ = held.try_reserve_exact(step);
        Some(Self {
            cutter,
            held,
            seen: 0,
            quotes: false,
            end: 0,
            base: reader.place(),
            last: 0,
            under_way: None,
            spare: Vec::new(),
        })
    }

    /// Adds the next bytes of the file.
    pub fn add(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
        self.look();
    }

    /// Finds the ends of records in bytes that were added.
    fn look(&mut self) {
        let new = self.held.get(self.seen..).unwrap_or_default();
        if let Some(end) = self.cutter.last_end(new) {
            self.end = self.seen + end;
        }
        self.quotes |= self.cutter.has_quotes();
        (self.seen, self.last) = (self.held.len(), new.len());
    }

    /// Ends a step behind the last record that is complete, and has it read. False when nothing is held any more: the step has no
    /// such end, or reading has shown that records end elsewhere.
    pub fn cut(
        &mut self,
        context: &mut CommandContext<'_>,
        reader: &mut RecordReader,
        portion: PortionSink<'_>,
    ) -> Result<bool, Failure> {
        let workers = if self.end > 0 { context.workers() } else { None };
        let Some(workers) = workers else {
            self.settle(context, reader, portion)?;
            self.give_back(reader);
            portion(context, reader, true)?;
            return Ok(false);
        };
        while self.under_way.as_ref().is_some_and(InOrder::is_full) {
            if !self.settle_one(context, reader, portion)?.unwrap_or(true) {
                self.hand_out(&workers, reader, true);
                self.settle(context, reader, portion)?;
                self.give_back(reader);
                return Ok(false);
            }
        }
        self.hand_out(&workers, reader, true);
        Ok(true)
    }

    /// Has a thread read what is held up to the last end of a record.
    fn hand_out(&mut self, workers: &Workers, reader: &RecordReader, whole: bool) {
        // Memory of a step before is taken again: the first use of new memory costs more than the copy.
        let mut rest = std::mem::take(&mut self.spare);
        rest.clear();
        // Without the room a step grows as it is filled, and each time new memory is used.
        let _ = rest.try_reserve_exact(self.held.len());
        rest.extend_from_slice(self.held.get(self.end..).unwrap_or_default());
        let mut bytes = std::mem::replace(&mut self.held, rest);
        bytes.truncate(self.end);
        let mut reader = reader.of_piece(self.base);
        self.base += self.end as u64;
        let quotes = self.quotes;
        // Bytes that are left mostly came last.
        self.quotes &= self.cutter.has_quotes() || self.held.len() > self.last;
        (self.seen, self.end) = (self.held.len(), 0);
        let under_way = self.under_way.get_or_insert_with(|| InOrder::of(workers));
        under_way.push(workers.run(move || {
            let bytes = reader.read_piece(bytes, quotes);
            StepRead { reader, bytes, whole }
        }));
    }

    /// Waits for the first step under way, and hands on its records. False if its records end elsewhere than they were cut; `None`
    /// when no step is left.
    fn settle_one(
        &mut self,
        context: &mut CommandContext<'_>,
        reader: &mut RecordReader,
        portion: PortionSink<'_>,
    ) -> Result<Option<bool>, Failure> {
        let Some(step) = self.under_way.as_mut().and_then(InOrder::wait_next) else { return Ok(None) };
        let taken = reader.take_in(step.reader, &step.bytes);
        if !taken {
            reader.push(&step.bytes);
        }
        self.spare = step.bytes;
        if step.whole {
            portion(context, reader, true)?;
        }
        Ok(Some(taken))
    }

    fn settle(
        &mut self,
        context: &mut CommandContext<'_>,
        reader: &mut RecordReader,
        portion: PortionSink<'_>,
    ) -> Result<(), Failure> {
        while self.settle_one(context, reader, portion)?.is_some() {}
        Ok(())
    }

    /// Has the reader of the file read what is held.
    fn give_back(&mut self, reader: &mut RecordReader) {
        reader.push(&std::mem::take(&mut self.held));
    }

    /// Reads all that is left of the file.
    pub fn end(
        mut self,
        context: &mut CommandContext<'_>,
        reader: &mut RecordReader,
        portion: PortionSink<'_>,
    ) -> Result<(), Failure> {
        if self.end > 0
            && self.under_way.is_some()
            && let Some(workers) = context.workers()
        {
            self.hand_out(&workers, reader, false);
        }
        self.settle(context, reader, portion)?;
        self.give_back(reader);
        Ok(())
    }
}
