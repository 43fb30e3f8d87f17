//! Functions and methods of Java, Scala, HBase and the libraries that key builders use.

use super::java_type::JavaType;
use super::numbers;
use super::pattern::padded;
use super::run::Run;
use super::syntax::{Expression, ExpressionKind};
use super::terms::{self, Terms, number, step};
use super::unread::{CodeSpan, Unread};
use super::value::{Length, Number, Pattern, Value};
use crate::formula::syntax::{GivenArgument, Term};
use crate::records::field::Kind;

type Result<T> = std::result::Result<T, Unread>;
type Placed = (Value, CodeSpan);

/// The range of a hash of 32 bits.
const HASH: (i128, i128) = (i32::MIN as i128, i32::MAX as i128);

/// The first argument, the only one.
fn only(given: Vec<Placed>, span: CodeSpan) -> Result<Placed> {
    let [one] = <[Placed; 1]>::try_from(given).map_err(|_| Unread::new(span))?;
    Ok(one)
}

fn two(given: Vec<Placed>, span: CodeSpan) -> Result<[Placed; 2]> {
    given.try_into().map_err(|_| Unread::new(span))
}

/// True for the arguments that name UTF-8, or the encoding of the platform.
fn is_utf8(given: &[Placed]) -> bool {
    given.iter().all(|(value, _)| match value {
        Value::Unknown(path) => {
            path.ends_with("UTF_8") || path.ends_with("UTF8_CHARSET") || path.ends_with("Charsets.UTF_8")
        }
        Value::Text(name) => terms::literal(name)
            .is_some_and(|name| name.eq_ignore_ascii_case("utf-8") || name.eq_ignore_ascii_case("utf8")),
        _ => false,
    })
}

/// The step of a digest by its name in Java.
fn digest_named(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
        "md5" => Some("md5"),
        "sha1" | "sha" => Some("sha1"),
        "sha256" => Some("sha256"),
        _ => None,
    }
}

fn hashed(terms: Terms, name: &str, seed: Option<i64>) -> Value {
    let term = step(terms::joined(terms), name, seed.map(number));
    Value::Number(Number::within(term, JavaType::Int, HASH))
}

impl Run<'_> {
    /// A function of a class, or a getter of an object of which nothing is known.
    pub fn function(&mut self, class: &str, name: &str, given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        match (class, name) {
            ("Bytes", _) => self.of_bytes(name, given, span),
            ("Math" | "math" | "StrictMath", "abs") | ("", "abs") => {
                let (value, at) = only(given, span)?;
                let value = self.number(value, at)?;
                numbers::abs(value, span).map(Value::Number)
            }
            ("Math" | "math", "floorMod") => {
                let [(left, at), (right, right_at)] = two(given, span)?;
                let (left, right) = (self.number(left, at)?, self.number(right, right_at)?);
                numbers::floor_mod(left, &right, span).map(Value::Number)
            }
            (
                "String" | "Integer" | "Long" | "Short" | "StringUtils" | "Strings" | "Objects" | "Double",
                _,
            ) => self.of_text(class, name, given, span),
            (
                "MD5Hash" | "DigestUtils" | "MessageDigest" | "Hex" | "Hashing" | "Hash" | "MurmurHash"
                | "MurmurHash3" | "JenkinsHash" | "Arrays" | "ArrayUtils" | "DatatypeConverter",
                _,
            ) => self.of_hash(class, name, given, span),
            ("Array", "concat") => self.all_bytes(given).map(Value::Bytes),
            ("", "Array") => {
                let mut all = Terms::new();
                for (value, at) in given {
                    terms::push(&mut all, self.byte(value, at)?);
                }
                Ok(Value::Bytes(all))
            }
            ("" | "List" | "Seq", "Seq" | "List" | "of") => self.strings(given),
            ("ByteBuffer", "allocate") => {
                let (value, at) = only(given, span)?;
                let length = match value {
                    Value::Length(length) => length,
                    value => Length { fixed: self.constant(value, at)?, of: Vec::new() },
                };
                Ok(Value::Buffer(length, Terms::new()))
            }
            ("ThreadLocalRandom", "current") if given.is_empty() => Ok(Value::Random),
            ("System", "currentTimeMillis") if given.is_empty() => self.now(span),
            _ => self.of_time_or_record(class, name, given, span),
        }
    }

    /// The time of arrival, where records have one time.
    fn now(&mut self, span: CodeSpan) -> Result<Value> {
        let mut times = self.fields.iter().enumerate().filter(|(_, field)| field.kind == Kind::Time);
        let (Some((at, field)), None) = (times.next(), times.next()) else { return Err(Unread::new(span)) };
        let term = step(terms::field(&field.name), "millis", []);
        let name = self.fields.get(at).map_or_else(String::new, |field| field.name.clone());
        self.assume(&name, "code.assumed-now");
        Ok(Value::Number(Number::of_field(term, JavaType::Long)))
    }

    /// `org.apache.hadoop.hbase.util.Bytes`.
    fn of_bytes(&mut self, name: &str, mut given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        match name {
            "toBytes" => {
                let (value, at) = only(given, span)?;
                self.bytes_of(value, at).map(Value::Bytes)
            }
            "toBytesBinary" => {
                let (value, at) = only(given, span)?;
                let text = self.text(value, at)?;
                let bytes =
                    terms::literal(&text).and_then(|text| crate::bytes::row::from_string_binary(text).ok());
                bytes.map(|bytes| Value::Bytes(terms::bytes(bytes))).ok_or(Unread::new(at))
            }
            "add" | "concat" => self.all_bytes(given).map(Value::Bytes),
            "head" => {
                let [(value, at), (length, length_at)] = two(given, span)?;
                let length = self.constant(length, length_at)?;
                self.first_bytes(value, length, at)
            }
            "copy" if given.len() == 3 => {
                let length = given.pop().ok_or(Unread::new(span))?;
                let from = given.pop().ok_or(Unread::new(span))?;
                if self.constant(from.0, from.1)? != 0 {
                    return Err(Unread::because(span, "code.no-step"));
                }
                let length = self.constant(length.0, length.1)?;
                let (value, at) = only(given, span)?;
                self.first_bytes(value, length, at)
            }
            "copy" => {
                let (value, at) = only(given, span)?;
                self.bytes(value, at).map(Value::Bytes)
            }
            "toString" => {
                let (value, at) = only(given, span)?;
                let bytes = self.bytes(value, at)?;
                text_of_bytes(bytes).ok_or(Unread::new(span))
            }
            "toHex" => self.hex(given, "hex", span),
            "toShort" | "toInt" | "toLong" => {
                let of = JavaType::named(name.get(2..).unwrap_or_default());
                let (value, at) = only(given, span)?;
                let bytes = self.bytes(value, at)?;
                number_in(bytes, name, of).map(Value::Number).ok_or(Unread::because(span, "code.no-step"))
            }
            "hashCode" => {
                let (value, at) = only(given, span)?;
                Ok(hashed(self.bytes(value, at)?, "bytesHash", None))
            }
            _ => Err(Unread::new(span)),
        }
    }

    /// All arguments as bytes, one behind the other.
    fn all_bytes(&mut self, given: Vec<Placed>) -> Result<Terms> {
        let mut all = Terms::new();
        for (value, at) in given {
            match value {
                Value::ByteArrays(arrays) => arrays.into_iter().for_each(|own| terms::push(&mut all, own)),
                value => terms::push(&mut all, self.bytes(value, at)?),
            }
        }
        Ok(all)
    }

    fn strings(&mut self, given: Vec<Placed>) -> Result<Value> {
        let each = given.into_iter().map(|(value, at)| self.text(value, at));
        Ok(Value::Strings(each.collect::<Result<_>>()?))
    }

    /// The first bytes of a digest.
    fn first_bytes(&mut self, value: Value, length: i64, span: CodeSpan) -> Result<Value> {
        let bytes = self.bytes(value, span)?;
        let found = match bytes.as_slice() {
            [only] if terms::width(only) == Some(length) => Some(only.clone()),
            [only] => terms::shortened(only, length),
            _ => None,
        };
        found.map(|term| Value::Bytes(vec![term])).ok_or(Unread::because(span, "code.no-step"))
    }

    /// Bytes as text of hex digits.
    fn hex(&mut self, given: Vec<Placed>, name: &str, span: CodeSpan) -> Result<Value> {
        let (value, at) = only(given, span)?;
        let bytes = self.bytes(value, at)?;
        Ok(Value::Text(vec![step(terms::joined(bytes), name, [])]))
    }

    /// Functions that give texts, and numbers of texts.
    fn of_text(&mut self, class: &str, name: &str, mut given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        match (class, name) {
            ("String", "format") => {
                if given.is_empty() {
                    return Err(Unread::new(span));
                }
                let (pattern, at) = given.remove(0);
                let pattern = self.text(pattern, at)?;
                let pattern = terms::literal(&pattern).ok_or(Unread::new(at))?.to_owned();
                let values = given.into_iter().map(|(value, _)| value).collect();
                self.formatted(&pattern, values, span).map(Value::Text)
            }
            ("String", "join") => {
                if given.is_empty() {
                    return Err(Unread::new(span));
                }
                let (separator, at) = given.remove(0);
                let separator = self.text(separator, at)?;
                let texts = match given.as_slice() {
                    [(Value::Strings(texts), _)] => texts.clone(),
                    _ => given.into_iter().map(|(value, at)| self.text(value, at)).collect::<Result<_>>()?,
                };
                Ok(Value::Text(separated(texts, &separator)))
            }
            ("String", "valueOf") | ("Long" | "Integer" | "Short" | "Double" | "Objects", "toString") => {
                let (value, at) = only(given, span)?;
                self.text(value, at).map(Value::Text)
            }
            ("Long", "valueOf" | "parseLong") | ("Integer", "valueOf" | "parseInt") => {
                let of = JavaType::named(class);
                if given.len() == 2 {
                    let [(value, at), (radix, radix_at)] = two(given, span)?;
                    let text = self.text(value, at)?;
                    let is_hex = self.constant(radix, radix_at)? == 16;
                    let number = if is_hex { number_of_hex(text, of) } else { None };
                    return number.map(Value::Number).ok_or(Unread::because(span, "code.no-step"));
                }
                let (value, at) = only(given, span)?;
                self.parsed(value, of, at)
            }
            ("StringUtils", "reverse") => {
                let (value, at) = only(given, span)?;
                let text = self.text(value, at)?;
                Ok(Value::Text(vec![step(terms::joined(text), "reverse", [])]))
            }
            ("StringUtils", "leftPad") | ("Strings", "padStart") => {
                let with = if given.len() == 3 { given.pop() } else { None };
                let with = match with {
                    Some((Value::Char(with), _)) => with,
                    Some((Value::Text(text), at)) => {
                        let mut chars = terms::literal(&text).unwrap_or_default().chars();
                        chars.next().filter(|_| chars.as_str().is_empty()).ok_or(Unread::new(at))?
                    }
                    Some((_, at)) => return Err(Unread::new(at)),
                    None => ' ',
                };
                let [(value, at), (length, length_at)] = two(given, span)?;
                let length = self.constant(length, length_at)?;
                let text = self.text(value, at)?;
                Ok(Value::Text(vec![padded(terms::joined(text), length, with)]))
            }
            ("StringUtils", "substringBefore") => {
                let [(value, at), (separator, separator_at)] = two(given, span)?;
                let text = self.text(value, at)?;
                let separator = self.text(separator, separator_at)?;
                let separator = terms::literal(&separator).filter(|separator| !separator.is_empty());
                let separator = separator.ok_or(Unread::new(separator_at))?.to_owned();
                Ok(Value::Text(vec![step(terms::joined(text), "before", [GivenArgument::Text(separator)])]))
            }
            ("StringUtils", "left") => {
                let [(value, at), length] = two(given, span)?;
                self.substring(
                    value,
                    vec![(Value::Number(Number::constant(0, JavaType::Int)), at), length],
                    span,
                )
            }
            _ => Err(Unread::new(span)),
        }
    }

    /// The number that a text is.
    fn parsed(&mut self, value: Value, of: JavaType, span: CodeSpan) -> Result<Value> {
        if let Value::Number(number) = value {
            return numbers::cast(number, of, span).map(Value::Number);
        }
        let text = self.text(value, span)?;
        let term = match text.as_slice() {
            // The number that a text was written of.
            [term]
                if term
                    .steps
                    .last()
                    .is_some_and(|last| last.name == "decimal" && last.arguments.is_empty()) =>
            {
                let mut term = term.clone();
                term.steps.pop();
                term
            }
            _ => step(terms::joined(text), "number", []),
        };
        let number = Number::of_field(term, of);
        Ok(Value::Number(Number { is_cast: of == JavaType::Int, ..number }))
    }

    /// Hashes and digests.
    fn of_hash(&mut self, class: &str, name: &str, mut given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        match (class, name) {
            ("MD5Hash", "getMD5AsHex") if given.len() == 1 => {
                let (value, at) = only(given, span)?;
                let bytes = self.bytes(value, at)?;
                Ok(Value::Text(vec![step(step(terms::joined(bytes), "md5", []), "hex", [])]))
            }
            ("DigestUtils", _) => {
                let (value, at) = only(given, span)?;
                let fed = match value {
                    value @ (Value::Bytes(_) | Value::Array(..)) => self.bytes(value, at)?,
                    value => self.text(value, at)?,
                };
                let of = digest_named(name.strip_suffix("Hex").unwrap_or(name)).ok_or(Unread::new(span))?;
                let term = step(terms::joined(fed), of, []);
                Ok(if name.ends_with("Hex") {
                    Value::Text(vec![step(term, "hex", [])])
                } else {
                    Value::Bytes(vec![term])
                })
            }
            ("MessageDigest", "getInstance") => {
                let (value, at) = only(given, span)?;
                let name = self.text(value, at)?;
                let of = terms::literal(&name).and_then(digest_named).ok_or(Unread::new(at))?;
                Ok(Value::Digest(of, Terms::new()))
            }
            ("Hex", "encodeHexString") => self.hex(given, "hex", span),
            ("DatatypeConverter", "printHexBinary") => self.hex(given, "HEX", span),
            ("Hashing", "md5" | "sha1" | "sha256") if given.is_empty() => {
                digest_named(name).map(|of| Value::Hasher(of, None)).ok_or(Unread::new(span))
            }
            ("Hashing", "murmur3_32_fixed") if given.is_empty() => Ok(Value::Hasher("murmur3", Some(0))),
            ("MurmurHash", "getInstance") if given.is_empty() => Ok(Value::Hasher("murmur", None)),
            ("MurmurHash3", "getInstance") if given.is_empty() => Ok(Value::Hasher("murmur3", None)),
            ("JenkinsHash", "getInstance") if given.is_empty() => Ok(Value::Hasher("jenkins", None)),
            ("Hash", "getInstance") => match only(given, span)?.0 {
                Value::Unknown(path) if path.ends_with("MURMUR_HASH") => Ok(Value::Hasher("murmur", None)),
                Value::Unknown(path) if path.ends_with("MURMUR_HASH3") => Ok(Value::Hasher("murmur3", None)),
                Value::Unknown(path) if path.ends_with("JENKINS_HASH") => Ok(Value::Hasher("jenkins", None)),
                _ => Err(Unread::new(span)),
            },
            ("Arrays", "hashCode") => {
                let (value, at) = only(given, span)?;
                Ok(hashed(self.bytes(value, at)?, "bytesHash", None))
            }
            ("Arrays", "asList") => self.strings(given),
            ("Arrays", "copyOf") => {
                let [(value, at), (length, length_at)] = two(given, span)?;
                let length = self.constant(length, length_at)?;
                self.first_bytes(value, length, at)
            }
            ("Arrays", "copyOfRange") if given.len() == 3 => {
                let (length, length_at) = given.pop().ok_or(Unread::new(span))?;
                let [(value, at), (from, from_at)] = two(given, span)?;
                if self.constant(from, from_at)? != 0 {
                    return Err(Unread::because(span, "code.no-step"));
                }
                let length = self.constant(length, length_at)?;
                self.first_bytes(value, length, at)
            }
            ("ArrayUtils", "addAll") => self.all_bytes(given).map(Value::Bytes),
            _ => Err(Unread::new(span)),
        }
    }

    /// Functions of dates, and getters.
    fn of_time_or_record(
        &mut self,
        class: &str,
        name: &str,
        mut given: Vec<Placed>,
        span: CodeSpan,
    ) -> Result<Value> {
        match (class, name) {
            ("DateTimeFormatter", "ofPattern") | ("FastDateFormat", "getInstance") if !given.is_empty() => {
                let (pattern, at) = given.remove(0);
                let zone =
                    given.first().map(|(zone, at)| zone_named(zone).ok_or(Unread::new(*at))).transpose()?;
                self.formatter((pattern, at), zone, class == "FastDateFormat")
            }
            ("Instant", "ofEpochMilli") | ("Date" | "Timestamp", "from" | "valueOf") => {
                let (value, at) = only(given, span)?;
                let (term, zone) = self.time(value, at)?;
                Ok(Value::Time(term, zone))
            }
            ("DateFormatUtils", "format" | "formatUTC") => {
                let [(time, at), pattern] = two(given, span)?;
                let zone = (name == "formatUTC").then(|| "Z".to_owned());
                let Value::Formatter(pattern) = self.formatter(pattern, zone, true)? else {
                    return Err(Unread::new(span));
                };
                self.time_text(&pattern, time, at).map(Value::Text)
            }
            ("MILLISECONDS", "toSeconds" | "toMinutes" | "toHours" | "toDays") => {
                let (value, at) = only(given, span)?;
                let by = match name {
                    "toSeconds" => 1000,
                    "toMinutes" => 60_000,
                    "toHours" => 3_600_000,
                    _ => 86_400_000,
                };
                let value = self.number(value, at)?;
                numbers::binary(value, "/", Number::constant(by, JavaType::Long), span).map(Value::Number)
            }
            ("TimeZone" | "ZoneId" | "ZoneOffset", "getTimeZone" | "of") => {
                let (value, at) = only(given, span)?;
                let name = self.text(value, at)?;
                let name = terms::literal(&name).ok_or(Unread::new(at))?;
                Ok(Value::Unknown(format!("zone.{name}")))
            }
            _ => self.getter(class, name, given, span),
        }
    }

    /// A getter of an object of which nothing is known.
    fn getter(&mut self, class: &str, name: &str, given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        let is_class = class.starts_with(char::is_uppercase);
        let (named, of) = match given.as_slice() {
            [] => (Some(name.to_owned()), JavaType::Other),
            [(Value::Text(text), _)] if name.starts_with("get") || name == "apply" => {
                let of = name.strip_prefix("get").map_or(JavaType::Other, JavaType::named);
                let of = if name == "getTimestamp" { JavaType::Time } else { of };
                (terms::literal(text).map(str::to_owned), of)
            }
            _ => (None, JavaType::Other),
        };
        let field = named.as_deref().filter(|_| !is_class).and_then(|name| self.field_named(name));
        match (field, named) {
            (Some(field), Some(name)) => self.declared(field, &name, of, span),
            _ => Err(Unread::new(span)),
        }
    }

    fn formatter(&mut self, (pattern, at): Placed, zone: Option<String>, is_simple: bool) -> Result<Value> {
        let text = self.text(pattern, at)?;
        let text = terms::literal(&text).ok_or(Unread::new(at))?.to_owned();
        Ok(Value::Formatter(Pattern { text, zone, is_simple }))
    }

    /// An object of a class.
    pub fn made(&mut self, class: &str, mut given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        match class {
            "StringBuilder" | "StringBuffer" => match given.pop() {
                // A number is a capacity.
                None | Some((Value::Number(_) | Value::Length(_), _)) => Ok(Value::Builder(Terms::new())),
                Some((value, at)) => self.text(value, at).map(Value::Builder),
            },
            "String" => {
                let is_text = given.len() > 1 && is_utf8(given.get(1..).unwrap_or_default());
                given.truncate(if is_text { 1 } else { given.len() });
                match only(given, span)? {
                    (Value::Bytes(bytes), at) => text_of_bytes(bytes).ok_or(Unread::new(at)),
                    (value, at) => self.text(value, at).map(Value::Text),
                }
            }
            "Put" | "Get" | "Delete" | "Increment" | "Append" => {
                let Some((row, at)) = given.into_iter().next() else { return Err(Unread::new(span)) };
                if class != "Get" {
                    self.put_row(row, at);
                }
                Ok(Value::Nothing)
            }
            "Date" | "Timestamp" => {
                let (value, at) = only(given, span)?;
                let (term, zone) = self.time(value, at)?;
                Ok(Value::Time(term, zone))
            }
            "SimpleDateFormat" if !given.is_empty() => self.formatter(given.remove(0), None, true),
            "Random" => Ok(Value::Random),
            "ByteArrayOutputStream" => Ok(Value::Stream(Terms::new())),
            "CRC32" if given.is_empty() => Ok(Value::Digest("crc32", Terms::new())),
            "BigInteger" => {
                let [(sign, at), (value, value_at)] = two(given, span)?;
                if self.constant(sign, at)? != 1 {
                    return Err(Unread::new(at));
                }
                let mut bytes = self.bytes(value, value_at)?;
                match bytes.pop().filter(|_| bytes.is_empty()) {
                    Some(term) => Ok(Value::Magnitude(term)),
                    None => Err(Unread::because(span, "code.no-step")),
                }
            }
            _ => Err(Unread::new(span)),
        }
    }

    /// A method of a value; `of` is how the object is written, which a method can change.
    pub fn method(
        &mut self,
        (object, of): (Value, &Expression),
        name: &str,
        given: Vec<Placed>,
        span: CodeSpan,
    ) -> Result<Value> {
        let mut object = object;
        let result = self.changing(&mut object, name, given, span)?;
        if let (Some(result), changed) = (result, object) {
            if let Some(name) = Self::root(of) {
                self.change(name, changed);
            }
            return Ok(result);
        }
        Err(Unread::new(span))
    }

    /// Methods of objects that change; the others of [`Run::plain`].
    fn changing(
        &mut self,
        object: &mut Value,
        name: &str,
        given: Vec<Placed>,
        span: CodeSpan,
    ) -> Result<Option<Value>> {
        let before = std::mem::replace(object, Value::Nothing);
        let (changed, result) = match (before, name) {
            (Value::Builder(mut terms), "append") => {
                let (value, at) = only(given, span)?;
                terms::push(&mut terms, self.text(value, at)?);
                (Value::Builder(terms.clone()), Value::Builder(terms))
            }
            (Value::Builder(terms), "insert") => {
                let [(place, at), (value, value_at)] = two(given, span)?;
                if self.constant(place, at)? != 0 {
                    return Err(Unread::because(span, "code.no-step"));
                }
                let mut all = self.text(value, value_at)?;
                terms::push(&mut all, terms);
                (Value::Builder(all.clone()), Value::Builder(all))
            }
            (Value::Builder(terms), "reverse") if given.is_empty() => {
                let reversed = vec![step(terms::joined(terms), "reverse", [])];
                (Value::Builder(reversed.clone()), Value::Builder(reversed))
            }
            (Value::Stream(mut terms), "write" | "writeBytes") => {
                let (value, at) = only(given, span)?;
                terms::push(&mut terms, self.bytes(value, at)?);
                (Value::Stream(terms), Value::Nothing)
            }
            (Value::Digest(of, mut fed), "update") => {
                let (value, at) = only(given, span)?;
                terms::push(&mut fed, self.bytes(value, at)?);
                (Value::Digest(of, fed), Value::Nothing)
            }
            (Value::Digest(of, mut fed), "digest") if of != "crc32" => {
                if let Some((value, at)) = given.into_iter().next() {
                    terms::push(&mut fed, self.bytes(value, at)?);
                }
                (Value::Digest(of, Terms::new()), Value::Bytes(vec![step(terms::joined(fed), of, [])]))
            }
            (Value::Digest("crc32", fed), "getValue") => {
                let term = step(terms::joined(fed.clone()), "crc32", []);
                let number = Number::within(term, JavaType::Long, (0, u32::MAX.into()));
                (Value::Digest("crc32", fed), Value::Number(number))
            }
            (Value::Buffer(length, mut terms), "put" | "putLong" | "putInt" | "putShort") => {
                let (value, at) = only(given, span)?;
                terms::push(&mut terms, self.put_in_buffer(name, value, at)?);
                (Value::Buffer(length.clone(), terms.clone()), Value::Buffer(length, terms))
            }
            (Value::Formatter(pattern), "setTimeZone" | "withZone") => {
                let (zone, at) = only(given, span)?;
                let zone = Some(zone_named(&zone).ok_or(Unread::new(at))?);
                let pattern = Value::Formatter(Pattern { zone, ..pattern });
                (if name == "setTimeZone" { pattern.clone() } else { Value::Nothing }, pattern)
            }
            (before, _) => {
                let result = self.plain(before.clone(), name, given, span)?;
                (before, result)
            }
        };
        *object = changed;
        Ok(Some(result))
    }

    fn put_in_buffer(&mut self, name: &str, value: Value, span: CodeSpan) -> Result<Terms> {
        let bits = match name {
            "putLong" => 64,
            "putInt" => 32,
            "putShort" => 16,
            _ => {
                return match value {
                    value @ (Value::Bytes(_) | Value::Array(..)) => self.bytes(value, span),
                    value => self.byte(value, span),
                };
            }
        };
        let number = self.number(value, span)?;
        let of = match bits {
            64 => JavaType::Long,
            32 => JavaType::Int,
            _ => JavaType::Short,
        };
        let fits = number.of.bits() <= Some(bits) || number.known().is_some();
        if !fits {
            return Err(Unread::new(span));
        }
        let number = if number.is_cast { number } else { Number { of, ..number } };
        numbers::big_endian(number, bits, span)
    }

    /// Methods that leave their object as it is.
    fn plain(&mut self, object: Value, name: &str, mut given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        match (object, name) {
            (Value::Buffer(length, terms), "array") if given.is_empty() => {
                self.buffered(&length, terms, span).map(Value::Bytes)
            }
            (Value::Stream(terms), "toByteArray") if given.is_empty() => Ok(Value::Bytes(terms)),
            (Value::Hasher(of, seed), _) => self.of_hasher(of, seed, name, given, span),
            (Value::ShortHashCode(term), "asInt") => {
                Ok(Value::Number(Number::within(term, JavaType::Int, HASH)))
            }
            (Value::HashCode(term), "asBytes") => Ok(Value::Bytes(vec![term])),
            (Value::HashCode(term), "toString") => Ok(Value::Text(vec![step(term, "hex", [])])),
            (Value::Random, "nextInt") => {
                let (value, at) = only(given, span)?;
                let buckets = self.constant(value, at)?;
                let range = (0, i128::from(buckets) - 1);
                Ok(Value::Number(Number::within(terms::salt(buckets), JavaType::Int, range)))
            }
            (Value::Formatter(pattern), "format") => {
                let (value, at) = only(given, span)?;
                self.time_text(&pattern, value, at).map(Value::Text)
            }
            (object @ Value::Time(..), _) => self.of_time(object, name, given, span),
            (Value::Strings(texts), "mkString") => {
                let (separator, at) = only(given, span)?;
                let separator = self.text(separator, at)?;
                Ok(Value::Text(separated(texts, &separator)))
            }
            (object @ (Value::Number(_) | Value::Length(_)), _) => self.of_number(object, name, given, span),
            (Value::Field(at, path), _) => {
                let kind = self.fields.get(at).map(|field| field.kind);
                let object = Value::Field(at, path);
                match (kind, name) {
                    (
                        Some(Kind::Time),
                        "getTime" | "toInstant" | "toEpochMilli" | "getEpochSecond" | "format",
                    ) => {
                        let (term, zone) = self.time(object, span)?;
                        self.of_time(Value::Time(term, zone), name, given, span)
                    }
                    (Some(Kind::Integer), _) if name.starts_with("to") => {
                        self.of_number(object, name, given, span)
                    }
                    (Some(Kind::Text | Kind::Integer), _) => {
                        let is_text = kind == Some(Kind::Text) || name == "toString";
                        if is_text {
                            self.of_string(object, name, given, span)
                        } else {
                            Err(Unread::new(span))
                        }
                    }
                    (_, "toString") if given.is_empty() => self.text(object, span).map(Value::Text),
                    _ => Err(Unread::new(span)),
                }
            }
            (Value::Text(pattern), "format") if terms::literal(&pattern).is_some() => {
                let pattern = terms::literal(&pattern).unwrap_or_default().to_owned();
                let values = given.drain(..).map(|(value, _)| value).collect();
                self.formatted(&pattern, values, span).map(Value::Text)
            }
            (object, _) => self.of_string(object, name, given, span),
        }
    }

    fn of_hasher(
        &mut self,
        of: &'static str,
        seed: Option<i64>,
        name: &str,
        mut given: Vec<Placed>,
        span: CodeSpan,
    ) -> Result<Value> {
        if name == "hash" && terms::digest_width(of).is_none() {
            let seed = match given.len() {
                2 => {
                    let (seed, at) = given.pop().ok_or(Unread::new(span))?;
                    Some(self.constant(seed, at)?)
                }
                _ => seed,
            };
            let (value, at) = only(given, span)?;
            return Ok(hashed(self.bytes(value, at)?, of, seed));
        }
        let fed = match name {
            "hashString" if given.len() == 2 && is_utf8(given.get(1..).unwrap_or_default()) => {
                let (value, at) = given.swap_remove(0);
                self.text(value, at)?
            }
            "hashBytes" => {
                let (value, at) = only(given, span)?;
                self.bytes(value, at)?
            }
            _ => return Err(Unread::new(span)),
        };
        if terms::digest_width(of).is_some() {
            return Ok(Value::HashCode(step(terms::joined(fed), of, [])));
        }
        Ok(Value::ShortHashCode(step(terms::joined(fed), of, seed.map(number))))
    }

    fn of_time(&mut self, object: Value, name: &str, given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        let (term, zone) = self.time(object, span)?;
        let number =
            |unit: &str| Value::Number(Number::of_field(step(term.clone(), unit, []), JavaType::Long));
        match name {
            "getTime" | "toEpochMilli" | "getTimeInMillis" | "getMillis" => Ok(number("millis")),
            "getEpochSecond" => Ok(number("seconds")),
            "toInstant" => Ok(Value::Time(term, zone)),
            "atZone" | "atOffset" => {
                let (value, at) = only(given, span)?;
                let zone = zone_named(&value).ok_or(Unread::new(at))?;
                Ok(Value::Time(term, Some(zone)))
            }
            "format" => match only(given, span)? {
                (Value::Formatter(pattern), at) => {
                    self.time_text(&pattern, Value::Time(term, zone), at).map(Value::Text)
                }
                (_, at) => Err(Unread::new(at)),
            },
            _ => Err(Unread::new(span)),
        }
    }

    fn of_number(&mut self, object: Value, name: &str, given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        if !given.is_empty() {
            return Err(Unread::new(span));
        }
        let to = match name {
            "toByte" | "byteValue" => JavaType::Byte,
            "toShort" | "shortValue" => JavaType::Short,
            "toInt" | "intValue" => JavaType::Int,
            "toLong" | "longValue" => JavaType::Long,
            "toString" => return self.text(object, span).map(Value::Text),
            "abs" => {
                let number = self.number(object, span)?;
                return numbers::abs(number, span).map(Value::Number);
            }
            _ => return Err(Unread::new(span)),
        };
        self.cast(object, to, span)
    }

    /// Methods of texts.
    fn of_string(
        &mut self,
        object: Value,
        name: &str,
        mut given: Vec<Placed>,
        span: CodeSpan,
    ) -> Result<Value> {
        if let Value::Bytes(bytes) = &object
            && matches!(name, "take")
        {
            let (length, at) = only(given, span)?;
            let length = self.constant(length, at)?;
            return self.first_bytes(Value::Bytes(bytes.clone()), length, span);
        }
        if name == "length" && given.is_empty() {
            return self.length(object, span);
        }
        let text = self.text(object, span)?;
        let all = |run: &mut Self, of: Terms, name: &str| {
            let _ = run;
            Ok(Value::Text(vec![step(terms::joined(of), name, [])]))
        };
        match name {
            "toString" | "intern" if given.is_empty() => Ok(Value::Text(text)),
            "concat" => {
                let (value, at) = only(given, span)?;
                let mut whole = text;
                terms::push(&mut whole, self.text(value, at)?);
                Ok(Value::Text(whole))
            }
            "getBytes" if is_utf8(&given) => Ok(Value::Bytes(text)),
            "hashCode" if given.is_empty() => Ok(hashed(text, "javaHash", None)),
            "reverse" if given.is_empty() => all(self, text, "reverse"),
            "toUpperCase" => all(self, text, "upper"),
            "toLowerCase" => all(self, text, "lower"),
            "substring" => self.substring(Value::Text(text), given, span),
            "take" => {
                let zero = (Value::Number(Number::constant(0, JavaType::Int)), span);
                given.insert(0, zero);
                self.substring(Value::Text(text), given, span)
            }
            "charAt" => {
                let (at, at_span) = only(given, span)?;
                let at = self.constant(at, at_span)?;
                let ends = [number(at), number(at.saturating_add(1))];
                Ok(Value::CharOf(step(terms::joined(text), "substring", ends)))
            }
            "toLong" if given.is_empty() => self.parsed(Value::Text(text), JavaType::Long, span),
            "toInt" if given.is_empty() => self.parsed(Value::Text(text), JavaType::Int, span),
            _ => Err(Unread::new(span)),
        }
    }

    fn substring(&mut self, value: Value, given: Vec<Placed>, span: CodeSpan) -> Result<Value> {
        let term = terms::joined(self.text(value, span)?);
        let mut ends = Vec::new();
        for (value, at) in given {
            ends.push(self.constant(value, at)?);
        }
        let (from, to) = match ends.as_slice() {
            [from, to] => (*from, *to),
            [from] => match terms::width(&term) {
                Some(width) => (*from, width),
                None => return Ok(Value::Text(vec![step(term, "substring", [number(*from)])])),
            },
            _ => return Err(Unread::new(span)),
        };
        let short = if from == 0 { terms::shortened(&term, to) } else { None };
        Ok(Value::Text(vec![short.unwrap_or_else(|| step(term, "substring", [number(from), number(to)]))]))
    }

    /// Functions that write into an array.
    pub fn array_call(
        &mut self,
        class: &str,
        name: &str,
        given: &[Expression],
        span: CodeSpan,
    ) -> Result<Option<Value>> {
        let (array, at, written) = match (class, name, given) {
            ("Bytes", "putLong" | "putInt" | "putShort" | "putByte", [array, at, value]) => {
                let value_of = self.value(value)?;
                let written = match name {
                    "putByte" => self.byte(value_of, value.span)?,
                    _ => self.put_in_buffer(name, value_of, value.span)?,
                };
                (array, at, written)
            }
            ("Bytes", "putBytes", [array, at, value, from, length])
            | ("System", "arraycopy", [value, from, array, at, length]) => {
                let source = self.value(value)?;
                let (from, own) = (self.value(from)?, self.value(length)?);
                let whole = self.length(source.clone(), value.span)?;
                let is_whole = match (&whole, &own) {
                    (Value::Length(whole), Value::Length(own)) => whole == own,
                    (Value::Length(whole), Value::Number(own)) => {
                        whole.of.is_empty() && own.known() == Some(whole.fixed)
                    }
                    _ => false,
                };
                let written = if is_whole && self.constant(from.clone(), span)? == 0 {
                    self.bytes(source, value.span)?
                } else if self.constant(from, span)? == 0 {
                    let length = self.constant(own, length.span)?;
                    let Value::Bytes(bytes) = self.first_bytes(source, length, value.span)? else {
                        return Err(Unread::new(span));
                    };
                    bytes
                } else {
                    return Err(Unread::because(span, "code.no-step"));
                };
                (array, at, written)
            }
            _ => return Ok(None),
        };
        let ExpressionKind::Name(name) = &array.kind else { return Err(Unread::new(span)) };
        let place = self.value(at)?;
        let place = self.constant(place, at.span)?;
        let value = self.value(array)?;
        let (value, end) = self.put(value, place, written, span)?;
        self.change(name, value);
        Ok(Some(if class == "System" {
            Value::Nothing
        } else {
            Value::Number(Number::constant(end.into(), JavaType::Int))
        }))
    }
}

/// Texts with a separator between them.
fn separated(texts: Vec<Terms>, separator: &Terms) -> Terms {
    let mut all = Terms::new();
    for (at, text) in texts.into_iter().enumerate() {
        if at > 0 {
            terms::push(&mut all, separator.clone());
        }
        terms::push(&mut all, text);
    }
    all
}

/// The number that the first bytes of a digest, or of a number, are.
fn number_in(bytes: Terms, name: &str, of: JavaType) -> Option<Number> {
    let [term] = bytes.as_slice() else { return None };
    let last = term.steps.last()?.name.as_str();
    let is_binary = terms::digest_width(last).is_some() || ["raw", "int16", "int32", "int64"].contains(&last);
    let fits = i64::from(of.bits()?) <= 8 * terms::width(term)?;
    (is_binary && fits)
        .then(|| Number::within(step(term.clone(), name, []), of, of.range().unwrap_or_default()))
}

/// The number that digits of a digest are, where all of them fit.
fn number_of_hex(text: Terms, of: JavaType) -> Option<Number> {
    let [term] = text.as_slice() else { return None };
    let is_hex = matches!(term.steps.last()?.name.as_str(), "hex" | "HEX");
    let width =
        terms::width(term).filter(|width| is_hex && *width < i64::from(of.bits().unwrap_or(0)) / 4)?;
    let most = (1i128 << (4 * width)) - 1;
    Some(Number::within(step(term.clone(), "number", [number(16)]), of, (0, most)))
}

/// Bytes that are those of a text, as the text.
fn text_of_bytes(bytes: Terms) -> Option<Value> {
    let is_text = |term: &Term| match term.steps.last() {
        None => !matches!(term.source, crate::formula::syntax::TermSource::Bytes(_)),
        Some(last) => matches!(
            last.name.as_str(),
            "hex"
                | "HEX"
                | "decimal"
                | "substring"
                | "before"
                | "reverse"
                | "upper"
                | "lower"
                | "pad"
                | "format"
                | "string"
        ),
    };
    bytes.iter().all(is_text).then_some(Value::Text(bytes))
}

/// The zone that a value names.
fn zone_named(value: &Value) -> Option<String> {
    let Value::Unknown(path) = value else { return None };
    if path.ends_with("ZoneOffset.UTC") {
        return Some("Z".to_owned());
    }
    match path.strip_prefix("zone.")? {
        "UTC" | "GMT" | "Z" => Some("Z".to_owned()),
        name => {
            let offset = name.strip_prefix("GMT").or(name.strip_prefix("UTC")).unwrap_or(name);
            crate::records::field::time::zone_offset(Some(offset)).ok().map(|_| offset.to_owned())
        }
    }
}
