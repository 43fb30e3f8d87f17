//! Arrow's IPC formats: a stream of messages, or a file whose footer says where each is.

mod batch;
mod flat;
mod schema;

use super::feed::{Feed, Halt, Window, need};
use super::table::{Chosen, Table};
use super::text::{Texts, records};
use crate::base::limits::{ROWS, TABLE_FOOTER, TABLE_PIECE};
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
/// Values of a dictionary.
const MOST_VALUES: usize = 1 << 26;

const SCHEMA: u8 = 1;
const DICTIONARY: u8 = 2;
const RECORDS: u8 = 3;

/// Where the messages are.
#[derive(Debug)]
enum Messages {
    /// One after the other: the next begins here.
    Stream(u64),
    /// At these places, the first next: those of dictionaries come before those of records.
    Listed(std::vec::IntoIter<u64>),
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
    /// Number of the batch, and rows met before it.
    number: u64,
    rows: u64,
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
            rows: 0,
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
        let Schema { columns, left_out, .. } = &self.schema;
        Ok(Table { columns: columns.clone(), left_out: left_out.clone(), ..Table::default() })
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
        let places = |index| {
            let blocks = root.structs(index, 24)?;
            blocks.map(|mut block| block.array().map(u64::from_le_bytes)).collect::<Option<Vec<u64>>>()
        };
        let mut listed = need(places(2), PART)?;
        listed.extend(need(places(3), PART)?);
        // A message that is named again and again would never end.
        let distinct: HashSet<u64> = listed.iter().copied().collect();
        need((distinct.len() == listed.len()).then_some(()), PART)?;
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
                let text = records(self.columns.iter_mut().map(|column| &mut column.texts));
                if !text.is_empty() {
                    return Ok(Some(text));
                }
                self.batch.take().into_iter().for_each(|batch| batch.end(feed));
                self.columns.iter_mut().for_each(|column| column.row = 0);
                continue;
            }
            let Some(message) = self.next_message(feed)? else { return Ok(None) };
            self.begin(&message)?;
        }
    }

    /// Begins what a message holds.
    fn begin(&mut self, message: &Message) -> Result<(), Halt> {
        const PART: &str = "a message";
        let (kind, table) = need(message.header(), PART)?;
        match kind {
            RECORDS => {
                self.number += 1;
                let batch = Batch::new(table, &self.schema.slots, message.body, message.length)?;
                self.rows = self.rows.saturating_add(batch.rows as u64);
                if self.rows > ROWS.most {
                    return Err(Halt::limit(&ROWS, self.rows));
                }
                self.batch = Some(batch);
            }
            DICTIONARY => {
                let id = table.long(0).unwrap_or_default();
                let chosen =
                    self.slots().find_map(|(slot, _)| slot.dictionary.as_ref().filter(|own| own.id == id));
                let Some(dictionary) = chosen else { return Ok(()) };
                let slots = vec![Slot {
                    layout: dictionary.layout,
                    around: Vec::new(),
                    dictionary: None,
                    is_signed: dictionary.is_signed,
                    has_validity: dictionary.layout != schema::Layout::Nothing,
                }];
                let values = need(table.table(1), PART)?;
                let batch = Batch::new(values, &slots, message.body, message.length)?;
                self.dictionary = Some(DictionaryBatch { id, is_delta: table.truth(2), batch, slots });
            }
            // The schema of a stream was read, and messages of other kinds say nothing of records.
            _ => {}
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
            let before = texts.length();
            if !is_delta {
                *texts = Texts::default();
            }
            for row in 0..batch.rows {
                batch.push((&slots, 0), row, (meaning, as_text), None, texts)?;
                if texts.length() as u64 > TABLE_PIECE.most || texts.rows() > MOST_VALUES {
                    return Err(Halt::limit(&TABLE_PIECE, texts.length() as u64));
                }
            }
            let now = texts.length();
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
            batch.load(slots, slot, &mut self.body, feed).map_err(|halt| halt.at(place))?;
            let id = slots.get(slot).and_then(|slot| slot.dictionary.as_ref()).map(|own| own.id);
            let dictionary = id.and_then(|id| self.dictionaries.get(&(id, chosen.as_text)));
            while waiting.row < batch.rows && !waiting.texts.is_full(width) {
                let how = (chosen.meaning, chosen.as_text);
                let pushed = batch.push((slots, slot), waiting.row, how, dictionary, &mut waiting.texts);
                pushed.map_err(|halt| halt.at(place))?;
                waiting.row += 1;
            }
        }
        Ok(())
    }

    /// The next message; `None` at the end.
    fn next_message(&mut self, feed: &mut Feed) -> Result<Option<Message>, Halt> {
        const PART: &str = "a message";
        let at = match &self.messages {
            Messages::Stream(at) => *at,
            Messages::Listed(places) => match places.as_slice().first() {
                Some(&at) => at,
                None => return Ok(None),
            },
        };
        let head = self.window.rest(feed, at, 8, u64::MAX)?;
        if head.is_empty() && matches!(self.messages, Messages::Stream(_)) {
            return Ok(None);
        }
        let word = |bytes: &[u8], at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
        let first = need(word(head, 0), PART)?;
        // Before version 0.15 nothing stood before the length.
        let (length, start) = if first == u32::MAX { (need(word(head, 4), PART)?, 8) } else { (first, 4) };
        if length == 0 {
            self.messages = Messages::Listed(Vec::new().into_iter());
            return Ok(None);
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
        let end = need(body.checked_add(length), PART)?;
        match &mut self.messages {
            Messages::Stream(at) => *at = end,
            Messages::Listed(places) => drop(places.next()),
        }
        Ok(Some(Message { metadata, body, length }))
    }
}

fn read_schema(table: Flat<'_>) -> Result<Schema, Halt> {
    if table.short(0).unwrap_or_default() != 0 {
        return Err(Halt::unknown("big-endian data"));
    }
    need(schema::schema(table), "the schema")
}
