//! Over how many regions the writes of a moment spread, from all rows or a sample of them.

use crate::analysis::report::Report;

/// The number of regions written at a time, with the error that a sample implies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WriteSpread {
    /// One over the chance that two rows of one moment lie in the same region: as many regions, evenly written, would
    /// give that chance. Of few rows, no more than there are regions.
    pub regions: f64,
    /// Two standard errors of it, when the rows are a small sample; as a part of 1.
    pub error: f64,
}

/// Over how many regions two rows of the same moment are spread. Pairs are counted, not shares squared, so that a sample
/// has no bias. `None` without time, without pairs, or when regions are so many that the report counts several as one.
pub fn at_once(report: &Report) -> Option<WriteSpread> {
    let buckets = usize::from(report.time.as_ref()?.buckets);
    if buckets == 0 || report.regions_per_heat_row > 1 {
        return None;
    }
    of_pairs(&report.heat, &report.moment_rows)
}

/// The same over the whole period, time or not.
pub fn over_all_time(report: &Report) -> Option<WriteSpread> {
    let whole = u32::try_from(report.keys.count).ok()?;
    let rows: Vec<u32> = report.regions.iter().map(|region| region.records).collect();
    if rows.len() < report.region_count {
        return None;
    }
    of_pairs(&rows, &[whole])
}

/// `cells`: rows by region and moment, region-major; `moments`: rows of each moment.
fn of_pairs(cells: &[u32], moments: &[u32]) -> Option<WriteSpread> {
    let pairs = |rows: u32| f64::from(rows) * (f64::from(rows) - 1.0);
    let all: f64 = moments.iter().map(|&rows| pairs(rows)).sum();
    let together: f64 = cells.iter().map(|&rows| pairs(rows)).sum();
    if all <= 0.0 || together <= 0.0 {
        return None;
    }
    let chance = together / all;
    // Each row's contribution to the variance (its first-order term), and the noise of single pairs.
    let mut squares = 0.0;
    for region in cells.chunks(moments.len()) {
        for (&rows, &moment) in region.iter().zip(moments) {
            let rows = f64::from(rows);
            let added = 2.0 * ((rows - 1.0) - chance * (f64::from(moment) - 1.0)) / all;
            squares += rows * added * added;
        }
    }
    let variance = squares + 2.0 * together / (all * all);
    let most = cells.len() as f64 / moments.len() as f64;
    Some(WriteSpread { regions: (1.0 / chance).min(most), error: 2.0 * variance.sqrt() / chance })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_rows_count_their_regions_and_rows_of_one_region_count_one() {
        let even = of_pairs(&[1000; 8], &[8000]).map(|spread| spread.regions);
        assert!(even.is_some_and(|regions| (regions - 8.0).abs() < 0.01), "{even:?}");
        let alone = of_pairs(&[50, 0, 0, 50], &[50, 50]).map(|spread| spread.regions);
        assert_eq!(alone, Some(1.0));
        let few = of_pairs(&[2, 2, 2, 1], &[7]).map(|spread| spread.regions);
        assert_eq!(few, Some(4.0), "pairs alone say 7 of 4");
        assert_eq!(of_pairs(&[1, 1], &[2]), None, "no two rows in one region");
        assert_eq!(of_pairs(&[], &[]), None);
    }
}
