package rowscape.oracle;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Scans of a running HBase, with the requests, regions, rows and blocks that the client's own metrics count. */
final class Requests {
  /** Tables, and the port of the ZooKeeper by which HBase is found. */
  static final class Given {
    int port;
    List<Made> tables;
  }

  /** A table: rows and split points in hexadecimal, the bytes of the cells of each family, store files of a region. */
  static final class Made {
    String name;
    List<String> keys;
    List<String> points;
    Map<String, Map<String, Integer>> families;
    int files;
    List<Read> reads;
  }

  /** A query: its scans, one after the other; each up to the limit where they are merged. No limit and no caching where they are 0. */
  static final class Read {
    List<Range> ranges;
    boolean reversed;
    boolean merged;
    int limit;
    int caching;
  }

  /** A range of rows in hexadecimal; empty is the beginning or the end of the table. */
  static final class Range {
    String start;
    String stop;
  }

  private final Connection connection;

  private Requests(Connection connection) {
    this.connection = connection;
  }

  /** For each table and query, what the scans of the query took together. */
  static List<List<Map<String, Long>>> counted(Given given) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.setInt("hbase.zookeeper.property.clientPort", given.port);
    List<List<Map<String, Long>>> all = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(configuration)) {
      Requests requests = new Requests(connection);
      for (Made made : given.tables) {
        requests.fill(made);
        List<Map<String, Long>> of = new ArrayList<>();
        for (Read query : made.reads) {
          of.add(requests.read(made, query));
        }
        all.add(of);
      }
    }
    return all;
  }

  private void fill(Made made) throws Exception {
    TableName name = TableName.valueOf(made.name);
    byte[][] points = made.points.stream().map(HexFormat.of()::parseHex).toArray(byte[][]::new);
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name).setCompactionEnabled(false);
    made.families.keySet().forEach(family -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)));
    Random random = new Random(24);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table.build(), points);
      // Every file has rows of the whole range.
      for (int file = 0; file < made.files; file++) {
        try (BufferedMutator rows = connection.getBufferedMutator(name)) {
          for (int row = file; row < made.keys.size(); row += made.files) {
            Put put = new Put(HexFormat.of().parseHex(made.keys.get(row)));
            made.families.forEach((family, cells) -> cells.forEach((qualifier, length) -> {
              byte[] value = new byte[length];
              random.nextBytes(value);
              put.addColumn(Bytes.toBytes(family), Bytes.toBytes(qualifier), value);
            }));
            rows.mutate(put);
          }
        }
        admin.flush(name);
      }
    }
  }

  private Map<String, Long> read(Made made, Read query) throws Exception {
    Map<String, Long> sum = new LinkedHashMap<>();
    int left = query.limit;
    try (Table table = connection.getTable(TableName.valueOf(made.name))) {
      for (Range range : query.ranges) {
        long rows = scan(table, range, query, left, sum);
        if (query.limit > 0 && !query.merged) {
          left -= (int) rows;
          if (left <= 0) {
            break;
          }
        }
      }
    }
    return sum;
  }

  private static long scan(Table table, Range range, Read query, int limit, Map<String, Long> sum) throws Exception {
    Scan scan = new Scan().setReversed(query.reversed).setScanMetricsEnabled(true);
    byte[] start = HexFormat.of().parseHex(range.start);
    byte[] stop = HexFormat.of().parseHex(range.stop);
    byte[] from = query.reversed ? stop : start;
    byte[] to = query.reversed ? start : stop;
    if (from.length > 0) {
      scan.withStartRow(from, !query.reversed);
    }
    if (to.length > 0) {
      scan.withStopRow(to, query.reversed);
    }
    if (limit > 0) {
      scan.setLimit(limit);
    }
    if (query.caching > 0) {
      scan.setCaching(query.caching);
    }
    long rows = 0;
    ResultScanner scanner = table.getScanner(scan);
    for (Result row : scanner) {
      rows += row.isEmpty() ? 0 : 1;
    }
    scanner.close();
    Map<String, Long> metrics = scanner.getScanMetrics().getMetricsMap(false);
    for (String metric : List.of("RPC_CALLS", "REGIONS_SCANNED", "ROWS_SCANNED", "BLOCK_BYTES_SCANNED")) {
      sum.merge(metric, metrics.getOrDefault(metric, 0L), Long::sum);
    }
    sum.merge("rows", rows, Long::sum);
    return rows;
  }
}
