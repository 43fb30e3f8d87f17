package rowscape.oracle;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;

/**
 * Answers requests, one JSON object a line: designs to judge on the input, verdicts on the output, in any order. Ends
 * with its input, so that it never outlives the program that started it.
 *
 * <pre>Oracle judge DIRECTORY            starts a cluster with its files there
 * Oracle vectors DIRECTORY SEED N   writes golden vectors of random values there, about N of them
 * Oracle calibrate DIRECTORY        starts a cluster with its files there and answers with times of reads
 * Oracle emitted DIRECTORY          compiles emitted sources there, those of one request, and answers with their keys
 * Oracle readers DIRECTORY          the same for readers, and answers with the rows they read
 * Oracle requests DIRECTORY         makes the tables of one request, and answers with what their scans take
 * Oracle pauses DIRECTORY           the same while their consumer pauses, on a cluster of its own
 * Oracle programs DIRECTORY         the same for code that changes tables, and answers with what its steps give</pre>
 */
public final class Oracle {
  /** Tables made at once, ahead of the one that is judged. */
  private static final int AHEAD = 12;

  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private Oracle() {
  }

  public static void main(String[] arguments) {
    // HBase prints to the output too; what is said here is for the other program alone.
    System.setOut(System.err);
    int status = 0;
    try {
      Path directory = Path.of(arguments[1]);
      if (arguments[0].equals("vectors")) {
        Vectors.write(directory, Long.parseLong(arguments[2]), Integer.parseInt(arguments[3]));
      } else if (arguments[0].equals("emitted")) {
        InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        say(Emitted.keys(Request.GSON.fromJson(input, Emitted.Sources.class), directory));
      } else if (arguments[0].equals("calibrate")) {
        say(new Calibration(Cluster.start(directory)).measure());
      } else if (arguments[0].equals("readers")) {
        InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        say(Readers.rows(Request.GSON.fromJson(input, Readers.Given.class), directory));
      } else if (arguments[0].equals("requests")) {
        InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        say(Requests.counted(Request.GSON.fromJson(input, Requests.Given.class)));
      } else if (arguments[0].equals("pauses")) {
        InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        say(Pauses.judge(Request.GSON.fromJson(input, Pauses.Given.class), directory));
      } else if (arguments[0].equals("programs")) {
        InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        say(Programs.answers(Request.GSON.fromJson(input, Programs.Given.class), directory));
      } else {
        judge(directory);
      }
    } catch (Throwable failure) {
      failure.printStackTrace();
      status = 1;
    }
    OUT.flush();
    Runtime.getRuntime().halt(status);
  }

  private static void judge(Path directory) throws Exception {
    long begun = System.nanoTime();
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16);
    Cluster cluster = Cluster.start(directory);
    Judge judge = new Judge(cluster);
    Map<String, Object> ready = new LinkedHashMap<>();
    ready.put("ready", (System.nanoTime() - begun) / 1_000_000);
    ready.put("shipped", Cluster.shipped());
    ready.put("port", cluster.port());
    say(ready);

    ExecutorService judges = Executors.newFixedThreadPool(2);
    // Growing tables mostly wait for HBase.
    ExecutorService lives = Executors.newFixedThreadPool(4);
    Semaphore ahead = new Semaphore(AHEAD);
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      Request request = Request.GSON.fromJson(line, Request.class);
      if (request.life != null) {
        lives.execute(() -> say(verdict(request, () -> new Growth(cluster, request).judge())));
      } else if (request.made != null) {
        judges.execute(() -> say(verdict(request, () -> judge.made(request))));
      } else if (request.store != null) {
        judges.execute(() -> say(verdict(request, () -> new Files(cluster, request).judge())));
      } else if (request.compacted != null) {
        judges.execute(() -> say(verdict(request, () -> new Compacted(cluster, request).judge())));
      } else if (request.model != null) {
        judges.execute(() -> say(verdict(request, () -> new Models(cluster, request).judge())));
      } else {
        ahead.acquire();
        judge.create(request).handleAsync((name, refusal) -> verdict(judge, request, name, refusal), judges)
            .thenAccept(verdict -> {
              say(verdict);
              ahead.release();
            });
      }
    }
    ahead.acquire(AHEAD);
    for (ExecutorService all : List.of(lives, judges)) {
      all.shutdown();
      all.awaitTermination(1, TimeUnit.HOURS);
    }
  }

  private static Verdict verdict(Judge judge, Request request, TableName name, Throwable refusal) {
    return verdict(request, () -> refusal == null ? judge.judge(request, name)
        : Judge.refused(request, refusal instanceof CompletionException ? refusal.getCause() : refusal));
  }

  private static Verdict verdict(Request request, Callable<Verdict> judge) {
    try {
      return judge.call();
    } catch (Throwable failure) {
      failure.printStackTrace();
      Verdict verdict = new Verdict(request.id);
      verdict.differ("HBase failed: " + failure);
      return verdict;
    }
  }

  private static synchronized void say(Object answer) {
    OUT.println(Request.GSON.toJson(answer));
  }
}
