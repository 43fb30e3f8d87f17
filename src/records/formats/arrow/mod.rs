//! Arrow's IPC formats: a stream of messages, or a file whose footer says where each is.

mod batch;
mod flat;
mod schema;

use super::feed::{Feed, Halt, Window, need};
use super::table::{Chosen, Table};
use super::text::{Texts, records};
use crate::base::limits::TABLE_FOOTER;
use crate::records::read::packed::PackedForm;
use batch::Batch;
use flat::Flat;
use schema::{Schema, Slot};
use std::collections::{HashMap, HashSet};

/// A file begins and ends with it.
const MAGIC: &[u8] = b"ARROW1";
/// Where the first message of a file begins.
const FIRST: u64 = 8;
/// The length of the footer, and the magic bytes.
const TAIL: u64 = 10;
/// Bytes at the end of a file that are read at once.
const LAST: u64 = 1 << 16;
/// Bytes read ahead of bodies, and of messages, which are mostly short.
const AHEAD: u64 = 1 << 18;
const METADATA: u64 = 1 << 12;

const SCHEMA: u8 = 1;
const DICTIONARY: u8 = 2;
const RECORDS: u8 = 3;

/// Where the messages are.
#[derive(Debug)]
enum Messages {
    /// One after the other: the next begins here.
    Stream(u64),
    /// At these places, the first next, each with its kind: those of dictionaries come before those of records.
    Listed(std::vec::IntoIter<(u64, u8)>),
}

/// A message: its metadata, and where its body is.
#[derive(Debug)]
struct Message {
    metadata: Vec<u8>,
    body: u64,
    length: u64,
}

impl Message {
    /// Its kind and what it holds.
    fn header(&self) -> Option<(u8, Flat<'_>)> {
        let root = Flat::root(&self.metadata)?;
        Some((root.byte(1)?, root.table(2)?))
    }
}

/// Reads a file or a stream of Arrow.
#[derive(Debug)]
pub struct ArrowFile {
    form: PackedForm,
    /// The end of a file, and the metadata of messages.
    window: Window,
    /// A footer that is longer.
    rest: Window,
    body: Window,
    messages: Messages,
    schema: Schema,
    chosen: Vec<Chosen>,
    /// The texts of dictionaries by their numbers, as bytes of no type are read.
    dictionaries: HashMap<(i64, bool), Texts>,
    /// A dictionary on its way in.
    dictionary: Option<DictionaryBatch>,
    batch: Option<Batch>,
    columns: Vec<Waiting>,
    /// Number of the batch.
    number: u64,
    listing: Listing,
}

/// The batches that a footer lists, to find others.
#[derive(Debug, Default)]
struct Listing {
    /// Where the footer begins.
    start: u64,
    /// Where messages begin that are listed, or were looked at.
    known: HashSet<u64>,
    /// Where messages end.
    ends: Vec<u64>,
    /// Bytes of the messages so far.
    bytes: u64,
}

#[derive(Debug)]
struct DictionaryBatch {
    id: i64,
    is_delta: bool,
    batch: Batch,
    slots: Vec<Slot>,
}

/// A column of the batch under way.
#[derive(Debug, Default)]
struct Waiting {
    texts: Texts,
    /// The next row.
    row: usize,
    /// Bytes of memory that were told to the feed.
    held: usize,
}

impl ArrowFile {
    /// A file of this form.
    pub fn new(form: PackedForm) -> Self {
        Self {
            form,
            window: Window::new(if form == PackedForm::ArrowFile { LAST } else { METADATA }),
            rest: Window::new(0),
            body: Window::new(AHEAD),
            messages: Messages::Stream(if form == PackedForm::ArrowStream { 0 } else { FIRST }),
            schema: Schema::default(),
            chosen: Vec::new(),
            dictionaries: HashMap::new(),
            dictionary: None,
            batch: None,
            columns: Vec::new(),
            number: 0,
            listing: Listing::default(),
        }
    }

    /// Reads the schema: of a file in its footer, else in the first message.
    pub fn open(&mut self, feed: &mut Feed) -> Result<Table, Halt> {
        if self.form == PackedForm::Feather {
            return Err(Halt::unknown("Feather 1"));
        }
        if let (PackedForm::ArrowFile, Some(size)) = (self.form, feed.size) {
            self.read_footer(feed, size)?;
        } else {
            let message = need(self.next_message(feed)?, "the schema")?;
            let (kind, table) = need(message.header(), "the schema")?;
            need((kind == SCHEMA).then_some(()), "the schema")?;
            self.schema = read_schema(table)?;
        }
        Ok(Table { columns: self.schema.columns.clone(), ..Table::default() })
    }

    fn read_footer(&mut self, feed: &mut Feed, size: u64) -> Result<(), Halt> {
        const PART: &str = "the footer";
        let from = size.saturating_sub(LAST);
        self.window.get(feed, from, size - from, size)?;
        let last = need(size.checked_sub(TAIL), "the end of the file")?;
        let tail = self.window.get(feed, last, TAIL, size)?;
        let (length, magic) = need(tail.split_first_chunk::<4>(), "the end of the file")?;
        need((magic == MAGIC).then_some(()), "the end of the file")?;
        let length = u64::from(u32::from_le_bytes(*length));
        if length > TABLE_FOOTER.most {
            return Err(Halt::limit(&TABLE_FOOTER, length));
        }
        let start = need(last.checked_sub(length), PART)?;
        let inside = if start >= from { &mut self.window } else { &mut self.rest };
        let bytes = inside.get(feed, start, length, size)?.to_vec();
        let root = need(Flat::root(&bytes), PART)?;
        self.schema = read_schema(need(root.table(1), "the schema")?)?;
        let places = |index, kind| {
            let mut blocks = root.structs(index, 24)?.map(|mut block| block.array().map(u64::from_le_bytes));
            blocks.try_fold(Vec::new(), |mut all, place| {
                all.push((place?, kind));
                Some(all)
            })
        };
        let mut listed = need(places(2, DICTIONARY), PART)?;
        listed.extend(need(places(3, RECORDS), PART)?);
        // A message that is named again and again would never end.
        let known: HashSet<u64> = listed.iter().map(|&(place, _)| place).collect();
        need((known.len() == listed.len()).then_some(()), PART)?;
        self.listing = Listing { start, known, ends: vec![FIRST], bytes: 0 };
        self.messages = Messages::Listed(listed.into_iter());
        self.window = Window::new(METADATA);
        Ok(())
    }

    /// Reads only these columns.
    pub fn choose(&mut self, chosen: Vec<Chosen>) {
        self.columns = chosen.iter().map(|_| Waiting::default()).collect();
        self.chosen = chosen;
    }

    /// The next records; `None` at the end.
    pub fn records(&mut self, feed: &mut Feed) -> Result<Option<Vec<u8>>, Halt> {
        let read = self.read_on(feed);
        read.map_err(|halt| halt.at(|| format!("record batch {}", self.number)))
    }

    fn read_on(&mut self, feed: &mut Feed) -> Result<Option<Vec<u8>>, Halt> {
        loop {
            if self.dictionary.is_some() {
                self.read_dictionary(feed)?;
                continue;
            }
            if self.batch.is_some() {
                self.fill(feed)?;
                let text = records(feed, self.columns.iter_mut().map(|column| &mut column.texts));
                if !text.is_empty() {
                    return Ok(Some(text));
                }
                self.batch.take().into_iter().for_each(|batch| batch.end(feed));
                self.columns.iter_mut().for_each(|column| column.row = 0);
                continue;
            }
            let Some(message) = self.next_message(feed)? else {
                return self.check_listing(feed).map(|()| None);
            };
            self.begin(&message, feed)?;
        }
    }

    /// Begins what a message holds.
    fn begin(&mut self, message: &Message, feed: &mut Feed) -> Result<(), Halt> {
        const PART: &str = "a message";
        let (kind, table) = need(message.header(), PART)?;
        match kind {
            RECORDS => {
                self.number += 1;
                let batch = Batch::new(table, &self.schema.slots, message.body, message.length)?;
                feed.state(batch.rows as u64, batch.end)?;
                self.batch = Some(batch);
            }
            DICTIONARY => {
                let id = table.long(0).unwrap_or_default();
                let chosen =
                    self.slots().find_map(|(slot, _)| slot.dictionary.as_ref().filter(|own| own.id == id));
                let Some(dictionary) = chosen else { return Ok(()) };
                let slots = vec![Slot {
                    layout: dictionary.layout,
                    parent: None,
                    is_flat: true,
                    dictionary: None,
                    is_signed: dictionary.is_signed,
                    has_validity: dictionary.layout != schema::Layout::Nothing,
                }];
                let values = need(table.table(1), PART)?;
                let batch = Batch::new(values, &slots, message.body, message.length)?;
                feed.afford(batch.rows as u64, batch.end)?;
                self.dictionary = Some(DictionaryBatch { id, is_delta: table.truth(2), batch, slots });
            }
            _ => return Err(Halt::broken(PART)),
        }
        Ok(())
    }

    /// The wanted fields.
    fn slots(&self) -> impl Iterator<Item = (&Slot, &Chosen)> {
        self.chosen.iter().filter_map(|chosen| {
            let slot = *self.schema.leaves.get(chosen.column)?;
            Some((self.schema.slots.get(slot)?, chosen))
        })
    }

    fn read_dictionary(&mut self, feed: &mut Feed) -> Result<(), Halt> {
        let Some(DictionaryBatch { id, is_delta, mut batch, slots }) = self.dictionary.take() else {
            return Ok(());
        };
        if let Err(halt) = batch.load(&slots, 0, &mut self.body, feed) {
            self.dictionary = Some(DictionaryBatch { id, is_delta, batch, slots });
            return Err(halt);
        }
        let mut readings: Vec<_> = self
            .slots()
            .filter(|(slot, _)| slot.dictionary.as_ref().is_some_and(|own| own.id == id))
            .map(|(_, chosen)| (chosen.meaning, chosen.as_text))
            .collect();
        readings.dedup();
        for (meaning, as_text) in readings {
            let texts = self.dictionaries.entry((id, as_text)).or_default();
            let before = texts.memory();
            if !is_delta {
                *texts = Texts::default();
            }
            for row in 0..batch.rows {
                batch.push((&slots, 0), row, (meaning, as_text), None, texts)?;
                if texts.memory() as u64 > feed.room() + before as u64 {
                    return Err(feed.full(feed.held + texts.memory() as u64));
                }
            }
            let (length, now) = (texts.length(), texts.memory());
            feed.make(length)?;
            feed.hold(before, now)?;
        }
        batch.end(feed);
        Ok(())
    }

    /// Reads texts of every wanted column.
    fn fill(&mut self, feed: &mut Feed) -> Result<(), Halt> {
        let Some(batch) = &mut self.batch else { return Ok(()) };
        let slots = &self.schema.slots;
        let width = self.columns.len();
        for (waiting, chosen) in self.columns.iter_mut().zip(&self.chosen) {
            let place = || format!("record batch {}, column {}", self.number, chosen.name);
            let slot = *need(self.schema.leaves.get(chosen.column), "the schema")?;
            if waiting.row == 0 {
                batch.load(slots, slot, &mut self.body, feed).map_err(|halt| halt.at(place))?;
            }
            let id = slots.get(slot).and_then(|slot| slot.dictionary.as_ref()).map(|own| own.id);
            let dictionary = id.and_then(|id| self.dictionaries.get(&(id, chosen.as_text)));
            while waiting.row < batch.rows && !waiting.texts.is_full(width) {
                let how = (chosen.meaning, chosen.as_text);
                let pushed = batch.push((slots, slot), waiting.row, how, dictionary, &mut waiting.texts);
                pushed.map_err(|halt| halt.at(place))?;
                waiting.row += 1;
            }
            let before = std::mem::replace(&mut waiting.held, waiting.texts.memory());
            feed.hold(before, waiting.held)?;
        }
        Ok(())
    }

    /// The next message; `None` at the end.
    fn next_message(&mut self, feed: &mut Feed) -> Result<Option<Message>, Halt> {
        const LISTED: &str = "the footer";
        // Also of columns that are not read.
        let is_whole = self.listing.ends.last().is_none_or(|&end| end <= self.listing.start);
        need(is_whole.then_some(()), "the end of the file")?;
        let (at, listed) = match &self.messages {
            Messages::Stream(at) => (*at, None),
            Messages::Listed(places) => match places.as_slice().first() {
                Some(&(at, kind)) => (at, Some(kind)),
                None => return Ok(None),
            },
        };
        let message = self.message_at(feed, at)?;
        if let Some(kind) = listed {
            let found = message.as_ref().and_then(Message::header).map(|(kind, _)| kind);
            need((found == Some(kind)).then_some(()), LISTED)?;
        }
        let Some(message) = message else {
            self.messages = Messages::Listed(Vec::new().into_iter());
            return Ok(None);
        };
        let end = message.body + message.length;
        match &mut self.messages {
            Messages::Stream(at) => *at = end,
            Messages::Listed(places) => {
                let _ = places.next();
                self.listing.ends.push(end);
                // Messages that lie in the same bytes would be more than the file holds.
                self.listing.bytes = self.listing.bytes.saturating_add(end - at);
                need((self.listing.bytes <= self.listing.start).then_some(()), LISTED)?;
            }
        }
        Ok(Some(message))
    }

    /// Rejects a file with records that its footer does not list: they would be lost without a word.
    fn check_listing(&mut self, feed: &mut Feed) -> Result<(), Halt> {
        while let Some(at) = self.listing.ends.pop() {
            if at >= self.listing.start || self.listing.known.contains(&at) {
                continue;
            }
            let found = match self.message_at(feed, at) {
                Err(halt @ Halt::Need(_)) => {
                    self.listing.ends.push(at);
                    return Err(halt);
                }
                // Padding, or what else may lie there.
                found => found.ok().flatten(),
            };
            let Some(message) = found else { continue };
            let is_batch = message.header().is_some_and(|(kind, _)| kind == RECORDS);
            need((!is_batch).then_some(()), "the footer")?;
            self.listing.known.insert(at);
            self.listing.ends.push(message.body + message.length);
        }
        Ok(())
    }

    /// The message at a place; `None` at the end.
    fn message_at(&mut self, feed: &mut Feed, at: u64) -> Result<Option<Message>, Halt> {
        const PART: &str = "a message";
        const END: &str = "the end of the file";
        let is_stream = self.form == PackedForm::ArrowStream;
        // A byte more than a head shows whether anything follows the end of a stream.
        let head = self.window.rest(feed, at, 9, u64::MAX)?;
        if head.is_empty() {
            // A file without an end is cut, and so is a stream whose last body is.
            need(is_stream.then_some(()), END)?;
            return self.window.reach(feed, at).map(|()| None);
        }
        let word = |bytes: &[u8], at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
        let first = need(word(head, 0), PART)?;
        // Before version 0.15 nothing stood before the length.
        let (length, start) = if first == u32::MAX { (need(word(head, 4), PART)?, 8) } else { (first, 4) };
        if length == 0 {
            let is_last = !is_stream || head.len() as u64 <= start;
            return need(is_last.then_some(None), "bytes behind the end of the stream");
        }
        let length = u64::from(length);
        if length > TABLE_FOOTER.most {
            return Err(Halt::limit(&TABLE_FOOTER, length));
        }
        let body = need(at.checked_add(start + length), PART)?;
        // From its beginning on again: what is asked for twice has to begin at the same place.
        let whole = self.window.get(feed, at, start + length, body)?;
        let metadata = whole.get(start as usize..).unwrap_or_default().to_vec();
        let long = Flat::root(&metadata).map(|root| root.long(3).unwrap_or_default());
        let length = need(long.and_then(|long| u64::try_from(long).ok()), PART)?;
        need(body.checked_add(length), PART)?;
        Ok(Some(Message { metadata, body, length }))
    }
}

fn read_schema(table: Flat<'_>) -> Result<Schema, Halt> {
    if table.short(0).unwrap_or_default() != 0 {
        return Err(Halt::unknown("big-endian data"));
    }
    let schema = need(schema::schema(table), "the schema")?;
    schema.columns.sound()?;
    Ok(schema)
}
