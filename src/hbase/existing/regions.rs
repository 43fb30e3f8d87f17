//! Rows of `list_regions`, and names of regions.

use super::table::ExistingRegion;
use crate::base::Problem;
use crate::bytes::row::from_string_binary;

/// HBase prints seven.
const MOST_COLUMNS: usize = 100;

/// Where each column stands: its name and the bytes of a line that are its own.
#[derive(Debug)]
pub(crate) struct RegionColumns(Vec<(String, std::ops::Range<usize>)>);

/// `table,start,1795236285894.0347bc92e69407a43f18b66a484b9e08.`: the table, the start row and the encoded name.
pub(in crate::hbase) fn region_name(name: &str) -> Option<(&str, &str, &str)> {
    // Tables have no comma in their names, start rows may.
    let (table, rest) = name.split_once(',')?;
    let (start, tail) = rest.rsplit_once(',')?;
    let (time, encoded) = tail.strip_suffix('.')?.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    // `_0001` behind the time: a replica.
    let time = time.split('_').next().unwrap_or_default();
    (digits(time) && digits(encoded)).then_some((table, start, encoded))
}

/// A row of the table.
pub(crate) struct RegionRow {
    /// Full name of the region; `None` without the column REGION_NAME.
    pub name: Option<String>,
    pub region: ExistingRegion,
}

impl RegionRow {
    /// Name of its table; `None` without the column REGION_NAME.
    pub fn table(&self) -> Option<&str> {
        region_name(self.name.as_deref()?).map(|(table, ..)| table)
    }
}

impl RegionColumns {
    /// From the line of names. `None` when it is none.
    pub fn read(line: &str) -> Option<Self> {
        if !(line.contains("REGION_NAME |") || line.contains("START_KEY |")) {
            return None;
        }
        let mut columns = Vec::new();
        let mut from = 0;
        for (at, _) in line.match_indices('|').take(MOST_COLUMNS) {
            columns.push((line.get(from..at)?.trim().to_owned(), from..at));
            from = at + 1;
        }
        Some(Self(columns))
    }

    /// Takes the columns from a line of dashes, if it is one: the line of names has often lost the blanks in front of it.
    pub fn rule(&mut self, line: &str) -> bool {
        let is_rule = line.contains("--") && line.bytes().all(|byte| b"-| ".contains(&byte));
        if is_rule && line.matches('|').count() == self.0.len() {
            let mut from = 0;
            for ((at, _), (_, range)) in line.match_indices('|').zip(&mut self.0) {
                *range = from..at;
                from = at + 1;
            }
        }
        is_rule
    }

    /// A row in columns as wide as the names': split keys may hold the bar that stands between them.
    pub fn row(&self, line: &str) -> Result<RegionRow, Problem> {
        let misaligned = || Problem::new("existing.misaligned");
        // The first line of what is copied often lost the blank in front.
        let longest = self.0.last().map_or(0, |(_, range)| range.end);
        let line = if line.len() == longest { format!(" {line}") } else { line.to_owned() };
        let mut full = None;
        let mut region = ExistingRegion::default();
        let mut named = None;
        for (name, range) in &self.0 {
            if line.as_bytes().get(range.end) != Some(&b'|') {
                return Err(misaligned());
            }
            let value = line.get(range.clone()).ok_or_else(misaligned)?.trim();
            match name.as_str() {
                "SERVER_NAME" => region.server = Some(value.to_owned()).filter(|value| !value.is_empty()),
                "REGION_NAME" => {
                    let unreadable = || Problem::new("existing.region-name").with("found", value);
                    let (_, start, encoded) = region_name(value).ok_or_else(unreadable)?;
                    full = Some(value.to_owned());
                    region.encoded = Some(encoded.to_owned());
                    named = Some(start.to_owned());
                }
                "START_KEY" => region.start = value.to_owned(),
                "END_KEY" => region.stop = value.to_owned(),
                "SIZE" => region.megabytes = number(value)?,
                "REQ" => region.requests = number(value)?,
                _ => {}
            }
        }
        // The column is stripped of blanks; the name is not.
        region.start = named.unwrap_or(region.start);
        from_string_binary(&region.start)?;
        from_string_binary(&region.stop)?;
        Ok(RegionRow { name: full, region })
    }

    /// True if the rows tell where regions end.
    pub fn tell_ends(&self) -> bool {
        self.0.iter().any(|(name, _)| name == "END_KEY")
    }
}

/// A figure; `None` of an empty column.
fn number(text: &str) -> Result<Option<f64>, Problem> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = crate::records::field::float::read(text.as_bytes())
        .ok()
        .filter(|&number| number.is_finite() && number >= 0.0);
    let wrong = || Problem::new("existing.not-a-number").with("found", text);
    number.map(Some).ok_or_else(wrong)
}
