package rowscape.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Runs planned queries on a table that holds the records: what they return against what was asked for. */
final class Plans {
  /** More ranges than these are asked for in one scan. */
  private static final int APART = 48;

  private final Request request;
  private final Table table;
  private final List<RegionInfo> regions;
  private final Verdict verdict;

  Plans(Request request, Table table, List<RegionInfo> regions, Verdict verdict) {
    this.request = request;
    this.table = table;
    this.regions = regions;
    this.verdict = verdict;
  }

  /** Judges one plan. */
  void judge(Query query) throws IOException {
    String where = "query " + Request.GSON.toJson(query.where);
    Set<Integer> asked = asked(query);
    List<List<Integer>> streams = streams(query);
    Set<Integer> found = new TreeSet<>();
    streams.forEach(found::addAll);
    verdict.count("plans", 1);
    verdict.count("plans: " + query.kind + (query.exact ? ", exact" : ""), 1);
    holds(where, query.exact, found, asked);
    RowCount records = query.records == null ? query : query.records;
    verdict.same("records read by plans", "of " + where, records.read, found.size());
    verdict.same("records returned by plans", "of " + where, records.returned, asked.size());
    // The last record of a row is what the row holds.
    Map<String, Integer> rows = new HashMap<>();
    found.forEach(record -> rows.merge(request.keys.get(record), record, Math::max));
    verdict.same("rows read by plans", "of " + where, query.read, rows.size());
    int matching = (int) rows.values().stream().filter(asked::contains).count();
    verdict.same("rows returned by plans", "of " + where, query.returned, matching);
    regions(where, query);
    filters(where, query, found, asked);
    if (query.order != null) {
      order(where, query, streams, asked);
    }
  }

  /** The records asked for, of those that are in the table. */
  private Set<Integer> asked(Query query) {
    Set<Integer> asked = new TreeSet<>();
    for (int i = 0; i < request.records.size(); i++) {
      if (request.keys.get(i) != null && query.holds(request.fields, request.records.get(i))) {
        asked.add(i);
      }
    }
    return asked;
  }

  private void holds(String where, boolean exact, Collection<Integer> found, Set<Integer> asked) {
    if (!found.containsAll(asked)) {
      Set<Integer> missed = new TreeSet<>(asked);
      missed.removeAll(found);
      verdict.differ(where + ": the plan misses " + Judge.summary(List.copyOf(missed)));
    }
    if (exact && found.size() > asked.size()) {
      Set<Integer> more = new TreeSet<>(found);
      more.removeAll(asked);
      verdict.differ(where + ": said to be exact, returns also " + Judge.summary(List.copyOf(more)));
    }
  }

  /** Rows that each range returns: a Get each where rows are named, else a Scan each, or one of all when they are many. */
  private List<List<Integer>> streams(Query query) throws IOException {
    List<List<Integer>> streams = new ArrayList<>();
    if (query.kind.equals("get")) {
      List<Get> gets = new ArrayList<>();
      for (Query.Range range : query.ranges) {
        verdict.same("rows named by plans", "", range.start + "00", range.stop);
        gets.add(new Get(Request.bytes(range.start)));
      }
      Arrays.stream(table.get(gets)).forEach(row -> streams.add(Judge.records(row)));
    } else if (query.ranges.size() > APART) {
      streams.add(found(scan(whole(query)).setFilter(ranges(query))));
    } else {
      for (Query.Range range : query.ranges) {
        streams.add(found(scan(range).setReversed(query.delivery.reversed)));
      }
    }
    return streams;
  }

  private static Scan scan(Query.Range range) {
    return new Scan().withStartRow(Request.bytes(range.start)).withStopRow(Request.bytes(range.stop)).setCaching(1000);
  }

  /** From the beginning of the first range to the end of the last. */
  private static Query.Range whole(Query query) {
    Query.Range whole = new Query.Range();
    whole.start = query.ranges.get(0).start;
    whole.stop = query.ranges.get(query.ranges.size() - 1).stop;
    return whole;
  }

  private List<Integer> found(Scan scan) throws IOException {
    if (scan.isReversed()) {
      // Rows from start to stop, from the other end.
      byte[] start = scan.getStartRow();
      scan.withStartRow(scan.getStopRow(), scan.getStopRow().length == 0).withStopRow(start, true);
    }
    return Judge.found(table, scan);
  }

  /** The regions that the ranges touch. */
  private void regions(String where, Query query) throws IOException {
    Set<Integer> touched = new TreeSet<>();
    for (Query.Range range : query.ranges) {
      byte[] start = Request.bytes(range.start);
      byte[] stop = Request.bytes(range.stop);
      for (int i = 0; i < regions.size(); i++) {
        RegionInfo region = regions.get(i);
        boolean begins = stop.length == 0 || Bytes.compareTo(region.getStartKey(), stop) < 0;
        boolean ends = region.getEndKey().length == 0 || Bytes.compareTo(start, region.getEndKey()) < 0;
        if (begins && ends) {
          touched.add(i);
        }
      }
    }
    verdict.same("regions of plans", "of " + where, query.regions, List.copyOf(touched));
    if (query.ranges.size() == 1 && !query.kind.equals("get")) {
      Scan scan = scan(query.ranges.get(0)).setScanMetricsEnabled(true);
      verdict.same("regions that a scan went to", "of " + where, (long) query.regions.size(), Judge.regionsOf(table, scan));
    }
  }

  private void filters(String where, Query query, Set<Integer> found, Set<Integer> asked) throws IOException {
    FilterList all = new FilterList(FilterList.Operator.MUST_PASS_ALL);
    boolean exact = query.exact;
    for (Query.Filter said : query.filters) {
      verdict.count("filters: " + said.name, 1);
      String with = where + " with " + Request.GSON.toJson(said);
      if (said.name.equals("MultiRowRangeFilter")) {
        Set<Integer> one = new TreeSet<>(found(scan(whole(query)).setFilter(ranges(query))));
        verdict.same("scans of many ranges", with, Judge.summary(List.copyOf(found)), Judge.summary(List.copyOf(one)));
      }
      all.addFilter(filter(query, said));
      exact |= said.exact;
    }
    if (!query.filters.isEmpty() && !query.ranges.isEmpty()) {
      Set<Integer> filtered = new TreeSet<>();
      boolean together = query.ranges.size() == 1 || query.filters.stream().anyMatch(one -> one.name.startsWith("Multi"));
      for (Query.Range range : together ? List.of(whole(query)) : query.ranges) {
        filtered.addAll(found(scan(range).setFilter(all)));
      }
      verdict.count("rows that filters dropped", found.size() - filtered.size());
      holds(where + " with its filters", exact, filtered, asked);
    }
  }

  private static MultiRowRangeFilter ranges(Query query) {
    List<RowRange> ranges = new ArrayList<>();
    for (Query.Range range : query.ranges) {
      ranges.add(new RowRange(Request.bytes(range.start), true, Request.bytes(range.stop), false));
    }
    return new MultiRowRangeFilter(ranges);
  }

  private static Filter filter(Query query, Query.Filter said) {
    switch (said.name) {
      case "MultiRowRangeFilter":
        return ranges(query);
      case "FuzzyRowFilter":
        List<Pair<byte[], byte[]>> pairs = new ArrayList<>();
        said.pairs.forEach(pair -> pairs.add(new Pair<>(Request.bytes(pair.key), Request.bytes(pair.mask))));
        return new FuzzyRowFilter(pairs);
      case "RowFilter":
        RegexStringComparator pattern = new RegexStringComparator(said.pattern, Pattern.DOTALL);
        pattern.setCharset(StandardCharsets.ISO_8859_1);
        return new RowFilter(CompareOperator.EQUAL, pattern);
      default:
        throw new IllegalStateException("no filter " + said.name);
    }
  }

  /** Checks that the requested records come in order: as streams one after the other, or merged. */
  private void order(String where, Query query, List<List<Integer>> streams, Set<Integer> asked) {
    if (query.delivery.sort || query.ranges.size() > APART) {
      return;
    }
    verdict.count(query.delivery.merge ? "orders, merged" : query.delivery.reversed ? "orders, reversed" : "orders", 1);
    Comparator<Object> wanted = query.descending ? Collections.reverseOrder(Query::compare) : Query::compare;
    List<List<Object>> values = new ArrayList<>();
    for (List<Integer> stream : streams) {
      List<Object> one = new ArrayList<>();
      String group = null;
      int from = 0;
      // A table holds only one of the records that share a row.
      Set<String> rows = new HashSet<>();
      for (int record : stream) {
        String key = request.keys.get(record);
        if (!asked.contains(record) || !rows.add(key)) {
          continue;
        }
        // Clients sort rows that share these bytes.
        String shared = query.delivery.tied == null ? key : key.substring(0, Math.min(key.length(), 2 * query.delivery.tied));
        if (!shared.equals(group)) {
          one.subList(from, one.size()).sort(wanted);
          from = one.size();
          group = shared;
        }
        one.add(Query.value(request.fields, request.records.get(record), query.order));
      }
      one.subList(from, one.size()).sort(wanted);
      if (!one.isEmpty()) {
        values.add(one);
      }
    }
    String said = where + " by " + query.order + (query.descending ? " from the last" : "");
    for (List<Object> one : values) {
      if (!inOrder(one, wanted)) {
        verdict.differ(said + ": a stream is not in order " + one.subList(0, Math.min(10, one.size())));
      }
    }
    if (!query.delivery.merge) {
      values.sort((one, other) -> wanted.compare(one.get(0), other.get(0)));
      List<Object> chained = new ArrayList<>();
      values.forEach(chained::addAll);
      if (!inOrder(chained, wanted)) {
        verdict.differ(said + ": streams one after the other are not in order");
      }
    }
  }

  private static boolean inOrder(List<Object> values, Comparator<Object> wanted) {
    for (int i = 1; i < values.size(); i++) {
      if (wanted.compare(values.get(i - 1), values.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }
}
