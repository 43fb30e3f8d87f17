//! Files of HBase on their way in: which count, in which order, and what they come to.

use super::answer::{FileObserved, ObservedTable, ObservedTables};
use super::borders::live;
use super::counters::{DumpReader, History, Metric};
#[cfg(feature = "cli")]
use super::designed::ObservedDesign;
use super::dump_file::{DumpFile, is_dump};
use super::files::{FileStep, StoreFile};
#[cfg(feature = "cli")]
use super::headline::headline;
use super::paths::{NameForm, StorePath, store_path};
use super::reading::{Reading, TableRead};
use super::seen::SeenEntries;
use super::tally::MixSet;
use crate::base::Problem;
use crate::base::limits::REGIONS;
use crate::base::map::Map;
use crate::bytes::sort::{sort_by, sort_by_key};
use crate::records::formats::hbase::hfile::HFileInfo;
use crate::records::formats::hbase::regions::{
    Reference, RegionBorders, file_list, manifest, reference, region_info,
};
use crate::records::read::packed::{MAGIC_BYTES, PackedForm};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Bytes of a file that is read whole: one that names regions.
const SMALL: u64 = 64 << 20;
/// First bytes of a text, in which a dump shows what it is: the shell lists handlers of the master before the servers.
const HEAD: u64 = 256 << 10;
/// Bytes of a dump that are asked for at a time.
const CHUNK: u64 = 4 << 20;
/// Files listed.
const FILES: usize = 1000;
/// Cells that are remembered to tell that one stands in two files.
const REMEMBERED: usize = 8 << 20;

/// How much is read of HFiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Their facts and their index: which keys take which bytes.
    #[default]
    Index,
    /// Every cell.
    All,
}

/// A file that a host has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenFile {
    /// Its path, with the folders that are known.
    pub path: String,
    /// Length in bytes.
    pub bytes: u64,
    /// When it was changed, milliseconds since the epoch, where the host knows it: the timestamp of a dump without one.
    pub changed: Option<i64>,
}

/// Options of a person.
#[derive(Clone, Debug, Default)]
pub struct ObserveOptions {
    /// How much is read of HFiles; logs are always read whole.
    pub depth: Depth,
    /// The only table that counts; all of them but those of HBase itself where none is named.
    pub table: Option<String>,
    /// The only times that count, milliseconds since the epoch: from the first to before the second.
    pub times: Option<(i64, i64)>,
    /// The figure that shares and pictures of counters are of; where none is named, reads or writes, whichever one region takes more of.
    pub metric: Option<Metric>,
    /// Number of regions that are to share the cells evenly: the answer has their split points.
    pub regions: Option<usize>,
    /// Bytes of memory to take at most, about.
    pub memory: u64,
}

/// The next thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObserveStep {
    /// Give these bytes of this file, or as many of them as there are.
    Need(usize, Range<u64>),
    /// So many bytes were read, of so many that will be.
    Progress(u64, u64),
    /// All was read.
    Done,
}

/// A file that was named.
#[derive(Debug)]
pub(super) struct Named {
    path: String,
    pub at: StorePath,
    size: u64,
    changed: Option<i64>,
    form: FormFound,
    pub info: Option<HFileInfo>,
    data_bytes: u64,
    /// Its cells count, from one row to before another where it counts in part.
    pub counts: bool,
    /// Halves of it that references stand for.
    halves: Vec<Reference>,
    problem: Option<Problem>,
}

/// The kind of a file, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormFound {
    Unknown,
    HFile,
    Wal,
    RegionInfo,
    Manifest,
    Reference,
    FileList,
    /// Output of a cluster, packed with gzip or not.
    Dump,
    Gzip,
    Link,
    Known,
    Empty,
    Other,
}

impl FormFound {
    const fn name(self) -> &'static str {
        match self {
            Self::HFile => "hfile",
            Self::Wal => "wal",
            Self::RegionInfo => "regioninfo",
            Self::Manifest => "manifest",
            Self::Reference => "reference",
            Self::FileList => "filelist",
            Self::Dump | Self::Gzip => "dump",
            Self::Link => "link",
            Self::Known => "hbase",
            Self::Empty => "empty",
            Self::Unknown | Self::Other => "other",
        }
    }
}

/// Where the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The first bytes of each file.
    Heads,
    /// Facts that each HFile states.
    Infos,
    /// The cells, or the index, of each file that counts.
    Contents,
    Done,
}

/// Reads files of HBase as their bytes are given, and says what they come to.
#[derive(Debug)]
pub struct Observer {
    pub(super) options: ObserveOptions,
    pub(super) files: Vec<Named>,
    stage: Stage,
    at: usize,
    open: Option<StoreFile>,
    given: Option<(u64, Vec<u8>)>,
    tables: Map<String, TableRead>,
    /// Regions by table, and how they are known.
    pub(super) regions: Map<String, (Vec<RegionBorders>, &'static str)>,
    /// Tables by encoded regions, as `.regioninfo` files say.
    of_regions: HashMap<String, String>,
    /// Files of stores, by region and family, as the latest list names them, and its time.
    lists: HashMap<(String, String), (u64, HashSet<String>)>,
    seen: SeenEntries,
    cells: Option<MixSet>,
    /// Counters of regions, and the dump that is read.
    pub(super) history: History,
    dump: Option<DumpFile>,
    read: u64,
}

impl Observer {
    /// For these files, each with its bytes.
    pub fn new(files: Vec<GivenFile>, options: ObserveOptions) -> Self {
        let files = files.into_iter().map(|GivenFile { path, bytes, changed }| Named {
            at: store_path(&path),
            path,
            size: bytes,
            changed,
            form: FormFound::Unknown,
            info: None,
            data_bytes: 0,
            counts: false,
            halves: Vec::new(),
            problem: None,
        });
        Self {
            history: History::new(options.memory / 2).within(options.times),
            dump: None,
            options,
            files: files.collect(),
            stage: Stage::Heads,
            at: 0,
            open: None,
            given: None,
            tables: Map::new(),
            regions: Map::new(),
            of_regions: HashMap::new(),
            lists: HashMap::new(),
            seen: SeenEntries::default(),
            cells: None,
            read: 0,
        }
    }

    /// The path of a file.
    pub fn path(&self, file: usize) -> &str {
        self.files.get(file).map_or("", |file| file.path.as_str())
    }

    /// The next step. A file that can't be read is left out, and named in the answer.
    pub fn step(&mut self) -> ObserveStep {
        loop {
            let step = match self.stage {
                Stage::Heads => self.head(),
                Stage::Infos => self.info(),
                Stage::Contents => self.content(),
                Stage::Done => return ObserveStep::Done,
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    /// Takes bytes of the file that was asked for, fewer where it ends.
    pub fn give(&mut self, offset: u64, bytes: Vec<u8>) {
        self.read += bytes.len() as u64;
        match &mut self.open {
            Some(open) => open.give(offset, bytes),
            None => self.given = Some((offset, bytes)),
        }
    }

    /// The host can't read the file that was asked for.
    pub fn fail(&mut self, problem: Problem) {
        self.open = None;
        self.leave(self.at, problem);
        self.next();
    }

    fn leave(&mut self, file: usize, problem: Problem) {
        if let Some(file) = self.files.get_mut(file) {
            file.problem.get_or_insert(problem);
        }
    }

    /// Goes on to the next file, or to the next stage.
    fn next(&mut self) {
        (self.open, self.given, self.dump) = (None, None, None);
        self.at += 1;
        if self.at < self.files.len() {
            return;
        }
        self.at = 0;
        self.stage = match self.stage {
            Stage::Heads => Stage::Infos,
            Stage::Infos => {
                self.choose();
                Stage::Contents
            }
            _ => Stage::Done,
        };
    }

    /// Tells what a file is.
    fn head(&mut self) -> Option<ObserveStep> {
        let Some(file) = self.files.get_mut(self.at) else {
            self.stage = Stage::Done;
            return None;
        };
        let form = match &file.at.form {
            NameForm::Link(..) if file.size == 0 => Some(FormFound::Link),
            NameForm::Known => Some(FormFound::Known),
            _ if file.size == 0 => Some(FormFound::Empty),
            _ => None,
        };
        if let Some(form) = form {
            file.form = form;
            self.next();
            return None;
        }
        let whole = matches!(
            file.at.form,
            NameForm::RegionInfo | NameForm::Manifest | NameForm::FileList | NameForm::Reference(..)
        );
        let wanted = file.size.min(if whole { SMALL } else { HEAD });
        let Some((_, bytes)) = self.given.take() else {
            return Some(ObserveStep::Need(self.at, 0..wanted));
        };
        let form = match PackedForm::told_by(bytes.get(..MAGIC_BYTES.min(bytes.len())).unwrap_or_default()) {
            Some(PackedForm::HFile) => FormFound::HFile,
            Some(PackedForm::Wal) => FormFound::Wal,
            // A file without cells can begin with any block.
            _ if matches!(bytes.get(..8), Some(b"BLMFMET2" | b"METABLKc" | b"FILEINF2" | b"TRABLK\"$")) => {
                FormFound::HFile
            }
            _ if bytes.starts_with(b"\x1f\x8b") => FormFound::Gzip,
            _ => self.named(&bytes),
        };
        if let Some(file) = self.files.get_mut(self.at) {
            file.form = form;
        }
        self.next();
        None
    }

    /// A file that names regions, or half of another.
    fn named(&mut self, bytes: &[u8]) -> FormFound {
        let Some(file) = self.files.get(self.at) else { return FormFound::Other };
        if let Some(region) = region_info(bytes) {
            if !file.at.region.is_empty() {
                self.of_regions.insert(file.at.region.clone(), region.table.clone());
            }
            self.add_regions(vec![region], "regioninfo");
            return FormFound::RegionInfo;
        }
        if let Some(half) = reference(bytes) {
            if let Some(file) = self.files.get_mut(self.at) {
                file.halves = vec![half];
            }
            return FormFound::Reference;
        }
        if let Some((time, names)) = file_list(bytes).filter(|_| file.at.form == NameForm::FileList) {
            let store = (file.at.region.clone(), file.at.family.clone());
            let known = self.lists.entry(store).or_default();
            // The later one of two lists is true.
            if known.0 <= time {
                *known = (time, names.into_iter().collect());
            }
            return FormFound::FileList;
        }
        let is_manifest = file.at.form == NameForm::Manifest;
        if let Some(found) = manifest(bytes).filter(|_| is_manifest) {
            self.add_regions(found.regions, "manifest");
            return FormFound::Manifest;
        }
        if is_dump(bytes) { FormFound::Dump } else { FormFound::Other }
    }

    fn add_regions(&mut self, regions: Vec<RegionBorders>, from: &'static str) {
        for region in regions.into_iter().filter(|region| region.replica == 0) {
            if !self.regions.contains_key(&region.table) {
                self.regions.insert(region.table.clone(), (Vec::new(), from));
            }
            let Some((known, source)) = self.regions.get_mut(&region.table) else { continue };
            if known.len() as u64 >= REGIONS.most {
                continue;
            }
            // A manifest is of one moment; files lie there until they are cleaned away.
            if from == "manifest" {
                *source = from;
            }
            known.push(region);
        }
    }

    /// Reads what an HFile states.
    fn info(&mut self) -> Option<ObserveStep> {
        if self.files.get(self.at).is_some_and(|file| matches!(file.form, FormFound::Dump | FormFound::Gzip))
        {
            return self.dump();
        }
        let Some(file) = self.files.get(self.at).filter(|file| file.form == FormFound::HFile) else {
            self.next();
            return None;
        };
        let (size, memory) = (file.size, self.options.memory);
        let open = self.open.get_or_insert_with(|| StoreFile::new(false, size, memory));
        match open.open() {
            Ok(FileStep::Need(range)) => return Some(ObserveStep::Need(self.at, range)),
            Ok(_) => {
                let (info, data_bytes) = (open.info().cloned(), open.data_bytes());
                if let Some(file) = self.files.get_mut(self.at) {
                    (file.info, file.data_bytes) = (info, data_bytes);
                }
            }
            Err(problem) => self.leave(self.at, problem),
        }
        self.next();
        None
    }

    /// Reads a dump, some of it at a time.
    fn dump(&mut self) -> Option<ObserveStep> {
        let file = self.files.get(self.at)?;
        let (size, form) = (file.size, file.form);
        let mut dump = self.dump.take().unwrap_or_else(|| {
            DumpFile::new(
                DumpReader::new(&file.path, file.changed, &mut self.history),
                form == FormFound::Gzip,
            )
        });
        if let Some((_, bytes)) = self.given.take() {
            let is_whole = bytes.len() as u64 == size.saturating_sub(dump.at).min(CHUNK);
            dump.at = if is_whole { dump.at + bytes.len() as u64 } else { size };
            if let Err(problem) = dump.push(&bytes, &mut self.history) {
                self.leave(self.at, problem);
                dump.at = size;
            }
            if dump.at < size {
                self.dump = Some(dump);
                return Some(ObserveStep::Progress(self.read, self.wanted()));
            }
        }
        if dump.at < size {
            let range = dump.at..size.min(dump.at + CHUNK);
            self.dump = Some(dump);
            return Some(ObserveStep::Need(self.at, range));
        }
        let ended = dump.finish(&mut self.history);
        let borders = std::mem::take(&mut dump.reader.borders);
        self.history.place(&borders);
        self.add_regions(borders, "shell");
        let is_read = !dump.reader.forms.is_empty();
        if let Some(file) = self.files.get_mut(self.at) {
            file.counts = is_read;
            if !is_read && ended.is_ok() {
                file.form = FormFound::Other;
            }
        }
        if let Err(problem) = ended {
            self.leave(self.at, problem);
        }
        self.next();
        None
    }

    /// The table that a file is of.
    pub(super) fn table_of(&self, file: &Named) -> String {
        self.of_regions.get(&file.at.region).cloned().unwrap_or_else(|| file.at.table.clone())
    }

    fn is_wanted(&self, table: &str) -> bool {
        match &self.options.table {
            Some(wanted) => table == wanted || table.is_empty(),
            None => !table.starts_with("hbase:"),
        }
    }

    /// Decides which files count.
    fn choose(&mut self) {
        let borders: Vec<_> = self.regions.values().flat_map(|(regions, _)| regions.clone()).collect();
        self.history.place(&borders);
        self.history.settle();
        for table in self.history.tables() {
            if !self.regions.contains_key(&table) {
                let regions = self.history.borders(&table);
                self.add_regions(regions, "dumps");
            }
        }
        // Files that a compaction read stay for minutes beside the one it wrote.
        let mut replaced: HashSet<(String, String, String)> = HashSet::new();
        for file in &self.files {
            for name in file.info.iter().flat_map(|info| &info.compacted) {
                replaced.insert((file.at.region.clone(), file.at.family.clone(), name.clone()));
            }
        }
        // Halves, by region, family and name of the file they stand for.
        let mut halves: HashMap<(String, String, String), Vec<Reference>> = HashMap::new();
        let mut missing = Vec::new();
        let known: HashSet<&str> = self
            .files
            .iter()
            .filter(|file| file.form == FormFound::HFile)
            .map(|file| file.at.name.as_str())
            .collect();
        for (at, file) in self.files.iter().enumerate() {
            match &file.at.form {
                NameForm::Reference(name, region) if file.form == FormFound::Reference => {
                    if !known.contains(name.as_str()) {
                        missing.push((at, name.clone()));
                    }
                    let of = (region.clone(), file.at.family.clone(), name.clone());
                    halves.entry(of).or_default().extend(file.halves.iter().cloned());
                }
                NameForm::Link(name, _) if file.form == FormFound::Link && !known.contains(name.as_str()) => {
                    missing.push((at, name.clone()));
                }
                _ => {}
            }
        }
        for (at, name) in missing {
            self.leave(at, Problem::new("observe.refers").with("name", name));
        }
        let mut twice: HashSet<(String, u64)> = HashSet::new();
        for at in 0..self.files.len() {
            let Some(file) = self.files.get(at) else { continue };
            let table = self.table_of(file);
            let key = (file.at.region.clone(), file.at.family.clone(), file.at.name.clone());
            let is_content = matches!(file.form, FormFound::HFile | FormFound::Wal) && file.problem.is_none();
            let is_wanted = file.form == FormFound::Wal || self.is_wanted(&table);
            let list = self.lists.get(&(file.at.region.clone(), file.at.family.clone()));
            let is_listed = list.is_none_or(|(_, names)| names.contains(&file.at.name));
            let problem = if is_content && is_wanted && replaced.contains(&key) {
                Some(Problem::new("observe.replaced"))
            } else if is_content && is_wanted && file.form == FormFound::HFile && !is_listed {
                Some(Problem::new("observe.not-listed"))
            } else if is_content
                && is_wanted
                && file.at.name.len() >= 32
                && !twice.insert((file.at.name.clone(), file.size))
            {
                Some(Problem::new("observe.twice"))
            } else {
                None
            };
            let found = halves.remove(&key).unwrap_or_default();
            if let Some(file) = self.files.get_mut(at) {
                let is_dump = matches!(file.form, FormFound::Dump | FormFound::Gzip);
                file.counts = is_dump && file.counts || is_content && is_wanted && problem.is_none();
                if file.form == FormFound::HFile {
                    file.halves = found;
                }
                file.problem = file.problem.take().or(problem);
            }
        }
        for (regions, _) in self.regions.values_mut() {
            *regions = live(std::mem::take(regions));
        }
        // Files of one store can hold the same cell.
        let of_cells = |file: &&Named| file.counts && file.form == FormFound::HFile;
        let (files, cells) = self.files.iter().filter(of_cells).fold((0, 0u64), |(files, cells), file| {
            (files + 1, cells + file.info.as_ref().map_or(0, |info| info.cells))
        });
        let fits = cells <= REMEMBERED as u64 && cells * 16 <= self.options.memory / 2;
        self.cells = (files > 1 && fits && self.options.depth == Depth::All).then(MixSet::default);
    }

    /// Reads the cells or the index of a file.
    fn content(&mut self) -> Option<ObserveStep> {
        let is_content =
            |file: &&Named| file.counts && matches!(file.form, FormFound::HFile | FormFound::Wal);
        let Some(file) = self.files.get(self.at).filter(is_content) else {
            self.next();
            return None;
        };
        let is_log = file.form == FormFound::Wal;
        let (size, memory) = (file.size, self.options.memory);
        let all = is_log || self.options.depth == Depth::All;
        let table = self.table_of(file);
        let halves = file.halves.clone();
        let mut open = match self.open.take() {
            Some(open) => open,
            None => {
                if !is_log {
                    self.begin(&table);
                }
                StoreFile::new(is_log, size, memory)
            }
        };
        let mut sink = Reading {
            tables: &mut self.tables,
            regions: &mut self.regions,
            options: &self.options,
            cells: self.cells.as_mut(),
            halves: &halves,
            current: None,
        };
        if !is_log {
            sink.of_hfile(&table);
        }
        let step = match open.open() {
            Ok(FileStep::End) if all => open.cells(&mut sink, &mut self.seen),
            Ok(FileStep::End) => open.index(&mut sink),
            step => step,
        };
        sink.end();
        match step {
            Ok(FileStep::Need(range)) => {
                self.open = Some(open);
                return Some(ObserveStep::Need(self.at, range));
            }
            Ok(FileStep::More) => {
                self.open = Some(open);
                return Some(ObserveStep::Progress(self.read, self.wanted()));
            }
            Ok(FileStep::End) => self.end(&table, &open, is_log),
            Err(problem) => self.leave(self.at, problem),
        }
        self.next();
        None
    }

    /// Bytes that will be read in all, about.
    fn wanted(&self) -> u64 {
        let all = self.options.depth == Depth::All;
        let of = |file: &Named| match file.form {
            FormFound::Wal => file.size,
            FormFound::HFile if all => file.data_bytes,
            FormFound::Dump | FormFound::Gzip => file.size,
            _ => 0,
        };
        let is_read = |file: &&Named| file.counts || matches!(file.form, FormFound::Dump | FormFound::Gzip);
        self.files.iter().filter(is_read).map(of).sum::<u64>().max(self.read)
    }

    fn begin(&mut self, table: &str) {
        let borders = self
            .regions
            .get(table)
            .map(|(regions, _)| regions.iter().map(|region| region.start.clone()).collect());
        let memory = self.options.memory;
        if !self.tables.contains_key(table) {
            self.tables.insert(table.to_owned(), TableRead::new(memory, borders.unwrap_or_default()));
        }
        let Some(read) = self.tables.get_mut(table) else { return };
        read.has_files = true;
        read.has_index |= self.options.depth == Depth::Index;
    }

    /// Notes what a file has shown once it was read.
    fn end(&mut self, table: &str, open: &StoreFile, is_log: bool) {
        if is_log {
            for read in self.tables.values_mut().filter(|read| read.has_logs) {
                read.torn += open.torn();
            }
            return;
        }
        let Some(file) = self.files.get(self.at) else { return };
        let Some(read) = self.tables.get_mut(table) else { return };
        let Some(info) = &file.info else { return };
        read.bulk_files += u64::from(info.bulk_loaded.is_some());
        read.mob_files += u64::from(info.is_mob);
        read.overwritten |= info.major;
        let family = info.family.clone().unwrap_or_else(|| file.at.family.clone().into_bytes());
        let Some(of) = read.family(&family) else { return };
        of.files += 1;
        of.stored += file.size;
        if self.options.depth == Depth::Index {
            of.cells += info.cells;
        }
        for (list, name) in
            [(&mut of.encodings, info.encoding.as_str()), (&mut of.compressions, info.compression)]
        {
            if !list.iter().any(|known| known == name) {
                list.push(name.to_owned());
            }
        }
    }

    /// The answer so far.
    pub fn answer(&self) -> ObservedTables {
        self.of_tables(&|name, read| self.table(name, read, Vec::new()))
    }

    /// The same, with the keys of the table that a design is of decoded by it.
    #[cfg(feature = "cli")]
    pub fn answer_by(&self, design: ObservedDesign<'_>) -> ObservedTables {
        self.of_tables(&|name, read| {
            let is_own = design.is_of(name);
            let mut table = self.table(name, read, if is_own { design.points() } else { Vec::new() });
            if is_own && !matches!(table.source, "index" | "counters") {
                table.design = Some(design.keys(&table, &read.tally.view()));
                table.headline = headline(&table);
            }
            table
        })
    }

    fn of_tables(&self, of: &dyn Fn(&str, &TableRead) -> ObservedTable) -> ObservedTables {
        let mut tables: Vec<ObservedTable> = self.tables.iter().map(|(name, read)| of(name, read)).collect();
        let none = TableRead::new(0, Vec::new());
        let counted = self.history.tables();
        let others = counted.iter().filter(|name| self.is_wanted(name) && !self.tables.contains_key(*name));
        tables.extend(others.map(|name| of(name, &none)));
        sort_by(&mut tables, |a, b| {
            let requests = |table: &ObservedTable| table.requests.as_ref().map(|found| found.counts.requests);
            let figures = |table: &ObservedTable| (table.counts.cells, table.counts.bytes, requests(table));
            figures(b).cmp(&figures(a))
        });
        let mut kinds: Map<&str, u64> = Map::new();
        for file in &self.files {
            let name = file.form.name();
            kinds.insert(name, kinds.get(name).copied().unwrap_or_default() + 1);
        }
        let mut files: Vec<FileObserved> = self.files.iter().map(observed).collect();
        sort_by_key(&mut files, |file| file.problem.is_none());
        files.truncate(FILES);
        let unread = match self.options.depth {
            Depth::All => 0,
            Depth::Index => {
                let hfiles = self.files.iter().filter(|file| file.counts && file.form == FormFound::HFile);
                hfiles.map(|file| file.data_bytes).sum()
            }
        };
        let kinds = kinds.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect();
        ObservedTables { tables, files, kinds, unread }
    }
}

fn observed(file: &Named) -> FileObserved {
    FileObserved {
        path: file.path.clone(),
        bytes: file.size,
        kind: file.form.name(),
        counted: file.counts,
        problem: file.problem.clone(),
    }
}
