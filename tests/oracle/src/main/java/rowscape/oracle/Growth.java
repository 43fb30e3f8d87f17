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
  /** A growth scenario: input of the simulation and its expected result. */
  static final class Life {
    String policy;
    /** Bytes: of a region at most, of the write memory that is flushed, of a cell. */
    long maxRegion;
    long flush;
    int cell;
    int regions;
    /** True if keys are spread evenly; otherwise each is the last. */
    boolean spread;
    int cellsPerDay;
    int days;
    /** Regions at the end of each day, as simulated; of some more days than are lived, in which HBase may be sooner. */
    List<Integer> said;
    /** Least and most of a region's bytes below the place where it is cut, in percent; and least when it has but few files. */
    List<Integer> below;
    /** How much sooner or later, besides a day, there may be as many regions as simulated: in percent of the days so far. */
    int off;
  }

  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};
  private static final int KEY = 8;
  private static final int BLOCK = 4 << 10;
  /** Bytes of a cell besides its row and value. */
  private static final int FRAME = 20 + FAMILY.length + QUALIFIER.length;
  /** Flushes that make so few files that each of them shows. */
  private static final int FEW = 5;
  private static final int SECONDS_TO_SETTLE = 60;
  /** Looks at a region that could split and doesn't, before it is flushed again. */
  private static final int LATE = 20;

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
      for (int day = 0; day < life.days; day++) {
        write();
        // One after the other: two at once would both split by the number of regions that there were before.
        for (HRegion region : server().getRegions(name)) {
          flush(region);
          settle(region);
        }
        List<byte[]> after = starts();
        splits(starts, after, day);
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

  /** Waits until HBase has nothing left to do: no region too large, no half a file of a parent. */
  private void settle(HRegion flushed) throws Exception {
    long deadline = System.nanoTime() + SECONDS_TO_SETTLE * 1_000_000_000L;
    int late = 0;
    for (int quiet = 0; quiet < 3;) {
      Thread.sleep(15);
      boolean busy = flushed.isAvailable() && flushed.getMemStoreDataSize() > 0 || busy();
      List<HRegion> large = server().getRegions(name).stream().filter(region -> region.checkSplit().isPresent()).toList();
      quiet = busy || !large.isEmpty() ? 0 : quiet + 1;
      // Look again at regions that can split only now, as their next flush would. Not while another splits: between
      // parent and daughters there are fewer regions to count, and the policies that count them would split too much.
      late = busy || large.isEmpty() ? 0 : late + 1;
      if (late == LATE) {
        large.forEach(this::flush);
        late = 0;
      }
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
            || compacts(region));
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
  private void splits(List<byte[]> before, List<byte[]> after, int day) {
    verdict.count("splits of regions", after.size() - before.size());
    for (int i = 0; i < before.size(); i++) {
      byte[] start = before.get(i);
      byte[] stop = i + 1 < before.size() ? before.get(i + 1) : null;
      List<byte[]> inside = after.stream().filter(one -> Bytes.compareTo(one, start) > 0
          && (stop == null || Bytes.compareTo(one, stop) < 0)).toList();
      if (inside.size() == 1) {
        long rows = rows(start, stop);
        double below = 100.0 * rows(start, inside.get(0)) / rows;
        boolean few = rows * life.cell < FEW * life.flush;
        verdict.measure("split from the middle of the region's bytes, " + keys() + (few ? ", of few files" : ""), below - 50);
        verdict.count("split points", 1);
        if (below < life.below.get(few ? 2 : 0) || below > life.below.get(1)) {
          verdict.differ(String.format("day %d: %s is cut where %.1f%% of its bytes lie below; we say %s%%", day + 1,
              Bytes.toStringBinary(start), below, life.below));
        }
      }
    }
  }

  private String keys() {
    return life.spread ? "even keys" : "rising keys";
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

  /** On every day as many regions as simulated, or as a day sooner or later. */
  private void compare(List<Integer> regions) {
    for (int day = 0; day < regions.size(); day++) {
      int found = regions.get(day);
      int said = life.said.get(day);
      int off = 1 + day * life.off / 100;
      verdict.count("days of growing tables", 1);
      verdict.count("days with as many regions as simulated", found == said ? 1 : 0);
      verdict.measure("regions of a day, " + keys(), 100.0 * found / said - 100);
      if (found < life.said.get(Math.max(0, day - off)) || found > life.said.get(Math.min(life.said.size() - 1, day + off))) {
        verdict.differ(life.policy + ", day " + (day + 1) + ": we say " + life.said + " regions, HBase has " + regions);
        return;
      }
    }
  }
}
