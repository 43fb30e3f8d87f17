//! Properties of the texts that a pattern writes, known before any time is seen.

use super::civil;
use super::items::{DIGITS, PatternItem, TimeUnit};
use super::pattern::TimePattern;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};
use crate::bytes::sort::sort;
use crate::records::field::shape::{Alphabet, Keeps, Order, Width};

impl TimePattern {
    /// Milliseconds that one written text stands for.
    pub fn resolution(&self) -> i64 {
        let finest = self.numbers().map(|(unit, width)| match unit {
            TimeUnit::Year => 365 * DAY,
            TimeUnit::Month => 28 * DAY,
            TimeUnit::Day => DAY,
            TimeUnit::Hour => HOUR,
            TimeUnit::Minute => MINUTE,
            TimeUnit::Second => SECOND,
            TimeUnit::Fraction => 10i64.pow(3u32.saturating_sub(width as u32)),
        });
        finest.min().unwrap_or(1)
    }

    /// Bytes of a written time.
    pub fn width(&self) -> Width {
        let (min, max) = self.items.iter().fold((0, 0), |(low, high), item| match item {
            PatternItem::Literal(literal) => (low + literal.len(), high + literal.len()),
            PatternItem::Number { min, max, .. } => (low + min, high + max),
        });
        Width { min: min as u64, max: Some(max as u64) }
    }

    /// Bytes that can occur at each position, as long as the positions are fixed.
    pub fn by_position(&self) -> Vec<Alphabet> {
        let mut positions = Vec::new();
        for item in &self.items {
            match item {
                PatternItem::Literal(literal) => {
                    positions.extend(literal.iter().map(|&byte| Alphabet::of(&[byte])))
                }
                PatternItem::Number { min, max, .. } if min != max => return positions,
                PatternItem::Number { unit, max, .. } => {
                    let first: &[u8] = match unit {
                        TimeUnit::Month => b"01",
                        TimeUnit::Day => b"0123",
                        TimeUnit::Hour => b"012",
                        TimeUnit::Minute | TimeUnit::Second => b"012345",
                        TimeUnit::Year | TimeUnit::Fraction => DIGITS,
                    };
                    positions.push(Alphabet::of(first));
                    positions.extend(std::iter::repeat_n(Alphabet::of(DIGITS), max - 1));
                }
            }
        }
        positions
    }

    /// All bytes that can occur.
    pub fn alphabet(&self) -> Alphabet {
        self.items.iter().fold(Alphabet::NONE, |all, item| match item {
            PatternItem::Literal(literal) => all.union(Alphabet::of(literal)),
            PatternItem::Number { .. } => all.union(Alphabet::of(DIGITS)),
        })
    }

    /// How written times order against local times in a range, which are whole numbers of `unit` milliseconds: as they
    /// do while the numbers go from the year to finer ones without a gap and with fixed widths; round and round when
    /// they begin with a finer one, or with a year of two digits over more than a century.
    pub fn order(&self, range: Option<(i64, i64)>, unit: i64) -> Order {
        let units: Vec<TimeUnit> = self.numbers().map(|(unit, _)| unit).collect();
        let falling = units.windows(2).all(|pair| pair[0] as u8 + 1 == pair[1] as u8);
        match units.first() {
            Some(_) if !self.is_fixed() || !falling => Order::None,
            Some(TimeUnit::Year) if !self.tells_years(range) => Order::Cyclic,
            Some(TimeUnit::Year) if self.is_exact(unit) => Order::Strict,
            Some(TimeUnit::Year) => Order::Weak,
            Some(_) => Order::Cyclic,
            None => Order::None,
        }
    }

    /// True if different local times in a range, whole numbers of `unit` milliseconds, are always written differently.
    pub fn one_to_one(&self, range: Option<(i64, i64)>, unit: i64) -> bool {
        let mut units: Vec<TimeUnit> = self.units().map(|(unit, _)| unit).collect();
        sort(&mut units);
        let gapless =
            !units.is_empty() && units.iter().enumerate().all(|(place, unit)| *unit as usize == place);
        self.is_clear() && gapless && self.is_exact(unit) && self.tells_years(range)
    }

    /// The part of local times in a range that a written time keeps, as whole numbers of `unit` milliseconds.
    pub fn keeps(&self, range: Option<(i64, i64)>, unit: i64) -> Option<Keeps> {
        let mut units: Vec<TimeUnit> = self.units().map(|(unit, _)| unit).collect();
        sort(&mut units);
        let gapless = units.windows(2).all(|pair| pair[0] as u8 + 1 == pair[1] as u8);
        let fine = if self.is_exact(unit) { 0 } else { self.resolution() };
        let within = |stretch| Some(Keeps::Within { stretch, fine });
        match units.first()? {
            _ if !self.is_clear() || !gapless || fine > DAY => None,
            TimeUnit::Year => self.tells_years(range).then_some(Keeps::Above(fine)),
            TimeUnit::Hour => within(DAY),
            TimeUnit::Minute => within(HOUR),
            TimeUnit::Second => within(MINUTE),
            TimeUnit::Fraction => within(SECOND),
            TimeUnit::Month | TimeUnit::Day => None,
        }
    }

    fn is_fixed(&self) -> bool {
        self.items.iter().all(|item| !matches!(item, PatternItem::Number { min, max, .. } if min != max))
    }

    /// True if nothing finer than what is written is left out. Months and years have no fixed number of milliseconds.
    fn is_exact(&self, unit: i64) -> bool {
        let resolution = self.resolution();
        resolution <= DAY && unit % resolution == 0
    }

    /// True if a written year stands for one year only.
    fn tells_years(&self, range: Option<(i64, i64)>) -> bool {
        let century = |local: i64| civil::date_of(local.div_euclid(DAY)).0.div_euclid(100);
        let two_digits = self.units().any(|number| number == (TimeUnit::Year, 2));
        !two_digits || range.is_some_and(|(low, high)| century(low) == century(high))
    }

    /// Least and greatest local time that can be read.
    pub fn range(&self) -> (i64, i64) {
        let years = match self.units().find(|(unit, _)| *unit == TimeUnit::Year) {
            Some((_, 2)) => (2000, 2100),
            Some(_) => (1, 10_000),
            None => (1970, 1971),
        };
        (civil::days_of(years.0, 1, 1) * DAY, civil::days_of(years.1, 1, 1) * DAY - 1)
    }

    /// At most this many different texts; `None` when the year is written in full.
    pub fn distinct(&self) -> Option<u64> {
        self.units().try_fold(1u64, |product, (unit, width)| {
            Some(
                product
                    * match unit {
                        TimeUnit::Year if width == 2 => 100,
                        TimeUnit::Year => return None,
                        TimeUnit::Month => 12,
                        TimeUnit::Day => 31,
                        TimeUnit::Hour => 24,
                        TimeUnit::Minute | TimeUnit::Second => 60,
                        TimeUnit::Fraction => 10u64.pow(width.min(3) as u32),
                    },
            )
        })
    }
}
