package rowscape.oracle;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Code that the package emitted to read tables: compiled, and run on tables of a running HBase. */
final class Readers {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};

  /** Readers, and the port of the ZooKeeper by which HBase is found. */
  static final class Given {
    int port;
    List<Reader> readers;
  }

  /** A reader with what drives it, and the table it reads: its rows and split points, hexadecimal. */
  static final class Reader {
    String table;
    List<String> keys;
    List<String> points;
    String className;
    String source;
    String driver;
  }

  private Readers() {
  }

  /** The rows of each query of each reader, hexadecimal. */
  static List<List<List<String>>> rows(Given given, Path directory) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-d", directory.toString(), "-proc:none", "-Xlint:all,-options,-processing",
        "-cp", System.getProperty("java.class.path"), "--release", "8"));
    for (Reader reader : given.readers) {
      arguments.add(write(directory, reader.className, reader.source));
      arguments.add(write(directory, reader.className + "Driver", reader.driver));
    }
    Emitted.compile("java", arguments.toArray(String[]::new));
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.setInt("hbase.zookeeper.property.clientPort", given.port);
    List<List<List<String>>> rows = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      for (Reader reader : given.readers) {
        fill(connection, reader);
        @SuppressWarnings("unchecked")
        List<List<String>> read = (List<List<String>>) classes.loadClass(reader.className + "Driver")
            .getMethod("run", Connection.class).invoke(null, connection);
        rows.add(read);
      }
    }
    return rows;
  }

  private static String write(Path directory, String className, String source) throws Exception {
    Path file = directory.resolve(className + ".java");
    Files.writeString(file, source);
    return file.toString();
  }

  private static void fill(Connection connection, Reader reader) throws Exception {
    TableName name = TableName.valueOf(reader.table);
    byte[][] points = reader.points.stream().map(HexFormat.of()::parseHex).toArray(byte[][]::new);
    try (Admin admin = connection.getAdmin(); Table table = connection.getTable(name)) {
      admin.createTable(TableDescriptorBuilder.newBuilder(name)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build(), points);
      List<Put> puts = new ArrayList<>();
      for (String key : reader.keys) {
        puts.add(new Put(HexFormat.of().parseHex(key)).addColumn(FAMILY, QUALIFIER, new byte[] {1}));
      }
      table.put(puts);
    }
  }
}
