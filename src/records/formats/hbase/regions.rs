//! Where regions begin and end: `.regioninfo`, the manifest of a snapshot, and references of a split.

use super::message::{MARK, delimited, fields, marked};

/// A region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionBorders {
    /// The table, with its namespace unless that is the default one.
    pub table: String,
    /// First row of the region; empty for the first region.
    pub start: Vec<u8>,
    /// First row behind the region; empty for the last.
    pub end: Vec<u8>,
    /// When it was created, milliseconds since the epoch.
    pub id: u64,
    /// True if its rows are in its daughters.
    pub is_split: bool,
    /// Number of the replica; 0 for the region itself.
    pub replica: u64,
}

/// A store file as a manifest names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFile {
    /// The region that it belongs to, as a place in the list of regions.
    pub region: usize,
    /// The column family.
    pub family: String,
    /// File name, without the folder.
    pub name: String,
    /// Length in bytes.
    pub bytes: u64,
}

/// The manifest of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The regions of the table.
    pub regions: Vec<RegionBorders>,
    /// The store files of all regions.
    pub files: Vec<ManifestFile>,
}

/// A file of the daughter of a split that stands for a half of a file of its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// First row of the upper half.
    pub row: Vec<u8>,
    /// True for the upper half.
    pub is_upper: bool,
}

/// The region of a `.regioninfo` file. `None` for anything else.
pub fn region_info(bytes: &[u8]) -> Option<RegionBorders> {
    region(marked(bytes)?)
}

/// A region as a message.
fn region(message: &[u8]) -> Option<RegionBorders> {
    let mut found = RegionBorders::default();
    let mut table = None;
    fields(message, |number, value| match number {
        1 => found.id = value.number(),
        2 => table = table_name(value.bytes()),
        3 => found.start = value.bytes().to_vec(),
        4 => found.end = value.bytes().to_vec(),
        6 => found.is_split = value.is_true(),
        7 => found.replica = value.number(),
        _ => {}
    })?;
    found.table = table?;
    Some(found)
}

/// The name of a table, with its namespace unless that is the default one.
fn table_name(message: &[u8]) -> Option<String> {
    let (mut namespace, mut name) = (String::new(), String::new());
    fields(message, |number, value| {
        let text = String::from_utf8_lossy(value.bytes()).into_owned();
        match number {
            1 => namespace = text,
            2 => name = text,
            _ => {}
        }
    })?;
    if name.is_empty() {
        return None;
    }
    Some(if matches!(namespace.as_str(), "" | "default") { name } else { format!("{namespace}:{name}") })
}

/// The manifest of a snapshot. `None` for anything else.
pub fn manifest(bytes: &[u8]) -> Option<Manifest> {
    let mut found = Manifest::default();
    let mut is_sound = true;
    fields(bytes, |number, value| {
        if number == 2 {
            is_sound &= region_manifest(value.bytes(), &mut found).is_some();
        }
    })?;
    (is_sound && !found.regions.is_empty()).then_some(found)
}

fn region_manifest(message: &[u8], found: &mut Manifest) -> Option<()> {
    let place = found.regions.len();
    let (mut info, mut families) = (None, Vec::new());
    fields(message, |number, value| match number {
        2 => info = region(value.bytes()),
        3 => families.push(value.bytes()),
        _ => {}
    })?;
    found.regions.push(info?);
    for message in families {
        let (mut family, mut files) = (String::new(), Vec::new());
        fields(message, |number, value| match number {
            1 => family = String::from_utf8_lossy(value.bytes()).into_owned(),
            2 => files.push(value.bytes()),
            _ => {}
        })?;
        for message in files {
            let (mut name, mut bytes) = (String::new(), 0);
            fields(message, |number, value| match number {
                1 => name = String::from_utf8_lossy(value.bytes()).into_owned(),
                3 => bytes = value.number(),
                _ => {}
            })?;
            found.files.push(ManifestFile { region: place, family: family.clone(), name, bytes });
        }
    }
    Some(())
}

/// The store files that a `.filelist` names, and when it was written. `None` for anything else.
pub fn file_list(bytes: &[u8]) -> Option<(u64, Vec<String>)> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (message, sum) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
    let mut crc = flate2::Crc::new();
    crc.update(message);
    (crc.sum().to_be_bytes() == sum).then_some(())?;
    let (mut time, mut names, mut is_sound) = (0, Vec::new(), true);
    fields(message, |number, value| match number {
        1 => time = value.number(),
        2 => {
            let read = fields(value.bytes(), |number, value| {
                if number == 1 {
                    names.push(String::from_utf8_lossy(value.bytes()).into_owned());
                }
            });
            is_sound &= read.is_some();
        }
        _ => {}
    })?;
    is_sound.then_some((time, names))
}

/// The reference that a file is. `None` for anything else.
pub fn reference(bytes: &[u8]) -> Option<Reference> {
    let (message, length) = delimited(bytes.strip_prefix(MARK)?)?;
    (MARK.len() + length == bytes.len()).then_some(())?;
    let (mut key, mut range) = (None, None);
    fields(message, |number, value| match number {
        1 => key = Some(value.bytes()),
        2 => range = Some(value.number()),
        _ => {}
    })?;
    // The key is that of a first cell of a row.
    let (length, rest) = key?.split_first_chunk::<2>()?;
    let row = rest.get(..usize::from(u16::from_be_bytes(*length)))?;
    Some(Reference { row: row.to_vec(), is_upper: range? == 0 })
}
