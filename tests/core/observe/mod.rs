//! Tables as the files of HBase show them.

mod counters;
mod files;
mod folders;
