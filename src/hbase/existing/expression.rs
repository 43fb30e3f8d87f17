//! Expressions of Ruby that split points are made by: ranges, blocks, interpolation, arithmetic of integers, and some of their methods.

use super::ruby::double;
use crate::base::map::Map;

/// Items of a range, beyond which no table has regions.
const MOST: i64 = 100_000;
/// Brackets within each other.
const DEEPEST: u32 = 16;
/// Letters that a text is filled up to.
const WIDEST: i64 = 1000;
/// Bytes of a text.
const LONGEST: usize = 1 << 15;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluated {
    Integer(i64),
    /// As Java gets it.
    Text(String),
    List(Vec<Evaluated>),
}

/// Variables by name.
pub type Variables = Map<String, Evaluated>;

/// The value of the expression that a text begins with, and what follows it; `None` where it is none of these.
pub fn evaluate<'t>(text: &'t str, variables: &Variables) -> Option<(Evaluated, &'t str)> {
    let mut reader = ExpressionReader { rest: text, variables, depth: 0, within_block: false };
    let value = reader.sum()?;
    Some((value, reader.rest))
}

/// The name and the value of an assignment.
pub fn assigned(line: &str, variables: &Variables) -> Option<(String, Evaluated)> {
    let (name, text) = line.trim().split_once('=')?;
    let name = name.trim_end();
    let letters = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_name = name.starts_with(|letter: char| letter.is_ascii_lowercase()) && name.chars().all(letters);
    let (value, rest) = evaluate(text, variables).filter(|_| is_name)?;
    rest.trim_end_matches([';', ' ']).is_empty().then(|| (name.to_owned(), value))
}

struct ExpressionReader<'t, 'v> {
    rest: &'t str,
    variables: &'v Variables,
    depth: u32,
    /// Blocks within blocks would multiply the work.
    within_block: bool,
}

impl<'t> ExpressionReader<'t, '_> {
    fn takes(&mut self, what: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<Evaluated> {
        let mut value = self.product()?;
        loop {
            value = if self.takes("+") {
                match (value, self.product()?) {
                    (Evaluated::Integer(a), Evaluated::Integer(b)) => Evaluated::Integer(a.checked_add(b)?),
                    (Evaluated::Text(a), Evaluated::Text(b)) if a.len() + b.len() <= LONGEST => {
                        Evaluated::Text(a + &b)
                    }
                    (Evaluated::List(a), Evaluated::List(b)) if a.len() + b.len() <= MOST as usize => {
                        Evaluated::List([a, b].concat())
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
        let by = u32::try_from(self.power()?.integer()?).ok()?;
        Some(Evaluated::Integer(value.integer()?.checked_pow(by)?))
    }

    /// A value and the methods called on it.
    fn called(&mut self) -> Option<Evaluated> {
        let mut value = self.atom()?;
        while !self.rest.trim_start().starts_with("..") && self.takes(".") {
            let end = self.rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
            let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            self.rest = rest;
            value = match (name, value) {
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
                given.push(self.sum()?);
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

    /// The values of a block, `{ |name| expression }`, for these items.
    fn block(&mut self, items: Vec<Evaluated>) -> Option<Vec<Evaluated>> {
        (!self.within_block && self.takes("{") && self.takes("|")).then_some(())?;
        let (name, rest) = self.rest.split_once('|')?;
        let (body, rest) = rest.split_at(closing(rest)?);
        self.rest = rest.strip_prefix('}')?;
        let mut variables = self.variables.clone();
        let name = name.trim().to_owned();
        let of = |item: Evaluated| {
            variables.insert(name.clone(), item);
            let mut reader =
                ExpressionReader { rest: body, variables: &variables, depth: 0, within_block: true };
            let value = reader.sum()?;
            reader.rest.trim().is_empty().then_some(value)
        };
        items.into_iter().map(of).collect()
    }

    fn atom(&mut self) -> Option<Evaluated> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        match first {
            '-' => {
                self.takes("-");
                Some(Evaluated::Integer(self.atom()?.integer()?.checked_neg()?))
            }
            '(' => {
                self.takes("(");
                self.depth += 1;
                (self.depth <= DEEPEST).then_some(())?;
                let value = self.sum()?;
                let value = if self.takes("...") {
                    range(&value, &self.sum()?, false)?
                } else if self.takes("..") {
                    range(&value, &self.sum()?, true)?
                } else {
                    value
                };
                self.depth -= 1;
                self.takes(")").then_some(value)
            }
            '"' | '\'' => self.text(first),
            '0'..='9' => {
                let end = self.rest.find(|letter: char| !(letter.is_ascii_digit() || letter == '_'));
                let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                let (digits, rest, radix) = match rest.strip_prefix('x').filter(|_| digits == "0") {
                    Some(hex) => {
                        let end = hex.find(|letter: char| !letter.is_ascii_hexdigit());
                        let (digits, rest) = hex.split_at(end.unwrap_or(hex.len()));
                        (digits, rest, 16)
                    }
                    None => (digits, rest, 10),
                };
                self.rest = rest;
                i64::from_str_radix(&digits.replace('_', ""), radix).ok().map(Evaluated::Integer)
            }
            _ => {
                let end = self.rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
                let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                let value = self.variables.get(name)?.clone();
                self.rest = rest;
                Some(value)
            }
        }
    }

    fn text(&mut self, quote: char) -> Option<Evaluated> {
        let inside = self.rest.get(1..)?;
        let mut text = String::new();
        let mut from = 0;
        let mut letters = inside.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => drop(letters.next()?),
                '#' if quote == '"' && inside.get(at + 1..)?.starts_with('{') => {
                    text += &double(inside.get(from..at)?);
                    let within = inside.get(at + 2..)?;
                    let (expression, rest) = within.split_at(closing(within)?);
                    let depth = self.depth + 1;
                    let mut reader = ExpressionReader { rest: expression, depth, ..*self };
                    (depth <= DEEPEST).then_some(())?;
                    let value = reader.sum()?;
                    (reader.rest.trim().is_empty() && text.len() <= LONGEST).then_some(())?;
                    text += &value.written()?;
                    from = inside.len() - rest.len() + 1;
                    letters = inside.char_indices();
                    letters.find(|(at, _)| *at + 1 == from)?;
                }
                letter if letter == quote => {
                    let last = inside.get(from..at)?;
                    text += &if quote == '"' { double(last) } else { super::ruby::single(last) };
                    self.rest = inside.get(at + 1..)?;
                    return Some(Evaluated::Text(text));
                }
                _ => {}
            }
        }
        None
    }
}

impl Evaluated {
    fn integer(&self) -> Option<i64> {
        if let Self::Integer(value) = self { Some(*value) } else { None }
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
fn range(from: &Evaluated, to: &Evaluated, with_last: bool) -> Option<Evaluated> {
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
    (to.saturating_sub(from) <= MOST).then(|| Evaluated::List((from..to).map(item).collect()))
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
        let variables: Variables = [("regions".to_owned(), Evaluated::Integer(120))].into_iter().collect();
        evaluate(text, &variables).filter(|(_, rest)| rest.trim().is_empty()).map(|(value, _)| value)
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
        let line = |text| assigned(text, &Variables::new());
        assert_eq!(line("regions = 120"), Some(("regions".to_owned(), Evaluated::Integer(120))));
        assert_eq!(line("create 't', SPLITS => (1..2)"), None);
        assert_eq!(line("Took 0.1"), None);
    }
}
