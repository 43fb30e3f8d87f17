//! Problems with whole records, and what is told of values that were read.

use super::FileForm;
use super::batch::RecordBatch;
use super::encoding::{EncodingBy, TextEncoding};
use super::fill::BAD_BYTES;
use crate::base::Problem;
use serde::Serialize;

/// Problems of each code that are kept for the report.
pub(super) const SHOWN: usize = 20;

/// Problems met while reading. Values that could not be read are noted in their column, too.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReadProblems {
    /// Records with too few fields; the fields they lack are invalid.
    pub ragged_short: u64,
    /// Records with too many fields; the further ones are ignored.
    pub ragged_long: u64,
    /// Records that could not be read at all: rows without values.
    pub refused: u64,
    /// Values with bytes that are no text in the encoding of their file; they are invalid.
    pub bad_bytes: u64,
    /// Number of notes: names and members given twice, halves of surrogate pairs, byte order marks within a file.
    pub told: u64,
    /// The first of them.
    pub first: Vec<Problem>,
    /// How each file was read.
    #[serde(skip)]
    pub files: Vec<ReadFile>,
    /// How many problems of each code are kept.
    #[serde(skip)]
    kept: Vec<(&'static str, usize)>,
}

/// How a file was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReadFile {
    /// Its name; empty when it has none.
    pub name: String,
    /// Its form.
    pub format: FileForm,
    /// Its encoding.
    pub encoding: TextEncoding,
    /// Who says so.
    pub by: EncodingBy,
}

/// The place in the files that problems are noted for.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceInFile {
    /// Name of the file; empty when it has none.
    pub file: String,
    /// Records met in this file before, those that could not be read too.
    pub met: u64,
}

impl ReadProblems {
    /// True if a file was not read to its end: it is damaged, cut short, or more than can be held.
    pub fn is_unfinished(problem: &Problem) -> bool {
        const DAMAGED: [&str; 4] =
            ["input.broken-gzip", "input.broken-table", "input.table-unknown", "limit.exceeded"];
        DAMAGED.contains(&problem.code) || matches!(problem.code, CUT_SHORT | TOO_LARGE)
    }

    /// The number of problems, also those that are not kept.
    pub fn count(&self) -> u64 {
        self.ragged_short + self.ragged_long + self.refused + self.bad_bytes + self.told
    }

    /// Notes what is to be told of a batch: of records that are too short or too long (of fields there should be `width`), of those
    /// that could not be read, and of values of these columns.
    pub(super) fn note(
        &mut self,
        batch: &RecordBatch,
        width: usize,
        columns: &[String],
        place: &PlaceInFile,
    ) {
        for &(index, found) in &batch.ragged {
            let short = (found as usize) < width;
            self.ragged_short += u64::from(short);
            self.ragged_long += u64::from(!short);
            let code = if short { "input.short-record" } else { "input.long-record" };
            self.show_at(code, place, index, |problem| problem.with("found", found).with("expected", width));
        }
        self.refused += batch.unread.len() as u64;
        for &(index, code) in &batch.unread {
            self.show_at(code, place, index, |problem| problem);
        }
        self.told += (batch.told.len() + batch.marked.len()) as u64;
        for &(index, column, code) in &batch.told {
            let name = columns.get(column).map(String::as_str).unwrap_or_default();
            self.show_at(code, place, index, |problem| problem.at_field(name));
        }
        for &index in &batch.marked {
            self.show_at("input.mark-within", place, index, |problem| problem);
        }
    }

    /// Notes values with bytes that are no text: records on from the place, in order, each with the field by its place in `names`.
    pub(super) fn note_bad_bytes(&mut self, values: &[(usize, usize)], names: &[&str], place: &PlaceInFile) {
        self.bad_bytes += values.len() as u64;
        for &(record, field) in values {
            let name = names.get(field).copied().unwrap_or_default();
            self.show_at(BAD_BYTES, place, record as u32, |problem| problem.at_field(name));
        }
    }

    /// Notes that the file was not read to its end; `rows` of its records come before. Told once for each file.
    pub(super) fn note_unfinished(&mut self, problem: Problem, rows: u64, place: &PlaceInFile) {
        let mut problem = problem.with("rows", rows);
        problem.place.file = Some(&place.file).filter(|name| !name.is_empty()).cloned();
        if self.first.iter().all(|known| (known.code, &known.place) != (problem.code, &problem.place)) {
            self.first.insert(0, problem);
        }
    }

    /// Tells something of a file as a whole.
    pub(super) fn tell(&mut self, problem: Problem, place: &PlaceInFile) {
        self.told += 1;
        self.show(problem, place);
    }

    /// Keeps a problem for the report, while there is room.
    pub(super) fn show(&mut self, mut problem: Problem, place: &PlaceInFile) {
        if self.has_room(problem.code) {
            match self.kept.iter_mut().find(|(code, _)| *code == problem.code) {
                Some((_, kept)) => *kept += 1,
                None => {
                    let at = self.kept.partition_point(|(code, _)| *code < problem.code);
                    self.kept.insert(at, (problem.code, 1));
                }
            }
            problem.place.file = Some(&place.file).filter(|name| !name.is_empty()).cloned();
            // One kind of problem is noted after the other: what is told keeps to the order of records, however a file is cut.
            let later = |other: &&Problem| {
                other.place.file == problem.place.file
                    && problem.place.row.is_some()
                    && (other.place.row, other.code) > (problem.place.row, problem.code)
            };
            let after = self.first.iter().rev().take_while(later).count();
            self.first.insert(self.first.len() - after, problem);
        }
    }

    /// Takes in the problems of records on from the place, which were numbered from 1.
    pub(super) fn take_in(&mut self, other: Self, place: &PlaceInFile) {
        self.ragged_short += other.ragged_short;
        self.ragged_long += other.ragged_long;
        self.refused += other.refused;
        self.bad_bytes += other.bad_bytes;
        self.told += other.told;
        for mut problem in other.first {
            problem.place.row = problem.place.row.map(|row| row + place.met);
            self.show(problem, place);
        }
    }

    /// Keeps a problem of the record `index` records on, made only while there is room.
    fn show_at(
        &mut self,
        code: &'static str,
        place: &PlaceInFile,
        index: u32,
        with: impl FnOnce(Problem) -> Problem,
    ) {
        if self.has_room(code) {
            let mut problem = with(Problem::new(code));
            problem.place.row = Some(place.met + u64::from(index) + 1);
            self.show(problem, place);
        }
    }

    fn has_room(&self, code: &str) -> bool {
        self.kept.iter().all(|(known, kept)| *known != code || *kept < SHOWN)
    }
}

/// A file ends within a record or an array.
pub(super) const CUT_SHORT: &str = "input.cut-short";
/// More records than can be held.
pub(super) const TOO_LARGE: &str = "input.too-large";
