//! Counters of regions, as dumps report them over time.

use super::names::{RegionName, encoded_of};
use crate::base::units::HOUR;
use crate::bytes::sort::sort_by;
use crate::records::formats::hbase::regions::RegionBorders;
use std::collections::{HashMap, HashSet};

/// Bytes of a region in memory with the names by which it is found, about.
const REGION: u64 = 512;
/// Timestamp of a dump without one, before all others.
const UNTIMED: i64 = i64::MIN / 4;
/// Bytes of the counters of a region in a dump, in memory.
const KEPT: u64 = size_of::<Kept>() as u64;

/// Source of counters. Those of one origin only grow while a region stays where it is; those of two must not be subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Requests per second, as `hbtop` prints them.
    Rates,
    /// Reads and writes in one number, as `list_regions` prints them.
    Totals,
    /// Counters that the master has from heartbeats, up to 3 s old.
    Master,
    /// Counters of a region server itself.
    Server,
}

impl Origin {
    /// All of them, the best last.
    pub const ALL: [Self; 4] = [Self::Rates, Self::Totals, Self::Master, Self::Server];
}

/// Counters of a region in a dump, as they are kept.
#[derive(Clone, Copy, Debug)]
struct Kept {
    dump: u32,
    server: u32,
    reads: u64,
    writes: u64,
    /// Bytes of store files; [`UNKNOWN`] where the dump does not say it.
    size: u64,
}

/// Counters of a region at a time.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Milliseconds since the epoch.
    pub time: i64,
    /// The server, by its number; [`NOWHERE`] where the dump does not say it.
    pub server: u32,
    pub figures: Figures,
}

/// No size.
const UNKNOWN: u64 = u64::MAX;
/// No server.
pub const NOWHERE: u32 = u32::MAX;

/// A region that dumps have named.
#[derive(Clone, Debug, Default)]
pub struct RegionSeen {
    /// Table name; empty if unknown.
    pub table: String,
    /// Start key; `None` if unknown.
    pub start: Option<Vec<u8>>,
    /// Creation time, milliseconds since the epoch; 0 if unknown.
    pub id: u64,
    pub replica: u16,
    pub encoded: String,
    kept: Vec<Kept>,
}

impl RegionSeen {
    /// True if a dump has figures of it.
    pub fn has_counters(&self) -> bool {
        !self.kept.is_empty()
    }

    /// The dumps that have figures of it.
    pub fn dumps(&self) -> impl Iterator<Item = u32> {
        self.kept.iter().map(|kept| kept.dump)
    }
}

/// A server: its host and port, and when it was started, where that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ServerSeen {
    /// `host:port`.
    pub address: String,
    /// Start code, milliseconds since the epoch; 0 if unknown.
    pub started: u64,
}

impl ServerSeen {
    /// `host,port,start`, `host:port` or `host:port start`.
    pub fn read(text: &str) -> Self {
        let mut parts = text.trim().split([',', ' ']).filter(|part| !part.is_empty());
        let host = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        let (port, started) = match rest.as_slice() {
            [port, started, ..] => (Some(*port), *started),
            [one] if host.contains(':') => (None, *one),
            [one] => (Some(*one), ""),
            [] => (None, ""),
        };
        let address = port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Self { address, started: started.parse().unwrap_or_default() }
    }
}

/// A dump, or a part of one that has a time of its own.
#[derive(Clone, Copy, Debug)]
pub struct DumpSeen {
    /// Milliseconds since the epoch.
    pub time: i64,
    pub origin: Origin,
    /// The document or command that it is a part of: with the others of that, it has the regions of all servers. `None` where it has those of one server.
    pub whole: Option<u32>,
    /// Where the time is from.
    pub told: TimeTold,
    /// The folder of its file, by its number.
    pub folder: u32,
    /// False for a dump without a timestamp that a later one replaces.
    pub counts: bool,
    /// True for the first round of `hbtop`, which knows no rates yet.
    pub begins: bool,
}

/// Where the time of a dump is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeTold {
    /// The dump itself, a line before it, or the name of its file.
    ByDump,
    /// The last change of its file, at this time: a copy may have another.
    ByChange(i64),
}

/// When a dump was made, and where that is from.
#[derive(Clone, Copy, Debug)]
pub struct DumpTime {
    /// Milliseconds since the epoch; `None` if unknown.
    pub at: Option<i64>,
    pub told: TimeTold,
}

impl DumpTime {
    /// The timestamp of the dump itself.
    pub const fn by_dump(at: i64) -> Self {
        Self { at: Some(at), told: TimeTold::ByDump }
    }
}

/// Counters over time.
#[derive(Debug, Default)]
pub struct History {
    pub regions: Vec<RegionSeen>,
    pub servers: Vec<ServerSeen>,
    pub dumps: Vec<DumpSeen>,
    names: HashMap<String, u32>,
    encoded: HashMap<String, u32>,
    addresses: HashMap<ServerSeen, u32>,
    /// Counters that are kept, of all regions.
    kept: u64,
    memory: u64,
    /// The only times of dumps that count: from the first to the second.
    times: Option<(i64, i64)>,
    wholes: u32,
    folders: HashMap<String, u32>,
    folder: u32,
    /// True if counters were left out for want of memory.
    pub is_thinned: bool,
    /// Regions beyond the limit.
    pub left_out: u64,
    /// Dumps omitted because they have no timestamp.
    pub untimed: u64,
    /// Regions that were split or merged away, by their encoded names.
    pub gone: HashSet<String>,
    /// First rows behind regions, by their encoded names.
    pub ends: HashMap<String, Vec<u8>>,
}

/// Figures of a region in a dump.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    pub reads: u64,
    pub writes: u64,
    /// Bytes of store files.
    pub size: Option<u64>,
}

impl Figures {
    /// Reads and writes.
    pub const fn requests(&self) -> u64 {
        self.reads.saturating_add(self.writes)
    }
}

impl History {
    /// In so many bytes, about.
    pub fn new(memory: u64) -> Self {
        Self { memory: memory.max(16 << 20), ..Self::default() }
    }

    /// Limited to these times.
    pub fn within(self, times: Option<(i64, i64)>) -> Self {
        Self { times, ..self }
    }

    /// Begins a dump. `whole`: the number that [`History::whole`] gave for the dump of all servers that it is a part of.
    pub fn dump(&mut self, time: DumpTime, origin: Origin, whole: Option<u32>) -> u32 {
        let DumpTime { at, told } = time;
        let folder = self.folder;
        self.dumps.push(DumpSeen {
            time: at.unwrap_or(UNTIMED),
            origin,
            whole,
            told,
            folder,
            counts: true,
            begins: false,
        });
        (self.dumps.len() - 1) as u32
    }

    /// Bytes that it may take, about.
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// A number for a dump of all servers.
    pub const fn whole(&mut self) -> Option<u32> {
        self.wholes += 1;
        Some(self.wholes)
    }

    /// Begins a file.
    pub fn file(&mut self, path: &str) {
        let folder = path.rfind(['/', '\\']).and_then(|at| path.get(..at)).unwrap_or_default();
        let next = self.folders.len() as u32;
        self.folder = *self.folders.entry(folder.to_owned()).or_insert(next);
    }

    /// The number of a server.
    pub fn server(&mut self, server: ServerSeen) -> u32 {
        if server.address.is_empty() {
            return NOWHERE;
        }
        if let Some(&known) = self.addresses.get(&server) {
            return known;
        }
        let number = self.servers.len() as u32;
        self.servers.push(server.clone());
        self.addresses.insert(server, number);
        number
    }

    /// The region of a name as it is written, which `read` takes apart; `None` where it is none.
    pub fn named(&mut self, text: &str, read: impl FnOnce(&str) -> Option<RegionName>) -> Option<u32> {
        if let Some(&known) = self.names.get(text) {
            return Some(known);
        }
        let number = self.region(read(text)?)?;
        self.names.insert(text.to_owned(), number);
        Some(number)
    }

    /// The region of a name.
    pub fn region(&mut self, name: RegionName) -> Option<u32> {
        let start = name.is_whole.then_some(name.start);
        let encoded = match name.encoded.is_empty() {
            // The name without a hash is all that distinguishes it.
            true => format!("{} {:?} {} {}", name.table, start, name.id, name.replica),
            false => name.encoded,
        };
        let number = self.of_encoded(&encoded, &name.table)?;
        let known = self.regions.get_mut(number as usize)?;
        if known.start.is_none() && start.is_some() {
            // A table in the name of a metric was made lower case on the way.
            known.table = name.table;
            known.start = start;
        }
        known.id = known.id.max(name.id);
        known.replica = known.replica.max(name.replica);
        Some(number)
    }

    /// The region of an encoded name, of which no start row is known as yet.
    pub fn of_encoded(&mut self, encoded: &str, table: &str) -> Option<u32> {
        if let Some(&known) = self.encoded.get(encoded) {
            return Some(known);
        }
        if self.regions.len() as u64 * REGION > self.memory {
            self.left_out += 1;
            return None;
        }
        let number = self.regions.len() as u32;
        let (table, encoded) = (table.to_owned(), encoded.to_owned());
        self.encoded.insert(encoded.clone(), number);
        self.regions.push(RegionSeen { table, encoded, ..RegionSeen::default() });
        Some(number)
    }

    /// Notes the figures of a region in a dump.
    pub fn add(&mut self, region: u32, dump: u32, server: u32, figures: Figures) {
        let Some(&DumpSeen { time, origin, .. }) = self.dumps.get(dump as usize) else { return };
        let Some(seen) = self.regions.get_mut(region as usize) else { return };
        let Figures { reads, writes, size } = figures;
        if let Some(last) = seen.kept.last()
            && let Some(before) = self.dumps.get_mut(last.dump as usize)
            && (before.time, before.origin) == (time, origin)
            && last.dump != dump
        {
            if (last.reads, last.writes) == (reads, writes) {
                return;
            }
            // A file is as old as its end, so the later one of two counts at one time is of that time.
            self.untimed += u64::from(before.counts);
            before.counts = false;
        }
        seen.kept.push(Kept { dump, server, reads, writes, size: size.unwrap_or(UNKNOWN) });
        self.kept += 1;
        if self.kept * KEPT > self.memory {
            self.thin();
        }
    }

    /// Leaves out every second count, but those beside which a counter begins anew.
    fn thin(&mut self) {
        self.is_thinned = true;
        self.kept = 0;
        let origin = |one: &Kept| self.dumps.get(one.dump as usize).map(|dump| dump.origin);
        let is_anew = |a: &Kept, b: &Kept| {
            b.reads < a.reads || b.writes < a.writes || a.server != b.server || origin(a) != origin(b)
        };
        for region in &mut self.regions {
            let all = std::mem::take(&mut region.kept);
            let is_kept = |at: usize, one: &Kept| {
                let before = at.checked_sub(1).and_then(|before| all.get(before));
                let after = all.get(at + 1);
                at.is_multiple_of(2)
                    || after.is_none_or(|after| is_anew(one, after))
                    || before.is_some_and(|before| is_anew(before, one))
                    || origin(one) == Some(Origin::Rates)
            };
            let kept = all.iter().enumerate().filter(|&(at, one)| is_kept(at, one));
            region.kept = kept.map(|(_, one)| *one).collect();
            self.kept += region.kept.len() as u64;
        }
        // Where little could be left out, the next try waits for more.
        self.memory = self.memory.max(self.kept * KEPT / 2 * 3);
    }

    /// Counters of a region by one origin, in the order of their times.
    pub fn series(&self, region: &RegionSeen, origin: Origin) -> Vec<Point> {
        let mut points: Vec<Point> = Vec::new();
        for kept in &region.kept {
            let Some(dump) = self.dumps.get(kept.dump as usize) else { continue };
            if dump.origin != origin || !dump.counts || !self.is_within(dump.time) {
                continue;
            }
            let size = (kept.size != UNKNOWN).then_some(kept.size);
            let figures = Figures { reads: kept.reads, writes: kept.writes, size };
            points.push(Point { time: dump.time, server: kept.server, figures });
        }
        sort_by(&mut points, |a, b| {
            a.time.cmp(&b.time).then_with(|| a.figures.requests().cmp(&b.figures.requests()))
        });
        points
    }

    /// True of a time that counts.
    pub fn is_within(&self, time: i64) -> bool {
        self.times.is_none_or(|(since, until)| since <= time && time <= until)
    }

    /// Takes what borders say of regions that dumps have named.
    pub fn place(&mut self, borders: &[RegionBorders]) {
        for region in borders.iter().filter(|region| region.replica == 0) {
            let encoded = encoded_of(&region.table, &region.start, region.id);
            let known = self.encoded.get(&encoded).and_then(|&at| self.regions.get_mut(at as usize));
            let Some(known) = known else { continue };
            known.table.clone_from(&region.table);
            known.start = Some(region.start.clone());
            known.id = region.id;
            if region.is_split {
                self.gone.insert(encoded.clone());
            }
            self.ends.insert(encoded, region.end.clone());
        }
    }

    /// Corrects timestamps: copying changes modification times, so a file far from the timestamps of its folder takes the last of these.
    /// Only the last dump without a timestamp counts, and only if its origin has no other.
    pub fn settle(&mut self) {
        let mut ranges: HashMap<u32, (i64, i64)> = HashMap::new();
        for dump in &self.dumps {
            if dump.told == TimeTold::ByDump && dump.time > UNTIMED {
                let range = ranges.entry(dump.folder).or_insert((dump.time, dump.time));
                *range = (range.0.min(dump.time), range.1.max(dump.time));
            }
        }
        for dump in &mut self.dumps {
            if let TimeTold::ByChange(changed) = dump.told
                && let Some(&(first, last)) = ranges.get(&dump.folder)
                && !(first - HOUR..last + HOUR).contains(&changed)
            {
                dump.time = dump.time.saturating_add(last - changed);
            }
        }
        for origin in Origin::ALL {
            let of = |dump: &DumpSeen| dump.origin == origin && dump.counts;
            let timed = self.dumps.iter().any(|dump| of(dump) && dump.time > UNTIMED);
            let last = self.dumps.iter().rposition(of).filter(|_| !timed);
            for (at, dump) in self.dumps.iter_mut().enumerate() {
                if of(dump) && dump.time == UNTIMED && last != Some(at) {
                    dump.counts = false;
                    self.untimed += 1;
                }
            }
        }
    }

    /// The name of a server for the shell, `host,port,start`; `None` where no dump has its start.
    pub fn server_name(&self, server: u32) -> Option<String> {
        let server = self.servers.get(server as usize).filter(|server| server.started > 0)?;
        let (host, port) = server.address.rsplit_once(':')?;
        Some(format!("{host},{port},{}", server.started))
    }

    /// The address of a server.
    pub fn address(&self, server: u32) -> Option<&str> {
        self.servers.get(server as usize).map(|server| server.address.as_str())
    }
}
