// The main job in plain Java 17: javac -d DIR Main.java && java -Xmx2g -cp DIR Main CSV
// One run for every line that comes in, its milliseconds by stage out as a line of JSON.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

public class Main {
  static final int REGIONS = 16;
  static final int BUCKETS = 120;
  static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  static final byte[][] SPLITS = new byte[REGIONS - 1][];
  static final String[] STAGES = {"read", "parse", "key", "sort", "heat", "top", "total"};

  static {
    for (int i = 1; i < REGIONS; i++) {
      SPLITS[i - 1] = String.format("%08x", i * 0x10000000L).getBytes(StandardCharsets.US_ASCII);
    }
  }

  record Row(byte[] key, long second) {}

  record Result(long[] laps, String check) {}

  static int regionOf(byte[] key) {
    int low = 0;
    int high = SPLITS.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(SPLITS[middle], key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  static int two(byte[] b, int p) {
    return (b[p] - 48) * 10 + b[p + 1] - 48;
  }

  static Result job(Path file) throws Exception {
    long begin = System.nanoTime();
    byte[] in = Files.readAllBytes(file);
    long afterRead = System.nanoTime();

    int n = -1;
    for (byte x : in) if (x == '\n') n++;
    int[] starts = new int[n];
    int[] lengths = new int[n];
    long[] seconds = new long[n];
    int p = 0;
    while (in[p++] != '\n') {}
    int lastDay = -1;
    long dayStart = 0;
    for (int i = 0; i < n; i++) {
      starts[i] = p;
      int start = p;
      while (in[p] != ',') p++;
      lengths[i] = p - start;
      p++;
      int day = two(in, p) * 1000000 + two(in, p + 2) * 10000 + two(in, p + 5) * 100 + two(in, p + 8);
      if (day != lastDay) {
        lastDay = day;
        dayStart = LocalDate.of(day / 10000, day / 100 % 100, day % 100).toEpochDay() * 86400;
      }
      seconds[i] = dayStart + two(in, p + 11) * 3600 + two(in, p + 14) * 60 + two(in, p + 17);
      while (in[p] != '\n') p++;
      p++;
    }
    long afterParse = System.nanoTime();

    MessageDigest md5 = MessageDigest.getInstance("MD5");
    Row[] rows = new Row[n];
    for (int i = 0; i < n; i++) {
      int start = starts[i];
      int length = lengths[i];
      md5.update(in, start, length);
      byte[] digest = md5.digest();
      byte[] key = new byte[8 + 1 + length + 1 + 14];
      for (int j = 0; j < 4; j++) {
        key[2 * j] = HEX[(digest[j] >> 4) & 15];
        key[2 * j + 1] = HEX[digest[j] & 15];
      }
      key[8] = '_';
      System.arraycopy(in, start, key, 9, length);
      key[9 + length] = '_';
      int q = start + length + 1;
      int o = 10 + length;
      System.arraycopy(in, q, key, o, 4);
      key[o + 4] = in[q + 5];
      key[o + 5] = in[q + 6];
      key[o + 6] = in[q + 8];
      key[o + 7] = in[q + 9];
      for (int j = 0; j < 3; j++) {
        key[o + 8 + 2 * j] = in[q + 11 + 3 * j];
        key[o + 9 + 2 * j] = in[q + 12 + 3 * j];
      }
      rows[i] = new Row(key, seconds[i]);
    }
    long afterKey = System.nanoTime();

    Arrays.sort(rows, (x, y) -> Arrays.compareUnsigned(x.key, y.key));
    long afterSort = System.nanoTime();

    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (long t : seconds) {
      if (t < low) low = t;
      if (t > high) high = t;
    }
    long span = high - low + 1;
    int[] heat = new int[REGIONS * BUCKETS];
    for (Row row : rows) heat[regionOf(row.key) * BUCKETS + (int) ((row.second - low) * BUCKETS / span)]++;
    long afterHeat = System.nanoTime();

    HashMap<String, int[]> counts = new HashMap<>(1 << 18);
    for (int i = 0; i < n; i++) {
      String phone = new String(in, starts[i], lengths[i], StandardCharsets.ISO_8859_1);
      counts.computeIfAbsent(phone, absent -> new int[1])[0]++;
    }
    List<Map.Entry<String, int[]>> top = new ArrayList<>(counts.entrySet());
    top.sort((x, y) -> x.getValue()[0] != y.getValue()[0]
        ? y.getValue()[0] - x.getValue()[0]
        : x.getKey().compareTo(y.getKey()));
    String check = checkLine(rows[0].key, rows[n - 1].key, heat, top.get(0), top.get(19));
    long end = System.nanoTime();
    return new Result(new long[] {
      afterRead - begin, afterParse - afterRead, afterKey - afterParse, afterSort - afterKey,
      afterHeat - afterSort, end - afterHeat, end - begin
    }, check);
  }

  static String checkLine(byte[] first, byte[] last, int[] heat, Map.Entry<String, int[]> top, Map.Entry<String, int[]> twentieth) {
    long weighted = 0;
    long[] counts = new long[REGIONS];
    for (int i = 0; i < heat.length; i++) {
      weighted += (long) (i + 1) * heat[i];
      counts[i / BUCKETS] += heat[i];
    }
    long rows = Arrays.stream(counts).sum();
    Arrays.sort(counts);
    double mean = rows / (double) REGIONS;
    double squares = 0;
    for (long x : counts) squares += (x - mean) * (x - mean);
    double median = (counts[REGIONS / 2 - 1] + counts[REGIONS / 2]) / 2.0;
    return String.join("|", new String(first), new String(last), "" + weighted,
        top.getKey() + ":" + top.getValue()[0], twentieth.getKey() + ":" + twentieth.getValue()[0],
        median == (long) median ? "" + (long) median : "" + median, "" + counts[REGIONS - 1],
        String.format(Locale.ROOT, "%.6f", Math.sqrt(squares / REGIONS) / mean));
  }

  /** Peak resident memory as JSON member, where Linux tells it. */
  static String peak() throws Exception {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return "";
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM")) return ",\"peakMB\":" + Long.parseLong(line.replaceAll("\\D", "")) / 1024;
    }
    return "";
  }

  public static void main(String[] args) throws Exception {
    System.out.println("{\"version\":\"Java " + System.getProperty("java.version") + "\"}");
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    while (commands.readLine() != null) {
      Result result = job(Path.of(args[0]));
      StringBuilder out = new StringBuilder("{");
      for (int i = 0; i < STAGES.length; i++) {
        out.append(String.format(Locale.ROOT, "\"%s\":%.3f,", STAGES[i], result.laps[i] / 1e6));
      }
      System.out.println(out + "\"check\":\"" + result.check + "\"" + peak() + "}");
    }
  }
}
