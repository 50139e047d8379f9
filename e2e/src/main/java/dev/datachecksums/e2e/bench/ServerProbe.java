package dev.datachecksums.e2e.bench;

import dev.datachecksums.operator.postgres.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;

/** What the online bench reads off a server on this machine. */
final class ServerProbe {

    private static final Duration OFTEN = Duration.ofMillis(5);
    private static final Duration LIMIT = Duration.ofMinutes(30);

    private final LocalPostgres server;

    ServerProbe(LocalPostgres server) {
        this.server = server;
    }

    /** Time since it was made. */
    static final class Watch {
        private final long began = System.nanoTime();

        long millis() {
            return (System.nanoTime() - began) / 1_000_000;
        }
    }

    /**
     * Waits until the server shows that state, for half an hour at most.
     *
     * @return for how many milliseconds it was seen in a state between
     */
    long until(String state) {
        return untilOrFor(state, LIMIT)
                .orElseThrow(() -> new IllegalStateException("not " + state + " within " + LIMIT));
    }

    /** The same, for that long at most; empty if it was not reached. */
    OptionalLong untilOrFor(String state, Duration atMost) {
        // One connection: making one takes the server more than answering.
        try (Connection c = server.connect();
                Statement s = c.createStatement()) {
            Watch watch = new Watch();
            String before = shown(s);
            long left = -1;
            for (String now = before; !now.equals(state); now = shown(s)) {
                if (watch.millis() > atMost.toMillis()) {
                    return OptionalLong.empty();
                }
                left = left < 0 && now.startsWith("inprogress") ? watch.millis() : left;
                Waits.pause(OFTEN);
            }
            return OptionalLong.of(left < 0 ? 0 : watch.millis() - left);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String shown(Statement s) throws SQLException {
        try (ResultSet row = s.executeQuery("SHOW data_checksums")) {
            row.next();
            return row.getString(1);
        }
    }

    /** Waits until no process of a switch is left. */
    void untilNobodyIsAtWork() {
        Waits.until("nobody at work", () -> number("SELECT count(*) FROM pg_stat_progress_data_checksums") == 0);
    }

    long number(String sql) {
        return Long.parseLong(Objects.requireNonNull(server.query(sql)));
    }

    /** Processor time of the server with all its processes that have ended, in ticks: what it has cost, however busy the machine is. */
    long cpuTicks() {
        try {
            String pid = Files.readAllLines(server.dataDirectory().resolve("postmaster.pid"))
                    .get(0)
                    .strip();
            // After the name in parentheses: state is the first, utime the twelfth.
            String stat = Files.readString(Path.of("/proc", pid, "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = 11; i <= 14; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
