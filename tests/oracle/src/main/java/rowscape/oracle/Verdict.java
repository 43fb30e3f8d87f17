package rowscape.oracle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;

/** What was compared for one design, how often, and the differences found; the answer to a request. */
final class Verdict {
  private static final int DIFFERENCES_TOLD = 5;

  final int id;
  final Map<String, Integer> compared = new LinkedHashMap<>();
  int differences;
  final List<String> told = new ArrayList<>();

  Verdict(int id) {
    this.id = id;
  }

  void count(String what, int times) {
    compared.merge(what, times, Integer::sum);
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
