package rowscape.oracle;

import com.google.gson.Gson;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/**
 * Makes row keys by emitted expressions, those of one request on the input: the keys of each source's records in ANSI mode,
 * and without it, hexadecimal, null for NULL, a sentence where Spark fails.
 */
public final class Spark {
  /** An expression, with records as the text of these fields, times in milliseconds. */
  static final class Source {
    String source;
    List<Field> fields;
    List<List<String>> records;
  }

  static final class Field {
    String name;
    String type;
  }

  /** A column of each kind, of its text. */
  private static final Map<String, String> COLUMNS = Map.of(
      "text", "value",
      "integer", "cast(value as bigint)",
      "time", "timestamp_millis(cast(value as bigint))",
      "bytes", "unhex(replace(value, '-', ''))",
      "float", "cast(value as double)",
      "decimal", "cast(value as decimal(38, 4))",
      "boolean", "cast(value as boolean)");

  private static final Gson GSON = new Gson();

  private Spark() {
  }

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // Spark prints to the output too; what is said here is for the other program alone.
    System.setOut(System.err);
    int status = 0;
    try (SparkSession session = SparkSession.builder().master("local[1]").config("spark.ui.enabled", false)
        .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        // Without it few rows are worked out by other code than those of a table.
        .config("spark.sql.optimizer.excludedRules", "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation")
        .getOrCreate()) {
      Source[] sources = GSON.fromJson(new InputStreamReader(System.in, StandardCharsets.UTF_8), Source[].class);
      List<List<List<String>>> keys = new ArrayList<>();
      for (boolean ansi : new boolean[] {true, false}) {
        session.conf().set("spark.sql.ansi.enabled", ansi);
        keys.add(Stream.of(sources).map(source -> keys(session, source)).toList());
      }
      out.println(GSON.toJson(keys));
    } catch (Throwable failure) {
      failure.printStackTrace();
      status = 1;
    }
    out.flush();
    Runtime.getRuntime().halt(status);
  }

  private static List<String> keys(SparkSession session, Source source) {
    List<String> keys = new ArrayList<>();
    // A zone that gives other keys, unless the emitted text says which one it needs.
    session.sql("SET TIME ZONE 'America/New_York'");
    try {
      source.source.lines().filter(line -> line.startsWith("-- SET ")).forEach(line -> session.sql(line.substring(3)));
      for (Row row : table(session, source).select(functions.expr(source.source)).collectAsList()) {
        keys.add(row.isNullAt(0) ? null : HexFormat.of().formatHex((byte[]) row.get(0)));
      }
      return keys;
    } catch (Exception failure) {
      return Collections.nCopies(source.records.size(), "nothing: " + failure.toString().lines().findFirst().orElse(""));
    }
  }

  private static Dataset<Row> table(SparkSession session, Source source) {
    List<StructField> texts = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    for (Field field : source.fields) {
      String text = "text" + texts.size();
      texts.add(DataTypes.createStructField(text, DataTypes.StringType, true));
      columns.add(functions.expr(COLUMNS.get(field.type).replace("value", text)).as(field.name));
    }
    List<Row> rows = source.records.stream().map(record -> RowFactory.create(record.toArray())).toList();
    return session.createDataFrame(rows, DataTypes.createStructType(texts)).select(columns.toArray(Column[]::new));
  }
}
