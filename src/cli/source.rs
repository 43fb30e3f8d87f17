//! The bytes of a file on their way in, unpacked where they are packed.

use super::context::{CommandContext, Failure};
use super::host::{FileHandle, STDIN};
use super::input::name_of;
use super::unpacking::Unpacking;
use crate::base::Problem;
use crate::base::limits::Limit;
use crate::base::memory::full;
use crate::records::field::Field;
use crate::records::read::StatedFile;
use crate::records::read::packed::{MAGIC_BYTES, PackedForm};
use flate2::write::GzDecoder;
use std::io::{self, Write};

/// Bytes asked of the system at a time.
const CHUNK: usize = 1 << 18;
/// Bytes that are unpacked at a time: gzip makes at most 1,032 bytes of one.
const PACKED: usize = CHUNK / 1024;
/// Two bytes that a gzip file begins with.
const GZIP: &[u8] = b"\x1f\x8b";

/// A file, or standard input, that is read once from its beginning to its end.
pub struct ByteSource {
    /// The name that a person knows it by.
    pub name: String,
    /// Its bytes, where it is a regular file.
    pub total: Option<u64>,
    /// Bytes read so far, as they lie in the file.
    pub taken: u64,
    file: FileHandle,
    buffer: Vec<u8>,
    /// Bytes of the buffer that the system has filled, and how many of them were unpacked.
    filled: usize,
    at: usize,
    begun: bool,
    /// The buffer holds the first bytes, which are text and were not handed on.
    is_fresh: bool,
    ended: bool,
    inflater: Option<Inflater>,
    unpacking: Option<Box<Unpacking>>,
    /// The last bytes that were unpacked, or looked at.
    unpacked: Vec<u8>,
    /// Bytes that were looked at, and come again.
    looked: Vec<u8>,
    /// An error met while looking, told where its turn comes.
    failure: Option<Failure>,
}

impl ByteSource {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// Errors of the system; standard input for the second time.
    pub fn open(context: &mut CommandContext<'_>, path: &str) -> Result<Self, Failure> {
        let name = name_of(path);
        if path == "-" && std::mem::replace(&mut context.input_read, true) {
            return Err(Problem::new("cli.input-twice").into());
        }
        let opened = if path == "-" { Ok(STDIN) } else { context.host.open(path) };
        let file = opened.map_err(|trouble| Failure::trouble(&trouble, &name))?;
        Ok(Self {
            name,
            total: context.host.size(file),
            taken: 0,
            file,
            buffer: vec![0; CHUNK],
            filled: 0,
            at: 0,
            begun: false,
            is_fresh: false,
            ended: false,
            inflater: None,
            unpacking: None,
            unpacked: Vec::new(),
            looked: Vec::new(),
            failure: None,
        })
    }

    /// Closes it.
    pub fn close(self, context: &mut CommandContext<'_>) {
        context.host.close(self.file);
    }

    /// The first bytes, unpacked: `most` of them or a few more, fewer where it ends. They come again from [`ByteSource::chunk`], and
    /// so does an error behind them.
    pub fn look(&mut self, context: &mut CommandContext<'_>, most: usize) -> &[u8] {
        while self.looked.len() < most && self.failure.is_none() {
            match self.read_on(context) {
                Ok(true) => {
                    let mut looked = std::mem::take(&mut self.looked);
                    looked.extend_from_slice(self.last());
                    self.looked = looked;
                }
                Ok(false) => break,
                Err(failure) => self.failure = Some(failure),
            }
        }
        &self.looked
    }

    /// The next bytes, unpacked; `None` at the end.
    ///
    /// # Errors
    /// Errors of the system; damaged gzip, behind all that comes before the damage.
    pub fn chunk(&mut self, context: &mut CommandContext<'_>) -> Result<Option<&[u8]>, Failure> {
        if !self.looked.is_empty() {
            self.unpacked = std::mem::take(&mut self.looked);
            return Ok(Some(&self.unpacked));
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        Ok(if self.read_on(context)? { Some(self.last()) } else { None })
    }

    /// All bytes that are left, as many as a limit allows.
    ///
    /// # Errors
    /// As [`ByteSource::chunk`]; more than the limit; memory that the system refuses.
    pub fn all(&mut self, context: &mut CommandContext<'_>, limit: &Limit) -> Result<Vec<u8>, Failure> {
        let mut all = Vec::new();
        while let Some(chunk) = self.chunk(context)? {
            let (length, more) = (all.len() + chunk.len(), chunk.len());
            all.try_reserve(more).map_err(|_| full(length))?;
            all.extend_from_slice(chunk);
            limit.check(length).map_err(|problem| Failure::from(problem).in_file(&self.name))?;
        }
        Ok(all)
    }

    /// The bytes last read.
    fn last(&self) -> &[u8] {
        if self.inflater.is_some() || self.unpacking.is_some() {
            return &self.unpacked;
        }
        self.buffer.get(..self.filled).unwrap_or_default()
    }

    /// Columns as a file states them; `None` where it states nothing. Only those of these fields are read, but all of a file that was
    /// looked at.
    ///
    /// # Errors
    /// Errors of the system; a damaged file.
    pub fn stated(
        &mut self,
        context: &mut CommandContext<'_>,
        fields: Option<&[Field]>,
    ) -> Result<Option<StatedFile>, Failure> {
        self.begin(context)?;
        let Some(unpacking) = &mut self.unpacking else { return Ok(None) };
        Ok(unpacking.stated(context, fields)?.cloned())
    }

    /// Reads the first bytes, and tells from them how the file is packed.
    fn begin(&mut self, context: &mut CommandContext<'_>) -> Result<(), Failure> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        while self.filled < MAGIC_BYTES && !self.ended {
            self.fill(context, self.filled)?;
        }
        let first = self.buffer.get(..self.filled).unwrap_or_default();
        self.inflater = first.starts_with(GZIP).then(Inflater::default);
        if let Some(form) = PackedForm::told_by(first) {
            let unpacking = Unpacking::new(context, form, (&self.name, self.file), first)?;
            self.unpacking = Some(Box::new(unpacking));
        }
        // The bytes read are text.
        self.is_fresh = self.inflater.is_none() && self.unpacking.is_none();
        Ok(())
    }

    /// Reads on, and unpacks. False at the end.
    fn read_on(&mut self, context: &mut CommandContext<'_>) -> Result<bool, Failure> {
        self.begin(context)?;
        if std::mem::take(&mut self.is_fresh) {
            return Ok(self.filled > 0);
        }
        if let Some(unpacking) = &mut self.unpacking {
            let text = unpacking.next(context)?;
            (self.taken, self.total) = (unpacking.taken, unpacking.total);
            self.unpacked = text.unwrap_or_default();
            return Ok(!self.unpacked.is_empty());
        }
        if self.inflater.is_some() {
            return self.unpack(context);
        }
        if !self.ended {
            self.fill(context, 0)?;
        }
        Ok(!self.ended)
    }

    /// Reads the next bytes to this place of the buffer.
    fn fill(&mut self, context: &mut CommandContext<'_>, at: usize) -> Result<(), Failure> {
        let room = self.buffer.get_mut(at..).unwrap_or_default();
        let read = context.host.read(self.file, room);
        let length = read.map_err(|trouble| Failure::trouble(&trouble, &self.name))?;
        (self.filled, self.ended) = (at + length, length == 0);
        self.taken += length as u64;
        Ok(())
    }

    /// Unpacks the next bytes. False at the end.
    fn unpack(&mut self, context: &mut CommandContext<'_>) -> Result<bool, Failure> {
        loop {
            let Some(inflater) = &mut self.inflater else { return Ok(false) };
            if inflater.is_broken {
                return Err(Failure::from(Problem::new("cli.broken-gzip")).in_file(&self.name));
            }
            while self.at < self.filled {
                let end = self.filled.min(self.at + PACKED);
                let packed = self.buffer.get(self.at..end).unwrap_or_default();
                inflater.is_broken = inflater.write_all(packed).is_err();
                self.at = end;
                if inflater.is_broken || inflater.unpacked().len() >= CHUNK {
                    self.unpacked = std::mem::take(inflater.unpacked());
                    return Ok(true);
                }
            }
            if inflater.is_finished {
                return Ok(false);
            }
            if self.ended {
                inflater.is_finished = true;
                inflater.is_broken = inflater.finish().is_err();
                self.unpacked = std::mem::take(inflater.unpacked());
                return Ok(true);
            }
            self.fill(context, 0)?;
            self.at = 0;
        }
    }
}

/// Unpacks gzip of any number of members. Zero bytes behind a member are no other: tapes and copies in blocks are padded with them.
struct Inflater {
    member: GzDecoder<Vec<u8>>,
    /// True behind a member, before the first byte of the next.
    between: bool,
    /// True once what is packed turned out to be damaged, or cut short.
    is_broken: bool,
    /// True once all was unpacked.
    is_finished: bool,
}

impl Default for Inflater {
    fn default() -> Self {
        Self { member: GzDecoder::new(Vec::new()), between: false, is_broken: false, is_finished: false }
    }
}

impl Inflater {
    /// Unpacked bytes that were not taken yet.
    fn unpacked(&mut self) -> &mut Vec<u8> {
        self.member.get_mut()
    }

    fn write_all(&mut self, mut packed: &[u8]) -> io::Result<()> {
        loop {
            if self.between {
                let padding = packed.iter().take_while(|&&byte| byte == 0).count();
                packed = packed.get(padding..).unwrap_or_default();
            }
            if packed.is_empty() {
                return Ok(());
            }
            if std::mem::take(&mut self.between) {
                let unpacked = std::mem::take(self.unpacked());
                self.member = GzDecoder::new(unpacked);
            }
            match self.member.write(packed)? {
                0 => {
                    self.member.try_finish()?;
                    self.between = true;
                }
                taken => packed = packed.get(taken..).unwrap_or_default(),
            }
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.between { Ok(()) } else { self.member.try_finish() }
    }
}
