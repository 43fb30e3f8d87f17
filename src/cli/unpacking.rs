//! A packed file on its way to text: it is read where its format asks, or kept as it comes where it can't be.

use super::context::{CommandContext, Failure};
use super::host::FileHandle;
use crate::base::Problem;
use crate::base::limits::{Limit, TABLE_MEMORY};
use crate::records::field::Field;
use crate::records::read::StatedFile;
use crate::records::read::packed::{PackedForm, Step, Unpacker};
use std::ops::Range;

/// Bytes asked of a pipe at a time.
const CHUNK: usize = 1 << 18;
/// Bytes of a pipe that are kept behind what was read: formats that are read in order look back a little.
const KEPT: u64 = 1 << 20;

/// A packed file that is open.
pub struct Unpacking {
    unpacker: Box<dyn Unpacker>,
    name: String,
    file: FileHandle,
    /// Bytes that came through a pipe, and where they begin; `None` for a regular file.
    piped: Option<(u64, Vec<u8>)>,
    stated: Option<StatedFile>,
    /// Bytes read so far.
    pub taken: u64,
    /// Bytes that will be read.
    pub total: Option<u64>,
}

impl Unpacking {
    /// A file of this name and form, whose first bytes were read.
    ///
    /// # Errors
    /// Errors of the system; a program that reads no such files.
    pub fn new(
        context: &mut CommandContext<'_>,
        form: PackedForm,
        (name, file): (&str, FileHandle),
        first: &[u8],
    ) -> Result<Self, Failure> {
        let mut size = context.host.size(file);
        let piped = size.is_none().then(|| (0, first.to_vec()));
        let mut piped = piped;
        if let (true, Some((_, bytes))) = (form.needs_size(), &mut piped) {
            while read_on(context, (name, file), bytes)? {
                let limit = Limit { most: TABLE_MEMORY.most.min(context.memory), ..TABLE_MEMORY };
                limit.check(bytes.len()).map_err(|problem| Failure::from(problem).in_file(name))?;
            }
            size = Some(bytes.len() as u64);
        }
        let unpacker = context.host.unpacker(form, size);
        let unpacker = unpacker.ok_or_else(|| Failure::from(Problem::new("input.binary")).in_file(name));
        let mut unpacker = unpacker?;
        unpacker.within(context.memory);
        Ok(Self { unpacker, name: name.to_owned(), file, piped, stated: None, taken: 0, total: size })
    }

    /// Columns as the file states them; `None` for text. Only those of these fields are read from then on. Asked before
    /// the first bytes are taken: after them nothing can be chosen.
    ///
    /// # Errors
    /// As [`Unpacking::next`].
    pub fn stated(
        &mut self,
        context: &mut CommandContext<'_>,
        fields: Option<&[Field]>,
    ) -> Result<Option<&StatedFile>, Failure> {
        if self.stated.is_none() && self.unpacker.stated().format.is_table() {
            self.step(context)?;
            if let Some(fields) = fields {
                self.unpacker.choose(fields);
            }
            self.total = self.unpacker.wanted();
        }
        Ok(self.stated.as_ref())
    }

    /// The next bytes of its text; `None` at the end.
    ///
    /// # Errors
    /// Errors of the system; damage, behind all that comes before it.
    pub fn next(&mut self, context: &mut CommandContext<'_>) -> Result<Option<Vec<u8>>, Failure> {
        if self.stated.is_none() {
            self.stated(context, None)?;
        }
        self.step(context)
    }

    /// Goes on to the next text, or to where the file has said what it states.
    fn step(&mut self, context: &mut CommandContext<'_>) -> Result<Option<Vec<u8>>, Failure> {
        loop {
            match self.unpacker.step().map_err(|problem| Failure::from(problem).in_file(&self.name))? {
                Step::Need(range) => {
                    let bytes = self.read(context, &range)?;
                    self.taken += bytes.len() as u64;
                    self.unpacker.give(range.start, bytes);
                }
                Step::Stated => {
                    self.stated = Some(self.unpacker.stated());
                    return Ok(None);
                }
                Step::Text(text) => return Ok(Some(text)),
                Step::End => return Ok(None),
            }
        }
    }

    fn read(&mut self, context: &mut CommandContext<'_>, range: &Range<u64>) -> Result<Vec<u8>, Failure> {
        let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
        let Some((start, kept)) = &mut self.piped else {
            let mut bytes = vec![0; length];
            let read = context.host.read_at(self.file, range.start, &mut bytes);
            bytes.truncate(read.map_err(|trouble| Failure::trouble(&trouble, &self.name))?);
            return Ok(bytes);
        };
        while *start + (kept.len() as u64) < range.end && read_on(context, (&self.name, self.file), kept)? {
            let old =
                (*start + kept.len() as u64).min(range.start).saturating_sub(KEPT).saturating_sub(*start);
            let old = usize::try_from(old).unwrap_or_default();
            kept.drain(..old);
            *start += old as u64;
        }
        // Bytes further back are gone.
        let from = usize::try_from(range.start.wrapping_sub(*start)).unwrap_or(usize::MAX);
        let held = kept.get(from..).unwrap_or_default();
        Ok(held.get(..length).unwrap_or(held).to_vec())
    }
}

/// Appends the next bytes of a pipe. False at its end.
fn read_on(
    context: &mut CommandContext<'_>,
    (name, file): (&str, FileHandle),
    kept: &mut Vec<u8>,
) -> Result<bool, Failure> {
    let before = kept.len();
    kept.resize(before + CHUNK, 0);
    let read = context.host.read(file, kept.get_mut(before..).unwrap_or_default());
    let read = read.map_err(|trouble| Failure::trouble(&trouble, name))?;
    kept.truncate(before + read);
    Ok(read > 0)
}
