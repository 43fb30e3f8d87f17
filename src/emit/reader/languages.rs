//! The languages that read a table.

use crate::emit::language::{self, Language};

/// Names of loops over bytes: a plan has at most 4,096 ranges, and each loop at least doubles them.
pub(super) const LOOPS: [&str; 12] = [
    "each1", "each2", "each3", "each4", "each5", "each6", "each7", "each8", "each9", "each10", "each11",
    "each12",
];

/// A language that reads a table, and how it says what all readers say.
pub(in crate::emit) struct ReaderLanguage {
    pub(super) language: &'static Language,
    pub(super) frame: &'static str,
    /// A list of values of each kind as a parameter, in the order of [`Kind::ALL`]; `{}` is replaced by its name.
    pub(super) lists: [&'static str; 7],
    /// A list of values, of `{}`.
    pub(super) list: &'static str,
    /// The function of the ranges; `{doc}`, `{ranges}` for its name, `{parameters}` and `{body}` are filled in.
    pub(super) ranges: &'static str,
    /// The function of the rows; also its `{name}`, `{read}`, and `{given}` for the parameters of the ranges.
    pub(super) rows: &'static str,
    /// The same for rows that are named.
    pub(super) named: &'static str,
    /// The parameter of a test of rows.
    pub(super) matching: &'static str,
    /// Leaves a function of ranges where a range of times, or of numbers, is empty: `{from}`, `{to}`.
    pub(super) empty: [&'static str; 2],
    /// The last time, or number, of a range: `{last}`, `{to}`.
    pub(super) last: [&'static str; 2],
    /// Rejects values below the `{least}` of a range: `{from}`, as the primitives take it.
    pub(super) least: &'static str,
    /// Opens a loop over bytes, `{name}` in `{values}`; one over a list `{list}` of a declared `{value}`; and closes them.
    pub(super) loops: [&'static str; 3],
    /// Opens a loop over the runs of a `{part}` of a `{name}` between `{from}` and `{last}`, each a `{run}` of `{type}`; and the first and
    /// the last of its values.
    pub(super) runs: [&'static str; 3],
    /// The type of a run of times, and of numbers.
    pub(super) run_types: [&'static str; 2],
    /// The number of `{bytes}`.
    pub(super) length: &'static str,
    /// `{bytes}` without as many as `{end}` at their end.
    pub(super) begun: &'static str,
    /// Functions that the frame has where those of queries call them: their names, and they.
    pub(super) optional: &'static [(&'static str, &'static str)],
    /// Opens a loop over the buckets by their number `{name}`; and rejects another number of them than `{count}`.
    pub(super) buckets: [&'static str; 2],
    /// Declares a variable that is `{declared}` so with its `{value}`.
    pub(super) local: &'static str,
    /// Adds the `{range}` of a prefix of `{parts}`.
    pub(super) add: &'static str,
    /// A range from bytes to bytes, by their digits: `{start}`, `{stop}`, `{skipped}`.
    pub(super) constant: &'static str,
    /// A fuzzy filter of a range: `{key}` and `{mask}`; empty where there is none.
    pub(super) only: &'static str,
    /// A filter of all ranges, of `{pairs}` of `{key}` and `{mask}`; and by a `{pattern}`.
    pub(super) filters: [&'static str; 3],
    /// Bytes of one value, `{value}`, `{length}` of them.
    pub(super) filled: &'static str,
    /// How rows are read: sorted, reversed, from the last range, merged, at most `{limit}`, by a test.
    pub(super) reading: [&'static str; 6],
    /// Bounds the timestamps that are read to `{from}` and below `{to}`; the least and the greatest there are; and the time behind
    /// `{time}`. Empty where a language cannot.
    pub(super) during: [&'static str; 4],
    /// A function of the frame for that, and a statement on the scan.
    pub(super) timed: [&'static str; 2],
    /// A test of the ranges: `{query}`, `{ranges}`, `{expected}`.
    pub(super) check: &'static str,
    /// Begins a comment.
    pub(super) comment: &'static str,
    /// Functions of the frame that the functions of queries call, where parameters would hide them.
    pub(super) own: &'static [&'static str],
    /// Imports besides those of the language, a line each.
    pub(super) imports: &'static str,
}

impl ReaderLanguage {
    /// A step of the indentation.
    pub(super) fn step(&self) -> &'static str {
        match self.language.indents[2] {
            "" => "    ",
            step => step,
        }
    }

    /// Steps that a function's body is indented by.
    pub(super) fn depth(&self) -> usize {
        1 + usize::from(!self.language.snaked)
    }

    /// The name of the function of a query's ranges.
    pub(super) fn ranges_name(&self, query: &str) -> String {
        if self.language.snaked { format!("{query}_ranges") } else { format!("{query}Ranges") }
    }
}

pub(in crate::emit) static JAVA: ReaderLanguage = ReaderLanguage {
    language: &language::JAVA,
    frame: include_str!("../languages/java-reader.frame"),
    lists: [
        "List<String> {}",
        "List<Long> {}",
        "List<Instant> {}",
        "List<byte[]> {}",
        "List<Double> {}",
        "List<BigDecimal> {}",
        "List<Boolean> {}",
    ],
    list: "Arrays.asList({})",
    ranges: "{doc}    public static List<RowRange> {ranges}({parameters}) {
        List<RowRange> ranges = new ArrayList<>();
{body}        return ranges;
    }

",
    rows: "{doc}    public static Rows {name}(Connection connection{parameters}) {
        return new Rows(connection, {ranges}({given})){read};
    }

",
    named:
        "{doc}    public static List<Result> {name}(Connection connection{parameters}) throws IOException {
        return rows(connection, {ranges}({given}));
    }

",
    matching: "Predicate<Result> matching",
    empty: ["if (!{from}.isBefore({to})) return ranges;", "if ({from} >= {to}) return ranges;"],
    last: ["Instant {last} = {to}.minusMillis(1);", "long {last} = {to} - 1;"],
    least: "if ({from} < {least}) throw refused(\"a range from below {least}\");",
    loops: ["for (byte[] {name} : all({values})) {", "for ({value} : {list}) {", "}"],
    runs: ["for ({type}[] {run} : runs({from}, {last}, {name} -> {part})) {", "{run}[0]", "{run}[1]"],
    run_types: ["Instant", "long"],
    length: "{bytes}.length",
    begun: "begun({bytes}, {end})",
    optional: &[
        ("runs", include_str!("../languages/runs.java")),
        (
            "begun",
            "    private static byte[] begun(byte[] bytes, int end) {
        return Arrays.copyOf(bytes, bytes.length - end);
    }

",
        ),
    ],
    buckets: [
        "for (long {name} = 0; {name} < BUCKETS; {name}++) {",
        "if (BUCKETS != {count}) throw refused(\"another number of buckets than {count}\");",
    ],
    local: "{declared} = {value};",
    add: "byte[] lead = {parts};\nranges.add({range});",
    constant: "ranges.add(range(bytes(\"{start}\"), bytes(\"{stop}\"), {skipped}));",
    only: ".only({key}, {mask})",
    filters: [
        ".filtered(new FuzzyRowFilter(Arrays.asList({pairs})))",
        "new Pair<>(bytes(\"{key}\"), bytes(\"{mask}\"))",
        ".filtered(new RowFilter(CompareOperator.EQUAL, pattern({pattern})))",
    ],
    filled: "filled({value}, {length})",
    reading: [
        ".sorted()",
        ".reversed()",
        ".lastFirst()",
        ".merged()",
        ".limit({limit})",
        ".matching(matching)",
    ],
    during: [".during({from}, {to})", "0", "Long.MAX_VALUE", "{time} + 1"],
    timed: [
        "
        private long first;
        private long end = Long.MAX_VALUE;

        /** Reads only cells with timestamps from the first to before the second, in milliseconds. */
        private Rows during(long from, long to) {
            first = Math.max(0, from);
            end = Math.max(0, to);
            return this;
        }
",
        "                scan.setTimeRange(first, end);\n",
    ],
    check: "        check({query}, {ranges}, {expected});\n",
    comment: "    // ",
    own: &[],
    imports: include_str!("../languages/java-reader.imports"),
};

pub(in crate::emit) static SCALA: ReaderLanguage = ReaderLanguage {
    language: &language::SCALA,
    frame: include_str!("../languages/scala-reader.frame"),
    lists: [
        "{}: List[String]",
        "{}: List[Long]",
        "{}: List[Instant]",
        "{}: List[Array[Byte]]",
        "{}: List[Double]",
        "{}: List[BigDecimal]",
        "{}: List[Boolean]",
    ],
    list: "List({})",
    ranges: "{doc}  def {ranges}({parameters}): List[RowRange] = {
    val ranges = mutable.ListBuffer.empty[RowRange]
{body}    ranges.toList
  }

",
    rows: "{doc}  def {name}(connection: Connection{parameters}): Rows =
    new Rows(connection, {ranges}({given})){read}

",
    named: "{doc}  def {name}(connection: Connection{parameters}): List[Result] =
    rows(connection, {ranges}({given}))

",
    matching: "matching: Result => Boolean",
    empty: ["if (!{from}.isBefore({to})) return Nil", "if ({from} >= {to}) return Nil"],
    last: ["val {last} = {to}.minusMillis(1)", "val {last} = {to} - 1"],
    least: "if ({from} < {least}) throw refused(\"a range from below {least}\")",
    loops: ["for ({name} <- all({values})) {", "for ({value} <- {list}) {", "}"],
    runs: ["for ({run} <- runs({from}, {last}, ({name}: {type}) => {part})) {", "{run}._1", "{run}._2"],
    run_types: ["Instant", "Long"],
    length: JAVA.length,
    begun: "{bytes}.dropRight({end})",
    optional: &[("runs", include_str!("../languages/runs.scala"))],
    buckets: [
        "for ({name} <- 0L until BUCKETS.toLong) {",
        "if (BUCKETS != {count}) throw refused(\"another number of buckets than {count}\")",
    ],
    local: "val {declared} = {value}",
    add: "val lead = {parts}\nranges += {range}",
    constant: "ranges += range(bytes(\"{start}\"), bytes(\"{stop}\"), {skipped})",
    only: JAVA.only,
    filters: [".filtered(fuzzy({pairs}))", "new Pair(bytes(\"{key}\"), bytes(\"{mask}\"))", JAVA.filters[2]],
    filled: JAVA.filled,
    reading: [
        ".sorted()",
        ".backwards()",
        ".lastFirst()",
        ".merged()",
        ".limit({limit})",
        ".matching(matching)",
    ],
    during: [".during({from}, {to})", "0", "Long.MaxValue", "{time} + 1"],
    timed: [
        "
    private var first = 0L
    private var end = Long.MaxValue

    /** Reads only cells with timestamps from the first to before the second, in milliseconds. */
    private[/*class*/] def during(from: Long, to: Long): Rows = {
      first = math.max(0, from)
      end = math.max(0, to)
      this
    }
",
        "        scan.setTimeRange(first, end)\n",
    ],
    check: "    check({query}, {ranges}, {expected})\n",
    comment: "  // ",
    own: &[
        "single",
        "startingWith",
        "between",
        "atLeast",
        "atMost",
        "below",
        "runs",
        "rows",
        "range",
        "all",
        "filled",
        "fuzzy",
        "pattern",
        "filtered",
    ],
    imports: include_str!("../languages/scala-reader.imports"),
};

pub(in crate::emit) static PYTHON: ReaderLanguage = ReaderLanguage {
    language: &language::PYTHON,
    frame: include_str!("../languages/python-reader.frame"),
    lists: ["{}"; 7],
    list: "[{}]",
    ranges: "{doc}def {ranges}({parameters}):
    ranges = []
{body}    return ranges


",
    rows: "{doc}def {name}(connection{parameters}):
    return read(connection, {ranges}({given}){read})


",
    named: "{doc}def {name}(connection{parameters}):
    return rows(connection, {ranges}({given}))


",
    matching: "matching",
    empty: ["if {from} >= {to}:\n    return ranges"; 2],
    last: ["{last} = {to} - timedelta(milliseconds=1)", "{last} = {to} - 1"],
    least: "if {from} < {least}:\n    raise ValueError(\"a range from below {least}\")",
    loops: [
        "for {name} in [bytes.fromhex(digits) for digits in {values}.split()]:",
        "for {value} in {list}:",
        "",
    ],
    runs: ["for {run} in runs({from}, {last}, lambda {name}: {part}):", "{run}[0]", "{run}[1]"],
    run_types: [""; 2],
    length: "len({bytes})",
    begun: "({bytes})[:-{end}]",
    optional: &[("runs", include_str!("../languages/runs.py"))],
    buckets: [
        "for {name} in range(BUCKETS):",
        "if BUCKETS != {count}:\n    raise ValueError(\"another number of buckets than {count}\")",
    ],
    local: "{declared} = {value}",
    add: "lead = {parts}\nranges.append({range})",
    constant: "ranges.append(RowRange(bytes.fromhex(\"{start}\"), bytes.fromhex(\"{stop}\"), {skipped}))",
    only: "",
    filters: [""; 3],
    filled: "",
    reading: [
        ", ordered=True",
        ", reverse=True",
        ", last_first=True",
        ", merge=True",
        ", limit={limit}",
        ", matching=matching",
    ],
    during: [""; 4],
    timed: [""; 2],
    check: "    check({query}, {ranges}, {expected})\n",
    comment: "# ",
    own: &["single", "starting_with", "between", "at_least", "at_most", "below", "runs", "rows", "read"],
    imports: "",
};
