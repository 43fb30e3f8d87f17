//! Commands of HBase's shell that split and merge regions.

use super::names::comment;
use super::scans;
use super::shell::text;
use crate::base::Problem;
use crate::bytes::row::from_string_binary;
use crate::hbase::existing::{ExistingRegion, ExistingTable, ReshapeAction, ReshapeStep, TableAct};
use std::fmt::Write;

/// Finds the name of a region that was made on the way. Java's own calls, as `locate_region` garbles bytes above 7F.
const LOOK_UP: &str = "\
admin = org.apache.hadoop.hbase.client.ConnectionFactory.createConnection(@hbase.configuration).getAdmin
bytes = org.apache.hadoop.hbase.util.Bytes
region_at = ->(table, start) { admin.getRegions(org.apache.hadoop.hbase.TableName.valueOf(table)).find { |one| bytes.toStringBinary(one.getStartKey) == start }.getEncodedName }
";

/// Commands that do the steps from one way of splitting a table to another, round by round. Merges name the regions they know from
/// `regions`, as they are, by their encoded names, and look up the others.
pub fn reshape_commands(table: &str, steps: &[ReshapeStep], regions: &[ExistingRegion]) -> String {
    let mut lines = String::new();
    let mut round = 0;
    let mut looked = false;
    for step in steps {
        if step.round != round {
            round = step.round;
            let code = if round > 1 { "emit.next-round" } else { "emit.round" };
            let gap = if round > 1 { "\n" } else { "" };
            lines += gap;
            lines += &comment("# ", &Problem::new(code).with("round", round).sentence());
        }
        if step.action == ReshapeAction::Split {
            let at = step.at.first().map(|row| row_text(row)).unwrap_or_default();
            let _ = writeln!(lines, "split {}, {at}", text(table));
            continue;
        }
        let starts = || std::iter::once(&step.start).chain(&step.at);
        let stops = step.at.iter().chain(std::iter::once(&step.stop));
        let mut names = Vec::new();
        for (start, stop) in starts().zip(stops) {
            let known = regions.iter().find(|region| (&region.start, &region.stop) == (start, stop));
            names.push(match known.and_then(|region| region.encoded.as_deref()) {
                Some(name) => text(name),
                None => {
                    if !looked {
                        lines.push_str(LOOK_UP);
                    }
                    looked = true;
                    format!("region_at.call({}, {})", text(table), text(start))
                }
            });
        }
        let _ = writeln!(lines, "merge_region {}", names.join(", "));
    }
    lines
}

/// A row as `split`, `put` and `scan` take it. `\xNN` needs double quotes: in single quotes these commands take it for four
/// characters. (`SPLITS` of `create` is the other way about.)
fn row_text(row: &str) -> String {
    match from_string_binary(row) {
        Ok(bytes) if row.contains("\\x") => scans::row(&bytes),
        _ => text(row),
    }
}

/// Precedes all commands on a table in use.
const ACTS: &str =
    "One step at a time, and only while the load is as it was observed; look at list_regions after each.";
/// The condition, the cost and the undo of a command.
const SPLIT: &str = "Not while the region still refers to files of a parent. Both halves are compacted afterwards. Undo: merge_region of the two.";
/// See [`SPLIT`].
const MOVE: &str = "The region is closed for a moment. The balancer may move it back: balance_switch false before, balance_switch true afterwards. Undo: move it to its former server.";
/// See [`SPLIT`].
const MERGE: &str = "Not if they were split for rows to come. Both are compacted afterwards. Undo: split at the start key of the second.";

/// Commands that even out the load of a table: splits where HBase finds the middle, moves, merges of regions that hold nothing.
pub fn act_commands(table: &ExistingTable, acts: &[TableAct]) -> String {
    let named = |region: usize| {
        let region = table.regions.get(region);
        let start = region.map(|region| region.start.as_str()).unwrap_or_default();
        let encoded = region.and_then(|region| region.encoded.as_deref());
        encoded.map_or_else(|| format!("region_at.call({}, {})", text(&table.name), text(start)), text)
    };
    // Tables of HBase and Phoenix themselves are left alone.
    if acts.is_empty() || ["hbase:", "SYSTEM.", "SYSTEM:"].iter().any(|own| table.name.starts_with(own)) {
        return String::new();
    }
    let mut lines = vec![comment("# ", ACTS).trim_end().to_owned()];
    for act in acts {
        let (condition, command) = match act {
            TableAct::Split { region } => (SPLIT, format!("split {}", named(*region))),
            TableAct::Move { region, to } => (MOVE, format!("move {}, {}", named(*region), text(to))),
            TableAct::Merge { region } => {
                (MERGE, format!("merge_region {}, {}", named(*region), named(region + 1)))
            }
        };
        lines.push(comment("# ", condition).trim_end().to_owned());
        lines.push(command);
    }
    let looked = lines.iter().any(|line| line.contains("region_at.call("));
    let look_up = if looked { LOOK_UP } else { "" };
    lines.iter().fold(look_up.to_owned(), |text, line| text + line + "\n")
}
