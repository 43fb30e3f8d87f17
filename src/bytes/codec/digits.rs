//! Whole numbers: decimal digits to two's complement bytes and back, as Java's `BigInteger` writes them.

/// Decimal digits turned at once: as many as fit a limb.
const GROUP: usize = 9;

/// The shortest two's complement bytes, most significant first (`BigInteger.toByteArray`), of a number given by its
/// sign and its decimal digits; zero is one byte.
pub(super) fn to_bytes(negative: bool, digits: &[u8]) -> Vec<u8> {
    let mut limbs: Vec<u32> = Vec::new();
    for group in digits.chunks(GROUP) {
        let scale = 10u64.pow(group.len() as u32);
        let mut carry = group.iter().fold(0, |number, &digit| number * 10 + u64::from(digit));
        for limb in &mut limbs {
            carry += u64::from(*limb) * scale;
            *limb = carry as u32;
            carry >>= 32;
        }
        limbs.extend((carry > 0).then_some(carry as u32));
    }
    let magnitude = limbs.iter().rev().flat_map(|limb| limb.to_be_bytes());
    // A leading zero byte makes room for the sign; what is superfluous goes at the end.
    let mut bytes: Vec<u8> = std::iter::once(0).chain(magnitude).collect();
    if negative {
        negate(&mut bytes);
    }
    let sign = if negative { 0xff } else { 0 };
    let superfluous =
        bytes.windows(2).take_while(|pair| pair[0] == sign && (pair[1] ^ sign) & 0x80 == 0).count();
    bytes.split_off(superfluous)
}

/// The sign and decimal digits (no leading zeros; none for zero) of two's complement bytes, most significant first.
pub(super) fn from_bytes(bytes: &[u8]) -> (bool, Vec<u8>) {
    let negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    let mut magnitude = bytes.to_vec();
    if negative {
        negate(&mut magnitude);
    }
    // Least significant group first.
    let mut groups: Vec<u32> = Vec::new();
    for byte in magnitude {
        let mut carry = u64::from(byte);
        for group in &mut groups {
            carry += u64::from(*group) << 8;
            *group = (carry % 1_000_000_000) as u32;
            carry /= 1_000_000_000;
        }
        groups.extend((carry > 0).then_some(carry as u32));
    }
    let places = (0..GROUP as u32).rev();
    let digits =
        groups.iter().rev().flat_map(|group| places.clone().map(move |place| group / 10u32.pow(place) % 10));
    (negative, digits.skip_while(|&digit| digit == 0).map(|digit| digit as u8).collect())
}

/// Two's complement in place; of the least number, its magnitude.
fn negate(bytes: &mut [u8]) {
    let mut carry = true;
    for byte in bytes.iter_mut().rev() {
        (*byte, carry) = (!*byte).overflowing_add(carry.into());
    }
}
