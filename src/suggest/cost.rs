//! The cost of a query on a table: the mean over the values it is asked for, by the model of [`crate::scan::CostModel`].

use crate::scan::CountedWork;

/// Cost of a query on a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct QueryCost {
    /// Units of each draw.
    pub draws: Vec<f64>,
    /// The work of a draw, the mean; none where no query was planned.
    pub work: CountedWork,
    /// Share of the draws that read the whole table; none where no query was planned.
    pub full: f64,
    /// Share of the draws whose rows are sorted by who asks.
    pub sorted: f64,
    /// Units of the longest scan, the mean over draws.
    pub latency: f64,
    /// Regions touched, the mean.
    pub regions: f64,
    /// Blocks read, the mean.
    pub blocks: f64,
    /// Rows read, the mean.
    pub rows: f64,
    /// Requests to each server, the mean.
    pub servers: Vec<f64>,
}

impl QueryCost {
    /// The mean over draws.
    pub fn load(&self) -> f64 {
        self.draws.iter().sum::<f64>() / self.draws.len().max(1) as f64
    }

    /// The variance of the mean.
    pub fn variance(&self) -> f64 {
        let (count, mean) = (self.draws.len() as f64, self.load());
        let squares: f64 = self.draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum();
        if count > 1.0 { squares / (count - 1.0) / count } else { 0.0 }
    }
}
