//! Rows of `scan 'hbase:meta'`.

use super::regions::region_name;
use super::table::ExistingRegion;
use crate::base::Problem;
use crate::bytes::row::from_string_binary;
use crate::records::read::cells::ShellCell;

/// The facts about a region in one cell.
pub(crate) enum MetaEntry {
    /// Where it begins and ends.
    Region(ExistingRegion),
    /// The server that holds it.
    Server(String),
    /// It is no more: split, or merged away.
    Gone,
}

/// True if a cell is one of `hbase:meta`.
pub(super) fn is_of_meta(cell: &ShellCell) -> bool {
    region_name(cell.row.trim_end()).is_some()
        || cell.parts().is_some_and(|(column, ..)| column == "table:state")
}

/// The table, the encoded name of the region and what a cell tells of it; `None` when that is of no use here.
pub(crate) fn told(cell: &ShellCell) -> Result<Option<(String, String, MetaEntry)>, Problem> {
    let Some((table, start, encoded)) = region_name(cell.row.trim_end()) else { return Ok(None) };
    let told = |told: MetaEntry| Ok(Some((table.to_owned(), encoded.to_owned(), told)));
    let Some((column, _, rest)) = cell.parts() else { return Ok(None) };
    let Some(value) = rest.strip_prefix("value=") else { return Ok(None) };
    match column {
        "info:server" => told(MetaEntry::Server(value.to_owned())),
        "info:state" if matches!(value, "SPLIT" | "MERGED") => told(MetaEntry::Gone),
        "info:regioninfo" => {
            let cut = || Problem::new("existing.region-cut").with("found", &cell.row);
            let (_, end) = value.rsplit_once("ENDKEY => '").ok_or_else(cut)?;
            let (stop, flags) = end.rsplit_once('\'').ok_or_else(cut)?;
            if flags.contains("SPLIT => true") {
                return told(MetaEntry::Gone);
            }
            from_string_binary(start)?;
            from_string_binary(stop)?;
            told(MetaEntry::Region(ExistingRegion {
                start: start.to_owned(),
                stop: stop.to_owned(),
                encoded: Some(encoded.to_owned()),
                ..ExistingRegion::default()
            }))
        }
        _ => Ok(None),
    }
}
