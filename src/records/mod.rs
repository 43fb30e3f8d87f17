//! Records: their fields, columns that hold them, and where they come from: files read, guessed or made up.

pub mod columns;
pub mod field;
#[cfg(feature = "formats")]
pub mod formats;
pub mod generate;
pub mod guess;
pub mod read;

pub(crate) use columns::HashedRow;
pub use columns::{
    Bitmap, Column, ColumnValues, Dictionary, Records, RowSample, SampleOf, ValuePlaces, dictionary,
};
