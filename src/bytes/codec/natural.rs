//! Natural numbers of any size, as far as writing a double takes them.

use std::cmp::Ordering;

/// A natural number: 32 bits a limb, the least first, no zero limb at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural(Vec<u32>);

impl Natural {
    /// `factor × 5^fives × 2^twos`.
    pub fn new(factor: u64, fives: u32, twos: u32) -> Self {
        let mut limbs = vec![0; (twos / 32) as usize];
        limbs.extend([factor as u32, (factor >> 32) as u32]);
        let mut number = Self(limbs);
        number.trim();
        number.multiply(1 << (twos % 32));
        for _ in 0..fives / 13 {
            number.multiply(5u32.pow(13));
        }
        number.multiply(5u32.pow(fives % 13));
        number
    }

    /// Multiplies by a small number.
    pub fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for limb in &mut self.0 {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = carry as u32;
            carry >>= 32;
        }
        self.0.extend((carry > 0).then_some(carry as u32));
    }

    /// Divides by a number at most ten times smaller, leaves the rest and gives the quotient.
    pub fn divide_digit(&mut self, divisor: &Self) -> u8 {
        let mut quotient = 0;
        while *self >= *divisor {
            self.subtract(divisor);
            quotient += 1;
        }
        quotient
    }

    fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        for (limb, other) in self.0.iter_mut().zip(others) {
            let (less, first) = limb.overflowing_sub(other);
            let (less, second) = less.overflowing_sub(borrow.into());
            (*limb, borrow) = (less, first || second);
        }
        self.trim();
    }

    /// The sum of both.
    pub fn plus(&self, other: &Self) -> Self {
        let length = self.0.len().max(other.0.len());
        let limb = |number: &Self, at: usize| u64::from(number.0.get(at).copied().unwrap_or(0));
        let mut carry = 0;
        let mut limbs = Vec::with_capacity(length + 1);
        for at in 0..length {
            carry += limb(self, at) + limb(other, at);
            limbs.push(carry as u32);
            carry >>= 32;
        }
        limbs.extend((carry > 0).then_some(carry as u32));
        Self(limbs)
    }

    /// The low 64 bits.
    pub fn low(&self) -> u64 {
        self.0.iter().take(2).rev().fold(0, |bits, &limb| bits << 32 | u64::from(limb))
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
