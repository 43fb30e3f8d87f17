//! The bytes of files on their way into a reader, in steps of a fixed length.
//!
//! After each step the records so far are handed on. Where threads are to be had, the records of a step are read by one of them, while
//! the next steps are cut off. What is handed on after a step, and so all that follows from it, is the same for any number of threads.

use super::context::{CommandContext, Failure};
#[cfg(not(target_arch = "wasm32"))]
use super::cutting::FileCutting;
use crate::records::read::RecordReader;

/// Takes the records so far; the last argument is true behind a whole step.
pub type PortionSink<'s> =
    &'s mut dyn FnMut(&mut CommandContext<'_>, &mut RecordReader, bool) -> Result<(), Failure>;

/// Reads files in steps.
pub struct SteppedReading {
    /// Bytes of a step.
    step: usize,
    /// Bytes before the end of the step under way.
    left: usize,
    #[cfg(not(target_arch = "wasm32"))]
    cutting: Option<FileCutting>,
}

impl SteppedReading {
    /// In steps of so many bytes.
    pub fn new(step: u64) -> Self {
        let step = usize::try_from(step).unwrap_or(usize::MAX).max(1);
        Self {
            step,
            left: step,
            #[cfg(not(target_arch = "wasm32"))]
            cutting: None,
        }
    }

    /// Reads the next bytes of a file.
    ///
    /// # Errors
    /// Those of who takes the records.
    pub fn push(
        &mut self,
        context: &mut CommandContext<'_>,
        reader: &mut RecordReader,
        mut bytes: &[u8],
        portion: PortionSink<'_>,
    ) -> Result<(), Failure> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(self.left));
            self.left -= now.len();
            let ended = self.left == 0;
            self.read(context, reader, now, ended, portion)?;
            if ended {
                self.left = self.step;
            }
            bytes = later;
        }
        Ok(())
    }

    fn read(
        &mut self,
        context: &mut CommandContext<'_>,
        reader: &mut RecordReader,
        bytes: &[u8],
        ended: bool,
        portion: PortionSink<'_>,
    ) -> Result<(), Failure> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            if self.cutting.is_none() && context.threads() > 1 {
                self.cutting = FileCutting::begin(reader, self.step);
            }
            if let Some(cutting) = &mut self.cutting {
                cutting.add(bytes);
                let goes_on = !ended || cutting.cut(context, reader, portion)?;
                if !goes_on {
                    self.cutting = None;
                }
                return Ok(());
            }
        }
        reader.push(bytes);
        if ended { portion(context, reader, true) } else { Ok(()) }
    }

    /// Reads all bytes of the file that were not read yet, which are its last or the last before damage.
    ///
    /// # Errors
    /// Those of who takes the records.
    pub fn end_file(
        &mut self,
        context: &mut CommandContext<'_>,
        reader: &mut RecordReader,
        portion: PortionSink<'_>,
    ) -> Result<(), Failure> {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(cutting) = self.cutting.take() {
            cutting.end(context, reader, portion)?;
        }
        self.left = self.step;
        portion(context, reader, false)
    }
}
