//! How much a description of records may ask for.

use super::spec::{GeneratedField, GeneratorSpec, ValueSource, suited};
use super::{MOST_OF_A_PROFILE, MOST_PROFILE_BYTES};
use crate::base::Problem;
use crate::base::json::text;
use crate::base::limits::{
    CHOICES, ENTITIES, GENERATED_BYTES, GENERATED_FIELDS, GENERATED_ROWS, VALUE_BYTES,
};
use crate::records::field::Field;
use std::collections::HashMap;

/// Bytes of a record besides the texts of its values: its position, and in each column a number or the place of a text.
const POSITION: u64 = 4;
const NUMBER: u64 = 8;
/// Most digits of a number with its sign.
const DIGITS: u64 = 20;

/// Memory and work that the sources of a description need.
#[derive(Default)]
struct Needs {
    /// Entities whose weights are held.
    weighed: u64,
    /// Values that are named.
    named: usize,
}

/// Refuses a description that asks for more than can be held: a link can bring one.
///
/// # Errors
/// `limit.exceeded`, `generate.too-many-rows`, `generate.profile-rows`, `generate.profile-bytes`.
pub(super) fn check(spec: &GeneratorSpec, fields: &[Field]) -> Result<(), Problem> {
    if spec.rows > GENERATED_ROWS.most {
        let problem = Problem::new("generate.too-many-rows").with("rows", spec.rows);
        return Err(problem.with("most", GENERATED_ROWS.most));
    }
    GENERATED_FIELDS.check(spec.fields.len().max(spec.distinct.len()))?;
    if spec.profile.is_some() && spec.rows > MOST_OF_A_PROFILE {
        let problem = Problem::new("generate.profile-rows").with("rows", spec.rows);
        return Err(problem.with("most", MOST_OF_A_PROFILE));
    }
    let bytes = spec.profile.map_or(0, |_| text(spec).len());
    if bytes > MOST_PROFILE_BYTES {
        let problem = Problem::new("generate.profile-bytes").with("bytes", bytes);
        return Err(problem.with("most", MOST_PROFILE_BYTES));
    }
    let described: HashMap<&str, &GeneratedField> =
        spec.fields.iter().map(|generated| (generated.name.as_str(), generated)).collect();
    let (mut needs, mut record) = (Needs::default(), POSITION);
    for field in fields {
        let width = match described.get(field.name.as_str()) {
            Some(generated) => needs.add(&generated.from),
            None => needs.add(&suited(field)),
        };
        if width > VALUE_BYTES.most {
            return Err(VALUE_BYTES.exceeded(width).at_field(field.name.clone()));
        }
        record += NUMBER + if field.kind.is_fixed() { 0 } else { width };
    }
    CHOICES.check(needs.named)?;
    if needs.weighed > ENTITIES.most {
        return Err(ENTITIES.exceeded(needs.weighed));
    }
    let all = spec.rows.saturating_mul(record);
    if all > GENERATED_BYTES.most { Err(GENERATED_BYTES.exceeded(all)) } else { Ok(()) }
}

impl Needs {
    /// Adds what a source needs; how many bytes its longest value has.
    fn add(&mut self, source: &ValueSource) -> u64 {
        let longest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| text.len() as u64).max().unwrap_or_default()
        };
        match source {
            ValueSource::Arrival | ValueSource::Number { .. } => DIGITS,
            ValueSource::Sequence { prefix, .. } => prefix.len() as u64 + DIGITS,
            ValueSource::Text(pattern) => pattern.len() as u64,
            ValueSource::Choice(values) => {
                self.named += values.len();
                longest(&mut values.iter())
            }
            ValueSource::Entity(entities) => {
                self.named += entities.known.len();
                if entities.zipf > 0 {
                    self.weighed = self.weighed.saturating_add(entities.count);
                }
                let shape = entities.shape.len() as u64;
                let own = entities.prefix.len() as u64 + shape.max(u64::from(entities.digits));
                own.max(longest(&mut entities.known.iter()))
            }
            ValueSource::Shares(shares) => {
                let named = longest(&mut shares.values.iter().map(|(value, _)| value));
                // Shares within shares are refused later, and not looked into.
                let rest = shares.rest.iter().filter(|(source, _)| !matches!(source, ValueSource::Shares(_)));
                rest.fold(named, |widest, (source, _)| widest.max(self.add(source)))
            }
        }
    }
}
