package rowscape.oracle;

import static rowscape.oracle.Steps.bytes;
import static rowscape.oracle.Steps.within;
import static rowscape.oracle.Vectors.ordered;

import java.math.BigDecimal;
import java.util.Map;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;

/** Values of {@code OrderedBytes}: {@code ordered.int64('desc')} and the like. */
final class OrderedSteps {
  /** An encoding of OrderedBytes: how many bytes it wrote. */
  private interface Encoding {
    int write(PositionedByteRange range, Object value, Order order);
  }

  static final Map<String, Steps.Step> ALL = Map.ofEntries(
      step("int8", (range, value, order) ->
          OrderedBytes.encodeInt8(range, (byte) within(value, Byte.MIN_VALUE, Byte.MAX_VALUE), order)),
      step("int16", (range, value, order) ->
          OrderedBytes.encodeInt16(range, (short) within(value, Short.MIN_VALUE, Short.MAX_VALUE), order)),
      step("int32", (range, value, order) ->
          OrderedBytes.encodeInt32(range, (int) within(value, Integer.MIN_VALUE, Integer.MAX_VALUE), order)),
      step("int64", (range, value, order) -> OrderedBytes.encodeInt64(range, Steps.whole(value), order)),
      step("float32", (range, value, order) -> OrderedBytes.encodeFloat32(range, ((Double) value).floatValue(), order)),
      step("float64", (range, value, order) -> OrderedBytes.encodeFloat64(range, (Double) value, order)),
      step("numeric", OrderedSteps::numeric),
      step("string", (range, value, order) -> OrderedBytes.encodeString(range, (String) value, order)),
      step("blobVar", (range, value, order) -> OrderedBytes.encodeBlobVar(range, bytes(value), order)),
      step("blobCopy", (range, value, order) -> OrderedBytes.encodeBlobCopy(range, bytes(value), order)));

  private OrderedSteps() {
  }

  private static Map.Entry<String, Steps.Step> step(String name, Encoding encoding) {
    return Map.entry("ordered." + name, (value, call) -> {
      Order order = call.given(0) && call.text(0).equals("desc") ? Order.DESCENDING : Order.ASCENDING;
      return ordered(range -> encoding.write(range, value, order));
    });
  }

  private static int numeric(PositionedByteRange range, Object value, Order order) {
    if (value instanceof Double real) {
      return OrderedBytes.encodeNumeric(range, real, order);
    }
    return value instanceof BigDecimal decimal ? OrderedBytes.encodeNumeric(range, decimal, order)
        : OrderedBytes.encodeNumeric(range, Steps.whole(value), order);
  }
}
