package rowscape.oracle;

import static rowscape.oracle.Steps.bytes;
import static rowscape.oracle.Steps.require;
import static rowscape.oracle.Steps.whole;
import static rowscape.oracle.Steps.within;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.hbase.util.Bytes;

/** Steps of text, numbers and times, and the encodings of HBase's {@code Bytes}. */
final class PlainSteps {
  static final Map<String, Steps.Step> ALL = Map.ofEntries(
      Map.entry("reverse", (value, call) -> new StringBuilder((String) value).reverse().toString()),
      Map.entry("upper", (value, call) -> ((String) value).toUpperCase(Locale.ROOT)),
      Map.entry("lower", (value, call) -> ((String) value).toLowerCase(Locale.ROOT)),
      Map.entry("substring", (value, call) -> unbroken(((String) value).substring(call.number(0), call.number(1)))),
      Map.entry("pad", (value, call) ->
          atMost(call.number(0), StringUtils.leftPad((String) value, call.number(0), call.text(1)))),
      Map.entry("mod", (value, call) -> whole(value) % call.whole(0)),
      Map.entry("floorMod", (value, call) -> Math.floorMod(whole(value), call.whole(0))),
      Map.entry("and", (value, call) -> whole(value) & call.whole(0)),
      Map.entry("abs", (value, call) -> value instanceof Integer hash ? (long) Math.abs(hash) : Math.abs(whole(value))),
      Map.entry("reverseLong", (value, call) -> Long.MAX_VALUE - notNegative(value)),
      Map.entry("words", (value, call) -> call.text((int) within(value, 0, call.arguments.size() - 1))),
      Map.entry("format", (value, call) ->
          DateTimeFormatter.ofPattern(call.text(0), Locale.ROOT).format(((Formula.Moment) value).local())),
      Map.entry("millis", (value, call) -> ((Formula.Moment) value).millis()),
      Map.entry("seconds", (value, call) -> ((Formula.Moment) value).local().toEpochSecond()),
      Map.entry("truncate", (value, call) -> truncated((Formula.Moment) value, call.text(0))),
      Map.entry("string", (value, call) -> value.toString()),
      Map.entry("text", (value, call) -> call.given(0) ? padded((String) value, call.number(0)) : bytes(value)),
      Map.entry("terminated", (value, call) -> Bytes.add(withoutZero((String) value), new byte[1])),
      Map.entry("decimal", (value, call) -> call.given(0)
          ? atMost(call.number(0), String.format("%0" + call.number(0) + "d", notNegative(value))) : value.toString()),
      Map.entry("hex", (value, call) -> hexadecimal(value, call, HexFormat.of())),
      Map.entry("HEX", (value, call) -> hexadecimal(value, call, HexFormat.of().withUpperCase())),
      Map.entry("raw", (value, call) -> call.given(0) ? head(bytes(value), call.number(0)) : bytes(value)),
      Map.entry("int16", (value, call) -> Bytes.toBytes((short) within(value, Short.MIN_VALUE, Short.MAX_VALUE))),
      Map.entry("int32", (value, call) -> Bytes.toBytes((int) within(value, Integer.MIN_VALUE, Integer.MAX_VALUE))),
      Map.entry("int64", (value, call) -> Bytes.toBytes(whole(value))));

  private PlainSteps() {
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
