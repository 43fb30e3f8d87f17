//! Column families of which only some rows have cells.

use crate::base::figures::share;
use crate::base::json::{Object, Wanted};
use crate::base::{Problem, Problems};
use serde::Serialize;
use serde_json::Value;

/// Parts of the whole in which a share is held: exact for twelve decimals.
const WHOLE: u64 = 1_000_000_000_000;
/// Most rows that a family can be said to have: whole numbers beyond are not exact in JSON.
const MOST: u64 = 1 << 53;

/// The rows of a table that have cells of a family; all of them where a design does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FamilyRows {
    /// The share of the rows, in parts of 10¹².
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_share")]
    share: Option<u64>,
    /// How many rows, however many the table has.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
}

#[expect(clippy::ref_option, reason = "serde hands over the field")]
fn as_share<S: serde::Serializer>(share: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(share.unwrap_or(WHOLE) as f64 / WHOLE as f64)
}

/// The members of a family that say which rows it has.
pub(super) const MEMBERS: [&str; 2] = ["share", "rows"];

/// Reads them; what is wrong is noted.
pub(super) fn read(family: &Object<'_>, problems: &mut Problems) -> FamilyRows {
    let part = |value: &Value| {
        let part = value.as_f64().filter(|part| *part > 0.0 && *part <= 1.0)?;
        Some(((part * WHOLE as f64).round() as u64).max(1))
    };
    let share = family.typed("share", Wanted::up_to(1.0), part, problems);
    let count = |value: &Value| value.as_u64().filter(|count| (1..=MOST).contains(count));
    let rows = family.typed("rows", Wanted::whole(1, MOST.into()), count, problems);
    if share.is_some() && rows.is_some() {
        problems.push(Problem::new("design.share-and-rows").at_path(family.at("rows")));
    }
    FamilyRows { share: share.filter(|share| *share < WHOLE), rows }
}

impl FamilyRows {
    /// True if every row has cells of the family.
    pub fn is_all(self) -> bool {
        self == Self::default()
    }

    /// The rows with cells of the family in a table of so many.
    pub fn of(self, rows: u64) -> u64 {
        let part = self.share.map_or(rows, |part| share(rows, part, WHOLE).max(rows.min(1)));
        self.rows.map_or(part, |count| count.min(rows))
    }
}
