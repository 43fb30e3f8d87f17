//! One design on records: counted, judged.

mod estimates;
mod findings;
mod findings_document;
mod pass;
mod reads;
mod report;
mod settings;
mod stream;
mod verdicts;
