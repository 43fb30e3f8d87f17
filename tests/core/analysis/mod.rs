//! One design on records: counted, judged.

mod asked_again;
mod counters;
mod estimates;
mod findings;
mod findings_document;
mod full_scans;
mod hot_reads;
mod judged_cases;
mod judged_queries;
mod judgement;
mod left;
mod offered_fixes;
mod pass;
mod plain;
mod plain_findings;
mod plain_queries;
mod plain_verdict;
mod profile;
mod random_cases;
mod reads;
mod report;
mod settings;
mod stream;
mod summary_file;
mod tally;
mod verdicts;
