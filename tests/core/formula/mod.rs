//! The row key language.

mod language;
mod names;
mod phoenix_keys;
