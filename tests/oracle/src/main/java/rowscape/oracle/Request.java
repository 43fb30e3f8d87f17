package rowscape.oracle;

import java.util.HexFormat;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/** The package's answers about one design, as received; bytes are hexadecimal, values the text of their fields. */
final class Request {
  static final Gson GSON = new Gson();

  int id;
  Splits splits;
  /** True if the package rejected these splits: then HBase must reject them too. */
  boolean splitsRefused;
  List<String> points;
  List<Formula.Field> fields;
  List<Formula.Part> formula;
  List<List<String>> records;
  /** The key of each record; null if the package rejected the record. */
  List<String> keys;
  /** Index of the region of each key; -1 where there is none. */
  List<Integer> regions;
  List<Scan> scans;
  List<Query> queries = List.of();
  /** How many rows are given back as HBase holds them. */
  int readBack = 1;

  /** A table that grows, in place of a design. */
  Growth.Life life;
  /** Name of a table that someone else made, with its points, in place of a design. */
  String made;
  /** Rows to store, in place of a design. */
  Files.Store store;
  /** Cells to store and compact, in place of a design. */
  Compacted.Cells compacted;
  /** Kinds of records in one table, in place of a design. */
  Models.Model model;

  /** A scan with the records it is to return, in order. */
  static final class Scan {
    /** Set when start and stop are said to be those of this prefix. */
    String prefix;
    String start;
    String stop;
    List<Integer> records;
  }

  static byte[] bytes(String hexadecimal) {
    return HexFormat.of().parseHex(hexadecimal);
  }

  static byte[][] all(List<String> hexadecimal) {
    return hexadecimal.stream().map(Request::bytes).toArray(byte[][]::new);
  }
}
