package rowscape.oracle;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.apache.hbase.thirdparty.com.google.gson.JsonSerializer;

/** A file of golden vectors: JSON Lines, each an operation, its inputs, and "out" or "error"; bytes are hexadecimal. */
final class VectorFile implements AutoCloseable {
  private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping()
      .registerTypeHierarchyAdapter(byte[].class,
          (JsonSerializer<byte[]>) (bytes, type, context) -> new JsonPrimitive(HexFormat.of().formatHex(bytes)))
      .create();

  private final BufferedWriter writer;
  private int records;

  VectorFile(Path directory, String name) throws IOException {
    writer = Files.newBufferedWriter(directory.resolve(name + ".jsonl"));
  }

  /** Runs an operation and records what comes of it. Inputs are name, value, name, value. */
  void record(String operation, List<?> inputs, Callable<?> run) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("op", operation);
    for (int i = 0; i < inputs.size(); i += 2) {
      record.put((String) inputs.get(i), inputs.get(i + 1));
    }
    try {
      record.put("out", run.call());
    } catch (Exception refusal) {
      record.put("error", String.valueOf(refusal).lines().findFirst().orElse(""));
    }
    try {
      writer.append(GSON.toJson(record)).append('\n');
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    records++;
  }

  int records() {
    return records;
  }

  /** As List.of, with null allowed. */
  static List<?> inputs(Object... namesAndValues) {
    return Arrays.asList(namesAndValues);
  }

  /** A text as an input: as hexadecimal UTF-16 where half a surrogate pair keeps it out of JSON. */
  static List<?> text(String text) {
    boolean whole = StandardCharsets.UTF_16BE.newEncoder().canEncode(text);
    if (whole) {
      return inputs("text", text);
    }
    byte[] units = new byte[2 * text.length()];
    for (int i = 0; i < text.length(); i++) {
      units[2 * i] = (byte) (text.charAt(i) >> 8);
      units[2 * i + 1] = (byte) text.charAt(i);
    }
    return inputs("utf16be", units);
  }

  /** Two lists of inputs, one after the other. */
  static List<?> both(List<?> first, List<?> second) {
    return java.util.stream.Stream.concat(first.stream(), second.stream()).toList();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
