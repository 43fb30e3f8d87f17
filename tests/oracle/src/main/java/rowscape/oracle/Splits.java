package rowscape.oracle;

import java.math.BigInteger;
import java.time.LocalDate;
import java.time.Period;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter;
import org.apache.hadoop.hbase.util.RegionSplitter.SplitAlgorithm;
import org.apache.phoenix.schema.SaltingUtil;

/** How a table is to be split; one of the members says which way. Keys are hexadecimal. */
final class Splits {
  /** Algorithm of RegionSplitter, with its first and last row as it reads them. */
  String algorithm;
  String first;
  String last;
  int regions;
  List<String> points;
  /** The start and the end of {@code createTable(start, end, n)}. */
  List<String> between;
  /** Range of {@code getHexSplits} in the HBase book. */
  List<String> hexRange;
  /** Phoenix's salts, or with digits decimal ones. */
  int salts;
  Integer digits;
  /** The first date and the one they end before. */
  List<String> dates;
  String every;
  String format;

  /** The split keys, unless they are for {@code createTable(start, end, n)} to make. */
  byte[][] points() throws Exception {
    if (algorithm != null) {
      return byAlgorithm();
    }
    if (hexRange != null) {
      return hexSplits(new BigInteger(hexRange.get(0), 16), new BigInteger(hexRange.get(1), 16), regions);
    }
    if (salts > 0) {
      return digits == null ? SaltingUtil.getSalteByteSplitPoints(salts) : decimalSalts();
    }
    return dates == null ? Request.all(points) : byDate();
  }

  private byte[][] byAlgorithm() throws Exception {
    SplitAlgorithm splitter = RegionSplitter.newSplitAlgoInstance(new Configuration(false), algorithm);
    if (first != null) {
      splitter.setFirstRow(first);
    }
    if (last != null) {
      splitter.setLastRow(last);
    }
    return splitter.split(regions);
  }

  /** As the HBase book has it. */
  private static byte[][] hexSplits(BigInteger lowest, BigInteger highest, int regions) {
    byte[][] splits = new byte[regions - 1][];
    BigInteger increment = highest.subtract(lowest).divide(BigInteger.valueOf(regions));
    BigInteger from = lowest.add(increment);
    for (int i = 0; i < regions - 1; i++) {
      BigInteger key = from.add(increment.multiply(BigInteger.valueOf(i)));
      splits[i] = Bytes.toBytes(String.format("%016x", key));
    }
    return splits;
  }

  private byte[][] decimalSalts() {
    byte[][] splits = new byte[salts - 1][];
    for (int salt = 1; salt < salts; salt++) {
      String text = String.format("%0" + digits + "d", salt);
      Steps.require(text.length() == digits, salt);
      splits[salt - 1] = Bytes.toBytes(text);
    }
    return splits;
  }

  private byte[][] byDate() {
    LocalDate from = LocalDate.parse(dates.get(0));
    LocalDate to = LocalDate.parse(dates.get(1));
    Period step = Period.parse("P" + every.toUpperCase(Locale.ROOT));
    DateTimeFormatter formatter = DateTimeFormatter.ofPattern(format, Locale.ROOT);
    List<byte[]> splits = new ArrayList<>();
    for (int i = 0; from.plus(step.multipliedBy(i)).isBefore(to); i++) {
      splits.add(Bytes.toBytes(formatter.format(from.plus(step.multipliedBy(i)).atStartOfDay())));
    }
    return splits.toArray(byte[][]::new);
  }
}
