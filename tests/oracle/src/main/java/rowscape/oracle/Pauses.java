package rowscape.oracle;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/**
 * Emitted readers whose consumer pauses for longer than a scanner is kept, whose regions move and split in mid-scan, and that
 * fail; on a cluster of two region servers with a short lease.
 */
final class Pauses {
  /** Milliseconds for which an idle scanner is kept. */
  private static final int LEASE = 5_000;
  /** Milliseconds for regions to move and split. */
  private static final int PATIENCE = 60_000;
  /** Rows that are read before something happens. */
  private static final int BEFORE = 45;

  private final Cluster cluster;
  private final TableName name;
  private final Map<String, List<String>> rows = new LinkedHashMap<>();
  private final Map<String, Integer> open = new LinkedHashMap<>();

  /** A table, the class that opens its readers, the row at which a region is split in a read of each, and the seconds to pause for. */
  static final class Given {
    String table;
    List<String> keys;
    List<String> points;
    String className;
    Map<String, String> sources;
    Map<String, String> readers;
    int seconds;
  }

  /** Rows that came, by what happened; and the scanners that the region servers held meanwhile. */
  record Answer(Map<String, List<String>> rows, Map<String, Integer> open) {
  }

  private Pauses(Cluster cluster, TableName name) {
    this.cluster = cluster;
    this.name = name;
  }

  static Answer judge(Given given, Path directory) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-d", directory.toString(), "-proc:none", "-Xlint:all,-options,-processing",
        "-cp", System.getProperty("java.class.path"), "--release", "8"));
    for (Map.Entry<String, String> source : given.sources.entrySet()) {
      Path file = directory.resolve(source.getKey() + ".java");
      Files.writeString(file, source.getValue());
      arguments.add(file.toString());
    }
    Emitted.compile("java", arguments.toArray(String[]::new));
    Cluster cluster = Cluster.start(directory.resolve("hbase"), 2,
        Map.of("hbase.client.scanner.timeout.period", String.valueOf(LEASE)));
    Pauses pauses = new Pauses(cluster, TableName.valueOf(given.table));
    pauses.fill(given);
    try (URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      Class<?> driver = classes.loadClass(given.className);
      for (Map.Entry<String, String> reader : given.readers.entrySet()) {
        pauses.interrupted(reader.getKey(), driver, given.seconds, HexFormat.of().parseHex(reader.getValue()));
      }
    }
    pauses.heldOpen();
    return new Answer(pauses.rows, pauses.open);
  }

  private void fill(Given given) throws Exception {
    byte[][] points = given.points.stream().map(HexFormat.of()::parseHex).toArray(byte[][]::new);
    Connection connection = cluster.connection();
    try (Admin admin = connection.getAdmin(); Table table = connection.getTable(name)) {
      admin.createTable(TableDescriptorBuilder.newBuilder(name)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(), points);
      List<Put> puts = new ArrayList<>();
      for (String key : given.keys) {
        puts.add(new Put(HexFormat.of().parseHex(key)).addColumn(new byte[] {'f'}, new byte[] {'q'}, new byte[] {1}));
      }
      table.put(puts);
      admin.flush(name);
    }
  }

  /** An event while a consumer has read some of its rows. */
  private interface Meanwhile {
    void happens() throws Exception;
  }

  private void interrupted(String reader, Class<?> driver, int seconds, byte[] row) throws Exception {
    read(reader + ", paused", driver, reader, () -> Thread.sleep(seconds * 1000L));
    read(reader + ", moved", driver, reader, this::move);
    read(reader + ", split", driver, reader, () -> split(row));
    Iterator<?> closed = rowsOf(driver, reader, false);
    for (int i = 0; i < BEFORE; i++) {
      closed.next();
    }
    ((AutoCloseable) closed).close();
    rows.put(reader + ", closed", closed.hasNext() ? List.of("a row") : List.of());
    open.put(reader + ", closed", scanners());
    Iterator<?> failing = rowsOf(driver, reader, true);
    try {
      for (int i = 0; i < BEFORE; i++) {
        failing.next();
      }
      rows.put(reader + ", failed", List.of("no failure"));
    } catch (IllegalStateException failure) {
      rows.put(reader + ", failed", failing.hasNext() ? List.of("a row") : List.of());
    }
    open.put(reader + ", failed", scanners());
  }

  private void read(String what, Class<?> driver, String reader, Meanwhile meanwhile) throws Exception {
    List<String> found = new ArrayList<>();
    Iterator<?> all = rowsOf(driver, reader, false);
    while (found.size() < BEFORE && all.hasNext()) {
      found.add(HexFormat.of().formatHex(((Result) all.next()).getRow()));
    }
    open.put(what, scanners());
    meanwhile.happens();
    while (all.hasNext()) {
      found.add(HexFormat.of().formatHex(((Result) all.next()).getRow()));
    }
    rows.put(what, found);
  }

  private Iterator<?> rowsOf(Class<?> driver, String reader, boolean failing) throws Exception {
    return (Iterator<?>) driver.getMethod(reader, Connection.class, boolean.class)
        .invoke(null, cluster.connection(), failing);
  }

  /** Each region of the table to the other server. */
  private void move() throws Exception {
    try (Admin admin = cluster.connection().getAdmin()) {
      List<ServerName> servers = List.copyOf(admin.getRegionServers());
      Map<RegionInfo, ServerName> moves = new LinkedHashMap<>();
      for (int i = 0; i < servers.size(); i++) {
        for (RegionInfo region : admin.getRegions(servers.get(i))) {
          if (region.getTable().equals(name)) {
            moves.put(region, servers.get((i + 1) % servers.size()));
          }
        }
      }
      for (Map.Entry<RegionInfo, ServerName> move : moves.entrySet()) {
        admin.move(move.getKey().getEncodedNameAsBytes(), move.getValue());
      }
    }
  }

  /** The region that holds a row, there; waits until it is gone. */
  private void split(byte[] row) throws Exception {
    try (Admin admin = cluster.connection().getAdmin()) {
      int regions = admin.getRegions(name).size();
      admin.split(name, row);
      long deadline = System.nanoTime() + PATIENCE * 1_000_000L;
      while (admin.getRegions(name).size() <= regions) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("No region was split");
        }
        Thread.sleep(100);
      }
    }
  }

  /** The control: a scanner that is held open, and lost in a pause of twice its lease. */
  private void heldOpen() throws Exception {
    try (Table table = cluster.connection().getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(10))) {
      scanner.next();
      open.put("a scanner held open", scanners());
      Thread.sleep(2 * LEASE);
      open.put("a scanner held for too long", scanners());
    }
  }

  /** The scanners that the servers still hold after a moment, in which those of pages on their way are closed. */
  private int scanners() throws InterruptedException {
    int count = 0;
    for (int i = 0; i < 20; i++) {
      count = 0;
      for (RegionServerThread server : cluster.hbase().getLiveRegionServers()) {
        count += server.getRegionServer().getRSRpcServices().getScannersCount();
      }
      if (count == 0) {
        return 0;
      }
      Thread.sleep(100);
    }
    return count;
  }
}
