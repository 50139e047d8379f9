package dev.datachecksums.operator.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.datachecksums.operator.postgres.LocalPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A real server with rows, and the operator's part in a conversion: the interlock's line, the stop, the start. */
final class InPlaceFixture implements AutoCloseable {
    static final String LOCK = "data_checksums_conversion_in_progress";
    private static final String ROWS = "select count(*) || ' ' || sum(id) || ' ' || sum(length(word)) from kept";

    private final LocalPostgres postgres;
    private final String rows;
    private final List<AgentRun> runs = new ArrayList<>();

    private final boolean owner;

    private InPlaceFixture(LocalPostgres postgres) {
        this.postgres = postgres;
        owner = true;
        postgres.execute(
                "create table kept as select id, repeat('w', 100) as word from generate_series(1, 20000) id",
                "checkpoint");
        rows = String.valueOf(postgres.query(ROWS));
    }

    private InPlaceFixture(InPlaceFixture lender) {
        postgres = lender.postgres;
        rows = lender.rows;
        owner = false;
    }

    /**
     * The same server, running and without checksums, for one more test: closing it ends the runs, not the server. Not for a test of a
     * rewrite that takes its time: pages whose checksums are right already, though unused, are not written again.
     */
    InPlaceFixture borrowed() {
        assertLifted();
        if (!"0".equals(postgres.controlData("Data page checksum version"))) {
            postgres.stop(LocalPostgres.StopMode.FAST);
            postgres.run("pg_checksums", "--disable", "--no-sync", "-D", data().toString())
                    .orThrow();
        }
        if (!postgres.isRunning()) {
            postgres.start();
        }
        return new InPlaceFixture(this);
    }

    static InPlaceFixture withoutChecksums() {
        return new InPlaceFixture(LocalPostgres.builder().start());
    }

    LocalPostgres postgres() {
        return postgres;
    }

    Path data() {
        return postgres.dataDirectory();
    }

    Path autoConf() {
        return data().resolve("postgresql.auto.conf");
    }

    AgentRun run(TestShell shell, String mode, Map<String, String> environment) {
        AgentRun run = AgentRun.start(postgres, shell, mode, environment);
        runs.add(run);
        return run;
    }

    AgentRun run(TestShell shell, String mode, FakeTools tools, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("DCK_BINDIR", tools.directory().toString());
        return run(shell, mode, all);
    }

    /** Says that the script is ready, armed, stopped: the usual way to the conversion. */
    void armAndStop(AgentRun run) {
        arm(run);
        postgres.stop(LocalPostgres.StopMode.FAST);
    }

    void arm(AgentRun run) {
        run.awaitStep("ready");
        writeLine();
        run.awaitStep("armed");
    }

    /** As the operator does it through SQL: as the data's owner, with a newline first, a temporary file and a rename. */
    void writeLine() {
        shell("{ cat \"$A\"; printf '\\n%s = %s\\n' " + LOCK + " \"'x'\"; } >\"$A.op\"; "
                + "chmod \"$(stat -c %a \"$A\")\" \"$A.op\"; mv -f \"$A.op\" \"$A\"");
    }

    void removeLine() {
        shell("sed '/^" + LOCK + "/d' \"$A\" >\"$A.op\" && mv -f \"$A.op\" \"$A\"");
    }

    /** Runs a line of shell as the server's user; A is postgresql.auto.conf, D the data directory. */
    void shell(String script) {
        postgres.account()
                .run(Path.of("/bin"), "sh", "-euc", "A='" + autoConf() + "' D='" + data() + "'; " + script)
                .orThrow();
    }

    String autoConfText() {
        try {
            return Files.readString(autoConf());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing of ours is left, the server starts, says this state, and has every row. */
    void assertServes(String checksums) {
        assertLifted();
        if (!postgres.isRunning()) {
            postgres.start();
        }
        assertThat(postgres.query("show data_checksums")).isEqualTo(checksums);
        assertThat(postgres.query(ROWS)).isEqualTo(rows);
        postgres.execute("create table written_after as select 1", "drop table written_after");
    }

    void assertLifted() {
        assertThat(autoConfText()).doesNotContainPattern("(?m)^\\s*" + LOCK);
        assertThat(Files.exists(data().resolve("pg_wal"))).isTrue();
        try (Stream<Path> entries = Files.list(data())) {
            assertThat(entries.map(p -> p.getFileName().toString()).filter(n -> n.contains("dck")))
                    .isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the server and has every page checked by pg_checksums. */
    void assertEveryPageSound() {
        postgres.stop(LocalPostgres.StopMode.FAST);
        postgres.run("pg_checksums", "--check", "-D", data().toString()).orThrow();
    }

    boolean walIsAway() {
        return Files.exists(data().resolve("pg_wal.dck"), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void close() {
        runs.forEach(AgentRun::close);
        if (!owner) {
            return;
        }
        // A test may have taken rights away; what cannot be given back is removed by whoever can.
        postgres.account().run(Path.of("/bin"), "chmod", "-R", "u+rwX", data().toString());
        postgres.close();
    }
}
