package rowscape.oracle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;

/** The answer to a request: comparisons made for one design, and the differences found. */
final class Verdict {
  private static final int DIFFERENCES_TOLD = 5;

  final int id;
  final Map<String, Integer> compared = new LinkedHashMap<>();
  int differences;
  final List<String> told = new ArrayList<>();
  /** Rows read back. */
  final List<Row> rows = new ArrayList<>();
  /** How far estimates are off, in percent, by what is estimated. */
  final Map<String, List<Double>> errors = new LinkedHashMap<>();

  /** A row key, hexadecimal, and the records in the row. */
  record Row(String key, List<Integer> records) {
  }

  Verdict(int id) {
    this.id = id;
  }

  void count(String what, int times) {
    compared.merge(what, times, Integer::sum);
  }

  void measure(String what, double percent) {
    errors.computeIfAbsent(what, none -> new ArrayList<>()).add(percent);
  }

  void same(String what, String where, Object ours, Object theirs) {
    count(what, 1);
    if (!ours.equals(theirs)) {
      differ(what + " " + where + ": we say " + ours + ", HBase says " + theirs);
    }
  }

  void differ(String sentence) {
    differences++;
    if (told.size() < DIFFERENCES_TOLD) {
      told.add(sentence);
    }
  }

  /** Bytes in HBase's own notation; null for none. */
  static String shown(byte[] bytes) {
    return bytes == null ? "no key" : '"' + Bytes.toStringBinary(bytes) + '"';
  }
}
