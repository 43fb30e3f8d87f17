//! Steps from a time: `format`, `millis`, `seconds`, `truncate`, `offset`.

use super::operation::{BoxedOperation, NO_RESULT, integers, read, repeating, same_number};
use super::step::{Bind, BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};
use crate::formula::vector::{ColumnOperation, RowRefusals, Vector};
use crate::records::field::Kind;
use crate::records::field::shape::{Keeps, Order, Shape, decimal_width};
use crate::records::field::time::TimePattern;
use std::sync::Arc;

/// The time in a Java pattern, in the field's own zone.
pub static FORMAT: Step = Step {
    name: "format",
    takes: &[Kind::Time],
    gives: Kind::Text,
    parameters: &[StepParameter::Text { name: "pattern" }],
    required: 1,
    encoding: false,
    bind: |arguments, input| {
        let pattern = TimePattern::parse(arguments.text(0))?;
        // With a fixed offset local time orders as time does.
        let local = input
            .range
            .map(|(low, high)| (low.saturating_add(input.offset), high.saturating_add(input.offset)));
        let one_to_one = pattern.one_to_one(local, input.unit);
        let offset = input.offset;
        let (back, century) = (pattern.clone(), pattern.century(local.map(|range| range.0)));
        let inverse = one_to_one.then(|| {
            read(move |text| {
                let local = back.read_of_century(text, century);
                local.and_then(|local| local.checked_sub(offset)).ok_or(NO_RESULT)
            })
        });
        Ok(BoundStep {
            order: pattern.order(local, input.unit),
            one_to_one,
            inverse,
            keeps: pattern.keeps(local, input.unit),
            distinct: pattern.distinct(),
            width: pattern.width(),
            alphabet: pattern.alphabet(),
            by_position: pattern.by_position(),
            ..BoundStep::new(Arc::new(Format { writer: pattern.writer(), offset: input.offset, pattern }))
        })
    },
};

struct Format {
    writer: crate::records::field::time::TimeWriter,
    offset: i64,
    pattern: TimePattern,
}

impl ColumnOperation for Format {
    fn apply(&self, input: &Vector, output: &mut Vector, refused: &mut RowRefusals) {
        let (Vector::Integers(input), Vector::Strings(output)) = (input, output) else { return };
        let mut writer = self.writer.clone();
        for (index, &millis) in input.iter().enumerate() {
            if writer.write(millis.saturating_add(self.offset), &mut output.bytes).is_none() {
                refused.push((index as u32, "step.year-out-of-range"));
            }
            output.end();
        }
    }

    fn output(&self) -> Vector {
        Vector::Strings(Default::default())
    }

    fn turn(&self, input: i64) -> Option<i64> {
        self.pattern.turn(input.checked_add(self.offset)?)?.checked_sub(self.offset)
    }

    fn cycle(&self) -> Option<(i64, i64)> {
        let (first, last) = self.pattern.cycle()?;
        Some((first.checked_sub(self.offset)?, last.checked_sub(self.offset)?))
    }
}

/// Milliseconds since 1970-01-01T00:00:00Z.
pub static MILLIS: Step = epoch("millis", |_, input| Ok(divided(input, 1)));

/// Seconds since 1970-01-01T00:00:00Z, rounded down.
pub static SECONDS: Step = epoch("seconds", |_, input| Ok(divided(input, SECOND)));

const fn epoch(name: &'static str, bind: Bind) -> Step {
    Step {
        name,
        takes: &[Kind::Time],
        gives: Kind::Integer,
        parameters: &[],
        required: 0,
        encoding: false,
        bind,
    }
}

fn divided(input: &Shape, unit: i64) -> BoundStep {
    let exact = input.unit % unit == 0;
    let range = input.range.map(|(low, high)| (low.div_euclid(unit), high.div_euclid(unit)));
    BoundStep {
        order: if exact { Order::Strict } else { Order::Weak },
        one_to_one: exact,
        keeps: Some(Keeps::Above(unit)).filter(|_| input.offset == 0),
        // Periods of a zone begin elsewhere than those of UTC.
        scale: Some(unit).filter(|_| input.offset == 0),
        distinct: input.distinct,
        range,
        width: decimal_width(range),
        inverse: exact.then(|| integers(move |count| count.checked_mul(unit).ok_or(NO_RESULT))),
        ..BoundStep::new(integers(move |millis| Ok(millis.div_euclid(unit))))
    }
}

/// The beginning of the period the time is in, in the field's zone: `1d`, `6h`, `5m`, `30s`.
pub static TRUNCATE: Step = Step {
    name: "truncate",
    takes: &[Kind::Time],
    gives: Kind::Time,
    parameters: &[StepParameter::Text { name: "period" }],
    required: 1,
    encoding: false,
    bind: |arguments, input| {
        let text = arguments.text(0);
        let period = period(text).ok_or_else(|| Problem::new("step.not-a-period").with("found", text))?;
        let offset = input.offset;
        let operation: BoxedOperation = integers(move |millis| {
            let local = millis.checked_add(offset).ok_or("step.year-out-of-range")?;
            let start = local.div_euclid(period).checked_mul(period).ok_or("step.year-out-of-range")?;
            start.checked_sub(offset).ok_or("step.year-out-of-range")
        });
        let range = input.range.map(|(low, high)| (low.saturating_sub(period), high));
        let exact = input.unit % period == 0;
        Ok(BoundStep {
            order: if exact { Order::Strict } else { Order::Weak },
            one_to_one: exact,
            keeps: Some(Keeps::Above(period)),
            scale: Some(1),
            inverse: exact.then(same_number),
            unit: if exact { input.unit } else { period },
            distinct: input.distinct,
            range,
            width: decimal_width(range),
            ..BoundStep::new(operation)
        })
    },
};

/// Milliseconds since the beginning of the period the time is in, in the field's zone: what `truncate` drops.
pub static OFFSET: Step = Step {
    name: "offset",
    takes: &[Kind::Time],
    gives: Kind::Integer,
    parameters: &[StepParameter::Text { name: "period" }],
    required: 1,
    encoding: false,
    bind: |arguments, input| {
        let text = arguments.text(0);
        let period = period(text).ok_or_else(|| Problem::new("step.not-a-period").with("found", text))?;
        let offset = input.offset;
        let local = move |millis: i64| millis.checked_add(offset).ok_or("step.year-out-of-range");
        let operation = integers(move |millis| Ok(local(millis)?.rem_euclid(period)));
        let turn = move |millis: i64| {
            let next = local(millis).ok()?.div_euclid(period).checked_add(1)?.checked_mul(period)?;
            next.checked_sub(offset)
        };
        // Units and periods divide a day or are days: one divides the other, or they meet at a whole number of both.
        let unit = if period % input.unit.max(1) == 0 { input.unit.max(1) } else { 1 };
        let range = Some((0, period - unit));
        Ok(BoundStep {
            order: Order::Cyclic,
            keeps: Some(Keeps::Within { stretch: period, fine: 0 }),
            distinct: Some((period / unit) as u64),
            range,
            width: decimal_width(range),
            ..BoundStep::new(repeating(operation, turn))
        })
    },
};

/// A whole number of seconds, minutes, hours or days that divides a day, or of days; in milliseconds.
pub(crate) fn period(text: &str) -> Option<i64> {
    let unit = match text.chars().last()? {
        's' => SECOND,
        'm' => MINUTE,
        'h' => HOUR,
        'd' => DAY,
        _ => return None,
    };
    let count: i64 =
        text.get(..text.len() - 1)?.parse().ok().filter(|count| (1..=100_000).contains(count))?;
    Some(count * unit).filter(|period| DAY % period == 0 || period % DAY == 0)
}
