//! Two numbers in one, so that what is near in both is mostly near in the key: `geohash`, `zOrder`.
//!
//! The bits of both numbers take turns, the first number's first. A Geohash writes those of longitude and latitude, five to a letter.

use super::operation::{NO_RESULT, strings, written};
use super::step::{BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::records::field::shape::{Alphabet, Width};
use crate::records::field::{Kind, float};

/// The digits of a Geohash, in the order of their bytes.
const LETTERS: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";

/// Most letters of a Geohash.
pub const MOST_LETTERS: i64 = 12;

/// A curve through the cells of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// Longitude and latitude, in so many letters.
    Geohash(u32),
    /// Two numbers of so many bits.
    ZOrder(u32),
}

impl Curve {
    /// The curve that a step writes with this argument.
    pub fn of(step: &str, argument: i64) -> Option<Self> {
        let argument = u32::try_from(argument).ok()?;
        match step {
            "geohash" => Some(Self::Geohash(argument)),
            "zOrder" => Some(Self::ZOrder(argument)),
            _ => None,
        }
    }

    /// Bits of the first number, and of the second.
    pub fn bits(self) -> [u32; 2] {
        match self {
            Self::Geohash(letters) => [(5 * letters).div_ceil(2), 5 * letters / 2],
            Self::ZOrder(bits) => [bits, bits],
        }
    }

    /// The bytes of the cell with this number on the curve.
    pub fn write(self, code: u64, out: &mut Vec<u8>) {
        match self {
            Self::Geohash(letters) => {
                let places = (0..letters).rev();
                out.extend(places.map(|place| LETTERS[(code >> (5 * place) & 31) as usize]));
            }
            Self::ZOrder(bits) => {
                let width = (2 * bits).div_ceil(8) as usize;
                out.extend_from_slice(code.to_be_bytes().get(8 - width..).unwrap_or_default());
            }
        }
    }

    /// The number on the curve of the cell with these numbers.
    pub fn code(self, cells: [u64; 2]) -> u64 {
        Self::place(self.bits(), cells)
    }

    /// The first bits of the numbers on a curve of all cells that share so many first bits of each axis.
    pub fn place(settled: [u32; 2], cells: [u64; 2]) -> u64 {
        let mut left = settled;
        let mut code = 0;
        for turn in 0..settled.iter().sum::<u32>() {
            let axis = (turn % 2) as usize;
            left[axis] -= 1;
            code = code << 1 | cells[axis] >> left[axis] & 1;
        }
        code
    }

    /// The numbers of the cell with this number on the curve.
    fn cells(self, code: u64) -> [u64; 2] {
        let bits = self.bits().iter().sum::<u32>();
        let mut cells = [0; 2];
        for turn in 0..bits {
            let cell = &mut cells[(turn % 2) as usize];
            *cell = *cell << 1 | code >> (bits - 1 - turn) & 1;
        }
        cells
    }
}

/// The cell of a longitude (`end` 180) or latitude (90), by halving; `None` beyond its ends.
pub fn cell(degrees: f64, end: f64, bits: u32) -> Option<u64> {
    if !(-end..=end).contains(&degrees) {
        return None;
    }
    let (mut low, mut high, mut cell) = (-end, end, 0);
    for _ in 0..bits {
        let middle = f64::midpoint(low, high);
        let above = degrees >= middle;
        cell = cell << 1 | u64::from(above);
        if above { low = middle } else { high = middle }
    }
    Some(cell)
}

/// A number of degrees in the 8 bytes of a `double`. No step of its own: `geohash` is made of it.
pub static DEGREES: Step = Step {
    takes: &[Kind::Float, Kind::Decimal, Kind::Integer],
    parameters: &[],
    required: 0,
    bind: |_, input| {
        let write = |degrees: f64, out: &mut Vec<u8>| {
            out.extend_from_slice(&degrees.to_be_bytes());
            Ok(())
        };
        let operation = match input.kind {
            Kind::Decimal => strings(move |text, out| write(float::read(text).map_err(|_| OUTSIDE)?, out)),
            Kind::Float => written(move |bits, out| write(float::of_bits(bits), out)),
            _ => written(move |number, out| write(number as f64, out)),
        };
        Ok(BoundStep { width: Width::fixed(8), ..BoundStep::new(operation) })
    },
    ..step("degrees", Kind::Bytes)
};

/// The refusal of degrees that are on no map.
const OUTSIDE: &str = "step.degrees-outside";

/// The Geohash of latitude and longitude, each in 8 bytes. No step of its own: the source `geohash` is made of it.
pub static GEOHASH: Step = Step {
    parameters: &[StepParameter::Number { name: "n", least: 1, most: MOST_LETTERS }],
    bind: |arguments, _| {
        let letters = arguments.count(0) as u32;
        let curve = Curve::Geohash(letters);
        let operation = strings(move |bytes, out| {
            let (numbers, _) = bytes.as_chunks::<8>();
            let [latitude, longitude] = numbers else { return Err(OUTSIDE) };
            let [first, second] = curve.bits();
            let cell = |of: &[u8; 8], end, bits| cell(f64::from_be_bytes(*of), end, bits).ok_or(OUTSIDE);
            curve.write(curve.code([cell(longitude, 180.0, first)?, cell(latitude, 90.0, second)?]), out);
            Ok(())
        });
        let letters = u64::from(letters);
        Ok(BoundStep {
            distinct: Some(1 << (5 * letters)),
            width: Width::fixed(letters),
            alphabet: Alphabet::of(LETTERS),
            by_position: vec![Alphabet::of(LETTERS); letters as usize],
            ..BoundStep::new(operation)
        })
    },
    ..step("geohash", Kind::Text)
};

/// Two numbers, each in 8 bytes, with their bits in turns. No step of its own: the source `zOrder` is made of it.
pub static Z_ORDER: Step = Step {
    parameters: &[StepParameter::Number { name: "bits", least: 1, most: 32 }],
    bind: |arguments, _| {
        let bits = arguments.count(0) as u32;
        let curve = Curve::ZOrder(bits);
        let operation = strings(move |bytes, out| {
            let (numbers, _) = bytes.as_chunks::<8>();
            let [first, second] = numbers else { return Err("step.too-few-bytes") };
            let cell = |of: &[u8; 8]| match i64::from_be_bytes(*of) {
                negative if negative < 0 => Err("step.negative-number"),
                number if number >> bits != 0 => Err("step.number-too-wide"),
                number => Ok(number as u64),
            };
            curve.write(curve.code([cell(first)?, cell(second)?]), out);
            Ok(())
        });
        let width = (2 * bits).div_ceil(8) as usize;
        let inverse = strings(move |bytes, out| {
            if bytes.len() != width {
                return Err(NO_RESULT);
            }
            let code = bytes.iter().fold(0u64, |code, &byte| code << 8 | u64::from(byte));
            if 2 * bits < 64 && code >> (2 * bits) != 0 {
                return Err(NO_RESULT);
            }
            curve.cells(code).iter().for_each(|cell| out.extend_from_slice(&cell.to_be_bytes()));
            Ok(())
        });
        Ok(BoundStep {
            one_to_one: true,
            distinct: 1u64.checked_shl(2 * bits),
            width: Width::fixed(width as u64),
            inverse: Some(inverse),
            ..BoundStep::new(operation)
        })
    },
    ..step("zOrder", Kind::Bytes)
};

const fn step(name: &'static str, gives: Kind) -> Step {
    Step {
        name,
        takes: &[Kind::Bytes],
        gives,
        parameters: &[],
        required: 1,
        encoding: true,
        bind: |_, _| Err(Problem::new("step.too-few-bytes")),
    }
}
