package rowscape.oracle;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;

/**
 * Files as a region server writes them: HFiles in every encoding and compression that can be had, with indexes of several levels, and
 * write-ahead logs. Beside each lies what HBase's own reader finds in it, a cell a line.
 */
final class StoreFiles {
  private static final long BEGIN = 1_772_323_200_000L;
  private static final byte[] FAMILY = Bytes.toBytes("d");

  private final Random random;
  private final Path folder;
  private final int rows;

  private StoreFiles(Path folder, long seed, int rows) {
    this.folder = folder;
    this.random = new Random(seed);
    this.rows = rows;
  }

  /** Writes all files. A compression for which there is no codec here is named on standard output. */
  static void write(Path folder, long seed, int rows) throws IOException {
    StoreFiles files = new StoreFiles(folder, seed, rows);
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      for (String form : List.of("plain", "tags", "unsequenced")) {
        files.hfile(form + "-" + encoding, encoding, Compression.Algorithm.NONE, form, 65_536, 0);
      }
      files.hfile("deep-" + encoding, encoding, Compression.Algorithm.GZ, "plain", 512, 256);
    }
    for (String name : List.of("GZ", "SNAPPY", "LZ4", "ZSTD")) {
      Compression.Algorithm algorithm = Compression.Algorithm.valueOf(name);
      try {
        files.hfile("plain-" + name, DataBlockEncoding.NONE, algorithm, "plain", 65_536, 0);
        files.hfile("large-" + name, DataBlockEncoding.FAST_DIFF, algorithm, "tags", 1 << 20, 0);
      } catch (RuntimeException | LinkageError | IOException problem) {
        System.out.println("left out: " + name + ", " + problem);
      }
    }
    for (int bytes = 1024; bytes >= 128; bytes /= 2) {
      files.hfile("index-" + bytes, DataBlockEncoding.NONE, Compression.Algorithm.NONE, "plain", 64, bytes);
    }
    for (String form : List.of("plain", "compressed", "values")) files.wal(form);
  }

  private byte[] bytes(int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    if (random.nextInt(3) == 0) random.nextBytes(bytes);
    else for (int at = 0; at < bytes.length; at++) bytes[at] = (byte) ('a' + random.nextInt(3));
    return bytes;
  }

  /** Cells of a store in the order of HBase. */
  private TreeSet<KeyValue> cells(boolean tagged) {
    TreeSet<KeyValue> cells = new TreeSet<>(CellComparatorImpl.COMPARATOR);
    String[] qualifiers = {"", "temp", "temperature", "v", "volt"};
    for (int row = 0; row < rows; row++) {
      byte[] key = Bytes.add(Bytes.toBytes(String.format("dev-%03d|", random.nextInt(40))), bytes(12), new byte[] {1});
      int count = 1 + random.nextInt(4);
      for (int at = 0; at < count; at++) {
        byte[] qualifier = Bytes.toBytes(qualifiers[random.nextInt(qualifiers.length)]);
        long time = BEGIN + random.nextInt(1_000_000_000) * (random.nextInt(50) == 0 ? -1L : 1L);
        if (random.nextInt(60) == 0) time = random.nextInt(3);
        KeyValue.Type type = switch (random.nextInt(30)) {
          case 0 -> KeyValue.Type.Delete;
          case 1 -> KeyValue.Type.DeleteColumn;
          case 2 -> KeyValue.Type.DeleteFamily;
          case 3 -> KeyValue.Type.DeleteFamilyVersion;
          default -> KeyValue.Type.Put;
        };
        byte[] value = random.nextInt(4) == 0 ? Bytes.toBytes("same") : bytes(60);
        List<Tag> tags = new ArrayList<>();
        if (tagged && random.nextInt(2) == 0) {
          int number = 1 + random.nextInt(3);
          for (int tag = 0; tag < number; tag++) {
            byte[] content = Bytes.toBytes("tag" + random.nextInt(random.nextInt(8) == 0 ? 2000 : 12));
            tags.add(new ArrayBackedTag((byte) (64 + random.nextInt(3)), content));
          }
        }
        KeyValue cell = new KeyValue(key, FAMILY, qualifier, time, type, value, tags);
        cell.setSequenceId(random.nextInt(5) == 0 ? 0 : random.nextInt(1 << random.nextInt(30)));
        cells.add(cell);
      }
    }
    return cells;
  }

  private void hfile(
      String name, DataBlockEncoding encoding, Compression.Algorithm compression, String form, int block, int index)
      throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("fs.defaultFS", "file:///");
    if (index > 0) {
      configuration.setInt("hfile.index.block.max.size", index);
      configuration.setInt("hfile.index.block.min.entries", 2);
    }
    boolean tagged = form.equals("tags");
    boolean sequenced = !form.equals("unsequenced");
    TreeSet<KeyValue> cells = cells(tagged);
    FileSystem system = FileSystem.get(configuration);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(folder.resolve(name + ".hfile").toString());
    HFileContextBuilder context =
        new HFileContextBuilder()
            .withBlockSize(block)
            .withCompression(compression)
            .withDataBlockEncoding(encoding)
            .withIncludesMvcc(sequenced)
            .withIncludesTags(tagged)
            .withCompressTags(tagged && encoding != DataBlockEncoding.NONE && encoding != DataBlockEncoding.ROW_INDEX_V1)
            .withCellComparator(CellComparatorImpl.COMPARATOR);
    CacheConfig cache = new CacheConfig(configuration);
    try (HFile.Writer writer =
        HFile.getWriterFactory(configuration, cache).withPath(system, path).withFileContext(context.build()).create()) {
      for (KeyValue cell : cells) writer.append(cell);
    }
    if (form.equals("frames")) {
      // HBase's reader would need a decompressor of its own.
      try (PrintWriter out = listing(name)) {
        for (KeyValue cell : cells) line(out, cell, "");
      }
      return;
    }
    try (HFile.Reader reader = HFile.createReader(system, path, cache, true, configuration);
        PrintWriter out = listing(name)) {
      if (index > 0) System.out.println(name + ": " + reader.getTrailer().getNumDataIndexLevels() + " levels");
      HFileScanner scanner = reader.getScanner(configuration, false, false);
      if (scanner.seekTo()) {
        do line(out, scanner.getCell(), "");
        while (scanner.next());
      }
    }
  }

  private PrintWriter listing(String name) throws IOException {
    return new PrintWriter(Files.newBufferedWriter(folder.resolve(name + ".cells"), StandardCharsets.UTF_8));
  }

  private static void line(PrintWriter out, Cell cell, String rest) {
    out.println(
        String.join(
                " ",
                Bytes.toStringBinary(CellUtil.cloneRow(cell)).replace(" ", "\\x20"),
                Bytes.toString(CellUtil.cloneFamily(cell)),
                "." + Bytes.toString(CellUtil.cloneQualifier(cell)),
                Long.toString(cell.getTimestamp()),
                KeyValue.Type.codeToType(cell.getTypeByte()).toString(),
                Long.toString(8 + keyLength(cell) + cell.getValueLength() + cell.getTagsLength()))
            + rest);
  }

  private static int keyLength(Cell cell) {
    return cell.getRowLength() + cell.getFamilyLength() + cell.getQualifierLength() + KeyValue.KEY_INFRASTRUCTURE_SIZE;
  }

  private void wal(String form) throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    Path root = folder.resolve("wal-" + form);
    configuration.set("fs.defaultFS", "file:///");
    configuration.set("hbase.rootdir", root.toUri().toString());
    configuration.set("hbase.wal.dir", root.toUri().toString());
    configuration.set("hbase.wal.provider", "filesystem");
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    configuration.setBoolean("hbase.regionserver.wal.enablecompression", !form.equals("plain"));
    configuration.setBoolean("hbase.regionserver.wal.value.enablecompression", form.equals("values"));
    configuration.set("hbase.regionserver.wal.value.compression.type", "gz");
    String name = "wal-" + form;
    WALFactory factory = new WALFactory(configuration, "server,16020,1");
    try (PrintWriter out = listing(name)) {
      List<RegionInfo> regions = new ArrayList<>();
      for (String table : List.of("one", "many:two")) {
        regions.add(RegionInfoBuilder.newBuilder(TableName.valueOf(table)).setEndKey(Bytes.toBytes("dev-02")).build());
        regions.add(RegionInfoBuilder.newBuilder(TableName.valueOf(table)).setStartKey(Bytes.toBytes("dev-02")).build());
      }
      MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
      List<KeyValue> cells = new ArrayList<>(cells(true));
      for (int at = 0; at < cells.size(); ) {
        RegionInfo region = regions.get(random.nextInt(regions.size()));
        WAL wal = factory.getWAL(region);
        WALEdit edit = new WALEdit();
        long time = BEGIN + at * 1000L;
        List<KeyValue> written = new ArrayList<>();
        for (int count = 1 + random.nextInt(5); count > 0 && at < cells.size(); count--) {
          KeyValue cell = cells.get(random.nextInt(cells.size()));
          at++;
          edit.add(cell);
          written.add(cell);
        }
        WALKeyImpl key = new WALKeyImpl(region.getEncodedNameAsBytes(), region.getTable(), time, mvcc);
        wal.appendData(region, key, edit);
        wal.sync();
        mvcc.complete(key.getWriteEntry());
        for (KeyValue cell : written) {
          line(out, cell, " " + time + " " + region.getTable() + " " + region.getEncodedName() + " " + key.getSequenceId());
        }
      }
    } finally {
      factory.close();
    }
    List<Path> logs;
    try (var found = Files.walk(root)) {
      logs = found.filter(path -> Files.isRegularFile(path) && !path.getFileName().toString().endsWith(".crc")).toList();
    }
    if (logs.size() != 1) throw new IOException("one log is expected, there are " + logs);
    Files.copy(logs.get(0), folder.resolve(name + ".wal"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** FOLDER SEED ROWS [zstd]: with the last nothing but files of ZSTD, by the codec that the configuration names. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    long seed = Long.parseLong(args[1]);
    int rows = Integer.parseInt(args[2]);
    if (args.length > 3) {
      StoreFiles files = new StoreFiles(folder, seed, rows);
      files.hfile("frames-ZSTD", DataBlockEncoding.FAST_DIFF, Compression.Algorithm.ZSTD, "frames", 4096, 0);
    } else {
      write(folder, seed, rows);
    }
  }
}
