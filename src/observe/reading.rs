//! Cells of tables, as they come in.

use super::answer::FamilyObserved;
use super::counters::RegionName;
use super::files::Sink;
use super::observer::ObserveOptions;
use super::tally::{Counted, MixSet, Tally, hash_of};
use crate::base::limits::REGIONS;
use crate::base::map::Map;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::sort;
use crate::records::formats::hbase::cell::Cell;
use crate::records::formats::hbase::regions::{Reference, RegionBorders};
use crate::records::formats::hbase::wal::{WalEntry, WalMark};

/// Bytes of an entry of an index, about.
const OF_AN_ENTRY: u64 = 96;

/// Everything that was read of a table.
#[derive(Debug)]
pub struct TableRead {
    pub tally: Tally,
    pub has_logs: bool,
    pub has_files: bool,
    pub has_index: bool,
    /// Rows of the index, each with the bytes from it on.
    pub index: Vec<(Vec<u8>, u64)>,
    pub families: Vec<(Vec<u8>, FamilyObserved)>,
    pub servers: Map<Vec<u8>, String>,
    pub replicated: u64,
    pub twice: u64,
    pub torn: u64,
    pub bulk_loads: u64,
    pub bulk_files: u64,
    pub mob_files: u64,
    pub overwritten: bool,
}

impl TableRead {
    /// Nothing was read yet.
    pub fn new(memory: u64, borders: Vec<Vec<u8>>) -> Self {
        Self {
            tally: Tally::new(memory / 2, borders),
            has_logs: false,
            has_files: false,
            has_index: false,
            index: Vec::new(),
            families: Vec::new(),
            servers: Map::new(),
            replicated: 0,
            twice: 0,
            torn: 0,
            bulk_loads: 0,
            bulk_files: 0,
            mob_files: 0,
            overwritten: false,
        }
    }
}

impl TableRead {
    /// The bytes of a column family.
    pub fn family(&mut self, name: &[u8]) -> Option<&mut FamilyObserved> {
        let at = match self.families.iter().position(|(known, _)| known == name) {
            Some(at) => at,
            None => {
                let family = FamilyObserved { family: to_string_binary(name), ..FamilyObserved::default() };
                self.families.push((name.to_vec(), family));
                self.families.len() - 1
            }
        };
        self.families.get_mut(at).map(|(_, family)| family)
    }

    /// Notes a row of the index. When there is no room for more, every second one is joined with the one before.
    fn index(&mut self, row: &[u8], bytes: u64, memory: u64) {
        self.index.push((row.to_vec(), bytes));
        if self.index.len() as u64 * OF_AN_ENTRY < memory / 4 {
            return;
        }
        sort(&mut self.index);
        let joined = self.index.chunks(2).filter_map(|pair| {
            let (row, _) = pair.first()?;
            Some((row.clone(), pair.iter().map(|(_, bytes)| bytes).sum()))
        });
        self.index = joined.collect();
    }
}

/// Takes the cells of a file into the tables that they are of.
pub struct Reading<'a> {
    pub tables: &'a mut Map<String, TableRead>,
    pub regions: &'a mut Map<String, (Vec<RegionBorders>, &'static str)>,
    pub options: &'a ObserveOptions,
    pub cells: Option<&'a mut MixSet>,
    pub halves: &'a [Reference],
    /// The table of the last cell, taken out of the others while it is read; `None` within it when it does not count.
    pub current: Option<(String, Option<TableRead>)>,
}

impl Reading<'_> {
    /// Puts the table of the last cell back to the others.
    pub fn end(mut self) {
        self.put_back();
    }

    fn put_back(&mut self) {
        if let Some((name, Some(mut read))) = self.current.take() {
            read.tally.settle();
            self.tables.insert(name, read);
        }
    }

    /// The table of an HFile, which is there.
    pub fn of_hfile(&mut self, table: &str) {
        let read = self.tables.remove(table);
        self.current = Some((table.to_owned(), read));
    }

    /// The table of an entry of a log; `None` when it does not count.
    fn of_log(&mut self, entry: &WalEntry) -> Option<&mut TableRead> {
        if self.current.as_ref().is_none_or(|(name, _)| name.as_bytes() != entry.table) {
            self.put_back();
            let name = String::from_utf8_lossy(&entry.table).into_owned();
            let is_wanted = match &self.options.table {
                Some(wanted) => *wanted == name,
                None => !name.starts_with("hbase:"),
            };
            let read = is_wanted.then(|| {
                let known = self.tables.remove(&name);
                let mut read = known.unwrap_or_else(|| {
                    let regions =
                        self.regions.get(&name).map(|(regions, _)| regions.as_slice()).unwrap_or_default();
                    let borders = regions.iter().map(|region| region.start.clone()).collect();
                    TableRead::new(self.options.memory, borders)
                });
                read.has_logs = true;
                read
            });
            self.current = Some((name, read));
        }
        self.current.as_mut().and_then(|(_, read)| read.as_mut())
    }

    /// True for a row in a half that counts.
    fn is_in_half(&self, row: &[u8]) -> bool {
        self.halves.is_empty() || self.halves.iter().any(|half| half.is_upper == (row >= half.row.as_slice()))
    }

    /// False for a cell that stands in another file too.
    fn is_new(&mut self, cell: &Cell<'_>) -> bool {
        let Some(cells) = &mut self.cells else { return true };
        let names = hash_of(cell.family) ^ hash_of(cell.qualifier).rotate_left(17);
        let rest = (cell.time as u64).wrapping_mul(31).wrapping_add(u64::from(cell.kind));
        cells.insert(hash_of(cell.row) ^ names.rotate_left(31) ^ rest.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Sink for Reading<'_> {
    fn cell(&mut self, cell: &Cell<'_>, entry: Option<&WalEntry>, is_first: bool) {
        let is_new = entry.is_some() || self.is_in_half(cell.row) && self.is_new(cell);
        if !is_new && !self.is_in_half(cell.row) {
            return;
        }
        let time = entry.map_or(cell.time, |entry| entry.time);
        let times = self.options.times;
        let read = match entry {
            Some(entry) => self.of_log(entry),
            None => self.current.as_mut().and_then(|(_, read)| read.as_mut()),
        };
        let Some(read) = read else { return };
        if times.is_some_and(|(from, to)| time < from || time >= to) {
            return;
        }
        if !is_new {
            read.twice += 1;
            return;
        }
        read.replicated += u64::from(entry.is_some_and(|entry| entry.is_replicated));
        let is_delete = cell.is_delete();
        read.tally.add(Counted { row: cell.row, time, bytes: cell.bytes(), is_delete, is_first });
        let Some(of) = read.family(cell.family) else { return };
        of.cells += 1;
        of.row_bytes += cell.row.len() as u64;
        of.qualifier_bytes += cell.qualifier.len() as u64;
        of.value_bytes += u64::from(cell.value);
        of.tag_bytes += u64::from(cell.tags);
    }

    fn index(&mut self, row: &[u8], bytes: u64) {
        if !self.is_in_half(row) {
            return;
        }
        let memory = self.options.memory;
        if let Some((_, Some(read))) = &mut self.current {
            read.index(row, bytes, memory);
        }
    }

    fn mark(&mut self, entry: &WalEntry, mark: WalMark) {
        if let WalMark::Open(name, _) = &mark
            && let Some(RegionName { start, id, .. }) = RegionName::read(name)
        {
            let table = String::from_utf8_lossy(&entry.table).into_owned();
            if !self.regions.contains_key(&table) {
                self.regions.insert(table.clone(), (Vec::new(), "wal"));
            }
            let Some((known, from)) = self.regions.get_mut(&table) else { return };
            let is_known = *from != "wal" || known.iter().any(|other| other.start == start);
            if !is_known && (known.len() as u64) < REGIONS.most {
                known.push(RegionBorders { table, start, id, ..RegionBorders::default() });
            }
        }
        let Some(read) = self.of_log(entry) else { return };
        match mark {
            WalMark::Open(name, server) => {
                if let Some(region) = RegionName::read(&name) {
                    read.servers.insert(region.start, server);
                }
            }
            WalMark::BulkLoad => read.bulk_loads += 1,
            _ => {}
        }
    }
}
