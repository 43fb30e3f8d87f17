package rowscape.oracle;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Code that the package emitted to change tables: compiled, and run step by step on a running HBase. */
final class Programs {
  /** Sources, the steps to do with them, and the port of the ZooKeeper by which HBase is found. */
  static final class Given {
    int port;
    /** Where HBase has its files, for jobs that read a snapshot. */
    String root;
    List<Source> sources;
    List<Step> steps;
  }

  static final class Source {
    String className;
    String source;
  }

  /** One of these. */
  static final class Step {
    /** A class and its method, called so many times at once. */
    String call;
    String method;
    int times = 1;
    /** Values of the parameters that are texts. */
    List<String> texts = List.of();
    /** Settings of its configuration besides those of HBase. */
    Map<String, String> settings = Map.of();
    /** Rows, hexadecimal, for each of which the method is called: answers with what it makes of them, null where it rejects one. */
    List<String> each;
    /** A table that is described. */
    String describe;
    /** A table of which a snapshot is taken, with its name and `-snapshot`. */
    String snapshot;
    /** A table whose cells are listed. */
    String list;
    /** A table whose cells are put: row, family, qualifier and value in hexadecimal, timestamp. */
    String fill;
    List<List<String>> cells;
  }

  private final Connection connection;
  private final ClassLoader classes;

  private Programs(Connection connection, ClassLoader classes) {
    this.connection = connection;
    this.classes = classes;
  }

  /** The answer of each step. */
  static List<Object> answers(Given given, Path directory) throws Exception {
    // The class path of Maven's projects names jars that are not there.
    List<String> arguments = new ArrayList<>(List.of("-d", directory.toString(), "-proc:none",
        "-Xlint:all,-options,-processing,-classfile,-path", "-Werror", "-cp", System.getProperty("java.class.path"),
        "--release", "8"));
    for (Source source : given.sources) {
      Path file = directory.resolve(source.className + ".java");
      Files.writeString(file, source.source);
      arguments.add(file.toString());
    }
    Emitted.compile("java", arguments.toArray(String[]::new));
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.setInt("hbase.zookeeper.property.clientPort", given.port);
    configuration.set("hbase.rootdir", Path.of(given.root).toUri().toString());
    configuration.set("hbase.fs.tmp.dir", directory.resolve("staging").toString());
    configuration.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
    List<Object> answers = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      // Jobs find their classes by it.
      Thread.currentThread().setContextClassLoader(classes);
      configuration.setClassLoader(classes);
      Programs programs = new Programs(connection, classes);
      for (Step step : given.steps) {
        answers.add(programs.answer(step));
      }
    }
    return answers;
  }

  private Object answer(Step step) throws Exception {
    if (step.describe != null) {
      return described(TableName.valueOf(step.describe));
    }
    if (step.snapshot != null) {
      try (Admin admin = connection.getAdmin()) {
        admin.snapshot(step.snapshot + "-snapshot", TableName.valueOf(step.snapshot));
      }
      return null;
    }
    if (step.list != null) {
      return cells(TableName.valueOf(step.list));
    }
    if (step.fill != null) {
      fill(TableName.valueOf(step.fill), step.cells);
      return null;
    }
    if (step.each != null) {
      return made(step);
    }
    ExecutorService threads = Executors.newFixedThreadPool(step.times);
    List<Callable<Object>> calls = new ArrayList<>();
    for (int i = 0; i < step.times; i++) {
      calls.add(() -> call(step));
    }
    List<Object> answers = new ArrayList<>();
    for (Future<Object> called : threads.invokeAll(calls)) {
      answers.add(called.get());
    }
    threads.shutdown();
    return step.times == 1 ? answers.get(0) : answers;
  }

  private List<String> made(Step step) throws Exception {
    Method method = classes.loadClass(step.call).getMethod(step.method, byte[].class);
    List<String> made = new ArrayList<>();
    for (String row : step.each) {
      try {
        made.add(HexFormat.of().formatHex((byte[]) method.invoke(null, HexFormat.of().parseHex(row))));
      } catch (InvocationTargetException rejected) {
        made.add(null);
      }
    }
    return made;
  }

  /** The value of a call, or the failure that ends it. */
  private Object call(Step step) throws Exception {
    Method method = Stream.of(classes.loadClass(step.call).getMethods())
        .filter(one -> one.getName().equals(step.method)).findAny().orElseThrow();
    try (Admin admin = connection.getAdmin()) {
      List<Object> values = new ArrayList<>();
      int texts = 0;
      for (Class<?> type : method.getParameterTypes()) {
        if (type == Admin.class) {
          values.add(admin);
        } else if (type == Connection.class) {
          values.add(connection);
        } else if (type == Configuration.class) {
          Configuration own = new Configuration(connection.getConfiguration());
          step.settings.forEach(own::set);
          values.add(own);
        } else {
          values.add(step.texts.get(texts++));
        }
      }
      return method.invoke(null, values.toArray());
    } catch (InvocationTargetException failure) {
      failure.getCause().printStackTrace();
      return Map.of("failed", String.valueOf(failure.getCause()));
    }
  }

  /** The families and regions of a table, and all else that its descriptor holds. */
  private Map<String, Object> described(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor table = admin.getDescriptor(name);
      Map<String, Object> families = new TreeMap<>();
      for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
        Map<String, String> settings = new TreeMap<>(family.getConfiguration());
        family.getValues().forEach((key, value) -> settings.put(text(key.copyBytes()), text(value.copyBytes())));
        families.put(family.getNameAsString(), settings);
      }
      Map<String, String> settings = new TreeMap<>();
      table.getValues().forEach((key, value) -> settings.put(text(key.copyBytes()), text(value.copyBytes())));
      List<String> starts = new ArrayList<>();
      admin.getRegions(name).stream().sorted(RegionInfo.COMPARATOR)
          .forEach(region -> starts.add(HexFormat.of().formatHex(region.getStartKey())));
      return Map.of("families", families, "settings", settings, "starts", starts);
    }
  }

  private void fill(TableName name, List<List<String>> cells) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (List<String> cell : cells) {
      HexFormat hex = HexFormat.of();
      puts.add(new Put(hex.parseHex(cell.get(0))).addColumn(hex.parseHex(cell.get(1)), hex.parseHex(cell.get(2)),
          Long.parseLong(cell.get(4)), hex.parseHex(cell.get(3))));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
  }

  private List<List<String>> cells(TableName name) throws IOException {
    List<List<String>> cells = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner rows = table.getScanner(new Scan().readAllVersions().setCaching(1000))) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          HexFormat hex = HexFormat.of();
          cells.add(List.of(hex.formatHex(CellUtil.cloneRow(cell)), hex.formatHex(CellUtil.cloneFamily(cell)),
              hex.formatHex(CellUtil.cloneQualifier(cell)), hex.formatHex(CellUtil.cloneValue(cell)),
              String.valueOf(cell.getTimestamp())));
        }
      }
    }
    return cells;
  }

  private static String text(byte[] bytes) {
    return Bytes.toStringBinary(bytes);
  }
}
