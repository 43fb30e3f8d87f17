//! Expressions of Ruby that split points are made by: ranges, blocks, interpolation, arithmetic of integers, and some of their methods.

use super::ruby::{double, single};
use crate::base::map::Map;
use std::cell::Cell;

/// Items of a range, beyond which no table has regions.
const MOST: i64 = 100_000;
/// Brackets, powers and interpolations within each other.
const DEEPEST: u32 = 16;
/// Letters that a text is filled up to.
const WIDEST: i64 = 1000;
/// Bytes of an expression.
const LONGEST: usize = 1 << 13;
/// Variables of a session.
const MOST_VARIABLES: usize = 100;
/// Letters read and bytes made by all expressions of a session: a short one can ask for any amount of work.
const WORK: u64 = 1 << 26;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluated {
    Integer(i64),
    /// As Java gets it.
    Text(String),
    List(Vec<Evaluated>),
}

/// The variables that a session of the shell sets.
pub struct Variables {
    values: Map<String, Evaluated>,
    /// Work that is left for its expressions.
    left: Cell<u64>,
}

impl Variables {
    pub fn new() -> Self {
        Self { values: Map::new(), left: Cell::new(WORK) }
    }

    /// The value of the expression that a text begins with, and what follows it; `None` where it is no such expression, or too much
    /// work.
    pub fn evaluate<'t>(&self, text: &'t str) -> Option<(Evaluated, &'t str)> {
        let end = (0..=text.len().min(LONGEST)).rev().find(|&end| text.is_char_boundary(end))?;
        let looked_at = text.get(..end)?;
        let mut reader = ExpressionReader { rest: looked_at, variables: self, own: None, depth: 0 };
        let value = reader.sum()?;
        // The expression may go on in the part that was cut off.
        (!reader.rest.is_empty() || end == text.len()).then_some(())?;
        Some((value, text.get(end - reader.rest.len()..)?))
    }

    /// Takes an assignment; false if the line is none.
    pub fn assign(&mut self, line: &str) -> bool {
        let Some((name, text)) = line.trim().split_once('=') else { return false };
        let name = name.trim_end();
        let is_name =
            name.starts_with(|letter: char| letter.is_ascii_lowercase()) && name.chars().all(is_of_name);
        if !is_name || self.values.len() == MOST_VARIABLES {
            return false;
        }
        let value = self.evaluate(text);
        let Some((value, _)) = value.filter(|(_, rest)| rest.trim_end_matches([';', ' ']).is_empty()) else {
            return false;
        };
        self.values.insert(name.to_owned(), value);
        true
    }

    /// Takes so much of the work that is left.
    fn spend(&self, work: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(work as u64)?);
        Some(())
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

struct ExpressionReader<'t, 'v> {
    rest: &'t str,
    variables: &'v Variables,
    /// The variable of the block that it stands in.
    own: Option<(&'v str, &'v Evaluated)>,
    depth: u32,
}

impl<'t> ExpressionReader<'t, '_> {
    /// Takes a sign, and blanks in any case.
    fn takes(&mut self, what: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Letters up to the first that is not one of these.
    fn word(&mut self, is_in: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|letter| !is_in(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// Reads what stands one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        (self.depth <= DEEPEST).then_some(())?;
        let found = read(self);
        self.depth -= 1;
        found
    }

    fn sum(&mut self) -> Option<Evaluated> {
        let mut value = self.product()?;
        loop {
            value = if self.takes("+") {
                match (value, self.product()?) {
                    (Evaluated::Integer(a), Evaluated::Integer(b)) => Evaluated::Integer(a.checked_add(b)?),
                    (Evaluated::Text(a), Evaluated::Text(b)) => {
                        self.variables.spend(a.len() + b.len())?;
                        Evaluated::Text(a + &b)
                    }
                    (Evaluated::List(mut a), Evaluated::List(b)) => {
                        a.extend(b);
                        (a.len() <= MOST as usize).then_some(Evaluated::List(a))?
                    }
                    _ => return None,
                }
            } else if self.takes("-") {
                Evaluated::Integer(value.integer()?.checked_sub(self.product()?.integer()?)?)
            } else {
                return Some(value);
            };
        }
    }

    fn product(&mut self) -> Option<Evaluated> {
        let mut value = self.power()?;
        loop {
            // Integers are divided downwards.
            value = if !self.rest.trim_start().starts_with("**") && self.takes("*") {
                Evaluated::Integer(value.integer()?.checked_mul(self.power()?.integer()?)?)
            } else if self.takes("/") {
                let by = self.power()?.integer()?;
                let (value, rest) = (value.integer()?.checked_div(by)?, value.integer()?.checked_rem(by)?);
                Evaluated::Integer(value - i64::from(rest != 0 && (rest < 0) != (by < 0)))
            } else if self.takes("%") {
                match (value, self.power()?) {
                    (Evaluated::Integer(value), Evaluated::Integer(by)) => {
                        let rest = value.checked_rem(by)?;
                        let rest = if rest != 0 && (rest < 0) != (by < 0) { rest + by } else { rest };
                        Evaluated::Integer(rest)
                    }
                    (Evaluated::Text(pattern), value) => Evaluated::Text(formatted(&pattern, &value)?),
                    _ => return None,
                }
            } else {
                return Some(value);
            };
        }
    }

    fn power(&mut self) -> Option<Evaluated> {
        let value = self.called()?;
        if !self.takes("**") {
            return Some(value);
        }
        // Ruby takes the sign of -2**2 last.
        (value.integer()? >= 0).then_some(())?;
        let by = u32::try_from(self.deeper(Self::power)?.integer()?).ok()?;
        Some(Evaluated::Integer(value.integer()?.checked_pow(by)?))
    }

    /// A value and the methods called on it.
    fn called(&mut self) -> Option<Evaluated> {
        let mut value = self.atom()?;
        while !self.rest.trim_start().starts_with("..") && self.takes(".") {
            value = match (self.word(is_of_name), value) {
                ("map" | "collect", Evaluated::List(items)) => Evaluated::List(self.block(items)?),
                ("to_a", value @ Evaluated::List(_)) => value,
                (name, value) => self.method(name, value)?,
            };
        }
        Some(value)
    }

    fn method(&mut self, name: &str, value: Evaluated) -> Option<Evaluated> {
        let mut given = Vec::new();
        if self.takes("(") && !self.takes(")") {
            loop {
                given.push(self.deeper(Self::sum)?);
                if !self.takes(",") {
                    break;
                }
            }
            self.takes(")").then_some(())?;
        }
        match (name, value, given.as_slice()) {
            ("to_s", value, []) => value.written().map(Evaluated::Text),
            ("to_s", Evaluated::Integer(value), [Evaluated::Integer(radix)]) => {
                Some(Evaluated::Text(in_radix(value, *radix)?))
            }
            (
                "rjust" | "ljust",
                Evaluated::Text(text),
                [Evaluated::Integer(width), Evaluated::Text(with)],
            ) => {
                let missing = (*width).min(WIDEST) - text.chars().count() as i64;
                let fill: String = with.chars().cycle().take(missing.max(0) as usize).collect();
                Some(Evaluated::Text(if name == "rjust" { fill + &text } else { text + &fill }))
            }
            ("upcase", Evaluated::Text(text), []) => Some(Evaluated::Text(text.to_ascii_uppercase())),
            ("downcase", Evaluated::Text(text), []) => Some(Evaluated::Text(text.to_ascii_lowercase())),
            ("chr", Evaluated::Integer(value @ 0..=127), []) => {
                Some(Evaluated::Text(char::from(value as u8).to_string()))
            }
            _ => None,
        }
    }

    /// The values of a block, `{ |name| expression }`, for these items; blocks within blocks are not read.
    fn block(&mut self, items: Vec<Evaluated>) -> Option<Vec<Evaluated>> {
        (self.own.is_none() && self.takes("{") && self.takes("|")).then_some(())?;
        let (name, rest) = self.rest.split_once('|')?;
        let (body, rest) = rest.split_at(closing(rest)?);
        self.rest = rest.strip_prefix('}')?;
        let (variables, depth) = (self.variables, self.depth);
        let of = |item: &Evaluated| {
            let own = Some((name.trim(), item));
            let mut reader = ExpressionReader { rest: body, variables, own, depth };
            let value = reader.sum()?;
            reader.rest.trim().is_empty().then_some(value)
        };
        items.iter().map(of).collect()
    }

    fn atom(&mut self) -> Option<Evaluated> {
        let mut negative = false;
        while self.takes("-") {
            negative = !negative;
        }
        let value = self.plain()?;
        match negative {
            true => Some(Evaluated::Integer(value.integer()?.checked_neg()?)),
            false => Some(value),
        }
    }

    fn plain(&mut self) -> Option<Evaluated> {
        self.variables.spend(1)?;
        match self.rest.chars().next()? {
            '(' => {
                self.takes("(");
                let value = self.deeper(|reader| {
                    let value = reader.sum()?;
                    if reader.takes("...") {
                        range(reader.variables, &value, &reader.sum()?, false)
                    } else if reader.takes("..") {
                        range(reader.variables, &value, &reader.sum()?, true)
                    } else {
                        Some(value)
                    }
                })?;
                self.takes(")").then_some(value)
            }
            quote @ ('"' | '\'') => self.text(quote),
            '0'..='9' => {
                let digits = self.word(|letter| letter.is_ascii_digit() || letter == '_');
                let (digits, radix) = match self.rest.strip_prefix('x').filter(|_| digits == "0") {
                    Some(hex) => {
                        self.rest = hex;
                        (self.word(|letter| letter.is_ascii_hexdigit()), 16)
                    }
                    None => (digits, 10),
                };
                i64::from_str_radix(&digits.replace('_', ""), radix).ok().map(Evaluated::Integer)
            }
            _ => {
                let name = self.word(is_of_name);
                let own = self.own.filter(|(own, _)| *own == name).map(|(_, value)| value);
                let value = own.or_else(|| self.variables.values.get(name))?;
                self.variables.spend(value.size())?;
                Some(value.clone())
            }
        }
    }

    fn text(&mut self, quote: char) -> Option<Evaluated> {
        let plain = |inside: &str| if quote == '"' { double(inside) } else { single(inside) };
        let inside = self.rest.get(1..)?;
        let (mut text, mut from, mut at) = (String::new(), 0, 0);
        loop {
            self.variables.spend(1)?;
            let mut letters = inside.get(at..)?.chars();
            let letter = letters.next()?;
            match letter {
                '\\' => at += 1 + letters.next()?.len_utf8(),
                '#' if quote == '"' && letters.next() == Some('{') => {
                    text += &plain(inside.get(from..at)?);
                    let within = inside.get(at + 2..)?;
                    let expression = within.get(..closing(within)?)?;
                    let (variables, own, depth) = (self.variables, self.own, self.depth);
                    let mut reader = ExpressionReader { rest: expression, variables, own, depth };
                    let value = reader.deeper(ExpressionReader::sum)?.written()?;
                    reader.rest.trim().is_empty().then_some(())?;
                    self.variables.spend(expression.len() + value.len())?;
                    text += &value;
                    at += 2 + expression.len() + 1;
                    from = at;
                }
                letter if letter == quote => {
                    text += &plain(inside.get(from..at)?);
                    self.rest = inside.get(at + 1..)?;
                    return Some(Evaluated::Text(text));
                }
                letter => at += letter.len_utf8(),
            }
        }
    }
}

impl Evaluated {
    fn integer(&self) -> Option<i64> {
        if let Self::Integer(value) = self { Some(*value) } else { None }
    }

    /// Bytes that it takes, about.
    fn size(&self) -> usize {
        match self {
            Self::Integer(_) => size_of::<Self>(),
            Self::Text(text) => size_of::<Self>() + text.len(),
            Self::List(items) => items.iter().map(Self::size).sum(),
        }
    }

    /// As an interpolation writes it.
    fn written(&self) -> Option<String> {
        match self {
            Self::Integer(value) => Some(value.to_string()),
            Self::Text(text) => Some(text.clone()),
            Self::List(_) => None,
        }
    }
}

/// Where the brace closes that is open before a text.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0, None);
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => drop(letters.next()?),
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return Some(at),
            (None, '}') => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Integers, or letters, from one to another.
fn range(variables: &Variables, from: &Evaluated, to: &Evaluated, with_last: bool) -> Option<Evaluated> {
    let letter = |text: &str| {
        let mut letters = text.chars();
        letters.next().filter(|letter| letter.is_ascii_alphanumeric() && letters.next().is_none())
    };
    let (from, to, letters) = match (from, to) {
        (Evaluated::Integer(from), Evaluated::Integer(to)) => (*from, *to, false),
        (Evaluated::Text(from), Evaluated::Text(to)) => {
            (i64::from(u32::from(letter(from)?)), i64::from(u32::from(letter(to)?)), true)
        }
        _ => return None,
    };
    let to = to.checked_add(i64::from(with_last))?;
    let item = |value: i64| match letters {
        true => Evaluated::Text(char::from(value as u8).to_string()),
        false => Evaluated::Integer(value),
    };
    let count = to.saturating_sub(from).max(0);
    variables.spend(count as usize * size_of::<Evaluated>())?;
    (count <= MOST).then(|| Evaluated::List((from..to).map(item).collect()))
}

fn in_radix(value: i64, radix: i64) -> Option<String> {
    let radix = u64::try_from(radix).ok().filter(|radix| (2..=36).contains(radix))?;
    let (mut left, mut digits) = (value.unsigned_abs(), Vec::new());
    loop {
        digits.push(char::from_digit((left % radix) as u32, radix as u32)?);
        left /= radix;
        if left == 0 {
            break;
        }
    }
    let sign = if value < 0 { "-" } else { "" };
    Some(sign.chars().chain(digits.into_iter().rev()).collect())
}

/// `'%02x' % value`: one of `%d`, `%x`, `%X`, `%o` and `%s`, with zeros and a width if those stand there.
fn formatted(pattern: &str, value: &Evaluated) -> Option<String> {
    let (before, rest) = pattern.split_once('%')?;
    let kind = rest.find(|letter: char| !letter.is_ascii_digit())?;
    let (flags, rest) = rest.split_at(kind);
    let mut after = rest.chars();
    let text = match (after.next()?, value) {
        ('d' | 's', Evaluated::Integer(value)) => value.to_string(),
        ('x', Evaluated::Integer(value @ 0..)) => format!("{value:x}"),
        ('X', Evaluated::Integer(value @ 0..)) => format!("{value:X}"),
        ('o', Evaluated::Integer(value @ 0..)) => format!("{value:o}"),
        ('s', Evaluated::Text(text)) => text.clone(),
        _ => return None,
    };
    let width: usize = if flags.is_empty() { 0 } else { flags.parse().ok()? };
    let with = if flags.starts_with('0') { "0" } else { " " };
    let missing = width.min(WIDEST as usize).saturating_sub(text.chars().count());
    (!after.as_str().contains('%'))
        .then(|| format!("{before}{}{text}{}", with.repeat(missing), after.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Evaluated> {
        let mut variables = Variables::new();
        assert!(variables.assign("regions = 120"));
        variables.evaluate(text).filter(|(_, rest)| rest.trim().is_empty()).map(|(value, _)| value)
    }

    fn texts(text: &str) -> Vec<String> {
        let Some(Evaluated::List(all)) = of(text) else { panic!("{text}: {:?}", of(text)) };
        all.iter().filter_map(Evaluated::written).collect()
    }

    // Each as irb of Ruby 3.1 prints it.
    #[test]
    fn expressions_have_the_values_of_ruby() {
        for (text, value) in [
            ("1000 + 7 * (9999 - 1000) / regions", 1524),
            ("4 * 1024**3", 4_294_967_296),
            ("-7 / 2", -4),
            ("-7 % 3", 2),
            ("2**3**2", 512),
            ("0xff - 1_000", -745),
        ] {
            assert_eq!(of(text), Some(Evaluated::Integer(value)), "{text}");
        }
        for (text, value) in [
            ("\"user#{1000 + 3 * 5}\"", "user1015"),
            ("\"a\\x41#{'x' + \"}\"}b\"", "aAx}b"),
            ("'%02x' % 7", "07"),
            ("\"%5d|\" % 42", "   42|"),
            ("255.to_s(16).rjust(4, '0').upcase", "00FF"),
            ("97.chr", "a"),
        ] {
            assert_eq!(of(text), Some(Evaluated::Text(value.to_owned())), "{text}");
        }
        assert_eq!(texts("(1..3).map { |k| \"user#{k * 2}\" }"), ["user2", "user4", "user6"]);
        assert_eq!(texts("(0...3).collect{|i| i.to_s(2).rjust(2, '0')}"), ["00", "01", "10"]);
        assert_eq!(texts("('a'..'c').to_a + ('x'..'y').to_a"), ["a", "b", "c", "x", "y"]);
        assert_eq!(texts("(1...regions).map { |k| '%03d' % k }").len(), 119);
    }

    #[test]
    fn other_expressions_have_none() {
        for text in [
            "rand(10)",
            "`ls`",
            "(1..10**9).map { |k| k }",
            "1 / 0",
            "9 ** 99",
            "File.read('x')",
            "\"#{`ls`}\"",
            "(1..3).map { |k| system(k) }",
            "((((((((((((((((((1))))))))))))))))))",
            "\"",
            "(1..2",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
        for line in ["create 't', SPLITS => (1..2)", "Took 0.1", "x = rand(2)"] {
            assert!(!Variables::new().assign(line), "{line}");
        }
    }

    #[test]
    fn the_work_of_expressions_is_limited() {
        for text in [
            "-".repeat(1 << 20) + "1",
            "2**".repeat(1 << 20) + "1",
            "1".to_owned() + &".to_s(1".repeat(1 << 18),
            format!("\"{}\"", "#{''}".repeat(1 << 18)),
            format!("(1..100000).map {{ |k| {} }}", "k + ".repeat(1000) + "k"),
            format!("(1..100000).map {{ |k| \"{}\" }}", "#{k}".repeat(1000)),
            format!("{}1{}", "(".repeat(1 << 18), ")".repeat(1 << 18)),
        ] {
            assert_eq!(of(&text), None, "{}", text.get(..40).unwrap_or_default());
        }
        let mut variables = Variables::new();
        assert!(variables.assign("a = (1..50000).to_a"));
        assert!((0..10_000).any(|_| variables.evaluate("a").is_none()));
    }
}
