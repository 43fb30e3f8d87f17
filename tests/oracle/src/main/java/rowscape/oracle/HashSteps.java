package rowscape.oracle;

import static rowscape.oracle.Steps.bytes;

import com.sematext.hbase.wd.RowKeyDistributorByHashPrefix.OneByteSimpleHash;
import java.lang.reflect.Method;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32;
import net.opentsdb.core.Const;
import net.opentsdb.core.RowKey;
import org.apache.hadoop.hbase.util.ByteArrayHashKey;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Hash;
import org.apache.phoenix.schema.SaltingUtil;

/** Digests, hashes and salts. */
final class HashSteps {
  static final Map<String, Steps.Step> ALL = Map.ofEntries(
      Map.entry("md5", (value, call) -> MessageDigest.getInstance("MD5").digest(bytes(value))),
      Map.entry("sha1", (value, call) -> MessageDigest.getInstance("SHA-1").digest(bytes(value))),
      Map.entry("sha256", (value, call) -> MessageDigest.getInstance("SHA-256").digest(bytes(value))),
      Map.entry("crc32", (value, call) -> crc32(bytes(value))),
      Map.entry("javaHash", (value, call) -> ((String) value).hashCode()),
      Map.entry("bytesHash", (value, call) -> Bytes.hashCode(bytes(value))),
      Map.entry("murmur", (value, call) -> hash("murmur", value, call)),
      Map.entry("murmur3", (value, call) -> hash("murmur3", value, call)),
      Map.entry("jenkins", (value, call) -> hash("jenkins", value, call)),
      Map.entry("phoenixSalt", (value, call) -> phoenixSalt(bytes(value), call.number(0))),
      Map.entry("hbasewdSalt", (value, call) ->
          new OneByteSimpleHash(call.number(0)).getHashPrefix(bytes(value))),
      Map.entry("opentsdbSalt", (value, call) ->
          opentsdbSalt(bytes(value), call.number(0), call.given(1) ? call.number(1) : 1)));

  /** Seed of {@code Hash.hash(byte[])} in HBase 1; in HBase 2 callers give the seed. */
  private static final int UNSEEDED = -1;

  private HashSteps() {
  }

  private static long crc32(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return sum.getValue();
  }

  private static Integer hash(String name, Object value, Formula.Call call) {
    Hash hash = Hash.getInstance(Hash.parseHashType(name));
    byte[] bytes = bytes(value);
    ByteArrayHashKey key = new ByteArrayHashKey(bytes, 0, bytes.length);
    return hash.hash(key, call.given(0) ? call.number(0) : UNSEEDED);
  }

  private static byte[] phoenixSalt(byte[] key, int buckets) {
    return new byte[] {SaltingUtil.getSaltingByte(key, 0, key.length, buckets)};
  }

  /** OpenTSDB keeps its settings in static fields, so one at a time. A series is a metric of three bytes, then tags. */
  static synchronized byte[] opentsdbSalt(byte[] series, int buckets, int width) throws Exception {
    set("setSaltWidth", width);
    set("setSaltBuckets", buckets);
    int metric = 3;
    if (series.length < metric) {
      // No metric, as a metric of zeros.
      return new byte[width];
    }
    byte[] time = new byte[4];
    byte[] row = Bytes.add(Bytes.add(new byte[width], Bytes.head(series, metric), time),
        Bytes.tail(series, series.length - metric));
    RowKey.prefixKeyWithSalt(row);
    return Arrays.copyOf(row, width);
  }

  private static void set(String name, int value) throws Exception {
    Method setter = Const.class.getDeclaredMethod(name, int.class);
    setter.setAccessible(true);
    setter.invoke(null, value);
  }
}
