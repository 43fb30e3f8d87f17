//! The promises of every entry of the table, tried on random values.

use super::STEPS;
use super::samples::samples;
use super::step::{ArgumentValue, BoundStep, DIGITS, Step, StepParameter};
use crate::base::units::{DAY, SECOND};
use crate::bytes::codec::decimal::Decimal;
use crate::bytes::strings::ByteStrings;
use crate::formula::lookup::Lookup;
use crate::formula::syntax::{GivenArgument, TermSource};
use crate::formula::vector::Vector;
use crate::records::field::shape::{Alphabet, Order, Shape, Width, decimal_width};
use crate::records::field::{Kind, float};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A column of values with the shape they have.
type Column = (Shape, Vector);

/// A field of this kind, as wide and from this set of bytes.
fn field(kind: Kind, alphabet: Alphabet, width: Width) -> Shape {
    Shape {
        kind,
        order: Order::Strict,
        one_to_one: true,
        distinct: None,
        width,
        alphabet,
        by_position: Vec::new(),
        range: None,
        offset: 0,
        unit: 1,
        terminator: None,
        prefix_free: false,
        keeps: None,
        scale: Some(1),
        null: None,
    }
}

fn strings(texts: Vec<Vec<u8>>) -> Vector {
    let mut strings = ByteStrings::default();
    texts.iter().for_each(|text| strings.push(text));
    Vector::Strings(strings)
}

/// Input columns of a kind, with the shape they have.
fn inputs(kind: Kind) -> BoxedStrategy<Column> {
    match kind {
        Kind::Text => text_inputs(),
        Kind::Bytes => byte_inputs(),
        Kind::Float => prop_oneof![
            prop::collection::vec(any::<f64>(), 1..20),
            prop::collection::vec(prop::sample::select(FLOATS), 1..20),
        ]
        .prop_map(move |numbers| {
            let bits = numbers.into_iter().map(float::bits).collect();
            (field(kind, Alphabet::ALL, decimal_width(None)), Vector::Integers(bits))
        })
        .boxed(),
        Kind::Decimal => prop::collection::vec((any::<i128>(), 0u32..128, -8i32..8), 1..20)
            .prop_map(move |numbers| {
                let text = |&(unscaled, shift, scale): &(i128, u32, i32)| {
                    let number = Decimal::from_unscaled_bytes(&(unscaled >> shift).to_be_bytes(), scale);
                    number.expect("a decimal").to_string().into_bytes()
                };
                let texts = numbers.iter().map(text).collect();
                (field(kind, Alphabet::ALL, Width::UNBOUNDED), strings(texts))
            })
            .boxed(),
        Kind::Boolean => prop::collection::vec(0i64..2, 1..20)
            .prop_map(move |values| {
                let shape = field(kind, Alphabet::ALL, Width::fixed(1));
                (Shape { range: Some((0, 1)), ..shape }, Vector::Integers(values))
            })
            .boxed(),
        Kind::Integer | Kind::Time => number_inputs(kind),
    }
}

fn text_inputs() -> BoxedStrategy<Column> {
    let ascii = Alphabet::of(&std::array::from_fn::<u8, 128, _>(|byte| byte as u8));
    let texts = |pattern: &'static str, alphabet, width| {
        let texts = prop::collection::vec(pattern.prop_map(String::into_bytes), 1..20);
        texts.prop_map(move |texts| (field(Kind::Text, alphabet, width), strings(texts)))
    };
    prop_oneof![
        texts("[a-cA-C0-2 !]{0,12}", ascii, Width::UNBOUNDED),
        texts("[ !0-2ABabc]|ab|", ascii, Width::UNBOUNDED),
        texts("[0-9]{11}", DIGITS, Width::fixed(11)),
        texts("\\PC{0,8}", Alphabet::UTF8, Width::UNBOUNDED),
    ]
    .boxed()
}

fn byte_inputs() -> BoxedStrategy<Column> {
    let shape = |width| field(Kind::Bytes, Alphabet::ALL, width);
    prop_oneof![
        prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 1..20)
            .prop_map(move |bytes| (shape(Width::UNBOUNDED), strings(bytes))),
        prop::collection::vec(prop::collection::vec(0u8..3, 16), 1..20)
            .prop_map(move |bytes| (shape(Width::fixed(16)), strings(bytes))),
    ]
    .boxed()
}

/// Numbers, or times, of which each is a whole number of their unit.
fn number_inputs(kind: Kind) -> BoxedStrategy<Column> {
    prop_oneof![
        prop::collection::vec(any::<i64>(), 1..20).prop_map(|values| (None, values)),
        prop::collection::vec(prop_oneof![any::<i32>(), Just(i32::MIN)], 1..20).prop_map(|values| {
            let values = values.into_iter().map(i64::from).collect();
            (Some((i32::MIN.into(), i32::MAX.into())), values)
        }),
        prop::collection::vec(-300i64..300, 1..20).prop_map(|values| (Some((-300, 299)), values)),
        prop::collection::vec(0i64..5, 1..20).prop_map(|values| (Some((0, 4)), values)),
        prop::collection::vec(1_000_000_000_000i64..1_900_000_000_000, 1..20)
            .prop_map(|values| (Some((1_000_000_000_000, 1_899_999_999_999)), values)),
    ]
    .prop_flat_map(move |(range, values)| {
        let offset =
            if kind == Kind::Time { prop_oneof![Just(0), Just(28_800_000)].boxed() } else { Just(0).boxed() };
        let unit = prop_oneof![Just(1), Just(SECOND), Just(DAY)];
        (offset, unit).prop_map(move |(offset, unit)| {
            let down = |value: i64| {
                let local = value.saturating_add(offset).div_euclid(unit).saturating_mul(unit);
                local.saturating_sub(offset)
            };
            let (unit, values) = match kind {
                Kind::Time => (unit, values.iter().map(|&value| down(value)).collect()),
                _ => (1, values.clone()),
            };
            let range = range.map(|(low, high)| (low.min(down(low)), high));
            let shape = field(kind, Alphabet::ALL, decimal_width(range));
            (Shape { range, offset, unit, ..shape }, Vector::Integers(values))
        })
    })
    .boxed()
}

/// The lookup tables of the samples: their texts occur among the inputs.
fn table(name: &str) -> Arc<Lookup> {
    let texts = ["", " ", "!", "0", "1", "2", "A", "B", "a", "ab", "b", "c"];
    let number = |place: i64| match name {
        "ASCENDING" => place * 1000 - 5,
        "DESCENDING" => -place,
        "MIXED" => place * 7 % 12,
        "SHARED" => place / 2,
        other => panic!("{other}"),
    };
    Arc::new(Lookup::new(texts.map(str::to_owned).into_iter().zip((0..).map(number)).collect()))
}

fn arguments(step: &Step, sample: &str) -> Vec<ArgumentValue> {
    let formula = crate::formula::parse(&format!("join{sample}")).expect("sample");
    let Some(TermSource::Call(call)) = formula.parts.first().map(|part| &part.source) else {
        panic!("{sample}")
    };
    let takes_table = matches!(step.parameters, [StepParameter::Table { .. }]);
    let value = |given: &GivenArgument| match given {
        GivenArgument::Number(number) => ArgumentValue::Number(*number),
        GivenArgument::Text(name) if takes_table => ArgumentValue::Table(table(name)),
        GivenArgument::Text(text) => ArgumentValue::Text(text.clone()),
        GivenArgument::Term(term) => panic!("{term}"),
    };
    call.arguments.iter().map(|argument| value(&argument.value)).collect()
}

/// Java's `compareTo`: decimals by value, floats with -0.0 before 0.0.
fn compare(kind: Kind, vector: &Vector, a: usize, b: usize) -> Ordering {
    let decimal = |text: &[u8]| Decimal::parse(text).expect("a decimal");
    match (vector, kind) {
        (Vector::Integers(values), Kind::Float) => {
            float::of_bits(values[a]).total_cmp(&float::of_bits(values[b]))
        }
        (Vector::Integers(values), _) => values[a].cmp(&values[b]),
        (Vector::Strings(values), Kind::Decimal) => {
            decimal(values.get(a)).compare_value(&decimal(values.get(b)))
        }
        (Vector::Strings(values), _) => values.get(a).cmp(values.get(b)),
    }
}

fn same(a: &Vector, b: &Vector, index: usize) -> bool {
    match (a, b) {
        (Vector::Integers(a), Vector::Integers(b)) => a[index] == b[index],
        (Vector::Strings(a), Vector::Strings(b)) => a.get(index) == b.get(index),
        _ => false,
    }
}

const FLOATS: &[f64] = &[-0.0, 0.0, 1.0, -1.0, 12.5, 1e7, 1e-4, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

fn check(step: &Step, sample: &str, shape: &Shape, input: &Vector) -> Result<(), TestCaseError> {
    let Ok(bound) = step.bind(&arguments(step, sample), shape) else { return Ok(()) };
    let mut output = bound.operation.output();
    let mut refused = Vec::new();
    bound.operation.apply(input, &mut output, &mut refused);
    prop_assert_eq!(output.len(), input.len());
    let accepted: Vec<usize> = (0..input.len())
        .filter(|&index| !refused.iter().any(|&(other, _)| other as usize == index))
        .collect();
    check_inverse(&bound, input, &output, &accepted)?;
    check_values(step, &bound, shape, &output, &accepted)?;
    for &a in &accepted {
        for &b in &accepted {
            let before = compare(shape.kind, input, a, b);
            let after = compare(step.gives, &output, a, b);
            prop_assert!(!bound.one_to_one || before == Ordering::Equal || after != Ordering::Equal);
            let kept = match bound.order {
                Order::Strict => after == before,
                Order::Weak => after == before || after == Ordering::Equal,
                Order::Reversed => after == before.reverse(),
                Order::WeakReversed => after == before.reverse() || after == Ordering::Equal,
                Order::Cyclic => {
                    let Vector::Integers(values) = input else { continue };
                    let before_turn = bound.operation.turn(values[a]).is_some_and(|turn| values[b] < turn);
                    before != Ordering::Less || !before_turn || after != Ordering::Greater
                }
                Order::None => true,
            };
            prop_assert!(kept, "{before:?} became {after:?}");
        }
    }
    Ok(())
}

/// The inverse gives an input that leads to the same result: the very one if the step is one-to-one.
fn check_inverse(
    bound: &BoundStep,
    input: &Vector,
    output: &Vector,
    accepted: &[usize],
) -> Result<(), TestCaseError> {
    prop_assert!(!bound.one_to_one || bound.inverse.is_some());
    let Some(inverse) = &bound.inverse else { return Ok(()) };
    let mut back = inverse.output();
    let mut not_back = Vec::new();
    inverse.apply(output, &mut back, &mut not_back);
    prop_assert_eq!(back.len(), output.len());
    let mut again = bound.operation.output();
    bound.operation.apply(&back, &mut again, &mut Vec::new());
    for &index in accepted {
        prop_assert!(!not_back.iter().any(|&(other, _)| other as usize == index), "{output:?}");
        prop_assert!(!bound.one_to_one || same(&back, input, index), "{output:?} became {back:?}");
        prop_assert!(same(&again, output, index), "{output:?} became {again:?}");
    }
    Ok(())
}

/// Each result has the width, the bytes and the range that the step declares, and together they are as many as it says.
fn check_values(
    step: &Step,
    bound: &BoundStep,
    shape: &Shape,
    output: &Vector,
    accepted: &[usize],
) -> Result<(), TestCaseError> {
    let fits = |width: u64| width >= bound.width.min && bound.width.max.is_none_or(|max| width <= max);
    let mut distinct = BTreeSet::new();
    for &index in accepted {
        match output {
            Vector::Integers(values) => {
                let value = values[index];
                let (low, high) = bound.range.unwrap_or((i64::MIN, i64::MAX));
                prop_assert!((low..=high).contains(&value), "{value} is outside {low}..={high}");
                if step.gives == Kind::Time {
                    prop_assert_eq!(value.wrapping_add(shape.offset) % bound.unit, 0);
                }
                prop_assert!(fits(value.to_string().len() as u64));
                distinct.insert(value.to_be_bytes().to_vec());
            }
            Vector::Strings(values) => {
                let value = values.get(index);
                prop_assert!(fits(value.len() as u64), "{value:?}");
                prop_assert!(value.iter().all(|&byte| bound.alphabet.contains(byte)), "{value:?}");
                prop_assert!(
                    value.iter().zip(&bound.by_position).all(|(&byte, set)| set.contains(byte)),
                    "{value:?}"
                );
                if let Some(terminator) = bound.terminator {
                    let found = value.iter().position(|&byte| byte == terminator);
                    prop_assert_eq!(found, value.len().checked_sub(1), "{:?}", value);
                }
                distinct.insert(value.to_vec());
            }
        }
    }
    prop_assert!(bound.distinct.is_none_or(|most| distinct.len() as u64 <= most));
    // Sorted, a result stands right before those it is the beginning of.
    let begins = |(a, b): (&Vec<u8>, &Vec<u8>)| b.starts_with(a);
    prop_assert!(
        !bound.prefix_free || !distinct.iter().zip(distinct.iter().skip(1)).any(begins),
        "{distinct:?}"
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn every_step_keeps_what_it_declares(
        columns in Kind::ALL.map(inputs),
    ) {
        for step in STEPS {
            for (shape, input) in &columns {
                for sample in samples(step.name).iter().filter(|_| step.takes.contains(&shape.kind)) {
                    check(step, sample, shape, input).map_err(|error| {
                        TestCaseError::fail(format!("{}{sample} of {:?}: {error} with {input:?}", step.name, shape.kind))
                    })?;
                }
            }
        }
    }
}

#[test]
fn samples_of_every_step_bind_to_some_input_it_takes() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for step in STEPS {
        for sample in samples(step.name) {
            let binds = step.takes.iter().any(|&kind| {
                (0..20).any(|_| {
                    let tree = inputs(kind).new_tree(&mut runner).expect("input");
                    step.bind(&arguments(step, sample), &proptest::strategy::ValueTree::current(&tree).0)
                        .is_ok()
                })
            });
            assert!(binds, "{}{sample}", step.name);
        }
    }
}
