package rowscape.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
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
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALStreamReader;
import org.apache.hadoop.hbase.wal.WAL;

/** Large files for measurements, and the time that HBase's own readers take for them. */
final class LargeFiles {
  private static final long BEGIN = 1_772_323_200_000L;
  private static final String[] QUALIFIERS = {"hum", "note", "state", "temp", "volt"};

  private LargeFiles() {}

  private static Configuration configuration(Path root) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("fs.defaultFS", "file:///");
    configuration.set("hbase.rootdir", root.toUri().toString());
    configuration.set("hbase.wal.dir", root.toUri().toString());
    configuration.set("hbase.wal.provider", "filesystem");
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    return configuration;
  }

  /** An HFile of so many rows of five cells each. */
  static void hfile(Path file, long rows, DataBlockEncoding encoding, Compression.Algorithm compression) throws IOException {
    Configuration configuration = configuration(file.getParent());
    FileSystem system = FileSystem.get(configuration);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toString());
    Random random = new Random(7);
    byte[] family = Bytes.toBytes("d");
    HFileContextBuilder context =
        new HFileContextBuilder()
            .withBlockSize(65_536)
            .withCompression(compression)
            .withDataBlockEncoding(encoding)
            .withIncludesMvcc(true)
            .withCellComparator(CellComparatorImpl.COMPARATOR);
    try (HFile.Writer writer =
        HFile.getWriterFactory(configuration, new CacheConfig(configuration))
            .withPath(system, path)
            .withFileContext(context.build())
            .create()) {
      for (long row = 0; row < rows; row++) {
        byte[] key = Bytes.toBytes(String.format("dev-%05d|%012d", row / 2000, row));
        long time = BEGIN + (row % 2000) * 60_000 + random.nextInt(60_000);
        for (String qualifier : QUALIFIERS) {
          byte[] value = new byte[qualifier.equals("note") ? 24 : 8];
          random.nextBytes(value);
          KeyValue cell = new KeyValue(key, family, Bytes.toBytes(qualifier), time, KeyValue.Type.Put, value);
          cell.setSequenceId(row + 1);
          writer.append(cell);
        }
      }
    }
  }

  /** Seconds that HBase's reader takes for all cells of a file. */
  static double read(Path file) throws IOException {
    Configuration configuration = configuration(file.getParent());
    FileSystem system = FileSystem.get(configuration);
    long start = System.nanoTime();
    long bytes = 0;
    try (HFile.Reader reader =
        HFile.createReader(
            system, new org.apache.hadoop.fs.Path(file.toString()), new CacheConfig(configuration), true, configuration)) {
      HFileScanner scanner = reader.getScanner(configuration, false, false);
      if (scanner.seekTo()) {
        do {
          Cell cell = scanner.getCell();
          bytes += cell.getRowLength() + cell.getValueLength() + cell.getTimestamp() % 2;
        } while (scanner.next());
      }
    }
    if (bytes == 0) throw new IOException("nothing was read");
    return (System.nanoTime() - start) / 1e9;
  }

  /** A log of so many entries of two cells each. */
  static void wal(Path file, long entries) throws IOException {
    Path root = file.resolveSibling("logs");
    Configuration configuration = configuration(root);
    configuration.setLong("hbase.regionserver.hlog.blocksize", 8L << 30);
    WALFactory factory = new WALFactory(configuration, "server,16020,1");
    RegionInfo region = RegionInfoBuilder.newBuilder(TableName.valueOf("large")).build();
    Random random = new Random(7);
    MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
    WAL wal = factory.getWAL(region);
    for (long at = 0; at < entries; at++) {
      WALEdit edit = new WALEdit();
      byte[] key = Bytes.toBytes(String.format("user-%08d", random.nextInt(5_000_000)));
      for (String qualifier : new String[] {"temp", "volt"}) {
        byte[] value = new byte[40];
        random.nextBytes(value);
        edit.add(new KeyValue(key, Bytes.toBytes("d"), Bytes.toBytes(qualifier), BEGIN + at, KeyValue.Type.Put, value));
      }
      WALKeyImpl walKey = new WALKeyImpl(region.getEncodedNameAsBytes(), region.getTable(), BEGIN + at, mvcc);
      wal.appendData(region, walKey, edit);
      if (at % 1000 == 0) wal.sync();
      mvcc.complete(walKey.getWriteEntry());
    }
    wal.sync();
    factory.close();
    try (var found = Files.walk(root)) {
      Path log = found.filter(path -> Files.isRegularFile(path) && !path.toString().endsWith(".crc")).findFirst().orElseThrow();
      Files.move(log, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Seconds that HBase's reader takes for a log. */
  static double readWal(Path file) throws IOException {
    Configuration configuration = configuration(file.getParent());
    long start = System.nanoTime();
    long cells = 0;
    try (WALStreamReader reader =
        WALFactory.createStreamReader(
            FileSystem.get(configuration), new org.apache.hadoop.fs.Path(file.toString()), configuration)) {
      for (WAL.Entry entry = reader.next(); entry != null; entry = reader.next()) cells += entry.getEdit().size();
    }
    if (cells == 0) throw new IOException("nothing was read");
    return (System.nanoTime() - start) / 1e9;
  }

  /** FOLDER ROWS: writes the files that are not there, and prints the seconds of three readings of each. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    long rows = Long.parseLong(args[1]);
    Files.createDirectories(folder);
    Path fast = folder.resolve("fast-diff.hfile");
    Path plain = folder.resolve("snappy.hfile");
    Path log = folder.resolve("plain.wal");
    if (!Files.exists(fast)) hfile(fast, rows, DataBlockEncoding.FAST_DIFF, Compression.Algorithm.NONE);
    if (!Files.exists(plain)) hfile(plain, rows, DataBlockEncoding.NONE, Compression.Algorithm.SNAPPY);
    if (!Files.exists(log)) wal(log, rows / 2);
    for (int turn = 0; turn < 3; turn++) {
      for (Path file : new Path[] {fast, plain}) {
        System.out.printf("%s %d %.3f%n", file.getFileName(), Files.size(file), read(file));
      }
      System.out.printf("%s %d %.3f%n", log.getFileName(), Files.size(log), readWal(log));
    }
  }
}
