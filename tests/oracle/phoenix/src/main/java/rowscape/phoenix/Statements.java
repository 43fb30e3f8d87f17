package rowscape.phoenix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.util.PhoenixRuntime;

/** Executes statements without a cluster. Standard input has an array of arrays of statements; standard output their answers. */
public final class Statements {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Statements() {}

    /** Creating an index waits some seconds. */
    private static final int AT_ONCE = 24;

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        ArrayNode answers = JSON.createArrayNode();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        List<Future<ArrayNode>> running = new ArrayList<>();
        for (JsonNode all : JSON.readTree(System.in)) running.add(threads.submit(() -> answers(all)));
        for (Future<ArrayNode> of : running) answers.add(of.get());
        System.out.println(JSON.writeValueAsString(answers));
        System.out.flush();
        // Phoenix leaves threads behind.
        Runtime.getRuntime().halt(0);
    }

    private static ArrayNode answers(JsonNode statements) throws SQLException {
        ArrayNode answers = JSON.createArrayNode();
        try (Connection connection = DriverManager.getConnection("jdbc:phoenix:none")) {
            connection.setAutoCommit(false);
            for (JsonNode statement : statements) answers.add(answer(connection, statement.asText()));
        }
        return answers;
    }

    private static ObjectNode answer(Connection connection, String sql) throws SQLException {
        ObjectNode answer = JSON.createObjectNode();
        try {
            if (sql.startsWith("SELECT")) scans(connection, sql, answer);
            else connection.createStatement().execute(sql);
            if (sql.startsWith("UPSERT")) rows(connection, answer);
        } catch (SQLException | RuntimeException failure) {
            answer.put("error", String.valueOf(failure.getMessage()));
        }
        connection.rollback();
        return answer;
    }

    /** The rows of each table that the changes so far would write. */
    private static void rows(Connection connection, ObjectNode answer) throws SQLException {
        ObjectNode tables = answer.putObject("rows");
        Iterator<Pair<byte[], List<Cell>>> changes = PhoenixRuntime.getUncommittedDataIterator(connection, true);
        while (changes.hasNext()) {
            Pair<byte[], List<Cell>> of = changes.next();
            Set<String> rows = new LinkedHashSet<>();
            for (Cell cell : of.getSecond()) rows.add(Bytes.toHex(CellUtil.cloneRow(cell)));
            ArrayNode all = tables.withArray("/" + Bytes.toString(of.getFirst()));
            rows.forEach(all::add);
        }
    }

    /** The scan of a query: its table, the bounds of its rows, its slots, and whether it skips between them. */
    private static void scans(Connection connection, String sql, ObjectNode answer) throws SQLException {
        QueryPlan plan;
        try (PhoenixPreparedStatement statement =
                connection.prepareStatement(sql).unwrap(PhoenixPreparedStatement.class)) {
            plan = statement.optimizeQuery();
        }
        ScanRanges ranges = plan.getContext().getScanRanges();
        answer.put("table", plan.getTableRef().getTable().getPhysicalName().getString());
        answer.put("start", Bytes.toHex(plan.getContext().getScan().getStartRow()));
        answer.put("stop", Bytes.toHex(plan.getContext().getScan().getStopRow()));
        answer.put("everything", ranges.isEverything());
        answer.put("nothing", ranges.isDegenerate());
        answer.put("point", ranges.isPointLookup());
        answer.put("skip", ranges.useSkipScanFilter());
        ArrayNode spans = answer.putArray("spans");
        for (int span : ranges.getSlotSpans()) spans.add(span);
        ArrayNode slots = answer.putArray("slots");
        for (List<KeyRange> slot : ranges.getRanges()) {
            ArrayNode all = slots.addArray();
            for (KeyRange range : slot) {
                ArrayNode one = all.addArray();
                end(one, range.lowerUnbound(), range.isLowerInclusive(), range.getLowerRange());
                end(one, range.upperUnbound(), range.isUpperInclusive(), range.getUpperRange());
            }
        }
    }

    private static void end(ArrayNode range, boolean isOpen, boolean isInclusive, byte[] bytes) {
        if (isOpen) range.addNull();
        else range.add((isInclusive ? "=" : "") + Bytes.toHex(bytes));
    }
}
