package rowscape.oracle;

import static rowscape.oracle.VectorFile.both;
import static rowscape.oracle.VectorFile.inputs;
import static rowscape.oracle.VectorFile.text;

import com.sematext.hbase.wd.RowKeyDistributorByHashPrefix;
import com.sematext.hbase.wd.RowKeyDistributorByHashPrefix.OneByteSimpleHash;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.hadoop.hbase.util.ByteArrayHashKey;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Hash;
import org.apache.hadoop.hbase.util.MD5Hash;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.RegionSplitter;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/** Golden vectors of random values: what HBase's classes make of them. */
final class Vectors {
  /** Records one random value in a file, in all its forms. */
  interface Writer {
    void one(VectorFile file, Draw draw);
  }

  private static final Map<String, Writer> FILES = new LinkedHashMap<>();

  static {
    FILES.put("bytes_codec", Vectors::bytes);
    FILES.put("ordered_bytes", Vectors::ordered);
    FILES.put("phoenix_types", PhoenixVectors::types);
    FILES.put("phoenix_salt", PhoenixVectors::salt);
    FILES.put("hbasewd_hash", Vectors::hbasewd);
    FILES.put("opentsdb_salt", Vectors::opentsdb);
    FILES.put("hashes", Vectors::hashes);
    FILES.put("string_binary", Vectors::notation);
    FILES.put("prefix_stop", Vectors::prefixes);
    FILES.put("keyvalue_size", Vectors::sizes);
    FILES.put("splits_hex", (file, draw) -> split(file, draw, "HexStringSplit", "0123456789abcdefABCDEF"));
    FILES.put("splits_decimal", (file, draw) -> split(file, draw, "DecimalStringSplit", "0123456789"));
    FILES.put("splits_uniform", (file, draw) -> split(file, draw, "UniformSplit", null));
    FILES.put("splits_bytes", Vectors::splitBytes);
  }

  private Vectors() {
  }

  /** Writes as many records into each file, at least {@code records} in all; each file has a seed of its own. */
  static void write(Path directory, long seed, int records) throws IOException {
    Files.createDirectories(directory);
    int each = 1 + records / FILES.size();
    for (Map.Entry<String, Writer> entry : FILES.entrySet()) {
      Draw draw = new Draw(31 * seed + entry.getKey().hashCode());
      try (VectorFile file = new VectorFile(directory, entry.getKey())) {
        while (file.records() < each) {
          entry.getValue().one(file, draw);
        }
      }
    }
  }

  static List<?> number(long value) {
    return inputs("value", Long.toString(value));
  }

  static List<?> real(double value) {
    return inputs("value", Double.toString(value), "bits", String.format("%016x", Double.doubleToRawLongBits(value)));
  }

  static List<?> real(float value) {
    return inputs("value", Float.toString(value), "bits", String.format("%08x", Float.floatToRawIntBits(value)));
  }

  static List<?> decimal(BigDecimal value) {
    return inputs("value", value.toString(), "unscaled", value.unscaledValue().toString(), "scale", value.scale());
  }

  private static void bytes(VectorFile file, Draw draw) {
    long number = draw.whole();
    file.record("toBytes", both(inputs("type", "long"), number(number)), () -> Bytes.toBytes(number));
    file.record("toBytes", both(inputs("type", "int"), number((int) number)), () -> Bytes.toBytes((int) number));
    file.record("toBytes", both(inputs("type", "short"), number((short) number)), () -> Bytes.toBytes((short) number));
    double real = draw.real();
    file.record("toBytes", both(inputs("type", "double"), real(real)), () -> Bytes.toBytes(real));
    file.record("toBytes", both(inputs("type", "float"), real((float) real)), () -> Bytes.toBytes((float) real));
    BigDecimal decimal = draw.decimal();
    file.record("toBytes", both(inputs("type", "BigDecimal"), decimal(decimal)), () -> Bytes.toBytes(decimal));
    String text = draw.unicode(24);
    file.record("toBytes", both(inputs("type", "String"), text(text)), () -> Bytes.toBytes(text));
  }

  private static void ordered(VectorFile file, Draw draw) {
    long number = draw.whole();
    double real = draw.real();
    BigDecimal decimal = draw.decimal();
    String text = draw.unicode(16);
    byte[] bytes = draw.bytes(0, 24);
    for (Order order : Order.values()) {
      List<?> in = inputs("order", order.name());
      file.record("encodeInt64", both(in, number(number)), () -> ordered(to -> OrderedBytes.encodeInt64(to, number, order)));
      file.record("encodeInt32", both(in, number((int) number)),
          () -> ordered(to -> OrderedBytes.encodeInt32(to, (int) number, order)));
      file.record("encodeInt16", both(in, number((short) number)),
          () -> ordered(to -> OrderedBytes.encodeInt16(to, (short) number, order)));
      file.record("encodeInt8", both(in, number((byte) number)),
          () -> ordered(to -> OrderedBytes.encodeInt8(to, (byte) number, order)));
      file.record("encodeNumeric", both(both(in, inputs("type", "long")), number(number)),
          () -> ordered(to -> OrderedBytes.encodeNumeric(to, number, order)));
      file.record("encodeFloat64", both(in, real(real)), () -> ordered(to -> OrderedBytes.encodeFloat64(to, real, order)));
      file.record("encodeFloat32", both(in, real((float) real)),
          () -> ordered(to -> OrderedBytes.encodeFloat32(to, (float) real, order)));
      file.record("encodeNumeric", both(both(in, inputs("type", "double")), real(real)),
          () -> ordered(to -> OrderedBytes.encodeNumeric(to, real, order)));
      file.record("encodeNumeric", both(both(in, inputs("type", "BigDecimal")), decimal(decimal)),
          () -> ordered(to -> OrderedBytes.encodeNumeric(to, decimal, order)));
      file.record("encodeString", both(in, text(text)), () -> ordered(to -> OrderedBytes.encodeString(to, text, order)));
      file.record("encodeBlobVar", both(in, inputs("bytes", bytes)),
          () -> ordered(to -> OrderedBytes.encodeBlobVar(to, bytes, order)));
      file.record("encodeBlobCopy", both(in, inputs("bytes", bytes)),
          () -> ordered(to -> OrderedBytes.encodeBlobCopy(to, bytes, order)));
    }
  }

  /** Bytes that an encoding of OrderedBytes writes. */
  static byte[] ordered(ToIntFunction<PositionedByteRange> encoding) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(1 << 14);
    byte[] encoded = new byte[encoding.applyAsInt(range)];
    range.get(0, encoded);
    return encoded;
  }

  private static void hashes(VectorFile file, Draw draw) {
    String text = draw.unicode(30);
    file.record("String.hashCode", both(inputs("type", "String"), text(text)), text::hashCode);
    byte[] bytes = draw.oneIn(3) ? text.getBytes(StandardCharsets.UTF_8) : draw.bytes(0, draw.oneIn(20) ? 1000 : 80);
    List<?> in = inputs("bytes", bytes);
    file.record("MD5", in, () -> MessageDigest.getInstance("MD5").digest(bytes));
    file.record("MD5.upper", in,
        () -> HexFormat.of().withUpperCase().formatHex(MessageDigest.getInstance("MD5").digest(bytes)));
    file.record("MD5Hash.getMD5AsHex", in, () -> MD5Hash.getMD5AsHex(bytes));
    file.record("SHA-1", in, () -> MessageDigest.getInstance("SHA-1").digest(bytes));
    file.record("SHA-256", in, () -> MessageDigest.getInstance("SHA-256").digest(bytes));
    file.record("CRC32", in, () -> {
      CRC32 sum = new CRC32();
      sum.update(bytes);
      return sum.getValue();
    });
    file.record("Bytes.hashCode", in, () -> Bytes.hashCode(bytes));
    file.record("Arrays.hashCode", in, () -> Arrays.hashCode(bytes));
    int seed = draw.oneIn(2) ? 0 : draw.random.nextInt();
    for (String name : List.of("jenkins", "murmur", "murmur3")) {
      Hash hash = Hash.getInstance(Hash.parseHashType(name));
      file.record(hash.getClass().getSimpleName(), both(in, inputs("seed", seed)),
          () -> hash.hash(new ByteArrayHashKey(bytes, 0, bytes.length), seed));
    }
  }

  private static void hbasewd(VectorFile file, Draw draw) {
    byte[] key = draw.bytes(0, 24);
    int buckets = draw.between(1, 255);
    file.record("getDistributedKey", inputs("key", key, "buckets", buckets),
        () -> new RowKeyDistributorByHashPrefix(new OneByteSimpleHash(buckets)).getDistributedKey(key));
  }

  private static void opentsdb(VectorFile file, Draw draw) {
    int width = draw.between(1, 2);
    int buckets = draw.between(1, 256);
    byte[] metric = draw.bytes(3, 3);
    int time = draw.random.nextInt();
    int tagBytes = 6 * draw.between(0, 3);
    byte[] tags = draw.bytes(tagBytes, tagBytes);
    file.record("prefixKeyWithSalt", inputs("saltWidth", width, "buckets", buckets, "metric", metric, "timestamp", time,
        "tags", tags), () -> Bytes.add(Bytes.add(HashSteps.opentsdbSalt(Bytes.add(metric, tags), buckets, width), metric),
            Bytes.toBytes(time), tags));
  }

  private static void notation(VectorFile file, Draw draw) {
    byte[] bytes = draw.bytes(0, 20);
    file.record("toStringBinary", inputs("bytes", bytes), () -> Bytes.toStringBinary(bytes));
    file.record("roundTrip", inputs("bytes", bytes), () -> Bytes.toBytesBinary(Bytes.toStringBinary(bytes)));
    for (String text : List.of(Bytes.toStringBinary(bytes), draw.text("\\\\\\xxxX0149AFafGg \u00e9\u20ac", 0, 12))) {
      file.record("toBytesBinary", inputs("text", text), () -> Bytes.toBytesBinary(text));
    }
  }

  private static void prefixes(VectorFile file, Draw draw) {
    byte[] tail = new byte[draw.between(0, 3)];
    Arrays.fill(tail, (byte) 0xff);
    byte[] prefix = Bytes.add(draw.bytes(0, 12), tail);
    file.record("calculateTheClosestNextRowKeyForPrefix", inputs("prefix", prefix),
        () -> ClientUtil.calculateTheClosestNextRowKeyForPrefix(prefix));
  }

  private static void sizes(VectorFile file, Draw draw) {
    int row = draw.between(draw.oneIn(9) ? 0 : 1, draw.oneIn(9) ? 33000 : 64);
    int family = draw.between(1, draw.oneIn(9) ? 130 : 4);
    int qualifier = draw.between(0, draw.oneIn(9) ? 70000 : 24);
    int value = draw.between(0, draw.oneIn(9) ? 100_000 : 300);
    Integer tag = draw.oneIn(3) ? (Integer) draw.between(0, draw.oneIn(9) ? 65533 : 200) : null;
    file.record("KeyValue", inputs("row", row, "family", family, "qualifier", qualifier, "value", value, "tag", tag), () -> {
      List<Tag> tags = tag == null ? null : List.of(new ArrayBackedTag((byte) 1, new byte[tag]));
      KeyValue cell = new KeyValue(new byte[row], new byte[family], new byte[qualifier], 1L, KeyValue.Type.Put,
          new byte[value], tags);
      Map<String, Object> sizes = new LinkedHashMap<>();
      sizes.put("length", cell.getLength());
      sizes.put("serializedSize", cell.getSerializedSize());
      sizes.put("serializedSizeWithoutTags", cell.getSerializedSize(false));
      sizes.put("keyLength", cell.getKeyLength());
      sizes.put("tagsLength", cell.getTagsLength());
      return sizes;
    });
  }

  /** Without digits, the rows are bytes in the notation that UniformSplit reads. */
  private static void split(VectorFile file, Draw draw, String name, String digits) {
    int regions = draw.between(draw.oneIn(20) ? -1 : 2, 40);
    String[] rows = {row(draw, digits), row(draw, digits)};
    if (!draw.oneIn(6)) {
      // Mostly in order: of two rows at random half would be refused.
      Arrays.sort(rows);
    }
    String first = rows[0];
    String last = rows[1];
    file.record("split", inputs("algorithm", name, "first", first, "last", last, "n", regions), () -> {
      RegionSplitter.SplitAlgorithm algorithm =
          RegionSplitter.newSplitAlgoInstance(new org.apache.hadoop.conf.Configuration(false), name);
      algorithm.setFirstRow(first);
      algorithm.setLastRow(last);
      return algorithm.split(regions);
    });
  }

  private static String row(Draw draw, String digits) {
    if (digits != null) {
      return draw.text(digits, 1, draw.oneIn(3) ? 20 : 8);
    }
    StringBuilder row = new StringBuilder();
    for (byte one : draw.bytes(0, 9)) {
      row.append(String.format("\\x%02X", one));
    }
    return row.toString();
  }

  private static void splitBytes(VectorFile file, Draw draw) {
    byte[] some = draw.bytes(0, 9);
    byte[] other = draw.oneIn(4) ? Bytes.add(some, draw.bytes(1, 3)) : draw.bytes(0, 9);
    boolean turned = Bytes.compareTo(some, other) > 0 != draw.oneIn(6);
    byte[] start = turned ? other : some;
    byte[] end = turned ? some : other;
    int count = draw.between(draw.oneIn(20) ? -1 : 1, 40);
    boolean inclusive = draw.random.nextBoolean();
    file.record("Bytes.split", inputs("start", start, "end", end, "inclusive", inclusive, "num", count),
        () -> Bytes.split(start, end, inclusive, count));
  }
}
