package rowscape.oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes the table of a design on the cluster and compares what HBase does with what the package said. */
final class Judge {
  private static final byte[] FAMILY = {'f'};

  private final Cluster cluster;
  private final AsyncAdmin admin;

  Judge(Cluster cluster) {
    this.cluster = cluster;
    this.admin = cluster.asynchronous().getAdmin();
  }

  /** Begins to make the table; HBase's refusal is the failure of the future. */
  CompletableFuture<TableName> create(Request request) {
    TableName name = TableName.valueOf("t" + request.id);
    TableDescriptor table = TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).setDurability(Durability.SKIP_WAL).build();
    try {
      return create(table, request.splits).thenApply(none -> name);
    } catch (Exception refusal) {
      return CompletableFuture.failedFuture(refusal);
    }
  }

  private CompletableFuture<Void> create(TableDescriptor table, Splits splits) throws Exception {
    if (splits.between != null) {
      byte[][] ends = Request.all(splits.between);
      return admin.createTable(table, ends[0], ends[1], splits.regions);
    }
    byte[][] points = splits.points();
    return points == null || points.length == 0 ? admin.createTable(table) : admin.createTable(table, points);
  }

  /** Judges a design whose table was made. The table stays: dropping it would take a third of the whole time. */
  Verdict judge(Request request, TableName name) throws Exception {
    Verdict verdict = new Verdict(request.id);
    if (request.splitsRefused) {
      verdict.differ("splits: we refuse them, HBase makes the table");
      return verdict;
    }
    List<RegionInfo> regions = regions(request, name, verdict);
    keys(request, verdict);
    rows(request, name, regions, verdict);
    scans(request, name, verdict);
    plans(request, name, regions, verdict);
    return verdict;
  }

  /** Judges a table that the shell made. */
  Verdict made(Request request) throws Exception {
    Verdict verdict = new Verdict(request.id);
    regions(request, TableName.valueOf(request.made), verdict);
    return verdict;
  }

  /** Judges a design whose table HBase refused to make. */
  static Verdict refused(Request request, Throwable refusal) {
    Verdict verdict = new Verdict(request.id);
    verdict.count("refused splits", 1);
    if (!request.splitsRefused) {
      verdict.differ("splits: we take them, HBase refuses: " + refusal);
    }
    return verdict;
  }

  /** Compares the regions. */
  private List<RegionInfo> regions(Request request, TableName name, Verdict verdict) throws Exception {
    List<RegionInfo> regions = new ArrayList<>(admin.getRegions(name).get());
    regions.sort(RegionInfo.COMPARATOR);
    byte[][] points = Request.all(request.points);
    verdict.same("regions", "of the table", points.length + 1, regions.size());
    for (int i = 0; i < Math.min(regions.size(), points.length + 1); i++) {
      byte[] start = i == 0 ? new byte[0] : points[i - 1];
      byte[] stop = i == points.length ? new byte[0] : points[i];
      verdict.same("regions", "number " + i, Verdict.shown(start) + " to " + Verdict.shown(stop),
          Verdict.shown(regions.get(i).getStartKey()) + " to " + Verdict.shown(regions.get(i).getEndKey()));
    }
    return regions;
  }

  /** Makes each key anew with HBase's and Java's own classes. */
  private static void keys(Request request, Verdict verdict) {
    Formula formula = new Formula(request.fields, request.formula);
    for (int i = 0; i < request.records.size(); i++) {
      byte[] ours = key(request, i);
      byte[] theirs;
      try {
        theirs = formula.key(request.records.get(i));
      } catch (Formula.NoTwin unknown) {
        verdict.differ(unknown.getMessage());
        return;
      } catch (RuntimeException refusal) {
        theirs = null;
      }
      verdict.count(theirs == null ? "refused records" : "keys made by Java", 1);
      if (!Arrays.equals(ours, theirs)) {
        verdict.differ("key of " + request.records.get(i) + ": we say " + Verdict.shown(ours) + ", Java says "
            + Verdict.shown(theirs));
      }
    }
  }

  private static byte[] key(Request request, int record) {
    String key = request.keys.get(record);
    return key == null ? null : Request.bytes(key);
  }

  /** Puts all keys, and asks the locator for the region of each. */
  private void rows(Request request, TableName name, List<RegionInfo> regions, Verdict verdict) throws Exception {
    byte[][] starts = regions.stream().map(RegionInfo::getStartKey).toArray(byte[][]::new);
    List<Put> puts = new ArrayList<>();
    try (Table table = cluster.connection().getTable(name);
        RegionLocator locator = cluster.connection().getRegionLocator(name)) {
      locator.getAllRegionLocations();
      for (int i = 0; i < request.keys.size(); i++) {
        byte[] key = key(request, i);
        if (key != null) {
          puts.add(new Put(key).addColumn(FAMILY, Bytes.toBytes(i), new byte[0]));
          byte[] start = locator.getRegionLocation(key).getRegion().getStartKey();
          verdict.same("locations", "of " + Verdict.shown(key), request.regions.get(i),
              Arrays.binarySearch(starts, start, Bytes.BYTES_COMPARATOR));
        }
      }
      table.put(puts);
    }
  }

  /** Scans each range. Records of one key are columns of one row, in the order of their numbers. */
  private void scans(Request request, TableName name, Verdict verdict) throws Exception {
    try (Table table = cluster.connection().getTable(name)) {
      for (Request.Scan said : request.scans) {
        byte[] start = Request.bytes(said.start);
        byte[] stop = Request.bytes(said.stop);
        Scan scan = new Scan().withStartRow(start).withStopRow(stop).setCaching(1000);
        String where = "from " + Verdict.shown(start) + " to " + Verdict.shown(stop);
        if (said.prefix != null) {
          Scan own = new Scan().setStartStopRowForPrefixScan(Request.bytes(said.prefix));
          verdict.same("prefixes", Verdict.shown(Request.bytes(said.prefix)), where,
              "from " + Verdict.shown(own.getStartRow()) + " to " + Verdict.shown(own.getStopRow()));
        }
        List<Integer> found = found(table, scan);
        verdict.count("rows scanned", found.size());
        verdict.count("scans", 1);
        if (!found.equals(said.records)) {
          verdict.differ("scan " + where + ": we say " + summary(said.records) + ", HBase returns " + summary(found));
        }
      }
    }
  }

  /** Runs the planned queries, and gives back the keys as they are in HBase. */
  private void plans(Request request, TableName name, List<RegionInfo> regions, Verdict verdict) throws Exception {
    try (Table table = cluster.connection().getTable(name)) {
      Plans plans = new Plans(request, table, regions, verdict);
      for (Query query : request.queries) {
        plans.judge(query);
      }
      try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1000).setLimit(request.readBack))) {
        for (Result row : scanner) {
          verdict.rows.add(new Verdict.Row(HexFormat.of().formatHex(row.getRow()), records(row)));
        }
      }
    }
  }

  /** The records in a row: the numbers that its columns are called. */
  static List<Integer> records(Result row) {
    List<Integer> records = new ArrayList<>();
    if (!row.isEmpty()) {
      for (Cell cell : row.rawCells()) {
        records.add(Bytes.toInt(CellUtil.cloneQualifier(cell)));
      }
    }
    return records;
  }

  /** The records that a scan returns, in order. */
  static List<Integer> found(Table table, Scan scan) throws IOException {
    List<Integer> found = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        found.addAll(records(row));
      }
    }
    return found;
  }

  /** How many regions a scan goes to, by the client's own count. */
  static long regionsOf(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        // To the end.
      }
      return scanner.getScanMetrics().countOfRegions.get();
    }
  }

  static String summary(List<Integer> records) {
    return records.size() + " records " + records.subList(0, Math.min(10, records.size()));
  }
}
