//! The bytes of a table, the regions for them and its growth: of its records where there are some, else of its design alone.

use super::report::{Report, said_all};
use super::retained::RetainedVersions;
use crate::base::Problem;
use crate::base::units::DAY;
use crate::design::split::SplitPoints;
use crate::design::{ASSUMED_SERVERS, Design, Document, Family, Growth, GrowthAmount};
use crate::hbase::outlook::{Outlook, OutlookNeed, arrivals_of, outlook};
use crate::hbase::sizing::{SharedFamily, Sizing, SizingNeed, bytes_at_most, shared_families, sizing};
use crate::hbase::storage::repeats::{NewRows, RowsAhead};
use crate::hbase::storage::stored::StoredFamilies;
use crate::hbase::storage::table::{KeyLengths, TableBytes, storage};
use serde_json::{Value, json};

/// Months to look ahead where the document does not say.
const MONTHS: u32 = 12;
/// Rows whose bytes are counted where neither records nor the document say how many there are.
const ROWS: u64 = 1_000_000;

/// A table of a document with the report on its records, where there are some.
#[derive(Clone, Copy)]
pub struct MeasuredTable<'a> {
    /// The document.
    pub study: &'a Document,
    /// The table of it.
    pub design: &'a Design,
    /// Where the records land; `None` without records.
    pub report: Option<&'a Report>,
    /// The versions that are left of them; `None` of records that are not all in memory.
    pub left: Option<&'a RetainedVersions>,
}

/// The bytes of a table, and the number of regions for them.
pub struct TableSize {
    /// Bytes of the rows.
    pub storage: TableBytes,
    /// Families that share their regions with larger ones.
    pub families: Vec<SharedFamily>,
    /// The versions that are left of the records.
    pub versions: Option<RetainedVersions>,
    /// Regions after the growth of the table, how it grows, and rows of records that repeat row keys; `None` where no growth is known.
    pub sizing: Option<(Sizing, Growth, Option<RowsAhead>)>,
}

impl MeasuredTable<'_> {
    /// Lengths of row keys: measured, else those of the formula.
    pub fn lengths(&self) -> KeyLengths {
        let keys = self.report.map(|report| &report.keys).filter(|keys| keys.count > 0);
        keys.map_or_else(|| self.design.typed.shape.width.into(), Into::into)
    }

    /// Regions that the table is created with.
    ///
    /// # Errors
    /// `split.needs-records` without those; split points that HBase would reject.
    pub fn regions(&self) -> Result<u32, Problem> {
        let regions = match self.report {
            Some(report) => report.region_count,
            None => self.design.splits.points().as_ref().map(SplitPoints::regions).map_err(Clone::clone)?,
        };
        Ok(u32::try_from(regions).unwrap_or(u32::MAX))
    }

    /// Region servers.
    pub fn servers(&self) -> u32 {
        self.design.servers.unwrap_or(ASSUMED_SERVERS)
    }

    /// How the table grows: as the document says, else at the pace of the records.
    ///
    /// # Errors
    /// `growth.unknown` where neither shows it.
    pub fn growth(&self) -> Result<Growth, Problem> {
        if let Some(growth) = self.study.growth {
            return Ok(growth);
        }
        let of_records = self.report.and_then(|report| {
            let time = report.time.as_ref()?;
            let days = time.step * f64::from(time.buckets) / DAY as f64;
            (days > 0.0).then(|| (report.keys.count as f64 / days).round().max(1.0) as u64)
        });
        let per_day = of_records.ok_or_else(|| Problem::new("growth.unknown"))?;
        Ok(Growth { amount: GrowthAmount::Rows, now: 0, per_day, months: MONTHS, arrivals: None })
    }

    /// Rows with a key, else those after the growth of the document, else a million.
    fn rows(&self) -> u64 {
        if let Some(report) = self.report.filter(|report| report.keys.count > 0) {
            return report.keys.count;
        }
        let grown = self.study.growth.filter(|growth| growth.amount == GrowthAmount::Rows);
        grown.map_or(ROWS, |growth| growth.after(growth.days()))
    }

    /// The versions that remain of the records and the cells that they are of, by family; empty where they are not counted.
    fn versions(&self) -> Vec<[u64; 2]> {
        let Some(left) = self.left else { return Vec::new() };
        let of = |family: &Family| {
            let counted = left.families.iter().find(|counted| counted.name == family.name);
            counted.map_or([0, 0], |counted| [counted.left, counted.cells])
        };
        self.design.families.iter().map(of).collect()
    }

    /// The bytes of so many rows, and the regions for the growth of the table. Without `rows`: those with a key, else those after the
    /// growth of the document, else a million.
    ///
    /// # Errors
    /// `storage.too-many-rows`.
    pub fn size(&self, rows: Option<u64>) -> Result<TableSize, Problem> {
        let rows = rows.unwrap_or_else(|| self.rows());
        let (lengths, cluster) = (self.lengths(), self.study.cluster.unwrap_or_default());
        let versions = self.versions();
        let stored = StoredFamilies { versions: &versions, ..self.design.into() };
        let storage = storage(stored, &lengths, rows);
        if storage.total == u64::MAX {
            return Err(Problem::new("storage.too-many-rows").with("rows", rows));
        }
        let sizing = self.growth().ok().map(|growth| {
            let bytes = bytes_at_most(&growth, self.design, &lengths);
            let found = sizing(&SizingNeed { bytes, servers: self.servers(), cluster });
            let in_rows = growth.amount == GrowthAmount::Rows;
            let new = NewRows::of(&lengths).filter(|_| in_rows);
            (found, growth, new.map(|new| new.ahead(growth.after(growth.days()))))
        });
        let regions = self.regions().unwrap_or(1).into();
        let families = shared_families(&storage, regions, &cluster);
        Ok(TableSize { storage, families, versions: self.left.cloned(), sizing })
    }

    /// Months of the table's life, day by day.
    ///
    /// # Errors
    /// `growth.unknown`; errors of [`MeasuredTable::regions`] and of the simulation.
    pub fn outlook(&self) -> Result<Outlook, Vec<Problem>> {
        let growth = self.growth().map_err(|problem| vec![problem])?;
        outlook(&OutlookNeed {
            design: self.design,
            keys: self.lengths(),
            growth,
            arrivals: arrivals_of(self.study, self.design),
            cluster: self.study.cluster.unwrap_or_default(),
            servers: self.servers(),
            regions: self.regions().map_err(|problem| vec![problem])?,
        })
    }
}

impl TableSize {
    /// As JSON: `storage`, `families`, `versions` and `sizing`.
    pub fn json(&self) -> Value {
        let mut storage = json!(self.storage);
        storage["problems"] = said_all(&self.storage.problems);
        let sizing = self.sizing.as_ref().map(|(found, _, ahead)| {
            json!({
                "bytes": found.bytes,
                "suggested": found.suggested,
                "bearable": found.bearable,
                "rules": found.rules,
                "rows": ahead,
            })
        });
        json!({ "storage": storage, "families": self.families, "versions": self.versions, "sizing": sizing })
    }
}
