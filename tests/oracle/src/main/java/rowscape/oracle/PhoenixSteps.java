package rowscape.oracle;

import static rowscape.oracle.Steps.bytes;
import static rowscape.oracle.Steps.require;
import static rowscape.oracle.Steps.whole;
import static rowscape.oracle.Steps.within;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PDouble;
import org.apache.phoenix.schema.types.PFloat;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PSmallint;
import org.apache.phoenix.schema.types.PTime;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PTinyint;
import org.apache.phoenix.schema.types.PUnsignedDate;
import org.apache.phoenix.schema.types.PUnsignedDouble;
import org.apache.phoenix.schema.types.PUnsignedFloat;
import org.apache.phoenix.schema.types.PUnsignedInt;
import org.apache.phoenix.schema.types.PUnsignedLong;
import org.apache.phoenix.schema.types.PUnsignedSmallint;
import org.apache.phoenix.schema.types.PUnsignedTime;
import org.apache.phoenix.schema.types.PUnsignedTimestamp;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;

/** Columns of a Phoenix primary key: {@code phoenix.bigint('desc')} and the like. */
final class PhoenixSteps {
  /** Converts a value to a type that Phoenix accepts. */
  private interface Taken {
    Object of(Object value);
  }

  static final Map<String, Steps.Step> ALL = new HashMap<>();

  static {
    whole("tinyint", PTinyint.INSTANCE, Byte.MIN_VALUE, Byte.MAX_VALUE, number -> ((Long) number).byteValue());
    whole("smallint", PSmallint.INSTANCE, Short.MIN_VALUE, Short.MAX_VALUE, number -> ((Long) number).shortValue());
    whole("integer", PInteger.INSTANCE, Integer.MIN_VALUE, Integer.MAX_VALUE, number -> ((Long) number).intValue());
    whole("bigint", PLong.INSTANCE, Long.MIN_VALUE, Long.MAX_VALUE, number -> number);
    whole("unsignedTinyint", PUnsignedTinyint.INSTANCE, 0, Byte.MAX_VALUE, number -> ((Long) number).byteValue());
    whole("unsignedSmallint", PUnsignedSmallint.INSTANCE, 0, Short.MAX_VALUE, number -> ((Long) number).shortValue());
    whole("unsignedInt", PUnsignedInt.INSTANCE, 0, Integer.MAX_VALUE, number -> ((Long) number).intValue());
    whole("unsignedLong", PUnsignedLong.INSTANCE, 0, Long.MAX_VALUE, number -> number);
    fixed("float", PFloat.INSTANCE, number -> PlainSteps.narrow((Double) number));
    fixed("double", PDouble.INSTANCE, number -> number);
    fixed("unsignedFloat", PUnsignedFloat.INSTANCE, number -> PlainSteps.narrow(unsigned(number)));
    fixed("unsignedDouble", PUnsignedDouble.INSTANCE, PhoenixSteps::unsigned);
    fixed("boolean", PBoolean.INSTANCE, value -> value);
    fixed("date", PDate.INSTANCE, moment -> new Date(millis(moment)));
    fixed("time", PTime.INSTANCE, moment -> new Time(millis(moment)));
    fixed("timestamp", PTimestamp.INSTANCE, moment -> new Timestamp(millis(moment)));
    fixed("unsignedDate", PUnsignedDate.INSTANCE, moment -> new Date(since1970(moment)));
    fixed("unsignedTime", PUnsignedTime.INSTANCE, moment -> new Time(since1970(moment)));
    fixed("unsignedTimestamp", PUnsignedTimestamp.INSTANCE, moment -> new Timestamp(since1970(moment)));
    ALL.put("phoenix.varchar", (value, call) -> varying(PVarchar.INSTANCE, value, call));
    ALL.put("phoenix.varbinary", (value, call) -> varying(PVarbinary.INSTANCE, bytes(value), call));
    ALL.put("phoenix.decimal", (value, call) -> decimal(value, call));
    ALL.put("phoenix.char", (value, call) -> text((String) value, call));
    ALL.put("phoenix.binary", (value, call) -> padded(PBinary.INSTANCE, bytes(value), call, (byte) 0));
  }

  private PhoenixSteps() {
  }

  private static void whole(String name, PDataType<?> type, long least, long most, Taken taken) {
    fixed(name, type, value -> taken.of(within(value, least, most)));
  }

  private static void fixed(String name, PDataType<?> type, Taken taken) {
    ALL.put("phoenix." + name, (value, call) -> type.toBytes(taken.of(value), order(call)));
  }

  private static SortOrder order(Formula.Call call) {
    return call.given(0) && call.text(0).equals("desc") ? SortOrder.DESC : SortOrder.ASC;
  }

  private static long millis(Object moment) {
    return ((Formula.Moment) moment).millis();
  }

  /** Phoenix takes -0.0 and sorts it above all others. */
  private static double unsigned(Object number) {
    require(!number.equals(-0.0), number);
    return (Double) number;
  }

  private static long since1970(Object moment) {
    require(millis(moment) >= 0, moment);
    return millis(moment);
  }

  /** A column of varying width, with the separator Phoenix writes after all but an ascending last one. */
  private static byte[] varying(PDataType<?> type, Object value, Formula.Call call) {
    SortOrder order = order(call);
    byte[] column = type.toBytes(value, order);
    if (!call.given(1)) {
      require(column.length > 0, "NULL");
      return column;
    }
    byte separator = order == SortOrder.DESC ? QueryConstants.DESC_SEPARATOR_BYTE : QueryConstants.SEPARATOR_BYTE;
    require(column.length > 0 || order == SortOrder.ASC, "NULL");
    require(Bytes.indexOf(column, separator) < 0, "a separator within the value");
    return Bytes.add(column, new byte[] {separator});
  }

  /** Phoenix rounds what has too many digits, and writes exponents that are too large without a word. */
  private static byte[] decimal(Object value, Formula.Call call) {
    BigDecimal number = value instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(Steps.whole(value));
    byte[] column = varying(PDecimal.INSTANCE, number, call);
    byte[] alone = PDecimal.INSTANCE.toBytes(number);
    require(number.compareTo((BigDecimal) PDecimal.INSTANCE.toObject(alone)) == 0, value);
    return column;
  }

  private static byte[] text(String value, Formula.Call call) {
    require(!value.endsWith(" ") && value.chars().noneMatch(one -> one < ' '), value);
    return padded(PChar.INSTANCE, value, call, (byte) ' ');
  }

  private static byte[] padded(PDataType<?> type, Object value, Formula.Call call, byte with) {
    byte[] column = type.toBytes(value, SortOrder.ASC);
    int width = call.number(1);
    require(column.length > 0 && column.length <= width, value);
    byte[] full = java.util.Arrays.copyOf(column, width);
    java.util.Arrays.fill(full, column.length, width, with);
    return order(call) == SortOrder.DESC ? SortOrder.invert(full, 0, new byte[width], 0, width) : full;
  }
}
