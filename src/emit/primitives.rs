//! Which primitives a step is, what they take and give, and what they are called with.

use crate::formula::steps::ArgumentValue;
use crate::records::field::Kind;
use crate::records::field::shape::Shape;
use std::borrow::Cow;

/// The type of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CodeKind {
    Text,
    Bytes,
    /// A number, time, truth value: anything that is no string.
    Other,
}

/// A function that every language brings or does without.
#[derive(Clone, Copy)]
pub(super) struct Primitive {
    name: &'static str,
    /// True if it takes text; others take its bytes.
    pub of_text: bool,
    gives: CodeKind,
}

/// Applied to bytes, or to anything that is no string.
const fn primitive(name: &'static str, gives: CodeKind) -> Primitive {
    Primitive { name, of_text: false, gives }
}

const fn of_text(name: &'static str, gives: CodeKind) -> Primitive {
    Primitive { name, of_text: true, gives }
}

const ABS_INT: Primitive = primitive("absInt", CodeKind::Other);
const ABSOLUTE: Primitive = primitive("absolute", CodeKind::Other);
const APPEND: Primitive = primitive("append", CodeKind::Bytes);
const BYTES_HASH: Primitive = primitive("bytesHash", CodeKind::Other);
const FITS32: Primitive = primitive("fits32", CodeKind::Other);
const FIXED: Primitive = primitive("fixed", CodeKind::Bytes);
const FLIPPED: Primitive = primitive("flipped", CodeKind::Bytes);
const FLOAT32: Primitive = primitive("float32", CodeKind::Bytes);
const FLOAT64: Primitive = primitive("float64", CodeKind::Bytes);
const FLOOR_DIV: Primitive = primitive("floorDiv", CodeKind::Other);
const FORMAT: Primitive = primitive("format", CodeKind::Text);
const FULL: Primitive = primitive("full", CodeKind::Bytes);
const HEAD: Primitive = primitive("head", CodeKind::Bytes);
const HEX: Primitive = primitive("hex", CodeKind::Text);
const HEX_NUMBER: Primitive = of_text("hexNumber", CodeKind::Other);
const INCREMENTED: Primitive = primitive("incremented", CodeKind::Bytes);
const INVERT: Primitive = primitive("invert", CodeKind::Bytes);
const LOW: Primitive = primitive("low", CodeKind::Bytes);
const MASKED: Primitive = primitive("masked", CodeKind::Other);
const MOD: Primitive = primitive("mod", CodeKind::Other);
const NATURAL: Primitive = primitive("natural", CodeKind::Other);
const NO_ZERO: Primitive = primitive("noZero", CodeKind::Bytes);
const NUMBER: Primitive = of_text("number", CodeKind::Other);
const NUMERIC: Primitive = primitive("numeric", CodeKind::Bytes);
const OPENTSDB_BUCKET: Primitive = primitive("opentsdbBucket", CodeKind::Other);
const PAD_BLANKS: Primitive = primitive("padBlanks", CodeKind::Bytes);
const PAD_TAIL: Primitive = primitive("padTail", CodeKind::Bytes);
const PAD_TO: Primitive = primitive("padTo", CodeKind::Bytes);
const NULL_FIRST: Primitive = primitive("nullFirst", CodeKind::Bytes);
const PHOENIX_DECIMAL: Primitive = primitive("phoenixDecimal", CodeKind::Bytes);
const POSITIVE: Primitive = primitive("positive", CodeKind::Other);
const PREFIX: Primitive = primitive("prefix", CodeKind::Bytes);
const REST: Primitive = of_text("restOf", CodeKind::Text);
const REVERSE: Primitive = of_text("reverse", CodeKind::Text);
const REVERSE_PARTS: Primitive = of_text("reverseParts", CodeKind::Text);
const SEVEN_BITS: Primitive = primitive("sevenBits", CodeKind::Bytes);
const SIGNED_OF: Primitive = primitive("signedOf", CodeKind::Other);
const SORTABLE: Primitive = primitive("sortable", CodeKind::Bytes);
const STRING: Primitive = primitive("string", CodeKind::Bytes);
const SUBSTRING: Primitive = of_text("substring", CodeKind::Text);
const TRUNCATE: Primitive = primitive("truncate", CodeKind::Other);
const TRUTH: Primitive = primitive("truth", CodeKind::Bytes);
const UNSIGNED: Primitive = primitive("unsigned", CodeKind::Bytes);
const UNSIGNED_OF: Primitive = primitive("unsignedOf", CodeKind::Other);
const UPPER: Primitive = of_text("upper", CodeKind::Text);
const WITHIN: Primitive = primitive("within", CodeKind::Other);
const WORDS: Primitive = primitive("words", CodeKind::Text);

/// Steps that are one primitive of their own name; those of bytes that give bytes are not listed.
const OWN: &[Primitive] = &[
    UPPER,
    of_text("lower", CodeKind::Text),
    of_text("part", CodeKind::Text),
    of_text("before", CodeKind::Text),
    of_text("after", CodeKind::Text),
    of_text("pad", CodeKind::Text),
    of_text("lookup", CodeKind::Other),
    of_text("javaHash", CodeKind::Other),
    primitive("decimal", CodeKind::Text),
    primitive("plus", CodeKind::Other),
    primitive("div", CodeKind::Other),
    MOD,
    primitive("floorMod", CodeKind::Other),
    primitive("reverseLong", CodeKind::Other),
    primitive("crc32", CodeKind::Other),
    primitive("murmur", CodeKind::Other),
    primitive("murmur3", CodeKind::Other),
    primitive("jenkins", CodeKind::Other),
    BYTES_HASH,
];

impl Primitive {
    /// The primitive that bears the name of a step.
    fn of_step(name: &'static str) -> Self {
        OWN.iter().copied().find(|own| own.name == name).unwrap_or(primitive(name, CodeKind::Bytes))
    }
}

/// When a primitive is called.
#[derive(Clone, Copy)]
enum CallCondition {
    Always,
    /// The step has more arguments than these.
    MoreThan(usize),
    /// The step has no more arguments than these.
    AtMost(usize),
    Ascending,
    Descending,
    /// A byte ends the value.
    Separated,
    /// Phoenix takes an empty value for NULL, which has no place here.
    FullOnly,
    /// The value may be NULL, which sorts first in descending order, too.
    DescendingNull,
    /// The number is known to fit 32 bits.
    Fits32,
    /// It is not.
    Wide,
}

/// Arguments of a primitive besides the value.
#[derive(Clone, Copy)]
pub(super) enum CallArgument {
    Number(i64),
    /// An argument of the step.
    Argument(usize),
    /// Bytes by their hexadecimal digits.
    Bytes(&'static str),
    /// The milliseconds of the field's zone.
    Zone,
    /// The milliseconds of the period that the first argument is.
    Period,
    /// All arguments of the step.
    All,
    /// All of them as one list.
    List,
}

use CallArgument::{All, Argument, Bytes, List, Number, Period, Zone};
use CallCondition::{
    Always, Ascending, AtMost, Descending, DescendingNull, Fits32, FullOnly, MoreThan, Separated, Wide,
};

/// A call of a primitive.
#[derive(Clone, Copy)]
pub(super) struct StepCall {
    when: CallCondition,
    pub primitive: Primitive,
    /// True if the kind of a value that is no string is added to the name: `hexInteger`.
    by_kind: bool,
    pub given: &'static [CallArgument],
}

const fn call(primitive: Primitive, given: &'static [CallArgument]) -> StepCall {
    StepCall { when: Always, primitive, by_kind: false, given }
}

const fn by_kind(primitive: Primitive, given: &'static [CallArgument]) -> StepCall {
    StepCall { when: Always, primitive, by_kind: true, given }
}

const fn when(when: CallCondition, primitive: Primitive, given: &'static [CallArgument]) -> StepCall {
    StepCall { when, primitive, by_kind: false, given }
}

/// The end that many encodings share.
const INVERTED: StepCall = when(Descending, INVERT, &[]);
const ENDED: StepCall = call(APPEND, &[Bytes("00")]);
const ENDED_IF_SEPARATED: StepCall = when(Separated, APPEND, &[Bytes("00")]);

/// The calls of steps, in order; a step that is not listed is the primitive of its own name, with all arguments.
const STEPS: &[(&str, &[StepCall])] = &[
    ("reverse", &[when(AtMost(0), REVERSE, &[]), when(MoreThan(0), REVERSE_PARTS, &[All])]),
    ("substring", &[when(AtMost(1), REST, &[All]), when(MoreThan(1), SUBSTRING, &[All])]),
    ("number", &[when(AtMost(0), NUMBER, &[]), when(MoreThan(0), HEX_NUMBER, &[])]),
    ("toShort", &[call(SIGNED_OF, &[Number(2)])]),
    ("toInt", &[call(SIGNED_OF, &[Number(4)])]),
    ("toLong", &[call(SIGNED_OF, &[Number(8)])]),
    ("toUnsigned", &[call(UNSIGNED_OF, &[All])]),
    ("seconds", &[call(FLOOR_DIV, &[Number(1000)])]),
    ("millis", &[]),
    ("truncate", &[call(TRUNCATE, &[Period, Zone])]),
    ("offset", &[call(WITHIN, &[Period, Zone])]),
    ("format", &[call(FORMAT, &[Argument(0), Zone])]),
    ("abs", &[when(Fits32, ABS_INT, &[]), when(Wide, ABSOLUTE, &[])]),
    ("and", &[call(MASKED, &[Argument(0)])]),
    ("words", &[call(WORDS, &[List])]),
    (
        "phoenixSalt",
        &[
            call(BYTES_HASH, &[]),
            call(MOD, &[Argument(0)]),
            call(ABSOLUTE, &[]),
            call(UNSIGNED, &[Number(1)]),
        ],
    ),
    (
        "hbasewdSalt",
        &[call(BYTES_HASH, &[]), call(ABS_INT, &[]), call(MOD, &[Argument(0)]), call(LOW, &[Number(1)])],
    ),
    (
        "opentsdbSalt",
        &[
            call(OPENTSDB_BUCKET, &[Argument(0)]),
            when(MoreThan(1), LOW, &[Argument(1)]),
            when(AtMost(1), LOW, &[Number(1)]),
        ],
    ),
    ("text", &[when(MoreThan(0), PAD_TAIL, &[Argument(0)])]),
    ("terminated", &[call(NO_ZERO, &[]), ENDED]),
    ("string", &[by_kind(STRING, &[])]),
    ("hex", &[by_kind(HEX, &[All])]),
    ("HEX", &[by_kind(HEX, &[All]), call(UPPER, &[])]),
    ("raw", &[when(MoreThan(0), HEAD, &[Argument(0)])]),
    ("uint8", &[call(UNSIGNED, &[Number(1)])]),
    ("uint16", &[call(UNSIGNED, &[Number(2)])]),
    ("uint24", &[call(UNSIGNED, &[Number(3)])]),
    ("uint32", &[call(UNSIGNED, &[Number(4)])]),
    ("int8", &[call(FIXED, &[Number(1)])]),
    ("int16", &[call(FIXED, &[Number(2)])]),
    ("int32", &[call(FIXED, &[Number(4)])]),
    ("int64", &[call(FIXED, &[Number(8)])]),
    ("float32", &[call(FITS32, &[]), call(FLOAT32, &[])]),
    ("boolean", &[call(TRUTH, &[Bytes("00"), Bytes("ff")])]),
    ("ordered.int8", &[call(FLIPPED, &[Number(1)]), call(PREFIX, &[Bytes("29")]), INVERTED]),
    ("ordered.int16", &[call(FLIPPED, &[Number(2)]), call(PREFIX, &[Bytes("2a")]), INVERTED]),
    ("ordered.int32", &[call(FLIPPED, &[Number(4)]), call(PREFIX, &[Bytes("2b")]), INVERTED]),
    ("ordered.int64", &[call(FLIPPED, &[Number(8)]), call(PREFIX, &[Bytes("2c")]), INVERTED]),
    ("ordered.float32", &[call(FLOAT32, &[]), call(SORTABLE, &[]), call(PREFIX, &[Bytes("30")]), INVERTED]),
    ("ordered.float64", &[call(FLOAT64, &[]), call(SORTABLE, &[]), call(PREFIX, &[Bytes("31")]), INVERTED]),
    ("ordered.numeric", &[by_kind(NUMERIC, &[]), INVERTED]),
    ("ordered.string", &[call(NO_ZERO, &[]), call(PREFIX, &[Bytes("34")]), ENDED, INVERTED]),
    ("ordered.blobVar", &[call(SEVEN_BITS, &[]), call(PREFIX, &[Bytes("37")]), INVERTED]),
    (
        "ordered.blobCopy",
        &[
            when(Descending, NO_ZERO, &[]),
            call(PREFIX, &[Bytes("38")]),
            when(Descending, APPEND, &[Bytes("00")]),
            INVERTED,
        ],
    ),
    ("phoenix.tinyint", &[call(FLIPPED, &[Number(1)]), INVERTED]),
    ("phoenix.smallint", &[call(FLIPPED, &[Number(2)]), INVERTED]),
    ("phoenix.integer", &[call(FLIPPED, &[Number(4)]), INVERTED]),
    ("phoenix.bigint", &[call(FLIPPED, &[Number(8)]), INVERTED]),
    ("phoenix.unsignedTinyint", &[call(NATURAL, &[]), call(FIXED, &[Number(1)]), INVERTED]),
    ("phoenix.unsignedSmallint", &[call(NATURAL, &[]), call(FIXED, &[Number(2)]), INVERTED]),
    ("phoenix.unsignedInt", &[call(NATURAL, &[]), call(FIXED, &[Number(4)]), INVERTED]),
    ("phoenix.unsignedLong", &[call(NATURAL, &[]), call(FIXED, &[Number(8)]), INVERTED]),
    (
        "phoenix.float",
        &[call(FITS32, &[]), call(FLOAT32, &[]), call(SORTABLE, &[]), call(INCREMENTED, &[]), INVERTED],
    ),
    ("phoenix.double", &[call(FLOAT64, &[]), call(SORTABLE, &[]), call(INCREMENTED, &[]), INVERTED]),
    ("phoenix.unsignedFloat", &[call(POSITIVE, &[]), call(FITS32, &[]), call(FLOAT32, &[]), INVERTED]),
    ("phoenix.unsignedDouble", &[call(POSITIVE, &[]), call(FLOAT64, &[]), INVERTED]),
    (
        "phoenix.decimal",
        &[by_kind(PHOENIX_DECIMAL, &[]), ENDED_IF_SEPARATED, INVERTED, when(DescendingNull, NULL_FIRST, &[])],
    ),
    (
        "phoenix.boolean",
        &[
            when(Descending, TRUTH, &[Bytes("01"), Bytes("00")]),
            when(Ascending, TRUTH, &[Bytes("00"), Bytes("01")]),
        ],
    ),
    (
        "phoenix.varchar",
        &[
            when(FullOnly, FULL, &[]),
            when(Separated, NO_ZERO, &[]),
            ENDED_IF_SEPARATED,
            INVERTED,
            when(DescendingNull, NULL_FIRST, &[]),
        ],
    ),
    ("phoenix.varbinary", &[INVERTED]),
    ("phoenix.char", &[call(PAD_BLANKS, &[Argument(1)]), INVERTED]),
    ("phoenix.binary", &[call(FULL, &[]), call(PAD_TO, &[Argument(1)]), INVERTED]),
    ("phoenix.date", &[call(FLIPPED, &[Number(8)]), INVERTED]),
    ("phoenix.time", &[call(FLIPPED, &[Number(8)]), INVERTED]),
    ("phoenix.timestamp", &[call(FLIPPED, &[Number(8)]), call(APPEND, &[Bytes("00000000")]), INVERTED]),
    ("phoenix.unsignedDate", &[call(NATURAL, &[]), call(FIXED, &[Number(8)]), INVERTED]),
    ("phoenix.unsignedTime", &[call(NATURAL, &[]), call(FIXED, &[Number(8)]), INVERTED]),
    (
        "phoenix.unsignedTimestamp",
        &[call(NATURAL, &[]), call(FIXED, &[Number(8)]), call(APPEND, &[Bytes("00000000")]), INVERTED],
    ),
];

/// The calls that a step with these arguments is for this input.
pub(super) fn calls(
    step: &'static str,
    input: &Shape,
    arguments: &[ArgumentValue],
) -> impl Iterator<Item = StepCall> + use<> {
    let listed = STEPS.iter().find(|(name, _)| *name == step).map(|listed| listed.1);
    let own = listed.is_none().then(|| call(Primitive::of_step(step), &[All]));
    let says =
        |word: &str| arguments.iter().any(|given| matches!(given, ArgumentValue::Text(text) if text == word));
    let (descending, separated, count) = (says("desc"), says("separated"), arguments.len());
    let nullable = input.null.is_some();
    let (low, high) = input.range.unwrap_or((i64::MIN, i64::MAX));
    let fits32 = low >= i32::MIN.into() && high <= i32::MAX.into();
    let holds = move |call: &StepCall| match call.when {
        Always => true,
        MoreThan(most) => count > most,
        AtMost(most) => count <= most,
        Ascending => !descending,
        Descending => descending,
        Separated => separated,
        FullOnly => descending && !(separated && nullable),
        DescendingNull => descending && separated && nullable,
        Fits32 => fits32,
        Wide => !fits32,
    };
    listed.unwrap_or_default().iter().copied().chain(own).filter(holds)
}

impl StepCall {
    /// The name of the primitive for a value of this kind, and what it gives.
    pub fn named(&self, kind: Kind) -> (Cow<'static, str>, CodeKind) {
        let Primitive { name, gives, .. } = self.primitive;
        if !self.by_kind || matches!(kind, Kind::Text | Kind::Bytes) {
            return (name.into(), gives);
        }
        let mut kind = kind.name().to_owned();
        kind.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
        // The string of a number is text, that of a text its bytes.
        let gives = if name == STRING.name { CodeKind::Text } else { gives };
        ((name.to_owned() + &kind).into(), gives)
    }
}
