package rowscape.oracle;

import static rowscape.oracle.Steps.bytes;
import static rowscape.oracle.Steps.require;
import static rowscape.oracle.Steps.whole;
import static rowscape.oracle.Steps.within;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.hbase.util.Bytes;

/** Steps of text, numbers and times, and the encodings of HBase's {@code Bytes}. */
final class PlainSteps {
  static final Map<String, Steps.Step> ALL = new HashMap<>();

  static {
    ofText();
    ofNumbers();
    ofTimes();
    encodings();
  }

  private PlainSteps() {
  }

  private static void ofText() {
    ALL.put("reverse", (value, call) -> call.given(0)
        ? reversed((String) value, call.text(0))
        : new StringBuilder((String) value).reverse().toString());
    ALL.put("part", (value, call) -> {
      String[] parts = ((String) value).split(Pattern.quote(call.text(0)), -1);
      return parts[call.number(1) < 0 ? parts.length + call.number(1) : call.number(1)];
    });
    ALL.put("before", (value, call) -> StringUtils.substringBefore((String) value, call.text(0)));
    ALL.put("after", (value, call) -> {
      require(((String) value).contains(call.text(0)), value);
      return StringUtils.substringAfter((String) value, call.text(0));
    });
    ALL.put("upper", (value, call) -> ((String) value).toUpperCase(Locale.ROOT));
    ALL.put("lower", (value, call) -> ((String) value).toLowerCase(Locale.ROOT));
    ALL.put("substring", (value, call) -> unbroken(call.given(1)
        ? ((String) value).substring(call.number(0), call.number(1)) : ((String) value).substring(call.number(0))));
    ALL.put("pad", (value, call) ->
        atMost(call.number(0), StringUtils.leftPad((String) value, call.number(0), call.text(1))));
    ALL.put("number", (value, call) -> call.given(0) ? hexDigits((String) value) : digits((String) value));
  }

  private static void ofNumbers() {
    ALL.put("toShort", (value, call) -> (long) Bytes.toShort(bytes(value)));
    ALL.put("toInt", (value, call) -> Bytes.toInt(bytes(value)));
    ALL.put("toLong", (value, call) -> Bytes.toLong(bytes(value)));
    ALL.put("toUnsigned", (value, call) ->
        new BigInteger(1, head(bytes(value), call.number(0))).longValueExact());
    ALL.put("mod", (value, call) -> whole(value) % call.whole(0));
    ALL.put("floorMod", (value, call) -> Math.floorMod(whole(value), call.whole(0)));
    ALL.put("and", (value, call) -> whole(value) & call.whole(0));
    ALL.put("abs", (value, call) -> value instanceof Integer hash ? (long) Math.abs(hash) : Math.abs(whole(value)));
    ALL.put("plus", (value, call) -> Math.addExact(whole(value), call.whole(0)));
    ALL.put("div", (value, call) -> whole(value) / call.whole(0));
    ALL.put("reverseLong", (value, call) -> Long.MAX_VALUE - notNegative(value));
    ALL.put("words", (value, call) -> call.text((int) within(value, 0, call.arguments.size() - 1)));
  }

  private static void ofTimes() {
    ALL.put("format", (value, call) ->
        DateTimeFormatter.ofPattern(call.text(0), Locale.ROOT).format(((Formula.Moment) value).local()));
    ALL.put("millis", (value, call) -> ((Formula.Moment) value).millis());
    ALL.put("seconds", (value, call) -> ((Formula.Moment) value).local().toEpochSecond());
    ALL.put("truncate", (value, call) -> truncated((Formula.Moment) value, call.text(0)));
    ALL.put("offset", (value, call) -> ((Formula.Moment) value).millis()
        - truncated((Formula.Moment) value, call.text(0)).millis());
  }

  private static void encodings() {
    ALL.put("string", (value, call) -> value.toString());
    ALL.put("text", (value, call) -> call.given(0) ? padded((String) value, call.number(0)) : bytes(value));
    ALL.put("terminated", (value, call) -> Bytes.add(withoutZero((String) value), new byte[1]));
    ALL.put("escaped", (value, call) -> escaped(bytes(value)));
    ALL.put("decimal", (value, call) -> call.given(0)
        ? atMost(call.number(0), String.format("%0" + call.number(0) + "d", notNegative(value))) : value.toString());
    ALL.put("hex", (value, call) -> hexadecimal(value, call, HexFormat.of()));
    ALL.put("HEX", (value, call) -> hexadecimal(value, call, HexFormat.of().withUpperCase()));
    ALL.put("raw", (value, call) -> call.given(0) ? head(bytes(value), call.number(0)) : bytes(value));
    for (int width = 1; width <= 4; width++) {
      int bytes = width;
      ALL.put("uint" + 8 * width, (value, call) ->
          Bytes.tail(Bytes.toBytes(within(value, 0, (1L << 8 * bytes) - 1)), bytes));
    }
    ALL.put("int8", (value, call) -> new byte[] {(byte) within(value, Byte.MIN_VALUE, Byte.MAX_VALUE)});
    ALL.put("int16", (value, call) -> Bytes.toBytes((short) within(value, Short.MIN_VALUE, Short.MAX_VALUE)));
    ALL.put("int32", (value, call) -> Bytes.toBytes((int) within(value, Integer.MIN_VALUE, Integer.MAX_VALUE)));
    ALL.put("int64", (value, call) -> Bytes.toBytes(whole(value)));
    ALL.put("float32", (value, call) -> Bytes.toBytes(narrow((Double) value)));
    ALL.put("float64", (value, call) -> Bytes.toBytes((double) (Double) value));
    ALL.put("bigDecimal", (value, call) ->
        Bytes.toBytes(value instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(whole(value))));
    ALL.put("boolean", (value, call) -> Bytes.toBytes((boolean) (Boolean) value));
  }

  private static long digits(String text) {
    require(!text.isEmpty() && text.chars().allMatch(one -> one >= '0' && one <= '9'), text);
    return Long.parseLong(text);
  }

  private static String reversed(String text, String separator) {
    List<String> parts = Arrays.asList(text.split(Pattern.quote(separator), -1));
    Collections.reverse(parts);
    return String.join(separator, parts);
  }

  private static long hexDigits(String text) {
    require(text.matches("[0-9a-fA-F]+"), text);
    return Long.parseLong(text, 16);
  }

  /** Nothing of HBase's: zero bytes made two, so that a single one can end the value. */
  private static byte[] escaped(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte one : bytes) {
      out.writeBytes(one == 0 || one == 1 ? new byte[] {1, (byte) (one + 1)} : new byte[] {one});
    }
    out.write(0);
    return out.toByteArray();
  }

  /** A double that a float can hold, nearly. */
  static float narrow(double real) {
    require(Double.isInfinite(real) || !Float.isInfinite((float) real), real);
    return (float) real;
  }

  private static String unbroken(String text) {
    require(StandardCharsets.UTF_16BE.newEncoder().canEncode(text), text);
    return text;
  }

  private static String atMost(int width, String text) {
    require(text.length() <= width, text);
    return text;
  }

  private static long notNegative(Object value) {
    return within(value, 0, Long.MAX_VALUE);
  }

  private static byte[] withoutZero(String text) {
    require(text.indexOf('\0') < 0, text);
    return Bytes.toBytes(text);
  }

  private static byte[] padded(String text, int width) {
    byte[] bytes = withoutZero(text);
    require(bytes.length <= width, text);
    return Bytes.padTail(bytes, width - bytes.length);
  }

  private static byte[] head(byte[] bytes, int count) {
    byte[] head = Bytes.head(bytes, count);
    require(head != null, count);
    return head;
  }

  private static String hexadecimal(Object value, Formula.Call call, HexFormat format) {
    if (value instanceof Number) {
      String digits = StringUtils.stripStart(format.toHexDigits(notNegative(value)), "0");
      return atMost(call.number(0), StringUtils.leftPad(digits, call.number(0), '0'));
    }
    String digits = format.formatHex(bytes(value));
    return call.given(0) ? digits.substring(0, call.number(0)) : digits;
  }

  private static Formula.Moment truncated(Formula.Moment moment, String period) {
    boolean days = period.endsWith("d");
    long length = Duration.parse((days ? "P" : "PT") + period.toUpperCase(Locale.ROOT)).toMillis();
    long offset = moment.offset().getTotalSeconds() * 1000L;
    long local = Math.addExact(moment.millis(), offset);
    return new Formula.Moment(local - Math.floorMod(local, length) - offset, moment.offset());
  }
}
