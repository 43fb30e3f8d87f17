//! How much of everything there may be: one table, which docs/FORMAT.md repeats.
//!
//! Every count of a document and of input has a line here, so that whatever comes is answered in bounded time and memory. The figures
//! are far beyond what designs of real tables have.

use super::Problem;

/// The most of something.
#[derive(Debug, PartialEq, Eq)]
pub struct Limit {
    /// Code of the sentence that names what is counted.
    pub of: &'static str,
    /// How many there may be.
    pub most: u64,
    /// Effect of exceeding the limit.
    pub beyond: Beyond,
}

/// Effect of exceeding a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// The document or the input is rejected.
    Rejected,
    /// The record is, and reading goes on.
    Skipped,
    /// It is counted, and not listed.
    Counted,
}

impl Beyond {
    /// Code of its sentence.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Rejected => "limit.rejected",
            Self::Skipped => "limit.skipped",
            Self::Counted => "limit.counted",
        }
    }
}

impl Limit {
    /// Refuses more than there may be.
    ///
    /// # Errors
    /// `limit.exceeded`.
    pub fn check(&self, count: usize) -> Result<(), Problem> {
        if count as u64 <= self.most { Ok(()) } else { Err(self.exceeded(count as u64)) }
    }

    /// The problem of a count beyond it.
    pub fn exceeded(&self, count: u64) -> Problem {
        Problem::new("limit.exceeded").with("count", count).with("of", self.of).with("most", self.most)
    }
}

/// The limits by name, and all of them in the order of the documentation.
macro_rules! limits {
    ($($(#[$text:meta])* $name:ident: $of:literal, $most:expr, $beyond:ident;)*) => {
        $($(#[$text])* pub const $name: Limit = Limit { of: $of, most: $most, beyond: Beyond::$beyond };)*

        /// All limits.
        pub static LIMITS: &[&Limit] = &[$(&$name),*];
    };
}

limits! {
    /// Bytes of a document as text.
    DOCUMENT_BYTES: "limit.document-bytes", 64 << 20, Rejected;
    /// Values of JSON in a document: each member and each item of a list is one.
    DOCUMENT_VALUES: "limit.document-values", 2_000_000, Rejected;
    /// Lists and objects within each other.
    NESTING: "limit.nesting", 100, Rejected;
    /// Characters of a name.
    NAME: "limit.name", 1000, Rejected;
    /// Problems told one by one.
    PROBLEMS: "limit.problems", 50, Counted;
    /// Tables of a document.
    TABLES: "limit.tables", 100, Rejected;
    /// Fields of a document.
    FIELDS: "limit.fields", 10_000, Rejected;
    /// Columns of a file that a field is read from.
    FIELD_COLUMNS: "limit.field-columns", 100, Rejected;
    /// Values of `operation` that mean a read.
    READ_VALUES: "limit.read-values", 10_000, Rejected;
    /// Lookup tables of a document.
    LOOKUPS: "limit.lookups", 100, Rejected;
    /// Entries of all lookup tables.
    LOOKUP_ENTRIES: "limit.lookup-entries", 100_000, Rejected;
    /// Sub-formulas of a table.
    LETS: "limit.lets", 1000, Rejected;
    /// Characters of a formula.
    FORMULA: "limit.formula", 10_000, Rejected;
    /// Characters of all formulas of a document.
    FORMULAS: "limit.formulas", 200_000, Rejected;
    /// Parts of a formula.
    PARTS: "limit.parts", 100, Rejected;
    /// Steps that one value goes through.
    STEPS: "limit.steps", 100, Rejected;
    /// Calls within each other.
    CALLS: "limit.calls", 32, Rejected;
    /// Sources and steps that one formula takes from sub-formulas: names within names grow fast.
    NAMED_VALUES: "limit.named-values", 1000, Rejected;
    /// The sum of these over all formulas of a document: each formula keeps a copy.
    ALL_NAMED_VALUES: "limit.all-named-values", 100_000, Rejected;
    /// Regions of a table: far beyond what one HBase cluster carries, and still quick here.
    REGIONS: "limit.regions", 1_000_000, Rejected;
    /// Bytes of all split points of a table, so that long rows times many regions cannot exhaust memory.
    SPLIT_BYTES: "limit.split-bytes", 256 << 20, Rejected;
    /// Column families of a table.
    FAMILIES: "limit.families", 100, Rejected;
    /// Cells of a column family.
    CELLS: "limit.cells", 10_000, Rejected;
    /// Kinds of records of a table.
    KINDS: "limit.kinds", 32, Rejected;
    /// Values that mean a kind of records.
    KIND_VALUES: "limit.kind-values", 10_000, Rejected;
    /// Queries of a document.
    QUERIES: "limit.queries", 1000, Rejected;
    /// Conditions of a query.
    CONDITIONS: "limit.conditions", 100, Rejected;
    /// Values of all `in` conditions of a document.
    IN_VALUES: "limit.in-values", 100_000, Rejected;
    /// Records that `generate` makes.
    GENERATED_ROWS: "limit.generated-rows", 10_000_000, Rejected;
    /// Bytes of their values, when each is as long as it can be.
    GENERATED_BYTES: "limit.generated-bytes", 512 << 20, Rejected;
    /// Fields that `generate` describes.
    GENERATED_FIELDS: "limit.generated-fields", 10_000, Rejected;
    /// Entities of all fields whose weights differ: the weights are held in memory.
    ENTITIES: "limit.entities", 10_000_000, Rejected;
    /// Values that `generate` names in `choice` and `known`.
    CHOICES: "limit.choices", 100_000, Rejected;
    /// Values and sources of `shares`, and characters of a `shape`.
    SHARES: "limit.shares", 1000, Rejected;
    /// Weights of a curve of arrivals.
    CURVE: "limit.curve", 1000, Rejected;
    /// Records of a profile: it comes with a link, and what a link asks of a browser is to be little.
    PROFILE_ROWS: "limit.profile-rows", 1 << 18, Rejected;
    /// Bytes of a profile as JSON.
    PROFILE_BYTES: "limit.profile-bytes", 4096, Rejected;
    /// Files of HBase that are observed together.
    OBSERVED_FILES: "limit.observed-files", 1_000_000, Rejected;
    /// Bytes of a record in a file: a longer one is nearly always a quote that is never closed.
    RECORD_BYTES: "limit.record-bytes", 16 << 20, Skipped;
    /// Columns of a file.
    COLUMNS: "limit.columns", 65_536, Counted;
    /// Bytes of a page, a block or a buffer of a Parquet, Arrow or Avro file.
    TABLE_PIECE: "limit.table-piece", 512 << 20, Rejected;
    /// Bytes of the footer, the header or the metadata of such a file.
    TABLE_FOOTER: "limit.table-footer", 64 << 20, Rejected;
    /// Bytes of memory that pages, buffers and dictionaries of such a file take at a time.
    TABLE_MEMORY: "limit.table-memory", 1 << 30, Rejected;
    /// Bytes of the names and types of all columns of such a file: each name repeats those of the groups around it.
    TABLE_NAMES: "limit.table-names", 8 << 20, Rejected;
    /// Records of such a file for each of its bytes: writers of equal records come to half of it.
    TABLE_ROWS: "limit.table-rows", 10_000, Rejected;
    /// Bytes that are made of each byte of such a file, unpacked and as text, beyond 256 MiB: zstd makes half of it at most.
    TABLE_MADE: "limit.table-made", 65_536, Rejected;
    /// Records in memory, which are numbered in 32 bits.
    ROWS: "limit.rows", u32::MAX as u64 - 1, Counted;
    /// Bytes of a value on its way into a key, which has 32,767 at most.
    VALUE_BYTES: "limit.value-bytes", 1 << 16, Skipped;
    /// Bytes of output of HBase's shell, and of keys one a line, that tell of existing tables.
    SHELL_BYTES: "limit.shell-bytes", 64 << 20, Rejected;
    /// Lines of it: each becomes a region, a key, or a problem.
    SHELL_LINES: "limit.shell-lines", 1_000_000, Rejected;
    /// Parts of a summary: each has 16 bytes and a name in every file that it is merged into.
    SUMMARY_PARTS: "limit.summary-parts", 1_000_000, Rejected;
    /// Bytes of a summary as a file.
    SUMMARY_BYTES: "limit.summary-bytes", 1 << 30, Rejected;
    /// Key ranges that a plan scans.
    RANGES: "limit.ranges", 4096, Counted;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_lets_pass_what_is_at_it_and_refuses_one_more() {
        for limit in LIMITS {
            let most = limit.most as usize;
            assert!(limit.check(most - 1).is_ok() && limit.check(most).is_ok(), "{limit:?}");
            let problem = limit.check(most + 1).expect_err("one more");
            assert_eq!(problem.args["of"], limit.of);
        }
    }
}
