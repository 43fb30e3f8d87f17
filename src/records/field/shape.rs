//! Properties of a value that are known before any record is seen: kind, order, one-to-one, width, alphabet.
//!
//! Everything the tool says about a design is derived from these properties of its steps; no step and no
//! design is a special case.

use crate::records::field::Kind;
use serde::Serialize;

/// How the result's byte order (numeric order for numbers) relates to the input's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// `a < b` gives `f(a) < f(b)`.
    Strict,
    /// `a < b` gives `f(a) <= f(b)`, as truncation does.
    Weak,
    /// Runs through its results again and again, as `MM-dd` does.
    Cyclic,
    /// `a < b` gives `f(a) > f(b)`.
    Reversed,
    /// `a < b` gives `f(a) >= f(b)`.
    WeakReversed,
    /// Nothing can be said.
    None,
}

/// Width of a value in bytes once written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Width {
    /// Fewest bytes.
    pub min: u64,
    /// Most bytes; `None` when there is no bound.
    pub max: Option<u64>,
}

impl Width {
    /// Always `n` bytes.
    pub const fn fixed(n: u64) -> Self {
        Self { min: n, max: Some(n) }
    }

    /// Anything from nothing upwards.
    pub const UNBOUNDED: Self = Self { min: 0, max: None };

    /// The width when it never varies.
    pub fn exact(self) -> Option<u64> {
        self.max.filter(|&max| max == self.min)
    }
}

/// A set of byte values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Alphabet(pub [u64; 4]);

impl Alphabet {
    /// Every byte.
    pub const ALL: Self = Self([u64::MAX; 4]);
    /// No byte.
    pub const NONE: Self = Self([0; 4]);
    /// The bytes that occur in UTF-8: all but c0, c1 and f5 to ff.
    pub const UTF8: Self = Self([u64::MAX, u64::MAX, u64::MAX, 0x001f_ffff_ffff_fffc]);

    /// The bytes of `bytes`.
    pub const fn of(bytes: &[u8]) -> Self {
        let mut set = [0; 4];
        let mut i = 0;
        while i < bytes.len() {
            set[(bytes[i] >> 6) as usize] |= 1 << (bytes[i] & 63);
            i += 1;
        }
        Self(set)
    }

    /// The bytes from `first` to `last`, both included.
    pub fn range(first: u8, last: u8) -> Self {
        (first..=last).fold(Self::NONE, |all, byte| all.union(Self::of(&[byte])))
    }

    /// The bytes at each position of all that sorts from `low` to `high`, as far as the two tell: through what they have
    /// in common to the first byte that differs.
    pub fn between(low: &[u8], high: &[u8]) -> Vec<Self> {
        let common = low.iter().zip(high).take_while(|(low, high)| low == high).count();
        let pairs = low.iter().zip(high).take(common + 1);
        pairs.map(|(&low, &high)| Self::range(low, high)).collect()
    }

    /// Both sets together.
    pub const fn union(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2], self.0[3] | other.0[3]])
    }

    /// True if `byte` is in the set.
    pub const fn contains(self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
    }

    /// True if all its bytes are below 80.
    pub const fn is_ascii(self) -> bool {
        self.0[2] == 0 && self.0[3] == 0
    }

    /// Number of bytes in the set.
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// True if the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// The bytes, ascending.
    pub fn bytes(self) -> impl Iterator<Item = u8> {
        (0..=255u8).filter(move |&byte| self.contains(byte))
    }
}

/// The part of its number or time that a value keeps, when that is not all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// In which stretch of this length it is.
    Above(i64),
    /// Where it is within a stretch of this length.
    Within {
        /// Length of the stretch.
        stretch: i64,
        /// Up to a stretch of this length; 0 when it is told to the last.
        fine: i64,
    },
}

impl Keeps {
    /// True if what several values keep of one number comes to all of it.
    pub fn all(mut parts: Vec<Self>) -> bool {
        let above = parts.iter().filter_map(|part| match part {
            Self::Above(length) => Some(*length),
            Self::Within { .. } => None,
        });
        let Some(mut known) = above.min() else { return false };
        // Each place within a stretch that the next coarser one divides goes on from there.
        while known > 0 {
            let finer = parts.iter().position(|part| match part {
                Self::Within { stretch, fine } => {
                    *fine < known && stretch % known == 0 && (*fine == 0 || known % fine == 0)
                }
                Self::Above(_) => false,
            });
            let Some(finer) = finer else { return false };
            if let Self::Within { fine, .. } = parts.swap_remove(finer) {
                known = fine;
            }
        }
        true
    }

    /// The same of a number that is itself rounded: no finer than that.
    pub fn of_what(self, before: Option<Self>) -> Option<Self> {
        match (self, before) {
            (kept, None) => Some(kept),
            (Self::Above(length), Some(Self::Above(rounded))) if length % rounded.max(1) == 0 => Some(self),
            (Self::Within { stretch, fine: 0 }, Some(Self::Above(fine))) if stretch % fine.max(1) == 0 => {
                Some(Self::Within { stretch, fine })
            }
            _ => None,
        }
    }

    /// The same of a number of which each unit is `scale` of those of its source.
    pub fn scaled(self, scale: i64) -> Option<Self> {
        Some(match self {
            Self::Above(length) => Self::Above(length.checked_mul(scale)?),
            Self::Within { stretch, fine } => {
                Self::Within { stretch: stretch.checked_mul(scale)?, fine: fine.checked_mul(scale)? }
            }
        })
    }
}

/// The properties of a value: what one step hands to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The kind of value.
    pub kind: Kind,
    /// Its order against the source's.
    pub order: Order,
    /// True if different sources always give different values.
    pub one_to_one: bool,
    /// At most this many different values; `None` when there is no useful bound.
    pub distinct: Option<u64>,
    /// Width in bytes as text or bytes. For numbers and times: of their shortest decimal text.
    pub width: Width,
    /// Bytes that can occur at each position, for a prefix of known positions (`by_position`), then anywhere (`alphabet`).
    pub alphabet: Alphabet,
    /// Bytes that can occur at position i, where that is narrower than `alphabet`; may be shorter than the width.
    pub by_position: Vec<Alphabet>,
    /// Least and greatest number; for numbers and times.
    pub range: Option<(i64, i64)>,
    /// Milliseconds that local time is ahead of UTC; for times.
    pub offset: i64,
    /// Local time is always a whole number of these milliseconds; for times.
    pub unit: i64,
    /// A byte that ends every value and occurs nowhere else in it.
    pub terminator: Option<u8>,
    /// True if no value is the beginning of another: each tells where it ends.
    pub prefix_free: bool,
    /// The part of its number or time that it keeps; `None` for all, or when that is not known.
    pub keeps: Option<Keeps>,
    /// For a number: how many of its source one of it stands for; `None` when it does not count its source from zero.
    pub scale: Option<i64>,
    /// The bytes of NULL, where it can be NULL: none of its own, or a separator alone that no other value begins with.
    pub null: Option<&'static [u8]>,
}

impl Shape {
    /// Properties of bytes that are of one of two shapes, no matter which.
    pub fn either(self, other: Self) -> Self {
        let at = |shape: &Self, index: usize| shape.by_position.get(index).copied().unwrap_or(shape.alphabet);
        let positions = self.by_position.len().max(other.by_position.len());
        Self {
            order: Order::None,
            one_to_one: false,
            distinct: self.distinct.zip(other.distinct).and_then(|(one, more)| one.checked_add(more)),
            width: Width {
                min: self.width.min.min(other.width.min),
                max: self.width.max.zip(other.width.max).map(|(one, more)| one.max(more)),
            },
            alphabet: self.alphabet.union(other.alphabet),
            by_position: (0..positions).map(|index| at(&self, index).union(at(&other, index))).collect(),
            range: None,
            terminator: None,
            prefix_free: false,
            keeps: None,
            scale: None,
            null: None,
            ..self
        }
    }
}

impl Order {
    /// The order of one step after another.
    pub fn then(self, next: Self) -> Self {
        use Order::{Cyclic, None, Reversed, Strict, Weak, WeakReversed};
        match (self, next) {
            (Strict, order) | (order, Strict) => order,
            (None, _) | (_, None) => None,
            (Cyclic, _) | (_, Cyclic) => Cyclic,
            (Weak, Weak)
            | (WeakReversed, Reversed)
            | (Reversed, WeakReversed)
            | (WeakReversed, WeakReversed) => Weak,
            (Reversed, Reversed) => Strict,
            _ => WeakReversed,
        }
    }
}

/// Width of the decimal text of numbers in a range, sign included.
pub fn decimal_width(range: Option<(i64, i64)>) -> Width {
    let (low, high) = range.unwrap_or((i64::MIN, i64::MAX));
    let digits =
        |value: i64| u64::from(value.unsigned_abs().checked_ilog10().unwrap_or(0)) + 1 + u64::from(value < 0);
    let shortest = if low > 0 {
        digits(low)
    } else if high < 0 {
        digits(high)
    } else {
        1
    };
    Width { min: shortest, max: Some(digits(low).max(digits(high))) }
}
