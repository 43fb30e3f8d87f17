package rowscape.oracle;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of several kinds of records, and what is left of them once it was compacted, against what the package says. */
final class Models {
  /** A table, what records put into it, and the package's answer. */
  static final class Model {
    List<Family> families;
    List<Written> puts;
    Said said;
  }

  static final class Family {
    String name;
    int versions;
    int minVersions;
    int ttl;
  }

  /** The cells of a record, so many seconds before the last one. */
  static final class Written {
    String key;
    long before;
    List<Column> cells;
  }

  static final class Column {
    String family;
    String qualifier;
    String value;
  }

  static final class Said {
    int rows;
    int cells;
    long total;
    boolean exact;
    boolean aging;
    Map<String, Integer> left;
  }

  /** How far estimated bytes may be off, in percent: of what is written over, only the mean is known, and models are small. */
  private static final double BYTES_OFF = 15;

  private final Cluster cluster;
  private final Model model;
  private final Verdict verdict;
  private final TableName name;

  Models(Cluster cluster, Request request) {
    this.cluster = cluster;
    this.model = request.model;
    this.verdict = new Verdict(request.id);
    this.name = TableName.valueOf("model" + request.id);
  }

  Verdict judge() throws Exception {
    create();
    try (Table table = cluster.connection().getTable(name)) {
      long now = System.currentTimeMillis();
      Set<String> rows = new HashSet<>();
      Set<String> cells = new HashSet<>();
      for (Written written : model.puts) {
        Put put = new Put(Request.bytes(written.key), now - 1000 * written.before);
        rows.add(written.key);
        for (Column column : written.cells) {
          put.addColumn(Bytes.toBytes(column.family), Request.bytes(column.qualifier), Request.bytes(column.value));
          cells.add(written.key + ' ' + column.family + ' ' + column.qualifier);
        }
        table.put(put);
      }
      verdict.count("records of models", model.puts.size());
      verdict.same("model", "rows", model.said.rows, rows.size());
      verdict.same("model", "cells", model.said.cells, cells.size());
      if (!model.said.aging) {
        bytes(table);
      }
      HRegion region = cluster.hbase().getRegionServer(0).getRegions(name).get(0);
      region.flush(true);
      region.compact(true);
      compare(table);
    }
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
    return verdict;
  }

  private void create() throws Exception {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (Family family : model.families) {
      ColumnFamilyDescriptorBuilder made = ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family.name))
          .setMinVersions(family.minVersions).setMaxVersions(family.versions);
      if (family.ttl > 0) {
        made.setTimeToLive(family.ttl);
      }
      table.setColumnFamily(made.build());
    }
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(table.build());
    }
  }

  /** Compares what the files hold after a major compaction: nothing is hidden from a raw scan. */
  private void compare(Table table) throws Exception {
    Map<String, Integer> left = new HashMap<>();
    try (ResultScanner scanner = table.getScanner(new Scan().setRaw(true).readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          left.merge(Bytes.toString(CellUtil.cloneFamily(cell)), 1, Integer::sum);
        }
      }
    }
    for (Map.Entry<String, Integer> family : model.said.left.entrySet()) {
      verdict.same("model", "versions left in " + family.getKey(), family.getValue(), left.getOrDefault(family.getKey(), 0));
    }
    verdict.count("cells left of models", left.values().stream().mapToInt(Integer::intValue).sum());
  }

  /** Compares the bytes of the newest version of each cell. */
  private void bytes(Table table) throws Exception {
    long total = 0;
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          total += new KeyValue(cell).getLength();
        }
      }
    }
    if (model.said.exact) {
      verdict.same("bytes of models", "in all", model.said.total, total);
      return;
    }
    double off = 100.0 * model.said.total / total - 100;
    verdict.measure("bytes of models that are estimated", off);
    if (Math.abs(off) > BYTES_OFF) {
      verdict.differ("bytes: we say about " + model.said.total + ", HBase has " + total);
    }
  }
}
