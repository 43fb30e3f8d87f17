//! Shapes: texts of the same length and alphabet as others, with no character of theirs but punctuation.

use super::random::Random;

const DIGIT: u8 = 1;
const LOWER: u8 = 2;
const UPPER: u8 = 4;

/// Each letter of a shape and the kinds of characters that it stands for.
const CLASSES: [(char, u8); 7] = [
    ('9', DIGIT),
    ('a', LOWER),
    ('A', UPPER),
    ('n', LOWER | DIGIT),
    ('N', UPPER | DIGIT),
    ('l', LOWER | UPPER),
    ('w', LOWER | UPPER | DIGIT),
];
/// Low bits of a character that no ASCII has: shapes forget them and keep the script.
const LOW_BITS: u32 = 0x3f;

/// Appends characters as a shape says.
pub fn fill(shape: &str, random: &mut Random, text: &mut Vec<u8>) {
    for symbol in shape.chars() {
        let made = filled(symbol, random);
        text.extend_from_slice(made.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

fn filled(symbol: char, random: &mut Random) -> char {
    const SIXTEEN: &[u8; 16] = b"0123456789abcdef";
    if let 'x' | 'X' = symbol {
        let digit = char::from(SIXTEEN.get(random.below(16) as usize).copied().unwrap_or(b'0'));
        return if symbol == 'X' { digit.to_ascii_uppercase() } else { digit };
    }
    if !symbol.is_ascii() {
        let low = random.below(u64::from(LOW_BITS) + 1) as u32;
        return char::from_u32(u32::from(symbol) & !LOW_BITS | low).unwrap_or(symbol);
    }
    let Some(&(_, kinds)) = CLASSES.iter().find(|(class, _)| *class == symbol) else { return symbol };
    let ranges = [(DIGIT, b'0', 10), (LOWER, b'a', 26), (UPPER, b'A', 26)];
    let ranges = ranges.into_iter().filter(|(kind, ..)| kinds & kind != 0);
    let mut place = random.below(ranges.clone().map(|(_, _, count)| count).sum());
    for (_, first, count) in ranges {
        if place < count {
            return char::from(first + place as u8);
        }
        place -= count;
    }
    symbol
}

/// The shape of texts that have one length: at each place the kinds of characters that they have there. `hex` says that
/// all letters are hexadecimal digits of one case.
pub fn shape_of<'t>(texts: impl Iterator<Item = &'t str>, hex: bool) -> String {
    let mut kinds: Vec<(u8, char)> = Vec::new();
    for text in texts {
        for (place, char) in text.chars().enumerate() {
            if kinds.len() <= place {
                kinds.push((0, char));
            }
            if let Some((kinds, other)) = kinds.get_mut(place) {
                *kinds |= kind(char);
                *other = char;
            }
        }
    }
    let hexadecimal = match kinds.iter().fold(0, |all, (kinds, _)| all | kinds) {
        all if !hex || all & DIGIT == 0 => None,
        all if all == DIGIT | LOWER => Some('x'),
        all if all == DIGIT | UPPER => Some('X'),
        _ => None,
    };
    let symbol = |(kinds, other): (u8, char)| match (kinds, hexadecimal) {
        (0, _) if other.is_ascii() => other,
        (0, _) => char::from_u32(u32::from(other) & !LOW_BITS).unwrap_or(other),
        (_, Some(hexadecimal)) => hexadecimal,
        (kinds, None) => CLASSES.iter().find(|(_, class)| *class == kinds).map_or('w', |(symbol, _)| *symbol),
    };
    kinds.into_iter().map(symbol).collect()
}

/// True if all letters of a text are hexadecimal digits.
pub fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| !byte.is_ascii_alphabetic() || byte.is_ascii_hexdigit())
}

fn kind(char: char) -> u8 {
    match char {
        '0'..='9' => DIGIT,
        'a'..='z' => LOWER,
        'A'..='Z' => UPPER,
        _ => 0,
    }
}

/// A text of a shape.
pub fn made_up(shape: &str, random: &mut Random) -> String {
    let mut text = Vec::new();
    fill(shape, random, &mut text);
    String::from_utf8(text).unwrap_or_default()
}
