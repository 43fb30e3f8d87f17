package rowscape.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/** Rows in real files, plain and encoded, against the bytes the package says they take. */
final class Files {
  /** Rows to store, and what the package says of them. */
  static final class Store {
    List<String> keys;
    List<Family> families;
    Said said;
  }

  static final class Family {
    String name;
    List<Column> cells;
  }

  static final class Column {
    /** Hexadecimal; none where records differ. */
    String qualifier;
    int bytes;
    /** Those of each record. */
    List<String> qualifiers;
    List<Integer> sizes;

    byte[] qualifier(int record) {
      return Request.bytes(qualifiers == null ? qualifier : qualifiers.get(record));
    }

    int bytes(int record) {
      return sizes == null ? bytes : sizes.get(record);
    }
  }

  /** The package's own answer; what is not compared is left out. */
  static final class Said {
    long total;
    long rows;
    long cells;
    Parts bytes;
    List<OfFamily> families;
  }

  static final class Parts {
    long row;
    long family;
    long qualifier;
    long overhead;
    long value;
  }

  static final class OfFamily {
    String name;
    Parts bytes;
    long blocks;
    Estimate index;
    Estimate files;
    Estimate prefix;
    Estimate fastDiff;
  }

  static final class Estimate {
    long least;
    long most;

    /** The same with what a file holds besides its cells. */
    Estimate inFile(OfFamily family) {
      long cells = total(family.bytes);
      Estimate file = new Estimate();
      file.least = least + family.files.least - cells;
      file.most = most + family.files.most - cells;
      return file;
    }
  }

  /** How far the number of blocks may be off, in percent: HBase counts sequence numbers too, and ends blocks late. */
  private static final double BLOCKS_OFF = 15;

  private final Cluster cluster;
  private final Request request;
  private final Store store;
  private final Verdict verdict;

  Files(Cluster cluster, Request request) {
    this.cluster = cluster;
    this.request = request;
    this.store = request.store;
    this.verdict = new Verdict(request.id);
  }

  private static long total(Parts parts) {
    return parts.row + parts.family + parts.qualifier + parts.overhead + parts.value;
  }

  Verdict judge() throws Exception {
    for (DataBlockEncoding encoding : List.of(DataBlockEncoding.NONE, DataBlockEncoding.PREFIX, DataBlockEncoding.FAST_DIFF)) {
      TableName name = TableName.valueOf("files" + request.id + encoding);
      HRegion region = write(name, encoding);
      if (encoding == DataBlockEncoding.NONE) {
        cells(name);
      }
      for (int i = 0; i < store.families.size(); i++) {
        HStore files = region.getStore(Bytes.toBytes(store.families.get(i).name));
        compare(files, encoding, store.said.families.get(i));
      }
    }
    return verdict;
  }

  /** A table with all rows, flushed into a file a family. */
  private HRegion write(TableName name, DataBlockEncoding encoding) throws Exception {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (Family family : store.families) {
      table.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family.name))
          .setDataBlockEncoding(encoding).build());
    }
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(table.build());
    }
    Random random = new Random(request.id);
    try (BufferedMutator rows = cluster.connection().getBufferedMutator(name)) {
      for (int i = 0; i < store.keys.size(); i++) {
        Put put = new Put(Request.bytes(store.keys.get(i)));
        for (Family family : store.families) {
          for (Column column : family.cells) {
            byte[] value = new byte[column.bytes(i)];
            random.nextBytes(value);
            put.addColumn(Bytes.toBytes(family.name), column.qualifier(i), value);
          }
        }
        rows.mutate(put);
      }
    }
    HRegion region = cluster.hbase().getRegionServer(0).getRegions(name).get(0);
    region.flush(true);
    return region;
  }

  /** The bytes of all cells as HBase reads them back: to be the very same. */
  private void cells(TableName name) throws Exception {
    Parts found = new Parts();
    long total = 0;
    long rows = 0;
    long cells = 0;
    try (Table table = cluster.connection().getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(1000))) {
      for (Result row : scanner) {
        rows++;
        for (Cell cell : row.rawCells()) {
          found.row += cell.getRowLength();
          found.family += cell.getFamilyLength();
          found.qualifier += cell.getQualifierLength();
          found.value += cell.getValueLength();
          total += new KeyValue(cell).getLength();
          cells++;
        }
      }
    }
    found.overhead = total - total(found);
    Said said = store.said;
    verdict.count("cells measured", (int) cells);
    verdict.same("stored", "rows", said.rows, rows);
    verdict.same("stored", "cells", said.cells, cells);
    verdict.same("stored", "bytes of all cells", said.total, total);
    for (Object[] part : new Object[][] {{"row keys", said.bytes.row, found.row}, {"families", said.bytes.family, found.family},
        {"qualifiers", said.bytes.qualifier, found.qualifier}, {"values", said.bytes.value, found.value},
        {"timestamps, types and lengths", said.bytes.overhead, found.overhead}}) {
      verdict.same("stored", "bytes of " + part[0], part[1], part[2]);
    }
  }

  private void compare(HStore files, DataBlockEncoding encoding, OfFamily said) throws Exception {
    long bytes = 0;
    long index = 0;
    long blocks = 0;
    List<String> details = new ArrayList<>();
    for (HStoreFile file : files.getStorefiles()) {
      FixedFileTrailer trailer = file.getReader().getHFileReader().getTrailer();
      bytes += file.getReader().length();
      index += trailer.getUncompressedDataIndexSize();
      blocks += trailer.getDataIndexCount();
      details.add(trailer.toString());
    }
    verdict.count("files measured", files.getStorefilesCount());
    Estimate estimate = switch (encoding) {
      case PREFIX -> said.prefix.inFile(said);
      case FAST_DIFF -> said.fastDiff.inFile(said);
      default -> said.files;
    };
    inside(encoding + ": file", estimate, bytes, details);
    verdict.measure("file against its cells, " + encoding, 100.0 * bytes / total(said.bytes) - 100);
    if (encoding == DataBlockEncoding.NONE) {
      inside("block index", said.index, index, details);
      double off = 100.0 * said.blocks / blocks - 100;
      verdict.measure("blocks", off);
      if (Math.abs(off) > BLOCKS_OFF) {
        verdict.differ("blocks of " + said.name + ": we say " + said.blocks + ", HBase has " + blocks);
      }
    }
  }

  /** An estimate has to hold the truth. How far its middle is off is told. */
  private void inside(String what, Estimate said, long found, List<String> details) {
    verdict.count("estimates of bytes", 1);
    verdict.measure("middle of the estimate, " + what, 100.0 * (said.least + said.most) / 2 / found - 100);
    verdict.measure("half the width of the estimate, " + what, 50.0 * (said.most - said.least) / found);
    if (found < said.least || found > said.most) {
      verdict.differ(what + ": we say " + said.least + " to " + said.most + " bytes, HBase has " + found + " " + details);
    }
  }
}
