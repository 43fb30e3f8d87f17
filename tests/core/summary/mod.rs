//! The monoid and its binary form.

mod form;
mod monoid;
