package rowscape.oracle;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/**
 * A real HBase within this program, made of the pieces of its standalone mode: a ZooKeeper, a master and a region
 * server, on free ports of 127.0.0.1, with its files below one directory. Never closed: what it holds is thrown away with
 * the directory by the program that started this one.
 */
record Cluster(LocalHBaseCluster hbase, Connection connection, AsyncConnection asynchronous) {
  private static final int MINUTES_TO_START = 3;

  private static final Map<String, String> SETTINGS = Map.ofEntries(
      // Plain local files, nothing to survive a crash.
      Map.entry("fs.defaultFS", "file:///"),
      Map.entry("hbase.unsafe.stream.capability.enforce", "false"),
      Map.entry("hbase.wal.provider", "filesystem"),
      Map.entry("hbase.procedure.store.wal.use.hsync", "false"),
      // Tables that split while they are small, on a server that holds many regions by then.
      Map.entry("hbase.hregion.max.filesize.limit", "1"),
      Map.entry("hbase.hregion.memstore.flush.size.limit", "1"),
      Map.entry("hbase.regionserver.regionSplitLimit", "1000000"),
      // A region can't split again while it still has the halves of its parent's files, compacted or not: 2 minutes as shipped.
      Map.entry("hbase.hfile.compaction.discharger.interval", "100"),
      // Thousands of small regions: no chunk of 2 MB set aside for each.
      Map.entry("hbase.hregion.memstore.mslab.enabled", "false"),
      Map.entry("hfile.block.cache.size", "0.1"),
      Map.entry("hbase.master.executor.openregion.threads", "8"),
      Map.entry("hbase.regionserver.executor.openregion.threads", "8"),
      Map.entry("hbase.regionserver.executor.closeregion.threads", "8"),
      Map.entry("hbase.balancer.period", "86400000"),
      Map.entry("hbase.catalogjanitor.interval", "86400000"),
      // One server, so nobody to wait for.
      Map.entry("hbase.master.wait.on.regionservers.mintostart", "1"),
      Map.entry("hbase.master.wait.on.regionservers.interval", "50"),
      Map.entry("hbase.master.wait.on.regionservers.timeout", "100"),
      Map.entry("hbase.regionserver.msginterval", "100"),
      Map.entry("hbase.assignment.dispatch.wait.msec", "10"),
      Map.entry("hbase.regionserver.handler.count", "10"),
      Map.entry("hbase.client.retries.number", "12"));

  /** The settings in hbase-default.xml. */
  static Map<String, String> shipped() {
    Configuration configuration = HBaseConfiguration.create();
    Map<String, String> settings = new TreeMap<>();
    configuration.forEach(setting -> {
      if (setting.getKey().startsWith("hbase.")) {
        settings.put(setting.getKey(), configuration.get(setting.getKey()));
      }
    });
    return settings;
  }

  /** ZooKeeper's, by which other programs find HBase. */
  int port() {
    return connection.getConfiguration().getInt("hbase.zookeeper.property.clientPort", 0);
  }

  static Cluster start(Path directory) throws Exception {
    return start(directory, 1, Map.of());
  }

  /** The same with so many region servers, and with settings of its own. */
  static Cluster start(Path directory, int servers, Map<String, String> settings) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    SETTINGS.forEach(configuration::set);
    settings.forEach(configuration::set);
    configuration.set("hbase.rootdir", directory.resolve("root").toUri().toString());
    configuration.set("hbase.tmp.dir", directory.resolve("tmp").toString());
    configuration.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
    onLoopback(configuration);

    int port = new MiniZooKeeperCluster(configuration).startup(directory.resolve("zookeeper").toFile());
    configuration.setInt("hbase.zookeeper.property.clientPort", port);
    LocalHBaseCluster hbase = new LocalHBaseCluster(configuration, 1, servers);
    hbase.startup();
    waitFor(hbase);
    return new Cluster(hbase, ConnectionFactory.createConnection(configuration),
        ConnectionFactory.createAsyncConnection(configuration).get());
  }

  private static void onLoopback(Configuration configuration) {
    String loopback = "127.0.0.1";
    configuration.set("hbase.zookeeper.quorum", loopback);
    configuration.set("hbase.zookeeper.property.clientPortAddress", loopback);
    for (String role : new String[] {"master", "regionserver"}) {
      configuration.set("hbase." + role + ".hostname", loopback);
      configuration.set("hbase." + role + ".ipc.address", loopback);
      configuration.setInt("hbase." + role + ".port", 0);
      configuration.setInt("hbase." + role + ".info.port", -1);
    }
  }

  private static void waitFor(LocalHBaseCluster hbase) throws InterruptedException {
    long deadline = System.nanoTime() + MINUTES_TO_START * 60_000_000_000L;
    while (hbase.getActiveMaster() == null || !hbase.getActiveMaster().isInitialized()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("HBase did not start within " + MINUTES_TO_START + " minutes");
      }
      Thread.sleep(50);
    }
  }
}
