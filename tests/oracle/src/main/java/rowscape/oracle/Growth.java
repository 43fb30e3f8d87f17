package rowscape.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table that grows day by day until its regions split by themselves, compared with what the package simulates. Each
 * day's rows are put and flushed as the region server flushes: that is when HBase looks at sizes.
 */
final class Growth {
  /** What is to happen, in the words of the simulation, and how it is to go. */
  static final class Life {
    String policy;
    /** Bytes: of a region at most, of the write memory that is flushed, of a cell. */
    long maxRegion;
    long flush;
    int cell;
    int regions;
    /** Whether keys come everywhere alike, or always at the end. */
    boolean spread;
    int cellsPerDay;
    /** Regions at the end of each day, as simulated. */
    List<Integer> said;
    /** How far a split may cut from the middle of the bytes, in percent of them. */
    int middle;
  }

  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};
  private static final int KEY = 8;
  private static final int BLOCK = 8 << 10;
  /** Of a cell: what is neither row nor value. */
  private static final int FRAME = 20 + FAMILY.length + QUALIFIER.length;
  private static final int SECONDS_TO_SETTLE = 60;

  private final Cluster cluster;
  private final Life life;
  private final Verdict verdict;
  private final TableName name;
  private final Random random;
  private long written;

  Growth(Cluster cluster, Request request) {
    this.cluster = cluster;
    this.life = request.life;
    this.verdict = new Verdict(request.id);
    this.name = TableName.valueOf("life" + request.id);
    this.random = new Random(request.id);
  }

  Verdict judge() throws Exception {
    try (Admin admin = cluster.connection().getAdmin()) {
      create(admin);
      List<byte[]> starts = starts();
      List<Integer> regions = new ArrayList<>();
      for (int day = 0; day < life.said.size(); day++) {
        long first = written;
        write();
        server().getRegions(name).forEach(this::flush);
        settle();
        List<byte[]> after = starts();
        splits(starts, after, day, first);
        starts = after;
        regions.add(starts.size());
      }
      compare(regions);
    }
    return verdict;
  }

  private void create(Admin admin) throws Exception {
    TableDescriptor table = TableDescriptorBuilder.newBuilder(name)
        // Blocks in proportion to small regions: a region is cut between two of them.
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(BLOCK)
            .setBloomFilterType(BloomType.NONE).build())
        .setRegionSplitPolicyClassName("org.apache.hadoop.hbase.regionserver." + life.policy)
        .setMaxFileSize(life.maxRegion).setMemStoreFlushSize(life.flush).setDurability(Durability.SKIP_WAL)
        // No region with a maximum of its own.
        .setValue("hbase.hregion.max.filesize.jitter", "0").build();
    byte[][] points = new byte[life.regions - 1][];
    for (int i = 1; i < life.regions; i++) {
      points[i - 1] = Bytes.toBytes(Long.divideUnsigned(-1, life.regions) * i);
    }
    if (points.length == 0) {
      admin.createTable(table);
    } else {
      admin.createTable(table, points);
    }
  }

  /** The key of a row by its number: one after the other, or as evenly apart as they can be. */
  private byte[] key(long number) {
    return Bytes.toBytes(life.spread ? Long.reverse(number) : number);
  }

  private void write() throws Exception {
    try (BufferedMutator table = cluster.connection().getBufferedMutator(name)) {
      byte[] value = new byte[life.cell - FRAME - KEY];
      for (int i = 0; i < life.cellsPerDay; i++) {
        random.nextBytes(value);
        table.mutate(new Put(key(written++)).addColumn(FAMILY, QUALIFIER, value.clone()));
      }
    }
  }

  private HRegionServer server() {
    return cluster.hbase().getRegionServer(0);
  }

  private void flush(HRegion region) {
    server().getFlushRequester().requestFlush(region, FlushLifeCycleTracker.DUMMY);
  }

  /** Waits until HBase has nothing left to do: everything flushed, no region too large, no half a file of a parent. */
  private void settle() throws Exception {
    long deadline = System.nanoTime() + SECONDS_TO_SETTLE * 1_000_000_000L;
    for (int quiet = 0; quiet < 3;) {
      Thread.sleep(15);
      // What became able to split only now is looked at again, as with the next flush.
      server().getRegions(name).stream().filter(region -> region.checkSplit().isPresent()).forEach(this::flush);
      quiet = busy() ? 0 : quiet + 1;
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(name + " does not come to rest: " + server().getRegions(name).stream().map(region ->
            region + " references " + region.hasReferences() + ", in memory " + region.getMemStoreDataSize() + ", to be split "
                + region.checkSplit().isPresent() + ", compacts " + compacts(region)).toList());
      }
    }
  }

  private boolean busy() throws Exception {
    List<HRegion> regions = server().getRegions(name);
    int known = cluster.asynchronous().getAdmin().getRegions(name).get().size();
    return regions.size() != known || server().getCompactSplitThread().getSplitQueueSize() > 0
        || regions.stream().anyMatch(region -> !region.isAvailable() || region.hasReferences()
            || region.getMemStoreDataSize() > 0 || region.checkSplit().isPresent() || compacts(region));
  }

  private static boolean compacts(HRegion region) {
    return region.getStores().stream().map(HStore::getCompactionProgress)
        .anyMatch(progress -> progress != null && progress.getProgressPct() < 1);
  }

  private List<byte[]> starts() throws Exception {
    List<byte[]> starts = new ArrayList<>();
    cluster.asynchronous().getAdmin().getRegions(name).get().forEach(region -> starts.add(region.getStartKey()));
    starts.sort(Bytes.BYTES_COMPARATOR);
    return starts;
  }

  /** Where regions were cut, against the middle of what was in them. */
  private void splits(List<byte[]> before, List<byte[]> after, int day, long yesterday) {
    verdict.count("splits of regions", after.size() - before.size());
    for (int i = 0; i < before.size(); i++) {
      byte[] start = before.get(i);
      byte[] stop = i + 1 < before.size() ? before.get(i + 1) : null;
      List<byte[]> inside = after.stream().filter(one -> Bytes.compareTo(one, start) > 0
          && (stop == null || Bytes.compareTo(one, stop) < 0)).toList();
      if (inside.size() == 1) {
        double below = 100.0 * rows(start, inside.get(0)) / rows(start, stop);
        verdict.measure("split from the middle, of the region's bytes: " + (life.spread ? "even keys" : "rising keys"),
            below - 50);
        verdict.count("split points", 1);
        if (Math.abs(below - 50) > life.middle) {
          verdict.differ(String.format("day %d: %s is cut where %.1f%% of its bytes lie below; we say 50 ± %d%%", day + 1,
              Bytes.toStringBinary(start), below, life.middle));
        }
      }
    }
  }

  /** Rows written so far from a start to a stop row. */
  private long rows(byte[] start, byte[] stop) {
    long rows = 0;
    for (long number = 0; number < written; number++) {
      byte[] key = key(number);
      if (Bytes.compareTo(key, start) >= 0 && (stop == null || Bytes.compareTo(key, stop) < 0)) {
        rows++;
      }
    }
    return rows;
  }

  /** On every day as many regions as simulated, or as on the day before or after. */
  private void compare(List<Integer> regions) {
    for (int day = 0; day < regions.size(); day++) {
      int found = regions.get(day);
      int least = life.said.get(Math.max(0, day - 1));
      int most = life.said.get(Math.min(life.said.size() - 1, day + 1));
      verdict.count("days of growing tables", 1);
      verdict.count("days with as many regions as simulated", found == life.said.get(day) ? 1 : 0);
      if (found < least || found > most) {
        verdict.differ(life.policy + ", day " + (day + 1) + ": we say " + life.said + " regions, HBase has " + regions);
        return;
      }
    }
  }
}
