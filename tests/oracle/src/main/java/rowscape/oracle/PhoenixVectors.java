package rowscape.oracle;

import static rowscape.oracle.VectorFile.both;
import static rowscape.oracle.VectorFile.inputs;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.List;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBinary;
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
import org.apache.phoenix.schema.types.PUnsignedTimestamp;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;

/** Golden vectors of Phoenix's types and of its salt. */
final class PhoenixVectors {
  private PhoenixVectors() {
  }

  static void types(VectorFile file, Draw draw) {
    long number = draw.whole();
    type(file, PLong.INSTANCE, number, Vectors.number(number));
    type(file, PUnsignedLong.INSTANCE, number, Vectors.number(number));
    type(file, PInteger.INSTANCE, (int) number, Vectors.number((int) number));
    type(file, PUnsignedInt.INSTANCE, (int) number, Vectors.number((int) number));
    type(file, PSmallint.INSTANCE, (short) number, Vectors.number((short) number));
    type(file, PUnsignedSmallint.INSTANCE, (short) number, Vectors.number((short) number));
    type(file, PTinyint.INSTANCE, (byte) number, Vectors.number((byte) number));
    type(file, PUnsignedTinyint.INSTANCE, (byte) number, Vectors.number((byte) number));
    double real = draw.real();
    type(file, PDouble.INSTANCE, real, Vectors.real(real));
    type(file, PUnsignedDouble.INSTANCE, real, Vectors.real(real));
    type(file, PFloat.INSTANCE, (float) real, Vectors.real((float) real));
    type(file, PUnsignedFloat.INSTANCE, (float) real, Vectors.real((float) real));
    BigDecimal decimal = draw.decimal();
    type(file, PDecimal.INSTANCE, decimal, Vectors.decimal(decimal));
    String text = draw.unicode(16);
    type(file, PVarchar.INSTANCE, text, VectorFile.text(text));
    type(file, PChar.INSTANCE, text, VectorFile.text(text));
    byte[] bytes = draw.bytes(0, 16);
    type(file, PVarbinary.INSTANCE, bytes, inputs("bytes", bytes));
    type(file, PBinary.INSTANCE, bytes, inputs("bytes", bytes));
    times(file, draw.random.nextLong() >> 21, draw.random.nextInt(1_000_000_000));
  }

  private static void times(VectorFile file, long millis, int nanoseconds) {
    List<?> moment = inputs("millis", millis);
    type(file, PDate.INSTANCE, new Date(millis), moment);
    type(file, PTime.INSTANCE, new Time(millis), moment);
    type(file, PUnsignedDate.INSTANCE, new Date(millis), moment);
    Timestamp timestamp = new Timestamp(millis);
    // Replaces the milliseconds within the second too.
    timestamp.setNanos(nanoseconds);
    List<?> fine = inputs("millis", timestamp.getTime(), "nanosOfSecond", timestamp.getNanos());
    type(file, PTimestamp.INSTANCE, timestamp, fine);
    type(file, PUnsignedTimestamp.INSTANCE, timestamp, fine);
  }

  private static void type(VectorFile file, PDataType<?> type, Object value, List<?> inputs) {
    for (SortOrder order : SortOrder.values()) {
      file.record("toBytes", both(inputs("type", type.getClass().getSimpleName(), "order", order.name()), inputs),
          () -> type.toBytes(value, order));
    }
  }

  static void salt(VectorFile file, Draw draw) {
    byte[] key = draw.bytes(0, 24);
    int buckets = draw.between(1, 256);
    List<?> in = inputs("key", key, "buckets", buckets);
    file.record("getSaltingByte", in, () -> new byte[] {SaltingUtil.getSaltingByte(key, 0, key.length, buckets)});
    // The key comes with room for the salt in front of it.
    file.record("getSaltedKey", in,
        () -> SaltingUtil.getSaltedKey(new ImmutableBytesWritable(Bytes.add(new byte[1], key)), buckets));
  }
}
