package rowscape.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Times of reads of a real HBase with what the cost model counts of each: gets, short and long scans, filtered and reversed ones,
 * scans of several regions, files and families.
 */
final class Calibration {
  private static final int VALUE = 60;
  /** Rows of each table. */
  private static final int ROWS = 120_000;
  /** Turns in which every read is timed, so that a busy machine disturbs all alike. */
  private static final int TURNS = 9;
  /** Milliseconds of a turn of one read, and repetitions at most. */
  private static final int TURN = 100;
  private static final int REPEATS = 400;
  /** The share of the repetitions that are faster than what is told: others wait for the processor. */
  private static final double FASTER = 0.25;
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  /** A table: its regions, files of a store, and families. */
  private record Made(TableName name, int regions, int files, int families) {
    int rowsPerRegion() {
      return ROWS / regions;
    }
  }

  private interface Timed {
    /** Reads once; how many rows came. */
    int read(Table table, int start) throws Exception;
  }

  /** A read with the counts of the cost model. */
  private static final class Read {
    final String name;
    final Made made;
    final int rows;
    final Timed timed;
    final Map<String, Double> counts = new LinkedHashMap<>();
    final List<Double> micros = new ArrayList<>();

    Read(String name, Made made, int rows, Timed timed) {
      this.name = name;
      this.made = made;
      this.rows = rows;
      this.timed = timed;
    }

    Read count(String what, double count) {
      counts.merge(what, count, Double::sum);
      return this;
    }
  }

  private final Cluster cluster;
  private final Random random = new Random(21);

  Calibration(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The times of all reads, in microseconds, one for each turn. */
  List<Map<String, Object>> measure() throws Exception {
    Made one = make("one", 1, 3, 1);
    List<Made> all = List.of(one, make("compacted", 1, 1, 1), make("files", 1, 6, 1), make("regions", 16, 3, 1),
        make("families", 1, 3, 3));
    List<Read> reads = new ArrayList<>();
    for (Made made : all) {
      reads.add(get(made));
      for (int rows : new int[] {1, 10, 100, 1000, 3000}) {
        reads.add(scan(made, rows, false, false));
      }
    }
    for (Made made : List.of(one, all.get(1))) {
      for (int rows : new int[] {100, 300, 1000, 3000}) {
        reads.add(scan(made, rows, true, false));
        reads.add(scan(made, rows, false, true));
        reads.add(scan(made, rows, true, true));
      }
    }
    for (int regions : new int[] {2, 4, 8, 16}) {
      reads.add(across(all.get(3), regions));
    }
    reads.add(uncached(one, 1));
    reads.add(uncached(one, 1000));
    for (int turn = 0; turn < TURNS; turn++) {
      for (Read read : reads) {
        time(read, turn == 0);
      }
    }
    List<Map<String, Object>> told = new ArrayList<>();
    for (Read read : reads) {
      Map<String, Object> of = new LinkedHashMap<>();
      of.put("name", read.name);
      of.put("counts", read.counts);
      of.put("micros", read.micros);
      told.add(of);
    }
    return told;
  }

  private Made make(String name, int regions, int files, int families) throws Exception {
    Made made = new Made(TableName.valueOf("calibration_" + name), regions, files, families);
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(made.name).setCompactionEnabled(false);
    for (int family = 0; family < families; family++) {
      table.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f" + family)).build());
    }
    byte[][] points = new byte[regions - 1][];
    for (int region = 1; region < regions; region++) {
      points[region - 1] = key(region * made.rowsPerRegion());
    }
    try (Admin admin = cluster.connection().getAdmin()) {
      if (regions == 1) {
        admin.createTable(table.build());
      } else {
        admin.createTable(table.build(), points);
      }
    }
    // Every file has rows of the whole range, so that a scan seeks in each.
    for (int file = 0; file < files; file++) {
      try (BufferedMutator rows = cluster.connection().getBufferedMutator(made.name)) {
        for (int row = file; row < ROWS; row += files) {
          Put put = new Put(key(row));
          for (int family = 0; family < families; family++) {
            byte[] value = new byte[VALUE];
            random.nextBytes(value);
            put.addColumn(Bytes.toBytes("f" + family), QUALIFIER, value);
          }
          rows.mutate(put);
        }
      }
      try (Admin admin = cluster.connection().getAdmin()) {
        admin.flush(made.name);
      }
    }
    return made;
  }

  /** A key of 16 bytes that ends in the last two digits of its number. */
  private static byte[] key(int row) {
    return Bytes.toBytes(String.format("row-%010d%02d", row, row % 100));
  }

  private Read get(Made made) {
    return new Read("get, " + made.name, made, 1, (table, start) -> table.get(new Get(key(start))).isEmpty() ? 0 : 1)
        .count("request", 1).count("seek", made.families).count("cell", made.families);
  }

  private Read scan(Made made, int rows, boolean filtered, boolean reversed) {
    String how = (filtered ? ", filtered" : "") + (reversed ? ", reversed" : "");
    String kind = filtered ? reversed ? "both" : "filtered" : reversed ? "reversed" : "cell";
    return new Read("scan of " + rows + how + ", " + made.name, made, rows,
        (table, start) -> read(table, ranged(start, start + rows, reversed), filtered))
        .count("request", 1).count("seek", made.families * made.files).count(kind, (double) rows * made.families);
  }

  /** Ten rows of each of some regions, one request after the other. */
  private Read across(Made made, int regions) {
    int rows = made.rowsPerRegion();
    return new Read("short scans of " + regions + " regions, " + made.name, made, 1, (table, start) -> {
      int found = 0;
      for (int region = 0; region < regions; region++) {
        int first = region * rows + start % (rows - 10);
        found += read(table, ranged(first, first + 10, false), false);
      }
      return found;
    }).count("request", regions).count("seek", regions * made.files).count("cell", regions * 10.0);
  }

  /** Blocks that are not in the cache of HBase: files of the operating system that are. */
  private Read uncached(Made made, int rows) {
    int blocks = made.files * Math.max(1, rows * 130 / made.files / 65_536);
    return new Read("scan of " + rows + ", uncached, " + made.name, made, rows,
        (table, start) -> read(table, ranged(start, start + rows, false).setCacheBlocks(false), false))
        .count("request", 1).count("seek", made.files).count("cell", rows).count("uncached", blocks);
  }

  private static Scan ranged(int from, int end, boolean reversed) {
    // A reversed scan names its last row first.
    return reversed ? new Scan().withStartRow(key(end - 1)).withStopRow(key(from), true).setReversed(true)
        : new Scan().withStartRow(key(from)).withStopRow(key(end));
  }

  private static int read(Table table, Scan scan, boolean filtered) throws Exception {
    if (filtered) {
      ByteArrayComparable ends = new BinaryComponentComparator(Bytes.toBytes("07"), 14);
      scan.setFilter(new RowFilter(CompareOperator.EQUAL, ends));
    }
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        rows += row.isEmpty() ? 0 : 1;
      }
    }
    return rows;
  }

  private void time(Read read, boolean warming) throws Exception {
    long end = System.nanoTime() + TURN * 1_000_000L * (warming ? 4 : 1);
    double[] times = new double[REPEATS];
    int count = 0;
    try (Table table = cluster.connection().getTable(read.made.name)) {
      while (count < REPEATS && (count < 5 || System.nanoTime() < end)) {
        int start = random.nextInt(ROWS - read.rows);
        long begun = System.nanoTime();
        int found = read.timed.read(table, start);
        times[count++] = (System.nanoTime() - begun) / 1000.0;
        if (found == 0 && read.rows < 100) {
          throw new IllegalStateException(read.name + " found nothing");
        }
      }
    }
    if (!warming) {
      Arrays.sort(times, 0, count);
      read.micros.add(times[(int) (count * FASTER)]);
    }
  }
}
