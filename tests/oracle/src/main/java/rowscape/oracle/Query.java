package rowscape.oracle;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** A query, which records it asks for as Java sees it, and how the package plans to answer it. */
final class Query extends RowCount {
  /** A condition on a field, of one kind. Values are the texts a record would hold, prefixes of bytes hexadecimal. */
  static final class Condition {
    String field;
    String eq;
    List<String> in;
    String prefix;
    String from;
    String to;

    /** True if a record's value matches. */
    boolean holds(Formula.Field field, Object value) {
      if (prefix != null) {
        byte[] start = value instanceof byte[] ? Request.bytes(prefix) : Bytes.toBytes(prefix);
        return Bytes.startsWith(ordered(value), start);
      }
      if (eq != null || in != null) {
        List<String> listed = in == null ? List.of(eq) : in;
        return listed.stream().anyMatch(text -> equal(value, Formula.read(field, text)));
      }
      return (from == null || compare(value, Formula.read(field, from)) >= 0)
          && (to == null || compare(value, Formula.read(field, to)) < 0);
    }
  }

  /** Rows from the start, inclusive, to the stop, exclusive. */
  static final class Range {
    String start;
    String stop;
  }

  /** A filter of HBase by its class, with what it takes. */
  static final class Filter {
    String name;
    /** Keys and masks of a FuzzyRowFilter. */
    List<Pair> pairs;
    /** True if the filter returns only matching rows. */
    boolean exact;
    /** Pattern of a RowFilter. */
    String pattern;
  }

  static final class Pair {
    String key;
    String mask;
  }

  /** How rows have to be fetched to come in the order asked for. */
  static final class Delivery {
    boolean reversed;
    boolean merge;
    boolean sort;
    /** Leading bytes of a key by which rows are in order; rows that share them are in any order. Null if all are in order. */
    Integer tied;
  }

  List<Condition> where;
  /** The field to order by, if any. */
  String order;
  boolean descending;
  String kind;
  boolean exact;
  List<Range> ranges;
  List<Filter> filters;
  List<Integer> regions;
  Delivery delivery;
  /** The same of records, where some share a row. */
  RowCount records;

  /** True if a record matches. A record without a value for a condition does not. */
  boolean holds(List<Formula.Field> fields, List<String> record) {
    return where.stream().allMatch(condition -> {
      Object value = value(fields, record, condition.field);
      return value != null && condition.holds(field(fields, condition.field), value);
    });
  }

  /** The value of a field of a record; null where its text is none. */
  static Object value(List<Formula.Field> fields, List<String> record, String name) {
    Formula.Field field = field(fields, name);
    try {
      return Formula.read(field, record.get(fields.indexOf(field)));
    } catch (RuntimeException none) {
      return null;
    }
  }

  private static Formula.Field field(List<Formula.Field> fields, String name) {
    return fields.stream().filter(one -> one.name.equals(name)).findFirst().orElseThrow();
  }

  /** Decimals are equal when they are written alike, as in Java. */
  private static boolean equal(Object one, Object other) {
    return one instanceof BigDecimal ? one.equals(other) : compare(one, other) == 0;
  }

  static int compare(Object one, Object other) {
    if (one instanceof Formula.Moment moment) {
      return Long.compare(moment.millis(), ((Formula.Moment) other).millis());
    }
    if (one instanceof byte[] || one instanceof String) {
      return Arrays.compareUnsigned(ordered(one), ordered(other));
    }
    @SuppressWarnings("unchecked")
    Comparable<Object> comparable = (Comparable<Object>) one;
    return comparable.compareTo(other);
  }

  /** Texts are in the order of their UTF-8, which is that of row keys; Java's own is another beyond the first plane. */
  private static byte[] ordered(Object value) {
    return value instanceof byte[] bytes ? bytes : Bytes.toBytes((String) value);
  }
}
