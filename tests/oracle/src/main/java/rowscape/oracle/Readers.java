package rowscape.oracle;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Code that the package emitted to write and read tables: compiled, and run on tables of a running HBase. */
final class Readers {
  private static final byte[] FAMILY = {'f'};

  /** Readers, and the port of the ZooKeeper by which HBase is found. */
  static final class Given {
    int port;
    List<Reader> readers;
  }

  /**
   * A table with its split points and the keys of its rows, hexadecimal; its records, and the classes that write and read it, in
   * Java or Scala.
   */
  static final class Reader {
    String language;
    String table;
    List<String> keys;
    List<String> points;
    List<List<String>> rows;
    String className;
    Map<String, String> sources;
  }

  private Readers() {
  }

  /** The rows of each query of each reader, hexadecimal. */
  static List<List<List<String>>> rows(Given given, Path directory) throws Exception {
    compile(given, directory, "java", List.of("-proc:none", "-Xlint:all,-options,-processing",
        "-cp", System.getProperty("java.class.path"), "--release", "8"));
    compile(given, directory, "scala", List.of("-usejavacp", "-deprecation", "-feature", "-Xfatal-warnings"));
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.setInt("hbase.zookeeper.property.clientPort", given.port);
    List<List<List<String>>> rows = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      for (Reader reader : given.readers) {
        Class<?> driver = classes.loadClass(reader.className + "Driver");
        create(connection, reader);
        driver.getMethod("write", Connection.class, List.class).invoke(null, connection, reader.rows);
        checkKeys(connection, reader);
        @SuppressWarnings("unchecked")
        List<List<String>> read = (List<List<String>>) driver.getMethod("run", Connection.class).invoke(null, connection);
        rows.add(read);
      }
    }
    return rows;
  }

  /** Compiles the sources of a language. */
  private static void compile(Given given, Path directory, String language, List<String> options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-d", directory.toString()));
    arguments.addAll(options);
    int before = arguments.size();
    for (Reader reader : given.readers) {
      for (Map.Entry<String, String> source : reader.sources.entrySet()) {
        if (reader.language.equals(language)) {
          Path file = directory.resolve(source.getKey() + "." + language);
          Files.writeString(file, source.getValue());
          arguments.add(file.toString());
        }
      }
    }
    if (arguments.size() > before) {
      Emitted.compile(language, arguments.toArray(String[]::new));
    }
  }

  private static void create(Connection connection, Reader reader) throws Exception {
    byte[][] points = reader.points.stream().map(HexFormat.of()::parseHex).toArray(byte[][]::new);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(reader.table))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build(), points);
    }
  }

  /** The rows that the writer wrote are those of the package. */
  private static void checkKeys(Connection connection, Reader reader) throws Exception {
    List<String> written = new ArrayList<>();
    try (Table table = connection.getTable(TableName.valueOf(reader.table)); ResultScanner rows = table.getScanner(FAMILY)) {
      for (Result row : rows) {
        written.add(HexFormat.of().formatHex(row.getRow()));
      }
    }
    if (!written.equals(List.copyOf(new TreeSet<>(reader.keys)))) {
      throw new IllegalStateException("The emitted writer of " + reader.table + " wrote other rows: " + written.size());
    }
  }
}
