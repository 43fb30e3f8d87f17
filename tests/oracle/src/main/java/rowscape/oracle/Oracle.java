package rowscape.oracle;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/**
 * Answers requests, one JSON object a line: designs to judge on the input, verdicts on the output, in any order. Ends
 * with its input, so that it never outlives the program that started it.
 *
 * <pre>Oracle judge DIRECTORY            starts a cluster with its files there
 * Oracle vectors DIRECTORY SEED N   writes golden vectors of random values there, about N of them</pre>
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
    Judge judge = new Judge(Cluster.start(directory));
    Gson gson = new Gson();
    Map<String, Object> ready = new LinkedHashMap<>();
    ready.put("ready", (System.nanoTime() - begun) / 1_000_000);
    say(gson, ready);

    ExecutorService judges = Executors.newFixedThreadPool(2);
    Semaphore ahead = new Semaphore(AHEAD);
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      Request request = gson.fromJson(line, Request.class);
      ahead.acquire();
      judge.create(request).handleAsync((name, refusal) -> verdict(judge, request, name, refusal), judges)
          .thenAccept(verdict -> {
            say(gson, verdict);
            ahead.release();
          });
    }
    ahead.acquire(AHEAD);
  }

  private static Verdict verdict(Judge judge, Request request, TableName name, Throwable refusal) {
    try {
      return refusal == null ? judge.judge(request, name)
          : Judge.refused(request, refusal instanceof CompletionException ? refusal.getCause() : refusal);
    } catch (Throwable failure) {
      failure.printStackTrace();
      Verdict verdict = new Verdict(request.id);
      verdict.differ("HBase failed: " + failure);
      return verdict;
    }
  }

  private static synchronized void say(Gson gson, Object answer) {
    OUT.println(gson.toJson(answer));
  }
}
