//! The first part that differs follows time or not, counted on all rows.

use super::plain::{Plain, all_of, any_of, clear, luck};
use super::random_cases::{Of, Part};
use std::cmp::Ordering;
use std::collections::HashSet;

/// Rows from which the program looks at a sample.
const SAMPLED: usize = 2_048;

/// Truth about a part and time.
#[derive(Clone, Copy, Debug)]
pub struct Follows {
    /// It follows time.
    pub is: Option<bool>,
    /// It does so from one record to the next, with so many values that each lies in about one region.
    pub fills: Option<bool>,
    /// All records have one value of it, such as their day.
    pub is_constant: bool,
}

impl Plain<'_> {
    pub fn follows(&self) -> Follows {
        if self.begins_with_one_time() {
            return Follows { is: Some(true), fills: Some(false), is_constant: true };
        }
        let none = Follows { is: Some(false), fills: Some(false), is_constant: false };
        let Some(part) = self.differing() else { return none };
        let values: HashSet<&[u8]> = (0..self.rows.len()).map(|row| self.part(part, row)).collect();
        let values = values.len() as f64;
        let rows = self.rows.len().min(SAMPLED) as f64;
        let many = any_of(&[
            clear(|times| values > times * self.regions() as f64),
            clear(|times| 2.0 * values >= times * rows),
        ]);
        let by_formula = match self.case.key.parts[part] {
            Part::Ordered(Of::At | Of::Day) | Part::TimeOfDay => true,
            Part::Digest(of, _) | Part::Bucket(of, _) => of == Of::Day,
            _ => false,
        };
        if by_formula {
            return Follows { is: Some(true), fills: many, is_constant: false };
        }
        let (near, trend) = self.goes_one_way(part);
        Follows { is: any_of(&[near, trend]), fills: all_of(&[near, many]), is_constant: false }
    }

    /// The key begins with a part that is made of the time alone, and all records have one value of it.
    fn begins_with_one_time(&self) -> bool {
        let parts = &self.case.key.parts;
        let first = parts.iter().position(|part| !matches!(part, Part::Between(_)));
        first.is_some_and(|first| {
            let of_time = match parts[first] {
                Part::Ordered(Of::At | Of::Day) | Part::TimeOfDay => true,
                Part::Digest(of, _) => of == Of::Day,
                Part::Bucket(of, buckets) => of == Of::Day && buckets > 1,
                _ => false,
            };
            of_time && (1..self.rows.len()).all(|row| self.part(first, row) == self.part(first, 0))
        })
    }

    /// From one record to the next, and half the period apart.
    fn goes_one_way(&self, part: usize) -> (Option<bool>, Option<bool>) {
        let at = |row: u32| self.rows[row as usize].record.at;
        let moments = self.by_time.chunk_by(|&a, &b| at(a) == at(b));
        let moments: Vec<u32> = moments.map(|rows| *rows.iter().min().expect("rows")).collect();
        let value = |moment: usize| self.part(part, moments[moment] as usize);
        let (count, sampled) = (moments.len(), self.rows.len() > SAMPLED);
        let steps = |lag: usize| {
            let pairs = || (lag..count).map(|moment| value(moment - lag).cmp(value(moment)));
            let of = |wanted| pairs().filter(|&step| step == wanted).count() as u64;
            (of(Ordering::Less), of(Ordering::Greater), of(Ordering::Equal))
        };
        let goes = |(up, down, _): (u64, u64, u64)| {
            let (least, all) = (up.min(down) as f64, (up + down) as f64);
            // The share of a sample is another.
            let slack = if sampled { 1.5 } else { 1.0 };
            let few = clear(|times| all > 0.0 && least <= 0.05 * all / times)
                .filter(|&few| few == (least <= 0.05 * all * if few { 1.0 / slack } else { slack }));
            all_of(&[few, Some(luck(up.max(down), up + down, 2) <= 0.01)])
        };
        let near = steps(1);
        let far = [count / 2, count * 3 / 7, count * 4 / 9].map(steps);
        let rises = |steps: (u64, u64, u64)| steps.0 > steps.1;
        let mut trend: Vec<Option<bool>> = far.iter().map(|&steps| goes(steps)).collect();
        trend.push(Some(far.iter().all(|&steps| rises(steps) == rises(far[0]))));
        trend.extend(
            far.map(|(up, down, same)| clear(|times| 2.0 * (up + down) as f64 >= same as f64 * times)),
        );
        let trend = all_of(&trend);
        let turns = if rises(near) { near.1 } else { near.0 };
        let span = at(*self.by_time.last().expect("rows")) - at(self.by_time[0]);
        let slow = clear(|times| span as f64 / (turns + 1) as f64 > 3_600_000.0 * times);
        let near = all_of(&[goes(near), any_of(&[trend, slow, Some(turns == 0)])]);
        // Records of a sample are farther apart: neighbors go one way where all do in the long run.
        let thinned = sampled && near == Some(false) && trend != Some(false);
        (if thinned { None } else { near }, trend)
    }
}
