//! `words`: a number as one of the given words.

use super::operation::{NO_RESULT, read, written};
use super::step::{BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::bytes::sort::sort_distinct;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Order, Width};

/// 0 is the first word, 1 the second, and so on: a salt that is printed as `a-`, `b-`.
pub static WORDS: Step = Step {
    name: "words",
    takes: &[Kind::Integer],
    gives: Kind::Text,
    parameters: &[StepParameter::Texts { name: "a, b, …" }],
    required: 1,
    encoding: false,
    bind: |arguments, input| {
        let words: Vec<String> = arguments.texts().map(str::to_owned).collect();
        if let Some((low, high)) = input.range
            && (low < 0 || high >= words.len() as i64)
        {
            let problem = Problem::new("step.words-too-few").with("found", words.len());
            return Err(problem.with("low", low).with("high", high));
        }
        let sorted = |up: bool| words.windows(2).all(|pair| pair[0] != pair[1] && (pair[0] < pair[1]) == up);
        let order = match () {
            () if sorted(true) => Order::Strict,
            () if sorted(false) => Order::Reversed,
            () => Order::None,
        };
        let mut different: Vec<&String> = words.iter().collect();
        sort_distinct(&mut different);
        let (distinct, one_to_one) = (different.len() as u64, different.len() == words.len());
        let lengths = || words.iter().map(|word| word.len() as u64);
        let width = Width { min: lengths().min().unwrap_or(0), max: lengths().max() };
        let alphabet = Alphabet::of(words.concat().as_bytes());
        let at =
            |place| words.iter().filter_map(|word| word.as_bytes().get(place).copied()).collect::<Vec<u8>>();
        // Behind the shortest word stands what follows it.
        let by_position = (0..width.min as usize).map(|place| Alphabet::of(&at(place))).collect();
        let all = words.clone();
        let inverse = one_to_one.then(|| {
            read(move |text| {
                let word = all.iter().position(|word| word.as_bytes() == text);
                word.map(|word| word as i64).ok_or(NO_RESULT)
            })
        });
        let operation = written(move |number, out| {
            let word = usize::try_from(number).ok().and_then(|number| words.get(number));
            out.extend_from_slice(word.ok_or("step.no-word")?.as_bytes());
            Ok(())
        });
        Ok(BoundStep {
            order,
            one_to_one,
            inverse,
            distinct: Some(distinct),
            width,
            alphabet,
            by_position,
            ..BoundStep::new(operation)
        })
    },
};
