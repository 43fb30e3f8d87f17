//! The languages that read a table.

use super::ReaderLanguage;
use crate::emit::language;

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
    add: "byte[] prefix = {parts};\nranges.add({range});",
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
    check: "        check({query}, {ranges}, {expected});\n",
    comment: "    // {line}\n",
    imports: &[
        ("IOException", "import java.io.IOException;"),
        ("InterruptedIOException", "import java.io.InterruptedIOException;"),
        ("UncheckedIOException", "import java.io.UncheckedIOException;"),
        ("ArrayDeque", "import java.util.ArrayDeque;"),
        ("ArrayList", "import java.util.ArrayList;"),
        ("Collections", "import java.util.Collections;"),
        ("Comparator", "import java.util.Comparator;"),
        ("Iterator", "import java.util.Iterator;"),
        ("List", "import java.util.List;"),
        ("NoSuchElementException", "import java.util.NoSuchElementException;"),
        ("PriorityQueue", "import java.util.PriorityQueue;"),
        ("ExecutionException", "import java.util.concurrent.ExecutionException;"),
        ("ExecutorService", "import java.util.concurrent.ExecutorService;"),
        ("Executors", "import java.util.concurrent.Executors;"),
        ("Future", "import java.util.concurrent.Future;"),
        ("Predicate", "import java.util.function.Predicate;"),
        ("Pattern", "import java.util.regex.Pattern;"),
        ("CompareOperator", "import org.apache.hadoop.hbase.CompareOperator;"),
        ("TableName", "import org.apache.hadoop.hbase.TableName;"),
        ("Connection", "import org.apache.hadoop.hbase.client.Connection;"),
        ("Get", "import org.apache.hadoop.hbase.client.Get;"),
        ("Result", "import org.apache.hadoop.hbase.client.Result;"),
        ("ResultScanner", "import org.apache.hadoop.hbase.client.ResultScanner;"),
        ("Scan", "import org.apache.hadoop.hbase.client.Scan;"),
        ("Table", "import org.apache.hadoop.hbase.client.Table;"),
        ("Filter", "import org.apache.hadoop.hbase.filter.Filter;"),
        ("FuzzyRowFilter", "import org.apache.hadoop.hbase.filter.FuzzyRowFilter;"),
        ("RegexStringComparator", "import org.apache.hadoop.hbase.filter.RegexStringComparator;"),
        ("RowFilter", "import org.apache.hadoop.hbase.filter.RowFilter;"),
        ("Bytes", "import org.apache.hadoop.hbase.util.Bytes;"),
        ("ISO_8859_1", "import static java.nio.charset.StandardCharsets.ISO_8859_1;"),
        ("Pair", "import org.apache.hadoop.hbase.util.Pair;"),
    ],
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
    add: "prefix = {parts}\nranges.append({range})",
    constant: "ranges.append(RowRange(bytes.fromhex(\"{start}\"), bytes.fromhex(\"{stop}\"), {skipped}))",
    only: "",
    filters: [""; 3],
    filled: "",
    reading: [
        ", ordered=True",
        ", reverse=True",
        "",
        ", merge=True",
        ", limit={limit}",
        ", matching=matching",
    ],
    check: "    check({query}, {ranges}, {expected})\n",
    comment: "# {line}\n",
    imports: &[],
};
