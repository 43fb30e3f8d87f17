package rowscape.oracle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The twins of all steps, by name: each in Java's, HBase's or Phoenix's own classes. What the package refuses is refused
 * here by throwing. Integers are Long, or Integer where Java's own hash is an int.
 */
final class Steps {
  /** Applies a step to a value. */
  interface Step {
    Object apply(Object value, Formula.Call call) throws Exception;
  }

  private static final Map<String, Step> ALL = new HashMap<>();

  static {
    List.of(PlainSteps.ALL, HashSteps.ALL, OrderedSteps.ALL, PhoenixSteps.ALL).forEach(ALL::putAll);
  }

  private Steps() {
  }

  static Object apply(Formula.Call call, Object value) {
    Step step = ALL.get(call.name);
    if (step == null) {
      throw new Formula.NoTwin(call.name);
    }
    try {
      return step.apply(value, call);
    } catch (RuntimeException refusal) {
      throw refusal;
    } catch (Exception refusal) {
      throw new IllegalArgumentException(refusal);
    }
  }

  /** A value as it stands in a key when nothing says how: bytes as they are, others as their text. */
  static byte[] bytes(Object value) {
    return value instanceof byte[] bytes ? bytes : Bytes.toBytes(value.toString());
  }

  static long whole(Object value) {
    return ((Number) value).longValue();
  }

  static long within(Object value, long least, long most) {
    long number = whole(value);
    require(number >= least && number <= most, value);
    return number;
  }

  static void require(boolean taken, Object value) {
    if (!taken) {
      throw new IllegalArgumentException(String.valueOf(value));
    }
  }
}
