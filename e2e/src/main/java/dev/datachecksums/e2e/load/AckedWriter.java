package dev.datachecksums.e2e.load;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Inserts one row after the other, each in a transaction of its own, and remembers which the server acknowledged and when. After an error it
 * connects again at once, so its longest gap is the outage as a client sees it. A row whose fate is unknown, as the connection broke before
 * the answer, counts neither as acknowledged nor as missing.
 */
public final class AckedWriter implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration RETRY = Duration.ofMillis(5);

    /**
     * A time without an acknowledgement.
     *
     * @param from the last acknowledgement before it
     * @param error what the client was told first; empty if nothing, but it took long
     */
    public record Gap(Instant from, Duration length, String error) {}

    private final ConnectionSource source;
    private final String table;
    private final Duration pace;
    private final BitSet acknowledged = new BitSet();
    private final List<Gap> gaps = new ArrayList<>();
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final Thread thread = new Thread(this::write, "acked-writer");
    private long lastAck;
    private Instant lastAckTime = Instant.EPOCH;
    private String firstError = "";
    private int next = 1;
    private @Nullable Connection connection;

    /** Creates its table {@code acked}, afresh, and starts to write a row every five milliseconds. */
    public static AckedWriter start(ConnectionSource source) throws SQLException {
        return start(source, "acked", Duration.ofMillis(5));
    }

    /**
     * Creates a table, afresh, and starts to write.
     *
     * @param pace what it waits between two rows
     */
    public static AckedWriter start(ConnectionSource source, String table, Duration pace) throws SQLException {
        AckedWriter writer = new AckedWriter(source, table, pace);
        try (Connection connection = source.connect(Duration.ofSeconds(10));
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists " + table);
            statement.execute(
                    "create table " + table + " (id int primary key, at timestamptz default clock_timestamp())");
        }
        writer.acked(0);
        writer.thread.setDaemon(true);
        writer.thread.start();
        return writer;
    }

    private AckedWriter(ConnectionSource source, String table, Duration pace) {
        this.source = source;
        this.table = table;
        this.pace = pace;
    }

    private void write() {
        while (running.get()) {
            int id = next++;
            try {
                insert(id);
                acked(id);
                LockSupport.parkNanos(pace.toNanos());
            } catch (SQLException e) {
                failed(e);
                disconnect();
                LockSupport.parkNanos(RETRY.toNanos());
            }
        }
        disconnect();
    }

    private void insert(int id) throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = source.connect(TIMEOUT);
            connection = open;
        }
        try (PreparedStatement insert = open.prepareStatement("insert into " + table + " (id) values (?)")) {
            insert.setInt(1, id);
            insert.executeUpdate();
        }
    }

    private void disconnect() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            try {
                broken.close();
            } catch (SQLException e) {
                failed(e);
            }
        }
    }

    private synchronized void acked(int id) {
        long now = System.nanoTime();
        if (id > 0) {
            acknowledged.set(id);
            Duration length = Duration.ofNanos(now - lastAck);
            if (!firstError.isEmpty() || length.compareTo(Duration.ofMillis(200)) > 0) {
                gaps.add(new Gap(lastAckTime, length, firstError));
            }
        }
        firstError = "";
        lastAck = now;
        lastAckTime = Instant.now();
        notifyAll();
    }

    private synchronized void failed(SQLException e) {
        if (firstError.isEmpty()) {
            firstError = e.getSQLState() + " " + e.getMessage();
        }
    }

    /** How many rows were acknowledged so far. */
    public synchronized int acknowledged() {
        return acknowledged.cardinality();
    }

    /** The times without an acknowledgement, one that lasts still included: after an error, or longer than 200 ms. */
    public synchronized List<Gap> gaps() {
        List<Gap> all = new ArrayList<>(gaps);
        if (!firstError.isEmpty()) {
            all.add(new Gap(lastAckTime, Duration.ofNanos(System.nanoTime() - lastAck), firstError));
        }
        return all;
    }

    /** The longest of the gaps: the outage. Zero if there was none. */
    public Duration longestGap() {
        return gaps().stream().map(Gap::length).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    /**
     * Waits for so many more acknowledged rows.
     *
     * @throws IllegalStateException if they do not come in time
     */
    public synchronized void awaitMore(int rows, Duration within) throws InterruptedException {
        int wanted = acknowledged.cardinality() + rows;
        long end = System.nanoTime() + within.toNanos();
        while (acknowledged.cardinality() < wanted) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException("%d rows are acknowledged, not %d, after %s; %s"
                        .formatted(acknowledged.cardinality(), wanted, within, firstError));
            }
            wait(Math.max(1, left / 1_000_000));
        }
    }

    /** The acknowledged rows that the table does not have. */
    public List<Integer> missing() throws SQLException {
        BitSet lost;
        synchronized (this) {
            lost = (BitSet) acknowledged.clone();
        }
        try (Connection reading = source.connect(Duration.ofSeconds(60));
                Statement statement = reading.createStatement();
                ResultSet rows = statement.executeQuery("select id from " + table)) {
            while (rows.next()) {
                lost.clear(rows.getInt(1));
            }
        }
        return lost.stream().boxed().toList();
    }

    /** Ends the writing; what it knows stays readable. */
    @Override
    public void close() {
        running.set(false);
        try {
            thread.join(Duration.ofSeconds(10).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
