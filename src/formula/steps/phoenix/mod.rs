//! Columns of a Phoenix primary key, by their types in SQL: `phoenix.bigint`, `phoenix.varchar` and so on.
//!
//! The bytes are those that `UPSERT` of Phoenix 5.2.1 writes. What Phoenix would change without a word is refused.

mod column;
mod fixed;
mod varying;

/// A column of a key as a formula writes it: a value, its type by the name of the step, its order, its width where it is declared, and
/// whether it is the last, which has no separator where it ascends.
pub fn column_text(value: &str, step: &str, descending: bool, width: Option<u32>, is_last: bool) -> String {
    let order = if descending { "'desc'" } else { "'asc'" };
    let given = match (width, step) {
        (Some(width), "char" | "binary") => format!("{order}, {width}"),
        (_, "varchar" | "decimal") if descending || !is_last => format!("{order}, 'separated'"),
        _ if descending => order.to_owned(),
        _ => String::new(),
    };
    format!("{value}.phoenix.{step}({given})")
}

pub use fixed::*;
pub use varying::*;
