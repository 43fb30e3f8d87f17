package rowscape.oracle;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Encoders that the package emitted: compiled, their own test vectors run, and then tried on records. */
final class Emitted {
  /** Sources of one language, each with the records to try it on, and the folder to work in. */
  static final class Sources {
    String language;
    /** True if they use HBase, and need not pass as our own code. */
    boolean onHBase;
    List<Source> sources;
  }

  /** A source, the kinds of its fields, and records as the text of these fields, times in milliseconds. */
  static final class Source {
    String className;
    String source;
    List<String> types;
    List<List<String>> records;
  }

  private Emitted() {
  }

  /** The keys of each source's records, hexadecimal, null where it refuses one. */
  static List<List<String>> keys(Sources given, Path directory) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-d", directory.toString()));
    arguments.addAll(flags(given, directory));
    for (Source source : given.sources) {
      Path file = directory.resolve(source.className + "." + given.language);
      Files.writeString(file, source.source);
      arguments.add(file.toString());
    }
    compile(given.language, arguments.toArray(String[]::new));
    List<List<String>> keys = new ArrayList<>();
    try (URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      for (Source source : given.sources) {
        keys.add(keys(source, classes.loadClass(source.className)));
      }
    }
    return keys;
  }

  private static List<String> flags(Sources given, Path directory) {
    if (!given.language.equals("java")) {
      return List.of("-usejavacp", "-nowarn");
    }
    return given.onHBase
        ? List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn")
        : List.of("-cp", directory.toString(), "-proc:none", "-Xlint:all,-options", "-Werror", "--release", "8");
  }

  static void compile(String language, String[] arguments) throws Exception {
    StringWriter said = new StringWriter();
    boolean compiled;
    if (language.equals("java")) {
      var tool = java.util.spi.ToolProvider.findFirst("javac").orElseThrow();
      PrintWriter to = new PrintWriter(said);
      compiled = tool.run(to, to, arguments) == 0;
    } else {
      // It is a Scala class: called without being compiled against.
      Class<?> scalac = Class.forName("scala.tools.nsc.Main");
      compiled = (boolean) scalac.getMethod("process", String[].class).invoke(null, (Object) arguments);
    }
    if (!compiled) {
      throw new IllegalStateException("the emitted " + language + " does not compile: " + said);
    }
  }

  private static List<String> keys(Source source, Class<?> made) throws Exception {
    made.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    Method rowKey = Stream.of(made.getMethods()).filter(method -> method.getName().equals("rowKey")).findAny()
        .orElseThrow();
    List<String> keys = new ArrayList<>();
    for (List<String> record : source.records) {
      keys.add(key(rowKey, source.types, record));
    }
    return keys;
  }

  private static String key(Method rowKey, List<String> types, List<String> record) throws IllegalAccessException {
    try {
      Object[] values = new Object[record.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = value(types.get(i), record.get(i));
      }
      return HexFormat.of().formatHex((byte[]) rowKey.invoke(null, values));
    } catch (InvocationTargetException | NumberFormatException refused) {
      return null;
    }
  }

  private static Object value(String type, String text) {
    return switch (type) {
      case "integer" -> Long.parseLong(text);
      case "time" -> Instant.ofEpochMilli(Long.parseLong(text));
      case "bytes" -> HexFormat.of().parseHex(text.replace("-", ""));
      case "float" -> Double.parseDouble(text);
      case "decimal" -> new BigDecimal(text);
      case "boolean" -> Boolean.parseBoolean(text);
      default -> text;
    };
  }
}
