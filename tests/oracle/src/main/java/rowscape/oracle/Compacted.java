package rowscape.oracle;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/** A table's file after a major compaction, with each encoding of blocks, against the bytes the package says it takes. */
final class Compacted {
  /** Cells to store, and what the package says of their files. */
  static final class Cells {
    String name;
    List<String> keys;
    Family family;
    List<Column> cells;
    Said said;
  }

  static final class Family {
    Integer blocksize;
    String bloom;
    Integer mob;
  }

  /** A qualifier and a size for each record; no qualifier where it has no such cell. */
  static final class Column {
    List<String> qualifiers;
    List<Integer> sizes;
  }

  static final class Said {
    List<OfFamily> families;
  }

  static final class OfFamily {
    Sizes compacted;

    static final class Sizes {
      long none;
      long rowIndex;
      long prefix;
      long diff;
      long fastDiff;
      long mob;

      long of(DataBlockEncoding encoding) {
        return switch (encoding) {
          case PREFIX -> prefix;
          case DIFF -> diff;
          case FAST_DIFF -> fastDiff;
          case ROW_INDEX_V1 -> rowIndex;
          default -> none;
        };
      }
    }
  }

  private static final byte[] FAMILY = {'d'};
  /** Smaller files have a larger part that is not of their cells. */
  private static final long LEAST = 8 << 20;
  /** How far sizes may be off, in percent. */
  private static final double PLAIN_OFF = 3;
  private static final double INDEXED_OFF = 5;
  /** Compactions drop the sequence numbers of files of this age: five days, and another. */
  private static final long OLD = 6 * 86_400_000L;

  private final Cluster cluster;
  private final Cells table;
  private final Verdict verdict;
  private final TableName name;
  private final Random random = new Random(1);

  Compacted(Cluster cluster, Request request) {
    this.cluster = cluster;
    this.table = request.compacted;
    this.verdict = new Verdict(request.id);
    // As long as the name that the package knows.
    this.name = TableName.valueOf(String.format("c%08d", request.id));
  }

  Verdict judge() throws Exception {
    write();
    OfFamily.Sizes said = table.said.families.get(0).compacted;
    try (Admin admin = cluster.connection().getAdmin()) {
      for (DataBlockEncoding encoding : List.of(DataBlockEncoding.NONE, DataBlockEncoding.ROW_INDEX_V1, DataBlockEncoding.PREFIX,
          DataBlockEncoding.DIFF, DataBlockEncoding.FAST_DIFF)) {
        if (encoding != DataBlockEncoding.NONE) {
          admin.modifyColumnFamily(name, family().setDataBlockEncoding(encoding).build());
        }
        again();
        long found = compact();
        if (encoding == DataBlockEncoding.NONE && found < LEAST) {
          verdict.differ("only " + found + " bytes in files: too few to judge");
        }
        compare(encoding.toString(), said.of(encoding), found, switch (encoding) {
          case NONE -> PLAIN_OFF;
          case ROW_INDEX_V1 -> INDEXED_OFF;
          // Neighboring keys decide.
          default -> Double.POSITIVE_INFINITY;
        });
      }
      if (table.family.mob != null) {
        compare("MOB files", said.mob, mobBytes(), PLAIN_OFF);
      }
      admin.disableTable(name);
      admin.deleteTable(name);
    }
    return verdict;
  }

  private void compare(String what, long said, long found, double most) {
    double off = 100.0 * said / found - 100;
    verdict.count("compacted files measured", 1);
    verdict.measure("compacted, " + table.name + ", " + what, off);
    if (Math.abs(off) > most) {
      verdict.differ(what + ": we say " + said + " bytes, HBase has " + found);
    }
  }

  private ColumnFamilyDescriptorBuilder family() {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY);
    if (table.family.blocksize != null) {
      family.setBlocksize(table.family.blocksize);
    }
    if (table.family.bloom != null) {
      family.setBloomFilterType(BloomType.valueOf(table.family.bloom));
    }
    if (table.family.mob != null) {
      family.setMobEnabled(true).setMobThreshold(table.family.mob);
    }
    return family;
  }

  private void write() throws Exception {
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(TableDescriptorBuilder.newBuilder(name).setColumnFamily(family().build()).build());
    }
    try (BufferedMutator rows = cluster.connection().getBufferedMutator(name)) {
      for (int i = 0; i < table.keys.size(); i++) {
        Put put = put(i);
        if (!put.isEmpty()) {
          rows.mutate(put);
        }
      }
    }
  }

  private Put put(int record) {
    Put put = new Put(Request.bytes(table.keys.get(record)));
    for (Column column : table.cells) {
      if (column.qualifiers.get(record) != null) {
        byte[] value = new byte[column.sizes.get(record)];
        random.nextBytes(value);
        put.addColumn(FAMILY, Request.bytes(column.qualifiers.get(record)), value);
      }
    }
    return put;
  }

  /** Writes the last record anew and flushes: a compaction of files that all are without sequence numbers leaves out even their zeros. */
  private void again() throws Exception {
    try (Table rows = cluster.connection().getTable(name)) {
      rows.put(put(table.keys.size() - 1));
    }
    region().flush(true);
  }

  private HRegion region() throws Exception {
    return cluster.hbase().getRegionServer(0).getRegions(name).get(0);
  }

  /** Compacts files that are made old; returns the bytes of the one that is left. */
  private long compact() throws Exception {
    HRegion region = region();
    HStore store = region.getStore(FAMILY);
    FileSystem files = region.getFilesystem();
    for (HStoreFile file : store.getStorefiles()) {
      files.setTimes(file.getPath(), System.currentTimeMillis() - OLD, -1);
    }
    region.compact(true);
    verdict.same("compacted", "files", 1, store.getStorefilesCount());
    return store.getStorefilesSize();
  }

  private long mobBytes() throws Exception {
    Path folder = MobUtils.getMobFamilyPath(cluster.connection().getConfiguration(), name, Bytes.toString(FAMILY));
    long bytes = 0;
    for (FileStatus file : region().getFilesystem().listStatus(folder)) {
      bytes += file.isFile() ? file.getLen() : 0;
    }
    return bytes;
  }
}
