package rowscape.oracle;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.hbase.util.Bytes;

/** The twin of each step, in Java's and HBase's own words. What the package refuses is refused here by throwing. */
final class Steps {
  /** What a step makes of a value. */
  interface Step {
    Object apply(Object value, Formula.Call call);
  }

  private static final Map<String, Step> STEPS = Map.ofEntries(
      Map.entry("reverse", (value, call) -> new StringBuilder((String) value).reverse().toString()),
      Map.entry("upper", (value, call) -> ((String) value).toUpperCase(Locale.ROOT)),
      Map.entry("lower", (value, call) -> ((String) value).toLowerCase(Locale.ROOT)),
      Map.entry("substring", (value, call) -> whole(((String) value).substring(call.number(0), call.number(1)))),
      Map.entry("pad", (value, call) -> atMost(call.number(0),
          StringUtils.leftPad((String) value, call.number(0), call.text(1)))),
      Map.entry("mod", (value, call) -> (Long) value % call.whole(0)),
      Map.entry("floorMod", (value, call) -> Math.floorMod((Long) value, call.whole(0))),
      Map.entry("and", (value, call) -> (Long) value & call.whole(0)),
      Map.entry("reverseLong", (value, call) -> Long.MAX_VALUE - notNegative(value)),
      Map.entry("format", (value, call) ->
          DateTimeFormatter.ofPattern(call.text(0), Locale.ROOT).format(((Formula.Moment) value).local())),
      Map.entry("millis", (value, call) -> ((Formula.Moment) value).millis()),
      Map.entry("seconds", (value, call) -> ((Formula.Moment) value).local().toEpochSecond()),
      Map.entry("truncate", (value, call) -> truncated((Formula.Moment) value, call.text(0))),
      Map.entry("md5", (value, call) -> digest("MD5", value)),
      Map.entry("javaHash", (value, call) -> (long) value.hashCode()),
      Map.entry("text", (value, call) -> call.given(0) ? padded((String) value, call.number(0)) : bytes(value)),
      Map.entry("terminated", (value, call) -> Bytes.add(withoutZero((String) value), new byte[1])),
      Map.entry("decimal", (value, call) -> call.given(0)
          ? atMost(call.number(0), String.format("%0" + call.number(0) + "d", notNegative(value))) : value.toString()),
      Map.entry("hex", (value, call) -> hexadecimal(value, call, HexFormat.of())),
      Map.entry("HEX", (value, call) -> hexadecimal(value, call, HexFormat.of().withUpperCase())),
      Map.entry("raw", (value, call) -> call.given(0) ? head(bytes(value), call.number(0)) : bytes(value)),
      Map.entry("int16", (value, call) -> Bytes.toBytes((short) within(value, Short.MIN_VALUE, Short.MAX_VALUE))),
      Map.entry("int32", (value, call) -> Bytes.toBytes((int) within(value, Integer.MIN_VALUE, Integer.MAX_VALUE))),
      Map.entry("int64", (value, call) -> Bytes.toBytes((long) (Long) value)));

  private Steps() {
  }

  static Object apply(Formula.Call call, Object value) {
    Step step = STEPS.get(call.name);
    if (step == null) {
      throw new Formula.NoTwin(call.name);
    }
    return step.apply(value, call);
  }

  private static byte[] bytes(Object value) {
    return value instanceof byte[] bytes ? bytes : Bytes.toBytes(value.toString());
  }

  private static byte[] digest(String algorithm, Object value) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes(value));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }

  private static RuntimeException refused(Object value) {
    return new IllegalArgumentException(String.valueOf(value));
  }

  private static String whole(String text) {
    if (!StandardCharsets.UTF_16BE.newEncoder().canEncode(text)) {
      throw refused(text);
    }
    return text;
  }

  private static String atMost(int width, String text) {
    if (text.length() > width) {
      throw refused(text);
    }
    return text;
  }

  private static long notNegative(Object value) {
    return within(value, 0, Long.MAX_VALUE);
  }

  private static long within(Object value, long least, long most) {
    long number = (Long) value;
    if (number < least || number > most) {
      throw refused(value);
    }
    return number;
  }

  private static byte[] withoutZero(String text) {
    if (text.indexOf('\0') >= 0) {
      throw refused(text);
    }
    return Bytes.toBytes(text);
  }

  private static byte[] padded(String text, int width) {
    byte[] bytes = withoutZero(text);
    return bytes.length > width ? head(null, width) : Bytes.padTail(bytes, width - bytes.length);
  }

  private static byte[] head(byte[] bytes, int count) {
    byte[] head = bytes == null ? null : Bytes.head(bytes, count);
    if (head == null) {
      throw refused(count);
    }
    return head;
  }

  private static String hexadecimal(Object value, Formula.Call call, HexFormat format) {
    if (value instanceof Long) {
      String digits = StringUtils.leftPad(format.toHexDigits(notNegative(value)).replaceFirst("^0+(?=.)", ""),
          call.number(0), '0');
      return atMost(call.number(0), digits);
    }
    String digits = format.formatHex(bytes(value));
    return call.given(0) ? digits.substring(0, call.number(0)) : digits;
  }

  private static Formula.Moment truncated(Formula.Moment moment, String period) {
    long length = period.endsWith("d") ? Duration.ofDays(count(period)).toMillis()
        : Duration.parse("PT" + period.toUpperCase(Locale.ROOT)).toMillis();
    long offset = moment.offset().getTotalSeconds() * 1000L;
    long local = Math.addExact(moment.millis(), offset);
    return new Formula.Moment(local - Math.floorMod(local, length) - offset, moment.offset());
  }

  private static long count(String period) {
    return Long.parseLong(period.substring(0, period.length() - 1));
  }
}
